//! Tables at the source: a thread is given by the evaluations that it passes, and a text says who is together there.
//!
//! Which evaluations have names, and when a list of them is a way through the function, `reconverge_outline::dynamics` defines.

use reconverge_exec::launch::Launch;
use reconverge_exec::{Linked, Recording};
use reconverge_findings::words;
use reconverge_graph::SuccessorOrder;
use reconverge_lang::lower::{FunctionPlan, has_marker, marker_number};
use reconverge_lang::options::SourceModel;
use reconverge_lang::source::Location;
use reconverge_lang::start;
use reconverge_lang::translate::Translation;
use reconverge_lang::typed::{Function, FunctionData};
use reconverge_outline::Node;
use reconverge_outline::convergence::{self, Analysis, Start, analyze};
use reconverge_outline::dynamics::flow::Flow;
use reconverge_outline::dynamics::{Choice, Keys, Model as Rule, Names, NamesError, Rules, Unrelated, table_of_keys};
use reconverge_semantics::{Contradiction, ConvergenceOrder, Key, Place, Table};
use rustc_hash::FxHashSet;
use serde::Serialize;

use super::paths;
use super::{AllModels, Refusal, TraceAnswer, TraceModel, TraceOptions, Traced};
use crate::ErrorKind;
use crate::launch::said;
use crate::module::is_called;
use crate::near::Near;
use crate::run::source_model_name;

/// What a text says of the ways of threads through a function.
#[derive(Debug, Clone, Serialize)]
#[non_exhaustive]
pub struct SourceReport {
    /// The text.
    pub model: &'static str,
    /// What is done where the text leaves a choice: `maximal` or `solo`, or `run` for what a run did.
    pub choice: &'static str,
    /// What each thread passes.
    pub threads: Vec<SourceThread>,
    /// The text in words.
    #[serde(skip)]
    pub title: &'static str,
    /// The table.
    #[serde(skip)]
    pub table: Table,
    /// Where the text leaves a choice, and why.
    #[serde(skip)]
    pub open: Vec<String>,
}

/// What a thread passes.
#[derive(Debug, Clone, Serialize)]
#[non_exhaustive]
pub struct SourceThread {
    /// The evaluations.
    pub instances: Vec<SourceInstance>,
}

/// An evaluation of a convergent operation.
#[derive(Debug, Clone, Serialize)]
#[non_exhaustive]
pub struct SourceInstance {
    /// Its name.
    pub block: String,
    /// Equal to that of another thread's instance iff they are converged.
    pub key: u32,
    /// With a number.
    pub name: String,
    /// The column of the table, counted from 1.
    pub column: usize,
    /// Its line.
    pub line: u32,
    /// Whether the text says who takes part; else the implementation has a choice.
    pub defined: bool,
}

/// The answer of texts that define convergence at the source; none where the source has no such function.
pub(super) fn trace(
    options: &TraceOptions,
    translation: &Translation,
    texts: &[SourceModel],
) -> Result<Option<Traced>, Refusal> {
    let Some((function, line, mut reports)) = reports(options, translation, texts)? else { return Ok(None) };
    let answer = match options.model {
        Some(TraceModel::All) => TraceAnswer::AllOfSource(AllModels { model: "all", models: reports }),
        _ => TraceAnswer::Source(reports.remove(0)),
    };
    Ok(Some(Traced { function, line, blocks: Vec::new(), answer }))
}

