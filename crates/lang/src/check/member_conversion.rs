//! What pointers to members become, and what they are compared with.
//!
//! **Definition.** A pointer to a member of a class becomes one to the same member of a class derived from it, and by a cast of a base; `nullptr` and the literal 0 become the null
//! pointer of each type. Two are equal iff both are null or both are to the same member; in a condition, one is true iff it is not null.
//!
//! **Invariant.** Each operand is evaluated once.

use super::written::{FormKind, Written};
use super::{Checker, Operand, Outcome};
use crate::diagnostic::Diagnostic;
use crate::source::Location;
use crate::tree::CastForm;
use crate::typed::{BinaryOperator, Conversion, Expression, Layout, Shape, Struct, TypeKind};

impl Checker<'_> {
    /// A condition: whether a pointer to a member is not null.
    pub(super) fn member_is_set(&mut self, value: Operand, location: Location) -> Outcome<Expression> {
        let (of, long) = (self.form(value.written).clone(), self.types_of_member_function().2);
        if !matches!(of, FormKind::MemberPointer(of, _) if matches!(self.form(of), FormKind::Function(_))) {
            let null = self.build().integer(0, long, location);
            return self.build().compare(BinaryOperator::NotEqual, value.expression, null, location);
        }
        let parts = self.parts_of(value, location);
        let made = self.build().condition(parts.function)?;
        Ok(match parts.before {
            Some(before) => self.build().comma(before, made, location),
            None => made,
        })
    }

    /// An operator with a pointer to a member: `==`, `!=`, `&&`, `||`.
    pub(super) fn member_pointer_operator(
        &mut self,
        operator: BinaryOperator,
        left: Operand,
        right: Operand,
        location: Location,
    ) -> Outcome<Operand> {
        if matches!(operator, BinaryOperator::LogicalAnd | BinaryOperator::LogicalOr) {
            let (left, right) = (self.condition(left)?, self.condition(right)?);
            let made = self.build().binary(operator, left, right, location)?;
            return Ok(self.truth(made));
        }
        let (left, right) = (self.value(left), self.value(right));
        if !matches!(operator, BinaryOperator::Equal | BinaryOperator::NotEqual) {
            let operator = crate::typed::operator_text(operator);
            let (left, right) = (self.name_of(left.written), self.name_of(right.written));
            return Err(Diagnostic::error(location, format!("`{operator}` does not take `{left}` and `{right}`")));
        }
        let is_equal = operator == BinaryOperator::Equal;
        for (value, other) in [(left, right), (right, left)] {
            if self.is_null_constant(other) {
                let made = self.member_is_set(value, location)?;
                let made = if is_equal { self.build().not(made, location)? } else { made };
                return Ok(self.truth(made));
            }
        }
        let (left, right) = self.same_member_pointers(left, right, location)?;
        if self.build().shape_of(left.expression).is_scalar() {
            let made = self.build().compare(operator, left.expression, right.expression, location)?;
            return Ok(self.truth(made));
        }
        // Both are null, or the function and what is added are the same.
        let (left, right) = (self.parts_of(left, location), self.parts_of(right, location));
        let null = self.types_of_member_function().1;
        let null = self.build().integer(0, null, location);
        let equal = BinaryOperator::Equal;
        let is_same = self.build().compare(equal, left.function, right.function, location)?;
        let is_null = self.build().compare(equal, left.function, null, location)?;
        let same_offset = self.build().compare(equal, left.offset, right.offset, location)?;
        let rest = self.build().binary(BinaryOperator::Or, is_null, same_offset, location)?;
        let both = self.build().binary(BinaryOperator::And, is_same, rest, location)?;
        let mut made = self.build().condition(both)?;
        if !is_equal {
            made = self.build().not(made, location)?;
        }
        let parts: Vec<Expression> = left.before.into_iter().chain(right.before).chain([made]).collect();
        let made = self.sequence(&parts, location);
        Ok(self.truth(made))
    }

    /// Two pointers to members, or one and null, as pointers of one type.
    pub(super) fn same_member_pointers(
        &mut self,
        left: Operand,
        right: Operand,
        location: Location,
    ) -> Outcome<(Operand, Operand)> {
        if left.written.form == right.written.form {
            return Ok((left, right));
        }
        let is_pointer = self.is_member_pointer(left.written);
        if is_pointer && let Some(Ok(expression)) = self.converted_member(right, left.written, location) {
            return Ok((left, Operand { expression, written: left.written }));
        }
        if let Some(Ok(expression)) = self.converted_member(left, right.written, location) {
            return Ok((Operand { expression, written: right.written }, right));
        }
        let (left, right) = (self.name_of(left.written), self.name_of(right.written));
        Err(Diagnostic::error(location, format!("`{left}` and `{right}` are not pointers to the same kind of member")))
    }

    /// Whether a value is `nullptr` or a literal 0.
    fn is_null_constant(&mut self, value: Operand) -> bool {
        self.build().is_null(value.expression)
            && match *self.form(value.written) {
                FormKind::Pointer(to) => {
                    let to = self.type_of(to);
                    self.build().shape(to) == Shape::Void
                }
                FormKind::Plain(..) => true,
                _ => false,
            }
    }

    /// A value as a pointer to a member, or such a pointer as something else; none where there is none.
    pub(super) fn converted_member(
        &mut self,
        value: Operand,
        to: Written,
        location: Location,
    ) -> Option<Outcome<Expression>> {
        let (from, into) = (self.form(value.written).clone(), self.form(to).clone());
        let wrong = |checker: &mut Self| {
            let (from, to) = (checker.name_of(value.written), checker.name_of(to));
            Some(Err(Diagnostic::error(location, format!("`{from}` cannot be converted to `{to}`"))))
        };
        match (from, into) {
            (FormKind::MemberPointer(..), _) if self.is_unknown(to) => None,
            (FormKind::MemberPointer(of, class), FormKind::MemberPointer(to_be, derived)) => {
                let classes = (self.class_of(Written::bare(class)), self.class_of(Written::bare(derived)));
                let keeps =
                    of.form == to_be.form && (to_be.is_const || !of.is_const) && (to_be.is_volatile || !of.is_volatile);
                match classes {
                    (Some(base), Some(derived)) if keeps && (base == derived || self.is_derived(derived, base)) => {
                        let bytes = self.base_offset(derived, base);
                        Some(self.member_moved(value, bytes, location))
                    }
                    _ => wrong(self),
                }
            }
            (FormKind::MemberPointer(..), FormKind::Plain(plain, _))
                if *self.program.types.kind(plain) == TypeKind::Bool =>
            {
                Some(self.member_is_set(value, location))
            }
            (FormKind::MemberPointer(..), FormKind::Struct(_)) => None,
            (_, FormKind::MemberPointer(..)) if self.is_null_constant(value) => {
                let of = self.type_of(to);
                Some(Ok(self.nothing(of, 0, location)))
            }
            (FormKind::Struct(_), FormKind::MemberPointer(..)) => None,
            (_, FormKind::MemberPointer(..)) if self.is_unknown(value.written) => None,
            (FormKind::MemberPointer(..), _) | (_, FormKind::MemberPointer(..)) => wrong(self),
            _ => None,
        }
    }

    /// The same where a cast says so: also to a pointer to a member of a base.
    pub(super) fn cast_member(
        &mut self,
        value: Operand,
        to: Written,
        form: CastForm,
        location: Location,
    ) -> Option<Outcome<Expression>> {
        if value.written.form == to.form {
            return None;
        }
        if let (FormKind::MemberPointer(of, class), FormKind::MemberPointer(to_be, base)) =
            (self.form(value.written).clone(), self.form(to).clone())
        {
            if matches!(form, CastForm::Reinterpret | CastForm::Const) {
                let message = "a pointer to a member that is made of another one by `reinterpret_cast` or `const_cast`";
                return Some(Err(Diagnostic::unsupported(location, message)));
            }
            let (class, base) = (self.class_of(Written::bare(class)), self.class_of(Written::bare(base)));
            if let (Some(derived), Some(base)) = (class, base)
                && of.form == to_be.form
                && self.is_derived(derived, base)
            {
                let bytes = self.base_offset(derived, base);
                return Some(self.member_moved(value, -bytes, location));
            }
        }
        self.converted_member(value, to, location)
    }

    /// How many bytes before a base of a class there are in its objects.
    fn base_offset(&self, derived: Struct, base: Struct) -> i128 {
        let (mut at, mut bytes) = (derived, 0);
        while at != base {
            let bases = self.classes.get(&at).map_or(&[][..], |class| &class.bases);
            let next = bases.iter().find(|next| next.of == base || self.is_derived(next.of, base));
            let Some(next) = next else { break };
            // A base that holds nothing is where the object is.
            let layout = Layout { types: &self.program.types, target: self.program.target };
            bytes += next.field.map_or(0, |field| i128::from(layout.offset(at, field)));
            at = next.of;
        }
        bytes
    }

    /// A pointer to a member that is some bytes further in the objects.
    fn member_moved(&mut self, value: Operand, bytes: i128, location: Location) -> Outcome<Expression> {
        if bytes == 0 {
            return Ok(value.expression);
        }
        let long = self.types_of_member_function().2;
        if let Some(known) = self.build().kind(value.expression).bits() {
            let moved = if known == 0 { 0 } else { known as i128 + bytes };
            return Ok(self.build().integer(moved, long, location));
        }
        let bytes = self.build().integer(bytes, long, location);
        if let Shape::Struct(_) = self.build().shape_of(value.expression) {
            let parts = self.parts_of(value, location);
            let offset = self.build().binary(BinaryOperator::Add, parts.offset, bytes, location)?;
            let made = self.member_function(parts.function, Some(offset), location);
            return Ok(match parts.before {
                Some(before) => self.build().comma(before, made, location),
                None => made,
            });
        }
        // The null pointer stays one.
        let kept = self.temporary(value.written, location);
        let place = self.build().variable(kept, location);
        let before = self.push_assign(place, value.expression, location);
        let read = self.build().variable(kept, location);
        let read = self.build().load(read);
        let again = self.build().variable(kept, location);
        let again = self.build().load(again);
        let null = self.build().integer(0, long, location);
        let is_set = self.build().compare(BinaryOperator::NotEqual, again, null, location)?;
        let is_set = self.build().convert_to(Conversion::Arithmetic, is_set, long);
        let added = self.build().binary(BinaryOperator::Multiply, is_set, bytes, location)?;
        let moved = self.build().binary(BinaryOperator::Add, read, added, location)?;
        Ok(self.build().comma(before, moved, location))
    }

    /// That something is counted with, as pointers to members are not.
    pub(super) fn check_counts(&mut self, place: Operand, location: Location) -> Outcome<()> {
        if !self.is_member_pointer(place.written) {
            return Ok(());
        }
        let name = self.name_of(place.written);
        Err(Diagnostic::error(location, format!("a `{name}` is no operand of arithmetic")))
    }
}
