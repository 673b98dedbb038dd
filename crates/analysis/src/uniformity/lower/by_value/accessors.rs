//! Functions that return a part of what a parameter points to: `int &operator[](int i) { return data[i]; }`.
//!
//! **Definition.** Such a function returns, wherever it returns, an address that is computed from one parameter: by offsets, casts, variables that are written once and whose address goes nowhere,
//! and calls of such functions. Which part it is, is known where all offsets are constants.

use reconverge_ir::function::{Definition, Extra, Inst, Value};
use reconverge_ir::opcode::Opcode;
use reconverge_ir::{Function, FunctionId, FunctionReader};

use super::{Solver, call_of, constant_offset};

/// So many steps are followed from what is returned.
const MOST_STEPS: usize = 64;

/// Calls are followed into so many functions in each other.
const MOST_NESTED: usize = 32;

/// A part of what a parameter points to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Part {
    /// The number of the parameter.
    pub(super) of: usize,
    /// How many bytes behind what it points to; none for any number.
    pub(super) shift: Option<i64>,
}

impl Solver<'_> {
    /// What a function that is seen returns a part of, if it is such a function. O(text) for each function once.
    pub(super) fn part_of(&mut self, id: FunctionId) -> Option<Part> {
        self.part_within(id, MOST_NESTED)
    }

    fn part_within(&mut self, id: FunctionId, depth: usize) -> Option<Part> {
        if let Some(&known) = self.parts.get(&id) {
            return known;
        }
        let depth = depth.checked_sub(1)?;
        // Until that is known: what calls itself is none.
        self.parts.insert(id, None);
        let part = self.returned_part(id, depth);
        self.parts.insert(id, part);
        part
    }

    fn returned_part(&mut self, id: FunctionId, depth: usize) -> Option<Part> {
        let function = FunctionReader::new(self.module).read(id).ok()?;
        let mut all: Option<Part> = None;
        for (inst, _) in function.instructions.iter().filter(|(_, data)| data.opcode == Opcode::Ret) {
            let part = self.part_at(&function, *function.operands(inst).first()?, depth)?;
            all = match all {
                Some(all) if all.of != part.of => return None,
                Some(all) if all.shift != part.shift => Some(Part { shift: None, ..all }),
                _ => Some(part),
            };
        }
        all.filter(|part| !self.is_by_value(id, part.of))
    }

    /// What an address is a part of.
    fn part_at(&mut self, function: &Function, address: Value, depth: usize) -> Option<Part> {
        let (mut at, mut shift) = (address, Some(0i64));
        for _ in 0..MOST_STEPS {
            let inst = match function.values[at].definition {
                Definition::Parameter(of) => return Some(Part { of: of as usize, shift }),
                Definition::Instruction(inst) => inst,
                _ => return None,
            };
            let operands = function.operands(inst);
            let first = *operands.first()?;
            let beyond = match function.instructions[inst].opcode {
                Opcode::GetElementPtr => {
                    at = first;
                    let shift = constant_offset(self.module, self.layout, function, inst);
                    shift.and_then(|shift| i64::try_from(shift).ok())
                }
                Opcode::BitCast | Opcode::AddrSpaceCast | Opcode::Freeze => {
                    at = first;
                    Some(0)
                }
                Opcode::Load => {
                    at = only_stored(function, first)?;
                    Some(0)
                }
                Opcode::Call => {
                    let call = call_of(function, inst)?;
                    let part = self.part_within(self.seen(call.callee.expand()?)?, depth)?;
                    at = *operands[..call.argument_count as usize].get(part.of)?;
                    part.shift
                }
                _ => return None,
            };
            if !self.is_pointer(function.values[at].ty) {
                return None;
            }
            shift = shift.and_then(|shift| shift.checked_add(beyond?));
        }
        None
    }
}

/// What is stored in a variable, and is all that is ever read there. O(instructions).
fn only_stored(function: &Function, variable: Value) -> Option<Value> {
    let Definition::Instruction(alloca) = function.values[variable].definition else { return None };
    let Extra::Memory(allocated) = function.instructions[alloca].extra else { return None };
    if function.instructions[alloca].opcode != Opcode::Alloca || !function.operands(alloca).is_empty() {
        return None;
    }
    let ty = function.memory[allocated].ty;
    let mut stored = None;
    let uses = function.instructions.keys().filter(|&inst: &Inst| function.operands(inst).contains(&variable));
    for inst in uses {
        let (data, operands) = (&function.instructions[inst], function.operands(inst));
        match (data.opcode, operands) {
            (Opcode::Load, _) if data.result.expand().is_some_and(|result| function.values[result].ty == ty) => {}
            (Opcode::Store, &[value, address]) if address == variable && value != variable && stored.is_none() => {
                stored = Some(value).filter(|&value| function.values[value].ty == ty);
                stored?;
            }
            _ => return None,
        }
    }
    stored
}
