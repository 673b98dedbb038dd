//! Who is together by the tokens of a lowered program is who is together by the rules of the source.
//!
//! Random kernels in C, with statements, jumps and operators of every kind, are lowered with a marker at each statement, full expression and convergent operation, and run. A
//! marker is a convergent operation with the token of its place, so each of its executions is a set of threads *by the tokens*; what each
//! thread passed, in order, is its walk through the statements, to which the rules of the text give keys: sets *by the source*. These two share
//! no code, and agree
//!
//! - on every statement that the text defines: same key iff same execution;
//! - on what is up to the implementation: threads that are converged at the execution that decides (its *origin*) are converged at the statement, and
//!   no others ([`Decides`]); and convergence-before, with the sets that the tokens made, is a strict partial order.

use std::collections::HashMap;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

use cranelift_entity::EntityRef;
use rayon::prelude::*;
use reconverge_exec::launch::{AnchorPolicy, Argument, Contents, Element, Launch, Limits, Model, Outcome};
use reconverge_exec::{Control, Program};
use reconverge_lang::lower::{LowerOptions, has_marker};
use reconverge_lang::options::{Dialect, Options, SourceModel};
use reconverge_lang::translate::{Translation, translate_here};
use reconverge_outline::convergence::{Analysis, Origin, analyze};
use reconverge_outline::dynamics::contexts::{ContextKind, Contexts};
use reconverge_outline::dynamics::flow::Flow;
use reconverge_outline::dynamics::{self, Choice, Execution, Rules};
use reconverge_outline::{Node, NodeKind, Outline};
use reconverge_semantics::{ConvergenceOrder, Key};
use reconverge_testing::random::source::SourceKernel;
use reconverge_testing::rounds;
use reconverge_trials::launches;

const KERNELS: u64 = 200;
/// Different data for each kernel.
const LAUNCHES: u64 = 4;

/// What was compared.
#[derive(Default)]
pub(crate) struct Counts {
    pub(crate) kernels: AtomicUsize,
    pub(crate) with_jumps: AtomicUsize,
    pub(crate) launches: AtomicUsize,
    pub(crate) steps: AtomicUsize,
    pub(crate) defined: AtomicUsize,
    pub(crate) shared: AtomicUsize,
}

// conformance: clang-2025-04/20, 31, 44, 45, 57, 58, 62
#[test]
fn sets_by_tokens_are_sets_by_the_rules_of_the_source() {
    let seeds = rounds::seeds(KERNELS);
    let is_single = seeds.end - seeds.start == 1;
    let counts = Counts::default();
    let problems: Vec<String> = seeds.into_par_iter().filter_map(|seed| compare(seed, &counts).err()).collect();
    let count = |counter: &AtomicUsize| counter.load(Ordering::Relaxed);
    println!(
        "{} kernels, {} with jumps, {} launches; {} steps, {} of them at statements that the text defines, {} together with another thread",
        count(&counts.kernels),
        count(&counts.with_jumps),
        count(&counts.launches),
        count(&counts.steps),
        count(&counts.defined),
        count(&counts.shared)
    );
    let shown: Vec<&str> = problems.iter().take(5).map(String::as_str).collect();
    assert!(problems.is_empty(), "{} kernels differ:\n{}", problems.len(), shown.join("\n"));
    // The comparison would be worth little if threads were hardly ever together.
    assert!(is_single || count(&counts.shared) * 3 > count(&counts.steps));
    assert!(is_single || count(&counts.defined) * 2 > count(&counts.steps));
}

