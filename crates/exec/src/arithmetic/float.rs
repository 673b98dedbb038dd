//! Floating-point numbers, one lane at a time.
//!
//! A number of a format with *f* fraction bits and *e* exponent bits is held as its bits. Let R(*x*) be the number of the format
//! nearest to the real number *x*, ties to even, and let D be `double`. What is computed is R(*x*) of the exact result *x*:
//!
//! - For the operations +, −, ×, / and √ of another format, R(D(*x*)) = R(*x*): rounding twice is harmless if the first
//!   precision is at least 2*p* + 2 for a precision *p* = *f* + 1 (Figueroa, "When is double rounding innocuous?"), and
//!   53 ≥ 2 · 24 + 2. Subnormal results only have fewer bits to round to, and no result of a smaller format is subnormal as
//!   a double.
//! - For a fused multiply-add the product is exact as a double (2 · 24 ≤ 53 bits), and the sum is *rounded to odd*:
//!   an inexact sum becomes that of its two neighbours whose last bit is set, which keeps apart what a later rounding to at
//!   least two bits fewer must tell apart (Boldo and Melquiond, "Emulation of FMA and correctly rounded sums").
//! - Transcendental functions are those of `libm` for `double`, rounded, so that results are the same on every machine.

use crate::value::{Lanes, Mask, Scalar, Slot, low_bits};
use reconverge_ir::opcode::Flags;

use super::lanes::violations;

/// How many bits of a number are its fraction, and how many its exponent.
#[inline]
fn fraction_and_exponent(scalar: Scalar) -> (u32, u32) {
    match scalar {
        Scalar::Half => (10, 5),
        Scalar::BFloat => (7, 8),
        Scalar::Float => (23, 8),
        _ => (52, 11),
    }
}

/// The bits of positive infinity. Numbers with more, the sign aside, are NaN.
#[inline]
pub fn infinity(scalar: Scalar) -> u64 {
    let (fraction, exponent) = fraction_and_exponent(scalar);
    ((1 << exponent) - 1) << fraction
}

/// The sign bit.
#[inline]
pub fn sign_bit(scalar: Scalar) -> u64 {
    1 << (scalar.bits() - 1)
}

/// The number as a double, which is exact. A NaN keeps its payload and becomes quiet.
#[inline]
pub fn decode(scalar: Scalar, bits: u64) -> f64 {
    match scalar {
        Scalar::Float => f64::from(f32::from_bits(bits as u32)),
        Scalar::Half | Scalar::BFloat => decode_small(scalar, bits),
        _ => f64::from_bits(bits),
    }
}

#[inline(always)]
fn decode_small(scalar: Scalar, bits: u64) -> f64 {
    let (fraction_bits, exponent_bits) = fraction_and_exponent(scalar);
    let magnitude = (bits & (sign_bit(scalar) - 1)) << (52 - fraction_bits);
    // As a double, these bits are the number times a power of two, also if it is subnormal.
    let scale = f64::from_bits((2047 - (1 << (exponent_bits - 1))) << 52);
    let value = if bits & infinity(scalar) != infinity(scalar) {
        f64::from_bits(magnitude) * scale
    } else if is_nan(scalar, bits) {
        f64::from_bits(magnitude | 0x7ff8 << 48)
    } else {
        f64::INFINITY
    };
    f64::from_bits(value.to_bits() | (bits & sign_bit(scalar)) << (64 - scalar.bits()))
}

/// The number nearest to a double. A NaN keeps the upper bits of its payload and becomes quiet.
#[inline]
pub fn encode(scalar: Scalar, value: f64) -> u64 {
    match scalar {
        Scalar::Float => u64::from((value as f32).to_bits()),
        Scalar::Half | Scalar::BFloat => encode_small(scalar, value),
        _ => value.to_bits(),
    }
}

