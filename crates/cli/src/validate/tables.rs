//! What two programs communicated, side by side: a row is an execution of a convergent operation, in the order that both sides share as
//! far as they agree.
//!
//! The first rows that differ stand on one line and are marked; a few rows around them are shown. Values are shown from there on. Where the
//! terminal is too narrow, one table stands above the other.

use std::fmt::Write;

use reconverge_lang::builtins::mangle::as_written;
use reconverge_validate::{Difference, Side, Step, Witness};

use crate::output::printable;
use crate::run::describe::ranges;

/// How many rows are shown before the first difference, and from it on.
const ROWS_BEFORE: usize = 6;
const ROWS_FROM: usize = 8;
/// How wide a list of threads or values may be.
const WIDEST: usize = 40;
/// What stands between the tables.
const BETWEEN: &str = " | ";
const MARK: &str = "→ ";

/// How to print.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Style {
    /// The columns of the terminal.
    pub(crate) width: usize,
    /// Whether the first difference is in colour.
    pub(crate) color: bool,
    /// Whether names are those of source.
    pub(crate) of_source: bool,
}

/// Both tables. `titles` name the sides, such as `before: old.ll`.
pub(crate) fn tables(witness: &Witness, titles: [&str; 2], style: Style) -> String {
    let passes = shows_operands(witness);
    let before_first = witness.before.first_different.min(witness.after.first_different).min(ROWS_BEFORE);
    let by_source = [&witness.before, &witness.after].iter().all(|side| has_source(side));
    let files = if by_source { files(witness) } else { Vec::new() };
    let kernel = &witness.launch.kernel;
    let table = |side: &Side, title: &str| {
        let place = |step: &Step| place(step, by_source, files.len() > 1);
        Table::new(
            side,
            title,
            before_first,
            &Describe { kernel, passes, by_source, of_source: style.of_source, place: &place },
        )
    };
    let [before, after] = [table(&witness.before, titles[0]), table(&witness.after, titles[1])];
    let side_by_side = MARK.chars().count() + before.width() + BETWEEN.len() + after.width();
    if side_by_side <= style.width {
        beside(&before, &after, style)
    } else {
        format!("{}\n{}", before.alone(style), after.alone(style))
    }
}

/// What is passed says something only where it is what differs.
fn shows_operands(witness: &Witness) -> bool {
    let first = |side: &Side| side.steps.get(side.first_different).cloned();
    match &witness.difference {
        Difference::Value { operand, .. } => operand.is_some(),
        _ => match (first(&witness.before), first(&witness.after)) {
            (Some(before), Some(after)) => {
                let of = |step: &Step, thread: u64| {
                    let place = step.threads.binary_search(&thread).ok()?;
                    step.operands.get(place).cloned()
                };
                let common = before.threads.iter().filter(|thread| after.threads.binary_search(thread).is_ok());
                common.into_iter().any(|&thread| of(&before, thread) != of(&after, thread))
            }
            _ => false,
        },
    }
}

fn has_source(side: &Side) -> bool {
    side.steps.iter().all(|step| step.source.as_ref().is_some_and(|source| source.line > 0))
}

/// The source files that the steps are in.
fn files(witness: &Witness) -> Vec<&str> {
    let steps = witness.before.steps.iter().chain(&witness.after.steps);
    let mut files: Vec<&str> = steps.filter_map(|step| Some(step.source.as_ref()?.file.as_str())).collect();
    files.sort_unstable();
    files.dedup();
    files
}

/// The line of a step: in the source, where all steps have one there.
fn place(step: &Step, by_source: bool, several: bool) -> String {
    match step.source.as_ref().filter(|_| by_source) {
        Some(source) if several => {
            let file = source.file.rsplit('/').next().unwrap_or(&source.file);
            format!("{file}:{}", source.line)
        }
        Some(source) => source.line.to_string(),
        None => step.line.to_string(),
    }
}

/// What is said of steps.
struct Describe<'d> {
    kernel: &'d str,
    passes: bool,
    by_source: bool,
    /// Whether names are those of the source.
    of_source: bool,
    place: &'d dyn Fn(&Step) -> String,
}

