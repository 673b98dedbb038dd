//! Numbers as users write and read them: `--arg n=2000`, `x=-1.5e3`, `mask=0xff`, `{1, 2, 3, 4}`.
//!
//! An integer is decimal, or hexadecimal behind `0x`, or binary behind `0b`, with an optional sign; `_` may stand between digits.
//! A floating-point number is decimal, with an optional exponent, or `inf` or `nan`, and becomes the nearest number of its type
//! (those of 16 bits by way of binary64).
//!
//! Invariant: what is read fits its type, and what [`show`] gives reads as the same bits, unless it is a NaN.

use std::fmt;

use crate::arithmetic::float::{decode, encode};
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
        Scalar::Half | Scalar::BFloat => text.parse().ok().map(|value| encode(scalar, value)),
        Scalar::Float => text.parse::<f32>().ok().map(|value| u64::from(value.to_bits())),
        Scalar::Double => text.parse::<f64>().ok().map(f64::to_bits),
        _ => None,
    }
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
            Element::F16 => Number::Float(decode(Scalar::Half, bits) as f32),
            Element::BF16 => Number::Float(decode(Scalar::BFloat, bits) as f32),
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
