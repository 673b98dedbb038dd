//! Accesses of a whole wave to one object, which most are: what is the same for all lanes is done once.
//!
//! These do what [`access`](super::access) does lane by lane, where nothing is wrong with the access, it is not atomic and all that it moves
//! is known; else they say so before anything is stored, and leave it to the other.

use std::sync::atomic::Ordering::Relaxed;

use reconverge_ir::opcode::RmwOperation;

use super::access::Place;
use super::address::{Address, PRIVATE_START, Parts};
use super::chunk::Chunk;
use super::fault::{Faults, Touch};
use super::object::{Object, pieces};
use super::private::{PrivateMemory, row_of};
use super::rmw::read_modify_write;
use super::{Access, Layout, Memory};
use crate::value::{Lanes, Mask, Scalar, Slot, WIDTH, lanes_of, low_bits};

/// With so few lanes it is better to do one after the other.
const FEW: u32 = 4;

/// Where lanes access an object.
pub(super) struct Offsets<'a> {
    /// How many bytes from its start the lowest lane of the mask does.
    pub(super) first: u64,
    /// How many bytes each lane is behind the one below it, if that is 0, or the same for all 64.
    step: Option<u64>,
    /// Whether all are multiples of four.
    pub(super) words: bool,
    address: &'a Lanes,
    /// The address of the start.
    base: u64,
}

impl Offsets<'_> {
    /// The offsets of addresses from `base`; `None` if one is more than `room`, or not a multiple of `alignment`.
    fn new(address: &Lanes, mask: Mask, base: u64, room: u64, alignment: u64) -> Option<Offsets<'_>> {
        let first = address[mask.trailing_zeros() as usize % WIDTH].wrapping_sub(base);
        let step = steady(address, mask);
        // The top bit of `beyond` is set if an offset is more than the room, which has no such bit.
        let beyond = |offset: u64| room.wrapping_sub(offset) | offset;
        let (mut outside, mut any) = (beyond(first), first);
        let mut add = |address: u64| {
            let offset = address.wrapping_sub(base);
            outside |= beyond(offset);
            any |= offset;
        };
        match step {
            Some(0) => {}
            // What is between the two ends is inside if they are, unless the steps go round the whole of memory.
            Some(step) => {
                if (step as i64).unsigned_abs() > room {
                    return None;
                }
                (address[..2].iter().chain(&address[WIDTH - 1..])).for_each(|&address| add(address));
            }
            None if mask == Mask::MAX => address.iter().for_each(|&address| add(address)),
            None => lanes_of(mask).for_each(|lane| add(address[lane])),
        }
        let inside = outside >> 63 == 0 && any & (alignment - 1) == 0;
        inside.then_some(Offsets { first, step, words: any % 4 == 0, address, base })
    }

    /// The offset of a lane of the mask.
    pub(super) fn of(&self, lane: usize) -> u64 {
        self.address[lane].wrapping_sub(self.base)
    }

    /// Whether all are the same.
    pub(super) fn same(&self) -> bool {
        self.step == Some(0)
    }

    /// Whether each lane is four bytes behind the one below it, and that for all 64.
    pub(super) fn consecutive(&self) -> bool {
        self.step == Some(4)
    }

    /// Whether some lanes may access bytes of which others access another part.
    fn may_overlap(&self, extent: u64) -> bool {
        self.step.is_none_or(|step| step != 0 && (step as i64).unsigned_abs() < extent)
    }
}

/// How much more each lane has than the one below it, if all of a mask have the same, or if that is the same for all 64.
fn steady(address: &Lanes, mask: Mask) -> Option<u64> {
    let mut other = 0;
    if mask == Mask::MAX {
        let step = address[1].wrapping_sub(address[0]);
        let mut expected = address[0];
        for &address in address {
            other |= address ^ expected;
            expected = expected.wrapping_add(step);
        }
        (other == 0).then_some(step)
    } else {
        let first = address[mask.trailing_zeros() as usize % WIDTH];
        for (lane, address) in address.iter().enumerate() {
            other |= (address ^ first) & 0u64.wrapping_sub(mask >> lane & 1);
        }
        (other == 0).then_some(0)
    }
}

/// The object that all lanes of an access have in common.
#[derive(Clone, Copy)]
enum Common {
    Global(usize),
    Local(usize),
    Private { start: u32 },
}

