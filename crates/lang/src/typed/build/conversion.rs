//! Conversions: those nobody writes (assignment, arguments, conditions) and casts.

use thiserror::Error;

use super::{Builder, FUNCTION_SPACE, Shape};
use crate::diagnostic::Diagnostic;
use crate::options::Dialect;
use crate::typed::{AddressSpace, Conversion, Expression, ExpressionKind, Type};

/// Why a value cannot become one of another type; the types are named in the words of the dialect.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ConversionProblem {
    /// There is no such conversion at all.
    #[error("`{from}` cannot be converted to `{to}`")]
    Impossible {
        /** The type there is. */
        from: String,
        /** The type that is asked for. */
        to: String,
    },
    /// Only a cast would do it.
    #[error("`{from}` is not converted to `{to}` without a cast")]
    NeedsCast {
        /** The type there is. */
        from: String,
        /** The type that is asked for. */
        to: String,
    },
    /// A pointer would forget its address space for another one.
    #[error("a pointer `{from}` cannot become `{to}`: the address spaces do not overlap")]
    Space {
        /** The type there is. */
        from: String,
        /** The type that is asked for. */
        to: String,
    },
}

/// How a value becomes one of another type.
enum Route {
    /// It is one already.
    Same,
    /// By a conversion.
    By(Conversion),
    /// By a conversion to the element, and putting it in every lane.
    Widen(Type),
    /// It is a null pointer.
    Null,
    /// It is a zero of an opaque type.
    Zero,
}

/// Why it does not.
enum Reason {
    /// There is no such conversion.
    Impossible,
    /// Only a cast does it.
    NeedsCast,
    /// The address spaces do not overlap.
    Space,
}

