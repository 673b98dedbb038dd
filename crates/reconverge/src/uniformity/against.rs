//! Where LLVM's analysis of uniformity says something else, and who is right.
//!
//! LLVM's verdict is read from what `opt -passes='print<uniformity>'` prints of the module. Values are known by their place (the n-th result in the n-th block), not by name:
//! LLVM numbers unnamed values afresh.
//!
//! **Judgement.** What LLVM calls divergent and this analysis uniform is *finer* here: refinements, which can be named, prove it, and LLVM's answer is safe. What LLVM calls
//! uniform and this analysis divergent is *missed* by LLVM if it is computed, step by step, from something in which threads certainly differ; else it is *open*.

use reconverge_analysis::target::{Degree, Scope};
use reconverge_analysis::uniformity::explanation::{Explainer, Point};
use reconverge_analysis::uniformity::report::{Analysis, ReportOptions, analyze_functions};
use reconverge_findings::control::Why;
use reconverge_findings::{IrVoice, Voice};
use reconverge_ir::function::Definition;
use serde::Serialize;

use super::Explanation;
use super::explain::Namer;
use crate::lines::Lines;
use crate::source::Source;
use crate::{Error, ErrorKind, Module};

/// How LLVM's analysis of a module compares with this one, for subgroups.
#[derive(Debug, Clone, Default, Serialize)]
#[non_exhaustive]
pub struct Against {
    /// Whether LLVM knows of any divergence on the target of the module; if not, nothing is compared.
    pub knows_divergence: bool,
    /// The functions in which they differ.
    pub functions: Vec<FunctionAgainst>,
    /// How many values and branches both have a verdict on.
    pub compared: usize,
    /// How many of them both call divergent.
    pub divergent: usize,
}

/// A function in which they differ.
#[derive(Debug, Clone, Serialize)]
#[non_exhaustive]
pub struct FunctionAgainst {
    /// The function, with its sigil.
    pub name: String,
    /// Where, in the order of the text.
    pub differences: Vec<Disagreement>,
}

/// A value or branch that only one of them calls divergent.
#[derive(Debug, Clone, Serialize)]
#[non_exhaustive]
pub struct Disagreement {
    /// What LLVM calls it: `divergent` or `uniform`.
    pub llvm: &'static str,
    /// Who is right.
    pub judgement: Judgement,
    /// What this analysis says of it, and why.
    #[serde(flatten)]
    pub explanation: Explanation,
}

/// Who is right.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Judgement {
    /// It is uniform; LLVM is more cautious, which is safe.
    Finer,
    /// Threads do differ, which LLVM does not see.
    Missed,
    /// It may differ, for all that this analysis can say; LLVM takes it to be uniform.
    Open,
}

/// The parameter of this function is divergent iff LLVM knows of divergence on the target of the module.
const PROBE: &str = "reconverge.probe";

impl Against {
    /// What to give to `opt -passes='print<uniformity>' -disable-output -`, whose standard error [`against`] reads.
    pub fn question(module: &Module) -> Vec<u8> {
        let mut text = module.ir().to_vec();
        text.extend_from_slice(format!("\ndefine void @\"{PROBE}\"(i32 %x) {{\n  ret void\n}}\n").as_bytes());
        text
    }
}

/// Compares with what LLVM has printed of [`Against::question`].
///
/// # Errors
/// When the module is not LLVM IR, or `printed` is not what LLVM prints of it.
pub fn against(module: &Module, printed: &str) -> Result<Against, Error> {
    let not_understood = |what: String| Error::new(ErrorKind::Unsupported, module.name(), what);
    let mut verdicts = parse(printed).map_err(not_understood)?;
    let probe = verdicts.pop().filter(|verdict| verdict.function == PROBE);
    let Some(probe) = probe else {
        return Err(not_understood("opt does not say how uniform the functions of this module are".to_owned()));
    };
    if !probe.has_divergent_argument {
        return Ok(Against::default());
    }
    let lines = Lines::new(module.ir());
    let all = [Scope::Subgroup, Scope::Workgroup, Scope::Grid];
    let settings = ReportOptions { target: Some(module.target()), scopes: &all };
    let wanted = |_: &reconverge_ir::Module<'_>, _| !module.control.is_cancelled();
    let (index, _) =
        reconverge_valid::read_functions(module.ir(), |_, _, _| ()).map_err(|error| module.not_ir(&error))?;
    let definitions: Vec<reconverge_ir::FunctionId> = index.definitions().collect();
    if definitions.len() != verdicts.len() {
        return Err(not_understood(format!("opt has analysed {} of {} functions", verdicts.len(), definitions.len())));
    }
    let (_, found) = analyze_functions(module.ir(), &settings, wanted, |subject, lowerer| {
        let number = definitions.iter().position(|&id| id == subject.id)?;
        let mut explainer = Explainer::new(subject, lowerer, Scope::Subgroup);
        let points = compared(explainer.analysis(), &verdicts[number]);
        let divergent = points.iter().filter(|(_, llvm, ours)| *llvm && *ours).count();
        let voice = module.source().map(Source::voice);
        let voice = voice.as_ref().map_or(&IrVoice as &dyn Voice, |voice| voice);
        let namer = Namer::new(subject, module, voice, &lines).for_llvm();
        let mut differences: Vec<Disagreement> = Vec::new();
        for &(point, llvm, _) in points.iter().filter(|(_, llvm, ours)| llvm != ours) {
            if !explainer.is_reachable(point) {
                continue;
            }
            let explanation = explainer.explain(lowerer, point);
            let is_step = |why: &Why| matches!(why, Why::Operand(..));
            let judgement = match explanation.chain.split_last() {
                None => Judgement::Finer,
                Some((source, steps)) => {
                    let certain = source.why.degree() == Some(Degree::Certain);
                    match certain && steps.iter().all(|step| is_step(&step.why)) {
                        true => Judgement::Missed,
                        false => Judgement::Open,
                    }
                }
            };
            let llvm = if llvm { "divergent" } else { "uniform" };
            let explanation = namer.explanation(&explanation);
            // Source is told of each of its expressions once, and of nothing else: nobody has written a token.
            let is_same = |told: &Disagreement| {
                told.explanation.name == explanation.name && told.explanation.at == explanation.at
            };
            let is_new = explanation.at.line > 0 && !differences.iter().any(is_same);
            if module.source().is_none() || is_new {
                differences.push(Disagreement { llvm, judgement, explanation });
            }
        }
        Some((points.len(), divergent, FunctionAgainst { name: subject.module.function_name(subject.id), differences }))
    })
    .map_err(|error| module.not_ir(&error))?;
    let mut told = Against { knows_divergence: true, ..Against::default() };
    for (points, divergent, function) in found.into_iter().flatten().flatten() {
        told.compared += points;
        told.divergent += divergent;
        if !function.differences.is_empty() {
            told.functions.push(function);
        }
    }
    module.unless_cancelled(told)
}

