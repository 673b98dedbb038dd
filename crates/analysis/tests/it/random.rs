//! Rules and regions against the oracle, on random functions.

use std::collections::BTreeMap;

use cranelift_entity::EntityRef;
use reconverge_analysis::flow::{
    ConvergentOperation, FlowFunction, NotAToken, OperationIndex, OperationKind, TokenBundle, TokenSource,
};
use reconverge_analysis::regions::{RegionBlock, RegionEnd, RegionStart, convergence_regions};
use reconverge_analysis::rules::{Violation, check};
use reconverge_findings::Code;
use reconverge_graph::{Digraph, Node};
use reconverge_testing::rounds::{is_one_seed, seeds};

use crate::oracle::{Breach, Oracle, Point};

/// SplitMix64.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.0;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        bits ^ (bits >> 31)
    }

    fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }

    fn percent(&mut self, percent: u64) -> bool {
        self.next() % 100 < percent
    }

    fn pick<T: Copy>(&mut self, all: &[T]) -> Option<T> {
        (!all.is_empty()).then(|| all[self.below(all.len())])
    }
}

fn random_graph(random: &mut Random) -> Digraph {
    let blocks = 1 + random.below(8);
    let mut edges = Vec::new();
    if random.percent(30) {
        for _ in 0..random.below(2 * blocks + 2) {
            edges.push((random.below(blocks), random.below(blocks)));
        }
    } else {
        // A chain with jumps ahead and back: mostly loops and diamonds, some jumps into loops.
        for block in 0..blocks {
            if block + 1 < blocks && random.percent(92) {
                edges.push((block, block + 1));
            }
            if random.percent(25) {
                edges.push((block, block + random.below(blocks - block)));
            }
            if random.percent(30) {
                edges.push((block, random.below(block + 1)));
            }
        }
    }
    let edges: Vec<_> = edges.into_iter().map(|(from, to)| (Node::new(from), Node::new(to))).collect();
    Digraph::from_edges(blocks, Node::new(0), &edges)
}

fn random_function(random: &mut Random) -> FlowFunction {
    let graph = random_graph(random);
    let mut operations: Vec<ConvergentOperation> = Vec::new();
    let calls = if random.percent(10) { 4 } else { 1 };
    for block in graph.nodes() {
        let mut kinds = Vec::new();
        if block == graph.entry() && random.percent(85) || random.percent(1) {
            kinds.push(OperationKind::Entry);
        }
        if random.percent(if graph.predecessors(block).len() > 1 { 60 } else { 6 }) {
            kinds.push(OperationKind::Loop);
        }
        if random.percent(20) {
            kinds.push(OperationKind::Anchor);
        }
        for _ in 0..random.below(2 + calls) {
            kinds.push(if random.percent(20) { OperationKind::Anchor } else { OperationKind::Call });
        }
        if random.percent(5) {
            kinds.reverse();
        }
        let positions = kinds.into_iter().zip((0..).map(|position| 2 * position));
        operations.extend(positions.map(|(kind, position)| ConvergentOperation {
            block,
            position,
            kind,
            bundles: Default::default(),
        }));
    }
    let mut function = FlowFunction { graph, is_convergent: random.percent(90), operations };
    let is_controlled = random.percent(95);
    for index in 0..function.operations.len() {
        let bundled = match function.operations[index].kind {
            OperationKind::Loop => is_controlled && !random.percent(3),
            OperationKind::Call => is_controlled && !random.percent(1),
            OperationKind::Entry | OperationKind::Anchor => random.percent(1),
        };
        let mut bundles = usize::from(bundled);
        if random.percent(1) {
            bundles = random.below(3);
        }
        for _ in 0..bundles {
            let operands = if random.percent(2) { random.below(4) } else { 1 };
            let bundle: TokenBundle = (0..operands).map(|_| random_operand(random, &function, index)).collect();
            function.operations[index].bundles.push(bundle);
        }
    }
    if random.percent(60) {
        repair(random, &mut function);
    }
    function
}

