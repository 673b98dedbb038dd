//! What was written: the syntax tree, names not looked up, no types.
//!
//! The parser knows which names are types and templates (C cannot be parsed otherwise), and nothing else. A construct outside of the
//! subset inside a function makes that function's body [`Body::Unsupported`]; the rest of the file stands.
//!
//! **Invariant.** Both are numbered within an arena for the whole file: statements in the order of their first tokens (those of a lambda before the statement
//! that it is in), expressions in the order of their last ones, parts before wholes. `end` is the last token. What a macro made has the location of the macro's use.
//! After an error there may be statements and expressions that are part of nothing.

use std::borrow::Cow;
use std::cell::Cell;
use std::rc::Rc;

use cranelift_entity::{ListPool, PrimaryMap, entity_impl};
use rustc_hash::FxHashMap;
use thin_vec::ThinVec;

use crate::diagnostic::Diagnostic;
use crate::source::{Location, TokenRange};
use crate::token::{Symbol, Symbols};

mod declaration;
mod expression;
mod scope;
mod statement;

pub use declaration::*;
pub use expression::*;
pub use scope::*;
pub use statement::*;

/// An expression of the file.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Expr(u32);
entity_impl!(Expr, "e");

/// An expression of the file that takes more room than most.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Large(u32);
entity_impl!(Large, "large");

/// A statement of the file.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Stmt(u32);
entity_impl!(Stmt, "s");

/// The body of a function that is defined in a class.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MemberBody(u32);
entity_impl!(MemberBody, "body");

/// A declaration inside of a function.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Decl(u32);
entity_impl!(Decl, "decl");

/// The attributes of a statement that has some.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Attributes(u32);
entity_impl!(Attributes, "attributes");

/// A file after preprocessing.
#[derive(Debug, Default)]
pub struct Tree {
    /// The expressions.
    pub expressions: PrimaryMap<Expr, ExprData>,
    /// What those are that take more room than most ([`ExprKind::Large`]).
    pub large: PrimaryMap<Large, LargeKind>,
    /// The statements.
    pub statements: PrimaryMap<Stmt, StmtData>,
    /// The declarations inside of functions.
    pub declarations: PrimaryMap<Decl, Declaration>,
    /// The bodies of functions that are defined in classes: they are read when their class is complete.
    pub bodies: PrimaryMap<MemberBody, MemberBodyData>,
    /// The attributes of statements.
    pub attributes: PrimaryMap<Attributes, ThinVec<Attribute>>,
    /// The arguments of all calls.
    pub arguments: ListPool<Expr>,
    /// The parts of all compound statements.
    pub parts: ListPool<Stmt>,
    /// The namespaces, classes and enumerations, and the names in them.
    pub scopes: Scopes,
    /// From where to where expressions are written.
    pub extents: Extents,
    /// What stands at the top, in order. Namespaces are opened up: their members stand here, with names in the scopes of these.
    pub items: Vec<Item>,
}

impl Tree {
    /// What an expression is, if that takes more room than most.
    pub fn large(&self, expr: Expr) -> Option<&LargeKind> {
        match self.expressions[expr].kind {
            ExprKind::Large(number) => Some(&self.large[number]),
            _ => None,
        }
    }

    /// A body, wherever it is kept.
    pub fn body<'a>(&'a self, body: &'a Body) -> &'a Body {
        match *body {
            Body::Member(number) => &self.bodies[number].body,
            _ => body,
        }
    }

    /// What a constructor starts the members and bases with.
    pub fn initializers(&self, body: &Body) -> &[MemberInitializer] {
        match *body {
            Body::Member(number) => &self.bodies[number].initializers,
            _ => &[],
        }
    }

    /// The attributes of a statement.
    pub fn attributes(&self, stmt: Stmt) -> &[Attribute] {
        self.statements[stmt].attributes.expand().map_or(&[], |attributes| &self.attributes[attributes])
    }
}

/// From where to where expressions are written, without parentheses around them. Expressions of one token are not here.
#[derive(Debug, Default)]
pub struct Extents {
    /// Operators before and between operands, casts and constructions, by their locations. In no order.
    pub operators: Vec<(Location, TokenRange)>,
    /// What stands behind an operand (`a[b]`, `f(a)`, `a.b`, `a++`): the location is that of the operand, so each has its number. In order.
    pub postfix: Vec<(Expr, TokenRange)>,
    /// The names by which those are called that are calls. In order.
    pub calls: Vec<(Expr, Name)>,
    /// Names with `::`, with their tokens. In order.
    pub qualified: Vec<(Expr, TokenRange)>,
}

