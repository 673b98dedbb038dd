//! The types and forms of instructions, opcode by opcode (LangRef, "Instruction Reference").
//!
//! The reader has made sure of some already: both operands of a binary operation are of one type, a branch is on an `i1`,
//! an index of `extractvalue` has an element. What it has not is asked here.

use reconverge_ir::constant::ConstantData;
use reconverge_ir::function::{Block, BlockData, Definition, Extra, Inst, InstData, Value};
use reconverge_ir::layout::DataLayout;
use reconverge_ir::opcode::{Flags, Opcode, Predicate};
use reconverge_ir::types::{Type, TypeData};
use rustc_hash::FxHashSet;

use crate::types::{
    Class, Shape, bits, class, is_aggregate, is_first_class, is_floating, is_value, lanes, scalar_class,
};
use crate::{Checker, Rule, flags};

impl Checker<'_, '_> {
    pub(crate) fn instructions(&mut self) {
        let function = self.function;
        for (block, &BlockData { first, .. }) in &function.blocks {
            let end_of_entry = function.terminator(Block::from_u32(0));
            let mut phis = true;
            for inst in function.block_instructions(block) {
                let data = &function.instructions[inst];
                self.here = Some(inst);
                if data.opcode == Opcode::Phi {
                    if !phis {
                        self.breach(
                            Rule::Structure,
                            "a phi after another instruction: phis are the first of their block",
                        );
                    }
                } else {
                    phis = false;
                }
                if !data.flags.is_empty() {
                    self.flags(data);
                }
                let values = function.list(data.operands);
                self.instruction(inst, data, values);
                if data.opcode == Opcode::Phi {
                    self.phi_uses(inst);
                } else {
                    self.uses(inst, block, (first, end_of_entry), values);
                }
            }
            if self.is_full() {
                break;
            }
        }
        self.here = None;
    }

    fn ty(&self, value: Value) -> Type {
        self.function.values[value].ty
    }

    pub(crate) fn type_name(&self, ty: Type) -> String {
        self.module.display_type(ty)
    }

    #[cold]
    fn wrong_type(&mut self, what: &str, expected: &str, found: Type) {
        let found = self.type_name(found);
        self.breach(Rule::Types, format!("{what} is of type '{found}', not {expected}"));
    }

    #[inline]
    fn expect_class(&mut self, what: &str, value: Value, expected: Class) {
        let ty = self.ty(value);
        if scalar_class(self.module, ty) != expected {
            let expected = match expected {
                Class::Integer => "an integer or a vector of integers",
                Class::Float => "a floating-point number or a vector of them",
                _ => "a pointer or a vector of pointers",
            };
            self.wrong_type(what, expected, ty);
        }
    }

    /// The operand of a memory access: a pointer, and no vector.
    pub(crate) fn expect_pointer(&mut self, value: Value) {
        let ty = self.ty(value);
        if ty != Type::PTR && class(self.module, ty) != Class::Pointer {
            self.wrong_type("the address", "a pointer", ty);
        }
    }

    #[cold]
    fn flags(&mut self, data: &InstData) {
        let allowed = flags::allowed(data.opcode);
        let mathematical = data.flags.intersects(flags::FAST_MATH);
        let ty = if data.opcode == Opcode::FCmp { Type::FLOAT } else { data.ty };
        if !allowed.contains(data.flags) {
            let wrong = Flags::ALL.iter().find(|(flag, _)| data.flags.contains(*flag) && !allowed.contains(*flag));
            let keyword = wrong.map_or("flag", |&(_, keyword)| keyword);
            self.breach(Rule::Types, format!("'{}' takes no '{keyword}'", data.opcode.keyword()));
        } else if mathematical && !is_floating(self.module, ty) {
            let found = self.type_name(ty);
            self.breach(
                Rule::Types,
                format!("fast-math flags on a result of type '{found}', which has no floating-point numbers"),
            );
        }
    }

