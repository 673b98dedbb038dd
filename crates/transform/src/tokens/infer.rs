//! `infer-tokens`: tokens that say of uncontrolled convergent operations what is usually meant ("Inferring Tokens").
//!
//! For a function with uncontrolled convergent operations:
//!
//! 1. if an operation is in an irreducible cycle, all cycles are made reducible (see [`reduce_cycles`](crate::reduce_cycles()));
//! 2. an `entry` is put at the start of the entry block (an `anchor` in a function that is not convergent, which cannot have one);
//! 3. a `loop` heart is put at the start of the header of each cycle, on the heart of the cycle around it, or on the token of 2;
//! 4. each operation gets the heart of the innermost cycle around it, or the token of 2.
//!
//! Every token stems from 2, so all threads that begin the function together can be together at each operation. Hearts without any operation in their
//! cycle would say nothing and are left out; each is a candidate with that verdict. Calls that are no convergent operations stay as they are.
//!
//! Each function is on its own: one with tokens stays as it is, whether its callers and callees have some or not; that caller and callee are of one
//! kind is no rule. One function with operations of both kinds breaks a rule, and is refused.

use cranelift_entity::EntityRef;
use reconverge_analysis::flow::OperationKind;
use reconverge_analysis::lower::{convergent_operations, lower};
use reconverge_graph::{Cycle, CycleForest, SuccessorOrder};
use reconverge_ir::function::{Block, Extra, Inst};
use reconverge_ir::opcode::Opcode;
use reconverge_ir::{ConvergenceIntrinsic, Function, FunctionId, Module, ReadError};
use reconverge_valid::read_functions;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::declare::Declarations;
use crate::legality::{Candidate, Verdict};
use crate::names::Names;
use crate::reduce::{is_pad, reduce};
use crate::{Edits, Refusal, Transformed};

/// The section of the document on this.
const SECTION: &str = "Inferring Tokens";

/// Gives tokens to all functions of a module that have uncontrolled convergent operations. O(text).
///
/// # Errors
/// When the text is not LLVM IR.
pub fn infer_tokens(text: &[u8]) -> Result<Transformed, ReadError> {
    let (mut transformed, refused) = infer_tokens_of(text, |_| true)?;
    transformed.refusals.extend(refused.into_iter().map(|(_, refusal)| refusal));
    Ok(transformed)
}

/// The same for some functions, and what could not be done for which.
pub(crate) fn infer_tokens_of(
    text: &[u8],
    wanted: impl Fn(FunctionId) -> bool + Sync,
) -> Result<(Transformed, Vec<(FunctionId, Refusal)>), ReadError> {
    let visit = |module: &Module<'_>, id, function: &Function| wanted(id).then(|| (id, infer(module, id, function)));
    let (module, functions) = read_functions(text, visit)?;
    let mut all = All::default();
    let mut reduced = Vec::new();
    for (id, answer) in functions.into_iter().flatten() {
        match answer {
            Ok(Answer::Inferred(inferred)) => all.add(inferred),
            Ok(Answer::Reduced(edits)) => reduced.push((id, edits)),
            Err(refusal) => all.refused.push((id, refusal)),
        }
    }
    if !reduced.is_empty() {
        all.add_reduced(&module, reduced)?;
    }
    let All { mut transformed, declared, refused } = all;
    declared.edit(&module, &mut transformed.edits);
    Ok((transformed, refused))
}

/// What is known of a module.
#[derive(Default)]
struct All {
    transformed: Transformed,
    declared: Declarations,
    refused: Vec<(FunctionId, Refusal)>,
}

impl All {
    fn add(&mut self, Inferred { edits, intrinsics, candidates }: Inferred) {
        self.transformed.candidates.extend(candidates);
        if !edits.is_empty() {
            self.transformed.functions += 1;
            self.transformed.edits.extend(edits);
            self.declared.add(intrinsics);
        }
    }

