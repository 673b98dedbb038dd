//! Uniformity of the functions of a module, in terms of IR.
//!
//! [`analyze_functions`] reads a text and hands out a [`Subject`] for each function, in parallel. A subject can be analysed for
//! any set of threads and with any refinements, which gives an [`Analysis`]: the problem, its solution, and the way back to the
//! function. An [`Answer`] is what an analysis says, as names of values and blocks.
//!
//! Invariant: an answer speaks of results of instructions, parameters and terminators only; parts of blocks that were
//! cut, and values that stand for promoted variables, are not in it.

use cranelift_entity::EntityRef;
use reconverge_graph::Node;
use reconverge_ir::function::{Block, Inst, Value};
use reconverge_ir::{Function, FunctionId, Module, ReadError};
use reconverge_valid::read_functions_with;
use rustc_hash::FxHashSet;

use super::lower::{Input, Lowered, Lowerer, LoweringOptions, ModuleFacts, Summaries};
use super::refinements::{RefinementKind, Settings};
use super::{Options, Rule, Uniformity, ValueIndex, analyze};
use crate::target::{Scope, Target};

/// What to prepare for.
#[derive(Debug, Clone, Copy)]
pub struct ReportOptions<'a> {
    /// The target; that of the module's triple if there is none.
    pub target: Option<&'a Target>,
    /// The sets of threads that functions will be analysed for. For others, nothing is known across calls.
    pub scopes: &'a [Scope],
}

/// A function with a body, and what analyses of it need.
#[derive(Debug, Clone, Copy)]
pub struct Subject<'s, 't> {
    /// The module.
    pub module: &'s Module<'t>,
    /// What is known of its functions by name.
    pub facts: &'s ModuleFacts<'s>,
    /// What is known of its local functions, by set of threads.
    summaries: [&'s Summaries; SCOPES],
    /// Which function it is.
    pub id: FunctionId,
    /// The body.
    pub function: &'s Function,
}

const SCOPES: usize = 3;

/// Reads a text and hands each defined function that is `wanted` to `visit`, on the threads of the current `rayon` pool. The
/// results are in the order of the text.
///
/// # Errors
/// When the text is not LLVM IR.
///
/// ```
/// use reconverge_analysis::target::Scope;
/// use reconverge_analysis::uniformity::refinements::Settings;
/// use reconverge_analysis::uniformity::report::{ReportOptions, analyze_functions};
/// let text = b"declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
/// define i32 @f() {
///   %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
///   %twice = mul i32 %tid, 2
///   ret i32 0
/// }
/// ";
/// let options = ReportOptions { target: None, scopes: &[Scope::Subgroup] };
/// let (_, answers) = analyze_functions(text, &options, |_, _| true, |subject, lowerer| {
///     subject.analyze(lowerer, Scope::Subgroup, &Settings::refined()).answer()
/// })
/// .unwrap();
/// assert_eq!(answers[0].as_ref().unwrap().divergent_values.len(), 2);
/// ```
pub fn analyze_functions<'t, R: Send>(
    text: &'t [u8],
    options: &ReportOptions<'_>,
    wanted: impl Fn(&Module<'t>, FunctionId) -> bool + Sync,
    visit: impl Fn(&Subject<'_, 't>, &mut Lowerer) -> R + Sync,
) -> Result<(Module<'t>, Vec<Option<R>>), ReadError> {
    let prepare = |module: &Module<'t>| {
        let target = options.target.unwrap_or_else(|| Target::for_triple(&module.target_triple()));
        let facts = ModuleFacts::new(module, target);
        let mut summaries = [Summaries::none(), Summaries::none(), Summaries::none()];
        for &scope in options.scopes {
            let Settings { analysis, .. } = Settings::refined();
            summaries[scope as usize] = Summaries::compute(module, &facts, &LoweringOptions::new(scope), &analysis)?;
        }
        Ok((facts, summaries))
    };
    read_functions_with(text, prepare, |module, (facts, summaries), lowerer: &mut Lowerer, id, function| {
        wanted(module, id)
            .then(|| visit(&Subject { module, facts, summaries: summaries.each_ref(), id, function }, lowerer))
    })
}

