//! How much of the sources was understood, for people: a line or two for one input, the same in sum for several.

use std::collections::{BTreeSet, HashMap};

use reconverge::{Coverage, Error, Module, UnknownThing};

use crate::input::Problem;
use crate::output::Held;
use crate::session::{Session, counted};

/// What was not understood in the inputs so far.
#[derive(Debug, Default)]
pub(crate) struct Understood {
    /// Files in which nothing is marked convergent.
    passed_over_files: usize,
    headers: BTreeSet<String>,
    files_without_headers: usize,
    passed_over: usize,
    /// The names that are taken to be defined, and in how many files.
    assumed: BTreeSet<String>,
    files_with_assumed: usize,
    /// Kernels that conditionals leave out, and in how many files.
    unread: usize,
    files_with_unread: usize,
    kernels: Analysed,
    /// Of files without kernels.
    functions: Analysed,
    /// What was warned of, each thing once.
    warnings: BTreeSet<String>,
    /// In how many files clang might understand more, and why it is not there.
    without_clang: Option<(usize, String)>,
}

/// How many kernels or functions are analysed.
#[derive(Debug, Default)]
struct Analysed {
    all: usize,
    with_unknowns: usize,
    files_with_unknowns: usize,
}

impl Analysed {
    /// Adds those of one input.
    fn add(&mut self, coverage: &Coverage) {
        self.all += coverage.analysed();
        self.with_unknowns += coverage.first_unknown.len();
        self.files_with_unknowns += usize::from(!coverage.first_unknown.is_empty());
    }

    /// What is said of them, if some have unknowns.
    fn line(&self, of: &str, others: &str) -> Option<String> {
        let Analysed { all, with_unknowns, files_with_unknowns } = self;
        let (of, files) = (counted(*all, of), counted(*files_with_unknowns, "file"));
        let said = || format!("{with_unknowns} of {of} analysed with unknowns, in {files}{others} (-v lists them)");
        (*with_unknowns > 0).then(said)
    }
}

impl Understood {
    /// Adds what is known of one input.
    fn add(&mut self, module: &Module, coverage: &Coverage) {
        self.passed_over_files += usize::from(coverage.is_passed_over);
        let kind = if coverage.kernels > 0 { &mut self.kernels } else { &mut self.functions };
        kind.add(coverage);
        self.assumed.extend(coverage.assumed.iter().map(|assumed| assumed.name.clone()));
        self.files_with_assumed += usize::from(!coverage.assumed.is_empty());
        self.unread += coverage.unread_kernels;
        self.files_with_unread += usize::from(coverage.unread_kernels > 0);
        // Of a file without kernels nothing is missed.
        if coverage.kernels > 0 {
            let missing = module.source().into_iter().flat_map(|source| &source.missing_headers);
            self.headers.extend(missing.cloned());
            self.files_without_headers += usize::from(!coverage.missing_headers.is_empty());
            self.passed_over += coverage.passed_over_count;
        }
    }

    /// Counts a warning on the text of an input.
    pub(super) fn warn(&mut self, warning: String) {
        self.warnings.insert(warning);
    }

    /// Counts a file that clang might understand, if it were there.
    pub(super) fn without_clang(&mut self, missing: &str) {
        self.without_clang.get_or_insert_with(|| (0, missing.to_owned())).0 += 1;
    }

    /// What is said after the last of several inputs.
    pub(crate) fn lines(&self) -> Vec<String> {
        let mut lines = Vec::new();
        if !self.warnings.is_empty() {
            lines.push(format!("{} on the text of the files (-v lists them)", counted(self.warnings.len(), "warning")));
        }
        if let Some((files, missing)) = &self.without_clang {
            lines.push(format!(
                "{} read by the built-in front end alone, as {missing} (-v lists them)",
                counted(*files, "file")
            ));
        }
        if !self.assumed.is_empty() {
            let (names, files) = (names(&self.assumed), counted(self.files_with_assumed, "file"));
            lines.push(format!("{names} taken to be defined, in {files} that would have no kernels (-v lists them)"));
        }
        if self.unread > 0 {
            let (kernels, files) = (counted(self.unread, "kernel"), counted(self.files_with_unread, "file"));
            lines.push(format!("{kernels} left out by conditionals, in {files} (-v lists them)"));
        }
        if self.passed_over_files > 0 {
            let files = counted(self.passed_over_files, "file");
            lines.push(format!("{files} of C and C++ passed over: nothing is marked convergent there (-v lists them)"));
        }
        let said = passed_over(self.headers.len(), self.passed_over);
        if !said.is_empty() {
            let files = counted(self.files_without_headers, "file");
            let of = if self.headers.is_empty() { String::new() } else { format!(" in {files}") };
            lines.push(format!("{}{of}, and passed over (-v lists them)", said.join(", ")));
        }
        lines.extend(self.kernels.line("kernel", ""));
        lines.extend(self.functions.line("function", " without kernels"));
        lines
    }
}

