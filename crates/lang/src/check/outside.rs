//! Functions of classes that are defined outside of them.
//!
//! An explicit specialisation for the arguments of the class goes before all others, the one in the class among them.
//!
//! **Definition.** The definition of a function that a class only declares is the one of its name, kind, number of parameters and `const`. Where there are several, it is the one with as many template
//! parameters, those of the classes around it included, and whose parameters have the same types for the arguments at hand; if that is not one, nothing says which is meant, and the function has no body.

use super::Checker;
use super::Outcome;
use super::class::{by_name, parameters_of};
use super::names::{Meaning, NameSpace};
use super::specialisation::{Meant, Specialisation};
use super::state::State;
use super::template::Pending;
use super::written::{Argument, FunctionForm};
use crate::diagnostic::Diagnostic;
use crate::tree::{Body, FunctionItem, FunctionKind, Name};
use crate::typed::Struct;

/// A definition, and the arguments of templates by the names that they have there.
pub(super) type Outside<'a> = (&'a FunctionItem, Vec<(Name, Argument)>);

impl<'a> Checker<'a> {
    /// A function of a class that is defined outside of it. It is looked at when somebody calls it.
    pub(super) fn member_definition(&mut self, item: &'a FunctionItem, name: Name) -> Outcome<()> {
        if matches!(item.body, Body::None | Body::Host) {
            return Ok(());
        }
        // Constructors and destructors are known by the name of their class.
        let owner = self.tree.scopes.owner(self.tree.scopes.scope(name));
        let name = owner.filter(|_| item.kind != FunctionKind::Named).unwrap_or(name);
        self.outside.entry(name).or_default().push(item);
        // It may have been called before.
        for set in self.declared_members(item.kind, name) {
            for index in 0..self.sets[set].candidates.len() {
                let candidate = &self.sets[set].candidates[index];
                let is_missing =
                    candidate.function.is_some_and(|function| self.program.functions[function].body.is_none());
                if candidate.is_wanted && is_missing {
                    self.pending.push(Pending::Member { set, index, depth: 1 });
                }
            }
        }
        Ok(())
    }

