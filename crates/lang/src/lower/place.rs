//! Places: where something is in memory, loads and stores.

use smallvec::SmallVec;

use super::function::{FunctionText, instruction, result};
use super::types;
use super::writer::{Name, Of, Operand, Pointer, Stored};
use crate::typed::{Expression, ExpressionKind, Type, TypeKind};

/// What of the object at an address is meant.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Part {
    /// All of it.
    Whole,
    /// These lanes of a vector, in this order.
    Lanes(SmallVec<[u8; 16]>),
    /// The lane of a vector with this number, an integer of that type.
    Lane(Operand, Type),
}

/// Where something is in memory.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Place {
    pub(super) pointer: Operand,
    /// The number of the address space.
    pub(super) space: u32,
    /// Of the address, in bytes.
    pub(super) alignment: u64,
    pub(super) is_volatile: bool,
    /// The type of what is at the address: a vector where only a part of it is meant.
    pub(super) of: Type,
    pub(super) part: Part,
}

impl<'c> FunctionText<'c> {
    /// Whether an expression stands for a place.
    pub(super) fn is_place(&self, expression: Expression) -> bool {
        let mut at = expression;
        loop {
            match self.body.expressions[at].kind {
                ExpressionKind::Variable(_) | ExpressionKind::Global(_) | ExpressionKind::Dereference(_) => {
                    return true;
                }
                ExpressionKind::Field { base, .. }
                | ExpressionKind::Lanes { base, .. }
                | ExpressionKind::Lane(base, _) => {
                    at = base;
                }
                ExpressionKind::Comma(_, second) => at = second,
                _ => return false,
            }
        }
    }

    /// The place that an expression stands for. A value is put on the stack.
    pub(super) fn place(&mut self, expression: Expression) -> Place {
        let data = &self.body.expressions[expression];
        let saved = self.enter_expression(expression, data.location);
        let place = match &data.kind {
            &ExpressionKind::Variable(variable) => Place {
                pointer: Operand::Named(Name::Variable(variable)),
                space: self.stack(),
                alignment: self.variable_alignment(variable),
                is_volatile: false,
                of: data.of,
                part: Part::Whole,
            },
            &ExpressionKind::Global(global) => self.global_place(global, data.of),
            &ExpressionKind::Dereference(pointer) => self.dereferenced(pointer, data.of),
            &ExpressionKind::Field { base, index } => self.field_place(base, index, data.of),
            ExpressionKind::Lanes { base, lanes } => self.lanes_place(*base, lanes),
            &ExpressionKind::Lane(base, index) => self.lane_place(base, index),
            &ExpressionKind::Comma(first, second) => {
                self.effect(first);
                self.place(second)
            }
            _ => self.spilled(expression, data.of),
        };
        self.leave_expression(saved);
        place
    }

    /// The place that an expression stands for, and what is there.
    pub(super) fn place_and_content(&mut self, expression: Expression) -> (Place, Operand) {
        let place = self.place(expression);
        let saved = self.enter_expression(expression, self.location);
        let content = self.load(&place);
        self.leave_expression(saved);
        (place, content)
    }

    fn global_place(&mut self, global: crate::typed::Global, of: Type) -> Place {
        let data = &self.context.program.globals[global];
        let natural = self.context.types[data.of].alignment;
        Place {
            pointer: Operand::Named(Name::Global(global)),
            space: super::target::space(self.context.program.target, data.space),
            alignment: natural.max(u64::from(data.alignment.unwrap_or(1))),
            is_volatile: false,
            of,
            part: Part::Whole,
        }
    }

    fn dereferenced(&mut self, pointer: Expression, of: Type) -> Place {
        let value = self.value(pointer);
        let pointer_type = self.body.expressions[pointer].of;
        let is_volatile =
            matches!(self.context.program.types.kind(pointer_type), TypeKind::Pointer { is_volatile: true, .. });
        Place {
            pointer: value,
            space: self.space_of(pointer_type),
            alignment: self.context.types[of].alignment,
            is_volatile,
            of,
            part: Part::Whole,
        }
    }

    fn field_place(&mut self, base: Expression, index: u32, of: Type) -> Place {
        let base_type = self.body.expressions[base].of;
        let base = self.place(base);
        let TypeKind::Struct(number) = *self.context.program.types.kind(base_type) else { return Place { of, ..base } };
        let offset = self.context.types.offset(number, index);
        let element = self.context.types.structs[number].elements.get(index as usize).copied().unwrap_or(0);
        let pointer = if self.context.program.types.structs[number].is_union || offset == 0 {
            base.pointer
        } else {
            result!(
                self,
                "getelementptr inbounds ",
                Stored(base_type),
                ", ",
                Pointer(base.space),
                base.pointer,
                ", i32 0, i32 ",
                element
            )
        };
        let alignment = if offset == 0 { base.alignment } else { base.alignment.min(1 << offset.trailing_zeros()) };
        Place { pointer, alignment, of, ..base }
    }

