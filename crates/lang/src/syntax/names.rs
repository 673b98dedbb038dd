//! What names mean, as far as the grammar depends on it: which are types and templates, and which scope belongs to them. What a lookup
//! is, is defined in [`scope`](crate::tree::Scopes).
//!
//! **Invariants.** There is an entry for each [`Name`] that was declared, with what it means at the place where the parser is; leaving a
//! block undoes what was declared in it, so that a lookup in blocks and the unit is an index. Only what stands inside of functions,
//! parameter lists and template parameter lists is local.

use cranelift_entity::SecondaryMap;
use cranelift_entity::packed_option::PackedOption;
use rustc_hash::FxHashMap;
use smallvec::{SmallVec, smallvec};

use crate::options::Limits;
use crate::token::{Symbol, Symbols};
use crate::tree::{BuiltinType, Member, Name, NameKind, Scope, ScopeKind, Scopes};

/// In how many bases of a class a name is looked up.
const MOST_BASES: usize = 64;

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
    /// A template of classes, or of other names for types.
    ClassTemplate,
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
    /// The name that was found: another one than was looked for, where that is an alias.
    pub(super) name: Name,
    /// The scope that belongs to it.
    scope: PackedOption<Scope>,
    is_local: bool,
}

impl Meaning {
    fn new(kind: Kind, name: Name) -> Meaning {
        Meaning { kind, name, scope: None.into(), is_local: false }
    }

