//! Loads, stores, atomic operations and library functions that touch memory.

use reconverge_findings::run::{Limit, What};
use reconverge_ir::opcode::{Ordering, RmwOperation};

use super::compute::{Active, compute};
use super::findings::Seen;
use super::frame::Fragment;
use super::workgroup::Workgroup;
use crate::builtins::{
    AtomicBuiltin, AtomicOperand, AtomicOperation, MemoryBuiltin, MemoryOrder, Modification, VectorAccess,
};
use crate::launch::STEPS;
use crate::memory::{Access, Address, Fault, FaultKind, Faults, Layout, OutOfMemory, Part, Segment, Synchronisation};
use crate::program::code::{Code, Op, Operand, Registers};
use crate::value::{Mask, Scalar, Slot, component_count, lanes_of};

impl<'r> Workgroup<'r> {
    /// The lanes that may use an address; reports those that do not know it.
    pub(super) fn known_lanes(&mut self, wave: usize, fragment: &Fragment, address: &Slot) -> Mask {
        if address.poison == 0 && address.undefined.is_none() {
            return fragment.mask;
        }
        let strange = address.indeterminate_lanes() & fragment.mask;
        if strange != 0 {
            self.report(wave, fragment, strange, What::UnknownAddress);
        }
        fragment.mask & !strange
    }

    #[allow(clippy::too_many_arguments, reason = "all of it is what an access is")]
    pub(super) fn load(
        &mut self,
        wave: usize,
        fragment: &Fragment,
        active: &Active,
        code: &'r Code,
        address: Operand,
        layout: &Layout,
        access: Access,
        out: Registers,
    ) {
        let constants = &code.constants;
        let frame = fragment.frame as usize;
        let slot = &address.of(&self.waves[wave].frames[frame].registers, constants)[0];
        let mut mask = active.mask;
        if slot.poison != 0 || slot.undefined.is_some() {
            let slot = slot.clone();
            mask = self.known_lanes(wave, fragment, &slot);
        }
        let Workgroup { waves, scratch, memory, .. } = self;
        let registers = &mut waves[wave].frames[frame].registers[..];
        let faults = compute(registers, constants, scratch, active, out, |view, out| {
            let faults = memory.load(wave, layout, &view.of(address)[0], mask, access, out);
            if mask != active.mask {
                out.iter_mut().for_each(|slot| slot.poison |= active.mask & !mask);
            }
            faults
        });
        self.report_faults(wave, fragment, faults);
    }

    #[allow(clippy::too_many_arguments, reason = "all of it is what an access is")]
    pub(super) fn store(
        &mut self,
        wave: usize,
        fragment: &Fragment,
        active: &Active,
        code: &'r Code,
        address: Operand,
        layout: &Layout,
        access: Access,
        value: Operand,
    ) {
        let constants = &code.constants;
        let frame = fragment.frame as usize;
        let slot = &address.of(&self.waves[wave].frames[frame].registers, constants)[0];
        let mut mask = active.mask;
        if slot.poison != 0 || slot.undefined.is_some() {
            let slot = slot.clone();
            mask = self.known_lanes(wave, fragment, &slot);
        }
        let place = &address.of(&self.waves[wave].frames[frame].registers, constants)[0];
        if self.is_watched(place, mask) {
            let (place, values) =
                (place.clone(), value.of(&self.waves[wave].frames[frame].registers, constants).to_vec());
            let faults = self.write(wave, layout, &place, &values, mask, access);
            return self.report_faults(wave, fragment, faults);
        }
        if !self.spinning.is_looking() {
            self.spinning.change();
        }
        let Workgroup { waves, memory, .. } = self;
        let registers = &waves[wave].frames[frame].registers;
        let (address, values) = (&address.of(registers, constants)[0], value.of(registers, constants));
        let faults = memory.store(wave, layout, address, values, mask, access);
        self.report_faults(wave, fragment, faults);
    }

    /// A store, where it has to be known whether it changes anything, or of a library function.
    fn write(
        &mut self,
        wave: usize,
        layout: &Layout,
        address: &Slot,
        values: &[Slot],
        mask: Mask,
        access: Access,
    ) -> Faults {
        let before = self.before_change(wave, layout, address, mask);
        let faults = self.memory.store(wave, layout, address, values, mask, access);
        self.after_change(before, wave, layout, address, mask);
        faults
    }

