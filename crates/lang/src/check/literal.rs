//! What numbers, characters and strings mean, from their spelling.

use std::borrow::Cow;

use crate::options::Dialect;
use crate::typed::{FloatKind, float};

/// A number.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Number {
    /// An integer.
    Integer {
        /// Never negative: a sign is an operator.
        value: u128,
        /// How many its type has, 32 or 64.
        bits: u8,
        /// Whether its type is.
        signed: bool,
        /// Whether it is written with two `l`.
        is_long_long: bool,
    },
    /// A floating-point number.
    Float {
        /// One that its kind has.
        value: f64,
        /// By the letters at its end.
        kind: FloatKind,
    },
}

/// The value and type of a number as written ("Literals" of the C++ standard, and those of OpenCL C).
///
/// # Errors
/// What is wrong with it, in a sentence.
pub fn number(text: &str, dialect: Dialect) -> Result<Number, String> {
    if let Some(value) = small(text) {
        return Ok(Number::Integer { value, bits: 32, signed: true, is_long_long: false });
    }
    let clean = normal(text);
    let is_hex = clean.starts_with("0x");
    let is_float = match is_hex {
        true => clean.contains(['.', 'p']),
        false => !clean.starts_with("0b") && clean.contains(['.', 'e']),
    };
    match is_float || (!is_hex && !clean.starts_with("0b") && clean.ends_with(['f', 'h'])) {
        true => float(text, &clean, is_hex),
        false => integer(text, &clean, dialect),
    }
}

/// What most numbers are: a few decimal digits, and so an `int` in every dialect.
fn small(text: &str) -> Option<u128> {
    const MOST_DIGITS: usize = 9;
    let is_octal = text.len() > 1 && text.starts_with('0');
    if is_octal || text.is_empty() || text.len() > MOST_DIGITS || !text.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    Some(text.bytes().fold(0u32, |value, digit| 10 * value + u32::from(digit - b'0')).into())
}

/// A number in small letters and without separators, as most are written.
fn normal(text: &str) -> Cow<'_, str> {
    if text.bytes().all(|byte| byte != b'\'' && !byte.is_ascii_uppercase()) {
        return text.into();
    }
    text.chars().filter(|&c| c != '\'').map(|c| c.to_ascii_lowercase()).collect()
}

fn float(text: &str, clean: &str, is_hex: bool) -> Result<Number, String> {
    let suffixes =
        [("f16", FloatKind::Half), ("bf16", FloatKind::BFloat), ("f", FloatKind::Single), ("h", FloatKind::Half)];
    let suffixed = |&(suffix, kind): &(&str, FloatKind)| {
        let digits = clean.strip_suffix(suffix)?;
        (!is_hex || digits.contains('p')).then_some((digits, kind))
    };
    let mut found = suffixes.iter().filter_map(suffixed).min_by_key(|(digits, _)| digits.len());
    if let Some(digits) = clean.strip_suffix('l') {
        found = Some((digits, FloatKind::Double));
    }
    let (digits, kind) = found.unwrap_or((clean, FloatKind::Double));
    let wrong = || format!("`{text}` is not a number");
    let value = match is_hex {
        true => hexadecimal_float(digits).ok_or_else(wrong)?,
        false if !digits.starts_with(|c: char| c.is_ascii_digit() || c == '.') => return Err(wrong()),
        false if kind == FloatKind::Single => digits.parse::<f32>().map_err(|_| wrong())?.into(),
        false => digits.parse::<f64>().map_err(|_| wrong())?,
    };
    Ok(Number::Float { value: float::round(kind, value), kind })
}

fn hexadecimal_float(digits: &str) -> Option<f64> {
    let (mantissa, exponent) = digits.strip_prefix("0x")?.split_once('p')?;
    let exponent: i64 = exponent.parse::<i64>().ok()?.clamp(-100_000, 100_000);
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    if whole.is_empty() && fraction.is_empty() {
        return None;
    }
    let (mut bits, mut scale, mut sticky) = (0u64, exponent, false);
    for (index, digit) in whole.bytes().chain(fraction.bytes()).enumerate() {
        let digit = u64::from((digit as char).to_digit(16)?);
        let is_fraction = index >= whole.len();
        if bits >> 58 == 0 {
            bits = bits << 4 | digit;
            scale -= if is_fraction { 4 } else { 0 };
        } else {
            sticky |= digit != 0;
            scale += if is_fraction { 0 } else { 4 };
        }
    }
    Some(scaled((bits << 1) | u64::from(sticky), scale - 1))
}

/// `bits * 2^scale`, rounded once.
fn scaled(bits: u64, scale: i64) -> f64 {
    if bits == 0 {
        return 0.0;
    }
    let top = 63 - i64::from(bits.leading_zeros()) + scale;
    // The lowest bit that a double of this size has.
    let lowest = (top - 52).max(-1074);
    let drop = lowest - scale;
    let kept = match drop {
        ..=0 => return (bits as f64) * power(scale),
        1..=63 => bits >> drop,
        _ => 0,
    };
    let rest = if drop > 63 { bits } else { bits & ((1u64 << drop) - 1) };
    let half = if drop > 64 { u128::MAX } else { 1u128 << (drop - 1) };
    let up = u128::from(rest) > half || (u128::from(rest) == half && kept & 1 == 1);
    ((kept + u64::from(up)) as f64) * power(lowest)
}

/// `2^exponent`, exactly: `powi` may go by its reciprocal, which can be infinite.
fn power(exponent: i64) -> f64 {
    match exponent {
        ..=-1075 => 0.0,
        -1074..=-1023 => f64::from_bits(1 << (exponent + 1074)),
        -1022..=1023 => f64::from_bits(((exponent + 1023) as u64) << 52),
        1024.. => f64::INFINITY,
    }
}

