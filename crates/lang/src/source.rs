//! Files, and places in them.
//!
//! **Invariant.** The texts of all files lie one after the other in one space of bytes, so a [`Location`] is one number that
//! says file and offset; location 0 is nowhere.

use std::path::{Path, PathBuf};
use std::sync::Arc;

pub use reconverge_outline::Location;

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
        self.files.push(File { path, text, start, included_at });
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

    /// A location as file, line and column. O(length of the file): for messages, not for every statement (see [`LineTable`]).
    pub fn position(&self, location: Location) -> Option<Position<'_>> {
        let (file, offset) = self.find(location)?;
        let text = &self.files[file].text.as_bytes()[..offset];
        let line = memchr::memchr_iter(b'\n', text).count() as u32 + 1;
        let begin = memchr::memrchr(b'\n', text).map_or(0, |newline| newline + 1);
        let column = String::from_utf8_lossy(&text[begin..]).chars().count() as u32 + 1;
        Some(Position { path: &self.files[file].path, file, line, column })
    }
}

/// Where the lines of all files begin: O(log) from a location to a line.
#[derive(Debug)]
pub struct LineTable {
    starts: Vec<Vec<u32>>,
}

impl LineTable {
    /// Reads every text once.
    pub fn new(sources: &Sources) -> LineTable {
        let lines = |file: &File| {
            let after = |newline: usize| file.start + newline as u32 + 1;
            std::iter::once(file.start).chain(memchr::memchr_iter(b'\n', file.text.as_bytes()).map(after)).collect()
        };
        LineTable { starts: sources.files().iter().map(lines).collect() }
    }

    /// The index of the file, the line and the column (in bytes), both from 1; none for [`Location::NONE`].
    pub fn line(&self, location: Location) -> Option<(usize, u32, u32)> {
        let file = self.starts.partition_point(|lines| lines[0] <= location.0).checked_sub(1)?;
        let line = self.starts[file].partition_point(|&start| start <= location.0);
        Some((file, line as u32, location.0 - self.starts[file][line - 1] + 1))
    }
}
