//! Running a kernel: workgroups side by side, and what they did put together.

mod accesses;
mod activation;
mod bind;
mod compute;
mod execute;
mod findings;
mod frame;
mod log;
mod meeting;
pub(crate) mod observer;
mod perform;
pub(crate) mod random;
pub(crate) mod recorder;
mod simple;
mod spin;
mod tokens;
mod workgroup;

use std::collections::BTreeMap;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, Mutex};

use cranelift_entity::PrimaryMap;
use rayon::prelude::*;
use rustc_hash::FxHashMap;

use crate::launch::{AnchorPolicy, Event, Launch, Limits, MaskReading, Model, OperationProfile, Outcome, Schedule};
use crate::memory::{Address, GlobalMemory, Memory};
use crate::module::{Control, LaunchError};
use crate::operations::{ConstantData, LaunchShape};
use crate::program::Executable;
use crate::program::code::CodeId;
use crate::program::flow::Flow;
use crate::program::resources::Binding;
use crate::value::{Mask, Slot, WIDTH};
use findings::Findings;
use frame::Wave;
use log::{Execution, Log, Tally};
use observer::Observer;
use random::Random;
use recorder::{Recorder, Recording};
use workgroup::Workgroup;

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

/// What workgroups did, put together as they end.
#[derive(Default)]
struct Collected {
    findings: Findings,
    tallies: FxHashMap<(CodeId, u32), Tally>,
    /// The events of the lowest workgroups.
    events: BTreeMap<u64, Vec<Execution>>,
    event_count: usize,
    instructions: u64,
    stopped: bool,
}

impl Collected {
    fn add(&mut self, number: u64, log: Log, findings: Findings, instructions: u64, stopped: bool, most: usize) {
        self.findings.join(findings);
        self.instructions += instructions;
        self.stopped |= stopped;
        for (key, tally) in &log.tallies {
            self.tallies.entry(*key).or_default().join(tally);
        }
        self.event_count += log.executions.len();
        self.events.insert(number, log.executions);
        while let Some(last) = self.events.last_entry().filter(|last| self.event_count - last.get().len() >= most) {
            self.event_count -= last.remove().len();
        }
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
    let groups: u64 = launch.grid.iter().map(|&count| u64::from(count)).product();
    let threads = match launch.threads {
        0 if program.shares => 1,
        0 => std::thread::available_parallelism().map_or(1, usize::from),
        threads => threads,
    };
    let alone = threads == 1 || groups == 1 || !matches!(watch, Watch::Nobody);
    let mut global = GlobalMemory::new(launch.limits.memory, alone);
    let (bound, buffers, variables) = bind::bind(program, flows, launch, &mut global)?;
    let bound = &bound;
    let launch_wide = LaunchWide { program, bound, control, collected: Mutex::new(Collected::default()) };
    if alone {
        for number in 0..groups {
            let memory = local_memory(program, bound, &global)?;
            match &mut watch {
                Watch::Observer(observer) => launch_wide.run(launch.grid, memory, number, Some(&mut **observer), None),
                Watch::Recording(recording) => launch_wide.run(launch.grid, memory, number, None, Some(recording)),
                Watch::Nobody => launch_wide.run(launch.grid, memory, number, None, None),
            }
        }
    } else {
        // A launch that cannot have its local memory fails before any workgroup runs.
        local_memory(program, bound, &global)?;
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        let pool = pool.map_err(|error| LaunchError::new(error.to_string()))?;
        pool.install(|| {
            (0..groups).into_par_iter().for_each(|number| {
                if let Ok(memory) = local_memory(program, bound, &global) {
                    launch_wide.run(launch.grid, memory, number, None, None);
                }
            });
        });
    }
    if let Watch::Recording(recording) = watch {
        recording.variables = variables.read(&global);
    }
    let collected = launch_wide.collected.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner());
    Ok(outcome(program, launch, collected, buffers.read(&global)))
}

/// What all workgroups of a launch share.
struct LaunchWide<'l> {
    program: &'l Executable<'l>,
    bound: &'l Bound,
    control: &'l Control,
    collected: Mutex<Collected>,
}

