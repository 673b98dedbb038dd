//! Makes typed expressions: the only place where conversions that nobody wrote are put in.
//!
//! **Invariants.** What [`Builder`] makes keeps the invariants of [`typed`](super): operands of arithmetic have the type of the result, arguments
//! those of the parameters, conditions are bools, and a place becomes a value only by a load. The methods named after a kind of
//! expression (`load`, `field`, `convert_to`) only make it; those named after an operation of the language (`arithmetic`, `assign`, `convert`) take
//! operands as written, places among them, and convert them by the rules of the dialect, or say why that is not possible.
//! Everything is O(1) in the size of the body.

use thin_vec::ThinVec;

use super::{
    AddressSpace, Atomic, Body, Conversion, Expression, ExpressionData, ExpressionKind, FloatKind, Function,
    FunctionData, Global, LaunchBounds, MemoryEffects, MemoryOrder, MemoryScope, Program, Struct, Type, TypeKind,
    Types, Variable, WrittenCall, float,
};
use crate::options::Dialect;
use crate::source::Location;

mod call;
mod constant;
mod conversion;
mod name;
mod operation;
mod place;

pub(crate) use call::WithCalls;
pub use constant::constant_value;
pub(crate) use constant::{as_integer, value_with_calls};
pub use conversion::ConversionProblem;
pub use name::{ENOUGH, shortened, type_name};
pub(super) use operation::spelling;

/// The space that pointers to functions name: that of the program, whatever it is on the target.
pub const FUNCTION_SPACE: AddressSpace = AddressSpace::Generic;

/// Adds expressions to a body, and what they mention to its program.
#[derive(Debug)]
pub struct Builder<'a> {
    /// Where types and functions go.
    pub program: &'a mut Program,
    /// Where expressions go.
    pub body: &'a mut Body,
}

/// What a type is, without its lists: small enough to be passed around.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Shape {
    Void,
    Bool,
    Integer { bits: u8, signed: bool },
    Float(FloatKind),
    Vector { element: Type, lanes: u8 },
    Pointer { pointee: Type, space: AddressSpace, is_volatile: bool },
    Array { element: Type, length: u64 },
    Struct(Struct),
    Function { result: Type },
    Opaque,
    Unknown,
}

impl Shape {
    /// Bool, integer or float.
    pub fn is_scalar(self) -> bool {
        matches!(self, Shape::Bool | Shape::Integer { .. } | Shape::Float(_))
    }
}

/// What a type is.
#[inline]
pub fn shape(types: &Types, of: Type) -> Shape {
    match *types.kind(of) {
        TypeKind::Void => Shape::Void,
        TypeKind::Bool => Shape::Bool,
        TypeKind::Integer { bits, signed } => Shape::Integer { bits, signed },
        TypeKind::Float(kind) => Shape::Float(kind),
        TypeKind::Vector { element, lanes } => Shape::Vector { element, lanes },
        TypeKind::Pointer { pointee, space, is_volatile } => Shape::Pointer { pointee, space, is_volatile },
        TypeKind::Array { element, length } => Shape::Array { element, length },
        TypeKind::Struct(number) => Shape::Struct(number),
        TypeKind::Function { result, .. } => Shape::Function { result },
        TypeKind::Opaque(_) => Shape::Opaque,
        TypeKind::Unknown => Shape::Unknown,
    }
}

