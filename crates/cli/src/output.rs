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

/// Writes a file all at once: beside its place first, so that it is there whole or not at all.
///
/// # Errors
/// When it cannot be written.
pub(crate) fn write_whole(path: &Path, text: &[u8]) -> anyhow::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let write = || -> io::Result<()> {
        let mut builder = tempfile::Builder::new();
        // Temporary files are for their owner alone; this one is to be like any other.
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
        let mut file = builder.tempfile_in(folder)?;
        file.write_all(text)?;
        file.persist(path).map_err(|error| error.error)?;
        Ok(())
    };
    write().with_context(|| format!("{} cannot be written", path.display()))
}
