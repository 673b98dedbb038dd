//! What is not known.
//!
//! **Definition.** A type, name, member or template of which nothing is known is *unknown*, and so is an operation on such a thing. An unknown value is of the type
//! [`TypeKind::Unknown`](super::TypeKind). It is made in one of three ways, each of which is a call of a function that nobody defines:
//!
//! - It is *computed* from operands that are known or not: a function of them and of nothing else ([`COMPUTED`]). A conversion to a known type is one, too. Without
//!   operands it is the same for all threads: the value of a template's parameter. What is read of a member is computed from what the object holds, and not loaded from
//!   an address in it.
//! - It is *found*: it may differ between threads, and nothing is changed ([`FOUND`]).
//! - It is *called*: what may be done is what a function that somebody else defines may do ([`CALLED`]).
//!
//! A parameter of a template of which nothing says what it stands for is *open*. A function is analysed for everything that it may stand for, so that is no unknown: a value
//! is the same for all threads, and the operators of a type are functions of their operands, as those of all types of the language are. What a call of a
//! function of such a type does is unknown.
//!
//! **Invariant.** Nothing that follows from an unknown is certain: the targets say so of the names of these functions (`targets/calls/llvm.toml`).

use thin_vec::ThinVec;

use super::{Builder, Expression, Function, FunctionData, MemoryEffects, Program, Type, TypeKind};
use crate::diagnostic::Diagnostic;
use crate::options::Dialect;
use crate::source::Location;

/// How the names of functions begin that compute something unknown from their operands.
pub const COMPUTED: &str = "reconverge.unknown.computed";
/// How the names of functions begin that stand for unknown values.
pub const FOUND: &str = "reconverge.unknown.found";
/// How the names of functions begin that stand for calls of unknown functions.
pub const CALLED: &str = "reconverge.unknown.called";

/// Something of which nothing is known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unknown {
    /// Its name, as far as it has one.
    pub name: String,
    /// What is said of it, and where it stands.
    pub reason: Diagnostic,
}

impl Unknown {
    /// The name is the first one in the reason.
    pub fn new(reason: Diagnostic) -> Unknown {
        let name = reason.message.split('`').nth(1).unwrap_or(&reason.message).to_owned();
        Unknown { name, reason }
    }
}

impl Program {
    /// The first thing that is unknown in a function or in one that it calls, in the order of the calls; none where all is known. O(size of the program).
    pub fn first_unknown(&self, function: Function) -> Option<&Unknown> {
        self.first_reached(function, |data| data.unknown.first())
    }

    /// The same for the parameters of templates of which nothing says what they stand for.
    pub fn first_open(&self, function: Function) -> Option<&Unknown> {
        self.first_reached(function, |data| data.open.first())
    }

    fn first_reached<T>(&self, function: Function, first: impl Fn(&FunctionData) -> Option<&T>) -> Option<&T> {
        let mut seen = cranelift_entity::EntitySet::new();
        let mut open = vec![function];
        while let Some(function) = open.pop() {
            if !seen.insert(function) {
                continue;
            }
            let data = &self.functions[function];
            if let Some(first) = first(data) {
                return Some(first);
            }
            let body = data.body.iter();
            open.extend(body.flat_map(|body| body.mentioned_functions()));
        }
        None
    }
}

impl Builder<'_> {
    /// The unknown type.
    pub fn unknown(&mut self) -> Type {
        self.program.types.intern(TypeKind::Unknown)
    }

    /// Something that is a function of operands and of nothing else.
    pub fn computed(&mut self, operands: &[Expression], to: Type, location: Location) -> Expression {
        self.call_unknown(COMPUTED, "", operands, to, location)
    }

    /// A value that nobody knows.
    pub fn found(&mut self, name: &str, to: Type, location: Location) -> Expression {
        self.call_unknown(FOUND, name, &[], to, location)
    }

    /// What a function gives that nobody knows.
    pub fn called(&mut self, name: &str, operands: &[Expression], to: Type, location: Location) -> Expression {
        self.call_unknown(CALLED, name, operands, to, location)
    }

    fn call_unknown(
        &mut self,
        what: &str,
        name: &str,
        operands: &[Expression],
        to: Type,
        location: Location,
    ) -> Expression {
        let parameters = operands.iter().map(|&operand| self.type_of(operand)).collect();
        let of = self.program.types.intern(TypeKind::Function { result: to, parameters, variadic: false });
        let linkage_name = format!("{what}.{name}.{}", cranelift_entity::EntityRef::index(of));
        let known = self.program.declared.get(&linkage_name).copied();
        let function = known.unwrap_or_else(|| {
            let (is_convergent, memory) = match what {
                COMPUTED => (false, MemoryEffects::None),
                FOUND => (false, MemoryEffects::Reads),
                // C and C++ say which functions are convergent.
                _ => (!matches!(self.program.dialect, Dialect::C | Dialect::Cpp), MemoryEffects::Unknown),
            };
            let function = self.declare(&linkage_name, of, is_convergent, memory);
            let written = if name.is_empty() { "something unknown" } else { name };
            written.clone_into(&mut self.program.functions[function].name);
            function
        });
        self.call(function, operands.iter().copied().collect::<ThinVec<_>>(), location)
    }
}

impl FunctionData {
    /// Whether it stands for something unknown that is made of its arguments alone.
    pub fn is_computed(&self) -> bool {
        self.linkage_name.starts_with(COMPUTED)
    }

    /// Whether it stands for something unknown.
    pub fn is_unknown(&self) -> bool {
        [COMPUTED, FOUND, CALLED].iter().any(|begin| self.linkage_name.starts_with(begin))
    }
}
