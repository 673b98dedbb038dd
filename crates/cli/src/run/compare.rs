//! One kernel under several models, side by side.
//!
//! Two models *differ* in an operation when the sets of threads that executed it together are not the same, each as often as under the
//! other; in which order they ran does not matter.

use std::fmt::Write;

use reconverge::Source;
use reconverge_exec::launch::{Event, OperationProfile, Outcome};
use reconverge_ir::DebugLocation;
use reconverge_lang::builtins::mangle::as_written;

use super::{Ran, describe};
use crate::output::printable;
use crate::session::counted;

/// How many lines of sets are shown for an operation in which models differ, and for one in which they agree.
const MOST_ROWS: usize = 16;
const ROWS_ALIKE: usize = 4;
/// How wide a set may be.
const WIDEST: usize = 36;

/// What a kernel did under one model.
#[derive(Clone, Copy)]
pub(super) struct Column<'r> {
    /// The name of the model.
    model: &'static str,
    outcome: &'r Outcome,
}

impl<'r> Column<'r> {
    pub(super) fn of(runs: &'r [Ran]) -> Vec<Column<'r>> {
        runs.iter().map(|ran| Column { model: ran.model, outcome: &ran.outcome }).collect()
    }
}

/// How operations of several runs are known to be the same.
#[derive(Debug, Clone, Copy)]
pub(super) enum By<'f> {
    /// The runs are of one text, so by its lines.
    Line,
    /// Each run is of IR of its own, so by the place in the source.
    Source(&'f Source),
}

/// What the models say of each operation, and where they differ.
pub(super) struct Comparison<'r> {
    runs: &'r [Column<'r>],
    by: By<'r>,
    operations: Vec<Operation<'r>>,
}

struct Operation<'r> {
    /// That of the first model under which it ran.
    profile: &'r OperationProfile,
    /// For each model its executions.
    columns: Vec<Executions<'r>>,
    differs: bool,
}

#[derive(Default)]
struct Executions<'r> {
    /// How often it ran, and with how many threads: all, fewest, most.
    numbers: (u64, u64, u64, u64),
    /// The sets of threads, as far as they were recorded.
    sets: Vec<&'r [u64]>,
}

impl<'r> Comparison<'r> {
    /// Compares runs of the same launch.
    pub(super) fn new(runs: &'r [Column<'r>], by: By<'r>) -> Comparison<'r> {
        let mut operations: Vec<Operation<'r>> = Vec::new();
        for (index, run) in runs.iter().enumerate() {
            for profile in run.outcome.profile.iter().filter(|profile| profile.executions > 0) {
                let place = operations.iter().position(|operation| by.key(operation.profile) == by.key(profile));
                let place = place.unwrap_or_else(|| {
                    let columns = runs.iter().map(|_| Executions::default()).collect();
                    operations.push(Operation { profile, columns, differs: false });
                    operations.len() - 1
                });
                let is_here = |event: &&Event| {
                    by.place(event.line, event.source.as_ref()) == by.key(profile).0
                        && event.operation == profile.operation
                };
                operations[place].columns[index] = Executions {
                    numbers: (profile.executions, profile.threads, profile.fewest, profile.most),
                    sets: run.outcome.events.iter().filter(is_here).map(|event| &event.threads[..]).collect(),
                };
            }
        }
        operations.sort_by_key(|operation| by.key(operation.profile).0);
        for operation in &mut operations {
            operation.differs = operation.columns.windows(2).any(|pair| !pair[0].agrees(&pair[1]));
        }
        Comparison { runs, by, operations }
    }

    /// Whether every operation was executed by the same sets of threads under all models.
    pub(super) fn same_sets(&self) -> bool {
        !self.operations.iter().any(|operation| operation.differs)
    }

    /// Whether all buffers are the same after all runs.
    pub(super) fn same_results(&self) -> bool {
        self.runs.windows(2).all(|pair| pair[0].outcome.buffers == pair[1].outcome.buffers)
    }

    /// The table.
    pub(super) fn describe(&self, path: &str) -> String {
        if self.operations.is_empty() {
            return String::new();
        }
        let cells: Vec<Vec<Vec<String>>> = self.operations.iter().map(Operation::cells).collect();
        let names: Vec<String> = self
            .operations
            .iter()
            .map(|Operation { profile, .. }| {
                let place = describe::place(path, profile.line, profile.source.as_ref());
                printable(&format!("{} ({place})", self.by.name(&profile.operation, profile.source.as_ref())))
                    .into_owned()
            })
            .collect();
        let width = |texts: &mut dyn Iterator<Item = &str>| texts.map(|text| text.chars().count()).max().unwrap_or(0);
        let first = width(&mut names.iter().map(String::as_str).chain(["operation"]));
        let widths: Vec<usize> = (0..self.runs.len())
            .map(|column| {
                let cells = cells.iter().flat_map(|columns| &columns[column]).map(String::as_str);
                width(&mut cells.chain([self.runs[column].model]))
            })
            .collect();
        let mut text = String::new();
        let mut row = |mark: &str, name: &str, cells: &mut dyn Iterator<Item = &str>| {
            let mut line = format!("{mark:2}{name:first$}");
            for (cell, width) in cells.zip(&widths) {
                let _ = write!(line, "  {cell:width$}");
            }
            let _ = writeln!(text, "{}", line.trim_end());
        };
        row("", "operation", &mut self.runs.iter().map(|run| run.model));
        for ((operation, name), cells) in self.operations.iter().zip(&names).zip(&cells) {
            let height = cells.iter().map(Vec::len).max().unwrap_or(0).max(1);
            for line in 0..height {
                let (mark, name) = match line {
                    0 => (if operation.differs { "≠" } else { "" }, name.as_str()),
                    _ => ("", ""),
                };
                row(mark, name, &mut cells.iter().map(|cell| cell.get(line).map_or("", String::as_str)));
            }
        }
        text
    }