/// The points that both have a verdict on, with LLVM's and ours: whether it is divergent. LLVM lists no block of a function in which everything is uniform.
fn compared(analysis: &Analysis<'_, '_>, llvm: &Verdict) -> Vec<(Point, bool, bool)> {
    let function = analysis.subject.function;
    let mut points = Vec::new();
    for (number, block) in function.blocks.keys().enumerate() {
        let of_block = llvm.blocks.get(number);
        let terminator = function.terminator(block);
        let results = function.block_instructions(block).filter(|&inst| inst != terminator);
        let results = results.filter_map(|inst| function.instructions[inst].result.expand());
        for (place, value) in results.enumerate() {
            assert!(matches!(function.values[value].definition, Definition::Instruction(_)));
            let is_divergent = of_block.is_some_and(|block| block.values.get(place) == Some(&true));
            points.push((Point::Value(value), is_divergent, analysis.is_divergent(value)));
        }
        let successors = function.successors(block);
        if successors.iter().any(|&successor| successor != successors[0]) {
            let is_divergent = of_block.is_some_and(|block| block.terminator);
            points.push((Point::Terminator(block), is_divergent, analysis.has_divergent_branch(block)));
        }
    }
    points
}

/// What LLVM says of a function.
#[derive(Debug, Default, PartialEq, Eq)]
struct Verdict {
    function: String,
    has_divergent_argument: bool,
    blocks: Vec<BlockVerdict>,
}

/// Whether the results of a block are divergent, the terminator's apart.
#[derive(Debug, Default, PartialEq, Eq)]
struct BlockVerdict {
    values: Vec<bool>,
    terminator: bool,
}

/// Reads what LLVM prints: for each function its divergent arguments, then for each block the results and the terminator, divergent ones marked.
fn parse(printed: &str) -> Result<Vec<Verdict>, String> {
    const DIVERGENT: &str = "  DIVERGENT:   ";
    const UNIFORM: &str = "               ";
    let mut verdicts: Vec<Verdict> = Vec::new();
    let mut in_block = false;
    let mut in_terminators = false;
    for line in printed.lines() {
        let function = line.strip_prefix("UniformityInfo for function '").and_then(|rest| rest.strip_suffix("':"));
        if let Some(function) = function {
            verdicts.push(Verdict { function: function.to_owned(), ..Verdict::default() });
            (in_block, in_terminators) = (false, false);
            continue;
        }
        // Warnings of opt come before.
        let Some(verdict) = verdicts.last_mut() else { continue };
        if !in_block {
            verdict.has_divergent_argument |= line.starts_with("  DIVERGENT: ") && !line.starts_with(DIVERGENT);
            if line == "DEFINITIONS" {
                verdict.blocks.push(BlockVerdict::default());
                in_block = true;
            }
            continue;
        }
        match line {
            "TERMINATORS" => in_terminators = true,
            "END BLOCK" => (in_block, in_terminators) = (false, false),
            _ => {
                let Some(block) = verdict.blocks.last_mut() else { continue };
                let (is_divergent, instruction) = match (line.strip_prefix(DIVERGENT), line.strip_prefix(UNIFORM)) {
                    (Some(instruction), _) => (true, instruction),
                    (_, Some(instruction)) => (false, instruction),
                    // A `switch` or a `landingpad` goes on.
                    _ if line.starts_with("  ") => continue,
                    _ => return Err(format!("opt prints what is not understood: {line}")),
                };
                if in_terminators {
                    block.terminator |= is_divergent;
                } else if instruction.starts_with('%') {
                    block.values.push(is_divergent);
                }
            }
        }
    }
    Ok(verdicts)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_llvm_prints_is_read() {
        let printed = "UniformityInfo for function 'f':\nDIVERGENT ARGUMENTS:\n  DIVERGENT: i32 %x\nBLOCK entry\nDEFINITIONS\n  DIVERGENT:   %y = add i32 %x, 1\n                 %z = add i32 1, 1\nTERMINATORS\n  DIVERGENT:   br i1 %c, label %a, label %b\nEND BLOCK\n";
        let printed = printed.replace("                 %z", "               %z");
        let block = BlockVerdict { values: vec![true, false], terminator: true };
        let verdict = Verdict { function: "f".to_owned(), has_divergent_argument: true, blocks: vec![block] };
        assert_eq!(parse(&printed), Ok(vec![verdict]));
    }
}
