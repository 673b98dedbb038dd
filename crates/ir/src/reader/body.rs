//! Reading the body of a function: blocks, labels, and the names of results.

use cranelift_entity::EntityRef;
use cranelift_entity::packed_option::PackedOption;

use super::cursor::Cursor;
use super::error::Result;
use super::locals::Local;
use super::scope::Scope;
use super::types::TypeCache;
use super::{MentionedBlock, ReadError, Reader, State};
use crate::function::{Block, BlockData, Definition, Extra, Function, Inst, InstData, List, LocalName, ValueData};
use crate::module::{FunctionId, Module};
use crate::opcode::Flags;
use crate::text::Span;
use crate::types::Type;

/// Reads bodies of one module, one after another, and keeps its memory in between.
#[derive(Debug)]
pub struct FunctionReader<'m, 't> {
    module: &'m Module<'t>,
    cache: TypeCache,
    state: State,
}

impl<'m, 't> FunctionReader<'m, 't> {
    /// A reader of the bodies of `module`.
    pub fn new(module: &'m Module<'t>) -> FunctionReader<'m, 't> {
        FunctionReader { module, cache: TypeCache::default(), state: State::default() }
    }

    /// Reads the body of a function into `out`, whose contents are replaced. A declaration gives a function
    /// without blocks. O(length of the text).
    ///
    /// # Errors
    /// When the text is not LLVM IR; `out` is then of no use.
    pub fn read_into(&mut self, id: FunctionId, out: &mut Function) -> Result<(), ReadError> {
        out.clear();
        let function = &self.module.functions[id];
        let Some(body) = function.body else { return Ok(()) };
        // Every definition takes a byte at least.
        self.state.clear(function.parameters.len() + body.range().len());
        let cursor = Cursor::new(&self.module.text[..body.end as usize], body.start as usize);
        let FunctionReader { module, cache, state } = self;
        let mut reader = Reader { cursor, types: &module.types, cache, scope: *module, out, state, depth: 0 };
        for (index, parameter) in function.parameters.iter().enumerate() {
            reader.parameter(index, parameter.ty, parameter.name)?;
        }
        reader.body()?;
        if reader.cursor.position != body.end as usize {
            return Err(reader.cursor.unexpected());
        }
        Ok(())
    }

    /// Reads the body of a function.
    ///
    /// # Errors
    /// When the text is not LLVM IR.
    pub fn read(&mut self, id: FunctionId) -> Result<Function, ReadError> {
        let mut out = Function::default();
        self.read_into(id, &mut out)?;
        Ok(out)
    }
}

impl State {
    fn clear(&mut self, definitions: usize) {
        self.locals.clear(definitions);
        self.mentioned_blocks.clear();
        self.values.clear();
        self.blocks.clear();
        self.spans.clear();
        self.groups.clear();
        self.pending = 0;
    }
}

impl<'t, S: Scope<'t>> Reader<'_, 't, S> {
    fn parameter(&mut self, index: usize, ty: Type, name: Option<LocalName>) -> Result<()> {
        let name = match name {
            Some(name) => name,
            None => LocalName::Number(self.state.locals.next_number),
        };
        self.advance_number(name, self.cursor.position)?;
        let definition = Definition::Parameter(index as u32);
        let value = self.out.values.push(ValueData { ty, definition });
        self.out.parameters.push(value);
        self.out.parameter_names.push(name);
        let local = self.state.locals.entry(&self.cursor, name);
        if *local != Local::Unknown {
            return Err(self.redefinition(name, self.cursor.position));
        }
        *local = Local::Value(value);
        Ok(())
    }

    /// A number may be skipped, but not used twice or out of order.
    #[inline]
    fn advance_number(&mut self, name: LocalName, at: usize) -> Result<()> {
        if let LocalName::Number(number) = name {
            let next = self.state.locals.next_number;
            if number < next {
                return Err(self.cursor.error_at(at, format!("expected a number of {next} or more, found '{number}'")));
            }
            self.state.locals.next_number = number.saturating_add(1);
        }
        Ok(())
    }

    #[cold]
    fn redefinition(&self, name: LocalName, at: usize) -> ReadError {
        self.cursor.error_at(at, format!("'%{}' is defined twice", self.spelled(name)))
    }

    /// Blocks, up to and with the closing brace.
    fn body(&mut self) -> Result<()> {
        loop {
            match self.cursor.peek() {
                b'}' if !self.out.blocks.is_empty() => break,
                b'u' if self.cursor.peek_word() == b"uselistorder" && !self.out.blocks.is_empty() => {
                    self.use_list_orders()?;
                    break;
                }
                _ => self.basic_block()?,
            }
        }
        self.cursor.expect(b'}')?;
        self.resolve_blocks()?;
        if self.state.pending > 0 {
            return Err(self.undefined_value());
        }
        Ok(())
    }

