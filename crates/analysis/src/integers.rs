//! Integers of at most 64 bits, as LLVM computes with them; kept in the low bits, the others are zero.

use reconverge_ir::opcode::{Opcode, Predicate};

/// The bits of an integer of this width.
#[inline]
pub(crate) fn mask(width: u32) -> u64 {
    u64::MAX >> (64 - width.clamp(1, 64))
}

/// The number that the bits are as a signed integer.
#[inline]
pub(crate) fn signed(bits: u64, width: u32) -> i64 {
    let shift = 64 - width.clamp(1, 64);
    (bits << shift).cast_signed() >> shift
}

/// The result of an operation on two integers; nothing for other operations, and where it is undefined.
#[inline(always)]
pub(crate) fn binary(opcode: Opcode, a: u64, b: u64, width: u32) -> Option<u64> {
    let (sa, sb) = (signed(a, width), signed(b, width));
    let shift = u32::try_from(b).ok().filter(|&count| count < width);
    let result = match opcode {
        Opcode::Add => a.wrapping_add(b),
        Opcode::Sub => a.wrapping_sub(b),
        Opcode::Mul => a.wrapping_mul(b),
        Opcode::And => a & b,
        Opcode::Or => a | b,
        Opcode::Xor => a ^ b,
        Opcode::UDiv => a.checked_div(b)?,
        Opcode::URem => a.checked_rem(b)?,
        Opcode::SDiv => sa.checked_div(sb)?.cast_unsigned(),
        Opcode::SRem => sa.checked_rem(sb)?.cast_unsigned(),
        Opcode::Shl => a << shift?,
        Opcode::LShr => a >> shift?,
        Opcode::AShr => (sa >> shift?).cast_unsigned(),
        _ => return None,
    };
    Some(result & mask(width))
}

/// An operation whose exact result may be out of the range of the integers that it is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Overflow {
    /// An addition, subtraction or multiplication.
    pub(crate) opcode: Opcode,
    pub(crate) is_signed: bool,
}

impl Overflow {
    /// Whether the exact result is not an integer of this width.
    pub(crate) fn is_out_of_range(self, a: u64, b: u64, width: u32) -> bool {
        let number = |bits: u64| if self.is_signed { i128::from(signed(bits, width)) } else { i128::from(bits) };
        let (a, b) = (number(a), number(b));
        // Only a product of two unsigned integers of 64 bits may be too large for the exact one.
        let exact = match self.opcode {
            Opcode::Add => a.checked_add(b),
            Opcode::Sub => a.checked_sub(b),
            _ => a.checked_mul(b),
        };
        exact.is_none_or(|exact| exact != number(exact as u64 & mask(width)))
    }
}

/// An intrinsic on integers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Intrinsic {
    SMin,
    SMax,
    UMin,
    UMax,
    Abs,
    PopCount,
    LeadingZeros,
    TrailingZeros,
    Expect,
}

impl Intrinsic {
    /// By the stem of its name (`smin`); CUDA's `__nv_min` is one.
    pub(crate) fn named(stem: &str) -> Option<Intrinsic> {
        Some(match stem {
            "smin" | "min" | "llmin" => Intrinsic::SMin,
            "smax" | "max" | "llmax" => Intrinsic::SMax,
            "umin" | "ullmin" => Intrinsic::UMin,
            "umax" | "ullmax" => Intrinsic::UMax,
            "abs" => Intrinsic::Abs,
            "ctpop" => Intrinsic::PopCount,
            "ctlz" => Intrinsic::LeadingZeros,
            "cttz" => Intrinsic::TrailingZeros,
            "expect" => Intrinsic::Expect,
            _ => return None,
        })
    }

    /// Whether it takes so many arguments.
    pub(crate) fn takes(self, arguments: usize) -> bool {
        match self {
            Intrinsic::Abs | Intrinsic::LeadingZeros | Intrinsic::TrailingZeros => arguments >= 1,
            Intrinsic::PopCount => arguments == 1,
            _ => arguments == 2,
        }
    }

    pub(crate) fn of(self, [a, b]: [u64; 2], width: u32) -> u64 {
        let is_less = signed(a, width) <= signed(b, width);
        let is_greater = signed(a, width) >= signed(b, width);
        let result = match self {
            Intrinsic::SMin => {
                if is_less {
                    a
                } else {
                    b
                }
            }
            Intrinsic::SMax => {
                if is_greater {
                    a
                } else {
                    b
                }
            }
            Intrinsic::UMin => a.min(b),
            Intrinsic::UMax => a.max(b),
            Intrinsic::Abs => signed(a, width).unsigned_abs(),
            Intrinsic::PopCount => a.count_ones().into(),
            Intrinsic::LeadingZeros => u64::from(a.leading_zeros()) + u64::from(width) - 64,
            Intrinsic::TrailingZeros => a.trailing_zeros().min(width).into(),
            Intrinsic::Expect => a,
        };
        result & mask(width)
    }
}

/// Whether a comparison of two integers holds; nothing for comparisons of other things.
#[inline(always)]
pub(crate) fn compare(predicate: Predicate, a: u64, b: u64, width: u32) -> Option<bool> {
    let (sa, sb) = (signed(a, width), signed(b, width));
    Some(match predicate {
        Predicate::Eq => a == b,
        Predicate::Ne => a != b,
        Predicate::Ult => a < b,
        Predicate::Ule => a <= b,
        Predicate::Ugt => a > b,
        Predicate::Uge => a >= b,
        Predicate::Slt => sa < sb,
        Predicate::Sle => sa <= sb,
        Predicate::Sgt => sa > sb,
        Predicate::Sge => sa >= sb,
        _ => return None,
    })
}
