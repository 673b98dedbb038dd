//! What became divergent or uniform between two versions of a program.
//!
//! **Definition.** Functions of both versions are one by name; a kernel of which clang has made two functions has one name. In a function, parameters are one by position, values that have names in both versions by name. All other
//! instructions have a *colour*: their text without local names, numbers and attached metadata; refined, step by step, by the colours of their operands and of their uses. Of the instructions of
//! one colour, as many in one version as in the other, the first is the first, and so on; the finest colours come first, and a colour that knows no neighbour matches nothing. Of what is
//! left, instructions are one that alone have their text and these operands, all of them matched.

use std::hash::{Hash, Hasher};

use reconverge_analysis::uniformity::Element;
use reconverge_analysis::uniformity::explanation::Point;
use reconverge_analysis::uniformity::lower::kernel_of_body;
use reconverge_analysis::uniformity::refinements::Settings;
use reconverge_analysis::uniformity::report::{Analysis, ReportOptions, analyze_functions};
use reconverge_analysis::uniformity::story::why;
use reconverge_findings::words::ChainWords;
use reconverge_findings::{IrVoice, Scene, Voice};
use reconverge_ir::function::{Definition, LocalName, Value};
use reconverge_ir::origin::FunctionOrigins;
use rustc_hash::{FxHashMap, FxHashSet, FxHasher};
use serde::Serialize;

use super::explain::named;
use crate::lines::Lines;
use crate::module::is_asked_for;
use crate::source::Source;
use crate::{Error, Module, UniformityOptions};

/// How far away what distinguishes two instructions may be.
const ROUNDS: usize = 6;

/// Two versions of a program, compared.
#[derive(Debug, Clone, Default, Serialize)]
#[non_exhaustive]
pub struct UniformityDiff {
    /// The functions that both have, in the order of the version after.
    pub functions: Vec<FunctionDiff>,
    /// Functions that only the version before has.
    pub only_before: Vec<String>,
    /// Functions that only the version after has.
    pub only_after: Vec<String>,
}

/// Two versions of a function, compared.
#[derive(Debug, Clone, Serialize)]
#[non_exhaustive]
pub struct FunctionDiff {
    /// The function, with its sigil; of source, as it is written.
    pub name: String,
    /// What became divergent.
    pub became_divergent: Vec<Change>,
    /// What became uniform.
    pub became_uniform: Vec<Change>,
    /// How many values and branches both have.
    pub matched: usize,
    /// How many have no counterpart after.
    pub only_before: usize,
    /// How many have no counterpart before.
    pub only_after: usize,
    /// How many of these are divergent.
    pub only_after_divergent: usize,
}

/// A value or branch that changed.
#[derive(Debug, Clone, Serialize)]
#[non_exhaustive]
pub struct Change {
    /// What it is called after the change.
    pub name: String,
    /// What it was called before.
    pub name_before: String,
    /// Its line before; of source, in the source. 0 where nobody knows.
    pub line_before: usize,
    /// Its line after.
    pub line_after: usize,
    /// Why it is divergent, or was: the rule, a colon, and why it applies.
    pub reason: String,
}

/// A parameter or an instruction of one version.
#[derive(Debug, Default)]
struct Item {
    /// The position, of a parameter.
    parameter: Option<usize>,
    /// Its name, where it is no number.
    name: Option<String>,
    /// Its text, without names.
    shape: u64,
    /// The items among its operands, in order.
    operands: Vec<usize>,
    /// Whether the order of its operands means nothing.
    is_phi: bool,
    uses: Vec<usize>,
    /// What can be divergent in it: a value, a branch, or nothing. With its line, how it is called, and why it is divergent, if it is.
    point: Option<(usize, String, Option<String>)>,
}

/// A function of one version.
struct Version {
    /// In the IR.
    symbol: String,
    name: String,
    items: Vec<Item>,
}

/// What became divergent or uniform in a set of threads. O(text · log text).
///
/// # Errors
/// When a version is not LLVM IR.
pub fn uniformity_diff(before: &Module, after: &Module, options: &UniformityOptions) -> Result<UniformityDiff, Error> {
    let (before, after) = (versions(before, options)?, versions(after, options)?);
    let old: FxHashMap<&str, &Version> = before.iter().map(|version| (version.symbol.as_str(), version)).collect();
    let mut diff = UniformityDiff::default();
    for new in &after {
        match old.get(new.symbol.as_str()) {
            Some(old) => diff.functions.push(compare(old, new)),
            None => diff.only_after.push(new.name.clone()),
        }
    }
    let is_gone = |old: &&Version| !after.iter().any(|new| new.symbol == old.symbol);
    diff.only_before = before.iter().filter(is_gone).map(|old| old.name.clone()).collect();
    Ok(diff)
}

