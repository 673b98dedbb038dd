//! The canonical form of a function: what it does, without names and without an order that does not matter.
//!
//! Blocks are numbered in the order in which a depth-first search from the entry meets them, so blocks that nothing leads to are left
//! out. Instructions that may do something, or whose place matters (phis, calls, memory, division, `freeze`, terminators), are listed
//! block by block, in order. All others are functions of their operands: they have no place, but are written out
//! where they are used, so that neither their order nor whether they are used by nobody matters. Names, debug information, and
//! metadata and attributes that only inform are not part of it.
//!
//! Invariant: forms are compared as they are, never by a hash.

use std::fmt::Write;

use reconverge_ir::attributes::Attribute;
use reconverge_ir::constant::{ConstantData, ExpressionKind};
use reconverge_ir::function::{Block, Definition, Extra, Inst, Value};
use reconverge_ir::opcode::{Flags, Opcode};
use reconverge_ir::{Function, FunctionId, FunctionReader, Module, Naming, print_instruction, print_operand};
use rustc_hash::{FxHashMap, FxHashSet};

/// Metadata that says nothing about what an instruction does.
const INFORMS: &[&[u8]] = &[
    b"dbg",
    b"tbaa",
    b"tbaa.struct",
    b"alias.scope",
    b"noalias",
    b"prof",
    b"llvm.loop",
    b"llvm.access.group",
    b"llvm.mem.parallel_loop_access",
    b"srcloc",
    b"annotation",
    b"unpredictable",
    b"amdgpu.no.fine.grained.memory",
    b"amdgpu.no.remote.memory",
    b"amdgpu.noclobber",
    b"amdgpu.uniform",
    b"structurizecfg.uniform",
    b"nosanitize",
    b"heapallocsite",
    b"pcsections",
    b"invariant.group",
    b"fpmath",
];
/// Attributes of operands that change what is passed.
const PASSES: &[&[u8]] =
    &[b"byval", b"sret", b"byref", b"inalloca", b"preallocated", b"elementtype", b"signext", b"zeroext", b"inreg"];

/// Numbers for expressions, the same for equal ones.
#[derive(Default)]
pub(crate) struct Interner(FxHashMap<String, usize>);

impl Interner {
    fn number(&mut self, text: String) -> usize {
        let next = self.0.len();
        *self.0.entry(text).or_insert(next)
    }
}

/// The canonical form of a function.
pub(crate) struct Form {
    pub(crate) lines: Vec<String>,
    /// The symbols that it mentions, without sigil.
    pub(crate) symbols: Vec<String>,
}

/// The form of a function; nothing where it has no body, or something that has no form.
pub(crate) fn form(module: &Module<'_>, name: &str, interner: &mut Interner) -> Option<Form> {
    let id = module.function_of(module.symbol_named(name.as_bytes())?)?;
    let mut reader = FunctionReader::new(module);
    let function = reader.read(id).ok()?;
    let mut canonical = Canonical::new(module, &function);
    canonical.name_values(interner)?;
    let mut lines = vec![canonical.header(id)];
    for &block in &canonical.order {
        lines.push(format!("block {}", canonical.blocks[&block]));
        for inst in function.block_instructions(block) {
            if canonical.has_place(inst) && !canonical.only_informs(inst) {
                lines.push(canonical.line(inst));
            }
        }
    }
    Some(Form { lines, symbols: canonical.symbols() })
}

struct Canonical<'c, 't> {
    module: &'c Module<'t>,
    function: &'c Function,
    /// The blocks that are reached, in the order of the search.
    order: Vec<Block>,
    blocks: FxHashMap<Block, usize>,
    values: FxHashMap<Value, String>,
}

impl Naming for Canonical<'_, '_> {
    fn value(&self, value: Value) -> Option<String> {
        self.values.get(&value).cloned()
    }

    fn block(&self, block: Block) -> Option<String> {
        Some(self.blocks.get(&block).map_or_else(|| "%never".to_owned(), |number| format!("%block{number}")))
    }

    fn attachments(&self, inst: Inst) -> Option<String> {
        let mut kept = String::new();
        for attribute in self.module.attributes(self.function.instructions[inst].attachments) {
            if let Attribute::Attachment { name, node } = attribute
                && !INFORMS.contains(&name)
            {
                let node = self.module.node_text(self.module.spelling(node)).unwrap_or_default();
                let _ = write!(kept, "!{} {} ", String::from_utf8_lossy(name), String::from_utf8_lossy(node));
            }
        }
        Some(kept)
    }
}

