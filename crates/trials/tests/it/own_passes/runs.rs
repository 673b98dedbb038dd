//! What a pass may change of a run, by looking at runs alone: an oracle that shares no code with `reconverge_validate`.
//!
//! Memory is what it was; where it was not determined, it may be anything. Every communication afterwards was there before, by the same threads and with the same results, as often; and but for
//! passes that sink, also the other way round. Where passes move operations, those that may be hoisted over divergent branches (the target's `hoist`) communicate with more threads afterwards, and
//! are left out.
//!
//! Each thread is on its own at anchors, which are the implementation's choice; but where they are put in place of what was maximal, they are maximal.

use std::collections::BTreeMap;

use reconverge_analysis::target::Target;
use reconverge_exec::launch::{AnchorPolicy, Launch, Limits, Model, Outcome, Schedule};
use reconverge_exec::literal::Number;
use reconverge_exec::{Control, Program, run};
use reconverge_testing::random::SplitMix64;
use reconverge_trials::launches;

use crate::own_passes::passes::Pass;
use crate::own_passes::programs;

/// Whether a launch could be compared.
///
/// # Errors
///
/// What differs, in words.
pub(crate) fn compare(
    program: &programs::Program,
    pass: Pass,
    before: &Program<'_>,
    after: &Program<'_>,
    rng: &mut SplitMix64,
) -> Result<bool, String> {
    let launch = launch(program, pass, rng);
    let Ok(was) = run(before, &launch, &Control::default()) else { return Ok(false) };
    if !was.completed || !was.findings.is_empty() {
        return Ok(false);
    }
    let limits = Limits { instructions: launch.limits.instructions * 8, ..launch.limits };
    let launch = Launch { limits, ..launch };
    let say = |what: String| Err(format!("runs: {what}\n{launch:?}"));
    let now = match run(after, &launch, &Control::default()) {
        Ok(now) if now.completed && now.findings.is_empty() => now,
        Ok(now) => return say(format!("completed: {}, {:?}", now.completed, now.findings)),
        Err(error) => return say(error.to_string()),
    };
    for (was, is) in was.buffers.iter().zip(&now.buffers) {
        let undetermined = |number: &Number| matches!(number, Number::Poison | Number::Undefined);
        if let Some(at) = was.elements().zip(is.elements()).position(|(was, is)| !undetermined(&was) && was != is) {
            return say(format!("element {at} of {} is different", was.name));
        }
    }
    let is_undetermined = |result: &String| result.contains("poison") || result.contains("undef");
    if was.events.iter().any(|event| event.results.iter().any(is_undetermined)) {
        return Ok(true);
    }
    let target = Target::for_triple(&after.module().target_triple());
    // Where an operation may be hoisted, more threads execute it together.
    let counts = |name: &str| !pass.moves() || !target.call(name.as_bytes()).is_some_and(|call| call.motion.hoist);
    let (was, is) = (communications(&was, counts), communications(&now, counts));
    if let Some(new) = first_missing(&is, &was) {
        return say(format!("new: {new:?}"));
    }
    if let Some(lost) = first_missing(&was, &is).filter(|_| !pass.sinks()) {
        return say(format!("lost: {lost:?}"));
    }
    Ok(true)
}

fn launch(program: &programs::Program, pass: Pass, rng: &mut SplitMix64) -> Launch {
    let options = &program.options;
    let mut arguments = options.arguments.clone();
    arguments.extend(program.data(rng));
    let sizes = [options.grid, options.block].map(|size| size.expect("it is given"));
    let subgroup = options.subgroup.expect("it is given");
    let is_controlled = options.models[0] == reconverge_validate::Model::Controlled;
    Launch {
        model: if is_controlled { Model::Controlled } else { Model::Maximal { hierarchy: 0 } },
        schedule: [Schedule::Lockstep, Schedule::Fair, Schedule::Random(rng.next_u64())][rng.below(3)],
        anchors: if pass == Pass::InferTokens { AnchorPolicy::Maximal } else { AnchorPolicy::Solo },
        ..launches::plain(program.kernel, sizes[0], sizes[1], subgroup, arguments)
    }
}

/// An operation with the threads that execute it and what they get.
type Executed<'o> = (&'o str, &'o [u64], &'o [String]);

/// How often something was communicated; without tokens, and calls of local functions.
fn communications(outcome: &Outcome, counts: impl Fn(&str) -> bool) -> BTreeMap<(u64, Executed<'_>), usize> {
    let mut communications = BTreeMap::new();
    let is_operation = |name: &str| !matches!(name, "g0" | "g1") && !name.starts_with("llvm.experimental.convergence.");
    for event in outcome.events.iter().filter(|event| is_operation(&event.operation) && counts(&event.operation)) {
        let executed = (&event.operation[..], &event.threads[..], &event.results[..]);
        *communications.entry((event.workgroup, executed)).or_default() += 1;
    }
    communications
}

/// What is in the one and, as often, not in the other.
fn first_missing<'c, K: Ord>(one: &'c BTreeMap<K, usize>, other: &BTreeMap<K, usize>) -> Option<&'c K> {
    one.iter().find(|(key, count)| other.get(key).copied().unwrap_or(0) < **count).map(|(key, _)| key)
}
