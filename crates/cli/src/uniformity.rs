//! `reconverge uniformity`: which values and branches are uniform, and why not.

mod explain;
mod listing;

use std::sync::LazyLock;
use std::time::Instant;

use reconverge_analysis::target::Scope;
use reconverge_analysis::uniformity::refinements::{RefinementKind, Settings};
use reconverge_analysis::uniformity::report::{Answer, Count, RefinementCounts, ReportOptions, analyze_functions};
use reconverge_ir::Module;
use serde::Serialize;
use serde_json::value::RawValue;

use crate::arguments::{Format, Scope as ScopeArgument, Uniformity};
use crate::exit::Status;
use crate::input::Problem;
use crate::json::Files;
use crate::lines::Lines;
use crate::session::{self, Session, counted};
use crate::source::Wanted;
use explain::Explained;

/// What is said of a file.
#[derive(Default, Serialize)]
struct FileReport {
    functions: Vec<Box<RawValue>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    explanations: Option<Vec<Box<RawValue>>>,
}

/// A function's answer, in the format that was asked for.
enum Output {
    Text(String),
    Json(Box<RawValue>),
}

/// How to speak of a file.
#[derive(Clone, Copy)]
struct Manner<'m> {
    path: &'m str,
    format: Format,
    color: bool,
    quiet: bool,
}

/// What the last line counts.
#[derive(Debug, Clone, Copy, Default)]
struct Tally {
    functions: usize,
    values: usize,
    branches: usize,
    divergent: Count,
    refinements: Option<RefinementCounts>,
}

pub(crate) fn run(session: &mut Session<'_>, arguments: &Uniformity) -> anyhow::Result<Status> {
    let mut status = Status::Clean;
    let mut files = Files::new();
    let mut total = Tally::default();
    let mut explained = Explained::new(&arguments.explain);
    for candidate in session.candidates(&arguments.inputs) {
        let path = candidate.name();
        let manner =
            Manner { path: &path, format: arguments.format, color: session.has_color(), quiet: session.global.quiet };
        let result = session.with_content(&candidate, &arguments.inputs, Wanted::default(), |content| {
            let text = &content.ir[..];
            let start = Instant::now();
            let (outputs, tally) = if arguments.explain.is_empty() {
                list(session, arguments, manner, text)?
            } else {
                explained.explain(session, arguments, manner, text)?
            };
            session.detail(|| {
                let speed = session::speed(text.len(), start.elapsed().as_secs_f64());
                format!("{path}: {}: read and analysed {speed}", counted(tally.functions, "function"))
            });
            Ok((outputs, tally))
        });
        let result = match result {
            Ok((outputs, tally)) => {
                total.add(&tally);
                let mut report = FileReport::default();
                for output in outputs.functions {
                    match output {
                        Output::Text(text) => session.print(&text)?,
                        Output::Json(function) => report.functions.push(function),
                    }
                }
                report.explanations = outputs.explanations;
                if session.global.quiet && arguments.explain.is_empty() && arguments.format == Format::Text {
                    session.print(&format!("{path}: {}\n", tally.summary()))?;
                }
                Ok(report)
            }
            Err(problem) => {
                status = Status::Unusable;
                Err(problem)
            }
        };
        files.push(path, result);
    }
    if let (Some(function), 0) = (&arguments.function, total.functions) {
        session::complain_missing(session, function, &arguments.inputs);
        status = Status::Unusable;
    } else if !explained.complain(session, arguments) {
        status = Status::Unusable;
    }
    match arguments.format {
        Format::Text if total.functions == 0 && status == Status::Unusable => {}
        Format::Text => {
            if let Some(refinements) = &total.refinements {
                session.print(&listing::refinement_table(refinements))?;
            }
            if arguments.explain.is_empty() {
                session.note(&total.summary());
            }
        }
        Format::Json => session.print_json(&files)?,
    }
    Ok(status)
}