    pub(super) fn report_faults(&mut self, wave: usize, fragment: &Fragment, faults: Faults) {
        if faults.is_empty() {
            return;
        }
        for fault in faults.faults {
            // A vector in private memory that is put together element by element is loaded before it is whole: there it matters
            // who uses what was not written.
            let private = fault.place.as_ref().is_some_and(|place| place.segment == Segment::Private);
            if fault.kind != FaultKind::Uninitialised || !private {
                // What would be there is not known.
                self.halt |= fault.kind == FaultKind::OfAnotherWorkgroup;
                self.report(wave, fragment, fault.lanes, Seen::Fault(fault));
            }
        }
        for race in faults.races {
            let lane = race.thread.saturating_sub(self.waves[wave].first);
            self.report(wave, fragment, 1u64.checked_shl(lane).unwrap_or(0), Seen::Race(race));
        }
    }

    /// The other operations that touch memory.
    pub(super) fn touch_memory(
        &mut self,
        wave: usize,
        fragment: &Fragment,
        active: &Active,
        code: &'r Code,
        op: &Op,
        site: u32,
    ) {
        let constants = &code.constants;
        let frame = fragment.frame as usize;
        let slots = |workgroup: &Self, operand: Operand| -> Vec<Slot> {
            operand.of(&workgroup.waves[wave].frames[frame].registers, constants).to_vec()
        };
        match op {
            Op::AtomicRmw { operation, scalar, layout, ordering, address, value, out } => {
                let (address, value) = (slots(self, *address), slots(self, *value));
                let access = Access::atomic(site, *ordering);
                self.modify(wave, fragment, active, *operation, *scalar, layout, &address[0], &value, access, *out);
            }
            Op::CompareExchange { layout, ordering, address, expected, desired, out } => {
                let address = slots(self, *address);
                let (expected, desired) = (slots(self, *expected), slots(self, *desired));
                let access = Access::atomic(site, *ordering);
                let (found, replaced) =
                    self.exchange(wave, fragment, layout, &address[0], &expected[0], &desired[0], access);
                self.set(wave, fragment, active, code, *out, &[found, replaced]);
            }
            Op::CopyMemory { to, from, length } => {
                let (to, from, length) = (slots(self, *to), slots(self, *from), slots(self, *length));
                let mask = self.known_lanes(wave, fragment, &to[0])
                    & self.known_lanes(wave, fragment, &from[0])
                    & self.known_lanes(wave, fragment, &length[0]);
                if !self.pay_for_copy(wave, fragment, &to[0], &length[0], mask) {
                    return;
                }
                let faults = self.memory.copy(wave, &to[0], &from[0], &length[0], mask, Access::plain(site));
                self.report_faults(wave, fragment, faults);
            }
            Op::SetMemory { to, value, length } => {
                let (to, value, length) = (slots(self, *to), slots(self, *value), slots(self, *length));
                let mask = self.known_lanes(wave, fragment, &to[0]) & self.known_lanes(wave, fragment, &length[0]);
                if !self.pay_for_copy(wave, fragment, &to[0], &length[0], mask) {
                    return;
                }
                let faults = self.memory.set(wave, &to[0], &value[0], &length[0], mask, Access::plain(site));
                self.report_faults(wave, fragment, faults);
            }
            Op::Library { builtin, arguments, out } => {
                let arguments: Vec<Vec<Slot>> = arguments.iter().map(|&argument| slots(self, argument)).collect();
                self.library(wave, fragment, active, code, builtin, &arguments, site, *out);
            }
            Op::Print { print, out } => self.print(wave, fragment, active, code, print, *out),
            _ => unreachable!("every other operation is executed elsewhere: {op:?}"),
        }
    }

    /// Counts what it costs to write so many bytes; says no where that is beyond what a run may cost.
    fn pay_for_copy(&mut self, wave: usize, fragment: &Fragment, to: &Slot, length: &Slot, mask: Mask) -> bool {
        let bytes = lanes_of(mask).fold(0u64, |sum, lane| sum.saturating_add(length.bits[lane]));
        let steps = bytes / STEPS.bytes;
        if steps > self.bound.limits.steps as u64 {
            self.report(wave, fragment, mask, Limit::Steps(self.bound.limits.steps));
            self.halt = true;
            return false;
        }
        self.spent.steps += steps;
        if lanes_of(mask).any(|lane| Address(to.bits[lane]).segment() != Some(Segment::Private)) {
            self.spinning.change();
        }
        true
    }

