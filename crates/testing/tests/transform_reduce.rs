//! Random kernels do the same once their cycles are reducible, and with tokens inferred.
//!
//! For each thread the sequence of original blocks is the same where nothing depends on who is converged: for threads that are alone in
//! their subgroup and workgroup, whatever the kernel, and for all threads where tokens say who is converged. Without tokens the
//! implementation chooses who is converged in an irreducible cycle, and `reduce-cycles` makes the choice; tokens that are inferred say
//! the same as maximal convergence of what it leaves, operation by operation.

use reconverge_analysis::flow::OperationKind;
use reconverge_analysis::lower::lower;
use reconverge_exec::launch::{
    AnchorPolicy, Argument, Buffer, Contents, Element, Launch, Limits, MaskReading, Model, Outcome, Schedule,
};
use reconverge_exec::{Control, Definition, Observer, Program, run_observed};
use reconverge_ir::function::Block;
use reconverge_ir::{FunctionId, read_functions};
use reconverge_testing::llvm;
use reconverge_testing::random::SplitMix64;
use reconverge_testing::random::kernels::{Kernel, Wishes};
use reconverge_transform::{infer_tokens, reduce_cycles};
use rustc_hash::FxHashMap;

fn environment(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().map_or(default, |value| value.parse().expect("a number"))
}

fn seeds(count: u64) -> std::ops::Range<u64> {
    let first = environment("RECONVERGE_SEED", 1);
    first..first + count * environment("RECONVERGE_ROUNDS", 1)
}

fn launch(kernel: &Kernel, block: [u32; 2], rng: &mut SplitMix64, model: Model, anchors: AnchorPolicy) -> Launch {
    let threads = u64::from(block[0] * block[1]);
    let buffer = |length: u64, contents: Contents| Argument::Buffer { element: Element::U32, length, contents };
    let inputs = (0..Kernel::INPUTS).flat_map(|_| (rng.below(5) as u32).to_le_bytes()).collect();
    let scalar = |value: usize| Argument::Scalar(value.to_string());
    let arguments = [
        ("in", buffer(Kernel::INPUTS, Contents::Bytes(inputs))),
        ("out", buffer(Kernel::OUTPUTS * threads, Contents::Zero)),
        ("a", scalar(rng.below(9))),
        ("b", scalar(rng.below(1 << 16))),
        ("n", scalar(threads as usize)),
        ("nx", scalar(block[0] as usize)),
    ];
    Launch {
        kernel: "k".to_owned(),
        grid: [1, 1, 1],
        block: [block[0], block[1], 1],
        subgroup: kernel.shape.subgroup,
        arguments: arguments.into_iter().map(|(name, argument)| (name.to_owned(), argument)).collect(),
        model,
        schedule: Schedule::Lockstep,
        anchors,
        masks: MaskReading::Partition,
        limits: Limits { instructions: 200_000, stack: 1 << 12, memory: 1 << 20, calls: 8 },
        threads: 1,
        max_events: usize::MAX,
        races: true,
    }
}

/// What a module has in the order of the text, which passes keep: names of blocks, and offsets of operations.
struct Landmarks {
    blocks: FxHashMap<(FunctionId, Block), String>,
    operations: Vec<usize>,
}

fn landmarks(text: &[u8]) -> Landmarks {
    let (_, functions) = read_functions(text, |module, id, function| {
        let blocks: Vec<_> = function
            .blocks
            .iter()
            .map(|(block, data)| ((id, block), format!("{id} {}", module.local_name(data.name))))
            .collect();
        let lowered = lower(module, id, function);
        let operations = lowered.flow.operations.iter().zip(&lowered.instructions);
        let calls = operations.filter(|(operation, _)| operation.kind == OperationKind::Call);
        let offsets: Vec<usize> = calls.map(|(_, &inst)| function.instructions[inst].span.range().start).collect();
        (blocks, offsets)
    })
    .expect("it is IR");
    let (blocks, operations): (Vec<_>, Vec<_>) = functions.into_iter().unzip();
    Landmarks { blocks: blocks.into_iter().flatten().collect(), operations: operations.concat() }
}

/// The blocks that each thread comes to.
struct Ways<'l> {
    landmarks: &'l Landmarks,
    of: FxHashMap<u64, Vec<&'l str>>,
}

impl Observer for Ways<'_> {
    fn defined(&mut self, _: Definition<'_>) {}

    fn entered(&mut self, function: FunctionId, _: u64, block: Block, threads: &[u64]) {
        let name = &self.landmarks.blocks[&(function, block)][..];
        threads.iter().for_each(|&thread| self.of.entry(thread).or_default().push(name));
    }
}

/// An operation by its place among all, the threads that communicate, and with what result.
type Communication = (usize, Vec<u64>, Vec<String>);

/// All that a run did.
#[derive(Debug, PartialEq)]
struct Behaviour {
    ways: Vec<(u64, Vec<String>)>,
    buffers: Vec<Buffer>,
    communications: Vec<Communication>,
}

