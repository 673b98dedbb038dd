//! Arithmetic of AMDGPU.

use std::sync::LazyLock;

use num_bigint::BigUint;

use crate::arithmetic::exact;
use crate::arithmetic::float::{Rounding, class, decode, encode, extreme, fma, is_nan};
use crate::arithmetic::integer::{Integer, Narrow};
use crate::value::{Scalar, low_bits};

use super::Function::{Bits, Integers, Pair, Real1, Real2, Real3, Whole};
use super::general::{cos_turns, real, scale, sin_turns};
use super::integer::Operation::FunnelRight;
use super::{Row, Types};

pub(super) const ROWS: &[Row] = &[
    ("amdgcn.rcp", "F=F", Real1(|x| 1.0 / x)),
    ("amdgcn.rcp.legacy", "f=f", Real1(|x| 1.0 / x)),
    ("amdgcn.rsq", "F=F", Real1(inverse_root)),
    ("amdgcn.rsq.legacy", "f=f", Real1(inverse_root)),
    (
        "amdgcn.rsq.clamp",
        "F=F",
        Bits(|types, x| real(types, x, |x| inverse_root(x).clamp(-largest(types), largest(types)))),
    ),
    ("r600.recipsqrt.ieee", "F=F", Real1(inverse_root)),
    (
        "r600.recipsqrt.clamped",
        "F=F",
        Bits(|types, x| real(types, x, |x| inverse_root(x).clamp(-largest(types), largest(types)))),
    ),
    ("amdgcn.sqrt", "F=F", Real1(f64::sqrt)),
    ("amdgcn.log", "F=F", Real1(libm::log2)),
    ("amdgcn.log.clamp", "F=F", Bits(|types, x| real(types, x, |x| libm::log2(x).max(-largest(types))))),
    ("amdgcn.exp2", "F=F", Real1(libm::exp2)),
    ("amdgcn.tanh", "F=F", Real1(libm::tanh)),
    ("amdgcn.sin", "F=F", Real1(sin_turns)),
    ("amdgcn.cos", "F=F", Real1(cos_turns)),
    ("amdgcn.fract", "F=F", Bits(fraction)),
    ("amdgcn.ldexp", "Fi=F", Bits(scale)),
    ("amdgcn.frexp.mant", "F=F", Real1(|x| if x.is_finite() { libm::frexp(x).0 } else { x })),
    ("amdgcn.frexp.exp", "F=m", Bits(frexp_exponent)),
    ("amdgcn.fmul.legacy", "ff=f", Real2(|x, y| if x == 0.0 || y == 0.0 { 0.0 } else { x * y })),
    (
        "amdgcn.fma.legacy",
        "fff=f",
        Bits(|types, x| {
            let zero = x[..2].iter().any(|&bits| decode(types.operand(), bits) == 0.0);
            fma(types.operand(), if zero { 0 } else { x[0] }, if zero { 0 } else { x[1] }, x[2])
        }),
    ),
    ("amdgcn.fmad.ftz", "FFF=F", Real3(|x, y, z| x * y + z)),
    ("amdgcn.fmed3", "FFF=F", Bits(median)),
    ("amdgcn.class", "Fi=b", Bits(|types, x| u64::from(x[1] & class(types.operand(), x[0]) != 0))),
    ("amdgcn.cvt.pkrtz", "ff=hh", Pair(|_, x| [x[0], x[1]].map(toward_zero))),
    ("amdgcn.cvt.pknorm.i16", "ff=ss", Pair(|_, x| [x[0], x[1]].map(|x| normalised(x, -1.0, 32767.0)))),
    ("amdgcn.cvt.pknorm.u16", "ff=ss", Pair(|_, x| [x[0], x[1]].map(|x| normalised(x, 0.0, 65535.0)))),
    ("amdgcn.cvt.pk.i16", "ii=ss", Pair(|_, x| [x[0], x[1]].map(|x| signed(x).clamp(-0x8000, 0x7fff) as u64 & 0xffff))),
    ("amdgcn.cvt.pk.u16", "ii=ss", Pair(|_, x| [x[0], x[1]].map(|x| x.min(0xffff)))),
    ("amdgcn.cvt.pk.u8.f32", "fii=i", Bits(insert_byte)),
    ("amdgcn.ubfe", "nii=n", Bits(|types, x| extract(types, x, false))),
    ("amdgcn.sbfe", "nii=n", Bits(|types, x| extract(types, x, true))),
    ("amdgcn.alignbit", "iii=i", Integers(FunnelRight)),
    ("amdgcn.alignbyte", "iii=i", Bits(|_, x| (x[0] << 32 | x[1]) >> (8 * (x[2] & 3)) & 0xffff_ffff)),
    ("amdgcn.perm", "iii=i", Bits(|_, x| permute_bytes(x[0] << 32 | x[1], x[2]))),
    (
        "amdgcn.lerp",
        "iii=i",
        Bits(|_, x| from_bytes(|byte| (byte_of(x[0], byte) + byte_of(x[1], byte) + (x[2] >> (8 * byte) & 1)) >> 1)),
    ),
    ("amdgcn.sad.u8", "iii=i", Bits(|_, x| (x[2] + differences(x[0], x[1], |_| true)) & 0xffff_ffff)),
    ("amdgcn.sad.hi.u8", "iii=i", Bits(|_, x| (x[2] + (differences(x[0], x[1], |_| true) << 16)) & 0xffff_ffff)),
    ("amdgcn.msad.u8", "iii=i", Bits(|_, x| (x[2] + differences(x[0], x[1], |byte| byte != 0)) & 0xffff_ffff)),
    (
        "amdgcn.sad.u16",
        "iii=i",
        Bits(|_, x| {
            let half = |shift: u32| (x[0] >> shift & 0xffff).abs_diff(x[1] >> shift & 0xffff);
            (x[2] + half(0) + half(16)) & 0xffff_ffff
        }),
    ),
    ("amdgcn.mul.i24", "ii=m", Bits(|types, x| (low24(x[0]) * low24(x[1])) as u64 & low_bits(types.result().bits()))),
    (
        "amdgcn.mul.u24",
        "ii=m",
        Bits(|types, x| ((x[0] & 0xff_ffff) * (x[1] & 0xff_ffff)) & low_bits(types.result().bits())),
    ),
    ("amdgcn.mulhi.i24", "ii=i", Bits(|_, x| ((low24(x[0]) * low24(x[1])) >> 32) as u64 & 0xffff_ffff)),
    ("amdgcn.mulhi.u24", "ii=i", Bits(|_, x| ((x[0] & 0xff_ffff) * (x[1] & 0xff_ffff)) >> 32)),
    ("amdgcn.sffbh", "n=n", Bits(sign_run)),
    ("amdgcn.bitreplicate", "i=l", Bits(|_, x| (0..64).fold(0, |bits, bit| bits | (x[0] >> (bit / 2) & 1) << bit))),
    ("amdgcn.div.scale", "FFb=Fb", Pair(scale_division)),
    ("amdgcn.div.fmas", "FFFb=F", Bits(scaled_fma)),
    ("amdgcn.div.fixup", "FFF=F", Bits(fix_quotient)),
    ("amdgcn.trig.preop", "di=d", Bits(|_, x| two_over_pi_segment(x[0], x[1]).to_bits())),
    ("amdgcn.fdot2", "hhfb=f", Whole(dot_halves)),
    ("amdgcn.sdot2", "ssib=i", Whole(|types, x, out| out[0] = dot_halfwords(x, true, types.operand().bits()))),
    ("amdgcn.udot2", "ssib=i", Whole(|types, x, out| out[0] = dot_halfwords(x, false, types.operand().bits()))),
    ("amdgcn.sdot4", "iiib=i", Bits(|_, x| dot_packed(x, 8, true))),
    ("amdgcn.udot4", "iiib=i", Bits(|_, x| dot_packed(x, 8, false))),
    ("amdgcn.sdot8", "iiib=i", Bits(|_, x| dot_packed(x, 4, true))),
    ("amdgcn.udot8", "iiib=i", Bits(|_, x| dot_packed(x, 4, false))),
];

