//! Which integers are the same number in all executions of a function, or a parameter or the result of one call as it came.
//!
//! **Definition.** Sparse conditional constant propagation (Wegman and Zadeck) over the promoted form: a value is known where all that may reach it over edges that may be taken is
//! the same number, the same parameter, or what the same call returned last. Which edges may be taken follows from the conditions that are known.
//!
//! What is not reached is nothing, and so is all of a function in which the search does not end soon: nothing known is the safe side.

use cranelift_entity::EntityRef;
use reconverge_graph::{DepthFirst, SuccessorOrder};
use reconverge_ir::constant::ConstantData;
use reconverge_ir::function::{Block, Definition, Extra, Inst, InstData, Value};
use reconverge_ir::opcode::Opcode;
use reconverge_ir::types::TypeData;
use reconverge_ir::{Function, Module};
use rustc_hash::FxHashSet;

use super::instructions::ir_value;
use super::phis::Ssa;
use super::promote::Promotion;
use super::{ModuleFacts, promote_into};
use crate::integers::{Intrinsic, binary, compare, mask, signed};

/// What a value is in all executions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Known {
    /// These bits of an integer.
    Number(u64),
    /// A parameter, by its index.
    Parameter(u32),
    /// What a call returned when it was executed last.
    Result(Inst),
}

/// What is known of a value so far, the least first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    /// Nothing has reached it.
    Unreached,
    Known(Known),
    Varies,
}

impl State {
    fn join(self, other: State) -> State {
        match (self, other) {
            (State::Unreached, one) | (one, State::Unreached) => one,
            (one, other) if one == other => one,
            _ => State::Varies,
        }
    }
}

/// Rounds over a function: one for each edge that closes a cycle and two more are enough, and few functions need more than these.
const ROUNDS: usize = 24;

/// What is known of the values of one function.
#[derive(Debug)]
pub(crate) struct KnownValues<'a, 't> {
    module: &'a Module<'t>,
    function: &'a Function,
    promotion: Promotion,
    /// By value, then by phi of a variable.
    states: Vec<State>,
    taken: FxHashSet<(Block, Block)>,
    is_reached: Vec<bool>,
    has_changed: bool,
}

impl<'a, 't> KnownValues<'a, 't> {
    /// O(instructions) for each of at most [`ROUNDS`] rounds.
    pub(crate) fn compute(module: &'a Module<'t>, facts: &ModuleFacts, function: &'a Function) -> KnownValues<'a, 't> {
        let graph = function.control_flow_graph();
        let mut promotion = Promotion::default();
        promote_into(&mut promotion, module, facts, function, &graph);
        let count = function.values.len() + promotion.phis.len();
        let mut known = KnownValues {
            module,
            function,
            promotion,
            states: vec![State::Unreached; count],
            taken: FxHashSet::default(),
            is_reached: vec![false; function.blocks.len()],
            has_changed: true,
        };
        if let Some(entry) = known.is_reached.first_mut() {
            *entry = true;
        }
        let search = DepthFirst::compute(&graph, SuccessorOrder::Forward);
        let order: Vec<Block> = search.reverse_postorder().map(|node| Block::new(node.index())).collect();
        for _ in 0..ROUNDS {
            if !std::mem::take(&mut known.has_changed) {
                return known;
            }
            order.iter().for_each(|&block| known.visit(block));
        }
        known.states.fill(State::Unreached);
        known.is_reached.fill(true);
        known
    }

    /// Whether a block may be executed.
    pub(crate) fn reaches(&self, block: Block) -> bool {
        self.is_reached[block.index()]
    }

    /// What a value is.
    pub(crate) fn of(&self, value: Value) -> Option<Known> {
        match self.state(self.promotion.resolve(value)) {
            State::Known(known) => Some(known),
            State::Unreached | State::Varies => None,
        }
    }

    /// The number that a value is, with its sign.
    pub(crate) fn number(&self, value: Value) -> Option<i64> {
        match self.of(value)? {
            Known::Number(bits) => Some(signed(bits, self.width(value)?)),
            Known::Parameter(_) | Known::Result(_) => None,
        }
    }

    /// The first call among these that a value is computed from, with arithmetic and nothing else on the way.
    pub(crate) fn computed_from(&self, value: Value, calls: &FxHashSet<Inst>) -> Option<Inst> {
        let function = self.function;
        let mut stack = vec![self.promotion.resolve(value)];
        let mut seen: FxHashSet<Ssa> = FxHashSet::default();
        while let Some(value) = stack.pop() {
            if !seen.insert(value) {
                continue;
            }
            let Some(value) = ir_value(function, value) else {
                let phi = value as usize - function.values.len();
                stack.extend(self.promotion.phis.operands_of(phi).iter().map(|operand| operand.value));
                continue;
            };
            let Definition::Instruction(inst) = function.values[value].definition else { continue };
            let computes = match function.instructions[inst].opcode {
                Opcode::Call if calls.contains(&inst) => return Some(inst),
                Opcode::Call => is_arithmetic(self.module, function, inst),
                Opcode::Load => false,
                opcode => !opcode.is_terminator(),
            };
            if computes {
                stack.extend(function.operands(inst).iter().map(|&operand| self.promotion.resolve(operand)));
            }
        }
        None
    }

    fn width(&self, value: Value) -> Option<u32> {
        match self.module.types[self.function.values[value].ty] {
            TypeData::Integer(bits @ 1..=64) => Some(bits),
            _ => None,
        }
    }

