//! Templates of functions: deduction of their arguments, and their instances.
//!
//! **Invariant.** There is one instance of a template for equal arguments. Its type is known when it is mentioned; its body is checked after
//! the function that mentions it (at once where the body says what it returns), with the names that are declared then.

mod explicit;
mod launched;

use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::class::{by_name, has_object, parameters_of};
use super::facts::Facts;
use super::function::Definition;
use super::names::{Meaning, NameSpace};
use super::overload::Chosen;
use super::parameter::has_expression;
use super::state::State;
use super::written::{Argument, FormKind, FunctionForm, Written};
use super::{Checker, Operand, Outcome, mangle};
use crate::diagnostic::{Diagnostic, LeftOut};
use crate::source::Location;
use crate::tree::{self, Declarator, Expr, FunctionItem, Name, TemplateArgument, TemplateParameter};
use crate::typed::{ENOUGH, Function};

/// A template of functions.
#[derive(Debug)]
pub(super) struct Template<'a> {
    item: &'a FunctionItem,
    pub(super) parameters: &'a [TemplateParameter],
    /// The parameters as each declaration has them, those above last: any may have defaults.
    pub(super) declarations: Rc<[&'a [TemplateParameter]]>,
    /// What is taken for arguments that a call leaves out, by any declaration.
    defaults: Vec<Option<Expr>>,
    facts: Facts,
    /// The types of the parameters with the template's own in them; none for one that is not understood without arguments.
    pub(super) patterns: Vec<Option<Written>>,
    result: Option<Written>,
    variadic: bool,
    /// Whether the last parameter stands for any number of them.
    pub(super) ends_in_pack: bool,
    instances: FxHashMap<Vec<Argument>, Instance>,
    /// What has a body of its own for some arguments: one of which nothing says what they are is no instance.
    specialised: Vec<(Vec<Argument>, Instance)>,
    /// Of a function of the host: the arguments that it is called with.
    of_host: FxHashSet<Vec<Argument>>,
    pub(super) location: Location,
}

/// An instance of a template.
#[derive(Debug, Clone)]
struct Instance {
    function: Function,
    of: FunctionForm,
    facts: Facts,
}

/// A body that is still to be checked.
pub(super) enum Pending {
    /// Of a template.
    Instance { set: usize, template: usize, arguments: Vec<Argument>, depth: usize },
    /// A function of a class.
    Member { set: usize, index: usize, depth: usize },
}

impl<'a> Checker<'a> {
    pub(super) fn declare_template(
        &mut self,
        item: &'a FunctionItem,
        parameters: &'a [TemplateParameter],
        name: Name,
    ) -> Outcome<()> {
        let set = self.function_set(name, item.declarator.location)?;
        let outer = std::mem::take(&mut self.state);
        let declared = self.enter_pattern(parameters, name).and_then(|()| self.declare_pattern(set, item, parameters));
        self.state = outer;
        declared
    }

    /// A template of functions that is a member of a class.
    pub(super) fn declare_template_in(
        &mut self,
        set: usize,
        item: &'a FunctionItem,
        parameters: &'a [TemplateParameter],
        name: Name,
    ) -> Outcome<()> {
        let class = self.sets[set].class;
        self.apart(State::default(), class, |checker| {
            checker.enter_pattern(parameters, name)?;
            checker.enter_class(class);
            checker.declare_pattern(set, item, parameters)
        })
    }

