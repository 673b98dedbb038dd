//! The texts that the editor has open, which are laid over the disk: whoever reads a file gets what the user sees.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::Arc;

use lsp_types as lsp;
use reconverge::{Disk, FileSystem, Format, NamedBy, absolute};
use reconverge_files::{Kind, Projects, Refusal};

use super::positions::Positions;
use crate::uri;

/// A text that is open.
#[derive(Debug, Clone)]
pub(crate) struct Document {
    /// As the editor writes it.
    pub(crate) uri: lsp::Uri,
    /// The file; a name, where there is none yet.
    pub(crate) path: PathBuf,
    /// What it is, where its name does not say it.
    pub(crate) format: Option<Format>,
    /// Whether it is something that is looked at.
    pub(crate) is_read: bool,
    /// How often it has changed, as the editor counts.
    pub(crate) version: i32,
    /// What it says.
    pub(crate) text: Arc<str>,
}

impl Document {
    /// A document that is opened; none where it is no file of this machine.
    pub(crate) fn open(item: lsp::TextDocumentItem) -> Option<Document> {
        let path = uri::to_path(item.uri.as_str())?;
        let of_language = match &*item.language_id {
            "cuda" | "cuda-cpp" | "cuda-c++" => Some(Format::Cuda),
            "opencl" | "opencl-c" | "opencl-cpp" => Some(Format::Cl),
            "hip" | "hip-cpp" => Some(Format::Hip),
            "llvm" | "llvm-ir" | "ll" => Some(Format::Ll),
            _ => None,
        };
        let of_name = Format::of_name(&path);
        let format = if of_name.is_some() { None } else { of_language };
        let is_read = of_name.or(format).is_some_and(|format| !matches!(format, Format::Bc | Format::Mir));
        Some(Document { uri: item.uri, path, format, is_read, version: item.version, text: item.text.into() })
    }

    /// The text after an edit. Changes follow one on another. O(text) for each.
    pub(crate) fn change(&mut self, version: i32, changes: Vec<lsp::TextDocumentContentChangeEvent>) {
        self.version = version;
        for change in changes {
            self.text = match change.range {
                None => change.text.into(),
                Some(range) => {
                    let positions = Positions::new(self.text.as_bytes());
                    let (start, end) = (positions.offset(range.start), positions.offset(range.end));
                    [&self.text[..start], &change.text, &self.text[end.max(start)..]].concat().into()
                }
            };
        }
    }
}

/// The disk, with the texts that are open in the place of their files.
#[derive(Debug, Default)]
pub(crate) struct Overlay {
    open: BTreeMap<PathBuf, (lsp::Uri, Arc<str>)>,
    projects: Arc<Projects>,
}

impl Overlay {
    /// With these documents, and the headers of their projects.
    pub(crate) fn new<'d>(documents: impl IntoIterator<Item = &'d Document>, projects: Arc<Projects>) -> Overlay {
        let entry = |document: &Document| (key(&document.path), (document.uri.clone(), Arc::clone(&document.text)));
        Overlay { open: documents.into_iter().map(entry).collect(), projects }
    }

    /// How the editor calls a file.
    pub(crate) fn uri(&self, path: &Path) -> Option<lsp::Uri> {
        match self.open.get(&key(path)) {
            Some((uri, _)) => Some(uri.clone()),
            None => lsp::Uri::from_str(&uri::of_path(&key(path).display().to_string())).ok(),
        }
    }

    fn text(&self, path: &Path) -> Option<&str> {
        self.open.get(&key(path)).map(|(_, text)| &**text)
    }
}

/// What all names of a file have in common.
pub(crate) fn key(path: &Path) -> PathBuf {
    Disk.canonical(&absolute(path, Disk.current_folder().as_deref()))
}

impl FileSystem for Overlay {
    fn read(&self, path: &Path, named_by: NamedBy, limit: u64) -> Result<Vec<u8>, Refusal> {
        match self.text(path) {
            Some(text) if text.len() as u64 > limit => Err(Refusal::TooLarge { size: text.len() as u64, limit }),
            Some(text) => Ok(text.into()),
            None => Disk.read(path, named_by, limit),
        }
    }

    fn kind(&self, path: &Path) -> io::Result<Kind> {
        if self.text(path).is_some() { Ok(Kind::File) } else { Disk.kind(path) }
    }

    fn canonical(&self, path: &Path) -> PathBuf {
        key(path)
    }

    fn current_folder(&self) -> Option<PathBuf> {
        Disk.current_folder()
    }

    fn header_of_project(&self, including: &Path, name: &str) -> Option<PathBuf> {
        self.projects.header_of_project(including, name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn document(uri: &str, text: &str) -> Document {
        let uri = lsp::Uri::from_str(uri).expect("a URI");
        let item = lsp::TextDocumentItem { uri, language_id: String::new(), version: 1, text: text.to_owned() };
        Document::open(item).expect("it is a file")
    }

    #[test]
    fn edits_follow_one_on_another() {
        let mut document = document("file:///a.cu", "one\ntwo\n");
        let change = |text: &str, range: Option<[u32; 4]>| lsp::TextDocumentContentChangeEvent {
            range: range.map(|[line, from, last, to]| {
                lsp::Range::new(lsp::Position::new(line, from), lsp::Position::new(last, to))
            }),
            range_length: None,
            text: text.to_owned(),
        };
        document.change(
            2,
            vec![
                change("\u{1f600}", Some([0, 1, 1, 1])),
                change("x", Some([0, 3, 0, 4])),
                change("end", Some([9, 0, 9, 9])),
            ],
        );
        assert_eq!((&*document.text, document.version), ("o\u{1f600}xo\nend", 2));
        // From behind to before is nowhere.
        document.change(3, vec![change("all", None), change("-", Some([0, 2, 0, 1]))]);
        assert_eq!(&*document.text, "al-l");
    }

    #[test]
    fn open_texts_are_over_the_disk() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.h");
        std::fs::write(&path, "on disk").expect("it can be written");
        let unsaved = folder.path().join("new.h");
        let documents = [&path, &unsaved].map(|path| document(&uri::of_path(&path.display().to_string()), "typed"));
        let overlay = Overlay::new(&documents, Arc::default());
        let read = |path: &Path, limit| overlay.read(path, NamedBy::Input, limit).ok();
        for path in
            [&path, &unsaved, &folder.path().join("../").join(folder.path().file_name().expect("a name")).join("a.h")]
        {
            assert_eq!(read(path, 5).as_deref(), Some(&b"typed"[..]), "{}", path.display());
            assert_eq!(read(path, 4), None);
            assert_eq!(overlay.kind(path).ok(), Some(Kind::File));
        }
        assert!(read(&folder.path().join("other.h"), 5).is_none());
        assert_eq!(Overlay::default().read(&path, NamedBy::Input, 9).ok().as_deref(), Some(&b"on disk"[..]));
    }
}
