//! The race detector against the definition: two accesses are a race iff they conflict and no path of the happens-before graph joins
//! them, nor the order of the atomic accesses to a byte.

use std::collections::BTreeSet;

use reconverge_exec::memory::{
    Access, Address, GlobalMemory, Initial, Layout, Memory, Ordered, Race, Segment, Synchronisation, Touch, Workgroup,
};
use reconverge_exec::value::{Mask, Scalar, Slot, lanes_of, low_bits};
use reconverge_ir::opcode::{Ordering, RmwOperation};
use reconverge_testing::rounds::is_one_seed;

use crate::memory::random::{Random, rounds};

/// How large the objects are.
const BYTES: u64 = 12;

/// What a thread does.
#[derive(Debug, Clone)]
enum Step {
    /// Accesses a range of bytes, atomically and with this order if there is one; `both`: reads and writes.
    Touch {
        segment: Segment,
        start: u64,
        bytes: u64,
        touch: Touch,
        order: Option<Synchronisation>,
        both: bool,
    },
    Fence(Synchronisation),
    /// Meets others at the barrier with this number.
    Barrier(usize, Ordered),
}

#[derive(Debug, Clone)]
struct Event {
    thread: u32,
    site: u32,
    step: Step,
}

/// For each event those that come before it, with respect to the accesses of a segment. A transcription of the definition: program order,
/// barriers, and what reads from what is released.
fn happens_before(log: &[Event], segment: Segment) -> Vec<Vec<bool>> {
    let mut before = vec![vec![false; log.len()]; log.len()];
    let edge = |later: usize, earlier: usize, before: &mut Vec<Vec<bool>>| {
        let all = before[earlier].clone();
        before[later].iter_mut().zip(all).for_each(|(into, from)| *into |= from);
        before[later][earlier] = true;
    };
    for later in 0..log.len() {
        for earlier in 0..later {
            if log[earlier].thread == log[later].thread {
                edge(later, earlier, &mut before);
            }
        }
        match &log[later].step {
            Step::Barrier(number, ordered) => {
                // All that are part of a barrier stand side by side in the log. What comes before one of them comes before each.
                let counts = if segment == Segment::Global { ordered.global } else { ordered.local };
                let part = |event: &Event| matches!(event.step, Step::Barrier(other, _) if other == *number);
                for member in (0..log.len()).filter(|&member| counts && part(&log[member])) {
                    for earlier in (0..member).filter(|&earlier| log[earlier].thread == log[member].thread) {
                        if !part(&log[earlier]) {
                            edge(later, earlier, &mut before);
                        }
                    }
                }
            }
            Step::Touch { order: Some(order), .. } if order.acquire => {
                released_to(log, later).into_iter().for_each(|source| edge(later, source, &mut before));
            }
            Step::Fence(order) if order.acquire => {
                let reads = (0..later).filter(|&read| log[read].thread == log[later].thread);
                let sources: Vec<usize> = reads.flat_map(|read| released_to(log, read)).collect();
                sources.into_iter().for_each(|source| edge(later, source, &mut before));
            }
            _ => {}
        }
    }
    before
}

/// What is released to an atomic access that reads: the last store to the place, or a fence before it, and what that released if it was
/// itself an access that had read.
fn released_to(log: &[Event], read: usize) -> Vec<usize> {
    let place = |event: &Event| match event.step {
        Step::Touch { segment, start, touch, order: Some(_), both, .. } => Some((segment, start, touch, both)),
        _ => None,
    };
    let Some((segment, start, touch, both)) = place(&log[read]) else { return Vec::new() };
    let mut sources = Vec::new();
    if touch == Touch::AtomicWrite && !both {
        return sources;
    }
    for store in (0..read).rev() {
        let Some((other, at, Touch::AtomicWrite, both)) = place(&log[store]) else { continue };
        if (other, at) != (segment, start) {
            continue;
        }
        if matches!(log[store].step, Step::Touch { order: Some(order), .. } if order.release) {
            sources.push(store);
        }
        sources.extend((0..store).filter(|&fence| {
            log[fence].thread == log[store].thread && matches!(log[fence].step, Step::Fence(order) if order.release)
        }));
        if !both {
            break;
        }
    }
    sources
}

/// A race: earlier event, later event, byte.
type Found = (usize, usize, Segment, u64);

fn reads(touch: Touch) -> bool {
    matches!(touch, Touch::Read | Touch::AtomicRead)
}

fn is_atomic(touch: Touch) -> bool {
    matches!(touch, Touch::AtomicRead | Touch::AtomicWrite)
}

