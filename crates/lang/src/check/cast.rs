//! Conversions that are written: casts, constructions, vector literals, compound literals.

use super::written::{FormKind, Written};
use super::{Checker, Operand, Outcome};
use crate::diagnostic::Diagnostic;
use crate::source::Location;
use crate::tree::{CastForm, Expr, Initializer, TypeName};
use crate::typed::{AddressSpace, Conversion, Expression, ExpressionKind, Shape, Type};

impl<'a> Checker<'a> {
    pub(super) fn cast(
        &mut self,
        to: &'a TypeName,
        operand: Expr,
        form: CastForm,
        location: Location,
    ) -> Outcome<Operand> {
        let to = self.type_name(to)?;
        let operand = self.operand(operand)?;
        self.cast_to(operand, to, form, location)
    }

    /// A value of a type, as a cast makes it.
    pub(super) fn cast_to(
        &mut self,
        operand: Operand,
        to: Written,
        form: CastForm,
        location: Location,
    ) -> Outcome<Operand> {
        if let FormKind::Reference(to, is_rvalue) = *self.form(to) {
            let is_value = is_rvalue && !self.build().is_place(operand.expression);
            if is_value && operand.written.form == to.form {
                return Ok(operand);
            }
            let made = self.cast_to_reference(operand, to, form, location)?;
            if is_rvalue {
                self.state.given_up.insert(made.expression);
            }
            return Ok(made);
        }
        let of = self.complete(to, location)?;
        if self.build().shape(of) == Shape::Void {
            let expression = self.build().convert_to(Conversion::Discard, operand.expression, of);
            return Ok(Operand { expression, written: to.unqualified() });
        }
        let value = self.value(operand);
        if value.written.form != to.form
            && let Some(made) = self.converted_object(value, to, false, location)
        {
            return Ok(Operand { expression: made?, written: to.unqualified() });
        }
        if let Some(made) = self.cast_member(value, to, form, location) {
            return Ok(Operand { expression: made?, written: to.unqualified() });
        }
        if self.is_unknown(value.written) != self.is_unknown(to) {
            let expression = self.computed_as(value, of, location);
            return Ok(Operand { expression, written: to.unqualified() });
        }
        let (from, into) = (self.build().shape_of(value.expression), self.build().shape(of));
        let expression = match form {
            CastForm::Reinterpret | CastForm::Const => self.reinterpret(value, to, of, form, location)?,
            CastForm::Static if needs_reinterpretation(from, into) => {
                let (from, to) = (self.name_of(value.written), self.name_of(to));
                let message = format!("`static_cast` does not make `{to}` of `{from}`; `reinterpret_cast` does");
                return Err(Diagnostic::error(location, message));
            }
            _ if value.written.form == to.form => value.expression,
            _ => match self.build().explicit_convert(value.expression, of) {
                Ok(expression) => expression,
                Err(_) if value.written.form != to.form => {
                    let (from, to) = (self.name_of(value.written), self.name_of(to));
                    return Err(Diagnostic::error(location, format!("a `{from}` cannot be cast to `{to}`")));
                }
                Err(problem) => return Err(Diagnostic::error(location, problem.to_string())),
            },
        };
        Ok(Operand { expression, written: to.unqualified() })
    }

    fn reinterpret(
        &mut self,
        value: Operand,
        to: Written,
        of: Type,
        form: CastForm,
        location: Location,
    ) -> Outcome<Expression> {
        let (from, into) = (self.build().shape_of(value.expression), self.build().shape(of));
        let pointers = matches!((from, into), (Shape::Pointer { .. }, Shape::Pointer { .. }));
        let with_integer = matches!(
            (from, into),
            (Shape::Pointer { .. }, Shape::Integer { .. }) | (Shape::Integer { .. }, Shape::Pointer { .. })
        );
        let is_same = self.build().type_of(value.expression) == of;
        if !(is_same || pointers || with_integer && form == CastForm::Reinterpret) {
            let word = if form == CastForm::Const { "const_cast" } else { "reinterpret_cast" };
            let (from, to) = (self.name_of(value.written), self.name_of(to));
            return Err(Diagnostic::error(location, format!("`{word}` does not make `{to}` of `{from}`")));
        }
        match self.build().explicit_convert(value.expression, of) {
            Ok(expression) => Ok(expression),
            Err(problem) => Err(Diagnostic::error(location, problem.to_string())),
        }
    }

