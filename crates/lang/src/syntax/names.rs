//! What names mean, as far as the grammar depends on it: which are types and templates, and what is qualified by which namespace.
//!
//! **Invariants.** `meanings` holds for each symbol what it means at the place where the parser is; leaving a scope undoes what was
//! declared in it, so that a lookup is an index. Only what stands inside of functions, parameter lists and template parameter lists
//! is local; a member of a namespace `a` is declared as the symbol `a::name`, and found through the namespaces that are open.

use rustc_hash::FxHashMap;

use crate::options::Limits;
use crate::token::{Symbol, Symbols};
use crate::tree::BuiltinType;

/// What a name is to the grammar.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// Not declared: perhaps a function of the dialect, perhaps a mistake.
    Unknown,
    /// A variable, function or enumerator.
    Value,
    /// A typedef, tag (C++) or type parameter.
    Type,
    /// A typedef of a vector.
    Vector,
    /// A type of the dialect: an index of the table of them.
    Builtin(u16),
    /// A template of functions.
    Template,
    /// A class or function that is outside of the subset.
    Unsupported,
    /// A namespace.
    Namespace,
    /// `true` or `false` where they are not keywords.
    Bool(bool),
}

/// What a name means.
#[derive(Debug, Clone, Copy)]
pub(super) struct Meaning {
    pub(super) kind: Kind,
    /// The name with the namespaces that it was found in.
    pub(super) symbol: Symbol,
    is_local: bool,
}

impl Meaning {
    pub(super) fn is_type(self) -> bool {
        matches!(self.kind, Kind::Type | Kind::Vector | Kind::Builtin(_) | Kind::Unsupported)
    }
}

/// What is too much about a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Exceeded {
    /// What it is in.
    Qualifiers,
    /// Its bytes, with those of what it is in.
    Length,
}

/// Where a scope began.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Mark {
    undo: u32,
    using: u32,
}

/// A namespace or record whose braces are open.
#[derive(Debug, Clone, Copy)]
struct Context {
    path: Symbol,
    is_record: bool,
}

/// All names.
#[derive(Debug)]
pub(super) struct Names {
    meanings: Vec<Option<Meaning>>,
    builtins: Vec<BuiltinType>,
    undo: Vec<(Symbol, Option<Meaning>)>,
    using: Vec<Symbol>,
    contexts: Vec<Context>,
    joined: FxHashMap<(Symbol, Symbol), Symbol>,
    depth: u32,
    limits: Limits,
    /// What a name was too much for; it stands for itself, without what it is in.
    exceeded: Option<Exceeded>,
}

impl Names {
    /// No names.
    pub(super) fn new(limits: Limits) -> Names {
        Names {
            meanings: Vec::new(),
            builtins: Vec::new(),
            undo: Vec::new(),
            using: Vec::new(),
            contexts: Vec::new(),
            joined: FxHashMap::default(),
            depth: 0,
            limits,
            exceeded: None,
        }
    }

    /// Whether a name was too long, or too far inside.
    #[inline]
    pub(super) fn is_exceeded(&self) -> bool {
        self.exceeded.is_some()
    }

    pub(super) fn take_exceeded(&mut self) -> Option<Exceeded> {
        self.exceeded.take()
    }

    #[inline]
    fn exact(&self, symbol: Symbol) -> Option<Meaning> {
        self.meanings.get(symbol.0 as usize).copied().flatten()
    }

    fn set(&mut self, symbol: Symbol, meaning: Option<Meaning>) -> Option<Meaning> {
        let index = symbol.0 as usize;
        if self.meanings.len() <= index {
            self.meanings.resize(index + 1 + index / 2, None);
        }
        std::mem::replace(&mut self.meanings[index], meaning)
    }

    /// Nothing is known about a name.
    #[inline]
    pub(super) fn unknown(&self, name: Symbol) -> Meaning {
        Meaning { kind: Kind::Unknown, symbol: name, is_local: false }
    }

