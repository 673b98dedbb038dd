//! What the texts' definitions look at: cycles, jumps, and which statements are jumped into. Everything here takes linear time, but for a sort of the cycles.

use cranelift_entity::{PrimaryMap, SecondaryMap};

use super::{Cycle, CycleData, Jump};
use crate::outline::{Node, NodeKind, Outline};

/// Jumps to the labels of some part of a body: those from the first and from the last node that jumps there. As jumps that come from inside a span lie
/// between its ends, these two tell whether all do.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Incoming {
    first: Option<Jump>,
    last: Option<Jump>,
}

impl Incoming {
    fn add(&mut self, other: Incoming) {
        self.first = self.first.into_iter().chain(other.first).min();
        self.last = self.last.into_iter().chain(other.last).max();
    }

    /// A jump that does not come from `node` or a part of it.
    pub(super) fn outside(self, outline: &Outline, node: Node) -> Option<Jump> {
        self.first.into_iter().chain(self.last).find(|jump| !outline.contains(node, jump.from))
    }
}

/// The facts about an outline.
#[derive(Debug)]
pub(super) struct Structure {
    /// Every `goto`, and every `switch` with each of its labels, in the order of the jumping nodes.
    pub(super) jumps: Vec<Jump>,
    /// The cycles in the order of their first nodes.
    pub(super) cycles: PrimaryMap<Cycle, CycleData>,
    /// The innermost iteration statement whose cycle contains the node.
    pub(super) iteration_of: SecondaryMap<Node, Option<Node>>,
    /// Of the spans of backward jumps that contain the node, one that starts last.
    pub(super) goto_cycle: SecondaryMap<Node, Option<Cycle>>,
    /// The innermost `noconvergent` statement that contains the node or is it.
    pub(super) noconvergent: SecondaryMap<Node, Option<Node>>,
    /// Jumps to labels that are in the node and are not the node itself.
    pub(super) inside: SecondaryMap<Node, Incoming>,
}

impl Structure {
    pub(super) fn of(outline: &Outline) -> Structure {
        let jumps = jumps(outline);
        let cycles = cycles(outline, &jumps);
        let (inside, _) = incoming(outline, &jumps);
        let mut structure = Structure {
            goto_cycle: goto_cycles(outline, &cycles),
            jumps,
            cycles,
            iteration_of: outline.per_node(),
            noconvergent: SecondaryMap::new(),
            inside,
        };
        for (node, data) in &outline.nodes {
            let around = data.parent().and_then(|parent| structure.noconvergent[parent]);
            // Most bodies have none: the map stays empty.
            if let Some(innermost) = if data.is_noconvergent { Some(node) } else { around } {
                structure.noconvergent[node] = Some(innermost);
            }
            let Some(parent) = data.parent() else { continue };
            let is_init = |parent| matches!(outline.kind(parent), NodeKind::For { init, .. } if init == Some(node));
            structure.iteration_of[node] = match outline.nodes[parent].is_iteration() && !is_init(parent) {
                true => Some(parent),
                false => structure.iteration_of[parent],
            };
        }
        structure
    }

    /// A jump from outside the node to a label in it that is not the node itself.
    pub(super) fn entered(&self, outline: &Outline, node: Node) -> Option<Jump> {
        self.inside[node].outside(outline, node)
    }
}

fn jumps(outline: &Outline) -> Vec<Jump> {
    let mut jumps = Vec::new();
    for from in outline.nodes.keys() {
        match outline.kind(from) {
            NodeKind::Goto(to) => jumps.push(Jump { from, to }),
            NodeKind::Switch { labels, .. } => jumps.extend(labels.iter().map(|&to| Jump { from, to })),
            _ => {}
        }
    }
    jumps
}

fn cycles(outline: &Outline, jumps: &[Jump]) -> PrimaryMap<Cycle, CycleData> {
    let iterations = outline.nodes.iter().filter(|(_, data)| data.is_iteration());
    let iterations =
        iterations.map(|(first, data)| CycleData { first, last: Node::from_u32(data.end.as_u32() - 1), jump: None });
    let backward = jumps.iter().filter(|jump| jump.to <= jump.from);
    let gotos = backward.map(|&jump| CycleData { first: jump.to, last: jump.from, jump: Some(jump) });
    let mut cycles: Vec<CycleData> = iterations.chain(gotos).collect();
    cycles.sort_unstable_by_key(|cycle| (cycle.first, cycle.last, cycle.jump));
    cycles.into_iter().collect()
}

/// For each node, of the goto cycles that contain it the one that starts last.
fn goto_cycles(outline: &Outline, cycles: &PrimaryMap<Cycle, CycleData>) -> SecondaryMap<Node, Option<Cycle>> {
    if cycles.values().all(|data| data.jump.is_none()) {
        return SecondaryMap::new();
    }
    let mut innermost = outline.per_node();
    let mut begun: Vec<Cycle> = Vec::new();
    let mut next = cycles.iter().filter(|(_, data)| data.jump.is_some()).peekable();
    for node in outline.nodes.keys() {
        while let Some((cycle, _)) = next.next_if(|(_, data)| data.first == node) {
            begun.push(cycle);
        }
        while begun.pop_if(|cycle| cycles[*cycle].last < node).is_some() {}
        innermost[node] = begun.last().copied();
    }
    innermost
}

/// For each jump, the smallest statement that properly contains its label, and contains where it comes from. O(n log n).
pub(super) fn around(outline: &Outline, jumps: &[Jump]) -> Vec<Node> {
    let mut to: SecondaryMap<Node, Vec<usize>> = outline.per_node();
    for (index, jump) in jumps.iter().enumerate() {
        to[jump.to].push(index);
    }
    let mut around = vec![outline.body(); jumps.len()];
    // The nodes that contain the one at hand: their first nodes ascend, their ends descend.
    let mut path: Vec<Node> = Vec::new();
    for node in outline.nodes.keys() {
        while path.pop_if(|outer| !outline.contains(*outer, node)).is_some() {}
        for &index in &to[node] {
            let from = jumps[index].from;
            let count = path.partition_point(|&outer| outline.contains(outer, from));
            around[index] = count.checked_sub(1).map_or(outline.body(), |last| path[last]);
        }
        path.push(node);
    }
    around
}

/// For each node, the jumps to labels in it that are not it, and to all labels in it.
pub(super) fn incoming(
    outline: &Outline,
    jumps: &[Jump],
) -> (SecondaryMap<Node, Incoming>, SecondaryMap<Node, Incoming>) {
    if jumps.is_empty() {
        return Default::default();
    }
    let mut inside: SecondaryMap<Node, Incoming> = outline.per_node();
    let mut here: SecondaryMap<Node, Incoming> = outline.per_node();
    for &jump in jumps {
        here[jump.to].add(Incoming { first: Some(jump), last: Some(jump) });
    }
    for (node, data) in outline.nodes.iter().rev() {
        let all = inside[node];
        here[node].add(all);
        if let Some(parent) = data.parent() {
            inside[parent].add(here[node]);
        }
    }
    (inside, here)
}
