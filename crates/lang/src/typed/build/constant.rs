//! What an expression is when that is known now: exact, in the widths and signs of its types.

use std::cell::RefCell;

use super::call::{Calls, Memory, WithCalls, is_local};
use super::{Shape, shape};
use crate::options::Dialect;
use crate::typed::{
    BinaryOperator, Body, Constant, Conversion, Expression, ExpressionKind, FloatKind, Layout, Program, Type, float,
};

/// How deep expressions are followed: more is not constant.
const DEPTH: u32 = 2_000;

/// The value of an expression that depends on nothing. None: it does, or it has no defined value (a division by zero, a float
/// beyond the integers it is converted to). O(size of the expression).
pub fn constant_value(program: &Program, body: &Body, expression: Expression) -> Option<Constant> {
    Evaluation { program, body, calls: None }.value(expression, DEPTH)
}

/// The same where functions may be called: their bodies are executed, at most `steps` expressions and statements of them.
pub(crate) fn value_with_calls(program: &Program, body: &Body, expression: Expression, steps: usize) -> WithCalls {
    let memory = RefCell::new(Memory::new(body, steps));
    let calls = Some(Calls { memory: &memory, frame: 0 });
    let value = Evaluation { program, body, calls }.value(expression, DEPTH);
    memory.borrow().ended_with(value)
}

impl super::Builder<'_> {
    /// The value of an expression that depends on nothing; see [`constant_value`].
    pub fn constant_value(&self, expression: Expression) -> Option<Constant> {
        constant_value(self.program, self.body, expression)
    }

    /// The value of an integer or bool expression that depends on nothing, with its sign.
    pub fn constant_integer(&self, expression: Expression) -> Option<i128> {
        as_integer(self.constant_value(expression)?, self.shape_of(expression))
    }
}

/// An integer or bool with its sign.
pub(crate) fn as_integer(value: Constant, of: Shape) -> Option<i128> {
    match (value, of) {
        (Constant::Integer(bits), of) => Some(signed(of, bits)),
        (Constant::Zero, Shape::Integer { .. } | Shape::Bool) => Some(0),
        _ => None,
    }
}

/// The low bits of an integer that its type keeps. A pointer keeps 64.
pub(crate) fn cut(of: Shape, bits: u128) -> u128 {
    match of {
        Shape::Bool => bits & 1,
        Shape::Integer { bits: 128, .. } => bits,
        Shape::Integer { bits: width, .. } => bits & ((1 << width) - 1),
        _ => bits & u128::from(u64::MAX),
    }
}

/// The number that the bits of an integer stand for.
pub(crate) fn signed(of: Shape, bits: u128) -> i128 {
    match of {
        Shape::Integer { bits: width, signed: true } => {
            let unused = 128 - u32::from(width);
            ((bits << unused) as i128) >> unused
        }
        _ => bits as i128,
    }
}

/// How many bits a float has.
pub(crate) fn float_bits(kind: FloatKind) -> u32 {
    match kind {
        FloatKind::Half | FloatKind::BFloat => 16,
        FloatKind::Single => 32,
        FloatKind::Double => 64,
    }
}

/// An integer as a float, rounded once.
fn float_of_integer(kind: FloatKind, of: Shape, bits: u128) -> f64 {
    let number = signed(of, bits);
    let is_negative = number < 0 && matches!(of, Shape::Integer { signed: true, .. });
    let magnitude = if is_negative { number.unsigned_abs() } else { bits };
    // Bits below the 54 that a double can tell apart only matter as "there are some": one sticky bit says so.
    let excess = (128 - magnitude.leading_zeros()).saturating_sub(54);
    let kept = if kind == FloatKind::Double || excess == 0 {
        magnitude as f64
    } else {
        let high = magnitude >> (excess + 1);
        let sticky = u128::from(magnitude & ((1 << (excess + 1)) - 1) != 0);
        ((high | sticky) as f64) * 2f64.powi(excess as i32 + 1)
    };
    float::round(kind, if is_negative { -kept } else { kept })
}

