//! Functions as what matters of them: which operations threads execute, how often, and with which arguments.
//!
//! **Definition.** A value *matters* when a branch that matters, a call that is followed, a question or a divisor uses it, or the definition of a value that
//! matters. Instructions of which nothing matters are left out, and count as executed with the next [`Step`] that is kept. Which branches matter says
//! `relevance`; from one that does not, a thread goes on where its ways meet. A value, or a variable in memory, has a register for each of its
//! [`leaves`](crate::leaves), one behind the other.

mod accesses;
mod computes;
mod emit;
mod matters;
mod variables;

use std::sync::{Arc, Mutex, PoisonError};

use reconverge_ir::constant::ConstantData;
use reconverge_ir::function::{Definition, Extra, Inst, Value};
use reconverge_ir::module::SymbolKind;
use reconverge_ir::opcode::{Opcode, Predicate};
use reconverge_ir::types::{Type, TypeData};
use reconverge_ir::{Function, FunctionId, FunctionReader, Module, Symbol};
use reconverge_operations::facts::Operation;
use reconverge_operations::{Axis, Item, Meeting, Scope};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::{SmallVec, smallvec};

use super::launches::mixed;
use super::questions::Questions;
use super::relevance::{Instead, Relevance};
use super::{Mask, Named, Place};
use crate::integers::{Intrinsic, Overflow, mask};
use crate::leaves;
use crate::uniformity::lower::ModuleFacts;
pub(super) use accesses::{Access, PIECE};
pub(super) use computes::operation;
use variables::Variables;

/// Where the value of a thread is: an index into the words of an activation.
pub(super) type Register = u32;

/// A range of a table.
pub(super) type Range = std::ops::Range<u32>;

/// A function, as steps.
#[derive(Debug)]
pub(super) struct Code {
    pub(super) id: FunctionId,
    /// Whether it is a function of a [built-in header](reconverge_ir::origin::BUILT_IN_HEADERS), where accesses are asked about.
    pub(super) is_built_in: bool,
    /// The leaves of all parameters.
    pub(super) parameter_count: usize,
    /// The leaves of parameters that matter: which one, where, and of how many bits.
    pub(super) parameters: Vec<(usize, Register, u32)>,
    /// What the registers hold at first: constants, and zero.
    pub(super) frame: Vec<u64>,
    /// Constants that are made up for each launch, with their bits.
    pub(super) made_up: Vec<(Register, Value, u32)>,
    pub(super) steps: Vec<Step>,
    pub(super) edges: Vec<Edge>,
    /// Of edges: where to, where from.
    pub(super) moves: Vec<(Register, Register)>,
    pub(super) arguments: Vec<Register>,
    /// Of switches: the value, the edge.
    pub(super) cases: Vec<(u64, u32)>,
    /// Where values are made up.
    pub(super) sites: Vec<Inst>,
    /// The accesses that are followed, and whether threads may come to one again after something that orders accesses: always where the function is called.
    pub(super) accesses: Vec<(Inst, bool)>,
    /// The barriers at which threads wait for those at other calls, too.
    pub(super) arrivals: Vec<(Inst, Meeting)>,
}

/// An edge of the graph.
#[derive(Debug)]
pub(super) struct Edge {
    pub(super) moves: Range,
    /// Whether no move reads what an earlier one writes.
    pub(super) is_ordered: bool,
    /// The `phi`s of the block.
    pub(super) cost: usize,
    /// The first step of the block.
    pub(super) target: u32,
}

/// A step.
#[derive(Debug)]
pub(super) struct Step {
    /// The instructions since the last one, with its own.
    pub(super) cost: usize,
    pub(super) what: What,
}

/// Where a result goes; results are cut to so many bits.
#[derive(Debug, Clone, Copy)]
pub(super) struct To {
    pub(super) register: Register,
    pub(super) width: u32,
}

/// Where a value is made up, and whether other threads may have another one.
#[derive(Debug, Clone, Copy)]
pub(super) struct Site {
    pub(super) index: u32,
    pub(super) is_open: bool,
    /// The leaf of the result that it is about.
    pub(super) leaf: u32,
}

