//! The order of a function's blocks, and where a thread is in its cycles.
//!
//! **Levels.** For one cycle hierarchy, take the graph apart: at the outermost level each top-level cycle is one node, and what
//! is left has no closed path. Inside a cycle take its header out; its child cycles become one node each, and again no closed
//! path is left. So every block has a *path* of ranks, one for each level: of the cycle (or block) that it is in, in a topological
//! order of that level, the header of a cycle being first in it.
//!
//! **Counts.** The [`Counts`] of a thread say for each cycle that contains its block, outermost first, how often the thread
//! executed the header since it entered the cycle. They determine, together with the activation, which dynamic instances of the
//! block's instructions are converged under *maximal converged-with*: the chain of most recent headers is the list of
//! counts that are not zero.
//!
//! **Invariant.** Ranks and counts, compared level by level, rank then count, are a total order on the points of one activation, and a
//! thread only ever moves up in it. So it is a linear extension of *convergence-before*, and threads that are further
//! down than a point are the only ones that can still come to it.

use std::cmp::Ordering;

use cranelift_entity::{EntityRef, SecondaryMap};
use reconverge_graph::{Cycle, CycleForest, DepthFirst, Digraph, Node, SuccessorOrder};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// How often the headers of the cycles around a block were executed, outermost first.
pub type Counts = SmallVec<[u64; 4]>;

/// What an edge does to the counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Step {
    /// How many cycles contain both ends.
    keep: u32,
    /// How many the edge enters.
    enter: u32,
    /// Whether it leads to the header of the innermost of those around its target.
    counts: bool,
}

impl Step {
    /// Moves along the edge.
    pub fn apply(self, counts: &mut Counts) {
        counts.truncate(self.keep as usize);
        counts.extend((0..self.enter).map(|_| 0));
        if self.counts
            && let Some(last) = counts.last_mut()
        {
            *last += 1;
        }
    }
}

/// The order of the blocks of one function in one hierarchy.
#[derive(Debug, Clone)]
pub struct BlockOrder {
    /// The ranks of each block, outermost level first: one more than the cycles that contain it.
    ranks: SecondaryMap<Node, SmallVec<[u32; 4]>>,
    /// The cycles around each block, outermost first.
    cycles: SecondaryMap<Node, SmallVec<[Cycle; 4]>>,
    headers: SecondaryMap<Node, bool>,
}

impl BlockOrder {
    /// Takes the graph apart; O((blocks + edges) · depth).
    pub fn compute(graph: &Digraph, forest: &CycleForest) -> BlockOrder {
        let mut cycles: SecondaryMap<Node, SmallVec<[Cycle; 4]>> = SecondaryMap::new();
        let mut headers = SecondaryMap::new();
        let mut deepest = 0;
        for node in graph.nodes() {
            let mut around: SmallVec<[Cycle; 4]> = forest.containing(node).collect();
            around.reverse();
            deepest = deepest.max(around.len());
            headers[node] = forest.is_header(node);
            cycles[node] = around;
        }
        let mut ranks: SecondaryMap<Node, SmallVec<[u32; 4]>> = SecondaryMap::new();
        let order = topological(graph, &cycles, &headers);
        // A node's rank at a level is the place of the first node, in that order, of the cycle or block that it is in there.
        let mut first: FxHashMap<Cycle, u32> = FxHashMap::default();
        for (place, &node) in (0..).zip(&order) {
            let mut path: SmallVec<[u32; 4]> =
                cycles[node].iter().map(|&cycle| *first.entry(cycle).or_insert(place)).collect();
            path.push(place);
            ranks[node] = path;
        }
        BlockOrder { ranks, cycles, headers }
    }

    /// The cycle around a block that so many others are around, by a number of its own.
    pub fn cycle(&self, block: u32, level: usize) -> Option<u32> {
        self.cycles[Node::new(block as usize)].get(level).map(|cycle| cycle.index() as u32)
    }

    /// What an edge does to the counts; for the edge into the entry block see [`BlockOrder::enter`].
    pub fn step(&self, from: Node, to: Node) -> Step {
        let (here, there) = (&self.cycles[from], &self.cycles[to]);
        let keep = here.iter().zip(there).take_while(|(a, b)| a == b).count();
        Step { keep: keep as u32, enter: (there.len() - keep) as u32, counts: self.headers[to] }
    }

    /// The counts at the entry block.
    pub fn enter(&self, entry: Node) -> Counts {
        let mut counts = Counts::new();
        Step { keep: 0, enter: self.cycles[entry].len() as u32, counts: self.headers[entry] }.apply(&mut counts);
        counts
    }

    /// Which of two points of one activation is further down. Equal: the same block in the same iterations.
    pub fn compare(&self, a: (Node, &Counts), b: (Node, &Counts)) -> Ordering {
        let (ranks, others) = (&self.ranks[a.0], &self.ranks[b.0]);
        for (level, (rank, other)) in ranks.iter().zip(others).enumerate() {
            let count = |counts: &Counts| counts.get(level).copied();
            match rank.cmp(other).then_with(|| count(a.1).cmp(&count(b.1))) {
                Ordering::Equal => {}
                unequal => return unequal,
            }
        }
        Ordering::Equal
    }