fn random_operand(random: &mut Random, function: &FlowFunction, user: usize) -> TokenSource {
    let oracle = Oracle { function, uses: Default::default(), closed_paths: Vec::new() };
    let tokens = oracle.definitions();
    if random.percent(2) {
        let others = [NotAToken::Poison, NotAToken::Phi, NotAToken::Constant];
        return TokenSource::Other(random.pick(&others).unwrap());
    }
    if random.percent(1) {
        return TokenSource::Operation(random.below(function.operations.len() + 2) as OperationIndex);
    }
    let dominating: Vec<usize> =
        tokens.iter().copied().filter(|&token| oracle.strictly_dominates(token, Point::Operation(user))).collect();
    let operand = match random.below(20) {
        0 => random.pick(&tokens),
        1..=10 => dominating.last().copied(),
        _ => random.pick(&dominating),
    };
    operand
        .or(random.pick(&tokens))
        .map_or(TokenSource::Other(NotAToken::Undef), |token| TokenSource::Operation(token as OperationIndex))
}

/// Removes operations that break a rule until, usually, none does.
fn repair(random: &mut Random, function: &mut FlowFunction) {
    for _ in 0..12 {
        let violations = check(function);
        let Some(removed) = random.pick(&violations.iter().map(|violation| violation.operation).collect::<Vec<_>>())
        else {
            return;
        };
        function.operations.remove(removed as usize);
        for operand in function.operations.iter_mut().flat_map(|operation| operation.bundles.iter_mut().flatten()) {
            if let TokenSource::Operation(index) = operand {
                match (*index).cmp(&removed) {
                    std::cmp::Ordering::Less => {}
                    std::cmp::Ordering::Equal => *operand = TokenSource::Other(NotAToken::Instruction),
                    std::cmp::Ordering::Greater => *index -= 1,
                }
            }
        }
    }
}

fn breach(violation: &Violation) -> Breach {
    let Violation { rule, operation, definition, other, bundle, operand, .. } = *violation;
    (rule, operation, definition, other, bundle, operand)
}

fn is_edge(oracle: &Oracle, from: usize, to: usize) -> bool {
    oracle.successors(from).contains(&to)
}

/// What is wrong with the path of a violation.
fn fault_of_path(oracle: &Oracle, violation: &Violation) -> Option<&'static str> {
    let path: Vec<usize> = violation.path.iter().map(|node| node.index()).collect();
    let steps_are_edges = path.windows(2).all(|step| is_edge(oracle, step[0], step[1]));
    match violation.rule {
        Code::RC0113 | Code::RC0114 | Code::RC0115 | Code::RC0116 => {
            let (Some(&first), Some(&last)) = (path.first(), path.last()) else { return Some("is empty") };
            let mut distinct = path.clone();
            distinct.sort();
            distinct.dedup();
            if !steps_are_edges || !is_edge(oracle, last, first) || distinct.len() != path.len() {
                return Some("is no simple closed path");
            }
            let one = (violation.operation as usize, violation.definition.unwrap() as usize);
            let broken = match violation.other {
                None => oracle.breaks(violation.rule, &path, one, None),
                Some(other) => oracle
                    .uses
                    .iter()
                    .filter(|&&(user, _)| user == other as usize)
                    .any(|&other| oracle.breaks(violation.rule, &path, one, Some(other))),
            };
            (!broken).then_some("does not break the rule")
        }
        Code::RC0117 => {
            let region = violation.other.unwrap() as usize;
            let here = oracle.block(violation.operation as usize);
            let home = oracle.block(region);
            if !steps_are_edges || path.first() != Some(&home) || path[1..].contains(&home) {
                return Some("does not lead away from the definition");
            }
            let Some(place) = path.iter().position(|&block| block == here) else { return Some("misses the use") };
            let rest = &path[place..];
            let uses = oracle.dominated_uses(region);
            let is_alive = uses.iter().any(|&user| {
                oracle.block(user) == *rest.last().unwrap() && (rest.len() > 1 || user >= violation.operation as usize)
            });
            (!is_alive).then_some("ends at no use")
        }
        _ => (!path.is_empty()).then_some("should be empty"),
    }
}

