//! Templates of classes, and of other names for types: their declarations, in a file or in a class, and their instances.
//!
//! **Invariant.** For equal arguments a template has one instance, made when it is mentioned. A template in a class is one of that class: each instance of a template around it has its own.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::undefined::Undefined;
use super::{Class, NamedArguments};
use crate::check::names::{Meaning, NameSpace};
use crate::check::specialisation::{Meant, Specialisation};
use crate::check::written::{Argument, FormKind, Written};
use crate::check::{Checker, Outcome};
use crate::diagnostic::Diagnostic;
use crate::source::Location;
use crate::token::Symbol;
use crate::tree::{self, AliasTemplate, Name, Record, TemplateArgument, TemplateParameter};
use crate::typed::{Struct, StructData};

/// A template of classes.
#[derive(Debug)]
pub(in crate::check) struct ClassTemplate<'a> {
    name: Name,
    parameters: &'a [TemplateParameter],
    /// The parameters as each declaration has them, those above last: any may have defaults.
    declarations: Rc<[&'a [TemplateParameter]]>,
    /// What an instance is made of; none while it is only declared.
    record: Option<&'a Record>,
    specialisations: Vec<&'a tree::ClassTemplate>,
    instances: FxHashMap<Rc<[Argument]>, Struct>,
    location: Location,
    /// The class that it is a member of.
    around: Option<Struct>,
}

/// The name of a template of classes, its parameters, and the arguments of an instance.
type InstanceOf<'a> = (Name, &'a [TemplateParameter], Rc<[Argument]>);

impl<'a> Checker<'a> {
    /// `template<…> struct A …;`.
    pub(in crate::check) fn declare_class_template(&mut self, template: &'a tree::ClassTemplate) -> Outcome<()> {
        let record = &template.record;
        let (Some(name), location) = (record.name, record.location) else { return Ok(()) };
        let known = match self.names_here().find_here(name, NameSpace::Ordinary) {
            Some((&Meaning::ClassTemplate(number), _)) => Some(number),
            _ => None,
        };
        let is_defined = record.members.is_some();
        match (known, &template.arguments) {
            (Some(number), Some(_)) => self.class_templates[number].specialisations.push(template),
            (None, Some(_)) => {
                let message = format!("there is no template `{}` to specialise", self.name_text(name));
                return Err(Diagnostic::error(location, message));
            }
            (Some(number), None) => {
                let known = &mut self.class_templates[number];
                let own = &template.parameters[..];
                known.declarations = match is_defined {
                    true => known.declarations.iter().copied().chain([own]).collect(),
                    false => std::iter::once(own).chain(known.declarations.iter().copied()).collect(),
                };
                if is_defined && known.record.is_some() {
                    let message = format!("the template `{}` is defined twice", self.name_text(name));
                    return Err(Diagnostic::error(location, message));
                }
                if is_defined {
                    (known.record, known.parameters) = (Some(record), own);
                }
            }
            (None, None) => {
                let number = self.class_templates.len();
                self.class_templates.push(ClassTemplate {
                    name,
                    parameters: &template.parameters,
                    declarations: [&template.parameters[..]].into(),
                    record: is_defined.then_some(record),
                    specialisations: Vec::new(),
                    instances: FxHashMap::default(),
                    location,
                    around: self.state.class.filter(|_| self.state.is_in_class),
                });
                self.written.templates.push(name);
                self.declare_name(name, NameSpace::Ordinary, Meaning::ClassTemplate(number), location);
            }
        }
        Ok(())
    }

    /// `template<…> using A = T;`.
    pub(in crate::check) fn declare_alias_template(&mut self, template: &'a AliasTemplate) {
        let number = self.aliases.len();
        self.aliases.push((template, self.state.class.filter(|_| self.state.is_in_class)));
        self.declare_name(template.name, NameSpace::Ordinary, Meaning::AliasTemplate(number), template.location);
    }

