//! All consistent pairs of paths of two threads at once, as a finite graph of states.
//!
//! Converged instances never cross: they come in the same order in both threads. So a pair of paths is a sequence
//! of *joint* steps (both threads execute converged instances) and between two of them steps of the first thread
//! alone, then steps of the second thread alone, of which none is converged with anything.
//!
//! **States.** Where both threads are, and what decides which of their next instances are converged. The key of an instance
//! of `X` consists of the latest instances of some things ([`Pairs::needs`]: the headers of the cycles around `X`,
//! by cycle, and the definitions of tokens), which steps renew ([`Pairs::renews`]). A joint step makes what it renews the same
//! in both threads, a step of one thread makes it differ, for good: nobody else ever executes that instance.
//! So one bit for each suffices. What is executed alone while all that it needs is the same must never be executed by the
//! other thread with what that thread has now: it is banned there until something it needs is renewed there. A
//! state is thus finite, and all paths of any length are covered; nothing is left out.
//!
//! **Differences.** Terms differ iff what they are made of differs somewhere, so it suffices to follow, for each pair of
//! a value of the first thread and one of the second, whether on some way to this state they differ. Steps map such facts to such facts one
//! by one, so that the union over all ways to a state is exact. The operands of pure values are remembered with them
//! (slots), since a pure value of one iteration is compared with one of another. One thing is not exact: a pure value
//! differs from a phi that may hold an older instance of it, always. So *uniform* is exact here; *divergent* is when
//! [`Witness`] finds two paths that show it, which [`instances`](crate::uniformity::instances) checks.

use std::collections::VecDeque;

use rustc_hash::FxHashMap;

use cranelift_entity::EntityRef;
use reconverge_analysis::uniformity::{Branch, Problem, Rule, ValueIndex};
use reconverge_graph::{CycleForest, Node};

use crate::uniformity::instances::{Instances, are_consistent, converged, values_in_order};

/// A set of slots.
type Row = u128;

/// Places for terms: one for each value, and one for each operand of pure values, recursively.
struct Slots {
    /// The value that the term is one of.
    root: Vec<usize>,
    /// Of slots of pure values: the slots of the operands.
    children: Vec<Vec<usize>>,
}

impl Slots {
    /// Nothing when there are too many.
    fn new(problem: &Problem) -> Option<Slots> {
        let count = problem.values.len();
        let mut slots = Slots { root: (0..count).collect(), children: Vec::new() };
        let mut next = 0;
        while let Some(&value) = slots.root.get(next) {
            let mut children = Vec::new();
            if problem.values[value].rule == Rule::Pure {
                for &operand in problem.operands(value as ValueIndex) {
                    children.push(slots.root.len());
                    slots.root.push(operand as usize);
                }
            }
            slots.children.push(children);
            next += 1;
            if slots.root.len() > Row::BITS as usize {
                return None;
            }
        }
        Some(slots)
    }

    /// The slots of two equal trees, pairwise.
    fn pair_up(&self, to: usize, from: usize, pairs: &mut Vec<(usize, usize)>) {
        pairs.push((to, from));
        for (&to, &from) in self.children[to].iter().zip(&self.children[from]) {
            self.pair_up(to, from, pairs);
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Phase {
    /// Both just executed converged instances.
    Joint,
    /// The first thread stepped alone.
    First,
    /// The second thread stepped alone; the first one waits for the next joint step.
    Second,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct State {
    at: [u8; 2],
    /// Where the thread has to go, because of a uniform branch.
    must: [Option<u8>; 2],
    phase: Phase,
    /// The things that are the same in both threads.
    same: u32,
    /// By thread: the nodes that it must not execute.
    banned: [u32; 2],
}

/// Who steps, and where to.
type Move = ([bool; 2], u8);

/// By slot of the first thread: the slots of the second one that may differ from it.
type Differences = Vec<Row>;

pub(crate) struct Pairs<'a> {
    problem: &'a Problem,
    forest: &'a CycleForest,
    successors: Vec<Vec<u8>>,
    by_node: Vec<Vec<ValueIndex>>,
    slots: Slots,
    /// By value, if it is pure: the copies that fill the slots of its operands.
    copies: Vec<Vec<(usize, usize)>>,
    /// By node: the things in its key.
    needs: Vec<u32>,
    /// By node: the things that it renews.
    renews: Vec<u32>,
    /// By node: the nodes whose keys it changes.
    clears: Vec<u32>,
    /// By node: the nodes that a thread at it can execute before something that they need is renewed.
    reaches: Vec<u32>,
    /// By node: the things that a thread at it can need before it renews them.
    relevant: Vec<u32>,
}

/// What differs at converged instances.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Verdict {
    pub(crate) values: Vec<bool>,
    pub(crate) branches: Vec<bool>,
}

/// What is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Target {
    Value(ValueIndex),
    Branch(Node),
}

/// Two paths whose last instances are converged and have different values.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Witness {
    pub(crate) paths: [Vec<Node>; 2],
    /// The two paths with converged instances in the same column.
    pub(crate) table: String,
}

