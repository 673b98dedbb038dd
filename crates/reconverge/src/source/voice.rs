//! How findings speak of source: of variables, expressions and conditions as they are written, and of lines.
//!
//! What an instruction is in the source says its origin, from our own front end or from debug information. What has none is called by its line, in IR that was read by its name
//! there. Where the files of such IR are not found, a value has both names, that of the variable and that of the IR: the finding is shown in the IR.

use std::borrow::Cow;
use std::ops::Range;

use reconverge_analysis::target::Scope;
use reconverge_findings::{IrVoice, Scene, Voice};
use reconverge_ir::function::{Block, Definition, Inst, Value};
use reconverge_ir::origin::{Condition, Extent, FunctionOrigins, Origin, What};
use reconverge_ir::{FunctionId, Module};
use reconverge_lang::builtins::mangle::{as_written, in_words, is_of_lambda};
use reconverge_lang::options::Dialect;

use super::SourceWords;

/// Speaks of one source file and what it includes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SourceVoice<'o>(pub(crate) &'o SourceWords);

/// Speaks of IR, and of the variables that its debug information names.
#[derive(Debug, Clone, Copy)]
pub(crate) struct NamedVoice;

/// More of an expression than this is cut.
const MOST_LETTERS: usize = 40;

impl SourceVoice<'_> {
    fn of_value(&self, scene: &Scene<'_, '_>, value: Value) -> Option<Origin> {
        self.0.knows(scene).then(|| self.0.origins_in(scene).of_value(value))?
    }

    fn of_instruction(&self, scene: &Scene<'_, '_>, inst: Inst) -> Option<Origin> {
        self.0.knows(scene).then(|| self.0.origins_in(scene).of_instruction(inst))?
    }

    /// The line of a block's first instruction that has one.
    fn line(&self, scene: &Scene<'_, '_>, block: Block) -> Option<u32> {
        scene.function.block_instructions(block).find_map(|inst| self.line_of(scene, inst))
    }

    /// The line of an instruction.
    fn line_of(&self, scene: &Scene<'_, '_>, inst: Inst) -> Option<u32> {
        if !self.0.knows(scene) {
            return None;
        }
        let node = scene.function.instructions[inst].debug_location.expand();
        let line = node.and_then(|node| scene.module.debug_location(node)).map(|at| self.0.place(at).line);
        let line = line.or_else(|| self.of_instruction(scene, inst)?.place.line().map(|(line, _)| line));
        line.filter(|&line| line > 0)
    }

    /// A parameter that has no origin.
    fn parameter(&self, scene: &Scene<'_, '_>, value: Value) -> Option<String> {
        match scene.function.values[value].definition {
            Definition::Parameter(index) if self.0.is_of_ir() => {
                self.0.parameter(scene, index).map(|name| format!("`{name}`"))
            }
            _ => unnamed_parameter(scene, value),
        }
    }

    /// What has no name in the source: a value by its line or that of its block, of IR that was read by its name.
    fn unnamed(&self, scene: &Scene<'_, '_>, value: Value) -> String {
        if self.0.is_of_ir() {
            return IrVoice.value(scene, value);
        }
        let line = match scene.function.values[value].definition {
            Definition::Instruction(inst) => {
                self.line_of(scene, inst).or_else(|| self.line(scene, scene.function.instructions[inst].block))
            }
            _ => None,
        };
        line.map_or_else(|| IrVoice.value(scene, value), |line| format!("a value of line {line}"))
    }
}

