//! How often a loop passes its test.
//!
//! **Definition.** A *counted exit* is a block `E` of the loop that is executed once in each iteration (it dominates the latch and is in no
//! loop inside), and ends in a branch on `icmp x, b` of which one target is outside; `b` does not change in the loop, and the `k`-th
//! execution of the test sees `x = x₀ + k·s` modulo 2^w, for constants `s ≠ 0`. The *passes* `P` of the exit are the
//! number of tests that go on inside before the first that leaves; infinite where none does. An exit in the header is the test of a `while`: its loop
//! has `P` full iterations. Behind any other exit it has `P + 1`.
//!
//! Three things may be known of `P`, each with its proof at the function that says so: its value, its remainder by the factor, or a number that
//! the program can compute before the loop and that is never more than `P`. The last is all that a main loop with a remainder needs: the
//! remainder tests again. None of this relies on `nsw` or `nuw`.

use reconverge_ir::constant::ConstantData;
use reconverge_ir::function::{Block, Definition, Extra, Inst, Value};
use reconverge_ir::opcode::{Opcode, Predicate};
use reconverge_ir::types::TypeData;
use reconverge_ir::{Function, Module};

use super::low_bits::{LowBits, low_bits, mask};
use super::shape::{Flow, Loop, integer};

/// A counted exit.
#[derive(Debug, Clone, Copy)]
pub(super) struct Counted {
    /// The block with the test.
    pub(super) block: Block,
    /// Where it goes on, and where it leaves.
    pub(super) inside: Block,
    pub(super) outside: Block,
    /// What holds of `x` and the bound as long as it goes on.
    pub(super) predicate: Predicate,
    /// The bits of the numbers.
    pub(super) width: u32,
    /// The phi that counts: `x₀` is what it begins with, and `offset`.
    pub(super) phi: Inst,
    /// What is added to the phi's value, modulo 2^w.
    pub(super) offset: u64,
    /// How much `x` grows; negative where it shrinks.
    pub(super) step: i64,
    /// The bound.
    pub(super) bound: Value,
}

/// A value as the value of a phi in the header plus a constant.
fn affine(function: &Function, found: &Loop, mut value: Value) -> Option<(Inst, u64)> {
    let mut offset = 0u64;
    for _ in 0..16 {
        let Definition::Instruction(inst) = function.values[value].definition else { return None };
        let data = &function.instructions[inst];
        if data.opcode == Opcode::Phi {
            return (data.block == found.header).then_some((inst, offset));
        }
        if !found.contains(data.block) || !matches!(data.opcode, Opcode::Add | Opcode::Sub) {
            return None;
        }
        let operands = function.operands(inst);
        let (rest, constant) = match (data.opcode, integer(function, operands[0]), integer(function, operands[1])) {
            (Opcode::Add, _, Some(constant)) => (operands[0], constant as u64),
            (Opcode::Add, Some(constant), _) => (operands[1], constant as u64),
            (Opcode::Sub, _, Some(constant)) => (operands[0], (constant as u64).wrapping_neg()),
            _ => return None,
        };
        (value, offset) = (rest, offset.wrapping_add(constant));
    }
    None
}

/// What a phi of the header has from the edge back.
pub(super) fn next_of(function: &Function, found: &Loop, phi: Inst) -> Option<Value> {
    let at = function.targets(phi).iter().position(|&from| from == found.latch)?;
    Some(function.operands(phi)[at])
}

/// What it begins with, if that is one value.
pub(super) fn start_of(function: &Function, found: &Loop, phi: Inst) -> Option<Value> {
    let entries = function.operands(phi).iter().zip(function.targets(phi)).filter(|(_, from)| **from != found.latch);
    let mut values = entries.map(|(&value, _)| value);
    let first = values.next()?;
    let same = |value: Value| {
        value == first || integer(function, value).is_some_and(|one| integer(function, first) == Some(one))
    };
    values.all(same).then_some(first)
}

/// The counted exits of a loop: that in the header first, then that of the latch.
pub(super) fn counted_exits(module: &Module<'_>, function: &Function, flow: &Flow, found: &Loop) -> Vec<Counted> {
    let once = |block: Block| {
        let innermost = flow.forest.innermost(super::shape::node(block));
        innermost == Some(found.cycle) && flow.dominates(block, found.latch)
    };
    let mut blocks: Vec<Block> = found.blocks.iter().copied().filter(|&block| once(block)).collect();
    blocks.sort_by_key(|&block| (block != found.header, block != found.latch));
    blocks.into_iter().filter_map(|block| counted(module, function, found, block)).collect()
}

