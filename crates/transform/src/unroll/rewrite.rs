//! The text of an unrolled loop.
//!
//! The original blocks stay where they are, as the first copy, or as the remainder; the other copies are put behind them, or before.
//! What changes of an instruction is gathered first, as several things can change at one, and printed once.

use std::collections::BTreeMap;

use cranelift_entity::EntityRef;
use reconverge_ir::function::{Block, Definition, Inst, Value};
use reconverge_ir::opcode::Opcode;
use reconverge_ir::{Naming, print_instruction, print_value};
use rustc_hash::{FxHashMap, FxHashSet};

use super::copies::{Context, Copy, Test, block_operand, end_of_line, print_phi, records_before};
use super::count::{next_of, start_of};
use super::guard::Guard;
use super::leaving::Leaving;
use super::shape::{Flow, Objection};
use crate::Edits;
use crate::names::Names;

/// How a loop is unrolled.
#[derive(Debug, Clone, Copy)]
pub(super) enum Plan {
    /// This many copies in a line; the last one leaves.
    Full(u32),
    /// This many copies around; only the one with this number can leave by the counted exit.
    Exact(u32, u32),
    /// This many copies around, all with their tests.
    Tested(u32),
    /// This many copies around that do not test, then the original.
    Remainder(u32),
}

/// What becomes of an instruction.
#[derive(Debug, Clone, Default)]
struct Change {
    values: FxHashMap<Value, String>,
    blocks: FxHashMap<Block, String>,
    /// The whole new text.
    text: Option<String>,
    is_deleted: bool,
}

impl Naming for Change {
    fn value(&self, value: Value) -> Option<String> {
        self.values.get(&value).cloned()
    }

    fn block(&self, block: Block) -> Option<String> {
        self.blocks.get(&block).cloned()
    }
}

/// A rewritten loop.
pub(super) struct Rewritten {
    pub(super) edits: Edits,
    /// Blocks whose instructions or neighbours change or matter.
    pub(super) touched: FxHashSet<Block>,
}

/// Everything a rewriting needs.
pub(super) struct Rewriter<'r, 'm, 't> {
    pub(super) context: &'r Context<'m, 't>,
    pub(super) flow: &'r Flow,
    pub(super) names: &'r mut Names,
    /// What the heart's token is where the loop is gone.
    pub(super) parent: Option<Value>,
}