fn integer(text: &str, clean: &str, dialect: Dialect) -> Result<Number, String> {
    let digits_end = match clean.get(..2) {
        Some("0x") => clean[2..].find(|c: char| !c.is_ascii_hexdigit()).map(|at| at + 2),
        Some("0b") => clean[2..].find(|c: char| !c.is_ascii_digit()).map(|at| at + 2),
        _ => clean.find(|c: char| !c.is_ascii_digit()),
    };
    let (digits, suffix) = clean.split_at(digits_end.unwrap_or(clean.len()));
    let (digits, radix) = match (digits.get(..2), digits) {
        (Some("0x"), _) => (&digits[2..], 16),
        (Some("0b"), _) => (&digits[2..], 2),
        (_, digits) if digits.len() > 1 && digits.starts_with('0') => (&digits[1..], 8),
        (_, digits) => (digits, 10),
    };
    let value = match u128::from_str_radix(digits, radix) {
        Ok(value) if value <= u128::from(u64::MAX) => value,
        Err(error) if *error.kind() == std::num::IntErrorKind::InvalidDigit => {
            return Err(format!("`{text}` is not a number"));
        }
        Err(error) if *error.kind() == std::num::IntErrorKind::Empty => {
            return Err(format!("`{text}` is not a number"));
        }
        _ => return Err(format!("the number `{text}` does not fit in 64 bits")),
    };
    let (unsigned, long, is_long_long) = match suffix {
        "" => (false, false, false),
        "u" => (true, false, false),
        "l" | "z" => (false, true, false),
        "ul" | "lu" | "uz" | "zu" => (true, true, false),
        "ll" => (false, true, dialect != Dialect::OpenCl),
        "ull" | "llu" => (true, true, dialect != Dialect::OpenCl),
        _ => return Err(format!("`{suffix}` at the end of the number `{text}` means nothing")),
    };
    let fits = |bits: u8, signed: bool| value >> (bits - u8::from(signed)) == 0;
    let widths: &[u8] = if long { &[64] } else { &[32, 64] };
    for &bits in widths {
        if !unsigned && fits(bits, true) {
            return Ok(Number::Integer { value, bits, signed: true, is_long_long });
        }
        if (unsigned || radix != 10) && fits(bits, false) {
            return Ok(Number::Integer { value, bits, signed: false, is_long_long });
        }
    }
    Ok(Number::Integer { value, bits: 64, signed: false, is_long_long })
}

/// The characters between the quotes as bytes, escapes replaced.
///
/// # Errors
/// What is wrong, in a sentence.
pub fn bytes(text: &str) -> Result<Vec<u8>, String> {
    let quote = text.find(['"', '\'']).ok_or_else(|| format!("`{text}` is not a string"))?;
    let (prefix, quoted) = text.split_at(quote);
    match prefix {
        "" | "u8" => {}
        "R" | "u8R" => return raw(text, quoted),
        _ => return Err(format!("strings and characters with the prefix `{prefix}` are not supported")),
    }
    let inner = quoted.get(1..quoted.len().max(2) - 1).unwrap_or("").as_bytes();
    let mut result = Vec::with_capacity(inner.len());
    let mut at = 0;
    while at < inner.len() {
        let byte = inner[at];
        at += 1;
        if byte != b'\\' {
            result.push(byte);
            continue;
        }
        let kind = inner.get(at).copied().unwrap_or(b'\\');
        at += 1;
        match kind {
            b'n' => result.push(b'\n'),
            b't' => result.push(b'\t'),
            b'r' => result.push(b'\r'),
            b'a' => result.push(7),
            b'b' => result.push(8),
            b'f' => result.push(12),
            b'v' => result.push(11),
            b'e' => result.push(27),
            b'0'..=b'7' => {
                let end = (at..inner.len().min(at + 2)).find(|&i| !matches!(inner[i], b'0'..=b'7'));
                let end = end.unwrap_or(inner.len().min(at + 2));
                let value = inner[at - 1..end].iter().fold(0u32, |value, &digit| value * 8 + u32::from(digit - b'0'));
                result.push(value as u8);
                at = end;
            }
            b'x' => {
                let end = (at..inner.len()).find(|&i| !inner[i].is_ascii_hexdigit()).unwrap_or(inner.len());
                if end == at {
                    return Err(format!("`\\x` in `{text}` needs digits after it"));
                }
                let digit = |value: u32, &digit: &u8| value << 4 | (digit as char).to_digit(16).unwrap_or(0);
                result.push(inner[at..end].iter().fold(0u32, digit) as u8);
                at = end;
            }
            b'u' | b'U' => {
                let end = inner.len().min(at + if kind == b'u' { 4 } else { 8 });
                let code = std::str::from_utf8(&inner[at..end]).ok().and_then(|hex| u32::from_str_radix(hex, 16).ok());
                let letter = code.and_then(char::from_u32);
                let letter = letter.ok_or_else(|| format!("`{text}` names a character that does not exist"))?;
                result.extend_from_slice(letter.encode_utf8(&mut [0; 4]).as_bytes());
                at = end;
            }
            other => result.push(other),
        }
    }
    Ok(result)
}

/// `R"x(…)x"`.
fn raw(text: &str, quoted: &str) -> Result<Vec<u8>, String> {
    let open = quoted.find('(');
    let inner = open.and_then(|open| quoted.get(open + 1..quoted.len().checked_sub(open + 1)?));
    inner.map(|inner| inner.as_bytes().to_vec()).ok_or_else(|| format!("`{text}` is not a string"))
}
