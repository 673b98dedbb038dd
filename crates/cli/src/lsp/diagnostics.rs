//! What is wrong with a text, as the protocol has it: findings of `check` that count, what is wrong with the text itself, and what of it is not analysed.
//!
//! A finding without a place in a file of the user's stands at the first line of the text. Nothing that was found is left out.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use lsp_types as lsp;
use reconverge::{Checked, Diagnostic, Error, ErrorKind, FileSystem, Module, NamedBy, Severity};
use reconverge_lang::builtins::mangle::as_written;
use rustc_hash::FxHashMap;

use super::documents::{Document, Overlay};
use super::positions::Positions;
use crate::input::Problem;

/// Diagnostics by the file that they are in, as the editor calls it.
pub(crate) type Published = BTreeMap<lsp::Uri, Vec<lsp::Diagnostic>>;

/// Who says it.
pub(crate) const SOURCE: &str = "reconverge";
/// The largest file that a place is looked up in and that is not open.
const LARGEST: u64 = 64 << 20;

/// Collects what is wrong with one text.
pub(crate) struct Found<'d> {
    document: &'d Document,
    files: &'d Overlay,
    published: Published,
    /// Texts that places with lines and columns are in.
    texts: FxHashMap<String, Option<Arc<[u8]>>>,
}

impl<'d> Found<'d> {
    pub(crate) fn new(document: &'d Document, files: &'d Overlay) -> Found<'d> {
        let published = Published::from([(document.uri.clone(), Vec::new())]);
        Found { document, files, published, texts: FxHashMap::default() }
    }

    pub(crate) fn so_far(&self) -> Published {
        self.published.clone()
    }

    pub(crate) fn finish(self) -> Published {
        self.published
    }

    /// What a check has found and counts, and what is not analysed.
    pub(crate) fn add_checked(&mut self, checked: &Checked, module: &Module) {
        for file in &checked.files {
            let counting = file.diagnostics.iter().filter(|diagnostic| diagnostic.suppression.is_none());
            // IR that nobody has written is no file of the editor's.
            let text = match (&file.source, module.source()) {
                (Some(text), _) => &**text,
                (None, None) => module.ir(),
                (None, Some(_)) => {
                    counting.for_each(|diagnostic| self.add(self.document.uri.clone(), without_place(diagnostic)));
                    continue;
                }
            };
            let Some(uri) = self.files.uri(Path::new(&file.path)) else { continue };
            let positions = Positions::new(text);
            counting.for_each(|diagnostic| self.add(uri.clone(), translated(diagnostic, &uri, &positions)));
        }
        let notes = module.notes().iter().filter(|note| note.kind != ErrorKind::Rule);
        notes.for_each(|note| self.add_error(note));
        module.error().into_iter().for_each(|error| self.add_error(error));
        let coverage = module.source().and_then(|source| source.coverage.as_ref());
        for misspelt in coverage.iter().flat_map(|coverage| &coverage.misspelt) {
            self.place(misspelt, lsp::DiagnosticSeverity::WARNING, misspelt.message.clone());
        }
        let is_said = |unknown: &Error| {
            let mut misspelt = coverage.iter().flat_map(|coverage| &coverage.misspelt);
            misspelt.any(|misspelt| (&misspelt.path, misspelt.position) == (&unknown.path, unknown.position))
        };
        let first_unknown = coverage.iter().flat_map(|coverage| &coverage.first_unknown);
        for (kernel, unknown) in first_unknown.filter(|(_, unknown)| !is_said(unknown)) {
            let message = format!("`{}` is analysed with unknowns: {}", as_written(kernel), unknown.message);
            self.place(unknown, lsp::DiagnosticSeverity::HINT, message);
        }
    }

    /// What is wrong with the text, or not understood.
    pub(crate) fn add_error(&mut self, error: &Error) {
        let details = error.details.as_deref();
        details.iter().flat_map(|details| &details.earlier).for_each(|earlier| self.add_error(earlier));
        let severity = match error.kind {
            ErrorKind::Unsupported => lsp::DiagnosticSeverity::INFORMATION,
            ErrorKind::Warning => lsp::DiagnosticSeverity::WARNING,
            _ => lsp::DiagnosticSeverity::ERROR,
        };
        let more = details.map_or(0, |details| details.more);
        let more = if more > 0 { format!("\n{more} more errors are not shown") } else { String::new() };
        self.place(error, severity, format!("{}{more}", error.message));
    }

    /// Something in a file of the project's, such as its settings.
    pub(crate) fn add_problem(&mut self, problem: &Problem) {
        let range = self.range(&problem.path, problem.position);
        let uri = self.files.uri(Path::new(&problem.path)).unwrap_or_else(|| self.document.uri.clone());
        self.add(uri, diagnostic(range, lsp::DiagnosticSeverity::ERROR, problem.message.clone()));
        if problem.path != self.document.path.display().to_string() {
            self.add_sentence(&format!("not analysed: {problem}"));
        }
    }

    /// Something that is in no file.
    pub(crate) fn add_sentence(&mut self, message: &str) {
        self.add(
            self.document.uri.clone(),
            diagnostic(lsp::Range::default(), lsp::DiagnosticSeverity::ERROR, message.to_owned()),
        );
    }

    /// Says something where an error is.
    fn place(&mut self, error: &Error, severity: lsp::DiagnosticSeverity, message: String) {
        let range = self.range(&error.path, error.position.map(|position| (position.line, position.column)));
        let uri = self.files.uri(Path::new(&error.path)).filter(|_| !error.path.is_empty());
        let uri = uri.unwrap_or_else(|| self.document.uri.clone());
        let related = error.details.iter().flat_map(|details| &details.related).filter_map(|related| {
            let path = related.path.as_deref().unwrap_or(&error.path);
            let position = related.position.map(|position| (position.line, position.column));
            let location = lsp::Location { uri: self.files.uri(Path::new(path))?, range: self.range(path, position) };
            Some(lsp::DiagnosticRelatedInformation { location, message: related.message.clone() })
        });
        let related: Vec<_> = related.collect();
        let related = (!related.is_empty()).then_some(related);
        self.add(uri, lsp::Diagnostic { related_information: related, ..diagnostic(range, severity, message) });
    }

    /// The word at a line and a column in bytes, both from 1.
    fn range(&mut self, path: &str, position: Option<(usize, usize)>) -> lsp::Range {
        let Some((line, column)) = position else { return lsp::Range::default() };
        let files = self.files;
        let text = self
            .texts
            .entry(path.to_owned())
            .or_insert_with(|| files.read(Path::new(path), NamedBy::Input, LARGEST).ok().map(Arc::from));
        let Some(text) = text else { return lsp::Range::default() };
        let positions = Positions::new(text);
        let bytes = positions.line(line.saturating_sub(1));
        let start = (bytes.start + column.saturating_sub(1)).min(bytes.end);
        let is_word = |byte: &&u8| byte.is_ascii_alphanumeric() || **byte == b'_';
        let length = text[start..bytes.end].iter().take_while(is_word).count();
        positions.range(start..(start + length.max(1)).min(bytes.end))
    }

    fn add(&mut self, uri: lsp::Uri, diagnostic: lsp::Diagnostic) {
        self.published.entry(uri).or_default().push(diagnostic);
    }
}

