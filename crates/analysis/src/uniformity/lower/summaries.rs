//! What calls of functions pass and return (refinement 6).
//!
//! What a call of a function with an exact definition reaches is the body that we see. Its result is summarised from the
//! bottom up: if it is uniform as long as all parameters are, then at a call it is as uniform as the arguments that matter.
//! A function is *closed* if it has local linkage and its address is not taken: all its calls are those that we see. Its parameters
//! are summarised from the top down: one is uniform if every call passes a value that is uniform there. Threads that are
//! converged in a callee came from one call, so only the threads converged at that call count. Recursive functions have no
//! summary.
//!
//! Only functions that are called from this module, or are local, have a summary, and only those are read that have one or may mention
//! one that has: once for the calls, once for the result, and once for the arguments that they pass to closed ones. The functions of one
//! level of the call graph do not depend on each other, and are worked on in parallel.

use std::borrow::Cow;
use std::collections::hash_map::Entry;

use rayon::prelude::*;
use reconverge_ir::assembly::integer_of;
use reconverge_ir::constant::ConstantData;
use reconverge_ir::function::{Definition, Extra, Value};
use reconverge_ir::types::TypeData;
use reconverge_ir::{Function, FunctionId, FunctionReader, Module, ReadError, Symbol};
use rustc_hash::{FxHashMap, FxHashSet};

use super::extras::{PassedArgument, SummarizedCall};
use super::instructions::address_space;
use super::private::Users;
use super::{Input, Lowered, Lowerer, LoweringOptions, ModuleFacts};
use crate::target::Scope;
use crate::uniformity::{Options, Rule, ValueIndex, analyze};

/// Functions with more parameters are taken to depend on all of them.
const MOST_PARAMETERS: u32 = 8;

/// Summaries of the functions of a module, for one set of threads.
#[derive(Debug, Clone, Default)]
pub struct Summaries {
    functions: FxHashMap<FunctionId, Summary>,
}

/// What is known of a function.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Summary {
    /// By parameter, what all calls have in common; empty unless the function is closed.
    pub parameters: Vec<Argument>,
    /// The result.
    pub result: ResultSummary,
    /// Whether the result is so only where all threads have one copy of what generic pointers among the arguments point to.
    pub reads_through_pointers: bool,
    /// The parameters that are written through, but so that what they point to is the same in all threads afterwards if it was, as was what all others point
    /// to, and all arguments are uniform.
    pub keeps: Vec<u32>,
    /// The two parameters of which a commutative operation makes the result, and of nothing else. Only looked for where lanes exchange values.
    pub combines: Option<[u32; 2]>,
    /// The parameters for which all calls pass a number.
    pub numbers: Numbers,
}

/// The numbers that calls pass.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Numbers {
    /// By parameter, the number that all calls in this module pass; empty where there is none.
    pub passed: Vec<Option<i64>>,
    /// Whether there are no other calls: the function is closed.
    pub are_all: bool,
}

/// What is known of an argument.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Argument {
    /// Whether it is uniform.
    pub uniform: bool,
    /// If it is a pointer: the widest set of threads that has one copy of what it points to, or the same in all copies.
    pub points_to: Option<Scope>,
}

/// What the result of a function depends on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ResultSummary {
    /// It may differ between threads whatever the arguments are.
    Divergent,
    /// It is uniform when the arguments for these parameters are.
    DependsOn(Vec<u32>),
}

impl Summaries {
    /// No function has a summary.
    pub fn none() -> Summaries {
        Summaries::default()
    }

    /// The summary of a function.
    pub fn of(&self, id: FunctionId) -> Option<&Summary> {
        self.functions.get(&id)
    }

    /// Summarises the functions of a module that others may call, on the threads of the current `rayon` pool; nothing is read if
    /// there are none.
    ///
    /// # Errors
    /// When a body is not LLVM IR.
    pub fn compute(
        module: &Module<'_>,
        facts: &ModuleFacts<'_>,
        options: &LoweringOptions,
        analysis: &Options,
    ) -> Result<Summaries, ReadError> {
        Summaries::compute_linked(module, facts, options, analysis, None)
    }

