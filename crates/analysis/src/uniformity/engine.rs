//! The fixed point: what follows from the sources of divergence, for one cycle hierarchy.
//!
//! **Rules.** Starting from what differs by itself, until nothing changes:
//!
//! - a value with a divergent operand is divergent, unless its [`Rule`] says otherwise, and so is the branch on it;
//! - at a join of a divergent branch, a phi that threads can enter over edges with different operands is divergent;
//! - behind a divergent exit of a cycle, a use of a value that varies in the cycle is divergent (*temporal
//!   divergence*): the threads have it from different iterations.
//!
//! Joins and divergent exits are those of [`Acyclic`]. On reducible flow the rules are exact for what a
//! [`Problem`] says: every pair of threads that disagree is two paths of that graph.
//!
//! **Giving up.** An outermost irreducible cycle is one node. Where a branch in it is divergent, or where
//! diverged threads can enter it, its threads may be converged in one hierarchy and not in another, and everything in it
//! that varies is divergent. Callers that want an exact answer unfold such cycles first (see `unfold`).
//!
//! **Sparse.** A value, branch, join or exit is looked at when something that it depends on became divergent, once for
//! each of its operands; the graph is not cut open before a branch is divergent. Work is first in, first out, so that the
//! causes form shortest chains.

use cranelift_entity::EntityRef;
use reconverge_graph::{Cycle, CycleForest, DepthFirst, Node};
use rustc_hash::{FxHashMap, FxHashSet};

use super::acyclic::{Acyclic, Cycles, Exit, Role};
use super::joins::{Frontiers, Joins};
use super::{Branch, Cause, DivergentExit, Element, Options, Problem, Rule, Uniformity, ValueIndex};

/// Analyses a function whose irreducible cycles are given up. Also returns what is divergent in an order in
/// which causes come before what they cause.
pub(super) fn solve(
    problem: &Problem,
    search: &DepthFirst,
    forest: CycleForest,
    options: &Options,
) -> (Uniformity, Vec<Element>) {
    Engine::new(problem, search, forest, options).run()
}

struct Engine<'p> {
    problem: &'p Problem,
    options: &'p Options,
    users: Users,
    search: &'p DepthFirst,
    cycles: Cycles,
    /// Absent until a branch is divergent.
    flow: Option<Box<Flow>>,
    result: Uniformity,
    /// What is divergent, in the order in which it was found; the first `done` of them were looked at.
    found: Vec<Element>,
    done: usize,
}

/// What is needed once a branch is divergent.
struct Flow {
    acyclic: Acyclic,
    frontiers: Frontiers,
    joins: Joins,
    /// Divergent exits that are known.
    exits: FxHashSet<Node>,
    /// Whether a value varies in a cycle.
    varies: FxHashMap<(Cycle, ValueIndex), bool>,
    /// By value: the one that it always is, where that is another one.
    same: Vec<ValueIndex>,
    /// By node, the phis: a slice of `phis` each.
    phi_starts: Vec<u32>,
    phis: Vec<ValueIndex>,
    /// The uses of values of a cycle that are outside of it.
    live_out: FxHashMap<Cycle, LiveOut>,
    /// The cycles that are given up, by each of their nodes.
    collapsed: FxHashMap<Node, Cycle>,
}

/// Who uses values of a cycle outside of it.
#[derive(Default)]
struct LiveOut {
    /// By the exit node that dominates the use.
    behind: FxHashMap<Node, Vec<Use>>,
    /// By the node of the use, where several exits lead there.
    elsewhere: FxHashMap<Node, Vec<Use>>,
    /// The nodes that a divergent exit was found to lead to.
    seen: FxHashSet<Node>,
}

#[derive(Debug, Clone, Copy)]
struct Use {
    user: Element,
    value: ValueIndex,
}

/// By value, who uses it.
struct Users {
    starts: Vec<u32>,
    users: Vec<Element>,
}

