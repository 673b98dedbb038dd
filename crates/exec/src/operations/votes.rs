//! Operations whose result says which threads are there, or for which of them something holds.
//!
//! A mask has bit *i* for the thread *i* of the subgroup. Threads that are not in the set count as if nothing held for them.

use super::crosslane::{Action, Direction, Execution, MaskFunction, Part, Predicate, copy_lane};
use super::{Violation, ViolationKind, pick};
use crate::arithmetic::float::{decode, encode};
use crate::value::{Mask, Scalar, Slot, lanes_of, low_bits};

/// The actions that are neither fetches nor folds.
pub(super) fn perform(execution: &mut Execution, action: &Action, out: &mut [Slot]) {
    let set = execution.set;
    match *action {
        Action::Ballot(predicate) => {
            let holds = holding(execution, predicate);
            put_mask(execution, holds >> execution.base, out);
        }
        Action::Count(predicate) => {
            let count = holding(execution, predicate).count_ones();
            put(out, set, |_| u64::from(count));
        }
        Action::CountBefore(predicate) => {
            let holds = holding_before(execution, predicate);
            put(out, set, |lane| u64::from((holds & low_bits(lane as u32)).count_ones()));
        }
        Action::All(predicate) => {
            let holds = holding(execution, predicate);
            put(out, set, |_| u64::from(holds == set));
        }
        Action::Any(predicate) => {
            let holds = holding(execution, predicate);
            put(out, set, |_| u64::from(holds != 0));
        }
        Action::Same(predicate) => {
            let holds = holding(execution, predicate);
            put(out, set, |_| u64::from(holds == set || holds == 0));
        }
        Action::AllEqual(value) => all_equal(execution, value, out),
        Action::MatchAny(value) => {
            decided_by_all(execution, value);
            for lane in lanes_of(set) {
                let matching = matching(execution, value, lane) >> execution.base;
                put_mask_in(execution, 1 << lane, matching, out);
            }
        }
        Action::MatchAll(value) => {
            decided_by_all(execution, value);
            let all = matching(execution, value, execution.first()) == set;
            let (mask, flag) = out.split_at_mut(out.len() - 1);
            put_mask(execution, if all { set >> execution.base } else { 0 }, mask);
            put(flag, set, |_| u64::from(all));
        }
        Action::IsFirst => {
            let first = execution.first();
            put(out, set, |lane| u64::from(lane == first));
        }
        Action::Elect => {
            let (first, base) = (execution.first(), execution.base);
            put(&mut out[..1], set, |_| (first - base) as u64);
            put(&mut out[1..], set, |lane| u64::from(lane == first));
        }
        Action::InverseBallot(mask, uniform) => {
            let unknown = execution.unknown(mask);
            if uniform {
                uniform_mask(execution, mask);
            }
            let base = execution.base;
            let bit = |lane: usize| word_bit(execution, mask, lane, (lane - base) as u64);
            put(out, set, bit);
            out[0].poison |= unknown;
        }
        Action::OfMask(mask, function) => of_mask(execution, mask, function, out),
        Action::Derivative { value, direction, fine } => derivative(execution, value, direction, fine, out),
        Action::QuadAny(predicate) | Action::QuadAll(predicate) => {
            let all = matches!(action, Action::QuadAll(_));
            let holds = each_holding(execution, predicate);
            for lane in lanes_of(set) {
                let quad = pick::quad(execution, lane).fold(0, |quad: Mask, lane| quad | 1 << lane);
                decided_in(execution, predicate, quad, lane);
                let result = if all { holds & quad == quad } else { holds & quad != 0 };
                out[0].bits[lane] = u64::from(result);
            }
        }
        Action::Pass(value) => {
            for (to, from) in out.iter_mut().zip(execution.arguments[usize::from(value)]) {
                for lane in lanes_of(set) {
                    copy_lane(to, lane, from, lane);
                }
            }
        }
        Action::Fetch(_) | Action::Push { .. } | Action::Write { .. } | Action::Swap { .. } | Action::Fold { .. } => {}
    }
}

