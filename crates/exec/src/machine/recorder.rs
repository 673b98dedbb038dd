//! What threads communicate, as data: for comparing runs. No text is made and no key is computed for anything but
//! communications, so a recorded run is about as fast as one that nobody watches.

use rustc_hash::FxHashMap;

use super::frame::{Fragment, FrameIndex};
use super::workgroup::Workgroup;
use crate::launch::Buffer;
use crate::program::Executable;
use crate::program::code::{Code, CodeId, Op, Operand, TokenUse};
use crate::value::{Mask, Slot, lanes_of};

/// What was communicated in a run.
#[derive(Debug, Clone, Default)]
pub struct Recording {
    /// The communications: workgroup by workgroup, in the order in which they happened.
    pub communications: Vec<Communication>,
    /// What the kernel returned to its threads, where it returns something: the thread and the components.
    pub returned: Vec<(u64, Vec<Component>)>,
    /// The variables that others than the module can see, byte by byte, as the run left them.
    pub variables: Vec<Buffer>,
}

/// One execution of a convergent operation by the threads that communicate in it.
#[derive(Debug, Clone)]
pub struct Communication {
    /// The workgroup.
    pub workgroup: u64,
    /// The token that it is under.
    pub root: Root,
    /// The threads, ascending.
    pub threads: Vec<Participant>,
    /// The components of what they pass and get.
    values: Vec<Component>,
}

/// A thread that communicates.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Participant {
    /// Its number in the launch.
    pub thread: u64,
    /// The operation, which is the same for all threads but at barriers that do not ask for the same place. See
    /// [`Linked::site`](crate::Linked::site).
    pub site: u32,
    /// Grows along what a thread executes. Threads come to a communication that nobody waits at when they do, so the order of
    /// communications is not that of each thread.
    pub order: u32,
    start: u32,
    operands: u16,
    results: u16,
}

/// What a convergence token stems from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Root {
    /// There is none, or the model does not look at it, or it is the entry of a function that was called without one.
    None,
    /// The entry of the kernel.
    Entry,
    /// An anchor; the keys of the anchor's dynamic instances are equal in one workgroup iff they are converged. A function that is not
    /// `convergent` and has uncontrolled operations begins like one: its callers may be changed in ways that divide those who enter it. So does one that is called by a call that is not convergent.
    Anchor(u64),
}

/// A component of a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Component {
    /// Its bits; those that are not known are 0.
    pub bits: u64,
    /// The bits that are `undef`.
    pub undefined: u64,
    /// Whether it is poison.
    pub poison: bool,
}

impl Component {
    fn of(slot: &Slot, lane: usize) -> Component {
        let poison = slot.poison >> lane & 1 != 0;
        let undefined = slot.undefined_bits(lane);
        Component { bits: if poison { 0 } else { slot.bits[lane] & !undefined }, undefined, poison }
    }

    /// Whether a program that has the other value here does what this one allows: poison and undef may become anything.
    pub fn allows(&self, other: &Component) -> bool {
        self.poison
            || !other.poison
                && other.undefined & !self.undefined == 0
                && (self.bits ^ other.bits) & !self.undefined == 0
    }

    fn slot(&self) -> Slot {
        let mut slot = Slot::splat(self.bits);
        slot.poison = if self.poison { Mask::MAX } else { 0 };
        slot.undefined = (self.undefined != 0).then(|| Box::new([self.undefined; crate::value::WIDTH]));
        slot
    }

    /// Components as slots with the same in each lane.
    pub(crate) fn slots(components: &[Component]) -> Vec<Slot> {
        components.iter().map(Component::slot).collect()
    }
}

impl Communication {
    /// What a thread passes, all operands in a row.
    pub fn operands(&self, participant: &Participant) -> &[Component] {
        let start = participant.start as usize;
        &self.values[start..start + usize::from(participant.operands)]
    }

    /// What a thread gets.
    pub fn results(&self, participant: &Participant) -> &[Component] {
        let start = participant.start as usize + usize::from(participant.operands);
        &self.values[start..start + usize::from(participant.results)]
    }

    /// The place of a thread in [`threads`](Communication::threads).
    pub fn participant(&self, thread: u64) -> Option<&Participant> {
        self.threads.binary_search_by_key(&thread, |one| one.thread).ok().map(|at| &self.threads[at])
    }
}

/// Records one workgroup.
pub(super) struct Recorder<'r> {
    recording: &'r mut Recording,
    /// By token.
    roots: FxHashMap<u64, Root>,
    /// By activation.
    activations: FxHashMap<u64, Root>,
    /// Communications that nobody waits at, to which others may come: by operation and instance key.
    open: FxHashMap<(u32, u64), usize>,
    /// Counts the participations.
    clock: u32,
}

