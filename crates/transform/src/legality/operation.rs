//! What is known of one call: who takes part, and what else it does.

use reconverge_analysis::flow::OperationKind;
use reconverge_analysis::target::{self, CallFacts, MotionFacts, Scope, Target};
use reconverge_ir::constant::ConstantData;
use reconverge_ir::function::{BundleData, Call, CallData, Definition, Extra, Inst, Value};
use reconverge_ir::opcode::{Flags, Opcode};
use reconverge_ir::types::TypeData;
use reconverge_ir::{Function, Module, Span};

/// A call, or another instruction as something that may be in the way of one.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Operation {
    /// What kind of convergent operation it is, if it is one.
    pub(crate) kind: Option<OperationKind>,
    /// The set of threads that it is about. The grid for operations that nothing is known of.
    pub(crate) scope: Scope,
    /// The facts, with what attributes add to [`MotionFacts::result_only`].
    pub(crate) motion: MotionFacts,
    /// Whether all threads of the set have to be there.
    pub(crate) needs_all: bool,
    /// `speculatable`
    pub(crate) speculatable: bool,
    /// Whether attributes make operands or a result that are undefined undefined behaviour.
    pub(crate) wants_defined: bool,
    /// Whether the call may stand in another place at all: not with `musttail`, nor with bundles that belong to where it is.
    pub(crate) is_movable: bool,
    /// `noduplicate`
    pub(crate) no_duplicate: bool,
    /// Whether it may read or write memory, or order accesses.
    pub(crate) touches_memory: bool,
    /// Whether a thread that executes it certainly goes on behind it.
    pub(crate) returns: bool,
}

impl Operation {
    pub(super) fn of(
        module: &Module<'_>,
        target: &Target,
        function: &Function,
        inst: Inst,
        kind: Option<OperationKind>,
    ) -> Operation {
        let data = &function.instructions[inst];
        let mut operation = Operation {
            kind,
            scope: Scope::Grid,
            motion: MotionFacts::default(),
            needs_all: false,
            speculatable: false,
            wants_defined: false,
            is_movable: matches!(data.extra, Extra::Call(_))
                && !data.opcode.is_terminator()
                && !data.flags.contains(Flags::MUSTTAIL),
            no_duplicate: false,
            touches_memory: matches!(data.extra, Extra::Memory(_)) && data.opcode != Opcode::Alloca
                || data.opcode == Opcode::VAArg,
            returns: !data.opcode.is_terminator()
                || matches!(data.opcode, Opcode::Br | Opcode::Switch | Opcode::IndirectBr),
        };
        if let Extra::Call(call) = data.extra {
            let is_token = |bundle: &BundleData| bundle.is_convergence_control;
            operation.is_movable &= function.bundles(call).iter().all(is_token);
            operation.wants_defined = wants_defined(module, function, inst, call);
            operation.call(module, target, function, inst, &function.calls[call]);
        }
        operation
    }

    fn call(&mut self, module: &Module<'_>, target: &Target, function: &Function, inst: Inst, call: &CallData) {
        let callee = call.callee.expand();
        let declared = callee.and_then(|symbol| module.function_of(symbol));
        let spans: Vec<Span> =
            declared.map(|id| module.functions[id].suffix).into_iter().chain([call.attributes]).collect();
        let has = |name: &[u8]| spans.iter().any(|&span| module.attribute(span, name).is_some());
        let no_memory = has(b"readnone")
            || spans.iter().any(|&span| module.attribute(span, b"memory").is_some_and(|value| &*value == b"none"));
        let name = callee.map(|symbol| module.symbol_name(symbol)).unwrap_or_default();
        let without_body = declared.is_none_or(|id| module.functions[id].body.is_none());
        let facts = callee.filter(|_| without_body).and_then(|_| target.call(&name)).copied();
        let is_token = self.kind.is_some_and(OperationKind::defines_token);
        self.speculatable = has(b"speculatable");
        self.no_duplicate = has(b"noduplicate");
        let constant_of = |index: u8| integer(function, inst, call, index);
        self.needs_all = facts.is_some_and(|facts| facts.needs_all(constant_of).is_some());
        let known = facts.map(|facts| facts.of_call(constant_of)).unwrap_or_default();
        self.motion = known.motion;
        let arguments = &function.operands(inst)[..call.argument_count as usize];
        let is_pointer = |value: &Value| {
            let ty = module.types.scalar(function.values[*value].ty);
            matches!(module.types[ty], TypeData::Pointer { .. })
        };
        // Some of those that are called pure write another result through a pointer.
        let is_pure = known.result.pure && !arguments.iter().any(is_pointer);
        let harmless = is_token || is_pure || is_plain_intrinsic(&name, &known);
        let returns = has(b"willreturn") && has(b"nounwind") && call.callee.is_some();
        self.motion.result_only |= self.speculatable || is_token || harmless || no_memory && returns;
        self.touches_memory = !(no_memory || self.motion.result_only);
        self.returns = !function.instructions[inst].opcode.is_terminator()
            && (returns || known.result.pure || self.motion.result_only);
        if callee.is_none() {
            self.assembly(module, target, function, inst);
            return;
        }
        self.scope = scope_of(known.operation);
    }

