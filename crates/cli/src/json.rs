//! The shapes of JSON output, as `docs/using.md` states them.

use serde::Serialize;

use crate::input::Problem;
use crate::session::Session;
use crate::source::ReadBy;

/// What every verb prints: one element per input, in order.
#[derive(Debug, Serialize)]
pub(crate) struct Files<T> {
    files: Vec<File<T>>,
}

impl<T> Files<T> {
    pub(crate) fn new() -> Files<T> {
        Files { files: Vec::new() }
    }
}

#[derive(Debug, Serialize)]
struct File<T> {
    path: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    read_by: Option<ReadBy>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<Error>,
    #[serde(flatten)]
    content: T,
}

/// Why an input has no content, or only that of a part.
#[derive(Debug, Serialize)]
struct Error {
    message: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    column: Option<usize>,
}

impl<T: Default> Files<T> {
    /// Adds an input; one that could not be used has empty content.
    pub(crate) fn push(&mut self, session: &Session<'_>, path: String, result: Result<T, Problem>) {
        let (content, problem) = match result {
            Ok(content) => (content, session.problem_of(&path)),
            Err(problem) => (T::default(), Some(problem)),
        };
        let error = problem.map(|problem| {
            let (line, column) = problem.position.unzip();
            Error { message: problem.message, line, column }
        });
        self.files.push(File { read_by: session.read_by(&path), path, error, content });
    }

    /// What was said of an input, by its number.
    pub(crate) fn content(&mut self, input: usize) -> &mut T {
        &mut self.files[input].content
    }
}
