//! The workgroups of a launch, side by side, within its limits.
//!
//! **What is executed before a limit.** Workgroups are executed in *rounds* of consecutive ones, in the order of the grid. What is left of the
//! limits is divided evenly among those of a round, what some of these do not need among the others, and so on; when nothing is left
//! to divide, the run ends, and no later round begins. How many a round has follows from what is left and from the size of a
//! workgroup. So what a run executes is a function of the launch: how many cores there are does not matter, nor when each is done.
//!
//! Where workgroups can see each other, or somebody watches, they run one after the other, each with all that is left.

use std::collections::BTreeMap;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Mutex, PoisonError};

use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::findings::Findings;
use super::frame::Wave;
use super::log::{Log, Record, Tally};
use super::observer::Observer;
use super::random::Random;
use super::recorder::Recorder;
use super::spin::Spinning;
use super::statements::Together;
use super::workgroup::{Halted, SHARE, Spent, Workgroup};
use super::{Bound, Watch};
use crate::launch::{Model, STEPS, Schedule};
use crate::memory::{GlobalMemory, Memory};
use crate::module::{Control, LaunchError};
use crate::program::Executable;
use crate::program::code::CodeId;

/// A round has at most so many workgroups, and so many threads.
const MOST_GROUPS: u64 = 1024;
const MOST_THREADS: u64 = 1 << 18;
/// What a workgroup of a round may spend at first, at least, where there is more than one in it.
const LEAST: Spent = Spent { instructions: 1 << 16, steps: 1 << 12 };

/// What workgroups did, put together as they end.
#[derive(Default)]
pub(super) struct Collected {
    pub(super) findings: Findings,
    /// Those that are wrong if [poison](GlobalMemory::had_poison) was stored.
    pub(super) taken: Findings,
    pub(super) tallies: FxHashMap<(CodeId, u32), Tally>,
    pub(super) events: Events,
    pub(super) spent: Spent,
    /// How many of them ended.
    pub(super) finished: u64,
    /// Whether a `freeze` of one of them had to choose a value.
    pub(super) chose: bool,
}

impl Collected {
    fn add(&mut self, workgroup: Workgroup<'_>, finished: bool) {
        let Workgroup { number, mut log, findings, taken, spent, bound, chose, .. } = workgroup;
        self.events.add(number, std::mem::take(&mut log.record), bound.max_events);
        log.close();
        self.findings.join(findings);
        self.taken.join(taken);
        self.spent.instructions += spent.instructions;
        self.spent.steps += spent.steps;
        self.finished += u64::from(finished);
        self.chose |= chose;
        for (key, tally) in &log.tallies {
            self.tallies.entry(*key).or_default().join(tally);
        }
    }
}

/// What is kept of the lowest workgroups: as many events as are kept, and of no more workgroups than that.
#[derive(Default)]
pub(super) struct Events {
    of_groups: BTreeMap<u64, Record>,
    count: usize,
}

impl Events {
    /// Adds those of a workgroup; drops those of workgroups below which there are enough.
    fn add(&mut self, number: u64, record: Record, most: usize) {
        if most == 0 || record.is_empty() {
            return;
        }
        self.count += record.executions.len();
        self.of_groups.insert(number, record);
        let groups = self.of_groups.len();
        let mut excess = groups.saturating_sub(most);
        let is_enough = |count: usize, last: &Record| count - last.executions.len() >= most;
        while let Some(last) =
            self.of_groups.last_entry().filter(|last| excess > 0 || is_enough(self.count, last.get()))
        {
            self.count -= last.remove().executions.len();
            excess = excess.saturating_sub(1);
        }
    }

    /// All of them, with the numbers of their workgroups.
    pub(super) fn into_iter(self) -> impl Iterator<Item = (u64, Record)> {
        self.of_groups.into_iter()
    }
}

/// How far a workgroup of a round has come.
enum State<'w> {
    Waiting,
    Running(Box<Workgroup<'w>>),
    Ended(Box<Workgroup<'w>>, Ending),
}

/// How a workgroup came to its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Ending {
    Finished,
    /// Something that was found does not let it go on.
    Stopped,
    Cancelled,
}

/// A workgroup of a round.
struct Running<'w> {
    number: u64,
    state: State<'w>,
}