    fn basic_block(&mut self) -> Result<()> {
        let start = self.cursor.position;
        let name = self.block_label()?.unwrap_or(LocalName::Number(self.state.locals.next_number));
        self.advance_number(name, start)?;
        let mention = match self.state.locals.entry(&self.cursor, name) {
            Local::Value(_) => return Err(self.redefinition(name, start)),
            _ => self.mention_block(name, start)?,
        };
        let first = Inst::new(self.out.instructions.len());
        let block = self.out.blocks.push(BlockData { name, first, end: first });
        if self.state.mentioned_blocks[mention.index()].block.replace(block).is_some() {
            return Err(self.redefinition(name, start));
        }
        loop {
            if self.cursor.peek() == b'#' {
                let record = self.debug_record()?;
                self.out.debug_records.push((Inst::new(self.out.instructions.len()), record));
                continue;
            }
            if self.instruction(block)? {
                break;
            }
        }
        self.out.blocks[block].end = Inst::new(self.out.instructions.len());
        Ok(())
    }

    /// `name:`, if it is next.
    fn block_label(&mut self) -> Result<Option<LocalName>> {
        let start = self.cursor.position;
        let name = match self.cursor.peek() {
            b'"' => self.cursor.string()?,
            _ => {
                let length = self.cursor.word().len();
                Span::new(self.cursor.position - length, self.cursor.position)
            }
        };
        if !name.is_empty() && self.cursor.byte() == b':' {
            self.cursor.position += 1;
            return Ok(Some(self.classify(name)));
        }
        self.cursor.position = start;
        Ok(None)
    }

    /// Reads an instruction; whether it ends the block.
    #[inline]
    fn instruction(&mut self, block: Block) -> Result<bool> {
        let byte = self.cursor.peek();
        let start = self.cursor.position;
        let name = if byte == b'%' {
            let name = self.local_name()?;
            self.cursor.expect(b'=')?;
            Some(name)
        } else {
            None
        };
        let mut inst = InstData {
            opcode: crate::opcode::Opcode::Unreachable,
            flags: Flags::default(),
            ty: Type::VOID,
            result: PackedOption::default(),
            block,
            extra: Extra::None,
            operands: List::default(),
            targets: List::default(),
            span: Span::default(),
            name: LocalName::Number(0),
            attachments: Span::default(),
            debug_location: PackedOption::default(),
        };
        // The caret of an unknown instruction belongs under its name, not behind it.
        let end = self.operation_of(&mut inst)?;
        inst.span = Span::new(start, end);
        let id = Inst::new(self.out.instructions.len());
        if inst.ty != Type::VOID {
            self.define_result(&mut inst, id, name, start)?;
        } else if name.is_some() {
            return Err(self.cursor.error_at(start, "an instruction without a result has no name".to_string()));
        }
        let ends = inst.opcode.is_terminator();
        self.out.instructions.push(inst);
        Ok(ends)
    }

    #[inline]
    fn define_result(&mut self, inst: &mut InstData, id: Inst, name: Option<LocalName>, start: usize) -> Result<()> {
        let name = name.unwrap_or(LocalName::Number(self.state.locals.next_number));
        self.advance_number(name, start)?;
        let definition = Definition::Instruction(id);
        let local = self.state.locals.entry(&self.cursor, name);
        let value = match *local {
            Local::Unknown => {
                let value = self.out.values.push(ValueData { ty: inst.ty, definition });
                *local = Local::Value(value);
                value
            }
            Local::Value(value) => {
                let known = &mut self.out.values[value];
                let Definition::Pending(place) = known.definition else { return Err(self.redefinition(name, start)) };
                if known.ty != inst.ty && known.ty != Type::VOID {
                    let used = known.ty;
                    return Err(self.type_mismatch(name, inst.ty, used, place.start as usize));
                }
                *known = ValueData { ty: inst.ty, definition };
                self.state.pending -= 1;
                value
            }
            Local::Block(_) => return Err(self.redefinition(name, start)),
        };
        inst.result = value.into();
        inst.name = name;
        Ok(())
    }

    /// `uselistorder` directives, kept as text.
    fn use_list_orders(&mut self) -> Result<()> {
        let start = self.cursor.position;
        let mut end = start;
        while self.cursor.take_word(b"uselistorder") {
            let ty = self.ty()?;
            if ty == Type::LABEL {
                self.block()?;
            } else {
                self.operand(ty)?;
            }
            self.cursor.expect(b',')?;
            self.cursor.balanced(b'{')?;
            end = self.cursor.position;
        }
        self.out.use_list_orders = Span::new(start, end);
        Ok(())
    }

    /// Replaces mentions of blocks by the blocks.
    fn resolve_blocks(&mut self) -> Result<()> {
        let mentioned = &self.state.mentioned_blocks;
        if let Some(unknown) = mentioned.iter().find(|mentioned| mentioned.block.is_none()) {
            let MentionedBlock { name, offset, .. } = *unknown;
            let message = format!("use of undefined block '%{}'", self.spelled(name));
            return Err(self.cursor.error_at(offset as usize, message));
        }
        for block in &mut self.out.block_pool {
            *block = mentioned[block.index()].block.expect("every mention was checked to be resolved");
        }
        Ok(())
    }

    #[cold]
    fn undefined_value(&self) -> ReadError {
        let pending = self.out.values.values().find_map(|value| match value.definition {
            Definition::Pending(place) => Some(place),
            _ => None,
        });
        let place = pending.expect("the count of pending values is that of values marked so");
        let name = crate::text::display(self.cursor.slice(place));
        self.cursor.error_at(place.start as usize, format!("use of undefined value '{name}'"))
    }
}
