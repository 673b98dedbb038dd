//! How values in registers lie in memory: scalars of a flattened type with their places, and what a `getelementptr` adds up.
//!
//! A scalar takes the bytes of its store size, and what is above its bits there is zero; but the elements of a vector
//! are packed without gaps, in bits, lowest first. The places of a type ascend and do not overlap. A handle of an image, sampler
//! or buffer is an integer of 64 bits, which means what the operation that makes it says.

use reconverge_ir::constant::{ConstantData, ExpressionKind};
use reconverge_ir::function::{Definition, Value};
use reconverge_ir::layout::{DataLayout, LayoutError, is_handle, type_error};
use reconverge_ir::types::{Type, TypeData};
use reconverge_ir::{Function, Module};

use crate::launch::Element;
use crate::value::{Scalar, Shape};

/// How many scalars a value may have: beyond all programs, and below what would take much memory in a register.
pub const MAX_SCALARS: usize = 1 << 16;

/// Where a scalar of a value lies in memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place {
    /// Its type.
    pub scalar: Scalar,
    /// The first bit, from the beginning of the value. A multiple of 8, except in a vector of elements that are not
    /// whole bytes.
    pub bit_offset: u64,
    /// How many bits it takes: those of its store size, or fewer in a vector. May differ from what it has in a register.
    pub bits: u32,
}

impl Place {
    /// The first byte.
    pub fn byte_offset(&self) -> u64 {
        self.bit_offset / 8
    }

    /// Whether it begins and ends with a byte.
    pub fn is_whole_bytes(&self) -> bool {
        self.bit_offset.is_multiple_of(8) && self.bits.is_multiple_of(8)
    }
}

/// The scalars of a type; none of `void`.
///
/// # Errors
/// When the type has no values in registers here, or more than [`MAX_SCALARS`] scalars.
pub fn shape(module: &Module<'_>, layout: &DataLayout, ty: Type) -> Result<Shape, LayoutError> {
    Ok(match ty {
        Type::VOID => Vec::new(),
        Type::TOKEN => vec![Scalar::Token],
        _ => flatten(module, layout, ty)?.into_iter().map(|place| place.scalar).collect(),
    })
}

/// The scalars of a type and their places in memory.
///
/// # Errors
/// When the type has no size, has parts without values in registers here, or has more than [`MAX_SCALARS`] scalars.
pub fn flatten(module: &Module<'_>, layout: &DataLayout, ty: Type) -> Result<Vec<Place>, LayoutError> {
    // Bounds the depth of the type, too.
    layout.size_in_bits(module, ty)?;
    let mut places = Vec::new();
    flatten_into(module, layout, ty, 0, &mut places)?;
    Ok(places)
}

fn flatten_into(
    module: &Module<'_>,
    layout: &DataLayout,
    ty: Type,
    base: u64,
    places: &mut Vec<Place>,
) -> Result<(), LayoutError> {
    let too_many = || type_error(module, ty, &format!("has more than {MAX_SCALARS} parts"));
    match &module.types[ty] {
        TypeData::Vector { length, element, .. } => {
            let scalar = scalar_of(module, layout, *element)?;
            let bits = layout.size_in_bits(module, *element)?;
            let length = usize::try_from(*length).ok().filter(|&length| length <= MAX_SCALARS - places.len());
            let range = 0..length.ok_or_else(too_many)? as u64;
            places.extend(range.map(|index| Place { scalar, bit_offset: base + index * bits, bits: bits as u32 }));
        }
        TypeData::Array { length, element } => {
            let start = places.len();
            if *length > 0 {
                flatten_into(module, layout, *element, base, places)?;
            }
            let count = places.len() - start;
            let stride = layout.alloc_size(module, *element)? * 8;
            let total = usize::try_from(*length).ok().and_then(|length| length.checked_mul(count));
            if total.is_none_or(|total| total > MAX_SCALARS - start) && count > 0 {
                return Err(too_many());
            }
            for index in 1..if count > 0 { *length } else { 0 } {
                for at in start..start + count {
                    let first = places[at];
                    places.push(Place { bit_offset: first.bit_offset + index * stride, ..first });
                }
            }
        }
        TypeData::Struct { .. } | TypeData::Named(_) => {
            let placed = layout.struct_layout(module, ty)?;
            for (&element, &offset) in placed.elements.iter().zip(&placed.offsets) {
                flatten_into(module, layout, element, base + offset * 8, places)?;
            }
        }
        _ => {
            let scalar = scalar_of(module, layout, ty)?;
            if places.len() >= MAX_SCALARS {
                return Err(too_many());
            }
            let bits = layout.store_size(module, ty)? * 8;
            places.push(Place { scalar, bit_offset: base, bits: bits as u32 });
        }
    }
    Ok(())
}