/// [`Action::All`] and [`Action::Any`] in a workgroup.
pub(super) fn perform_workgroup(action: &Action, parts: &mut [Part]) -> Vec<(usize, Violation)> {
    let (Action::All(Predicate::NonZero(operand)) | Action::Any(Predicate::NonZero(operand))) = *action else {
        return Vec::new();
    };
    let argument = usize::from(operand);
    let holds = |part: &Part, lane: usize| part.arguments[argument].iter().any(|slot| slot.bits[lane] != 0);
    let result = match action {
        Action::All(_) => parts.iter().all(|part| lanes_of(part.set).all(|lane| holds(part, lane))),
        _ => parts.iter().any(|part| lanes_of(part.set).any(|lane| holds(part, lane))),
    };
    let unknown_of = |part: &Part| {
        part.arguments[argument].iter().fold(0, |mask, slot| mask | slot.indeterminate_lanes()) & part.set
    };
    let unknown: Vec<Mask> = parts.iter().map(unknown_of).collect();
    let is_known = unknown.iter().all(|&lanes| lanes == 0);
    let mut violations = Vec::new();
    for (index, part) in parts.iter_mut().enumerate() {
        put(part.out, part.set, |_| u64::from(result));
        part.out[0].undefined = None;
        part.out[0].poison = if is_known { 0 } else { part.set };
        if !is_known && part.set != 0 {
            let kind = ViolationKind::Indeterminate { argument, sources: unknown[index], is_poison: false };
            violations.push((index, Violation { lanes: part.set, kind }));
        }
    }
    violations
}

fn put(out: &mut [Slot], set: Mask, result: impl Fn(usize) -> u64) {
    for lane in lanes_of(set) {
        out[0].bits[lane] = result(lane);
    }
}

/// Writes the same mask for all lanes of the set.
fn put_mask(execution: &Execution, mask: Mask, out: &mut [Slot]) {
    put_mask_in(execution, execution.set, mask, out);
}

/// Writes a mask for some lanes, in as many words as there are.
fn put_mask_in(execution: &Execution, lanes: Mask, mask: Mask, out: &mut [Slot]) {
    let mut from = 0;
    for (slot, scalar) in out.iter_mut().zip(component_widths(execution.result)) {
        let word = mask.checked_shr(from).unwrap_or(0) & low_bits(scalar);
        for lane in lanes_of(lanes) {
            slot.bits[lane] = word;
        }
        from += scalar;
    }
}

/// How many bits each component of a type has.
fn component_widths(shape: &[Scalar]) -> impl Iterator<Item = u32> {
    shape
        .iter()
        .flat_map(|scalar| (0..scalar.components() as u32).map(|component| (scalar.bits() - 64 * component).min(64)))
}

/// The lanes of the set for which a predicate holds, which all of them get to know.
fn holding(execution: &mut Execution, predicate: Predicate) -> Mask {
    for operand in operands_of(predicate) {
        let unknown = execution.unknown(operand);
        execution.decided_by(operand, unknown, execution.set);
    }
    each_holding(execution, predicate)
}

/// The same where each lane gets to know it of those before it.
fn holding_before(execution: &mut Execution, predicate: Predicate) -> Mask {
    for operand in operands_of(predicate) {
        let unknown = execution.unknown(operand);
        if unknown != 0 {
            let behind = !low_bits(unknown.trailing_zeros() + 1);
            let lanes = execution.set & behind;
            if lanes != 0 {
                execution.decided_by(operand, unknown, lanes);
            }
        }
    }
    each_holding(execution, predicate)
}

/// Records that a lane gets to know a predicate of other lanes, where it is not known.
fn decided_in(execution: &mut Execution, predicate: Predicate, lanes: Mask, lane: usize) {
    for operand in operands_of(predicate) {
        let unknown = execution.unknown(operand) & lanes;
        execution.decided_by(operand, unknown, 1 << lane);
    }
}

/// An operand that decides something for all.
fn decided_by_all(execution: &mut Execution, operand: u8) {
    let unknown = execution.unknown(operand);
    execution.decided_by(operand, unknown, execution.set);
}

