//! Copies of a loop's blocks, and how they print.
//!
//! **Invariant.** In a copy, `values` says what each value of the loop is called there, when that is not its own name. A phi of
//! the header is there what the copy before it passes on, unless the copy is one that is entered from outside.

use reconverge_ir::constant::ConstantData;
use reconverge_ir::function::{Block, Definition, Inst, LocalName, Value};
use reconverge_ir::opcode::{Flags, Opcode};
use reconverge_ir::{Function, Module, Naming, print_instruction, print_value};
use rustc_hash::{FxHashMap, FxHashSet};

use super::count::{Counted, next_of};
use super::shape::{Flow, Loop, stem};
use crate::names::Names;

/// What becomes of the counted exit in a copy.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Test {
    /// It stays.
    Keep,
    /// It goes on.
    GoOn,
    /// It leaves.
    Leave,
}

/// A copy of the blocks of a loop; the original is one.
#[derive(Debug, Clone)]
pub(super) struct Copy {
    pub(super) test: Test,
    /// What values of the loop are, where not themselves.
    pub(super) values: FxHashMap<Value, String>,
    /// What its blocks are called, with the sigil; nothing for the original.
    pub(super) blocks: FxHashMap<Block, String>,
    /// The blocks that are reached in it.
    pub(super) live: FxHashSet<Block>,
    /// Whether the latch has the loop's metadata.
    pub(super) has_metadata: bool,
    /// Where its latch goes, with the sigil; empty where that is the header of the original.
    pub(super) next: String,
}

/// What all that is printed needs to know.
pub(super) struct Context<'c, 't> {
    pub(super) module: &'c Module<'t>,
    pub(super) function: &'c Function,
    pub(super) found: &'c Loop,
    pub(super) flow: &'c Flow,
    pub(super) counted: Option<Counted>,
    /// The heart, which copies do not have.
    pub(super) heart: Option<Inst>,
}

impl Context<'_, '_> {
    /// The original, as a copy.
    pub(super) fn original(&self, test: Test) -> Copy {
        Copy {
            test,
            values: FxHashMap::default(),
            blocks: FxHashMap::default(),
            live: self.live(test),
            has_metadata: false,
            next: String::new(),
        }
    }

    /// A copy with names of its own, behind another one if it is not entered from outside.
    pub(super) fn copy(&self, names: &mut Names, test: Test, before: Option<&Copy>) -> Copy {
        let mut copy = Copy { ..self.original(test) };
        for &block in &self.found.blocks {
            let name = stem(self.module, self.function.blocks[block].name, "b");
            copy.blocks.insert(block, format!("%{}", names.fresh(&name)));
            for inst in self.function.block_instructions(block) {
                let data = &self.function.instructions[inst];
                let Some(result) = data.result.expand() else { continue };
                let name = if Some(inst) == self.heart {
                    before.map(|before| self.value(before, result)).unwrap_or_default()
                } else if self.is_header_phi(inst) && before.is_some() {
                    let next = next_of(self.function, self.found, inst);
                    before.zip(next).map(|(before, next)| self.value(before, next)).unwrap_or_default()
                } else {
                    format!("%{}", names.fresh(&stem(self.module, data.name, "v")))
                };
                copy.values.insert(result, name);
            }
        }
        copy
    }

    pub(super) fn is_header_phi(&self, inst: Inst) -> bool {
        let data = &self.function.instructions[inst];
        data.block == self.found.header && data.opcode == Opcode::Phi
    }

    /// The blocks that are reached when the test is this.
    fn live(&self, test: Test) -> FxHashSet<Block> {
        let mut live: FxHashSet<Block> = [self.found.header].into_iter().collect();
        let mut work = vec![self.found.header];
        while let Some(block) = work.pop() {
            for &to in self.function.successors(block) {
                if self.found.contains(to) && self.has_edge(test, block, to) && live.insert(to) {
                    work.push(to);
                }
            }
        }
        live
    }

    fn has_edge(&self, test: Test, from: Block, to: Block) -> bool {
        match (self.counted, test) {
            (Some(counted), Test::GoOn) => counted.block != from || counted.outside != to,
            (Some(counted), Test::Leave) => counted.block != from || counted.inside != to,
            _ => true,
        }
    }

    /// Whether an edge out of the loop is there in a copy.
    pub(super) fn leaves(&self, copy: &Copy, from: Block, to: Block) -> bool {
        copy.live.contains(&from) && self.has_edge(copy.test, from, to)
    }

    /// A value in a copy.
    pub(super) fn value(&self, copy: &Copy, value: Value) -> String {
        copy.values.get(&value).cloned().unwrap_or_else(|| print_value(self.module, self.function, value))
    }

