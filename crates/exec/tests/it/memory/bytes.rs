//! Loads, stores, copies, fills and stacks against arrays of bytes, in all segments.

use reconverge_exec::memory::{Access, Memory, Segment};
use reconverge_exec::value::{Slot, WIDTH, lanes_of};
use reconverge_ir::opcode::Ordering;

use crate::memory::model::{
    Byte, Model, Object, UNWRITTEN, WORKGROUP, Wrong, add_local, assert_lane, random_addresses, random_global,
    random_layout, random_mask, random_slot, wrong,
};
use crate::memory::random::{Random, rounds};

struct Run<'a> {
    random: Random,
    memory: Memory<'a>,
    model: Model,
    /// For each wave, the stack pointers before each of the frames that are open.
    frames: [Vec<[u64; WIDTH]>; 2],
}

impl Run<'_> {
    fn access(&mut self) -> Access {
        let site = self.random.next() as u32 % 8;
        match self.random.percent(80) {
            true => Access::plain(site),
            false => Access::atomic(site, self.random.pick(&[Ordering::Monotonic, Ordering::SeqCst])),
        }
    }

    fn note(wrong: &mut Wrong, name: &'static str, lane: usize) {
        *wrong.entry(name).or_default() |= 1 << lane;
    }

    fn load(&mut self, wave: usize) {
        let (layout, bits) = random_layout(&mut self.random);
        let address = random_addresses(&mut self.random, &self.model, wave, layout.extent());
        let mask = random_mask(&mut self.random, wave);
        // What was in the slots before does not show.
        let mut out: Vec<Slot> = bits.iter().map(|_| random_slot(&mut self.random, 64)).collect();
        let access = self.access();
        let faults = self.memory.load(wave, &layout, &address, mask, access, &mut out);
        let mut expected = Wrong::new();
        for lane in lanes_of(mask) {
            let at = address.bits[lane];
            match self.model.find(wave, lane, at, layout.extent(), false) {
                Err(name) => {
                    Self::note(&mut expected, name, lane);
                    out.iter().for_each(|slot| assert_lane(slot, lane, (0, 0, false), "refused load"));
                }
                Ok(place) => {
                    for (part, slot) in layout.parts().iter().zip(&out) {
                        let (bits, undefined, poison, unwritten) = self.model.load(place, part);
                        assert_lane(slot, lane, (bits, undefined, poison), "load");
                        if unwritten {
                            Self::note(&mut expected, "uninitialised", lane);
                        }
                    }
                    if !at.is_multiple_of(layout.alignment()) {
                        Self::note(&mut expected, "misaligned", lane);
                    }
                }
            }
        }
        assert_eq!(wrong(&faults), expected, "faults of a load");
    }

    fn store(&mut self, wave: usize) {
        let (layout, bits) = random_layout(&mut self.random);
        let address = random_addresses(&mut self.random, &self.model, wave, layout.extent());
        let mask = random_mask(&mut self.random, wave);
        let values: Vec<Slot> = bits.iter().map(|&bits| random_slot(&mut self.random, bits)).collect();
        let access = self.access();
        let faults = self.memory.store(wave, &layout, &address, &values, mask, access);
        let mut expected = Wrong::new();
        for lane in lanes_of(mask) {
            let at = address.bits[lane];
            match self.model.find(wave, lane, at, layout.extent(), true) {
                Err(name) => Self::note(&mut expected, name, lane),
                Ok(place) => {
                    for part in layout.parts() {
                        self.model.store(place, part, &values[part.component], lane);
                    }
                    if !at.is_multiple_of(layout.alignment()) {
                        Self::note(&mut expected, "misaligned", lane);
                    }
                }
            }
        }
        assert_eq!(wrong(&faults), expected, "faults of a store");
    }

    fn copy(&mut self, wave: usize) {
        let lengths = self.lengths();
        let source = random_addresses(&mut self.random, &self.model, wave, 40);
        let mut destination = random_addresses(&mut self.random, &self.model, wave, 40);
        if self.random.percent(50) {
            // Ranges that overlap.
            for lane in 0..WIDTH {
                let shift = self.random.next() % 24;
                destination.bits[lane] = source.bits[lane].wrapping_add(shift).wrapping_sub(12);
            }
        }
        let mask = random_mask(&mut self.random, wave);
        let faults = self.memory.copy(wave, &destination, &source, &lengths, mask, Access::plain(1));
        let mut expected = Wrong::new();
        for lane in lanes_of(mask).filter(|&lane| lengths.bits[lane] != 0) {
            let length = lengths.bits[lane];
            let from = self.model.find(wave, lane, source.bits[lane], length, false);
            let to = self.model.find(wave, lane, destination.bits[lane], length, true);
            [from, to].into_iter().filter_map(Result::err).for_each(|name| Self::note(&mut expected, name, lane));
            if let (Ok(from), Ok(to)) = (from, to) {
                let bytes = self.model.objects[from.0].bytes[from.1..from.1 + length as usize].to_vec();
                self.model.objects[to.0].bytes[to.1..to.1 + length as usize].copy_from_slice(&bytes);
            }
        }
        assert_eq!(wrong(&faults), expected, "faults of a copy");
    }

    fn set(&mut self, wave: usize) {
        let lengths = self.lengths();
        let address = random_addresses(&mut self.random, &self.model, wave, 40);
        let byte = random_slot(&mut self.random, 8);
        let mask = random_mask(&mut self.random, wave);
        let faults = self.memory.set(wave, &address, &byte, &lengths, mask, Access::plain(1));
        let mut expected = Wrong::new();
        for lane in lanes_of(mask).filter(|&lane| lengths.bits[lane] != 0) {
            let length = lengths.bits[lane];
            match self.model.find(wave, lane, address.bits[lane], length, true) {
                Err(name) => Self::note(&mut expected, name, lane),
                Ok(to) => {
                    let poison = byte.poison >> lane & 1 != 0;
                    let undefined = if poison { 0 } else { byte.undefined_bits(lane) as u8 };
                    let bits = if poison { 0 } else { byte.bits[lane] as u8 };
                    self.model.objects[to.0].bytes[to.1..to.1 + length as usize].fill(Byte {
                        bits,
                        undefined,
                        poison,
                        written: true,
                    });
                }
            }
        }
        assert_eq!(wrong(&faults), expected, "faults of a fill");
    }

    fn forget(&mut self, wave: usize) {
        let length = self.random.next() % 40;
        let address = random_addresses(&mut self.random, &self.model, wave, length);
        let mask = random_mask(&mut self.random, wave);
        self.memory.forget(wave, &address, length, mask);
        for lane in lanes_of(mask) {
            if let Ok(to) = self.model.find(wave, lane, address.bits[lane], length, true) {
                self.model.objects[to.0].bytes[to.1..to.1 + length as usize].fill(UNWRITTEN);
            }
        }
    }

    fn lengths(&mut self) -> Slot {
        let mut lengths = Slot::default();
        let all = self.random.next() % 48;
        let same = self.random.percent(50);
        lengths.bits.iter_mut().for_each(|length| *length = if same { all } else { self.random.next() % 48 });
        lengths
    }

    /// Enters a function, or makes an `alloca` in one, or returns.
    fn stack(&mut self, wave: usize) {
        match self.random.below(3) {
            0 => self.frames[wave].push(self.memory.stack_pointers(wave)),
            1 => {
                if let Some(stack_pointers) = self.frames[wave].pop() {
                    let mask = random_mask(&mut self.random, wave);
                    self.memory.release_private(wave, mask, &stack_pointers);
                    self.model.objects.retain(|object| match object.owner {
                        Some((of, lane)) if of == wave && mask >> lane & 1 != 0 => object.base < stack_pointers[lane],
                        _ => true,
                    });
                }
            }
            _ => {
                let mask = random_mask(&mut self.random, wave);
                let length = self.random.next() % self.random.pick(&[9, 40, 400]);
                let alignment = 1 << self.random.below(8);
                match self.memory.allocate_private(wave, mask, length, alignment, 3) {
                    Err(_) => assert!(self.memory.stack_pointers(wave).iter().any(|top| top & 0xffff > 0xf000)),
                    Ok(base) => {
                        assert_eq!(base.0 % alignment, 0);
                        self.model.objects.extend(lanes_of(mask).map(|lane| Object {
                            base: base.0,
                            segment: Segment::Private,
                            constant: false,
                            owner: Some((wave, lane)),
                            bytes: vec![UNWRITTEN; length as usize],
                        }));
                    }
                }
            }
        }
    }
}

