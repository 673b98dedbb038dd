//! Headers of a project, found as its build would find them: by its own folders of headers.
//!
//! **Definition.** The *project* of a file is the nearest folder around it that has a `.git`, else the outermost of some folders (those that a user has named) that it is in, else the folder that
//! the user works in; other files have none. In the last one only the folders around a file are searched: it may be all that a user has.
//! A header `name` that a file of a project includes is `F/name` or `F/H/name`, where F is a folder around the file, nearest first, and H a folder that a [build](build_files) names in F, or one of [`FOLDERS`]; else the one
//! file of the project whose path ends in `name`. Where there are several such files, nothing says which is meant, and none is.
//!
//! **Invariant.** What is found is a file below the folder of the project, links aside, and the same in every run. Folders are listed once, and only after a header was missing.

use std::collections::HashMap;
use std::ffi::{OsStr, OsString};
use std::io;
use std::path::{Component, Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use crate::{Contents, Disk, FileSystem, Kind, NamedBy, Refusal, build_files, read_or_map};

/// Where projects keep their headers.
const FOLDERS: [&str; 7] = ["", "include", "inc", "includes", "common", "Common", "src"];

/// So many files and folders are listed of one project. In a larger one only the folders around a file are searched.
const MOST_LISTED: usize = 300_000;

/// The disk, with the headers of projects. Large inputs are [mapped](Contents), so nobody may make them smaller while they are used.
#[derive(Debug, Default)]
pub struct Projects {
    /// Absolute.
    named: Vec<PathBuf>,
    /// The folder that a user works in, absolute.
    working: Option<PathBuf>,
    /// The project of a folder.
    of_folders: Mutex<HashMap<PathBuf, Option<Arc<Project>>>>,
}

/// A project.
#[derive(Debug)]
struct Project {
    root: PathBuf,
    /// Whether a file may be found anywhere in it.
    is_searched: bool,
    /// All files of the project by the last parts of their names.
    files: OnceLock<HashMap<OsString, Vec<PathBuf>>>,
    /// The folders that the files of a build in a folder name.
    named: Mutex<HashMap<PathBuf, Arc<[PathBuf]>>>,
}

impl Projects {
    /// The projects around files, where these folders are projects of which nothing else says what they are part of.
    pub fn new<P: AsRef<Path>>(named: impl IntoIterator<Item = P>) -> Projects {
        let named = named.into_iter().filter_map(|folder| absolute(folder.as_ref())).collect();
        Projects { named, ..Projects::default() }
    }

    /// The same, where files of nothing else are part of the folder that a user works in.
    pub fn working_in(self, folder: Option<&Path>) -> Projects {
        Projects { working: folder.and_then(absolute), ..self }
    }

    /// The project of a folder.
    fn of(&self, folder: &Path) -> Option<Arc<Project>> {
        let mut known = self.of_folders.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = known.get(folder) {
            return known.clone();
        }
        let is_root = |folder: &&Path| folder.join(".git").symlink_metadata().is_ok();
        let named =
            || self.named.iter().filter(|named| folder.starts_with(named)).min_by_key(|named| named.as_os_str().len());
        let working = || self.working.iter().find(|working| folder.starts_with(working));
        let root = folder.ancestors().find(is_root).or_else(|| named().map(PathBuf::as_path));
        let root = root.map(|root| (root, true)).or_else(|| Some((working()?.as_path(), false)));
        let project = root.map(|(root, is_searched)| {
            let same = known.values().flatten().find(|project| project.root == root).cloned();
            let (root, named) = (root.to_owned(), Mutex::default());
            same.unwrap_or_else(|| Arc::new(Project { root, is_searched, files: OnceLock::new(), named }))
        });
        known.insert(folder.to_owned(), project.clone());
        project
    }
}

impl Project {
    /// What a header is that a file in a folder includes.
    fn header(&self, folder: &Path, name: &Path) -> Option<PathBuf> {
        let around = folder.ancestors().take_while(|folder| folder.starts_with(&self.root));
        let is_file = |path: &PathBuf| matches!(Kind::of(path), Ok(Kind::File));
        let mut found = around.filter_map(|folder| {
            let named = self.named(folder);
            let headers = named.iter().cloned().chain(FOLDERS.iter().map(|headers| folder.join(headers)));
            headers.map(|headers| headers.join(name)).find(is_file)
        });
        found.next().or_else(|| if self.is_searched { self.only(name) } else { None })
    }

    /// The folders for headers that a build names in a folder of the project.
    fn named(&self, folder: &Path) -> Arc<[PathBuf]> {
        let mut named = self.named.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(folders) = named.get(folder) {
            return Arc::clone(folders);
        }
        let folders: Arc<[PathBuf]> = build_files::folders(folder, &self.root).into();
        named.insert(folder.to_owned(), Arc::clone(&folders));
        folders
    }

    /// The one file whose path ends so.
    fn only(&self, name: &Path) -> Option<PathBuf> {
        let files = self.files.get_or_init(|| list(&self.root)).get(name.file_name()?)?;
        let mut meant = files.iter().filter(|file| file.ends_with(name));
        let first = meant.next()?;
        let is_only = meant.next().is_none() && matches!(Kind::of(first), Ok(Kind::File));
        is_only.then(|| first.clone())
    }
}

/// All that is no folder below one, by the last part of its name; nothing where that is too much. What is hidden is passed over, and links to folders are not followed.
fn list(root: &Path) -> HashMap<OsString, Vec<PathBuf>> {
    let mut files: HashMap<OsString, Vec<PathBuf>> = HashMap::new();
    let mut pending = vec![root.to_owned()];
    let mut listed = 0;
    while let Some(folder) = pending.pop() {
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            listed += 1;
            if listed > MOST_LISTED {
                return HashMap::new();
            }
            let (name, path) = (entry.file_name(), entry.path());
            match entry.file_type() {
                _ if name.as_encoded_bytes().starts_with(b".") => {}
                Ok(kind) if kind.is_dir() => pending.push(path),
                _ => files.entry(name).or_default().push(path),
            }
        }
    }
    files
}

