//! What the parameters of a kernel that are pointers seem to point to.
//!
//! A type of pointers says nothing of it, so this is a guess, for launches that nobody gave in full: what is first loaded, stored or stepped over through a parameter, or through a variable
//! that the parameter is stored to.

use reconverge_ir::FunctionReader;
use reconverge_ir::function::{Definition, Extra, Value};
use reconverge_ir::opcode::Opcode;
use reconverge_ir::types::{Type, TypeData};
use rustc_hash::FxHashMap;

use crate::Program;
use crate::launch::Element;
use crate::layout::element_of;

impl Program<'_> {
    /// The elements of the buffers that a function seems to want, by the places among [`KernelInfo::parameters`](crate::KernelInfo::parameters). One walk over its text.
    pub fn elements(&self, function: &str) -> FxHashMap<u32, Element> {
        let module = self.module();
        let mut found = FxHashMap::default();
        let id = module.symbol_named(function.as_bytes()).and_then(|symbol| module.function_of(symbol));
        let mut reader = FunctionReader::new(module);
        let (Some(id), Some(Ok(function))) = (id, id.map(|id| reader.read(id))) else { return found };
        // The parameter that a pointer is computed from, and that a variable holds.
        let mut bases: FxHashMap<Value, u32> = FxHashMap::default();
        let mut held: FxHashMap<Value, u32> = FxHashMap::default();
        for (value, data) in &function.values {
            if let Definition::Parameter(index) = data.definition {
                bases.insert(value, index);
            }
        }
        for (inst, data) in &function.instructions {
            let operands = function.operands(inst);
            let mut accessed = |bases: &FxHashMap<Value, u32>, pointer: usize, ty: Type| {
                let base = operands.get(pointer).and_then(|value| bases.get(value));
                if let (Some(&base), Some(element)) = (base, element_of(module, ty)) {
                    found.entry(base).or_insert(element);
                }
            };
            match data.opcode {
                Opcode::Load => {
                    accessed(&bases, 0, data.ty);
                    let base = operands.first().and_then(|variable| held.get(variable)).copied();
                    if let (Some(base), Some(result)) = (base, data.result.expand()) {
                        bases.insert(result, base);
                    }
                }
                Opcode::Store => {
                    accessed(&bases, 1, function.values[operands[0]].ty);
                    if let Some(&base) = bases.get(&operands[0]) {
                        held.insert(operands[1], base);
                    }
                }
                Opcode::AtomicRmw => accessed(&bases, 0, data.ty),
                Opcode::GetElementPtr | Opcode::AddrSpaceCast => {
                    let base = operands.first().and_then(|value| bases.get(value)).copied();
                    if let (Some(base), Some(result)) = (base, data.result.expand()) {
                        bases.insert(result, base);
                    }
                    if let Extra::Element(ty) = data.extra
                        && !matches!(module.types[ty], TypeData::Integer(8))
                    {
                        accessed(&bases, 0, ty);
                    }
                }
                _ => {}
            }
        }
        self.passed(id)
            .into_iter()
            .zip(0..)
            .filter_map(|(passed, place)| {
                let element = match passed.member {
                    Some(member) => member.points_to,
                    None => found.get(&(passed.parameter as u32)).copied(),
                };
                Some((place, element?))
            })
            .collect()
    }
}
