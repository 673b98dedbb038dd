//! One workgroup: who runs next.
//!
//! Waves take turns. Inside a wave a [`Schedule`] picks a fragment: *lock-step* the one that is furthest behind in the order of
//! execution (see [`BlockOrder`](reconverge_semantics::BlockOrder)), so that threads meet wherever they can; *fair* the one that
//! waited longest; *random* any, and it may take only some of its threads. A fragment runs until it waits, splits, ends,
//! or has had its share. What the threads compute does not depend on any of this, unless they race.
//!
//! Fragments that come to the same point with the same context become one. A set of threads at a convergent operation is
//! complete when nobody can join it any more (`meeting`); when nothing runs and no set is complete, the threads wait
//! for each other for ever.

use std::sync::atomic::Ordering::Relaxed;

use rustc_hash::FxHashMap;

use super::counted::Come;
use super::findings::Findings;
use super::frame::{Fragment, FrameIndex, Place, Wave};
use super::log::Log;
use super::masks::Promises;
use super::meeting::split_by;
use super::observer::Observer;
use super::random::Random;
use super::recorder::Recorder;
use super::spin::{LOOK, Spinning};
use super::statements::Together;
use super::{Bound, Control};
use crate::launch::{AnchorPolicy, Entry, STEPS, Schedule};
use crate::memory::Memory;
use crate::operations;
use crate::program::Executable;
use crate::program::code::{Code, EdgeIndex, Move};
use crate::program::flow::{Flow, mix};
use crate::value::{Mask, Slot, WIDTH, lanes_of, selection};

/// How many blocks a lone fragment runs before other waves have their turn.
pub(super) const SHARE: u32 = 1 << 14;
/// The same for one fragment of several under the fair schedule.
const FAIR_SHARE: u32 = 32;

/// That a workgroup does not go on; what there is to say about it is in its findings, or why it is [`Halted`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Stopped;

/// Why a workgroup does not go on that could.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Halted {
    /// It has spent what it may; [`Workgroup::run`] goes on where it stands.
    Paused,
    /// The user has had enough.
    Cancelled,
}

/// What was executed: instructions, once for each thread, and [steps](crate::launch::Steps).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Spent {
    pub(super) instructions: u64,
    pub(super) steps: u64,
}

impl Spent {
    /// Whether as much as that is spent, of one or the other.
    pub(super) fn reaches(self, budget: Spent) -> bool {
        self.instructions >= budget.instructions || self.steps >= budget.steps
    }

    /// What is left when that is spent.
    pub(super) fn minus(self, spent: Spent) -> Spent {
        Spent {
            instructions: self.instructions.saturating_sub(spent.instructions),
            steps: self.steps.saturating_sub(spent.steps),
        }
    }

    /// Whether nothing can be executed with it.
    pub(super) fn is_nothing(self) -> bool {
        self.instructions == 0 || self.steps == 0
    }

    /// An equal part of it.
    pub(super) fn over(self, parts: u64) -> Spent {
        Spent { instructions: self.instructions / parts, steps: self.steps / parts }
    }
}

/// A workgroup that runs.
pub(super) struct Workgroup<'r> {
    pub(super) program: &'r Executable<'r>,
    pub(super) bound: &'r Bound,
    pub(super) control: &'r Control,
    /// Its place in the grid.
    pub(super) group: [u32; 3],
    /// Its number in the launch.
    pub(super) number: u64,
    /// How many the launch has.
    pub(super) of: u64,
    pub(super) memory: Memory<'r>,
    pub(super) waves: Vec<Wave>,
    pub(super) scratch: Vec<Slot>,
    pub(super) findings: Findings,
    /// Values that were taken from threads that do not take part. What is done with them decides whether that is wrong: to throw them away is usual.
    pub(super) taken: Findings,
    pub(super) promises: Promises<'r>,
    /// Where statements say who is together.
    pub(super) together: Option<Together<'r>>,
    pub(super) log: Log,
    pub(super) observer: Option<&'r mut (dyn Observer + 'r)>,
    pub(super) recorder: Option<Recorder<'r>>,
    /// What it executed.
    pub(super) spent: Spent,
    /// Whether a `freeze` had to choose a value.
    pub(super) chose: bool,
    /// Where it has to stand until it gets more.
    pub(super) budget: Spent,
    /// Of the instructions, the ones that `control` knows of.
    pub(super) reported: u64,
    /// The waves in the order of their turns, and whose turn it is; nothing before it has begun.
    pub(super) order: Vec<usize>,
    pub(super) next: usize,
    /// How many blocks that wave may still execute in its turn.
    pub(super) share: u32,
    /// Whether anything happened since the first of them had its turn.
    pub(super) advanced: bool,
    /// Why it does not go on, where there is nothing to say about it.
    pub(super) halted: Option<Halted>,
    /// Bytes of the registers of all activations.
    pub(super) call_bytes: usize,
    /// Counts scheduling decisions.
    pub(super) turn: u64,
    pub(super) random: Random,
    /// Set where the workgroup cannot go on.
    pub(super) halt: bool,
    pub(super) spinning: Spinning,
    /// Who came to barriers that a number of threads complete, and went on; by the numbers of these.
    pub(super) arrivals: FxHashMap<u64, Vec<Come>>,
}

