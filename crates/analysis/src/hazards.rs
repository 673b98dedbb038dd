//! Lints of divergent control (`RC02xx`): operations that need threads which may not be there.
//!
//! **Rule.** An operation that all threads of a set have to execute together, such as a barrier, is safe in a function iff the
//! threads of the set that enter the function together are not parted before it ([`Control`]), and they do enter it
//! together. What a kernel is given is the same in all threads, and they enter it together. In another function, an
//! operation that is safe as long as the parameters are uniform, or as long as all threads enter together, is a
//! [`Requirement`] of the function on its callers. A call of it is then itself an operation that needs all threads, and
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
//! language ([`barrier_after_exit`]).
//!
//! **One cause.** What the same branches part, with the same degree and the same assumptions, is one finding: at the first operation, with the
//! places of the others.

mod exits;
mod hierarchies;
mod masks;

use std::sync::OnceLock;

use cranelift_entity::EntityRef;
use rayon::prelude::*;
use reconverge_findings::control::{
    Assumption, Called, Example, Hazard, HazardBreach, Measure, Step, barrier_after_exit,
};
use reconverge_findings::{Anchor, Code, Finding, Kind, Requirement, RequirementKind, Severity};
use reconverge_graph::{CycleForest, Node, SuccessorOrder};
use reconverge_ir::assembly::integer;
use reconverge_ir::function::{Definition, Extra, Inst, Value};
use reconverge_ir::module::SymbolKind;
use reconverge_ir::opcode::Opcode;
use reconverge_ir::{DebugLocation, Function, FunctionId, FunctionReader, Module, ReadError, Symbol};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::certainty::{self, Codes, Place, Question, Verdict};
use crate::flow::OperationKind;
use crate::lower::kind_of;
use crate::target::{CallFacts, Degree, Operation, Scope, Target};
use crate::uniformity::control::{Control, Parted};
use crate::uniformity::lower::{
    Input, Lowered, Lowerer, LoweringOptions, ModuleFacts, Summaries, body_of_kernel, kernel_of_body,
};
use crate::uniformity::report::{Analysis, Subject};
use crate::uniformity::story::tell;
use crate::uniformity::{Element, Options, Rule, Uniformity, analyze};
use exits::Exits;

/// The functions of a module, by name, in which threads do something together.
#[derive(Debug, Default)]
pub(crate) struct Operations {
    facts: FxHashMap<Symbol, CallFacts>,
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
}

impl Calls {
    /// Whether nothing of interest was found.
    pub(crate) fn is_empty(&self) -> bool {
        !self.has_operation && !self.is_irreducible && self.callees.is_empty()
    }
}

/// What tells findings of copies of the code apart: the rule, where the operation and the deciding branch are, and where the function
/// that they were inlined into is called, up to the outermost one.
#[derive(PartialEq, Eq, Hash)]
struct Identity {
    code: Code,
    places: Vec<(String, u32, u32)>,
}

impl Identity {
    /// Nothing for what is not in the source.
    fn of(module: &Module<'_>, finding: &Finding) -> Option<Identity> {
        let operation = module.debug_location(finding.at.location?)?;
        let deciding = finding.chain.first().and_then(|step| module.debug_location(step.at.location?));
        let place = |at: &DebugLocation| (at.file.clone(), at.line, at.column);
        // A copy of its body in a kernel is written where the body is.
        let copied = usize::from(finding.at.function.is_some_and(|id| body_of_kernel(module, id).is_some()));
        let outermost = operation.inlined_at.iter().rev().nth(copied).map(place);
        let places = [place(&operation)].into_iter().chain(outermost).chain(deciding.as_ref().map(place)).collect();
        Some(Identity { code: finding.code, places })
    }
}

