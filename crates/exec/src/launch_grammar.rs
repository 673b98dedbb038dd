//! The grammar of what a command line says of a launch: `--arg` here, numbers of threads, sizes and schedules in [`extent`].
//!
//! It is in this crate and not beside the other options so that it can be fuzzed like any other reader.
//!
//! ```text
//! argument = name "=" value
//! value    = number | "{" number,… "}"                    a scalar, a vector or a struct
//!          | element "[" length "]" [ "{" contents "}" ]    a buffer; zeroes where nothing else is said
//!          | [ element ] "@" file                           a buffer with the bytes of a file
//! contents = "iota" | "random" [ ":" seed ] | "uninit" | number,…
//! ```
//!
//! Numbers are kept as written: what they may be depends on the parameter.

pub mod extent;

use std::ops::Range;
use std::path::Path;

use crate::launch::{Contents, Element};
use crate::literal;

/// What is wrong with an argument, and where in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    /// What is wrong: one line, which quotes the argument.
    pub message: String,
    /// The argument.
    pub argument: String,
    /// The bytes of it that are wrong.
    pub place: Range<usize>,
}

impl Refusal {
    fn at(argument: &str, place: Range<usize>, message: impl std::fmt::Display) -> Refusal {
        Refusal { message: format!("--arg {argument}: {message}"), argument: argument.to_owned(), place }
    }
}

/// Reads a file of at most so many bytes; or says what was expected.
pub type ReadFile<'r> = &'r dyn Fn(&Path, u64) -> Result<Vec<u8>, String>;

/// An argument, taken apart. Ranges are of its text.
#[derive(Debug, PartialEq)]
pub struct Given {
    /// All of it.
    pub text: String,
    /// The name or position of the parameter.
    pub name: Range<usize>,
    /// What stands behind the `=`.
    pub value: Range<usize>,
    /// What that is.
    pub kind: Kind,
}

/// What an argument gives.
#[derive(Debug, PartialEq)]
pub enum Kind {
    /// A number, or several in braces.
    Scalar,
    /// A buffer.
    Buffer {
        /// The type of its elements.
        element: Element,
        /// How many.
        length: u64,
        /// What it holds.
        contents: Contents,
    },
}

impl Given {
    /// The name or position of the parameter; a `%` before it is allowed.
    pub fn name(&self) -> &str {
        let name = &self.text[self.name.clone()];
        name.strip_prefix('%').unwrap_or(name)
    }

    /// What stands behind the `=`.
    pub fn value(&self) -> &str {
        &self.text[self.value.clone()]
    }

    /// Something is wrong with the name.
    pub fn refuse_name(&self, message: impl std::fmt::Display) -> Refusal {
        Refusal::at(&self.text, self.name.clone(), message)
    }

    /// Something is wrong with the value.
    pub fn refuse_value(&self, message: impl std::fmt::Display) -> Refusal {
        Refusal::at(&self.text, self.value.clone(), message)
    }
}

/// Takes an argument apart. `most` is how many bytes a buffer may have; `read` reads the files that are named. O(argument and files).
///
/// # Errors
/// Where the argument is not of the grammar, an element does not fit its type, or a file cannot be read.
pub fn parse(text: &str, most: u64, read: ReadFile<'_>) -> Result<Given, Refusal> {
    let Some(equals) = text.find('=').filter(|&at| at > 0) else {
        return Err(Refusal::at(text, 0..text.len(), "expected NAME=VALUE, such as n=2000 or out=u32[1024]"));
    };
    let value = equals + 1..text.len();
    let cursor = Cursor { text, most, read };
    let kind = match text[value.clone()].find(['[', '@', '{']).map(|at| at + value.start) {
        Some(at) if text[at..].starts_with('[') => cursor.sized(value.start..at, at)?,
        Some(at) if text[at..].starts_with('@') => cursor.file(value.start..at, at + 1..text.len())?,
        _ if value.is_empty() => return Err(cursor.refuse(value, "expected a number or a buffer after the =")),
        _ => Kind::Scalar,
    };
    Ok(Given { text: text.to_owned(), name: 0..equals, value, kind })
}

struct Cursor<'t> {
    text: &'t str,
    most: u64,
    read: ReadFile<'t>,
}

