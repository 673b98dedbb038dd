//! Convergence regions, and which token is the innermost one live at each operation.
//!
//! **Definition** (LLVM, Convergent Operation Semantics: *Convergence Regions*). A *point* is a place right before an
//! operation, or the start of a block, that can be reached. `D` *strictly dominates* a point `p` when every
//! path from the start of the function to `p` executes `D` before. For a token definition `D`:
//!
//! ```text
//! uses(D) = { U : U uses the token of D, and D strictly dominates U }
//! R(D)    = { p : D strictly dominates p, and some path from p to a U ∈ uses(D) does not execute D }
//! ```
//!
//! The point of a use is itself in the region (by the empty path), the point of `D` is not. A use that its
//! definition does not dominate breaks RC0111; it has no token to keep alive and belongs to no region.
//!
//! *Why "does not execute `D`".* The document wants the region in which the token "is live", and then says "from
//! which a use can be reached". Reachability alone would go round a back edge and through `D` again, where the old
//! token has died and another is born. It would put the last operation of
//! `loop { L = loop E; A = anchor; call A; call L }` in the region of `A`, which lacks `L`, and so forbid a
//! free-standing anchor anywhere in a loop that uses its heart later. Liveness is the reading under which regions
//! mean what *Controlled Maximal Convergence* needs them for.
//!
//! **Facts** used below, for definitions `D₁ ≠ D₂` and a point `p`:
//!
//! 1. *Closed backwards.* If `p ∈ R(D)` and `q` is a predecessor of `p`, then `q ∈ R(D)` or `q` is the point of `D`: `D`
//!    strictly dominates `p`, so it dominates `q`.
//! 2. *A chain.* The definitions whose regions contain `p` all dominate `p`, so dominance orders them. *Innermost* is
//!    the one that the others dominate.
//! 3. *Nesting from above is free.* If `p ∈ R(D₁) ∩ R(D₂)` and `D₁` strictly dominates `D₂`, then `D₂ ∈ R(D₁)`: on
//!    a simple path from the start to `p`, `D₁` comes once and before `D₂`; what follows `D₂` leads to `p` without `D₁`.
//!
//! **Algorithm** for the innermost live token at every point, almost linear although the regions together may
//! be quadratic in size: take definitions so that the dominated come first. Flood backwards from the uses of `D` and
//! give each point that has no label the label `D`. Where the flood meets a label `D₂`, everything in `R(D₂)` has
//! a label already, by (1) nothing enters `R(D₂)` backwards but through `D₂`, and by (3) `D₂ ∈ R(D)`: go on
//! at `D₂` itself. With union-find over these jumps every point is labelled once.

use cranelift_entity::EntityRef;
use reconverge_graph::{Dominators, Node};
use rustc_hash::FxHashMap;

use crate::flow::{FlowFunction, OperationIndex, TokenUse};
use crate::rules::strictly_dominates;

/// The convergence region of one token definition.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConvergenceRegion {
    /// The intrinsic that produces the token.
    pub definition: OperationIndex,
    /// The uses of the token that the definition dominates, in order; reachable ones only.
    pub uses: Vec<OperationIndex>,
    /// The region's part of each block, in the order of the blocks. Empty when there are no uses.
    pub blocks: Vec<RegionBlock>,
    /// The definition of the innermost region that contains this one's definition.
    pub parent: Option<OperationIndex>,
}

/// The part of one block that is in a convergence region; always one interval.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RegionBlock {
    /// The block.
    pub block: Node,
    /// Where the part begins.
    pub start: RegionStart,
    /// Where it ends.
    pub end: RegionEnd,
}

/// Where the part of a block that is in a region begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RegionStart {
    /// At the start of the block.
    Block,
    /// Right after the definition, which is in this block.
    Definition,
}

/// Where the part of a block that is in a region ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RegionEnd {
    /// At the end of the block: the token is live on an edge out of it.
    Block,
    /// At this use, the last in the block, which is included.
    Use(OperationIndex),
}

/// The regions of a function, one at a time: together they can be quadratic in its size.
pub struct Regions<'f> {
    function: &'f FlowFunction,
    definitions: Vec<OperationIndex>,
    dominators: Dominators,
    innermost: Vec<Option<OperationIndex>>,
    uses: UsesByDefinition,
}

