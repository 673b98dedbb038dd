//! Values that a butterfly makes the same in all lanes of a subgroup: `v += __shfl_xor_sync(mask, v, 16)`, then 8, 4, 2 and 1, one after the other or in a loop.
//!
//! **Definition.** A value is *folded* by a power of two, the distance, if any two lanes whose numbers differ by it alone have the same of it, when all lanes of a subgroup of
//! a known size execute what computes it together. What is folded by all distances below that size is the same in all lanes. Two rules:
//!
//! - *v* ∘ *w*, where ∘ is commutative and *w* is *v* of the lane at distance *d*, is folded by *d* and by all that *v* is folded by: what one lane computes as
//!   *a* ∘ *b*, the other one does as *b* ∘ *a*; and lanes that have the same *v* at some other distance also have the same *w*, as the lanes that they read are at that distance.
//! - What one value alone is computed of is folded by what that is folded by.
//!
//! A call is a ∘ where the function has a body, and its result is a ∘ of two of its parameters and of nothing else ([`combined`]): `op(v, w)` of a class with `operator()`, say.
//!
//! The shuffle says itself that all lanes execute it: its mask is a constant that names all of them, and any other execution is undefined. Which lanes a shuffle without
//! a mask finds depends on control flow, so it is not looked at.
//!
//! **In a loop** whose number of rounds is known, what a phi at the header holds behind it is folded by the distances of all rounds. The phi itself is not: so there is one
//! value more for it, which those that use it behind the loop see.
//!
//! What it misses: values that go through memory on the way (also those that a function is given by reference), and shuffles in loops that are left in between. (A sum that comes together in one lane and is broadcast from there
//! is known by the broadcast.)

use std::ops::Deref;

use cranelift_entity::EntityRef;
use reconverge_graph::{Digraph, Node};
use reconverge_ir::constant::ConstantData;
use reconverge_ir::function::{Block, Definition, Extra, Inst, Value};
use reconverge_ir::opcode::{Opcode, Predicate};
use reconverge_ir::types::TypeData;
use rustc_hash::{FxHashMap, FxHashSet};

use super::instructions::{Context, call_of, ir_value};
use super::loops::Loops;
use super::module_facts::Role;
use super::phis::Ssa;
use super::promote::Promotion;
use crate::integers::{binary, compare, mask, signed};
use crate::target::Scope;

/// So many steps are followed.
const DEPTH: u32 = 24;
/// So far numbers are computed: what they are computed of may be a tree.
const TREE: u32 = 8;
/// Loops with more rounds are left alone.
const MOST_ROUNDS: u32 = 64;

/// What butterflies make the same in all lanes of a subgroup.
#[derive(Debug, Default)]
pub(super) struct Butterflies {
    whole: FxHashSet<Ssa>,
    /// In the order of headers.
    pub(super) loops: Vec<Loop>,
    /// The loop of a phi.
    of_phi: FxHashMap<Ssa, usize>,
}

/// A loop that makes a value the same in all lanes.
#[derive(Debug)]
pub(super) struct Loop {
    /// The phi at the header.
    pub(super) value: Ssa,
    pub(super) header: Block,
    blocks: FxHashSet<Block>,
}

impl Butterflies {
    /// Looks for them, where rules are for a subgroup of a known size.
    pub(super) fn compute(context: &Context<'_>, promotion: &Promotion, graph: &Digraph) -> Butterflies {
        let function = context.input.function;
        let Some(size) = context.launch.subgroup.filter(|size| size.is_power_of_two() && *size <= 64) else {
            return Butterflies::default();
        };
        let finder = Finder { loops: Loops { context, promotion, graph }, size: size.into() };
        let is_asked = context.scope == Scope::Subgroup && context.options.refinements.value_facts;
        let may_have_some = is_asked && context.input.facts.has_butterflies();
        if !may_have_some || !function.instructions.keys().any(|inst| finder.butterfly(inst).is_some()) {
            return Butterflies::default();
        }
        let results = function.instructions.values().filter_map(|data| data.result.expand()).map(Value::as_u32);
        let first = function.values.len() as Ssa;
        let all = results.chain(first..first + promotion.phis.len() as Ssa);
        let whole = all.clone().filter(|&value| finder.folded(value, DEPTH) == finder.all()).collect();
        let mut loops: Vec<Loop> = all.filter_map(|value| finder.folds(value)).collect();
        loops.sort_by_key(|found| found.header);
        let of_phi = (0..).zip(&loops).map(|(index, found)| (found.value, index)).collect();
        Butterflies { whole, loops, of_phi }
    }