fn inverse_root(x: f64) -> f64 {
    1.0 / x.sqrt()
}

/// The largest finite number.
fn largest(types: &Types) -> f64 {
    match types.operand() {
        Scalar::Half => 65504.0,
        Scalar::BFloat => decode(Scalar::BFloat, 0x7f7f),
        Scalar::Float => f64::from(f32::MAX),
        _ => f64::MAX,
    }
}

/// A 32-bit number, signed.
fn signed(bits: u64) -> i64 {
    i64::from(bits as u32 as i32)
}

/// The lowest 24 bits, signed.
fn low24(bits: u64) -> i64 {
    i64::from((bits as u32) << 8) << 32 >> 40
}

pub(super) fn byte_of(bits: u64, byte: u32) -> u64 {
    bits >> (8 * byte) & 0xff
}

/// Four bytes.
pub(super) fn from_bytes(byte: impl Fn(u32) -> u64) -> u64 {
    (0..4).fold(0, |bits, index| bits | (byte(index) & 0xff) << (8 * index))
}

/// The sum of the absolute differences of bytes, of those for which the second one counts.
fn differences(a: u64, b: u64, counts: impl Fn(u64) -> bool) -> u64 {
    (0..4)
        .map(|byte| (byte_of(a, byte), byte_of(b, byte)))
        .filter(|&(_, b)| counts(b))
        .map(|(a, b)| a.abs_diff(b))
        .sum()
}

