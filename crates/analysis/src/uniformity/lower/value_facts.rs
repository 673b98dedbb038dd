//! Values that do not depend on all of their operands (refinement 5).
//!
//! Two kinds of facts. *Identities*: `x ^ x`, a multiplication by zero, a comparison of a value with itself. *Bits*: threads of a
//! subgroup have consecutive numbers, so a thread id that does not start over within a subgroup differs only in its low bits.
//! For an integer `v` we look for `k` such that `floor(v / 2^k)` is a function of *other* values (the rest), an upper
//! bound of `v`, and how many of its low bits are zero. Where an operation leaves `k = 0`, its result is a function of the
//! rest alone. So it is in a comparison with a multiple of `2^k`: `v < 2^k·m` says `floor(v / 2^k) < m`.
//!
//! Let `S` be the size of subgroups and `X`, `Y`, `Z` the extents of the workgroup. The thread with ids `x`, `y`, `z` has the number
//! `x + X·(y + Y·z)`, and subgroups are aligned intervals of numbers of length `S`. So
//!
//! - that number differs only in the low `log S` bits, however it is computed ([`flat_number`](super::flat_number));
//! - `x` differs only in the low `log S` bits if `Y = Z = 1` or `S` divides `X`;
//! - `y` is the same if `S` divides `X`, and `z` if `S` divides `X·Y`;
//! - if `X` divides `S`, `y` differs only in the low `log (S/X)` bits if `Z = 1` or `S/X` divides `Y`;
//! - `x` is taken to differ only in the low `log S` bits where nothing is said of `Y` and `Z` and the module reads `x` alone
//!   ([`Refinements::one_dimensional`](super::Refinements::one_dimensional));
//! - `X` is a multiple of `S`, and the first two are so, where that is what is asked for ([`LoweringOptions::whole_rows`](super::LoweringOptions::whole_rows));
//! - a value below `2^k` differs only in its low `k` bits, for every set of threads;
//! - and what goes on by steps in a loop ([`loops`](super::loops)) differs as what it starts with, among threads that are in one round.

use reconverge_ir::Function;
use reconverge_ir::constant::ConstantData;
use reconverge_ir::function::{Block, Definition, Extra, Inst, InstData, Value};
use reconverge_ir::opcode::{Opcode, Predicate};
use reconverge_ir::types::TypeData;
use smallvec::SmallVec;

use super::instructions::{Context, call_of, ir_value};
use super::loops::Strides;
use super::module_facts::Role;
use super::phis::Ssa;
use super::promote::Promotion;
use crate::target::Scope;
use crate::uniformity::Rule;

type Operands = SmallVec<[Ssa; 4]>;

/// No workgroup has so many threads that the number of one is negative as an `int`: what is divided is as positive as it is unsigned.
const LARGEST: u64 = i32::MAX as u64;

/// How far definitions are followed.
const DEPTH: u32 = 6;

/// The operands that a value is a function of, where that is known to be less than all of them, and how: of these and nothing else, or of the round of a loop, too.
pub(super) fn simplify(
    context: &Context<'_>,
    promotion: &Promotion,
    strides: &Strides,
    inst: Inst,
    data: &InstData,
    result: Value,
) -> Option<(Rule, Operands)> {
    let query = Query { context, promotion, strides, block: data.block };
    if let Some(operands) = query.identity(inst, data) {
        return Some((Rule::Pure, operands));
    }
    let worth_it = match data.opcode {
        Opcode::Call => true,
        Opcode::And | Opcode::LShr | Opcode::AShr | Opcode::UDiv | Opcode::SDiv => context.input.facts.has_thread_ids(),
        Opcode::ICmp => return query.comparison(inst, data),
        _ => false,
    };
    if !worth_it {
        return None;
    }
    let mut found = Found::default();
    let bits = query.bits(result.as_u32(), DEPTH, &mut found);
    (bits.varying == 0 && found.dropped).then(|| found.concluded())
}

