//! What a check has found, in numbers.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use reconverge::{Checked, Code, Diagnostic, Severity, Suppression, severity_name};
use serde::{Serialize, Serializer};

use crate::session::counted;
use reconverge::launches::file;

/// How much was found in all inputs.
#[derive(Debug, Default, Serialize)]
pub(crate) struct Summary {
    /// How often each rule is broken; errors first.
    #[serde(rename = "findings", serialize_with = "by_severity_and_code")]
    found: BTreeMap<(Reverse<Severity>, Code), usize>,
    /// How many more findings may be listed.
    #[serde(skip)]
    room: usize,
    /// How many findings are not listed, for `--max-findings`.
    not_listed: usize,
    /// How many do not count.
    suppressed: Suppressed,
    /// How many findings of the baseline there are no more.
    #[serde(rename = "gone_from_baseline", skip_serializing_if = "Option::is_none")]
    pub(crate) gone: Option<Gone>,
    functions: usize,
    files: usize,
}

/// Findings of a baseline that are gone.
#[derive(Debug)]
pub(crate) struct Gone {
    pub(crate) count: usize,
    /// The file of the baseline.
    pub(crate) file: String,
}

impl Serialize for Gone {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.count.serialize(serializer)
    }
}

/// How many findings do not count, by what suppresses them.
#[derive(Debug, Default, Serialize)]
struct Suppressed {
    comments: usize,
    settings: usize,
    baseline: usize,
}

impl Suppressed {
    fn add(&mut self, suppression: &Suppression) {
        *match suppression {
            Suppression::Comment { .. } => &mut self.comments,
            Suppression::Settings { .. } => &mut self.settings,
            Suppression::Baseline => &mut self.baseline,
        } += 1;
    }

    /// `; suppressed: 2 by comments, 1 by the baseline`, where there are some.
    fn clause(&self) -> String {
        let parts = [(self.comments, "comments"), (self.settings, "settings"), (self.baseline, "the baseline")];
        let parts = parts.into_iter().filter(|&(count, _)| count > 0).map(|(count, by)| format!("{count} by {by}"));
        let parts: Vec<String> = parts.collect();
        if parts.is_empty() { String::new() } else { format!("; suppressed: {}", parts.join(", ")) }
    }
}

impl Summary {
    /// Of nothing so far; at most `room` findings are to be listed.
    pub(crate) fn new(room: usize) -> Summary {
        Summary { room, ..Summary::default() }
    }

    /// Counts an input, without what was found in it.
    pub(crate) fn add_input(&mut self, checked: &Checked) {
        self.functions += checked.functions;
        self.files += 1;
    }

    /// Counts a finding, and says whether it is listed: of those that count, the first ones are.
    pub(crate) fn add(&mut self, diagnostic: &Diagnostic) -> bool {
        if let Some(suppression) = &diagnostic.suppression {
            self.suppressed.add(suppression);
            return true;
        }
        *self.found.entry((Reverse(diagnostic.severity), diagnostic.code)).or_default() += 1;
        match self.room.checked_sub(1) {
            Some(left) => {
                self.room = left;
                true
            }
            None => {
                self.not_listed += 1;
                false
            }
        }
    }

    /// A line for each rule where there are several findings, and one for all; none where no input could be used.
    pub(crate) fn lines(&self) -> Vec<String> {
        if self.files == 0 {
            return Vec::new();
        }
        let mut lines = Vec::new();
        if self.found.values().sum::<usize>() > 1 {
            let width = self.found.values().map(|count| count.to_string().len()).max().unwrap_or_default();
            lines.extend(self.found.iter().map(|((Reverse(severity), code), count)| {
                format!("{count:width$} × {}[{}]: {}", severity_name(*severity), code.name(), code.title())
            }));
        }
        lines.extend(self.not_listed_line());
        lines.extend(self.gone.as_ref().filter(|gone| gone.count > 0).map(|gone| {
            let are = if gone.count == 1 { "is" } else { "are" };
            let update = format!("--write-baseline {}", file(&gone.file));
            format!("{} of the baseline {are} gone: {update} updates it", counted(gone.count, "finding"))
        }));
        lines.push(self.total());
        lines
    }

    /// That not all findings are listed, where that is so.
    pub(crate) fn not_listed_line(&self) -> Option<String> {
        let are = if self.not_listed == 1 { "is" } else { "are" };
        let findings = counted(self.not_listed, "finding");
        (self.not_listed > 0).then(|| format!("{findings} {are} not listed (--max-findings)"))
    }

    fn total(&self) -> String {
        let of = |wanted: Severity| {
            let counts = self.found.iter().filter(|((Reverse(severity), _), _)| *severity == wanted);
            let count = counts.map(|(_, count)| count).sum();
            (count > 0).then(|| counted(count, severity_name(wanted)))
        };
        let found: Vec<String> =
            [Severity::Error, Severity::Warning, Severity::Hint].into_iter().filter_map(of).collect();
        let found = if found.is_empty() { "no findings".to_owned() } else { found.join(", ") };
        let functions = counted(self.functions, "function");
        match self.files {
            1 => format!("{found} in {functions}{}", self.suppressed.clause()),
            files => format!("{found} in {functions} of {}{}", counted(files, "file"), self.suppressed.clause()),
        }
    }
}

/// What a check does not look for, and the command that does.
pub(crate) fn not_looked_for(input: &str) -> String {
    let input = if input.starts_with('<') { "FILE".to_owned() } else { file(input) };
    format!(
        "not looked for: most data races, deadlocks, values from inactive lanes; to look for them in runs: reconverge run {input} --launches 100"
    )
}

fn by_severity_and_code<S: Serializer>(
    found: &BTreeMap<(Reverse<Severity>, Code), usize>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    #[derive(Serialize)]
    struct Row {
        code: &'static str,
        severity: &'static str,
        count: usize,
    }
    serializer.collect_seq(found.iter().map(|(&(Reverse(severity), code), &count)| Row {
        code: code.name(),
        severity: severity_name(severity),
        count,
    }))
}
