//! Reading instructions, opcode by opcode.

use super::Reader;
use super::error::Result;
use super::scope::Scope;
use crate::function::{Extra, InstData, List, Value};
use crate::opcode::{Flags, Opcode};
use crate::types::{Type, TypeData};

/// The flags that are not written twice, but behind `getelementptr`.
const ONCE: Flags =
    Flags::NUW.union(Flags::NSW).union(Flags::EXACT).union(Flags::DISJOINT).union(Flags::NNEG).union(Flags::SAMESIGN);

impl<'t, S: Scope<'t>> Reader<'_, 't, S> {
    /// Reads everything of an instruction but its result. Gives the end of its text.
    pub(crate) fn operation_of(&mut self, inst: &mut InstData) -> Result<usize> {
        let word = self.cursor.peek_word();
        let opcode = match Opcode::from_keyword(word) {
            Some(opcode) => opcode,
            None => {
                let Some(tail) = tail_marker(word) else { return Err(self.cursor.expected("an instruction")) };
                self.cursor.position += word.len();
                inst.flags.insert(tail);
                if self.cursor.peek_word() != b"call" {
                    return Err(self.cursor.expected("'call'"));
                }
                Opcode::Call
            }
        };
        self.cursor.position += opcode.keyword().len();
        inst.opcode = opcode;
        self.operands_of(inst)?;
        self.cursor.peek();
        let end = self.cursor.token_end();
        if self.cursor.take(b',') {
            if self.cursor.peek() != b'!' {
                return Err(self.cursor.unexpected());
            }
            let (attachments, location) = self.attachments(true)?;
            inst.attachments = attachments;
            inst.debug_location = location;
            return Ok(attachments.end as usize);
        }
        Ok(end)
    }

    #[inline]
    fn operands_of(&mut self, inst: &mut InstData) -> Result<()> {
        match inst.opcode {
            Opcode::Call | Opcode::Invoke | Opcode::CallBr => self.call(inst),
            Opcode::Load | Opcode::Store | Opcode::Alloca | Opcode::CmpXchg | Opcode::AtomicRmw | Opcode::Fence => {
                self.memory_access(inst)
            }
            Opcode::ICmp | Opcode::FCmp => {
                self.flags(inst);
                inst.extra = Extra::Predicate(self.predicate()?);
                let ty = self.two_operands(inst)?;
                inst.ty = self.with_shape(Type::I1, ty);
                Ok(())
            }
            Opcode::Select => {
                self.flags(inst);
                let (_, condition) = self.typed_operand()?;
                self.cursor.expect(b',')?;
                let (ty, yes) = self.typed_operand()?;
                self.cursor.expect(b',')?;
                let no = self.typed_operand_of(ty)?;
                inst.operands = self.value_list(&[condition, yes, no]);
                inst.ty = ty;
                Ok(())
            }
            Opcode::Phi => self.phi(inst),
            Opcode::GetElementPtr => self.get_element_ptr(inst),
            Opcode::FNeg | Opcode::Freeze => {
                self.flags(inst);
                let (ty, value) = self.typed_operand()?;
                inst.operands = self.value_list(&[value]);
                inst.ty = ty;
                Ok(())
            }
            opcode if opcode.is_binary() => {
                self.flags(inst);
                inst.ty = self.two_operands(inst)?;
                Ok(())
            }
            opcode if opcode.is_cast() => {
                self.flags(inst);
                let (_, value) = self.typed_operand()?;
                self.cursor.expect_word("to")?;
                inst.ty = self.ty()?;
                inst.operands = self.value_list(&[value]);
                Ok(())
            }
            Opcode::ExtractElement | Opcode::InsertElement | Opcode::ShuffleVector => self.vector_operation(inst),
            Opcode::ExtractValue | Opcode::InsertValue => self.aggregate_operation(inst),
            Opcode::VAArg => {
                let (_, list) = self.typed_operand()?;
                self.cursor.expect(b',')?;
                inst.ty = self.ty()?;
                inst.operands = self.value_list(&[list]);
                Ok(())
            }
            Opcode::Br => self.br(inst),
            Opcode::Ret => {
                let ty = self.ty()?;
                if ty != Type::VOID {
                    let value = self.operand(ty)?;
                    inst.operands = self.value_list(&[value]);
                }
                Ok(())
            }
            Opcode::Switch => self.switch(inst),
            Opcode::IndirectBr => {
                let (_, address) = self.typed_operand()?;
                self.cursor.expect(b',')?;
                inst.operands = self.value_list(&[address]);
                self.label_list(inst)
            }
            Opcode::Resume => {
                let (_, value) = self.typed_operand()?;
                inst.operands = self.value_list(&[value]);
                Ok(())
            }
            _ => self.exception_handling(inst),
        }
    }