fn operands_of(predicate: Predicate) -> impl Iterator<Item = u8> {
    match predicate {
        Predicate::Present => 0..0,
        Predicate::NonZero(operand) => operand..operand + 1,
        Predicate::Compare => 0..2,
    }
}

fn each_holding(execution: &Execution, predicate: Predicate) -> Mask {
    let holds = |&lane: &usize| match predicate {
        Predicate::Present => true,
        Predicate::NonZero(operand) => {
            execution.arguments[usize::from(operand)].iter().any(|slot| slot.bits[lane] != 0)
        }
        Predicate::Compare => compares(execution, lane),
    };
    lanes_of(execution.set).filter(holds).fold(0, |mask, lane| mask | 1 << lane)
}

/// Whether the first two operands compare as the third one says, by the numbers of predicates in LLVM: 0 to 15 for
/// floating-point numbers, 32 to 41 for integers. `amdgcn.icmp` and `amdgcn.fcmp`.
fn compares(execution: &Execution, lane: usize) -> bool {
    use std::cmp::Ordering;
    let scalar = execution.shapes[0][0];
    let (one, other) = (execution.bits(0, lane), execution.bits(1, lane));
    let code = execution.bits(2, execution.first());
    if scalar.is_float() {
        let order = decode(scalar, one).partial_cmp(&decode(scalar, other));
        let bit = match order {
            Some(Ordering::Equal) => 1,
            Some(Ordering::Greater) => 2,
            Some(Ordering::Less) => 4,
            None => 8,
        };
        return code & bit != 0;
    }
    let extended = |bits: u64| (bits << (64 - scalar.bits().min(64))) as i64;
    let (unsigned, signed) = (one.cmp(&other), extended(one).cmp(&extended(other)));
    match code {
        32 => unsigned.is_eq(),
        33 => unsigned.is_ne(),
        34 => unsigned.is_gt(),
        35 => unsigned.is_ge(),
        36 => unsigned.is_lt(),
        37 => unsigned.is_le(),
        38 => signed.is_gt(),
        39 => signed.is_ge(),
        40 => signed.is_lt(),
        41 => signed.is_le(),
        _ => false,
    }
}

/// The lanes of the set whose value has the same bits as that of a lane.
fn matching(execution: &Execution, value: u8, lane: usize) -> Mask {
    let slots = execution.arguments[usize::from(value)];
    let same = |&other: &usize| slots.iter().all(|slot| slot.bits[other] == slot.bits[lane]);
    lanes_of(execution.set).filter(same).fold(0, |mask, lane| mask | 1 << lane)
}

fn all_equal(execution: &mut Execution, value: u8, out: &mut [Slot]) {
    decided_by_all(execution, value);
    let shape = &execution.shapes[usize::from(value)];
    let (set, first) = (execution.set, execution.first());
    let slots = execution.arguments[usize::from(value)];
    let is_equal = |(scalar, slot): (&Scalar, &Slot)| {
        lanes_of(set).all(|lane| {
            let (one, other) = (slot.bits[first], slot.bits[lane]);
            match scalar.is_float() {
                true => decode(*scalar, one) == decode(*scalar, other),
                false => one == other,
            }
        })
    };
    if out.len() == 1 {
        let equal = shape.iter().zip(slots).all(is_equal);
        put(out, set, |_| u64::from(equal));
        return;
    }
    for (element, slot) in shape.iter().zip(slots).zip(out) {
        let equal = is_equal(element);
        put(std::slice::from_mut(slot), set, |_| u64::from(equal));
    }
}

/// A mask that has to be the same in all lanes.
fn uniform_mask(execution: &mut Execution, mask: u8) {
    let slots = execution.arguments[usize::from(mask)];
    let first = execution.first();
    let differs = |&lane: &usize| slots.iter().any(|slot| slot.bits[lane] != slot.bits[first]);
    let lanes = lanes_of(execution.set).filter(differs).fold(0, |lanes, lane| lanes | 1 << lane);
    execution.violation(lanes, ViolationKind::NotUniform { argument: usize::from(mask) });
}