impl Builder<'_> {
    /// The value of an expression: what is at a place, a pointer to the first element of an array; values are their own.
    #[inline]
    pub fn rvalue(&mut self, expression: Expression) -> Expression {
        if self.is_place(expression) { self.value_at(expression) } else { expression }
    }

    /// The value of a place.
    fn value_at(&mut self, place: Expression) -> Expression {
        let location = self.location(place);
        match self.shape_of(place) {
            Shape::Array { element, .. } => {
                let (space, _) = self.space_of_place(place);
                let of = self.program.types.pointer(element, space);
                self.push(ExpressionKind::Decay(place), of, location)
            }
            Shape::Function { .. } => match *self.kind(place) {
                ExpressionKind::Dereference(pointer) => pointer,
                _ => {
                    let of = self.type_of(place);
                    let of = self.program.types.pointer(of, FUNCTION_SPACE);
                    self.push(ExpressionKind::AddressOf(place), of, location)
                }
            },
            _ => self.load(place),
        }
    }

    /// The type of the value of an expression: that of [`rvalue`](Builder::rvalue).
    pub fn value_type(&mut self, expression: Expression) -> Type {
        let of = self.type_of(expression);
        match self.shape(of) {
            Shape::Array { element, .. } if self.is_place(expression) => {
                let (space, _) = self.space_of_place(expression);
                self.program.types.pointer(element, space)
            }
            Shape::Function { .. } => self.program.types.pointer(of, FUNCTION_SPACE),
            _ => of,
        }
    }

    /// A value of type `to`, as an assignment or an argument converts it.
    pub fn convert(&mut self, expression: Expression, to: Type) -> Result<Expression, ConversionProblem> {
        let value = self.rvalue(expression);
        if self.type_of(value) == to {
            return Ok(value);
        }
        let route = self.route(self.type_of(value), self.is_null(value), to);
        let location = self.location(value);
        match route {
            Ok(Route::Same) => Ok(value),
            Ok(Route::Widen(element)) => Ok(self.widen(value, element, to)),
            Ok(Route::Null) => Ok(self.push(ExpressionKind::Integer(0), to, location)),
            Ok(Route::Zero) => Ok(self.zero(to, location)),
            Ok(Route::By(conversion)) => Ok(self.convert_to(conversion, value, to)),
            Err(reason) => Err(self.problem(reason, self.type_of(value), to)),
        }
    }

    /// How a value of one type becomes one of another without a cast.
    fn route(&self, from: Type, is_null: bool, to: Type) -> Result<Route, Reason> {
        if from == to {
            return Ok(Route::Same);
        }
        match (self.shape(from), self.shape(to)) {
            (from, to) if from.is_scalar() && to.is_scalar() => Ok(Route::By(Conversion::Arithmetic)),
            (from, Shape::Vector { element, .. }) if from.is_scalar() => Ok(Route::Widen(element)),
            (Shape::Pointer { .. }, Shape::Bool) => Ok(Route::By(Conversion::PointerToBool)),
            (_, Shape::Pointer { .. }) if is_null => Ok(Route::Null),
            (Shape::Integer { .. }, Shape::Opaque) if is_null => Ok(Route::Zero),
            (Shape::Pointer { pointee, space, .. }, Shape::Pointer { pointee: wanted, space: into, .. }) => {
                self.pointer_route((pointee, space), (wanted, into))
            }
            (Shape::Integer { .. }, Shape::Pointer { .. }) | (Shape::Pointer { .. }, Shape::Integer { .. }) => {
                Err(Reason::NeedsCast)
            }
            _ => Err(Reason::Impossible),
        }
    }

    /// How a pointer becomes another one without a cast.
    fn pointer_route(&self, from: (Type, AddressSpace), to: (Type, AddressSpace)) -> Result<Route, Reason> {
        if !self.space_fits(from.1, to.1) {
            return Err(Reason::Space);
        }
        let fits = from.0 == to.0
            || self.shape(to.0) == Shape::Void
            || (!self.dialect().is_cpp() && self.shape(from.0) == Shape::Void)
            || self.differ_in_sign_or_length(from.0, to.0)
            || [from.0, to.0].iter().any(|&pointee| self.shape(pointee) == Shape::Unknown);
        if fits { Ok(Route::By(Conversion::Pointer)) } else { Err(Reason::NeedsCast) }
    }

    /// Why a conversion is not possible, in words.
    fn problem(&self, reason: Reason, from: Type, to: Type) -> ConversionProblem {
        let (from, to) = (self.type_name(from), self.type_name(to));
        match reason {
            Reason::Impossible => ConversionProblem::Impossible { from, to },
            Reason::NeedsCast => ConversionProblem::NeedsCast { from, to },
            Reason::Space => ConversionProblem::Space { from, to },
        }
    }

    /// [`convert`](Builder::convert), with what is wrong said at the expression.
    pub fn convert_or_say(&mut self, expression: Expression, to: Type) -> Result<Expression, Diagnostic> {
        let location = self.location(expression);
        self.convert(expression, to).map_err(|problem| Diagnostic::error(location, problem.to_string()))
    }

    /// Whether a value can become one of type `to` without a cast.
    pub fn converts(&mut self, expression: Expression, to: Type) -> bool {
        let from = self.value_type(expression);
        self.route(from, self.is_null(expression), to).is_ok()
    }

    /// A scalar in every lane of a vector. In OpenCL C a true `bool` is -1 there; comparisons are `int` in C, hence 1.
    fn widen(&mut self, value: Expression, element: Type, to: Type) -> Expression {
        let is_mask = self.dialect() == Dialect::OpenCl && self.shape_of(value) == Shape::Bool && !self.is_truth(value);
        let mut scalar = value;
        if is_mask {
            let (int, location) = (self.program.types.integer(32, true), self.location(value));
            scalar = self.convert_to(Conversion::Arithmetic, value, int);
            scalar = self.push(ExpressionKind::Negate(scalar), int, location);
        }
        if self.type_of(scalar) != element {
            scalar = self.convert_to(Conversion::Arithmetic, scalar, element);
        }
        self.splat(scalar, to)
    }

    /// Whether a bool is the result of a comparison or of `!`, `&&`, `||`: what has the type `int` in C.
    fn is_truth(&self, value: Expression) -> bool {
        use ExpressionKind::{And, Compare, Not, Or};
        matches!(self.kind(value), Compare(..) | Not(_) | And(..) | Or(..))
    }

    /// Whether a value is a null pointer constant: a literal 0, also cast to a pointer.
    pub fn is_null(&self, value: Expression) -> bool {
        *self.kind(value) == ExpressionKind::Integer(0)
            && matches!(self.shape_of(value), Shape::Integer { .. } | Shape::Pointer { .. })
    }

    /// Whether a pointer into one space is one into the other without a cast.
    fn space_fits(&self, from: AddressSpace, to: AddressSpace) -> bool {
        from == to
            || (to == AddressSpace::Generic && (from != AddressSpace::Constant || self.dialect() != Dialect::OpenCl))
    }

    /// Whether pointees are integers (or arrays) that C lets pass for each other: of one width, or arrays where one has no known length.
    fn differ_in_sign_or_length(&self, left: Type, right: Type) -> bool {
        match (self.shape(left), self.shape(right)) {
            (Shape::Integer { bits, .. }, Shape::Integer { bits: other, .. }) => {
                bits == other && !self.dialect().is_cpp()
            }
            (Shape::Array { element, length }, Shape::Array { element: other, length: count }) => {
                element == other && (length == 0 || count == 0)
            }
            _ => false,
        }
    }

    /// A value of type `to`, as a cast makes it.
    pub fn explicit_convert(&mut self, expression: Expression, to: Type) -> Result<Expression, ConversionProblem> {
        if self.shape(to) == Shape::Void {
            return Ok(self.convert_to(Conversion::Discard, expression, to));
        }
        let value = self.rvalue(expression);
        let from = self.type_of(value);
        match (self.shape(from), self.shape(to)) {
            (Shape::Pointer { .. }, Shape::Integer { .. }) => {
                Ok(self.convert_to(Conversion::PointerToInteger, value, to))
            }
            (Shape::Integer { .. } | Shape::Bool, Shape::Pointer { .. }) if !self.is_null(value) => {
                Ok(self.convert_to(Conversion::IntegerToPointer, value, to))
            }
            (Shape::Pointer { space, .. }, Shape::Pointer { space: into, .. })
                if from != to && !self.is_null(value) =>
            {
                let generic = AddressSpace::Generic;
                let fits = self.space_fits(space, into) || self.space_fits(into, space);
                match fits || (self.dialect() != Dialect::OpenCl && (space == generic || into == generic)) {
                    true => Ok(self.convert_to(Conversion::Pointer, value, to)),
                    false => Err(self.problem(Reason::Space, from, to)),
                }
            }
            (Shape::Vector { .. }, _) | (_, Shape::Vector { .. })
                if self.dialect() != Dialect::OpenCl && from != to && self.same_bits(from, to) =>
            {
                Ok(self.convert_to(Conversion::Bits, value, to))
            }
            _ => self.convert(value, to),
        }
    }

    /// Whether two types are vectors, integers or floats of as many bits.
    pub fn same_bits(&self, left: Type, right: Type) -> bool {
        let bits = |of: Type| match self.shape(of) {
            Shape::Vector { element, lanes } => self.scalar_bits(element).map(|bits| bits * u32::from(lanes)),
            _ => self.scalar_bits(of),
        };
        bits(left).is_some() && bits(left) == bits(right)
    }

    /// How many bits an integer or float has.
    pub fn scalar_bits(&self, of: Type) -> Option<u32> {
        match self.shape(of) {
            Shape::Integer { bits, .. } => Some(u32::from(bits)),
            Shape::Float(kind) => Some(super::constant::float_bits(kind)),
            _ => None,
        }
    }

    /// A condition: whether the value is not zero.
    pub fn condition(&mut self, expression: Expression) -> Result<Expression, Diagnostic> {
        let to = self.program.types.bool();
        let value = self.rvalue(expression);
        match *self.kind(value) {
            ExpressionKind::Convert(Conversion::Arithmetic, inner)
                if self.type_of(inner) == to && matches!(self.shape_of(value), Shape::Integer { .. }) =>
            {
                Ok(inner)
            }
            _ => self.convert_or_say(value, to),
        }
    }
}
