//! Who is together, step by step: threads as rows, dynamic instances as columns.
//!
//! **Definition.** A column is a dynamic instance, or, where the same threads execute blocks one after the other and nobody else executes these, all of them. A thread is in it iff it
//! executes one of those that are converged with it. Columns stand in an order that convergence-before allows. A thread is in each column in one *state*, see [`TimelineRow::states`].
//!
//! `record` makes columns of what a run did, `of_trace` of given paths, `made_up` says which runs of a program are shown, and `picture` is how all are drawn.

mod made_up;
mod of_trace;
mod picture;
mod record;

use reconverge_exec::launch::Launch;
use rustc_hash::FxHashMap;
use serde::Serialize;

use crate::{FindingReport, Module};

pub use made_up::{Timelines, launch_to_show, timelines, timelines_of_paths};
pub use of_trace::timelines_of_trace;
pub use picture::{PICTURE_STYLE, Picture, PictureColumn, Shape, svg_of_timelines};
pub use record::timeline_of_run;

/// The most rows of a timeline.
const MOST_ROWS: usize = 64;
/// The most threads that have a row each; where there are more, threads that do the same share one.
const MOST_SINGLE: usize = 32;
/// The most columns.
const MOST_COLUMNS: usize = 200;
/// The most lines that are kept of a column.
const MOST_LINES: usize = 40;

/// Who is together, step by step.
#[derive(Debug, Clone, Serialize)]
#[non_exhaustive]
pub struct Timeline {
    /// The function, with its sigil; of source as it is written there.
    pub function: String,
    /// The model, with the number of the cycle hierarchy where there are several.
    pub model: String,
    /// `run` or `trace`.
    pub kind: &'static str,
    /// The command that prints the same.
    pub command: String,
    /// How the launch came about, what was left out, how the run ended: a sentence each.
    pub notes: Vec<String>,
    /// Of a run: what was found.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub findings: Vec<FindingReport>,
    /// The threads.
    pub rows: Vec<TimelineRow>,
    /// The sets of threads that are converged somewhere, each once.
    pub sets: Vec<TimelineSet>,
    /// The columns.
    pub columns: Vec<TimelineColumn>,
    /// The columns, here and in the first timeline of the same program and launch, where the two first differ: numbers from 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub difference: Option<[usize; 2]>,
    /// How it is drawn.
    pub picture: Picture,
    /// Whether code is told of by statements, and not by blocks.
    #[serde(skip)]
    pub by_statements: bool,
}

/// A thread, or several that do the same.
#[derive(Debug, Clone, Serialize)]
#[non_exhaustive]
pub struct TimelineRow {
    /// The threads as ranges, `0-3,7`.
    pub name: String,
    /// The threads: of a run numbered through the launch, of paths from 1.
    pub threads: Vec<u64>,
    /// A letter for each column, and one for what is after the last: `r` runs, `w` waits for others at the operation that it executes next, `o` is elsewhere, `x` has come to its end, `h` still waits when the run is over, `?` was not followed so far.
    pub states: String,
    /// Of paths: what it executes in each column, as the table of `trace` has it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub cells: Vec<Option<String>>,
}

/// Threads that are converged somewhere.
#[derive(Debug, Clone, Serialize)]
#[non_exhaustive]
pub struct TimelineSet {
    /// Its letter: `A`, `B`, …, `Z`, `AA`, …
    pub letter: String,
    /// The threads as ranges.
    pub name: String,
    /// The threads, ascending.
    pub threads: Vec<u64>,
}

/// Converged dynamic instances.
#[derive(Debug, Clone, Serialize)]
#[non_exhaustive]
pub struct TimelineColumn {
    /// `code`, `barrier`, `exchange` (threads get the value of one other), `combine` (of several), or `call` where nobody waits.
    pub kind: &'static str,
    /// What is above it: lines, a block, an operation.
    pub name: String,
    /// The function that it is in, with its sigil.
    pub function: String,
    /// Who executes it: the number of the [set](Timeline::sets).
    pub set: usize,
    /// Of source: the file of its lines.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// Of source: its lines.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub lines: Vec<usize>,
    /// Its lines of IR.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub ir: Vec<usize>,
    /// How many executions of blocks it stands for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub blocks: Option<usize>,
    /// Of an operation in a run: its number among the events of `run --format json` that are of this workgroup.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub event: Option<usize>,
    /// What each thread of the set got.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub results: Vec<String>,
    /// Whose value each thread of the set got.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub from: Vec<Option<u64>>,
}

