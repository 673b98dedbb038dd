//! Source through our own front end.

use reconverge_analysis::codes::Code;
use reconverge_analysis::diagnostic::{Diagnostic as Finding, Related};
use reconverge_lang::diagnostic::{Diagnostic, Severity};
use reconverge_lang::lower::LowerOptions;
use reconverge_lang::options::{LowerTarget, Options, SourceModel};
use reconverge_lang::source::Location;
use reconverge_lang::translate::{self, Translation};
use reconverge_outline::convergence;

use super::{Origin, SourceFile, SourceFiles, Wanted, shown_path};
use crate::arguments;
use crate::input::Problem;
use crate::lines::Lines;
use crate::output::printable;
use crate::session::Session;

/// At most so many errors of one file are shown.
const MOST_ERRORS: usize = 20;
/// At most so much of a line is shown, from so far before the place.
const WIDEST: usize = 120;
const BEFORE: usize = 60;

pub(super) fn translate(
    session: &Session<'_>,
    file: &SourceFile<'_>,
    target: LowerTarget,
    wanted: Wanted,
) -> Translation {
    let options = &session.global.source;
    let options = Options {
        dialect: file.dialect,
        target,
        include: options.include.clone(),
        define: options.define.clone(),
        limits: session.limits.source,
    };
    translate::translate(&shown_path(file.path), file.text.clone(), &options, wanted.model.into())
}

impl From<arguments::SourceModel> for SourceModel {
    fn from(model: arguments::SourceModel) -> SourceModel {
        match model {
            arguments::SourceModel::Clang2025_04 => SourceModel::Clang2025_04,
            arguments::SourceModel::Tangles2024_10 => SourceModel::Tangles2024_10,
            arguments::SourceModel::Clang2025_08 => SourceModel::Clang2025_08,
        }
    }
}

/// The first thing that our front end does not understand, with its place.
pub(super) fn obstacle(translation: &Translation) -> Option<String> {
    let first = translation.diagnostics.iter().find(|diagnostic| diagnostic.severity != Severity::Warning)?;
    Some(match translation.sources.position(first.location) {
        Some(position) => format!("line {}: {}", position.line, first.message),
        None => first.message.clone(),
    })
}

/// The IR of what was understood, and what was not on standard error.
pub(super) fn finish(
    session: &Session<'_>,
    name: &str,
    translation: Translation,
    wanted: Wanted,
) -> Result<(Vec<u8>, Origin), Problem> {
    // A limit that left a function out may be the reason of an error.
    let is_said = |diagnostic: &&Diagnostic| diagnostic.severity == Severity::Error || diagnostic.is_limit;
    let errors =
        translation.diagnostics.iter().filter(is_said).take(if translation.has_errors() { usize::MAX } else { 0 });
    let mut errors: Vec<&Diagnostic> = errors.collect();
    // The first thing that is wrong at a place is enough.
    errors.dedup_by_key(|error| error.location);
    let more = errors.len().saturating_sub(MOST_ERRORS);
    // To word one takes as long as the text before it.
    errors.truncate(MOST_ERRORS);
    let mut errors: Vec<Problem> = errors.into_iter().map(|error| problem(name, error, &translation)).collect();
    // The last one is said by who gets it.
    if let Some(mut last) = errors.pop() {
        errors.iter().for_each(|error| session.complain(error));
        if more > 0 {
            last.shown.push(format!("{more} more errors are not shown"));
        }
        return Err(last);
    }
    for diagnostic in &translation.diagnostics {
        let problem = problem(name, diagnostic, &translation);
        if diagnostic.severity == Severity::Unsupported {
            // It decides about the exit status.
            session.complain(&problem);
        } else {
            session.note(&problem.to_string());
            problem.shown.iter().for_each(|line| session.note(line));
        }
    }
    let options = LowerOptions {
        tokens: !wanted.without_tokens,
        markers: wanted.markers,
        debug: !wanted.without_debug,
        origins: false,
    };
    let ir = translation.lower(&options).expect("a program without errors").text;
    Ok((ir, origin(translation, wanted)))
}

