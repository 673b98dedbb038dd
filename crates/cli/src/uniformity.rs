//! `reconverge uniformity`: which values and branches are uniform, and why not.

mod expert;
mod explain;
mod listing;

use std::time::Instant;

use rayon::iter::{IntoParallelRefIterator, ParallelIterator};
use reconverge::{
    Detail, FunctionUniformity, MachineAnswer, RefinementKind, UniformityOptions, Worth, machine_uniformity, uniformity,
};
use serde::Serialize;
use serde_json::value::{RawValue, to_raw_value};

use crate::arguments::{Format, Scope as ScopeArgument, Uniformity};
use crate::exit::Status;
use crate::input::Opened;
use crate::json::Files;
use crate::near::Near;
use crate::session::{self, Session, counted};
use crate::source::Wanted;
use explain::{Asked, Teller};

/// What is said of a file. Text and JSON of a function are made by any thread, so that printing is only writing.
#[derive(Default, Serialize)]
struct FileReport {
    functions: Vec<Box<RawValue>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    explanations: Option<Vec<Box<RawValue>>>,
}

/// How to speak of a file.
#[derive(Clone, Copy)]
struct Manner<'m> {
    path: &'m str,
    color: bool,
}

/// What the last line counts.
#[derive(Debug, Clone, Copy, Default)]
struct Tally {
    functions: usize,
    /// Of source: expressions.
    values: usize,
    branches: usize,
    divergent: Worth,
    of_source: bool,
}

pub(crate) fn run(session: &Session<'_>, arguments: &Uniformity) -> anyhow::Result<Status> {
    if let Some(done) = expert::run(session, arguments) {
        return done;
    }
    let mut status = Status::Clean;
    // Whether there is machine IR, and whether functions of it are not understood.
    let (mut is_machine, mut is_left_out) = (false, false);
    let mut near = Near::default();
    let mut files = Files::new();
    let mut total = Tally::default();
    let mut refinements: Vec<(RefinementKind, Worth)> = by_kind(None);
    let mut all_refinements = Worth::default();
    let mut asked = Asked::new(&arguments.explain);
    let (is_text, is_list) = (arguments.format == Format::Text, arguments.explain.is_empty());
    let is_listed = is_text && is_list && !session.global.quiet;
    let options = UniformityOptions {
        scope: arguments.scope.into(),
        function: arguments.function.clone(),
        refinements: arguments.refinements,
        detail: match is_text {
            true if is_listed => Detail::Reasons,
            true => Detail::Counts,
            false => Detail::Names,
        },
        explain: arguments.explain.clone(),
    };
    let wanted = Wanted { origins: true, of_ir: !arguments.explain.is_empty(), ..Wanted::analysis() };
    for candidate in session.candidates(&arguments.inputs) {
        let path = candidate.name();
        let manner = Manner { path: &path, color: session.has_color() };
        let result = session.with_opened(&candidate, &arguments.inputs, wanted, |opened| {
            let start = Instant::now();
            let (found, source, bytes) = match opened {
                Opened::Module(content) => {
                    status = status.max(Status::of_coverage(content, session.global.strict));
                    let found = uniformity(content, &options)?;
                    session.note_unknown_triple(&path, content.unknown_triple());
                    asked.note(session, &path, content, &found.answered);
                    (found, content.source(), content.ir().len())
                }
                Opened::Machine(content) => {
                    is_machine = true;
                    let MachineAnswer { found, left_out, .. } = machine_uniformity(content, &options)?;
                    is_left_out |= session.complain_left_out(&left_out);
                    (found, None, content.text().len())
                }
            };
            let report = match is_text {
                true => FileReport::default(),
                false => FileReport {
                    functions: raw(&found.functions),
                    explanations: found.explanations.as_ref().map(|explanations| raw(explanations)),
                },
            };
            let text: Vec<String> = match (is_listed, &found.explanations) {
                (true, _) => found.functions.par_iter().map(|function| listing::text(function, manner)).collect(),
                (false, Some(explanations)) if is_text => {
                    Teller::new(source, manner).functions(&found.functions, explanations)
                }
                _ => Vec::new(),
            };
            if let (Some(asked), true) = (&arguments.function, found.function_count == 0) {
                near.merge(asked, opened.functions_near(asked));
            }
            session.detail(|| {
                let speed = session::speed(bytes, start.elapsed().as_secs_f64());
                format!("{path}: {}: read and analysed {speed}", counted(found.function_count, "function"))
            });
            Ok((found, report, text))
        });
        let result = result.map(|(found, report, text)| {
            let mut tally = found.functions.iter().map(Tally::of).fold(Tally::default(), Tally::plus);
            tally.functions = found.function_count;
            for counts in found.functions.iter().filter(|_| is_list).filter_map(|one| one.refinements.as_ref()) {
                add(&mut all_refinements, counts["all"]);
                refinements.iter_mut().for_each(|(kind, worth)| add(worth, counts[kind.name()]));
            }
            (tally, report, text)
        });
        let result = match result {
            Ok((tally, report, text)) => {
                total = total.plus(tally);
                text.iter().try_for_each(|text| session.print(text))?;
                if session.global.quiet && is_list && is_text {
                    session.print(&format!("{path}: {}\n", tally.summary()))?;
                }
                Ok(report)
            }
            Err(problem) => {
                status = Status::Unusable;
                Err(problem)
            }
        };
        files.push(session, path, result);
    }
    if is_left_out {
        status = Status::Unusable;
    }
    if let (Some(function), 0, false) = (&arguments.function, total.functions, is_left_out) {
        session::complain_missing(session, function, &near, &arguments.inputs);
        status = Status::Unusable;
    } else if !is_machine && !asked.complain(session, arguments) {
        status = Status::Unusable;
    }
    match arguments.format {
        Format::Text if total.functions == 0 && status == Status::Unusable => {}
        Format::Text => {
            if is_list && arguments.refinements && total.functions > 0 {
                session.print(&listing::refinement_table(by_worth(refinements), all_refinements))?;
            }
            if is_list {
                session.note(&total.summary());
            }
        }
        Format::Json => session.print_json(&files)?,
    }
    Ok(status)
}

