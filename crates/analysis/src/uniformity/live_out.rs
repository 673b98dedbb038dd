//! Who uses values of a cycle outside of it, and behind which exits.

use cranelift_entity::EntityRef;
use reconverge_graph::{Cycle, DepthFirst, Node};
use rustc_hash::{FxHashMap, FxHashSet};

use super::cycles::Cycles;
use super::levels::Levels;
use super::{Branch, Element, Problem, Rule, ValueIndex};

/// The uses, outside of cycles, of values that are computed in them.
#[derive(Debug, Default)]
pub(super) struct LiveOut {
    by_cycle: FxHashMap<Cycle, Uses>,
}

/// The uses, outside of it, of the values of one cycle.
#[derive(Debug, Default)]
struct Uses {
    /// By the exit through which every thread comes that gets to the use.
    behind: FxHashMap<usize, Vec<Use>>,
    /// By the node of the use, where several exits lead there.
    elsewhere: FxHashMap<Node, Vec<Use>>,
    /// The nodes that a divergent exit was found to lead to.
    seen: FxHashSet<Node>,
}

/// A use of a value.
#[derive(Debug, Clone, Copy)]
pub(super) struct Use {
    pub(super) user: Element,
    pub(super) value: ValueIndex,
}

impl LiveOut {
    /// Almost linear, times how many cycles values leave.
    pub(super) fn new(problem: &Problem, search: &DepthFirst, cycles: &Cycles, levels: &Levels) -> LiveOut {
        let mut found = LiveOut::default();
        if cycles.forest.cycles.is_empty() {
            return found;
        }
        let mut note = |value: ValueIndex, user: Element, block: Node, from: Option<Node>| {
            let Some(definition) = problem.values[value as usize].node else { return };
            if !search.is_reachable(block) || from.is_some_and(|from| !search.is_reachable(from)) {
                return;
            }
            for cycle in cycles.left_by(definition, block) {
                let outer = levels.given_up.get(&definition);
                if outer.is_some_and(|&outer| outer != cycle && cycles.forest.contains_cycle(outer, cycle)) {
                    continue;
                }
                // An operand of a phi is used where it comes from, or on the way out of there.
                let place = from.map_or(block, |from| levels.arrival(from, block));
                let live_out = found.by_cycle.entry(cycle).or_default();
                let uses = match levels.only_exit(cycles, cycle, place) {
                    Some(exit) => live_out.behind.entry(exit).or_default(),
                    None => {
                        let outside = from.filter(|&from| !cycles.contains(cycle, from));
                        live_out.elsewhere.entry(outside.unwrap_or(block)).or_default()
                    }
                };
                uses.push(Use { user, value });
            }
        };
        for (data, user) in problem.values.iter().zip(0..) {
            let Some(node) = data.node else { continue };
            match data.rule {
                Rule::Pure | Rule::Varying => {
                    problem.operands(user).iter().for_each(|&value| note(value, Element::Value(user), node, None));
                }
                Rule::Phi => {
                    for (&value, &source) in problem.operands(user).iter().zip(problem.sources(user)) {
                        note(value, Element::Value(user), node, Some(source));
                    }
                }
                Rule::Constant | Rule::Uniform | Rule::Source => {}
            }
        }
        for (node, branch) in problem.branches.iter().enumerate() {
            if let Branch::On(value) = *branch {
                note(value, Element::Branch(Node::new(node)), Node::new(node), None);
            }
        }
        found
    }

    /// The uses, behind an exit of a cycle, of values of the cycle; each is given once. Unless `exits_only`, those behind
    /// all exits of the cycle.
    pub(super) fn behind(
        &mut self,
        problem: &Problem,
        cycles: &Cycles,
        levels: &Levels,
        exit: usize,
        exits_only: bool,
    ) -> Vec<Use> {
        let cycle = levels.exits[exit].cycle;
        let Some(live_out) = self.by_cycle.get_mut(&cycle) else { return Vec::new() };
        let mut uses = live_out.behind.remove(&exit).unwrap_or_default();
        if !exits_only {
            uses.extend(live_out.behind.drain().flat_map(|(_, uses)| uses));
            uses.extend(live_out.elsewhere.drain().flat_map(|(_, uses)| uses));
        }
        let mut stack = vec![levels.exits[exit].edge.1];
        while let Some(node) = stack.pop() {
            if live_out.elsewhere.is_empty() {
                break;
            }
            if !live_out.seen.insert(node) {
                continue;
            }
            uses.extend(live_out.elsewhere.remove(&node).into_iter().flatten());
            // In the next iteration of a cycle around this one, its values are computed again.
            let is_ahead = |&next: &Node| {
                let headed = cycles.forest.innermost(next).filter(|&outer| cycles.forest.cycles[outer].header == next);
                !headed.is_some_and(|outer| cycles.contains_cycle(outer, cycle))
            };
            stack.extend(problem.graph.successors(node).iter().copied().filter(is_ahead));
        }
        uses
    }
}