impl Users {
    fn new(problem: &Problem) -> Users {
        let uses = || {
            let operands = problem.values.iter().zip(0..).flat_map(|(data, user)| {
                let follows = matches!(data.rule, Rule::Pure | Rule::Varying | Rule::Phi);
                let operands = if follows { problem.operands(user) } else { &[] };
                operands.iter().map(move |&value| (value, Element::Value(user)))
            });
            let branches = problem.branches.iter().enumerate().filter_map(|(node, branch)| match *branch {
                Branch::On(value) => Some((value, Element::Branch(Node::new(node)))),
                _ => None,
            });
            operands.chain(branches)
        };
        let mut starts = vec![0u32; problem.values.len() + 2];
        for (value, _) in uses() {
            starts[value as usize + 2] += 1;
        }
        for index in 2..starts.len() {
            starts[index] += starts[index - 1];
        }
        let mut users = vec![Element::Value(0); starts.last().map_or(0, |&end| end as usize)];
        for (value, user) in uses() {
            let place = &mut starts[value as usize + 1];
            users[*place as usize] = user;
            *place += 1;
        }
        Users { starts, users }
    }

    fn of(&self, value: ValueIndex) -> std::ops::Range<usize> {
        self.starts[value as usize] as usize..self.starts[value as usize + 1] as usize
    }
}

