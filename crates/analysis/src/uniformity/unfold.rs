//! Irreducible flow made reducible, for one cycle hierarchy.
//!
//! In the maximal converged-with relation of a hierarchy, what a thread executes in a cycle `C` before it comes to the
//! header for the first time is never converged with what a thread executes in `C` afterwards. So `C` behaves like two
//! pieces of code: `C` without its header, which is entered at the other entries and left or abandoned for the header;
//! and `C`, entered at the header only. This makes both, for every cycle that is entered beside its header, and gives
//! each its own copies of the values. What comes out is reducible, its cycles have the headers of the hierarchy, and
//! dynamic instances are converged in it iff they were in the hierarchy.
//!
//! A copy of a node is the node and, for each cycle that contains it, whether the thread has executed the header since
//! it entered the cycle. Where uses are reached by several copies of a value, phis merge them, placed on those nodes of
//! iterated dominance frontiers from which a use is reached. Copies that compute the same from the same operands are one
//! value: the copies of a value that does not depend on the cycle do not differ.

use cranelift_entity::EntityRef;
use reconverge_graph::{CycleForest, DepthFirst, Digraph, Dominators, Node, SuccessorOrder};
use rustc_hash::FxHashMap;

use super::joins::Frontiers;
use super::{
    Branch, Cause, DivergentExit, Element, Options, Problem, Region, Rule, Uniformity, ValueData, ValueIndex, engine,
};

/// How many copies of the nodes are made at most, as a multiple of their number, and beyond that.
const MOST_COPIES: usize = 16;

/// A problem whose irreducible cycles are unfolded.
#[derive(Debug)]
struct Unfolded<'f> {
    problem: Problem,
    forest: &'f CycleForest,
    /// By node: which it is a copy of.
    nodes: Vec<Node>,
    /// By value: which it is a copy of, or merges copies of.
    origins: Vec<ValueIndex>,
    /// The first value that merges copies.
    first_merge: usize,
}

/// Analyses `problem` with the cycles of one hierarchy and adds what is divergent; false when the copies get too many.
pub(super) fn solve(problem: &Problem, forest: &CycleForest, options: &Options, into: &mut Uniformity) -> bool {
    let Some(unfolded) = Unfolded::new(problem, forest) else { return false };
    let search = DepthFirst::compute(&unfolded.problem.graph, SuccessorOrder::Forward);
    let cycles = CycleForest::from_depth_first(&unfolded.problem.graph, &search);
    let (answer, order) = engine::solve(&unfolded.problem, &search, cycles, options);
    unfolded.translate(problem, &answer, &order, into);
    true
}