#[derive(Debug)]
pub(super) enum What {
    Move(To, Register),
    /// Of so many bits.
    SignExtend(To, Register, u32),
    /// The condition, and what it chooses from.
    Select(To, [Register; 3]),
    Compare(To, [Register; 2], Predicate, u32, Site),
    Binary(To, [Register; 2], Opcode, Site),
    /// Whether a result is out of the range of so many bits.
    Overflow(To, [Register; 2], Overflow, u32),
    /// The address of an element: base and index, the bits of the index, the bytes of an element.
    Address(To, [Register; 2], u32, u64),
    /// So many bytes behind an address.
    Shift(To, Register, u64),
    /// A divisor: nothing is known where it is zero.
    Divisor(Register),
    MakeUp(To, Site),
    Query(To, Item, Axis, Range, Site),
    Intrinsic(To, Intrinsic, Range),
    /// The first register of the result, and how many leaves it has; the arguments.
    Call(Option<(Register, u32)>, FunctionId, Range, Site),
    /// A question's operation, with the argument that it is about.
    Visit(u32, Option<Register>),
    /// The call that names the lanes of a question's operation, and what has to be true in those.
    Name(u32, Option<Register>),
    /// An operation of several threads, in a function that calls are followed into, and the arguments that they have to agree on.
    Pass(Inst, Range),
    /// A barrier at which threads wait for those at other calls, too.
    Arrive,
    /// An access to memory that threads may share: of so many addresses from one on.
    Access {
        inst: Inst,
        address: Register,
        access: Access,
        pieces: u32,
    },
    /// Something that may order accesses to memory.
    Order(Order),
    /// A value that questions compare with, of so many bits.
    Note(u32, Register, u32),
    Jump(u32),
    /// By a condition: the edges for yes and no, and the deciding block of questions.
    Branch(Register, [u32; 2], Option<u32>),
    /// The edge where no case is it.
    Switch(Register, u32, Range, Option<u32>),
    Return(Range),
    Unclear,
}

/// Which accesses something orders.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Order {
    /// Those of threads of the subgroup.
    Subgroup,
    /// Those of all threads of the workgroup.
    Workgroup,
    /// Nobody knows which.
    Some,
}

/// What is asked of the function that is followed first.
pub(super) struct Asked<'q> {
    pub(super) questions: &'q Questions<'q>,
    pub(super) differs: &'q dyn Fn(Value) -> bool,
}

/// A function, and whether accesses to memory are followed in it.
type CodeKey = (FunctionId, bool);

/// The functions of a module that calls are followed into, each read once.
#[derive(Default)]
pub(crate) struct Codes {
    codes: Mutex<FxHashMap<CodeKey, Option<Arc<Code>>>>,
    quiet: Mutex<FxHashMap<FunctionId, bool>>,
}

impl Codes {
    /// Nothing for what is not followed.
    pub(super) fn get(
        &self,
        module: &Module<'_>,
        facts: &ModuleFacts<'_>,
        id: FunctionId,
        accesses: bool,
    ) -> Option<Arc<Code>> {
        let known = || self.codes.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(code) = known().get(&(id, accesses)) {
            return code.clone();
        }
        let function = FunctionReader::new(module).read(id).ok();
        let place = function.as_ref().map(|function| Place { module, facts, id, function, codes: self });
        let code = place.map(|place| Arc::new(Code::new(place, None, accesses)));
        known().insert((id, accesses), code.clone());
        code
    }

    /// Whether a function, and all that it calls, only computes: threads do nothing together in it, and it returns.
    fn is_quiet(&self, module: &Module<'_>, facts: &ModuleFacts<'_>, id: FunctionId) -> bool {
        self.is_quiet_below(module, facts, id, &mut Vec::new())
    }

    /// The same, called by these functions. What is recursive is not quiet, nor what calls it.
    fn is_quiet_below(
        &self,
        module: &Module<'_>,
        facts: &ModuleFacts<'_>,
        id: FunctionId,
        callers: &mut Vec<FunctionId>,
    ) -> bool {
        let known = || self.quiet.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(&quiet) = known().get(&id) {
            return quiet;
        }
        if callers.contains(&id) {
            return false;
        }
        callers.push(id);
        let mut is_quiet = |function: &Function, inst: Inst| match function.instructions[inst].opcode {
            Opcode::Call => {
                let Extra::Call(call) = function.instructions[inst].extra else { return false };
                let Some(callee) = function.calls[call].callee.expand() else { return false };
                match module.symbols[callee].kind {
                    SymbolKind::Function(id) if module.functions[id].body.is_some() => {
                        self.is_quiet_below(module, facts, id, callers)
                    }
                    _ => !facts.is_operation(callee) && !stops(&module.symbol_name(callee)),
                }
            }
            opcode if opcode.is_terminator() => matches!(opcode, Opcode::Br | Opcode::Switch | Opcode::Ret),
            _ => true,
        };
        let function = FunctionReader::new(module).read(id).ok();
        let quiet = function.is_some_and(|function| function.instructions.keys().all(|inst| is_quiet(&function, inst)));
        callers.pop();
        known().insert(id, quiet);
        quiet
    }
}

