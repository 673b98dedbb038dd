//! Arithmetic of shading languages: what DirectX (`dx`) and SPIR-V (`spv`) have intrinsics for.
//!
//! Products and sums over the elements of vectors are computed as doubles, and rounded once.

use crate::arithmetic::float::{class, decode, encode, extreme};
use crate::arithmetic::integer::{Integer, Narrow};
use crate::value::{Scalar, low_bits};

use super::Function::{Bits, First, Integers, Pair, Real1, Real2, Real3, Whole};
use super::integer::Operation::{Clamp, MultiplyAdd};
use super::{Row, Types};

pub(super) const ROWS: &[Row] = &[
    ("dx.frac", "F=F", Real1(|x| x - x.floor())),
    ("spv.frac", "F=F", Real1(|x| x - x.floor())),
    ("dx.rsqrt", "F=F", Real1(|x| 1.0 / x.sqrt())),
    ("spv.rsqrt", "F=F", Real1(|x| 1.0 / x.sqrt())),
    ("dx.saturate", "F=F", Bits(|types, x| clamp(types, &[x[0], 0, encode(types.operand(), 1.0)]))),
    ("spv.saturate", "F=F", Bits(|types, x| clamp(types, &[x[0], 0, encode(types.operand(), 1.0)]))),
    ("dx.uclamp", "NNN=N", Integers(Clamp { signed: false })),
    ("spv.uclamp", "NNN=N", Integers(Clamp { signed: false })),
    ("dx.sclamp", "NNN=N", Integers(Clamp { signed: true })),
    ("spv.sclamp", "NNN=N", Integers(Clamp { signed: true })),
    ("dx.nclamp", "FFF=F", Bits(clamp)),
    ("spv.nclamp", "FFF=F", Bits(clamp)),
    ("dx.lerp", "FFF=F", Real3(|x, y, s| x + (y - x) * s)),
    ("spv.lerp", "FFF=F", Real3(|x, y, s| x + (y - x) * s)),
    ("dx.imad", "NNN=N", Integers(MultiplyAdd)),
    ("dx.umad", "NNN=N", Integers(MultiplyAdd)),
    ("dx.isinf", "F=b", Bits(|types, x| is_class(types, x, INFINITE))),
    ("spv.isinf", "F=b", Bits(|types, x| is_class(types, x, INFINITE))),
    ("dx.isnan", "F=b", Bits(|types, x| is_class(types, x, NAN))),
    ("spv.isnan", "F=b", Bits(|types, x| is_class(types, x, NAN))),
    ("spv.isfinite", "F=b", Bits(|types, x| 1 - is_class(types, x, NAN | INFINITE))),
    ("spv.isnormal", "F=b", Bits(|types, x| is_class(types, x, NORMAL))),
    ("dx.degrees", "F=F", Real1(f64::to_degrees)),
    ("spv.degrees", "F=F", Real1(f64::to_degrees)),
    ("dx.radians", "F=F", Real1(f64::to_radians)),
    ("spv.radians", "F=F", Real1(f64::to_radians)),
    ("dx.step", "FF=F", Real2(|edge, x| if x < edge { 0.0 } else { 1.0 })),
    ("spv.step", "FF=F", Real2(|edge, x| if x < edge { 0.0 } else { 1.0 })),
    (
        "spv.smoothstep",
        "FFF=F",
        Real3(|low, high, x| {
            let t = ((x - low) / (high - low)).clamp(0.0, 1.0);
            t * t * (3.0 - 2.0 * t)
        }),
    ),
    ("dx.sign", "*=i", Bits(sign)),
    ("spv.sign", "*=i", Bits(sign)),
    ("dx.firstbituhigh", "n=i", Bits(|types, x| highest_bit(types, x, false))),
    ("spv.firstbituhigh", "n=i", Bits(|types, x| highest_bit(types, x, false))),
    ("dx.firstbitshigh", "n=i", Bits(|types, x| highest_bit(types, x, true))),
    ("spv.firstbitshigh", "n=i", Bits(|types, x| highest_bit(types, x, true))),
    ("dx.firstbitlow", "n=i", Bits(lowest_bit)),
    ("spv.firstbitlow", "n=i", Bits(lowest_bit)),
    ("dx.legacyf16tof32", "n=f", Bits(|_, x| encode(Scalar::Float, decode(Scalar::Half, x[0] & 0xffff)))),
    ("dx.legacyf32tof16", "f=i", Bits(|_, x| encode(Scalar::Half, decode(Scalar::Float, x[0])))),
    ("dx.asdouble", "ii=d", Bits(|_, x| x[1] << 32 | x[0])),
    ("dx.splitdouble", "d=ii", Pair(|_, x| [x[0] & 0xffff_ffff, x[0] >> 32])),
    ("dx.dot2", "FFFF=F", Bits(|types, x| dot(types.operand(), &x[..2], &x[2..]))),
    ("dx.dot3", "FFFFFF=F", Bits(|types, x| dot(types.operand(), &x[..3], &x[3..]))),
    ("dx.dot4", "FFFFFFFF=F", Bits(|types, x| dot(types.operand(), &x[..4], &x[4..]))),
    (
        "dx.dot2add",
        "fhhhh=f",
        Bits(|_, x| {
            let [a, b, c, d] = [1, 2, 3, 4].map(|index| decode(Scalar::Half, x[index]));
            encode(Scalar::Float, decode(Scalar::Float, x[0]) + (a * c + b * d))
        }),
    ),
    ("dx.dot4add.i8packed", "iii=i", Bits(|_, x| dot_bytes(x, true))),
    ("spv.dot4add.i8packed", "iii=i", Bits(|_, x| dot_bytes(x, true))),
    ("dx.dot4add.u8packed", "iii=i", Bits(|_, x| dot_bytes(x, false))),
    ("spv.dot4add.u8packed", "iii=i", Bits(|_, x| dot_bytes(x, false))),
    ("dx.fdot", "FF=F", Whole(|types, x, out| out[0] = dot(types.operand(), x[0], x[1]))),
    ("spv.fdot", "FF=F", Whole(|types, x, out| out[0] = dot(types.operand(), x[0], x[1]))),
    ("dx.sdot", "nn=n", Whole(integer_dot)),
    ("spv.sdot", "nn=n", Whole(integer_dot)),
    ("dx.udot", "nn=n", Whole(integer_dot)),
    ("spv.udot", "nn=n", Whole(integer_dot)),
    ("dx.any", "*=b", Whole(|types, x, out| out[0] = u64::from(x[0].iter().any(|&bits| is_true(types, bits))))),
    ("spv.any", "*=b", Whole(|types, x, out| out[0] = u64::from(x[0].iter().any(|&bits| is_true(types, bits))))),
    ("dx.all", "*=b", Whole(|types, x, out| out[0] = u64::from(x[0].iter().all(|&bits| is_true(types, bits))))),
    ("spv.all", "*=b", Whole(|types, x, out| out[0] = u64::from(x[0].iter().all(|&bits| is_true(types, bits))))),
    ("dx.length", "F=F", Whole(|types, x, out| out[0] = encode(types.operand(), length(&reals(types, x[0]))))),
    ("spv.length", "F=F", Whole(|types, x, out| out[0] = encode(types.operand(), length(&reals(types, x[0]))))),
    (
        "spv.distance",
        "FF=F",
        Whole(|types, x, out| {
            let difference: Vec<f64> = reals(types, x[0]).iter().zip(reals(types, x[1])).map(|(a, b)| a - b).collect();
            out[0] = encode(types.operand(), length(&difference));
        }),
    ),
    ("dx.normalize", "F=F", Whole(normalise)),
    ("spv.normalize", "F=F", Whole(normalise)),
    ("dx.cross", "FF=F", Whole(cross)),
    ("spv.cross", "FF=F", Whole(cross)),
    (
        "spv.reflect",
        "FF=F",
        Whole(|types, x, out| {
            let (incident, normal) = (reals(types, x[0]), reals(types, x[1]));
            let factor = 2.0 * inner(&incident, &normal);
            write(types, out, incident.iter().zip(&normal).map(|(i, n)| i - factor * n));
        }),
    ),
    ("spv.refract", "FFF=F", Whole(refract)),
    (
        "spv.faceforward",
        "FFF=F",
        Whole(|types, x, out| {
            let [normal, incident, reference] = [0, 1, 2].map(|index| reals(types, x[index]));
            let factor = if inner(&incident, &reference) < 0.0 { 1.0 } else { -1.0 };
            write(types, out, normal.iter().map(|n| n * factor));
        }),
    ),
    ("spv.expect", "nn=n", First),
];

