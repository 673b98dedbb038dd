//! Files, and places in them.
//!
//! **Invariant.** The texts of all files lie one after the other in one space of bytes, so a [`Location`] is one number that
//! says file and offset; location 0 is nowhere.

use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

pub use reconverge_outline::Location;

pub use crate::preprocess::OWN_HEADERS as BUILT_IN_HEADERS;

/// From the first byte of one token to the end of another one. Of what a macro made, both are where the outermost macro is used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct TokenRange {
    /// The first token.
    pub first: Location,
    /// The last token.
    pub last: Location,
}

impl From<Location> for TokenRange {
    /// One token.
    fn from(token: Location) -> TokenRange {
        TokenRange { first: token, last: token }
    }
}

/// A file that was read.
#[derive(Debug)]
pub struct File {
    /// The name under which it was found, as it is printed.
    pub path: PathBuf,
    /// What it holds.
    pub text: Arc<String>,
    /// The location of its first byte.
    pub start: u32,
    /// The `#include` that asked for it; none for the main file.
    pub included_at: Location,
    lines: OnceLock<Lines>,
}

impl File {
    /// Its lines, which are looked for once.
    fn lines(&self) -> &Lines {
        self.lines.get_or_init(|| Lines::new(self.text.as_bytes()))
    }
}

/// Where the lines of a text begin, and how many characters are before each stretch of it.
#[derive(Debug)]
struct Lines {
    starts: Vec<u32>,
    /// Characters before each [`STRETCH`] bytes.
    characters: Vec<u32>,
}

/// Bytes whose characters are counted again for each column.
const STRETCH: usize = 1 << 10;

impl Lines {
    /// O(text).
    fn new(text: &[u8]) -> Lines {
        let after = memchr::memchr_iter(b'\n', text).map(|newline| newline as u32 + 1);
        let mut before = 0;
        let counted = text.chunks(STRETCH).map(|stretch| {
            let so_far = before;
            before += characters(stretch);
            so_far
        });
        Lines { starts: std::iter::once(0).chain(after).collect(), characters: counted.collect() }
    }

    /// The number of the line with a byte, from 1. O(log lines).
    fn line(&self, offset: usize) -> u32 {
        self.starts.partition_point(|&start| start as usize <= offset) as u32
    }

    /// How many characters of the text begin before a byte. O(1).
    fn characters_before(&self, offset: usize, text: &[u8]) -> u32 {
        let stretch = (offset / STRETCH).min(self.characters.len().saturating_sub(1));
        self.characters.get(stretch).map_or(0, |before| before + characters(&text[stretch * STRETCH..offset]))
    }
}

/// How many characters begin in a piece of UTF-8.
fn characters(text: &[u8]) -> u32 {
    text.iter().filter(|&&byte| byte & 0xc0 != 0x80).count() as u32
}

/// All files of a translation; the first one is the main file.
#[derive(Debug, Default)]
pub struct Sources {
    files: Vec<File>,
    /// Uses of macros with arguments: where the name is, and where the last parenthesis is. In order.
    macro_uses: Vec<(Location, Location)>,
}

/// A place as a person reads it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Position<'a> {
    /// The file.
    pub path: &'a Path,
    /// The index of the file.
    pub file: usize,
    /// The line, from 1.
    pub line: u32,
    /// The column in characters, from 1.
    pub column: u32,
}

/// All files together hold more than locations can say (4 GiB).
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the files of one translation hold more than 4 GiB")]
pub struct TooLarge;

impl Sources {
    /// Adds a file, and gives its index.
    pub fn add(&mut self, path: PathBuf, text: String, included_at: Location) -> Result<usize, TooLarge> {
        self.add_shared(path, Arc::new(text), included_at)
    }

    /// As [`Sources::add`], for a text that several files can share: one that is included again and again.
    pub fn add_shared(&mut self, path: PathBuf, text: Arc<String>, included_at: Location) -> Result<usize, TooLarge> {
        let start = self.files.last().map_or(1, |file| file.start + file.text.len() as u32 + 1);
        let length = u32::try_from(text.len()).map_err(|_| TooLarge)?;
        start.checked_add(length).and_then(|end| end.checked_add(1)).ok_or(TooLarge)?;
        self.files.push(File { path, text, start, included_at, lines: OnceLock::new() });
        Ok(self.files.len() - 1)
    }

    /// Says where the outermost uses of macros with arguments begin and end.
    pub(crate) fn set_macro_uses(&mut self, mut uses: Vec<(Location, Location)>) {
        uses.sort_unstable();
        self.macro_uses = uses;
    }

    /// The last token of what is at a location: of the use of a macro, its last parenthesis; else the token itself. O(log macro uses).
    pub fn last_token(&self, location: Location) -> Location {
        match self.macro_uses.binary_search_by_key(&location, |&(name, _)| name) {
            Ok(index) => self.macro_uses[index].1,
            Err(_) => location,
        }
    }

    /// The files, in the order in which they were added.
    pub fn files(&self) -> &[File] {
        &self.files
    }

    /// The file that a location is in, and the byte in it; none for [`Location::NONE`]. O(log files).
    pub fn find(&self, location: Location) -> Option<(usize, usize)> {
        let after = self.files.partition_point(|file| file.start <= location.0);
        let index = after.checked_sub(1)?;
        let offset = (location.0 - self.files[index].start) as usize;
        (offset <= self.files[index].text.len()).then_some((index, offset))
    }

    /// Whether a location in other files is the same place in these.
    pub(crate) fn begins_like(&self, other: &Sources) -> bool {
        let is_same = |(one, other): (&File, &File)| (&one.path, one.start) == (&other.path, other.start);
        self.files.len() >= other.files.len() && self.files.iter().zip(&other.files).all(is_same)
    }

    /// A location as file, line and column. O(log lines), and once for each file O(its length).
    pub fn position(&self, location: Location) -> Option<Position<'_>> {
        let (index, offset) = self.find(location)?;
        let file = &self.files[index];
        let (lines, text) = (file.lines(), file.text.as_bytes());
        let line = lines.line(offset);
        let begin = lines.starts[line as usize - 1] as usize;
        let column = lines.characters_before(offset, text) - lines.characters_before(begin, text) + 1;
        Some(Position { path: &file.path, file: index, line, column })
    }

    /// The index of the file, the line and the column in bytes, both from 1; none for [`Location::NONE`]. As [`Sources::position`], a little faster.
    pub fn line(&self, location: Location) -> Option<(usize, u32, u32)> {
        let (index, offset) = self.find(location)?;
        let lines = self.files[index].lines();
        let line = lines.line(offset);
        Some((index, line, offset as u32 - lines.starts[line as usize - 1] + 1))
    }
}