fn expected_part(oracle: &Oracle, definition: usize, block: usize) -> Option<RegionBlock> {
    let operations: Vec<usize> =
        (0..oracle.function.operations.len()).filter(|&operation| oracle.block(operation) == block).collect();
    let inside = |point| oracle.in_region(definition, point);
    let end_point = operations.last().map_or(Point::Start(block), |&last| Point::Operation(last));
    let dominates_end = end_point == Point::Operation(definition)
        || oracle.is_reachable(end_point) && oracle.strictly_dominates(definition, end_point);
    let live_out = dominates_end
        && oracle.dominated_uses(definition).iter().any(|&user| {
            oracle.successors(block).into_iter().any(|successor| {
                let without = Some(Point::Operation(definition));
                oracle.reaches(Point::Start(successor), Point::Operation(user), without)
            })
        });
    let last_inside = operations.iter().copied().rfind(|&operation| inside(Point::Operation(operation)));
    let end = match (live_out, last_inside) {
        (true, _) => RegionEnd::Block,
        (false, Some(last)) => RegionEnd::Use(last as OperationIndex),
        (false, None) => return None,
    };
    let start = if inside(Point::Start(block)) { RegionStart::Block } else { RegionStart::Definition };
    Some(RegionBlock { block: Node::new(block), start, end })
}

fn fault_of_regions(oracle: &Oracle) -> Option<String> {
    let regions = convergence_regions(oracle.function);
    let definitions: Vec<usize> = regions.iter().map(|region| region.definition as usize).collect();
    if definitions != oracle.definitions() {
        return Some("not one region per definition".into());
    }
    for region in regions {
        let definition = region.definition as usize;
        let uses: Vec<usize> = region.uses.iter().map(|&user| user as usize).collect();
        let blocks: Vec<RegionBlock> = (0..oracle.function.graph.node_count())
            .filter_map(|block| expected_part(oracle, definition, block))
            .collect();
        let parent = oracle
            .innermost(|outer| outer != definition && oracle.in_region(outer, Point::Operation(definition)))
            .map(|outer| outer as OperationIndex);
        if uses != oracle.dominated_uses(definition) || blocks != region.blocks || parent != region.parent {
            return Some(format!("{region:?} should have parent {parent:?} and be {blocks:?}"));
        }
    }
    None
}

// conformance: operations/30, 31, 32, 33, 35, 36
#[test]
fn rules_and_regions_are_those_of_the_definitions() {
    const FUNCTIONS: u64 = 10_000;
    let (mut functions, mut valid, mut valid_hearts, mut hearts) = (0u64, 0u64, 0u64, 0u64);
    let mut reported: BTreeMap<Code, u64> = BTreeMap::new();
    for seed in seeds(FUNCTIONS) {
        let function = random_function(&mut Random(seed));
        let context = || format!("RECONVERGE_SEED={seed}\n{}", crate::common::show(&function));
        let oracle = Oracle::new(&function);
        let violations = check(&function);
        let found: Vec<Breach> = violations.iter().map(breach).collect();
        let mut sorted = found.clone();
        sorted.sort();
        assert_eq!(sorted, oracle.breaches(), "{}", context());
        for violation in &violations {
            *reported.entry(violation.rule).or_default() += 1;
            if let Some(fault) = fault_of_path(&oracle, violation) {
                panic!("the path of {violation:?} {fault}\n{}", context());
            }
        }
        if let Some(fault) = fault_of_regions(&oracle) {
            panic!("{fault}\n{}", context());
        }
        functions += 1;
        // A use on a closed path without its definition: in a function that is fine, a heart.
        let has_heart = oracle.uses.iter().any(|&one| {
            oracle
                .closed_paths
                .iter()
                .any(|path| path.contains(&oracle.block(one.0)) && !path.contains(&oracle.block(one.1)))
        });
        valid += u64::from(violations.is_empty());
        hearts += u64::from(has_heart);
        valid_hearts += u64::from(has_heart && violations.is_empty());
    }
    println!(
        "{valid} of {functions} functions are fine; {valid_hearts} of {hearts} with a use that a cycle separates from its definition"
    );
    println!("{reported:?}");
    let balanced = |part: u64, whole: u64| part * 10 > whole && part * 10 < whole * 9;
    assert!(
        is_one_seed() || balanced(valid, functions) && balanced(valid_hearts, hearts),
        "both verdicts are well represented"
    );
}
