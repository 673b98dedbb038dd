//! The rules of the texts, transcribed slowly.

use std::collections::{HashMap, HashSet};

use reconverge_outline::{Node, NodeKind, Outline};

/// A step: the thread, and the position in its walk.
pub(crate) type Step = (usize, usize);

/// A set of nodes that is executed several times, "cycle" of the 2025-04 text.
struct Cycle {
    nodes: HashSet<Node>,
    /// The loop, if it is one.
    repeats: Option<Node>,
}

/// The statements and expressions in a node, itself included.
fn inside(outline: &Outline, node: Node) -> impl Iterator<Item = Node> + use<'_> {
    outline.nodes.keys().filter(move |&inner| {
        let mut at = Some(inner);
        while let Some(up) = at.filter(|&up| up != node) {
            at = outline.parent(up);
        }
        at.is_some()
    })
}

fn contains(outline: &Outline, outer: Node, inner: Node) -> bool {
    let mut at = Some(inner);
    while let Some(up) = at.filter(|&up| up != outer) {
        at = outline.parent(up);
    }
    at.is_some()
}

/// What is executed in each iteration of a loop.
fn repeated(outline: &Outline, node: Node) -> Option<HashSet<Node>> {
    let parts = match outline.kind(node) {
        NodeKind::While { condition, body } | NodeKind::DoWhile { body, condition } => vec![condition, body],
        NodeKind::For { condition, step, body, .. } => [condition, step, Some(body)].into_iter().flatten().collect(),
        _ => return None,
    };
    Some(parts.into_iter().flat_map(|part| inside(outline, part)).collect())
}

fn cycles(outline: &Outline) -> Vec<Cycle> {
    let mut cycles = Vec::new();
    for node in outline.nodes.keys() {
        if let Some(nodes) = repeated(outline, node) {
            cycles.push(Cycle { nodes, repeats: Some(node) });
        }
        match outline.kind(node) {
            NodeKind::Goto(label) if label <= node => {
                let nodes = outline.nodes.keys().filter(|&it| label <= it && it <= node).collect();
                cycles.push(Cycle { nodes, repeats: None });
            }
            _ => {}
        }
    }
    cycles
}

/// "Iteration Statement": no `goto` or `switch` outside of it transfers control to a label inside.
pub(crate) fn is_reducible(outline: &Outline, statement: Node) -> bool {
    outline.nodes.keys().all(|node| {
        contains(outline, statement, node)
            || match outline.kind(node) {
                NodeKind::Goto(label) => !contains(outline, statement, label),
                NodeKind::Switch { labels, .. } => !labels.iter().any(|&label| contains(outline, statement, label)),
                _ => true,
            }
    })
}

/// Where the implementation decides, and may decide for each evaluation.
pub(crate) fn implementation_defined(outline: &Outline, text: Text) -> HashSet<Node> {
    let mut nodes = HashSet::new();
    for cycle in cycles(outline).into_iter().chain(entered(outline, text)) {
        if cycle.repeats.is_none_or(|statement| !is_reducible(outline, statement)) {
            nodes.extend(cycle.nodes);
        }
    }
    if text == Text::Sequential {
        nodes.extend(outline.nodes.iter().filter(|(_, data)| data.is_noconvergent).map(|(node, _)| node));
    }
    nodes
}

