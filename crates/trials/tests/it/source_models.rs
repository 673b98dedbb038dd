//! A run by the rules of a text has the sets of threads that the text says, for each of the three texts.
//!
//! Random kernels in C, with statements, jumps and operators of every kind and calls of functions that are convergent and that are not, run by [`Statements`] under several schedules, with nobody together where the text leaves a choice, and with as
//! many as the cycles allow. Each marker is an execution by a set of threads; each operation that threads wait at, another one. Then
//!
//! - the walks of all threads have keys by the rules of the text, and two steps have equal keys iff they were one execution of a marker;
//! - the sets are the same whoever runs first;
//! - the static classification agrees: at defined statements both choices make the same sets, and at open ones those are together that are so at the execution that decides (which of tangles follows no more; see [`Decides`]);
//! - the sets of operations are those of their markers, those in a convergent function twice the sets of its calls; in one that is not convergent each thread is alone where the implementation chooses that.

use std::collections::{BTreeMap, HashMap};
use std::path::Path;
use std::sync::atomic::Ordering;

use rayon::prelude::*;
use reconverge_exec::launch::{AnchorPolicy, Launch, Model, Outcome, Schedule};
use reconverge_exec::statements::{SourceFunction, Statements};
use reconverge_exec::{Communication, Control, Linked, Program};
use reconverge_graph::SuccessorOrder;
use reconverge_lang::lower::{LowerOptions, has_marker, marker_number};
use reconverge_lang::options::{Dialect, Options, SourceModel};
use reconverge_lang::translate::{Translation, translate_here};
use reconverge_outline::Node;
use reconverge_outline::dynamics::{self, Choice, Execution, Unrelated};
use reconverge_semantics::Key;
use reconverge_testing::random::source::SourceKernel;
use reconverge_testing::rounds;

use crate::source_groups::{Body, Counts, Decides, Step, launch};

const KERNELS: u64 = 100;
/// Different data for each kernel and text.
const LAUNCHES: u64 = 2;
/// Kernels in which a thread jumps back inside of a statement that others of its set go through once.
const KEPT: [u64; 1] = [6937];

pub(crate) const TEXTS: [(SourceModel, &str); 3] = [
    (SourceModel::Clang2025_04, "clang-2025-04"),
    (SourceModel::Tangles2024_10, "tangles-2024-10"),
    (SourceModel::Clang2025_08, "clang-2025-08"),
];

/// What stands for the operation of random kernels: threads wait at it.
const WAITS: &str = "sub_group_non_uniform_reduce_add";
/// Functions that operations are calls of instead.
const FUNCTIONS: &str = "\
uint twice(uint n) { return sub_group_non_uniform_reduce_add(n) + sub_group_non_uniform_reduce_add(n + 1u); }
__attribute__((noconvergent)) uint apart(uint n) { return sub_group_non_uniform_reduce_add(n); }
";

/// The same kernel with operations that threads wait at, some of them in functions.
fn with_calls(text: &str) -> String {
    let mut pieces = text.split("op(");
    let head = pieces.next().unwrap_or_default().trim_end_matches("uint ");
    // The declaration of `op` takes the first one.
    let after = pieces.next().and_then(|declaration| declaration.split_once(";\n")).map_or("", |(_, rest)| rest);
    let mut changed = format!("{head}{FUNCTIONS}{after}");
    for (piece, number) in pieces.zip(0..) {
        changed.push_str(match number % 5 {
            1 => "twice",
            3 => "apart",
            _ => WAITS,
        });
        changed.push('(');
        changed.push_str(piece);
    }
    changed
}

// conformance: clang-2025-04/20, 44, 45
#[test]
fn a_run_by_clang_2025_04_has_its_sets() {
    has_its_sets(SourceModel::Clang2025_04, "clang-2025-04");
}

// conformance: tangles-2024-10/7, 9, 10, 15c, 15d, 17, 18, 19, 20a, 21a, 25, 26
#[test]
fn a_run_by_tangles_2024_10_has_its_sets() {
    has_its_sets(SourceModel::Tangles2024_10, "tangles-2024-10");
}

