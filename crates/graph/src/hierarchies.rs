//! Every cycle hierarchy.
//!
//! **Definition.** A *cycle hierarchy* of a graph is the [`CycleForest`] of some depth-first search, any unvisited
//! successor being taken at each step. Two hierarchies are the same when they consist of the same cycles with the
//! same headers. The specification calls a point *m-converged* by looking at all of them. When every cycle of one
//! hierarchy is reducible there is no other.
//!
//! Not every choice of a header for each cycle is a hierarchy. A child of `C` can only be entered first from inside
//! `C`, once its header was visited; and searches that are free to choose in each of two cycles are not free in
//! both:
//!
//! ```text
//! entry -> p, q     p -> a, c     q -> b, d     a <-> b     c <-> d
//! ```
//!
//! A search that visits `p` first finds the headers `a` and `c`, one that visits `q` first finds `b` and `d`; `a` with
//! `d` is not a hierarchy. So what is enumerated here are searches, up to choices that make no difference.
//!
//! **Algorithm.** When a search visits `v`, let `W` be the set of unvisited nodes that `v` reaches over unvisited
//! nodes. By the time it leaves `v` it has visited exactly `W`, whatever it chose, and the cycle with header `v` is
//! the set of nodes of `W` that reach `v` inside `W`. So the possible *outcomes* of the visit are a function of
//! `(v, W)`:
//!
//! - visit one of the unvisited successors `s`, with its own `W′ ⊆ W`, then go on with `W − W′`; the outcomes are the
//!   products of both parts, over all choices of `s`;
//! - outcomes are computed once for each `(v, W)`. Diamonds in a row do not multiply, since both sides lead to the same
//!   state;
//! - successors whose sets `W′` do not meet do not influence each other, so only the order among those connected to
//!   the first one is varied;
//! - when every cycle of `W` is reducible, seen from `v`, there is one outcome.
//!
//! Before that the graph is cut down to what matters: the nodes of the top-level cycles that contain an irreducible
//! one, and the nodes in front of them that have a choice which of them to go to.
//!
//! **Cost.** Linear when all cycles are reducible. Otherwise in the worst case exponential in the size of what is
//! left of the graph; a fixed amount of work bounds it, after which the enumeration is cut off, as it is by the cap.

use std::ops::Range;
use std::rc::Rc;

use cranelift_entity::{EntityRef, PrimaryMap};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::strongly_connected::closure;
use crate::{Cycle, CycleForest, DepthFirst, Digraph, Node, SuccessorOrder};

/// Enumerates the cycle hierarchies of `graph`, each once, at most `cap` of them. The first is the one that LLVM finds:
/// that of [`CycleForest::compute`] in [`SuccessorOrder::Reverse`]. [`Hierarchies::is_complete`] says whether these are all.
///
/// The search for the others happens in this call, see the head of this module's source for its cost; each forest is
/// then built when the iterator comes to it, in almost linear time.
///
/// ```
/// use cranelift_entity::EntityRef;
/// use reconverge_graph::{Digraph, Node, hierarchies};
///
/// let node = Node::new;
/// // A jump into the middle of a loop: n1 or n2 is the header.
/// let edges = [(0, 1), (0, 2), (1, 2), (2, 1)].map(|(from, to)| (node(from), node(to)));
/// let graph = Digraph::from_edges(3, node(0), &edges);
/// let all = hierarchies(&graph, 16);
/// assert!(all.is_complete());
/// let headers: Vec<_> = all.flat_map(|forest| forest.cycles.values().map(|c| c.header).collect::<Vec<_>>()).collect();
/// assert_eq!(headers, [node(2), node(1)]);
/// ```
pub fn hierarchies(graph: &Digraph, cap: usize) -> Hierarchies<'_> {
    let search = DepthFirst::compute(graph, SuccessorOrder::Reverse);
    let forest = CycleForest::from_depth_first(graph, &search);
    let mut hierarchies = Hierarchies {
        graph,
        seen: FxHashSet::default(),
        first: None,
        kernel: None,
        orders: Vec::new().into_iter(),
        samples: 0..0,
        left: cap,
        is_complete: cap > 0,
    };
    if cap > 0 && !forest.cycles.keys().all(|cycle| forest.is_reducible(cycle)) {
        let kernel = Kernel::compute(graph, &search, &forest);
        let (orders, is_complete) = kernel.orders(cap);
        if !is_complete && orders.len() < cap {
            // Cut off by the work: what random searches find is better than nothing.
            let affordable = 1 + MOST_WORK / (graph.node_count() + graph.edge_count());
            hierarchies.samples = 0..cap.saturating_mul(2).min(MOST_SAMPLES).min(affordable) as u64;
        }
        hierarchies.seen.insert(signature(graph, &forest));
        hierarchies.kernel = Some(kernel);
        hierarchies.orders = orders.into_iter();
        hierarchies.is_complete = is_complete;
    }
    hierarchies.first = Some(forest);
    hierarchies
}

