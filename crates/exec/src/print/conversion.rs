//! The conversions of a format, one after the other.

use super::fit::Wanted;
use super::{Defect, Dialect, shown};

/// A width or a precision.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Field {
    None,
    Number(u64),
    /// `*`: an argument of type `int`.
    Argument,
}

/// A conversion that is well formed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Conversion<'f> {
    /// From `%` to the letter.
    pub(crate) text: &'f [u8],
    pub(crate) width: Field,
    pub(crate) precision: Field,
    /// What its argument is; `None` for `%%`.
    pub(crate) wanted: Option<Wanted>,
    /// What is wrong with it though it is known what it takes.
    pub(crate) defect: Option<Defect>,
}

/// The conversions of a format in order. After one that is not well formed there are no more: nobody knows what arguments it takes.
pub(crate) struct Conversions<'f> {
    format: &'f [u8],
    at: usize,
    dialect: Dialect,
}

impl<'f> Conversions<'f> {
    pub(crate) fn new(format: &'f [u8], dialect: Dialect) -> Conversions<'f> {
        Conversions { format, at: 0, dialect }
    }

    fn peek(&self) -> Option<u8> {
        self.format.get(self.at).copied()
    }

    fn eat(&mut self, byte: u8) -> bool {
        let is = self.peek() == Some(byte);
        self.at += usize::from(is);
        is
    }

    fn digits(&mut self) -> Option<u64> {
        let mut number = None;
        while let Some(digit @ b'0'..=b'9') = self.peek() {
            number = Some(number.unwrap_or(0u64).saturating_mul(10).saturating_add(u64::from(digit - b'0')));
            self.at += 1;
        }
        number
    }

    fn field(&mut self) -> Field {
        match self.eat(b'*') {
            true => Field::Argument,
            false => self.digits().map_or(Field::None, Field::Number),
        }
    }

    /// The longest length modifier.
    fn length(&mut self) -> &'static str {
        for length in ["hh", "hl", "ll", "h", "l", "j", "z", "t", "L"] {
            let is_there = self.format[self.at..].starts_with(length.as_bytes());
            if is_there && (length != "hl" || self.dialect == Dialect::OpenCl) {
                self.at += length.len();
                return length;
            }
        }
        ""
    }

    fn conversion(&mut self, start: usize) -> Result<Conversion<'f>, Defect> {
        while let Some(b'-' | b'+' | b' ' | b'#' | b'0') = self.peek() {
            self.at += 1;
        }
        let width = self.field();
        let precision = if self.eat(b'.') { self.field() } else { Field::None };
        let vector = (self.dialect == Dialect::OpenCl && self.eat(b'v')).then(|| self.digits());
        let length = self.length();
        let Some(letter) = self.peek() else {
            let text = shown(&self.format[start..]);
            let message = format!("the format ends inside of the conversion `{text}`");
            return Err(Defect::error(message, "complete the conversion; a percent sign is written `%%`"));
        };
        self.at += 1;
        let text = &self.format[start..self.at];
        let described = Described { dialect: self.dialect, text, vector, length, letter };
        let (wanted, defect) = described.wanted()?;
        Ok(Conversion { text, width, precision, wanted, defect })
    }
}

impl<'f> Iterator for Conversions<'f> {
    type Item = Result<Conversion<'f>, Defect>;

    fn next(&mut self) -> Option<Self::Item> {
        let rest = self.format.get(self.at..)?;
        let Some(start) = rest.iter().position(|&byte| byte == b'%').map(|place| self.at + place) else {
            self.at = self.format.len();
            return None;
        };
        self.at = start + 1;
        let found = self.conversion(start);
        if found.is_err() {
            self.at = self.format.len();
        }
        Some(found)
    }
}

/// A conversion, taken apart.
struct Described<'f> {
    dialect: Dialect,
    text: &'f [u8],
    /// The number after `v`, if there is a `v`, and if there is a number.
    vector: Option<Option<u64>>,
    length: &'static str,
    letter: u8,
}

const ADVICE: &str = "write a conversion that the language has; a percent sign is written `%%`";