    /// `A<int, 4>`.
    pub(in crate::check) fn class_instance(
        &mut self,
        name: Name,
        explicit: &'a [TemplateArgument],
        location: Location,
    ) -> Outcome<Written> {
        self.require_owners(name)?;
        match self.find(name, NameSpace::Ordinary) {
            Some((&Meaning::ClassTemplate(number), _)) => self.template_instance(number, explicit, location),
            Some((&Meaning::AliasTemplate(number), _)) => self.alias_instance(number, explicit, location),
            _ if self.is_open_name(name) => Ok(self.unknown_type()),
            _ => Err(Diagnostic::error(location, format!("`{}` is not a template", self.name_text(name)))),
        }
    }

    /// `A::template B<int, 4>`, by the class and the name in it.
    pub(in crate::check) fn member_instance(
        &mut self,
        of: Written,
        name: Symbol,
        explicit: &'a [TemplateArgument],
        location: Location,
    ) -> Outcome<Written> {
        self.require_class(of)?;
        let class = self.class_of(of).and_then(|class| self.class_name(class, name, NameSpace::Ordinary));
        match class {
            Some((&Meaning::ClassTemplate(number), _)) => self.template_instance(number, explicit, location),
            Some((&Meaning::AliasTemplate(number), _)) => self.alias_instance(number, explicit, location),
            _ => self.member_type_named(of, name, location),
        }
    }

    fn template_instance(
        &mut self,
        number: usize,
        explicit: &'a [TemplateArgument],
        location: Location,
    ) -> Outcome<Written> {
        let ClassTemplate { name, parameters, location: declared, ref declarations, .. } = self.class_templates[number];
        let declarations = declarations.clone();
        let mut found = vec![None; parameters.len()];
        self.explicit_arguments(name, parameters, explicit, &mut found, location)?;
        let arguments = self.all_arguments(name, &declarations, declared, found, location)?;
        self.instance_of(number, arguments, location)
    }

    fn alias_instance(
        &mut self,
        number: usize,
        explicit: &'a [TemplateArgument],
        location: Location,
    ) -> Outcome<Written> {
        let (template, around) = self.aliases[number];
        let mut found = vec![None; template.parameters.len()];
        self.explicit_arguments(template.name, &template.parameters, explicit, &mut found, location)?;
        let arguments =
            self.all_arguments(template.name, &[&template.parameters], template.location, found, location)?;
        self.deeper(location)?;
        let bound = by_name(&template.parameters, &arguments);
        let outer = around.map(|around| self.enter_class(Some(around)));
        let made = self.with_arguments(&bound, |checker| checker.type_name(&template.of));
        if let Some(outer) = outer {
            self.leave_class(outer);
        }
        self.state.depth -= 1;
        made
    }

    /// The instance of a template of classes for some arguments.
    fn instance_of(&mut self, template: usize, arguments: Vec<Argument>, location: Location) -> Outcome<Written> {
        let depends = arguments.iter().any(|&argument| self.written.is_dependent(argument));
        let arguments: Rc<[Argument]> = arguments.into();
        if depends {
            return Ok(Written::bare(self.intern(FormKind::Instance(template, arguments))));
        }
        let number = match self.class_templates[template].instances.get(&arguments) {
            Some(&number) => number,
            None => match self.make_instance(template, arguments, location)? {
                Some(number) => number,
                None => return Ok(self.unknown_type()),
            },
        };
        Ok(Written::bare(self.intern(FormKind::Struct(number))))
    }