impl<'r> Recorder<'r> {
    pub(super) fn new(recording: &'r mut Recording) -> Recorder<'r> {
        let (roots, activations, open) = Default::default();
        Recorder { recording, roots, activations, open, clock: 0 }
    }
}

/// Threads of one frame that communicate.
pub(super) struct Part {
    pub(super) wave: usize,
    pub(super) frame: FrameIndex,
    pub(super) mask: Mask,
    pub(super) op: u32,
}

impl Workgroup<'_> {
    /// Records a complete set, behind its operation.
    pub(super) fn record_set(&mut self, parts: &[Part]) {
        let Some(first) = parts.first() else { return };
        let root = self.root(first.wave, first.frame, first.op, first.mask);
        let mut communication = Communication { workgroup: self.number, root, threads: Vec::new(), values: Vec::new() };
        for part in parts {
            self.take_part(&mut communication, part);
        }
        communication.threads.sort_unstable_by_key(|one| one.thread);
        if let Some(recorder) = &mut self.recorder {
            recorder.recording.communications.push(communication);
        }
    }

    /// Records threads that say that they come to a barrier, and go on: each for itself.
    pub(super) fn record_arrival(&mut self, wave: usize, fragment: &Fragment) {
        for lane in lanes_of(fragment.mask) {
            self.record_set(&[Part { wave, frame: fragment.frame, mask: 1 << lane, op: fragment.op }]);
        }
    }

    /// Records threads at an operation that nobody waits at.
    pub(super) fn record_pass(&mut self, wave: usize, fragment: &Fragment, token: Option<TokenUse>) {
        let (frame, op) = (fragment.frame, fragment.op);
        let site = self.code(wave, frame).first_site + op;
        for (mask, key) in self.instance_keys(wave, fragment, op, token) {
            let root = self.root(wave, frame, op, mask);
            let workgroup = self.number;
            let Some(Recorder { recording, open, .. }) = &mut self.recorder else { return };
            let at = *open.entry((site, key)).or_insert_with(|| {
                let (threads, values) = (Vec::new(), Vec::new());
                recording.communications.push(Communication { workgroup, root, threads, values });
                recording.communications.len() - 1
            });
            let mut communication = std::mem::replace(
                &mut recording.communications[at],
                Communication { workgroup, root, threads: Vec::new(), values: Vec::new() },
            );
            self.take_part(&mut communication, &Part { wave, frame, mask, op });
            communication.threads.sort_unstable_by_key(|one| one.thread);
            if let Some(recorder) = &mut self.recorder {
                recorder.recording.communications[at] = communication;
            }
        }
    }

    fn take_part(&mut self, communication: &mut Communication, part: &Part) {
        let order = self.recorder.as_mut().map_or(0, |recorder| {
            recorder.clock = recorder.clock.wrapping_add(1);
            recorder.clock
        });
        let code = self.code(part.wave, part.frame);
        let op = &code.ops[part.op as usize];
        let registers = &self.waves[part.wave].frames[part.frame as usize].registers;
        let out = op.out().map_or(&[][..], |out| &registers[out.range()]);
        let operands = op.arguments();
        let first = self.number * self.bound.shape.threads() + u64::from(self.waves[part.wave].first);
        let count: usize = operands.iter().map(|operand| operand.count as usize).sum();
        for lane in lanes_of(part.mask) {
            communication.threads.push(Participant {
                thread: first + lane as u64,
                site: code.first_site + part.op,
                order,
                start: communication.values.len() as u32,
                operands: count as u16,
                results: out.len() as u16,
            });
            for operand in operands {
                let slots = operand.of(registers, &code.constants);
                communication.values.extend(slots.iter().map(|slot| Component::of(slot, lane)));
            }
            communication.values.extend(out.iter().map(|slot| Component::of(slot, lane)));
        }
    }

    /// What the token of an operation stems from, for lanes that have the same one; without a token, that of the activation.
    /// Barriers that do not ask where threads wait do not look at tokens.
    fn root(&self, wave: usize, frame: FrameIndex, op: u32, mask: Mask) -> Root {
        let Some(recorder) = &self.recorder else { return Root::None };
        if !self.is_controlled() {
            return Root::None;
        }
        let data = &self.waves[wave].frames[frame as usize];
        let code = &self.program.codes[data.code];
        let operation = &code.ops[op as usize];
        match operation.token() {
            _ if operation.is_loose_barrier() => Root::None,
            Some(token) => {
                let bits = data.registers[token.token as usize].bits[mask.trailing_zeros() as usize % 64];
                recorder.roots.get(&bits).copied().unwrap_or(Root::None)
            }
            None => match recorder.activations.get(&data.key) {
                Some(&root @ Root::Anchor(_)) => root,
                _ if self.program.is_open(code) => Root::Anchor(data.key),
                _ => Root::None,
            },
        }
    }

