//! From which thread a thread gets a value, by the definitions of OpenCL, SPIR-V, DXIL and PTX.
//!
//! In a subgroup of *n* threads, thread *i* picks thread *s(i)*. Where *s(i)* is not below *n*, the operation is undefined
//! unless something else is said.

use super::ViolationKind;
use super::amd;
use super::crosslane::Execution;
use super::fetch::{Pick, SegmentMode, Segments, Source};
use crate::value::lanes_of;

/// Records what is wrong with the operands that say who gets what.
pub(super) fn check_operands(execution: &mut Execution, source: &Source) {
    match *source {
        Source::Lane { lane, uniform: true, .. } => {
            execution.uniform(lane);
        }
        Source::Lane { lane: operand, .. }
        | Source::Xor { mask: operand, .. }
        | Source::Up { delta: operand, .. }
        | Source::Down { delta: operand, .. }
        | Source::Address { address: operand, .. }
        | Source::QuadLane { lane: operand, .. } => own_choice(execution, operand),
        Source::Rotate { delta, cluster, .. } => {
            execution.uniform(delta);
            if let Some(cluster) = cluster {
                power_of_two(execution, cluster, execution.size);
            }
        }
        Source::Segment { lane, segments, .. } => {
            own_choice(execution, lane);
            match segments {
                Segments::Packed(operand) => own_choice(execution, operand),
                Segments::Width(operand) => {
                    own_choice(execution, operand);
                    power_of_two(execution, operand, lanes_of_warp(execution) as usize);
                }
                Segments::Warp => {}
            }
        }
        Source::Thread { .. } | Source::First { .. } | Source::QuadAcross { .. } | Source::OtherHalf { .. } => {}
        Source::DataParallel { .. } | Source::Eight { .. } | Source::Swizzle { .. } | Source::Sixteen { .. } => {
            amd::check_operands(execution, source);
        }
    }
}

/// An operand by which each lane says whose value it gets: it must be known.
fn own_choice(execution: &mut Execution, operand: u8) {
    let unknown = execution.unknown(operand);
    execution.decided_by(operand, unknown, unknown);
}

/// An operand that must be the same power of two in all lanes, not above the number of threads that there can be.
pub(super) fn power_of_two(execution: &mut Execution, argument: u8, threads: usize) -> usize {
    let value = execution.uniform(argument);
    let fits = value.is_power_of_two() && value <= threads.next_power_of_two() as u64;
    if !fits {
        let expected = "a power of two, at most the size of the subgroup";
        let kind = ViolationKind::Meaningless { argument: usize::from(argument), value, expected };
        execution.violation(execution.set, kind);
    }
    if fits { value as usize } else { 1 }
}

