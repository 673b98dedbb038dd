//! Where results go.
//!
//! A result is computed for all lanes of the wave at once. When nobody else is in the frame it goes straight into its
//! registers; otherwise into scratch slots, of which the lanes that execute are taken over.

use crate::program::code::{Operand, Registers};
use crate::value::{Lanes, Mask, Slot, selection};

/// The lanes that execute.
pub(super) struct Active {
    pub(super) mask: Mask,
    /// Nobody else is in the frame: its registers can be overwritten.
    pub(super) whole: bool,
    /// All bits set where a lane is active.
    pub(super) select: Lanes,
}

impl Active {
    pub(super) fn new(mask: Mask, whole: bool) -> Active {
        Active { mask, whole, select: selection(mask) }
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

    pub(super) fn one(&self, operand: Operand) -> &'v Slot {
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
        to.merge_selected(from, active.mask, &active.select);
    }
    result
}

/// Lanes of an operand whose value is not known.
pub(super) fn unknown(slots: &[Slot]) -> Mask {
    slots
        .iter()
        .fold(0, |mask, slot| mask | if slot.undefined.is_some() { slot.indeterminate_lanes() } else { slot.poison })
}