    /// `reinterpret_cast<T &>(place)`: the same place, as another type.
    fn cast_to_reference(
        &mut self,
        operand: Operand,
        to: Written,
        form: CastForm,
        location: Location,
    ) -> Outcome<Operand> {
        if !self.build().is_place(operand.expression) {
            return Err(Diagnostic::error(location, "only what is in memory can be cast to a reference"));
        }
        let of = self.type_of(to);
        if self.build().type_of(operand.expression) == of {
            return Ok(Operand { expression: operand.expression, written: to.within(operand.written) });
        }
        if form == CastForm::Static {
            let message = "`static_cast` does not make a reference to another type";
            return Err(Diagnostic::error(location, message));
        }
        let address = self.build().address_of(operand.expression, location)?;
        let (space, is_volatile) = self.build().space_of_place(operand.expression);
        let pointer = crate::typed::TypeKind::Pointer { pointee: of, space, is_volatile };
        let pointer = self.program.types.intern(pointer);
        let address = self.build().convert_to(Conversion::Pointer, address, pointer);
        let expression = self.build().push(ExpressionKind::Dereference(address), of, location);
        Ok(Operand { expression, written: to.in_space(space) })
    }

    /// `T(x)`, `T{x, y}`, `T()`.
    pub(super) fn construct(&mut self, of: &'a TypeName, arguments: &[Expr], location: Location) -> Outcome<Operand> {
        let to = self.type_name(of)?;
        self.construct_type(to, arguments, location)
    }

    /// The same of a type that something else says.
    pub(super) fn construct_type(&mut self, to: Written, arguments: &[Expr], location: Location) -> Outcome<Operand> {
        let of = self.complete(to, location)?;
        let parts = self.values(arguments)?;
        match (self.build().shape(of), &parts[..]) {
            (_, [] | [_]) if self.is_member_pointer(to) => {
                let operand = parts.first().copied().unwrap_or_else(|| self.null(location));
                self.cast_to(operand, to, CastForm::C, location)
            }
            (Shape::Unknown, [] | [_]) => Ok(self.computed(&parts, location)),
            (Shape::Unknown, _) => Ok(self.called("a constructor", &parts, location)),
            (Shape::Struct(_), _) if self.is_made_unknown(to) => {
                let made = self.called("a constructor", &parts, location);
                let expression = self.computed_as(made, of, location);
                Ok(Operand { expression, written: to.unqualified() })
            }
            (Shape::Struct(_), _) if self.has_constructors(to) => self.construct_object(to, &parts, location),
            (Shape::Struct(_) | Shape::Array { .. }, &[only]) if only.written.form == to.form => Ok(self.value(only)),
            (Shape::Struct(_) | Shape::Array { .. }, _) => self.construct_parts(to, parts, location),
            (Shape::Vector { .. }, []) => {
                let expression = self.build().zero(of, location);
                Ok(Operand { expression, written: to.unqualified() })
            }
            (_, []) => {
                let zero = self.build().int(0, location);
                let zero = self.plain(zero);
                self.cast_to(zero, to, CastForm::C, location)
            }
            (_, &[only]) => self.cast_to(only, to, CastForm::C, location),
            (Shape::Vector { .. }, _) => self.vector_of(to, parts, location),
            (_, _) => {
                let name = self.name_of(to);
                let message = format!("`{name}` is made of one value, not of {}", parts.len());
                Err(Diagnostic::error(location, message))
            }
        }
    }

    /// A struct value of one value for each member; members without one are zero.
    pub(super) fn construct_parts(&mut self, to: Written, parts: Vec<Operand>, location: Location) -> Outcome<Operand> {
        let of = self.type_of(to);
        let FormKind::Struct(number) = *self.form(to) else {
            return Err(Diagnostic::unsupported(location, "arrays made as values are not supported"));
        };
        let members = self.member_types(number);
        // What `dim3(n)` leaves out is 1.
        let is_dim3 = of == self.program.types.dim3();
        if self.program.types.structs[number].is_union && !parts.is_empty() {
            return Err(Diagnostic::unsupported(location, "unions made as values are not supported"));
        }
        if parts.len() > members.len() {
            let name = self.name_of(to);
            let message = format!("`{name}` has {} members, but {} values are given", members.len(), parts.len());
            return Err(Diagnostic::error(location, message));
        }
        if self.is_started(to) {
            return self.construct_members(to, &members, &parts, location);
        }
        if parts.is_empty() && !is_dim3 {
            let expression = self.build().zero(of, location);
            return Ok(Operand { expression, written: to.unqualified() });
        }
        let mut values = Vec::with_capacity(members.len());
        for (index, &member) in members.iter().enumerate() {
            values.push(match parts.get(index) {
                Some(&part) => self.converted(part, member, location)?,
                None => {
                    let part = self.type_of(member);
                    self.nothing(part, i32::from(is_dim3), location)
                }
            });
        }
        let expression = self.build().aggregate_of(values, of, location);
        Ok(Operand { expression, written: to.unqualified() })
    }