    /// Declares a template whose parameters stand for themselves.
    fn declare_pattern(
        &mut self,
        set: usize,
        item: &'a FunctionItem,
        parameters: &'a [TemplateParameter],
    ) -> Outcome<()> {
        let (name, location) = (self.sets[set].name, item.declarator.location);
        let facts = self.facts(&item.specifiers, &item.declarator).unwrap_or_else(|_| Facts {
            // What depends on the arguments is found out for each instance.
            is_kernel: item.specifiers.is_kernel,
            is_convergent: self.is_for_gpus(),
            ..Facts::default()
        });
        let Declarator::Function(result, own, variadic) = &item.declarator.declarator else {
            return Err(Diagnostic::unsupported(location, "only functions can be templates"));
        };
        let mut patterns: Vec<Option<Written>> = match self.parameter_types(own) {
            Ok(all) => all.iter().map(|&of| Some(of)).collect(),
            Err(_) => own.iter().map(|parameter| self.parameter_type(parameter).ok()).collect(),
        };
        if let Some(class) = self.sets[set].class.filter(|_| has_object(item)) {
            patterns.insert(0, Some(self.object_parameter(class, item.declarator.is_const)));
        }
        let ends_in_pack = self.ends_in_pack(own);
        let is_decided = item.specifiers.of.as_ref().is_none_or(|of| !has_expression(of));
        let base = if is_decided { self.specified(&item.specifiers).ok() } else { None };
        let result = base.and_then(|base| self.declared(base, result, location).ok());
        let template = Template {
            item,
            parameters,
            declarations: [parameters].into(),
            defaults: own.iter().map(|parameter| parameter.default).collect(),
            facts,
            patterns,
            result,
            variadic: *variadic,
            ends_in_pack,
            instances: FxHashMap::default(),
            specialised: Vec::new(),
            of_host: FxHashSet::default(),
            location,
        };
        let is_definition = !matches!(item.body, tree::Body::None);
        let templates = &mut self.sets[set].templates;
        let same = templates.iter().position(|known| {
            known.patterns == template.patterns
                && known.parameters.len() == parameters.len()
                && known.result == template.result
        });
        match same {
            Some(index) if matches!(templates[index].item.body, tree::Body::None) => {
                let known = &mut templates[index];
                let instances = std::mem::take(&mut known.instances);
                let specialised = std::mem::take(&mut known.specialised);
                let declarations = known.declarations.iter().copied().chain([parameters]).collect();
                let defaults =
                    known.defaults.iter().zip(template.defaults).map(|(&known, own)| own.or(known)).collect();
                *known = Template { instances, specialised, declarations, defaults, ..template };
            }
            // What is written otherwise takes other arguments: `enable_if` says which.
            Some(index) if is_definition && templates[index].item.spelling != item.spelling => templates.push(template),
            Some(index) if is_definition => {
                let before = templates[index].location;
                let message = format!("the template `{}` is defined twice", self.name_text(name));
                return Err(Diagnostic::error(location, message).with(before, "defined here before"));
            }
            Some(_) => {}
            None => templates.push(template),
        }
        Ok(())
    }

    /// A state in which the names of a template's parameters stand for themselves.
    pub(super) fn enter_pattern(&mut self, parameters: &'a [TemplateParameter], name: Name) -> Outcome<()> {
        let names = std::mem::take(&mut self.state.names);
        self.state = State { scope: self.tree.scopes.scope(name), names, ..State::default() };
        self.state.names.enter();
        for (number, parameter) in parameters.iter().enumerate() {
            let number = number as u16;
            match parameter {
                TemplateParameter::Template { name, .. } => {
                    // It is no value, so it has no type.
                    let void = self.program.types.void();
                    let of = self.written_of(void);
                    self.declare_parameter(*name, Meaning::TemplateValue(number, of));
                }
                TemplateParameter::Type { name, .. } => {
                    let of = Written::bare(self.intern(FormKind::Parameter(number)));
                    self.declare_parameter(*name, Meaning::Type(of));
                }
                TemplateParameter::Value { of, name, .. } => {
                    // What depends on other parameters is found out for each instance.
                    let int = self.program.types.integer(32, true);
                    let of = self.type_name(of).unwrap_or_else(|_| self.written_of(int));
                    self.declare_parameter(*name, Meaning::TemplateValue(number, of));
                }
            }
        }
        Ok(())
    }

    fn declare_parameter(&mut self, name: Option<Name>, meaning: Meaning) {
        if let Some(name) = name {
            self.state.names.declare(name, NameSpace::Ordinary, meaning, Location::NONE);
        }
    }

