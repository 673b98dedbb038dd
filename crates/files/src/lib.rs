//! Reading files that somebody else has named.
//!
//! A name in an input (`#include "/dev/zero"`), or a file that is found in a folder, may lead to anything: a pipe, which blocks whoever opens it, a
//! device, which never ends or does something when it is opened, a socket, a file larger than memory. What is read here is a regular file, and no
//! more of it than a limit. **Invariant.** Nothing but a regular file is opened, but for a race between asking and opening; what was opened then is
//! asked again before it is read, and opening it has not blocked.
//!
//! What the command line names is the user's own choice: there a pipe is fine, as `<(…)` of a shell makes one. A device is not.
//!
//! Who reads what others have named asks a [`FileSystem`]: that of the machine ([`Disk`]), one [in memory](InMemory), or that of a program which
//! this is a part of.

mod build_files;
mod contents;
mod project;
mod system;

use std::fmt;
use std::fs::{File, FileType, Metadata};
use std::io::{self, Read};
use std::path::Path;

use thiserror::Error;

pub use contents::Contents;
pub use project::Projects;
pub use system::{Disk, FileSystem, InMemory};

/// Who has named a file, which decides what it may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NamedBy {
    /// The user, on the command line: a regular file or a pipe.
    User,
    /// An input, or a folder that it was found in: a regular file.
    Input,
}

/// What a name leads to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A regular file.
    File,
    /// A folder.
    Folder,
    /// A pipe.
    Pipe,
    /// A socket.
    Socket,
    /// A device, or something else that is no file.
    Device,
}

/// Why a file is not read.
#[derive(Debug, Error)]
pub enum Refusal {
    /// The system says so.
    #[error("{}", in_words(.0))]
    System(#[from] io::Error),
    /// It is no file.
    #[error("it is {0}, not a regular file")]
    NoFile(Kind),
    /// It is larger than the limit.
    #[error("it holds {size} bytes, and at most {limit} are read")]
    TooLarge {
        /// How large it is.
        size: u64,
        /// The limit.
        limit: u64,
    },
    /// More came out of it than the limit.
    #[error("it holds more than the {limit} bytes that are read")]
    Endless {
        /// The limit.
        limit: u64,
    },
}

/// What the system says, without its number.
fn in_words(error: &io::Error) -> String {
    let said = error.to_string();
    match said.split_once(" (os error ") {
        Some((words, _)) => words.to_owned(),
        None => said,
    }
}

impl Refusal {
    /// Whether a larger limit would help.
    pub fn is_limit(&self) -> bool {
        matches!(self, Refusal::TooLarge { .. } | Refusal::Endless { .. })
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Kind::File => "a file",
            Kind::Folder => "a folder",
            Kind::Pipe => "a pipe",
            Kind::Socket => "a socket",
            Kind::Device => "a device",
        })
    }
}

impl Kind {
    /// What a name leads to, links followed.
    ///
    /// # Errors
    /// When there is nothing, or it must not be looked at.
    pub fn of(path: &Path) -> io::Result<Kind> {
        Ok(Kind::new(std::fs::metadata(path)?.file_type()))
    }

    fn new(kind: FileType) -> Kind {
        #[cfg(unix)]
        {
            use std::os::unix::fs::FileTypeExt;
            if kind.is_fifo() {
                return Kind::Pipe;
            } else if kind.is_socket() {
                return Kind::Socket;
            }
        }
        match (kind.is_file(), kind.is_dir()) {
            (true, _) => Kind::File,
            (_, true) => Kind::Folder,
            _ => Kind::Device,
        }
    }

    fn is_readable(self, named_by: NamedBy) -> bool {
        self == Kind::File || self == Kind::Pipe && named_by == NamedBy::User
    }
}

/// All of a file, links followed; at most `limit` bytes. O(bytes).
///
/// # Errors
/// When it is nothing that may be read, is too large, or the system cannot read it.
pub fn read(path: &Path, named_by: NamedBy, limit: u64) -> Result<Vec<u8>, Refusal> {
    let (file, metadata) = open_allowed(path, named_by, limit)?;
    read_stream(file, limit, metadata.len())
}

/// Files that are as large as this are worth a map.
#[cfg(unix)]
const LARGE: u64 = 1 << 20;

/// The same, where a large file is mapped.
///
/// # Errors
/// As [`read`].
pub(crate) fn read_or_map(path: &Path, named_by: NamedBy, limit: u64) -> Result<Contents, Refusal> {
    let (file, metadata) = open_allowed(path, named_by, limit)?;
    #[cfg(unix)]
    if metadata.is_file()
        && metadata.len() >= LARGE
        && let Some(mapped) = contents::map(&file, metadata.len())
    {
        return Ok(mapped);
    }
    read_stream(file, limit, metadata.len()).map(Contents::from)
}

