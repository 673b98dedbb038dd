//! Which cycles are m-converged: converged in one cycle hierarchy iff in all.
//!
//! **Definition.** A static instance is *m-converged* when its dynamic instances are related by the same maximal
//! converged-with relation in every cycle hierarchy of the graph. The criterion of *Static Uniformity Analysis*,
//! which is sufficient: for every cycle `C` that contains it,
//!
//! 1. *diverged entry*: for each divergent branch `B` in `C` and join `J` of `B` in `C`, `B` or the header of `C` strictly
//!    dominates `J`, or a cycle inside of `C` that contains both satisfies the same;
//! 2. *diverged paths reaching the cycle*: no divergent branch outside of `C` has paths to two entries of `C` that share
//!    only the branch; nor any two paths, when the branch is in a cycle that does not contain `C`, since threads may take
//!    them in different iterations of that.
//!
//! A branch in a cycle that does not satisfy them counts as divergent: threads that are converged there in one
//! hierarchy and not in another may go different ways. Reducible cycles satisfy both. A *join* is here one of the control-flow graph itself: two paths from `B` that share
//! only their ends, one of which may go round a cycle.
//!
//! **Under control** (*Controlled m-converged Static Instances*) the definitions of all tokens in whose convergence regions an instance is have to be m-converged, too.

use cranelift_entity::EntityRef;
use reconverge_graph::{Cycle, CycleForest, Digraph, Dominators, Node};
use rustc_hash::FxHashSet;

use crate::flow::{FlowFunction, OperationIndex};
use crate::regions::convergence_regions;

/// Why the nodes of a cycle may be converged in one hierarchy and not in another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Failure {
    /// Threads that part at a branch in the cycle meet again at a join that some of them reach past an entry of the cycle.
    DivergedEntry {
        /// The divergent branch.
        branch: Node,
        /// The join.
        join: Node,
    },
    /// Threads that part at a branch outside enter the cycle at different entries.
    DivergedOutside {
        /// The divergent branch.
        branch: Node,
    },
}

/// The cycles of `forest` that do not satisfy the criterion, each with a reason.
///
/// O(divergent branches · edges), when there are irreducible cycles at all.
pub fn not_m_converged(
    graph: &Digraph,
    forest: &CycleForest,
    is_divergent: impl Fn(Node) -> bool,
) -> Vec<(Cycle, Failure)> {
    if forest.cycles.keys().all(|cycle| forest.is_reducible(cycle)) {
        return Vec::new();
    }
    let dominators = Dominators::compute(graph);
    let mut branches: Vec<Node> =
        graph.nodes().filter(|&node| dominators.is_reachable(node) && is_divergent(node)).collect();
    let mut open: Vec<Cycle> = forest.cycles.keys().filter(|&cycle| !forest.is_reducible(cycle)).collect();
    let mut failures: Vec<(Cycle, Failure)> = Vec::new();
    while !branches.is_empty() {
        let before = failures.len();
        open.retain(|&cycle| {
            let failure = branches.iter().find_map(|&branch| {
                if forest.contains(cycle, branch) {
                    let joins = joins_in_cycle(graph, forest, cycle, branch);
                    let join =
                        joins.into_iter().find(|&join| !entry_is_safe(forest, &dominators, cycle, branch, join))?;
                    Some(Failure::DivergedEntry { branch, join })
                } else {
                    reaches_two_entries(graph, forest, cycle, branch).then_some(Failure::DivergedOutside { branch })
                }
            });
            failures.extend(failure.map(|failure| (cycle, failure)));
            failure.is_none()
        });
        // In the cycles that fail, any branch may send threads different ways.
        branches = (failures[before..].iter().flat_map(|&(cycle, _)| forest.nodes(cycle)).copied())
            .filter(|&node| graph.successors(node).len() > 1 && !is_divergent(node))
            .collect();
    }
    failures.sort_by_key(|&(cycle, _)| cycle);
    failures
}

