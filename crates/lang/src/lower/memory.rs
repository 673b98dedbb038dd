//! Whole objects: copies, zeros.

use super::function::{FunctionText, instruction};
use super::place::Place;
use super::writer::{Operand, Pointer};
use crate::typed::{FloatKind, Type, TypeKind};

impl FunctionText<'_> {
    /// Copies an object from one place to another.
    pub(super) fn copy(&mut self, to: &Place, from: &Place) {
        self.tables.copies.insert((to.space, from.space));
        let size = self.context.types[to.of].size;
        let is_volatile = if to.is_volatile || from.is_volatile { "true" } else { "false" };
        instruction!(
            self,
            "call void @llvm.memcpy.p",
            to.space,
            ".p",
            from.space,
            ".i64(",
            Pointer(to.space),
            "align ",
            to.alignment,
            " ",
            to.pointer,
            ", ",
            Pointer(from.space),
            "align ",
            from.alignment,
            " ",
            from.pointer,
            ", i64 ",
            size,
            ", i1 ",
            is_volatile,
            ")"
        );
    }

    /// Fills a place with zeros.
    pub(super) fn fill_with_zeros(&mut self, place: &Place) {
        if !self.is_aggregate(place.of) {
            let zero = self.zero(place.of);
            return self.store(place, zero);
        }
        self.tables.fills.insert(place.space);
        let size = self.context.types[place.of].size;
        let is_volatile = if place.is_volatile { "true" } else { "false" };
        instruction!(
            self,
            "call void @llvm.memset.p",
            place.space,
            ".i64(",
            Pointer(place.space),
            "align ",
            place.alignment,
            " ",
            place.pointer,
            ", i8 0, i64 ",
            size,
            ", i1 ",
            is_volatile,
            ")"
        );
    }

    /// Whether a type is a struct, union or array.
    pub(super) fn is_aggregate(&self, of: Type) -> bool {
        matches!(self.context.program.types.kind(of), TypeKind::Struct(_) | TypeKind::Array { .. })
    }

    /// The value of which all bytes are zero; of pointers, the null pointer.
    pub(super) fn zero(&self, of: Type) -> Operand {
        match self.context.program.types.kind(of) {
            TypeKind::Void => Operand::None,
            TypeKind::Bool => Operand::Bool(false),
            TypeKind::Integer { .. } | TypeKind::Unknown => Operand::Integer(0),
            TypeKind::Float(FloatKind::Half) => Operand::Half(0),
            TypeKind::Float(FloatKind::BFloat) => Operand::BFloat(0),
            TypeKind::Float(_) => Operand::Float(0),
            TypeKind::Pointer { .. } | TypeKind::Function { .. } => self.null(self.space_of(of)),
            TypeKind::Vector { .. } | TypeKind::Array { .. } | TypeKind::Struct(_) => Operand::Zero,
            TypeKind::Opaque(_) => {
                let is_pointer = self.context.types[of].value.starts_with(b"ptr");
                if is_pointer { Operand::Null } else { Operand::Zero }
            }
        }
    }
}
