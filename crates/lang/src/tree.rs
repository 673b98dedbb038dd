//! What was written: the syntax tree, names not looked up, no types.
//!
//! The parser knows which names are types and templates (C cannot be parsed otherwise), and nothing else. A construct outside of the
//! subset inside a function makes that function's body [`Body::Unsupported`]; the rest of the file stands.
//!
//! **Invariant.** Both are numbered within an arena for the whole file: statements in the order of their first tokens, expressions in
//! the order of their last ones, parts before wholes. `end` is the last token. What a macro made has the location of the macro's use.
//! After an error there may be statements and expressions that are part of nothing.

use cranelift_entity::packed_option::PackedOption;
use cranelift_entity::{EntityList, ListPool, PrimaryMap, entity_impl};
use thin_vec::ThinVec;

use crate::diagnostic::Diagnostic;
use crate::source::Location;
use crate::token::Symbol;

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
    /// The attributes of statements.
    pub attributes: PrimaryMap<Attributes, ThinVec<Attribute>>,
    /// The arguments of all calls.
    pub arguments: ListPool<Expr>,
    /// The parts of all compound statements.
    pub parts: ListPool<Stmt>,
    /// What stands at the top, in order. Namespaces are opened up: their members stand here with qualified names.
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

    /// The attributes of a statement.
    pub fn attributes(&self, stmt: Stmt) -> &[Attribute] {
        self.statements[stmt].attributes.expand().map_or(&[], |attributes| &self.attributes[attributes])
    }
}

/// Something at the top of a file.
#[derive(Debug)]
pub enum Item {
    /// A function with or without a body.
    Function(Box<FunctionItem>),
    /// Variables, typedefs, and type definitions that stand alone.
    Declaration(Declaration),
    /// `static_assert(condition, "message")`.
    StaticAssert(Expr, Location),
}

/// A function with or without a body.
#[derive(Debug)]
pub struct FunctionItem {
    /// `template<…>`, where there is one. Empty for `template<>`: an explicit specialisation.
    pub template: Option<Vec<TemplateParameter>>,
    /// What stands after the name: `<int, 4>` of an explicit specialisation (`template` is empty then) or instantiation
    /// (`template` is none and there is no body; empty where the arguments are to be deduced). None for anything else.
    pub arguments: Option<Vec<TemplateArgument>>,
    /// Result type, storage, qualifiers, attributes.
    pub specifiers: Specifiers,
    /// The name and the parameters; [`Declarator::Function`] is outermost but for pointers of the result.
    pub declarator: DeclaratorData,
    /// What it does.
    pub body: Body,
}

/// The body of a function.
#[derive(Debug)]
pub enum Body {
    /// Only declared.
    None,
    /// A compound statement.
    Statement(Stmt),
    /// A construct outside of the subset stands in it; the diagnostic names it.
    Unsupported(Diagnostic),
}

/// A parameter of a template of functions.
#[derive(Debug, Clone)]
pub enum TemplateParameter {
    /// `typename T = default`.
    Type {
        /** Its name. */
        name: Option<Symbol>,
        /** Its default. */
        default: Option<TypeName>,
    },
    /// `int N = default`.
    Value {
        /** Its type. */
        of: TypeName,
        /** Its name. */
        name: Option<Symbol>,
        /** Its default. */
        default: Option<Expr>,
    },
}

/// Variables, typedefs or a type definition: `specifiers declarator = initializer, …;`.
#[derive(Debug, Clone)]
pub struct Declaration {
    /// What all of them share.
    pub specifiers: Specifiers,
    /// One for each name; none for a type definition that stands alone.
    pub declarators: Vec<InitDeclarator>,
    /// The first token.
    pub location: Location,
}

/// A declared name with its initialiser.
#[derive(Debug, Clone)]
pub struct InitDeclarator {
    /// The name and what is put around the type.
    pub declarator: DeclaratorData,
    /// `= x`, `= {…}`, `{…}` or `(x)`; `(x, y)` is a list.
    pub initializer: Option<Initializer>,
    /// The width of a bit-field.
    pub bits: Option<Expr>,
}

/// What a variable starts with, or a part of it.
#[derive(Debug, Clone)]
pub enum Initializer {
    /// A value.
    Expression(Expr),
    /// `{ [3] = x, .field = y, z }`; the designators of an element may be several.
    List(ThinVec<(ThinVec<Designator>, Initializer)>, Location),
}

/// Which part of an aggregate an initialiser is for.
#[derive(Debug, Clone)]
pub enum Designator {
    /// `[n]`.
    Index(Expr),
    /// `.name`.
    Field(Symbol, Location),
}

