//! RC0113 … RC0116: rules about closed paths.
//!
//! For a simple closed path `P` (as a set of reachable blocks) and uses `(U, D)`, `(U₁, D₁)`, `(U₂, D₂)`, all uses of `P`'s
//! blocks, with `u = block(U)`, `d = block(D)` and so on:
//!
//! ```text
//! 1  RC0113  u ∈ P, U is not loop               ⇒ d ∈ P
//! 2  RC0114  u₁, u₂ ∈ P, U₁ ≠ U₂, D₁ = D₂ = D   ⇒ d ∈ P
//! 3  RC0115  u₁, u₂ ∈ P, D₁ ≠ D₂                ⇒ d₁ ∈ P or d₂ ∈ P
//! 4  RC0116  u ∈ P, d ∉ P                       ⇒ u dominates every block of P
//! ```
//!
//! LLVM, Convergent Operation Semantics: *Closed Paths*.
//!
//! **Facts.** Let `S(u, d)` be the strongly connected component of `u` in the graph without `d`, for `u ≠ d` (else all
//! four hold), and call a use *exposed* when `S(u, d)` has an internal edge.
//!
//! - *A.* A closed path through `u` without `d` exists iff the use is exposed; it lies in `S(u, d)`. So rule 1 breaks iff an
//!   exposed use is not by `loop`.
//! - *B.* Rule 4 breaks iff some predecessor `p ∈ S(u, d)` of `u` is not dominated by `u`. *If:* close a shortest path
//!   from `u` to `p` in `S(u, d)` with the edge `p → u`. *Only if:* let `v` be a block of the path that `u` does not
//!   dominate, and `p` the last block of the path before it is back at `u`; if `u` dominated `p`, every way to `v` and
//!   on to `p` along the path would pass `u`, but that part of the path does not, so `u` would dominate `v`.
//! - *C.* If `d` dominates `u`, then `S(u, d)` is the outermost cycle, in any cycle hierarchy, that contains `u` and not
//!   `d`; the use is exposed iff there is one. For let `C` be a cycle with `d, u ∈ C` and header `h`, or the whole graph, and
//!   let `S(u, d) ⊆ C`. If `h ∈ S(u, d)` then `h ≠ d`, the search reached `h` before it had met a block of `C`, and `h` leads to `u`
//!   inside `S(u, d)`: a way to `u` without `d`. So `S(u, d) ⊆ C − h` is inside one child cycle of `C`, or trivial. A child
//!   that has `d` is the next `C`; one that has not is strongly connected without `d`, so it is `S(u, d)`.
//! - *D.* If two uses in different blocks break rule 2 or 3, one of them breaks rule 4: both blocks are on one closed path
//!   without either definition, and they would have to dominate each other. If two uses in one block do, then one of them
//!   breaks rule 1 or both are by `loop`, and the second breaks RC0105. So rules 2 and 3 never decide a verdict alone.
//!
//! By A, B and C, rules 1 and 4 take one cycle forest and almost linear time for uses that their definition dominates. Where it does
//! not (RC0111), `S(u, d)` is computed for itself. By D, pairs in different blocks are looked at only when one breaks
//! rule 4. Whether two blocks share a *simple* closed path is NP-hard in general; the search has a budget, and a pair
//! for which it gives up is not reported. Two uses in one block, dominated by their definitions, need no search: both components are
//! cycles of one forest that contain `u`, so the smaller one lacks both definitions.

use cranelift_entity::{EntityRef, SecondaryMap};
use reconverge_graph::{
    Cycle, CycleForest, DepthFirst, Dominators, Node, Search, closed_path_through, strongly_connected_component,
};
use rustc_hash::{FxHashMap, FxHashSet};

use super::Violation;
use super::effort::Effort;
use super::paths::{shortest_closed_path, shortest_path};
use crate::flow::{FlowFunction, OperationKind, TokenUse};
use reconverge_findings::Code;

/// Steps that the search for one closed path through two uses may take, each of which looks at the whole graph; and
/// the number of blocks that all of them together may look at.
const PAIR_STEPS: usize = 1 << 13;
const PAIR_WORK: usize = 1 << 20;