fn versions(module: &Module, options: &UniformityOptions) -> Result<Vec<Version>, Error> {
    let settings = ReportOptions { target: Some(module.target()), scopes: &[options.scope] };
    let lines = Lines::new(module.ir());
    let wanted = |index: &reconverge_ir::Module<'_>, id| {
        !module.control.is_cancelled() && is_asked_for(options.function.as_deref(), index, id)
    };
    let (_, found) = analyze_functions(module.ir(), &settings, wanted, |subject, lowerer| {
        let settings = Settings::refined();
        let analysis = match kernel_of_body(subject.module, subject.id) {
            Some(_) => subject.analyze_as_kernel(lowerer, options.scope, &settings),
            None => subject.analyze(lowerer, options.scope, &settings),
        };
        version(module, &analysis, &lines)
    })
    .map_err(|error| module.not_ir(&error))?;
    module.unless_cancelled(found.into_iter().flatten().collect())
}

fn version(input: &Module, analysis: &Analysis<'_, '_>, lines: &Lines<'_>) -> Version {
    let subject = &analysis.subject;
    let (module, function) = (subject.module, subject.function);
    let scene = Scene { module, id: subject.id, function };
    let voice = input.source().map(Source::voice);
    let voice = voice.as_ref().map_or(&IrVoice as &dyn Voice, |voice| voice);
    let words = ChainWords { scene, voice };
    let origins =
        input.source().map(|source| FunctionOrigins::new(module, subject.id, function, source.words.origins.as_ref()));
    let spelled = |name: LocalName| matches!(name, LocalName::Text(_)).then(|| module.local_name(name));
    let point = |point: Point, element: Option<Element>, at: usize| {
        let reason = element.and_then(|element| why(analysis, element)).map(|step| words.reason(&step));
        let line = match (&origins, point) {
            (None, _) => lines.position(at).line,
            (Some(origins), Point::Value(value)) => line_in_source(origins.of_value(value)),
            (Some(origins), Point::Terminator(block)) => {
                line_in_source(origins.of_instruction(function.terminator(block)))
            }
        };
        (line, words.subject(named(point)), reason)
    };
    let of_value =
        |value: Value, at: usize| point(Point::Value(value), analysis.lowered.index_of(value).map(Element::Value), at);
    let mut items: Vec<Item> = Vec::with_capacity(function.parameters.len() + function.instructions.len());
    let header = module.functions[subject.id].header.range().start;
    let mut places: FxHashMap<Value, usize> = FxHashMap::default();
    for (position, &parameter) in function.parameters.iter().enumerate() {
        places.insert(parameter, items.len());
        let point = Some(of_value(parameter, header));
        items.push(Item { parameter: Some(position), point, ..Item::default() });
    }
    for data in function.instructions.values() {
        let at = data.span.range().start;
        let decides = data.opcode.is_terminator() && function.successors(data.block).len() > 1;
        let mut item = Item { shape: shape(&input.ir()[data.span.range()]), ..Item::default() };
        item.is_phi = data.opcode == reconverge_ir::opcode::Opcode::Phi;
        if let Some(result) = data.result.expand() {
            places.insert(result, items.len());
            item.name = spelled(data.name);
            item.point = Some(of_value(result, at));
        } else if decides {
            item.name = spelled(function.blocks[data.block].name).map(|name| format!("br {name}"));
            let branch = Element::Branch(analysis.terminator_node(data.block));
            item.point = Some(point(Point::Terminator(data.block), Some(branch), at));
        }
        items.push(item);
    }
    let first = function.parameters.len();
    for (number, (inst, _)) in function.instructions.iter().enumerate() {
        for operand in function.operands(inst) {
            if let (Definition::Instruction(_) | Definition::Parameter(_), Some(&place)) =
                (function.values[*operand].definition, places.get(operand))
            {
                items[first + number].operands.push(place);
                items[place].uses.push(first + number);
            }
        }
    }
    let symbol = module.function_name(kernel_of_body(module, subject.id).unwrap_or(subject.id));
    let written = voice.written(symbol.strip_prefix('@').unwrap_or(&symbol)).into_owned();
    let name = if voice.speaks_ir() { symbol.clone() } else { format!("`{written}`") };
    Version { symbol, name, items }
}

