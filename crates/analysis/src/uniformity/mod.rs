//! Uniformity: which values and branches are the same in all converged threads of a set.
//!
//! **Definition** (*Convergence and Uniformity*). The output of a static instance is *uniform* for a set of threads when it compares
//! equal in every two of its dynamic instances that converged threads of the set produce; otherwise it is *divergent*. Which
//! instances are converged is the controlled maximal converged-with relation, for a cycle hierarchy; here a value is
//! uniform when it is so in every cycle hierarchy of the graph.
//!
//! Layers: [`lower`](mod@lower) makes a [`Problem`] of a function, [`analyze`] solves it, [`report`] and [`story`] tell the answer in terms of
//! IR. [`control`] and [`m_converged`] answer what lints ask.

mod acyclic;
pub mod control;
mod cycles;
mod engine;
pub mod explanation;
mod joins;
mod levels;
mod live_out;
pub mod lower;
pub mod m_converged;
mod problem;
pub mod refinements;
pub mod report;
pub mod story;
mod unfold;
mod values;
mod witness;

pub use problem::{Branch, Problem, Region, Rule, ValueData, ValueIndex};
pub use witness::{exit_paths, join_paths};

use cranelift_entity::EntityRef;
use reconverge_graph::{CycleForest, DepthFirst, Node, SuccessorOrder, hierarchies};

/// The refinements over the criteria of the text; each can be turned off, to count what it is worth.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Options {
    /// A phi at a join is divergent only if edges that threads can arrive over carry different values.
    pub edge_joins: bool,
    /// Temporal divergence only behind the exits that are divergent.
    pub divergent_exits_only: bool,
    /// No temporal divergence of values that do not change in the cycle.
    pub cycle_invariants: bool,
    /// How many cycle hierarchies are taken together before the criterion of the text is used instead.
    pub most_hierarchies: usize,
}

impl Default for Options {
    fn default() -> Options {
        Options { edge_joins: true, divergent_exits_only: true, cycle_invariants: true, most_hierarchies: 256 }
    }
}

/// The answer.
#[derive(Debug, Clone, Default)]
pub struct Uniformity {
    /// By value: why it is divergent; nothing when it is uniform.
    pub values: Vec<Option<Cause>>,
    /// By node: why its branch is divergent; nothing when it is uniform.
    pub branches: Vec<Option<Cause>>,
    /// The exits (edges out of a cycle) over which threads leave in different iterations, with the header of the cycle.
    pub divergent_exits: Vec<DivergentExit>,
    /// For each of `divergent_exits`, a divergent branch that makes it one.
    pub exit_branches: Vec<Node>,
    /// The headers of the cycles that were given up: everything in them that varies is divergent.
    pub assumed_divergent: Vec<Node>,
}

/// An edge out of a cycle over which converged threads can leave in different iterations.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct DivergentExit {
    /// The header of the cycle.
    pub header: Node,
    /// The edge.
    pub edge: (Node, Node),
}

/// A value, or the branch at the end of a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Element {
    /// A value.
    Value(ValueIndex),
    /// A branch.
    Branch(Node),
}

/// Why something is divergent: the last step of a shortest chain.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cause {
    /// By itself.
    Source,
    /// Because of this operand.
    Operand(ValueIndex),
    /// A phi at a join of this divergent branch.
    Join {
        /// The node that ends in the branch.
        branch: Node,
    },
    /// A use, behind a divergent exit of a cycle, of a value that varies in the cycle.
    Temporal {
        /// The operand.
        value: ValueIndex,
        /// The exit.
        exit: DivergentExit,
        /// The divergent branch that makes the exit divergent.
        branch: Node,
    },
    /// In an irreducible cycle (this is its header in one hierarchy) whose threads may be converged in one hierarchy and
    /// not in another.
    AssumedDivergent {
        /// The header.
        header: Node,
        /// The divergent branch that breaks the criterion.
        branch: Node,
    },
}

