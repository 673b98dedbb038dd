//! Random functions with irreducible cycles, reduced.

use cpu_time::ThreadTime;
use reconverge_analysis::check::{CheckOptions, check};
use reconverge_ir::Function;
use reconverge_testing::llvm;
use reconverge_testing::random::{self, Options};
use reconverge_testing::rounds::{is_part, seeds};
use reconverge_transform::{infer_tokens, reduce_cycles, strip_tokens};
use reconverge_valid::read_functions;

/// The nodes that `start` leads to in `allowed`, by one step or more.
fn reached(successors: &[Vec<usize>], start: usize, allowed: &dyn Fn(usize) -> bool) -> Vec<usize> {
    let mut found = Vec::new();
    let mut stack = vec![start];
    while let Some(node) = stack.pop() {
        for &next in &successors[node] {
            if allowed(next) && !found.contains(&next) {
                found.push(next);
                stack.push(next);
            }
        }
    }
    found
}

/// Whether all cycles among `nodes` are reducible: each strongly connected set has one node that is reached from the start of the function without passing another
/// of its nodes, and so have those of what is left without it.
fn is_reducible(successors: &[Vec<usize>], nodes: &[usize]) -> bool {
    let mut rest = nodes.to_vec();
    while let Some(&node) = rest.first() {
        let after = reached(successors, node, &|other| nodes.contains(&other));
        let cycle: Vec<usize> = after
            .iter()
            .copied()
            .filter(|&other| reached(successors, other, &|other| nodes.contains(&other)).contains(&node))
            .collect();
        rest.retain(|other| *other != node && !cycle.contains(other));
        if cycle.is_empty() {
            continue;
        }
        let is_entry = |&&node: &&usize| {
            node == 0 || reached(successors, 0, &|other| other == node || !cycle.contains(&other)).contains(&node)
        };
        let entries: Vec<usize> = cycle.iter().filter(is_entry).copied().collect();
        let [header] = entries[..] else { return false };
        let inside: Vec<usize> = cycle.into_iter().filter(|&node| node != header).collect();
        if !is_reducible(successors, &inside) {
            return false;
        }
    }
    true
}

fn has_reducible_cycles(function: &Function) -> bool {
    let successors: Vec<Vec<usize>> = function
        .blocks
        .keys()
        .map(|block| function.successors(block).iter().map(|to| to.as_u32() as usize).collect())
        .collect();
    let mut nodes = reached(&successors, 0, &|_| true);
    nodes.push(0);
    nodes.sort_unstable();
    nodes.dedup();
    is_reducible(&successors, &nodes)
}

/// How many functions have irreducible cycles.
fn irreducible(text: &[u8]) -> usize {
    let (_, functions) = read_functions(text, |_, _, function| has_reducible_cycles(function)).expect("it is IR");
    functions.into_iter().filter(|is_reducible| !is_reducible).count()
}

fn assert_no_rule_is_broken(seed: u64, text: &[u8]) {
    let found = check(text, &CheckOptions::default()).expect("it is IR").findings;
    let rules: Vec<_> = found.iter().filter(|found| found.code.name().starts_with("RC01")).collect();
    assert!(rules.is_empty(), "seed {seed}: {rules:?}\n{}", String::from_utf8_lossy(text));
}

/// With tokens and without: what was irreducible is not any more, nothing else changes, and the rules hold as they did.
#[test]
fn no_irreducible_cycle_is_left() {
    let (mut reduced, mut with_tokens) = (0, 0);
    for seed in seeds(40) {
        let max_blocks = [10, 20][(seed % 2) as usize];
        let options = Options { broken_percent: 0, nested_throughout: true, max_blocks, ..Options::default() };
        let tokened = random::module_with(seed, 30, &options).into_bytes();
        let plain = strip_tokens(&tokened).expect("it is IR").edits.apply(&tokened);
        let inferred = infer_tokens(&plain).expect("it is IR");
        assert_eq!(inferred.refusals, [], "seed {seed}");
        let inferred = inferred.edits.apply(&plain);
        for (text, is_tokened) in [(&plain, false), (&tokened, true)] {
            let transformed = reduce_cycles(text).expect("it is IR");
            assert_eq!(transformed.refusals, [], "seed {seed}");
            assert_eq!(transformed.functions, irreducible(text), "seed {seed}");
            reduced += transformed.functions;
            with_tokens += if is_tokened { transformed.functions } else { 0 };
            let after = transformed.edits.apply(text);
            assert_eq!(irreducible(&after), 0, "seed {seed}: {}", String::from_utf8_lossy(&after));
            assert_no_rule_is_broken(seed, &after);
            if let Some(tools) = llvm::tools().filter(|_| seed % 4 == 0) {
                let verdict = tools.verify(&String::from_utf8_lossy(&after)).expect("LLVM reads it");
                assert!(verdict.accepted, "seed {seed}: {}", verdict.output);
            }
        }
        if let Some(tools) = llvm::tools().filter(|_| seed % 4 == 1) {
            let verdict = tools.verify(&String::from_utf8_lossy(&inferred)).expect("LLVM reads it");
            assert!(verdict.accepted, "seed {seed}: {}", verdict.output);
        }
    }
    println!("{reduced} functions with irreducible cycles, {with_tokens} of them with tokens");
    assert!(is_part() || reduced > 100 && with_tokens > 50);
}

/// Twice as many blocks take about twice as long, and so does text.
#[test]
fn large_functions_take_linear_time() {
    let time = |blocks: usize| {
        let text = random::big_cfg(blocks, 7).into_bytes();
        let start = ThreadTime::now();
        let transformed = reduce_cycles(&text).expect("it is IR");
        assert_eq!((transformed.functions, &transformed.refusals[..]), (1, &[][..]));
        let after = transformed.edits.apply(&text);
        let elapsed = start.elapsed();
        assert!(reduce_cycles(&after).expect("it is IR").edits.is_empty());
        (elapsed, after.len(), text.len())
    };
    let sizes = [5_000, 10_000, 40_000].map(|blocks| (blocks, time(blocks)));
    for (blocks, (elapsed, after, before)) in sizes {
        println!("{blocks} blocks: {elapsed:.1?}, {before} bytes become {after}");
        assert!(after < 4 * before);
    }
    let [(_, (small, ..)), _, (_, (large, ..))] = sizes;
    assert!(large.as_secs_f64() < 8.0 * 4.0 * small.as_secs_f64().max(0.005), "{small:?}, {large:?}");
}
