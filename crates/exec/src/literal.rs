//! Numbers as users write and read them: `--arg n=2000`, `x=-1.5e3`, `mask=0xff`, `{1, 2, 3, 4}`.
//!
//! An integer is decimal, or hexadecimal behind `0x`, or binary behind `0b`, with an optional sign; `_` may stand between digits.
//! A floating-point number is decimal, with an optional exponent, or `inf` or `nan`, and becomes the nearest number of its type
//! (those of 16 bits by way of binary64).
//!
//! Invariant: what is read fits its type, and what [`show`] gives reads as the same bits, unless it is a NaN.

use std::fmt;

use crate::arithmetic::float::encode;
use crate::launch::Element;
use crate::value::{Scalar, Slot, low_bits};

/// Reads a value of a flattened type: a number, or as many as it has scalars, in braces. The components, in order.
///
/// # Errors
/// What was expected.
pub fn read_value(text: &str, shape: &[Scalar]) -> Result<Vec<u64>, String> {
    let text = text.trim();
    let numbers: Vec<&str> = match (shape, text.starts_with('{')) {
        ([_], false) => vec![text],
        _ => numbers_of(text).ok_or_else(|| format!("expected {}", expectation(shape)))?,
    };
    if numbers.len() != shape.len() {
        return Err(format!("expected {}, not {}", expectation(shape), numbers.len()));
    }
    let mut components = Vec::new();
    for (number, &scalar) in numbers.into_iter().zip(shape) {
        let bits = read_scalar(number, scalar)?;
        components.extend((0..scalar.components()).map(|index| (bits >> (64 * index)) as u64));
    }
    Ok(components)
}

fn expectation(shape: &[Scalar]) -> String {
    match shape {
        [scalar] => expected_scalar(*scalar),
        _ => format!("{} numbers, such as {{{}}}", shape.len(), vec!["0"; shape.len()].join(",")),
    }
}

/// The numbers in braces; braces inside group them and mean nothing else.
fn numbers_of(text: &str) -> Option<Vec<&str>> {
    let inner = text.strip_prefix('{')?.strip_suffix('}')?;
    let parts = inner.split(',').map(|part| part.trim_matches(|c: char| c.is_whitespace() || c == '{' || c == '}'));
    Some(if inner.trim().is_empty() { Vec::new() } else { parts.collect() })
}

/// Reads a number of a scalar type of at most 128 bits. An integer may be written with or without sign, so one of 8 bits
/// reads -128 to 255.
///
/// # Errors
/// What was expected.
pub fn read_scalar(text: &str, scalar: Scalar) -> Result<u128, String> {
    let wrong = || format!("expected {}", expected_scalar(scalar));
    match scalar {
        Scalar::Integer(1) if text == "true" => Ok(1),
        Scalar::Integer(1) if text == "false" => Ok(0),
        Scalar::Integer(bits) if bits <= 128 => {
            let (negative, magnitude) = integer(text).ok_or_else(wrong)?;
            let mask = u128::MAX >> (128 - bits);
            let fits = if negative { magnitude <= 1 << (bits - 1) } else { magnitude <= mask };
            if fits { Ok(if negative { magnitude.wrapping_neg() } else { magnitude } & mask) } else { Err(wrong()) }
        }
        Scalar::Half | Scalar::BFloat | Scalar::Float | Scalar::Double => {
            float(text, scalar).ok_or_else(wrong).map(u128::from)
        }
        Scalar::Integer(_) | Scalar::Pointer(_) | Scalar::Token => Err(wrong()),
    }
}

fn expected_scalar(scalar: Scalar) -> String {
    match scalar {
        Scalar::Integer(1) => "true or false".to_owned(),
        Scalar::Integer(bits) if bits <= 128 => {
            let (least, most) = (1_u128 << (bits - 1), u128::MAX >> (128 - bits));
            format!("an integer from -{least} to {most}")
        }
        Scalar::Integer(_) => "nothing: integers of more than 128 bits cannot be given".to_owned(),
        Scalar::Half | Scalar::BFloat | Scalar::Float | Scalar::Double => FLOAT.to_owned(),
        Scalar::Pointer(_) => "a buffer".to_owned(),
        Scalar::Token => "nothing: tokens cannot be given".to_owned(),
    }
}

const FLOAT: &str = "a number such as 1.5, -2e10, inf or nan";

