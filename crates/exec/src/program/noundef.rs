//! `noundef`: what has to be known, all bits of it, where it is passed or returned. Behaviour is undefined otherwise, whatever becomes of the value.
//!
//! Looked at are arguments, by the attributes of the call and of the function that it names; and results of functions with a body, by the attributes of the function, where
//! it returns, and of the call, where it gets them. What other functions give is known or has a finding already. An indirect call has the attributes that it writes.

use reconverge_findings::run::Noundef;
use reconverge_ir::function::{Extra, Inst, InstData};
use reconverge_ir::opcode::Opcode;
use reconverge_ir::types::TypeData;
use reconverge_ir::{FunctionId, Span};

use super::code::{Op, Operand};
use super::decode::{Decoder, Result};
use crate::constants::Component;

impl Decoder<'_, '_, '_> {
    /// What is looked at before an instruction.
    pub(super) fn needed_before(&mut self, inst: Inst, data: &InstData) -> Result<Option<Op>> {
        let mut operands = Vec::new();
        match data.opcode {
            Opcode::Ret if self.returns_noundef(self.id) => {
                if let Some(&value) = self.function.operands(inst).first() {
                    operands.push((Noundef::Returned, self.operand(value)?));
                }
            }
            opcode if opcode.is_call_site() => self.needed_arguments(inst, &mut operands)?,
            _ => {}
        }
        operands.retain(|&(_, operand)| self.may_be_unknown(operand));
        Ok((!operands.is_empty()).then(|| Op::Needed { operands: operands.into(), of: 1 }))
    }

    /// What is looked at when a call is over.
    pub(super) fn needed_after(&self, data: &InstData) -> Option<Op> {
        let Extra::Call(call) = data.extra else { return None };
        let call = &self.function.calls[call];
        let callee = call.callee.expand().and_then(|symbol| self.module.function_of(self.linker.resolve_alias(symbol)));
        let has_body = callee.is_none_or(|id| self.module.functions[id].body.is_some());
        let looked_at = callee.is_some_and(|id| self.returns_noundef(id));
        let needed = has_body && !looked_at && data.result.is_some() && self.is_noundef(call.prefix);
        needed.then(|| Op::Needed { operands: [(Noundef::Result, self.out(data).operand())].into(), of: -1 })
    }

    fn needed_arguments(&mut self, inst: Inst, operands: &mut Vec<(Noundef, Operand)>) -> Result<()> {
        let (function, module) = (self.function, self.module);
        let Extra::Call(index) = function.instructions[inst].extra else { return Ok(()) };
        let call = &function.calls[index];
        let callee = call.callee.expand().and_then(|symbol| module.function_of(self.linker.resolve_alias(symbol)));
        let declared = callee.map_or(&[][..], |id| &module.functions[id].parameters);
        let written = function.argument_attributes(index);
        for (position, &argument) in function.operands(inst)[..call.argument_count as usize].iter().enumerate() {
            let by_call = written.get(position).is_some_and(|&span| self.is_noundef(span));
            let needed = by_call || declared.get(position).is_some_and(|of| self.is_noundef(of.attributes));
            if needed && !matches!(module.types[self.ty(argument)], TypeData::Metadata) {
                operands.push((Noundef::Argument(position as u32), self.operand(argument)?));
            }
        }
        Ok(())
    }

    fn returns_noundef(&self, id: FunctionId) -> bool {
        self.is_noundef(self.module.functions[id].prefix)
    }

    fn is_noundef(&self, attributes: Span) -> bool {
        !attributes.is_empty() && self.module.attribute(attributes, b"noundef").is_some()
    }

    /// Whether an operand is anything but a constant all of which is known.
    fn may_be_unknown(&self, operand: Operand) -> bool {
        let is_unknown = |component: &Component| matches!(component, Component::Undef(_) | Component::Poison);
        self.constants_of(operand).is_none_or(|constants| constants.iter().any(is_unknown))
    }
}
