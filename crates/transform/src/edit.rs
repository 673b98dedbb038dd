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

    /// Takes out the edits that lie in a part of the text.
    pub(crate) fn forget(&mut self, part: &Range<usize>) {
        self.edits.retain(|edit| edit.range.start < part.start || part.end < edit.range.end);
    }

    /// These edits and then others, whose places are in `middle`, the text with these: together as edits of the first text.
    /// O(edits log edits).
    ///
    /// # Panics
    /// As [`Edits::apply`].
    pub fn then(mut self, middle: &[u8], mut later: Edits) -> Edits {
        let key = |edit: &Edit| (edit.range.start, edit.range.end);
        self.edits.sort_by_key(key);
        later.edits.sort_by_key(key);
        let (mut first, mut second) = (self.edits.into_iter().peekable(), later.edits.into_iter().peekable());
        // What edits before this place have added and taken away.
        let (mut added, mut taken) = (0, 0);
        let mut edits = Vec::new();
        loop {
            let next_first = first.peek().map(|edit| edit.range.start + added - taken);
            let next_second = second.peek().map(|edit| edit.range.start);
            let Some(start) = next_first.into_iter().chain(next_second).min() else { break };
            let from = start + taken - added;
            // All that touches this place, in the text in the middle.
            let mut end = start;
            let mut inside = Edits::default();
            loop {
                if let Some(edit) = first.next_if(|edit| edit.range.start + added - taken <= end) {
                    end = end.max(edit.range.start + added - taken + edit.text.len());
                    added += edit.text.len();
                    taken += edit.range.len();
                } else if let Some(edit) = second.next_if(|edit| edit.range.start <= end) {
                    end = end.max(edit.range.end);
                    inside.replace(edit.range.start - start..edit.range.end - start, edit.text);
                } else {
                    break;
                }
            }
            let text = String::from_utf8_lossy(&inside.apply(&middle[start..end])).into_owned();
            edits.push(Edit { range: from..end + taken - added, text });
        }
        Edits { edits }
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

#[cfg(test)]
mod tests {
    use super::*;

    fn edits(of: &[(Range<usize>, &str)]) -> Edits {
        Edits {
            edits: of.iter().map(|(range, text)| Edit { range: range.clone(), text: (*text).to_owned() }).collect(),
        }
    }

    /// Every two lists of up to two edits of a short text: at once and one after the other.
    #[test]
    fn edits_at_once_do_what_they_do_one_after_the_other() {
        fn lists(length: usize, text: &'static str) -> Vec<Edits> {
            let ranges: Vec<_> = (0..=length).flat_map(|start| (start..=length).map(move |end| start..end)).collect();
            let mut lists = vec![Edits::default()];
            for one in &ranges {
                for new in ["", text] {
                    lists.push(edits(&[(one.clone(), new)]));
                    let behind = ranges.iter().filter(|other| other.start >= one.end && other.end > one.start);
                    lists.extend(behind.map(|other| edits(&[(other.clone(), "+"), (one.clone(), new)])));
                }
            }
            lists
        }
        let (text, mut compared) = (b"abcd", 0);
        for first in lists(text.len(), "xy") {
            let middle = first.clone().apply(text);
            for second in lists(middle.len(), "-") {
                let after = second.clone().apply(&middle);
                let both = first.clone().then(&middle, second.clone());
                assert_eq!(both.apply(text), after, "{first:?} then {second:?}");
                compared += 1;
            }
        }
        assert!(compared > 10_000, "{compared}");
    }

    #[test]
    fn edits_of_a_part_are_forgotten() {
        let mut all = edits(&[(0..1, "a"), (2..2, "b"), (2..4, "c"), (4..5, "d")]);
        all.forget(&(2..4));
        assert_eq!(all, edits(&[(0..1, "a"), (4..5, "d")]));
    }
}