    /// Threads begin an activation by a call.
    pub(super) fn record_activation(&mut self, wave: usize, caller: FrameIndex, op: u32, mask: Mask, key: u64) {
        let root = self.root(wave, caller, op, mask);
        if let Some(recorder) = &mut self.recorder {
            recorder.activations.insert(key, root);
        }
    }

    /// A thread gets a token.
    pub(super) fn record_token(&mut self, wave: usize, frame: FrameIndex, op: &Op, token: u64, parent: u64) {
        let key = self.waves[wave].frames[frame as usize].key;
        let is_open = self.is_start_open(wave, frame);
        let Some(recorder) = &mut self.recorder else { return };
        let root = match op {
            Op::Heart { .. } => recorder.roots.get(&parent).copied().unwrap_or(Root::None),
            Op::Anchor { .. } => Root::Anchor(token),
            _ if is_open => Root::Anchor(token),
            _ => recorder.activations.get(&key).copied().unwrap_or(Root::Entry),
        };
        recorder.roots.insert(token, root);
    }

    /// Threads come to the end of the kernel.
    pub(super) fn record_return(&mut self, wave: usize, mask: Mask, values: &[Slot]) {
        let first = self.number * self.bound.shape.threads() + u64::from(self.waves[wave].first);
        let Some(recorder) = &mut self.recorder else { return };
        if !values.is_empty() {
            recorder.recording.returned.extend(
                lanes_of(mask)
                    .map(|lane| (first + lane as u64, values.iter().map(|slot| Component::of(slot, lane)).collect())),
            );
        }
    }
}

/// An operation in which threads communicate, as one recorded it.
#[derive(Debug, Clone)]
pub struct Site {
    /// What is called, without sigil.
    pub operation: String,
    /// The function that it is in, without sigil.
    pub function: String,
    /// Whether nothing but its result comes of it: no memory is touched, and nobody is waited for.
    pub pure: bool,
    /// Whether it keeps its place among others that do: threads wait there, or it may touch memory, no matter which.
    pub ordered: bool,
    /// By component of the operands: the number of the operand; nothing for pointers, whose bits mean nothing outside of a run.
    pub operands: Vec<Option<u32>>,
    /// Which components of the result are no pointers.
    pub results: Vec<bool>,
    pub(crate) code: CodeId,
    pub(crate) op: u32,
}

impl Executable<'_> {
    /// Whether an implementation may choose who executes a function together: it is not convergent, and has no tokens. (If it has no
    /// convergent operations either, that says nothing.)
    pub(crate) fn is_open(&self, code: &Code) -> bool {
        code.token_definitions.is_empty() && !self.module.functions[code.id].convergent
    }
}

impl Site {
    /// The operations of a kernel at which threads communicate, by their numbers.
    pub(crate) fn all(program: &Executable<'_>) -> FxHashMap<u32, Site> {
        let mut sites = FxHashMap::default();
        for (id, code) in &program.codes {
            for (op, data) in (0..).zip(&code.ops) {
                let (pure, ordered) = match data {
                    Op::Barrier { .. } | Op::GroupCopy { .. } => (false, true),
                    Op::Crosslane { .. } => (true, false),
                    Op::Declared { .. } => (program.touches_no_memory(id, op), program.may_touch_any_memory(id, op)),
                    _ => continue,
                };
                sites.insert(
                    code.first_site + op,
                    Site::new(program, (id, code, op), data.arguments(), [pure, ordered]),
                );
            }
        }
        sites
    }

    fn new(
        program: &Executable<'_>,
        (id, code, op): (CodeId, &Code, u32),
        arguments: &[Operand],
        [pure, ordered]: [bool; 2],
    ) -> Site {
        let is_pointer = |scalar: &crate::value::Scalar| matches!(scalar, crate::value::Scalar::Pointer(_));
        let shapes = program.operand_shapes(id, op);
        let mut operands = Vec::new();
        for (number, operand) in (0..).zip(arguments) {
            let shape = shapes.get(number as usize).map_or(&[][..], Vec::as_slice);
            let known = shape.iter().flat_map(|scalar| {
                std::iter::repeat_n(Some(number).filter(|_| !is_pointer(scalar)), scalar.components())
            });
            let before = operands.len();
            operands.extend(known.take(operand.count as usize));
            operands.resize(before + operand.count as usize, Some(number));
        }
        let results = program.result_shape(id, op);
        let results = results.iter().flat_map(|scalar| std::iter::repeat_n(!is_pointer(scalar), scalar.components()));
        Site {
            operation: program.called(id, op),
            function: code.name.clone(),
            pure,
            ordered,
            operands,
            results: results.collect(),
            code: id,
            op,
        }
    }
}
