//! Atomic accesses: `atomicrmw`, `cmpxchg`, and loads and stores that are atomic.
//!
//! Of a word or less they are one exchange of the word. What is wider, or lies across words, is done while a lock is held that all
//! such accesses to the place take. Private memory, and local memory within its workgroup, need neither.

use reconverge_ir::opcode::RmwOperation;

use super::access::Place;
use super::chunk::{Chunk, flags};
use super::fault::{FaultKind, Faults, Touch};
use super::layout::Part;
use super::rmw::read_modify_write;
use super::{Access, Layout, Memory, Synchronisation};
use crate::value::{Mask, Scalar, Slot, lanes_of, low_bits};

impl Memory<'_> {
    /// Replaces what the lanes find by what is made of it and an operand, one lane after the other, and answers what they found. The
    /// layout has at most eight bytes; each of its components is of the given type. A lane whose access is prevented finds 0.
    #[allow(clippy::too_many_arguments, reason = "the operands of the instruction, and who executes it")]
    pub fn atomic_rmw(
        &mut self,
        wave: usize,
        operation: RmwOperation,
        scalar: Scalar,
        layout: &Layout,
        address: &Slot,
        operands: &[Slot],
        mask: Mask,
        access: Access,
        out: &mut [Slot],
    ) -> Faults {
        if let Some(faults) =
            self.atomic_rmw_wave(wave, operation, scalar, layout, address, operands, mask, access, out)
        {
            return faults;
        }
        let mut faults = Faults::default();
        for lane in lanes_of(mask) {
            let at = address.bits[lane];
            let Some(place) = self.locate(wave, lane, at, layout, true, &mut faults) else {
                layout.parts().iter().for_each(|part| Chunk::default().into_lane(&mut out[part.component], lane, 64));
                continue;
            };
            self.acquire(wave, lane, place, access.atomic);
            let global = self.global;
            let old = self.update(wave, lane, place, layout.extent() as u32, |old| {
                let parts = layout.parts().iter();
                Some(parts.fold(old, |chunk, part| {
                    let operand =
                        stored(&operands[part.component], lane, part, |bits| global.to_integer(bits, part.bits));
                    insert(chunk, part, combine(operation, scalar, extract(old, part), operand, part.bytes()))
                }))
            });
            self.answer(wave, lane, layout, at, old, out, &mut faults);
            self.note(wave, lane, place, layout, Touch::AtomicWrite, access, &mut faults);
            self.release(wave, lane, place, access.atomic, true);
        }
        faults
    }

    /// Replaces what the lanes find where it is what they expect, one lane after the other. Answers what they found, and 1 where it
    /// was replaced. `failure` is what an access orders that replaces nothing. What is found and is `undef` is not what is expected.
    #[allow(clippy::too_many_arguments, reason = "the operands of the instruction, and who executes it")]
    pub fn compare_exchange(
        &mut self,
        wave: usize,
        layout: &Layout,
        address: &Slot,
        expected: &Slot,
        replacement: &Slot,
        mask: Mask,
        access: Access,
        failure: Synchronisation,
        found: &mut Slot,
        replaced: &mut Slot,
    ) -> Faults {
        let mut faults = Faults::default();
        let Some(part) = layout.parts().first() else { return faults };
        for lane in lanes_of(mask) {
            let at = address.bits[lane];
            let Some(place) = self.locate(wave, lane, at, layout, true, &mut faults) else {
                Chunk::default().into_lane(found, lane, 64);
                Chunk::default().into_lane(replaced, lane, 1);
                continue;
            };
            let global = self.global;
            let narrow = |bits| global.to_integer(bits, part.bits);
            let wanted = stored(expected, lane, part, narrow);
            let new = stored(replacement, lane, part, narrow);
            let mut success = false;
            let old = self.update(wave, lane, place, part.bytes(), |old| {
                success = old.is_plain() && wanted.is_plain() && old.bits == wanted.bits;
                success.then_some(new)
            });
            let (touch, order) = match success {
                true => (Touch::AtomicWrite, access.atomic),
                false => (Touch::AtomicRead, access.atomic.map(|_| failure)),
            };
            self.acquire(wave, lane, place, order);
            self.answer(wave, lane, layout, at, old, std::slice::from_mut(found), &mut faults);
            // Whether it was replaced is not known where what decides it is not.
            let known = Chunk { bits: u64::from(success), ..Chunk::default() };
            let outcome = match (old.poison | wanted.poison, old.undefined | wanted.undefined) {
                (0, 0) => known,
                (0, _) => Chunk { undefined: 1, ..Chunk::default() },
                _ => Chunk { poison: 1, ..Chunk::default() },
            };
            outcome.into_lane(replaced, lane, 1);
            self.note(wave, lane, place, layout, touch, access, &mut faults);
            if success {
                self.release(wave, lane, place, order, true);
            }
        }
        faults
    }

    /// Gives a lane what it found.
    #[allow(clippy::too_many_arguments, reason = "what was found, by whom and where")]
    fn answer(
        &self,
        wave: usize,
        lane: usize,
        layout: &Layout,
        address: u64,
        old: Chunk,
        out: &mut [Slot],
        faults: &mut Faults,
    ) {
        for part in layout.parts() {
            let global = self.global;
            loaded(extract(old, part), part, |bits| global.from_integer(bits, part.bits)).into_lane(
                &mut out[part.component],
                lane,
                if part.pointer { 64 } else { part.bits },
            );
        }
        if old.unwritten != 0 {
            let object = self.describe(wave, lane, address.wrapping_add(old.unwritten.trailing_zeros().into()));
            faults.add(lane, FaultKind::Uninitialised, address, layout.extent(), object);
        }
    }

    /// Replaces one to eight bytes by what is made of them, unless that is nothing; answers what they were.
    fn update(
        &mut self,
        wave: usize,
        lane: usize,
        place: Place,
        bytes: u32,
        mut make: impl FnMut(Chunk) -> Option<Chunk>,
    ) -> Chunk {
        let global = self.global;
        let _held = match place {
            Place::Global { object, offset } if offset % 4 + u64::from(bytes) <= 4 => {
                return global.objects[object].update(offset, bytes, make);
            }
            Place::Global { object, offset } => global.lock(object, offset),
            _ => None,
        };
        let old = self.read(wave, lane, place, bytes);
        if let Some(new) = make(old) {
            self.write(wave, lane, place, bytes, new);
        }
        old
    }
}

