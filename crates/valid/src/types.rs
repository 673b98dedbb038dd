//! Questions about types, and which answers LangRef asks for.
//!
//! The types that have fixed numbers in every module are told by number; others are looked up.

use reconverge_ir::Module;
use reconverge_ir::types::{Type, TypeData};

/// What an arithmetic instruction makes of a type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Class {
    Integer,
    Float,
    Pointer,
    Other,
}

/// The class of a type that is no vector.
#[inline]
pub(crate) fn class(module: &Module<'_>, ty: Type) -> Class {
    if (Type::I1..=Type::I64).contains(&ty) {
        return Class::Integer;
    }
    if (Type::HALF..=Type::PPC_FP128).contains(&ty) {
        return Class::Float;
    }
    if ty == Type::PTR {
        return Class::Pointer;
    }
    match module.types[ty] {
        TypeData::Integer(_) => Class::Integer,
        TypeData::Pointer { .. } | TypeData::PointerIn(_) => Class::Pointer,
        _ => Class::Other,
    }
}

/// The class of a type, or of the elements of a vector.
#[inline]
pub(crate) fn scalar_class(module: &Module<'_>, ty: Type) -> Class {
    match class(module, ty) {
        Class::Other => match module.types[ty] {
            TypeData::Vector { element, .. } => class(module, element),
            _ => Class::Other,
        },
        class => class,
    }
}

/// What a cast sees of a type.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Shape {
    /// The type, or that of the elements of a vector.
    pub(crate) scalar: Type,
    /// Its class.
    pub(crate) class: Class,
    /// As [`lanes`] says.
    pub(crate) lanes: Option<(u64, bool)>,
}

impl Shape {
    #[inline]
    pub(crate) fn of(module: &Module<'_>, ty: Type) -> Shape {
        let (scalar, lanes) = match module.types[ty] {
            TypeData::Vector { length, scalable, element } => (element, Some((length, scalable))),
            _ => (ty, None),
        };
        Shape { scalar, class: class(module, scalar), lanes }
    }
}

/// The number of elements of a vector and whether that is scaled; nothing for other types.
pub(crate) fn lanes(module: &Module<'_>, ty: Type) -> Option<(u64, bool)> {
    if (Type::VOID..=Type::PTR).contains(&ty) {
        return None;
    }
    match module.types[ty] {
        TypeData::Vector { length, scalable, .. } => Some((length, scalable)),
        _ => None,
    }
}

/// The width of a number; 0 for what has none.
pub(crate) fn bits(module: &Module<'_>, ty: Type) -> u64 {
    match ty {
        Type::I32 | Type::FLOAT => return 32,
        Type::I64 | Type::DOUBLE => return 64,
        _ => {}
    }
    match module.types[ty] {
        TypeData::Integer(bits) => bits.into(),
        TypeData::Half | TypeData::BFloat => 16,
        TypeData::Float => 32,
        TypeData::Double => 64,
        TypeData::X86Fp80 => 80,
        TypeData::Fp128 | TypeData::PpcFp128 => 128,
        TypeData::X86Mmx => 64,
        TypeData::X86Amx => 8192,
        TypeData::Vector { length, element, .. } => bits(module, element).saturating_mul(length),
        _ => 0,
    }
}

/// Whether values may have this type: all types but those of functions, `void` and opaque structs.
#[inline]
pub(crate) fn is_first_class(module: &Module<'_>, ty: Type) -> bool {
    if (Type::LABEL..=Type::PTR).contains(&ty) {
        return true;
    }
    match module.types[ty] {
        TypeData::Void | TypeData::Function { .. } => false,
        TypeData::Named(name) => module.named_types[name].body.is_some(),
        _ => true,
    }
}

/// Whether instructions may have a result of this type.
pub(crate) fn is_value(module: &Module<'_>, ty: Type) -> bool {
    is_first_class(module, ty) && !matches!(ty, Type::LABEL | Type::METADATA)
}

/// Whether a type is a struct or an array.
#[inline]
pub(crate) fn is_aggregate(module: &Module<'_>, ty: Type) -> bool {
    if (Type::VOID..=Type::PTR).contains(&ty) {
        return false;
    }
    matches!(module.types[ty], TypeData::Struct { .. } | TypeData::Named(_) | TypeData::Array { .. })
}

/// Whether fast-math flags mean something for a result of this type.
pub(crate) fn is_floating(module: &Module<'_>, mut ty: Type) -> bool {
    if scalar_class(module, ty) == Class::Float {
        return true;
    }
    while let TypeData::Array { element, .. } = module.types[ty] {
        ty = element;
    }
    match &module.types[ty] {
        TypeData::Struct { elements, .. } => elements.first().is_some_and(|&first| {
            scalar_class(module, first) == Class::Float && elements.iter().all(|&other| other == first)
        }),
        _ => scalar_class(module, ty) == Class::Float,
    }
}
