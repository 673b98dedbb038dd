//! Who communicates is who is converged: the sets of threads that the executor logs are the classes of equal instance keys
//! that the definitions give the paths of the threads.
//!
//! An observer notes the blocks that each thread enters. From them the activations of each thread are put together; the kernel's are
//! converged in each workgroup, and those of a local function where the calls are. Keys are those of `reconverge_semantics`, which
//! shares no code with the executor. Operations of a subgroup divide a class by subgroup.

use std::collections::BTreeMap;

use cranelift_entity::EntityRef;
use rustc_hash::FxHashMap;

use reconverge_analysis::flow::{ConvergentOperation, FlowFunction, OperationIndex, OperationKind, TokenSource};
use reconverge_analysis::lower::lower;
use reconverge_analysis::skeleton::skeleton;
use reconverge_exec::launch::{AnchorPolicy, Launch, Model, Outcome, Schedule};
use reconverge_exec::{Control, Definition, Observer, Program, run_observed};
use reconverge_graph::{Node, PostDominators, hierarchies};
use reconverge_ir::function::{Block, Extra, Inst};
use reconverge_ir::{Function, FunctionId, Module, read_functions};
use reconverge_semantics::{self as semantics, Keys, Skeleton};
use reconverge_testing::random::SplitMix64;
use reconverge_testing::random::kernels::Kernel;

use reconverge_testing::rounds::{for_each, seeds};

use crate::soundness::launch;

const KERNELS: u64 = 600;

/// A function, as its definition sees it.
struct Traced {
    skeleton: Skeleton,
    /// By operation: the byte at which it starts, and what it is.
    operations: Vec<(usize, Called)>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Called {
    /// A function with a body.
    Local,
    /// A communication that divides a class by subgroup, or one that does not.
    Subgroup,
    Workgroup,
    /// A convergence control intrinsic.
    Token,
}

fn traced(module: &Module<'_>, id: FunctionId, function: &Function) -> Traced {
    let lowered = lower(module, id, function);
    let mut calls: BTreeMap<Inst, Option<ConvergentOperation>> = BTreeMap::new();
    // Calls of functions with a body count, convergent or not: they begin activations.
    for (inst, data) in &function.instructions {
        if local_callee(module, function, inst).is_some() {
            calls.insert(inst, None);
            assert!(data.result.is_some());
        }
    }
    for (inst, operation) in lowered.instructions.iter().zip(lowered.flow.operations) {
        calls.insert(*inst, Some(operation));
    }
    let place: FxHashMap<Inst, u32> = calls.keys().zip(0..).map(|(&inst, index)| (inst, index)).collect();
    let moved = |operation: OperationIndex| place[&lowered.instructions[operation as usize]];
    let mut flow = FlowFunction { operations: Vec::new(), ..lowered.flow };
    let mut operations = Vec::new();
    for (inst, operation) in calls {
        let data = &function.instructions[inst];
        let mut operation = operation.unwrap_or_else(|| ConvergentOperation {
            block: Node::new(data.block.index()),
            position: (inst.index() - function.blocks[data.block].first.index()) as u32,
            kind: OperationKind::Call,
            bundles: Default::default(),
        });
        for source in operation.bundles.iter_mut().flatten() {
            if let TokenSource::Operation(operation) = source {
                *operation = moved(*operation);
            }
        }
        let called = match operation.kind {
            OperationKind::Call if local_callee(module, function, inst).is_some() => Called::Local,
            OperationKind::Call => scope(std::str::from_utf8(data.span.of(module.text)).expect("UTF-8")),
            _ => Called::Token,
        };
        operations.push((data.span.start as usize, called));
        flow.operations.push(operation);
    }
    Traced { skeleton: skeleton(&flow), operations }
}

/// Whether all of a workgroup can be in one set at a communication.
fn scope(text: &str) -> Called {
    let wide = ["@op(", "@value(", "barrier"];
    if wide.iter().any(|name| text.contains(name)) { Called::Workgroup } else { Called::Subgroup }
}

fn local_callee(module: &Module<'_>, function: &Function, inst: Inst) -> Option<FunctionId> {
    let Extra::Call(call) = function.instructions[inst].extra else { return None };
    let id = module.function_of(function.calls[call].callee.expand()?)?;
    module.functions[id].body.is_some().then_some(id)
}

/// The blocks that each thread enters, in order.
#[derive(Default)]
struct Paths(BTreeMap<u64, Vec<(FunctionId, Block)>>);

impl Observer for Paths {
    fn defined(&mut self, _: Definition<'_>) {}

    fn entered(&mut self, function: FunctionId, _: u64, block: Block, threads: &[u64]) {
        for &thread in threads {
            self.0.entry(thread).or_default().push((function, block));
        }
    }
}

/// An execution of a function by a thread.
struct Activation {
    function: FunctionId,
    path: Vec<Node>,
    /// What it called, in order.
    calls: Vec<Activation>,
}

type Functions = FxHashMap<FunctionId, Traced>;

fn activation(functions: &Functions, entered: &mut impl Iterator<Item = (FunctionId, Block)>) -> Activation {
    let (function, mut block) = entered.next().expect("a function has a first block");
    let traced = &functions[&function];
    let mut activation = Activation { function, path: Vec::new(), calls: Vec::new() };
    loop {
        let node = Node::new(block.index());
        activation.path.push(node);
        for operation in traced.skeleton.operations_of(node) {
            if traced.operations[operation as usize].1 == Called::Local {
                activation.calls.push(self::activation(functions, entered));
            }
        }
        if traced.skeleton.graph.successors(node).is_empty() {
            return activation;
        }
        let (next, to) = entered.next().expect("a thread goes on");
        assert_eq!(next, function, "a thread enters a block of another function");
        block = to;
    }
}

/// An execution of an operation: where it starts in the text, the workgroup, the threads.
type Set = (usize, u64, Vec<u64>);

/// The relation between threads.
struct Relation<'r> {
    functions: &'r Functions,
    launch: &'r Launch,
    /// The number of the cycle hierarchy of each function.
    hierarchies: &'r FxHashMap<FunctionId, usize>,
    sets: Vec<Set>,
}

/// Threads, and the activations that they enter from there, by operation and key.
type Classes<'a> = BTreeMap<(OperationIndex, semantics::Key), Vec<(u64, Option<&'a Activation>)>>;

