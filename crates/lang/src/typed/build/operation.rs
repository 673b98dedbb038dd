//! The operations of the language, with the conversions of their operands.

use super::{Builder, Shape};
use crate::diagnostic::Diagnostic;
use crate::source::Location;
use crate::typed::{AddressSpace, BinaryOperator, Conversion, Expression, ExpressionKind, FloatKind, Type};

/// An operator as it is written.
pub(crate) fn spelling(operator: BinaryOperator) -> &'static str {
    match operator {
        BinaryOperator::Add => "+",
        BinaryOperator::Subtract => "-",
        BinaryOperator::Multiply => "*",
        BinaryOperator::Divide => "/",
        BinaryOperator::Remainder => "%",
        BinaryOperator::ShiftLeft => "<<",
        BinaryOperator::ShiftRight => ">>",
        BinaryOperator::And => "&",
        BinaryOperator::Or => "|",
        BinaryOperator::Xor => "^",
        BinaryOperator::Less => "<",
        BinaryOperator::Greater => ">",
        BinaryOperator::LessEqual => "<=",
        BinaryOperator::GreaterEqual => ">=",
        BinaryOperator::Equal => "==",
        BinaryOperator::NotEqual => "!=",
        BinaryOperator::LogicalAnd => "&&",
        BinaryOperator::LogicalOr => "||",
    }
}

/// Whether an operator is for integers only.
pub(super) fn is_bitwise(operator: BinaryOperator) -> bool {
    use BinaryOperator::{And, Or, Remainder, ShiftLeft, ShiftRight, Xor};
    matches!(operator, Remainder | ShiftLeft | ShiftRight | And | Or | Xor)
}

/// Whether an operator shifts.
pub(super) fn is_shift(operator: BinaryOperator) -> bool {
    matches!(operator, BinaryOperator::ShiftLeft | BinaryOperator::ShiftRight)
}

/// A result, or what is wrong with the operands.
pub(super) type Made = Result<Expression, Diagnostic>;

