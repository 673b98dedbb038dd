//! Which threads are together at each statement: what the three texts define, and what they leave to the implementation.
//!
//! Everything is said relative to an *origin*: threads that are converged at the origin of a node are converged at the node if they both reach it.
//! Origins form a chain, from the iteration of a loop to the origin of that loop, and so on. A chain that ends at the body is
//! *defined*; one that ends at the execution of a statement is *implementation-defined*, since whether two threads are converged there is.

use cranelift_entity::{PrimaryMap, SecondaryMap, entity_impl};

use crate::options::SourceModel;
use crate::outline::Node;

/// What a text says of each node of an outline.
#[derive(Debug, Clone)]
pub struct Analysis {
    /// The text.
    pub model: SourceModel,
    /// For each node.
    pub places: SecondaryMap<Node, Place>,
    /// The cycles in the sense of the 2025-04 text, in the order of their first nodes.
    pub cycles: PrimaryMap<Cycle, CycleData>,
    /// For each iteration statement that is *not* reducible, a jump into it from outside.
    pub entered: SecondaryMap<Node, Option<Jump>>,
}

/// Who is together at a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Place {
    /// What determines who is converged here, given who was converged there.
    pub origin: Origin,
    /// Why the implementation has a choice; none where convergence is defined all the way from the body.
    pub cause: Option<Cause>,
}

/// What determines who is converged at a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Origin {
    /// The execution of the function's body.
    #[default]
    Body,
    /// An iteration of that reducible iteration statement, which starts before the condition of `while` and `for`, and before the body of
    /// `do`. Who is together in iteration *n* follows from who is at the iteration statement, whose place says by what.
    Iteration(Node),
    /// The execution of that statement or full expression, which contains the node or is it; who is together there is up to the implementation.
    Execution(Node),
    /// Tangles only: how often the threads came to that label by its one backward `goto`; whoever is together in round *n* follows from who is at
    /// the label at first, whose place says by what.
    Round(Node),
}

/// Why an implementation has a choice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cause {
    /// Why.
    pub reason: Reason,
    /// The jump that brings it about, if one does.
    pub jump: Option<Jump>,
    /// The cycle, if it is about one.
    pub cycle: Option<Cycle>,
    /// The statement where it starts: the iteration statement, the label, or the `noconvergent` statement.
    pub at: Node,
}

/// A `goto` or `switch` with one of its labels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Jump {
    /// A node of kind Goto or Switch.
    pub from: Node,
    /// A node of kind Label or Case.
    pub to: Node,
}

/// Why an implementation has a choice.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Reason {
    /// In the span of a backward `goto`.
    GotoCycle,
    /// In an iteration statement that is jumped into.
    EnteredIteration,
    /// In a statement marked `noconvergent`.
    Noconvergent,
    /// 2025-08: after a label in a statement that is jumped into.
    EnteredStatement,
    /// Tangles: several unrelated tangles come to this node, or to a label or `case` before it.
    UnrelatedTangles,
    /// Tangles: threads come here that left the cycle of a backward `goto` in different rounds.
    DifferentRounds,
}

/// A cycle of the source.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cycle(u32);
entity_impl!(Cycle, "c");

/// A cycle of the source: an iteration statement, or the span of a backward `goto`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CycleData {
    /// The iteration statement, or the label.
    pub first: Node,
    /// The last node that is in the cycle: the last part of the iteration statement, or the `goto`.
    pub last: Node,
    /// The backward jump; none for an iteration statement, which itself is not in its cycle, nor is the initialisation of a `for`.
    pub jump: Option<Jump>,
}

impl Analysis {
    /// Whether it is defined who is converged at a node, given who is converged at the start of the body.
    pub fn is_defined(&self, node: Node) -> bool {
        self.places[node].cause.is_none()
    }
}
