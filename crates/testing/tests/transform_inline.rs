//! Calls inlined in kernels: they do what they did, and LLVM takes what comes out.
//!
//! Random kernels are run before and after, by the tokens and by maximal convergence: the same results, and each thread communicates with the same
//! threads in the same order. `RECONVERGE_ROUNDS` multiplies the number of kernels; `RECONVERGE_SEED` sets the first.

use std::collections::HashMap;

use reconverge_analysis::check::{CheckOptions, check};
use reconverge_analysis::diagnostic::Severity;
use reconverge_exec::launch::{
    AnchorPolicy, Argument, Buffer, Contents, Element, Launch, Limits, MaskReading, Model, Outcome, Schedule,
};
use reconverge_exec::{Control, Program, run};
use reconverge_ir::{Function, Module, read_functions};
use reconverge_testing::corpus::{self, Corpus};
use reconverge_testing::llvm;
use reconverge_testing::random::SplitMix64;
use reconverge_testing::random::kernels::Kernel;
use reconverge_transform::{InlineOptions, Transformed, infer_tokens, inline};

fn environment(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().map_or(default, |value| value.parse().expect("a number"))
}

fn seeds(count: u64) -> std::ops::Range<u64> {
    let first = environment("RECONVERGE_SEED", 1);
    match environment("RECONVERGE_ROUNDS", 1) {
        0 => first..first + 1,
        rounds => first..first + count * rounds,
    }
}

fn transformed(text: &str) -> (String, Transformed) {
    let transformed = inline(text.as_bytes(), &InlineOptions::default()).expect("it is IR");
    let after = String::from_utf8(transformed.edits.clone().apply(text.as_bytes())).expect("it is text");
    (after, transformed)
}

/// How often each error is found.
fn errors(text: &str) -> HashMap<&'static str, usize> {
    let found = check(text.as_bytes(), &CheckOptions::default()).expect("it is IR").diagnostics;
    let mut count = HashMap::new();
    for error in found.iter().filter(|found| found.code.severity() == Severity::Error) {
        *count.entry(error.code.name()).or_default() += 1;
    }
    count
}

fn launch(kernel: &Kernel, rng: &mut SplitMix64, model: Model, anchors: AnchorPolicy) -> Launch {
    let [x, y] = kernel.shape.block;
    let groups = 1 + rng.below(2) as u32;
    let threads = u64::from(x * y);
    let buffer = |length: u64, contents: Contents| Argument::Buffer { element: Element::U32, length, contents };
    let most = [2, 5, 1 << 20][rng.below(3)];
    let inputs = (0..Kernel::INPUTS).flat_map(|_| (rng.below(most) as u32).to_le_bytes()).collect();
    let scalar = |value: usize| Argument::Scalar(value.to_string());
    let arguments = [
        ("in", buffer(Kernel::INPUTS, Contents::Bytes(inputs))),
        ("out", buffer(Kernel::OUTPUTS * threads * u64::from(groups), Contents::Zero)),
        ("a", scalar(rng.below(9))),
        ("b", scalar(rng.below(1 << 16))),
        ("n", scalar(threads as usize)),
        ("nx", scalar(x as usize)),
    ];
    Launch {
        kernel: "k".to_owned(),
        grid: [groups, 1, 1],
        block: [x, y, 1],
        subgroup: kernel.shape.subgroup,
        arguments: arguments.into_iter().map(|(name, argument)| (name.to_owned(), argument)).collect(),
        model,
        schedule: Schedule::Lockstep,
        anchors,
        masks: MaskReading::Partition,
        limits: Limits { instructions: 1 << 22, stack: 1 << 12, memory: 1 << 20, calls: 8 },
        threads: 1,
        max_events: usize::MAX,
        races: true,
    }
}

/// An operation, its threads, and what they got.
type Communication = (String, Vec<u64>, Vec<String>);

/// What the threads did: buffers, and for each thread the operations, with whom, and with what result.
#[derive(Debug, PartialEq)]
struct Behaviour {
    buffers: Vec<Buffer>,
    sequences: HashMap<u64, Vec<Communication>>,
}

fn behaviour(outcome: Outcome) -> Behaviour {
    let mut sequences: HashMap<u64, Vec<_>> = HashMap::new();
    for event in outcome.events {
        // Calls of local functions and tokens go.
        if matches!(&*event.operation, "g0" | "g1") || event.operation.starts_with("llvm.experimental.convergence.") {
            continue;
        }
        for &thread in &event.threads {
            let what = (event.operation.clone(), event.threads.clone(), event.results.clone());
            sequences.entry(thread).or_default().push(what);
        }
    }
    Behaviour { buffers: outcome.buffers, sequences }
}

