//! Copying and filling ranges of bytes: `llvm.memcpy`, `llvm.memmove`, `llvm.memset`, and the start of a lifetime.

use super::access::Place;
use super::chunk::{Chunk, flags};
use super::fault::{FaultKind, Faults, Touch};
use super::{Access, Memory};
use crate::value::{Mask, Slot, lanes_of};

impl Memory<'_> {
    /// Copies so many bytes as if through a buffer, so that the ranges may overlap. What is `undef`, poison or unwritten stays so.
    /// A length of 0 touches nothing, wherever the addresses lead.
    #[allow(clippy::too_many_arguments, reason = "the operands of the instruction, and who executes it")]
    pub fn copy(
        &mut self,
        wave: usize,
        destination: &Slot,
        source: &Slot,
        lengths: &Slot,
        mask: Mask,
        access: Access,
    ) -> Faults {
        let mut faults = Faults::default();
        for lane in lanes_of(mask).filter(|&lane| lengths.bits[lane] != 0) {
            let length = lengths.bits[lane];
            let from = self.range(wave, lane, source.bits[lane], length, false, &mut faults);
            let to = self.range(wave, lane, destination.bits[lane], length, true, &mut faults);
            let (Some(from), Some(to)) = (from, to) else { continue };
            let backwards = starts_inside(to, from, length);
            let steps = length.div_ceil(8);
            for step in 0..steps {
                let start = 8 * if backwards { steps - 1 - step } else { step };
                let bytes = (length - start).min(8) as u32;
                let chunk = self.read(wave, lane, from.plus(start), bytes);
                self.write(wave, lane, to.plus(start), bytes, chunk);
            }
            self.note_bytes(wave, lane, from, length, Touch::Read, access, &mut faults);
            self.note_bytes(wave, lane, to, length, Touch::Write, access, &mut faults);
        }
        faults
    }

    /// Stores a byte so many times.
    pub fn set(
        &mut self,
        wave: usize,
        destination: &Slot,
        byte: &Slot,
        lengths: &Slot,
        mask: Mask,
        access: Access,
    ) -> Faults {
        let mut faults = Faults::default();
        for lane in lanes_of(mask).filter(|&lane| lengths.bits[lane] != 0) {
            let length = lengths.bits[lane];
            let Some(to) = self.range(wave, lane, destination.bits[lane], length, true, &mut faults) else { continue };
            let one = Chunk::of_lane(byte, lane, 1);
            let repeated = Chunk {
                bits: one.bits * 0x0101_0101_0101_0101,
                undefined: one.undefined * 0x0101_0101_0101_0101,
                poison: if one.poison != 0 { flags(8) } else { 0 },
                unwritten: 0,
            };
            self.fill(wave, lane, to, length, repeated);
            self.note_bytes(wave, lane, to, length, Touch::Write, access, &mut faults);
        }
        faults
    }

    /// Makes bytes unwritten. Ranges that are not wholly inside an object are left alone.
    pub fn forget(&mut self, wave: usize, address: &Slot, length: u64, mask: Mask) {
        for lane in lanes_of(mask).filter(|_| length != 0) {
            if let Ok(place) = self.resolve(wave, lane, address.bits[lane], length, true) {
                self.fill(wave, lane, place, length, Chunk::unwritten(8));
            }
        }
    }

    fn fill(&mut self, wave: usize, lane: usize, to: Place, length: u64, chunk: Chunk) {
        for start in (0..length).step_by(8) {
            self.write(wave, lane, to.plus(start), (length - start).min(8) as u32, chunk);
        }
    }

    fn range(
        &self,
        wave: usize,
        lane: usize,
        address: u64,
        length: u64,
        write: bool,
        faults: &mut Faults,
    ) -> Option<Place> {
        let found = self.resolve(wave, lane, address, length, write);
        found.map_err(|(kind, object): (FaultKind, _)| faults.add(lane, kind, address, length, object)).ok()
    }
}

/// Whether the one place is behind the start of a range at the other, and inside it.
fn starts_inside(one: Place, other: Place, length: u64) -> bool {
    let distance = match (one, other) {
        (Place::Global { object, offset }, Place::Global { object: other, offset: start }) if object == other => {
            offset.checked_sub(start)
        }
        (Place::Local { object, offset }, Place::Local { object: other, offset: start }) if object == other => {
            offset.checked_sub(start)
        }
        (Place::Private { low }, Place::Private { low: start }) => low.checked_sub(start).map(u64::from),
        _ => None,
    };
    distance.is_some_and(|distance| distance < length)
}
