//! A workgroup's memory as plain arrays of bytes: the definition that [`reconverge_exec::memory`] implements.

use std::collections::BTreeMap;

use reconverge_exec::memory::{
    Address, FaultKind, Faults, GlobalMemory, Initial, Layout, Memory, Part, Segment, Workgroup,
};
use reconverge_exec::value::{Lanes, Mask, Slot, WIDTH, low_bits};

use crate::memory::random::Random;

/// A byte with all that is known of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Byte {
    pub(crate) bits: u8,
    pub(crate) undefined: u8,
    pub(crate) poison: bool,
    pub(crate) written: bool,
}

pub(crate) const UNWRITTEN: Byte = Byte { bits: 0, undefined: 0xff, poison: false, written: false };

pub(crate) fn plain(bits: u8) -> Byte {
    Byte { bits, undefined: 0, poison: false, written: true }
}

pub(crate) struct Object {
    pub(crate) base: u64,
    pub(crate) segment: Segment,
    pub(crate) constant: bool,
    /// For private objects, the wave and the lane that it is of.
    pub(crate) owner: Option<(usize, usize)>,
    pub(crate) bytes: Vec<Byte>,
}

/// What is wrong with the accesses of one instruction, by kind.
pub(crate) type Wrong = BTreeMap<&'static str, Mask>;

pub(crate) struct Model {
    pub(crate) objects: Vec<Object>,
}

impl Model {
    /// The object that a range lies in, and where; or why it does not lie in one.
    pub(crate) fn find(
        &self,
        wave: usize,
        lane: usize,
        address: u64,
        length: u64,
        write: bool,
    ) -> Result<(usize, usize), &'static str> {
        if address.wrapping_add(255) < 511 {
            return Err("null");
        }
        match Address(address).segment() {
            None | Some(Segment::Function) => return Err("not memory"),
            Some(_) => {}
        }
        let mine = |object: &Object| object.owner.is_none_or(|owner| owner == (wave, lane));
        for (index, object) in self.objects.iter().enumerate().filter(|(_, object)| mine(object)) {
            let offset = address.wrapping_sub(object.base);
            if offset.checked_add(length).is_some_and(|end| end <= object.bytes.len() as u64) {
                return if write && object.constant { Err("constant") } else { Ok((index, offset as usize)) };
            }
        }
        Err("outside")
    }

    /// The components that a lane loads, as bits, `undef` bits and poison; and whether it reads what was never written.
    pub(crate) fn load(&self, at: (usize, usize), part: &Part) -> (u64, u64, bool, bool) {
        let start = at.1 + part.offset as usize;
        let bytes = &self.objects[at.0].bytes[start..start + part.bytes() as usize];
        let number = |of: fn(&Byte) -> u8| {
            bytes.iter().enumerate().fold(0, |bits, (index, byte)| bits | u64::from(of(byte)) << (8 * index))
        };
        let poison = bytes.iter().any(|byte| byte.poison);
        let unwritten = bytes.iter().any(|byte| !byte.written);
        let width = low_bits(part.bits);
        (number(|byte| byte.bits) & width, number(|byte| byte.undefined) & width, poison, unwritten)
    }

    pub(crate) fn store(&mut self, at: (usize, usize), part: &Part, slot: &Slot, lane: usize) {
        let start = at.1 + part.offset as usize;
        let poison = slot.poison >> lane & 1 != 0;
        let (bits, undefined) = (slot.bits[lane], slot.undefined_bits(lane));
        for index in 0..part.bytes() as usize {
            let byte = |bits: u64| if poison { 0 } else { (bits >> (8 * index)) as u8 };
            self.objects[at.0].bytes[start + index] =
                Byte { bits: byte(bits) & !byte(undefined), undefined: byte(undefined), poison, written: true };
        }
    }
}

