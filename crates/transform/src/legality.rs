//! Whether an operation may be executed at another place: the one place that knows the rules of "Examples for the Correctness of Program
//! Transforms".
//!
//! A transform is correct if it preserves or refines who communicates: each set of threads that communicates afterwards must have been possible before. Everything
//! here comes from that sentence.
//!
//! **Moves.** A *move* takes operations from where they are to the end of a block that dominates them ([`Legality::may_hoist`],
//! [`Legality::may_merge`]) or to the start of a block that they dominate ([`Legality::may_sink`], [`Legality::may_sink_together`]). What is *between* are the blocks on paths
//! from the upper place to the lower one that do not come back to the upper one.
//!
//! 1. *Branches.* Threads that are together at the upper place are together wherever they come to between (controlled and uncontrolled maximal convergence agree on that
//!    in acyclic control flow). So those at the lower place are those at the upper place, if each branch between that decides who
//!    comes to the lower place is uniform in the operation's set of threads; and a branch whose ways meet again before decides nothing. Over other branches the set
//!    changes, and only a fact about the operation ([`MotionFacts`](reconverge_analysis::target::MotionFacts)) or an anchor makes that right.
//! 2. *Cycles.* All that is between is in the same cycles as both ends, so a thread executes the operation once for each time that it comes to the upper place. (For anchors the
//!    two ends are enough: that threads leave a cycle in between at different times does not matter to them.)
//! 3. *Neighbours.* Nothing is moved past another convergent operation that is no token's definition, past a call that need not return, nor, unless
//!    all that the operation does is give its result, past an access to memory.
//! 4. *More or fewer executions.* What is executed more often than before must be harmless ([its fact `speculate`](reconverge_analysis::target::MotionFacts::speculate); `speculatable` will do where the branch is
//!    uniform), what is executed less often must do no more than give its result.
//! 5. *Static rules.* The function as it would be afterwards, all moves so far included, breaks no static rule.
//!
//! **Anchors.** Which threads execute an anchor together is the implementation's choice, a transform is part of the implementation, and the operations on the
//! token take the sets at the anchor as they are. So for an anchor 1, 3 and 4 do not matter:
//!
//! - *Down.* Let the anchor be sunk to a block below which all uses are. Sets there are some division of the threads that come there; the original could have
//!   divided them in the same way at the anchor, with all other threads each on their own, and every use would have had the same set.
//! - *Up, both sides.* One anchor before a branch instead of one on each side: each use is on one side and only communicates with threads that came to it.
//! - *Up, one side.* The same argument holds for a single one: let `S₁, S₂, …` be a division of the threads before the branch; each use has the threads of some `Sᵢ` that come
//!   to it, all of which came to where the anchor was. The original could have divided those that came there into the sets `Sᵢ ∩ {came there}`, with the same result for each
//!   use. So it is allowed; that the text hoists one from both sides is for its example to have something to gain.
//! - Neither into nor out of a cycle (2): one set for all iterations and one for each are different promises.
//! - *Together.* Operations may be sunk with their anchor if all of them that are above the new place are: the original could have made the set at the anchor that small. If one stays
//!   behind, threads could communicate at that one and not at the others, which the original does not allow.
//!
//! Operations on an `entry` or `loop` have no such freedom: who executes these is not for the implementation to choose.

mod between;
mod copies;
mod cycle;
mod hoist;
mod layout;
mod operation;
mod sink;

use std::cell::OnceCell;

use cranelift_entity::EntityRef;
use reconverge_analysis::flow::OperationKind;
use reconverge_analysis::lower::{Lowered, lower};
use reconverge_analysis::rules;
use reconverge_analysis::target::{Scope, Target};
use reconverge_analysis::uniformity::analyze;
use reconverge_analysis::uniformity::lower::{Input, Lowerer, LoweringOptions, ModuleFacts, Summaries};
use reconverge_analysis::uniformity::refinements::{RefinementKind, Settings};
use reconverge_graph::{CycleForest, Digraph, Dominators, Node, PostDominators, SuccessorOrder};
use reconverge_ir::function::{Block, Extra, Inst, Value};
use reconverge_ir::{Function, FunctionId, Module, Span};
use rustc_hash::FxHashSet;

