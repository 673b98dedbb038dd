//! What went wrong with an input, and how two failures are told to be the same.

use serde::{Deserialize, Serialize};

/// How a failure was noticed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Nature {
    /// A panic: of the program, or because something does not hold.
    Panic,
    /// The process ended: a stack overflow, an abort.
    Abort,
    /// It took too long.
    Timeout,
    /// It took too much memory.
    Memory,
    /// Two runs gave two answers.
    Different,
}

/// A failure.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Failure {
    /// How it was noticed.
    pub nature: Nature,
    /// The place in the program, where there is one.
    pub location: String,
    /// What it says.
    pub message: String,
}

impl Failure {
    /// The same for failures of one cause, as far as can be told: nature, place, and the message without what stems from the input.
    pub fn key(&self) -> String {
        let first = self.message.lines().next().unwrap_or_default();
        let mut words: Vec<String> = Vec::new();
        for word in first.split_whitespace().take(10) {
            if !word.contains(['%', '@', '"', '\'', '/']) {
                words.push(word.chars().filter(|letter| !letter.is_ascii_digit()).collect());
            }
        }
        format!("{:?} {} {}", self.nature, self.location, words.join(" "))
    }
}
