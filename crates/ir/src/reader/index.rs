//! Indexing a module: its top-level entities, but not the bodies of its functions.

use std::borrow::Cow;

use cranelift_entity::{EntityRef, PrimaryMap};
use rustc_hash::FxHashMap;

use super::cursor::Cursor;
use super::error::{ReadError, Result};
use super::scope::{Scope, undefined};
use super::types::TypeCache;
use super::{Reader, State};
use crate::function::{Function, MetadataNumber};
use crate::module::{
    AttributeGroup, ConvergenceIntrinsic, FunctionData, FunctionId, Module, NamedTypeData, ParameterData, Symbol,
    SymbolData, SymbolKind,
};
use crate::opcode::{Linkage, Opcode};
use crate::text::Span;
use crate::types::{NamedType, Type, TypeData, TypeTable};
use reconverge_operations::llvm;

/// How the end of a function's body is found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BodyEnds {
    /// It is the first line that begins with `}`: true of all that LLVM prints.
    AtLineStart,
    /// It is where brackets balance: true of everything.
    ByBrackets,
}

impl<'t> Module<'t> {
    /// Indexes a text; O(length), at the speed of memory inside bodies.
    ///
    /// # Errors
    /// When a top-level entity is not LLVM IR, a name is defined twice or used and not defined, or the text is 4 GiB
    /// or longer. With [`BodyEnds::AtLineStart`] a text that is laid out in an unusual way can fail here or when a
    /// body is read; [`read_functions`](crate::read_functions) takes care of that.
    pub fn read(text: &'t [u8], ends: BodyEnds) -> Result<Module<'t>, ReadError> {
        if u32::try_from(text.len()).is_err() {
            return Err(ReadError { offset: 0, message: "the text is 4 GiB or longer".to_string() });
        }
        let types = TypeTable::default();
        let mut names = Names::default();
        if ends == BodyEnds::ByBrackets {
            names.declare_intrinsics(text);
        }
        let (cache, out, state) = (&mut TypeCache::default(), &mut Function::default(), &mut State::default());
        let mut reader =
            Reader { cursor: Cursor::new(text, 0), types: &types, cache, scope: &mut names, out, state, depth: 0 };
        while !reader.cursor.at_end() {
            reader.entity(ends)?;
            reader.out.clear();
        }
        names.check(&Cursor::new(text, 0))?;
        let Names {
            named_types,
            type_index,
            symbols,
            symbol_index,
            mut functions,
            groups,
            metadata,
            uses,
            triple,
            data_layout,
            source_file,
            has_thread_locals,
            has_annotations,
            ..
        } = names;
        for function in functions.values_mut() {
            let in_group = |group: &u32| groups.get(group).is_some_and(|group| group.convergent);
            function.convergent |= function.groups.iter().any(in_group);
            let name = symbols[function.symbol].name.of(text);
            function.convergent |= name.starts_with(b"llvm.") && llvm::is_convergent(name);
        }
        let convergence_intrinsics =
            ConvergenceIntrinsic::ALL.map(|intrinsic| symbol_index.get(intrinsic.name().as_bytes()).copied());
        let program_pointer = program_pointer(text, &types, data_layout);
        Ok(Module {
            text,
            convergence_intrinsics,
            top_level_uses: uses,
            types,
            named_types,
            functions,
            symbols,
            attribute_groups: groups,
            metadata,
            triple,
            data_layout,
            program_pointer,
            source_file,
            has_thread_locals,
            has_annotations,
            symbol_index,
            type_index,
        })
    }
}

/// The type of functions' addresses, where their address space is not spelled: the part `P` of the data layout says it.
fn program_pointer(text: &[u8], types: &TypeTable, layout: Option<Span>) -> Type {
    let layout = layout.map_or(&[][..], |span| span.of(text).trim_ascii());
    let digits =
        layout.split(|byte| matches!(byte, b'-' | b'"')).filter_map(|part| part.strip_prefix(b"P")).next_back();
    let number = digits.and_then(|digits| std::str::from_utf8(digits).ok()?.parse().ok());
    match number {
        None | Some(0) => Type::PTR,
        Some(address_space) => types.intern(TypeData::Pointer { address_space }),
    }
}

/// The names that are known so far.
#[derive(Debug, Default)]
struct Names<'t> {
    named_types: PrimaryMap<NamedType, NamedTypeData>,
    type_index: FxHashMap<Cow<'t, [u8]>, NamedType>,
    symbols: PrimaryMap<Symbol, SymbolData>,
    symbol_index: FxHashMap<Cow<'t, [u8]>, Symbol>,
    functions: PrimaryMap<FunctionId, FunctionData>,
    groups: FxHashMap<u32, AttributeGroup>,
    metadata: FxHashMap<MetadataNumber, Span>,
    uses: Vec<(Symbol, Span)>,
    triple: Option<Span>,
    data_layout: Option<Span>,
    source_file: Option<Span>,
    has_thread_locals: bool,
    has_annotations: bool,
    /// The number of the next global without a name.
    next_number: usize,
}

