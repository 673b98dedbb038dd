//! Passes that move anchors and convergent operations. They look for candidates; whether one may be moved, [`Legality`] alone knows.
//!
//! | pass | a candidate is | it goes |
//! |---|---|---|
//! | `hoist-anchors` | an anchor on one or on each side of a branch; one in the header of a cycle | before the branch, one for all sides; before the cycle |
//! | `sink-anchors` | an anchor whose token is used, or with the operations on it, all of whose results are used, on one side of a branch only | there |
//! | `hoist-operations` | identical operations on each side of a branch | before the branch, one for all |
//! | `sink-operations` | an operation whose result is used on one side of a branch only | there |
//!
//! Each function is looked at once: blocks from the bottom up, so that what was hoisted out of an inner branch can go on, and operations that sink as far down
//! as they may. What is left as a candidate afterwards is refused, with the rule.

mod anchors;
mod operations;
mod text;

use cranelift_entity::EntityRef;
use reconverge_analysis::flow::OperationKind;
use reconverge_analysis::lower::convergent_operations;
use reconverge_analysis::target::Target;
use reconverge_analysis::uniformity::lower::ModuleFacts;
use reconverge_graph::{DepthFirst, Node, SuccessorOrder};
use reconverge_ir::function::{Block, Inst};
use reconverge_ir::{Function, FunctionId, Module, ReadError};
use reconverge_valid::read_functions_with;

use crate::legality::{Candidate, Legality, Verdict};
use crate::{Edits, Refusal, Transformed};

/// Moves anchors up, before branches. `target` is that of the triple if there is none.
///
/// # Errors
/// When the text is not LLVM IR.
pub fn hoist_anchors(text: &[u8], target: Option<&Target>) -> Result<Transformed, ReadError> {
    run(text, target, anchors::hoist)
}

/// Moves anchors down, to the one side of a branch where their token is used, alone or with all operations on it.
///
/// # Errors
/// When the text is not LLVM IR.
pub fn sink_anchors(text: &[u8], target: Option<&Target>) -> Result<Transformed, ReadError> {
    run(text, target, anchors::sink)
}

/// Makes one of identical convergent operations on all sides of a branch, before it.
///
/// # Errors
/// When the text is not LLVM IR.
pub fn hoist_operations(text: &[u8], target: Option<&Target>) -> Result<Transformed, ReadError> {
    run(text, target, operations::hoist)
}

/// Moves convergent operations down, to the one side of a branch where their result is used.
///
/// # Errors
/// When the text is not LLVM IR.
pub fn sink_operations(text: &[u8], target: Option<&Target>) -> Result<Transformed, ReadError> {
    run(text, target, operations::sink)
}

fn run(text: &[u8], target: Option<&Target>, pass: fn(&mut Mover<'_>)) -> Result<Transformed, ReadError> {
    let prepare = |module: &Module<'_>| {
        let target = target.unwrap_or_else(|| Target::for_triple(&module.target_triple()));
        Ok(ModuleFacts::new(module, target))
    };
    let visit = |module: &Module<'_>, facts: &ModuleFacts<'_>, (): &mut (), id, function: &Function| {
        let has_operations = convergent_operations(module, function).next().is_some();
        has_operations.then(|| Mover::new(module, id, function, facts).finish(pass))
    };
    let (_, functions) = read_functions_with(text, prepare, visit)?;
    let mut transformed = Transformed::default();
    for (candidates, edits) in functions.into_iter().flatten() {
        transformed.functions += usize::from(!edits.is_empty());
        transformed.edits.extend(edits);
        for candidate in &candidates {
            if let Verdict::No { rule, section, .. } = &candidate.verdict {
                let rule = format!("{}: {rule} ({section})", candidate.what);
                transformed.refusals.push(Refusal { function: candidate.function.clone(), rule, span: candidate.span });
            }
        }
        transformed.candidates.extend(candidates);
    }
    Ok(transformed)
}

/// A function in which operations are moved.
struct Mover<'a> {
    module: &'a Module<'a>,
    id: FunctionId,
    function: &'a Function,
    legality: Legality<'a>,
    candidates: Vec<Candidate>,
}

