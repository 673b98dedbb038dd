//! Leaves of types: the parts that are neither structs nor arrays, in the order of memory.
//!
//! **Definition.** The leaves of an integer, a pointer, a vector and the like are itself; those of a struct or an array are the leaves of its elements, one
//! element after the other. A type of which this is not known, or which has more than [`MOST`], has none, and is then looked at as a whole.

use reconverge_ir::constant::ConstantData;
use reconverge_ir::function::{Definition, Extra, Inst};
use reconverge_ir::layout::DataLayout;
use reconverge_ir::opcode::Opcode;
use reconverge_ir::types::{Type, TypeData};
use reconverge_ir::{Function, Module};

/// Types with more leaves are looked at as a whole.
pub(crate) const MOST: usize = 32;

/// A part of a type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Leaf {
    pub(crate) ty: Type,
    /// Where it lies, in bytes.
    pub(crate) offset: u64,
}

/// The leaves of a type.
pub(crate) fn of(module: &Module<'_>, layout: &DataLayout, ty: Type) -> Option<Vec<Leaf>> {
    let mut leaves = Vec::new();
    collect(module, layout, Leaf { ty, offset: 0 }, &mut leaves, &mut { 4 * MOST }).map(|()| leaves)
}

pub(crate) fn is_aggregate(module: &Module<'_>, ty: Type) -> bool {
    matches!(module.types[ty], TypeData::Struct { .. } | TypeData::Array { .. } | TypeData::Named(_))
}

/// Looks at so many parts, `left`: there may be any number without leaves. Types are as deep as the reader accepts.
fn collect(module: &Module<'_>, layout: &DataLayout, at: Leaf, leaves: &mut Vec<Leaf>, left: &mut usize) -> Option<()> {
    *left = left.checked_sub(1)?;
    let elements: Vec<Leaf> = match module.types[at.ty] {
        TypeData::Array { length, element } => {
            let stride = layout.alloc_size(module, element).ok()?;
            let count = usize::try_from(length).ok().filter(|&count| count <= MOST)?;
            (0..count as u64).map(|index| Leaf { ty: element, offset: at.offset + index * stride }).collect()
        }
        TypeData::Struct { .. } | TypeData::Named(_) => {
            let placed = layout.struct_layout(module, at.ty).ok()?;
            let elements = placed.elements.iter().zip(&placed.offsets).take(MOST + 1);
            elements.map(|(&ty, &offset)| Leaf { ty, offset: at.offset + offset }).collect()
        }
        _ => {
            leaves.push(at);
            return (leaves.len() <= MOST).then_some(());
        }
    };
    elements.into_iter().try_for_each(|element| collect(module, layout, element, leaves, left))
}

/// The leaves of the part of a type that indices lead to, as those of `extractvalue`: the first one, and how many.
pub(crate) fn at_indices(
    module: &Module<'_>,
    layout: &DataLayout,
    mut ty: Type,
    indices: &[u32],
) -> Option<(usize, usize)> {
    let count = |ty: Type| of(module, layout, ty).map(|leaves| leaves.len());
    let mut first = 0;
    for &index in indices {
        let before = (0..index).try_fold(0, |before, earlier| {
            let (element, _) = layout.element(module, ty, earlier.into()).ok()?;
            Some(before + count(element)?)
        })?;
        first += before;
        ty = layout.element(module, ty, index.into()).ok().filter(|_| is_aggregate(module, ty))?.0;
    }
    Some((first, count(ty)?))
}

/// How many bytes a `getelementptr` with constant indices goes on; nothing for others, and for those that go back.
pub(crate) fn constant_offset(
    module: &Module<'_>,
    layout: &DataLayout,
    function: &Function,
    inst: Inst,
) -> Option<u64> {
    let data = &function.instructions[inst];
    let Extra::Element(mut ty) = data.extra else { return None };
    let constant = |value| match function.values[value].definition {
        Definition::Constant(ConstantData::Integer(number)) => u64::try_from(number).ok(),
        Definition::Constant(ConstantData::Zero) => Some(0),
        _ => None,
    };
    let indices = function.operands(inst).get(1..).filter(|_| data.opcode == Opcode::GetElementPtr)?;
    let mut offset = 0u64;
    for (position, &index) in indices.iter().enumerate() {
        let index = constant(index)?;
        let beyond = if position == 0 {
            layout.alloc_size(module, ty).ok()?.checked_mul(index)?
        } else {
            let (element, beyond) = layout.element(module, ty, index).ok()?;
            ty = element;
            beyond
        };
        offset = offset.checked_add(beyond)?;
    }
    Some(offset)
}