    fn lanes_place(&mut self, base: Expression, lanes: &[u8]) -> Place {
        let base = self.place(base);
        let lanes = match &base.part {
            Part::Lanes(outer) => {
                lanes.iter().map(|&lane| outer.get(usize::from(lane)).copied().unwrap_or(0)).collect()
            }
            _ => SmallVec::from_slice(lanes),
        };
        Place { part: Part::Lanes(lanes), ..base }
    }

    fn lane_place(&mut self, base: Expression, index: Expression) -> Place {
        let base = self.place(base);
        let index_type = self.body.expressions[index].of;
        let index = self.value(index);
        let part = match &base.part {
            // A lane of some lanes: their numbers are a vector in which this one is looked up.
            Part::Lanes(outer) => {
                let count = outer.len() as u32;
                let mut numbers = Vec::new();
                for (position, &lane) in outer.iter().enumerate() {
                    numbers.extend_from_slice(if position == 0 { b"" } else { b", " });
                    numbers.extend_from_slice(&self.context.types[index_type].value);
                    numbers.extend_from_slice(format!(" {lane}").as_bytes());
                }
                let looked_up = result!(
                    self,
                    "extractelement <",
                    count,
                    " x ",
                    Of(index_type),
                    "> <",
                    &numbers[..],
                    ">, ",
                    Of(index_type),
                    " ",
                    index
                );
                Part::Lane(looked_up, index_type)
            }
            _ => Part::Lane(index, index_type),
        };
        Place { part, ..base }
    }

    /// A value on the stack.
    fn spilled(&mut self, expression: Expression, of: Type) -> Place {
        let value = self.value(expression);
        let place = self.slot_place(of);
        self.store(&place, value);
        place
    }

    /// Room on the stack for a value without a name.
    pub(super) fn slot_place(&mut self, of: Type) -> Place {
        let pointer = self.slot(of);
        let alignment = self.context.types[of].alignment;
        Place { pointer, space: self.stack(), alignment, is_volatile: false, of, part: Part::Whole }
    }

    /// The number of the address space that a pointer is into.
    pub(super) fn space_of(&self, pointer: Type) -> u32 {
        match *self.context.program.types.kind(pointer) {
            TypeKind::Pointer { pointee, space, .. } => types::pointer_space(self.context.program, pointee, space),
            _ => 0,
        }
    }

    /// The element of a vector.
    pub(super) fn element_of(&self, vector: Type) -> Type {
        match *self.context.program.types.kind(vector) {
            TypeKind::Vector { element, .. } => element,
            _ => vector,
        }
    }

    /// How many lanes a vector has; 1 for what is none.
    pub(super) fn lanes_of(&self, vector: Type) -> u32 {
        match *self.context.program.types.kind(vector) {
            TypeKind::Vector { lanes, .. } => u32::from(lanes),
            _ => 1,
        }
    }

    /// Whether the value of a type has another form in memory.
    fn is_bool(&self, of: Type) -> bool {
        let types = &self.context.types;
        types[of].value != types[of].memory
    }

    /// Loads what is at a place.
    pub(super) fn load(&mut self, place: &Place) -> Operand {
        let lane_place;
        let place = match self.lane_address(place) {
            Some(lane) => {
                lane_place = lane;
                &lane_place
            }
            None => place,
        };
        let whole = self.load_whole(place);
        match &place.part {
            Part::Whole => whole,
            Part::Lanes(lanes) => self.pick_lanes(whole, place.of, lanes),
            Part::Lane(index, index_type) => {
                result!(self, "extractelement ", Of(place.of), " ", whole, ", ", Of(*index_type), " ", *index)
            }
        }
    }

    fn load_whole(&mut self, place: &Place) -> Operand {
        let volatile = if place.is_volatile { "volatile " } else { "" };
        let value = result!(
            self,
            "load ",
            volatile,
            Stored(place.of),
            ", ",
            Pointer(place.space),
            place.pointer,
            ", align ",
            place.alignment
        );
        self.loaded_form(place.of, value)
    }

    /// A value from its form in memory.
    pub(super) fn loaded_form(&mut self, of: Type, value: Operand) -> Operand {
        if !self.is_bool(of) {
            return value;
        }
        result!(self, "trunc ", Stored(of), " ", value, " to ", Of(of))
    }

    /// A value in its form in memory.
    pub(super) fn memory_form(&mut self, of: Type, value: Operand) -> Operand {
        match value {
            _ if !self.is_bool(of) => value,
            Operand::Bool(value) => Operand::Integer(i128::from(value)),
            Operand::Zero | Operand::Poison => value,
            _ => result!(self, "zext ", Of(of), " ", value, " to ", Stored(of)),
        }
    }