/// Bits of the mask of `is.fpclass`.
const NAN: u64 = 0b11;
const INFINITE: u64 = 1 << 2 | 1 << 9;
const NORMAL: u64 = 1 << 3 | 1 << 8;

fn is_class(types: &Types, operands: &[u64], mask: u64) -> u64 {
    u64::from(class(types.operand(), operands[0]) & mask != 0)
}

/// Not below the second operand and not above the third, which is also what becomes of a NaN.
fn clamp(types: &Types, operands: &[u64]) -> u64 {
    let scalar = types.operand();
    let low = extreme(scalar, operands[0], operands[1], true, false);
    extreme(scalar, low, operands[2], false, false)
}

fn sign(types: &Types, operands: &[u64]) -> u64 {
    let scalar = types.operand();
    let sign = if scalar.is_float() {
        let value = decode(scalar, operands[0]);
        i32::from(value > 0.0) - i32::from(value < 0.0)
    } else {
        let number = Narrow::new(scalar.bits(), operands[0]);
        if number.is_negative() { -1 } else { i32::from(!number.is_zero()) }
    };
    u64::from(sign as u32)
}

/// The place of the highest bit that is set, or of a negative signed number, clear; −1 if there is none.
fn highest_bit(types: &Types, operands: &[u64], signed: bool) -> u64 {
    let number = Narrow::new(types.operand().bits(), operands[0]);
    let number = if signed && number.is_negative() { number.not() } else { number };
    if number.is_zero() { 0xffff_ffff } else { u64::from(number.width() - 1 - number.leading_zeros()) }
}

