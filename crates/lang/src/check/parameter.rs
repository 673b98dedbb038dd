//! What the names of parameters mean: those of a template in an instance, and those of a function in its body.

use std::rc::Rc;

use super::function::Definition;
use super::names::{Meaning, NameSpace};
use super::pack::Expansion;
use super::state::This;
use super::written::{Argument, FormKind, Written};
use super::{Checker, Outcome};
use crate::diagnostic::Diagnostic;
use crate::source::Location;
use crate::tree::{self, Name, TemplateArgument, TypeSpecifier};
use crate::typed::AddressSpace;

impl<'a> Checker<'a> {
    /// The names of a template's parameters.
    pub(super) fn bind_arguments(&mut self, arguments: &[(Name, Argument)]) {
        for &(name, argument) in arguments {
            let meaning = self.meaning_of(argument);
            self.state.names.declare(name, NameSpace::Ordinary, meaning, Location::NONE);
        }
    }

    /// What a name means that stands for an argument of a template.
    fn meaning_of(&mut self, argument: Argument) -> Meaning {
        match argument {
            Argument::Type(of) => Meaning::Type(of),
            Argument::Unknown(of) => Meaning::Unknown(of),
            Argument::Template(number) => Meaning::ClassTemplate(number),
            Argument::Parameter(number, of) => Meaning::TemplateValue(number, of),
            Argument::Pack(pack) => {
                let elements = self.written.elements(pack).clone();
                if let [Argument::Rest(pattern)] = *elements {
                    // What it is repeated for is a pack of another template.
                    return self.meaning_of(self.written.elements(pattern)[0]);
                }
                Meaning::Pack(elements.iter().map(|&element| self.meaning_of(element)).collect())
            }
            Argument::Rest(_) => Meaning::Broken,
            Argument::Value(value, of) => {
                let bits = self.cut(value, of);
                Meaning::Constant(crate::typed::Constant::Integer(bits), of)
            }
        }
    }

    pub(super) fn define_parameters(&mut self, definition: &Definition<'a>) -> Outcome<()> {
        let has_none = definition.of.parameters.is_empty();
        let objects = usize::from(definition.has_object);
        if let Some(&object) = definition.of.parameters.first().filter(|_| definition.has_object) {
            let location = self.program.functions[definition.function].location;
            let pointer = self.type_of(object);
            // It has no name: mostly nobody writes one where it is used.
            let variable = self.new_variable("", pointer, None, location);
            self.state.body.parameters.push(variable);
            self.state.body.object = Some(variable);
            self.state.this = Some(match *self.form(object) {
                FormKind::Reference(to, _) => This::Pointer(variable, to),
                _ => This::Value(variable, object.constant()),
            });
        }
        let mut types = definition.of.parameters.iter().skip(objects);
        for parameter in definition.parameters.iter().filter(|one| !has_none || one.declarator.is_pack) {
            let location = parameter.declarator.location;
            if parameter.declarator.is_pack
                && let Expansion::Elements(elements) = self.expansion(&parameter.packs, location)?
            {
                let all: Vec<Written> = types.by_ref().take(elements.len()).copied().collect();
                let all = all.into_iter().map(|of| self.define_parameter(definition, parameter, of));
                let meanings = all.collect::<Outcome<Rc<[Meaning]>>>()?;
                if let Some(name) = parameter.declarator.name {
                    self.declare_parameter_of(name, Meaning::Pack(meanings), location)?;
                }
                continue;
            }
            let Some(&of) = types.next() else { break };
            let meaning = self.define_parameter(definition, parameter, of)?;
            if let Some(name) = parameter.declarator.name {
                self.declare_parameter_of(name, meaning, location)?;
            }
        }
        Ok(())
    }

    /// Something done where the parameters of a function have their types, without their function: for a result that they decide.
    pub(super) fn among_parameters<T>(
        &mut self,
        parameters: &'a [tree::Parameter],
        location: Location,
        act: impl FnOnce(&mut Self) -> Outcome<T>,
    ) -> Outcome<T> {
        let types = self.parameter_types(parameters)?;
        if types.len() != parameters.len() || types.iter().any(|&of| self.written.type_of(of.form).is_none()) {
            return Err(Diagnostic::unsupported(location, "what a function returns depends on its template"));
        }
        let body = std::mem::take(&mut self.state.body);
        self.state.names.enter();
        for (parameter, &of) in parameters.iter().zip(&*types) {
            let Some(name) = parameter.declarator.name else { continue };
            let to = self.type_of(of);
            let variable = self.new_variable("", to, None, location);
            let meaning = match *self.form(of) {
                FormKind::Reference(to, _) => Meaning::Reference(variable, to),
                _ => Meaning::Variable(variable, of.in_space(AddressSpace::Private)),
            };
            self.state.names.declare(name, NameSpace::Ordinary, meaning, location);
        }
        let made = act(self);
        self.state.names.leave();
        self.state.body = body;
        made
    }

    /// The variable of a parameter, or of an element of one that is a pack.
    fn define_parameter(
        &mut self,
        definition: &Definition<'a>,
        parameter: &tree::Parameter,
        of: Written,
    ) -> Outcome<Meaning> {
        let location = parameter.declarator.location;
        if definition.facts.is_kernel && self.is_member_pointer(of) {
            // What the host passes depends on how its compiler represents them.
            return Err(Diagnostic::unsupported(location, "a pointer to a member as a parameter of a kernel"));
        }
        let to = self.complete(of, location)?;
        let text = self.name_text(parameter.declarator.name);
        let variable = self.new_variable(&text, to, None, location);
        if of.is_const && !of.is_volatile {
            self.state.body.constants.push(variable);
        }
        self.state.body.parameters.push(variable);
        Ok(match *self.form(of) {
            FormKind::Reference(to, _) => {
                self.state.references.push(variable);
                Meaning::Reference(variable, to)
            }
            _ => Meaning::Variable(variable, of.in_space(AddressSpace::Private)),
        })
    }

    fn declare_parameter_of(&mut self, name: Name, meaning: Meaning, location: Location) -> Outcome<()> {
        if let Some((_, before)) = self.state.names.find_here(name, NameSpace::Ordinary) {
            return Err(self.declared_twice(name, location, before));
        }
        self.state.names.declare(name, NameSpace::Ordinary, meaning, location);
        Ok(())
    }
}

/// Whether an expression decides what a type is: `decltype(a + b)`.
pub(super) fn has_expression(of: &TypeSpecifier) -> bool {
    let in_arguments = |arguments: &[TemplateArgument]| {
        arguments.iter().any(|argument| match argument {
            TemplateArgument::Type(of) => of.specifiers.of.as_ref().is_some_and(has_expression),
            TemplateArgument::Value(_) | TemplateArgument::Expansion(..) => false,
        })
    };
    match of {
        TypeSpecifier::TypeOf(_) => true,
        TypeSpecifier::Template(named, _) => in_arguments(&named.1),
        TypeSpecifier::Member(of, ..) => has_expression(of),
        TypeSpecifier::MemberTemplate(of, _) => has_expression(&of.0) || in_arguments(&of.2),
        _ => false,
    }
}