impl Described<'_> {
    /// What it takes, and what may be wrong all the same.
    fn wanted(&self) -> Result<(Option<Wanted>, Option<Defect>), Defect> {
        let wanted = match (self.vector, self.letter) {
            (Some(count), _) => Some(self.vector(count)?),
            (None, b'd' | b'i' | b'o' | b'u' | b'x' | b'X') => Some(Wanted::Integer(self.integer_bits()?)),
            (None, b'a' | b'A' | b'e' | b'E' | b'f' | b'F' | b'g' | b'G') => {
                self.length_is_one_of(&["", "l"])?;
                Some(Wanted::Float)
            }
            (None, b'c') => {
                self.length_is_one_of(if self.dialect == Dialect::OpenCl { &[""] } else { &["", "l"] })?;
                Some(Wanted::Integer(32))
            }
            (None, b's') => {
                self.length_is_one_of(&[""])?;
                Some(Wanted::Text)
            }
            (None, b'p') => {
                self.length_is_one_of(&[""])?;
                Some(Wanted::Pointer)
            }
            (None, b'n') => {
                let message = format!("`{}` is not supported by printf in {}", shown(self.text), self.dialect.name());
                return Ok((
                    Some(Wanted::Pointer),
                    Some(Defect::error(message, "leave it out: a kernel cannot ask how much was printed")),
                ));
            }
            (None, b'%') if self.text.len() == 2 || self.dialect == Dialect::Cuda => None,
            _ => return Err(self.none()),
        };
        Ok((wanted, self.unlisted()))
    }

    /// What CUDA's guide does not list, though it is C.
    fn unlisted(&self) -> Option<Defect> {
        let unlisted = matches!(self.length, "hh" | "j" | "z" | "t") || self.letter == b'F';
        (unlisted && self.dialect == Dialect::Cuda).then(|| {
            let message = format!("`{}` is not among the conversions that printf has in CUDA", shown(self.text));
            Defect::warning(message, "the lengths are `h`, `l` and `ll`, the letters `cdiouxXpeEfgGaAs`")
        })
    }

    fn none(&self) -> Defect {
        let message = format!("`{}` is no conversion that printf has in {}", shown(self.text), self.dialect.name());
        Defect::error(message, ADVICE)
    }

    /// CUDA takes each length with each letter.
    fn length_is_one_of(&self, lengths: &[&str]) -> Result<(), Defect> {
        let fits = lengths.contains(&self.length) || self.dialect == Dialect::Cuda && self.length != "L";
        fits.then_some(()).ok_or_else(|| self.none())
    }

    fn integer_bits(&self) -> Result<u32, Defect> {
        match (self.length, self.dialect) {
            ("" | "hh" | "h", _) => Ok(32),
            ("l", _) | ("ll" | "j" | "z" | "t", Dialect::Cuda | Dialect::Hip) => Ok(64),
            _ => Err(self.none()),
        }
    }

    fn vector(&self, count: Option<u64>) -> Result<Wanted, Defect> {
        let count = match count {
            Some(count @ (2 | 3 | 4 | 8 | 16)) => count as usize,
            _ => return Err(Defect::error(self.none().message, "vectors have 2, 3, 4, 8 or 16 elements: `%v4hld`")),
        };
        let is_float = match self.letter {
            b'd' | b'i' | b'o' | b'u' | b'x' | b'X' => false,
            b'a' | b'A' | b'e' | b'E' | b'f' | b'F' | b'g' | b'G' => true,
            _ => return Err(self.none()),
        };
        let bits = match self.length {
            "hh" if !is_float => 8,
            "h" => 16,
            "hl" => 32,
            "l" => 64,
            "" => {
                let text = shown(self.text);
                let message = format!("`{text}` is a conversion of a vector without a length, which is undefined");
                let advice = "say how long the elements are: `hh` for char, `h` for short and half, `hl` for int and float, `l` for long and double";
                return Err(Defect::error(message, advice));
            }
            _ => return Err(self.none()),
        };
        Ok(Wanted::Vector { count, bits, is_float })
    }
}
