//! Executing operations for the lanes of a fragment.
//!
//! A result is computed for all lanes of the wave at once. When nobody else is in the frame it goes straight into its
//! registers; otherwise into scratch slots, of which the fragment's lanes are taken over.

use cranelift_entity::EntityRef;
use reconverge_ir::opcode::Opcode;

use super::findings::Trouble;
use super::frame::{Caller, Fragment, FrameIndex, TokenInstance};
use super::meeting::split_by;
use super::workgroup::{Stopped, Workgroup};
use crate::arithmetic;
use crate::memory::{self, Access, Synchronisation};
use crate::program::code::{Callee, Code, CodeId, Op, Operand, Registers, Term};
use crate::program::flow::mix;
use crate::value::{Lanes, Mask, Slot, WIDTH, lanes_of, low_bits};

/// The lanes that execute.
pub(super) struct Active {
    pub(super) mask: Mask,
    /// Nobody else is in the frame: its registers can be overwritten.
    whole: bool,
    /// All bits set where a lane is active.
    select: Lanes,
}

impl Active {
    pub(super) fn new(mask: Mask, whole: bool) -> Active {
        Active { mask, whole, select: std::array::from_fn(|lane| 0u64.wrapping_sub(mask >> lane & 1)) }
    }
}

/// The operands of an operation whose result is written in place.
pub(super) struct View<'v> {
    low: &'v [Slot],
    high: &'v [Slot],
    /// The number of the first register of `high`.
    start: usize,
    constants: &'v [Slot],
}

impl<'v> View<'v> {
    pub(super) fn of(&self, operand: Operand) -> &'v [Slot] {
        match operand.register() {
            Some(start) if start as usize >= self.start => {
                let start = start as usize - self.start;
                &self.high[start..start + operand.count as usize]
            }
            _ => operand.of(self.low, self.constants),
        }
    }

    fn one(&self, operand: Operand) -> &'v Slot {
        &self.of(operand)[0]
    }
}

