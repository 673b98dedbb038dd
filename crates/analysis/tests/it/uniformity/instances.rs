//! The definition of uniformity, word by word, on given paths: dynamic instances, their keys, the terms of their values.
//!
//! **Keys.** The key of a dynamic instance of `X`: `X`, the key of the latest instance of a header of a cycle that
//! contains `X` (an instance of `X` itself counts from its successor on), and the keys of the latest instances of the
//! definitions of the tokens whose region contains `X`. Instances of two threads are converged iff their keys are equal.
//!
//! **Terms.** A value is what it was computed from: a constant is itself; what is uniform at converged instances is the value and
//! the key; what may differ is that and the thread; a pure function is the value and the operands' terms; what varies is
//! the value, the key and the operands' terms; a phi is the term of its chosen operand. Equal terms are equal values.
//!
//! **Consistency.** Two paths are consistent when at converged instances of a node whose branch is uniform both go the
//! same way.

use rustc_hash::FxHashMap;

use cranelift_entity::EntityRef;
use reconverge_analysis::uniformity::{Branch, Problem, Rule, ValueIndex};
use reconverge_graph::{CycleForest, Node};

type Key = u32;
type Term = u32;

/// Nothing when there is no such instance yet.
type LatestKey = Option<Key>;

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum Shape {
    Constant(ValueIndex),
    Uniform(ValueIndex, Key),
    Source(ValueIndex, Option<Key>, usize),
    Pure(ValueIndex, Vec<Term>),
    Varying(ValueIndex, Key, Vec<Term>),
}

/// A step of a thread.
#[derive(Debug, Clone)]
pub(crate) struct Instance {
    pub(crate) node: Node,
    pub(crate) key: Key,
    /// The values after this step, as far as they were computed.
    pub(crate) terms: Vec<Option<Term>>,
}

/// Numbers keys and terms.
pub(crate) struct Instances<'a> {
    problem: &'a Problem,
    forest: &'a CycleForest,
    by_node: Vec<Vec<ValueIndex>>,
    /// By node, key of the header, keys of the definitions.
    keys: FxHashMap<(Node, LatestKey, Vec<LatestKey>), Key>,
    terms: FxHashMap<Shape, Term>,
}

/// The values of each node: phis first, then each after its operands.
pub(crate) fn values_in_order(problem: &Problem) -> Vec<Vec<ValueIndex>> {
    let mut by_node = vec![Vec::new(); problem.graph.node_count()];
    for phis in [true, false] {
        let mut left: Vec<ValueIndex> = (0..problem.values.len() as ValueIndex)
            .filter(|&value| (problem.values[value as usize].rule == Rule::Phi) == phis)
            .collect();
        while !left.is_empty() {
            let before = left.len();
            let waiting = left.clone();
            left.retain(|&value| {
                let Some(node) = problem.values[value as usize].node else { return false };
                let is_ready = phis || problem.operands(value).iter().all(|operand| !waiting.contains(operand));
                if is_ready {
                    by_node[node.index()].push(value);
                }
                !is_ready
            });
            assert!(left.len() < before, "only phis close a cycle of operands");
        }
    }
    by_node
}

