//! Watching a run: what each thread computes in which dynamic instance. For tests of analyses against executions.

use reconverge_ir::FunctionId;
use reconverge_ir::function::{Block, Inst};

use super::frame::Fragment;
use super::meeting::split_by;
use super::workgroup::Workgroup;
use crate::program::code::{Operand, TokenUse};
use crate::program::flow::mix;
use crate::value::{Mask, Slot, lanes_of};

/// Someone who watches a run. Calls come in the order of the schedule.
pub trait Observer: Send {
    /// Threads computed a value: the result of an instruction, a phi included, in dynamic instances of which those with equal
    /// keys are converged. `threads` are numbered through the launch.
    fn defined(&mut self, value: Definition<'_>);

    /// Threads come to a terminator with a choice; `condition` is the operand that decides, and its `inst` the terminator.
    fn branched(&mut self, condition: Definition<'_>) {
        let _ = condition;
    }

    /// Whether [`defined`](Observer::defined) and [`branched`](Observer::branched) are to be called.
    fn wants_values(&self) -> bool {
        true
    }

    /// Threads came to a block, in dynamic instances that are converged.
    fn reached(&mut self, block: Reached<'_>) {
        let _ = block;
    }

    /// Threads passed the marker of a statement, in a program that runs by the rules of its statements.
    fn marked(&mut self, marker: Marked<'_>) {
        let _ = marker;
    }

    /// Threads executed an operation in which threads communicate, or, where nobody waits for others, some of those who do.
    fn executed(&mut self, execution: Execution<'_>) {
        let _ = execution;
    }

    /// Threads entered a block of an activation. Keys of activations are equal iff these are converged.
    fn entered(&mut self, function: FunctionId, activation: u64, block: Block, threads: &[u64]) {
        let _ = (function, activation, block, threads);
    }
}

/// A value that threads computed in converged instances.
#[derive(Debug)]
pub struct Definition<'d> {
    /// The function.
    pub function: FunctionId,
    /// The instruction.
    pub inst: Inst,
    /// The instance key. Threads of different workgroups count as having begun the kernel together: where those are not to be
    /// converged, look at the workgroup, too.
    pub key: u64,
    /// The workgroup.
    pub workgroup: u64,
    /// The number of the thread of lane 0, in the launch.
    pub first_thread: u64,
    /// The lanes.
    pub lanes: Mask,
    /// The components.
    pub slots: &'d [Slot],
}

/// Converged dynamic instances of a block.
#[derive(Debug)]
pub struct Reached<'d> {
    /// The function.
    pub function: FunctionId,
    /// The block.
    pub block: Block,
    /// Equal for instances that are converged, in one workgroup.
    pub key: u64,
    /// The workgroup.
    pub workgroup: u64,
    /// The threads, numbered through the launch, ascending.
    pub threads: &'d [u64],
}

/// Converged dynamic instances of a statement or a full expression.
#[derive(Debug)]
pub struct Marked<'d> {
    /// The function.
    pub function: FunctionId,
    /// Its marker.
    pub inst: Inst,
    /// Equal for instances that are converged, in one workgroup, and for no operation.
    pub key: u64,
    /// The workgroup.
    pub workgroup: u64,
    /// The threads, numbered through the launch, ascending.
    pub threads: &'d [u64],
}

/// An execution of an operation.
#[derive(Debug)]
pub struct Execution<'d> {
    /// Equal for threads that execute it together, in one workgroup, and for no block.
    pub key: u64,
    /// The workgroup.
    pub workgroup: u64,
    /// The threads, numbered through the launch, ascending.
    pub threads: &'d [u64],
    /// Its number among the [events](crate::launch::Outcome::events) of the workgroup, if it is kept.
    pub event: Option<usize>,
}

/// Tells keys of blocks apart from those of their first operations.
const BLOCK: u64 = 0x626c_6f63;
/// Tells keys of markers apart from those of the operations that they are where they are shown.
const MARKER: u64 = 0x6d61_726b;