    /// A struct without constructors in a variable, of values for its first members; the others start with what they are by themselves.
    fn construct_members(
        &mut self,
        to: Written,
        members: &[Written],
        values: &[Operand],
        location: Location,
    ) -> Outcome<Operand> {
        let to = to.unqualified().in_space(AddressSpace::Private);
        let variable = self.temporary(to, location);
        let place = self.build().variable(variable, location);
        let mut parts = vec![self.build().initialize_zero(place, location)];
        for (index, &member) in members.iter().enumerate() {
            let part = self.build().field(place, index as u32, location);
            let part = Operand { expression: part, written: member.within(to) };
            match values.get(index) {
                Some(&value) if self.has_constructors(member) => {
                    parts.extend(self.construct_at(part, &[value], location)?);
                }
                Some(&value) => {
                    let value = self.converted(value, member, location)?;
                    parts.push(self.push_assign(part.expression, value, location));
                }
                None => {
                    let class = self.class_of(to).and_then(|class| Some((class, self.member_at(class, index as u32)?)));
                    let whole = Operand { expression: place, written: to };
                    parts.extend(match class {
                        Some((class, name)) => self.start_named(whole, class, name, location)?,
                        None => self.start(part, location)?,
                    });
                }
            }
        }
        self.begin_temporary(variable, to);
        let place = self.build().variable(variable, location);
        parts.push(place);
        Ok(Operand { expression: self.sequence(&parts, location), written: to })
    }

    /// Zero (or another number) of any type.
    pub(super) fn nothing(&mut self, of: Type, number: i32, location: Location) -> Expression {
        match self.build().shape(of) {
            Shape::Bool | Shape::Integer { .. } | Shape::Pointer { .. } => {
                self.build().integer(i128::from(number), of, location)
            }
            Shape::Float(_) => self.build().float(f64::from(number), of, location),
            _ => self.build().zero(of, location),
        }
    }

    /// OpenCL's `(float4)(a, b)`.
    pub(super) fn vector_literal(&mut self, of: &'a TypeName, parts: &[Expr], location: Location) -> Outcome<Operand> {
        let to = self.type_name(of)?;
        let parts = self.values(parts)?;
        self.vector_of(to, parts, location)
    }

    /// A vector of parts, whose lanes together are as many as its own; a single scalar is put in every lane.
    pub(super) fn vector_of(&mut self, to: Written, parts: Vec<Operand>, location: Location) -> Outcome<Operand> {
        let of = self.type_of(to);
        let Shape::Vector { element, lanes } = self.build().shape(of) else {
            return match parts[..] {
                [only] => self.cast_to(only, to, CastForm::C, location),
                _ => {
                    let name = self.name_of(to);
                    Err(Diagnostic::error(location, format!("`{name}` is not a vector")))
                }
            };
        };
        if let [only] = parts[..] {
            return self.cast_to(only, to, CastForm::C, location);
        }
        let (mut values, mut count) = (Vec::with_capacity(parts.len()), 0usize);
        for part in parts {
            let value = self.arithmetic_value(part)?;
            let wanted = match self.build().shape_of(value) {
                Shape::Vector { lanes, .. } => {
                    count += usize::from(lanes);
                    self.program.types.vector(element, lanes)
                }
                _ => {
                    count += 1;
                    element
                }
            };
            let from = self.build().type_of(value);
            values.push(match (self.build().shape(from), from == wanted) {
                (_, true) => value,
                (Shape::Vector { .. }, false) => {
                    let (from, to) = (self.name_of(part.written), self.name_of(to));
                    let message =
                        format!("a `{from}` cannot be a part of a `{to}`: the elements are of different types");
                    return Err(Diagnostic::error(location, message));
                }
                _ => self.build().convert_or_say(value, wanted)?,
            });
        }
        if count != usize::from(lanes) {
            let name = self.name_of(to);
            let message = format!("a `{name}` has {lanes} lanes, but {count} are given");
            return Err(Diagnostic::error(location, message));
        }
        let expression = self.build().vector_of(values, of, location);
        Ok(Operand { expression, written: to.unqualified() })
    }

    /// `(T){…}`: a variable without a name.
    pub(super) fn compound_literal(
        &mut self,
        of: &'a TypeName,
        initializer: &'a Initializer,
        location: Location,
    ) -> Outcome<Operand> {
        let to = self.type_name(of)?;
        let to = self.sized_by(to, initializer)?;
        let of = self.complete(to, location)?;
        match self.build().shape(of) {
            Shape::Struct(_) | Shape::Array { .. } => {
                let variable = self.temporary(to, location);
                let place = self.build().variable(variable, location);
                let filled = self.initialize(Operand { expression: place, written: to }, initializer, location)?;
                let place = self.build().variable(variable, location);
                let expression = self.build().comma(filled, place, location);
                Ok(Operand { expression, written: to })
            }
            _ => {
                let value = self.scalar_initializer(to, initializer, location)?;
                Ok(Operand { expression: value, written: to.unqualified() })
            }
        }
    }
}

/// Whether a `static_cast` from one to the other is not possible.
fn needs_reinterpretation(from: Shape, to: Shape) -> bool {
    match (from, to) {
        (Shape::Pointer { .. }, Shape::Integer { .. }) | (Shape::Integer { .. }, Shape::Pointer { .. }) => true,
        // Between pointers, one of them is to void.
        _ => false,
    }
}
