//! The shapes of JSON output, as `docs/using.md` states them.

use reconverge_findings::{Diagnostic, Severity};
use reconverge_ir::DebugLocation;
use serde::Serialize;

use crate::input::Problem;
use crate::lines::Lines;

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
    error: Option<Error>,
    #[serde(flatten)]
    content: T,
}

/// Why an input has no content.
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
    pub(crate) fn push(&mut self, path: String, result: Result<T, Problem>) {
        let (content, error) = match result {
            Ok(content) => (content, None),
            Err(problem) => {
                let (line, column) = problem.position.unzip();
                (T::default(), Some(Error { message: problem.message, line, column }))
            }
        };
        self.files.push(File { path, error, content });
    }
}

/// What `check` says of a file.
#[derive(Debug, Default, Serialize)]
pub(crate) struct Checked {
    pub(crate) diagnostics: Vec<Finding>,
    /// How many functions have a body.
    pub(crate) functions: usize,
    /// How many instructions they have.
    pub(crate) instructions: usize,
}

/// A diagnostic.
#[derive(Debug, Serialize)]
pub(crate) struct Finding {
    /// The file, where it is not the input.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) path: Option<String>,
    code: &'static str,
    severity: &'static str,
    fingerprint: String,
    message: String,
    function: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    instances: Vec<String>,
    block: Option<String>,
    line: usize,
    column: usize,
    label: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    source: Option<Source>,
    related: Vec<Place>,
    notes: Vec<String>,
}

#[derive(Debug, Serialize)]
struct Place {
    line: usize,
    column: usize,
    message: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    source: Option<Source>,
}

/// A place in the source that the IR was made from.
#[derive(Debug, Serialize)]
pub(crate) struct Source {
    file: String,
    line: u32,
    column: u32,
}

impl Source {
    pub(crate) fn new(location: &DebugLocation) -> Source {
        Source { file: location.file.clone(), line: location.line, column: location.column }
    }
}

impl Finding {
    pub(crate) fn new(diagnostic: &Diagnostic, lines: &Lines<'_>) -> Finding {
        let position = lines.position(diagnostic.span.start);
        let related = diagnostic.related.iter().map(|related| {
            let position = lines.position(related.span.start);
            Place {
                line: position.line,
                column: position.column,
                message: related.message.clone(),
                source: related.source.as_ref().map(Source::new),
            }
        });
        Finding {
            path: None,
            code: diagnostic.code.name(),
            severity: severity_name(diagnostic.severity),
            fingerprint: diagnostic.fingerprint.to_string(),
            message: diagnostic.message.clone(),
            function: diagnostic.function.clone(),
            instances: diagnostic.instances.clone(),
            block: diagnostic.block.clone(),
            line: position.line,
            column: position.column,
            label: diagnostic.label.clone(),
            source: diagnostic.source.as_ref().map(Source::new),
            related: related.collect(),
            notes: diagnostic.notes.clone(),
        }
    }
}

/// The name of a severity in every format.
pub(crate) fn severity_name(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Hint => "hint",
    }
}