    /// The definition outside of its class of a function of a set that is declared in it.
    ///
    /// # Errors
    /// Where a template has a specialisation there: which one is meant is not found out.
    pub(super) fn outside_definition(
        &mut self,
        set: usize,
        declared: &FunctionItem,
        of: &FunctionForm,
        arguments: &[(Name, Argument)],
    ) -> Outcome<Option<Outside<'a>>> {
        let name = self.sets[set].name;
        let mut fitting = self.outside_of(set, declared, false);
        if let Some(specialised) = fitting.iter().find(|item| item.arguments.is_some()) {
            let message = format!(
                "a specialisation of `{}`, which is a template in a class, is not supported by the built-in front end",
                self.name_text(name)
            );
            return Err(Diagnostic::unsupported(specialised.declarator.location, message));
        }
        if fitting.len() > 1 {
            fitting.retain(|item| item.template.as_deref().unwrap_or(&[]).len() == arguments.len());
        }
        if fitting.len() > 1 {
            fitting.retain(|item| {
                let own = renamed(item, arguments);
                self.form_outside(set, item, &own).is_ok_and(|form| form.parameters == of.parameters)
            });
        }
        match fitting[..] {
            [only] => Ok(Some((only, renamed(only, arguments)))),
            _ => Ok(None),
        }
    }

    /// The explicit specialisation of a function of a class that is meant for the arguments of that class (`template <> int A<float, 1>::f() { … }`).
    ///
    /// # Errors
    /// Where it depends on what is open whether one is meant.
    pub(super) fn specialised_member(
        &mut self,
        set: usize,
        declared: &FunctionItem,
        of: &FunctionForm,
    ) -> Outcome<Option<&'a FunctionItem>> {
        let (name, class) = (self.sets[set].name, self.sets[set].class);
        let mut fitting = self.outside_of(set, declared, true);
        let instance = class.and_then(|class| self.instance(class));
        let Some((template, parameters, arguments)) = instance.filter(|_| !fitting.is_empty()) else { return Ok(None) };
        if fitting.len() > 1 && !arguments.iter().any(|&argument| self.is_unknown_argument(argument)) {
            // Of overloads.
            fitting.retain(|item| self.form_outside(set, item, &[]).is_ok_and(|form| form.parameters == of.parameters));
        }
        let explicit = |item: &&'a FunctionItem| -> Specialisation<'a> {
            let item: &'a FunctionItem = item;
            (&[], item.class_arguments.as_deref().unwrap_or(&[]), item.declarator.location)
        };
        let specialisations: Vec<_> = fitting.iter().map(explicit).collect();
        match self.meant_specialisation(template, parameters, &specialisations, &arguments) {
            Meant::Template(_) => Ok(None),
            Meant::Specialisation(index, _) => Ok(Some(fitting[index])),
            Meant::Undecided => {
                let message = format!("whether a specialisation of `{}` is meant is not known", self.name_text(name));
                Err(Diagnostic::unsupported(declared.declarator.location, message))
            }
        }
    }

    /// The definitions outside, or explicit specialisations for arguments of the class, of as many parameters as a function of a set.
    fn outside_of(&self, set: usize, declared: &FunctionItem, are_specialisations: bool) -> Vec<&'a FunctionItem> {
        let count = parameters_of(declared).len();
        let fits = |item: &&&'a FunctionItem| {
            item.kind == declared.kind
                && item.class_arguments.is_some() == are_specialisations
                && parameters_of(item).len() == count
                && item.declarator.is_const == declared.declarator.is_const
        };
        self.outside.get(&self.sets[set].name).into_iter().flatten().filter(fits).copied().collect()
    }

    /// The type of a definition outside, with the arguments in place.
    fn form_outside(
        &mut self,
        set: usize,
        item: &'a FunctionItem,
        arguments: &[(Name, Argument)],
    ) -> Outcome<FunctionForm> {
        let (scope, class) = (self.tree.scopes.scope(self.sets[set].name), self.sets[set].class);
        let state = State { scope, class, ..State::default() };
        self.apart(state, class, |checker| {
            checker.state.names.enter();
            checker.bind_arguments(arguments);
            match class {
                Some(class) => checker.member_form(class, item),
                None => checker.signature(&item.specifiers, &item.declarator).map(|signature| signature.of),
            }
        })
    }

    /// The functions of a kind that a class, or each instance of a template, declares by a name of its own; constructors and destructors have that of the class.
    fn declared_members(&self, kind: FunctionKind, name: Name) -> Vec<usize> {
        let scopes = &self.tree.scopes;
        let owner = match kind {
            FunctionKind::Named => scopes.owner(scopes.scope(name)),
            _ => Some(name),
        };
        let find = |name: Name| self.find(name, NameSpace::Ordinary).or_else(|| self.find(name, NameSpace::Tag));
        let classes: Vec<Struct> = match owner.and_then(find) {
            Some((&Meaning::Type(of), _)) => self.class_of(of).into_iter().collect(),
            Some((&Meaning::ClassTemplate(number), _)) => self.instances_of(number).collect(),
            _ => Vec::new(),
        };
        let function = |class: &Struct| match kind {
            FunctionKind::Constructor => self.classes.get(class)?.constructors,
            FunctionKind::Destructor => self.classes.get(class)?.destructor,
            FunctionKind::Conversion => self.classes.get(class)?.conversions,
            FunctionKind::Named => self.member_functions(*class, scopes.spelling(name)),
        };
        classes.iter().filter_map(function).collect()
    }
}

/// The arguments by the names that the parameters have in a definition: those of the classes around come first, and may be fewer where one of them is a specialisation.
fn renamed(item: &FunctionItem, arguments: &[(Name, Argument)]) -> Vec<(Name, Argument)> {
    let own = item.template.as_deref().unwrap_or(&[]);
    let first = arguments.len().saturating_sub(own.len());
    let values: Vec<Argument> = arguments[first..].iter().map(|&(_, argument)| argument).collect();
    by_name(own, &values)
}