/// A float as an integer, cut towards zero; none where it does not fit.
fn integer_of_float(of: Shape, value: f64) -> Option<u128> {
    let Shape::Integer { bits, signed } = of else { return None };
    let value = value.trunc();
    let limit = 2f64.powi(i32::from(bits) - i32::from(signed));
    let fits = if signed { value >= -limit && value < limit } else { value >= 0.0 && value < limit };
    fits.then(|| cut(of, if value < 0.0 { value as i128 as u128 } else { value as u128 }))
}

/// A literal after a conversion between arithmetic types; none if it is no literal, or has no defined value.
pub(crate) fn converted_literal(kind: &ExpressionKind, from: Shape, to: Shape) -> Option<ExpressionKind> {
    let constant = match kind {
        ExpressionKind::Float(value) => Constant::Float(*value),
        _ => Constant::Integer(kind.bits()?),
    };
    match converted(constant, from, to)? {
        Constant::Integer(bits) => Some(ExpressionKind::integer(bits)),
        Constant::Float(value) => Some(ExpressionKind::Float(value)),
        _ => None,
    }
}

/// A scalar after a conversion between arithmetic types.
pub(super) fn converted(constant: Constant, from: Shape, to: Shape) -> Option<Constant> {
    let constant = if constant == Constant::Zero { Constant::Integer(0) } else { constant };
    match (constant, to) {
        (Constant::Integer(bits), Shape::Bool) => Some(Constant::Integer(u128::from(bits != 0))),
        (Constant::Float(value), Shape::Bool) => Some(Constant::Integer(u128::from(value != 0.0))),
        (Constant::Integer(bits), Shape::Integer { .. }) => {
            Some(Constant::Integer(cut(to, signed(from, bits) as u128)))
        }
        (Constant::Integer(bits), Shape::Float(kind)) => Some(Constant::Float(float_of_integer(kind, from, bits))),
        (Constant::Float(value), Shape::Float(kind)) => Some(Constant::Float(float::round(kind, value))),
        (Constant::Float(value), Shape::Integer { .. }) => integer_of_float(to, value).map(Constant::Integer),
        _ => None,
    }
}

/// Follows the expressions of one body.
#[derive(Clone, Copy)]
pub(super) struct Evaluation<'a> {
    pub(super) program: &'a Program,
    pub(super) body: &'a Body,
    /// Where functions may be called.
    pub(super) calls: Option<Calls<'a>>,
}

