//! One function's answer, as text.

use std::fmt::Write;

use reconverge::{FunctionUniformity, RefinementKind, SourceReason, SourceUniformity, Worth};

use super::{Manner, Tally};
use crate::output::printable;

/// What a person reads: a line about the function, then what is divergent, by block.
pub(super) fn text(function: &FunctionUniformity, manner: Manner<'_>) -> String {
    let paint = Paint { color: manner.color };
    if let Some(source) = &function.source {
        return text_of_source(function, source, paint);
    }
    let mut text = String::new();
    let _ = writeln!(
        text,
        "{} ({}:{}): {}",
        paint.bold(&printable(&function.name)),
        printable(manner.path),
        function.line,
        Tally::of(function).divergence()
    );
    for (blocks, what) in [
        (&function.cycles.assumed_divergent, "cycles assumed to be divergent"),
        (&function.cycles.divergent_exit, "cycles that threads leave in different iterations"),
    ] {
        if !blocks.is_empty() {
            let _ = writeln!(text, "  {what}: {}", printable(&blocks.join(" ")));
        }
    }
    for failed in &function.not_m_converged {
        let what = match (&failed.cycle, &failed.token) {
            (Some(header), _) => format!("cycle {header}"),
            (None, token) => format!("the region of {}", token.as_deref().unwrap_or_default()),
        };
        let blocks = failed.blocks.join(" ");
        let line = format!("not m-converged ({}): {what}: {blocks}: {}", failed.criterion, failed.reason);
        let _ = writeln!(text, "  {}", printable(&line));
    }
    if !function.parameters.divergent.is_empty() {
        text.push_str("  parameters\n");
    }
    let mut last = None;
    for reason in function.reasons.iter().flatten() {
        if let Some(block) = reason.block.as_ref().filter(|&block| last != Some(block)) {
            let _ = writeln!(text, "  {}", paint.bold(&printable(block)));
            last = Some(block);
        }
        let name = reason.value.as_deref().unwrap_or("branch");
        let why = printable(&reason.reason);
        let (rule, rest) = why.split_once(": ").unwrap_or(("", &why));
        let _ = writeln!(text, "    {:<12} {}: {rest}", printable(name), paint.rule(rule));
    }
    if text.lines().nth(1).is_some() {
        text.push('\n');
    }
    text
}

/// The same of source: by its lines, in its words.
fn text_of_source(function: &FunctionUniformity, source: &SourceUniformity, paint: Paint) -> String {
    let mut text = String::new();
    let file = source.at.file.as_deref().unwrap_or_default();
    let _ = writeln!(
        text,
        "{} ({}:{}): {} in {}",
        paint.bold(&printable(&format!("`{}`", source.name))),
        printable(file),
        source.at.line,
        Tally::of(function).divergence(),
        source.set
    );
    if !source.divergent_exits.is_empty() {
        let exits = source.divergent_exits.join(", ");
        let _ = writeln!(text, "  loops that threads leave in different iterations: {}", printable(&exits));
    }
    for failed in function.not_m_converged.iter().filter(|failed| failed.cycle.is_some()) {
        let line = format!("a cycle that is not m-converged ({}): {}", failed.criterion, failed.reason);
        let _ = writeln!(text, "  {}", printable(&line));
    }
    let mut last = None;
    for SourceReason { name, at, reason, .. } in &source.divergent {
        if last != Some((&at.file, at.line)) {
            last = Some((&at.file, at.line));
            let place = match at.file.as_deref().filter(|other| *other != file) {
                Some(other) => format!("{other}:{}", at.line),
                None => format!("{:>4}", at.line),
            };
            let _ = writeln!(text, "  {} | {}", paint.bold(&printable(&place)), printable(&at.excerpt));
        }
        let _ = writeln!(text, "         {}: {}", printable(name), printable(reason));
    }
    if text.lines().nth(1).is_some() {
        text.push('\n');
    }
    text
}

/// What each refinement is worth, as a table.
pub(super) fn refinement_table(rows: Vec<(RefinementKind, Worth)>, all: Worth) -> String {
    let mut text = String::from("uniform because of          values  branches\n");
    let rows = rows.into_iter().map(|(kind, worth)| (kind.name(), worth));
    for (name, worth) in rows.chain([("all refinements together", all)]) {
        let _ = writeln!(text, "  {name:<24} {:>7}  {:>8}", worth.values, worth.branches);
    }
    text
}

/// Colours.
#[derive(Clone, Copy)]
pub(super) struct Paint {
    pub(super) color: bool,
}

impl Paint {
    /// What a line is about.
    pub(super) fn bold(self, text: &str) -> String {
        self.in_style("1", text)
    }

    /// The name of a rule; a source is the end of all questions.
    pub(super) fn rule(self, rule: &str) -> String {
        self.in_style(if rule == "source" { "1;33" } else { "36" }, rule)
    }

    fn in_style(self, style: &str, text: &str) -> String {
        if self.color { format!("\u{1b}[{style}m{text}\u{1b}[0m") } else { text.to_owned() }
    }
}