/// The tables that are asked for of a function, with its name in IR and its line; none where the file has no such function.
fn reports(
    options: &TraceOptions,
    translation: &Translation,
    models: &[SourceModel],
) -> Result<Option<(String, usize, Vec<SourceReport>)>, Refusal> {
    let asked = options.function.trim_start_matches('@');
    let functions = translation.program.iter().flat_map(|program| program.functions.iter());
    let with_plan = functions.filter_map(|(id, data)| Some((id, data, translation.plans[id].as_ref()?)));
    let is_asked = |data: &FunctionData| data.name == asked || is_called(data.linkage_name.as_bytes(), asked);
    let found: Vec<(Function, &FunctionData, &FunctionPlan)> =
        with_plan.filter(|(_, data, _)| is_asked(data)).collect();
    let (id, data, plan) = match found[..] {
        [] => return Ok(None),
        [one] => one,
        _ => {
            let names: Vec<String> = found.iter().map(|(_, data, _)| format!("@{}", data.linkage_name)).collect();
            let message = format!("several functions are called {asked}: {}; name one of them", names.join(", "));
            return Err((ErrorKind::Options, message));
        }
    };
    if options.hierarchy.is_some() || options.all_hierarchies {
        let message = "--hierarchy and --all-hierarchies are about the cycles of IR; expected --model maximal or controlled with them";
        return Err((ErrorKind::Options, message.to_owned()));
    }
    let position = |location: Location| translation.sources.line(location).map(|(_, line, column)| (line, column));
    let names = Names::new(&plan.outline, &analyze(&plan.outline, SourceModel::default()), position);
    let function = format!("@{}", data.linkage_name);
    let said = said(&data.linkage_name);
    let walks = walks(options, plan, &names).map_err(|message| (ErrorKind::Path, format!("{said}: {message}")))?;
    let start =
        translation.program.as_ref().map_or(Start::default(), |program| start::starts(program, options.entry)[id]);
    let subject = Subject { plan, translation, names: &names, walks: &walks, position: &position, start };
    let reports = models.iter().map(|&model| report(&subject, model, options.anchors_solo));
    let line = position(data.location).map_or(0, |(line, _)| line as usize);
    Ok(Some((function, line, reports.collect::<Result<_, Refusal>>()?)))
}

/// The texts that a model names; none for those that ask the graph.
pub(super) fn texts(model: Option<TraceModel>) -> Option<Vec<SourceModel>> {
    use SourceModel::{Clang2025_04, Clang2025_08, Tangles2024_10};
    Some(match model {
        None => vec![Clang2025_04],
        Some(TraceModel::Source(model)) => vec![model],
        Some(TraceModel::All) => vec![Clang2025_04, Tangles2024_10, Clang2025_08],
        Some(TraceModel::Maximal | TraceModel::Controlled | TraceModel::Ipdom) => return None,
    })
}

/// The ways of all threads.
fn walks(options: &TraceOptions, plan: &FunctionPlan, names: &Names<'_>) -> Result<Vec<Vec<Node>>, String> {
    let flow = Flow::new(&plan.outline);
    let walk = |(number, argument): (usize, &String)| {
        let list: Vec<&str> = paths::words(argument).collect();
        let walk = names.walk(&list).map_err(|error| impossible(error, names)).and_then(|walk| {
            if !options.partial {
                ends(&flow, names, &walk)?;
            }
            Ok(walk)
        });
        walk.map_err(|message| format!("thread {number}: {message}"))
    };
    (1..).zip(&options.paths).map(walk).collect()
}

/// Why a list is no way, in words.
fn impossible(error: NamesError, names: &Names<'_>) -> String {
    let step = match &error {
        NamesError::Unknown { name, .. } => {
            if name.is_empty() {
                return "expected the name of an evaluation".to_owned();
            }
            let mut near = Near::default();
            names.all().for_each(|(_, known)| near.consider(name, known));
            let suggestions: Vec<&str> = near.names().collect();
            let known: Vec<&str> = names.all().map(|(_, name)| name).take(20).collect();
            return match (suggestions.as_slice(), known.as_slice()) {
                (_, []) => "no convergent operation is in this function, so that nothing in it has a name".to_owned(),
                ([], known) => format!("no evaluation is called {name}; there are {}", known.join(", ")),
                (near, _) => format!("no evaluation is called {name}; did you mean {}?", near.join(" or ")),
            };
        }
        NamesError::Impossible { position, .. } | NamesError::Ambiguous { position, .. } => position + 1,
    };
    format!("step {step}: {error}")
}