fn counted(module: &Module<'_>, function: &Function, found: &Loop, block: Block) -> Option<Counted> {
    let terminator = function.terminator(block);
    let (&[condition], &[yes, no]) = (function.operands(terminator), function.targets(terminator)) else { return None };
    let (inside, outside) = match (found.contains(yes), found.contains(no)) {
        (true, false) => (yes, no),
        (false, true) => (no, yes),
        _ => return None,
    };
    let Definition::Instruction(compare) = function.values[condition].definition else { return None };
    let data = &function.instructions[compare];
    let (Opcode::ICmp, Extra::Predicate(mut predicate), true) = (data.opcode, data.extra, found.contains(data.block))
    else {
        return None;
    };
    let &[mut x, mut bound] = function.operands(compare) else { return None };
    let is_invariant = |value: Value| match function.values[value].definition {
        Definition::Instruction(inst) => !found.contains(function.instructions[inst].block),
        Definition::Constant(constant) => matches!(constant, ConstantData::Integer(_) | ConstantData::Zero),
        _ => true,
    };
    if is_invariant(x) {
        (x, bound, predicate) = (bound, x, swapped(predicate));
    }
    if inside == no {
        predicate = inverted(predicate);
    }
    let TypeData::Integer(width @ 2..=64) = module.types[function.values[x].ty] else { return None };
    let (phi, offset) = affine(function, found, x)?;
    let (same, step) = affine(function, found, next_of(function, found, phi)?)?;
    let step = (step << (64 - width)) as i64 >> (64 - width);
    if same != phi || step == 0 || step == i64::MIN || !is_invariant(bound) {
        return None;
    }
    Some(Counted { block, inside, outside, predicate, width, phi, offset: offset & mask(width), step, bound })
}

fn swapped(predicate: Predicate) -> Predicate {
    use Predicate::*;
    match predicate {
        Ugt => Ult,
        Uge => Ule,
        Ult => Ugt,
        Ule => Uge,
        Sgt => Slt,
        Sge => Sle,
        Slt => Sgt,
        Sle => Sge,
        other => other,
    }
}

fn inverted(predicate: Predicate) -> Predicate {
    use Predicate::*;
    match predicate {
        Eq => Ne,
        Ne => Eq,
        Ugt => Ule,
        Uge => Ult,
        Ult => Uge,
        Ule => Ugt,
        Sgt => Sle,
        Sge => Slt,
        Slt => Sge,
        Sle => Sgt,
        other => other,
    }
}

/// How a test compares, where the step goes towards the bound.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Towards {
    /// `x ≠ b`
    Other,
    /// `x < b` and growing, or `x > b` and shrinking.
    Strict,
    /// `x ≤ b` and growing, or `x ≥ b` and shrinking.
    Loose,
}

impl Counted {
    /// How the test compares; nothing where it would only end by wrapping around, or after one pass.
    pub(super) fn towards(&self) -> Option<Towards> {
        use Predicate::*;
        match (self.predicate, self.step > 0) {
            (Ne, _) => Some(Towards::Other),
            (Ult | Slt, true) | (Ugt | Sgt, false) => Some(Towards::Strict),
            (Ule | Sle, true) | (Uge | Sge, false) => Some(Towards::Loose),
            _ => None,
        }
    }

    pub(super) fn is_signed(&self) -> bool {
        matches!(self.predicate, Predicate::Slt | Predicate::Sle | Predicate::Sgt | Predicate::Sge)
    }

    fn number(&self, bits: u64) -> i128 {
        let bits = bits & mask(self.width);
        if self.is_signed() {
            i128::from((bits << (64 - self.width)) as i64 >> (64 - self.width))
        } else {
            i128::from(bits)
        }
    }

    /// `x₀` and the bound as numbers, where both are constants.
    fn constants(&self, function: &Function, found: &Loop) -> Option<(i128, i128)> {
        let start = integer(function, start_of(function, found, self.phi)?)? as u64;
        let bound = integer(function, self.bound)? as u64;
        Some((self.number(start.wrapping_add(self.offset)), self.number(bound)))
    }

    /// `P` exactly, where `x₀` and the bound are constants.
    ///
    /// Let `d` be the distance from `x₀` to the bound in the direction of the step. For `≠`, `x` meets the bound first after `d / |s|` steps when
    /// `|s|` divides `d` (an earlier `k` would have `k·|s| < d`, so the numbers differ); otherwise nothing is said. For orders, the
    /// test fails first after `⌈d / |s|⌉` steps, or `⌊d / |s|⌋ + 1`, where `x` is still a number of `w` bits then; otherwise nothing is said.
    pub(super) fn exact(&self, function: &Function, found: &Loop) -> Option<u128> {
        let (first, bound) = self.constants(function, found)?;
        let step = i128::from(self.step);
        let distance = if step > 0 { bound - first } else { first - bound };
        let size = step.unsigned_abs();
        let passes = match self.towards() {
            Some(Towards::Other) => {
                let distance = distance.rem_euclid(1 << self.width) as u128;
                return distance.is_multiple_of(size).then_some(distance / size);
            }
            Some(Towards::Strict) if distance > 0 => (distance as u128).div_ceil(size),
            Some(Towards::Loose) if distance >= 0 => distance as u128 / size + 1,
            Some(_) => return Some(0),
            None if self.predicate == Predicate::Eq => return Some(u128::from(first == bound)),
            None => return None,
        };
        let last = first + step * passes as i128;
        let (low, high) = if self.is_signed() {
            (-(1i128 << (self.width - 1)), (1i128 << (self.width - 1)) - 1)
        } else {
            (0, (1i128 << self.width) - 1)
        };
        (low..=high).contains(&last).then_some(passes)
    }

