//! What a global variable holds at first, byte by byte.

use std::ops::Range;

use reconverge_ir::Module;
use reconverge_ir::constant::ConstantData;
use reconverge_ir::function::Value;
use reconverge_ir::layout::DataLayout;
use reconverge_ir::types::{Type, TypeData};
use reconverge_ir::variable::Variable;

use super::evaluate::{Evaluator, component_bits};
use super::{Component, ConstantError};
use crate::layout::flatten;

type Result<T, E = ConstantError> = std::result::Result<T, E>;

/// How many bytes a variable may have.
const MAX_BYTES: u64 = 1 << 30;

/// The content of a variable before the program runs. Padding is zero.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Image {
    /// The bytes; zero where something below says otherwise.
    pub bytes: Vec<u8>,
    /// Numbers that depend on where globals are, by place.
    pub relocations: Vec<Relocation>,
    /// The bits that are `undef`: ranges, ascending, with gaps between them. Bit *i* is bit *i* mod 8 of byte *i* / 8.
    pub undefined: Vec<Range<u64>>,
    /// The bits that are poison, likewise.
    pub poison: Vec<Range<u64>>,
}

/// A number that depends on where globals are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Relocation {
    /// Its first byte.
    pub offset: u64,
    /// How many bits it has: a multiple of 8, at most 64.
    pub bits: u32,
    /// The number.
    pub value: Component,
}

/// The content of a variable before the program runs; that of one that is only declared is `undef`. O(size).
///
/// # Errors
/// When the type has no size, or one of more than 1 GiB; when a part is of a form that is not supported. See also
/// [`evaluate`](super::evaluate).
pub fn image(module: &Module<'_>, layout: &DataLayout, variable: &Variable) -> Result<Image> {
    let size = layout.alloc_size(module, variable.ty)?;
    if size > MAX_BYTES {
        return Err(ConstantError(format!("a variable of {size} bytes is larger than {MAX_BYTES}")));
    }
    let evaluator = Evaluator::new(module, layout, &variable.tables);
    let mut writer = Writer { evaluator, image: Image { bytes: vec![0; size as usize], ..Image::default() } };
    match variable.initializer {
        Some(value) => writer.value(value, 0)?,
        None => mark(&mut writer.image.undefined, 0..size * 8),
    }
    Ok(writer.image)
}

struct Writer<'a, 't> {
    evaluator: Evaluator<'a, 't>,
    image: Image,
}

impl Writer<'_, '_> {
    /// Writes a constant whose first byte is at an offset. Parts are written in ascending order.
    fn value(&mut self, value: Value, offset: u64) -> Result<()> {
        let evaluator = self.evaluator;
        let Evaluator { module, layout, function, .. } = evaluator;
        let (ty, constant) = evaluator.constant(value)?;
        match (constant, &module.types[ty]) {
            (ConstantData::Zero | ConstantData::Null, _) => Ok(()),
            (ConstantData::Undef, _) => {
                let bits = layout.store_size(module, ty)? * 8;
                mark(&mut self.image.undefined, offset * 8..offset * 8 + bits);
                Ok(())
            }
            (ConstantData::Poison, _) => {
                let bits = layout.store_size(module, ty)? * 8;
                mark(&mut self.image.poison, offset * 8..offset * 8 + bits);
                Ok(())
            }
            (ConstantData::Integer(number), TypeData::Integer(bits @ ..=64)) => {
                let number = number.cast_unsigned() & crate::value::low_bits(*bits);
                self.bits(offset * 8, bits.next_multiple_of(8), number);
                Ok(())
            }
            (ConstantData::String(span), _) => {
                let bytes = evaluator.string(ty, module.spelling(span))?;
                let start = offset as usize;
                self.image.bytes[start..start + bytes.len()].copy_from_slice(&bytes);
                Ok(())
            }
            (ConstantData::Aggregate(elements), data) if !matches!(data, TypeData::Vector { .. }) => {
                let elements = function.list(function.constants.aggregates[elements]);
                let types = evaluator.element_types(ty, elements.len() as u64)?;
                let offsets = match layout.sequence(module, ty)? {
                    Some((_, stride)) => (0..elements.len() as u64).map(|index| index * stride).collect(),
                    None => layout.struct_layout(module, ty)?.offsets,
                };
                for (index, &element) in elements.iter().enumerate() {
                    if function.values[element].ty != types.at(index) {
                        return Err(evaluator.mismatch(ty));
                    }
                    self.value(element, offset + offsets[index])?;
                }
                Ok(())
            }
            _ => self.components(ty, value, offset),
        }
    }

    /// Writes the scalars of a constant, one after the other.
    fn components(&mut self, ty: Type, value: Value, offset: u64) -> Result<()> {
        let Evaluator { module, layout, .. } = self.evaluator;
        let places = flatten(module, layout, ty)?;
        let mut components = self.evaluator.value(value)?.into_iter();
        for place in places {
            let mut start = offset * 8 + place.bit_offset;
            let end = start + u64::from(place.bits);
            for _ in component_bits(place.scalar) {
                let Some(component) = components.next() else { return Err(self.evaluator.mismatch(ty)) };
                let bits = (end - start).min(64) as u32;
                self.component(start, bits, component)?;
                start += u64::from(bits);
            }
        }
        Ok(())
    }

    fn component(&mut self, start: u64, bits: u32, component: Component) -> Result<()> {
        let range = start..start + u64::from(bits);
        match component {
            Component::Bits(number) => self.bits(start, bits, number),
            Component::Undef(_) => mark(&mut self.image.undefined, range),
            Component::Poison => mark(&mut self.image.poison, range),
            value if start.is_multiple_of(8) && bits.is_multiple_of(8) => {
                self.image.relocations.push(Relocation { offset: start / 8, bits, value });
            }
            _ => return Err("an address in part of a byte is not supported in a constant".into()),
        }
        Ok(())
    }

    /// Writes the low bits of a number.
    fn bits(&mut self, start: u64, bits: u32, number: u64) {
        let first = (start / 8) as usize;
        if start.is_multiple_of(8) && bits.is_multiple_of(8) {
            let count = bits as usize / 8;
            self.image.bytes[first..first + count].copy_from_slice(&number.to_le_bytes()[..count]);
            return;
        }
        for bit in (0..bits).filter(|bit| number >> bit & 1 != 0) {
            let at = start + u64::from(bit);
            self.image.bytes[(at / 8) as usize] |= 1 << (at % 8);
        }
    }
}

/// Adds a range behind all others.
fn mark(ranges: &mut Vec<Range<u64>>, range: Range<u64>) {
    match ranges.last_mut() {
        _ if range.is_empty() => {}
        Some(last) if last.end == range.start => last.end = range.end,
        _ => ranges.push(range),
    }
}