    fn state(&self, value: Ssa) -> State {
        let Some(value) = ir_value(self.function, value) else {
            return self.states.get(value as usize).copied().unwrap_or(State::Varies);
        };
        let bits = |bits: u64| self.width(value).map(|width| State::Known(Known::Number(bits & mask(width))));
        match self.function.values[value].definition {
            Definition::Parameter(index) => State::Known(Known::Parameter(index)),
            Definition::Instruction(_) => self.states[value.index()],
            Definition::Constant(ConstantData::Integer(number)) => {
                bits(number.cast_unsigned()).unwrap_or(State::Varies)
            }
            Definition::Constant(ConstantData::Zero) => bits(0).unwrap_or(State::Varies),
            Definition::Constant(_) | Definition::Pending(_) => State::Varies,
        }
    }

    fn state_of(&self, value: Value) -> State {
        self.state(self.promotion.resolve(value))
    }

    fn set(&mut self, index: usize, found: State) {
        let joined = self.states[index].join(found);
        self.has_changed |= std::mem::replace(&mut self.states[index], joined) != joined;
    }

    fn visit(&mut self, block: Block) {
        if !self.is_reached[block.index()] {
            return;
        }
        let (function, first) = (self.function, self.function.values.len());
        for phi in self.promotion.phis.of_block(block) {
            let operands = self.promotion.phis.operands_of(phi);
            let taken = operands.iter().filter(|operand| self.taken.contains(&(operand.from, block)));
            let found = taken.map(|operand| self.state(operand.value)).fold(State::Unreached, State::join);
            self.set(first + phi, found);
        }
        for inst in function.block_instructions(block) {
            let data = &function.instructions[inst];
            if let Some(result) = data.result.expand() {
                let found = self.result(inst, data, block);
                self.set(result.index(), found);
            }
        }
        self.leave(block);
    }

    fn result(&self, inst: Inst, data: &InstData, block: Block) -> State {
        let function = self.function;
        let operands = function.operands(inst);
        let number = |value: Value| match self.state_of(value) {
            State::Known(Known::Number(bits)) => Ok((bits, self.width(value).unwrap_or(64))),
            State::Unreached => Err(State::Unreached),
            State::Known(Known::Parameter(_) | Known::Result(_)) | State::Varies => Err(State::Varies),
        };
        let width = data.result.expand().and_then(|result| self.width(result));
        let found = |bits: Option<u64>| match (bits, width) {
            (Some(bits), Some(width)) => State::Known(Known::Number(bits & mask(width))),
            _ => State::Varies,
        };
        match (data.opcode, operands) {
            (Opcode::Phi, values) => {
                let pairs = values.iter().zip(function.targets(inst));
                let taken = pairs.filter(|&(_, &from)| self.taken.contains(&(from, block)));
                taken.map(|(&value, _)| self.state_of(value)).fold(State::Unreached, State::join)
            }
            (Opcode::Freeze, &[value]) => self.state_of(value),
            (Opcode::Call, _) if width.is_some() => State::Known(Known::Result(inst)),
            (Opcode::Select, &[condition, yes, no]) => match number(condition) {
                Ok((bits, _)) => self.state_of(if bits == 1 { yes } else { no }),
                Err(State::Unreached) => State::Unreached,
                Err(_) => self.state_of(yes).join(self.state_of(no)),
            },
            (Opcode::ZExt | Opcode::Trunc, &[value]) => {
                number(value).map_or_else(|why| why, |(bits, _)| found(Some(bits)))
            }
            (Opcode::SExt, &[value]) => {
                number(value).map_or_else(|why| why, |(bits, of)| found(Some(signed(bits, of).cast_unsigned())))
            }
            (_, &[one, other]) if width.is_some() => match (number(one), number(other), data.extra) {
                (Ok((a, width)), Ok((b, _)), Extra::Predicate(predicate)) if data.opcode == Opcode::ICmp => {
                    found(compare(predicate, a, b, width).map(u64::from))
                }
                (Ok((a, width)), Ok((b, _)), _) => found(binary(data.opcode, a, b, width)),
                (Err(State::Unreached), _, _) | (_, Err(State::Unreached), _) => State::Unreached,
                _ => State::Varies,
            },
            _ => State::Varies,
        }
    }

    /// Takes the edges that lead out of a block.
    fn leave(&mut self, block: Block) {
        let function = self.function;
        let terminator = function.terminator(block);
        let condition = function.operands(terminator).first().map(|&condition| self.state_of(condition));
        let all = function.successors(block);
        let taken = match (function.instructions[terminator].opcode, condition) {
            (Opcode::Br, Some(State::Unreached)) => &[],
            (Opcode::Br, Some(State::Known(Known::Number(bits)))) if all.len() == 2 => {
                let index = usize::from(bits != 1);
                &all[index..=index]
            }
            _ => all,
        };
        for &to in taken {
            self.is_reached[to.index()] = true;
            self.has_changed |= self.taken.insert((block, to));
        }
    }
}

/// Whether a call is an intrinsic of LLVM, or a function of CUDA's library, that counts, finds or turns bits, or compares.
fn is_arithmetic(module: &Module<'_>, function: &Function, inst: Inst) -> bool {
    let Extra::Call(call) = function.instructions[inst].extra else { return false };
    let name = function.calls[call].callee.expand().map(|callee| module.symbol_name(callee)).unwrap_or_default();
    let name = std::str::from_utf8(&name).unwrap_or_default();
    let stem =
        name.strip_prefix("llvm.").or_else(|| name.strip_prefix("__nv_")).and_then(|rest| rest.split('.').next());
    let is_of_bits = |stem: &str| {
        matches!(stem, "bitreverse" | "ffs" | "ffsll" | "popc" | "popcll" | "clz" | "clzll" | "brev" | "brevll")
    };
    stem.is_some_and(|stem| is_of_bits(stem) || Intrinsic::named(stem).is_some())
}
