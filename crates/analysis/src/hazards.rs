//! Lints of divergent control (`RC02xx`): operations that need threads which may not be there.
//!
//! **Rule.** An operation that all threads of a set have to execute together, such as a barrier, is safe in a function iff the
//! threads of the set that enter the function together are not parted before it ([`Control`]), and they do enter it
//! together. What a kernel is given is the same in all threads, and they enter it together. In another function, an
//! operation that is safe as long as the parameters are uniform, or as long as all threads enter together, is a
//! [`Requirement`] of the function on its callers. Where it is safe only because what parts threads by these rules does so in no launch, a parameter is
//! required if it parts threads while nothing else differs between them. A call of it is then itself an operation that needs all threads, and
//! its arguments have to be uniform; where they are not, the call is reported, and nothing else.
//!
//! So functions are taken callees first, and only those from which such an operation is reached by calls of functions of the module.
//! Calls through pointers, and recursive ones, require nothing.
//!
//! **Degree.** What is found when only things that certainly differ between threads count as divergent, and is certain by the definition of
//! `certainty`, is an error. What depends on the launch is a warning that names what it depends on, as far as that is found;
//! so is what is found only because threads may differ, and an operation that reads an undefined value of a missing thread and is else defined (a
//! shuffle without a mask). What happens in no launch is not reported.
//!
//! **Early exit.** In a kernel, a barrier of the workgroup is *after an early exit* when at each branch that parts threads before it, there are
//! operations of the workgroup after one successor at most: threads that take another way only end. They do not where they come to something
//! that others see and that is done behind the barrier, too: then they go on, where they should have waited. Whether an exit matters is up to the
//! language ([`barrier_after_exit`](reconverge_findings::control::barrier_after_exit)).
//!
//! **One cause.** What the same branches part, with the same degree and the same assumptions, is one finding: at the first operation, with the
//! places of the others.

mod described;
mod exits;
mod hierarchies;
mod instances;
mod judged;
mod masks;
mod races;
mod requirements;
mod resources;

use std::cell::OnceCell;
use std::sync::OnceLock;

use rayon::prelude::*;
use reconverge_findings::control::{Assumption, Called, Example};
use reconverge_findings::{Anchor, Code, Finding, Requirement, RequirementKind};
use reconverge_graph::{CycleForest, Node, SuccessorOrder};
use reconverge_ir::assembly::integer;
use reconverge_ir::function::{Extra, Inst, Value};
use reconverge_ir::module::SymbolKind;
use reconverge_ir::opcode::Opcode;
use reconverge_ir::{Function, FunctionId, FunctionReader, Module, ReadError, Symbol};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::certainty::Codes;
use crate::flow::OperationKind;
use crate::lower::kind_of;
use crate::target::{CallFacts, Operation, Scope, Target};
use crate::uniformity::control::{Control, Parted};
use crate::uniformity::lower::{
    Input, Known, KnownValues, Lowered, Lowerer, LoweringOptions, ModuleFacts, StatedLaunch, Summaries,
};
use crate::uniformity::report::{Analysis, Subject};
use crate::uniformity::{Options, Uniformity, analyze};
pub(crate) use instances::merge;
use resources::Choice;

/// The functions of a module, by name, in which threads do something together.
#[derive(Debug)]
pub(crate) struct Operations<'a> {
    facts: FxHashMap<Symbol, CallFacts>,
    /// Functions that choose one of several resources.
    choices: FxHashMap<Symbol, Choice>,
    target: &'a Target,
}

/// What is found in one function when all functions are read.
#[derive(Debug, Default)]
pub(crate) struct Calls {
    /// Whether it calls one of [`Operations`].
    has_operation: bool,
    /// The functions with a body that it calls.
    callees: Vec<FunctionId>,
    /// Whether it has irreducible cycles, and operations whose convergence they decide.
    is_irreducible: bool,
    /// Whether its threads may exchange something in the memory of their workgroup.
    exchanges: bool,
}

impl Calls {
    /// Whether nothing of interest was found.
    pub(crate) fn is_empty(&self) -> bool {
        !self.has_operation && !self.is_irreducible && !self.exchanges && self.callees.is_empty()
    }
}