    /// The type of an instance with its default arguments, without making it; none if there cannot be one.
    pub(super) fn instance_type(
        &mut self,
        set: usize,
        index: usize,
        arguments: &[Argument],
    ) -> Option<(FunctionForm, Rc<[Option<Expr>]>)> {
        if let Some(instance) = self.sets[set].templates[index].instances.get(arguments) {
            return Some((instance.of.clone(), self.defaults_of(set, index)));
        }
        let of = self.instance_form(set, index, arguments).ok()?;
        Some((of, self.defaults_of(set, index)))
    }

    /// The default arguments of a template's instances.
    fn defaults_of(&self, set: usize, index: usize) -> Rc<[Option<Expr>]> {
        let own = self.sets[set].templates[index].defaults.iter().copied();
        std::iter::repeat_n(None, usize::from(self.template_has_object(set, index))).chain(own).collect()
    }

    /// Whether the instances of a template are called with an object.
    pub(super) fn template_has_object(&self, set: usize, index: usize) -> bool {
        self.sets[set].class.is_some() && has_object(self.sets[set].templates[index].item)
    }

    /// Whether a template is of constructors or conversions that somebody has to write.
    pub(super) fn is_explicit_template(&self, set: usize, index: usize) -> bool {
        self.sets[set].templates[index].item.specifiers.is_explicit
    }
    /// The arguments by the names of the parameters.
    fn named(&self, set: usize, index: usize, arguments: &[Argument]) -> Vec<(Name, Argument)> {
        let class = self.sets[set].class.and_then(|class| self.classes.get(&class));
        let mut all = class.map_or_else(Vec::new, |class| class.arguments.clone());
        all.extend(by_name(self.sets[set].templates[index].parameters, arguments));
        all
    }

    /// The type of an instance, from what is written with the arguments in place.
    fn instance_form(&mut self, set: usize, index: usize, arguments: &[Argument]) -> Outcome<FunctionForm> {
        let (item, named) = (self.sets[set].templates[index].item, self.named(set, index, arguments));
        let scope = self.tree.scopes.scope(self.sets[set].name);
        let (depth, instance_depth) = (self.state.depth, self.state.instance_depth);
        let class = self.sets[set].class;
        let is_substituting = self.state.is_substituting;
        let state = State { scope, depth, instance_depth, class, is_substituting, ..State::default() };
        let outer = std::mem::replace(&mut self.state, state);
        self.state.names.enter();
        self.bind_arguments(&named);
        self.state.names.enter();
        let of = match class {
            Some(class) => self.member_form(class, item),
            None => self.signature(&item.specifiers, &item.declarator).map(|signature| signature.of),
        };
        self.state = outer;
        of
    }

    /// The instance that arguments mean.
    pub(super) fn chosen_instance(
        &mut self,
        set: usize,
        index: usize,
        arguments: Vec<Argument>,
        location: Location,
    ) -> Outcome<Chosen> {
        if self.is_undecided(set, index, &arguments) {
            let name = self.name_text(self.sets[set].name);
            let message = format!("which specialisation of `{name}` is meant depends on what is not known");
            return Err(Diagnostic::unsupported(location, message));
        }
        let instance = self.instantiate(set, index, &arguments, location)?;
        self.chosen_of(set, index, arguments, instance, location)
    }

    /// The specialisations that arguments mean for some of what they may stand for only.
    fn may_be_specialised(&self, set: usize, index: usize, arguments: &[Argument]) -> Vec<usize> {
        if !arguments.iter().any(|&argument| self.is_unknown_argument(argument)) {
            return Vec::new();
        }
        let is_open = |argument: Argument| self.is_unknown_argument(argument);
        let specialised = self.sets[set].templates[index].specialised.iter().enumerate();
        specialised
            .filter(|(_, (own, _))| own.iter().zip(arguments).all(|(&a, &b)| a == b || is_open(a) || is_open(b)))
            .map(|(number, _)| number)
            .collect()
    }

    /// Whether it depends on what is not known if a specialisation is meant.
    pub(super) fn is_undecided(&self, set: usize, index: usize, arguments: &[Argument]) -> bool {
        !self.may_be_specialised(set, index, arguments).is_empty()
    }

