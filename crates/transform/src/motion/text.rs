//! The edits that put instructions where a [`Layout`] has them.
//!
//! A moved instruction takes its whole text along. Its name changes where it has none but a number, as numbers ascend through a text; the names of merged ones
//! give way to that of the one that stands for them.

use std::collections::BTreeSet;

use reconverge_ir::attributes::Attribute;
use reconverge_ir::function::{Inst, LocalName};
use reconverge_ir::{Function, Module, Span};

use crate::Edits;
use crate::edit::{indent_at, line_of};
use crate::identical::{Renaming, local_name, mentions};
use crate::legality::Layout;
use crate::names::Names;

/// The edits, or why the text cannot be changed so.
pub(super) fn edits(module: &Module<'_>, function: &Function, layout: &Layout) -> Result<Edits, &'static str> {
    let mut edits = Edits::default();
    if layout.moved().is_empty() {
        return Ok(edits);
    }
    if !function.use_list_orders.is_empty() && !function.use_list_orders.of(module.text).trim_ascii().is_empty() {
        return Err("the function ends in use-list orders, which name places in the text");
    }
    let renaming = renaming(module, function, layout);
    let is_type =
        |name: &Vec<u8>| module.named_types.values().any(|ty| local_name(module, LocalName::Text(ty.name)) == *name);
    if renaming.keys().any(is_type) {
        return Err("a type has the name of a value that would get another one");
    }
    let moved = layout.moved();
    for &inst in layout.moved() {
        edits.delete(line_of(module.text, function.instructions[inst].span));
    }
    for block in function.blocks.keys() {
        let mut pending: Vec<Inst> = Vec::new();
        for &inst in layout.body(block) {
            if moved.contains(&inst) {
                pending.push(inst);
                continue;
            }
            insert(module, function, layout, &renaming, &std::mem::take(&mut pending), inst, &mut edits);
        }
    }
    rename(module, function, &renaming, moved, &mut edits);
    Ok(edits)
}

/// Puts instructions before another one.
fn insert(
    module: &Module<'_>,
    function: &Function,
    layout: &Layout,
    renaming: &Renaming,
    instructions: &[Inst],
    before: Inst,
    edits: &mut Edits,
) {
    let at = function.instructions[before].span.range().start;
    let indent = indent_at(module.text, at);
    for &inst in instructions {
        let text = renamed(module.text, function.instructions[inst].span, renaming);
        let text = common(module, function, layout, inst, text);
        edits.insert(at, format!("{text}\n{indent}"));
    }
}

/// What stands for several instructions only has the metadata that all of them have, and its place in the source: a range, say, was a promise of one of them.
fn common(module: &Module<'_>, function: &Function, layout: &Layout, inst: Inst, text: String) -> String {
    let attachments = |inst: Inst| function.instructions[inst].attachments;
    let own = attachments(inst).of(module.text);
    let mut others = layout.merged().filter(|&(_, kept)| kept == inst).map(|(gone, _)| gone);
    if own.is_empty() || others.all(|gone| attachments(gone).of(module.text) == own) {
        return text;
    }
    let length = function.instructions[inst].span.range().end - attachments(inst).range().start;
    let Some(without) = text.get(..text.len().saturating_sub(length)) else { return text };
    let without = without.trim_end().trim_end_matches(',');
    let location = module.attributes(attachments(inst)).find_map(|attribute| match attribute {
        Attribute::Attachment { name: b"dbg", node } => {
            Some(String::from_utf8_lossy(node.of(module.text)).into_owned())
        }
        _ => None,
    });
    location.map_or(without.to_owned(), |node| format!("{without}, !dbg {node}"))
}

fn renamed(text: &[u8], span: Span, renaming: &Renaming) -> String {
    let mut changes = Edits::default();
    let base = span.range().start;
    for (range, name) in mentions(text, span, renaming) {
        changes.replace(range.start - base..range.end - base, name);
    }
    String::from_utf8_lossy(&changes.apply(span.of(text))).into_owned()
}

/// Changes names in all that stays where it is, debug records included.
fn rename(module: &Module<'_>, function: &Function, renaming: &Renaming, moved: &BTreeSet<Inst>, edits: &mut Edits) {
    let stay = function.instructions.iter().filter(|(inst, _)| !moved.contains(inst)).map(|(_, data)| data.span);
    let records = function.debug_records.iter().map(|&(_, span)| span);
    for span in stay.chain(records) {
        for (range, name) in mentions(module.text, span, renaming) {
            edits.replace(range, name);
        }
    }
}

fn renaming(module: &Module<'_>, function: &Function, layout: &Layout) -> Renaming {
    let mut renaming = Renaming::default();
    let mut names = Names::new(module, function);
    let name_of = |inst: Inst| local_name(module, function.instructions[inst].name);
    for &inst in layout.moved() {
        let data = &function.instructions[inst];
        if layout.is_merged(inst) || data.result.is_none() {
            continue;
        }
        let name = name_of(inst);
        let is_plain = name.iter().all(|byte| byte.is_ascii_graphic() && !b"\"\\".contains(byte));
        if matches!(data.name, LocalName::Number(_)) || !is_plain {
            renaming.insert(name, names.fresh("moved"));
        }
    }
    for (gone, kept) in layout.merged() {
        if function.instructions[gone].result.is_some() {
            let kept = name_of(kept);
            let name = renaming.get(&kept).cloned().unwrap_or_else(|| String::from_utf8_lossy(&kept).into_owned());
            renaming.insert(name_of(gone), name);
        }
    }
    renaming
}