impl<'a> Operations<'a> {
    pub(crate) fn new(module: &Module<'_>, target: &'a Target) -> Operations<'a> {
        let (mut facts, mut choices) = (FxHashMap::default(), FxHashMap::default());
        for symbol in module.symbols.keys() {
            let without_body = match module.symbols[symbol].kind {
                SymbolKind::Function(id) => module.functions[id].body.is_none(),
                SymbolKind::UndeclaredIntrinsic { .. } => true,
                _ => false,
            };
            if !without_body {
                continue;
            }
            let name = module.symbol_name(symbol);
            choices.extend(resources::choice(&name).map(|choice| (symbol, choice)));
            if let Some(&found) = target.call(&name)
                && found.operation != Operation::None
            {
                facts.insert(symbol, found);
            }
        }
        Operations { facts, choices, target }
    }

    /// Whether a function that names a symbol may still be one without anything to look for; `before` is the text in front of the name.
    pub(crate) fn is_nothing(&self, module: &Module<'_>, symbol: Symbol, before: &[u8]) -> bool {
        match module.symbols[symbol].kind {
            SymbolKind::Function(id) if module.functions[id].body.is_some() => false,
            SymbolKind::Function(_) | SymbolKind::UndeclaredIntrinsic { .. } => {
                !module.is_convergent(symbol)
                    && !self.facts.contains_key(&symbol)
                    && !self.choices.contains_key(&symbol)
            }
            SymbolKind::Variable => races::is_elsewhere(self.target, before),
            SymbolKind::Alias | SymbolKind::IFunc | SymbolKind::Undefined => false,
        }
    }

    /// `convergent` are the convergent operations of the function.
    pub(crate) fn calls(&self, module: &Module<'_>, function: &Function, convergent: &[Inst]) -> Calls {
        let mut calls = Calls { exchanges: races::exchanges(module, self.target, function), ..Calls::default() };
        if convergent.iter().any(|&inst| !is_controlled(module, function, inst)) {
            let forest = CycleForest::compute(&function.control_flow_graph(), SuccessorOrder::Forward);
            calls.is_irreducible = !forest.cycles.keys().all(|cycle| forest.is_reducible(cycle));
        }
        for (inst, data) in &function.instructions {
            let Extra::Call(call) = data.extra else { continue };
            let Some(callee) = function.calls[call].callee.expand() else {
                calls.has_operation |= module.assembly_communicates(function, inst);
                continue;
            };
            if self.facts.contains_key(&callee) || self.choices.contains_key(&callee) {
                calls.has_operation = true;
            } else if let Some(id) = module.function_of(callee)
                && module.functions[id].body.is_some()
                && !calls.callees.contains(&id)
            {
                calls.callees.push(id);
            }
        }
        calls
    }
}

/// Whether tokens decide which threads execute a convergent operation together; those of an `anchor` do not say.
fn is_controlled(module: &Module<'_>, function: &Function, inst: Inst) -> bool {
    let Extra::Call(call) = function.instructions[inst].extra else { return false };
    let call = &function.calls[call];
    function.token_bundles(call).next().is_some() || kind_of(module, call) == OperationKind::Entry
}

/// What a module's functions are found to do.
#[derive(Debug, Default)]
pub(crate) struct Found {
    pub(crate) findings: Vec<Finding>,
    /// By function that has any, in the order of the text.
    pub(crate) requirements: Vec<(FunctionId, Vec<Requirement>)>,
}

/// Looks at all functions from which an operation is reached, on the threads of the current `rayon` pool.
///
/// # Errors
/// When a body is not LLVM IR.
pub(crate) fn find(
    module: &Module<'_>,
    target: &Target,
    (launch, launched): (StatedLaunch, &[(&str, [u32; 3])]),
    operations: &Operations<'_>,
    calls: &FxHashMap<FunctionId, Calls>,
) -> Result<Found, ReadError> {
    let levels = callees_first(calls);
    if levels.is_empty() {
        return Ok(Found::default());
    }
    let facts = ModuleFacts::new(module, target)
        .with_bodies_of_same_meaning()
        .launched_so(module, launch)
        .launched_in(module, launched);
    let summaries: [[OnceLock<Summaries>; 3]; 2] = Default::default();
    let codes = Codes::default();
    let asked: Vec<FunctionId> = levels.iter().flatten().copied().collect();
    let mut requirements: FxHashMap<FunctionId, Vec<Requirement>> = FxHashMap::default();
    let mut found = Found::default();
    for level in levels {
        let results = level
            .par_iter()
            .map_init(
                || (FunctionReader::new(module), Function::default()),
                |(reader, function), &id| {
                    reader.read_into(id, function)?;
                    let (facts, requirements, summaries, codes, asked) =
                        (&facts, &requirements, &summaries, &codes, &*asked);
                    let known = OnceCell::new();
                    let finder = Finder {
                        module,
                        facts,
                        operations,
                        requirements,
                        summaries,
                        asked,
                        codes,
                        calls,
                        id,
                        function,
                        known,
                    };
                    let (mut findings, required) = finder.run()?;
                    if calls[&id].is_irreducible {
                        findings.extend(finder.implementation_defined()?);
                    }
                    Ok((id, findings, required))
                },
            )
            .collect::<Result<Vec<_>, ReadError>>()?;
        for (id, findings, required) in results {
            found.findings.extend(findings);
            requirements.insert(id, required);
        }
    }
    found.requirements = requirements.into_iter().filter(|(_, required)| !required.is_empty()).collect();
    found.requirements.sort_by_key(|&(id, _)| id);
    Ok(found)
}

