//! Expressions: values and effects.

use reconverge_ir::origin::Condition;

use super::function::{FunctionText, instruction, result};
use super::place::{Part, Place};
use super::writer::{Block, Name, Of, Operand, Pointer, Stored, Terminator};
use crate::typed::{self, Expression, ExpressionData, ExpressionKind, FloatKind, GlobalData, Type, TypeKind};

impl<'c> FunctionText<'c> {
    /// Evaluates an expression, and gives its value.
    pub(super) fn value(&mut self, expression: Expression) -> Operand {
        let data = &self.body.expressions[expression];
        let saved = self.enter_expression(expression, data.location);
        let value = match &data.kind {
            ExpressionKind::Integer(_)
            | ExpressionKind::LongInteger(_)
            | ExpressionKind::Float(_)
            | ExpressionKind::Zero
            | ExpressionKind::Function(_)
            | ExpressionKind::LabelAddress(_) => self.constant(data),
            &ExpressionKind::Load(place) => self.load_from(place),
            ExpressionKind::Variable(_) | ExpressionKind::Global(_) | ExpressionKind::Dereference(_) => {
                self.load_from(expression)
            }
            ExpressionKind::Field { .. } | ExpressionKind::Lanes { .. } | ExpressionKind::Lane(..)
                if self.is_place(expression) =>
            {
                self.load_from(expression)
            }
            ExpressionKind::Field { .. } | ExpressionKind::Lanes { .. } | ExpressionKind::Lane(..) => {
                self.part_of_value(expression)
            }
            &ExpressionKind::AddressOf(place) | &ExpressionKind::Decay(place) => {
                let place = self.place(place);
                self.address(&place, self.space_of(data.of))
            }
            &ExpressionKind::PointerOffset(pointer, offset) => self.pointer_offset(pointer, offset),
            &ExpressionKind::PointerDifference(first, second) => self.pointer_difference(first, second),
            ExpressionKind::Assign(..)
            | ExpressionKind::CompoundAssign(..)
            | ExpressionKind::Step { .. }
            | ExpressionKind::InitializeZero(_) => self.assignment(expression, true),
            &ExpressionKind::Comma(first, second) => {
                self.effect(first);
                self.value(second)
            }
            &ExpressionKind::And(first, second) => self.short_circuit(first, second, true),
            &ExpressionKind::Or(first, second) => self.short_circuit(first, second, false),
            &ExpressionKind::Conditional(condition, yes, no) => self.conditional(data.of, condition, yes, no),
            ExpressionKind::Call { .. }
            | ExpressionKind::CallPointer { .. }
            | ExpressionKind::Atomic(_)
            | ExpressionKind::Fence(..) => self.operation(expression, data),
            _ => self.computed(data),
        };
        self.leave_expression(saved);
        value
    }

    /// Evaluates an expression for what it does.
    pub(super) fn effect(&mut self, expression: Expression) {
        let data = &self.body.expressions[expression];
        match data.kind {
            ExpressionKind::Assign(..)
            | ExpressionKind::CompoundAssign(..)
            | ExpressionKind::Step { .. }
            | ExpressionKind::InitializeZero(_) => {
                let saved = self.enter_expression(expression, data.location);
                self.assignment(expression, false);
                self.leave_expression(saved);
            }
            ExpressionKind::Comma(first, second) => {
                let saved = self.enter_call(expression, data.location);
                self.effect(first);
                self.effect(second);
                self.leave_expression(saved);
            }
            ExpressionKind::Convert(crate::typed::Conversion::Discard, operand) => {
                let saved = self.enter_call(expression, data.location);
                self.effect(operand);
                self.leave_expression(saved);
            }
            _ => {
                self.value(expression);
            }
        }
    }

    /// Calls and what reads or writes memory with more than loads and stores.
    fn operation(&mut self, expression: Expression, data: &'c ExpressionData) -> Operand {
        match &data.kind {
            ExpressionKind::Call { function, convergent, arguments } => {
                self.call(expression, *function, *convergent, arguments)
            }
            ExpressionKind::CallPointer { pointer, arguments } => self.call_pointer(expression, *pointer, arguments),
            ExpressionKind::Atomic(atomic) => self.atomic(data.of, atomic),
            &ExpressionKind::Fence(order, scope) => self.fence(order, scope),
            _ => Operand::None,
        }
    }

