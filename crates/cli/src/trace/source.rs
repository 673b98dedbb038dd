//! Tables at the source: a thread is given by the evaluations that it passes, and a text says who is together there.
//!
//! Which evaluations have names, and when a list of them is a way through the function, `reconverge_outline::dynamics` defines.

use anyhow::{Context, anyhow, bail};
use reconverge_findings::words;
use reconverge_graph::SuccessorOrder;
use reconverge_lang::lower::FunctionPlan;
use reconverge_lang::source::{LineTable, Location};
use reconverge_lang::translate::Translation;
use reconverge_lang::typed::FunctionData;
use reconverge_outline::Node;
use reconverge_outline::convergence::{self, Analysis, analyze};
use reconverge_outline::dynamics::flow::Flow;
use reconverge_outline::dynamics::{Choice, Keys, Model as Rule, Names, NamesError, Rules, Unrelated, table_of_keys};
use reconverge_semantics::{ConvergenceOrder, Key, Place, Table};
use rustc_hash::FxHashSet;
use serde::Serialize;

use super::paths;
use crate::arguments::{Model, SourceModel, TableFormat, Trace, TraceAnchor};
use crate::near::Near;

/// What a text says of the ways of threads through a function.
#[derive(Serialize)]
pub(super) struct SourceReport {
    model: &'static str,
    /// What is done where the text leaves a choice.
    choice: &'static str,
    threads: Vec<Thread>,
    #[serde(skip)]
    title: &'static str,
    #[serde(skip)]
    table: Table,
    /// Where the text leaves a choice, and why.
    #[serde(skip)]
    open: Vec<String>,
}

#[derive(Serialize)]
struct Thread {
    instances: Vec<Instance>,
}

/// An evaluation of a full expression with a convergent operation.
#[derive(Serialize)]
struct Instance {
    /// Its name.
    block: String,
    /// Equal to that of another thread's instance iff they are converged.
    key: u32,
    /// With a number.
    name: String,
    /// The column of the table, counted from 1.
    column: usize,
    line: u32,
    /// Whether the text says who takes part; else the implementation has a choice.
    defined: bool,
}

/// The tables that are asked for of a function, with its name in IR and its line; none where the file has no such function.
pub(super) fn reports(
    arguments: &Trace,
    translation: &Translation,
    models: &[SourceModel],
) -> anyhow::Result<Option<(String, usize, Vec<SourceReport>)>> {
    let asked = arguments.function.trim_start_matches('@');
    let functions = translation.program.iter().flat_map(|program| program.functions.iter());
    let with_plan = functions.filter_map(|(id, data)| Some((data, translation.plans[id].as_ref()?)));
    let is_asked = |data: &FunctionData| data.linkage_name == asked || data.name == asked;
    let found: Vec<(&FunctionData, &FunctionPlan)> = with_plan.filter(|(data, _)| is_asked(data)).collect();
    let (data, plan) = match found[..] {
        [] => return Ok(None),
        [one] => one,
        _ => {
            let names: Vec<String> = found.iter().map(|(data, _)| format!("@{}", data.linkage_name)).collect();
            bail!("several functions are called {asked}: {}; name one of them", names.join(", "));
        }
    };
    if arguments.hierarchy.is_some() || arguments.all_hierarchies {
        bail!(
            "--hierarchy and --all-hierarchies are about the cycles of IR; expected --model maximal or controlled with them"
        );
    }
    let lines = LineTable::new(&translation.sources);
    let position = |location: Location| lines.line(location).map(|(_, line, column)| (line, column));
    let names = Names::new(&plan.outline, &analyze(&plan.outline, SourceModel::default().into()), position);
    let function = format!("@{}", data.linkage_name);
    let walks = walks(arguments, plan, &names).with_context(|| function.clone())?;
    let subject = Subject { plan, translation, names: &names, walks: &walks, position: &position };
    let reports = models.iter().map(|&model| report(&subject, model, arguments.anchor));
    let line = position(data.location).map_or(0, |(line, _)| line as usize);
    Ok(Some((function, line, reports.collect::<anyhow::Result<_>>()?)))
}