/// What an event does to a byte.
fn touch_of(event: &Event, (segment, byte): (Segment, u64)) -> Option<Touch> {
    match event.step {
        Step::Touch { segment: of, start, bytes, touch, .. } => {
            (of == segment && (start..start + bytes).contains(&byte)).then_some(touch)
        }
        _ => None,
    }
}

/// For each access to a byte those accesses to it that come before it there: what happens before; atomic accesses, where what happens
/// before is a later atomic one that conflicts with it; and what comes before, there, one that happens before.
fn before_at(log: &[Event], place: (Segment, u64), happens_before: &[Vec<bool>]) -> Vec<Vec<bool>> {
    let mut before = happens_before.to_vec();
    for (later, event) in log.iter().enumerate() {
        let Some(touch) = touch_of(event, place) else { continue };
        for earlier in 0..later {
            let Some(other) = touch_of(&log[earlier], place) else { continue };
            before[later][earlier] |= (earlier + 1..later).any(|between| {
                touch_of(&log[between], place).is_some_and(|middle| {
                    let in_order = is_atomic(other) && is_atomic(middle) && !(reads(middle) && reads(touch));
                    happens_before[later][between] && (in_order || before[between][earlier])
                })
            });
        }
    }
    before
}

fn all_races(log: &[Event]) -> Vec<Found> {
    let mut races = Vec::new();
    for segment in [Segment::Global, Segment::Local] {
        let happens_before = happens_before(log, segment);
        for byte in 0..BYTES {
            let place = (segment, byte);
            let before = before_at(log, place, &happens_before);
            for (later, event) in log.iter().enumerate() {
                let Some(touch) = touch_of(event, place) else { continue };
                for (earlier, other) in log[..later].iter().enumerate() {
                    let Some(other_touch) = touch_of(other, place) else { continue };
                    let harmless = reads(touch) && reads(other_touch) || is_atomic(touch) && is_atomic(other_touch);
                    if !harmless && event.thread != other.thread && !before[later][earlier] {
                        races.push((earlier, later, segment, byte));
                    }
                }
            }
        }
    }
    races
}

/// What threads may do in a run.
#[derive(Debug, Clone, Copy)]
struct Rules {
    threads: u32,
    wave: u32,
    subgroup: u32,
    /// Whether barriers may be of any threads, and atomic accesses and fences synchronise.
    free: bool,
}

fn masks_of(rules: Rules, threads: u64) -> Vec<Mask> {
    (0..rules.threads.div_ceil(rules.wave)).map(|wave| threads >> (wave * rules.wave) & low_bits(rules.wave)).collect()
}

