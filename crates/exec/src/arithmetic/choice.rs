//! `select` and `freeze`.

use reconverge_ir::opcode::Flags;

use crate::value::{Mask, Scalar, Slot, lanes_of};

use super::float::fast_math_poison;
use super::lanes::{nonzero_lanes, set_poison, set_undefined_bits, zip3};

/// `select` of a scalar: that of the two which the condition says in each lane.
///
/// A poison condition gives poison, and so does one that is `undef` if one of the two is poison. Otherwise an `undef`
/// condition makes those bits `undef` in which the two may differ. What is not chosen does not matter.
pub fn select(flags: Flags, scalar: Scalar, condition: &Slot, a: &[Slot], b: &[Slot], out: &mut [Slot]) {
    let open = condition.undefined_lanes();
    for ((out, a), b) in out.iter_mut().zip(a).zip(b) {
        zip3(&mut out.bits, &condition.bits, &a.bits, &b.bits, |condition, a, b| {
            let take = (condition & 1).wrapping_neg();
            a & take | b & !take
        });
        let mut poison = condition.poison;
        if a.poison | b.poison != 0 {
            let chosen = nonzero_lanes(&condition.bits);
            poison |= a.poison & (chosen | open) | b.poison & (!chosen | open);
        }
        set_poison(std::slice::from_mut(out), poison);
        let lanes = a.undefined_lanes() | b.undefined_lanes() | open;
        if lanes != 0 {
            set_undefined_bits(out, lanes, |lane| match (open >> lane & 1, condition.bits[lane]) {
                (1, _) => (a.bits[lane] ^ b.bits[lane]) | a.undefined_bits(lane) | b.undefined_bits(lane),
                (_, 0) => b.undefined_bits(lane),
                _ => a.undefined_bits(lane),
            });
        }
    }
    if scalar.is_float() {
        let broken = fast_math_poison(flags, scalar, &[&out[0]]);
        out[0].poison |= broken;
    }
}

/// `freeze` of a component: poison and `undef` bits become zero, everywhere and each time. Returns the lanes that have such bits,
/// in which another value would be as right.
pub fn freeze(a: &Slot, out: &mut Slot) -> Mask {
    // Bits that are `undef` are zero already.
    out.bits = a.bits;
    for lane in lanes_of(a.poison) {
        out.bits[lane] = 0;
    }
    set_poison(std::slice::from_mut(out), 0);
    a.indeterminate_lanes()
}
