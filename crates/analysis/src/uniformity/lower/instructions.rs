//! The rules of parameters, instructions and branches: how what each produces depends on the thread and on its operands.
//!
//! Invariant: a rule is for the set of threads of the [`Context`], and claims no more than the target, the module and
//! the refinements that are turned on allow; what is not understood is a source of divergence. Phis have a rule of their own and
//! are not here.

use cranelift_entity::EntityRef;
use reconverge_graph::Node;
use reconverge_ir::assembly::AssemblyCall;
use reconverge_ir::constant::{ConstantData, ExpressionKind};
use reconverge_ir::function::{Block, CallData, Definition, Extra, Inst, InstData, Value};
use reconverge_ir::module::FunctionData;
use reconverge_ir::opcode::{Flags, Opcode};
use reconverge_ir::types::{Type, TypeData};
use reconverge_ir::{Function, Module};
use smallvec::SmallVec;

use super::launch::{Attributes, Launch};
use super::module_facts::{Role, role_of};
use super::phis::Ssa;
use super::private::Passed;
use super::promote::UNDEFINED;
use super::summaries::Numbers;
use super::variables::Held;
use super::{Builder, Input, LoweringOptions, NONE, Origin, Refinement, ResultSummary, value_facts};
use crate::target::{CallFacts, Degree, Dependence, MemoryKind, ResultFacts, Scope};
use crate::uniformity::{Branch, Rule};

/// What is copied from variable to variable is followed so far.
pub(super) const MOST_COPIES: u32 = 3;

/// What surrounds the instructions that are looked at.
#[derive(Clone, Copy)]
pub(super) struct Context<'a> {
    /// The function.
    pub(super) input: Input<'a>,
    pub(super) options: LoweringOptions,
    pub(super) launch: Launch,
    /// The set of threads that rules are for: a workgroup that is part of a subgroup is one.
    pub(super) scope: Scope,
}

/// How a value follows from its operands, when it is not a phi.
struct Definite {
    rule: Rule,
    /// The operands that matter, if they are not all.
    operands: Option<SmallVec<[Ssa; 4]>>,
    refinement: Option<Refinement>,
}

impl From<Rule> for Definite {
    fn from(rule: Rule) -> Definite {
        Definite { rule, operands: None, refinement: None }
    }
}

impl Definite {
    fn refined(rule: Rule, refinement: Refinement) -> Definite {
        Definite { rule, operands: None, refinement: Some(refinement) }
    }
}