impl Memory<'_> {
    /// Loads for all lanes at once, if that can be done.
    pub(super) fn load_wave(
        &mut self,
        wave: usize,
        layout: &Layout,
        address: &Slot,
        mask: Mask,
        access: Access,
        out: &mut [Slot],
    ) -> Option<Faults> {
        if access.atomic.is_some() {
            return None;
        }
        let (common, offsets) = self.common(wave, layout, address, mask, false)?;
        for part in layout.parts() {
            let slot = &mut out[part.component];
            match common {
                Common::Private { start } => {
                    let private = &self.private[wave];
                    private.load_lanes(start + part.offset as u32, &offsets, mask, part.bytes(), &mut slot.bits)?;
                }
                _ => {
                    self.common_object(common)?.load_lanes(&offsets, mask, part.offset, part.bytes(), &mut slot.bits)?
                }
            }
            if part.bits % 8 != 0 {
                slot.bits.iter_mut().for_each(|bits| *bits &= low_bits(part.bits));
            }
            slot.poison = 0;
            slot.undefined = None;
        }
        Some(self.note_common(wave, common, &offsets, mask, layout, Touch::Read, access))
    }

    /// Stores for all lanes at once, if that can be done.
    pub(super) fn store_wave(
        &mut self,
        wave: usize,
        layout: &Layout,
        address: &Slot,
        values: &[Slot],
        mask: Mask,
        access: Access,
    ) -> Option<Faults> {
        if access.atomic.is_some() || !layout.parts().iter().all(|part| is_known(&values[part.component], mask)) {
            return None;
        }
        let (common, offsets) = self.common(wave, layout, address, mask, true)?;
        // Where lanes overlap, all that an upper one stores comes after all that a lower one does.
        if layout.parts().len() > 1 && offsets.may_overlap(layout.extent()) {
            for lane in lanes_of(mask) {
                self.store_common(wave, common, &offsets, layout, values, 1 << lane);
            }
        } else {
            self.store_common(wave, common, &offsets, layout, values, mask);
        }
        Some(self.note_common(wave, common, &offsets, mask, layout, Touch::Write, access))
    }

    fn store_common(
        &mut self,
        wave: usize,
        common: Common,
        offsets: &Offsets<'_>,
        layout: &Layout,
        values: &[Slot],
        mask: Mask,
    ) {
        for part in layout.parts() {
            let values = &values[part.component].bits;
            if let Common::Private { start } = common {
                let private = &mut self.private[wave];
                private.store_lanes(start + part.offset as u32, offsets, part.bytes(), values, mask);
            } else if let Some(object) = self.common_object(common) {
                object.store_lanes(offsets, part.offset, part.bytes(), values, mask);
            }
        }
    }

    /// Replaces words by what is made of them and of operands, if that can be done for all lanes without asking what is known.
    #[allow(clippy::too_many_arguments, reason = "the operands of the instruction, and who executes it")]
    pub(super) fn atomic_rmw_wave(
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
    ) -> Option<Faults> {
        let orders = self.orders(access.atomic);
        let [part] = layout.parts() else { return None };
        if part.bits != 32 || orders || !is_known(&operands[part.component], mask) {
            return None;
        }
        let (common, offsets) = self.common(wave, layout, address, mask, true)?;
        let object = self.common_object(common).filter(|_| offsets.words && part.offset == 0)?;
        let word = |lane: usize| (offsets.of(lane) / 4) as usize;
        if !object.is_plain() && !lanes_of(mask).all(|lane| object.word_is_plain(word(lane))) {
            return None;
        }
        let (operands, slot) = (&operands[part.component].bits, &mut out[part.component]);
        for lane in lanes_of(mask) {
            object.replace(word(lane), |old| {
                slot.bits[lane] = old.into();
                read_modify_write(operation, scalar, old.into(), operands[lane]) as u32
            });
        }
        slot.poison = 0;
        slot.undefined = None;
        Some(self.note_common(wave, common, &offsets, mask, layout, Touch::AtomicWrite, access))
    }

    /// What all lanes of an access have in common, if all is well with it.
    fn common<'s>(
        &self,
        wave: usize,
        layout: &Layout,
        address: &'s Slot,
        mask: Mask,
        write: bool,
    ) -> Option<(Common, Offsets<'s>)> {
        if mask.count_ones() < FEW || layout.has_narrow_pointers() {
            return None;
        }
        let (common, base, bytes) = match Address(address.bits[mask.trailing_zeros() as usize]).parts() {
            Parts::Global { object: index, .. } => {
                let object = self.global.objects.get(index).filter(|object| !(write && object.constant))?;
                (Common::Global(index), Address::global(index, 0), object.bytes)
            }
            Parts::Local(low) => {
                let (object, _) = self.nearest_local(address.bits[mask.trailing_zeros() as usize], low)?;
                let base = Address::local(self.local.starts[object]);
                (Common::Local(object), base, self.local.objects[object].bytes)
            }
            Parts::Private(low) => {
                let (start, bytes) = self.private[wave].shared_allocation(low, mask)?;
                (Common::Private { start }, Address::private(start), bytes)
            }
            Parts::Null | Parts::Heap { .. } | Parts::Function(_) | Parts::Nowhere => return None,
        };
        // An object that is not as aligned as the access is to be is not for here.
        let aligned = base.0 & (layout.alignment() - 1) == 0;
        let room = bytes.checked_sub(layout.extent()).filter(|_| aligned)?;
        Some((common, Offsets::new(&address.bits, mask, base.0, room, layout.alignment())?))
    }

    fn common_object(&self, common: Common) -> Option<&Object> {
        match common {
            Common::Global(object) => self.global.objects.get(object),
            Common::Local(object) => self.local.objects.get(object),
            Common::Private { .. } => None,
        }
    }

    #[allow(clippy::too_many_arguments, reason = "all of it is what an access is")]
    fn note_common(
        &mut self,
        wave: usize,
        common: Common,
        offsets: &Offsets<'_>,
        mask: Mask,
        layout: &Layout,
        touch: Touch,
        access: Access,
    ) -> Faults {
        let mut faults = Faults::default();
        let place = match common {
            Common::Global(object) => Place::Global { object, offset: 0 },
            Common::Local(object) => Place::Local { object, offset: 0 },
            Common::Private { .. } => return faults,
        };
        self.note_wave(wave, place, offsets, mask, layout, touch, access, &mut faults);
        faults
    }
}

