//! Arithmetic of NVPTX, as the PTX instructions with the same names define it.
//!
//! A name says how to round (`rn`, `rz`, `rm`, `rp`: to nearest, to zero, down, up), that subnormal operands and results count
//! as zero (`ftz`), and that a result is kept in [0, 1] (`sat`) or from being negative (`relu`), where a NaN becomes zero with
//! `sat`.

use crate::arithmetic::cast::{float_from_integer, saturate};
use crate::arithmetic::exact::{self, Exact};
use crate::arithmetic::float::{Rounding, decode, encode, extreme, infinity, is_nan, sign_bit};
use crate::arithmetic::integer::{Integer, Narrow};
use crate::value::{Scalar, low_bits};

use super::Function::{Bits, First, Integers, Nvvm, Pair};
use super::amdgcn::{byte_of, from_bytes};
use super::integer::Operation::*;
use super::{Function, Row, Types};

/// An operation with its modifiers.
#[derive(Clone, Copy)]
pub(super) struct Operation {
    operator: Operator,
    rounding: Rounding,
    flushes: bool,
    range: Range,
}

type Real = fn(f64) -> f64;

#[derive(Clone, Copy)]
enum Operator {
    Add,
    Sub,
    Mul,
    Fma,
    Div,
    Reciprocal,
    Sqrt,
    /// Any other function of one number.
    Unary(Real),
    Extreme {
        largest: bool,
        propagates: bool,
        xorsign: bool,
    },
    /// Inverts or clears the sign bit, also of a NaN.
    Negate,
    Absolute,
    /// To another floating-point format; as an integer of its bits, if that is the type of the result.
    Convert,
    ToInteger {
        signed: bool,
    },
    FromInteger {
        signed: bool,
    },
}

#[derive(Clone, Copy)]
enum Range {
    All,
    Saturate,
    Relu,
}

