//! Operators of the vectors of CUDA and HIP, which are structs of `x`, `y`, `z`, `w`.
//!
//! **Definition.** HIP has the operators of C++ for all of them, CUDA for vectors of numbers of 16 bits. They are applied to each component; a number beside a vector is one for
//! each component. A comparison gives one `bool`: of numbers of 16 bits, whether it is so of both components; of others, whether all are equal. What a program defines for itself comes first.

use super::{Checker, Operand, Outcome};
use crate::options::Dialect;
use crate::source::Location;
use crate::tree::BinaryOperator;
use crate::typed::{Expression, FloatKind, Shape, Type};

/// A vector: its type, that of a component, and how many there are.
#[derive(Clone, Copy)]
struct Vector {
    of: Type,
    element: Type,
    lanes: u8,
}

impl<'a> Checker<'a> {
    /// The vector that an operand is, if its type has operators.
    fn vector_with_operators(&mut self, operand: Operand) -> Option<Vector> {
        let Shape::Struct(number) = self.build().shape_of(operand.expression) else { return None };
        let of = self.type_of(operand.written);
        let fields = &self.program.types.structs[number].fields;
        let (lanes, element) = (u8::try_from(fields.len()).ok()?, fields.first()?.of);
        let is_number = matches!(self.build().shape(element), Shape::Float(_) | Shape::Integer { .. });
        let vector = Vector { of, element, lanes };
        let has_operators = self.dialect() == Dialect::Hip || self.is_of_16_bits(vector);
        let is_own = has_operators && is_number && lanes <= 4 && self.program.types.cuda_vector(element, lanes) == of;
        is_own.then_some(vector)
    }

    /// Whether it is `half2` or `__nv_bfloat162`.
    fn is_of_16_bits(&mut self, vector: Vector) -> bool {
        matches!(self.build().shape(vector.element), Shape::Float(FloatKind::Half | FloatKind::BFloat))
    }

    /// An operator of a vector and a vector or number; none where there is no such operator.
    pub(super) fn vector_operator(
        &mut self,
        operator: BinaryOperator,
        left: Operand,
        right: Operand,
        location: Location,
    ) -> Option<Outcome<Operand>> {
        use BinaryOperator::{Equal, Greater, GreaterEqual, Less, LessEqual, LogicalAnd, LogicalOr, NotEqual};
        let (a, b) = (self.vector_with_operators(left), self.vector_with_operators(right));
        let vector = a.or(b)?;
        if matches!(operator, LogicalAnd | LogicalOr) || [a, b].into_iter().flatten().any(|other| other.of != vector.of)
        {
            return None;
        }
        let is_comparison = match operator {
            Equal | NotEqual => true,
            Less | Greater | LessEqual | GreaterEqual if self.is_of_16_bits(vector) => true,
            Less | Greater | LessEqual | GreaterEqual => return None,
            _ => false,
        };
        Some(self.by_component(operator, (left, a), (right, b), vector, is_comparison, location))
    }

    fn by_component(
        &mut self,
        operator: BinaryOperator,
        left: (Operand, Option<Vector>),
        right: (Operand, Option<Vector>),
        vector: Vector,
        is_comparison: bool,
        location: Location,
    ) -> Outcome<Operand> {
        let mut before = Vec::new();
        let left = self.components(left, vector, &mut before, location)?;
        let right = self.components(right, vector, &mut before, location)?;
        let mut parts = Vec::with_capacity(left.len());
        for (left, right) in left.into_iter().zip(right) {
            let made = self.build().binary(operator, left, right, location)?;
            parts.push(if is_comparison { made } else { self.build().convert_or_say(made, vector.element)? });
        }
        let made = match is_comparison {
            true => {
                let is_any = operator == BinaryOperator::NotEqual && !self.is_of_16_bits(vector);
                let together = if is_any { BinaryOperator::LogicalOr } else { BinaryOperator::LogicalAnd };
                let mut all = parts[0];
                for &part in &parts[1..] {
                    all = self.build().binary(together, all, part, location)?;
                }
                all
            }
            false => self.build().aggregate_of(parts, vector.of, location),
        };
        before.push(made);
        let expression = self.sequence(&before, location);
        Ok(self.plain(expression))
    }

    /// `v += x` and the like; none where there is no such operator. The place is found once.
    pub(super) fn vector_assign(
        &mut self,
        operator: BinaryOperator,
        place: Operand,
        value: Operand,
        location: Location,
    ) -> Option<Outcome<Operand>> {
        self.vector_with_operators(place)?;
        let address = match self.build().address_of(place.expression, location) {
            Ok(address) => address,
            Err(wrong) => return Some(Err(wrong)),
        };
        let of = self.build().type_of(address);
        let pointer = self.new_variable("", of, None, location);
        let target = self.build().variable(pointer, location);
        let found = self.push_assign(target, address, location);
        let mut reach = || {
            let pointer = self.build().variable(pointer, location);
            self.build().dereference(pointer, location)
        };
        let (read, changed) = match (reach(), reach()) {
            (Ok(read), Ok(changed)) => (read, changed),
            (Err(wrong), _) | (_, Err(wrong)) => return Some(Err(wrong)),
        };
        let made = self.vector_operator(operator, Operand { expression: read, ..place }, value, location)?;
        Some(made.map(|made| {
            let stored = self.push_assign(changed, made.expression, location);
            let expression = self.build().comma(found, stored, location);
            Operand { expression, written: place.written.unqualified() }
        }))
    }

    /// `-v`; none where there is no such operator.
    pub(super) fn negated_vector(&mut self, operand: Operand, location: Location) -> Option<Outcome<Operand>> {
        let vector = self.vector_with_operators(operand)?;
        let mut negate = || {
            let mut before = Vec::new();
            let mut parts = self.components((operand, Some(vector)), vector, &mut before, location)?;
            for part in &mut parts {
                let negated = self.build().negate(*part, location)?;
                *part = self.build().convert_or_say(negated, vector.element)?;
            }
            before.push(self.build().aggregate_of(parts, vector.of, location));
            let expression = self.sequence(&before, location);
            Ok(self.plain(expression))
        };
        Some(negate())
    }

    /// The components of an operand as values; it is evaluated once, before them.
    fn components(
        &mut self,
        (operand, is_vector): (Operand, Option<Vector>),
        vector: Vector,
        before: &mut Vec<Expression>,
        location: Location,
    ) -> Outcome<Vec<Expression>> {
        let value = match is_vector {
            Some(_) => self.value(operand).expression,
            None => {
                let number = self.arithmetic_value(operand)?;
                self.build().convert_or_say(number, vector.element)?
            }
        };
        let of = if is_vector.is_some() { vector.of } else { vector.element };
        let variable = self.new_variable("", of, None, location);
        let place = self.build().variable(variable, location);
        before.push(self.push_assign(place, value, location));
        Ok((0..u32::from(vector.lanes))
            .map(|lane| {
                let place = self.build().variable(variable, location);
                let part = if is_vector.is_some() { self.build().field(place, lane, location) } else { place };
                self.build().load(part)
            })
            .collect())
    }
}
