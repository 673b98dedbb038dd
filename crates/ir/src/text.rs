//! Places in the text of a module.

use std::borrow::Cow;

/// A range of bytes of a module's text. Texts are below 4 GiB, which the reader checks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub struct Span {
    /// The first byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Span {
    /// The span of `start..end`. Both fit: the reader refuses texts of 4 GiB.
    pub(crate) fn new(start: usize, end: usize) -> Span {
        Span { start: start as u32, end: end as u32 }
    }

    /// Whether the span has no bytes; used for "there is none".
    pub fn is_empty(self) -> bool {
        self.start == self.end
    }

    /// The bytes of `text` that the span covers.
    pub fn of(self, text: &[u8]) -> &[u8] {
        &text[self.start as usize..self.end as usize]
    }

    /// The span as a range of offsets.
    pub fn range(self) -> std::ops::Range<usize> {
        self.start as usize..self.end as usize
    }
}

/// A line and a column, both counted from 1; columns count bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Position {
    /// The line, counted from 1.
    pub line: usize,
    /// The column in bytes, counted from 1.
    pub column: usize,
}

/// The line and column of a byte offset; O(offset).
pub fn position(text: &[u8], offset: usize) -> Position {
    let before = &text[..offset.min(text.len())];
    let line_start = memchr::memrchr(b'\n', before).map_or(0, |newline| newline + 1);
    Position { line: memchr::memchr_iter(b'\n', before).count() + 1, column: before.len() - line_start + 1 }
}

/// The name that a token spells: without quotes, with the escapes `\hh` and `\\` replaced.
pub fn unquote(raw: &[u8]) -> Cow<'_, [u8]> {
    let Some(inner) = raw.strip_prefix(b"\"").and_then(|rest| rest.strip_suffix(b"\"")) else {
        return Cow::Borrowed(raw);
    };
    unescape(inner)
}

/// What is between the quotes of a string, without escapes.
pub fn unescape(inner: &[u8]) -> Cow<'_, [u8]> {
    if !inner.contains(&b'\\') {
        return Cow::Borrowed(inner);
    }
    let mut name = Vec::with_capacity(inner.len());
    let mut rest = inner;
    while let [first, tail @ ..] = rest {
        let escape = (*first == b'\\').then_some(tail).and_then(|tail| match tail {
            [b'\\', after @ ..] => Some((b'\\', after)),
            [high, low, after @ ..] => Some((hex_digit(*high)? * 16 + hex_digit(*low)?, after)),
            _ => None,
        });
        let (byte, after) = escape.unwrap_or((*first, tail));
        name.push(byte);
        rest = after;
    }
    Cow::Owned(name)
}

fn hex_digit(byte: u8) -> Option<u8> {
    (byte as char).to_digit(16).map(|digit| digit as u8)
}

/// A name as a user reads it, in one line: bytes that are not UTF-8 are replaced, control characters written as LLVM writes them (`\0A`).
pub fn display(raw: &[u8]) -> String {
    let text = String::from_utf8_lossy(raw);
    if !text.bytes().any(|byte| byte.is_ascii_control()) {
        return text.into_owned();
    }
    let escaped = |character: char| match character.is_ascii_control() {
        true => format!("\\{:02X}", u32::from(character)),
        false => character.to_string(),
    };
    text.chars().map(escaped).collect()
}
