//! Where the instructions of a function stand, moves included.
//!
//! **Invariant.** Each instruction is in the body of one block, or was merged into another one, which then stands for it. Definitions stay before their uses.

use std::collections::BTreeSet;

use cranelift_entity::{EntityRef, SecondaryMap};
use reconverge_analysis::flow::{FlowFunction, TokenSource};
use reconverge_analysis::lower::Lowered;
use reconverge_graph::Node;
use reconverge_ir::Function;
use reconverge_ir::function::{Block, Definition, Inst, Value};
use reconverge_ir::opcode::Opcode;
use rustc_hash::{FxHashMap, FxHashSet};

/// A use of the result of an instruction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Use {
    /// Who uses it.
    pub(crate) user: Inst,
    /// Where it has to be there: of a phi, the end of a block before it.
    pub(crate) edge: Option<Block>,
}

#[derive(Debug, Clone)]
pub(crate) struct Layout {
    bodies: Vec<Vec<Inst>>,
    block_of: SecondaryMap<Inst, u32>,
    /// What stands for an instruction that was merged.
    merged: FxHashMap<Inst, Inst>,
    /// The instructions that are not where the text has them.
    moved: BTreeSet<Inst>,
    uses: FxHashMap<Inst, Vec<Use>>,
    is_operation: FxHashMap<Inst, u32>,
}

impl Layout {
    pub(super) fn new(function: &Function, lowered: &Lowered) -> Layout {
        let mut block_of = SecondaryMap::with_capacity(function.instructions.len());
        let mut uses: FxHashMap<Inst, Vec<Use>> = FxHashMap::default();
        for (inst, data) in &function.instructions {
            block_of[inst] = data.block.as_u32();
            let edges = function.targets(inst);
            for (index, &operand) in function.operands(inst).iter().enumerate() {
                if let Definition::Instruction(definition) = function.values[operand].definition {
                    let edge = (data.opcode == Opcode::Phi).then(|| edges.get(index).copied()).flatten();
                    uses.entry(definition).or_default().push(Use { user: inst, edge });
                }
            }
        }
        let bodies = function.blocks.keys().map(|block| function.block_instructions(block).collect()).collect();
        let is_operation = lowered.instructions.iter().copied().zip(0..).collect();
        Layout { bodies, block_of, merged: FxHashMap::default(), moved: BTreeSet::new(), uses, is_operation }
    }

    pub(crate) fn block_of(&self, inst: Inst) -> Block {
        Block::from_u32(self.block_of[self.resolve(inst)])
    }

    pub(crate) fn body(&self, block: Block) -> &[Inst] {
        &self.bodies[block.index()]
    }

    /// What stands for an instruction.
    pub(crate) fn resolve(&self, inst: Inst) -> Inst {
        self.merged.get(&inst).copied().unwrap_or(inst)
    }

    pub(crate) fn is_merged(&self, inst: Inst) -> bool {
        self.merged.contains_key(&inst)
    }

    /// The instructions that were merged, each with what stands for it.
    pub(crate) fn merged(&self) -> impl Iterator<Item = (Inst, Inst)> {
        self.merged.iter().map(|(&gone, &kept)| (gone, kept))
    }

    pub(crate) fn moved(&self) -> &BTreeSet<Inst> {
        &self.moved
    }

    pub(crate) fn position(&self, inst: Inst) -> usize {
        let body = self.body(self.block_of(inst));
        body.iter().position(|&other| other == inst).unwrap_or(body.len())
    }

    /// The uses of the result of an instruction.
    pub(crate) fn uses(&self, inst: Inst) -> &[Use] {
        self.uses.get(&inst).map_or(&[], |uses| uses)
    }

    /// The blocks in which, or at whose end, the result of an instruction has to be there.
    pub(crate) fn use_blocks(&self, inst: Inst) -> impl Iterator<Item = Block> {
        let uses = self.uses(inst).iter().filter(|one| !self.is_merged(one.user));
        uses.map(|one| one.edge.unwrap_or_else(|| self.block_of(one.user)))
    }

    /// The instruction that defines an operand.
    pub(crate) fn definition(&self, function: &Function, value: Value) -> Option<Inst> {
        match function.values[value].definition {
            Definition::Instruction(inst) => Some(self.resolve(inst)),
            _ => None,
        }
    }

    fn take_out(&mut self, inst: Inst) {
        let block = self.block_of(inst);
        self.bodies[block.index()].retain(|&other| other != inst);
        self.moved.insert(inst);
    }

    /// Puts one instruction in the place of several, before the terminator of a block.
    pub(super) fn hoist(&mut self, instructions: &[Inst], to: Block) {
        let Some((&kept, others)) = instructions.split_first() else { return };
        instructions.iter().for_each(|&inst| self.take_out(inst));
        let body = &mut self.bodies[to.index()];
        let end = body.len().saturating_sub(1);
        body.insert(end, kept);
        self.block_of[kept] = to.as_u32();
        for &other in others {
            let uses = self.uses.remove(&other).unwrap_or_default();
            self.uses.entry(kept).or_default().extend(uses);
            self.merged.insert(other, kept);
        }
        for stands in self.merged.values_mut().filter(|stands| others.contains(stands)) {
            *stands = kept;
        }
    }

    /// Where something that is sunk into a block goes: behind its phis and the tokens that come before all other operations.
    pub(super) fn start_of(&self, function: &Function, to: Block, is_token: impl Fn(Inst) -> bool) -> usize {
        let is_head = |inst: &Inst| function.instructions[*inst].opcode == Opcode::Phi || is_token(*inst);
        let body = self.body(to);
        body.iter().rposition(is_head).map_or(0, |last| last + 1)
    }

    /// Puts instructions, which are in order, at a place of a block.
    pub(super) fn sink(&mut self, instructions: &[Inst], to: Block, at: usize) {
        instructions.iter().for_each(|&inst| self.take_out(inst));
        let body = &mut self.bodies[to.index()];
        body.splice(at..at, instructions.iter().copied());
        for &inst in instructions {
            self.block_of[inst] = to.as_u32();
        }
    }

    /// The convergent operations as they stand, in the order of their blocks.
    pub(super) fn operations(&self) -> Vec<Inst> {
        self.bodies.iter().flatten().copied().filter(|inst| self.is_operation.contains_key(inst)).collect()
    }

    /// The function as the rules see it.
    pub(super) fn flow(&self, lowered: &Lowered) -> FlowFunction {
        let order = self.operations();
        let place: FxHashMap<Inst, u32> = order.iter().copied().zip(0..).collect();
        let mut operations = Vec::with_capacity(order.len());
        for (position, inst) in order.iter().enumerate() {
            let mut operation = lowered.flow.operations[self.is_operation[inst] as usize].clone();
            operation.block = Node::new(self.block_of(*inst).index());
            // Only the order counts.
            operation.position = position as u32;
            for source in operation.bundles.iter_mut().flatten() {
                if let TokenSource::Operation(definition) = source
                    && let Some(&now) = place.get(&self.resolve(lowered.instructions[*definition as usize]))
                {
                    *definition = now;
                }
            }
            operations.push(operation);
        }
        FlowFunction { graph: lowered.flow.graph.clone(), is_convergent: lowered.flow.is_convergent, operations }
    }

    /// Whether all users of a result are in a set of instructions.
    pub(crate) fn only_used_by(&self, inst: Inst, users: &FxHashSet<Inst>) -> bool {
        self.uses(inst).iter().all(|one| users.contains(&one.user))
    }
}
