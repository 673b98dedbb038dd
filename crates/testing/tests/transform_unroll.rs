//! Unrolled loops do what the loops did: the same memory, and for each thread the same sequence of sets of threads that it communicates with.
//!
//! Random kernels, as they are and after passes of LLVM that bring their loops into other forms. Which threads execute an `anchor` together is up to the
//! implementation, so here each does on its own. `RECONVERGE_ROUNDS` multiplies the runs, `RECONVERGE_SEED` sets the first seed.

use std::collections::BTreeMap;
use std::path::PathBuf;

use rayon::prelude::*;
use reconverge_analysis::check::{CheckOptions, check};
use reconverge_exec::launch::{
    AnchorPolicy, Argument, Contents, Element, Launch, Limits, MaskReading, Model, Outcome, Schedule,
};
use reconverge_exec::{Control, Program, run};
use reconverge_testing::random::{Loops, SplitMix64, THREADS, loops};
use reconverge_testing::reference::case::{self, Case, Value};
use reconverge_testing::reference::compile::{Compiler, compile};
use reconverge_testing::{corpus, llvm};
use reconverge_transform::{Kind, UnrollOptions, unroll};

fn environment(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().map_or(default, |value| value.parse().expect("a number"))
}

fn launch(kernel: usize, n: u64, model: Model) -> Launch {
    let groups = 2;
    let length = u64::from(groups * THREADS);
    Launch {
        kernel: format!("k{kernel}"),
        grid: [groups, 1, 1],
        block: [THREADS, 1, 1],
        subgroup: 16,
        arguments: vec![
            ("out".to_owned(), Argument::Buffer { element: Element::U32, length, contents: Contents::Zero }),
            ("n".to_owned(), Argument::Scalar(n.to_string())),
        ],
        model,
        schedule: Schedule::Lockstep,
        anchors: AnchorPolicy::Solo,
        masks: MaskReading::Partition,
        limits: Limits { instructions: 400_000, stack: 1 << 12, memory: 1 << 20, calls: 8 },
        threads: 1,
        max_events: usize::MAX,
        races: true,
    }
}

/// An operation, the threads that execute it together, and what the one that it is about gets.
type Communication = (String, Vec<u64>, Option<String>);

/// What must not change.
#[derive(Debug, PartialEq)]
struct Behaviour {
    memory: Vec<Vec<u8>>,
    /// By workgroup and thread: with whom it executes which operation, and what it gets.
    communications: BTreeMap<(u64, u64), Vec<Communication>>,
    findings: Vec<&'static str>,
}

fn behaviour(outcome: Outcome) -> Behaviour {
    let mut communications: BTreeMap<(u64, u64), Vec<_>> = BTreeMap::new();
    for event in
        outcome.events.into_iter().filter(|event| !event.operation.starts_with("llvm.experimental.convergence."))
    {
        for (index, &thread) in event.threads.iter().enumerate() {
            let result = event.results.get(index).cloned();
            let entry = (event.operation.clone(), event.threads.clone(), result);
            communications.entry((event.workgroup, thread)).or_default().push(entry);
        }
    }
    Behaviour {
        memory: outcome.buffers.into_iter().map(|buffer| buffer.bytes).collect(),
        communications,
        findings: outcome.diagnostics.iter().map(|found| found.code.name()).collect(),
    }
}

/// What was done, for the last line and for knowing that the test tests something.
#[derive(Debug, Default)]
struct Counts {
    kinds: BTreeMap<Kind, usize>,
    refused: BTreeMap<String, usize>,
    compared: usize,
    too_long: usize,
}

impl Counts {
    fn add(mut self, other: Counts) -> Counts {
        other.kinds.into_iter().for_each(|(kind, count)| *self.kinds.entry(kind).or_default() += count);
        other.refused.into_iter().for_each(|(rule, count)| *self.refused.entry(rule).or_default() += count);
        self.compared += other.compared;
        self.too_long += other.too_long;
        self
    }
}