impl<'f> Regions<'f> {
    /// O(blocks + edges + operations), almost.
    ///
    /// # Panics
    /// When the block of an operation is not a node of the graph.
    pub fn new(function: &'f FlowFunction) -> Regions<'f> {
        let operations = (0..).zip(&function.operations);
        let definitions = operations.filter(|(_, operation)| operation.kind.defines_token()).map(|(index, _)| index);
        let dominators = Dominators::compute(&function.graph);
        let uses = dominated_uses(function, &dominators);
        let innermost = innermost_live(function, &dominators, &uses);
        let uses = UsesByDefinition::new(function, &uses);
        Regions { function, definitions: definitions.collect(), dominators, innermost, uses }
    }

    /// The definitions of tokens, in the order of the operations.
    pub fn definitions(&self) -> &[OperationIndex] {
        &self.definitions
    }

    /// The place in [`Regions::definitions`] of the innermost region that contains a definition.
    pub fn parent(&self, definition: OperationIndex) -> Option<usize> {
        let parent = self.innermost[definition as usize]?;
        self.definitions.binary_search(&parent).ok()
    }

    /// The region of a definition. O(size of the region and the edges into it), plus sorting.
    pub fn region(&self, definition: OperationIndex) -> ConvergenceRegion {
        let uses = self.uses.uses(definition).to_vec();
        let blocks = region_blocks(self.function, &self.dominators, definition, &uses);
        ConvergenceRegion { definition, uses, blocks, parent: self.innermost[definition as usize] }
    }
}

/// One region per token definition, in the order of the operations.
///
/// O(blocks + edges + operations), almost, plus the sizes of the regions with the edges into them; in a nest
/// of `n` loops these can add up to the order of `n²`. The rules do not use this.
///
/// # Panics
/// When the block of an operation is not a node of the graph.
pub fn convergence_regions(function: &FlowFunction) -> Vec<ConvergenceRegion> {
    if !function.operations.iter().any(|operation| operation.kind.defines_token()) {
        return Vec::new();
    }
    let regions = Regions::new(function);
    regions.definitions().iter().map(|&definition| regions.region(definition)).collect()
}

/// The uses that can be reached and whose definition strictly dominates them, sorted.
pub(crate) fn dominated_uses(function: &FlowFunction, dominators: &Dominators) -> Vec<TokenUse> {
    let mut uses = function.token_uses();
    uses.retain(|token_use| {
        dominators.is_reachable(function.block_of(token_use.operation))
            && strictly_dominates(function, dominators, token_use.definition, token_use.operation)
    });
    uses
}

/// The operations that use each token.
pub(crate) struct UsesByDefinition {
    starts: Vec<u32>,
    operations: Vec<OperationIndex>,
}

impl UsesByDefinition {
    /// O(operations + uses).
    pub(crate) fn new(function: &FlowFunction, uses: &[TokenUse]) -> UsesByDefinition {
        let mut starts = vec![0; function.operations.len() + 1];
        for token_use in uses {
            starts[token_use.definition as usize + 1] += 1;
        }
        for index in 1..starts.len() {
            starts[index] += starts[index - 1];
        }
        let mut next = starts.clone();
        let mut operations = vec![0; uses.len()];
        for token_use in uses {
            let slot = &mut next[token_use.definition as usize];
            operations[*slot as usize] = token_use.operation;
            *slot += 1;
        }
        UsesByDefinition { starts, operations }
    }

    /// In the order of the uses that were given.
    pub(crate) fn uses(&self, definition: OperationIndex) -> &[OperationIndex] {
        let definition = definition as usize;
        &self.operations[self.starts[definition] as usize..self.starts[definition + 1] as usize]
    }
}

const NONE: u32 = u32::MAX;

/// For each operation `X`, the definition of the innermost region that contains the point before `X`, or `None` when
/// none does. `uses` are those that [`dominated_uses`] finds.
///
/// O((blocks + edges + operations + uses) · α). See the head of this file.
pub(crate) fn innermost_live(
    function: &FlowFunction,
    dominators: &Dominators,
    uses: &[TokenUse],
) -> Vec<Option<OperationIndex>> {
    let mut flood = PointFlood::new(function);
    let by_definition = UsesByDefinition::new(function, uses);
    for &block in dominators.tree_preorder().iter().rev() {
        for definition in flood.operations_of(block).rev() {
            flood.run(function, dominators, definition, by_definition.uses(definition));
        }
    }
    flood.label.into_iter().map(|label| (label != NONE).then_some(label)).collect()
}

/// A point: the operation it is before; or, from `operations.len()` on, the block it is the start of.
type Point = u32;

struct PointFlood {
    operation_count: u32,
    /// The operations of block `b` are `first[b]..first[b + 1]`.
    first: Vec<u32>,
    /// For points before operations: the innermost live token found.
    label: Vec<u32>,
    /// Union-find: the point itself while it has no label, then a point further up its chain of definitions.
    up: Vec<Point>,
    work: Vec<Point>,
}

impl PointFlood {
    fn new(function: &FlowFunction) -> PointFlood {
        let operation_count = function.operations.len() as u32;
        let node_count = function.graph.node_count();
        let mut first = vec![0; node_count + 1];
        for operation in &function.operations {
            first[operation.block.index() + 1] += 1;
        }
        for block in 0..node_count {
            first[block + 1] += first[block];
        }
        PointFlood {
            operation_count,
            first,
            label: vec![NONE; operation_count as usize],
            up: (0..operation_count + node_count as u32).collect(),
            work: Vec::new(),
        }
    }

