//! A control-flow graph taken apart into one graph without cycles for each level of the cycle hierarchy.
//!
//! **Construction**, for a graph whose cycles are reducible. Each cycle has a *level*, and so has what is in no cycle.
//! The level of a cycle `C` has
//!
//! - the nodes whose innermost cycle is `C`; its root is the header;
//! - for each child `D` of `C`, one node `whole(D)`, and one node `exit(e, D)` behind it for each edge `e` that leaves `D`;
//! - `again(C)`, where the edges back to the header lead: "on to the next iteration";
//! - `out(e, C)` for each edge `e` that leaves `C`. In the level of the parent, `exit(e, C)` goes on from there.
//!
//! **What it is for.** Two converged threads that diverge at a branch `B` in the level of `C` walk two paths of that level
//! that share only `B`, until they meet, or until one of them leaves `C` or both go on.
//!
//! - They meet at `J` in the same iteration iff `J` is a *join* of `B`: two paths to it that share only their ends. Where
//!   `J` is `again(C)` they meet in the next iteration, having come over different edges; where it is `whole(D)`, they
//!   enter `D` over different edges.
//! - One of them leaves over `e` while the other goes on iff two paths to `out(e, C)` and to `again(C)` share only `B`: a
//!   *divergent exit*. The other is then free to leave in any later iteration over any exit; nothing that it executes in
//!   `C` until then is converged with anything that the first one executes.
//! - Every two threads that leave `C` over different edges in the same iteration, leave it over edges of which at least one
//!   is a divergent exit. So for the level of the parent, `C` is a branch at `whole(C)` at which two threads part iff at
//!   least one of them takes a divergent exit: what has to be known of `C` outside is which of its exits these are.
//!
//! **Convergence regions.** In the region of a token that is defined in `C`, only threads are converged that executed the
//! definition together. So the nodes of the region outside of `C` count as nodes of `C` when it comes to which edges leave
//! `C` and which values are of `C`: threads of different iterations meet where the region ends. From there no path leads
//! to `again(C)`; threads that part there and leave `C` did so in the same iteration.
//!
//! **Cycles that are given up** (see `engine`) have no level. Their entries are nodes that lead to `whole`.

use cranelift_entity::EntityRef;
use reconverge_graph::{Cycle, DepthFirst, Digraph, Dominators, Node, SuccessorOrder};
use rustc_hash::{FxHashMap, FxHashSet};

use super::cycles::{Cycles, numbers};
use super::joins::Frontiers;

/// How far up the dominator tree an exit is searched.
const NEAR: usize = 64;
/// How many nodes are searched for a path.
const FAR: usize = 1 << 14;

/// What a node of a level stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    /// A node of the control-flow graph.
    Block(Node),
    /// `again(C)`.
    Again(Cycle),
    /// `whole(C)`.
    Whole(Cycle),
    /// `out(e, C)`, by the index of the exit.
    Out(usize),
    /// `exit(e, C)`, by the index of the exit.
    Exit(usize),
    /// What comes before the roots of all levels.
    Above,
}

/// An edge that leaves a cycle.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Exit {
    pub(super) cycle: Cycle,
    pub(super) edge: (Node, Node),
}

/// All levels, side by side; see the head of this file.
#[derive(Debug)]
pub(super) struct Levels {
    pub(super) graph: Digraph,
    pub(super) dominators: Dominators,
    pub(super) frontiers: Frontiers,
    /// By node: its number in a topological order.
    pub(super) order: Vec<u32>,
    /// By node: its place in the dominator tree's preorder.
    pub(super) places: Vec<u32>,
    pub(super) exits: Vec<Exit>,
    /// By cycle: its exits, as a range of `exits_by_cycle`.
    exit_starts: Vec<u32>,
    exits_by_cycle: Vec<u32>,
    /// For an edge that leaves cycles, the last of its exits.
    arrivals: FxHashMap<(Node, Node), usize>,
    /// By node of a cycle that is given up: the cycle.
    pub(super) given_up: FxHashMap<Node, Cycle>,
    blocks: usize,
    cycles: usize,
}