pub(super) const ROWS: &[Row] = &[
    ("nvvm.ff2f16x2.rn", "ff=hh", Pair(|types, x| narrow_two(types, x, Rounding::Nearest, Range::All))),
    ("nvvm.ff2f16x2.rz", "ff=hh", Pair(|types, x| narrow_two(types, x, Rounding::Zero, Range::All))),
    ("nvvm.ff2f16x2.rn.relu", "ff=hh", Pair(|types, x| narrow_two(types, x, Rounding::Nearest, Range::Relu))),
    ("nvvm.ff2f16x2.rz.relu", "ff=hh", Pair(|types, x| narrow_two(types, x, Rounding::Zero, Range::Relu))),
    ("nvvm.ff2bf16x2.rn", "ff=kk", Pair(|types, x| narrow_two(types, x, Rounding::Nearest, Range::All))),
    ("nvvm.ff2bf16x2.rz", "ff=kk", Pair(|types, x| narrow_two(types, x, Rounding::Zero, Range::All))),
    ("nvvm.ff2bf16x2.rn.relu", "ff=kk", Pair(|types, x| narrow_two(types, x, Rounding::Nearest, Range::Relu))),
    ("nvvm.ff2bf16x2.rz.relu", "ff=kk", Pair(|types, x| narrow_two(types, x, Rounding::Zero, Range::Relu))),
    ("nvvm.lohi.i2d", "ii=d", Bits(|_, x| x[1] << 32 | x[0])),
    ("nvvm.d2i.lo", "d=i", Bits(|_, x| x[0] & 0xffff_ffff)),
    ("nvvm.d2i.hi", "d=i", Bits(|_, x| x[0] >> 32)),
    ("nvvm.bitcast.f2i", "f=i", Bits(|_, x| x[0])),
    ("nvvm.bitcast.i2f", "i=f", Bits(|_, x| x[0])),
    ("nvvm.bitcast.d2ll", "d=l", Bits(|_, x| x[0])),
    ("nvvm.bitcast.ll2d", "l=d", Bits(|_, x| x[0])),
    ("nvvm.move.i16", "s=s", First),
    ("nvvm.move.i32", "i=i", First),
    ("nvvm.move.i64", "l=l", First),
    ("nvvm.move.float", "f=f", First),
    ("nvvm.move.double", "d=d", First),
    ("nvvm.mul24.i", "ii=i", Bits(|_, x| (low24(x[0]) * low24(x[1])) as u64 & 0xffff_ffff)),
    ("nvvm.mul24.ui", "ii=i", Bits(|_, x| ((x[0] & 0xff_ffff) * (x[1] & 0xff_ffff)) & 0xffff_ffff)),
    ("nvvm.mulhi.s", "ss=s", Bits(|types, x| multiply_high(types, x, true))),
    ("nvvm.mulhi.us", "ss=s", Bits(|types, x| multiply_high(types, x, false))),
    ("nvvm.mulhi.i", "ii=i", Bits(|types, x| multiply_high(types, x, true))),
    ("nvvm.mulhi.ui", "ii=i", Bits(|types, x| multiply_high(types, x, false))),
    ("nvvm.mulhi.ll", "ll=l", Bits(|types, x| multiply_high(types, x, true))),
    ("nvvm.mulhi.ull", "ll=l", Bits(|types, x| multiply_high(types, x, false))),
    ("nvvm.sad.s", "sss=s", Bits(|types, x| add_difference(types, x, true))),
    ("nvvm.sad.us", "sss=s", Bits(|types, x| add_difference(types, x, false))),
    ("nvvm.sad.i", "iii=i", Bits(|types, x| add_difference(types, x, true))),
    ("nvvm.sad.ui", "iii=i", Bits(|types, x| add_difference(types, x, false))),
    ("nvvm.sad.ll", "lll=l", Bits(|types, x| add_difference(types, x, true))),
    ("nvvm.sad.ull", "lll=l", Bits(|types, x| add_difference(types, x, false))),
    ("nvvm.abs.i", "i=i", Integers(Abs)),
    ("nvvm.abs.ll", "l=l", Integers(Abs)),
    ("nvvm.max.i", "ii=i", Integers(SMax)),
    ("nvvm.max.ui", "ii=i", Integers(UMax)),
    ("nvvm.max.ll", "ll=l", Integers(SMax)),
    ("nvvm.max.ull", "ll=l", Integers(UMax)),
    ("nvvm.min.i", "ii=i", Integers(SMin)),
    ("nvvm.min.ui", "ii=i", Integers(UMin)),
    ("nvvm.min.ll", "ll=l", Integers(SMin)),
    ("nvvm.min.ull", "ll=l", Integers(UMin)),
    ("nvvm.brev32", "i=i", Integers(BitReverse)),
    ("nvvm.brev64", "l=l", Integers(BitReverse)),
    ("nvvm.popc.i", "i=i", Bits(|_, x| u64::from(x[0].count_ones()))),
    ("nvvm.popc.ll", "l=i", Bits(|_, x| u64::from(x[0].count_ones()))),
    ("nvvm.clz.i", "i=i", Bits(|_, x| u64::from((x[0] as u32).leading_zeros()))),
    ("nvvm.clz.ll", "l=i", Bits(|_, x| u64::from(x[0].leading_zeros()))),
    ("nvvm.rotate.b32", "ii=i", Bits(|_, x| u64::from((x[0] as u32).rotate_left(x[1] as u32 & 31)))),
    ("nvvm.rotate.b64", "li=l", Bits(|_, x| x[0].rotate_left(x[1] as u32 & 63))),
    ("nvvm.rotate.right.b64", "li=l", Bits(|_, x| x[0].rotate_right(x[1] as u32 & 63))),
    ("nvvm.fshl.clamp", "nnn=n", Bits(|types, x| funnel_clamped(types, x, true))),
    ("nvvm.fshr.clamp", "nnn=n", Bits(|types, x| funnel_clamped(types, x, false))),
    ("nvvm.prmt", "iii=i", Bits(|_, x| permute_bytes(x[1] << 32 | x[0], x[2]))),
    ("nvvm.idp4a.s.s", "iii=i", Bits(|_, x| dot4(x, true, true))),
    ("nvvm.idp4a.s.u", "iii=i", Bits(|_, x| dot4(x, true, false))),
    ("nvvm.idp4a.u.s", "iii=i", Bits(|_, x| dot4(x, false, true))),
    ("nvvm.idp4a.u.u", "iii=i", Bits(|_, x| dot4(x, false, false))),
    ("nvvm.idp2a.s.s", "iibi=i", Bits(|_, x| dot2(x, true, true))),
    ("nvvm.idp2a.s.u", "iibi=i", Bits(|_, x| dot2(x, true, false))),
    ("nvvm.idp2a.u.s", "iibi=i", Bits(|_, x| dot2(x, false, true))),
    ("nvvm.idp2a.u.u", "iibi=i", Bits(|_, x| dot2(x, false, false))),
    ("nvvm.fns", "iii=i", Bits(|_, x| nth_set(x[0] as u32, x[1] as u32, x[2] as u32 as i32))),
    ("nvvm.flo.s", "nb=i", Bits(|types, x| leading_one(types, x, true))),
    ("nvvm.flo.u", "nb=i", Bits(|types, x| leading_one(types, x, false))),
    ("nvvm.sext.wrap", "ii=i", Bits(|_, x| extend(x[0], x[1] & 31, true))),
    ("nvvm.sext.clamp", "ii=i", Bits(|_, x| extend(x[0], x[1].min(32), true))),
    ("nvvm.zext.wrap", "ii=i", Bits(|_, x| extend(x[0], x[1] & 31, false))),
    ("nvvm.zext.clamp", "ii=i", Bits(|_, x| extend(x[0], x[1].min(32), false))),
    ("nvvm.bmsk.wrap", "ii=i", Bits(|_, x| low_bits((x[1] & 31) as u32) << (x[0] & 31) & 0xffff_ffff)),
    ("nvvm.bmsk.clamp", "ii=i", Bits(|_, x| low_bits(x[1].min(32) as u32) << x[0].min(32) & 0xffff_ffff)),
];