impl Evaluation<'_> {
    /// The value of an expression.
    pub(super) fn value(&self, expression: Expression, depth: u32) -> Option<Constant> {
        let depth = depth.checked_sub(1)?;
        let data = &self.body.expressions[expression];
        match &data.kind {
            ExpressionKind::Integer(bits) => Some(Constant::Integer(u128::from(*bits))),
            ExpressionKind::LongInteger(bits) => Some(Constant::Integer(**bits)),
            ExpressionKind::Float(value) => Some(Constant::Float(*value)),
            ExpressionKind::Zero => Some(Constant::Zero),
            ExpressionKind::Function(function) => Some(Constant::Function(*function)),
            ExpressionKind::LabelAddress(label) => Some(Constant::Label(self.body.function?, *label)),
            ExpressionKind::Load(place) => self.at_place(*place, depth),
            ExpressionKind::AddressOf(place) | ExpressionKind::Decay(place) => self.address(*place, depth),
            ExpressionKind::PointerOffset(pointer, count) => {
                if let Some(made) = self.local_offset(*pointer, *count, depth) {
                    return Some(made);
                }
                let pointee = match self.shape_of(*pointer) {
                    Shape::Pointer { pointee, .. } => pointee,
                    _ => return None,
                };
                let (base, count) = (self.value(*pointer, depth)?, self.integer(*count, depth)?);
                let Constant::Address(global, bytes) = base else { return None };
                let bytes = i128::from(bytes) + count.checked_mul(i128::from(self.layout().size(pointee)))?;
                Some(Constant::Address(global, i64::try_from(bytes).ok()?))
            }
            ExpressionKind::Negate(operand) => {
                self.each_lane(data.of, &[*operand], depth, |of, parts| match (&parts[0], of) {
                    (Constant::Integer(bits), of) => Some(Constant::Integer(cut(of, bits.wrapping_neg()))),
                    (Constant::Float(value), _) => Some(Constant::Float(-value)),
                    _ => None,
                })
            }
            ExpressionKind::Complement(operand) => {
                self.each_lane(data.of, &[*operand], depth, |of, parts| match parts[0] {
                    Constant::Integer(bits) => Some(Constant::Integer(cut(of, !bits))),
                    _ => None,
                })
            }
            ExpressionKind::Not(operand) => Some(truth(!self.truth(*operand, depth)?)),
            ExpressionKind::Arithmetic(operator, left, right) => {
                let dialect = self.program.dialect;
                self.each_lane(data.of, &[*left, *right], depth, |of, parts| {
                    arithmetic(*operator, of, &parts[0], &parts[1], dialect)
                })
            }
            ExpressionKind::Compare(operator, left, right) => self.compare(*operator, data.of, *left, *right, depth),
            ExpressionKind::And(left, right) => Some(truth(self.truth(*left, depth)? && self.truth(*right, depth)?)),
            ExpressionKind::Or(left, right) => Some(truth(self.truth(*left, depth)? || self.truth(*right, depth)?)),
            ExpressionKind::Conditional(condition, then, otherwise) => {
                self.value(if self.truth(*condition, depth)? { *then } else { *otherwise }, depth)
            }
            ExpressionKind::Convert(conversion, operand) if *conversion != Conversion::Discard => {
                self.convert(*conversion, data.of, *operand, depth)
            }
            ExpressionKind::Splat(operand) => {
                let lanes = self.lanes(data.of)?;
                Some(Constant::Aggregate(vec![self.value(*operand, depth)?; lanes]))
            }
            ExpressionKind::VectorOf(parts) => {
                let mut lanes = Vec::new();
                for &part in parts {
                    match self.lanes(self.body.expressions[part].of) {
                        Some(count) => lanes.extend(spread(self.value(part, depth)?, count)?),
                        None => lanes.push(self.value(part, depth)?),
                    }
                }
                Some(Constant::Aggregate(lanes))
            }
            ExpressionKind::AggregateOf(parts) => {
                parts.iter().map(|&part| self.value(part, depth)).collect::<Option<_>>().map(Constant::Aggregate)
            }
            ExpressionKind::Lanes { base, lanes } => {
                let count = self.lanes(self.body.expressions[*base].of)?;
                let parts = spread(self.value(*base, depth)?, count)?;
                let mut chosen = lanes.iter().map(|&lane| parts.get(usize::from(lane)).cloned());
                match lanes.len() {
                    1 => chosen.next()?,
                    _ => chosen.collect::<Option<_>>().map(Constant::Aggregate),
                }
            }
            _ => self.executed(expression, depth),
        }
    }

    /// What the type of an expression is.
    pub(super) fn shape_of(&self, expression: Expression) -> Shape {
        shape(&self.program.types, self.body.expressions[expression].of)
    }

    /// The sizes of types.
    fn layout(&self) -> Layout<'_> {
        Layout { types: &self.program.types, target: self.program.target }
    }

    /// An integer with its sign.
    pub(super) fn integer(&self, expression: Expression, depth: u32) -> Option<i128> {
        as_integer(self.value(expression, depth)?, self.shape_of(expression))
    }

    /// A bool.
    pub(super) fn truth(&self, expression: Expression, depth: u32) -> Option<bool> {
        match self.value(expression, depth)? {
            Constant::Integer(bits) => Some(bits != 0),
            Constant::Zero => Some(false),
            _ => None,
        }
    }

    /// How many lanes a vector has.
    fn lanes(&self, of: Type) -> Option<usize> {
        match shape(&self.program.types, of) {
            Shape::Vector { lanes, .. } => Some(usize::from(lanes)),
            _ => None,
        }
    }

    /// An operation on scalars, or on each lane of vectors; `of` is the type of the result.
    fn each_lane(
        &self,
        of: Type,
        operands: &[Expression],
        depth: u32,
        operation: impl Fn(Shape, &[Constant]) -> Option<Constant>,
    ) -> Option<Constant> {
        let values = operands.iter().map(|&operand| self.value(operand, depth)).collect::<Option<Vec<_>>>()?;
        match shape(&self.program.types, of) {
            Shape::Vector { element, lanes } => {
                let element = shape(&self.program.types, element);
                let lanes = usize::from(lanes);
                let columns = values.into_iter().map(|value| spread(value, lanes)).collect::<Option<Vec<_>>>()?;
                let row = |lane: usize| columns.iter().map(|column| plain(column[lane].clone(), element)).collect();
                let parts = (0..lanes).map(|lane| {
                    let row: Vec<Constant> = row(lane);
                    operation(element, &row)
                });
                parts.collect::<Option<_>>().map(Constant::Aggregate)
            }
            scalar => {
                let values: Vec<Constant> = values.into_iter().map(|value| plain(value, scalar)).collect();
                operation(scalar, &values)
            }
        }
    }

    /// A comparison; of vectors, -1 in the lanes where it is true.
    fn compare(
        &self,
        operator: BinaryOperator,
        of: Type,
        left: Expression,
        right: Expression,
        depth: u32,
    ) -> Option<Constant> {
        let operands = shape(&self.program.types, self.body.expressions[left].of);
        match operands {
            Shape::Vector { element, .. } => {
                let element = shape(&self.program.types, element);
                self.each_lane(of, &[left, right], depth, |result, parts| {
                    let parts = [plain(parts[0].clone(), element), plain(parts[1].clone(), element)];
                    let is_true = compare(operator, element, &parts[0], &parts[1])?;
                    Some(Constant::Integer(if is_true { cut(result, u128::MAX) } else { 0 }))
                })
            }
            scalar => {
                let (left, right) = (self.value(left, depth)?, self.value(right, depth)?);
                compare(operator, scalar, &plain(left, scalar), &plain(right, scalar)).map(truth)
            }
        }
    }

    /// A conversion.
    fn convert(&self, conversion: Conversion, to: Type, operand: Expression, depth: u32) -> Option<Constant> {
        let from = self.shape_of(operand);
        let value = self.value(operand, depth)?;
        match (conversion, shape(&self.program.types, to)) {
            (Conversion::Arithmetic, Shape::Vector { element, lanes }) => {
                let Shape::Vector { element: from, .. } = from else { return None };
                let (from, to) = (shape(&self.program.types, from), shape(&self.program.types, element));
                let parts = spread(value, usize::from(lanes))?.into_iter().map(|part| converted(part, from, to));
                parts.collect::<Option<_>>().map(Constant::Aggregate)
            }
            (Conversion::Arithmetic, to) => converted(value, from, to),
            (Conversion::Bits, to) if !matches!(to, Shape::Vector { .. }) => same_bits(plain(value, from), from, to),
            (Conversion::Pointer, _) => match value {
                Constant::Integer(0) | Constant::Zero => Some(Constant::Integer(0)),
                Constant::Address(..) | Constant::Function(_) | Constant::Label(..) => Some(value),
                _ => None,
            },
            (Conversion::PointerToBool, _) => match value {
                Constant::Integer(0) | Constant::Zero => Some(truth(false)),
                Constant::Address(..) | Constant::Function(_) | Constant::Label(..) => Some(truth(true)),
                _ => None,
            },
            (Conversion::PointerToInteger | Conversion::IntegerToPointer, to) => match value {
                Constant::Integer(bits) => Some(Constant::Integer(cut(to, signed(from, bits) as u128))),
                _ => None,
            },
            _ => None,
        }
    }

    /// What is at a place that is never written.
    fn at_place(&self, place: Expression, depth: u32) -> Option<Constant> {
        let depth = depth.checked_sub(1)?;
        if let Some(local) = self.local_place(place, depth) {
            return self.local_value(&local);
        }
        match &self.body.expressions[place].kind {
            ExpressionKind::Global(global) => {
                let data = &self.program.globals[*global];
                (data.is_constant && !data.is_external).then(|| data.initializer.clone().unwrap_or(Constant::Zero))
            }
            ExpressionKind::Field { base, index } => match self.at_place(*base, depth)? {
                Constant::Zero => Some(Constant::Zero),
                Constant::Aggregate(parts) => parts.get(*index as usize).cloned(),
                _ => None,
            },
            ExpressionKind::Lanes { base, lanes } if lanes.len() == 1 => match self.at_place(*base, depth)? {
                Constant::Zero => Some(Constant::Zero),
                Constant::Aggregate(parts) => parts.get(usize::from(lanes[0])).cloned(),
                _ => None,
            },
            _ => None,
        }
    }

    /// The address of a place.
    fn address(&self, place: Expression, depth: u32) -> Option<Constant> {
        let depth = depth.checked_sub(1)?;
        if let Some(local) = self.local_address(place, depth) {
            return Some(local);
        }
        match &self.body.expressions[place].kind {
            ExpressionKind::Global(global) => Some(Constant::Address(*global, 0)),
            ExpressionKind::Dereference(pointer) => self.value(*pointer, depth),
            ExpressionKind::Field { base, index } => {
                let Shape::Struct(number) = self.shape_of(*base) else { return None };
                let Constant::Address(global, bytes) = self.address(*base, depth)? else { return None };
                let offset = i64::try_from(self.layout().offset(number, *index)).ok()?;
                Some(Constant::Address(global, bytes.checked_add(offset)?))
            }
            _ => None,
        }
    }
}