/// Says how much of an input was understood: in full under `-v` or where it is the only one, else it is kept for the end.
pub(super) fn note(session: &Session<'_>, module: &Module, coverage: &Coverage) {
    if session.has_many_inputs() {
        session.understood().add(module, coverage);
    }
    if coverage.is_passed_over {
        return session.note_of_one(|| format!("{}: passed over: nothing in it is marked convergent", module.name()));
    }
    for misspelt in coverage.misspelt.iter().filter(|_| !session.global.quiet) {
        let problem = Problem::from(misspelt.clone());
        session.say(Held { lines: [vec![problem.to_string()], problem.shown].concat(), is_once: true });
    }
    note_conditionals(session, module.name(), coverage);
    note_passed_over(session, module.name(), coverage);
    note_unknowns(session, module.name(), coverage);
}

/// Says how many kernels have unknowns, and why; with `-v` what is not known. Of a file without kernels, the same of its functions.
fn note_unknowns(session: &Session<'_>, name: &str, coverage: &Coverage) {
    let first_unknown = &coverage.first_unknown;
    for (_, open) in &coverage.first_open {
        let line = open.position.map_or(0, |position| position.line);
        session.detail(|| format!("  {}:{line}: analysed for all values and types: {}", open.path, open.message));
    }
    let Some((_, first)) = first_unknown.first() else { return };
    let place = match first.position {
        Some(position) if first.path == name => format!("line {}: ", position.line),
        Some(position) => format!("{}:{}: ", first.path, position.line),
        None => String::new(),
    };
    let (with_unknowns, analysed) = (first_unknown.len(), counted(coverage.analysed(), coverage.counted()));
    let causes = causes(coverage);
    let more = if causes.len() > 1 && !session.global.verbose { " (-v lists all)" } else { "" };
    let place_of = |error: &Error| (error.path.clone(), error.position);
    let is_said = coverage.misspelt.iter().any(|misspelt| place_of(misspelt) == place_of(first));
    let first = if is_said { String::new() } else { format!(": {place}{}", first.message) };
    session.note_of_one(|| format!("{name}: {with_unknowns} of {analysed} analysed with unknowns{first}{more}"));
    for (first, others) in causes {
        session.detail(|| {
            let path = first.path.as_deref().unwrap_or(name);
            let others = match others {
                0 => String::new(),
                1 => " and 1 other function".to_owned(),
                others => format!(" and {others} other functions"),
            };
            format!("  {path}:{}: `{}` is not known, in `{}`{others}", first.line, first.name, first.function)
        });
    }
}

/// What is not known, each thing where it is used first, and in how many functions more.
fn causes(coverage: &Coverage) -> Vec<(&UnknownThing, usize)> {
    let mut causes: Vec<(&UnknownThing, usize)> = Vec::new();
    let mut known = HashMap::new();
    for unknown in &coverage.unknown {
        let index = *known.entry(&unknown.name).or_insert(causes.len());
        match causes.get_mut(index) {
            Some((_, others)) => *others += 1,
            None => causes.push((unknown, 0)),
        }
    }
    causes
}

/// Says which names are taken to be defined, and how many kernels are left out for a name that is not.
fn note_conditionals(session: &Session<'_>, name: &str, coverage: &Coverage) {
    for assumed in &coverage.assumed {
        let (line, assumed) = (assumed.line, &assumed.name);
        session.note_of_one(|| {
            format!("{name}: `{assumed}` is taken to be defined: without it there are no kernels (line {line})")
        });
    }
    if coverage.unread_kernels > 0 {
        let kernels = counted(coverage.unread_kernels, "kernel");
        let hint = if session.global.verbose { "" } else { " (-v lists them)" };
        session.note_of_one(|| format!("{name}: {kernels} left out by conditionals{hint}"));
        let list = |error: &Error| session.detail(|| format!("  {}", Problem::from(error.clone())));
        coverage.unread.iter().for_each(list);
    }
}

/// A few names, and how many others there are.
fn names(all: &BTreeSet<String>) -> String {
    const SHOWN: usize = 3;
    let shown: Vec<String> = all.iter().take(SHOWN).map(|name| format!("`{name}`")).collect();
    match (shown.as_slice(), all.len() - shown.len()) {
        ([one], 0) => format!("{one} is"),
        ([first @ .., last], 0) => format!("{} and {last} are", first.join(", ")),
        (_, others) => format!("{} and {others} more are", shown.join(", ")),
    }
}

/// Says how much was passed over, and with `-v` what.
fn note_passed_over(session: &Session<'_>, name: &str, coverage: &Coverage) {
    let said = passed_over(coverage.missing_headers.len(), coverage.passed_over_count);
    if said.is_empty() {
        return;
    }
    let hint = if session.global.verbose { "" } else { " (-v lists them)" };
    session.note_of_one(|| format!("{name}: {}, and passed over{hint}", said.join(", ")));
    let list = |error: &Error| session.detail(|| format!("  {}", Problem::from(error.clone())));
    coverage.missing_headers.iter().chain(&coverage.passed_over).for_each(list);
}

/// `2 headers were not found` and the like.
fn passed_over(headers: usize, others: usize) -> Vec<String> {
    let counts = [
        (headers, "header was not found", "headers were not found"),
        (others, "declaration or directive was not understood", "declarations and directives were not understood"),
    ];
    let said = counts.iter().filter(|count| count.0 > 0);
    said.map(|&(count, one, more)| format!("{count} {}", if count == 1 { one } else { more })).collect()
}
