//! An object that several threads see: its bytes, and what is known of them.
//!
//! Bytes are held in words of 32 bits, lowest byte first. Several workgroups may access an object at the same time, each on
//! an OS thread of its own, so a word is atomic, all orderings are relaxed, and a store of less than a word exchanges the
//! word: stores to different bytes never undo each other. An object that one OS thread has to itself saves the exchange.
//!
//! The shadow of a word says which of its bits are `undef` and which of its bytes are poison or were never stored to. Shadows come in
//! pages that are made when something deviates from what the object started as, so a buffer in which everything is defined
//! has none. Invariant: a bit that is `undef`, and a byte that is poison, is 0 in the words.

use std::ops::Range;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU16, AtomicU32, Ordering::Relaxed};

use super::chunk::{Chunk, bits_of_flags, flags};
use crate::value::low_bits;

/// How many words share a page of the shadow.
const PAGE: usize = 256;

/// Of the flags of a word: the bytes with any bit that is `undef`. The lowest bit is that of the lowest byte.
const SPECIAL: u32 = 0;
/// The bytes that are poison.
const POISON: u32 = 4;
/// The bytes that nothing was ever stored to.
const UNWRITTEN: u32 = 8;

pub(super) struct Object {
    pub(super) name: String,
    pub(super) bytes: u64,
    pub(super) constant: bool,
    pub(super) lifetime: Lifetime,
    pub(super) words: Box<[AtomicU32]>,
    /// Whether only one OS thread accesses it.
    exclusive: bool,
    shadow: Shadow,
}

/// How long an object is there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Lifetime {
    /// As long as the memory that it is in.
    Whole,
    /// Until somebody frees it.
    Heap,
    /// No longer.
    Freed,
}

struct Shadow {
    /// Whether what has no page is defined; else nothing was stored there.
    defined: bool,
    /// Whether there is any page.
    any: AtomicBool,
    /// Whether poison was stored.
    poison: AtomicBool,
    pages: Box<[OnceLock<Box<Page>>]>,
}

struct Page {
    undefined: [AtomicU32; PAGE],
    /// Three times four flags, one for each byte of a word. Zero: all is defined.
    flags: [AtomicU16; PAGE],
}

impl Page {
    fn new(defined: bool) -> Box<Page> {
        let page = Page { undefined: [const { AtomicU32::new(0) }; PAGE], flags: [const { AtomicU16::new(0) }; PAGE] };
        page.fill(defined);
        Box::new(page)
    }

    fn fill(&self, defined: bool) {
        let (undefined, flags) = if defined { (0, 0) } else { (u32::MAX, 0xf << UNWRITTEN | 0xf << SPECIAL) };
        self.undefined.iter().for_each(|word| word.store(undefined, Relaxed));
        self.flags.iter().for_each(|word| word.store(flags, Relaxed));
    }
}

impl Object {
    /// An object of so many bytes, all zero. Unless they are `defined`, nothing counts as stored.
    pub(super) fn new(name: &str, bytes: u64, defined: bool, constant: bool, exclusive: bool) -> Option<Object> {
        let count = usize::try_from(bytes.div_ceil(4)).ok()?;
        let mut words = Vec::new();
        words.try_reserve_exact(count).ok()?;
        words.resize_with(count, || AtomicU32::new(0));
        let mut pages = Vec::new();
        pages.try_reserve_exact(count.div_ceil(PAGE)).ok()?;
        pages.resize_with(count.div_ceil(PAGE), OnceLock::new);
        let shadow =
            Shadow { defined, any: AtomicBool::new(false), poison: AtomicBool::new(false), pages: pages.into() };
        let lifetime = Lifetime::Whole;
        Some(Object { name: name.to_owned(), bytes, constant, lifetime, words: words.into(), exclusive, shadow })
    }

    /// Forgets all that was stored in an object that started with nothing.
    pub(super) fn clear(&mut self) {
        for page in &self.shadow.pages {
            if let Some(page) = page.get() {
                page.fill(false);
            }
        }
    }

    /// Whether each byte is known: the shadow has nothing to say.
    pub(super) fn is_plain(&self) -> bool {
        self.shadow.defined && !self.shadow.any.load(Relaxed)
    }

    /// Whether poison was stored in it.
    pub(super) fn had_poison(&self) -> bool {
        self.shadow.poison.load(Relaxed)
    }

    /// Whether a word is known.
    pub(super) fn word_is_plain(&self, word: usize) -> bool {
        match self.shadow.pages[word / PAGE].get() {
            Some(page) => page.flags[word % PAGE].load(Relaxed) == 0,
            None => self.shadow.defined,
        }
    }