/// A bool as a constant.
fn truth(is_true: bool) -> Constant {
    Constant::Integer(u128::from(is_true))
}

/// The lanes of a vector.
fn spread(value: Constant, lanes: usize) -> Option<Vec<Constant>> {
    match value {
        Constant::Zero => Some(vec![Constant::Zero; lanes]),
        Constant::Aggregate(parts) if parts.len() == lanes => Some(parts),
        _ => None,
    }
}

/// A scalar zero written as a number.
pub(super) fn plain(value: Constant, of: Shape) -> Constant {
    match (value, of) {
        (Constant::Zero, Shape::Float(_)) => Constant::Float(0.0),
        (Constant::Zero, Shape::Bool | Shape::Integer { .. } | Shape::Pointer { .. }) => Constant::Integer(0),
        (value, _) => value,
    }
}

/// An operation of two scalars of one type.
pub(super) fn arithmetic(
    operator: BinaryOperator,
    of: Shape,
    left: &Constant,
    right: &Constant,
    dialect: Dialect,
) -> Option<Constant> {
    match (left, right, of) {
        (Constant::Float(left), Constant::Float(right), Shape::Float(kind)) => {
            let value = match operator {
                BinaryOperator::Add => left + right,
                BinaryOperator::Subtract => left - right,
                BinaryOperator::Multiply => left * right,
                BinaryOperator::Divide => left / right,
                _ => return None,
            };
            Some(Constant::Float(float::round(kind, value)))
        }
        (Constant::Integer(left), Constant::Integer(right), Shape::Integer { bits, signed: has_sign }) => {
            integer_arithmetic(operator, of, (bits, has_sign), (*left, *right), dialect)
                .map(|bits| Constant::Integer(cut(of, bits)))
        }
        _ => None,
    }
}

