//! The kernels of `tests/cases` are checked without errors.

use std::path::{Path, PathBuf};

use reconverge_lang::options::{Dialect, Options};

use crate::check::support::checked;

fn files(folder: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/cases").join(folder);
    let entries = std::fs::read_dir(folder).expect("the cases are there");
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension != "h"));
    files.sort();
    files
}

/// Every file is understood without a word.
fn check_all(folder: &str, dialect: Dialect) {
    let mut wrong = String::new();
    for file in files(folder) {
        let text = std::fs::read_to_string(&file).expect("a case can be read");
        let name = file.file_name().expect("a file has a name").to_string_lossy().into_owned();
        let result = checked(&file, &text, &Options::new(dialect));
        if !result.diagnostics.is_empty() {
            wrong += &format!("{name}:\n{}", result.wrong());
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn opencl() {
    check_all("opencl", Dialect::OpenCl);
}

#[test]
fn run() {
    check_all("run", Dialect::OpenCl);
}

#[test]
fn cuda() {
    check_all("cuda", Dialect::Cuda);
}
