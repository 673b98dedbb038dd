//! Two paths that threads take apart: what a person wants to see of a join or of a divergent exit.
//!
//! The paths are found in the graph whose cycles are cut open, where they share only their ends, and are told in the
//! control-flow graph: where one goes on to the next iteration of a cycle, some way through the cycle is filled in.

use std::collections::VecDeque;

use cranelift_entity::EntityRef;
use reconverge_graph::{Cycle, CycleForest, DepthFirst, Digraph, Node, SuccessorOrder, two_disjoint_paths};
use rustc_hash::FxHashMap;

use super::acyclic::{Acyclic, Role};
use super::cycles::Cycles;
use super::{DivergentExit, Problem, ValueIndex};

/// Two paths from a branch to a phi, ends included, that arrive with different operands; nothing when there are none, or
/// when irreducible cycles are in the way of telling. O(nodes + edges).
pub fn join_paths(problem: &Problem, branch: Node, phi: ValueIndex) -> Option<[Vec<Node>; 2]> {
    let block = problem.values[phi as usize].node?;
    let operands = || problem.operands(phi).iter().copied().zip(problem.sources(phi).iter().copied());
    let Some(open) = Open::new(problem) else {
        return two_disjoint_paths(&problem.graph, branch, block);
    };
    let forest = &open.cycles.forest;
    let header_of = forest.innermost(block).filter(|&cycle| forest.cycles[cycle].header == block);
    let back = header_of.map(|cycle| open.acyclic.again(cycle));
    [Some(block), back].into_iter().flatten().find_map(|target| {
        let is_back = |source| header_of.is_some_and(|cycle| forest.contains(cycle, source));
        let arriving = operands().filter(|&(_, source)| is_back(source) == (target != block));
        let arriving = arriving.map(|(operand, source)| (open.acyclic.arrival(source, block), operand));
        let paths = open.paths_by_operand(branch, target, arriving)?;
        Some(paths.map(|path| open.tell(&path, Some(block))))
    })
}

/// Two paths from a branch over an exit of a cycle: one leaves in the same iteration, the other in a later one. Nothing
/// when there are none, or when irreducible cycles are in the way of telling. O(nodes + edges).
pub fn exit_paths(problem: &Problem, branch: Node, exit: DivergentExit) -> Option<[Vec<Node>; 2]> {
    let open = Open::new(problem)?;
    let node = open.acyclic.graph.nodes().find(|&node| match open.acyclic.role(node) {
        Role::Exit(found) => found.edge == exit.edge && open.cycles.forest.cycles[found.cycle].header == exit.header,
        _ => false,
    })?;
    let paths = two_disjoint_paths(&open.acyclic.graph, branch, node)?;
    Some(paths.map(|path| open.tell(&path, Some(exit.edge.1))))
}

/// A reducible graph, cut open.
struct Open<'p> {
    graph: &'p Digraph,
    cycles: Cycles,
    acyclic: Acyclic,
}

impl<'p> Open<'p> {
    fn new(problem: &'p Problem) -> Option<Open<'p>> {
        let search = DepthFirst::compute(&problem.graph, SuccessorOrder::Forward);
        let forest = CycleForest::from_depth_first(&problem.graph, &search);
        if !forest.cycles.keys().all(|cycle| forest.is_reducible(cycle)) {
            return None;
        }
        let cycles = Cycles::new(&problem.graph, &search, forest, &problem.regions);
        let acyclic = Acyclic::new(&problem.graph, &search, &cycles);
        Some(Open { graph: &problem.graph, cycles, acyclic })
    }

    /// Two disjoint paths to `target` whose last nodes but one bring different operands.
    fn paths_by_operand(
        &self,
        branch: Node,
        target: Node,
        arriving: impl Iterator<Item = (Node, ValueIndex)>,
    ) -> Option<[Vec<Node>; 2]> {
        let graph = &self.acyclic.graph;
        let mut edges: Vec<(Node, Node)> = (graph.nodes())
            .flat_map(|from| graph.successors(from).iter().map(move |&to| (from, to)))
            .filter(|&(_, to)| to != target)
            .collect();
        let mut groups: FxHashMap<ValueIndex, Node> = FxHashMap::default();
        for (from, operand) in arriving {
            let next = Node::new(graph.node_count() + groups.len());
            let group = *groups.entry(operand).or_insert(next);
            edges.push((from, group));
            if group == next {
                edges.push((group, target));
            }
        }
        let graph = Digraph::from_edges(graph.node_count() + groups.len(), graph.entry(), &edges);
        two_disjoint_paths(&graph, branch, target)
    }

    /// A path of the open graph as one of the control-flow graph that ends at `end`.
    fn tell(&self, path: &[Node], end: Option<Node>) -> Vec<Node> {
        let mut told: Vec<Node> = Vec::new();
        let mut again = None;
        for &node in path.iter().filter(|node| node.index() < self.acyclic.graph.node_count()) {
            match self.acyclic.role(node) {
                Role::Block(block) => told.push(block),
                Role::Again(cycle) => again = Some(cycle),
                Role::Exit(exit) => {
                    if let Some(cycle) = again.take() {
                        told.extend(self.through(cycle, exit.edge.0));
                    }
                }
            }
        }
        told.extend(end.filter(|end| told.last() != Some(end) || told.len() == 1));
        told
    }

    /// A shortest way from the header of a cycle to a node of it.
    fn through(&self, cycle: Cycle, to: Node) -> Vec<Node> {
        let header = self.cycles.forest.cycles[cycle].header;
        let mut came: FxHashMap<Node, Node> = FxHashMap::default();
        let mut queue = VecDeque::from([header]);
        while let Some(node) = queue.pop_front() {
            if node == to {
                break;
            }
            for &next in self.graph.successors(node) {
                if next != header && self.cycles.contains(cycle, next) && !came.contains_key(&next) {
                    came.insert(next, node);
                    queue.push_back(next);
                }
            }
        }
        let mut way: Vec<Node> = std::iter::successors(Some(to), |node| came.get(node).copied()).collect();
        way.reverse();
        way
    }
}
