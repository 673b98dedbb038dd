//! Evaluating constants, constant expressions folded.

use reconverge_ir::constant::{ConstantData, Expression, ExpressionKind};
use reconverge_ir::function::{Definition, Value};
use reconverge_ir::layout::DataLayout;
use reconverge_ir::literal::{float_bits, integer_words};
use reconverge_ir::module::SymbolKind;
use reconverge_ir::opcode::Opcode;
use reconverge_ir::types::{Type, TypeData};
use reconverge_ir::{Function, Module, Symbol};

use super::{Address, BlockAddress, BlockName, Combination, Component, ConstantError, ConstantValue, binary};
use crate::layout::{address_terms, shape};
use crate::value::{Scalar, low_bits};

type Result<T, E = ConstantError> = std::result::Result<T, E>;

/// How deep constants may nest, those of aliases included: more than the reader lets one constant nest.
const MAX_DEPTH: u32 = 250;

/// Evaluates a value of a function, or of the tables of a variable, that is a constant; O(size of the constant).
///
/// # Errors
/// When the value is no constant, its type has no values in registers here, or it has a form that is not supported
/// (operations on floating-point numbers and others that LLVM itself folds).
pub fn evaluate(module: &Module<'_>, layout: &DataLayout, function: &Function, value: Value) -> Result<ConstantValue> {
    let components = Evaluator::new(module, layout, function).value(value)?;
    Ok(ConstantValue { components })
}

/// Evaluates the constants in one set of tables.
#[derive(Clone, Copy)]
pub(super) struct Evaluator<'a, 't> {
    pub(super) module: &'a Module<'t>,
    pub(super) layout: &'a DataLayout,
    pub(super) function: &'a Function,
    depth: u32,
}

impl<'a, 't> Evaluator<'a, 't> {
    pub(super) fn new(module: &'a Module<'t>, layout: &'a DataLayout, function: &'a Function) -> Evaluator<'a, 't> {
        Evaluator { module, layout, function, depth: 0 }
    }

    fn shape(&self, ty: Type) -> Result<Vec<Scalar>> {
        Ok(shape(self.module, self.layout, ty)?)
    }

    /// The constant that a value is.
    pub(super) fn constant(&self, value: Value) -> Result<(Type, ConstantData)> {
        let data = self.function.values[value];
        match data.definition {
            Definition::Constant(constant) => Ok((data.ty, constant)),
            _ => Err("this value is no constant".into()),
        }
    }

    pub(super) fn value(&self, value: Value) -> Result<Vec<Component>> {
        let depth = self.depth + 1;
        if depth > MAX_DEPTH {
            return Err(ConstantError(format!("this constant nests deeper than {MAX_DEPTH} levels")));
        }
        Evaluator { depth, ..*self }.components(value)
    }

    fn components(&self, value: Value) -> Result<Vec<Component>> {
        let (ty, constant) = self.constant(value)?;
        Ok(match constant {
            ConstantData::Integer(number) => match self.shape(ty)?[..] {
                [Scalar::Integer(bits)] => sign_extended(number, bits),
                _ => return Err(self.mismatch(ty)),
            },
            ConstantData::Literal(span) => {
                let spelling = self.module.spelling(span);
                match &self.module.types[ty] {
                    TypeData::Integer(bits) => {
                        integer_words(spelling, *bits)?.into_iter().map(Component::Bits).collect()
                    }
                    data => vec![Component::Bits(float_bits(spelling, data)?)],
                }
            }
            ConstantData::Null | ConstantData::Zero | ConstantData::NoneToken => {
                self.all(ty, |_| Component::Bits(0))?
            }
            ConstantData::Undef => self.all(ty, |bits| Component::Undef(low_bits(bits)))?,
            ConstantData::Poison => self.all(ty, |_| Component::Poison)?,
            ConstantData::Global(symbol) => vec![self.symbol(ty, symbol)?],
            ConstantData::Aggregate(elements) => {
                let elements = self.function.list(self.function.constants.aggregates[elements]);
                let types = self.element_types(ty, elements.len() as u64)?;
                // Bounds the number of components.
                self.shape(ty)?;
                let mut components = Vec::new();
                for (index, &element) in elements.iter().enumerate() {
                    if self.function.values[element].ty != types.at(index) {
                        return Err(self.mismatch(ty));
                    }
                    components.extend(self.value(element)?);
                }
                components
            }
            ConstantData::String(span) => {
                self.shape(ty)?;
                self.string(ty, self.module.spelling(span))?
                    .into_iter()
                    .map(|byte| Component::Bits(byte.into()))
                    .collect()
            }
            ConstantData::Expression(expression) => self.expression(ty, expression)?,
            ConstantData::Metadata(_) => return Err("metadata has no value".into()),
        })
    }

