//! Findings in words, where they are shown: in the IR that was read, or in the source that it was made from.
//!
//! A finding speaks of what it points into: where its place in the source is known, in the words of the source.

use std::cell::OnceCell;
use std::sync::Arc;

use reconverge_findings::{Code, Diagnostic, Finding, IrVoice, Related, Severity, Suppression, Words, number};
use serde::Serialize;

use crate::lines::Lines;
use crate::source::{NamedVoice, Place, SourceVoice, SourceWords};
use crate::{Module, Position, SourcePlace};

/// Findings in one file.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct FindingsInFile {
    /// The file.
    pub path: String,
    /// What it holds; none for the IR of the module.
    pub source: Option<Arc<[u8]>>,
    /// The findings, their spans in the text.
    pub diagnostics: Vec<Diagnostic>,
}

/// Words findings of one module.
pub struct Speaker<'m, 't> {
    input: &'m Module,
    ir: Words<'m, 't>,
    source: Option<(&'m SourceWords, Words<'m, 't>)>,
    /// The lines of the IR, once somebody asks.
    lines: OnceCell<Lines<'m>>,
}

/// A finding in words.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Told {
    /// Its spans are in the source where there is a place, else in the text of the module.
    pub diagnostic: Diagnostic,
    /// The source file: its name, and what it holds.
    pub place: Option<(String, Arc<[u8]>)>,
}

impl<'m, 't> Speaker<'m, 't> {
    /// For findings of an input, whose IR was read as `module`.
    pub fn new(module: &'m reconverge_ir::Module<'t>, input: &'m Module) -> Speaker<'m, 't> {
        let source = input.words().map(|words| (words, Words::new(module, SourceVoice(words))));
        let ir = match &source {
            Some((words, _)) if words.is_of_ir() => Words::new(module, NamedVoice),
            _ => Words::new(module, IrVoice),
        };
        Speaker { input, ir, source, lines: OnceCell::new() }
    }

    /// A finding where it is best shown.
    pub fn tell(&self, finding: &Finding) -> Told {
        match self.in_source(finding) {
            Some(place) => Told { diagnostic: place.diagnostic, place: Some((place.path, place.text)) },
            None => Told { diagnostic: self.ir.diagnostic(finding), place: None },
        }
    }

    /// A finding in the source, if it has a place there. Of IR that was read, it also says where it is there.
    fn in_source(&self, finding: &Finding) -> Option<Place> {
        let (source, words) = self.source.as_ref()?;
        if !source.is_of_ir() {
            return source.files.relocate(words.diagnostic(finding), |_| String::new());
        }
        if !words.scene(finding, |scene| source.knows(&scene))? {
            return None;
        }
        let lines = || self.lines.get_or_init(|| Lines::new(self.input.ir()));
        let place = |offset: usize| {
            let at = lines().position(offset);
            (format!("{}:{}:{}", self.input.name(), at.line, at.column), at)
        };
        let mut told = words.diagnostic(finding);
        let others = told.related.iter_mut().chain(&mut told.also).map(|related| &mut related.source);
        for place in others.chain([&mut told.source]) {
            *place = place.take().map(|place| source.place(place));
        }
        let (in_ir, block) = (place(told.span.start), told.block.clone());
        let mut found = source.files.relocate(told, |related| format!("{}: ", place(related.span.start).0))?;
        let inlined_at = found.diagnostic.source.iter().flat_map(|source| &source.inlined_at);
        let inlined_at = inlined_at.map(|call| format!(", inlined at {}:{}:{}", call.file, call.line, call.column));
        found.diagnostic.notes.push(format!("in the IR: {}{}", in_ir.0, inlined_at.collect::<String>()));
        found.diagnostic.ir = Some(in_ir.1);
        found.diagnostic.block = block;
        Some(found)
    }

    /// All of them; equals have numbers.
    pub fn tell_all<'f>(&self, findings: impl IntoIterator<Item = &'f Finding>) -> Vec<Told> {
        let mut told: Vec<Told> = findings.into_iter().map(|finding| self.tell(finding)).collect();
        number(told.iter_mut().map(|told| &mut told.diagnostic));
        told
    }
}

impl Told {
    /// It as it is printed as JSON; `lines` are of the text of the module.
    pub fn report(&self, lines: &Lines<'_>) -> FindingReport {
        match &self.place {
            Some((_, text)) => FindingReport::new(&self.diagnostic, &Lines::new(text)),
            None => FindingReport::new(&self.diagnostic, lines),
        }
    }
}