    /// What a name means that is spelled with its qualification.
    #[inline]
    pub(super) fn global(&self, name: Symbol) -> Meaning {
        self.exact(name).unwrap_or(self.unknown(name))
    }

    /// What an unqualified name means here.
    #[inline]
    pub(super) fn lookup(&self, name: Symbol) -> Meaning {
        if self.contexts.is_empty() && self.using.is_empty() { self.global(name) } else { self.lookup_inside(name) }
    }

    /// What an unqualified name means where namespaces or records are open or used.
    fn lookup_inside(&self, name: Symbol) -> Meaning {
        let plain = self.exact(name);
        let unknown = self.unknown(name);
        if let Some(local) = plain.filter(|meaning| meaning.is_local) {
            return local;
        }
        let inside = |path: Symbol| self.joined.get(&(path, name)).and_then(|&joined| self.exact(joined));
        let enclosing = || self.contexts.iter().rev().find_map(|context| inside(context.path));
        let used = || self.using.iter().rev().find_map(|&path| inside(path));
        enclosing().or(plain).or_else(used).unwrap_or(unknown)
    }

    /// What `name` means in the namespace, record or enumeration `path`.
    pub(super) fn member(&mut self, path: Symbol, name: Symbol, symbols: &mut Symbols) -> Meaning {
        let joined = self.join(path, name, symbols);
        self.global(joined)
    }

    /// The symbol `path::name`. A path is as long as what it is in, so that paths within paths would be quadratic without limits.
    pub(super) fn join(&mut self, path: Symbol, name: Symbol, symbols: &mut Symbols) -> Symbol {
        *self.joined.entry((path, name)).or_insert_with(|| {
            let text = format!("{}::{}", symbols.text(path), symbols.text(name));
            let exceeded = match () {
                () if text.len() > self.limits.name_length => Some(Exceeded::Length),
                () if text.matches("::").count() > self.limits.qualifiers => Some(Exceeded::Qualifiers),
                () => None,
            };
            if exceeded.is_some() {
                self.exceeded = exceeded;
                return name;
            }
            symbols.intern(&text)
        })
    }

    /// The built-in type of an index of [`Kind::Builtin`].
    pub(super) fn builtin(&self, index: u16) -> BuiltinType {
        self.builtins[index as usize]
    }

    /// Whether a scope is open, so that declarations are local.
    pub(super) fn is_local(&self) -> bool {
        self.depth > 0
    }

    /// Opens a scope.
    pub(super) fn open(&mut self) -> Mark {
        self.depth += 1;
        Mark { undo: self.undo.len() as u32, using: self.using.len() as u32 }
    }

    /// Closes the scope that began there.
    pub(super) fn close(&mut self, mark: Mark) {
        self.depth -= 1;
        self.reset(mark);
    }

    /// Forgets what was declared since, the scope staying open.
    pub(super) fn reset(&mut self, mark: Mark) {
        while self.undo.len() > mark.undo as usize {
            let (symbol, before) = self.undo.pop().expect("longer than the mark");
            self.set(symbol, before);
        }
        self.using.truncate(mark.using as usize);
    }

    /// The number of open scopes, to get back to after an error.
    pub(super) fn depth(&self) -> u32 {
        self.depth
    }

    /// Back to a number of open scopes and to what was declared then.
    pub(super) fn rewind(&mut self, depth: u32, contexts: usize, mark: Mark) {
        self.depth = depth;
        self.contexts.truncate(contexts);
        self.reset(mark);
    }

    /// Where a scope that began now would begin.
    pub(super) fn mark(&self) -> Mark {
        Mark { undo: self.undo.len() as u32, using: self.using.len() as u32 }
    }

    /// The number of open namespaces and records.
    pub(super) fn contexts(&self) -> usize {
        self.contexts.len()
    }

    /// Declares a name in the scope, record or namespace that is open; gives the symbol with its qualification.
    pub(super) fn declare(&mut self, name: Symbol, kind: Kind, symbols: &mut Symbols) -> Symbol {
        let in_record = self.contexts.last().is_some_and(|context| context.is_record);
        if self.depth == 0 || in_record {
            return self.declare_outside(name, kind, symbols);
        }
        let before = self.set(name, Some(Meaning { kind, symbol: name, is_local: true }));
        self.undo.push((name, before));
        name
    }

