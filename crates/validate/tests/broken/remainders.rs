//! Loops unrolled with a remainder, although a token from outside of the loop is used in it, or an operation has none.

use rayon::prelude::*;
use reconverge_analysis::check::{CheckOptions, check};
use reconverge_exec::Program;
use reconverge_exec::launch::{Argument, Contents, Element};
use reconverge_testing::launches::{self, environment};
use reconverge_testing::random::{SplitMix64, THREADS, loops};
use reconverge_transform::{UnrollOptions, unroll};
use reconverge_validate::report::{Model, Options};
use reconverge_validate::{Verdict, compare};

use crate::{Fate, bounded, breaks_a_rule, matters};

/// Unrolls by two against the rules. Nothing where the rules allow it.
fn fate(seed: u64) -> Option<Fate> {
    let loops = loops(seed, 1);
    let unrolled = |breaks_convergence| {
        let options = UnrollOptions { factor: 2, breaks_convergence, ..UnrollOptions::default() };
        let unrolled = unroll(loops.text.as_bytes(), &options).ok()?;
        Some(unrolled.transformed.edits.apply(loops.text.as_bytes()))
    };
    // What comes out of the first round need not be IR for the second.
    let Some(text) = unrolled(true) else { return Some(Fate::ByRule) };
    if unrolled(false).expect("it is IR") == text {
        return None;
    }
    if check(&text, &CheckOptions::default()).is_err() {
        return Some(Fate::ByRule);
    }
    let tokens = loops.text.contains("\"convergencectrl\"");
    let before = Program::prepare(loops.text.as_bytes(), "before", None).expect("it is IR");
    let after = Program::prepare(&text, "after", None).expect("it is IR");
    if breaks_a_rule(&text) {
        return Some(Fate::ByRule);
    }
    let threads = u64::from(THREADS);
    let out = Argument::Buffer { element: Element::U32, length: threads, contents: Contents::Zero };
    let out = ("out".to_owned(), out);
    let block = [THREADS, 1, 1];
    let options = Options {
        models: vec![if tokens { Model::Controlled } else { Model::Maximal }],
        runs: 50,
        seed,
        arguments: vec![out.clone()],
        grid: Some([1; 3]),
        block: Some(block),
        subgroup: Some(8),
        instructions: 1_000_000,
        minimise: false,
    };
    Some(match compare(&before, &after, "k0", &options, &|_| {}).verdict {
        Verdict::Different(_) => Fate::ByComparison,
        _ => {
            let launch = |rng: &mut SplitMix64| {
                let n = ("n".to_owned(), Argument::Scalar(rng.below(14).to_string()));
                bounded(launches::plain("k0", [1; 3], block, 8, vec![out.clone(), n]), tokens)
            };
            if matters(&before, &after, seed, launch) { Fate::Missed } else { Fate::Same }
        }
    })
}

#[test]
fn remainders_against_the_rules_are_caught() {
    let first = environment("RECONVERGE_SEED", 1);
    let seeds = first..first + 60 * environment("RECONVERGE_ROUNDS", 1);
    let fates: Vec<(u64, Fate)> = seeds.clone().into_par_iter().filter_map(|seed| Some((seed, fate(seed)?))).collect();
    let count = |wanted: Fate| fates.iter().filter(|(_, fate)| *fate == wanted).count();
    let [by_rule, by_comparison, same, missed] =
        [Fate::ByRule, Fate::ByComparison, Fate::Same, Fate::Missed].map(count);
    println!("seeds {seeds:?}: {} kernels got remainders against the rules", fates.len());
    println!("{by_rule} by rule, {by_comparison} by comparison, {same} without effect, {missed} missed");
    for (seed, _) in fates.iter().filter(|(_, fate)| *fate == Fate::Missed) {
        println!("missed: seed {seed}");
    }
    assert!(by_comparison > 0, "none is found by comparing");
    assert!((by_rule + by_comparison) * 100 >= (by_rule + by_comparison + missed) * 95, "missed too often");
}
