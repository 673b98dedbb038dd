//! Phis of variables: where they go, and what their operands are.

use cranelift_entity::EntityRef;
use reconverge_graph::{Digraph, Dominators, Node};
use reconverge_ir::Function;
use reconverge_ir::function::Block;

use super::NONE;

/// A value of the promoted form: an IR value by its index, then the phis of promoted variables, then the contents of those in memory;
/// or [`UNDEFINED`](super::promote::UNDEFINED).
pub(super) type Ssa = u32;

/// Above this many edges of dominance frontiers for each node and edge of the graph, variables that need phis are left in
/// memory: only deep nests of loops have so many.
const FRONTIER_FACTOR: usize = 32;

/// A phi of a variable.
#[derive(Debug, Clone, Copy)]
pub(super) struct Phi {
    pub(super) block: Block,
    pub(super) variable: u32,
}

/// An operand of a phi, in the order in which they are found.
#[derive(Debug, Clone, Copy)]
pub(super) struct PhiOperand {
    pub(super) phi: u32,
    pub(super) value: Ssa,
    pub(super) from: Block,
}

/// The phis of some variables.
#[derive(Debug, Default)]
pub(super) struct Phis {
    /// By block, then by variable.
    pub(super) all: Vec<Phi>,
    /// By phi.
    pub(super) operands: Vec<PhiOperand>,
}

impl Phis {
    pub(super) fn clear(&mut self) {
        self.all.clear();
        self.operands.clear();
    }

    pub(super) fn len(&self) -> usize {
        self.all.len()
    }

    /// Puts phis into the iterated dominance frontiers of the blocks that write to each variable; `written` is by variable.
    pub(super) fn place(&mut self, frontiers: &Frontiers, node_count: usize, written: &[(u32, Block)]) {
        let mut has_phi = vec![NONE; node_count];
        let mut work: Vec<Block> = Vec::new();
        for of_variable in written.chunk_by(|left, right| left.0 == right.0) {
            let variable = of_variable[0].0;
            work.extend(of_variable.iter().map(|&(_, block)| block));
            while let Some(block) = work.pop() {
                for &node in frontiers.of(Node::new(block.index())) {
                    if std::mem::replace(&mut has_phi[node.index()], variable) != variable {
                        let block = Block::new(node.index());
                        self.all.push(Phi { block, variable });
                        work.push(block);
                    }
                }
            }
        }
        self.all.sort_unstable_by_key(|phi| (phi.block, phi.variable));
    }

    /// Notes what variables hold at the end of a block, for the phis of those that follow.
    pub(super) fn leave(&mut self, function: &Function, block: Block, current: &[Ssa]) {
        for &successor in function.successors(block) {
            for phi in self.of_block(successor) {
                let value = current[self.all[phi].variable as usize];
                self.operands.push(PhiOperand { phi: phi as u32, value, from: block });
            }
        }
    }

    /// To be called when all blocks have been left.
    pub(super) fn finish(&mut self) {
        self.operands.sort_by_key(|operand| operand.phi);
    }

    /// The operands of a phi.
    pub(super) fn operands_of(&self, phi: usize) -> &[PhiOperand] {
        let start = self.operands.partition_point(|operand| (operand.phi as usize) < phi);
        let length = self.operands[start..].partition_point(|operand| operand.phi as usize == phi);
        &self.operands[start..start + length]
    }

    /// The phis of a block, as indices.
    pub(super) fn of_block(&self, block: Block) -> std::ops::Range<usize> {
        let start = self.all.partition_point(|phi| phi.block < block);
        let length = self.all[start..].partition_point(|phi| phi.block == block);
        start..start + length
    }
}

/// Dominance frontiers: `b` is in that of `a` iff `a` dominates a predecessor of `b` and does not strictly dominate `b`.
pub(super) struct Frontiers {
    starts: Vec<u32>,
    nodes: Vec<Node>,
}

impl Frontiers {
    /// By Cooper, Harvey and Kennedy: for each edge into a join, go up the dominator tree. Nothing if the frontiers are
    /// too large.
    pub(super) fn compute(graph: &Digraph, dominators: &Dominators) -> Option<Frontiers> {
        let limit = FRONTIER_FACTOR * (graph.node_count() + graph.edge_count());
        let mut pairs: Vec<(Node, Node)> = Vec::new();
        let mut last = vec![NONE; graph.node_count()];
        for &join in dominators.tree_preorder() {
            let predecessors = graph.predecessors(join);
            if predecessors.len() < 2 {
                continue;
            }
            let stop = dominators.immediate_dominator(join);
            for &predecessor in predecessors {
                let mut next = dominators.is_reachable(predecessor).then_some(predecessor);
                while let Some(node) = next
                    && next != stop
                    && std::mem::replace(&mut last[node.index()], join.as_u32()) != join.as_u32()
                {
                    pairs.push((node, join));
                    next = dominators.immediate_dominator(node);
                }
            }
            if pairs.len() > limit {
                return None;
            }
        }
        let mut starts = vec![0u32; graph.node_count() + 1];
        for &(node, _) in &pairs {
            starts[node.index() + 1] += 1;
        }
        for index in 1..starts.len() {
            starts[index] += starts[index - 1];
        }
        let mut next = starts.clone();
        let mut nodes = vec![Node::new(0); pairs.len()];
        for (node, join) in pairs {
            let slot = &mut next[node.index()];
            nodes[*slot as usize] = join;
            *slot += 1;
        }
        Some(Frontiers { starts, nodes })
    }

    pub(super) fn of(&self, node: Node) -> &[Node] {
        &self.nodes[self.starts[node.index()] as usize..self.starts[node.index() + 1] as usize]
    }
}