/// The names that a scheme makes, with their types and what they compute.
pub(super) fn generated() -> impl Iterator<Item = (String, (String, Function))> {
    let mut all: Vec<(String, String, Operation)> = Vec::new();
    let mut add = |name: String, types: &str, operator, rounding, range| {
        let flushes = name.contains(".ftz");
        all.push((name, types.to_string(), Operation { operator, rounding, flushes, range }));
    };
    let modes = [("rn", Rounding::Nearest), ("rz", Rounding::Zero), ("rm", Rounding::Down), ("rp", Rounding::Up)];
    let operand_types = |letter: char, count: usize| format!("{}={letter}", letter.to_string().repeat(count));
    const FTZ: [&str; 2] = ["", ".ftz"];
    const SMALL: [(&str, char); 5] = [("f16", 'h'), ("f16x2", 'h'), ("v2f16", 'h'), ("bf16", 'k'), ("bf16x2", 'k')];
    let ranges = [("", Range::All), (".sat", Range::Saturate), (".relu", Range::Relu)];

    let arithmetic =
        [("add", 2, Operator::Add), ("sub", 2, Operator::Sub), ("mul", 2, Operator::Mul), ("fma", 3, Operator::Fma)];
    for (name, count, operator) in arithmetic {
        for (mode, rounding) in modes {
            for ftz in FTZ {
                for (suffix, range) in &ranges[..2] {
                    let name = format!("nvvm.{name}.{mode}{ftz}{suffix}.f");
                    add(name, &operand_types('f', count), operator, rounding, *range);
                }
            }
            add(format!("nvvm.{name}.{mode}.d"), &operand_types('d', count), operator, rounding, Range::All);
        }
        for ftz in FTZ {
            for (suffix, range) in ranges {
                for (format, letter) in SMALL {
                    let name = format!("nvvm.{name}.rn{ftz}{suffix}.{format}");
                    add(name, &operand_types(letter, count), operator, Rounding::Nearest, range);
                }
            }
        }
    }
    for (name, count, operator) in
        [("div", 2, Operator::Div), ("rcp", 1, Operator::Reciprocal), ("sqrt", 1, Operator::Sqrt)]
    {
        for (mode, rounding) in modes {
            for ftz in FTZ {
                add(format!("nvvm.{name}.{mode}{ftz}.f"), &operand_types('f', count), operator, rounding, Range::All);
            }
            add(format!("nvvm.{name}.{mode}.d"), &operand_types('d', count), operator, rounding, Range::All);
        }
        for ftz in FTZ {
            for (format, letter) in [("f", 'f'), ("d", 'd')] {
                let name = format!("nvvm.{name}.approx{ftz}.{format}");
                add(name, &operand_types(letter, count), operator, Rounding::Nearest, Range::All);
            }
        }
    }
    add("nvvm.sqrt.f".to_string(), "f=f", Operator::Sqrt, Rounding::Nearest, Range::All);
    for ftz in FTZ {
        add(format!("nvvm.div.full{ftz}"), "ff=f", Operator::Div, Rounding::Nearest, Range::All);
        // These once had a letter for the type at their end, and some now have a type like other overloaded names.
        let functions: [(&str, Real, Range); 11] = [
            ("rsqrt.approx", |x| 1.0 / x.sqrt(), Range::All),
            ("ex2.approx", libm::exp2, Range::All),
            ("lg2.approx", libm::log2, Range::All),
            ("sin.approx", libm::sin, Range::All),
            ("cos.approx", libm::cos, Range::All),
            ("tanh.approx", libm::tanh, Range::All),
            ("ceil", f64::ceil, Range::All),
            ("floor", f64::floor, Range::All),
            ("round", f64::round_ties_even, Range::All),
            ("trunc", f64::trunc, Range::All),
            ("saturate", |x| x, Range::Saturate),
        ];
        for (name, function, range) in functions {
            for (suffix, types) in [(".f", "f=f"), (".d", "d=d"), ("", "F=F"), (".f16", "h=h"), (".f16x2", "h=h")] {
                let name = format!("nvvm.{name}{ftz}{suffix}");
                add(name, types, Operator::Unary(function), Rounding::Nearest, range);
            }
        }
        for (name, operator) in [("neg", Operator::Negate), ("abs", Operator::Absolute), ("fabs", Operator::Absolute)] {
            let formats = SMALL.into_iter().map(|(format, letter)| (format!(".{format}"), letter));
            let formats = formats.chain([(".f".to_string(), 'f'), (".d".to_string(), 'd'), (String::new(), 'F')]);
            for (suffix, letter) in formats {
                let name = format!("nvvm.{name}{ftz}{suffix}");
                add(name, &operand_types(letter, 1), operator, Rounding::Nearest, Range::All);
            }
        }
        for (name, largest) in [("fmin", false), ("fmax", true)] {
            for (nan, propagates) in [("", false), (".nan", true)] {
                for (xor, xorsign) in [("", false), (".xorsign.abs", true)] {
                    for (format, letter) in SMALL.into_iter().chain([("f", 'f'), ("d", 'd')]) {
                        let name = format!("nvvm.{name}{ftz}{nan}{xor}.{format}");
                        let operator = Operator::Extreme { largest, propagates, xorsign };
                        add(name, &operand_types(letter, 2), operator, Rounding::Nearest, Range::All);
                    }
                }
            }
        }
    }
    for (mode, rounding) in modes {
        for ftz in FTZ {
            add(format!("nvvm.d2f.{mode}{ftz}"), "d=f", Operator::Convert, rounding, Range::All);
            add(format!("nvvm.f2h.{mode}{ftz}"), "f=s", Operator::Convert, rounding, Range::All);
        }
        for (suffix, range) in [("", Range::All), (".relu", Range::Relu)] {
            add(format!("nvvm.f2f16.{mode}{suffix}"), "f=h", Operator::Convert, rounding, range);
            add(format!("nvvm.f2bf16.{mode}{suffix}"), "f=k", Operator::Convert, rounding, range);
        }
        for (float, letter) in [("f", 'f'), ("d", 'd')] {
            for (integer, width) in [("i", 'i'), ("ll", 'l')] {
                for (sign, signed) in [("", true), ("u", false)] {
                    for ftz in FTZ {
                        let name = format!("nvvm.{float}2{sign}{integer}.{mode}{ftz}");
                        let operator = Operator::ToInteger { signed };
                        add(name, &format!("{letter}={width}"), operator, rounding, Range::All);
                    }
                    let name = format!("nvvm.{sign}{integer}2{float}.{mode}");
                    add(name, &format!("{width}={letter}"), Operator::FromInteger { signed }, rounding, Range::All);
                }
            }
        }
    }
    all.into_iter().map(|(name, types, operation)| (name, (types, Nvvm(operation))))
}