/// The functions from which an operation is reached, in levels: what a function calls is in an earlier one, unless it is
/// recursive.
fn callees_first(calls: &FxHashMap<FunctionId, Calls>) -> Vec<Vec<FunctionId>> {
    let mut callers: FxHashMap<FunctionId, Vec<FunctionId>> = FxHashMap::default();
    for (&caller, calls) in calls {
        for &callee in &calls.callees {
            callers.entry(callee).or_default().push(caller);
        }
    }
    let mut reached: FxHashSet<FunctionId> = FxHashSet::default();
    let starts = calls.iter().filter(|(_, calls)| calls.has_operation || calls.is_irreducible || calls.exchanges);
    let mut stack: Vec<FunctionId> = starts.map(|(&id, _)| id).collect();
    while let Some(id) = stack.pop() {
        if reached.insert(id) {
            stack.extend(callers.get(&id).into_iter().flatten());
        }
    }
    let mut waiting: FxHashMap<FunctionId, usize> = FxHashMap::default();
    for &id in &reached {
        waiting.insert(id, calls[&id].callees.iter().filter(|callee| reached.contains(callee)).count());
    }
    let mut levels = Vec::new();
    while !waiting.is_empty() {
        let mut level: Vec<FunctionId> = waiting.iter().filter(|&(_, &left)| left == 0).map(|(&id, _)| id).collect();
        if level.is_empty() {
            level = waiting.keys().copied().collect();
        }
        level.sort_unstable();
        for id in &level {
            waiting.remove(id);
        }
        for caller in level.iter().filter_map(|id| callers.get(id)).flatten() {
            if let Some(left) = waiting.get_mut(caller) {
                *left -= 1;
            }
        }
        levels.push(level);
    }
    levels
}

/// Something in a function that needs all threads of a set.
#[derive(Debug, Clone)]
struct Need {
    inst: Inst,
    /// What is called.
    callee: Called,
    scope: Scope,
    what: What,
    /// Whether it is defined without some of them: what is read of these is an undefined value.
    tolerates_missing: bool,
    /// The parameter of the function that is the mask of the lanes: it is needed only where that names all of them.
    full_mask: Option<u32>,
}

#[derive(Debug, Clone)]
enum What {
    /// An operation; the codes for what is certain and for what is possible.
    Operation([Code; 2]),
    /// A call of a function that requires this.
    Call(Requirement),
    /// The argument of an operation that the threads which execute it together have to agree on, and the code for where they do not.
    Operand(u32, Code),
}

impl Need {
    fn code(&self, is_certain: bool) -> Code {
        let [certain, possible] = match self.what {
            What::Operation(codes) => codes,
            What::Call(_) => [Code::RC0207, Code::RC0208],
            What::Operand(_, code) => [code; 2],
        };
        if is_certain { certain } else { possible }
    }

    /// The operation that is behind it.
    fn operation(&self) -> &Called {
        match &self.what {
            What::Operation(_) | What::Operand(..) => &self.callee,
            What::Call(requirement) => &requirement.operation,
        }
    }
}

