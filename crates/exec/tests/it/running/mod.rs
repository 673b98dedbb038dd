//! Kernels that run: control flow, calls, communication, schedules, limits. What instructions compute is tested elsewhere.

mod calls;
mod exceptions;
mod heap;
mod limits;
mod noundef;
mod order;
mod printing;
mod resources;
mod spinning;

use reconverge_exec::launch::{
    AnchorPolicy, Argument, Contents, Element, Entry, Launch, Limits, MaskReading, Model, Outcome, Schedule,
};
use reconverge_exec::{Control, Program, run};
use reconverge_findings::Kind;
use reconverge_findings::run::Trouble;

/// A launch of one workgroup, threads in subgroups of 8, that prints nothing and looks for races.
pub(crate) fn launch(threads: u32, arguments: &[(&str, Argument)]) -> Launch {
    Launch {
        kernel: "kernel".to_owned(),
        grid: [1; 3],
        block: [threads, 1, 1],
        subgroup: 8,
        arguments: arguments.iter().map(|(name, argument)| ((*name).to_owned(), argument.clone())).collect(),
        model: Model::Maximal { hierarchy: 0 },
        schedule: Schedule::Lockstep,
        anchors: AnchorPolicy::Maximal,
        entry: Entry::Converged,
        masks: MaskReading::Partition,
        limits: Limits { instructions: 10_000_000, ..Limits::default() },
        threads: 0,
        max_events: 1000,
        races: true,
    }
}

/// A buffer of 32-bit numbers.
pub(crate) fn words(length: u64) -> Argument {
    Argument::Buffer { element: Element::U32, length, contents: Contents::Zero }
}

pub(crate) fn execute(text: &str, launch: &Launch) -> Outcome {
    let program = Program::prepare(text.as_bytes(), "test.ll", None).expect("the module is read");
    run(&program, launch, &Control::default()).expect("the launch fits")
}

/// The 32-bit numbers of a buffer.
pub(crate) fn numbers(outcome: &Outcome, buffer: usize) -> Vec<u32> {
    let bytes = outcome.buffers[buffer].bytes.chunks_exact(4);
    bytes.map(|word| u32::from_le_bytes(word.try_into().expect("four bytes"))).collect()
}

/// The codes that were found.
pub(crate) fn codes(outcome: &Outcome) -> Vec<&'static str> {
    outcome.findings.iter().map(|diagnostic| diagnostic.code.name()).collect()
}

/// What the first finding is.
pub(crate) fn first(outcome: &Outcome) -> &Trouble {
    let Kind::Run(trouble) = &outcome.findings[0].kind else { panic!("{:?}", outcome.findings) };
    trouble
}

/// Every kind of schedule, with some seeds.
pub(crate) fn schedules() -> Vec<Schedule> {
    let mut all = vec![Schedule::Lockstep, Schedule::Fair];
    all.extend((0..20).map(Schedule::Random));
    all
}