    /// A block in a copy, as an operand.
    pub(super) fn block(&self, copy: &Copy, block: Block) -> String {
        copy.blocks.get(&block).cloned().unwrap_or_else(|| block_operand(self.module, self.function, block))
    }

    /// The text of a copy: blocks with labels, without a newline at either end.
    pub(super) fn print(&self, copy: &Copy, header_phis: &str) -> String {
        let mut text = String::new();
        for &block in self.found.blocks.iter().filter(|block| copy.live.contains(block)) {
            text.push_str(&format!("\n\n{}:", &self.block(copy, block)[1..]));
            if block == self.found.header {
                text.push_str(header_phis);
            }
            for inst in self.function.block_instructions(block) {
                if self.is_header_phi(inst) || Some(inst) == self.heart || self.is_dropped_test(copy, inst) {
                    continue;
                }
                for record in records_before(self.function, inst) {
                    text.push_str(&format!("\n    {}", self.rename(copy, record)));
                }
                text.push_str(&format!("\n  {}", self.print_instruction(copy, inst)));
            }
        }
        text
    }

    /// An instruction in a copy.
    pub(super) fn print_instruction(&self, copy: &Copy, inst: Inst) -> String {
        let data = &self.function.instructions[inst];
        let is_terminator = inst == self.function.terminator(data.block);
        if is_terminator && let Some(taken) = self.taken(copy, data.block) {
            let target = if taken == self.found.header { self.next(copy) } else { self.block(copy, taken) };
            let kept = self
                .attachments(copy, inst)
                .into_iter()
                .filter(|one| one.starts_with("!dbg ") || one.starts_with("!llvm.loop "));
            return format!("br label {target}{}", kept.map(|one| format!(", {one}")).collect::<String>());
        }
        print_instruction(self.module, self.function, inst, &InCopy { context: self, copy, is_terminator })
    }

    /// Whether an instruction is the comparison of a test that is not there, and nothing else.
    fn is_dropped_test(&self, copy: &Copy, inst: Inst) -> bool {
        let Some(counted) = self.counted.filter(|_| copy.test != Test::Keep) else { return false };
        let terminator = self.function.terminator(counted.block);
        let result = self.function.instructions[inst].result.expand();
        result.is_some_and(|result| {
            self.function.operands(terminator) == [result] && self.flow.users(result) == [terminator]
        })
    }

    /// Where the counted exit goes when it does not test.
    fn taken(&self, copy: &Copy, block: Block) -> Option<Block> {
        let counted = self.counted.filter(|counted| counted.block == block)?;
        match copy.test {
            Test::Keep => None,
            Test::GoOn => Some(counted.inside),
            Test::Leave => Some(counted.outside),
        }
    }

    /// What is attached to an instruction in a copy: all but the loop's metadata.
    fn attachments(&self, copy: &Copy, inst: Inst) -> Vec<String> {
        let is_latch = inst == self.function.terminator(self.found.latch);
        let mut all = attachments(self.module, self.function, inst);
        all.retain(|one| !is_latch || copy.has_metadata || !one.starts_with("!llvm.loop "));
        all
    }

    fn next(&self, copy: &Copy) -> String {
        if copy.next.is_empty() {
            block_operand(self.module, self.function, self.found.header)
        } else {
            copy.next.clone()
        }
    }

    /// A text with the names of the loop's values as they are in a copy: records and operands of metadata.
    fn rename(&self, copy: &Copy, span: reconverge_ir::Span) -> String {
        let text = String::from_utf8_lossy(span.of(self.module.text)).into_owned();
        if !text.contains('%') {
            return text;
        }
        let by_name: FxHashMap<String, &String> = copy
            .values
            .iter()
            .filter_map(|(&value, name)| {
                Some((print_value(self.module, self.function, value), name)).filter(|(old, _)| old.starts_with('%'))
            })
            .collect();
        let mut out = String::with_capacity(text.len());
        let mut rest = &text[..];
        while let Some(at) = rest.find('%') {
            out.push_str(&rest[..at]);
            rest = &rest[at..];
            let end = match rest[1..].strip_prefix('"') {
                Some(quoted) => quoted.find('"').map_or(rest.len(), |close| close + 3),
                None => rest[1..]
                    .find(|one: char| !(one.is_ascii_alphanumeric() || "._-$".contains(one)))
                    .map_or(rest.len(), |end| end + 1),
            };
            let (name, behind) = rest.split_at(end);
            // A name that something follows is that of a type.
            let is_value = behind.is_empty() || behind.starts_with([',', ')', '}']);
            out.push_str(by_name.get(name).filter(|_| is_value).map_or(name, |new| new));
            rest = behind;
        }
        out.push_str(rest);
        out
    }
}

