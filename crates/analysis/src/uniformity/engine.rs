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
//! threads that part at a divergent branch can walk any two paths of a level that share only the branch.
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
use rustc_hash::{FxHashMap, FxHashSet};

use super::cycles::Cycles;
use super::joins::{Join, Joins, Label, Labelled};
use super::levels::{Levels, Role};
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
    levels: Levels,
    joins: Joins,
    /// By exit: the divergent branch that makes it divergent.
    divergent_exits: Vec<Option<Node>>,
    /// By place in the dominator tree's preorder: at or before the next `out` of an exit that is not divergent.
    next_out: Vec<u32>,
    /// The cycles that have new divergent exits, the deepest last.
    changed: BTreeSet<(u32, Cycle)>,
    /// Whether a value varies in a cycle.
    varies: FxHashMap<(Cycle, ValueIndex), bool>,
    /// By value: the one that it always is, where that is another one.
    same: Vec<ValueIndex>,
    /// By node, the phis: a slice of `phis` each.
    phi_starts: Vec<u32>,
    phis: Vec<ValueIndex>,
    /// The uses of values of a cycle that are outside of it.
    live_out: FxHashMap<Cycle, LiveOut>,
}

/// Who uses values of a cycle outside of it.
#[derive(Default)]
struct LiveOut {
    /// By the exit through which every thread comes that gets to the use.
    behind: FxHashMap<usize, Vec<Use>>,
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
                && (!self.options.cycle_invariants || flow.varies(self.problem, &self.cycles, value, cycle))
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
                .map(|(operand, source)| (flow.same[operand as usize], source))
        };
        let is_dominated = parting.from.len() == 1 && flow.levels.dominators.dominates(parting.from[0], node);
        let mut divergent = Vec::new();
        for &phi in flow.phis(block).iter().filter(|&&phi| self.result.values[phi as usize].is_none()) {
            let mut differ = distinct(arriving(phi).map(|(operand, _)| operand));
            if differ && self.options.edge_joins && !is_dominated {
                let reached = arriving(phi)
                    .filter(|&(_, source)| flow.levels.lead_to(parting.from, flow.levels.arrival(source, block)));
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
        for Use { user, value } in flow.uses_behind(self.problem, &self.cycles, index, self.options) {
            if !self.options.cycle_invariants || flow.varies(self.problem, &self.cycles, value, cycle) {
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

/// Whether there are two different ones.
fn distinct(mut operands: impl Iterator<Item = ValueIndex>) -> bool {
    let first = operands.next();
    operands.any(|operand| Some(operand) != first)
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
            joins: Joins::default(),
            divergent_exits: vec![None; levels.exits.len()],
            levels,
            next_out,
            changed: BTreeSet::new(),
            varies: FxHashMap::default(),
            same: Vec::new(),
            phi_starts,
            phis,
            live_out: FxHashMap::default(),
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

    fn find_live_out(&mut self, problem: &Problem, search: &DepthFirst, cycles: &Cycles) {
        if cycles.forest.cycles.is_empty() {
            return;
        }
        let levels = &self.levels;
        let mut note = |value: ValueIndex, user: Element, block: Node, from: Option<Node>| {
            let Some(definition) = problem.values[value as usize].node else { return };
            if !search.is_reachable(block) || from.is_some_and(|from| !search.is_reachable(from)) {
                return;
            }
            for cycle in cycles.left_by(definition, block) {
                let outer = levels.given_up.get(&definition);
                if outer.is_some_and(|&outer| outer != cycle && cycles.forest.contains_cycle(outer, cycle)) {
                    continue;
                }
                // An operand of a phi is used where it comes from, or on the way out of there.
                let place = from.map_or(block, |from| levels.arrival(from, block));
                let live_out = self.live_out.entry(cycle).or_default();
                let uses = match levels.only_exit(cycles, cycle, place) {
                    Some(exit) => live_out.behind.entry(exit).or_default(),
                    None => {
                        let outside = from.filter(|&from| !cycles.contains(cycle, from));
                        live_out.elsewhere.entry(outside.unwrap_or(block)).or_default()
                    }
                };
                uses.push(Use { user, value });
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

    /// The uses, behind an exit of a cycle, of values of the cycle; each is given once.
    fn uses_behind(&mut self, problem: &Problem, cycles: &Cycles, exit: usize, options: &Options) -> Vec<Use> {
        let cycle = self.levels.exits[exit].cycle;
        let Some(live_out) = self.live_out.get_mut(&cycle) else { return Vec::new() };
        let mut uses = live_out.behind.remove(&exit).unwrap_or_default();
        if !options.divergent_exits_only {
            uses.extend(live_out.behind.drain().flat_map(|(_, uses)| uses));
            uses.extend(live_out.elsewhere.drain().flat_map(|(_, uses)| uses));
        }
        let mut stack = vec![self.levels.exits[exit].edge.1];
        while let Some(node) = stack.pop() {
            if live_out.elsewhere.is_empty() {
                break;
            }
            if !live_out.seen.insert(node) {
                continue;
            }
            uses.extend(live_out.elsewhere.remove(&node).into_iter().flatten());
            // In the next iteration of a cycle around this one, its values are computed again.
            let is_ahead = |&next: &Node| {
                let headed = cycles.forest.innermost(next).filter(|&outer| cycles.forest.cycles[outer].header == next);
                !headed.is_some_and(|outer| cycles.contains_cycle(outer, cycle))
            };
            stack.extend(problem.graph.successors(node).iter().copied().filter(is_ahead));
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