/// An operation of two integers of one type; the result is not cut yet.
fn integer_arithmetic(
    operator: BinaryOperator,
    of: Shape,
    (width, has_sign): (u8, bool),
    (left, right): (u128, u128),
    dialect: Dialect,
) -> Option<u128> {
    let amount = match dialect {
        Dialect::OpenCl => Some((right & (u128::from(width) - 1)) as u32),
        _ => u32::try_from(right).ok().filter(|&amount| amount < u32::from(width)),
    };
    let (number, other) = (signed(of, left), signed(of, right));
    Some(match operator {
        BinaryOperator::Add => left.wrapping_add(right),
        BinaryOperator::Subtract => left.wrapping_sub(right),
        BinaryOperator::Multiply => left.wrapping_mul(right),
        BinaryOperator::Divide if has_sign => number.checked_div(other)? as u128,
        BinaryOperator::Divide => left.checked_div(right)?,
        BinaryOperator::Remainder if has_sign => number.checked_rem(other)? as u128,
        BinaryOperator::Remainder => left.checked_rem(right)?,
        BinaryOperator::ShiftLeft => left << amount?,
        BinaryOperator::ShiftRight if has_sign => (number >> amount?) as u128,
        BinaryOperator::ShiftRight => left >> amount?,
        BinaryOperator::And => left & right,
        BinaryOperator::Or => left | right,
        BinaryOperator::Xor => left ^ right,
        _ => return None,
    })
}

