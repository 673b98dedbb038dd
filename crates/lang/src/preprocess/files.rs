//! The files that are read, one included by another.

use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::Preprocessor;
use super::scan::{self, Cursor, Lexeme, Rules};
use crate::diagnostic::Diagnostic;
use crate::options::Dialect;
use crate::source::Location;
use crate::token::Symbol;

/// A file that is being read.
#[derive(Debug)]
pub(super) struct Frame {
    /// Its number in the sources.
    pub(super) index: usize,
    pub(super) text: Arc<String>,
    /// The location of its first byte.
    pub(super) start: u32,
    pub(super) cursor: Cursor,
    /// The conditionals that are open, outermost first.
    pub(super) conditionals: Vec<Conditional>,
    /// What `#line` says: the difference to the real line, and the name of the file.
    pub(super) presumed: (i64, Option<Symbol>),
    /// A byte of which the line is known, and the line from 1.
    counted: (usize, u32),
    pub(super) guard: Guard,
    /// Whether a token stood outside of directives since the beginning, or since the guard was closed.
    pub(super) has_tokens: bool,
}

/// An `#if` that is open.
#[derive(Debug, Clone, Copy)]
pub(super) struct Conditional {
    pub(super) location: Location,
    /// Whether one of its groups was read, so that the others are not.
    pub(super) taken: bool,
    pub(super) has_else: bool,
}

/// How far a file looks like one whose whole text stands in `#ifndef NAME … #endif`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Guard {
    Start,
    Inside(Symbol),
    After(Symbol),
    No,
}

/// What is known of files that were included.
#[derive(Debug, Default)]
pub(super) struct Files {
    /// The texts, by the path at which they were found.
    pub(super) texts: FxHashMap<PathBuf, Arc<String>>,
    /// The macros that guard files: where the macro is defined, the file is empty.
    pub(super) guards: FxHashMap<PathBuf, Symbol>,
    /// The real paths of files that are read only once.
    pub(super) once: FxHashSet<PathBuf>,
    /// The numbers of files that were searched for names of headers that are not there.
    pub(super) searched: FxHashSet<usize>,
    /// How many files were included.
    pub(super) includes: usize,
    /// How many bytes of them were not new.
    pub(super) repeated_bytes: usize,
}

impl Frame {
    /// The line of a byte, from 1. O(distance to the last byte asked for).
    pub(super) fn line(&mut self, offset: usize) -> u32 {
        let (from, line) = self.counted;
        let newlines = |range: &str| memchr::memchr_iter(b'\n', range.as_bytes()).count() as u32;
        let line = if from <= offset {
            line + newlines(&self.text[from..offset])
        } else {
            line - newlines(&self.text[offset..from])
        };
        self.counted = (offset, line);
        line
    }

    /// The next lexeme.
    #[inline]
    pub(super) fn scan(&mut self, rules: Rules, in_line: bool) -> Lexeme {
        scan::scan(&self.text, &mut self.cursor, rules, in_line)
    }

    /// Goes to the end.
    pub(super) fn skip(&mut self) {
        self.cursor.offset = self.text.len();
        self.conditionals.clear();
    }
}