    /// Whether a value is the same in all lanes wherever it is seen.
    pub(super) fn makes_uniform(&self, value: Ssa) -> bool {
        self.whole.contains(&value)
    }

    /// The loop behind which a value is seen in a block.
    pub(super) fn left(&self, value: Ssa, block: Block) -> Option<usize> {
        let &found = self.of_phi.get(&value)?;
        (!self.loops[found].blocks.contains(&block)).then_some(found)
    }

    /// The loops with this header.
    pub(super) fn of_block(&self, block: Block) -> std::ops::Range<usize> {
        let start = self.loops.partition_point(|found| found.header < block);
        start..start + self.loops[start..].partition_point(|found| found.header == block)
    }
}

/// The two parameters of a function of which the result is made by a commutative operation, and of nothing else. O(instructions).
pub(super) fn combined(context: &Context<'_>, promotion: &Promotion, graph: &Digraph) -> Option<[u32; 2]> {
    let function = context.input.function;
    let finder = Finder { loops: Loops { context, promotion, graph }, size: 0 };
    let mut returns = function.instructions.iter().filter(|(_, data)| data.opcode == Opcode::Ret);
    let (Some((end, _)), None) = (returns.next(), returns.next()) else { return None };
    let [one, other] = finder.commutes(finder.only(end)?)?;
    let parameter = |value: Ssa| function.parameters.iter().position(|&parameter| parameter.as_u32() == value);
    let (one, other) = (parameter(one)?, parameter(other)?);
    (one != other).then_some([one as u32, other as u32])
}

#[derive(Clone, Copy)]
struct Finder<'a> {
    loops: Loops<'a>,
    size: u64,
}

impl<'a> Deref for Finder<'a> {
    type Target = Loops<'a>;

    fn deref(&self) -> &Loops<'a> {
        &self.loops
    }
}

/// A value, and what it stands for in a round of a loop.
type Round = Option<(Ssa, u64)>;