#[inline(always)]
fn encode_small(scalar: Scalar, value: f64) -> u64 {
    let (fraction_bits, exponent_bits) = fraction_and_exponent(scalar);
    let (bits, infinity) = (value.abs().to_bits(), infinity(scalar));
    let (dropped, rebias) = (52 - fraction_bits, 1024 - (1 << (exponent_bits - 1)));
    let magnitude = if value.is_nan() {
        infinity | 1 << (fraction_bits - 1) | (bits >> dropped) & ((infinity & infinity.wrapping_neg()) - 1)
    } else if bits >> 52 > rebias {
        // Just below a half is added, or a half where that makes the result even. A carry goes into the exponent.
        let rounded = (bits + (1 << (dropped - 1)) - 1 + (bits >> dropped & 1)) >> dropped;
        (rounded - (rebias << fraction_bits)).min(infinity)
    } else {
        // A double of this size has the smallest number of the format as its last place.
        let anchor = f64::from_bits((rebias + 1 + u64::from(dropped)) << 52);
        (value.abs() + anchor).to_bits() - anchor.to_bits()
    };
    magnitude | u64::from(value.is_sign_negative()) << (scalar.bits() - 1)
}

/// Which of the two neighbours of a number that a format lacks is taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Rounding {
    /// The nearer one, and the one with an even fraction if both are as near.
    Nearest,
    /// The one towards zero.
    Zero,
    /// The one towards −∞.
    Down,
    /// The one towards +∞.
    Up,
}

/// ± `significand` · 2^`exponent`, rounded.
///
/// A number with more than 64 bits is passed as its highest 64, with the lowest of these set if any bit below is.
pub fn round(scalar: Scalar, rounding: Rounding, negative: bool, significand: u64, exponent: i32) -> u64 {
    let sign = if negative { sign_bit(scalar) } else { 0 };
    if significand == 0 {
        return sign;
    }
    let away = match rounding {
        Rounding::Down => negative,
        Rounding::Up => !negative,
        _ => false,
    };
    let (fraction_bits, exponent_bits) = fraction_and_exponent(scalar);
    let smallest_exponent: i32 = 2 - (1 << (exponent_bits - 1));
    let zeros = significand.leading_zeros();
    let significand = significand << zeros;
    let exponent = exponent.saturating_add(63 - zeros as i32);
    // How many of the 64 bits are below the last place. More than 65 are like 65: less than half of it.
    let subnormal = smallest_exponent.saturating_sub(exponent).clamp(0, 65) as u32;
    let dropped = (63 - fraction_bits + subnormal).min(65);
    let kept = significand.checked_shr(dropped).unwrap_or(0);
    let rest = match dropped {
        65 => significand >> 1,
        _ => significand << (64 - dropped),
    };
    let rounds_up = match rounding {
        Rounding::Nearest => rest > 1 << 63 || rest == 1 << 63 && kept & 1 != 0,
        _ => away && rest != 0,
    };
    // The leading one of a normal number adds one to the exponent, and so does a carry into it.
    let steps = u64::from(exponent.saturating_sub(smallest_exponent).clamp(0, 1 << 12) as u32);
    let largest = infinity(scalar) - u64::from(rounding != Rounding::Nearest && !away);
    sign | ((steps << fraction_bits) + kept + u64::from(rounds_up)).min(largest)
}

/// The fused multiply-add *ab* + *c* of two doubles whose product is exact, rounded to odd.
#[inline(always)]
fn fma_to_odd(a: f64, b: f64, c: f64) -> f64 {
    let product = a * b;
    let sum = product + c;
    // Knuth's exact error of a sum. It is NaN where the sum is not finite, and neither comparison holds.
    let part = sum - product;
    let error = (product - (sum - part)) + (c - part);
    let bits = sum.to_bits();
    let inexact = (error < 0.0) | (error > 0.0);
    // One away from zero if the error has the sign of the sum, else one towards it, and only from a sum that is even.
    let step = 1u64.wrapping_sub((bits ^ error.to_bits()) >> 63 << 1);
    let moves = u64::from(inexact).wrapping_neg() & (bits & 1).wrapping_sub(1);
    f64::from_bits(bits.wrapping_add(step & moves))
}