/// One side: lines of equal number on both sides belong together.
struct Table {
    title: String,
    heads: Vec<&'static str>,
    rows: Vec<Row>,
    widths: Vec<usize>,
}

enum Row {
    /// Steps that are left out.
    Gap(String),
    Step {
        cells: Vec<String>,
        is_first_different: bool,
    },
    /// There is no step here.
    Nothing {
        is_first_different: bool,
    },
}

impl Table {
    /// `before_first` rows, then the first that differs and those behind it.
    fn new(side: &Side, title: &str, before_first: usize, describe: &Describe<'_>) -> Table {
        let first = side.first_different.min(side.steps.len());
        let start = first.saturating_sub(before_first);
        let end = side.steps.len().min(first + ROWS_FROM);
        let gap = |count: usize, what: &str| Row::Gap(format!("… {count} {what}"));
        let mut rows = Vec::new();
        if start > 0 {
            rows.push(gap(start, "earlier, alike"));
        }
        let cells = |index: usize, step: &Step| describe.cells(step, index >= first);
        rows.extend(
            (start..end)
                .map(|index| Row::Step { cells: cells(index, &side.steps[index]), is_first_different: index == first }),
        );
        if first == side.steps.len() {
            rows.push(Row::Nothing { is_first_different: true });
        }
        if end < side.steps.len() {
            rows.push(gap(side.steps.len() - end, "more"));
        }
        let mut heads = vec![if describe.by_source { "line" } else { ".ll line" }, "operation", "threads"];
        if describe.passes {
            heads.push("passes");
        }
        heads.push("gets");
        let widths = (0..heads.len()).map(|column| column_width(&rows, column, heads[column])).collect();
        let mut table = Table { title: printable(title).into_owned(), heads, rows, widths };
        table.drop_empty_columns();
        table
    }

    /// Columns of values in which there is nothing.
    fn drop_empty_columns(&mut self) {
        for column in (3..self.heads.len()).rev() {
            let has_value = |row: &Row| matches!(row, Row::Step { cells, .. } if !cells[column].is_empty());
            if !self.rows.iter().any(has_value) {
                self.heads.remove(column);
                self.widths.remove(column);
                for row in &mut self.rows {
                    if let Row::Step { cells, .. } = row {
                        cells.remove(column);
                    }
                }
            }
        }
    }

    fn width(&self) -> usize {
        let columns = self.widths.iter().sum::<usize>() + 2 * (self.widths.len() - 1);
        let gaps = self.rows.iter().map(|row| if let Row::Gap(text) = row { text.chars().count() } else { 0 });
        columns.max(self.title.chars().count()).max(gaps.max().unwrap_or(0))
    }

    /// One line, without what marks it, padded to the width of the table.
    fn line(&self, row: Option<&Row>) -> String {
        let text = match row {
            Some(Row::Step { cells, .. }) => self.columns(cells.iter().map(String::as_str)),
            Some(Row::Gap(text)) => text.clone(),
            Some(Row::Nothing { .. }) => "(nothing more)".to_owned(),
            None => String::new(),
        };
        format!("{text:width$}", width = self.width())
    }

    fn columns<'c>(&self, cells: impl Iterator<Item = &'c str>) -> String {
        let mut line = String::new();
        for (column, (cell, width)) in cells.zip(&self.widths).enumerate() {
            // Numbers of lines are right-aligned.
            let _ = match column {
                0 => write!(line, "{cell:>width$}"),
                _ => write!(line, "  {cell:width$}"),
            };
        }
        line
    }

    fn head(&self) -> String {
        let line = self.columns(self.heads.iter().copied());
        format!("{line:width$}", width = self.width())
    }

    fn alone(&self, style: Style) -> String {
        let mut text = format!("{}\n  {}\n", self.title, self.head().trim_end());
        for row in &self.rows {
            push_line(&mut text, &self.line(Some(row)), row.is_first_different(), style);
        }
        text
    }
}

