//! Expressions.

use std::rc::Rc;

use cranelift_entity::EntityList;
use thin_vec::ThinVec;

use super::{
    Attribute, Expr, FunctionItem, Initializer, Large, Location, Name, Packs, Stmt, Symbol, TypeName, TypeSpecifier,
};
use crate::diagnostic::Diagnostic;

/// An expression with its place. 16 bytes, of which nothing has to be dropped: there is one for every other token.
#[derive(Debug, Clone, Copy)]
pub struct ExprData {
    /// What it is.
    pub kind: ExprKind,
    /// What a caret points at: the operator of a binary expression, assignment or `? :`, the name of a call's function, else the first token.
    pub location: Location,
}

const _: () = assert!(size_of::<ExprData>() <= 16);

/// An expression.
#[derive(Debug, Clone, Copy)]
pub enum ExprKind {
    /// A number as written.
    Number(Symbol),
    /// A character constant as written.
    Character(Symbol),
    /// `true`, `false`.
    Bool(bool),
    /// `nullptr`.
    Null,
    /// A name, with the scope that it was found in.
    Name(Name),
    /// `a[b]`.
    Index(Expr, Expr),
    /// `f(a, b)`: the arguments are a list in [`Tree::arguments`](super::Tree::arguments).
    Call(Expr, EntityList<Expr>),
    /// `a.name`, `a->name` (arrow).
    Member {
        /** Of what. */
        base: Expr,
        /** Its name. */
        name: Symbol,
        /** `->`. */
        arrow: bool,
    },
    /// `++a`, `a--`, …
    Step {
        /** What is changed. */
        operand: Expr,
        /** `++`. */
        up: bool,
        /** Before. */
        prefix: bool,
    },
    /// `+ - ! ~ * &`.
    Unary(UnaryOperator, Expr),
    /// `+ - * / % << >> & | ^ < > <= >= == != && ||`.
    Binary(BinaryOperator, Expr, Expr),
    /// `a = b`.
    Assign(Expr, Expr),
    /// `a += b` and the like; never a comparison or `&&`.
    CompoundAssign(BinaryOperator, Expr, Expr),
    /// `a, b`.
    Comma(Expr, Expr),
    /// `sizeof x`.
    SizeOf(Expr),
    /// What takes more room, in [`Tree::large`](super::Tree::large).
    Large(Large),
}

/// An expression that takes more room than most.
#[derive(Debug, Clone)]
pub enum LargeKind {
    /// Strings that follow each other, as written.
    String(Box<Strings>),
    /// `f<int, 4>` where `f` is a template of functions.
    TemplateName(Box<(Name, Vec<TemplateArgument>)>),
    /// `A<int>::x`, with the arguments of a template that it is.
    MemberOf(Box<(TypeSpecifier, Symbol, Option<Vec<TemplateArgument>>)>),
    /// `a.f<int>`, `a->f<int>`, where `f` is a template of functions.
    MemberTemplate(Box<MemberTemplate>),
    /// `T(x)`, `T{x, y}`: a conversion or a construction written as a call of a type.
    Construct(Box<Construction>),
    /// `a ? b : c`.
    Conditional(Expr, Expr, Expr),
    /// `(T)x`; `static_cast`, `reinterpret_cast`, `const_cast` (spelled in `form`).
    Cast {
        /** To what. */
        to: Box<TypeName>,
        /** Of what. */
        operand: Expr,
        /** How it is written. */
        form: CastForm,
    },
    /// OpenCL's `(float4)(a, b)`: a vector of parts.
    VectorLiteral(Box<Construction>),
    /// `(T){…}`.
    CompoundLiteral(Box<(TypeName, Initializer)>),
    /// `{…}` where what it is assigned to or returned as says of which type it is (C++).
    List(Box<Initializer>),
    /// `a.*p`, `a->*p`.
    PointedMember(Box<PointedMember>),
    /// `&A::x`, where `A` is a class: a pointer to a member if `x` is one that each object has.
    AddressOfMember(Expr),
    /// `&&label`.
    LabelAddress(Symbol),
    /// `new (place) T(x)`.
    New(Box<NewObject>),
    /// `delete p`, `delete[] p`.
    Delete(Box<DeleteObject>),
    /// `a.~T()`, `a->~T()`.
    End(Box<EndObject>),
    /// `sizeof(T)`.
    SizeOfType(Box<TypeName>),
    /// `alignof(T)`.
    AlignOf(Box<TypeName>),
    /// `({ …; x; })`: a compound statement.
    Statements(Stmt),
    /// `[…](…) { … }`.
    Lambda(Box<Lambda>),
    /// `sizeof...(T)`: of how many elements a pack is.
    SizeOfPack(Name),
    /// `x...`: once for each element of the packs in it.
    Expansion(Box<Pattern>),
    /// `(x + ...)`.
    Fold(Box<Fold>),
    /// What is not understood.
    Unknown(Box<UnknownParts>),
    /// `asm("…" : … : … : …)`.
    Assembly(Box<AssemblyParts>),
    /// A call with `[[clang::convergent]]` or `noconvergent` put on it.
    Attributed(Box<(ThinVec<Attribute>, Expr)>),
}

/// A lambda.
#[derive(Debug, Clone)]
pub struct Lambda {
    /// `=` or `&` in `[…]`: how it captures what nothing else is said about.
    pub default: Option<CaptureKind>,
    /// What else stands in `[…]`.
    pub captures: Vec<Capture>,
    /// The names in its text, each once, but for those of its parameters and of members: they may be those of variables around it.
    pub names: Vec<Symbol>,
    /// Those of them that the rest of the function, from the lambda on, may change: what is assigned to, what an address is taken of. (What is passed by reference is not known here.)
    pub changed: Vec<Symbol>,
    /// The function `operator()`; a static one where it captures nothing. Parameters with `auto` make it a template.
    pub item: Rc<FunctionItem>,
}

