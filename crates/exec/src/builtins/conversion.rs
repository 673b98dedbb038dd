//! `convert_T`, with saturation and rounding modes, and `as_T` (OpenCL C 6.4).
//!
//! A number is converted to the one of the other type that the rounding mode asks for; without one, integers get the fraction cut off
//! and floating-point numbers the nearest. What does not fit is described in the comment of [the parent](super).

use super::call::Call;
use super::demangle::Number;
use super::integer::Integer;
use super::pure::{Compute, Elementwise, Part, Pure, cheap1, costly, spread};
use crate::arithmetic::float::{Rounding, decode, encode, round};
use crate::value::{Lanes, Scalar, Slot, WIDTH, lanes_of, low_bits};

/// The function that a call means.
pub(super) fn recognise(call: &Call) -> Option<Pure> {
    if let Some(target) = call.name.strip_prefix("as_") {
        let (to, _) = vector_type(target)?;
        let (from, count) = call.first()?;
        let fits = call.operands.len() == 1 && call.result.iter().all(|scalar| scalar.bits() == to.bits());
        return fits.then(|| reinterpret(&call.name, from.bits() as usize * count, from.bits(), call.result))?;
    }
    let (from, from_count) = call.first()?;
    if let name @ ("lrint" | "lround") = &*call.name {
        let (to, from) = (Number::Signed(call.result.first()?.bits()), from.float()?);
        let nearest: fn(f64) -> f64 = if name == "lrint" { f64::round_ties_even } else { f64::round };
        let function = to_integer(from, Integer::from(to), nearest);
        return if call.operands.len() == 1 { call.elementwise(to.bits(), 1, function) } else { None };
    }
    let mut parts = call.name.strip_prefix("convert_")?.split('_');
    let (to, count) = vector_type(parts.next()?)?;
    let mut rest = parts.next();
    let saturate = rest == Some("sat");
    if saturate {
        rest = parts.next();
    }
    let rounding = match rest {
        Some(mode) => Some(rounding_named(mode)?),
        None => None,
    };
    let fits = call.operands.len() == 1 && from_count == count && parts.next().is_none();
    fits.then(|| call.elementwise(to.bits(), count, convert(from, to, saturate, rounding)))?
}

/// The mode that ends a name: `rte`, `rtz`, `rtp`, `rtn`; or CUDA's `rn`, `rz`, `ru`, `rd`.
pub(super) fn rounding_named(name: &str) -> Option<Rounding> {
    Some(match name {
        "rte" | "rn" => Rounding::Nearest,
        "rtz" | "rz" => Rounding::Zero,
        "rtp" | "ru" => Rounding::Up,
        "rtn" | "rd" => Rounding::Down,
        _ => return None,
    })
}

/// An integer, or with a fraction to be cut off.
fn rounded_to_integer(value: f64, rounding: Rounding) -> f64 {
    match rounding {
        Rounding::Nearest => value.round_ties_even(),
        // What follows cuts off the fraction.
        Rounding::Zero => value,
        Rounding::Up => value.ceil(),
        Rounding::Down => value.floor(),
    }
}

/// The integer nearest to what `round` makes of a number, itself an integer but for a fraction that does not count; 0 of a NaN.
fn to_integer(from: Scalar, to: Integer, round: impl Fn(f64) -> f64 + Send + Sync + 'static) -> Elementwise {
    let mask = low_bits(to.bits);
    if to.signed {
        let greatest = (mask >> 1) as i64;
        costly(move |[bits]| (round(decode(from, bits)) as i64).clamp(-greatest - 1, greatest) as u64 & mask)
    } else {
        costly(move |[bits]| (round(decode(from, bits)) as u64).min(mask))
    }
}

fn encode_rounded(to: Scalar, value: f64, rounding: Rounding) -> u64 {
    if to == Scalar::Double || rounding == Rounding::Nearest || !value.is_finite() {
        return encode(to, value);
    }
    let (fraction, exponent) = (value.to_bits() & low_bits(52), (value.to_bits() >> 52 & 0x7ff) as i32);
    let significand = if exponent == 0 { fraction } else { fraction | 1 << 52 };
    round(to, rounding, value.is_sign_negative(), significand, exponent.max(1) - 1075)
}

