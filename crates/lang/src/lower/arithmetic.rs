//! Arithmetic, comparisons, selections.
//!
//! An overflow of a signed integer wraps around, unless [`LowerOptions::nsw`](super::LowerOptions::nsw) asks for what the language says. Shift amounts of OpenCL C are taken modulo the width (OpenCL C 3.0, 6.3.10); those of C are as they are.

use super::expression::float;
use super::function::{FunctionText, result};
use super::writer::{Of, Operand};
use crate::options::Dialect;
use crate::typed::{BinaryOperator, Expression, FloatKind, Type, TypeKind};

/// What the elements of an arithmetic type are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Scalar {
    Bool,
    Integer { bits: u8, signed: bool },
    Float(FloatKind),
    Pointer,
}

impl FunctionText<'_> {
    /// What the elements of a type are.
    pub(super) fn scalar_of(&self, of: Type) -> Scalar {
        match *self.context.program.types.kind(self.element_of(of)) {
            TypeKind::Bool => Scalar::Bool,
            TypeKind::Integer { bits, signed } => Scalar::Integer { bits, signed },
            TypeKind::Float(kind) => Scalar::Float(kind),
            _ => Scalar::Pointer,
        }
    }

    /// Whether a type is a vector.
    pub(super) fn is_vector(&self, of: Type) -> bool {
        matches!(self.context.program.types.kind(of), TypeKind::Vector { .. })
    }

    /// `-x`.
    pub(super) fn negate(&mut self, of: Type, value: Operand) -> Operand {
        match (value, self.scalar_of(of)) {
            (Operand::Integer(number), _) => Operand::Integer(self.wrap(of, number.wrapping_neg())),
            (Operand::Float(bits), _) => Operand::Float((-f64::from_bits(bits)).to_bits()),
            (_, Scalar::Float(_)) => result!(self, "fneg ", Of(of), " ", value),
            _ => {
                let zero = self.zero(of);
                result!(self, "sub ", self.no_wrap(of), Of(of), " ", zero, ", ", value)
            }
        }
    }

    /// `~x`.
    pub(super) fn complement(&mut self, of: Type, value: Operand) -> Operand {
        if let Operand::Integer(number) = value {
            return Operand::Integer(self.wrap(of, !number));
        }
        if self.is_vector(of) {
            let element = self.element_of(of);
            return result!(self, "xor ", Of(of), " ", value, ", splat (", Of(element), " -1)");
        }
        result!(self, "xor ", Of(of), " ", value, ", ", Operand::Integer(-1))
    }

    /// `!x` of a bool; of a vector, for each lane whether it is zero.
    pub(super) fn not(&mut self, of: Type, operand: Type, value: Operand) -> Operand {
        if !self.is_vector(operand) {
            return match value {
                Operand::Bool(value) => Operand::Bool(!value),
                _ => result!(self, "xor i1 ", value, ", true"),
            };
        }
        let zero = self.zero(operand);
        self.compare(BinaryOperator::Equal, of, operand, value, zero)
    }

    /// An operation of two operands of the result's type.
    pub(super) fn arithmetic(&mut self, operator: BinaryOperator, of: Type, left: Operand, right: Operand) -> Operand {
        let (is_float, is_signed) = match self.scalar_of(of) {
            Scalar::Float(_) => (true, false),
            Scalar::Integer { signed, .. } => (false, signed),
            Scalar::Bool | Scalar::Pointer => (false, false),
        };
        let word = match (operator, is_float, is_signed) {
            (BinaryOperator::Add, true, _) => "fadd ",
            (BinaryOperator::Subtract, true, _) => "fsub ",
            (BinaryOperator::Multiply, true, _) => "fmul ",
            (BinaryOperator::Divide, true, _) => "fdiv ",
            (BinaryOperator::Remainder, true, _) => "frem ",
            (BinaryOperator::Add, ..) => "add ",
            (BinaryOperator::Subtract, ..) => "sub ",
            (BinaryOperator::Multiply, ..) => "mul ",
            (BinaryOperator::Divide, _, true) => "sdiv ",
            (BinaryOperator::Divide, ..) => "udiv ",
            (BinaryOperator::Remainder, _, true) => "srem ",
            (BinaryOperator::Remainder, ..) => "urem ",
            (BinaryOperator::ShiftLeft, ..) => "shl ",
            (BinaryOperator::ShiftRight, _, true) => "ashr ",
            (BinaryOperator::ShiftRight, ..) => "lshr ",
            (BinaryOperator::And | BinaryOperator::LogicalAnd, ..) => "and ",
            (BinaryOperator::Or | BinaryOperator::LogicalOr, ..) => "or ",
            (BinaryOperator::Xor, ..) => "xor ",
            // Comparisons have a kind of their own.
            _ => return self.compare(operator, of, of, left, right),
        };
        let right = if Self::is_shift(operator) { self.shift_amount(of, right) } else { right };
        let flags = match operator {
            BinaryOperator::Add | BinaryOperator::Subtract | BinaryOperator::Multiply => self.no_wrap(of),
            _ => "",
        };
        result!(self, word, flags, Of(of), " ", left, ", ", right)
    }

    /// `nsw`, where an overflow in a type is undefined: of scalars, as compilers have it.
    fn no_wrap(&self, of: Type) -> &'static str {
        let is_signed = matches!(self.scalar_of(of), Scalar::Integer { signed: true, .. }) && !self.is_vector(of);
        if self.context.options.nsw && is_signed { "nsw " } else { "" }
    }

    fn shift_amount(&mut self, of: Type, amount: Operand) -> Operand {
        let Scalar::Integer { bits, .. } = self.scalar_of(of) else { return amount };
        let most = i128::from(bits) - 1;
        match amount {
            _ if self.context.program.dialect != Dialect::OpenCl => amount,
            Operand::Integer(number) => Operand::Integer(number & most),
            _ if self.is_vector(of) => {
                let element = self.element_of(of);
                result!(self, "and ", Of(of), " ", amount, ", splat (", Of(element), " ", most, ")")
            }
            _ => result!(self, "and ", Of(of), " ", amount, ", ", most),
        }
    }

    /// A comparison of operands of a type: a bool, or for vectors -1 in each lane for which it holds.
    pub(super) fn compare(
        &mut self,
        operator: BinaryOperator,
        of: Type,
        operands: Type,
        left: Operand,
        right: Operand,
    ) -> Operand {
        let word = predicate(operator, self.scalar_of(operands));
        let bits = result!(self, word, Of(operands), " ", left, ", ", right);
        if !self.is_vector(operands) {
            return bits;
        }
        let lanes = self.lanes_of(operands);
        result!(self, "sext <", lanes, " x i1> ", bits, " to ", Of(of))
    }

    /// For each lane, the first where the highest bit of the mask is set, else the second. A mask that is no vector selects all, if it is not zero.
    pub(super) fn select(
        &mut self,
        mask_type: Type,
        mask: Operand,
        of: Type,
        first: Operand,
        second: Operand,
    ) -> Operand {
        let lanes = self.lanes_of(mask_type);
        if self.is_vector(mask_type) {
            let bits = result!(self, "icmp slt ", Of(mask_type), " ", mask, ", zeroinitializer");
            return result!(
                self,
                "select <",
                lanes,
                " x i1> ",
                bits,
                ", ",
                Of(of),
                " ",
                first,
                ", ",
                Of(of),
                " ",
                second
            );
        }
        let bit = self.truth(mask_type, mask);
        result!(self, "select i1 ", bit, ", ", Of(of), " ", first, ", ", Of(of), " ", second)
    }

    /// Whether a scalar is not zero.
    pub(super) fn truth(&mut self, of: Type, value: Operand) -> Operand {
        match (self.scalar_of(of), value) {
            (Scalar::Bool, _) => value,
            (Scalar::Integer { .. }, Operand::Integer(number)) => Operand::Bool(number != 0),
            (Scalar::Float(_), _) => {
                let zero = self.zero(of);
                result!(self, "fcmp une ", Of(of), " ", value, ", ", zero)
            }
            _ => {
                let zero = self.zero(of);
                result!(self, "icmp ne ", Of(of), " ", value, ", ", zero)
            }
        }
    }

    /// One more or one less, of an integer, float, pointer or vector.
    pub(super) fn stepped(&mut self, of: Type, value: Operand, up: bool) -> Operand {
        if matches!(self.context.program.types.kind(of), TypeKind::Pointer { .. }) {
            return self.moved(of, value, Operand::Integer(if up { 1 } else { -1 }));
        }
        match self.scalar_of(of) {
            Scalar::Bool => Operand::Bool(up),
            Scalar::Float(kind) => {
                let one = float(kind, if up { 1.0 } else { -1.0 });
                self.with_constant("fadd ", of, value, one)
            }
            // Of what is narrower than `int` the sum is one of `int`, which it fits in.
            Scalar::Integer { bits: 32.., .. } if !self.no_wrap(of).is_empty() => {
                self.with_constant("add nsw ", of, value, Operand::Integer(if up { 1 } else { -1 }))
            }
            _ => self.with_constant("add ", of, value, Operand::Integer(if up { 1 } else { -1 })),
        }
    }

    /// An operation with a constant, in each lane.
    fn with_constant(&mut self, word: &str, of: Type, value: Operand, constant: Operand) -> Operand {
        if self.is_vector(of) {
            let element = self.element_of(of);
            return result!(self, word, Of(of), " ", value, ", splat (", Of(element), " ", constant, ")");
        }
        result!(self, word, Of(of), " ", value, ", ", constant)
    }

    /// `place op= value`: computed in the type of the value, or of the place if that is wider and the operator a shift.
    pub(super) fn compound_assign(
        &mut self,
        operator: BinaryOperator,
        place: Expression,
        value: Expression,
        of: Type,
    ) -> Operand {
        let value_type = self.body.expressions[value].of;
        let right = self.value(value);
        let (place, old) = self.place_and_content(place);
        if matches!(self.context.program.types.kind(of), TypeKind::Pointer { .. }) {
            let offset = self.index(right, value_type);
            let offset = if operator == BinaryOperator::Subtract { self.negative_index(offset) } else { offset };
            let new = self.moved(of, old, offset);
            self.store(&place, new);
            return new;
        }
        let is_narrow = self.context.types[value_type].size < self.context.types[of].size;
        let common = if Self::is_shift(operator) && is_narrow { of } else { value_type };
        let right = self.convert(value_type, common, right);
        let left = self.convert(of, common, old);
        let computed = self.arithmetic(operator, common, left, right);
        let new = self.convert(common, of, computed);
        self.store(&place, new);
        new
    }

    fn negative_index(&mut self, offset: Operand) -> Operand {
        match offset {
            Operand::Integer(number) => Operand::Integer(number.wrapping_neg()),
            _ => result!(self, "sub i64 0, ", offset),
        }
    }
}

