//! Intrinsics on integers of any width.

use std::cmp::Ordering;

use num_bigint::{BigInt, Sign};

use crate::arithmetic::integer::Integer;
use crate::arithmetic::lanes::{map, zip, zip3};
use crate::value::{Lanes, Slot, low_bits};

/// An operation on integers of one type, with one more operand that is a small number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Operation {
    Abs,
    SMax,
    SMin,
    UMax,
    UMin,
    CountOnes,
    LeadingZeros,
    TrailingZeros,
    ByteSwap,
    BitReverse,
    FunnelLeft,
    FunnelRight,
    AddSaturate { signed: bool },
    SubSaturate { signed: bool },
    ShlSaturate { signed: bool },
    MulFix { signed: bool, saturate: bool },
    DivFix { signed: bool, saturate: bool },
    AddOverflow { signed: bool },
    SubOverflow { signed: bool },
    MulOverflow { signed: bool },
    Clamp { signed: bool },
    MultiplyAdd,
}

impl Operation {
    /// Computes the frequent operations on integers of at most 64 bits for all lanes at once; whether this is one.
    pub(super) fn evaluate_lanes(self, width: u32, operands: &[&[Slot]], out: &mut Lanes) -> bool {
        use Operation::*;
        let (mask, sign, above) = (low_bits(width), 1u64 << (width - 1), 64 - width);
        let at = |index: usize| &operands[index][0].bits;
        match self {
            // Inverting the sign bits makes a signed comparison of an unsigned one.
            SMax => zip(out, at(0), at(1), |a, b| if a ^ sign > b ^ sign { a } else { b }),
            SMin => zip(out, at(0), at(1), |a, b| if a ^ sign < b ^ sign { a } else { b }),
            UMax => zip(out, at(0), at(1), u64::max),
            UMin => zip(out, at(0), at(1), u64::min),
            CountOnes => map(out, at(0), |a| u64::from(a.count_ones())),
            FunnelLeft if width.is_power_of_two() && width > 1 => zip3(out, at(0), at(1), at(2), |a, b, c| {
                let amount = c as u32 & (width - 1);
                (a << amount | (b << above >> 1) >> (63 - amount)) & mask
            }),
            _ => return false,
        }
        true
    }
}

/// What an operation comes to if it has no result.
pub(super) enum Failure {
    Poison,
    UndefinedBehaviour,
}