#[test]
fn kernels_do_what_they_did() {
    let (mut kernels, mut changed, mut inferred, mut compared, mut communications) = (0, 0, 0, 0, 0);
    for seed in seeds(600) {
        let kernel = Kernel::random(seed);
        kernels += 1;
        let (after, transformed) = transformed(&kernel.text);
        if transformed.functions == 0 {
            continue;
        }
        changed += 1;
        let before_errors = errors(&kernel.text);
        for code in errors(&after).keys() {
            let before = before_errors.get(code).copied().unwrap_or(0);
            assert!(before > 0, "seed {seed}: {code}\n{}\n{after}", kernel.text);
        }
        // Where tokens had to be made up, that is another program, and a pass of its own.
        let mixed = after.contains("%convergence.");
        inferred += u64::from(mixed);
        let before = if mixed {
            let tokens = infer_tokens(kernel.text.as_bytes()).expect("it is IR");
            String::from_utf8(tokens.edits.apply(kernel.text.as_bytes())).expect("it is text")
        } else {
            kernel.text.clone()
        };
        let first = Program::prepare(before.as_bytes(), "before.ll", None).expect("a random kernel can be read");
        let second = Program::prepare(after.as_bytes(), "after.ll", None)
            .unwrap_or_else(|error| panic!("seed {seed}: {error:?}\n{after}"));
        let mut rng = SplitMix64::new(seed);
        for model in [Model::Controlled, Model::Maximal { hierarchy: 0 }] {
            for anchors in [AnchorPolicy::Maximal, AnchorPolicy::Solo] {
                let launch = launch(&kernel, &mut rng, model, anchors);
                let Ok(one) = run(&first, &launch, &Control::default()) else { continue };
                if !one.completed || !one.diagnostics.is_empty() {
                    continue;
                }
                let other = run(&second, &launch, &Control::default())
                    .unwrap_or_else(|error| panic!("seed {seed}: {error:?}\n{after}"));
                assert!(
                    other.completed && other.diagnostics.is_empty(),
                    "seed {seed}: {:?}\n{before}\n{after}",
                    other.diagnostics
                );
                let (one, other) = (behaviour(one), behaviour(other));
                communications += one.sequences.values().map(Vec::len).sum::<usize>();
                compared += 1;
                assert!(one == other, "seed {seed}: {model:?}, {anchors:?}\n{one:?}\n{other:?}\n{before}\n{after}");
            }
        }
    }
    println!(
        "{kernels} kernels, {changed} changed, {inferred} with tokens made up; {compared} runs compared, {communications} communications"
    );
    assert!(changed > 0 && compared > 0 && communications > 0);
}

/// LLVM takes what comes out of random kernels.
#[test]
fn llvm_takes_inlined_kernels() {
    let Some(tools) = llvm::tools() else { return };
    for seed in seeds(120) {
        let (after, transformed) = transformed(&Kernel::random(seed).text);
        if transformed.functions > 0 {
            let verdict = tools.verify(&after).unwrap_or_else(|error| panic!("seed {seed}: {error}\n{after}"));
            assert!(verdict.accepted, "seed {seed}: {}\n{after}", verdict.output);
        }
    }
}

/// Kernels that clang compiled: LLVM takes what comes out, and nothing is found in it that was not.
#[test]
fn llvm_takes_inlined_corpora() {
    let Some(tools) = llvm::tools() else { return };
    let mut files = corpus::ensure_corpus(tools, Corpus::Small).expect("the corpus builds");
    files.extend(corpus::cases("ir", "ll").expect("the cases are there"));
    let (mut changed, mut refused, mut bytes) = (0, 0, [0, 0]);
    for path in &files {
        let text = std::fs::read_to_string(path).expect("a file is there");
        // By names `noinline` functions are inlined, too.
        let names = functions(&text);
        for functions in [Vec::new(), names] {
            let options = InlineOptions { functions, ..InlineOptions::default() };
            let transformed = inline(text.as_bytes(), &options).expect("it is IR");
            refused += transformed.refusals.len();
            if transformed.functions == 0 {
                continue;
            }
            changed += transformed.functions;
            let after = String::from_utf8(transformed.edits.apply(text.as_bytes())).expect("it is text");
            bytes = [bytes[0] + text.len(), bytes[1] + after.len()];
            let before = errors(&text);
            let new = errors(&after).into_iter().find(|(code, _)| !before.contains_key(code));
            assert!(new.is_none(), "{}: {new:?}", path.display());
            if tools.verify(&text).is_ok_and(|verdict| verdict.accepted) {
                let verdict = tools.verify(&after).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
                assert!(verdict.accepted, "{}: {}", path.display(), verdict.output);
            }
        }
    }
    println!(
        "{} files, {changed} functions changed, {refused} refusals, {} bytes became {}",
        files.len(),
        bytes[0],
        bytes[1]
    );
    assert!(changed > 0);
}

/// The names of the functions with a body.
fn functions(text: &str) -> Vec<String> {
    let name = |module: &Module<'_>, id, _: &Function| module.function_name(id);
    read_functions(text.as_bytes(), name).expect("it is IR").1
}
