//! Threads that throw: out of activations, and on at a pad. What matches is defined in [`exceptions`](crate::program::exceptions).

use reconverge_findings::run::What;

use super::frame::Fragment;
use super::workgroup::Workgroup;
use crate::operations::Stop;
use crate::program::code::{Clause, Code, EdgeIndex, Op};
use crate::program::exceptions::CATCH_ALL;
use crate::value::{Mask, Slot, lanes_of};

impl<'r> Workgroup<'r> {
    /// Throws; where the threads of a fragment go on, if anywhere.
    pub(super) fn throw(&mut self, wave: usize, fragment: Fragment, op: &Op) -> Option<Fragment> {
        let Op::Throw { exception, of_type, unwind } = op else { return Some(fragment) };
        let bits = |operand| self.operand(wave, fragment.frame, operand)[0].bits;
        let (exception, of_type) = (bits(*exception), of_type.map(bits));
        let exceptions = &mut self.waves[wave].exceptions;
        for lane in lanes_of(fragment.mask) {
            exceptions.thrown.insert(lane, exception[lane]);
            if let Some(of_type) = &of_type {
                exceptions.types.insert((lane, exception[lane]), of_type[lane]);
            }
        }
        // What is known of exceptions is in no state that `spin` compares.
        self.spinning.change();
        self.unwind(wave, fragment, *unwind)
    }

    /// Takes threads that throw to the next pad: in their function, or in the next one that called by `invoke`.
    fn unwind(&mut self, wave: usize, fragment: Fragment, pad: Option<EdgeIndex>) -> Option<Fragment> {
        let (mut next, mut pad) = (fragment.clone(), pad);
        let mut left = Vec::new();
        let pad = loop {
            if let Some(pad) = pad {
                break pad;
            }
            left.push(next.frame);
            let Some(caller) = self.waves[wave].frames[next.frame as usize].caller.clone() else {
                self.report(wave, &fragment, fragment.mask, What::Uncaught);
                self.end(wave, &fragment, Stop::Exit);
                return None;
            };
            next.frame = caller.frame;
            (next.block, next.op, next.context) = (caller.block, caller.op, caller.context);
            pad = match &self.code(wave, next.frame).ops[next.op as usize] {
                Op::Call { unwind, .. } => *unwind,
                _ => None,
            };
        };
        for frame in left {
            self.waves[wave].leave(frame, fragment.mask);
        }
        self.follow(wave, &mut next, pad);
        Some(next)
    }

    /// Where the threads of a fragment go on that have come to a pad.
    pub(super) fn land(&mut self, wave: usize, fragment: &Fragment, op: &'r Op) -> Vec<Fragment> {
        let code = self.code(wave, fragment.frame);
        let Some(out) = op.out() else { return Vec::new() };
        let mut exception = Slot::default();
        let mut selectors = Slot::default();
        // Where threads go, by the edge: none to go on behind the pad. Those that are left unwind further.
        let mut parts: Vec<(Option<EdgeIndex>, Mask)> = Vec::new();
        let mut further = 0;
        for lane in lanes_of(fragment.mask) {
            let exceptions = &mut self.waves[wave].exceptions;
            let thrown = exceptions.thrown.remove(&lane).unwrap_or_default();
            let of_type = exceptions.types.get(&(lane, thrown)).copied();
            exception.bits[lane] = thrown;
            let edge = match op {
                Op::Land { clauses, cleanup, .. } => {
                    let selector = clauses.iter().find_map(|clause| selector(code, clause, of_type));
                    selectors.bits[lane] = selector.unwrap_or_default();
                    (selector.is_some() || *cleanup).then_some(None)
                }
                Op::Catch { handlers, .. } => handlers
                    .iter()
                    .find(|(clause, _)| selector(code, clause, of_type).is_some())
                    .map(|part| Some(part.1)),
                _ => None,
            };
            match edge {
                None => {
                    self.waves[wave].exceptions.thrown.insert(lane, thrown);
                    further |= 1 << lane;
                }
                Some(edge) => match parts.iter_mut().find(|part| part.0 == edge) {
                    Some(part) => part.1 |= 1 << lane,
                    None => parts.push((edge, 1 << lane)),
                },
            }
        }
        let registers = &mut self.waves[wave].frames[fragment.frame as usize].registers[out.range()];
        for (register, value) in registers.iter_mut().zip([&exception, &selectors]) {
            register.merge(value, fragment.mask & !further);
        }
        if self.observer.is_some() {
            let landed = Fragment { mask: fragment.mask & !further, ..fragment.clone() };
            self.observe(wave, &landed, fragment.op, code.insts[fragment.op as usize], out.range());
        }
        let mut next = Vec::new();
        for (edge, mask) in parts {
            let mut part = Fragment { mask, ..fragment.clone() };
            match edge {
                Some(edge) => self.follow(wave, &mut part, edge),
                None => part.op += 1,
            }
            next.push(part);
        }
        if further != 0 {
            let pad = match op {
                Op::Catch { further, .. } => *further,
                _ => None,
            };
            next.extend(self.unwind(wave, Fragment { mask: further, ..fragment.clone() }, pad));
        }
        next
    }
}

/// The selector of an exception under a clause; nothing if it does not match.
fn selector(code: &Code, clause: &Clause, of_type: Option<u64>) -> Option<u64> {
    let is = |slot: &Slot| of_type == Some(slot.bits[0]);
    // The types of clauses are constants, the same in each lane.
    let types = |operand: crate::program::code::Operand| operand.of(&[], &code.constants);
    match clause {
        Clause::CatchAll => Some(u64::from(CATCH_ALL)),
        Clause::Catch { of_type, selector } => types(*of_type).iter().any(is).then_some(*selector),
        Clause::Filter(list) => (!types(*list).iter().any(is)).then_some(FILTERED),
    }
}

/// The selector of a `filter`, -1: there is no function that says which one it was.
const FILTERED: u64 = 0xffff_ffff;