impl Operation {
    /// The result, from one element of each operand.
    pub(super) fn evaluate(self, types: &Types, operands: &[u64]) -> u64 {
        let from = types.operand();
        let mut numbers = [0; 3];
        for (number, &bits) in numbers.iter_mut().zip(operands) {
            *number = if self.flushes { flush(from, bits) } else { bits };
        }
        let [a, b, c] = numbers;
        let rounding = self.rounding;
        let result = match self.operator {
            Operator::ToInteger { signed } => {
                let value = decode(from, a);
                let integral = match rounding {
                    Rounding::Nearest => value.round_ties_even(),
                    Rounding::Zero => value.trunc(),
                    Rounding::Down => value.floor(),
                    Rounding::Up => value.ceil(),
                };
                return saturate(types.result().bits(), signed, integral);
            }
            Operator::FromInteger { signed } => {
                let number = Narrow::new(from.bits(), operands[0]);
                if rounding == Rounding::Nearest {
                    return float_from_integer(&number, signed, types.result());
                }
                let number = if signed { number.to_big_signed() } else { number.to_big().into() };
                return Exact::integer(number).round(types.result(), rounding);
            }
            Operator::Add => exact::add(from, rounding, a, b),
            Operator::Sub => exact::add(from, rounding, a, if is_nan(from, b) { b } else { b ^ sign_bit(from) }),
            Operator::Mul => exact::mul(from, rounding, a, b),
            Operator::Fma => exact::fma(from, rounding, a, b, c),
            Operator::Div => exact::div(from, rounding, a, b),
            Operator::Reciprocal => exact::div(from, rounding, encode(from, 1.0), a),
            Operator::Sqrt => exact::sqrt(from, rounding, a),
            Operator::Unary(function) => encode(from, function(decode(from, a))),
            Operator::Negate => a ^ sign_bit(from),
            Operator::Absolute => a & !sign_bit(from),
            Operator::Extreme { largest, propagates, xorsign } => {
                let sign = if xorsign { sign_bit(from) } else { 0 };
                extreme(from, a & !sign, b & !sign, largest, propagates) | (a ^ b) & sign
            }
            Operator::Convert => convert(decode(from, a), float_type(types.result()), rounding),
        };
        let to = float_type(types.result());
        self.range.apply(to, if self.flushes { flush(to, result) } else { result })
    }
}