    /// All that arguments may mean of which it is not known what they stand for: the template itself and its specialisations.
    pub(super) fn all_instances(
        &mut self,
        set: usize,
        index: usize,
        arguments: &[Argument],
        location: Location,
    ) -> Outcome<Vec<Chosen>> {
        let instance = self.instantiate(set, index, arguments, location)?;
        let mut all = vec![self.chosen_of(set, index, arguments.to_vec(), instance, location)?];
        for number in self.may_be_specialised(set, index, arguments) {
            let (own, instance) = self.sets[set].templates[index].specialised[number].clone();
            all.push(self.chosen_of(set, index, own, instance, location)?);
        }
        Ok(all)
    }

    fn chosen_of(
        &self,
        set: usize,
        index: usize,
        arguments: Vec<Argument>,
        instance: Instance,
        location: Location,
    ) -> Outcome<Chosen> {
        let template = &self.sets[set].templates[index];
        if template.facts.is_host {
            let message = format!(
                "`{}` is a function of the host, which threads of a device cannot call",
                self.name_text(self.sets[set].name)
            );
            return Err(
                Diagnostic::error(location, message).with(template.location, "declared here without `__device__`")
            );
        }
        let mut of = instance.of;
        if instance.facts.is_auto {
            let declared = (template.location, !matches!(template.item.body, tree::Body::None));
            of.result = self.deduced_result(instance.function, of.result, declared, location)?;
        }
        Ok(Chosen {
            function: instance.function,
            candidate: None,
            of,
            defaults: self.defaults_of(set, index),
            arguments: self.named(set, index, &arguments),
            class: self.sets[set].class,
            has_object: self.template_has_object(set, index),
            name: self.sets[set].name,
            location: self.sets[set].templates[index].location,
        })
    }

    /// The function of an instance that there is.
    pub(super) fn instance_function(&self, set: usize, index: usize, arguments: &[Argument]) -> Option<Function> {
        Some(self.sets[set].templates[index].instances.get(arguments)?.function)
    }

    /// The instance for some arguments.
    fn instantiate(
        &mut self,
        set: usize,
        index: usize,
        arguments: &[Argument],
        location: Location,
    ) -> Outcome<Instance> {
        if let Some(instance) = self.sets[set].templates[index].instances.get(arguments) {
            return Ok(instance.clone());
        }
        if arguments.iter().any(|&argument| self.written.is_dependent(argument)) {
            let name = self.name_text(self.sets[set].name);
            let message = format!("`{name}` is called where the arguments of a template are still to be found");
            return Err(Diagnostic::unsupported(location, message));
        }
        let depth = self.state.instance_depth + 1;
        self.spent.instances += 1;
        self.check_instances(self.sets[set].name, depth, location)?;
        let instance = self.new_instance(set, index, arguments)?;
        self.sets[set].templates[index].instances.insert(arguments.to_vec(), instance.clone());
        let pending = Pending::Instance { set, template: index, arguments: arguments.to_vec(), depth };
        match instance.facts.is_auto || instance.facts.is_expanded {
            false => self.pending.push(pending),
            true => self.check_wanted(pending),
        }
        Ok(self.sets[set].templates[index].instances.get(arguments).cloned().unwrap_or(instance))
    }

    /// Whether there may be one more instance: a short template can ask for exponentially many. What is read for its kernels lacks the function that
    /// asks for it, and what is checked whole ends there.
    pub(super) fn check_instances(&mut self, name: Name, depth: usize, location: Location) -> Outcome<()> {
        /// A recursion that ends by what nothing says is followed so far.
        const DEPTH_WHERE_OPEN: usize = 64;
        let (limits, spent) = (self.limits(), &self.spent);
        let name_text = self.name_text(name);
        if self.state.under_open_constants > 0 && depth > DEPTH_WHERE_OPEN {
            let message = format!("how often `{name_text}` needs itself depends on what nothing says");
            return Err(Diagnostic::unsupported(location, message));
        }
        let (message, limit) = if depth > limits.instance_depth {
            let most = limits.instance_depth;
            (format!("the template `{name_text}` needs itself more than {most} times"), "instance-depth")
        } else if spent.instances > limits.instances {
            let most = limits.instances;
            (format!("the template `{name_text}` needs an instance after {most} others"), "instances")
        } else {
            return self.check_instance_bodies(name, location);
        };
        Err(self.limit_of_function(message, limit, location))
    }

