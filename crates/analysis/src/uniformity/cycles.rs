//! Which nodes count as nodes of which cycles, convergence regions included.

use cranelift_entity::EntityRef;
use reconverge_graph::{Cycle, CycleForest, DepthFirst, Digraph, Node};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::Region;

/// Which nodes count as nodes of which cycles.
#[derive(Debug)]
pub(super) struct Cycles {
    pub(super) forest: CycleForest,
    /// The cycles that a node is in by a convergence region only.
    by_region: FxHashMap<Node, SmallVec<[Cycle; 2]>>,
    /// By node: its number in reverse postorder. The header of an outer cycle has a smaller one.
    order: Vec<u32>,
}

impl Cycles {
    pub(super) fn new(graph: &Digraph, search: &DepthFirst, forest: CycleForest, regions: &[Region]) -> Cycles {
        let mut cycles = Cycles { forest, by_region: FxHashMap::default(), order: Vec::new() };
        if regions.is_empty() {
            return cycles;
        }
        cycles.order = numbers(graph, search);
        // A region that is defined in another one is part of what that is part of. Its definition is dominated by the other.
        let mut regions: Vec<&Region> = regions.iter().collect();
        regions.sort_by_key(|region| cycles.order[region.definition.index()]);
        for region in regions {
            for cycle in cycles.of(region.definition) {
                for &node in &region.nodes {
                    if !cycles.forest.contains(cycle, node) {
                        let list = cycles.by_region.entry(node).or_default();
                        if !list.contains(&cycle) {
                            list.push(cycle);
                        }
                    }
                }
            }
        }
        cycles
    }

    /// Whether a node counts as one of the cycle.
    pub(super) fn contains(&self, cycle: Cycle, node: Node) -> bool {
        self.forest.contains(cycle, node) || self.by_region.get(&node).is_some_and(|list| list.contains(&cycle))
    }

    /// The cycles that a node counts as one of, innermost first.
    pub(super) fn of(&self, node: Node) -> SmallVec<[Cycle; 4]> {
        let mut all: SmallVec<[Cycle; 4]> = self.forest.containing(node).collect();
        if let Some(list) = self.by_region.get(&node) {
            all.extend_from_slice(list);
            let header = |cycle: &Cycle| self.forest.cycles[*cycle].header;
            all.sort_by_key(|cycle| std::cmp::Reverse(self.order[header(cycle).index()]));
        }
        all
    }

    /// Whether all nodes of the inner cycle count as ones of the outer one.
    pub(super) fn contains_cycle(&self, outer: Cycle, inner: Cycle) -> bool {
        self.forest.contains_cycle(outer, inner)
            || self.has_regions() && self.of(self.forest.cycles[inner].header).contains(&outer)
    }

    /// The cycle in whose level a node is.
    pub(super) fn innermost(&self, node: Node) -> Option<Cycle> {
        if self.has_regions() { self.of(node).first().copied() } else { self.forest.innermost(node) }
    }

    /// The cycle in whose level another one is.
    pub(super) fn around(&self, cycle: Cycle) -> Option<Cycle> {
        let data = &self.forest.cycles[cycle];
        if self.has_regions() { self.of(data.header).into_iter().nth(1) } else { data.parent }
    }

    /// How many cycles a cycle is in, itself included.
    pub(super) fn depth(&self, cycle: Cycle) -> u32 {
        let data = &self.forest.cycles[cycle];
        if self.has_regions() { self.of(data.header).len() as u32 } else { data.depth }
    }

    /// Whether nodes count as ones of cycles because of convergence regions.
    pub(super) fn has_regions(&self) -> bool {
        !self.by_region.is_empty()
    }

    /// The cycles that the edge leaves, innermost first.
    pub(super) fn left_by(&self, from: Node, to: Node) -> SmallVec<[Cycle; 4]> {
        if !self.has_regions() {
            return self.forest.containing(from).take_while(|&cycle| !self.forest.contains(cycle, to)).collect();
        }
        let mut left = self.of(from);
        left.retain(|cycle| !self.contains(*cycle, to));
        left
    }
}

/// By node: its number in reverse postorder; `u32::MAX` for what cannot be reached.
pub(super) fn numbers(graph: &Digraph, search: &DepthFirst) -> Vec<u32> {
    let mut numbers = vec![u32::MAX; graph.node_count()];
    for (node, number) in search.reverse_postorder().zip(0..) {
        numbers[node.index()] = number;
    }
    numbers
}
