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
//! **What it is for.** Converged threads that diverge at a branch `B` and meet in a converged instance of `J` walk two paths of
//! this graph from `B` to `J` that share only their ends, and for all such paths there are such threads. So
//!
//! - `J` is a *join* of `B` iff there are two such paths;
//! - threads that diverge at `B` leave `C` over `x → y` in different iterations iff `exit(x → y, C)` is a join of `B`: a
//!   *divergent exit*;
//! - they arrive in the next iteration over different back edges iff `again(C)` is a join of `B`.
//!
//! **Convergence regions.** In the region of a token that is defined in `C`, only threads are converged that executed the
//! definition together. So the nodes of the region outside of `C` count as nodes of `C` when it comes to which edges leave
//! `C` and which values are of `C`: threads of different iterations meet where the region ends.
//!
//! This is the picture to think in; the analysis itself works on the same graph taken apart by levels (see `levels`),
//! where exits do not meet again in every level that they leave.

use cranelift_entity::EntityRef;
use reconverge_graph::{Cycle, DepthFirst, Digraph, Node};
use rustc_hash::FxHashMap;

use super::cycles::Cycles;

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
    /// How many nodes the control-flow graph has.
    blocks: usize,
    cycles: usize,
    exits: Vec<Exit>,
    /// For an edge that leaves cycles, the last of its exit nodes.
    arrivals: FxHashMap<(Node, Node), Node>,
}

impl Acyclic {
    pub(super) fn new(cfg: &Digraph, search: &DepthFirst, cycles: &Cycles) -> Acyclic {
        let forest = &cycles.forest;
        let mut acyclic = Acyclic {
            graph: Digraph::from_edges(0, Node::new(0), &[]),
            blocks: cfg.node_count(),
            cycles: forest.cycles.len(),
            exits: Vec::new(),
            arrivals: FxHashMap::default(),
        };
        let first_exit = acyclic.blocks + acyclic.cycles;
        let mut edges: Vec<(Node, Node)> = Vec::with_capacity(cfg.edge_count());
        let mut last_from = vec![None; acyclic.blocks];
        for from in search.reverse_postorder() {
            for &to in cfg.successors(from) {
                if last_from[to.index()].replace(from) == Some(from) {
                    continue;
                }
                let mut at = from;
                for cycle in cycles.left_by(from, to) {
                    let exit = Node::new(first_exit + acyclic.exits.len());
                    acyclic.exits.push(Exit { cycle, edge: (from, to) });
                    edges.extend([(at, exit), (acyclic.again(cycle), exit)]);
                    at = exit;
                    acyclic.arrivals.insert((from, to), exit);
                }
                let headed = forest.innermost(to).filter(|&cycle| forest.cycles[cycle].header == to);
                let back = headed.filter(|&cycle| forest.contains(cycle, from));
                edges.push((at, back.map_or(to, |cycle| acyclic.again(cycle))));
            }
        }
        acyclic.graph = Digraph::from_edges(first_exit + acyclic.exits.len(), cfg.entry(), &edges);
        acyclic
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

    /// The last node before `to` on the way over the edge.
    pub(super) fn arrival(&self, from: Node, to: Node) -> Node {
        self.arrivals.get(&(from, to)).copied().unwrap_or(from)
    }
}