/// The place of the lowest bit that is set; −1 if there is none.
fn lowest_bit(types: &Types, operands: &[u64]) -> u64 {
    let number = Narrow::new(types.operand().bits(), operands[0]);
    if number.is_zero() { 0xffff_ffff } else { u64::from(number.trailing_zeros()) }
}

fn is_true(types: &Types, bits: u64) -> bool {
    if types.operand().is_float() { decode(types.operand(), bits) != 0.0 } else { bits != 0 }
}

fn dot_bytes(operands: &[u64], signed: bool) -> u64 {
    let byte = |bits: u64, index: u32| {
        let byte = (bits >> (8 * index)) as u8;
        if signed { i64::from(byte as i8) } else { i64::from(byte) }
    };
    let products = (0..4).map(|index| byte(operands[0], index) * byte(operands[1], index));
    (products.sum::<i64>() as u64).wrapping_add(operands[2]) & 0xffff_ffff
}

fn integer_dot(types: &Types, operands: &[&[u64]], out: &mut [u64]) {
    let products = operands[0].iter().zip(operands[1]).map(|(a, b)| a.wrapping_mul(*b));
    out[0] = products.fold(0, u64::wrapping_add) & low_bits(types.result().bits());
}

fn reals(types: &Types, numbers: &[u64]) -> Vec<f64> {
    numbers.iter().map(|&bits| decode(types.operand(), bits)).collect()
}

fn write(types: &Types, out: &mut [u64], numbers: impl Iterator<Item = f64>) {
    out.iter_mut().zip(numbers).for_each(|(out, number)| *out = encode(types.operand(), number));
}

fn inner(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn length(numbers: &[f64]) -> f64 {
    inner(numbers, numbers).sqrt()
}

fn dot(scalar: Scalar, a: &[u64], b: &[u64]) -> u64 {
    let products = a.iter().zip(b).map(|(&a, &b)| decode(scalar, a) * decode(scalar, b));
    encode(scalar, products.sum())
}

fn normalise(types: &Types, operands: &[&[u64]], out: &mut [u64]) {
    let numbers = reals(types, operands[0]);
    let length = length(&numbers);
    write(types, out, numbers.iter().map(|number| number / length));
}

fn cross(types: &Types, operands: &[&[u64]], out: &mut [u64]) {
    let (a, b) = (reals(types, operands[0]), reals(types, operands[1]));
    let at = |numbers: &[f64], index: usize| numbers.get(index % 3).copied().unwrap_or(0.0);
    write(types, out, (0..3).map(|i| at(&a, i + 1) * at(&b, i + 2) - at(&a, i + 2) * at(&b, i + 1)));
}

/// The direction behind a surface, or zero where all light is reflected.
fn refract(types: &Types, operands: &[&[u64]], out: &mut [u64]) {
    let (incident, normal) = (reals(types, operands[0]), reals(types, operands[1]));
    let eta = decode(types.operand(), operands[2][0]);
    let cosine = inner(&incident, &normal);
    let square = 1.0 - eta * eta * (1.0 - cosine * cosine);
    let refracted =
        |(i, n): (&f64, &f64)| if square < 0.0 { 0.0 } else { eta * i - (eta * cosine + square.sqrt()) * n };
    write(types, out, incident.iter().zip(&normal).map(refracted));
}
