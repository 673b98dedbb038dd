//! What a kernel without races does, does not depend on the order in which threads run: results, the sets of threads that
//! communicate and with what result, and findings are the same under every schedule. Where all threads come to the same barriers,
//! none waits for ever.

use reconverge_exec::launch::{Buffer, Launch, Model, Outcome, Schedule};
use reconverge_exec::{Control, Program, run};
use reconverge_testing::random::SplitMix64;
use reconverge_testing::random::kernels::{Kernel, Wishes};

use reconverge_testing::rounds::{for_each, seeds};

use crate::soundness::{codes, launch};

const KERNELS: u64 = 400;
const ORDERS: u64 = 4;

/// An event without its place in the order: operation, workgroup, threads, results.
type Communication = (usize, u64, Vec<u64>, Vec<String>);

/// All that must not depend on the schedule.
#[derive(Debug, PartialEq)]
struct Behaviour {
    completed: bool,
    buffers: Vec<Buffer>,
    communications: Vec<Communication>,
    findings: Vec<(&'static str, usize)>,
}

fn behaviour(outcome: Outcome) -> Behaviour {
    let findings = outcome.findings.iter().map(|found| (found.code.name(), found.at.span.start as usize)).collect();
    let events = outcome.events.into_iter();
    let mut communications: Vec<Communication> =
        events.map(|event| (event.offset, event.workgroup, event.threads, event.results)).collect();
    communications.sort_unstable();
    Behaviour { completed: outcome.completed, buffers: outcome.buffers, communications, findings }
}

/// Runs a kernel in several orders under each model; how many runs were compared, and how many kernels were left out.
fn check(seed: u64) -> [u64; 2] {
    let mut rng = SplitMix64::new(seed);
    let tokens = rng.percent(35);
    let wishes = Wishes { tokens, bounded: true, uniform_control: !tokens && rng.percent(30), references: false };
    let kernel = Kernel::with(wishes, seed);
    let program = Program::prepare(kernel.text.as_bytes(), "kernel.ll", None).expect("a random kernel can be read");
    let mut counts = [0; 2];
    let hierarchy = rng.below(2);
    for model in [Model::Controlled, Model::ImmediatePostDominator, Model::Maximal { hierarchy }] {
        let mut launch = launch(&kernel, &mut rng, model, Schedule::Lockstep);
        launch.max_events = usize::MAX;
        launch.limits.instructions = 1 << 24;
        let Ok(first) = run(&program, &launch, &Control::default()) else { continue };
        let stuck = codes(&first).iter().any(|code| ["RC0501", "RC0502", "RC0504", "RC0507"].contains(code));
        assert!(!stuck, "seed {seed}, {model:?}: {:?}\n{launch:?}\n{}", first.findings, kernel.text);
        if !first.completed || !first.findings.is_empty() {
            // Undefined behaviour, or a loop in a local function that takes too long.
            counts[1] += 1;
            continue;
        }
        let first = behaviour(first);
        let others = (0..ORDERS).map(|order| Schedule::Random(seed ^ order << 40)).chain([Schedule::Fair]);
        for schedule in others {
            let launch = Launch { schedule, ..launch.clone() };
            let other = run(&program, &launch, &Control::default()).expect("it is as good as the other one");
            let found = other.findings.clone();
            let other = behaviour(other);
            if first != other {
                let lost: Vec<_> =
                    first.communications.iter().filter(|one| !other.communications.contains(one)).take(4).collect();
                let new: Vec<_> =
                    other.communications.iter().filter(|one| !first.communications.contains(one)).take(4).collect();
                panic!(
                    "seed {seed}: {schedule:?} is different: {found:?}, completed: {}, results {}; instead of {lost:?} \
                     there is {new:?}\n{launch:?}\n{}",
                    other.completed,
                    if first.buffers == other.buffers { "equal" } else { "differ" },
                    kernel.text
                );
            }
            counts[0] += 1;
        }
    }
    counts
}

/// Workgroups on several threads of the machine do the same, too. Not inside of a pool of threads, which runs in another.
#[test]
fn workgroups_do_the_same_side_by_side() {
    for seed in seeds(60) {
        let kernel = Kernel::random(seed);
        let program = Program::prepare(kernel.text.as_bytes(), "kernel.ll", None).expect("a random kernel can be read");
        let model = if kernel.tokens { Model::Controlled } else { Model::Maximal { hierarchy: 0 } };
        let launch = launch(&kernel, &mut SplitMix64::new(seed), model, Schedule::Lockstep);
        let one = Launch { max_events: usize::MAX, ..launch };
        let several = Launch { threads: 3, ..one.clone() };
        let [one, several] = [one, several].map(|launch| run(&program, &launch, &Control::default()));
        let [one, several] = [one, several].map(|outcome| behaviour(outcome.expect("a random kernel can be run")));
        // Which workgroup comes to a limit first is not determined.
        if one.completed {
            assert_eq!(one, several, "seed {seed}\n{}", kernel.text);
        }
    }
}

// conformance: clang-2025-04/5
#[test]
fn kernels_without_races_do_the_same_in_every_order() {
    let add = |a: [u64; 2], b: [u64; 2]| [a[0] + b[0], a[1] + b[1]];
    let [runs, left_out] = for_each(seeds(KERNELS), check, || [0; 2], add);
    println!("{runs} runs in another order; {left_out} kernels with findings left out");
    assert!(runs > 10 * left_out);
}