impl Builder<'_> {
    /// Notes what the convergent calls of the body, from the `first`th call on, are written as.
    pub fn name_calls(&mut self, first: usize, name: &str, is_instruction: bool) {
        let Some(&start) = self.body.calls.get(first) else { return };
        // The outermost name is the one that somebody wrote.
        let inner = self.body.written_calls.partition_point(|written| written.call < start);
        self.body.written_calls.truncate(inner);
        let is_convergent = |call: Expression| match self.body.expressions[call].kind {
            ExpressionKind::Call { function, .. } => self.program.functions[function].is_convergent,
            _ => false,
        };
        let calls = self.body.calls[first..].iter().copied().filter(|&call| is_convergent(call));
        let named = calls.map(|call| WrittenCall { call, name: name.to_owned(), is_instruction });
        self.body.written_calls.extend(named);
    }

    /// The dialect of the program.
    pub fn dialect(&self) -> Dialect {
        self.program.dialect
    }

    /// The type of an expression: of the value, or of what is at the place.
    #[inline]
    pub fn type_of(&self, expression: Expression) -> Type {
        self.body.expressions[expression].of
    }

    /// What a type is.
    #[inline]
    pub fn shape(&self, of: Type) -> Shape {
        shape(&self.program.types, of)
    }

    /// What the type of an expression is.
    #[inline]
    pub fn shape_of(&self, expression: Expression) -> Shape {
        self.shape(self.type_of(expression))
    }

    /// What an expression is.
    #[inline]
    pub fn kind(&self, expression: Expression) -> &ExpressionKind {
        &self.body.expressions[expression].kind
    }

    /// Where an expression is.
    #[inline]
    pub fn location(&self, expression: Expression) -> Location {
        self.body.expressions[expression].location
    }

    /// A type in the words of the dialect, for messages.
    pub fn type_name(&self, of: Type) -> String {
        type_name(&self.program.types, of, self.program.dialect)
    }

    /// Whether an expression stands for a place.
    pub fn is_place(&self, expression: Expression) -> bool {
        let mut at = expression;
        loop {
            match *self.kind(at) {
                ExpressionKind::Variable(_) | ExpressionKind::Global(_) | ExpressionKind::Dereference(_) => {
                    return true;
                }
                ExpressionKind::Field { base, .. } | ExpressionKind::Lanes { base, .. } => at = base,
                ExpressionKind::Lane(base, _) => at = base,
                ExpressionKind::Comma(_, last) => at = last,
                _ => return false,
            }
        }
    }

    /// The address space of a place, and whether what is there may change behind one's back.
    pub fn space_of_place(&self, place: Expression) -> (AddressSpace, bool) {
        let mut at = place;
        loop {
            match *self.kind(at) {
                ExpressionKind::Global(global) => return (self.program.globals[global].space, false),
                ExpressionKind::Dereference(pointer) => match self.shape_of(pointer) {
                    Shape::Pointer { space, is_volatile, .. } => return (space, is_volatile),
                    _ => return (AddressSpace::Private, false),
                },
                ExpressionKind::Field { base, .. } | ExpressionKind::Lanes { base, .. } => at = base,
                ExpressionKind::Lane(base, _) => at = base,
                ExpressionKind::Comma(_, last) => at = last,
                _ => return (AddressSpace::Private, false),
            }
        }
    }

    /// Adds an expression as it is.
    #[inline]
    pub fn push(&mut self, kind: ExpressionKind, of: Type, location: Location) -> Expression {
        self.body.push(ExpressionData { kind, of, location })
    }

    /// An integer or bool, cut to the width of the type; also a null pointer.
    pub fn integer(&mut self, value: i128, of: Type, location: Location) -> Expression {
        let bits = constant::cut(self.shape(of), value as u128);
        self.push(ExpressionKind::integer(bits), of, location)
    }

    /// An `int`.
    pub fn int(&mut self, value: i32, location: Location) -> Expression {
        let of = self.program.types.integer(32, true);
        self.integer(i128::from(value), of, location)
    }

    /// A bool.
    pub fn bool(&mut self, value: bool, location: Location) -> Expression {
        let of = self.program.types.bool();
        self.push(ExpressionKind::Integer(u64::from(value)), of, location)
    }

    /// A float, rounded to the type.
    pub fn float(&mut self, value: f64, of: Type, location: Location) -> Expression {
        let value = match self.shape(of) {
            Shape::Float(kind) => float::round(kind, value),
            _ => value,
        };
        self.push(ExpressionKind::Float(value), of, location)
    }

    /// A vector, struct or array of zeros.
    pub fn zero(&mut self, of: Type, location: Location) -> Expression {
        self.push(ExpressionKind::Zero, of, location)
    }

    /// The place of a variable.
    pub fn variable(&mut self, variable: Variable, location: Location) -> Expression {
        let of = self.body.variables[variable].of;
        self.push(ExpressionKind::Variable(variable), of, location)
    }

    /// The place of a global.
    pub fn global(&mut self, global: Global, location: Location) -> Expression {
        let of = self.program.globals[global].of;
        self.push(ExpressionKind::Global(global), of, location)
    }

    /// A function, as a pointer.
    pub fn function(&mut self, function: Function, location: Location) -> Expression {
        let of = self.program.functions[function].of;
        let of = self.program.types.pointer(of, FUNCTION_SPACE);
        self.push(ExpressionKind::Function(function), of, location)
    }

    /// What is at a place.
    pub fn load(&mut self, place: Expression) -> Expression {
        let (of, location) = (self.type_of(place), self.location(place));
        self.push(ExpressionKind::Load(place), of, location)
    }

    /// A member of a struct or union, by its index.
    pub fn field(&mut self, base: Expression, index: u32, location: Location) -> Expression {
        let of = match self.shape_of(base) {
            Shape::Struct(number) => {
                self.program.types.structs[number].fields.get(index as usize).map(|field| field.of)
            }
            _ => None,
        };
        let of = of.unwrap_or_else(|| self.program.types.void());
        self.push(ExpressionKind::Field { base, index }, of, location)
    }

    /// Lanes of a vector, in the order given; the element where it is one.
    pub fn lanes(&mut self, base: Expression, lanes: &[u8], location: Location) -> Expression {
        let element = self.element(self.type_of(base));
        let of = match lanes.len() {
            1 => element,
            count => self.program.types.vector(element, count as u8),
        };
        self.push(ExpressionKind::Lanes { base, lanes: lanes.into() }, of, location)
    }

    /// The element of a vector or array, the pointee of a pointer; else the type itself.
    pub fn element(&self, of: Type) -> Type {
        match self.shape(of) {
            Shape::Vector { element, .. } | Shape::Array { element, .. } => element,
            Shape::Pointer { pointee, .. } => pointee,
            _ => of,
        }
    }

    /// First one, then the other.
    pub fn comma(&mut self, first: Expression, last: Expression, location: Location) -> Expression {
        let of = self.type_of(last);
        self.push(ExpressionKind::Comma(first, last), of, location)
    }

    /// A conversion that is known to be possible; from the expression's type to `to`. A literal is converted at once.
    pub fn convert_to(&mut self, conversion: Conversion, value: Expression, to: Type) -> Expression {
        let location = self.location(value);
        if conversion == Conversion::Arithmetic
            && let Some(kind) = constant::converted_literal(self.kind(value), self.shape_of(value), self.shape(to))
        {
            return self.push(kind, to, location);
        }
        self.push(ExpressionKind::Convert(conversion, value), to, location)
    }

    /// A vector that has the same value, of its element type, in each lane.
    pub fn splat(&mut self, value: Expression, to: Type) -> Expression {
        let location = self.location(value);
        self.push(ExpressionKind::Splat(value), to, location)
    }

    /// A vector of parts whose lanes together are as many as the result's.
    pub fn vector_of(&mut self, parts: impl Into<ThinVec<Expression>>, of: Type, location: Location) -> Expression {
        self.push(ExpressionKind::VectorOf(parts.into()), of, location)
    }

    /// A struct or array value of one value for each part.
    pub fn aggregate_of(&mut self, parts: impl Into<ThinVec<Expression>>, of: Type, location: Location) -> Expression {
        self.push(ExpressionKind::AggregateOf(parts.into()), of, location)
    }

    /// Fills a place with zeros.
    pub fn initialize_zero(&mut self, place: Expression, location: Location) -> Expression {
        let of = self.program.types.void();
        self.push(ExpressionKind::InitializeZero(place), of, location)
    }

    /// A call with arguments that have the types of the parameters.
    pub fn call(
        &mut self,
        function: Function,
        arguments: impl Into<ThinVec<Expression>>,
        location: Location,
    ) -> Expression {
        self.call_attributed(function, arguments, None, location)
    }

    /// A call with `convergent` or `noconvergent` put on it.
    pub fn call_attributed(
        &mut self,
        function: Function,
        arguments: impl Into<ThinVec<Expression>>,
        convergent: Option<bool>,
        location: Location,
    ) -> Expression {
        let result = self.result_of(self.program.functions[function].of);
        self.push(ExpressionKind::Call { function, convergent, arguments: arguments.into() }, result, location)
    }

    /// A call through a pointer to a function.
    pub fn call_pointer(
        &mut self,
        pointer: Expression,
        arguments: impl Into<ThinVec<Expression>>,
        location: Location,
    ) -> Expression {
        let result = self.result_of(self.element(self.type_of(pointer)));
        self.push(ExpressionKind::CallPointer { pointer, arguments: arguments.into() }, result, location)
    }

    /// What a function type returns; void for other types.
    fn result_of(&mut self, function: Type) -> Type {
        match self.shape(function) {
            Shape::Function { result } => result,
            _ => self.program.types.void(),
        }
    }

    /// An atomic operation with a result of type `of` (void for a store).
    pub fn atomic(&mut self, atomic: Atomic, of: Type, location: Location) -> Expression {
        self.push(ExpressionKind::Atomic(Box::new(atomic)), of, location)
    }

    /// A fence.
    pub fn fence(&mut self, order: MemoryOrder, scope: MemoryScope, location: Location) -> Expression {
        let of = self.program.types.void();
        self.push(ExpressionKind::Fence(order, scope), of, location)
    }

    /// A function of the device by its name in IR, declared when it is mentioned first; what is said later does not change it.
    pub fn declare(&mut self, linkage_name: &str, of: Type, is_convergent: bool, memory: MemoryEffects) -> Function {
        if let Some(&function) = self.program.declared.get(linkage_name) {
            return function;
        }
        let function = self.program.functions.push(FunctionData {
            name: linkage_name.to_string(),
            linkage_name: linkage_name.to_string(),
            of,
            is_kernel: false,
            is_internal: false,
            is_convergent,
            memory,
            bounds: LaunchBounds::default(),
            is_noinline: false,
            is_expanded: false,
            body: None,
            unknown: Vec::new(),
            open: Vec::new(),
            location: Location::NONE,
        });
        self.program.declared.insert(linkage_name.to_string(), function);
        function
    }
}