/// 2025-08: what is reached, in some block, from a label on to which a jump leads from outside of that block. The text does not speak of that.
fn entered(outline: &Outline, text: Text) -> Vec<Cycle> {
    let mut sets: Vec<HashSet<Node>> = Vec::new();
    if text != Text::Enclosing {
        return Vec::new();
    }
    let mut jumps = Vec::new();
    for from in outline.nodes.keys() {
        match outline.kind(from) {
            NodeKind::Goto(label) => jumps.push((from, label)),
            // The labels of the block that is the body are parts of the `switch`.
            NodeKind::Switch { body, labels, .. } => jumps.extend(labels.iter().map(|&label| (body, label))),
            _ => {}
        }
    }
    for (from, to) in jumps {
        let mut labelled = to;
        while let Some(label) = outline.parent(labelled)
            && matches!(outline.kind(label), NodeKind::Label { .. } | NodeKind::Case(_))
        {
            labelled = label;
        }
        let enclosing = outline.parent(labelled);
        let is_branch = enclosing.is_some_and(|outer| matches!(outline.kind(outer), NodeKind::If { .. }));
        let block = if is_branch { Some(labelled) } else { enclosing };
        if block.is_some_and(|block| !contains(outline, block, from)) {
            sets.push(inside(outline, to).collect());
        }
        for block in outline.nodes.keys() {
            let parts: Vec<Node> = outline.parts(block).collect();
            if outline.kind(block) == NodeKind::Compound
                && let Some(entered) = parts.iter().position(|&part| contains(outline, part, to))
                && !contains(outline, block, from)
            {
                sets.push(parts[entered + 1..].iter().flat_map(|&part| inside(outline, part)).collect());
            }
        }
    }
    sets.into_iter().map(|nodes| Cycle { nodes, repeats: None }).collect()
}

/// A rule: two steps that are converged make two later ones converged. What is related are steps, and beginnings of iterations.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Event {
    /// A step of the walk.
    Step(usize),
    /// The beginning of the iteration of a loop with that step.
    Iteration(Node, usize),
}

/// How a text derives convergence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Text {
    /// 2025-04.
    Sequential,
    /// 2025-08.
    Enclosing,
}

/// The rules of a text for one body.
pub(crate) struct Rules<'a> {
    outline: &'a Outline,
    text: Text,
    cycles: Vec<Cycle>,
}