/// What an operation needs, if it needs all threads of a set; `needs_all` is that set where they are no quad.
fn need(
    inst: Inst,
    callee: Called,
    facts: &CallFacts,
    needs_all: Option<Scope>,
    full_mask: Option<u32>,
) -> Option<Need> {
    let (scope, codes) = match facts.operation {
        Operation::QuadCrosslane => (Scope::Subgroup, [Code::RC0205, Code::RC0206]),
        _ => match needs_all? {
            Scope::Subgroup => (Scope::Subgroup, [Code::RC0203, Code::RC0204]),
            scope => (scope, [Code::RC0201, Code::RC0202]),
        },
    };
    let tolerates_missing = facts.motion.speculate && facts.mask_operand.is_none();
    Some(Need { inst, callee, scope, what: What::Operation(codes), tolerates_missing, full_mask })
}

/// What is wrong with a need.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Breach {
    /// These branches and exits part threads, the closest first.
    Parted(Vec<Parted>),
    Argument(u32),
}

impl Breach {
    /// The branches that decide, and the edges of a loop that some threads leave over.
    fn parting(&self) -> &[Parted] {
        match self {
            Breach::Parted(parting) => parting,
            Breach::Argument(_) => &[],
        }
    }
}

/// A need that is not met, and how certain that is.
struct Broken<'n> {
    need: &'n Need,
    breach: Breach,
    /// What parts threads for all that is known, the certain ones first.
    parting: Vec<Parted>,
    is_certain: bool,
    /// Whether the branches are those of the analysis in which only what is certain counts.
    by_sure: bool,
    example: Option<Example>,
    assumptions: Vec<Assumption>,
    after_exit: bool,
}

struct Finder<'f, 't> {
    module: &'f Module<'t>,
    facts: &'f ModuleFacts<'f>,
    operations: &'f Operations<'f>,
    requirements: &'f FxHashMap<FunctionId, Vec<Requirement>>,
    /// By whether only what is certain counts, and set of threads.
    summaries: &'f [[OnceLock<Summaries>; 3]; 2],
    /// The functions that are looked at.
    asked: &'f [FunctionId],
    codes: &'f Codes,
    calls: &'f FxHashMap<FunctionId, Calls>,
    id: FunctionId,
    function: &'f Function,
    /// What its values are in all executions, once somebody has asked.
    known: OnceCell<KnownValues<'f, 't>>,
}

impl Finder<'_, '_> {
    fn run(&self) -> Result<(Vec<Finding>, Vec<Requirement>), ReadError> {
        let all = self.needs();
        // What is said of the workgroup is not said of the grid again.
        let mut said: FxHashSet<Inst> = FxHashSet::default();
        let mut findings = Vec::new();
        let mut required: Vec<Requirement> = Vec::new();
        for scope in [Scope::Subgroup, Scope::Workgroup, Scope::Grid] {
            let of_scope = |need: &&Need| need.scope == scope && need.full_mask.is_none();
            let needs: Vec<&Need> = all.iter().filter(of_scope).collect();
            if needs.is_empty() {
                continue;
            }
            let breaches = self.breaches(&needs, scope, false)?;
            let (mut broken, mut met): (Vec<(&Need, Breach)>, Vec<&Need>) = (Vec::new(), Vec::new());
            for (&need, breach) in needs.iter().zip(breaches) {
                match breach {
                    Some(breach) => broken.push((need, breach)),
                    None => met.push(need),
                }
            }
            let mut met_by_launches = Vec::new();
            broken.retain(|(need, _)| {
                let is_new = scope != Scope::Grid || !said.contains(&need.inst);
                is_new && self.known().reaches(self.function.instructions[need.inst].block)
            });
            if !broken.is_empty() {
                let (sure, maybe) = (self.analyze(scope, true)?, self.analyze(scope, false)?);
                let kept = self.judge(&broken, &needs, scope, &maybe)?;
                let insts: FxHashSet<Inst> = kept.iter().map(|broken| broken.need.inst).collect();
                said.extend(kept.iter().filter(|broken| broken.need.what.is_entry()).map(|broken| broken.need.inst));
                met.retain(|need| !insts.contains(&need.inst));
                met_by_launches.extend(broken.iter().map(|&(need, _)| need).filter(|need| !insts.contains(&need.inst)));
                findings.extend(self.describe_all(&kept, &sure, &maybe));
            }
            if !self.facts.is_kernel(self.id) {
                self.require(&met, &met_by_launches, scope, &mut required)?;
            }
        }
        if !self.facts.is_kernel(self.id) {
            self.require_for_masks(&all, &mut required)?;
        }
        findings.extend(self.masks()?);
        findings.extend(self.races()?);
        Ok((findings, required))
    }