/// By kind, in the words of the model.
pub(crate) fn wrong(faults: &Faults) -> Wrong {
    let mut wrong = Wrong::new();
    for fault in &faults.faults {
        let name = match fault.kind {
            FaultKind::Null => "null",
            FaultKind::OutOfBounds | FaultKind::Unallocated => "outside",
            FaultKind::NotMemory | FaultKind::OfAnotherWorkgroup => "not memory",
            FaultKind::NotAllocated => "not allocated",
            FaultKind::Constant => "constant",
            FaultKind::Misaligned => "misaligned",
            FaultKind::Uninitialised => "uninitialised",
        };
        *wrong.entry(name).or_default() |= fault.lanes;
    }
    wrong
}

pub(crate) const THREADS: u32 = 100;
pub(crate) const WORKGROUP: Workgroup =
    Workgroup { number: 0, threads: THREADS, wave: 64, subgroup: 32, stack: 1 << 16, local: 1 << 16, races: false };

/// Some global objects, and the same in a model.
pub(crate) fn random_global(random: &mut Random) -> (GlobalMemory, Model) {
    let mut global = GlobalMemory::new(1 << 20, random.percent(50));
    let mut objects = Vec::new();
    for index in 0..3 {
        let length = if random.percent(50) { 1 + random.below(40) } else { 512 + random.below(2000) };
        let contents: Vec<u8> = (0..random.below(length + 1)).map(|_| random.next() as u8).collect();
        let mut bytes: Vec<Byte> = contents.iter().copied().map(plain).collect();
        let initial = match random.below(3) {
            0 => Initial::Zero,
            1 => Initial::Uninitialised,
            _ => Initial::Bytes(&contents),
        };
        match initial {
            Initial::Zero => bytes = vec![plain(0); length],
            Initial::Uninitialised => bytes = vec![UNWRITTEN; length],
            Initial::Bytes(_) => bytes.resize(length, plain(0)),
        }
        let constant = index == 0;
        let base = global.allocate(&format!("g{index}"), length as u64, initial, constant).expect("there is room").0;
        objects.push(Object { base, segment: Segment::Global, constant, owner: None, bytes });
    }
    (global, Model { objects })
}

pub(crate) fn add_local(random: &mut Random, memory: &mut Memory<'_>, model: &mut Model) {
    for index in 0..2 {
        let length = if random.percent(50) { 1 + random.below(30) } else { 300 + random.below(1000) };
        let alignment = 1 << random.below(9);
        let base = memory.allocate_local(&format!("l{index}"), length as u64, alignment).expect("there is room").0;
        assert_eq!(base % alignment, 0);
        let bytes = vec![UNWRITTEN; length];
        model.objects.push(Object { base, segment: Segment::Local, constant: false, owner: None, bytes });
    }
}

/// A slot with random numbers of so many bits, some of which are not known.
pub(crate) fn random_slot(random: &mut Random, bits: u32) -> Slot {
    let mut slot = Slot::default();
    slot.bits.iter_mut().for_each(|number| *number = random.next() & low_bits(bits));
    if random.percent(20) {
        slot.poison = random.next() & random.next() & random.next();
    }
    if random.percent(20) {
        let mut undefined: Lanes = [0; WIDTH];
        for (number, undefined) in slot.bits.iter_mut().zip(&mut undefined) {
            *undefined = if random.percent(30) { random.next() & low_bits(bits) } else { 0 };
            *number &= !*undefined;
        }
        slot.undefined = Some(Box::new(undefined));
    }
    slot
}

/// The layout of some type, with the bits of its components.
pub(crate) fn random_layout(random: &mut Random) -> (Layout, Vec<u32>) {
    let list: &[(u64, u32)] = match random.below(12) {
        0 => &[(0, 1)],
        1 => &[(0, 8)],
        2 => &[(0, 16)],
        3 => &[(0, 20)],
        4 => &[(0, 24)],
        5 | 6 => &[(0, 32)],
        7 => &[(0, 64)],
        8 => &[(0, 64), (8, 64)],
        9 => &[(0, 32), (4, 32), (8, 32), (12, 32)],
        10 => &[(0, 8), (1, 8), (2, 8), (3, 8)],
        // A struct with padding, and a hole at an odd place.
        _ => &[(0, 8), (4, 32), (8, 48), (15, 16)],
    };
    let parts = list.iter().enumerate();
    let parts = parts.map(|(component, &(offset, bits))| Part { component, offset, bits, pointer: false });
    let alignment = if random.percent(70) { 1 } else { 1 << random.below(5) };
    (Layout::new(parts.collect(), alignment), list.iter().map(|&(_, bits)| bits).collect())
}