/// What stands before the declarators.
#[derive(Debug, Clone, Default)]
pub struct Specifiers {
    /// The type; none where there is only `static`, `const` or nothing.
    pub of: Option<TypeSpecifier>,
    /// `typedef` (also `using A = …`).
    pub is_typedef: bool,
    /// `extern`.
    pub is_extern: bool,
    /// `extern "C"`, also of the braces around it: the name is not mangled.
    pub is_extern_c: bool,
    /// `static`.
    pub is_static: bool,
    /// `inline`, `__forceinline__` and the like.
    pub is_inline: bool,
    /// `const`.
    pub is_const: bool,
    /// `constexpr`.
    pub is_constexpr: bool,
    /// `volatile`.
    pub is_volatile: bool,
    /// `__global T`, `__local`, `__shared__` (a local), `__constant__`, `__device__` on variables is [`AddressSpace::Global`].
    pub space: Option<AddressSpace>,
    /// `kernel`, `__kernel`, `__global__` (CUDA and HIP), and `__attribute__((global))`.
    pub is_kernel: bool,
    /// `__device__`. (A function with `__host__` alone is kept, and marked.)
    pub is_device: bool,
    /// `__host__`.
    pub is_host: bool,
    /// `__attribute__((…))`, `[[…]]`, `__launch_bounds__(…)`, one for each name.
    pub attributes: ThinVec<Attribute>,
    /// The first token.
    pub location: Location,
}

/// An attribute, without underscores and namespace: `convergent`, `noconvergent`, `reqd_work_group_size`, `launch_bounds`.
#[derive(Debug, Clone)]
pub struct Attribute {
    /// The name.
    pub name: Symbol,
    /// What stands in parentheses, as far as it is expressions.
    pub arguments: Vec<Expr>,
    /// Where.
    pub location: Location,
}

/// An address space of the language.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum AddressSpace {
    /// A thread's own memory.
    Private,
    /// Memory of the device.
    Global,
    /// Memory of the device that is not written.
    Constant,
    /// A workgroup's memory: `__local`, `__shared__`.
    Local,
    /// Any of private, global and local.
    Generic,
}

/// A type as written.
#[derive(Debug, Clone)]
pub enum TypeSpecifier {
    /// `unsigned long long`, `bool`, `half`, `void`, `size_t`, `uint`: what C and the dialect have built in.
    Builtin(BuiltinType),
    /// A typedef, struct tag (C++), enum, or template parameter, qualified with `::` where it is.
    Named(Symbol, Location),
    /// `struct S`, `union U`, with or without members. Names of unnamed ones are none.
    Record(Box<Record>),
    /// `enum E { A, B = 3 }`.
    Enum(Box<EnumSpecifier>),
    /// `auto`.
    Auto,
    /// `typeof(x)`, `decltype(x)`.
    TypeOf(Expr),
    /// `typeof(type)`.
    TypeOfType(Box<TypeName>),
}

/// What C and the dialects have built in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum BuiltinType {
    /// `void`.
    Void,
    /// `bool`, `_Bool`.
    Bool,
    /// An integer of 8, 16, 32, 64 or 128 bits. `long` is 64, `char` is signed.
    Integer {
        /** How many bits. */
        bits: u8,
        /** Whether it has a sign. */
        signed: bool,
    },
    /// Plain `char`: signed, and another type than `signed char` where functions are overloaded and mangled.
    Char,
    /// `long long`: 64 bits, and another type than `long` where functions are overloaded and mangled.
    LongLong {
        /** Whether it has a sign. */
        signed: bool,
    },
    /// `half`, `_Float16`, `__half`.
    Half,
    /// `__bf16`, `__nv_bfloat16`.
    BFloat,
    /// `float`.
    Float,
    /// `double`.
    Double,
    /// A vector: OpenCL's `float4`, CUDA's `int2` (a struct with `x`, `y`, `z`, `w` there; see `cuda`). Also `ext_vector_type`.
    Vector {
        /** The element: not void, not a vector. */
        element: Scalar,
        /** 2, 3, 4, 8 or 16. */
        lanes: u8,
        /** CUDA's. */
        cuda: bool,
    },
    /// CUDA's `dim3`.
    Dim3,
    /// `event_t`, `sampler_t`, `image2d_t` and such: only to be passed on.
    Opaque(Symbol),
}

/// The element of a vector.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Scalar {
    /// `bool`.
    Bool,
    /// An integer.
    Integer {
        /** How many bits. */
        bits: u8,
        /** Whether it has a sign. */
        signed: bool,
    },
    /// `half`.
    Half,
    /// `float`.
    Float,
    /// `double`.
    Double,
}

