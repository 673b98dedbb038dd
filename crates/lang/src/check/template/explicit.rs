//! Specialisations and instantiations that are written: `template<> void f<int>(int) { … }`, `template void f<int>(int);`.
//!
//! **Invariant.** A specialisation is the instance for its arguments, declared before it is used. One for types of which nothing is known is no instance: another one may be meant by the
//! same words.

use super::super::function::Definition;
use super::super::names::{Meaning, NameSpace};
use super::super::written::{Argument, FunctionForm};
use super::super::{Checker, Outcome};
use crate::diagnostic::Diagnostic;
use crate::source::Location;
use crate::tree::{self, FunctionItem, Name, TemplateArgument};
use crate::typed::Function;

impl<'a> Checker<'a> {
    /// `template<> void f<int>(…) { … }`: the instance for these arguments has a body of its own.
    pub(in crate::check) fn specialise(
        &mut self,
        item: &'a FunctionItem,
        explicit: &'a [TemplateArgument],
        name: Name,
    ) -> Outcome<()> {
        let (set, index, arguments) = self.meant(item, explicit, name)?;
        let location = item.declarator.location;
        // Types that are not known may be several.
        let is_open = arguments.iter().any(|&argument| self.is_unknown_argument(argument));
        let function = match self.declared_specialisation(set, index, &arguments, is_open, location)? {
            Some(function) => function,
            None if is_open && matches!(item.body, tree::Body::None) => return Ok(()),
            None => {
                let instance = self.new_instance(set, index, &arguments)?;
                let (function, template) = (instance.function, &mut self.sets[set].templates[index]);
                if !is_open {
                    template.instances.insert(arguments.clone(), instance.clone());
                }
                template.specialised.push((arguments, instance));
                function
            }
        };
        let facts = self.facts(&item.specifiers, &item.declarator)?;
        self.program.functions[function].location = location;
        let signature = self.signature(&item.specifiers, &item.declarator)?;
        let definition = Definition {
            function,
            of: signature.of,
            parameters: signature.parameters,
            body: &item.body,
            facts,
            arguments: Vec::new(),
            name,
            instance_depth: 0,
            class: None,
            has_object: false,
            kind: item.kind,
            macros: &item.specifiers.macros,
            initializers: &[],
        };
        self.define(definition);
        Ok(())
    }

    /// The function of a specialisation that was declared for some arguments; none where it is new.
    fn declared_specialisation(
        &self,
        set: usize,
        index: usize,
        arguments: &[Argument],
        is_open: bool,
        location: Location,
    ) -> Outcome<Option<Function>> {
        let template = &self.sets[set].templates[index];
        let Some(instance) = template.instances.get(arguments).filter(|_| !is_open) else { return Ok(None) };
        let name = self.name_text(self.sets[set].name);
        let data = &self.program.functions[instance.function];
        match template.specialised.iter().any(|(known, _)| known == arguments) {
            false => {
                let message = format!("this specialisation of `{name}` comes after its use");
                Err(Diagnostic::error(location, message))
            }
            true if data.body.is_some() => {
                let message = format!("this specialisation of `{name}` is defined twice");
                Err(Diagnostic::error(location, message).with(data.location, "defined here before"))
            }
            true => Ok(Some(instance.function)),
        }
    }

    /// `template void f<int>(…);`: the instance for these arguments is part of the program.
    pub(in crate::check) fn instantiate_explicitly(
        &mut self,
        item: &'a FunctionItem,
        explicit: &'a [TemplateArgument],
        name: Name,
    ) -> Outcome<()> {
        let (set, index, arguments) = self.meant(item, explicit, name)?;
        let location = item.declarator.location;
        match self.sets[set].templates[index].facts.is_host && self.options.dialect.has_host() {
            true => self.launch_from(set, index, arguments.into_iter().map(Some).collect(), location),
            false => drop(self.instantiate(set, index, &arguments, location)?),
        }
        Ok(())
    }

    /// The template that a specialisation or instantiation means, and its arguments.
    fn meant(
        &mut self,
        item: &'a FunctionItem,
        explicit: &'a [TemplateArgument],
        name: Name,
    ) -> Outcome<(usize, usize, Vec<Argument>)> {
        let location = item.declarator.location;
        self.state.scope = self.tree.scopes.scope(name);
        let facts = self.facts(&item.specifiers, &item.declarator)?;
        let signature = self.signature(&item.specifiers, &item.declarator)?;
        let Some((&Meaning::Functions(set), _)) = self.find(name, NameSpace::Ordinary) else {
            return Err(Diagnostic::error(location, format!("there is no template `{}`", self.name_text(name))));
        };
        for index in 0..self.sets[set].templates.len() {
            let template = &self.sets[set].templates[index];
            let (parameters, patterns) = (template.parameters, template.patterns.clone());
            let (ends_in_pack, result) = (template.ends_in_pack, template.result);
            let rest = patterns.len() - usize::from(ends_in_pack);
            if signature.of.parameters.len() < rest || signature.of.parameters.len() > rest && !ends_in_pack {
                continue;
            }
            let mut found = vec![None; parameters.len()];
            if self.explicit_arguments(name, parameters, explicit, &mut found, location).is_err() {
                continue;
            }
            let (before, behind) = signature.of.parameters.split_at(rest);
            let mut fits = patterns.iter().zip(before).all(|(pattern, &of)| match *pattern {
                Some(pattern) => self.unify(pattern, of, &mut found),
                None => true,
            });
            if let Some(&Some(pattern)) = patterns.get(rest) {
                fits &= self.unify_rest(pattern, behind, parameters, &mut found);
            }
            // What no parameter says, the result does.
            if let Some(result) = result.filter(|_| found.iter().any(Option::is_none)) {
                self.unify(result, signature.of.result, &mut found);
            }
            let Ok(arguments) = self.default_arguments(set, index, found, location) else { continue };
            let of = self.instance_form(set, index, &arguments);
            let is_meant = |of: FunctionForm| {
                let parameters = of.parameters.iter().zip(&*signature.of.parameters);
                let is_deduced = facts.is_auto || self.sets[set].templates[index].facts.is_auto;
                parameters.into_iter().all(|(a, b)| a.form == b.form)
                    && (is_deduced || of.result.form == signature.of.result.form)
            };
            if fits && of.is_ok_and(is_meant) {
                return Ok((set, index, arguments));
            }
        }
        Err(Diagnostic::error(location, format!("no template `{}` has this type", self.name_text(name))))
    }
}