/// An address for each lane: of one place, in steps, or anywhere; now and then outside of everything.
pub(crate) fn random_addresses(random: &mut Random, model: &Model, wave: usize, extent: u64) -> Slot {
    let mut slot = Slot::default();
    let anywhere = |random: &mut Random, lane: usize| {
        if random.percent(1) {
            return random.pick(&[0, 9, Address::function(3).0, 0x7700_0000_0000_0000, u64::MAX - 3]);
        }
        let mine = |object: &&Object| object.owner.is_none_or(|owner| owner == (wave, lane));
        let mine: Vec<&Object> = model.objects.iter().filter(mine).collect();
        let object = random.pick(&mine);
        let length = object.bytes.len() as u64;
        let offset = if random.percent(95) && length >= extent {
            random.next() % (length - extent + 1)
        } else {
            (random.next() % (length + 16)).wrapping_sub(8)
        };
        let offset = if random.percent(70) { offset & !3 } else { offset };
        object.base.wrapping_add(offset)
    };
    match random.below(5) {
        0 => {
            let lane = random.below(WIDTH);
            slot.bits = [anywhere(random, lane); WIDTH];
        }
        1 => {
            let lane = random.below(WIDTH);
            let step = random.pick(&[1, 2, 3, 4, 4, 4, 8, 16, 17, extent, u64::MAX - 3]);
            let mut address = anywhere(random, lane);
            for number in &mut slot.bits {
                *number = address;
                address = address.wrapping_add(step);
            }
        }
        2 => {
            // Anywhere in one object.
            let mine = |object: &&Object| object.owner.is_none_or(|owner| owner == (wave, 0));
            let mine: Vec<&Object> = model.objects.iter().filter(mine).collect();
            let object = random.pick(&mine);
            let room = (object.bytes.len() as u64).saturating_sub(extent) + 1;
            let whole = random.percent(80);
            for number in &mut slot.bits {
                let offset = random.next() % room;
                *number = object.base + if whole { offset & !3 } else { offset };
            }
        }
        3 => {
            // Steps with an exception.
            let mut address = anywhere(random, 0);
            for number in &mut slot.bits {
                *number = address;
                address = address.wrapping_add(4);
            }
            let lane = random.below(WIDTH);
            slot.bits[lane] = anywhere(random, lane);
        }
        _ => {
            for lane in 0..WIDTH {
                slot.bits[lane] = anywhere(random, lane);
            }
        }
    }
    slot
}

/// A set of lanes of a wave.
pub(crate) fn random_mask(random: &mut Random, wave: usize) -> Mask {
    let all = low_bits((THREADS - 64 * wave as u32).min(64));
    match random.below(5) {
        0 | 1 => all,
        2 => 1 << random.below(36),
        3 => all & random.next(),
        _ => all & low_bits(1 + random.below(64) as u32),
    }
}

/// Compares a lane of what was loaded.
pub(crate) fn assert_lane(slot: &Slot, lane: usize, expected: (u64, u64, bool), what: &str) {
    let (bits, undefined, poison) = expected;
    let found = (slot.poison >> lane & 1 != 0, slot.undefined_bits(lane), slot.bits[lane]);
    match poison {
        true => assert!(found.0, "{what}: lane {lane} is to be poison"),
        false => assert_eq!(found, (false, undefined, bits & !undefined), "{what}: lane {lane}: poison, undef, bits"),
    }
}
