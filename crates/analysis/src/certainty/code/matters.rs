//! Which values, stores and branches of a function matter; `code` has the definition.

use cranelift_entity::EntityRef;
use reconverge_ir::function::{Block, Definition, Extra, Inst, Value};
use reconverge_ir::opcode::Opcode;
use rustc_hash::FxHashMap;

use super::computes::{Computes, is_division};
use super::{Coder, Mask, Named};

impl Coder<'_, '_> {
    /// Whether a block does something that threads have to be followed to, whatever is computed in it.
    pub(super) fn is_of_interest(&self, block: Block) -> bool {
        let function = self.function;
        self.accesses_in(block)
            || function.block_instructions(block).any(|inst| match function.instructions[inst].opcode {
                Opcode::Ret => self.asked.is_none() && !function.operands(inst).is_empty(),
                Opcode::Call | Opcode::Invoke => {
                    self.asked.is_some_and(|asked| asked.questions.ask_for(inst))
                        || self.asked.is_none() && self.is_passed(inst)
                        || self.never_returns(inst)
                        || self.is_followed(inst)
                }
                opcode if opcode.is_terminator() => !matches!(opcode, Opcode::Br | Opcode::Switch),
                _ => false,
            })
    }

    /// Whether it is a call that is followed, whatever becomes of its result.
    pub(super) fn is_followed(&self, inst: Inst) -> bool {
        let is_quiet = |id| !self.accesses && self.codes.is_quiet(self.module, self.facts, id);
        matches!(self.computes(inst), Computes::Call(id) if !is_quiet(id))
    }

    /// Whether it is an operation of several threads.
    pub(super) fn is_passed(&self, inst: Inst) -> bool {
        let Extra::Call(call) = self.function.instructions[inst].extra else { return false };
        let callee = self.function.calls[call].callee.expand();
        callee.is_none_or(|callee| self.facts.is_operation(callee))
    }

    pub(super) fn find_what_matters(&mut self) {
        let function = self.function;
        let mut stack: Vec<Value> = Vec::new();
        let mut stored: FxHashMap<Value, Vec<(Value, Block)>> = FxHashMap::default();
        for (inst, data) in &function.instructions {
            let operands = function.operands(inst);
            stack.extend(self.followed(inst).iter().map(|followed| followed.address));
            match data.opcode {
                Opcode::Ret if self.asked.is_none() => stack.extend(operands.first()),
                Opcode::Store => {
                    if let Some((variable, _)) = self.variables.accessed(operands[1]) {
                        stored.entry(variable).or_default().push((operands[0], data.block));
                    }
                }
                Opcode::Call | Opcode::Invoke if self.is_followed(inst) => stack.extend(self.arguments(inst)),
                Opcode::Call | Opcode::Invoke if self.asked.is_none() => stack.extend(self.agreed(inst)),
                _ => {}
            }
        }
        if let Some(asked) = self.asked {
            stack.extend(&asked.questions.compared.items);
            for question in asked.questions.all {
                let argument = question.argument.and_then(|index| self.arguments(question.inst).get(index as usize));
                stack.extend(argument);
                if let Some(Mask { named: Named::By { where_true, .. }, .. }) = question.mask {
                    stack.extend(where_true);
                }
            }
        }
        let mut blocks: Vec<Block> = function.blocks.keys().filter(|&block| self.is_of_interest(block)).collect();
        let mut is_followed = vec![false; function.blocks.len()];
        loop {
            while let Some(block) = blocks.pop() {
                if std::mem::replace(&mut is_followed[block.index()], true) {
                    continue;
                }
                for branch in self.relevance.add(block) {
                    stack.extend(function.operands(function.terminator(branch)).first());
                    blocks.push(branch);
                }
                // What is executed there has to be defined.
                let divisions =
                    function.block_instructions(block).filter(|&inst| is_division(function.instructions[inst].opcode));
                stack.extend(divisions.filter_map(|inst| function.operands(inst).get(1)));
            }
            let Some(value) = stack.pop() else { break };
            if std::mem::replace(&mut self.matters[value.index()], true) {
                continue;
            }
            for &(value, block) in stored.get(&value).into_iter().flatten() {
                stack.push(value);
                blocks.push(block);
            }
            if let Definition::Instruction(inst) = function.values[value].definition {
                stack.extend(self.inputs(inst));
                blocks.push(function.instructions[inst].block);
                if function.instructions[inst].opcode == Opcode::Phi {
                    blocks.extend(function.targets(inst));
                }
            }
        }
    }
}
