//! Sizes that would overflow the stack or take hours if something recursed or were quadratic.

use crate::common::node;
use cranelift_entity::EntityRef;
use reconverge_graph::{
    CycleForest, DepthFirst, Digraph, Dominators, Node, PostDominators, SuccessorOrder, hierarchies,
    shortest_closed_path,
};

/// Rows of successors, node by node.
fn from_successors(successors: impl IntoIterator<Item = Vec<usize>>) -> Digraph {
    let mut starts = vec![0];
    let mut targets: Vec<Node> = Vec::new();
    for row in successors {
        targets.extend(row.into_iter().map(node));
        starts.push(targets.len() as u32);
    }
    Digraph::from_rows(node(0), starts, targets)
}

/// `0 -> 1 -> … -> count - 1`.
fn chain(count: usize) -> Digraph {
    from_successors((0..count).map(|block| if block + 1 < count { vec![block + 1] } else { vec![] }))
}

/// `depth` loops, each the only thing in the body of the one around it: headers `0..depth`, then latches from the
/// innermost out, each of which jumps to its header or to the next latch.
fn nest(depth: usize) -> Digraph {
    from_successors((0..2 * depth).map(|block| {
        let next = if block + 1 < 2 * depth { vec![block + 1] } else { vec![] };
        if block < depth { next } else { [vec![2 * depth - 1 - block], next].concat() }
    }))
}

/// `count` times: a branch to two sides that meet in a block that may jump back to the branch.
fn loops_in_a_row(count: usize) -> Digraph {
    from_successors((0..4 * count).map(|block| match block % 4 {
        0 => vec![block + 1, block + 2],
        1 => vec![block + 2],
        2 => vec![block + 1],
        _ if block + 1 < 4 * count => vec![block - 3, block + 1],
        _ => vec![block - 3],
    }))
}

/// A nest with a jump from outside it to the innermost latch, so that this latch is another entry of each loop.
fn irreducible_nest(depth: usize) -> Digraph {
    from_successors((0..2 * depth + 1).map(|block| match block {
        0 => vec![1, depth + 1],
        _ if block <= depth => vec![block + 1],
        _ if block < 2 * depth => vec![2 * depth + 1 - block, block + 1],
        _ => vec![1],
    }))
}

fn run_everything(graph: &Digraph) -> CycleForest {
    let last = node(graph.node_count() - 1);
    let search = DepthFirst::compute(graph, SuccessorOrder::Reverse);
    assert_eq!(search.preorder.len(), graph.node_count());
    assert!(Dominators::compute(graph).dominates(graph.entry(), last));
    assert!(PostDominators::compute(graph).is_reachable(last));
    shortest_closed_path(graph, graph.entry(), |_| false);
    CycleForest::from_depth_first(graph, &search)
}

#[test]
fn a_chain_of_a_million_blocks() {
    let graph = chain(1_000_000);
    assert!(run_everything(&graph).cycles.is_empty());
    assert_eq!(hierarchies(&graph, 1).count(), 1);
}

#[test]
fn a_million_blocks_with_branches_and_loops() {
    let forest = run_everything(&loops_in_a_row(250_000));
    assert_eq!((forest.cycles.len(), forest.top_level().count()), (250_000, 250_000));
}

#[test]
fn a_hundred_thousand_nested_loops() {
    let graph = nest(100_000);
    let forest = run_everything(&graph);
    assert_eq!(forest.cycles.len(), 100_000);
    let innermost = forest.innermost(node(99_999)).expect("the innermost header is in a cycle");
    assert_eq!(forest.cycles[innermost].depth, 100_000);
    assert!(forest.cycles.keys().all(|cycle| forest.is_reducible(cycle)));
    assert_eq!(hierarchies(&graph, 2).count(), 1);
}

/// One more entry for each loop is as many list elements more, not as many scans of the bodies.
#[test]
fn a_hundred_thousand_nested_irreducible_loops() {
    let forest = CycleForest::compute(&irreducible_nest(100_000), SuccessorOrder::Forward);
    assert_eq!(forest.cycles.len(), 100_000);
    assert!(forest.cycles.keys().all(|cycle| forest.cycles[cycle].entries[1..] == [node(100_001)]));
}

/// Every target of a switch is also reached from the one before, over a block that only that one dominates: with
/// dominators searched by walking up the tree this is quadratic.
#[test]
fn a_switch_into_a_long_chain() {
    let count = 200_000;
    let graph = from_successors((0..2 * count).map(|block| match block {
        0 => (0..2 * count).skip(1).filter(|&target| target == 1 || target >= count).collect(),
        _ if block + 1 < count => vec![block + 1, block + count],
        _ if block < count => vec![block + count],
        _ => vec![],
    }));
    let dominators = Dominators::compute(&graph);
    assert_eq!(dominators.immediate_dominator(node(2 * count - 1)), Some(node(0)));
    assert_eq!(dominators.immediate_dominator(node(count - 1)).map(Node::index), Some(count - 2));
}
