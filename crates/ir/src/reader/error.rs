//! Why a text could not be read.

use crate::text::{Position, position};

/// Where reading stopped, and what was expected there.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct ReadError {
    /// The byte offset into the text.
    pub offset: usize,
    /// What is wrong, in one line.
    pub message: String,
}

impl ReadError {
    /// The line and column of the error in the text that was read.
    pub fn position(&self, text: &[u8]) -> Position {
        position(text, self.offset)
    }
}

/// The result of reading something.
pub(crate) type Result<T, E = ReadError> = std::result::Result<T, E>;