impl<'c, 't> Canonical<'c, 't> {
    fn new(module: &'c Module<'t>, function: &'c Function) -> Canonical<'c, 't> {
        let (mut order, mut blocks) = (Vec::new(), FxHashMap::default());
        let mut stack: Vec<Block> = function.blocks.keys().take(1).collect();
        while let Some(block) = stack.pop() {
            if blocks.contains_key(&block) {
                continue;
            }
            blocks.insert(block, order.len());
            order.push(block);
            stack.extend(function.successors(block).iter().rev());
        }
        Canonical { module, function, order, blocks, values: FxHashMap::default() }
    }

    /// Whether it matters where an instruction is.
    fn has_place(&self, inst: Inst) -> bool {
        let opcode = self.function.instructions[inst].opcode;
        let traps = matches!(opcode, Opcode::UDiv | Opcode::SDiv | Opcode::URem | Opcode::SRem);
        let is_function = opcode.is_binary() && !traps
            || opcode.is_cast()
            || matches!(
                opcode,
                Opcode::Select
                    | Opcode::ICmp
                    | Opcode::FCmp
                    | Opcode::FNeg
                    | Opcode::GetElementPtr
                    | Opcode::ExtractElement
                    | Opcode::InsertElement
                    | Opcode::ShuffleVector
                    | Opcode::ExtractValue
                    | Opcode::InsertValue
            );
        !is_function
    }

    /// Debug intrinsics.
    fn only_informs(&self, inst: Inst) -> bool {
        let Extra::Call(call) = self.function.instructions[inst].extra else { return false };
        let callee = self.function.calls[call].callee.expand();
        callee.is_some_and(|symbol| self.module.symbol_name(symbol).starts_with(b"llvm.dbg."))
    }

    /// Names each value: by its place where it has one, else by what it is of which operands. Nothing where something is used that
    /// is not reached.
    fn name_values(&mut self, interner: &mut Interner) -> Option<()> {
        let function = self.function;
        for (value, data) in &function.values {
            match data.definition {
                Definition::Parameter(index) => {
                    self.values.insert(value, format!("%parameter{index}"));
                }
                // The number of a node means nothing in another module.
                Definition::Constant(ConstantData::Metadata(span)) => {
                    let text = self.module.spelling(span);
                    let node = self.module.node_text(text).unwrap_or(text);
                    self.values.insert(value, String::from_utf8_lossy(node).into_owned());
                }
                Definition::Constant(ConstantData::Expression(expression)) => {
                    let kind = function.constants.expressions[expression].kind;
                    if matches!(kind, ExpressionKind::BlockAddress(_)) {
                        return None;
                    }
                }
                _ => {}
            }
        }
        let mut pending: Vec<Inst> = Vec::new();
        for &block in &self.order.clone() {
            let mut place = 0;
            for inst in function.block_instructions(block) {
                let Some(result) = function.instructions[inst].result.expand() else { continue };
                if self.has_place(inst) {
                    self.values.insert(result, format!("%value{}.{place}", self.blocks[&block]));
                    place += usize::from(!self.only_informs(inst));
                } else {
                    pending.push(inst);
                }
            }
        }
        // Operands first: what dominates a block need not come before it in the text.
        let mut open: FxHashSet<Inst> = FxHashSet::default();
        let mut stack: Vec<(Inst, bool)> = pending.into_iter().rev().map(|inst| (inst, false)).collect();
        while let Some((inst, ready)) = stack.pop() {
            let result = function.instructions[inst].result.expand()?;
            if self.values.contains_key(&result) {
                continue;
            }
            if ready {
                let text = self.line(inst);
                let number = interner.number(text);
                self.values.insert(result, format!("%expression{number}"));
                continue;
            }
            open.insert(inst);
            stack.push((inst, true));
            for &operand in function.operands(inst) {
                if let Definition::Instruction(other) = function.values[operand].definition
                    && !self.values.contains_key(&operand)
                {
                    // A function of itself is never executed.
                    if open.contains(&other) || self.has_place(other) {
                        return None;
                    }
                    stack.push((other, false));
                }
            }
        }
        Some(())
    }