/// The JSON of many things.
fn raw<T: Serialize + Sync>(things: &[T]) -> Vec<Box<RawValue>> {
    things.par_iter().map(|thing| to_raw_value(thing).expect("these are names and numbers")).collect()
}

impl From<ScopeArgument> for reconverge::Scope {
    fn from(argument: ScopeArgument) -> reconverge::Scope {
        match argument {
            ScopeArgument::Subgroup => reconverge::Scope::Subgroup,
            ScopeArgument::Workgroup => reconverge::Scope::Workgroup,
            ScopeArgument::Grid => reconverge::Scope::Grid,
        }
    }
}

impl Tally {
    fn of(function: &FunctionUniformity) -> Tally {
        if let Some(source) = &function.source {
            let mut divergent = Worth::default();
            divergent.values = source.expressions.divergent;
            divergent.branches = source.branches.divergent;
            let (values, branches) = (source.expressions.total, source.branches.total);
            return Tally { functions: 1, values, branches, divergent, of_source: true };
        }
        let mut divergent = Worth::default();
        divergent.values = function.values.count;
        divergent.branches = function.terminators.count;
        Tally {
            functions: 1,
            values: function.values.total,
            branches: function.terminators.branches,
            divergent,
            of_source: false,
        }
    }

    fn plus(mut self, other: Tally) -> Tally {
        self.functions += other.functions;
        self.values += other.values;
        self.branches += other.branches;
        self.of_source |= other.of_source;
        add(&mut self.divergent, other.divergent);
        self
    }

    fn summary(&self) -> String {
        format!("{} in {}", self.divergence(), counted(self.functions, "function"))
    }

    fn divergence(&self) -> String {
        let of = |divergent: usize, all: usize, what: &str| format!("{divergent} of {}", counted(all, what));
        format!(
            "{} and {} divergent",
            of(self.divergent.values, self.values, if self.of_source { "expression" } else { "value" }),
            match self.branches {
                1 => format!("{} of 1 branch", self.divergent.branches),
                all => format!("{} of {all} branches", self.divergent.branches),
            }
        )
    }
}

fn add(worth: &mut Worth, other: Worth) {
    worth.values += other.values;
    worth.branches += other.branches;
}

/// What each refinement is worth; nothing where nobody has counted.
fn by_kind(function: Option<&FunctionUniformity>) -> Vec<(RefinementKind, Worth)> {
    let counts = function.and_then(|function| function.refinements.as_ref());
    let worth = |kind: RefinementKind| counts.and_then(|counts| counts.get(kind.name())).copied().unwrap_or_default();
    RefinementKind::ALL.into_iter().map(|kind| (kind, worth(kind))).collect()
}

/// Those refinements first that are worth most; without those that are worth nothing.
fn by_worth(mut rows: Vec<(RefinementKind, Worth)>) -> Vec<(RefinementKind, Worth)> {
    rows.retain(|(_, worth)| *worth != Worth::default());
    rows.sort_by_key(|(_, worth)| std::cmp::Reverse(worth.values + worth.branches));
    rows
}
