//! Instances of templates of classes of which only the name was needed so far: those in the types of functions that a class declares, and arguments in a template that mentions itself.
//!
//! A class may mention itself so, by way of another template that needs its types, and a template may mention itself for other arguments without an end: `B<N>` is a
//! `conditional_t<N == 0, A, B<N - 1>>`.
//!
//! **Invariant.** While a class is being defined, an instance that its functions mention is put off. It is defined when its members or its size are asked for, at the latest when no class is
//! being defined any more; but for one that so many others led to that nobody may ever need it. One that is an argument, of a template of which an instance is being defined, is defined
//! when it is needed, or never.

use std::collections::VecDeque;

use rustc_hash::FxHashMap;

use super::NamedArguments;
use crate::check::state::State;
use crate::check::written::{FormKind, Written};
use crate::check::{Checker, Outcome};
use crate::source::Location;
use crate::tree::{Name, NameKind, Record};
use crate::typed::Struct;

/// So deep, an instance waits until it is needed.
const DEPTH: usize = 16;

/// What an instance will be made of.
#[derive(Debug)]
pub(super) struct Undefined<'a> {
    pub(super) record: &'a Record,
    /// The arguments of the template, and of those around it.
    pub(super) bound: NamedArguments,
    pub(super) name: Name,
    /// How many instances led to it.
    pub(super) depth: usize,
    /// The class that the template is a member of.
    pub(super) around: Option<Struct>,
    pub(super) location: Location,
}

/// What was put off.
#[derive(Debug, Default)]
pub(in crate::check) struct AllUndefined<'a> {
    instances: FxHashMap<Struct, Undefined<'a>>,
    order: VecDeque<Struct>,
    /// The classes that are being defined.
    open: Vec<Struct>,
    /// What is being read, where it needs no more of a class than its name.
    mention: Option<Mention>,
}

/// Where a class is mentioned of which no more than its name is needed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::check) enum Mention {
    /// In the type of a function that a class declares.
    Signature,
    /// As an argument of a template.
    Argument,
}

impl<'a> Checker<'a> {
    /// Defines a class. What its functions mention is defined when that is done.
    pub(in crate::check) fn while_open<T>(
        &mut self,
        number: Struct,
        define: impl FnOnce(&mut Self) -> Outcome<T>,
    ) -> Outcome<T> {
        let outer = self.undefined.mention.take();
        self.undefined.open.push(number);
        let made = define(self);
        self.undefined.open.pop();
        self.undefined.mention = outer;
        if self.undefined.open.is_empty() {
            self.define_all()?;
        }
        made
    }

    /// Reads what needs no more of the classes in it than their names.
    pub(in crate::check) fn by_mention<T>(&mut self, mention: Mention, read: impl FnOnce(&mut Self) -> T) -> T {
        let outer = self.undefined.mention;
        // What is an argument in a signature is a part of it.
        self.undefined.mention = outer.or(Some(mention));
        let made = read(self);
        self.undefined.mention = outer;
        made
    }

    /// Defines an instance that was made, at once or when it is needed.
    pub(super) fn define_or_put_off(
        &mut self,
        number: Struct,
        template: usize,
        instance: Undefined<'a>,
    ) -> Outcome<()> {
        let is_open = |class: &Struct| self.template_of(*class) == Some(template);
        match self.undefined.mention {
            Some(Mention::Signature) => self.undefined.order.push_back(number),
            Some(Mention::Argument) if self.undefined.open.iter().any(is_open) => {}
            _ => return self.define_instance(number, instance),
        }
        self.undefined.instances.insert(number, instance);
        Ok(())
    }

    fn define_all(&mut self) -> Outcome<()> {
        while let Some(number) = self.undefined.order.pop_front() {
            if self.undefined.instances.get(&number).is_some_and(|instance| instance.depth < DEPTH) {
                self.require(number)?;
            }
        }
        Ok(())
    }

    /// Defines a class of which more than its name is needed, where that was put off.
    pub(in crate::check) fn require(&mut self, number: Struct) -> Outcome<()> {
        match self.undefined.instances.remove(&number) {
            Some(instance) => self.define_instance(number, instance),
            None => Ok(()),
        }
    }

    /// The same for the classes that a name is in: `B` in `B::value`.
    pub(in crate::check) fn require_owners(&mut self, name: Name) -> Outcome<()> {
        let NameKind::Member(_) = name.kind() else { return Ok(()) };
        let scopes = &self.tree.scopes;
        if self.undefined.instances.is_empty() {
            return Ok(());
        }
        let Some(owner) = scopes.owner(scopes.scope(name)) else { return Ok(()) };
        self.require_owners(owner)?;
        self.class_named(owner).map_or(Ok(()), |class| self.require(class))
    }

    /// The same for the class of an object, and for one at which a pointer points.
    pub(in crate::check) fn require_object(&mut self, of: Written) -> Outcome<()> {
        if self.undefined.instances.is_empty() {
            return Ok(());
        }
        match *self.form(of) {
            FormKind::Struct(number) => self.require(number),
            FormKind::Pointer(to) => self.require_class(to),
            _ => Ok(()),
        }
    }

    /// The same for a type, if it is a class.
    pub(in crate::check) fn require_class(&mut self, of: Written) -> Outcome<()> {
        match self.class_of(of) {
            Some(number) => self.require(number),
            None => Ok(()),
        }
    }

    pub(super) fn define_instance(&mut self, number: Struct, instance: Undefined<'a>) -> Outcome<()> {
        let Undefined { record, bound, name, depth, around, location } = instance;
        // An instance in an instance is made at once, on the stack that is left.
        const LEVELS: usize = 8;
        let state = State {
            scope: self.tree.scopes.scope(name),
            depth: self.state.depth + LEVELS,
            instance_depth: depth,
            class: around,
            ..State::default()
        };
        let defined = self.apart(state, around, |checker| {
            checker.state.names.enter();
            checker.bind_arguments(&bound);
            checker.deeper(location)?;
            checker.define_record(record, number)
        });
        if let Err(wrong) = defined {
            if !self.goes_on(&wrong) {
                return Err(wrong);
            }
            self.note_unknown(&wrong);
            self.program.types.structs[number].is_complete = true;
            self.partial.insert(number);
        }
        Ok(())
    }
}
