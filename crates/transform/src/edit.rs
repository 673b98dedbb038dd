//! Changes of a text.
//!
//! **Invariant.** Edits are disjoint; those at one place are applied in the order in which they were made.

use std::ops::Range;

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