    /// What depends on the values of operands alone.
    fn computed(&mut self, data: &'c ExpressionData) -> Operand {
        match &data.kind {
            &ExpressionKind::Negate(operand) => {
                let value = self.value(operand);
                self.negate(data.of, value)
            }
            &ExpressionKind::Complement(operand) => {
                let value = self.value(operand);
                self.complement(data.of, value)
            }
            &ExpressionKind::Not(operand) => {
                let value = self.value(operand);
                self.not(data.of, self.body.expressions[operand].of, value)
            }
            &ExpressionKind::Arithmetic(operator, first, second) => {
                let left = self.value(first);
                let right = self.value(second);
                self.arithmetic(operator, data.of, left, right)
            }
            &ExpressionKind::Compare(operator, first, second) => {
                let left = self.value(first);
                let right = self.value(second);
                self.compare(operator, data.of, self.body.expressions[first].of, left, right)
            }
            &ExpressionKind::Select(mask, first, second) => {
                let mask_value = self.value(mask);
                let left = self.value(first);
                let right = self.value(second);
                self.select(self.body.expressions[mask].of, mask_value, data.of, left, right)
            }
            &ExpressionKind::Convert(conversion, operand) => self.convert_expression(conversion, operand, data.of),
            ExpressionKind::VectorOf(parts) => self.vector_of(data.of, parts),
            ExpressionKind::AggregateOf(parts) => self.aggregate_of(data.of, parts),
            &ExpressionKind::Splat(operand) => {
                let value = self.value(operand);
                self.splat(data.of, value)
            }
            _ => Operand::None,
        }
    }

    fn constant(&mut self, data: &ExpressionData) -> Operand {
        match data.kind {
            ExpressionKind::Integer(bits) => self.integer(data.of, u128::from(bits)),
            ExpressionKind::LongInteger(ref bits) => self.integer(data.of, **bits),
            ExpressionKind::Float(value) => self.float(data.of, value),
            ExpressionKind::Function(function) => {
                if self.context.program.functions[function].is_kernel {
                    self.tables.call_kernel(function);
                }
                Operand::Named(Name::Function(function))
            }
            ExpressionKind::LabelAddress(label) => {
                let space = self.space_of(data.of);
                let (function, is_called) = (self.function, !self.is_launched);
                Operand::Named(Name::Label { label, function, is_called, space })
            }
            _ => self.zero(data.of),
        }
    }

    /// An integer constant of an integer, bool or pointer type.
    pub(super) fn integer(&self, of: Type, bits: u128) -> Operand {
        match *self.context.program.types.kind(of) {
            TypeKind::Bool => Operand::Bool(bits & 1 != 0),
            TypeKind::Integer { .. } => Operand::Integer(self.wrap(of, bits as i128)),
            TypeKind::Float(_) => self.float(of, bits as f64),
            _ => self.zero(of),
        }
    }

    /// A float constant.
    pub(super) fn float(&self, of: Type, value: f64) -> Operand {
        match *self.context.program.types.kind(of) {
            TypeKind::Float(kind) => float(kind, value),
            _ => self.zero(of),
        }
    }

    fn load_from(&mut self, place: Expression) -> Operand {
        if let ExpressionKind::Global(global) = self.body.expressions[place].kind
            && let Some(bits) = sampler(self.context, &self.context.program.globals[global])
        {
            self.tables.uses_samplers = true;
            let convention = super::target::function_convention(self.context.program.target);
            return result!(
                self,
                "call ",
                convention,
                "target(\"spirv.Sampler\") @__translate_sampler_initializer(i32 ",
                bits,
                ")"
            );
        }
        let place = self.place(place);
        if place.part == Part::Whole && matches!(self.context.program.types.kind(place.of), TypeKind::Function { .. }) {
            return place.pointer;
        }
        self.load(&place)
    }

    /// A member or lanes of a value that is not in memory.
    fn part_of_value(&mut self, expression: Expression) -> Operand {
        let data = &self.body.expressions[expression];
        match &data.kind {
            &ExpressionKind::Field { base, index } => {
                let of = self.body.expressions[base].of;
                let TypeKind::Struct(number) = *self.context.program.types.kind(of) else { return self.value(base) };
                if self.context.program.types.structs[number].is_union {
                    return self.load_from(expression);
                }
                let value = self.value(base);
                let element = self.element_number(of, index);
                let member = result!(self, "extractvalue ", Stored(of), " ", value, ", ", element);
                self.loaded_form(data.of, member)
            }
            ExpressionKind::Lanes { base, lanes } => {
                let of = self.body.expressions[*base].of;
                let value = self.value(*base);
                self.pick_lanes(value, of, lanes)
            }
            &ExpressionKind::Lane(base, index) => {
                let (of, index_type) = (self.body.expressions[base].of, self.body.expressions[index].of);
                let value = self.value(base);
                let index = self.value(index);
                result!(self, "extractelement ", Of(of), " ", value, ", ", Of(index_type), " ", index)
            }
            _ => Operand::None,
        }
    }