    /// The bytes of `c"…"`.
    pub(super) fn string(&self, ty: Type, spelling: &[u8]) -> Result<Vec<u8>> {
        let bytes = reconverge_ir::text::unquote(spelling.get(1..).unwrap_or(b""));
        match self.module.types[ty] {
            TypeData::Array { length, element: Type::I8 } if length == bytes.len() as u64 => Ok(bytes.into_owned()),
            _ => Err(self.mismatch(ty)),
        }
    }

    /// The types of the elements of an aggregate of which so many are given.
    pub(super) fn element_types(&self, ty: Type, count: u64) -> Result<ElementTypes<'_>> {
        let body = match self.module.types[ty] {
            TypeData::Named(named) => self.module.named_types[named].body.unwrap_or(ty),
            _ => ty,
        };
        match &self.module.types[body] {
            TypeData::Array { length, element } | TypeData::Vector { length, element, scalable: false }
                if *length == count =>
            {
                Ok(ElementTypes::Same(*element))
            }
            TypeData::Struct { elements, .. } if elements.len() as u64 == count => Ok(ElementTypes::Each(elements)),
            _ => Err(self.mismatch(ty)),
        }
    }

    #[cold]
    pub(super) fn mismatch(&self, ty: Type) -> ConstantError {
        reconverge_ir::layout::type_error(self.module, ty, "does not fit this constant").into()
    }

    /// A value of the same kind in each component, made from the component's width.
    fn all(&self, ty: Type, component: impl Fn(u32) -> Component) -> Result<Vec<Component>> {
        let shape = self.shape(ty)?;
        Ok(shape.into_iter().flat_map(component_bits).map(component).collect())
    }

    /// The address that a symbol stands for, as an operand of this type.
    fn symbol(&self, ty: Type, symbol: Symbol) -> Result<Component> {
        let module = self.module;
        match module.symbols[symbol].kind {
            SymbolKind::IFunc => return Err("an ifunc has no address before the program runs".into()),
            SymbolKind::Alias => {
                const NOT_ONE: &str = "an alias stands for one address";
                let alias = module.alias(symbol)?.ok_or(NOT_ONE)?;
                // With one symbol in each, a chain of aliases takes no longer than its text.
                let is_symbol = |definition| matches!(definition, Definition::Constant(ConstantData::Global(_)));
                if alias.tables.values.values().filter(|data| is_symbol(data.definition)).count() > 1 {
                    return Err(NOT_ONE.into());
                }
                let address = Evaluator { function: &alias.tables, ..*self }.value(alias.aliasee)?.pop();
                return address.ok_or_else(|| NOT_ONE.into());
            }
            _ => {}
        }
        match self.shape(ty)?[..] {
            [Scalar::Pointer(space)] => {
                Ok(Component::Address(Address { symbol, offset: 0, space, bits: self.layout.pointer(space).bits }))
            }
            _ => Err(self.mismatch(ty)),
        }
    }

    fn expression(&self, ty: Type, expression: Expression) -> Result<Vec<Component>> {
        let expression = self.function.constants.expressions[expression];
        let operands = self.function.list(expression.operands);
        let unsupported = |what: &str| Err(ConstantError(format!("'{what}' is not supported in a constant")));
        match (expression.kind, operands) {
            (ExpressionKind::Splat, &[element]) => {
                let length = match self.module.types[ty] {
                    TypeData::Vector { length, element: of, .. } if of == self.function.values[element].ty => length,
                    _ => return Err(self.mismatch(ty)),
                };
                self.shape(ty)?;
                let element = self.value(element)?;
                Ok((0..length).flat_map(|_| element.iter().cloned()).collect())
            }
            (ExpressionKind::DsoLocalEquivalent | ExpressionKind::NoCfi, &[global]) => self.value(global),
            (ExpressionKind::GetElementPtr(element, ..), &[base, ref indices @ ..]) => {
                self.get_element_ptr(ty, element, base, indices)
            }
            (ExpressionKind::Operation(opcode, _), &[operand]) if opcode.is_cast() => self.cast(ty, opcode, operand),
            (ExpressionKind::Operation(opcode, _), &[left, right]) if opcode.is_binary() => {
                self.binary(ty, opcode, left, right)
            }
            (ExpressionKind::Operation(opcode, _) | ExpressionKind::Compare(opcode, _), _) => {
                unsupported(opcode.keyword())
            }
            (ExpressionKind::BlockAddress(block), &[function]) => match self.constant(function)?.1 {
                ConstantData::Global(function) => {
                    Ok(vec![Component::Block(BlockAddress { function, block: BlockName::of(self.module, block) })])
                }
                _ => Err(self.mismatch(ty)),
            },
            (ExpressionKind::PtrAuth, _) => unsupported("ptrauth"),
            (ExpressionKind::InlineAsm(_), _) => unsupported("asm"),
            _ => Err(self.mismatch(ty)),
        }
    }

    fn binary(&self, ty: Type, opcode: Opcode, left: Value, right: Value) -> Result<Vec<Component>> {
        let shape = self.shape(ty)?;
        let (left, right) = (self.of_shape(left, &shape)?, self.of_shape(right, &shape)?);
        let mut result = Vec::with_capacity(left.len());
        let mut at = 0;
        for scalar in shape {
            let Scalar::Integer(bits) = scalar else { return Err(self.mismatch(ty)) };
            let end = at + scalar.components();
            result.extend(binary_components(opcode, bits, &left[at..end], &right[at..end])?);
            at = end;
        }
        Ok(result)
    }

    /// The components of an operand that must have this shape.
    fn of_shape(&self, value: Value, shape: &[Scalar]) -> Result<Vec<Component>> {
        let ty = self.function.values[value].ty;
        if self.shape(ty)? == shape { self.value(value) } else { Err(self.mismatch(ty)) }
    }

    fn cast(&self, ty: Type, opcode: Opcode, operand: Value) -> Result<Vec<Component>> {
        let from = self.shape(self.function.values[operand].ty)?;
        let to = self.shape(ty)?;
        let components = self.value(operand)?;
        if opcode == Opcode::BitCast {
            return self.bit_cast(ty, &from, &to, components);
        }
        if from.len() != to.len() {
            return Err(self.mismatch(ty));
        }
        let mut result = Vec::with_capacity(components.len());
        let mut rest = components.as_slice();
        for (&from, &to) in from.iter().zip(&to) {
            let (one, others) = rest.split_at(from.components());
            rest = others;
            let (from_bits, to_bits) = (self.bits_of(from), self.bits_of(to));
            match (opcode, from, to) {
                (Opcode::Trunc | Opcode::ZExt, Scalar::Integer(_), Scalar::Integer(_))
                | (Opcode::PtrToInt | Opcode::PtrToAddr, Scalar::Pointer(_), Scalar::Integer(_))
                | (Opcode::IntToPtr, Scalar::Integer(_), Scalar::Pointer(_)) => {
                    let count = to_bits.div_ceil(64) as usize;
                    let poison = one.contains(&Component::Poison);
                    for (index, bits) in component_bits(to).enumerate().take(count) {
                        // A pointer has fewer bits in memory than in a register in some address spaces.
                        let bits = bits.min(to_bits);
                        result.push(match one.get(index) {
                            _ if poison => Component::Poison,
                            Some(component) => low(component.clone(), bits),
                            None => Component::Bits(0),
                        });
                    }
                }
                (Opcode::SExt, Scalar::Integer(_), Scalar::Integer(_)) => match *one {
                    [Component::Bits(number)] => {
                        let spare = 64 - from_bits;
                        result.extend(sign_extended(number.cast_signed() << spare >> spare, to_bits));
                    }
                    [Component::Poison] => result.extend(component_bits(to).map(|_| Component::Poison)),
                    _ => return Err("'sext' of this is not supported in a constant".into()),
                },
                (Opcode::AddrSpaceCast, Scalar::Pointer(from), Scalar::Pointer(to)) => {
                    result.extend(one.iter().map(|component| self.address_space_cast(from, to, component)));
                }
                _ => return Err(ConstantError(format!("'{}' is not supported in a constant", opcode.keyword()))),
            }
        }
        Ok(result)
    }

    /// How many bits a scalar has for casts: of a pointer, those that it has in memory.
    fn bits_of(&self, scalar: Scalar) -> u32 {
        match scalar {
            Scalar::Pointer(space) => self.layout.pointer(space).bits,
            _ => scalar.bits(),
        }
    }

    fn address_space_cast(&self, from: u32, to: u32, component: &Component) -> Component {
        let bits = self.layout.pointer(to).bits;
        match component {
            Component::Address(address) if address.space == from && address.bits == self.layout.pointer(from).bits => {
                Component::Address(Address { space: to, bits, ..*address })
            }
            Component::Poison => Component::Poison,
            Component::Undef(_) => Component::Undef(low_bits(bits)),
            operand => Component::Combination(Box::new(Combination::Cast { from, to, operand: operand.clone() })),
        }
    }

    /// The same bits as another type: unchanged where the scalars are of the same widths, else cut anew.
    fn bit_cast(&self, ty: Type, from: &[Scalar], to: &[Scalar], components: Vec<Component>) -> Result<Vec<Component>> {
        let widths = |shape: &[Scalar]| shape.iter().map(|&scalar| self.bits_of(scalar)).collect::<Vec<u32>>();
        let (from, to) = (widths(from), widths(to));
        if from == to {
            return Ok(components);
        }
        let total = |widths: &[u32]| widths.iter().map(|&bits| u64::from(bits)).sum::<u64>();
        if total(&from) != total(&to) {
            return Err(self.mismatch(ty));
        }
        let pieces = |widths: &[u32]| widths.iter().flat_map(|&bits| pieces_of(bits)).collect::<Vec<u32>>();
        if components.iter().any(Component::is_symbolic) {
            return Err("a 'bitcast' of parts of addresses is not supported in a constant".into());
        }
        // Bits, `undef` and poison, one after the other.
        let mut bits = Vec::new();
        for (component, width) in components.iter().zip(pieces(&from)) {
            bits.extend((0..width).map(|bit| match component {
                Component::Bits(number) => (number >> bit & 1, false, false),
                Component::Undef(_) => (0, true, false),
                _ => (0, false, true),
            }));
        }
        let mut bits = bits.into_iter();
        pieces(&to)
            .into_iter()
            .map(|width| {
                let (mut number, mut undefined, mut poison) = (0, 0, false);
                for (at, (bit, is_undefined, is_poison)) in bits.by_ref().take(width as usize).enumerate() {
                    number |= bit << at;
                    undefined |= u64::from(is_undefined) << at;
                    poison |= is_poison;
                }
                match undefined {
                    _ if poison => Ok(Component::Poison),
                    0 => Ok(Component::Bits(number)),
                    all if all == low_bits(width) => Ok(Component::Undef(all)),
                    _ => Err("a number with some 'undef' bits is not supported in a constant".into()),
                }
            })
            .collect()
    }

    fn get_element_ptr(&self, ty: Type, element: Type, base: Value, indices: &[Value]) -> Result<Vec<Component>> {
        let shape = self.shape(ty)?;
        let lanes = shape.len();
        let Some(&Scalar::Pointer(space)) = shape.first() else { return Err(self.mismatch(ty)) };
        // A scalar operand of a vector of addresses counts for all of them.
        let spread = |value: Value| {
            let components = self.value(value)?;
            match components.len() {
                1 => Ok((0..lanes).map(|_| components[0].clone()).collect()),
                count if count == lanes => Ok(components),
                _ => Err(self.mismatch(ty)),
            }
        };
        let terms = address_terms(self.module, self.layout, self.function, element, indices)?;
        let mut offsets = vec![Some(terms.offset); lanes];
        for stride in terms.strides {
            let index = indices[stride.index];
            let scalar = self.shape(self.function.values[index].ty)?;
            let &[Scalar::Integer(bits @ 1..=64), ..] = &scalar[..] else {
                return Err("an index of this type is not supported in a constant".into());
            };
            for (offset, component) in offsets.iter_mut().zip(spread(index)?) {
                *offset = match component {
                    Component::Bits(number) => offset.map(|offset| {
                        let number = number.cast_signed() << (64 - bits) >> (64 - bits);
                        offset.wrapping_add(number.wrapping_mul(stride.bytes))
                    }),
                    Component::Poison | Component::Undef(_) => None,
                    _ => return Err("an index that depends on an address is not supported in a constant".into()),
                };
            }
        }
        let pointer = self.layout.pointer(space);
        let mut addresses: Vec<Component> = spread(base)?;
        for (address, offset) in addresses.iter_mut().zip(offsets) {
            *address = match offset {
                Some(offset) => {
                    let offset = Component::Bits(offset.cast_unsigned() & low_bits(pointer.bits));
                    binary_component(Opcode::Add, pointer.bits, std::mem::replace(address, Component::Poison), offset)
                }
                None => Component::Poison,
            };
        }
        Ok(addresses)
    }
}

