//! Findings in words: what is printed as text, JSON or SARIF.

use std::borrow::Cow;
use std::ops::Range;

use reconverge_ir::DebugLocation;
use reconverge_ir::text::Position;

use crate::codes::{Code, Severity};
use crate::fingerprint::Fingerprint;
use crate::suppression::Suppression;

/// One finding, worded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    /// The rule, with its page of documentation.
    pub code: Code,
    /// How much it matters.
    pub severity: Severity,
    /// What stays the same when lines move.
    pub fingerprint: Fingerprint,
    /// One sentence, without a full stop, that makes sense without the source text.
    pub message: String,
    /// The function it is in, with its sigil (`@f`).
    pub function: Option<String>,
    /// The other functions in which the same was found at the same place of the source, with their sigils: instances of one template, or copies
    /// of one helper.
    pub instances: Vec<String>,
    /// The other inputs of the run that have it: those that include the file that it is in.
    pub inputs: Vec<String>,
    /// The block it is in, without a sigil (`entry`, `7`).
    pub block: Option<String>,
    /// The text it points at: byte offsets into the module's text.
    pub span: Range<usize>,
    /// What to write under the caret; may be empty.
    pub label: String,
    /// The place in the source, where the IR says it.
    pub source: Option<DebugLocation>,
    /// Where it is in the IR that was read, where it is shown in the source.
    pub ir: Option<Position>,
    /// The bytes of that file which are meant, where they are known.
    pub extent: Option<Range<usize>>,
    /// The other places with the same cause, such as the barriers after one early `return`.
    pub also: Vec<Related>,
    /// Other places that matter, in the order a reader wants them.
    pub related: Vec<Related>,
    /// Lines to print after the source text, such as a closed path that breaks the rule.
    pub notes: Vec<String>,
    /// What to do about it: one sentence without a full stop.
    pub remedy: Option<String>,
    /// Why it does not count, where it does not.
    pub suppression: Option<Suppression>,
}

impl Diagnostic {
    /// The lines that follow the message where there is no text to show: the notes, and what to do.
    pub fn lines_after(&self) -> impl Iterator<Item = Cow<'_, str>> {
        let remedy = self.remedy.iter().map(|remedy| Cow::Owned(format!("help: {remedy}")));
        self.notes.iter().map(|note| Cow::Borrowed(note.as_str())).chain(remedy)
    }
}

/// A place that a finding refers to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Related {
    /// Byte offsets into the module's text.
    pub span: Range<usize>,
    /// What is there.
    pub message: String,
    /// The place in the source, where the IR says it.
    pub source: Option<DebugLocation>,
    /// The bytes of that file which are meant, where they are known.
    pub extent: Option<Range<usize>>,
    /// Whether it is a step of the chain that leads from the finding back to its cause.
    pub is_step: bool,
}