impl<'s, 't> Subject<'s, 't> {
    /// A function, with what is known of the local functions that it calls.
    pub(crate) fn new(input: Input<'s>) -> Subject<'s, 's> {
        let Input { module, facts, id, function, summaries } = input;
        Subject { module, facts, summaries: [summaries; SCOPES], id, function }
    }

    /// Lowers the function.
    pub(crate) fn lower(&self, lowerer: &mut Lowerer, options: &LoweringOptions) -> Lowered {
        let Subject { module, facts, summaries, id, function } = *self;
        let input = Input { module, facts, id, function, summaries: summaries[options.scope as usize] };
        lowerer.lower(input, options)
    }

    /// Lowers and analyses the function.
    pub(crate) fn analyze_with(
        &self,
        lowerer: &mut Lowerer,
        options: &LoweringOptions,
        analysis: &Options,
    ) -> Analysis<'s, 't> {
        let lowered = self.lower(lowerer, options);
        let uniformity = analyze(&lowered.problem, analysis);
        Analysis { subject: *self, scope: options.scope, lowered, uniformity }
    }

    /// Analyses the function for a set of threads; almost linear, but see [`analyze`].
    pub fn analyze(&self, lowerer: &mut Lowerer, scope: Scope, settings: &Settings) -> Analysis<'s, 't> {
        let options = LoweringOptions { refinements: settings.lowering, ..LoweringOptions::new(scope) };
        self.analyze_with(lowerer, &options, &settings.analysis)
    }

    /// [`analyze`](Subject::analyze) of a function that a kernel calls with what it was given: parameters are the same in all threads.
    pub fn analyze_as_kernel(&self, lowerer: &mut Lowerer, scope: Scope, settings: &Settings) -> Analysis<'s, 't> {
        let (refinements, uniform_parameters) = (settings.lowering, true);
        let options = LoweringOptions { refinements, uniform_parameters, ..LoweringOptions::new(scope) };
        self.analyze_with(lowerer, &options, &settings.analysis)
    }

    /// [`analyze`](Subject::analyze), with whether instructions see something divergent in values that they use: the value is, or threads have it from different iterations of a cycle that they
    /// have left.
    pub fn analyze_uses(
        &self,
        lowerer: &mut Lowerer,
        scope: Scope,
        settings: &Settings,
        uses: &[(Inst, Value)],
    ) -> (Analysis<'s, 't>, Vec<bool>) {
        let options = LoweringOptions { refinements: settings.lowering, ..LoweringOptions::new(scope) };
        let mut lowered = self.lower(lowerer, &options);
        let count = lowered.problem.values.len();
        // What a use sees is a copy of the value, made there.
        let copy = |&(inst, value): &(Inst, Value)| {
            let (operand, node) = (lowered.index_of(value)?, lowered.node_of(self.function, inst));
            Some(lowered.problem.value(node, Rule::Pure, &[operand]))
        };
        let copies: Vec<Option<ValueIndex>> = uses.iter().map(copy).collect();
        let mut uniformity = analyze(&lowered.problem, &settings.analysis);
        let is_divergent =
            |copy: Option<ValueIndex>| copy.is_some_and(|copy| uniformity.values[copy as usize].is_some());
        let divergent = copies.into_iter().map(is_divergent).collect();
        lowered.problem.values.truncate(count);
        uniformity.values.truncate(count);
        (Analysis { subject: *self, scope, lowered, uniformity }, divergent)
    }

    /// What each refinement is worth: how many values and branches are divergent when it is turned off and not otherwise. One
    /// analysis for each, and one for all.
    pub fn refinement_counts(&self, lowerer: &mut Lowerer, scope: Scope) -> RefinementCounts {
        let mut divergent = |settings: &Settings| self.analyze(lowerer, scope, settings).answer();
        let refined = divergent(&Settings::refined());
        let mut more_than_refined = |settings: &Settings| Count::more(&divergent(settings), &refined);
        RefinementCounts {
            all: more_than_refined(&Settings::unrefined()),
            by_kind: RefinementKind::ALL.map(|kind| more_than_refined(&Settings::refined().with(kind, false))),
        }
    }
}

/// A number of values and branches.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Count {
    /// Results of instructions, and parameters.
    pub values: usize,
    /// Branches.
    pub branches: usize,
}

