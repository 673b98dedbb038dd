//! The fixed point: what follows from the sources of divergence, for one cycle hierarchy.
//!
//! **Rules.** Starting from what differs by itself, until nothing changes:
//!
//! - a value with a divergent operand is divergent, unless its [`Rule`] says otherwise, and so is the branch on it;
//! - at a join of a divergent branch, a phi that threads can enter over edges with different operands is divergent;
//! - behind a divergent exit of a cycle, a use of a value that varies in the cycle is divergent (*temporal
//!   divergence*): the threads have it from different iterations.
//!
//! Joins and divergent exits are those of [`Levels`]. On reducible flow the rules are exact for what a [`Problem`] says:
//! threads that diverge at a divergent branch can walk any two paths of a level that share only the branch.
//!
//! **Giving up.** An outermost irreducible cycle is one node. Where a branch in it is divergent, or where
//! diverged threads can enter it, its threads may be converged in one hierarchy and not in another, and everything in it
//! that varies is divergent. Callers that want an exact answer unfold such cycles first (see `unfold`).
//!
//! **Sparse.** A value, branch, join or exit is looked at when something that it depends on became divergent, once for
//! each of its operands; the graph is not taken apart before a branch is divergent. Work is first in, first out, so that the
//! causes form short chains. What a cycle does outside is looked at when nothing else is left to do, deepest cycles first, so
//! that all its divergent exits are taken together.

use std::collections::BTreeSet;

use cranelift_entity::EntityRef;
use reconverge_graph::{Cycle, CycleForest, DepthFirst, Node};
use rustc_hash::FxHashMap;

use super::cycles::Cycles;
use super::joins::{Join, Joins, Label, Labelled};
use super::levels::{Levels, Role};
use super::live_out::{LiveOut, Use};
use super::values::{Values, distinct};
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