    /// An instruction in other words.
    fn line(&self, inst: Inst) -> String {
        let data = &self.function.instructions[inst];
        match data.extra {
            Extra::Call(call) => self.call(inst, call),
            _ if data.opcode == Opcode::Phi => self.phi(inst),
            _ => {
                let text = print_instruction(self.module, self.function, inst, self);
                match (data.result.expand(), self.has_place(inst)) {
                    // Its own name is not known yet.
                    (Some(_), false) => text.split_once(" = ").map_or(text.clone(), |(_, rest)| rest.to_owned()),
                    _ => text,
                }
            }
        }
    }

    /// The sources of a phi by the order of blocks, those that are reached.
    fn phi(&self, inst: Inst) -> String {
        let (operands, targets) = (self.function.operands(inst), self.function.targets(inst));
        let data = &self.function.instructions[inst];
        let mut sources: Vec<(usize, String)> = operands
            .iter()
            .zip(targets)
            .filter_map(|(&value, block)| Some((*self.blocks.get(block)?, self.operand(value))))
            .collect();
        sources.sort();
        format!("phi {} {} {sources:?}", keywords(data.flags), self.module.display_type(data.ty))
    }

    fn call(&self, inst: Inst, call: reconverge_ir::function::Call) -> String {
        let data = &self.function.instructions[inst];
        let call_data = &self.function.calls[call];
        let operands = self.function.operands(inst);
        let mut text = format!(
            "{} {} {} {}",
            data.opcode.keyword(),
            keywords(data.flags),
            self.module.display_type(data.ty),
            operands.last().map_or_else(String::new, |&callee| self.operand(callee)),
        );
        let attributes = self.function.argument_attributes(call);
        for (index, &argument) in operands[..call_data.argument_count as usize].iter().enumerate() {
            let _ = write!(text, ", {}", self.operand(argument));
            for attribute in attributes.get(index).into_iter().flat_map(|&span| self.module.attributes(span)) {
                if let Attribute::Word { name, argument } = attribute
                    && PASSES.contains(&name)
                {
                    let argument = String::from_utf8_lossy(self.module.spelling(argument));
                    let _ = write!(text, " {}({argument})", String::from_utf8_lossy(name));
                }
            }
        }
        for bundle in self.function.bundles(call) {
            let operands: Vec<String> =
                self.function.list(bundle.operands).iter().map(|&operand| self.operand(operand)).collect();
            let _ =
                write!(text, " [{} {}]", String::from_utf8_lossy(self.module.spelling(bundle.tag)), operands.join(","));
        }
        for &target in self.function.targets(inst) {
            let _ = write!(text, " to {:?}", self.blocks.get(&target));
        }
        let _ = write!(text, " {} {}", call_data.convergent, self.attachments(inst).unwrap_or_default());
        text
    }

    /// An operand with its type.
    fn operand(&self, value: Value) -> String {
        let ty = self.module.display_type(self.function.values[value].ty);
        format!("{ty} {}", print_operand(self.module, self.function, value, self))
    }

    /// What callers and the launch see of the function.
    fn header(&self, id: FunctionId) -> String {
        let data = &self.module.functions[id];
        let mut text = format!("{} {}", self.module.display_type(data.result), data.convergent);
        for parameter in &data.parameters {
            let _ = write!(text, ", {}", self.module.display_type(parameter.ty));
            for attribute in self.module.attributes(parameter.attributes) {
                if let Attribute::Word { name, argument } = attribute
                    && PASSES.contains(&name)
                {
                    let argument = String::from_utf8_lossy(self.module.spelling(argument));
                    let _ = write!(text, " {}({argument})", String::from_utf8_lossy(name));
                }
            }
        }
        text
    }

    /// The symbols of what is reached.
    fn symbols(&self) -> Vec<String> {
        let symbols = self.function.values.values().filter_map(|data| match data.definition {
            Definition::Constant(ConstantData::Global(symbol)) => Some(symbol),
            _ => None,
        });
        let mut names: Vec<String> =
            symbols.map(|symbol| String::from_utf8_lossy(&self.module.symbol_name(symbol)).into_owned()).collect();
        names.retain(|name| !name.starts_with("llvm.dbg."));
        names.sort();
        names.dedup();
        names
    }
}

/// Flags, but those that say how a call is compiled.
fn keywords(flags: Flags) -> String {
    let how = [Flags::TAIL, Flags::NOTAIL];
    let kept = Flags::ALL.iter().filter(|(flag, _)| flags.contains(*flag) && !how.contains(flag));
    kept.map(|(_, keyword)| format!("{keyword} ")).collect()
}