impl Builder<'_> {
    /// Parameters and constants.
    pub(super) fn parameters(&mut self) {
        let Context { input: Input { module, facts, id, function, summaries }, options, scope, launch } = self.context;
        let kernel = facts.is_kernel(id);
        let summary = options.refinements.interprocedural.then(|| summaries.of(id)).flatten();
        for index in 0..function.parameters.len() {
            let attributes = module.functions[id].parameters.get(index).map(|parameter| parameter.attributes);
            let attributes = attributes.map_or(&[][..], |span| module.spelling(span));
            let mut rule = Rule::Constant;
            if facts.target.parameter(kernel, attributes) < Some(scope) {
                let single = options.refinements.value_facts && is_single(&launch, scope);
                let refinement = if single {
                    Some(Refinement::ValueFacts)
                } else if summary.is_some_and(|summary| summary.parameter_is_uniform(index)) {
                    Some(Refinement::Interprocedural)
                } else {
                    None
                };
                match refinement {
                    Some(refinement) => self.refined.push((self.values.len() as u32, refinement)),
                    None if options.certain_only || options.uniform_parameters => {}
                    None => rule = Rule::Source,
                }
            }
            self.push(None, rule, 0);
        }
        let computed = self.origins[self.values.len()..].iter().position(|origin| match *origin {
            Origin::Value(value) => !matches!(function.values[value].definition, Definition::Constant(_)),
            _ => true,
        });
        for _ in 0..computed.unwrap_or(self.origins.len() - self.values.len()) {
            self.push(None, Rule::Constant, 0);
        }
    }

    pub(super) fn instruction(&mut self, inst: Inst, data: &InstData, result: Value, node: Node) {
        let Context { input: Input { function, .. }, options, launch, scope } = self.context;
        let from = self.operands.len();
        let mut definite = if let Some(reaching) = self.promotion.reaching(result) {
            Definite {
                rule: Rule::Pure,
                operands: Some([reaching].into_iter().collect()),
                refinement: Some(Refinement::PromotableAllocas),
            }
        } else {
            self.definite(inst, data, result)
        };
        if self.butterflies.makes_uniform(result.as_u32()) {
            definite = Definite::refined(Rule::Uniform, Refinement::ValueFacts);
        }
        if options.refinements.value_facts && definite.rule == Rule::Source && is_single(&launch, scope) {
            definite = Definite::refined(Rule::Uniform, Refinement::ValueFacts);
        }
        if matches!(definite.rule, Rule::Pure | Rule::Varying) {
            match &definite.operands {
                Some(operands) => operands.iter().for_each(|&operand| self.operand(operand, node)),
                None => function.operands(inst).iter().for_each(|operand| self.operand(operand.as_u32(), node)),
            }
        }
        let index = self.push(Some(node), definite.rule, from);
        if let Some(refinement) = definite.refinement {
            self.refined.push((index, refinement));
        }
    }

    fn definite(&mut self, inst: Inst, data: &InstData, result: Value) -> Definite {
        let context = self.context;
        match data.opcode {
            Opcode::Load => return self.load(inst, data),
            Opcode::Call | Opcode::Invoke | Opcode::CallBr => return self.call(inst, data, result),
            Opcode::AtomicRmw | Opcode::CmpXchg => return context.source(Degree::Possible).into(),
            Opcode::VAArg | Opcode::LandingPad | Opcode::CatchPad | Opcode::CleanupPad | Opcode::CatchSwitch => {
                return context.source(Degree::Possible).into();
            }
            Opcode::Alloca => {
                return self.alloca(inst, data);
            }
            Opcode::AddrSpaceCast if context.makes_addresses_differ(inst, data) => {
                return context.source(Degree::Certain).into();
            }
            Opcode::ExtractValue => {
                if let Some(rule) = context.extracted(inst, data) {
                    return rule.into();
                }
            }
            _ => {}
        }
        if context.options.refinements.value_facts
            && let Some((rule, operands)) =
                value_facts::simplify(&context, self.promotion, &self.strides, inst, data, result)
        {
            return Definite { rule, operands: Some(operands), refinement: Some(Refinement::ValueFacts) };
        }
        Rule::Pure.into()
    }

    /// Where a variable is: at a fixed place of the frame, or below all that the function has allocated so far.
    fn alloca(&self, inst: Inst, data: &InstData) -> Definite {
        let context = self.context;
        let function = context.input.function;
        let is_static = |inst: Inst, data: &InstData| {
            data.block == Block::new(0)
                && function.operands(inst).iter().all(|&count| context.is_constant(count.as_u32()))
        };
        if is_static(inst, data) {
            return Rule::Pure.into();
        }
        let mut counts: SmallVec<[Ssa; 4]> = SmallVec::new();
        for (other, of_other) in &function.instructions {
            if other != inst && (of_other.opcode != Opcode::Alloca || is_static(other, of_other)) {
                continue;
            }
            // How often one was allocated elsewhere may differ.
            if other != inst && (of_other.block != Block::new(0) || data.block != Block::new(0)) {
                return context.source(Degree::Possible).into();
            }
            if other <= inst {
                counts.extend(function.operands(other).iter().map(|count| count.as_u32()));
            }
        }
        Definite { rule: Rule::Varying, operands: Some(counts), refinement: None }
    }

    fn load(&mut self, inst: Inst, data: &InstData) -> Definite {
        let context = self.context;
        let address = context.input.function.operands(inst)[0];
        if let Some(facts) = self.variable_at(address) {
            // Nobody writes there, so only the place in the variable can make a difference.
            return match facts.dependence(context.scope) {
                Dependence::Thread(degree) => context.source(degree),
                _ => Rule::Pure,
            }
            .into();
        }
        if context.options.certain_only {
            return Rule::Uniform.into();
        }
        let plain = !data.flags.contains(Flags::VOLATILE) && !data.flags.contains(Flags::ATOMIC);
        if plain && let Some(operands) = self.held(inst, address, MOST_COPIES) {
            let refinement = Some(Refinement::PromotableAllocas);
            return Definite { rule: Rule::Varying, operands: Some(operands), refinement };
        }
        if plain
            && let Some(variable) = self.contents.variable_of(&context, self.promotion, address)
            && self.is_own_variable(variable)
        {
            let content = self.contents.before(inst, variable);
            let operands = content.into_iter().chain([self.promotion.resolve(address)]).collect();
            let refinement = Some(Refinement::PromotableAllocas);
            return Definite { rule: Rule::Varying, operands: Some(operands), refinement };
        }
        let Some(refinement) = self.loads_the_same(address, plain) else { return Rule::Source.into() };
        let address = context.input.function.values[address].ty;
        let constant = plain && (context.memory_kind(address) == MemoryKind::Constant || context.is_invariant(data));
        Definite { rule: if constant { Rule::Pure } else { Rule::Varying }, operands: None, refinement }
    }

    /// Whether the threads of the set load the same from the same address, or from the same vector of addresses; and the
    /// refinement that it takes to know. `plain` is for loads that are neither atomic nor volatile.
    fn loads_the_same(&mut self, address: Value, plain: bool) -> Option<Option<Refinement>> {
        let context = self.context;
        let space = address_space(context.input.module, context.input.function.values[address].ty)?;
        let facts = context.input.facts.target.load_from(space);
        if (if plain { facts.uniform } else { facts.atomic }) >= Some(context.scope) {
            return Some(None);
        }
        let somewhere = matches!(facts.kind, MemoryKind::Flat | MemoryKind::Unknown);
        // Atomic and volatile loads see what other threads write in between; converged threads of a subgroup load together.
        let refined = context.options.refinements.provenance
            && somewhere
            && (plain || context.scope == Scope::Subgroup)
            && self.provenance.of(&context, self.promotion, self.variables, address) >= Some(context.scope);
        refined.then_some(Some(Refinement::Provenance))
    }

    /// What a call reads through the generic pointers among its arguments, where that is not what all threads of the set have one copy of; nothing where it is not known.
    fn read_through(&mut self, call: Inst, arguments: &[Value]) -> Option<SmallVec<[Ssa; 4]>> {
        let mut read = SmallVec::new();
        for &argument in arguments {
            let ty = self.context.input.function.values[argument].ty;
            if address_space(self.context.input.module, ty).is_some() && !self.points_to_shared(argument) {
                read.extend(self.passed_content(call, argument)?);
            }
        }
        Some(read)
    }

    /// Whether all threads of the set have one copy of what a pointer points to.
    fn points_to_shared(&mut self, pointer: Value) -> bool {
        self.points_to(pointer) >= Some(self.context.scope)
    }

    /// What the variable holds that an address is in, when that is read: all that it depends on, if it is known.
    pub(super) fn held(&mut self, reader: Inst, address: Value, most_copies: u32) -> Option<SmallVec<[Ssa; 4]>> {
        let context = self.context;
        if !context.options.refinements.promotable_allocas {
            return None;
        }
        let Held { mut depends_on, copies } = self.variables.read_by(&context, self.promotion, reader, address)?;
        let function = context.input.function;
        let block_of = |inst: Inst| function.instructions[inst].block;
        for (copy, from) in copies {
            // Memory that others write has to be read by threads that are together as they are where they read the variable.
            let is_with_reader = block_of(copy) == block_of(reader) || block_of(copy) == Block::new(0);
            if !is_with_reader || !self.points_to_shared(from) {
                depends_on.extend(self.held(copy, from, most_copies.checked_sub(1)?)?);
            }
        }
        Some(depends_on)
    }

    /// Whether a variable is of the function, and not what one of its parameters points to, which all threads may have one copy of.
    fn is_own_variable(&self, variable: u32) -> bool {
        let address = self.contents.variables[variable as usize];
        matches!(self.context.input.function.values[address].definition, Definition::Instruction(_))
    }

    /// What the variable holds that an argument of a call is an address in, from before the call until it returns: all that it depends on, if it is known.
    pub(super) fn passed_content(&mut self, call: Inst, argument: Value) -> Option<SmallVec<[Ssa; 4]>> {
        if let Some(held) = self.held(call, argument, MOST_COPIES) {
            return Some(held);
        }
        let variable = self.contents.variable_of(&self.context, self.promotion, argument)?;
        let content = self.contents.after(call, variable)?;
        Some(SmallVec::from_slice(&[content, self.promotion.resolve(argument)]))
    }

    /// What the content of a variable after an instruction that writes to it depends on, besides the content before; nothing where that is not known.
    pub(super) fn written_content(&mut self, inst: Inst, variable: u32) -> Option<SmallVec<[Ssa; 4]>> {
        let context = self.context;
        let function = context.input.function;
        let operands = function.operands(inst);
        if function.instructions[inst].opcode == Opcode::Store {
            return Some(operands.iter().map(|&operand| self.promotion.resolve(operand)).collect());
        }
        let call = call_of(function, inst)?;
        let arguments = &operands[..call.argument_count as usize];
        let mut depends_on: SmallVec<[Ssa; 4]> =
            arguments.iter().map(|&argument| self.promotion.resolve(argument)).collect();
        let callee = context.input.module.function_of(call.callee.expand()?);
        let summary = callee.filter(|_| context.options.refinements.interprocedural).and_then(|id| {
            let summary = context.input.summaries.of(id)?;
            is_call_of(&context.input.module.functions[id], call).then_some(summary)
        });
        for (index, &argument) in arguments.iter().enumerate() {
            if address_space(context.input.module, function.values[argument].ty).is_none() {
                continue;
            }
            let passed =
                context.input.facts.parameters().at_call(context.input.module, function, inst, index as u32, 0);
            let found = self.contents.variable_of(&context, self.promotion, argument);
            let is_shared = found.is_none() && self.points_to_shared(argument);
            // What is written where all threads have one copy is in no variable.
            let is_elsewhere = is_shared && !context.options.shared_pointees;
            match passed {
                Passed::Filled => continue,
                Passed::Written { .. } if is_elsewhere => {}
                // A variable whose address escapes is none that is followed: here, and in whoever calls this function.
                Passed::Escapes if is_shared => {}
                Passed::Written { .. } if summary?.keeps.contains(&(index as u32)) => {}
                Passed::Read | Passed::Returned => {}
                Passed::Written { .. } | Passed::Escapes => return None,
            }
            match found {
                Some(other) if other == variable => {}
                Some(other) => depends_on.extend(self.contents.before(inst, other)),
                None if is_shared => {}
                None => depends_on.extend(self.held(inst, argument, MOST_COPIES)?),
            }
        }
        Some(depends_on)
    }

    /// The content of the built-in variable that an address points into.
    fn variable_at(&self, address: Value) -> Option<ResultFacts> {
        let Input { module, facts, function, .. } = self.context.input;
        let mut address = address;
        // Addresses of built-in variables are short; in code that is never reached, an address may be based on itself.
        for _ in 0..8 {
            let (opcode, operands) = match function.values[address].definition {
                Definition::Constant(ConstantData::Global(symbol)) => return facts.variable(module, symbol),
                Definition::Constant(ConstantData::Expression(expression)) => {
                    let data = &function.constants.expressions[expression];
                    let opcode = match data.kind {
                        ExpressionKind::GetElementPtr(..) => Opcode::GetElementPtr,
                        ExpressionKind::Operation(opcode, _) => opcode,
                        _ => return None,
                    };
                    (opcode, function.list(data.operands))
                }
                Definition::Instruction(inst) => (function.instructions[inst].opcode, function.operands(inst)),
                _ => return None,
            };
            if !matches!(opcode, Opcode::GetElementPtr | Opcode::AddrSpaceCast | Opcode::BitCast) {
                return None;
            }
            address = *operands.first()?;
        }
        None
    }

    /// The number that a value is: an integer constant, how many threads a subgroup has, what all calls pass for a parameter, or computed of these.
    fn number(&self, value: Value) -> Option<i64> {
        let Context { input, options, .. } = self.context;
        let numbers = || Some(&input.summaries.of(input.id)?.numbers).filter(|_| options.refinements.interprocedural);
        let known = |value: Value| {
            let resolved = ir_value(input.function, self.promotion.resolve(value))?;
            match input.function.values[resolved].definition {
                Definition::Constant(ConstantData::Integer(number)) => Some(number),
                Definition::Constant(ConstantData::Zero) => Some(0),
                Definition::Parameter(index) => {
                    let Numbers { passed, are_all } = numbers()?;
                    passed.get(index as usize).copied().flatten().filter(|_| *are_all || options.uniform_parameters)
                }
                Definition::Instruction(inst) => {
                    let is_size = input.facts.is_subgroup_size(input.function, inst);
                    self.context.launch.subgroup.filter(|_| is_size).map(i64::from)
                }
                _ => None,
            }
        };
        reconverge_ir::assembly::integer_of(input.function, value, &known)
    }

    /// A call of a function that the target knows.
    fn known_call(&mut self, facts: &CallFacts, arguments: &[Value]) -> Definite {
        let context = self.context;
        let constant_of = |index: u8| arguments.get(usize::from(index)).and_then(|&value| self.number(value));
        let facts = facts.of_call(constant_of).result;
        let mut rule = context.rule(facts);
        let mut refinement = None;
        if facts.loads && !context.options.certain_only && rule != Rule::Source {
            for &argument in arguments {
                if address_space(context.input.module, context.input.function.values[argument].ty).is_some() {
                    match self.loads_the_same(argument, true) {
                        Some(used) => refinement = refinement.or(used),
                        None => return Rule::Source.into(),
                    }
                }
            }
            if rule == Rule::Pure {
                rule = Rule::Varying;
            }
        }
        let counts = |index: usize| rule == Rule::Pure || facts.on.contains(index);
        let operands = arguments.iter().enumerate().filter(|&(index, _)| counts(index));
        Definite { rule, operands: Some(operands.map(|(_, value)| value.as_u32()).collect()), refinement }
    }

    fn call(&mut self, inst: Inst, data: &InstData, result: Value) -> Definite {
        let context = self.context;
        let function = context.input.function;
        if data.ty == Type::TOKEN {
            return Rule::Uniform.into();
        }
        let Some(call) = call_of(function, inst) else { return Rule::Source.into() };
        let definite = self.any_call(inst, data, result, call);
        if definite.rule == Rule::Source && context.is_no_source(call) {
            let arguments = &function.operands(inst)[..call.argument_count as usize];
            let operands = arguments.iter().map(|value| value.as_u32()).collect();
            return Definite { rule: Rule::Varying, operands: Some(operands), refinement: None };
        }
        definite
    }

    fn any_call(&mut self, inst: Inst, data: &InstData, result: Value, call: &CallData) -> Definite {
        let context = self.context;
        let function = context.input.function;
        let Some(symbol) = call.callee.expand() else {
            let facts = context.inline_assembly(inst, None).unwrap_or_default();
            let arguments = function.operands(inst)[..call.argument_count as usize].iter().enumerate();
            let operands = arguments.filter(|&(index, _)| facts.on.contains(index)).map(|(_, value)| value.as_u32());
            return Definite { rule: context.rule(facts), operands: Some(operands.collect()), refinement: None };
        };
        let callee = context.input.facts.callee(symbol);
        if context.options.refinements.value_facts
            && callee.role.is_thread_number()
            && let Some((rule, operands)) =
                value_facts::simplify(&context, self.promotion, &self.strides, inst, data, result)
        {
            return Definite { rule, operands: Some(operands), refinement: Some(Refinement::ValueFacts) };
        }
        if callee.role == Role::ReadRegister
            && context.scope == Scope::Subgroup
            && context.reads_scalar_register(inst, data)
        {
            return Rule::Uniform.into();
        }
        if callee.role == Role::SamePointer && context.makes_addresses_differ(inst, data) {
            return context.source(Degree::Certain).into();
        }
        if let Some(facts) = &callee.facts {
            let facts = context.on_processor(*facts, callee.role);
            return self.known_call(&facts, &function.operands(inst)[..call.argument_count as usize]);
        }
        if context.options.refinements.interprocedural
            && let Some(id) = context.input.module.function_of(symbol)
            && let Some(summary) = context.input.summaries.of(id)
            && is_call_of(&context.input.module.functions[id], call)
        {
            let ResultSummary::DependsOn(parameters) = &summary.result else {
                // The body was analysed for the same question.
                return Rule::Source.into();
            };
            let arguments = &function.operands(inst)[..call.argument_count as usize];
            let depends_on = parameters.iter().filter_map(|&index| function.operands(inst).get(index as usize));
            let mut operands: SmallVec<[Ssa; 4]> = depends_on.map(|value| value.as_u32()).collect();
            if summary.reads_through_pointers && !context.options.certain_only {
                let Some(read) = self.read_through(inst, arguments) else { return Rule::Source.into() };
                operands.extend(read);
            }
            let rule = Rule::Varying;
            return Definite { rule, operands: Some(operands), refinement: Some(Refinement::Interprocedural) };
        }
        context.source(Degree::Possible).into()
    }

    pub(super) fn branch(&self, block: Block) -> Branch {
        let context = self.context;
        let function = context.input.function;
        let inst = function.terminator(block);
        let data = &function.instructions[inst];
        let successors = function.successors(block);
        if successors.iter().all(|&successor| successor == successors[0]) {
            return Branch::Uniform;
        }
        let source = if context.source(Degree::Possible) == Rule::Source
            && !(context.options.refinements.value_facts && is_single(&context.launch, context.scope))
        {
            Branch::Source
        } else {
            Branch::Uniform
        };
        match data.opcode {
            Opcode::Br | Opcode::Switch | Opcode::IndirectBr => match function.operands(inst).first() {
                Some(condition) => {
                    let index = self.index_of[condition.index()];
                    if index == NONE || context.is_constant(condition.as_u32()) {
                        Branch::Uniform
                    } else {
                        Branch::On(index)
                    }
                }
                None => source,
            },
            Opcode::Invoke => {
                let Some(call) = call_of(function, inst) else { return source };
                if context.has(call, |attributes| attributes.nounwind) { Branch::Uniform } else { source }
            }
            _ => source,
        }
    }
}

