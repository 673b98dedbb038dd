//! What is known of values whatever threads do: which are copies of others, and which vary in a cycle.

use cranelift_entity::EntityRef;
use reconverge_graph::{Cycle, DepthFirst, Node};
use rustc_hash::FxHashMap;

use super::cycles::Cycles;
use super::{Problem, Rule, ValueIndex};

/// The values of a problem.
#[derive(Debug)]
pub(super) struct Values {
    /// By value: the one that it always is.
    same: Vec<ValueIndex>,
    /// By node, the phis: a slice of `phis` each.
    phi_starts: Vec<u32>,
    phis: Vec<ValueIndex>,
    /// What is known so far.
    varies: FxHashMap<(Cycle, ValueIndex), bool>,
}

/// Whether there are two different ones.
pub(super) fn distinct(mut operands: impl Iterator<Item = ValueIndex>) -> bool {
    let first = operands.next();
    operands.any(|operand| Some(operand) != first)
}

impl Values {
    /// Almost linear.
    pub(super) fn new(problem: &Problem, search: &DepthFirst) -> Values {
        let phi_nodes = || {
            let phis = problem.values.iter().zip(0..).filter(|(data, _)| data.rule == Rule::Phi);
            phis.filter_map(|(data, value)| Some((data.node?, value)))
        };
        let mut phi_starts = vec![0; problem.graph.node_count() + 2];
        for (node, _) in phi_nodes() {
            phi_starts[node.index() + 2] += 1;
        }
        for index in 2..phi_starts.len() {
            phi_starts[index] += phi_starts[index - 1];
        }
        let mut phis = vec![0; phi_starts.last().map_or(0, |&end| end as usize)];
        for (node, value) in phi_nodes() {
            let place = &mut phi_starts[node.index() + 1];
            phis[*place as usize] = value;
            *place += 1;
        }
        let mut values = Values { same: Vec::new(), phi_starts, phis, varies: FxHashMap::default() };
        values.find_copies(problem, search);
        values
    }

    /// Phis whose operands are all one value, or themselves, or such phis in turn. Optimistic: phis that only depend on
    /// each other and on one value are that value.
    fn find_copies(&mut self, problem: &Problem, search: &DepthFirst) {
        const UNKNOWN: ValueIndex = ValueIndex::MAX;
        let mut same: Vec<ValueIndex> = (0..problem.values.len() as ValueIndex).collect();
        for &phi in &self.phis {
            same[phi as usize] = UNKNOWN;
        }
        let mut changed = true;
        while changed {
            changed = false;
            for node in search.reverse_postorder() {
                for &phi in self.phis(node) {
                    let arriving = problem.operands(phi).iter().zip(problem.sources(phi));
                    let mut operands = arriving
                        .filter(|&(_, &source)| search.is_reachable(source))
                        .map(|(&operand, _)| same[operand as usize])
                        .filter(|&operand| operand != UNKNOWN && operand != phi);
                    let first = operands.next().unwrap_or(UNKNOWN);
                    let found = if operands.all(|operand| operand == first) { first } else { phi };
                    // What was found to be several values stays so.
                    if same[phi as usize] != found && same[phi as usize] != phi {
                        same[phi as usize] = found;
                        changed = true;
                    }
                }
            }
        }
        for (value, same) in (0..).zip(&mut same) {
            if *same == UNKNOWN {
                *same = value;
            }
        }
        self.same = same;
    }

    /// The value that this one always is: itself, or of what it is a copy.
    pub(super) fn same(&self, value: ValueIndex) -> ValueIndex {
        self.same[value as usize]
    }

    /// The phis of a node.
    pub(super) fn phis(&self, node: Node) -> &[ValueIndex] {
        &self.phis[self.phi_starts[node.index()] as usize..self.phi_starts[node.index() + 1] as usize]
    }

    /// Whether a value, computed in a cycle, can be another one in another iteration. Only what is [`Rule::Pure`] in its
    /// operands, and they do not vary either, cannot.
    pub(super) fn varies(&mut self, problem: &Problem, cycles: &Cycles, value: ValueIndex, cycle: Cycle) -> bool {
        let mut stack = vec![(value, 0usize)];
        while let Some((value, next)) = stack.pop() {
            if next == 0 && self.varies.contains_key(&(cycle, value)) {
                continue;
            }
            let same = self.same[value as usize];
            let data = &problem.values[value as usize];
            // What the answer depends on, if it is not known.
            let operands = match data.rule {
                _ if !data.node.is_some_and(|node| cycles.contains(cycle, node)) => &[],
                _ if same != value => std::slice::from_ref(&self.same[value as usize]),
                Rule::Pure => problem.operands(value),
                _ => {
                    self.varies.insert((cycle, value), true);
                    continue;
                }
            };
            let before = next.checked_sub(1).and_then(|index| operands.get(index));
            let known = match before.map(|&operand| self.varies[&(cycle, operand)]) {
                Some(true) => Some(true),
                _ if next == operands.len() => Some(false),
                _ => None,
            };
            match known {
                Some(varies) => {
                    self.varies.insert((cycle, value), varies);
                }
                None => {
                    // A phi of itself and of what is left open depends on itself: it can be anything in each iteration.
                    self.varies.insert((cycle, value), true);
                    stack.push((value, next + 1));
                    stack.push((operands[next], 0));
                }
            }
        }
        self.varies[&(cycle, value)]
    }
}