impl<'p> Engine<'p> {
    fn new(problem: &'p Problem, search: &'p DepthFirst, forest: CycleForest, options: &'p Options) -> Engine<'p> {
        let regions = if options.regions { &problem.regions[..] } else { &[] };
        Engine {
            problem,
            options,
            users: Users::new(problem),
            search,
            cycles: Cycles::new(&problem.graph, search, forest, regions),
            flow: None,
            result: Uniformity {
                values: vec![None; problem.values.len()],
                branches: vec![None; problem.graph.node_count()],
                ..Uniformity::default()
            },
            found: Vec::new(),
            done: 0,
        }
    }

    fn run(mut self) -> (Uniformity, Vec<Element>) {
        for (value, data) in self.problem.values.iter().enumerate() {
            if data.rule == Rule::Source && data.node.is_none_or(|node| self.search.is_reachable(node)) {
                self.diverge(Element::Value(value as ValueIndex), Cause::Source);
            }
        }
        for (node, branch) in self.problem.branches.iter().enumerate() {
            if *branch == Branch::Source {
                self.diverge(Element::Branch(Node::new(node)), Cause::Source);
            }
        }
        while let Some(&next) = self.found.get(self.done) {
            self.done += 1;
            match next {
                Element::Value(value) => {
                    for index in self.users.of(value) {
                        self.diverge(self.users.users[index], Cause::Operand(value));
                    }
                }
                Element::Branch(node) => self.divergent_branch(node),
            }
        }
        (self.result, self.found)
    }

    /// Notes that something is divergent, for the first reason that is given.
    fn diverge(&mut self, what: Element, cause: Cause) {
        let slot = match what {
            Element::Value(value) => {
                if self.problem.values[value as usize].node.is_some_and(|node| !self.search.is_reachable(node)) {
                    return;
                }
                &mut self.result.values[value as usize]
            }
            Element::Branch(node) => {
                if !self.search.is_reachable(node) {
                    return;
                }
                &mut self.result.branches[node.index()]
            }
        };
        if slot.is_none() {
            *slot = Some(cause);
            self.found.push(what);
        }
    }

    fn divergent_branch(&mut self, branch: Node) {
        let mut flow = self.flow.take().unwrap_or_else(|| Box::new(Flow::new(self.problem, self.search, &self.cycles)));
        let mut parting = Vec::new();
        match flow.collapsed.get(&branch) {
            Some(&cycle) => parting.extend(self.give_up(&mut flow, cycle, branch)),
            None => parting.push(branch),
        }
        let mut found = Vec::new();
        while let Some(from) = parting.pop() {
            let Flow { acyclic, frontiers, joins, .. } = &mut *flow;
            joins.of(acyclic, frontiers, from, |node, dominated| found.push((node, dominated)));
            for (node, dominated) in found.drain(..) {
                match flow.acyclic.role(node) {
                    Role::Block(join) => match flow.collapsed.get(&join) {
                        Some(&cycle) => parting.extend(self.give_up(&mut flow, cycle, branch)),
                        None => self.join(&flow, Parting { from, branch, dominated }, join, node),
                    },
                    Role::Again(cycle) => {
                        let header = self.cycles.forest.cycles[cycle].header;
                        if !flow.collapsed.contains_key(&header) {
                            self.join(&flow, Parting { from, branch, dominated }, header, node);
                        }
                    }
                    Role::Exit(exit) => self.divergent_exit(&mut flow, exit, node, branch),
                }
            }
        }
        self.flow = Some(flow);
    }

    /// Calls everything divergent that varies in a cycle, and returns the node that stands for it; nothing when that
    /// was done before.
    fn give_up(&mut self, flow: &mut Flow, cycle: Cycle, branch: Node) -> Option<Node> {
        let header = self.cycles.forest.cycles[cycle].header;
        if self.result.assumed_divergent.contains(&header) {
            return None;
        }
        self.result.assumed_divergent.push(header);
        for (data, value) in self.problem.values.iter().zip(0..) {
            if data.rule != Rule::Uniform
                && data.node.is_some_and(|node| self.cycles.forest.contains(cycle, node))
                && (!self.options.cycle_invariants || flow.varies(self.problem, &self.cycles, value, cycle))
            {
                self.diverge(Element::Value(value), Cause::AssumedDivergent { header, branch });
            }
        }
        Some(header)
    }

    /// Looks at the phis of `block` for threads that meet at `node`: the block itself, or the node of its back edges.
    fn join(&mut self, flow: &Flow, parting: Parting, block: Node, node: Node) {
        let Engine { problem, search, ref cycles, .. } = *self;
        let cycle = cycles.forest.innermost(block).filter(|&cycle| cycles.forest.cycles[cycle].header == block);
        let is_back = |source: Node| cycle.is_some_and(|cycle| cycles.forest.contains(cycle, source));
        let arriving = |phi: ValueIndex| {
            let operands = problem.operands(phi).iter().copied().zip(problem.sources(phi).iter().copied());
            operands
                .filter(|&(_, source)| is_back(source) == (node != block) && search.is_reachable(source))
                .map(|(operand, source)| (flow.same[operand as usize], source))
        };
        let mut divergent = Vec::new();
        for &phi in flow.phis(block).iter().filter(|&&phi| self.result.values[phi as usize].is_none()) {
            let mut differ = distinct(arriving(phi).map(|(operand, _)| operand));
            if differ && self.options.edge_joins && !parting.dominated {
                let reached = arriving(phi).filter(|&(_, source)| {
                    let arrival = flow.acyclic.arrival(flow.place(cycles, source), source, block);
                    flow.acyclic.leads_to(parting.from, arrival)
                });
                differ = distinct(reached.map(|(operand, _)| operand));
            }
            if differ {
                divergent.push(phi);
            }
        }
        for phi in divergent {
            self.diverge(Element::Value(phi), Cause::Join { branch: parting.branch });
        }
    }

    fn divergent_exit(&mut self, flow: &mut Flow, exit: Exit, node: Node, branch: Node) {
        if !flow.exits.insert(node) {
            return;
        }
        let exit_cycle = exit.cycle;
        let exit = DivergentExit { header: self.cycles.forest.cycles[exit.cycle].header, edge: exit.edge };
        self.result.divergent_exits.push(exit);
        for Use { user, value } in flow.uses_behind(&self.cycles, exit_cycle, node, self.options) {
            if !self.options.cycle_invariants || flow.varies(self.problem, &self.cycles, value, exit_cycle) {
                self.diverge(user, Cause::Temporal { value, exit, branch });
            }
        }
    }
}

/// Threads that part.
#[derive(Clone, Copy)]
struct Parting {
    /// The node where they part.
    from: Node,
    /// The divergent branch that is to be named.
    branch: Node,
    /// Whether `from` dominates the place where they meet.
    dominated: bool,
}

/// Whether there are two different ones.
fn distinct(mut operands: impl Iterator<Item = ValueIndex>) -> bool {
    let first = operands.next();
    operands.any(|operand| Some(operand) != first)
}

impl Flow {
    fn new(problem: &Problem, search: &DepthFirst, cycles: &Cycles) -> Flow {
        let forest = &cycles.forest;
        let mut collapsed = FxHashMap::default();
        for cycle in forest.cycles.keys() {
            if !forest.is_reducible(cycle) && !collapsed.contains_key(&forest.cycles[cycle].header) {
                collapsed.extend(forest.nodes(cycle).iter().map(|&node| (node, cycle)));
            }
        }
        let stands_for = |node| collapsed.get(&node).map(|&cycle| forest.cycles[cycle].header);
        let acyclic = Acyclic::new(&problem.graph, search, cycles, stands_for);
        let frontiers = Frontiers::new(&acyclic.graph, &acyclic.dominators);
        let phi_nodes = || {
            let phis = problem.values.iter().zip(0..).filter(|(data, _)| data.rule == Rule::Phi);
            phis.filter_map(|(data, value)| Some((data.node?, value)))
        };
        let mut phi_starts = vec![0; problem.graph.node_count() + 2];
        for (node, _) in phi_nodes() {
            phi_starts[node.index() + 2] += 1;
        }
        for index in 2..phi_starts.len() {
            phi_starts[index] += phi_starts[index - 1];
        }
        let mut phis = vec![0; phi_starts.last().map_or(0, |&end| end as usize)];
        for (node, value) in phi_nodes() {
            let place = &mut phi_starts[node.index() + 1];
            phis[*place as usize] = value;
            *place += 1;
        }
        let mut flow = Flow {
            same: Vec::new(),
            acyclic,
            frontiers,
            joins: Joins::default(),
            exits: FxHashSet::default(),
            varies: FxHashMap::default(),
            phi_starts,
            phis,
            live_out: FxHashMap::default(),
            collapsed,
        };
        flow.find_copies(problem, search);
        flow.find_live_out(problem, search, cycles);
        flow
    }