impl Context<'_> {
    /// The rule of a value that may differ between threads.
    fn source(&self, degree: Degree) -> Rule {
        if self.options.certain_only && degree < Degree::Certain { Rule::Uniform } else { Rule::Source }
    }

    fn rule(&self, facts: ResultFacts) -> Rule {
        match facts.dependence(self.scope) {
            Dependence::Uniform => Rule::Uniform,
            Dependence::Pure => Rule::Pure,
            Dependence::Operands if self.options.certain_only => Rule::Uniform,
            Dependence::Operands => Rule::Varying,
            Dependence::Thread(degree) => self.source(degree),
        }
    }

    pub(super) fn is_constant(&self, value: Ssa) -> bool {
        match ir_value(self.input.function, value) {
            Some(value) => matches!(self.input.function.values[value].definition, Definition::Constant(_)),
            None => false,
        }
    }

    /// Whether a call, or the function that it calls, has an attribute.
    fn has(&self, call: &CallData, holds: impl Fn(Attributes) -> bool) -> bool {
        let Input { module, facts, .. } = self.input;
        let callee = call.callee.expand().and_then(|symbol| module.function_of(symbol));
        let suffixes = callee.map(|id| module.functions[id].suffix).into_iter().chain([call.attributes]);
        suffixes.into_iter().any(|span| holds(facts.attributes(module, span)))
    }

    /// Whether the result of a call is said to be uniform when the operands are.
    fn is_no_source(&self, call: &CallData) -> bool {
        self.has(call, |attributes| attributes.no_divergence_source)
    }

    /// Whether an instruction makes a generic pointer of a private one, and these differ from thread to thread.
    fn makes_addresses_differ(&self, inst: Inst, data: &InstData) -> bool {
        let kind_of_operand = || {
            let operand = self.input.function.operands(inst)[0];
            self.memory_kind(self.input.function.values[operand].ty)
        };
        self.launch.private_addresses_differ
            && self.memory_kind(data.ty) == MemoryKind::Flat
            && kind_of_operand() == MemoryKind::Private
    }

    /// What the processor makes of facts about a function.
    fn on_processor(&self, facts: CallFacts, role: Role) -> CallFacts {
        match role {
            Role::LaneRead if !self.launch.permutes_whole_wave => {
                CallFacts { result: ResultFacts { operands: None, ..facts.result }, ..facts }
            }
            _ => facts,
        }
    }

    /// An integer constant.
    pub(super) fn integer(&self, value: Value) -> Option<i64> {
        reconverge_ir::assembly::integer(self.input.function, value)
    }

    pub(super) fn memory_kind(&self, ty: Type) -> MemoryKind {
        address_space(self.input.module, ty)
            .map_or(MemoryKind::Unknown, |space| self.input.facts.target.load_from(space).kind)
    }

    /// Whether a load has `!invariant.load`.
    pub(super) fn is_invariant(&self, data: &InstData) -> bool {
        !data.attachments.is_empty() && self.input.module.attachment(data.attachments, b"invariant.load").is_some()
    }

    /// What inline assembly gives, in one output or all: by what it computes, where that is known, and by the registers that outputs are in.
    fn inline_assembly(&self, inst: Inst, output: Option<usize>) -> Option<ResultFacts> {
        let Input { module, facts, function, .. } = self.input;
        let assembly = module.assembly(function, inst)?;
        let by_register = facts.target.inline_assembly(assembly.constraints, output);
        let Some(AssemblyCall { program, constraints }) = module.assembly_call(function, inst) else {
            let follows = module.assembly_follows_operands(&assembly).then_some(Scope::Subgroup);
            return Some(ResultFacts { operands: by_register.operands.max(follows), ..by_register });
        };
        let constant_of = |argument: usize| self.integer(function.operands(inst)[argument]);
        let facts_of = |name: &str| {
            let found = facts.target.call(name.as_bytes()).copied()?;
            Some(self.on_processor(found, role_of(name.as_bytes(), true)))
        };
        let computed = program.result(&constraints, output, constant_of, facts_of);
        Some(ResultFacts { uniform: computed.uniform.max(by_register.uniform), ..computed })
    }

    /// The rule of an element of what some call returns that is another one than that of the whole.
    fn extracted(&self, inst: Inst, data: &InstData) -> Option<Rule> {
        let Extra::Indices(indices) = data.extra else { return None };
        let index = *self.input.function.indices(indices).first()?;
        let Definition::Instruction(aggregate) =
            self.input.function.values[self.input.function.operands(inst)[0]].definition
        else {
            return None;
        };
        let call = call_of(self.input.function, aggregate)?;
        match call.callee.expand() {
            Some(symbol) if self.input.facts.callee(symbol).role == Role::MaskedBranch => {
                (index == 1 && self.scope == Scope::Subgroup).then_some(Rule::Uniform)
            }
            Some(_) => None,
            None => {
                let facts = self.inline_assembly(aggregate, Some(index as usize))?;
                Some(self.rule(facts)).filter(|&rule| rule == Rule::Uniform)
            }
        }
    }

    /// Whether a `read_register` reads a register that a subgroup has one of.
    fn reads_scalar_register(&self, inst: Inst, data: &InstData) -> bool {
        let Some(&argument) = self.input.function.operands(inst).first() else { return false };
        let Definition::Constant(ConstantData::Metadata(node)) = self.input.function.values[argument].definition else {
            return false;
        };
        let module = self.input.module;
        let node = module.node_text(module.spelling(node).trim_ascii()).unwrap_or_default().trim_ascii();
        let name = node.strip_prefix(b"!{!\"").and_then(|rest| rest.strip_suffix(b"\"}"));
        let Some(name) = name else { return false };
        let constraint: Vec<u8> = [b"={", name, b"}"].concat();
        // As an i1, a register holds a mask with a bit for each thread.
        data.ty != Type::I1 && self.input.facts.target.inline_assembly(&constraint, None).uniform.is_some()
    }
}

/// Whether a set of threads has one thread.
fn is_single(launch: &Launch, scope: Scope) -> bool {
    scope != Scope::Grid && launch.is_single_thread()
}

/// The IR value that a value of the promoted form is, if it is one.
pub(super) fn ir_value(function: &Function, value: Ssa) -> Option<Value> {
    (value != UNDEFINED && (value as usize) < function.values.len()).then(|| Value::from_u32(value))
}

/// What a call has beyond its operands.
pub(super) fn call_of(function: &Function, inst: Inst) -> Option<&CallData> {
    match function.instructions[inst].extra {
        Extra::Call(call) => Some(&function.calls[call]),
        _ => None,
    }
}

/// Whether a call passes what a function takes; what another one does is undefined.
fn is_call_of(function: &FunctionData, call: &CallData) -> bool {
    !function.variadic && call.argument_count as usize == function.parameters.len()
}

/// The address space of a pointer, or of the pointers in a vector.
pub(super) fn address_space(module: &Module<'_>, ty: Type) -> Option<u32> {
    match module.types[module.types.scalar(ty)] {
        TypeData::Pointer { address_space } => Some(address_space),
        _ => None,
    }
}
