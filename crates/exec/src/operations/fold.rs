//! Reductions and scans: the values of several threads become one, in ascending order of their numbers.
//!
//! For an operation ∘ with neutral element *e* and the values *v₀ … vₙ* of the threads of a set, thread *i* gets *v₀ ∘ … ∘ vₙ*
//! (a reduction), *v₀ ∘ … ∘ vᵢ* (an inclusive scan) or *e ∘ v₀ ∘ … ∘ vᵢ₋₁* (an exclusive scan), from left to right, so that
//! floating-point results are the same each time. Of a vector, each element is combined on its own.

pub use reconverge_operations::{Combine, Extent, FloatOrder};

use super::crosslane::{Execution, Part, set_undefined};
use super::{Violation, ViolationKind, pick};
use crate::arithmetic::float::{decode, encode};
use crate::value::{Mask, Scalar, Shape, Slot, lanes_of, low_bits};

/// A value of a thread, and whether it is poison, or partly `undef`.
#[derive(Debug, Clone, Copy)]
struct Cell {
    bits: u64,
    poison: bool,
    undefined: bool,
}

impl Cell {
    fn of(slot: &Slot, lane: usize) -> Cell {
        let undefined = slot.undefined_bits(lane) != 0;
        Cell { bits: slot.bits[lane], poison: slot.poison >> lane & 1 == 1, undefined }
    }

    fn put(self, slot: &mut Slot, lane: usize, width: u32) {
        slot.bits[lane] = if self.undefined { 0 } else { self.bits };
        slot.poison = slot.poison & !(1 << lane) | u64::from(self.poison) << lane;
        set_undefined(slot, lane, if self.undefined { low_bits(width) } else { 0 });
    }
}

/// [`Action::Fold`](super::Action::Fold).
pub(super) fn fold(
    execution: &mut Execution,
    value: u8,
    combine: Combine,
    extent: Extent,
    cluster: Option<u8>,
    out: &mut [Slot],
) {
    let cluster = cluster.map_or(execution.size, |operand| pick::power_of_two(execution, operand, execution.size));
    let (set, unknown) = (execution.set, execution.unknown(value));
    for start in (execution.base..execution.base + execution.size).step_by(cluster) {
        let members = set & low_bits(cluster as u32) << start;
        let lanes: Vec<usize> = lanes_of(members).collect();
        fold_members(&execution.shapes[usize::from(value)], combine, extent, &lanes, execution.arguments, value, out);
        for lane in lanes {
            let sources = contributors(extent, members, lane) & unknown;
            if sources & !(1 << lane) != 0 {
                execution.received(value, unknown & members, 1 << lane);
            }
        }
    }
}

fn fold_members(
    shape: &Shape,
    combine: Combine,
    extent: Extent,
    lanes: &[usize],
    arguments: &[&[Slot]],
    value: u8,
    out: &mut [Slot],
) {
    let slots = arguments[usize::from(value)];
    for ((scalar, slot), out) in shape.iter().zip(slots).zip(out) {
        let mut cells: Vec<Cell> = lanes.iter().map(|&lane| Cell::of(slot, lane)).collect();
        run(combine, *scalar, extent, &mut cells);
        for (cell, &lane) in cells.iter().zip(lanes) {
            cell.put(out, lane, scalar.bits());
        }
    }
}

/// The same for the threads of several waves.
pub(super) fn fold_workgroup(
    shape: &Shape,
    value: u8,
    combine: Combine,
    extent: Extent,
    parts: &mut [Part],
) -> Vec<(usize, Violation)> {
    let argument = usize::from(value);
    for (component, scalar) in shape.iter().enumerate() {
        let cells_of = |part: &Part| {
            let slot = &part.arguments[argument][component];
            lanes_of(part.set).map(|lane| Cell::of(slot, lane)).collect::<Vec<_>>()
        };
        let mut cells: Vec<Cell> = parts.iter().flat_map(cells_of).collect();
        run(combine, *scalar, extent, &mut cells);
        let mut results = cells.into_iter();
        for part in parts.iter_mut() {
            for (lane, cell) in lanes_of(part.set).zip(&mut results) {
                cell.put(&mut part.out[component], lane, scalar.bits());
            }
        }
    }
    let unknown_of = |part: &Part| {
        let slots = part.arguments[argument].iter();
        slots.fold(0, |mask, slot| mask | slot.indeterminate_lanes()) & part.set
    };
    let unknown: Vec<Mask> = parts.iter().map(unknown_of).collect();
    let mut violations = Vec::new();
    for (index, part) in parts.iter().enumerate() {
        let before = unknown[..index].iter().any(|&lanes| lanes != 0);
        let elsewhere = match extent {
            Extent::Reduce => before || unknown[index + 1..].iter().any(|&lanes| lanes != 0),
            Extent::Inclusive | Extent::Exclusive => before,
        };
        let gets =
            |&lane: &usize| elsewhere || contributors(extent, part.set, lane) & unknown[index] & !(1 << lane) != 0;
        let lanes = lanes_of(part.set).filter(gets).fold(0, |lanes, lane| lanes | 1 << lane);
        if lanes != 0 {
            violations.push((
                index,
                Violation {
                    lanes,
                    kind: ViolationKind::Indeterminate { argument, sources: unknown[index], is_poison: false },
                },
            ));
        }
    }
    violations
}

