//! What matters of a function's body for convergence: statements, expressions, jumps, and where the convergent operations are; and what follows from that.
//!
//! A language is not known here: whoever has statements makes an [`Outline`] of them with a [`Builder`].
//!
//! - [`convergence`]: which threads are together at each statement by the text of a [`SourceModel`], and the tokens that say so.
//! - [`dynamics`]: which evaluations of given threads are converged, step by step.
//!
//! **Invariants.** Nodes are numbered in the order of their first tokens, a statement before its parts: the parts of node `n` are the nodes from `n` to
//! before `end(n)`, so "inside" and "in the span of" are comparisons of numbers. `order` numbers evaluation where it is not the same: the condition of a
//! `do` and the step of a `for` stand where they are written (the step of a `for` before its body). The evaluations in a full expression (see [`Evaluations`]) are in the order of evaluation.
//! Which the parts are follows from these numbers, too ([`Outline::kind`], [`Outline::parts`]), and the operations of all nodes are one list in the order of nodes ([`Outline::operation`]).

mod builder;
pub mod convergence;
pub mod dynamics;
mod evaluations;
pub mod flow;
mod kind;
#[doc(hidden)]
pub mod random;
#[doc(hidden)]
pub mod sketch;

use cranelift_entity::packed_option::PackedOption;
use cranelift_entity::{EntityRef, PrimaryMap, SecondaryMap, entity_impl};
pub use reconverge_semantics::Entry;

pub use builder::Builder;
pub use evaluations::{Evaluations, Next};
use evaluations::{LAST, Ways};
use kind::Labels;
pub use kind::{NodeKind, Shape};

/// The function that a program calls, with the numbers of a function and of a node, where the execution of the node starts.
pub const MARKER: &str = "reconverge.marker";

/// A place in the source, as whoever makes an outline counts: a byte in the space of all texts. 0 means that there is none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Location(pub u32);

impl Location {
    /// No place.
    pub const NONE: Location = Location(0);
}

/// The text that defines convergence at the source.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum SourceModel {
    /// "Thread Convergence", 2025-04.
    #[default]
    Clang2025_04,
    /// "Thread Convergence" with tangles, 2024-10.
    Tangles2024_10,
    /// "Language Specification for Convergence Control", 2025-08.
    Clang2025_08,
}

/// A statement, a full expression or an evaluation in one, of a body.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Node(u32);
entity_impl!(Node, "n");

/// A body. Node 0 is the compound statement that is the body.
#[derive(Debug, Clone, Default)]
pub struct Outline {
    /// The statements, full expressions and evaluations.
    pub nodes: PrimaryMap<Node, NodeData>,
    /// Those of all nodes, in the order of nodes.
    operations: Vec<Operation>,
    /// For each `switch`.
    labels: Vec<Labels>,
    /// Of each label.
    names: Vec<Box<str>>,
    /// Of the evaluations of full expressions that have several, in the order of nodes.
    ways: Vec<(Node, Ways<Node>)>,
}

impl Outline {
    /// The body itself.
    pub fn body(&self) -> Node {
        Node::new(0)
    }

    /// A map with the default for each node.
    pub fn per_node<V: Clone + Default>(&self) -> SecondaryMap<Node, V> {
        let mut map = SecondaryMap::new();
        map.resize(self.nodes.len());
        map
    }

    /// The smallest statement that contains a node; none for the body.
    pub fn parent(&self, node: Node) -> Option<Node> {
        self.nodes[node].parent()
    }

    /// The statements that contain a node and are not it, from the smallest one on.
    pub fn ancestors(&self, node: Node) -> impl Iterator<Item = Node> + Clone + '_ {
        std::iter::successors(self.parent(node), |&outer| self.parent(outer))
    }

    /// The convergent operation of an evaluation, if it is of one.
    pub fn operation(&self, node: Node) -> Option<&Operation> {
        let next = self.nodes.get(Node::new(node.index() + 1));
        let end = next.map_or(self.operations.len(), |next| next.first_operation as usize);
        self.operations[self.nodes[node].first_operation as usize..end].first()
    }

    /// The convergent operations in a node, in the order of nodes.
    pub fn operations(&self, node: Node) -> &[Operation] {
        let next = self.nodes.get(self.nodes[node].end);
        let end = next.map_or(self.operations.len(), |next| next.first_operation as usize);
        &self.operations[self.nodes[node].first_operation as usize..end]
    }

    /// The full expression that an evaluation is in, or is.
    pub fn full_expression(&self, evaluation: Node) -> Node {
        match self.nodes[evaluation].shape {
            Shape::Evaluation => self.parent(evaluation).unwrap_or(evaluation),
            _ => evaluation,
        }
    }

    /// Where threads go on behind a full expression or another evaluation: where its value is `false`, and where it is `true`. O(log n).
    pub fn next(&self, evaluation: Node) -> [Next<Node>; 2] {
        match self.ways.binary_search_by_key(&evaluation, |&(node, _)| node) {
            Ok(at) => self.ways[at].1,
            Err(_) => LAST,
        }
    }

    /// Whether `inner` is `outer` or one of its parts.
    pub fn contains(&self, outer: Node, inner: Node) -> bool {
        outer <= inner && inner < self.nodes[outer].end
    }
}

/// What is known of a node. 28 bytes: there is one for each statement and full expression of a program.
#[derive(Debug, Clone, Copy)]
pub struct NodeData {
    /// One after its last part.
    pub end: Node,
    /// The first token.
    pub location: Location,
    /// Whether it is marked `noconvergent`.
    pub is_noconvergent: bool,
    shape: Shape,
    parent: PackedOption<Node>,
    /// How many operations there are in the nodes before it.
    first_operation: u32,
}

const _: () = assert!(size_of::<NodeData>() <= 28);

impl NodeData {
    /// The smallest statement that contains it; none for the body.
    #[inline]
    pub fn parent(&self) -> Option<Node> {
        self.parent.expand()
    }
}

/// A convergent operation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Operation {
    /// The function that is called, as it is written.
    pub name: String,
    /// Where the call is.
    pub location: Location,
}

/// Where the token comes from that a convergent operation, a heart or a called function uses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum TokenSource {
    /// The start of the body: `entry` in a convergent function, else `anchor`.
    #[default]
    Body,
    /// The `loop` heart of an iteration statement, executed where each iteration starts: before the condition of `while` and `for`, before the body of `do`.
    Heart(Node),
    /// An `anchor` where the execution of a node starts (for an iteration statement before it, not in each iteration).
    Anchor(Node),
}

/// Where a lowering puts tokens. Invariant: the token of a node is defined by a node that contains it, or by the body.
#[derive(Debug, Clone, Default)]
pub struct TokenPlan {
    /// For each node, the token that convergent operations directly in it use.
    pub token: SecondaryMap<Node, TokenSource>,
    /// For each iteration statement, whether it has a heart, and the heart's parent token.
    pub heart: SecondaryMap<Node, Option<TokenSource>>,
    /// The nodes at whose start there is an anchor.
    pub anchor: SecondaryMap<Node, bool>,
}