/// Reads an element of a buffer: its bits.
///
/// # Errors
/// What was expected.
pub fn read_element(text: &str, element: Element) -> Result<u64, String> {
    let bits = element.size() as u32 * 8;
    let (least, most) = match element {
        Element::U8 | Element::U16 | Element::U32 | Element::U64 => (0_u64, low_bits(bits)),
        Element::I8 | Element::I16 | Element::I32 | Element::I64 => (1 << (bits - 1), low_bits(bits - 1)),
        Element::F16 => return float(text, Scalar::Half).ok_or_else(|| format!("expected {FLOAT}")),
        Element::BF16 => return float(text, Scalar::BFloat).ok_or_else(|| format!("expected {FLOAT}")),
        Element::F32 => return float(text, Scalar::Float).ok_or_else(|| format!("expected {FLOAT}")),
        Element::F64 => return float(text, Scalar::Double).ok_or_else(|| format!("expected {FLOAT}")),
    };
    match integer(text) {
        Some((true, magnitude)) if magnitude <= u128::from(least) => {
            Ok((magnitude as u64).wrapping_neg() & low_bits(bits))
        }
        Some((false, magnitude)) if magnitude <= u128::from(most) => Ok(magnitude as u64),
        _ => {
            let sign = if least == 0 { "" } else { "-" };
            Err(format!("expected an integer from {sign}{least} to {most}"))
        }
    }
}

/// The sign and the magnitude of an integer.
fn integer(text: &str) -> Option<(bool, u128)> {
    let (negative, digits) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let (radix, digits) = match (digits.get(..2), digits.get(2..)) {
        (Some("0x" | "0X"), Some(rest)) => (16, rest),
        (Some("0b" | "0B"), Some(rest)) => (2, rest),
        _ => (10, digits),
    };
    let starts_well = digits.chars().next().is_some_and(|first| first.is_digit(radix));
    let magnitude = u128::from_str_radix(&digits.replace('_', ""), radix).ok()?;
    starts_well.then_some((negative, magnitude))
}

/// The bits of a floating-point number.
fn float(text: &str, scalar: Scalar) -> Option<u64> {
    let text = text.replace('_', "");
    match scalar {
        Scalar::Half => text.parse().ok().map(|value| narrow(value, 10, 5)),
        Scalar::BFloat => text.parse().ok().map(|value| narrow(value, 7, 8)),
        Scalar::Float => text.parse::<f32>().ok().map(|value| u64::from(value.to_bits())),
        Scalar::Double => text.parse::<f64>().ok().map(f64::to_bits),
        _ => None,
    }
}

/// The bits of the number nearest to `value` in a binary format with this many bits of mantissa and exponent, ties to even.
fn narrow(value: f64, mantissa: u32, exponent: u32) -> u64 {
    let sign = u64::from(value.is_sign_negative()) << (mantissa + exponent);
    let infinity = low_bits(exponent) << mantissa;
    if value.is_nan() {
        return sign | infinity | 1 << (mantissa - 1);
    }
    let bias = (1_i32 << (exponent - 1)) - 1;
    // Of zero and of what is subnormal in binary64 it is small enough.
    let own = (value.to_bits() >> 52 & 0x7ff) as i32 - 1023;
    let scale = own.max(1 - bias);
    if scale > bias {
        return sign | infinity;
    }
    // In units of the last place. Multiplying by a power of two is exact.
    let units = (value.abs() * 2_f64.powi(mantissa as i32 - scale)).round_ties_even() as u64;
    // A carry out of the mantissa goes to the exponent, where it belongs; what is subnormal has no leading one to take off.
    let bits = ((scale + bias - 1) as u64) << mantissa;
    sign | (bits + units).min(infinity)
}

/// The number that some bits are in a binary format with this many bits of mantissa and exponent.
fn widen(bits: u64, mantissa: u32, exponent: u32) -> f32 {
    let sign = if bits >> (mantissa + exponent) & 1 == 1 { -1.0 } else { 1.0 };
    let fraction = (bits & low_bits(mantissa)) as f32;
    let biased = (bits >> mantissa & low_bits(exponent)) as i32;
    let bias = (1_i32 << (exponent - 1)) - 1;
    let one = 2_f32.powi(mantissa as i32);
    if biased as u64 == low_bits(exponent) {
        return if fraction == 0.0 { sign * f32::INFINITY } else { f32::NAN };
    }
    let significand = if biased == 0 { fraction } else { one + fraction };
    // In two steps, since the scale of the smallest numbers is none of a binary32.
    sign * (significand / one) * 2_f32.powi(biased.max(1) - bias)
}