impl Uniformity {
    /// The chain of causes from something divergent back to a source, itself first.
    pub fn chain(&self, from: Element) -> Vec<(Element, Cause)> {
        let mut chain = Vec::new();
        let mut next = Some(from);
        while let Some(element) = next {
            let cause = match element {
                Element::Value(value) => self.values[value as usize],
                Element::Branch(node) => self.branches[node.index()],
            };
            let Some(cause) = cause else { break };
            chain.push((element, cause));
            next = match cause {
                Cause::Source => None,
                Cause::Operand(value) => Some(Element::Value(value)),
                Cause::Join { branch } | Cause::Temporal { branch, .. } | Cause::AssumedDivergent { branch, .. } => {
                    // What is behind a region that leaves an irreducible cycle has no further cause.
                    Some(Element::Branch(branch)).filter(|&cause| cause != element)
                }
            };
        }
        chain
    }
}

/// How many values and nodes are looked at, in all cycle hierarchies together, before the criterion of the text is used
/// instead.
const MOST_WORK: usize = 1 << 24;

/// Analyses a function.
///
/// Almost linear in the size of the problem when its cycles are reducible, or nothing in or before the others diverges.
/// Otherwise that, times the number of cycle hierarchies: a value is uniform iff it is so in every one of them.
pub fn analyze(problem: &Problem, options: &Options) -> Uniformity {
    let search = DepthFirst::compute(&problem.graph, SuccessorOrder::Forward);
    let forest = CycleForest::from_depth_first(&problem.graph, &search);
    if let Some(header) = region_of_irreducible_cycle(problem, &forest) {
        let problem = &Problem { regions: Vec::new(), ..problem.clone() };
        let (mut result, _) = engine::solve(problem, &search, forest, options);
        if result.branches.iter().any(Option::is_some) {
            give_up_behind(problem, header, &mut result);
        }
        return result;
    }
    let (given_up, _) = engine::solve(problem, &search, forest, options);
    if given_up.assumed_divergent.is_empty() {
        return given_up;
    }
    let size = problem.graph.node_count() + problem.values.len() + 1;
    let all = hierarchies(&problem.graph, options.most_hierarchies.min(MOST_WORK / size));
    if !all.is_complete() {
        return given_up;
    }
    let mut result = Uniformity {
        values: vec![None; problem.values.len()],
        branches: vec![None; problem.graph.node_count()],
        ..Uniformity::default()
    };
    for forest in all {
        if !unfold::solve(problem, &forest, options, &mut result) {
            return given_up;
        }
    }
    result
}

/// The header of an irreducible cycle that has a convergence region which leaves it.
pub(crate) fn region_of_irreducible_cycle(problem: &Problem, forest: &CycleForest) -> Option<Node> {
    let cycles = problem.regions.iter().flat_map(|region| forest.containing(region.definition));
    cycles.filter(|&cycle| !forest.is_reducible(cycle)).last().map(|cycle| forest.cycles[cycle].header)
}

/// Calls divergent what is behind a node and does not only depend on constants.
fn give_up_behind(problem: &Problem, header: Node, result: &mut Uniformity) {
    let mut behind = vec![false; problem.graph.node_count()];
    let mut stack = vec![header];
    while let Some(node) = stack.pop() {
        if !std::mem::replace(&mut behind[node.index()], true) {
            stack.extend_from_slice(problem.graph.successors(node));
        }
    }
    let cause = Some(Cause::AssumedDivergent { header, branch: header });
    for (data, found) in problem.values.iter().zip(&mut result.values) {
        let depends = matches!(data.rule, Rule::Pure | Rule::Varying | Rule::Phi) && !data.operands.is_empty();
        if found.is_none() && depends && data.node.is_some_and(|node| behind[node.index()]) {
            *found = cause;
        }
    }
    for (node, branch) in problem.branches.iter().enumerate() {
        if result.branches[node].is_none() && matches!(branch, Branch::On(_)) && behind[node] {
            result.branches[node] = cause;
        }
    }
    result.assumed_divergent.push(header);
}