    #[inline(always)]
    fn instruction(&mut self, inst: Inst, data: &InstData, values: &[Value]) {
        use Opcode::*;
        match data.opcode {
            Add | Sub | Mul | UDiv | SDiv | URem | SRem | Shl | LShr | AShr | And | Or | Xor => {
                self.expect_class("an operand", values[0], Class::Integer);
            }
            FAdd | FSub | FMul | FDiv | FRem | FNeg => self.expect_class("an operand", values[0], Class::Float),
            ICmp | FCmp => self.comparison(data, values),
            Select => self.select(data, values),
            Phi => {
                if data.ty == Type::TOKEN || !is_value(self.module, data.ty) {
                    self.wrong_type("a phi", "one that may differ between paths", data.ty);
                }
            }
            GetElementPtr => self.get_element_ptr(data, values),
            Load | Store | Alloca | CmpXchg | AtomicRmw | Fence => self.memory(inst, data, values),
            ExtractElement => self.expect_index(values[1]),
            InsertElement => self.expect_index(values[2]),
            ShuffleVector => self.shuffle(values),
            InsertValue => self.insert_value(data, values),
            ExtractValue => {}
            Freeze => {
                if !is_value(self.module, data.ty) {
                    self.wrong_type("the operand", "one that can be poison", data.ty);
                }
            }
            VAArg => {
                self.expect_pointer(values[0]);
                if !is_value(self.module, data.ty) {
                    self.wrong_type("the result", "one that an argument may have", data.ty);
                }
            }
            Ret => self.returned(values),
            Switch => self.switch(values),
            IndirectBr => self.expect_pointer(values[0]),
            Call | Invoke | CallBr => self.call(inst, data, values),
            Br | Unreachable => {}
            opcode if opcode.is_cast() => self.cast(data, values[0]),
            _ => self.exception(inst, data, values),
        }
    }

    fn comparison(&mut self, data: &InstData, values: &[Value]) {
        use Predicate::*;
        let Extra::Predicate(predicate) = data.extra else { return };
        let of_integers = matches!(predicate, Eq | Ne | Sgt | Sge | Slt | Sle);
        let of_both = matches!(predicate, Ugt | Uge | Ult | Ule);
        let ty = self.ty(values[0]);
        let class = scalar_class(self.module, ty);
        if data.opcode == Opcode::ICmp {
            if !matches!(class, Class::Integer | Class::Pointer) {
                self.wrong_type("an operand", "an integer, a pointer, or a vector of them", ty);
            }
        } else if class != Class::Float {
            self.wrong_type("an operand", "a floating-point number or a vector of them", ty);
        }
        if !of_both && of_integers != (data.opcode == Opcode::ICmp) {
            let (opcode, predicate) = (data.opcode.keyword(), predicate.keyword());
            self.breach(Rule::Types, format!("'{opcode}' has no predicate '{predicate}'"));
        }
    }

    fn select(&mut self, data: &InstData, values: &[Value]) {
        let condition = self.ty(values[0]);
        if data.ty == Type::TOKEN || !is_value(self.module, data.ty) {
            self.wrong_type("a selected value", "one that can be chosen", data.ty);
        }
        if condition == Type::I1 {
            return;
        }
        match self.module.types[condition] {
            TypeData::Vector { element: Type::I1, .. } => {
                if lanes(self.module, condition) != lanes(self.module, data.ty) {
                    self.breach(Rule::Types, "the condition has another number of elements than the selected values");
                }
            }
            _ => self.wrong_type("the condition", "'i1' or a vector of 'i1'", condition),
        }
    }

    fn get_element_ptr(&mut self, data: &InstData, values: &[Value]) {
        let Extra::Element(source) = data.extra else { return };
        let module = self.module;
        self.expect_class("the base", values[0], Class::Pointer);
        self.expect_sized("what is indexed", source);
        let mut shape = None;
        for &value in values {
            let Some(lanes) = lanes(module, self.ty(value)) else { continue };
            if *shape.get_or_insert(lanes) != lanes {
                self.breach(Rule::Types, "the operands are vectors of different lengths");
            }
        }
        let mut element = source;
        for (position, &index) in values.iter().enumerate().skip(1) {
            let ty = self.ty(index);
            if ty != Type::I64 && ty != Type::I32 {
                self.expect_class("an index", index, Class::Integer);
            }
            if position == 1 {
                continue;
            }
            match self.indexed(element, index) {
                Some(inner) => element = inner,
                None => {
                    let found = self.type_name(element);
                    let message = if is_aggregate(module, element) {
                        format!("the index into the struct '{found}' is no constant 'i32' that it has an element for")
                    } else {
                        format!("an index into a value of type '{found}', which has no elements")
                    };
                    self.breach(Rule::Types, message);
                    return;
                }
            }
        }
    }

    /// The type of the element of a type that an index names; nothing where there is none.
    pub(crate) fn indexed(&self, ty: Type, index: Value) -> Option<Type> {
        let module = self.module;
        let elements = match &module.types[ty] {
            TypeData::Array { element, .. } | TypeData::Vector { element, .. } => return Some(*element),
            TypeData::Struct { elements, .. } => elements,
            TypeData::Named(name) => match &module.types[module.named_types[*name].body?] {
                TypeData::Struct { elements, .. } => elements,
                _ => return None,
            },
            _ => return None,
        };
        elements.get(self.field(index)?).copied()
    }

