//! Names, and the scopes that they are members of.
//!
//! **Definition.** A *scope* is a node: the translation unit, a namespace, a class, an enumeration whose names stand after its own, or something of which
//! only the name before a `::` is known. Each but the unit is what belongs to one *name*, and has a *parent*: the scope in which that name
//! is declared, or, for a class inside of a function, the scope that the function is in. A *name* is a spelling in a scope; `member(s, x)`
//! is the name `x` in the scope `s`, and has at most one meaning in each step of the translation. A namespace that is opened again is the
//! same node. An unnamed or inline namespace has no node: its names are those of the scope around it.
//!
//! Blocks, parameter lists and the parameters of templates are no nodes. Nothing names a block that is closed, so they are a stack, and a
//! name in them is its spelling alone, like a name of the unit.
//!
//! **Lookup.** Let `s₀` be the scope at a place, `s₁` its parent, …, `sₙ` the unit. What `x` means there is the first of
//!
//! 1. what it means in the innermost block around the place that declares it;
//! 2. what `member(sᵢ, x)` means, for the least `i` for which it means something;
//! 3. what `member(u, x)` means, where `u` is the namespace of a using-directive, the last one first.
//!
//! `::x` is `member(sₙ, x)`, and `a::…::y::x` is `member(s, x)`, `s` being the scope that belongs to what `a::…::y` means. A using-declaration and an
//! alias of a namespace give a name the meaning, and with it the scope, of another one.
//!
//! A lookup takes a search in a table for each scope around the place, and makes no text. The text of a name is as long as the scopes around it are deep.

use std::borrow::Cow;

use cranelift_entity::{PrimaryMap, entity_impl};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::token::{Symbol, Symbols};

/// A scope of the file that is a node.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Scope(u32);
entity_impl!(Scope, "scope");

/// A name that is a member of a scope other than the translation unit.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Member(u32);
entity_impl!(Member, "member");

/// A spelling in a scope. Four bytes: there is one in every other expression.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Name(u32);

/// Set in the names that are members.
const MEMBER: u32 = 1 << 31;

/// What a name is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NameKind {
    /// A name of the translation unit or of a block.
    Plain(Symbol),
    /// A name of another scope.
    Member(Member),
}

impl Name {
    /// A name of the translation unit or of a block.
    pub fn plain(spelling: Symbol) -> Name {
        assert!(spelling.0 & MEMBER == 0, "a file has fewer spellings than bytes");
        Name(spelling.0)
    }

    /// What it is made of.
    pub fn kind(self) -> NameKind {
        match self.0 & MEMBER {
            0 => NameKind::Plain(Symbol(self.0)),
            _ => NameKind::Member(Member(self.0 & !MEMBER)),
        }
    }
}

impl From<Symbol> for Name {
    fn from(spelling: Symbol) -> Name {
        Name::plain(spelling)
    }
}

/// What kind of scope it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ScopeKind {
    /// The file with all that it includes.
    TranslationUnit,
    /// A namespace, with all of its parts.
    Namespace,
    /// A struct, union or class.
    Class,
    /// An enumeration.
    Enumeration,
    /// What was named before `::` without being declared as one of these.
    Undeclared,
}

/// A scope.
#[derive(Debug, Clone, Copy)]
struct ScopeData {
    kind: ScopeKind,
    /// The scope around; none for the unit.
    parent: Option<Scope>,
    /// The name that it belongs to; none for the unit.
    name: Option<Name>,
    /// How many names there are before the `::` of its members.
    depth: usize,
    /// How many bytes there are before the spelling of its members.
    length: usize,
}

/// The scopes of a file, and the names in them.
#[derive(Debug)]
pub struct Scopes {
    scopes: PrimaryMap<Scope, ScopeData>,
    members: PrimaryMap<Member, (Scope, Symbol)>,
    numbers: FxHashMap<(Scope, Symbol), Member>,
}

impl Default for Scopes {
    fn default() -> Scopes {
        let unit = ScopeData { kind: ScopeKind::TranslationUnit, parent: None, name: None, depth: 0, length: 0 };
        let scopes = PrimaryMap::from_iter([unit]);
        Scopes { scopes, members: PrimaryMap::new(), numbers: FxHashMap::default() }
    }
}

