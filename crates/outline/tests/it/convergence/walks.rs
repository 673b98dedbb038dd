//! Random walks along the control flow of an outline.

use std::collections::HashSet;

use cranelift_entity::SecondaryMap;
use reconverge_outline::convergence::{Analysis, Origin};
use reconverge_outline::flow::{Point, graph};
use reconverge_outline::{Node, Outline};

/// A node that a random walk comes to twice in one execution of the node's origin, or without an execution of it.
pub(crate) fn repeated(
    outline: &Outline,
    analysis: &Analysis,
    steps: usize,
    below: &mut dyn FnMut(usize) -> usize,
) -> Option<Node> {
    let flow = graph(outline);
    let mut executions: SecondaryMap<Node, usize> = SecondaryMap::new();
    let mut iterations: SecondaryMap<Node, usize> = SecondaryMap::new();
    let mut seen = HashSet::new();
    let mut point = Point::Start(outline.body());
    for _ in 0..steps {
        match point {
            Point::Start(node) => {
                executions[node] += 1;
                let count = match analysis.places[node].origin {
                    Origin::Body => 1,
                    Origin::Iteration(iteration) => iterations[iteration],
                    Origin::Execution(unit) | Origin::Round(unit) => executions[unit],
                };
                if count == 0 || !seen.insert((node, count)) {
                    return Some(node);
                }
            }
            Point::Head(node) => iterations[node] += 1,
            Point::End(_) => {}
        }
        let next = flow.successors(point.place());
        if next.is_empty() {
            break;
        }
        point = Point::of(next[below(next.len())]);
    }
    None
}