/// An integer constant.
pub(super) fn constant(function: &Function, value: Option<Value>) -> Option<u64> {
    match function.values[value?].definition {
        Definition::Constant(ConstantData::Integer(number)) => Some(number.cast_unsigned()),
        Definition::Constant(ConstantData::Zero | ConstantData::Null) => Some(0),
        _ => None,
    }
}

/// Makes the code of a function.
struct Coder<'c, 't> {
    module: &'c Module<'t>,
    facts: &'c ModuleFacts<'c>,
    codes: &'c Codes,
    function: &'c Function,
    asked: Option<&'c Asked<'c>>,
    /// Whether accesses to memory are followed.
    accesses: bool,
    /// The values that something uses, where accesses are followed.
    used: FxHashSet<Value>,
    variables: Variables,
    matters: Vec<bool>,
    relevance: Relevance,
    /// By value.
    registers: FxHashMap<Value, Register>,
    code: Code,
    /// The instructions since the last step.
    cost: usize,
}

/// Whether a function stands in a header that is built in.
fn is_built_in(place: Place<'_, '_>) -> bool {
    let Place { module, function, .. } = place;
    let first = function.instructions.values().find_map(|data| data.debug_location.expand());
    let place = first.and_then(|node| module.debug_location(node));
    place.is_some_and(|place| place.file.contains(reconverge_ir::origin::BUILT_IN_HEADERS))
}

impl Code {
    pub(super) fn new(place: Place<'_, '_>, asked: Option<&Asked<'_>>, accesses: bool) -> Code {
        let Place { module, facts, id, function, codes } = place;
        let code = Code {
            id,
            is_built_in: accesses && is_built_in(place),
            parameter_count: 0,
            parameters: Vec::new(),
            frame: Vec::new(),
            made_up: Vec::new(),
            steps: Vec::new(),
            edges: Vec::new(),
            moves: Vec::new(),
            arguments: Vec::new(),
            cases: Vec::new(),
            sites: Vec::new(),
            accesses: Vec::new(),
            arrivals: Vec::new(),
        };
        let mut coder = Coder {
            module,
            facts,
            codes,
            function,
            asked,
            accesses,
            used: FxHashSet::default(),
            variables: Variables::find(module, facts, function),
            matters: vec![false; function.values.len()],
            relevance: Relevance::new(function),
            registers: FxHashMap::default(),
            code,
            cost: 0,
        };
        coder.find_what_is_used();
        coder.find_what_matters();
        coder.emit();
        coder.mark_repeated();
        coder.code
    }
}

