//! What a name means at a place of the text. Which name is meant, is defined in [`scope`](crate::tree::Scopes).
//!
//! **Invariant.** The innermost meaning of a name is found in O(1); leaving a scope takes as long as there were names in it. Tags of
//! structs and enumerations are names of their own in C.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::written::Written;
use crate::source::Location;
use crate::token::Symbol;
use crate::tree::Name;
use crate::typed::{Constant, Global, Struct, Variable};

/// Which names do not collide with each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum NameSpace {
    /// Variables, functions, types.
    Ordinary,
    /// `struct S`, `union U`, `enum E`.
    Tag,
}

/// What a name means.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Meaning {
    /// A variable on the stack.
    Variable(Variable, Written),
    /// A variable that holds the address of what the name stands for.
    Reference(Variable, Written),
    /// A part of a variable that nobody named, or of what such a variable refers to: a name of a structured binding.
    Part(Part, Written),
    /// A variable that is not on the stack.
    Global(Global, Written),
    /// A variable of the host: its number.
    Host(usize),
    /// A number: an enumerator, a value of a template, a `constexpr` variable.
    Constant(Constant, Written),
    /// A type.
    Type(Written),
    /// The value parameter of a template whose instances are not known yet: its number.
    TemplateValue(u16, Written),
    /// Functions and templates of one name: their number.
    Functions(usize),
    /// A member of the objects of a class.
    Field(Symbol),
    /// A template of classes: its number.
    ClassTemplate(usize),
    /// A template of variables: its number.
    VariableTemplate(usize),
    /// A template of other names for types: its number.
    AliasTemplate(usize),
    /// What a pack stands for, in order.
    Pack(Rc<[Meaning]>),
    /// An element of a pack of variables, in a lambda that has captured it.
    Element(CapturedElement),
    /// Something whose declaration is wrong, which was said already.
    Broken,
    /// The same value for all threads that nobody knows: what a template's parameter stands for.
    Unknown(Written),
    /// A constant of the program whose value is not computed: the same for all threads.
    AnyConstant(Written),
    /// A sampler of OpenCL that is known when it is translated.
    Sampler(u32, Written),
}

/// The member of a lambda's object that holds an element of a pack.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct CapturedElement {
    /// The class of the lambda.
    pub(crate) class: Struct,
    /// The number of the member.
    pub(crate) field: u32,
    /// Its type.
    pub(crate) of: Written,
}

impl Meaning {
    /// Whether it is a variable on the stack, a part of one, or what a lambda has captured of a pack of them.
    pub(crate) fn is_variable(&self) -> bool {
        matches!(self, Meaning::Variable(..) | Meaning::Reference(..) | Meaning::Part(..) | Meaning::Element(_))
    }
}

/// A part of a variable.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Part {
    pub(crate) variable: Variable,
    /// What the variable holds the address of; none where the part is in the variable.
    pub(crate) referred: Option<Written>,
    /// The number of the member or element.
    pub(crate) index: u32,
}

#[derive(Debug)]
struct Entry {
    key: (Name, NameSpace),
    meaning: Meaning,
    location: Location,
    outer: Option<u32>,
}

/// The names of a file or of a function.
#[derive(Debug, Default)]
pub(crate) struct Names {
    entries: Vec<Entry>,
    innermost: FxHashMap<(Name, NameSpace), u32>,
    scopes: Vec<u32>,
}

impl Names {
    /// Makes room for more names.
    pub(crate) fn reserve(&mut self, count: usize) {
        self.entries.reserve(count);
        self.innermost.reserve(count);
    }

    /// Forgets all names, but keeps the room for as many.
    pub(crate) fn clear(&mut self) {
        self.entries.clear();
        self.innermost.clear();
        self.scopes.clear();
    }

    pub(crate) fn enter(&mut self) {
        self.scopes.push(self.entries.len() as u32);
    }

    pub(crate) fn leave(&mut self) {
        let start = self.scopes.pop().unwrap_or(0) as usize;
        while self.entries.len() > start {
            let Some(entry) = self.entries.pop() else { return };
            match entry.outer {
                Some(outer) => self.innermost.insert(entry.key, outer),
                None => self.innermost.remove(&entry.key),
            };
        }
    }

    /// How many scopes are open.
    pub(crate) fn depth(&self) -> usize {
        self.scopes.len()
    }

    /// Leaves all scopes but so many.
    pub(crate) fn leave_to(&mut self, depth: usize) {
        while self.scopes.len() > depth {
            self.leave();
        }
    }

    /// Leaves a scope; gives the names that were declared in it.
    pub(crate) fn leave_with_names(&mut self) -> Vec<(Name, NameSpace, Meaning, Location)> {
        let start = self.scopes.last().copied().unwrap_or(0) as usize;
        let declared = |entry: &Entry| (entry.key.0, entry.key.1, entry.meaning.clone(), entry.location);
        let names = self.entries[start..].iter().map(declared).collect();
        self.leave();
        names
    }

    /// What a name means, and where it was declared.
    pub(crate) fn find(&self, name: Name, space: NameSpace) -> Option<(&Meaning, Location)> {
        let entry = &self.entries[*self.innermost.get(&(name, space))? as usize];
        Some((&entry.meaning, entry.location))
    }

    /// What a name means that was declared in the innermost scope.
    pub(crate) fn find_here(&self, name: Name, space: NameSpace) -> Option<(&Meaning, Location)> {
        let number = *self.innermost.get(&(name, space))?;
        let entry = &self.entries[number as usize];
        (number >= self.scopes.last().copied().unwrap_or(0)).then_some((&entry.meaning, entry.location))
    }

    /// Declares a name in the innermost scope.
    pub(crate) fn declare(&mut self, name: Name, space: NameSpace, meaning: Meaning, location: Location) {
        let outer = self.innermost.insert((name, space), self.entries.len() as u32);
        self.entries.push(Entry { key: (name, space), meaning, location, outer });
    }

    /// Gives another meaning to a name that is declared.
    pub(crate) fn redefine(&mut self, name: Name, space: NameSpace, meaning: Meaning) {
        if let Some(&number) = self.innermost.get(&(name, space)) {
            self.entries[number as usize].meaning = meaning;
        }
    }

    /// All names that mean something.
    pub(crate) fn all(&self) -> impl Iterator<Item = Name> {
        self.innermost.keys().filter(|key| key.1 == NameSpace::Ordinary).map(|key| key.0)
    }
}