fn compare(seed: u64, counts: &Counts) -> Result<(), String> {
    let kernel = SourceKernel::random(seed);
    let fail = |what: String| format!("seed {seed}: {what}\n{}", kernel.text);
    let options = Options::new(Dialect::OpenCl);
    let translation =
        translate_here(Path::new("k.cl"), kernel.text.clone().into_bytes(), &options, SourceModel::default());
    let ir = translation
        .lower(&LowerOptions { tokens: true, markers: true, debug: false, origins: false, nsw: false })
        .filter(|_| translation.diagnostics.is_empty())
        .ok_or_else(|| fail(format!("{:?}", translation.diagnostics)))?
        .text;
    let program = Program::prepare(&ir, "k.ll", None).map_err(|error| fail(error.to_string()))?;
    let body = Body::of(&translation, SourceModel::default()).ok_or_else(|| fail("there is no kernel".to_owned()))?;
    counts.kernels.fetch_add(1, Ordering::Relaxed);
    counts.with_jumps.fetch_add(usize::from(kernel.jumps), Ordering::Relaxed);
    for launch_seed in 0..LAUNCHES {
        let policy = if launch_seed % 2 == 0 { AnchorPolicy::Maximal } else { AnchorPolicy::Solo };
        let launch = launch(&kernel, kernel.data(launch_seed), policy);
        let outcome =
            reconverge_exec::run(&program, &launch, &Control::default()).map_err(|error| fail(error.to_string()))?;
        let words: Vec<&str> = outcome.findings.iter().map(|found| found.code.title()).collect();
        if !outcome.completed || !words.is_empty() {
            return Err(fail(format!("launch {launch_seed}: {}", words.join("; "))));
        }
        counts.launches.fetch_add(1, Ordering::Relaxed);
        let threads = body
            .threads(&ir, &outcome, kernel.threads)
            .map_err(|what| fail(format!("launch {launch_seed}: {what}")))?;
        body.agrees(&threads, dynamics::Model::Clang2025_04(Choice::Solo), Decides::Origin, counts)
            .map_err(|what| fail(format!("launch {launch_seed}, {policy:?}: {what}")))?;
    }
    Ok(())
}

pub(crate) fn launch(kernel: &SourceKernel, data: Vec<u32>, anchors: AnchorPolicy) -> Launch {
    let length = u64::from(kernel.threads);
    let buffer = |contents| Argument::Buffer { element: Element::U32, length, contents };
    let data = Contents::Bytes(data.into_iter().flat_map(u32::to_le_bytes).collect());
    let arguments = vec![("data".to_owned(), buffer(data)), ("out".to_owned(), buffer(Contents::Zero))];
    let launch = launches::plain("k", [1; 3], [kernel.threads, 1, 1], 32, arguments);
    let limits = Limits { instructions: 4_000_000, ..Limits::default() };
    Launch { model: Model::Controlled, anchors, limits, races: false, ..launch }
}

/// A step of a thread.
#[derive(Clone, Copy)]
pub(crate) struct Step {
    pub(crate) node: Node,
    /// The execution of the marker; none for a node without one, where who is together cannot be seen.
    pub(crate) event: Option<usize>,
}

/// What decides who is converged at a statement that is up to the implementation.
///
/// A statement that is jumped into is no origin, as a thread that jumps into it does not execute it. For threads that begin it at its start the text decides all the same: of two that are
/// converged there, one may jump back inside of it to the origin of what follows, and is converged with the other behind that, although the latest executions of the origin are not the same.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Decides {
    /// The latest execution of the origin, and nothing else: nobody is converged at a statement around it that is jumped into.
    Origin,
    /// The base of the choice in the rules of the text, which is the origin or such a statement around it.
    Base,
}

/// The body of a kernel, by one of the texts.
pub(crate) struct Body<'t> {
    pub(crate) outline: &'t Outline,
    pub(crate) analysis: Analysis,
    flow: Flow,
}

