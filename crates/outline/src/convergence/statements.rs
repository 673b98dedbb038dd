//! The texts of 2025-04 and 2025-08: convergence of a statement follows from that of a statement around it.
//!
//! # 2025-04
//!
//! Statements are ordered by their first tokens; so are nodes. *Cycles* are the iteration statements (without themselves and the initialisation
//! of a `for`) and the *goto cycles*: the nodes from the label of a backward jump to the `goto`. For a node `n` let `I(n)` be the innermost iteration statement
//! whose cycle contains `n`. Two threads that are converged at
//!
//! - the body are converged at each `n` that is in no cycle;
//! - the n-th *iteration* of a reducible iteration statement `I` are converged at each `n` with `I(n) = I` that is in no goto cycle but those that also contain `I`;
//! - a reducible iteration statement are converged at its n-th iteration, if they both get there;
//! - the execution of a statement `S` are converged at each `n` in `S`, if every cycle that contains `n` contains `S`.
//!
//! In each case only if no `noconvergent` statement lies between, that is, contains `n` and is in the statement that was named, or, for the last, is in it and not it.
//! Where none of this leads from the body to `n`, the implementation has a choice. Its choice is at the *unit* of `n`: the largest statement
//! `S` for which the last rule holds (in the iteration statement, if there is one) and into which no jump leads from outside, past its start. The
//! second condition is ours. The text speaks of threads that reach `n` "during that execution of `S`", which a thread that jumps into `S` does not. It is how the text's
//! own example comes out, where statements next to a label in a loop that is jumped into are each for themselves.
//!
//! A label right behind the head of a loop (`while (c) again: …`) belongs to its goto cycle, but an iteration starts before it.
//!
//! **Why these goto cycles suffice.** If a thread executes `n` twice in one execution of the body, then `n` is in a cycle of this kind: on the way from `n` to `n` there is
//! a step from a node at or after `n` to one at or before, and steps back are those of iteration statements, inside of which they stay, and backward jumps. So
//! forward jumps never make a cycle of what is in none, and the rules never make a thread converged with itself.
//!
//! # 2025-08
//!
//! The tangle of a statement is that part of the tangle of the immediately enclosing statement that reaches it; in an iteration statement, the part of the previous
//! iteration's that does. The text does not mention jumps, so we say what follows from the tangle of the enclosing statement where threads come only
//! from its start, and leave open the rest:
//!
//! - `break`, `continue`, `return` and jumps forward to a label of a block around them only decide who reaches a statement. So does `switch` for labels of
//!   the block that is its body, and with it fall-through: as in 2025-04.
//! - In a block that is jumped into from outside, what comes from the label on is reached by threads that are not in the block's tangle: left open. Likewise
//!   a branch of an `if`, of which the text says that threads reach it "after evaluating the condition". In 2025-04 both are defined.
//! - An iteration statement that is jumped into: left open, all of it.
//! - The span of a backward jump is executed several times for one execution of the block: left open, as in 2025-04.
//! - There is no `noconvergent` statement in this text, only calls: it changes nothing here.

use cranelift_entity::SecondaryMap;

use super::structure::{Structure, incoming_here};
use super::{Cause, Causes, Jump, Origin, Place, Reason};
use crate::{Node, NodeKind, Outline};

/// How deep most bodies are.
const DEPTH: usize = 32;

/// The places of all nodes by the 2025-04 text. O(n log n).
pub(super) fn by_cycles(outline: &Outline, structure: &Structure, found: &mut Causes) -> SecondaryMap<Node, Place> {
    let has_entered = structure.entered_iterations(outline).next().is_some();
    if structure.goto_cycle.is_empty() && structure.noconvergent.is_empty() && !has_entered {
        return by_iterations(outline, structure);
    }
    places(outline, structure, found, |node| {
        structure.noconvergent[node].expand().map(|at| Cause {
            reason: Reason::Noconvergent,
            jump: None,
            cycle: None,
            at,
        })
    })
}

/// The places of all nodes where nothing leaves a choice, as in most bodies.
fn by_iterations(outline: &Outline, structure: &Structure) -> SecondaryMap<Node, Place> {
    let mut places: SecondaryMap<Node, Place> = outline.per_node();
    for (place, iteration) in places.values_mut().zip(structure.iteration_of.values()) {
        place.origin = iteration.expand().map_or(Origin::Body, Origin::Iteration);
    }
    places
}

/// The places of all nodes by the 2025-08 text. O(n log n).
pub(super) fn by_enclosing_statement(
    outline: &Outline,
    structure: &Structure,
    found: &mut Causes,
) -> SecondaryMap<Node, Place> {
    let entries = behind_entries(outline, structure);
    let mut causes: SecondaryMap<Node, Option<Cause>> = outline.per_node();
    for (node, data) in &outline.nodes {
        let entry = entries[node].map(|jump| Cause {
            reason: Reason::EnteredStatement,
            jump: Some(jump),
            cycle: None,
            at: jump.to,
        });
        // What is left open for a statement is so for its parts, also behind the span of a jump.
        let inherited = data.parent().and_then(|parent| causes[parent]);
        let own = goto_cycle(structure, node).into_iter().chain(entry);
        causes[node] = own.chain(inherited).max_by_key(|cause| cause.at);
    }
    places(outline, structure, found, |node| causes[node])
}

