//! Operations that give a thread the value of another one.
//!
//! A [`Source`] says for each thread which one that is: it becomes a [`Pick`] (in [`pick`](super::pick) and
//! [`amd`](super::amd)), and what is picked is copied here. What a thread gets when the other one is not in the set depends on
//! the operation: where it is undefined, the thread gets poison, and there is a violation; elsewhere it is zero, or a value of its
//! own.

pub use reconverge_operations::SegmentMode;

use super::crosslane::{Execution, Part, copy_lane};
use super::{LaunchShape, Violation, ViolationKind, pick};
use crate::value::{Slot, WIDTH, lanes_of};

/// Where a thread gets a value from. Numbers are those of operands; threads are numbered in their subgroup.
#[derive(Debug, Clone, PartialEq)]
pub enum Source {
    /// The first thread of the set has it.
    First {
        /// The value.
        value: u8,
    },
    /// The thread with a number.
    Lane {
        /// The value.
        value: u8,
        /// The number.
        lane: u8,
        /// Whether all threads have to name the same one.
        uniform: bool,
        /// Whether what exceeds the size of the subgroup is cut off, so that each number is one of a thread.
        wraps: bool,
    },
    /// The thread whose place in 32-bit words the operand is, in bytes, as `ds.bpermute` has it. Zero from a thread that is not
    /// there, unless `inactive`.
    Address {
        /// The value.
        value: u8,
        /// The address.
        address: u8,
        /// Whether threads that are not there are read, too.
        inactive: bool,
    },
    /// The thread of a workgroup with this local id.
    Thread {
        /// The value.
        value: u8,
        /// The local id in x, y and z, as many as there are: operands, and components of them.
        id: Vec<(u8, u8)>,
    },
    /// The thread whose number differs in the bits of a mask.
    Xor {
        /// The value.
        value: u8,
        /// The mask.
        mask: u8,
    },
    /// The thread this much below.
    Up {
        /// The value.
        value: u8,
        /// How much.
        delta: u8,
        /// What is there in place of threads before the first: this value of those at the end of the subgroup.
        before: Option<u8>,
    },
    /// The thread this much above.
    Down {
        /// The value.
        value: u8,
        /// How much.
        delta: u8,
        /// What is there in place of threads behind the last: this value of those at the start of the subgroup.
        behind: Option<u8>,
    },
    /// The thread this much above, going round.
    Rotate {
        /// The value.
        value: u8,
        /// How much.
        delta: u8,
        /// How many neighbours go round; all of the subgroup where there is none.
        cluster: Option<u8>,
    },
    /// PTX `shfl`: within segments, and the thread's own value if that would leave them. The last component of the result
    /// says whether it did not, where `flag` is set.
    Segment {
        /// How the thread is found.
        mode: SegmentMode,
        /// The value.
        value: u8,
        /// The number of a thread, or a distance.
        lane: u8,
        /// The limits of segments.
        segments: Segments,
        /// Whether there is a second result.
        flag: bool,
    },
    /// The neighbour in the quad: across x (1), y (2) or both (3).
    QuadAcross {
        /// The value.
        value: u8,
        /// In which direction.
        xor: u8,
    },
    /// The thread of the quad with a number, 0 to 3.
    QuadLane {
        /// The value.
        value: u8,
        /// The number.
        lane: u8,
    },
    /// Data-parallel primitives of AMD GPUs.
    DataParallel {
        /// The value that there is where no other thread's is; none for `mov.dpp`.
        old: Option<u8>,
        /// The value.
        value: u8,
        /// The control word, followed by the masks of rows and banks, and the control of bounds.
        control: u8,
    },
    /// Any of eight neighbours, by three bits of an operand for each.
    Eight {
        /// The value.
        value: u8,
        /// The bits.
        selectors: u8,
    },
    /// `ds.swizzle`.
    Swizzle {
        /// The value.
        value: u8,
        /// The pattern.
        pattern: u8,
    },
    /// Any of sixteen neighbours, or of the sixteen next to them.
    Sixteen {
        /// The value that there is where no other thread's is.
        old: u8,
        /// The value.
        value: u8,
        /// Who of them: 4 bits for each of them, in two operands from this one on, or the low bits of this one.
        selectors: u8,
        /// Whether the operand says it for the thread itself.
        own: bool,
        /// Whether it is one of the neighbours' neighbours.
        crossed: bool,
        /// Whether threads that are not there are read, followed by the control of bounds.
        inactive: u8,
    },
    /// The thread in the other half of 64.
    OtherHalf {
        /// The value.
        value: u8,
    },
}

