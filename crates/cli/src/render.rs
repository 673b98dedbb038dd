//! Findings as text, for people.
//!
//! The renderer of `annotate-snippets` looks at all of the source that it is given, so it is given a few
//! lines: those that the finding names, cut out around what it points at.

use std::ops::Range;

use annotate_snippets::{Annotation, AnnotationKind, Group, Level, Origin, Snippet};
use reconverge::{Told, severity_name};
use reconverge_findings::{Diagnostic, Severity};
use reconverge_lang::builtins::mangle::in_words;

use crate::lines::Lines;
use crate::output::printable;
use crate::session::counted;
use crate::visible::visible_lines;

/// Places at most this many lines apart are shown in one snippet, the lines between folded.
const NEAR: usize = 60;
/// A line longer than this is cut on both sides of the place. The renderer fits shorter ones to the terminal itself.
const LONG: usize = 10_000;
/// What is kept of a long line before and behind the start of the place.
const KEPT_BEFORE: usize = 60;
const KEPT_BEHIND: usize = 240;

/// How to render.
pub(crate) struct Renderer {
    inner: annotate_snippets::Renderer,
}

impl Renderer {
    pub(crate) fn new(color: bool) -> Renderer {
        use annotate_snippets::Renderer as Inner;
        Renderer { inner: if color { Inner::styled() } else { Inner::plain() } }
    }

    /// Appends a finding where it is best shown; `path` and `lines` are of the text of the module.
    pub(crate) fn told(&self, told: &Told, path: &str, lines: &Lines<'_>, output: &mut String) {
        match &told.place {
            Some((path, text)) => self.render(path, &Lines::new(text), text, &told.diagnostic, true, output),
            None => self.render(path, lines, lines.whole(), &told.diagnostic, false, output),
        }
    }

    /// Appends a finding to `output`, with an empty line after it. Names of functions are those `of_source`, or of the IR.
    pub(crate) fn render(
        &self,
        path: &str,
        lines: &Lines<'_>,
        text: &[u8],
        diagnostic: &Diagnostic,
        of_source: bool,
        output: &mut String,
    ) {
        let name = |function: &String| match (of_source, function.strip_prefix('@')) {
            (true, Some(name)) => in_words(name),
            _ => function.clone(),
        };
        let level = match diagnostic.severity {
            Severity::Error => Level::ERROR,
            Severity::Warning => Level::WARNING,
            Severity::Hint => Level::NOTE.with_name("hint"),
        };
        let code = diagnostic.code.name();
        let path = printable(path);
        let mut group = Group::with_title(level.primary_title(printable(&diagnostic.message)).id(code));
        for cluster in clusters(lines, text, diagnostic) {
            group = show(group, &path, lines, text, &cluster);
        }
        for note in &diagnostic.notes {
            group = group.element(Level::NOTE.message(printable(note).into_owned()));
        }
        if let Some(instances) = instances(diagnostic.instances.iter().map(name)) {
            group = group.element(Level::NOTE.message(printable(&instances).into_owned()));
        }
        if let Some(inputs) = inputs(diagnostic) {
            group = group.element(Level::NOTE.message(printable(&inputs).into_owned()));
        }
        if let Some(remedy) = &diagnostic.remedy {
            group = group.element(Level::HELP.message(printable(remedy).into_owned()));
        }
        let place = match (&diagnostic.function, &diagnostic.block) {
            (Some(function), Some(block)) => format!("in {}, block {block}; ", name(function)),
            (Some(function), None) => format!("in {}; ", name(function)),
            (None, _) => String::new(),
        };
        let help = format!("{place}`reconverge explain {code}` says more");
        group = group.element(Level::HELP.message(printable(&help).into_owned()));
        output.push_str(&self.inner.render(&[group]));
        output.push_str("\n\n");
    }
}

/// Appends a finding as one line: `kernel.cu:7:9: error[RC0201]: …`.
pub(crate) fn short(path: &str, lines: &Lines<'_>, diagnostic: &Diagnostic, output: &mut String) {
    let at = lines.position(diagnostic.span.start);
    let places = Some(diagnostic.also.len()).filter(|&count| count > 0).map(|count| counted(count, "more place"));
    let files = Some(diagnostic.inputs.len() + 1).filter(|&count| count > 1).map(|count| format!("in {count} files"));
    let more: Vec<String> = places.map(|places| format!("and {places}")).into_iter().chain(files).collect();
    let more = if more.is_empty() { String::new() } else { format!(" ({})", more.join(", ")) };
    let (severity, code) = (severity_name(diagnostic.severity), diagnostic.code.name());
    let line = format!("{path}:{}:{}: {severity}[{code}]: {}{more}", at.line, at.column, diagnostic.message);
    output.push_str(&printable(&line));
    output.push('\n');
}

/// The other functions that a finding is in, as a sentence.
fn instances(functions: impl ExactSizeIterator<Item = String>) -> Option<String> {
    let (count, named) = (functions.len(), some_of(functions));
    match count {
        0 => None,
        count if count <= MOST_NAMED => Some(format!("the same happens in {named}")),
        count => Some(format!("the same happens in {count} more functions: {named}")),
    }
}