/// Runs random threads, and answers what they did, and what was reported, with the site of the later access.
fn random_run(random: &mut Random, rules: Rules) -> (Vec<Event>, Vec<(u32, Race)>) {
    let mut global = GlobalMemory::new(1 << 20, true);
    let buffer = global.allocate("buffer", BYTES, Initial::Zero, false).expect("there is room");
    let Rules { threads, wave, subgroup, .. } = rules;
    let workgroup = Workgroup { number: 0, threads, wave, subgroup, stack: 0, local: 1 << 10, races: true };
    let mut memory = Memory::new(&global, &workgroup);
    let tile = memory.allocate_local("tile", BYTES, 4).expect("there is room");
    if random.percent(50) {
        // A workgroup that ran before leaves nothing behind.
        let address = Slot::splat(buffer.0);
        memory.store(0, &Layout::scalar(8, 1), &address, &[Slot::default()], 1, Access::plain(1000));
        memory.restart();
    }
    let (mut log, mut reported) = (Vec::new(), Vec::new());
    let order = |random: &mut Random| match rules.free {
        true => random.pick(&[Ordering::Monotonic, Ordering::Acquire, Ordering::Release, Ordering::AcqRel]),
        false => Ordering::Monotonic,
    };
    for site in 0..4 + random.below(24) as u32 {
        if random.percent(25) {
            let all = low_bits(threads);
            let set = match random.below(3) {
                0 => all,
                _ if rules.free => all & random.next(),
                _ => {
                    low_bits(subgroup) << (subgroup as usize * random.below(threads.div_ceil(subgroup) as usize)) & all
                }
            };
            let ordered = random.pick(&[(true, true), (true, true), (true, false), (false, true)]);
            let ordered = Ordered { global: ordered.0, local: ordered.1 };
            memory.barrier(&masks_of(rules, set), ordered);
            let step = Step::Barrier(site as usize, ordered);
            log.extend(lanes_of(set).map(|thread| Event { thread: thread as u32, site, step: step.clone() }));
            continue;
        }
        let wave_index = random.below(threads.div_ceil(wave) as usize);
        let first = wave_index as u32 * wave;
        let lanes = low_bits((threads - first).min(wave));
        let mask = if random.percent(60) { 1 << random.below(64) & lanes } else { random.next() & lanes };
        if rules.free && random.percent(10) {
            let synchronisation = Synchronisation::of(order(random));
            memory.fence(wave_index, mask, synchronisation);
            let threads = lanes_of(mask).map(|lane| first + lane as u32);
            log.extend(threads.map(|thread| Event { thread, site, step: Step::Fence(synchronisation) }));
            continue;
        }
        let atomic = random.percent(if rules.free { 50 } else { 30 });
        let bytes = if atomic { 4 } else { random.pick(&[1u64, 2, 4, 4, 4, 8]) };
        let (segment, base) = random.pick(&[(Segment::Global, buffer), (Segment::Local, tile)]);
        let shape = random.below(3);
        let place = |random: &mut Random| match atomic || random.percent(60) {
            true => (random.next() % (BYTES - bytes + 1)) & !3,
            false => random.next() % (BYTES - bytes + 1),
        };
        let mut starts = [place(random); 64];
        match shape {
            0 => {}
            1 => (0..64).for_each(|lane| starts[lane] = place(random)),
            _ => (0..64u64).for_each(|lane| starts[lane as usize] = bytes * (lane % (BYTES / bytes))),
        }
        let mut address = Slot::default();
        (0..64).for_each(|lane| address.bits[lane] = base.0 + starts[lane]);
        let layout = Layout::scalar(8 * bytes as u32, 1);
        let (mut out, mut replaced) = ([Slot::default()], Slot::default());
        let ordering = order(random);
        let (plain, access) = (Access::plain(site), Access::atomic(site, ordering));
        let mut order = access.atomic.filter(|_| atomic);
        // What a compare-and-exchange that fails does.
        let failure = Synchronisation { release: false, ..Synchronisation::of(ordering) };
        let mut failed = 0;
        let value = [Slot::splat(random.next() % 2)];
        let (touch, both, faults) = match (atomic, random.below(4)) {
            (false, 0..2) => (Touch::Read, false, memory.load(wave_index, &layout, &address, mask, plain, &mut out)),
            (false, _) => (Touch::Write, false, memory.store(wave_index, &layout, &address, &value, mask, plain)),
            (true, 0) => {
                order = order.map(|order| Synchronisation { release: false, ..order });
                let access = Access { atomic: order, ..access };
                (Touch::AtomicRead, false, memory.load(wave_index, &layout, &address, mask, access, &mut out))
            }
            (true, 1) => {
                order = order.map(|order| Synchronisation { acquire: false, ..order });
                let access = Access { atomic: order, ..access };
                (Touch::AtomicWrite, false, memory.store(wave_index, &layout, &address, &value, mask, access))
            }
            (true, 2) => {
                let (operation, scalar) = (RmwOperation::Xor, Scalar::Integer(32));
                let faults =
                    memory.atomic_rmw(wave_index, operation, scalar, &layout, &address, &value, mask, access, &mut out);
                (Touch::AtomicWrite, true, faults)
            }
            _ => {
                let (wanted, found) = (Slot::splat(0), &mut out[0]);
                let faults = memory.compare_exchange(
                    wave_index,
                    &layout,
                    &address,
                    &wanted,
                    &value[0],
                    mask,
                    access,
                    failure,
                    found,
                    &mut replaced,
                );
                failed =
                    lanes_of(mask).filter(|&lane| replaced.bits[lane] == 0).fold(0, |lanes, lane| lanes | 1 << lane);
                (Touch::AtomicWrite, true, faults)
            }
        };
        for lane in lanes_of(mask) {
            let step = match failed >> lane & 1 != 0 {
                true => {
                    let (touch, order) = (Touch::AtomicRead, Some(failure));
                    Step::Touch { segment, start: starts[lane], bytes, touch, order, both: false }
                }
                false => Step::Touch { segment, start: starts[lane], bytes, touch, order, both },
            };
            log.push(Event { thread: first + lane as u32, site, step });
        }
        reported.extend(faults.races.into_iter().map(|race| (site, race)));
    }
    (log, reported)
}

fn describe(log: &[Event]) -> String {
    log.iter().map(|event| format!("  thread {} site {}: {:?}\n", event.thread, event.site, event.step)).collect()
}

