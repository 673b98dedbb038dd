//! Dominators and post-dominators.
//!
//! **Definition.** `a` *dominates* `b` iff every path from the entry to `b` passes through `a`. An unreachable
//! `b` has no such path, so everything dominates it. The *immediate dominator* of a reachable `b` other than
//! the entry is the node that dominates `b`, is not `b`, and is dominated by every other such node.
//!
//! `a` *post-dominates* `b` iff every path from `b` to the end of execution passes through `a`. See
//! [`PostDominators`] for what the end is when there are infinite loops.
//!
//! **Algorithm.** Lengauer and Tarjan, *A fast algorithm for finding dominators in a flowgraph* (1979), the
//! version with path compression and without balancing: O(edges · log nodes) in the worst case, in practice
//! linear. Semi-NCA, otherwise the natural choice, takes quadratic time where the targets of a large switch are
//! also reached one from the other (each then looks for its dominator along the whole chain), a shape that
//! unrolled and obfuscated code does have. Nothing here recurses.

use cranelift_entity::packed_option::PackedOption;
use cranelift_entity::{EntityRef, PrimaryMap};

use crate::{CycleForest, DepthFirst, Digraph, Node, SuccessorOrder};

const NONE: u32 = u32::MAX;

/// The dominator tree of the nodes reachable from the entry.
///
/// ```
/// use cranelift_entity::EntityRef;
/// use reconverge_graph::{Digraph, Dominators, Node};
///
/// let node = Node::new;
/// let diamond = [(0, 1), (0, 2), (1, 3), (2, 3)].map(|(from, to)| (node(from), node(to)));
/// let dominators = Dominators::compute(&Digraph::from_edges(4, node(0), &diamond));
/// assert_eq!(dominators.immediate_dominator(node(3)), Some(node(0)));
/// assert!(dominators.dominates(node(0), node(3)) && !dominators.dominates(node(1), node(3)));
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Dominators {
    /// The reachable nodes in a preorder of the dominator tree: a node stands before those it dominates, and
    /// those are contiguous.
    tree_preorder: Vec<Node>,
    places: PrimaryMap<Node, Place>,
}

/// Where a node stands in the dominator tree.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Place {
    immediate_dominator: PackedOption<Node>,
    /// The nodes it dominates are `tree_preorder[start..end]`, itself first; empty when unreachable.
    start: u32,
    end: u32,
}

impl Dominators {
    /// Computes the tree; O(edges · log nodes).
    pub fn compute(graph: &Digraph) -> Dominators {
        Dominators::from_depth_first(graph, &DepthFirst::compute(graph, SuccessorOrder::Forward))
    }

    /// The same from a search of `graph` that the caller already has.
    pub fn from_depth_first(graph: &Digraph, search: &DepthFirst) -> Dominators {
        let immediate = immediate_dominators(graph, search);
        // A dominator has the smaller number: sizes flow up in reverse preorder, positions down in preorder.
        let reached = search.preorder.len();
        let mut size = vec![1u32; reached];
        for number in (1..reached).rev() {
            size[immediate[number] as usize] += size[number];
        }
        let unreachable = Place { immediate_dominator: None.into(), start: 0, end: 0 };
        let mut places = PrimaryMap::from(vec![unreachable; graph.node_count()]);
        let mut tree_preorder = vec![Node::new(0); reached];
        // For each number, the position of its next child.
        let mut next = vec![0u32; reached];
        for (number, &node) in search.preorder.iter().enumerate() {
            let mut start = 0;
            let mut immediate_dominator = None;
            if number > 0 {
                let above = immediate[number] as usize;
                start = next[above];
                next[above] += size[number];
                immediate_dominator = Some(search.preorder[above]);
            }
            next[number] = start + 1;
            tree_preorder[start as usize] = node;
            places[node] = Place { immediate_dominator: immediate_dominator.into(), start, end: start + size[number] };
        }
        Dominators { tree_preorder, places }
    }

    /// The closest of the other nodes that dominate `node`; `None` for the entry and for unreachable nodes.
    pub fn immediate_dominator(&self, node: Node) -> Option<Node> {
        self.places[node].immediate_dominator.expand()
    }

    /// Whether every path from the entry to `b` passes through `a`. So a reachable node dominates itself, an
    /// unreachable `b` is dominated by every `a`, and an unreachable `a` dominates no reachable `b`. O(1).
    pub fn dominates(&self, a: Node, b: Node) -> bool {
        let (above, below) = (self.places[a], self.places[b]);
        !self.is_reachable(b) || (above.start..above.end).contains(&below.start)
    }

