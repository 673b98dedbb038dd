//! Whether a change of a program matters, asked of many launches: who communicates with which results, and what is in memory at the
//! end, as lists. Shares nothing with what is tested but the interpreter.
//!
//! Threads execute anchors alone; what comes of the program before when they do so together is as well. Where the program before has an error, or does something else in another order of its threads, a launch says nothing. What is poison or undef
//! before may be anything after. Of operations that the target lets move, only what comes of them counts.

use reconverge_analysis::target::Target;
use reconverge_exec::launch::{AnchorPolicy, Buffer, Event, Launch, Limits, Model, Outcome, Schedule};
use reconverge_exec::literal::Number;
use reconverge_exec::{Control, Linked, Program};
use reconverge_findings::Severity;
use reconverge_testing::random::SplitMix64;

use crate::broken::INSTRUCTIONS;

/// How many launches are tried.
const LAUNCHES: u32 = 200;

/// What the first of some launches does that shows a difference.
pub(crate) fn difference(
    before: &Program<'_>,
    after: &Program<'_>,
    seed: u64,
    launch: impl Fn(&mut SplitMix64) -> Launch,
) -> Option<String> {
    let mut rng = SplitMix64::new(seed);
    let first = launch(&mut rng);
    let [before, after] = [before, after].map(|program| program.link(&first.kernel).expect("it can run"));
    (0..LAUNCHES).find_map(|_| {
        let launch = launch(&mut rng);
        let outcome = ended(&before, &launch).ok()?;
        // A broken program may take longer.
        let limits = Limits { instructions: 8 * INSTRUCTIONS, ..launch.limits };
        let changed = ended(&after, &Launch { limits, ..launch.clone() });
        let what = differ(&before, &outcome, &changed)?;
        // Threads that part at an anchor may stay together as well.
        let together = ended(&before, &Launch { anchors: AnchorPolicy::Maximal, ..launch.clone() }).ok()?;
        differ(&before, &together, &changed)?;
        let schedules = [Schedule::Fair, Schedule::Random(1), Schedule::Random(2)];
        let is_determined = schedules.into_iter().all(|schedule| {
            differ(&before, &outcome, &ended(&before, &Launch { schedule, ..launch.clone() })).is_none()
        });
        is_determined.then(|| format!("{what}, with {:?}", launch.arguments))
    })
}

/// What a run did, or why it did not end.
fn ended(program: &Linked<'_>, launch: &Launch) -> Result<Outcome, String> {
    let outcome = program.run(launch, &Control::default()).map_err(|error| error.to_string())?;
    match outcome.findings.iter().find(|finding| finding.severity == Severity::Error) {
        Some(finding) => Err(finding.code.title().to_owned()),
        None if outcome.completed => Ok(outcome),
        None => Err("it does not end".to_owned()),
    }
}

fn differ(program: &Linked<'_>, before: &Outcome, after: &Result<Outcome, String>) -> Option<String> {
    let after = match after {
        Ok(after) => after,
        Err(message) => return Some(message.clone()),
    };
    let mut left = events(program.target(), after);
    for event in events(program.target(), before) {
        let is_it = |allows: fn(&Event, &Event) -> bool| left.iter().position(|other| allows(event, other));
        match is_it(|one, other| key(one) == key(other) && one.results == other.results).or_else(|| is_it(allows)) {
            Some(at) => left.swap_remove(at),
            None => return Some(format!("only before: {}", show(event))),
        };
    }
    if let Some(event) = left.first() {
        return Some(format!("only after: {}", show(event)));
    }
    let mut buffers = before.buffers.iter().zip(&after.buffers);
    buffers.find(|(one, other)| !same_memory(one, other)).map(|(one, _)| format!("the buffer {}", one.name))
}

fn events<'o>(target: &Target, outcome: &'o Outcome) -> Vec<&'o Event> {
    let stays = |event: &&Event| {
        let motion = target.call(event.operation.as_bytes()).map(|call| call.motion).unwrap_or_default();
        !motion.hoist && !motion.sink && !motion.speculate
    };
    outcome.events.iter().filter(stays).collect()
}

fn key(event: &Event) -> (&str, u64, &[u64]) {
    (&event.operation, event.workgroup, &event.threads)
}

fn allows(one: &Event, other: &Event) -> bool {
    let is_free = |result: &String| result.contains("poison") || result.contains("undef");
    key(one) == key(other) && one.results.iter().zip(&other.results).all(|(one, other)| one == other || is_free(one))
}

fn show(event: &Event) -> String {
    format!("@{} by {:?} gets {:?}", event.operation, event.threads, event.results)
}

fn same_memory(one: &Buffer, other: &Buffer) -> bool {
    let is_free = |number: &Number| matches!(number, Number::Poison | Number::Undefined);
    let is_known = other.indeterminate.is_empty() || one.indeterminate == other.indeterminate;
    is_known && one.bytes == other.bytes
        || one.elements().zip(other.elements()).all(|(one, other)| is_free(&one) || one == other)
}

/// A launch as far as programs may go here, under the model that a kernel with or without tokens is about.
pub(crate) fn bounded(launch: Launch, tokens: bool) -> Launch {
    let model = if tokens { Model::Controlled } else { Model::Maximal { hierarchy: 0 } };
    let limits = Limits { instructions: INSTRUCTIONS, ..launch.limits };
    Launch { model, limits, max_events: 10_000, ..launch }
}