/// *ab* + *c*, rounded once.
#[inline(always)]
pub fn fma32(a: f32, b: f32, c: f32) -> f32 {
    fma_to_odd(f64::from(a), f64::from(b), f64::from(c)) as f32
}

/// *ab* + *c*, rounded once.
#[inline]
pub fn fma(scalar: Scalar, a: u64, b: u64, c: u64) -> u64 {
    let [x, y, z] = [a, b, c].map(|bits| decode(scalar, bits));
    encode(scalar, if scalar == Scalar::Double { x.mul_add(y, z) } else { fma_to_odd(x, y, z) })
}

/// Whether the number is a NaN.
#[inline]
pub fn is_nan(scalar: Scalar, bits: u64) -> bool {
    bits & !sign_bit(scalar) > infinity(scalar)
}

/// The lanes in which one of these numbers, operands or result, breaks what `nnan` or `ninf` promises. The result is poison
/// there.
pub fn fast_math_poison(flags: Flags, scalar: Scalar, numbers: &[&Slot]) -> Mask {
    let fast = flags.contains(Flags::FAST);
    let (no_nan, no_infinity) = (fast || flags.contains(Flags::NNAN), fast || flags.contains(Flags::NINF));
    if !no_nan && !no_infinity || !scalar.is_float() {
        return 0;
    }
    let (sign, infinity) = (sign_bit(scalar), infinity(scalar));
    let broken = |bits: &Lanes| match (no_nan, no_infinity) {
        // A difference below zero has its highest bit set.
        (true, true) => violations(bits, bits, |bits, _| (infinity - 1).wrapping_sub(bits & !sign) >> 63),
        (true, false) => violations(bits, bits, |bits, _| infinity.wrapping_sub(bits & !sign) >> 63),
        _ => violations(bits, bits, |bits, _| ((bits & !sign) ^ infinity).wrapping_sub(1) >> 63),
    };
    numbers.iter().fold(0, |mask, slot| mask | broken(&slot.bits) & !slot.undefined_lanes())
}

/// The larger or smaller of two numbers, where −0 is less than +0. If one is a NaN, that is the result if it `propagates`,
/// else the other.
#[inline]
pub fn extreme(scalar: Scalar, a: u64, b: u64, largest: bool, propagates: bool) -> u64 {
    let quiet = |bits| encode(scalar, decode(scalar, bits));
    match (is_nan(scalar, a), is_nan(scalar, b)) {
        (true, false) if !propagates => return b,
        (true, _) => return quiet(a),
        (_, true) => return if propagates { quiet(b) } else { a },
        _ => {}
    }
    let sign = sign_bit(scalar);
    // Negative numbers are ordered the other way round, below the others.
    let key = |bits: u64| if bits & sign != 0 { !bits & low_bits(scalar.bits()) } else { bits | sign };
    if (key(a) < key(b)) == largest { b } else { a }
}

/// The class of a number, as the bit of the mask that `is.fpclass` tests.
pub fn class(scalar: Scalar, bits: u64) -> u64 {
    let (sign, infinity) = (sign_bit(scalar), infinity(scalar));
    let (negative, magnitude) = (bits & sign != 0, bits & !sign);
    let smallest_normal = infinity & infinity.wrapping_neg();
    // From the outermost class to zero, of negative numbers; those of positive ones mirror them.
    let distance = if magnitude > infinity {
        let quiet = magnitude & smallest_normal >> 1 != 0;
        return 1 << u64::from(quiet);
    } else if magnitude == infinity {
        0
    } else if magnitude >= smallest_normal {
        1
    } else if magnitude > 0 {
        2
    } else {
        3
    };
    1 << if negative { 2 + distance } else { 9 - distance }
}
