//! The rules of the texts, transcribed: sets of nodes, and closures. Slow, and shares nothing with what it checks but the outline.

use std::collections::BTreeSet;

use cranelift_entity::{EntityRef, SecondaryMap};
use reconverge_outline::SourceModel;
use reconverge_outline::convergence::{self, CycleData};
use reconverge_outline::{Node, NodeKind, Outline};

use crate::convergence::nodes;

type Set = BTreeSet<Node>;

fn parts(outline: &Outline, node: Node) -> Set {
    nodes(outline).filter(|&part| ancestors(outline, part).contains(&node)).collect()
}

/// The node and all that contain it, inner ones first.
fn ancestors(outline: &Outline, node: Node) -> Vec<Node> {
    std::iter::successors(Some(node), |&node| outline.parent(node)).collect()
}

fn jumps(outline: &Outline) -> Vec<(Node, Node)> {
    let targets = |node: Node| match &outline.kind(node) {
        NodeKind::Goto(label) => vec![*label],
        NodeKind::Switch { labels, .. } => labels.to_vec(),
        _ => Vec::new(),
    };
    nodes(outline).flat_map(|from| targets(from).into_iter().map(move |to| (from, to))).collect()
}

fn is_iteration(outline: &Outline, node: Node) -> bool {
    matches!(outline.kind(node), NodeKind::While { .. } | NodeKind::DoWhile { .. } | NodeKind::For { .. })
}

/// What is repeated by an iteration statement.
fn repeated(outline: &Outline, iteration: Node) -> Set {
    let mut set = parts(outline, iteration);
    set.remove(&iteration);
    if let NodeKind::For { init: Some(init), .. } = outline.kind(iteration) {
        for node in parts(outline, init) {
            set.remove(&node);
        }
    }
    set
}

fn span(outline: &Outline, label: Node, goto: Node) -> Set {
    nodes(outline).filter(|&node| label <= node && node <= goto).collect()
}

fn goto_cycles(outline: &Outline) -> Vec<Set> {
    let backward = jumps(outline).into_iter().filter(|(from, to)| to <= from);
    backward.map(|(from, to)| span(outline, to, from)).collect()
}

fn jumped_into(outline: &Outline, node: Node) -> bool {
    let inside = parts(outline, node);
    jumps(outline).iter().any(|(from, to)| *to != node && inside.contains(to) && !inside.contains(from))
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Point {
    Execution(Node),
    Iteration(Node),
}

/// 2025-04: for each node nothing where it is defined, else its unit.
pub(crate) fn by_cycles(outline: &Outline) -> SecondaryMap<Node, Option<Node>> {
    let rules = Rules::of(outline);
    let mut result = SecondaryMap::new();
    let body = Node::new(0);
    let defined = rules.closure(body);
    let closures: Vec<(Node, BTreeSet<Point>)> =
        nodes(outline).filter(|&node| !jumped_into(outline, node)).map(|node| (node, rules.closure(node))).collect();
    for node in nodes(outline) {
        let point = Point::Execution(node);
        result[node] = match defined.contains(&point) {
            true => None,
            false => {
                let unit = closures.iter().find(|(_, reached)| reached.contains(&point));
                Some(unit.map_or(node, |(unit, _)| *unit))
            }
        };
    }
    result
}

struct Rules<'a> {
    outline: &'a Outline,
    /// Each with the iteration statement that it is, if it is one.
    cycles: Vec<(Set, Option<Node>)>,
    noconvergent: Vec<(Node, Set)>,
}

impl Rules<'_> {
    fn of(outline: &Outline) -> Rules<'_> {
        let iterations = nodes(outline).filter(|&node| is_iteration(outline, node));
        let iterations = iterations.map(|node| (repeated(outline, node), Some(node)));
        let gotos = goto_cycles(outline).into_iter().map(|set| (set, None));
        let marked = nodes(outline).filter(|&node| outline.nodes[node].is_noconvergent);
        Rules {
            outline,
            cycles: iterations.chain(gotos).collect(),
            noconvergent: marked.map(|node| (node, parts(outline, node))).collect(),
        }
    }

    /// Where threads are converged that are converged at the execution of a node.
    fn closure(&self, start: Node) -> BTreeSet<Point> {
        let mut reached = BTreeSet::from([Point::Execution(start)]);
        let mut work = vec![Point::Execution(start)];
        while let Some(point) = work.pop() {
            for next in self.next(point) {
                if reached.insert(next) {
                    work.push(next);
                }
            }
        }
        reached
    }

    fn next(&self, point: Point) -> Vec<Point> {
        let (Point::Execution(around) | Point::Iteration(around)) = point;
        let contains_point = |(set, of): &&(Set, Option<Node>)| {
            set.contains(&around) || point == Point::Iteration(around) && *of == Some(around)
        };
        let inside = match point {
            Point::Execution(node) => parts(self.outline, node),
            Point::Iteration(node) => repeated(self.outline, node),
        };
        let mut found = Vec::new();
        for &part in &inside {
            let cycles = self.cycles.iter().filter(|(set, _)| set.contains(&part)).all(|cycle| contains_point(&cycle));
            let is_cut =
                self.noconvergent.iter().any(|(at, set)| *at != around && inside.contains(at) && set.contains(&part));
            if cycles && !is_cut {
                found.push(Point::Execution(part));
            }
        }
        if let Point::Execution(node) = point
            && is_iteration(self.outline, node)
            && !jumped_into(self.outline, node)
        {
            found.push(Point::Iteration(node));
        }
        found
    }
}