fn toward_zero(bits: u64) -> u64 {
    let value = decode(Scalar::Float, bits);
    exact::Exact::new(value)
        .map_or_else(|| encode(Scalar::Half, value), |value| value.round(Scalar::Half, Rounding::Zero))
}

/// A number of [`low`, 1] as an integer in which `one` stands for 1.
fn normalised(bits: u64, low: f64, one: f64) -> u64 {
    let value = decode(Scalar::Float, bits);
    let value = if value.is_nan() { 0.0 } else { value.clamp(low, 1.0) };
    (value * one).round_ties_even() as i64 as u64 & 0xffff
}

fn insert_byte(_: &Types, operands: &[u64]) -> u64 {
    let value = decode(Scalar::Float, operands[0]).clamp(0.0, 255.0) as u64;
    let shift = 8 * (operands[1] & 3);
    operands[2] & !(0xff << shift) | value << shift
}

/// As many bits as the third operand says, from where the second one says.
fn extract(types: &Types, operands: &[u64], signed: bool) -> u64 {
    let width = types.operand().bits();
    let amount = |bits: u64| (bits & u64::from(width - 1)) as u32;
    let (offset, count) = (amount(operands[1]), amount(operands[2]));
    if count == 0 {
        return 0;
    }
    let source = Narrow::new(width, operands[0]);
    if offset + count >= width {
        let shifted = if signed { source.ashr(offset) } else { source.lshr(offset) };
        return shifted.bits();
    }
    let top = source.shl(width - offset - count);
    if signed { top.ashr(width - count) } else { top.lshr(width - count) }.bits()
}

/// Each byte of the result is the one of eight that a byte of the selector says: 0 to 7 of the source, 8 to 11 copies of
/// the sign of its bytes 1, 3, 5 and 7, 12 zero, and more than that all bits set.
fn permute_bytes(source: u64, selector: u64) -> u64 {
    from_bytes(|byte| match byte_of(selector, byte) as u32 {
        select @ 0..=7 => byte_of(source, select),
        select @ 8..=11 => (source >> (16 * (select - 8) + 15) & 1) * 0xff,
        12 => 0,
        _ => 0xff,
    })
}

/// How many bits there are before the first that differs from the sign bit; −1 if none does.
fn sign_run(types: &Types, operands: &[u64]) -> u64 {
    let number = Narrow::new(types.operand().bits(), operands[0]);
    let differing = if number.is_negative() { number.not() } else { number };
    if differing.is_zero() { low_bits(number.width()) } else { u64::from(differing.leading_zeros()) }
}

fn fraction(types: &Types, operands: &[u64]) -> u64 {
    // The largest number below one, where rounding would give one.
    let below_one = encode(types.operand(), 1.0) - 1;
    real(types, operands, |x| {
        let fraction = x - x.floor();
        if fraction.is_nan() { fraction } else { fraction.min(decode(types.operand(), below_one)) }
    })
}

fn frexp_exponent(types: &Types, operands: &[u64]) -> u64 {
    let value = decode(types.operand(), operands[0]);
    let exponent = if value.is_finite() { libm::frexp(value).1 } else { 0 };
    exponent as u64 & low_bits(types.result().bits())
}

