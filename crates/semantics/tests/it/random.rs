//! Keys against the definition, on random graphs, in every cycle hierarchy, with random paths of two and three threads.

use crate::oracle::{Definition, Rules, Set};
use cranelift_entity::EntityRef;
use reconverge_analysis::lower::lower;
use reconverge_analysis::rules;
use reconverge_analysis::skeleton::skeleton;
use reconverge_graph::{CycleForest, Digraph, Node, PostDominators, hierarchies};
use reconverge_ir::read_functions;
use reconverge_semantics::{AnchorPolicy, ConvergenceOrder, Model, Place, Skeleton, Trace};
use reconverge_testing::random::{Options, SplitMix64, functions, module_of};
use reconverge_testing::rounds::{first_seed, is_one_seed, seeds, times};

/// Arbitrary edges, or a chain with jumps ahead and back, which has loops, diamonds and jumps into loops.
fn random_graph(random: &mut SplitMix64) -> Digraph {
    let nodes = 2 + random.below(8);
    let mut edges = Vec::new();
    if random.percent(50) {
        edges.extend((0..nodes + random.below(nodes + 1)).map(|_| (random.below(nodes), random.below(nodes))));
    } else {
        for node in 0..nodes {
            if node + 1 < nodes && random.percent(95) {
                edges.push((node, node + 1));
            }
            if random.percent(40) {
                edges.push((node, node + random.below(nodes - node)));
            }
            if random.percent(40) {
                edges.push((node, random.below(node + 1)));
            }
        }
    }
    let edges: Vec<_> = edges.into_iter().map(|(from, to)| (Node::new(from), Node::new(to))).collect();
    Digraph::from_edges(nodes, Node::new(0), &edges)
}

/// A random walk from the entry, cut off when it gets long.
fn random_path(random: &mut SplitMix64, graph: &Digraph, longest: usize) -> Vec<Node> {
    let mut path = vec![graph.entry()];
    while let Some(&next) = random.pick(graph.successors(path[path.len() - 1])) {
        if path.len() == longest {
            break;
        }
        path.push(next);
    }
    path
}

/// The relation that keys give, as the oracle writes it.
fn by_keys(trace: &Trace) -> Vec<Set> {
    let keys: Vec<(usize, u32)> = trace
        .threads
        .iter()
        .enumerate()
        .flat_map(|(thread, row)| row.iter().map(move |one| (thread, one.key.0)))
        .collect();
    let related = |&(thread, key): &(usize, u32)| {
        let same = (0..).zip(&keys).filter(|&(_, &(other, found))| other != thread && found == key);
        same.fold(0, |set, (index, _): (u32, _)| set | 1 << index)
    };
    keys.iter().map(related).collect()
}

/// Compares everything there is to say about these threads.
fn check(skeleton: &Skeleton, forest: &CycleForest, rules: Rules, paths: &[Vec<Node>], context: &str) {
    let model = match rules {
        Rules::Maximal => Model::Maximal(forest),
        Rules::ControlledMaximal(anchors) => Model::Controlled(forest, anchors),
    };
    let trace = Trace::compute(skeleton, model, paths);
    let definition = Definition::new(skeleton, forest, rules, paths);
    let converged = by_keys(&trace);
    assert_eq!(converged, definition.converged_with(), "{context}\n{forest:?}\n{paths:?}");

    let before = definition.convergence_before(&converged);
    // It is not only the least relation: each pair keeps to the rule when everything else is taken for granted. That takes a
    // closure for each pair, so not every pair of each sample is tried.
    let candidates = definition.candidates();
    for (x1, x2) in candidates.iter().copied().skip(paths[0].len() % 4).step_by(8) {
        let is_related = converged[x1] >> x2 & 1 == 1;
        let holds = if is_related {
            let mut without = converged.clone();
            without[x1] &= !(1 << x2);
            without[x2] &= !(1 << x1);
            let before = definition.convergence_before(&without);
            definition.is_related(x1, x2, &without, &before)
        } else {
            definition.is_related(x1, x2, &converged, &before)
        };
        assert_eq!(is_related, holds, "{context}: {x1} and {x2}\n{forest:?}\n{paths:?}");
    }

    // Convergence-before is a strict partial order, and the order of classes contains it.
    let order = ConvergenceOrder::new(&trace.keys()).unwrap_or_else(|error| panic!("{context}: {error}\n{paths:?}"));
    let place = |index: usize| {
        let one = definition.instances[index];
        Place { thread: one.thread, position: one.position }
    };
    for (p, &set) in before.iter().enumerate() {
        assert_eq!(set >> p & 1, 0, "{context}: an instance is before itself");
        for q in (0..before.len()).filter(|&q| set >> q & 1 == 1) {
            assert!(order.class(place(p)) < order.class(place(q)), "{context}");
            assert!(order.is_convergence_before(place(p), place(q)), "{context}");
        }
    }
}

