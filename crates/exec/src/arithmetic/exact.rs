//! Floating-point arithmetic with any rounding, by way of exact numbers.
//!
//! A finite number is ± *m* · 2^*e* with an integer *m*. Sums and products of such numbers are such numbers, and of a
//! quotient or root it is enough to know the highest 64 bits and whether anything is below. So each result is rounded
//! once. Where an operand is not finite, the result has no rounding and is that of `double`.

use num_bigint::{BigInt, BigUint, Sign};

use crate::value::Scalar;

use super::float::{Rounding, decode, encode, round};

/// A finite number.
#[derive(Debug, Clone)]
pub struct Exact {
    significand: BigInt,
    exponent: i32,
}

impl Exact {
    /// A number, unless it is infinite or NaN.
    pub fn new(value: f64) -> Option<Exact> {
        let bits = value.to_bits();
        let biased = (bits >> 52 & 0x7ff) as i32;
        let fraction = bits & ((1 << 52) - 1);
        let magnitude = BigUint::from(if biased == 0 { fraction } else { fraction | 1 << 52 });
        let sign = if value.is_sign_negative() { Sign::Minus } else { Sign::Plus };
        let significand = BigInt::from_biguint(sign, magnitude);
        value.is_finite().then(|| Exact { significand, exponent: biased.max(1) - 1075 })
    }

    /// An integer.
    pub fn integer(number: BigInt) -> Exact {
        Exact { significand: number, exponent: 0 }
    }

    /// The number in a format.
    pub fn round(&self, scalar: Scalar, rounding: Rounding) -> u64 {
        self.round_with_rest(scalar, rounding, false)
    }

    /// The number, or one of which this is the part above some bit if there is a `rest` below.
    fn round_with_rest(&self, scalar: Scalar, rounding: Rounding, rest: bool) -> u64 {
        let magnitude = self.significand.magnitude();
        let below = magnitude.bits().saturating_sub(64);
        let rest = rest || magnitude.trailing_zeros().is_some_and(|zeros| zeros < below);
        let highest = (magnitude >> below).iter_u64_digits().next().unwrap_or(0);
        let exponent = self.exponent + below as i32;
        round(scalar, rounding, self.significand.sign() == Sign::Minus, highest | u64::from(rest), exponent)
    }

    fn plus(&self, other: &Exact) -> Exact {
        let exponent = self.exponent.min(other.exponent);
        let at = |number: &Exact| &number.significand << (number.exponent - exponent);
        Exact { significand: at(self) + at(other), exponent }
    }

    fn times(&self, other: &Exact) -> Exact {
        Exact { significand: &self.significand * &other.significand, exponent: self.exponent + other.exponent }
    }
}

/// *ab* + *c*, rounded once.
pub fn fma(scalar: Scalar, rounding: Rounding, a: u64, b: u64, c: u64) -> u64 {
    let [x, y, z] = [a, b, c].map(|bits| decode(scalar, bits));
    let (Some(p), Some(q), Some(r)) = (Exact::new(x), Exact::new(y), Exact::new(z)) else {
        // A product of finite numbers is finite here, however large.
        return encode(scalar, if x.is_finite() && y.is_finite() { z } else { x * y + z });
    };
    let sum = p.times(&q).plus(&r);
    if sum.significand.sign() != Sign::NoSign {
        return sum.round(scalar, rounding);
    }
    // Zeroes of different signs, and numbers that cancel out, give the zero on the side to which is rounded.
    let product_negative = x.is_sign_negative() != y.is_sign_negative();
    let negative = match product_negative == z.is_sign_negative() && (x == 0.0 || y == 0.0) {
        true => product_negative,
        false => rounding == Rounding::Down,
    };
    encode(scalar, if negative { -0.0 } else { 0.0 })
}

/// *a* + *b*.
pub fn add(scalar: Scalar, rounding: Rounding, a: u64, b: u64) -> u64 {
    fma(scalar, rounding, a, encode(scalar, 1.0), b)
}

/// *ab*.
pub fn mul(scalar: Scalar, rounding: Rounding, a: u64, b: u64) -> u64 {
    let (x, y) = (decode(scalar, a), decode(scalar, b));
    match (Exact::new(x), Exact::new(y)) {
        (Some(p), Some(q)) if x != 0.0 && y != 0.0 => p.times(&q).round(scalar, rounding),
        _ => encode(scalar, x * y),
    }
}

/// *a* / *b*.
pub fn div(scalar: Scalar, rounding: Rounding, a: u64, b: u64) -> u64 {
    let (x, y) = (decode(scalar, a), decode(scalar, b));
    match (Exact::new(x), Exact::new(y)) {
        (Some(p), Some(q)) if x != 0.0 && y != 0.0 => {
            // With 128 bits more, the quotient has at least 64.
            let dividend: BigInt = p.significand << 128;
            let quotient = Exact { significand: &dividend / &q.significand, exponent: p.exponent - 128 - q.exponent };
            let rest = (dividend % q.significand).sign() != Sign::NoSign;
            quotient.round_with_rest(scalar, rounding, rest)
        }
        _ => encode(scalar, x / y),
    }
}

/// √*a*.
pub fn sqrt(scalar: Scalar, rounding: Rounding, a: u64) -> u64 {
    let x = decode(scalar, a);
    match Exact::new(x) {
        Some(p) if x > 0.0 => {
            // An even exponent, and more than 128 bits, so that the root has at least 64.
            let shift = 128 + p.exponent.rem_euclid(2);
            let radicand = p.significand << shift;
            let root = radicand.sqrt();
            let rest = &root * &root != radicand;
            let root = Exact { significand: root, exponent: (p.exponent - shift) / 2 };
            root.round_with_rest(scalar, rounding, rest)
        }
        _ => encode(scalar, x.sqrt()),
    }
}