impl Rewriter<'_, '_, '_> {
    /// Unrolls a loop.
    ///
    /// # Errors
    /// When a token would have to go through a phi.
    pub(super) fn rewrite(&mut self, plan: Plan) -> Result<Rewritten, Objection> {
        let context = self.context;
        let mut changes: BTreeMap<Inst, Change> = BTreeMap::new();
        let mut edits = Edits::default();
        let copies = match plan {
            Plan::Remainder(factor) => self.with_remainder(factor, &mut changes, &mut edits),
            Plan::Full(_) | Plan::Exact(..) | Plan::Tested(_) => self.chain(plan, &mut changes, &mut edits),
        };
        let mut leaving = Leaving {
            context,
            flow: self.flow,
            copies: &copies,
            phis: FxHashMap::default(),
            touched: FxHashSet::default(),
        };
        behind(&mut leaving, self.names, &mut changes)?;
        let mut touched = std::mem::take(&mut leaving.touched);
        touched.extend(&context.found.blocks);
        touched.extend(&context.found.entries);
        touched.extend(context.found.exits.iter().map(|&(_, to)| to));
        let mut phis: Vec<(Block, Vec<String>)> = leaving.phis.into_iter().collect();
        phis.sort();
        for (block, texts) in phis {
            let first = context.function.blocks[block].first;
            let record = records_before(context.function, first).next();
            let at = record.unwrap_or(context.function.instructions[first].span).range().start;
            edits.insert(at, texts.iter().map(|text| format!("{text}\n  ")).collect::<String>());
        }
        for (inst, change) in changes {
            touched.insert(context.function.instructions[inst].block);
            let span = context.function.instructions[inst].span;
            if change.is_deleted {
                edits.delete(crate::edit::line_of(context.module.text, span));
                continue;
            }
            let text = match &change.text {
                Some(text) => text.clone(),
                None => print_instruction(context.module, context.function, inst, &change),
            };
            edits.replace(span.range(), text);
        }
        Ok(Rewritten { edits, touched })
    }

    /// Copies one behind the other, the original first.
    fn chain(&mut self, plan: Plan, changes: &mut BTreeMap<Inst, Change>, edits: &mut Edits) -> Vec<Copy> {
        let context = self.context;
        let (count, test): (u32, &dyn Fn(u32) -> Test) = match plan {
            Plan::Full(count) => (count, &move |copy| if copy + 1 == count { Test::Leave } else { Test::GoOn }),
            Plan::Exact(count, leaves) => (count, &move |copy| if copy == leaves { Test::Keep } else { Test::GoOn }),
            Plan::Tested(count) | Plan::Remainder(count) => (count, &|_| Test::Keep),
        };
        let is_full = matches!(plan, Plan::Full(_));
        let mut original = context.original(test(0));
        let heart = context.heart.and_then(|heart| context.function.instructions[heart].result.expand());
        if let (true, Some(heart), Some(parent)) = (is_full, heart, self.parent) {
            original.values.insert(heart, print_value(context.module, context.function, parent));
        }
        let mut copies = vec![original];
        for number in 1..count {
            let before = &mut copies[number as usize - 1];
            let copy = context.copy(self.names, test(number), Some(before));
            before.next = context.block(&copy, context.found.header);
            copies.push(copy);
        }
        let last = copies.len() - 1;
        copies[last].has_metadata = !is_full;
        self.original_blocks(&copies[0], is_full, changes);
        self.header_phis(&copies[last], is_full, changes);
        let text: String = copies[1..].iter().map(|copy| context.print(copy, "")).collect();
        if !text.is_empty() {
            let end = context.found.blocks.last().copied().unwrap_or(context.found.header);
            insert_blocks(context, end, text, edits);
        }
        copies
    }

    /// What changes in the blocks of the original when it is the first of several copies.
    fn original_blocks(&self, original: &Copy, is_full: bool, changes: &mut BTreeMap<Inst, Change>) {
        let context = self.context;
        let function = context.function;
        if is_full && let Some(heart) = context.heart {
            changes.entry(heart).or_default().is_deleted = true;
            for &user in function.instructions[heart].result.expand().map_or(&[][..], |heart| self.flow.users(heart)) {
                let block = function.instructions[user].block;
                if context.found.contains(block) {
                    changes.entry(user).or_default().text = Some(context.print_instruction(original, user));
                } else if !self.flow.is_reachable(block) {
                    changes.entry(user).or_default().values.extend(original.values.clone());
                }
            }
        }
        let tested = context.counted.filter(|_| original.test != Test::Keep).map(|counted| counted.block);
        for block in tested.into_iter().chain([context.found.latch]) {
            let terminator = function.terminator(block);
            changes.entry(terminator).or_default().text = Some(context.print_instruction(original, terminator));
        }
    }

    /// The phis of the original's header: the edge back comes from the last copy, or is no more.
    fn header_phis(&self, last: &Copy, is_full: bool, changes: &mut BTreeMap<Inst, Change>) {
        let context = self.context;
        for phi in header_phis(context) {
            let operands = context.function.operands(phi).iter().zip(context.function.targets(phi));
            let entries: Vec<(String, String)> = operands
                .filter(|(_, from)| !is_full || **from != context.found.latch)
                .map(|(&value, &from)| match from == context.found.latch {
                    true => (context.value(last, value), context.block(last, from)),
                    false => self.unchanged(value, from),
                })
                .collect();
            changes.entry(phi).or_default().text =
                Some(print_phi(context.module, context.function, phi, &entries, None));
        }
    }

    fn unchanged(&self, value: Value, from: Block) -> (String, String) {
        let (module, function) = (self.context.module, self.context.function);
        (print_value(module, function, value), block_operand(module, function, from))
    }

    /// A main loop in front of the original, and a block in front of both that says how often it runs.
    fn with_remainder(&mut self, factor: u32, changes: &mut BTreeMap<Inst, Change>, edits: &mut Edits) -> Vec<Copy> {
        let context = self.context;
        let (module, function, found) = (context.module, context.function, context.found);
        let stem = super::shape::stem(module, function.blocks[found.header].name, "b");
        let guard = format!("%{}", self.names.fresh(&format!("{stem}.unroll")));
        let again = format!("%{}", self.names.fresh(&format!("{stem}.again")));
        let mut copies: Vec<Copy> = Vec::new();
        for _ in 0..factor {
            let copy = context.copy(self.names, Test::GoOn, copies.last());
            if let Some(before) = copies.last_mut() {
                before.next = context.block(&copy, found.header);
            }
            copies.push(copy);
        }
        let (first, last) = (0, copies.len() - 1);
        copies[last].next = again.clone();
        let main = context.block(&copies[first], found.header);
        let header = block_operand(module, function, found.header);
        let passes_on = |phi: Inst| {
            next_of(function, found, phi).map(|next| context.value(&copies[last], next)).unwrap_or_default()
        };
        let mut before = format!("\n\n{}:", &guard[1..]);
        let mut phis = String::new();
        let mut start = String::new();
        for phi in header_phis(context) {
            let init = self.init(phi, &mut before);
            if context.counted.is_some_and(|counted| counted.phi == phi) {
                start.clone_from(&init);
            }
            let in_main =
                function.instructions[phi].result.expand().map(|result| context.value(&copies[first], result));
            let next = passes_on(phi);
            let entries = [(init.clone(), guard.clone()), (next.clone(), again.clone())];
            phis.push_str(&format!("\n  {}", print_phi(module, function, phi, &entries, in_main.as_deref())));
            let own = next_of(function, found, phi).map(|next| print_value(module, function, next)).unwrap_or_default();
            let entries =
                [(init, guard.clone()), (next, again.clone()), (own, block_operand(module, function, found.latch))];
            changes.entry(phi).or_default().text = Some(print_phi(module, function, phi, &entries, None));
        }
        for &entry in &found.entries {
            changes.entry(function.terminator(entry)).or_default().blocks.insert(found.header, guard.clone());
        }
        if let Some(counted) = &context.counted {
            let computed = Guard::new(context, self.names, counted, &start, factor);
            for line in &computed.lines {
                before.push_str(&format!("\n  {line}"));
            }
            before.push_str(&format!("\n  br i1 {}, label {main}, label {header}", computed.some));
            let ty = format!("i{}", counted.width);
            let names =
                ["unroll.left", "unroll.fewer", "unroll.more"].map(|stem| format!("%{}", self.names.fresh(stem)));
            let [left, fewer, more] = &names;
            phis.push_str(&format!("\n  {left} = phi {ty} [ {}, {guard} ], [ {fewer}, {again} ]", computed.rounds));
            let mut text = before;
            for (number, copy) in copies.iter().enumerate() {
                text.push_str(&context.print(copy, if number == 0 { &phis } else { "" }));
            }
            text.push_str(&format!(
                "\n\n{}:\n  {fewer} = sub {ty} {left}, 1\n  {more} = icmp ne {ty} {fewer}, 0\n  br i1 {more}, label {main}, label {header}",
                &again[1..]
            ));
            insert_blocks(context, Block::new(found.header.index() - 1), text, edits);
        }
        copies.push(context.original(Test::Keep));
        copies
    }

    /// What a phi of the header begins with, in the guard; a phi there where that depends on where the loop is entered from.
    fn init(&mut self, phi: Inst, guard: &mut String) -> String {
        let context = self.context;
        let (module, function, found) = (context.module, context.function, context.found);
        if let Some(start) = start_of(function, found, phi) {
            return print_value(module, function, start);
        }
        let operands =
            function.operands(phi).iter().zip(function.targets(phi)).filter(|(_, from)| **from != found.latch);
        let entries: Vec<(String, String)> = operands.map(|(&value, &from)| self.unchanged(value, from)).collect();
        let name = format!("%{}", self.names.fresh("unroll.start"));
        guard.push_str(&format!("\n  {}", print_phi(module, function, phi, &entries, Some(&name))));
        name
    }
}

