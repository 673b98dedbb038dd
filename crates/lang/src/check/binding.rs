//! Structured bindings: `auto [a, b] = x;`.
//!
//! **Definition.** A variable that nobody named is a copy of the value, or refers to it (`auto &[a, b]`). The names stand for its members or elements, in order; they are not
//! variables themselves. The members of a union without a name are such names, too.

use super::names::{Meaning, NameSpace, Part};
use super::state::Live;
use super::written::{FormKind, Length, Written};
use super::{Checker, Operand, Outcome};
use crate::diagnostic::Diagnostic;
use crate::source::Location;
use crate::tree::{Declarator, InitDeclarator, Specifiers};
use crate::typed::{AddressSpace, StatementKind};

impl<'a> Checker<'a> {
    /// Declares the names of a structured binding to a value.
    pub(super) fn bind_parts(
        &mut self,
        specifiers: &'a Specifiers,
        declarator: &'a InitDeclarator,
        value: Operand,
    ) -> Outcome<StatementKind> {
        let location = declarator.declarator.location;
        let is_const = specifiers.is_const || specifiers.is_constexpr;
        let parts = self.parts_to_bind(value.written, declarator.bindings.len(), location)?;
        let is_reference = matches!(declarator.declarator.declarator, Declarator::Reference(..));
        if is_reference && self.build().is_place(value.expression) {
            if !self.state.temporaries.is_empty() {
                let message = "a reference to an unnamed object with a destructor";
                return Err(Diagnostic::unsupported(location, message));
            }
            let (space, _) = self.build().space_of_place(value.expression);
            let to = Written { is_const: value.written.is_const || is_const, ..value.written }.in_space(space);
            let address = self.bind(value, to, location)?;
            let of = self.build().type_of(address);
            let variable = self.new_variable("", of, None, location);
            let place = self.build().variable(variable, location);
            let filled = self.push_assign(place, address, location);
            self.declare_parts(declarator, Part { variable, referred: Some(to), index: 0 }, &parts, to)?;
            return Ok(StatementKind::Declare(variable, Some(filled)));
        }
        let of = value.written.unqualified().in_space(AddressSpace::Private);
        let variable = self.temporary(of, location);
        let place = Operand { expression: self.build().variable(variable, location), written: of };
        let filled = match self.form(of) {
            FormKind::Array(..) => {
                let value = self.build().load(value.expression);
                Some(self.push_assign(place.expression, value, location))
            }
            _ => self.construct_at(place, &[value], location)?,
        };
        if self.has_end(of) {
            self.state.live.push(Live::Variable(variable, of));
        }
        let whole = Written { is_const, ..of };
        self.declare_parts(declarator, Part { variable, referred: None, index: 0 }, &parts, whole)?;
        Ok(StatementKind::Declare(variable, filled))
    }

    /// Declares the members of a union or struct without a name: `union { int bits; float number; };`.
    pub(super) fn declare_members(&mut self, of: Written, declarator: &'a InitDeclarator) -> Outcome<StatementKind> {
        let location = declarator.declarator.location;
        self.complete(of, location)?;
        let of = of.unqualified().in_space(AddressSpace::Private);
        let to = self.type_of(of);
        let variable = self.new_variable("", to, None, location);
        for &(name, location) in &declarator.bindings {
            let spelling = self.tree.scopes.spelling(name);
            let member = self.class_of(of).and_then(|class| self.members.get(&(class, spelling)));
            let direct = member.and_then(|member| match member.path[..] {
                [index] => Some((index, member.of)),
                _ => None,
            });
            let Some((index, of)) = direct else {
                return Err(Diagnostic::unsupported(
                    location,
                    "this member of a union without a name is not supported",
                ));
            };
            if let Some((_, before)) = self.state.names.find_here(name, NameSpace::Ordinary) {
                return Err(self.declared_twice(name, location, before));
            }
            let of = of.in_space(AddressSpace::Private);
            let meaning = Meaning::Part(Part { variable, referred: None, index }, of);
            self.state.names.declare(name, NameSpace::Ordinary, meaning, location);
        }
        Ok(StatementKind::Declare(variable, None))
    }

    /// The types of the parts of a value to which so many names are bound.
    fn parts_to_bind(&mut self, of: Written, count: usize, location: Location) -> Outcome<Vec<Written>> {
        self.complete(of, location)?;
        let parts = match *self.form(of) {
            FormKind::Array(element, Length::Known(length)) if length == count as u64 => vec![element; count],
            FormKind::Array(_, Length::Known(length)) => return Err(self.wrong_count(of, length as usize, location)),
            FormKind::Struct(number)
                if !self.program.types.structs[number].is_union && !self.partial.contains(&number) =>
            {
                let is_whole = self.data_of(number).len() == self.program.types.structs[number].fields.len();
                match is_whole {
                    true => self.member_types(number),
                    false => return Err(self.no_parts(of, location)),
                }
            }
            _ => return Err(self.no_parts(of, location)),
        };
        match parts.len() == count {
            true => Ok(parts),
            false => Err(self.wrong_count(of, parts.len(), location)),
        }
    }

    fn no_parts(&mut self, of: Written, location: Location) -> Diagnostic {
        let message = format!("a structured binding to a `{}` is not supported", self.name_of(of));
        Diagnostic::unsupported(location, message)
    }

    fn wrong_count(&mut self, of: Written, parts: usize, location: Location) -> Diagnostic {
        let message = format!("as many names are bound to a `{}` as it has parts: {parts}", self.name_of(of));
        Diagnostic::error(location, message)
    }

    fn declare_parts(
        &mut self,
        declarator: &'a InitDeclarator,
        part: Part,
        parts: &[Written],
        whole: Written,
    ) -> Outcome<()> {
        for (index, (&(name, location), &of)) in declarator.bindings.iter().zip(parts).enumerate() {
            if let Some((_, before)) = self.state.names.find_here(name, NameSpace::Ordinary) {
                return Err(self.declared_twice(name, location, before));
            }
            let of = match self.form(of) {
                FormKind::Reference(..) => of,
                _ => of.within(whole),
            };
            let meaning = Meaning::Part(Part { index: index as u32, ..part }, of);
            self.state.names.declare(name, NameSpace::Ordinary, meaning, location);
        }
        Ok(())
    }
}
