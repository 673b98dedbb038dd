//! Accesses to memory: what has a size, orderings and alignments (LangRef, "Memory Access and Addressing Operations").

use reconverge_ir::function::{Extra, Inst, InstData, Value};
use reconverge_ir::opcode::{Flags, Opcode, Ordering, RmwOperation};
use reconverge_ir::types::Type;

use crate::types::{Class, bits, class, is_value, lanes, scalar_class};
use crate::{Checker, Rule};

impl Checker<'_, '_> {
    pub(crate) fn memory(&mut self, inst: Inst, data: &InstData, values: &[Value]) {
        let Extra::Memory(memory) = data.extra else { return };
        let memory = &self.function.memory[memory];
        if let Some(alignment) = memory.alignment
            && (!alignment.is_power_of_two() || alignment > 1 << 32)
        {
            self.breach(Rule::Types, format!("the alignment {alignment} is no power of two up to 2^32"));
        }
        match data.opcode {
            Opcode::Load => {
                self.expect_pointer(values[0]);
                self.expect_loadable(data.ty);
            }
            Opcode::Store => {
                self.expect_pointer(values[1]);
                self.expect_loadable(memory.ty);
            }
            Opcode::Alloca => {
                self.expect_sized("what is allocated", memory.ty);
                if let Some(&count) = values.first() {
                    let ty = self.function.values[count].ty;
                    if class(self.module, ty) != Class::Integer {
                        let found = self.type_name(ty);
                        self.breach(
                            Rule::Types,
                            format!("the number of elements is of type '{found}', not an integer"),
                        );
                    }
                }
                return;
            }
            Opcode::CmpXchg | Opcode::AtomicRmw => {
                self.expect_pointer(values[0]);
                self.expect_loadable(memory.ty);
            }
            _ => {}
        }
        let is_atomic = data.flags.contains(Flags::ATOMIC) || memory.ordering.is_some();
        if is_atomic {
            self.atomic(inst, data);
        }
    }

    /// A type that can be in memory.
    fn expect_loadable(&mut self, ty: Type) {
        if (Type::HALF..=Type::DOUBLE).contains(&ty) || (Type::I1..=Type::PTR).contains(&ty) {
            return;
        }
        if !is_value(self.module, ty) || ty == Type::TOKEN {
            let found = self.type_name(ty);
            return self.breach(Rule::Types, format!("a value of type '{found}' cannot be in memory"));
        }
        self.expect_sized("what is accessed", ty);
    }

    #[inline]
    pub(crate) fn expect_sized(&mut self, what: &str, ty: Type) {
        if !self.facts.is_sized(self.module, ty) {
            let found = self.type_name(ty);
            self.breach(Rule::Unsized, format!("{what} is of type '{found}', which has no size"));
        }
    }

    #[cold]
    fn atomic(&mut self, _inst: Inst, data: &InstData) {
        use Ordering::*;
        let Extra::Memory(memory) = data.extra else { return };
        let memory = &self.function.memory[memory];
        let Some(ordering) = memory.ordering else { return };
        let allowed = match data.opcode {
            Opcode::Load => !matches!(ordering, Release | AcqRel),
            Opcode::Store => !matches!(ordering, Acquire | AcqRel),
            Opcode::Fence => !matches!(ordering, Unordered | Monotonic),
            _ => ordering != Unordered,
        };
        let opcode = data.opcode.keyword();
        if !allowed {
            self.breach(Rule::Types, format!("'{opcode}' cannot have the ordering '{}'", ordering.keyword()));
        }
        if let Some(failure @ (Unordered | Release | AcqRel)) = memory.failure_ordering {
            let message = format!("'{opcode}' cannot have the ordering '{}' where it fails", failure.keyword());
            self.breach(Rule::Types, message);
        }
        if data.opcode == Opcode::Fence {
            return;
        }
        if matches!(data.opcode, Opcode::Load | Opcode::Store) && memory.alignment.is_none() {
            self.breach(Rule::Types, format!("an atomic '{opcode}' states its alignment"));
        }
        let ty = memory.ty;
        let class = class(self.module, ty);
        let fixed_vector = lanes(self.module, ty).is_some_and(|(_, scalable)| !scalable);
        let element = scalar_class(self.module, ty);
        let fits = match (data.opcode, memory.operation) {
            (Opcode::Load | Opcode::Store, _) => class != Class::Other || fixed_vector && element != Class::Other,
            (Opcode::CmpXchg, _) => matches!(class, Class::Integer | Class::Pointer),
            (_, Some(RmwOperation::Xchg)) => class != Class::Other,
            (
                _,
                Some(
                    RmwOperation::FAdd
                    | RmwOperation::FSub
                    | RmwOperation::FMax
                    | RmwOperation::FMin
                    | RmwOperation::FMaximum
                    | RmwOperation::FMinimum,
                ),
            ) => class == Class::Float || fixed_vector && element == Class::Float,
            _ => class == Class::Integer,
        };
        if !fits {
            let found = self.type_name(ty);
            self.breach(Rule::Types, format!("this '{opcode}' cannot be of type '{found}'"));
        }
        // A pointer has as many bits as its target says: a power of two.
        let size = match element {
            Class::Pointer => 64 * lanes(self.module, ty).map_or(1, |(count, _)| count),
            _ => bits(self.module, ty),
        };
        if fits && (size < 8 || !size.is_power_of_two()) {
            let message = format!("an atomic access of {size} bits: it takes a power of two, and at least 8");
            self.breach(Rule::Types, message);
        }
    }
}
