//! What there is to tell a person: operations whose threads are up to the implementation, and the conditions that divide threads.

use reconverge_graph::{Digraph, Node as Place};

use super::{Analysis, Cause, Origin, Reason};
use crate::Location;
use crate::flow::{Point, graph};
use crate::{Node, NodeKind, Operation, Outline};

/// A convergent operation where it is up to the implementation who takes part.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// The evaluation.
    pub node: Node,
    /// The operation.
    pub operation: Operation,
    /// Why.
    pub cause: Cause,
    /// Where the cause is: the label, the iteration statement, the `noconvergent` statement.
    pub at: Location,
    /// The jump that brings it about: where it is, and its label.
    pub jump: Option<(Location, Location)>,
}

impl Reason {
    /// The code of the diagnostic.
    pub fn code(self) -> &'static str {
        match self {
            Reason::GotoCycle => "RC0302",
            Reason::EnteredIteration | Reason::EnteredStatement => "RC0303",
            Reason::Noconvergent => "RC0304",
            Reason::UnrelatedTangles | Reason::DifferentRounds => "RC0305",
            Reason::NonconvergentCall | Reason::Environment => "RC0306",
        }
    }
}

/// The operations whose threads are up to the implementation, in the order of the text. O(nodes).
pub fn findings(outline: &Outline, analysis: &Analysis) -> Vec<Finding> {
    let location = |node: Node| outline.nodes[node].location;
    let mut findings = Vec::new();
    for node in outline.nodes.keys() {
        let Some(&cause) = analysis.cause(node) else { continue };
        findings.extend(outline.operation(node).map(|operation| Finding {
            node,
            operation: operation.clone(),
            cause,
            at: location(cause.at),
            jump: cause.jump.map(|jump| (location(jump.from), location(jump.to))),
        }));
    }
    findings
}

impl Analysis {
    /// The conditions that divide the threads of a node's origin on their way to the node: where one outcome can lead there and another one cannot, before
    /// the origin is executed again. In the order of the text. O(nodes).
    pub fn conditions(&self, outline: &Outline, node: Node) -> Vec<Node> {
        let flow = graph(outline);
        let start = match self.places[node].origin {
            Origin::Body => Point::Start(outline.body()),
            Origin::Iteration(iteration) => Point::Head(iteration),
            Origin::Execution(unit) | Origin::Round(unit) => Point::Start(unit),
        }
        .place();
        let target = Point::Start(node).place();
        if start == target {
            return Vec::new();
        }
        // Neither goes through the start again.
        let from = reached(&flow, start, |place| flow.successors(place), start);
        let to = reached(&flow, target, |place| flow.predecessors(place), start);
        let divides = |condition: &Node| {
            let end = Point::End(*condition).place();
            let leads = |place: &Place| *place != start && to[place.as_u32() as usize];
            let next = flow.successors(end);
            from[end.as_u32() as usize] && next.iter().any(leads) && !next.iter().all(leads)
        };
        outline.nodes.keys().filter(|&node| is_condition(outline, node)).filter(divides).collect()
    }

    /// Tangles: the statement until whose end the tangles that a jump keeps apart stay apart: the smallest one around its label that contains both.
    /// O(depth).
    pub fn apart_until(&self, outline: &Outline, jump: super::Jump) -> Node {
        outline.ancestors(jump.to).find(|&node| outline.contains(node, jump.from)).unwrap_or(outline.body())
    }
}

fn reached<'a>(flow: &Digraph, first: Place, next: impl Fn(Place) -> &'a [Place], last: Place) -> Vec<bool> {
    let mut reached = vec![false; flow.node_count()];
    let mut work = vec![first];
    reached[first.as_u32() as usize] = true;
    while let Some(place) = work.pop() {
        for &next in next(place) {
            if !std::mem::replace(&mut reached[next.as_u32() as usize], true) && next != last {
                work.push(next);
            }
        }
    }
    reached
}

fn is_condition(outline: &Outline, node: Node) -> bool {
    let Some(parent) = outline.parent(node) else { return false };
    match outline.kind(parent) {
        NodeKind::If { condition, .. }
        | NodeKind::Switch { condition, .. }
        | NodeKind::While { condition, .. }
        | NodeKind::DoWhile { condition, .. } => condition == node,
        NodeKind::For { condition, .. } => condition == Some(node),
        _ => false,
    }
}