/// Whether all is known of these lanes.
fn is_known(slot: &Slot, mask: Mask) -> bool {
    slot.poison & mask == 0 && (slot.undefined.is_none() || slot.undefined_lanes() & mask == 0)
}

impl Object {
    /// Loads so many bytes, so far behind the offset of each lane of a mask, unless something of that is not known.
    fn load_lanes(&self, offsets: &Offsets<'_>, mask: Mask, behind: u64, bytes: u32, out: &mut Lanes) -> Option<()> {
        if offsets.same() {
            let chunk = self.read(offsets.first + behind, bytes);
            *out = [chunk.bits; WIDTH];
            return chunk.is_plain().then_some(());
        }
        let plain = self.is_plain();
        let known = |word: usize| plain || self.word_is_plain(word);
        match bytes {
            4 | 8 if !(offsets.words && behind.is_multiple_of(4)) => {}
            4 if offsets.consecutive() => {
                let words = self.known_words(((offsets.first + behind) / 4) as usize, WIDTH)?;
                out.iter_mut().zip(words).for_each(|(out, word)| *out = word.load(Relaxed).into());
                return Some(());
            }
            4 => {
                return each(mask, |lane| {
                    let word = ((offsets.of(lane) + behind) / 4) as usize;
                    out[lane] = self.words[word].load(Relaxed).into();
                    known(word).then_some(())
                });
            }
            8 => {
                return each(mask, |lane| {
                    let word = ((offsets.of(lane) + behind) / 4) as usize;
                    let (low, high) = (self.words[word].load(Relaxed), self.words[word + 1].load(Relaxed));
                    out[lane] = u64::from(low) | u64::from(high) << 32;
                    (known(word) && known(word + 1)).then_some(())
                });
            }
            _ => {}
        }
        each(mask, |lane| {
            let chunk = self.read(offsets.of(lane) + behind, bytes);
            out[lane] = chunk.bits;
            chunk.is_plain().then_some(())
        })
    }