// conformance: clang-2025-08/6, 7, 8
#[test]
fn a_run_by_clang_2025_08_has_its_sets() {
    has_its_sets(SourceModel::Clang2025_08, "clang-2025-08");
}

fn has_its_sets(text: SourceModel, name: &str) {
    let seeds = rounds::seeds(KERNELS);
    let is_single = seeds.end - seeds.start == 1;
    let kept = if is_single { &[][..] } else { &KEPT[..] }.par_iter().copied();
    let counts = Counts::default();
    let problems: Vec<String> =
        seeds.into_par_iter().chain(kept).filter_map(|seed| compare(seed, text, &counts).err()).collect();
    let [kernels, with_jumps, launches, steps, defined, shared] =
        [&counts.kernels, &counts.with_jumps, &counts.launches, &counts.steps, &counts.defined, &counts.shared]
            .map(|count| count.load(Ordering::Relaxed));
    println!(
        "text             kernels  with jumps  launches    steps  defined  together\n\
         {name:<15}  {kernels:>7}  {with_jumps:>10}  {launches:>8}  {steps:>7}  {defined:>7}  {shared:>8}"
    );
    let shown: Vec<&str> = problems.iter().take(3).map(String::as_str).collect();
    assert!(problems.is_empty(), "{name}: {} kernels differ:\n{}", problems.len(), shown.join("\n"));
    assert!(is_single || shared * 3 > steps, "{shared} of {steps} together");
    assert!(is_single || defined * 2 > steps, "{defined} of {steps} defined");
}

fn compare(seed: u64, text: SourceModel, counts: &Counts) -> Result<(), String> {
    let kernel = SourceKernel::random(seed);
    let source = with_calls(&kernel.text);
    let fail = |what: String| format!("seed {seed}: {what}\n{source}");
    let options = Options::new(Dialect::OpenCl);
    let translation = translate_here(Path::new("k.cl"), source.clone().into_bytes(), &options, text);
    let ir = translation
        .lower(&LowerOptions { tokens: false, markers: true, debug: false, origins: false, nsw: false })
        .filter(|_| translation.diagnostics.is_empty())
        .ok_or_else(|| fail(format!("{:?}", translation.diagnostics)))?
        .text;
    let program = Program::prepare(&ir, "k.ll", None).map_err(|error| fail(error.to_string()))?;
    let program = program.with_statements(statements(&translation));
    let body = Body::of(&translation, text).ok_or_else(|| fail("there is no kernel".to_owned()))?;
    let linked = program.link("k").map_err(|error| fail(error.to_string()))?;
    let ids = translation.program.iter().flat_map(|program| program.functions.iter());
    let id = ids.into_iter().find(|(_, data)| data.is_kernel).map_or(u32::MAX, |(id, _)| marker_number(id));
    counts.kernels.fetch_add(1, Ordering::Relaxed);
    counts.with_jumps.fetch_add(usize::from(kernel.jumps), Ordering::Relaxed);
    for data in 0..LAUNCHES {
        let other = if (seed + data).is_multiple_of(2) { Schedule::Fair } else { Schedule::Random(seed) };
        let execute = |anchors, schedule| {
            let plain = launch(&kernel, kernel.data(data), anchors);
            let launch = Launch { model: Model::Statements(text), schedule, ..plain };
            let outcome = reconverge_exec::run(&program, &launch, &Control::default());
            let outcome = outcome.map_err(|error| error.to_string())?;
            let words: Vec<&str> = outcome.findings.iter().map(|found| found.code.title()).collect();
            let is_fine = outcome.completed && words.is_empty();
            if is_fine { Ok(outcome) } else { Err(format!("{schedule:?}: {}", words.join("; "))) }
        };
        let check = |anchors| {
            let plain = launch(&kernel, kernel.data(data), anchors);
            let recorded =
                linked.run_recorded(&Launch { model: Model::Statements(text), ..plain }, &Control::default());
            let (_, recording) = recorded.map_err(|error| error.to_string())?;
            let run = Recorded { linked: &linked, communications: &recording.communications, body: &body, kernel: id };
            let threads = run.threads(kernel.threads)?;
            let rule = rule(text, anchors);
            body.agrees(&threads, rule, Decides::Base, counts)?;
            is_exact(&body, &threads, rule)?;
            run.sets_of_operations(anchors)?;
            if executions(&execute(anchors, Schedule::Lockstep)?) != executions(&execute(anchors, other)?) {
                return Err(format!("other executions under {other:?}"));
            }
            counts.launches.fetch_add(2, Ordering::Relaxed);
            Ok(defined_sets(&body, &threads))
        };
        let run = |anchors| check(anchors).map_err(|what: String| fail(format!("data {data}, {anchors:?}: {what}")));
        // Who is together changes what operations give, which no condition asks about.
        if run(AnchorPolicy::Solo)? != run(AnchorPolicy::Maximal)? {
            return Err(fail(format!("data {data}: another choice makes other sets where the text decides")));
        }
    }
    Ok(())
}