/// How many static rules are broken.
fn broken(text: &[u8]) -> usize {
    let found = check(text, &CheckOptions::default())
        .unwrap_or_else(|error| panic!("{error}\n{}", String::from_utf8_lossy(text)));
    found.diagnostics.iter().filter(|found| found.code.name().starts_with("RC01")).count()
}

/// Unrolls the loops of a module and compares; `headers` are all loops, where their names are known.
fn compare(seed: u64, how: &str, text: &str, headers: &[String], count: usize) -> (String, Counts) {
    let mut rng = SplitMix64::new(seed ^ 0x756e_726f_6c6c);
    let options = UnrollOptions {
        factor: [2, 2, 3, 4, 4, 5, 8][rng.below(7)],
        keep_tests: rng.percent(30),
        functions: Vec::new(),
        loops: if rng.percent(40) { headers.to_vec() } else { Vec::new() },
        ..UnrollOptions::default()
    };
    let unrolled = unroll(text.as_bytes(), &options).expect("it is IR");
    let result = unrolled.transformed.edits.apply(text.as_bytes());
    let result = String::from_utf8(result).expect("it is text");
    let what = || format!("seed {seed} {how} {options:?}\n{text}\n; -------- unrolled\n{result}");
    assert_eq!(broken(text.as_bytes()), broken(result.as_bytes()), "{}", what());
    let mut counts = Counts::default();
    unrolled.loops.iter().for_each(|(_, _, kind)| *counts.kinds.entry(*kind).or_default() += 1);
    unrolled
        .transformed
        .refusals
        .iter()
        .for_each(|refusal| *counts.refused.entry(refusal.rule.clone()).or_default() += 1);
    let before = Program::prepare(text.as_bytes(), "kernel.ll", None).expect("it can be read");
    let after =
        Program::prepare(result.as_bytes(), "kernel.ll", None).unwrap_or_else(|error| panic!("{error} {}", what()));
    for kernel in 0..count {
        let model = if rng.percent(70) { Model::Controlled } else { Model::Maximal { hierarchy: 0 } };
        // Without tokens the models agree; with them, unrolling is right by what they say.
        let model = if text.contains("experimental.convergence.entry()") { Model::Controlled } else { model };
        let mut one = launch(kernel, rng.below(14) as u64, model);
        let Ok(first) = run(&before, &one, &Control::default()) else { continue };
        if !first.completed {
            counts.too_long += 1;
            continue;
        }
        one.limits.instructions *= 4;
        let second = run(&after, &one, &Control::default()).expect("it runs as before");
        assert!(second.completed, "@k{kernel} does not end, {}", what());
        let (first, second) = (behaviour(first), behaviour(second));
        assert!(
            first == second,
            "@k{kernel} with {:?} differs: {:?}\n{:?}\n{}",
            one.arguments[1],
            first,
            second,
            what()
        );
        counts.compared += 1;
    }
    (result, counts)
}

/// Passes of LLVM that bring loops into other forms; `None` leaves them.
const FORMS: [Option<&str>; 5] = [
    None,
    Some("sroa"),
    Some("sroa,loop-simplify,loop-rotate"),
    Some("sroa,early-cse,simplifycfg,loop-simplify,loop-rotate,instcombine<no-verify-fixpoint>,loop-simplify,indvars"),
    Some("sroa,instnamer,loop-simplify,lcssa"),
];