/// What limits the segments of a `shfl`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Segments {
    /// An operand as in PTX: the last thread in the low five bits, and from the ninth on the bits of a number that
    /// say which segment it is in.
    Packed(u8),
    /// How many threads a segment has.
    Width(u8),
    /// The warp is one.
    Warp,
}

/// What a lane gets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Pick {
    /// An operand of a lane of the wave, which has to be in the set.
    Of(u8, usize),
    /// Zero.
    Zero,
    /// Poison, as nothing else is said.
    Poison,
    /// Poison, as the subgroup has no thread with this number.
    OutOfRange(u64),
}

/// [`Action::Fetch`](super::Action::Fetch).
pub(super) fn fetch(execution: &mut Execution, source: &Source, out: &mut [Slot]) {
    pick::check_operands(execution, source);
    if let Source::Segment { flag: true, .. } = source {
        let (value, flag) = out.split_at_mut(out.len() - 1);
        for lane in lanes_of(execution.set) {
            let (pick, inside) = pick::pick(execution, source, lane);
            take(execution, pick, lane, value);
            flag[0].bits[lane] = u64::from(inside);
        }
        return;
    }
    // Of one thread, all get the same; mostly it is there and all is known.
    if let Source::First { value } | Source::Lane { value, uniform: true, .. } = *source
        && execution.poison == 0
        && execution.unknown(value) == 0
        && let (Pick::Of(_, from), _) = pick::pick(execution, source, execution.first())
        && execution.has(from)
    {
        for (to, slot) in out.iter_mut().zip(execution.arguments[usize::from(value)]) {
            to.bits = [slot.bits[from]; WIDTH];
        }
        return;
    }
    for lane in lanes_of(execution.set) {
        let (pick, _) = pick::pick(execution, source, lane);
        take(execution, pick, lane, out);
    }
}

/// Whose value each lane gets.
pub(super) fn sources(execution: &mut Execution, source: &Source) -> Vec<(usize, usize)> {
    let lanes = lanes_of(execution.set);
    let pick = |lane: usize| match pick::pick(execution, source, lane).0 {
        Pick::Of(_, from) if execution.has(from) => Some((lane, from)),
        _ => None,
    };
    lanes.filter_map(pick).collect()
}

/// Who is given a value by whom.
pub(super) fn pushed(execution: &Execution, address: u8) -> Vec<(usize, usize)> {
    let known = execution.set & !execution.unknown(address);
    let target = |source: usize| execution.base + (execution.bits(address, source) / 4) as usize % execution.size;
    let given = lanes_of(known).map(|source| (target(source), source));
    given.filter(|&(lane, _)| execution.has(lane)).collect()
}

/// Gives a lane what was picked for it.
fn take(execution: &mut Execution, pick: Pick, lane: usize, out: &mut [Slot]) {
    let kind = match pick {
        Pick::Of(value, source) if execution.has(source) => {
            let from = execution.arguments[usize::from(value)];
            for (to, from) in out.iter_mut().zip(from) {
                copy_lane(to, lane, from, source);
            }
            let unknown = execution.unknown(value) & 1 << source;
            execution.received(value, unknown, 1 << lane);
            return;
        }
        Pick::Zero => {
            for to in out {
                to.bits[lane] = 0;
            }
            return;
        }
        Pick::Poison => None,
        Pick::Of(_, source) => Some(execution.absence(source)),
        Pick::OutOfRange(index) => Some(ViolationKind::OutOfRange { index }),
    };
    for to in out {
        to.poison |= 1 << lane;
    }
    if let Some(kind) = kind {
        execution.violation(1 << lane, kind);
    }
}

/// [`Action::Push`](super::Action::Push).
pub(super) fn push(execution: &mut Execution, address: u8, value: u8, out: &mut [Slot]) {
    let unknown = execution.unknown(address);
    let set = execution.set;
    execution.decided_by(address, unknown, set);
    for slot in out.iter_mut() {
        slot.bits = [0; WIDTH];
    }
    for (lane, source) in pushed(execution, address) {
        for slot in out.iter_mut() {
            slot.poison &= !(1 << lane);
        }
        take(execution, Pick::Of(value, source), lane, out);
    }
}

/// [`Action::Write`](super::Action::Write).
pub(super) fn write(execution: &mut Execution, value: u8, lane: u8, old: u8, out: &mut [Slot]) {
    let number = execution.uniform(lane);
    execution.uniform(value);
    // A number that is too large loses its upper bits.
    let target = execution.base + (number as usize & (execution.size.next_power_of_two() - 1));
    let first = execution.first();
    for lane in lanes_of(execution.set) {
        let pick = if lane == target { Pick::Of(value, first) } else { Pick::Of(old, lane) };
        take(execution, pick, lane, out);
    }
}

