//! Exceptions: what throws, and where threads land.
//!
//! An *exception* is a pointer; whoever throws it may give it a *type*, the address of a type info. A thread that throws leaves its activations,
//! innermost first, until one of them was entered by an `invoke`. There it goes on at the pad that the `invoke` unwinds to:
//!
//! - `landingpad`: its clauses are tried in order. `catch` matches its own type, and `catch ptr null` every exception; `filter` matches what is not in its list.
//!   The selector is that of the first clause that matches, and 0 where only `cleanup` does. Where nothing matches, the thread unwinds further.
//! - `cleanuppad`: goes on; `cleanupret` unwinds further.
//! - `catchswitch`: goes on at the first handler whose `catchpad` has no operand, a null first one, or the type as its first one; else unwinds further.
//!
//! The numbers of types in selectors are those that `llvm.eh.typeid.for` gives. Types match when they are the same: that one is a base of the other is
//! known to a language's run-time library only.

use reconverge_ir::Symbol;
use reconverge_ir::constant::ConstantData;
use reconverge_ir::function::{Block, Definition, Extra, Inst, InstData, Value};
use reconverge_ir::opcode::{Flags, Opcode};

use super::code::{Clause, EdgeIndex, Op, Operand, Registers};
use super::decode::{Decoder, Result, same};
use crate::value::Scalar;

/// The letter of a `filter` among the clauses of a landing pad.
const FILTER: u32 = b'f' as u32;