pub use cycle::Unrolling;
pub(crate) use cycle::{Convergence, Obstacle};
pub(crate) use layout::Layout;
pub(crate) use operation::Operation;

/// The answer to "may I?".
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// It keeps who communicates.
    Yes {
        /// Why, in half a sentence.
        why: String,
    },
    /// It may not.
    No {
        /// The rule that forbids it, in a sentence without a full stop.
        rule: String,
        /// The section of LLVM's *Convergent Operation Semantics* that says so; empty where something else than convergence is in the way.
        section: &'static str,
        /// What is in the way.
        locations: Vec<Location>,
    },
}

/// Something that could be done, with the answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Candidate {
    /// The function, with its sigil.
    pub function: String,
    /// What would be done, in words.
    pub what: String,
    /// The operation or loop.
    pub span: Span,
    /// Whether it may be.
    pub verdict: Verdict,
}

/// A place that a verdict is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Location {
    /// Where.
    pub span: Span,
    /// What is there.
    pub what: String,
}

impl Verdict {
    /// Whether it is a yes.
    pub fn is_yes(&self) -> bool {
        matches!(self, Verdict::Yes { .. })
    }

    pub(crate) fn yes(why: impl Into<String>) -> Verdict {
        Verdict::Yes { why: why.into() }
    }

    pub(crate) fn no(section: &'static str, rule: impl Into<String>, locations: Vec<Location>) -> Verdict {
        Verdict::No { rule: rule.into(), section, locations }
    }
}

/// The sections of the text.
mod section {
    pub(super) const MOTION: &str = "Hoisting and sinking";
    pub(super) const UNROLLING: &str = "Loop unrolling examples";
    pub(super) const EXAMPLES: &str = "Examples for the Correctness of Program Transforms";
    pub(super) const STATIC: &str = "Static Rules";
    pub(super) const INTRINSICS: &str = "Convergence Control Intrinsics";
    pub(super) const INTERACTIONS: &str = "Other Interactions";
    pub(super) const INSTANCES: &str = "Dynamic Instances and Convergence Tokens";
}

/// What is known of the functions of the module.
#[derive(Debug)]
struct Facts<'a> {
    target: &'a Target,
    shared: Option<&'a ModuleFacts<'a>>,
    own: OnceCell<ModuleFacts<'a>>,
}

impl Facts<'_> {
    fn get(&self, module: &Module<'_>) -> &ModuleFacts<'_> {
        self.shared.unwrap_or_else(|| self.own.get_or_init(|| ModuleFacts::new(module, self.target)))
    }
}

/// Answers for one function, all moves that were taken included.
#[derive(Debug)]
pub struct Legality<'a> {
    module: &'a Module<'a>,
    id: FunctionId,
    function: &'a Function,
    lowered: Lowered,
    dominators: Dominators,
    post_dominators: PostDominators,
    forest: CycleForest,
    /// By scope and block: whether the branch at the end is divergent.
    divergent: [OnceCell<Vec<bool>>; 3],
    facts: Facts<'a>,
    layout: Layout,
    /// Where the function breaks a static rule as it is.
    broken: Option<Inst>,
}