    /// Whether a path leads from the entry to `node`.
    pub fn is_reachable(&self, node: Node) -> bool {
        self.places[node].end != 0
    }

    /// The nodes whose immediate dominator is `node`.
    pub fn children(&self, node: Node) -> impl Iterator<Item = Node> {
        let Place { start, end, .. } = self.places[node];
        let mut next = start + 1;
        std::iter::from_fn(move || {
            let child = *self.tree_preorder[..end as usize].get(next as usize)?;
            next = self.places[child].end;
            Some(child)
        })
    }

    /// The reachable nodes that `node` dominates, itself first, each before those it dominates; none when
    /// `node` is unreachable.
    pub fn dominated(&self, node: Node) -> &[Node] {
        let Place { start, end, .. } = self.places[node];
        &self.tree_preorder[start as usize..end as usize]
    }

    /// All reachable nodes, each before those it dominates.
    pub fn tree_preorder(&self) -> &[Node] {
        &self.tree_preorder
    }
}

/// For each preorder number but 0, the number of the immediate dominator.
fn immediate_dominators(graph: &Digraph, search: &DepthFirst) -> Vec<u32> {
    let reached = search.preorder.len();
    let mut links = Links {
        ancestor: vec![NONE; reached],
        best: (0..reached as u32).collect(),
        semidominator: (0..reached as u32).collect(),
        path: Vec::new(),
    };
    let mut immediate = vec![NONE; reached];
    // For each number, a list of the numbers whose semidominator it is.
    let mut bucket = vec![NONE; reached];
    let mut next_in_bucket = vec![NONE; reached];
    for number in (1..reached as u32).rev() {
        let node = search.preorder[number as usize];
        let mut semidominator = number;
        for &predecessor in graph.predecessors(node) {
            let source = search.raw_number(predecessor);
            if source != NONE {
                let best = links.evaluate(source);
                semidominator = semidominator.min(links.semidominator[best as usize]);
            }
        }
        links.semidominator[number as usize] = semidominator;
        next_in_bucket[number as usize] = bucket[semidominator as usize];
        bucket[semidominator as usize] = number;

        let parent = search.parent[node].expect("only the entry has no parent");
        let parent = search.raw_number(parent);
        links.ancestor[number as usize] = parent;
        let mut waiting = std::mem::replace(&mut bucket[parent as usize], NONE);
        while waiting != NONE {
            let best = links.evaluate(waiting);
            // Either the parent is the dominator, or the dominator is that of `best`, not known yet.
            let below_parent = links.semidominator[best as usize] < parent;
            immediate[waiting as usize] = if below_parent { best } else { parent };
            waiting = next_in_bucket[waiting as usize];
        }
    }
    for number in 1..reached {
        let candidate = immediate[number];
        if candidate != links.semidominator[number] {
            immediate[number] = immediate[candidate as usize];
        }
    }
    immediate
}

/// The forest of the numbers processed so far, with compressed paths.
struct Links {
    /// An ancestor in the depth-first tree, `NONE` for the root of a tree of the forest.
    ancestor: Vec<u32>,
    /// The number of least semidominator on the path from here up to `ancestor`, that one excluded.
    best: Vec<u32>,
    semidominator: Vec<u32>,
    path: Vec<u32>,
}

impl Links {
    /// The number of least semidominator on the path from `number` up to the root of its tree, the root
    /// excluded; `number` itself when it is a root.
    fn evaluate(&mut self, number: u32) -> u32 {
        let mut top = number;
        loop {
            let above = self.ancestor[top as usize];
            if above == NONE || self.ancestor[above as usize] == NONE {
                break;
            }
            self.path.push(top);
            top = above;
        }
        while let Some(number) = self.path.pop() {
            let above = self.ancestor[number as usize];
            let (mine, theirs) = (self.best[number as usize], self.best[above as usize]);
            if self.semidominator[theirs as usize] < self.semidominator[mine as usize] {
                self.best[number as usize] = theirs;
            }
            self.ancestor[number as usize] = self.ancestor[above as usize];
        }
        self.best[number as usize]
    }
}