/// A bit of a mask that is one integer or a vector of words.
fn word_bit(execution: &Execution, mask: u8, lane: usize, bit: u64) -> u64 {
    let mut from = 0;
    let widths = component_widths(&execution.shapes[usize::from(mask)]);
    for (slot, width) in execution.arguments[usize::from(mask)].iter().zip(widths) {
        if (from..from + u64::from(width)).contains(&bit) {
            return slot.bits[lane] >> (bit - from) & 1;
        }
        from += u64::from(width);
    }
    0
}

fn of_mask(execution: &mut Execution, operand: u8, function: MaskFunction, out: &mut [Slot]) {
    let mut unknown = execution.unknown(operand);
    if let MaskFunction::Bit(index) = function {
        unknown |= execution.unknown(index);
    }
    let size = execution.size as u64;
    let base = execution.base;
    for lane in lanes_of(execution.set) {
        let number = (lane - base) as u64;
        let bit = |bit: u64| word_bit(execution, operand, lane, bit);
        let count = |end: u64| (0..end.min(size)).map(bit).sum::<u64>();
        // Of a mask without bits, there is no lowest one.
        let place = |found: Option<u64>| found.ok_or(());
        let result = match function {
            MaskFunction::Bit(index) => {
                let index = execution.bits(index, lane);
                if index < size { Ok(bit(index)) } else { Err(()) }
            }
            MaskFunction::Count => Ok(count(size)),
            MaskFunction::CountUpTo => Ok(count(number + 1)),
            MaskFunction::CountBefore => Ok(count(number)),
            MaskFunction::Lowest => place((0..size).find(|&index| bit(index) == 1)),
            MaskFunction::Highest => place((0..size).rev().find(|&index| bit(index) == 1)),
        };
        out[0].bits[lane] = result.unwrap_or(0);
        out[0].poison |= u64::from(result.is_err()) << lane;
    }
    out[0].poison |= unknown;
}

/// The differences in a quad whose threads are 0 and 1 above 2 and 3. A coarse one is that of thread 0's row, or column.
fn derivative(execution: &mut Execution, value: u8, direction: Direction, fine: bool, out: &mut [Slot]) {
    let shape = &execution.shapes[usize::from(value)];
    let slots = execution.arguments[usize::from(value)];
    let (set, base, unknown) = (execution.set, execution.base, execution.unknown(value));
    for lane in lanes_of(set) {
        let first = base + (lane - base) / 4 * 4;
        let place = lane - first;
        let across = |x: bool| match (x, fine) {
            (true, true) => (first + (place & 2), first + (place & 2) + 1),
            (false, true) => (first + (place & 1), first + (place & 1) + 2),
            (true, false) => (first, first + 1),
            (false, false) => (first, first + 2),
        };
        let pairs: &[(usize, usize)] = match direction {
            Direction::X => &[across(true)],
            Direction::Y => &[across(false)],
            Direction::Both => &[across(true), across(false)],
        };
        let sources = pairs.iter().flat_map(|&(from, to)| [from, to]);
        let missing = sources.clone().find(|&source| !execution.has(source));
        if let Some(source) = missing {
            execution.violation(1 << lane, execution.absence(source));
            for slot in out.iter_mut() {
                slot.poison |= 1 << lane;
            }
            continue;
        }
        let not_known = sources.fold(0, |mask: Mask, source| mask | 1 << source) & unknown;
        execution.decided_by(value, not_known, 1 << lane);
        for ((scalar, slot), out) in shape.iter().zip(slots).zip(out.iter_mut()) {
            let number = |lane: usize| decode(*scalar, slot.bits[lane]);
            // The difference of two numbers, rounded to their type; in 64 bits it is exact enough to round once.
            let difference = |&(from, to): &(usize, usize)| decode(*scalar, encode(*scalar, number(to) - number(from)));
            let result = match direction {
                Direction::Both => pairs.iter().map(|pair| difference(pair).abs()).sum(),
                _ => difference(&pairs[0]),
            };
            out.bits[lane] = encode(*scalar, result);
        }
    }
}