/// 2025-08: whether who is in the tangle of a node follows from the body's.
pub(crate) fn by_enclosing_statement(outline: &Outline) -> SecondaryMap<Node, bool> {
    let mut defined = SecondaryMap::new();
    let repeated_by_goto = goto_cycles(outline);
    for node in nodes(outline) {
        let Some(&parent) = ancestors(outline, node).get(1) else {
            defined[node] = true;
            continue;
        };
        let is_open = !defined[parent]
            || repeated_by_goto.iter().any(|span| span.contains(&node))
            || is_iteration(outline, parent)
                && repeated(outline, parent).contains(&node)
                && jumped_into(outline, parent)
            || is_behind_an_entry(outline, node);
        defined[node] = !is_open;
    }
    defined
}

/// Whether a jump leads from outside of the statement around the node to the node, or to what is before it there.
fn is_behind_an_entry(outline: &Outline, node: Node) -> bool {
    let is_label = |node: &Node| matches!(outline.kind(*node), NodeKind::Label { .. } | NodeKind::Case(_));
    let up = ancestors(outline, node);
    let at = (1..up.len()).find(|&at| !is_label(&up[at])).expect("the body is no label");
    // A branch is reached after the condition, not from the other branch.
    let is_branch = matches!(outline.kind(up[at]), NodeKind::If { .. });
    let enclosing = if is_branch { up[at - 1] } else { up[at] };
    let around = parts(outline, enclosing);
    let entries = jumps(outline).into_iter().filter(|(from, to)| around.contains(to) && !around.contains(from));
    // Who goes to a label of a `switch` is in the tangle of its body.
    let entries =
        entries.filter(|(from, _)| !matches!(outline.kind(*from), NodeKind::Switch { body, .. } if body == enclosing));
    let mut targets = entries.map(|(_, to)| to).filter(|&to| is_branch || to != enclosing);
    targets.any(|to| {
        let is_same_branch = ancestors(outline, node).contains(&to);
        let is_before = match &outline.kind(enclosing) {
            NodeKind::Compound => {
                let children: Vec<Node> = outline.parts(enclosing).collect();
                let child_of = |part: Node| children.iter().position(|&child| parts(outline, child).contains(&part));
                child_of(to) < child_of(node)
            }
            _ => false,
        };
        is_same_branch || is_before
    })
}

/// What the maximal procedure of 2024-10 calls a cycle: the body of an iteration statement, or the range of a backward jump.
fn cycle(outline: &Outline, data: &CycleData) -> Set {
    match (data.jump, &outline.kind(data.first)) {
        (Some(jump), _) => span(outline, jump.to, jump.from),
        (None, NodeKind::While { body, .. } | NodeKind::DoWhile { body, .. } | NodeKind::For { body, .. }) => {
            parts(outline, *body)
        }
        (None, kind) => unreachable!("{kind:?} is no cycle"),
    }
}

/// The labels at which the first step of the maximal procedure unites tangles.
pub(crate) fn joining_labels(outline: &Outline) -> Vec<Node> {
    let analysis = convergence::analyze(outline, SourceModel::Tangles2024_10);
    let cycles: Vec<Set> = analysis.cycles.values().map(|data| cycle(outline, data)).collect();
    let joins = |&label: &Node| {
        let jumps: Vec<Node> =
            jumps(outline).into_iter().filter(|(_, to)| *to == label).map(|(from, _)| from).collect();
        let contains_all = |cycle: &Set| jumps.iter().all(|jump| cycle.contains(jump));
        !jumps.is_empty() && cycles.iter().filter(|cycle| cycle.contains(&label)).all(contains_all)
    };
    nodes(outline).filter(joins).collect()
}

/// The first statement of a cycle, and its labels that are jumped to from outside.
pub(crate) fn entries(outline: &Outline, data: &CycleData) -> Vec<Node> {
    let inside = cycle(outline, data);
    let first = *inside.first().expect("a cycle is not empty");
    let is_entered =
        |label: &Node| *label == first || jumps(outline).iter().any(|(from, to)| to == label && !inside.contains(from));
    inside.iter().copied().filter(is_entered).collect()
}