    /// Whether a thread at block `from` can come to block `to` in exactly the iterations that `target` counts. `from` itself
    /// counts as a way to `from`. Where an inner cycle has to be entered that it may or may not enter behind its header, the
    /// answer is yes.
    pub fn can_reach(&self, graph: &Digraph, from: (Node, &Counts), to: (Node, &Counts)) -> bool {
        let (here, there) = (&self.cycles[from.0], &self.cycles[to.0]);
        let mut level = 0;
        while level < here.len() && level < there.len() && here[level] == there[level] {
            match from.1[level].cmp(&to.1[level]) {
                // Another round of this cycle leads everywhere in it.
                Ordering::Less => return true,
                Ordering::Greater => return false,
                Ordering::Equal => level += 1,
            }
        }
        // Both are in the same iteration of the innermost common cycle: look for a way that does not begin another.
        let cycle = level.checked_sub(1).map(|inner| here[inner]);
        let inside = |node: Node| cycle.is_none_or(|cycle| self.cycles[node].get(level - 1) == Some(&cycle));
        let starts_round = |node: Node| cycle.is_some() && self.headers[node] && self.cycles[node].len() == level;
        let mut seen: SecondaryMap<Node, bool> = SecondaryMap::new();
        let mut stack = vec![from.0];
        seen[from.0] = true;
        while let Some(node) = stack.pop() {
            if node == to.0 {
                return true;
            }
            for &successor in graph.successors(node) {
                if !seen[successor] && inside(successor) && !starts_round(successor) {
                    seen[successor] = true;
                    stack.push(successor);
                }
            }
        }
        false
    }
}

/// The reachable blocks such that each cycle is contiguous, its header first, and all edges but those to headers of cycles that
/// contain their source lead forward. Levels are taken from a worklist, so that deep nests do not recurse.
fn topological(
    graph: &Digraph,
    cycles: &SecondaryMap<Node, SmallVec<[Cycle; 4]>>,
    headers: &SecondaryMap<Node, bool>,
) -> Vec<Node> {
    let search = DepthFirst::compute(graph, SuccessorOrder::Forward);
    // The blocks of each level, by the cycle whose inside it is.
    let mut members: FxHashMap<Option<Cycle>, Vec<Node>> = FxHashMap::default();
    for &node in &search.preorder {
        members.entry(None).or_default().push(node);
        for &cycle in &cycles[node] {
            members.entry(Some(cycle)).or_default().push(node);
        }
    }
    let levels = Levels { graph, cycles, headers, members };
    let mut order = Vec::with_capacity(search.preorder.len());
    let mut pending = levels.sorted(None);
    while let Some(unit) = pending.pop() {
        match unit {
            Unit::Block(node) => order.push(node),
            Unit::Cycle(cycle) => pending.extend(levels.sorted(Some(cycle))),
        }
    }
    order
}

struct Levels<'a> {
    graph: &'a Digraph,
    cycles: &'a SecondaryMap<Node, SmallVec<[Cycle; 4]>>,
    headers: &'a SecondaryMap<Node, bool>,
    members: FxHashMap<Option<Cycle>, Vec<Node>>,
}

/// A node of one level: a block, or a child cycle as a whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Unit {
    Block(Node),
    Cycle(Cycle),
}

impl Levels<'_> {
    /// The units of a level, the last one first.
    fn sorted(&self, cycle: Option<Cycle>) -> Vec<Unit> {
        let nodes = self.members.get(&cycle).map_or(&[][..], Vec::as_slice);
        let Some(&any) = nodes.first() else { return Vec::new() };
        let level = cycle.map_or(0, |cycle| 1 + self.cycles[any].iter().take_while(|&&around| around != cycle).count());
        let unit = |node: Node| self.cycles[node].get(level).map_or(Unit::Block(node), |&inner| Unit::Cycle(inner));
        let in_level = |node: Node| cycle.is_none_or(|cycle| self.cycles[node].get(level - 1) == Some(&cycle));
        let is_header = |node: Node| cycle.is_some() && self.headers[node] && self.cycles[node].len() == level;

        let mut units: Vec<Unit> = Vec::new();
        let mut incoming: FxHashMap<Unit, u32> = FxHashMap::default();
        for &node in nodes {
            incoming.entry(unit(node)).or_insert_with(|| {
                units.push(unit(node));
                0
            });
        }
        let mut successors: FxHashMap<Unit, Vec<Unit>> = FxHashMap::default();
        for &node in nodes {
            for &to in self.graph.successors(node) {
                if in_level(to) && unit(node) != unit(to) && !is_header(to) {
                    successors.entry(unit(node)).or_default().push(unit(to));
                    *incoming.entry(unit(to)).or_default() += 1;
                }
            }
        }
        // Of the units that are ready the latest goes first, so that what a branch leads to stays together; the header before all.
        let mut ready: Vec<Unit> = units.iter().rev().copied().filter(|unit| incoming[unit] == 0).collect();
        ready.sort_by_key(|&unit| matches!(unit, Unit::Block(node) if is_header(node)));
        let mut sorted = Vec::with_capacity(units.len());
        while let Some(unit) = ready.pop() {
            sorted.push(unit);
            for target in successors.get(&unit).into_iter().flatten().rev() {
                if let Some(left) = incoming.get_mut(target) {
                    *left -= 1;
                    if *left == 0 {
                        ready.push(*target);
                    }
                }
            }
        }
        assert_eq!(sorted.len(), units.len(), "a level has no closed path");
        sorted.reverse();
        sorted
    }
}