fn scalar_of(module: &Module<'_>, layout: &DataLayout, ty: Type) -> Result<Scalar, LayoutError> {
    Ok(match &module.types[ty] {
        TypeData::Integer(bits) => Scalar::Integer(*bits),
        TypeData::Half => Scalar::Half,
        TypeData::BFloat => Scalar::BFloat,
        TypeData::Float => Scalar::Float,
        TypeData::Double => Scalar::Double,
        data if is_handle(data) => Scalar::Integer(64),
        data => match layout.address_space(data) {
            Some(space) if layout.pointer(space).bits <= 64 => Scalar::Pointer(space),
            Some(_) => return Err(type_error(module, ty, "has more than 64 bits, which is not supported")),
            None => return Err(type_error(module, ty, "is not supported")),
        },
    })
}

/// What a `getelementptr` adds to a pointer: a constant, and multiples of some indices. All of it modulo 2 to the number
/// of index bits of the pointer's address space.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct AddressTerms {
    /// The constant, in bytes.
    pub offset: i64,
    /// The indices that are not constant.
    pub strides: Vec<Stride>,
}

/// An index of a `getelementptr` and what it counts. The index is signed, and may be a vector of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stride {
    /// Which index it is; 0 is the first behind the pointer.
    pub index: usize,
    /// How many bytes one is.
    pub bytes: i64,
}

/// What the indices of a `getelementptr` add to its pointer; O(indices · size of the types). `element` is the source
/// element type.
///
/// # Errors
/// When an index goes into something that has no such part.
pub fn address_terms(
    module: &Module<'_>,
    layout: &DataLayout,
    function: &Function,
    element: Type,
    indices: &[Value],
) -> Result<AddressTerms, LayoutError> {
    let mut terms = AddressTerms::default();
    let mut ty = element;
    for (index, &value) in indices.iter().enumerate() {
        let constant = constant_index(module, function, value);
        let stride = if index == 0 {
            Some((element, layout.alloc_size(module, element)?))
        } else {
            layout.sequence(module, ty)?
        };
        match (stride, constant) {
            (Some((next, bytes)), constant) => {
                ty = next;
                let bytes = bytes.cast_signed();
                match constant {
                    Some(constant) => terms.offset = terms.offset.wrapping_add(constant.wrapping_mul(bytes)),
                    None if bytes != 0 => terms.strides.push(Stride { index, bytes }),
                    None => {}
                }
            }
            (None, Some(constant)) => {
                let (next, offset) = layout.element(module, ty, constant.cast_unsigned())?;
                ty = next;
                terms.offset = terms.offset.wrapping_add(offset.cast_signed());
            }
            (None, None) => return Err(type_error(module, ty, "is indexed by something that is no constant")),
        }
    }
    Ok(terms)
}

/// The number that an index is, or that all elements of a vector of indices are.
fn constant_index(module: &Module<'_>, function: &Function, value: Value) -> Option<i64> {
    let Definition::Constant(constant) = function.values[value].definition else { return None };
    match constant {
        ConstantData::Integer(number) => match module.types[function.values[value].ty] {
            TypeData::Integer(bits @ 1..64) => Some(number << (64 - bits) >> (64 - bits)),
            _ => Some(number),
        },
        ConstantData::Zero => Some(0),
        ConstantData::Aggregate(elements) => {
            let mut numbers = function.list(function.constants.aggregates[elements]).iter();
            let first = constant_index(module, function, *numbers.next()?)?;
            numbers.all(|&number| constant_index(module, function, number) == Some(first)).then_some(first)
        }
        ConstantData::Expression(expression) => {
            let expression = function.constants.expressions[expression];
            match (expression.kind, function.list(expression.operands)) {
                (ExpressionKind::Splat, &[element]) => constant_index(module, function, element),
                _ => None,
            }
        }
        _ => None,
    }
}

/// The elements of a buffer that holds values of a type.
pub fn element_of(module: &Module<'_>, ty: Type) -> Option<Element> {
    Some(match &module.types[ty] {
        TypeData::Integer(8) => Element::U8,
        TypeData::Integer(16) => Element::U16,
        TypeData::Integer(32) => Element::U32,
        TypeData::Integer(64) => Element::U64,
        TypeData::Half => Element::F16,
        TypeData::BFloat => Element::BF16,
        TypeData::Float => Element::F32,
        TypeData::Double => Element::F64,
        TypeData::Vector { element, .. } | TypeData::Array { element, .. } => return element_of(module, *element),
        _ => return None,
    })
}
