//! What else of disks there is to know: the files that an input or a user names, wherever they are.

use std::collections::BTreeMap;
use std::fmt::Debug;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::{Contents, Kind, NamedBy, Refusal};

/// Where files are: a disk, or a map from names to texts.
///
/// An implementation decides what names mean. Whoever asks joins the name in an `#include` to a folder and asks for that; two names are of one file
/// iff their [canonical](FileSystem::canonical) paths are equal.
pub trait FileSystem: Debug + Send + Sync {
    /// All of a file, at most `limit` bytes of it.
    ///
    /// # Errors
    /// When it is nothing that may be read by who has named it, is too large, or cannot be read.
    fn read(&self, path: &Path, named_by: NamedBy, limit: u64) -> Result<Vec<u8>, Refusal>;

    /// The same, where that is possible without a copy.
    ///
    /// # Errors
    /// As [`read`](FileSystem::read).
    fn contents(&self, path: &Path, named_by: NamedBy, limit: u64) -> Result<Contents, Refusal> {
        self.read(path, named_by, limit).map(Contents::from)
    }

    /// What a name leads to.
    ///
    /// # Errors
    /// When there is nothing, or it must not be looked at.
    fn kind(&self, path: &Path) -> io::Result<Kind>;

    /// The path that is the same for all names of a file; of a name that leads to nothing, itself.
    fn canonical(&self, path: &Path) -> PathBuf;

    /// The folder that relative names begin in, where there is one by name.
    fn current_folder(&self) -> Option<PathBuf> {
        None
    }

    /// The header that a file includes by a name that leads to nothing in any folder of headers, where the project that the file is part of has it ([`Projects`](crate::Projects)).
    fn header_of_project(&self, including: &Path, name: &str) -> Option<PathBuf> {
        let _ = (including, name);
        None
    }
}

/// The file system of the machine, read by [`read`](crate::read).
#[derive(Debug, Clone, Copy, Default)]
pub struct Disk;

impl FileSystem for Disk {
    fn read(&self, path: &Path, named_by: NamedBy, limit: u64) -> Result<Vec<u8>, Refusal> {
        crate::read(path, named_by, limit)
    }

    fn kind(&self, path: &Path) -> io::Result<Kind> {
        Kind::of(path)
    }

    fn canonical(&self, path: &Path) -> PathBuf {
        std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned())
    }

    fn current_folder(&self) -> Option<PathBuf> {
        std::env::current_dir().ok()
    }
}

/// Files in memory: none, at first.
///
/// ```
/// use std::path::Path;
/// use reconverge_files::{FileSystem, InMemory, NamedBy};
/// let files = InMemory::new([("include/shapes.h", "int n;")]);
/// let text = files.read(Path::new("include/./a/../shapes.h"), NamedBy::Input, 100).unwrap();
/// assert_eq!(text, b"int n;");
/// ```
#[derive(Debug, Clone, Default)]
pub struct InMemory {
    files: BTreeMap<PathBuf, Arc<[u8]>>,
}

impl InMemory {
    /// These files. Of two with one name the last one counts.
    pub fn new<P: Into<PathBuf>, T: Into<Vec<u8>>>(files: impl IntoIterator<Item = (P, T)>) -> InMemory {
        let mut all = InMemory::default();
        files.into_iter().for_each(|(path, text)| all.insert(path, text));
        all
    }

    /// Adds a file, or gives one another text.
    pub fn insert(&mut self, path: impl Into<PathBuf>, text: impl Into<Vec<u8>>) {
        self.files.insert(without_detours(&path.into()), text.into().into());
    }

    fn find(&self, path: &Path) -> io::Result<&[u8]> {
        let found = self.files.get(&without_detours(path));
        found.map(|text| &text[..]).ok_or_else(|| io::ErrorKind::NotFound.into())
    }
}

impl FileSystem for InMemory {
    fn read(&self, path: &Path, _: NamedBy, limit: u64) -> Result<Vec<u8>, Refusal> {
        let text = self.find(path)?;
        let size = text.len() as u64;
        if size > limit { Err(Refusal::TooLarge { size, limit }) } else { Ok(text.to_vec()) }
    }

    fn kind(&self, path: &Path) -> io::Result<Kind> {
        let folder = without_detours(path);
        let is_folder = || self.files.keys().any(|file| file.starts_with(&folder));
        match self.find(path) {
            Ok(_) => Ok(Kind::File),
            Err(_) if is_folder() => Ok(Kind::Folder),
            Err(error) => Err(error),
        }
    }

    fn canonical(&self, path: &Path) -> PathBuf {
        without_detours(path)
    }
}

/// A path without `.`, and without what a `..` takes back. There are no links that it could lead over.
fn without_detours(path: &Path) -> PathBuf {
    use std::path::Component;
    let mut straight = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir if straight.file_name().is_some() => {
                straight.pop();
            }
            part => straight.push(part),
        }
    }
    straight
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_files_in_memory() {
        let files = InMemory::new([("a/b.h", "1"), ("/c.h", "2"), ("../d.h", "3")]);
        for (name, text) in [
            ("a/b.h", Some("1")),
            ("./a/b.h", Some("1")),
            ("a/x/../b.h", Some("1")),
            ("a/../../d.h", Some("3")),
            ("/c.h", Some("2")),
            ("c.h", None),
            ("b.h", None),
        ] {
            let read = files.read(Path::new(name), NamedBy::Input, 1).ok();
            assert_eq!(read.as_deref(), text.map(str::as_bytes), "{name}");
            assert_eq!(files.kind(Path::new(name)).is_ok(), text.is_some(), "{name}");
        }
        assert_eq!(files.kind(Path::new("a")).expect("it is there"), Kind::Folder);
        assert!(files.read(Path::new("a/b.h"), NamedBy::User, 0).expect_err("it is too large").is_limit());
    }
}