impl Running<'_> {
    fn spent(&self) -> Spent {
        match &self.state {
            State::Waiting => Spent::default(),
            State::Running(workgroup) | State::Ended(workgroup, _) => workgroup.spent,
        }
    }
}

/// A launch whose workgroups run.
pub(super) struct Launched<'l> {
    pub(super) program: &'l Executable<'l>,
    pub(super) bound: &'l Bound,
    pub(super) control: &'l Control,
    pub(super) global: &'l GlobalMemory,
    pub(super) grid: [u32; 3],
    pub(super) groups: u64,
}

impl Launched<'_> {
    /// Runs them one after the other.
    ///
    /// # Errors
    /// When their memory is more than there may be.
    pub(super) fn one_by_one(&self, watch: &mut Watch<'_>) -> Result<Collected, LaunchError> {
        let mut collected = Collected::default();
        let mut left = self.limits();
        for number in 0..self.groups {
            let mut workgroup = match watch {
                Watch::Observer(observer) => self.begin(number, Some(&mut **observer), None)?,
                Watch::Recording(recording) => self.begin(number, None, Some(Recorder::new(recording)))?,
                Watch::Nobody => self.begin(number, None, None)?,
            };
            workgroup.budget = left;
            // Not even the first operation.
            let ending = if left.is_nothing() { None } else { run(&mut workgroup) };
            left = left.minus(workgroup.spent);
            if ending.is_none() {
                workgroup.report_limit(self.limits(), collected.finished);
            }
            collected.add(workgroup, ending == Some(Ending::Finished));
            if matches!(ending, None | Some(Ending::Cancelled)) {
                break;
            }
        }
        Ok(collected)
    }

    /// Runs them in rounds, on so many threads of the operating system.
    ///
    /// # Errors
    /// When their memory is more than there may be, or there can be no such threads.
    pub(super) fn in_rounds(&self, threads: usize) -> Result<Collected, LaunchError> {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        let pool = pool.map_err(|error| LaunchError::new(error.to_string()))?;
        let mut collected = Collected::default();
        // Of workgroups that have ended: with all that a round has there would be too many.
        let events = Mutex::new(Events::default());
        let mut left = self.limits();
        let mut first = 0;
        while first < self.groups {
            if left.is_nothing() {
                let mut workgroup = self.begin(first, None, None)?;
                workgroup.report_limit(self.limits(), collected.finished);
                collected.add(workgroup, false);
                break;
            }
            let count = self.round(left).min(self.groups - first);
            let mut round: Vec<Running<'_>> =
                (first..first + count).map(|number| Running { number, state: State::Waiting }).collect();
            let mut share = left.over(count);
            let before = left;
            loop {
                let advance = |running| self.advance(running, share, &events);
                if threads == 1 {
                    round.iter_mut().try_for_each(advance)?;
                } else {
                    pool.install(|| round.par_iter_mut().try_for_each(advance))?;
                }
                left = round.iter().fold(before, |left, running| left.minus(running.spent()));
                let going = round.iter().filter(|running| !matches!(running.state, State::Ended(..))).count() as u64;
                share = left.over(going.max(1));
                if going == 0 || share.is_nothing() {
                    break;
                }
            }
            let mut is_over = false;
            let done = collected.finished
                + round.iter().filter(|one| matches!(one.state, State::Ended(_, Ending::Finished))).count() as u64;
            for running in round {
                match running.state {
                    State::Ended(workgroup, ending) => {
                        is_over |= ending == Ending::Cancelled;
                        collected.add(*workgroup, ending == Ending::Finished);
                    }
                    // The first that did not come to its end says so.
                    State::Running(mut workgroup) => {
                        if !std::mem::replace(&mut is_over, true) {
                            workgroup.report_limit(self.limits(), done);
                        }
                        collected.add(*workgroup, false);
                    }
                    State::Waiting => is_over = true,
                }
            }
            if is_over {
                break;
            }
            first += count;
        }
        let events = events.into_inner().unwrap_or_else(PoisonError::into_inner);
        for (number, record) in events.of_groups {
            collected.events.add(number, record, self.bound.max_events);
        }
        Ok(collected)
    }

    fn limits(&self) -> Spent {
        Spent { instructions: self.bound.limits.instructions, steps: self.bound.limits.steps as u64 }
    }

    /// How many workgroups the next round has.
    fn round(&self, left: Spent) -> u64 {
        let threads = self.bound.shape.threads();
        let start = threads.div_ceil(u64::from(self.bound.wave)) * STEPS.wave;
        let affordable = (left.instructions / LEAST.instructions).min(left.steps / (LEAST.steps + 2 * start));
        affordable.min(MOST_GROUPS).min(MOST_THREADS / threads).max(1)
    }

    /// Lets a workgroup spend so much more.
    fn advance<'w>(
        &'w self,
        running: &mut Running<'w>,
        share: Spent,
        events: &Mutex<Events>,
    ) -> Result<(), LaunchError> {
        let mut workgroup = match std::mem::replace(&mut running.state, State::Waiting) {
            State::Waiting => Box::new(self.begin(running.number, None, None)?),
            State::Running(workgroup) => workgroup,
            ended @ State::Ended(..) => {
                running.state = ended;
                return Ok(());
            }
        };
        workgroup.budget = Spent {
            instructions: workgroup.spent.instructions.saturating_add(share.instructions),
            steps: workgroup.spent.steps.saturating_add(share.steps),
        };
        running.state = match run(&mut workgroup) {
            Some(ending) => {
                workgroup.forget();
                let record = std::mem::take(&mut workgroup.log.record);
                let mut events = events.lock().unwrap_or_else(PoisonError::into_inner);
                events.add(workgroup.number, record, self.bound.max_events);
                drop(events);
                self.control.workgroups_done.fetch_add(1, Relaxed);
                self.control.tell();
                State::Ended(workgroup, ending)
            }
            None => State::Running(workgroup),
        };
        Ok(())
    }

    /// A workgroup at its start.
    fn begin<'w>(
        &'w self,
        number: u64,
        observer: Option<&'w mut (dyn Observer + 'w)>,
        recorder: Option<Recorder<'w>>,
    ) -> Result<Workgroup<'w>, LaunchError> {
        let Launched { program, bound, control, .. } = self;
        Ok(Workgroup {
            program,
            bound,
            control,
            group: place(number, self.grid),
            number,
            of: self.groups,
            memory: local_memory(program, bound, self.global, number)?,
            waves: waves(bound),
            scratch: Vec::new(),
            findings: Findings::default(),
            taken: Findings::default(),
            promises: Default::default(),
            together: match bound.model {
                Model::Statements(text) => program.statements.map(|all| Together::new(all, text, bound.anchors)),
                _ => None,
            },
            log: Log::new(bound.max_events),
            observer,
            recorder,
            spent: Spent::default(),
            chose: false,
            budget: Spent::default(),
            reported: 0,
            order: Vec::new(),
            next: 0,
            share: SHARE,
            advanced: false,
            halted: None,
            call_bytes: 0,
            turn: 0,
            random: Random::new(match bound.schedule {
                Schedule::Random(seed) => seed ^ number.wrapping_mul(0x9e37_79b9_7f4a_7c15),
                _ => 0,
            }),
            halt: false,
            spinning: Spinning::default(),
            arrivals: FxHashMap::default(),
        })
    }
}

/// Runs a workgroup as far as its budget goes; how it ended, if it did.
fn run(workgroup: &mut Workgroup<'_>) -> Option<Ending> {
    let ended = workgroup.run();
    if workgroup.log.keeps() {
        workgroup.note_waiting();
    }
    match (ended, workgroup.halted) {
        (Ok(()), _) => Some(Ending::Finished),
        (Err(_), None) => Some(Ending::Stopped),
        (Err(_), Some(Halted::Cancelled)) => Some(Ending::Cancelled),
        (Err(_), Some(Halted::Paused)) => None,
    }
}

/// The memory of a workgroup at its start.
///
/// # Errors
/// When it is more than there may be.
pub(super) fn local_memory<'g>(
    program: &Executable<'_>,
    bound: &Bound,
    global: &'g GlobalMemory,
    number: u64,
) -> Result<Memory<'g>, LaunchError> {
    let shape = crate::memory::Workgroup {
        number,
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
