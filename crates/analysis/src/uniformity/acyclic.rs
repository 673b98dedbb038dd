//! A control-flow graph with its cycles cut open, such that what two threads can do *in one iteration* are paths.
//!
//! **Construction**, for a graph whose cycles are reducible:
//!
//! - The nodes of the graph stay. Parallel edges become one.
//! - Each cycle `C` with header `H` gets a node `again(C)`: "on to the next iteration". Edges of `C` back to `H` lead there.
//! - An edge `x → y` that leaves cycles goes through one node `exit(x → y, C)` for each of them, innermost first, and each
//!   of these has a second predecessor, `again(C)`: a thread that went on to the next iteration is free to leave in
//!   any later one, over any exit, while nothing that it executes in `C` until then is converged with anything that a
//!   thread executes that left before.
//!
//! **What it is for.** Converged threads that part at a branch `B` and meet in a converged instance of `J` walk two paths of
//! this graph from `B` to `J` that share only their ends, and for all such paths there are such threads. So
//!
//! - `J` is a *join* of `B` iff there are two such paths;
//! - threads that part at `B` leave `C` over `x → y` in different iterations iff `exit(x → y, C)` is a join of `B`: a
//!   *divergent exit*;
//! - they arrive in the next iteration over different back edges iff `again(C)` is a join of `B`.
//!
//! **Convergence regions.** In the region of a token that is defined in `C`, only threads are converged that executed the
//! definition together. So the nodes of the region outside of `C` count as nodes of `C` when it comes to which edges leave
//! `C` and which values are of `C`: threads of different iterations meet where the region ends.
//!
//! **Cycles that are given up** (see `engine`) are one node, that of the header, with `again` and exits like any other; the
//! nodes of their other entries lead to it.

use cranelift_entity::EntityRef;
use reconverge_graph::{Cycle, CycleForest, DepthFirst, Digraph, Dominators, Node, SuccessorOrder};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

use super::Region;

/// How far up the dominator tree an exit is searched.
const NEAR: usize = 64;
/// How many nodes are searched for a path.
const FAR: usize = 1 << 14;

/// Which nodes count as nodes of which cycles.
#[derive(Debug)]
pub(super) struct Cycles {
    pub(super) forest: CycleForest,
    /// The cycles that a node is in by a convergence region only.
    by_region: FxHashMap<Node, SmallVec<[Cycle; 2]>>,
    /// By node: its number in reverse postorder. The header of an outer cycle has a smaller one.
    order: Vec<u32>,
}

impl Cycles {
    pub(super) fn new(graph: &Digraph, search: &DepthFirst, forest: CycleForest, regions: &[Region]) -> Cycles {
        let mut cycles = Cycles { forest, by_region: FxHashMap::default(), order: Vec::new() };
        if regions.is_empty() {
            return cycles;
        }
        cycles.order = numbers(graph, search);
        for region in regions {
            for cycle in cycles.forest.containing(region.definition) {
                for &node in &region.nodes {
                    if !cycles.forest.contains(cycle, node) {
                        let list = cycles.by_region.entry(node).or_default();
                        if !list.contains(&cycle) {
                            list.push(cycle);
                        }
                    }
                }
            }
        }
        cycles
    }

    /// Whether a node counts as one of the cycle.
    pub(super) fn contains(&self, cycle: Cycle, node: Node) -> bool {
        self.forest.contains(cycle, node) || self.by_region.get(&node).is_some_and(|list| list.contains(&cycle))
    }

    /// The cycles that a node counts as one of, innermost first.
    pub(super) fn of(&self, node: Node) -> SmallVec<[Cycle; 4]> {
        let mut all: SmallVec<[Cycle; 4]> = self.forest.containing(node).collect();
        if let Some(list) = self.by_region.get(&node) {
            all.extend_from_slice(list);
            let header = |cycle: &Cycle| self.forest.cycles[*cycle].header;
            all.sort_by_key(|cycle| std::cmp::Reverse(self.order[header(cycle).index()]));
        }
        all
    }

    /// The cycles that the edge leaves, innermost first.
    pub(super) fn left_by(&self, from: Node, to: Node) -> SmallVec<[Cycle; 4]> {
        // Most edges stay in their cycle.
        if self.by_region.is_empty() && self.forest.innermost(from) == self.forest.innermost(to) {
            return SmallVec::new();
        }
        let mut left = self.of(from);
        left.retain(|cycle| !self.contains(*cycle, to));
        left
    }
}

/// What a node of an [`Acyclic`] stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    /// A node of the control-flow graph.
    Block(Node),
    /// `again(C)`.
    Again(Cycle),
    /// `exit(edge, C)`.
    Exit(Exit),
}

/// An edge that leaves a cycle.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Exit {
    pub(super) cycle: Cycle,
    pub(super) edge: (Node, Node),
}

/// A control-flow graph with its cycles cut open; see the head of this file.
#[derive(Debug)]
pub(super) struct Acyclic {
    pub(super) graph: Digraph,
    pub(super) dominators: Dominators,
    /// By node: its number in a topological order.
    pub(super) order: Vec<u32>,
    /// How many nodes the control-flow graph has.
    blocks: usize,
    cycles: usize,
    exits: Vec<Exit>,
    /// For an edge that leaves cycles, the last of its exit nodes.
    arrivals: FxHashMap<(Node, Node), Node>,
}

