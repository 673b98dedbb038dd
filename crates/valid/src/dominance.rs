//! Whether definitions dominate uses (LangRef, "Well-Formedness").

use cranelift_entity::EntityRef;
use reconverge_graph::{Dominators, Node};
use reconverge_ir::constant::ConstantData;
use reconverge_ir::function::{Block, Definition, Extra, Inst, Value};
use reconverge_ir::opcode::Opcode;

use crate::{Checker, Rule};

impl Checker<'_, '_> {
    /// Looks at the operands of an instruction that are results of others. It is no phi; its block begins with `first`,
    /// and the entry ends with the terminator `end_of_entry`.
    #[inline]
    pub(crate) fn uses(&mut self, inst: Inst, block: Block, (first, end_of_entry): (Inst, Inst), values: &[Value]) {
        let function = self.function;
        for &value in values {
            match function.values[value].definition {
                // What comes earlier in the same block, or in the entry, is executed earlier. The result of a terminator
                // is not in its own block.
                Definition::Instruction(definition)
                    if definition < inst && (definition >= first || definition < end_of_entry) => {}
                Definition::Instruction(definition) => self.distant_use(inst, value, definition, block, None),
                Definition::Constant(ConstantData::Global(_)) => self.address(inst, value),
                _ => {}
            }
        }
    }

    pub(crate) fn phi_uses(&mut self, inst: Inst) {
        let function = self.function;
        for (&value, &from) in function.operands(inst).iter().zip(function.targets(inst)) {
            match function.values[value].definition {
                Definition::Instruction(definition) => {
                    let data = &function.instructions[definition];
                    if data.opcode == Opcode::Invoke || data.block != from && data.block.index() != 0 {
                        let to = function.instructions[inst].block;
                        self.distant_use(inst, value, definition, from, Some(to));
                    }
                }
                Definition::Constant(ConstantData::Global(_)) => self.address(inst, value),
                _ => {}
            }
        }
    }

    /// A use that only the dominator tree decides: at `inst` in `block`, or, for a `phi`, on the edge from `block` to `to`.
    fn distant_use(&mut self, inst: Inst, value: Value, definition: Inst, block: Block, to: Option<Block>) {
        let function = self.function;
        let dominators = self.dominators.get_or_insert_with(|| {
            Dominators::compute(self.graph.get_or_insert_with(|| function.control_flow_graph()))
        });
        let node = |block: Block| Node::new(block.index());
        if !dominators.is_reachable(node(block)) {
            return;
        }
        let data = &function.instructions[definition];
        let dominated = match data.opcode {
            Opcode::Invoke => {
                let normal = function.targets(definition)[0];
                let is_taken = to == Some(normal) && block == data.block;
                is_taken || edge_dominates(dominators, function, data.block, normal, block)
            }
            _ if data.block == block => to.is_some() || definition < inst,
            _ => dominators.dominates(node(data.block), node(block)),
        };
        if dominated || self.is_full() {
            return;
        }
        let name = self.spelled(value);
        let rule = if self.is_token(inst, value) { Rule::TokenDominance } else { Rule::Dominance };
        let message = if definition == inst {
            format!("{name} is its own operand; only a phi may use its own result")
        } else if let Some(to) = to {
            let (from, to) = (self.block_name(block), self.block_name(to));
            format!(
                "{name} is not defined on every path to the end of '%{from}', from where this phi of '%{to}' takes it"
            )
        } else if data.block == block {
            format!("{name} is used before it is defined")
        } else {
            let block = self.block_name(data.block);
            format!("{name} is not defined on every path to this use: its definition is in '%{block}'")
        };
        self.breach_about(rule, message, Some(definition));
    }

    /// Whether a value is the token of a `convergencectrl` bundle.
    #[cold]
    fn is_token(&self, inst: Inst, value: Value) -> bool {
        let function = self.function;
        let Extra::Call(call) = function.instructions[inst].extra else { return false };
        function
            .bundles(call)
            .iter()
            .any(|bundle| bundle.is_convergence_control && function.list(bundle.operands).contains(&value))
    }
}

/// Whether every path to the block `at` takes the edge from `from` to `to`.
fn edge_dominates(
    dominators: &Dominators,
    function: &reconverge_ir::Function,
    from: Block,
    to: Block,
    at: Block,
) -> bool {
    let node = |block: Block| Node::new(block.index());
    if !dominators.dominates(node(to), node(at)) {
        return false;
    }
    // The edge is the only way into its end that does not come from there again.
    let mut taken = 0;
    for block in function.blocks.keys() {
        for &successor in function.successors(block) {
            if successor != to {
                continue;
            }
            if block == from {
                taken += 1;
            } else if !dominators.dominates(node(to), node(block)) {
                return false;
            }
        }
    }
    taken == 1
}