impl<'a> Legality<'a> {
    /// Prepares for a function. Almost linear; uniformity is analysed once for each scope that is asked about.
    pub fn new(module: &'a Module<'a>, id: FunctionId, function: &'a Function, target: &'a Target) -> Legality<'a> {
        let lowered = lower(module, id, function);
        let graph = &lowered.flow.graph;
        let dominators = Dominators::compute(graph);
        let post_dominators = PostDominators::compute(graph);
        let forest = CycleForest::compute(graph, SuccessorOrder::Forward);
        let layout = Layout::new(function, &lowered);
        let violation = rules::check(&lowered.flow).into_iter().next();
        let broken = violation.map(|violation| lowered.instructions[violation.operation as usize]);
        let facts = Facts { target, shared: None, own: OnceCell::new() };
        let divergent = Default::default();
        Legality {
            module,
            id,
            function,
            lowered,
            dominators,
            post_dominators,
            forest,
            divergent,
            facts,
            layout,
            broken,
        }
    }

    /// The same with what is known of the module, found once for many functions.
    pub(crate) fn with_facts(
        module: &'a Module<'a>,
        id: FunctionId,
        function: &'a Function,
        facts: &'a ModuleFacts<'a>,
    ) -> Legality<'a> {
        let mut legality = Legality::new(module, id, function, facts.target);
        legality.facts.shared = Some(facts);
        legality
    }

    /// The convergent operations, in the order of the text.
    pub fn operations(&self) -> impl Iterator<Item = (Inst, OperationKind)> {
        self.lowered.instructions.iter().zip(&self.lowered.flow.operations).map(|(&inst, data)| (inst, data.kind))
    }

    /// Where everything stands now.
    pub(crate) fn layout(&self) -> &Layout {
        &self.layout
    }

    pub(crate) fn graph(&self) -> &Digraph {
        &self.lowered.flow.graph
    }

    pub(crate) fn dominators(&self) -> &Dominators {
        &self.dominators
    }

    pub(crate) fn post_dominators(&self) -> &PostDominators {
        &self.post_dominators
    }

    /// The cycles, as [`Legality::may_unroll`] names them.
    pub fn cycles(&self) -> &CycleForest {
        &self.forest
    }

    /// Whether threads of a set that are together at the end of a block may take different paths there.
    pub fn is_divergent(&self, block: Block, scope: Scope) -> bool {
        let divergent = self.divergent[scope as usize].get_or_init(|| self.divergent_branches(scope));
        divergent[block.index()]
    }

    fn divergent_branches(&self, scope: Scope) -> Vec<bool> {
        // That workgroups have one dimension would be an assumption.
        let settings = Settings::refined().with(RefinementKind::OneDimensional, false);
        let options = LoweringOptions { refinements: settings.lowering, ..LoweringOptions::new(scope) };
        let Legality { module, id, function, .. } = *self;
        let summaries = Summaries::none();
        let input = Input { module, facts: self.facts.get(module), id, function, summaries: &summaries };
        let lowered = Lowerer::default().lower(input, &options);
        let uniformity = analyze(&lowered.problem, &settings.analysis);
        let chosen = self.chosen();
        let is_divergent = |block| {
            let branch = function.terminator(block);
            uniformity.branches[lowered.node_of(function, branch).index()].is_some()
                || function.operands(branch).iter().any(|operand| chosen.contains(operand))
        };
        function.blocks.keys().map(is_divergent).collect()
    }

    /// The values that may depend on what is communicated under anchors. These are the same for threads that an anchor lets be together; but which ones that are is the
    /// implementation's choice, and others are together again behind it. Memory counts as one thing.
    fn chosen(&self) -> FxHashSet<Value> {
        let (mut chosen, mut memory) = (FxHashSet::default(), false);
        loop {
            let before = (chosen.len(), memory);
            for (inst, data) in self.function.instructions.iter() {
                let depends = self.function.operands(inst).iter().any(|operand| chosen.contains(operand));
                memory |= depends && matches!(data.extra, Extra::Memory(_) | Extra::Call(_));
                let reads = memory && matches!(data.extra, Extra::Memory(_) | Extra::Call(_));
                if let Some(result) = data.result.expand().filter(|_| depends || reads || self.is_under_anchor(inst)) {
                    chosen.insert(result);
                }
            }
            if before == (chosen.len(), memory) {
                return chosen;
            }
        }
    }

    /// Whether the token that an operation uses stems from an anchor.
    fn is_under_anchor(&self, inst: Inst) -> bool {
        let definitions = std::iter::successors(self.token_of(inst), |&definition| self.token_of(definition));
        definitions.last().is_some_and(|root| self.kind_of(root) == Some(OperationKind::Anchor))
    }

    /// What is known of a call.
    pub(crate) fn operation(&self, inst: Inst) -> Operation {
        Operation::of(self.module, self.facts.target, self.function, inst, self.kind_of(inst))
    }

    /// What kind of convergent operation an instruction is, if it is one.
    pub(crate) fn kind_of(&self, inst: Inst) -> Option<OperationKind> {
        let index = self.lowered.instructions.binary_search(&inst).ok()?;
        Some(self.lowered.flow.operations[index].kind)
    }

    /// The definition of the token that an operation uses.
    pub(crate) fn token_of(&self, inst: Inst) -> Option<Inst> {
        let index = self.lowered.instructions.binary_search(&inst).ok()?;
        let flow = &self.lowered.flow;
        let mut sources = flow.operations[index].bundles.iter().flatten();
        let definition = sources.find_map(|&source| flow.token_definition(source))?;
        Some(self.layout.resolve(self.lowered.instructions[definition as usize]))
    }

    fn at(&self, inst: Inst, what: impl Into<String>) -> Location {
        Location { span: self.function.instructions[inst].span, what: what.into() }
    }

    fn block_name(&self, block: Block) -> String {
        format!("%{}", self.module.local_name(self.function.blocks[block].name))
    }

    fn is_uniform_over(&self, blocks: &[Block], scope: Scope) -> Result<(), Vec<Location>> {
        let divergent = blocks.iter().copied().filter(|&block| self.is_divergent(block, scope));
        let locations: Vec<Location> = divergent
            .map(|block| {
                let what = format!("threads of {} may take different paths here", scope_name(scope));
                self.at(self.function.terminator(block), what)
            })
            .collect();
        if locations.is_empty() { Ok(()) } else { Err(locations) }
    }

    /// Whether a layout breaks a static rule.
    fn breach(&self, layout: &Layout) -> Option<Verdict> {
        let flow = layout.flow(&self.lowered);
        let (instructions, violations) = (layout.operations(), rules::check(&flow));
        let violation = violations.first()?;
        let place = |index: u32| instructions.get(index as usize).copied();
        let mut locations = Vec::new();
        let definition = violation.definition.and_then(place);
        locations.extend(definition.map(|inst| self.at(inst, "the token is defined here")));
        locations.extend(place(violation.operation).map(|inst| self.at(inst, "the use that would break the rule")));
        locations.extend(violation.other.and_then(place).map(|inst| self.at(inst, "what it would be at odds with")));
        let code = violation.rule;
        Some(Verdict::no(section::STATIC, format!("it would break {}: {}", code.name(), code.title()), locations))
    }

    /// The first operation that breaks a static rule, after which the function means nothing.
    pub(crate) fn broken(&self) -> Option<Inst> {
        self.broken
    }

    /// What forbids everything in the function.
    fn general(&self) -> Option<Verdict> {
        let rule = "the function breaks a static rule as it is (see check), and so means nothing";
        let verdict = |inst| Verdict::no(section::STATIC, rule, vec![self.at(inst, "the rule is broken here")]);
        self.broken.map(verdict)
    }
}

const NOT_MOVABLE: &str = "only a call that does not end its block, is no musttail call and has no bundles but that of its token can be moved";

fn node(block: Block) -> Node {
    Node::new(block.index())
}

fn block(node: Node) -> Block {
    Block::new(node.index())
}

fn scope_name(scope: Scope) -> &'static str {
    match scope {
        Scope::Subgroup => "a subgroup",
        Scope::Workgroup => "a workgroup",
        Scope::Grid => "the grid",
    }
}