impl<'t> Scope<'t> for &mut Names<'t> {
    const HAS_LOCALS: bool = false;

    fn symbol(&mut self, cursor: &Cursor<'t>, name: Span) -> Result<Symbol> {
        let symbol = self.mention_symbol(cursor.unquoted(name), name);
        self.uses.push((symbol, name));
        Ok(symbol)
    }

    fn named_type(&mut self, types: &TypeTable, cursor: &Cursor<'t>, name: Span) -> Result<Type> {
        let named = self.mention_type(cursor.unquoted(name), name);
        Ok(self.named_types[named].alias.unwrap_or_else(|| types.intern(TypeData::Named(named))))
    }

    fn named_body(&self, name: NamedType) -> Option<Type> {
        self.named_types[name].body
    }

    /// Outside of bodies nothing is called.
    fn program_pointer(&self) -> Type {
        Type::PTR
    }

    /// Groups are defined behind the functions that name them, and looked up at the end.
    fn group_is_convergent(&self, _number: u32) -> bool {
        false
    }
}

impl<'t> Names<'t> {
    fn mention_symbol(&mut self, key: Cow<'t, [u8]>, name: Span) -> Symbol {
        let symbols = &mut self.symbols;
        let new = || symbols.push(SymbolData { name, kind: SymbolKind::Undefined });
        *self.symbol_index.entry(key).or_insert_with(new)
    }

    fn mention_type(&mut self, key: Cow<'t, [u8]>, name: Span) -> NamedType {
        let named_types = &mut self.named_types;
        let new = || named_types.push(NamedTypeData { name, body: None, alias: None, defined: false });
        *self.type_index.entry(key).or_insert_with(new)
    }

    /// Finds the intrinsics that are mentioned anywhere, so that bodies may use them without a declaration.
    fn declare_intrinsics(&mut self, text: &'t [u8]) {
        for at in memchr::memmem::find_iter(text, b"@llvm.") {
            let mut cursor = Cursor::new(text, at + 1);
            let Ok(name) = cursor.name() else { continue };
            let symbol = self.mention_symbol(Cow::Borrowed(cursor.slice(name)), name);
            let convergent = llvm::is_convergent(cursor.slice(name));
            self.symbols[symbol].kind = SymbolKind::UndeclaredIntrinsic { convergent };
        }
    }

    /// Every name that was mentioned must have been defined.
    fn check(&self, cursor: &Cursor<'_>) -> Result<()> {
        let undefined_symbol = self.symbols.values().find(|symbol| symbol.kind == SymbolKind::Undefined);
        if let Some(symbol) = undefined_symbol {
            return Err(undefined(cursor, symbol.name, "value '@"));
        }
        match self.named_types.values().find(|named| !named.defined) {
            Some(named) => Err(undefined(cursor, named.name, "type '%")),
            None => Ok(()),
        }
    }
}