/// The types of the elements of an aggregate.
#[derive(Clone, Copy)]
pub(super) enum ElementTypes<'a> {
    Same(Type),
    Each(&'a [Type]),
}

impl ElementTypes<'_> {
    pub(super) fn at(self, index: usize) -> Type {
        match self {
            ElementTypes::Same(ty) => ty,
            ElementTypes::Each(types) => types[index],
        }
    }
}

/// The widths of the components of a scalar.
pub(super) fn component_bits(scalar: Scalar) -> impl Iterator<Item = u32> {
    pieces_of(scalar.bits())
}

fn pieces_of(bits: u32) -> impl Iterator<Item = u32> {
    (0..bits.div_ceil(64)).map(move |index| (bits - index * 64).min(64))
}

/// The components of an integer of some bits.
fn sign_extended(number: i64, bits: u32) -> Vec<Component> {
    let word = |index| if index == 0 { number } else { number >> 63 };
    let pieces = pieces_of(bits).enumerate();
    pieces.map(|(index, bits)| Component::Bits(word(index).cast_unsigned() & low_bits(bits))).collect()
}

/// The low bits of a component.
fn low(component: Component, bits: u32) -> Component {
    match component {
        Component::Bits(number) => Component::Bits(number & low_bits(bits)),
        Component::Undef(undefined) => Component::Undef(undefined & low_bits(bits)),
        Component::Poison => Component::Poison,
        Component::Address(address) => Component::Address(Address { bits: address.bits.min(bits), ..address }),
        operand => Component::Combination(Box::new(Combination::Low { bits, operand })),
    }
}

