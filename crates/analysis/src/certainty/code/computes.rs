//! What an instruction computes, and from what.

use reconverge_ir::FunctionId;
use reconverge_ir::Module;
use reconverge_ir::function::{Extra, Inst, Value};
use reconverge_ir::module::{Symbol, SymbolKind};
use reconverge_ir::opcode::{Opcode, Predicate};
use reconverge_ir::types::{Type, TypeData};
use reconverge_operations::{Axis, Does, Item};

use smallvec::SmallVec;

use super::{Coder, constant};
use crate::integers::{Intrinsic, Overflow};
use crate::leaves;

/// An address, as a number of bytes behind another one.
pub(super) struct Element {
    pub(super) base: Value,
    /// Numbers of elements, how many bits they have, and how many bytes an element has.
    pub(super) indices: SmallVec<[(Value, u32, u64); 2]>,
    pub(super) offset: u64,
}

/// What an instruction that is no terminator computes.
pub(super) enum Computes {
    /// The leaves of another value, from one on.
    Move(Value, usize),
    /// The first value, with the second one in place of its leaves from one on.
    Insert([Value; 2], usize),
    SignExtend(Value, u32),
    Select([Value; 3]),
    Compare([Value; 2], Predicate, u32),
    Binary([Value; 2]),
    /// A result, and whether it is out of range.
    Overflow([Value; 2], Overflow),
    Element(Element),
    Phi,
    Query(Item, Axis),
    Intrinsic(Intrinsic),
    Call(FunctionId),
    /// Something that is not known.
    Anything,
}

impl Coder<'_, '_> {
    pub(super) fn computes(&self, inst: Inst) -> Computes {
        let data = &self.function.instructions[inst];
        let operands = self.function.operands(inst);
        let width_of = |value: Value| self.width(self.function.values[value].ty);
        match (data.opcode, operands) {
            (Opcode::Phi, _) => Computes::Phi,
            (Opcode::Call | Opcode::Invoke, _) => self.computes_call(inst),
            (Opcode::Load, &[address, ..]) => match self.variables.accessed(address) {
                Some((variable, first)) => Computes::Move(variable, first),
                None => Computes::Anything,
            },
            (Opcode::ZExt | Opcode::Trunc, &[of]) if self.width(data.ty).is_some() => Computes::Move(of, 0),
            (Opcode::Freeze, &[of]) => Computes::Move(of, 0),
            (Opcode::ExtractValue, &[of]) => match self.leaves_at(inst, of) {
                Some((first, _)) => Computes::Move(of, first),
                None => Computes::Anything,
            },
            (Opcode::InsertValue, &[of, value]) => match self.leaves_at(inst, of) {
                Some((first, count)) if count == self.widths(value).len() => Computes::Insert([of, value], first),
                _ => Computes::Anything,
            },
            (Opcode::SExt, &[of]) => width_of(of).map_or(Computes::Anything, |width| Computes::SignExtend(of, width)),
            (Opcode::Select, &[condition, yes, no]) if width_of(condition) == Some(1) => {
                Computes::Select([condition, yes, no])
            }
            (Opcode::ICmp, &[a, b]) => {
                let Extra::Predicate(predicate) = data.extra else { return Computes::Anything };
                let width = width_of(a).or(self.is_pointer(a).then_some(64));
                width.map_or(Computes::Anything, |width| Computes::Compare([a, b], predicate, width))
            }
            (Opcode::AddrSpaceCast | Opcode::BitCast, &[of]) if self.is_pointer(of) => Computes::Move(of, 0),
            (Opcode::GetElementPtr, &[base, ref indices @ ..]) if self.is_pointer(base) => {
                self.element(inst, base, indices).map_or(Computes::Anything, Computes::Element)
            }
            (opcode, &[a, b]) if is_arithmetic(opcode) && self.width(data.ty).is_some() => Computes::Binary([a, b]),
            _ => Computes::Anything,
        }
    }

    pub(super) fn is_pointer(&self, value: Value) -> bool {
        matches!(self.module.types[self.function.values[value].ty], TypeData::Pointer { .. })
    }

    /// The address that a `getelementptr` computes.
    fn element(&self, inst: Inst, base: Value, indices: &[Value]) -> Option<Element> {
        let Extra::Element(mut ty) = self.function.instructions[inst].extra else { return None };
        let layout = self.facts.layout(self.module);
        let size = |ty: Type| match self.module.types[ty] {
            TypeData::Integer(bits @ (8 | 16 | 32 | 64)) => Some(u64::from(bits / 8)),
            TypeData::Float => Some(4),
            TypeData::Double => Some(8),
            _ => layout?.alloc_size(self.module, ty).ok(),
        };
        let mut element = Element { base, indices: SmallVec::new(), offset: 0 };
        for (position, &index) in indices.iter().enumerate() {
            let known = constant(self.function, Some(index));
            let bytes = match (position, known) {
                (0, _) => size(ty)?,
                (_, Some(number)) => {
                    let beyond;
                    (ty, beyond) = layout?.element(self.module, ty, number).ok()?;
                    element.offset = element.offset.wrapping_add(beyond);
                    continue;
                }
                (_, None) => {
                    let bytes;
                    (ty, bytes) = layout?.sequence(self.module, ty).ok()??;
                    bytes
                }
            };
            match known {
                Some(number) => element.offset = element.offset.wrapping_add(number.wrapping_mul(bytes)),
                None => element.indices.push((index, self.width(self.function.values[index].ty)?, bytes)),
            }
        }
        Some(element)
    }

