//! The text of a plan: new blocks, phis of entries, and terminators that lead elsewhere.

use std::fmt::Write;

use cranelift_entity::EntityRef;
use reconverge_graph::Node;
use reconverge_ir::function::{Block, Inst, InstData, LocalName, Value};
use reconverge_ir::opcode::{Flags, Opcode};
use reconverge_ir::{Function, Module, Naming, print_instruction, print_operand};
use rustc_hash::FxHashMap;

use super::node;
use super::plan::{IncomingKind, NodeKind, Plan};
use crate::Edits;
use crate::names::Names;

/// The edits for a function.
pub(super) fn edits(module: &Module<'_>, function: &Function, plan: &Plan) -> Edits {
    let mut writer = Writer::new(module, function, plan);
    writer.instructions();
    writer.forwarders();
    writer.dispatchers();
    if !function.use_list_orders.is_empty() {
        // They count uses.
        writer.edits.delete(function.use_list_orders.range());
    }
    writer.edits
}

struct Writer<'w, 't> {
    module: &'w Module<'t>,
    function: &'w Function,
    plan: &'w Plan,
    /// The new blocks, by node from the first behind the old ones; without sigil.
    blocks: Vec<String>,
    selectors: Vec<String>,
    /// The phis that dispatchers have for phis of entries; without sigil.
    carried: FxHashMap<(usize, Inst), String>,
    edits: Edits,
}

impl<'w, 't> Writer<'w, 't> {
    fn new(module: &'w Module<'t>, function: &'w Function, plan: &'w Plan) -> Writer<'w, 't> {
        let mut names = Names::new(module, function);
        let stem = |name: LocalName, otherwise: &str| stem(module, name, otherwise);
        let header = |index: usize| stem(function.blocks[plan.dispatchers[index].header].name, "block");
        let dispatchers = 0..plan.dispatchers.len();
        let mut blocks: Vec<String> =
            dispatchers.clone().map(|index| names.fresh(&format!("{}.dispatch", header(index)))).collect();
        let from = |block: Block| stem(function.blocks[block].name, "block");
        blocks.extend(plan.forwarders.iter().map(|new| names.fresh(&format!("{}.forward", from(new.from)))));
        let selectors = dispatchers.clone().map(|index| names.fresh(&format!("{}.entry", header(index)))).collect();
        let mut carried = FxHashMap::default();
        for index in dispatchers {
            for &(entry, _) in &plan.dispatchers[index].entries {
                for inst in phis_of(function, entry) {
                    let name = names.fresh(&stem(function.instructions[inst].name, "v"));
                    carried.insert((index, inst), name);
                }
            }
        }
        Writer { module, function, plan, blocks, selectors, carried, edits: Edits::default() }
    }

    /// Terminators that lead elsewhere, and phis of entries.
    fn instructions(&mut self) {
        let function = self.function;
        for block in function.blocks.keys() {
            if self.plan.last_dispatcher(block).is_some() {
                for phi in phis_of(function, block) {
                    let data = &function.instructions[phi];
                    self.edits.replace(data.span.range(), self.old_phi(phi, data));
                }
            }
            let is_redirected = |&to: &Block| self.plan.redirected.contains_key(&(block, to));
            if function.successors(block).iter().any(is_redirected) {
                let terminator = function.terminator(block);
                let text = print_instruction(self.module, function, terminator, &From { writer: self, block });
                self.edits.replace(function.instructions[terminator].span.range(), text);
            }
        }
    }

    fn forwarders(&mut self) {
        for (index, forwarder) in self.plan.forwarders.iter().enumerate() {
            let name = &self.blocks[self.plan.dispatchers.len() + index];
            let text = format!("\n\n{name}:\n  br label {}", self.node_name(forwarder.to));
            self.edits.insert(self.behind(forwarder.from), text);
        }
    }

    fn dispatchers(&mut self) {
        for index in 0..self.plan.dispatchers.len() {
            let mut lines = vec![self.selector(index)];
            for at in 0..self.plan.dispatchers[index].entries.len() {
                let entry = self.plan.dispatchers[index].entries[at].0;
                lines.extend(phis_of(self.function, entry).map(|inst| self.carrier(index, entry, inst)));
            }
            lines.push(self.dispatch(index));
            let before = Block::new(self.plan.dispatchers[index].header.index() - 1);
            let text = format!("\n\n{}:\n  {}", self.blocks[index], lines.join("\n  "));
            self.edits.insert(self.behind(before), text);
        }
    }

    /// The phi that knows which entry was meant.
    fn selector(&self, index: usize) -> String {
        let dispatcher = &self.plan.dispatchers[index];
        let ty = if self.plan.is_binary(index) { "i1" } else { "i32" };
        let incoming = dispatcher.incoming.iter().map(|incoming| {
            let number = match incoming.kind {
                IncomingKind::Edge { to, .. } => self.number(index, to),
                IncomingKind::Dispatcher(outer) => format!("%{}", self.selectors[outer]),
            };
            (number, self.node_name(incoming.source))
        });
        format!("%{} = phi {ty}{}", self.selectors[index], list(incoming))
    }

