//! Templates of variables, and their instances.
//!
//! **Invariant.** There is one variable, or one value, for equal arguments of a template, made when it is mentioned.

use rustc_hash::FxHashMap;

use super::names::{Meaning, NameSpace};
use super::specialisation::{Meant, Specialisation};
use super::state::State;
use super::written::{Argument, Written};
use super::{Checker, Operand, Outcome};
use crate::diagnostic::Diagnostic;
use crate::source::Location;
use crate::tree::{self, Expr, Initializer, Name, TemplateArgument, TypeSpecifier};
use crate::typed::{AddressSpace, Constant, TypeKind};

/// A template of variables.
#[derive(Debug)]
pub(super) struct VariableTemplate<'a> {
    name: Name,
    item: &'a tree::VariableTemplate,
    specialisations: Vec<&'a tree::VariableTemplate>,
    instances: FxHashMap<Vec<Argument>, Instance>,
}

/// What an instance is.
#[derive(Debug, Clone)]
enum Instance {
    /// A variable, or a value that is known.
    Known(Meaning),
    /// A constant of a type that is computed where it is used.
    Computed(Written, Expr, Vec<(Name, Argument)>),
}

impl<'a> Checker<'a> {
    /// `template<…> constexpr int n = …;`.
    pub(super) fn declare_variable_template(&mut self, item: &'a tree::VariableTemplate) -> Outcome<()> {
        let Some((declarator, name)) =
            item.declaration.declarators.first().and_then(|one| Some((one, one.declarator.name?)))
        else {
            return Ok(());
        };
        let location = declarator.declarator.location;
        let known = match self.file.find_here(name, NameSpace::Ordinary) {
            Some((&Meaning::VariableTemplate(number), _)) => Some(number),
            Some((_, before)) => return Err(self.declared_twice(name, location, before)),
            None => None,
        };
        match (known, &item.arguments) {
            (Some(number), Some(_)) => self.variable_templates[number].specialisations.push(item),
            (None, Some(_)) => {
                let message = format!("there is no template `{}` to specialise", self.name_text(name));
                return Err(Diagnostic::error(location, message));
            }
            (Some(number), None) => {
                if declarator.initializer.is_some() {
                    self.variable_templates[number].item = item;
                }
            }
            (None, None) => {
                let number = self.variable_templates.len();
                let template =
                    VariableTemplate { name, item, specialisations: Vec::new(), instances: FxHashMap::default() };
                self.variable_templates.push(template);
                self.file.declare(name, NameSpace::Ordinary, Meaning::VariableTemplate(number), location);
            }
        }
        Ok(())
    }

    /// `n<int, 4>`.
    pub(super) fn variable_instance(
        &mut self,
        number: usize,
        explicit: &'a [TemplateArgument],
        location: Location,
    ) -> Outcome<Operand> {
        let template = &self.variable_templates[number];
        let (name, item) = (template.name, template.item);
        let mut found = vec![None; item.parameters.len()];
        self.explicit_arguments(name, &item.parameters, explicit, &mut found, location)?;
        let declared = item.declaration.location;
        let arguments = self.all_arguments(name, &[&item.parameters], declared, found, location)?;
        if arguments.iter().any(|&argument| self.written.is_dependent(argument)) {
            let message = format!("`{}` is not known yet", self.name_text(name));
            return Err(Diagnostic::unsupported(location, message));
        }
        let instance = match self.variable_templates[number].instances.get(&arguments) {
            Some(instance) => instance.clone(),
            None => {
                let made = self.make_variable(number, &arguments, location)?;
                self.variable_templates[number].instances.insert(arguments, made.clone());
                made
            }
        };
        match instance {
            Instance::Known(meaning) => self.named_thing(meaning, name, location),
            Instance::Computed(of, value, bound) => self.computed_constant(name, value, of, &bound, location),
        }
    }