impl<'f> Unfolded<'f> {
    fn new(problem: &Problem, forest: &'f CycleForest) -> Option<Unfolded<'f>> {
        let (graph, nodes) = unfold_graph(&problem.graph, forest)?;
        let mut copies: Vec<Vec<Node>> = vec![Vec::new(); problem.graph.node_count()];
        for (index, node) in nodes.iter().enumerate() {
            copies[node.index()].push(Node::new(index));
        }
        let dominators = Dominators::compute(&graph);
        let mut names = Names {
            problem,
            dominators: &dominators,
            frontiers: Frontiers::new(&graph, &dominators),
            copies: &copies,
            first: Vec::with_capacity(problem.values.len()),
            meetings: FxHashMap::default(),
            merges: Vec::new(),
        };
        let mut origins = Vec::new();
        for (data, value) in problem.values.iter().zip(0..) {
            names.first.push(origins.len() as ValueIndex);
            let count = data.node.map_or(1, |node| copies[node.index()].len());
            origins.extend(std::iter::repeat_n(value, count));
        }
        let first_merge = origins.len();
        let mut unfolded = Unfolded {
            problem: Problem {
                values: Vec::new(),
                operands: Vec::new(),
                sources: Vec::new(),
                branches: Vec::new(),
                regions: problem.regions.iter().flat_map(|region| copies_of(region, &copies)).collect(),
                graph: graph.clone(),
            },
            forest,
            nodes,
            origins,
            first_merge,
        };
        for (data, value) in problem.values.iter().zip(0..) {
            let Some(node) = data.node else {
                unfolded.push(None, data.rule, std::iter::empty());
                continue;
            };
            for &copy in &copies[node.index()] {
                let mut operands = Vec::new();
                for (&operand, &source) in problem.operands(value).iter().zip(problem.sources(value)) {
                    if data.rule == Rule::Phi {
                        for &from in graph.predecessors(copy) {
                            if unfolded.nodes[from.index()] == source {
                                let reaching = names.reaching(operand, from, &mut unfolded.origins);
                                operands.extend(reaching.map(|value| (value, from)));
                            }
                        }
                    } else {
                        let reaching = names.reaching(operand, copy, &mut unfolded.origins);
                        operands.extend(reaching.map(|value| (value, copy)));
                    }
                }
                unfolded.push(Some(copy), data.rule, operands.into_iter());
            }
        }
        for copy in graph.nodes() {
            let branch = match problem.branches[unfolded.nodes[copy.index()].index()] {
                Branch::On(value) => {
                    names.reaching(value, copy, &mut unfolded.origins).map_or(Branch::Uniform, Branch::On)
                }
                other => other,
            };
            unfolded.problem.branches.push(branch);
        }
        // What reaches a phi may be phis that nothing has used before.
        let mut done = 0;
        while let Some(&(value, node)) = names.merges.get(done) {
            let mut operands = Vec::new();
            for &from in graph.predecessors(node) {
                let reaching = names.reaching(value, from, &mut unfolded.origins);
                operands.extend(reaching.map(|value| (value, from)));
            }
            unfolded.push(Some(node), Rule::Phi, operands.into_iter());
            done += 1;
        }
        unfolded.share();
        Some(unfolded)
    }

    fn push(&mut self, node: Option<Node>, rule: Rule, operands: impl Iterator<Item = (ValueIndex, Node)>) {
        let problem = &mut self.problem;
        let start = problem.operands.len() as u32;
        for (operand, source) in operands {
            problem.operands.push(operand);
            problem.sources.push(source);
        }
        problem.values.push(ValueData { node, rule, operands: start..problem.operands.len() as u32 });
    }

    /// Lets users of copies that compute the same use the same one.
    fn share(&mut self) {
        let count = self.problem.values.len();
        let mut same: Vec<ValueIndex> = (0..count as ValueIndex).collect();
        loop {
            let mut changed = false;
            let mut known: FxHashMap<(ValueIndex, Vec<ValueIndex>), ValueIndex> = FxHashMap::default();
            for value in 0..count {
                let data = &self.problem.values[value];
                let operands: Vec<ValueIndex> =
                    self.problem.operands(value as ValueIndex).iter().map(|&operand| same[operand as usize]).collect();
                let representative = if value >= self.first_merge {
                    match operands.split_first() {
                        Some((first, rest)) if rest.iter().all(|operand| operand == first) => *first,
                        _ => continue,
                    }
                } else if data.rule == Rule::Pure {
                    *known.entry((self.origins[value], operands)).or_insert(value as ValueIndex)
                } else {
                    continue;
                };
                changed |= std::mem::replace(&mut same[value], representative) != representative;
            }
            if !changed {
                break;
            }
        }
        for operand in &mut self.problem.operands {
            *operand = same[*operand as usize];
        }
        for branch in &mut self.problem.branches {
            if let Branch::On(value) = branch {
                *value = same[*value as usize];
            }
        }
    }

    /// Adds to `into`, in terms of the problem that was unfolded, what is divergent.
    fn translate(&self, problem: &Problem, answer: &Uniformity, order: &[Element], into: &mut Uniformity) {
        let node = |node: Node| self.nodes[node.index()];
        let exit = |exit: DivergentExit| DivergentExit {
            header: node(exit.header),
            edge: (node(exit.edge.0), node(exit.edge.1)),
        };
        let cause = |mut cause: Cause| loop {
            return match cause {
                Cause::Source => Cause::Source,
                Cause::Operand(value) if (value as usize) < self.first_merge => {
                    Cause::Operand(self.origins[value as usize])
                }
                Cause::Operand(merge) => {
                    let origin = self.origins[merge as usize];
                    match answer.values[merge as usize] {
                        Some(Cause::Join { branch }) => {
                            let place = self.problem.values[merge as usize].node.expect("a phi is in a node");
                            let defined = problem.values[origin as usize].node.expect("what has copies is in a node");
                            let left = self
                                .forest
                                .containing(defined)
                                .find(|&cycle| !self.forest.contains(cycle, node(place)));
                            let cycle = left.or_else(|| self.forest.innermost(defined));
                            let header = cycle.map_or(defined, |cycle| self.forest.cycles[cycle].header);
                            let from = self.problem.sources(merge).first().copied().unwrap_or(place);
                            let exit = DivergentExit { header, edge: (node(from), node(place)) };
                            Cause::Temporal { value: origin, exit, branch: node(branch) }
                        }
                        Some(other) => {
                            cause = other;
                            continue;
                        }
                        None => Cause::Operand(origin),
                    }
                }
                Cause::Join { branch } => Cause::Join { branch: node(branch) },
                Cause::Temporal { value, exit: over, branch } => {
                    Cause::Temporal { value: self.origins[value as usize], exit: exit(over), branch: node(branch) }
                }
                Cause::AssumedDivergent { header, branch } => {
                    Cause::AssumedDivergent { header: node(header), branch: node(branch) }
                }
            };
        };
        // In this order, what a cause names has a cause before.
        for element in order {
            let (slot, found) = match *element {
                Element::Value(value) if value as usize >= self.first_merge => continue,
                Element::Value(value) => {
                    (&mut into.values[self.origins[value as usize] as usize], answer.values[value as usize])
                }
                Element::Branch(copy) => (&mut into.branches[node(copy).index()], answer.branches[copy.index()]),
            };
            if slot.is_none() {
                *slot = found.map(cause);
            }
        }
        for (&found, &branch) in answer.divergent_exits.iter().zip(&answer.exit_branches) {
            let found = exit(found);
            if !into.divergent_exits.contains(&found) {
                into.divergent_exits.push(found);
                into.exit_branches.push(node(branch));
            }
        }
    }
}

/// A region among the copies. Its definition is in no cycle that is unfolded, so it has one copy at most; that is before all copies of its nodes, and from each of them a
/// copy of a use is reached, as every path has its copy.
fn copies_of(region: &Region, copies: &[Vec<Node>]) -> Option<Region> {
    let definition = *copies[region.definition.index()].first()?;
    let nodes = region.nodes.iter().flat_map(|node| &copies[node.index()]).copied().collect();
    Some(Region { definition, nodes })
}

/// The copies of the nodes, numbered as they are found, and of which node each is one.
fn unfold_graph(graph: &Digraph, forest: &CycleForest) -> Option<(Digraph, Vec<Node>)> {
    let most = MOST_COPIES * (graph.node_count() + 64);
    let mut numbers: FxHashMap<(Node, u64), Node> = FxHashMap::default();
    let mut copies: Vec<(Node, u64)> = Vec::new();
    let mut edges = Vec::new();
    // For each cycle that contains a node, outermost first, one bit: whether the header was executed.
    let mut copy = |from: Option<(Node, u64)>, to: Node, copies: &mut Vec<(Node, u64)>| -> Option<Node> {
        let depth = forest.depth(to);
        if depth > u64::BITS {
            return None;
        }
        let mut executed = 0;
        for cycle in forest.containing(to) {
            let bit = 1 << (forest.cycles[cycle].depth - 1);
            let stays = from.filter(|&(node, _)| forest.contains(cycle, node));
            if forest.cycles[cycle].header == to || stays.is_some_and(|(_, before)| before & bit != 0) {
                executed |= bit;
            }
        }
        let next = Node::new(copies.len());
        Some(*numbers.entry((to, executed)).or_insert_with(|| {
            copies.push((to, executed));
            next
        }))
    };
    copy(None, graph.entry(), &mut copies)?;
    let mut index = 0;
    while let Some(&from) = copies.get(index) {
        for &to in graph.successors(from.0) {
            let to = copy(Some(from), to, &mut copies)?;
            edges.push((Node::new(index), to));
        }
        if copies.len() > most {
            return None;
        }
        index += 1;
    }
    let unfolded = Digraph::from_edges(copies.len(), Node::new(0), &edges);
    Some((unfolded, copies.into_iter().map(|(node, _)| node).collect()))
}

/// Which copy of a value reaches a node.
struct Names<'a> {
    problem: &'a Problem,
    dominators: &'a Dominators,
    frontiers: Frontiers,
    /// By node of the problem, its copies.
    copies: &'a [Vec<Node>],
    /// By value of the problem, the first of its copies, which are in the order of those of its node.
    first: Vec<ValueIndex>,
    /// For values of which several copies reach somewhere, where they meet, and the phi there if something uses it.
    meetings: FxHashMap<ValueIndex, FxHashMap<Node, Option<ValueIndex>>>,
    /// The phis that are used, as they are found: which value they merge, and where.
    merges: Vec<(ValueIndex, Node)>,
}

