//! Exceptions: landing pads and where they stand (LangRef, "invoke", "landingpad", "resume"). The nesting of funclets is
//! not checked: no GPU has them.

use reconverge_ir::function::{Block, Inst, InstData, Value};
use reconverge_ir::opcode::{Flags, Opcode};
use reconverge_ir::types::Type;

use crate::types::is_value;
use crate::{Checker, Rule};

impl Checker<'_, '_> {
    #[cold]
    pub(crate) fn exception(&mut self, inst: Inst, data: &InstData, values: &[Value]) {
        match data.opcode {
            Opcode::LandingPad => self.landing_pad(inst, data, values),
            Opcode::Resume => {
                let ty = self.function.values[values[0]].ty;
                if !is_value(self.module, ty) || ty == Type::TOKEN {
                    self.breach(Rule::Types, "what is resumed is no value");
                }
                self.personality();
            }
            _ => self.personality(),
        }
    }

    fn personality(&mut self) {
        let Some(id) = self.id else { return };
        let suffix = self.module.spelling(self.module.functions[id].suffix);
        if memchr::memmem::find(suffix, b"personality").is_none() {
            self.breach(Rule::Structure, "exceptions are handled in a function without a personality");
        }
    }

    fn landing_pad(&mut self, inst: Inst, data: &InstData, values: &[Value]) {
        let function = self.function;
        if values.is_empty() && !data.flags.contains(Flags::CLEANUP) {
            self.breach(Rule::Structure, "a landing pad without a clause, which is no cleanup either");
        }
        if !is_value(self.module, data.ty) || data.ty == Type::TOKEN {
            self.breach(Rule::Types, "a landing pad cannot be of this type");
        }
        if self.first_of(data.block) != inst {
            self.breach(Rule::Structure, "a landing pad is the first instruction of its block that is no phi");
        }
        let by_exception = |block: Block| {
            let terminator = function.terminator(block);
            let targets = function.targets(terminator);
            let is_invoke = function.instructions[terminator].opcode == Opcode::Invoke;
            is_invoke && targets.get(1) == Some(&data.block) && targets.first() != Some(&data.block)
        };
        let mut from = function.blocks.keys().filter(|&block| function.successors(block).contains(&data.block));
        if !from.all(by_exception) || data.block == Block::from_u32(0) {
            self.breach(Rule::Structure, "the block of a landing pad is reached otherwise than by an exception");
        }
        self.personality();
    }

    /// The first instruction of a block that is no phi.
    pub(crate) fn first_of(&self, block: Block) -> Inst {
        let function = self.function;
        let mut rest = function.block_instructions(block);
        rest.find(|&inst| function.instructions[inst].opcode != Opcode::Phi).unwrap_or(function.terminator(block))
    }

    /// Where an `invoke` unwinds to.
    #[cold]
    pub(crate) fn unwinds(&mut self, inst: Inst) {
        let function = self.function;
        let Some(&target) = function.targets(inst).get(1) else { return };
        let pad = function.instructions[self.first_of(target)].opcode;
        if !matches!(pad, Opcode::LandingPad | Opcode::CatchSwitch | Opcode::CleanupPad) {
            let block = self.block_name(target);
            self.breach(
                Rule::Structure,
                format!("'%{block}', where exceptions unwind to, does not begin with a landing pad"),
            );
        }
        self.personality();
    }
}
