//! Which line a byte is on, for many bytes of a large text.

use std::borrow::Cow;

use reconverge_ir::text::Position;

/// The starts of all lines of a text, and the text.
pub struct Lines<'t> {
    text: &'t [u8],
    starts: Cow<'t, [usize]>,
}

impl<'t> Lines<'t> {
    /// O(text).
    pub fn new(text: &'t [u8]) -> Lines<'t> {
        Lines { text, starts: Lines::starts(text).into() }
    }

    /// The text.
    pub fn whole(&self) -> &'t [u8] {
        self.text
    }

    /// With the [starts](Lines::starts) of that text, for whoever keeps both; O(1).
    pub fn with_starts(text: &'t [u8], starts: &'t [usize]) -> Lines<'t> {
        Lines { text, starts: starts.into() }
    }

    /// Where the lines of a text start; O(text).
    pub fn starts(text: &[u8]) -> Vec<usize> {
        std::iter::once(0).chain(memchr::memchr_iter(b'\n', text).map(|newline| newline + 1)).collect()
    }

    /// The number of the line that holds `offset`, counted from 0; O(log lines).
    pub fn line_of(&self, offset: usize) -> usize {
        self.starts.partition_point(|&start| start <= offset) - 1
    }

    /// The line and column of `offset`, counted from 1; O(log lines).
    pub fn position(&self, offset: usize) -> Position {
        let offset = offset.min(self.text.len());
        let line = self.line_of(offset);
        Position { line: line + 1, column: offset - self.starts[line] + 1 }
    }

    /// The offsets of the lines `first..=last`, counted from 0, without the last line's end (`\n` or `\r\n`).
    pub fn range(&self, first: usize, last: usize) -> std::ops::Range<usize> {
        let end = self.starts.get(last + 1).map_or(self.text.len(), |next| next - 1);
        let lines = &self.text[self.starts[first]..end];
        let lines = lines.strip_suffix(b"\r").unwrap_or(lines);
        self.starts[first]..self.starts[first] + lines.len()
    }

    /// The offsets of one line, counted from 0; nothing behind the last.
    pub fn get(&self, line: usize) -> Option<std::ops::Range<usize>> {
        (line < self.starts.len()).then(|| self.range(line, line))
    }

    /// The bytes of one line, counted from 0.
    pub fn text(&self, line: usize) -> &'t [u8] {
        &self.text[self.range(line, line)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_are_those_of_the_definition() {
        for text in ["", "a", "\n", "a\nbc\n\nd", "a\n"] {
            let lines = Lines::new(text.as_bytes());
            for offset in 0..=text.len() {
                assert_eq!(lines.position(offset), reconverge_ir::text::position(text.as_bytes(), offset), "{text:?}");
            }
        }
    }

    #[test]
    fn lines_end_before_the_newline() {
        let lines = Lines::new(b"a\r\nbc\n");
        assert_eq!([0, 1, 2].map(|line| lines.text(line)), [&b"a"[..], b"bc", b""]);
        assert_eq!((lines.range(0, 0), lines.range(0, 1)), (0..1, 0..5));
    }
}