/// What a lane of the set gets, and whether that is what it asked for: the second result of `shfl`.
pub(super) fn pick(execution: &Execution, source: &Source, lane: usize) -> (Pick, bool) {
    let number = (lane - execution.base) as u64;
    let size = execution.size as u64;
    let is_unknown = |operand: u8| execution.unknown(operand) >> lane & 1 == 1;
    let thread = |value: u8, index: u64| match index < size {
        true => Pick::Of(value, execution.base + index as usize),
        false => Pick::OutOfRange(index),
    };
    let pick = match *source {
        Source::First { value } => Pick::Of(value, execution.first()),
        Source::Lane { lane: operand, .. }
        | Source::Xor { mask: operand, .. }
        | Source::Up { delta: operand, .. }
        | Source::Down { delta: operand, .. }
        | Source::Rotate { delta: operand, .. }
        | Source::Segment { lane: operand, .. }
        | Source::QuadLane { lane: operand, .. }
        | Source::Address { address: operand, .. }
            if is_unknown(operand) =>
        {
            Pick::Poison
        }
        Source::Lane { value, lane: operand, uniform, wraps } => {
            // Where all are to name one lane, the first one's word counts.
            let index = execution.bits(operand, if uniform { execution.first() } else { lane });
            thread(value, if wraps { index & (size.next_power_of_two() - 1) } else { index })
        }
        Source::Address { value, address, inactive } => {
            let source = execution.base + (execution.bits(address, lane) / 4 % size) as usize;
            if execution.has(source) || inactive { Pick::Of(value, source) } else { Pick::Zero }
        }
        Source::Thread { .. } => Pick::Poison,
        Source::Xor { value, mask } => thread(value, number ^ execution.bits(mask, lane)),
        Source::Up { value, delta, before } => {
            let delta = execution.bits(delta, lane);
            match (number.checked_sub(delta), before) {
                (Some(index), _) => thread(value, index),
                (None, Some(before)) if delta <= size => thread(before, number + size - delta),
                // Each scan does this at its ends: what matters is whether somebody looks at the result.
                (None, _) => Pick::Poison,
            }
        }
        Source::Down { value, delta, behind } => {
            let index = number.saturating_add(execution.bits(delta, lane));
            match behind {
                Some(behind) if index >= size => thread(behind, index - size),
                None if index >= size => Pick::Poison,
                _ => thread(value, index),
            }
        }
        Source::Rotate { value, delta, cluster } => {
            let cluster = cluster.map_or(size, |operand| execution.bits(operand, execution.first()));
            if cluster == 0 || cluster > size.next_power_of_two() {
                Pick::Poison
            } else {
                let delta = execution.bits(delta, execution.first()) % cluster;
                let start = number / cluster * cluster;
                thread(value, start + (number - start + delta) % cluster)
            }
        }
        Source::Segment { mode, value, lane: operand, segments, .. } => {
            let (index, inside) = segment(execution, mode, execution.bits(operand, lane), segments, lane);
            return (thread(value, index), inside);
        }
        Source::QuadAcross { value, xor } => thread(value, number ^ u64::from(xor)),
        Source::QuadLane { value, lane: operand } => match execution.bits(operand, lane) {
            index @ 0..4 => thread(value, number & !3 | index),
            index => Pick::OutOfRange(index),
        },
        Source::OtherHalf { .. }
        | Source::DataParallel { .. }
        | Source::Eight { .. }
        | Source::Swizzle { .. }
        | Source::Sixteen { .. } => amd::pick(execution, source, lane),
    };
    (pick, true)
}

/// How many lanes `__shfl` and its like count with: 32, and on a target whose subgroups are larger, those.
fn lanes_of_warp(execution: &Execution) -> u64 {
    execution.size.next_power_of_two().max(32) as u64
}

/// PTX `shfl` ("PTX ISA", "shfl.sync"), and that of HIP, where there may be 64 lanes: the thread that is read, and whether it is the one that was asked for.
fn segment(execution: &Execution, mode: SegmentMode, operand: u64, segments: Segments, lane: usize) -> (u64, bool) {
    let number = (lane - execution.base) as u64;
    let below = match segments {
        Segments::Packed(_) => 31,
        Segments::Width(_) | Segments::Warp => lanes_of_warp(execution) - 1,
    };
    let clamp = if mode == SegmentMode::Up { 0 } else { below };
    let (clamp, mask) = match segments {
        Segments::Packed(operand) => {
            let packed = execution.bits(operand, lane);
            (packed & 31, packed >> 8 & 31)
        }
        Segments::Width(operand) => (clamp, (below + 1).wrapping_sub(execution.bits(operand, lane)) & below),
        Segments::Warp => (clamp, 0),
    };
    let (operand, first) = (operand & below, number & mask);
    let last = first | clamp & !mask;
    let (index, inside) = match mode {
        SegmentMode::Up => (number as i64 - operand as i64, number as i64 - operand as i64 >= last as i64),
        SegmentMode::Down => ((number + operand) as i64, number + operand <= last),
        SegmentMode::Butterfly => ((number ^ operand) as i64, number ^ operand <= last),
        SegmentMode::Index => ((first | operand & !mask) as i64, first | operand & !mask <= last),
    };
    (if inside { index as u64 } else { number }, inside)
}

/// The lanes of a quad that has a lane.
pub(super) fn quad(execution: &Execution, lane: usize) -> impl Iterator<Item = usize> {
    let first = execution.base + (lane - execution.base) / 4 * 4;
    lanes_of(execution.set & (15u64 << first))
}
