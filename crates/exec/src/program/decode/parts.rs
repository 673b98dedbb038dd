//! What takes values apart and puts them together.

use reconverge_ir::function::{Extra, InstData, Value};
use reconverge_ir::opcode::Opcode;
use reconverge_ir::types::{Type, TypeData};

use super::{Decoder, Result, moves, same};
use crate::constants::{Component, evaluate};
use crate::program::code::{Op, Operand, Registers};
use crate::value::component_count;

impl Decoder<'_, '_, '_> {
    pub(super) fn element_operation(&mut self, data: &InstData, values: &[Value], out: Registers) -> Result<Op> {
        let extract = data.opcode == Opcode::ExtractElement;
        let vector = self.operand(values[0])?;
        let scalar = self.shape(self.ty(values[0]))?[0];
        let width = scalar.components();
        let index_value = values[if extract { 1 } else { 2 }];
        let index = self.operand(index_value)?;
        let length = vector.count as u64 / width as u64;
        let at = self.constant(index_value).filter(|&at| at < length).map(|at| at as usize * width);
        if extract {
            return Ok(match at {
                Some(at) => same(vector.part(at, width), out),
                None => Op::Extract { vector, index, width: width as u32, out },
            });
        }
        let element = self.operand(values[1])?;
        Ok(match at {
            Some(at) => {
                let from = |part: usize| {
                    if (at..at + width).contains(&part) { element.part(part - at, 1) } else { vector.part(part, 1) }
                };
                moves(out, from)
            }
            None => Op::Insert { vector, element, index, width: width as u32, out },
        })
    }

    pub(super) fn shuffle(&mut self, values: &[Value], out: Registers) -> Result<Op> {
        let (a, b) = (self.operand(values[0])?, self.operand(values[1])?);
        let width = self.shape(self.ty(values[0]))?[0].components();
        let mask = evaluate(self.module, &self.linker.layout, self.function, values[2]).map_err(|e| e.to_string())?;
        let length = a.count as usize / width;
        let poison = self.poison();
        let from = |part: usize| match mask.components.get(part / width) {
            Some(Component::Bits(index)) => {
                let (index, within) = (*index as usize, part % width);
                if index < length {
                    a.part(index * width + within, 1)
                } else {
                    b.part((index - length).min(length - 1) * width + within, 1)
                }
            }
            _ => poison,
        };
        Ok(moves(out, from))
    }

    /// A component that is poison.
    pub(in crate::program) fn poison(&mut self) -> Operand {
        self.constants.push(Component::Poison);
        Operand::constants(self.constants.len() - 1, 1)
    }

    /// A component that is a number.
    pub(in crate::program) fn number(&mut self, bits: u64) -> Operand {
        self.constants.push(Component::Bits(bits));
        Operand::constants(self.constants.len() - 1, 1)
    }

    pub(super) fn aggregate_operation(&mut self, data: &InstData, values: &[Value], out: Registers) -> Result<Op> {
        let Extra::Indices(indices) = data.extra else { return Err("no indices".into()) };
        let aggregate = self.operand(values[0])?;
        let mut ty = self.ty(values[0]);
        let mut start = 0;
        for &index in self.function.indices(indices) {
            let types = &self.module.types;
            let elements = match &types[self.resolved(ty)] {
                TypeData::Struct { elements, .. } => {
                    let element = *elements.get(index as usize).ok_or("an index beyond the end")?;
                    for &before in &elements[..index as usize] {
                        start += component_count(&self.shape(before)?);
                    }
                    element
                }
                TypeData::Array { element, .. } => {
                    start += index as usize * component_count(&self.shape(*element)?);
                    *element
                }
                _ => return Err("an index into what has no parts".into()),
            };
            ty = elements;
        }
        let count = component_count(&self.shape(ty)?);
        if data.opcode == Opcode::ExtractValue {
            return Ok(same(aggregate.part(start, count), out));
        }
        let element = self.operand(values[1])?;
        Ok(moves(out, |part| {
            if (start..start + count).contains(&part) { element.part(part - start, 1) } else { aggregate.part(part, 1) }
        }))
    }

    fn resolved(&self, mut ty: Type) -> Type {
        while let TypeData::Named(named) = self.module.types[ty] {
            let data = &self.module.named_types[named];
            match data.body.or(data.alias) {
                Some(body) => ty = body,
                None => break,
            }
        }
        ty
    }
}
