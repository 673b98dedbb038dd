//! Moved operations and anchors do what they did: on random kernels, before and after each pass.
//!
//! Three comparisons. The text afterwards breaks no rule that it did not break before, and LLVM accepts it. Executed, memory is what it was; where it was not
//! determined, it may be anything. And who communicates is who did: every communication afterwards was there before, by the same threads and with the same results,
//! and for passes that hoist also the other way round.
//!
//! What an operation on an anchor gives is the implementation's choice, so kernels with such operations are run with each thread on its own at anchors. Operations
//! that may be hoisted over divergent branches (the target's `hoist`) communicate with more threads afterwards, and are left out of the sets.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use reconverge_analysis::check::{CheckOptions, check};
use reconverge_analysis::target::Target;
use reconverge_exec::launch::{
    AnchorPolicy, Argument, Contents, Element, Launch, Limits, MaskReading, Model, Outcome, Schedule,
};
use reconverge_exec::literal::Number;
use reconverge_exec::{Control, Program, run};
use reconverge_ir::ReadError;
use reconverge_testing::llvm;
use reconverge_testing::random::SplitMix64;
use reconverge_testing::random::kernels::{Kernel, Wishes};
use reconverge_transform::{
    Transformed, hoist_anchors, hoist_operations, infer_noconvergent, sink_anchors, sink_operations,
};

const KERNELS: u64 = 400;

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

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Pass {
    HoistAnchors,
    SinkAnchors,
    HoistOperations,
    SinkOperations,
    InferNoconvergent,
}

impl Pass {
    const ALL: [Pass; 5] =
        [Pass::HoistAnchors, Pass::SinkAnchors, Pass::HoistOperations, Pass::SinkOperations, Pass::InferNoconvergent];

    fn run(self, text: &[u8]) -> Result<Transformed, ReadError> {
        match self {
            Pass::HoistAnchors => hoist_anchors(text, None),
            Pass::SinkAnchors => sink_anchors(text, None),
            Pass::HoistOperations => hoist_operations(text, None),
            Pass::SinkOperations => sink_operations(text, None),
            Pass::InferNoconvergent => infer_noconvergent(text),
        }
    }

    /// Whether nothing may be executed less often.
    fn keeps_all(self) -> bool {
        !matches!(self, Pass::SinkAnchors | Pass::SinkOperations)
    }
}

/// The errors of a text, by code: how many there are.
fn errors(text: &[u8]) -> BTreeMap<&'static str, usize> {
    let mut errors = BTreeMap::new();
    for found in check(text, &CheckOptions::default()).expect("it can be read").diagnostics {
        if found.severity == reconverge_analysis::diagnostic::Severity::Error {
            *errors.entry(found.code.name()).or_default() += 1;
        }
    }
    errors
}

fn launch(kernel: &Kernel, rng: &mut SplitMix64, model: Model) -> Launch {
    let [x, y] = kernel.shape.block;
    let groups = 1 + rng.below(2) as u32;
    let threads = u64::from(x * y);
    let buffer = |length: u64, contents: Contents| Argument::Buffer { element: Element::U32, length, contents };
    let most = [2, 5, 9][rng.below(3)];
    let inputs = (0..Kernel::INPUTS).flat_map(|_| (rng.below(most) as u32).to_le_bytes()).collect();
    let scalar = |value: usize| Argument::Scalar(value.to_string());
    let arguments = [
        ("in", buffer(Kernel::INPUTS, Contents::Bytes(inputs))),
        ("out", buffer(Kernel::OUTPUTS * threads * u64::from(groups), Contents::Zero)),
        ("a", scalar(rng.below(6))),
        ("b", scalar(rng.below(6))),
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
        schedule: [Schedule::Lockstep, Schedule::Fair, Schedule::Random(rng.next_u64())][rng.below(3)],
        anchors: if kernel.anchored { AnchorPolicy::Solo } else { AnchorPolicy::Maximal },
        masks: MaskReading::Partition,
        limits: Limits { instructions: 1 << 22, stack: 1 << 12, memory: 1 << 20, calls: 8 },
        threads: 1,
        max_events: usize::MAX,
        races: false,
    }
}

/// How often something was communicated: operation, workgroup, threads, results.
type Communications = BTreeMap<(String, u64, Vec<u64>, Vec<String>), usize>;

fn communications(outcome: &Outcome, target: &Target) -> Communications {
    let mut counts = Communications::new();
    for event in &outcome.events {
        let facts = target.call(event.operation.as_bytes()).copied().unwrap_or_default();
        if !facts.motion.hoist {
            let key = (event.operation.clone(), event.workgroup, event.threads.clone(), event.results.clone());
            *counts.entry(key).or_default() += 1;
        }
    }
    counts
}

/// What is in the one and, as often, not in the other.
fn missing<'c>(one: &'c Communications, other: &Communications) -> Vec<&'c (String, u64, Vec<u64>, Vec<String>)> {
    one.iter().filter(|(key, count)| other.get(*key).copied().unwrap_or(0) < **count).map(|(key, _)| key).collect()
}