/// `struct` or `union`.
#[derive(Debug, Clone)]
pub struct Record {
    /// Whether the members share memory.
    pub is_union: bool,
    /// The tag.
    pub name: Option<Symbol>,
    /// The members, if it is defined here. Only data members: others are [`Diagnostic`]s of the parser.
    pub members: Option<Vec<Declaration>>,
    /// `packed`, `aligned(n)`.
    pub attributes: ThinVec<Attribute>,
    /// Where.
    pub location: Location,
}

/// `enum` or `enum class`.
#[derive(Debug, Clone)]
pub struct EnumSpecifier {
    /// The tag.
    pub name: Option<Symbol>,
    /// Whether its names are behind `E::`.
    pub is_class: bool,
    /// `: type`.
    pub underlying: Option<TypeName>,
    /// The names and values, if it is defined here.
    pub members: Option<Vec<(Symbol, Option<Expr>, Location)>>,
    /// Where.
    pub location: Location,
}

/// A type without a name being declared: in casts, `sizeof`, template arguments.
#[derive(Debug, Clone)]
pub struct TypeName {
    /// What stands first.
    pub specifiers: Specifiers,
    /// The rest, without a name.
    pub declarator: Declarator,
}

/// A declarator with its name.
#[derive(Debug, Clone)]
pub struct DeclaratorData {
    /// What is put around the type of the specifiers.
    pub declarator: Declarator,
    /// The name; none for parameters without one.
    pub name: Option<Symbol>,
    /// Where the name stands, or would.
    pub location: Location,
    /// Attributes after it.
    pub attributes: ThinVec<Attribute>,
}

/// What is put around the type of the specifiers, outermost first: `int *a[3]` is an array of pointers, so it is
/// `Array(3, Pointer(Base))` here, read "array of three of pointer to what the specifiers say".
#[derive(Debug, Clone)]
pub enum Declarator {
    /// What the specifiers say.
    Base,
    /// A pointer.
    Pointer(Box<Declarator>, PointerQualifiers),
    /// A reference (`T &`, `T &&`).
    Reference(Box<Declarator>),
    /// An array; no length for `[]`.
    Array(Box<Declarator>, Option<Expr>),
    /// A function.
    Function(Box<Declarator>, ThinVec<Parameter>, /** Variadic. */ bool),
}

/// What stands after a `*`.
#[derive(Debug, Clone, Copy, Default)]
pub struct PointerQualifiers {
    /// `const`.
    pub is_const: bool,
    /// `volatile`.
    pub is_volatile: bool,
    /// `restrict`.
    pub is_restrict: bool,
    /// The address space in which the pointer itself is: `global int * local p`.
    pub space: Option<AddressSpace>,
}

/// A parameter.
#[derive(Debug, Clone)]
pub struct Parameter {
    /// What stands before the name.
    pub specifiers: Specifiers,
    /// The name and the rest.
    pub declarator: DeclaratorData,
    /// `= value`.
    pub default: Option<Expr>,
}

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
    /// `{ … }`: a list in [`Tree::parts`].
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
    /// `switch (condition) body`.
    Switch {
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
    /// A name, qualified with `::` where it is (`std::min` is one symbol).
    Name(Symbol),
    /// `a[b]`.
    Index(Expr, Expr),
    /// `f(a, b)`: the arguments are a list in [`Tree::arguments`].
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
    /// `__builtin_expect(…)` and such are calls; this is `asm("…")`, kept to be named as unsupported.
    Asm,
    /// What takes more room, in [`Tree::large`].
    Large(Large),
}

/// An expression that takes more room than most.
#[derive(Debug, Clone)]
pub enum LargeKind {
    /// Strings that follow each other, as written.
    String(Box<Strings>),
    /// `f<int, 4>` where `f` is a template of functions.
    TemplateName(Box<(Symbol, Vec<TemplateArgument>)>),
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
    /// `sizeof(T)`.
    SizeOfType(Box<TypeName>),
    /// `alignof(T)`.
    AlignOf(Box<TypeName>),
    /// A call with `[[clang::convergent]]` or `noconvergent` put on it.
    Attributed(Box<(ThinVec<Attribute>, Expr)>),
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

/// A type or a value given to a template.
#[derive(Debug, Clone)]
pub enum TemplateArgument {
    /// A type.
    Type(TypeName),
    /// A constant.
    Value(Expr),
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

/// An operator between its operands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum BinaryOperator {
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
    ShiftLeft,
    ShiftRight,
    And,
    Or,
    Xor,
    Less,
    Greater,
    LessEqual,
    GreaterEqual,
    Equal,
    NotEqual,
    LogicalAnd,
    LogicalOr,
}
