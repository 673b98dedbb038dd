//! Operations on places: addresses, elements, assignments.

use super::operation::{Made, is_bitwise, is_shift};
use super::{Builder, Shape};
use crate::diagnostic::Diagnostic;
use crate::source::Location;
use crate::typed::{BinaryOperator, Conversion, Expression, ExpressionKind, TypeKind};

impl Builder<'_> {
    /// `*x`: the place that a pointer points at.
    pub fn dereference(&mut self, pointer: Expression, location: Location) -> Made {
        let pointer = self.rvalue(pointer);
        match self.shape_of(pointer) {
            Shape::Pointer { pointee, .. } if self.shape(pointee) != Shape::Void => {
                Ok(self.push(ExpressionKind::Dereference(pointer), pointee, location))
            }
            _ => Err(self.wrong_operand("*", pointer, location)),
        }
    }

    /// `&x`: the address of a place; of a function, the pointer it is.
    pub fn address_of(&mut self, place: Expression, location: Location) -> Made {
        if !self.is_place(place) {
            return match self.kind(place) {
                ExpressionKind::Function(_) => Ok(place),
                _ => Err(Diagnostic::error(location, "only what is in memory has an address")),
            };
        }
        match *self.kind(place) {
            ExpressionKind::Dereference(pointer) => return Ok(pointer),
            ExpressionKind::Lanes { .. } | ExpressionKind::Lane(..) => {
                return Err(Diagnostic::error(location, "lanes of a vector have no address"));
            }
            _ => {}
        }
        let pointee = self.type_of(place);
        let (space, is_volatile) = self.space_of_place(place);
        let of = self.program.types.intern(TypeKind::Pointer { pointee, space, is_volatile });
        Ok(self.push(ExpressionKind::AddressOf(place), of, location))
    }

    /// `a[b]`: a place behind a pointer or in an array (either way round), or a lane of a vector.
    pub fn index(&mut self, base: Expression, index: Expression, location: Location) -> Made {
        if let Shape::Vector { element, .. } = self.shape_of(base) {
            let index = self.promote(index);
            return match self.shape_of(index) {
                Shape::Integer { .. } => Ok(self.push(ExpressionKind::Lane(base, index), element, location)),
                _ => Err(self.wrong_operand("[]", index, location)),
            };
        }
        let (base, index) = (self.rvalue(base), self.rvalue(index));
        let (pointer, index) = match self.shape_of(index) {
            Shape::Pointer { .. } => (index, base),
            _ => (base, index),
        };
        match self.shape_of(pointer) {
            Shape::Pointer { .. } => {
                let element = self.offset(pointer, index, false, location)?;
                self.dereference(element, location)
            }
            _ => Err(self.wrong_operand("[]", pointer, location)),
        }
    }

    /// `place = value`.
    pub fn assign(&mut self, place: Expression, value: Expression, location: Location) -> Made {
        self.check_assignable(place, location)?;
        let of = self.type_of(place);
        let value = self.convert_or_say(value, of)?;
        Ok(self.push(ExpressionKind::Assign(place, value), of, location))
    }

    /// That a place can be written.
    fn check_assignable(&mut self, place: Expression, location: Location) -> Result<(), Diagnostic> {
        if !self.is_place(place) {
            return Err(Diagnostic::error(location, "only what is in memory can be assigned to"));
        }
        match self.shape_of(place) {
            Shape::Array { .. } | Shape::Function { .. } | Shape::Void => {
                let of = self.type_name(self.type_of(place));
                Err(Diagnostic::error(location, format!("a `{of}` cannot be assigned to")))
            }
            _ => Ok(()),
        }
    }

    /// `place op= value`. The value has the type in which the operation is done.
    pub fn compound_assign(
        &mut self,
        operator: BinaryOperator,
        place: Expression,
        value: Expression,
        location: Location,
    ) -> Made {
        self.check_assignable(place, location)?;
        let (of, mut value) = (self.type_of(place), self.rvalue(value));
        if matches!((self.shape(of), self.shape_of(value)), (Shape::Vector { .. }, Shape::Bool)) {
            value = self.promote(value);
        }
        let value = value;
        let wrong = |build: &Self| build.wrong_operands(operator, place, value, location);
        let computed = match self.shape(of) {
            Shape::Pointer { .. } if matches!(operator, BinaryOperator::Add | BinaryOperator::Subtract) => {
                let fits = matches!(self.shape_of(value), Shape::Integer { .. } | Shape::Bool);
                fits.then(|| self.program.types.integer(64, true))
            }
            Shape::Vector { .. } if is_shift(operator) => Some(of),
            _ if is_shift(operator) => Some(self.promoted(of)),
            _ => self.common_type(of, self.type_of(value)),
        };
        let Some(computed) = computed else { return Err(wrong(self)) };
        let lane = self.shape(self.lane_type(computed));
        if is_bitwise(operator) && !matches!(lane, Shape::Integer { .. }) {
            return Err(wrong(self));
        }
        let is_vector = |of: Shape| matches!(of, Shape::Vector { .. });
        if is_vector(self.shape(computed)) && !is_vector(self.shape(of)) {
            return Err(wrong(self));
        }
        let value = match (self.shape_of(value), self.shape(computed)) {
            (Shape::Vector { lanes: a, .. }, Shape::Vector { lanes: b, .. }) if is_shift(operator) && a == b => {
                match self.type_of(value) == computed {
                    true => value,
                    false => self.convert_to(Conversion::Arithmetic, value, computed),
                }
            }
            (Shape::Float(_), _) if is_shift(operator) => return Err(wrong(self)),
            _ => self.convert_or_say(value, computed)?,
        };
        Ok(self.push(ExpressionKind::CompoundAssign(operator, place, value), of, location))
    }

    /// `++` and `--`.
    pub fn step(&mut self, place: Expression, up: bool, prefix: bool, location: Location) -> Made {
        self.check_assignable(place, location)?;
        let of = self.type_of(place);
        match self.shape(of) {
            Shape::Integer { .. } | Shape::Float(_) | Shape::Pointer { .. } => {
                Ok(self.push(ExpressionKind::Step { place, up, prefix }, of, location))
            }
            // Lanes have no `++`: one is added to each, and taken away again for the old value.
            Shape::Vector { .. } if matches!(self.shape(self.lane_type(of)), Shape::Integer { .. }) => {
                let one = self.int(1, location);
                let one = self.convert_or_say(one, of)?;
                let (forth, back) = match up {
                    true => (BinaryOperator::Add, BinaryOperator::Subtract),
                    false => (BinaryOperator::Subtract, BinaryOperator::Add),
                };
                let changed = self.compound_assign(forth, place, one, location)?;
                if prefix { Ok(changed) } else { self.arithmetic(back, changed, one, location) }
            }
            _ => Err(self.wrong_operand(if up { "++" } else { "--" }, place, location)),
        }
    }
}
