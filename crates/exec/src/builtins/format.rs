//! Floating-point formats, and rounding into them.
//!
//! A finite number of a format with precision *p* and least exponent *e* is ±*m*·2^*q* with *m* < 2^*p* and *q* ≥ *e* − *p* + 1.
//! [`Format::round`] maps an exact ±*s*·2^*x* to the neighbour that a [`Rounding`] asks for, so every conversion of this
//! crate of built-in functions is rounded once. Each format except binary64 is embedded in binary64: [`Format::decode`] is exact.

use super::Number;

/// Which of the two neighbours a number is rounded to that has no representation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Rounding {
    /// The nearer one; of two that are equally near, the even one.
    NearestEven,
    /// The one nearer to zero.
    TowardZero,
    /// The greater one.
    Upward,
    /// The lesser one.
    Downward,
}

impl Rounding {
    /// The mode of a name's ending: `rte`, `rtz`, `rtp`, `rtn`; or CUDA's `rn`, `rz`, `ru`, `rd`.
    pub(super) fn named(name: &str) -> Option<Rounding> {
        Some(match name {
            "rte" | "rn" => Rounding::NearestEven,
            "rtz" | "rz" => Rounding::TowardZero,
            "rtp" | "ru" => Rounding::Upward,
            "rtn" | "rd" => Rounding::Downward,
            _ => return None,
        })
    }

    /// Rounds to an integer.
    pub(super) fn to_integer(self, value: f64) -> f64 {
        match self {
            Rounding::NearestEven => value.round_ties_even(),
            Rounding::TowardZero => value.trunc(),
            Rounding::Upward => value.ceil(),
            Rounding::Downward => value.floor(),
        }
    }
}

/// A binary floating-point format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Format {
    Half,
    BFloat,
    Float,
    Double,
}

impl Format {
    pub(super) fn of(number: Number) -> Option<Format> {
        Some(match number {
            Number::Half => Format::Half,
            Number::BFloat => Format::BFloat,
            Number::Float => Format::Float,
            Number::Double => Format::Double,
            _ => return None,
        })
    }

    /// How many bits it has, the sign among them.
    pub(super) fn bits(self) -> u32 {
        match self {
            Format::Half | Format::BFloat => 16,
            Format::Float => 32,
            Format::Double => 64,
        }
    }

    /// How many bits a significand has, the leading one included.
    pub(super) fn precision(self) -> u32 {
        match self {
            Format::Half => 11,
            Format::BFloat => 8,
            Format::Float => 24,
            Format::Double => 53,
        }
    }

    fn bias(self) -> i32 {
        (1 << (self.bits() - self.precision() - 1)) - 1
    }

    pub(super) fn sign_bit(self) -> u64 {
        1 << (self.bits() - 1)
    }

    pub(super) fn infinity(self) -> u64 {
        let fraction_bits = self.precision() - 1;
        (self.sign_bit() - 1) >> fraction_bits << fraction_bits
    }

    /// The number that these bits are.
    pub(super) fn decode(self, bits: u64) -> f64 {
        match self {
            Format::Float => f64::from(f32::from_bits(bits as u32)),
            Format::BFloat => f64::from(f32::from_bits((bits as u32) << 16)),
            Format::Double => f64::from_bits(bits),
            Format::Half => {
                let sign = (bits & 0x8000) << 48;
                let magnitude = match bits & 0x7fff {
                    subnormal @ 0..0x400 => (subnormal as f64 * f64::from_bits(0x3e70_0000_0000_0000)).to_bits(),
                    normal @ 0x400..0x7c00 => (normal << 42) + (1008 << 52),
                    special => special << 42 | 0x7ff0_0000_0000_0000,
                };
                f64::from_bits(sign | magnitude)
            }
        }
    }

    /// The bits of the number nearest to this one.
    pub(super) fn encode(self, value: f64) -> u64 {
        match self {
            Format::Double => value.to_bits(),
            Format::Float => u64::from((value as f32).to_bits()),
            Format::Half | Format::BFloat => self.encode_rounded(value, Rounding::NearestEven),
        }
    }

    /// The bits of a neighbour of this number.
    pub(super) fn encode_rounded(self, value: f64, rounding: Rounding) -> u64 {
        if self == Format::Double {
            return value.to_bits();
        }
        let negative = value.is_sign_negative();
        let sign = if negative { self.sign_bit() } else { 0 };
        if value.is_nan() {
            return sign | self.infinity() | 1 << (self.precision() - 2);
        }
        if value.is_infinite() {
            return sign | self.infinity();
        }
        let (fraction, exponent) = (value.to_bits() & ((1 << 52) - 1), (value.to_bits() >> 52 & 0x7ff) as i32);
        let significand = if exponent == 0 { fraction } else { fraction | 1 << 52 };
        self.round(negative, u128::from(significand), exponent.max(1) - 1075, rounding)
    }

    /// The bits of a neighbour of ±`significand`·2^`exponent`.
    pub(super) fn round(self, negative: bool, significand: u128, exponent: i32, rounding: Rounding) -> u64 {
        let sign = if negative { self.sign_bit() } else { 0 };
        if significand == 0 {
            return sign;
        }
        let fraction_bits = self.precision() as i32 - 1;
        let leading = 127 - significand.leading_zeros() as i32 + exponent;
        // The exponent of the last place of the result.
        let last = leading.max(1 - self.bias()) - fraction_bits;
        let shift = last - exponent;
        let (kept, up) = if shift <= 0 {
            (significand << -shift, false)
        } else {
            let kept = significand.checked_shr(shift as u32).unwrap_or(0);
            let lost = significand & 1u128.checked_shl(shift as u32).map_or(u128::MAX, |bit| bit - 1);
            let half = 1u128.checked_shl(shift as u32 - 1);
            let up = match rounding {
                Rounding::NearestEven => half.is_some_and(|half| lost > half || lost == half && kept & 1 == 1),
                Rounding::TowardZero => false,
                Rounding::Upward => lost != 0 && !negative,
                Rounding::Downward => lost != 0 && negative,
            };
            (kept, up)
        };
        let biased = (last + fraction_bits + self.bias()) as u64;
        // A subnormal result has no leading one, and so gets the biased exponent 0; a carry goes into the exponent.
        let magnitude = (biased << fraction_bits) + (kept as u64 + u64::from(up)) - (1 << fraction_bits);
        let infinity = self.infinity();
        if biased < 1 << (self.bits() - self.precision()) && magnitude < infinity {
            return sign | magnitude;
        }
        let away = match rounding {
            Rounding::NearestEven => true,
            Rounding::TowardZero => false,
            Rounding::Upward => !negative,
            Rounding::Downward => negative,
        };
        sign | if away { infinity } else { infinity - 1 }
    }
}