/// A type of OpenCL C: `uchar`, `float4`, ….
pub(super) fn vector_type(name: &str) -> Option<(Number, usize)> {
    let element = name.trim_end_matches(|last: char| last.is_ascii_digit());
    let count = if element.len() == name.len() { 1 } else { name[element.len()..].parse().ok()? };
    let number = match element {
        "char" => Number::Signed(8),
        "uchar" => Number::Unsigned(8),
        "short" => Number::Signed(16),
        "ushort" => Number::Unsigned(16),
        "int" => Number::Signed(32),
        "uint" => Number::Unsigned(32),
        "long" => Number::Signed(64),
        "ulong" => Number::Unsigned(64),
        "half" => Number::Half,
        "float" => Number::Float,
        "double" => Number::Double,
        _ => return None,
    };
    matches!(count, 1 | 2 | 3 | 4 | 8 | 16).then_some((number, count))
}

/// The conversion from one type to another. Where no rounding is named: towards zero to integers, else to nearest.
pub(super) fn convert(from: Number, to: Number, saturate: bool, rounding: Option<Rounding>) -> Elementwise {
    match (from.float(), to.float()) {
        (None, None) => {
            let (from, to) = (Integer::from(from), Integer::from(to));
            if saturate {
                cheap1(move |bits| to.saturate(from.wide(bits)))
            } else {
                cheap1(move |bits| from.wide(bits) as u64 & low_bits(to.bits))
            }
        }
        (None, Some(to)) => {
            let (from, rounding) = (Integer::from(from), rounding.unwrap_or(Rounding::Nearest));
            if (to, rounding) == (Scalar::Float, Rounding::Nearest) {
                return if from.signed {
                    cheap1(move |bits| u64::from((from.extend(bits) as f32).to_bits()))
                } else {
                    cheap1(|bits| u64::from((bits as f32).to_bits()))
                };
            }
            costly(move |[bits]| {
                let value = from.wide(bits);
                round(to, rounding, value < 0, value.unsigned_abs() as u64, 0)
            })
        }
        (Some(from), None) => {
            let (to, rounding) = (Integer::from(to), rounding.unwrap_or(Rounding::Zero));
            to_integer(from, to, move |value| rounded_to_integer(value, rounding))
        }
        (Some(from), Some(to)) if from == to => cheap1(|bits| bits),
        (Some(from), Some(to)) => {
            let rounding = rounding.unwrap_or(Rounding::Nearest);
            costly(move |[bits]| encode_rounded(to, decode(from, bits), rounding))
        }
    }
}

/// The same bits as elements of another size, lowest first. A vector of three counts as one of four.
pub(super) fn reinterpret(name: &str, from_total: usize, from_bits: u32, result: &[Scalar]) -> Option<Pure> {
    let bits = result.first()?.bits();
    let total = bits as usize * result.len();
    let room = |total: usize, bits: u32| if total == 3 * bits as usize { 4 * bits as usize } else { total };
    if room(total, bits) != room(from_total, from_bits) || !bits.is_multiple_of(8) || !from_bits.is_multiple_of(8) {
        return None;
    }
    let compute = Compute::Whole(std::sync::Arc::new(move |arguments: &[&[Slot]], _, out: &mut [Slot]| {
        let source = arguments[0];
        for (index, out) in out.iter_mut().enumerate() {
            let first = index * bits as usize;
            let overlap =
                first / from_bits as usize..(first + bits as usize).div_ceil(from_bits as usize).min(source.len());
            let overlap = &source[overlap.start.min(overlap.end)..overlap.end];
            out.bits = repack(overlap.iter().map(|slot| &slot.bits), from_bits, first as u32 % from_bits, bits);
            let unknown = overlap.iter().any(|slot| slot.undefined.is_some());
            spread(out, overlap.iter(), bits);
            if unknown {
                let mut undefined = repack(
                    overlap.iter().map(|slot| slot.undefined.as_deref().unwrap_or(&[0; WIDTH])),
                    from_bits,
                    first as u32 % from_bits,
                    bits,
                );
                for lane in lanes_of(out.poison) {
                    undefined[lane] = 0;
                }
                out.bits = repack(overlap.iter().map(|slot| &slot.bits), from_bits, first as u32 % from_bits, bits);
                out.undefined = Some(Box::new(undefined));
            }
        }
    }));
    Some(Pure::new(name, vec![Part { arguments: vec![0], count: result.len(), bits, compute }]))
}

/// `bits` bits from bit `start` of elements of `from_bits` bits that stand one after the other.
fn repack<'a>(elements: impl Iterator<Item = &'a Lanes>, from_bits: u32, start: u32, bits: u32) -> Lanes {
    let mut out = [0; WIDTH];
    for (index, element) in elements.enumerate() {
        let position = index as u32 * from_bits;
        for (out, &element) in out.iter_mut().zip(element) {
            *out |= if position < start { element >> (start - position) } else { element << (position - start) };
        }
    }
    for out in &mut out {
        *out &= low_bits(bits);
    }
    out
}
