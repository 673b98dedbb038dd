//! Loops of a function in its promoted form, and what goes on by steps in them.
//!
//! **Definition.** A phi *strides* in a loop if its block is the header, the loop has one way back, and the phi is given one value from outside and, from there, the sum of itself
//! and a step that no round changes. In round `j` it is the first value and `j` steps: where a step is a multiple of `2^k`, threads that are in one round differ in what
//! they started with below `2^k`, and in nothing above. That is what a comparison of threads that are converged needs; another round has another number, so
//! what is concluded is [`Varying`](crate::uniformity::Rule::Varying).

use cranelift_entity::EntityRef;
use reconverge_graph::{Digraph, Node};
use reconverge_ir::function::{Block, Definition, Inst};
use reconverge_ir::opcode::Opcode;
use rustc_hash::{FxHashMap, FxHashSet};

use super::instructions::{Context, ir_value};
use super::phis::Ssa;
use super::promote::Promotion;

/// Loops with more blocks are left alone.
const MOST_BLOCKS: usize = 256;

/// What is asked about loops.
#[derive(Clone, Copy)]
pub(super) struct Loops<'a> {
    pub(super) context: &'a Context<'a>,
    pub(super) promotion: &'a Promotion,
    pub(super) graph: &'a Digraph,
}

impl<'a> Loops<'a> {
    pub(super) fn inst(self, value: Ssa) -> Option<Inst> {
        let function = self.context.input.function;
        match function.values[ir_value(function, value)?].definition {
            Definition::Instruction(inst) => Some(inst),
            _ => None,
        }
    }

    /// The instruction that makes a value, and what it does.
    pub(super) fn operation(self, value: Ssa) -> Option<(Opcode, Inst)> {
        let inst = self.inst(value)?;
        Some((self.context.input.function.instructions[inst].opcode, inst))
    }

    pub(super) fn operands(self, inst: Inst) -> impl Iterator<Item = Ssa> + use<'a> {
        self.context.input.function.operands(inst).iter().map(move |&value| self.promotion.resolve(value))
    }

    /// The two values of a phi, with the blocks that they come from.
    pub(super) fn incoming(self, value: Ssa) -> Option<[(Ssa, Block); 2]> {
        let function = self.context.input.function;
        if ir_value(function, value).is_none() {
            let phi =
                (value as usize).checked_sub(function.values.len()).filter(|&phi| phi < self.promotion.phis.len())?;
            let [one, other] = self.promotion.phis.operands_of(phi) else { return None };
            return Some([(one.value, one.from), (other.value, other.from)]);
        }
        let (_, inst) = self.operation(value).filter(|&(opcode, _)| opcode == Opcode::Phi)?;
        let pairs: Vec<(Ssa, Block)> = self.operands(inst).zip(function.targets(inst).iter().copied()).collect();
        pairs.try_into().ok()
    }

    pub(super) fn block_of(self, value: Ssa) -> Option<Block> {
        let function = self.context.input.function;
        match self.inst(value) {
            Some(inst) => Some(function.instructions[inst].block),
            None => {
                let phi = (value as usize).checked_sub(function.values.len())?;
                self.promotion.phis.all.get(phi).map(|phi| phi.block)
            }
        }
    }

    /// The blocks that lead to a latch and not through the header first.
    pub(super) fn blocks(self, header: Block, latch: Block) -> Option<FxHashSet<Block>> {
        let mut blocks = FxHashSet::from_iter([header]);
        let mut open = vec![latch];
        while let Some(block) = open.pop() {
            if !blocks.insert(block) {
                continue;
            }
            // What the header does not dominate is reached from the entry without it.
            if block.index() == 0 || blocks.len() > MOST_BLOCKS {
                return None;
            }
            open.extend(self.graph.predecessors(Node::new(block.index())).iter().map(|from| Block::new(from.index())));
        }
        Some(blocks)
    }

    /// Of a phi that strides, how.
    fn stride(self, value: Ssa) -> Option<Stride> {
        let incoming = self.incoming(value)?;
        let header = self.block_of(value)?;
        let of = |(first, outside): (Ssa, Block), (next, latch): (Ssa, Block)| {
            let (opcode, inst) = self.operation(next)?;
            let [one, other] = self.operands(inst).collect::<Vec<_>>()[..] else { return None };
            let step = match opcode {
                Opcode::Add | Opcode::Sub if one == value => other,
                Opcode::Add if other == value => one,
                _ => return None,
            };
            let blocks = self.blocks(header, latch)?;
            let is_outside = |block: Option<Block>| block.is_none_or(|block| !blocks.contains(&block));
            (is_outside(Some(outside)) && is_outside(self.block_of(step))).then_some(Stride { first, step, blocks })
        };
        let [one, other] = incoming;
        of(one, other).or_else(|| of(other, one))
    }
}

/// How a phi strides.
#[derive(Debug)]
pub(super) struct Stride {
    /// What it starts with.
    pub(super) first: Ssa,
    pub(super) step: Ssa,
    blocks: FxHashSet<Block>,
}

/// The phis of a function that stride.
#[derive(Debug, Default)]
pub(super) struct Strides(FxHashMap<Ssa, Stride>);

impl Strides {
    /// Looks for them. O(phis and blocks of their loops).
    pub(super) fn compute(context: &Context<'_>, promotion: &Promotion, graph: &Digraph) -> Strides {
        let function = context.input.function;
        if !context.options.refinements.value_facts || !context.input.facts.has_thread_ids() {
            return Strides::default();
        }
        let loops = Loops { context, promotion, graph };
        let phis = function.instructions.values().filter(|data| data.opcode == Opcode::Phi);
        let results = phis.filter_map(|data| data.result.expand()).map(|value| value.as_u32());
        let first = function.values.len() as Ssa;
        let all = results.chain(first..first + promotion.phis.len() as Ssa);
        Strides(all.filter_map(|value| Some((value, loops.stride(value)?))).collect())
    }

    /// How a value strides, in a block of the loop.
    pub(super) fn of(&self, value: Ssa, block: Block) -> Option<&Stride> {
        self.0.get(&value).filter(|stride| stride.blocks.contains(&block))
    }
}
