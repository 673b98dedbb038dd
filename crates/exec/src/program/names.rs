//! Operations as users know them: places in the text, names, words.

use std::borrow::Cow;
use std::ops::Range;

use reconverge_findings::Anchor;
use reconverge_ir::DebugLocation;
use reconverge_ir::function::{Extra, InstData, Value};

use super::code::CodeId;
use super::link::Executable;
use crate::value::Shape;

impl Executable<'_> {
    fn instruction(&self, code: CodeId, op: u32) -> &InstData {
        let code = &self.codes[code];
        &code.ir.instructions[code.insts[op as usize]]
    }

    /// An operation as a place in the module.
    pub(crate) fn anchor(&self, code: CodeId, op: u32) -> Anchor {
        let code = &self.codes[code];
        Anchor::inst(code.id, &code.ir, code.insts[op as usize])
    }

    /// The text of an operation, and its place in the source.
    pub(crate) fn place(&self, code: CodeId, op: u32) -> (Range<usize>, Option<DebugLocation>) {
        let inst = self.instruction(code, op);
        let source = inst.debug_location.expand().and_then(|node| self.module.debug_location(node));
        (inst.span.range(), source)
    }

    /// What a call calls, without sigil, in inline assembly the intrinsic that stands for an instruction; the opcode of anything else, and of a
    /// call through a pointer.
    pub(crate) fn called(&self, code: CodeId, op: u32) -> String {
        if let Some(intrinsic) = self.codes[code].intrinsics.get(&op) {
            return intrinsic.name.clone();
        }
        let inst = self.instruction(code, op);
        if let Extra::Call(call) = inst.extra
            && let Some(symbol) = self.codes[code].ir.calls[call].callee.expand()
        {
            return String::from_utf8_lossy(&self.module.symbol_name(symbol)).into_owned();
        }
        inst.opcode.keyword().to_string()
    }

    /// The flattened type of its result.
    pub(crate) fn result_shape(&self, code: CodeId, op: u32) -> Shape {
        if let Some(intrinsic) = self.codes[code].intrinsics.get(&op) {
            return intrinsic.result.clone();
        }
        crate::layout::shape(self.module, &self.layout, self.instruction(code, op).ty).unwrap_or_default()
    }

    /// The flattened types of the operands of a call; nothing for what has no value.
    pub(crate) fn operand_shapes(&self, code: CodeId, op: u32) -> Vec<Shape> {
        if let Some(intrinsic) = self.codes[code].intrinsics.get(&op) {
            return intrinsic.operands.clone();
        }
        let ir = &self.codes[code].ir;
        let inst = self.codes[code].insts[op as usize];
        let shape = |&value: &Value| crate::layout::shape(self.module, &self.layout, ir.values[value].ty);
        let Extra::Call(call) = ir.instructions[inst].extra else { return Vec::new() };
        let arguments = &ir.operands(inst)[..ir.calls[call].argument_count as usize];
        arguments.iter().map(|value| shape(value).unwrap_or_default()).collect()
    }

    /// Whether a call, or the function that it calls, is `memory(none)`, and comes back.
    pub(crate) fn touches_no_memory(&self, code: CodeId, op: u32) -> bool {
        let has = |name| self.attribute_of_call(code, op, name);
        let no_memory = has(b"memory").is_some_and(|effects| *effects == *b"none") || has(b"readnone").is_some();
        no_memory && has(b"willreturn").is_some()
    }

    /// Whether nothing says which memory a call touches, or that it only reads.
    pub(crate) fn may_touch_any_memory(&self, code: CodeId, op: u32) -> bool {
        let says: [&[u8]; 6] = [
            b"memory",
            b"readnone",
            b"readonly",
            b"argmemonly",
            b"inaccessiblememonly",
            b"inaccessiblemem_or_argmemonly",
        ];
        says.iter().all(|name| self.attribute_of_call(code, op, name).is_none())
    }

    /// The value of an attribute that a call has, or the function that it calls.
    fn attribute_of_call(&self, code: CodeId, op: u32, name: &[u8]) -> Option<Cow<'_, [u8]>> {
        let Extra::Call(call) = self.instruction(code, op).extra else { return None };
        let call = &self.codes[code].ir.calls[call];
        let callee = call.callee.expand().and_then(|symbol| self.module.function_of(symbol));
        let of_callee = callee.and_then(|id| self.module.attribute(self.module.functions[id].suffix, name));
        of_callee.or_else(|| self.module.attribute(call.attributes, name))
    }
}
