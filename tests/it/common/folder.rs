//! A folder of a test's own.

use std::path::{Path, PathBuf};

use tempfile::TempDir;

use super::{Run, reconverge, reconverge_in};

/// A folder with files, gone at the end of the test.
pub(crate) struct Folder(TempDir);

impl Folder {
    /// With these files: names and texts.
    pub(crate) fn with(files: &[(&str, &str)]) -> Folder {
        let folder = Folder(tempfile::tempdir().expect("a folder"));
        files.iter().for_each(|(name, text)| folder.write(name, text));
        folder
    }

    /// Where a file is.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// Writes a file, and the folders that it is in.
    pub(crate) fn write(&self, name: &str, text: &str) {
        let path = self.path(name);
        std::fs::create_dir_all(path.parent().unwrap_or(Path::new(""))).expect("it can be made");
        std::fs::write(path, text).expect("it can be written");
    }

    /// The text of a file.
    pub(crate) fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).expect("it can be read")
    }

    /// Runs the binary; `DIR` in an argument is this folder. Its name is cut out of what is said.
    pub(crate) fn run(&self, arguments: &[&str]) -> Run {
        let name = self.0.path().display().to_string();
        let arguments: Vec<String> = arguments.iter().map(|argument| argument.replace("DIR", &name)).collect();
        let mut run = reconverge(&arguments, b"");
        for said in [&mut run.stdout, &mut run.stderr] {
            *said = said.replace(&format!("{name}/"), "");
        }
        run
    }

    /// Runs the binary in this folder.
    pub(crate) fn run_here(&self, arguments: &[&str]) -> Run {
        reconverge_in(self.0.path(), arguments, b"")
    }
}