impl Operation {
    /// The result, and whether an `…​.with.overflow` is out of range.
    #[inline]
    pub(super) fn evaluate<I: Integer>(self, operands: &[I], small: u64) -> Result<(I, bool), Failure> {
        use Operation::*;
        let (a, width) = (&operands[0], operands[0].width());
        let b = operands.get(1).unwrap_or(a);
        let c = operands.get(2).unwrap_or(a);
        let number = |number: u32| I::small(width, u64::from(number));
        let extreme = |high: bool, signed: bool| match (high, signed) {
            (true, true) => I::signed_max(width),
            (true, false) => I::ones(width),
            (false, true) => I::signed_min(width),
            (false, false) => number(0),
        };
        let pick = |first: bool| if first { a.clone() } else { b.clone() };
        let result = match self {
            Abs if small & 1 != 0 && *a == I::signed_min(width) => return Err(Failure::Poison),
            Abs => a.abs(),
            SMax => pick(a.compare_signed(b) != Ordering::Less),
            SMin => pick(a.compare_signed(b) != Ordering::Greater),
            UMax => pick(a.compare(b) != Ordering::Less),
            UMin => pick(a.compare(b) != Ordering::Greater),
            CountOnes => number(a.count_ones()),
            LeadingZeros | TrailingZeros if small & 1 != 0 && a.is_zero() => return Err(Failure::Poison),
            LeadingZeros => number(a.leading_zeros()),
            TrailingZeros => number(a.trailing_zeros()),
            ByteSwap => reverse(a, 8),
            BitReverse => reverse(a, 1),
            FunnelLeft | FunnelRight => {
                // Both amounts are at most the width, and a shift by the width gives zero.
                let amount = c.divide(&number(width)).1.low() as u32;
                let left = if self == FunnelLeft { amount } else { width - amount };
                a.shl(left).or(&b.lshr(width - left))
            }
            AddSaturate { signed: true } if a.add_overflows(b) => extreme(!a.is_negative(), true),
            AddSaturate { signed: false } if a.add_carries(b) => extreme(true, false),
            AddSaturate { .. } => a.add(b),
            SubSaturate { signed: true } if a.sub_overflows(b) => extreme(!a.is_negative(), true),
            SubSaturate { signed: false } if a.sub_borrows(b) => extreme(false, false),
            SubSaturate { .. } => a.sub(b),
            ShlSaturate { signed } => {
                let amount = b.below(width).ok_or(Failure::Poison)?;
                let shifted = a.shl(amount);
                let back = if signed { shifted.ashr(amount) } else { shifted.lshr(amount) };
                if back == *a { shifted } else { extreme(!signed || !a.is_negative(), signed) }
            }
            MulFix { signed, saturate } => {
                let [a, b] = [a, b].map(|number| to_big(number, signed));
                // Shifting rounds towards −∞.
                from_big(width, (a * b) >> small.min(u64::from(width)), signed, saturate)
            }
            DivFix { .. } if b.is_zero() => return Err(Failure::UndefinedBehaviour),
            DivFix { signed, saturate } => {
                let [a, b] = [a, b].map(|number| to_big(number, signed));
                from_big(width, (a << small.min(u64::from(width))) / b, signed, saturate)
            }
            AddOverflow { signed } => {
                return Ok((a.add(b), if signed { a.add_overflows(b) } else { a.add_carries(b) }));
            }
            SubOverflow { signed } => {
                return Ok((a.sub(b), if signed { a.sub_overflows(b) } else { a.sub_borrows(b) }));
            }
            MulOverflow { signed } => {
                return Ok((a.mul(b), if signed { a.mul_overflows(b) } else { a.mul_carries(b) }));
            }
            Clamp { signed } => {
                let compare = |a: &I, b: &I| if signed { a.compare_signed(b) } else { a.compare(b) };
                let low = if compare(a, b) == Ordering::Less { b } else { a };
                if compare(low, c) == Ordering::Greater { c.clone() } else { low.clone() }
            }
            MultiplyAdd => a.mul(b).add(c),
        };
        Ok((result, false))
    }
}

fn to_big<I: Integer>(number: &I, signed: bool) -> BigInt {
    if signed { number.to_big_signed() } else { number.to_big().into() }
}

/// A number modulo 2^`width`, or the nearest that the type has.
fn from_big<I: Integer>(width: u32, number: BigInt, signed: bool, saturate: bool) -> I {
    let (low, high) = if signed {
        (to_big(&I::signed_min(width), true), to_big(&I::signed_max(width), true))
    } else {
        (BigInt::ZERO, to_big(&I::ones(width), false))
    };
    let number = if saturate { number.clamp(low, high) } else { number };
    let magnitude = I::from_big(width, number.magnitude());
    if number.sign() == Sign::Minus { magnitude.neg() } else { magnitude }
}

/// Groups of `group` bits in the opposite order.
fn reverse<I: Integer>(number: &I, group: u32) -> I {
    let width = number.width();
    let limbs = width.div_ceil(64);
    // The limbs the other way round, each reversed, have the result at the top.
    let reversed = |limb: u64| if group == 8 { limb.swap_bytes() } else { limb.reverse_bits() };
    let source: Vec<u64> = number.limbs().take(limbs as usize).collect();
    let excess = limbs * 64 - width;
    let at = |index: usize| source.len().checked_sub(index + 1).map_or(0, |index| reversed(source[index]));
    I::from_limbs(
        width,
        |index| {
            if excess == 0 { at(index) } else { at(index) >> excess | at(index + 1) << (64 - excess) }
        },
    )
}
