//! Integer functions of OpenCL C (6.15.3), for integers of 8 to 64 bits with and without sign.
//!
//! An operand of *w* bits is extended to 64 bits as its sign says; each function is defined on the mathematical integers, and its
//! result taken modulo 2^*w*. Those whose exact intermediate value exceeds 64 bits compute it in 128.

use super::call::Call;
use super::demangle::Number;
use super::pure::{Elementwise, Pure, cheap1, cheap2, cheap3, costly};
use crate::value::low_bits;

/// An integer type.
#[derive(Debug, Clone, Copy)]
pub(super) struct Integer {
    pub(super) bits: u32,
    pub(super) signed: bool,
}

impl Integer {
    pub(super) fn of(number: Number) -> Option<Integer> {
        match number {
            Number::Signed(bits) => Some(Integer { bits, signed: true }),
            Number::Unsigned(bits) => Some(Integer { bits, signed: false }),
            _ => None,
        }
    }

    /// The integer type of a number that is not floating-point.
    pub(super) fn from(number: Number) -> Integer {
        Integer::of(number).unwrap_or(Integer { bits: number.bits(), signed: false })
    }

    /// The number that these bits are, where there is a sign.
    pub(super) fn extend(self, bits: u64) -> i64 {
        let shift = 64 - self.bits;
        (bits << shift) as i64 >> shift
    }

    /// The number that these bits are.
    pub(super) fn wide(self, bits: u64) -> i128 {
        if self.signed { i128::from(self.extend(bits)) } else { i128::from(bits) }
    }

    /// The least and the greatest number.
    pub(super) fn range(self) -> (i128, i128) {
        if self.signed { (-(1 << (self.bits - 1)), (1 << (self.bits - 1)) - 1) } else { (0, (1 << self.bits) - 1) }
    }

    /// The bits of the nearest number of this type.
    pub(super) fn saturate(self, value: i128) -> u64 {
        let (least, greatest) = self.range();
        value.clamp(least, greatest) as u64 & low_bits(self.bits)
    }
}

/// The function that a call means.
pub(super) fn recognise(call: &Call) -> Option<Pure> {
    let integer = Integer::of(call.first()?.0)?;
    let count = call.result.len();
    if let Some(field) = bit_field(call, integer) {
        return call.elementwise(integer.bits, count, field);
    }
    let same_bits = |operand| call.value(operand).is_some_and(|(number, _)| number.bits() == integer.bits);
    if !(1..call.operands.len()).all(same_bits) {
        return None;
    }
    let bits = match &*call.name {
        "upsample" => 2 * integer.bits,
        "high_half" => integer.bits / 2,
        // CUDA's are `int` for any operand.
        "clz" | "ctz" | "ffs" | "popcount" => call.result.first()?.bits(),
        _ => integer.bits,
    };
    let function = match call.operands.len() {
        1 => unary(&call.name, integer),
        2 => binary(&call.name, integer),
        3 => ternary(&call.name, integer),
        _ => None,
    }?;
    call.elementwise(bits, count, function)
}

/// `bitfield_insert` and `bitfield_extract_…`, whose offset and length are `uint` for any type.
fn bit_field(call: &Call, integer: Integer) -> Option<Elementwise> {
    let Integer { bits, .. } = integer;
    let field = move |offset: u64, length: u64| (offset.min(63) as u32, (length.min(u64::from(bits)) as u32));
    let (values, function) = match &*call.name {
        "bitfield_insert" => (
            2,
            costly(move |[base, insert, offset, length]| {
                let (offset, length) = field(offset, length);
                let mask = low_bits(length) << offset & low_bits(bits);
                base & !mask | insert << offset & mask
            }),
        ),
        "bitfield_extract_signed" | "bitfield_extract_unsigned" => {
            let signed = call.name == "bitfield_extract_signed";
            let extract = costly(move |[base, offset, length]| {
                let (offset, length) = field(offset, length);
                match (Integer { bits: length.max(1), signed }, base >> offset & low_bits(length)) {
                    (_, _) if length == 0 => 0,
                    (field, value) => field.wide(value) as u64 & low_bits(bits),
                }
            });
            (1, extract)
        }
        _ => return None,
    };
    let operands = call.operands.len() == values + 2;
    let positions = (values..values + 2).all(|operand| call.value(operand) == Some((Number::Unsigned(32), 1)));
    (operands && positions).then_some(function)
}

