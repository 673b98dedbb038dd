//! What the parts of a program are called.

use std::borrow::Cow;
use std::ops::Range;

use reconverge_ir::function::{Block, Inst, Value};
use reconverge_ir::{FunctionId, Module, Symbol};
use reconverge_operations::Scope;

use crate::scene::Scene;

/// How to speak of a program: by the names of its IR, or as its source writes it.
pub trait Voice {
    /// A function or variable, from its name in the IR: both without sigil.
    fn written<'n>(&self, name: &'n str) -> Cow<'n, str>;

    /// A function or variable in a sentence, from its name in the IR without sigil: with the sigil of the IR, or as source in backticks.
    fn named(&self, name: &str) -> String {
        match self.speaks_ir() {
            true => format!("@{}", self.written(name)),
            false => format!("`{}`", self.written(name)),
        }
    }

    /// A function or variable in a sentence.
    fn symbol(&self, module: &Module<'_>, symbol: Symbol) -> String {
        self.named(&module.display_symbol(symbol))
    }

    /// A parameter, the result of an instruction or a constant.
    fn value(&self, scene: &Scene<'_, '_>, value: Value) -> String;

    /// A block.
    fn block(&self, scene: &Scene<'_, '_>, block: Block) -> String;

    /// The branch at the end of a block.
    fn branch(&self, scene: &Scene<'_, '_>, block: Block) -> String {
        format!("the branch of {}", self.block(scene, block))
    }

    /// A set of threads, without article.
    fn group(&self, scope: Scope) -> &'static str {
        match scope {
            Scope::Subgroup => "subgroup",
            Scope::Workgroup => "workgroup",
            Scope::Grid => "grid",
        }
    }

    /// One thread of control.
    fn thread(&self) -> &'static str {
        "thread"
    }

    /// A set of threads, with its article.
    fn set(&self, scope: Scope) -> String {
        let article = if scope == Scope::Grid { "the" } else { "a" };
        format!("{article} {}", self.group(scope))
    }

    /// What to write for a barrier of a set of threads that orders their accesses to the memory that a set of threads shares.
    fn barrier(&self, scope: Scope, _memory: Scope) -> String {
        format!("a barrier of the {}", self.group(scope))
    }

    /// What to write for a fence that orders a thread's accesses to the memory that a set of threads shares.
    fn fence(&self, _memory: Scope) -> String {
        "a fence".to_owned()
    }

    /// The extent of the workgroup in a dimension.
    fn workgroup_extent(&self, dimension: u8) -> String {
        let name = ["x", "y", "z"].get(usize::from(dimension)).copied().unwrap_or_default();
        format!("the extent of the {} in {name}", self.group(Scope::Workgroup))
    }

    /// An argument of a function in a sentence, by its index in the IR.
    fn argument(&self, _module: &Module<'_>, _function: Option<FunctionId>, index: u32) -> String {
        format!("argument {}", index + 1)
    }

    /// What a call calls, when it says so.
    fn callee(&self, scene: &Scene<'_, '_>, call: Inst) -> Option<String> {
        match scene.callee(call) {
            Some(symbol) => Some(self.symbol(scene.module, symbol)),
            None => scene.assembly_operation(call),
        }
    }

    /// Where an instruction is written in the source, from the first byte to behind the last one of its file; none where only a line is known.
    fn extent(&self, _scene: &Scene<'_, '_>, _inst: Inst) -> Option<Range<usize>> {
        None
    }

    /// An instruction by its result, or by what it calls.
    fn instruction(&self, scene: &Scene<'_, '_>, inst: Inst) -> String {
        let data = &scene.function.instructions[inst];
        match (data.result.expand(), self.callee(scene, inst)) {
            (Some(result), _) => self.value(scene, result),
            (None, Some(callee)) => format!("the call of {callee}"),
            (None, None) => format!("this {}", data.opcode.keyword()),
        }
    }

    /// Whether it is about the text of the IR: then findings say where they are in the source, too.
    fn speaks_ir(&self) -> bool;
}

/// The names of the IR: `@f`, `%x`, `entry`.
#[derive(Debug, Clone, Copy, Default)]
pub struct IrVoice;

impl Voice for IrVoice {
    fn written<'n>(&self, name: &'n str) -> Cow<'n, str> {
        Cow::Borrowed(name)
    }

    fn value(&self, scene: &Scene<'_, '_>, value: Value) -> String {
        match scene.function.name(value) {
            Some(name) => format!("%{}", scene.module.local_name(name)),
            None => "a constant".to_owned(),
        }
    }

    fn block(&self, scene: &Scene<'_, '_>, block: Block) -> String {
        scene.block_name(block)
    }

    fn speaks_ir(&self) -> bool {
        true
    }
}