/// A block as an operand.
pub(super) fn block_operand(module: &Module<'_>, function: &Function, block: Block) -> String {
    match function.blocks[block].name {
        LocalName::Text(span) => format!("%{}", String::from_utf8_lossy(span.of(module.text))),
        LocalName::Number(number) => format!("%{number}"),
    }
}

/// The debug records before an instruction.
pub(super) fn records_before(function: &Function, inst: Inst) -> impl Iterator<Item = reconverge_ir::Span> {
    let start = function.debug_records.partition_point(|&(before, _)| before < inst);
    function.debug_records[start..].iter().take_while(move |&&(before, _)| before == inst).map(|&(_, span)| span)
}

/// The attachments of an instruction, one by one.
pub(super) fn attachments(module: &Module<'_>, function: &Function, inst: Inst) -> Vec<String> {
    let text = function.instructions[inst].attachments.of(module.text);
    let (mut depth, mut start, mut all) = (0u32, 0, Vec::new());
    let mut quoted = false;
    for (at, &byte) in text.iter().enumerate() {
        match byte {
            b'"' => quoted = !quoted,
            _ if quoted => {}
            b'(' | b'{' => depth += 1,
            b')' | b'}' => depth = depth.saturating_sub(1),
            b',' if depth == 0 => {
                all.push(&text[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    all.push(&text[start..]);
    all.into_iter()
        .map(|one| String::from_utf8_lossy(one.trim_ascii()).into_owned())
        .filter(|one| !one.is_empty())
        .collect()
}

/// A phi with other operands.
pub(super) fn print_phi(
    module: &Module<'_>,
    function: &Function,
    inst: Inst,
    entries: &[(String, String)],
    name: Option<&str>,
) -> String {
    let data = &function.instructions[inst];
    let own = data.result.expand().map(|result| print_value(module, function, result)).unwrap_or_default();
    let name = name.unwrap_or(&own);
    let flags: String =
        Flags::ALL.iter().filter(|(flag, _)| data.flags.contains(*flag)).map(|(_, word)| format!(" {word}")).collect();
    let entries: Vec<String> = entries.iter().map(|(value, block)| format!("[ {value}, {block} ]")).collect();
    let attached = attachments(module, function, inst);
    let attached = if attached.is_empty() { String::new() } else { format!(", {}", attached.join(", ")) };
    format!("{name} = phi{flags} {} {}{attached}", module.display_type(data.ty), entries.join(", "))
}

/// The names of a copy.
struct InCopy<'c, 'm, 't> {
    context: &'c Context<'m, 't>,
    copy: &'c Copy,
    is_terminator: bool,
}

impl Naming for InCopy<'_, '_, '_> {
    fn value(&self, value: Value) -> Option<String> {
        match self.context.function.values[value].definition {
            Definition::Constant(ConstantData::Metadata(span)) => Some(self.context.rename(self.copy, span)),
            _ => self.copy.values.get(&value).cloned(),
        }
    }

    fn block(&self, block: Block) -> Option<String> {
        if self.is_terminator && block == self.context.found.header {
            return Some(self.context.next(self.copy));
        }
        self.context.found.contains(block).then(|| self.context.block(self.copy, block))
    }

    fn attachments(&self, inst: Inst) -> Option<String> {
        Some(self.context.attachments(self.copy, inst).join(", "))
    }
}

/// The end of the line on which an instruction ends, if nothing but a comment stands behind it there; else the end of the instruction.
pub(super) fn end_of_line(module: &Module<'_>, function: &Function, inst: Inst) -> (usize, bool) {
    let end = function.instructions[inst].span.range().end;
    let newline = memchr::memchr(b'\n', &module.text[end..]).map_or(module.text.len(), |at| end + at);
    let behind = module.text[end..newline].trim_ascii();
    if behind.is_empty() || behind.starts_with(b";") { (newline, true) } else { (end, false) }
}

/// Whether numbers of values or blocks are left to be counted anywhere, so that taking one away changes others.
pub(super) fn counts_numbers(module: &Module<'_>, function: &Function) -> bool {
    let is_bare = |inst: Inst| !module.text[function.instructions[inst].span.range()].starts_with(b"%");
    let results = function
        .instructions
        .iter()
        .filter(|(_, data)| data.result.is_some() && matches!(data.name, LocalName::Number(_)));
    let unlabelled = |(block, data): (Block, &reconverge_ir::function::BlockData)| {
        let LocalName::Number(number) = data.name else { return false };
        let first = function.instructions[data.first].span.range().start;
        let before =
            function.blocks.keys().take_while(|&other| other < block).last().map(|other| function.terminator(other));
        let Some(before) = before else { return false };
        let between = &module.text[function.instructions[before].span.range().end..first];
        memchr::memmem::find(between, format!("{number}:").as_bytes()).is_none()
    };
    results.map(|(inst, _)| inst).any(is_bare) || function.blocks.iter().any(unlabelled)
}
