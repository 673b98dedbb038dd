//! Running the binary.

mod folder;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

pub(crate) use folder::Folder;

/// What a run of the binary did.
#[derive(Debug)]
pub(crate) struct Run {
    pub(crate) status: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Run {
    /// The last line on standard error.
    pub(crate) fn last_line(&self) -> &str {
        self.stderr.lines().last().unwrap_or_default()
    }
}

/// The root of the repository.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the repository is there")
}

/// Whether a program that a test compares with is installed; says so where it is not.
///
/// # Panics
/// When it is not, and `RECONVERGE_REQUIRE_LLVM` is `1`.
pub(crate) fn installed(program: &str) -> bool {
    let runs = Command::new(program).arg("--version").output().is_ok_and(|output| output.status.success());
    let required = std::env::var("RECONVERGE_REQUIRE_LLVM").is_ok_and(|value| value == "1");
    assert!(runs || !required, "there is no {program}, and RECONVERGE_REQUIRE_LLVM=1");
    if !runs {
        eprintln!("skipped: there is no {program}");
    }
    runs
}

/// Runs `reconverge` at the root of the repository, with `input` as standard input.
///
/// # Panics
/// When it ends by a signal or says that it panicked.
pub(crate) fn reconverge<S: AsRef<std::ffi::OsStr>>(arguments: &[S], input: &[u8]) -> Run {
    reconverge_in(&root(), arguments, input)
}

/// The same, where a user works in a folder.
pub(crate) fn reconverge_in<S: AsRef<std::ffi::OsStr>>(folder: &Path, arguments: &[S], input: &[u8]) -> Run {
    let mut child = Command::new(env!("CARGO_BIN_EXE_reconverge"))
        .args(arguments)
        .current_dir(folder)
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
pub(crate) fn examples() -> Vec<PathBuf> {
    let entries = std::fs::read_dir(root().join("examples")).expect("there are examples");
    let names = entries.map(|entry| Path::new("examples").join(entry.expect("it can be listed").file_name()));
    let mut paths: Vec<PathBuf> =
        names.filter(|path| path.extension().is_some_and(|extension| extension == "ll")).collect();
    paths.sort();
    assert!(!paths.is_empty());
    paths
}

/// The words of a command, as a shell takes them apart: at spaces outside of single quotes.
pub(crate) fn words(command: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    for (index, part) in command.split('\'').enumerate() {
        for (place, word) in part.split(if index % 2 == 0 { ' ' } else { '\'' }).enumerate() {
            if place > 0 {
                words.push(String::new());
            }
            words.last_mut().expect("there is one").push_str(word);
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

/// The contents of a file, by its path from the root.
pub(crate) fn read(path: impl AsRef<Path>) -> String {
    let path = root().join(path);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Writes a program for `sh`. Another process does, since what this one has open for writing may for a moment be open in a child that another
/// test starts, and what is open for writing cannot be run.
#[cfg(unix)]
pub(crate) fn write_program(path: &Path, script: &str) {
    let mut child = Command::new("sh")
        .args(["-c", "cat > \"$0\" && chmod 755 \"$0\""])
        .arg(path)
        .stdin(Stdio::piped())
        .spawn()
        .expect("there is a sh");
    let mut input = child.stdin.take().expect("it is piped");
    write!(input, "#!/bin/sh\n{script}\n").expect("it reads");
    drop(input);
    assert!(child.wait().expect("it ends").success());
}

/// Whether a process runs: one that is over and not waited for does not.
#[cfg(unix)]
pub(crate) fn runs(id: &str) -> bool {
    let state = Command::new("ps").args(["-o", "stat=", "-p", id]).output().expect("there is a ps").stdout;
    state.trim_ascii().first().is_some_and(|&state| state != b'Z')
}

/// Waits until something is so.
#[cfg(unix)]
pub(crate) fn until(what: &str, mut is_so: impl FnMut() -> bool) {
    let start = std::time::Instant::now();
    while !is_so() {
        assert!(start.elapsed() < std::time::Duration::from_secs(60), "not within a minute: {what}");
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
}

/// Numbers that depend on a seed (xorshift).
pub(crate) struct Random(pub(crate) u64);

impl Random {
    /// One of the numbers below a bound, which is not 0.
    pub(crate) fn below(&mut self, bound: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) % bound
    }

    /// One of a list.
    pub(crate) fn pick<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.below(list.len() as u64) as usize]
    }
}
