//! Passes that break convergence are caught.
//!
//! Each broken [`Variant`] changes random kernels. Whether a change matters is asked of an oracle that is a loop over many
//! launches: who communicates, with which results, and what is in memory at the end, as lists. Where it matters, the change
//! has to be found, by the static rules or by comparing.
//! `RECONVERGE_KEEP` names a folder for programs that were missed.

mod oracle;
mod remainders;
mod variants;

use std::collections::BTreeMap;

use rayon::prelude::*;
use reconverge_analysis::check::{CheckOptions, check};
use reconverge_exec::Program;
use reconverge_exec::launch::{Argument, Launch};
use reconverge_testing::random::SplitMix64;
use reconverge_testing::random::kernels::{Kernel, Wishes};
use reconverge_testing::rounds::{is_part, seeds};
use reconverge_trials::launches;
use reconverge_validate::report::{Model, Options};
use reconverge_validate::{Verdict, compare};
use variants::Variant;

/// How many launches the command compares on where nobody says how many.
const RUNS: u64 = 200;
/// Launches that take longer say nothing.
const INSTRUCTIONS: u64 = 10_000;

/// The parameters of a random kernel that are not any number: the size of a workgroup.
fn sizes(kernel: &Kernel) -> Vec<(String, Argument)> {
    let [x, y] = kernel.shape.block;
    [("n", x * y), ("nx", x)].map(|(name, size)| (name.to_owned(), Argument::Scalar(size.to_string()))).to_vec()
}

/// A launch of one workgroup of a random kernel.
fn random_launch(kernel: &Kernel, rng: &mut SplitMix64) -> Launch {
    oracle::bounded(launches::of_groups(kernel, rng, kernel.shape.block, 1), kernel.tokens)
}

fn breaks_a_rule(text: &[u8]) -> bool {
    let report = check(text, &CheckOptions::default()).expect("a variant is IR");
    report.findings.iter().any(|diagnostic| diagnostic.code.name().starts_with("RC01"))
}

/// What came of one change.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Fate {
    ByRule,
    ByComparison,
    Same,
    /// With what the oracle saw.
    Missed(String),
}

/// What came of many changes.
#[derive(Debug, Clone, Copy, Default)]
struct Count {
    by_rule: u64,
    by_comparison: u64,
    same: u64,
    missed: u64,
}

impl Count {
    fn add(&mut self, fate: &Fate) {
        *match fate {
            Fate::ByRule => &mut self.by_rule,
            Fate::ByComparison => &mut self.by_comparison,
            Fate::Same => &mut self.same,
            Fate::Missed(_) => &mut self.missed,
        } += 1;
    }

    fn changed(&self) -> u64 {
        self.by_rule + self.by_comparison + self.same + self.missed
    }

    /// Changes that matter.
    fn matter(&self) -> u64 {
        self.changed() - self.same
    }

    /// How likely so many misses are where 95 of 100 are found: a few of few say nothing.
    fn likelihood(&self) -> f64 {
        let all = self.matter();
        let mut exactly = 0.95f64.powi(all as i32);
        let mut fewer = 0.0;
        for missed in 0..self.missed {
            fewer += exactly;
            exactly *= (all - missed) as f64 / (missed + 1) as f64 * 0.05 / 0.95;
        }
        1.0 - fewer
    }
}

/// A kernel of any kind, or one with many places where operations could be moved.
fn kernel(seed: u64, rng: &mut SplitMix64) -> Kernel {
    if seed.is_multiple_of(3) {
        return Kernel::with_candidates(seed);
    }
    let wishes = Wishes { tokens: rng.percent(50), bounded: true, uniform_control: rng.percent(10), references: false };
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
            runs: RUNS,
            seed,
            arguments: sizes(&kernel),
            grid: Some([1; 3]),
            block: Some([x, y, 1]),
            subgroup: Some(kernel.shape.subgroup),
            limits: reconverge_validate::launch_limits(INSTRUCTIONS),
            hierarchy: None,
            minimise: false,
        };
        let fate = match compare(&before, &after, "k", &options, &|_| {}).verdict {
            Verdict::Different(_) => Fate::ByComparison,
            _ => match oracle::difference(&before, &after, seed, |rng| random_launch(&kernel, rng)) {
                Some(what) => Fate::Missed(what),
                None => Fate::Same,
            },
        };
        if let (Fate::Missed(_), Ok(folder)) = (&fate, std::env::var("RECONVERGE_KEEP")) {
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
    let seeds = seeds(20);
    let all: Vec<(u64, Vec<(Variant, Fate)>)> = seeds.clone().into_par_iter().map(|seed| (seed, fates(seed))).collect();
    let mut counts: BTreeMap<Variant, Count> = BTreeMap::new();
    let mut total = Count::default();
    for (variant, fate) in all.iter().flat_map(|(_, fates)| fates) {
        counts.entry(*variant).or_default().add(fate);
        total.add(fate);
    }
    println!("seeds {seeds:?}");
    println!("variant              changed  by rule  by comparison  no effect  missed");
    for (variant, count) in &counts {
        let Count { by_rule, by_comparison, same, missed } = count;
        let (name, changed) = (format!("{variant:?}"), count.changed());
        println!("{name:<20} {changed:>7}  {by_rule:>7}  {by_comparison:>13}  {same:>9}  {missed:>6}");
    }
    for (seed, (variant, fate)) in all.iter().flat_map(|(seed, fates)| fates.iter().map(move |fate| (seed, fate))) {
        if let Fate::Missed(what) = fate {
            println!("missed: {variant:?}, seed {seed}: {what}");
        }
    }
    assert!(is_part() || total.missed * 100 <= total.matter() * 5, "missed too often");
    for (variant, count) in &counts {
        assert!(count.likelihood() > 1e-4, "{variant:?} is missed too often");
    }
    assert!(is_part() || counts.len() == Variant::ALL.len(), "each variant has something to change");
}
