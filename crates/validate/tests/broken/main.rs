//! Passes that break convergence are caught.
//!
//! Each broken [`Variant`] changes random kernels. Whether a change matters is asked of an oracle that is a loop over many
//! launches: who communicates, with which results, and what is in memory at the end, as lists. Where it matters, the change
//! has to be found, by the static rules or by comparing.
//! `RECONVERGE_ROUNDS` multiplies the kernels, `RECONVERGE_SEED` sets the first seed, and `RECONVERGE_KEEP` names a folder for programs that
//! were missed.

mod remainders;
mod variants;

use std::collections::BTreeMap;

use rayon::prelude::*;
use reconverge_analysis::check::{CheckOptions, check};
use reconverge_analysis::target::Target;
use reconverge_exec::launch::{Argument, Launch, Limits, Model as Relation, Outcome};
use reconverge_exec::{Control, Program, run};
use reconverge_testing::launches::{self, environment};
use reconverge_testing::random::SplitMix64;
use reconverge_testing::random::kernels::{Kernel, Wishes};
use reconverge_validate::report::{Model, Options};
use reconverge_validate::{Verdict, compare};
use variants::Variant;

/// The parameters of a random kernel that are not any number, for one workgroup.
fn arguments(kernel: &Kernel, rng: &mut SplitMix64) -> Vec<(String, Argument)> {
    let mut arguments = launches::given(kernel, kernel.shape.block, 1);
    arguments.extend(launches::data(rng).into_iter().filter(|(name, _)| name == "in"));
    arguments
}

/// What a run did, in any order. Of operations that the target lets move, only what comes of them counts.
fn behaviour(target: &Target, outcome: &Outcome) -> (Vec<String>, Vec<Vec<u8>>) {
    let stays = |operation: &str| {
        let motion = target.call(operation.as_bytes()).map(|call| call.motion).unwrap_or_default();
        !motion.hoist && !motion.sink && !motion.speculate
    };
    let event = |event: &reconverge_exec::launch::Event| {
        format!("{} {} {:?} {:?}", event.operation, event.workgroup, event.threads, event.results)
    };
    let mut events: Vec<String> = outcome.events.iter().filter(|event| stays(&event.operation)).map(event).collect();
    events.sort_unstable();
    (events, outcome.buffers.iter().map(|buffer| buffer.bytes.clone()).collect())
}

/// Whether some launch shows a difference.
fn matters(before: &Program<'_>, after: &Program<'_>, seed: u64, launch: impl Fn(&mut SplitMix64) -> Launch) -> bool {
    let mut rng = SplitMix64::new(seed);
    (0..200).any(|_| {
        let launch = launch(&mut rng);
        let run = |program: &Program<'_>| run(program, &launch, &Control::default()).ok();
        let Some(first) = run(before).filter(|outcome| outcome.completed && outcome.diagnostics.is_empty()) else {
            return false;
        };
        let Some(second) = run(after).filter(|outcome| outcome.completed && outcome.diagnostics.is_empty()) else {
            return true;
        };
        let target = Target::for_triple(&before.module().target_triple());
        behaviour(target, &first) != behaviour(target, &second)
    })
}

/// A launch as far as programs may go here; each thread executes anchors alone.
fn bounded(launch: Launch, tokens: bool) -> Launch {
    let model = if tokens { Relation::Controlled } else { Relation::Maximal { hierarchy: 0 } };
    Launch { model, limits: Limits { instructions: 1_000_000, ..launch.limits }, max_events: 10_000, ..launch }
}

/// A launch of one workgroup of a random kernel.
fn random_launch(kernel: &Kernel, rng: &mut SplitMix64) -> Launch {
    bounded(launches::of_groups(kernel, rng, kernel.shape.block, 1), kernel.tokens)
}

fn breaks_a_rule(text: &[u8]) -> bool {
    let report = check(text, &CheckOptions::default()).expect("a variant is IR");
    report.diagnostics.iter().any(|diagnostic| diagnostic.code.name().starts_with("RC01"))
}

/// What came of one variant.
#[derive(Debug, Clone, Copy, Default)]
struct Count {
    changed: u64,
    by_rule: u64,
    by_comparison: u64,
    same: u64,
    missed: u64,
}

