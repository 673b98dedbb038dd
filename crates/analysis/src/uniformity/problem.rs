//! What uniformity analysis knows about one function and one set of threads, as flat arrays.
//!
//! A [`Problem`] says for each value on its own whether it differs between threads of the set; the analysis
//! says what follows. Which set of threads is meant (a subgroup, a workgroup, the grid) decides the [`Rule`]s and is
//! otherwise unknown here. Invariant: constants and parameters come before what is computed, and a value that is
//! computed has a node.
//!
//! IR of any kind can be asked about: nothing here knows LLVM. `examples/toy_ir.rs` has a whole one.

use std::ops::Range;

use cranelift_entity::EntityRef;
use reconverge_graph::{Digraph, Node};

/// Index into [`Problem::values`].
pub type ValueIndex = u32;

/// One function, for one set of threads.
#[derive(Debug, Clone)]
pub struct Problem {
    /// The control-flow graph. Nodes are blocks, or parts of blocks that were cut where a convergence region ends.
    pub graph: Digraph,
    /// All values. Those of one node need not be contiguous, nor in order.
    pub values: Vec<ValueData>,
    /// The pool of operands.
    pub operands: Vec<ValueIndex>,
    /// For the operands of phis, parallel to `operands`: the node that the operand comes from, a predecessor of the
    /// phi's node. For other operands: the node of the user.
    pub sources: Vec<Node>,
    /// By node: what decides which successor is taken.
    pub branches: Vec<Branch>,
    /// The convergence regions that leave the cycle of their definition.
    pub regions: Vec<Region>,
}

/// A value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ValueData {
    /// Where it is computed; nothing for constants and parameters.
    pub node: Option<Node>,
    /// How it depends on its operands.
    pub rule: Rule,
    /// Its operands, as a range of the pool.
    pub operands: Range<u32>,
}

/// How the uniformity of a value follows from that of its operands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Rule {
    /// A constant, or a parameter that is the same in all threads. Two constants are the same index iff they are the
    /// same constant.
    Constant,
    /// Converged threads get the same result, whatever the operands are (`readfirstlane`, a load of a
    /// broadcast). Different iterations of a cycle may get different ones.
    Uniform,
    /// Converged threads may get different results, whatever the operands are.
    Source,
    /// A function of its operands and of nothing else.
    Pure,
    /// Uniform when its operands are; but different iterations of a cycle may get different results from the same
    /// operands (a load, a call).
    Varying,
    /// A phi: the operand that belongs to the edge over which the node was entered.
    Phi,
}

/// What decides which successor of a node is taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Branch {
    /// Nothing: the same way in all converged threads (at most one successor).
    Uniform,
    /// This value.
    On(ValueIndex),
    /// Something that threads may disagree on, such as an exception.
    Source,
}

/// A convergence region that extends over nodes outside of the innermost cycle of its definition: while they are in it,
/// only threads that executed the definition in the same iteration are converged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Region {
    /// The node of the token's definition.
    pub definition: Node,
    /// The nodes that are in the region as a whole.
    pub nodes: Vec<Node>,
}

/// Building one, value by value. What is computed has to come after constants and parameters, a definition has to dominate its uses, and a phi has an
/// operand for each edge into its node; no edge leads to the entry of the graph.
///
/// ```
/// use reconverge_analysis::uniformity::{Branch, Options, Problem, Rule, analyze};
/// use reconverge_graph::{Digraph, Node};
/// // entry -> then, join; then -> join
/// let [entry, then, join] = [0, 1, 2].map(Node::from_u32);
/// let mut problem = Problem::new(Digraph::from_edges(3, entry, &[(entry, then), (entry, join), (then, join)]));
/// let [zero, one] = [(); 2].map(|()| problem.input(Rule::Constant));
/// let thread = problem.value(entry, Rule::Source, &[]);
/// let is_first = problem.value(entry, Rule::Pure, &[thread, zero]);
/// problem.set_branch(entry, Branch::On(is_first));
/// let chosen = problem.phi(join);
/// problem.set_incoming(chosen, &[(entry, zero), (then, one)]);
/// let found = analyze(&problem, &Options::default());
/// assert!(found.values[chosen as usize].is_some(), "which constant it is depends on the thread");
/// assert!(found.values[zero as usize].is_none());
/// ```
impl Problem {
    /// A graph without values, in which all branches are uniform.
    pub fn new(graph: Digraph) -> Problem {
        let branches = vec![Branch::Uniform; graph.node_count()];
        Problem { graph, values: Vec::new(), operands: Vec::new(), sources: Vec::new(), branches, regions: Vec::new() }
    }

    /// Adds a constant or parameter: [`Rule::Constant`], or [`Rule::Source`] where threads may get different ones.
    pub fn input(&mut self, rule: Rule) -> ValueIndex {
        self.add(None, rule)
    }

    /// Adds a value that is computed in a node, and is no phi.
    pub fn value(&mut self, node: Node, rule: Rule, operands: &[ValueIndex]) -> ValueIndex {
        let value = self.add(Some(node), rule);
        self.set_operands(value, operands.iter().map(|&operand| (node, operand)));
        value
    }

    /// Adds a phi. Its operands may be values that are not added yet, so [`Problem::set_incoming`] gives it those.
    pub fn phi(&mut self, node: Node) -> ValueIndex {
        self.add(Some(node), Rule::Phi)
    }

    /// Says what a phi is on each edge into its node: the node that the edge comes from, and the value.
    pub fn set_incoming(&mut self, phi: ValueIndex, incoming: &[(Node, ValueIndex)]) {
        self.set_operands(phi, incoming.iter().copied());
    }

    /// Says what decides which successor of a node is taken.
    pub fn set_branch(&mut self, node: Node, branch: Branch) {
        self.branches[node.index()] = branch;
    }

    fn add(&mut self, node: Option<Node>, rule: Rule) -> ValueIndex {
        self.values.push(ValueData { node, rule, operands: 0..0 });
        self.values.len() as ValueIndex - 1
    }

    fn set_operands(&mut self, value: ValueIndex, operands: impl Iterator<Item = (Node, ValueIndex)>) {
        let start = self.operands.len() as u32;
        for (source, operand) in operands {
            self.operands.push(operand);
            self.sources.push(source);
        }
        self.values[value as usize].operands = start..self.operands.len() as u32;
    }
}

impl Problem {
    /// The operands of a value.
    pub fn operands(&self, value: ValueIndex) -> &[ValueIndex] {
        let Range { start, end } = self.values[value as usize].operands;
        &self.operands[start as usize..end as usize]
    }

    /// Of a phi: the node that each operand comes from.
    pub fn sources(&self, value: ValueIndex) -> &[Node] {
        let Range { start, end } = self.values[value as usize].operands;
        &self.sources[start as usize..end as usize]
    }
}
