//! Reading accesses to memory: `load`, `store`, `alloca`, `atomicrmw`, `cmpxchg`, `fence`.

use super::Reader;
use super::error::Result;
use super::scope::Scope;
use crate::function::{Extra, InstData, MemoryData};
use crate::opcode::{Flags, Opcode, Ordering, RmwOperation};
use crate::text::Span;
use crate::types::{Type, TypeData};

impl<'t, S: Scope<'t>> Reader<'_, 't, S> {
    pub(super) fn memory_access(&mut self, inst: &mut InstData) -> Result<()> {
        let mut memory = MemoryData {
            ty: Type::VOID,
            scope: Span::default(),
            ordering: None,
            failure_ordering: None,
            operation: None,
            alignment: None,
            address_space: Span::default(),
        };
        // Each once, and `volatile` is the last of them.
        loop {
            let next = Flags::from_keyword(self.cursor.peek_word());
            let is_again = next.is_none_or(|flag| inst.flags.contains(flag));
            if is_again || inst.flags.contains(Flags::VOLATILE) || !self.take_flag(&mut inst.flags) {
                break;
            }
        }
        match inst.opcode {
            Opcode::Load => {
                memory.ty = self.ty()?;
                self.cursor.expect(b',')?;
                let (_, address) = self.typed_operand()?;
                inst.operands = self.value_list(&[address]);
                inst.ty = memory.ty;
            }
            Opcode::Store => {
                let (ty, value) = self.typed_operand()?;
                self.cursor.expect(b',')?;
                let (_, address) = self.typed_operand()?;
                inst.operands = self.value_list(&[value, address]);
                memory.ty = ty;
            }
            Opcode::CmpXchg => {
                let (_, address) = self.typed_operand()?;
                self.cursor.expect(b',')?;
                let (ty, expected) = self.typed_operand()?;
                self.cursor.expect(b',')?;
                let new = self.typed_operand_of(ty)?;
                inst.operands = self.value_list(&[address, expected, new]);
                memory.ty = ty;
                inst.ty = self.intern(TypeData::Struct { packed: false, elements: [ty, Type::I1].into() });
            }
            Opcode::AtomicRmw => {
                let word = self.cursor.peek_word();
                let Some(operation) = RmwOperation::from_keyword(word) else {
                    return Err(self.cursor.expected("the operation of an atomicrmw"));
                };
                self.cursor.position += word.len();
                memory.operation = Some(operation);
                let (_, address) = self.typed_operand()?;
                self.cursor.expect(b',')?;
                let (ty, value) = self.typed_operand()?;
                inst.operands = self.value_list(&[address, value]);
                memory.ty = ty;
                inst.ty = ty;
            }
            Opcode::Alloca => return self.alloca(inst, memory),
            _ => {}
        }
        self.ordering(inst, &mut memory)?;
        if self.another_operand() {
            self.alignment(&mut memory)?;
        }
        inst.extra = Extra::Memory(self.out.memory.push(memory));
        Ok(())
    }

    fn alignment(&mut self, memory: &mut MemoryData) -> Result<()> {
        self.cursor.expect_word("align")?;
        memory.alignment = Some(self.cursor.alignment()?);
        Ok(())
    }

    /// `[syncscope("…")] ordering [ordering]`
    fn ordering(&mut self, inst: &InstData, memory: &mut MemoryData) -> Result<()> {
        let atomic = inst.flags.contains(Flags::ATOMIC) || !matches!(inst.opcode, Opcode::Load | Opcode::Store);
        if !atomic {
            return Ok(());
        }
        if self.cursor.take_word(b"syncscope") {
            self.cursor.expect(b'(')?;
            memory.scope = self.cursor.string()?;
            self.cursor.expect(b')')?;
        }
        memory.ordering = Some(self.one_ordering()?);
        if inst.opcode == Opcode::CmpXchg {
            memory.failure_ordering = Some(self.one_ordering()?);
        }
        Ok(())
    }

    fn one_ordering(&mut self) -> Result<Ordering> {
        let word = self.cursor.peek_word();
        let Some(ordering) = Ordering::from_keyword(word) else {
            return Err(self.cursor.expected("an ordering such as 'monotonic'"));
        };
        self.cursor.position += word.len();
        Ok(ordering)
    }

    fn alloca(&mut self, inst: &mut InstData, mut memory: MemoryData) -> Result<()> {
        memory.ty = self.ty()?;
        inst.ty = Type::PTR;
        // The parts have an order: the number of elements, the alignment, the address space.
        let mut part = 0;
        while self.another_operand() {
            let next = match self.cursor.peek_word() {
                b"align" => 2,
                b"addrspace" => 3,
                _ => 1,
            };
            if next <= part {
                return Err(self.cursor.unexpected());
            }
            part = next;
            if next == 1 {
                let (_, count) = self.typed_operand()?;
                inst.operands = self.value_list(&[count]);
            } else if next == 3 {
                self.cursor.expect_word("addrspace")?;
                let span = self.cursor.balanced(b'(')?;
                memory.address_space = Span { start: span.start + 1, end: span.end - 1 };
                inst.ty = self.pointer_in(memory.address_space)?;
            } else {
                self.alignment(&mut memory)?;
            }
        }
        inst.extra = Extra::Memory(self.out.memory.push(memory));
        Ok(())
    }

    /// The type of pointers into the address space spelled at `space`: a number, or a name in quotes.
    pub(super) fn pointer_in(&mut self, space: Span) -> Result<Type> {
        let text = self.cursor.slice(space).trim_ascii();
        if text.starts_with(b"\"") {
            return Ok(self.intern(TypeData::PointerIn(text.into())));
        }
        match std::str::from_utf8(text).ok().and_then(|text| text.parse().ok()) {
            Some(0) => Ok(Type::PTR),
            Some(address_space) => Ok(self.intern(TypeData::Pointer { address_space })),
            None => Err(self.cursor.error_at(space.start as usize, "expected an address space".to_string())),
        }
    }
}