impl Scopes {
    /// A new scope that belongs to a name.
    pub fn add(&mut self, kind: ScopeKind, name: Name, parent: Scope, symbols: &Symbols) -> Scope {
        let around = self.scopes[self.scope(name)];
        let length = around.length + symbols.text(self.spelling(name)).len() + "::".len();
        self.scopes.push(ScopeData { kind, parent: Some(parent), name: Some(name), depth: around.depth + 1, length })
    }

    /// The name that a scope belongs to; none for the unit.
    pub fn owner(&self, scope: Scope) -> Option<Name> {
        self.scopes[scope].name
    }

    /// What kind of scope it is.
    pub fn kind(&self, scope: Scope) -> ScopeKind {
        self.scopes[scope].kind
    }

    /// Says what a scope is that was only named so far.
    pub fn declare(&mut self, scope: Scope, kind: ScopeKind) {
        self.scopes[scope].kind = kind;
    }

    /// How many names there are before the last `::` of a member.
    pub fn depth(&self, scope: Scope) -> usize {
        self.scopes[scope].depth
    }

    /// The name of a spelling in a scope.
    pub fn member(&mut self, scope: Scope, spelling: Symbol) -> Name {
        if scope == Scope::UNIT {
            return Name::plain(spelling);
        }
        let next = &mut self.members;
        let member = *self.numbers.entry((scope, spelling)).or_insert_with(|| next.push((scope, spelling)));
        Name(member.0 | MEMBER)
    }

    /// The name of a spelling in a scope, if somebody wrote it.
    pub fn find(&self, scope: Scope, spelling: Symbol) -> Option<Name> {
        match scope {
            Scope::UNIT => Some(Name::plain(spelling)),
            _ => self.numbers.get(&(scope, spelling)).map(|member| Name(member.0 | MEMBER)),
        }
    }

    /// What a spelling means in the innermost scope that has it, from `scope` outwards: the second step of a lookup.
    pub fn innermost<T>(
        &self,
        scope: Scope,
        spelling: Symbol,
        mut meaning: impl FnMut(Name) -> Option<T>,
    ) -> Option<T> {
        self.around(scope).find_map(|scope| meaning(self.find(scope, spelling)?))
    }

    /// A scope and those around it, the unit last.
    pub(crate) fn around(&self, scope: Scope) -> impl Iterator<Item = Scope> {
        std::iter::successors(Some(scope), |&scope| self.scopes[scope].parent)
    }

    /// The scope that a name is a member of; the unit, too, for names of blocks.
    pub fn scope(&self, name: Name) -> Scope {
        match name.kind() {
            NameKind::Plain(_) => Scope::UNIT,
            NameKind::Member(member) => self.members[member].0,
        }
    }

    /// How a name is spelled, without the scopes around it.
    pub fn spelling(&self, name: Name) -> Symbol {
        match name.kind() {
            NameKind::Plain(spelling) => spelling,
            NameKind::Member(member) => self.members[member].1,
        }
    }

    /// A name after those of the scopes around it, the outermost first.
    pub fn path(&self, name: Name) -> SmallVec<[Name; 4]> {
        let mut path: SmallVec<[Name; 4]> =
            std::iter::successors(Some(name), |&name| self.scopes[self.scope(name)].name).collect();
        path.reverse();
        path
    }

    /// How many bytes [`Scopes::text`] has.
    pub fn text_length(&self, name: Name, symbols: &Symbols) -> usize {
        self.scopes[self.scope(name)].length + symbols.text(self.spelling(name)).len()
    }

    /// A name with the scopes around it, as in `a::b::x`.
    pub fn text<'s>(&self, name: Name, symbols: &'s Symbols) -> Cow<'s, str> {
        if let NameKind::Plain(spelling) = name.kind() {
            return Cow::Borrowed(symbols.text(spelling));
        }
        let mut text = String::with_capacity(self.text_length(name, symbols));
        for part in self.path(name) {
            if !text.is_empty() {
                text.push_str("::");
            }
            text.push_str(symbols.text(self.spelling(part)));
        }
        Cow::Owned(text)
    }
}

impl Scope {
    /// The translation unit.
    pub const UNIT: Scope = Scope(0);
}

impl Default for Scope {
    fn default() -> Scope {
        Scope::UNIT
    }
}