/// Computes a result and puts it into its registers, for the active lanes.
pub(super) fn compute<R>(
    registers: &mut [Slot],
    constants: &[Slot],
    scratch: &mut Vec<Slot>,
    active: &Active,
    out: Registers,
    work: impl FnOnce(&View<'_>, &mut [Slot]) -> R,
) -> R {
    let range = out.range();
    if active.whole {
        let (low, rest) = registers.split_at_mut(range.start);
        let (target, high) = rest.split_at_mut(range.len());
        return work(&View { low, high, start: range.end, constants }, target);
    }
    let count = range.len();
    if scratch.len() < count {
        scratch.resize_with(count, Slot::default);
    }
    let view = View { low: registers, high: &[], start: usize::MAX, constants };
    let result = work(&view, &mut scratch[..count]);
    for (to, from) in registers[range].iter_mut().zip(&scratch[..count]) {
        for ((to, &from), &take) in to.bits.iter_mut().zip(&from.bits).zip(&active.select) {
            *to = *to & !take | from & take;
        }
        to.poison = to.poison & !active.mask | from.poison & active.mask;
        if to.undefined.is_some() || from.undefined.is_some() {
            let mut undefined = to.undefined.take().unwrap_or_else(|| Box::new([0; WIDTH]));
            for lane in lanes_of(active.mask) {
                undefined[lane] = from.undefined_bits(lane);
            }
            to.undefined = undefined.iter().any(|&bits| bits != 0).then_some(undefined);
        }
    }
    result
}

/// Lanes of an operand whose value is not known.
pub(super) fn unknown(slots: &[Slot]) -> Mask {
    slots
        .iter()
        .fold(0, |mask, slot| mask | if slot.undefined.is_some() { slot.indeterminate_lanes() } else { slot.poison })
}

impl<'r> Workgroup<'r> {
    /// Runs a fragment for so many blocks, or until it waits, splits or ends.
    pub(super) fn advance(&mut self, wave: usize, mut fragment: Fragment, mut blocks: u32) -> Result<(), Stopped> {
        loop {
            let frame = fragment.frame;
            let code = self.code(wave, frame);
            let whole = self.waves[wave].frames[frame as usize].lanes == fragment.mask;
            let active = Active::new(fragment.mask, whole);
            let threads = u64::from(fragment.mask.count_ones());
            loop {
                let at = fragment.op;
                let op = &code.ops[at as usize];
                self.executed += threads;
                match op {
                    Op::Jump { edge } => self.follow(wave, &mut fragment, *edge),
                    Op::Branch { condition, then, otherwise } => {
                        if self.observer.is_some() {
                            self.observe_branch(wave, &fragment, *condition);
                        }
                        let slot = &self.operand(wave, frame, *condition)[0];
                        let mut taken = arithmetic::nonzero_lanes(&slot.bits) & fragment.mask;
                        let strange = unknown(std::slice::from_ref(slot)) & fragment.mask;
                        if strange != 0 {
                            taken &= !strange;
                            self.report(wave, &fragment, strange, Trouble::UnknownBranch);
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
                            u64::from(found.map_or(*default, |&(_, edge)| edge))
                        };
                        let parts = split_by(fragment.mask, edge_of);
                        if strange != 0 {
                            self.report(wave, &fragment, strange, Trouble::UnknownBranch);
                        }
                        if let [(_, edge)] = parts[..] {
                            self.follow(wave, &mut fragment, edge as u32);
                        } else {
                            for (mask, edge) in parts {
                                let mut part = Fragment { mask, ..fragment.clone() };
                                self.follow(wave, &mut part, edge as u32);
                                self.place(wave, part);
                            }
                            return Ok(());
                        }
                    }
                    Op::Return { value } => {
                        let Some(next) = self.leave(wave, fragment, *value) else { return Ok(()) };
                        fragment = next;
                        if self.waves[wave].fragments.is_empty() && blocks > 1 {
                            blocks -= 1;
                            break;
                        }
                        self.place(wave, fragment);
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
                        if self.waves[wave].fragments.is_empty() && entered.len() == 1 {
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
                        self.report(wave, &fragment, fragment.mask, Trouble::Unreachable);
                        self.end(wave, &fragment, crate::operations::Stop::Exit);
                        return Ok(());
                    }
                    Op::Barrier { barrier, token, .. } => {
                        if barrier.phase == crate::operations::Phase::Arrive {
                            fragment.op += 1;
                            continue;
                        }
                        self.wait(wave, fragment, *token, barrier.mask);
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
                        fragment.op += 1;
                    }
                    Op::Entry { .. } | Op::Anchor { .. } | Op::Heart { .. } => {
                        self.define_token(wave, &fragment, code, op);
                        fragment.op += 1;
                    }
                    _ => {
                        self.simple(wave, &fragment, &active, code, op);
                        if self.observer.is_some()
                            && let Some(out) = op.out()
                        {
                            self.observe(wave, &fragment, at, code.insts[at as usize], out.range());
                        }
                        if self.halt {
                            return Err(Stopped);
                        }
                        fragment.op += 1;
                        continue;
                    }
                }
                // Behind an operation that is not simple; a block ends only with a terminator.
                if matches!(op, Op::Jump { .. } | Op::Branch { .. } | Op::Switch { .. }) {
                    blocks -= 1;
                    if blocks == 0 {
                        self.place(wave, fragment);
                        return Ok(());
                    }
                }
            }
        }
    }

    pub(super) fn operand(&self, wave: usize, frame: FrameIndex, operand: Operand) -> &[Slot] {
        operand.of(&self.waves[wave].frames[frame as usize].registers, &self.code(wave, frame).constants)
    }

    /// The registers of a frame, and slots to compute in.
    pub(super) fn registers(&mut self, wave: usize, frame: FrameIndex) -> (&mut [Slot], &mut Vec<Slot>) {
        (&mut self.waves[wave].frames[frame as usize].registers, &mut self.scratch)
    }

    /// Whom the lanes of a fragment call.
    fn callees(&mut self, wave: usize, fragment: &Fragment, callee: &Callee) -> Result<Vec<(Mask, CodeId)>, Stopped> {
        let address = match callee {
            Callee::Direct(id) => return Ok(vec![(fragment.mask, *id)]),
            Callee::Indirect(address) => *address,
        };
        let slot = self.operand(wave, fragment.frame, address)[0].clone();
        let strange = unknown(std::slice::from_ref(&slot)) & fragment.mask;
        if strange != 0 {
            self.report(wave, fragment, strange, Trouble::UnknownAddress);
            return Err(Stopped);
        }
        let mut parts = Vec::new();
        for (mask, address) in split_by(fragment.mask, |lane| slot.bits[lane]) {
            let function = memory::Address(address).as_function().map(|index| EntityRef::new(index as usize));
            match function.and_then(|function| self.program.by_function.get(&function)) {
                Some(&id) if self.program.codes[id].parameters.len() == self.arguments_of(wave, fragment) => {
                    parts.push((mask, id));
                }
                _ => {
                    self.report(wave, fragment, mask, Trouble::NoFunction);
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

    fn arguments_of(&self, wave: usize, fragment: &Fragment) -> usize {
        self.code(wave, fragment.frame).ops[fragment.op as usize].arguments().len()
    }

    /// Lets the lanes of a fragment, which execute converged instances of a call, enter a function.
    fn enter(
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
                    out,
                };
                let frame = self.waves[wave].enter(id, code, Some(caller), key, 0);
                if self.waves[wave].frames[frame as usize].depth > self.bound.limits.calls {
                    self.report(wave, &fragment, fragment.mask, Trouble::Depth(self.bound.limits.calls));
                    return Err(Stopped);
                }
                frame
            }
        };
        let stack = self.memory.stack_pointers(wave);
        let entered = &mut self.waves[wave].frames[frame as usize];
        entered.lanes |= fragment.mask;
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

    /// Returns from a function; nothing if it is the kernel.
    fn leave(&mut self, wave: usize, fragment: Fragment, value: Operand) -> Option<Fragment> {
        let values: Vec<Slot> = self.operand(wave, fragment.frame, value).to_vec();
        let frame = &self.waves[wave].frames[fragment.frame as usize];
        let Some(caller) = frame.caller.clone() else {
            self.waves[wave].leave(fragment.frame, fragment.mask);
            self.waves[wave].lanes &= !fragment.mask;
            return None;
        };
        let stack = frame.stack.clone();
        self.memory.release_private(wave, fragment.mask, &stack);
        self.waves[wave].leave(fragment.frame, fragment.mask);
        let below = &mut self.waves[wave].frames[caller.frame as usize];
        for (register, value) in below.registers[caller.out.range()].iter_mut().zip(&values) {
            register.merge(value, fragment.mask);
        }
        let next =
            Fragment { frame: caller.frame, block: caller.block, op: caller.op, context: caller.context, ..fragment };
        if self.observer.is_some() && caller.out.count > 0 {
            let inst = self.code(wave, next.frame).insts[caller.op as usize];
            self.observe(wave, &next, caller.op, inst, caller.out.range());
        }
        Some(Fragment { op: caller.op + 1, ..next })
    }

    /// Ends threads wherever they are.
    fn end(&mut self, wave: usize, fragment: &Fragment, stop: crate::operations::Stop) {
        if stop != crate::operations::Stop::Exit {
            self.report(wave, fragment, fragment.mask, Trouble::Stop(stop));
        }
        let mut frame = Some(fragment.frame);
        while let Some(index) = frame {
            let below = self.waves[wave].frames[index as usize].caller.as_ref().map(|caller| caller.frame);
            self.waves[wave].leave(index, fragment.mask);
            frame = below;
        }
        self.waves[wave].lanes &= !fragment.mask;
    }

    /// Executes a convergence control intrinsic.
    fn define_token(&mut self, wave: usize, fragment: &Fragment, code: &Code, op: &Op) {
        let (frame, at) = (fragment.frame, fragment.op);
        let Some(register) = code.token_register(at) else { return };
        let mut tokens: Vec<(usize, u64, TokenInstance)> = Vec::new();
        let instance = |parent, count, alone| TokenInstance { parent, count, context: fragment.context.clone(), alone };
        match op {
            Op::Heart { token, heart, .. } => {
                let data = &mut self.waves[wave].frames[frame as usize];
                let key = mix(data.key, u64::from(at));
                let hearts = &mut data.hearts[*heart as usize];
                let operand = &data.registers[token.token as usize];
                for lane in lanes_of(fragment.mask) {
                    let parent = operand.bits[lane];
                    let count = if hearts.token[lane] == parent { hearts.count[lane] + 1 } else { 1 };
                    (hearts.token[lane], hearts.count[lane]) = (parent, count);
                    tokens.push((lane, mix(mix(key, parent), count), instance(parent, count, false)));
                }
            }
            Op::Anchor { .. } => {
                for (mask, key) in self.instance_keys(wave, fragment, at, None) {
                    for lane in lanes_of(mask) {
                        let (token, alone) = self.anchor_key(key, wave, lane);
                        tokens.push((lane, token, instance(0, 0, alone)));
                    }
                }
            }
            _ => {
                let key = mix(self.waves[wave].frames[frame as usize].key, u64::from(at));
                tokens.extend(lanes_of(fragment.mask).map(|lane| (lane, key, instance(0, 0, false))));
            }
        }
        let mut last = None;
        for (lane, token, instance) in tokens {
            // Zero means that there is no token.
            let token = token.max(1);
            self.waves[wave].frames[frame as usize].registers[register as usize].bits[lane] = token;
            if last != Some(token) && self.is_controlled() {
                self.remember_token(wave, frame, token, instance);
                last = Some(token);
            }
        }
    }

    /// Executes an operation that concerns each thread alone.
    fn simple(&mut self, wave: usize, fragment: &Fragment, active: &Active, code: &'r Code, op: &Op) {
        let constants = &code.constants;
        let frame = fragment.frame as usize;
        let site = code.first_site + fragment.op;
        let Workgroup { waves, scratch, memory, bound, .. } = self;
        let registers = &mut waves[wave].frames[frame].registers[..];
        let mut write = |out: Registers, work: &mut dyn FnMut(&View<'_>, &mut [Slot]) -> Mask| -> Mask {
            compute(registers, constants, scratch, active, out, |view, out| work(view, out)) & active.mask
        };
        match op {
            Op::Binary { opcode, flags, scalar, a, b, out } => {
                let width = scalar.components();
                let wrong = write(*out, &mut |view, out| {
                    let (a, b) = (view.of(*a), view.of(*b));
                    if out.len() == width {
                        return arithmetic::binary(*opcode, *flags, *scalar, a, b, active.mask, out);
                    }
                    let parts = out.chunks_mut(width).zip(a.chunks(width)).zip(b.chunks(width));
                    parts.fold(0, |wrong, ((out, a), b)| {
                        wrong | arithmetic::binary(*opcode, *flags, *scalar, a, b, active.mask, out)
                    })
                });
                if wrong != 0 {
                    self.report(wave, fragment, wrong, Trouble::Arithmetic);
                }
            }
            Op::Negate { scalar, flags, a, out } => {
                write(*out, &mut |view, out| {
                    for (out, a) in out.iter_mut().zip(view.of(*a)) {
                        arithmetic::fneg(*flags, *scalar, a, out);
                    }
                    0
                });
            }
            Op::Compare { opcode, predicate, flags, scalar, a, b, out } => {
                let width = scalar.components();
                write(*out, &mut |view, out| {
                    let (a, b) = (view.of(*a).chunks(width), view.of(*b).chunks(width));
                    for ((out, a), b) in out.iter_mut().zip(a).zip(b) {
                        if *opcode == Opcode::ICmp {
                            arithmetic::icmp(*predicate, *flags, *scalar, a, b, out);
                        } else {
                            arithmetic::fcmp(*predicate, *flags, *scalar, &a[0], &b[0], out);
                        }
                    }
                    0
                });
            }
            Op::Select { shape, flags, condition, a, b, out } => {
                write(*out, &mut |view, out| {
                    let (conditions, a, b) = (view.of(*condition), view.of(*a), view.of(*b));
                    let mut first = 0;
                    for (index, scalar) in shape.iter().enumerate() {
                        let range = first..first + scalar.components();
                        first = range.end;
                        let condition = &conditions[index.min(conditions.len() - 1)];
                        arithmetic::select(
                            *flags,
                            *scalar,
                            condition,
                            &a[range.clone()],
                            &b[range.clone()],
                            &mut out[range],
                        );
                    }
                    0
                });
            }
            Op::Freeze { a, out } => {
                write(*out, &mut |view, out| {
                    for (out, a) in out.iter_mut().zip(view.of(*a)) {
                        arithmetic::freeze(a, out);
                    }
                    0
                });
            }
            Op::Cast { opcode, flags, from, to, a, out } => {
                write(*out, &mut |view, out| {
                    let parts = out.chunks_mut(to.components()).zip(view.of(*a).chunks(from.components()));
                    for (out, a) in parts {
                        arithmetic::cast(*opcode, *flags, *from, *to, a, out);
                    }
                    0
                });
            }
            Op::BitCast { from, to, a, out } => {
                write(*out, &mut |view, out| {
                    arithmetic::bitcast(from, to, view.of(*a), out);
                    0
                });
            }
            Op::ToInteger { bits, to, a, out } => {
                let global = memory.global();
                write(*out, &mut |view, out| {
                    for (out, a) in out.chunks_mut(to.components()).zip(view.of(*a)) {
                        out.iter_mut().for_each(|slot| *slot = Slot::default());
                        let keep = low_bits(to.bits());
                        for lane in lanes_of(active.mask) {
                            out[0].bits[lane] = global.to_integer(a.bits[lane], *bits) & keep;
                        }
                        keep_unknown(a, keep, out);
                    }
                    0
                });
            }
            Op::FromInteger { bits, from, a, out } => {
                let global = memory.global();
                write(*out, &mut |view, out| {
                    for (out, a) in out.iter_mut().zip(view.of(*a).chunks(from.components())) {
                        for lane in lanes_of(active.mask) {
                            out.bits[lane] = global.from_integer(a[0].bits[lane], *bits);
                        }
                        (out.poison, out.undefined) = (0, None);
                        keep_unknown(&a[0], u64::MAX, std::slice::from_mut(out));
                    }
                    0
                });
            }
            Op::IsIn { segment, a, out } => {
                write(*out, &mut |view, out| {
                    let a = view.one(*a);
                    for lane in lanes_of(active.mask) {
                        out[0].bits[lane] = u64::from(memory::Address(a.bits[lane]).segment() == Some(*segment));
                    }
                    (out[0].poison, out[0].undefined) = (0, None);
                    keep_unknown(a, 1, out);
                    0
                });
            }
            Op::Move { moves } => {
                let Some(out) = op.out() else { return };
                write(out, &mut |view, out| {
                    for (out, step) in out.iter_mut().zip(moves) {
                        out.clone_from(view.one(step.from));
                    }
                    0
                });
            }
            Op::Extract { vector, index, width, out } => {
                write(*out, &mut |view, out| {
                    let (vector, index) = (view.of(*vector), view.one(*index));
                    gather(vector, index, *width as usize, active.mask, out);
                    0
                });
            }
            Op::Insert { vector, element, index, width, out } => {
                write(*out, &mut |view, out| {
                    let (vector, element) = (view.of(*vector), view.of(*element));
                    scatter(vector, element, view.one(*index), *width as usize, active.mask, out);
                    0
                });
            }
            Op::Address { base, offset, terms, bits, out } => {
                write(*out, &mut |view, out| {
                    let base = view.of(*base);
                    for (element, out) in out.iter_mut().enumerate() {
                        address(view, &base[element.min(base.len() - 1)], *offset, terms, *bits, element, out);
                    }
                    0
                });
            }
            Op::Alloca { count, size, alignment, out } => {
                let slot = &count.of(registers, constants)[0];
                let most = lanes_of(active.mask).map(|lane| slot.bits[lane]).max().unwrap_or(0);
                let bytes = most.saturating_mul(*size);
                match memory.allocate_private(wave, active.mask, bytes, *alignment, site) {
                    Ok(place) => {
                        compute(registers, constants, scratch, active, *out, |_, out| out[0] = Slot::splat(place.0));
                    }
                    Err(lanes) => {
                        let limit = bound.limits.stack;
                        self.report(wave, fragment, lanes, Trouble::Stack(limit));
                        self.halt = true;
                    }
                }
            }
            Op::StackSave { out } => {
                let stack = memory.stack_pointers(wave);
                write(*out, &mut |_, out| {
                    out[0] = Slot { bits: stack, ..Slot::default() };
                    0
                });
            }
            Op::StackRestore { a } => {
                let stack = a.of(registers, constants)[0].bits;
                memory.release_private(wave, active.mask, &stack);
            }
            Op::Intrinsic { intrinsic, arguments, out } => {
                let wrong = write(*out, &mut |view, out| {
                    let arguments: smallvec::SmallVec<[&[Slot]; 4]> = arguments.iter().map(|&a| view.of(a)).collect();
                    intrinsic.apply(&arguments, active.mask, out)
                });
                if wrong != 0 {
                    self.report(wave, fragment, wrong, Trouble::Arithmetic);
                }
            }
            Op::Pure { builtin, arguments, out } => {
                write(*out, &mut |view, out| {
                    let arguments: smallvec::SmallVec<[&[Slot]; 4]> = arguments.iter().map(|&a| view.of(a)).collect();
                    builtin.apply(&arguments, active.mask, out);
                    0
                });
            }
            Op::Query { query, arguments, out } => {
                let place = self.wave_place(wave);
                let shape = &self.bound.shape;
                let Workgroup { waves, scratch, .. } = self;
                let registers = &mut waves[wave].frames[frame].registers[..];
                compute(registers, constants, scratch, active, *out, |view, out| {
                    let arguments: smallvec::SmallVec<[&[Slot]; 4]> = arguments.iter().map(|&a| view.of(a)).collect();
                    query.evaluate(shape, &place, &arguments, out);
                });
            }
            Op::LaunchData { data, out } => {
                let address = bound.data_address(*data);
                write(*out, &mut |_, out| {
                    out[0] = Slot::splat(address);
                    0
                });
            }
            Op::Clock { out } => {
                let now = self.executed;
                let Workgroup { waves, scratch, .. } = self;
                let registers = &mut waves[wave].frames[frame].registers[..];
                compute(registers, constants, scratch, active, *out, |_, out| {
                    out.iter_mut().for_each(|slot| *slot = Slot::default());
                    if let Some(first) = out.first_mut() {
                        *first = Slot::splat(now);
                    }
                });
            }
            Op::Nothing { out } => {
                write(*out, &mut |_, out| {
                    out.iter_mut().for_each(|slot| *slot = Slot::default());
                    0
                });
            }
            Op::Assume { condition } => {
                let slot = &condition.of(registers, constants)[0];
                let wrong = active.mask & !arithmetic::nonzero_lanes(&slot.bits) & !unknown(std::slice::from_ref(slot));
                if wrong != 0 {
                    self.report(wave, fragment, wrong, Trouble::Assumption);
                }
            }
            Op::Fence { ordering } => memory.fence(wave, active.mask, Synchronisation::of(*ordering)),
            Op::Load { address, layout, atomic, out } => {
                let access = atomic.map_or(Access::plain(site), |ordering| Access::atomic(site, ordering));
                self.load(wave, fragment, active, code, *address, layout, access, *out);
            }
            Op::Store { address, layout, atomic, value } => {
                let access = atomic.map_or(Access::plain(site), |ordering| Access::atomic(site, ordering));
                self.store(wave, fragment, active, code, *address, layout, access, *value);
            }
            _ => self.touch_memory(wave, fragment, active, code, op, site),
        }
    }
}

/// Carries over what is not known of an operand.
fn keep_unknown(a: &Slot, keep: u64, out: &mut [Slot]) {
    for slot in out.iter_mut() {
        slot.poison = a.poison;
    }
    if let (Some(undefined), Some(first)) = (&a.undefined, out.first_mut()) {
        let mut bits = undefined.clone();
        bits.iter_mut().for_each(|bits| *bits = if *bits == 0 { 0 } else { keep });
        for (value, &unknown) in first.bits.iter_mut().zip(bits.iter()) {
            *value &= !unknown;
        }
        first.undefined = Some(bits);
    }
}

/// Elements at computed places; poison beyond the end.
fn gather(vector: &[Slot], index: &Slot, width: usize, mask: Mask, out: &mut [Slot]) {
    let strange = index.indeterminate_lanes();
    for slot in out.iter_mut() {
        (slot.poison, slot.undefined) = (strange, None);
    }
    let length = vector.len() / width;
    for lane in lanes_of(mask & !strange) {
        let at = index.bits[lane] as usize;
        for (part, out) in out.iter_mut().enumerate() {
            if at < length && index.bits[lane] < length as u64 {
                let from = &vector[at * width + part];
                out.bits[lane] = from.bits[lane];
                out.poison |= from.poison & 1 << lane;
                let undefined = from.undefined_bits(lane);
                if undefined != 0 {
                    out.undefined.get_or_insert_with(|| Box::new([0; WIDTH]))[lane] = undefined;
                }
            } else {
                out.poison |= 1 << lane;
            }
        }
    }
}

/// A vector with elements at computed places exchanged; poison as a whole where the place is beyond the end.
fn scatter(vector: &[Slot], element: &[Slot], index: &Slot, width: usize, mask: Mask, out: &mut [Slot]) {
    out.clone_from_slice(vector);
    let strange = index.indeterminate_lanes();
    let length = vector.len() / width;
    for lane in lanes_of(mask) {
        let at = index.bits[lane];
        if strange >> lane & 1 != 0 || at >= length as u64 {
            out.iter_mut().for_each(|slot| slot.poison |= 1 << lane);
            continue;
        }
        for (part, from) in element.iter().enumerate() {
            out[at as usize * width + part].merge(from, 1 << lane);
        }
    }
}

/// One address: a base, a constant, and multiples of indices.
fn address(view: &View<'_>, base: &Slot, offset: i64, terms: &[Term], bits: u32, element: usize, out: &mut Slot) {
    out.poison = base.poison;
    out.undefined = None;
    let mut strange = if base.undefined.is_some() { base.undefined_lanes() } else { 0 };
    let mut sum = [offset.cast_unsigned(); WIDTH];
    for term in terms {
        let slots = view.of(term.index);
        let index = &slots[element.min(slots.len() - 1)];
        out.poison |= index.poison;
        strange |= if index.undefined.is_some() { index.undefined_lanes() } else { 0 };
        let (spare, stride) = (64 - term.bits, term.stride.cast_unsigned());
        if spare == 0 {
            for (sum, &index) in sum.iter_mut().zip(&index.bits) {
                *sum = sum.wrapping_add(index.wrapping_mul(stride));
            }
        } else {
            for (sum, &index) in sum.iter_mut().zip(&index.bits) {
                let index = (index << spare).cast_signed() >> spare;
                *sum = sum.wrapping_add(index.cast_unsigned().wrapping_mul(stride));
            }
        }
    }
    let low = low_bits(bits);
    for ((out, &base), &sum) in out.bits.iter_mut().zip(&base.bits).zip(&sum) {
        *out = base & !low | base.wrapping_add(sum) & low;
    }
    if strange != 0 {
        let all = |lane: usize| if strange >> lane & 1 != 0 { u64::MAX } else { 0 };
        for (lane, bits) in out.bits.iter_mut().enumerate() {
            *bits &= !all(lane);
        }
        out.undefined = Some(Box::new(std::array::from_fn(all)));
    }
}
