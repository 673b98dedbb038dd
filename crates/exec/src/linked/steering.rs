//! Whether the way that a thread goes may depend on what it gets from communicating.
//!
//! A value is *given* if it is the result of an operation at which threads communicate, or computed from a given value, or loaded where a given value may have been
//! stored: memory is one thing, but without races what a load finds was stored by code from which control flow leads to it. Threads are *steered* if a branch is
//! on a given value. A no is certain.

use cranelift_entity::EntityRef;
use reconverge_graph::Node;
use reconverge_ir::FunctionId;
use reconverge_ir::function::{Definition, Extra, Inst, Value};
use reconverge_ir::opcode::Opcode;
use rustc_hash::FxHashSet;

use crate::machine::recorder::Site;
use crate::program::Executable;
use crate::program::code::{Code, CodeId, Op};

/// Whether threads are steered. Linear in the program for each step along a chain of calls or through memory.
pub(super) fn is_steered<'s>(executable: &Executable<'_>, sites: impl Iterator<Item = &'s Site>) -> bool {
    let inst = |site: &Site| (site.code, executable.codes[site.code].insts[site.op as usize]);
    let throws = executable.codes.iter().flat_map(|(id, code)| {
        let ops = code.ops.iter().zip(&code.insts);
        ops.filter(|(op, _)| matches!(op, Op::Throw { .. })).map(move |(_, &inst)| (id, inst))
    });
    let mut given = Given { communicates: sites.map(inst).collect(), throws: throws.collect(), ..Given::default() };
    loop {
        let before = given.size();
        for (id, code) in executable.codes.iter() {
            if code.ir.instructions.keys().any(|inst| given.steers(executable, id, code, inst)) {
                return true;
            }
        }
        if given.size() == before {
            return false;
        }
    }
}

/// What is given, as far as is known.
#[derive(Default)]
struct Given {
    communicates: FxHashSet<(CodeId, Inst)>,
    /// What throws: the type of an exception decides where its thread goes on.
    throws: FxHashSet<(CodeId, Inst)>,
    values: FxHashSet<(CodeId, Value)>,
    parameters: FxHashSet<(FunctionId, u32)>,
    returned: FxHashSet<FunctionId>,
    /// What writes given values to memory.
    writes: FxHashSet<(CodeId, Inst)>,
    /// The blocks that control flow leads to from there.
    behind: FxHashSet<(CodeId, Node)>,
}

impl Given {
    /// How much there is: it only grows.
    fn size(&self) -> usize {
        self.values.len() + self.parameters.len() + self.returned.len() + self.writes.len()
    }

    fn is_given(&self, id: CodeId, code: &Code, value: Value) -> bool {
        match code.ir.values[value].definition {
            Definition::Parameter(index) => self.parameters.contains(&(code.id, index)),
            _ => self.values.contains(&(id, value)),
        }
    }

    /// That an instruction writes a given value.
    fn write(&mut self, id: CodeId, code: &Code, inst: Inst) {
        if !self.writes.insert((id, inst)) {
            return;
        }
        let mut work = vec![Node::new(code.ir.instructions[inst].block.index())];
        while let Some(block) = work.pop() {
            let next = code.graph.successors(block).iter().copied();
            work.extend(next.filter(|&to| self.behind.insert((id, to))));
        }
    }

    /// Whether what an instruction reads may be given: it is behind a write, or in another function than one.
    fn may_read(&self, id: CodeId, code: &Code, inst: Inst) -> bool {
        let block = code.ir.instructions[inst].block;
        let is_before =
            |&(at, write): &(CodeId, Inst)| at != id || write < inst && code.ir.instructions[write].block == block;
        self.behind.contains(&(id, Node::new(block.index()))) || self.writes.iter().any(is_before)
    }

    /// Adds what an instruction gives on; whether it is a branch on what is given.
    fn steers(&mut self, executable: &Executable<'_>, id: CodeId, code: &Code, inst: Inst) -> bool {
        let data = &code.ir.instructions[inst];
        let operands = code.ir.operands(inst);
        let any = operands.iter().any(|&value| self.is_given(id, code, value));
        let decides = data.opcode.is_terminator() && data.opcode != Opcode::Ret && !data.opcode.is_call_site();
        if decides || self.throws.contains(&(id, inst)) {
            return any;
        }
        let mut result = any;
        let is_atomic = matches!(data.extra, Extra::Memory(memory) if code.ir.memory[memory].ordering.is_some());
        match data.opcode {
            Opcode::Ret if any => {
                self.returned.insert(code.id);
            }
            Opcode::Load if !is_atomic => result |= self.may_read(id, code, inst),
            Opcode::Store if any => self.write(id, code, inst),
            // What is atomic may be read without a path of control flow from the write.
            Opcode::Load | Opcode::AtomicRmw | Opcode::CmpXchg => {
                result |= !self.writes.is_empty();
                if any && data.opcode != Opcode::Load {
                    self.write(id, code, inst);
                }
            }
            _ => {}
        }
        if let Extra::Call(call) = data.extra {
            let call = &code.ir.calls[call];
            let callee = call.callee.expand().and_then(|symbol| executable.module.function_of(symbol));
            let body = callee.filter(|&callee| executable.codes.values().any(|code| code.id == callee));
            match body {
                Some(callee) => {
                    let arguments = (0..).zip(&operands[..call.argument_count as usize]);
                    let given = arguments.filter(|&(_, &value)| self.is_given(id, code, value));
                    let given: Vec<u32> = given.map(|(index, _)| index).collect();
                    self.parameters.extend(given.into_iter().map(|index| (callee, index)));
                    result = self.returned.contains(&callee);
                }
                None => {
                    if any {
                        self.write(id, code, inst);
                    }
                    result |= self.communicates.contains(&(id, inst));
                }
            }
        }
        if let Some(value) = data.result.expand().filter(|_| result) {
            self.values.insert((id, value));
        }
        false
    }
}
