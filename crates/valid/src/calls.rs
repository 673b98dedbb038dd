//! Calls, what they pass, and the headers of functions (LangRef, "call", "Functions").

use reconverge_ir::constant::ConstantData;
use reconverge_ir::function::{CallData, Definition, Extra, Inst, InstData, Value};
use reconverge_ir::opcode::{Flags, Opcode};
use reconverge_ir::types::{Type, TypeData};
use reconverge_ir::{FunctionId, Module, Span, Symbol};

use crate::attributes::{self, Memo, Met, Place, Together};
use crate::types::{Class, class, is_first_class};
use crate::{Checker, Facts, Rule};

impl Checker<'_, '_> {
    /// Looks at the header of the function.
    pub(crate) fn header(&mut self) {
        let Some(id) = self.id else { return };
        for (rule, message) in header_problems(self.facts, self.module, id, &mut self.workspace.attributes) {
            self.breach(rule, message);
        }
    }

    pub(crate) fn call(&mut self, inst: Inst, data: &InstData, values: &[Value]) {
        let Extra::Call(call_index) = data.extra else { return };
        let (function, module) = (self.function, self.module);
        let call = &function.calls[call_index];
        let arguments = &values[..call.argument_count as usize];
        let Some(&callee) = values.last() else { return };
        let callee_type = function.values[callee].ty;
        if callee_type != Type::PTR && class(module, callee_type) != Class::Pointer {
            let found = self.type_name(callee_type);
            self.breach(Rule::Call, format!("what is called is of type '{found}', not a pointer"));
        }
        let ty = |value: Value| function.values[value].ty;
        let mut variadic = false;
        let mut fixed = arguments.len();
        if let TypeData::Function { parameters, variadic: more, .. } = &module.types[call.spelled_type] {
            variadic = *more;
            fixed = parameters.len();
            let enough =
                if variadic { arguments.len() >= parameters.len() } else { arguments.len() == parameters.len() };
            if !enough {
                let (expected, found) = (parameters.len(), arguments.len());
                self.breach(
                    Rule::Call,
                    format!("the function type of the call has {expected} parameters, not {found}"),
                );
            }
            for (position, (&argument, &expected)) in arguments.iter().zip(parameters).enumerate() {
                if ty(argument) != expected {
                    let (expected, found) = (self.type_name(expected), self.type_name(ty(argument)));
                    let message = format!("argument {} is of type '{found}', not '{expected}'", position + 1);
                    self.breach(Rule::Call, message);
                }
            }
        }
        let intrinsic = call.callee.expand().filter(|&symbol| self.facts.intrinsic(symbol).is_some());
        for &argument in arguments {
            let ty = ty(argument);
            let is_plain = (Type::HALF..=Type::PTR).contains(&ty);
            if !is_plain && (!is_first_class(module, ty) || ty == Type::LABEL) {
                let found = self.type_name(ty);
                self.breach(Rule::Call, format!("an argument of type '{found}'"));
            } else if matches!(ty, Type::METADATA | Type::TOKEN) && intrinsic.is_none() {
                let found = self.type_name(ty);
                self.breach(Rule::Call, format!("an argument of type '{found}' of a function that is no intrinsic"));
            }
        }
        if !is_result(module, data.ty) || data.ty == Type::TOKEN && intrinsic.is_none() {
            let found = self.type_name(data.ty);
            self.breach(Rule::Call, format!("a call of a function with a result of type '{found}'"));
        }
        // Calls of intrinsics of an older LLVM are made anew.
        let is_older = intrinsic.and_then(|symbol| self.facts.intrinsic(symbol)).is_some_and(|it| match it.signature {
            Some(signature) => signature.is_older_call(arguments.len()),
            None => true,
        });
        let spans = if is_older { &[] } else { function.argument_attributes(call_index) };
        let mut together = Together::default();
        for (position, (&span, &argument)) in spans.iter().zip(arguments).enumerate() {
            let Some(met) = self.workspace.attributes.meet(self.facts, module, span) else { continue };
            let place = if position < fixed { self.place(intrinsic, position) } else { Place::Variadic };
            self.fitting((met, span), ty(argument), data.ty, place);
            if let Some(problem) = together.unfit(position, met.words) {
                self.breach(Rule::Call, format!("attributes of arguments that do not fit each other: {problem}"));
            }
        }
        if let Some(met) = self.workspace.attributes.meet(self.facts, module, call.prefix) {
            self.fitting((met, call.prefix), data.ty, data.ty, Place::Call);
        }
        if let Some(symbol) = intrinsic {
            self.intrinsic(symbol, data, arguments, variadic);
        }
        match data.opcode {
            Opcode::Invoke => self.unwinds(inst),
            Opcode::CallBr => self.branches(inst, intrinsic),
            _ => {}
        }
        if data.flags.contains(Flags::MUSTTAIL) {
            self.tail(inst, data);
        }
    }