fn header_phis<'c>(context: &'c Context<'_, '_>) -> impl Iterator<Item = Inst> + use<'c> {
    context.function.block_instructions(context.found.header).filter(|&inst| context.is_header_phi(inst))
}

/// Puts blocks behind a block.
fn insert_blocks(context: &Context<'_, '_>, behind: Block, text: String, edits: &mut Edits) {
    let (at, is_line_end) = end_of_line(context.module, context.function, context.function.terminator(behind));
    edits.insert(at, if is_line_end { text } else { text + "\n" });
}

/// What changes behind a loop: phis have an entry for each copy, and other uses get the value that comes there.
fn behind(
    leaving: &mut Leaving<'_, '_, '_>,
    names: &mut Names,
    changes: &mut BTreeMap<Inst, Change>,
) -> Result<(), Objection> {
    let context = leaving.context;
    let (function, found) = (context.function, context.found);
    let is_behind = |block: Block| !found.contains(block) && leaving.flow.is_reachable(block);
    // The phis to look at, and for each value the places where it is used.
    let mut phis: Vec<Inst> = Vec::new();
    let targets: FxHashSet<Block> = found.exits.iter().map(|&(_, to)| to).collect();
    for &block in &targets {
        phis.extend(
            function.block_instructions(block).take_while(|&inst| function.instructions[inst].opcode == Opcode::Phi),
        );
    }
    let mut uses: Vec<(Value, Vec<(Inst, Block)>)> = Vec::new();
    for inst in found.blocks.iter().flat_map(|&block| function.block_instructions(block)) {
        let Some(value) = function.instructions[inst].result.expand() else { continue };
        let mut places = Vec::new();
        for &user in leaving.flow.users(value) {
            let data = &function.instructions[user];
            if data.opcode != Opcode::Phi {
                places.extend(Some((user, data.block)).filter(|&(_, block)| is_behind(block)));
            } else if is_behind(data.block) {
                phis.push(user);
                let entries = function.operands(user).iter().zip(function.targets(user));
                let ends = entries.filter(|&(&operand, &from)| operand == value && is_behind(from));
                places.extend(ends.map(|(_, &from)| (user, from)));
            }
        }
        if !places.is_empty() {
            uses.push((value, places));
        }
    }
    let mut at: FxHashMap<(Value, Block), String> = FxHashMap::default();
    for (value, places) in uses {
        let mut blocks: Vec<Block> = places.iter().map(|&(_, block)| block).collect();
        blocks.sort();
        blocks.dedup();
        let resolved = leaving.resolve(names, value, &blocks, places[0].0)?;
        let own = print_value(context.module, function, value);
        for (user, block) in places {
            let now = resolved.get(&block).cloned().unwrap_or_default();
            if function.instructions[user].opcode != Opcode::Phi && now != own {
                changes.entry(user).or_default().values.insert(value, now.clone());
            }
            at.insert((value, block), now);
        }
    }
    phis.sort();
    phis.dedup();
    for phi in phis {
        let (mut entries, mut old) = (Vec::new(), Vec::new());
        for (&value, &from) in function.operands(phi).iter().zip(function.targets(phi)) {
            let own = (print_value(context.module, function, value), block_operand(context.module, function, from));
            if found.contains(from) {
                let block = function.instructions[phi].block;
                entries.extend(leaving.edges(from, block).map(|(copy, name)| (context.value(copy, value), name)));
            } else if let Some(now) = at.get(&(value, from)).filter(|_| is_inside(context, value)) {
                entries.push((now.clone(), own.1.clone()));
            } else {
                entries.push(own.clone());
            }
            old.push(own);
        }
        if entries != old {
            changes.entry(phi).or_default().text = Some(print_phi(context.module, function, phi, &entries, None));
        }
    }
    Ok(())
}

fn is_inside(context: &Context<'_, '_>, value: Value) -> bool {
    match context.function.values[value].definition {
        Definition::Instruction(inst) => context.found.contains(context.function.instructions[inst].block),
        _ => false,
    }
}
