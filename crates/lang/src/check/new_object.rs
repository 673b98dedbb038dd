//! `new` and `delete`: objects that no variable has.
//!
//! **Definition.** The address of `new (address) T(x)` is converted to `void *`, and is the value, as a pointer to what is made there; that of `new T(x)` is what
//! `operator new` gives for the size of it, and that of `new T[n]` what `operator new[]` gives for all elements. An object starts as one in a variable does that is
//! written with the same values; without any, only what constructors say is done. `delete p` ends the object and gives the memory back, unless `p` is null.
//!
//! **Invariant.** The address is computed once, before the values. An array whose elements have something to do at their end is not made: its length would have to be
//! kept beside it.

use super::written::{FormKind, Length, Written};
use super::{Checker, Operand, Outcome};
use crate::diagnostic::Diagnostic;
use crate::source::Location;
use crate::tree::{BinaryOperator, DeleteObject, Expr, NewObject, NewStart};
use crate::typed::{Conversion, Expression, ExpressionKind, MemoryEffects, Shape, Type, TypeKind};

impl<'a> Checker<'a> {
    pub(super) fn new_object(&mut self, made: &'a NewObject, location: Location) -> Outcome<Operand> {
        let address = match *made.place {
            [only] => self.expression(only)?,
            [] => self.memory_for(made, location)?,
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
            Some(count) => parts.extend(self.start_array(pointer, place, count, made, location)?),
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

    /// What `operator new` gives for what is made.
    fn memory_for(&mut self, made: &'a NewObject, location: Location) -> Outcome<Operand> {
        let of = self.type_name(&made.of)?;
        let size = self.size_of(of, location)?;
        let mut bytes = size.expression;
        if let Some(count) = made.count {
            if self.has_end(of) {
                let message = format!("`new` of an array of `{}`, which has a destructor", self.name_of(of));
                return Err(Diagnostic::unsupported(location, message));
            }
            let count = self.operand(count)?;
            let count = self.converted(count, size.written, location)?;
            bytes = self.build().arithmetic(BinaryOperator::Multiply, count, bytes, location)?;
        }
        let Operand { written, .. } = self.null(location);
        let result = self.type_of(written);
        let name = if made.count.is_some() { "_Znam" } else { "_Znwm" };
        let expression = self.call_of_heap(name, &[bytes], result, location);
        Ok(Operand { expression, written })
    }

    /// Calls a function of the library that manages the heap.
    fn call_of_heap(&mut self, name: &str, arguments: &[Expression], result: Type, location: Location) -> Expression {
        let parameters = arguments.iter().map(|&argument| self.build().type_of(argument)).collect();
        let of = self.program.types.intern(TypeKind::Function { result, parameters, variadic: false });
        let function = self.build().declare(name, of, false, MemoryEffects::Unknown);
        self.build().call(function, arguments.to_vec(), location)
    }

    /// `delete p`, `delete[] p`.
    pub(super) fn delete_object(&mut self, deleted: &'a DeleteObject, location: Location) -> Outcome<Operand> {
        let pointer = self.expression(deleted.pointer)?;
        let pointer = self.value(pointer);
        if self.is_unknown(pointer.written) {
            return Ok(self.called("`delete`", &[pointer], location));
        }
        let FormKind::Pointer(of) = *self.form(pointer.written) else {
            let message = format!("`delete` takes a pointer, and this is `{}`", self.name_of(pointer.written));
            return Err(Diagnostic::error(location, message));
        };
        // What is done at the end of it is known of a class that is complete.
        if matches!(self.form(of), FormKind::Struct(_)) {
            self.complete(of, location)?;
        }
        let kept = self.type_of(pointer.written);
        let kept = self.new_variable("", kept, None, location);
        let place = self.build().variable(kept, location);
        let mut parts = vec![self.push_assign(place, pointer.expression, location)];
        let again = |checker: &mut Self| {
            let place = checker.build().variable(kept, location);
            checker.build().load(place)
        };
        if self.has_end(of) {
            if deleted.is_array || self.has_table(of) {
                let message = format!(
                    "`delete` of an array of `{0}`, or of an object of a class made of `{0}`",
                    self.name_of(of)
                );
                return Err(Diagnostic::unsupported(location, message));
            }
            let pointer = again(self);
            let object = self.build().dereference(pointer, location)?;
            let temporaries = self.state.temporaries.len();
            if let Some(end) = self.end_at(Operand { expression: object, written: of }, location)? {
                self.check_unconditional(temporaries, location)?;
                let (there, void) = (again(self), self.program.types.void());
                let nothing = self.program.types.integer(32, true);
                let nothing = self.build().integer(0, nothing, location);
                let [end, nothing] =
                    [end, nothing].map(|part| self.build().convert_to(Conversion::Discard, part, void));
                parts.push(self.build().conditional(there, end, nothing, location)?);
            }
        }
        let (address, null) = (again(self), self.null(location));
        let to = self.type_of(null.written);
        let address = self.build().convert_to(Conversion::Pointer, address, to);
        let (name, void) = (if deleted.is_array { "_ZdaPv" } else { "_ZdlPv" }, self.program.types.void());
        parts.push(self.call_of_heap(name, &[address], void, location));
        let expression = self.sequence(&parts, location);
        Ok(self.plain(expression))
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
        made: &NewObject,
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
        let zeroed = match &made.start {
            NewStart::Itself => false,
            NewStart::Values(values) if values.is_empty() => true,
            _ => return Err(Diagnostic::unsupported(location, "`new` of an array with values")),
        };
        let is_made = self.is_started(element) || self.has_constructors(element);
        if !zeroed && !is_made {
            // The number has no effect but those of its expression.
            let void = self.program.types.void();
            let is_counted = known.is_some() || made.place.is_empty();
            return Ok((!is_counted).then(|| self.build().convert_to(Conversion::Discard, count, void)));
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
