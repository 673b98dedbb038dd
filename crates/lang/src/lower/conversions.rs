//! Conversions.

use super::arithmetic::Scalar;
use super::expression::float;
use super::function::{FunctionText, result};
use super::writer::{Of, Operand, Pointer};
use crate::typed::{Conversion, Expression, FloatKind, Type, TypeKind};

/// How many bits a float has.
fn width(kind: FloatKind) -> u32 {
    match kind {
        FloatKind::Half | FloatKind::BFloat => 16,
        FloatKind::Single => 32,
        FloatKind::Double => 64,
    }
}

impl FunctionText<'_> {
    /// A conversion of an expression.
    pub(super) fn convert_expression(&mut self, conversion: Conversion, operand: Expression, to: Type) -> Operand {
        let from = self.body.expressions[operand].of;
        if conversion == Conversion::Discard {
            self.effect(operand);
            return Operand::None;
        }
        let value = self.value(operand);
        match conversion {
            Conversion::Arithmetic => self.convert(from, to, value),
            Conversion::Bits => self.same_bits(from, to, value),
            Conversion::Pointer => self.cast_pointer(value, self.space_of(from), self.space_of(to)),
            Conversion::PointerToInteger => {
                let space = Pointer(self.space_of(from));
                result!(self, "ptrtoint ", space, value, " to ", Of(to))
            }
            Conversion::IntegerToPointer => result!(self, "inttoptr ", Of(from), " ", value, " to ", Of(to)),
            Conversion::PointerToBool => self.truth(from, value),
            Conversion::Discard => Operand::None,
        }
    }

    /// A value of an arithmetic type as one of another, lane by lane.
    pub(super) fn convert(&mut self, from: Type, to: Type, value: Operand) -> Operand {
        if from == to || self.context.types[from].value == self.context.types[to].value {
            return value;
        }
        let (source, target) = (self.scalar_of(from), self.scalar_of(to));
        if let Some(folded) = self.fold(source, target, to, value) {
            return folded;
        }
        let word = match (source, target) {
            (_, Scalar::Bool) => return self.lanes_not_zero(from, value),
            (Scalar::Integer { bits: a, signed }, Scalar::Integer { bits: b, .. }) => match (a > b, signed) {
                (true, _) => "trunc ",
                (false, true) => "sext ",
                (false, false) => "zext ",
            },
            (Scalar::Bool, Scalar::Integer { .. }) => "zext ",
            (Scalar::Integer { signed: true, .. }, Scalar::Float(_)) => "sitofp ",
            (Scalar::Integer { .. } | Scalar::Bool, Scalar::Float(_)) => "uitofp ",
            (Scalar::Float(_), Scalar::Integer { signed: true, .. }) => "fptosi ",
            (Scalar::Float(_), Scalar::Integer { .. }) => "fptoui ",
            (Scalar::Float(a), Scalar::Float(b)) if width(a) == width(b) => return self.half_to_half(from, to, value),
            (Scalar::Float(a), Scalar::Float(b)) => {
                if width(a) > width(b) {
                    "fptrunc "
                } else {
                    "fpext "
                }
            }
            (Scalar::Pointer, Scalar::Integer { .. }) => "ptrtoint ",
            (Scalar::Integer { .. }, Scalar::Pointer) => "inttoptr ",
            (Scalar::Pointer, _) | (_, Scalar::Pointer) => {
                return self.cast_pointer(value, self.space_of(from), self.space_of(to));
            }
        };
        result!(self, word, Of(from), " ", value, " to ", Of(to))
    }

    /// A constant that is converted.
    fn fold(&self, from: Scalar, to: Scalar, to_type: Type, value: Operand) -> Option<Operand> {
        let kind = match to {
            Scalar::Float(kind) => Some(kind),
            _ => None,
        };
        match (value, from, to) {
            (Operand::Integer(number), Scalar::Integer { bits, signed }, _) => {
                // Operands are signed; the number that is meant is not if its type is not.
                let number = if signed || bits >= 128 { number } else { number & ((1i128 << bits) - 1) };
                match to {
                    Scalar::Integer { .. } => Some(Operand::Integer(self.wrap(to_type, number))),
                    Scalar::Bool => Some(Operand::Bool(number != 0)),
                    Scalar::Float(kind) if number.unsigned_abs() < 1 << 24 => Some(float(kind, number as f64)),
                    _ => None,
                }
            }
            (Operand::Bool(bit), ..) => match (to, kind) {
                (Scalar::Integer { .. }, _) => Some(Operand::Integer(i128::from(bit))),
                (_, Some(kind)) => Some(float(kind, f64::from(u8::from(bit)))),
                _ => None,
            },
            (Operand::Float(bits), Scalar::Float(_), _) => kind.map(|kind| float(kind, f64::from_bits(bits))),
            _ => None,
        }
    }

    /// Whether each lane is not zero.
    fn lanes_not_zero(&mut self, from: Type, value: Operand) -> Operand {
        if !self.is_vector(from) {
            return self.truth(from, value);
        }
        let word = if matches!(self.scalar_of(from), Scalar::Float(_)) { "fcmp une " } else { "icmp ne " };
        result!(self, word, Of(from), " ", value, ", zeroinitializer")
    }

    /// Between `half` and `bfloat`, which have as many bits, by way of `float`.
    fn half_to_half(&mut self, from: Type, to: Type, value: Operand) -> Operand {
        let lanes = self.lanes_of(from);
        let wide = if self.is_vector(from) { format!("<{lanes} x float>") } else { "float".to_owned() };
        let exact = result!(self, "fpext ", Of(from), " ", value, " to ", wide.as_str());
        result!(self, "fptrunc ", wide.as_str(), " ", exact, " to ", Of(to))
    }

    /// The same bits as another type. A vector of 3 that becomes one of other elements has, or gets, a fourth lane.
    fn same_bits(&mut self, from: Type, to: Type, value: Operand) -> Operand {
        if self.context.types[from].value == self.context.types[to].value {
            return value;
        }
        let (from_lanes, to_lanes) = (self.lanes_of(from), self.lanes_of(to));
        match (from_lanes == 3, to_lanes == 3) {
            (true, false) => {
                let element = self.element_of(from);
                let wide = result!(
                    self,
                    "shufflevector ",
                    Of(from),
                    " ",
                    value,
                    ", ",
                    Of(from),
                    " poison, <4 x i32> <i32 0, i32 1, i32 2, i32 poison>"
                );
                result!(self, "bitcast <4 x ", Of(element), "> ", wide, " to ", Of(to))
            }
            (false, true) => {
                let element = self.element_of(to);
                let wide = if from_lanes == 4 && self.element_of(from) == element {
                    value
                } else {
                    result!(self, "bitcast ", Of(from), " ", value, " to <4 x ", Of(element), ">")
                };
                result!(
                    self,
                    "shufflevector <4 x ",
                    Of(element),
                    "> ",
                    wide,
                    ", <4 x ",
                    Of(element),
                    "> poison, <3 x i32> <i32 0, i32 1, i32 2>"
                )
            }
            _ => match (self.context.program.types.kind(from), self.context.program.types.kind(to)) {
                (TypeKind::Struct(_) | TypeKind::Array { .. }, _)
                | (_, TypeKind::Struct(_) | TypeKind::Array { .. }) => self.bits_through_memory(from, to, value),
                (TypeKind::Bool, _) | (_, TypeKind::Bool) => self.convert(from, to, value),
                _ => result!(self, "bitcast ", Of(from), " ", value, " to ", Of(to)),
            },
        }
    }

    /// The bits of a struct or array, or of something as one.
    fn bits_through_memory(&mut self, from: Type, to: Type, value: Operand) -> Operand {
        let types = &self.context.types;
        let larger = if types[from].size >= types[to].size { from } else { to };
        let alignment = types[larger].alignment;
        let pointer = self.slot(larger);
        let space = self.stack();
        let place = |of| super::place::Place {
            pointer,
            space,
            alignment,
            is_volatile: false,
            of,
            part: super::place::Part::Whole,
        };
        self.store(&place(from), value);
        self.load(&place(to))
    }
}