    fn operations_of(&self, block: Node) -> std::ops::Range<OperationIndex> {
        self.first[block.index()]..self.first[block.index() + 1]
    }

    fn find(&mut self, mut point: Point) -> Point {
        while self.up[point as usize] != point {
            let above = self.up[point as usize];
            self.up[point as usize] = self.up[above as usize];
            point = above;
        }
        point
    }

    fn run(
        &mut self,
        function: &FlowFunction,
        dominators: &Dominators,
        definition: OperationIndex,
        uses: &[OperationIndex],
    ) {
        // Always so when operations are sorted; a chain must never close into a ring.
        if self.up[definition as usize] != definition {
            return;
        }
        for &operation in uses {
            self.reach(definition, operation);
            while let Some(point) = self.work.pop() {
                if point < self.operation_count {
                    let start = self.start_of(function.block_of(point));
                    self.reach(definition, function.preceding(point).unwrap_or(start));
                } else {
                    let block = Node::new((point - self.operation_count) as usize);
                    for &predecessor in function.graph.predecessors(block) {
                        if dominators.is_reachable(predecessor) {
                            let operations = self.operations_of(predecessor);
                            let last =
                                if operations.is_empty() { self.start_of(predecessor) } else { operations.end - 1 };
                            self.reach(definition, last);
                        }
                    }
                }
            }
        }
    }

    fn start_of(&self, block: Node) -> Point {
        self.operation_count + block.as_u32()
    }

    /// Labels the first point without a label on the way up from `point`, unless that is the definition's own.
    fn reach(&mut self, definition: OperationIndex, point: Point) {
        let root = self.find(point);
        if root == definition {
            return;
        }
        self.up[root as usize] = definition;
        if let Some(label) = self.label.get_mut(root as usize) {
            *label = definition;
        }
        self.work.push(root);
    }
}

/// The part of each block that is in the region of `definition`, in the order of the blocks. `uses` are sorted, and those
/// that [`dominated_uses`] finds. O(size of the region and the edges into it), plus sorting.
pub(crate) fn region_blocks(
    function: &FlowFunction,
    dominators: &Dominators,
    definition: OperationIndex,
    uses: &[OperationIndex],
) -> Vec<RegionBlock> {
    let home = function.block_of(definition);
    let mut blocks: Vec<RegionBlock> = Vec::new();
    let mut place_of = FxHashMap::default();
    let mut extend = |block: Node, end: RegionEnd| {
        let place = *place_of.entry(block).or_insert(blocks.len());
        if let Some(part) = blocks.get_mut(place) {
            part.end = end;
            return false;
        }
        let start = if block == home { RegionStart::Definition } else { RegionStart::Block };
        blocks.push(RegionBlock { block, start, end });
        // The token is live at the start of the block, so at the end of the blocks before it.
        start == RegionStart::Block
    };
    let mut work = Vec::new();
    for &operation in uses {
        let block = function.block_of(operation);
        if extend(block, RegionEnd::Use(operation)) {
            work.push(block);
        }
    }
    while let Some(block) = work.pop() {
        for &predecessor in function.graph.predecessors(block) {
            if dominators.is_reachable(predecessor) && extend(predecessor, RegionEnd::Block) {
                work.push(predecessor);
            }
        }
    }
    blocks.sort_unstable_by_key(|part| part.block);
    blocks
}