    /// Puts values into registers.
    pub(super) fn set(
        &mut self,
        wave: usize,
        fragment: &Fragment,
        active: &Active,
        code: &Code,
        out: Registers,
        values: &[Slot],
    ) {
        let Workgroup { waves, scratch, .. } = self;
        let registers = &mut waves[wave].frames[fragment.frame as usize].registers[..];
        compute(registers, &code.constants, scratch, active, out, |_, out| {
            for (out, value) in out.iter_mut().zip(values) {
                out.clone_from(value);
            }
        });
    }

    #[allow(clippy::too_many_arguments, reason = "all of it is what an access is")]
    fn modify(
        &mut self,
        wave: usize,
        fragment: &Fragment,
        active: &Active,
        operation: RmwOperation,
        scalar: Scalar,
        layout: &Layout,
        address: &Slot,
        value: &[Slot],
        access: Access,
        out: Registers,
    ) {
        let mask = self.known_lanes(wave, fragment, address);
        let mut old = vec![Slot::default(); value.len()];
        let before = self.before_change(wave, layout, address, mask);
        let faults = self.memory.atomic_rmw(wave, operation, scalar, layout, address, value, mask, access, &mut old);
        self.after_change(before, wave, layout, address, mask);
        let code = self.code(wave, fragment.frame);
        self.set(wave, fragment, active, code, out, &old);
        self.report_faults(wave, fragment, faults);
    }

    #[allow(clippy::too_many_arguments, reason = "all of it is what an access is")]
    fn exchange(
        &mut self,
        wave: usize,
        fragment: &Fragment,
        layout: &Layout,
        address: &Slot,
        expected: &Slot,
        desired: &Slot,
        access: Access,
    ) -> (Slot, Slot) {
        let mask = self.known_lanes(wave, fragment, address);
        let (mut found, mut replaced) = (Slot::default(), Slot::default());
        let failure = Synchronisation { release: false, ..Synchronisation::of(Ordering::SeqCst) };
        let before = self.before_change(wave, layout, address, mask);
        let faults = self.memory.compare_exchange(
            wave,
            layout,
            address,
            expected,
            desired,
            mask,
            access,
            failure,
            &mut found,
            &mut replaced,
        );
        self.after_change(before, wave, layout, address, mask);
        self.report_faults(wave, fragment, faults);
        (found, replaced)
    }

