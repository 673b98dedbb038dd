//! Integers of any width, one lane at a time.
//!
//! An integer of *w* bits is a residue modulo 2^*w*. Invariant: it is held as the representative in 0 … 2^*w* − 1. Read as
//! *signed* it is the representative in −2^(*w*−1) … 2^(*w*−1) − 1. All operations wrap unless they say otherwise.
//!
//! There are three representations, chosen by width: [`Narrow`] up to 64 bits, [`Double`] up to 128, and
//! [`Wide`]. They share one definition of everything that is not a primitive of the representation.

use std::cmp::Ordering;

use num_bigint::{BigInt, BigUint};
use smallvec::SmallVec;

/// An integer of a fixed width.
pub trait Integer: Clone + PartialEq {
    /// The number with these limbs of 64 bits, lowest first, modulo 2^`width`.
    fn from_limbs(width: u32, limb: impl Fn(usize) -> u64) -> Self;
    /// Its limbs of 64 bits, lowest first, and zeroes for ever.
    fn limbs(&self) -> impl Iterator<Item = u64>;
    /// A bit; the lowest is number 0.
    fn bit(&self, index: u32) -> bool;
    /// How many bits it has.
    fn width(&self) -> u32;
    /// The number, unsigned.
    fn to_big(&self) -> BigUint;
    /// A number modulo 2^`width`.
    fn from_big(width: u32, number: &BigUint) -> Self;
    /// Bitwise and.
    fn and(&self, other: &Self) -> Self;
    /// Bitwise or.
    fn or(&self, other: &Self) -> Self;
    /// Bitwise exclusive or.
    fn xor(&self, other: &Self) -> Self;
    /// The sum.
    fn add(&self, other: &Self) -> Self;
    /// The product.
    fn mul(&self, other: &Self) -> Self;
    /// The upper half of the unsigned product of twice the width.
    fn mul_high(&self, other: &Self) -> Self;
    /// Shifted to the left; zero if the amount is the width or more.
    fn shl(&self, amount: u32) -> Self;
    /// Shifted to the right; zero if the amount is the width or more.
    fn lshr(&self, amount: u32) -> Self;
    /// Quotient and remainder, unsigned; the divisor must not be zero.
    fn divide(&self, divisor: &Self) -> (Self, Self);
    /// Unsigned comparison.
    fn compare(&self, other: &Self) -> Ordering;
    /// How many bits are set.
    fn count_ones(&self) -> u32;
    /// How many zero bits there are above the highest set one; the width for zero.
    fn leading_zeros(&self) -> u32;
    /// How many zero bits there are below the lowest set one; the width for zero.
    fn trailing_zeros(&self) -> u32;