/// What was executed, by whom and with which results, in an order that is that of no schedule.
fn executions(outcome: &Outcome) -> Vec<(usize, &[u64], &[String])> {
    let mut all: Vec<_> =
        outcome.events.iter().map(|event| (event.offset, &event.threads[..], &event.results[..])).collect();
    all.sort_unstable();
    all
}

pub(crate) fn statements(translation: &Translation) -> Statements<'_> {
    let functions = translation.program.iter().flat_map(|program| program.functions.iter());
    let functions = functions.filter_map(|(id, data)| {
        let (plan, analysis) = (translation.plans[id].as_ref()?, translation.analyses[id].as_ref()?);
        let is_convergent = data.is_convergent;
        Some((marker_number(id), SourceFunction { outline: &plan.outline, analysis, is_convergent }))
    });
    Statements { functions: functions.collect(), has_marker, shows_markers: true }
}

fn rule(text: SourceModel, anchors: AnchorPolicy) -> dynamics::Model {
    let is_solo = anchors == AnchorPolicy::Solo;
    let choice = if is_solo { Choice::Solo } else { Choice::Maximal(SuccessorOrder::Forward) };
    match text {
        SourceModel::Clang2025_04 => dynamics::Model::Clang2025_04(choice),
        SourceModel::Clang2025_08 => dynamics::Model::Clang2025_08(choice),
        SourceModel::Tangles2024_10 if is_solo => dynamics::Model::Tangles2024_10(Unrelated::Apart),
        SourceModel::Tangles2024_10 => dynamics::Model::Tangles2024_10(Unrelated::United(SuccessorOrder::Forward)),
    }
}

/// Whether all steps with one key, defined or not, were one execution, and no others.
fn is_exact(body: &Body<'_>, threads: &[Vec<Step>], rule: dynamics::Model) -> Result<(), String> {
    let nodes: Vec<Vec<Node>> = threads.iter().map(|walk| walk.iter().map(|step| step.node).collect()).collect();
    let executions: Vec<Execution<'_>> = nodes.iter().map(|steps| Execution { activation: 0, steps }).collect();
    let groups =
        dynamics::groups(body.outline, &body.analysis, rule, &executions).map_err(|error| error.to_string())?;
    let (mut events, mut keys): (HashMap<Key, usize>, HashMap<usize, Key>) = Default::default();
    for (thread, (walk, groups)) in threads.iter().zip(&groups).enumerate() {
        for (step, group) in walk.iter().zip(groups) {
            let Some(event) = step.event else { continue };
            let pair = (*events.entry(group.key).or_insert(event), *keys.entry(event).or_insert(group.key));
            if pair != (event, group.key) {
                return Err(format!(
                    "thread {thread} at {:?}, a {:?}: the run has other sets than the rules ({pair:?}, {:?})",
                    step.node,
                    body.outline.kind(step.node),
                    (event, group.key)
                ));
            }
        }
    }
    Ok(())
}

