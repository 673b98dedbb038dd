//! What matters of a function's body for convergence: statements, full expressions, jumps, and where the convergent operations are.
//!
//! **Invariants.** Nodes are numbered in the order of their first tokens, a statement before its parts: the parts of node `n` are the nodes from `n` to
//! before `end(n)`, so "inside" and "in the span of" are comparisons of numbers. `order` numbers evaluation where it is not the same: the condition of a
//! `do` and the step of a `for` stand where they are written (the step of a `for` before its body).

mod builder;
pub mod flow;
mod of;
#[doc(hidden)]
pub mod random;
#[doc(hidden)]
pub mod sketch;

use cranelift_entity::packed_option::PackedOption;
use cranelift_entity::{EntityRef, PrimaryMap, SecondaryMap, entity_impl};

pub use builder::Builder;
pub use of::of_body;

use crate::source::Location;
use crate::typed;

/// A statement or a full expression of a body.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Node(u32);
entity_impl!(Node, "n");

/// A body. Node 0 is the compound statement that is the body.
#[derive(Debug, Clone, Default)]
pub struct Outline {
    /// The statements and full expressions.
    pub nodes: PrimaryMap<Node, NodeData>,
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

    /// Whether `inner` is `outer` or one of its parts.
    pub fn contains(&self, outer: Node, inner: Node) -> bool {
        outer <= inner && inner < self.nodes[outer].end
    }
}

impl NodeKind {
    /// Whether this is `while`, `do` or `for`.
    pub fn is_iteration(&self) -> bool {
        matches!(self, NodeKind::While { .. } | NodeKind::DoWhile { .. } | NodeKind::For { .. })
    }
}

/// A statement or a full expression.
#[derive(Debug, Clone)]
pub struct NodeData {
    /// What it is.
    pub kind: NodeKind,
    /// The smallest statement that contains it; none for the body.
    pub parent: Option<Node>,
    /// One after its last part.
    pub end: Node,
    /// Whether it is marked `noconvergent`.
    pub is_noconvergent: bool,
    /// The convergent operations of a full expression, in the order of evaluation; empty for statements.
    pub operations: Box<[Operation]>,
    /// The first token.
    pub location: Location,
}

/// A convergent operation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Operation {
    /// The function that is called, as it is written.
    pub name: String,
    /// Where the call is.
    pub location: Location,
}

/// A statement or a full expression. Parts are given by node; each is a part of this one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NodeKind {
    /// A full expression: an expression statement's, an initialiser, a condition, a returned value.
    Expression,
    /// A statement that is only its full expression, if it has one: an expression statement, a declaration, `;`.
    Simple(Option<Node>),
    /// `{ … }`
    Compound(Box<[Node]>),
    /// `if`.
    If {
        /** A full expression. */
        condition: Node,
        /** Where true. */
        then: Node,
        /** Where false. */
        otherwise: Option<Node>,
    },
    /// `switch`; its labels are nodes of kind Case inside the body.
    Switch {
        /** A full expression. */
        condition: Node,
        /** What holds the labels. */
        body: Node,
        /** In order. */
        labels: Box<[Node]>,
        /** Whether one is `default`. */
        has_default: bool,
    },
    /// `case` or `default` with the statement that follows.
    Case(Node),
    /// `name:` with the statement that follows.
    Label {
        /** Its name. */
        name: Box<str>,
        /** What follows. */
        body: Node,
    },
    /// `while`.
    While {
        /** A full expression. */
        condition: Node,
        /** What is repeated. */
        body: Node,
    },
    /// `do … while`.
    DoWhile {
        /** What is repeated. */
        body: Node,
        /** A full expression. */
        condition: Node,
    },
    /// `for`: as if it were `{ init; while (condition) { body; step; } }`, with `continue` going to the step.
    For {
        /** A statement. */
        init: Option<Node>,
        /** A full expression. */
        condition: Option<Node>,
        /** A full expression. */
        step: Option<Node>,
        /** What is repeated. */
        body: Node,
    },
    /// `goto` to a node of kind Label.
    Goto(Node),
    /// `break` out of that loop or switch.
    Break(Node),
    /// `continue` of that loop.
    Continue(Node),
    /// `return` with its full expression.
    Return(Option<Node>),
}

/// Which nodes the parts of a typed body are.
#[derive(Debug, Clone, Default)]
pub struct OutlineMap {
    /// The node of each statement.
    pub statements: SecondaryMap<typed::Statement, Option<Node>>,
    /// The node of each full expression; none for parts of one.
    pub expressions: SecondaryMap<typed::Expression, PackedOption<Node>>,
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