impl Relation<'_> {
    /// Adds the sets of converged activations.
    fn add(&mut self, workgroup: u64, group: &[(u64, &Activation)]) {
        let Relation { functions, launch, .. } = *self;
        let traced = &functions[&group[0].1.function];
        let graph = &traced.skeleton.graph;
        let number = self.hierarchies[&group[0].1.function];
        let forest = hierarchies(graph, number + 1).nth(number).expect("there is a hierarchy");
        let post_dominators = PostDominators::compute(graph);
        let anchors = match launch.anchors {
            AnchorPolicy::Maximal => semantics::AnchorPolicy::Maximal,
            _ => semantics::AnchorPolicy::Solo,
        };
        let model = match launch.model {
            Model::Maximal { .. } => semantics::Model::Maximal(&forest),
            Model::Controlled => semantics::Model::Controlled(&forest, anchors),
            Model::ImmediatePostDominator => semantics::Model::ImmediatePostDominator(&post_dominators),
            Model::Statements(_) => unreachable!("these kernels are IR"),
        };
        let mut keys = Keys::new(&traced.skeleton, model);
        let mut classes: Classes<'_> = BTreeMap::new();
        for &(number, activation) in group {
            let mut thread = keys.thread();
            let mut calls = activation.calls.iter();
            for &node in &activation.path {
                keys.execute(&mut thread, node, |instance, key| {
                    let Some(operation) = traced.skeleton.operation(instance) else { return };
                    let called = traced.operations[operation as usize].1;
                    let callee = if called == Called::Local { calls.next() } else { None };
                    classes.entry((operation, key)).or_default().push((number, callee));
                });
            }
        }
        for ((operation, _), members) in classes {
            let (start, called) = traced.operations[operation as usize];
            let mut threads: Vec<u64> = members.iter().map(|&(thread, _)| thread).collect();
            threads.sort_unstable();
            match called {
                Called::Local => {
                    let group: Vec<(u64, &Activation)> =
                        members.iter().filter_map(|&(thread, callee)| Some((thread, callee?))).collect();
                    self.add(workgroup, &group);
                }
                Called::Workgroup => self.sets.push((start, workgroup, threads)),
                Called::Subgroup => {
                    let size: u64 = launch.block.iter().map(|&size| u64::from(size)).product();
                    let subgroup = |thread: &u64| thread % size / u64::from(launch.subgroup);
                    for part in threads.chunk_by(|a, b| subgroup(a) == subgroup(b)) {
                        self.sets.push((start, workgroup, part.to_vec()));
                    }
                }
                Called::Token => {}
            }
        }
    }
}