/// `uses` are those that can be reached, sorted.
pub(super) fn check(
    function: &FlowFunction,
    uses: &[TokenUse],
    search: &DepthFirst,
    dominators: &Dominators,
    effort: &mut Effort,
    violations: &mut Vec<Violation>,
) {
    let across_blocks = |use_: &&TokenUse| function.block_of(use_.operation) != function.block_of(use_.definition);
    if !uses.iter().any(|token_use| across_blocks(&token_use)) {
        return;
    }
    let forest = CycleForest::from_depth_first(&function.graph, search);
    let mut checker =
        Checker { function, dominators, cycles: OutermostCycles::new(&forest), exposures: Vec::new(), effort };
    let mut exposure_of: FxHashMap<(Node, Node), Option<usize>> = FxHashMap::default();
    let mut exposed = Vec::new();
    for &token_use in uses.iter().filter(across_blocks) {
        let ends = (function.block_of(token_use.operation), function.block_of(token_use.definition));
        let exposure = *exposure_of.entry(ends).or_insert_with(|| checker.expose(ends.0, ends.1));
        exposed.extend(exposure.map(|exposure| ExposedUse { token_use, exposure }));
    }
    checker.single_uses(&exposed, violations);
    checker.pairs(&exposed, violations);
}

/// A use in a component with an internal edge.
struct ExposedUse {
    token_use: TokenUse,
    /// Index into `Checker::exposures`.
    exposure: usize,
}

/// What is known of the exposed uses in block `using` of tokens defined in block `defining`.
struct Exposure {
    using: Node,
    defining: Node,
    component: Component,
    /// A predecessor in the component that `using` does not dominate: rule 4 is broken.
    undominated: Option<Node>,
    /// A closed path that breaks rule 1, once one was asked for.
    closed_path: Option<Vec<Node>>,
}

/// S(u, d)
enum Component {
    /// Fact C: `d` dominates `u`.
    Cycle(Cycle),
    /// Any other.
    Blocks(FxHashSet<Node>),
}

struct Checker<'a> {
    function: &'a FlowFunction,
    dominators: &'a Dominators,
    cycles: OutermostCycles<'a>,
    exposures: Vec<Exposure>,
    effort: &'a mut Effort,
}

