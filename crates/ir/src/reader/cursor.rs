//! Reading tokens, straight from the bytes.
//!
//! There is no token stream: the parser asks for what the grammar allows next, and the cursor looks at the bytes. A
//! cursor never moves past the end of its text, and every byte behind the end reads as 0, which no token contains.

use std::borrow::Cow;

use super::error::{ReadError, Result};
use crate::text::{Span, display, unquote};

/// A place in a text.
#[derive(Debug, Clone)]
pub(crate) struct Cursor<'t> {
    pub(crate) text: &'t [u8],
    pub(crate) position: usize,
    /// White space that was skipped last: from where to where.
    skipped: (usize, usize),
}

const SPACE: u8 = 1;
const WORD: u8 = 2;
const DIGIT: u8 = 4;
/// What may be between tokens begins with it: white space, or a comment.
const GAP: u8 = 8;

/// What each byte can be part of.
static CLASS: [u8; 256] = {
    let mut class = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        class[byte] = match byte as u8 {
            b' ' | b'\n' | b'\r' | b'\t' => SPACE | GAP,
            b';' | b'/' => GAP,
            // The null byte is white space to LLVM; here it marks the end, and is checked for there.
            b'0'..=b'9' => WORD | DIGIT,
            b'a'..=b'z' | b'A'..=b'Z' | b'$' | b'.' | b'_' | b'-' => WORD,
            _ => 0,
        };
        byte += 1;
    }
    class
};

/// Whether a byte can be part of a word.
#[inline]
pub(crate) fn is_word(byte: u8) -> bool {
    CLASS[byte as usize] & WORD != 0
}

impl<'t> Cursor<'t> {
    pub(crate) fn new(text: &'t [u8], position: usize) -> Cursor<'t> {
        Cursor { text, position, skipped: (0, 0) }
    }

    /// The byte at the cursor; 0 at the end.
    #[inline]
    pub(crate) fn byte(&self) -> u8 {
        self.byte_at(0)
    }

    #[inline]
    pub(crate) fn byte_at(&self, ahead: usize) -> u8 {
        self.text.get(self.position + ahead).copied().unwrap_or(0)
    }

    /// Moves over white space and comments, then gives the next byte.
    #[inline(always)]
    pub(crate) fn peek(&mut self) -> u8 {
        let mut byte = self.byte();
        if CLASS[byte as usize] & GAP != 0 {
            let start = self.position;
            if byte == b' ' {
                self.position += 1;
                byte = self.byte();
            }
            if CLASS[byte as usize] & GAP != 0 {
                self.skip_space();
                byte = self.byte();
            }
            self.skipped = (start, self.position);
        }
        byte
    }

    /// The end of the last token, also when the cursor has already moved over the space behind it.
    pub(crate) fn token_end(&self) -> usize {
        if self.skipped.1 == self.position { self.skipped.0 } else { self.position }
    }

    fn skip_space(&mut self) {
        loop {
            while CLASS[self.byte() as usize] & SPACE != 0 {
                self.position += 1;
            }
            match self.byte() {
                b';' => {
                    let rest = &self.text[self.position..];
                    self.position += memchr::memchr2(b'\n', b'\r', rest).unwrap_or(rest.len());
                }
                b'/' if self.byte_at(1) == b'*' => {
                    let rest = &self.text[self.position..];
                    self.position += memchr::memmem::find(rest, b"*/").map_or(rest.len(), |end| end + 2);
                }
                _ => return,
            }
        }
    }

    /// Whether nothing but white space and comments is left.
    pub(crate) fn at_end(&mut self) -> bool {
        self.peek() == 0 && self.position >= self.text.len()
    }

    /// Takes `byte` if it is next.
    #[inline]
    pub(crate) fn take(&mut self, byte: u8) -> bool {
        let found = self.peek() == byte && byte != 0;
        self.position += found as usize;
        found
    }

    /// Takes `byte`, or fails.
    #[inline]
    pub(crate) fn expect(&mut self, byte: u8) -> Result<()> {
        if self.take(byte) { Ok(()) } else { Err(self.expected_text(&[byte])) }
    }

    /// "expected …, found …" where a byte or a word has to be next. Apart, so that taking them is short enough to be inlined.
    #[cold]
    #[inline(never)]
    fn expected_text(&mut self, text: &[u8]) -> ReadError {
        self.expected(&format!("'{}'", display(text)))
    }

    /// The word at the cursor, without moving; empty if there is none.
    #[inline]
    pub(crate) fn peek_word(&mut self) -> &'t [u8] {
        self.peek();
        &self.text[self.position..self.word_end(self.position)]
    }

    #[inline]
    fn word_end(&self, start: usize) -> usize {
        let rest = &self.text[start..];
        start + rest.iter().position(|&byte| CLASS[byte as usize] & WORD == 0).unwrap_or(rest.len())
    }