impl Range {
    fn apply(self, scalar: Scalar, bits: u64) -> u64 {
        let one = encode(scalar, 1.0);
        match self {
            Range::All => bits,
            Range::Saturate if is_nan(scalar, bits) => 0,
            Range::Saturate => extreme(scalar, extreme(scalar, bits, 0, true, false), one, false, false),
            Range::Relu => extreme(scalar, bits, 0, true, true),
        }
    }
}

/// The format that 16 bits hold where a result is declared as an integer.
fn float_type(scalar: Scalar) -> Scalar {
    if scalar.is_float() { scalar } else { Scalar::Half }
}

fn convert(value: f64, to: Scalar, rounding: Rounding) -> u64 {
    Exact::new(value).filter(|_| value != 0.0).map_or_else(|| encode(to, value), |number| number.round(to, rounding))
}

/// Zero with the same sign instead of a subnormal number.
fn flush(scalar: Scalar, bits: u64) -> u64 {
    let (sign, infinity) = (sign_bit(scalar), infinity(scalar));
    if bits & infinity == 0 { bits & sign } else { bits }
}

/// Two numbers in a smaller format, the first one in the upper half.
fn narrow_two(types: &Types, operands: &[u64], rounding: Rounding, range: Range) -> [u64; 2] {
    let to = types.result();
    [operands[1], operands[0]].map(|bits| range.apply(to, convert(decode(types.operand(), bits), to, rounding)))
}

/// The lowest 24 bits, signed.
fn low24(bits: u64) -> i64 {
    i64::from((bits as u32) << 8) << 32 >> 40
}

