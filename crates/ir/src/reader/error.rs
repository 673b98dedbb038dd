//! Why a text could not be read.

use std::fmt;

use crate::text::{Position, position};

/// Where reading stopped, and what was expected there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReadError {
    /// The byte offset into the text.
    pub offset: usize,
    /// What is wrong, in one line.
    pub message: String,
}

impl ReadError {
    /// An error at an offset. What a message quotes from the text may be anything; a message is one line of
    /// reasonable length.
    pub(crate) fn new(offset: usize, message: &str) -> ReadError {
        const LONGEST: usize = 400;
        let mut line: String = message.chars().take(LONGEST).map(|c| if c.is_control() { '?' } else { c }).collect();
        if message.chars().nth(LONGEST).is_some() {
            line.push('…');
        }
        ReadError { offset, message: line }
    }

    /// The line and column of the error in the text that was read.
    pub fn position(&self, text: &[u8]) -> Position {
        position(text, self.offset)
    }
}

/// The result of reading something.
pub(crate) type Result<T, E = ReadError> = std::result::Result<T, E>;

impl fmt::Display for ReadError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.message)
    }
}

impl std::error::Error for ReadError {}
