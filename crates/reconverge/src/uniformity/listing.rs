//! What an analysis has found in one function, by name.

use std::collections::BTreeMap;

use reconverge_analysis::uniformity::Element;
use reconverge_analysis::uniformity::refinements::RefinementKind;
use reconverge_analysis::uniformity::report::{Analysis, Answer, Count, RefinementCounts, Subject};
use reconverge_analysis::uniformity::story::why;
use reconverge_findings::words::ChainWords;
use reconverge_findings::{IrVoice, Scene};
use reconverge_graph::{CycleForest, SuccessorOrder};
use reconverge_ir::FunctionId;
use reconverge_ir::function::{Block, Value};

use super::{Detail, Divergent, DivergentCycles, FunctionUniformity, Reason, Terminators, Worth, source_listing};
use crate::Module;
use crate::m_converged::{self, NotMConverged};

impl From<Count> for Worth {
    fn from(Count { values, branches }: Count) -> Worth {
        Worth { values, branches }
    }
}

/// Says on which lines functions begin, which come in the order of the text: it is gone through once. O(text).
pub(super) fn put_lines<'f>(
    index: &reconverge_ir::Module<'_>,
    found: impl Iterator<Item = (FunctionId, Option<&'f mut FunctionUniformity>)>,
) {
    let (mut line, mut at) = (1, 0);
    for (id, found) in found {
        let header = index.functions[id].header.range().start;
        line += memchr::memchr_iter(b'\n', &index.text[at..header]).count();
        at = header;
        found.into_iter().for_each(|found| found.line = line);
    }
}

/// All but the [line](put_lines).
pub(super) fn list(
    module: &Module,
    analysis: &Analysis<'_, '_>,
    refinements: Option<&RefinementCounts>,
    detail: Detail,
) -> FunctionUniformity {
    let subject = &analysis.subject;
    let answer = analysis.answer();
    let names = |values: &[Value], total: usize| Divergent {
        total,
        count: values.len(),
        divergent: named(values, detail, |value| value_name(analysis, value)),
    };
    let blocks = |blocks: &[Block]| named(blocks, detail, |block| block_name(analysis, block));
    FunctionUniformity {
        name: subject.module.function_name(subject.id),
        line: 0,
        target: subject.facts.target.name().to_owned(),
        scope: analysis.scope,
        values: names(&answer.divergent_values, answer.values),
        parameters: names(&answer.divergent_parameters, subject.function.parameters.len()),
        terminators: Terminators {
            total: subject.function.blocks.len(),
            branches: answer.branches,
            count: answer.divergent_branches.len(),
            divergent: blocks(&answer.divergent_branches),
        },
        cycles: DivergentCycles {
            assumed_divergent: blocks(&answer.assumed_divergent),
            divergent_exit: blocks(&answer.divergent_exits),
        },
        not_m_converged: if detail == Detail::Counts { Vec::new() } else { not_m_converged(module, analysis) },
        refinements: refinements.map(worth),
        reasons: (detail >= Detail::Reasons && module.source().is_none()).then(|| reasons(analysis, &answer)),
        source: module.source().map(|source| source_listing::list(analysis, source, detail)),
    }
}

fn not_m_converged(module: &Module, analysis: &Analysis<'_, '_>) -> Vec<NotMConverged> {
    let graph = analysis.subject.function.control_flow_graph();
    m_converged::find(module, analysis, &graph, &CycleForest::compute(&graph, SuccessorOrder::Reverse))
}

/// The names of some things, if names are asked for.
fn named<T: Copy>(things: &[T], detail: Detail, name: impl Fn(T) -> String) -> Vec<String> {
    if detail >= Detail::Names { things.iter().map(|&thing| name(thing)).collect() } else { Vec::new() }
}

/// What refinements are worth, by name.
fn worth(counts: &RefinementCounts) -> BTreeMap<&'static str, Worth> {
    let kinds = RefinementKind::ALL.into_iter().zip(counts.by_kind);
    kinds.map(|(kind, count)| (kind.name(), count.into())).chain([("all", counts.all.into())]).collect()
}

/// Why what is divergent is so.
fn reasons(analysis: &Analysis<'_, '_>, answer: &Answer) -> Vec<Reason> {
    let Subject { module, id, function, .. } = analysis.subject;
    let words = ChainWords { scene: Scene { module, id, function }, voice: &IrVoice };
    let reason = |block: Option<Block>, value: Option<Value>, element: Element| {
        let reason = why(analysis, element).map(|step| words.reason(&step)).unwrap_or_default();
        let value = value.map(|value| value_name(analysis, value));
        Reason { block: block.map(|block| block_name(analysis, block)), value, reason }
    };
    let mut reasons = Vec::new();
    for &parameter in &answer.divergent_parameters {
        let index = analysis.lowered.index_of(parameter);
        reasons.extend(index.map(|index| reason(None, Some(parameter), Element::Value(index))));
    }
    for block in function.blocks.keys() {
        for inst in function.block_instructions(block) {
            let Some(result) = function.instructions[inst].result.expand() else { continue };
            if let (true, Some(index)) = (analysis.is_divergent(result), analysis.lowered.index_of(result)) {
                reasons.push(reason(Some(block), Some(result), Element::Value(index)));
            }
        }
        if analysis.has_divergent_branch(block) {
            reasons.push(reason(Some(block), None, Element::Branch(analysis.terminator_node(block))));
        }
    }
    reasons
}

fn value_name(analysis: &Analysis<'_, '_>, value: Value) -> String {
    let subject = &analysis.subject;
    subject.function.name(value).map_or_else(String::new, |name| format!("%{}", subject.module.local_name(name)))
}

fn block_name(analysis: &Analysis<'_, '_>, block: Block) -> String {
    let subject = &analysis.subject;
    subject.module.local_name(subject.function.blocks[block].name)
}
