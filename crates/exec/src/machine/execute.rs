//! Running a fragment: from operation to operation, and along edges.

use super::compute::{Active, compute, unknown};
use super::frame::{Fragment, FrameIndex};
use super::meeting::split_by;
use super::workgroup::{Stopped, Workgroup};
use crate::arithmetic;
use crate::program::code::{Op, Operand};
use crate::value::{Mask, Slot};
use reconverge_findings::run::What;

/// The edge of a thread whose `indirectbr` leads nowhere.
const NO_EDGE: u64 = u64::MAX;

impl Workgroup<'_> {
    /// Runs a fragment for so many blocks, or until it waits, splits or ends.
    pub(super) fn advance(&mut self, wave: usize, mut fragment: Fragment, mut blocks: u32) -> Result<(), Stopped> {
        loop {
            let frame = fragment.frame;
            let code = self.code(wave, frame);
            let whole = self.waves[wave].frames[frame as usize].lanes == fragment.mask;
            let active = Active::new(fragment.mask, whole);
            // Simple operations are counted together with the next other one, or with one that asks.
            let mut counted = fragment.op;
            loop {
                let at = fragment.op;
                let op = &code.ops[at as usize];
                if !op.is_simple() {
                    let own = u32::from(!matches!(op, Op::Continue { .. } | Op::Needed { .. }));
                    self.count(&active, at + own - counted);
                    counted = at + 1;
                }
                match op {
                    Op::Jump { edge } | Op::Continue { edge } => self.follow(wave, &mut fragment, *edge),
                    Op::Branch { condition, then, otherwise } => {
                        if self.observer.is_some() {
                            self.observe_branch(wave, &fragment, *condition);
                        }
                        let slot = &self.operand(wave, frame, *condition)[0];
                        let mut taken = arithmetic::nonzero_lanes(&slot.bits) & fragment.mask;
                        let strange = unknown(std::slice::from_ref(slot)) & fragment.mask;
                        if strange != 0 {
                            taken &= !strange;
                            self.report(wave, &fragment, strange, What::UnknownBranch);
                        }
                        if taken == fragment.mask {
                            self.follow(wave, &mut fragment, *then);
                        } else if taken == 0 {
                            self.follow(wave, &mut fragment, *otherwise);
                        } else {
                            let mut other = Fragment { mask: fragment.mask & !taken, ..fragment.clone() };
                            fragment.mask = taken;
                            self.follow(wave, &mut fragment, *then);
                            self.follow(wave, &mut other, *otherwise);
                            self.place(wave, fragment);
                            self.place(wave, other);
                            return Ok(());
                        }
                    }
                    Op::Switch { value, cases, default } => {
                        if self.observer.is_some() {
                            self.observe_branch(wave, &fragment, *value);
                        }
                        let constants = &code.constants;
                        let slots = self.operand(wave, frame, *value);
                        let strange = unknown(slots) & fragment.mask;
                        let edge_of = |lane: usize| {
                            let is = |case: &Operand| {
                                case.of(&[], constants)
                                    .iter()
                                    .zip(slots)
                                    .all(|(case, slot)| case.bits[lane] == slot.bits[lane])
                            };
                            let found = cases.iter().find(|(case, _)| is(case)).filter(|_| strange >> lane & 1 == 0);
                            found.map(|&(_, edge)| edge).or(*default).map_or(NO_EDGE, u64::from)
                        };
                        let parts = split_by(fragment.mask, edge_of);
                        if strange != 0 {
                            self.report(wave, &fragment, strange, What::UnknownBranch);
                        }
                        if let [(_, edge)] = parts[..]
                            && edge != NO_EDGE
                        {
                            self.follow(wave, &mut fragment, edge as u32);
                        } else {
                            for (mask, edge) in parts {
                                let mut part = Fragment { mask, ..fragment.clone() };
                                if edge == NO_EDGE {
                                    self.leads_nowhere(wave, &part, mask & !strange);
                                    continue;
                                }
                                self.follow(wave, &mut part, edge as u32);
                                self.place(wave, part);
                            }
                            return Ok(());
                        }
                    }
                    Op::Return { .. } | Op::Throw { .. } => {
                        let next = match op {
                            Op::Return { value } => self.leave(wave, fragment, *value),
                            _ => self.throw(wave, fragment, op),
                        };
                        let Some(next) = next else { return Ok(()) };
                        fragment = next;
                        if self.waves[wave].fragments.is_empty() && blocks > 1 && !self.spent.reaches(self.budget) {
                            blocks -= 1;
                            break;
                        }
                        self.place(wave, fragment);
                        return Ok(());
                    }
                    Op::Needed { operands, of } => {
                        for (what, operand) in operands {
                            let strange = unknown(self.operand(wave, frame, *operand)) & fragment.mask;
                            if strange != 0 {
                                let there = Fragment { op: at.saturating_add_signed(*of), ..fragment.clone() };
                                self.report(wave, &there, strange, What::Noundef(*what));
                            }
                        }
                        fragment.op += 1;
                    }
                    Op::Land { .. } | Op::Catch { .. } => {
                        for part in self.land(wave, &fragment, op) {
                            self.place(wave, part);
                        }
                        return Ok(());
                    }
                    Op::Call { callee, arguments, out, .. } => {
                        let parts = self.callees(wave, &fragment, callee)?;
                        let token = op.token();
                        let mut entered = Vec::new();
                        for (mask, id) in parts {
                            let part = Fragment { mask, ..fragment.clone() };
                            for (mask, key) in self.instance_keys(wave, &part, at, token) {
                                let part = Fragment { mask, ..fragment.clone() };
                                entered.push(self.enter(wave, part, id, key, arguments, *out)?);
                            }
                        }
                        if self.waves[wave].fragments.is_empty()
                            && entered.len() == 1
                            && !self.spent.reaches(self.budget)
                        {
                            fragment = entered.remove(0);
                            break;
                        }
                        for part in entered {
                            self.place(wave, part);
                        }
                        return Ok(());
                    }
                    Op::Stop { stop } => {
                        self.end(wave, &fragment, *stop);
                        return Ok(());
                    }
                    Op::Unreachable => {
                        self.report(wave, &fragment, fragment.mask, What::Unreachable);
                        self.end(wave, &fragment, crate::operations::Stop::Exit);
                        return Ok(());
                    }
                    Op::Barrier { barrier, token, .. } => {
                        self.check_numbers(wave, &fragment)?;
                        if barrier.phase == crate::operations::Phase::Arrive {
                            if self.recorder.is_some() {
                                self.record_arrival(wave, &fragment);
                            }
                            self.arrive(wave, &fragment);
                            fragment.op += 1;
                            continue;
                        }
                        if barrier.count.is_none() {
                            self.wait(wave, fragment, *token, barrier.mask);
                            return Ok(());
                        }
                        // Subgroups come one by one: some may go on without others.
                        for group in self.subgroups(fragment.mask) {
                            let part = Fragment { mask: fragment.mask & group, ..fragment.clone() };
                            self.wait(wave, part, *token, barrier.mask);
                        }
                        return Ok(());
                    }
                    Op::Crosslane { operation, token, .. } => {
                        self.wait(wave, fragment, *token, operation.mask);
                        return Ok(());
                    }
                    Op::GroupCopy { token, .. } => {
                        self.wait(wave, fragment, *token, None);
                        return Ok(());
                    }
                    Op::Declared { returns, token, out, .. } => {
                        let constants = &code.constants;
                        let (registers, scratch) = self.registers(wave, frame);
                        compute(registers, constants, scratch, &active, *out, |view, out| {
                            if returns.count as usize == out.len() && !out.is_empty() {
                                out.clone_from_slice(view.of(*returns));
                            } else {
                                out.fill(Slot { poison: Mask::MAX, ..Slot::default() });
                            }
                        });
                        self.pass(wave, &fragment, *token);
                        if self.halt {
                            return Err(Stopped);
                        }
                        fragment.op += 1;
                    }
                    Op::Marker { function, node, token } => {
                        let mut parts = self.pass_marker(wave, fragment, *function, *node);
                        parts.iter().for_each(|part| self.observe_marker(wave, part, *token));
                        if self.shows_markers() {
                            parts.iter().for_each(|part| self.pass(wave, part, *token));
                        }
                        if self.halt {
                            return Err(Stopped);
                        }
                        parts.iter_mut().for_each(|part| part.op += 1);
                        match parts.pop() {
                            Some(only) if parts.is_empty() => fragment = only,
                            last => {
                                parts.into_iter().chain(last).for_each(|part| self.place(wave, part));
                                return Ok(());
                            }
                        }
                    }
                    Op::Entry { .. } | Op::Anchor { .. } | Op::Heart { .. } => {
                        self.define_token(wave, &fragment, code, op);
                        fragment.op += 1;
                    }
                    _ => {
                        if matches!(op, Op::Clock { .. }) {
                            self.count(&active, at + 1 - counted);
                            counted = at + 1;
                        }
                        self.simple(wave, &fragment, &active, code, op);
                        if self.observer.is_some()
                            && let Some(out) = op.out()
                        {
                            self.observe(wave, &fragment, at, code.insts[at as usize], out.range());
                        }
                        if self.halt {
                            self.count(&active, at + 1 - counted);
                            return Err(Stopped);
                        }
                        fragment.op += 1;
                        continue;
                    }
                }
                // Behind an operation that is not simple; a block ends only with a terminator.
                if matches!(op, Op::Jump { .. } | Op::Continue { .. } | Op::Branch { .. } | Op::Switch { .. }) {
                    counted = fragment.op;
                    blocks -= 1;
                    if blocks == 0 || self.spent.reaches(self.budget) {
                        self.place(wave, fragment);
                        return Ok(());
                    }
                }
            }
        }
    }

    /// Ends threads whose `indirectbr` leads to none of its blocks; `known` are those whose address is not poison.
    fn leads_nowhere(&mut self, wave: usize, fragment: &Fragment, known: Mask) {
        if known != 0 {
            self.report(wave, fragment, known, What::NoBlock);
        }
        self.end(wave, fragment, crate::operations::Stop::Exit);
    }

    /// Counts so many operations that threads execute together.
    fn count(&mut self, active: &Active, operations: u32) {
        self.spent.steps += u64::from(operations);
        self.spent.instructions += u64::from(operations) * u64::from(active.mask.count_ones());
    }

    pub(super) fn operand(&self, wave: usize, frame: FrameIndex, operand: Operand) -> &[Slot] {
        operand.of(&self.waves[wave].frames[frame as usize].registers, &self.code(wave, frame).constants)
    }

    /// The registers of a frame, and slots to compute in.
    pub(super) fn registers(&mut self, wave: usize, frame: FrameIndex) -> (&mut [Slot], &mut Vec<Slot>) {
        (&mut self.waves[wave].frames[frame as usize].registers, &mut self.scratch)
    }
}