impl Preprocessor<'_> {
    /// Adds a text to the sources, and says what is wrong with its bytes.
    pub(super) fn add_file(&mut self, path: PathBuf, text: Vec<u8>, included_at: Location) -> Option<usize> {
        let is_utf16 = text.starts_with(&[0xff, 0xfe]) || text.starts_with(&[0xfe, 0xff]);
        let (text, invalid) = match String::from_utf8(text) {
            Ok(text) => (text, None),
            Err(error) => {
                let valid = error.utf8_error().valid_up_to();
                (String::from_utf8_lossy(error.as_bytes()).into_owned(), Some(valid))
            }
        };
        let text = if self.options.dialect == Dialect::OpenCl {
            without_macro_around(without_raw_literal(text))
        } else {
            text
        };
        let text = Arc::new(text);
        let zero = memchr::memchr(0, text.as_bytes());
        let index = self.add_text(path, text, included_at)?;
        let start = self.sources.files()[index].start;
        if let Some(offset) = invalid {
            let location = Location(start + offset as u32);
            if is_utf16 {
                // Nothing of it means anything.
                self.fatal(Diagnostic::error(location, "the file is UTF-16; expected UTF-8"));
            } else {
                self.replaced.push(location);
            }
        }
        if let Some(offset) = zero.filter(|_| invalid.is_none()) {
            self.error(
                Location(start + offset as u32),
                "the file holds a NUL byte: outside of literals it is read as white space",
            );
        }
        Some(index)
    }

    /// Adds a text that was looked at before.
    pub(super) fn add_text(&mut self, path: PathBuf, text: Arc<String>, included_at: Location) -> Option<usize> {
        match self.sources.add_shared(path, text, included_at) {
            Ok(index) => Some(index),
            Err(error) => {
                self.fatal(Diagnostic::limit(included_at, error.to_string()));
                None
            }
        }
    }

    /// Goes on in a file of the sources.
    pub(super) fn enter(&mut self, index: usize) {
        let file = &self.sources.files()[index];
        let mut cursor = Cursor::START;
        if file.text.starts_with('\u{feff}') {
            cursor.offset = '\u{feff}'.len_utf8();
        }
        self.frames.push(Frame {
            index,
            text: file.text.clone(),
            start: file.start,
            cursor,
            conditionals: Vec::new(),
            presumed: (0, None),
            counted: (0, 1),
            guard: Guard::Start,
            has_tokens: false,
        });
    }

    /// At the end of a file: goes back to the one that includes it. False if there is none.
    pub(super) fn leave(&mut self) -> bool {
        let Some(frame) = self.frames.pop() else { return false };
        for conditional in &frame.conditionals {
            self.error(conditional.location, "the conditional has no `#endif`");
        }
        if let (Guard::After(name), false) = (frame.guard, frame.has_tokens) {
            self.files.guards.insert(self.sources.files()[frame.index].path.clone(), name);
        }
        !self.frames.is_empty()
    }

    /// The name of the file that is read.
    pub(super) fn current_path(&self) -> &Path {
        self.frames.last().map_or(Path::new(""), |frame| &self.sources.files()[frame.index].path)
    }
}

/// OpenCL C that C++ includes as the argument of a macro which makes a literal of it, without the lines between which it is: `NAME(` and `)`, the first and
/// the last one. A directive in it stands behind `\n`. All the rest stays where it is.
fn without_macro_around(mut text: String) -> String {
    let lines = || text.lines().filter(|line| !line.trim().is_empty());
    let is_name = |name: &str| {
        !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_')
    };
    let opens = |line: &str| line.trim().strip_suffix('(').is_some_and(|name| is_name(name.trim_end()));
    let closes = |line: &str| matches!(line.trim(), ")" | ");");
    let is_around = lines().next().is_some_and(opens) && lines().next_back().is_some_and(closes);
    if !is_around {
        return text;
    }
    let (mut marks, mut begin) = (Vec::new(), 0);
    for line in text.split_inclusive('\n') {
        let start = begin + (line.len() - line.trim_start().len());
        let mark = line.trim();
        let is_mark =
            opens(line) && marks.is_empty() || closes(line) && begin + line.trim_end().len() == text.trim_end().len();
        match is_mark {
            true => marks.push(start..start + mark.len()),
            false if mark.starts_with("\\n") => marks.push(start..start + 2),
            false => {}
        }
        begin += line.len();
    }
    for mark in marks {
        text.replace_range(mark.clone(), &" ".repeat(mark.len()));
    }
    text
}

/// OpenCL C that C++ includes as the text of a literal, without the lines between which the literal is: `R"(` and `)"`. OpenCL C has no such literals,
/// and all the rest stays where it is.
fn without_raw_literal(mut text: String) -> String {
    let mut marks: Vec<Range<usize>> = Vec::new();
    let mut begin = 0;
    for line in text.split_inclusive('\n') {
        let mark = line.trim();
        // As C++ has it.
        let is_delimiter = |text: &str| {
            text.len() <= 16 && text.bytes().all(|byte| byte.is_ascii_graphic() && !br#"()\""#.contains(&byte))
        };
        let opens = mark.strip_prefix("R\"").and_then(|rest| rest.strip_suffix('('));
        let closes = || {
            let rest = mark.strip_prefix(')')?;
            rest.strip_suffix(';').unwrap_or(rest).strip_suffix('"')
        };
        if opens.or_else(closes).is_some_and(is_delimiter) {
            let start = begin + (line.len() - line.trim_start().len());
            marks.push(start..start + mark.len());
        }
        begin += line.len();
    }
    for mark in marks {
        text.replace_range(mark.clone(), &" ".repeat(mark.len()));
    }
    text
}
