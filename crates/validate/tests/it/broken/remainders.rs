//! Loops unrolled with a remainder, although a token from outside of the loop is used in it, or an operation has none. There are no
//! anchors: with these, threads may part anyway.

use rayon::prelude::*;
use reconverge_analysis::check::{CheckOptions, check};
use reconverge_exec::Program;
use reconverge_exec::launch::{Argument, Contents, Element};
use reconverge_testing::random::{SplitMix64, THREADS, loops_without_anchors};
use reconverge_testing::rounds::seeds;
use reconverge_transform::{UnrollOptions, unroll};
use reconverge_trials::launches;
use reconverge_validate::report::{Model, Options};
use reconverge_validate::{Verdict, compare};

use crate::broken::{Count, Fate, INSTRUCTIONS, RUNS, breaks_a_rule, oracle};

/// Unrolls by two against the rules. Nothing where the rules allow it.
fn fate(seed: u64) -> Option<Fate> {
    let loops = loops_without_anchors(seed, 1);
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
    let block = [8, 1, 1];
    let options = Options {
        models: vec![if tokens { Model::Controlled } else { Model::Maximal }],
        runs: RUNS,
        seed,
        arguments: vec![out.clone()],
        grid: Some([1; 3]),
        block: Some(block),
        subgroup: Some(8),
        limits: reconverge_validate::launch_limits(INSTRUCTIONS),
        hierarchy: None,
        minimise: false,
    };
    Some(match compare(&before, &after, "k0", &options, &|_| {}).verdict {
        Verdict::Different(_) => Fate::ByComparison,
        _ => {
            let launch = |rng: &mut SplitMix64| {
                let n = ("n".to_owned(), Argument::Scalar(rng.below(14).to_string()));
                oracle::bounded(launches::plain("k0", [1; 3], block, 8, vec![out.clone(), n]), tokens)
            };
            oracle::difference(&before, &after, seed, launch).map_or(Fate::Same, Fate::Missed)
        }
    })
}

#[test]
fn remainders_against_the_rules_are_caught() {
    let seeds = seeds(30);
    let fates: Vec<(u64, Fate)> = seeds.clone().into_par_iter().filter_map(|seed| Some((seed, fate(seed)?))).collect();
    let mut count = Count::default();
    fates.iter().for_each(|(_, fate)| count.add(fate));
    let Count { by_rule, by_comparison, same, missed } = count;
    println!("seeds {seeds:?}: {} kernels got remainders against the rules", fates.len());
    println!("{by_rule} by rule, {by_comparison} by comparison, {same} without effect, {missed} missed");
    for (seed, fate) in &fates {
        if let Fate::Missed(what) = fate {
            println!("missed: seed {seed}: {what}");
        }
    }
    assert!(by_comparison > 0, "none is found by comparing");
    assert!(same < 2 * count.matter(), "many of them matter");
    assert!(count.likelihood() > 1e-4, "missed too often");
}
