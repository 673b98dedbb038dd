//! Reading variables, aliases and ifuncs: while a module is indexed, to find the end of each, and when one is asked for.

use super::cursor::Cursor;
use super::error::Result;
use super::index::{is_entity_word, is_global_word};
use super::scope::Scope;
use super::types::{TypeCache, is_type_word};
use super::{ReadError, Reader, State};
use crate::attributes::Attribute;
use crate::function::{Function, Value};
use crate::module::{Module, Symbol, SymbolKind};
use crate::opcode::Linkage;
use crate::text::Span;
use crate::types::{Type, TypeData};
use crate::variable::{Alias, Variable};

/// What stands before the type of a global.
#[derive(Debug, Clone, Copy)]
pub(super) struct Head {
    /// The words before the kind: linkage, address space and so on.
    pub(super) prefix: Span,
    /// A variable, alias or ifunc.
    pub(super) kind: SymbolKind,
    constant: bool,
}

/// The rest of a global.
#[derive(Debug, Clone, Copy)]
pub(super) struct Tail {
    ty: Type,
    /// The initializer, aliasee or resolver.
    value: Option<Value>,
    /// The properties behind it, such as `align 4`.
    properties: Span,
}

impl<'t, S: Scope<'t>> Reader<'_, 't, S> {
    /// Reads a global from behind its `=` to its kind.
    pub(super) fn global_head(&mut self) -> Result<Head> {
        let prefix = self.attributes(|word| matches!(word, b"global" | b"constant" | b"alias" | b"ifunc"))?.span;
        let word = self.cursor.word();
        let kind = match word {
            b"global" | b"constant" => SymbolKind::Variable,
            b"alias" => SymbolKind::Alias,
            b"ifunc" => SymbolKind::IFunc,
            _ => return Err(self.cursor.expected("'global', 'constant', 'alias' or 'ifunc'")),
        };
        Ok(Head { prefix, kind, constant: word == b"constant" })
    }

    /// Reads a global from its type to its end.
    pub(super) fn global_tail(&mut self, head: Head) -> Result<Tail> {
        let ty = self.ty()?;
        let value = if head.kind == SymbolKind::Variable {
            let is_external = linkage(self.cursor.slice(head.prefix)).is_declaration();
            if is_external { None } else { Some(self.operand(ty)?) }
        } else {
            if ty == Type::VOID {
                return Err(self.cursor.expected("the type of a value before this"));
            }
            self.cursor.expect(b',')?;
            let typed =
                matches!(self.cursor.peek(), b'<' | b'[' | b'{' | b'%') || is_type_word(self.cursor.peek_word());
            Some(if typed { self.typed_operand()?.1 } else { self.operand(Type::PTR)? })
        };
        let start = self.cursor.position;
        while self.cursor.take(b',') {
            if self.cursor.peek() == b'!' {
                self.attachment()?;
                continue;
            }
            if !self.cursor.peek().is_ascii_lowercase() {
                return Err(self.cursor.expected("a property such as 'align'"));
            }
            self.attributes(is_entity_word)?;
        }
        self.attributes(is_entity_word)?;
        Ok(Tail { ty, value, properties: Span::new(start, self.cursor.position) })
    }
}

/// The linkage that a prefix says.
fn linkage(prefix: &[u8]) -> Linkage {
    let words = prefix.split(|byte| byte.is_ascii_whitespace()).filter(|word| is_global_word(word));
    Linkage::among(words)
}

impl<'t> Module<'t> {
    /// Reads a variable; O(its text). Nothing if the symbol names something else.
    ///
    /// # Errors
    /// When the text is not LLVM IR, which [`Module::read`] has ruled out.
    pub fn variable(&self, symbol: Symbol) -> Result<Option<Variable>, ReadError> {
        if self.symbols[symbol].kind != SymbolKind::Variable {
            return Ok(None);
        }
        let mut tables = Function::default();
        let (head, tail) = self.read_global(symbol, &mut tables)?;
        let mut pointer = Type::PTR;
        let (mut thread_local, mut externally_initialized) = (false, false);
        for attribute in self.attributes(head.prefix) {
            match attribute {
                Attribute::Word { name: b"addrspace", argument } => pointer = self.pointer_into(argument)?,
                Attribute::Word { name: b"thread_local", .. } => thread_local = true,
                Attribute::Word { name: b"externally_initialized", .. } => externally_initialized = true,
                _ => {}
            }
        }
        let (mut alignment, mut section) = (None, None);
        for attribute in self.attributes(tail.properties) {
            match attribute {
                Attribute::Word { name: b"align", argument } => {
                    alignment = std::str::from_utf8(argument.of(self.text)).ok().and_then(|digits| digits.parse().ok());
                }
                Attribute::Word { name: b"section", argument } => section = Some(argument),
                _ => {}
            }
        }
        Ok(Some(Variable {
            symbol,
            ty: tail.ty,
            pointer,
            constant: head.constant,
            linkage: linkage(head.prefix.of(self.text)),
            thread_local,
            externally_initialized,
            initializer: tail.value,
            alignment,
            section,
            tables,
        }))
    }

    /// Reads an alias; O(its text). Nothing if the symbol names something else.
    ///
    /// # Errors
    /// When the text is not LLVM IR, which [`Module::read`] has ruled out.
    pub fn alias(&self, symbol: Symbol) -> Result<Option<Alias>, ReadError> {
        if self.symbols[symbol].kind != SymbolKind::Alias {
            return Ok(None);
        }
        let mut tables = Function::default();
        let (_, tail) = self.read_global(symbol, &mut tables)?;
        Ok(tail.value.map(|aliasee| Alias { symbol, aliasee, tables }))
    }

    /// Reads the type that an attribute such as `byval(T)` holds.
    ///
    /// # Errors
    /// When the argument is not a type.
    pub fn type_at(&self, argument: Span) -> Result<Type, ReadError> {
        let (cache, out, state) = (&mut TypeCache::default(), &mut Function::default(), &mut State::default());
        let cursor = Cursor::new(&self.text[..argument.end as usize], argument.start as usize);
        let mut reader = Reader { cursor, types: &self.types, cache, scope: self, out, state, depth: 0 };
        let ty = reader.ty()?;
        if reader.cursor.at_end() { Ok(ty) } else { Err(reader.cursor.unexpected()) }
    }

    /// The type of pointers into an address space, which is given by number or by name.
    fn pointer_into(&self, space: Span) -> Result<Type, ReadError> {
        let mut cursor = Cursor::new(&self.text[..space.end as usize], space.start as usize);
        Ok(match cursor.peek() {
            b'"' => self.types.intern(TypeData::PointerIn(space.of(self.text).trim_ascii().into())),
            _ => match cursor.small_number()? {
                0 => Type::PTR,
                address_space => self.types.intern(TypeData::Pointer { address_space }),
            },
        })
    }

    /// Reads a global again, now that all names are known. Its name ends where the `=` begins; one without a
    /// name has an empty one where it begins.
    fn read_global(&self, symbol: Symbol, out: &mut Function) -> Result<(Head, Tail), ReadError> {
        let name = self.symbols[symbol].name;
        let (cache, state) = (&mut TypeCache::default(), &mut State::default());
        let cursor = Cursor::new(self.text, name.end as usize);
        let mut reader = Reader { cursor, types: &self.types, cache, scope: self, out, state, depth: 0 };
        if !name.is_empty() {
            reader.cursor.expect(b'=')?;
        }
        let head = reader.global_head()?;
        Ok((head, reader.global_tail(head)?))
    }
}
