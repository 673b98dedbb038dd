//! Chains of causes, in words: from something divergent back to a source, one rule a step, each with its place.
//!
//! A [`Step`] is plain data for whoever prints it: a sentence, the place in the text, the place in the program's source where the IR
//! says it, and for joins and exits of cycles the two paths that threads take apart. [`write_reason`] says the
//! same in a few words and without looking for paths, for listings.

use std::fmt::Write;
use std::ops::Range;

use cranelift_entity::EntityRef;
use reconverge_graph::{CycleForest, DepthFirst, Node, SuccessorOrder};
use reconverge_ir::constant::{ConstantData, ExpressionKind};
use reconverge_ir::function::{Block, Definition, Extra, Inst, InstData, LocalName, Value};
use reconverge_ir::opcode::{Flags, Opcode};
use reconverge_ir::types::TypeData;
use reconverge_ir::{DebugLocation, text};

use super::lower::{Origin, Refinement};
use super::m_converged::{Failure, not_m_converged};
use super::report::Analysis;
use super::{Cause, DivergentExit, Element, ValueIndex, exit_paths, join_paths, region_of_irreducible_cycle};
use crate::place::Place;
pub use crate::place::arrows;
use crate::target::{Degree, Dependence, MemoryKind, Scope};

/// One step of a chain: why one thing is divergent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    /// Which rule applied.
    pub rule: StepRule,
    /// What is divergent: `%x`, `the branch of entry`.
    pub subject: String,
    /// Why, as a sentence without a full stop.
    pub message: String,
    /// The block it is in, without sigil; nothing for parameters.
    pub block: Option<String>,
    /// The text of the instruction or parameter: byte offsets into the module's text.
    pub span: Range<usize>,
    /// The place in the source.
    pub source: Option<DebugLocation>,
    /// Two paths that threads take apart, as names of blocks, ends included.
    pub paths: Option<[Vec<String>; 2]>,
    /// Of a source: whether threads do differ.
    pub degree: Option<Degree>,
}

/// The rule that a step applies; see [`Cause`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum StepRule {
    /// Divergent by itself.
    Source,
    /// A divergent operand.
    Operand,
    /// A join of a divergent branch.
    Join,
    /// A divergent exit of a cycle.
    Temporal,
    /// A cycle that was given up.
    AssumedDivergent,
}

impl StepRule {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            StepRule::Source => "source",
            StepRule::Operand => "operand",
            StepRule::Join => "join",
            StepRule::Temporal => "temporal",
            StepRule::AssumedDivergent => "assumed-divergent",
        }
    }
}

impl From<Cause> for StepRule {
    fn from(cause: Cause) -> StepRule {
        match cause {
            Cause::Source => StepRule::Source,
            Cause::Operand(_) => StepRule::Operand,
            Cause::Join { .. } => StepRule::Join,
            Cause::Temporal { .. } => StepRule::Temporal,
            Cause::AssumedDivergent { .. } => StepRule::AssumedDivergent,
        }
    }
}

/// The name of a set of threads, with its article.
pub fn scope_name(scope: Scope) -> &'static str {
    match scope {
        Scope::Subgroup => "a subgroup",
        Scope::Workgroup => "a workgroup",
        Scope::Grid => "the grid",
    }
}

/// The shortest chain from something divergent back to a source, itself first; empty for what is uniform.
pub fn tell(analysis: &Analysis<'_, '_>, element: Element) -> Vec<Step> {
    let teller = Teller { analysis };
    analysis.uniformity.chain(element).into_iter().map(|(element, cause)| teller.step(element, cause)).collect()
}

/// Appends why something is divergent, in a few words; nothing for what is uniform. O(1), but for names.
pub fn write_reason(analysis: &Analysis<'_, '_>, element: Element, output: &mut String) {
    let teller = Teller { analysis };
    let cause = match element {
        Element::Value(value) => analysis.uniformity.values[value as usize],
        Element::Branch(node) => analysis.uniformity.branches[node.index()],
    };
    let _ = match cause {
        None => return,
        Some(Cause::Source) => write!(output, "source: {}", teller.source(element).0),
        Some(Cause::Operand(value)) => write!(output, "operand: {}", teller.value_name(value)),
        Some(Cause::Join { branch }) => write!(output, "join: of {}", teller.branch_name(branch)),
        Some(Cause::Temporal { value, exit, .. }) => {
            let (value, header) = (teller.value_name(value), teller.block_name(exit.header));
            write!(output, "temporal: {value} from the cycle at {header}")
        }
        Some(Cause::AssumedDivergent { header, .. }) => {
            write!(output, "assumed-divergent: by the cycle at {}", teller.block_name(header))
        }
    };
}

