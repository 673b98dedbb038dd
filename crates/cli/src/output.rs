//! Writing to standard output and standard error without ever failing loudly.

use std::borrow::Cow;
use std::cell::RefCell;
use std::fs::{File, Metadata};
use std::io::{self, BufWriter, ErrorKind, Stdout, Write};
use std::path::Path;

use anyhow::Context;

use crate::ending::Temporary;
use crate::visible::visible;

/// Standard output, buffered. When the reader at the other end has gone, what is written is dropped: the exit
/// status is still that of the whole run.
pub(crate) type Output = BufWriter<Pipe>;

/// Opens standard output.
pub(crate) fn standard_output() -> Output {
    BufWriter::with_capacity(1 << 16, Pipe { stdout: io::stdout(), closed: false })
}

/// Standard output that may be closed at any time.
pub(crate) struct Pipe {
    stdout: Stdout,
    closed: bool,
}

impl Write for Pipe {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.closed {
            return Ok(bytes.len());
        }
        let written = self.stdout.write(bytes);
        self.unless_closed(written, bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        if self.closed {
            return Ok(());
        }
        let flushed = self.stdout.flush();
        self.unless_closed(flushed, ())
    }
}

impl Pipe {
    fn unless_closed<T>(&mut self, result: io::Result<T>, otherwise: T) -> io::Result<T> {
        match result {
            Err(error) if error.kind() == ErrorKind::BrokenPipe => {
                self.closed = true;
                Ok(otherwise)
            }
            result => result,
        }
    }
}

/// One line on standard error, as this program.
pub(crate) fn complain(message: &str) {
    say(&complaint(message));
}

/// What this program says that is wrong.
pub(crate) fn complaint(message: &str) -> String {
    format!("reconverge: {message}")
}

/// One line on standard error. When it cannot be written there is nobody to tell.
pub(crate) fn say(message: &str) {
    if hold(Held { lines: vec![message.to_owned()], is_once: false }).is_some() {
        let _ = writeln!(io::stderr(), "{}", printable(message));
    }
}

/// Lines that are said together.
pub(crate) struct Held {
    pub(crate) lines: Vec<String>,
    /// Only the first time in a run.
    pub(crate) is_once: bool,
}

thread_local! {
    /// What this thread says, while that is held back.
    static HELD: RefCell<Option<Vec<Held>>> = const { RefCell::new(None) };
}

/// Holds something back; gives it back where nothing is held back on this thread.
pub(crate) fn hold(said: Held) -> Option<Held> {
    HELD.with_borrow_mut(|held| match held {
        Some(held) => {
            held.push(said);
            None
        }
        None => Some(said),
    })
}

/// Runs something, and holds back what it says on this thread.
pub(crate) fn holding<R>(work: impl FnOnce() -> R) -> (R, Vec<Held>) {
    HELD.set(Some(Vec::new()));
    let result = work();
    (result, HELD.take().unwrap_or_default())
}

/// Text from an input, safe for a terminal and on one line.
pub(crate) fn printable(text: &str) -> Cow<'_, str> {
    visible(text)
}

/// Refuses to write over what is read: `target` must be none of `inputs`, also by another name. A device or a pipe is no file that could be lost.
///
/// # Errors
/// When it is, with the names of both.
pub(crate) fn refuse_input<'p>(target: &Path, inputs: impl IntoIterator<Item = &'p Path>) -> anyhow::Result<()> {
    if target.as_os_str() == "-" {
        return Ok(());
    }
    let Some(identity) = identity(target) else { return Ok(()) };
    for input in inputs {
        let (path, name) = match input.as_os_str() == "-" {
            true => (Path::new("/dev/stdin"), "standard input".into()),
            false => (input, input.display().to_string()),
        };
        if self::identity(path).is_some_and(|input| input == identity) {
            let target = target.display();
            anyhow::bail!(
                "{target} cannot be written: it is {name}, which is read; expected another name for the output"
            );
        }
    }
    Ok(())
}