    /// Whether the body of one more instance may be looked at.
    pub(super) fn check_instance_bodies(&mut self, name: Name, location: Location) -> Outcome<()> {
        let most = self.limits().instance_expressions;
        if self.spent.instance_expressions <= most {
            return Ok(());
        }
        let name = self.name_text(name);
        let message = format!("an instance of `{name}` after instances of more than {most} expressions");
        Err(self.limit_of_function(message, "instance-expressions", location))
    }

    /// Makes an instance that is still in no table; its body is not looked at.
    fn new_instance(&mut self, set: usize, index: usize, arguments: &[Argument]) -> Outcome<Instance> {
        let of = self.instance_form(set, index, arguments)?;
        let template = &self.sets[set].templates[index];
        let (item, location) = (template.item, template.location);
        let named = self.named(set, index, arguments);
        let facts = self.with_arguments(&named, |checker| checker.facts(&item.specifiers, &item.declarator))?;
        let template = &self.sets[set].templates[index];
        let written: Option<Rc<[Written]>> = template.patterns.iter().copied().collect();
        let pattern = match (written, template.result) {
            (Some(parameters), Some(result)) => {
                FunctionForm { result, parameters, variadic: template.variadic, is_const: false, ends_in_pack: false }
            }
            _ => of.clone(),
        };
        let name = self.sets[set].name;
        let subject = mangle::Subject {
            name,
            of: &pattern,
            arguments: Some(arguments),
            spaces: None,
            is_internal: facts.is_internal && self.sets[set].class.is_none(),
            class: self.member_subject(set, (self.template_has_object(set, index), Some(item))),
            ends_in_pack: self.sets[set].templates[index].ends_in_pack,
        };
        let linkage = self.mangled(&subject);
        let spelled = self.spelled(arguments);
        let text = match self.sets[set].class {
            Some(class) => self.member_text(class, name),
            None => self.name_text(name).into_owned(),
        };
        let name = format!("{text}<{spelled}>");
        let function = self.new_function(name, linkage, &of, &facts, location);
        Ok(Instance { function, of, facts })
    }

    /// Arguments as a person would write them, up to [`ENOUGH`]: those of an instance that is made of another one twice are twice as long.
    pub(super) fn spelled(&mut self, arguments: &[Argument]) -> String {
        let mut text = String::new();
        arguments.iter().for_each(|&argument| self.spell(argument, &mut text));
        text
    }

    /// Appends an argument; those of a pack are several.
    fn spell(&mut self, argument: Argument, text: &mut String) {
        if text.len() > ENOUGH {
            text.push_str(if text.ends_with('…') { "" } else { "…" });
            return;
        }
        if let Argument::Pack(pack) = argument {
            let elements = self.written.elements(pack).clone();
            elements.iter().for_each(|&element| self.spell(element, text));
            return;
        }
        text.push_str(if text.is_empty() { "" } else { ", " });
        match argument {
            Argument::Type(of) => {
                text.push_str(if of.is_const { "const " } else { "" });
                text.push_str(&self.name_of(of));
            }
            Argument::Unknown(_) | Argument::Parameter(..) | Argument::Rest(_) => text.push_str("unknown"),
            Argument::Pack(_) => {}
            Argument::Template(number) => text.push_str(&self.name_text(self.written.templates[number])),
            Argument::Value(value, of) => {
                let of = self.type_of(of);
                text.push_str(&match self.program.types.kind(of) {
                    crate::typed::TypeKind::Bool => (value != 0).to_string(),
                    _ => value.to_string(),
                });
            }
        }
    }

