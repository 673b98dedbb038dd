//! `reduce-cycles`: every cycle has one header.
//!
//! **What changes.** A cycle with entries `h`, `e₁`, … (`h` its header for the search that visits successors in the order of the
//! text) gets a new block before them, the *dispatcher*: all edges to entries from outside of the cycle, and all edges to `h`, go
//! there. A phi of it, the selector, knows which entry was meant, and the dispatcher branches to that one. Phis of the entries are split: what
//! they had for those edges is a phi of the dispatcher, poison for edges to other entries.
//!
//! **Why that ends.** The new cycle is the old one with the dispatcher, which is its only entry. Its children are the cycles of what is left
//! without the dispatcher: the old cycle without the edges to `h`, that is, the old children, whose entries from outside are the same
//! edges, or the dispatcher's. So the cycle forest of the result is that of the function with dispatchers as headers; one round does all.
//!
//! **Values need nothing else.** A block `x` that dominated a block `y` still does. Take a path to `y` without `x`, and its last way through dispatchers:
//! in by `p` (meaning `e`), out to `e'`, both entries of one cycle `C`. If `x` is in `C`, a path from the start comes to `e'` through no
//! other node of `C`, so not through `x`, and goes on to `y` as the path does. If not, `p`, which the path comes to without `x`, led to `e`, and inside of `C` that
//! leads to `e'`; with fewer ways through dispatchers before `p`, so by induction there was a path to `y` without `x` before. So each definition
//! dominates what it did, tokens included.
//!
//! **What is kept.** Each thread executes the same original blocks in the same order, with the same values: dispatchers and forwarders have
//! phis and a branch, nothing else. Controlled operations are converged for the same threads as before, as only tokens decide that
//! (and the implementation, at an `anchor`, which may be in such a cycle). The
//! static rules still hold: a new closed path goes through a dispatcher, to which there is a path from the start through nothing of the cycle; so with
//! a use it contains the definition, if that is in the cycle, and a use in an irreducible cycle of a token from outside breaks a
//! rule to begin with. A function that breaks one is refused, as it has no meaning to keep.
//!
//! **What is decided.** For uncontrolled operations in an irreducible cycle the implementation chooses the header, and so who is converged.
//! After this pass there is nothing left to choose: an iteration begins where a thread comes to the dispatcher, whichever entry it goes to.
//! Two threads that enter the cycle together by different entries are in the same iteration; one that then goes on to `h` begins the
//! next, though it executes `h` for the first time. No original choice of a header says that, but it is maximal convergence of the result,
//! which has one hierarchy, and what `infer-tokens` then says with tokens. Reducible cycles inside and around are what they were.
//!
//! **Cost.** Linear in the function and its cycles' entries, but for phis: a dispatcher has one for each phi of an entry, with an operand for each edge.

mod edits;
mod plan;

use cranelift_entity::EntityRef;
use reconverge_analysis::lower::lower;
use reconverge_analysis::rules;
use reconverge_graph::{CycleForest, DepthFirst, SuccessorOrder};
use reconverge_ir::function::{Block, Inst};
use reconverge_ir::opcode::Opcode;
use reconverge_ir::{Function, FunctionId, Module, ReadError};
use reconverge_valid::read_functions;

use crate::{Edits, Refusal, Transformed};
use plan::Plan;

/// Makes all cycles of a module reducible.
///
/// # Errors
/// When the text is not LLVM IR.
pub fn reduce_cycles(text: &[u8]) -> Result<Transformed, ReadError> {
    let (_, functions) = read_functions(text, reduce)?;
    let mut transformed = Transformed::default();
    for answer in functions {
        match answer {
            Ok(None) => {}
            Ok(Some(edits)) => {
                transformed.functions += 1;
                transformed.edits.extend(edits);
            }
            Err(refusal) => transformed.refusals.push(refusal),
        }
    }
    Ok(transformed)
}

/// The edits that make the cycles of a function reducible; nothing where they are.
pub(crate) fn reduce(module: &Module<'_>, id: FunctionId, function: &Function) -> Result<Option<Edits>, Refusal> {
    let graph = function.control_flow_graph();
    let search = DepthFirst::compute(&graph, SuccessorOrder::Forward);
    let forest = CycleForest::from_depth_first(&graph, &search);
    if forest.cycles.keys().all(|cycle| forest.is_reducible(cycle)) {
        return Ok(None);
    }
    let refuse = |inst: Inst, rule: String| {
        let span = function.instructions[inst].span;
        Err(Refusal { function: module.function_name(id), rule, span })
    };
    let lowered = lower(module, id, function);
    if let Some(violation) = rules::check(&lowered.flow).first() {
        let inst = lowered.instructions[violation.operation as usize];
        return refuse(
            inst,
            format!("it breaks a rule of convergence control to begin with: {}", violation.rule.name()),
        );
    }
    let plan = Plan::new(function, &search, &forest);
    match edge_that_stays(module, function, &plan) {
        Some((block, rule)) => refuse(function.terminator(block), rule),
        None => Ok(Some(edits::edits(module, function, &plan))),
    }
}

/// An edge that would have to lead elsewhere and cannot, and why.
fn edge_that_stays(module: &Module<'_>, function: &Function, plan: &Plan) -> Option<(Block, String)> {
    let mut edges: Vec<(Block, Block)> = plan.redirected.keys().copied().collect();
    edges.sort_unstable();
    edges.into_iter().find_map(|(from, to)| {
        let [source, entry] = [from, to].map(|block| module.local_name(function.blocks[block].name));
        let opcode = function.instructions[function.terminator(from)].opcode;
        if function.block_instructions(to).any(|inst| is_pad(function.instructions[inst].opcode)) {
            let rule = format!("{entry} is one of several entries of a cycle and handles exceptions, and nothing can stand before that");
            Some((to, rule))
        } else if !matches!(opcode, Opcode::Br | Opcode::Switch | Opcode::Invoke) {
            let opcode = opcode.keyword();
            let rule = format!("the {opcode} of {source} leads to {entry}, one of several entries of a cycle, and cannot lead elsewhere");
            Some((from, rule))
        } else {
            None
        }
    })
}

pub(crate) fn is_pad(opcode: Opcode) -> bool {
    matches!(opcode, Opcode::LandingPad | Opcode::CatchSwitch | Opcode::CatchPad | Opcode::CleanupPad)
}

/// The node of a block.
fn node(block: Block) -> reconverge_graph::Node {
    reconverge_graph::Node::new(block.index())
}