/// Whether a thread can end behind a walk without another named evaluation.
fn ends(flow: &Flow, names: &Names<'_>, walk: &[Node]) -> Result<(), String> {
    let Some(&last) = walk.last() else { return Err("a path has at least one evaluation".to_owned()) };
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
    Err(format!("ends early{last}: what comes next is {} (--partial lets a path end anywhere)", next.join(" or ")))
}

/// What is asked about.
struct Subject<'s> {
    plan: &'s FunctionPlan,
    translation: &'s Translation,
    names: &'s Names<'s>,
    walks: &'s [Vec<Node>],
    position: &'s dyn Fn(Location) -> Option<(u32, u32)>,
    /// Who is together where the body starts.
    start: Start,
}

/// A run that was recorded.
pub(super) struct Recorded<'r> {
    pub(super) linked: &'r Linked<'r>,
    pub(super) recording: &'r Recording,
    pub(super) launch: &'r Launch,
}

impl Recorded<'_> {
    /// The markers of a function that a thread passed, in its order, each with the number of its execution.
    fn passed(&self, function: u32, thread: u64) -> Vec<(Node, u32)> {
        let communications = self.recording.communications.iter().zip(0..);
        let mut passed: Vec<(u32, Node, u32)> = communications
            .filter_map(|(communication, execution)| {
                let one = communication.participant(thread)?;
                let (of, node) = self.linked.marker(one.site)?;
                (of == function).then_some((one.order, node, execution))
            })
            .collect();
        passed.sort_unstable_by_key(|&(order, ..)| order);
        passed.into_iter().map(|(_, node, execution)| (node, execution)).collect()
    }
}

/// What threads did in a run of a kernel with [markers](reconverge_lang::lower): steps are those that markers were passed in, and two are converged if the run had one execution of the marker for both.
///
/// # Errors
/// Where the run passed more markers than it keeps, or has no such threads.
pub(super) fn of_run(
    translation: &Translation,
    model: SourceModel,
    run: &Recorded<'_>,
    threads: &[u64],
) -> Result<Traced, Refusal> {
    let refuse = |message: String| (ErrorKind::Options, message);
    let launch = run.launch;
    let functions = translation.program.iter().flat_map(|program| program.functions.iter());
    let mut with_plan = functions.filter_map(|(id, data)| Some((id, data, translation.plans[id].as_ref()?)));
    let Some((id, data, plan)) = with_plan.find(|(_, data, _)| data.linkage_name == launch.kernel) else {
        return Err(refuse(format!("no table: @{} is not in the source", launch.kernel)));
    };
    let count = launch.threads();
    if let Some(thread) = threads.iter().find(|&&thread| thread >= count) {
        return Err(refuse(format!("--trace: there is no thread {thread}; the launch has {count}")));
    }
    let (executions, kept) = (run.recording.communications.len(), launch.max_events);
    if executions > kept {
        return Err(refuse(format!(
            "--trace: the run has more than {kept} executions of operations (--limit events=N raises this)"
        )));
    }
    let outline = &plan.outline;
    let flow = Flow::new(outline);
    let mut walks: Vec<Vec<Node>> = vec![Vec::new(); threads.len()];
    let mut keys: Vec<Vec<Key>> = vec![Vec::new(); threads.len()];
    // Keys below are those of executions; above, steps without a marker, of which nothing is known.
    let mut alone = executions as u32..;
    for ((walk, keys), &thread) in walks.iter_mut().zip(&mut keys).zip(threads) {
        for (node, execution) in run.passed(marker_number(id), thread) {
            let between = flow.between(walk.last().copied(), node, |node| !has_marker(outline, node));
            let between = between.ok_or_else(|| {
                refuse(format!("no table: thread {thread} left the statements of @{}", launch.kernel))
            })?;
            keys.extend(between.iter().filter_map(|_| alone.next()).map(Key));
            walk.extend(between);
            keys.push(Key(execution));
            walk.push(node);
        }
    }
    let position = |location: Location| translation.sources.line(location).map(|(_, line, column)| (line, column));
    let start = Start::from(launch.entry);
    let analysis = analyze(outline, model).starting(outline, start);
    let names = Names::new(outline, &analysis, position);
    let subject = Subject { plan, translation, names: &names, walks: &walks, position: &position, start };
    let report = tabulate(&subject, &analysis, &keys, "run")?;
    let line = position(data.location).map_or(0, |(line, _)| line as usize);
    Ok(Traced {
        function: format!("@{}", data.linkage_name),
        line,
        blocks: Vec::new(),
        answer: TraceAnswer::Source(report),
    })
}