/// What is found in several instances of one function of the source is one finding: the first stays, and lists the functions that the others are
/// in. Of two findings in one function, both stay.
pub(crate) fn merge(module: &Module<'_>, findings: &mut Vec<Finding>) {
    let mut seen: FxHashMap<Identity, usize> = FxHashMap::default();
    let mut kept: Vec<Finding> = Vec::with_capacity(findings.len());
    for finding in findings.drain(..) {
        let identity = finding.code.is_about_threads().then(|| Identity::of(module, &finding)).flatten();
        let known = identity.as_ref().and_then(|identity| seen.get(identity)).copied();
        let known = known.filter(|&first| kept[first].at.function != finding.at.function);
        match (known, identity) {
            (Some(first), _) => {
                let first = &mut kept[first];
                first.severity = first.severity.max(finding.severity);
                let is_new = |id: &FunctionId| {
                    !first.instances.contains(id)
                        && kernel_of_body(module, *id).is_none_or(|of| first.at.function != Some(of))
                };
                first.instances.extend(finding.at.function.filter(is_new));
            }
            (None, identity) => {
                if let Some(identity) = identity {
                    seen.entry(identity).or_insert(kept.len());
                }
                kept.push(finding);
            }
        }
    }
    *findings = kept;
}

impl Operations {
    pub(crate) fn new(module: &Module<'_>, target: &Target) -> Operations {
        let mut facts = FxHashMap::default();
        for symbol in module.symbols.keys() {
            let without_body = match module.symbols[symbol].kind {
                SymbolKind::Function(id) => module.functions[id].body.is_none(),
                SymbolKind::UndeclaredIntrinsic { .. } => true,
                _ => false,
            };
            if !without_body {
                continue;
            }
            if let Some(&found) = target.call(&module.symbol_name(symbol))
                && found.operation != Operation::None
            {
                facts.insert(symbol, found);
            }
        }
        Operations { facts }
    }

