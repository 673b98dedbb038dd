//! What a call does: of a function with a body, of an intrinsic, of a function that is known by name, or of one that nobody knows.
//!
//! A body goes before a name. A convergent function without a body that nobody knows is a communication without effect;
//! any other unknown function cannot be run.

use reconverge_findings::control::barrier_after_exit;
use reconverge_ir::ConvergenceIntrinsic;
use reconverge_ir::SymbolKind;
use reconverge_ir::function::{CallData, Extra, Inst, InstData, Value};
use reconverge_ir::opcode::Ordering;
use reconverge_ir::types::TypeData;

use super::code::{Callee, Op, Operand, Print, Registers, TokenUse};
use super::decode::{Decoder, Result, same};
use crate::memory::{Ordered, Segment};
use crate::operations::{self, GpuFunction, Stop};
use crate::print::{self, Dialect};
use crate::statements::MARKER;
use crate::value::{Scalar, Shape};
use crate::{arithmetic, builtins};

impl Decoder<'_, '_, '_> {
    pub(super) fn call(&mut self, inst: Inst, data: &InstData) -> Result<Op> {
        let function = self.function;
        let Extra::Call(call) = data.extra else { return Err("a call of nothing".into()) };
        let call = &function.calls[call];
        let values = function.operands(inst);
        let (arguments, callee) = (&values[..call.argument_count as usize], values[values.len() - 1]);
        let out = self.out(data);
        let Some(symbol) = call.callee.expand() else {
            if let Some(text) = self.module.assembly(function, inst) {
                return match self.module.assembly_call(function, inst) {
                    Some(call) => self.assembly(inst, data, &call),
                    // A barrier to optimisation.
                    None if text.template.is_empty() && out.count == 0 => Ok(Op::Nothing { out }),
                    None => Err(self.module.unknown_in_assembly(function, inst)),
                };
            }
            let arguments = self.operands(arguments)?;
            let token = self.token(inst)?;
            let callee = Callee::Indirect { address: self.operand(callee)?, is_convergent: call.convergent };
            return Ok(Op::Call { callee, arguments, token, out, unwind: self.unwind_edge(inst, data)? });
        };
        let symbol = self.linker.resolve_alias(symbol);
        match self.module.convergence_intrinsic(symbol) {
            Some(ConvergenceIntrinsic::Entry) => return Ok(Op::Entry { out }),
            Some(ConvergenceIntrinsic::Anchor) => return Ok(Op::Anchor { out }),
            Some(ConvergenceIntrinsic::Loop) => {
                let token = self.token(inst)?.ok_or("a loop intrinsic without a token")?;
                self.hearts += 1;
                return Ok(Op::Heart { token, heart: self.hearts - 1, out });
            }
            None => {}
        }
        if let Some(id) = self.module.function_of(symbol)
            && self.module.functions[id].body.is_some()
        {
            // A call by another type than that of the function is valid IR, and has undefined behaviour.
            let declared = &self.module.functions[id];
            let types = arguments.iter().map(|&argument| self.ty(argument));
            let passed = types.take(if declared.variadic { declared.parameters.len() } else { arguments.len() });
            if data.ty != declared.result || !passed.eq(declared.parameters.iter().map(|parameter| parameter.ty)) {
                return Err("the function has other parameters or another result than this call".into());
            }
            let callee = Callee::Direct(self.linker.code_of(id));
            let (arguments, token) = (self.operands(arguments)?, self.token(inst)?);
            return Ok(Op::Call { callee, arguments, token, out, unwind: self.unwind_edge(inst, data)? });
        }
        if !matches!(self.module.symbols[symbol].kind, SymbolKind::Function(_) | SymbolKind::UndeclaredIntrinsic { .. })
        {
            return Err("this is no function that can be called".into());
        }
        let name = String::from_utf8_lossy(&self.module.symbol_name(symbol)).into_owned();
        self.named(inst, call, &name, arguments, out, self.module.is_convergent(symbol) || call.convergent)
    }

    fn operands(&mut self, values: &[Value]) -> Result<Box<[Operand]>> {
        let mut operands = Vec::with_capacity(values.len());
        for &value in values {
            // Metadata is no value.
            let is_data = !matches!(self.module.types[self.ty(value)], TypeData::Metadata);
            operands.push(if is_data { self.operand(value)? } else { Operand::none() });
        }
        Ok(operands.into())
    }

    /// An argument that a function with this name has.
    fn argument(&mut self, arguments: &[Value], index: usize) -> Result<Operand> {
        let &value = arguments.get(index).ok_or_else(|| format!("this call has no argument {}", index + 1))?;
        self.operand(value)
    }

    /// A call of a function without a body.
    fn named(
        &mut self,
        inst: Inst,
        call: &CallData,
        name: &str,
        arguments: &[Value],
        out: Registers,
        convergent: bool,
    ) -> Result<Op> {
        if let (MARKER, &[function, node]) = (name, arguments)
            && let (Some(function), Some(node)) = (self.constant(function), self.constant(node))
        {
            let node = reconverge_outline::Node::from_u32(node as u32);
            return Ok(Op::Marker { function: function as u32, node, token: self.token(inst)? });
        }
        if let Some(op) = self.about_memory(name, arguments, out)? {
            return Ok(op);
        }
        if let Some(op) = self.about_exceptions(inst, name, arguments, out)? {
            return Ok(op);
        }
        let result = self.function.instructions[inst].ty;
        if let Some(op) = self.about_resources(name, arguments, out, result)? {
            return Ok(op);
        }
        let result: Shape = self.shape(result)?;
        let mut shapes: Vec<Shape> = Vec::with_capacity(arguments.len());
        for &argument in arguments {
            let is_data = !matches!(self.module.types[self.ty(argument)], TypeData::Metadata);
            shapes.push(if is_data { self.shape(self.ty(argument))? } else { Shape::new() });
        }
        let constants: Vec<Option<u64>> = arguments.iter().map(|&argument| self.constant(argument)).collect();
        let operands = self.operands(arguments)?;
        let token = self.token(inst)?;
        let asked = operations::Call { name, result: &result, arguments: &shapes, constants: &constants };
        if let Some(op) = self.known(&asked, operands.clone(), token, out)? {
            return Ok(op);
        }
        if print::is_print(name)
            && let Some([Scalar::Pointer(space)]) = shapes.first().map(Vec::as_slice)
        {
            let dialect = Dialect::of(name, *space, &self.module.target_triple());
            let arguments = operands.iter().copied().zip(shapes.iter().cloned()).skip(1).collect();
            let result_bits = result.first().map_or(0, |scalar| scalar.bits());
            let list = name == "vprintf";
            let print = Print { dialect, format: operands[0], arguments, list, result_bits };
            return Ok(Op::Print { print: Box::new(print), out });
        }
        match builtins::recognise(name, &result, &shapes) {
            Some(builtins::Builtin::Memory(builtins::MemoryBuiltin::Copy(copy))) => {
                return Ok(Op::GroupCopy { copy: Some(Box::new(copy)), arguments: operands, token, out });
            }
            Some(builtins::Builtin::Memory(builtins::MemoryBuiltin::WaitEvents { .. })) => {
                return Ok(Op::GroupCopy { copy: None, arguments: operands, token, out });
            }
            Some(builtins::Builtin::Memory(builtin)) => {
                if let builtins::MemoryBuiltin::Atomic(atomic) = &builtin {
                    self.note_sharing(arguments[atomic.pointer]);
                }
                return Ok(Op::Library { builtin: Box::new(builtin), arguments: operands, out });
            }
            Some(builtins::Builtin::Ignored) => return Ok(Op::Nothing { out }),
            Some(builtins::Builtin::Pure(_)) | None => {}
        }
        if convergent || token.is_some() || call.convergent {
            let returns = match (shapes.first(), operands.first()) {
                (Some(shape), Some(&operand)) if *shape == result => operand,
                _ => Operand::none(),
            };
            return Ok(Op::Declared { arguments: operands, returns, token, out });
        }
        Err(format!("{} has no body and is not known", named(name)))
    }

    /// A function of GPUs, or one that is a function of its operands.
    pub(super) fn known(
        &mut self,
        asked: &operations::Call,
        operands: Box<[Operand]>,
        token: Option<TokenUse>,
        out: Registers,
    ) -> Result<Option<Op>> {
        let &operations::Call { name, result, arguments, constants } = asked;
        if let Some(function) = operations::recognise(asked) {
            return self.operation(function, name, constants, operands, token, out).map(Some);
        }
        if let Some(intrinsic) = arithmetic::recognise(name, result, arguments) {
            return Ok(Some(Op::Intrinsic { intrinsic: Box::new(intrinsic), arguments: operands, out }));
        }
        match builtins::recognise(name, result, arguments) {
            Some(builtins::Builtin::Pure(builtin)) => {
                Ok(Some(Op::Pure { builtin: Box::new(builtin), arguments: operands, out }))
            }
            _ => Ok(None),
        }
    }

    fn operation(
        &mut self,
        function: GpuFunction,
        name: &str,
        constants: &[Option<u64>],
        arguments: Box<[Operand]>,
        token: Option<TokenUse>,
        out: Registers,
    ) -> Result<Op> {
        Ok(match function {
            GpuFunction::Query(query) => Op::Query { query: Box::new(query), arguments, out },
            GpuFunction::Pointer(data) => Op::LaunchData { data, out },
            GpuFunction::Barrier(barrier) => {
                // Of threads that have ended, OpenCL C says that they should have come; PTX and AMD's processors do not count them.
                let tolerant =
                    name.starts_with("llvm.nvvm") || name.starts_with("llvm.amdgcn") || name.starts_with("__");
                let ordered = ordered_by(barrier.flags.and_then(|flags| constants[usize::from(flags)]));
                let after_exit = barrier_after_exit(name.as_bytes());
                Op::Barrier { barrier: Box::new(barrier), arguments, token, tolerant, after_exit, ordered, out }
            }
            GpuFunction::Crosslane(operation) => {
                Op::Crosslane { operation: Box::new(operation), arguments, token, out }
            }
            GpuFunction::Fence if out.count == 0 => Op::Fence { ordering: Ordering::SeqCst },
            GpuFunction::Fence | GpuFunction::Nothing => Op::Nothing { out },
            GpuFunction::Clock => Op::Clock { out },
            GpuFunction::Stop(stop) => Op::Stop { stop },
            GpuFunction::Unsupported(what) => return Err(format!("{} is not supported: {what}", named(name))),
        })
    }

    /// Functions about addresses, intrinsics about memory, or about the compiler.
    fn about_memory(&mut self, name: &str, arguments: &[Value], out: Registers) -> Result<Option<Op>> {
        let segment = match name {
            "__to_global" => Some(Segment::Global),
            "__to_local" => Some(Segment::Local),
            "__to_private" => Some(Segment::Private),
            _ => None,
        };
        if let Some(segment) = segment.filter(|_| out.count == 1) {
            return Ok(Some(Op::IsIn { segment, gives_address: true, a: self.argument(arguments, 0)?, out }));
        }
        let Some(intrinsic) = name.strip_prefix("llvm.") else { return Ok(None) };
        let is = |stems: &[&str]| {
            stems
                .iter()
                .any(|stem| intrinsic.strip_prefix(stem).is_some_and(|rest| rest.is_empty() || rest.starts_with('.')))
        };
        if is(&[
            "dbg",
            "lifetime",
            "donothing",
            "sideeffect",
            "prefetch",
            "var.annotation",
            "codeview.annotation",
            "pseudoprobe",
            "experimental.noalias.scope.decl",
            "invariant.end",
            "fake.use",
        ]) {
            return Ok(Some(Op::Nothing { out }));
        }
        let segment = match intrinsic {
            "nvvm.isspacep.global" => Some(Segment::Global),
            "nvvm.isspacep.shared" | "nvvm.isspacep.shared.cluster" | "amdgcn.is.shared" => Some(Segment::Local),
            "nvvm.isspacep.local" | "amdgcn.is.private" => Some(Segment::Private),
            _ => None,
        };
        if let Some(segment) = segment {
            return Ok(Some(Op::IsIn { segment, gives_address: false, a: self.argument(arguments, 0)?, out }));
        }
        if is(&["assume"]) {
            return Ok(Some(Op::Assume { condition: self.argument(arguments, 0)? }));
        }
        if is(&["memcpy", "memmove"]) {
            let [to, from] = [self.argument(arguments, 0)?, self.argument(arguments, 1)?];
            let length = self.argument(arguments, 2)?;
            return Ok(Some(Op::CopyMemory { to, from, length }));
        }
        if is(&["memset"]) {
            let [to, value] = [self.argument(arguments, 0)?, self.argument(arguments, 1)?];
            let length = self.argument(arguments, 2)?;
            return Ok(Some(Op::SetMemory { to, value, length }));
        }
        if is(&["stacksave"]) {
            return Ok(Some(Op::StackSave { out }));
        }
        if is(&["stackrestore"]) {
            return Ok(Some(Op::StackRestore { a: self.argument(arguments, 0)? }));
        }
        if is(&[
            "threadlocal.address",
            "ptr.annotation",
            "annotation",
            "invariant.start",
            "preserve.array.access.index",
        ]) {
            let operand = self.argument(arguments, 0)?;
            if operand.count < out.count {
                return Err(format!("@{name} gives more than it takes"));
            }
            return Ok(Some(same(operand.part(0, out.count as usize), out)));
        }
        if is(&["objectsize"]) {
            // Nobody knows: the largest number, or 0 if the least is asked for.
            let least = arguments.get(1).is_some_and(|&least| self.constant(least) == Some(1));
            let bits = if least { 0 } else { crate::value::low_bits(if intrinsic.ends_with("i64") { 64 } else { 32 }) };
            return Ok(Some(same(self.number(bits), out)));
        }
        if is(&["trap", "ubsantrap", "debugtrap"]) {
            return Ok(Some(if is(&["debugtrap"]) { Op::Nothing { out } } else { Op::Stop { stop: Stop::Trap } }));
        }
        Ok(None)
    }
}

/// What memory a barrier orders. OpenCL C says so with flags: 1 for local memory, 2 for global memory. Others order all of it.
fn ordered_by(flags: Option<u64>) -> Ordered {
    let has = |bit| flags.is_none_or(|flags| flags & bit != 0);
    Ordered { local: has(1), global: has(2) }
}

/// A function in a sentence: as the source writes it, where its name is mangled.
fn named(name: &str) -> String {
    match reconverge_operations::names::plain(name.as_bytes()) {
        Some(plain) => format!("`{}`", String::from_utf8_lossy(plain)),
        None => format!("@{name}"),
    }
}
