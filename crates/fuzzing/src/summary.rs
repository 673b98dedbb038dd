//! What came of a campaign, verb by verb.

use std::fmt::Write;

use rustc_hash::FxHashMap;
use serde_json::{Value, json};

use crate::failure::{Failure, Nature};
use crate::input::Verb;

/// A failing input.
#[derive(Debug, Clone)]
pub struct Found {
    /// The verb.
    pub verb: Verb,
    /// The seed.
    pub seed: u64,
    /// What went wrong.
    pub failure: Failure,
}

/// What came of the inputs of a verb.
#[derive(Debug, Clone, Copy, Default)]
pub struct Row {
    /// How many there were.
    pub inputs: u64,
    /// How many got past the reader.
    pub past_reader: u64,
    /// How many of these had findings.
    pub with_findings: u64,
    /// How many of these were refused later.
    pub refused: u64,
    /// How many failed, by nature: panics and answers that do not hold, aborts, timeouts, memory.
    pub failures: [u64; 4],
    /// How long they took, together.
    pub microseconds: u64,
    /// What the longest took, and its seed.
    pub longest: (u64, u64),
}

/// What came of all inputs.
#[derive(Debug, Clone)]
pub struct Summary {
    /// A row for each verb.
    pub rows: Vec<(Verb, Row)>,
    /// The failures.
    pub found: Vec<Found>,
    /// What was seen, and the input that showed it first.
    pub features: FxHashMap<u64, (Verb, u64)>,
    /// Why inputs were refused, and how many.
    pub reasons: FxHashMap<(Verb, String), u64>,
}

impl Summary {
    /// Nothing yet.
    pub fn new(verbs: &[Verb]) -> Summary {
        let rows = verbs.iter().map(|&verb| (verb, Row::default())).collect();
        Summary { rows, found: Vec::new(), features: FxHashMap::default(), reasons: FxHashMap::default() }
    }

    fn row(&mut self, verb: Verb) -> Option<&mut Row> {
        self.rows.iter_mut().find(|(of, _)| *of == verb).map(|(_, row)| row)
    }

    /// Counts an input; of a failure, `microseconds` are 0.
    pub(crate) fn count(
        &mut self,
        (verb, seed): (Verb, u64),
        past_reader: bool,
        refused: bool,
        findings: usize,
        microseconds: u64,
    ) {
        let Some(row) = self.row(verb) else { return };
        row.inputs += 1;
        row.past_reader += u64::from(past_reader);
        row.refused += u64::from(refused);
        row.with_findings += u64::from(findings > 0);
        row.microseconds += microseconds;
        row.longest = row.longest.max((microseconds, seed));
    }

    pub(crate) fn see(&mut self, feature: u64, verb: Verb, seed: u64) {
        let first = self.features.entry(feature).or_insert((verb, seed));
        // The same whichever worker is first.
        *first = (*first).min((verb, seed));
    }

    pub(crate) fn refuse(&mut self, verb: Verb, reason: String) {
        if !reason.is_empty() {
            *self.reasons.entry((verb, reason)).or_default() += 1;
        }
    }

    /// The most frequent reasons for which inputs were refused.
    pub fn most_frequent_reasons(&self, most: usize) -> Vec<(Verb, &str, u64)> {
        let mut reasons: Vec<_> =
            self.reasons.iter().map(|((verb, reason), &count)| (*verb, reason.as_str(), count)).collect();
        reasons.sort_by_key(|&(verb, reason, count)| (std::cmp::Reverse(count), verb, reason));
        reasons.truncate(most);
        reasons
    }

    pub(crate) fn fail(&mut self, found: Found) {
        let index = match found.failure.nature {
            Nature::Panic | Nature::Different => 0,
            Nature::Abort => 1,
            Nature::Timeout => 2,
            Nature::Memory => 3,
        };
        if let Some(row) = self.row(found.verb) {
            row.failures[index] += 1;
        }
        self.found.push(found);
    }

    pub(crate) fn add(&mut self, other: Summary) {
        for (verb, row) in other.rows {
            let Some(to) = self.row(verb) else { continue };
            to.inputs += row.inputs;
            to.past_reader += row.past_reader;
            to.with_findings += row.with_findings;
            to.refused += row.refused;
            to.failures.iter_mut().zip(row.failures).for_each(|(to, count)| *to += count);
            to.microseconds += row.microseconds;
            to.longest = to.longest.max(row.longest);
        }
        for (reason, count) in other.reasons {
            *self.reasons.entry(reason).or_default() += count;
        }
        self.found.extend(other.found);
        for (feature, (verb, seed)) in other.features {
            self.see(feature, verb, seed);
        }
    }

    /// How many inputs there were.
    pub fn inputs(&self) -> u64 {
        self.rows.iter().map(|(_, row)| row.inputs).sum()
    }

    /// The table, for people.
    pub fn table(&self, seconds: f64) -> String {
        let mut text = format!(
            "{:11} {:>9} {:>6} {:>9} {:>9} {:>7} {:>7} {:>8} {:>7} {:>9} {:>11} {:>10}\n",
            "verb",
            "inputs",
            "past",
            "findings",
            "refused",
            "panics",
            "aborts",
            "timeouts",
            "memory",
            "inputs/s",
            "longest ms",
            "(seed)"
        );
        let mut total = Row::default();
        let mut line = |name: &str, row: &Row, per_second: f64| {
            let share = 100.0 * row.past_reader as f64 / row.inputs.max(1) as f64;
            let [panics, aborts, timeouts, memory] = row.failures;
            let _ = writeln!(
                text,
                "{name:11} {:>9} {share:>5.1}% {:>9} {:>9} {panics:>7} {aborts:>7} {timeouts:>8} {memory:>7} {per_second:>9.0} {:>11} {:>10}",
                row.inputs,
                row.with_findings,
                row.refused,
                row.longest.0 / 1000,
                row.longest.1
            );
        };
        for (verb, row) in &self.rows {
            line(verb.name(), row, row.inputs as f64 * 1e6 / row.microseconds.max(1) as f64);
            total.inputs += row.inputs;
            total.past_reader += row.past_reader;
            total.with_findings += row.with_findings;
            total.refused += row.refused;
            total.failures.iter_mut().zip(row.failures).for_each(|(to, count)| *to += count);
            total.longest = total.longest.max(row.longest);
        }
        line("all", &total, total.inputs as f64 / seconds.max(1e-9));
        text
    }

    /// The same, for programs.
    pub fn json(&self, seconds: f64) -> Value {
        let rows = self.rows.iter().map(|(verb, row)| {
            json!({
                "verb": verb.name(), "inputs": row.inputs, "past_reader": row.past_reader, "with_findings": row.with_findings,
                "refused": row.refused, "panics": row.failures[0], "aborts": row.failures[1], "timeouts": row.failures[2],
                "memory": row.failures[3], "microseconds": row.microseconds, "longest_microseconds": row.longest.0,
                "longest_seed": row.longest.1,
            })
        });
        let found = self
            .found
            .iter()
            .map(|found| json!({"verb": found.verb.name(), "seed": found.seed, "failure": found.failure}));
        json!({"seconds": seconds, "verbs": rows.collect::<Vec<_>>(), "found": found.collect::<Vec<_>>(), "features": self.features.len()})
    }
}
