//! Phis and the edges that they have values for; the entry block.

use cranelift_entity::EntityRef;
use reconverge_ir::constant::ConstantData;
use reconverge_ir::function::{Block, Definition, Inst, Value};
use reconverge_ir::opcode::Opcode;
use reconverge_ir::print_value;

use crate::{Checker, Rule};

/// Memory for the predecessors of blocks.
#[derive(Debug, Default)]
pub(crate) struct Workspace {
    /// For each block, where its predecessors begin in `predecessors`; one more at the end.
    starts: Vec<u32>,
    /// One for each edge.
    predecessors: Vec<Block>,
    /// For each block: how many edges lead from it to the block that is looked at.
    edges: Vec<u32>,
    /// For each block: how many values the phi that is looked at has for it, and the first of them.
    seen: Vec<(u32, Option<Value>)>,
}

impl Workspace {
    fn fill(&mut self, function: &reconverge_ir::Function) {
        let blocks = function.blocks.len();
        self.starts.clear();
        self.starts.resize(blocks + 1, 0);
        self.edges.clear();
        self.edges.resize(blocks, 0);
        self.seen.clear();
        self.seen.resize(blocks, (0, None));
        let mut total = 0;
        for block in function.blocks.keys() {
            for target in function.successors(block) {
                self.starts[target.index() + 1] += 1;
                total += 1;
            }
        }
        for index in 0..blocks {
            self.starts[index + 1] += self.starts[index];
        }
        self.predecessors.clear();
        self.predecessors.resize(total, Block::new(0));
        // Filled from the end of each list, so that the starts are right again afterwards.
        for block in function.blocks.keys() {
            for target in function.successors(block) {
                let end = &mut self.starts[target.index() + 1];
                *end -= 1;
                self.predecessors[*end as usize] = block;
            }
        }
        for index in 0..blocks {
            self.starts[index] = self.starts[index + 1];
        }
        self.starts[blocks] = total as u32;
    }
}

impl Checker<'_, '_> {
    /// Looks at the order of blocks, phis and landing pads.
    pub(crate) fn structure(&mut self) {
        let function = self.function;
        let mut has_phis = false;
        for (block, data) in &function.blocks {
            has_phis |= function.instructions[data.first].opcode == Opcode::Phi;
            let terminator = function.terminator(block);
            if function.targets(terminator).iter().any(|target| target.index() == 0) {
                self.here = Some(terminator);
                self.breach(Rule::Structure, "a branch to the entry block, which cannot have predecessors");
            }
        }
        if has_phis {
            self.workspace.phis.fill(function);
            for block in function.blocks.keys() {
                self.phis_of(block);
            }
        }
        self.here = None;
    }

    fn phis_of(&mut self, block: Block) {
        let function = self.function;
        let mut phis =
            function.block_instructions(block).take_while(|&inst| function.instructions[inst].opcode == Opcode::Phi);
        let Some(first) = phis.next() else { return };
        let index = block.index();
        let Workspace { starts, predecessors, .. } = &self.workspace.phis;
        let range = starts[index] as usize..starts[index + 1] as usize;
        let count = range.len();
        if block.index() == 0 {
            self.here = Some(first);
            self.breach(Rule::Structure, "a phi in the entry block, which has no predecessors");
            return;
        }
        let predecessors: smallvec::SmallVec<[Block; 8]> = predecessors[range].into();
        for predecessor in &predecessors {
            self.workspace.phis.edges[predecessor.index()] += 1;
        }
        for inst in std::iter::once(first).chain(phis) {
            self.phi_edges(inst, count);
        }
        for predecessor in &predecessors {
            self.workspace.phis.edges[predecessor.index()] = 0;
        }
    }

    fn phi_edges(&mut self, inst: Inst, count: usize) {
        let function = self.function;
        let (values, blocks) = (function.operands(inst), function.targets(inst));
        let mut problem = None;
        for (&value, &from) in values.iter().zip(blocks) {
            let Workspace { edges, seen, .. } = &mut self.workspace.phis;
            let (times, known) = &mut seen[from.index()];
            *times += 1;
            if *times > edges[from.index()] {
                problem.get_or_insert((from, edges[from.index()] == 0));
            }
            let first = *known.get_or_insert(value);
            if first != value && problem.is_none() && !self.is_same(first, value) {
                problem = Some((from, false));
            }
        }
        for from in blocks {
            self.workspace.phis.seen[from.index()] = (0, None);
        }
        self.here = Some(inst);
        if let Some((from, is_none)) = problem {
            let from = self.block_name(from);
            let message = if is_none {
                format!("this phi has a value for '%{from}', which is no predecessor of its block")
            } else {
                format!("this phi has several values for '%{from}'")
            };
            self.breach(Rule::Structure, message);
        } else if values.len() != count {
            let block = function.instructions[inst].block;
            let missing = {
                let Workspace { starts, predecessors, .. } = &self.workspace.phis;
                let range = starts[block.index()] as usize..starts[block.index() + 1] as usize;
                predecessors[range].iter().find(|from| !blocks.contains(from)).copied()
            };
            let message = match missing {
                Some(from) => format!("this phi has no value for the predecessor '%{}'", self.block_name(from)),
                None => "this phi has another number of values than its block has predecessors".to_string(),
            };
            self.breach(Rule::Structure, message);
        }
    }

    /// Whether two operands are the same value. Constants are one for each mention.
    fn is_same(&self, one: Value, other: Value) -> bool {
        let definition = |value: Value| self.function.values[value].definition;
        one == other
            || match (definition(one), definition(other)) {
                (Definition::Constant(one_data), Definition::Constant(other_data)) => {
                    let simple = |data| matches!(data, ConstantData::Integer(_) | ConstantData::Global(_));
                    if simple(one_data) || simple(other_data) {
                        let bits = crate::types::bits(self.module, self.function.values[one].ty).min(64) as u32;
                        return match (one_data, other_data) {
                            (ConstantData::Integer(one), ConstantData::Integer(other)) => {
                                (one ^ other) << (64 - bits.max(1)) == 0
                            }
                            (ConstantData::Integer(0), ConstantData::Zero)
                            | (ConstantData::Zero, ConstantData::Integer(0)) => true,
                            _ => one_data == other_data,
                        };
                    }
                    print_value(self.module, self.function, one) == print_value(self.module, self.function, other)
                }
                _ => false,
            }
    }
}
