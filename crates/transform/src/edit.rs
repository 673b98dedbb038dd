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

    /// Takes out the edits that lie in a part of the text.
    pub(crate) fn forget(&mut self, part: &Range<usize>) {
        self.edits.retain(|edit| edit.range.start < part.start || part.end < edit.range.end);
    }

    /// What these edits do and then others, which are of the text that these leave: as edits of the first text. O(edits log edits).
    pub(crate) fn then(mut self, mut others: Edits) -> Edits {
        self.edits.sort_by_key(|edit| (edit.range.start, edit.range.end));
        others.edits.sort_by_key(|edit| (edit.range.start, edit.range.end));
        let others = others.edits.into_iter().peekable();
        let mut composition = Composition { others, at: 0, deleted: 0, both: Edits::default() };
        let mut done = 0;
        for Edit { range, text } in self.edits {
            composition.kept(done..range.start);
            done = range.end;
            composition.both.put(range, "");
            composition.new(done, &text);
        }
        composition.kept(done..usize::MAX);
        composition.both
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

/// Goes through a text that edits left, and makes one list of these edits and others.
struct Composition {
    others: std::iter::Peekable<std::vec::IntoIter<Edit>>,
    /// How much of the text in the middle is done, and up to where others delete it.
    at: usize,
    deleted: usize,
    both: Edits,
}

/// What others do to a part of the text in the middle; the ranges are of that text.
enum Change<'c> {
    Keep(Range<usize>),
    Delete(Range<usize>),
    Insert(usize, &'c str),
}

impl Composition {
    /// Goes through a part of the first text that is still there.
    fn kept(&mut self, range: Range<usize>) {
        let start = self.at;
        let origin = move |at: usize| range.start + (at - start);
        self.through(range.end - range.start, |both, change| match change {
            Change::Keep(_) => {}
            Change::Delete(part) => both.put(origin(part.start)..origin(part.end), ""),
            Change::Insert(at, text) => both.put(origin(at)..origin(at), text),
        });
    }

    /// Goes through what the first edits put at a place of the first text.
    fn new(&mut self, place: usize, text: &str) {
        let start = self.at;
        self.through(text.len(), |both, change| match change {
            Change::Keep(part) => both.put(place..place, &text[part.start - start..part.end - start]),
            Change::Delete(_) => {}
            Change::Insert(_, text) => both.put(place..place, text),
        });
    }

    fn through(&mut self, length: usize, mut apply: impl FnMut(&mut Edits, Change<'_>)) {
        let end = self.at.saturating_add(length);
        while self.at < end {
            if self.at < self.deleted {
                let to = self.deleted.min(end);
                apply(&mut self.both, Change::Delete(self.at..to));
                self.at = to;
            } else if let Some(edit) = self.others.next_if(|edit| edit.range.start == self.at) {
                apply(&mut self.both, Change::Insert(self.at, &edit.text));
                self.deleted = edit.range.end;
            } else {
                let to = self.others.peek().map_or(end, |edit| edit.range.start.min(end));
                apply(&mut self.both, Change::Keep(self.at..to));
                self.at = to;
            }
        }
    }
}

impl Edits {
    /// Adds an edit that begins where the last one ends, or behind it.
    fn put(&mut self, range: Range<usize>, text: &str) {
        match self.edits.last_mut() {
            Some(last) if last.range.end == range.start => {
                last.range.end = range.end;
                last.text.push_str(text);
            }
            _ => self.edits.push(Edit { range, text: text.to_owned() }),
        }
    }
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
                let both = first.clone().then(second.clone());
                assert!(both.edits.is_sorted_by(|a, b| a.range.end < b.range.start), "{both:?}");
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