    /// Phis whose operands are all one value, or themselves, or such phis in turn. Optimistic: phis that only depend on
    /// each other and on one value are that value.
    fn find_copies(&mut self, problem: &Problem, search: &DepthFirst) {
        const UNKNOWN: ValueIndex = ValueIndex::MAX;
        let mut same: Vec<ValueIndex> = (0..problem.values.len() as ValueIndex).collect();
        for &phi in &self.phis {
            same[phi as usize] = UNKNOWN;
        }
        let mut changed = true;
        while changed {
            changed = false;
            for node in search.reverse_postorder() {
                for &phi in self.phis(node) {
                    let arriving = problem.operands(phi).iter().zip(problem.sources(phi));
                    let mut operands = arriving
                        .filter(|&(_, &source)| search.is_reachable(source))
                        .map(|(&operand, _)| same[operand as usize])
                        .filter(|&operand| operand != UNKNOWN && operand != phi);
                    let first = operands.next().unwrap_or(UNKNOWN);
                    let found = if operands.all(|operand| operand == first) { first } else { phi };
                    // What was found to be several values stays so.
                    if same[phi as usize] != found && same[phi as usize] != phi {
                        same[phi as usize] = found;
                        changed = true;
                    }
                }
            }
        }
        for (value, same) in (0..).zip(&mut same) {
            if *same == UNKNOWN {
                *same = value;
            }
        }
        self.same = same;
    }

    fn phis(&self, node: Node) -> &[ValueIndex] {
        &self.phis[self.phi_starts[node.index()] as usize..self.phi_starts[node.index() + 1] as usize]
    }

    /// The node that stands for a node of the control-flow graph.
    fn place(&self, cycles: &Cycles, node: Node) -> Node {
        self.collapsed.get(&node).map_or(node, |&cycle| cycles.forest.cycles[cycle].header)
    }

