//! What number literals mean, bit for bit (LangRef, "Simple Constants").
//!
//! A floating-point literal of a type of 64 bits or fewer is a decimal, or the hexadecimal bits of a `double` (`0x`), a
//! `half` (`0xH`) or a `bfloat` (`0xR`). Decimals and doubles are literals of the smaller types, too, where they are exact
//! in them. A signalling NaN stays one.

use crate::types::TypeData;

/// The bits of a floating-point literal of a type.
///
/// # Errors
/// When the type cannot hold the number exactly, or has more than 64 bits.
pub fn float_bits(spelling: &[u8], ty: &TypeData) -> Result<u64, &'static str> {
    const INEXACT: &str = "this number is not exact in its type";
    let spelling = std::str::from_utf8(spelling).map_err(|_| "this is no number")?;
    let hexadecimal = |digits: &str, longest: u64| {
        let bits = u64::from_str_radix(digits, 16).ok().filter(|&bits| bits <= longest);
        bits.ok_or("this number has more bits than its type")
    };
    let format = match ty {
        TypeData::Half => Format { exponent: 5, fraction: 10 },
        TypeData::BFloat => Format { exponent: 8, fraction: 7 },
        TypeData::Float => Format { exponent: 8, fraction: 23 },
        TypeData::Double => Format { exponent: 11, fraction: 52 },
        _ => return Err("floating-point numbers of more than 64 bits are not supported"),
    };
    let double = match spelling.strip_prefix("0x") {
        Some(digits) => match (digits.strip_prefix('H'), digits.strip_prefix('R')) {
            (Some(half), _) if *ty == TypeData::Half => return hexadecimal(half, 0xFFFF),
            (_, Some(bfloat)) if *ty == TypeData::BFloat => return hexadecimal(bfloat, 0xFFFF),
            _ if digits.starts_with(['H', 'R', 'K', 'L', 'M']) => return Err("this number is of another type"),
            _ => hexadecimal(digits, u64::MAX)?,
        },
        None => spelling.parse::<f64>().map_err(|_| "this is no number")?.to_bits(),
    };
    format.exactly(double).ok_or(INEXACT)
}

/// An IEEE 754 binary format, by the widths of its fields.
#[derive(Clone, Copy)]
struct Format {
    exponent: u32,
    fraction: u32,
}

impl Format {
    /// The number that a double is, in this format, if it is one.
    fn exactly(self, double: u64) -> Option<u64> {
        const FRACTION: u32 = 52;
        let sign = double >> 63 << (self.exponent + self.fraction);
        let exponent = (double >> FRACTION & 0x7FF) as i32;
        let fraction = double & ((1 << FRACTION) - 1);
        let cut = FRACTION - self.fraction;
        let top = (1u64 << self.exponent) - 1;
        let infinite = top << self.fraction;
        if exponent == 0x7FF {
            let kept = fraction >> cut;
            return (kept << cut == fraction).then_some(sign | infinite | kept);
        }
        let bias = (top >> 1) as i32;
        let biased = exponent - 1023 + bias;
        let is_normal = exponent != 0 && biased >= 1;
        if is_normal || self.fraction == FRACTION {
            // A double in its own format needs no change, be it subnormal or not.
            let kept = fraction >> cut;
            let fits = kept << cut == fraction && (biased as u64) < top;
            return fits.then_some(sign | (biased as u64) << self.fraction | kept);
        }
        if exponent == 0 {
            // A subnormal double is too small for every smaller format.
            return (fraction == 0).then_some(sign);
        }
        let shift = cut + (1 - biased) as u32;
        let significand = fraction | 1 << FRACTION;
        let kept = significand.checked_shr(shift)?;
        (kept << shift == significand).then_some(sign | kept)
    }
}

/// An integer literal of a type of this many bits, 64 bits a word, lowest first; decimal, or hexadecimal as `u0x…` or
/// `s0x…`, whose highest bit that is set is the sign. What does not fit is cut off, as LLVM does it. O(length · words).
///
/// # Errors
/// When it is no number.
pub fn integer_words(spelling: &[u8], bits: u32) -> Result<Vec<u64>, &'static str> {
    let (radix, negative, digits) = match spelling {
        [b'u' | b's', b'0', b'x', digits @ ..] => (16, false, digits),
        [b'-', digits @ ..] => (10, true, digits),
        [b'+', digits @ ..] => (10, false, digits),
        digits => (10, false, digits),
    };
    let mut words = vec![0u64; bits.div_ceil(64) as usize];
    let mut active = 0;
    for &digit in digits {
        let digit = (digit as char).to_digit(radix).ok_or("this is no number")?;
        let mut carry = u128::from(digit);
        for word in &mut words {
            let next = u128::from(*word) * u128::from(radix) + carry;
            *word = next as u64;
            carry = next >> 64;
        }
        if active > 0 || digit > 0 {
            active += if active == 0 { digit.ilog2() + 1 } else { 4 };
        }
    }
    if spelling.starts_with(b"s") && active > 0 {
        for bit in active..bits {
            words[(bit / 64) as usize] |= 1 << (bit % 64);
        }
    }
    if negative {
        let mut carry = true;
        for word in &mut words {
            (*word, carry) = (!*word).overflowing_add(carry.into());
        }
    }
    if let (Some(last), used @ 1..) = (words.last_mut(), bits % 64) {
        *last &= (1 << used) - 1;
    }
    Ok(words)
}
