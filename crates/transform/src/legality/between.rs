//! What is between two places, one of which dominates the other.

use reconverge_ir::function::{Block, Inst};
use reconverge_ir::opcode::Opcode;
use rustc_hash::FxHashSet;

use super::{Legality, Operation, Verdict, block, node, section};

/// The blocks on paths from `upper` to `lower` that do not come back to `upper`, without both.
pub(super) struct Between {
    pub(super) blocks: FxHashSet<Block>,
}

impl Legality<'_> {
    pub(super) fn between(&self, upper: Block, lower: Block) -> Between {
        let graph = &self.lowered.flow.graph;
        let flood = |from: &[Block], forward: bool| {
            let mut seen: FxHashSet<Block> = FxHashSet::default();
            let mut stack: Vec<Block> = from.to_vec();
            while let Some(at) = stack.pop() {
                if at == upper || at == lower || !self.dominators.is_reachable(node(at)) || !seen.insert(at) {
                    continue;
                }
                let next = if forward { graph.successors(node(at)) } else { graph.predecessors(node(at)) };
                stack.extend(next.iter().map(|&next| block(next)));
            }
            seen
        };
        let blocks = |nodes: &[reconverge_graph::Node]| nodes.iter().map(|&at| block(at)).collect::<Vec<_>>();
        let below = flood(&blocks(graph.successors(node(upper))), true);
        let above = flood(&blocks(graph.predecessors(node(lower))), false);
        Between { blocks: below.intersection(&above).copied().collect() }
    }

    /// Whether two places, and all between unless only they count, are in the same cycles, each of one entry.
    pub(super) fn same_cycles(
        &self,
        upper: Block,
        lower: Block,
        between: &Between,
        ends_only: bool,
    ) -> Result<(), Verdict> {
        let innermost = |at: Block| self.forest.innermost(node(at));
        let cycle = innermost(upper);
        if let Some(cycle) = cycle
            && let Some(irreducible) = std::iter::once(cycle)
                .chain(self.forest.ancestors(cycle))
                .find(|&cycle| !self.forest.is_reducible(cycle))
        {
            let header = block(self.forest.cycles[irreducible].header);
            let rule = "which threads are together in a cycle with several entries is not settled by the program";
            let at = self
                .at(self.function.blocks[header].first, format!("an entry of the cycle, {}", self.block_name(header)));
            return Err(Verdict::no(section::INSTANCES, rule, vec![at]));
        }
        let between = between.blocks.iter().copied().filter(|_| !ends_only);
        let mut others = between.chain([lower]).collect::<Vec<_>>();
        others.sort_unstable();
        let Some(other) = others.into_iter().find(|&other| innermost(other) != cycle) else { return Ok(()) };
        let rule = "operations and anchors are moved neither into nor out of nor across a cycle";
        let depth = |at: Block| self.forest.depth(node(at));
        let deeper = if depth(other) >= depth(upper) { other } else { upper };
        let header = innermost(deeper).map_or(deeper, |cycle| block(self.forest.cycles[cycle].header));
        let first = self.function.blocks[header].first;
        let what = format!("the header of the cycle, {}", self.block_name(header));
        Err(Verdict::no(section::MOTION, rule, vec![self.at(first, what)]))
    }

    /// Whether all threads that come to the end of `from` come to one of `goals` in acyclic control flow.
    pub(super) fn all_paths_meet(&self, from: Block, goals: &[Block]) -> bool {
        let graph = &self.lowered.flow.graph;
        let cycle = self.forest.innermost(node(from));
        let mut seen: FxHashSet<Block> = FxHashSet::default();
        let mut stack: Vec<Block> = graph.successors(node(from)).iter().map(|&next| block(next)).collect();
        if stack.is_empty() {
            return false;
        }
        while let Some(at) = stack.pop() {
            if goals.contains(&at) || !seen.insert(at) {
                continue;
            }
            let next = graph.successors(node(at));
            let is_header = cycle.is_some_and(|cycle| self.forest.cycles[cycle].header == node(at));
            if at == from || is_header || next.is_empty() || self.forest.innermost(node(at)) != cycle {
                return false;
            }
            stack.extend(next.iter().map(|&next| block(next)));
        }
        true
    }

    /// The blocks from `upper` down whose branch decides whether a thread comes to one of `lower`, or to which.
    pub(super) fn deciding_branches(&self, upper: Block, lower: &[Block], between: &FxHashSet<Block>) -> Vec<Block> {
        let graph = &self.lowered.flow.graph;
        let decides = |&at: &Block| {
            let next = graph.successors(node(at));
            if next.iter().all(|&other| other == next[0]) {
                return false;
            }
            let meeting = self.post_dominators.immediate_post_dominator(node(at)).map(block);
            let is_before = |meeting: Block| between.contains(&meeting) || lower == [meeting];
            !meeting.is_some_and(|meeting| is_before(meeting) && self.all_paths_meet(at, &[meeting]))
        };
        let mut blocks: Vec<Block> = between.iter().copied().chain([upper]).filter(decides).collect();
        blocks.sort_unstable();
        blocks
    }

    /// What an operation cannot be moved past, among some instructions.
    pub(super) fn obstacle(
        &self,
        operation: &Operation,
        crossed: impl Iterator<Item = Inst>,
        together: &[Inst],
    ) -> Option<Verdict> {
        if operation.is_anchor() {
            return None;
        }
        for inst in crossed.filter(|inst| !together.contains(inst)) {
            let data = &self.function.instructions[inst];
            if data.opcode == Opcode::Phi {
                continue;
            }
            let other = self.operation(inst);
            if operation.kind.is_some() && other.communicates() {
                let rule = "a convergent operation is not moved past another one";
                return Some(Verdict::no(section::EXAMPLES, rule, vec![self.at(inst, "the other one")]));
            }
            if !other.returns {
                let rule =
                    "threads that do not come back from a call in between would take part, or no longer take part";
                return Some(Verdict::no(section::EXAMPLES, rule, vec![self.at(inst, "this need not return")]));
            }
            if other.touches_memory && !operation.motion.result_only {
                let rule = "nothing says that the operation does no more than give its result, so it is not moved past accesses to memory";
                return Some(Verdict::no(section::EXAMPLES, rule, vec![self.at(inst, "an access to memory")]));
            }
        }
        None
    }
}
