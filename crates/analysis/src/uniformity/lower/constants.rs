//! Which constants are the same.
//!
//! A constant is keyed by a byte string that spells its type and its parts, so equal keys are equal constants. Two
//! spellings of one floating-point number may get two keys, which is on the safe side. Flags of constant expressions are left
//! out: where they make a difference, the value is poison.

use cranelift_entity::EntityRef;
use reconverge_ir::constant::{ConstantData, ExpressionKind};
use reconverge_ir::function::{Definition, LocalName, Value};
use reconverge_ir::{Function, Module};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::uniformity::ValueIndex;

type Key = SmallVec<[u8; 24]>;

/// The constants of one function that have an index.
#[derive(Debug, Default)]
pub(super) struct Constants {
    indices: FxHashMap<Key, ValueIndex>,
    key: Key,
}

impl Constants {
    pub(super) fn clear(&mut self) {
        self.indices.clear();
    }

    /// The index of a constant: `next` if it is a new one.
    pub(super) fn index_of(
        &mut self,
        module: &Module<'_>,
        function: &Function,
        value: Value,
        next: ValueIndex,
    ) -> ValueIndex {
        self.key.clear();
        write(&mut self.key, module, function, value);
        if let Some(&index) = self.indices.get(&self.key) {
            return index;
        }
        self.indices.insert(self.key.clone(), next);
        next
    }
}

fn write(key: &mut Key, module: &Module<'_>, function: &Function, value: Value) {
    let data = &function.values[value];
    key.extend_from_slice(&(data.ty.index() as u32).to_le_bytes());
    let Definition::Constant(constant) = data.definition else { return };
    let mut number = |tag: u8, number: u64| {
        key.push(tag);
        key.extend_from_slice(&number.to_le_bytes());
    };
    match constant {
        // Zero of any type is one constant, however it is spelled.
        ConstantData::Integer(0) | ConstantData::Null | ConstantData::Zero => key.push(0),
        ConstantData::Integer(value) => number(1, value.cast_unsigned()),
        ConstantData::Global(symbol) => number(2, symbol.index() as u64),
        ConstantData::Literal(span) | ConstantData::String(span) | ConstantData::Metadata(span) => {
            let spelled = module.spelling(span);
            number(3, spelled.len() as u64);
            key.extend_from_slice(spelled);
        }
        ConstantData::Undef => key.push(4),
        ConstantData::Poison => key.push(5),
        ConstantData::NoneToken => key.push(6),
        ConstantData::Aggregate(aggregate) => {
            let elements = function.list(function.constants.aggregates[aggregate]);
            number(7, elements.len() as u64);
            for &element in elements {
                write(key, module, function, element);
            }
        }
        ConstantData::Expression(expression) => {
            let data = &function.constants.expressions[expression];
            let (tag, detail, spelled) = match data.kind {
                ExpressionKind::Operation(opcode, _) => (8, opcode as u64, &[][..]),
                ExpressionKind::Compare(opcode, predicate) => (9, (opcode as u64) << 8 | predicate as u64, &[][..]),
                ExpressionKind::GetElementPtr(ty, _, range) => (10, ty.index() as u64, module.spelling(range)),
                ExpressionKind::BlockAddress(LocalName::Text(name)) => (11, 0, module.spelling(name)),
                ExpressionKind::BlockAddress(LocalName::Number(name)) => (12, name.into(), &[][..]),
                ExpressionKind::DsoLocalEquivalent => (13, 0, &[][..]),
                ExpressionKind::NoCfi => (14, 0, &[][..]),
                ExpressionKind::PtrAuth => (15, 0, &[][..]),
                ExpressionKind::Splat => (16, 0, &[][..]),
                ExpressionKind::InlineAsm(asm) => (17, 0, module.spelling(asm)),
            };
            number(tag, detail);
            let operands = function.list(data.operands);
            number(0, operands.len() as u64);
            for &operand in operands {
                write(key, module, function, operand);
            }
            key.extend_from_slice(&(spelled.len() as u64).to_le_bytes());
            key.extend_from_slice(spelled);
        }
    }
}