/// What is the same for all names of a file; none where there is none.
fn identity(path: &Path) -> Option<impl PartialEq + use<>> {
    let metadata = std::fs::metadata(path).ok().filter(Metadata::is_file)?;
    #[cfg(unix)]
    return Some((std::os::unix::fs::MetadataExt::dev(&metadata), std::os::unix::fs::MetadataExt::ino(&metadata)));
    #[cfg(not(unix))]
    return path.canonicalize().ok().filter(|_| metadata.is_file());
}

/// Writes a file all at once: beside its place first, so that it is there whole or not at all. A link stays one, and what is no file (`/dev/null`, a pipe)
/// is written to. A file that is there keeps its mode; where it could not keep its owner or its other names, or its folder takes no new file, it is
/// written in place.
///
/// # Errors
/// When it cannot be written. The message names this file.
pub(crate) fn write_whole(path: &Path, text: &[u8]) -> anyhow::Result<()> {
    let write = || match std::fs::metadata(path) {
        Ok(there) if there.is_file() => overwrite(&path.canonicalize()?, &there, text),
        Ok(there) if there.is_dir() => Err(io::Error::other("it is a folder")),
        Ok(_) => File::options().write(true).open(path)?.write_all(text),
        Err(_) => {
            // A link that leads nowhere is no folder's fault.
            std::fs::metadata(folder_of(path))?;
            let file = beside(path).map_err(|error| io::Error::from(error.kind()))?;
            file.as_file().write_all(text)?;
            file.persist(path)
        }
    };
    write().with_context(|| format!("{} cannot be written", path.display()))
}

/// Writes a file that is there. `path` has no links.
fn overwrite(path: &Path, there: &Metadata, text: &[u8]) -> io::Result<()> {
    // What must not be written is not replaced either.
    let mut old = File::options().write(true).open(path)?;
    let new = beside(path).ok().filter(|new| new.as_file().metadata().is_ok_and(|new| can_replace(there, &new)));
    match new {
        Some(new) => {
            new.as_file().write_all(text)?;
            new.as_file().set_permissions(there.permissions())?;
            new.persist(path)
        }
        None => {
            old.set_len(0)?;
            old.write_all(text)
        }
    }
}

/// Whether nobody would see that a file is another one: it has the same owner, and the old one no other names.
fn can_replace(old: &Metadata, new: &Metadata) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        (old.uid(), old.gid()) == (new.uid(), new.gid()) && old.nlink() == 1
    }
    #[cfg(not(unix))]
    {
        let _ = (old, new);
        true
    }
}

/// A temporary file in the folder of another.
fn beside(path: &Path) -> io::Result<Temporary> {
    let mut builder = tempfile::Builder::new();
    // Temporary files are for their owner alone; this one is to be like any other.
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    Temporary::create(|| builder.prefix(".reconverge-").tempfile_in(folder_of(path)))
}

fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

#[cfg(all(test, unix))]
mod tests {
    use std::fs;
    use std::io::Read;
    use std::os::unix::fs::FileTypeExt;

    use super::*;

    #[test]
    fn a_link_stays_a_link() {
        let folder = tempfile::tempdir().expect("a folder");
        let (file, link) = (folder.path().join("file"), folder.path().join("link"));
        fs::write(&file, "old").expect("it can be written");
        std::os::unix::fs::symlink("file", &link).expect("a link");
        write_whole(&link, b"new").expect("it can be written");
        assert!(fs::symlink_metadata(&link).expect("it is there").is_symlink());
        assert_eq!(fs::read(&file).expect("it can be read"), b"new");
    }

    #[test]
    fn what_is_no_file_is_written_to() {
        let folder = tempfile::tempdir().expect("a folder");
        let pipe = folder.path().join("pipe");
        let made = std::process::Command::new("mkfifo").arg(&pipe).status().expect("mkfifo runs");
        assert!(made.success());
        let reader = {
            let pipe = pipe.clone();
            std::thread::spawn(move || {
                let mut text = String::new();
                File::open(pipe).and_then(|mut pipe| pipe.read_to_string(&mut text)).map(|_| text)
            })
        };
        write_whole(&pipe, b"text").expect("it can be written");
        assert_eq!(reader.join().expect("no panic").expect("it can be read"), "text");
        assert!(fs::symlink_metadata(&pipe).expect("it is there").file_type().is_fifo());
    }
}