/// [`Extents`] for looking them up.
#[derive(Debug)]
pub struct ExtentTable<'a> {
    extents: &'a Extents,
    scopes: &'a Scopes,
    symbols: &'a Symbols,
    /// In order.
    operators: Vec<(Location, TokenRange)>,
    /// Where the last operator was that was found: the next one is mostly near.
    latest: Cell<usize>,
    qualified: FxHashMap<Location, Location>,
}

impl<'a> ExtentTable<'a> {
    /// O(n log n), and O(n) where expressions stand in the order of the text.
    pub fn new(extents: &'a Extents, scopes: &'a Scopes, symbols: &'a Symbols) -> ExtentTable<'a> {
        let mut operators = extents.operators.clone();
        operators.sort_by_key(|&(location, _)| location);
        // Out of one macro: the outermost came last.
        operators.reverse();
        operators.dedup_by_key(|&mut (location, _)| location);
        operators.reverse();
        let qualified = extents.qualified.iter().map(|(_, tokens)| (tokens.first, tokens.last)).collect();
        ExtentTable { extents, scopes, symbols, operators, latest: Cell::new(0), qualified }
    }

    /// The extent of what stands behind an operand. O(log expressions).
    pub fn postfix(&self, expr: Expr) -> Option<TokenRange> {
        find(&self.extents.postfix, expr)
    }

    /// The name by which a function is called. O(log calls).
    pub fn call_name(&self, expr: Expr) -> Option<Cow<'a, str>> {
        find(&self.extents.calls, expr).map(|name| self.scopes.text(name, self.symbols))
    }

    /// The extent of the operator at a location. O(log operators), and O(1) near the one before.
    pub fn operator(&self, location: Location) -> Option<TokenRange> {
        const NEAR: usize = 32;
        let latest = self.latest.get();
        let near = latest.saturating_sub(NEAR)..(latest + NEAR).min(self.operators.len());
        let is_near = match &self.operators[near.clone()] {
            [first, .., last] => first.0 <= location && location <= last.0,
            _ => false,
        };
        let searched = if is_near { near } else { 0..self.operators.len() };
        let found = self.operators[searched.clone()].binary_search_by_key(&location, |&(at, _)| at);
        self.latest.set(searched.start + found.unwrap_or_else(|before| before));
        Some(self.operators[searched.start + found.ok()?].1)
    }

    /// The extent of a name. O(1).
    pub fn name(&self, location: Location) -> TokenRange {
        TokenRange { first: location, last: self.qualified.get(&location).copied().unwrap_or(location) }
    }
}

fn find<T: Copy>(list: &[(Expr, T)], expr: Expr) -> Option<T> {
    let index = list.binary_search_by_key(&expr, |&(at, _)| at).ok()?;
    Some(list[index].1)
}

/// Something at the top of a file.
#[derive(Debug)]
pub enum Item {
    /// A function with or without a body.
    Function(Box<FunctionItem>),
    /// Variables, typedefs, and type definitions that stand alone.
    Declaration(Declaration),
    /// A template of classes, or a specialisation of one.
    ClassTemplate(Box<ClassTemplate>),
    /// `template<…> using A = T;`.
    AliasTemplate(Box<AliasTemplate>),
    /// A template of variables, or a specialisation of one.
    VariableTemplate(Box<VariableTemplate>),
    /// `static_assert(condition, "message")`.
    StaticAssert(Expr, Location),
    /// The host launches a kernel that is a template, or calls a template that may.
    Launch(Launch),
}

/// The launch of a kernel that is a template, or the call of a template of the host, as far as the arguments of the template are known.
#[derive(Debug)]
pub struct Launch {
    /// The template.
    pub name: Name,
    /// What stands in `<…>`.
    pub arguments: Vec<TemplateArgument>,
    /// What it is launched or called with, as far as that is known.
    pub operands: Vec<Option<LaunchOperand>>,
    /// Where the name stands.
    pub location: Location,
}

/// What a kernel is launched with, or a template of the host called with.
#[derive(Debug)]
pub enum LaunchOperand {
    /// Something of a type.
    Of(TypeName),
    /// A lambda of the host.
    Lambda(Rc<HostLambda>),
}

/// A lambda in a function of the host, which the device may execute.
#[derive(Debug)]
pub struct HostLambda {
    /// The lambda, a [`LargeKind::Lambda`].
    pub lambda: Large,
    /// The variables around it that it may capture, as far as their types are known.
    pub around: Vec<(Symbol, TypeName)>,
    /// Where it begins.
    pub location: Location,
}