impl LaunchWide<'_> {
    /// Runs a workgroup and collects what it did.
    fn run<'w>(
        &'w self,
        grid: [u32; 3],
        memory: Memory<'w>,
        number: u64,
        observer: Option<&'w mut (dyn Observer + 'w)>,
        recording: Option<&'w mut Recording>,
    ) {
        let LaunchWide { program, bound, control, collected } = self;
        let collect = || collected.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        if control.cancel.load(Relaxed) {
            collect().stopped = true;
            return;
        }
        let mut workgroup = Workgroup {
            program,
            bound,
            control,
            group: place(number, grid),
            number,
            memory,
            waves: waves(bound),
            scratch: Vec::new(),
            findings: Findings::default(),
            log: Log::new(bound.max_events),
            observer,
            recorder: recording.map(Recorder::new),
            executed: 0,
            reported: 0,
            turn: 0,
            random: Random::new(match bound.schedule {
                Schedule::Random(seed) => seed ^ number.wrapping_mul(0x9e37_79b9_7f4a_7c15),
                _ => 0,
            }),
            halt: false,
            rounds: 0,
            snapshot: None,
            changes: 0,
        };
        let stopped = workgroup.run().is_err();
        workgroup.log.close();
        let Workgroup { log, findings, executed, reported, .. } = workgroup;
        let total = control.instructions.fetch_add(executed - reported, Relaxed) + executed - reported;
        if total > bound.limits.instructions {
            control.cancel.store(true, Relaxed);
        }
        control.workgroups_done.fetch_add(1, Relaxed);
        collect().add(number, log, findings, executed, stopped, bound.max_events);
    }
}

/// The memory of a workgroup at its start.
fn local_memory<'g>(
    program: &Executable<'_>,
    bound: &Bound,
    global: &'g GlobalMemory,
) -> Result<Memory<'g>, LaunchError> {
    let shape = crate::memory::Workgroup {
        threads: bound.shape.threads() as u32,
        wave: bound.wave,
        stack: bound.limits.stack,
        local: bound.limits.memory,
        races: bound.races,
        subgroup: bound.shape.subgroup,
    };
    let mut memory = Memory::new(global, &shape);
    let error = |error: crate::memory::OutOfMemory| LaunchError::new(format!("local memory: {error}"));
    program.allocate_local(&mut memory, &bound.dynamic).map_err(error)?;
    for (name, bytes) in &bound.local_buffers {
        memory.allocate_local(name, *bytes, 16).map_err(error)?;
    }
    if !bound.images.is_empty() {
        let no_room = |_| LaunchError::new(format!("the variables of a thread have more than {} bytes", shape.stack));
        for (number, wave) in waves(bound).iter().enumerate() {
            program.allocate_private(&mut memory, (number, wave.lanes), &bound.images).map_err(no_room)?;
        }
    }
    Ok(memory)
}

/// The place of a workgroup in the grid.
fn place(number: u64, grid: [u32; 3]) -> [u32; 3] {
    let [x, y] = [u64::from(grid[0]), u64::from(grid[1])];
    [(number % x) as u32, (number / x % y) as u32, (number / x / y) as u32]
}

fn waves(bound: &Bound) -> Vec<Wave> {
    let threads = bound.shape.threads() as u32;
    (0..threads).step_by(bound.wave as usize).map(|first| Wave::new(first, (threads - first).min(bound.wave))).collect()
}

fn outcome(
    program: &Executable<'_>,
    launch: &Launch,
    collected: Collected,
    buffers: Vec<crate::launch::Buffer>,
) -> Outcome {
    let Collected { findings, tallies, events, instructions, stopped, .. } = collected;
    let events = events.into_iter().flat_map(|(workgroup, executions)| {
        executions.into_iter().map(move |execution| event(program, workgroup, execution))
    });
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
        instructions,
        completed: !stopped,
        buffers,
        events: events.take(launch.max_events).collect(),
        profile: profile.collect(),
        diagnostics: findings.diagnostics(program),
    }
}

fn event(program: &Executable<'_>, workgroup: u64, execution: Execution) -> Event {
    let Execution { code, op, instance, threads, results } = execution;
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