impl Levels {
    pub(super) fn new(cfg: &Digraph, search: &DepthFirst, cycles: &Cycles) -> Levels {
        let forest = &cycles.forest;
        let mut given_up = FxHashMap::default();
        for cycle in forest.cycles.keys() {
            if !forest.is_reducible(cycle) && !given_up.contains_key(&forest.cycles[cycle].header) {
                given_up.extend(forest.nodes(cycle).iter().map(|&node| (node, cycle)));
            }
        }
        let mut levels = Levels {
            graph: Digraph::from_edges(0, Node::new(0), &[]),
            dominators: Dominators::compute(&Digraph::from_edges(0, Node::new(0), &[])),
            frontiers: Frontiers::default(),
            order: Vec::new(),
            places: Vec::new(),
            exits: Vec::new(),
            exit_starts: Vec::new(),
            exits_by_cycle: Vec::new(),
            arrivals: FxHashMap::default(),
            given_up,
            blocks: cfg.node_count(),
            cycles: forest.cycles.len(),
        };
        let mut edges: Vec<(Node, Node)> = Vec::with_capacity(cfg.edge_count() + levels.cycles);
        let mut last_from = vec![None; cfg.node_count()];
        for from in search.reverse_postorder() {
            for &to in cfg.successors(from) {
                if last_from[to.index()].replace(from) != Some(from) {
                    levels.add_edge(cycles, from, to, &mut edges);
                }
            }
        }
        for (&node, &cycle) in &levels.given_up {
            if forest.is_entry(cycle, node) {
                edges.push((node, levels.whole(cycle)));
            }
        }
        let above = levels.out(levels.exits.len());
        // The entry, if it is in a cycle, is the header of that one, or an entry of it.
        edges.push((above, forest.innermost(cfg.entry()).map_or(cfg.entry(), |cycle| levels.whole(cycle))));
        let roots = forest.cycles.values().map(|cycle| cycle.header).filter(|root| !levels.given_up.contains_key(root));
        edges.extend(roots.map(|root| (above, root)));
        levels.graph = Digraph::from_edges(above.index() + 1, above, &edges);
        let search = DepthFirst::compute(&levels.graph, SuccessorOrder::Forward);
        levels.order = numbers(&levels.graph, &search);
        levels.dominators = Dominators::from_depth_first(&levels.graph, &search);
        levels.frontiers = Frontiers::new(&levels.graph, &levels.dominators);
        levels.places = vec![u32::MAX; levels.graph.node_count()];
        for (&node, place) in levels.dominators.tree_preorder().iter().zip(0..) {
            levels.places[node.index()] = place;
        }
        levels.exit_starts = vec![0; levels.cycles + 1];
        for exit in &levels.exits {
            levels.exit_starts[exit.cycle.index() + 1] += 1;
        }
        for index in 1..levels.exit_starts.len() {
            levels.exit_starts[index] += levels.exit_starts[index - 1];
        }
        let mut next = levels.exit_starts.clone();
        levels.exits_by_cycle = vec![0; levels.exits.len()];
        for (exit, index) in levels.exits.iter().zip(0..) {
            levels.exits_by_cycle[next[exit.cycle.index()] as usize] = index;
            next[exit.cycle.index()] += 1;
        }
        levels
    }

    fn add_edge(&mut self, cycles: &Cycles, from: Node, to: Node, edges: &mut Vec<(Node, Node)>) {
        let forest = &cycles.forest;
        let (out_of, into) = (self.given_up.get(&from).copied(), self.given_up.get(&to).copied());
        if out_of.is_some() && out_of == into {
            return;
        }
        let mut at = from;
        for cycle in cycles.left_by(from, to) {
            // What is inside of a cycle that is given up has no level.
            if out_of.is_some_and(|outer| outer != cycle && forest.contains_cycle(outer, cycle)) {
                continue;
            }
            let index = self.exits.len();
            self.exits.push(Exit { cycle, edge: (from, to) });
            if out_of != Some(cycle) {
                edges.push((at, self.out(index)));
            }
            at = self.exit(index);
            edges.push((self.whole(cycle), at));
            self.arrivals.insert((from, to), index);
        }
        let headed = forest.innermost(to).filter(|&cycle| into.is_none() && forest.cycles[cycle].header == to);
        let target = match headed {
            Some(cycle) if cycles.contains(cycle, from) => self.again(cycle),
            Some(cycle) => self.whole(cycle),
            None => to,
        };
        edges.push((at, target));
    }