fn median(types: &Types, operands: &[u64]) -> u64 {
    let scalar = types.operand();
    let extreme = |a, b, largest| extreme(scalar, a, b, largest, false);
    let [a, b, c] = [operands[0], operands[1], operands[2]];
    if [a, b, c].iter().any(|&bits| is_nan(scalar, bits)) {
        return extreme(extreme(a, b, false), c, false);
    }
    extreme(extreme(a, b, false), extreme(extreme(a, b, true), c, false), true)
}

/// What division of a format is scaled by, and from which exponents on.
struct Scaling {
    /// The exponent of the factor.
    factor: i32,
    /// A quotient with at least this exponent is near the largest number.
    large: i32,
    /// A numerator with an exponent up to this is tiny.
    tiny: i32,
    /// The exponent of the smallest normal number.
    smallest: i32,
}

fn scaling(scalar: Scalar) -> Scaling {
    match scalar {
        Scalar::Double => Scaling { factor: 128, large: 768, tiny: 53 - 1023, smallest: -1022 },
        _ => Scaling { factor: 64, large: 96, tiny: 23 - 127, smallest: -126 },
    }
}

/// The exponent of a number, as the hardware reads it: that of zero and of subnormal numbers is one below all others, and
/// that of infinity one above.
fn exponent(x: f64, scaling: &Scaling) -> i32 {
    let (lowest, highest) = (scaling.smallest - 1, 2 - scaling.smallest);
    if x == 0.0 {
        lowest
    } else if x.is_finite() {
        libm::ilogb(x).clamp(lowest, highest)
    } else {
        highest
    }
}

/// Scales numerator or denominator of a division such that nothing in between overflows or loses precision; and whether
/// [`scaled_fma`] has to undo it.
fn scale_division(types: &Types, operands: &[u64]) -> [u64; 2] {
    let scalar = types.operand();
    let [numerator, denominator] = [operands[0], operands[1]].map(|bits| decode(scalar, bits));
    let scaling = &scaling(scalar);
    let wants_numerator = operands[2] & 1 != 0;
    let wanted = if wants_numerator { numerator } else { denominator };
    let scaled = |exponent| libm::scalbn(wanted, exponent);
    let subnormal = |x: f64| x != 0.0 && x.abs() < libm::scalbn(1.0, scaling.smallest);
    let quotient_exponent = exponent(numerator, scaling) - exponent(denominator, scaling);
    // 2^e with the largest two exponents has a subnormal inverse.
    let inverse_subnormal = exponent(denominator, scaling) >= -scaling.smallest;
    let quotient_subnormal = quotient_exponent < scaling.smallest;
    let (result, undo) = if numerator == 0.0 || denominator == 0.0 {
        (f64::NAN, false)
    } else if quotient_exponent >= scaling.large {
        (if wants_numerator { wanted } else { scaled(scaling.factor) }, true)
    } else if subnormal(denominator) {
        (scaled(scaling.factor), false)
    } else if inverse_subnormal && quotient_subnormal {
        (if wants_numerator { wanted } else { scaled(-scaling.factor) }, true)
    } else if inverse_subnormal {
        (scaled(-scaling.factor), false)
    } else if quotient_subnormal {
        (if wants_numerator { scaled(scaling.factor) } else { wanted }, true)
    } else if exponent(numerator, scaling) <= scaling.tiny {
        (scaled(scaling.factor), false)
    } else {
        (wanted, false)
    };
    [encode(scalar, result), u64::from(undo)]
}

fn scaled_fma(types: &Types, operands: &[u64]) -> u64 {
    let scalar = types.operand();
    let result = fma(scalar, operands[0], operands[1], operands[2]);
    if operands[3] & 1 == 0 {
        return result;
    }
    let factor = scaling(scalar).factor;
    let up = decode(scalar, operands[2]).abs() >= 2.0;
    encode(scalar, libm::scalbn(decode(scalar, result), if up { factor } else { -factor }))
}

