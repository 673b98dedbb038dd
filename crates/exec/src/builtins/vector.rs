//! Comparisons, choices and permutations (OpenCL C 6.15.6, 6.15.12) and geometric functions (6.15.5).
//!
//! A comparison of scalars is 1 or 0, one of vectors −1 or 0 in each element. A choice looks at the whole scalar, but at the
//! highest bit of an element of a vector only.

use std::sync::Arc;

use super::call::Call;
use super::integer::Integer;
use super::pure::{Compute, Part, Pure, cheap1, cheap3, costly, gather};
use crate::arithmetic::float::{class, decode, encode};
use crate::value::{Scalar, Slot, WIDTH, lanes_of, low_bits};

/// The function that a call means.
pub(super) fn recognise(call: &Call) -> Option<Pure> {
    compare(call)
        .or_else(|| choose(call))
        .or_else(|| any_all(call))
        .or_else(|| shuffle(call))
        .or_else(|| integer_dot(call))
        .or_else(|| geometric(call))
}

/// The classes of normal numbers, negative and positive.
const NORMAL: u64 = 1 << 3 | 1 << 8;

fn compare(call: &Call) -> Option<Pure> {
    let (number, count) = call.first()?;
    let format = number.float()?;
    let bits = call.result.first()?.bits();
    let truth = if count == 1 { 1 } else { low_bits(bits) };
    if count > 1 && bits != number.bits() && bits != 1 {
        return None;
    }
    let unary: Option<fn(f64) -> bool> = match &*call.name {
        "isnan" => Some(f64::is_nan),
        "isinf" => Some(f64::is_infinite),
        "isfinite" => Some(f64::is_finite),
        "signbit" => Some(f64::is_sign_negative),
        "isnormal" => None,
        _ => return binary_compare(call, format, bits, truth),
    };
    let function = match unary {
        Some(unary) => costly(move |[a]| if unary(decode(format, a)) { truth } else { 0 }),
        // What is subnormal in its format is normal in binary64.
        None => cheap1(move |a| if class(format, a) & NORMAL != 0 { truth } else { 0 }),
    };
    if call.operands.len() == 1 { call.elementwise(bits, count, function) } else { None }
}

fn binary_compare(call: &Call, format: Scalar, bits: u32, truth: u64) -> Option<Pure> {
    let holds: fn(f64, f64) -> bool = match &*call.name {
        "isequal" => |a, b| a == b,
        "isnotequal" => |a, b| a != b,
        "isgreater" => |a, b| a > b,
        "isgreaterequal" => |a, b| a >= b,
        "isless" => |a, b| a < b,
        "islessequal" => |a, b| a <= b,
        "islessgreater" => |a, b| a.partial_cmp(&b).is_some_and(std::cmp::Ordering::is_ne),
        "isordered" => |a, b| !a.is_nan() && !b.is_nan(),
        "isunordered" => |a, b| a.is_nan() || b.is_nan(),
        _ => return None,
    };
    let function = costly(move |[a, b]| if holds(decode(format, a), decode(format, b)) { truth } else { 0 });
    let fits = call.operands.len() == 2 && call.value(0) == call.value(1);
    fits.then(|| call.elementwise(bits, call.result.len(), function))?
}

fn choose(call: &Call) -> Option<Pure> {
    let (number, count) = call.first()?;
    let (choice, _) = call.value(2)?;
    let fits = call.operands.len() == 3 && call.value(1) == call.value(0) && choice.bits() == number.bits();
    let chosen = if count == 1 { u64::MAX } else { 1 << (choice.bits() - 1) };
    let function = match &*call.name {
        "select" => cheap3(move |a, b, c| if c & chosen != 0 { b } else { a }),
        "bitselect" => cheap3(|a, b, c| a & !c | b & c),
        _ => return None,
    };
    fits.then(|| call.elementwise(number.bits(), count, function))?
}

