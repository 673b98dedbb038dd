//! How many bytes types take in memory, and where the members of structs lie: the rules of C on 64-bit devices.
//!
//! **Invariant.** Sizes are multiples of alignments. A vector of 3 takes the room of 4. Sizes that do not fit 64 bits are cut to the largest.

use std::borrow::Cow;

use super::{AddressSpace, FloatKind, Struct, StructLayout, Type, TypeKind, Types};
use crate::options::LowerTarget;

/// The sizes of types on a target.
#[derive(Debug, Clone, Copy)]
pub struct Layout<'a> {
    /// The types.
    pub types: &'a Types,
    /// The target: pointers to local and private memory take 4 bytes on AMDGPU.
    pub target: LowerTarget,
}

impl Layout<'_> {
    /// How many bytes a value takes in memory. 0 for void, functions, incomplete types; 1 for bool.
    pub fn size(&self, of: Type) -> u64 {
        match *self.types.kind(of) {
            TypeKind::Void | TypeKind::Function { .. } => 0,
            TypeKind::Bool => 1,
            TypeKind::Integer { bits, .. } => u64::from(bits) / 8,
            TypeKind::Float(FloatKind::Half | FloatKind::BFloat) => 2,
            TypeKind::Float(FloatKind::Single) => 4,
            TypeKind::Float(FloatKind::Double) => 8,
            TypeKind::Vector { element, lanes } => self.size(element) * u64::from(lanes).next_power_of_two(),
            TypeKind::Pointer { space, .. } => match (self.target, space) {
                (LowerTarget::Amdgpu, AddressSpace::Private | AddressSpace::Local) => 4,
                _ => 8,
            },
            TypeKind::Array { element, length } => self.size(element).saturating_mul(length),
            TypeKind::Struct(number) => self.members(number).size,
            TypeKind::Opaque(_) | TypeKind::Unknown => 8,
        }
    }

    /// The alignment of a value in memory, in bytes: a power of two, at least 1.
    pub fn alignment(&self, of: Type) -> u64 {
        match *self.types.kind(of) {
            TypeKind::Array { element, .. } => self.alignment(element),
            TypeKind::Struct(number) => self.members(number).alignment,
            _ => self.size(of).max(1),
        }
    }

    /// How many bytes before a member there are; the size of the struct where there are not so many members.
    pub fn offset(&self, of: Struct, field: u32) -> u64 {
        let members = self.members(of);
        members.offsets.get(field as usize).copied().unwrap_or(members.size)
    }

    /// Where the members are. What is found for a struct that is defined is kept: structs of structs would take exponential time otherwise.
    fn members(&self, of: Struct) -> Cow<'_, StructLayout> {
        let data = &self.types.structs[of];
        match data.is_complete {
            true => Cow::Borrowed(data.layout.get_or_init(|| self.lay_out(of))),
            false => Cow::Owned(self.lay_out(of)),
        }
    }

    fn lay_out(&self, of: Struct) -> StructLayout {
        let data = &self.types.structs[of];
        let (mut end, mut alignment) = (0u64, u64::from(data.alignment.unwrap_or(1)));
        let place = |field: &super::Field| {
            let own = if data.is_packed { 1 } else { self.alignment(field.of) };
            let start = if data.is_union { 0 } else { round_up(end, own) };
            end = end.max(start.saturating_add(self.size(field.of)));
            alignment = alignment.max(own);
            start
        };
        let offsets = data.fields.iter().map(place).collect();
        StructLayout { offsets, size: round_up(end, alignment), alignment }
    }
}

/// The next multiple of an alignment.
fn round_up(size: u64, alignment: u64) -> u64 {
    size.checked_next_multiple_of(alignment).unwrap_or(u64::MAX)
}
