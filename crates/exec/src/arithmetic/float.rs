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

use crate::value::{Lanes, Mask, Scalar, Slot};
use reconverge_ir::opcode::Flags;

use super::lanes::violations;

/// How many bits of a number are its fraction, and how many its exponent.
fn fraction_and_exponent(scalar: Scalar) -> (u32, u32) {
    match scalar {
        Scalar::Half => (10, 5),
        Scalar::BFloat => (7, 8),
        Scalar::Float => (23, 8),
        _ => (52, 11),
    }
}

/// The bits of positive infinity. Numbers with more, the sign aside, are NaN.
pub fn infinity(scalar: Scalar) -> u64 {
    let (fraction, exponent) = fraction_and_exponent(scalar);
    ((1 << exponent) - 1) << fraction
}

/// The sign bit.
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

fn decode_small(scalar: Scalar, bits: u64) -> f64 {
    let (fraction_bits, exponent_bits) = fraction_and_exponent(scalar);
    let bias = (1 << (exponent_bits - 1)) - 1;
    let fraction = bits & ((1 << fraction_bits) - 1);
    let exponent = bits >> fraction_bits & ((1 << exponent_bits) - 1);
    let magnitude = if exponent == (1 << exponent_bits) - 1 {
        0x7ff << 52 | fraction << (52 - fraction_bits) | u64::from(fraction != 0) << 51
    } else if exponent == 0 {
        let unit = f64::from_bits((1024 - bias - u64::from(fraction_bits)) << 52);
        (fraction as f64 * unit).to_bits()
    } else {
        (exponent + 1023 - bias) << 52 | fraction << (52 - fraction_bits)
    };
    f64::from_bits(magnitude | (bits >> (scalar.bits() - 1) & 1) << 63)
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

fn encode_small(scalar: Scalar, value: f64) -> u64 {
    let (fraction_bits, _) = fraction_and_exponent(scalar);
    let (bits, sign) = (value.to_bits(), u64::from(value.is_sign_negative()) << (scalar.bits() - 1));
    let fraction = bits & ((1 << 52) - 1);
    if value.is_nan() {
        return sign | infinity(scalar) | 1 << (fraction_bits - 1) | fraction >> (52 - fraction_bits);
    }
    if value.is_infinite() {
        return sign | infinity(scalar);
    }
    // Subnormal doubles are zero in any smaller format.
    let significand = if value.is_normal() { fraction | 1 << 52 } else { 0 };
    round(scalar, value.is_sign_negative(), significand, (bits >> 52 & 0x7ff) as i32 - 1075)
}

/// The number nearest to ± `significand` · 2^`exponent`.
///
/// A number with more than 64 bits is passed as its highest 64, with the lowest of these set if any bit below is.
pub fn round(scalar: Scalar, negative: bool, significand: u64, exponent: i32) -> u64 {
    let sign = if negative { sign_bit(scalar) } else { 0 };
    if significand == 0 {
        return sign;
    }
    let (fraction_bits, exponent_bits) = fraction_and_exponent(scalar);
    let smallest_exponent = 2 - (1 << (exponent_bits - 1));
    let zeros = significand.leading_zeros();
    let significand = significand << zeros;
    let exponent = exponent + 63 - zeros as i32;
    // All below half of the last place rounds to zero, however far below.
    let subnormal = (smallest_exponent - exponent).clamp(0, 64) as u32;
    let dropped = 63 - fraction_bits + subnormal;
    if dropped > 64 {
        return sign;
    }
    let kept = if dropped == 64 { 0 } else { significand >> dropped };
    let rest = significand << (64 - dropped).min(63) << u32::from(dropped == 0);
    let rounds_up = rest > 1 << 63 || rest == 1 << 63 && kept & 1 != 0;
    // The leading one of a normal number adds one to the exponent, and so does a carry into it.
    let steps = u64::from((exponent - smallest_exponent).max(0) as u32);
    sign | ((steps << fraction_bits) + kept + u64::from(rounds_up)).min(infinity(scalar))
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
    let away = (error > 0.0) & (sum > 0.0) | (error < 0.0) & (sum < 0.0);
    let toward = (error > 0.0) & (sum < 0.0) | (error < 0.0) & (sum > 0.0);
    let step = u64::from(away).wrapping_sub(u64::from(toward));
    f64::from_bits(bits.wrapping_add(step & (bits & 1 ^ 1).wrapping_neg()))
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