    fn fitting(&mut self, (met, span): (Met, Span), ty: Type, result: Type, place: Place) {
        let memo = &mut self.workspace.attributes;
        if let Some(problem) = memo.unfit(self.facts, self.module, (met, span), ty, result, place) {
            let what = if place == Place::Call { "the result" } else { "an argument" };
            self.breach(Rule::Call, format!("an attribute of {what} that does not fit: {problem}"));
        }
    }

    /// What the attributes of an argument are about that the function type has a parameter for.
    fn place(&self, intrinsic: Option<Symbol>, position: usize) -> Place {
        let intrinsic = intrinsic.and_then(|symbol| self.facts.intrinsic(symbol));
        let is_immediate = intrinsic.is_some_and(|intrinsic| intrinsic.immediates.contains(&position));
        if is_immediate { Place::Immediate } else { Place::Parameter }
    }

    fn intrinsic(&mut self, symbol: Symbol, data: &InstData, arguments: &[Value], variadic: bool) {
        let (function, module) = (self.function, self.module);
        let Some(intrinsic) = self.facts.intrinsic(symbol) else { return };
        let name = || format!("@{}", String::from_utf8_lossy(&module.symbol_name(symbol)));
        let ty = |value: &Value| function.values[*value].ty;
        if let Some(id) = intrinsic.declaration {
            let declared = &module.functions[id];
            let parameters = declared.parameters.iter().map(|parameter| parameter.ty);
            let fixed =
                arguments.iter().take(if declared.variadic { declared.parameters.len() } else { arguments.len() });
            if data.ty != declared.result || !fixed.map(ty).eq(parameters) || variadic != declared.variadic {
                return self.breach(
                    Rule::Intrinsic,
                    format!("a call of {} with other types than its declaration has", name()),
                );
            }
        }
        let problem = match (&intrinsic.declaration, intrinsic.signature) {
            (Some(_), _) => intrinsic.problem.clone(),
            (None, Some(signature)) => {
                let types: Vec<Type> = arguments.iter().map(ty).collect();
                signature.mismatch(module, data.ty, &types, variadic)
            }
            (None, None) => Some("is not declared, and no intrinsic that is known".to_string()),
        };
        if let Some(problem) = problem {
            return self.breach(Rule::Intrinsic, format!("{} {problem}", name()));
        }
        for &index in &intrinsic.immediates {
            let Some(argument) = arguments.get(index) else { continue };
            let is_immediate = match function.values[*argument].definition {
                Definition::Constant(ConstantData::Integer(_) | ConstantData::Literal(_)) => true,
                Definition::Constant(ConstantData::Zero) => class(module, ty(argument)) != Class::Other,
                _ => false,
            };
            if !is_immediate {
                let message = format!("argument {} of {} is no immediate: it has to be a number", index + 1, name());
                return self.breach(Rule::Intrinsic, message);
            }
        }
        let may_be_invoked =
            ["llvm.donothing", "llvm.experimental.", "llvm.coro.", "llvm.objc.", "llvm.wasm.", "llvm.seh."];
        if data.opcode == Opcode::Invoke && !may_be_invoked.iter().any(|prefix| name()[1..].starts_with(prefix)) {
            self.breach(Rule::Intrinsic, format!("{} cannot throw, so it is not to be invoked", name()));
        }
    }

    /// A call that may go on elsewhere: inline assembly, and what ends threads.
    #[cold]
    fn branches(&mut self, inst: Inst, intrinsic: Option<Symbol>) {
        let function = self.function;
        if self.module.assembly(function, inst).is_some() {
            return;
        }
        let is_kill = intrinsic.is_some_and(|symbol| *self.module.symbol_name(symbol) == *b"llvm.amdgcn.kill");
        let problem = match function.targets(inst) {
            _ if !is_kill => "a 'callbr' is one of inline assembly or of @llvm.amdgcn.kill",
            &[_, ended] if function.instructions[self.first_of(ended)].opcode == Opcode::Unreachable => return,
            _ => "a 'callbr' of @llvm.amdgcn.kill goes on in one block, or in one that is 'unreachable'",
        };
        self.breach(Rule::Structure, problem);
    }

    /// A call that has to be a tail call.
    fn tail(&mut self, inst: Inst, data: &InstData) {
        let function = self.function;
        let terminator = function.terminator(data.block);
        let returned = function.operands(terminator).first().copied();
        let is_last =
            terminator.as_u32() == inst.as_u32() + 1 && function.instructions[terminator].opcode == Opcode::Ret;
        let is_undefined = |value: Value| {
            matches!(
                function.values[value].definition,
                Definition::Constant(ConstantData::Undef | ConstantData::Poison)
            )
        };
        if !is_last || returned.is_some_and(|value| Some(value) != data.result.expand() && !is_undefined(value)) {
            self.breach(Rule::Call, "a 'musttail' call is followed by a 'ret' of its result or of an undefined value");
        }
    }

