//! Uniformity is sound: where two converged instances of a value differ, the analysis calls it divergent for a set with both
//! threads in it.
//!
//! What is compared are values that are neither poison nor undef, of all instructions and of the operands that decide branches,
//! under maximal convergence in each cycle hierarchy, or, with tokens, under controlled maximal convergence. There the analysis
//! takes anchors to be maximal, too ("Controlled Maximal Convergence"): where results depend on the threads at an anchor, so do
//! the runs; elsewhere each thread may also execute anchors alone. Runs with
//! undefined behaviour are left out; what happened in a run that was stopped counts.

use reconverge_analysis::uniformity::refinements::Settings;
use reconverge_exec::launch::{AnchorPolicy, Launch, Model, Schedule};
use reconverge_exec::{Control, Program, run_observed};
use reconverge_testing::random::SplitMix64;
use reconverge_testing::random::kernels::Kernel;

use crate::soundness::claims::{Violation, Watcher, all_settings, claims};
use reconverge_testing::rounds::{for_each, seeds};

use crate::soundness::{codes, launch};

/// Of how many kernels, and how often each of them runs with other data.
const KERNELS: u64 = 400;
const LAUNCHES: u64 = 6;
/// At most this many cycle hierarchies are looked at.
const HIERARCHIES: usize = 4;
/// Findings after which nothing that a run does means anything.
const UNDEFINED: [&str; 7] = ["RC0503", "RC0505", "RC0506", "RC0507", "RC0508", "RC0510", "RC0511"];

/// What the test saw.
#[derive(Debug, Default, Clone, Copy)]
struct Counts {
    kernels: u64,
    runs: u64,
    /// Left out, as they had undefined behaviour.
    undefined: u64,
    /// Stopped because of a limit, or as threads wait for each other.
    stopped: u64,
    definitions: u64,
    claimed: u64,
    compared: u64,
}

impl Counts {
    fn add(self, other: Counts) -> Counts {
        Counts {
            kernels: self.kernels + other.kernels,
            runs: self.runs + other.runs,
            undefined: self.undefined + other.undefined,
            stopped: self.stopped + other.stopped,
            definitions: self.definitions + other.definitions,
            claimed: self.claimed + other.claimed,
            compared: self.compared + other.compared,
        }
    }
}

/// Runs a kernel some times; what there is to report.
fn check(seed: u64, counts: &mut Counts) -> Option<String> {
    let kernel = Kernel::random(seed);
    let mut rng = SplitMix64::new(seed);
    let mut settings = vec![Settings::refined()];
    if rng.percent(10) {
        settings = all_settings(kernel.tokens).into_iter().map(|(_, settings)| settings).collect();
    }
    let claims = claims(&kernel.text, &settings);
    let program = Program::prepare(kernel.text.as_bytes(), "kernel.ll", None).expect("a random kernel can be read");
    counts.kernels += 1;
    for _ in 0..LAUNCHES {
        let data = rng.next_u64();
        for hierarchy in 0..if kernel.tokens { 1 } else { HIERARCHIES } {
            let mut data = SplitMix64::new(data);
            let model = if kernel.tokens { Model::Controlled } else { Model::Maximal { hierarchy } };
            let schedule = [Schedule::Lockstep, Schedule::Lockstep, Schedule::Random(seed)][data.below(3)];
            let mut launch = launch(&kernel, &mut data, model, schedule);
            if kernel.anchored {
                // The analysis takes it that what is implementation-defined is maximal.
                launch.anchors = AnchorPolicy::Maximal;
            }
            let threads = u64::from(kernel.shape.block[0] * kernel.shape.block[1]);
            let mut watcher = Watcher::new(&claims, threads, u64::from(kernel.shape.subgroup));
            let outcome = match run_observed(&program, &launch, &Control::default(), &mut watcher) {
                Ok(outcome) => outcome,
                // There are fewer hierarchies.
                Err(_) if hierarchy > 0 => break,
                Err(error) => return Some(format!("seed {seed}: {error}\n{}", kernel.text)),
            };
            counts.runs += 1;
            counts.definitions += watcher.definitions[0];
            if codes(&outcome).iter().any(|code| UNDEFINED.contains(code)) {
                counts.undefined += 1;
                continue;
            }
            counts.stopped += u64::from(!outcome.completed);
            counts.claimed += watcher.definitions[1];
            counts.compared += watcher.compared;
            if let Some(violation) = watcher.violations.first() {
                return Some(report(seed, &kernel, &program, &launch, violation));
            }
        }
    }
    None
}

/// All there is to know about a violation, the settings that claim the value to be uniform among it.
fn report(seed: u64, kernel: &Kernel, program: &Program<'_>, launch: &Launch, violation: &Violation) -> String {
    let module = program.module();
    let Violation { function, inst, scope, threads, values } = violation;
    let mut span = None;
    let _ = reconverge_ir::read_functions(kernel.text.as_bytes(), |_, id, body| {
        (id == *function).then(|| body.instructions[*inst].span)
    })
    .map(|(_, spans)| span = spans.into_iter().flatten().next());
    let line = span.map_or(0, |span| module.position(span.start as usize).line);
    let text = kernel.text.lines().nth(line.saturating_sub(1)).unwrap_or_default();
    let blamed: Vec<String> = all_settings(kernel.tokens)
        .into_iter()
        .filter(|(_, settings)| {
            let claims = claims(&kernel.text, &[*settings]);
            claims[function][inst.as_u32() as usize] >= Some(*scope)
        })
        .map(|(name, _)| name)
        .collect();
    format!(
        "seed {seed}: line {line} is called uniform in the {scope:?} with these refinements: {}\n  {text}\n\
         but it is {values:x?} in converged threads {threads:?} of this launch:\n{launch:?}\n{}",
        blamed.join(", "),
        numbered(&kernel.text)
    )
}

fn numbered(text: &str) -> String {
    text.lines().zip(1..).map(|(line, number)| format!("{number:4} {line}\n")).collect()
}

// conformance: uniformity/14, 15, 16a, 20, 27a
#[test]
fn what_differs_between_converged_threads_is_called_divergent() {
    let start = std::time::Instant::now();
    let work = |seed| {
        let mut counts = Counts::default();
        let failures: Vec<String> = check(seed, &mut counts).into_iter().collect();
        (counts, failures)
    };
    let nothing = || (Counts::default(), Vec::new());
    let (counts, failures) = for_each(seeds(KERNELS), work, nothing, |(counts, mut failures), (more, others)| {
        failures.extend(others);
        (counts.add(more), failures)
    });
    let seconds = start.elapsed().as_secs_f64();
    println!("{counts:?}, {:.0} runs/s", counts.runs as f64 / seconds);
    if let Some(shortest) = failures.iter().min_by_key(|failure| failure.len()) {
        for failure in &failures {
            println!("{}", failure.lines().take(2).collect::<Vec<_>>().join(" "));
        }
        panic!("{} kernels fail, the shortest of them:\n{shortest}", failures.len());
    }
    if counts.kernels < KERNELS {
        println!(
            "too few kernels for shares: of what is called uniform, of undefined behaviour, of runs that are stopped"
        );
        return;
    }
    // Not by saying nothing.
    assert!(counts.claimed * 5 > counts.definitions, "too little is called uniform to be wrong: {counts:?}");
    assert!(counts.undefined * 4 < counts.runs && counts.stopped * 4 < counts.runs, "{counts:?}");
}