/// What a lambda captures.
#[derive(Debug, Clone)]
pub struct Capture {
    /// How.
    pub kind: CaptureKind,
    /// The name of the variable, or a new one for what is in `initializer`.
    pub name: Symbol,
    /// `= x`, `{x}`.
    pub initializer: Option<Initializer>,
    /// Where the name stands.
    pub location: Location,
}

/// How a lambda captures something.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CaptureKind {
    /// A copy.
    Value,
    /// The thing itself: `&x`.
    Reference,
    /// The object that the function at hand is called with: `this`.
    This,
    /// A copy of that: `*this`.
    Object,
}

/// What is understood of something that is not understood.
#[derive(Debug, Clone)]
pub struct UnknownParts {
    /// Why it is not.
    pub reason: Diagnostic,
    /// The values that it reads.
    pub read: Vec<Expr>,
    /// The places that it writes.
    pub written: Vec<Expr>,
}

impl UnknownParts {
    /// Whether nothing of it is understood.
    pub fn is_nothing(&self) -> bool {
        self.read.is_empty() && self.written.is_empty()
    }
}

/// The name of a template of member functions, with arguments.
#[derive(Debug, Clone)]
pub struct MemberTemplate {
    /// Of what.
    pub base: Expr,
    /// Its name.
    pub name: Symbol,
    /// `->`.
    pub arrow: bool,
    /// What stands in `<…>`.
    pub arguments: Vec<TemplateArgument>,
}

/// `new (place) T[n](x)`.
#[derive(Debug, Clone)]
pub struct NewObject {
    /// Where; none where the program is asked for memory.
    pub place: Box<[Expr]>,
    /// What is made, without the number.
    pub of: TypeName,
    /// How many of them, in an array.
    pub count: Option<Expr>,
    /// What it starts with.
    pub start: NewStart,
}

/// `delete p`, `delete[] p`.
#[derive(Debug, Clone)]
pub struct DeleteObject {
    /// The pointer.
    pub pointer: Expr,
    /// Whether it is one to the first element of an array.
    pub is_array: bool,
}

/// A call of a destructor.
#[derive(Debug, Clone)]
pub struct EndObject {
    /// Of what.
    pub base: Expr,
    /// `->`.
    pub arrow: bool,
    /// The type that is named.
    pub of: TypeSpecifier,
}

/// What an object starts with.
#[derive(Debug, Clone)]
pub enum NewStart {
    /// Nothing is said.
    Itself,
    /// `(x, y)`.
    Values(Box<[Expr]>),
    /// `{x, y}`.
    List(Initializer),
}

/// The member of an object that a pointer to a member says.
#[derive(Debug, Clone)]
pub struct PointedMember {
    /// Of what.
    pub base: Expr,
    /// The pointer.
    pub pointer: Expr,
    /// `->*`.
    pub arrow: bool,
}

/// A statement of inline assembly.
#[derive(Debug, Clone)]
pub struct AssemblyParts {
    /// The template, with the quotes.
    pub template: Vec<Symbol>,
    /// The first name between these, which can only be a macro that nothing defines.
    pub macro_in_template: Option<(Symbol, Location)>,
    /// What it writes.
    pub outputs: Vec<AssemblyOperand>,
    /// What it reads beside outputs that are read, too.
    pub inputs: Vec<AssemblyOperand>,
    /// What it changes beside its outputs, with the quotes: registers and `memory`.
    pub clobbers: Vec<Symbol>,
    /// Whether it is executed even if nobody uses its outputs.
    pub is_volatile: bool,
}

/// An operand of inline assembly.
#[derive(Debug, Clone, Copy)]
pub struct AssemblyOperand {
    /// What it is called in the template: `x` in `[x] "=r"(y)`.
    pub name: Option<Symbol>,
    /// The first string of its constraint, with the quotes.
    pub constraint: Symbol,
    /// The place or the value.
    pub expr: Expr,
}

/// Strings that follow each other, as written.
#[derive(Debug, Clone)]
pub struct Strings(pub Vec<Symbol>);

/// A type and what a thing of it is made from.
#[derive(Debug, Clone)]
pub struct Construction {
    /// What is made.
    pub of: TypeName,
    /// From what.
    pub parts: Box<[Expr]>,
}

/// How a cast is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CastForm {
    /// `(T)x`.
    C,
    /// `static_cast<T>(x)`.
    Static,
    /// `reinterpret_cast<T>(x)`.
    Reinterpret,
    /// `const_cast<T>(x)`.
    Const,
}

/// An expression with packs in it.
#[derive(Debug, Clone)]
pub struct Pattern {
    /// The expression.
    pub of: Expr,
    /// The packs.
    pub packs: Packs,
}

/// `(first op ...)`, `(... op last)`, `(first op ... op last)`. The one with packs is the pattern; where there are both, the other one is what the operator begins with.
#[derive(Debug, Clone)]
pub struct Fold {
    /// What stands before the `...`.
    pub first: Option<Pattern>,
    /// What stands behind it.
    pub last: Option<Pattern>,
    /// The operator; none for a comma.
    pub operator: Option<BinaryOperator>,
}

/// A type or a value given to a template.
#[derive(Debug, Clone)]
pub enum TemplateArgument {
    /// A type.
    Type(TypeName),
    /// A constant.
    Value(Expr),
    /// `T...`: any number of them.
    Expansion(Box<TemplateArgument>, Packs),
}

/// An operator before its operand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum UnaryOperator {
    Plus,
    Minus,
    Not,
    Complement,
    Dereference,
    AddressOf,
}

pub use reconverge_operations::recipe::BinaryOperator;