impl<'t> Reader<'_, 't, &mut Names<'t>> {
    fn entity(&mut self, ends: BodyEnds) -> Result<()> {
        match self.cursor.peek() {
            b'@' => {
                let start = self.cursor.position;
                self.cursor.position += 1;
                let name = self.cursor.name()?;
                self.cursor.expect(b'=')?;
                self.global(name, start)
            }
            b'%' => self.type_definition(),
            b'!' => self.metadata_definition(),
            b'$' => self.comdat_definition(),
            b'^' => self.summary_entry(),
            _ => self.entity_word(ends),
        }
    }

    fn entity_word(&mut self, ends: BodyEnds) -> Result<()> {
        let start = self.cursor.position;
        match self.cursor.word() {
            b"define" => self.function(start, Some(ends)),
            b"declare" => self.function(start, None),
            b"attributes" => self.attribute_group(),
            b"target" => {
                let is_triple = self.cursor.take_word(b"triple");
                if !is_triple {
                    self.cursor.expect_word("datalayout")?;
                }
                self.cursor.expect(b'=')?;
                let value = self.cursor.string()?;
                let kept = if is_triple { &mut self.scope.triple } else { &mut self.scope.data_layout };
                *kept = Some(value);
                Ok(())
            }
            b"source_filename" => {
                self.cursor.expect(b'=')?;
                self.scope.source_file = Some(self.cursor.string()?);
                Ok(())
            }
            b"module" => {
                self.cursor.expect_word("asm")?;
                self.cursor.string().map(drop)
            }
            b"deplibs" => {
                self.cursor.expect(b'=')?;
                self.cursor.balanced(b'[').map(drop)
            }
            b"uselistorder" => {
                self.typed_operand()?;
                self.cursor.expect(b',')?;
                self.cursor.balanced(b'{').map(drop)
            }
            b"uselistorder_bb" => {
                self.operand(Type::PTR)?;
                self.cursor.expect(b',')?;
                self.local_name()?;
                self.cursor.expect(b',')?;
                self.cursor.balanced(b'{').map(drop)
            }
            word if is_global_word(word) => {
                self.cursor.position = start;
                self.global(Span::new(start, start), start)
            }
            _ => {
                self.cursor.position = start;
                Err(self.cursor.expected("a top-level entity such as 'define'"))
            }
        }
    }

    fn define_symbol(&mut self, name: Span, kind: SymbolKind, start: usize) -> Result<Symbol> {
        let key = if name.is_empty() {
            Cow::Owned(self.scope.next_number.to_string().into_bytes())
        } else {
            self.cursor.unquoted(name)
        };
        if !key.is_empty() && key.iter().all(u8::is_ascii_digit) {
            self.scope.next_number += 1;
        }
        let symbol = self.scope.mention_symbol(key, name);
        let data = &mut self.scope.symbols[symbol];
        if !matches!(data.kind, SymbolKind::Undefined | SymbolKind::UndeclaredIntrinsic { .. }) {
            let name = crate::text::display(self.cursor.slice(name));
            return Err(self.cursor.error_at(start, format!("'@{name}' is defined twice")));
        }
        *data = SymbolData { name, kind };
        Ok(symbol)
    }

    /// A variable, alias or ifunc, behind its name.
    fn global(&mut self, name: Span, start: usize) -> Result<()> {
        let head = self.global_head()?;
        self.scope.has_thread_locals |= memchr::memmem::find(self.cursor.slice(head.prefix), b"thread_local").is_some();
        self.define_symbol(name, head.kind, start)?;
        self.global_tail(head).map(drop)
    }

