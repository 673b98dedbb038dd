//! The names of one function: parameters, results and blocks share one namespace and one counter.
//!
//! A name may be used before it is defined, so it gets its entry at the first mention. Numbers index a
//! vector; other names go through a hash table that holds no strings, only places in the text.

use hashbrown::HashTable;
use rustc_hash::FxHasher;
use std::hash::Hasher;

use super::cursor::Cursor;
use crate::function::{LocalName, Value};
use crate::text::Span;

/// What a local name stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Local {
    #[default]
    Unknown,
    Value(Value),
    /// A block, by the order of first mention.
    Block(u32),
}

#[derive(Debug, Default)]
pub(crate) struct Locals {
    numbered: Vec<Local>,
    named: HashTable<Named>,
    /// The number that the next unnamed value or block gets.
    pub(crate) next_number: u32,
    /// Numbers from here on are looked up like other names.
    limit: usize,
}

#[derive(Debug, Clone, Copy)]
struct Named {
    hash: u32,
    name: Span,
    local: Local,
}

/// Hash tables that once held more names than this are given back rather than cleared.
const KEEP: usize = 1 << 14;

impl Locals {
    /// Forgets all names. `definitions` is more than the next function has: a number beyond can only be there because
    /// numbers are skipped, and `%4000000000` is not to ask for as much memory.
    pub(crate) fn clear(&mut self, definitions: usize) {
        self.limit = definitions;
        if self.named.capacity() > KEEP {
            self.named = HashTable::new();
        } else {
            self.named.clear();
        }
        self.numbered.clear();
        self.next_number = 0;
    }

    /// The entry of a name, new if need be.
    #[inline]
    pub(crate) fn entry(&mut self, cursor: &Cursor<'_>, name: LocalName) -> &mut Local {
        match name {
            LocalName::Number(number) if (number as usize) < self.numbered.len() => &mut self.numbered[number as usize],
            LocalName::Number(number) if (number as usize) < self.limit => {
                self.numbered.resize(number as usize + 1, Local::Unknown);
                &mut self.numbered[number as usize]
            }
            LocalName::Number(number) => self.named_entry(cursor, Span { start: u32::MAX, end: number }, number.into()),
            LocalName::Text(span) => {
                let mut hasher = FxHasher::default();
                match cursor.byte_of(span) {
                    b'"' => hasher.write(&cursor.unquoted(span)),
                    _ => hasher.write(cursor.slice(span)),
                }
                self.named_entry(cursor, span, hasher.finish())
            }
        }
    }

    fn named_entry(&mut self, cursor: &Cursor<'_>, name: Span, hash: u64) -> &mut Local {
        let same = |entry: &Named| entry.hash == hash as u32 && same_name(cursor, entry.name, name);
        let entry = self.named.entry(hash, same, |entry| rehash(cursor, entry));
        &mut entry.or_insert(Named { hash: hash as u32, name, local: Local::Unknown }).into_mut().local
    }
}

fn rehash(cursor: &Cursor<'_>, entry: &Named) -> u64 {
    if entry.name.start == u32::MAX {
        return entry.name.end.into();
    }
    let mut hasher = FxHasher::default();
    hasher.write(&cursor.unquoted(entry.name));
    hasher.finish()
}

fn same_name(cursor: &Cursor<'_>, a: Span, b: Span) -> bool {
    if a.start == u32::MAX || b.start == u32::MAX {
        return a == b;
    }
    if cursor.byte_of(a) != b'"' && cursor.byte_of(b) != b'"' {
        return cursor.slice(a) == cursor.slice(b);
    }
    cursor.unquoted(a) == cursor.unquoted(b)
}