/// Everything that is reported is a race, and is reported once.
fn assert_sound(log: &[Event], reported: &[(u32, Race)], races: &[Found]) {
    let mut pairs = BTreeSet::new();
    for (site, race) in reported {
        let touch = |event: &Event| match event.step {
            Step::Touch { touch, .. } => Some(touch),
            _ => None,
        };
        let is_it = |&(earlier, later, segment, byte): &Found| {
            let (earlier, later) = (&log[earlier], &log[later]);
            (later.thread, later.site, touch(later)) == (race.thread, *site, Some(race.touch))
                && (earlier.thread, earlier.site) == (race.other_thread, race.other_site)
                && touch(earlier) == Some(race.other_touch)
                && (segment, byte as i64) == (race.place.segment, race.place.offset)
        };
        assert!(races.iter().any(is_it), "no race: site {site}: {race:?}\n{}", describe(log));
        assert!(pairs.insert((race.other_site.min(*site), race.other_site.max(*site))), "twice: {race:?}");
    }
}

/// The bytes of which the first race was not reported, and the number of those that have a race.
fn missed(log: &[Event], reported: &[(u32, Race)], races: &[Found]) -> (Vec<(Segment, u64)>, usize) {
    let bytes: BTreeSet<(bool, u64)> =
        races.iter().map(|&(_, _, segment, byte)| (segment == Segment::Local, byte)).collect();
    let segment_of = |local: bool| if local { Segment::Local } else { Segment::Global };
    let missed = bytes.iter().map(|&(local, byte)| (segment_of(local), byte)).filter(|&(segment, byte)| {
        let of_byte = || races.iter().filter(move |race| (race.2, race.3) == (segment, byte));
        let first = of_byte().map(|race| log[race.1].site).min();
        let partners: BTreeSet<u32> =
            of_byte().filter(|race| Some(log[race.1].site) == first).map(|race| log[race.0].site).collect();
        !reported.iter().any(|(site, race)| Some(*site) == first && partners.contains(&race.other_site))
    });
    (missed.collect(), bytes.len())
}

fn random_rules(random: &mut Random, free: bool) -> Rules {
    let subgroup = random.pick(&[1, 2, 2, 4]);
    let wave = subgroup * (1 + random.below(3) as u32);
    Rules { threads: 2 + random.below(if free { 3 } else { 9 }) as u32, wave, subgroup, free }
}

#[test]
fn the_first_race_of_each_byte_is_reported_and_nothing_else() {
    rounds(3000, |seed| {
        let mut random = Random(seed);
        let rules = random_rules(&mut random, false);
        let (log, reported) = random_run(&mut random, rules);
        let races = all_races(&log);
        assert_sound(&log, &reported, &races);
        let (missed, _) = missed(&log, &reported, &races);
        assert!(missed.is_empty(), "{rules:?}: missed {missed:?}; reported {reported:?}\n{}", describe(&log));
    });
}

#[test]
fn with_any_synchronisation_only_races_are_reported() {
    let (all, lost) = (std::cell::Cell::new(0), std::cell::Cell::new(0));
    rounds(3000, |seed| {
        let mut random = Random(seed);
        let rules = random_rules(&mut random, true);
        let (log, reported) = random_run(&mut random, rules);
        let races = all_races(&log);
        assert_sound(&log, &reported, &races);
        let (missed, bytes) = missed(&log, &reported, &races);
        all.set(all.get() + bytes);
        lost.set(lost.get() + missed.len());
    });
    assert!(is_one_seed() || all.get() > 1000, "there are races");
    assert!(lost.get() * 100 <= all.get(), "{} of {} races were missed", lost.get(), all.get());
}