    #[allow(clippy::too_many_arguments, reason = "all of it is what a call is")]
    fn library(
        &mut self,
        wave: usize,
        fragment: &Fragment,
        active: &Active,
        code: &'r Code,
        builtin: &MemoryBuiltin,
        arguments: &[Vec<Slot>],
        site: u32,
        out: Registers,
    ) {
        let views: Vec<&[Slot]> = arguments.iter().map(Vec::as_slice).collect();
        match builtin {
            MemoryBuiltin::Load(access) => {
                let address = access.address(&views);
                let mask = self.known_lanes(wave, fragment, &address);
                let layout = vector_layout(access);
                let mut values = vec![Slot::default(); access.count * access.element.components()];
                let faults = self.memory.load(wave, &layout, &address, mask, Access::plain(site), &mut values);
                let values = converted(access, values, active.mask);
                self.set(wave, fragment, active, code, out, &values);
                self.report_faults(wave, fragment, faults);
            }
            MemoryBuiltin::Store { value, access } => {
                let address = access.address(&views);
                let mask = self.known_lanes(wave, fragment, &address);
                let layout = vector_layout(access);
                let values = converted(access, arguments[*value].clone(), active.mask);
                let faults = self.write(wave, &layout, &address, &values, mask, Access::plain(site));
                self.report_faults(wave, fragment, faults);
            }
            MemoryBuiltin::Atomic(atomic) => self.atomic(wave, fragment, active, code, atomic, arguments, site, out),
            MemoryBuiltin::Fence { order, .. } => {
                self.memory.fence(wave, active.mask, Synchronisation::of(ordering(*order)));
            }
            MemoryBuiltin::Results { values, stores } => {
                let mut results = vec![Slot::default(); values.components()];
                values.apply(&views, active.mask, &mut results);
                let (own, mut rest) = results.split_at(out.count as usize);
                self.set(wave, fragment, active, code, out, own);
                for store in stores {
                    let shape = vec![store.element; store.count];
                    let (value, after) = rest.split_at(component_count(&shape));
                    rest = after;
                    let address = &arguments[store.pointer][0];
                    let mask = self.known_lanes(wave, fragment, address);
                    let layout = layout_of(store.element, store.count, store.alignment);
                    let faults = self.write(wave, &layout, address, value, mask, Access::plain(site));
                    self.report_faults(wave, fragment, faults);
                }
            }
            MemoryBuiltin::Allocate => {
                let mask = self.known_lanes(wave, fragment, &views[0][0]);
                let mut addresses = Slot::default();
                for lane in lanes_of(mask) {
                    let bytes = views[0][0].bits[lane];
                    self.spent.steps += bytes / STEPS.bytes;
                    match self.memory.allocate_heap(bytes) {
                        Ok(address) => addresses.bits[lane] = address.0,
                        Err(OutOfMemory { limit, .. }) => {
                            self.report(wave, fragment, 1 << lane, Limit::Heap(limit));
                            self.halt = true;
                            return;
                        }
                    }
                }
                self.set(wave, fragment, active, code, out, &[addresses]);
                self.spinning.change();
            }
            MemoryBuiltin::Free => {
                let mask = self.known_lanes(wave, fragment, &views[0][0]);
                for lane in lanes_of(mask) {
                    let address = views[0][0].bits[lane];
                    if let Err(kind) = self.memory.free(address) {
                        let place = self.memory.describe(wave, lane, address);
                        let address = Address(address);
                        let fault = Fault { kind, lanes: 1 << lane, address, bytes: 0, place };
                        self.report_faults(wave, fragment, Faults { faults: vec![fault], races: Vec::new() });
                    }
                }
                self.spinning.change();
            }
            MemoryBuiltin::Copy(_) | MemoryBuiltin::WaitEvents { .. } => {
                unreachable!("what a group does together is an operation of its own")
            }
        }
    }