/// What a program does, without blocks whose names `original` does not have; nothing where it has no meaning or no end.
fn behaviour(text: &[u8], original: &Landmarks, launch: &Launch) -> Option<Behaviour> {
    let program = Program::prepare(text, "kernel.ll", None).expect("a random kernel can be read");
    let landmarks = landmarks(text);
    assert_eq!(landmarks.operations.len(), original.operations.len());
    let known: std::collections::HashSet<&str> = original.blocks.values().map(String::as_str).collect();
    let mut ways = Ways { landmarks: &landmarks, of: FxHashMap::default() };
    let outcome = run_observed(&program, launch, &Control::default(), &mut ways).ok()?;
    let Outcome { completed, buffers, events, diagnostics, .. } = outcome;
    if !completed || !diagnostics.is_empty() {
        return None;
    }
    let name = |names: Vec<&str>| names.into_iter().filter(|name| known.contains(name)).map(str::to_owned).collect();
    let mut ways: Vec<(u64, Vec<String>)> = ways.of.into_iter().map(|(thread, names)| (thread, name(names))).collect();
    ways.sort_unstable();
    let place = |offset| landmarks.operations.binary_search(&offset).expect("an event is of an operation");
    let mut communications: Vec<Communication> =
        events.into_iter().map(|event| (place(event.offset), event.threads, event.results)).collect();
    communications.sort_unstable();
    Some(Behaviour { ways, buffers, communications })
}

fn verify(seed: u64, text: &[u8]) {
    if let Some(tools) = llvm::tools() {
        let verdict = tools.verify(&String::from_utf8_lossy(text)).expect("LLVM reads it");
        assert!(verdict.accepted, "seed {seed}: {}\n{}", verdict.output, String::from_utf8_lossy(text));
    }
}

fn kernel(seed: u64, tokens: bool) -> Kernel {
    Kernel::with(Wishes { tokens, bounded: true, uniform_control: false }, seed)
}

#[test]
fn each_thread_does_what_it_did() {
    let (mut reduced, mut compared, mut verified) = (0, 0, 0);
    for seed in seeds(500) {
        let tokens = seed % 2 == 0;
        let kernel = kernel(seed, tokens);
        let before = kernel.text.as_bytes();
        let transformed = reduce_cycles(before).expect("it is IR");
        assert_eq!(transformed.refusals, [], "seed {seed}");
        if transformed.functions == 0 {
            continue;
        }
        reduced += 1;
        let after = transformed.edits.apply(before);
        if verified < 40 {
            verify(seed, &after);
            verified += 1;
        }
        let original = landmarks(before);
        for round in 0..3 {
            let model = if tokens { Model::Controlled } else { Model::Maximal { hierarchy: 0 } };
            // Kernels that promise a size of workgroups are not run with others.
            let block = if tokens { kernel.shape.block } else { [1, 1] };
            if !tokens && kernel.shape.promised {
                continue;
            }
            // Maximal convergence at an anchor in an irreducible cycle is something that the pass decides.
            let data = &mut SplitMix64::new(seed ^ round << 32);
            let launch = launch(&kernel, block, data, model, AnchorPolicy::Solo);
            let Some(first) = behaviour(before, &original, &launch) else { continue };
            let second = behaviour(&after, &original, &launch);
            assert_eq!(Some(first), second, "seed {seed}: {launch:?}\n{}", String::from_utf8_lossy(&after));
            compared += 1;
        }
    }
    println!("{reduced} kernels with irreducible cycles, {compared} runs compared");
    assert!(compared > 60 && reduced > 30);
}

#[test]
fn inferred_tokens_say_what_is_maximal_in_the_reduced_program() {
    let (mut reduced, mut compared, mut communications, mut verified) = (0, 0, 0, 0);
    for seed in seeds(900) {
        let kernel = kernel(seed, false);
        let before = kernel.text.as_bytes();
        let transformed = reduce_cycles(before).expect("it is IR");
        reduced += u64::from(transformed.functions > 0);
        let plain = transformed.edits.apply(before);
        let [inferred, at_once] = [&plain[..], before].map(|text| {
            let transformed = infer_tokens(text).expect("it is IR");
            assert_eq!(transformed.refusals, [], "seed {seed}");
            transformed.edits.apply(text)
        });
        if verified < 40 {
            verify(seed, &at_once);
            verified += 1;
        }
        let original = landmarks(before);
        let mut behaviours = Vec::new();
        for (text, model) in
            [(&plain, Model::Maximal { hierarchy: 0 }), (&inferred, Model::Controlled), (&at_once, Model::Controlled)]
        {
            let data = &mut SplitMix64::new(seed);
            let launch = launch(&kernel, kernel.shape.block, data, model, AnchorPolicy::Maximal);
            behaviours.push(behaviour(text, &original, &launch));
        }
        let [Some(maximal), Some(controlled), Some(at_once_too)] = &behaviours[..] else {
            assert!(behaviours.iter().all(Option::is_none), "seed {seed}: {}", String::from_utf8_lossy(&inferred));
            continue;
        };
        assert_eq!(maximal, controlled, "seed {seed}\n{}", String::from_utf8_lossy(&inferred));
        assert_eq!(maximal, at_once_too, "seed {seed}\n{}", String::from_utf8_lossy(&at_once));
        compared += u64::from(transformed.functions > 0);
        communications += maximal.communications.len();
    }
    println!("{reduced} kernels with irreducible cycles, {compared} compared, {communications} communications");
    assert!(compared > 50 && communications > 500);
}