/// How something first came to be known of a state.
struct Entry {
    time: usize,
    added: Differences,
    from: Option<(usize, Move)>,
}

/// A state, what differs in it, and where that comes from: the index of a state and a step.
type Arrival = (State, Differences, Option<(usize, Move)>);

/// All states that were reached.
struct Exploration {
    states: Vec<State>,
    /// By state: what was learned and when; empty unless asked for.
    history: Vec<Vec<Entry>>,
    verdict: Verdict,
}

impl<'a> Pairs<'a> {
    /// Nothing when the problem is too large.
    pub(crate) fn new(problem: &'a Problem, forest: &'a CycleForest) -> Option<Pairs<'a>> {
        let nodes = problem.graph.node_count();
        let cycles = forest.cycles.len();
        if nodes > 32 || cycles + problem.regions.len() > 32 {
            return None;
        }
        let mut needs = vec![0u32; nodes];
        let mut renews = vec![0u32; nodes];
        for node in problem.graph.nodes() {
            if let Some(innermost) = forest.innermost(node) {
                needs[node.index()] |= 1 << innermost.as_u32();
            }
        }
        for (cycle, data) in forest.cycles.iter() {
            for inner in forest.cycles.keys().filter(|&inner| forest.contains_cycle(cycle, inner)) {
                renews[data.header.index()] |= 1 << inner.as_u32();
            }
        }
        for (index, region) in problem.regions.iter().enumerate() {
            let bit = 1 << (cycles + index);
            region.nodes.iter().for_each(|node| needs[node.index()] |= bit);
            renews[region.definition.index()] |= bit;
        }
        let successors: Vec<Vec<u8>> = problem
            .graph
            .nodes()
            .map(|node| {
                let mut row: Vec<u8> = problem.graph.successors(node).iter().map(|to| to.index() as u8).collect();
                row.sort_unstable();
                row.dedup();
                row
            })
            .collect();
        let set =
            |is_in: &dyn Fn(usize) -> bool| (0..nodes).filter(|&node| is_in(node)).fold(0, |set, node| set | 1 << node);
        let clears = (0..nodes).map(|node| set(&|other| needs[other] & renews[node] != 0)).collect();
        // The nodes that are reached over nodes that do not renew any of `things`.
        let reach = |from: usize, things: u32| {
            let mut reached = 0u32;
            let mut stack = vec![from];
            while let Some(node) = stack.pop() {
                for &to in &successors[node] {
                    if reached & 1 << to == 0 {
                        reached |= 1 << to;
                        if renews[to as usize] & things == 0 {
                            stack.push(to as usize);
                        }
                    }
                }
            }
            reached
        };
        let reaches = (0..nodes).map(|from| set(&|node| reach(from, needs[node]) & 1 << node != 0)).collect();
        let relevant = (0..nodes)
            .map(|from| {
                (0..cycles + problem.regions.len()).fold(0, |things, thing| {
                    let needing = set(&|node| needs[node] & 1 << thing != 0);
                    things | u32::from(reach(from, 1 << thing) & needing != 0) << thing
                })
            })
            .collect();
        let slots = Slots::new(problem)?;
        let copies = (0..problem.values.len()).map(|value| {
            let mut pairs = Vec::new();
            for (&child, &operand) in slots.children[value].iter().zip(problem.operands(value as ValueIndex)) {
                slots.pair_up(child, operand as usize, &mut pairs);
            }
            pairs
        });
        let copies = copies.collect();
        let by_node = values_in_order(problem);
        Some(Pairs { problem, forest, successors, by_node, slots, copies, needs, renews, clears, reaches, relevant })
    }

    /// Both at the entry.
    fn start(&self) -> (State, Differences) {
        let entry = self.problem.graph.entry().index() as u8;
        let mut state = State { at: [entry; 2], must: [None; 2], phase: Phase::Joint, same: u32::MAX, banned: [0; 2] };
        self.normalize(&mut state);
        let mut differences = vec![0; self.slots.root.len()];
        let mut constants = 0;
        for (value, data) in self.problem.values.iter().enumerate() {
            if data.node.is_none() {
                constants |= 1 << value;
                differences[value] = if data.rule == Rule::Source { Row::MAX } else { !(1 << value) };
            }
        }
        for row in &mut differences {
            *row &= constants;
        }
        self.evaluate(&mut differences, [None, None], ([true; 2], entry));
        (state, differences)
    }

    fn normalize(&self, state: &mut State) {
        let [first, second] = state.at.map(usize::from);
        state.same &= self.relevant[first] & self.relevant[second];
        state.banned[0] &= self.reaches[first];
        state.banned[1] &= self.reaches[second];
    }

    /// Calls `go` with each possible step and the state after it.
    fn steps(&self, state: State, is_divergent: impl Fn(usize) -> bool, mut go: impl FnMut(Move, State)) {
        if state.phase == Phase::Joint && !is_divergent(state.at[0] as usize) {
            for &to in &self.successors[state.at[0] as usize] {
                self.steps_from(State { must: [Some(to); 2], ..state }, &mut go);
            }
        } else {
            self.steps_from(state, &mut go);
        }
    }

    fn steps_from(&self, state: State, go: &mut impl FnMut(Move, State)) {
        let may = |thread: usize, to: u8| {
            state.banned[thread] & 1 << to == 0 && state.must[thread].is_none_or(|must| must == to)
        };
        let can_be_converged = |to: u8| self.needs[to as usize] & !state.same == 0;
        for thread in [0, 1] {
            if thread == 0 && state.phase == Phase::Second {
                continue;
            }
            for &to in self.successors[state.at[thread] as usize].iter().filter(|&&to| may(thread, to)) {
                let mut after = state;
                after.phase = [Phase::First, Phase::Second][thread];
                if can_be_converged(to) {
                    after.banned[1 - thread] |= 1 << to;
                }
                after.same &= !self.renews[to as usize];
                after.banned[thread] &= !self.clears[to as usize];
                after.at[thread] = to;
                after.must[thread] = None;
                self.normalize(&mut after);
                go(([thread == 0, thread == 1], to), after);
            }
        }
        for &to in &self.successors[state.at[0] as usize] {
            if self.successors[state.at[1] as usize].contains(&to) && can_be_converged(to) && may(0, to) && may(1, to) {
                let clears = self.clears[to as usize];
                let mut after = State {
                    at: [to; 2],
                    must: [None; 2],
                    phase: Phase::Joint,
                    same: state.same | self.renews[to as usize],
                    banned: state.banned.map(|banned| banned & !clears),
                };
                self.normalize(&mut after);
                go(([true; 2], to), after);
            }
        }
    }

    /// Changes what differs when the threads of a move execute its node, coming from `from`.
    fn evaluate(&self, differences: &mut Differences, from: [Option<u8>; 2], (moves, node): Move) {
        let [first, second] = moves;
        let values = &self.by_node[node as usize];
        let phis = values.iter().copied().filter(|&value| self.problem.values[value as usize].rule == Rule::Phi);
        let chosen = |thread: usize| {
            phis.clone().map(move |phi| {
                let from = from[thread].expect("the entry has no phi");
                let edge = self.problem.sources(phi).iter().position(|source| source.index() == from as usize);
                (phi as usize, self.problem.operands(phi)[edge.expect("an operand for each edge")] as usize)
            })
        };
        if first {
            let rows: Vec<(usize, Row)> = chosen(0).map(|(phi, operand)| (phi, differences[operand])).collect();
            rows.into_iter().for_each(|(phi, row)| differences[phi] = row);
        }
        if second {
            let columns: Vec<(usize, usize)> = chosen(1).collect();
            for row in differences.iter_mut() {
                let before = *row;
                for &(phi, operand) in &columns {
                    *row = *row & !(1 << phi) | (before >> operand & 1) << phi;
                }
            }
        }
        for &value in values {
            let value = value as usize;
            let rule = self.problem.values[value].rule;
            if rule == Rule::Phi {
                continue;
            }
            for &(to, from) in &self.copies[value] {
                if first {
                    differences[to] = differences[from];
                }
                if second {
                    differences.iter_mut().for_each(|row| *row = *row & !(1 << to) | (*row >> from & 1) << to);
                }
            }
            if first {
                differences[value] = Row::MAX;
            }
            if second {
                differences.iter_mut().for_each(|row| *row |= 1 << value);
            }
            let set = |differences: &mut Differences, a: usize, b: usize, differ: bool| {
                differences[a] = differences[a] & !(1 << b) | Row::from(differ) << b;
            };
            match rule {
                Rule::Uniform if first && second => set(differences, value, value, false),
                Rule::Varying if first && second => {
                    let mut operands = self.problem.operands(value as ValueIndex).iter();
                    let differ = operands.any(|&operand| differences[operand as usize] >> operand & 1 == 1);
                    set(differences, value, value, differ);
                }
                Rule::Pure => {
                    let children = &self.slots.children;
                    for other in (0..children.len()).filter(|&other| self.slots.root[other] == value) {
                        for (a, b, moves) in [(value, other, first), (other, value, second)] {
                            if moves {
                                let mut pairs = children[a].iter().zip(&children[b]);
                                let differ = pairs.any(|(&a, &b)| differences[a] >> b & 1 == 1);
                                set(differences, a, b, differ);
                            }
                        }
                    }
                }
                _ => {}
            }
        }
        let all = if self.slots.root.len() == 128 { Row::MAX } else { (1 << self.slots.root.len()) - 1 };
        differences.iter_mut().for_each(|row| *row &= all);
    }

    /// Reaches all states; `divergent` branches are so from the start. With `keep`, writes the history.
    fn explore(&self, divergent: &[bool], keep: bool) -> Exploration {
        let problem = self.problem;
        let mut verdict = Verdict {
            values: problem.values.iter().map(|data| data.node.is_none() && data.rule == Rule::Source).collect(),
            branches: divergent.to_vec(),
        };
        let mut states: Vec<State> = Vec::new();
        let mut differences: Vec<Differences> = Vec::new();
        let mut history: Vec<Vec<Entry>> = Vec::new();
        let mut index: FxHashMap<State, usize> = FxHashMap::default();
        let mut queue: VecDeque<usize> = VecDeque::new();
        let mut queued: Vec<bool> = Vec::new();
        let (state, at_start) = self.start();
        let mut arrivals: Vec<Arrival> = vec![(state, at_start, None)];
        let mut time = 0;
        loop {
            for (state, mut new, from) in arrivals.drain(..) {
                let mut grows = false;
                let place = *index.entry(state).or_insert_with(|| {
                    grows = true;
                    states.push(state);
                    differences.push(vec![0; new.len()]);
                    history.push(Vec::new());
                    queued.push(false);
                    states.len() - 1
                });
                for (old, new) in differences[place].iter_mut().zip(&mut new) {
                    *new &= !*old;
                    *old |= *new;
                    grows |= *new != 0;
                }
                if !grows {
                    continue;
                }
                if !std::mem::replace(&mut queued[place], true) {
                    queue.push_back(place);
                }
                if state.phase == Phase::Joint {
                    let node = state.at[0] as usize;
                    let differs = |value: ValueIndex| differences[place][value as usize] >> value & 1 == 1;
                    for &value in &self.by_node[node] {
                        verdict.values[value as usize] |= differs(value);
                    }
                    if let Branch::On(value) = problem.branches[node]
                        && !verdict.branches[node]
                        && differs(value)
                    {
                        verdict.branches[node] = true;
                        for (place, state) in states.iter().enumerate() {
                            let ends_here = state.phase == Phase::Joint && state.at[0] as usize == node;
                            if ends_here && !std::mem::replace(&mut queued[place], true) {
                                queue.push_back(place);
                            }
                        }
                    }
                }
                if keep {
                    history[place].push(Entry { time, added: new, from });
                }
            }
            let Some(place) = queue.pop_front() else { break };
            queued[place] = false;
            time += 1;
            let state = states[place];
            self.steps(
                state,
                |node| verdict.branches[node],
                |step, after| {
                    let mut new = differences[place].clone();
                    self.evaluate(&mut new, state.at.map(Some), step);
                    arrivals.push((after, new, Some((place, step))));
                },
            );
        }
        Exploration { states, history, verdict }
    }

    /// The least fixed point.
    pub(crate) fn verdict(&self) -> Verdict {
        self.explore(&self.sources(), false).verdict
    }

    /// The branches that are divergent whatever the values are.
    pub(crate) fn sources(&self) -> Vec<bool> {
        self.problem.branches.iter().map(|&branch| branch == Branch::Source).collect()
    }

    /// Two paths that show that the target is divergent when exactly the given branches are; they were checked against the definition.
    pub(crate) fn witness(&self, target: Target, divergent: &[bool]) -> Option<Witness> {
        // Only the given branches: all that follow are in the set already, or must not be used.
        let explored = self.explore_fixed(divergent);
        let (node, value) = match target {
            Target::Value(value) => (self.problem.values[value as usize].node?.index(), value as usize),
            Target::Branch(node) => match self.problem.branches[node.index()] {
                Branch::On(value) => (node.index(), value as usize),
                _ => return None,
            },
        };
        let mut ends: Vec<(usize, usize)> = Vec::new();
        for (place, state) in explored.states.iter().enumerate() {
            if state.phase == Phase::Joint && state.at[0] as usize == node {
                let entry = explored.history[place].iter().find(|entry| entry.added[value] >> value & 1 == 1);
                ends.extend(entry.map(|entry| (entry.time, place)));
            }
        }
        ends.sort_unstable();
        ends.into_iter().find_map(|(_, place)| {
            let paths = self.paths_to(&explored, place, (value, value));
            self.check(&paths, value, divergent).map(|table| Witness { paths, table })
        })
    }

    fn explore_fixed(&self, divergent: &[bool]) -> Exploration {
        // Without branches that depend on values, none becomes divergent.
        let mut problem = self.problem.clone();
        for (branch, &divergent) in problem.branches.iter_mut().zip(divergent) {
            *branch = if divergent { Branch::Source } else { Branch::Uniform };
        }
        let fixed = Pairs::new(&problem, self.forest).expect("it is as large as this one");
        fixed.explore(divergent, true)
    }

    /// Follows a fact back to the start.
    fn paths_to(&self, explored: &Exploration, place: usize, fact: (usize, usize)) -> [Vec<Node>; 2] {
        let has = |rows: &Differences, (a, b): (usize, usize)| rows[a] >> b & 1 == 1;
        let mut moves: Vec<Move> = Vec::new();
        let (mut place, mut fact) = (place, Some(fact));
        loop {
            let entry = match fact {
                Some(fact) => explored.history[place].iter().find(|entry| has(&entry.added, fact)),
                None => explored.history[place].first(),
            };
            let entry = entry.expect("what is known was learned");
            let Some((from, step)) = entry.from else { break };
            moves.push(step);
            if let Some(after) = fact {
                let slots = self.slots.root.len();
                let mut before = vec![0; slots];
                for earlier in explored.history[from].iter().filter(|earlier| earlier.time < entry.time) {
                    before.iter_mut().zip(&earlier.added).for_each(|(row, added)| *row |= added);
                }
                let leads = |before: &Differences| {
                    let mut rows = before.clone();
                    self.evaluate(&mut rows, explored.states[from].at.map(Some), step);
                    has(&rows, after)
                };
                fact = if leads(&vec![0; slots]) {
                    None
                } else {
                    let mut candidates = (0..slots).flat_map(|a| (0..slots).map(move |b| (a, b)));
                    let cause = candidates.find(|&(a, b)| {
                        let mut only = vec![0; slots];
                        only[a] = 1 << b;
                        has(&before, (a, b)) && leads(&only)
                    });
                    Some(cause.expect("one fact has one cause"))
                };
            }
            place = from;
        }
        let mut paths = [vec![self.problem.graph.entry()], vec![self.problem.graph.entry()]];
        for (who, to) in moves.into_iter().rev() {
            for (path, _) in paths.iter_mut().zip(who).filter(|&(_, moves)| moves) {
                path.push(Node::new(to as usize));
            }
        }
        paths
    }

    /// By the definition: the last instances are converged, the value differs there, and the paths are consistent. Then a
    /// table of them.
    fn check(&self, paths: &[Vec<Node>; 2], value: usize, divergent: &[bool]) -> Option<String> {
        let mut instances = Instances::new(self.problem, self.forest);
        let first = instances.run(0, &paths[0]);
        let second = instances.run(1, &paths[1]);
        let converged = converged(&first, &second);
        let (last_first, last_second) = (first.last()?, second.last()?);
        let is_witness = last_first.key == last_second.key
            && last_first.terms[value] != last_second.terms[value]
            && are_consistent(&first, &second, &converged, |node| divergent[node.index()]);
        if !is_witness {
            return None;
        }
        let mut rows = [String::new(), String::new()];
        let mut done = [0, 0];
        for &(i, j) in &converged {
            for (row, path, range) in [(0, &first, done[0]..i), (1, &second, done[1]..j)] {
                for one in &path[range] {
                    rows[row] += &format!("{:>3}", one.node.index());
                    rows[1 - row] += "   ";
                }
            }
            rows.iter_mut().for_each(|row| *row += &format!("{:>3}", first[i].node.index()));
            done = [i + 1, j + 1];
        }
        let headers: Vec<usize> = self.forest.cycles.values().map(|data| data.header.index()).collect();
        Some(format!("  {}\n  {}\n  (headers: {headers:?})\n", rows[0], rows[1]))
    }
}