fn unary(name: &str, integer: Integer) -> Option<Elementwise> {
    let Integer { bits, signed } = integer;
    Some(match name {
        "abs" if signed => cheap1(move |a| integer.extend(a).unsigned_abs() & low_bits(bits)),
        "abs" => cheap1(|a| a),
        "clz" => cheap1(move |a| u64::from(a.leading_zeros() + bits - 64)),
        "ctz" => cheap1(move |a| u64::from(a.trailing_zeros().min(bits))),
        "ffs" => cheap1(|a| if a == 0 { 0 } else { u64::from(a.trailing_zeros()) + 1 }),
        "popcount" => cheap1(|a| u64::from(a.count_ones())),
        "high_half" => cheap1(move |a| a >> (bits / 2)),
        "bit_reverse" => cheap1(move |a| a.reverse_bits() >> (64 - bits)),
        _ => return None,
    })
}

fn binary(name: &str, integer: Integer) -> Option<Elementwise> {
    let Integer { bits, signed } = integer;
    let mask = low_bits(bits);
    Some(match name {
        "max" if signed => cheap2(move |a, b| if integer.extend(a) < integer.extend(b) { b } else { a }),
        "max" => cheap2(u64::max),
        "min" if signed => cheap2(move |a, b| if integer.extend(b) < integer.extend(a) { b } else { a }),
        "min" => cheap2(u64::min),
        "abs_diff" if signed => cheap2(move |a, b| integer.extend(a).abs_diff(integer.extend(b))),
        "abs_diff" => cheap2(u64::abs_diff),
        "add_sat" => cheap2(move |a, b| integer.saturate(integer.wide(a) + integer.wide(b))),
        "sub_sat" => cheap2(move |a, b| integer.saturate(integer.wide(a) - integer.wide(b))),
        "hadd" => cheap2(move |a, b| ((integer.wide(a) + integer.wide(b)) >> 1) as u64 & mask),
        "rhadd" => cheap2(move |a, b| ((integer.wide(a) + integer.wide(b) + 1) >> 1) as u64 & mask),
        "mul_hi" => cheap2(move |a, b| integer.multiply_high(a, b)),
        "mul24" if bits == 32 => cheap2(move |a, b| integer.low24(a).wrapping_mul(integer.low24(b)) & mask),
        "upsample" => cheap2(move |high, low| high << bits | low),
        "rotate" => cheap2(move |a, b| rotate(a, b, bits)),
        _ => return None,
    })
}

fn ternary(name: &str, integer: Integer) -> Option<Elementwise> {
    let Integer { bits, signed } = integer;
    let mask = low_bits(bits);
    Some(match name {
        "clamp" if signed => cheap3(move |a, low, high| {
            let (a, low, high) = (integer.extend(a), integer.extend(low), integer.extend(high));
            a.max(low).min(high) as u64 & mask
        }),
        "clamp" => cheap3(|a, low, high| a.max(low).min(high)),
        "mad_hi" => cheap3(move |a, b, c| integer.multiply_high(a, b).wrapping_add(c) & mask),
        "mad_sat" if signed => {
            cheap3(move |a, b, c| integer.saturate(integer.wide(a) * integer.wide(b) + integer.wide(c)))
        }
        "mad_sat" => {
            cheap3(move |a, b, c| (u128::from(a) * u128::from(b) + u128::from(c)).min(u128::from(mask)) as u64)
        }
        "mad24" if bits == 32 => {
            cheap3(move |a, b, c| integer.low24(a).wrapping_mul(integer.low24(b)).wrapping_add(c) & mask)
        }
        "sad" if signed => cheap3(move |a, b, c| integer.extend(a).abs_diff(integer.extend(b)).wrapping_add(c) & mask),
        "sad" => cheap3(move |a, b, c| a.abs_diff(b).wrapping_add(c) & mask),
        "byte_perm" if bits == 32 => cheap3(byte_permutation),
        _ => return None,
    })
}

/// CUDA's `__byte_perm`: byte *i* of the result is the byte of *b·2³² + a* that the low three bits of nibble *i* number.
fn byte_permutation(a: u64, b: u64, selector: u64) -> u64 {
    let bytes = b << 32 | a;
    (0..4).fold(0, |result, byte| {
        let number = selector >> (4 * byte) & 7;
        result | (bytes >> (8 * number) & 0xff) << (8 * byte)
    })
}

impl Integer {
    /// The upper half of the product.
    fn multiply_high(self, a: u64, b: u64) -> u64 {
        let product = if self.signed {
            (i128::from(self.extend(a)) * i128::from(self.extend(b))) as u128
        } else {
            u128::from(a) * u128::from(b)
        };
        (product >> self.bits) as u64 & low_bits(self.bits)
    }

    /// The number that the low 24 bits are.
    fn low24(self, bits: u64) -> u64 {
        if self.signed { ((bits << 40) as i64 >> 40) as u64 } else { bits & 0xff_ffff }
    }
}

/// The first `bits` bits, turned left.
fn rotate(value: u64, by: u64, bits: u32) -> u64 {
    let by = (by % u64::from(bits)) as u32;
    (value << by | value >> ((bits - by) % bits)) & low_bits(bits)
}