#[test]
fn unrolled_loops_do_what_the_loops_did() {
    let tools = llvm::tools();
    let first = environment("RECONVERGE_SEED", 1);
    let seeds: Vec<u64> = (first..first + 40 * environment("RECONVERGE_ROUNDS", 1)).collect();
    let counts = seeds
        .par_iter()
        .map(|&seed| {
            let Loops { text, count, headers } = loops(seed, 6);
            let form = FORMS[seed as usize % FORMS.len()].filter(|_| tools.is_some());
            let text = match (form, tools) {
                // Some passes break rules about hearts, and what comes out is rejected; then the kernels stay as they are.
                (Some(passes), Some(tools)) => tools.transform(&text, passes).unwrap_or(text),
                _ => text,
            };
            let (result, counts) = compare(seed, form.unwrap_or("as it is"), &text, &headers, count);
            if let Some(tools) = tools {
                let verdict = tools.verify(&result).unwrap_or_else(|error| panic!("seed {seed}: {error}\n{result}"));
                assert!(
                    verdict.accepted,
                    "seed {seed} {form:?}: {}\n{text}\n; -------- unrolled\n{result}",
                    verdict.output
                );
            }
            counts
        })
        .reduce(Counts::default, Counts::add);
    println!("{counts:#?}");
    assert!(counts.compared > 100 && counts.kinds.values().all(|&count| count > 5) && counts.kinds.len() == 4);
    assert!(counts.refused.values().sum::<usize>() > 10);
}

/// What a case asks for, as a launch of ours.
fn launch_of(case: &case::Launch) -> Launch {
    let argument = |(name, value): &(String, Value)| {
        let argument = match value {
            Value::Number(number) => Argument::Scalar(number.clone()),
            Value::Buffer { element, bytes } => Argument::Buffer {
                element: *element,
                length: bytes.len() as u64 / element.size(),
                contents: Contents::Bytes(bytes.clone()),
            },
        };
        (name.clone(), argument)
    };
    Launch {
        kernel: case.kernel.clone(),
        grid: case.grid,
        block: case.block,
        subgroup: case.subgroup,
        arguments: case.arguments.iter().map(argument).collect(),
        limits: Limits { instructions: 2_000_000_000, ..Limits::default() },
        max_events: 0,
        ..launch(0, 0, Model::Maximal { hierarchy: 0 })
    }
}

/// The kernels of `tests/cases/run` that clang made, unrolled; all with `RECONVERGE_ROUNDS` above 1, else some.
#[test]
fn unrolled_real_kernels_compute_what_they_computed() {
    let Some(tools) = llvm::tools() else { return };
    let every = if environment("RECONVERGE_ROUNDS", 1) > 1 { 1 } else { 6 };
    let paths: Vec<PathBuf> =
        corpus::cases("run", "cl").expect("the cases are there").into_iter().step_by(every).collect();
    let one = |path: &PathBuf| {
        let mut counts = Counts::default();
        let case = Case::read(path).unwrap_or_else(|error| panic!("{error:#}")).expect("it has launches");
        let text =
            compile(tools, &case, Compiler::ClangO1).unwrap_or_else(|error| panic!("{}: {error:#}", path.display()));
        for factor in [2, 4] {
            let where_it_is = format!("{} by {factor}", path.display());
            let unrolled =
                unroll(text.as_bytes(), &UnrollOptions { factor, ..UnrollOptions::default() }).expect("it is IR");
            unrolled.loops.iter().for_each(|(_, _, kind)| *counts.kinds.entry(*kind).or_default() += 1);
            for refusal in &unrolled.transformed.refusals {
                *counts.refused.entry(refusal.rule.clone()).or_default() += 1;
            }
            let result = String::from_utf8(unrolled.transformed.edits.apply(text.as_bytes())).expect("it is text");
            let verdict = tools.verify(&result).unwrap_or_else(|error| panic!("{where_it_is}: {error}\n{result}"));
            assert!(verdict.accepted, "{where_it_is}: {}", verdict.output);
            let run_all = |text: &str| -> Vec<Behaviour> {
                let program = Program::prepare(text.as_bytes(), "kernel.ll", None).expect("it can be run");
                let run_one =
                    |launch: &case::Launch| run(&program, &launch_of(launch), &Control::default()).expect("it runs");
                case.launches.iter().map(|launch| behaviour(run_one(launch))).collect()
            };
            assert!(run_all(&text) == run_all(&result), "{where_it_is} differs");
            counts.compared += case.launches.len();
        }
        counts
    };
    let counts = paths.par_iter().map(one).reduce(Counts::default, Counts::add);
    println!("{} files: {counts:#?}", paths.len());
    assert!(counts.compared > 20 && counts.kinds.values().sum::<usize>() > 20);
}
