//! Tokens: what the preprocessor makes, and the parser reads.

use std::hash::Hasher;
use std::ops::Range;

use hashbrown::HashTable;
use rustc_hash::FxHasher;

use crate::source::Location;

/// A spelling, interned: equal spellings are equal numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Symbol(pub u32);

/// The spellings. Keywords are not special here; the parser interns those it knows first.
#[derive(Debug, Default)]
pub struct Symbols {
    /// All of them, one behind the other.
    text: String,
    /// Where each ends.
    ends: Vec<usize>,
    /// Each by the hash of its spelling.
    numbers: HashTable<Symbol>,
    /// How many bytes the longest one has.
    longest: usize,
}

impl Symbols {
    /// The symbol of a spelling.
    #[inline]
    pub fn intern(&mut self, text: &str) -> Symbol {
        let hash = hash(text);
        self.known(text, hash).unwrap_or_else(|| self.add(text, hash))
    }

    /// A spelling that did not occur.
    fn add(&mut self, text: &str, hash_of_text: u64) -> Symbol {
        let Symbols { text: all, ends, numbers, longest } = self;
        *longest = text.len().max(*longest);
        let symbol = Symbol(ends.len() as u32);
        numbers.insert_unique(hash_of_text, symbol, |&symbol| hash(spelling(all, ends, symbol)));
        all.push_str(text);
        ends.push(all.len());
        symbol
    }

    /// The symbol of a spelling that occurred, if it did.
    pub fn find(&self, text: &str) -> Option<Symbol> {
        self.known(text, hash(text))
    }

    #[inline]
    fn known(&self, text: &str, hash: u64) -> Option<Symbol> {
        // Bytes, because the ends of characters are not looked for in them.
        let is_same = |&symbol: &Symbol| self.text.as_bytes()[range(&self.ends, symbol)] == *text.as_bytes();
        self.numbers.find(hash, is_same).copied()
    }

    /// How many bytes the longest spelling has.
    #[inline]
    pub fn longest(&self) -> usize {
        self.longest
    }

    /// All of them, in the order in which they occurred first.
    pub fn all(&self) -> impl Iterator<Item = Symbol> {
        (0..self.ends.len()).map(|number| Symbol(number as u32))
    }

    /// The spelling of a symbol.
    #[inline]
    pub fn text(&self, symbol: Symbol) -> &str {
        spelling(&self.text, &self.ends, symbol)
    }
}

#[inline]
fn spelling<'a>(all: &'a str, ends: &[usize], symbol: Symbol) -> &'a str {
    &all[range(ends, symbol)]
}

/// The bytes that a symbol is.
#[inline]
fn range(ends: &[usize], symbol: Symbol) -> Range<usize> {
    let index = symbol.0 as usize;
    let start = index.checked_sub(1).map_or(0, |before| ends[before]);
    start..ends[index]
}

#[inline]
fn hash(text: &str) -> u64 {
    let mut hasher = FxHasher::default();
    hasher.write(text.as_bytes());
    hasher.finish()
}

/// What kind of token it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TokenKind {
    /// A name or a keyword.
    Identifier,
    /// A number, as it is written (`1`, `0x1p-3f`, `1.5h`, `10ull`, `1'000`).
    Number,
    /// A character constant with quotes and prefix.
    Character,
    /// A string with quotes and prefix; strings that follow each other are not joined yet.
    String,
    /// An operator or punctuator; the symbol is its spelling. Digraphs are spelled as what they stand for. `>>` is one token.
    Punctuator,
    /// `#pragma …`, the rest of the line being the spelling (macros not expanded); also what `_Pragma` makes.
    Pragma,
    /// The end; exactly one, the last.
    End,
}

/// A token. 12 bytes: there are millions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Token {
    /// What kind it is.
    pub kind: TokenKind,
    /// Whether it is the first on its line in the preprocessed text.
    pub starts_line: bool,
    /// Whether it came out of a macro; `location` is then where the outermost macro was used.
    pub from_macro: bool,
    /// How it is spelled; for [`TokenKind::End`] the empty spelling.
    pub symbol: Symbol,
    /// Where it is.
    pub location: Location,
}
