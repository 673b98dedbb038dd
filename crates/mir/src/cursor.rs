//! Reading a line of a machine function, word by word. **Invariant.** It never leaves its line, and each byte is passed over once.

use crate::error::ReadError;

/// A place in a line.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Cursor<'t> {
    line: &'t str,
    /// Where the line begins in the text.
    start: usize,
    at: usize,
}

impl<'t> Cursor<'t> {
    /// At the beginning of a line, the comment at its end left out.
    pub(crate) fn new(line: &'t str, start: usize) -> Cursor<'t> {
        Cursor { line: without_comment(line), start, at: 0 }
    }

    /// What is left.
    pub(crate) fn rest(&self) -> &'t str {
        &self.line[self.at..]
    }

    /// The place in the text.
    pub(crate) fn offset(&self) -> usize {
        self.start + self.at
    }

    /// Whether nothing but spaces is left, which are passed over.
    pub(crate) fn is_at_end(&mut self) -> bool {
        self.skip_spaces();
        self.rest().is_empty()
    }

    pub(crate) fn skip_spaces(&mut self) {
        let rest = self.rest();
        self.at += rest.len() - rest.trim_start().len();
    }

    /// Passes over a text after spaces, if it is there.
    pub(crate) fn skip(&mut self, wanted: &str) -> bool {
        self.skip_spaces();
        self.skip_here(wanted)
    }

    /// Passes over a text, if it is here.
    pub(crate) fn skip_here(&mut self, wanted: &str) -> bool {
        let is_there = self.rest().starts_with(wanted);
        if is_there {
            self.at += wanted.len();
        }
        is_there
    }

    /// Passes over something that has to be there.
    pub(crate) fn expect(&mut self, wanted: &str, context: &str) -> Result<(), ReadError> {
        if self.skip(wanted) { Ok(()) } else { Err(self.error(format!("expected `{wanted}` {context}"))) }
    }

    /// The characters from here on that are so, which may be none.
    pub(crate) fn take_while(&mut self, is_wanted: impl Fn(char) -> bool) -> &'t str {
        let rest = self.rest();
        let length = rest.find(|c| !is_wanted(c)).unwrap_or(rest.len());
        self.at += length;
        &rest[..length]
    }

    /// Passes over one character.
    pub(crate) fn take_one(&mut self) {
        self.at += self.rest().chars().next().map_or(0, char::len_utf8);
    }

    /// A word after spaces: letters, digits, `_`, `-`, `.` and `$`.
    pub(crate) fn word(&mut self) -> &'t str {
        self.skip_spaces();
        self.take_while(|c| is_name(c) || c == '.')
    }

    /// The number here.
    pub(crate) fn number(&mut self) -> Option<u32> {
        let mut ahead = *self;
        let digits = ahead.take_while(|c| c.is_ascii_digit());
        let number = digits.parse().ok()?;
        *self = ahead;
        Some(number)
    }

    /// A name here, in quotes or not; without quotes.
    pub(crate) fn symbol(&mut self) -> Result<&'t str, ReadError> {
        if !self.rest().starts_with('"') {
            return Ok(self.take_while(|c| is_name(c) || c == '.'));
        }
        let start = self.at + 1;
        self.skip_quoted()?;
        Ok(&self.line[start..self.at - 1])
    }

    /// What is between the parentheses that begin here.
    pub(crate) fn parenthesised(&mut self) -> Result<Cursor<'t>, ReadError> {
        let start = self.at;
        self.skip_nested()?;
        Ok(Cursor { line: &self.line[..self.at - 1], start: self.start, at: start + 1 })
    }

    /// Passes over everything up to one of some characters, what is nested or quoted included.
    pub(crate) fn skip_until(&mut self, ends: &[char]) -> Result<(), ReadError> {
        while let Some(c) = self.rest().chars().next() {
            match c {
                _ if ends.contains(&c) => break,
                '"' => self.skip_quoted()?,
                '(' | '[' => self.skip_nested()?,
                ')' | ']' => return Err(self.error(format!("`{c}` closes nothing"))),
                '/' if self.rest().starts_with("/*") => self.skip_comment()?,
                _ => self.at += c.len_utf8(),
            }
        }
        Ok(())
    }

    /// Passes over the parentheses that begin here, and what they hold.
    fn skip_nested(&mut self) -> Result<(), ReadError> {
        let opening = *self;
        // Closing ones that are still to come.
        let mut open = Vec::new();
        while let Some(c) = self.rest().chars().next() {
            match c {
                '"' => {
                    self.skip_quoted()?;
                    continue;
                }
                '/' if self.rest().starts_with("/*") => {
                    self.skip_comment()?;
                    continue;
                }
                '(' => open.push(')'),
                '[' => open.push(']'),
                ')' | ']' if open.pop() != Some(c) => return Err(self.error(format!("`{c}` closes nothing"))),
                _ => {}
            }
            self.at += c.len_utf8();
            if open.is_empty() {
                return Ok(());
            }
        }
        Err(opening.error("this is not closed in its line"))
    }

    fn skip_quoted(&mut self) -> Result<(), ReadError> {
        let rest = self.rest();
        match rest[1..].find('"') {
            Some(length) => {
                self.at += length + 2;
                Ok(())
            }
            None => Err(self.error("this string does not end in its line")),
        }
    }

    fn skip_comment(&mut self) -> Result<(), ReadError> {
        match self.rest().find("*/") {
            Some(length) => {
                self.at += length + 2;
                Ok(())
            }
            None => Err(self.error("this comment does not end in its line")),
        }
    }

    /// That something is wrong here.
    pub(crate) fn error(&self, message: impl Into<String>) -> ReadError {
        ReadError::new(self.offset(), message)
    }
}

/// Whether a character is part of the name of a register.
pub(crate) fn is_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '$')
}

/// A line up to the `;` that begins a comment.
fn without_comment(line: &str) -> &str {
    let mut is_quoted = false;
    let end = line.bytes().position(|byte| {
        is_quoted ^= byte == b'"';
        byte == b';' && !is_quoted
    });
    line[..end.unwrap_or(line.len())].trim_end()
}
