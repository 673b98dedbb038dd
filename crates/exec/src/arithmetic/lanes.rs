//! Loops over lanes, and what they have in common: how poison and `undef` spread.
//!
//! Unless an instruction says otherwise, its result is poison in each lane in which an operand is, and wholly `undef` in each
//! other lane in which an operand has any bit that is `undef`. Components that belong to one scalar are poison together.

use crate::value::{Lanes, Mask, Slot, WIDTH, lanes_of, low_bits};

use super::integer::Integer;

/// The lanes with a number other than zero.
#[inline]
pub fn nonzero_lanes(bits: &Lanes) -> Mask {
    // Eight accumulators, one for each lane modulo 8, so that the loop has no chain of 64 dependent steps.
    let mut masks = [0; 8];
    for (chunk, lanes) in bits.chunks_exact(8).enumerate() {
        for ((mask, &bits), lane) in masks.iter_mut().zip(lanes).zip(0..) {
            *mask |= u64::from(bits != 0) << (8 * chunk + lane);
        }
    }
    masks.iter().fold(0, |all, mask| all | mask)
}

/// Computes each lane from one operand.
#[inline(always)]
pub(super) fn map(out: &mut Lanes, a: &Lanes, f: impl Fn(u64) -> u64) {
    for (out, &a) in out.iter_mut().zip(a) {
        *out = f(a);
    }
}

/// Computes each lane from two operands.
#[inline(always)]
pub(super) fn zip(out: &mut Lanes, a: &Lanes, b: &Lanes, f: impl Fn(u64, u64) -> u64) {
    for ((out, &a), &b) in out.iter_mut().zip(a).zip(b) {
        *out = f(a, b);
    }
}

/// Computes each lane from three operands.
#[inline(always)]
pub(super) fn zip3(out: &mut Lanes, a: &Lanes, b: &Lanes, c: &Lanes, f: impl Fn(u64, u64, u64) -> u64) {
    for (((out, &a), &b), &c) in out.iter_mut().zip(a).zip(b).zip(c) {
        *out = f(a, b, c);
    }
}

/// The lanes in which a function of two operands is not zero. Quick where there is none.
#[inline(always)]
pub(super) fn violations(a: &Lanes, b: &Lanes, f: impl Fn(u64, u64) -> u64) -> Mask {
    let any = a.iter().zip(b).fold(0, |any, (&a, &b)| any | f(a, b));
    if any == 0 {
        return 0;
    }
    (0..WIDTH).fold(0, |mask, lane| mask | Mask::from(f(a[lane], b[lane]) != 0) << lane)
}

/// The lanes in which any of these is poison.
#[inline]
pub(super) fn poison(slots: &[Slot]) -> Mask {
    slots.iter().fold(0, |mask, slot| mask | slot.poison)
}

/// The lanes in which any of these has a bit that is `undef`.
#[inline]
pub(super) fn undefined(slots: &[Slot]) -> Mask {
    slots.iter().fold(0, |mask, slot| mask | slot.undefined_lanes())
}

/// The integer in a lane.
#[inline]
pub(super) fn load<I: Integer>(slots: &[Slot], width: u32, lane: usize) -> I {
    I::from_limbs(width, |index| slots[index].bits[lane])
}

/// The bits of an integer in a lane that are `undef`.
pub(super) fn load_undefined<I: Integer>(slots: &[Slot], width: u32, lane: usize) -> I {
    I::from_limbs(width, |index| slots[index].undefined_bits(lane))
}

/// Sets the integer in a lane.
#[inline]
pub(super) fn store<I: Integer>(slots: &mut [Slot], lane: usize, number: &I) {
    for (slot, limb) in slots.iter_mut().zip(number.limbs()) {
        slot.bits[lane] = limb;
    }
}

/// Says which lanes of a scalar are poison, and that no bit of it is `undef`.
#[inline]
pub(super) fn set_poison(out: &mut [Slot], poison: Mask) {
    for slot in out {
        slot.poison = poison;
        slot.undefined = None;
    }
}

/// Makes lanes of a scalar of `width` bits wholly `undef`, where they are not poison.
pub(super) fn set_undefined(out: &mut [Slot], width: u32, lanes: Mask) {
    if lanes == 0 {
        return;
    }
    for (index, slot) in (0..).zip(out) {
        let all = low_bits(width - 64 * index);
        set_undefined_bits(slot, lanes, |_| all);
    }
}

/// Sets which bits of lanes are `undef`, where they are not poison.
pub(super) fn set_undefined_bits(slot: &mut Slot, lanes: Mask, bits: impl Fn(usize) -> u64) {
    let mut undefined = slot.undefined.take().unwrap_or_else(|| Box::new([0; WIDTH]));
    for lane in lanes_of(lanes & !slot.poison) {
        undefined[lane] = bits(lane);
        slot.bits[lane] &= !undefined[lane];
    }
    slot.undefined = undefined.iter().any(|&bits| bits != 0).then_some(undefined);
}
