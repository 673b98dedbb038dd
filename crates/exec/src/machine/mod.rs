//! Running a kernel: workgroups side by side, and what they did put together.

mod accesses;
mod activation;
mod bind;
mod compute;
mod counted;
mod execute;
mod findings;
mod frame;
mod groups;
mod log;
mod masks;
mod meeting;
pub(crate) mod observer;
mod perform;
mod printing;
pub(crate) mod random;
pub(crate) mod recorder;
mod simple;
mod spin;
mod statements;
mod tokens;
mod unwinding;
mod workgroup;

use std::sync::Arc;

use cranelift_entity::PrimaryMap;
use rustc_hash::FxHashMap;

use crate::launch::{
    AnchorPolicy, Ended, Entry, Event, Launch, Limits, MaskReading, Model, OperationProfile, Outcome, Schedule, Waiting,
};
use crate::memory::{Address, GlobalMemory};
use crate::module::{Control, LaunchError};
use crate::operations::{ConstantData, LaunchShape};
use crate::program::Executable;
use crate::program::code::CodeId;
use crate::program::flow::Flow;
use crate::program::resources::Binding;
use crate::value::{Mask, Slot, WIDTH};
use groups::{Collected, Launched};
use log::{Execution, Kept, Tally};
use observer::Observer;
use recorder::Recording;

/// What a model makes of each function.
pub(crate) type Flows = PrimaryMap<CodeId, Flow>;