impl Decoder<'_, '_, '_> {
    /// The edge on which a call unwinds, if it is an `invoke`.
    pub(super) fn unwind_edge(&mut self, inst: Inst, data: &InstData) -> Result<Option<EdgeIndex>> {
        match *self.function.targets(inst) {
            [_, pad] if data.opcode == Opcode::Invoke => self.edge(data.block, pad).map(Some),
            _ => Ok(None),
        }
    }

    /// Instructions that begin or end the handling of an exception.
    pub(super) fn exception(&mut self, inst: Inst, data: &InstData, values: &[Value], out: Registers) -> Result<Op> {
        let function = self.function;
        let targets = function.targets(inst);
        Ok(match data.opcode {
            Opcode::Resume => {
                let exception = self.operand(values[0])?;
                if !matches!(self.shape(self.ty(values[0]))?.first(), Some(Scalar::Pointer(_))) {
                    return Err("an exception that is no pointer is not supported".into());
                }
                Op::Throw { exception: exception.part(0, 1), of_type: None, unwind: None }
            }
            Opcode::LandingPad => {
                if !matches!(self.shape(data.ty)?[..], [Scalar::Pointer(_), Scalar::Integer(32)]) {
                    return Err("a landing pad that gives no pointer and selector is not supported".into());
                }
                let Extra::Clauses(letters) = data.extra else { return Err("a landing pad of nothing".into()) };
                let mut clauses = Vec::new();
                for (&letter, &value) in function.indices(letters).iter().zip(values) {
                    clauses.push(match letter {
                        FILTER => Clause::Filter(self.operand(value)?),
                        _ => self.clause(value)?,
                    });
                }
                Op::Land { clauses: clauses.into(), cleanup: data.flags.contains(Flags::CLEANUP), out }
            }
            Opcode::CleanupPad => Op::Land { clauses: Box::default(), cleanup: true, out },
            Opcode::CatchPad => same(self.operand(values[0])?, out),
            Opcode::CatchSwitch => {
                let (handlers, further) = self.split_unwinding(data, targets);
                let mut decoded = Vec::new();
                for &handler in handlers {
                    decoded.push((self.handler(handler)?, self.edge(data.block, handler)?));
                }
                let further = further.map(|to| self.edge(data.block, to)).transpose()?;
                Op::Catch { handlers: decoded.into(), further, out }
            }
            Opcode::CatchRet => Op::Jump { edge: self.edge(data.block, targets[0])? },
            Opcode::CleanupRet => {
                let exception = self.operand(values[0])?;
                let further = self.split_unwinding(data, targets).1;
                let unwind = further.map(|to| self.edge(data.block, to)).transpose()?;
                Op::Throw { exception, of_type: None, unwind }
            }
            opcode => return Err(format!("'{}' is not supported", opcode.keyword())),
        })
    }

    /// The targets of an instruction, apart from the one that it unwinds to.
    fn split_unwinding<'b>(&self, data: &InstData, targets: &'b [Block]) -> (&'b [Block], Option<Block>) {
        match (data.extra, targets) {
            (Extra::UnwindsToBlock(true), [others @ .., last]) => (others, Some(*last)),
            _ => (targets, None),
        }
    }

    /// What a `catch` catches.
    fn clause(&mut self, value: Value) -> Result<Clause> {
        match self.type_info(value)? {
            None => Ok(Clause::CatchAll),
            Some(symbol) => Ok(Clause::Catch { of_type: self.operand(value)?, selector: self.selector(Some(symbol)) }),
        }
    }

    /// What the handler of a `catchswitch` catches.
    fn handler(&mut self, handler: Block) -> Result<Clause> {
        let function = self.function;
        let mut insts = function.block_instructions(handler);
        let pad = insts.find(|&inst| function.instructions[inst].opcode == Opcode::CatchPad);
        let pad = pad.ok_or("a handler begins with a catchpad")?;
        match function.operands(pad).get(1) {
            None => Ok(Clause::CatchAll),
            Some(&value) => self.clause(value),
        }
    }

    /// The type info that a constant stands for; nothing for null.
    fn type_info(&self, value: Value) -> Result<Option<Symbol>> {
        match self.function.values[value].definition {
            Definition::Constant(ConstantData::Null | ConstantData::Zero) => Ok(None),
            Definition::Constant(ConstantData::Global(symbol)) => Ok(Some(self.linker.resolve_alias(symbol))),
            _ => Err("a type info that is no global is not supported".into()),
        }
    }

    /// What a selector says of a type, as a positive number; nothing stands for every type.
    fn selector(&self, of_type: Option<Symbol>) -> u64 {
        of_type.map_or(u64::from(CATCH_ALL), |symbol| 1 + u64::from(CATCH_ALL) + u64::from(symbol.as_u32()))
    }

    /// Functions without a body that throw, or that handlers call.
    pub(super) fn about_exceptions(
        &mut self,
        inst: Inst,
        name: &str,
        arguments: &[Value],
        out: Registers,
    ) -> Result<Option<Op>> {
        let data = &self.function.instructions[inst];
        Ok(Some(match (name, arguments) {
            ("_Unwind_Resume" | "_Unwind_RaiseException", &[exception]) => {
                Op::Throw { exception: self.pointer(exception)?, of_type: None, unwind: self.unwind_edge(inst, data)? }
            }
            ("__cxa_throw", &[exception, of_type, _]) => Op::Throw {
                exception: self.pointer(exception)?,
                of_type: Some(self.pointer(of_type)?),
                unwind: self.unwind_edge(inst, data)?,
            },
            // On the stack: unwinding leaves it as it is until the function that lands has returned.
            ("__cxa_allocate_exception", &[size]) if out.count == 1 => {
                Op::Alloca { count: self.operand(size)?, size: 1, alignment: 16, out }
            }
            ("__cxa_begin_catch" | "__cxa_get_exception_ptr", &[exception]) if out.count == 1 => {
                same(self.pointer(exception)?, out)
            }
            ("__cxa_end_catch", []) | ("__cxa_free_exception", [_]) => Op::Nothing { out },
            (_, &[value]) if name.starts_with("llvm.eh.typeid.for") => {
                let of_type = self.type_info(value)?;
                let number = self.selector(of_type);
                same(self.number(number), out)
            }
            _ => return Ok(None),
        }))
    }

    fn pointer(&mut self, value: Value) -> Result<Operand> {
        match self.shape(self.ty(value))?[..] {
            [Scalar::Pointer(_)] => self.operand(value),
            _ => Err("an exception that is no pointer is not supported".into()),
        }
    }
}

/// The selector of `catch ptr null`.
pub(crate) const CATCH_ALL: u32 = 1;