/// The findings of an input, those in its IR moved into the source where there is one, with what the statements show. Files in the
/// order of their first finding; no file without findings.
pub(crate) fn by_file(input: &Module, module: &reconverge_ir::Module<'_>, findings: &[Finding]) -> Vec<FindingsInFile> {
    let mut files: Vec<FindingsInFile> = Vec::new();
    let mut add = |path: String, source: Option<Arc<[u8]>>, diagnostic| {
        let known = files.iter_mut().find(|file| file.path == path);
        match known {
            Some(file) => file.diagnostics.push(diagnostic),
            None => files.push(FindingsInFile { path, source, diagnostics: vec![diagnostic] }),
        }
    };
    if findings.is_empty() && input.source().is_none() {
        return files;
    }
    let speaker = Speaker::new(module, input);
    let statements = input.source().map_or(&[][..], |source| &source.findings);
    for (path, finding) in statements {
        let text = input.source().and_then(|source| source.words.files.text(path));
        if let Some(text) = text {
            add(path.clone(), Some(text), speaker.ir.diagnostic(finding));
        }
    }
    for finding in findings {
        let Told { diagnostic, place } = speaker.tell(finding);
        match place {
            // The statements say more about it.
            Some(_) if finding.code == Code::RC0301 && !statements.is_empty() => {}
            Some((path, text)) => add(path, Some(text), diagnostic),
            // It has no place in the source.
            None if input.source().is_some() => add(format!("{} (as IR)", input.name()), None, diagnostic),
            None => add(input.name().to_owned(), None, diagnostic),
        }
    }
    files.iter_mut().for_each(|file| file.diagnostics.sort_by_key(|diagnostic| diagnostic.span.start));
    number(files.iter_mut().flat_map(|file| &mut file.diagnostics));
    files
}

/// A finding as JSON has it.
#[derive(Debug, Clone, Serialize)]
#[non_exhaustive]
pub struct FindingReport {
    /// The file, where it is not the input.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// The rule.
    pub code: &'static str,
    /// `error`, `warning` or `hint`.
    pub severity: &'static str,
    /// What stays the same when lines move.
    pub fingerprint: String,
    /// What is wrong: one sentence without a full stop.
    pub message: String,
    /// The function, with its sigil.
    pub function: Option<String>,
    /// The other functions in which the same was found at the same place of the source.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub instances: Vec<String>,
    /// The other inputs of the run that have it: those that include the file that it is in.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub inputs: Vec<String>,
    /// The block.
    pub block: Option<String>,
    /// The line.
    pub line: usize,
    /// The column.
    pub column: usize,
    /// What stands under the caret; may be empty.
    pub label: String,
    /// The place in the source, where the IR says it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<SourcePlace>,
    /// The place in the IR that was read, where the line is one of the source.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ir: Option<Position>,
    /// The other places with the same cause.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub also: Vec<RelatedReport>,
    /// Other places that matter.
    pub related: Vec<RelatedReport>,
    /// What else there is to say.
    pub notes: Vec<String>,
    /// What to do about it: one sentence without a full stop.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub help: Option<String>,
    /// Why it does not count: none or one.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub suppressions: Vec<SuppressionReport>,
}

/// Why a finding does not count, as SARIF and JSON have it.
#[derive(Debug, Clone, Serialize)]
#[non_exhaustive]
pub struct SuppressionReport {
    /// `inSource` for a comment of the program, else `external`.
    pub kind: &'static str,
    /// The reason.
    pub justification: String,
}

impl SuppressionReport {
    /// Those of a finding.
    pub fn of(diagnostic: &Diagnostic) -> Vec<SuppressionReport> {
        let report = |suppression: &Suppression| SuppressionReport {
            kind: if suppression.is_in_source() { "inSource" } else { "external" },
            justification: suppression.reason().to_owned(),
        };
        diagnostic.suppression.iter().map(report).collect()
    }
}

/// Another place that matters.
#[derive(Debug, Clone, Serialize)]
#[non_exhaustive]
pub struct RelatedReport {
    /// The line.
    pub line: usize,
    /// The column.
    pub column: usize,
    /// What is there.
    pub message: String,
    /// The place in the source, where the IR says it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<SourcePlace>,
}

impl FindingReport {
    /// A finding whose spans are in the text with these lines.
    pub fn new(diagnostic: &Diagnostic, lines: &Lines<'_>) -> FindingReport {
        let position = lines.position(diagnostic.span.start);
        let reports = |places: &[Related]| {
            let report = |related: &Related| {
                let position = lines.position(related.span.start);
                RelatedReport {
                    line: position.line,
                    column: position.column,
                    message: related.message.clone(),
                    source: related.source.as_ref().map(SourcePlace::from),
                }
            };
            places.iter().map(report).collect()
        };
        FindingReport {
            path: None,
            code: diagnostic.code.name(),
            severity: severity_name(diagnostic.severity),
            fingerprint: diagnostic.fingerprint.to_string(),
            message: diagnostic.message.clone(),
            function: diagnostic.function.clone(),
            instances: diagnostic.instances.clone(),
            inputs: diagnostic.inputs.clone(),
            block: diagnostic.block.clone(),
            line: position.line,
            column: position.column,
            label: diagnostic.label.clone(),
            source: diagnostic.source.as_ref().map(SourcePlace::from),
            ir: diagnostic.ir.map(|at| Position { line: at.line, column: at.column }),
            also: reports(&diagnostic.also),
            related: reports(&diagnostic.related),
            notes: diagnostic.notes.clone(),
            help: diagnostic.remedy.clone(),
            suppressions: SuppressionReport::of(diagnostic),
        }
    }
}

/// What a severity is called in every format.
pub fn severity_name(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Hint => "hint",
    }
}