impl<'t> Body<'t> {
    pub(crate) fn of(translation: &'t Translation, text: SourceModel) -> Option<Body<'t>> {
        let program = translation.program.as_ref()?;
        let (kernel, _) = program.functions.iter().find(|(_, data)| data.is_kernel)?;
        let outline = &translation.plans[kernel].as_ref()?.outline;
        Some(Body { outline, analysis: analyze(outline, text), flow: Flow::new(outline) })
    }

    /// What each thread did, from the markers. Nodes without one are put between.
    fn threads(&self, ir: &[u8], outcome: &Outcome, threads: u32) -> Result<Vec<Vec<Step>>, String> {
        let mut walks: Vec<Vec<Step>> = vec![Vec::new(); threads as usize];
        for (index, event) in outcome.events.iter().enumerate() {
            let Some(node) = marked(ir, event.offset) else { continue };
            for &thread in &event.threads {
                let walk = &mut walks[thread as usize];
                for node in self.between(walk.last().map(|step| step.node), node)? {
                    walk.push(Step { node, event: None });
                }
                walk.push(Step { node, event: Some(index) });
            }
        }
        Ok(walks)
    }

    /// The nodes without markers between two with one.
    pub(crate) fn between(&self, from: Option<Node>, to: Node) -> Result<Vec<Node>, String> {
        let between = self.flow.between(from, to, |node| !has_marker(self.outline, node));
        between.ok_or_else(|| format!("a thread goes from {from:?} to {to:?}, which the statements do not allow"))
    }

    pub(crate) fn agrees(
        &self,
        threads: &[Vec<Step>],
        model: dynamics::Model,
        decides: Decides,
        counts: &Counts,
    ) -> Result<(), String> {
        let rules = Rules::new(self.outline, &self.analysis, model);
        let is_base = |origin: Node, node: Node| {
            let base = |contexts: &Contexts| contexts.contexts[contexts.of[node]].kind;
            rules.contexts().is_none_or(|contexts| base(contexts) == ContextKind::Choice(origin))
        };
        let nodes: Vec<Vec<Node>> = threads.iter().map(|walk| walk.iter().map(|step| step.node).collect()).collect();
        let executions: Vec<Execution<'_>> = nodes.iter().map(|steps| Execution { activation: 0, steps }).collect();
        let groups =
            dynamics::groups(self.outline, &self.analysis, model, &executions).map_err(|error| error.to_string())?;
        let mut by_key: HashMap<Key, usize> = HashMap::new();
        let mut by_event: HashMap<usize, Key> = HashMap::new();
        // At implementation-defined nodes: which execution of the origin goes with which execution of the node.
        let mut by_origin: HashMap<(Node, usize), usize> = HashMap::new();
        let mut origin_of: HashMap<usize, usize> = HashMap::new();
        let mut members: HashMap<usize, usize> = HashMap::new();
        for (thread, (walk, groups)) in threads.iter().zip(&groups).enumerate() {
            let mut latest: HashMap<Node, usize> = HashMap::new();
            for (step, group) in walk.iter().zip(groups) {
                let Some(event) = step.event else { continue };
                counts.steps.fetch_add(1, Ordering::Relaxed);
                *members.entry(event).or_default() += 1;
                let differ = |what: &str| {
                    Err(format!("thread {thread} at {:?} ({:?}): {what}", step.node, self.outline.kind(step.node)))
                };
                if group.is_defined {
                    counts.defined.fetch_add(1, Ordering::Relaxed);
                    if *by_key.entry(group.key).or_insert(event) != event {
                        return differ("together by the source, apart by the tokens");
                    }
                    if *by_event.entry(event).or_insert(group.key) != group.key {
                        return differ("apart by the source, together by the tokens");
                    }
                } else if let Origin::Execution(origin) = self.analysis.places[step.node].origin
                    // Jumps inside of it divide tangles further.
                    && model.source() != SourceModel::Tangles2024_10
                    && let Some(mark) = self.mark_of(origin).filter(|&mark| mark != step.node)
                    && let Some(&latest) = latest.get(&mark)
                {
                    if *by_origin.entry((step.node, latest)).or_insert(event) != event {
                        return differ("together at the origin, apart by the tokens");
                    }
                    let is_alone = decides == Decides::Origin || is_base(origin, step.node);
                    if is_alone && *origin_of.entry(event).or_insert(latest) != latest {
                        return differ("apart at the origin, together by the tokens");
                    }
                }
                latest.insert(step.node, event);
            }
        }
        let shared = members.values().filter(|&&count| count > 1).sum::<usize>();
        counts.shared.fetch_add(shared, Ordering::Relaxed);
        let order: Vec<Vec<Key>> = threads
            .iter()
            .map(|walk| walk.iter().filter_map(|step| step.event).map(|event| Key(event as u32)).collect())
            .collect();
        ConvergenceOrder::new(&order).map(|_| ()).map_err(|_| "convergence-before is no order".to_owned())
    }

    /// The node whose marker shows who is together at the execution of a statement: itself, or the part that it begins with. None where that part is up to
    /// another choice, such as a `noconvergent` statement in another one.
    fn mark_of(&self, origin: Node) -> Option<Node> {
        let mut node = origin;
        loop {
            node = match &self.outline.kind(node) {
                NodeKind::Simple(Some(part)) => *part,
                NodeKind::Compound => self.outline.parts(node).next()?,
                _ => break,
            };
        }
        (node == origin || self.analysis.places[node].origin == Origin::Execution(origin)).then_some(node)
    }
}

/// The node of the marker at this byte of the text.
fn marked(ir: &[u8], offset: usize) -> Option<Node> {
    let line = ir[offset..].split(|&byte| byte == b'\n').next()?;
    let line = std::str::from_utf8(line).ok()?;
    let arguments = line.split_once("@reconverge.marker(")?.1.split_once(')')?.0;
    let node = arguments.split_once(", i32 ")?.1;
    Some(Node::new(node.parse().ok()?))
}
