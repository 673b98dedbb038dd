//! Changes of a text.
//!
//! **Invariant.** Edits are disjoint; those at one place are applied in the order in which they were made.

use std::ops::Range;

use reconverge_ir::Span;

/// Puts `text` in the place of `range`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edit {
    /// The bytes that go; none for an insertion.
    pub range: Range<usize>,
    /// What comes.
    pub text: String,
}

/// The changes of a text.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Edits {
    edits: Vec<Edit>,
}

impl Edits {
    /// Whether nothing changes.
    pub fn is_empty(&self) -> bool {
        self.edits.is_empty()
    }

    /// Puts something before a byte.
    pub fn insert(&mut self, at: usize, text: impl Into<String>) {
        self.edits.push(Edit { range: at..at, text: text.into() });
    }

    /// Puts something in the place of some bytes.
    pub fn replace(&mut self, range: Range<usize>, text: impl Into<String>) {
        self.edits.push(Edit { range, text: text.into() });
    }

    /// Takes bytes out.
    pub fn delete(&mut self, range: Range<usize>) {
        self.replace(range, "");
    }

    /// Adds the edits of another part of the text.
    pub fn extend(&mut self, other: Edits) {
        self.edits.extend(other.edits);
    }

    /// The edits in the order in which they are applied.
    pub(crate) fn sorted(&self) -> Vec<Edit> {
        let mut edits = self.edits.clone();
        edits.sort_by_key(|edit| (edit.range.start, edit.range.end));
        edits
    }

    /// The text with the edits. O(text + edits log edits).
    ///
    /// # Panics
    /// When edits overlap, or lie outside of the text.
    pub fn apply(mut self, text: &[u8]) -> Vec<u8> {
        self.edits.sort_by_key(|edit| (edit.range.start, edit.range.end));
        let grown: usize = self.edits.iter().map(|edit| edit.text.len()).sum();
        let mut output = Vec::with_capacity(text.len() + grown);
        let mut done = 0;
        for Edit { range, text: new } in &self.edits {
            output.extend_from_slice(&text[done..range.start]);
            output.extend_from_slice(new.as_bytes());
            done = range.end;
        }
        output.extend_from_slice(&text[done..]);
        output
    }
}

/// The lines of an instruction, where nothing else stands on them; else the instruction alone.
pub(crate) fn line_of(text: &[u8], span: Span) -> Range<usize> {
    let span = span.range();
    let before = memchr::memrchr(b'\n', &text[..span.start]).map_or(0, |newline| newline + 1);
    let behind = memchr::memchr(b'\n', &text[span.end..]).map_or(text.len(), |newline| span.end + newline + 1);
    let is_space = |range: Range<usize>| text[range].iter().all(u8::is_ascii_whitespace);
    if is_space(before..span.start) && is_space(span.end..behind) { before..behind } else { span }
}

/// What stands between the start of a line and something on it, if that is space.
pub(crate) fn indent_at(text: &[u8], at: usize) -> &str {
    let line = memchr::memrchr(b'\n', &text[..at]).map_or(0, |newline| newline + 1);
    std::str::from_utf8(&text[line..at]).ok().filter(|indent| indent.trim().is_empty()).unwrap_or("  ")
}
