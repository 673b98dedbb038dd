//! The control flow of an outline.
//!
//! Each node has three points: its *start*, its *end*, and, for an iteration statement, the *head*, where each iteration starts: before the condition of
//! `while` and `for`, before the body of `do`. Every branch can go either way, every loop can end if it has a condition. A `return` leads nowhere. The evaluations in a full expression
//! lead from its start to its end; by which way they do is not kept.

use cranelift_entity::EntityRef;
use reconverge_graph::{Digraph, Node as Place};

use super::{Next, Node, NodeKind, Outline};

/// A point of control flow.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Point {
    /// Where a node starts to be executed.
    Start(Node),
    /// Where an iteration starts.
    Head(Node),
    /// Where the execution of a node ends, unless a jump leaves it.
    End(Node),
}

impl Point {
    /// Its number in the graph.
    pub fn place(self) -> Place {
        let (node, which) = match self {
            Point::Start(node) => (node, 0),
            Point::Head(node) => (node, 1),
            Point::End(node) => (node, 2),
        };
        Place::new(node.index() * 3 + which)
    }

    /// The point of a number.
    pub fn of(place: Place) -> Point {
        let node = Node::new(place.index() / 3);
        match place.index() % 3 {
            0 => Point::Start(node),
            1 => Point::Head(node),
            _ => Point::End(node),
        }
    }
}

/// The graph of all points, from the start of the body. The heads of nodes that are no iteration statements have no edges. O(nodes).
pub fn graph(outline: &Outline) -> Digraph {
    let mut edges = Vec::with_capacity(outline.nodes.len() * 3);
    for node in outline.nodes.keys() {
        let mut edge = |from: Point, to: Point| edges.push((from.place(), to.place()));
        let (start, head, end) = (Point::Start(node), Point::Head(node), Point::End(node));
        match outline.kind(node) {
            NodeKind::Expression | NodeKind::Evaluation => {
                let full = outline.full_expression(node);
                let [no, yes] = outline.next(node).map(|next| match next {
                    Next::Evaluation(evaluation) => Point::Start(evaluation),
                    Next::End(_) => Point::End(full),
                });
                edge(start, no);
                if yes != no {
                    edge(start, yes);
                }
            }
            NodeKind::Simple(None) => edge(start, end),
            NodeKind::Simple(Some(part)) => {
                edge(start, Point::Start(part));
                edge(Point::End(part), end);
            }
            NodeKind::Compound => {
                let mut last = start;
                for part in outline.parts(node) {
                    edge(last, Point::Start(part));
                    last = Point::End(part);
                }
                edge(last, end);
            }
            NodeKind::If { condition, then, otherwise } => {
                edge(start, Point::Start(condition));
                edge(Point::End(condition), Point::Start(then));
                edge(Point::End(condition), otherwise.map_or(end, Point::Start));
                edge(Point::End(then), end);
                if let Some(otherwise) = otherwise {
                    edge(Point::End(otherwise), end);
                }
            }
            NodeKind::Switch { condition, body, labels, has_default } => {
                edge(start, Point::Start(condition));
                for &label in labels {
                    edge(Point::End(condition), Point::Start(label));
                }
                if !has_default {
                    edge(Point::End(condition), end);
                }
                edge(Point::End(body), end);
            }
            NodeKind::Case(body) | NodeKind::Label { body, .. } => {
                edge(start, Point::Start(body));
                edge(Point::End(body), end);
            }
            NodeKind::While { condition, body } => {
                edge(start, head);
                edge(head, Point::Start(condition));
                edge(Point::End(condition), Point::Start(body));
                edge(Point::End(condition), end);
                edge(Point::End(body), head);
            }
            NodeKind::DoWhile { body, condition } => {
                edge(start, head);
                edge(head, Point::Start(body));
                edge(Point::End(body), Point::Start(condition));
                edge(Point::End(condition), head);
                edge(Point::End(condition), end);
            }
            NodeKind::For { init, condition, step, body } => {
                edge(start, init.map_or(head, Point::Start));
                if let Some(init) = init {
                    edge(Point::End(init), head);
                }
                edge(head, Point::Start(condition.unwrap_or(body)));
                if let Some(condition) = condition {
                    edge(Point::End(condition), Point::Start(body));
                    edge(Point::End(condition), end);
                }
                edge(Point::End(body), step.map_or(head, Point::Start));
                if let Some(step) = step {
                    edge(Point::End(step), head);
                }
            }
            NodeKind::Goto(label) => edge(start, Point::Start(label)),
            NodeKind::Break(of) => edge(start, Point::End(of)),
            NodeKind::Continue(of) => edge(start, next_iteration(outline, of)),
            NodeKind::Return(Some(part)) => edge(start, Point::Start(part)),
            NodeKind::Return(None) => {}
        }
    }
    Digraph::from_edges(outline.nodes.len() * 3, Point::Start(outline.body()).place(), &edges)
}

/// Where the body of an iteration statement leads when it is done.
fn next_iteration(outline: &Outline, of: Node) -> Point {
    match outline.kind(of) {
        NodeKind::DoWhile { condition, .. } => Point::Start(condition),
        NodeKind::For { step: Some(step), .. } => Point::Start(step),
        _ => Point::Head(of),
    }
}