/// The texts that a model names; none for those that ask the graph.
pub(super) fn texts(model: Option<Model>) -> Option<Vec<SourceModel>> {
    use SourceModel::{Clang2025_04, Clang2025_08, Tangles2024_10};
    Some(match model {
        None | Some(Model::Clang2025_04) => vec![Clang2025_04],
        Some(Model::Tangles2024_10) => vec![Tangles2024_10],
        Some(Model::Clang2025_08) => vec![Clang2025_08],
        Some(Model::All) => vec![Clang2025_04, Tangles2024_10, Clang2025_08],
        Some(Model::Maximal | Model::Controlled | Model::Ipdom) => return None,
    })
}

/// The ways of all threads.
fn walks(arguments: &Trace, plan: &FunctionPlan, names: &Names<'_>) -> anyhow::Result<Vec<Vec<Node>>> {
    let flow = Flow::new(&plan.outline);
    let walk = |(number, argument): (usize, &String)| {
        let list: Vec<&str> = paths::words(argument).collect();
        let walk = names.walk(&list).map_err(|error| impossible(error, names));
        let walk = walk.with_context(|| format!("thread {number}"))?;
        if !arguments.partial {
            ends(&flow, names, &walk).with_context(|| format!("thread {number}"))?;
        }
        Ok(walk)
    };
    (1..).zip(&arguments.paths).map(walk).collect()
}

/// Why a list is no way, in words.
fn impossible(error: NamesError, names: &Names<'_>) -> anyhow::Error {
    let step = match &error {
        NamesError::Unknown { name, .. } => {
            if name.is_empty() {
                return anyhow!("expected the name of an evaluation");
            }
            let mut near = Near::default();
            names.all().for_each(|(_, known)| near.consider(name, known));
            let suggestions: Vec<&str> = near.names().collect();
            let known: Vec<&str> = names.all().map(|(_, name)| name).take(20).collect();
            return match (suggestions.as_slice(), known.as_slice()) {
                (_, []) => anyhow!("no convergent operation is in this function, so that nothing in it has a name"),
                ([], known) => anyhow!("no evaluation is called {name}; there are {}", known.join(", ")),
                (near, _) => anyhow!("no evaluation is called {name}; did you mean {}?", near.join(" or ")),
            };
        }
        NamesError::Impossible { position, .. } | NamesError::Ambiguous { position, .. } => position + 1,
    };
    anyhow!("step {step}: {error}")
}

/// Whether a thread can end behind a walk without another named evaluation.
fn ends(flow: &Flow, names: &Names<'_>, walk: &[Node]) -> anyhow::Result<()> {
    let Some(&last) = walk.last() else { bail!("a path has at least one evaluation") };
    let mut seen = FxHashSet::default();
    let mut next = Vec::new();
    let mut work = vec![last];
    while let Some(node) = work.pop() {
        if flow.can_end(node) {
            return Ok(());
        }
        for &successor in flow.successors(node) {
            if seen.insert(successor) {
                match names.name(successor) {
                    Some(name) => next.push((successor, name)),
                    None => work.push(successor),
                }
            }
        }
    }
    next.sort_unstable();
    let next: Vec<&str> = next.into_iter().map(|(_, name)| name).collect();
    let last = names.name(last).map_or_else(String::new, |name| format!(", after {name}"));
    bail!("ends early{last}: what comes next is {} (--partial lets a path end anywhere)", next.join(" or "))
}

/// What is asked about.
struct Subject<'s> {
    plan: &'s FunctionPlan,
    translation: &'s Translation,
    names: &'s Names<'s>,
    walks: &'s [Vec<Node>],
    position: &'s dyn Fn(Location) -> Option<(u32, u32)>,
}

