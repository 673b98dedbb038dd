//! Phis and the edges that they have values for; the entry block.

use cranelift_entity::EntityRef;
use reconverge_graph::Node;
use reconverge_ir::constant::ConstantData;
use reconverge_ir::function::{Block, Definition, Inst, Value};
use reconverge_ir::opcode::Opcode;
use reconverge_ir::print_value;

use crate::{Checker, Rule};

/// Memory for counting edges. Between two blocks all numbers are 0.
#[derive(Debug, Default)]
pub(crate) struct Workspace {
    /// For each block: how many edges lead from it to the block that is looked at.
    edges: Vec<u32>,
    /// For each block: how many values the phi that is looked at has for it, and the first of them.
    seen: Vec<(u32, Option<Value>)>,
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
            let Workspace { edges, seen } = &mut self.workspace.phis;
            edges.resize(edges.len().max(function.blocks.len()), 0);
            seen.resize(seen.len().max(function.blocks.len()), (0, None));
            let graph = function.control_flow_graph();
            for (block, data) in &function.blocks {
                if function.instructions[data.first].opcode == Opcode::Phi {
                    self.phis_of(block, graph.predecessors(Node::new(block.index())));
                }
            }
            self.graph = Some(graph);
        }
        self.here = None;
    }

    fn phis_of(&mut self, block: Block, predecessors: &[Node]) {
        let function = self.function;
        if block.index() == 0 {
            self.here = Some(function.blocks[block].first);
            self.breach(Rule::Structure, "a phi in the entry block, which has no predecessors");
            return;
        }
        for predecessor in predecessors {
            self.workspace.phis.edges[predecessor.index()] += 1;
        }
        for inst in function.block_instructions(block) {
            if function.instructions[inst].opcode != Opcode::Phi {
                break;
            }
            self.phi_edges(inst, predecessors);
        }
        for predecessor in predecessors {
            self.workspace.phis.edges[predecessor.index()] = 0;
        }
    }

    fn phi_edges(&mut self, inst: Inst, predecessors: &[Node]) {
        let function = self.function;
        let (values, blocks) = (function.operands(inst), function.targets(inst));
        let mut problem = None;
        for (&value, &from) in values.iter().zip(blocks) {
            let Workspace { edges, seen } = &mut self.workspace.phis;
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
        } else if values.len() != predecessors.len() {
            let mut predecessors = predecessors.iter().map(|node| Block::new(node.index()));
            let missing = predecessors.find(|from| !blocks.contains(from));
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
