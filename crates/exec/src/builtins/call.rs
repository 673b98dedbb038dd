//! A call as the tables of built-in functions look at it: a plain name, and arguments whose types have signs.
//!
//! Invariant: an [`Operand`] agrees with the IR: `count` scalars of its number's bits, in as many components.

use std::borrow::Cow;

use super::demangle::{Number, ParameterType};
use super::pure::{Compute, Elementwise, Part, Pure};
use crate::value::{Scalar, Shape};

/// A call of a built-in function.
pub(super) struct Call<'a> {
    /// The name without what says the types.
    pub(super) name: Cow<'a, str>,
    pub(super) operands: Vec<Operand>,
    /// The flattened type of the result, of scalars that are one component each.
    pub(super) result: &'a [Scalar],
}

/// The type of an argument.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Operand {
    /// A number, or a vector of them.
    Value { number: Number, count: usize },
    /// A pointer to numbers. An `_Atomic` type counts as what is in it; no number: `void` or anything else.
    Pointer { pointee: Option<(Number, usize)>, space: u32 },
    /// Anything else, in one component: an enumerator, an event, ….
    Opaque,
}

impl<'a> Call<'a> {
    /// The call of a function with these parameters, if the IR agrees.
    pub(super) fn new(
        name: Cow<'a, str>,
        parameters: &[ParameterType],
        result: &'a [Scalar],
        arguments: &[Shape],
    ) -> Option<Call<'a>> {
        if parameters.len() != arguments.len() || result.iter().any(|scalar| scalar.components() != 1) {
            return None;
        }
        let operands = parameters.iter().zip(arguments).map(|(parameter, shape)| Operand::of(parameter, shape));
        Some(Call { name, operands: operands.collect::<Option<_>>()?, result })
    }

    /// The type of the first operand.
    pub(super) fn first(&self) -> Option<(Number, usize)> {
        self.value(0)
    }

    /// The type of an operand that is a number or a vector.
    pub(super) fn value(&self, operand: usize) -> Option<(Number, usize)> {
        match *self.operands.get(operand)? {
            Operand::Value { number, count } => Some((number, count)),
            _ => None,
        }
    }

    /// What an operand points to.
    pub(super) fn pointee(&self, operand: usize) -> Option<(Number, usize)> {
        match *self.operands.get(operand)? {
            Operand::Pointer { pointee, .. } => pointee,
            _ => None,
        }
    }

    /// Whether the result has `count` scalars of `bits` bits.
    pub(super) fn returns(&self, bits: u32, count: usize) -> bool {
        self.result.len() == count && self.result.iter().all(|scalar| scalar.bits() == bits)
    }

    /// A function that computes each of `count` elements of `bits` bits from those of all operands.
    pub(super) fn elementwise(&self, bits: u32, count: usize, function: Elementwise) -> Option<Pure> {
        let arguments: Vec<usize> = (0..self.operands.len()).collect();
        let fits = |argument| matches!(self.value(argument), Some((_, operand)) if operand == count || operand == 1);
        let fits = count > 0 && self.returns(bits, count) && arguments.iter().all(|&argument| fits(argument));
        let part = Part { arguments, count, bits, compute: Compute::Elementwise(function) };
        fits.then(|| Pure::new(&self.name, vec![part]))
    }
}

impl Operand {
    fn of(parameter: &ParameterType, shape: &[Scalar]) -> Option<Operand> {
        let value = |number: Number, count| {
            let agrees = |scalar: &Scalar| agree(number, *scalar);
            (shape.len() == count && shape.iter().all(agrees)).then_some(Operand::Value { number, count })
        };
        match unwrap_atomic(parameter) {
            ParameterType::Number(number) => value(*number, 1),
            ParameterType::Vector(number, count) => value(*number, *count),
            ParameterType::Pointer { pointee, .. } => {
                let pointee = match unwrap_atomic(pointee) {
                    ParameterType::Number(number) => Some((*number, 1)),
                    ParameterType::Vector(number, count) => Some((*number, *count)),
                    _ => None,
                };
                let [Scalar::Pointer(space)] = *shape else { return None };
                Some(Operand::Pointer { pointee, space })
            }
            ParameterType::Named(_) => matches!(shape, [scalar] if scalar.components() == 1).then_some(Operand::Opaque),
            ParameterType::Void | ParameterType::Variadic | ParameterType::Atomic(_) => None,
        }
    }
}

fn unwrap_atomic(parameter: &ParameterType) -> &ParameterType {
    match parameter {
        ParameterType::Atomic(inner) => inner,
        other => other,
    }
}

/// Whether a scalar of IR can hold a number: Clang makes `i8` of a `bool` in memory and `i1` of one in a register, and CUDA passes
/// `half` as `i16`.
fn agree(number: Number, scalar: Scalar) -> bool {
    let bits = scalar.bits();
    !matches!(scalar, Scalar::Pointer(_) | Scalar::Token)
        && (bits == number.bits() || number == Number::Bool && bits == 8)
}
