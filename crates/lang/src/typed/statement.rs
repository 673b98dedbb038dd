//! Statements of a body.

use cranelift_entity::{EntityRef, PrimaryMap};

use super::{AddressSpace, Expression, ExpressionData, ExpressionKind, Label, Statement, Type, Variable};
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
    /// The calls among the expressions, in order.
    pub calls: Vec<Expression>,
    /// The labels that `goto` can name.
    pub labels: PrimaryMap<Label, LabelData>,
    /// The compound statement that is the body: statement 0 when there is one at all.
    pub root: Option<Statement>,
}

impl Body {
    /// Adds an expression.
    #[inline]
    pub fn push(&mut self, data: ExpressionData) -> Expression {
        if let ExpressionKind::Call { .. } | ExpressionKind::CallPointer { .. } = data.kind {
            self.calls.push(self.expressions.next_key());
        }
        self.expressions.push(data)
    }

    /// Takes out what was added, into as much memory as it needs. The room that it was in stays, for the next function: memory that was touched
    /// just now is quicker than new one.
    pub(crate) fn take(&mut self) -> Body {
        Body {
            parameters: std::mem::take(&mut self.parameters),
            variables: take(&mut self.variables),
            statements: take(&mut self.statements),
            expressions: take(&mut self.expressions),
            calls: self.calls.drain(..).collect(),
            labels: std::mem::take(&mut self.labels),
            root: self.root.take(),
        }
    }
}

/// Takes out the elements, and leaves their room.
fn take<K: EntityRef, V>(map: &mut PrimaryMap<K, V>) -> PrimaryMap<K, V> {
    let mut room = Vec::from(std::mem::take(map));
    let mut taken = Vec::with_capacity(room.len());
    taken.append(&mut room);
    *map = room.into();
    taken.into()
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

/// A statement with its place. 48 bytes.
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

const _: () = assert!(size_of::<StatementData>() <= 48);

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
        labels: Box<[Statement]>,
    },
    /// `case first ... last:`, both of the type of the condition.
    Case {
        /** The first and the last value. */
        values: Box<(i128, i128)>,
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