    /// What is known of the function in all executions.
    fn known(&self) -> &KnownValues<'_, '_> {
        self.known.get_or_init(|| KnownValues::compute(self.module, self.facts, self.function))
    }

    /// The number that a value is in all executions.
    fn number(&self, value: Value) -> Option<i64> {
        integer(self.function, value).or_else(|| self.known().number(value))
    }

    /// The operations of the function, and its calls of functions that require something.
    fn needs(&self) -> Vec<Need> {
        let mut needs = Vec::new();
        for (inst, data) in &self.function.instructions {
            let Extra::Call(call) = data.extra else { continue };
            let call = &self.function.calls[call];
            let Some(callee) = call.callee.expand() else {
                needs.extend(self.needs_of_assembly(inst));
                continue;
            };
            if let Some(facts) = self.operations.facts.get(&callee) {
                let arguments = &self.function.operands(inst)[..call.argument_count as usize];
                let constant = |index: u8| self.number(*arguments.get(usize::from(index))?);
                let need = self.need(inst, Called::Function(callee), facts, arguments);
                // All threads of a grid are all of each workgroup, of which more is known.
                let of_workgroup = need.clone().filter(|need| need.scope == Scope::Grid);
                needs.extend(of_workgroup.map(|need| Need { scope: Scope::Workgroup, ..need }));
                needs.extend(need);
                let agree = facts.of_call(constant).agree;
                let agreed = (0..arguments.len()).filter(|&index| agree.is_some_and(|(_, on)| on.contains(index)));
                needs.extend(agree.into_iter().flat_map(|(scope, _)| {
                    agreed.clone().map(move |index| Need {
                        inst,
                        callee: Called::Function(callee),
                        scope,
                        what: What::Operand(index as u32, Code::RC0210),
                        tolerates_missing: false,
                        full_mask: None,
                    })
                }));
            } else if let Some(&choice) = self.operations.choices.get(&callee) {
                let arguments = &self.function.operands(inst)[..call.argument_count as usize];
                let is_marked = self.is_marked(arguments, choice);
                needs.extend((!is_marked && arguments.len() > usize::from(choice.index)).then(|| Need {
                    inst,
                    callee: Called::Function(callee),
                    scope: Scope::Subgroup,
                    what: What::Operand(choice.index.into(), Code::RC0213),
                    tolerates_missing: false,
                    full_mask: None,
                }));
            } else if let Some(required) = self.module.function_of(callee).and_then(|id| self.requirements.get(&id)) {
                needs.extend(required.iter().filter_map(|requirement| {
                    // A call may pass less than the function takes; what the mask is then, nothing says.
                    let full_mask = match requirement.full_mask {
                        Some(index) => self.names_all_where(*self.function.operands(inst).get(index as usize)?)?,
                        None => None,
                    };
                    Some(Need {
                        inst,
                        callee: Called::Function(callee),
                        scope: requirement.scope,
                        what: What::Call(Requirement { full_mask: None, ..requirement.clone() }),
                        tolerates_missing: requirement.tolerates_missing,
                        full_mask,
                    })
                }));
            }
        }
        needs
    }

    /// What an operation needs. Where its mask is a parameter of the function, that is needed which it would be for all lanes.
    fn need(&self, inst: Inst, callee: Called, facts: &CallFacts, arguments: &[Value]) -> Option<Need> {
        let argument = |index: u8| arguments.get(usize::from(index)).copied();
        let constant = |index: u8| self.number(argument(index)?);
        let needs_all = facts.needs_all(constant);
        let mask = facts.mask_operand.filter(|_| facts.partial && needs_all.is_none());
        let parameter = mask.and_then(argument).and_then(|mask| self.names_all_where(mask)).flatten();
        let needs_all = needs_all.or_else(|| {
            parameter?;
            facts.needs_all(|index| if Some(index) == mask { Some(-1) } else { constant(index) })
        });
        need(inst, callee, facts, needs_all, parameter)
    }

    /// Where a mask names all lanes: always, or where a parameter of the function does. Nothing where it may name others, or is not known.
    fn names_all_where(&self, mask: Value) -> Option<Option<u32>> {
        match self.known().of(mask) {
            Some(Known::Parameter(index)) => Some(Some(index)),
            _ => (self.number(mask) == Some(-1)).then_some(None),
        }
    }

