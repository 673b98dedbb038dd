//! What touches memory: where the parts of a value lie, and what an address adds up.

use reconverge_ir::function::{Definition, Extra, InstData, MemoryData, Value};
use reconverge_ir::opcode::{Flags, Opcode};
use reconverge_ir::types::Type;

use super::{Decoder, Result};
use crate::layout::{address_terms, flatten};
use crate::memory::{Layout, Part};
use crate::program::LOCAL_SPACE;
use crate::program::code::{Op, Registers, Term};
use crate::value::Scalar;

impl Decoder<'_, '_, '_> {
    pub(super) fn only_scalar(&self, ty: Type) -> Result<Scalar> {
        match self.shape(ty)?[..] {
            [scalar] if scalar.components() == 1 => Ok(scalar),
            _ => Err(format!("atomic access to a value of type '{}' is not supported", self.module.display_type(ty))),
        }
    }

    /// Notes an access that is atomic or volatile: it tells workgroups of each other.
    pub(super) fn note_access(&mut self, data: &InstData, memory: &MemoryData, address: Value) {
        if memory.ordering.is_some() || data.flags.contains(Flags::VOLATILE) {
            self.note_sharing(address);
        }
    }

    /// Notes that memory at an address is accessed as others may see; a variable of the thread nobody else sees.
    pub(in crate::program) fn note_sharing(&mut self, address: Value) {
        let space = self.linker.layout.address_space(&self.module.types[self.ty(address)]);
        self.linker.shares |= space != Some(LOCAL_SPACE) && !self.is_variable(address);
    }

    /// Whether it is the address of a variable of the function.
    fn is_variable(&self, address: Value) -> bool {
        match self.function.values[address].definition {
            Definition::Instruction(inst) => self.function.instructions[inst].opcode == Opcode::Alloca,
            _ => false,
        }
    }

    pub(super) fn pointer_bits(&self, ty: Type) -> Result<u32> {
        let scalar = self.module.types.scalar(ty);
        let space = self.linker.layout.address_space(&self.module.types[scalar]).ok_or("this is no pointer")?;
        Ok(self.linker.layout.pointer(space).bits)
    }

    /// What a memory access moves.
    pub(super) fn access(&mut self, data: &InstData) -> Result<(MemoryData, Box<Layout>)> {
        let Extra::Memory(memory) = data.extra else { return Err("an access to nothing".into()) };
        let memory = self.function.memory[memory];
        // Of a store, atomicrmw and cmpxchg, what is stored; `MemoryData` knows the type for all of them.
        let ty = memory.ty;
        Ok((memory, Box::new(self.memory_layout(ty, memory.alignment)?)))
    }

    /// The layout of a value in memory.
    pub(super) fn memory_layout(&self, ty: Type, alignment: Option<u64>) -> Result<Layout> {
        let layout = &self.linker.layout;
        let places = flatten(self.module, layout, ty).map_err(|error| error.to_string())?;
        let mut parts = Vec::new();
        let mut component = 0;
        for place in &places {
            if !place.is_whole_bytes() {
                let ty = self.module.display_type(ty);
                return Err(format!("a value of type '{ty}' in memory is not supported"));
            }
            let pointer = matches!(place.scalar, Scalar::Pointer(_));
            // Bits that memory has beyond those of the scalar are zero.
            let mut left = place.bits;
            for part in 0..place.scalar.components() {
                let bits = if part + 1 == place.scalar.components() { left.min(64) } else { 64 };
                left -= bits;
                let offset = place.byte_offset() + 8 * part as u64;
                let bits =
                    if pointer { bits } else { bits.min(place.scalar.bits().saturating_sub(64 * part as u32)).max(1) };
                parts.push(Part { component: component + part, offset, bits, pointer });
            }
            component += place.scalar.components();
        }
        let alignment = match alignment {
            Some(alignment) => alignment,
            None => layout.alignment(self.module, ty).map_err(|error| error.to_string())?,
        };
        Ok(Layout::new(parts, alignment))
    }

    pub(super) fn address(&mut self, data: &InstData, values: &[Value], out: Registers) -> Result<Op> {
        let Extra::Element(element) = data.extra else { return Err("an address in nothing".into()) };
        let terms = address_terms(self.module, &self.linker.layout, self.function, element, &values[1..])
            .map_err(|error| error.to_string())?;
        let base = self.operand(values[0])?;
        let mut strides = Vec::new();
        for stride in terms.strides {
            let value = values[1 + stride.index];
            let Scalar::Integer(bits) = self.shape(self.ty(value))?[0] else {
                return Err("this index is no integer".into());
            };
            strides.push(Term { index: self.operand(value)?, bits: bits.min(64), stride: stride.bytes });
        }
        let bits = self.pointer_bits(data.ty)?;
        Ok(Op::Address { base, offset: terms.offset, terms: strides.into(), bits, out })
    }

    pub(super) fn alloca(&mut self, data: &InstData, values: &[Value], out: Registers) -> Result<Op> {
        let Extra::Memory(memory) = data.extra else { return Err("an alloca of nothing".into()) };
        let memory = self.function.memory[memory];
        let layout = &self.linker.layout;
        let size = layout.alloc_size(self.module, memory.ty).map_err(|error| error.to_string())?;
        let natural = layout.alignment(self.module, memory.ty).map_err(|error| error.to_string())?;
        let alignment = memory.alignment.unwrap_or(natural).clamp(1, 4096);
        let count = match values.first() {
            Some(&value) => self.operand(value)?,
            None => self.number(1),
        };
        Ok(Op::Alloca { count, size, alignment, out })
    }
}