    /// The same for what is linked with some functions: what no chain of mentions, in whichever direction, links with one of them makes no difference to it, and has no
    /// summary.
    ///
    /// # Errors
    /// When a body is not LLVM IR.
    pub(crate) fn compute_for(
        module: &Module<'_>,
        facts: &ModuleFacts<'_>,
        options: &LoweringOptions,
        analysis: &Options,
        asked: &[FunctionId],
    ) -> Result<Summaries, ReadError> {
        Summaries::compute_linked(module, facts, options, analysis, Some(asked))
    }

    fn compute_linked(
        module: &Module<'_>,
        facts: &ModuleFacts<'_>,
        options: &LoweringOptions,
        analysis: &Options,
        asked: Option<&[FunctionId]>,
    ) -> Result<Summaries, ReadError> {
        let mut summaries = Summaries::none();
        let is_known = |&id: &FunctionId| facts.has_body(module, id) && !facts.is_kernel(id);
        let mut known: FxHashSet<FunctionId> = module.definitions().filter(is_known).collect();
        if known.is_empty() || !options.refinements.interprocedural {
            return Ok(summaries);
        }
        let is_closed = |&id: &FunctionId| options.sees_all_calls || module.functions[id].linkage.is_local();
        let mut closed: FxHashSet<FunctionId> = known.iter().copied().filter(is_closed).collect();
        for &(symbol, _) in &module.top_level_uses {
            if let Some(id) = module.function_of(symbol) {
                closed.remove(&id);
            }
        }
        let definitions = match asked {
            Some(asked) => {
                let linked = linked(module, &known, asked);
                known.retain(|id| linked.contains(id));
                closed.retain(|id| linked.contains(id));
                module.definitions().filter(|id| linked.contains(id)).collect()
            }
            None => mentioning(module, &known, &closed),
        };
        let levels = Levels::compute(module, facts, definitions, &mut known, &mut closed)?;
        for &id in &known {
            let count = if closed.contains(&id) { module.functions[id].parameters.len() } else { 0 };
            // Of what nobody is seen to call.
            let points_to = options.sees_all_calls.then_some(options.scope);
            let parameters = vec![Argument { uniform: false, points_to }; count];
            summaries.functions.insert(
                id,
                Summary {
                    parameters,
                    result: ResultSummary::Divergent,
                    reads_through_pointers: false,
                    keeps: Vec::new(),
                    combines: None,
                    numbers: Numbers {
                        passed: levels.numbers.get(&id).cloned().unwrap_or_default(),
                        are_all: closed.contains(&id),
                    },
                },
            );
        }
        let worker = Worker { levels: &levels, module, facts, options, analysis };
        // What pointers point to does not depend on what is uniform.
        worker.pass_down(&mut summaries, |input, lowerer| lowerer.pointers_passed(input, options))?;

        // Callees first.
        for level in levels.levels.iter().rev() {
            let level: Vec<FunctionId> = level.iter().copied().filter(|id| known.contains(id)).collect();
            let results = worker.map(&level, &summaries, |input, lowerer| {
                (worker.result(input, lowerer), worker.keeps(input, lowerer), worker.combines(input, lowerer))
            })?;
            for (&id, ((result, reads_through_pointers), keeps, combines)) in level.iter().zip(results) {
                if let Some(summary) = summaries.functions.get_mut(&id) {
                    summary.result = result;
                    summary.reads_through_pointers = reads_through_pointers;
                    summary.keeps = keeps;
                    summary.combines = combines;
                }
            }
        }
        worker.pass_down(&mut summaries, |input, lowerer| worker.arguments_passed(input, lowerer))?;
        Ok(summaries)
    }
}

impl Summary {
    /// Whether all calls pass something uniform.
    pub fn parameter_is_uniform(&self, index: usize) -> bool {
        self.parameters.get(index).is_some_and(|argument| argument.uniform)
    }

    /// The widest set of threads that has one copy, or the same in all copies, of what all calls pass a pointer to.
    pub fn parameter_points_to(&self, index: usize) -> Option<Scope> {
        self.parameters.get(index)?.points_to
    }
}