/// A template of classes, or a specialisation of one.
#[derive(Debug)]
pub struct ClassTemplate {
    /// What stands in `template<…>`. Empty for `template<>`: an explicit specialisation.
    pub parameters: Vec<TemplateParameter>,
    /// What stands after the name of a specialisation.
    pub arguments: Option<Vec<TemplateArgument>>,
    /// The class, which has a name.
    pub record: Record,
}

/// A template of types that are known by other names.
#[derive(Debug)]
pub struct AliasTemplate {
    /// What stands in `template<…>`.
    pub parameters: Vec<TemplateParameter>,
    /// The name.
    pub name: Name,
    /// What it stands for.
    pub of: TypeName,
    /// Where the name stands.
    pub location: Location,
}

/// A template of variables, or a specialisation of one: `template<…> constexpr int n = …;`.
#[derive(Debug)]
pub struct VariableTemplate {
    /// What stands in `template<…>`. Empty for `template<>`: an explicit specialisation.
    pub parameters: Vec<TemplateParameter>,
    /// What stands after the name of a specialisation.
    pub arguments: Option<Vec<TemplateArgument>>,
    /// The variable, which is the only one.
    pub declaration: Declaration,
}

/// A function with or without a body.
#[derive(Debug)]
pub struct FunctionItem {
    /// Whether it is a constructor or another function that is not called by its name.
    pub kind: FunctionKind,
    /// `template<…>`, where there is one. Empty for `template<>`: an explicit specialisation.
    pub template: Option<Vec<TemplateParameter>>,
    /// Of a template, how it is written up to its body: equal numbers are equal tokens.
    pub spelling: u64,
    /// What stands after the name: `<int, 4>` of an explicit specialisation (`template` is empty then) or instantiation
    /// (`template` is none and there is no body; empty where the arguments are to be deduced). None for anything else.
    pub arguments: Option<Vec<TemplateArgument>>,
    /// Of an explicit specialisation of a function of a class, what stands after the name of the class: `<float, 1>` of `template <> int A<float, 1>::f()`.
    pub class_arguments: Option<Vec<TemplateArgument>>,
    /// Result type, storage, qualifiers, attributes.
    pub specifiers: Specifiers,
    /// The name and the parameters; [`Declarator::Function`] is outermost but for pointers of the result.
    pub declarator: DeclaratorData,
    /// What it does.
    pub body: Body,
    /// What a template of the host launches and calls. Of other functions each is an [`Item`] of its own.
    pub launches: Vec<Launch>,
}

impl FunctionItem {
    /// A function that is called by its name and is no template.
    pub fn new(specifiers: Specifiers, declarator: DeclaratorData, body: Body) -> Self {
        Self {
            kind: FunctionKind::Named,
            template: None,
            spelling: 0,
            arguments: None,
            class_arguments: None,
            specifiers,
            declarator,
            body,
            launches: Vec::new(),
        }
    }
}

/// What a function is to its class.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FunctionKind {
    /// A function that is called by its name, or by its operator.
    Named,
    /// A constructor.
    Constructor,
    /// A destructor.
    Destructor,
    /// A conversion to another type, which is its result.
    Conversion,
}

/// The body of a function that is defined in a class.
#[derive(Debug)]
pub struct MemberBodyData {
    /// What stands after the `:` of a constructor.
    pub initializers: Vec<MemberInitializer>,
    /// What it does.
    pub body: Body,
}

/// What a constructor starts a member or a base with.
#[derive(Debug)]
pub struct MemberInitializer {
    /// The member or the base.
    pub name: Symbol,
    /// `(x)`, `{x}`; more than one value is a list.
    pub initializer: Initializer,
    /// Where the name stands.
    pub location: Location,
}

/// The body of a function.
#[derive(Debug)]
pub enum Body {
    /// Only declared.
    None,
    /// `= default`: what the language makes of it.
    Default,
    /// `= 0`: classes that are derived define it.
    Pure,
    /// `= delete`: it is not to be called.
    Deleted,
    /// It is defined in a class.
    Member(MemberBody),
    /// A compound statement.
    Statement(Stmt),
    /// A construct outside of the subset stands in it; the diagnostic names it.
    Unsupported(Diagnostic),
    /// Only the host executes it (CUDA and HIP): it was not looked into.
    Host,
}