    /// None where it depends on what is open which class it is.
    fn make_instance(
        &mut self,
        template: usize,
        arguments: Rc<[Argument]>,
        location: Location,
    ) -> Outcome<Option<Struct>> {
        let name = self.class_templates[template].name;
        let depth = self.state.instance_depth + 1;
        self.spent.instances += 1;
        self.check_instances(name, depth, location)?;
        let Some((record, bound)) = self.chosen_record(template, &arguments) else { return Ok(None) };
        let spelled = self.spelled(&arguments);
        let number = self.program.types.structs.push(StructData {
            name: format!("{}<{spelled}>", self.name_text(name)),
            is_union: record.is_some_and(|record| record.is_union),
            is_packed: false,
            alignment: None,
            fields: Vec::new(),
            is_complete: false,
            layout: Default::default(),
        });
        self.written.names[number] = Some(name);
        self.written.arguments.insert(number, arguments.clone());
        self.class_templates[template].instances.insert(arguments.clone(), number);
        let around = self.class_templates[template].around;
        let bound = match around.and_then(|around| self.classes.get(&around)) {
            Some(around) => around.arguments.iter().cloned().chain(bound).collect(),
            None => bound,
        };
        self.note_class_around(number, around);
        let instance = Some((template, arguments));
        self.classes.insert(number, Class { arguments: bound.clone(), around, instance, ..Class::default() });
        let Some(record) = record else { return Ok(Some(number)) };
        let instance = Undefined { record, bound, name, depth, around, location };
        self.define_or_put_off(number, template, instance)?;
        Ok(Some(number))
    }

    /// The instances of a template that there are.
    pub(in crate::check) fn instances_of(&self, template: usize) -> impl Iterator<Item = Struct> {
        self.class_templates[template].instances.values().copied()
    }

    /// What an instance is made of, with the arguments by the names that they have there; none where that depends on what is open.
    fn chosen_record(
        &mut self,
        template: usize,
        arguments: &[Argument],
    ) -> Option<(Option<&'a Record>, NamedArguments)> {
        let data = &self.class_templates[template];
        let (name, parameters, record) = (data.name, data.parameters, data.record);
        let all = data.specialisations.clone();
        let specialisation = |of: &&'a tree::ClassTemplate| -> Specialisation<'a> {
            let of: &'a tree::ClassTemplate = of;
            (&of.parameters, of.arguments.as_deref().unwrap_or(&[]), of.record.location)
        };
        let specialisations: Vec<_> = all.iter().map(specialisation).collect();
        match self.meant_specialisation(name, parameters, &specialisations, arguments) {
            Meant::Template(bound) => Some((record, bound)),
            Meant::Specialisation(index, bound) => {
                let record = &all[index].record;
                Some((record.members.is_some().then_some(record), bound))
            }
            Meant::Undecided => None,
        }
    }

    /// The template that a class is an instance of.
    pub(super) fn template_of(&self, class: Struct) -> Option<usize> {
        Some(self.classes.get(&class)?.instance.as_ref()?.0)
    }

    /// The template that a class is an instance of, and for which arguments.
    pub(in crate::check) fn instance(&self, class: Struct) -> Option<InstanceOf<'a>> {
        let (template, arguments) = self.classes.get(&class)?.instance.as_ref()?;
        let template = &self.class_templates[*template];
        Some((template.name, template.parameters, arguments.clone()))
    }

    /// The arguments of a struct that is an instance of a template, or derived from one.
    pub(in crate::check) fn instance_arguments(&self, of: Struct, template: usize) -> Option<Rc<[Argument]>> {
        let class = self.classes.get(&of)?;
        match &class.instance {
            Some((number, arguments)) if *number == template => Some(arguments.clone()),
            _ => class.bases.iter().find_map(|base| self.instance_arguments(base.of, template)),
        }
    }

    /// The instance of a template inside of which its name stands by itself.
    pub(in crate::check) fn injected(&self, template: usize) -> Option<Struct> {
        let is_instance = |&class: &Struct| self.template_of(class) == Some(template);
        self.classes_around(self.state.class).find(is_instance)
    }
}

/// Arguments by the names of the parameters that have some.
pub(in crate::check) fn by_name(parameters: &[TemplateParameter], arguments: &[Argument]) -> Vec<(Name, Argument)> {
    let names = parameters.iter().map(TemplateParameter::name);
    names.zip(arguments).filter_map(|(name, &argument)| Some((name?, argument))).collect()
}