impl<'a> Mover<'a> {
    fn new(module: &'a Module<'a>, id: FunctionId, function: &'a Function, facts: &'a ModuleFacts<'a>) -> Mover<'a> {
        let legality = Legality::with_facts(module, id, function, facts);
        Mover { module, id, function, legality, candidates: Vec::new() }
    }

    fn finish(mut self, pass: fn(&mut Mover<'_>)) -> (Vec<Candidate>, Edits) {
        pass(&mut self);
        let edits = match text::edits(self.module, self.function, self.legality.layout()) {
            Ok(edits) => edits,
            Err(rule) => {
                for candidate in self.candidates.iter_mut().filter(|candidate| candidate.verdict.is_yes()) {
                    candidate.verdict =
                        Verdict::No { rule: rule.to_owned(), section: "no rule of convergence", locations: Vec::new() };
                }
                Edits::default()
            }
        };
        self.candidates.sort_by_key(|candidate| (candidate.span.start, candidate.verdict.is_yes()));
        (self.candidates, edits)
    }

    fn report(&mut self, operation: Inst, what: String, verdict: Verdict) {
        let span = self.function.instructions[operation].span;
        self.candidates.push(Candidate { function: self.module.function_name(self.id), what, span, verdict });
    }

    /// What is called, with the block that it is in.
    fn name(&self, inst: Inst) -> String {
        let callee = match self.function.instructions[inst].extra {
            reconverge_ir::function::Extra::Call(call) => self.function.calls[call].callee.expand(),
            _ => None,
        };
        let name = match (self.legality.kind_of(inst), callee) {
            (Some(OperationKind::Anchor), _) => "the anchor".to_owned(),
            (_, Some(symbol)) => format!("@{}", String::from_utf8_lossy(&self.module.symbol_name(symbol))),
            _ => "the call".to_owned(),
        };
        format!("{name} of {}", self.block_name(self.legality.layout().block_of(inst)))
    }

    fn block_name(&self, block: Block) -> String {
        format!("%{}", self.module.local_name(self.function.blocks[block].name))
    }

    /// The reachable blocks, each after those that it leads to, back edges aside.
    fn bottom_up(&self) -> Vec<Block> {
        let search = DepthFirst::compute(&self.function.control_flow_graph(), SuccessorOrder::Forward);
        search.reverse_postorder().rev().map(|node| Block::new(node.index())).collect()
    }

    /// The successors of a branch, each once, with whether the branch is the only way to it.
    fn sides(&self, block: Block) -> Vec<(Block, bool)> {
        let mut successors = self.function.successors(block).to_vec();
        successors.sort_unstable();
        successors.dedup();
        let node = |block: Block| Node::new(block.index());
        let is_only_way = |&side: &Block| {
            let reachable = |from: &&Node| self.legality.dominators().is_reachable(**from);
            let mut before = self.legality.graph().predecessors(node(side)).iter().filter(reachable);
            !self.legality.cycles().is_header(node(side)) && before.all(|&from| from == node(block))
        };
        successors.iter().map(|side| (*side, is_only_way(side))).collect()
    }

    /// The instructions of a block that are convergent operations of a kind, as they stand.
    fn operations_of(&self, block: Block, kind: OperationKind) -> Vec<Inst> {
        let body = self.legality.layout().body(block).iter().copied();
        body.filter(|&inst| self.legality.kind_of(inst) == Some(kind)).collect()
    }

    /// The blocks that an operation may be sunk to, farthest first: from the one that dominates `places` up, without those that all threads come to anyway.
    fn targets(&self, from: Block, places: impl Iterator<Item = Block>) -> Vec<Block> {
        let dominators = self.legality.dominators();
        let node = |block: Block| Node::new(block.index());
        let common = |one: Block, other: Block| {
            let mut at = Some(one);
            while let Some(block) = at.filter(|&block| !dominators.dominates(node(block), node(other))) {
                at = dominators.immediate_dominator(node(block)).map(|node| Block::new(node.index()));
            }
            at.unwrap_or(from)
        };
        let reachable = places.filter(|&place| dominators.is_reachable(node(place)));
        let mut at = reachable.reduce(common).unwrap_or(from);
        let mut targets = Vec::new();
        while at != from && dominators.dominates(node(from), node(at)) {
            if !self.legality.post_dominators().post_dominates(node(at), node(from)) {
                targets.push(at);
            }
            let Some(above) = dominators.immediate_dominator(node(at)) else { break };
            at = Block::new(above.index());
        }
        targets
    }

    /// Sinks operations to the first of some blocks that they may go to. The verdict, and where.
    fn sink_to(
        &mut self,
        targets: &[Block],
        operations: impl Fn(&Self, Block) -> Vec<Inst>,
    ) -> Option<(Verdict, Block)> {
        let mut last = None;
        for &to in targets {
            let group = operations(self, to);
            let verdict = self.legality.may_sink_together(&group, to);
            if verdict.is_yes() {
                self.legality.take_sink(&group, to);
                return Some((verdict, to));
            }
            last = Some((verdict, to));
        }
        last
    }
}
