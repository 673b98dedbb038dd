//! Whether a thread can take a walk.

use cranelift_entity::EntityRef;
use thiserror::Error;

use super::flow::Flow;
use crate::Node;

/// How much of a thread's way through a body a walk is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Extent {
    /// All of it.
    Whole,
    /// It may stop anywhere.
    #[default]
    Begin,
}

/// Why no thread can take a walk.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum WalkError {
    /// It has no steps.
    #[error("the walk is empty")]
    Empty,
    /// A step is no node of the outline.
    #[error("step {}: {node} is not in the body", step + 1)]
    NoSuchNode {
        /// The position in the walk, counted from 0.
        step: usize,
        /// What is there.
        node: Node,
    },
    /// It does not begin at the body.
    #[error("begins at {first}, not at the start of the body")]
    NotFromStart {
        /// The first step.
        first: Node,
    },
    /// A step cannot follow the one before.
    #[error("step {}: {} {}{}", step + 1, Cannot(*from, *to), Possible(possible), if *can_end { ", or the end of the function" } else { "" })]
    NotNext {
        /// The position of `to` in the walk, counted from 0.
        step: usize,
        /// The step before.
        from: Node,
        /// The step that cannot follow.
        to: Node,
        /// The steps that can.
        possible: Vec<Node>,
        /// Whether the function can end there.
        can_end: bool,
    },
    /// The function does not end after the last step.
    #[error("stops after {last}: {}", Possible(possible))]
    EndsEarly {
        /// The last step.
        last: Node,
        /// What can follow.
        possible: Vec<Node>,
    },
}

struct Cannot(Node, Node);

impl std::fmt::Display for Cannot {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} does not follow {}:", self.1, self.0)
    }
}

struct Possible<'a>(&'a [Node]);

impl std::fmt::Display for Possible<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let nodes: Vec<String> = self.0.iter().map(Node::to_string).collect();
        write!(f, "what can follow is {}", if nodes.is_empty() { "nothing".to_owned() } else { nodes.join(", ") })
    }
}

/// Checks a walk; O(steps), plus the labels of switches on it.
pub fn check_walk(flow: &Flow, walk: &[Node], extent: Extent) -> Result<(), WalkError> {
    let (Some(&first), Some(&last)) = (walk.first(), walk.last()) else { return Err(WalkError::Empty) };
    if let Some(step) = walk.iter().position(|node| node.index() >= flow.node_count()) {
        return Err(WalkError::NoSuchNode { step, node: walk[step] });
    }
    if first.index() != 0 {
        return Err(WalkError::NotFromStart { first });
    }
    for (step, pair) in (1..).zip(walk.windows(2)) {
        let (from, to) = (pair[0], pair[1]);
        let possible = flow.successors(from);
        if !possible.contains(&to) {
            let can_end = flow.can_end(from);
            return Err(WalkError::NotNext { step, from, to, possible: possible.to_vec(), can_end });
        }
    }
    if extent == Extent::Whole && !flow.can_end(last) {
        return Err(WalkError::EndsEarly { last, possible: flow.successors(last).to_vec() });
    }
    Ok(())
}
