//! The verbs that execute: run, validate.

use std::time::Duration;

use cpu_time::ThreadTime;

use reconverge_exec::launch::{
    AnchorPolicy, Argument, Contents, Element, Entry, Launch, Limits, MaskReading, Model, Schedule,
};
use reconverge_exec::value::Scalar;
use reconverge_exec::{Control, Linked, Need, NeedKind, Program};
use reconverge_findings::change::Change;
use reconverge_findings::words::in_ir;
use reconverge_findings::{Finding, Kind};
use reconverge_testing::random::SplitMix64;
use reconverge_validate::{Options, Verdict, compare, compare_by_running};

use super::{Outcome, assert_findings, ir_of};
use crate::input::Input;

/// What a run may take besides its instructions.
const SLACK: Duration = Duration::from_millis(1500);
/// What a step takes at most, in a program with assertions.
const STEP: Duration = Duration::from_nanos(100);

pub(super) fn run(input: &Input, rng: &mut SplitMix64) -> Outcome {
    let mut outcome = Outcome::default();
    let Some(text) = ir_of(input, rng) else { return outcome };
    let program = match Program::prepare(&text, "fuzz-input", super::structure::target(rng)) {
        Ok(program) => program,
        Err(error) => {
            outcome.saw(&error.to_string());
            outcome.answers(&error.to_string());
            return outcome;
        }
    };
    // Bodies are read when they are linked.
    outcome.past_reader = reconverge_ir::read_functions(&text, |_, _, _| ()).is_ok();
    let Some(kernel) = kernel(&program, rng) else { return outcome };
    let linked = match program.link(&kernel) {
        Ok(linked) => linked,
        Err(error) => {
            outcome.refuses(&error.to_string());
            return outcome;
        }
    };
    let needs = linked.needs();
    for _ in 0..1 + rng.below(3) {
        let mut launch = launch(&kernel, &needs, rng);
        if launch.model == (Model::Maximal { hierarchy: 1 }) && linked.hierarchies(2) < 2 {
            launch.model = Model::Maximal { hierarchy: 0 };
        }
        // Of this thread: what else the machine does is not in it.
        let start = ThreadTime::now();
        let result = linked.run(&launch, &Control::default());
        let took = start.elapsed();
        let steps = result.as_ref().map_or(0, |done| done.steps);
        let allowed = SLACK + STEP * steps.try_into().unwrap_or(u32::MAX);
        assert!(took < allowed, "a run takes longer than its steps say: {steps}, and {took:?}");
        match result {
            Err(error) => outcome.refuses(&error.to_string()),
            Ok(done) => {
                let diagnostics = in_ir(program.module(), &done.findings);
                assert_findings(&text, &diagnostics);
                outcome.finds(&diagnostics);
                outcome
                    .answers(&format!("{} {} {:?} {:?}", done.instructions, done.completed, done.buffers, done.events));
                done.profile.iter().for_each(|operation| outcome.saw(&operation.operation));
                if rng.percent(12) {
                    is_deterministic(&linked, &launch, &done);
                }
            }
        }
    }
    outcome
}

/// The same launch gives the same answer, recorded or not.
fn is_deterministic(linked: &Linked<'_>, launch: &Launch, done: &reconverge_exec::launch::Outcome) {
    let again = linked.run(launch, &Control::default()).expect("it ran before");
    assert_eq!(format!("{done:?}"), format!("{again:?}"), "two runs of one launch");
    let (recorded, _) = linked.run_recorded(launch, &Control::default()).expect("it ran before");
    assert_eq!((done.instructions, done.steps), (recorded.instructions, recorded.steps), "a run that is recorded");
    assert_eq!(format!("{:?}", done.buffers), format!("{:?}", recorded.buffers), "a run that is recorded");
}

/// A kernel, or any function.
fn kernel(program: &Program<'_>, rng: &mut SplitMix64) -> Option<String> {
    let kernels: Vec<String> = program.kernels().into_iter().map(|kernel| kernel.name).collect();
    let module = program.module();
    let all = module.definitions().map(|id| module.symbol_name(module.functions[id].symbol));
    let all: Vec<String> = all.map(|name| String::from_utf8_lossy(&name).into_owned()).collect();
    let from = if kernels.is_empty() || rng.percent(15) { &all } else { &kernels };
    rng.pick(from).cloned()
}