    /// A small number modulo 2^`width`.
    fn small(width: u32, number: u64) -> Self {
        Self::from_limbs(width, |index| if index == 0 { number } else { 0 })
    }
    /// All bits set: the largest unsigned number, and −1.
    fn ones(width: u32) -> Self {
        Self::from_limbs(width, |_| u64::MAX)
    }
    /// The smallest signed number: only the sign bit set.
    fn signed_min(width: u32) -> Self {
        Self::small(width, 1).shl(width - 1)
    }
    /// The largest signed number.
    fn signed_max(width: u32) -> Self {
        Self::ones(width).lshr(1)
    }
    /// Whether it is zero.
    fn is_zero(&self) -> bool {
        *self == Self::small(self.width(), 0)
    }
    /// Whether the sign bit is set.
    fn is_negative(&self) -> bool {
        self.bit(self.width() - 1)
    }
    /// The lowest 64 bits.
    fn low(&self) -> u64 {
        self.limbs().next().unwrap_or(0)
    }
    /// The number if it is below `bound`, which is what matters of a shift amount.
    fn below(&self, bound: u32) -> Option<u32> {
        let low = self.low();
        (low < u64::from(bound) && *self == Self::small(self.width(), low)).then_some(low as u32)
    }
    /// All bits inverted.
    fn not(&self) -> Self {
        self.xor(&Self::ones(self.width()))
    }
    /// Minus this.
    fn neg(&self) -> Self {
        self.not().add(&Self::small(self.width(), 1))
    }
    /// The difference.
    fn sub(&self, other: &Self) -> Self {
        self.add(&other.neg())
    }
    /// Shifted to the right, with copies of the sign bit from the left.
    fn ashr(&self, amount: u32) -> Self {
        if self.is_negative() { self.not().lshr(amount).not() } else { self.lshr(amount) }
    }
    /// Signed comparison.
    fn compare_signed(&self, other: &Self) -> Ordering {
        other.is_negative().cmp(&self.is_negative()).then_with(|| self.compare(other))
    }
    /// The absolute value; of the smallest signed number, itself.
    fn abs(&self) -> Self {
        if self.is_negative() { self.neg() } else { self.clone() }
    }
    /// Quotient, towards zero, and remainder, with the sign of the dividend; the divisor must not be zero.
    fn divide_signed(&self, divisor: &Self) -> (Self, Self) {
        let (quotient, remainder) = self.abs().divide(&divisor.abs());
        let negate = |number: Self, negative| if negative { number.neg() } else { number };
        (negate(quotient, self.is_negative() != divisor.is_negative()), negate(remainder, self.is_negative()))
    }
    /// The upper half of the signed product of twice the width.
    fn mul_high_signed(&self, other: &Self) -> Self {
        let mut high = self.mul_high(other);
        if self.is_negative() {
            high = high.sub(other);
        }
        if other.is_negative() {
            high = high.sub(self);
        }
        high
    }
    /// Whether the unsigned sum is too large.
    fn add_carries(&self, other: &Self) -> bool {
        self.add(other).compare(self) == Ordering::Less
    }
    /// Whether the signed sum is out of range.
    fn add_overflows(&self, other: &Self) -> bool {
        let sum = self.add(other);
        self.xor(&sum).and(&other.xor(&sum)).is_negative()
    }
    /// Whether the unsigned difference is negative.
    fn sub_borrows(&self, other: &Self) -> bool {
        self.compare(other) == Ordering::Less
    }
    /// Whether the signed difference is out of range.
    fn sub_overflows(&self, other: &Self) -> bool {
        self.xor(other).and(&self.xor(&self.sub(other))).is_negative()
    }
    /// Whether the unsigned product is too large.
    fn mul_carries(&self, other: &Self) -> bool {
        !self.mul_high(other).is_zero()
    }
    /// Whether the signed product is out of range.
    fn mul_overflows(&self, other: &Self) -> bool {
        self.mul_high_signed(other) != self.mul(other).ashr(self.width() - 1)
    }
    /// The number, signed.
    fn to_big_signed(&self) -> BigInt {
        let magnitude = BigInt::from(self.abs().to_big());
        if self.is_negative() { -magnitude } else { magnitude }
    }
    /// The number modulo 2^`width`, as another representation; copies of the sign bit are above it if `signed`.
    fn resize<To: Integer>(&self, width: u32, signed: bool) -> To {
        let filling = if signed && self.is_negative() { u64::MAX } else { 0 };
        let mut limbs: SmallVec<[u64; 4]> = self.limbs().take(self.width().div_ceil(64) as usize).collect();
        if let (Some(last), 1..) = (limbs.last_mut(), self.width() % 64) {
            *last |= filling << (self.width() % 64);
        }
        To::from_limbs(width, |index| limbs.get(index).copied().unwrap_or(filling))
    }
}

macro_rules! primitive {
    ($(#[$doc:meta])* $name:ident, $bits:ty, $most:literal, $mul_high:expr) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub struct $name {
            bits: $bits,
            width: u32,
        }

        impl $name {
            /// A number modulo 2^`width`.
            #[inline]
            pub fn new(width: u32, bits: $bits) -> $name {
                $name { bits: bits & (<$bits>::MAX >> ($most - width)), width }
            }

            /// The number, unsigned.
            #[inline]
            pub fn bits(self) -> $bits {
                self.bits
            }
        }

        impl Integer for $name {
            #[inline]
            fn from_limbs(width: u32, limb: impl Fn(usize) -> u64) -> Self {
                let bits = (0..width.div_ceil(64)).fold(0, |bits, index| bits | <$bits>::from(limb(index as usize)) << (64 * index));
                $name::new(width, bits)
            }
            #[inline]
            fn limbs(&self) -> impl Iterator<Item = u64> {
                let bits = self.bits;
                (0..$most / 64).map(move |index| (bits >> (64 * index)) as u64).chain(std::iter::repeat(0))
            }
            #[inline]
            fn bit(&self, index: u32) -> bool {
                self.bits >> index & 1 != 0
            }
            #[inline]
            fn width(&self) -> u32 {
                self.width
            }
            fn to_big(&self) -> BigUint {
                BigUint::from(self.bits)
            }
            fn from_big(width: u32, number: &BigUint) -> Self {
                let digits = number.to_u64_digits();
                Self::from_limbs(width, |index| digits.get(index).copied().unwrap_or(0))
            }
            #[inline]
            fn and(&self, other: &Self) -> Self {
                $name { bits: self.bits & other.bits, ..*self }
            }
            #[inline]
            fn or(&self, other: &Self) -> Self {
                $name { bits: self.bits | other.bits, ..*self }
            }
            #[inline]
            fn xor(&self, other: &Self) -> Self {
                $name { bits: self.bits ^ other.bits, ..*self }
            }
            #[inline]
            fn add(&self, other: &Self) -> Self {
                $name::new(self.width, self.bits.wrapping_add(other.bits))
            }
            #[inline]
            fn mul(&self, other: &Self) -> Self {
                $name::new(self.width, self.bits.wrapping_mul(other.bits))
            }
            #[inline]
            fn mul_high(&self, other: &Self) -> Self {
                $mul_high(self, other)
            }
            #[inline]
            fn shl(&self, amount: u32) -> Self {
                $name::new(self.width, if amount < $most { self.bits << amount } else { 0 })
            }
            #[inline]
            fn lshr(&self, amount: u32) -> Self {
                $name { bits: if amount < $most { self.bits >> amount } else { 0 }, ..*self }
            }
            #[inline]
            fn divide(&self, divisor: &Self) -> (Self, Self) {
                ($name { bits: self.bits / divisor.bits, ..*self }, $name { bits: self.bits % divisor.bits, ..*self })
            }
            #[inline]
            fn compare(&self, other: &Self) -> Ordering {
                self.bits.cmp(&other.bits)
            }
            #[inline]
            fn count_ones(&self) -> u32 {
                self.bits.count_ones()
            }
            #[inline]
            fn leading_zeros(&self) -> u32 {
                self.bits.leading_zeros() - ($most - self.width)
            }
            #[inline]
            fn trailing_zeros(&self) -> u32 {
                self.bits.trailing_zeros().min(self.width)
            }
        }
    };
}