    fn find_live_out(&mut self, problem: &Problem, search: &DepthFirst, cycles: &Cycles) {
        if cycles.forest.cycles.is_empty() {
            return;
        }
        let place = |node: Node| self.collapsed.get(&node).map_or(node, |&cycle| cycles.forest.cycles[cycle].header);
        let mut note = |value: ValueIndex, user: Element, block: Node, from: Option<Node>| {
            let Some(definition) = problem.values[value as usize].node else { return };
            if !search.is_reachable(block) || from.is_some_and(|from| !search.is_reachable(from)) {
                return;
            }
            for cycle in cycles.left_by(definition, block) {
                let given_up = self.collapsed.get(&definition);
                if given_up.is_some_and(|&outer| outer != cycle && cycles.forest.contains_cycle(outer, cycle)) {
                    continue;
                }
                let place = match from {
                    Some(from) => self.acyclic.arrival(place(from), from, block),
                    None => place(block),
                };
                let live_out = self.live_out.entry(cycle).or_default();
                let uses = match self.acyclic.only_exit(cycles, cycle, place) {
                    Some(exit) => live_out.behind.entry(exit),
                    None => live_out.elsewhere.entry(place),
                };
                uses.or_default().push(Use { user, value });
            }
        };
        for (data, user) in problem.values.iter().zip(0..) {
            let Some(node) = data.node else { continue };
            match data.rule {
                Rule::Pure | Rule::Varying => {
                    problem.operands(user).iter().for_each(|&value| note(value, Element::Value(user), node, None));
                }
                Rule::Phi => {
                    for (&value, &source) in problem.operands(user).iter().zip(problem.sources(user)) {
                        note(value, Element::Value(user), node, Some(source));
                    }
                }
                Rule::Constant | Rule::Uniform | Rule::Source => {}
            }
        }
        for (node, branch) in problem.branches.iter().enumerate() {
            if let Branch::On(value) = *branch {
                note(value, Element::Branch(Node::new(node)), Node::new(node), None);
            }
        }
    }

    /// The uses, behind an exit node of a cycle, of values of the cycle; each is given once.
    fn uses_behind(&mut self, cycles: &Cycles, cycle: Cycle, exit: Node, options: &Options) -> Vec<Use> {
        let Some(live_out) = self.live_out.get_mut(&cycle) else { return Vec::new() };
        let mut uses = live_out.behind.remove(&exit).unwrap_or_default();
        if !options.divergent_exits_only {
            uses.extend(live_out.behind.drain().flat_map(|(_, uses)| uses));
            uses.extend(live_out.elsewhere.drain().flat_map(|(_, uses)| uses));
        }
        let mut stack = vec![exit];
        while let Some(node) = stack.pop() {
            if live_out.elsewhere.is_empty() {
                break;
            }
            if !live_out.seen.insert(node) {
                continue;
            }
            uses.extend(live_out.elsewhere.remove(&node).into_iter().flatten());
            let graph = &self.acyclic.graph;
            // In the next iteration of a cycle around this one, its values are computed again.
            let is_ahead = |&node: &Node| match self.acyclic.role(node) {
                Role::Again(outer) => !cycles.forest.contains_cycle(outer, cycle),
                _ => true,
            };
            stack.extend(graph.successors(node).iter().copied().filter(is_ahead));
        }
        uses
    }

    /// Whether a value, computed in a cycle, can be another one in another iteration. Only what is [`Rule::Pure`] in its
    /// operands, and they do not vary either, cannot.
    fn varies(&mut self, problem: &Problem, cycles: &Cycles, value: ValueIndex, cycle: Cycle) -> bool {
        let mut stack = vec![(value, 0usize)];
        while let Some((value, next)) = stack.pop() {
            if self.varies.contains_key(&(cycle, value)) {
                continue;
            }
            let same = self.same[value as usize];
            let data = &problem.values[value as usize];
            // What the answer depends on, if it is not known.
            let operands = match data.rule {
                _ if !data.node.is_some_and(|node| cycles.contains(cycle, node)) => &[],
                _ if same != value => std::slice::from_ref(&self.same[value as usize]),
                Rule::Pure => problem.operands(value),
                _ => {
                    self.varies.insert((cycle, value), true);
                    continue;
                }
            };
            let before = next.checked_sub(1).and_then(|index| operands.get(index));
            let known = match before.map(|&operand| self.varies[&(cycle, operand)]) {
                Some(true) => Some(true),
                _ if next == operands.len() => Some(false),
                _ => None,
            };
            match known {
                Some(varies) => {
                    self.varies.insert((cycle, value), varies);
                }
                None => {
                    stack.push((value, next + 1));
                    stack.push((operands[next], 0));
                }
            }
        }
        self.varies[&(cycle, value)]
    }
}