impl Voice for SourceVoice<'_> {
    fn written<'n>(&self, name: &'n str) -> Cow<'n, str> {
        as_written(name)
    }

    fn named(&self, name: &str) -> String {
        in_words(name)
    }

    fn callee(&self, scene: &Scene<'_, '_>, call: Inst) -> Option<String> {
        if !self.0.knows(scene) {
            return IrVoice.callee(scene, call);
        }
        match self.of_instruction(scene, call).map(|origin| origin.what) {
            Some(What::Call(name)) => Some(format!("`{name}`")),
            _ => {
                let place = scene.function.instructions[call].debug_location.expand();
                let written = place.and_then(|place| self.0.called_at(&scene.module.debug_location(place)?));
                written.map(|name| format!("`{name}`")).or_else(|| match scene.callee(call) {
                    Some(symbol) => Some(self.symbol(scene.module, symbol)),
                    None => scene.assembly_operation(call),
                })
            }
        }
    }

    fn argument(&self, module: &Module<'_>, function: Option<FunctionId>, index: u32) -> String {
        let has_object = function.is_some_and(|id| has_object(module, id));
        numbered("argument", index, has_object)
    }

    fn group(&self, scope: Scope) -> &'static str {
        match (scope, self.0.files.language()) {
            (Scope::Subgroup, Dialect::Cuda) => "warp",
            (Scope::Subgroup, Dialect::Hip) => "wavefront",
            (Scope::Subgroup, Dialect::OpenCl) => "sub-group",
            (Scope::Workgroup, Dialect::Cuda) => "thread block",
            (Scope::Workgroup, Dialect::OpenCl) => "work-group",
            _ => IrVoice.group(scope),
        }
    }

    fn thread(&self) -> &'static str {
        match self.0.files.language() {
            Dialect::OpenCl => "work-item",
            _ => IrVoice.thread(),
        }
    }

    fn barrier(&self, scope: Scope, memory: Scope) -> String {
        let fence = flag_of(memory);
        match (scope, self.0.files.language()) {
            (Scope::Subgroup, Dialect::Cuda) => "`__syncwarp()`".to_owned(),
            (Scope::Workgroup, Dialect::Cuda | Dialect::Hip) => "`__syncthreads()`".to_owned(),
            (Scope::Subgroup, Dialect::OpenCl) => format!("`sub_group_barrier({fence})`"),
            (Scope::Workgroup, Dialect::OpenCl) => format!("`barrier({fence})`"),
            _ => IrVoice.barrier(scope, memory),
        }
    }

    fn fence(&self, memory: Scope) -> String {
        match self.0.files.language() {
            Dialect::Cuda | Dialect::Hip => "`__threadfence_block()`".to_owned(),
            Dialect::OpenCl => format!("`mem_fence({})`", flag_of(memory)),
            _ => IrVoice.fence(memory),
        }
    }

    fn workgroup_extent(&self, dimension: u8) -> String {
        if self.0.files.language() == Dialect::OpenCl {
            return format!("`get_local_size({dimension})`");
        }
        let name = ["x", "y", "z"].get(usize::from(dimension)).copied().unwrap_or_default();
        format!("`blockDim.{name}`")
    }

    fn extent(&self, scene: &Scene<'_, '_>, inst: Inst) -> Option<Range<usize>> {
        match self.of_instruction(scene, inst)?.place.extent {
            Extent::Bytes(range) => Some(range.start as usize..range.end as usize),
            Extent::Line { .. } => None,
        }
    }

    fn value(&self, scene: &Scene<'_, '_>, value: Value) -> String {
        let said = self.of_value(scene, value).and_then(|origin| said(&origin));
        said.or_else(|| self.parameter(scene, value)).unwrap_or_else(|| self.unnamed(scene, value))
    }

    fn block(&self, scene: &Scene<'_, '_>, block: Block) -> String {
        match self.line(scene, block) {
            Some(line) => format!("line {line}"),
            None => IrVoice.block(scene, block),
        }
    }

    fn branch(&self, scene: &Scene<'_, '_>, block: Block) -> String {
        let terminator = scene.function.terminator(block);
        let origin = self.of_instruction(scene, terminator);
        match origin.as_ref().and_then(|origin| Some((&origin.what, said(origin)?))) {
            Some((What::Condition(Condition::For | Condition::While | Condition::Do), said)) => {
                format!("the loop condition {said}")
            }
            Some((What::Condition(Condition::Switch), said)) => format!("the switch on {said}"),
            Some((What::Condition(Condition::Goto), said)) => format!("the computed goto to {said}"),
            Some((What::Condition(_), said)) => format!("the condition {said}"),
            _ => format!("the branch at {}", self.block(scene, block)),
        }
    }

    fn speaks_ir(&self) -> bool {
        false
    }
}

impl Voice for NamedVoice {
    fn written<'n>(&self, name: &'n str) -> Cow<'n, str> {
        IrVoice.written(name)
    }

    fn value(&self, scene: &Scene<'_, '_>, value: Value) -> String {
        let of_ir = IrVoice.value(scene, value);
        let origins = FunctionOrigins::new(scene.module, scene.id, scene.function, None);
        match origins.of_value(value).map(|origin| origin.what) {
            Some(What::Variable(name)) if *name != *of_ir.trim_start_matches('%') => format!("`{name}` ({of_ir})"),
            _ => of_ir,
        }
    }

    fn block(&self, scene: &Scene<'_, '_>, block: Block) -> String {
        IrVoice.block(scene, block)
    }

    fn speaks_ir(&self) -> bool {
        true
    }
}

/// A part of the source in backticks: as written, in one line; of debug information, what it names.
fn said(origin: &Origin) -> Option<String> {
    let words = match (&origin.what, origin.place.text()) {
        (What::Variable(name) | What::Function(name), _) => name.to_string(),
        (_, Some(text)) => text.split_whitespace().collect::<Vec<_>>().join(" "),
        (What::Call(name), None) => format!("{name}(…)"),
        (What::Expression | What::Condition(_), None) => return None,
    };
    let cut = words.char_indices().nth(MOST_LETTERS).map(|(at, _)| format!("{}…", &words[..at]));
    Some(format!("`{}`", cut.unwrap_or(words)))
}

/// Whether a function is called with an object, whose address is its first parameter: `%this`, as clang and ours write it.
fn has_object(module: &Module<'_>, function: FunctionId) -> bool {
    let first = module.functions[function].parameters.first().and_then(|parameter| parameter.name);
    first.is_some_and(|name| module.local_name(name) == "this")
}

/// An argument or parameter by its number in the source, where an object has none.
fn numbered(what: &str, index: u32, has_object: bool) -> String {
    match index + 1 - u32::from(has_object) {
        0 => "the object".to_owned(),
        number => format!("{what} {number}"),
    }
}

/// A parameter that the source gives no name; the first one of a lambda is what it captured.
fn unnamed_parameter(scene: &Scene<'_, '_>, value: Value) -> Option<String> {
    let Definition::Parameter(index) = scene.function.values[value].definition else { return None };
    let name = scene.module.symbol_name(scene.module.functions[scene.id].symbol);
    let is_captured = index == 0 && is_of_lambda(&as_written(&String::from_utf8_lossy(&name)));
    Some(if is_captured {
        "what the lambda captured".to_owned()
    } else {
        numbered("parameter", index, has_object(scene.module, scene.id))
    })
}

/// What OpenCL C calls the memory that a set of threads shares, where it is to be ordered.
fn flag_of(memory: Scope) -> &'static str {
    if memory == Scope::Workgroup { "CLK_LOCAL_MEM_FENCE" } else { "CLK_GLOBAL_MEM_FENCE" }
}