/// The other inputs that have a finding, as a sentence: files that include this one, or IR that was made from it.
pub(crate) fn inputs(diagnostic: &Diagnostic) -> Option<String> {
    let (inputs, of_ir) = (&diagnostic.inputs, diagnostic.ir.is_some());
    let named = some_of(inputs.iter().cloned());
    (!inputs.is_empty()).then(|| match inputs.len() {
        1 if of_ir => format!("the same is found in other IR that was made from this file: {named}"),
        count if of_ir => {
            format!("the same is found in {count} more files of IR that were made from this one: {named}")
        }
        1 => format!("the same is found in another file that includes this one: {named}"),
        count => format!("the same is found in {count} more files that include this one: {named}"),
    })
}

/// So many of a list are named.
const MOST_NAMED: usize = 5;

/// The first of some names.
fn some_of(names: impl ExactSizeIterator<Item = String>) -> String {
    let more = if names.len() > MOST_NAMED { ", …" } else { "" };
    format!("{}{more}", names.take(MOST_NAMED).collect::<Vec<_>>().join(", "))
}

/// A place to show: on one line of the text, and what to write there.
struct Mark<'d> {
    line: usize,
    span: Range<usize>,
    label: &'d str,
    kind: AnnotationKind,
}

/// The places of a finding in groups that are shown together; that of the finding itself first.
fn clusters<'d>(lines: &Lines<'_>, text: &[u8], diagnostic: &'d Diagnostic) -> Vec<Vec<Mark<'d>>> {
    let mark = |span: &Range<usize>, label: &'d str, kind| {
        let line = lines.line_of(span.start);
        let end = span.end.min(lines.range(line, line).end);
        let trimmed = text.get(span.start..end).map_or(0, |place| place.trim_ascii_end().len());
        Mark { line, span: span.start..span.start + trimmed, label, kind }
    };
    let mut marks: Vec<Mark<'d>> = diagnostic
        .related
        .iter()
        .chain(&diagnostic.also)
        .map(|related| mark(&related.span, &related.message, AnnotationKind::Context))
        .collect();
    marks.push(mark(&diagnostic.span, &diagnostic.label, AnnotationKind::Primary));
    marks.sort_by_key(|mark| mark.span.start);
    let is_long = |line: usize| lines.text(line).len() > LONG;
    let mut clusters: Vec<Vec<Mark<'d>>> = Vec::new();
    for mark in marks {
        match clusters.last_mut() {
            // Lines that are cut have a snippet of their own.
            Some(cluster)
                if cluster.last().is_some_and(|last| {
                    mark.line - last.line <= NEAR && (last.line..=mark.line).all(|line| !is_long(line))
                }) =>
            {
                cluster.push(mark);
            }
            _ => clusters.push(vec![mark]),
        }
    }
    let is_primary = |cluster: &Vec<Mark<'d>>| cluster.iter().any(|mark| mark.kind == AnnotationKind::Primary);
    if let Some(primary) = clusters.iter().position(is_primary) {
        clusters[..=primary].rotate_right(1);
    }
    clusters
}

/// Adds a snippet with the lines of `cluster`, which is not empty.
fn show<'a>(group: Group<'a>, path: &str, lines: &Lines<'_>, text: &[u8], cluster: &[Mark<'_>]) -> Group<'a> {
    let (Some(first), Some(last)) = (cluster.first(), cluster.last()) else { return group };
    let mut range = lines.range(first.line, last.line);
    let is_cut = first.line == last.line && range.len() > LONG;
    if is_cut {
        let start = range.start.max(first.span.start.saturating_sub(KEPT_BEFORE));
        range = start..range.end.min(first.span.start + KEPT_BEHIND);
    }
    let original = same_length_utf8(&text[range.clone()]);
    let source = visible_lines(&original, false).into_owned();
    let is_escaped = source.len() != original.len();
    let boundary = |offset: usize| {
        let offset = offset.clamp(range.start, range.end) - range.start;
        let offset = (0..=offset).rev().find(|&offset| original.is_char_boundary(offset)).unwrap_or(0);
        if is_escaped { visible_lines(&original[..offset], false).len() } else { offset }
    };
    let annotations: Vec<Annotation<'a>> = cluster
        .iter()
        .map(|mark| {
            let label = Some(printable(mark.label).into_owned()).filter(|label| !label.is_empty());
            mark.kind.span(boundary(mark.span.start)..boundary(mark.span.end)).label(label)
        })
        .collect();
    let snippet = Snippet::source(source).line_start(first.line + 1).annotations(annotations);
    if is_cut || is_escaped {
        // Columns in the snippet are no longer those of the text.
        let shown = cluster.iter().find(|mark| mark.kind == AnnotationKind::Primary).unwrap_or(first);
        let position = lines.position(shown.span.start);
        let origin = Origin::path(path.to_owned()).line(position.line).char_column(position.column);
        group.element(origin).element(snippet)
    } else {
        group.element(snippet.path(path.to_owned()))
    }
}

/// The text, with each byte that is not UTF-8 and each carriage return that ends a line replaced by one byte, so that offsets stay.
fn same_length_utf8(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        text.extend(chunk.invalid().iter().map(|_| '?'));
    }
    text.replace("\r\n", " \n")
}
