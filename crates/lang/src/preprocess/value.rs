//! The values of the expression of an `#if`, and the constants in it.

use super::punctuator::Punctuator;

/// A 64-bit integer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Value {
    pub(super) bits: i64,
    pub(super) is_unsigned: bool,
}

impl Value {
    /// A signed one.
    pub(super) fn of(bits: i64) -> Value {
        Value { bits, is_unsigned: false }
    }
}

/// An operator applied; none for a division by zero.
pub(super) fn apply(operator: Punctuator, left: Value, right: Value) -> Option<Value> {
    use Punctuator::*;
    let is_unsigned = left.is_unsigned || right.is_unsigned;
    let (a, b) = (left.bits, right.bits);
    let (ua, ub) = (a as u64, b as u64);
    let truth = |value: bool| Some(Value::of(i64::from(value)));
    let less = |a: i64, b: i64| if is_unsigned { (a as u64) < (b as u64) } else { a < b };
    let bits = match operator {
        OrOr => return truth(a != 0 || b != 0),
        AndAnd => return truth(a != 0 && b != 0),
        EqualEqual => return truth(a == b),
        NotEqual => return truth(a != b),
        Less => return truth(less(a, b)),
        LessEqual => return truth(!less(b, a)),
        Greater => return truth(less(b, a)),
        GreaterEqual => return truth(!less(a, b)),
        ShiftLeft | ShiftRight => {
            let shifted = shift(operator == ShiftLeft, left, right);
            return Some(Value { bits: shifted, ..left });
        }
        Or => a | b,
        Caret => a ^ b,
        And => a & b,
        Plus => a.wrapping_add(b),
        Minus => a.wrapping_sub(b),
        Star => a.wrapping_mul(b),
        Slash if b == 0 => return None,
        Slash if is_unsigned => (ua / ub) as i64,
        Slash => a.wrapping_div(b),
        Percent if b == 0 => return None,
        Percent if is_unsigned => (ua % ub) as i64,
        Percent => a.wrapping_rem(b),
        _ => return None,
    };
    Some(Value { bits, is_unsigned })
}

/// A shift; by a negative number it goes the other way, by 64 or more everything is shifted out.
fn shift(to_left: bool, value: Value, by: Value) -> i64 {
    let is_negative = !by.is_unsigned && by.bits < 0;
    let distance = if is_negative { by.bits.unsigned_abs() } else { by.bits as u64 };
    let to_left = to_left != is_negative;
    match (to_left, distance) {
        (true, 0..=63) => value.bits << distance,
        (true, _) => 0,
        (false, 0..=63) if value.is_unsigned => ((value.bits as u64) >> distance) as i64,
        (false, _) if value.is_unsigned => 0,
        (false, _) => value.bits >> distance.min(63),
    }
}

/// The value of an integer constant.
pub(super) fn integer(text: &str) -> Result<Value, String> {
    let plain: String = text.chars().filter(|&character| character != '\'').collect::<String>().to_ascii_lowercase();
    let (radix, digits) = match plain.as_bytes() {
        [b'0', b'x', ..] => (16, &plain[2..]),
        [b'0', b'b', ..] => (2, &plain[2..]),
        [b'0', _, ..] => (8, &plain[1..]),
        _ => (10, &plain[..]),
    };
    let is_real = plain.contains('.') || radix != 16 && plain.contains('e') || radix == 16 && plain.contains('p');
    if is_real {
        return Err(format!("the number `{text}` in the expression of `#if` is not an integer"));
    }
    let length = digits.find(|character: char| !character.is_digit(radix)).unwrap_or(digits.len());
    let (digits, suffix) = digits.split_at(length);
    let is_suffix = matches!(suffix, "" | "u" | "l" | "ul" | "lu" | "ll" | "ull" | "llu" | "z" | "uz" | "zu");
    if !is_suffix || digits.is_empty() && radix != 8 {
        return Err(format!("`{text}` is not an integer constant"));
    }
    let digits = if digits.is_empty() { "0" } else { digits };
    let bits =
        u64::from_str_radix(digits, radix).map_err(|_| format!("the integer `{text}` does not fit into 64 bits"))?;
    Ok(Value { bits: bits as i64, is_unsigned: suffix.contains('u') || bits > i64::MAX as u64 })
}

/// The value of a character constant.
pub(super) fn character(text: &str) -> Result<Value, String> {
    let quote = text.find('\'').unwrap_or(0);
    let prefix = &text[..quote];
    let inside = text[quote + 1..].strip_suffix('\'').unwrap_or(&text[quote + 1..]);
    let mut rest = inside.chars();
    let mut units = Vec::new();
    while let Some(first) = rest.next() {
        units.push(if first == '\\' { escape(&mut rest)? } else { first as u32 });
    }
    let largest = match prefix {
        "L" | "U" => u32::MAX,
        "u" => u32::from(u16::MAX),
        "u8" => 0x7f,
        _ => u32::from(u8::MAX),
    };
    let is_too_large = |&unit: &u32| unit > largest || prefix.is_empty() && unit > 0x7f && !inside.contains('\\');
    match units.as_slice() {
        [] => Err("the character constant is empty".to_owned()),
        units if units.iter().any(is_too_large) => Err(format!("a character of `{text}` does not fit into its type")),
        &[unit] if prefix.is_empty() => Ok(Value::of(i64::from(unit as u8 as i8))),
        &[unit] if prefix == "L" => Ok(Value::of(i64::from(unit as i32))),
        &[unit] => Ok(Value { bits: i64::from(unit), is_unsigned: true }),
        units if prefix.is_empty() && units.len() <= 4 => {
            let packed = units.iter().fold(0u32, |packed, unit| packed << 8 | unit);
            Ok(Value::of(i64::from(packed as i32)))
        }
        _ => Err(format!("the character constant `{text}` holds too many characters")),
    }
}

/// What stands after a backslash.
fn escape(rest: &mut std::str::Chars<'_>) -> Result<u32, String> {
    let wrong = |character: char| format!("there is no escape `\\{character}`");
    let first = rest.next().ok_or("the character constant ends after a backslash")?;
    let digits = |rest: &mut std::str::Chars<'_>, radix: u32, most: usize| {
        let digits: String = rest.as_str().chars().take(most).take_while(|digit| digit.is_digit(radix)).collect();
        *rest = rest.as_str()[digits.len()..].chars();
        digits
    };
    let number = |digits: &str, radix: u32| {
        u32::from_str_radix(digits, radix).map_err(|_| format!("the escape `\\{first}{digits}` is no character"))
    };
    Ok(match first {
        'n' => 10,
        't' => 9,
        'r' => 13,
        'a' => 7,
        'b' => 8,
        'f' => 12,
        'v' => 11,
        'e' | 'E' => 27,
        '\\' | '\'' | '"' | '?' => first as u32,
        '0'..='7' => {
            let more = digits(rest, 8, 2);
            number(&format!("{first}{more}"), 8)?
        }
        'x' => number(&digits(rest, 16, usize::MAX), 16)?,
        'u' => number(&digits(rest, 16, 4), 16)?,
        'U' => number(&digits(rest, 16, 8), 16)?,
        _ => return Err(wrong(first)),
    })
}
