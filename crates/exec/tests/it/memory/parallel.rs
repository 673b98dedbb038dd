//! Workgroups that run at the same time.

use rayon::prelude::*;
use reconverge_exec::memory::{Access, GlobalMemory, Initial, Layout, Memory};
use reconverge_exec::value::{Scalar, Slot};
use reconverge_ir::opcode::{Ordering, RmwOperation};

use crate::memory::model::WORKGROUP;

/// Stores to different bytes of a word, by different workgroups, do not undo each other.
#[test]
fn neighbours_in_a_word_do_not_disturb_each_other() {
    for initial in [Initial::Zero, Initial::Uninitialised] {
        let mut global = GlobalMemory::new(1 << 20, false);
        let workgroups = 16u64;
        let bytes = 64 * workgroups * 20;
        let buffer = global.allocate("out", bytes, initial, false).expect("there is room");
        (0..workgroups).into_par_iter().for_each(|workgroup| {
            let mut memory = Memory::new(&global, &WORKGROUP);
            for step in 0..20 {
                // Byte i is stored by workgroup i % 16.
                let mut address = Slot::default();
                let mut value = Slot::default();
                for lane in 0..64 {
                    let offset = (step * 64 + lane as u64) * workgroups + workgroup;
                    address.bits[lane] = buffer.0 + offset;
                    value.bits[lane] = (offset * 7) & 0xff;
                }
                let layout = Layout::scalar(8, 1);
                assert!(memory.store(0, &layout, &address, &[value.clone()], u64::MAX, Access::plain(1)).is_empty());
                let mut out = [Slot::default()];
                assert!(memory.load(0, &layout, &address, u64::MAX, Access::plain(2), &mut out).is_empty());
                assert_eq!(out[0].bits, value.bits);
            }
        });
        let expected: Vec<u8> = (0..bytes).map(|offset| (offset * 7) as u8).collect();
        assert_eq!(global.bytes(buffer), expected);
    }
}

/// Sums in all widths that atomic accesses have.
#[test]
fn atomic_sums_lose_nothing() {
    let mut global = GlobalMemory::new(1 << 20, false);
    let sums = global.allocate("sums", 64, Initial::Zero, false).expect("there is room");
    let cases = [
        (0u64, Scalar::Integer(8)),
        (1, Scalar::Integer(8)),
        (2, Scalar::Integer(16)),
        (8, Scalar::Integer(32)),
        (12, Scalar::Float),
        (16, Scalar::Integer(64)),
        (24, Scalar::Double),
    ];
    let one = |scalar| match scalar {
        Scalar::Float => u64::from(1f32.to_bits()),
        Scalar::Double => 1f64.to_bits(),
        _ => 1,
    };
    (0..8u64).into_par_iter().for_each(|_| {
        let mut memory = Memory::new(&global, &WORKGROUP);
        for _ in 0..50 {
            for (offset, scalar) in cases {
                let operation = if scalar.is_float() { RmwOperation::FAdd } else { RmwOperation::Add };
                let layout = Layout::scalar(scalar.bits(), 1);
                let access = Access::atomic(1, Ordering::Monotonic);
                let address = Slot::splat(sums.0 + offset);
                let operand = [Slot::splat(one(scalar))];
                let mut out = [Slot::default()];
                let faults =
                    memory.atomic_rmw(0, operation, scalar, &layout, &address, &operand, u64::MAX, access, &mut out);
                assert!(faults.is_empty());
            }
        }
    });
    let bytes = global.bytes(sums);
    let word =
        |offset: usize| u32::from_le_bytes([bytes[offset], bytes[offset + 1], bytes[offset + 2], bytes[offset + 3]]);
    let total = 8 * 50 * 64u32;
    assert_eq!((bytes[0], bytes[1]), (total as u8, total as u8));
    assert_eq!(word(0) >> 16, total & 0xffff);
    assert_eq!(word(8), total);
    assert_eq!(f32::from_bits(word(12)), total as f32);
    assert_eq!((word(16), word(20)), (total, 0));
    let double = u64::from(word(24)) | u64::from(word(28)) << 32;
    assert_eq!(f64::from_bits(double), f64::from(total));
}