fn any_all(call: &Call) -> Option<Pure> {
    let all = match &*call.name {
        "any" => false,
        "all" => true,
        _ => return None,
    };
    let integer = Integer::of(call.first()?.0)?;
    let bits = call.result.first()?.bits();
    let sign = 1 << (integer.bits - 1);
    let compute = gather(bits, move |elements, out| {
        let set = |element: &u64| element & sign != 0;
        out[0] = u64::from(if all { elements.iter().all(set) } else { elements.iter().any(set) });
    });
    let fits = call.operands.len() == 1 && call.result.len() == 1;
    fits.then(|| Pure::new(&call.name, vec![Part { arguments: vec![0], count: 1, bits, compute }]))
}

/// `shuffle` and `shuffle2`: each element of the result is the one of the operands that the low bits of the mask's element number.
fn shuffle(call: &Call) -> Option<Pure> {
    let sources = match &*call.name {
        "shuffle" => 1,
        "shuffle2" => 2,
        _ => return None,
    };
    let (number, width) = call.first()?;
    let (mask, count) = call.value(sources)?;
    let same = (1..sources).all(|operand| call.value(operand) == call.value(0));
    let bits = number.bits();
    if call.operands.len() != sources + 1 || !same || mask.bits() != bits || !call.returns(bits, count) {
        return None;
    }
    // A vector of three is numbered as one of four.
    let room = width.next_power_of_two();
    let compute = Compute::Whole(Arc::new(move |arguments: &[&[Slot]], active, out: &mut [Slot]| {
        for (out, mask) in out.iter_mut().zip(arguments[sources]) {
            *out = Slot { poison: mask.indeterminate_lanes(), ..Slot::default() };
            for lane in lanes_of(active & !out.poison) {
                let index = mask.bits[lane] as usize & (sources * room - 1);
                match arguments[index / room].get(index % room) {
                    Some(source) if source.poison >> lane & 1 == 0 => {
                        out.bits[lane] = source.bits[lane];
                        if source.undefined_bits(lane) != 0 {
                            out.undefined.get_or_insert_with(|| Box::new([0; WIDTH]))[lane] =
                                source.undefined_bits(lane);
                        }
                    }
                    _ => out.poison |= 1 << lane,
                }
            }
        }
    }));
    Some(Pure::new(&call.name, vec![Part { arguments: (0..=sources).collect(), count, bits, compute }]))
}

/// `dot` of four bytes each, which `…_4x8packed_…` functions get in one `uint` with the signs in the name; `…_acc_sat` adds the last
/// operand and saturates.
fn integer_dot(call: &Call) -> Option<Pure> {
    let rest = call.name.strip_prefix("dot")?;
    let (accumulate, rest) = match rest.strip_prefix("_acc_sat") {
        Some(rest) => (true, rest),
        None => (false, rest),
    };
    let ((first, count), (second, second_count)) = (call.value(0)?, call.value(1)?);
    let byte = |sign: u8| Integer { bits: 8, signed: sign == b's' };
    let (a, b) = match rest.strip_prefix("_4x8packed_") {
        Some(signs) if first.bits() == 32 && count == 1 => match signs.as_bytes() {
            [a @ (b's' | b'u'), b @ (b's' | b'u'), b'_', ..] => (byte(*a), byte(*b)),
            _ => return None,
        },
        None if rest.is_empty() && first.bits() == 8 && count == 4 => (Integer::of(first)?, Integer::of(second)?),
        _ => return None,
    };
    let fits = (first.bits(), count) == (second.bits(), second_count)
        && call.operands.len() == if accumulate { 3 } else { 2 }
        && call.returns(32, 1);
    let sum = Integer { bits: 32, signed: a.signed || b.signed };
    let compute = gather(32, move |elements, out| {
        let byte = |vector: usize, index: usize| match count {
            1 => elements[vector] >> (8 * index) & 0xff,
            _ => elements[4 * vector + index],
        };
        let products = (0..4).map(|index| a.wide(byte(0, index)) * b.wide(byte(1, index)));
        let accumulator = if accumulate { elements.last().map_or(0, |&last| sum.wide(last)) } else { 0 };
        out[0] = sum.saturate(products.sum::<i128>() + accumulator);
    });
    let arguments = (0..call.operands.len()).collect();
    fits.then(|| Pure::new(&call.name, vec![Part { arguments, count: 1, bits: 32, compute }]))
}