/// A comparison of two scalars of one type.
fn compare(operator: BinaryOperator, of: Shape, left: &Constant, right: &Constant) -> Option<bool> {
    use std::cmp::Ordering;
    let order = match (left, right) {
        (Constant::Float(left), Constant::Float(right)) => left.partial_cmp(right),
        (Constant::Integer(left), Constant::Integer(right)) => Some(match of {
            Shape::Integer { signed: true, .. } => signed(of, *left).cmp(&signed(of, *right)),
            _ => left.cmp(right),
        }),
        (Constant::Address(left, offset), Constant::Address(right, other)) if left == right && !is_local(*left) => {
            Some(offset.cmp(other))
        }
        _ => return None,
    };
    Some(match operator {
        BinaryOperator::Less => order == Some(Ordering::Less),
        BinaryOperator::Greater => order == Some(Ordering::Greater),
        BinaryOperator::LessEqual => matches!(order, Some(Ordering::Less | Ordering::Equal)),
        BinaryOperator::GreaterEqual => matches!(order, Some(Ordering::Greater | Ordering::Equal)),
        BinaryOperator::Equal => order == Some(Ordering::Equal),
        BinaryOperator::NotEqual => order != Some(Ordering::Equal),
        _ => return None,
    })
}

/// The bits of a scalar read as another one.
fn same_bits(value: Constant, from: Shape, to: Shape) -> Option<Constant> {
    let bits = match (value, from) {
        (Constant::Integer(bits), _) => bits,
        (Constant::Float(value), Shape::Float(kind)) => match kind {
            FloatKind::Half => u128::from(float::half(value).to_bits()),
            FloatKind::BFloat => u128::from(float::bfloat(value).to_bits()),
            FloatKind::Single => u128::from((value as f32).to_bits()),
            FloatKind::Double => u128::from(value.to_bits()),
        },
        _ => return None,
    };
    match to {
        Shape::Integer { .. } => Some(Constant::Integer(cut(to, bits))),
        Shape::Float(kind) => {
            let value = match kind {
                FloatKind::Half => half::f16::from_bits(bits as u16).to_f64(),
                FloatKind::BFloat => half::bf16::from_bits(bits as u16).to_f64(),
                FloatKind::Single => f64::from(f32::from_bits(bits as u32)),
                FloatKind::Double => f64::from_bits(bits as u64),
            };
            Some(Constant::Float(value))
        }
        _ => None,
    }
}