// conformance: uniformity/4, 5, 7, 7a, 7b, 9
#[test]
fn maximal_keys_are_the_definition() {
    let first = first_seed();
    let pairs = times(20_000);
    let (mut done, mut irreducible, mut seed) = (0, 0, first);
    while done < pairs {
        let mut random = SplitMix64::new(seed);
        let skeleton = Skeleton::of_graph(random_graph(&mut random));
        for forest in hierarchies(&skeleton.graph, 32) {
            let is_irreducible = !forest.cycles.keys().all(|cycle| forest.is_reducible(cycle));
            for _ in 0..4 {
                let threads = 2 + random.below(2);
                let paths: Vec<_> = (0..threads).map(|_| random_path(&mut random, &skeleton.graph, 14)).collect();
                check(&skeleton, &forest, Rules::Maximal, &paths, &format!("seed {seed}"));
                done += 1;
                irreducible += u64::from(is_irreducible);
            }
        }
        seed += 1;
    }
    println!("{done} pairs, {irreducible} of them with irreducible cycles, seeds {first} to {}", seed - 1);
    assert!(is_one_seed() || irreducible * 10 > done);
}

// conformance: operations/13, 20, 42, 42a; uniformity/27
#[test]
fn controlled_maximal_keys_are_the_definition() {
    let first = first_seed();
    let pairs = times(6_000);
    let options = Options { max_blocks: 9, broken_percent: 0, unreachable_percent: 0, ..Options::default() };
    let (mut done, mut with_tokens, mut seed) = (0, 0, first);
    while done < pairs {
        let text = module_of(&functions(seed, 50, &options));
        let read = read_functions(text.as_bytes(), |module, id, function| {
            let lowered = lower(module, id, function);
            rules::check(&lowered.flow).is_empty().then(|| skeleton(&lowered.flow))
        });
        let (_, skeletons) = read.expect("random programs are LLVM IR");
        let mut random = SplitMix64::new(seed);
        for skeleton in skeletons.into_iter().flatten() {
            for forest in hierarchies(&skeleton.graph, 8) {
                for anchors in [AnchorPolicy::Maximal, AnchorPolicy::Solo] {
                    let threads = 2 + random.below(2);
                    let mut paths: Vec<Vec<Node>> =
                        (0..threads).map(|_| random_path(&mut random, &skeleton.graph, 12)).collect();
                    for path in &mut paths {
                        let size = |path: &[Node]| {
                            path.iter().map(|&block| 1 + skeleton.operations_of(block).len()).sum::<usize>()
                        };
                        while size(path) > 40 {
                            path.pop();
                        }
                    }
                    let context = format!("seed {seed}\n{skeleton:?}");
                    check(&skeleton, &forest, Rules::ControlledMaximal(anchors), &paths, &context);
                    done += 1;
                    with_tokens += u64::from(skeleton.has_tokens());
                }
            }
        }
        seed += 1;
    }
    println!("{done} pairs, {with_tokens} of them with tokens, seeds {first} to {}", seed - 1);
    assert!(with_tokens * 2 > done);
}

/// Keys of the reconvergence stack have no rule by rule definition to compare with; what they have to be is a relation
/// with a convergence-before, in which threads that part meet at the immediate post-dominator, and not before.
#[test]
fn threads_meet_at_immediate_post_dominators() {
    let mut meetings = 0;
    for seed in seeds(10_000) {
        let mut random = SplitMix64::new(seed);
        let skeleton = Skeleton::of_graph(random_graph(&mut random));
        let post_dominators = PostDominators::compute(&skeleton.graph);
        let threads = 2 + random.below(2);
        let paths: Vec<_> = (0..threads).map(|_| random_path(&mut random, &skeleton.graph, 14)).collect();
        let trace = Trace::compute(&skeleton, Model::ImmediatePostDominator(&post_dominators), &paths);
        ConvergenceOrder::new(&trace.keys()).unwrap_or_else(|error| panic!("seed {seed}: {error}\n{paths:?}"));

        let (one, other) = (&paths[0], &paths[1]);
        let key = |thread: usize, step: usize| trace.threads[thread][step].key;
        let (mut i, mut j) = (0, 0);
        // Both at converged instances: where do they meet next?
        while i + 1 < one.len() && j + 1 < other.len() {
            assert_eq!(key(0, i), key(1, j), "seed {seed}: {one:?}\n{other:?}");
            if one[i + 1] == other[j + 1] {
                (i, j) = (i + 1, j + 1);
                continue;
            }
            let meeting = post_dominators.immediate_post_dominator(one[i]);
            let next = |path: &[Node], from: usize| {
                let found = path[from + 1..].iter().position(|&node| Some(node) == meeting);
                found.map(|distance| from + 1 + distance)
            };
            let (k, l) = (next(one, i), next(other, j));
            for a in i + 1..k.unwrap_or(one.len()) {
                for b in j + 1..l.unwrap_or(other.len()) {
                    assert_ne!(key(0, a), key(1, b), "seed {seed}: {one:?}\n{other:?}");
                }
            }
            let (Some(k), Some(l)) = (k, l) else { break };
            meetings += 1;
            (i, j) = (k, l);
        }
    }
    assert!(is_one_seed() || meetings > 1000);
}