/// An operation on the components of two integers.
fn binary_components(opcode: Opcode, bits: u32, left: &[Component], right: &[Component]) -> Result<Vec<Component>> {
    if let ([left], [right]) = (left, right) {
        let result = binary_component(opcode, bits, left.clone(), right.clone());
        if let Component::Combination(_) = result
            && binary(opcode, bits, 1, 0).is_none()
        {
            return Err(ConstantError(format!("'{}' is not supported in a constant", opcode.keyword())));
        }
        return Ok(vec![result]);
    }
    let mut numbers = [0u128; 2];
    for (number, components) in numbers.iter_mut().zip([left, right]) {
        if components.len() > 2 {
            return Err("operations on integers of more than 128 bits are not supported in a constant".into());
        }
        for (index, component) in components.iter().enumerate() {
            match component {
                Component::Bits(bits) => *number |= u128::from(*bits) << (64 * index),
                _ => return Err("operations on such wide integers are not supported in a constant".into()),
            }
        }
    }
    let [left, right] = numbers;
    let result = match binary(opcode, bits, left, right) {
        Some(result) => result,
        None => return Err(ConstantError(format!("'{}' is not supported in a constant", opcode.keyword()))),
    };
    Ok(pieces_of(bits).enumerate().map(|(index, _)| Component::Bits((result >> (64 * index)) as u64)).collect())
}

