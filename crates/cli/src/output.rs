//! Writing to standard output and standard error without ever failing loudly.

use std::borrow::Cow;
use std::io::{self, BufWriter, ErrorKind, Stdout, Write};
use std::path::Path;

use anyhow::Context;

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
    say(&format!("reconverge: {message}"));
}

/// One line on standard error. When it cannot be written there is nobody to tell.
pub(crate) fn say(message: &str) {
    let _ = writeln!(io::stderr(), "{}", printable(message));
}

/// Text from an input, safe for a terminal and on one line.
pub(crate) fn printable(text: &str) -> Cow<'_, str> {
    if text.chars().any(char::is_control) {
        Cow::Owned(text.chars().map(|c| if c.is_control() { char::REPLACEMENT_CHARACTER } else { c }).collect())
    } else {
        Cow::Borrowed(text)
    }
}

/// Writes a file all at once: beside its place first, so that it is there whole or not at all. A link stays one, and what is no file (`/dev/null`, a pipe)
/// is written to.
///
/// # Errors
/// When it cannot be written.
pub(crate) fn write_whole(path: &Path, text: &[u8]) -> anyhow::Result<()> {
    let write = || match std::fs::metadata(path) {
        Ok(there) if there.is_file() => replace(&path.canonicalize()?, text),
        Ok(there) if !there.is_dir() => std::fs::OpenOptions::new().write(true).open(path)?.write_all(text),
        _ => replace(path, text),
    };
    write().with_context(|| format!("{} cannot be written", path.display()))
}

/// Puts a new file in the place of one that may be there.
fn replace(path: &Path, text: &[u8]) -> io::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut builder = tempfile::Builder::new();
    // Temporary files are for their owner alone; this one is to be like any other.
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let mut file = builder.tempfile_in(folder)?;
    file.write_all(text)?;
    file.persist(path).map_err(|error| error.error)?;
    Ok(())
}

#[cfg(all(test, unix))]
mod tests {
    use std::fs::{self, File};
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