/// An element of a buffer, to be printed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Number {
    /// Of an unsigned type.
    Unsigned(u64),
    /// Of a signed type.
    Signed(i64),
    /// Of a floating-point type of at most 32 bits.
    Float(f32),
    /// Of a floating-point type of 64 bits.
    Double(f64),
    /// None, as it is poison.
    Poison,
    /// None, as not all of its bits are known.
    Undefined,
}

impl fmt::Display for Number {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Number::Unsigned(value) => write!(formatter, "{value}"),
            Number::Signed(value) => write!(formatter, "{value}"),
            Number::Float(value) if value.is_nan() => write!(formatter, "nan"),
            Number::Float(value) => write!(formatter, "{value:?}"),
            Number::Double(value) if value.is_nan() => write!(formatter, "nan"),
            Number::Double(value) => write!(formatter, "{value:?}"),
            Number::Poison => write!(formatter, "poison"),
            Number::Undefined => write!(formatter, "undef"),
        }
    }
}

/// The elements that bytes hold, lowest byte first. What is left over at the end is no element.
pub fn show(element: Element, bytes: &[u8]) -> impl Iterator<Item = Number> {
    bytes.chunks_exact(element.size() as usize).map(move |chunk| {
        let bits = chunk.iter().rev().fold(0, |bits, &byte| bits << 8 | u64::from(byte));
        match element {
            Element::U8 | Element::U16 | Element::U32 | Element::U64 => Number::Unsigned(bits),
            Element::I8 => Number::Signed((bits as i8).into()),
            Element::I16 => Number::Signed((bits as i16).into()),
            Element::I32 => Number::Signed((bits as i32).into()),
            Element::I64 => Number::Signed(bits as i64),
            Element::F16 => Number::Float(widen(bits, 10, 5)),
            Element::BF16 => Number::Float(widen(bits, 7, 8)),
            Element::F32 => Number::Float(f32::from_bits(bits as u32)),
            Element::F64 => Number::Double(f64::from_bits(bits)),
        }
    })
}

/// The value of a flattened type that a lane of a register holds, as users read it: integers with sign, elements in braces,
/// `poison` and `undef` where they are.
pub fn show_value(shape: &[Scalar], slots: &[Slot], lane: usize) -> String {
    let mut rest = slots;
    let mut shown: Vec<String> = shape
        .iter()
        .map(|&scalar| {
            let (components, after) = rest.split_at(scalar.components());
            rest = after;
            show_scalar(scalar, components, lane)
        })
        .collect();
    if shown.len() == 1 { shown.remove(0) } else { format!("{{{}}}", shown.join(", ")) }
}

fn show_scalar(scalar: Scalar, components: &[Slot], lane: usize) -> String {
    if components.iter().any(|slot| slot.poison >> lane & 1 != 0) {
        return "poison".to_owned();
    }
    if components.iter().any(|slot| slot.undefined_bits(lane) != 0) {
        return "undef".to_owned();
    }
    let bits = components[0].bits[lane];
    let element = |element: Element| {
        show(element, &bits.to_le_bytes()[..element.size() as usize]).next().map_or_else(String::new, |n| n.to_string())
    };
    match scalar {
        Scalar::Integer(1) => (if bits == 0 { "false" } else { "true" }).to_owned(),
        Scalar::Integer(width) if width <= 64 => ((bits << (64 - width)).cast_signed() >> (64 - width)).to_string(),
        Scalar::Integer(width) if width <= 128 => {
            let number = u128::from(bits) | u128::from(components[1].bits[lane]) << 64;
            ((number << (128 - width)).cast_signed() >> (128 - width)).to_string()
        }
        Scalar::Integer(_) => {
            let digits: String = components.iter().rev().map(|slot| format!("{:016x}", slot.bits[lane])).collect();
            format!("0x{digits}")
        }
        Scalar::Half => element(Element::F16),
        Scalar::BFloat => element(Element::BF16),
        Scalar::Float => element(Element::F32),
        Scalar::Double => element(Element::F64),
        Scalar::Pointer(_) | Scalar::Token => format!("{bits:#x}"),
    }
}

/// The bits of an integer as an element of a buffer: wrapped, or the floating-point number nearest to it as a signed one.
pub fn element_of_integer(number: u64, element: Element) -> u64 {
    match float_scalar(element) {
        Some(scalar) => encode(scalar, number.cast_signed() as f64),
        None => number & low_bits(8 * element.size() as u32),
    }
}