/// A small launch that gives a kernel what it needs.
fn launch(kernel: &str, needs: &[Need], rng: &mut SplitMix64) -> Launch {
    let mut extent = |most: usize| {
        let x = 1 + rng.below(most) as u32;
        if rng.percent(85) { [x, 1, 1] } else { [x, 1 + rng.below(3) as u32, 1 + rng.below(2) as u32] }
    };
    let (grid, block) = (extent(3), extent(70));
    let mut arguments: Vec<(String, Argument)> = Vec::new();
    for need in needs {
        let argument = match &need.kind {
            NeedKind::Value(shape) => Argument::Scalar(numbers(shape, rng)),
            NeedKind::Resource { element, .. } => buffer(*element, rng, true),
            NeedKind::Buffer if rng.percent(4) => Argument::Scalar("null".to_owned()),
            NeedKind::Buffer => {
                let element = Element::ALL[if rng.percent(70) { 4 } else { rng.below(Element::ALL.len()) }].0;
                buffer(element, rng, true)
            }
            NeedKind::Local => buffer(Element::U32, rng, false),
            NeedKind::Unknown => continue,
        };
        arguments.push((need.name.clone(), argument));
    }
    Launch {
        kernel: kernel.to_owned(),
        grid,
        block,
        subgroup: [1, 2, 4, 8, 16, 32, 64, 32, 64, 7][rng.below(10)],
        arguments,
        model: [
            Model::Maximal { hierarchy: 0 },
            Model::Maximal { hierarchy: 1 },
            Model::Controlled,
            Model::ImmediatePostDominator,
        ][rng.below(4)],
        schedule: [Schedule::Lockstep, Schedule::Fair, Schedule::Random(rng.next_u64())][rng.below(3)],
        anchors: [AnchorPolicy::Maximal, AnchorPolicy::Solo, AnchorPolicy::Active, AnchorPolicy::Split(rng.next_u64())]
            [rng.below(4)],
        entry: Entry::Converged,
        masks: if rng.percent(70) { MaskReading::Partition } else { MaskReading::Concurrent },
        limits: Limits {
            instructions: [100, 5_000, 30_000, 100_000][rng.below(4)],
            stack: [64, 4096, 1 << 20][rng.below(3)],
            memory: [1 << 14, 1 << 20, 1 << 24][rng.below(3)],
            calls: [2, 20, 1000][rng.below(3)],
            ..Limits::default()
        },
        threads: 1,
        max_events: [0, 10, 100][rng.below(3)],
        races: rng.percent(70),
    }
}

fn buffer(element: Element, rng: &mut SplitMix64, filled: bool) -> Argument {
    let length = [0, 1, 16, 64, 256, 1024][rng.below(6)];
    let contents = match rng.below(if filled { 4 } else { 2 }) {
        0 => Contents::Zero,
        1 => Contents::Uninitialised,
        2 => Contents::Iota,
        _ => Contents::Random { seed: rng.next_u64() },
    };
    Argument::Buffer { element, length, contents }
}

/// Numbers for a parameter, as they are written.
fn numbers(shape: &[Scalar], rng: &mut SplitMix64) -> String {
    let mut one = |scalar: &Scalar| match scalar {
        Scalar::Half | Scalar::BFloat | Scalar::Float | Scalar::Double => {
            ["0", "1.5", "-2", "inf", "nan"][rng.below(5)].to_owned()
        }
        Scalar::Integer(1) => ["0", "1"][rng.below(2)].to_owned(),
        Scalar::Integer(_) => match rng.below(4) {
            0 => ["0", "1", "-1"][rng.below(3)].to_owned(),
            _ => rng.below(100).to_string(),
        },
        _ => "0".to_owned(),
    };
    match shape {
        [scalar] => one(scalar),
        all => format!("{{{}}}", all.iter().map(one).collect::<Vec<_>>().join(",")),
    }
}

pub(super) fn validate(input: &Input, rng: &mut SplitMix64) -> Outcome {
    use reconverge_validate::Model;
    let mut outcome = Outcome::default();
    let after = input.second.as_deref().unwrap_or_default();
    let prepare = |text| Program::prepare(text, "fuzz-input", None);
    let (Ok(before), Ok(changed)) = (prepare(&input.text), prepare(after)) else { return outcome };
    outcome.past_reader =
        [&input.text[..], after].iter().all(|text| reconverge_ir::read_functions(text, |_, _, _| ()).is_ok());
    let Some(kernel) = kernel(&before, rng) else { return outcome };
    let all = [Model::Controlled, Model::Maximal, Model::ImmediatePostDominator];
    let options = Options {
        models: if rng.percent(50) { all.to_vec() } else { vec![all[rng.below(3)]] },
        runs: 1 + rng.below(6) as u64,
        seed: rng.next_u64(),
        arguments: Vec::new(),
        grid: rng.percent(20).then_some([2, 1, 1]),
        block: rng.percent(20).then_some([9, 1, 1]),
        subgroup: rng.percent(30).then_some(8),
        limits: reconverge_validate::launch_limits([500, 5_000, 20_000][rng.below(3)]),
        hierarchy: None,
        minimise: rng.percent(40),
    };
    let compare = if rng.percent(50) { compare } else { compare_by_running };
    let comparison = compare(&before, &changed, &kernel, &options, &|_| ());
    // What is before the change only has its place there.
    let is_before =
        |finding: &Finding| matches!(finding.kind, Kind::Change(Change::NotCompared { is_only_before: true, .. }));
    let (of_before, of_after): (Vec<Finding>, Vec<Finding>) = comparison.findings.into_iter().partition(is_before);
    let mut diagnostics = in_ir(before.module(), &of_before);
    diagnostics.extend(in_ir(changed.module(), &of_after));
    for diagnostic in &diagnostics {
        assert!(!diagnostic.message.contains('\n'), "a message has several lines: {diagnostic:?}");
    }
    outcome.finds(&diagnostics);
    outcome.answers(&format!("{} {:?}", comparison.runs, comparison.skipped));
    match &comparison.verdict {
        Verdict::NotCompared(reason) => outcome.refuses(reason),
        verdict => outcome.answers(&format!("{verdict:?}")),
    }
    outcome
}