    #[inline]
    pub(super) fn flags(&mut self, inst: &mut InstData) {
        // Types begin with few letters, and flags with others, except for `float` and `fast`.
        while matches!(self.cursor.peek(), b'n' | b's' | b'e' | b'd' | b'a' | b'c' | b'r' | b'f' | b'i') {
            let word = self.cursor.peek_word();
            let Some(flag) = Flags::from_keyword(word) else { break };
            if ONCE.contains(flag) && inst.flags.contains(flag) && inst.opcode != Opcode::GetElementPtr {
                break;
            }
            inst.flags.insert(flag);
            self.cursor.position += word.len();
        }
    }

    /// `ty v, v`
    #[inline]
    fn two_operands(&mut self, inst: &mut InstData) -> Result<Type> {
        let ty = self.value_type()?;
        let left = self.operand(ty)?;
        self.cursor.expect(b',')?;
        let right = self.operand(ty)?;
        inst.operands = self.value_list(&[left, right]);
        Ok(ty)
    }

    /// Reads a typed operand that has to be of type `ty`.
    pub(super) fn typed_operand_of(&mut self, ty: Type) -> Result<Value> {
        self.cursor.peek();
        let start = self.cursor.position;
        let found = self.ty()?;
        if found != ty {
            let (ty, found) = (self.type_name(ty), self.type_name(found));
            return Err(self.cursor.error_at(start, format!("expected type '{ty}', found '{found}'")));
        }
        self.operand(ty)
    }

    pub(super) fn with_shape(&mut self, element: Type, like: Type) -> Type {
        match self.types[like] {
            TypeData::Vector { length, scalable, .. } => self.intern(TypeData::Vector { length, scalable, element }),
            _ => element,
        }
    }

    fn phi(&mut self, inst: &mut InstData) -> Result<()> {
        self.flags(inst);
        let ty = self.ty()?;
        inst.ty = ty;
        let (values, blocks) = (self.state.values.len(), self.state.blocks.len());
        while self.state.values.len() == values || self.another_element(b'[') {
            self.cursor.expect(b'[')?;
            let value = self.operand(ty)?;
            self.cursor.expect(b',')?;
            let block = self.block()?;
            self.cursor.expect(b']')?;
            self.state.values.push(value);
            self.state.blocks.push(block);
        }
        inst.operands = self.finish_values(values);
        inst.targets = self.finish_blocks(blocks);
        Ok(())
    }

    /// Takes a comma if `first` comes behind it: attachments begin with a comma, too.
    fn another_element(&mut self, first: u8) -> bool {
        if self.cursor.peek() != b',' {
            return false;
        }
        let comma = self.cursor.position;
        self.cursor.position += 1;
        let found = self.cursor.peek() == first;
        if !found {
            self.cursor.position = comma;
        }
        found
    }

    /// Takes a comma if no attachment comes behind it.
    pub(super) fn another_operand(&mut self) -> bool {
        if self.cursor.peek() != b',' {
            return false;
        }
        let comma = self.cursor.position;
        self.cursor.position += 1;
        let found = self.cursor.peek() != b'!';
        if !found {
            self.cursor.position = comma;
        }
        found
    }

    pub(super) fn finish_blocks(&mut self, base: usize) -> List {
        let start = self.out.block_pool.len();
        self.out.block_pool.extend(self.state.blocks.drain(base..));
        super::list(start, self.out.block_pool.len())
    }

    fn get_element_ptr(&mut self, inst: &mut InstData) -> Result<()> {
        self.flags(inst);
        inst.extra = Extra::Element(self.ty()?);
        let base = self.state.values.len();
        let mut shape = None;
        self.cursor.expect(b',')?;
        loop {
            let (ty, value) = self.typed_operand()?;
            if self.state.values.len() == base {
                inst.ty = ty;
            }
            if matches!(self.types[ty], TypeData::Vector { .. }) {
                shape.get_or_insert(ty);
            }
            self.state.values.push(value);
            if !self.another_operand() {
                break;
            }
        }
        // One vector among the operands makes the result a vector.
        if let Some(shape) = shape {
            let scalar = self.types.scalar(inst.ty);
            inst.ty = self.with_shape(scalar, shape);
        }
        inst.operands = self.finish_values(base);
        Ok(())
    }