    fn type_definition(&mut self) -> Result<()> {
        let start = self.cursor.position;
        self.cursor.position += 1;
        let name = self.cursor.name()?;
        self.cursor.expect(b'=')?;
        self.cursor.expect_word("type")?;
        let named = self.scope.mention_type(self.cursor.unquoted(name), name);
        if self.scope.named_types[named].defined {
            return Err(self.cursor.error_at(start, "this type is defined twice".to_string()));
        }
        self.scope.named_types[named].defined = true;
        if self.cursor.take_word(b"opaque") {
            return Ok(());
        }
        let ty = self.ty()?;
        let data = &mut self.scope.named_types[named];
        match self.types[ty] {
            TypeData::Struct { .. } => data.body = Some(ty),
            _ => data.alias = Some(ty),
        }
        Ok(())
    }

    fn metadata_definition(&mut self) -> Result<()> {
        let start = self.cursor.position;
        self.cursor.position += 1;
        if self.cursor.byte().is_ascii_digit() {
            self.cursor.small_number()?;
        } else {
            let name = self.metadata_name()?;
            self.scope.has_annotations |= self.cursor.slice(name) == b"nvvm.annotations";
        }
        let number = MetadataNumber::named(self.cursor.slice(Span::new(start, self.cursor.position)));
        self.cursor.expect(b'=')?;
        self.cursor.take_word(b"distinct");
        if self.cursor.peek() != b'!' {
            return Err(self.cursor.expected("a metadata node"));
        }
        let node = self.metadata_node()?;
        self.scope.metadata.extend(number.map(|number| (number, node)));
        Ok(())
    }

    fn comdat_definition(&mut self) -> Result<()> {
        // The sigil is a letter of words, so quoted names need a step of their own.
        if self.cursor.byte_at(1) == b'"' {
            self.cursor.position += 1;
            self.cursor.string()?;
        } else {
            self.cursor.word();
        }
        self.cursor.expect(b'=')?;
        self.cursor.expect_word("comdat")?;
        let kind = self.cursor.word();
        if matches!(kind, b"any" | b"exactmatch" | b"largest" | b"nodeduplicate" | b"noduplicates" | b"samesize") {
            Ok(())
        } else {
            Err(self
                .cursor
                .error_at(self.cursor.position - kind.len(), "expected a kind of comdat such as 'any'".to_string()))
        }
    }

    /// `^0 = gv: (…)`: summaries are skipped.
    fn summary_entry(&mut self) -> Result<()> {
        self.cursor.position += 1;
        self.cursor.number()?;
        self.cursor.expect(b'=')?;
        if self.cursor.word().is_empty() {
            return Err(self.cursor.expected("the kind of a summary entry"));
        }
        self.cursor.expect(b':')?;
        match self.cursor.peek() {
            b'(' => self.cursor.balanced(b'(').map(drop),
            _ => self.cursor.number().map(drop),
        }
    }

    fn attribute_group(&mut self) -> Result<()> {
        self.cursor.expect(b'#')?;
        let number = self.cursor.small_number()?;
        self.cursor.expect(b'=')?;
        self.cursor.expect(b'{')?;
        let attributes = self.attributes(|_| false)?;
        self.cursor.expect(b'}')?;
        let group = AttributeGroup { span: attributes.span, convergent: attributes.convergent };
        self.scope.groups.insert(number, group);
        Ok(())
    }