impl<'a> Rules<'a> {
    pub(crate) fn new(outline: &'a Outline, text: Text) -> Rules<'a> {
        let cycles = cycles(outline).into_iter().chain(entered(outline, text)).collect();
        Rules { outline, text, cycles }
    }

    /// "If every cycle that contains S1 also contains S"; and no statement between is `noconvergent`, at the start of which the implementation decides.
    fn derives(&self, outer: Node, inner: Node) -> bool {
        let at_outer = |cycle: &Cycle| !cycle.nodes.contains(&inner) || cycle.nodes.contains(&outer);
        contains(self.outline, outer, inner)
            && outer != inner
            && self.cycles.iter().all(at_outer)
            && !self.is_marked_between(outer, inner)
            && (!self.is_enclosing() || self.enclosing(inner) == Some(outer))
    }

    /// "Immediately enclosing": a label belongs to its statement, and the block that is the body of a `switch` to that.
    fn enclosing(&self, node: Node) -> Option<Node> {
        let parent_of = |node: Node| self.outline.parent(node);
        let mut enclosing = parent_of(node)?;
        while let Some(outer) = parent_of(enclosing) {
            let is_part = matches!(
                (&self.outline.kind(enclosing), &self.outline.kind(outer)),
                (NodeKind::Label { .. } | NodeKind::Case(_), _) | (NodeKind::Compound, NodeKind::Switch { .. })
            );
            if !is_part {
                break;
            }
            enclosing = outer;
        }
        Some(enclosing)
    }

    fn is_enclosing(&self) -> bool {
        self.text == Text::Enclosing
    }

    /// Whether a `noconvergent` statement inside one node is or contains another.
    fn is_marked_between(&self, outer: Node, inner: Node) -> bool {
        let marked = |node: Node| self.outline.nodes[node].is_noconvergent && contains(self.outline, node, inner);
        self.text == Text::Sequential && inside(self.outline, outer).any(|node| node != outer && marked(node))
    }

    /// What is executed once in each iteration of a reducible loop: every cycle that contains it contains the loop, but for the loop's own.
    fn follows_iteration(&self, statement: Node, inner: Node) -> bool {
        let others = |cycle: &Cycle| {
            cycle.repeats == Some(statement) || cycle.nodes.contains(&statement) || !cycle.nodes.contains(&inner)
        };
        self.cycles.iter().all(others)
            && !self.is_marked_between(statement, inner)
            && (!self.is_enclosing() || self.enclosing(inner) == Some(statement))
    }

    /// For each event of a walk, those from which it follows, each by a rule that both threads have to use.
    fn premises(&self, walk: &[Node]) -> Vec<(Event, Event)> {
        let mut premises = Vec::new();
        // The latest start of each statement, while the thread is in it.
        let mut open: HashMap<Node, usize> = HashMap::new();
        let mut iterations: HashMap<Node, usize> = HashMap::new();
        for (step, &node) in walk.iter().enumerate() {
            open.retain(|&statement, _| contains(self.outline, statement, node) && statement != node);
            iterations
                .retain(|&statement, _| repeated(self.outline, statement).is_some_and(|parts| parts.contains(&node)));
            let jumped = step > 0 && matches!(self.outline.kind(walk[step - 1]), NodeKind::Goto(_));
            if let Some(parent) = self.outline.parent(node)
                && self.begins(parent, node)
                && !jumped
                && is_reducible(self.outline, parent)
            {
                let begun = Event::Iteration(parent, step);
                match iterations.insert(parent, step) {
                    // "Converged at the end of the body substatement": those that were where the iteration began.
                    Some(before) => premises.push((Event::Iteration(parent, before), begun)),
                    None => premises.push((Event::Step(open[&parent]), begun)),
                }
            }
            for (&statement, &begun) in &iterations {
                if self.follows_iteration(statement, node) {
                    premises.push((Event::Iteration(statement, begun), Event::Step(step)));
                }
            }
            for (&statement, &start) in &open {
                if self.derives(statement, node) {
                    premises.push((Event::Step(start), Event::Step(step)));
                }
            }
            open.insert(node, step);
        }
        premises
    }

    fn begins(&self, parent: Node, node: Node) -> bool {
        match self.outline.kind(parent) {
            NodeKind::While { condition, .. } => condition == node,
            NodeKind::DoWhile { body, .. } => body == node,
            NodeKind::For { condition, body, .. } => condition.unwrap_or(body) == node,
            _ => false,
        }
    }

    /// All pairs of steps of different threads that are converged, if these are; the first steps of all threads are. Least fixed point.
    pub(crate) fn converged(&self, walks: &[Vec<Node>], given: &HashSet<(Step, Step)>) -> HashSet<(Step, Step)> {
        let premises: Vec<Vec<(Event, Event)>> = walks.iter().map(|walk| self.premises(walk)).collect();
        let mut pairs: HashSet<((usize, Event), (usize, Event))> = HashSet::new();
        let mut work = Vec::new();
        let mut add = |one: (usize, Event), other: (usize, Event), work: &mut Vec<_>| {
            for pair in [(one, other), (other, one)] {
                if pairs.insert(pair) {
                    work.push(pair);
                }
            }
        };
        for one in 0..walks.len() {
            for other in 0..one {
                add((one, Event::Step(0)), (other, Event::Step(0)), &mut work);
            }
        }
        for &((one, i), (other, j)) in given {
            add((one, Event::Step(i)), (other, Event::Step(j)), &mut work);
        }
        let same = |one: (usize, Event), other: (usize, Event)| match (one.1, other.1) {
            (Event::Step(i), Event::Step(j)) => walks[one.0][i] == walks[other.0][j],
            (Event::Iteration(one, _), Event::Iteration(other, _)) => one == other,
            _ => false,
        };
        while let Some((one, other)) = work.pop() {
            for &(_, i) in premises[one.0].iter().filter(|premise| premise.0 == one.1) {
                for &(_, j) in premises[other.0].iter().filter(|premise| premise.0 == other.1) {
                    if same((one.0, i), (other.0, j)) {
                        add((one.0, i), (other.0, j), &mut work);
                    }
                }
            }
        }
        let steps = pairs.into_iter().filter_map(|pair| match pair {
            ((one, Event::Step(i)), (other, Event::Step(j))) => Some(((one, i), (other, j))),
            _ => None,
        });
        steps.collect()
    }
}
