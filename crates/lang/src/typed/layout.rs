//! How many bytes types take in memory, and where the members of structs lie: the rules of C on 64-bit devices.
//!
//! **Invariant.** Sizes are multiples of alignments. A vector of 3 takes the room of 4. Sizes that do not fit 64 bits are cut to the largest.

use super::{AddressSpace, FloatKind, Struct, Type, TypeKind, Types};
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
            TypeKind::Struct(number) => self.members(number, usize::MAX).1,
            TypeKind::Opaque(_) => 8,
        }
    }

    /// The alignment of a value in memory, in bytes: a power of two, at least 1.
    pub fn alignment(&self, of: Type) -> u64 {
        match *self.types.kind(of) {
            TypeKind::Array { element, .. } => self.alignment(element),
            TypeKind::Struct(number) => {
                let data = &self.types.structs[number];
                let natural = match data.is_packed {
                    true => 1,
                    false => data.fields.iter().map(|field| self.alignment(field.of)).max().unwrap_or(1),
                };
                natural.max(u64::from(data.alignment.unwrap_or(1)))
            }
            _ => self.size(of).max(1),
        }
    }

    /// How many bytes before a member there are; the size of the struct where there are not so many members.
    pub fn offset(&self, of: Struct, field: u32) -> u64 {
        self.members(of, field as usize).0
    }

    /// The offset of a member, and the size of the struct as far as it was looked at.
    fn members(&self, of: Struct, until: usize) -> (u64, u64) {
        let data = &self.types.structs[of];
        let mut end = 0u64;
        for (index, field) in data.fields.iter().enumerate() {
            let size = self.size(field.of);
            let start = match (data.is_union, data.is_packed) {
                (true, _) => 0,
                (false, true) => end,
                (false, false) => round_up(end, self.alignment(field.of)),
            };
            if index == until {
                return (start, end);
            }
            end = end.max(start.saturating_add(size));
        }
        let alignment = data.fields.iter().map(|field| self.alignment(field.of)).max().unwrap_or(1);
        let alignment = if data.is_packed { 1 } else { alignment }.max(u64::from(data.alignment.unwrap_or(1)));
        let size = round_up(end, alignment);
        (size, size)
    }
}

/// The next multiple of an alignment.
fn round_up(size: u64, alignment: u64) -> u64 {
    size.checked_next_multiple_of(alignment).unwrap_or(u64::MAX)
}