/// Who watches a run.
pub(crate) enum Watch<'w> {
    Nobody,
    Observer(&'w mut dyn Observer),
    /// Gets what threads communicate, and nothing is logged.
    Recording(&'w mut Recording),
}

/// A launch, with everything that workgroups have in common.
#[derive(Debug)]
pub(crate) struct Bound {
    shape: LaunchShape,
    /// How many threads a wave has: whole subgroups.
    wave: u32,
    /// The components of each argument.
    arguments: Vec<Vec<Slot>>,
    flows: Arc<Flows>,
    model: Model,
    schedule: Schedule,
    anchors: AnchorPolicy,
    entry: Entry,
    masks: MaskReading,
    limits: Limits,
    races: bool,
    max_events: usize,
    /// How many bytes variables of a workgroup have that the module gives no size.
    dynamic: FxHashMap<reconverge_ir::Symbol, u64>,
    /// Buffers of local memory: name and bytes.
    local_buffers: Vec<(String, u64)>,
    /// What the variables hold at first that each thread has of its own.
    images: Vec<Address>,
    /// Buffers by their bindings; the handle of the first is 1.
    resources: Vec<(Binding, Address)>,
    data: [u64; 4],
}

impl Bound {
    /// Where data of the launch is.
    fn data_address(&self, data: ConstantData) -> u64 {
        self.data[match data {
            ConstantData::DispatchPacket => 0,
            ConstantData::ImplicitArguments => 1,
            ConstantData::KernelArguments => 2,
            ConstantData::Queue => 3,
        }]
    }

    /// The lanes of a wave that have a thread, by its first thread.
    fn lanes_of_wave(&self, first: u32) -> Mask {
        let threads = (self.shape.threads() - u64::from(first)).min(u64::from(self.wave));
        if threads as usize >= WIDTH { Mask::MAX } else { (1 << threads) - 1 }
    }
}

/// What the model of a launch makes of the functions of a kernel.
pub(crate) use bind::flows;

/// Runs a kernel that is linked.
pub(crate) fn run(
    program: &Executable<'_>,
    flows: Arc<Flows>,
    launch: &Launch,
    control: &Control,
    mut watch: Watch<'_>,
) -> Result<Outcome, LaunchError> {
    let groups = launch.workgroups();
    // Workgroups that can see each other run one after the other, so that a run is the same each time.
    let threads = match launch.threads {
        _ if program.shares => 1,
        0 => std::thread::available_parallelism().map_or(1, usize::from),
        threads => threads,
    };
    let alone = program.shares || !matches!(watch, Watch::Nobody);
    let mut global = GlobalMemory::new(launch.limits.memory, alone || threads == 1 || groups == 1);
    let (bound, buffers, variables) = bind::bind(program, flows, launch, &mut global)?;
    let launched = Launched { program, bound: &bound, control, global: &global, grid: launch.grid, groups };
    let mut collected =
        if alone || groups == 1 { launched.one_by_one(&mut watch)? } else { launched.in_rounds(threads)? };
    let taken = std::mem::take(&mut collected.taken);
    if !taken.is_empty() && global.had_poison() {
        collected.findings.join(taken);
    }
    if let Watch::Recording(recording) = watch {
        recording.variables = variables.read(&global);
    }
    Ok(outcome(program, launch, groups, collected, buffers.read(&global)))
}

fn outcome(
    program: &Executable<'_>,
    launch: &Launch,
    workgroups: u64,
    collected: Collected,
    buffers: Vec<crate::launch::Buffer>,
) -> Outcome {
    let Collected { findings, tallies, events, spent, finished, chose, .. } = collected;
    let (mut kept, mut ends, mut waiting) = (Vec::new(), Vec::new(), Vec::new());
    for (workgroup, record) in events.into_iter() {
        kept.extend(record.executions.into_iter().map(|execution| event(program, workgroup, execution)));
        ends.extend(record.ends.into_iter().map(|(after, threads)| Ended { workgroup, after, threads }));
        waiting.extend(record.waiting.into_iter().map(|one| waits(program, workgroup, one)));
    }
    kept.truncate(launch.max_events);
    let mut tallies: Vec<((CodeId, u32), Tally)> = tallies.into_iter().collect();
    tallies.sort_by_key(|&((code, op), _)| program.place(code, op).0.start);
    let profile = tallies.into_iter().map(|((code, op), tally)| {
        let (span, source) = program.place(code, op);
        OperationProfile {
            operation: program.called(code, op),
            function: program.codes[code].name.clone(),
            line: program.module.position(span.start).line as u32,
            source,
            executions: tally.executions,
            threads: tally.threads,
            fewest: tally.fewest,
            most: tally.most,
        }
    });
    Outcome {
        kernel: launch.kernel.clone(),
        instructions: spent.instructions,
        steps: spent.steps,
        completed: finished == workgroups,
        workgroups,
        finished,
        chose,
        buffers,
        events: kept,
        ends,
        waiting,
        profile: profile.collect(),
        findings: findings.in_order(program),
    }
}

fn event(program: &Executable<'_>, workgroup: u64, execution: Execution) -> Event {
    let Execution { code, op, instance, threads, kept: Kept { results, since, from } } = execution;
    let (span, source) = program.place(code, op);
    let data = &program.codes[code];
    let inst = &data.ir.instructions[data.insts[op as usize]];
    Event {
        operation: program.called(code, op),
        function: data.name.clone(),
        block: program.module.local_name(data.ir.blocks[inst.block].name),
        offset: span.start,
        line: program.module.position(span.start).line as u32,
        source,
        workgroup,
        instance,
        threads,
        results,
        since,
        from,
    }
}

fn waits(program: &Executable<'_>, workgroup: u64, waiting: log::Waiting) -> Waiting {
    let log::Waiting { code, op, threads, since } = waiting;
    let (span, source) = program.place(code, op);
    Waiting {
        operation: program.called(code, op),
        function: program.codes[code].name.clone(),
        line: program.module.position(span.start).line as u32,
        source,
        workgroup,
        since,
        threads,
    }
}

/// Where the buffers of a launch are.
pub(crate) struct Buffers(Vec<(String, crate::launch::Element, Address)>);

impl Buffers {
    fn read(self, global: &GlobalMemory) -> Vec<crate::launch::Buffer> {
        let read = |(name, element, address): (String, crate::launch::Element, Address)| crate::launch::Buffer {
            name,
            element,
            bytes: global.bytes(address),
            indeterminate: global.indeterminate(address, element.size() as u32),
        };
        self.0.into_iter().map(read).collect()
    }
}
