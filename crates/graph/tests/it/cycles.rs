//! Cycles against the recursion in their definition, with strongly connected sets found by reachability.

use crate::common::{graph, node, on_many_graphs, reach};
use cranelift_entity::EntityRef;
use reconverge_graph::{Cycle, CycleForest, DepthFirst, Digraph, Node, SuccessorOrder};

#[derive(Debug, PartialEq)]
struct OracleCycle {
    header: Node,
    nodes: Vec<Node>,
    entries: Vec<Node>,
    depth: u32,
    parent_header: Option<Node>,
}

/// The cycles of the subgraph induced on `inside`, and their descendants.
fn cycles_inside(
    graph: &Digraph,
    search: &DepthFirst,
    inside: &dyn Fn(Node) -> bool,
    depth: u32,
    parent_header: Option<Node>,
    cycles: &mut Vec<OracleCycle>,
) {
    let is_edge = |a: Node, b: Node| graph.successors(a).contains(&b);
    let from: Vec<_> = graph.nodes().map(|from| reach(graph, from, inside)).collect();
    let mut seen = vec![false; graph.node_count()];
    for first in graph.nodes().filter(|&node| inside(node)) {
        if seen[first.index()] {
            continue;
        }
        let is_member = |node: Node| from[first.index()][node.index()] && from[node.index()][first.index()];
        let nodes: Vec<_> = graph.nodes().filter(|&node| is_member(node)).collect();
        nodes.iter().for_each(|node| seen[node.index()] = true);
        if !nodes.iter().any(|&a| nodes.iter().any(|&b| is_edge(a, b))) {
            continue;
        }
        // Reachable from the entry without passing another node of the cycle.
        let is_entry = |&x: &Node| reach(graph, graph.entry(), |node| node == x || !nodes.contains(&node))[x.index()];
        let entries: Vec<_> = nodes.iter().copied().filter(is_entry).collect();
        let header = *entries.iter().min_by_key(|&&entry| search.number(entry)).expect("a cycle has an entry");
        let within = nodes.clone();
        cycles.push(OracleCycle { header, nodes, entries, depth, parent_header });
        cycles_inside(graph, search, &|node| node != header && within.contains(&node), depth + 1, Some(header), cycles);
    }
}

fn check(graph: &Digraph, order: SuccessorOrder) {
    let search = DepthFirst::compute(graph, order);
    let mut expected = Vec::new();
    cycles_inside(graph, &search, &|node| search.is_reachable(node), 1, None, &mut expected);
    let forest = CycleForest::compute(graph, order);
    assert_eq!(forest.cycles.len(), expected.len());

    for OracleCycle { header, nodes, entries, depth, parent_header } in &expected {
        let cycle = forest.innermost(*header).expect("a header is in a cycle");
        let data = &forest.cycles[cycle];
        assert_eq!(data.header, *header);
        assert!(forest.is_header(*header));
        let mut actual = forest.nodes(cycle).to_vec();
        assert_eq!(actual[0], *header, "the header comes first");
        actual.sort();
        assert_eq!(actual, *nodes);
        assert_eq!(data.node_count(), nodes.len());
        assert_eq!(data.depth, *depth);
        assert_eq!(data.parent.map(|parent| forest.cycles[parent].header), *parent_header);
        let others = entries.iter().copied().filter(|entry| entry != header);
        assert_eq!(data.entries.to_vec(), std::iter::once(*header).chain(others).collect::<Vec<_>>());
        assert_eq!(forest.is_reducible(cycle), entries.len() == 1);
        for node in graph.nodes() {
            assert_eq!(forest.contains(cycle, node), nodes.contains(&node));
            assert_eq!(forest.is_entry(cycle, node), entries.contains(&node), "{node} is an entry of {cycle}");
        }
    }
    for node in graph.nodes() {
        let deepest = expected.iter().filter(|cycle| cycle.nodes.contains(&node)).max_by_key(|cycle| cycle.depth);
        let innermost = forest.innermost(node);
        assert_eq!(innermost.map(|cycle| forest.cycles[cycle].header), deepest.map(|cycle| cycle.header));
        assert_eq!(forest.depth(node), deepest.map_or(0, |cycle| cycle.depth));
        assert_eq!(forest.containing(node).count() as u32, forest.depth(node));
    }

    let number = |cycle: Cycle| search.number(forest.cycles[cycle].header);
    let with_parent = |parent| {
        let mut children: Vec<_> =
            forest.cycles.keys().filter(|&cycle| forest.cycles[cycle].parent == parent).collect();
        children.sort_by_key(|&cycle| number(cycle));
        children
    };
    assert_eq!(forest.top_level().collect::<Vec<_>>(), with_parent(None));
    for cycle in forest.cycles.keys() {
        assert_eq!(forest.children(cycle).collect::<Vec<_>>(), with_parent(Some(cycle)));
        assert!(forest.cycles[cycle].parent.is_none_or(|parent| parent < cycle));
        for outer in forest.cycles.keys() {
            let is_ancestor = forest.ancestors(cycle).any(|ancestor| ancestor == outer);
            assert_eq!(forest.contains_cycle(outer, cycle), is_ancestor);
        }
    }
}

#[test]
fn agrees_with_the_definition() {
    on_many_graphs(1 << 11, 10_000, |graph| {
        check(graph, SuccessorOrder::Forward);
        check(graph, SuccessorOrder::Reverse);
    });
}

#[test]
fn an_entry_of_several_cycles() {
    // n1 heads {1, 2, 3}, n2 heads {2, 3}; n0 also jumps to n3, which makes n3 an entry of both.
    let graph = graph(4, &[(0, 1), (0, 3), (1, 2), (2, 3), (3, 2), (3, 1)]);
    let forest = CycleForest::compute(&graph, SuccessorOrder::Forward);
    let entries: Vec<_> = forest.cycles.values().map(|cycle| cycle.entries.to_vec()).collect();
    assert_eq!(entries, [vec![node(1), node(3)], vec![node(2), node(3)]]);
}