/// How many phis in a row are seen through.
const DEPTH: u32 = 4;

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
    levels: Levels,
    joins: Joins,
    /// By exit: the divergent branch that makes it divergent.
    divergent_exits: Vec<Option<Node>>,
    /// By place in the dominator tree's preorder: at or before the next `out` of an exit that is not divergent.
    next_out: Vec<u32>,
    /// The cycles that have new divergent exits, the deepest last.
    changed: BTreeSet<(u32, Cycle)>,
    values: Values,
    live_out: LiveOut,
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
        Engine {
            problem,
            options,
            users: Users::new(problem),
            search,
            cycles: Cycles::new(&problem.graph, search, forest, &problem.regions),
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
        loop {
            let Some(&next) = self.found.get(self.done) else {
                if self.changed_cycle() {
                    continue;
                }
                break;
            };
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
        match flow.levels.given_up.get(&branch) {
            Some(&cycle) => self.give_up(&mut flow, cycle, branch),
            None => {
                let mut joins = std::mem::take(&mut flow.joins);
                joins.of_branch(&flow.levels, branch);
                let level = self.cycles.innermost(branch);
                self.part(&mut flow, &mut joins, level, &mut vec![branch], branch);
                flow.joins = joins;
            }
        }
        self.flow = Some(flow);
    }

    /// What follows outside of a cycle from its divergent exits; false when no cycle has new ones.
    fn changed_cycle(&mut self) -> bool {
        let Some(mut flow) = self.flow.take() else { return false };
        let next = flow.changed.pop_last();
        if let Some((_, cycle)) = next {
            let levels = &flow.levels;
            let whole = levels.whole(cycle);
            let parted = levels.exits_of(cycle).iter().map(|&exit| {
                let node = levels.exit(exit as usize);
                let is_divergent = flow.divergent_exits[exit as usize].is_some();
                Labelled { node, label: Label::of(if is_divergent { node } else { whole }) }
            });
            let mut joins = std::mem::take(&mut flow.joins);
            joins.of_parted(levels, parted);
            let branch = levels.exits_of(cycle).iter().find_map(|&exit| flow.divergent_exits[exit as usize]);
            let header = self.cycles.forest.cycles[cycle].header;
            let level = self.cycles.around(cycle);
            self.part(&mut flow, &mut joins, level, &mut vec![whole], branch.unwrap_or(header));
            flow.joins = joins;
        }
        self.flow = Some(flow);
        next.is_some()
    }

    /// What follows from threads that parted in a level: at the node `from`, or that are at the nodes `from`; `joins` has
    /// where they meet. Which branch parted them is `branch`, where nothing better is known.
    fn part(
        &mut self,
        flow: &mut Flow,
        joins: &mut Joins,
        mut level: Option<Cycle>,
        from: &mut Vec<Node>,
        branch: Node,
    ) {
        // The branch that parts those with a label from the others, where it is not the same for all.
        let mut branches: FxHashMap<Label, Node> = FxHashMap::default();
        loop {
            if let &[whole] = &from[..]
                && let Role::Whole(cycle) = flow.levels.role(whole)
            {
                for &exit in flow.levels.exits_of(cycle) {
                    let branch = flow.divergent_exits[exit as usize];
                    branches.extend(branch.map(|branch| (Label::of(flow.levels.exit(exit as usize)), branch)));
                }
            }
            for Join { node, labels } in joins.joins.drain(..) {
                let branch = labels.iter().find_map(|label| branches.get(label).copied()).unwrap_or(branch);
                branches.insert(Label::of(node), branch);
                self.meet(flow, Parting { from, branch }, node);
            }
            let Some(cycle) = level else { return };
            let again = flow.levels.again(cycle);
            let dominates = |from: Node, to: Node| flow.levels.dominators.dominates(from, to);
            if !self.cycles.has_regions() || flow.levels.lead_to(from, again) {
                let goes_on =
                    joins.passed.iter().find(|passed| dominates(passed.node, again)).map(|passed| passed.label);
                let goes_on = goes_on.or(joins.rest);
                for passed in joins.passed.iter().filter(|passed| Some(passed.label) != goes_on) {
                    let label = [Some(passed.label), goes_on].into_iter().flatten();
                    let known = label.filter_map(|label| branches.get(&label).copied()).next();
                    self.divergent_exits(flow, passed.node, known.unwrap_or(branch));
                }
                // Inside of a cycle, what none of them dominates leads to `again`; not so in the rest of a region.
                if self.cycles.has_regions() && joins.rest.is_some() && joins.rest != goes_on {
                    for index in 0..flow.levels.exits_of(cycle).len() {
                        let exit = flow.levels.exits_of(cycle)[index] as usize;
                        let out = flow.levels.out(exit);
                        let dominates = |from: Node| flow.levels.dominators.dominates(from, out);
                        let is_passed = joins.passed.iter().any(|passed| dominates(passed.node));
                        if !is_passed && flow.levels.lead_to(from, out) {
                            self.divergent_exit(flow, exit, branch);
                        }
                    }
                }
                return;
            }
            // Behind the end of the cycle, in a convergence region: whoever leaves, leaves in the same iteration.
            let levels = &flow.levels;
            let leaving = levels.exits_of(cycle).iter().filter_map(|&exit| {
                let out = levels.out(exit as usize);
                let passed = joins.passed.iter().find(|passed| dominates(passed.node, out)).map(|passed| passed.label);
                let label = passed.or(joins.rest.filter(|_| levels.lead_to(from, out)))?;
                Some(Labelled { node: levels.exit(exit as usize), label })
            });
            let leaving: Vec<Labelled> = leaving.collect();
            if leaving.iter().all(|parted| parted.label == leaving[0].label) {
                return;
            }
            *from = leaving.iter().map(|parted| parted.node).collect();
            joins.of_parted(levels, leaving.into_iter());
            level = self.cycles.around(cycle);
        }
    }

    /// Threads that parted meet at a node of a level.
    fn meet(&mut self, flow: &mut Flow, parting: Parting<'_>, node: Node) {
        let header = |cycle: Cycle| self.cycles.forest.cycles[cycle].header;
        match flow.levels.role(node) {
            Role::Block(block) => match flow.levels.given_up.get(&block) {
                Some(&cycle) => self.give_up(flow, cycle, parting.branch),
                None => self.join(flow, parting, block, node, false),
            },
            Role::Whole(cycle) => match flow.levels.given_up.get(&header(cycle)) {
                Some(&cycle) => self.give_up(flow, cycle, parting.branch),
                None => self.join(flow, parting, header(cycle), node, false),
            },
            Role::Again(cycle) => self.join(flow, parting, header(cycle), node, true),
            Role::Out(_) | Role::Exit(_) | Role::Above => {}
        }
    }

    /// Calls everything divergent that varies in a cycle, and all its exits.
    fn give_up(&mut self, flow: &mut Flow, cycle: Cycle, branch: Node) {
        let header = self.cycles.forest.cycles[cycle].header;
        if self.result.assumed_divergent.contains(&header) {
            return;
        }
        self.result.assumed_divergent.push(header);
        for index in 0..flow.levels.exits_of(cycle).len() {
            let exit = flow.levels.exits_of(cycle)[index] as usize;
            self.divergent_exit(flow, exit, branch);
        }
        for (data, value) in self.problem.values.iter().zip(0..) {
            if data.rule != Rule::Uniform
                && data.node.is_some_and(|node| self.cycles.forest.contains(cycle, node))
                && (!self.options.cycle_invariants || flow.values.varies(self.problem, &self.cycles, value, cycle))
            {
                self.diverge(Element::Value(value), Cause::AssumedDivergent { header, branch });
            }
        }
        // What is uniform at converged instances is used at others, too.
        for (branch_node, &on) in self.problem.branches.iter().enumerate() {
            let Branch::On(value) = on else { continue };
            let data = &self.problem.values[value as usize];
            let node = Node::new(branch_node);
            let inside = |node: Node| self.cycles.forest.contains(cycle, node);
            if data.rule == Rule::Uniform && inside(node) && data.node.is_some_and(|one| one != node && inside(one)) {
                self.diverge(Element::Branch(node), Cause::AssumedDivergent { header, branch });
            }
        }
    }

    /// Looks at the phis of `block` for threads that meet at `node`, which stands for the edges to the block from outside of
    /// its cycle, or from inside.
    fn join(&mut self, flow: &Flow, parting: Parting<'_>, block: Node, node: Node, inside: bool) {
        let Engine { problem, search, ref cycles, .. } = *self;
        let headed = cycles.forest.innermost(block).filter(|&cycle| cycles.forest.cycles[cycle].header == block);
        let is_back = |source: Node| headed.is_some_and(|cycle| cycles.contains(cycle, source));
        let arriving = |phi: ValueIndex| {
            let operands = problem.operands(phi).iter().copied().zip(problem.sources(phi).iter().copied());
            operands
                .filter(|&(_, source)| is_back(source) == inside && search.is_reachable(source))
                .map(|(operand, source)| (flow.values.same(operand), source))
        };
        let level = if inside { headed } else { headed.map_or(cycles.innermost(block), |cycle| cycles.around(cycle)) };
        let is_dominated = parting.from.len() == 1 && flow.levels.dominators.dominates(parting.from[0], node);
        let mut divergent = Vec::new();
        for &phi in flow.values.phis(block).iter().filter(|&&phi| self.result.values[phi as usize].is_none()) {
            let mut differ = distinct(arriving(phi).map(|(operand, _)| operand));
            if differ && self.options.edge_joins && !is_dominated {
                let reached = arriving(phi)
                    .filter(|&(_, source)| flow.levels.lead_to(parting.from, flow.levels.arrival(source, block)))
                    .map(|(operand, _)| self.seen_from(flow, parting.from, operand, level, DEPTH));
                differ = distinct(reached);
            }
            if differ {
                divergent.push(phi);
            }
        }
        for phi in divergent {
            self.diverge(Element::Value(phi), Cause::Join { branch: parting.branch });
        }
    }

    /// The value that `operand` is in all threads that come from `from`: a phi in between that they can only enter over edges with
    /// one operand is that operand.
    fn seen_from(
        &self,
        flow: &Flow,
        from: &[Node],
        operand: ValueIndex,
        level: Option<Cycle>,
        depth: u32,
    ) -> ValueIndex {
        let data = &self.problem.values[operand as usize];
        let Some(block) = data.node.filter(|_| data.rule == Rule::Phi && depth > 0) else { return operand };
        let is_inside = self.cycles.innermost(block) == level && !self.cycles.forest.is_header(block);
        if !is_inside || from.contains(&block) || !flow.levels.lead_to(from, block) {
            return operand;
        }
        let operands = self.problem.operands(operand).iter().zip(self.problem.sources(operand));
        let mut reached = operands
            .filter(|&(_, &source)| {
                self.search.is_reachable(source) && flow.levels.lead_to(from, flow.levels.arrival(source, block))
            })
            .map(|(&value, _)| self.seen_from(flow, from, flow.values.same(value), level, depth - 1));
        let first = reached.next();
        first.filter(|_| reached.all(|value| Some(value) == first)).unwrap_or(operand)
    }

    /// All exits, of the cycle in whose level it is, that `node` dominates are divergent.
    fn divergent_exits(&mut self, flow: &mut Flow, node: Node, branch: Node) {
        let place = flow.levels.places[node.index()];
        let end = place + flow.levels.dominators.dominated(node).len() as u32;
        loop {
            let next = flow.next_out(place);
            if next >= end {
                return;
            }
            let out = flow.levels.dominators.tree_preorder()[next as usize];
            let Role::Out(exit) = flow.levels.role(out) else { return };
            self.divergent_exit(flow, exit, branch);
        }
    }

    fn divergent_exit(&mut self, flow: &mut Flow, index: usize, branch: Node) {
        if flow.divergent_exits[index].replace(branch).is_some() {
            return;
        }
        let cycle = flow.levels.exits[index].cycle;
        let place = flow.levels.places[flow.levels.out(index).index()];
        if let Some(next) = flow.next_out.get_mut(place as usize) {
            *next = place + 1;
        }
        flow.changed.insert((self.cycles.depth(cycle), cycle));
        let exit =
            DivergentExit { header: self.cycles.forest.cycles[cycle].header, edge: flow.levels.exits[index].edge };
        self.result.divergent_exits.push(exit);
        self.result.exit_branches.push(branch);
        let exits_only = self.options.divergent_exits_only;
        for Use { user, value } in flow.live_out.behind(self.problem, &self.cycles, &flow.levels, index, exits_only) {
            if !self.options.cycle_invariants || flow.values.varies(self.problem, &self.cycles, value, cycle) {
                self.diverge(user, Cause::Temporal { value, exit, branch });
            }
        }
    }
}