    /// What an instance is: a variable, or a value.
    fn make_variable(&mut self, number: usize, arguments: &[Argument], location: Location) -> Outcome<Instance> {
        let template = &self.variable_templates[number];
        let (name, item) = (template.name, template.item);
        let items = template.specialisations.clone();
        let depth = self.state.instance_depth + 1;
        self.spent.instances += 1;
        self.check_instances(name, depth, location)?;
        let specialisation = |item: &&'a tree::VariableTemplate| -> Specialisation<'a> {
            let item: &'a tree::VariableTemplate = item;
            (&item.parameters, item.arguments.as_deref().unwrap_or(&[]), item.declaration.location)
        };
        let specialisations: Vec<_> = items.iter().map(specialisation).collect();
        let (item, bound, is_decided) =
            match self.meant_specialisation(name, &item.parameters, &specialisations, arguments) {
                Meant::Template(bound) => (item, bound, true),
                Meant::Specialisation(index, bound) => (items[index], bound, true),
                Meant::Undecided => (item, super::class::by_name(&item.parameters, arguments), false),
            };
        let is_open = arguments.iter().any(|&argument| self.is_unknown_argument(argument));
        // An instance in an instance is made at once, on the stack that is left.
        const LEVELS: usize = 8;
        let state = State {
            scope: self.tree.scopes.scope(name),
            depth: self.state.depth + LEVELS,
            instance_depth: depth,
            ..State::default()
        };
        let outer = std::mem::replace(&mut self.state, state);
        self.state.names.enter();
        self.bind_arguments(&bound);
        let made = self.deeper(location).and_then(|()| self.variable_of(name, item, bound, is_decided));
        let noted = std::mem::take(&mut self.state.unknown);
        self.state = outer;
        if !is_open {
            noted.iter().for_each(|unknown| self.note_unknown(&unknown.reason));
        }
        made
    }

    fn variable_of(
        &mut self,
        name: Name,
        item: &'a tree::VariableTemplate,
        bound: Vec<(Name, Argument)>,
        is_decided: bool,
    ) -> Outcome<Instance> {
        let declaration = &item.declaration;
        let declarator = &declaration.declarators[0];
        let location = declarator.declarator.location;
        let mut of = match (&declaration.specifiers.of, &declarator.initializer) {
            (Some(TypeSpecifier::Auto), Some(Initializer::Expression(value))) => {
                let operand = self.operand(*value)?;
                Written { is_const: true, ..self.value(operand).written }
            }
            _ => {
                let base = self.specified(&declaration.specifiers)?;
                self.declared_variable(&declaration.specifiers, base, declarator)?
            }
        };
        if !is_decided {
            return Ok(Instance::Known(Meaning::Unknown(of)));
        }
        if let Some(initializer) = &declarator.initializer {
            of = self.sized_by(of, initializer)?;
        }
        let space = self.storage_space(&declaration.specifiers);
        if space.is_none()
            && let Some(initializer) = &declarator.initializer
            && of.is_const
        {
            let to = self.type_of(of);
            let is_float = matches!(self.program.types.kind(to), TypeKind::Float(_));
            let is_number =
                is_float || matches!(self.program.types.kind(to), TypeKind::Bool | TypeKind::Integer { .. });
            return match self.static_initializer(of, initializer, location) {
                Ok(Constant::Zero) if is_number && !is_float => {
                    Ok(Instance::Known(Meaning::Constant(Constant::Integer(0), of)))
                }
                Ok(value) if is_number => Ok(Instance::Known(Meaning::Constant(value, of))),
                Ok(value) => {
                    let of = of.in_space(AddressSpace::Constant);
                    let global = self.variable_in(name, of, AddressSpace::Constant, location);
                    self.program.globals[global].initializer = Some(value);
                    Ok(Instance::Known(Meaning::Global(global, of)))
                }
                Err(wrong) => match initializer {
                    Initializer::Expression(value) if self.goes_on(&wrong) => Ok(Instance::Computed(of, *value, bound)),
                    _ => Err(wrong),
                },
            };
        }
        let Some(space) = space else {
            let name = self.name_text(name);
            let message = format!("`{name}` is a variable of the host, which threads of a device cannot use");
            return Err(Diagnostic::error(location, message));
        };
        let of = of.in_space(space);
        self.complete(of, location)?;
        let global = self.variable_in(name, of, space, location);
        self.align_global(global, &declaration.specifiers, declarator)?;
        if let Some(initializer) = &declarator.initializer {
            self.initialize_global(global, of, initializer, location)?;
        }
        Ok(Instance::Known(Meaning::Global(global, of)))
    }

    /// A new variable of an instance.
    fn variable_in(
        &mut self,
        name: Name,
        of: Written,
        space: AddressSpace,
        location: Location,
    ) -> crate::typed::Global {
        let (text, to) = (self.name_text(name), self.type_of(of));
        let global = self.new_global((&text, &text), to, space, location);
        let data = &mut self.program.globals[global];
        (data.is_constant, data.is_internal) = (of.is_const, true);
        global
    }
}
