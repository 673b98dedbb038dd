//! Accesses of a whole wave to one object, which most are: what is the same for all lanes is done once.
//!
//! These do what [`access`](super::access) does lane by lane, where nothing is wrong with the access, it is not atomic and all that it moves
//! is known; else they say so before anything is stored, and leave it to the other.

use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use super::access::Place;
use super::address::{Address, PRIVATE_START, Parts};
use super::chunk::Chunk;
use super::fault::{Faults, Touch};
use super::object::{Object, pieces};
use super::private::PrivateMemory;
use super::{Access, Layout, Memory};
use crate::value::{Lanes, Mask, Slot, WIDTH, lanes_of, low_bits};

/// With so few lanes it is better to do one after the other.
const FEW: u32 = 4;

/// Where lanes access an object: how many bytes from its start. Lanes that do not are said to do what the first that does.
pub(super) struct Offsets {
    pub(super) lanes: Lanes,
    /// Whether all are the same.
    pub(super) same: bool,
    /// Whether each lane is four bytes behind the one below it.
    pub(super) consecutive: bool,
    /// Whether all are multiples of four.
    pub(super) words: bool,
}

impl Offsets {
    /// The offsets of addresses from `base`; `None` if one is more than `room`, or not a multiple of `alignment`.
    fn new(address: &Lanes, mask: Mask, base: u64, room: u64, alignment: u64) -> Option<Offsets> {
        let mut lanes = [0; WIDTH];
        let first = address[mask.trailing_zeros() as usize % WIDTH].wrapping_sub(base);
        if mask == Mask::MAX {
            lanes.iter_mut().zip(address).for_each(|(offset, address)| *offset = address.wrapping_sub(base));
        } else {
            for (lane, (offset, address)) in lanes.iter_mut().zip(address).enumerate() {
                *offset = if mask >> lane & 1 != 0 { address.wrapping_sub(base) } else { first };
            }
        }
        let (mut most, mut any, mut other, mut steps) = (0, 0, 0, 0);
        let mut expected = first;
        for &offset in &lanes {
            most = most.max(offset);
            any |= offset;
            other |= offset ^ first;
            steps |= offset ^ expected;
            expected = expected.wrapping_add(4);
        }
        (most <= room && any & (alignment - 1) == 0).then_some(Offsets {
            lanes,
            same: other == 0,
            consecutive: steps == 0,
            words: any % 4 == 0,
        })
    }
}

/// What all lanes of an access have in common.
enum Common {
    Global { object: usize, offsets: Offsets },
    Local { object: usize, offsets: Offsets },
    Private { start: u32, offsets: Offsets },
}