/// Sets of threads, each once, in the order in which they are first asked for.
#[derive(Default)]
struct Sets {
    all: Vec<TimelineSet>,
    numbers: FxHashMap<Vec<u64>, usize>,
}

impl Sets {
    fn number(&mut self, threads: &[u64]) -> usize {
        if let Some(&number) = self.numbers.get(threads) {
            return number;
        }
        let number = self.all.len();
        let set = TimelineSet { letter: letter(number), name: ranges(threads), threads: threads.to_vec() };
        self.all.push(set);
        self.numbers.insert(threads.to_vec(), number);
        number
    }
}

/// `A` to `Z`, then `AA`.
fn letter(number: usize) -> String {
    let last = char::from(b'A' + (number % 26) as u8);
    match number / 26 {
        0 => last.to_string(),
        more => format!("{}{last}", letter(more - 1)),
    }
}

/// Ascending numbers as ranges: `0-3,7`.
pub fn ranges(threads: &[u64]) -> String {
    let parts = threads.chunk_by(|&one, &next| one + 1 == next).map(|run| match run {
        [one] => one.to_string(),
        [one, other] => format!("{one},{other}"),
        [first, .., last] => format!("{first}-{last}"),
        [] => String::new(),
    });
    parts.collect::<Vec<_>>().join(",")
}

/// The command that shows a launch of a module; what passes have changed comes from standard input.
fn command_of(module: &Module, launch: &Launch, given: &[String]) -> String {
    let mut words = crate::launch::command::run_command(module.name(), launch, given);
    if !module.passes().is_empty() {
        // The file is the third word.
        words[2] = "-".to_owned();
    }
    words.push("--timeline".to_owned());
    words.join(" ")
}

/// Says of each timeline but the first where it first differs from that.
pub fn compare_timelines(timelines: &mut [Timeline]) {
    let Some((first, others)) = timelines.split_first_mut() else { return };
    for other in others {
        other.difference = first_difference(other, first);
    }
}

/// The first columns of two timelines in which it is not the same threads that execute the same.
///
/// Where one tells of blocks and the other of statements, only operations are compared. Columns correspond if they are of the same kind and place, and it is as often that their first thread was there; each is looked for among those of the other with its first thread.
fn first_difference(one: &Timeline, other: &Timeline) -> Option<[usize; 2]> {
    let with_visits = |timeline: &Timeline| {
        let mut visits: FxHashMap<(u64, String), usize> = FxHashMap::default();
        let mut all = Vec::new();
        for column in &timeline.columns {
            let key = format!("{} {} {}", column.kind, column.function, column.name);
            let threads = &timeline.sets[column.set].threads;
            let nth: Vec<(u64, usize)> = threads
                .iter()
                .map(|&thread| {
                    let count = visits.entry((thread, key.clone())).or_default();
                    *count += 1;
                    (thread, *count)
                })
                .collect();
            all.push((key, nth));
        }
        all
    };
    let (mine, theirs) = (with_visits(one), with_visits(other));
    let is_compared = |column: &TimelineColumn| column.kind != "code" || one.by_statements == other.by_statements;
    let mut known: FxHashMap<(&str, u64, usize), usize> = FxHashMap::default();
    for (number, (key, threads)) in theirs.iter().enumerate() {
        for &(thread, nth) in threads {
            known.insert((key, thread, nth), number);
        }
    }
    for (number, (key, threads)) in mine.iter().enumerate().filter(|(number, _)| is_compared(&one.columns[*number])) {
        let there: Vec<Option<&usize>> =
            threads.iter().map(|&(thread, nth)| known.get(&(key.as_str(), thread, nth))).collect();
        let set = |column: usize, of: &Timeline| of.sets[of.columns[column].set].threads.clone();
        match there[..] {
            [Some(&first), ..]
                if there.iter().all(|&one| one == Some(&first)) && set(first, other) == set(number, one) => {}
            [Some(&first), ..] => return Some([number, first]),
            _ => return Some([number, number.min(theirs.len().saturating_sub(1))]),
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_and_ranges() {
        assert_eq!([0, 25, 26, 51, 52, 701, 702].map(letter), ["A", "Z", "AA", "AZ", "BA", "ZZ", "AAA"]);
        assert_eq!(ranges(&[]), "");
        assert_eq!(ranges(&[4]), "4");
        assert_eq!(ranges(&[0, 1, 3, 4, 5, 9]), "0,1,3-5,9");
    }

    #[test]
    fn sets_are_numbered_once() {
        let mut sets = Sets::default();
        assert_eq!([&[0, 1][..], &[0], &[0, 1]].map(|threads| sets.number(threads)), [0, 1, 0]);
        assert_eq!(sets.all[0].name, "0,1");
    }
}