/// The lanes of a set of which a lane gets the values.
fn contributors(extent: Extent, set: Mask, lane: usize) -> Mask {
    match extent {
        Extent::Reduce => set,
        Extent::Inclusive => set & (1u64 << lane | low_bits(lane as u32)),
        Extent::Exclusive => set & low_bits(lane as u32),
    }
}

/// Puts in the place of each value what its thread gets.
fn run(combine: Combine, scalar: Scalar, extent: Extent, cells: &mut [Cell]) {
    for cell in cells.iter_mut() {
        cell.bits = prepare(combine, scalar, cell.bits);
    }
    let join = |one: Cell, other: Cell| Cell {
        bits: combine_bits(combine, scalar, one.bits, other.bits),
        poison: one.poison | other.poison,
        undefined: one.undefined | other.undefined,
    };
    let mut sum: Option<Cell> = match extent {
        Extent::Exclusive => Some(Cell { bits: neutral(combine, scalar), poison: false, undefined: false }),
        Extent::Reduce | Extent::Inclusive => None,
    };
    for cell in cells.iter_mut() {
        let next = sum.map_or(*cell, |sum| join(sum, *cell));
        if let (Extent::Exclusive, Some(before)) = (extent, sum) {
            *cell = before;
        } else {
            *cell = next;
        }
        sum = Some(next);
    }
    if let (Extent::Reduce, Some(sum)) = (extent, sum) {
        cells.fill(sum);
    }
    if combine == Combine::Subtract {
        for cell in cells.iter_mut() {
            cell.bits = negated(scalar, cell.bits);
        }
    }
}

/// What a value counts as.
fn prepare(combine: Combine, scalar: Scalar, bits: u64) -> u64 {
    match combine {
        Combine::LogicalAnd | Combine::LogicalOr | Combine::LogicalXor => u64::from(bits != 0),
        Combine::FloatMinimum(FloatOrder { absolute: true, .. })
        | Combine::FloatMaximum(FloatOrder { absolute: true, .. }) => bits & low_bits(scalar.bits() - 1),
        _ => bits,
    }
}

fn negated(scalar: Scalar, bits: u64) -> u64 {
    let width = scalar.bits();
    if scalar.is_float() { bits ^ 1 << (width - 1) } else { bits.wrapping_neg() & low_bits(width) }
}

/// The value that changes nothing.
fn neutral(combine: Combine, scalar: Scalar) -> u64 {
    let width = scalar.bits();
    let sign = 1u64 << (width - 1);
    match combine {
        Combine::Add | Combine::Subtract | Combine::Or | Combine::Xor | Combine::UnsignedMaximum => 0,
        Combine::LogicalOr | Combine::LogicalXor => 0,
        Combine::LogicalAnd => 1,
        Combine::Multiply if scalar.is_float() => encode(scalar, 1.0),
        Combine::Multiply => 1,
        Combine::And | Combine::UnsignedMinimum => low_bits(width),
        Combine::Minimum | Combine::FloatMinimum(_) if scalar.is_float() => encode(scalar, f64::INFINITY),
        Combine::Maximum | Combine::FloatMaximum(_) if scalar.is_float() => encode(scalar, f64::NEG_INFINITY),
        Combine::Minimum | Combine::FloatMinimum(_) => sign - 1,
        Combine::Maximum | Combine::FloatMaximum(_) => sign,
    }
}

fn combine_bits(combine: Combine, scalar: Scalar, one: u64, other: u64) -> u64 {
    let width = scalar.bits();
    let signed = |bits: u64| (bits << (64 - width)) as i64;
    let as_number = FloatOrder { absolute: false, nan: false };
    match combine {
        Combine::Add | Combine::Subtract if scalar.is_float() => {
            encode(scalar, decode(scalar, one) + decode(scalar, other))
        }
        Combine::Multiply if scalar.is_float() => encode(scalar, decode(scalar, one) * decode(scalar, other)),
        Combine::Minimum if scalar.is_float() => float_extreme(scalar, one, other, as_number, true),
        Combine::Maximum if scalar.is_float() => float_extreme(scalar, one, other, as_number, false),
        Combine::FloatMinimum(order) => float_extreme(scalar, one, other, order, true),
        Combine::FloatMaximum(order) => float_extreme(scalar, one, other, order, false),
        Combine::Add | Combine::Subtract => one.wrapping_add(other) & low_bits(width),
        Combine::Multiply => one.wrapping_mul(other) & low_bits(width),
        Combine::Minimum => {
            if signed(one) <= signed(other) {
                one
            } else {
                other
            }
        }
        Combine::Maximum => {
            if signed(one) >= signed(other) {
                one
            } else {
                other
            }
        }
        Combine::UnsignedMinimum => one.min(other),
        Combine::UnsignedMaximum => one.max(other),
        Combine::And | Combine::LogicalAnd => one & other,
        Combine::Or | Combine::LogicalOr => one | other,
        Combine::Xor | Combine::LogicalXor => one ^ other,
    }
}

fn float_extreme(scalar: Scalar, one: u64, other: u64, order: FloatOrder, least: bool) -> u64 {
    let (number, another) = (decode(scalar, one), decode(scalar, other));
    if number.is_nan() || another.is_nan() {
        // Which NaN it is, is not said.
        return if number.is_nan() != order.nan { other } else { one };
    }
    if (number.total_cmp(&another).is_lt()) == least { one } else { other }
}