/// What is said of the functions of a file, and of what is to be explained.
struct Outputs {
    functions: Vec<Output>,
    explanations: Option<Vec<Box<RawValue>>>,
}

/// All functions that are asked for.
fn list(
    session: &Session<'_>,
    arguments: &Uniformity,
    manner: Manner<'_>,
    text: &[u8],
) -> Result<(Outputs, Tally), Problem> {
    let scope = arguments.scope.into();
    let options = ReportOptions { target: session.target.as_deref(), scopes: &[scope] };
    let lines = LazyLock::new(|| Lines::new(text));
    let wanted = |module: &Module<'_>, id| session::is_asked_for(arguments.function.as_deref(), module, id);
    let (module, functions) = analyze_functions(text, &options, wanted, |subject, lowerer| {
        let analysis = subject.analyze(lowerer, scope, &Settings::refined());
        let answer = analysis.answer();
        let refinements = arguments.refinements.then(|| subject.refinement_counts(lowerer, scope));
        let output = match manner.format {
            Format::Json => Some(Output::Json(listing::json(&analysis, &answer, refinements.as_ref(), &lines))),
            Format::Text if manner.quiet => None,
            Format::Text => Some(Output::Text(listing::text(&analysis, &answer, manner, &lines))),
        };
        (output, Tally::of(&answer, refinements))
    })
    .map_err(|error| Problem::not_ir(manner.path, text, &error))?;
    session.note_unknown_triple(manner.path, &module);
    let mut tally = Tally::default();
    let mut outputs = Vec::with_capacity(functions.len());
    for (output, of_function) in functions.into_iter().flatten() {
        tally.add(&of_function);
        outputs.extend(output);
    }
    Ok((Outputs { functions: outputs, explanations: None }, tally))
}

impl From<ScopeArgument> for Scope {
    fn from(argument: ScopeArgument) -> Scope {
        match argument {
            ScopeArgument::Subgroup => Scope::Subgroup,
            ScopeArgument::Workgroup => Scope::Workgroup,
            ScopeArgument::Grid => Scope::Grid,
        }
    }
}

/// How the JSON calls a set of threads.
fn scope_keyword(scope: Scope) -> &'static str {
    match scope {
        Scope::Subgroup => "subgroup",
        Scope::Workgroup => "workgroup",
        Scope::Grid => "grid",
    }
}

impl Tally {
    fn of(answer: &Answer, refinements: Option<RefinementCounts>) -> Tally {
        let divergent = Count { values: answer.divergent_values.len(), branches: answer.divergent_branches.len() };
        Tally { functions: 1, values: answer.values, branches: answer.branches, divergent, refinements }
    }

    fn add(&mut self, other: &Tally) {
        self.functions += other.functions;
        self.values += other.values;
        self.branches += other.branches;
        self.divergent.add(other.divergent);
        if let Some(refinements) = &other.refinements {
            self.refinements.get_or_insert_default().add(refinements);
        }
    }

    fn summary(&self) -> String {
        format!("{} in {}", self.divergence(), counted(self.functions, "function"))
    }

    fn divergence(&self) -> String {
        let of = |divergent: usize, all: usize, what: &str| format!("{divergent} of {}", counted(all, what));
        format!(
            "{} and {} divergent",
            of(self.divergent.values, self.values, "value"),
            match self.branches {
                1 => format!("{} of 1 branch", self.divergent.branches),
                all => format!("{} of {all} branches", self.divergent.branches),
            }
        )
    }
}

/// The names and numbers of refinements, those first that are worth most; without those that are worth nothing.
fn by_worth(counts: &RefinementCounts) -> Vec<(RefinementKind, Count)> {
    let mut rows: Vec<(RefinementKind, Count)> = RefinementKind::ALL.into_iter().zip(counts.by_kind).collect();
    rows.retain(|(_, count)| *count != Count::default());
    rows.sort_by_key(|(_, count)| std::cmp::Reverse(count.values + count.branches));
    rows
}