    /// The leaves of an aggregate that `extractvalue` or `insertvalue` is about: the first one, and how many.
    fn leaves_at(&self, inst: Inst, of: Value) -> Option<(usize, usize)> {
        let Extra::Indices(indices) = self.function.instructions[inst].extra else { return None };
        let (layout, ty) = (self.facts.layout(self.module)?, self.function.values[of].ty);
        leaves::of(self.module, layout, ty)?;
        leaves::at_indices(self.module, layout, ty, self.function.indices(indices))
    }

    fn computes_call(&self, inst: Inst) -> Computes {
        let Extra::Call(call) = self.function.instructions[inst].extra else { return Computes::Anything };
        let Some(callee) = self.function.calls[call].callee.expand() else { return Computes::Anything };
        if let SymbolKind::Function(id) = self.module.symbols[callee].kind
            && self.module.functions[id].body.is_some()
            && self.facts.has_body(self.module, id)
        {
            return Computes::Call(id);
        }
        if let Some(Does::Query(item, axis)) = operation(self.module, callee) {
            return Computes::Query(item, axis);
        }
        let arguments = self.arguments(inst);
        if let &[a, b] = arguments
            && self.width(self.function.values[a].ty).is_some()
            && let Some(overflow) = overflow(self.module, callee)
        {
            return Computes::Overflow([a, b], overflow);
        }
        let is_integer = self.width(self.function.instructions[inst].ty).is_some();
        let found = intrinsic(self.module, callee).filter(|found| is_integer && found.takes(arguments.len()));
        found.map_or(Computes::Anything, Computes::Intrinsic)
    }

    /// What a result that matters is computed from.
    pub(super) fn inputs(&self, inst: Inst) -> Vec<Value> {
        match self.computes(inst) {
            Computes::Move(of, _) | Computes::SignExtend(of, _) => vec![of],
            Computes::Select(of) => of.to_vec(),
            Computes::Compare(of, ..) | Computes::Binary(of) | Computes::Overflow(of, _) | Computes::Insert(of, _) => {
                of.to_vec()
            }
            Computes::Element(element) => {
                element.indices.iter().map(|&(index, ..)| index).chain([element.base]).collect()
            }
            Computes::Phi => self.function.operands(inst).to_vec(),
            Computes::Query(..) | Computes::Intrinsic(_) | Computes::Call(_) => self.arguments(inst).to_vec(),
            Computes::Anything => Vec::new(),
        }
    }
}

/// What a function without a body does, by its name.
pub(in crate::certainty) fn operation(module: &Module<'_>, symbol: Symbol) -> Option<Does> {
    let name = module.symbol_name(symbol);
    Some(reconverge_operations::find(std::str::from_utf8(&name).ok()?)?.does)
}

/// An LLVM intrinsic or a function of CUDA's library, by its name.
fn intrinsic(module: &Module<'_>, symbol: Symbol) -> Option<Intrinsic> {
    let name = module.symbol_name(symbol);
    let name = std::str::from_utf8(&name).ok()?;
    let name = name.strip_prefix("llvm.").or_else(|| name.strip_prefix("__nv_"))?;
    Intrinsic::named(name.split('.').next()?)
}

/// An LLVM intrinsic that also says whether its result is out of range.
fn overflow(module: &Module<'_>, symbol: Symbol) -> Option<Overflow> {
    let name = module.symbol_name(symbol);
    let (stem, _) = std::str::from_utf8(&name).ok()?.strip_prefix("llvm.")?.split_once(".with.overflow.")?;
    let (is_signed, operation) = (stem.strip_prefix('s'), stem.strip_prefix('u'));
    let opcode = match is_signed.or(operation)? {
        "add" => Opcode::Add,
        "sub" => Opcode::Sub,
        "mul" => Opcode::Mul,
        _ => return None,
    };
    Some(Overflow { opcode, is_signed: is_signed.is_some() })
}

pub(super) fn is_division(opcode: Opcode) -> bool {
    matches!(opcode, Opcode::UDiv | Opcode::SDiv | Opcode::URem | Opcode::SRem)
}

/// Whether [`binary`](crate::integers::binary) knows it.
fn is_arithmetic(opcode: Opcode) -> bool {
    let is_other = || {
        matches!(
            opcode,
            Opcode::Add
                | Opcode::Sub
                | Opcode::Mul
                | Opcode::And
                | Opcode::Or
                | Opcode::Xor
                | Opcode::Shl
                | Opcode::LShr
                | Opcode::AShr
        )
    };
    is_division(opcode) || is_other()
}
