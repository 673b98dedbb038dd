//! Calls, returns, and the end of threads.

use cranelift_entity::EntityRef;
use reconverge_findings::run::{Limit, What};

use super::compute::unknown;
use super::frame::{Caller, Fragment, Waits};
use super::log::Waiting;
use super::meeting::split_by;
use super::workgroup::{Stopped, Workgroup};
use crate::memory;
use crate::operations::Stop;
use crate::program::code::{Callee, CodeId, Operand, Registers};
use crate::program::flow::mix;
use crate::value::{Mask, Slot, lanes_of};

impl Workgroup<'_> {
    /// Whom the lanes of a fragment call.
    pub(super) fn callees(
        &mut self,
        wave: usize,
        fragment: &Fragment,
        callee: &Callee,
    ) -> Result<Vec<(Mask, CodeId)>, Stopped> {
        let address = match callee {
            Callee::Direct(id) => return Ok(vec![(fragment.mask, *id)]),
            Callee::Indirect { address, .. } => *address,
        };
        let slot = self.operand(wave, fragment.frame, address)[0].clone();
        let strange = unknown(std::slice::from_ref(&slot)) & fragment.mask;
        if strange != 0 {
            self.report(wave, fragment, strange, What::UnknownAddress);
            return Err(Stopped);
        }
        let mut parts = Vec::new();
        for (mask, address) in split_by(fragment.mask, |lane| slot.bits[lane]) {
            let function = memory::Address(address).as_function().map(|index| EntityRef::new(index as usize));
            match function.and_then(|function| self.program.by_function.get(&function)) {
                Some(&id) if self.takes(id, wave, fragment) => {
                    parts.push((mask, id));
                }
                _ => {
                    self.report(wave, fragment, mask, What::NoFunction);
                    return Err(Stopped);
                }
            }
        }
        // One callee at a time: the others come again.
        for (mask, _) in parts.drain(1..) {
            self.waves[wave].fragments.push(Fragment { mask, ..fragment.clone() });
        }
        Ok(parts)
    }

    /// Whether a function has as many parameters, of as many registers each, as a call passes.
    fn takes(&self, id: CodeId, wave: usize, fragment: &Fragment) -> bool {
        let arguments = self.code(wave, fragment.frame).ops[fragment.op as usize].arguments();
        let parameters = &self.program.codes[id].parameters;
        let fits = |(parameter, argument): (&Registers, &Operand)| parameter.count == argument.count;
        parameters.len() == arguments.len() && parameters.iter().zip(arguments).all(fits)
    }

    /// Lets the lanes of a fragment, which execute converged instances of a call, enter a function.
    pub(super) fn enter(
        &mut self,
        wave: usize,
        fragment: Fragment,
        id: CodeId,
        key: u64,
        arguments: &[Operand],
        out: Registers,
    ) -> Result<Fragment, Stopped> {
        let code = &self.program.codes[id];
        let key = mix(key, u64::from(id.as_u32()));
        if self.recorder.is_some() {
            self.record_activation(wave, fragment.frame, fragment.op, fragment.mask, key);
        }
        let values: Vec<Slot> =
            arguments.iter().flat_map(|&argument| self.operand(wave, fragment.frame, argument)).cloned().collect();
        let context = self.bound.flows[id].enter();
        let frame = match self.waves[wave].activation(fragment.frame, key) {
            Some(frame) => frame,
            None => {
                let caller = Caller {
                    frame: fragment.frame,
                    block: fragment.block,
                    op: fragment.op,
                    context: fragment.context.clone(),
                    positions: Vec::new(),
                    out,
                };
                let frame = self.waves[wave].enter(id, code, Some(caller), key, 0);
                if self.waves[wave].frames[frame as usize].depth as usize > self.bound.limits.calls {
                    self.report(wave, &fragment, fragment.mask, Limit::Calls(self.bound.limits.calls));
                    return Err(Stopped);
                }
                // A frame that is over keeps its room for the next one.
                self.call_bytes += code.registers as usize * std::mem::size_of::<Slot>();
                if self.call_bytes > self.bound.limits.call_bytes && !self.count_call_bytes() {
                    self.report(wave, &fragment, fragment.mask, Limit::CallBytes(self.bound.limits.call_bytes));
                    return Err(Stopped);
                }
                frame
            }
        };
        let stack = self.memory.stack_pointers(wave);
        let entered = &mut self.waves[wave].frames[frame as usize];
        entered.lanes |= fragment.mask;
        if let (Some(caller), Some(position)) = (&mut entered.caller, fragment.context.position) {
            caller.positions.push((fragment.mask, position));
        }
        for lane in lanes_of(fragment.mask) {
            entered.stack[lane] = stack[lane];
        }
        let mut values = values.iter();
        for registers in &code.parameters {
            for (register, value) in entered.registers[registers.range()].iter_mut().zip(values.by_ref()) {
                register.merge(value, fragment.mask);
            }
        }
        let fragment = Fragment { frame, block: 0, op: code.blocks[0], context, ..fragment };
        if self.observer.is_some() {
            self.observe_block(wave, &fragment);
        }
        Ok(fragment)
    }

    /// Counts the registers of all frames; says whether there may be so many.
    fn count_call_bytes(&mut self) -> bool {
        let frames = self.waves.iter().flat_map(|wave| &wave.frames);
        let registers: usize = frames.map(|frame| frame.registers.capacity()).sum();
        self.call_bytes = registers * std::mem::size_of::<Slot>();
        self.call_bytes <= self.bound.limits.call_bytes
    }

    /// Returns from a function; nothing if it is the kernel.
    pub(super) fn leave(&mut self, wave: usize, fragment: Fragment, value: Operand) -> Option<Fragment> {
        let values: Vec<Slot> = self.operand(wave, fragment.frame, value).to_vec();
        let frame = &self.waves[wave].frames[fragment.frame as usize];
        let Some(caller) = frame.caller.clone() else {
            if self.recorder.is_some() {
                self.record_return(wave, fragment.mask, &values);
            }
            self.waves[wave].leave(fragment.frame, fragment.mask);
            self.note_end(wave, fragment.mask);
            return None;
        };
        let stack = frame.stack.clone();
        self.memory.release_private(wave, fragment.mask, &stack);
        if let Some(caller) = &mut self.waves[wave].frames[fragment.frame as usize].caller {
            caller.positions.retain_mut(|(lanes, _)| {
                *lanes &= !fragment.mask;
                *lanes != 0
            });
        }
        self.waves[wave].leave(fragment.frame, fragment.mask);
        let below = &mut self.waves[wave].frames[caller.frame as usize];
        for (register, value) in below.registers[caller.out.range()].iter_mut().zip(&values) {
            register.merge(value, fragment.mask);
        }
        let Caller { frame, block, op, context, positions, .. } = caller;
        let next = Fragment { frame, block, op, context, ..fragment };
        if self.observer.is_some() && caller.out.count > 0 {
            let inst = self.code(wave, next.frame).insts[op as usize];
            self.observe(wave, &next, op, inst, caller.out.range());
        }
        let mut next = Fragment { op: op + 1, ..next };
        for (lanes, position) in positions {
            let part = lanes & next.mask;
            if part == next.mask {
                next.context.position = Some(position);
            } else if part != 0 {
                next.mask &= !part;
                let mut part = Fragment { mask: part, ..next.clone() };
                part.context.position = Some(position);
                self.place(wave, part);
            }
        }
        Some(next)
    }

    /// Ends threads wherever they are.
    pub(super) fn end(&mut self, wave: usize, fragment: &Fragment, stop: Stop) {
        if stop != Stop::Exit {
            self.report(
                wave,
                fragment,
                fragment.mask,
                if stop == Stop::Assertion { What::Assertion } else { What::Trap },
            );
        }
        let mut frame = Some(fragment.frame);
        while let Some(index) = frame {
            let below = self.waves[wave].frames[index as usize].caller.as_ref().map(|caller| caller.frame);
            self.waves[wave].leave(index, fragment.mask);
            frame = below;
        }
        self.note_end(wave, fragment.mask);
    }

    /// Lanes have come to their end.
    fn note_end(&mut self, wave: usize, lanes: Mask) {
        self.waves[wave].lanes &= !lanes;
        if self.log.keeps() {
            let threads = self.threads(wave, lanes);
            self.log.end(threads);
        }
    }

    /// Keeps who waits, in place of what was kept of that.
    pub(super) fn note_waiting(&mut self) {
        let mut all: Vec<Waiting> = Vec::new();
        for (wave, data) in self.waves.iter().enumerate() {
            for fragment in &data.fragments {
                let Some(Waits { since, .. }) = fragment.waits else { continue };
                let (code, op) = (data.frames[fragment.frame as usize].code, fragment.op);
                let threads = self.threads(wave, fragment.mask);
                match all.iter_mut().find(|known| (known.code, known.op, known.since) == (code, op, since)) {
                    Some(known) => known.threads.extend(threads),
                    None => all.push(Waiting { code, op, threads, since }),
                }
            }
        }
        all.iter_mut().for_each(|waiting| waiting.threads.sort_unstable());
        all.sort_by(|a, b| a.threads.cmp(&b.threads));
        self.log.record.waiting = all;
    }
}