    fn pointer_offset(&mut self, pointer: Expression, offset: Expression) -> Operand {
        let of = self.body.expressions[pointer].of;
        let offset_type = self.body.expressions[offset].of;
        let base = self.value(pointer);
        let offset = self.value(offset);
        let offset = self.index(offset, offset_type);
        self.moved(of, base, offset)
    }

    /// A pointer that many elements further on.
    pub(super) fn moved(&mut self, pointer: Type, base: Operand, offset: Operand) -> Operand {
        let space = Pointer(self.space_of(pointer));
        let TypeKind::Pointer { pointee, .. } = *self.context.program.types.kind(pointer) else { return base };
        match self.context.program.types.kind(pointee) {
            TypeKind::Void | TypeKind::Function { .. } => {
                result!(self, "getelementptr i8, ", space, base, ", i64 ", offset)
            }
            _ => result!(self, "getelementptr ", Stored(pointee), ", ", space, base, ", i64 ", offset),
        }
    }

    fn pointer_difference(&mut self, first: Expression, second: Expression) -> Operand {
        let of = self.body.expressions[first].of;
        let space = Pointer(self.space_of(of));
        let size = match *self.context.program.types.kind(of) {
            TypeKind::Pointer { pointee, .. } => self.context.types[pointee].size.max(1),
            _ => 1,
        };
        let left = self.value(first);
        let right = self.value(second);
        let left = result!(self, "ptrtoint ", space, left, " to i64");
        let right = result!(self, "ptrtoint ", space, right, " to i64");
        let bytes = result!(self, "sub i64 ", left, ", ", right);
        if size == 1 { bytes } else { result!(self, "sdiv exact i64 ", bytes, ", ", size) }
    }

    /// What writes to a place. `is_used`: whether the value is wanted.
    fn assignment(&mut self, expression: Expression, is_used: bool) -> Operand {
        let data = &self.body.expressions[expression];
        match data.kind {
            ExpressionKind::Assign(place, value) => self.assign(place, value, is_used),
            ExpressionKind::CompoundAssign(operator, place, value) => {
                self.compound_assign(operator, place, value, data.of)
            }
            ExpressionKind::Step { place, up, prefix } => self.step(place, data.of, up, prefix),
            ExpressionKind::InitializeZero(place) => {
                let place = self.place(place);
                self.fill_with_zeros(&place);
                Operand::None
            }
            _ => Operand::None,
        }
    }

    fn assign(&mut self, place: Expression, value: Expression, is_used: bool) -> Operand {
        let of = self.body.expressions[value].of;
        let source = match self.body.expressions[value].kind {
            ExpressionKind::Load(source) if self.is_aggregate(of) => Some(source),
            ExpressionKind::Zero if self.is_aggregate(of) => {
                let place = self.place(place);
                self.fill_with_zeros(&place);
                return self.zero(of);
            }
            _ => None,
        };
        if let Some(source) = source {
            let from = self.place(source);
            let to = self.place(place);
            // What is told of a copy into a variable is about what is copied.
            let is_variable = matches!(self.body.expressions[place].kind, ExpressionKind::Variable(_));
            let saved = is_variable.then(|| self.enter_expression(source, self.body.expressions[source].location));
            self.copy(&to, &from);
            saved.into_iter().for_each(|saved| self.leave_expression(saved));
            return if is_used { self.load(&to) } else { Operand::None };
        }
        let value = self.value(value);
        let to = self.place(place);
        self.store(&to, value);
        value
    }

    fn step(&mut self, place: Expression, of: Type, up: bool, prefix: bool) -> Operand {
        let (place, old) = self.place_and_content(place);
        let new = self.stepped(of, old, up);
        self.store(&place, new);
        if prefix { new } else { old }
    }

    /// `&&` and `||` as a value.
    fn short_circuit(&mut self, first: Expression, second: Expression, is_and: bool) -> Operand {
        let (right, end) = match is_and {
            true => (self.text.create("and.second"), self.text.create("and.end")),
            false => (self.text.create("or.second"), self.text.create("or.end")),
        };
        let left = self.value(first);
        let start = self.current();
        let (yes, no) = if is_and { (right, end) } else { (end, right) };
        let decision = self.decision(if is_and { Condition::And } else { Condition::Or }, first);
        self.decide(Terminator::Conditional(left, yes, no), decision);
        self.text.open(right);
        let value = self.value(second);
        let from = self.current();
        self.enter(end);
        self.phi("i1", (Operand::Bool(!is_and), start), (value, from))
    }