    /// What a dispatcher has for a phi of an entry.
    fn carrier(&self, index: usize, entry: Block, phi: Inst) -> String {
        let by_block = self.operands_by_block(phi);
        let incoming = self.plan.dispatchers[index].incoming.iter().map(|incoming| {
            let value = match incoming.kind {
                IncomingKind::Edge { from, to } if to == entry => by_block.get(&from).cloned(),
                IncomingKind::Edge { .. } => None,
                IncomingKind::Dispatcher(outer) => self.carried.get(&(outer, phi)).map(|name| format!("%{name}")),
            };
            (value.unwrap_or_else(|| "poison".to_owned()), self.node_name(incoming.source))
        });
        let ty = self.module.display_type(self.function.instructions[phi].ty);
        format!("%{} = phi {ty}{}", self.carried[&(index, phi)], list(incoming))
    }

    /// The branch of a dispatcher.
    fn dispatch(&self, index: usize) -> String {
        let dispatcher = &self.plan.dispatchers[index];
        let selector = &self.selectors[index];
        let (_, header) = dispatcher.entries[0];
        let header = self.node_name(header);
        if self.plan.is_binary(index) {
            // The number of the header, which comes first, is 0.
            let other = self.node_name(dispatcher.entries[1].1);
            return format!("br i1 %{selector}, label {other}, label {header}");
        }
        let mut text = format!("switch i32 %{selector}, label {header} [");
        for &(entry, hop) in &dispatcher.entries[1..] {
            let _infallible = write!(text, "\n    i32 {}, label {}", self.number(index, entry), self.node_name(hop));
        }
        text + "\n  ]"
    }

    fn number(&self, index: usize, entry: Block) -> String {
        match (self.plan.number_of(index, entry), self.plan.is_binary(index)) {
            (0, true) => "false".to_owned(),
            (_, true) => "true".to_owned(),
            (number, false) => number.to_string(),
        }
    }

    /// A phi that was there.
    fn old_phi(&self, inst: Inst, data: &InstData) -> String {
        let blocks = self.function.targets(inst).iter();
        let kept = blocks
            .zip(self.function.operands(inst))
            .filter(|&(&from, _)| !self.plan.redirected.contains_key(&(from, data.block)));
        let kept = kept.map(|(&from, &value)| (self.value(value), self.node_name(node(from))));
        let dispatcher = self.plan.last_dispatcher(data.block);
        let carried = dispatcher
            .map(|index| (format!("%{}", self.carried[&(index, inst)]), self.node_name(self.plan.node(index))));
        let result = data.result.expand().map(|result| self.value(result));
        let mut text = format!("{} = phi", result.unwrap_or_default());
        for (_, keyword) in Flags::ALL.iter().filter(|&&(flag, _)| data.flags.contains(flag)) {
            let _infallible = write!(text, " {keyword}");
        }
        let _infallible = write!(text, " {}{}", self.module.display_type(data.ty), list(kept.chain(carried)));
        if !data.attachments.is_empty() {
            let attachments = String::from_utf8_lossy(data.attachments.of(self.module.text));
            let _infallible = write!(text, ", {attachments}");
        }
        text
    }

    /// What a phi gets from each block.
    fn operands_by_block(&self, phi: Inst) -> FxHashMap<Block, String> {
        let blocks = self.function.targets(phi).iter().copied();
        blocks.zip(self.function.operands(phi)).map(|(from, &value)| (from, self.value(value))).collect()
    }

    fn value(&self, value: Value) -> String {
        print_operand(self.module, self.function, value, &Same)
    }

    /// A block, old or new, with its sigil.
    fn node_name(&self, node: Node) -> String {
        match self.plan.kind(node) {
            NodeKind::Block(block) => format!("%{}", self.module.local_name(self.function.blocks[block].name)),
            NodeKind::Dispatcher(index) => format!("%{}", self.blocks[index]),
            NodeKind::Forwarder(index) => format!("%{}", self.blocks[self.plan.dispatchers.len() + index]),
        }
    }

    /// Behind the terminator of a block, and a comment on its line.
    fn behind(&self, block: Block) -> usize {
        let end = self.function.instructions[self.function.terminator(block)].span.range().end;
        let rest = &self.module.text[end..];
        let line = &rest[..memchr::memchr(b'\n', rest).unwrap_or(rest.len())];
        let is_free = matches!(line.trim_ascii_start().first(), None | Some(b';'));
        if is_free { end + line.trim_ascii_end().len() } else { end }
    }
}

/// Prints the terminator of a block.
struct From<'a, 'w, 't> {
    writer: &'a Writer<'w, 't>,
    block: Block,
}

impl Naming for From<'_, '_, '_> {
    fn block(&self, block: Block) -> Option<String> {
        let target = self.writer.plan.redirected.get(&(self.block, block))?;
        Some(self.writer.node_name(*target))
    }
}

/// Prints what the text has.
struct Same;

impl Naming for Same {}

fn phis_of(function: &Function, block: Block) -> impl Iterator<Item = Inst> {
    function.block_instructions(block).take_while(|&inst| function.instructions[inst].opcode == Opcode::Phi)
}

/// ` [ v, %b ], …`
fn list(incoming: impl Iterator<Item = (String, String)>) -> String {
    let mut text = String::new();
    for (index, (value, block)) in incoming.enumerate() {
        let _infallible = write!(text, "{} [ {value}, {block} ]", if index > 0 { "," } else { "" });
    }
    text
}

/// The beginning of new names after an old one.
fn stem(module: &Module<'_>, name: LocalName, otherwise: &str) -> String {
    let text = module.local_name(name);
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"._-$".contains(&byte);
    match name {
        LocalName::Text(_) if text.bytes().all(is_plain) => text,
        LocalName::Text(_) => otherwise.to_owned(),
        LocalName::Number(number) => format!("{otherwise}{number}"),
    }
}