/// [`Action::Swap`](super::Action::Swap): the rows of the first operand with an odd number get those of the second one
/// that are before them, which get the former. The results are both operands afterwards.
pub(super) fn swap(execution: &mut Execution, row: usize, out: &mut [Slot]) {
    let (first, second) = out.split_at_mut(1);
    // Whether a value that is not there is read, and whether it counts as zero.
    let (inactive, zero) = (execution.uniform(2) & 1 == 1, execution.uniform(3) & 1 == 1);
    for lane in lanes_of(execution.set) {
        let other = execution.base + ((lane - execution.base) ^ row);
        let odd = (lane - execution.base) & row != 0;
        let get = |own: u8, moved: bool| match (moved, execution.has(other) || inactive, zero) {
            (false, ..) => Pick::Of(own, lane),
            (true, true, _) => Pick::Of(1 - own, other),
            (true, false, true) => Pick::Zero,
            (true, false, false) => Pick::Of(own, lane),
        };
        let picks = (get(0, odd), get(1, !odd));
        take(execution, picks.0, lane, first);
        take(execution, picks.1, lane, second);
    }
}

/// [`Source::Thread`] in a workgroup: all get the value of one thread, whose local id has to be the same for all.
pub(super) fn broadcast_workgroup(source: &Source, shape: &LaunchShape, parts: &mut [Part]) -> Vec<(usize, Violation)> {
    let Source::Thread { value, id } = source else { return Vec::new() };
    let mut violations = Vec::new();
    let Some(first) = parts.iter().find(|part| part.set != 0) else { return violations };
    let lane = first.set.trailing_zeros() as usize;
    let axis_of = |part: &Part, (argument, component): (u8, u8)| {
        let slot = &part.arguments[usize::from(argument)][usize::from(component)];
        (slot.bits, slot.indeterminate_lanes() & part.set)
    };
    let coordinates: Vec<u64> = id.iter().map(|&axis| axis_of(first, axis).0[lane]).collect();
    let mut unknown = false;
    for (index, part) in parts.iter().enumerate() {
        for (&axis, &coordinate) in id.iter().zip(&coordinates) {
            let (bits, sources) = axis_of(part, axis);
            let argument = usize::from(axis.0);
            let differing = lanes_of(part.set).filter(|&lane| bits[lane] != coordinate);
            let lanes = differing.fold(0, |lanes, lane| lanes | 1 << lane);
            if lanes != 0 {
                violations.push((index, Violation { lanes, kind: ViolationKind::NotUniform { argument } }));
            }
            if sources != 0 {
                unknown = true;
                let kind = ViolationKind::Indeterminate { argument, sources, is_poison: false };
                violations.push((index, Violation { lanes: part.set, kind }));
            }
        }
    }
    let block = shape.block.map(u64::from);
    let inside = coordinates.iter().zip(block).all(|(&coordinate, size)| coordinate < size);
    let thread = coordinates.iter().zip([1, block[0], block[0] * block[1]]);
    let thread: u64 = thread.map(|(&coordinate, stride)| coordinate.wrapping_mul(stride)).fold(0, u64::wrapping_add);
    // The value as it is in that thread's wave.
    let mut found: Option<Vec<Slot>> = None;
    for part in parts.iter() {
        let lane = thread.wrapping_sub(u64::from(part.wave.first));
        if inside && lane < 64 && part.set >> lane & 1 == 1 {
            let mut copies = vec![Slot::default(); part.out.len()];
            for (copy, slot) in copies.iter_mut().zip(part.arguments[usize::from(*value)]) {
                copy_lane(copy, 0, slot, lane as usize);
            }
            found = Some(copies);
        }
    }
    let known = found.as_ref().is_none_or(|value| value.iter().all(|slot| slot.indeterminate_lanes() & 1 == 0));
    for (index, part) in parts.iter_mut().enumerate().filter(|(_, part)| part.set != 0) {
        for (to, slot) in part.out.iter_mut().enumerate() {
            *slot = Slot::default();
            for lane in lanes_of(part.set) {
                match &found {
                    Some(value) if !unknown => copy_lane(slot, lane, &value[to], 0),
                    _ => slot.poison |= 1 << lane,
                }
            }
        }
        let kind = match (&found, known) {
            (None, _) if !unknown => ViolationKind::OutOfRange { index: thread },
            (Some(_), false) => {
                ViolationKind::Indeterminate { argument: usize::from(*value), sources: 0, is_poison: false }
            }
            _ => continue,
        };
        violations.push((index, Violation { lanes: part.set, kind }));
    }
    violations
}
