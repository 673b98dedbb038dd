//! Closed paths against naive enumeration: extend every path of distinct nodes in every way.

use reconverge_testing::rounds::seeds;

use std::collections::BTreeSet;

use crate::common::{graph, named, node, on_many_graphs, random_digraph_up_to, reach};
use cranelift_entity::EntityRef;
use reconverge_graph::{
    Digraph, Node, Search, closed_path_through, closed_paths, shortest_closed_path, strongly_connected_component,
};

/// All closed paths, each as the rotation that starts with its smallest node.
fn all_closed_paths(graph: &Digraph) -> BTreeSet<Vec<Node>> {
    fn extend(graph: &Digraph, path: &mut Vec<Node>, found: &mut BTreeSet<Vec<Node>>) {
        for &successor in graph.successors(path[path.len() - 1]) {
            if successor == path[0] {
                found.insert(path.clone());
            } else if successor > path[0] && !path.contains(&successor) {
                path.push(successor);
                extend(graph, path, found);
                path.pop();
            }
        }
    }
    let reached = reach(graph, graph.entry(), |_| true);
    let mut found = BTreeSet::new();
    for first in graph.nodes().filter(|node| reached[node.index()]) {
        extend(graph, &mut vec![first], &mut found);
    }
    found
}

fn rotated(mut path: Vec<Node>) -> Vec<Node> {
    let smallest = (0..path.len()).min_by_key(|&position| path[position]).expect("a closed path has a node");
    path.rotate_left(smallest);
    path
}

#[test]
fn enumerates_each_closed_path_once() {
    on_many_graphs(1 << 11, 5_000, |graph| {
        let paths: Vec<_> = closed_paths(graph).map(rotated).collect();
        let distinct: BTreeSet<_> = paths.iter().cloned().collect();
        assert_eq!(distinct.len(), paths.len(), "each once");
        assert_eq!(distinct, all_closed_paths(graph));
    });
}

/// The checks on paths through given nodes, avoiding the nodes of a set of bits.
fn check_through(graph: &Digraph, avoided: u64) {
    let avoiding = |node: Node| avoided >> node.index() & 1 == 1;
    let all = all_closed_paths(graph);
    let reached = reach(graph, graph.entry(), |_| true);
    for a in graph.nodes().filter(|node| reached[node.index()]) {
        for b in graph.nodes().filter(|node| reached[node.index()]) {
            let fits = |path: &&Vec<Node>| {
                path.contains(&a)
                    && path.contains(&b)
                    && path.iter().all(|&node| node == a || node == b || !avoiding(node))
            };
            match closed_path_through(graph, a, b, avoiding, usize::MAX) {
                Search::Found(path) => {
                    assert_eq!(path[0], a);
                    let path = rotated(path);
                    assert!(all.contains(&path) && fits(&&path), "through {a} and {b}");
                }
                Search::None => assert_eq!(all.iter().find(fits), None, "through {a} and {b}"),
                Search::GaveUp => panic!("an unlimited budget is not spent"),
            }
            if a == b {
                let shortest = shortest_closed_path(graph, a, avoiding);
                assert_eq!(shortest.as_ref().map(Vec::len), all.iter().filter(fits).map(Vec::len).min());
                assert!(shortest.is_none_or(|path| path[0] == a && all.contains(&rotated(path))));
            }
        }
        let component: Vec<_> = graph
            .nodes()
            .filter(|&other| {
                let allowed = |node: Node| node == a || !avoiding(node);
                reach(graph, a, allowed)[other.index()] && reach(graph, other, allowed)[a.index()]
            })
            .collect();
        assert_eq!(strongly_connected_component(graph, a, avoiding), component);
    }
}

#[test]
fn finds_closed_paths_through_given_nodes() {
    let mut avoided = 0u64;
    on_many_graphs(1 << 13, 2_000, |graph| {
        check_through(graph, 0);
        avoided = avoided.wrapping_mul(5).wrapping_add(0x1234_5677);
        check_through(graph, avoided >> 16 & avoided >> 24);
    });
}

/// With few edges the two ways often meet, and the search has to backtrack.
#[test]
fn finds_closed_paths_through_two_nodes_of_larger_graphs() {
    for seed in seeds(300) {
        let graph = random_digraph_up_to(16, !seed);
        named(format_args!("random digraph, seed !{seed}"), &graph, &mut |graph| check_through(graph, 0));
    }
}

#[test]
fn two_ways_that_must_meet() {
    // Between n1 and n3 everything passes through n2, both ways.
    let graph = graph(4, &[(0, 1), (1, 2), (2, 3), (3, 2), (2, 1)]);
    assert_eq!(closed_path_through(&graph, node(1), node(3), |_| false, 0), Search::None);
    assert_eq!(closed_path_through(&graph, node(1), node(2), |_| false, 0), Search::GaveUp);
    let found = Search::Found(vec![node(1), node(2)]);
    assert_eq!(closed_path_through(&graph, node(1), node(2), |_| false, 1), found);
}