fn multiply_high(types: &Types, operands: &[u64], signed: bool) -> u64 {
    let [a, b] = [operands[0], operands[1]].map(|bits| Narrow::new(types.operand().bits(), bits));
    if signed { a.mul_high_signed(&b) } else { a.mul_high(&b) }.bits()
}

/// The distance of the first two, added to the third.
fn add_difference(types: &Types, operands: &[u64], signed: bool) -> u64 {
    let [a, b, c] = [operands[0], operands[1], operands[2]].map(|bits| Narrow::new(types.operand().bits(), bits));
    let ordering = if signed { a.compare_signed(&b) } else { a.compare(&b) };
    if ordering.is_lt() { b.sub(&a) } else { a.sub(&b) }.add(&c).bits()
}

fn funnel_clamped(types: &Types, operands: &[u64], left: bool) -> u64 {
    let width = types.operand().bits();
    let [high, low] = [operands[0], operands[1]].map(|bits| Narrow::new(width, bits));
    let amount = operands[2].min(u64::from(width)) as u32;
    let left_amount = if left { amount } else { width - amount };
    high.shl(left_amount).or(&low.lshr(width - left_amount)).bits()
}

/// Each byte of the result is the one of eight that four bits of the selector say, or copies of its sign.
fn permute_bytes(source: u64, selector: u64) -> u64 {
    from_bytes(|byte| {
        let select = selector >> (4 * byte);
        let chosen = byte_of(source, (select & 7) as u32);
        if select & 8 != 0 { (chosen >> 7) * 0xff } else { chosen }
    })
}

/// A part of `width` bits, signed or not.
fn part(bits: u64, index: u32, width: u32, signed: bool) -> i64 {
    let part = (bits >> (index * width) & low_bits(width)) as i64;
    if signed && part >> (width - 1) != 0 { part - (1 << width) } else { part }
}

fn dot4(operands: &[u64], a_signed: bool, b_signed: bool) -> u64 {
    let products = (0..4).map(|byte| part(operands[0], byte, 8, a_signed) * part(operands[1], byte, 8, b_signed));
    (products.sum::<i64>() as u64).wrapping_add(operands[2]) & 0xffff_ffff
}

/// Two halves of the first operand with the lower or upper two bytes of the second.
fn dot2(operands: &[u64], a_signed: bool, b_signed: bool) -> u64 {
    let upper = 2 * (operands[2] & 1) as u32;
    let product = |index| part(operands[0], index, 16, a_signed) * part(operands[1], index + upper, 8, b_signed);
    ((product(0) + product(1)) as u64).wrapping_add(operands[3]) & 0xffff_ffff
}

/// The place of a set bit: the one at `base`, or the `offset`-th from there, upwards or downwards.
fn nth_set(mask: u32, base: u32, offset: i32) -> u64 {
    let set = |bit: &u32| mask >> bit & 1 != 0;
    let nth = offset.unsigned_abs().saturating_sub(1) as usize;
    let found = match offset {
        _ if base > 31 => None,
        0 => Some(base).filter(set),
        1.. => (base..32).filter(set).nth(nth),
        _ => (0..=base).rev().filter(set).nth(nth),
    };
    found.map_or(0xffff_ffff, u64::from)
}

/// The place of the highest bit that differs from the sign, or its distance from the top; −1 if there is none.
fn leading_one(types: &Types, operands: &[u64], signed: bool) -> u64 {
    let number = Narrow::new(types.operand().bits(), operands[0]);
    let number = if signed && number.is_negative() { number.not() } else { number };
    let zeros = number.leading_zeros();
    match operands[1] & 1 {
        _ if number.is_zero() => 0xffff_ffff,
        0 => u64::from(number.width() - 1 - zeros),
        _ => u64::from(zeros),
    }
}

/// The lowest `count` of 32 bits, extended.
fn extend(bits: u64, count: u64, signed: bool) -> u64 {
    let kept = bits & low_bits(count as u32);
    let negative = signed && count > 0 && kept >> (count - 1) & 1 != 0;
    (if negative { kept | !low_bits(count as u32) } else { kept }) & 0xffff_ffff
}
