//! Disjoint paths against naive enumeration of all pairs of simple paths.

use std::collections::BTreeSet;

use crate::common::on_many_graphs;
use reconverge_graph::{Digraph, Node, two_disjoint_paths};

/// All paths from `path[0]` to `to` whose inner nodes are distinct and are not the ends, as their inner nodes.
fn paths(graph: &Digraph, path: &mut Vec<Node>, to: Node, found: &mut BTreeSet<Vec<Node>>) {
    for &successor in graph.successors(path[path.len() - 1]) {
        if successor == to {
            found.insert(path[1..].to_vec());
        } else if !path.contains(&successor) {
            path.push(successor);
            paths(graph, path, to, found);
            path.pop();
        }
    }
}

#[test]
fn two_paths_are_found_when_there_are_two() {
    on_many_graphs(1 << 13, 300, |graph| {
        if graph.node_count() > 7 {
            return;
        }
        for from in graph.nodes() {
            for to in graph.nodes() {
                let mut all = BTreeSet::new();
                paths(graph, &mut vec![from], to, &mut all);
                let disjoint = |a: &[Node], b: &[Node]| a != b && a.iter().all(|node| !b.contains(node));
                let exist = all.iter().any(|a| all.iter().any(|b| disjoint(a, b)));
                let found = two_disjoint_paths(graph, from, to);
                assert_eq!(found.is_some(), exist, "{from} to {to}");
                if let Some([a, b]) = found {
                    for path in [&a, &b] {
                        assert_eq!((path[0], path[path.len() - 1]), (from, to));
                        assert!(all.contains(&path[1..path.len() - 1]), "{from} to {to}: {path:?}");
                    }
                    assert!(disjoint(&a[1..a.len() - 1], &b[1..b.len() - 1]), "{a:?} {b:?}");
                }
            }
        }
    });
}