    /// A function, behind `define` or `declare`.
    fn function(&mut self, start: usize, definition: Option<BodyEnds>) -> Result<()> {
        if self.cursor.peek() == b'!' {
            self.attachments(false)?;
        }
        let before = self.before_type()?;
        // The linkage is the first word, if there is one.
        let words = self.cursor.slice(before.span).split(|byte| byte.is_ascii_whitespace());
        let linkage = Linkage::among(words.filter(|word| !word.is_empty()).take(1));
        let result = self.ty()?;
        if self.cursor.peek() != b'@' {
            return Err(self.cursor.expected("the name of a function"));
        }
        self.cursor.position += 1;
        let name = self.cursor.name()?;
        let id = FunctionId::new(self.scope.functions.len());
        let symbol = self.define_symbol(name, SymbolKind::Function(id), start)?;
        let (parameters, variadic) = self.parameters()?;
        self.state.groups.clear();
        let behind = self.cursor.position;
        let convergent = self.function_suffix(definition.is_some())?;
        let end = self.cursor.token_end();
        let groups = self.state.groups.clone();
        let body = match definition {
            Some(ends) => Some(self.skip_body(ends)?),
            None => None,
        };
        self.scope.functions.push(FunctionData {
            symbol,
            header: Span::new(start, end),
            prefix: before.span,
            linkage,
            result,
            parameters,
            variadic,
            suffix: Span::new(behind, end),
            groups,
            convergent,
            body,
        });
        Ok(())
    }

    fn parameters(&mut self) -> Result<(Vec<ParameterData>, bool)> {
        self.cursor.expect(b'(')?;
        let mut parameters = Vec::new();
        let mut variadic = false;
        while self.cursor.peek() != b')' {
            if self.cursor.take_word(b"...") {
                variadic = true;
                break;
            }
            let ty = self.ty()?;
            let attributes = self.parameter_attributes()?;
            let name = if self.cursor.peek() == b'%' { Some(self.local_name()?) } else { None };
            parameters.push(ParameterData { ty, attributes, name });
            if !self.cursor.take(b',') {
                break;
            }
            if self.cursor.peek() == b')' {
                return Err(self.cursor.expected("another parameter"));
            }
        }
        self.cursor.expect(b')')?;
        Ok((parameters, variadic))
    }

    /// What stands behind the parameters; whether `convergent` is there.
    fn function_suffix(&mut self, is_definition: bool) -> Result<bool> {
        let mut convergent = false;
        loop {
            let attributes = self.attributes(|word| {
                matches!(word, b"prefix" | b"prologue" | b"personality")
                    || is_entity_word(word)
                    || Opcode::from_keyword(word).is_some()
            })?;
            convergent |= attributes.convergent;
            match self.cursor.peek() {
                b'p' => {
                    self.cursor.word();
                    self.typed_operand()?;
                }
                b'!' if is_definition => drop(self.attachments(false)?),
                _ => return Ok(convergent),
            }
        }
    }

    /// Moves over a body; gives the place from behind the opening brace to the closing one, inclusive.
    fn skip_body(&mut self, ends: BodyEnds) -> Result<Span> {
        if self.cursor.peek() != b'{' {
            return Err(self.cursor.expected("'{'"));
        }
        let start = self.cursor.position + 1;
        match ends {
            BodyEnds::ByBrackets => drop(self.cursor.balanced(b'{')?),
            BodyEnds::AtLineStart => match memchr::memmem::find(&self.cursor.text[start..], b"\n}") {
                Some(length) => self.cursor.position = start + length + 2,
                None => {
                    let message = "this body has no closing brace".to_string();
                    return Err(self.cursor.error_at(start - 1, message));
                }
            },
        }
        Ok(Span::new(start, self.cursor.position))
    }
}

/// Words that begin a top-level entity, and so end the attributes of the one before.
pub(super) fn is_entity_word(word: &[u8]) -> bool {
    matches!(
        word,
        b"define"
            | b"declare"
            | b"attributes"
            | b"target"
            | b"source_filename"
            | b"module"
            | b"uselistorder"
            | b"uselistorder_bb"
    ) || is_global_word(word)
}

/// Words that begin a global variable without a name.
pub(super) fn is_global_word(word: &[u8]) -> bool {
    matches!(
        word,
        b"global"
            | b"constant"
            | b"private"
            | b"internal"
            | b"external"
            | b"weak"
            | b"weak_odr"
            | b"linkonce"
            | b"linkonce_odr"
            | b"common"
            | b"appending"
            | b"extern_weak"
            | b"available_externally"
    )
}