#[test]
fn memory_is_an_array_of_bytes() {
    rounds(60, |seed| {
        let mut random = Random(seed);
        let (global, mut model) = random_global(&mut random);
        let workgroup = reconverge_exec::memory::Workgroup { races: random.percent(30), ..WORKGROUP };
        let mut memory = Memory::new(&global, &workgroup);
        add_local(&mut random, &mut memory, &mut model);
        let mut run = Run { random, memory, model, frames: [Vec::new(), Vec::new()] };
        for _ in 0..3 {
            for _ in 0..120 {
                let wave = run.random.below(2);
                match run.random.below(16) {
                    0..5 => run.load(wave),
                    5..10 => run.store(wave),
                    10 => run.copy(wave),
                    11 => run.set(wave),
                    12 => run.forget(wave),
                    _ => run.stack(wave),
                }
            }
            // The next workgroup.
            run.memory.restart();
            run.frames = [Vec::new(), Vec::new()];
            run.model.objects.retain(|object| object.owner.is_none());
            let local = run.model.objects.iter_mut().filter(|object| object.segment == Segment::Local);
            local.for_each(|object| object.bytes.fill(UNWRITTEN));
        }
        for object in run.model.objects.iter().filter(|object| object.segment == Segment::Global) {
            let bytes: Vec<u8> = object.bytes.iter().map(|byte| byte.bits).collect();
            assert_eq!(global.bytes(reconverge_exec::memory::Address(object.base)), bytes, "what is read back");
        }
    });
}