/// The bits of an element that random bits stand for: any integer, or a floating-point number in [0, 1).
pub fn random_element(random: u64, element: Element) -> u64 {
    match float_scalar(element) {
        // As many bits as the smallest of these types holds, so that nothing is rounded up to 1.
        Some(scalar) => {
            let bits = match element {
                Element::F64 => 53,
                Element::F32 => 24,
                Element::F16 => 11,
                _ => 8,
            };
            encode(scalar, (random >> (64 - bits)) as f64 / (1u64 << bits) as f64)
        }
        None => random & low_bits(8 * element.size() as u32),
    }
}

fn float_scalar(element: Element) -> Option<Scalar> {
    match element {
        Element::F16 => Some(Scalar::Half),
        Element::BF16 => Some(Scalar::BFloat),
        Element::F32 => Some(Scalar::Float),
        Element::F64 => Some(Scalar::Double),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers() {
        let byte = Scalar::Integer(8);
        for (text, bits) in [("0", 0), ("255", 255), ("-128", 128), ("-1", 255), ("+7", 7), ("0xF_f", 255), ("0b10", 2)]
        {
            assert_eq!(read_scalar(text, byte), Ok(bits), "{text}");
        }
        for text in ["", "-", "256", "-129", "0x", "0x-1", "_1", "--1", "1.0", "1e2", "0b2", "é1"] {
            assert!(read_scalar(text, byte).is_err(), "{text}");
        }
        assert_eq!(read_scalar("-1", Scalar::Integer(128)), Ok(u128::MAX));
        assert_eq!(read_scalar("true", Scalar::Integer(1)), Ok(1));
        assert_eq!(read_element("-1", Element::I16), Ok(0xffff));
        assert_eq!(read_element("-1", Element::U16), Err("expected an integer from 0 to 65535".to_owned()));
        assert_eq!(read_element("128", Element::I8), Err("expected an integer from -128 to 127".to_owned()));
        assert_eq!(read_element("-9223372036854775808", Element::I64), Ok(1 << 63));
    }

    #[test]
    fn values_of_several_scalars() {
        let shape = [Scalar::Integer(8), Scalar::Integer(128), Scalar::Float];
        assert_eq!(read_value("{1, {2, 0.5}}", &shape), Ok(vec![1, 2, 0, 0x3f00_0000]));
        assert_eq!(read_value("{1,2}", &shape), Err("expected 3 numbers, such as {0,0,0}, not 2".to_owned()));
        assert!(read_value("1", &shape).is_err());
        assert_eq!(read_value(" 1 ", &shape[..1]), Ok(vec![1]));
        assert_eq!(read_value("{1}", &shape[..1]), Ok(vec![1]));
    }

    /// Every number of 16 bits reads as itself from what is shown of it.
    #[test]
    fn small_floats_come_back() {
        for element in [Element::F16, Element::BF16] {
            for bits in 0..=u16::MAX {
                let number = show(element, &bits.to_le_bytes()).next().expect("one element").to_string();
                let back = read_element(&number, element).expect("what is shown is a number");
                assert!(back == u64::from(bits) || number == "nan", "{element:?} {bits:#x} {number} {back:#x}");
            }
        }
    }

    /// The definition of rounding: of the two neighbours the nearer one, of two that are as near the even one.
    #[test]
    fn small_floats_round_to_nearest() {
        for (mantissa, exponent) in [(10, 5), (7, 8)] {
            for bits in 0..low_bits(exponent) << mantissa {
                let (low, high) =
                    (f64::from(widen(bits, mantissa, exponent)), f64::from(widen(bits + 1, mantissa, exponent)));
                if high.is_infinite() {
                    continue;
                }
                let middle = f64::midpoint(low, high);
                assert_eq!(narrow(middle, mantissa, exponent), bits + (bits & 1), "{middle}");
                assert_eq!(narrow(middle.next_down(), mantissa, exponent), bits, "{middle}");
                assert_eq!(narrow(middle.next_up(), mantissa, exponent), bits + 1, "{middle}");
            }
        }
        assert_eq!(narrow(65519.9, 10, 5), 0x7bff);
        assert_eq!(narrow(65520.0, 10, 5), 0x7c00);
        assert_eq!(narrow(1e300, 10, 5), 0x7c00);
        assert_eq!(narrow(-1e-300, 10, 5), 0x8000);
    }
}
