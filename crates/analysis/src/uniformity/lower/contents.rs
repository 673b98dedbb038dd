//! What variables hold that are in memory, as SSA values (refinement 8).
//!
//! **Definition.** A *variable* is an `alloca` of the entry block that is not promoted and whose address does not escape; where a function is summarised, also what
//! one of its pointer parameters points to. Its *content* is all that it holds. Whatever writes to it, or may, makes a new content, a function of the one
//! before, of the address, and of what is written. Where different contents come together is a phi. What is read is a function of the content and the address.
//!
//! So a content is the same in converged threads if the one before is, and all that is written. No content replaces another one as a whole: once it differs,
//! it does from there on. Hence, if what a function leaves in a variable is the same in all threads, so was all that it has read there.
//! What a variable holds that was not written is like `undef`.

use cranelift_entity::EntityRef;
use reconverge_graph::{Digraph, Dominators};
use reconverge_ir::function::{Block, Inst, Value};
use reconverge_ir::opcode::Opcode;
use rustc_hash::FxHashMap;

use super::instructions::{Context, address_space};
use super::phis::{Frontiers, Phis, Ssa};
use super::promote::{Promotion, UNDEFINED};
use super::variables::{Variables, object_of};

/// Functions with more variables times blocks are left alone: so much is walked through, and held at most.
const MOST_HELD: usize = 1 << 20;

/// And those with more instructions that write to variables.
const MOST_WRITES: usize = 1 << 13;

/// The contents of the variables of one function.
#[derive(Debug, Default)]
pub(super) struct Contents {
    /// By variable, its address: the result of an `alloca`, or a parameter.
    pub(super) variables: Vec<Value>,
    pub(super) phis: Phis,
    /// The contents that are written.
    pub(super) written: Vec<Written>,
    /// Those, in the order of the text.
    in_order: Vec<u32>,
    /// What a variable holds before an instruction that reads or writes it.
    before: FxHashMap<(Inst, u32), Ssa>,
    /// The number of the first phi; after the phis are those that are written.
    first: Ssa,
}

/// What a variable holds after an instruction.
#[derive(Debug, Clone, Copy)]
pub(super) struct Written {
    pub(super) inst: Inst,
    pub(super) variable: u32,
    /// What it holds before.
    pub(super) before: Ssa,
}

impl Contents {
    pub(super) fn clear(&mut self) {
        let Contents { variables, phis, written, in_order, before, first } = self;
        variables.clear();
        phis.clear();
        written.clear();
        in_order.clear();
        before.clear();
        *first = 0;
    }

    /// How many contents there are.
    pub(super) fn count(&self) -> usize {
        self.phis.len() + self.written.len()
    }

    /// Finds the variables of a function, and what they hold. O(instructions + variables × blocks).
    pub(super) fn compute(
        &mut self,
        context: &Context<'_>,
        promotion: &Promotion,
        variables: &mut Variables,
        graph: &Digraph,
    ) {
        self.clear();
        let function = context.input.function;
        let mut writes: Vec<(Inst, u32)> = Vec::new();
        for candidate in candidates(context, promotion) {
            let uses = variables.uses(context, candidate);
            if !uses.are_writes() {
                continue;
            }
            let variable = self.variables.len() as u32;
            writes.extend(uses.stores.iter().chain(&uses.written_by).map(|&inst| (inst, variable)));
            self.variables.push(candidate);
        }
        let held = self.variables.len() * function.blocks.len();
        if self.variables.is_empty() || held > MOST_HELD || writes.len() > MOST_WRITES {
            return self.variables.clear();
        }
        writes.sort_unstable();
        writes.dedup();
        let dominators = variables.dominators(function);
        let Some(frontiers) = Frontiers::compute(graph, dominators) else { return self.variables.clear() };
        let mut blocks: Vec<(u32, Block)> =
            writes.iter().map(|&(inst, variable)| (variable, function.instructions[inst].block)).collect();
        blocks.sort_unstable();
        self.phis.place(&frontiers, graph.node_count(), &blocks);
        self.first = (function.values.len() + promotion.phis.len()) as Ssa;
        self.rename(context, promotion, dominators, &writes);
        self.in_order = (0..self.written.len() as u32).collect();
        self.in_order.sort_unstable_by_key(|&written| self.written[written as usize].inst);
    }

