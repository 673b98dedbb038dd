//! Graphs to test on: all small ones, random ones; and reachability, on which the oracles stand.

use cranelift_entity::EntityRef;
use reconverge_graph::{Digraph, Node};
use reconverge_testing::rounds::{seeds, stride};

pub(crate) fn node(index: usize) -> Node {
    Node::new(index)
}

pub(crate) fn graph(node_count: usize, edges: &[(usize, usize)]) -> Digraph {
    let edges: Vec<_> = edges.iter().map(|&(from, to)| (node(from), node(to))).collect();
    Digraph::from_edges(node_count, node(0), &edges)
}

/// Runs `check` on every digraph of 1 to 4 nodes (entry `n0`, self loops included, no parallel edges), one in `every` of
/// 5 nodes, and `random` random graphs of up to 12 nodes, with parallel edges: more of the latter two where more is asked for.
pub(crate) fn on_many_graphs(every: u64, random: u64, mut check: impl FnMut(&Digraph)) {
    for node_count in 1..=4 {
        for bits in 0..1 << (node_count * node_count) {
            named(format_args!("digraph {bits:#x} of {node_count} nodes"), &digraph(node_count, bits), &mut check);
        }
    }
    for bits in (0..1u64 << 25).step_by(stride(every)) {
        named(format_args!("digraph {bits:#x} of 5 nodes"), &digraph(5, bits), &mut check);
    }
    for seed in seeds(random) {
        named(format_args!("random digraph, seed {seed}"), &random_digraph(seed), &mut check);
    }
}

/// Runs `check`; when it panics, says on which graph.
pub(crate) fn named(name: std::fmt::Arguments<'_>, graph: &Digraph, check: &mut impl FnMut(&Digraph)) {
    struct Name<'a>(std::fmt::Arguments<'a>, &'a Digraph);
    impl Drop for Name<'_> {
        fn drop(&mut self) {
            if std::thread::panicking() {
                eprintln!("the check failed on {}:", self.0);
                for node in self.1.nodes() {
                    eprintln!("  {node} -> {:?}", self.1.successors(node));
                }
            }
        }
    }
    let _name = Name(name, graph);
    check(graph);
}

/// The digraph in which `from -> to` is an edge iff bit `from * node_count + to` is set.
pub(crate) fn digraph(node_count: usize, bits: u64) -> Digraph {
    let edges: Vec<_> = (0..node_count * node_count)
        .filter(|bit| bits >> bit & 1 == 1)
        .map(|bit| (bit / node_count, bit % node_count))
        .collect();
    graph(node_count, &edges)
}

/// A graph of 1 to 12 nodes with up to 2.5 edges per node, in random order.
pub(crate) fn random_digraph(seed: u64) -> Digraph {
    random_digraph_up_to(12, seed)
}

pub(crate) fn random_digraph_up_to(most_nodes: usize, seed: u64) -> Digraph {
    let mut random = SplitMix64(seed);
    let node_count = 1 + random.below(most_nodes);
    let edge_count = random.below(node_count * 5 / 2 + 1);
    let edges: Vec<_> = (0..edge_count).map(|_| (random.below(node_count), random.below(node_count))).collect();
    graph(node_count, &edges)
}

/// Steele, Lea, Flood, "Fast splittable pseudorandom number generators" (2014).
pub(crate) struct SplitMix64(pub(crate) u64);

impl SplitMix64 {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.0;
        bits = (bits ^ bits >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ bits >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        bits ^ bits >> 31
    }

    pub(crate) fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }
}

/// The nodes on a path from `from`, all of whose nodes (`from` included) are `allowed`.
pub(crate) fn reach(graph: &Digraph, from: Node, allowed: impl Fn(Node) -> bool) -> Vec<bool> {
    let mut reached = vec![false; graph.node_count()];
    if !allowed(from) {
        return reached;
    }
    reached[from.index()] = true;
    let mut stack = vec![from];
    while let Some(node) = stack.pop() {
        for &successor in graph.successors(node) {
            if allowed(successor) && !reached[successor.index()] {
                reached[successor.index()] = true;
                stack.push(successor);
            }
        }
    }
    reached
}
