//! The texts that places in the source point into, and findings moved from the IR into them.

use std::ops::Range;
use std::path::{Component, Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
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
    /// Of IR that was read: the folder that it lies in.
    beside: Option<PathBuf>,
    /// The largest file that is read; of IR, how much is left of what all may have together.
    limit: AtomicU64,
}

/// A text, and where its lines start once somebody has asked.
#[derive(Debug, Clone)]
struct SourceText {
    /// Where it was found, where that is not what it is called.
    path: Option<PathBuf>,
    text: Arc<[u8]>,
    starts: Arc<OnceLock<Vec<usize>>>,
}

impl SourceText {
    fn new(text: impl Into<Arc<[u8]>>) -> SourceText {
        SourceText { path: None, text: text.into(), starts: Arc::default() }
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
        let texts = Mutex::new(sources.files().iter().map(text).collect());
        SourceFiles { texts, language, system, beside: None, limit: LARGEST.into() }
    }

    /// The files that IR in a folder names, none of which is read yet, and all together no more than the limit is.
    pub(super) fn of_ir(beside: &Path, language: Dialect, limit: u64, system: Arc<dyn FileSystem>) -> SourceFiles {
        let (texts, beside) = (Mutex::default(), Some(beside.to_owned()));
        SourceFiles { texts, language, system, beside, limit: limit.min(LARGEST).into() }
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
        let is_same = |known: &&String| self.beside.is_none() && is_same_file(known.as_str().as_ref(), path.as_ref());
        let known = texts.keys().find(is_same).and_then(|known| texts[known].clone());
        let text = known.or_else(|| self.read(Path::new(path)));
        texts.insert(path.to_owned(), text.clone());
        text
    }

    /// The regular file of a name; of IR also the one beside it that the longest end of the name leads to.
    fn read(&self, path: &Path) -> Option<SourceText> {
        let limit = self.limit.load(Ordering::Relaxed);
        let read = |path: &Path| self.system.read(path, NamedBy::Input, limit).ok().map(SourceText::new);
        let Some(beside) = &self.beside else { return read(path) };
        let as_named = path.is_absolute().then(|| read(path)).flatten();
        let parts: Vec<Component<'_>> = path.components().collect();
        let is_plain = |parts: &&[Component<'_>]| parts.iter().all(|part| matches!(part, Component::Normal(_)));
        let ends = (0..parts.len()).map(|first| &parts[first..]).filter(is_plain);
        let found = |end: &[Component<'_>]| {
            let path = beside.join(end.iter().collect::<PathBuf>());
            read(&path).map(|text| SourceText { path: Some(path), ..text })
        };
        let text = as_named.or_else(|| ends.into_iter().find_map(found)).or_else(|| read(path));
        let length = text.as_ref().map_or(0, |text| text.text.len() as u64);
        self.limit.fetch_sub(length, Ordering::Relaxed);
        text
    }

    /// Where a file is that a place names, and what it holds.
    pub(super) fn found(&self, path: &str) -> Option<(PathBuf, Arc<[u8]>)> {
        let SourceText { path: found, text, .. } = self.get(path)?;
        Some((found.unwrap_or_else(|| PathBuf::from(path)), text))
    }

    /// Whether a file that was read is the one that a place names.
    pub(super) fn is_of(&self, read: &Path, named: &str) -> bool {
        self.found(named).is_some_and(|(path, _)| is_same_file(read, &path))
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

    /// A finding in IR as one in the source, if it has a place there whose file can be read. `in_ir` says where a place of the IR is that has none there.
    pub(crate) fn relocate(&self, diagnostic: Diagnostic, in_ir: impl Fn(&Related) -> String) -> Option<Place> {
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
                        let place = place.map(|place| format!("{}:{}: ", place.file, place.line));
                        let place = place.unwrap_or_else(|| in_ir(&related));
                        notes.push(format!("{place}{}", related.message));
                    }
                }
            }
            here
        };
        moved.related = relocate(diagnostic.related);
        moved.also = relocate(diagnostic.also);
        moved.notes.extend(notes);
        let path = file.path.as_deref().unwrap_or(Path::new(&source.file));
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
