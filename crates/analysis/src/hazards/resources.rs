//! Which operand of a call chooses one of several resources, where the threads of a subgroup have to choose the same unless the program says that they may
//! not (`NonUniformResourceIndex`, RC0213).

use reconverge_ir::function::{Extra, Inst, Value};
use reconverge_ir::opcode::Opcode;
use reconverge_ir::{Function, Module};
use rustc_hash::FxHashSet;

use super::Finder;

/// An operand that chooses a resource.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Choice {
    pub(super) index: u8,
    /// The operand that says whether threads may choose different ones, where that is one of the same call.
    mark: Option<u8>,
}

/// The one of a function without a body, by its name: of LLVM's intrinsics for DirectX and SPIR-V, and of DXIL's operations.
pub(super) fn choice(name: &[u8]) -> Option<Choice> {
    let intrinsic =
        [&b"llvm.dx.resource."[..], b"llvm.spv.resource."].iter().find_map(|start| name.strip_prefix(*start));
    let stem = |name: &[u8]| name.split(|&byte| byte == b'.').next().map(<[u8]>::to_vec);
    let at = |index, mark| Some(Choice { index, mark });
    match intrinsic.and_then(stem).as_deref() {
        // Up to LLVM 20 the mark is an operand; there is a name in its place since, which is no constant of one bit.
        Some(b"handlefrombinding" | b"handlefromimplicitbinding") => return at(3, Some(4)),
        Some(_) => return None,
        None => {}
    }
    match name {
        b"dx.op.createHandle" => at(3, Some(4)),
        b"dx.op.createHandleFromBinding" => at(2, Some(3)),
        b"dx.op.createHandleFromHeap" => at(1, Some(3)),
        _ => None,
    }
}

impl Finder<'_, '_> {
    /// Whether a call says that threads may choose different resources: by an operand, or by how the index is computed.
    pub(super) fn is_marked(&self, arguments: &[Value], choice: Choice) -> bool {
        let number = |index: u8| self.number(*arguments.get(usize::from(index))?);
        let marks = || self.function.instructions.keys().filter(|&inst| is_mark(self.module, self.function, inst));
        choice.mark.and_then(number).is_some_and(|mark| mark != 0)
            || arguments.get(usize::from(choice.index)).is_some_and(|&index| {
                let marks: FxHashSet<Inst> = marks().collect();
                !marks.is_empty() && self.known().computed_from(index, &marks).is_some()
            })
    }
}

/// `NonUniformResourceIndex`
fn is_mark(module: &Module<'_>, function: &Function, inst: Inst) -> bool {
    let Extra::Call(call) = function.instructions[inst].extra else { return false };
    let name = function.calls[call].callee.expand().map(|callee| module.symbol_name(callee));
    function.instructions[inst].opcode == Opcode::Call
        && name.is_some_and(|name| {
            matches!(&name[..], b"llvm.dx.resource.nonuniformindex" | b"llvm.spv.resource.nonuniformindex")
        })
}