/// Opens what may be read, and says what it is now.
fn open_allowed(path: &Path, named_by: NamedBy, limit: u64) -> Result<(File, Metadata), Refusal> {
    let allowed = |metadata: &Metadata| {
        let kind = Kind::new(metadata.file_type());
        if kind.is_readable(named_by) { Ok(kind) } else { Err(Refusal::NoFile(kind)) }
    };
    let kind = allowed(&std::fs::metadata(path)?)?;
    let file = open(path, kind)?;
    // It may be another one by now.
    let metadata = file.metadata()?;
    if allowed(&metadata)? == Kind::File && metadata.len() > limit {
        return Err(Refusal::TooLarge { size: metadata.len(), limit });
    }
    Ok((file, metadata))
}

/// All that comes out of something, at most `limit` bytes. `expected` is how many there may be. O(bytes).
///
/// # Errors
/// When there is more, or it cannot be read.
pub fn read_stream(stream: impl Read, limit: u64, expected: u64) -> Result<Vec<u8>, Refusal> {
    // With one byte more than expected the end is found without a larger buffer.
    let capacity = usize::try_from(expected.min(limit).saturating_add(1)).unwrap_or(0);
    let mut bytes = Vec::new();
    bytes.try_reserve_exact(capacity).map_err(|_| io::Error::from(io::ErrorKind::OutOfMemory))?;
    stream.take(limit.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > limit { Err(Refusal::Endless { limit }) } else { Ok(bytes) }
}

/// Opens a file. Where it is to be a regular one, this returns at once whatever it has become.
fn open(path: &Path, kind: Kind) -> io::Result<File> {
    let mut options = File::options();
    options.read(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;

        use rustix::fs::OFlags;
        // A pipe without a writer would look empty.
        let unblocking = if kind == Kind::Pipe { OFlags::empty() } else { OFlags::NONBLOCK };
        let flags = unblocking | OFlags::NOCTTY;
        options.custom_flags(flags.bits().cast_signed());
    }
    #[cfg(not(unix))]
    let _ = kind;
    options.open(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(path: &Path, named_by: NamedBy, limit: u64) -> String {
        match read(path, named_by, limit) {
            Ok(bytes) => String::from_utf8_lossy(&bytes).into_owned(),
            Err(refusal) => format!("refused: {refusal}"),
        }
    }

    #[test]
    fn files_up_to_the_limit() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("file");
        std::fs::write(&path, "12345").expect("it can be written");
        for named_by in [NamedBy::User, NamedBy::Input] {
            assert_eq!(said(&path, named_by, 5), "12345");
            assert_eq!(said(&path, named_by, 4), "refused: it holds 5 bytes, and at most 4 are read");
            assert_eq!(said(folder.path(), named_by, 5), "refused: it is a folder, not a regular file");
            assert!(said(&folder.path().join("nothing"), named_by, 5).starts_with("refused: "));
        }
    }

    #[test]
    fn streams_up_to_the_limit() {
        let of = |limit| read_stream(&b"12345"[..], limit, 0);
        assert_eq!(of(5).expect("it fits"), b"12345");
        assert!(of(4).expect_err("it does not").is_limit());
        assert_eq!(of(u64::MAX).expect("it fits"), b"12345");
    }

    #[cfg(unix)]
    #[test]
    fn what_is_no_file() {
        let folder = tempfile::tempdir().expect("a folder");
        let at = |name: &str| folder.path().join(name);
        let (pipe, socket, link) = (at("pipe"), at("socket"), at("link"));
        let made = std::process::Command::new("mkfifo").arg(&pipe).status().expect("there is a mkfifo");
        assert!(made.success());
        let _listener = std::os::unix::net::UnixListener::bind(&socket).expect("a socket");
        std::os::unix::fs::symlink("/dev/zero", &link).expect("a link");
        for (path, kind) in [(&*pipe, Kind::Pipe), (&socket, Kind::Socket), (&link, Kind::Device)] {
            assert_eq!(Kind::of(path).expect("it is there"), kind);
            assert_eq!(said(path, NamedBy::Input, 5), format!("refused: it is {kind}, not a regular file"));
        }
        assert_eq!(said(&link, NamedBy::User, 5), "refused: it is a device, not a regular file");
        let writer = std::thread::spawn({
            let pipe = pipe.clone();
            move || std::fs::write(pipe, "12345")
        });
        assert_eq!(said(&pipe, NamedBy::User, 5), "12345");
        writer.join().expect("no panic").expect("it is read");
    }

    /// What becomes a pipe after it was asked does not block.
    #[cfg(unix)]
    #[test]
    fn opening_does_not_block() {
        let folder = tempfile::tempdir().expect("a folder");
        let pipe = folder.path().join("pipe");
        let made = std::process::Command::new("mkfifo").arg(&pipe).status().expect("there is a mkfifo");
        assert!(made.success());
        let file = open(&pipe, Kind::File).expect("it is opened");
        assert_eq!(Kind::new(file.metadata().expect("it is there").file_type()), Kind::Pipe);
    }
}
