//! What the names with a global meaning stand for: `@symbols`, `%types`, `#attribute-groups`.
//!
//! While a module is indexed, a name may be mentioned before it is defined, and mentioning it makes
//! the entry; while a body is read everything is known, and an unknown name is an error.

use super::cursor::Cursor;
use super::error::Result;
use crate::module::{Module, Symbol};
use crate::text::{Span, display};
use crate::types::{NamedType, Type, TypeData, TypeTable};

pub(crate) trait Scope<'t> {
    /// Whether there are local names: only in bodies.
    const HAS_LOCALS: bool;

    /// What `@name` stands for. The span is that of the name, without the sigil.
    fn symbol(&mut self, cursor: &Cursor<'t>, name: Span) -> Result<Symbol>;

    /// What `%name` stands for, as a type.
    fn named_type(&mut self, types: &TypeTable, cursor: &Cursor<'t>, name: Span) -> Result<Type>;

    /// What a named struct consists of; nothing while that is not known.
    fn named_body(&self, name: NamedType) -> Option<Type>;

    /// The type of functions' addresses, where their address space is not spelled: a pointer into that of programs.
    fn program_pointer(&self) -> Type;

    /// Whether the attributes in group `#number` include `convergent`.
    fn group_is_convergent(&self, number: u32) -> bool;
}

impl<'t> Scope<'t> for &Module<'t> {
    const HAS_LOCALS: bool = true;

    #[inline]
    fn symbol(&mut self, cursor: &Cursor<'t>, name: Span) -> Result<Symbol> {
        let found = match cursor.byte_of(name) {
            b'"' => self.symbol_named(&cursor.unquoted(name)),
            _ => self.symbol_named(cursor.slice(name)),
        };
        found.ok_or_else(|| undefined(cursor, name, "value '@"))
    }

    fn named_type(&mut self, types: &TypeTable, cursor: &Cursor<'t>, name: Span) -> Result<Type> {
        let named = self.type_index.get(&*cursor.unquoted(name)).copied();
        let named = named.ok_or_else(|| undefined(cursor, name, "type '%"))?;
        Ok(self.named_types[named].alias.unwrap_or_else(|| types.intern(TypeData::Named(named))))
    }

    fn named_body(&self, name: NamedType) -> Option<Type> {
        self.named_types[name].body
    }

    #[inline]
    fn program_pointer(&self) -> Type {
        self.program_pointer
    }

    fn group_is_convergent(&self, number: u32) -> bool {
        self.attribute_groups.get(&number).is_some_and(|group| group.convergent)
    }
}

#[cold]
pub(crate) fn undefined(cursor: &Cursor<'_>, name: Span, what: &str) -> super::ReadError {
    let text = display(cursor.slice(name));
    cursor.error_at((name.start as usize).saturating_sub(1), format!("use of undefined {what}{text}'"))
}
