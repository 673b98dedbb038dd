//! How findings name and point at parts of a function.

use std::ops::Range;

use cranelift_entity::EntityRef;
use reconverge_graph::Node;
use reconverge_ir::function::{Block, Extra, Inst};
use reconverge_ir::{Function, FunctionId, Module, text};

use crate::codes::Code;
use crate::diagnostic::{Diagnostic, Related};
use crate::lower::token_bundles;

/// One function, for writing about it.
#[derive(Clone, Copy)]
pub(crate) struct Place<'p, 't> {
    pub(crate) module: &'p Module<'t>,
    pub(crate) id: FunctionId,
    pub(crate) function: &'p Function,
}

impl Place<'_, '_> {
    /// A finding that points at an instruction.
    pub(crate) fn diagnostic(&self, code: Code, inst: Inst, message: String, label: impl Into<String>) -> Diagnostic {
        let data = &self.function.instructions[inst];
        let location = data.debug_location.expand().and_then(|node| self.module.debug_location(node));
        let notes = location.as_ref().map(|location| format!("in the source: {}", describe_location(location)));
        Diagnostic {
            code,
            severity: code.severity(),
            message,
            function: Some(self.module.function_name(self.id)),
            block: Some(self.block_name(data.block)),
            span: data.span.range(),
            label: label.into(),
            related: Vec::new(),
            instances: Vec::new(),
            notes: notes.into_iter().collect(),
            source: location,
        }
    }

    /// An instruction as another place that matters.
    pub(crate) fn related(&self, inst: Inst, message: impl Into<String>) -> Related {
        let data = &self.function.instructions[inst];
        let source = data.debug_location.expand().and_then(|node| self.module.debug_location(node));
        Related { span: data.span.range(), message: message.into(), source }
    }

    /// The text of the `convergencectrl` bundle with this index, or of the instruction if it has none.
    pub(crate) fn bundle(&self, inst: Inst, index: usize) -> Range<usize> {
        let data = &self.function.instructions[inst];
        let Extra::Call(call) = data.extra else { return data.span.range() };
        let Some(bundle) = token_bundles(self.module, self.function, &self.function.calls[call]).nth(index) else {
            return data.span.range();
        };
        let start = bundle.tag.start as usize;
        let behind = &self.module.text[bundle.tag.end as usize..data.span.end as usize];
        let length = behind.iter().position(|&byte| byte == b')').map_or(0, |at| at + 1);
        start..bundle.tag.end as usize + length
    }

    /// The name of a block, without sigil.
    pub(crate) fn block_name(&self, block: Block) -> String {
        self.module.local_name(self.function.blocks[block].name)
    }

    /// An instruction by its result, or by what it calls.
    pub(crate) fn name(&self, inst: Inst) -> String {
        let data = &self.function.instructions[inst];
        if data.result.is_some() {
            return format!("%{}", self.module.local_name(data.name));
        }
        match self.callee(inst) {
            Some(callee) => format!("the call of {callee}"),
            None => format!("this {}", data.opcode.keyword()),
        }
    }

    /// The function that a call calls, when it says so.
    pub(crate) fn callee(&self, inst: Inst) -> Option<String> {
        let Extra::Call(call) = self.function.instructions[inst].extra else { return None };
        let symbol = self.function.calls[call].callee.expand()?;
        Some(format!("@{}", text::display(self.module.symbols[symbol].name.of(self.module.text))))
    }

    /// Blocks in order, with arrows.
    pub(crate) fn path(&self, path: &[Node], closed: bool) -> String {
        let closing = if closed { path.first() } else { None };
        let names = path.iter().chain(closing).map(|node| self.block_name(Block::new(node.index())));
        arrows(&names.collect::<Vec<_>>())
    }
}

/// Names of blocks, with arrows between them. A long path is shortened in the middle.
pub fn arrows(names: &[String]) -> String {
    const ENDS: usize = 12;
    if names.len() <= 2 * ENDS + 2 {
        return names.join(" -> ");
    }
    let (front, back) = (&names[..ENDS], &names[names.len() - ENDS..]);
    format!("{} -> ({} blocks) -> {}", front.join(" -> "), names.len() - 2 * ENDS, back.join(" -> "))
}

pub(crate) fn describe_location(location: &reconverge_ir::DebugLocation) -> String {
    let mut text = format!("{}:{}:{}", location.file, location.line, location.column);
    for call in &location.inlined_at {
        text.push_str(&format!(", inlined at {}:{}:{}", call.file, call.line, call.column));
    }
    text
}
