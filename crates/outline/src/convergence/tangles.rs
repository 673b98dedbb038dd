//! The text of 2024-10: a tangle is derived from that of the statement before, so jumps keep threads apart until the statement around the jump and its label ends.
//!
//! **Definition.** Each node `n` is executed with a *stream*, which names how its tangle comes from that of an origin:
//!
//! - The body starts with stream `Body`. Parts of a statement that are not mentioned below have its stream. So has the first statement in `{ … }`.
//! - A statement in `{ … }` that follows `s` has the stream with which `s` *started*, if the end of `s` can be reached: whoever parted in `s` is together again. Those who
//!   jumped into `s` from outside come out with the stream of that jump.
//! - A label is reached by a stream of its own for each jump to it. That of a `goto` is its tangle, that of a `switch` the part of its tangle that goes to this
//!   label. So fall-through does not join, nor does a jump forward.
//! - The parts of an iteration statement have the stream `Iteration`; if the iteration statement is jumped into, they have several.
//! - A jump out of an iteration statement brings another tangle in each iteration: several streams.
//! - A label reached by one stream and, besides, by its one backward `goto` has the stream `Round`: the tangle of the `goto` comes from the label's of the round
//!   before, so the text calls none of them unrelated. That holds if every way from the label to the `goto` has kept this stream, up to jumps inside the span. Behind the `goto`, threads of
//!   different rounds are in different tangles, and these are unrelated.
//!
//! Where a node is reached by several streams, the tangles are unrelated, and the implementation may unite some: a choice. What it chose goes on with the
//! statements that follow, until the statement ends in which the jump and its label both are. Iterations count as related even for statements under an
//! `if`, whose tangles the letter of the text derives from no other of theirs; and rounds do likewise.
//!
//! The smallest statement "that contains both `G` and `L`" is taken to be around the labelled statement `L`, not it: a backward jump out of `again: { … }` executes that
//! statement anew, and what follows is derived from one execution of it.
//!
//! `noconvergent` statements are not in this text.
//!
//! What cannot be reached by control flow in which every branch can go either way has the place of the statement around it. Choices are over-estimated where an iteration statement that is jumped
//! into cannot be reached at its start, where a loop that is left by `goto` has no second iteration, or where a forward jump closes the cycle that a backward one enters. No choice is missed.

use cranelift_entity::{EntityRef, SecondaryMap};
use reconverge_graph::{DepthFirst, SuccessorOrder};

use super::structure::{Structure, around};
use super::{Cause, Causes, Jump, Origin, Place, Reason};
use crate::flow::{Point, graph};
use crate::{Node, NodeKind, Outline};

/// How the tangle of a node comes about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Stream {
    Body,
    Iteration(Node),
    /// Of [`Structure::jumps`].
    Jump(usize),
    Round(Node),
    /// Several, at that node or before it.
    Several(Node),
}

type Places = SecondaryMap<Node, Place>;
type Rounds = SecondaryMap<Node, Option<Place>>;

/// The places of all nodes, and of the first rounds of labels. O(n log n), if few `goto` lead to `goto`.
pub(super) fn places(outline: &Outline, structure: &Structure, causes: &mut Causes) -> (Places, Rounds) {
    let mut streams = Streams::of(outline, structure, causes);
    streams.settle_rounds();
    let mut places = outline.per_node();
    for (node, data) in &outline.nodes {
        places[node] = match (streams.at[node], data.parent()) {
            (Some(stream), _) => streams.place(stream, node),
            // It is in a full expression, or cannot be reached.
            (None, Some(parent)) => places[parent],
            (None, None) => Place::default(),
        };
    }
    let mut rounds = outline.per_node();
    for label in outline.nodes.keys() {
        if let Some(round) = streams.rounds[label] {
            rounds[label] = Some(streams.place(round.entry, label));
        }
    }
    (places, rounds)
}

/// The label of a round: what else leads there, and the jump that closes it.
#[derive(Debug, Clone, Copy)]
struct Round {
    entry: Stream,
    jump: usize,
}

/// What follows from a stream.
#[derive(Debug, Clone, Copy)]
struct Facts {
    place: Place,
    /// The rounds that it is a part of are left behind outside of these nodes.
    first: Node,
    last: Node,
    /// A label of these rounds whose jump is `last`, or that is `first`.
    round: Option<(Node, Jump)>,
}