    /// What differs, in one line for operations and one for each buffer.
    pub(super) fn summary(&self) -> String {
        let differing = self.operations.iter().filter(|operation| operation.differs).count();
        let of = counted(self.operations.len(), "operation");
        let mut text = match (differing, self.operations.len()) {
            (_, 0) => "no convergent operation ran\n".to_owned(),
            (0, _) => format!("the models agree on who executes what together ({of})\n"),
            _ => format!("≠ the models differ in {differing} of {of}\n"),
        };
        let Some((first, others)) = self.runs.split_first() else { return text };
        let mut same = true;
        for (index, buffer) in first.outcome.buffers.iter().enumerate() {
            let buffers = others.iter().filter_map(|run| run.outcome.buffers.get(index));
            if let Some(element) = buffers.filter_map(|other| buffer.first_difference(other)).min() {
                same = false;
                let values = self.runs.iter().filter_map(|run| {
                    let buffer = run.outcome.buffers.get(index)?;
                    let value = buffer.elements().nth(element)?;
                    Some(format!("{value} under {}", run.model))
                });
                let values = values.collect::<Vec<_>>().join(", ");
                let _ = writeln!(text, "{} differs from element {element} on: {values}", printable(&buffer.name));
            }
        }
        if same && !first.outcome.buffers.is_empty() {
            text.push_str("the buffers are the same after each run\n");
        }
        text
    }
}

impl By<'_> {
    /// The name of an operation, where the input is source as it is written there.
    pub(super) fn name(self, operation: &str, source: Option<&DebugLocation>) -> String {
        match self {
            By::Line => format!("@{operation}"),
            By::Source(of) => {
                let written = source.and_then(|place| of.words.called_at(place));
                written.unwrap_or_else(|| format!("@{}", as_written(operation)))
            }
        }
    }

    fn key(self, profile: &OperationProfile) -> ((u32, u32), &str) {
        (self.place(profile.line, profile.source.as_ref()), &profile.operation)
    }

    fn place(self, line: u32, source: Option<&DebugLocation>) -> (u32, u32) {
        let source = source.filter(|source| matches!(self, By::Source(_)) && source.line > 0);
        source.map_or((line, 0), |source| (source.line, source.column))
    }
}

impl Executions<'_> {
    fn is_complete(&self) -> bool {
        self.sets.len() as u64 == self.numbers.0
    }

    /// Where not all sets were recorded, those numbers decide that count all.
    fn agrees(&self, other: &Executions<'_>) -> bool {
        let sorted = |column: &Executions<'_>| {
            let mut sets: Vec<Vec<u64>> = column.sets.iter().map(|set| set.to_vec()).collect();
            sets.sort_unstable();
            sets
        };
        self.numbers == other.numbers && (!self.is_complete() || !other.is_complete() || sorted(self) == sorted(other))
    }

    /// The sets from one of them on, in the order in which they ran: one for each line, and how many are not shown.
    fn cell(&self, from: usize, most: usize) -> Vec<String> {
        let mut lines: Vec<String> = Vec::new();
        if from > 0 {
            lines.push(format!("… {from} alike"));
        }
        let mut rest = &self.sets[from..];
        let mut shown = from as u64;
        while let Some(&set) = rest.first() {
            if lines.len() == most {
                break;
            }
            let times = rest.iter().take_while(|&&other| other == set).count();
            let mut line = describe::threads(set);
            if line.chars().count() > WIDEST {
                let kept = line[..WIDEST].rfind(',').unwrap_or(WIDEST);
                line = format!("{},…}} ({})", &line[..kept], counted(set.len(), "thread"));
            }
            if times > 1 {
                let _ = write!(line, " ×{times}");
            }
            lines.push(line);
            rest = &rest[times..];
            shown += times as u64;
        }
        if shown < self.numbers.0 {
            lines.push(format!("… {} more", self.numbers.0 - shown));
        }
        lines
    }
}