    /// Adds functions whose cycles have to be made reducible first, each with the edits that do it.
    fn add_reduced(&mut self, module: &Module<'_>, functions: Vec<(FunctionId, Edits)>) -> Result<(), ReadError> {
        let wanted: FxHashSet<FunctionId> = functions.iter().map(|&(id, _)| id).collect();
        let mut reduction = Edits::default();
        functions.into_iter().for_each(|(_, edits)| reduction.extend(edits));
        let text = reduction.clone().apply(module.text);
        let (_, answers) = read_functions(&text, |module, id, function| {
            wanted.contains(&id).then(|| (id, infer(module, id, function)))
        })?;
        let (mut tokens, mut unchanged) = (Edits::default(), Vec::new());
        for (id, answer) in answers.into_iter().flatten() {
            let header = module.functions[id].header;
            match answer {
                Ok(Answer::Inferred(inferred)) => {
                    self.transformed.functions += 1;
                    self.declared.add(inferred.intrinsics);
                    // Their places are in another text.
                    let span = header;
                    let moved = inferred.candidates.into_iter().map(|candidate| Candidate { span, ..candidate });
                    self.transformed.candidates.extend(moved);
                    tokens.extend(inferred.edits);
                    continue;
                }
                Ok(Answer::Reduced(_)) => unreachable!("one round makes all cycles reducible"),
                // Its place is in another text.
                Err(refusal) => self.refused.push((id, Refusal { span: header, ..refusal })),
            }
            unchanged.extend(module.functions[id].body);
        }
        let mut edits = reduction.then(&text, tokens);
        unchanged.iter().for_each(|body| edits.forget(&body.range()));
        self.transformed.edits.extend(edits);
        Ok(())
    }
}

/// What is to be done to a function.
enum Answer {
    /// Tokens are put in, if there are operations that need some.
    Inferred(Inferred),
    /// Its cycles are made reducible before tokens are put in.
    Reduced(Edits),
}

/// What changes in a function, and which intrinsics that needs.
#[derive(Default)]
struct Inferred {
    edits: Edits,
    intrinsics: Declarations,
    /// The cycles, with whether each gets a heart.
    candidates: Vec<Candidate>,
}

