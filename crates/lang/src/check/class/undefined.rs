//! Instances of templates of classes of which only the name was needed so far: those in the types of functions that a class declares.
//!
//! A class may mention itself so, by way of another template that needs its types, and a template may mention itself for other arguments without an end.
//!
//! **Invariant.** While a class is being defined, an instance that its functions mention is put off. It is defined when its members or its size are asked for, at the latest when no class is
//! being defined any more; but for one that so many others led to that nobody may ever need it.

use std::collections::VecDeque;

use rustc_hash::FxHashMap;

use super::NamedArguments;
use crate::check::state::State;
use crate::check::written::Written;
use crate::check::{Checker, Outcome};
use crate::source::Location;
use crate::tree::{Name, Record};
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
    /// How many classes are being defined.
    open: usize,
    is_in_signature: bool,
}

impl<'a> AllUndefined<'a> {
    /// Whether a name that is mentioned is part of the type of a function that a class declares.
    pub(super) fn is_in_signature(&self) -> bool {
        self.is_in_signature
    }

    pub(super) fn put_off(&mut self, number: Struct, instance: Undefined<'a>) {
        self.instances.insert(number, instance);
        self.order.push_back(number);
    }
}

impl<'a> Checker<'a> {
    /// Defines a class. What its functions mention is defined when that is done.
    pub(in crate::check) fn while_open<T>(&mut self, define: impl FnOnce(&mut Self) -> Outcome<T>) -> Outcome<T> {
        let outer = std::mem::replace(&mut self.undefined.is_in_signature, false);
        self.undefined.open += 1;
        let made = define(self);
        self.undefined.open -= 1;
        self.undefined.is_in_signature = outer;
        if self.undefined.open == 0 {
            self.define_all()?;
        }
        made
    }

    /// Declares a function of a class.
    pub(in crate::check) fn in_signature<T>(&mut self, declare: impl FnOnce(&mut Self) -> T) -> T {
        let outer = std::mem::replace(&mut self.undefined.is_in_signature, true);
        let made = declare(self);
        self.undefined.is_in_signature = outer;
        made
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