fn goto_cycle(structure: &Structure, node: Node) -> Option<Cause> {
    structure.goto_cycle[node].expand().map(|cycle| {
        let data = structure.cycles[cycle];
        Cause { reason: Reason::GotoCycle, jump: data.jump, cycle: Some(cycle), at: data.first }
    })
}

/// `other` gives what else leaves a choice at a node, with the last statement at which it starts.
fn places(
    outline: &Outline,
    structure: &Structure,
    found: &mut Causes,
    other: impl Fn(Node) -> Option<Cause>,
) -> SecondaryMap<Node, Place> {
    let mut places: SecondaryMap<Node, Place> = outline.per_node();
    // The nodes that contain the one at hand and are not jumped into.
    let mut around: Vec<Node> = Vec::with_capacity(DEPTH);
    for node in outline.nodes.keys() {
        while around.pop_if(|outer| !outline.contains(*outer, node)).is_some() {}
        if structure.entered(outline, node).is_none() {
            around.push(node);
        }
        let iteration = structure.iteration_of[node].expand();
        let is_inside = |cause: &Cause| iteration.is_none_or(|iteration| cause.at > iteration);
        let entered = iteration.and_then(|at| {
            let jump = structure.entered(outline, at)?;
            Some(Cause { reason: Reason::EnteredIteration, jump: Some(jump), cycle: cycle_of(structure, at), at })
        });
        let inner =
            goto_cycle(structure, node).into_iter().chain(other(node)).filter(is_inside).max_by_key(|cause| cause.at);
        places[node] = match (inner.or(entered), iteration) {
            (None, None) => Place::default(),
            (None, Some(iteration)) => Place { origin: Origin::Iteration(iteration), cause: places[iteration].cause },
            (Some(cause), _) => {
                let unit = around.partition_point(|&outer| outer < cause.at || Some(outer) == iteration);
                let unit = around.get(unit).copied().unwrap_or(node);
                found.place(Origin::Execution(unit), cause)
            }
        };
    }
    places
}

/// The cycle of an iteration statement.
pub(super) fn cycle_of(structure: &Structure, iteration: Node) -> Option<super::Cycle> {
    let index = structure.cycles.values().as_slice().partition_point(|cycle| cycle.first < iteration);
    let cycle = super::Cycle::from_u32(index as u32);
    // Nothing but the iteration statement itself starts a cycle at its node: labels are nodes of their own.
    structure.cycles.get(cycle).filter(|data| data.first == iteration).map(|_| cycle)
}

/// For each node that threads reach after a jump into the statement around it: such a jump whose label is the last.
fn behind_entries(outline: &Outline, structure: &Structure) -> SecondaryMap<Node, Option<Jump>> {
    let later = |a: Option<Jump>, b: Option<Jump>| a.into_iter().chain(b).max_by_key(|jump| jump.to);
    let mut behind: SecondaryMap<Node, Option<Jump>> = outline.per_node();
    // The smallest statement around a node that is not just a label for it.
    let mut enclosing: SecondaryMap<Node, Option<Node>> = outline.per_node();
    let mut entry: SecondaryMap<Node, Option<Jump>> = outline.per_node();
    for (node, data) in &outline.nodes {
        let Some(parent) = data.parent() else { continue };
        enclosing[node] = match outline.kind(parent) {
            NodeKind::Label { .. } | NodeKind::Case(_) => enclosing[parent],
            // A branch is reached after the condition, not from the other branch.
            NodeKind::If { .. } => Some(node),
            _ => Some(parent),
        };
    }
    // The body of a `switch` has the tangle of those that go to any of its labels, so these jumps count as made inside of it.
    let inside_switch = |jump: &Jump| match outline.kind(jump.from) {
        NodeKind::Switch { body, .. } => Jump { from: body, to: jump.to },
        _ => *jump,
    };
    let jumps: Vec<Jump> = structure.jumps.iter().map(inside_switch).collect();
    let here = incoming_here(outline, &jumps);
    for &jump in &jumps {
        if enclosing[jump.to].is_some_and(|enclosing| !outline.contains(enclosing, jump.from)) {
            entry[jump.to] = Some(jump);
        }
    }
    for node in outline.nodes.keys() {
        // From what is before it in the statement around it, or because it is a label.
        behind[node] = later(behind[node], entry[node]);
        if outline.kind(node) == NodeKind::Compound {
            let mut before = None;
            for part in outline.parts(node) {
                behind[part] = before;
                before = later(before, here[part].outside(outline, &jumps, node));
            }
        }
    }
    for node in outline.nodes.keys() {
        if let Some(jump) = &mut behind[node]
            && !matches!(outline.kind(jump.from), NodeKind::Goto(_))
        {
            jump.from = outline.parent(jump.from).unwrap_or(jump.from);
        }
    }
    behind
}
