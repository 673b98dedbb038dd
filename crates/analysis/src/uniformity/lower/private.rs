//! Where addresses of memory that each thread has its own copy of go.
//!
//! **Definition.** Addresses of a private variable are its own, and what is computed from one of them: by address arithmetic, casts, phis and
//! selects, by a load from a *cell* (a variable that is only loaded from and stored to as a whole) into which one was stored, and by calls that return one.
//! They *escape* where they go anywhere else: into other memory, into integers, into functions that are not seen. What is not understood is an escape.

use std::sync::{Mutex, PoisonError};

use reconverge_ir::function::{Definition, Inst, Value};
use reconverge_ir::module::SymbolKind;
use reconverge_ir::opcode::Opcode;
use reconverge_ir::{Function, FunctionId, FunctionReader, Module};
use rustc_hash::{FxHashMap, FxHashSet};

use super::instructions::{address_space, call_of};
use super::module_facts::is_computed;

/// Functions are looked into so deep.
const DEPTH: u32 = 4;

/// Modules with longer texts are not looked through.
const MOST_BYTES: usize = 8 << 20;

/// The instructions that use each pointer of a function.
#[derive(Debug, Default)]
pub(super) struct Users {
    of: FxHashMap<Value, Vec<(Inst, u32)>>,
}

/// What is done with the addresses of a variable.
#[derive(Debug, Default)]
pub(super) struct Uses {
    /// The stores into it; and the calls of LLVM's functions that fill memory, or copy to it.
    pub(super) stores: Vec<Inst>,
    /// The calls of functions with a body that may write to it.
    pub(super) written_by: Vec<Inst>,
    /// Whether something else writes to it.
    pub(super) is_written_otherwise: bool,
    pub(super) escapes: bool,
    /// Whether the function returns an address of it.
    is_returned: bool,
}

/// What happens to an address that is an argument of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Passed {
    /// It is read through, at most.
    Read,
    /// The same, and the result may be an address of the variable.
    Returned,
    /// What it is the address of is filled, or something is copied to it.
    Filled,
    /// It is written through.
    Written {
        /// Whether the result may be an address of the variable.
        is_returned: bool,
    },
    Escapes,
}

/// Which bodies say what a call of their function does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Bodies {
    /// Those [that a call reaches](reconverge_ir::module::FunctionData::has_exact_definition).
    #[default]
    Exact,
    /// Those [that mean the same](reconverge_ir::module::FunctionData::has_definition_of_same_meaning).
    OfSameMeaning,
}

impl Bodies {
    /// Whether a function has one.
    pub(super) fn contain(self, module: &Module<'_>, id: FunctionId) -> bool {
        match self {
            Bodies::Exact => module.functions[id].has_exact_definition(),
            Bodies::OfSameMeaning => module.functions[id].has_definition_of_same_meaning(),
        }
    }
}

/// What is known of the parameters of functions, each looked at once.
#[derive(Debug, Default)]
pub(super) struct Parameters {
    pub(super) bodies: Bodies,
    /// By function, parameter, and depth: how deep others are looked into depends on it, and must not on who asked first.
    known: Mutex<FxHashMap<(FunctionId, u32, u32), Passed>>,
}

impl Uses {
    pub(super) fn is_written(&self) -> bool {
        self.is_written_otherwise || !self.stores.is_empty() || !self.written_by.is_empty()
    }

    /// Whether the variable is written to, by instructions of which all are known.
    pub(super) fn are_writes(&self) -> bool {
        !(self.escapes || self.is_written_otherwise || self.stores.is_empty() && self.written_by.is_empty())
    }

    /// Whether nobody writes to the variable, nor knows an address of it.
    pub(super) fn are_reads(&self) -> bool {
        !self.is_written() && !self.escapes && !self.is_returned
    }
}

impl Users {
    /// O(function).
    pub(super) fn new(module: &Module<'_>, function: &Function) -> Users {
        let mut of: FxHashMap<Value, Vec<(Inst, u32)>> = FxHashMap::default();
        for inst in function.instructions.keys() {
            for (index, &operand) in function.operands(inst).iter().enumerate() {
                let data = &function.values[operand];
                let is_local = matches!(data.definition, Definition::Instruction(_) | Definition::Parameter(_));
                if is_local && address_space(module, data.ty).is_some() {
                    of.entry(operand).or_default().push((inst, index as u32));
                }
            }
        }
        Users { of }
    }

