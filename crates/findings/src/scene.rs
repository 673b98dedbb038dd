//! One function, for speaking about it.

use reconverge_ir::function::{Block, Extra, Inst};
use reconverge_ir::{ConvergenceIntrinsic, DebugLocation, Function, FunctionId, Module, Symbol};

use crate::anchor::Anchor;

/// A function with its module.
#[derive(Debug, Clone, Copy)]
pub struct Scene<'p, 't> {
    /// The module.
    pub module: &'p Module<'t>,
    /// Which function it is.
    pub id: FunctionId,
    /// The body.
    pub function: &'p Function,
}

impl Scene<'_, '_> {
    /// An instruction as a place.
    pub fn anchor(&self, inst: Inst) -> Anchor {
        Anchor::inst(self.id, self.function, inst)
    }

    /// The name of a block, without sigil.
    pub fn block_name(&self, block: Block) -> String {
        self.module.local_name(self.function.blocks[block].name)
    }

    /// The function that a call calls, when it says so.
    pub fn callee(&self, inst: Inst) -> Option<Symbol> {
        let Extra::Call(call) = self.function.instructions.get(inst)?.extra else { return None };
        self.function.calls[call].callee.expand()
    }

    /// The first instruction of the inline assembly of a call that is an operation of several threads.
    pub fn assembly_operation(&self, inst: Inst) -> Option<String> {
        self.module.assembly_call(self.function, inst)?.program.operation().map(str::to_owned)
    }

    /// The convergence control intrinsic that a call calls.
    pub(crate) fn intrinsic(&self, inst: Inst) -> Option<ConvergenceIntrinsic> {
        self.module.convergence_intrinsic(self.callee(inst)?)
    }
}

/// A place in the source, in a line.
pub fn describe_location(location: &DebugLocation) -> String {
    let mut text = format!("{}:{}:{}", location.file, location.line, location.column);
    for call in &location.inlined_at {
        text.push_str(&format!(", inlined at {}:{}:{}", call.file, call.line, call.column));
    }
    text
}
