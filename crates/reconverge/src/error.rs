//! What is wrong: a kind, a place, and a sentence.

use std::fmt;

use reconverge_exec::{PrepareError, launch_grammar};
use serde::Serialize;

/// Why something could not be done, or what is to be known about an input.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Error {
    /// What sort of thing is wrong.
    pub kind: ErrorKind,
    /// The file that it is about, by the name that it was given; empty where it is about what was asked.
    pub path: String,
    /// The place in that file, where it is about one.
    pub position: Option<Position>,
    /// What is wrong: a sentence without a full stop.
    pub message: String,
    /// The limit that was reached, by its name (`include-depth`), where a larger one would help.
    pub limit: Option<&'static str>,
    /// What else is known.
    pub details: Option<Box<Details>>,
}

/// A line and a column, counted from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct Position {
    /// The line.
    pub line: usize,
    /// The column, in bytes.
    pub column: usize,
}

/// What sort of thing is wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum ErrorKind {
    /// A file that is not there, or that must not be read.
    Unreadable,
    /// A file that is larger than [`Limits::input_bytes`](crate::Limits).
    TooLarge,
    /// Text that is not UTF-8.
    Encoding,
    /// Something that this version does not read, such as LLVM bitcode, or a construct of a source file.
    Unsupported,
    /// Text that is not LLVM IR, or IR that LLVM refuses.
    Ir,
    /// Source that is no program.
    Source,
    /// Source that breaks a rule on convergence: `check` has it as a finding.
    Rule,
    /// A file that describes no target.
    Target,
    /// The name of a function, kernel or block that there is not, or of several.
    Name,
    /// A launch that its kernel cannot have.
    Launch,
    /// A path that no thread can take.
    Path,
    /// Options that do not go together.
    Options,
    /// A limit was reached.
    Limit,
    /// [`Control::cancel`](crate::Control::cancel) was called.
    Cancelled,
    /// Nothing is wrong for certain: a warning.
    Warning,
}

/// What else is known of an error.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Details {
    /// The line that the error is in.
    pub excerpt: Option<Excerpt>,
    /// Other places that matter.
    pub related: Vec<Related>,
    /// Whether already the first word of a text is no LLVM IR: source, perhaps, that nothing says is source.
    pub may_be_source: bool,
    /// Errors of the same text that come before this one.
    pub earlier: Vec<Error>,
    /// How many errors are not listed.
    pub more: usize,
    /// What was written, such as an argument of a launch, and the bytes of it that are wrong.
    pub quote: Option<Quote>,
}

/// A part of something that was written.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Quote {
    /// All of it.
    pub text: String,
    /// The bytes that it is about.
    pub range: std::ops::Range<usize>,
}

/// A part of a line, with a mark.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Excerpt {
    /// The number of the line, from 1.
    pub line: usize,
    /// Its text; of a long line what is around the mark.
    pub text: String,
    /// The text before the mark.
    pub before: String,
}

/// Another place that matters.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Related {
    /// The file.
    pub path: Option<String>,
    /// The place in it.
    pub position: Option<Position>,
    /// What is there.
    pub message: String,
}

impl Error {
    /// About an input as a whole, or about what was asked of it.
    pub fn new(kind: ErrorKind, path: impl Into<String>, message: impl Into<String>) -> Error {
        Error { kind, path: path.into(), position: None, message: message.into(), limit: None, details: None }
    }

    /// The same at a place.
    #[must_use]
    pub fn at(self, position: Position) -> Error {
        Error { position: Some(position), ..self }
    }

    /// For a text that is not LLVM IR.
    pub fn not_ir(path: &str, text: &[u8], error: &reconverge_ir::ReadError) -> Error {
        let reconverge_ir::text::Position { line, column } = crate::lines::Lines::new(text).position(error.offset);
        let is_binary = memchr::memchr(0, &text[..text.len().min(1024)]).is_some();
        let hint = if is_binary { " (this looks like a binary file; expected LLVM IR as text)" } else { "" };
        let mut before = text[..error.offset.min(text.len())].split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii);
        let mut error =
            Error::new(ErrorKind::Ir, path, format!("{}{hint}", error.message)).at(Position { line, column });
        if !is_binary && before.all(|line| line.is_empty() || line.starts_with(b";") || line.starts_with(b"/*")) {
            error.details.get_or_insert_default().may_be_source = true;
        }
        error
    }

    /// The same about a file, unless the message begins with its name: then it has places of its own.
    #[must_use]
    pub fn in_file(mut self, path: &str) -> Error {
        if self.path.is_empty() && !self.message.starts_with(path) {
            path.clone_into(&mut self.path);
        }
        self
    }

    pub(crate) fn cancelled(path: &str) -> Error {
        Error::new(ErrorKind::Cancelled, path, "cancelled")
    }
}

impl fmt::Display for Error {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Error { path, position, message, .. } = self;
        match position {
            Some(Position { line, column }) => write!(formatter, "{path}:{line}:{column}: {message}"),
            None if path.is_empty() => formatter.write_str(message),
            None => write!(formatter, "{path}: {message}"),
        }
    }
}

impl std::error::Error for Error {}

impl From<launch_grammar::Refusal> for Error {
    fn from(refusal: launch_grammar::Refusal) -> Error {
        let launch_grammar::Refusal { message, argument, place } = refusal;
        let quote = Some(Quote { text: argument, range: place });
        let details = Some(Box::new(Details { quote, ..Details::default() }));
        Error { details, ..Error::new(ErrorKind::Launch, "", message) }
    }
}

impl From<PrepareError> for Error {
    fn from(error: PrepareError) -> Error {
        let PrepareError { path, position, message, .. } = error;
        Error::new(ErrorKind::Ir, path, message).at(Position { line: position.line, column: position.column })
    }
}