impl Common {
    fn offsets(&self) -> &Offsets {
        match self {
            Common::Global { offsets, .. } | Common::Local { offsets, .. } | Common::Private { offsets, .. } => offsets,
        }
    }
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
        let common = self.common(wave, layout, address, mask, access, false)?;
        for part in layout.parts() {
            let slot = &mut out[part.component];
            match &common {
                Common::Global { object, offsets } => {
                    let object = &self.global.objects[*object];
                    object.load_lanes(offsets, part.offset, part.bytes(), &mut slot.bits)?;
                }
                Common::Local { object, offsets } => {
                    let object = &self.local.objects[*object];
                    object.load_lanes(offsets, part.offset, part.bytes(), &mut slot.bits)?;
                }
                Common::Private { start, offsets } => {
                    let private = &self.private[wave];
                    private.load_lanes(start + part.offset as u32, offsets, mask, part.bytes(), &mut slot.bits)?;
                }
            }
            if part.bits % 8 != 0 {
                slot.bits.iter_mut().for_each(|bits| *bits &= low_bits(part.bits));
            }
            slot.poison = 0;
            slot.undefined = None;
        }
        let mut faults = Faults::default();
        self.note_common(wave, &common, mask, layout, Touch::Read, access, &mut faults);
        Some(faults)
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
        let known =
            |slot: &Slot| slot.poison & mask == 0 && (slot.undefined.is_none() || slot.undefined_lanes() & mask == 0);
        if !layout.parts().iter().all(|part| known(&values[part.component])) {
            return None;
        }
        let common = self.common(wave, layout, address, mask, access, true)?;
        // Where lanes overlap, all that an upper one stores comes after all that a lower one does.
        let one_by_one = layout.parts().len() > 1 && !common.offsets().same;
        let turns = lanes_of(if one_by_one { mask } else { 1 }).map(|lane| if one_by_one { 1 << lane } else { mask });
        for mask in turns {
            for part in layout.parts() {
                let values = &values[part.component].bits;
                match &common {
                    Common::Global { object, offsets } => {
                        self.global.objects[*object].store_lanes(offsets, part.offset, part.bytes(), values, mask);
                    }
                    Common::Local { object, offsets } => {
                        self.local.objects[*object].store_lanes(offsets, part.offset, part.bytes(), values, mask);
                    }
                    Common::Private { start, offsets } => {
                        let private = &mut self.private[wave];
                        private.store_lanes(start + part.offset as u32, offsets, part.bytes(), values, mask);
                    }
                }
            }
        }
        let mut faults = Faults::default();
        self.note_common(wave, &common, mask, layout, Touch::Write, access, &mut faults);
        Some(faults)
    }

    fn common(
        &self,
        wave: usize,
        layout: &Layout,
        address: &Slot,
        mask: Mask,
        access: Access,
        write: bool,
    ) -> Option<Common> {
        if mask.count_ones() < FEW || access.atomic.is_some() || layout.has_narrow_pointers() {
            return None;
        }
        let offsets = |base: Address, bytes: u64| {
            // Objects are as aligned as their addresses.
            let aligned = base.0 & (layout.alignment() - 1) == 0;
            let room = bytes.checked_sub(layout.extent()).filter(|_| aligned)?;
            Offsets::new(&address.bits, mask, base.0, room, layout.alignment())
        };
        match Address(address.bits[mask.trailing_zeros() as usize]).parts() {
            Parts::Global { object: index, .. } => {
                let object = self.global.objects.get(index).filter(|object| !(write && object.constant))?;
                Some(Common::Global { object: index, offsets: offsets(Address::global(index, 0), object.bytes)? })
            }
            Parts::Local(low) => {
                let (object, _) = self.local.nearest(low)?;
                let (start, bytes) = (self.local.starts[object], self.local.objects[object].bytes);
                Some(Common::Local { object, offsets: offsets(Address::local(start), bytes)? })
            }
            Parts::Private(low) => {
                let (start, bytes) = self.private[wave].shared_allocation(low, mask)?;
                Some(Common::Private { start, offsets: offsets(Address::private(start), bytes)? })
            }
            Parts::Null | Parts::Function(_) | Parts::Nowhere => None,
        }
    }

    #[allow(clippy::too_many_arguments, reason = "all of it is what an access is")]
    fn note_common(
        &mut self,
        wave: usize,
        common: &Common,
        mask: Mask,
        layout: &Layout,
        touch: Touch,
        access: Access,
        faults: &mut Faults,
    ) {
        if self.races.is_none() {
            return;
        }
        let place = match common {
            Common::Global { object, .. } => Place::Global { object: *object, offset: 0 },
            Common::Local { object, .. } => Place::Local { object: *object, offset: 0 },
            Common::Private { .. } => return,
        };
        self.note_wave(wave, place, common.offsets(), mask, layout, touch, access, faults);
    }
}