impl Checker<'_> {
    /// Facts A and B for one pair of blocks.
    fn expose(&mut self, using: Node, defining: Node) -> Option<usize> {
        let graph = &self.function.graph;
        let component = if self.dominators.dominates(defining, using) {
            Component::Cycle(self.cycles.outermost(using, defining)?)
        } else {
            if !self.effort.spend(graph.node_count()) {
                return None;
            }
            let blocks = strongly_connected_component(graph, using, |node| node == defining);
            if blocks.len() == 1 && !graph.successors(using).contains(&using) {
                return None;
            }
            Component::Blocks(blocks.into_iter().collect())
        };
        let mut exposure = Exposure { using, defining, component, undominated: None, closed_path: None };
        exposure.undominated = graph
            .predecessors(using)
            .iter()
            .copied()
            .find(|&node| self.in_component(&exposure, node) && !self.dominators.dominates(using, node));
        self.exposures.push(exposure);
        Some(self.exposures.len() - 1)
    }

    fn in_component(&self, exposure: &Exposure, node: Node) -> bool {
        match &exposure.component {
            Component::Cycle(cycle) => self.cycles.forest.contains(*cycle, node),
            Component::Blocks(blocks) => blocks.contains(&node),
        }
    }

    /// Rules 1 and 4.
    fn single_uses(&mut self, exposed: &[ExposedUse], violations: &mut Vec<Violation>) {
        for &ExposedUse { token_use, exposure } in exposed {
            if self.function.operations[token_use.operation as usize].kind != OperationKind::Loop {
                let path = self.closed_path(exposure);
                violations.push(Violation { path, ..Violation::of_use(Code::RC0113, token_use) });
            }
            let Exposure { using, defining, undominated, .. } = self.exposures[exposure];
            if let Some(last) = undominated {
                let graph = &self.function.graph;
                let path = shortest_path(
                    graph,
                    using,
                    |node| node == last,
                    |node| node == defining || node == using,
                    self.effort,
                );
                violations
                    .push(Violation { path: path.unwrap_or_default(), ..Violation::of_use(Code::RC0116, token_use) });
            }
        }
    }

    /// A shortest closed path through the using block without the defining one.
    fn closed_path(&mut self, exposure: usize) -> Vec<Node> {
        let exposure = &mut self.exposures[exposure];
        if exposure.closed_path.is_none() {
            let avoid = |node| node == exposure.defining;
            exposure.closed_path = shortest_closed_path(&self.function.graph, exposure.using, avoid, self.effort);
        }
        exposure.closed_path.clone().unwrap_or_default()
    }

    /// Rules 2 and 3: for each use the first that breaks the rule together with it.
    fn pairs(&mut self, exposed: &[ExposedUse], violations: &mut Vec<Violation>) {
        let breaks_rule_4 = |&index: &usize| self.exposures[exposed[index].exposure].undominated.is_some();
        let breakers: Vec<usize> = (0..exposed.len()).filter(breaks_rule_4).collect();
        // In the block at hand: the first use, the first of another token, and the first of each token.
        let (mut block_start, mut another) = (0, None);
        let mut first_of = FxHashMap::default();
        for second in 0..exposed.len() {
            let using = |index: usize| self.exposures[exposed[index].exposure].using;
            let definition = |index: usize| exposed[index].token_use.definition;
            if using(block_start) != using(second) {
                (block_start, another) = (second, None);
                first_of.clear();
            }
            if definition(block_start) != definition(second) {
                another = another.or(Some(second));
            }
            let same_here = *first_of.entry(definition(second)).or_insert(second);
            let another_here = match definition(block_start) == definition(second) {
                true => another.unwrap_or(second),
                false => block_start,
            };
            let breaks_rule_4 = self.exposures[exposed[second].exposure].undominated.is_some();
            let elsewhere = &breakers[..breakers.partition_point(|&first| first < block_start)];
            for (rule, here) in [(Code::RC0114, same_here), (Code::RC0115, another_here)] {
                let mut find = |candidates: &mut dyn Iterator<Item = usize>| {
                    for first in candidates {
                        if !self.effort.spend(1) {
                            return None;
                        }
                        let same_token = exposed[first].token_use.definition == exposed[second].token_use.definition;
                        if same_token == (rule == Code::RC0114)
                            && let Some(path) = self.common_path(&exposed[first], &exposed[second])
                        {
                            return Some((first, path));
                        }
                    }
                    None
                };
                let found = match breaks_rule_4 {
                    true => find(&mut (0..block_start)),
                    false => find(&mut elsewhere.iter().copied()),
                };
                if let Some((first, path)) = found.or_else(|| find(&mut (here..second))) {
                    let other = Some(exposed[first].token_use.operation);
                    violations.push(Violation { other, path, ..Violation::of_use(rule, exposed[second].token_use) });
                }
            }
        }
    }

    /// A simple closed path through both uses without either definition.
    fn common_path(&mut self, first: &ExposedUse, second: &ExposedUse) -> Option<Vec<Node>> {
        let (one, two) = (&self.exposures[first.exposure], &self.exposures[second.exposure]);
        let graph = &self.function.graph;
        if one.using == two.using {
            return match (&one.component, &two.component) {
                (Component::Cycle(first_cycle), Component::Cycle(second_cycle)) => {
                    // Both contain the block, so one contains the other, and the inner one lacks both definitions.
                    let inner = if first_cycle > second_cycle { first } else { second };
                    Some(self.closed_path(inner.exposure))
                }
                _ => {
                    let avoid = |node| node == one.defining || node == two.defining;
                    shortest_closed_path(graph, one.using, avoid, self.effort)
                }
            };
        }
        if !self.in_component(one, two.using) || !self.in_component(two, one.using) {
            return None;
        }
        let steps = (PAIR_WORK / graph.node_count()).clamp(1, PAIR_STEPS);
        if !self.effort.spend(graph.node_count()) {
            return None;
        }
        let avoid = |node| node == one.defining || node == two.defining;
        match closed_path_through(graph, one.using, two.using, avoid, steps) {
            Search::Found(path) => Some(path),
            Search::None => None,
            Search::GaveUp => {
                self.effort.spend(steps * graph.node_count());
                None
            }
        }
    }
}

/// The cycles of a forest with what finds, in logarithmic time, the outermost one that contains one block and not another.
struct OutermostCycles<'a> {
    forest: &'a CycleForest,
    /// Some ancestor of each cycle, or itself at top level: the jump pointers of a skew-binary random-access list.
    jump: SecondaryMap<Cycle, Cycle>,
}

impl<'a> OutermostCycles<'a> {
    fn new(forest: &'a CycleForest) -> OutermostCycles<'a> {
        let mut jump = SecondaryMap::with_default(Cycle::new(0));
        let depth = |cycle: Cycle| forest.cycles[cycle].depth;
        // A parent has a smaller index than its children.
        for (cycle, data) in &forest.cycles {
            jump[cycle] = match data.parent {
                None => cycle,
                Some(parent) => {
                    let (far, farther) = (jump[parent], jump[jump[parent]]);
                    if depth(parent) - depth(far) == depth(far) - depth(farther) { farther } else { parent }
                }
            };
        }
        OutermostCycles { forest, jump }
    }

    fn outermost(&self, containing: Node, lacking: Node) -> Option<Cycle> {
        let lacks = |cycle: &Cycle| !self.forest.contains(*cycle, lacking);
        let mut cycle = self.forest.innermost(containing).filter(lacks)?;
        while let Some(parent) = self.forest.cycles[cycle].parent.filter(lacks) {
            let far = self.jump[cycle];
            cycle = if lacks(&far) { far } else { parent };
        }
        Some(cycle)
    }
}