impl<'a> Instances<'a> {
    pub(crate) fn new(problem: &'a Problem, forest: &'a CycleForest) -> Instances<'a> {
        Instances {
            problem,
            forest,
            by_node: values_in_order(problem),
            keys: FxHashMap::default(),
            terms: FxHashMap::default(),
        }
    }

    fn term(&mut self, shape: Shape) -> Term {
        let next = self.terms.len() as Term;
        *self.terms.entry(shape).or_insert(next)
    }

    /// The dynamic instances of `thread` on a path from the entry.
    pub(crate) fn run(&mut self, thread: usize, path: &[Node]) -> Vec<Instance> {
        let problem = self.problem;
        let mut terms: Vec<Option<Term>> = vec![None; problem.values.len()];
        for (value, data) in (0..).zip(&problem.values) {
            if data.node.is_none() {
                let is_source = data.rule == Rule::Source;
                let shape = if is_source { Shape::Source(value, None, thread) } else { Shape::Constant(value) };
                terms[value as usize] = Some(self.term(shape));
            }
        }
        let mut instances: Vec<Instance> = Vec::new();
        for &node in path {
            let latest =
                |is_it: &dyn Fn(Node) -> bool| instances.iter().rev().find(|one| is_it(one.node)).map(|one| one.key);
            let header =
                latest(&|other| self.forest.containing(node).any(|cycle| self.forest.cycles[cycle].header == other));
            let regions = problem.regions.iter().filter(|region| region.nodes.contains(&node));
            let definitions = regions.map(|region| latest(&|other| other == region.definition)).collect();
            let next = self.keys.len() as Key;
            let key = *self.keys.entry((node, header, definitions)).or_insert(next);

            let before = terms.clone();
            for value in self.by_node[node.index()].clone() {
                let operand = |value: ValueIndex, terms: &[Option<Term>]| terms[value as usize].expect("is defined");
                let operands = |terms: &[Option<Term>]| {
                    problem.operands(value).iter().map(|&value| operand(value, terms)).collect::<Vec<_>>()
                };
                let term = match problem.values[value as usize].rule {
                    Rule::Phi => {
                        let from = instances.last().expect("the entry has no phi").node;
                        let edge = problem.sources(value).iter().position(|&source| source == from);
                        operand(problem.operands(value)[edge.expect("an operand for each edge")], &before)
                    }
                    Rule::Constant => self.term(Shape::Constant(value)),
                    Rule::Uniform => self.term(Shape::Uniform(value, key)),
                    Rule::Source => self.term(Shape::Source(value, Some(key), thread)),
                    Rule::Pure => self.term(Shape::Pure(value, operands(&terms))),
                    Rule::Varying => self.term(Shape::Varying(value, key, operands(&terms))),
                };
                terms[value as usize] = Some(term);
            }
            instances.push(Instance { node, key, terms: terms.clone() });
        }
        instances
    }
}

/// The positions of the converged instances of two threads.
pub(crate) fn converged(first: &[Instance], second: &[Instance]) -> Vec<(usize, usize)> {
    let mut pairs = Vec::new();
    for (i, one) in first.iter().enumerate() {
        pairs.extend(second.iter().position(|other| other.key == one.key).map(|j| (i, j)));
    }
    pairs
}

/// Whether at the converged instances of nodes that are not `divergent` both go the same way.
pub(crate) fn are_consistent(
    first: &[Instance],
    second: &[Instance],
    converged: &[(usize, usize)],
    divergent: impl Fn(Node) -> bool,
) -> bool {
    converged.iter().all(|&(i, j)| {
        divergent(first[i].node)
            || match (first.get(i + 1), second.get(j + 1)) {
                (Some(one), Some(other)) => one.node == other.node,
                _ => true,
            }
    })
}

/// All paths from the entry that pass no node more than `visits` times; nothing when there are more than `most`.
pub(crate) fn paths(problem: &Problem, visits: usize, most: usize) -> Option<Vec<Vec<Node>>> {
    let mut all = Vec::new();
    let mut stack = vec![vec![problem.graph.entry()]];
    while let Some(path) = stack.pop() {
        let last = *path.last().expect("the entry");
        let mut successors = problem.graph.successors(last).to_vec();
        successors.sort_unstable();
        successors.dedup();
        for successor in successors {
            if path.iter().filter(|&&node| node == successor).count() < visits {
                let mut longer = path.clone();
                longer.push(successor);
                stack.push(longer);
            }
        }
        all.push(path);
        if all.len() + stack.len() > most {
            return None;
        }
    }
    Some(all)
}

/// The divergent values and branches in one hierarchy by pairs of the given paths only.
pub(crate) fn by_enumeration(problem: &Problem, forest: &CycleForest, paths: &[Vec<Node>]) -> (Vec<bool>, Vec<bool>) {
    let mut instances = Instances::new(problem, forest);
    let threads = [0, 1].map(|thread| paths.iter().map(|path| instances.run(thread, path)).collect::<Vec<_>>());
    let mut values: Vec<bool> =
        problem.values.iter().map(|data| data.node.is_none() && data.rule == Rule::Source).collect();
    let mut branches: Vec<bool> = problem.branches.iter().map(|&branch| branch == Branch::Source).collect();
    loop {
        let before = (values.clone(), branches.clone());
        for first in &threads[0] {
            for second in &threads[1] {
                let converged = converged(first, second);
                if !are_consistent(first, second, &converged, |node| before.1[node.index()]) {
                    continue;
                }
                for &(i, j) in &converged {
                    let differs = |value: ValueIndex| first[i].terms[value as usize] != second[j].terms[value as usize];
                    let node = first[i].node;
                    for &value in &instances.by_node[node.index()] {
                        values[value as usize] |= differs(value);
                    }
                    if let Branch::On(value) = problem.branches[node.index()] {
                        branches[node.index()] |= differs(value);
                    }
                }
            }
        }
        if before == (values.clone(), branches.clone()) {
            return before;
        }
    }
}