/// Compares runs; whether they were compared.
fn compare(kernel: &Kernel, after: &[u8], pass: Pass, seed: u64) -> bool {
    let mut rng = SplitMix64::new(seed);
    let target = |text: &[u8]| {
        let text = String::from_utf8_lossy(text).into_owned();
        let triple = text.split('"').nth(1).expect("it has a triple").to_owned();
        Target::for_triple(triple.as_bytes())
    };
    let models: &[Model] = if kernel.tokens { &[Model::Controlled] } else { &[Model::Maximal { hierarchy: 0 }] };
    let mut compared = false;
    for _ in 0..3 {
        let model = models[rng.below(models.len())];
        let launch = launch(kernel, &mut rng, model);
        let outcome = |text: &[u8]| {
            let program = Program::prepare(text, "kernel.ll", None).expect("a random kernel can be read");
            run(&program, &launch, &Control::default()).expect("a random kernel can be run")
        };
        let before = outcome(kernel.text.as_bytes());
        if !before.completed || !before.diagnostics.is_empty() {
            continue;
        }
        let now = outcome(after);
        let say = |what: &str| {
            format!(
                "seed {seed}, {pass:?}: {what}\n{launch:?}\n{}\n---\n{}",
                kernel.text,
                String::from_utf8_lossy(after)
            )
        };
        assert!(now.completed && now.diagnostics.is_empty(), "{}", say(&format!("{:?}", now.diagnostics)));
        for (was, is) in before.buffers.iter().zip(&now.buffers) {
            let undetermined = |number: &Number| matches!(number, Number::Poison | Number::Undefined);
            let different = was.elements().zip(is.elements()).position(|(was, is)| !undetermined(&was) && was != is);
            assert_eq!(different, None, "{}", say(&format!("{} is different", was.name)));
        }
        let target = target(after);
        let (was, is) = (communications(&before, target), communications(&now, target));
        let undetermined = before
            .events
            .iter()
            .any(|event| event.results.iter().any(|result| result.contains("poison") || result.contains("undef")));
        if !undetermined {
            assert!(missing(&is, &was).is_empty(), "{}", say(&format!("new: {:?}", missing(&is, &was))));
            if pass.keeps_all() {
                assert!(missing(&was, &is).is_empty(), "{}", say(&format!("lost: {:?}", missing(&was, &is))));
            }
        }
        compared = true;
    }
    compared
}

#[derive(Default, Debug)]
struct Counts {
    kernels: u64,
    changed: u64,
    moved: u64,
    refused: u64,
    compared: u64,
}

fn of_seed(seed: u64, pass: Pass, counts: &mut Counts) -> Option<String> {
    let kernel = match seed % 4 {
        // Without candidates on purpose.
        0 => Kernel::with(Wishes { tokens: true, bounded: true, uniform_control: false }, seed),
        _ => Kernel::with_candidates(seed),
    };
    let text = kernel.text.as_bytes();
    let before = errors(text);
    assert!(before.keys().all(|code| !code.starts_with("RC01")), "seed {seed}: {before:?}\n{}", kernel.text);
    let transformed = pass.run(text).expect("a random kernel can be read");
    counts.kernels += 1;
    counts.moved += transformed.candidates.iter().filter(|candidate| candidate.verdict.is_yes()).count() as u64;
    counts.refused += transformed.refusals.len() as u64;
    if transformed.edits.is_empty() {
        return None;
    }
    counts.changed += 1;
    let after = transformed.edits.apply(text);
    for (code, count) in errors(&after) {
        let known = before.get(code).copied().unwrap_or(0);
        let shown = String::from_utf8_lossy(&after);
        assert!(count <= known, "seed {seed}, {pass:?}: {code} is new\n{}\n---\n{shown}", kernel.text);
    }
    if compare(&kernel, &after, pass, seed) {
        counts.compared += 1;
    }
    Some(String::from_utf8(after).expect("it is text"))
}

fn all_seeds(pass: Pass) -> Counts {
    let range = seeds(KERNELS);
    let next = AtomicU64::new(range.start);
    let one_core = || {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("threads can be started");
        pool.install(|| {
            let mut counts = Counts::default();
            let mut texts = Vec::new();
            while let Some(seed) = Some(next.fetch_add(1, Relaxed)).filter(|&seed| seed < range.end) {
                texts.extend(of_seed(seed, pass, &mut counts).map(|text| (seed, text)));
            }
            (counts, texts)
        })
    };
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let results: Vec<_> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..cores).map(|_| scope.spawn(one_core)).collect();
        threads.into_iter().map(|thread| thread.join().expect("no seed fails")).collect()
    });
    let mut sum = Counts::default();
    let mut texts = Vec::new();
    for (counts, some) in results {
        sum.kernels += counts.kernels;
        sum.changed += counts.changed;
        sum.moved += counts.moved;
        sum.refused += counts.refused;
        sum.compared += counts.compared;
        texts.extend(some);
    }
    if let Some(tools) = llvm::tools() {
        for (seed, text) in texts.iter().take(60) {
            let verdict = tools.verify(text).unwrap_or_else(|error| panic!("seed {seed}, {pass:?}: {error:#}\n{text}"));
            assert!(verdict.accepted, "seed {seed}, {pass:?}: {}\n{text}", verdict.output);
        }
    }
    println!("{pass:?}: {sum:?}");
    sum
}

#[test]
fn moved_operations_and_anchors_do_what_they_did() {
    for pass in Pass::ALL {
        let counts = all_seeds(pass);
        if environment("RECONVERGE_ROUNDS", 1) == 0 {
            continue;
        }
        assert!(counts.changed > 20 && counts.compared * 3 > counts.changed * 2, "{pass:?}: {counts:?}");
        if pass != Pass::InferNoconvergent {
            assert!(counts.refused > 3, "{pass:?}: {counts:?}");
        }
    }
}
