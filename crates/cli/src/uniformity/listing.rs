//! One function's answer, as text and as JSON.
//!
//! Made by the threads that analyse the functions, so that printing is only writing.

use std::collections::BTreeMap;
use std::fmt::Write;

use reconverge_analysis::uniformity::Element;
use reconverge_analysis::uniformity::refinements::RefinementKind;
use reconverge_analysis::uniformity::report::{Analysis, Answer, Count, RefinementCounts};
use reconverge_analysis::uniformity::story::why;
use reconverge_findings::words::ChainWords;
use reconverge_findings::{IrVoice, Scene};
use reconverge_ir::function::{Block, Value};
use serde::Serialize;
use serde_json::value::{RawValue, to_raw_value};

use super::{Manner, Tally, by_worth, scope_keyword};
use crate::lines::Lines;
use crate::output::printable;

#[derive(Serialize)]
struct FunctionReport {
    name: String,
    line: usize,
    target: String,
    scope: &'static str,
    values: Divergent,
    parameters: Divergent,
    terminators: Terminators,
    cycles: Cycles,
    #[serde(skip_serializing_if = "Option::is_none")]
    refinements: Option<BTreeMap<&'static str, Worth>>,
}

#[derive(Serialize)]
struct Divergent {
    total: usize,
    divergent: Vec<String>,
}

#[derive(Serialize)]
struct Terminators {
    total: usize,
    /// How many have several successors.
    branches: usize,
    divergent: Vec<String>,
}

#[derive(Serialize)]
struct Cycles {
    assumed_divergent: Vec<String>,
    divergent_exit: Vec<String>,
}

#[derive(Serialize)]
pub(super) struct Worth {
    values: usize,
    branches: usize,
}

impl From<Count> for Worth {
    fn from(Count { values, branches }: Count) -> Worth {
        Worth { values, branches }
    }
}

/// One object.
pub(super) fn json(
    analysis: &Analysis<'_, '_>,
    answer: &Answer,
    refinements: Option<&RefinementCounts>,
    lines: &Lines<'_>,
) -> Box<RawValue> {
    let subject = &analysis.subject;
    let names = |values: &[Value]| values.iter().map(|&value| value_name(analysis, value)).collect();
    let blocks = |blocks: &[Block]| blocks.iter().map(|&block| block_name(analysis, block)).collect();
    let report = FunctionReport {
        name: subject.module.function_name(subject.id),
        line: line_of(analysis, lines),
        target: subject.facts.target.name().to_owned(),
        scope: scope_keyword(analysis.scope),
        values: Divergent { total: answer.values, divergent: names(&answer.divergent_values) },
        parameters: Divergent {
            total: subject.function.parameters.len(),
            divergent: names(&answer.divergent_parameters),
        },
        terminators: Terminators {
            total: subject.function.blocks.len(),
            branches: answer.branches,
            divergent: blocks(&answer.divergent_branches),
        },
        cycles: Cycles {
            assumed_divergent: blocks(&answer.assumed_divergent),
            divergent_exit: blocks(&answer.divergent_exits),
        },
        refinements: refinements.map(refinements_json),
    };
    to_raw_value(&report).expect("these are names and numbers")
}

/// What refinements are worth, by name.
pub(super) fn refinements_json(counts: &RefinementCounts) -> BTreeMap<&'static str, Worth> {
    let kinds = RefinementKind::ALL.into_iter().zip(counts.by_kind);
    kinds.map(|(kind, count)| (kind.name(), count.into())).chain([("all", counts.all.into())]).collect()
}