    /// Stores a value at a place.
    pub(super) fn store(&mut self, place: &Place, value: Operand) {
        if let Some(lane) = self.lane_address(place) {
            return self.store_whole(&lane, value);
        }
        let whole = match &place.part {
            Part::Whole => value,
            Part::Lanes(lanes) => {
                let old = self.load_whole(place);
                self.put_lanes(old, place.of, lanes, value)
            }
            Part::Lane(index, index_type) => {
                let old = self.load_whole(place);
                let element = self.element_of(place.of);
                result!(
                    self,
                    "insertelement ",
                    Of(place.of),
                    " ",
                    old,
                    ", ",
                    Of(element),
                    " ",
                    value,
                    ", ",
                    Of(*index_type),
                    " ",
                    *index
                )
            }
        };
        self.store_whole(place, whole);
    }

    fn store_whole(&mut self, place: &Place, value: Operand) {
        let value = self.memory_form(place.of, value);
        let volatile = if place.is_volatile { "volatile " } else { "" };
        instruction!(
            self,
            "store ",
            volatile,
            Stored(place.of),
            " ",
            value,
            ", ",
            Pointer(place.space),
            place.pointer,
            ", align ",
            place.alignment
        );
    }

    /// One lane of a vector as a place of its own. A vector in a variable is read and written as a whole, so that it can live in registers; elsewhere other
    /// threads may write the other lanes.
    fn lane_address(&mut self, place: &Place) -> Option<Place> {
        if matches!(place.pointer, Operand::Named(Name::Variable(_))) {
            return None;
        }
        let is_one = match &place.part {
            Part::Whole => false,
            Part::Lanes(lanes) => lanes.len() == 1,
            Part::Lane(..) => true,
        };
        is_one.then(|| self.address_of_lane(place))
    }

    /// The address of one lane.
    pub(super) fn address_of_lane(&mut self, place: &Place) -> Place {
        let element = self.element_of(place.of);
        let size = self.context.types[element].size;
        let (pointer, alignment) = match &place.part {
            Part::Whole => return place.clone(),
            Part::Lanes(lanes) => {
                let lane = lanes.first().copied().unwrap_or(0);
                let offset = u64::from(lane) * size;
                let alignment =
                    if offset == 0 { place.alignment } else { place.alignment.min(1 << offset.trailing_zeros()) };
                let pointer = result!(
                    self,
                    "getelementptr inbounds ",
                    Stored(element),
                    ", ",
                    Pointer(place.space),
                    place.pointer,
                    ", i64 ",
                    u32::from(lane)
                );
                (pointer, alignment)
            }
            &Part::Lane(index, index_type) => {
                let wide = self.index(index, index_type);
                let pointer = result!(
                    self,
                    "getelementptr inbounds ",
                    Stored(element),
                    ", ",
                    Pointer(place.space),
                    place.pointer,
                    ", i64 ",
                    wide
                );
                (pointer, place.alignment.min(size))
            }
        };
        Place { pointer, alignment, of: element, part: Part::Whole, ..place.clone() }
    }

    /// An integer with 64 bits.
    pub(super) fn index(&mut self, value: Operand, of: Type) -> Operand {
        match *self.context.program.types.kind(of) {
            TypeKind::Integer { bits: 64, .. } => value,
            _ if matches!(value, Operand::Integer(_)) => value,
            TypeKind::Integer { bits: 128, .. } => result!(self, "trunc i128 ", value, " to i64"),
            TypeKind::Integer { signed: true, .. } => result!(self, "sext ", Of(of), " ", value, " to i64"),
            _ => result!(self, "zext ", Of(of), " ", value, " to i64"),
        }
    }

    /// The address of a place as a pointer into an address space.
    pub(super) fn address(&mut self, place: &Place, space: u32) -> Operand {
        let place = self.address_of_lane(place);
        self.cast_pointer(place.pointer, place.space, space)
    }

    /// A pointer into another address space.
    pub(super) fn cast_pointer(&mut self, pointer: Operand, from: u32, to: u32) -> Operand {
        if from == to {
            return pointer;
        }
        match pointer {
            Operand::Null | Operand::NullOf(_) => self.null(to),
            _ => result!(self, "addrspacecast ", Pointer(from), pointer, " to ", types::pointer(to).as_str()),
        }
    }

    /// The null pointer of an address space.
    pub(super) fn null(&self, space: u32) -> Operand {
        if super::target::has_other_null(self.context.program.target, space) {
            Operand::NullOf(space)
        } else {
            Operand::Null
        }
    }

    /// The number of a struct's element that a member is, and its type as a member.
    pub(super) fn element_number(&self, of: Type, index: u32) -> u32 {
        match *self.context.program.types.kind(of) {
            TypeKind::Struct(number) => {
                self.context.types.structs[number].elements.get(index as usize).copied().unwrap_or(index)
            }
            _ => index,
        }
    }
}