    /// `P` modulo the factor, where that is known.
    ///
    /// For a factor that is a power of two, with `d` as in [`Counted::exact`]: let `d ≡ r` modulo 2^z. For `≠` and `|s| = 2^q`, `q ≤ z`, where 2^q divides `r`,
    /// `P = (d mod 2^w) / 2^q ≡ r / 2^q` modulo 2^(z-q). For `<` and `>`, if `|s|` times the factor divides `d`, then `P` is `d / |s|`, with `x` equal to
    /// the bound at the end and so without wrapping, or 0 where the first test fails. If the exit is not in the header, `P` counts one less than
    /// there are iterations; then `d + |s|` has to be divisible, and [`Counted::enters`] to say that the loop would not have been
    /// entered if the test had failed before the first iteration: `P = (d + |s|) / |s| - 1`.
    pub(super) fn remainder(
        &self,
        module: &Module<'_>,
        function: &Function,
        flow: &Flow,
        found: &Loop,
        factor: u32,
    ) -> Option<u32> {
        if let Some(passes) = self.exact(function, found) {
            return Some((passes % u128::from(factor)) as u32);
        }
        if !factor.is_power_of_two() {
            return None;
        }
        let wanted = factor.trailing_zeros();
        let start = start_of(function, found, self.phi)?;
        let range = self.range(module, function, start);
        let distance = range.minus(LowBits::constant(self.offset));
        let size = self.step.unsigned_abs();
        let distance = if self.step > 0 { distance } else { LowBits::constant(0).minus(distance) };
        let shift = size.trailing_zeros();
        if !size.is_power_of_two() || distance.known < shift + wanted {
            return None;
        }
        let (of_size, by_size) = (distance.value & mask(shift), distance.value >> shift & mask(wanted));
        match self.towards()? {
            Towards::Other => (of_size == 0).then_some(by_size as u32),
            Towards::Strict if of_size != 0 => None,
            Towards::Strict if by_size == 0 => Some(0),
            Towards::Strict if by_size as u32 == factor - 1 && self.enters(module, function, flow, found, start) => {
                Some(factor - 1)
            }
            _ => None,
        }
    }

    /// What is known of the bound minus what the phi begins with.
    fn range(&self, module: &Module<'_>, function: &Function, start: Value) -> LowBits {
        // start + y has the distance y, whatever start is.
        if let Definition::Instruction(inst) = function.values[self.bound].definition
            && function.instructions[inst].opcode == Opcode::Add
        {
            let operands = function.operands(inst);
            if let Some(at) = operands.iter().position(|&operand| operand == start) {
                return low_bits(&module.types, function, operands[1 - at]);
            }
        }
        let of = |value| low_bits(&module.types, function, value);
        let range = of(self.bound).minus(of(start));
        LowBits::new(range.known.min(self.width), range.value)
    }

    /// Whether what the phi begins with passes the test, since the loop is entered only behind a branch that says so; where the test adds one
    /// step to it first.
    fn enters(&self, module: &Module<'_>, function: &Function, flow: &Flow, found: &Loop, start: Value) -> bool {
        if self.offset != (self.step as u64) & mask(self.width) {
            return false;
        }
        let same = |a: Value, b: Value| {
            let number = |value| integer(function, value).map(|bits| bits as u64 & mask(self.width));
            a == b || number(a).is_some_and(|number_of_a| number(b) == Some(number_of_a))
        };
        let mut block = found.header;
        for _ in 0..8 {
            let mut into = flow.predecessors[block.index()]
                .iter()
                .filter(|&&from| !(block == found.header && from == found.latch));
            let (Some(&from), None) = (into.next(), into.next()) else { return false };
            let terminator = function.terminator(from);
            if let (&[condition], &[yes, no]) = (function.operands(terminator), function.targets(terminator))
                && yes != no
                && let Definition::Instruction(compare) = function.values[condition].definition
                && let (Opcode::ICmp, Extra::Predicate(predicate)) =
                    (function.instructions[compare].opcode, function.instructions[compare].extra)
                && module.types[function.values[function.operands(compare)[0]].ty] == TypeData::Integer(self.width)
            {
                let holds = if yes == block { predicate } else { inverted(predicate) };
                let operands = function.operands(compare);
                let says = |holds: Predicate, a: Value, b: Value| {
                    let never_zero = holds == Predicate::Ne
                        && self.predicate == Predicate::Ult
                        && integer(function, start) == Some(0);
                    (holds == self.predicate || never_zero) && same(a, start) && same(b, self.bound)
                };
                if says(holds, operands[0], operands[1]) || says(swapped(holds), operands[1], operands[0]) {
                    return true;
                }
            }
            block = from;
        }
        false
    }
}

use cranelift_entity::EntityRef;