    /// An operand that is the address of a symbol: intrinsics have none.
    #[inline]
    pub(crate) fn address(&mut self, inst: Inst, value: Value) {
        let function = self.function;
        let Definition::Constant(ConstantData::Global(symbol)) = function.values[value].definition else { return };
        if self.facts.intrinsic(symbol).is_none() {
            return;
        }
        let data = &function.instructions[inst];
        let is_callee = data.opcode.is_call_site() && function.operands(inst).last() == Some(&value);
        let is_in_older_call = match data.extra {
            Extra::Call(call) => {
                let CallData { callee, argument_count, .. } = &function.calls[call];
                let called = callee.expand().and_then(|callee| self.facts.intrinsic(callee));
                let signature = called.and_then(|called| called.signature);
                signature.is_some_and(|signature| signature.is_older_call(*argument_count as usize))
            }
            _ => false,
        };
        if !is_callee && !is_in_older_call {
            let name = String::from_utf8_lossy(&self.module.symbol_name(symbol)).into_owned();
            self.breach(Rule::Intrinsic, format!("the address of the intrinsic @{name}: it can only be called"));
        }
    }
}

/// Whether a function may have a result of this type.
fn is_result(module: &Module<'_>, ty: Type) -> bool {
    ty == Type::VOID || is_first_class(module, ty) && !matches!(ty, Type::LABEL | Type::METADATA)
}

/// What is wrong with the header of a function, declared or defined.
pub(crate) fn header_problems(
    facts: &Facts,
    module: &Module<'_>,
    id: FunctionId,
    memo: &mut Memo,
) -> Vec<(Rule, String)> {
    let function = &module.functions[id];
    let mut problems = Vec::new();
    let is_intrinsic = facts.intrinsic(function.symbol).is_some();
    if !is_result(module, function.result) || function.result == Type::TOKEN && !is_intrinsic {
        problems.push((
            Rule::Types,
            format!("a function with a result of type '{}'", module.display_type(function.result)),
        ));
    }
    let prefix = memo.meet(facts, module, function.prefix);
    // Intrinsics have the attributes of their definitions, whatever a declaration says.
    if let Some(met) = prefix
        && !is_intrinsic
        && let Some(problem) =
            memo.unfit(facts, module, (met, function.prefix), function.result, function.result, Place::Result)
    {
        problems.push((Rule::Call, format!("an attribute of the result that does not fit: {problem}")));
    }
    let mut together = Together::default();
    for (position, parameter) in function.parameters.iter().enumerate() {
        let ty = parameter.ty;
        let fits = is_first_class(module, ty) && ty != Type::LABEL;
        if !fits || matches!(ty, Type::METADATA | Type::TOKEN) && !is_intrinsic {
            problems.push((Rule::Types, format!("a parameter of type '{}'", module.display_type(ty))));
        }
        if is_intrinsic {
            // Its attributes are not looked at, but a result beside 'sret' is not even read.
            let is_result = attributes::has(module, parameter.attributes, b"sret");
            if position == 0 && function.result != Type::VOID && is_result {
                problems.push((Rule::Call, BESIDE_RESULT.to_string()));
            }
            continue;
        }
        let span = parameter.attributes;
        let Some(met) = memo.meet(facts, module, span) else { continue };
        if met.words.sret && function.result != Type::VOID {
            problems.push((Rule::Call, BESIDE_RESULT.to_string()));
        }
        if let Some(problem) = memo.unfit(facts, module, (met, span), ty, function.result, Place::Parameter) {
            problems.push((Rule::Call, format!("an attribute of a parameter that does not fit: {problem}")));
        }
        if let Some(problem) = together.unfit(position, met.words) {
            problems.push((Rule::Call, format!("attributes of parameters that do not fit each other: {problem}")));
        }
    }
    if let Some(breach) = prefix.and_then(|met| met.words.convention?.breach(module, function)) {
        problems.push((Rule::Call, breach));
    }
    if let Some(problem) = attributes::malformed(module, function.suffix) {
        problems.push((Rule::Call, format!("an attribute of the function that does not fit: {problem}")));
    }
    if is_intrinsic && function.body.is_some() {
        problems.push((Rule::Intrinsic, "an intrinsic with a body".to_string()));
    }
    problems
}

const BESIDE_RESULT: &str = "a function with an 'sret' parameter has another result";