    fn vector_operation(&mut self, inst: &mut InstData) -> Result<()> {
        let start = self.cursor.position;
        let (ty, vector) = self.typed_operand()?;
        let TypeData::Vector { element, .. } = self.types[ty] else {
            let ty = self.type_name(ty);
            return Err(self.cursor.error_at(start, format!("expected a vector, found a value of type '{ty}'")));
        };
        self.cursor.expect(b',')?;
        let (second_ty, second) = self.typed_operand()?;
        if inst.opcode == Opcode::ExtractElement {
            inst.ty = element;
            inst.operands = self.value_list(&[vector, second]);
            return Ok(());
        }
        self.cursor.expect(b',')?;
        let (third_ty, third) = self.typed_operand()?;
        inst.operands = self.value_list(&[vector, second, third]);
        inst.ty = ty;
        if inst.opcode == Opcode::ShuffleVector {
            if second_ty != ty {
                return Err(self.cursor.error_at(start, "the two vectors are of different types".to_string()));
            }
            inst.ty = self.with_shape(element, third_ty);
        } else if second_ty != element {
            return Err(self.cursor.error_at(start, "the element is not of the vector's element type".to_string()));
        }
        Ok(())
    }

    fn aggregate_operation(&mut self, inst: &mut InstData) -> Result<()> {
        let start = self.cursor.position;
        let (ty, aggregate) = self.typed_operand()?;
        if inst.opcode == Opcode::InsertValue {
            self.cursor.expect(b',')?;
            let (_, value) = self.typed_operand()?;
            inst.operands = self.value_list(&[aggregate, value]);
        } else {
            inst.operands = self.value_list(&[aggregate]);
        }
        self.cursor.expect(b',')?;
        let first = self.out.index_pool.len();
        let mut element = ty;
        loop {
            let index = self.cursor.small_number()?;
            element = match self.element(element, index) {
                Some(element) => element,
                None => {
                    let ty = self.type_name(element);
                    return Err(self.cursor.error_at(start, format!("type '{ty}' has no element {index}")));
                }
            };
            self.out.index_pool.push(index);
            if !self.another_operand() {
                break;
            }
        }
        inst.extra = Extra::Indices(super::list(first, self.out.index_pool.len()));
        inst.ty = if inst.opcode == Opcode::InsertValue { ty } else { element };
        Ok(())
    }

    fn element(&self, ty: Type, index: u32) -> Option<Type> {
        match &self.types[ty] {
            TypeData::Struct { elements, .. } => elements.get(index as usize).copied(),
            TypeData::Array { element, length } if u64::from(index) < *length => Some(*element),
            TypeData::Named(name) => self.element(self.scope.named_body(*name)?, index),
            _ => None,
        }
    }

    fn br(&mut self, inst: &mut InstData) -> Result<()> {
        if self.cursor.peek() == b'l' {
            let target = self.label()?;
            inst.targets = self.block_list(&[target]);
            return Ok(());
        }
        let condition = self.typed_operand_of(Type::I1)?;
        self.cursor.expect(b',')?;
        let yes = self.label()?;
        self.cursor.expect(b',')?;
        let no = self.label()?;
        inst.operands = self.value_list(&[condition]);
        inst.targets = self.block_list(&[yes, no]);
        Ok(())
    }

    fn switch(&mut self, inst: &mut InstData) -> Result<()> {
        let (ty, value) = self.typed_operand()?;
        self.cursor.expect(b',')?;
        let (values, blocks) = (self.state.values.len(), self.state.blocks.len());
        self.state.values.push(value);
        let default = self.label()?;
        self.state.blocks.push(default);
        self.cursor.expect(b'[')?;
        while !self.cursor.take(b']') {
            let case = self.typed_operand_of(ty)?;
            self.cursor.expect(b',')?;
            let target = self.label()?;
            self.state.values.push(case);
            self.state.blocks.push(target);
        }
        inst.operands = self.finish_values(values);
        inst.targets = self.finish_blocks(blocks);
        Ok(())
    }

    /// `[label %a, label %b]`, appended to the targets.
    fn label_list(&mut self, inst: &mut InstData) -> Result<()> {
        let base = self.state.blocks.len();
        self.labels_in_brackets()?;
        inst.targets = self.finish_blocks(base);
        Ok(())
    }

    pub(super) fn labels_in_brackets(&mut self) -> Result<()> {
        self.cursor.expect(b'[')?;
        while self.cursor.peek() != b']' {
            let target = self.label()?;
            self.state.blocks.push(target);
            if !self.cursor.take(b',') {
                break;
            }
        }
        self.cursor.expect(b']')
    }
}

pub(super) fn tail_marker(word: &[u8]) -> Option<Flags> {
    match word {
        b"tail" => Some(Flags::TAIL),
        b"musttail" => Some(Flags::MUSTTAIL),
        b"notail" => Some(Flags::NOTAIL),
        _ => None,
    }
}