    /// Takes a word; empty if there is none.
    #[inline]
    pub(crate) fn word(&mut self) -> &'t [u8] {
        let word = self.peek_word();
        self.position += word.len();
        word
    }

    /// Takes `word` if it is the next word, all of it.
    pub(crate) fn take_word(&mut self, word: &[u8]) -> bool {
        let found = self.peek() == word[0] && self.peek_word() == word;
        if found {
            self.position += word.len();
        }
        found
    }

    /// Takes `word`, or fails.
    pub(crate) fn expect_word(&mut self, word: &str) -> Result<()> {
        if self.take_word(word.as_bytes()) { Ok(()) } else { Err(self.expected_text(word.as_bytes())) }
    }

    /// Takes the name behind a sigil: `x`, `12` or `"a b"`, quotes included. The cursor is behind the sigil.
    #[inline]
    pub(crate) fn name(&mut self) -> Result<Span> {
        let start = self.position;
        if self.byte() == b'"' {
            return self.string();
        }
        self.position = self.word_end(start);
        if self.position == start {
            return Err(self.expected("a name"));
        }
        Ok(Span::new(start, self.position))
    }

    /// Takes a string, with its quotes. LLVM's strings have no escape for the quote but `\22`.
    pub(crate) fn string(&mut self) -> Result<Span> {
        if self.peek() != b'"' {
            return Err(self.expected("a string"));
        }
        let start = self.position;
        match memchr::memchr(b'"', &self.text[start + 1..]) {
            Some(length) => {
                self.position = start + 1 + length + 1;
                Ok(Span::new(start, self.position))
            }
            None => Err(self.error_at(start, "this string has no closing quote".to_string())),
        }
    }

    /// The number of bytes of an `align`: a power of two, as LLVM asks for.
    pub(crate) fn alignment(&mut self) -> Result<u64> {
        self.peek();
        let start = self.position;
        let alignment = self.number()?;
        if alignment.is_power_of_two() {
            return Ok(alignment);
        }
        Err(self.error_at(start, format!("expected an alignment that is a power of two, found {alignment}")))
    }

    /// Takes an unsigned decimal number.
    #[inline]
    pub(crate) fn number(&mut self) -> Result<u64> {
        self.peek();
        let start = self.position;
        let mut value: u64 = 0;
        while CLASS[self.byte() as usize] & DIGIT != 0 {
            let digit = u64::from(self.byte() - b'0');
            value = value
                .checked_mul(10)
                .and_then(|value| value.checked_add(digit))
                .ok_or_else(|| self.error_at(start, "this number does not fit 64 bits".to_string()))?;
            self.position += 1;
        }
        if self.position == start { Err(self.expected("a number")) } else { Ok(value) }
    }

    /// Takes an unsigned decimal number below 2^32.
    pub(crate) fn small_number(&mut self) -> Result<u32> {
        self.peek();
        let start = self.position;
        u32::try_from(self.number()?).map_err(|_| self.error_at(start, "this number does not fit 32 bits".to_string()))
    }

    /// Takes everything from the bracket `open` to the one that closes it, strings and comments respected.
    pub(crate) fn balanced(&mut self, open: u8) -> Result<Span> {
        if self.peek() != open {
            return Err(self.expected(&format!("'{}'", open as char)));
        }
        let start = self.position;
        let mut open = Vec::new();
        loop {
            match self.peek() {
                byte @ (b'(' | b'[' | b'{' | b'<') => {
                    open.push(byte);
                    self.position += 1;
                }
                byte @ (b')' | b']' | b'}' | b'>') => {
                    let opening = open.pop();
                    let matches = matches!(
                        (opening, byte),
                        (Some(b'('), b')') | (Some(b'['), b']') | (Some(b'{'), b'}') | (Some(b'<'), b'>')
                    );
                    if !matches {
                        return Err(self.unexpected());
                    }
                    self.position += 1;
                }
                b'"' => drop(self.string()?),
                0 if self.position >= self.text.len() => {
                    return Err(self.error_at(start, "this bracket is never closed".to_string()));
                }
                _ => self.position += self.peek_word().len().max(1),
            }
            if open.is_empty() {
                return Ok(Span::new(start, self.position));
            }
        }
    }

    /// The bytes of a span.
    #[inline]
    pub(crate) fn slice(&self, span: Span) -> &'t [u8] {
        &self.text[span.range()]
    }

    /// The first byte of a span.
    #[inline]
    pub(crate) fn byte_of(&self, span: Span) -> u8 {
        self.text.get(span.start as usize).copied().unwrap_or(0)
    }

    /// The name that a span spells.
    #[inline]
    pub(crate) fn unquoted(&self, span: Span) -> Cow<'t, [u8]> {
        unquote(self.slice(span))
    }

    pub(crate) fn error_at(&self, offset: usize, message: String) -> ReadError {
        ReadError::new(offset, &message)
    }

    /// "expected `what`, found …", at the cursor.
    #[cold]
    pub(crate) fn expected(&mut self, what: &str) -> ReadError {
        let found = self.found();
        self.error_at(self.position, format!("expected {what}, found {found}"))
    }

    /// "unexpected …", at the cursor.
    #[cold]
    pub(crate) fn unexpected(&mut self) -> ReadError {
        let found = self.found();
        self.error_at(self.position, format!("unexpected {found}"))
    }

    fn found(&mut self) -> String {
        let first = self.peek();
        if self.position >= self.text.len() {
            return "the end".to_string();
        }
        let sigil = usize::from(matches!(first, b'%' | b'@' | b'!' | b'#' | b'$' | b'^'));
        let end = self.word_end(self.position + sigil).max(self.position + 1).min(self.position + 60);
        format!("'{}'", display(&self.text[self.position..end]).escape_debug())
    }
}
