//! Threads of random kernels take the same ways once their cycles are reducible.
//!
//! For each thread the sequence of original blocks is the same where nothing depends on who is converged: for threads that are alone in
//! their subgroup and workgroup, whatever the kernel, and for all threads where tokens say who is converged. Without tokens the
//! implementation chooses who is converged in an irreducible cycle, and `reduce-cycles` makes the choice. (What else a pass has to keep is looked at by
//! `own_passes`.)

use reconverge_analysis::flow::OperationKind;
use reconverge_analysis::lower::lower;
use reconverge_exec::launch::{Buffer, Launch, Limits, Model, Outcome};
use reconverge_exec::{Control, Definition, Observer, Program, run_observed};
use reconverge_ir::function::Block;
use reconverge_ir::{FunctionId, read_functions};
use reconverge_testing::random::SplitMix64;
use reconverge_testing::random::kernels::{Kernel, Wishes};
use reconverge_testing::rounds::{is_part, seeds};
use reconverge_transform::reduce_cycles;
use reconverge_trials::launches::of_groups;
use rustc_hash::FxHashMap;

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
    let Outcome { completed, buffers, events, findings, .. } = outcome;
    if !completed || !findings.is_empty() {
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

#[test]
fn each_thread_does_what_it_did() {
    let (mut reduced, mut compared) = (0, 0);
    for seed in seeds(500) {
        let tokens = seed % 2 == 0;
        let kernel = Kernel::with(Wishes { tokens, bounded: true, uniform_control: false, references: false }, seed);
        let before = kernel.text.as_bytes();
        let transformed = reduce_cycles(before).expect("it is IR");
        assert_eq!(transformed.refusals, [], "seed {seed}");
        if transformed.functions == 0 {
            continue;
        }
        reduced += 1;
        let after = transformed.edits.apply(before);
        let original = landmarks(before);
        for round in 0..3 {
            let model = if tokens { Model::Controlled } else { Model::Maximal { hierarchy: 0 } };
            // Kernels that promise a size of workgroups are not run with others.
            let block = if tokens { kernel.shape.block } else { [1, 1] };
            if !tokens && kernel.shape.promised {
                continue;
            }
            let launch = of_groups(&kernel, &mut SplitMix64::new(seed ^ round << 32), block, 1);
            let limits = Limits { instructions: 200_000, ..launch.limits };
            // Each thread is alone at anchors: maximal convergence there is something that the pass decides in an irreducible cycle.
            let launch = Launch { model, limits, ..launch };
            let Some(first) = behaviour(before, &original, &launch) else { continue };
            let second = behaviour(&after, &original, &launch);
            assert_eq!(Some(first), second, "seed {seed}: {launch:?}\n{}", String::from_utf8_lossy(&after));
            compared += 1;
        }
    }
    println!("{reduced} kernels with irreducible cycles, {compared} runs compared");
    assert!(is_part() || compared > 60 && reduced > 30);
}