/// The sets of threads at steps that the text defines, by node.
fn defined_sets(body: &Body<'_>, threads: &[Vec<Step>]) -> BTreeMap<Node, Vec<Vec<usize>>> {
    let mut members: BTreeMap<usize, (Node, Vec<usize>)> = BTreeMap::new();
    for (thread, walk) in threads.iter().enumerate() {
        for step in walk.iter().filter(|step| body.analysis.is_defined(step.node)) {
            if let Some(event) = step.event {
                members.entry(event).or_insert((step.node, Vec::new())).1.push(thread);
            }
        }
    }
    let mut sets: BTreeMap<Node, Vec<Vec<usize>>> = BTreeMap::new();
    members.into_values().for_each(|(node, threads)| sets.entry(node).or_default().push(threads));
    sets.values_mut().for_each(|sets| sets.sort_unstable());
    sets
}

/// The sets of threads that executed operations, by the function that has them.
type Sets<'r> = BTreeMap<&'r str, Vec<Vec<u64>>>;

/// A run that was recorded.
struct Recorded<'r> {
    linked: &'r Linked<'r>,
    communications: &'r [Communication],
    body: &'r Body<'r>,
    /// The number of the kernel in markers.
    kernel: u32,
}

impl Recorded<'_> {
    /// The node of a marker of the kernel that is a communication.
    fn marked(&self, communication: &Communication) -> Option<Node> {
        let (function, node) = self.linked.marker(communication.threads.first()?.site)?;
        (function == self.kernel).then_some(node)
    }

    /// What each thread did, in its order. Nodes without markers are put between.
    fn threads(&self, count: u32) -> Result<Vec<Vec<Step>>, String> {
        let mut passed: Vec<Vec<(u32, usize, Node)>> = vec![Vec::new(); count as usize];
        for (event, communication) in self.communications.iter().enumerate() {
            let Some(node) = self.marked(communication) else { continue };
            for one in &communication.threads {
                passed[one.thread as usize].push((one.order, event, node));
            }
        }
        let walk = |mut passed: Vec<(u32, usize, Node)>| {
            passed.sort_unstable();
            let mut walk: Vec<Step> = Vec::new();
            for (_, event, node) in passed {
                let between = self.body.between(walk.last().map(|step| step.node), node)?;
                walk.extend(between.into_iter().map(|node| Step { node, event: None }));
                walk.push(Step { node, event: Some(event) });
            }
            Ok(walk)
        };
        passed.into_iter().map(walk).collect()
    }

    /// Whether threads execute operations, and call functions, in the sets in which they passed the markers in front of them.
    fn sets_of_operations(&self, anchors: AnchorPolicy) -> Result<(), String> {
        let (mut expected, mut found) = (Sets::default(), Sets::default());
        for communication in self.communications {
            let threads: Vec<u64> = communication.threads.iter().map(|one| one.thread).collect();
            let site = communication.threads.first().and_then(|one| self.linked.site(one.site));
            let operation = self.marked(communication).and_then(|node| self.body.outline.operation(node));
            match (site, operation.map(|operation| operation.name.as_str())) {
                (Some(site), _) => found.entry(&site.function).or_default().push(threads),
                (None, Some("twice")) => expected.entry("twice").or_default().extend([threads.clone(), threads]),
                (None, Some(_)) => expected.entry("k").or_default().push(threads),
                (None, None) => {}
            }
        }
        expected.values_mut().chain(found.values_mut()).for_each(|sets| sets.sort_unstable());
        // A call that is not convergent is no operation. Behind it a thread is alone, or with those whom the cycles allow.
        let apart = found.remove("apart").unwrap_or_default();
        if anchors == AnchorPolicy::Solo && apart.iter().any(|set| set.len() > 1) {
            return Err(format!("together behind a call that is not convergent: {apart:?}"));
        }
        match expected == found {
            true => Ok(()),
            false => Err(format!("operations: {found:?}, and by markers: {expected:?}")),
        }
    }
}

#[test]
fn kernels_have_calls_of_every_kind() {
    let count = |name: &str| {
        let call = format!("{name}(");
        (1..60).filter(|&seed| with_calls(&SourceKernel::random(seed).text).matches(&call).count() > 1).count()
    };
    let counts = ["twice", "apart", WAITS].map(count);
    assert!(counts[0] > 20 && counts[1] > 15 && counts[2] > 40, "{counts:?}");
}
