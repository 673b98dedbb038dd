//! What nodes are, and which their parts are.
//!
//! Parts are not kept: the first part of a node has the next number, and each other one the number where the part before it ends.

use cranelift_entity::EntityRef;

use super::{Node, NodeData, Outline};

/// A statement, a full expression or an evaluation in one. Parts are given by node; each is a part of this one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NodeKind<'a> {
    /// A full expression: an expression statement's, an initialiser, a condition, a returned value. It is its first evaluation; others are [`Outline::parts`].
    Expression,
    /// An evaluation in a full expression behind the first one.
    Evaluation,
    /// A statement that is only its full expression, if it has one: an expression statement, a declaration, `;`.
    Simple(Option<Node>),
    /// `{ … }`, of [`Outline::parts`].
    Compound,
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
        labels: &'a [Node],
        /** Whether one is `default`. */
        has_default: bool,
    },
    /// `case` or `default` with the statement that follows.
    Case(Node),
    /// `name:` with the statement that follows.
    Label {
        /** Its name. */
        name: &'a str,
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

/// What is kept of a [`NodeKind`]: all but the parts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// [`NodeKind::Expression`]
    Expression,
    /// [`NodeKind::Evaluation`]
    Evaluation,
    /// [`NodeKind::Simple`]
    Simple,
    /// [`NodeKind::Compound`]
    Compound,
    /// [`NodeKind::If`]
    If,
    /// [`NodeKind::Switch`], by the number that [`Builder::labels`](super::Builder::labels) gave.
    Switch(u32),
    /// [`NodeKind::Case`]
    Case,
    /// [`NodeKind::Label`], by the number that [`Builder::name`](super::Builder::name) gave.
    Label(u32),
    /// [`NodeKind::While`]
    While,
    /// [`NodeKind::DoWhile`]
    DoWhile,
    /// [`NodeKind::For`], and which parts it has before its body.
    For {
        /** A statement. */
        has_init: bool,
        /** A full expression. */
        has_condition: bool,
        /** A full expression. */
        has_step: bool,
    },
    /// [`NodeKind::Goto`]
    Goto(Node),
    /// [`NodeKind::Break`]
    Break(Node),
    /// [`NodeKind::Continue`]
    Continue(Node),
    /// [`NodeKind::Return`]
    Return,
}

const _: () = assert!(size_of::<Shape>() <= 8);

/// The labels of a `switch`.
#[derive(Debug, Clone)]
pub(super) struct Labels {
    pub(super) nodes: Box<[Node]>,
    pub(super) has_default: bool,
}

impl NodeData {
    /// What it is, without its parts.
    #[inline]
    pub fn shape(&self) -> Shape {
        self.shape
    }

    /// Whether this is `while`, `do` or `for`.
    #[inline]
    pub fn is_iteration(&self) -> bool {
        matches!(self.shape, Shape::While | Shape::DoWhile | Shape::For { .. })
    }

    /// Whether this is a full expression.
    #[inline]
    pub fn is_expression(&self) -> bool {
        self.shape == Shape::Expression
    }

    /// Whether this is a full expression or an evaluation in one.
    #[inline]
    pub fn is_evaluation(&self) -> bool {
        matches!(self.shape, Shape::Expression | Shape::Evaluation)
    }
}

impl Outline {
    /// What a node is, and its parts.
    pub fn kind(&self, node: Node) -> NodeKind<'_> {
        let data = &self.nodes[node];
        let part = |number| Node::new(node.index() + number);
        let only = (part(1) < data.end).then_some(part(1));
        let second = || self.nodes[part(1)].end;
        match data.shape {
            Shape::Expression => NodeKind::Expression,
            Shape::Evaluation => NodeKind::Evaluation,
            Shape::Simple => NodeKind::Simple(only),
            Shape::Compound => NodeKind::Compound,
            Shape::If => {
                let otherwise = self.nodes[second()].end;
                let otherwise = (otherwise < data.end).then_some(otherwise);
                NodeKind::If { condition: part(1), then: second(), otherwise }
            }
            Shape::Switch(number) => {
                let Labels { nodes, has_default } = &self.labels[number as usize];
                NodeKind::Switch { condition: part(1), body: second(), labels: nodes, has_default: *has_default }
            }
            Shape::Case => NodeKind::Case(part(1)),
            Shape::Label(number) => NodeKind::Label { name: &self.names[number as usize], body: part(1) },
            Shape::While => NodeKind::While { condition: part(1), body: second() },
            Shape::DoWhile => NodeKind::DoWhile { body: part(1), condition: second() },
            Shape::For { has_init, has_condition, has_step } => {
                let mut next = part(1);
                let mut take = |is_there: bool| {
                    let part = is_there.then_some(next)?;
                    next = self.nodes[part].end;
                    Some(part)
                };
                let (init, condition, step) = (take(has_init), take(has_condition), take(has_step));
                NodeKind::For { init, condition, step, body: next }
            }
            Shape::Goto(label) => NodeKind::Goto(label),
            Shape::Break(of) => NodeKind::Break(of),
            Shape::Continue(of) => NodeKind::Continue(of),
            Shape::Return => NodeKind::Return(only),
        }
    }

    /// The parts of a node in the order of their first tokens, without parts of parts.
    pub fn parts(&self, node: Node) -> impl Iterator<Item = Node> + Clone + '_ {
        let end = self.nodes[node].end;
        let is_inside = move |part: &Node| *part < end;
        let first = Some(Node::new(node.index() + 1)).filter(is_inside);
        std::iter::successors(first, move |&part| Some(self.nodes[part].end).filter(is_inside))
    }
}
