//! Witnesses: the communications of both programs in a launch, side by side.
//!
//! Both tables list workgroup by workgroup. As far as the programs agree they have the same rows, in the order of the program
//! before; then comes the row that the difference is about, and behind it what is left, in the order of each run.

use reconverge_exec::{Linked, Participant};
use reconverge_findings::Anchor;
use reconverge_ir::Span;

use crate::events::{Events, first_changed, same_threads};
use crate::report::{Model, Side, Step, Witness};
use crate::runs::{Found, Pair};

/// What is told of a difference.
pub(crate) fn witness(
    pair: &Pair<'_>,
    modules: [&reconverge_ir::Module<'_>; 2],
    model: Model,
    found: Found,
) -> Witness {
    let total = found.launch.threads();
    let before = Events::new(0, &pair.operations, pair.before, &found.before.recording, total);
    let after = Events::new(1, &pair.operations, pair.after, &found.after.recording, total);
    let stop = found.mismatch.as_ref();
    let limit = stop.and_then(|mismatch| mismatch.before).unwrap_or(before.all.len() as u32);
    let (mut one, mut other, mut rest) = (Vec::new(), Vec::new(), Vec::new());
    let mut left: Vec<u32> = (0..after.all.len() as u32).collect();
    for index in 0..limit {
        let is_same = |&candidate: &u32| {
            let (a, b) = (before.at(index), after.at(candidate));
            stop.is_none_or(|mismatch| mismatch.after != Some(candidate))
                && pair.operations.of(0, &a.threads[0]) == pair.operations.of(1, &b.threads[0])
                && same_threads(a, b)
                && first_changed((&before, index), (&after, candidate), true).is_none()
        };
        match left.iter().position(is_same) {
            Some(at) => {
                one.push(index);
                other.push(left.remove(at));
            }
            None => rest.push(index),
        }
    }
    rest.extend(limit..before.all.len() as u32);
    // Those that the difference is about come first.
    rest.sort_by_key(|&index| stop.is_none_or(|mismatch| mismatch.before != Some(index)));
    left.sort_by_key(|&index| stop.is_none_or(|mismatch| mismatch.after != Some(index)));
    let first_different = one.len();
    one.extend(rest);
    other.extend(left);
    let side = |events: &Events<'_>, all: Vec<u32>, module: &reconverge_ir::Module<'_>| Side {
        steps: all.into_iter().map(|index| step(events, index, module)).collect(),
        first_different,
    };
    let before = side(&before, one, modules[0]);
    let after = side(&after, other, modules[1]);
    let (difference, hierarchy, cut) = (found.difference, found.hierarchy, found.before.cut);
    Witness { launch: found.launch, model, difference, hierarchy, cut, before, after }
}

fn step(events: &Events<'_>, index: u32, module: &reconverge_ir::Module<'_>) -> Step {
    let communication = events.at(index);
    let linked: &Linked<'_> = events.linked;
    let show = |participant: &Participant, operands: bool| {
        let Some(site) = linked.site(participant.site) else { return String::new() };
        if operands {
            linked.show_operands(site, communication.operands(participant)).join(", ")
        } else {
            linked.show_results(site, communication.results(participant))
        }
    };
    let first = &communication.threads[0];
    let results: Vec<String> = communication.threads.iter().map(|one| show(one, false)).collect();
    let mut step = Step {
        operation: String::new(),
        function: String::new(),
        block: String::new(),
        at: Anchor::outside(Span::default()),
        line: 0,
        source: None,
        workgroup: communication.workgroup,
        threads: events.set(index),
        operands: communication.threads.iter().map(|one| show(one, true)).collect(),
        results: if results.iter().all(String::is_empty) { Vec::new() } else { results },
    };
    if let Some(site) = linked.site(first.site) {
        let at = linked.anchor(site);
        (step.operation, step.function) = (site.operation.clone(), site.function.clone());
        (step.block, step.at) = (linked.block(site), at);
        step.source = at.location.and_then(|node| module.debug_location(node));
        step.line = module.position(at.span.start as usize).line as u32;
    }
    step
}
