//! Convergent operations whose threads depend on the cycle hierarchy; `hazards` has the definition.

use cranelift_entity::EntityRef;
use reconverge_findings::control::Hierarchies;
use reconverge_findings::{Code, Finding, Kind};
use reconverge_graph::{CycleForest, SuccessorOrder};
use reconverge_ir::ReadError;
use reconverge_ir::function::Inst;
use rustc_hash::FxHashSet;

use super::described::chain;
use super::{Finder, is_controlled};
use crate::flow::{ConvergentOperation, OperationKind, TokenSource};
use crate::lower::{Lowered, convergent_calls, lower};
use crate::target::{Degree, Scope};
use crate::uniformity::Element;
use crate::uniformity::m_converged::{Failure, not_m_converged};

impl Finder<'_, '_> {
    /// Convergent operations in cycles whose convergence depends on the cycle hierarchy.
    pub(super) fn implementation_defined(&self) -> Result<Vec<Finding>, ReadError> {
        let scope = Scope::Subgroup;
        let (analysis, sure) = (self.analyze(scope, false)?, self.analyze(scope, true)?);
        let graph = &analysis.lowered.problem.graph;
        let forest = CycleForest::compute(graph, SuccessorOrder::Forward);
        let failures = not_m_converged(graph, &forest, |node| analysis.uniformity.branches[node.index()].is_some());
        let mut findings = Vec::new();
        let unseen = unseen_anchors(&lower(self.module, self.id, self.function));
        for (inst, _) in convergent_calls(self.module, self.function) {
            if is_controlled(self.module, self.function, inst) || unseen.contains(&inst) {
                continue;
            }
            let node = analysis.lowered.node_of(self.function, inst);
            let Some(&(cycle, failure)) = failures.iter().find(|&&(cycle, _)| forest.contains(cycle, node)) else {
                continue;
            };
            let block = |node| Some(analysis.lowered.block_of(node)?.0);
            let (Failure::DivergedEntry { branch, .. } | Failure::DivergedOutside { branch }) = failure;
            let hierarchies = Hierarchies {
                entries: forest.cycles[cycle].entries.iter().filter_map(|&entry| block(entry)).collect(),
                branch: block(branch),
                join: match failure {
                    Failure::DivergedEntry { join, .. } => Some(block(join)),
                    Failure::DivergedOutside { .. } => None,
                },
            };
            findings.push(Finding {
                certainty: Degree::Possible,
                chain: chain(&analysis, &sure, Element::Branch(branch)),
                ..Finding::new(Code::RC0301, self.anchor(inst), Kind::Hierarchies(hierarchies))
            });
        }
        Ok(findings)
    }
}

/// The anchors that nothing shows the threads of: no operation has their token, but for hearts whose tokens no operation has. O(operations · depth of loops).
fn unseen_anchors(lowered: &Lowered) -> FxHashSet<Inst> {
    let operations = &lowered.flow.operations;
    let mut seen = vec![false; operations.len()];
    let used = |operation: &ConvergentOperation| -> Vec<usize> {
        let tokens = operation.bundles.iter().flatten();
        tokens
            .filter_map(|token| if let TokenSource::Operation(of) = *token { Some(of as usize) } else { None })
            .collect()
    };
    let mut pending: Vec<usize> =
        operations.iter().filter(|operation| operation.kind == OperationKind::Call).flat_map(used).collect();
    while let Some(operation) = pending.pop() {
        if !std::mem::replace(&mut seen[operation], true) {
            pending.extend(used(&operations[operation]));
        }
    }
    let anchors = operations.iter().zip(&seen).zip(&lowered.instructions);
    let unseen = anchors.filter(|((operation, seen), _)| operation.kind == OperationKind::Anchor && !**seen);
    unseen.map(|(_, &inst)| inst).collect()
}