    /// These words, if they are known.
    pub(super) fn known_words(&self, first: usize, count: usize) -> Option<&[AtomicU32]> {
        let known = self.is_plain()
            || self.by_page(first, count).all(|(page, range)| match self.shadow.pages[page].get() {
                Some(page) => page.flags[range].iter().fold(0, |any, flags| any | flags.load(Relaxed)) == 0,
                None => self.shadow.defined,
            });
        known.then(|| &self.words[first..first + count])
    }

    /// Notes that all of these words are known.
    pub(super) fn set_words_plain(&self, first: usize, count: usize) {
        if self.is_plain() {
            return;
        }
        for (page, range) in self.by_page(first, count) {
            if self.shadow.pages[page].get().is_none() && self.shadow.defined {
                continue;
            }
            let page = self.page(page * PAGE);
            for (flags, undefined) in page.flags[range.clone()].iter().zip(&page.undefined[range]) {
                if flags.load(Relaxed) != 0 {
                    flags.store(0, Relaxed);
                    undefined.store(0, Relaxed);
                }
            }
        }
    }

    /// A range of words, cut at the bounds of pages: the page, and the range in it.
    fn by_page(&self, first: usize, count: usize) -> impl Iterator<Item = (usize, Range<usize>)> {
        let end = first + count;
        let pages = first / PAGE..end.div_ceil(PAGE);
        pages.map(move |page| (page, first.max(page * PAGE) - page * PAGE..end.min((page + 1) * PAGE) - page * PAGE))
    }

    /// Notes that all of a word is known.
    pub(super) fn set_word_plain(&self, word: usize) {
        let page = match self.shadow.pages[word / PAGE].get() {
            Some(page) => page,
            None if self.shadow.defined => return,
            None => self.page(word),
        };
        if page.flags[word % PAGE].load(Relaxed) != 0 {
            page.flags[word % PAGE].store(0, Relaxed);
            page.undefined[word % PAGE].store(0, Relaxed);
        }
    }

    fn page(&self, word: usize) -> &Page {
        self.shadow.any.store(true, Relaxed);
        self.shadow.pages[word / PAGE].get_or_init(|| Page::new(self.shadow.defined))
    }

    /// One to eight bytes, all of them in the object.
    pub(super) fn read(&self, offset: u64, bytes: u32) -> Chunk {
        let mut chunk = Chunk::plain(self.read_bits(offset, bytes));
        if !self.is_plain() {
            for (word, from, place, count) in pieces(offset, bytes) {
                let page = self.shadow.pages[word / PAGE].get();
                let (undefined, marks) = match page {
                    Some(page) => (page.undefined[word % PAGE].load(Relaxed), page.flags[word % PAGE].load(Relaxed)),
                    None if self.shadow.defined => continue,
                    None => (u32::MAX, 0xf << UNWRITTEN | 0xf << SPECIAL),
                };
                if marks != 0 {
                    let undefined = u64::from(undefined) >> (8 * from) & low_bits(8 * count);
                    chunk.undefined |= undefined << (8 * place);
                    chunk.poison |= ((marks >> (POISON + from)) as u8 & flags(count)) << place;
                    chunk.unwritten |= ((marks >> (UNWRITTEN + from)) as u8 & flags(count)) << place;
                }
            }
            chunk.bits &= !chunk.undefined;
        }
        chunk
    }

    /// What the words hold of one to eight bytes.
    pub(super) fn read_bits(&self, offset: u64, bytes: u32) -> u64 {
        let word = (offset / 4) as usize;
        let end = offset % 4 + u64::from(bytes);
        let load = |word: usize| u64::from(self.words[word].load(Relaxed));
        let shift = 8 * (offset % 4);
        let mut bits = load(word) >> shift;
        if end > 4 {
            bits |= load(word + 1) << (32 - shift);
        }
        if end > 8 {
            bits |= load(word + 2) << (64 - shift);
        }
        bits & low_bits(8 * bytes)
    }

    /// Stores one to eight bytes, all of them in the object.
    pub(super) fn write(&self, offset: u64, bytes: u32, chunk: Chunk) {
        let known = known_bits(chunk);
        for (word, from, place, count) in pieces(offset, bytes) {
            let bits = (known >> (8 * place) & low_bits(8 * count)) as u32;
            self.write_word(word, (low_bits(8 * count) as u32) << (8 * from), bits << (8 * from));
            let exceptional = !chunk.is_plain();
            if exceptional || !self.shadow.defined || self.shadow.any.load(Relaxed) {
                self.write_shadow(word, from, count, shifted(chunk, place));
            }
        }
    }

