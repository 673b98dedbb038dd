//! A few bytes of memory with all that is known of them.

use crate::value::{Slot, low_bits};

/// Up to eight bytes. Bits and flags of bytes that are not there are zero.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Chunk {
    /// What they hold, lowest byte first. Zero where `undefined` is set, and in bytes that are poison.
    pub(super) bits: u64,
    /// The bits that are `undef`.
    pub(super) undefined: u64,
    /// The bytes that are poison: bit *i* is byte *i*.
    pub(super) poison: u8,
    /// The bytes to which nothing was ever stored. All their bits are `undef`.
    pub(super) unwritten: u8,
}

impl Chunk {
    /// Bytes that are all known.
    pub(super) fn plain(bits: u64) -> Chunk {
        Chunk { bits, ..Chunk::default() }
    }

    /// This many bytes that nothing was ever stored to.
    pub(super) fn unwritten(bytes: u32) -> Chunk {
        Chunk { bits: 0, undefined: low_bits(8 * bytes), poison: 0, unwritten: flags(bytes) }
    }

    /// The value of a lane, as so many bytes.
    pub(super) fn of_lane(slot: &Slot, lane: usize, bytes: u32) -> Chunk {
        if slot.poison >> lane & 1 != 0 {
            return Chunk { poison: flags(bytes), ..Chunk::default() };
        }
        let undefined = slot.undefined_bits(lane);
        Chunk { bits: slot.bits[lane] & !undefined, undefined, poison: 0, unwritten: 0 }
    }

    /// Makes it the value of a lane with so many bits.
    pub(super) fn into_lane(self, slot: &mut Slot, lane: usize, bits: u32) {
        slot.bits[lane] = self.bits & low_bits(bits);
        slot.poison = slot.poison & !(1 << lane) | u64::from(self.poison != 0) << lane;
        let undefined = if self.poison != 0 { 0 } else { self.undefined & low_bits(bits) };
        if undefined != 0 || slot.undefined.is_some() {
            slot.undefined.get_or_insert_with(|| Box::new([0; crate::value::WIDTH]))[lane] = undefined;
        }
    }

    /// Whether everything is known.
    pub(super) fn is_plain(&self) -> bool {
        self.undefined == 0 && self.poison == 0
    }
}

/// The flags of so many bytes.
pub(super) fn flags(bytes: u32) -> u8 {
    low_bits(bytes) as u8
}

/// All bits of the bytes whose flags are set.
pub(super) const fn bits_of_flags(flags: u8) -> u64 {
    // The product puts a copy of the flags into each byte, of which the mask keeps one flag, a different one in each.
    let one = (flags as u64 * 0x0101_0101_0101_0101) & 0x8040_2010_0804_0201;
    // A byte that is not zero overflows into its top bit.
    let top = (((one & 0x7f7f_7f7f_7f7f_7f7f) + 0x7f7f_7f7f_7f7f_7f7f) | one) & 0x8080_8080_8080_8080;
    (top >> 7) * 0xff
}

// The same, flag by flag.
const _: () = {
    let mut flags = 0;
    while flags < 256 {
        let (mut byte, mut bits) = (0, 0u64);
        while byte < 8 {
            bits |= ((flags as u64 >> byte & 1) * 0xff) << (8 * byte);
            byte += 1;
        }
        assert!(bits_of_flags(flags as u8) == bits);
        flags += 1;
    }
};