impl<'r> Workgroup<'r> {
    /// The function that a frame is of.
    pub(super) fn code(&self, wave: usize, frame: FrameIndex) -> &'r Code {
        &self.program.codes[self.waves[wave].frames[frame as usize].code]
    }

    pub(super) fn flow(&self, wave: usize, frame: FrameIndex) -> &'r Flow {
        &self.bound.flows[self.waves[wave].frames[frame as usize].code]
    }

    /// Runs all threads to their end, or until one cannot go on, or as far as the budget goes; then, with a larger budget, from there.
    pub(super) fn run(&mut self) -> Result<(), Stopped> {
        self.halted = None;
        let ended = self.run_on();
        if self.halted.is_none() {
            self.report_promises();
        }
        ended
    }

    fn run_on(&mut self) -> Result<(), Stopped> {
        if self.order.is_empty() {
            self.start();
            self.order = (0..self.waves.len()).collect();
            self.next = self.order.len();
            self.advanced = true;
        }
        loop {
            while let Some(&wave) = self.order.get(self.next) {
                self.run_wave(wave)?;
                self.next += 1;
                self.share = SHARE;
            }
            if !self.advanced {
                if !self.release_any(None)? {
                    self.report_standstill();
                    return Err(Stopped);
                }
                self.spinning.forget();
            }
            if self.waves.iter().all(|wave| wave.fragments.is_empty()) {
                return Ok(());
            }
            if matches!(self.bound.schedule, Schedule::Random(_)) {
                self.random.shuffle(&mut self.order);
            }
            (self.next, self.share, self.advanced) = (0, SHARE, false);
        }
    }

    /// Puts all threads at the start of the kernel.
    fn start(&mut self) {
        let kernel = self.program.kernel;
        let code = &self.program.codes[kernel];
        // Threads of other workgroups are not asked, so the number of this one need not be in it.
        let key = mix(0, 0x6b65_726e_656c);
        self.spent.steps += STEPS.wave * self.waves.len() as u64;
        for wave in 0..self.waves.len() {
            for (mask, key) in self.starting(wave, key) {
                let frame = self.waves[wave].enter(kernel, code, None, key, mask);
                for (registers, values) in code.parameters.iter().zip(&self.bound.arguments) {
                    let frame = &mut self.waves[wave].frames[frame as usize];
                    frame.registers[registers.range()].clone_from_slice(values);
                }
                let fragment = Fragment {
                    frame,
                    block: 0,
                    op: code.blocks[0],
                    mask,
                    context: self.bound.flows[kernel].enter(),
                    waits: None,
                    turn: 0,
                };
                self.enter_block(wave, &fragment);
                self.waves[wave].fragments.push(fragment);
            }
        }
    }

    /// Which lanes of a wave start the kernel together, with the keys of their activations.
    fn starting(&self, wave: usize, key: u64) -> Vec<(Mask, u64)> {
        let lanes = self.waves[wave].lanes;
        let policy = match self.bound.entry {
            Entry::Converged => return vec![(lanes, key)],
            Entry::Alone => AnchorPolicy::Solo,
            Entry::Implementation => self.bound.anchors,
        };
        split_by(lanes, |lane| self.chosen_key(policy, key, wave, lane).0)
    }

    /// Gives back what nobody asks for when it has ended: many wait in a round.
    pub(super) fn forget(&mut self) {
        self.waves = Vec::new();
        self.scratch = Vec::new();
        self.spinning = Spinning::default();
        self.memory.give_back();
    }

    /// Gives a wave its share, or what is left of it.
    fn run_wave(&mut self, wave: usize) -> Result<(), Stopped> {
        while self.share > 0 {
            let Some(picked) = self.pick(wave)? else { return Ok(()) };
            if self.only_spins(wave, picked) {
                return Ok(());
            }
            self.advanced = true;
            let fragments = &mut self.waves[wave].fragments;
            let places = fragments.len() as u64;
            let mut fragment = fragments.swap_remove(picked);
            let blocks = match self.bound.schedule {
                Schedule::Random(_) => {
                    self.take_some(wave, &mut fragment);
                    1 + self.random.below(4) as u32
                }
                _ if places == 1 && self.spinning.is_quiet(self.spent.steps) => LOOK.min(self.share),
                _ if places == 1 => self.share,
                Schedule::Fair => FAIR_SHARE,
                Schedule::Lockstep => 1,
            };
            if places > 1 {
                let depth = u64::from(self.waves[wave].frames[fragment.frame as usize].depth);
                self.spent.steps += STEPS.choice * places * (1 + depth);
            }
            self.turn += 1;
            fragment.turn = self.turn;
            self.share = self.share.saturating_sub(blocks);
            self.advance(wave, fragment, blocks)?;
            self.watch()?;
        }
        Ok(())
    }

    /// Which fragment of a wave runs next; completes sets on the way.
    fn pick(&mut self, wave: usize) -> Result<Option<usize>, Stopped> {
        loop {
            let fragments = &self.waves[wave].fragments;
            let ready = |fragment: &Fragment| fragment.waits.is_none();
            if let [only] = fragments.as_slice()
                && ready(only)
            {
                return Ok(Some(0));
            }
            match self.bound.schedule {
                Schedule::Lockstep => {
                    let furthest_behind = |choose: &dyn Fn(&Fragment) -> bool| {
                        (0..fragments.len())
                            .filter(|&index| choose(&fragments[index]))
                            .min_by(|&a, &b| self.compare(wave, &fragments[a], &fragments[b]))
                    };
                    let Some(first) = furthest_behind(&ready) else {
                        if self.release_any(Some(wave))? {
                            continue;
                        }
                        return Ok(None);
                    };
                    // Those that wait in front of it wait perhaps for nobody.
                    let waiting = furthest_behind(&|fragment| !ready(fragment));
                    let before = |other: usize| self.compare(wave, &fragments[other], &fragments[first]).is_lt();
                    if waiting.is_some_and(before) && self.release_any(Some(wave))? {
                        continue;
                    }
                    return Ok(Some(first));
                }
                Schedule::Fair => {
                    if fragments.iter().any(|fragment| !ready(fragment)) && self.release_any(Some(wave))? {
                        continue;
                    }
                    let fragments = self.waves[wave].fragments.iter().enumerate();
                    return Ok(fragments
                        .filter(|(_, fragment)| ready(fragment))
                        .min_by_key(|(_, fragment)| fragment.turn)
                        .map(|(index, _)| index));
                }
                Schedule::Random(_) => {
                    let candidates: Vec<usize> =
                        (0..fragments.len()).filter(|&index| ready(&fragments[index])).collect();
                    let waiting = candidates.len() < fragments.len();
                    if waiting
                        && (candidates.is_empty() || self.random.below(2) == 0)
                        && self.release_any(Some(wave))?
                    {
                        continue;
                    }
                    return Ok((!candidates.is_empty()).then(|| candidates[self.random.below(candidates.len())]));
                }
            }
        }
    }

    /// Leaves some of the threads where they are.
    fn take_some(&mut self, wave: usize, fragment: &mut Fragment) {
        if fragment.mask.count_ones() > 1 && self.random.below(4) == 0 {
            let take = fragment.mask & self.random.next();
            if take != 0 && take != fragment.mask {
                let rest = Fragment { mask: fragment.mask & !take, ..fragment.clone() };
                self.waves[wave].fragments.push(rest);
                fragment.mask = take;
            }
        }
    }

    /// Which of two fragments of a wave is further behind.
    fn compare(&self, wave: usize, a: &Fragment, b: &Fragment) -> std::cmp::Ordering {
        if a.frame == b.frame {
            return self.compare_places(wave, place_of(a), place_of(b));
        }
        let wave_frames = &self.waves[wave];
        self.compare_ways(wave, &wave_frames.places(a), &wave_frames.places(b))
    }

    /// Which of two ways through activations is further behind, the kernel's first.
    pub(super) fn compare_ways(&self, wave: usize, one: &[Place<'_>], other: &[Place<'_>]) -> std::cmp::Ordering {
        let common = one.iter().zip(other).take_while(|(a, b)| a.frame == b.frame).count();
        // The kernel's frame is common to all of a wave.
        let last = common.saturating_sub(1);
        self.compare_places(wave, one[last], other[last])
            .then(one.get(common).map(|place| place.frame).cmp(&other.get(common).map(|place| place.frame)))
    }

    /// Which of two places in one frame comes first.
    fn compare_places(&self, wave: usize, a: Place<'_>, b: Place<'_>) -> std::cmp::Ordering {
        let flow = self.flow(wave, a.frame);
        flow.compare((a.block, a.context), (b.block, b.context)).then(a.op.cmp(&b.op))
    }

    /// Puts a fragment back: into one that is at the same point, if there is one.
    pub(super) fn place(&mut self, wave: usize, fragment: Fragment) {
        let apart = matches!(self.bound.schedule, Schedule::Random(_)) && self.random.below(2) == 0;
        let fragments = &mut self.waves[wave].fragments;
        let meets = |other: &&mut Fragment| {
            other.frame == fragment.frame
                && other.op == fragment.op
                && other.waits.is_none()
                && fragment.waits.is_none()
                && other.context == fragment.context
        };
        match fragments.iter_mut().find(meets) {
            Some(other) if !apart => other.mask |= fragment.mask,
            _ => fragments.push(fragment),
        }
    }

    /// Moves a fragment along an edge: phis, context.
    pub(super) fn follow(&mut self, wave: usize, fragment: &mut Fragment, edge: EdgeIndex) {
        let code = self.code(wave, fragment.frame);
        self.flow(wave, fragment.frame).follow(code, edge, &mut fragment.context);
        let edge = &code.edges[edge as usize];
        let moves = &code.moves[edge.first_move as usize..edge.last_move as usize];
        let frame = &mut self.waves[wave].frames[fragment.frame as usize];
        if fragment.mask == frame.lanes {
            take(code, edge.parallel, moves, &mut frame.registers, &mut self.scratch, |to, from| {
                to.merge(from, Mask::MAX);
            });
        } else if !moves.is_empty() {
            let select = selection(fragment.mask);
            take(code, edge.parallel, moves, &mut frame.registers, &mut self.scratch, |to, from| {
                to.merge_selected(from, fragment.mask, &select);
            });
        }
        fragment.block = edge.target;
        fragment.op = code.blocks[edge.target as usize];
        self.enter_block(wave, fragment);
    }

    /// Tells the observer that threads came to a block.
    fn enter_block(&mut self, wave: usize, fragment: &Fragment) {
        if self.observer.is_some() {
            self.observe_block(wave, fragment);
        }
    }

    /// Looks at the budget and at whether the user has had enough.
    fn watch(&mut self) -> Result<(), Stopped> {
        let new = self.spent.instructions - self.reported;
        if new >= 1 << 16 {
            self.reported += new;
            self.control.instructions.fetch_add(new, Relaxed);
            self.control.tell();
        }
        if self.control.cancel.load(Relaxed) {
            self.halted = Some(Halted::Cancelled);
            return Err(Stopped);
        }
        if self.spent.reaches(self.budget) && self.waves.iter().any(|wave| !wave.fragments.is_empty()) {
            self.halted = Some(Halted::Paused);
            return Err(Stopped);
        }
        Ok(())
    }

    /// The numbers, in the launch, of lanes of a wave.
    pub(super) fn threads(&self, wave: usize, mask: Mask) -> Vec<u64> {
        let first = self.number * self.bound.shape.threads() + u64::from(self.waves[wave].first);
        lanes_of(mask).map(|lane| first + lane as u64).collect()
    }

    /// The lanes of each subgroup of a wave that has lanes in `mask`.
    pub(super) fn subgroups(&self, mask: Mask) -> impl Iterator<Item = Mask> + use<> {
        let size = self.bound.shape.subgroup;
        let lanes = if size as usize >= WIDTH { Mask::MAX } else { (1 << size) - 1 };
        (0..WIDTH as u32 / size).map(move |index| lanes << (index * size)).filter(move |lanes| lanes & mask != 0)
    }

    /// Where the wave is in the launch.
    pub(super) fn wave_place(&self, wave: usize) -> operations::Wave {
        operations::Wave { group: self.group, first: self.waves[wave].first }
    }
}

/// Gives registers what they take along an edge: one after the other, or all at the same time.
fn take(
    code: &Code,
    parallel: bool,
    moves: &[Move],
    registers: &mut [Slot],
    scratch: &mut Vec<Slot>,
    merge: impl Fn(&mut Slot, &Slot),
) {
    if !parallel {
        for step in moves {
            match step.from.register() {
                Some(from) if from == step.to => {}
                Some(from) => {
                    if let Ok([from, to]) = registers.get_disjoint_mut([from as usize, step.to as usize]) {
                        merge(to, from);
                    }
                }
                None => merge(&mut registers[step.to as usize], &step.from.of(&[], &code.constants)[0]),
            }
        }
        return;
    }
    if scratch.len() < moves.len() {
        scratch.resize_with(moves.len(), Slot::default);
    }
    for (slot, step) in scratch.iter_mut().zip(moves) {
        slot.clone_from(&step.from.of(registers, &code.constants)[0]);
    }
    for (slot, step) in scratch.iter().zip(moves) {
        merge(&mut registers[step.to as usize], slot);
    }
}

pub(super) fn place_of(fragment: &Fragment) -> Place<'_> {
    Place { frame: fragment.frame, block: fragment.block, op: fragment.op, context: &fragment.context }
}