/// A finding in a text.
fn translated(found: &Diagnostic, uri: &lsp::Uri, positions: &Positions<'_>) -> lsp::Diagnostic {
    let place = |span: &Range<usize>, message: &str| lsp::DiagnosticRelatedInformation {
        location: lsp::Location { uri: uri.clone(), range: positions.range(span.clone()) },
        message: message.to_owned(),
    };
    let related = found.related.iter().chain(&found.also).map(|related| place(&related.span, &related.message));
    let related: Vec<_> = related.collect();
    lsp::Diagnostic {
        range: positions.range(found.span.clone()),
        related_information: (!related.is_empty()).then_some(related),
        ..without_place(found)
    }
}

/// A finding that has no place in a file of the user's.
fn without_place(found: &Diagnostic) -> lsp::Diagnostic {
    let severity = match found.severity {
        Severity::Error => lsp::DiagnosticSeverity::ERROR,
        Severity::Warning => lsp::DiagnosticSeverity::WARNING,
        Severity::Hint => lsp::DiagnosticSeverity::HINT,
    };
    let message: Vec<_> = std::iter::once(Cow::Borrowed(&*found.message)).chain(found.lines_after()).collect();
    lsp::Diagnostic {
        code: Some(lsp::NumberOrString::String(found.code.name().to_owned())),
        ..diagnostic(lsp::Range::default(), severity, message.join("\n"))
    }
}

fn diagnostic(range: lsp::Range, severity: lsp::DiagnosticSeverity, message: String) -> lsp::Diagnostic {
    lsp::Diagnostic {
        range,
        severity: Some(severity),
        source: Some(SOURCE.to_owned()),
        message,
        ..lsp::Diagnostic::default()
    }
}

/// What is said of each file, by all texts that say something of it: a header is in several.
#[derive(Debug, Default)]
pub(crate) struct Board {
    said: BTreeMap<lsp::Uri, Published>,
}

impl Board {
    /// Replaces what a text says. The files of which something else is said now.
    pub(crate) fn put(&mut self, of: &lsp::Uri, published: Published) -> Vec<lsp::Uri> {
        let before = self.said.insert(of.clone(), published.clone()).unwrap_or_default();
        let is_same = |uri: &lsp::Uri| before.get(uri) == published.get(uri) && uri != of;
        let files: std::collections::BTreeSet<&lsp::Uri> = before.keys().chain(published.keys()).collect();
        files.into_iter().filter(|uri| !is_same(uri)).cloned().collect()
    }

    /// Whether that is what a text says.
    pub(crate) fn says(&self, of: &lsp::Uri, published: &Published) -> bool {
        self.said.get(of) == Some(published)
    }

    /// Takes back what a text says.
    pub(crate) fn remove(&mut self, of: &lsp::Uri) -> Vec<lsp::Uri> {
        self.said.remove(of).map_or_else(Vec::new, |published| published.into_keys().collect())
    }

    /// All that is said of a file, each thing once.
    pub(crate) fn of(&self, uri: &lsp::Uri) -> Vec<lsp::Diagnostic> {
        let mut all: Vec<lsp::Diagnostic> = Vec::new();
        for said in self.said.values().filter_map(|published| published.get(uri)).flatten() {
            if !all.contains(said) {
                all.push(said.clone());
            }
        }
        all
    }
}