fn line_in_source(origin: Option<reconverge_ir::origin::Origin>) -> usize {
    origin.and_then(|origin| origin.place.line()).map_or(0, |(line, _)| line as usize)
}

fn hash(thing: impl Hash) -> u64 {
    let mut hasher = FxHasher::default();
    thing.hash(&mut hasher);
    hasher.finish()
}

/// The text of an instruction without local names, numbers of attribute groups, what is attached to it, and whether its frame may be given up for a call.
fn shape(text: &[u8]) -> u64 {
    let text = &text[..memchr::memmem::find(text, b", !").unwrap_or(text.len())];
    const TAIL: &[u8] = b"tail call ";
    let tail = memchr::memmem::find(text, TAIL).filter(|&at| at == 0 || text[..at].ends_with(b"= "));
    let tail = tail.map_or(0..0, |at| at..at + b"tail ".len());
    let mut kept = Vec::with_capacity(text.len());
    let mut at = 0;
    while at < text.len() {
        if tail.contains(&at) {
            at = tail.end;
            continue;
        }
        kept.push(text[at]);
        let is_name = matches!(text[at], b'%' | b'#' | b'!');
        at += 1;
        if is_name && text.get(at) == Some(&b'"') {
            at += 1 + text[at + 1..].iter().position(|&byte| byte == b'"').map_or(text.len() - at - 1, |end| end + 1);
        } else if is_name {
            let is_letter = |byte: &&u8| byte.is_ascii_alphanumeric() || b"$-._".contains(byte);
            at += text[at..].iter().take_while(is_letter).count();
        }
    }
    // The result's own name is gone; whether it has one is part of the text.
    hash(&kept)
}

/// The colours of all items, round by round.
fn colours(version: &Version, named: &FxHashSet<&str>) -> Vec<Vec<u64>> {
    let own = |item: &Item| match (&item.parameter, &item.name) {
        (Some(position), _) => hash((1, position)),
        (None, Some(name)) if named.contains(name.as_str()) => hash((2, name)),
        (None, _) => hash((3, item.shape)),
    };
    let mut rounds = vec![version.items.iter().map(own).collect::<Vec<u64>>()];
    for round in 0..ROUNDS {
        let last = &rounds[round];
        let refined = |(number, item): (usize, &Item)| {
            let is_fixed =
                item.parameter.is_some() || item.name.as_ref().is_some_and(|name| named.contains(name.as_str()));
            if is_fixed {
                return last[number];
            }
            let mut operands: Vec<u64> = item.operands.iter().map(|&operand| last[operand]).collect();
            if item.is_phi {
                operands.sort_unstable();
            }
            let mut uses: Vec<u64> = item.uses.iter().map(|&used| last[used]).collect();
            uses.sort_unstable();
            hash((last[number], operands, uses))
        };
        rounds.push(version.items.iter().enumerate().map(refined).collect());
    }
    rounds
}

/// For each item before, the one that it is after.
fn matched(before: &Version, after: &Version) -> Vec<Option<usize>> {
    let names = |version: &'_ Version| -> FxHashMap<String, usize> {
        let mut counts: FxHashMap<String, usize> = FxHashMap::default();
        version
            .items
            .iter()
            .filter_map(|item| item.name.clone())
            .for_each(|name| *counts.entry(name).or_default() += 1);
        counts
    };
    let (old_names, new_names) = (names(before), names(after));
    let named: FxHashSet<&str> = old_names
        .iter()
        .filter(|(name, count)| **count == 1 && new_names.get(*name) == Some(&1))
        .map(|(name, _)| name.as_str())
        .collect();
    let (old, new) = (colours(before, &named), colours(after, &named));
    let mut pairs: Vec<Option<usize>> = vec![None; before.items.len()];
    let mut taken = vec![false; after.items.len()];
    // Round 0 knows names and positions, and else only shapes.
    for round in (0..=ROUNDS).rev() {
        let is_known = |item: &Item| {
            round > 0
                || item.parameter.is_some()
                || item.name.as_ref().is_some_and(|name| named.contains(name.as_str()))
        };
        let mut classes: FxHashMap<u64, [Vec<usize>; 2]> = FxHashMap::default();
        for (number, item) in before.items.iter().enumerate().filter(|(number, _)| pairs[*number].is_none()) {
            if is_known(item) {
                classes.entry(old[round][number]).or_default()[0].push(number);
            }
        }
        for (number, item) in after.items.iter().enumerate().filter(|(number, _)| !taken[*number]) {
            if is_known(item) {
                classes.entry(new[round][number]).or_default()[1].push(number);
            }
        }
        for [olds, news] in classes.into_values().filter(|[olds, news]| olds.len() == news.len()) {
            for (old, new) in olds.into_iter().zip(news) {
                pairs[old] = Some(new);
                taken[new] = true;
            }
        }
    }
    while match_by_operands(before, after, &mut pairs, &mut taken) {}
    pairs
}

