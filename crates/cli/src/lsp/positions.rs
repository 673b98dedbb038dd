//! Places of the protocol, and bytes of a text.
//!
//! **Definition.** A *position* is a line and the number of UTF-16 code units before a place in it, both from 0. Lines end with `\n`, `\r\n` or `\r`. A
//! position behind the end of its line is that end; one behind the last line is the end of the text. (Language Server Protocol 3.17, *Position*.)
//!
//! **Invariant.** `offset(position(o)) == o` for every `o` between two characters that are not in a line's end.

use std::ops::Range;

use lsp_types as lsp;

/// A text with the starts of its lines.
#[derive(Debug)]
pub(crate) struct Positions<'t> {
    text: &'t [u8],
    starts: Vec<usize>,
}

impl<'t> Positions<'t> {
    /// O(text).
    pub(crate) fn new(text: &'t [u8]) -> Positions<'t> {
        let ends = memchr::memchr2_iter(b'\n', b'\r', text)
            .filter(|&at| text[at] == b'\n' || text.get(at + 1) != Some(&b'\n'));
        Positions { text, starts: std::iter::once(0).chain(ends.map(|end| end + 1)).collect() }
    }

    /// The number of the line that holds a byte, from 0; O(log lines).
    pub(crate) fn line_of(&self, offset: usize) -> usize {
        self.starts.partition_point(|&start| start <= offset) - 1
    }

    /// The bytes of a line, from 0, without its end; those behind the last are empty.
    pub(crate) fn line(&self, line: usize) -> Range<usize> {
        let Some(&start) = self.starts.get(line) else { return self.text.len()..self.text.len() };
        let next = self.starts.get(line + 1).copied().unwrap_or(self.text.len());
        let is_end = |byte: &&u8| matches!(byte, b'\n' | b'\r');
        // The last line has no end, and an earlier one has one.
        let end = if line + 1 < self.starts.len() {
            self.text[start..next].iter().rev().take(2).take_while(is_end).count()
        } else {
            0
        };
        start..next - end
    }

    /// The position of a byte; O(log lines + line).
    pub(crate) fn position(&self, offset: usize) -> lsp::Position {
        let offset = offset.min(self.text.len());
        let line = self.line_of(offset);
        let units = String::from_utf8_lossy(&self.text[self.starts[line]..offset]).encode_utf16().count();
        lsp::Position { line: number(line), character: number(units) }
    }

    /// The byte at a position; O(line).
    pub(crate) fn offset(&self, position: lsp::Position) -> usize {
        let line = self.line(position.line as usize);
        let mut left = position.character as usize;
        let mut at = line.start;
        // What is no UTF-8 is no text of an editor's: any place in the line will do.
        for character in std::str::from_utf8(&self.text[line]).unwrap_or_default().chars() {
            // The middle of a pair is its start.
            if left < character.len_utf16() {
                break;
            }
            left -= character.len_utf16();
            at += character.len_utf8();
        }
        at
    }

    /// The range of some bytes.
    pub(crate) fn range(&self, bytes: Range<usize>) -> lsp::Range {
        lsp::Range { start: self.position(bytes.start), end: self.position(bytes.end) }
    }
}

/// A number as the protocol has it.
fn number(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The definition, character by character.
    fn by_definition(text: &str, offset: usize) -> lsp::Position {
        let (mut line, mut character) = (0, 0);
        let mut rest = text[..offset].chars().peekable();
        while let Some(next) = rest.next() {
            let is_end = match next {
                '\n' => true,
                '\r' => rest.peek() != Some(&'\n') && !(rest.peek().is_none() && text[offset..].starts_with('\n')),
                _ => false,
            };
            (line, character) = if is_end { (line + 1, 0) } else { (line, character + next.len_utf16() as u32) };
        }
        lsp::Position { line, character }
    }

    const TEXTS: [&str; 9] =
        ["", "a", "\n", "\r\n", "\r", "a\rb\nc\r\nd\r", "ä\u{1f600}z\n\u{1f600}\r\n", "\n\r", "x\n\n\ny"];

    #[test]
    fn positions_are_those_of_the_definition_and_lead_back() {
        for text in TEXTS {
            let positions = Positions::new(text.as_bytes());
            for offset in (0..=text.len()).filter(|&offset| text.is_char_boundary(offset)) {
                let position = positions.position(offset);
                assert_eq!(position, by_definition(text, offset), "{text:?} {offset}");
                if !(offset > 0 && text[..offset].ends_with('\r') && text[offset..].starts_with('\n')) {
                    assert_eq!(positions.offset(position), offset, "{text:?} {offset}");
                }
            }
        }
    }

    #[test]
    fn what_is_no_position_is_the_nearest() {
        let positions = Positions::new("a\u{1f600}\r\nbc".as_bytes());
        let offset = |line, character| positions.offset(lsp::Position { line, character });
        assert_eq!(
            [offset(0, 2), offset(0, 9), offset(1, 9), offset(2, 0), offset(u32::MAX, u32::MAX)],
            [1, 5, 9, 9, 9]
        );
    }
}