    pub(super) fn is_type(self) -> bool {
        matches!(self.kind, Kind::Type | Kind::Vector | Kind::Builtin(_) | Kind::ClassTemplate | Kind::Unsupported)
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

/// All names.
#[derive(Debug)]
pub(super) struct Names {
    pub(super) scopes: Scopes,
    /// Of names of the unit and of blocks, by their spellings.
    plain: Vec<Option<Meaning>>,
    /// Of members of other scopes.
    members: SecondaryMap<Member, Option<Meaning>>,
    builtins: Vec<BuiltinType>,
    undo: Vec<(Name, Option<Meaning>)>,
    /// The namespaces of using-directives.
    using: Vec<Scope>,
    /// The scopes whose braces are open.
    open: Vec<Scope>,
    /// How many of them are around the innermost body of a function.
    around_body: usize,
    depth: u32,
    /// How many of the scopes that are open are `template<…>` before a class: its members are not local for that.
    headers: u32,
    /// The scopes of the classes that a class is derived from.
    bases: FxHashMap<Scope, Vec<Scope>>,
    limits: Limits,
    /// What a name was too much for; it stands for itself, without what it is in.
    exceeded: Option<Exceeded>,
}

impl Names {
    /// No names.
    pub(super) fn new(limits: Limits) -> Names {
        Names {
            scopes: Scopes::default(),
            plain: Vec::new(),
            members: SecondaryMap::new(),
            builtins: Vec::new(),
            undo: Vec::new(),
            using: Vec::new(),
            open: Vec::new(),
            around_body: 0,
            depth: 0,
            headers: 0,
            bases: FxHashMap::default(),
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
    fn exact(&self, name: Name) -> Option<Meaning> {
        match name.kind() {
            NameKind::Plain(spelling) => self.plain.get(spelling.0 as usize).copied().flatten(),
            NameKind::Member(member) => self.members[member],
        }
    }

    fn entry(&mut self, name: Name) -> &mut Option<Meaning> {
        match name.kind() {
            NameKind::Member(member) => &mut self.members[member],
            NameKind::Plain(spelling) => {
                let index = spelling.0 as usize;
                if self.plain.len() <= index {
                    self.plain.resize(index + 1 + index / 2, None);
                }
                &mut self.plain[index]
            }
        }
    }

    /// Lets a name mean something; a scope that belongs to it still does. Gives what it meant before.
    fn set(&mut self, name: Name, kind: Kind, is_local: bool) -> Option<Meaning> {
        let entry = self.entry(name);
        let before = *entry;
        let scope = before.map_or(None.into(), |before| before.scope);
        *entry = Some(Meaning { kind, name, scope, is_local });
        before
    }

    /// Nothing is known about a name.
    #[inline]
    pub(super) fn unknown(&self, name: Symbol) -> Meaning {
        Meaning::new(Kind::Unknown, Name::plain(name))
    }

    /// What a name means of which the scope is known.
    #[inline]
    pub(super) fn meaning(&self, name: Name) -> Meaning {
        self.exact(name).unwrap_or(Meaning::new(Kind::Unknown, name))
    }

    /// What an unqualified name means here.
    #[inline]
    pub(super) fn lookup(&self, name: Symbol) -> Meaning {
        match self.open.is_empty() && self.using.is_empty() {
            true => self.meaning(Name::plain(name)),
            false => self.lookup_inside(name),
        }
    }

    /// What an unqualified name means where scopes are open or used.
    fn lookup_inside(&self, spelling: Symbol) -> Meaning {
        let plain = self.exact(Name::plain(spelling));
        if let Some(local) = plain.filter(|meaning| meaning.is_local) {
            return local;
        }
        let declared = |name: Name| self.exact(name).filter(|meaning| meaning.kind != Kind::Unknown);
        let enclosing = match self.bases.is_empty() {
            true => self.scopes.innermost(self.innermost(), spelling, declared),
            false => self.scopes.around(self.innermost()).find_map(|scope| self.inherited(scope, spelling, declared)),
        };
        let used = || self.using.iter().rev().find_map(|&scope| declared(self.scopes.find(scope, spelling)?));
        enclosing.or_else(used).unwrap_or(self.unknown(spelling))
    }

    /// What a spelling means in a scope or in the first of its bases that has it.
    fn inherited(&self, scope: Scope, spelling: Symbol, declared: impl Fn(Name) -> Option<Meaning>) -> Option<Meaning> {
        let mut scopes: SmallVec<[Scope; 4]> = smallvec![scope];
        let mut next = 0;
        while let Some(&scope) = scopes.get(next).filter(|_| next < MOST_BASES) {
            if let Some(found) = self.scopes.find(scope, spelling).and_then(&declared) {
                return Some(found);
            }
            scopes.extend(self.bases.get(&scope).into_iter().flatten().copied());
            next += 1;
        }
        None
    }

    /// Says that the class whose braces are open is derived from what a name means.
    pub(super) fn derive(&mut self, from: Meaning, symbols: &Symbols) {
        let base = self.scope_of(from, symbols);
        let derived = self.innermost();
        self.bases.entry(derived).or_default().push(base);
    }

    /// The scopes whose braces are open.
    pub(super) fn open_list(&self) -> Vec<Scope> {
        self.open.clone()
    }

    /// Opens other scopes; gives those that were open.
    pub(super) fn reopen(&mut self, scopes: Vec<Scope>) -> Vec<Scope> {
        std::mem::replace(&mut self.open, scopes)
    }

    /// Lets what is declared stay after the `template<…>` that is open.
    pub(super) fn enter_header(&mut self) {
        self.headers += 1;
    }

    /// The end of that.
    pub(super) fn leave_header(&mut self) {
        self.headers -= 1;
    }

    /// The scope whose braces are the innermost that are open.
    fn innermost(&self) -> Scope {
        self.open.last().copied().unwrap_or_default()
    }

    /// Whether a class or enumeration is open, and no body of one of its functions.
    pub(super) fn is_in_type(&self) -> bool {
        self.open.len() > self.around_body
            && matches!(self.scopes.kind(self.innermost()), ScopeKind::Class | ScopeKind::Enumeration)
    }

    /// The body of a function begins; gives what [`Names::leave_body`] needs at its end.
    pub(super) fn enter_body(&mut self) -> usize {
        std::mem::replace(&mut self.around_body, self.open.len())
    }

    pub(super) fn leave_body(&mut self, around: usize) {
        self.around_body = around;
    }

    /// What `spelling` means in the scope that belongs to what a name means.
    pub(super) fn member(&mut self, of: Meaning, spelling: Symbol, symbols: &Symbols) -> Meaning {
        let scope = self.scope_of(of, symbols);
        let name = self.join(scope, spelling, symbols);
        self.meaning(name)
    }

    /// The scope that belongs to what a name means; made where there is none so far.
    pub(super) fn scope_of(&mut self, meaning: Meaning, symbols: &Symbols) -> Scope {
        let name = meaning.name;
        let known = meaning.scope.expand().or_else(|| self.exact(name)?.scope.expand());
        known.unwrap_or_else(|| {
            let scope = self.scopes.add(ScopeKind::Undeclared, name, self.scopes.scope(name), symbols);
            self.entry(name).get_or_insert(Meaning::new(Kind::Unknown, name)).scope = scope.into();
            scope
        })
    }

    /// The name of a spelling in a scope. Texts of names are as long as what they are in, so that they would be quadratic without limits.
    fn join(&mut self, scope: Scope, spelling: Symbol, symbols: &Symbols) -> Name {
        let name = self.scopes.member(scope, spelling);
        self.exceeded = match () {
            () if scope == Scope::UNIT => return name,
            () if self.scopes.text_length(name, symbols) > self.limits.name_length => Some(Exceeded::Length),
            () if self.scopes.depth(scope) > self.limits.qualifiers => Some(Exceeded::Qualifiers),
            () => return name,
        };
        Name::plain(spelling)
    }

    /// The built-in type of an index of [`Kind::Builtin`].
    pub(super) fn builtin(&self, index: u16) -> BuiltinType {
        self.builtins[index as usize]
    }

    /// Whether a scope is open, so that declarations are local.
    pub(super) fn is_local(&self) -> bool {
        self.depth > self.headers
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
            let (name, before) = self.undo.pop().expect("longer than the mark");
            *self.entry(name) = before;
        }
        self.using.truncate(mark.using as usize);
    }

    /// The number of open scopes, to get back to after an error.
    pub(super) fn depth(&self) -> u32 {
        self.depth
    }

    /// Back to a number of open scopes and to what was declared then.
    pub(super) fn rewind(&mut self, depth: u32, open: usize, mark: Mark) {
        self.depth = depth;
        self.headers = self.headers.min(depth);
        self.open.truncate(open);
        self.reset(mark);
    }

    /// Where a scope that began now would begin.
    pub(super) fn mark(&self) -> Mark {
        Mark { undo: self.undo.len() as u32, using: self.using.len() as u32 }
    }

    /// How many scopes have braces that are open.
    pub(super) fn open_scopes(&self) -> usize {
        self.open.len()
    }

    /// Declares a name in the block or scope that is open.
    pub(super) fn declare(&mut self, spelling: Symbol, kind: Kind, symbols: &Symbols) -> Name {
        if !self.is_local() || self.is_in_type() {
            return self.declare_outside(spelling, kind, symbols);
        }
        self.declare_local(spelling, kind);
        Name::plain(spelling)
    }

    /// Declares a name in the scope that is open, also from inside a template or parameter list.
    fn declare_outside(&mut self, spelling: Symbol, kind: Kind, symbols: &Symbols) -> Name {
        let name = self.qualify(spelling, symbols);
        let is_local = self.is_local() && self.is_in_type();
        let before = self.set(name, kind, is_local);
        if is_local {
            self.undo.push((name, before));
        }
        name
    }

    /// Declares a name as a declarator has it: in the scope that it says, or in the one that is open.
    pub(super) fn declare_written(&mut self, name: Name, kind: Kind, symbols: &Symbols) -> Name {
        match name.kind() {
            NameKind::Plain(spelling) => self.declare(spelling, kind, symbols),
            NameKind::Member(_) => {
                self.declare_qualified(name, kind);
                name
            }
        }
    }

    /// Declares a parameter or another name that is local wherever it stands.
    pub(super) fn declare_local(&mut self, name: impl Into<Name>, kind: Kind) {
        let name = name.into();
        let before = self.set(name, kind, true);
        self.undo.push((name, before));
    }

    /// Declares a name of which the scope is known, for the rest of the file.
    pub(super) fn declare_qualified(&mut self, name: Name, kind: Kind) {
        self.set(name, kind, false);
    }

    /// The name that a spelling has which is declared at the place.
    pub(super) fn qualify(&mut self, spelling: Symbol, symbols: &Symbols) -> Name {
        self.join(self.innermost(), spelling, symbols)
    }

    /// Lets a name mean what another one means (`using a::f;`, `namespace b = a;`), in the scope that is open.
    pub(super) fn alias(&mut self, spelling: Symbol, of: Meaning, symbols: &Symbols) {
        let declared = self.declare(spelling, of.kind, symbols);
        if let Some(meaning) = self.entry(declared) {
            (meaning.name, meaning.scope) = (of.name, of.scope);
        }
    }

    /// Lets a name mean the same after that of its enumeration: `E::A` is `A`.
    pub(super) fn alias_enumerator(&mut self, of: Name, spelling: Symbol, enumerator: Name, symbols: &Symbols) {
        let scope = self.scope_of(self.meaning(of), symbols);
        let name = self.join(scope, spelling, symbols);
        *self.entry(name) = Some(Meaning::new(Kind::Value, enumerator));
    }

    /// Opens the braces of what a name means, which is declared. A class inside of a function has a scope of its own each time.
    pub(super) fn enter(&mut self, name: Name, kind: ScopeKind, symbols: &Symbols) {
        let meaning = self.meaning(name);
        let scope = match meaning.is_local {
            true => self.scopes.add(kind, name, self.innermost(), symbols),
            false => self.scope_of(meaning, symbols),
        };
        self.scopes.declare(scope, kind);
        if let Some(meaning) = self.entry(name) {
            meaning.scope = scope.into();
        }
        self.open.push(scope);
    }

    /// Opens the scope that a name is a member of, if that is not the innermost one already; whether it did.
    pub(super) fn enter_scope_of(&mut self, name: Name) -> bool {
        let scope = self.scopes.scope(name);
        let is_elsewhere = scope != self.innermost();
        self.open.extend(is_elsewhere.then_some(scope));
        is_elsewhere
    }

    /// Closes the innermost braces that are open.
    pub(super) fn leave(&mut self) {
        self.open.pop();
    }

    /// Declares a namespace and opens its braces.
    pub(super) fn enter_namespace(&mut self, spelling: Symbol, symbols: &Symbols) {
        let found = self.qualify(spelling, symbols);
        let name = match self.exact(found) {
            Some(Meaning { kind: Kind::Namespace, name, .. }) => name,
            _ => self.declare_outside(spelling, Kind::Namespace, symbols),
        };
        self.enter(name, ScopeKind::Namespace, symbols);
    }

    /// `using namespace a;`, by what `a` means.
    pub(super) fn use_namespace(&mut self, meaning: Meaning, symbols: &Symbols) {
        let scope = self.scope_of(meaning, symbols);
        if !self.using.contains(&scope) {
            self.using.push(scope);
        }
    }

    /// Whether a name is in the namespace `std`, or in one inside of it.
    pub(super) fn is_of_std(&self, name: Name, symbols: &Symbols) -> bool {
        let path = self.scopes.path(name);
        path.len() > 1 && symbols.text(self.scopes.spelling(path[0])) == "std"
    }

    /// A type of the dialect.
    pub(super) fn declare_builtin(&mut self, name: Symbol, of: BuiltinType) {
        let index = self.builtins.len() as u16;
        self.builtins.push(of);
        self.set(Name::plain(name), Kind::Builtin(index), false);
    }

    /// A template of the dialect.
    pub(super) fn declare_builtin_template(&mut self, name: Name) {
        self.set(name, Kind::Template, false);
    }

    /// `true` and `false` where they are names.
    pub(super) fn declare_bool(&mut self, name: Symbol, value: bool) {
        self.set(Name::plain(name), Kind::Bool(value), false);
    }
}