fn report(subject: &Subject<'_>, model: SourceModel, solo: bool) -> Result<SourceReport, Refusal> {
    let outline = &subject.plan.outline;
    let analysis = analyze(outline, model).starting(outline, subject.start);
    let rule = rule(model, solo);
    let rules = Rules::new(outline, &analysis, rule);
    let mut keys = Keys::new(&rules);
    let activations = rule.activations(subject.start, subject.walks.len() as u32);
    let walks = subject.walks.iter().zip(activations);
    let keys: Vec<Vec<Key>> = walks.map(|(walk, activation)| keys.walk(activation, walk)).collect();
    tabulate(subject, &analysis, &keys, if solo { "solo" } else { "maximal" })
}

/// The table of the ways, of which the keys are known.
fn tabulate(
    subject: &Subject<'_>,
    analysis: &Analysis,
    keys: &[Vec<Key>],
    choice: &'static str,
) -> Result<SourceReport, Refusal> {
    let outline = &subject.plan.outline;
    let no_table = |contradiction: Contradiction| (ErrorKind::Source, format!("no table: {contradiction:?}"));
    let order = ConvergenceOrder::new(keys).map_err(no_table)?;
    let table = table_of_keys(subject.names, subject.walks, keys).map_err(no_table)?;
    let instance = |thread: usize, position: usize| {
        let node = subject.walks[thread][position];
        let column = table.classes.binary_search(&order.class(Place { thread, position })).ok()?;
        Some(SourceInstance {
            block: subject.names.name(node)?.to_owned(),
            key: keys[thread][position].0,
            name: table.rows[thread][column].clone()?,
            column: column + 1,
            line: (subject.position)(outline.operation(node)?.location).map_or(0, |(line, _)| line),
            defined: analysis.is_defined(node),
        })
    };
    let row = |thread: usize| SourceThread {
        instances: (0..subject.walks[thread].len()).filter_map(|position| instance(thread, position)).collect(),
    };
    let threads = (0..subject.walks.len()).map(row).collect();
    let title = match analysis.model {
        SourceModel::Clang2025_04 => "thread convergence, April 2025",
        SourceModel::Tangles2024_10 => "thread tangles, October 2024",
        SourceModel::Clang2025_08 => "convergence control, August 2025",
    };
    let model = source_model_name(analysis.model);
    Ok(SourceReport { model, choice, threads, title, open: open(subject, analysis), table })
}

/// The rules of a text, and the choice where it leaves one.
fn rule(model: SourceModel, solo: bool) -> Rule {
    let choice = if solo { Choice::Solo } else { Choice::Maximal(SuccessorOrder::Forward) };
    match (model, solo) {
        (SourceModel::Clang2025_04, _) => Rule::Clang2025_04(choice),
        (SourceModel::Clang2025_08, _) => Rule::Clang2025_08(choice),
        (SourceModel::Tangles2024_10, false) => Rule::Tangles2024_10(Unrelated::United(SuccessorOrder::Forward)),
        (SourceModel::Tangles2024_10, true) => Rule::Tangles2024_10(Unrelated::Apart),
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
