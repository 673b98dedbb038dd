//! Statements.

use cranelift_entity::EntityList;
use cranelift_entity::packed_option::PackedOption;

use super::{Attributes, Decl, Expr, Location, Stmt, Symbol};

/// A statement with its place. 36 bytes, of which nothing has to be dropped.
#[derive(Debug, Clone, Copy)]
pub struct StmtData {
    /// What it is.
    pub kind: StmtKind,
    /// `[[…]]` or `__attribute__((…))` before it, such as `noconvergent`.
    pub attributes: PackedOption<Attributes>,
    /// The first token.
    pub location: Location,
    /// The last token.
    pub end: Location,
}

const _: () = assert!(size_of::<StmtData>() <= 36);

/// A statement.
#[derive(Debug, Clone, Copy)]
pub enum StmtKind {
    /// `;`
    Empty,
    /// `{ … }`: a list in [`Tree::parts`](super::Tree::parts).
    Compound(EntityList<Stmt>),
    /// `x;`
    Expression(Expr),
    /// `int x = 1;`
    Declaration(Decl),
    /// `if (init; condition) then else otherwise`; `if constexpr` too.
    If {
        /** `if (init; …)`. */
        init: PackedOption<Stmt>,
        /** What is asked. */
        condition: Condition,
        /** Where true. */
        then: Stmt,
        /** Where false. */
        otherwise: PackedOption<Stmt>,
        /** `if constexpr`. */
        is_constexpr: bool,
    },
    /// `switch (init; condition) body`.
    Switch {
        /** `switch (init; …)`. */
        init: PackedOption<Stmt>,
        /** What is asked. */
        condition: Condition,
        /** What holds the labels. */
        body: Stmt,
    },
    /// `case low ... high: body`; the body is the next statement, [`StmtKind::Empty`] before `}`.
    Case {
        /** The value. */
        low: Expr,
        /** The last value of a range. */
        high: Option<Expr>,
        /** What follows. */
        body: Stmt,
    },
    /// `default: body`.
    Default {
        /** What follows. */
        body: Stmt,
    },
    /// `name: body`.
    Label {
        /** The name. */
        name: Symbol,
        /** What follows. */
        body: Stmt,
    },
    /// `while (condition) body`.
    While {
        /** What is asked. */
        condition: Condition,
        /** What is repeated. */
        body: Stmt,
    },
    /// `do body while (condition);`
    DoWhile {
        /** What is repeated. */
        body: Stmt,
        /** What is asked. */
        condition: Expr,
    },
    /// `for (init; condition; step) body`.
    For {
        /** What is done first. */
        init: PackedOption<Stmt>,
        /** What is asked. */
        condition: Option<Condition>,
        /** What is done after the body. */
        step: PackedOption<Expr>,
        /** What is repeated. */
        body: Stmt,
    },
    /// `for (declaration : range) body`; the declaration has one declarator without initialiser.
    RangeFor {
        /** The variable. */
        variable: Decl,
        /** What is gone through. */
        range: Expr,
        /** What is repeated. */
        body: Stmt,
    },
    /// `goto name;`
    Goto(Symbol),
    /// `goto *address;`
    ComputedGoto(Expr),
    /// `break;`
    Break,
    /// `continue;`
    Continue,
    /// `return x;`
    Return(Option<Expr>),
    /// `static_assert(condition)`.
    StaticAssert(Expr),
}

/// What `if` and loops ask: a value, or a variable that is declared there (`if (int x = f())`).
#[derive(Debug, Clone, Copy)]
pub enum Condition {
    /// A value.
    Expression(Expr),
    /// A variable with its initialiser.
    Declaration(Decl),
}
