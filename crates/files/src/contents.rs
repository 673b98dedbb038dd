//! What a file holds, without a copy of it where that is worth something.
//!
//! Of a large file half of the time that reading takes goes into pages that nobody has used for a while: the kernel has to clear them before it copies
//! into them. A mapped file needs none.
//!
//! **What mapping asks for.** Nobody may make the file smaller while it is used: who then looks at the pages that are gone gets a signal (SIGBUS). A program
//! that maps files has to have an answer to that; this is why only [`Projects`](crate::Projects), which the command reads its inputs by, does it.

use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

/// The bytes of a file, in memory or mapped into it.
#[derive(Clone)]
pub struct Contents {
    bytes: Bytes,
    /// So many of the first are not part of it.
    skipped: usize,
}

#[derive(Clone)]
enum Bytes {
    Owned(Arc<Vec<u8>>),
    #[cfg(unix)]
    Mapped(Arc<memmap2::Mmap>),
}

impl Contents {
    /// The same, without its first bytes.
    #[must_use]
    pub fn without_first(self, count: usize) -> Contents {
        let skipped = self.skipped + count.min(self.len());
        Contents { skipped, ..self }
    }

    /// As a vector; O(bytes) where they are mapped, used elsewhere too, or not all of a vector.
    pub fn into_vec(self) -> Vec<u8> {
        match self.bytes {
            Bytes::Owned(bytes) if self.skipped == 0 => {
                Arc::try_unwrap(bytes).unwrap_or_else(|shared| (*shared).clone())
            }
            _ => self.to_vec(),
        }
    }
}

impl Deref for Contents {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        let all = match &self.bytes {
            Bytes::Owned(bytes) => &bytes[..],
            #[cfg(unix)]
            Bytes::Mapped(map) => &map[..],
        };
        &all[self.skipped..]
    }
}

impl<T: Into<Vec<u8>>> From<T> for Contents {
    fn from(bytes: T) -> Contents {
        Contents { bytes: Bytes::Owned(Arc::new(bytes.into())), skipped: 0 }
    }
}

impl fmt::Debug for Contents {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Contents({} bytes)", self.len())
    }
}

/// Maps a regular file of so many bytes; none where the system does not.
#[cfg(unix)]
pub(crate) fn map(file: &std::fs::File, size: u64) -> Option<Contents> {
    let size = usize::try_from(size).ok()?;
    let mut options = memmap2::MmapOptions::new();
    options.len(size).populate();
    // SAFETY: the map is read-only and private, and is a slice of bytes, of which each value is fine. That others change the file while it is mapped is what
    // cannot be excluded: bytes may then differ from one look to the next, which no code here relies on for anything but its answer (every index is checked),
    // and where the file has become smaller a signal ends the program.
    #[expect(unsafe_code, reason = "mapping a file")]
    let map = unsafe { options.map(file) }.ok()?;
    Some(Contents { bytes: Bytes::Mapped(Arc::new(map)), skipped: 0 })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_bytes_and_vectors() {
        let contents = Contents::from("12345");
        let rest = contents.clone().without_first(2);
        assert_eq!((&contents[..], &rest[..]), (&b"12345"[..], &b"345"[..]));
        assert_eq!(rest.clone().without_first(9).len(), 0);
        assert_eq!((rest.into_vec(), contents.into_vec()), (b"345".to_vec(), b"12345".to_vec()));
    }

    #[cfg(unix)]
    #[test]
    fn a_mapped_file_is_the_file() {
        use std::io::Write;
        let mut file = tempfile::tempfile().expect("a file");
        let text: Vec<u8> = (0..100_000u32).map(|number| (number % 251) as u8).collect();
        file.write_all(&text).expect("it is written");
        let mapped = map(&file, text.len() as u64).expect("it can be mapped");
        assert_eq!(mapped[..], text[..]);
        assert_eq!(mapped.without_first(7).into_vec(), text[7..]);
    }
}