    /// The number of a struct's element that an index names: an `i32` constant, or a vector of equal ones.
    fn field(&self, index: Value) -> Option<usize> {
        let data = &self.function.values[index];
        if self.module.types.scalar(data.ty) != Type::I32 {
            return None;
        }
        let Definition::Constant(constant) = data.definition else { return None };
        match constant {
            ConstantData::Integer(number) if data.ty == Type::I32 => Some(number as u32 as usize),
            ConstantData::Zero => Some(0),
            ConstantData::Aggregate(aggregate) => {
                let elements = self.function.list(self.function.constants.aggregates[aggregate]);
                let first = self.field(*elements.first()?)?;
                elements.iter().all(|&element| self.field(element) == Some(first)).then_some(first)
            }
            ConstantData::Expression(expression) => {
                let expression = self.function.constants.expressions[expression];
                let is_splat = expression.kind == reconverge_ir::constant::ExpressionKind::Splat;
                let first = *self.function.list(expression.operands).first()?;
                if is_splat { self.field(first) } else { None }
            }
            _ => None,
        }
    }

    fn expect_index(&mut self, value: Value) {
        let ty = self.ty(value);
        if class(self.module, ty) != Class::Integer {
            self.wrong_type("the index", "an integer", ty);
        }
    }

    fn shuffle(&mut self, values: &[Value]) {
        let (vector, mask) = (self.ty(values[0]), values[2]);
        let mask_type = self.ty(mask);
        let (from, to) = (lanes(self.module, vector), lanes(self.module, mask_type));
        let (Some((length, scalable)), Some((_, mask_scalable))) = (from, to) else {
            return self.wrong_type("the mask", "a vector of 'i32'", mask_type);
        };
        if self.module.types.scalar(mask_type) != Type::I32 || scalable != mask_scalable {
            return self.wrong_type("the mask", "a vector of 'i32'", mask_type);
        }
        let function = self.function;
        let fits = match function.values[mask].definition {
            Definition::Constant(ConstantData::Undef | ConstantData::Poison | ConstantData::Zero) => true,
            Definition::Constant(ConstantData::Aggregate(aggregate)) if !scalable => function
                .list(function.constants.aggregates[aggregate])
                .iter()
                .all(|&lane| match function.values[lane].definition {
                    Definition::Constant(ConstantData::Integer(lane)) => {
                        u64::from(lane as u32) < length.saturating_mul(2)
                    }
                    Definition::Constant(ConstantData::Zero | ConstantData::Undef | ConstantData::Poison) => true,
                    _ => false,
                }),
            Definition::Constant(ConstantData::Expression(expression)) if !scalable => {
                let operands = function.list(function.constants.expressions[expression].operands);
                let lane = operands.first().map(|&lane| function.values[lane].definition);
                matches!(lane, Some(Definition::Constant(ConstantData::Integer(lane)))
                    if u64::from(lane as u32) < length.saturating_mul(2))
            }
            _ => false,
        };
        if !fits {
            self.breach(Rule::Types, "the mask is no constant whose elements are among those of the two vectors");
        }
    }

    fn insert_value(&mut self, data: &InstData, values: &[Value]) {
        let Extra::Indices(indices) = data.extra else { return };
        let module = self.module;
        let mut element = data.ty;
        for &index in self.function.indices(indices) {
            let struct_type = match module.types[element] {
                TypeData::Named(name) => module.named_types[name].body.unwrap_or(element),
                _ => element,
            };
            element = match &module.types[struct_type] {
                TypeData::Array { element, .. } => *element,
                TypeData::Struct { elements, .. } => elements.get(index as usize).copied().unwrap_or(element),
                _ => element,
            };
        }
        if self.ty(values[1]) != element {
            let expected = format!("'{}' as the element", self.type_name(element));
            self.wrong_type("the inserted value", &expected, self.ty(values[1]));
        }
    }

    fn returned(&mut self, values: &[Value]) {
        let Some(id) = self.id else { return };
        let expected = self.module.functions[id].result;
        let found = values.first().map_or(Type::VOID, |&value| self.ty(value));
        if found != expected {
            let expected = format!("'{}' as the function's result", self.type_name(expected));
            self.wrong_type("the returned value", &expected, found);
        }
    }