/// What is known of an integer.
#[derive(Debug, Clone, Copy)]
struct Bits {
    /// Without this many low bits it is a function of the rest.
    varying: u32,
    /// It is at most this.
    most: u64,
    /// This many low bits are zero.
    zeros: u32,
}

/// What a value is a function of, besides low bits.
#[derive(Debug, Default)]
struct Found {
    rest: Operands,
    /// Whether something that may differ between threads was left out.
    dropped: bool,
    /// Whether another round of a loop has another value.
    in_rounds: bool,
}

impl Found {
    fn concluded(self) -> (Rule, Operands) {
        (if self.in_rounds { Rule::Varying } else { Rule::Pure }, self.rest)
    }
}

#[derive(Clone, Copy)]
pub(super) struct Query<'a, 'c> {
    pub(super) context: &'a Context<'c>,
    promotion: &'a Promotion,
    strides: &'a Strides,
    /// Where it is asked.
    block: Block,
}

impl<'a> Query<'a, '_> {
    pub(super) fn function(self) -> &'a Function {
        self.context.input.function
    }

    pub(super) fn resolve(self, value: Value) -> Ssa {
        self.promotion.resolve(value)
    }

    pub(super) fn operand(self, inst: Inst, index: usize) -> Option<Ssa> {
        self.function().operands(inst).get(index).map(|&value| self.resolve(value))
    }

    fn constant(self, value: Ssa) -> Option<ConstantData> {
        match self.function().values[ir_value(self.function(), value)?].definition {
            Definition::Constant(constant) => Some(constant),
            _ => None,
        }
    }

    /// A constant of integer type, zero-extended.
    pub(super) fn integer(self, value: Ssa) -> Option<u64> {
        let mask = mask(self.width(value)?);
        match self.constant(value) {
            Some(ConstantData::Integer(number)) => Some(number.cast_unsigned() & mask),
            Some(ConstantData::Zero) => Some(0),
            Some(_) => None,
            None => self.subgroup_size(value),
        }
    }

    /// The number of threads of a subgroup, where a value is a call that gives it.
    fn subgroup_size(self, value: Ssa) -> Option<u64> {
        let function = self.function();
        let Definition::Instruction(inst) = function.values[ir_value(function, value)?].definition else { return None };
        let Context { input, launch, .. } = self.context;
        launch.subgroup.filter(|_| input.facts.is_subgroup_size(function, inst)).map(u64::from)
    }

    fn is_zero(self, value: Ssa) -> bool {
        matches!(self.constant(value), Some(ConstantData::Integer(0) | ConstantData::Zero))
    }

    fn is_all_ones(self, value: Ssa) -> bool {
        self.integer(value).is_some_and(|number| self.width(value).map(mask) == Some(number))
    }

    /// How many bits an integer has, if it has at most 64.
    pub(super) fn width(self, value: Ssa) -> Option<u32> {
        let values = &self.function().values;
        let ty = match ir_value(self.function(), value) {
            Some(value) => values[value].ty,
            None => self.promotion.type_of_phi((value as usize).checked_sub(values.len())?)?,
        };
        match self.context.input.module.types[ty] {
            TypeData::Integer(bits @ 1..=64) => Some(bits),
            _ => None,
        }
    }

    fn identity(self, inst: Inst, data: &InstData) -> Option<Operands> {
        let none = || Some(Operands::new());
        let operands = self.function().operands(inst);
        let (left, right) = match *operands {
            [left, right] => (self.resolve(left), self.resolve(right)),
            [condition, yes, no] if data.opcode == Opcode::Select => {
                let (yes, no) = (self.resolve(yes), self.resolve(no));
                let chosen = match self.integer(self.resolve(condition)) {
                    Some(0) => no,
                    Some(_) => yes,
                    None if yes == no => yes,
                    None => return None,
                };
                return Some([chosen].into_iter().collect());
            }
            _ => return None,
        };
        match data.opcode {
            Opcode::Xor | Opcode::Sub | Opcode::ICmp if left == right => none(),
            Opcode::And | Opcode::Mul if self.is_zero(left) || self.is_zero(right) => none(),
            Opcode::Shl | Opcode::LShr | Opcode::AShr | Opcode::UDiv | Opcode::SDiv | Opcode::URem | Opcode::SRem
                if self.is_zero(left) =>
            {
                none()
            }
            Opcode::URem | Opcode::SRem if self.integer(right) == Some(1) => none(),
            Opcode::Or if [left, right].iter().any(|&one| self.is_all_ones(one)) => none(),
            _ => None,
        }
    }

    /// A comparison that does not depend on low bits, or on nothing.
    fn comparison(self, inst: Inst, data: &InstData) -> Option<(Rule, Operands)> {
        if !self.context.input.facts.has_thread_ids() {
            return None;
        }
        let Extra::Predicate(predicate) = data.extra else { return None };
        let (left, right) = (self.operand(inst, 0)?, self.operand(inst, 1)?);
        let by_bound = self.by_bound(left, right, predicate);
        by_bound
            .map(|operands| (Rule::Pure, operands))
            .or_else(|| self.by_multiple(left, right, predicate))
            .or_else(|| self.by_multiple(right, left, swapped(predicate)))
    }

    /// A comparison with a multiple of a power of two, of a value that differs in lower bits only.
    fn by_multiple(self, left: Ssa, right: Ssa, predicate: Predicate) -> Option<(Rule, Operands)> {
        let mut found = Found::default();
        let (value, mut limit) = (self.bits(left, DEPTH, &mut found), self.bits(right, DEPTH, &mut found));
        match predicate {
            Predicate::Ult | Predicate::Uge | Predicate::Slt | Predicate::Sge => {}
            // Up to a number is below the next one; where there is none, every value is.
            Predicate::Ule | Predicate::Ugt | Predicate::Sle | Predicate::Sgt => {
                limit.zeros = self.integer(right)?.wrapping_add(1).trailing_zeros();
            }
            _ => return None,
        }
        // The sign has to be one of the bits that do not differ.
        let known = found.dropped && value.varying < self.width(left)?;
        (known && limit.varying == 0 && limit.zeros >= value.varying).then(|| found.concluded())
    }

    /// A comparison with a constant that the bound of the other side decides.
    fn by_bound(self, left: Ssa, right: Ssa, predicate: Predicate) -> Option<Operands> {
        let (value, limit, predicate) = match (self.integer(left), self.integer(right)) {
            (None, Some(limit)) => (left, limit, predicate),
            (Some(limit), None) => (right, limit, swapped(predicate)),
            _ => return None,
        };
        let mut found = Found::default();
        let bits = self.bits(value, DEPTH, &mut found);
        let width = self.width(value)?;
        let most = bits.most;
        if most >= mask(width) {
            return None;
        }
        // Both sides are non-negative, so that signed comparisons are unsigned ones.
        let non_negative = most <= mask(width) >> 1 && limit <= mask(width) >> 1;
        let decided = match predicate {
            Predicate::Eq | Predicate::Ne | Predicate::Ule | Predicate::Ugt if most < limit => true,
            Predicate::Ult | Predicate::Uge => most < limit || limit == 0,
            Predicate::Ule | Predicate::Ugt => most <= limit,
            Predicate::Slt | Predicate::Sge => non_negative && (most < limit || limit == 0),
            Predicate::Sle | Predicate::Sgt => non_negative && most <= limit,
            _ => false,
        };
        decided.then(Operands::new)
    }

    /// Looks at an integer; what it is a function of besides `varying` low bits is added to `found`.
    fn bits(self, value: Ssa, depth: u32, found: &mut Found) -> Bits {
        let Some(width) = self.width(value) else { return self.opaque(value, u64::MAX, found) };
        let most = mask(width);
        if let Some(number) = self.integer(value) {
            return Bits { varying: 0, most: number, zeros: if number == 0 { width } else { number.trailing_zeros() } };
        }
        if let Some(bits) = self.strides(value, depth, found) {
            return bits;
        }
        let definition = ir_value(self.function(), value).map(|ir| self.function().values[ir].definition);
        let Some(Definition::Instruction(inst)) = definition else { return self.opaque(value, most, found) };
        let (mark, dropped) = (found.rest.len(), found.dropped);
        match self.bits_of(inst, width, depth, found) {
            Some(mut bits) => {
                bits.most = bits.most.min(most);
                let length = 64 - bits.most.leading_zeros();
                if length <= bits.varying || bits.most == 0 {
                    // All that is not known is in its low bits.
                    found.rest.truncate(mark);
                    found.dropped = true;
                    bits.varying = length;
                }
                bits
            }
            None => {
                found.rest.truncate(mark);
                found.dropped = dropped;
                self.opaque(value, most, found)
            }
        }
    }

    /// What goes on by steps in a loop that the question is asked in.
    fn strides(self, value: Ssa, depth: u32, found: &mut Found) -> Option<Bits> {
        let depth = depth.checked_sub(1)?;
        let stride = self.strides.of(value, self.block)?;
        let mut of_both = Found::default();
        let (first, step) = (self.bits(stride.first, depth, &mut of_both), self.bits(stride.step, depth, &mut of_both));
        if !of_both.dropped || step.varying > 0 || step.zeros < first.varying {
            return None;
        }
        found.rest.extend(of_both.rest);
        (found.dropped, found.in_rounds) = (true, true);
        Some(Bits { varying: first.varying, most: mask(self.width(value)?), zeros: first.zeros.min(step.zeros) })
    }

    fn opaque(self, value: Ssa, most: u64, found: &mut Found) -> Bits {
        found.rest.push(value);
        Bits { varying: 0, most, zeros: 0 }
    }

    /// Nothing for what is not understood; `found` may then have too much in it.
    fn bits_of(self, inst: Inst, width: u32, depth: u32, found: &mut Found) -> Option<Bits> {
        let data = &self.function().instructions[inst];
        if data.opcode == Opcode::Call {
            return self.thread_number(inst, found).or_else(|| self.extent(inst, found));
        }
        if data.opcode == Opcode::Add && self.is_flat_number(inst) {
            return self.of_flat_number(None, found);
        }
        let depth = depth.checked_sub(1)?;
        let left = self.operand(inst, 0)?;
        match data.opcode {
            Opcode::ZExt | Opcode::Freeze => return Some(self.bits(left, depth, found)),
            Opcode::Trunc => {
                let bits = self.bits(left, depth, found);
                return Some(Bits { zeros: bits.zeros.min(width), ..bits });
            }
            Opcode::SExt => {
                let bits = self.bits(left, depth, found);
                if bits.most <= mask(self.width(left)?) >> 1 {
                    return Some(bits);
                }
                // Low bits stay as they are.
                return (bits.varying == 0).then_some(Bits { most: u64::MAX, ..bits });
            }
            _ => {}
        }
        let right = self.operand(inst, 1)?;
        if let Some(number) = self.integer(right) {
            let exponent = number.is_power_of_two().then(|| number.trailing_zeros());
            match data.opcode {
                Opcode::LShr if number < width.into() => {
                    return Some(self.bits(left, depth, found).right(number as u32));
                }
                Opcode::UDiv if number > 0 => return Some(self.bits(left, depth, found).divided(number)),
                Opcode::AShr if number < width.into() => {
                    let bits = self.bits(left, depth, found);
                    return (bits.most <= mask(width) >> 1).then(|| bits.right(number as u32));
                }
                Opcode::SDiv if number > 0 && number <= mask(width) >> 1 => {
                    let dividend = self.bits(left, depth, found);
                    return (dividend.most <= mask(width) >> 1).then(|| dividend.divided(number));
                }
                Opcode::Shl if number < width.into() => return Some(self.bits(left, depth, found).left(number as u32)),
                Opcode::Mul => return Some(self.bits(left, depth, found).left(exponent?)),
                Opcode::URem if number > 0 => {
                    // The high bits of a remainder depend on the low bits of the dividend, unless it is a mask.
                    let bits = self.bits(left, depth, found);
                    let varying = if exponent.is_some() || bits.varying == 0 { bits.varying } else { width };
                    let zeros = if exponent.is_some() { bits.zeros } else { 0 };
                    return Some(Bits { varying, most: bits.most.min(number - 1), zeros });
                }
                _ => {}
            }
        }
        let (a, b) = match data.opcode {
            Opcode::And | Opcode::Or | Opcode::Xor | Opcode::Add | Opcode::Mul => {
                (self.bits(left, depth, found), self.bits(right, depth, found))
            }
            _ => return None,
        };
        let varying = a.varying.max(b.varying);
        let zeros = a.zeros.min(b.zeros);
        Some(match data.opcode {
            Opcode::And => {
                let zeros = a.zeros.max(b.zeros);
                let varying = if zeros >= varying { 0 } else { varying };
                Bits { varying, most: a.most.min(b.most), zeros }
            }
            // What wraps around keeps its low bits.
            Opcode::Mul if varying == 0 => {
                Bits { varying, most: a.most.saturating_mul(b.most), zeros: (a.zeros + b.zeros).min(width) }
            }
            Opcode::Mul => return None,
            Opcode::Or | Opcode::Xor => Bits { varying, most: filled(a.most | b.most), zeros },
            // Low bits must not carry into high ones.
            _ if varying == 0 || a.zeros.max(b.zeros) >= varying => {
                Bits { varying, most: a.most.saturating_add(b.most), zeros }
            }
            _ => return None,
        })
    }

    /// The number of a thread in its workgroup, of which something else may say how large it is.
    fn of_flat_number(self, stated: Option<u64>, found: &mut Found) -> Option<Bits> {
        let launch = &self.context.launch;
        let most = launch.workgroup_limit().map(|limit| u64::from(limit.max(1)) - 1);
        let consecutive = launch.subgroup.filter(|_| self.context.scope == Scope::Subgroup);
        self.of_thread(most.into_iter().chain(stated).min(), consecutive.map(u32::ilog2), found)
    }

    /// The ids of threads.
    fn thread_number(self, inst: Inst, found: &mut Found) -> Option<Bits> {
        let callee = call_of(self.function(), inst)?.callee.expand()?;
        let subgroup = self.context.launch.subgroup;
        let (most, varying) = match self.context.input.facts.callee(callee).role {
            Role::ThreadId(dimension) => self.thread_id(usize::from(dimension)),
            Role::ThreadIdOf => {
                let dimension = self.integer(self.operand(inst, 0)?)?;
                if dimension > 2 {
                    return None;
                }
                self.thread_id(dimension as usize)
            }
            Role::FlatThreadId => return self.of_flat_number(self.stated_bound(inst), found),
            Role::LaneId => (subgroup.map(|size| u64::from(size) - 1), None),
            _ => return None,
        };
        self.of_thread(most.into_iter().chain(self.stated_bound(inst)).min(), varying, found)
    }

    /// Something that differs between threads, in so many low bits if that is known.
    fn of_thread(self, most: Option<u64>, varying: Option<u32>, found: &mut Found) -> Option<Bits> {
        // Without a bound, all bits may vary.
        let by_bound = most.map_or(64, |most| 64 - most.leading_zeros());
        let varying = varying.unwrap_or(64).min(by_bound);
        if varying == 64 {
            return None;
        }
        found.dropped = true;
        Some(Bits { varying, most: most.unwrap_or(LARGEST), zeros: 0 })
    }

    /// How many threads a workgroup has in a row, where rows are taken to be whole subgroups.
    fn extent(self, inst: Inst, found: &mut Found) -> Option<Bits> {
        let size = self.context.launch.subgroup.filter(|size| self.has_whole_rows() && size.is_power_of_two())?;
        let callee = call_of(self.function(), inst)?.callee.expand()?;
        let is_row = match self.context.input.facts.callee(callee).role {
            Role::Extent(dimension) => dimension == 0,
            Role::ExtentOf => self.integer(self.operand(inst, 0)?)? == 0,
            _ => false,
        };
        let result = self.function().instructions[inst].result.expand().filter(|_| is_row)?;
        Some(Bits { zeros: size.ilog2(), ..self.opaque(self.resolve(result), LARGEST, found) })
    }

    /// Whether a row of a workgroup is taken to be subgroups as a whole.
    fn has_whole_rows(self) -> bool {
        self.context.options.whole_rows && self.context.launch.extents[0].is_none()
    }

    /// The largest result of a call, from its attribute `range(i32 0, 1024)`.
    fn stated_bound(self, inst: Inst) -> Option<u64> {
        let prefix = self.context.input.module.spelling(call_of(self.function(), inst)?.prefix);
        let prefix = std::str::from_utf8(prefix).ok()?;
        let (_, range) = prefix.split_once("range(i")?;
        let (from, to) = range.split_once(')')?.0.split_once(' ')?.1.split_once(',')?;
        let (from, to): (u64, u64) = (from.trim().parse().ok()?, to.trim().parse().ok()?);
        (from < to).then(|| to - 1)
    }

    /// The largest id in a dimension, and how many of its low bits differ in a subgroup.
    fn thread_id(self, dimension: usize) -> (Option<u64>, Option<u32>) {
        let launch = &self.context.launch;
        let most = launch.largest_id(dimension).map(u64::from);
        let Some(size) = launch.subgroup.filter(|_| self.context.scope == Scope::Subgroup) else { return (most, None) };
        let [x, y, z] = launch.extents.map(|extent| extent.map(u64::from));
        let size = u64::from(size);
        if self.has_whole_rows() {
            return (most, Some(if dimension == 0 { size.ilog2() } else { 0 }));
        }
        let divides = |size: u64, extent: Option<u64>| extent.is_some_and(|extent| extent > 0 && extent % size == 0);
        let area = x.zip(y).map(|(x, y)| x * y);
        let varying = match dimension {
            0 => (divides(size, x) || (y, z) == (Some(1), Some(1))).then(|| size.ilog2()),
            1 if divides(size, x) => Some(0),
            1 => x.filter(|&x| x > 0 && size % x == 0).and_then(|x| {
                let rows = size / x;
                (z == Some(1) || divides(rows, y)).then(|| rows.ilog2())
            }),
            _ => divides(size, area).then_some(0),
        };
        (most, varying)
    }
}