/// Threads that part.
#[derive(Clone, Copy)]
struct Parting<'a> {
    /// The node where they part, or the nodes where those are that parted.
    from: &'a [Node],
    /// The divergent branch that is to be named.
    branch: Node,
}

impl Flow {
    fn new(problem: &Problem, search: &DepthFirst, cycles: &Cycles) -> Flow {
        let levels = Levels::new(&problem.graph, search, cycles);
        let outs = levels.dominators.tree_preorder().iter().zip(0..);
        let next_out = outs.map(|(&node, place)| match levels.role(node) {
            Role::Out(_) => place,
            _ => place + 1,
        });
        let next_out: Vec<u32> = next_out.chain([u32::MAX]).collect();
        Flow {
            joins: Joins::default(),
            divergent_exits: vec![None; levels.exits.len()],
            values: Values::new(problem, search),
            live_out: LiveOut::new(problem, search, cycles, &levels),
            levels,
            next_out,
            changed: BTreeSet::new(),
        }
    }

    /// The place, from this one on, of the next `out` of an exit that is not divergent.
    fn next_out(&mut self, place: u32) -> u32 {
        let mut last = place;
        while self.next_out[last as usize] != last && self.next_out[last as usize] != u32::MAX {
            last = self.next_out[last as usize];
        }
        let mut at = place;
        while at != last {
            at = std::mem::replace(&mut self.next_out[at as usize], last);
        }
        last
    }
}