    pub(super) fn again(&self, cycle: Cycle) -> Node {
        Node::new(self.blocks + cycle.index())
    }

    pub(super) fn whole(&self, cycle: Cycle) -> Node {
        Node::new(self.blocks + self.cycles + cycle.index())
    }

    pub(super) fn out(&self, exit: usize) -> Node {
        Node::new(self.blocks + 2 * self.cycles + 2 * exit)
    }

    pub(super) fn exit(&self, exit: usize) -> Node {
        Node::new(self.blocks + 2 * self.cycles + 2 * exit + 1)
    }

    pub(super) fn role(&self, node: Node) -> Role {
        let index = node.index();
        let (first_whole, first_exit) = (self.blocks + self.cycles, self.blocks + 2 * self.cycles);
        if index < self.blocks {
            Role::Block(node)
        } else if index < first_whole {
            Role::Again(Cycle::new(index - self.blocks))
        } else if index < first_exit {
            Role::Whole(Cycle::new(index - first_whole))
        } else if index + 1 >= self.graph.node_count() {
            Role::Above
        } else if (index - first_exit).is_multiple_of(2) {
            Role::Out((index - first_exit) / 2)
        } else {
            Role::Exit((index - first_exit) / 2)
        }
    }

    /// The exits of a cycle.
    pub(super) fn exits_of(&self, cycle: Cycle) -> &[u32] {
        &self.exits_by_cycle[self.exit_starts[cycle.index()] as usize..self.exit_starts[cycle.index() + 1] as usize]
    }

    /// The last node before `to`, in the level where the edge ends.
    pub(super) fn arrival(&self, from: Node, to: Node) -> Node {
        self.arrivals.get(&(from, to)).map_or(from, |&exit| self.exit(exit))
    }

    /// Whether a node has several predecessors.
    pub(super) fn is_merge(&self, node: Node) -> bool {
        self.graph.predecessors(node).len() > 1
    }

    /// The one exit of the cycle through which every thread comes that has been in it and is at `node`, outside of it, if
    /// there is one and it is found close by.
    pub(super) fn only_exit(&self, cycles: &Cycles, cycle: Cycle, node: Node) -> Option<usize> {
        let forest = &cycles.forest;
        let mut at = node;
        for _ in 0..NEAR {
            at = match self.role(at) {
                Role::Exit(exit) if self.exits[exit].cycle == cycle => return Some(exit),
                Role::Exit(exit) if cycles.contains_cycle(self.exits[exit].cycle, cycle) => self.out(exit),
                Role::Block(block) if cycles.contains(cycle, block) => return None,
                Role::Block(block) if self.given_up.contains_key(&block) => self.whole(self.given_up[&block]),
                Role::Block(block) if forest.is_header(block) => {
                    let headed = forest.innermost(block)?;
                    if cycles.contains_cycle(headed, cycle) {
                        return None;
                    }
                    self.whole(headed)
                }
                _ => self.dominators.immediate_dominator(at)?,
            };
        }
        None
    }

    /// Whether a path leads from one of the nodes to another one. Says yes when it takes long to find out.
    pub(super) fn lead_to(&self, from: &[Node], to: Node) -> bool {
        let Some(first) = from.iter().map(|node| self.order[node.index()]).min() else { return false };
        let mut seen = FxHashSet::default();
        let mut stack = vec![to];
        while let Some(node) = stack.pop() {
            if from.contains(&node) || seen.len() > FAR {
                return true;
            }
            if self.order[node.index()] > first && seen.insert(node) {
                stack.extend_from_slice(self.graph.predecessors(node));
            }
        }
        false
    }
}