    /// Walks the dominator tree with what each variable holds.
    fn rename(
        &mut self,
        context: &Context<'_>,
        promotion: &Promotion,
        dominators: &Dominators,
        writes: &[(Inst, u32)],
    ) {
        let function = context.input.function;
        let initial =
            |&variable: &Value| if function.parameters.contains(&variable) { variable.as_u32() } else { UNDEFINED };
        let initial: Vec<Ssa> = self.variables.iter().map(initial).collect();
        // What each variable holds at the end of the blocks from the entry to this one.
        let mut open: Vec<(usize, Vec<Ssa>)> = Vec::new();
        for (position, &node) in dominators.tree_preorder().iter().enumerate() {
            while open.last().is_some_and(|&(end, _)| position >= end) {
                open.pop();
            }
            let mut current = open.last().map_or_else(|| initial.clone(), |(_, current)| current.clone());
            let block = Block::new(node.index());
            for phi in self.phis.of_block(block) {
                current[self.phis.all[phi].variable as usize] = self.first + phi as Ssa;
            }
            for inst in function.block_instructions(block) {
                for variable in self.read_by(context, promotion, inst) {
                    self.before.insert((inst, variable), current[variable as usize]);
                }
                let start = writes.partition_point(|&(other, _)| other < inst);
                for &(_, variable) in writes[start..].iter().take_while(|&&(other, _)| other == inst) {
                    let before = current[variable as usize];
                    self.before.insert((inst, variable), before);
                    current[variable as usize] = self.first + self.count() as Ssa;
                    self.written.push(Written { inst, variable, before });
                }
            }
            self.phis.leave(function, block, &current);
            open.push((position + dominators.dominated(node).len(), current));
        }
        self.phis.finish();
    }

    /// The variables that an instruction may read: that of the address of a load, those of the arguments of a call, and all at a return.
    fn read_by(&self, context: &Context<'_>, promotion: &Promotion, inst: Inst) -> Vec<u32> {
        let function = context.input.function;
        let data = &function.instructions[inst];
        let operands = match data.opcode {
            Opcode::Load => &function.operands(inst)[..1],
            Opcode::Call | Opcode::Invoke => function.operands(inst),
            Opcode::Ret => return (0..self.variables.len() as u32).collect(),
            _ => &[],
        };
        operands.iter().filter_map(|&operand| self.variable_of(context, promotion, operand)).collect()
    }

    /// The variable that an address is in.
    pub(super) fn variable_of(&self, context: &Context<'_>, promotion: &Promotion, address: Value) -> Option<u32> {
        let function = context.input.function;
        if self.variables.is_empty() {
            return None;
        }
        address_space(context.input.module, function.values[address].ty)?;
        let object = object_of(function, promotion, address)?;
        self.variables.iter().position(|&variable| variable == object).map(|variable| variable as u32)
    }

    /// What a variable holds before an instruction that reads or writes it.
    pub(super) fn before(&self, inst: Inst, variable: u32) -> Option<Ssa> {
        self.before.get(&(inst, variable)).copied()
    }

    /// What a variable holds after an instruction that reads or writes it.
    pub(super) fn after(&self, inst: Inst, variable: u32) -> Option<Ssa> {
        let mut written = self.written_by(inst);
        match written.find(|&written| self.written[written].variable == variable) {
            Some(written) => Some(self.ssa_of_written(written)),
            None => self.before(inst, variable),
        }
    }

    /// The contents that an instruction writes.
    pub(super) fn written_by(&self, inst: Inst) -> impl Iterator<Item = usize> + use<'_> {
        let of = |&written: &u32| self.written[written as usize].inst;
        let start = self.in_order.partition_point(|written| of(written) < inst);
        self.in_order[start..].iter().take_while(move |written| of(written) == inst).map(|&written| written as usize)
    }

    pub(super) fn ssa_of_written(&self, written: usize) -> Ssa {
        self.first + (self.phis.len() + written) as Ssa
    }

    pub(super) fn ssa_of_phi(&self, phi: usize) -> Ssa {
        self.first + phi as Ssa
    }
}

/// The addresses of what may be variables.
fn candidates(context: &Context<'_>, promotion: &Promotion) -> Vec<Value> {
    let function = context.input.function;
    let mut candidates = Vec::new();
    if context.options.shared_pointees {
        let is_pointer =
            |&&parameter: &&Value| address_space(context.input.module, function.values[parameter].ty).is_some();
        candidates.extend(function.parameters.iter().filter(is_pointer));
    }
    if let Some(entry) = function.blocks.keys().next() {
        let in_memory = function.block_instructions(entry).filter_map(|inst| {
            let data = &function.instructions[inst];
            data.result.expand().filter(|_| data.opcode == Opcode::Alloca && !promotion.is_promoted(inst))
        });
        candidates.extend(in_memory);
    }
    candidates
}