/// The cycle hierarchies of a graph; see [`hierarchies`].
#[derive(Debug, Clone)]
pub struct Hierarchies<'a> {
    graph: &'a Digraph,
    /// The signatures of what was yielded.
    seen: FxHashSet<Vec<u32>>,
    first: Option<CycleForest>,
    /// Absent when the first hierarchy is the only one.
    kernel: Option<Kernel>,
    /// Orders in which to visit the nodes of the kernel: one for each hierarchy, the first one included.
    orders: std::vec::IntoIter<Vec<Node>>,
    /// Seeds of random searches to try after that.
    samples: Range<u64>,
    /// How many more may be yielded.
    left: usize,
    is_complete: bool,
}

impl Hierarchies<'_> {
    /// Whether there are no hierarchies but those that this iterator yields from its start to its end. When false, the
    /// cap, or the bound on the work of finding them, left some out, or may have.
    pub fn is_complete(&self) -> bool {
        self.is_complete
    }
}

impl Iterator for Hierarchies<'_> {
    type Item = CycleForest;

    fn next(&mut self) -> Option<CycleForest> {
        self.left = self.left.checked_sub(1)?;
        if let Some(first) = self.first.take() {
            return Some(first);
        }
        loop {
            let ranks = match (&self.kernel, self.orders.next()) {
                (Some(kernel), Some(order)) => kernel.ranks(&order),
                _ => {
                    let seed = self.samples.next()?;
                    self.graph.nodes().map(|node| mix(seed, node)).collect()
                }
            };
            let forest = forest_by_ranks(self.graph, &ranks);
            if self.seen.insert(signature(self.graph, &forest)) {
                return Some(forest);
            }
        }
    }
}

/// Nodes, after cutting down the graph, above which no exact enumeration is tried. It also bounds the depth of
/// recursion.
const MOST_KERNEL_NODES: usize = 400;
/// The amount of work, in steps over a node or an edge, after which enumeration goes on with one choice at each point.
const MOST_WORK: usize = 20_000_000;
/// The most random searches tried when enumeration was cut off by the work.
const MOST_SAMPLES: usize = 256;

const NONE: u32 = u32::MAX;

/// The cycles with respect to the search that takes the unvisited successor of least rank.
fn forest_by_ranks(graph: &Digraph, ranks: &PrimaryMap<Node, u32>) -> CycleForest {
    let mut starts = Vec::with_capacity(graph.node_count() + 1);
    let mut targets = Vec::with_capacity(graph.edge_count());
    starts.push(0);
    for node in graph.nodes() {
        let start = targets.len();
        targets.extend_from_slice(graph.successors(node));
        targets[start..].sort_by_key(|&successor| ranks[successor]);
        starts.push(targets.len() as u32);
    }
    CycleForest::compute(&Digraph::from_rows(graph.entry(), starts, targets), SuccessorOrder::Forward)
}

/// What makes two forests of one graph the same hierarchy: for each node, the header of the innermost cycle of which
/// it is not itself the header. (A node that is header of a cycle without other nodes is one in every hierarchy.)
fn signature(graph: &Digraph, forest: &CycleForest) -> Vec<u32> {
    graph.nodes().map(|node| outer_header(forest, node).map_or(NONE, Node::as_u32)).collect()
}

fn outer_header(forest: &CycleForest, node: Node) -> Option<Node> {
    let header = |cycle: Cycle| forest.cycles[cycle].header;
    forest.containing(node).map(header).find(|&header| header != node)
}

