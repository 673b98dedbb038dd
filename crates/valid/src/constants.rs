//! Whether constants are of their types (LangRef, "Constants").

use cranelift_entity::EntityRef;
use reconverge_ir::constant::{ConstantData, ExpressionData, ExpressionKind};
use reconverge_ir::function::{Definition, Value};
use reconverge_ir::literal::float_bits;
use reconverge_ir::opcode::Opcode;
use reconverge_ir::text;
use reconverge_ir::types::{Type, TypeData};

use crate::types::{Class, class, is_first_class, lanes, scalar_class};
use crate::{Checker, Rule};

impl Checker<'_, '_> {
    /// Looks at every constant of the function. A constant is one for each mention, so the cost is that of the text.
    pub(crate) fn constants(&mut self) {
        let function = self.function;
        for (value, data) in &function.values {
            let Definition::Constant(constant) = data.definition else { continue };
            let problem = match constant {
                // The reader makes integers of integer types only.
                ConstantData::Integer(_) | ConstantData::Metadata(_) => None,
                ConstantData::Global(symbol) => match self.facts.address(symbol) {
                    Some(address) if address != data.ty => {
                        Some(format!("the address is of type '{}'", self.type_name(address)))
                    }
                    _ => None,
                },
                ConstantData::Literal(span) if (Type::HALF..=Type::FLOAT).contains(&data.ty) => {
                    self.number(self.module.spelling(span), data.ty)
                }
                _ => self.problem(constant, data.ty),
            };
            if let Some(problem) = problem {
                self.here = self.user_of(value);
                let ty = self.type_name(data.ty);
                self.breach(Rule::Types, format!("a constant of type '{ty}' that is none: {problem}"));
            }
        }
        self.here = None;
    }

    /// Why a number is not of a type of at most 32 bits. Modules have the same numbers again and again.
    fn number(&mut self, spelling: &[u8], ty: Type) -> Option<String> {
        let numbers = &mut self.workspace.numbers;
        if numbers.get(spelling) == Some(&ty) {
            return None;
        }
        let problem = float_bits(spelling, &self.module.types[ty]).err();
        if problem.is_none() {
            numbers.insert(spelling.into(), ty);
        }
        problem.map(str::to_string)
    }

    /// Why a constant is not of a type.
    fn problem(&self, constant: ConstantData, ty: Type) -> Option<String> {
        let module = self.module;
        let problem = |text: &str| Some(text.to_string());
        match constant {
            // The reader knows what a number looks like: it is exact in a `double` unless it spells the bits of another type.
            ConstantData::Literal(span) if ty == Type::DOUBLE => match module.spelling(span) {
                [b'0', b'x', b'H' | b'R' | b'K' | b'L' | b'M', ..] => problem("this number is of another type"),
                _ => None,
            },
            ConstantData::Undef | ConstantData::Poison | ConstantData::Zero if !is_first_class(module, ty) => {
                problem("there are no values of this type")
            }
            ConstantData::Aggregate(aggregate) => {
                let elements = self.function.list(self.function.constants.aggregates[aggregate]);
                self.intrinsic_among(elements).or_else(|| self.aggregate(elements, ty))
            }
            ConstantData::String(span) => match module.types[ty] {
                TypeData::Array { length, element: Type::I8 }
                    if text::unquote(&module.spelling(span)[1..]).len() as u64 == length =>
                {
                    None
                }
                _ => problem("the string has another length or type"),
            },
            ConstantData::Expression(expression) => {
                let expression = &self.function.constants.expressions[expression];
                let operands = self.function.list(expression.operands);
                self.intrinsic_among(operands).or_else(|| self.expression(expression, ty).and_then(problem))
            }
            _ => None,
        }
    }

    /// Whether the address of an intrinsic is a part of a constant: intrinsics have none.
    fn intrinsic_among(&self, parts: &[Value]) -> Option<String> {
        let of_intrinsic = |&part: &Value| match self.function.values[part].definition {
            Definition::Constant(ConstantData::Global(symbol)) if self.facts.intrinsic(symbol).is_some() => {
                Some(symbol)
            }
            _ => None,
        };
        let symbol = parts.iter().find_map(of_intrinsic)?;
        let name = String::from_utf8_lossy(&self.module.symbol_name(symbol)).into_owned();
        Some(format!("the address of the intrinsic @{name}, which can only be called"))
    }