/// The token definitions that are not m-converged under control, each with the blocks in its region, when the cycles of these failures are not: a definition
/// that is in one of them, or in the region of another such definition. So nothing in its region is m-converged either.
///
/// O(sum of the sizes of the regions), which may be quadratic in that of the function.
pub fn tokens_not_m_converged(
    function: &FlowFunction,
    forest: &CycleForest,
    failures: &[(Cycle, Failure)],
) -> Vec<(OperationIndex, Vec<Node>)> {
    let regions = convergence_regions(function);
    let is_in_cycle = |node: Node| failures.iter().any(|&(cycle, _)| forest.contains(cycle, node));
    let mut failed: FxHashSet<OperationIndex> = FxHashSet::default();
    loop {
        let before = failed.len();
        for region in &regions {
            let in_region = region.parent.is_some_and(|parent| failed.contains(&parent));
            if in_region || is_in_cycle(function.block_of(region.definition)) {
                failed.insert(region.definition);
            }
        }
        if failed.len() == before {
            break;
        }
    }
    let failed = regions.into_iter().filter(|region| failed.contains(&region.definition));
    failed.map(|region| (region.definition, region.blocks.iter().map(|part| part.block).collect())).collect()
}

fn entry_is_safe(forest: &CycleForest, dominators: &Dominators, cycle: Cycle, branch: Node, join: Node) -> bool {
    let strictly = |a: Node, b: Node| a != b && dominators.dominates(a, b);
    let mut inside = forest.containing(join).take_while(|&inner| forest.contains_cycle(cycle, inner));
    strictly(branch, join)
        || inside.any(|inner| forest.contains(inner, branch) && strictly(forest.cycles[inner].header, join))
}

/// The joins of a branch that are in the cycle with it, the branch itself possibly among them.
fn joins_in_cycle(graph: &Digraph, forest: &CycleForest, cycle: Cycle, branch: Node) -> Vec<Node> {
    // The branch where it is reached again is a node of its own.
    let again = Node::new(graph.node_count());
    let edges: Vec<(Node, Node)> = (graph.nodes())
        .flat_map(|from| graph.successors(from).iter().map(move |&to| (from, to)))
        .map(|(from, to)| (from, if to == branch { again } else { to }))
        .collect();
    let rooted = Digraph::from_edges(graph.node_count() + 1, branch, &edges);
    let dominators = Dominators::compute(&rooted);
    let is_join = |node: Node| {
        let is_before = |from: Node| dominators.is_reachable(from) && !dominators.dominates(node, from);
        let mut arriving = rooted.predecessors(node).iter().filter(|&&from| is_before(from));
        let first = arriving.next();
        dominators.immediate_dominator(node) == Some(branch) && arriving.any(|from| Some(from) != first)
    };
    let mut joins: Vec<Node> = forest.nodes(cycle).iter().copied().filter(|&node| is_join(node)).collect();
    joins.extend(is_join(again).then_some(branch));
    joins
}

fn reaches_two_entries(graph: &Digraph, forest: &CycleForest, cycle: Cycle, branch: Node) -> bool {
    let inside = Node::new(graph.node_count());
    let outside = |&node: &Node| !forest.contains(cycle, node);
    let mut edges: Vec<(Node, Node)> = graph
        .nodes()
        .filter(outside)
        .flat_map(|from| graph.successors(from).iter().map(move |&to| (from, to)))
        .collect();
    edges.extend(forest.cycles[cycle].entries.iter().map(|&entry| (entry, inside)));
    let dominators = Dominators::compute(&Digraph::from_edges(graph.node_count() + 1, branch, &edges));
    let reached = forest.cycles[cycle].entries.iter().filter(|&&entry| dominators.is_reachable(entry)).count();
    let is_temporal = forest.containing(branch).any(|other| !forest.contains_cycle(other, cycle));
    reached > 1 && (is_temporal || dominators.immediate_dominator(inside) == Some(branch))
}
