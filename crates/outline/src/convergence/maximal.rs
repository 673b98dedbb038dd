//! The maximal procedure of the 2024-10 text: where an implementation unites tangles until each statement has one.
//!
//! First, at every label where any cycle that contains the label contains the jumps to it: [`joining_labels`]. Then, at entries of cycles that it chooses one after
//! the other: [`Analysis::entries`]. Here a cycle is the *body* of an iteration statement or the range of a backward `goto`.
//!
//! By the letter the procedure does not reach its aim: the tangles of threads that leave the cycle of a backward `goto` in different rounds are unrelated, and what
//! follows that cycle is neither a label nor an entry.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use cranelift_entity::SecondaryMap;

use super::structure::Structure;
use super::{Analysis, Cycle, Jump};
use crate::{Node, NodeKind, Outline};

/// The labels at which the first step unites tangles, in order. O(n log n).
pub fn joining_labels(outline: &Outline) -> Vec<Node> {
    let structure = Structure::of(outline);
    let ends = first_ends(outline, &structure);
    let mut joins: SecondaryMap<Node, Option<bool>> = outline.per_node();
    for &jump in &structure.jumps {
        let Jump { from, to } = jump;
        let same_iterations = body_around(outline, to).is_none_or(|body| outline.contains(body, from));
        let after_starts = structure.goto_cycle[to].expand().is_none_or(|cycle| structure.cycles[cycle].first <= from);
        let before_ends = ends[to].is_none_or(|end| from <= end);
        let joined = joins[to].get_or_insert(true);
        *joined &= same_iterations && after_starts && before_ends;
    }
    outline.nodes.keys().filter(|&node| joins[node] == Some(true)).collect()
}

/// The body of the innermost iteration statement whose body contains the node. O(depth).
fn body_around(outline: &Outline, node: Node) -> Option<Node> {
    let mut inner = node;
    while let Some(outer) = outline.parent(inner) {
        match outline.kind(outer) {
            NodeKind::While { body, .. } | NodeKind::DoWhile { body, .. } | NodeKind::For { body, .. }
                if body == inner =>
            {
                return Some(body);
            }
            _ => inner = outer,
        }
    }
    None
}

/// For each node, of the goto cycles that contain it the end of the one that ends first.
fn first_ends(outline: &Outline, structure: &Structure) -> SecondaryMap<Node, Option<Node>> {
    let mut ends = outline.per_node();
    let mut open = BinaryHeap::new();
    let mut next = structure.cycles.values().filter(|data| data.jump.is_some()).peekable();
    for node in outline.nodes.keys() {
        while let Some(data) = next.next_if(|data| data.first == node) {
            open.push(Reverse(data.last));
        }
        while open.peek().is_some_and(|Reverse(end)| *end < node) {
            open.pop();
        }
        ends[node] = open.peek().map(|Reverse(end)| *end);
    }
    ends
}

impl Analysis {
    /// Where threads enter a cycle, in order: its first statement, and labels in it that are jumped to from outside of it. O(nodes).
    pub fn entries(&self, outline: &Outline, cycle: Cycle) -> Vec<Node> {
        let data = self.cycles[cycle];
        let (first, last) = match (data.jump, outline.kind(data.first)) {
            (None, NodeKind::While { body, .. } | NodeKind::DoWhile { body, .. } | NodeKind::For { body, .. }) => {
                (body, Node::from_u32(outline.nodes[body].end.as_u32() - 1))
            }
            _ => (data.first, data.last),
        };
        let is_inside = |node: Node| first <= node && node <= last;
        let jumps = Structure::of(outline).jumps;
        let entering = jumps.iter().filter(|jump| is_inside(jump.to) && !is_inside(jump.from)).map(|jump| jump.to);
        let mut entries: Vec<Node> = entering.chain([first]).collect();
        entries.sort_unstable();
        entries.dedup();
        entries
    }
}