struct Worker<'a> {
    levels: &'a Levels,
    module: &'a Module<'a>,
    facts: &'a ModuleFacts<'a>,
    options: &'a LoweringOptions,
    analysis: &'a Options,
}

impl Worker<'_> {
    /// Visits functions.
    fn map<R: Send>(
        &self,
        ids: &[FunctionId],
        summaries: &Summaries,
        visit: impl Fn(Input<'_>, &mut Lowerer) -> R + Sync,
    ) -> Result<Vec<R>, ReadError> {
        let Worker { module, facts, .. } = *self;
        ids.par_iter()
            .map_init(
                || (FunctionReader::new(module), Function::default(), Lowerer::default()),
                |(reader, function, lowerer), &id| {
                    if let Some(kept) = self.levels.bodies.get(&id) {
                        return Ok(visit(Input { module, facts, id, function: kept, summaries }, lowerer));
                    }
                    reader.read_into(id, function)?;
                    Ok(visit(Input { module, facts, id, function, summaries }, lowerer))
                },
            )
            .collect()
    }

    /// The parameters that a function whose callees have summaries writes through, and keeps what is there the same in all threads.
    fn keeps(&self, input: Input<'_>, lowerer: &mut Lowerer) -> Vec<u32> {
        let is_off = !self.options.refinements.promotable_allocas || self.options.certain_only;
        if is_off || !has_pointers(input) || !writes_through_parameters(input) {
            return Vec::new();
        }
        let options = LoweringOptions { uniform_parameters: true, shared_pointees: true, ..*self.options };
        let lowered = lowerer.lower_with_result(input, &options);
        if lowered.left.is_empty() {
            return Vec::new();
        }
        let uniformity = analyze(&lowered.problem, self.analysis);
        let is_kept = |content: ValueIndex| uniformity.values[content as usize].is_none();
        let kept = lowered.left.iter().filter(|(_, content)| content.is_some_and(is_kept));
        kept.map(|&(parameter, _)| parameter).collect()
    }

    /// The two parameters that a function whose callees have summaries combines.
    fn combines(&self, input: Input<'_>, lowerer: &mut Lowerer) -> Option<[u32; 2]> {
        let is_asked = self.options.scope == Scope::Subgroup
            && self.options.refinements.value_facts
            && self.facts.has_butterflies()
            && input.function.parameters.len() >= 2;
        if is_asked { lowerer.combined(input, self.options) } else { None }
    }

    /// The result of a function whose callees have summaries, and whether it takes for granted what pointers point to.
    fn result(&self, input: Input<'_>, lowerer: &mut Lowerer) -> (ResultSummary, bool) {
        let options = LoweringOptions { uniform_parameters: true, ..*self.options };
        match self.result_with(input, lowerer, options) {
            ResultSummary::Divergent if has_pointers(input) => {
                let options = LoweringOptions { shared_pointees: true, ..options };
                (self.result_with(input, lowerer, options), true)
            }
            result => (result, false),
        }
    }

    fn result_with(&self, input: Input<'_>, lowerer: &mut Lowerer, options: LoweringOptions) -> ResultSummary {
        let mut lowered = lowerer.lower_with_result(input, &options);
        let Some(returned) = lowered.returned else { return ResultSummary::DependsOn(Vec::new()) };
        let is_uniform =
            |lowered: &Lowered| analyze(&lowered.problem, self.analysis).values[returned as usize].is_none();
        if !is_uniform(&lowered) {
            return ResultSummary::Divergent;
        }
        let count = input.function.parameters.len() as u32;
        if count > MOST_PARAMETERS {
            return ResultSummary::DependsOn((0..count).collect());
        }
        // Parameters that make no difference, all of them together, are left out.
        let matters = |&parameter: &u32| {
            lowered.problem.values[parameter as usize].rule = Rule::Source;
            let matters = !is_uniform(&lowered);
            if matters {
                lowered.problem.values[parameter as usize].rule = Rule::Constant;
            }
            matters
        };
        ResultSummary::DependsOn((0..count).filter(matters).collect())
    }

    /// Goes through the functions, callers first, and sets the parameters of each to what all calls pass.
    fn pass_down(
        &self,
        summaries: &mut Summaries,
        visit: impl Fn(Input<'_>, &mut Lowerer) -> Vec<PassedArguments> + Sync,
    ) -> Result<(), ReadError> {
        let mut passed: FxHashMap<FunctionId, Vec<Argument>> = FxHashMap::default();
        for level in &self.levels.levels {
            for id in level {
                if let (Some(summary), Some(arguments)) = (summaries.functions.get_mut(id), passed.remove(id)) {
                    summary.parameters = arguments;
                }
            }
            let passing: Vec<FunctionId> =
                level.iter().copied().filter(|id| self.levels.passing.contains(id)).collect();
            let calls = self.map(&passing, summaries, &visit)?;
            for PassedArguments { callee, arguments } in calls.into_iter().flatten() {
                match passed.entry(callee) {
                    Entry::Vacant(entry) => drop(entry.insert(arguments)),
                    Entry::Occupied(mut entry) => {
                        for (common, argument) in entry.get_mut().iter_mut().zip(arguments) {
                            common.uniform &= argument.uniform;
                            common.points_to = common.points_to.min(argument.points_to);
                        }
                    }
                }
            }
        }
        Ok(())
    }

    /// What a function passes to closed functions.
    fn arguments_passed(&self, input: Input<'_>, lowerer: &mut Lowerer) -> Vec<PassedArguments> {
        let (lowered, calls) = lowerer.lower_with_arguments(input, self.options);
        let uniformity = analyze(&lowered.problem, self.analysis);
        let is_uniform = |value: ValueIndex| uniformity.values[value as usize].is_none();
        let argument = |&PassedArgument { copy, points_to, content }: &PassedArgument| Argument {
            uniform: is_uniform(copy),
            // What is the same in all threads is as good as one copy.
            points_to: if content.is_some_and(is_uniform) { Some(self.options.scope) } else { points_to },
        };
        let call = |call: &SummarizedCall| PassedArguments {
            callee: call.callee,
            arguments: call.arguments.iter().map(argument).collect(),
        };
        calls.iter().map(call).collect()
    }
}

/// Whether a function has pointers among its parameters.
fn has_pointers(input: Input<'_>) -> bool {
    let types = input.function.parameters.iter().map(|&parameter| input.function.values[parameter].ty);
    types.into_iter().any(|ty| matches!(input.module.types[ty], TypeData::Pointer { .. }))
}

/// Whether a function writes through one of its parameters so that it can be told what.
fn writes_through_parameters(input: Input<'_>) -> bool {
    let Input { module, facts, function, .. } = input;
    let users = Users::new(module, function);
    function.parameters.iter().any(|&parameter| {
        let is_pointer = address_space(module, function.values[parameter].ty).is_some();
        is_pointer && users.uses_of(module, function, facts.parameters(), [parameter]).are_writes()
    })
}

/// What one call passes.
pub(super) struct PassedArguments {
    pub(super) callee: FunctionId,
    pub(super) arguments: Vec<Argument>,
}

/// The functions that have a summary or call one that has, callers before callees.
struct Levels {
    levels: Vec<Vec<FunctionId>>,
    /// Those that call a closed one.
    passing: FxHashSet<FunctionId>,
    /// The bodies, if they are not too large to be kept.
    bodies: FxHashMap<FunctionId, Function>,
    /// By parameter, the number that all calls pass, where there is one.
    numbers: FxHashMap<FunctionId, Vec<Option<i64>>>,
}

/// What two calls pass for the same parameters, where it is the same.
fn join(common: &mut [Option<i64>], passed: &[Option<i64>]) {
    for (common, number) in common.iter_mut().zip(passed) {
        *common = common.filter(|_| *common == *number);
    }
}

/// How many bytes of text the bodies have that are kept at most; others are read again.
const MOST_KEPT: usize = 16 << 20;

impl Levels {
    /// Reads bodies, among them all that may mention a function of `known`. Takes functions out of `known` that are recursive, or neither local nor
    /// called; and those whose address is taken out of `closed`, which is a part of it.
    fn compute(
        module: &Module<'_>,
        facts: &ModuleFacts<'_>,
        definitions: Vec<FunctionId>,
        known: &mut FxHashSet<FunctionId>,
        closed: &mut FxHashSet<FunctionId>,
    ) -> Result<Levels, ReadError> {
        let length: usize =
            definitions.iter().filter_map(|&id| module.functions[id].body).map(|body| body.range().len()).sum();
        let keep = length <= MOST_KEPT;
        let mentions: Vec<Result<(Mentions, Option<Function>), ReadError>> = definitions
            .par_iter()
            .map_init(
                || (FunctionReader::new(module), Function::default()),
                |(reader, function), &id| {
                    reader.read_into(id, function)?;
                    let mentions = Mentions::of(module, facts, function, known);
                    Ok((mentions, keep.then(|| std::mem::take(function))))
                },
            )
            .collect();
        // The first error in the order of the text.
        let mentions = mentions.into_iter().collect::<Result<Vec<_>, ReadError>>()?;
        for id in mentions.iter().flat_map(|(mentions, _)| &mentions.addresses) {
            closed.remove(id);
        }
        let called: FxHashSet<FunctionId> =
            mentions.iter().flat_map(|(mentions, _)| &mentions.calls).copied().collect();
        known.retain(|id| closed.contains(id) || called.contains(id));
        let mut callees: FxHashMap<FunctionId, Vec<FunctionId>> = FxHashMap::default();
        let mut callers_left: FxHashMap<FunctionId, usize> = FxHashMap::default();
        let (mut bodies, mut passing) = (FxHashMap::default(), FxHashSet::default());
        let mut numbers: FxHashMap<FunctionId, Vec<Option<i64>>> = FxHashMap::default();
        for (&id, (mentions, body)) in definitions.iter().zip(mentions) {
            bodies.extend(body.map(|body| (id, body)));
            for (callee, passed) in mentions.numbers {
                match numbers.entry(callee) {
                    Entry::Vacant(entry) => drop(entry.insert(passed)),
                    Entry::Occupied(mut entry) => join(entry.get_mut(), &passed),
                }
            }
            let calls = mentions.calls;
            if calls.is_empty() && !known.contains(&id) {
                continue;
            }
            if calls.iter().any(|callee| closed.contains(callee)) {
                passing.insert(id);
            }
            callers_left.entry(id).or_insert(0);
            for &callee in &calls {
                *callers_left.entry(callee).or_insert(0) += 1;
            }
            callees.insert(id, calls);
        }
        // What is left when all functions without callers have been taken away, again and again, is called from a
        // recursive function.
        let mut levels = Vec::new();
        let mut level: Vec<FunctionId> =
            definitions.into_iter().filter(|id| callers_left.get(id) == Some(&0)).collect();
        let mut done = FxHashSet::default();
        while !level.is_empty() {
            let mut next = Vec::new();
            for id in &level {
                done.insert(*id);
                for callee in callees.get(id).into_iter().flatten() {
                    let left = callers_left.get_mut(callee).expect("callees are counted");
                    *left -= 1;
                    if *left == 0 {
                        next.push(*callee);
                    }
                }
            }
            levels.push(level);
            level = next;
        }
        known.retain(|id| done.contains(id));
        closed.retain(|id| done.contains(id));
        numbers.retain(|_, passed| passed.iter().any(Option::is_some));
        Ok(Levels { levels, passing, bodies, numbers })
    }
}

/// The closed functions, and those whose body may mention a known one, in the order of the text. O(text).
fn mentioning(module: &Module<'_>, known: &FxHashSet<FunctionId>, closed: &FxHashSet<FunctionId>) -> Vec<FunctionId> {
    let names: FxHashSet<Cow<'_, [u8]>> =
        known.iter().map(|&id| module.symbol_name(module.functions[id].symbol)).collect();
    let definitions: Vec<FunctionId> = module.definitions().collect();
    let may_matter = |id: &FunctionId| closed.contains(id) || module.mentions(*id).any(|name| names.contains(&name));
    definitions.into_par_iter().filter(may_matter).collect()
}

/// The functions that chains of mentions of `known` ones link with some, in whichever direction, with these. O(text).
fn linked(module: &Module<'_>, known: &FxHashSet<FunctionId>, asked: &[FunctionId]) -> FxHashSet<FunctionId> {
    let ids: FxHashMap<Cow<'_, [u8]>, FunctionId> =
        known.iter().map(|&id| (module.symbol_name(module.functions[id].symbol), id)).collect();
    let definitions: Vec<FunctionId> = module.definitions().collect();
    let mentions = |&id: &FunctionId| {
        let mut mentioned: Vec<FunctionId> =
            module.mentions(id).filter_map(|name| ids.get(&name).copied()).filter(|&other| other != id).collect();
        mentioned.sort_unstable();
        mentioned.dedup();
        mentioned
    };
    let mentioned: Vec<Vec<FunctionId>> = definitions.par_iter().map(mentions).collect();
    let mut neighbours: FxHashMap<FunctionId, Vec<FunctionId>> = FxHashMap::default();
    for (&id, mentioned) in definitions.iter().zip(mentioned) {
        for &other in &mentioned {
            neighbours.entry(other).or_default().push(id);
        }
        neighbours.entry(id).or_default().extend(mentioned);
    }
    let (mut linked, mut stack) = (FxHashSet::default(), asked.to_vec());
    while let Some(id) = stack.pop() {
        if linked.insert(id) {
            stack.extend(neighbours.get(&id).into_iter().flatten());
        }
    }
    linked
}

/// The functions that have a summary, as far as a body mentions them.
struct Mentions {
    /// Once each.
    calls: Vec<FunctionId>,
    addresses: Vec<FunctionId>,
    /// Of each call, the numbers that it passes; the number of threads of a subgroup is one where the target has one.
    numbers: Vec<(FunctionId, Vec<Option<i64>>)>,
}

impl Mentions {
    fn of(
        module: &Module<'_>,
        facts: &ModuleFacts<'_>,
        function: &Function,
        known: &FxHashSet<FunctionId>,
    ) -> Mentions {
        let id_of = |symbol: Symbol| module.function_of(symbol).filter(|id| known.contains(id));
        let mut mentions = Mentions { calls: Vec::new(), addresses: Vec::new(), numbers: Vec::new() };
        // Every mention is a value of its own, in other constants, too: those that no call has as its callee are addresses.
        let mut is_callee: FxHashSet<Value> = FxHashSet::default();
        for (inst, data) in &function.instructions {
            let Extra::Call(call) = data.extra else { continue };
            let call = &function.calls[call];
            let Some(id) = call.callee.expand().and_then(id_of) else { continue };
            mentions.calls.push(id);
            is_callee.extend(function.operands(inst).last().copied());
            // A call that is not as the definition says passes nothing that is known.
            if call.argument_count as usize != module.functions[id].parameters.len() || module.functions[id].variadic {
                mentions.addresses.push(id);
            }
            // A parameter more than there are arguments has no number.
            let mut passed = vec![None; module.functions[id].parameters.len()];
            let arguments = &function.operands(inst)[..call.argument_count as usize];
            for (number, &argument) in passed.iter_mut().zip(arguments) {
                *number = integer_of(function, argument, &|value| subgroup_size(facts, function, value));
            }
            mentions.numbers.push((id, passed));
        }
        for (value, data) in &function.values {
            if let Definition::Constant(ConstantData::Global(symbol)) = data.definition
                && !is_callee.contains(&value)
            {
                mentions.addresses.extend(id_of(symbol));
            }
        }
        mentions.calls.sort_unstable();
        mentions.calls.dedup();
        mentions
    }
}

/// The number of threads of a subgroup, where a value is a call that gives it.
fn subgroup_size(facts: &ModuleFacts<'_>, function: &Function, value: Value) -> Option<i64> {
    let Definition::Instruction(inst) = function.values[value].definition else { return None };
    facts.target.subgroup_size().filter(|_| facts.is_subgroup_size(function, inst)).map(i64::from)
}
