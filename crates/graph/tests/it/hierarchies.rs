//! Cycle hierarchies against all depth-first searches, each with its cycles by definition.

use reconverge_testing::rounds::{is_one_seed, seeds, stride};

use std::collections::BTreeSet;

use crate::common::{digraph, graph, named, node, random_digraph_up_to, reach};
use cranelift_entity::EntityRef;
use reconverge_graph::{CycleForest, Digraph, Node, hierarchies};

/// The cycles of a hierarchy: header and nodes of each.
type Hierarchy = BTreeSet<(Node, Vec<Node>)>;

/// The preorders of all depth-first searches; `None` when there are more than `most`.
fn all_preorders(graph: &Digraph, most: usize) -> Option<BTreeSet<Vec<Node>>> {
    /// `stack` is the path from the entry to the node being visited.
    fn go_on(
        graph: &Digraph,
        stack: &mut Vec<Node>,
        preorder: &mut Vec<Node>,
        most: usize,
        all: &mut BTreeSet<Vec<Node>>,
    ) {
        if all.len() > most {
            return;
        }
        let Some(&node) = stack.last() else {
            all.insert(preorder.clone());
            return;
        };
        let choices: BTreeSet<Node> =
            graph.successors(node).iter().copied().filter(|successor| !preorder.contains(successor)).collect();
        if choices.is_empty() {
            stack.pop();
            go_on(graph, stack, preorder, most, all);
            stack.push(node);
        }
        for choice in choices {
            stack.push(choice);
            preorder.push(choice);
            go_on(graph, stack, preorder, most, all);
            preorder.pop();
            stack.pop();
        }
    }
    let mut all = BTreeSet::new();
    go_on(graph, &mut vec![graph.entry()], &mut vec![graph.entry()], most, &mut all);
    (all.len() <= most).then_some(all)
}

/// The cycles of the subgraph induced on `inside`: strongly connected sets, then what is inside without their headers.
fn cycles_inside(graph: &Digraph, preorder: &[Node], inside: &[Node], hierarchy: &mut Hierarchy) {
    let from: Vec<_> = graph.nodes().map(|from| reach(graph, from, |node| inside.contains(&node))).collect();
    let mut seen = Vec::new();
    for &first in inside {
        let with_first = |node: &Node| from[first.index()][node.index()] && from[node.index()][first.index()];
        let nodes: Vec<_> = inside.iter().copied().filter(with_first).collect();
        let has_edge = nodes.iter().any(|&a| graph.successors(a).iter().any(|b| nodes.contains(b)));
        if seen.contains(&first) || !has_edge {
            continue;
        }
        seen.extend_from_slice(&nodes);
        let header = *preorder.iter().find(|node| nodes.contains(node)).expect("every node inside is visited");
        let rest: Vec<_> = nodes.iter().copied().filter(|&node| node != header).collect();
        hierarchy.insert((header, nodes));
        cycles_inside(graph, preorder, &rest, hierarchy);
    }
}

fn hierarchies_of_all_searches(graph: &Digraph, most: usize) -> Option<BTreeSet<Hierarchy>> {
    let hierarchy = |preorder: Vec<Node>| {
        let mut hierarchy = Hierarchy::new();
        let mut inside = preorder.clone();
        inside.sort();
        cycles_inside(graph, &preorder, &inside, &mut hierarchy);
        hierarchy
    };
    Some(all_preorders(graph, most)?.into_iter().map(hierarchy).collect())
}

fn hierarchy(forest: &CycleForest) -> Hierarchy {
    let cycle = |cycle| {
        let mut nodes = forest.nodes(cycle).to_vec();
        nodes.sort();
        (forest.cycles[cycle].header, nodes)
    };
    forest.cycles.keys().map(cycle).collect()
}

