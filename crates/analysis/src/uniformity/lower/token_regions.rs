//! Convergence regions that leave the cycle of their definition (refinement 3), and where they cut blocks.
//!
//! While threads are in the region of a token, only those that executed its definition together are converged. Inside of
//! the innermost cycle of the definition that is nothing new. Outside of it, it takes away temporal divergence: so what matters are
//! the regions with a node there. In a reducible cycle they are those with a *use* there: if the region left the cycle and came back,
//! a path from the header of the cycle to the use would avoid the definition, unless that is in the header; then the path
//! executes it. In other cycles that depends on the hierarchy, and all regions are given.
//!
//! A definition in such a region is executed together only by threads that are converged there, so its own region goes on with
//! what the other one began, and may leave it: it is given, too.

use cranelift_entity::EntityRef;
use reconverge_graph::{CycleForest, Dominators, Node, SuccessorOrder};
use reconverge_ir::function::{Block, Inst};
use reconverge_ir::{Function, FunctionId, Module};
use rustc_hash::FxHashMap;

use crate::flow::OperationIndex;
use crate::lower::{Lowered as Operations, lower as lower_operations};
use crate::regions::{RegionBlock, RegionEnd, RegionStart, UsesByDefinition, dominated_uses, region_blocks};

/// The regions of a function, in terms of blocks and instructions.
#[derive(Debug, Default)]
pub(super) struct TokenRegions {
    /// The instructions behind which a block is cut, ascending.
    pub(super) cuts: Vec<Inst>,
    /// Of each region the block of the definition and the parts.
    pub(super) regions: Vec<TokenRegion>,
}

#[derive(Debug)]
pub(super) struct TokenRegion {
    pub(super) definition: Inst,
    /// The blocks that the region covers from their start, or from behind the definition, up to an instruction (which is
    /// included) or the end.
    pub(super) parts: Vec<(Block, Option<Inst>)>,
}

impl TokenRegions {
    /// O(blocks + edges + operations) plus the sizes of the regions that are given.
    pub(super) fn compute(
        module: &Module<'_>,
        id: FunctionId,
        function: &Function,
        dominators: Option<Dominators>,
    ) -> TokenRegions {
        let Operations { flow, instructions } = lower_operations(module, id, function);
        let mut found = TokenRegions::default();
        if !flow.operations.iter().any(|operation| operation.kind.defines_token()) {
            return found;
        }
        let dominators = dominators.unwrap_or_else(|| Dominators::compute(&flow.graph));
        let uses = dominated_uses(&flow, &dominators);
        if uses.is_empty() {
            return found;
        }
        let forest = CycleForest::compute(&flow.graph, SuccessorOrder::Forward);
        let by_definition = UsesByDefinition::new(&flow, &uses);
        let instruction = |operation: OperationIndex| instructions[operation as usize];
        let leaves = |definition: OperationIndex| {
            let uses = by_definition.uses(definition).iter().map(|&user| flow.block_of(user));
            leaves_cycle(&forest, flow.block_of(definition), uses)
        };
        let definitions = (0..flow.operations.len() as OperationIndex)
            .filter(|&definition| !by_definition.uses(definition).is_empty());
        let (mut given, others): (Vec<OperationIndex>, Vec<OperationIndex>) = definitions.partition(|&it| leaves(it));
        // The others, by block, until they are found to be inside of one that is given.
        let mut pending: FxHashMap<Block, Vec<OperationIndex>> = FxHashMap::default();
        if !given.is_empty() {
            for definition in others {
                let block = Block::new(flow.block_of(definition).index());
                pending.entry(block).or_default().push(definition);
            }
        }
        while let Some(definition) = given.pop() {
            let uses = by_definition.uses(definition);
            let mut parts = Vec::new();
            for RegionBlock { block, start, end } in region_blocks(&flow, &dominators, definition, uses) {
                let block = Block::new(block.index());
                let end = match end {
                    RegionEnd::Block => None,
                    RegionEnd::Use(user) => Some(instruction(user)),
                };
                let is_inside = |&mut it: &mut OperationIndex| {
                    (start == RegionStart::Block || instruction(it) > instruction(definition))
                        && end.is_none_or(|end| instruction(it) <= end)
                };
                if let Some(others) = pending.get_mut(&block) {
                    given.extend(others.extract_if(.., is_inside));
                }
                found.cuts.extend(end);
                parts.push((block, end));
            }
            found.regions.push(TokenRegion { definition: instruction(definition), parts });
        }
        found.regions.sort_unstable_by_key(|region| region.definition);
        found.cuts.sort_unstable();
        found.cuts.dedup();
        found
    }
}

/// Whether the region of a definition in `block` may have nodes outside of the innermost cycle around it, in some hierarchy.
fn leaves_cycle(forest: &CycleForest, block: Node, mut uses: impl Iterator<Item = Node>) -> bool {
    let Some(innermost) = forest.innermost(block) else { return false };
    forest.containing(block).any(|cycle| !forest.is_reducible(cycle))
        || uses.any(|user| !forest.contains(innermost, user))
}
