//! Reading call-sites: `call`, `invoke` and `callbr`, with arguments and operand bundles.

use super::Reader;
use super::error::Result;
use super::scope::Scope;
use crate::constant::ConstantData;
use crate::function::{BundleData, CallData, Definition, Extra, InstData, List, Value, ValueData};
use crate::module::Symbol;
use crate::opcode::Opcode;
use crate::text::{Span, unquote};
use crate::types::{Type, TypeData};

impl<'t, S: Scope<'t>> Reader<'_, 't, S> {
    pub(super) fn call(&mut self, inst: &mut InstData) -> Result<()> {
        self.flags(inst);
        let before = self.before_type()?;
        let spelled_type = self.ty()?;
        let (result, parameters_known) = match self.types[spelled_type] {
            TypeData::Function { result, .. } => (result, true),
            _ => (spelled_type, false),
        };
        let callee = self.operand_callee(before.address_space)?;
        let base = self.state.values.len();
        let attributes_base = self.state.spans.len();
        let forwards_variadic = self.arguments(parameters_known, base, attributes_base)?;
        let argument_count = (self.state.values.len() - base) as u32;
        let attributes = self.call_attributes()?;
        let before_bundles = self.cursor.token_end();
        let bundles = if self.cursor.peek() == b'[' { self.operand_bundles()? } else { List::default() };
        let behind_bundles = if bundles.length > 0 { self.cursor.token_end() } else { before_bundles };
        for index in 0..bundles.length {
            let operands = self.out.bundles[(bundles.start + index) as usize].operands;
            for offset in 0..operands.length {
                self.state.values.push(self.out.operand_pool[(operands.start + offset) as usize]);
            }
        }
        self.state.values.push(callee);
        inst.operands = self.finish_values(base);
        inst.ty = result;
        let start = self.out.span_pool.len();
        self.out.span_pool.extend(self.state.spans.drain(attributes_base..));
        inst.extra = Extra::Call(self.out.calls.push(CallData {
            prefix: before.span,
            spelled_type,
            callee: self.direct_callee(callee).into(),
            argument_count,
            forwards_variadic,
            argument_attributes: super::list(start, self.out.span_pool.len()),
            attributes: attributes.span,
            convergent: attributes.convergent,
            bundles,
            bundle_list: Span::new(before_bundles, behind_bundles),
        }));
        match inst.opcode {
            Opcode::Invoke => {
                self.cursor.expect_word("to")?;
                let normal = self.label()?;
                self.cursor.expect_word("unwind")?;
                let unwind = self.label()?;
                inst.targets = self.block_list(&[normal, unwind]);
            }
            Opcode::CallBr => {
                self.cursor.expect_word("to")?;
                let base = self.state.blocks.len();
                let fall_through = self.label()?;
                self.state.blocks.push(fall_through);
                self.labels_in_brackets()?;
                inst.targets = self.finish_blocks(base);
            }
            _ => {}
        }
        Ok(())
    }

    /// The callee: a pointer into the address space that the call spells, or else into that of programs.
    fn operand_callee(&mut self, space: Span) -> Result<Value> {
        let ty = if space.is_empty() { self.scope.program_pointer() } else { self.pointer_in(space)? };
        let is_local = self.cursor.peek() == b'%';
        if !is_local || !matches!(self.types[ty], TypeData::PointerIn(_)) {
            return self.operand(ty);
        }
        // What the name of an address space stands for is not known here.
        self.operand(Type::VOID)
    }

    fn direct_callee(&self, callee: Value) -> Option<Symbol> {
        match self.out.values[callee].definition {
            Definition::Constant(ConstantData::Global(symbol)) => Some(symbol),
            _ => None,
        }
    }

    /// `(ty attributes value, …)`; whether it ends in `...`, which forwards the caller's variadic arguments.
    fn arguments(&mut self, variadic_allowed: bool, base: usize, attributes_base: usize) -> Result<bool> {
        self.cursor.expect(b'(')?;
        let mut forwards = false;
        while self.cursor.peek() != b')' {
            if variadic_allowed && self.cursor.take_word(b"...") {
                forwards = true;
                break;
            }
            let ty = self.value_type()?;
            // Metadata has no attributes, and begins with a type as often as not.
            let attributes = if ty == Type::METADATA { Span::default() } else { self.parameter_attributes()? };
            if !attributes.is_empty() {
                self.state.spans.resize(attributes_base + self.state.values.len() - base, Span::default());
                self.state.spans.push(attributes);
            }
            let value = self.argument(ty)?;
            self.state.values.push(value);
            if !self.cursor.take(b',') {
                break;
            }
        }
        self.cursor.expect(b')')?;
        Ok(forwards)
    }

    /// An operand that may be metadata.
    #[inline]
    fn argument(&mut self, ty: Type) -> Result<Value> {
        if ty != Type::METADATA {
            return self.operand(ty);
        }
        let constant = self.metadata_operand()?;
        Ok(self.out.values.push(ValueData { ty, definition: Definition::Constant(constant) }))
    }

    /// `["tag"(ty v, …), …]`
    fn operand_bundles(&mut self) -> Result<List> {
        self.cursor.expect(b'[')?;
        let start = self.out.bundles.len();
        while self.cursor.peek() != b']' {
            let tag = self.cursor.string()?;
            self.cursor.expect(b'(')?;
            let base = self.state.values.len();
            while self.cursor.peek() != b')' {
                let ty = self.value_type()?;
                let value = self.argument(ty)?;
                self.state.values.push(value);
                if !self.cursor.take(b',') {
                    break;
                }
            }
            self.cursor.expect(b')')?;
            let operands = self.finish_values(base);
            let is_convergence_control = *unquote(tag.of(self.cursor.text)) == *b"convergencectrl";
            self.out.bundles.push(BundleData { tag, operands, is_convergence_control });
            if !self.cursor.take(b',') {
                break;
            }
        }
        self.cursor.expect(b']')?;
        Ok(super::list(start, self.out.bundles.len()))
    }
}
