//! The texts that places in the source point into, and findings moved from the IR into them.

use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use reconverge_files::{FileSystem, NamedBy};
use reconverge_findings::{Diagnostic, Related};
use reconverge_ir::DebugLocation;
use reconverge_lang::options::Dialect;
use reconverge_lang::source::{File, Sources};
use rustc_hash::FxHashMap;

use crate::lines::Lines;

/// The largest file that a place is shown in and that was not read before: a name such as `#line 1 "…"` gives it may be of anything.
const LARGEST: u64 = 64 << 20;

/// Source files by the names that places give them.
#[derive(Debug)]
pub struct SourceFiles {
    texts: Mutex<FxHashMap<String, Option<SourceText>>>,
    language: Dialect,
    system: Arc<dyn FileSystem>,
}

/// A text, and where its lines start once somebody has asked.
#[derive(Debug, Clone)]
struct SourceText {
    text: Arc<[u8]>,
    starts: Arc<OnceLock<Vec<usize>>>,
}

impl SourceText {
    fn new(text: impl Into<Arc<[u8]>>) -> SourceText {
        SourceText { text: text.into(), starts: Arc::default() }
    }

    fn lines(&self) -> Lines<'_> {
        Lines::with_starts(&self.text, self.starts.get_or_init(|| Lines::starts(&self.text)))
    }
}

/// A finding in a source file.
pub(crate) struct Place {
    /// The file.
    pub(crate) path: String,
    /// What it holds.
    pub(crate) text: Arc<[u8]>,
    /// The finding, its spans in that text.
    pub(crate) diagnostic: Diagnostic,
}

impl SourceFiles {
    /// The files that a translation has read, as what they are written in.
    pub(super) fn new(sources: &Sources, language: Dialect, system: Arc<dyn FileSystem>) -> SourceFiles {
        let text = |file: &File| (file.path.display().to_string(), Some(SourceText::new(file.text.as_bytes())));
        SourceFiles { texts: Mutex::new(sources.files().iter().map(text).collect()), language, system }
    }

    fn texts(&self) -> MutexGuard<'_, FxHashMap<String, Option<SourceText>>> {
        self.texts.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The names of the files that are known.
    pub fn paths(&self) -> Vec<PathBuf> {
        self.texts().keys().map(PathBuf::from).collect()
    }

    /// The text of a file. Files that were not read by us, as headers of clang, are read when a place is in them.
    pub fn text(&self, path: &str) -> Option<Arc<[u8]>> {
        self.get(path).map(|file| file.text)
    }

    /// A line of a file, from 1, without white space around it. O(line), but for the first of a file.
    pub(crate) fn line(&self, path: &str, line: usize) -> Option<String> {
        let file = self.get(path)?;
        let range = file.lines().get(line.checked_sub(1)?)?;
        Some(String::from_utf8_lossy(file.text[range].trim_ascii()).into_owned())
    }

    fn get(&self, path: &str) -> Option<SourceText> {
        let mut texts = self.texts();
        if let Some(text) = texts.get(path) {
            return text.clone();
        }
        // Clang writes folders into names, and `<stdin>` with the folder it runs in.
        let known = texts
            .iter()
            .find(|(known, _)| is_same_file(known.as_ref(), path.as_ref()))
            .and_then(|(_, text)| text.clone());
        let text =
            known.or_else(|| self.system.read(Path::new(path), NamedBy::Input, LARGEST).ok().map(SourceText::new));
        texts.insert(path.to_owned(), text.clone());
        text
    }

    /// Whether two names are of one file: clang writes folders into names.
    pub(super) fn is_same(&self, one: &str, other: &str) -> bool {
        is_same_file(one.as_ref(), other.as_ref())
    }

    /// What is called at a place, by the text there: a name, perhaps a qualified one, with arguments behind it.
    pub(super) fn called_at(&self, place: &DebugLocation) -> Option<String> {
        let file = self.get(&place.file)?;
        let line = file.lines().get((place.line as usize).checked_sub(1)?)?;
        let start = (line.start + (place.column as usize).checked_sub(1)?).min(line.end);
        let text = std::str::from_utf8(&file.text[start..line.end]).ok()?;
        let is_part = |letter: char| letter.is_alphanumeric() || matches!(letter, '_' | ':');
        let end = text.find(|letter: char| !is_part(letter))?;
        let is_called = end > 0 && text[end..].trim_start().starts_with('(');
        is_called.then(|| text[..end].to_owned())
    }

    /// The language that the files are written in.
    pub(super) fn language(&self) -> Dialect {
        self.language
    }

    /// A finding in IR as one in the source, if it has a place there whose file can be read.
    pub(crate) fn relocate(&self, diagnostic: Diagnostic) -> Option<Place> {
        let source = diagnostic.source.clone().filter(|source| source.line > 0)?;
        let file = self.get(&source.file)?;
        let (text, lines) = (&file.text, file.lines());
        let span = |location: &DebugLocation, extent: Option<Range<usize>>| {
            let line = lines.get((location.line as usize).checked_sub(1)?)?;
            let start = (line.start + (location.column as usize).saturating_sub(1)).min(line.end);
            // What is written over several lines is shown by its first word.
            let is_here =
                |extent: &Range<usize>| line.start <= extent.start && extent.end <= line.end && extent.contains(&start);
            if let Some(extent) = extent.filter(is_here) {
                return Some(extent);
            }
            let is_word = |byte: &&u8| byte.is_ascii_alphanumeric() || **byte == b'_';
            let length = text[start..line.end].iter().take_while(is_word).count();
            Some(start..(start + length.max(1)).min(line.end.max(start)))
        };
        let mut moved = Diagnostic {
            span: span(&source, diagnostic.extent.clone())?,
            block: None,
            also: Vec::new(),
            related: Vec::new(),
            ..diagnostic
        };
        let mut notes = Vec::new();
        let first = moved.span.clone();
        let mut relocate = |all: Vec<Related>| {
            let mut here = Vec::new();
            for related in all {
                let place = related.source.as_ref().filter(|place| place.line > 0);
                let in_file = place.filter(|place| place.file == source.file);
                match in_file.and_then(|place| span(place, related.extent.clone())) {
                    Some(span) if span != first => here.push(Related { span, ..related }),
                    _ => {
                        let place = place.map(|place| format!("{}:{}: ", place.file, place.line)).unwrap_or_default();
                        notes.push(format!("{place}{}", related.message));
                    }
                }
            }
            here
        };
        moved.related = relocate(diagnostic.related);
        moved.also = relocate(diagnostic.also);
        moved.notes.extend(notes);
        let path = Path::new(&source.file);
        let folder = self.system.current_folder();
        let path = folder.and_then(|folder| path.strip_prefix(folder).ok()).unwrap_or(path);
        let path = path.display().to_string();
        Some(Place { path, text: text.clone(), diagnostic: moved })
    }
}

/// Whether two names are of one file: one of them is the end of the other.
pub(super) fn is_same_file(known: &Path, path: &Path) -> bool {
    path.ends_with(known) || known.ends_with(path)
}