/// The hierarchies that a model's number stands for: its digits, of which each has the base that its function has hierarchies, the kernel's being the last.
fn chosen(program: &Program, functions: &Functions, launch: &Launch) -> FxHashMap<FunctionId, usize> {
    let module = program.module();
    let mut left = match launch.model {
        Model::Maximal { hierarchy } => hierarchy,
        _ => 0,
    };
    let names = program.link(&launch.kernel).expect("a random kernel can be run").functions();
    let id = |name: &String| {
        let is_it = |id: &&FunctionId| *module.symbol_name(module.functions[**id].symbol) == *name.as_bytes();
        *functions.keys().find(is_it).expect("the function is in the module")
    };
    let digit = |id: FunctionId| {
        let count = hierarchies(&functions[&id].skeleton.graph, left + 1).count();
        let digit = left % count;
        left /= count;
        (id, digit)
    };
    names.iter().map(id).map(digit).collect()
}

/// The sets that the definitions give.
fn by_definition(program: &Program, functions: &Functions, launch: &Launch, paths: Paths) -> Vec<Set> {
    let size: u64 = launch.block.iter().map(|&size| u64::from(size)).product();
    let activations: Vec<(u64, Activation)> =
        paths.0.into_iter().map(|(thread, path)| (thread, activation(functions, &mut path.into_iter()))).collect();
    let hierarchies = &chosen(program, functions, launch);
    let mut relation = Relation { functions, launch, hierarchies, sets: Vec::new() };
    for group in activations.chunk_by(|a, b| a.0 / size == b.0 / size) {
        let members: Vec<(u64, &Activation)> = group.iter().map(|(thread, activation)| (*thread, activation)).collect();
        relation.add(group[0].0 / size, &members);
    }
    relation.sets.sort_unstable();
    relation.sets
}

fn by_execution(outcome: &Outcome) -> Vec<Set> {
    let mut sets: Vec<Set> =
        outcome.events.iter().map(|event| (event.offset, event.workgroup, event.threads.clone())).collect();
    sets.sort_unstable();
    sets
}

/// What one list has more than another.
fn without(one: &[Set], other: &[Set]) -> Vec<Set> {
    let mut counts: FxHashMap<&Set, usize> = FxHashMap::default();
    other.iter().for_each(|set| *counts.entry(set).or_default() += 1);
    let is_left = |set: &&Set| counts.get_mut(*set).filter(|left| **left > 0).map(|left| *left -= 1).is_none();
    one.iter().filter(is_left).cloned().collect()
}

/// Runs a kernel under each model; how many runs and sets were compared.
fn check(seed: u64) -> [u64; 3] {
    let kernel = Kernel::random(seed);
    let program = Program::prepare(kernel.text.as_bytes(), "kernel.ll", None).expect("a random kernel can be read");
    let read = read_functions(kernel.text.as_bytes(), |module, id, function| (id, traced(module, id, function)));
    let functions: Functions = read.expect("a random kernel can be read").1.into_iter().collect();
    let mut rng = SplitMix64::new(seed);
    let mut counts = [0; 3];
    let maximal = (0..3).map(|hierarchy| Model::Maximal { hierarchy });
    for model in [Model::Controlled, Model::ImmediatePostDominator].into_iter().chain(maximal) {
        if kernel.uniform_control && model == Model::Controlled {
            continue;
        }
        let schedule = [Schedule::Lockstep, Schedule::Fair, Schedule::Random(seed)][rng.below(3)];
        let launch = Launch { max_events: usize::MAX, ..launch(&kernel, &mut rng, model, schedule) };
        let mut paths = Paths::default();
        let Ok(outcome) = run_observed(&program, &launch, &Control::default(), &mut paths) else { continue };
        if !outcome.completed || !outcome.findings.is_empty() {
            counts[2] += 1;
            continue;
        }
        let (defined, executed) = (by_definition(&program, &functions, &launch, paths), by_execution(&outcome));
        if defined != executed {
            let missing = without(&defined, &executed);
            let extra = without(&executed, &defined);
            let place = missing.first().or(extra.first()).map(|set| program.module().position(set.0).line);
            let text: String = kernel.text.lines().zip(1..).map(|(line, at)| format!("{at:4} {line}\n")).collect();
            panic!(
                "seed {seed}, {model:?}, line {place:?}: by definition, but not executed: {missing:?}; executed, but not \
                 by definition: {extra:?}\n{launch:?}\n{text}"
            );
        }
        counts[0] += 1;
        counts[1] += defined.len() as u64;
    }
    counts
}

#[test]
fn threads_that_communicate_are_those_with_equal_keys() {
    let add = |a: [u64; 3], b: [u64; 3]| std::array::from_fn(|index| a[index] + b[index]);
    let [runs, sets, left_out] = for_each(seeds(KERNELS), check, || [0; 3], add);
    println!("{runs} runs, {sets} sets of threads; {left_out} runs with findings left out");
    assert!(runs > left_out && sets > runs);
}