impl Finder<'_> {
    /// All distances of a subgroup.
    fn all(self) -> u64 {
        self.size - 1
    }

    /// The same bits in another type.
    fn same_bits(self, mut value: Ssa) -> Ssa {
        for _ in 0..DEPTH {
            match self.operation(value) {
                Some((Opcode::BitCast, inst)) => value = self.operands(inst).next().unwrap_or(value),
                _ => break,
            }
        }
        value
    }

    /// What a shuffle passes, and its distance, if it is one of all lanes with their partners.
    fn butterfly(self, inst: Inst) -> Option<(Ssa, Ssa)> {
        let Context { input, .. } = self.context;
        let callee = call_of(input.function, inst)?.callee.expand()?;
        let Role::Butterfly { by_width } = input.facts.callee(callee).role else { return None };
        let operands: Vec<Ssa> = self.operands(inst).take(4).collect();
        let [lanes, value, distance, segment] = operands[..] else { return None };
        let whole = if by_width { self.size } else { self.all() };
        let names_all = self.number(lanes, None, TREE)? & self.all_lanes() == self.all_lanes();
        (names_all && self.number(segment, None, TREE)? == whole).then_some((value, distance))
    }

    /// The mask that names all lanes.
    fn all_lanes(self) -> u64 {
        mask(self.size as u32)
    }

    /// What value a value is of another lane, and the distance of that.
    fn moved(self, value: Ssa) -> Option<(Ssa, Ssa)> {
        let (opcode, inst) = self.operation(self.same_bits(value))?;
        match opcode {
            Opcode::Call => {
                let (value, distance) = self.butterfly(inst)?;
                Some((self.same_bits(value), distance))
            }
            // One of 64 bits in two halves.
            Opcode::Or => {
                let [one, other] = self.operands(inst).collect::<Vec<_>>()[..] else { return None };
                self.halves(one, other).or_else(|| self.halves(other, one))
            }
            _ => None,
        }
    }

    /// `low | high << 32`, of the halves of one value.
    fn halves(self, low: Ssa, high: Ssa) -> Option<(Ssa, Ssa)> {
        let high = self.of_shift(high, &[Opcode::Shl])?;
        let [low, high] = [low, high].map(|half| {
            let half = self.only(self.operation(half).filter(|&(opcode, _)| opcode == Opcode::ZExt)?.1)?;
            let (half, distance) = self.butterfly(self.inst(half)?)?;
            let whole = self.only(self.operation(half).filter(|&(opcode, _)| opcode == Opcode::Trunc)?.1)?;
            Some((whole, distance))
        });
        let (low, high) = (low?, high?);
        let of_high = self.of_shift(high.0, &[Opcode::LShr, Opcode::AShr])?;
        let is_one = self.same_bits(of_high) == self.same_bits(low.0) && self.is_same(low.1, high.1);
        is_one.then(|| (self.same_bits(low.0), low.1))
    }

    /// What is shifted by 32.
    fn of_shift(self, value: Ssa, by: &[Opcode]) -> Option<Ssa> {
        let (_, inst) = self.operation(value).filter(|(opcode, _)| by.contains(opcode))?;
        let [value, count] = self.operands(inst).collect::<Vec<_>>()[..] else { return None };
        (self.number(count, None, TREE) == Some(32)).then_some(value)
    }

    fn only(self, inst: Inst) -> Option<Ssa> {
        self.operands(inst).next()
    }

    fn is_same(self, one: Ssa, other: Ssa) -> bool {
        one == other || self.number(one, None, TREE).is_some_and(|n| self.number(other, None, TREE) == Some(n))
    }

    /// The operands of a commutative operation.
    fn commutes(self, value: Ssa) -> Option<[Ssa; 2]> {
        if let Some(pair) = self.extreme(value) {
            return Some(pair);
        }
        let (opcode, inst) = self.operation(value)?;
        if let Some(pair) = self.combined_by_call(inst) {
            return Some(pair);
        }
        let commutes = match opcode {
            Opcode::Add | Opcode::Mul | Opcode::And | Opcode::Or | Opcode::Xor | Opcode::FAdd | Opcode::FMul => true,
            Opcode::Call => self.is_commutative(inst),
            _ => false,
        };
        let operands: Vec<Ssa> = self.operands(inst).take(2).collect();
        operands.try_into().ok().filter(|_| commutes)
    }

    /// The arguments of a call that the function combines.
    fn combined_by_call(self, inst: Inst) -> Option<[Ssa; 2]> {
        let Context { input, .. } = self.context;
        let callee = call_of(input.function, inst)?.callee.expand()?;
        let [one, other] = input.summaries.of(input.module.function_of(callee)?)?.combines?;
        let argument = |index: u32| self.operands(inst).nth(index as usize);
        Some([argument(one)?, argument(other)?])
    }

    fn is_commutative(self, inst: Inst) -> bool {
        let Context { input, .. } = self.context;
        let Some(call) = call_of(input.function, inst).filter(|call| call.argument_count == 2) else { return false };
        let name = call.callee.expand().map(|callee| input.module.symbol_name(callee)).unwrap_or_default();
        let name = std::str::from_utf8(&name).unwrap_or_default();
        let of_llvm = |rest: &str| match rest.split('.').next() {
            Some("nvvm") => rest.starts_with("nvvm.fmax.") || rest.starts_with("nvvm.fmin."),
            Some(stem) => matches!(
                stem,
                "smax"
                    | "smin"
                    | "umax"
                    | "umin"
                    | "maxnum"
                    | "minnum"
                    | "maximum"
                    | "minimum"
                    | "maximumnum"
                    | "minimumnum"
            ),
            None => false,
        };
        let of_cuda = |rest: &str| {
            let stem = rest.trim_start_matches("ull").trim_start_matches("ll").trim_start_matches(['u', 'f']);
            matches!(stem.strip_suffix('f').unwrap_or(stem), "max" | "min")
        };
        name.strip_prefix("llvm.").is_some_and(of_llvm) || name.strip_prefix("__nv_").is_some_and(of_cuda)
    }

    /// The two integers of which a value is the larger or the smaller one, by a comparison and a choice. (Of two floating-point numbers of which one is none,
    /// a comparison chooses one by its place.)
    fn extreme(self, value: Ssa) -> Option<[Ssa; 2]> {
        let function = self.context.input.function;
        if let Some((Opcode::Select, inst)) = self.operation(value) {
            let [condition, yes, no] = self.operands(inst).collect::<Vec<_>>()[..] else { return None };
            return self.compares(condition, yes, no);
        }
        let [(yes, of_yes), (no, of_no)] = self.incoming(value)?;
        let block = self.block_of(value)?;
        let before = |from: Block| match self.graph.predecessors(Node::new(from.index())) {
            [only] => Some(Block::new(only.index())),
            _ => None,
        };
        // Where the two ways part: before both, or before one that leads here at once.
        let fork = match (before(of_yes), before(of_no)) {
            (Some(one), Some(other)) if one == other => one,
            (Some(one), _) if one == of_no => one,
            (_, Some(other)) if other == of_yes => other,
            _ => return None,
        };
        let targets = function.successors(fork);
        let leads_to = |from: Block| if from == fork { block } else { from };
        let both = [leads_to(of_yes), leads_to(of_no)];
        if targets.len() != 2 || both[0] == both[1] || !both.iter().all(|target| targets.contains(target)) {
            return None;
        }
        let condition = *function.operands(function.terminator(fork)).first()?;
        self.compares(self.promotion.resolve(condition), yes, no)
    }

    /// The two values, if a condition compares which of them is less.
    fn compares(self, condition: Ssa, yes: Ssa, no: Ssa) -> Option<[Ssa; 2]> {
        let (_, inst) = self.operation(condition).filter(|&(opcode, _)| opcode == Opcode::ICmp)?;
        let Extra::Predicate(predicate) = self.context.input.function.instructions[inst].extra else { return None };
        let compared: Vec<Ssa> = self.operands(inst).collect();
        let is_order = !matches!(predicate, Predicate::Eq | Predicate::Ne);
        (is_order && (compared[..] == [yes, no] || compared[..] == [no, yes])).then_some([yes, no])
    }

    /// One step of a butterfly: the value before it, and the distance.
    fn step(self, value: Ssa) -> Option<(Ssa, Ssa)> {
        let [one, other] = self.commutes(value)?;
        let of = |kept: Ssa, moved: Ssa| {
            let (before, distance) = self.moved(moved)?;
            (before == self.same_bits(kept)).then_some((kept, distance))
        };
        of(one, other).or_else(|| of(other, one))
    }

    /// The distances, of those that can be, by which a value is folded.
    fn folded(self, value: Ssa, depth: u32) -> u64 {
        let Some(deeper) = depth.checked_sub(1) else { return 0 };
        if let Some((before, distance)) = self.step(value) {
            let distance = self.number(distance, None, TREE).filter(|number| number.is_power_of_two());
            return distance.unwrap_or(0) & self.all() | self.folded(before, deeper);
        }
        match self.operation(value) {
            Some((Opcode::BitCast | Opcode::FNeg | Opcode::ZExt | Opcode::SExt | Opcode::Trunc, inst)) => {
                self.only(inst).map_or(0, |of| self.folded(of, deeper))
            }
            _ => 0,
        }
    }

    /// The loop of which a value is the phi that is the same in all lanes behind it.
    fn folds(self, value: Ssa) -> Option<Loop> {
        let incoming = self.incoming(value)?;
        let header = self.block_of(value)?;
        let of = |(before, _): (Ssa, Block), (next, latch): (Ssa, Block)| {
            let (kept, distance) = self.step(next).filter(|&(kept, _)| kept == value)?;
            let blocks = self.blocks(header, latch)?;
            let distances = self.distances(header, latch, &blocks, distance)?;
            let is_whole = distances | self.folded(before, DEPTH) == self.all();
            is_whole.then_some(Loop { value: kept, header, blocks })
        };
        let [one, other] = incoming;
        of(one, other).or_else(|| of(other, one))
    }

    /// The distances of all rounds of a loop that is left at its header only, as often as a number that each round changes says.
    fn distances(self, header: Block, latch: Block, blocks: &FxHashSet<Block>, distance: Ssa) -> Option<u64> {
        let function = self.context.input.function;
        let leaves = |block: Block| function.successors(block).iter().any(|to| !blocks.contains(to));
        if blocks.iter().any(|&block| block != header && leaves(block)) {
            return None;
        }
        let [yes, _] = *function.successors(header) else { return None };
        let condition = self.promotion.resolve(*function.operands(function.terminator(header)).first()?);
        let counter = self.counter(condition, header, TREE)?;
        let [one, other] = self.incoming(counter)?;
        let ((first, _), (next, _)) = if one.1 == latch { (other, one) } else { (one, other) };
        let mut number = self.number(first, None, TREE)?;
        let mut distances = 0;
        for _ in 0..MOST_ROUNDS {
            let round = Some((counter, number));
            let holds = self.number(condition, round, TREE)? == 1;
            if holds != blocks.contains(&yes) {
                return Some(distances);
            }
            let of_round = self.number(distance, round, TREE)?;
            distances |= if of_round.is_power_of_two() { of_round & self.all() } else { 0 };
            number = self.number(next, round, TREE)?;
        }
        None
    }

    /// The phi at a header that a value is computed of.
    fn counter(self, value: Ssa, header: Block, depth: u32) -> Option<Ssa> {
        let deeper = depth.checked_sub(1)?;
        if self.incoming(value).is_some() {
            return (self.block_of(value) == Some(header)).then_some(value);
        }
        let (opcode, inst) = self.operation(value)?;
        let computes = !matches!(opcode, Opcode::Call | Opcode::Load);
        self.operands(inst).filter(|_| computes).find_map(|operand| self.counter(operand, header, deeper))
    }

    /// The number that a value is, perhaps in one round of a loop.
    fn number(self, value: Ssa, round: Round, depth: u32) -> Option<u64> {
        let deeper = depth.checked_sub(1)?;
        if let Some((counter, number)) = round
            && value == counter
        {
            return Some(number);
        }
        let Context { input, launch, .. } = self.context;
        let function = input.function;
        let value = ir_value(function, value)?;
        let width = self.width(value)?;
        let inst = match function.values[value].definition {
            Definition::Constant(ConstantData::Integer(number)) => return Some(number.cast_unsigned() & mask(width)),
            Definition::Constant(ConstantData::Zero) => return Some(0),
            Definition::Instruction(inst) => inst,
            _ => return None,
        };
        let data = &function.instructions[inst];
        let number = |of: Value| self.number(self.promotion.resolve(of), round, deeper);
        let found = match (data.opcode, function.operands(inst)) {
            (Opcode::Call, _) => {
                launch.subgroup.filter(|_| input.facts.is_subgroup_size(function, inst)).map(u64::from)
            }
            (Opcode::ZExt | Opcode::Trunc, &[of]) => number(of),
            (Opcode::SExt, &[of]) => Some(signed(number(of)?, self.width(of)?).cast_unsigned()),
            (Opcode::ICmp, &[one, other]) => {
                let Extra::Predicate(predicate) = data.extra else { return None };
                compare(predicate, number(one)?, number(other)?, self.width(one)?).map(u64::from)
            }
            (opcode, &[one, other]) => binary(opcode, number(one)?, number(other)?, width),
            _ => None,
        };
        found.map(|bits| bits & mask(width))
    }

    fn width(self, value: Value) -> Option<u32> {
        match self.context.input.module.types[self.context.input.function.values[value].ty] {
            TypeData::Integer(bits @ 1..=64) => Some(bits),
            _ => None,
        }
    }
}