impl Workgroup<'_> {
    /// Tells the observer of the phis of a block, and of the block.
    pub(super) fn observe_block(&mut self, wave: usize, fragment: &Fragment) {
        let code = self.code(wave, fragment.frame);
        let threads = self.threads(wave, fragment.mask);
        let activation = self.waves[wave].frames[fragment.frame as usize].key;
        if let Some(observer) = &mut self.observer {
            observer.entered(code.id, activation, Block::from_u32(fragment.block), &threads);
        }
        let (function, block, workgroup) = (code.id, Block::from_u32(fragment.block), self.number);
        for (lanes, key) in self.instance_keys(wave, fragment, code.blocks[fragment.block as usize], None) {
            let (key, threads) = (mix(key, BLOCK), self.threads(wave, lanes));
            if let Some(observer) = &mut self.observer {
                observer.reached(Reached { function, block, key, workgroup, threads: &threads });
            }
        }
        for &(inst, registers) in &code.phis[fragment.block as usize] {
            self.observe(wave, fragment, code.blocks[fragment.block as usize], inst, registers.range());
        }
    }

    /// Tells the observer of a marker that threads have just passed.
    pub(super) fn observe_marker(&mut self, wave: usize, fragment: &Fragment, token: Option<TokenUse>) {
        if self.observer.is_none() {
            return;
        }
        let code = self.code(wave, fragment.frame);
        let (function, inst, workgroup) = (code.id, code.insts[fragment.op as usize], self.number);
        for (lanes, key) in self.instance_keys(wave, fragment, fragment.op, token) {
            let (key, threads) = (mix(key, MARKER), self.threads(wave, lanes));
            if let Some(observer) = &mut self.observer {
                observer.marked(Marked { function, inst, key, workgroup, threads: &threads });
            }
        }
    }

    /// Tells the observer what decides a branch.
    pub(super) fn observe_branch(&mut self, wave: usize, fragment: &Fragment, condition: Operand) {
        if !self.wants_values() {
            return;
        }
        let slots = self.operand(wave, fragment.frame, condition).to_vec();
        let inst = self.code(wave, fragment.frame).insts[fragment.op as usize];
        self.tell(wave, fragment, fragment.op, inst, None, |observer, definition| {
            observer.branched(Definition { slots: &slots, ..definition });
        });
    }

    fn wants_values(&self) -> bool {
        self.observer.as_ref().is_some_and(|observer| observer.wants_values())
    }

    /// Tells the observer of a result in registers.
    pub(super) fn observe(
        &mut self,
        wave: usize,
        fragment: &Fragment,
        op: u32,
        inst: Inst,
        registers: std::ops::Range<usize>,
    ) {
        if !self.wants_values() {
            return;
        }
        let code = self.code(wave, fragment.frame);
        if code.is_part_of_assembly(self.program.module, op) {
            return;
        }
        let token = code.ops[op as usize].token().filter(|_| !code.is_phi(inst));
        let slots = self.waves[wave].frames[fragment.frame as usize].registers[registers].to_vec();
        self.tell(wave, fragment, op, inst, token, |observer, definition| {
            observer.defined(Definition { slots: &slots, ..definition });
        });
    }

    /// Tells the observer something of each set of converged instances.
    fn tell(
        &mut self,
        wave: usize,
        fragment: &Fragment,
        op: u32,
        inst: Inst,
        token: Option<TokenUse>,
        mut what: impl FnMut(&mut dyn Observer, Definition<'_>),
    ) {
        let code = self.code(wave, fragment.frame);
        let first_thread = self.number * self.bound.shape.threads() + u64::from(self.waves[wave].first);
        let parts = self.instance_keys(wave, fragment, op, token);
        let Some(observer) = &mut self.observer else { return };
        for (lanes, key) in parts {
            // A phi is another static instance than the first operation of its block.
            let key = mix(key, u64::from(inst.as_u32()));
            let (function, workgroup) = (code.id, self.number);
            what(&mut **observer, Definition { function, inst, key, workgroup, first_thread, lanes, slots: &[] });
        }
    }
}

/// The lanes in which all components are known.
pub fn determinate_lanes(slots: &[Slot], lanes: Mask) -> Mask {
    lanes & !slots.iter().fold(0, |mask, slot| mask | slot.indeterminate_lanes())
}

/// Lanes with equal values.
pub fn equal_lanes(slots: &[Slot], lanes: Mask) -> Vec<Mask> {
    let mut parts = vec![lanes];
    for slot in slots {
        parts =
            parts.into_iter().flat_map(|part| split_by(part, |lane| slot.bits[lane])).map(|(part, _)| part).collect();
    }
    parts.retain(|&part| lanes_of(part).next().is_some());
    parts
}