struct Streams<'a> {
    outline: &'a Outline,
    structure: &'a Structure,
    causes: &'a mut Causes,
    /// With what stream each node starts; none where it cannot be reached.
    at: SecondaryMap<Node, Option<Stream>>,
    rounds: SecondaryMap<Node, Option<Round>>,
    /// For several streams at a node: one of the jumps.
    apart: SecondaryMap<Node, Option<Jump>>,
    /// Jumps to each node that can be made.
    to: SecondaryMap<Node, Vec<usize>>,
    /// For each node, jumps into it past its start from outside: how many, and the sum of their numbers.
    into: SecondaryMap<Node, (usize, usize)>,
    ends: SecondaryMap<Node, bool>,
    starts: SecondaryMap<Node, bool>,
    facts: rustc_hash::FxHashMap<Stream, Facts>,
}

impl<'a> Streams<'a> {
    fn of(outline: &'a Outline, structure: &'a Structure, causes: &'a mut Causes) -> Streams<'a> {
        let count = outline.nodes.len();
        let mut streams = Streams {
            outline,
            structure,
            causes,
            at: SecondaryMap::with_capacity(count),
            rounds: SecondaryMap::with_capacity(count),
            apart: SecondaryMap::with_capacity(count),
            to: SecondaryMap::with_capacity(count),
            into: SecondaryMap::with_capacity(count),
            ends: SecondaryMap::with_capacity(count),
            starts: SecondaryMap::with_capacity(count),
            facts: Default::default(),
        };
        let search = DepthFirst::compute(&graph(outline), SuccessorOrder::Forward);
        for node in outline.nodes.keys() {
            streams.starts[node] = search.is_reachable(Point::Start(node).place());
            streams.ends[node] = search.is_reachable(Point::End(node).place());
        }
        streams.jumps_into();
        streams.at[outline.body()] = Some(Stream::Body);
        for node in outline.nodes.keys() {
            streams.derive_parts(node);
        }
        streams
    }

    /// Counts a jump at each node from the parent of its label to below the smallest statement around both ends.
    fn jumps_into(&mut self) {
        let around = around(self.outline, &self.structure.jumps);
        for (index, jump) in self.structure.jumps.iter().enumerate() {
            let Some(parent) = self.outline.parent(jump.to) else { continue };
            if !self.starts[jump.from] {
                continue;
            }
            self.to[jump.to].push(index);
            let around = around[index];
            self.into[parent].0 = self.into[parent].0.wrapping_add(1);
            self.into[parent].1 = self.into[parent].1.wrapping_add(index);
            // Sums over all parts: what was added below is taken away again.
            self.into[around].0 = self.into[around].0.wrapping_sub(1);
            self.into[around].1 = self.into[around].1.wrapping_sub(index);
        }
        for (node, data) in self.outline.nodes.iter().rev() {
            if let Some(parent) = data.parent() {
                let (count, sum) = self.into[node];
                self.into[parent].0 = self.into[parent].0.wrapping_add(count);
                self.into[parent].1 = self.into[parent].1.wrapping_add(sum);
            }
        }
    }

    fn derive_parts(&mut self, node: Node) {
        let own = self.at[node].filter(|_| self.starts[node]);
        let outline = self.outline;
        match outline.kind(node) {
            NodeKind::Compound => {
                let mut before = Arrivals { stream: own, jump: None };
                for part in outline.parts(node) {
                    self.start(part, before);
                    before = self.after(part);
                }
            }
            NodeKind::Switch { condition, body, .. } => {
                self.start(condition, Arrivals { stream: own, jump: None });
                // Only labels lead there.
                self.start(body, Arrivals::default());
            }
            NodeKind::For { init, condition, step, body } => {
                if let Some(init) = init {
                    self.start(init, Arrivals { stream: own, jump: None });
                }
                for part in condition.into_iter().chain(step).chain([body]) {
                    self.start_iteration(node, part);
                }
            }
            NodeKind::While { condition, body } | NodeKind::DoWhile { body, condition } => {
                self.start_iteration(node, condition);
                self.start_iteration(node, body);
            }
            NodeKind::If { condition, then, otherwise } => {
                for part in [condition, then].into_iter().chain(otherwise) {
                    self.start(part, Arrivals { stream: own, jump: None });
                }
            }
            NodeKind::Simple(Some(part)) | NodeKind::Return(Some(part)) => {
                self.start(part, Arrivals { stream: own, jump: None });
            }
            NodeKind::Case(body) | NodeKind::Label { body, .. } => {
                self.start(body, Arrivals { stream: own, jump: None });
            }
            // An evaluation has the place of its full expression.
            NodeKind::Expression
            | NodeKind::Evaluation
            | NodeKind::Simple(None)
            | NodeKind::Return(None)
            | NodeKind::Goto(_)
            | NodeKind::Break(_)
            | NodeKind::Continue(_) => {}
        }
    }

    fn start_iteration(&mut self, iteration: Node, part: Node) {
        let stream = self.starts[part].then_some(Stream::Iteration(iteration));
        self.start(part, Arrivals { stream, jump: None });
    }

    /// With what stream a node starts that is reached by `before` and by jumps.
    fn start(&mut self, node: Node, before: Arrivals) {
        let mut arrivals = before;
        let mut round = None;
        for &index in &self.to[node] {
            let jump = self.structure.jumps[index];
            let is_backward = jump.to <= jump.from;
            if is_backward && round.is_none() && !self.leaves_iteration(jump) {
                round = Some(index);
                continue;
            }
            self.arrive(&mut arrivals, index, node);
        }
        if let Some(jump) = round {
            match arrivals.stream {
                Some(entry) if !matches!(entry, Stream::Several(at) if at == node) => {
                    self.rounds[node] = Some(Round { entry, jump });
                    arrivals.stream = Some(Stream::Round(node));
                }
                _ => self.arrive(&mut arrivals, jump, node),
            }
        }
        // Several streams that meet behind the statement before it.
        if let Some(Stream::Several(at)) = arrivals.stream
            && at == node
            && self.apart[node].is_none()
        {
            self.apart[node] = arrivals.jump;
        }
        self.at[node] = arrivals.stream;
    }

    fn arrive(&self, arrivals: &mut Arrivals, index: usize, node: Node) {
        let jump = self.structure.jumps[index];
        let is_several = self.leaves_iteration(jump);
        arrivals.jump = arrivals.jump.or(Some(jump));
        arrivals.stream = match arrivals.stream {
            None if !is_several => Some(Stream::Jump(index)),
            Some(Stream::Jump(same)) if same == index && !is_several => Some(Stream::Jump(index)),
            _ => Some(Stream::Several(node)),
        };
    }

    /// Whether each iteration of some statement has a jump of its own.
    fn leaves_iteration(&self, jump: Jump) -> bool {
        self.structure.iteration_of[jump.from]
            .expand()
            .is_some_and(|iteration| !self.outline.contains(iteration, jump.to))
    }

    /// With what streams threads leave a statement of a compound, to what follows.
    fn after(&self, part: Node) -> Arrivals {
        let mut arrivals = Arrivals::default();
        if !self.ends[part] {
            return arrivals;
        }
        arrivals.stream = self.at[part];
        let (count, sum) = self.into[part];
        let next = self.outline.nodes[part].end;
        match count {
            0 => {}
            1 => self.arrive(&mut arrivals, sum, next),
            _ => {
                arrivals.stream = Some(Stream::Several(next));
                arrivals.jump = self.structure.entered(self.outline, part);
            }
        }
        arrivals
    }

    /// Takes back the rounds whose jump does not come from their label.
    fn settle_rounds(&mut self) {
        for label in self.outline.nodes.keys() {
            if let Some(round) = self.rounds[label].filter(|round| !self.closes(label, *round)) {
                self.rounds[label] = None;
                self.apart[label] = Some(self.structure.jumps[round.jump]);
            }
        }
    }

    /// Whether the stream of the jump is that of the label, or comes from it by jumps inside the span.
    fn closes(&self, label: Node, round: Round) -> bool {
        let from = self.structure.jumps[round.jump].from;
        let mut at = from;
        // A chain that is longer than there are nodes goes round.
        for _ in 0..=self.outline.nodes.len() {
            match self.at[at] {
                Some(Stream::Round(reached)) => return reached == label,
                Some(Stream::Jump(index)) => at = self.structure.jumps[index].from,
                _ => return false,
            }
            if at < label || from < at {
                return false;
            }
        }
        false
    }

    fn place(&mut self, stream: Stream, node: Node) -> Place {
        let facts = self.facts(stream);
        let mut place = facts.place;
        if let Some((label, jump)) = facts.round
            && place.cause.is_none()
            && (node < facts.first || facts.last < node)
        {
            let cause = Cause { reason: Reason::DifferentRounds, jump: Some(jump), cycle: None, at: label };
            place = self.causes.place(Origin::Execution(node), cause);
        }
        place
    }

    /// Follows a stream to one that is known, and comes back.
    fn facts(&mut self, stream: Stream) -> Facts {
        let mut chain = vec![stream];
        let mut seen = rustc_hash::FxHashSet::from_iter([stream]);
        let mut known = loop {
            let last = chain[chain.len() - 1];
            if let Some(facts) = self.facts.get(&last) {
                break *facts;
            }
            match self.comes_from(last) {
                Some((before, _)) if seen.insert(before) => chain.push(before),
                _ => break self.first_facts(last),
            }
        };
        while let Some(stream) = chain.pop() {
            known = match self.facts.get(&stream) {
                Some(facts) => *facts,
                None => self.facts_after(stream, known),
            };
            self.facts.insert(stream, known);
        }
        known
    }

    /// The stream that another one is made of, and the node where it is.
    fn comes_from(&self, stream: Stream) -> Option<(Stream, Node)> {
        match stream {
            Stream::Jump(index) => {
                let from = self.structure.jumps[index].from;
                Some((self.at[from]?, from))
            }
            Stream::Round(label) => {
                let round = self.rounds[label]?;
                Some((round.entry, label))
            }
            Stream::Iteration(iteration) => {
                if self.structure.entered(self.outline, iteration).is_some() {
                    return None;
                }
                Some((self.at[iteration]?, iteration))
            }
            Stream::Body | Stream::Several(_) => None,
        }
    }

    /// What follows from a stream that is made of no other.
    fn first_facts(&mut self, stream: Stream) -> Facts {
        let all =
            |place| Facts { place, first: self.outline.body(), last: Node::new(self.outline.nodes.len()), round: None };
        let (at, jump) = match stream {
            Stream::Body => return all(Place::default()),
            Stream::Iteration(at) => (at, self.structure.entered(self.outline, at)),
            Stream::Round(at) | Stream::Several(at) => (at, self.apart[at]),
            Stream::Jump(index) => (self.structure.jumps[index].to, Some(self.structure.jumps[index])),
        };
        let cause = Cause { reason: Reason::UnrelatedTangles, jump, cycle: None, at };
        all(self.causes.place(Origin::Execution(at), cause))
    }

    fn facts_after(&mut self, stream: Stream, before: Facts) -> Facts {
        let Some((_, at)) = self.comes_from(stream) else { return before };
        let mut facts = before;
        if let Some((label, jump)) = before.round
            && facts.place.cause.is_none()
            && (at < before.first || before.last < at)
        {
            let cause = Cause { reason: Reason::DifferentRounds, jump: Some(jump), cycle: None, at: label };
            facts.place = self.causes.place(Origin::Execution(at), cause);
        }
        match stream {
            Stream::Iteration(iteration) => {
                facts.place.origin = Origin::Iteration(iteration);
                (facts.first, facts.last) = (self.outline.body(), Node::new(self.outline.nodes.len()));
                facts.round = None;
            }
            Stream::Round(label) => {
                let jump = self.rounds[label].map(|round| self.structure.jumps[round.jump]);
                facts.place.origin = Origin::Round(label);
                if let Some(jump) = jump {
                    facts.first = facts.first.max(label);
                    if jump.from <= facts.last {
                        facts.last = jump.from;
                        facts.round = Some((label, jump));
                    }
                }
            }
            _ => {}
        }
        facts
    }
}

/// What comes to a node.
#[derive(Debug, Clone, Copy, Default)]
struct Arrivals {
    stream: Option<Stream>,
    /// A jump that is one of the reasons why there are several.
    jump: Option<Jump>,
}
