//! Running the binary.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// What a run of the binary did.
#[derive(Debug)]
pub(crate) struct Run {
    pub(crate) status: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

/// The root of the repository.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the repository is there")
}

/// Runs `reconverge` at the root of the repository, with `input` as standard input.
///
/// # Panics
/// When it ends by a signal or says that it panicked.
pub(crate) fn reconverge<S: AsRef<std::ffi::OsStr>>(arguments: &[S], input: &[u8]) -> Run {
    let mut child = Command::new(env!("CARGO_BIN_EXE_reconverge"))
        .args(arguments)
        .current_dir(root())
        .env_remove("NO_COLOR")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary runs");
    let mut stdin = child.stdin.take().expect("standard input is a pipe");
    let output = std::thread::scope(|scope| {
        // A run that does not read its input closes it.
        scope.spawn(move || drop(stdin.write_all(input)));
        child.wait_with_output().expect("the binary ends")
    });
    let run = Run {
        status: output.status.code().expect("ends without a signal"),
        stdout: String::from_utf8(output.stdout).expect("prints UTF-8"),
        stderr: String::from_utf8(output.stderr).expect("prints UTF-8"),
    };
    assert!(!run.stderr.contains("panicked"), "{run:?}");
    assert!((0..=2).contains(&run.status), "{run:?}");
    run
}

/// The `.ll` files of `examples/`, sorted, relative to the root.
#[allow(dead_code, reason = "not every test is about all of them")]
pub(crate) fn examples() -> Vec<PathBuf> {
    let entries = std::fs::read_dir(root().join("examples")).expect("there are examples");
    let names = entries.map(|entry| Path::new("examples").join(entry.expect("it can be listed").file_name()));
    let mut paths: Vec<PathBuf> =
        names.filter(|path| path.extension().is_some_and(|extension| extension == "ll")).collect();
    paths.sort();
    assert!(!paths.is_empty());
    paths
}

/// The contents of a file, by its path from the root.
#[allow(dead_code, reason = "not every test is about files")]
pub(crate) fn read(path: impl AsRef<Path>) -> String {
    let path = root().join(path);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}