/// The post-dominator tree of the nodes reachable from the entry.
///
/// Execution ends at a *virtual exit*, which follows every node without successors. **Infinite loops**: a
/// reachable strongly connected set that no edge leaves has no way to the exit; it is given one, from the header
/// of the cycle (the node of it that a depth-first search in the order of successors reaches first). So a
/// loop that never ends counts as one that may end each time it is about to start an iteration: branches inside
/// it still meet where their sides meet in the same iteration, and nothing after another way out post-dominates
/// the branch that leads into it. With this every reachable node has a path to the exit.
///
/// ```
/// use cranelift_entity::EntityRef;
/// use reconverge_graph::{Digraph, Node, PostDominators};
///
/// let node = Node::new;
/// let diamond = [(0, 1), (0, 2), (1, 3), (2, 3)].map(|(from, to)| (node(from), node(to)));
/// let post_dominators = PostDominators::compute(&Digraph::from_edges(4, node(0), &diamond));
/// assert_eq!(post_dominators.immediate_post_dominator(node(0)), Some(node(3)));
/// assert_eq!(post_dominators.immediate_post_dominator(node(3)), None); // The virtual exit.
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct PostDominators {
    /// The dominators of the reversed graph, whose entry is the virtual exit, one past the last node.
    reversed: Dominators,
    virtual_exit: Node,
}

impl PostDominators {
    /// Computes the tree; O(edges · log nodes).
    pub fn compute(graph: &Digraph) -> PostDominators {
        let node_count = graph.node_count();
        let virtual_exit = Node::new(node_count);
        let search = DepthFirst::compute(graph, SuccessorOrder::Forward);
        let exits = exits(graph, &search);

        let mut starts = Vec::with_capacity(node_count + 2);
        let mut targets = Vec::with_capacity(graph.edge_count() + exits.len());
        starts.push(0);
        for node in graph.nodes() {
            if search.is_reachable(node) {
                targets.extend(graph.predecessors(node).iter().filter(|&&source| search.is_reachable(source)));
            }
            starts.push(targets.len() as u32);
        }
        targets.extend(exits);
        starts.push(targets.len() as u32);
        let reversed = Dominators::compute(&Digraph::from_rows(virtual_exit, starts, targets));
        PostDominators { reversed, virtual_exit }
    }

    /// The closest of the other nodes that post-dominate `node`; `None` when that is the virtual exit, and for
    /// nodes that the entry does not reach.
    pub fn immediate_post_dominator(&self, node: Node) -> Option<Node> {
        self.reversed.immediate_dominator(node).filter(|&above| above != self.virtual_exit)
    }

    /// Whether every path from `b` to the end of execution passes through `a`. True for every `a` when the
    /// entry does not reach `b`, as [`Dominators::dominates`] is. O(1).
    pub fn post_dominates(&self, a: Node, b: Node) -> bool {
        self.reversed.dominates(a, b)
    }

    /// Whether a path leads from the entry to `node`.
    pub fn is_reachable(&self, node: Node) -> bool {
        self.reversed.is_reachable(node)
    }

    /// The nodes whose immediate post-dominator is `node`.
    pub fn children(&self, node: Node) -> impl Iterator<Item = Node> {
        self.reversed.children(node)
    }

    /// The nodes whose immediate post-dominator is the virtual exit.
    pub fn roots(&self) -> impl Iterator<Item = Node> {
        self.reversed.children(self.virtual_exit)
    }
}

/// The reachable nodes that the virtual exit follows.
fn exits(graph: &Digraph, search: &DepthFirst) -> Vec<Node> {
    let mut exits: Vec<Node> =
        search.preorder.iter().copied().filter(|&node| graph.successors(node).is_empty()).collect();
    let mut leaves: PrimaryMap<Node, bool> = PrimaryMap::from(vec![false; graph.node_count()]);
    let mut leaving = 0;
    let mut stack = exits.clone();
    for &exit in &exits {
        leaves[exit] = true;
    }
    while let Some(node) = stack.pop() {
        leaving += 1;
        for &source in graph.predecessors(node) {
            if search.is_reachable(source) && !leaves[source] {
                leaves[source] = true;
                stack.push(source);
            }
        }
    }
    if leaving < search.preorder.len() {
        let forest = CycleForest::from_depth_first(graph, search);
        for cycle in forest.top_level() {
            let is_left = forest
                .nodes(cycle)
                .iter()
                .any(|&node| graph.successors(node).iter().any(|&successor| !forest.contains(cycle, successor)));
            if !is_left {
                exits.push(forest.cycles[cycle].header);
            }
        }
    }
    exits
}