fn report(subject: &Subject<'_>, model: SourceModel, anchor: TraceAnchor) -> anyhow::Result<SourceReport> {
    let outline = &subject.plan.outline;
    let analysis = analyze(outline, model.into());
    let rules = Rules::new(outline, &analysis, rule(model, anchor));
    let mut keys = Keys::new(&rules);
    let keys: Vec<Vec<Key>> = subject.walks.iter().map(|walk| keys.walk(0, walk)).collect();
    let no_table = |contradiction| anyhow!("no table: {contradiction:?}");
    let order = ConvergenceOrder::new(&keys).map_err(no_table)?;
    let table = table_of_keys(subject.names, subject.walks, &keys).map_err(no_table)?;
    let instance = |thread: usize, position: usize| {
        let node = subject.walks[thread][position];
        let column = table.classes.binary_search(&order.class(Place { thread, position })).ok()?;
        Some(Instance {
            block: subject.names.name(node)?.to_owned(),
            key: keys[thread][position].0,
            name: table.rows[thread][column].clone()?,
            column: column + 1,
            line: (subject.position)(outline.nodes[node].location).map_or(0, |(line, _)| line),
            defined: analysis.is_defined(node),
        })
    };
    let row = |thread: usize| Thread {
        instances: (0..subject.walks[thread].len()).filter_map(|position| instance(thread, position)).collect(),
    };
    let threads = (0..subject.walks.len()).map(row).collect();
    let (name, title) = match model {
        SourceModel::Clang2025_04 => ("clang-2025-04", "thread convergence, April 2025"),
        SourceModel::Tangles2024_10 => ("tangles-2024-10", "thread tangles, October 2024"),
        SourceModel::Clang2025_08 => ("clang-2025-08", "convergence control, August 2025"),
    };
    let choice = match anchor {
        TraceAnchor::Maximal => "maximal",
        TraceAnchor::Solo => "solo",
    };
    Ok(SourceReport { model: name, choice, threads, title, open: open(subject, &analysis), table })
}

/// The rules of a text, and the choice where it leaves one.
fn rule(model: SourceModel, anchor: TraceAnchor) -> Rule {
    let choice = match anchor {
        TraceAnchor::Maximal => Choice::Maximal(SuccessorOrder::Forward),
        TraceAnchor::Solo => Choice::Solo,
    };
    match (model, anchor) {
        (SourceModel::Clang2025_04, _) => Rule::Clang2025_04(choice),
        (SourceModel::Clang2025_08, _) => Rule::Clang2025_08(choice),
        (SourceModel::Tangles2024_10, TraceAnchor::Maximal) => {
            Rule::Tangles2024_10(Unrelated::United(SuccessorOrder::Forward))
        }
        (SourceModel::Tangles2024_10, TraceAnchor::Solo) => Rule::Tangles2024_10(Unrelated::Apart),
    }
}

/// The operations on the ways whose threads are up to the implementation, a line each.
fn open(subject: &Subject<'_>, analysis: &Analysis) -> Vec<String> {
    let passed: FxHashSet<Node> = subject.walks.iter().flatten().copied().collect();
    let findings = convergence::findings(&subject.plan.outline, analysis);
    let passed = findings.iter().filter(|finding| passed.contains(&finding.node));
    let line = |finding: &convergence::Finding| {
        let position = subject.translation.sources.position(finding.operation.location);
        let place = position.map(|at| format!("{}:{}: ", at.path.display(), at.line)).unwrap_or_default();
        format!("{place}{}", words::up_to_implementation(&finding.operation.name, finding.why()))
    };
    passed.map(line).collect()
}

impl SourceReport {
    /// A title and the table, and where the text leaves a choice.
    pub(super) fn describe(&self, place: &str, format: TableFormat) -> String {
        let table = match format {
            TableFormat::Markdown => self.table.markdown(),
            _ => self.table.text(),
        };
        let mut text = format!("{place}, {} ({})\n\n{table}\n", self.model, self.title);
        if !self.open.is_empty() {
            let choice = match self.choice {
                "solo" => "nobody is together",
                _ => "as many are together as the cycles allow",
            };
            text.push_str(&format!("where the implementation has a choice, {choice}:\n"));
            self.open.iter().for_each(|line| text.push_str(&format!("  {line}\n")));
            text.push('\n');
        }
        text
    }
}