    /// Stores so many bytes, so far behind the offset of each lane of a mask.
    fn store_lanes(&self, offsets: &Offsets<'_>, behind: u64, bytes: u32, values: &Lanes, mask: Mask) {
        let whole = offsets.words && behind.is_multiple_of(4);
        if offsets.same() {
            // The uppermost lane has the last word.
            let value = values[WIDTH - 1 - mask.leading_zeros() as usize];
            return self.write(offsets.first + behind, bytes, Chunk::plain(value));
        }
        if whole && bytes == 4 && offsets.consecutive() && mask == Mask::MAX {
            let first = ((offsets.first + behind) / 4) as usize;
            let words = &self.words[first..first + WIDTH];
            words.iter().zip(values).for_each(|(word, &value)| word.store(value as u32, Relaxed));
            return self.set_words_plain(first, WIDTH);
        }
        let plain = self.is_plain();
        for lane in lanes_of(mask) {
            let offset = offsets.of(lane) + behind;
            if whole && bytes.is_multiple_of(4) {
                for half in 0..bytes / 4 {
                    let word = (offset / 4) as usize + half as usize;
                    self.words[word].store((values[lane] >> (32 * half)) as u32, Relaxed);
                    if !plain {
                        self.set_word_plain(word);
                    }
                }
            } else {
                self.write(offset, bytes, Chunk::plain(values[lane]));
            }
        }
    }
}

/// Does something for each lane of a mask, until one says that it cannot be done.
fn each(mask: Mask, mut action: impl FnMut(usize) -> Option<()>) -> Option<()> {
    match mask {
        Mask::MAX => (0..WIDTH).try_for_each(action),
        _ => lanes_of(mask).try_for_each(&mut action),
    }
}

impl PrivateMemory {
    /// Loads so many bytes for the lanes of a mask, unless something of that is not known.
    fn load_lanes(&self, start: u32, offsets: &Offsets<'_>, mask: Mask, bytes: u32, out: &mut Lanes) -> Option<()> {
        if offsets.same() {
            *out = [0; WIDTH];
            for (row, from, place, count) in pieces(u64::from(start - PRIVATE_START) + offsets.first, bytes) {
                let words = self.known_row(row, from, count, mask)?;
                if count == 4 && place == 0 {
                    out.iter_mut().zip(words).for_each(|(out, &word)| *out = word.into());
                } else {
                    let kept = low_bits(8 * count);
                    let words = out.iter_mut().zip(words);
                    words.for_each(|(out, &word)| *out |= (u64::from(word) >> (8 * from) & kept) << (8 * place));
                }
            }
            return Some(());
        }
        if offsets.words && start.is_multiple_of(4) && (bytes == 4 || bytes == 8) {
            for lane in lanes_of(mask) {
                let row = row_of(start) + (offsets.of(lane) / 4) as usize;
                let low = self.known_word(row, lane)?;
                let high = if bytes == 8 { self.known_word(row + 1, lane)? } else { 0 };
                out[lane] = u64::from(low) | u64::from(high) << 32;
            }
            return Some(());
        }
        for lane in lanes_of(mask) {
            let chunk = self.read(start + offsets.of(lane) as u32, lane, bytes);
            if !chunk.is_plain() {
                return None;
            }
            out[lane] = chunk.bits;
        }
        Some(())
    }

    /// Stores so many bytes for the lanes of a mask.
    fn store_lanes(&mut self, start: u32, offsets: &Offsets<'_>, bytes: u32, values: &Lanes, mask: Mask) {
        if offsets.same() {
            for (row, from, place, count) in pieces(u64::from(start - PRIVATE_START) + offsets.first, bytes) {
                let words = self.row_to_be_known(row, from, count, mask);
                if count == 4 && mask == Mask::MAX {
                    words.iter_mut().zip(values).for_each(|(word, &value)| *word = (value >> (8 * place)) as u32);
                } else {
                    let kept = (low_bits(8 * count) as u32) << (8 * from);
                    for (lane, (word, &value)) in words.iter_mut().zip(values).enumerate() {
                        let kept = kept & 0u32.wrapping_sub((mask >> lane & 1) as u32);
                        *word = *word & !kept | ((value >> (8 * place)) as u32) << (8 * from) & kept;
                    }
                }
            }
            return;
        }
        if offsets.words && start.is_multiple_of(4) && (bytes == 4 || bytes == 8) {
            for lane in lanes_of(mask) {
                let row = row_of(start) + (offsets.of(lane) / 4) as usize;
                (0..bytes as usize / 4)
                    .for_each(|half| self.set_word(row + half, lane, (values[lane] >> (32 * half)) as u32));
            }
            return;
        }
        for lane in lanes_of(mask) {
            self.write(start + offsets.of(lane) as u32, lane, bytes, Chunk::plain(values[lane]));
        }
    }
}