fn infer(module: &Module<'_>, id: FunctionId, function: &Function) -> Result<Answer, Refusal> {
    if convergent_operations(module, function).next().is_none() {
        return Ok(Answer::Inferred(Inferred::default()));
    }
    let lowered = lower(module, id, function);
    let operations = || lowered.flow.operations.iter().zip(&lowered.instructions);
    if operations().all(|(operation, _)| operation.is_controlled() || operation.kind != OperationKind::Call) {
        return Ok(Answer::Inferred(Inferred::default()));
    }
    let refuse = |inst: Inst, rule: String| {
        let span = function.instructions[inst].span;
        Err(Refusal { function: module.function_name(id), rule, span })
    };
    if let Some((_, &inst)) =
        operations().find(|(operation, _)| operation.is_controlled() || operation.kind != OperationKind::Call)
    {
        let rule = "a function has either controlled or uncontrolled convergent operations, and this one has both";
        return refuse(inst, rule.to_owned());
    }
    let graph = &lowered.flow.graph;
    let forest = CycleForest::compute(graph, SuccessorOrder::Forward);
    // The cycles with operations in them, each before those that it contains.
    let mut cycles: FxHashSet<Cycle> = FxHashSet::default();
    for (operation, _) in operations() {
        cycles.extend(forest.containing(operation.block));
    }
    let mut order: Vec<Cycle> = cycles.iter().copied().collect();
    if order.iter().any(|&cycle| !forest.is_reducible(cycle))
        && let Some(edits) = reduce(module, id, function)?
    {
        return Ok(Answer::Reduced(edits));
    }
    order.sort_by_key(|&cycle| (forest.cycles[cycle].depth, cycle));
    let mut names = Names::new(module, function);
    let mut inferred = Inferred::default();
    let kind = if lowered.flow.is_convergent { ConvergenceIntrinsic::Entry } else { ConvergenceIntrinsic::Anchor };
    let first = function.blocks.keys().next().expect("a body has a block");
    let body =
        names.fresh(if kind == ConvergenceIntrinsic::Entry { "convergence.entry" } else { "convergence.anchor" });
    inferred.define(module, function, first, &body, kind, None);
    for cycle in forest.cycles.keys() {
        let header = Block::new(forest.cycles[cycle].header.index());
        let verdict = match cycles.contains(&cycle) {
            true => Verdict::yes("a convergent operation is in its cycle"),
            false => Verdict::no(
                SECTION,
                "no convergent operation is in its cycle, so nothing would use its token",
                Vec::new(),
            ),
        };
        inferred.candidates.push(Candidate {
            function: module.function_name(id),
            what: format!("a heart in %{}", module.local_name(function.blocks[header].name)),
            span: function.instructions[function.blocks[header].first].span,
            verdict,
        });
    }
    let mut hearts: FxHashMap<Cycle, String> = FxHashMap::default();
    for cycle in order {
        let header = Block::new(forest.cycles[cycle].header.index());
        let start = function.blocks[header].first;
        if function.block_instructions(header).any(|inst| is_pad(function.instructions[inst].opcode)) {
            return refuse(
                start,
                "the header of a cycle handles exceptions, and nothing can stand before that".to_owned(),
            );
        }
        let parent = forest.cycles[cycle].parent.and_then(|parent| hearts.get(&parent)).unwrap_or(&body).clone();
        let heart = names.fresh("convergence.loop");
        inferred.define(module, function, header, &heart, ConvergenceIntrinsic::Loop, Some(&parent));
        hearts.insert(cycle, heart);
    }
    for (operation, &inst) in operations() {
        let token = forest.innermost(operation.block).and_then(|cycle| hearts.get(&cycle)).unwrap_or(&body);
        inferred.control(module, function, inst, token);
    }
    Ok(Answer::Inferred(inferred))
}

impl Inferred {
    /// Puts the definition of a token at the start of a block.
    fn define(
        &mut self,
        module: &Module<'_>,
        function: &Function,
        block: Block,
        name: &str,
        kind: ConvergenceIntrinsic,
        parent: Option<&str>,
    ) {
        let mut instructions = function.block_instructions(block);
        let is_phi = |inst: &Inst| function.instructions[*inst].opcode == Opcode::Phi;
        let inst = instructions.find(|inst| !is_phi(inst)).expect("a block ends in a terminator");
        let at = function.instructions[inst].span.range().start;
        let line = memchr::memrchr(b'\n', &module.text[..at]).map_or(0, |newline| newline + 1);
        let indent = String::from_utf8_lossy(&module.text[line..at]);
        let indent = if indent.trim().is_empty() { &*indent } else { "  " };
        let bundle = parent.map(bundle).unwrap_or_default();
        self.edits.insert(at, format!("%{name} = call token @{}(){bundle}\n{indent}", kind.name()));
        self.intrinsics.need(kind);
    }

    /// Gives a call a token.
    fn control(&mut self, module: &Module<'_>, function: &Function, inst: Inst, token: &str) {
        let Extra::Call(call) = function.instructions[inst].extra else { unreachable!("operations are calls") };
        let list = function.calls[call].bundle_list.range();
        if list.is_empty() {
            self.edits.insert(list.end, bundle(token));
        } else {
            // Behind the bundles that are there.
            let close = list.end - 1;
            let end = module.text[list.start..close].trim_ascii_end().len() + list.start;
            self.edits.insert(end, format!(", \"convergencectrl\"(token %{token})"));
        }
    }
}

fn bundle(token: &str) -> String {
    format!(" [ \"convergencectrl\"(token %{token}) ]")
}