impl Operation<'_> {
    /// For each model the lines to show. Where models differ in a long list, it begins where they do.
    fn cells(&self) -> Vec<Vec<String>> {
        let Some((first, others)) = self.columns.split_first() else { return Vec::new() };
        let is_alike = |&(index, set): &(usize, &&[u64])| others.iter().all(|other| other.sets.get(index) == Some(set));
        let alike = first.sets.iter().enumerate().take_while(is_alike).count();
        let (from, most) = match self.differs {
            true if alike >= MOST_ROWS / 2 => (alike, MOST_ROWS),
            true => (0, MOST_ROWS),
            false => (0, ROWS_ALIKE),
        };
        self.columns.iter().map(|column| column.cell(from, most)).collect()
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use reconverge_exec::launch::{Buffer, Element};

    use super::*;

    fn run(model: &'static str, sets: &[(u32, &[u64])], out: u8) -> (&'static str, Outcome) {
        let events: Vec<Event> = sets
            .iter()
            .map(|&(line, threads)| Event {
                operation: "op".to_owned(),
                function: "k".to_owned(),
                block: "entry".to_owned(),
                offset: 0,
                line,
                source: None,
                workgroup: 0,
                instance: 0,
                threads: threads.to_vec(),
                since: Vec::new(),
                from: Vec::new(),
                results: Vec::new(),
            })
            .collect();
        let mut lines: Vec<u32> = events.iter().map(|event| event.line).collect();
        lines.sort_unstable();
        lines.dedup();
        let profile = lines.into_iter().map(|line| {
            let sizes: Vec<u64> =
                events.iter().filter(|event| event.line == line).map(|event| event.threads.len() as u64).collect();
            OperationProfile {
                operation: "op".to_owned(),
                function: "k".to_owned(),
                line,
                source: None,
                executions: sizes.len() as u64,
                threads: sizes.iter().sum(),
                fewest: sizes.iter().copied().min().expect("it ran"),
                most: sizes.iter().copied().max().expect("it ran"),
            }
        });
        let (element, bytes) = (Element::U8, vec![1, out]);
        let buffers = vec![Buffer { name: "out".to_owned(), element, bytes, indeterminate: Vec::new() }];
        let profile = profile.collect();
        let outcome = Outcome {
            kernel: "k".to_owned(),
            instructions: 1,
            steps: 1,
            completed: true,
            workgroups: 1,
            finished: 1,
            chose: false,
            buffers,
            events,
            ends: Vec::new(),
            waiting: Vec::new(),
            profile,
            findings: vec![],
        };
        (model, outcome)
    }

    fn columns<'r>(runs: &'r [(&'static str, Outcome)]) -> Vec<Column<'r>> {
        runs.iter().map(|(model, outcome)| Column { model, outcome }).collect()
    }

    #[test]
    fn models_that_differ() {
        let runs = [
            run("controlled", &[(9, &[0, 1, 2]), (4, &[0]), (4, &[1, 2])], 3),
            run("maximal", &[(4, &[0, 1, 2]), (9, &[0, 1, 2])], 4),
            run("ipdom", &[(4, &[1, 2]), (4, &[0]), (9, &[0, 1, 2])], 3),
        ];
        let runs = columns(&runs);
        let comparison = Comparison::new(&runs, By::Line);
        assert!(!comparison.same_sets() && !comparison.same_results());
        expect![[r#"
              operation     controlled  maximal  ipdom
            ≠ @op (k.ll:4)  {0}         {0-2}    {1,2}
                            {1,2}                {0}
              @op (k.ll:9)  {0-2}       {0-2}    {0-2}
            ≠ the models differ in 1 of 2 operations
            out differs from element 1 on: 3 under controlled, 4 under maximal, 3 under ipdom
        "#]]
        .assert_eq(&(comparison.describe("a/k.ll") + &comparison.summary()));
        let order_only = [runs[0], runs[2]];
        assert!(
            Comparison::new(&order_only, By::Line).same_sets() && Comparison::new(&order_only, By::Line).same_results()
        );
    }

    #[test]
    fn many_sets_and_wide_ones() {
        let even: Vec<u64> = (0..64).step_by(2).collect();
        let mut sets: Vec<(u32, &[u64])> = vec![(1, &even), (1, &even)];
        let singles: Vec<[u64; 1]> = (0..20).map(|thread| [thread]).collect();
        sets.extend(singles.iter().map(|set| (2, &set[..])));
        let runs = [run("maximal", &sets, 0)];
        expect![[r#"
            alone:
              operation     maximal
              @op (k.ll:1)  {0,2,4,6,8,10,12,14,16,18,20,22,24,…} (32 threads) ×2
              @op (k.ll:2)  {0}
                            {1}
                            {2}
                            {3}
                            … 16 more
        "#]]
        .assert_eq(&format!("alone:\n{}", Comparison::new(&columns(&runs), By::Line).describe("k.ll")));
        let mut other = sets.clone();
        (other[20].1, other[21].1) = (&[18, 19], &[20]);
        let runs = [run("maximal", &sets[2..], 0), run("ipdom", &other[2..], 0)];
        expect![[r#"
              operation     maximal     ipdom
            ≠ @op (k.ll:2)  … 18 alike  … 18 alike
                            {18}        {18,19}
                            {19}        {20}
        "#]]
        .assert_eq(&Comparison::new(&columns(&runs), By::Line).describe("k.ll"));
        assert_eq!(Comparison::new(&columns(&[run("maximal", &[], 0)]), By::Line).describe("k.ll"), "");
    }
}