/// What a person reads: a line about the function, then what is divergent, by block.
pub(super) fn text(analysis: &Analysis<'_, '_>, answer: &Answer, manner: Manner<'_>, lines: &Lines<'_>) -> String {
    let subject = &analysis.subject;
    let function = subject.function;
    let mut text = String::new();
    let paint = Paint { color: manner.color };
    let name = subject.module.function_name(subject.id);
    let _ = writeln!(
        text,
        "{} ({}:{}): {}",
        paint.bold(&printable(&name)),
        printable(manner.path),
        line_of(analysis, lines),
        Tally::of(answer, None).divergence()
    );
    for (blocks, what) in [
        (&answer.assumed_divergent, "cycles assumed to be divergent"),
        (&answer.divergent_exits, "cycles that threads leave in different iterations"),
    ] {
        if !blocks.is_empty() {
            let names: Vec<String> = blocks.iter().map(|&block| block_name(analysis, block)).collect();
            let _ = writeln!(text, "  {what}: {}", printable(&names.join(" ")));
        }
    }
    let scene = Scene { module: subject.module, id: subject.id, function };
    let words = ChainWords { scene, voice: &IrVoice };
    let row = |text: &mut String, name: &str, element: Element| {
        let reason = why(analysis, element).map(|step| words.reason(&step)).unwrap_or_default();
        let reason = printable(&reason);
        let (rule, rest) = reason.split_once(": ").unwrap_or(("", &reason));
        let _ = writeln!(text, "    {:<12} {}: {rest}", printable(name), paint.rule(rule));
    };
    if !answer.divergent_parameters.is_empty() {
        text.push_str("  parameters\n");
    }
    for &parameter in &answer.divergent_parameters {
        if let Some(index) = analysis.lowered.index_of(parameter) {
            row(&mut text, &value_name(analysis, parameter), Element::Value(index));
        }
    }
    for block in function.blocks.keys() {
        let mut is_named = false;
        let mut name_block = |text: &mut String| {
            if !std::mem::replace(&mut is_named, true) {
                let _ = writeln!(text, "  {}", paint.bold(&printable(&block_name(analysis, block))));
            }
        };
        for inst in function.block_instructions(block) {
            let Some(result) = function.instructions[inst].result.expand() else { continue };
            if let (true, Some(index)) = (analysis.is_divergent(result), analysis.lowered.index_of(result)) {
                name_block(&mut text);
                row(&mut text, &value_name(analysis, result), Element::Value(index));
            }
        }
        if analysis.has_divergent_branch(block) {
            name_block(&mut text);
            row(&mut text, "branch", Element::Branch(analysis.terminator_node(block)));
        }
    }
    if text.lines().nth(1).is_some() {
        text.push('\n');
    }
    text
}

/// What each refinement is worth, as a table.
pub(super) fn refinement_table(counts: &RefinementCounts) -> String {
    let mut text = String::from("uniform because of          values  branches\n");
    let rows = by_worth(counts).into_iter().map(|(kind, count)| (kind.name(), count));
    for (name, count) in rows.chain([("all refinements together", counts.all)]) {
        let _ = writeln!(text, "  {name:<24} {:>7}  {:>8}", count.values, count.branches);
    }
    text
}

/// The line of a function's header.
fn line_of(analysis: &Analysis<'_, '_>, lines: &Lines<'_>) -> usize {
    let subject = &analysis.subject;
    lines.position(subject.module.functions[subject.id].header.range().start).line
}

fn value_name(analysis: &Analysis<'_, '_>, value: Value) -> String {
    let subject = &analysis.subject;
    subject.function.name(value).map_or_else(String::new, |name| format!("%{}", subject.module.local_name(name)))
}

fn block_name(analysis: &Analysis<'_, '_>, block: Block) -> String {
    let subject = &analysis.subject;
    subject.module.local_name(subject.function.blocks[block].name)
}

/// Colours.
#[derive(Clone, Copy)]
pub(super) struct Paint {
    pub(super) color: bool,
}

impl Paint {
    /// What a line is about.
    pub(super) fn bold(self, text: &str) -> String {
        self.in_style("1", text)
    }

    /// The name of a rule; a source is the end of all questions.
    pub(super) fn rule(self, rule: &str) -> String {
        self.in_style(if rule == "source" { "1;33" } else { "36" }, rule)
    }

    fn in_style(self, style: &str, text: &str) -> String {
        if self.color { format!("\u{1b}[{style}m{text}\u{1b}[0m") } else { text.to_owned() }
    }
}