    fn phi(&mut self, of: &str, first: (Operand, Block), second: (Operand, Block)) -> Operand {
        let (left, right) = (self.text.name_for_phi(first.1), self.text.name_for_phi(second.1));
        result!(self, "phi ", of, " [ ", first.0, ", %", left, " ], [ ", second.0, ", %", right, " ]")
    }

    fn conditional(&mut self, of: Type, condition: Expression, yes: Expression, no: Expression) -> Operand {
        let (then, otherwise, end) =
            (self.text.create("cond.then"), self.text.create("cond.else"), self.text.create("cond.end"));
        self.branch(Condition::Conditional, condition, then, otherwise);
        // A struct goes through memory: some targets have no phi of one.
        let slot = self.is_aggregate(of).then(|| self.slot_place(of));
        let first = self.arm(then, yes, end, slot.as_ref());
        let second = self.arm(otherwise, no, end, slot.as_ref());
        self.text.open(end);
        if matches!(self.context.program.types.kind(of), TypeKind::Void) {
            return Operand::None;
        }
        if let Some(slot) = slot {
            return self.load(&slot);
        }
        match (first, second) {
            (Some(first), Some(second)) => {
                let text = String::from_utf8_lossy(&self.context.types[of].value).into_owned();
                self.phi(&text, first, second)
            }
            // Only one of them can be evaluated: the condition is a constant.
            (Some((value, _)), None) | (None, Some((value, _))) => value,
            (None, None) => Operand::Poison,
        }
    }

    /// One side of `?:`, if anything goes there: its value, which is also stored in a slot if there is one, and the block in which it ends.
    fn arm(
        &mut self,
        block: Block,
        expression: Expression,
        end: Block,
        slot: Option<&Place>,
    ) -> Option<(Operand, Block)> {
        if !self.text.is_referenced(block) {
            return None;
        }
        self.text.open(block);
        let value = self.value(expression);
        if let Some(slot) = slot {
            self.store(slot, value);
        }
        let from = self.current();
        self.branch_to(end);
        Some((value, from))
    }

    fn aggregate_of(&mut self, of: Type, parts: &[Expression]) -> Operand {
        let mut whole = Operand::Poison;
        if let TypeKind::Struct(number) = *self.context.program.types.kind(of)
            && self.context.program.types.structs[number].is_union
        {
            return self.union_of(of, parts);
        }
        for (index, &part) in parts.iter().enumerate() {
            let value = self.value(part);
            let part_type = self.body.expressions[part].of;
            let value = self.memory_form(part_type, value);
            let element = self.element_number(of, index as u32);
            whole = result!(
                self,
                "insertvalue ",
                Stored(of),
                " ",
                whole,
                ", ",
                Stored(part_type),
                " ",
                value,
                ", ",
                element
            );
        }
        whole
    }

    /// A union whose first member has a value.
    fn union_of(&mut self, of: Type, parts: &[Expression]) -> Operand {
        let pointer = self.slot(of);
        let (space, alignment) = (self.stack(), self.context.types[of].alignment);
        instruction!(self, "store ", Stored(of), " zeroinitializer, ", Pointer(space), pointer, ", align ", alignment);
        if let Some(&part) = parts.first() {
            let value = self.value(part);
            let part_type = self.body.expressions[part].of;
            let value = self.memory_form(part_type, value);
            instruction!(
                self,
                "store ",
                Stored(part_type),
                " ",
                value,
                ", ",
                Pointer(space),
                pointer,
                ", align ",
                alignment
            );
        }
        result!(self, "load ", Stored(of), ", ", Pointer(space), pointer, ", align ", alignment)
    }
}

/// A float constant of a kind, rounded to it.
pub(super) fn float(kind: FloatKind, value: f64) -> Operand {
    match kind {
        FloatKind::Half => Operand::Half(typed::float::half(value).to_bits()),
        FloatKind::BFloat => Operand::BFloat(typed::float::bfloat(value).to_bits()),
        FloatKind::Single => Operand::Float(f64::from(value as f32).to_bits()),
        FloatKind::Double => Operand::Float(value.to_bits()),
    }
}

/// The bits of a sampler that is a constant of the program: it is made where it is used.
pub(super) fn sampler(context: &super::Context<'_>, data: &GlobalData) -> Option<u32> {
    let is_sampler = matches!(context.program.types.kind(data.of), TypeKind::Opaque(name) if name == "sampler_t");
    let is_made = context.types[data.of].value.starts_with(b"target");
    match data.initializer {
        Some(crate::typed::Constant::Integer(bits)) if is_sampler && is_made => Some(bits as u32),
        _ => None,
    }
}