/// Compares, when there are not too many searches; says how many hierarchies there are.
fn check(graph: &Digraph) -> usize {
    let Some(expected) = hierarchies_of_all_searches(graph, 2_000) else { return 0 };
    let all = hierarchies(graph, usize::MAX);
    assert!(all.is_complete());
    let found: Vec<_> = all.map(|forest| hierarchy(&forest)).collect();
    assert_eq!(found.iter().cloned().collect::<BTreeSet<_>>(), expected);
    assert_eq!(found.len(), expected.len(), "each once");
    for cap in 0..=expected.len() {
        let some = hierarchies(graph, cap);
        assert_eq!(some.is_complete(), cap == expected.len());
        let some: Vec<_> = some.map(|forest| hierarchy(&forest)).collect();
        assert_eq!(some.len(), cap);
        assert_eq!(some.iter().collect::<BTreeSet<_>>().len(), cap);
        assert!(some.iter().all(|hierarchy| expected.contains(hierarchy)));
    }
    expected.len()
}

#[test]
fn small_graphs() {
    for node_count in 1..=4 {
        for bits in 0..1u64 << (node_count * node_count) {
            let graph = digraph(node_count, bits);
            named(format_args!("digraph {bits:#x} of {node_count} nodes"), &graph, &mut |graph| {
                check(graph);
            });
        }
    }
    for bits in (0..1u64 << 25).step_by(stride(1 << 13)) {
        named(format_args!("digraph {bits:#x} of 5 nodes"), &digraph(5, bits), &mut |graph| {
            check(graph);
        });
    }
}

#[test]
fn random_graphs() {
    let mut most = 0;
    for seed in seeds(10_000) {
        let graph = random_digraph_up_to(12, seed);
        named(format_args!("random digraph, seed {seed}"), &graph, &mut |graph| most = most.max(check(graph)));
    }
    assert!(is_one_seed() || most >= 10, "the graphs have choices to make");
}

#[test]
fn choices_that_depend_on_each_other() {
    // 0 -> p, q; p -> a, c; q -> b, d; a <-> b; c <-> d.
    let [p, q, a, b, c, d] = [1, 2, 3, 4, 5, 6];
    let graph = graph(7, &[(0, p), (0, q), (p, a), (p, c), (q, b), (q, d), (a, b), (b, a), (c, d), (d, c)]);
    let headers: BTreeSet<Vec<Node>> = hierarchies(&graph, 16)
        .map(|forest| {
            let headers: BTreeSet<_> = forest.cycles.values().map(|cycle| cycle.header).collect();
            headers.into_iter().collect()
        })
        .collect();
    assert_eq!(headers, BTreeSet::from([vec![node(a), node(c)], vec![node(b), node(d)]]));
}

/// `count` irreducible loops of two nodes, side by side under a switch or one after the other, with `diamonds`
/// diamonds in front of each.
fn irreducible_loops(count: usize, diamonds: usize, side_by_side: bool) -> Digraph {
    let mut edges = Vec::new();
    let mut next = 1;
    let mut from = 0;
    for _ in 0..count {
        if side_by_side {
            edges.push((0, next));
            from = next;
            next += 1;
        }
        for _ in 0..diamonds {
            edges.extend([(from, next), (from, next + 1), (next, next + 2), (next + 1, next + 2)]);
            from = next + 2;
            next += 3;
        }
        edges.extend([(from, next), (from, next + 1), (next, next + 1), (next + 1, next), (next, next + 2)]);
        from = next + 2;
        next += 3;
    }
    graph(next, &edges)
}

#[test]
fn independent_choices_multiply_and_diamonds_do_not() {
    for side_by_side in [false, true] {
        let graph = irreducible_loops(8, 100, side_by_side);
        let all = hierarchies(&graph, 256);
        assert!(all.is_complete());
        assert_eq!(all.count(), 256);
        let some = hierarchies(&graph, 255);
        assert!(!some.is_complete());
        assert_eq!(some.count(), 255);
    }
}

#[test]
fn too_much_to_enumerate() {
    // Complete graphs: every order of the nodes is a hierarchy.
    for node_count in [30, 390, 450] {
        let edges: Vec<_> = (0..node_count).flat_map(|a| (0..node_count).map(move |b| (a, b))).collect();
        let graph = graph(node_count, &edges);
        let some = hierarchies(&graph, 10);
        assert!(!some.is_complete());
        assert_eq!(some.count(), 10);
    }
}

#[test]
fn a_graph_without_nodes() {
    let graph = graph(0, &[]);
    let all = hierarchies(&graph, 1);
    assert!(all.is_complete());
    assert_eq!(all.count(), 1);
}
