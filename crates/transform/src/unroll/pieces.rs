//! A text that is edited several times, as pieces of what it was at first.
//!
//! **Invariant.** The pieces, put together, are the text as it is now; those that are original are ascending and disjoint.

use std::ops::Range;

use crate::Edits;
use crate::edit::Edit;

/// A part of the text.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Piece {
    /// These bytes of the first text.
    Original(Range<usize>),
    /// Something new.
    New(String),
}

impl Piece {
    fn len(&self) -> usize {
        match self {
            Piece::Original(range) => range.len(),
            Piece::New(text) => text.len(),
        }
    }
}

/// A text and how it came from its first version.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Pieces {
    pieces: Vec<Piece>,
    length: usize,
}

impl Pieces {
    /// A text that has not changed.
    pub(super) fn new(length: usize) -> Pieces {
        Pieces { pieces: vec![Piece::Original(0..length)], length }
    }

    /// Edits the text as it is now. O(pieces + edits log edits).
    pub(super) fn edit(&mut self, edits: &Edits) {
        let mut rest = Cutter { pieces: std::mem::take(&mut self.pieces).into_iter(), current: None };
        let mut done = 0;
        for Edit { range, text } in edits.sorted() {
            rest.take(range.start - done, |piece| self.pieces.push(piece));
            rest.take(range.len(), |_| {});
            done = range.end;
            if !text.is_empty() {
                self.pieces.push(Piece::New(text.clone()));
            }
        }
        rest.take(usize::MAX, |piece| self.pieces.push(piece));
    }

    /// The byte of the first text that a byte of the present one is, or the end of what stands before it.
    pub(super) fn original(&self, at: usize) -> usize {
        let (mut seen, mut last) = (0, 0);
        for piece in &self.pieces {
            if let Piece::Original(range) = piece {
                if at < seen + range.len() {
                    return range.start + at.saturating_sub(seen);
                }
                last = range.end;
            }
            seen += piece.len();
            if at < seen {
                break;
            }
        }
        last
    }

    /// All that changed, as edits of the first text.
    pub(super) fn edits(self) -> Edits {
        let mut edits = Edits::default();
        let (mut done, mut new) = (0, String::new());
        for piece in self.pieces.into_iter().chain([Piece::Original(self.length..self.length)]) {
            match piece {
                Piece::New(text) => new.push_str(&text),
                Piece::Original(range) => {
                    if range.start > done || !new.is_empty() {
                        edits.replace(done..range.start, std::mem::take(&mut new));
                    }
                    done = range.end;
                }
            }
        }
        edits
    }
}

/// Pieces that are taken from the front, some bytes at a time.
struct Cutter {
    pieces: std::vec::IntoIter<Piece>,
    current: Option<Piece>,
}

impl Cutter {
    fn take(&mut self, mut bytes: usize, mut with: impl FnMut(Piece)) {
        while bytes > 0 {
            let Some(piece) = self.current.take().or_else(|| self.pieces.next()) else { return };
            if piece.len() <= bytes {
                bytes -= piece.len();
                with(piece);
                continue;
            }
            let (front, back) = match piece {
                Piece::Original(Range { start, end }) => {
                    (Piece::Original(start..start + bytes), Piece::Original(start + bytes..end))
                }
                Piece::New(mut text) => {
                    let back = text.split_off(bytes);
                    (Piece::New(text), Piece::New(back))
                }
            };
            with(front);
            self.current = Some(back);
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edits_of_edits_are_edits_of_the_first_text() {
        let text = b"one two three four".to_vec();
        let mut pieces = Pieces::new(text.len());
        let mut first = Edits::default();
        first.replace(4..7, "2 and a half");
        first.delete(13..18);
        let after = first.clone().apply(&text);
        assert_eq!(after, b"one 2 and a half three");
        pieces.edit(&first);
        assert_eq!(pieces.original(17), 8);
        let mut second = Edits::default();
        second.replace(5..17, "");
        second.insert(0, "> ");
        second.insert(22, "!");
        let last = second.clone().apply(&after);
        assert_eq!(last, b"> one 2three!");
        pieces.edit(&second);
        assert_eq!(pieces.edits().apply(&text), last);
    }
}