/// A diagnostic in a line, the text it points at below.
fn problem(name: &str, diagnostic: &Diagnostic, translation: &Translation) -> Problem {
    let position = translation.sources.position(diagnostic.location);
    let path = position.map_or_else(|| name.to_owned(), |position| position.path.display().to_string());
    let position = position.map(|position| (position.line as usize, position.column as usize));
    let kind = match diagnostic.severity {
        Severity::Error | Severity::Unsupported => "",
        Severity::Warning => "warning: ",
    };
    let shown = snippet(diagnostic, translation);
    let raised = diagnostic.raised_by.map_or_else(String::new, |limit| format!(" (--limit {limit}=N raises this)"));
    Problem { path, position, message: format!("{kind}{}{raised}", diagnostic.message), shown }
}

/// The line that a diagnostic points at with a caret, and the other places in a line each.
fn snippet(diagnostic: &Diagnostic, translation: &Translation) -> Vec<String> {
    let mut shown = Vec::new();
    if let Some((file, offset)) = translation.sources.find(diagnostic.location) {
        let text = translation.sources.files()[file].text.as_bytes();
        let table = Lines::new(text);
        let number = table.line_of(offset) + 1;
        let range = table.range(number - 1, number - 1);
        let from = range.start.max(offset.saturating_sub(BEFORE));
        let line = String::from_utf8_lossy(&text[from..range.end.min(from + WIDEST)]).replace('\t', " ");
        let before = String::from_utf8_lossy(&text[from..offset.max(from)]).replace('\t', " ");
        let column = printable(&before).chars().count();
        shown.push(format!("{number:5} | {}", printable(&line)));
        shown.push(format!("      | {:column$}^", ""));
    }
    for (location, message) in &diagnostic.related {
        let line = match translation.sources.position(*location) {
            Some(at) => format!("  {}:{}:{}: {message}", at.path.display(), at.line, at.column),
            None => format!("  {message}"),
        };
        // Where a file includes itself, it is the same place each time.
        if shown.last() != Some(&line) {
            shown.push(line);
        }
    }
    shown
}

/// What is known of a source beside its IR.
pub(super) fn origin(translation: Translation, wanted: Wanted) -> Origin {
    let is_partial = translation.diagnostics.iter().any(|diagnostic| diagnostic.severity != Severity::Warning);
    let files = SourceFiles::new(&translation.sources);
    let findings = findings(&translation);
    let translation = wanted.translation.then_some(translation);
    Origin { files, findings, translation, is_partial, has_tokens: !wanted.without_tokens }
}

/// The convergent operations of the file whose threads are implementation-defined, with the names of their files.
fn findings(translation: &Translation) -> Vec<(String, Finding)> {
    let Some(program) = &translation.program else { return Vec::new() };
    let mut findings = Vec::new();
    for (function, data) in &program.functions {
        let (Some(plan), Some(analysis)) = (&translation.plans[function], &translation.analyses[function]) else {
            continue;
        };
        for found in convergence::findings(&plan.outline, analysis) {
            let Some((file, offset)) = translation.sources.find(found.operation.location) else { continue };
            let text = translation.sources.files()[file].text.as_bytes();
            let span = |offset: usize| offset..offset + word(&text[offset..]);
            let place = |location: Location| translation.sources.find(location).filter(|&(other, _)| other == file);
            let related = found.places().into_iter().filter_map(|(location, words)| {
                let (_, offset) = place(location)?;
                Some(Related { span: span(offset), message: words.to_owned(), source: None })
            });
            let code = Code::from_name(found.cause.reason.code()).expect("reasons have codes");
            let finding = Finding {
                code,
                severity: code.severity(),
                message: found.message(),
                instances: Vec::new(),
                function: Some(format!("@{}", data.linkage_name)),
                block: None,
                span: span(offset),
                label: String::new(),
                source: None,
                related: related.collect(),
                notes: Vec::new(),
            };
            findings.push((translation.sources.files()[file].path.display().to_string(), finding));
        }
    }
    findings
}

/// How long the word at the start of a text is, at least 1.
fn word(text: &[u8]) -> usize {
    text.iter().take_while(|&&byte| byte.is_ascii_alphanumeric() || byte == b'_').count().max(1)
}