    /// `convergent` are the convergent operations of the function.
    pub(crate) fn calls(&self, module: &Module<'_>, function: &Function, convergent: &[Inst]) -> Calls {
        let mut calls = Calls::default();
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
            if self.facts.contains_key(&callee) {
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
    operations: &Operations,
    calls: &FxHashMap<FunctionId, Calls>,
) -> Result<Found, ReadError> {
    let levels = callees_first(calls);
    if levels.is_empty() {
        return Ok(Found::default());
    }
    let facts = ModuleFacts::new(module, target);
    let summaries: [[OnceLock<Summaries>; 3]; 2] = Default::default();
    let codes = Codes::default();
    let mut requirements: FxHashMap<FunctionId, Vec<Requirement>> = FxHashMap::default();
    let mut found = Found::default();
    for level in levels {
        let results = level
            .par_iter()
            .map_init(
                || (FunctionReader::new(module), Function::default()),
                |(reader, function), &id| {
                    reader.read_into(id, function)?;
                    let (facts, requirements, summaries, codes) = (&facts, &requirements, &summaries, &codes);
                    let finder = Finder { module, facts, operations, requirements, summaries, codes, id, function };
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
    let starts = calls.iter().filter(|(_, calls)| calls.has_operation || calls.is_irreducible);
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
}

#[derive(Debug, Clone)]
enum What {
    /// An operation; the codes for what is certain and for what is possible.
    Operation([Code; 2]),
    /// A call of a function that requires this.
    Call(Requirement),
    /// The argument of an operation that the threads which execute it together have to agree on.
    Operand(u32),
}

impl Need {
    fn code(&self, is_certain: bool) -> Code {
        let [certain, possible] = match self.what {
            What::Operation(codes) => codes,
            What::Call(_) => [Code::RC0207, Code::RC0208],
            What::Operand(_) => [Code::RC0210; 2],
        };
        if is_certain { certain } else { possible }
    }

    /// The operation that is behind it.
    fn operation(&self) -> &Called {
        match &self.what {
            What::Operation(_) | What::Operand(_) => &self.callee,
            What::Call(requirement) => &requirement.operation,
        }
    }
}

/// What an operation needs, if it needs all threads of a set; `needs_all` is that set where they are no quad.
fn need(inst: Inst, callee: Called, facts: &CallFacts, needs_all: Option<Scope>) -> Option<Need> {
    let (scope, codes) = match facts.operation {
        Operation::QuadCrosslane => (Scope::Subgroup, [Code::RC0205, Code::RC0206]),
        _ => match needs_all? {
            Scope::Subgroup => (Scope::Subgroup, [Code::RC0203, Code::RC0204]),
            scope => (scope, [Code::RC0201, Code::RC0202]),
        },
    };
    let tolerates_missing = facts.motion.speculate && facts.mask_operand.is_none();
    Some(Need { inst, callee, scope, what: What::Operation(codes), tolerates_missing })
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
    operations: &'f Operations,
    requirements: &'f FxHashMap<FunctionId, Vec<Requirement>>,
    /// By whether only what is certain counts, and set of threads.
    summaries: &'f [[OnceLock<Summaries>; 3]; 2],
    codes: &'f Codes,
    id: FunctionId,
    function: &'f Function,
}

impl Finder<'_, '_> {
    fn run(&self) -> Result<(Vec<Finding>, Vec<Requirement>), ReadError> {
        let needs = self.needs();
        let mut findings = Vec::new();
        let mut required: Vec<Requirement> = Vec::new();
        for scope in [Scope::Subgroup, Scope::Workgroup, Scope::Grid] {
            let needs: Vec<&Need> = needs.iter().filter(|need| need.scope == scope).collect();
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
            if !broken.is_empty() {
                let (sure, maybe) = (self.analyze(scope, true)?, self.analyze(scope, false)?);
                let broken = self.judge(&broken, &needs, scope, &maybe)?;
                let kept: FxHashSet<Inst> = broken.iter().map(|broken| broken.need.inst).collect();
                met = needs.iter().copied().filter(|need| !kept.contains(&need.inst)).collect();
                findings.extend(self.describe_all(&broken, &sure, &maybe));
            }
            if !self.facts.is_kernel(self.id) {
                self.require(&met, scope, &mut required)?;
            }
        }
        findings.extend(self.masks());
        Ok((findings, required))
    }

    /// How certain it is that needs are not met; those are left out that are met in all launches.
    fn judge<'n>(
        &self,
        broken: &[(&'n Need, Breach)],
        needs: &[&Need],
        scope: Scope,
        maybe: &Analysis<'_, '_>,
    ) -> Result<Vec<Broken<'n>>, ReadError> {
        let all: Vec<&Need> = broken.iter().map(|&(need, _)| need).collect();
        let certain = self.breaches(&all, scope, true)?;
        let question = |(need, breach): (&&Need, &Breach)| Question {
            inst: need.inst,
            inside: match &need.what {
                What::Call(requirement) => requirement.at.function.zip(requirement.at.inst),
                What::Operation(_) | What::Operand(_) => None,
            },
            mask: None,
            argument: match *breach {
                Breach::Argument(index) => Some(index),
                Breach::Parted(_) => None,
            },
            deciding: breach
                .parting()
                .iter()
                .filter_map(|&parted| Some(maybe.lowered.block_of(branch_of(parted))?.0))
                .collect(),
            compared: breach
                .parting()
                .first()
                .map(|&parted| self.compared(maybe, branch_of(parted)))
                .unwrap_or_default(),
        };
        let deciding = broken.iter().zip(&certain).map(|((_, possible), certain)| certain.as_ref().unwrap_or(possible));
        let questions: Vec<Question> = all.iter().zip(deciding).map(question).collect();
        let Finder { module, facts, id, function, codes, .. } = *self;
        let place = Place { module, facts, id, function, codes };
        let differs = |value| {
            maybe.lowered.index_of(value).is_some_and(|index| maybe.uniformity.values[index as usize].is_some())
        };
        let verdicts = certainty::ask(place, scope, &questions, &differs);
        let verdicts = self.with_whole_rows(&all, scope, verdicts)?;
        let exits = Exits::new(self, needs, all.iter().map(|need| need.inst), &maybe.lowered);
        let mut judged = Vec::new();
        for (((need, possible), certain), verdict) in broken.iter().zip(certain).zip(verdicts) {
            let (is_certain, example, assumptions) = match verdict {
                Verdict::Never => continue,
                Verdict::Certain(example) if certain.is_some() => (true, Some(example), Vec::new()),
                Verdict::Depends(assumptions) => (false, None, assumptions),
                // No launches show what the workgroups of a grid do.
                Verdict::Open if scope == Scope::Grid => (certain.is_some(), None, Vec::new()),
                Verdict::Open | Verdict::Certain(_) => (false, None, Vec::new()),
            };
            let by_sure = certain.is_some();
            let mut parting = certain.as_ref().map(|breach| breach.parting().to_vec()).unwrap_or_default();
            for &parted in possible.parting() {
                if !parting.iter().any(|&known| branch_of(known) == branch_of(parted)) {
                    parting.push(parted);
                }
            }
            let after_exit = scope == Scope::Workgroup && !parting.is_empty() && exits.are_all_that_parts(&parting);
            let breach = certain.unwrap_or_else(|| possible.clone());
            judged.push(Broken { need, breach, parting, is_certain, by_sure, example, assumptions, after_exit });
        }
        Ok(judged)
    }

    /// Verdicts that name no assumption, with the one that a row of the workgroup is no multiple of a subgroup where nothing is wrong otherwise.
    fn with_whole_rows(
        &self,
        needs: &[&Need],
        scope: Scope,
        mut verdicts: Vec<Verdict>,
    ) -> Result<Vec<Verdict>, ReadError> {
        let is_bare = |verdict: &Verdict| match verdict {
            Verdict::Depends(assumptions) => assumptions.is_empty(),
            Verdict::Open => true,
            Verdict::Certain(_) | Verdict::Never => false,
        };
        let bare: Vec<usize> = (0..needs.len()).filter(|&index| is_bare(&verdicts[index])).collect();
        let launch = self.facts.launch(self.module, self.id);
        let Some(size) = launch.subgroup.filter(|_| scope == Scope::Subgroup && launch.extents[0].is_none()) else {
            return Ok(verdicts);
        };
        if bare.is_empty() {
            return Ok(verdicts);
        }
        let asked: Vec<&Need> = bare.iter().map(|&index| needs[index]).collect();
        let options = LoweringOptions { whole_rows: true, ..self.options(scope, false) };
        let found = self.breaches_with(&asked, scope, &options)?;
        for (index, _) in bare.into_iter().zip(found).filter(|(_, breach)| breach.is_none()) {
            let assumption = Assumption::NoMultiple { value: None, extent: 0, of: Measure::Number(size) };
            verdicts[index] = Verdict::Depends(vec![assumption]);
        }
        Ok(verdicts)
    }

    /// Whether an instruction does what other threads can see: writes memory that is not a variable of its own, or calls something that may.
    fn is_seen(&self, inst: Inst) -> bool {
        let data = &self.function.instructions[inst];
        let operands = self.function.operands(inst);
        match data.opcode {
            Opcode::Store => operands.get(1).is_none_or(|&address| !self.is_of_variable(address)),
            Opcode::AtomicRmw | Opcode::CmpXchg => true,
            Opcode::Call | Opcode::Invoke | Opcode::CallBr => {
                let Extra::Call(call) = data.extra else { return true };
                let Some(callee) = self.function.calls[call].callee.expand() else { return true };
                let name = self.module.symbol_name(callee);
                let is_intrinsic = name.starts_with(b"llvm.");
                let has_effect = |words: &[u8]| memchr::memmem::find(&name, words).is_some();
                !is_intrinsic || has_effect(b"mem") || has_effect(b"atomic")
            }
            _ => false,
        }
    }

    /// Whether an address is in a variable of the function, by the instructions that it is computed by.
    fn is_of_variable(&self, mut address: Value) -> bool {
        const MOST: usize = 16;
        for _ in 0..MOST {
            let Definition::Instruction(inst) = self.function.values[address].definition else { return false };
            match self.function.instructions[inst].opcode {
                Opcode::Alloca => return true,
                Opcode::GetElementPtr | Opcode::AddrSpaceCast | Opcode::BitCast => {
                    address = self.function.operands(inst)[0];
                }
                _ => return false,
            }
        }
        false
    }

    /// What the condition of a branch compares with: operands of comparisons that are the same in all threads.
    fn compared(&self, maybe: &Analysis<'_, '_>, branch: Node) -> Vec<Value> {
        const MOST: usize = 4;
        let Some((block, _)) = maybe.lowered.block_of(branch) else { return Vec::new() };
        let mut found = Vec::new();
        let mut stack: Vec<Value> =
            self.function.operands(self.function.terminator(block)).iter().take(1).copied().collect();
        while let Some(value) = stack.pop() {
            let Definition::Instruction(inst) = self.function.values[value].definition else { continue };
            match self.function.instructions[inst].opcode {
                Opcode::And | Opcode::Or | Opcode::Xor | Opcode::Select | Opcode::ZExt | Opcode::Freeze
                    if stack.len() < MOST =>
                {
                    stack.extend(self.function.operands(inst));
                }
                Opcode::ICmp => {
                    let is_uniform = |value: &Value| {
                        let index = maybe.lowered.index_of(*value);
                        index.is_some_and(|index| maybe.uniformity.values[index as usize].is_none())
                            && !matches!(self.function.values[*value].definition, Definition::Constant(_))
                    };
                    found.extend(self.function.operands(inst).iter().copied().filter(is_uniform));
                }
                _ => {}
            }
        }
        found.truncate(MOST);
        found
    }

    /// A finding for each cause: see the opening of this module.
    fn describe_all(&self, broken: &[Broken<'_>], sure: &Analysis<'_, '_>, maybe: &Analysis<'_, '_>) -> Vec<Finding> {
        let mut causes: Vec<(&Broken<'_>, Finding)> = Vec::new();
        for one in broken {
            let is_same = |other: &Broken<'_>| {
                let code = |broken: &Broken<'_>| broken.need.code(broken.is_certain);
                let is_same = code(one) == code(other) && one.after_exit == other.after_exit;
                is_same
                    && one.breach == other.breach
                    && one.parting == other.parting
                    && one.assumptions == other.assumptions
            };
            let known = causes.iter_mut().find(|(other, _)| one.need.what.is_entry() && is_same(other));
            match known {
                Some((_, finding)) => finding.also.push(self.anchor(one.need.inst)),
                None => causes.push((one, self.describe(one, if one.by_sure { sure } else { maybe }, sure))),
            }
        }
        causes.into_iter().map(|(_, finding)| finding).collect()
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
                let constant = |index: u8| integer(self.function, *arguments.get(usize::from(index))?);
                needs.extend(need(inst, Called::Function(callee), facts, facts.needs_all(constant)));
                let agree = facts.of_call(constant).agree;
                let agreed = (0..arguments.len()).filter(|&index| agree.is_some_and(|(_, on)| on.contains(index)));
                needs.extend(agree.into_iter().flat_map(|(scope, _)| {
                    agreed.clone().map(move |index| Need {
                        inst,
                        callee: Called::Function(callee),
                        scope,
                        what: What::Operand(index as u32),
                        tolerates_missing: false,
                    })
                }));
            } else if let Some(required) = self.module.function_of(callee).and_then(|id| self.requirements.get(&id)) {
                needs.extend(required.iter().map(|requirement| Need {
                    inst,
                    callee: Called::Function(callee),
                    scope: requirement.scope,
                    what: What::Call(requirement.clone()),
                    tolerates_missing: requirement.tolerates_missing,
                }));
            }
        }
        needs
    }

    /// The operations in inline assembly, one for each set of threads.
    fn needs_of_assembly(&self, inst: Inst) -> Vec<Need> {
        let mut needs: Vec<Need> = Vec::new();
        let facts_of = |name: &str| self.facts.target.call(name.as_bytes()).copied();
        for one in self.module.operations_of_assembly(self.function, inst, facts_of) {
            let need = need(inst, Called::Instruction(one.mnemonic), &one.facts, one.needs_all);
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
                let options = LoweringOptions { certain_only, ..LoweringOptions::new(scope) };
                let computed = Summaries::compute(self.module, self.facts, &options, &Options::default())?;
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

    /// What the function requires so that `needs`, with which nothing is wrong so far, are met.
    fn require(&self, needs: &[&Need], scope: Scope, required: &mut Vec<Requirement>) -> Result<(), ReadError> {
        let Some(first) = needs.iter().find(|need| need.what.is_entry()) else {
            if needs.is_empty() {
                return Ok(());
            }
            return self.require_parameters(needs, scope, required);
        };
        required.push(Requirement { scope, kind: RequirementKind::Entry, ..self.reason(first) });
        self.require_parameters(needs, scope, required)
    }

    fn require_parameters(
        &self,
        needs: &[&Need],
        scope: Scope,
        required: &mut Vec<Requirement>,
    ) -> Result<(), ReadError> {
        let options = self.options(scope, false);
        let subject = self.subject(scope, false)?;
        let mut lowered = subject.lower(&mut Lowerer::default(), &options);
        let parameters = (0..).zip(&self.function.parameters);
        let parameters: Vec<(u32, u32)> =
            parameters.filter_map(|(index, &parameter)| Some((index, lowered.index_of(parameter)?))).collect();
        for (index, need) in self.deciding(&parameters, needs, &mut lowered) {
            let kind = RequirementKind::Parameter(index);
            required.push(Requirement { scope, kind, ..self.reason(need) });
        }
        Ok(())
    }

    /// The parameters that by themselves are enough for something to be wrong if threads have different ones, each with the first need that is not met then; those
    /// of a list of places and values. Nothing is wrong if one of them differs where nothing is if all do.
    fn deciding<'n>(
        &self,
        parameters: &[(u32, u32)],
        needs: &[&'n Need],
        lowered: &mut Lowered,
    ) -> Vec<(u32, &'n Need)> {
        if parameters.is_empty() {
            return Vec::new();
        }
        let rules: Vec<Rule> = parameters
            .iter()
            .map(|&(_, value)| std::mem::replace(&mut lowered.problem.values[value as usize].rule, Rule::Source))
            .collect();
        let uniformity = analyze(&lowered.problem, &Options::default());
        let found = breaches(self.function, lowered, &uniformity, needs);
        for (&(_, value), rule) in parameters.iter().zip(rules) {
            lowered.problem.values[value as usize].rule = rule;
        }
        let broken: Vec<&Need> =
            needs.iter().zip(found).filter(|(_, breach)| breach.is_some()).map(|(&need, _)| need).collect();
        match (parameters, &broken[..]) {
            (_, []) => Vec::new(),
            (&[(index, _)], &[first, ..]) => vec![(index, first)],
            _ => {
                let (some, others) = parameters.split_at(parameters.len() / 2);
                let mut all = self.deciding(some, &broken, lowered);
                all.extend(self.deciding(others, &broken, lowered));
                all
            }
        }
    }

    /// What the operation that is behind a need asks for.
    fn reason(&self, need: &Need) -> Requirement {
        if let What::Call(requirement) = &need.what {
            return requirement.clone();
        }
        let Need { inst, scope, ref callee, tolerates_missing, .. } = *need;
        let at = Anchor::inst(self.id, self.function, inst);
        Requirement { scope, kind: RequirementKind::Entry, operation: callee.clone(), at, tolerates_missing }
    }

    fn analyze(&self, scope: Scope, certain_only: bool) -> Result<Analysis<'_, '_>, ReadError> {
        let options = self.options(scope, certain_only);
        Ok(self.subject(scope, certain_only)?.analyze_with(&mut Lowerer::default(), &options, &Options::default()))
    }

    /// `analysis` has the branches of the breach; in `sure`, only what is certain counts.
    fn describe(&self, broken: &Broken<'_>, analysis: &Analysis<'_, '_>, sure: &Analysis<'_, '_>) -> Finding {
        let Broken { need, breach, parting, is_certain, example, assumptions, after_exit, .. } = broken;
        let (from, what) = match breach {
            Breach::Argument(index) => {
                let argument = self.function.operands(need.inst)[*index as usize];
                (analysis.lowered.index_of(argument).map(Element::Value), HazardBreach::Argument(*index))
            }
            Breach::Parted(parting) => {
                let first = parting.first().copied();
                let what = match first {
                    Some(Parted::Exit(exit, _)) => {
                        let block = analysis.lowered.block_of(exit.edge.0);
                        HazardBreach::Iterations(block.map(|(block, _)| self.anchor(self.function.terminator(block))))
                    }
                    _ => HazardBreach::Paths,
                };
                (first.map(|parted| Element::Branch(branch_of(parted))), what)
            }
        };
        let requirement = match &need.what {
            What::Operation(_) | What::Operand(_) => None,
            What::Call(requirement) => Some(requirement.clone()),
        };
        let others = parting.iter().skip(1).filter_map(|&parted| analysis.lowered.block_of(branch_of(parted)));
        let hazard = Hazard {
            scope: need.scope,
            requirement,
            breach: what,
            example: *example,
            assumptions: assumptions.clone(),
            others: others.map(|(block, _)| (block, self.anchor(self.function.terminator(block)))).collect(),
            after_exit: after_exit.then(|| barrier_after_exit(&need.operation().name(self.module))),
        };
        let (code, severity) = match (hazard.after_exit, is_certain) {
            (Some(severity), true) => (Code::RC0209, severity),
            (Some(_), false) => (Code::RC0209, Severity::Warning),
            (None, true) if !need.tolerates_missing => (need.code(true), Severity::Error),
            (None, _) => (need.code(false), Severity::Warning),
        };
        Finding {
            severity,
            certainty: if *is_certain { Degree::Certain } else { Degree::Possible },
            chain: from.map(|from| chain(analysis, sure, from)).unwrap_or_default(),
            ..Finding::new(code, self.anchor(need.inst), Kind::Hazard(hazard))
        }
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
        !matches!(self, What::Call(Requirement { kind: RequirementKind::Parameter(_), .. }) | What::Operand(_))
    }
}

/// The way from something divergent back to the cause: a source, or what is only because of it not certain, such as a
/// load from an address that does differ between threads.
fn chain(analysis: &Analysis<'_, '_>, sure: &Analysis<'_, '_>, from: Element) -> Vec<Step> {
    let is_sure = |element: Element| match element {
        Element::Value(value) => sure.uniformity.values.get(value as usize).is_some_and(Option::is_some),
        Element::Branch(node) => sure.uniformity.branches.get(node.index()).is_some_and(Option::is_some),
    };
    let elements = analysis.uniformity.chain(from);
    let becomes_sure = elements.iter().skip(1).position(|&(element, _)| is_sure(element));
    let last = becomes_sure.filter(|_| !is_sure(from)).unwrap_or(elements.len());
    let mut steps = tell(analysis, from);
    steps.truncate(last + 1);
    steps
}

fn breaches(function: &Function, lowered: &Lowered, uniformity: &Uniformity, needs: &[&Need]) -> Vec<Option<Breach>> {
    let stops = |node| match lowered.block_of(node) {
        Some((block, _)) => function.instructions[function.terminator(block)].opcode == Opcode::Unreachable,
        None => false,
    };
    let mut control = None;
    let breach = |need: &&Need| match need.what {
        What::Call(Requirement { kind: RequirementKind::Parameter(index), .. }) | What::Operand(index) => {
            let argument = *function.operands(need.inst).get(index as usize)?;
            let value = lowered.index_of(argument)?;
            uniformity.values[value as usize].map(|_| Breach::Argument(index))
        }
        _ => {
            // Without divergent branches there is nothing to look for.
            if uniformity.branches.iter().all(Option::is_none) {
                return None;
            }
            let control = control.get_or_insert_with(|| Control::new(&lowered.problem, uniformity, stops));
            let parting = control.parting(lowered.node_of(function, need.inst));
            (!parting.is_empty()).then_some(Breach::Parted(parting))
        }
    };
    needs.iter().map(breach).collect()
}
