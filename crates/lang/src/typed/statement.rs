//! Statements of a body.

use std::ops::Range;

use cranelift_entity::{EntityRef, PrimaryMap};

use super::{AddressSpace, Expression, ExpressionData, ExpressionKind, Function, Label, Statement, Type, Variable};
use crate::source::Location;
use crate::tree::Expr;

/// The body of a function.
#[derive(Debug, Default)]
pub struct Body {
    /// The parameters in order; the variables that hold them.
    pub parameters: Vec<Variable>,
    /// Those of them that are constant objects: nobody may write to them.
    pub constants: Vec<Variable>,
    /// The first of them in a function that is called with an object: where that is.
    pub object: Option<Variable>,
    /// The variables on the thread's stack, parameters among them.
    pub variables: PrimaryMap<Variable, VariableData>,
    /// The statements, numbered in the order of their first tokens: a statement before its parts.
    pub statements: PrimaryMap<Statement, StatementData>,
    /// The expressions.
    pub expressions: PrimaryMap<Expression, ExpressionData>,
    /// The calls among the expressions, in order.
    pub calls: Vec<Expression>,
    /// Which expressions are what stands behind an operand in the tree ([`Extents::postfix`](crate::tree::Extents)), in order; for what a pointer points
    /// at, the pointer.
    pub postfix: Vec<(Expression, Expr)>,
    /// The expressions of calls that are written out, from the first of each to behind its last, in order: nobody wrote them but the call.
    pub written_out: Vec<Range<Expression>>,
    /// The convergent calls, in order, that are written as something else.
    pub written_calls: Vec<WrittenCall>,
    /// The labels that `goto` can name.
    pub labels: PrimaryMap<Label, LabelData>,
    /// Those of them whose addresses are taken, in the order of that.
    pub addressed: Vec<Label>,
    /// The function that it is the body of, where that is known.
    pub function: Option<Function>,
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

    /// The functions that it calls or takes the addresses of, some of them several times.
    pub fn mentioned_functions(&self) -> impl Iterator<Item = Function> {
        self.expressions.values().filter_map(|data| match data.kind {
            ExpressionKind::Call { function, .. } | ExpressionKind::Function(function) => Some(function),
            _ => None,
        })
    }

    /// What an expression is in the tree where that stands behind an operand. O(log expressions).
    pub fn postfix(&self, expression: Expression) -> Option<Expr> {
        let index = self.postfix.binary_search_by_key(&expression, |&(at, _)| at).ok()?;
        Some(self.postfix[index].1)
    }

    /// What a call is written as, where that is something else. O(log calls).
    pub fn written_call(&self, call: Expression) -> Option<&WrittenCall> {
        let index = self.written_calls.binary_search_by_key(&call, |written| written.call).ok()?;
        Some(&self.written_calls[index])
    }

    /// Whether an expression is a part of a call that is written out. O(log calls).
    pub fn is_written_out(&self, expression: Expression) -> bool {
        let after = self.written_out.partition_point(|range| range.start <= expression);
        after.checked_sub(1).is_some_and(|index| expression < self.written_out[index].end)
    }

    /// Takes out what was added, into as much memory as it needs. The room that it was in stays, for the next function: memory that was touched
    /// just now is quicker than new one.
    pub(crate) fn take(&mut self) -> Body {
        Body {
            parameters: std::mem::take(&mut self.parameters),
            constants: std::mem::take(&mut self.constants),
            object: self.object.take(),
            variables: take(&mut self.variables),
            statements: take(&mut self.statements),
            expressions: take(&mut self.expressions),
            calls: self.calls.drain(..).collect(),
            postfix: take_in_order(&mut self.postfix),
            written_out: self.written_out.drain(..).collect(),
            written_calls: std::mem::take(&mut self.written_calls),
            labels: std::mem::take(&mut self.labels),
            addressed: std::mem::take(&mut self.addressed),
            function: self.function.take(),
            root: self.root.take(),
        }
    }
}

/// A convergent call of an intrinsic as somebody wrote it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WrittenCall {
    /// The call.
    pub call: Expression,
    /// The name of the function that the language or one of its headers declares, or the mnemonic of the instruction of inline assembly.
    pub name: String,
    /// Whether it is an instruction: nobody wrote a call.
    pub is_instruction: bool,
}

/// Takes out what is noted of expressions, and leaves its room. Nearly always it is in order: an expression that stands for a part of itself
/// (`&*f(x)`) comes late, and what was said of it first counts.
fn take_in_order(list: &mut Vec<(Expression, Expr)>) -> Vec<(Expression, Expr)> {
    if !list.is_sorted_by(|a, b| a.0 < b.0) {
        list.sort_by_key(|&(expression, _)| expression);
        list.dedup_by_key(|&mut (expression, _)| expression);
    }
    let taken = list.to_vec();
    list.clear();
    taken
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
    /// `goto *address`: to one of [`Body::addressed`]; a pointer.
    ComputedGoto(Expression),
    /// `break`, out of the innermost loop or switch.
    Break,
    /// `continue`.
    Continue,
    /// `return`; the value has the function's result type.
    Return(Option<Expression>),
}

/// The space of variables on a thread's stack.
pub const STACK: AddressSpace = AddressSpace::Private;