    #[allow(clippy::too_many_arguments, reason = "all of it is what a call is")]
    fn atomic(
        &mut self,
        wave: usize,
        fragment: &Fragment,
        active: &Active,
        code: &'r Code,
        atomic: &AtomicBuiltin,
        arguments: &[Vec<Slot>],
        site: u32,
        out: Registers,
    ) {
        let address = &arguments[atomic.pointer][0];
        let layout = layout_of(atomic.element, 1, u64::from(atomic.element.bits() / 8));
        let order = ordering(atomic.order);
        let access = Access::atomic(site, order);
        let mask = self.known_lanes(wave, fragment, address);
        let nonzero = |slot: &Slot| {
            let mut result = Slot { poison: slot.poison, ..Slot::default() };
            for lane in lanes_of(active.mask) {
                result.bits[lane] = u64::from(slot.bits[lane] != 0);
            }
            result
        };
        match atomic.operation {
            AtomicOperation::Load => {
                let mut value = vec![Slot::default()];
                let faults = self.memory.load(wave, &layout, address, mask, access, &mut value);
                self.set(wave, fragment, active, code, out, &value);
                self.report_faults(wave, fragment, faults);
            }
            AtomicOperation::Store(_) | AtomicOperation::Clear | AtomicOperation::Initialise(_) => {
                let (value, access) = match atomic.operation {
                    AtomicOperation::Store(value) => (arguments[value].clone(), access),
                    AtomicOperation::Initialise(value) => (arguments[value].clone(), Access::plain(site)),
                    _ => (vec![Slot::default()], access),
                };
                let faults = self.write(wave, &layout, address, &value, mask, access);
                self.report_faults(wave, fragment, faults);
            }
            AtomicOperation::Modify(modification, operand) => {
                let value = match operand {
                    AtomicOperand::Argument(argument) => arguments[argument].clone(),
                    AtomicOperand::One => vec![Slot::splat(1)],
                };
                let operation = operation(modification);
                self.modify(wave, fragment, active, operation, atomic.element, &layout, address, &value, access, out);
            }
            AtomicOperation::TestAndSet => {
                let mut old = vec![Slot::default()];
                let one = [Slot::splat(1)];
                let before = self.before_change(wave, &layout, address, mask);
                let faults = self.memory.atomic_rmw(
                    wave,
                    RmwOperation::Xchg,
                    atomic.element,
                    &layout,
                    address,
                    &one,
                    mask,
                    access,
                    &mut old,
                );
                self.after_change(before, wave, &layout, address, mask);
                self.set(wave, fragment, active, code, out, &[nonzero(&old[0])]);
                self.report_faults(wave, fragment, faults);
            }
            AtomicOperation::CompareExchange { expected, desired } => {
                let (expected, desired) = (&arguments[expected][0], &arguments[desired][0]);
                let (found, _) = self.exchange(wave, fragment, &layout, address, expected, desired, access);
                self.set(wave, fragment, active, code, out, &[found]);
            }
            AtomicOperation::CompareExchangeThrough { expected, desired } => {
                let place = &arguments[expected][0];
                let mut wanted = vec![Slot::default()];
                let known = self.known_lanes(wave, fragment, place);
                let faults = self.memory.load(wave, &layout, place, known, Access::plain(site), &mut wanted);
                self.report_faults(wave, fragment, faults);
                let desired = &arguments[desired][0];
                let (found, replaced) = self.exchange(wave, fragment, &layout, address, &wanted[0], desired, access);
                let failed = known & !crate::arithmetic::nonzero_lanes(&replaced.bits);
                let found = [found];
                let faults = self.write(wave, &layout, place, &found, failed, Access::plain(site));
                self.report_faults(wave, fragment, faults);
                self.set(wave, fragment, active, code, out, &[replaced]);
            }
        }
    }
}

/// The layout of some elements in a row.
fn layout_of(element: Scalar, count: usize, alignment: u64) -> Layout {
    let parts = (0..count * element.components()).map(|component| {
        let bits = element.bits().min(64);
        let pointer = matches!(element, Scalar::Pointer(_));
        Part { component, offset: component as u64 * u64::from(bits.div_ceil(8)), bits, pointer }
    });
    Layout::new(parts.collect(), alignment.max(1))
}

fn vector_layout(access: &VectorAccess) -> Layout {
    layout_of(access.element, access.count, access.alignment)
}

fn converted(access: &VectorAccess, values: Vec<Slot>, active: Mask) -> Vec<Slot> {
    let Some(conversion) = &access.conversion else { return values };
    let mut out = vec![Slot::default(); conversion.components()];
    conversion.apply(&[&values], active, &mut out);
    out
}

fn ordering(order: MemoryOrder) -> Ordering {
    match order {
        MemoryOrder::Relaxed => Ordering::Monotonic,
        MemoryOrder::SequentiallyConsistent => Ordering::SeqCst,
        // Not known here; nothing is missed by taking it for the weakest that orders.
        MemoryOrder::Argument(_) | MemoryOrder::Semantics(_) => Ordering::AcqRel,
    }
}

fn operation(modification: Modification) -> RmwOperation {
    match modification {
        Modification::Exchange => RmwOperation::Xchg,
        Modification::Add => RmwOperation::Add,
        Modification::Subtract => RmwOperation::Sub,
        Modification::And => RmwOperation::And,
        Modification::Or => RmwOperation::Or,
        Modification::Xor => RmwOperation::Xor,
        Modification::SignedMaximum => RmwOperation::Max,
        Modification::SignedMinimum => RmwOperation::Min,
        Modification::UnsignedMaximum => RmwOperation::UMax,
        Modification::UnsignedMinimum => RmwOperation::UMin,
        Modification::FloatAdd => RmwOperation::FAdd,
        Modification::FloatSubtract => RmwOperation::FSub,
        Modification::FloatMaximum => RmwOperation::FMax,
        Modification::FloatMinimum => RmwOperation::FMin,
        Modification::IncrementWrapping => RmwOperation::UIncWrap,
        Modification::DecrementWrapping => RmwOperation::UDecWrap,
    }
}
