//! `icmp` and `fcmp`.

use std::cmp::Ordering;

use reconverge_ir::opcode::{Flags, Predicate};

use crate::value::{Lanes, Scalar, Slot, WIDTH};

use super::float::{decode, fast_math_poison};
use super::integer::{Integer, with_width};
use super::lanes::{load, poison, set_poison, set_undefined, undefined, violations, zip};

/// Compares integers or pointers. With `samesign`, operands of different signs give poison.
pub fn icmp(predicate: Predicate, flags: Flags, scalar: Scalar, a: &[Slot], b: &[Slot], out: &mut Slot) {
    use Predicate::*;
    let width = scalar.bits();
    let open = undefined(a) | undefined(b);
    let mut mask = poison(a) | poison(b);
    if flags.contains(Flags::SAMESIGN) {
        let top = (width - 1) % 64;
        mask |= violations(&a[a.len() - 1].bits, &b[b.len() - 1].bits, |a, b| (a ^ b) >> top & 1) & !open;
    }
    // Greater is less with the operands exchanged, and "or equal" the opposite of less.
    let signed = matches!(predicate, Sgt | Sge | Slt | Sle);
    let (x, y) = if matches!(predicate, Ugt | Sgt | Ule | Sle) { (b, a) } else { (a, b) };
    let negate = u64::from(matches!(predicate, Ne | Uge | Ule | Sge | Sle));
    let sign = if signed { 1 << (width - 1).min(63) } else { 0 };
    match (width, predicate) {
        (..=32, Eq | Ne) => zip(&mut out.bits, &x[0].bits, &y[0].bits, |x, y| u64::from(x as u32 == y as u32) ^ negate),
        (..=64, Eq | Ne) => zip(&mut out.bits, &x[0].bits, &y[0].bits, |x, y| u64::from(x == y) ^ negate),
        (..=32, _) => {
            // Comparing signed 32-bit numbers is what the smallest vector units can do; the others are shifted to them.
            let flip = 1 << 31 ^ sign as u32;
            zip(&mut out.bits, &x[0].bits, &y[0].bits, |x, y| {
                u64::from(((x as u32 ^ flip) as i32) < ((y as u32 ^ flip) as i32)) ^ negate
            });
        }
        (..=64, _) => zip(&mut out.bits, &x[0].bits, &y[0].bits, |x, y| u64::from(x ^ sign < y ^ sign) ^ negate),
        _ => with_width!(width, I => for lane in 0..WIDTH {
            let (x, y): (I, I) = (load(x, width, lane), load(y, width, lane));
            let ordering = if signed { x.compare_signed(&y) } else { x.compare(&y) };
            let wanted = if matches!(predicate, Eq | Ne) { Ordering::Equal } else { Ordering::Less };
            out.bits[lane] = u64::from(ordering == wanted) ^ negate;
        }),
    }
    let out = std::slice::from_mut(out);
    set_poison(out, mask);
    set_undefined(out, 1, open);
}

/// Compares floating-point numbers. Each predicate but `false` and `true` is the set of those orderings, among less,
/// equal, greater and unordered, for which it holds.
pub fn fcmp(predicate: Predicate, flags: Flags, scalar: Scalar, a: &Slot, b: &Slot, out: &mut Slot) {
    let (x, y, result) = (&a.bits, &b.bits, &mut out.bits);
    match scalar {
        Scalar::Float => compare(predicate, x, y, result, |bits| f32::from_bits(bits as u32)),
        Scalar::Double => compare(predicate, x, y, result, f64::from_bits),
        _ => compare(predicate, x, y, result, |bits| decode(scalar, bits)),
    }
    let open = a.undefined_lanes() | b.undefined_lanes();
    let out = std::slice::from_mut(out);
    set_poison(out, a.poison | b.poison | fast_math_poison(flags, scalar, &[a, b]) & !open);
    set_undefined(out, 1, open);
}

#[inline(always)]
#[allow(clippy::neg_cmp_op_on_partial_ord, reason = "the opposite of an ordered comparison is an unordered one")]
fn compare<F: PartialOrd>(predicate: Predicate, a: &Lanes, b: &Lanes, out: &mut Lanes, load: impl Fn(u64) -> F) {
    use Predicate::*;
    macro_rules! each {
        (|$a:ident, $b:ident| $holds:expr) => {
            zip(out, a, b, |a, b| {
                let ($a, $b) = (load(a), load(b));
                u64::from($holds)
            })
        };
    }
    match predicate {
        False => out.fill(0),
        True => out.fill(1),
        Oeq | Eq => each!(|a, b| a == b),
        Une | Ne => each!(|a, b| a != b),
        Ogt => each!(|a, b| a > b),
        Oge => each!(|a, b| a >= b),
        Olt => each!(|a, b| a < b),
        Ole => each!(|a, b| a <= b),
        One => each!(|a, b| (a < b) | (a > b)),
        Ord => each!(|a, b| (a <= b) | (a > b)),
        Uno => each!(|a, b| !((a <= b) | (a > b))),
        Ueq => each!(|a, b| !((a < b) | (a > b))),
        Ugt | Sgt => each!(|a, b| !(a <= b)),
        Uge | Sge => each!(|a, b| !(a < b)),
        Ult | Slt => each!(|a, b| !(a >= b)),
        Ule | Sle => each!(|a, b| !(a > b)),
    }
}