/// What is done while a lock is held does not race.
#[test]
fn a_lock_orders_what_it_protects() {
    let mut global = GlobalMemory::new(1 << 20, true);
    let lock = global.allocate("lock", 4, Initial::Zero, false).expect("there is room");
    let data = global.allocate("data", 4, Initial::Zero, false).expect("there is room");
    for (release, expected) in [(Ordering::Release, 0), (Ordering::Monotonic, 1)] {
        let workgroup = Workgroup { number: 0, threads: 64, wave: 64, subgroup: 32, stack: 0, local: 0, races: true };
        let mut memory = Memory::new(&global, &workgroup);
        let word = Layout::scalar(32, 4);
        let mut races = Vec::new();
        for lane in 0..64 {
            let (mut found, mut replaced) = (Slot::default(), Slot::default());
            let at = |address: Address| Slot::splat(address.0);
            let failure = Synchronisation::of(Ordering::Monotonic);
            let acquire = Access::atomic(1, Ordering::Acquire);
            let (free, held) = (Slot::splat(0), Slot::splat(1));
            memory.compare_exchange(
                0,
                &word,
                &at(lock),
                &free,
                &held,
                1 << lane,
                acquire,
                failure,
                &mut found,
                &mut replaced,
            );
            assert_eq!(replaced.bits[lane], 1);
            let faults = memory.store(0, &word, &at(data), &[Slot::splat(lane as u64)], 1 << lane, Access::plain(2));
            races.extend(faults.races);
            memory.store(0, &word, &at(lock), &[free], 1 << lane, Access::atomic(3, release));
        }
        assert_eq!(races.len(), expected, "{release:?}");
    }
}

/// Threads that each have bytes of a word of their own do not race.
#[test]
fn neighbouring_bytes_do_not_race() {
    let global = GlobalMemory::new(0, true);
    let workgroup = Workgroup { number: 0, threads: 64, wave: 64, subgroup: 32, stack: 0, local: 1 << 10, races: true };
    let mut memory = Memory::new(&global, &workgroup);
    let tile = memory.allocate_local("tile", 64, 4).expect("there is room");
    let mut address = Slot::default();
    (0..64).for_each(|lane| address.bits[lane] = tile.0 + lane as u64);
    let value = [Slot::splat(1)];
    let all = u64::MAX;
    assert!(memory.store(0, &Layout::scalar(8, 1), &address, &value, all, Access::plain(1)).is_empty());
    // The next byte is another thread's, until the barrier.
    (0..64).for_each(|lane| address.bits[lane] = tile.0 + (lane as u64 ^ 1));
    let faults = memory.store(0, &Layout::scalar(8, 1), &address, &value, all, Access::plain(2));
    assert_eq!(faults.races.len(), 1);
    memory.barrier(&[all], Ordered { global: true, local: false });
    let faults = memory.store(0, &Layout::scalar(8, 1), &address, &value, all, Access::plain(3));
    assert!(faults.is_empty(), "each thread stored there last");
    memory.barrier(&[all], Ordered { global: false, local: true });
    (0..64).for_each(|lane| address.bits[lane] = tile.0 + (lane as u64 ^ 3));
    assert!(memory.store(0, &Layout::scalar(8, 1), &address, &value, all, Access::plain(4)).is_empty());
}

/// What a wave stores at once, to words that lie side by side, is remembered of each of its threads.
#[test]
fn each_word_of_a_row_knows_its_thread() {
    let mut global = GlobalMemory::new(1 << 20, true);
    let buffer = global.allocate("buffer", 4096, Initial::Zero, false).expect("there is room");
    let workgroup = Workgroup { number: 0, threads: 128, wave: 64, subgroup: 32, stack: 0, local: 0, races: true };
    let word = Layout::scalar(32, 4);
    // Aligned with everything, with nothing, and across the bounds of what the detector allocates at once.
    for start in [0u64, 7, 230] {
        let mut memory = Memory::new(&global, &workgroup);
        let mut row = Slot::default();
        (0..64).for_each(|lane| row.bits[lane] = buffer.0 + 4 * (start + lane as u64));
        let all = u64::MAX;
        // The second time the same is done again, and the third time other threads do it after a barrier.
        for (wave, site) in [(1, 1), (1, 2), (0, 3)] {
            if site == 3 {
                memory.barrier(&[all, all], Ordered { global: true, local: true });
            }
            let faults = memory.store(wave, &word, &row, &[Slot::splat(site)], all, Access::plain(site as u32));
            assert!(faults.is_empty(), "{faults:?}");
        }
        for lane in 0..64usize {
            let reader = lane ^ 1;
            let mut out = [Slot::default()];
            let (address, site) = (Slot::splat(row.bits[lane]), 100 + lane as u32);
            let faults = memory.load(0, &word, &address, 1 << reader, Access::plain(site), &mut out);
            let [race] = &faults.races[..] else { panic!("one race: {faults:?}") };
            assert_eq!((race.thread, race.touch), (reader as u32, Touch::Read));
            assert_eq!((race.other_thread, race.other_site, race.other_touch), (lane as u32, 3, Touch::Write));
            assert_eq!(
                (&race.place.name[..], race.place.bytes, race.place.offset as u64),
                ("buffer", 4096, 4 * (start + lane as u64))
            );
        }
    }
}
