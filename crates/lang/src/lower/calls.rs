//! Calls of functions.
//!
//! **Invariant.** A call is convergent in the text iff the typed call is a convergent operation, and then it has the token of its full expression.

use super::function::{FunctionText, instruction, result};
use super::target;
use super::writer::{Name, Of, Operand, Pointer};
use crate::typed::{Expression, Function, FunctionData, MemoryEffects, Type, TypeKind};

/// What is called, with what is known of it.
struct Target<'c> {
    /// The function, or a pointer to one.
    operand: Operand,
    /// The type of the function.
    of: Type,
    /// What is known of it where it is not a pointer.
    data: Option<&'c FunctionData>,
    is_convergent: bool,
}

impl<'c> FunctionText<'c> {
    /// Writes a call of a function.
    pub(super) fn call(
        &mut self,
        call: Expression,
        function: Function,
        convergent: Option<bool>,
        arguments: &[Expression],
    ) -> Operand {
        let target = self.known_target(function, convergent);
        self.call_target(call, target, arguments)
    }

    /// Writes a call of what a pointer points at.
    pub(super) fn call_pointer(&mut self, call: Expression, pointer: Expression, arguments: &[Expression]) -> Operand {
        let operand = self.value(pointer);
        let of = self.pointee(self.body.expressions[pointer].of);
        let target = Target { operand, of, data: None, is_convergent: self.context.is_for_gpus() };
        self.call_target(call, target, arguments)
    }

    fn call_target(&mut self, call: Expression, target: Target<'c>, arguments: &[Expression]) -> Operand {
        let mut values = Vec::with_capacity(arguments.len());
        for &argument in arguments {
            let of = self.body.expressions[argument].of;
            values.push((of, self.value(argument)));
        }
        self.begin_call(call);
        self.write_call(self.body.expressions[call].of, &target, &values)
    }

    fn known_target(&mut self, function: Function, convergent: Option<bool>) -> Target<'c> {
        let data = &self.context.program.functions[function];
        if data.is_kernel && data.body.is_some() {
            self.tables.call_kernel(function);
        }
        let is_convergent = convergent.unwrap_or(data.is_convergent);
        let known =
            Target { operand: Operand::Named(Name::Function(function)), of: data.of, data: Some(data), is_convergent };
        if is_convergent || !data.is_convergent || data.is_assembly() {
            return known;
        }
        // LLVM's attribute is one of the function, and no call can take it back: so the function is not named.
        let slot = self.slot_for_pointer();
        let space = Pointer(self.stack());
        instruction!(self, "store ptr ", Operand::Named(Name::Function(function)), ", ", space, slot, ", align 8");
        let pointer = result!(self, "load ptr, ", space, slot, ", align 8");
        Target { operand: pointer, data: None, ..known }
    }

    /// The type of the function that a pointer is to.
    fn pointee(&self, pointer: Type) -> Type {
        match *self.context.program.types.kind(pointer) {
            TypeKind::Pointer { pointee, .. } => pointee,
            _ => pointer,
        }
    }

    fn write_call(&mut self, of: Type, target: &Target<'_>, values: &[(Type, Operand)]) -> Operand {
        let is_void = matches!(self.context.program.types.kind(of), TypeKind::Void);
        let is_variadic =
            matches!(self.context.program.types.kind(target.of), TypeKind::Function { variadic: true, .. });
        let result = if is_void {
            self.start();
            Operand::None
        } else {
            self.define()
        };
        self.put("call ");
        self.put(match target.data {
            Some(data) => self.context.convention(data),
            None => target::function_convention(self.context.program.target),
        });
        self.put(Of(of));
        self.put(" ");
        if is_variadic {
            let parameters = self.context.parameters(target.of);
            self.put("(");
            self.put(&parameters[..]);
            self.put(") ");
        }
        self.put(target.operand);
        self.put("(");
        for (index, &(of, value)) in values.iter().enumerate() {
            if index > 0 {
                self.put(", ");
            }
            self.put(Of(of));
            self.put(" ");
            self.put(value);
        }
        self.put(")");
        // What a function is, its declaration says.
        let attributes = match target.data {
            Some(data) if data.is_assembly() => match (target.is_convergent, data.memory) {
                (true, MemoryEffects::None) => "convergent nounwind memory(none)",
                (true, _) => "convergent nounwind",
                (false, MemoryEffects::None) => "nounwind memory(none)",
                (false, _) => "nounwind",
            },
            None if target.is_convergent => "convergent nounwind",
            Some(data) if target.is_convergent && !data.is_convergent => "convergent nounwind",
            _ => "",
        };
        if !attributes.is_empty() {
            let group = self.tables.attributes.group(attributes);
            self.put(" #");
            self.put(group);
        }
        if target.is_convergent {
            self.token_bundle();
        }
        self.end();
        result
    }
}