/// An operation on integers of one component.
fn binary_component(opcode: Opcode, bits: u32, left: Component, right: Component) -> Component {
    let offset_by = |address: Address, by: u64| {
        let (sum, spare) = (address.offset.wrapping_add(by.cast_signed()), 64 - bits);
        Component::Address(Address { offset: sum << spare >> spare, ..address })
    };
    match (opcode, &left, &right) {
        (_, Component::Poison, _) | (_, _, Component::Poison) => Component::Poison,
        (_, Component::Undef(_), _) | (_, _, Component::Undef(_)) => Component::Undef(low_bits(bits)),
        (_, &Component::Bits(left), &Component::Bits(right)) => {
            match binary(opcode, bits, left.into(), right.into()) {
                Some(result) => Component::Bits(result as u64),
                // A shift by too much, or an operation that constant expressions lost long ago.
                None => Component::Poison,
            }
        }
        (Opcode::Add, &Component::Address(address), &Component::Bits(by))
        | (Opcode::Add, &Component::Bits(by), &Component::Address(address))
            if address.bits == bits =>
        {
            offset_by(address, by)
        }
        (Opcode::Sub, &Component::Address(address), &Component::Bits(by)) if address.bits == bits => {
            offset_by(address, by.wrapping_neg())
        }
        (Opcode::Sub, &Component::Address(left), &Component::Address(right))
            if left.symbol == right.symbol && left.space == right.space && left.bits == bits && right.bits == bits =>
        {
            Component::Bits(left.offset.wrapping_sub(right.offset).cast_unsigned() & low_bits(bits))
        }
        _ => Component::Combination(Box::new(Combination::Binary { opcode, bits, left, right })),
    }
}