#[derive(Clone, Copy)]
struct Teller<'a, 's, 't> {
    analysis: &'a Analysis<'s, 't>,
}

impl Teller<'_, '_, '_> {
    fn step(self, element: Element, cause: Cause) -> Step {
        let (message, degree) = match cause {
            Cause::Source => {
                let (reason, degree) = self.source(element);
                (reason, Some(degree))
            }
            _ => (self.message(element, cause), None),
        };
        let problem = &self.analysis.lowered.problem;
        let paths = match (cause, element) {
            (Cause::Join { branch }, Element::Value(phi)) => join_paths(problem, branch, phi),
            (Cause::Temporal { exit, branch, .. }, _) => exit_paths(problem, branch, exit),
            _ => None,
        };
        let inst = self.instruction(element);
        let function = self.analysis.subject.function;
        let location = inst.and_then(|inst| function.instructions[inst].debug_location.expand());
        Step {
            rule: cause.into(),
            subject: self.name(element),
            message,
            block: inst.map(|inst| self.place().block_name(function.instructions[inst].block)),
            span: self.span(element),
            source: location.and_then(|node| self.analysis.subject.module.debug_location(node)),
            paths: paths.map(|paths| paths.map(|path| self.path(&path))),
            degree,
        }
    }

    fn message(self, element: Element, cause: Cause) -> String {
        match cause {
            Cause::Source => self.source(element).0,
            Cause::Operand(value) => self.operand(element, value),
            Cause::Join { branch } => {
                format!("threads that part at {} meet here with different values", self.branch_name(branch))
            }
            Cause::Temporal { value, exit, branch } => self.temporal(value, exit, branch),
            Cause::AssumedDivergent { header, branch } => self.assumed_divergent(header, branch),
        }
    }

    fn operand(self, element: Element, value: ValueIndex) -> String {
        let operand = self.value_name(value);
        let lowered = &self.analysis.lowered;
        match element {
            Element::Branch(_) => format!("depends on {operand}"),
            Element::Value(user) if lowered.refinement_of(user) == Some(Refinement::PromotableAllocas) => {
                format!("holds what was stored: {operand}")
            }
            Element::Value(_) => match self.instruction(element).map(|inst| self.data(inst).opcode) {
                Some(Opcode::Phi) => format!("may be {operand}"),
                Some(Opcode::Load) => format!("loads from {operand}"),
                _ => format!("is computed from {operand}"),
            },
        }
    }

    fn temporal(self, value: ValueIndex, exit: DivergentExit, branch: Node) -> String {
        format!(
            "uses {} from the cycle at {}; threads that part at {} leave the cycle over {} -> {} in different iterations",
            self.value_name(value),
            self.block_name(exit.header),
            self.branch_name(branch),
            self.block_name(exit.edge.0),
            self.block_name(exit.edge.1)
        )
    }

    /// Which criterion fails for a cycle that was given up.
    fn assumed_divergent(self, header: Node, branch: Node) -> String {
        let graph = &self.analysis.lowered.problem.graph;
        let search = DepthFirst::compute(graph, SuccessorOrder::Forward);
        let forest = CycleForest::from_depth_first(graph, &search);
        if region_of_irreducible_cycle(&self.analysis.lowered.problem, &forest) == Some(header) {
            return format!(
                "is in or behind the irreducible cycle at {}, which the convergence region of a token of the cycle leaves: what follows is assumed to be divergent",
                self.block_name(header)
            );
        }
        let branches = &self.analysis.uniformity.branches;
        let failures = not_m_converged(graph, &forest, |node| branches[node.index()].is_some());
        let failure = failures.into_iter().find(|&(cycle, _)| forest.cycles[cycle].header == header);
        let why = match failure {
            Some((_, Failure::DivergedEntry { branch, join })) => format!(
                "threads that part at {} meet at {}, which neither the branch nor the header of a cycle with both strictly dominates",
                self.branch_name(branch),
                self.block_name(join)
            ),
            Some((_, Failure::DivergedOutside { branch })) => {
                format!("threads that part at {} enter it at different blocks", self.branch_name(branch))
            }
            None => format!("{} is divergent", self.branch_name(branch)),
        };
        format!("is in the irreducible cycle at {}, which is assumed to be divergent: {why}", self.block_name(header))
    }

    /// Why something is divergent by itself, and whether threads do differ.
    fn source(self, element: Element) -> (String, Degree) {
        let function = self.analysis.subject.function;
        match element {
            Element::Branch(_) => (self.branch_source(element), Degree::Possible),
            Element::Value(index) => match self.analysis.lowered.origins[index as usize] {
                Origin::Value(value) => match function.values[value].definition {
                    Definition::Instruction(inst) => self.instruction_source(inst),
                    _ => {
                        let kernel = self.analysis.subject.facts.is_kernel(self.analysis.subject.id);
                        let what = if kernel { "a kernel's parameter" } else { "a parameter: callers may pass" };
                        let differ = if kernel { "that may differ between" } else { "different values to" };
                        (format!("{what} {differ} {}", self.threads()), Degree::Possible)
                    }
                },
                // Everything else follows from something.
                _ => (String::new(), Degree::Possible),
            },
        }
    }

    fn branch_source(self, element: Element) -> String {
        match self.instruction(element).map(|inst| self.data(inst).opcode) {
            Some(Opcode::Invoke) => format!("an exception may come out of the call in some of {}", self.threads()),
            Some(Opcode::CallBr) => format!("inline assembly may jump elsewhere in some of {}", self.threads()),
            Some(opcode) => format!("{} may go different ways in {}", opcode.keyword(), self.threads()),
            None => String::new(),
        }
    }

    fn instruction_source(self, inst: Inst) -> (String, Degree) {
        let data = self.data(inst);
        let threads = self.threads();
        let reason = match data.opcode {
            Opcode::Call | Opcode::Invoke | Opcode::CallBr => return self.call_source(inst, data),
            Opcode::Load => self.load_source(inst, data),
            Opcode::AtomicRmw | Opcode::CmpXchg => {
                format!("an atomic operation, which {threads} execute one after the other")
            }
            Opcode::AddrSpaceCast => {
                return (format!("the address of private memory, which differs between {threads}"), Degree::Certain);
            }
            Opcode::Phi => "a phi that does not fit its block".to_owned(),
            opcode => format!("{} may give different results in {threads}", opcode.keyword()),
        };
        (reason, Degree::Possible)
    }

    fn load_source(self, inst: Inst, data: &InstData) -> String {
        let super::report::Subject { module, facts, function, .. } = self.analysis.subject;
        let address = function.operands(inst)[0];
        let TypeData::Pointer { address_space } = module.types[module.types.scalar(function.values[address].ty)] else {
            return "a load from an unknown place".to_owned();
        };
        let load = facts.target.load_from(address_space);
        if load.uniform >= Some(self.scope()) {
            let how = if data.flags.contains(Flags::ATOMIC) { "an atomic" } else { "a volatile" };
            return format!("{how} load: other threads may write in between");
        }
        match load.kind {
            MemoryKind::Private => "a load from memory that each thread has its own of".to_owned(),
            MemoryKind::Shared => "a load from memory that each workgroup has its own of".to_owned(),
            MemoryKind::Flat => "a load through a generic pointer, perhaps from memory of one thread".to_owned(),
            _ => format!("a load from address space {address_space}, of which nothing is known"),
        }
    }

    fn call_source(self, inst: Inst, data: &InstData) -> (String, Degree) {
        let super::report::Subject { module, facts, function, .. } = self.analysis.subject;
        let threads = self.threads();
        let Extra::Call(call) = data.extra else { return (String::new(), Degree::Possible) };
        let Some(symbol) = function.calls[call].callee.expand() else {
            let callee = function.operands(inst).last().map(|&callee| function.values[callee].definition);
            let is_assembly = |constant| match constant {
                ConstantData::Expression(expression) => {
                    matches!(function.constants.expressions[expression].kind, ExpressionKind::InlineAsm(_))
                }
                _ => false,
            };
            let what = match callee {
                Some(Definition::Constant(constant)) if is_assembly(constant) => "inline assembly",
                _ => "the result of a call of an unknown function",
            };
            return (format!("{what} may differ between {threads}"), Degree::Possible);
        };
        let name = format!("@{}", text::display(module.symbols[symbol].name.of(module.text)));
        if module.function_of(symbol).is_some_and(|id| module.functions[id].body.is_some()) {
            return (format!("what {name} returns may differ between {threads}"), Degree::Possible);
        }
        let target = facts.target.name();
        match facts.target.call(&module.symbol_name(symbol)).map(|facts| facts.result.dependence(self.scope())) {
            Some(Dependence::Thread(Degree::Certain)) => {
                (format!("{name} differs between {threads} (target {target})"), Degree::Certain)
            }
            Some(_) => (format!("{name} may differ between {threads} (target {target})"), Degree::Possible),
            None => (
                format!("nothing is known of {name}, whose result may differ between {threads} (target {target})"),
                Degree::Possible,
            ),
        }
    }

    /// The set of threads that the rules of calls and loads are for.
    fn scope(self) -> Scope {
        let super::report::Subject { module, facts, id, .. } = self.analysis.subject;
        match self.analysis.scope {
            Scope::Workgroup if facts.launch(module, id).is_single_subgroup() => Scope::Subgroup,
            scope => scope,
        }
    }

    fn threads(self) -> String {
        format!("the threads of {}", scope_name(self.analysis.scope))
    }

    fn place(&self) -> Place<'_, '_> {
        let super::report::Subject { module, id, function, .. } = self.analysis.subject;
        Place { module, id, function }
    }

    fn data(&self, inst: Inst) -> &InstData {
        &self.analysis.subject.function.instructions[inst]
    }

    /// The instruction that something is, or begins with.
    fn instruction(self, element: Element) -> Option<Inst> {
        let function = self.analysis.subject.function;
        match element {
            Element::Branch(node) => Some(function.terminator(self.analysis.lowered.block_of(node)?.0)),
            Element::Value(index) => match self.analysis.lowered.origins[index as usize] {
                Origin::Value(value) => match function.values[value].definition {
                    Definition::Instruction(inst) => Some(inst),
                    _ => None,
                },
                Origin::Variable { block, .. } => Some(function.blocks[block].first),
                Origin::Argument(inst) => Some(inst),
                Origin::Returned => None,
            },
        }
    }

    fn span(self, element: Element) -> Range<usize> {
        let super::report::Subject { module, id, function, .. } = self.analysis.subject;
        if let Some(inst) = self.instruction(element) {
            return self.data(inst).span.range();
        }
        let parameter = match element {
            Element::Value(index) => match self.analysis.lowered.origins[index as usize] {
                Origin::Value(value) => function.name(value),
                _ => None,
            },
            Element::Branch(_) => None,
        };
        match parameter {
            Some(LocalName::Text(span)) => span.range(),
            _ => module.functions[id].header.range(),
        }
    }

    fn name(self, element: Element) -> String {
        match element {
            Element::Value(index) => self.value_name(index),
            Element::Branch(node) => self.branch_name(node),
        }
    }

    fn value_name(self, index: ValueIndex) -> String {
        match self.analysis.lowered.origins[index as usize] {
            Origin::Value(value) => value_name(self.analysis, value),
            Origin::Variable { alloca, block } => {
                format!("{} at the start of {}", self.place().name(alloca), self.place().block_name(block))
            }
            Origin::Returned => "the result".to_owned(),
            Origin::Argument(inst) => format!("an argument of {}", self.place().name(inst)),
        }
    }

    fn branch_name(self, node: Node) -> String {
        format!("the branch of {}", self.block_name(node))
    }

    fn block_name(self, node: Node) -> String {
        match self.analysis.lowered.block_of(node) {
            Some((block, _)) => self.place().block_name(block),
            None => "the end".to_owned(),
        }
    }

    /// The blocks of a path; parts of a block that follow each other are one.
    fn path(self, path: &[Node]) -> Vec<String> {
        let mut names = Vec::with_capacity(path.len());
        let mut before: Option<(Block, usize)> = None;
        for part in path.iter().filter_map(|&node| self.analysis.lowered.block_of(node)) {
            if before.is_none_or(|(block, index)| (block, index + 1) != part) {
                names.push(self.place().block_name(part.0));
            }
            before = Some(part);
        }
        names
    }
}

/// The name of a parameter or of a result, as in the text.
pub(super) fn value_name(analysis: &Analysis<'_, '_>, value: Value) -> String {
    let super::report::Subject { module, function, .. } = analysis.subject;
    match function.name(value) {
        Some(name) => format!("%{}", module.local_name(name)),
        None => "a constant".to_owned(),
    }
}
