//! Declarations: specifiers, types as written, declarators, initialisers.

use std::rc::Rc;

use thin_vec::ThinVec;

use super::{Expr, FunctionItem, Location, Name, Symbol, TemplateArgument};

/// A parameter of a template.
#[derive(Debug, Clone)]
pub enum TemplateParameter {
    /// `template<…> class C`: a template of classes.
    Template {
        /** Its name. */
        name: Option<Name>,
        /** The name of its default. */
        default: Option<TypeName>,
    },
    /// `typename T = default`.
    Type {
        /** Its name. */
        name: Option<Name>,
        /** Its default. */
        default: Option<TypeName>,
        /** `typename... T`: any number of types. */
        is_pack: bool,
    },
    /// `int N = default`.
    Value {
        /** Its type. */
        of: TypeName,
        /** Its name. */
        name: Option<Name>,
        /** Its default. */
        default: Option<Expr>,
        /** `int... N`: any number of values. */
        is_pack: bool,
    },
}

impl TemplateParameter {
    /// Its name.
    pub fn name(&self) -> Option<Name> {
        match self {
            TemplateParameter::Template { name, .. }
            | TemplateParameter::Type { name, .. }
            | TemplateParameter::Value { name, .. } => *name,
        }
    }

    /// Whether it stands for any number of arguments.
    pub fn is_pack(&self) -> bool {
        match self {
            TemplateParameter::Template { .. } => false,
            TemplateParameter::Type { is_pack, .. } | TemplateParameter::Value { is_pack, .. } => *is_pack,
        }
    }
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
    /// The names of a structured binding: `auto [a, b] = x`. The declarator has none then.
    pub bindings: ThinVec<(Name, Location)>,
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
    /// `virtual`.
    pub is_virtual: bool,
    /// `explicit`.
    pub is_explicit: bool,
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
    /// Names that stand where specifiers do and that nothing defines: macros of a header that is not there, or of the host.
    pub macros: ThinVec<(Name, Location)>,
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

pub use reconverge_operations::signature::AddressSpace;

/// A type as written.
#[derive(Debug, Clone)]
pub enum TypeSpecifier {
    /// `unsigned long long`, `bool`, `half`, `void`, `size_t`, `uint`: what C and the dialect have built in.
    Builtin(BuiltinType),
    /// A typedef, struct tag (C++), enum, or template parameter, with the scope that it was found in.
    Named(Name, Location),
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
    /// `A<int, 4>`, where `A` is a template of types.
    Template(Box<(Name, Vec<TemplateArgument>)>, Location),
    /// `A<int>::type`: a type of a class.
    Member(Box<TypeSpecifier>, Symbol, Location),
    /// `A<int>::template B<4>`: an instance of a template in a class.
    MemberTemplate(Box<(TypeSpecifier, Symbol, Vec<TemplateArgument>)>, Location),
    /// A name of which nothing is known, where a type has to be, perhaps with arguments of a template.
    Unknown(Name, Location),
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
    /// `__nv_bfloat16`.
    BFloat,
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
    pub name: Option<Name>,
    /// The classes that it is derived from.
    pub bases: Vec<TypeSpecifier>,
    /// The members, if it is defined here.
    pub members: Option<Vec<RecordMember>>,
    /// Whether it has more than that, of which nothing is known: a base, a constructor.
    pub is_partial: bool,
    /// `packed`, `aligned(n)`.
    pub attributes: ThinVec<Attribute>,
    /// Where.
    pub location: Location,
}

/// A member of a class.
#[derive(Debug, Clone)]
pub enum RecordMember {
    /// Data, types, and static variables.
    Declaration(Declaration),
    /// A function.
    Function(Rc<FunctionItem>),
    /// A template of classes, or a specialisation of one.
    ClassTemplate(Rc<super::ClassTemplate>),
    /// A template of types that are known by other names.
    AliasTemplate(Rc<super::AliasTemplate>),
}

/// `enum` or `enum class`.
#[derive(Debug, Clone)]
pub struct EnumSpecifier {
    /// The tag.
    pub name: Option<Name>,
    /// Whether its names are behind `E::`.
    pub is_class: bool,
    /// `: type`.
    pub underlying: Option<TypeName>,
    /// The names and values, if it is defined here.
    pub members: Option<Vec<(Name, Option<Expr>, Location)>>,
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
    pub name: Option<Name>,
    /// Where the name stands, or would.
    pub location: Location,
    /// Attributes after it.
    pub attributes: ThinVec<Attribute>,
    /// `const` after the parameters of a member function.
    pub is_const: bool,
    /// `...` before the name.
    pub is_pack: bool,
}

impl DeclaratorData {
    /// What is put around a type, with nothing else said.
    pub fn new(declarator: Declarator, name: Option<Name>, location: Location) -> Self {
        Self { declarator, name, location, attributes: ThinVec::new(), is_const: false, is_pack: false }
    }
}

/// What is put around the type of the specifiers, outermost first: `int *a[3]` is an array of pointers, so it is
/// `Array(3, Pointer(Base))` here, read "array of three of pointer to what the specifiers say".
#[derive(Debug, Clone)]
pub enum Declarator {
    /// What the specifiers say.
    Base,
    /// A pointer.
    Pointer(Box<Declarator>, PointerQualifiers),
    /// A reference: `T &`, or `T &&` where it says so.
    Reference(Box<Declarator>, bool),
    /// A pointer to a member of a class.
    Member(Box<MemberDeclarator>),
    /// An array; no length for `[]`.
    Array(Box<Declarator>, Option<Expr>),
    /// A function.
    Function(Box<Declarator>, ThinVec<Parameter>, /** Variadic. */ bool),
}

/// `T A::*`, `T (A::*)(int) const`: a pointer to a member.
#[derive(Debug, Clone)]
pub struct MemberDeclarator {
    /// What the member is.
    pub of: Declarator,
    /// The class whose member it is.
    pub class: TypeSpecifier,
    /// What stands after the `*`.
    pub qualifiers: PointerQualifiers,
    /// Whether the member is a function that is `const`.
    pub is_const_function: bool,
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
    /// The packs of its type, if it stands for any number of parameters.
    pub packs: Packs,
}

/// Names in what is repeated by `...`: each may be that of a pack.
pub type Packs = Box<[Name]>;