impl Bits {
    fn right(self, count: u32) -> Bits {
        Bits {
            varying: self.varying.saturating_sub(count),
            most: self.most.checked_shr(count).unwrap_or(0),
            zeros: self.zeros.saturating_sub(count),
        }
    }

    fn divided(self, divisor: u64) -> Bits {
        let exponent = divisor.trailing_zeros();
        // floor(v / (2^k·e)) = floor(floor(v / 2^k) / e)
        let known = self.varying <= exponent || divisor.is_power_of_two();
        let varying = if known { self.right(exponent).varying } else { 64 };
        Bits { varying, most: self.most / divisor, zeros: 0 }
    }

    fn left(self, count: u32) -> Bits {
        let fits = self.most.leading_zeros() >= count;
        Bits {
            varying: if self.varying == 0 { 0 } else { (self.varying + count).min(64) },
            most: if fits { self.most << count } else { u64::MAX },
            zeros: (self.zeros + count).min(64),
        }
    }
}

/// The largest integer of this many bits.
fn mask(width: u32) -> u64 {
    u64::MAX >> (64 - width.clamp(1, 64))
}

/// The smallest `2^k - 1` that is no less.
fn filled(most: u64) -> u64 {
    match most {
        0 => 0,
        _ => mask(64 - most.leading_zeros()),
    }
}

/// The predicate with its sides exchanged.
fn swapped(predicate: Predicate) -> Predicate {
    match predicate {
        Predicate::Ugt => Predicate::Ult,
        Predicate::Uge => Predicate::Ule,
        Predicate::Ult => Predicate::Ugt,
        Predicate::Ule => Predicate::Uge,
        Predicate::Sgt => Predicate::Slt,
        Predicate::Sge => Predicate::Sle,
        Predicate::Slt => Predicate::Sgt,
        Predicate::Sle => Predicate::Sge,
        other => other,
    }
}
