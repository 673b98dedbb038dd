//! Where it depends on the cycle hierarchy who is converged: what is not m-converged, and the criterion that fails.

use cranelift_entity::EntityRef;
use reconverge_analysis::lower::lower;
use reconverge_analysis::uniformity::m_converged::{Failure, not_m_converged, tokens_not_m_converged};
use reconverge_analysis::uniformity::report::Analysis;
use reconverge_findings::{IrVoice, Scene, Voice};
use reconverge_graph::{Cycle, CycleForest, Digraph, Node};
use reconverge_ir::function::Block;
use serde::Serialize;

use crate::source::Source;

/// Blocks that are not m-converged: those of a cycle, or of the convergence region of a token.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct NotMConverged {
    /// `diverged-entry` and `diverged-outside` are the criteria for cycles; `region` is that of a token whose definition is not m-converged.
    pub criterion: &'static str,
    /// The header of the cycle.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cycle: Option<String>,
    /// The token.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub token: Option<String>,
    /// The block in which threads diverge.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub branch: Option<String>,
    /// The block in which they meet again.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub join: Option<String>,
    /// The blocks.
    pub blocks: Vec<String>,
    /// What happens there, in words.
    pub reason: String,
}

/// What is not m-converged, seen from one hierarchy of the graph: failing cycles, then tokens.
pub(crate) fn find(
    input: &crate::Module,
    analysis: &Analysis<'_, '_>,
    graph: &Digraph,
    forest: &CycleForest,
) -> Vec<NotMConverged> {
    let subject = &analysis.subject;
    let source = input.source().map(Source::voice);
    let voice = source.as_ref().map_or(&IrVoice as &dyn Voice, |voice| voice);
    let scene = Scene { module: subject.module, id: subject.id, function: subject.function };
    let said = |node: Node| voice.block(&scene, Block::new(node.index()));
    let (module, function) = (subject.module, subject.function);
    let block = |node: Node| module.local_name(function.blocks[Block::new(node.index())].name);
    let failures = not_m_converged(graph, forest, |node| analysis.has_divergent_branch(Block::new(node.index())));
    let mut found = of_cycles(forest, &failures, &block, &said);
    if failures.is_empty() {
        return found;
    }
    let lowered = lower(module, subject.id, function);
    for (definition, nodes) in tokens_not_m_converged(&lowered.flow, forest, &failures) {
        let data = &function.instructions[lowered.instructions[definition as usize]];
        found.push(NotMConverged {
            criterion: "region",
            cycle: None,
            token: Some(format!("%{}", module.local_name(data.name))),
            branch: None,
            join: None,
            blocks: in_order(&nodes, &block),
            reason: "the definition of the token is not m-converged".to_owned(),
        });
    }
    found
}

/// The cycles that fail; `block` names a block, and `said` does so in a sentence.
pub(crate) fn of_cycles(
    forest: &CycleForest,
    failures: &[(Cycle, Failure)],
    block: &dyn Fn(Node) -> String,
    said: &dyn Fn(Node) -> String,
) -> Vec<NotMConverged> {
    let of_cycle = |&(cycle, failure): &(Cycle, Failure)| {
        let (criterion, branch, join, reason) = match failure {
            Failure::DivergedEntry { branch, join } => {
                let reason = format!(
                    "threads that diverge in {} meet in {}, which some reach past an entry of the cycle",
                    said(branch),
                    said(join)
                );
                ("diverged-entry", block(branch), Some(block(join)), reason)
            }
            Failure::DivergedOutside { branch } => {
                let reason = format!("threads that diverge in {} enter the cycle at different entries", said(branch));
                ("diverged-outside", block(branch), None, reason)
            }
        };
        let (cycle, blocks) = (Some(block(forest.cycles[cycle].header)), in_order(forest.nodes(cycle), block));
        NotMConverged { criterion, cycle, token: None, branch: Some(branch), join, blocks, reason }
    };
    failures.iter().map(of_cycle).collect()
}

/// The names of some blocks, in the order of the text.
fn in_order(nodes: &[Node], block: &dyn Fn(Node) -> String) -> Vec<String> {
    let mut nodes = nodes.to_vec();
    nodes.sort_unstable();
    nodes.into_iter().map(block).collect()
}
