//! What the texts' definitions look at: cycles, jumps, and which statements are jumped into. Everything here takes linear time, but for a sort of the cycles.

use cranelift_entity::packed_option::PackedOption;
use cranelift_entity::{PrimaryMap, SecondaryMap};

use super::{Cycle, CycleData, Jump};
use crate::{Node, NodeKind, Outline, Shape};

/// Jumps to the labels of some part of a body, by their numbers: the first and the last one, which come from the first and from the last node that jumps
/// there. As jumps that come from inside a span lie between its ends, these two tell whether all do. There are none if the last one is before the first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Incoming {
    first: u32,
    last: u32,
}

impl Default for Incoming {
    fn default() -> Incoming {
        Incoming { first: u32::MAX, last: 0 }
    }
}

impl Incoming {
    fn jump(number: usize) -> Incoming {
        Incoming { first: number as u32, last: number as u32 }
    }

    fn add(&mut self, other: Incoming) {
        self.first = self.first.min(other.first);
        self.last = self.last.max(other.last);
    }

    /// A jump that does not come from `node` or a part of it.
    pub(super) fn outside(self, outline: &Outline, jumps: &[Jump], node: Node) -> Option<Jump> {
        if self.last < self.first {
            return None;
        }
        let ends = [self.first, self.last].map(|number| jumps[number as usize]);
        ends.into_iter().find(|jump| !outline.contains(node, jump.from))
    }
}

/// The facts about an outline.
#[derive(Debug, Default)]
pub(super) struct Structure {
    /// Every `goto`, and every `switch` with each of its labels, in the order of the jumping nodes.
    pub(super) jumps: Vec<Jump>,
    /// The cycles in the order of their first nodes.
    pub(super) cycles: PrimaryMap<Cycle, CycleData>,
    /// The innermost iteration statement whose cycle contains the node.
    pub(super) iteration_of: SecondaryMap<Node, PackedOption<Node>>,
    /// Of the spans of backward jumps that contain the node, one that starts last.
    pub(super) goto_cycle: SecondaryMap<Node, PackedOption<Cycle>>,
    /// The innermost `noconvergent` statement that contains the node or is it.
    pub(super) noconvergent: SecondaryMap<Node, PackedOption<Node>>,
    /// Jumps to labels that are in the node and are not the node itself.
    inside: SecondaryMap<Node, Incoming>,
}

impl Structure {
    pub(super) fn of(outline: &Outline) -> Structure {
        let mut structure = Structure::default();
        structure.replace(outline);
        structure
    }

    /// The facts about another outline, in the same room. Maps of what an outline does not have stay empty.
    pub(super) fn replace(&mut self, outline: &Outline) {
        self.jumps.clear();
        self.cycles.clear();
        self.iteration_of.clear();
        self.iteration_of.resize(outline.nodes.len());
        self.noconvergent.clear();
        for (node, data) in &outline.nodes {
            self.add(outline, node);
            let around = data.parent().and_then(|parent| self.noconvergent[parent].expand());
            if let Some(innermost) = if data.is_noconvergent { Some(node) } else { around } {
                self.noconvergent[node] = innermost.into();
            }
            let Some(parent) = data.parent() else { continue };
            let is_init = |parent| matches!(outline.kind(parent), NodeKind::For { init, .. } if init == Some(node));
            self.iteration_of[node] = match outline.nodes[parent].is_iteration() && !is_init(parent) {
                true => parent.into(),
                false => self.iteration_of[parent],
            };
        }
        self.find_goto_cycles(outline);
        incoming(outline, &self.jumps, &mut self.inside);
    }

    /// A jump from outside the node to a label in it that is not the node itself.
    pub(super) fn entered(&self, outline: &Outline, node: Node) -> Option<Jump> {
        self.inside[node].outside(outline, &self.jumps, node)
    }

    /// The iteration statements that are jumped into.
    pub(super) fn entered_iterations(&self, outline: &Outline) -> impl Iterator<Item = (Node, Jump)> {
        let iterations = self.cycles.values().filter(|data| !self.jumps.is_empty() && data.jump.is_none());
        iterations.filter_map(move |data| Some((data.first, self.entered(outline, data.first)?)))
    }

    /// The jumps of a node, and the cycle that it is.
    fn add(&mut self, outline: &Outline, node: Node) {
        let data = &outline.nodes[node];
        match data.shape() {
            Shape::Goto(to) => self.jumps.push(Jump { from: node, to }),
            Shape::Switch(_) => {
                if let NodeKind::Switch { labels, .. } = outline.kind(node) {
                    self.jumps.extend(labels.iter().map(|&to| Jump { from: node, to }));
                }
            }
            Shape::While | Shape::DoWhile | Shape::For { .. } => {
                let last = Node::from_u32(data.end.as_u32() - 1);
                self.cycles.push(CycleData { first: node, last, jump: None });
            }
            _ => {}
        }
    }

    /// Adds the goto cycles to those of iteration statements, and finds for each node, of the goto cycles that contain it the one that starts last.
    fn find_goto_cycles(&mut self, outline: &Outline) {
        self.goto_cycle.clear();
        let backward = self.jumps.iter().filter(|jump| jump.to <= jump.from);
        let mut gotos =
            backward.map(|&jump| CycleData { first: jump.to, last: jump.from, jump: Some(jump) }).peekable();
        if gotos.peek().is_none() {
            return;
        }
        self.cycles.extend(gotos);
        self.cycles.values_mut().into_slice().sort_unstable_by_key(|cycle| (cycle.first, cycle.last, cycle.jump));
        self.goto_cycle.resize(outline.nodes.len());
        let mut begun: Vec<Cycle> = Vec::new();
        let mut next = self.cycles.iter().filter(|(_, data)| data.jump.is_some()).peekable();
        for node in outline.nodes.keys() {
            while let Some((cycle, _)) = next.next_if(|(_, data)| data.first == node) {
                begun.push(cycle);
            }
            while begun.pop_if(|cycle| self.cycles[*cycle].last < node).is_some() {}
            self.goto_cycle[node] = begun.last().copied().into();
        }
    }
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

/// For each node, the jumps to labels in it that are not it. None at all where there are no jumps.
pub(super) fn incoming(outline: &Outline, jumps: &[Jump], inside: &mut SecondaryMap<Node, Incoming>) {
    assert!(jumps.is_sorted(), "jumps are in the order of the jumping nodes");
    inside.clear();
    if jumps.is_empty() {
        return;
    }
    inside.resize(outline.nodes.len());
    for (number, jump) in jumps.iter().enumerate() {
        if let Some(parent) = outline.parent(jump.to) {
            inside[parent].add(Incoming::jump(number));
        }
    }
    for (node, data) in outline.nodes.iter().rev() {
        if let Some(parent) = data.parent() {
            let all = inside[node];
            inside[parent].add(all);
        }
    }
}

/// Like [`incoming`], with the jumps to the node itself.
pub(super) fn incoming_here(outline: &Outline, jumps: &[Jump]) -> SecondaryMap<Node, Incoming> {
    let mut here = SecondaryMap::new();
    incoming(outline, jumps, &mut here);
    for (number, jump) in jumps.iter().enumerate() {
        here[jump.to].add(Incoming::jump(number));
    }
    here
}