/// Matches what alone is computed so from what is matched. Whether there was any.
fn match_by_operands(before: &Version, after: &Version, pairs: &mut [Option<usize>], taken: &mut [bool]) -> bool {
    type Computed = (u64, Vec<usize>);
    let mut classes: FxHashMap<Computed, [Vec<usize>; 2]> = FxHashMap::default();
    let is_computed = |item: &Item| !item.operands.is_empty() && !item.is_phi;
    for (number, item) in before.items.iter().enumerate().filter(|(number, _)| pairs[*number].is_none()) {
        let operands: Option<Vec<usize>> = item.operands.iter().map(|&operand| pairs[operand]).collect();
        if let Some(operands) = operands.filter(|_| is_computed(item)) {
            classes.entry((item.shape, operands)).or_default()[0].push(number);
        }
    }
    for (number, item) in after.items.iter().enumerate().filter(|(number, _)| !taken[*number]) {
        if is_computed(item)
            && let Some(class) = classes.get_mut(&(item.shape, item.operands.clone()))
        {
            class[1].push(number);
        }
    }
    let mut is_new = false;
    for class in classes.into_values() {
        if let [[old], [new]] = [&class[0][..], &class[1][..]] {
            pairs[*old] = Some(*new);
            taken[*new] = true;
            is_new = true;
        }
    }
    is_new
}

fn compare(before: &Version, after: &Version) -> FunctionDiff {
    let pairs = matched(before, after);
    let mut diff = FunctionDiff {
        name: after.name.clone(),
        became_divergent: Vec::new(),
        became_uniform: Vec::new(),
        matched: 0,
        only_before: 0,
        only_after: 0,
        only_after_divergent: 0,
    };
    let mut has_counterpart = vec![false; after.items.len()];
    for (item, pair) in before.items.iter().zip(&pairs) {
        let Some((line_before, name_before, old)) = &item.point else { continue };
        let Some((number, (line_after, name, new))) =
            pair.and_then(|new| Some((new, after.items[new].point.as_ref()?)))
        else {
            diff.only_before += 1;
            continue;
        };
        has_counterpart[number] = true;
        diff.matched += 1;
        let change = |reason: &str| Change {
            name: name.clone(),
            name_before: name_before.clone(),
            line_before: *line_before,
            line_after: *line_after,
            reason: reason.to_owned(),
        };
        match (old, new) {
            (None, Some(reason)) => diff.became_divergent.push(change(reason)),
            (Some(reason), None) => diff.became_uniform.push(change(reason)),
            _ => {}
        }
    }
    for (item, _) in after.items.iter().zip(has_counterpart).filter(|(_, has_counterpart)| !has_counterpart) {
        if let Some((_, _, reason)) = &item.point {
            diff.only_after += 1;
            diff.only_after_divergent += usize::from(reason.is_some());
        }
    }
    diff
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shapes_know_no_names() {
        let same = |one: &str, other: &str| shape(one.as_bytes()) == shape(other.as_bytes());
        assert!(same("%a = add i32 %b, 1", "%7 = add i32 %\"x y\", 1"));
        assert!(!same("%a = add i32 %b, 1", "%a = add i32 %b, 2"));
        assert!(same("call void @f() #3, !dbg !7", "call void @f() #0, !dbg !123"));
        assert!(same("%a = tail call i32 @f()", "%1 = call i32 @f(), !tbaa !4"));
        assert!(!same("call void @f()", "call void @g()"));
    }
}