impl Acyclic {
    /// `collapsed` gives, for the nodes of cycles that are given up, the header that stands for them.
    pub(super) fn new(
        cfg: &Digraph,
        search: &DepthFirst,
        cycles: &Cycles,
        collapsed: impl Fn(Node) -> Option<Node>,
    ) -> Acyclic {
        let blocks = cfg.node_count();
        let forest = &cycles.forest;
        let mut exits: Vec<Exit> = Vec::new();
        let mut arrivals = FxHashMap::default();
        let first_exit = blocks + forest.cycles.len();
        let mut edges: Vec<(Node, Node)> = Vec::with_capacity(cfg.edge_count());
        let again = |cycle: Cycle| Node::new(blocks + cycle.index());
        let mut entered = FxHashSet::default();
        let mut last_from = vec![usize::MAX; blocks];
        for from in cfg.nodes().filter(|&node| search.is_reachable(node)) {
            for &to in cfg.successors(from) {
                if std::mem::replace(&mut last_from[to.index()], from.index()) == from.index() {
                    continue;
                }
                let (inside_from, inside_to) = (collapsed(from), collapsed(to));
                // The header of a cycle is in no smaller one.
                let given_up = inside_from.and_then(|header| forest.innermost(header));
                let mut at = inside_from.unwrap_or(from);
                if let (Some(cycle), true) = (given_up, inside_from == inside_to) {
                    edges.push((at, again(cycle)));
                    continue;
                }
                for cycle in cycles.left_by(from, to) {
                    if given_up.is_some_and(|outer| cycle != outer && forest.contains_cycle(outer, cycle)) {
                        continue;
                    }
                    let exit = Node::new(first_exit + exits.len());
                    exits.push(Exit { cycle, edge: (from, to) });
                    edges.push((at, exit));
                    edges.push((again(cycle), exit));
                    at = exit;
                    arrivals.insert((from, to), exit);
                }
                let back = forest.innermost(to).filter(|&cycle| {
                    inside_to.is_none() && forest.cycles[cycle].header == to && forest.contains(cycle, from)
                });
                edges.push((at, back.map_or(to, again)));
                // Diverged threads that enter at different entries, or only at one of them, are told apart.
                if let Some(header) = inside_to.filter(|&header| header != to && entered.insert(to)) {
                    edges.push((to, header));
                }
            }
        }
        let graph =
            Digraph::from_edges(first_exit + exits.len(), collapsed(cfg.entry()).unwrap_or(cfg.entry()), &edges);
        let search = DepthFirst::compute(&graph, SuccessorOrder::Forward);
        let order = numbers(&graph, &search);
        let dominators = Dominators::from_depth_first(&graph, &search);
        Acyclic { graph, dominators, order, blocks, cycles: forest.cycles.len(), exits, arrivals }
    }

    /// The node `again(C)`.
    pub(super) fn again(&self, cycle: Cycle) -> Node {
        Node::new(self.blocks + cycle.index())
    }

    pub(super) fn role(&self, node: Node) -> Role {
        let index = node.index();
        if index < self.blocks {
            Role::Block(node)
        } else if index < self.blocks + self.cycles {
            Role::Again(Cycle::new(index - self.blocks))
        } else {
            Role::Exit(self.exits[index - self.blocks - self.cycles])
        }
    }

    /// The last node before `to` on the way over the edge; `place` is the node that stands for `from`.
    pub(super) fn arrival(&self, place: Node, from: Node, to: Node) -> Node {
        self.arrivals.get(&(from, to)).copied().unwrap_or(place)
    }

    /// The one exit node of the cycle that dominates `node`, which is outside of it, if that is found close by.
    pub(super) fn only_exit(&self, cycles: &Cycles, cycle: Cycle, node: Node) -> Option<Node> {
        let above = std::iter::successors(Some(node), |&node| self.dominators.immediate_dominator(node));
        for node in above.take(NEAR) {
            match self.role(node) {
                Role::Exit(exit) if exit.cycle == cycle => return Some(node),
                Role::Block(block) if cycles.contains(cycle, block) => return None,
                _ => {}
            }
        }
        None
    }

    /// Whether a path leads from one node to the other. Says yes when it takes long to find out.
    pub(super) fn leads_to(&self, from: Node, to: Node) -> bool {
        let mut seen = FxHashSet::default();
        let mut stack = vec![to];
        while let Some(node) = stack.pop() {
            if node == from || seen.len() > FAR {
                return true;
            }
            if self.order[node.index()] > self.order[from.index()] && seen.insert(node) {
                stack.extend_from_slice(self.graph.predecessors(node));
            }
        }
        false
    }

    /// Whether a node has several predecessors.
    pub(super) fn is_merge(&self, node: Node) -> bool {
        self.graph.predecessors(node).len() > 1
    }
}

/// By node: its number in reverse postorder; `u32::MAX` for what cannot be reached.
fn numbers(graph: &Digraph, search: &DepthFirst) -> Vec<u32> {
    let mut numbers = vec![u32::MAX; graph.node_count()];
    for (node, number) in search.reverse_postorder().zip(0..) {
        numbers[node.index()] = number;
    }
    numbers
}