/// What is stored of a component in a lane.
pub(super) fn stored(slot: &Slot, lane: usize, part: &Part, narrow: impl Fn(u64) -> u64) -> Chunk {
    let mut chunk = Chunk::of_lane(slot, lane, part.bytes());
    if part.pointer && part.bits < 64 && chunk.is_plain() {
        chunk.bits = narrow(chunk.bits);
    }
    chunk
}

/// What is loaded of a component.
pub(super) fn loaded(chunk: Chunk, part: &Part, widen: impl Fn(u64) -> u64) -> Chunk {
    match part.pointer && part.bits < 64 && chunk.is_plain() {
        true => Chunk::plain(widen(chunk.bits)),
        false => chunk,
    }
}

/// The bytes of a component.
fn extract(chunk: Chunk, part: &Part) -> Chunk {
    let (shift, bits) = (8 * part.offset, low_bits(8 * part.bytes()));
    Chunk {
        bits: chunk.bits >> shift & bits,
        undefined: chunk.undefined >> shift & bits,
        poison: chunk.poison >> part.offset & flags(part.bytes()),
        unwritten: chunk.unwritten >> part.offset & flags(part.bytes()),
    }
}

/// Replaces the bytes of a component.
fn insert(chunk: Chunk, part: &Part, new: Chunk) -> Chunk {
    let (shift, bits, flags) = (8 * part.offset, low_bits(8 * part.bytes()) << (8 * part.offset), flags(part.bytes()));
    Chunk {
        bits: chunk.bits & !bits | new.bits << shift,
        undefined: chunk.undefined & !bits | new.undefined << shift,
        poison: chunk.poison & !(flags << part.offset) | new.poison << part.offset,
        unwritten: chunk.unwritten & !(flags << part.offset),
    }
}

/// What an `atomicrmw` stores, if not all is known of what it needs.
fn combine(operation: RmwOperation, scalar: Scalar, old: Chunk, operand: Chunk, bytes: u32) -> Chunk {
    if operation == RmwOperation::Xchg {
        operand
    } else if old.poison | operand.poison != 0 {
        Chunk { poison: flags(bytes), ..Chunk::default() }
    } else if old.undefined | operand.undefined != 0 {
        Chunk { undefined: low_bits(8 * bytes), ..Chunk::default() }
    } else {
        Chunk::plain(read_modify_write(operation, scalar, old.bits, operand.bits))
    }
}