    fn of(&self, value: Value) -> &[(Inst, u32)] {
        self.of.get(&value).map_or(&[], Vec::as_slice)
    }

    /// Whether a value is the address of a cell.
    fn is_cell(&self, function: &Function, value: Value) -> bool {
        let is_alloca = |inst: Inst| function.instructions[inst].opcode == Opcode::Alloca;
        matches!(function.values[value].definition, Definition::Instruction(inst) if is_alloca(inst))
            && self.of(value).iter().all(|&(inst, index)| match function.instructions[inst].opcode {
                Opcode::Load => true,
                Opcode::Store => index == 1,
                _ => false,
            })
    }

    /// What is done with addresses that are computed from these.
    pub(super) fn uses_of(
        &self,
        module: &Module<'_>,
        function: &Function,
        parameters: &Parameters,
        roots: impl IntoIterator<Item = Value>,
    ) -> Uses {
        self.follow(function, roots, &|inst, index| parameters.at_call(module, function, inst, index, 0))
    }

    fn follow(
        &self,
        function: &Function,
        roots: impl IntoIterator<Item = Value>,
        passed: &dyn Fn(Inst, u32) -> Passed,
    ) -> Uses {
        let mut uses = Uses::default();
        let mut stack: Vec<Value> = roots.into_iter().collect();
        let mut seen: FxHashSet<Value> = stack.iter().copied().collect();
        while let Some(address) = stack.pop() {
            for &(inst, index) in self.of(address) {
                let data = &function.instructions[inst];
                let mut reach = |result: Option<Value>| stack.extend(result.filter(|&result| seen.insert(result)));
                match (data.opcode, index) {
                    (Opcode::Load | Opcode::ICmp, _) => {}
                    (Opcode::Store, 1) => uses.stores.push(inst),
                    (Opcode::Store, _) => {
                        let cell = function.operands(inst)[1];
                        if self.is_cell(function, cell) {
                            for &(user, _) in self.of(cell) {
                                let is_load = function.instructions[user].opcode == Opcode::Load;
                                reach(function.instructions[user].result.expand().filter(|_| is_load));
                            }
                        } else {
                            uses.escapes = true;
                        }
                    }
                    (Opcode::GetElementPtr | Opcode::BitCast | Opcode::AddrSpaceCast | Opcode::Freeze, 0)
                    | (Opcode::Phi, _)
                    | (Opcode::Select, 1 | 2) => reach(data.result.expand()),
                    (Opcode::Ret, _) => uses.is_returned = true,
                    (Opcode::AtomicRmw | Opcode::CmpXchg, 0) => uses.is_written_otherwise = true,
                    (Opcode::Call | Opcode::Invoke, _) => match passed(inst, index) {
                        Passed::Read => {}
                        Passed::Returned => reach(data.result.expand()),
                        Passed::Filled => uses.stores.push(inst),
                        Passed::Written { is_returned } => {
                            uses.written_by.push(inst);
                            reach(data.result.expand().filter(|_| is_returned));
                        }
                        Passed::Escapes => uses.escapes = true,
                    },
                    _ => uses.escapes = true,
                }
            }
        }
        uses
    }
}

impl Parameters {
    /// What becomes of an argument of a call.
    pub(super) fn at_call(
        &self,
        module: &Module<'_>,
        function: &Function,
        inst: Inst,
        index: u32,
        depth: u32,
    ) -> Passed {
        let Some((callee, argument_count)) = callee_of(function, inst) else { return Passed::Escapes };
        if index >= argument_count {
            return Passed::Escapes;
        }
        if let SymbolKind::Function(id) = module.symbols[callee].kind
            && self.bodies.contain(module, id)
            && !module.functions[id].variadic
        {
            return self.of(module, id, index, depth);
        }
        by_name(&module.symbol_name(callee), index, gives_pointer(module, function, inst))
    }