/// The quotient that was computed, except where operands decide it.
fn fix_quotient(types: &Types, operands: &[u64]) -> u64 {
    let scalar = types.operand();
    let [quotient, denominator, numerator] = [operands[0], operands[1], operands[2]].map(|bits| decode(scalar, bits));
    let special = |x: f64| x == 0.0 || !x.is_finite();
    let result = if numerator.is_nan() {
        numerator
    } else if special(numerator) || special(denominator) {
        numerator / denominator
    } else {
        let negative = numerator.is_sign_negative() != denominator.is_sign_negative();
        let magnitude = match quotient.is_nan() {
            // Something in between was out of range, and the quotient is.
            true if numerator.abs() > denominator.abs() => f64::INFINITY,
            true => 0.0,
            false => quotient.abs(),
        };
        if negative { -magnitude } else { magnitude }
    };
    encode(scalar, result)
}

/// The bits of 2/π behind the point, up to 2^−1200, as an integer.
static TWO_OVER_PI: LazyLock<BigUint> = LazyLock::new(|| {
    // Machin's formula, with bits to spare.
    let precision = 1264;
    let inverse_tangent = |x: u32| {
        let mut power: BigUint = (BigUint::from(1u32) << precision) / x;
        let (mut sum, mut subtract) = (power.clone(), BigUint::ZERO);
        for n in 1u32.. {
            power /= x * x;
            let term = &power / (2 * n + 1);
            if term == BigUint::ZERO {
                break;
            }
            *(if n % 2 == 1 { &mut subtract } else { &mut sum }) += term;
        }
        sum - subtract
    };
    let pi = inverse_tangent(5) * 16u32 - inverse_tangent(239) * 4u32;
    (BigUint::from(1u32) << (1200 + 1 + precision)) / pi
});

/// 53 bits of 2/π, for the reduction of large arguments: those that matter for a number with this exponent.
fn two_over_pi_segment(bits: u64, segment: u64) -> f64 {
    let exponent = bits >> 52 & 0x7ff;
    let shift = (segment & 31) * 53 + exponent.saturating_sub(1077);
    // Bit 1200 of the table is that of 1/2, and 53 bits are taken below `shift` others.
    let bits =
        if shift + 53 <= 1200 { &*TWO_OVER_PI >> (1200 - 53 - shift) } else { &*TWO_OVER_PI << (shift + 53 - 1200) };
    let segment = bits.iter_u64_digits().next().unwrap_or(0) & low_bits(53);
    let scale = if exponent >= 1968 { 128 } else { 0 };
    libm::scalbn(segment as f64, scale - 53 - shift as i32)
}

fn dot_halves(_: &Types, operands: &[&[u64]], out: &mut [u64]) {
    let products =
        operands[0].iter().zip(operands[1]).map(|(&a, &b)| decode(Scalar::Half, a) * decode(Scalar::Half, b));
    let sum = products.sum::<f64>() + decode(Scalar::Float, operands[2][0]);
    out[0] = encode(Scalar::Float, if operands[3][0] & 1 != 0 { sum.clamp(0.0, 1.0) } else { sum });
}

/// A sum of 32 bits, which wraps or saturates.
fn total(sum: i64, signed: bool, saturate: bool) -> u64 {
    let (low, high) = if signed { (i64::from(i32::MIN), i64::from(i32::MAX)) } else { (0, i64::from(u32::MAX)) };
    (if saturate { sum.clamp(low, high) } else { sum }) as u64 & 0xffff_ffff
}

fn dot_halfwords(operands: &[&[u64]], signed: bool, width: u32) -> u64 {
    let number = |bits: u64, width| {
        let number = Narrow::new(width, bits);
        number.bits() as i64 - if signed && number.is_negative() { 1 << width } else { 0 }
    };
    let products = operands[0].iter().zip(operands[1]).map(|(&a, &b)| number(a, width) * number(b, width));
    total(products.sum::<i64>() + number(operands[2][0], 32), signed, operands[3][0] & 1 != 0)
}

/// The sum of products of the numbers of `width` bits that 32 bits consist of.
fn dot_packed(operands: &[u64], width: u32, signed: bool) -> u64 {
    let parts = |bits: u64| -> Vec<u64> { (0..32 / width).map(|part| bits >> (part * width)).collect() };
    let (a, b) = (parts(operands[0]), parts(operands[1]));
    dot_halfwords(&[&a, &b, &operands[2..3], &operands[3..4]], signed, width)
}