primitive! {
    /// An integer of 1 to 64 bits.
    Narrow, u64, 64, |a: &Narrow, b: &Narrow| {
        Narrow::new(a.width, ((u128::from(a.bits) * u128::from(b.bits)) >> a.width) as u64)
    }
}

primitive! {
    /// An integer of 1 to 128 bits.
    Double, u128, 128, |a: &Double, b: &Double| Double::from_big(a.width, &((a.to_big() * b.to_big()) >> a.width))
}

/// An integer of any width.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wide {
    number: BigUint,
    width: u32,
}

impl Wide {
    fn new(width: u32, number: BigUint) -> Wide {
        let number =
            if number.bits() > u64::from(width) { number & ((BigUint::from(1u32) << width) - 1u32) } else { number };
        Wide { number, width }
    }
}

impl Integer for Wide {
    fn from_limbs(width: u32, limb: impl Fn(usize) -> u64) -> Self {
        let digits = (0..width.div_ceil(64) as usize).map(limb).flat_map(|limb| [limb as u32, (limb >> 32) as u32]);
        Wide::new(width, BigUint::new(digits.collect()))
    }
    fn limbs(&self) -> impl Iterator<Item = u64> {
        self.number.iter_u64_digits().chain(std::iter::repeat(0))
    }
    fn bit(&self, index: u32) -> bool {
        self.number.bit(u64::from(index))
    }
    fn width(&self) -> u32 {
        self.width
    }
    fn to_big(&self) -> BigUint {
        self.number.clone()
    }
    fn from_big(width: u32, number: &BigUint) -> Self {
        Wide::new(width, number.clone())
    }
    fn and(&self, other: &Self) -> Self {
        Wide { number: &self.number & &other.number, ..*self }
    }
    fn or(&self, other: &Self) -> Self {
        Wide { number: &self.number | &other.number, ..*self }
    }
    fn xor(&self, other: &Self) -> Self {
        Wide { number: &self.number ^ &other.number, ..*self }
    }
    fn add(&self, other: &Self) -> Self {
        Wide::new(self.width, &self.number + &other.number)
    }
    fn mul(&self, other: &Self) -> Self {
        Wide::new(self.width, &self.number * &other.number)
    }
    fn mul_high(&self, other: &Self) -> Self {
        Wide { number: (&self.number * &other.number) >> self.width, ..*self }
    }
    fn shl(&self, amount: u32) -> Self {
        Wide::new(self.width, if amount < self.width { &self.number << amount } else { BigUint::ZERO })
    }
    fn lshr(&self, amount: u32) -> Self {
        Wide { number: &self.number >> amount, ..*self }
    }
    fn divide(&self, divisor: &Self) -> (Self, Self) {
        (
            Wide { number: &self.number / &divisor.number, ..*self },
            Wide { number: &self.number % &divisor.number, ..*self },
        )
    }
    fn compare(&self, other: &Self) -> Ordering {
        self.number.cmp(&other.number)
    }
    fn count_ones(&self) -> u32 {
        self.number.count_ones() as u32
    }
    fn leading_zeros(&self) -> u32 {
        self.width - self.number.bits() as u32
    }
    fn trailing_zeros(&self) -> u32 {
        self.number.trailing_zeros().map_or(self.width, |zeros| zeros as u32)
    }
}

/// Evaluates an expression with a type name bound to the representation of integers of a width.
macro_rules! with_width {
    ($width:expr, $integer:ident => $body:expr) => {
        match $width {
            0..=64 => {
                type $integer = $crate::arithmetic::integer::Narrow;
                $body
            }
            65..=128 => {
                type $integer = $crate::arithmetic::integer::Double;
                $body
            }
            _ => {
                type $integer = $crate::arithmetic::integer::Wide;
                $body
            }
        }
    };
}
pub(crate) use with_width;