    /// The operations in inline assembly, one for each set of threads.
    fn needs_of_assembly(&self, inst: Inst) -> Vec<Need> {
        let mut needs: Vec<Need> = Vec::new();
        let facts_of = |name: &str| self.facts.target.call(name.as_bytes()).copied();
        for one in self.module.operations_of_assembly(self.function, inst, facts_of) {
            let need = need(inst, Called::Instruction(one.mnemonic), &one.facts, one.needs_all, None);
            needs.extend(need.filter(|need| needs.iter().all(|other| other.scope != need.scope)));
        }
        needs
    }

    fn options(&self, scope: Scope, certain_only: bool) -> LoweringOptions {
        let uniform_parameters = !self.facts.is_kernel(self.id);
        LoweringOptions { certain_only, uniform_parameters, ..LoweringOptions::new(scope) }
    }

    fn subject(&self, scope: Scope, certain_only: bool) -> Result<Subject<'_, '_>, ReadError> {
        let of_degree = &self.summaries[usize::from(certain_only)];
        let summaries = match of_degree[scope as usize].get() {
            Some(summaries) => summaries,
            None => {
                let options = LoweringOptions { certain_only, sees_all_calls: true, ..LoweringOptions::new(scope) };
                let computed =
                    Summaries::compute_for(self.module, self.facts, &options, &Options::default(), self.asked)?;
                of_degree[scope as usize].get_or_init(|| computed)
            }
        };
        let Finder { module, facts, id, function, .. } = *self;
        Ok(Subject::new(Input { module, facts, id, function, summaries }))
    }

    /// For each need, what is wrong with it as long as the parameters are uniform and threads enter together.
    fn breaches(&self, needs: &[&Need], scope: Scope, certain_only: bool) -> Result<Vec<Option<Breach>>, ReadError> {
        self.breaches_with(needs, scope, &self.options(scope, certain_only))
    }

    fn breaches_with(
        &self,
        needs: &[&Need],
        scope: Scope,
        options: &LoweringOptions,
    ) -> Result<Vec<Option<Breach>>, ReadError> {
        let subject = self.subject(scope, options.certain_only)?;
        let lowered = subject.lower(&mut Lowerer::default(), options);
        let uniformity = analyze(&lowered.problem, &Options::default());
        Ok(breaches(self.function, &lowered, &uniformity, needs))
    }

    fn analyze(&self, scope: Scope, certain_only: bool) -> Result<Analysis<'_, '_>, ReadError> {
        let options = self.options(scope, certain_only);
        Ok(self.subject(scope, certain_only)?.analyze_with(&mut Lowerer::default(), &options, &Options::default()))
    }

    fn anchor(&self, inst: Inst) -> Anchor {
        Anchor::inst(self.id, self.function, inst)
    }
}

/// The branch that parts threads.
fn branch_of(parted: Parted) -> Node {
    match parted {
        Parted::Branch(branch) | Parted::Exit(_, branch) => branch,
    }
}

impl What {
    /// Whether it needs that threads enter the function together.
    fn is_entry(&self) -> bool {
        !matches!(self, What::Call(Requirement { kind: RequirementKind::Parameter(_), .. }) | What::Operand(..))
    }
}

/// Where threads of a function part, paths to where control never comes left out.
fn control<'l>(function: &Function, lowered: &'l Lowered, uniformity: &'l Uniformity) -> Control<'l> {
    Control::new(&lowered.problem, uniformity, |node| match lowered.block_of(node) {
        Some((block, _)) => function.instructions[function.terminator(block)].opcode == Opcode::Unreachable,
        None => false,
    })
}

fn breaches(function: &Function, lowered: &Lowered, uniformity: &Uniformity, needs: &[&Need]) -> Vec<Option<Breach>> {
    let mut parting = None;
    let breach = |need: &&Need| match need.what {
        What::Call(Requirement { kind: RequirementKind::Parameter(index), .. }) | What::Operand(index, _) => {
            let argument = *function.operands(need.inst).get(index as usize)?;
            let value = lowered.index_of(argument)?;
            uniformity.values[value as usize].map(|_| Breach::Argument(index))
        }
        _ => {
            // Without divergent branches there is nothing to look for.
            if uniformity.branches.iter().all(Option::is_none) {
                return None;
            }
            let control = parting.get_or_insert_with(|| control(function, lowered, uniformity));
            let parting = control.parting(lowered.node_of(function, need.inst));
            (!parting.is_empty()).then_some(Breach::Parted(parting))
        }
    };
    needs.iter().map(breach).collect()
}