    /// Checks the bodies of instances that were mentioned; more may be, while that is done.
    pub(super) fn check_pending(&mut self) {
        let mut next = 0;
        while next < self.pending.len() {
            let batch = self.pending.split_off(next);
            for pending in batch {
                if !self.has_given_up {
                    self.check_wanted(pending);
                }
            }
            next = 0;
        }
    }

    /// Checks a body that somebody wants.
    pub(super) fn check_wanted(&mut self, pending: Pending) {
        match pending {
            Pending::Instance { set, template, arguments, depth } => {
                self.check_instance(set, template, &arguments, depth);
            }
            Pending::Member { set, index, depth } => self.check_member(set, index, depth),
        }
    }

    /// Leaves out an instance that may not be made.
    pub(super) fn leave_out_instance(&mut self, function: Function, reason: Diagnostic) {
        if !self.is_tolerant() {
            self.report::<()>(Err(reason));
            return;
        }
        let data = &self.program.functions[function];
        self.leave_out(LeftOut::new(&data.name, data.is_kernel, data.location, reason));
    }

    fn check_instance(&mut self, set: usize, index: usize, arguments: &[Argument], depth: usize) {
        let template = &self.sets[set].templates[index];
        let Some(instance) = template.instances.get(arguments).cloned() else { return };
        let (mut item, mut own) = (template.item, self.named(set, index, arguments));
        if matches!(item.body, tree::Body::None) {
            match self.outside_definition(set, item, &instance.of, &own) {
                Ok(Some(outside)) => (item, own) = outside,
                // It may be defined further down.
                Ok(None) => return,
                Err(reason) => return self.leave_out_instance(instance.function, reason),
            }
        }
        let location = self.program.functions[instance.function].location;
        if let Err(exceeded) = self.check_instance_bodies(self.sets[set].name, location) {
            self.leave_out_instance(instance.function, exceeded);
            return;
        }
        let definition = Definition {
            function: instance.function,
            of: instance.of,
            parameters: parameters_of(item),
            body: self.tree.body(&item.body),
            facts: instance.facts,
            arguments: own,
            name: self.sets[set].name,
            instance_depth: depth,
            class: self.sets[set].class,
            has_object: self.template_has_object(set, index),
            kind: item.kind,
            macros: &item.specifiers.macros,
            initializers: self.tree.initializers(&item.body),
        };
        if let Some(result) = self.define(definition)
            && let Some(instance) = self.sets[set].templates[index].instances.get_mut(arguments)
        {
            instance.of.result = result;
        }
    }

    /// `f<int>` where a value is wanted.
    pub(super) fn template_name(
        &mut self,
        name: Name,
        explicit: &'a [TemplateArgument],
        location: Location,
    ) -> Outcome<Operand> {
        self.require_owners(name)?;
        let set = match self.find(name, NameSpace::Ordinary) {
            Some((&Meaning::Functions(set), _)) => set,
            Some((&Meaning::VariableTemplate(number), _)) => return self.variable_instance(number, explicit, location),
            _ => return Err(Diagnostic::error(location, format!("`{}` is not a template", self.name_text(name)))),
        };
        let mut found = None;
        for index in 0..self.sets[set].templates.len() {
            let parameters = self.sets[set].templates[index].parameters;
            let mut arguments = vec![None; parameters.len()];
            self.explicit_arguments(name, parameters, explicit, &mut arguments, location)?;
            if let Ok(arguments) = self.default_arguments(set, index, arguments, location) {
                if found.is_some() {
                    let message = format!("several templates `{}` could be meant", self.name_text(name));
                    return Err(Diagnostic::error(location, message));
                }
                found = Some((index, arguments));
            }
        }
        let Some((index, arguments)) = found else {
            let message = format!("nothing says what all parameters of the template `{}` are", self.name_text(name));
            return Err(Diagnostic::error(location, message));
        };
        let chosen = self.chosen_instance(set, index, arguments, location)?;
        let of = Written::bare(self.intern(FormKind::Function(chosen.of)));
        Ok(self.function_operand(chosen.function, of, location))
    }
}
