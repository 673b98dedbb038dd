//! Blocks and iterations in the order in which a thread executes them, against random walks.

use std::cmp::Ordering;

use cranelift_entity::EntityRef;
use reconverge_graph::{Digraph, Node};
use reconverge_semantics::BlockOrder;

fn random_graph(next: &mut impl FnMut(usize) -> usize) -> Digraph {
    let nodes = 2 + next(9);
    let edges: Vec<(Node, Node)> =
        (0..nodes + next(2 * nodes)).map(|_| (Node::new(next(nodes)), Node::new(next(nodes)))).collect();
    Digraph::from_edges(nodes, Node::new(0), &edges)
}

fn generator(mut state: u64) -> impl FnMut(usize) -> usize {
    move |below| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % below
    }
}

/// Threads only move up, and where one can still come is decided as walking decides it.
#[test]
fn is_an_order_of_execution() {
    for seed in 0..2_000 {
        let mut next = generator(seed);
        let graph = random_graph(&mut next);
        for forest in reconverge_graph::hierarchies(&graph, 4) {
            let order = BlockOrder::compute(&graph, &forest);
            let mut node = Node::new(0);
            let mut counts = order.enter(node);
            let mut walk = vec![(node, counts.clone())];
            for _ in 0..20 {
                let successors = graph.successors(node);
                if successors.is_empty() {
                    break;
                }
                let to = successors[next(successors.len())];
                order.step(node, to).apply(&mut counts);
                node = to;
                walk.push((node, counts.clone()));
            }
            for (later, b) in walk.iter().enumerate() {
                for a in &walk[..later] {
                    let (a, b) = ((a.0, &a.1), (b.0, &b.1));
                    assert_eq!(order.compare(a, b), Ordering::Less, "seed {seed}: {a:?} {b:?} {graph:?}");
                    assert!(order.can_reach(&graph, a, b), "seed {seed}: {a:?} {b:?} {graph:?}");
                    assert!(!order.can_reach(&graph, b, a), "seed {seed}: {a:?} {b:?} {graph:?}");
                }
            }
        }
    }
}