impl Object {
    /// Loads so many bytes, so far behind the offset of each lane, unless something of that is not known.
    fn load_lanes(&self, offsets: &Offsets, behind: u64, bytes: u32, out: &mut Lanes) -> Option<()> {
        if offsets.same {
            let chunk = self.read(offsets.lanes[0] + behind, bytes);
            *out = [chunk.bits; WIDTH];
            return chunk.is_plain().then_some(());
        }
        let plain = self.is_plain();
        let whole = offsets.words && behind.is_multiple_of(4);
        match bytes {
            4 if whole && offsets.consecutive => {
                let first = ((offsets.lanes[0] + behind) / 4) as usize;
                let words = self.known_words(first, WIDTH)?;
                out.iter_mut().zip(words).for_each(|(out, word)| *out = load(word).into());
            }
            4 if whole => {
                for (out, &offset) in out.iter_mut().zip(&offsets.lanes) {
                    let word = ((offset + behind) / 4) as usize;
                    if !plain && !self.word_is_plain(word) {
                        return None;
                    }
                    *out = load(&self.words[word]).into();
                }
            }
            8 if whole => {
                for (out, &offset) in out.iter_mut().zip(&offsets.lanes) {
                    let word = ((offset + behind) / 4) as usize;
                    if !(plain || self.word_is_plain(word) && self.word_is_plain(word + 1)) {
                        return None;
                    }
                    let (low, high) = (&self.words[word], &self.words[word + 1]);
                    *out = u64::from(load(low)) | u64::from(load(high)) << 32;
                }
            }
            _ => {
                for (out, &offset) in out.iter_mut().zip(&offsets.lanes) {
                    let chunk = self.read(offset + behind, bytes);
                    if !chunk.is_plain() {
                        return None;
                    }
                    *out = chunk.bits;
                }
            }
        }
        Some(())
    }

    /// Stores so many bytes, so far behind the offset of each lane of a mask.
    fn store_lanes(&self, offsets: &Offsets, behind: u64, bytes: u32, values: &Lanes, mask: Mask) {
        let whole = offsets.words && behind.is_multiple_of(4);
        if offsets.same {
            // The uppermost lane has the last word.
            let value = values[WIDTH - 1 - mask.leading_zeros() as usize];
            return self.write(offsets.lanes[0] + behind, bytes, Chunk::plain(value));
        }
        if whole && bytes == 4 && offsets.consecutive && mask == Mask::MAX {
            let first = ((offsets.lanes[0] + behind) / 4) as usize;
            let words = &self.words[first..first + WIDTH];
            words.iter().zip(values).for_each(|(word, &value)| word.store(value as u32, Relaxed));
            return self.set_words_plain(first, WIDTH);
        }
        let plain = self.is_plain();
        for lane in lanes_of(mask) {
            let offset = offsets.lanes[lane] + behind;
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

fn load(word: &AtomicU32) -> u32 {
    word.load(Relaxed)
}

impl PrivateMemory {
    /// Loads so many bytes for the lanes of a mask, unless something of that is not known.
    fn load_lanes(&self, start: u32, offsets: &Offsets, mask: Mask, bytes: u32, out: &mut Lanes) -> Option<()> {
        if offsets.same {
            *out = [0; WIDTH];
            for (row, from, place, count) in pieces(u64::from(start - PRIVATE_START) + offsets.lanes[0], bytes) {
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
        for lane in lanes_of(mask) {
            let chunk = self.read(start + offsets.lanes[lane] as u32, lane, bytes);
            if !chunk.is_plain() {
                return None;
            }
            out[lane] = chunk.bits;
        }
        Some(())
    }

    /// Stores so many bytes for the lanes of a mask.
    fn store_lanes(&mut self, start: u32, offsets: &Offsets, bytes: u32, values: &Lanes, mask: Mask) {
        if offsets.same {
            for (row, from, place, count) in pieces(u64::from(start - PRIVATE_START) + offsets.lanes[0], bytes) {
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
        for lane in lanes_of(mask) {
            self.write(start + offsets.lanes[lane] as u32, lane, bytes, Chunk::plain(values[lane]));
        }
    }
}