impl Builder<'_> {
    /// The type of a value after integer promotion: bool and integers below 32 bits are `int`.
    pub fn promoted(&mut self, of: Type) -> Type {
        match self.shape(of) {
            Shape::Bool | Shape::Integer { bits: 0..=31, .. } => self.program.types.integer(32, true),
            _ => of,
        }
    }

    /// A value after integer promotion.
    pub fn promote(&mut self, expression: Expression) -> Expression {
        let value = self.rvalue(expression);
        let (of, to) = (self.type_of(value), self.promoted(self.type_of(value)));
        if of == to { value } else { self.convert_to(Conversion::Arithmetic, value, to) }
    }

    /// The type in which two operands of arithmetic meet: the rules of C; of a vector and a scalar the vector, if the scalar is of no higher rank
    /// (OpenCL C). None if there is no such type.
    pub fn common_type(&mut self, left: Type, right: Type) -> Option<Type> {
        match (self.shape(left), self.shape(right)) {
            (Shape::Vector { .. }, Shape::Vector { .. }) => (left == right).then_some(left),
            (Shape::Vector { element, .. }, scalar) => self.widens(right, scalar, element).then_some(left),
            (scalar, Shape::Vector { element, .. }) => self.widens(left, scalar, element).then_some(right),
            (a, b) if a.is_scalar() && b.is_scalar() => Some(self.common_scalar(left, right)),
            _ => None,
        }
    }

    /// Whether a scalar may stand for a vector of an element.
    fn widens(&self, of: Type, scalar: Shape, element: Type) -> bool {
        match (scalar, self.shape(element)) {
            _ if of == element => true,
            (Shape::Bool, _) => true,
            (Shape::Integer { bits, .. }, Shape::Integer { bits: room, .. }) => bits <= room,
            (Shape::Integer { .. }, Shape::Float(_)) => true,
            (Shape::Float(kind), Shape::Float(room)) => kind <= room,
            _ => false,
        }
    }

    /// The type in which two scalars meet.
    fn common_scalar(&mut self, left: Type, right: Type) -> Type {
        let (left, right) = (self.promoted(left), self.promoted(right));
        match (self.shape(left), self.shape(right)) {
            (Shape::Float(FloatKind::Half), Shape::Float(FloatKind::BFloat))
            | (Shape::Float(FloatKind::BFloat), Shape::Float(FloatKind::Half)) => {
                self.program.types.float(FloatKind::Single)
            }
            (Shape::Float(a), Shape::Float(b)) => {
                if a >= b {
                    left
                } else {
                    right
                }
            }
            (Shape::Float(_), _) => left,
            (_, Shape::Float(_)) => right,
            (Shape::Integer { bits: a, signed: x }, Shape::Integer { bits: b, signed: y }) => {
                self.program.types.integer(
                    a.max(b),
                    if a == b {
                        x && y
                    } else if a > b {
                        x
                    } else {
                        y
                    },
                )
            }
            _ => left,
        }
    }

    /// Two operands of arithmetic as values of one type.
    pub fn usual_arithmetic(
        &mut self,
        operator: BinaryOperator,
        left: Expression,
        right: Expression,
        location: Location,
    ) -> Result<(Expression, Expression, Type), Diagnostic> {
        let (mut left, mut right) = (self.rvalue(left), self.rvalue(right));
        // Beside a vector a bool is a number, not a mask.
        match (self.shape_of(left), self.shape_of(right)) {
            (Shape::Bool, Shape::Vector { element, .. }) => left = self.convert_or_say(left, element)?,
            (Shape::Vector { element, .. }, Shape::Bool) => right = self.convert_or_say(right, element)?,
            _ => {}
        }
        let Some(of) = self.common_type(self.type_of(left), self.type_of(right)) else {
            return Err(self.wrong_operands(operator, left, right, location));
        };
        Ok((self.convert_or_say(left, of)?, self.convert_or_say(right, of)?, of))
    }

    /// The error of operands that an operator does not take.
    pub(super) fn wrong_operands(
        &self,
        operator: BinaryOperator,
        left: Expression,
        right: Expression,
        location: Location,
    ) -> Diagnostic {
        let (left, right) = (self.type_name(self.type_of(left)), self.type_name(self.type_of(right)));
        Diagnostic::error(location, format!("`{}` does not take `{left}` and `{right}`", spelling(operator)))
    }

    /// The error of an operand that an operator does not take.
    pub(super) fn wrong_operand(&self, operator: &str, operand: Expression, location: Location) -> Diagnostic {
        let of = self.type_name(self.type_of(operand));
        Diagnostic::error(location, format!("`{operator}` does not take `{of}`"))
    }

    /// Any operator between two operands: arithmetic, comparison or `&&`, `||`.
    pub fn binary(
        &mut self,
        operator: BinaryOperator,
        left: Expression,
        right: Expression,
        location: Location,
    ) -> Made {
        use BinaryOperator::{Equal, Greater, GreaterEqual, Less, LessEqual, LogicalAnd, LogicalOr, NotEqual};
        match operator {
            Less | Greater | LessEqual | GreaterEqual | Equal | NotEqual => {
                self.compare(operator, left, right, location)
            }
            LogicalAnd | LogicalOr => self.logical(operator, left, right, location),
            _ => self.arithmetic(operator, left, right, location),
        }
    }

    /// `+ - * / % << >> & | ^`, pointers among the operands of `+` and `-`.
    pub fn arithmetic(
        &mut self,
        operator: BinaryOperator,
        left: Expression,
        right: Expression,
        location: Location,
    ) -> Made {
        let (left, right) = (self.rvalue(left), self.rvalue(right));
        match (operator, self.shape_of(left), self.shape_of(right)) {
            (BinaryOperator::Add, Shape::Pointer { .. }, _) => return self.offset(left, right, false, location),
            (BinaryOperator::Add, _, Shape::Pointer { .. }) => return self.offset(right, left, false, location),
            (BinaryOperator::Subtract, Shape::Pointer { .. }, Shape::Pointer { .. }) => {
                return self.difference(left, right, location);
            }
            (BinaryOperator::Subtract, Shape::Pointer { .. }, _) => return self.offset(left, right, true, location),
            _ => {}
        }
        let (left, right, of) = match is_shift(operator) {
            true => self.shift_operands(operator, left, right, location)?,
            false => self.usual_arithmetic(operator, left, right, location)?,
        };
        if is_bitwise(operator) && !matches!(self.shape(self.lane_type(of)), Shape::Integer { .. }) {
            return Err(self.wrong_operands(operator, left, right, location));
        }
        Ok(self.push(ExpressionKind::Arithmetic(operator, left, right), of, location))
    }

    /// The operands of a shift: each is promoted by itself, and the result is of the left one's type.
    fn shift_operands(
        &mut self,
        operator: BinaryOperator,
        left: Expression,
        right: Expression,
        location: Location,
    ) -> Result<(Expression, Expression, Type), Diagnostic> {
        let (left, right) = (self.promote(left), self.promote(right));
        let of = self.type_of(left);
        let fits = match (self.shape(of), self.shape_of(right)) {
            (Shape::Integer { .. } | Shape::Vector { .. }, Shape::Integer { .. }) => true,
            (Shape::Vector { lanes: a, .. }, Shape::Vector { element, lanes: b }) => {
                a == b && matches!(self.shape(element), Shape::Integer { .. })
            }
            _ => false,
        };
        if !fits {
            return Err(self.wrong_operands(operator, left, right, location));
        }
        let right = match self.shape_of(right) {
            Shape::Vector { .. } if self.type_of(right) != of => self.convert_to(Conversion::Arithmetic, right, of),
            _ => self.convert_or_say(right, of)?,
        };
        Ok((left, right, of))
    }

    /// The element of a vector; else the type itself.
    pub fn lane_type(&self, of: Type) -> Type {
        match self.shape(of) {
            Shape::Vector { element, .. } => element,
            _ => of,
        }
    }

    /// A pointer plus or minus a number of elements.
    pub(super) fn offset(
        &mut self,
        pointer: Expression,
        count: Expression,
        is_minus: bool,
        location: Location,
    ) -> Made {
        let Shape::Pointer { pointee, .. } = self.shape_of(pointer) else {
            return Err(self.wrong_operand("+", pointer, location));
        };
        let fits = matches!(self.shape_of(count), Shape::Integer { .. } | Shape::Bool);
        if !fits || matches!(self.shape(pointee), Shape::Function { .. }) {
            let operator = if is_minus { BinaryOperator::Subtract } else { BinaryOperator::Add };
            return Err(self.wrong_operands(operator, pointer, count, location));
        }
        let is_signed = !matches!(self.shape_of(count), Shape::Integer { bits: 64.., signed: false });
        let wide = self.program.types.integer(64, is_signed);
        let mut count = self.convert_or_say(count, wide)?;
        if is_minus {
            count = match self.kind(count).bits() {
                Some(bits) => self.integer((bits as i128).wrapping_neg(), wide, location),
                None => self.push(ExpressionKind::Negate(count), wide, location),
            };
        }
        let of = self.type_of(pointer);
        let (bytes, of_bytes) = self.pointer_to_bytes(pointer);
        let moved = self.push(ExpressionKind::PointerOffset(bytes, count), of_bytes, location);
        Ok(if of == of_bytes { moved } else { self.convert_to(Conversion::Pointer, moved, of) })
    }

    /// A pointer that can be counted with, and its type: one to void counts bytes.
    fn pointer_to_bytes(&mut self, pointer: Expression) -> (Expression, Type) {
        let of = self.type_of(pointer);
        match self.shape(of) {
            Shape::Pointer { pointee, space, .. } if self.shape(pointee) == Shape::Void => {
                let byte = self.program.types.integer(8, true);
                let to = self.program.types.pointer(byte, space);
                (self.convert_to(Conversion::Pointer, pointer, to), to)
            }
            _ => (pointer, of),
        }
    }

    /// How many elements are between two pointers.
    fn difference(&mut self, left: Expression, right: Expression, location: Location) -> Made {
        let pointees = (self.element(self.type_of(left)), self.element(self.type_of(right)));
        if pointees.0 != pointees.1 {
            return Err(self.wrong_operands(BinaryOperator::Subtract, left, right, location));
        }
        let (left, right) = self.pointers_of_one_type(BinaryOperator::Subtract, left, right, location)?;
        let ((left, _), (right, _)) = (self.pointer_to_bytes(left), self.pointer_to_bytes(right));
        let of = self.program.types.integer(64, true);
        Ok(self.push(ExpressionKind::PointerDifference(left, right), of, location))
    }

    /// Two pointers, of which one may be a null pointer constant, as values of one type.
    fn pointers_of_one_type(
        &mut self,
        operator: BinaryOperator,
        left: Expression,
        right: Expression,
        location: Location,
    ) -> Result<(Expression, Expression), Diagnostic> {
        match self.common_pointer(left, right) {
            Some(of) => Ok((self.convert_or_say(left, of)?, self.convert_or_say(right, of)?)),
            None => Err(self.wrong_operands(operator, left, right, location)),
        }
    }

    /// The pointer type in which two values meet, of which at least one is a pointer.
    fn common_pointer(&mut self, left: Expression, right: Expression) -> Option<Type> {
        let (a, b) = (self.type_of(left), self.type_of(right));
        if a == b {
            return Some(a);
        }
        match (self.shape(a), self.shape(b)) {
            (Shape::Pointer { .. }, _) if self.is_null(right) => return Some(a),
            (_, Shape::Pointer { .. }) if self.is_null(left) => return Some(b),
            (Shape::Pointer { pointee: x, space: s, .. }, Shape::Pointer { pointee: y, space: t, .. }) => {
                let is_void = |of: Type| self.shape(of) == Shape::Void;
                let target = if is_void(y) { b } else { a };
                if s != t && (x == y || is_void(x) || is_void(y)) {
                    let pointee = self.element(target);
                    let of = self.program.types.pointer(pointee, AddressSpace::Generic);
                    return (self.converts(left, of) && self.converts(right, of)).then_some(of);
                }
            }
            _ => return None,
        }
        if self.converts(left, b) {
            return Some(b);
        }
        self.converts(right, a).then_some(a)
    }

    /// `< > <= >= == !=`: a bool; of vectors, a vector of integers.
    pub fn compare(
        &mut self,
        operator: BinaryOperator,
        left: Expression,
        right: Expression,
        location: Location,
    ) -> Made {
        let (left, right) = (self.rvalue(left), self.rvalue(right));
        let is_pointer = |of: Shape| matches!(of, Shape::Pointer { .. });
        let truth = self.program.types.bool();
        if is_pointer(self.shape_of(left)) || is_pointer(self.shape_of(right)) {
            let (left, right) = self.pointers_of_one_type(operator, left, right, location)?;
            return Ok(self.push(ExpressionKind::Compare(operator, left, right), truth, location));
        }
        let (left, right, of) = self.usual_arithmetic(operator, left, right, location)?;
        let of = self.truth_of(of);
        Ok(self.push(ExpressionKind::Compare(operator, left, right), of, location))
    }

    /// The type of a comparison of two values of a type: bool, or the vector of signed integers of the same widths.
    pub fn truth_of(&mut self, of: Type) -> Type {
        match self.shape(of) {
            Shape::Vector { element, lanes } => {
                let bits = self.scalar_bits(element).unwrap_or(8);
                let element = self.program.types.integer(bits as u8, true);
                self.program.types.vector(element, lanes)
            }
            _ => self.program.types.bool(),
        }
    }

    /// `&&` and `||`: a bool, the right operand only where it is needed; of vectors lane by lane, both evaluated.
    pub fn logical(
        &mut self,
        operator: BinaryOperator,
        left: Expression,
        right: Expression,
        location: Location,
    ) -> Made {
        let (left, right) = (self.rvalue(left), self.rvalue(right));
        let is_vector = |of: Shape| matches!(of, Shape::Vector { .. });
        if is_vector(self.shape_of(left)) || is_vector(self.shape_of(right)) {
            let (left, right, _) = self.usual_arithmetic(operator, left, right, location)?;
            let (left, right) = (self.lanes_not_zero(left, location), self.lanes_not_zero(right, location));
            let bits = if operator == BinaryOperator::LogicalAnd { BinaryOperator::And } else { BinaryOperator::Or };
            let of = self.type_of(left);
            return Ok(self.push(ExpressionKind::Arithmetic(bits, left, right), of, location));
        }
        let (left, right) = (self.condition(left)?, self.condition(right)?);
        let of = self.program.types.bool();
        let kind = match operator {
            BinaryOperator::LogicalAnd => ExpressionKind::And(left, right),
            _ => ExpressionKind::Or(left, right),
        };
        Ok(self.push(kind, of, location))
    }

    /// -1 in the lanes of a vector that are not zero.
    fn lanes_not_zero(&mut self, vector: Expression, location: Location) -> Expression {
        let of = self.type_of(vector);
        let (zero, truth) = (self.zero(of, location), self.truth_of(of));
        self.push(ExpressionKind::Compare(BinaryOperator::NotEqual, vector, zero), truth, location)
    }

    /// `!x`.
    pub fn not(&mut self, operand: Expression, location: Location) -> Made {
        let value = self.rvalue(operand);
        let of = self.type_of(value);
        if let Shape::Vector { .. } = self.shape(of) {
            let (zero, truth) = (self.zero(of, location), self.truth_of(of));
            return Ok(self.push(ExpressionKind::Compare(BinaryOperator::Equal, value, zero), truth, location));
        }
        let value = self.condition(value)?;
        let of = self.program.types.bool();
        Ok(self.push(ExpressionKind::Not(value), of, location))
    }

    /// `-x`. Of a literal it is one.
    pub fn negate(&mut self, operand: Expression, location: Location) -> Made {
        let value = self.promote(operand);
        let of = self.type_of(value);
        let (kind, lane) = (self.kind(value), self.shape(self.lane_type(of)));
        match (kind.bits(), kind, lane) {
            (Some(bits), _, Shape::Integer { .. }) => Ok(self.integer((bits as i128).wrapping_neg(), of, location)),
            (_, &ExpressionKind::Float(number), _) => Ok(self.float(-number, of, location)),
            (_, _, Shape::Integer { .. } | Shape::Float(_)) => {
                Ok(self.push(ExpressionKind::Negate(value), of, location))
            }
            _ => Err(self.wrong_operand("-", value, location)),
        }
    }

    /// `+x`.
    pub fn plus(&mut self, operand: Expression, location: Location) -> Made {
        let value = self.promote(operand);
        match self.shape(self.lane_type(self.type_of(value))) {
            Shape::Integer { .. } | Shape::Float(_) | Shape::Pointer { .. } => Ok(value),
            _ => Err(self.wrong_operand("+", value, location)),
        }
    }

    /// `~x`.
    pub fn complement(&mut self, operand: Expression, location: Location) -> Made {
        let value = self.promote(operand);
        let of = self.type_of(value);
        match self.shape(self.lane_type(of)) {
            Shape::Integer { .. } => Ok(self.push(ExpressionKind::Complement(value), of, location)),
            _ => Err(self.wrong_operand("~", value, location)),
        }
    }

    /// `a ? b : c`; with a vector as condition lane by lane.
    pub fn conditional(
        &mut self,
        condition: Expression,
        then: Expression,
        otherwise: Expression,
        location: Location,
    ) -> Made {
        let condition = self.rvalue(condition);
        let (then, otherwise) = (self.rvalue(then), self.rvalue(otherwise));
        if let Shape::Vector { .. } = self.shape_of(condition) {
            return self.choose_lanes(condition, then, otherwise, location);
        }
        let condition = self.condition(condition)?;
        let (a, b) = (self.type_of(then), self.type_of(otherwise));
        let is_pointer = |of: Shape| matches!(of, Shape::Pointer { .. });
        let of = match (self.shape(a), self.shape(b)) {
            (x, y) if a == b && !(x.is_scalar() && y.is_scalar()) => Some(a),
            (Shape::Void, _) | (_, Shape::Void) => Some(self.program.types.void()),
            (x, y) if is_pointer(x) || is_pointer(y) => self.common_pointer(then, otherwise),
            // Of two values of one small type, C++ makes no int.
            _ if a == b && self.dialect().is_cpp() => Some(a),
            _ => self.common_type(a, b),
        };
        let Some(of) = of else {
            let (a, b) = (self.type_name(a), self.type_name(b));
            return Err(Diagnostic::error(location, format!("`?:` cannot choose between `{a}` and `{b}`")));
        };
        let is_void = self.shape(of) == Shape::Void;
        let mut branch = |value: Expression| match is_void && self.type_of(value) != of {
            true => Ok(self.convert_to(Conversion::Discard, value, of)),
            false => self.convert_or_say(value, of),
        };
        let (then, otherwise) = (branch(then)?, branch(otherwise)?);
        Ok(self.push(ExpressionKind::Conditional(condition, then, otherwise), of, location))
    }

    /// The place that the value of `a ? b : c` is in, if both are values of places of one type: `*(a ? &b : &c)`. C++ only, as C makes a value of it.
    pub fn chosen_place(&mut self, value: Expression) -> Option<Expression> {
        match *self.kind(value) {
            ExpressionKind::Load(place) => Some(place),
            ExpressionKind::Conditional(condition, then, otherwise) if self.dialect().is_cpp() => {
                let location = self.location(value);
                let (then, otherwise) = (self.chosen_place(then)?, self.chosen_place(otherwise)?);
                if self.type_of(then) != self.type_of(otherwise) {
                    return None;
                }
                let (then, otherwise) =
                    (self.address_of(then, location).ok()?, self.address_of(otherwise, location).ok()?);
                let pointer = self.conditional(condition, then, otherwise, location).ok()?;
                self.dereference(pointer, location).ok()
            }
            _ => None,
        }
    }

    /// `a ? b : c` with a vector as condition: its lanes are integers as wide as those of the result.
    fn choose_lanes(
        &mut self,
        condition: Expression,
        then: Expression,
        otherwise: Expression,
        location: Location,
    ) -> Made {
        let Shape::Vector { element, lanes } = self.shape_of(condition) else {
            return Err(self.wrong_operand("?:", condition, location));
        };
        let (a, b) = (self.type_of(then), self.type_of(otherwise));
        let common = self.common_type(a, b);
        let of = common.map(|of| match self.shape(of) {
            Shape::Vector { .. } => of,
            _ => self.program.types.vector(of, lanes),
        });
        let bits = self.scalar_bits(element);
        let is_integer = matches!(self.shape(element), Shape::Integer { .. });
        match of.map(|of| (of, self.shape(of))) {
            Some((of, Shape::Vector { element: part, lanes: count }))
                if is_integer && count == lanes && self.scalar_bits(part) == bits =>
            {
                let (then, otherwise) = (self.convert_or_say(then, of)?, self.convert_or_say(otherwise, of)?);
                Ok(self.push(ExpressionKind::Select(condition, then, otherwise), of, location))
            }
            _ => {
                let (a, b) = (self.type_name(a), self.type_name(b));
                let condition = self.type_name(self.type_of(condition));
                let message = format!("`?:` with a condition `{condition}` cannot choose between `{a}` and `{b}`");
                Err(Diagnostic::error(location, message))
            }
        }
    }
}