/// A hash of a seed and a node: the finalizer of SplitMix64.
fn mix(seed: u64, node: Node) -> u32 {
    let mut bits = (seed + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ node.index() as u64;
    bits = (bits ^ bits >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ bits >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    (bits >> 32) as u32
}

/// The part of a graph in which a search makes choices that matter.
#[derive(Debug, Clone)]
struct Kernel {
    /// The kept part as a graph, without parallel edges.
    local: Digraph,
    /// For each node of the whole graph, the kept node to which a search that comes to it must go on; none when it
    /// leads to no irreducible cycle.
    target: PrimaryMap<Node, Option<Node>>,
}

impl Kernel {
    fn compute(graph: &Digraph, search: &DepthFirst, forest: &CycleForest) -> Kernel {
        let node_count = graph.node_count();
        let mut is_chosen = PrimaryMap::from(vec![false; node_count]);
        for cycle in forest.cycles.keys().filter(|&cycle| !forest.is_reducible(cycle)) {
            let top = forest.ancestors(cycle).last().expect("a cycle is its own ancestor");
            if !is_chosen[forest.cycles[top].header] {
                forest.nodes(top).iter().for_each(|&node| is_chosen[node] = true);
            }
        }
        // What leads to a chosen node; found from one more node that all of them lead to.
        let chosen: Vec<Node> = graph.nodes().filter(|&node| is_chosen[node]).collect();
        let beyond = Node::new(node_count);
        let sources = |node: Node| if node == beyond { chosen.as_slice() } else { graph.predecessors(node) };
        let mut matters = closure(node_count + 1, beyond, sources, |node| search.is_reachable(node));
        matters[beyond] = false;

        // A node outside with one way to go on is passed over. `ahead` leads over such nodes.
        let mut ahead: PrimaryMap<Node, Node> = graph.nodes().collect();
        for &node in search.postorder.iter().filter(|&&node| matters[node] && !is_chosen[node]) {
            let mut ways = graph.successors(node).iter().filter(|&&successor| matters[successor]);
            let mut only = None;
            let has_one_way = ways.all(|&successor| {
                let end = end_of(&mut ahead, successor);
                end == node || *only.get_or_insert(end) == end
            });
            if let (true, Some(only)) = (has_one_way, only) {
                ahead[node] = only;
            }
        }

        let mut local_of = PrimaryMap::from(vec![None; node_count]);
        let mut kept: Vec<Node> = Vec::new();
        for node in graph.nodes().filter(|&node| matters[node] && ahead[node] == node) {
            local_of[node] = Some(Node::new(kept.len()));
            kept.push(node);
        }
        let target: PrimaryMap<Node, Option<Node>> =
            graph.nodes().map(|node| local_of[end_of(&mut ahead, node)]).collect();
        let mut starts = vec![0];
        let mut targets: Vec<Node> = Vec::new();
        for &node in &kept {
            let mut row: Vec<Node> = graph.successors(node).iter().filter_map(|&successor| target[successor]).collect();
            row.sort_unstable();
            row.dedup();
            targets.extend(row.into_iter().filter(|&successor| successor.index() != starts.len() - 1));
            starts.push(targets.len() as u32);
        }
        let entry = target[graph.entry()].expect("the entry leads everywhere");
        Kernel { local: Digraph::from_rows(entry, starts, targets), target }
    }

    /// For each hierarchy a preorder of a search that produces it, at most one more than `cap`; and whether there
    /// are no more than `cap`. Nothing at all when the kernel is too large.
    fn orders(&self, cap: usize) -> (Vec<Vec<Node>>, bool) {
        if self.local.node_count() > MOST_KERNEL_NODES {
            return (Vec::new(), false);
        }
        let mut enumeration = Enumeration {
            graph: &self.local,
            most: cap.saturating_add(1),
            work: 0,
            visits: FxHashMap::default(),
            rests: FxHashMap::default(),
        };
        let everything = enumeration.reach(self.local.entry(), &Set::full(self.local.node_count()));
        let outcomes = enumeration.visit(self.local.entry(), &everything);
        let is_complete = outcomes.len() <= cap && enumeration.work <= MOST_WORK;
        (outcomes.iter().map(|outcome| outcome.order.clone()).collect(), is_complete)
    }

    /// Ranks for the nodes of the whole graph, such that the search that takes the unvisited successor of least rank
    /// visits the kernel in `order`: the successor that a search takes next is always the one it visits earliest.
    fn ranks(&self, order: &[Node]) -> PrimaryMap<Node, u32> {
        let mut rank = vec![NONE; self.local.node_count()];
        for (position, &node) in order.iter().enumerate() {
            rank[node.index()] = position as u32;
        }
        self.target.values().map(|target| target.map_or(NONE, |node| rank[node.index()])).collect()
    }
}

/// Where `ahead` leads in the end; halves the path.
fn end_of(ahead: &mut PrimaryMap<Node, Node>, mut node: Node) -> Node {
    while ahead[node] != node {
        ahead[node] = ahead[ahead[node]];
        node = ahead[node];
    }
    node
}

/// A set of nodes of the kernel.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Set(Box<[u64]>);

impl Set {
    fn empty(node_count: usize) -> Set {
        Set(vec![0; node_count.div_ceil(64)].into())
    }

    fn full(node_count: usize) -> Set {
        let mut set = Set::empty(node_count);
        (0..node_count).map(Node::new).for_each(|node| set.insert(node));
        set
    }

    fn contains(&self, node: Node) -> bool {
        self.0[node.index() / 64] >> (node.index() % 64) & 1 == 1
    }

    fn insert(&mut self, node: Node) {
        self.0[node.index() / 64] |= 1 << (node.index() % 64);
    }

    fn remove(&mut self, node: Node) {
        self.0[node.index() / 64] &= !(1 << (node.index() % 64));
    }

    fn meets(&self, other: &Set) -> bool {
        self.0.iter().zip(&other.0).any(|(mine, theirs)| mine & theirs != 0)
    }

    fn unite(&mut self, other: &Set) {
        self.0.iter_mut().zip(&other.0).for_each(|(mine, theirs)| *mine |= theirs);
    }

    fn without(&self, other: &Set) -> Set {
        Set(self.0.iter().zip(&other.0).map(|(mine, theirs)| mine & !theirs).collect())
    }
}

/// One way in which a visit, or a part of one, can go.
#[derive(Clone)]
struct Outcome {
    /// The nodes visited, in preorder.
    order: Vec<Node>,
    /// For each node of the kernel, the header of the innermost cycle that contains it and has another header, as
    /// far as this visit decides it; else `NONE`. Different outcomes of one visit differ here.
    outer: Box<[u32]>,
}

type Outcomes = Rc<[Outcome]>;

struct Enumeration<'a> {
    graph: &'a Digraph,
    /// As many outcomes are enough. Every outcome of a visit is part of at least one hierarchy, and different ones
    /// of different hierarchies, so no set of outcomes needs to be larger.
    most: usize,
    work: usize,
    /// By `(v, W)`.
    visits: FxHashMap<(Node, Set), Outcomes>,
    /// By `v` and what is left of `W`.
    rests: FxHashMap<(Node, Set), Outcomes>,
}

impl Enumeration<'_> {
    /// The outcomes of visiting `node` when `white` is what it then visits, itself included.
    fn visit(&mut self, node: Node, white: &Set) -> Outcomes {
        let key = (node, white.clone());
        if let Some(known) = self.visits.get(&key) {
            return known.clone();
        }
        let outcomes: Outcomes = match self.only_outcome(node, white) {
            Some(only) => Rc::new([only]),
            None => {
                let mut inner = white.clone();
                inner.remove(node);
                let cycle = self.sources(node, white);
                let with_header = |inside: &Outcome| {
                    let mut outer = inside.outer.clone();
                    for &member in inside.order.iter().filter(|&&member| cycle.contains(member)) {
                        let outermost = &mut outer[member.index()];
                        if *outermost == NONE {
                            *outermost = node.as_u32();
                        }
                    }
                    let mut order = vec![node];
                    order.extend_from_slice(&inside.order);
                    Outcome { order, outer }
                };
                self.rest(node, &inner).iter().map(with_header).collect()
            }
        };
        self.visits.insert(key, outcomes.clone());
        outcomes
    }

    /// The outcomes of the rest of the visit of `node`, when `white` is what it still has to visit.
    fn rest(&mut self, node: Node, white: &Set) -> Outcomes {
        let key = (node, white.clone());
        if let Some(known) = self.rests.get(&key) {
            return known.clone();
        }
        let mut ways: Vec<(Node, Set)> = Vec::new();
        for &successor in self.graph.successors(node).iter().filter(|&&successor| white.contains(successor)) {
            if !ways.is_empty() && self.work > MOST_WORK {
                break;
            }
            ways.push((successor, self.reach(successor, white)));
        }
        let outcomes: Outcomes = match ways.len() {
            0 => Rc::new([Outcome { order: Vec::new(), outer: vec![NONE; self.graph.node_count()].into() }]),
            1 if ways[0].1 == *white => self.visit(ways[0].0, &ways[0].1),
            _ => {
                let mut found: Vec<Outcome> = Vec::new();
                let mut distinct: FxHashSet<Box<[u32]>> = FxHashSet::default();
                'enough: for (successor, reached) in connected_to_first(ways) {
                    if !found.is_empty() && self.work > MOST_WORK {
                        break;
                    }
                    let before = self.visit(successor, &reached);
                    let after = self.rest(node, &white.without(&reached));
                    for (first, second) in
                        before.iter().flat_map(|first| after.iter().map(move |second| (first, second)))
                    {
                        let outer: Box<[u32]> =
                            first.outer.iter().zip(&second.outer).map(|(&mine, &theirs)| mine.min(theirs)).collect();
                        self.work += outer.len();
                        if !found.is_empty() && self.work > MOST_WORK {
                            break 'enough;
                        }
                        if distinct.insert(outer.clone()) {
                            found.push(Outcome { order: [first.order.as_slice(), &second.order].concat(), outer });
                        }
                        if found.len() == self.most {
                            break 'enough;
                        }
                    }
                }
                found.into()
            }
        };
        self.rests.insert(key, outcomes.clone());
        outcomes
    }

    /// What `start` reaches inside `white`, itself included.
    fn reach(&mut self, start: Node, white: &Set) -> Set {
        let graph = self.graph;
        self.closure(start, |node| graph.successors(node), white)
    }

    /// What reaches `end` inside `white`, itself included.
    fn sources(&mut self, end: Node, white: &Set) -> Set {
        let graph = self.graph;
        self.closure(end, |node| graph.predecessors(node), white)
    }

    fn closure<'g>(&mut self, start: Node, steps: impl Fn(Node) -> &'g [Node], white: &Set) -> Set {
        let mut reached = Set::empty(self.graph.node_count());
        reached.insert(start);
        let mut stack = vec![start];
        while let Some(node) = stack.pop() {
            self.work += 1 + steps(node).len();
            for &next in steps(node) {
                if white.contains(next) && !reached.contains(next) {
                    reached.insert(next);
                    stack.push(next);
                }
            }
        }
        reached
    }

    /// The outcome of visiting `node` when all cycles inside `white` are reducible seen from it.
    fn only_outcome(&mut self, node: Node, white: &Set) -> Option<Outcome> {
        let node_count = self.graph.node_count();
        let mut starts = Vec::with_capacity(node_count + 1);
        let mut targets = Vec::new();
        starts.push(0);
        for source in self.graph.nodes() {
            if white.contains(source) {
                targets.extend(self.graph.successors(source).iter().filter(|&&successor| white.contains(successor)));
            }
            starts.push(targets.len() as u32);
        }
        self.work += node_count + targets.len();
        let inside = Digraph::from_rows(node, starts, targets);
        let search = DepthFirst::compute(&inside, SuccessorOrder::Forward);
        let forest = CycleForest::from_depth_first(&inside, &search);
        if !forest.cycles.keys().all(|cycle| forest.is_reducible(cycle)) {
            return None;
        }
        Some(Outcome { outer: signature(&inside, &forest).into(), order: search.preorder })
    }
}

/// Those of `ways` that are connected to the first one by sets that meet. The others can as well wait.
fn connected_to_first(mut ways: Vec<(Node, Set)>) -> Vec<(Node, Set)> {
    let mut connected = vec![ways.remove(0)];
    let mut united = connected[0].1.clone();
    while let Some(position) = ways.iter().position(|(_, set)| set.meets(&united)) {
        let way = ways.remove(position);
        united.unite(&way.1);
        connected.push(way);
    }
    connected
}
