//! Operations that concern each thread alone: results of operands.

use reconverge_findings::run::{Limit, What};
use reconverge_ir::opcode::Opcode;
use smallvec::SmallVec;

use super::compute::{Active, View, compute, unknown};
use super::frame::Fragment;
use super::workgroup::Workgroup;
use crate::arithmetic;
use crate::memory::{self, Access, Synchronisation};
use crate::program::code::{Code, Op, Registers, Term};
use crate::program::resources::Binding;
use crate::value::{Mask, Slot, WIDTH, lanes_of, low_bits};

impl<'r> Workgroup<'r> {
    /// Executes an operation that concerns each thread alone.
    pub(super) fn simple(&mut self, wave: usize, fragment: &Fragment, active: &Active, code: &'r Code, op: &Op) {
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
                    self.report(wave, fragment, wrong, What::Arithmetic);
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
                let chosen = write(*out, &mut |view, out| {
                    let parts = out.iter_mut().zip(view.of(*a));
                    parts.fold(0, |chosen, (out, a)| chosen | arithmetic::freeze(a, out))
                });
                self.chose |= chosen != 0;
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
            Op::IsIn { segment, gives_address, a, out } => {
                write(*out, &mut |view, out| {
                    let a = view.one(*a);
                    for lane in lanes_of(active.mask) {
                        let is_in = memory::Address(a.bits[lane]).segment() == Some(*segment);
                        out[0].bits[lane] = u64::from(is_in) * if *gives_address { a.bits[lane] } else { 1 };
                    }
                    (out[0].poison, out[0].undefined) = (0, None);
                    keep_unknown(a, if *gives_address { u64::MAX } else { 1 }, out);
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
                        self.report(wave, fragment, lanes, Limit::Stack(limit));
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
                    let arguments: SmallVec<[&[Slot]; 4]> = arguments.iter().map(|&a| view.of(a)).collect();
                    intrinsic.apply(&arguments, active.mask, out)
                });
                if wrong != 0 {
                    self.report(wave, fragment, wrong, What::Arithmetic);
                }
            }
            Op::Pure { builtin, arguments, out } => {
                write(*out, &mut |view, out| {
                    let arguments: SmallVec<[&[Slot]; 4]> = arguments.iter().map(|&a| view.of(a)).collect();
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
                    let arguments: SmallVec<[&[Slot]; 4]> = arguments.iter().map(|&a| view.of(a)).collect();
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
            Op::Handle { set, binding, index, out } => {
                write(*out, &mut |view, out| {
                    let operands = [set, binding, index].map(|&operand| view.one(operand));
                    out[0] = Slot { poison: unknown_of(&operands), ..Slot::default() };
                    for lane in lanes_of(active.mask) {
                        let [set, number, index] = operands.map(|slot| slot.bits[lane] as u32);
                        let binding = Binding { set, number };
                        let number = bound.resources.iter().position(|(known, _)| *known == binding && index == 0);
                        out[0].bits[lane] = number.map_or(0, |number| number as u64 + 1);
                    }
                    0
                });
            }
            Op::Element { handle, index, bytes, out } => {
                write(*out, &mut |view, out| {
                    let operands = [handle, index].map(|&operand| view.one(operand));
                    out[0] = Slot { poison: unknown_of(&operands), ..Slot::default() };
                    for lane in lanes_of(active.mask) {
                        let [handle, index] = operands.map(|slot| slot.bits[lane]);
                        let resource = (handle as usize).checked_sub(1).and_then(|number| bound.resources.get(number));
                        // What is further away than any object is long must not be in another one.
                        let distance = bytes.saturating_mul(u64::from(index as u32)).min(1 << 34);
                        let start = resource.map_or(memory::Address::NULL, |(_, start)| *start);
                        out[0].bits[lane] = start.0.wrapping_add(distance);
                    }
                    0
                });
            }
            Op::Clock { out } => {
                let now = self.spent.instructions;
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
                    self.report(wave, fragment, wrong, What::Assumption);
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
/// The lanes in which not all is known of one of several numbers.
fn unknown_of(slots: &[&Slot]) -> Mask {
    slots.iter().fold(0, |mask, slot| mask | slot.indeterminate_lanes())
}

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