    /// Inline assembly: what is known of the operations in it, but for where else they may be executed.
    fn assembly(&mut self, module: &Module<'_>, target: &Target, function: &Function, inst: Inst) {
        let facts_of = |name: &str| target.call(name.as_bytes()).copied();
        for one in module.operations_of_assembly(function, inst, facts_of) {
            self.needs_all |= one.needs_all.is_some();
            self.scope = scope_of(one.facts.operation).min(self.scope);
        }
        let (Some(text), Some(call)) = (module.assembly(function, inst), module.assembly_call(function, inst)) else {
            return;
        };
        if call.program.is_pure(facts_of) && !text.has_side_effects {
            self.motion.result_only = true;
            self.touches_memory = false;
            self.returns = true;
        }
    }

    /// Whether it is a convergent operation that is no definition of a token.
    pub(crate) fn communicates(&self) -> bool {
        self.kind == Some(OperationKind::Call)
    }

    pub(crate) fn is_anchor(&self) -> bool {
        self.kind == Some(OperationKind::Anchor)
    }
}

/// The threads that an operation is about.
fn scope_of(operation: target::Operation) -> Scope {
    match operation {
        target::Operation::Barrier(scope) | target::Operation::Crosslane(scope) => scope,
        target::Operation::QuadCrosslane => Scope::Subgroup,
        target::Operation::None => Scope::Grid,
    }
}

fn wants_defined(module: &Module<'_>, function: &Function, inst: Inst, call: Call) -> bool {
    let data = &function.calls[call];
    let mut spans = vec![data.prefix, function.instructions[inst].attachments];
    spans.extend(function.argument_attributes(call));
    if let Some(id) = data.callee.expand().and_then(|symbol| module.function_of(symbol)) {
        let callee = &module.functions[id];
        spans.push(callee.prefix);
        spans.extend(callee.parameters.iter().map(|parameter| parameter.attributes));
    }
    let words = [&b"noundef"[..], b"dereferenceable"];
    spans.iter().any(|span| words.iter().any(|word| memchr::memmem::find(span.of(module.text), word).is_some()))
}

/// An intrinsic that reads what the thread or its launch is, or says something to the compiler.
fn is_plain_intrinsic(name: &[u8], facts: &CallFacts) -> bool {
    let reads_thread = facts.operation == target::Operation::None
        && !facts.result.loads
        && (facts.result.uniform.is_some() || facts.result.degree == target::Degree::Certain);
    let stems = [&b"llvm.lifetime."[..], b"llvm.dbg.", b"llvm.experimental.noalias.", b"llvm.assume"];
    name.starts_with(b"llvm.") && (reads_thread || stems.iter().any(|stem| name.starts_with(stem)))
        || reads_thread && (name.starts_with(b"_Z") || name.starts_with(b"get_"))
}

/// An argument that is an integer constant.
fn integer(function: &Function, inst: Inst, call: &CallData, index: u8) -> Option<i64> {
    let arguments = &function.operands(inst)[..call.argument_count as usize];
    match function.values[*arguments.get(usize::from(index))?].definition {
        Definition::Constant(ConstantData::Integer(number)) => Some(number),
        Definition::Constant(ConstantData::Zero) => Some(0),
        _ => None,
    }
}