impl Names<'_> {
    /// The copy of `value`, or the phi that merges its copies, that reaches the end of `at`; nothing where none does.
    fn reaching(&mut self, value: ValueIndex, at: Node, origins: &mut Vec<ValueIndex>) -> Option<ValueIndex> {
        let first = self.first[value as usize];
        let Some(defined) = self.problem.values[value as usize].node else { return Some(first) };
        let copies = &self.copies[defined.index()];
        if copies.len() <= 1 {
            return copies.first().map(|_| first);
        }
        let copy_in = |node| copies.binary_search(&node).ok().map(|position| first + position as ValueIndex);
        if let Some(copy) = copy_in(at) {
            return Some(copy);
        }
        let meetings = self.meetings.entry(value).or_insert_with(|| {
            let mut meetings = FxHashMap::default();
            let mut work = copies.clone();
            while let Some(node) = work.pop() {
                let frontier = self.frontiers.of(node).iter();
                work.extend(frontier.filter(|&&meeting| meetings.insert(meeting, None).is_none()));
            }
            meetings
        });
        let mut at = Some(at);
        while let Some(node) = at {
            if let Some(copy) = copy_in(node) {
                return Some(copy);
            }
            if let Some(merge) = meetings.get_mut(&node) {
                return Some(*merge.get_or_insert_with(|| {
                    self.merges.push((value, node));
                    origins.push(value);
                    (origins.len() - 1) as ValueIndex
                }));
            }
            at = self.dominators.immediate_dominator(node);
        }
        None
    }
}