impl Row {
    fn is_first_different(&self) -> bool {
        match self {
            Row::Gap(_) => false,
            Row::Step { is_first_different, .. } | Row::Nothing { is_first_different } => *is_first_different,
        }
    }
}

fn column_width(rows: &[Row], column: usize, head: &str) -> usize {
    let cells = rows.iter().filter_map(|row| if let Row::Step { cells, .. } = row { cells.get(column) } else { None });
    cells.map(|cell| cell.chars().count()).max().unwrap_or(0).max(head.chars().count())
}

/// Lines of both tables next to each other.
fn beside(before: &Table, after: &Table, style: Style) -> String {
    let pad = |title: &str, width: usize| format!("{title:width$}");
    let mut text = String::new();
    push_line(&mut text, &format!("{}{BETWEEN}{}", pad(&before.title, before.width()), after.title), false, style);
    push_line(&mut text, &format!("{}{BETWEEN}{}", before.head(), after.head()), false, style);
    // The first differences on one line: a gap before them may be on one side only.
    let place = |table: &Table| table.rows.iter().position(Row::is_first_different).unwrap_or(table.rows.len());
    let (first_before, first_after) = (place(before), place(after));
    let lead = first_before.max(first_after);
    let count = (before.rows.len() + lead - first_before).max(after.rows.len() + lead - first_after);
    for line in 0..count {
        let row = |table: &Table, first: usize| (line + first).checked_sub(lead).filter(|&row| row < table.rows.len());
        let left = row(before, first_before).map(|row| &before.rows[row]);
        let right = row(after, first_after).map(|row| &after.rows[row]);
        let is_first = [left, right].into_iter().flatten().any(Row::is_first_different);
        push_line(&mut text, &format!("{}{BETWEEN}{}", before.line(left), after.line(right)), is_first, style);
    }
    text
}

fn push_line(text: &mut String, line: &str, is_first_different: bool, style: Style) {
    let mark = if is_first_different { MARK } else { "  " };
    let line = format!("{mark}{line}");
    let line = line.trim_end();
    let _ = match is_first_different && style.color {
        true => writeln!(text, "\u{1b}[1;31m{line}\u{1b}[0m"),
        false => writeln!(text, "{line}"),
    };
}

impl Describe<'_> {
    fn cells(&self, step: &Step, with_values: bool) -> Vec<String> {
        let sigil = if self.of_source { "" } else { "@" };
        let mut operation = format!("{sigil}{}", as_written(&step.operation));
        if step.function != self.kernel {
            let _ = write!(operation, " in {sigil}{}", as_written(&step.function));
        }
        let values = |values: &[String]| match with_values {
            true => grouped(&step.threads, values),
            false => String::new(),
        };
        let mut cells = vec![(self.place)(step), operation, cut(&ranges(&step.threads))];
        if self.passes {
            cells.push(values(&step.operands));
        }
        cells.push(values(&step.results));
        cells.iter().map(|cell| printable(cell).into_owned()).collect()
    }
}

/// What threads have: `7` where all have it, else `0-2: 7, 3: 9`.
fn grouped(threads: &[u64], values: &[String]) -> String {
    let mut groups: Vec<(&str, Vec<u64>)> = Vec::new();
    for (value, &thread) in values.iter().zip(threads) {
        match groups.iter_mut().find(|(known, _)| known == value) {
            Some((_, group)) => group.push(thread),
            None => groups.push((value, vec![thread])),
        }
    }
    match &groups[..] {
        [(value, _)] => cut(value),
        groups => {
            let groups: Vec<String> =
                groups.iter().map(|(value, threads)| format!("{}: {value}", ranges(threads))).collect();
            cut(&groups.join(", "))
        }
    }
}

/// No wider than a cell may be.
fn cut(text: &str) -> String {
    if text.chars().count() <= WIDEST {
        return text.to_owned();
    }
    text.chars().take(WIDEST - 1).chain(['…']).collect()
}

#[cfg(test)]
mod tests;