/// What came of one change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fate {
    ByRule,
    ByComparison,
    Same,
    Missed,
}

/// A kernel of any kind, or one with many places where operations could be moved.
fn kernel(seed: u64, rng: &mut SplitMix64) -> Kernel {
    if seed.is_multiple_of(3) {
        return Kernel::with_candidates(seed);
    }
    let wishes = Wishes { tokens: rng.percent(50), bounded: true, uniform_control: rng.percent(10) };
    Kernel::with(wishes, seed)
}

/// Tries all variants on a kernel.
fn fates(seed: u64) -> Vec<(Variant, Fate)> {
    let mut rng = SplitMix64::new(seed ^ 0x6272_6f6b_656e);
    let kernel = kernel(seed, &mut rng);
    let before = Program::prepare(kernel.text.as_bytes(), "before", None).expect("a random kernel is IR");
    let mut fates = Vec::new();
    for variant in Variant::ALL {
        let Some(text) = variant.apply(kernel.text.as_bytes(), &mut rng) else { continue };
        if breaks_a_rule(&text) && !breaks_a_rule(kernel.text.as_bytes()) {
            fates.push((variant, Fate::ByRule));
            continue;
        }
        let after = Program::prepare(&text, "after", None).expect("a variant is IR");
        let [x, y] = kernel.shape.block;
        let options = Options {
            models: vec![if kernel.tokens { Model::Controlled } else { Model::Maximal }],
            runs: 50,
            seed,
            arguments: arguments(&kernel, &mut rng),
            grid: Some([1; 3]),
            block: Some([x, y, 1]),
            subgroup: Some(kernel.shape.subgroup),
            instructions: 1_000_000,
            minimise: false,
        };
        let fate = match compare(&before, &after, "k", &options, &|_| {}).verdict {
            Verdict::Different(_) => Fate::ByComparison,
            _ if matters(&before, &after, seed, |rng| random_launch(&kernel, rng)) => Fate::Missed,
            _ => Fate::Same,
        };
        if let (Fate::Missed, Ok(folder)) = (fate, std::env::var("RECONVERGE_KEEP")) {
            let keep = |name: &str, text: &[u8]| {
                std::fs::write(format!("{folder}/{variant:?}-{seed}-{name}.ll"), text).expect("the folder is there");
            };
            keep("before", kernel.text.as_bytes());
            keep("after", &text);
        }
        fates.push((variant, fate));
    }
    fates
}

#[test]
fn broken_passes_are_caught() {
    let first = environment("RECONVERGE_SEED", 1);
    let kernels = 120 * environment("RECONVERGE_ROUNDS", 1);
    let all: Vec<(u64, Vec<(Variant, Fate)>)> =
        (first..first + kernels).into_par_iter().map(|seed| (seed, fates(seed))).collect();
    let mut counts: BTreeMap<Variant, Count> = BTreeMap::new();
    let mut missed = Vec::new();
    for (seed, fates) in all {
        for (variant, fate) in fates {
            let count = counts.entry(variant).or_default();
            count.changed += 1;
            *match fate {
                Fate::ByRule => &mut count.by_rule,
                Fate::ByComparison => &mut count.by_comparison,
                Fate::Same => &mut count.same,
                Fate::Missed => &mut count.missed,
            } += 1;
            if fate == Fate::Missed {
                missed.push((variant, seed));
            }
        }
    }
    println!("seeds {first}..{}", first + kernels);
    println!("variant              changed  by rule  by comparison  no effect  missed");
    for (variant, count) in &counts {
        let Count { changed, by_rule, by_comparison, same, missed } = count;
        let name = format!("{variant:?}");
        println!("{name:<20} {changed:>7}  {by_rule:>7}  {by_comparison:>13}  {same:>9}  {missed:>6}");
    }
    for (variant, seed) in &missed {
        println!("missed: {variant:?}, seed {seed}");
    }
    for (variant, count) in &counts {
        let caught = count.by_rule + count.by_comparison;
        assert!(caught * 100 >= (caught + count.missed) * 95, "{variant:?} is missed too often");
    }
    assert_eq!(counts.len(), Variant::ALL.len(), "each variant has something to change");
}