impl<'c> Coder<'c, '_> {
    fn width(&self, ty: Type) -> Option<u32> {
        match self.module.types[ty] {
            TypeData::Integer(bits @ 1..=64) => Some(bits),
            _ => None,
        }
    }

    /// The bits that are kept of a value: all where it is no integer.
    fn kept(&self, ty: Type) -> u32 {
        self.width(ty).unwrap_or(64)
    }

    /// The bits that are kept of each leaf of a value, or of each piece of a variable.
    fn widths(&self, value: Value) -> SmallVec<[u32; 2]> {
        if let Some(pieces) = self.variables.pieces(value) {
            return pieces.iter().map(|piece| self.kept(piece.ty)).collect();
        }
        let ty = self.function.values[value].ty;
        let leaves = match self.module.types[ty] {
            TypeData::Struct { .. } | TypeData::Array { .. } | TypeData::Named(_) => {
                self.facts.layout(self.module).and_then(|layout| leaves::of(self.module, layout, ty))
            }
            _ => None,
        };
        match leaves {
            Some(leaves) => leaves.iter().map(|leaf| self.kept(leaf.ty)).collect(),
            None => smallvec![self.kept(ty)],
        }
    }

    /// Where the leaves of a value go.
    fn targets(&mut self, value: Value) -> SmallVec<[To; 2]> {
        let first = self.register(value);
        (first..).zip(self.widths(value)).map(|(register, width)| To { register, width }).collect()
    }

    fn arguments(&self, inst: Inst) -> &'c [Value] {
        let Extra::Call(call) = self.function.instructions[inst].extra else { return &[] };
        &self.function.operands(inst)[..self.function.calls[call].argument_count as usize]
    }

    /// Whether threads stop at a call.
    fn never_returns(&self, inst: Inst) -> bool {
        let Extra::Call(call) = self.function.instructions[inst].extra else { return false };
        let Some(callee) = self.function.calls[call].callee.expand() else { return false };
        stops(&self.module.symbol_name(callee))
    }

    /// The arguments of an operation that threads have to agree on.
    fn agreed(&self, inst: Inst) -> Vec<Value> {
        let Extra::Call(call) = self.function.instructions[inst].extra else { return Vec::new() };
        let callee = self.function.calls[call].callee.expand();
        let agree = callee.and_then(|callee| self.facts.agree(callee));
        let arguments = self.arguments(inst).iter().copied().enumerate();
        arguments
            .filter(|&(index, _)| agree.is_some_and(|(_, on)| on.contains(index)))
            .map(|(_, value)| value)
            .collect()
    }

    /// At which calls threads meet in the barrier of the workgroup that has no number, or the number 0; nothing where an instruction is none.
    fn meeting(&self, inst: Inst) -> Option<Meeting> {
        let Extra::Call(call) = self.function.instructions[inst].extra else { return None };
        let facts = self.facts.operation_of(self.function.calls[call].callee.expand()?)?;
        let is_whole = facts.operation == Operation::Barrier(Scope::Workgroup) && !facts.partial;
        let has_number = |(index, &argument): (usize, &Value)| {
            facts.agree.is_some_and(|(_, on)| on.contains(index)) && constant(self.function, Some(argument)) != Some(0)
        };
        (is_whole && !self.arguments(inst).iter().enumerate().any(has_number)).then_some(facts.meeting)
    }

    /// Where the first leaf of a value is; the others follow. Only of values that matter.
    fn register(&mut self, value: Value) -> Register {
        if let Some(&register) = self.registers.get(&value) {
            return register;
        }
        let first = self.code.frame.len() as Register;
        self.registers.insert(value, first);
        let widths = self.widths(value);
        let constants = self.constants(value, widths.len());
        for (index, width) in widths.into_iter().enumerate() {
            let bits = constants.get(index).copied().unwrap_or(Some(0));
            if bits.is_none() {
                self.code.made_up.push((first + index as Register, value, width));
            }
            self.code.frame.push(bits.unwrap_or(0) & mask(width));
        }
        first
    }

    /// The leaves of a constant, as far as they are known; nothing for other values.
    fn constants(&self, value: Value, count: usize) -> SmallVec<[Option<u64>; 2]> {
        let function = self.function;
        match function.values[value].definition {
            Definition::Constant(ConstantData::Integer(number)) => smallvec![Some(number.cast_unsigned())],
            Definition::Constant(ConstantData::Global(symbol)) => smallvec![Some(address_of(symbol))],
            Definition::Constant(
                ConstantData::Null | ConstantData::Zero | ConstantData::Undef | ConstantData::Poison,
            ) => smallvec![Some(0); count],
            Definition::Constant(ConstantData::Aggregate(aggregate)) => {
                let elements = function.list(function.constants.aggregates[aggregate]).iter();
                let leaves: SmallVec<[Option<u64>; 2]> =
                    elements.flat_map(|&element| self.constants(element, self.widths(element).len())).collect();
                if leaves.len() == count { leaves } else { smallvec![None; count] }
            }
            Definition::Constant(ConstantData::Expression(expression)) if count == 1 => {
                let of = accesses::same_pointer(function, expression).map(|of| self.constants(of, 1));
                of.filter(|known| known.len() == 1).unwrap_or_else(|| smallvec![None])
            }
            Definition::Constant(_) => smallvec![None; count],
            _ => SmallVec::new(),
        }
    }

    fn registers<const N: usize>(&mut self, values: [Value; N]) -> [Register; N] {
        values.map(|value| self.register(value))
    }

    fn list(&mut self, values: &[Value]) -> Range {
        let start = self.code.arguments.len() as u32;
        for &value in values {
            let targets = self.targets(value);
            self.code.arguments.extend(targets.iter().map(|to| to.register));
        }
        start..self.code.arguments.len() as u32
    }

    fn site(&mut self, inst: Inst, leaf: u32) -> Site {
        let index = self.code.sites.len() as u32;
        self.code.sites.push(inst);
        let result = self.function.instructions[inst].result.expand();
        let differs = |asked: &Asked<'_>| result.is_some_and(|result| (asked.differs)(result));
        Site { index, is_open: self.asked.is_none_or(differs), leaf }
    }
}

/// The address that a variable has in made-up launches: none of those that pointers have which are made up.
pub(super) fn address_of(symbol: Symbol) -> u64 {
    mixed(u64::from(symbol.as_u32()) + 1) >> 2 | 1 << 62
}

/// Whether threads that call a function stop there, by its name.
fn stops(name: &[u8]) -> bool {
    matches!(name, b"llvm.trap" | b"llvm.ubsantrap" | b"__assertfail" | b"__assert_fail" | b"abort")
}
