//! What is known of the function that is being checked.

use rustc_hash::{FxHashMap, FxHashSet};

use super::Operand;
use super::names::Names;
use super::written::{Argument, Written};
use crate::source::Location;
use crate::token::Symbol;
use crate::tree::{Expr, Name, Scope};
use crate::typed::{Body, Constant, Expression, Label, Statement, Struct, Unknown, Variable};

/// One function, or an expression outside of functions.
#[derive(Debug, Default)]
pub(crate) struct State {
    pub(crate) body: Body,
    pub(crate) names: Names,
    /// Places that are given up: references with `&&` are meant for them, as for values.
    pub(crate) given_up: FxHashSet<Expression>,
    /// The function's name as written; empty outside of functions.
    pub(crate) function: String,
    /// The scope that it is declared in.
    pub(crate) scope: Scope,
    /// The class that it is a member of, or that is being defined.
    pub(crate) class: Option<Struct>,
    /// Whether the members of a class are being declared.
    pub(crate) is_in_class: bool,
    /// The object that it is called with.
    pub(crate) this: Option<This>,
    /// The parameters that hold what a reference refers to: nobody can change that.
    pub(crate) references: Vec<Variable>,
    /// The arguments of the templates that it is in, by the names of their parameters.
    pub(crate) arguments: Vec<(Name, Argument)>,
    /// What it returns; none until the first `return` where that is `auto`.
    pub(crate) result: Option<Written>,
    pub(crate) labels: FxHashMap<Symbol, LabelState>,
    pub(crate) gotos: Vec<GotoState>,
    /// The labels whose addresses are taken, with where that is.
    pub(crate) addressed: Vec<(Symbol, Location)>,
    /// The loops and switches around, innermost last.
    pub(crate) targets: Vec<Target>,
    /// The `noconvergent` statements around, innermost last.
    pub(crate) noconvergent: Vec<Statement>,
    /// One after the last part of each `noconvergent` statement that is closed.
    pub(crate) closed: FxHashMap<Statement, Statement>,
    /// The objects in scope that have something to do at their ends, innermost last.
    pub(crate) live: Vec<Live>,
    /// Those that nobody named, of the statement at hand.
    pub(crate) temporaries: Vec<Live>,
    /// How many of `live` there are around each of `targets`.
    pub(crate) live_around: Vec<usize>,
    /// The values of constant variables.
    pub(crate) known: FxHashMap<Variable, Constant>,
    /// In so many branches of `if constexpr` of which nothing says whether they are there.
    pub(crate) under_open_constants: u32,
    /// How many instances of templates needed this one.
    pub(crate) instance_depth: usize,
    /// How deep statements and expressions are nested.
    pub(crate) depth: usize,
    /// How many conversions by constructors are being made, one for an argument of another.
    pub(crate) conversions: u32,
    /// The operands that are evaluated for expressions that are not finished, with the depth of nesting at which they stand. Only where
    /// what is wrong becomes unknown.
    pub(crate) finished: Vec<(usize, Operand)>,
    /// The variables of which lambdas have copies that stand for the variables themselves.
    pub(crate) copied: FxHashSet<Variable>,
    /// The variables that a `for` declares.
    pub(crate) counters: Vec<Variable>,
    /// Those that one steps.
    pub(crate) stepped: Vec<Variable>,
    /// Numbers and pointers that start with what is computed. Only where what is wrong becomes unknown.
    pub(crate) computed: FxHashSet<Variable>,
    /// Places of which nothing is known but what they are parts of.
    pub(crate) parts: FxHashMap<Expression, Part>,
    /// Whether it is found out if a template may be given something. What its classes lack rules it out then, and is not unknown.
    pub(crate) is_substituting: bool,
    /// Whether some of its parameters are those of a macro that nothing defines.
    pub(crate) has_host_parameters: bool,
    /// What is not known.
    pub(crate) unknown: Vec<Unknown>,
    /// The parameters of templates of which nothing says what they stand for.
    pub(crate) open: Vec<Unknown>,
    /// Something is wrong: it is not part of the program.
    pub(crate) is_broken: bool,
}

/// An object, or a part of one, that has something to do at its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Live {
    /// In a variable.
    Variable(Variable, Written),
    /// A base of the object at hand.
    Base(Struct),
    /// A member of the object at hand.
    Member(Symbol),
}

/// The object that a function of a class is called with.
#[derive(Debug, Clone, Copy)]
pub(crate) enum This {
    /// A variable that holds its address, and its type.
    Pointer(Variable, Written),
    /// A variable that holds a copy: of a lambda that changes nothing of it.
    Value(Variable, Written),
}

/// What a place is a part of.
#[derive(Debug, Clone)]
pub(crate) struct Part {
    /// As it is written.
    pub(crate) expr: Expr,
    /// Objects, or what points to them, and indices.
    pub(crate) of: Box<[Operand]>,
    /// Whether it is a member of an object.
    pub(crate) is_member: bool,
    /// How many such places it is made of, one of another.
    pub(crate) depth: u32,
}

/// A label.
#[derive(Debug)]
pub(crate) struct LabelState {
    pub(crate) label: Label,
    /// Where it stands; none while only `goto`s name it.
    pub(crate) defined: Option<Location>,
    /// The objects in scope there.
    pub(crate) live: Vec<Live>,
    /// The innermost `noconvergent` statement around it.
    pub(crate) noconvergent: Option<Statement>,
}

/// A `goto`.
#[derive(Debug)]
pub(crate) struct GotoState {
    /// The label; none for a computed `goto`.
    pub(crate) name: Option<Symbol>,
    pub(crate) statement: Statement,
    /// The objects in scope.
    pub(crate) live: Vec<Live>,
    /// The statement before it in which those end that are not in scope at the label; none where no objects are in scope.
    pub(crate) ended: Option<Statement>,
    pub(crate) location: Location,
}

/// What `break` and `continue` leave.
#[derive(Debug)]
pub(crate) enum Target {
    Loop,
    Switch(Box<SwitchState>),
}

/// A `switch`.
#[derive(Debug)]
pub(crate) struct SwitchState {
    /// The type that is asked for.
    pub(crate) of: Written,
    pub(crate) labels: Vec<Statement>,
    /// The values so far, in order: first, last, where.
    pub(crate) values: std::collections::BTreeMap<i128, (i128, Location)>,
    pub(crate) default: Option<Location>,
    pub(crate) location: Location,
    /// The innermost `noconvergent` statement around it.
    pub(crate) noconvergent: Option<Statement>,
}
