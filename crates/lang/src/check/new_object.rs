//! `new` at a place that the program has: `new (address) T(x)`.
//!
//! **Definition.** The address is converted to `void *`, and is the value, as a pointer to what is made there. An object starts as one in a variable does that is
//! written with the same values; without any, only what constructors say is done.
//!
//! **Invariant.** The address is computed once, before the values. There is no heap: `new` without a place is not supported.

use super::written::{FormKind, Length, Written};
use super::{Checker, Operand, Outcome};
use crate::diagnostic::Diagnostic;
use crate::source::Location;
use crate::tree::{Expr, NewObject, NewStart};
use crate::typed::{Conversion, Expression, ExpressionKind, Shape};

impl<'a> Checker<'a> {
    pub(super) fn new_object(&mut self, made: &'a NewObject, location: Location) -> Outcome<Operand> {
        let address = match *made.place {
            [only] => self.expression(only)?,
            [] => {
                let message = "`new` without an address, which asks for memory of the heap, is not supported";
                return Err(Diagnostic::unsupported(location, message));
            }
            _ => return Err(Diagnostic::unsupported(location, "`new` with more than an address is not supported")),
        };
        let address = self.value(address);
        let FormKind::Pointer(at) = *self.form(address.written) else {
            let name = self.name_of(address.written);
            let message = format!("`new (…)` with a `{name}`, which is no address, is not supported");
            return Err(Diagnostic::unsupported(location, message));
        };
        if at.is_const || at.is_volatile {
            let message = "`new (…)` makes nothing at the address of something that is `const` or `volatile`";
            return Err(Diagnostic::error(location, message));
        }
        let of = self.type_name(&made.of)?;
        self.complete(of, location)?;
        if matches!(self.form(of), FormKind::Reference(..) | FormKind::Function(_) | FormKind::Array(..)) {
            let message = format!("`new` of a `{}` is not supported", self.name_of(of));
            return Err(Diagnostic::unsupported(location, message));
        }
        let Shape::Pointer { space, .. } = self.build().shape_of(address.expression) else {
            return Err(Diagnostic::unsupported(location, "`new (…)` at an address that is not known"));
        };
        let written = self.written.pointer(&mut self.program.types, of.in_space(space));
        let pointer = self.type_of(written);
        let address = match self.build().type_of(address.expression) == pointer {
            true => address.expression,
            false => self.build().convert_to(Conversion::Pointer, address.expression, pointer),
        };
        let kept = self.new_variable("", pointer, None, location);
        let place = self.build().variable(kept, location);
        let mut parts = vec![self.push_assign(place, address, location)];
        let pointer = self.build().variable(kept, location);
        let pointer = self.build().load(pointer);
        let pointer = Operand { expression: pointer, written };
        let place = Written { is_const: false, ..of }.in_space(space);
        match made.count {
            Some(count) => parts.extend(self.start_array(pointer, place, count, &made.start, location)?),
            None => {
                let expression = self.build().dereference(pointer.expression, location)?;
                let place = Operand { expression, written: place };
                parts.extend(self.start_new(place, made, location)?);
            }
        }
        let again = self.build().variable(kept, location);
        parts.push(self.build().load(again));
        Ok(Operand { expression: self.sequence(&parts, location), written })
    }

    /// Makes an object at a place. None where nothing has to be done for that.
    fn start_new(&mut self, place: Operand, made: &'a NewObject, location: Location) -> Outcome<Option<Expression>> {
        match &made.start {
            NewStart::Itself => self.start(place, location),
            NewStart::List(list) => self.initialize(place, list, location).map(Some),
            NewStart::Values(values) if self.has_constructors(place.written) => {
                let values = values.iter().map(|&value| self.operand(value)).collect::<Outcome<Vec<_>>>()?;
                let zeroed = match values.is_empty() && !self.has_own_constructors(place.written) {
                    true => Some(self.build().initialize_zero(place.expression, location)),
                    false => None,
                };
                let made = self.construct_at(place, &values, location)?;
                let parts: Vec<Expression> = zeroed.into_iter().chain(made).collect();
                Ok(if parts.is_empty() { None } else { Some(self.sequence(&parts, location)) })
            }
            NewStart::Values(values) => {
                let value = self.construct(&made.of, values, location)?;
                // The object at the place is the one that was made.
                self.take_temporary(value.expression);
                let value = self.converted(value, place.written, location)?;
                Ok(Some(self.push_assign(place.expression, value, location)))
            }
        }
    }

    /// Whether somebody wrote constructors of a class.
    fn has_own_constructors(&self, of: Written) -> bool {
        let class = self.class_of(of).and_then(|class| self.classes.get(&class));
        class.is_some_and(|class| class.constructors.is_some() && !class.has_default)
    }

    /// Makes the elements of an array from a pointer to the first one on.
    fn start_array(
        &mut self,
        first: Operand,
        element: Written,
        count: Expr,
        start: &NewStart,
        location: Location,
    ) -> Outcome<Option<Expression>> {
        let count = self.operand(count)?;
        let count = self.arithmetic_value(count)?;
        if !matches!(self.build().shape_of(count), Shape::Integer { .. } | Shape::Bool) {
            return Err(Diagnostic::error(location, "the number of elements after `new` is an integer"));
        }
        let known = self.build().constant_integer(count);
        if known.is_some_and(|known| known < 0) {
            return Err(Diagnostic::error(location, "the number of elements after `new` is negative"));
        }
        let zeroed = match start {
            NewStart::Itself => false,
            NewStart::Values(values) if values.is_empty() => true,
            _ => return Err(Diagnostic::unsupported(location, "`new` of an array with values")),
        };
        let is_made = self.is_started(element) || self.has_constructors(element);
        if !zeroed && !is_made {
            // The number has no effect but those of its expression.
            let void = self.program.types.void();
            return Ok(known.is_none().then(|| self.build().convert_to(Conversion::Discard, count, void)));
        }
        let Some(length) = known.and_then(|known| u64::try_from(known).ok()) else {
            let message = "`new` of an array whose length is not a constant, and whose elements are made";
            return Err(Diagnostic::unsupported(location, message));
        };
        let array = self.written.array(&mut self.program.types, element, Length::Known(length));
        let array = array.in_space(element.space.unwrap_or(crate::typed::AddressSpace::Generic));
        let of = self.type_of(array);
        self.check_size(of, location)?;
        let pointer = self.written.pointer(&mut self.program.types, array);
        let pointer = self.type_of(pointer);
        let address = self.build().convert_to(Conversion::Pointer, first.expression, pointer);
        let place = self.build().push(ExpressionKind::Dereference(address), of, location);
        let mut parts = Vec::new();
        if zeroed && !self.has_own_constructors(element) {
            parts.push(self.build().initialize_zero(place, location));
        }
        if is_made {
            parts.extend(self.start(Operand { expression: place, written: array }, location)?);
        }
        Ok(if parts.is_empty() { None } else { Some(self.sequence(&parts, location)) })
    }
}