fn geometric(call: &Call) -> Option<Pure> {
    let (number, width) = call.first()?;
    let format = number.float()?;
    let name = call.name.strip_prefix("fast_").unwrap_or(&call.name);
    let (operands, count) = match name {
        "dot" | "distance" => (2, 1),
        "cross" if matches!(width, 3 | 4) => (2, width),
        "length" => (1, 1),
        "normalize" => (1, width),
        _ => return None,
    };
    let same = (1..operands).all(|operand| call.value(operand) == call.value(0));
    if call.operands.len() != operands || !same || !call.returns(number.bits(), count) {
        return None;
    }
    let function: fn(&[f64], &mut [f64]) = match name {
        "dot" => |x, out| out[0] = dot(x),
        "distance" => |x, out| {
            let (a, b) = x.split_at(x.len() / 2);
            out[0] = length(a.iter().zip(b).map(|(a, b)| a - b));
        },
        "cross" => |x, out| {
            let b = x.len() / 2;
            let minor = |i: usize, j: usize| fused_difference(x[i], x[b + j], x[j], x[b + i]);
            out.fill(0.0);
            out[..3].copy_from_slice(&[minor(1, 2), minor(2, 0), minor(0, 1)]);
        },
        "length" => |x, out| out[0] = length(x.iter().copied()),
        _ => normalize,
    };
    let compute = gather(number.bits(), move |elements, out| {
        let elements: Vec<f64> = elements.iter().map(|&bits| decode(format, bits)).collect();
        let mut results = vec![0.0; out.len()];
        function(&elements, &mut results);
        for (out, result) in out.iter_mut().zip(results) {
            *out = encode(format, result);
        }
    });
    Some(Pure::new(&call.name, vec![Part { arguments: (0..operands).collect(), count, bits: number.bits(), compute }]))
}

/// The scalar product of the two halves.
fn dot(x: &[f64]) -> f64 {
    let (a, b) = x.split_at(x.len() / 2);
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// *ab − cd*, with the error of *cd* added.
fn fused_difference(a: f64, b: f64, c: f64, d: f64) -> f64 {
    let product = c * d;
    let error = (-c).mul_add(d, product);
    let difference = a.mul_add(b, -product);
    if error.is_finite() { difference + error } else { difference }
}

/// The Euclidean length. Squares are of numbers scaled by a power of two, so they neither overflow nor vanish.
fn length(elements: impl Iterator<Item = f64> + Clone) -> f64 {
    let greatest = elements.clone().fold(0.0, |greatest: f64, element| libm::fmax(greatest, element.abs()));
    if greatest == 0.0 || greatest.is_infinite() {
        let unknown = greatest == 0.0 && elements.clone().any(f64::is_nan);
        return if unknown { f64::NAN } else { greatest };
    }
    let exponent = libm::ilogb(greatest);
    let squares: f64 = elements.map(|element| libm::scalbn(element, -exponent)).map(|element| element * element).sum();
    libm::scalbn(squares.sqrt(), exponent)
}

/// The vector of length 1 with the same direction; zero stays zero, and infinite elements count as equally long.
fn normalize(x: &[f64], out: &mut [f64]) {
    let greatest = x.iter().fold(0.0, |greatest: f64, element| libm::fmax(greatest, element.abs()));
    let scaled = x.iter().map(|&element| {
        if greatest == 0.0 || element.is_nan() {
            element
        } else if greatest.is_infinite() {
            if element.is_infinite() { element.signum() } else { 0.0f64.copysign(element) }
        } else {
            libm::scalbn(element, -libm::ilogb(greatest))
        }
    });
    let length = length(scaled.clone());
    for (out, element) in out.iter_mut().zip(scaled) {
        *out = if length == 0.0 { element } else { element / length };
    }
}