    fn of(&self, module: &Module<'_>, id: FunctionId, index: u32, depth: u32) -> Passed {
        let known = || self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(&passed) = known().get(&(id, index, depth)) {
            return passed;
        }
        if depth >= DEPTH {
            return Passed::Escapes;
        }
        let function = FunctionReader::new(module).read(id).ok();
        let passed = function.and_then(|function| {
            let &parameter = function.parameters.get(index as usize)?;
            let users = Users::new(module, &function);
            let uses = users
                .follow(&function, [parameter], &|inst, index| self.at_call(module, &function, inst, index, depth + 1));
            Some(match uses {
                Uses { escapes: true, .. } => Passed::Escapes,
                Uses { is_returned, .. } if uses.is_written() => Passed::Written { is_returned },
                Uses { is_returned: true, .. } => Passed::Returned,
                _ => Passed::Read,
            })
        });
        let passed = passed.unwrap_or(Passed::Escapes);
        known().insert((id, index, depth), passed);
        passed
    }
}

fn callee_of(function: &Function, inst: Inst) -> Option<(reconverge_ir::Symbol, u32)> {
    let call = call_of(function, inst)?;
    Some((call.callee.expand()?, call.argument_count))
}

/// Whether the result of a call is a pointer.
fn gives_pointer(module: &Module<'_>, function: &Function, call: Inst) -> bool {
    let result = function.instructions[call].result.expand();
    result.is_some_and(|result| address_space(module, function.values[result].ty).is_some())
}

/// What functions that are known by name do with an address. Where the result is no pointer, it is not followed.
pub(super) fn by_name(name: &[u8], index: u32, gives_pointer: bool) -> Passed {
    let is = |stem: &[u8]| name.starts_with(stem);
    match index {
        _ if is(b"llvm.lifetime.") || is(b"llvm.dbg.") || is(b"llvm.assume") || is(b"llvm.prefetch") => Passed::Read,
        0 if is(b"llvm.memcpy.") || is(b"llvm.memmove.") || is(b"llvm.memset.") => Passed::Filled,
        1 if is(b"llvm.memcpy.") || is(b"llvm.memmove.") => Passed::Read,
        _ if name == b"vprintf" || name == b"printf" => Passed::Read,
        _ if is_computed(name) && gives_pointer => Passed::Returned,
        _ => Passed::Escapes,
    }
}

/// Whether there is time for all functions of a module.
pub(super) fn is_small(module: &Module<'_>) -> bool {
    let bodies = module.definitions().filter_map(|id| module.functions[id].body);
    bodies.map(|body| body.range().len()).sum::<usize>() <= MOST_BYTES
}

/// Whether the address of memory that each thread has its own copy of may be in memory that is not a cell, or in hands that are not seen; so that what is
/// read from memory may be such an address. What functions get and return may be one. O(text).
pub(super) fn any_escapes(module: &Module<'_>, bodies: Bodies, is_kernel: impl Fn(FunctionId) -> bool) -> bool {
    if !is_small(module) {
        return true;
    }
    let (mut reader, mut function) = (FunctionReader::new(module), Function::default());
    let has_body = |callee| match module.symbols[callee].kind {
        SymbolKind::Function(id) => bodies.contain(module, id),
        _ => false,
    };
    module.definitions().any(|id| {
        if reader.read_into(id, &mut function).is_err() {
            return true;
        }
        let is_pointer = |value: Value| address_space(module, function.values[value].ty).is_some();
        let is_own = |index: usize| {
            let attributes = module.functions[id].parameters.get(index).map(|parameter| parameter.attributes);
            !is_kernel(id) || attributes.is_none_or(|attributes| module.attribute(attributes, b"byval").is_some())
        };
        let parameters = function.parameters.iter().enumerate().filter(|&(index, _)| is_own(index));
        let mut roots: Vec<Value> = parameters.map(|(_, &parameter)| parameter).collect();
        for (inst, data) in &function.instructions {
            let Some(result) = data.result.expand() else { continue };
            let is_root = match data.opcode {
                Opcode::Alloca => true,
                // Of what is not seen, nothing is returned that did not escape before.
                Opcode::Call | Opcode::Invoke => callee_of(&function, inst).is_some_and(|(callee, _)| has_body(callee)),
                _ => false,
            };
            if is_root {
                roots.push(result);
            }
        }
        roots.retain(|&root| is_pointer(root));
        let users = Users::new(module, &function);
        let passed = |inst: Inst, index: u32| match callee_of(&function, inst) {
            Some((callee, count)) if index < count && has_body(callee) => Passed::Read,
            Some((callee, count)) if index < count => {
                by_name(&module.symbol_name(callee), index, gives_pointer(module, &function, inst))
            }
            _ => Passed::Escapes,
        };
        users.follow(&function, roots, &passed).escapes
    })
}