impl Count {
    /// How many are divergent in one answer and not in the other.
    fn more(one: &Answer, other: &Answer) -> Count {
        fn missing<T: Copy + Eq + std::hash::Hash>(one: &[T], other: &[T]) -> usize {
            let other: FxHashSet<T> = other.iter().copied().collect();
            one.iter().filter(|item| !other.contains(item)).count()
        }
        Count {
            values: missing(&one.divergent_values, &other.divergent_values)
                + missing(&one.divergent_parameters, &other.divergent_parameters),
            branches: missing(&one.divergent_branches, &other.divergent_branches),
        }
    }

    /// Adds another one.
    pub fn add(&mut self, other: Count) {
        self.values += other.values;
        self.branches += other.branches;
    }
}

/// What is uniform because of refinements.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct RefinementCounts {
    /// Because of all of them together.
    pub all: Count,
    /// Because of each, the others being there: in the order of [`RefinementKind::ALL`].
    pub by_kind: [Count; RefinementKind::ALL.len()],
}

impl RefinementCounts {
    /// Adds those of another function.
    pub fn add(&mut self, other: &RefinementCounts) {
        self.all.add(other.all);
        self.by_kind.iter_mut().zip(other.by_kind).for_each(|(count, other)| count.add(other));
    }
}

/// A function, analysed.
#[derive(Debug)]
pub struct Analysis<'s, 't> {
    /// The function.
    pub subject: Subject<'s, 't>,
    /// The set of threads.
    pub scope: Scope,
    /// The problem that was solved.
    pub lowered: Lowered,
    /// The solution.
    pub uniformity: Uniformity,
}

/// What an analysis says. Everything is in the order of the text.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Answer {
    /// How many instructions have a result.
    pub values: usize,
    /// The results that are divergent.
    pub divergent_values: Vec<Value>,
    /// The parameters that are divergent.
    pub divergent_parameters: Vec<Value>,
    /// How many terminators have several successors.
    pub branches: usize,
    /// The blocks that end in a divergent branch.
    pub divergent_branches: Vec<Block>,
    /// The headers of the cycles that were given up.
    pub assumed_divergent: Vec<Block>,
    /// The headers of the cycles that threads leave in different iterations.
    pub divergent_exits: Vec<Block>,
}

impl Analysis<'_, '_> {
    /// The answer; O(instructions).
    pub fn answer(&self) -> Answer {
        let function = self.subject.function;
        let mut answer =
            Answer { assumed_divergent: self.blocks(&self.uniformity.assumed_divergent), ..Answer::default() };
        let headers: Vec<Node> = self.uniformity.divergent_exits.iter().map(|exit| exit.header).collect();
        answer.divergent_exits = self.blocks(&headers);
        answer.divergent_parameters =
            function.parameters.iter().copied().filter(|&parameter| self.is_divergent(parameter)).collect();
        for data in function.instructions.values() {
            if let Some(result) = data.result.expand() {
                answer.values += 1;
                if self.is_divergent(result) {
                    answer.divergent_values.push(result);
                }
            }
        }
        for block in function.blocks.keys() {
            let successors = function.successors(block);
            answer.branches += usize::from(successors.iter().any(|&successor| successor != successors[0]));
            if self.has_divergent_branch(block) {
                answer.divergent_branches.push(block);
            }
        }
        answer
    }

    /// Whether a value is divergent.
    pub fn is_divergent(&self, value: Value) -> bool {
        let index = self.lowered.index_of(value);
        index.is_some_and(|index| self.uniformity.values[index as usize].is_some())
    }

    /// Whether a block ends in a divergent branch.
    pub fn has_divergent_branch(&self, block: Block) -> bool {
        self.uniformity.branches[self.terminator_node(block).index()].is_some()
    }

    /// The node that the terminator of a block is in.
    pub fn terminator_node(&self, block: Block) -> Node {
        let function = self.subject.function;
        self.lowered.node_of(function, function.terminator(block))
    }

    /// The blocks of nodes, each once.
    fn blocks(&self, nodes: &[Node]) -> Vec<Block> {
        let mut blocks: Vec<Block> = nodes.iter().filter_map(|&node| Some(self.lowered.block_of(node)?.0)).collect();
        blocks.sort_unstable();
        blocks.dedup();
        blocks
    }
}