/// A path from the root, without `.` and without what a `..` takes back.
pub(crate) fn absolute(path: &Path) -> Option<PathBuf> {
    // The folder of a name without one.
    let path = if path.as_os_str().is_empty() { Path::new(".") } else { path };
    let path = std::path::absolute(path).ok()?;
    let mut straight = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => drop(straight.pop()),
            part => straight.push(part),
        }
    }
    Some(straight)
}

impl FileSystem for Projects {
    fn read(&self, path: &Path, named_by: NamedBy, limit: u64) -> Result<Vec<u8>, Refusal> {
        Disk.read(path, named_by, limit)
    }

    fn contents(&self, path: &Path, named_by: NamedBy, limit: u64) -> Result<Contents, Refusal> {
        read_or_map(path, named_by, limit)
    }

    fn kind(&self, path: &Path) -> io::Result<Kind> {
        Disk.kind(path)
    }

    fn canonical(&self, path: &Path) -> PathBuf {
        Disk.canonical(path)
    }

    fn current_folder(&self) -> Option<PathBuf> {
        Disk.current_folder()
    }

    fn header_of_project(&self, including: &Path, name: &str) -> Option<PathBuf> {
        let folder = absolute(including.parent()?)?;
        let name = Path::new(name);
        let is_below = name.components().all(|part| matches!(part, Component::Normal(_)));
        if !is_below || name.file_name().is_none_or(OsStr::is_empty) {
            return None;
        }
        let found = self.of(&folder)?.header(&folder, name)?;
        // Paths are told as the user writes them.
        let here = if including.is_relative() { Disk.current_folder() } else { None };
        let relative = here.and_then(|here| found.strip_prefix(here).ok().map(Path::to_owned));
        Some(relative.unwrap_or(found))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A folder with some files, each empty.
    fn project(files: &[&str]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().expect("a folder");
        for file in files {
            let path = folder.path().join(file);
            std::fs::create_dir_all(path.parent().expect("it is in a folder")).expect("a folder");
            std::fs::write(path, "").expect("it can be written");
        }
        folder
    }

    /// What a name is to a file, without the folder of the project.
    fn found(projects: &Projects, folder: &tempfile::TempDir, including: &str, name: &str) -> Option<String> {
        let root = folder.path().canonicalize().expect("it is there");
        let header = projects.header_of_project(&root.join(including), name)?;
        Some(header.strip_prefix(&root).expect("it is in the project").display().to_string())
    }

    fn named(folder: &tempfile::TempDir) -> Projects {
        Projects::new([folder.path().canonicalize().expect("it is there")])
    }

    #[test]
    fn folders_around_are_searched_nearest_first() {
        let folder = project(&["include/a.h", "lib/include/a.h", "lib/deep/x.cu", "other/x.cu", "root.h"]);
        let projects = named(&folder);
        assert_eq!(found(&projects, &folder, "lib/deep/x.cu", "a.h").as_deref(), Some("lib/include/a.h"));
        assert_eq!(found(&projects, &folder, "other/x.cu", "a.h").as_deref(), Some("include/a.h"));
        assert_eq!(found(&projects, &folder, "lib/deep/x.cu", "root.h").as_deref(), Some("root.h"));
        assert_eq!(found(&projects, &folder, "lib/deep/x.cu", "b.h"), None);
    }

    #[test]
    fn a_build_says_where_headers_are() {
        let folder = project(&["a/k.cu", "b/deep/x.h", "c/x.h", "a/deep/k.cu", "include/x.h"]);
        std::fs::write(folder.path().join("a/Makefile"), "FLAGS = -I../b/deep\n").expect("it can be written");
        let projects = Projects::new([folder.path()]);
        assert_eq!(found(&projects, &folder, "a/k.cu", "x.h").as_deref(), Some("b/deep/x.h"));
        assert_eq!(found(&projects, &folder, "a/deep/k.cu", "x.h").as_deref(), Some("b/deep/x.h"));
        assert_eq!(found(&projects, &folder, "c/deep/k.cu", "x.h").as_deref(), Some("c/x.h"));
    }

    #[test]
    fn a_file_elsewhere_is_found_where_it_is_the_only_one() {
        let folder = project(&["core/api/all/one.h", "v1/api/two.h", "v2/api/two.h", "src/x.cu", ".hidden/three.h"]);
        let projects = named(&folder);
        assert_eq!(found(&projects, &folder, "src/x.cu", "all/one.h").as_deref(), Some("core/api/all/one.h"));
        assert_eq!(found(&projects, &folder, "src/x.cu", "one.h").as_deref(), Some("core/api/all/one.h"));
        assert_eq!(found(&projects, &folder, "src/x.cu", "l/one.h"), None);
        assert_eq!(found(&projects, &folder, "src/x.cu", "api/two.h"), None, "two files are meant");
        assert_eq!(found(&projects, &folder, "src/x.cu", "v2/api/two.h").as_deref(), Some("v2/api/two.h"));
        assert_eq!(found(&projects, &folder, "src/x.cu", "three.h"), None, "it is hidden");
    }

    #[test]
    fn what_is_no_name_of_a_header_is_not_looked_for() {
        let folder = project(&["include/a.h", "src/x.cu"]);
        let projects = named(&folder);
        for name in ["", ".", "..", "../include/a.h", "/etc/passwd", "include/../include/a.h"] {
            assert_eq!(found(&projects, &folder, "src/x.cu", name), None, "{name}");
        }
    }

    #[test]
    fn a_repository_is_a_project_and_other_folders_are_not() {
        let folder = project(&["one/.git/HEAD", "one/include/a.h", "one/src/x.cu", "two/include/a.h", "two/src/x.cu"]);
        let none = Projects::default();
        assert_eq!(found(&none, &folder, "one/src/x.cu", "a.h").as_deref(), Some("one/include/a.h"));
        assert_eq!(found(&none, &folder, "two/src/x.cu", "a.h"), None);
        let root = folder.path().canonicalize().expect("it is there");
        let working = Projects::default().working_in(Some(&root));
        assert_eq!(found(&working, &folder, "two/src/x.cu", "a.h").as_deref(), Some("two/include/a.h"));
        assert_eq!(found(&working, &folder, "three/x.cu", "a.h"), None, "it is not in a folder around");
        let source = Projects::new([root.join("one/src")]);
        assert_eq!(found(&source, &folder, "one/src/x.cu", "a.h").as_deref(), Some("one/include/a.h"));
    }
}
