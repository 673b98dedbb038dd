//! Why something in a `.mir` text is not understood. **Invariant.** It has the place of the first byte that does not fit.

use std::fmt;

/// What is wrong, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReadError {
    /// The place in the text, in bytes.
    pub offset: usize,
    /// What is wrong: a sentence without a full stop.
    pub message: String,
}

impl ReadError {
    pub(crate) fn new(offset: usize, message: impl Into<String>) -> ReadError {
        ReadError { offset, message: message.into() }
    }
}

impl fmt::Display for ReadError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "at byte {}: {}", self.offset, self.message)
    }
}

impl std::error::Error for ReadError {}