    fn switch(&mut self, values: &[Value]) {
        let ty = self.ty(values[0]);
        let TypeData::Integer(width) = self.module.types[ty] else {
            return self.wrong_type("the condition", "an integer", ty);
        };
        let function = self.function;
        let low = |number: i64| number.cast_unsigned() & (u64::MAX >> (64 - width.clamp(1, 64)));
        // Few cases are compared with each other, many through a set.
        let mut numbers: Vec<u64> = Vec::with_capacity(values.len());
        let mut words: FxHashSet<Vec<u64>> = FxHashSet::default();
        for &case in &values[1..] {
            let is_new = match function.values[case].definition {
                Definition::Constant(ConstantData::Integer(number)) if width <= 64 => {
                    numbers.push(low(number));
                    true
                }
                Definition::Constant(ConstantData::Integer(number)) => words.insert(sign_extended(number, width)),
                Definition::Constant(ConstantData::Zero) if width <= 64 => {
                    numbers.push(0);
                    true
                }
                Definition::Constant(ConstantData::Zero) => words.insert(sign_extended(0, width)),
                Definition::Constant(ConstantData::Literal(span)) => {
                    let number = reconverge_ir::literal::integer_words(self.module.spelling(span), width);
                    number.is_ok_and(|number| words.insert(number))
                }
                _ => return self.breach(Rule::Types, "the value of a case is no constant integer"),
            };
            if !is_new {
                return self.breach(Rule::Types, "two cases have the same value");
            }
        }
        numbers.sort_unstable();
        if let Some(pair) = numbers.windows(2).find(|pair| pair[0] == pair[1]) {
            self.breach(Rule::Types, format!("two cases have the value {}", pair[0]));
        }
    }

    fn cast(&mut self, data: &InstData, value: Value) {
        if !self.cast_fits(data.opcode, self.ty(value), data.ty) {
            let (from, to) = (self.type_name(self.ty(value)), self.type_name(data.ty));
            self.breach(Rule::Types, format!("'{}' cannot make '{to}' of '{from}'", data.opcode.keyword()));
        }
    }

    /// Whether a cast may make one type of another ("Conversion Operations").
    pub(crate) fn cast_fits(&self, opcode: Opcode, from: Type, to: Type) -> bool {
        use Opcode::*;
        let module = self.module;
        let shapes = (Shape::of(module, from), Shape::of(module, to));
        let same_lanes = shapes.0.lanes == shapes.1.lanes;
        let is = |from: Class, to: Class| shapes.0.class == from && shapes.1.class == to && same_lanes;
        let (from_bits, to_bits) = (|| bits(module, shapes.0.scalar), || bits(module, shapes.1.scalar));
        match opcode {
            Trunc => is(Class::Integer, Class::Integer) && from_bits() > to_bits(),
            ZExt | SExt => is(Class::Integer, Class::Integer) && from_bits() < to_bits(),
            FPTrunc => is(Class::Float, Class::Float) && from_bits() > to_bits(),
            FPExt => is(Class::Float, Class::Float) && from_bits() < to_bits(),
            UIToFP | SIToFP => is(Class::Integer, Class::Float),
            FPToUI | FPToSI => is(Class::Float, Class::Integer),
            PtrToInt => is(Class::Pointer, Class::Integer),
            PtrToAddr => {
                let width = |layout: &DataLayout| {
                    let space = layout.address_space(&module.types[shapes.0.scalar])?;
                    Some(u64::from(layout.pointer(space).index_bits))
                };
                let address_bits = DataLayout::of(module).ok().as_ref().and_then(width);
                is(Class::Pointer, Class::Integer) && address_bits.is_none_or(|bits| bits == to_bits())
            }
            IntToPtr => is(Class::Integer, Class::Pointer),
            AddrSpaceCast => is(Class::Pointer, Class::Pointer) && shapes.0.scalar != shapes.1.scalar,
            _ if from == to => is_first_class(module, from) && !is_aggregate(module, from),
            _ if shapes.0.class == Class::Pointer || shapes.1.class == Class::Pointer => {
                let one = |shape: Shape| shape.lanes.is_none_or(|lanes| lanes == (1, false));
                shapes.0.scalar == shapes.1.scalar && (same_lanes || one(shapes.0) && one(shapes.1))
            }
            _ => {
                let scalable = |shape: Shape| shape.lanes.is_some_and(|(_, scalable)| scalable);
                let bits = (bits(module, from), bits(module, to));
                bits.0 == bits.1 && bits.0 > 0 && scalable(shapes.0) == scalable(shapes.1)
            }
        }
    }
}

fn sign_extended(number: i64, width: u32) -> Vec<u64> {
    let filling = if number < 0 { u64::MAX } else { 0 };
    let mut words = vec![filling; width.div_ceil(64) as usize];
    words[0] = number.cast_unsigned();
    if let (Some(last), used @ 1..) = (words.last_mut(), width % 64) {
        *last &= (1 << used) - 1;
    }
    words
}