    /// Declares a name in the record or namespace that is open, also from inside a template or parameter list.
    pub(super) fn declare_outside(&mut self, name: Symbol, kind: Kind, symbols: &mut Symbols) -> Symbol {
        let symbol = self.qualify(name, symbols);
        let is_local = self.depth > 0 && self.contexts.last().is_some_and(|context| context.is_record);
        let before = self.set(symbol, Some(Meaning { kind, symbol, is_local }));
        if is_local {
            self.undo.push((symbol, before));
        }
        symbol
    }

    /// Declares a parameter or another name that is local wherever it stands.
    pub(super) fn declare_local(&mut self, name: Symbol, kind: Kind) {
        let before = self.set(name, Some(Meaning { kind, symbol: name, is_local: true }));
        self.undo.push((name, before));
    }

    /// Declares a name that is spelled with its qualification, for the rest of the file.
    pub(super) fn declare_qualified(&mut self, name: Symbol, kind: Kind) {
        self.set(name, Some(Meaning { kind, symbol: name, is_local: false }));
    }

    /// The symbol that a name which is declared at the place has.
    pub(super) fn qualify(&mut self, name: Symbol, symbols: &mut Symbols) -> Symbol {
        match self.contexts.last() {
            Some(context) => self.join(context.path, name, symbols),
            None => name,
        }
    }

    /// Lets a name mean what another one means (`using a::f;`, `namespace b = a;`), in the scope that is open.
    pub(super) fn alias(&mut self, name: Symbol, of: Meaning, symbols: &mut Symbols) {
        let declared = self.declare(name, of.kind, symbols);
        if let Some(meaning) = &mut self.meanings[declared.0 as usize] {
            meaning.symbol = of.symbol;
        }
    }

    /// Lets `path::name` mean what `name` means: enumerators are also behind the name of their enumeration.
    pub(super) fn alias_member(&mut self, path: Symbol, name: Symbol, of: Symbol, symbols: &mut Symbols) {
        let joined = self.join(path, name, symbols);
        self.set(joined, Some(Meaning { kind: Kind::Value, symbol: of, is_local: false }));
    }

    /// Opens the braces of a namespace or record; `path` is qualified.
    pub(super) fn enter(&mut self, path: Symbol, is_record: bool) {
        self.contexts.push(Context { path, is_record });
    }

    /// Closes the braces of a namespace or record.
    pub(super) fn leave(&mut self) {
        self.contexts.pop();
    }

    /// Declares the name of a namespace; gives its path.
    pub(super) fn declare_namespace(&mut self, name: Symbol, symbols: &mut Symbols) -> Symbol {
        let found = self.qualify(name, symbols);
        if let Some(Meaning { kind: Kind::Namespace, symbol, .. }) = self.exact(found) {
            return symbol;
        }
        self.declare_outside(name, Kind::Namespace, symbols)
    }

    /// `using namespace path`.
    pub(super) fn use_namespace(&mut self, path: Symbol) {
        if !self.using.contains(&path) {
            self.using.push(path);
        }
    }

    /// A type of the dialect.
    pub(super) fn declare_builtin(&mut self, name: Symbol, of: BuiltinType) {
        let index = self.builtins.len() as u16;
        self.builtins.push(of);
        self.set(name, Some(Meaning { kind: Kind::Builtin(index), symbol: name, is_local: false }));
    }

    /// A template of the dialect.
    pub(super) fn declare_builtin_template(&mut self, name: Symbol) {
        self.set(name, Some(Meaning { kind: Kind::Template, symbol: name, is_local: false }));
    }

    /// `true` and `false` where they are names.
    pub(super) fn declare_bool(&mut self, name: Symbol, value: bool) {
        self.set(name, Some(Meaning { kind: Kind::Bool(value), symbol: name, is_local: false }));
    }
}