    /// Replaces the bits of a mask in a word.
    pub(super) fn write_word(&self, word: usize, mask: u32, bits: u32) {
        if mask == u32::MAX {
            self.words[word].store(bits, Relaxed);
        } else {
            self.replace(word, |old| old & !mask | bits);
        }
    }

    /// Replaces a word by what is made of it; no other access comes in between.
    pub(super) fn replace(&self, word: usize, mut make: impl FnMut(u32) -> u32) {
        let word = &self.words[word];
        if self.exclusive {
            word.store(make(word.load(Relaxed)), Relaxed);
        } else {
            exchange(word, make);
        }
    }

    /// Replaces bytes of one word by what is made of them, unless that is nothing, without letting another access in between; answers
    /// what they were.
    pub(super) fn update(&self, offset: u64, bytes: u32, mut make: impl FnMut(Chunk) -> Option<Chunk>) -> Chunk {
        let (word, from) = ((offset / 4) as usize, (offset % 4) as u32);
        let shadow = if self.is_plain() { Chunk::default() } else { self.read(offset, bytes) };
        let mask = (low_bits(8 * bytes) as u32) << (8 * from);
        let mut new = None;
        let mut old = Chunk::default();
        self.replace(word, |found| {
            let bits = u64::from((found & mask) >> (8 * from)) & !shadow.undefined;
            old = Chunk { bits, ..shadow };
            new = make(old);
            match new {
                Some(new) => found & !mask | (known_bits(new) as u32) << (8 * from),
                None => found,
            }
        });
        if let Some(new) = new
            && (!new.is_plain() || !self.is_plain())
        {
            self.write_shadow(word, from, bytes, new);
        }
        old
    }

    /// Sets the shadow of `count` bytes of a word from byte `from` on.
    fn write_shadow(&self, word: usize, from: u32, count: u32, chunk: Chunk) {
        let count_flags = flags(count);
        let plain = chunk.undefined & low_bits(8 * count) == 0 && chunk.poison & count_flags == 0;
        if count == 4 && plain {
            return self.set_word_plain(word);
        }
        if plain && self.word_is_plain(word) {
            return;
        }
        let page = self.page(word);
        let undefined = (chunk.undefined & low_bits(8 * count)) as u32;
        let mask = (low_bits(8 * count) as u32) << (8 * from);
        exchange(&page.undefined[word % PAGE], |old| old & !mask | undefined << (8 * from));
        let special = (0..4).fold(0, |special, byte| special | u16::from(undefined >> (8 * byte) & 0xff != 0) << byte);
        let poison = u16::from(chunk.poison & count_flags);
        if poison != 0 {
            self.shadow.poison.store(true, Relaxed);
        }
        let unwritten = u16::from(chunk.unwritten & count_flags);
        let marks = (special << SPECIAL | poison << POISON | unwritten << UNWRITTEN) << from;
        let count_flags = u16::from(count_flags);
        let mask = (count_flags << SPECIAL | count_flags << POISON | count_flags << UNWRITTEN) << from;
        let flags = &page.flags[word % PAGE];
        let mut old = flags.load(Relaxed);
        while let Err(found) = flags.compare_exchange_weak(old, old & !mask | marks, Relaxed, Relaxed) {
            old = found;
        }
    }
}

/// Replaces a word by what is made of it, which no other thread changes meanwhile.
fn exchange(word: &AtomicU32, mut make: impl FnMut(u32) -> u32) {
    let mut old = word.load(Relaxed);
    while let Err(found) = word.compare_exchange_weak(old, make(old), Relaxed, Relaxed) {
        old = found;
    }
}

/// The bits that words hold of a chunk.
fn known_bits(chunk: Chunk) -> u64 {
    chunk.bits & !chunk.undefined & !bits_of_flags(chunk.poison)
}

/// The chunk without its first bytes.
fn shifted(chunk: Chunk, bytes: u32) -> Chunk {
    Chunk {
        bits: chunk.bits >> (8 * bytes),
        undefined: chunk.undefined >> (8 * bytes),
        poison: chunk.poison >> bytes,
        unwritten: chunk.unwritten >> bytes,
    }
}

/// The words that a range of one to eight bytes touches: the word, the first byte of it, where in the range that is, and how many
/// bytes.
pub(super) fn pieces(offset: u64, bytes: u32) -> impl Iterator<Item = (usize, u32, u32, u32)> {
    let mut place = 0;
    std::iter::from_fn(move || {
        (place < bytes).then(|| {
            let at = offset + u64::from(place);
            let from = (at % 4) as u32;
            let count = (4 - from).min(bytes - place);
            let piece = ((at / 4) as usize, from, place, count);
            place += count;
            piece
        })
    })
}