impl Cursor<'_> {
    fn refuse(&self, range: Range<usize>, message: impl std::fmt::Display) -> Refusal {
        Refusal::at(self.text, range, message)
    }

    fn element(&self, range: Range<usize>) -> Result<Element, Refusal> {
        let name = &self.text[range.clone()];
        let found = Element::ALL.into_iter().find(|&(_, known)| known == name);
        found.map(|(element, _)| element).ok_or_else(|| {
            let known: Vec<&str> = Element::ALL.iter().map(|&(_, name)| name).collect();
            self.refuse(range, format!("expected the type of the elements: one of {}", known.join(", ")))
        })
    }

    /// `u32[4]`, `u32[4]{…}`: the bracket is at `open`.
    fn sized(&self, element: Range<usize>, open: usize) -> Result<Kind, Refusal> {
        let element = self.element(element)?;
        let Some(close) = self.text[open..].find(']').map(|at| at + open) else {
            return Err(self.refuse(open..self.text.len(), "expected a length in brackets, such as [1024]"));
        };
        let place = open + 1..close;
        let Ok(length) = self.text[place.clone()].replace('_', "").parse::<u64>() else {
            let what = "expected a length: a number of elements that fits in 64 bits";
            return Err(self.refuse(if place.is_empty() { open..close + 1 } else { place }, what));
        };
        if length.checked_mul(element.size()).is_none_or(|bytes| bytes > self.most) {
            let elements = self.most / element.size();
            let what =
                format!("expected at most {elements} elements, or a larger --max-memory (now {} bytes)", self.most);
            return Err(self.refuse(place, what));
        }
        let rest = close + 1..self.text.len();
        let contents = match &self.text[rest.clone()] {
            "" => Contents::Zero,
            braces if braces.starts_with('{') && braces.ends_with('}') => {
                self.contents(element, length, rest.start + 1..rest.end - 1)?
            }
            _ => {
                return Err(
                    self.refuse(rest, "expected {…} with what the buffer holds, or nothing; is the argument quoted?")
                );
            }
        };
        Ok(Kind::Buffer { element, length, contents })
    }

    /// What stands between braces.
    fn contents(&self, element: Element, length: u64, range: Range<usize>) -> Result<Contents, Refusal> {
        let text = &self.text[range.clone()];
        match text {
            "iota" => return Ok(Contents::Iota),
            "random" => return Ok(Contents::Random { seed: 0 }),
            "uninit" => return Ok(Contents::Uninitialised),
            _ => {}
        }
        if let Some(seed) = text.strip_prefix("random:") {
            let place = range.end - seed.len()..range.end;
            return match seed.parse() {
                Ok(seed) => Ok(Contents::Random { seed }),
                Err(_) => Err(self.refuse(place, "expected a seed: a number that fits in 64 bits")),
            };
        }
        let mut elements = Vec::new();
        let mut start = range.start;
        for part in text.split(',').filter(|_| !text.trim().is_empty()) {
            let element_text = part.trim();
            let place = start..start + part.len();
            literal::read_element(element_text, element).map_err(|expected| {
                let others = if elements.is_empty() { ", or iota, random, random:SEED, uninit" } else { "" };
                self.refuse(place, format!("{expected}{others}"))
            })?;
            elements.push(element_text.to_owned());
            start += part.len() + 1;
        }
        if elements.len() as u64 == length {
            return Ok(Contents::Elements(elements));
        }
        let what = format!("expected as many elements as the buffer is long, {length}, not {}", elements.len());
        Err(self.refuse(range.start - 1..range.end + 1, what))
    }

    /// `@file`, `f32@file`.
    fn file(&self, element: Range<usize>, file: Range<usize>) -> Result<Kind, Refusal> {
        let element = if element.is_empty() { Element::U8 } else { self.element(element)? };
        let path = Path::new(&self.text[file.clone()]);
        let bytes = (self.read)(path, self.most).map_err(|message| self.refuse(file.clone(), message))?;
        let (length, rest) = (bytes.len() as u64 / element.size(), bytes.len() as u64 % element.size());
        if rest != 0 {
            let what = format!("expected a multiple of {} bytes, the file has {}", element.size(), bytes.len());
            return Err(self.refuse(file, what));
        }
        Ok(Kind::Buffer { element, length, contents: Contents::Bytes(bytes) })
    }
}
