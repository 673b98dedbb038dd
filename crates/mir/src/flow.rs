//! The control flow of a machine function.
//!
//! **Definition.** The successors of a block are those of its `successors:` line. LLVM leaves the line out where the instructions say the same: then they are the blocks
//! that its instructions name, in the order of the text, and the next block where nothing ends the block. A block is a successor of another at most once.
//!
//! **Invariant.** Node *i* is block *i*. No edge leads to the entry of the graph: where a block goes back to the first one, a node behind all blocks is the entry.

use cranelift_entity::EntityRef;
use reconverge_graph::{Digraph, Node};

use crate::error::ReadError;
use crate::function::{Block, BlockIndex, Function, What};
use crate::machine::Machine;

/// The control-flow graph of a machine function.
#[derive(Debug, Clone)]
pub struct Graph {
    /// The graph.
    pub digraph: Digraph,
    /// How many of its nodes are blocks: all, or all but the entry.
    pub blocks: usize,
}

impl<'t> Function<'t> {
    /// The control-flow graph; `machine` says which instructions end a block. O(function).
    ///
    /// # Errors
    /// When a block has no `successors:` line, and nothing says whether its last instruction ends it.
    pub fn graph(&self, machine: Option<&Machine>) -> Result<Graph, ReadError> {
        let mut edges: Vec<(Node, Node)> = Vec::new();
        // By block: the last one that it is a successor of.
        let mut seen: Vec<Option<BlockIndex>> = vec![None; self.blocks.len()];
        for (index, block) in (0..).zip(&self.blocks) {
            let mut add = |target: BlockIndex| {
                if seen[target as usize].replace(index) != Some(index) {
                    edges.push((Node::from_u32(index), Node::from_u32(target)));
                }
            };
            match &block.successors {
                Some(range) => {
                    self.successors[range.start as usize..range.end as usize].iter().for_each(|&target| add(target));
                }
                None => {
                    self.named_blocks(block).for_each(&mut add);
                    if index as usize + 1 < self.blocks.len() && self.falls_through(block, machine)? {
                        add(index + 1);
                    }
                }
            }
        }
        let blocks = self.blocks.len();
        let entry = Node::from_u32(0);
        let is_entered_again = edges.iter().any(|&(_, to)| to == entry);
        let (count, entry) = if is_entered_again {
            edges.push((Node::new(blocks), entry));
            (blocks + 1, Node::new(blocks))
        } else {
            (blocks, entry)
        };
        Ok(Graph { digraph: Digraph::from_edges(count, entry, &edges), blocks })
    }

    /// The blocks that instructions other than phis name.
    fn named_blocks(&self, block: &Block<'t>) -> impl Iterator<Item = BlockIndex> {
        let instructions = self.instructions_of(block).iter().filter(|instruction| !instruction.is_phi());
        instructions.flat_map(|instruction| self.operands(instruction)).filter_map(|operand| match operand.what {
            What::Block(block) => Some(block),
            _ => None,
        })
    }

    /// Whether threads go on to the next block without a jump.
    fn falls_through(&self, block: &Block<'t>, machine: Option<&Machine>) -> Result<bool, ReadError> {
        let Some(last) = self.instructions_of(block).last() else { return Ok(true) };
        match machine {
            Some(machine) => Ok(!machine.ends_block(last.opcode)),
            None if Machine::GENERIC.ends_block(last.opcode) => Ok(false),
            None => {
                let Block { number, .. } = block;
                let message = format!(
                    "bb.{number} has no `successors:` line, and whether `{}` ends it is not known for this target",
                    last.opcode
                );
                Err(ReadError::new(last.offset, message))
            }
        }
    }
}