    fn aggregate(&self, elements: &[Value], ty: Type) -> Option<String> {
        let module = self.module;
        let types = elements.iter().map(|&element| self.function.values[element].ty);
        let body = match module.types[ty] {
            TypeData::Named(name) => module.named_types[name].body.unwrap_or(ty),
            _ => ty,
        };
        let fits = match &module.types[body] {
            TypeData::Vector { length, scalable: false, element } | TypeData::Array { length, element } => {
                *length == elements.len() as u64 && types.into_iter().all(|ty| ty == *element)
            }
            TypeData::Struct { elements: expected, .. } => {
                expected.len() == elements.len() && types.eq(expected.iter().copied())
            }
            _ => false,
        };
        (!fits).then(|| "its elements are others than those of the type".to_string())
    }

    fn expression(&self, expression: &ExpressionData, ty: Type) -> Option<&'static str> {
        use ExpressionKind::*;
        let module = self.module;
        let ty_of = |value: Value| self.function.values[value].ty;
        let is_integer = |value: Value| class(module, ty_of(value)) == Class::Integer;
        let element = match module.types[ty] {
            TypeData::Vector { element, .. } => Some(element),
            _ => None,
        };
        let fits = match (expression.kind, self.function.list(expression.operands)) {
            (Splat, &[one]) => element == Some(ty_of(one)),
            (Operation(opcode, _), &[value]) if opcode.is_cast() => self.cast_fits(opcode, ty_of(value), ty),
            (Operation(opcode, _), &[one, other]) if opcode.is_binary() => {
                use Opcode::*;
                let expected =
                    if matches!(opcode, FAdd | FSub | FMul | FDiv | FRem) { Class::Float } else { Class::Integer };
                ty_of(one) == ty && ty_of(other) == ty && scalar_class(module, ty) == expected
            }
            (Operation(Opcode::FNeg, _), _) => true,
            (Operation(Opcode::Select, _), &[_, one, other]) => ty_of(one) == ty && ty_of(other) == ty,
            (Operation(Opcode::ExtractElement, _), &[vector, index]) => {
                matches!(module.types[ty_of(vector)], TypeData::Vector { element, .. } if element == ty)
                    && is_integer(index)
            }
            (Operation(Opcode::InsertElement, _), &[vector, inserted, index]) => {
                ty_of(vector) == ty && element == Some(ty_of(inserted)) && is_integer(index)
            }
            (Operation(Opcode::ShuffleVector, _), &[one, other, _]) => {
                ty_of(one) == ty_of(other) && module.types.scalar(ty_of(one)) == module.types.scalar(ty)
            }
            (Compare(..), &[one, other]) => ty_of(one) == ty_of(other) && module.types.scalar(ty) == Type::I1,
            (GetElementPtr(source, ..), operands @ &[base, ref indices @ ..]) => {
                let base = ty_of(base);
                self.facts.is_sized(module, source)
                    && scalar_class(module, base) == Class::Pointer
                    && module.types.scalar(base) == module.types.scalar(ty)
                    && indices.iter().all(|&index| scalar_class(module, ty_of(index)) == Class::Integer)
                    && operands.iter().find_map(|&operand| lanes(module, ty_of(operand))) == lanes(module, ty)
                    && indices.iter().skip(1).try_fold(source, |ty, &index| self.indexed(ty, index)).is_some()
            }
            (BlockAddress(_) | DsoLocalEquivalent | NoCfi | PtrAuth, _) => class(module, ty) == Class::Pointer,
            (InlineAsm(_), _) => class(module, ty) == Class::Pointer,
            _ => false,
        };
        (!fits).then_some("its operands do not fit its operation")
    }

    /// The first instruction that mentions a constant.
    #[cold]
    fn user_of(&self, value: Value) -> Option<reconverge_ir::function::Inst> {
        let function = self.function;
        // An operand comes directly, or inside of the constant that was made next.
        let mut next = function.instructions.keys().flat_map(|inst| {
            let operands = function.operands(inst).iter().map(move |&operand| (operand, inst));
            operands.filter(|(operand, _)| matches!(function.values[*operand].definition, Definition::Constant(_)))
        });
        next.find(|(operand, _)| operand.index() >= value.index()).map(|(_, inst)| inst)
    }
}
