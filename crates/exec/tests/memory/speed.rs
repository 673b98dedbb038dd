//! What an access costs: nanoseconds for each lane of full waves, each with and without the search for races.
//!
//! `cargo test --release -p reconverge-exec --test memory -- --ignored --nocapture nanoseconds`

use std::sync::LazyLock;
use std::time::Instant;

use reconverge_exec::memory::{Access, GlobalMemory, Initial, Layout, Memory, Ordered, Part, Workgroup};
use reconverge_exec::value::{Scalar, Slot};
use reconverge_ir::opcode::{Ordering, RmwOperation};

use crate::random::Random;

const WORDS: u64 = 1 << 14;

/// Nanoseconds that this thread has run, where the system says so; else nanoseconds.
fn now() -> f64 {
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    let run = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let run = run.and_then(|text| text.split(' ').next()?.parse().ok());
    run.unwrap_or_else(|| START.elapsed().as_nanos() as f64)
}

/// The addresses that the steps of a case use, relative to an object.
fn addresses(shape: &str) -> Vec<Slot> {
    let mut random = Random(1);
    (0..WORDS / 64)
        .map(|step| {
            let mut slot = Slot::default();
            for lane in 0..64 {
                slot.bits[lane] = 4 * match shape {
                    "uniform" => step,
                    "consecutive" => 64 * step + lane as u64,
                    "vector of 4" => (64 * step + lane as u64) % (WORDS / 4) * 4,
                    // A permutation of the consecutive words of all steps.
                    _ => (64 * step + lane as u64).wrapping_mul(0x9e35) % WORDS,
                };
            }
            if shape == "gathered" {
                slot.bits.swap(random.below(64), random.below(64));
            }
            slot
        })
        .collect()
}

#[test]
#[ignore = "a measurement, not a test"]
fn nanoseconds() {
    let mut global = GlobalMemory::new(1 << 30, false);
    let buffer = global.allocate("buffer", 4 * WORDS, Initial::Zero, false).expect("there is room");
    println!("{:30} {:>12} {:>12} {:>12} {:>12}", "", "load", "store", "load, races", "store, races");
    for segment in ["global", "local", "private"] {
        for shape in ["uniform", "consecutive", "vector of 4", "gathered"] {
            let mut figures = Vec::new();
            for races in [false, true] {
                let workgroup =
                    Workgroup { threads: 64, wave: 64, subgroup: 32, stack: 1 << 20, local: 1 << 20, races };
                let mut memory = Memory::new(&global, &workgroup);
                let base = match segment {
                    "global" => buffer.0,
                    "local" => memory.allocate_local("tile", 4 * WORDS, 16).expect("there is room").0,
                    _ => memory.allocate_private(0, u64::MAX, 4 * WORDS, 16, 0).expect("there is room").0,
                };
                let count = if shape == "vector of 4" { 4 } else { 1 };
                let part = |component| Part { component, offset: 4 * component as u64, bits: 32, pointer: false };
                let layout = Layout::new((0..count).map(part).collect(), 4);
                let mut addresses = addresses(shape);
                addresses.iter_mut().for_each(|slot| slot.bits.iter_mut().for_each(|bits| *bits += base));
                let values = vec![Slot::splat(7); count];
                let mut out = vec![Slot::default(); count];
                for store in [true, false] {
                    let start = now();
                    let mut lanes = 0u64;
                    while now() - start < 6e7 {
                        // Asking for the time takes longer than an access.
                        for address in (0..8).flat_map(|_| &addresses) {
                            let faults = match store {
                                true => memory.store(0, &layout, address, &values, u64::MAX, Access::plain(1)),
                                false => memory.load(0, &layout, address, u64::MAX, Access::plain(2), &mut out),
                            };
                            lanes += 64;
                            assert!(faults.faults.is_empty(), "{faults:?}");
                        }
                        memory.barrier(&[u64::MAX], Ordered { global: true, local: true });
                    }
                    figures.push((now() - start) / lanes as f64);
                }
            }
            let [store, load, store_races, load_races] = figures[..] else { unreachable!("four cases") };
            let name = format!("{segment}, {shape}");
            println!("{name:30} {load:12.2} {store:12.2} {load_races:12.2} {store_races:12.2}");
        }
    }
    for races in [false, true] {
        let workgroup = Workgroup { threads: 64, wave: 64, subgroup: 32, stack: 0, local: 0, races };
        let mut memory = Memory::new(&global, &workgroup);
        let start = now();
        let mut lanes = 0u64;
        let (scalar, layout, mut out) = (Scalar::Integer(32), Layout::scalar(32, 4), [Slot::default()]);
        let address = Slot::splat(buffer.0);
        let access = Access::atomic(1, Ordering::Monotonic);
        while now() - start < 6e7 {
            for _ in 0..1000 {
                let one = [Slot::splat(1)];
                memory.atomic_rmw(0, RmwOperation::Add, scalar, &layout, &address, &one, u64::MAX, access, &mut out);
                lanes += 64;
            }
        }
        let one_lane = now();
        memory.barrier(&[u64::MAX], Ordered { global: true, local: true });
        for _ in 0..1_000_000 {
            memory.load(0, &layout, &address, 1 << 5, Access::plain(1), &mut out);
        }
        println!("one lane, races {races}: {:.2}", (now() - one_lane) / 1e6);
        println!("atomic add, races {races}: {:.2}", (one_lane - start) / lanes as f64);
    }
}
