//! Statements of a body.

use cranelift_entity::PrimaryMap;

use super::{AddressSpace, Expression, ExpressionData, Label, Statement, Type, Variable};
use crate::source::Location;

/// The body of a function.
#[derive(Debug, Default)]
pub struct Body {
    /// The parameters in order; the variables that hold them.
    pub parameters: Vec<Variable>,
    /// The variables on the thread's stack, parameters among them.
    pub variables: PrimaryMap<Variable, VariableData>,
    /// The statements, numbered in the order of their first tokens: a statement before its parts.
    pub statements: PrimaryMap<Statement, StatementData>,
    /// The expressions.
    pub expressions: PrimaryMap<Expression, ExpressionData>,
    /// The labels that `goto` can name.
    pub labels: PrimaryMap<Label, LabelData>,
    /// The compound statement that is the body: statement 0 when there is one at all.
    pub root: Option<Statement>,
}

impl Body {
    /// Nothing, with room for what a usual function has.
    pub fn with_room() -> Body {
        Body {
            variables: PrimaryMap::with_capacity(16),
            statements: PrimaryMap::with_capacity(32),
            expressions: PrimaryMap::with_capacity(128),
            ..Body::default()
        }
    }

    /// Gives back what memory is not needed, once nothing is added any more.
    pub fn shrink_to_fit(&mut self) {
        self.variables.shrink_to_fit();
        self.statements.shrink_to_fit();
        self.expressions.shrink_to_fit();
    }
}

/// A variable on a thread's stack.
#[derive(Debug, Clone)]
pub struct VariableData {
    /// Its name; empty for one that the translation needs.
    pub name: String,
    /// The type of what is there.
    pub of: Type,
    /// Its alignment in bytes, if it is more than that of the type.
    pub alignment: Option<u32>,
    /// Where it is declared.
    pub location: Location,
}

/// A label.
#[derive(Debug, Clone)]
pub struct LabelData {
    /// Its name.
    pub name: String,
    /// The statement that it labels: a [`StatementKind::Label`].
    pub statement: Statement,
}

/// A statement with its place.
#[derive(Debug, Clone)]
pub struct StatementData {
    /// What it is.
    pub kind: StatementKind,
    /// Whether it is marked `noconvergent`.
    pub is_noconvergent: bool,
    /// The first token.
    pub location: Location,
    /// The last token.
    pub end: Location,
}

/// A statement. All conditions are of type bool (those of `switch` are integers).
#[derive(Debug, Clone)]
pub enum StatementKind {
    /// `;`
    Empty,
    /// `{ … }`
    Compound(Vec<Statement>),
    /// A full expression whose value is not used.
    Expression(Expression),
    /// A variable begins its life; the full expression assigns what it starts with, if anything. A variable of array or struct type with a list of
    /// initialisers has an [`ExpressionKind::InitializeZero`](super::ExpressionKind) and assignments, joined by commas.
    Declare(Variable, Option<Expression>),
    /// `if`.
    If {
        /** A bool. */
        condition: Expression,
        /** Where true. */
        then: Statement,
        /** Where false. */
        otherwise: Option<Statement>,
    },
    /// `switch`. The statements of kind Case and Default that belong to it stand in `labels`, in order.
    Switch {
        /** An integer. */
        condition: Expression,
        /** What holds the labels. */
        body: Statement,
        /** The labels. */
        labels: Vec<Statement>,
    },
    /// `case low ... high:`, both of the type of the condition.
    Case {
        /** The first value. */
        low: i128,
        /** The last value. */
        high: i128,
        /** What follows. */
        body: Statement,
    },
    /// `default:`
    Default {
        /** What follows. */
        body: Statement,
    },
    /// `name:`
    Label {
        /** Which. */
        label: Label,
        /** What follows. */
        body: Statement,
    },
    /// `while`.
    While {
        /** A bool. */
        condition: Expression,
        /** What is repeated. */
        body: Statement,
    },
    /// `do … while`.
    DoWhile {
        /** What is repeated. */
        body: Statement,
        /** A bool. */
        condition: Expression,
    },
    /// `for`. A range-`for` is one too, in a compound with the variables it needs.
    For {
        /** What is done first. */
        init: Option<Statement>,
        /** A bool. */
        condition: Option<Expression>,
        /** What is done after the body. */
        step: Option<Expression>,
        /** What is repeated. */
        body: Statement,
    },
    /// `goto`.
    Goto(Label),
    /// `break`, out of the innermost loop or switch.
    Break,
    /// `continue`.
    Continue,
    /// `return`; the value has the function's result type.
    Return(Option<Expression>),
}

/// The space of variables on a thread's stack.
pub const STACK: AddressSpace = AddressSpace::Private;