/// The instruction of a comparison.
fn predicate(operator: BinaryOperator, of: Scalar) -> &'static str {
    let is_signed = matches!(of, Scalar::Integer { signed: true, .. });
    let is_float = matches!(of, Scalar::Float(_));
    match (operator, is_float, is_signed) {
        (BinaryOperator::Less, true, _) => "fcmp olt ",
        (BinaryOperator::Greater, true, _) => "fcmp ogt ",
        (BinaryOperator::LessEqual, true, _) => "fcmp ole ",
        (BinaryOperator::GreaterEqual, true, _) => "fcmp oge ",
        (BinaryOperator::Equal, true, _) => "fcmp oeq ",
        (_, true, _) => "fcmp une ",
        (BinaryOperator::Less, _, true) => "icmp slt ",
        (BinaryOperator::Greater, _, true) => "icmp sgt ",
        (BinaryOperator::LessEqual, _, true) => "icmp sle ",
        (BinaryOperator::GreaterEqual, _, true) => "icmp sge ",
        (BinaryOperator::Less, ..) => "icmp ult ",
        (BinaryOperator::Greater, ..) => "icmp ugt ",
        (BinaryOperator::LessEqual, ..) => "icmp ule ",
        (BinaryOperator::GreaterEqual, ..) => "icmp uge ",
        (BinaryOperator::Equal, ..) => "icmp eq ",
        _ => "icmp ne ",
    }
}
