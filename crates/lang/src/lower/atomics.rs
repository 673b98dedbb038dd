//! Atomic operations and fences.

use super::arithmetic::Scalar;
use super::function::{FunctionText, instruction, result};
use super::target;
use super::writer::{Of, Operand, Pointer, Stored};
use crate::typed::{Atomic, AtomicOperation, AtomicUpdate, Expression, MemoryOrder, MemoryScope, Type, TypeKind};

/// Where an atomic operation is done, and how.
struct Access {
    pointer: Operand,
    space: Pointer,
    scope: &'static str,
    order: MemoryOrder,
    volatile: &'static str,
}

impl FunctionText<'_> {
    /// Writes an atomic operation.
    pub(super) fn atomic(&mut self, of: Type, atomic: &Atomic) -> Operand {
        let pointer_type = self.body.expressions[atomic.pointer].of;
        let pointer = self.value(atomic.pointer);
        let target = self.context.program.target;
        let is_volatile =
            matches!(self.context.program.types.kind(pointer_type), TypeKind::Pointer { is_volatile: true, .. });
        let access = Access {
            pointer,
            space: Pointer(self.space_of(pointer_type)),
            scope: target::scope(target, atomic.scope),
            order: atomic.order,
            volatile: if is_volatile { "volatile " } else { "" },
        };
        match &atomic.operation {
            AtomicOperation::Load => {
                let alignment = self.context.types[of].size;
                let order = target::order(target::reading(access.order));
                let value = result!(
                    self,
                    "load atomic ",
                    access.volatile,
                    Stored(of),
                    ", ",
                    access.space,
                    access.pointer,
                    access.scope,
                    order,
                    ", align ",
                    alignment
                );
                self.loaded_form(of, value)
            }
            &AtomicOperation::Store(value) => self.atomic_store(&access, value),
            &AtomicOperation::Update(update, value) => self.atomic_update(of, &access, update, value),
            &AtomicOperation::CompareExchange { expected, new } => self.compare_exchange(of, &access, expected, new),
        }
    }

    fn atomic_store(&mut self, access: &Access, value: Expression) -> Operand {
        let of = self.body.expressions[value].of;
        let value = self.value(value);
        let value = self.memory_form(of, value);
        let alignment = self.context.types[of].size;
        let order = target::order(target::writing(access.order));
        instruction!(
            self,
            "store atomic ",
            access.volatile,
            Stored(of),
            " ",
            value,
            ", ",
            access.space,
            access.pointer,
            access.scope,
            order,
            ", align ",
            alignment
        );
        Operand::None
    }

    fn atomic_update(&mut self, of: Type, access: &Access, update: AtomicUpdate, value: Expression) -> Operand {
        let value_type = self.body.expressions[value].of;
        let value = self.value(value);
        let value = self.memory_form(value_type, value);
        let word = update_word(update, self.scalar_of(value_type));
        let alignment = self.context.types[value_type].size;
        let old = result!(
            self,
            "atomicrmw ",
            access.volatile,
            word,
            access.space,
            access.pointer,
            ", ",
            Stored(value_type),
            " ",
            value,
            access.scope,
            target::order(access.order),
            ", align ",
            alignment
        );
        self.loaded_form(of, old)
    }

    fn compare_exchange(&mut self, of: Type, access: &Access, expected: Expression, new: Expression) -> Operand {
        let value_type = self.body.expressions[expected].of;
        let expected = self.value(expected);
        let new = self.value(new);
        let size = self.context.types[value_type].size;
        // Floats are compared as bits.
        let is_float = matches!(self.scalar_of(value_type), Scalar::Float(_));
        let (text, expected, new) = if is_float {
            let text = format!("i{}", size * 8);
            let expected = result!(self, "bitcast ", Of(value_type), " ", expected, " to ", text.as_str());
            let new = result!(self, "bitcast ", Of(value_type), " ", new, " to ", text.as_str());
            (text, expected, new)
        } else {
            let expected = self.memory_form(value_type, expected);
            let new = self.memory_form(value_type, new);
            (String::from_utf8_lossy(&self.context.types[value_type].memory).into_owned(), expected, new)
        };
        let failure = target::order(target::reading(access.order));
        let both = result!(
            self,
            "cmpxchg ",
            access.volatile,
            access.space,
            access.pointer,
            ", ",
            text.as_str(),
            " ",
            expected,
            ", ",
            text.as_str(),
            " ",
            new,
            access.scope,
            target::order(access.order),
            " ",
            failure,
            ", align ",
            size
        );
        let old = result!(self, "extractvalue { ", text.as_str(), ", i1 } ", both, ", 0");
        if is_float {
            return result!(self, "bitcast ", text.as_str(), " ", old, " to ", Of(of));
        }
        self.loaded_form(of, old)
    }

    /// Writes a fence; one without order is nothing.
    pub(super) fn fence(&mut self, order: MemoryOrder, scope: MemoryScope) -> Operand {
        if order != MemoryOrder::Relaxed {
            let scope = target::scope(self.context.program.target, scope);
            instruction!(self, "fence", scope, target::order(order));
        }
        Operand::None
    }
}

/// The operation of `atomicrmw`, with a blank behind it.
fn update_word(update: AtomicUpdate, of: Scalar) -> &'static str {
    let is_float = matches!(of, Scalar::Float(_));
    let is_signed = matches!(of, Scalar::Integer { signed: true, .. });
    match (update, is_float, is_signed) {
        (AtomicUpdate::Exchange, ..) => "xchg ",
        (AtomicUpdate::Add, true, _) => "fadd ",
        (AtomicUpdate::Add, ..) => "add ",
        (AtomicUpdate::Subtract, true, _) => "fsub ",
        (AtomicUpdate::Subtract, ..) => "sub ",
        (AtomicUpdate::And, ..) => "and ",
        (AtomicUpdate::Or, ..) => "or ",
        (AtomicUpdate::Xor, ..) => "xor ",
        (AtomicUpdate::Minimum, true, _) => "fmin ",
        (AtomicUpdate::Minimum, _, true) => "min ",
        (AtomicUpdate::Minimum, ..) => "umin ",
        (AtomicUpdate::Maximum, true, _) => "fmax ",
        (AtomicUpdate::Maximum, _, true) => "max ",
        (AtomicUpdate::Maximum, ..) => "umax ",
        (AtomicUpdate::IncrementWrap, ..) => "uinc_wrap ",
        (AtomicUpdate::DecrementWrap, ..) => "udec_wrap ",
    }
}
