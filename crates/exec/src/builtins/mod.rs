//! Built-in functions that compiled kernels call by name and that are no GPU operations: mathematics, integers, conversions,
//! vectors in memory, atomic operations.
//!
//! A call of a function without a body is given its meaning by [`recognise`]: from the name where that says enough (CUDA's libdevice,
//! OCML, the C library), else from the parameter types that Clang mangled into it (OpenCL C, SPIR-V). What is not
//! here: functions by which threads learn who they are or communicate, and images, pipes and device queues.
//!
//! Floating-point functions are computed in binary64 and rounded once to the type of the call. The exact ones of OpenCL C
//! (`fma`, `sqrt`, `fmod`, `rint`, `ldexp`, …) so are exact; of the others the result for `float` and `half` is the right one save for
//! rare cases of double rounding, better than the accuracy that OpenCL C asks for, also under their `half_` and `native_` names.
//! They come from `libm`, in Rust, hence are the same on each machine.
//!
//! Where a specification leaves a result open: conversions to integers that do not fit saturate, NaN becomes 0; integer
//! conversions without `_sat` wrap around; `mul24` and `mad24` look at the low 24 bits only; `mad` is `fma`.

mod access;
mod atomic;
mod call;
mod conversion;
mod demangle;
mod directed;
mod integer;
mod math;
mod memory;
mod names;
mod pure;
mod special;
mod spirv;
mod vector;

pub use demangle::{Number, ParameterType, demangle};
pub use memory::{
    AtomicBuiltin, AtomicOperand, AtomicOperation, GroupCopy, MemoryBuiltin, MemoryOrder, MemoryScope, Modification,
    ResultStore, VectorAccess,
};
pub use pure::Pure;

use crate::value::{Scalar, Shape};
use call::Call;

/// What a built-in function does.
#[derive(Debug, Clone)]
pub enum Builtin {
    /// Computes its result from its arguments.
    Pure(Pure),
    /// Reads or writes memory.
    Memory(MemoryBuiltin),
    /// Has an effect that is not modelled, as `puts`, `prefetch`, or the report of an assertion that failed (behind which
    /// compilers put `unreachable`). A result, if there is one, is 0.
    Ignored,
}

/// The meaning of a call of a function that is only declared, from its name (without sigil) and the flattened types of its
/// result and of each argument. `None` for a name that is not known, or not with these types.
pub fn recognise(name: &str, result: &[Scalar], arguments: &[Shape]) -> Option<Builtin> {
    if matches!(name, "printf" | "vprintf" | "puts" | "putchar" | "__assertfail" | "__assert_fail") {
        return Some(Builtin::Ignored);
    }
    if let Some(of_heap) = heap(name, result, arguments) {
        return Some(Builtin::Memory(of_heap));
    }
    if let Some(modelled) = spirv::atomic(name, result, arguments) {
        return Some(Builtin::Memory(modelled));
    }
    let call = names::call_of(name, result, arguments)?;
    if call.name == "prefetch" && result.is_empty() {
        return Some(Builtin::Ignored);
    }
    let memory = || access::recognise(&call).or_else(|| atomic::recognise(&call)).map(Builtin::Memory);
    pure_function(&call).map(Builtin::Pure).or_else(memory)
}

/// What asks for memory of the heap, and gives it back. C++ may say the size and the alignment of what is given back.
fn heap(name: &str, result: &[Scalar], arguments: &[Shape]) -> Option<MemoryBuiltin> {
    let is_pointer = |scalars: &[Scalar]| matches!(scalars, [Scalar::Pointer(_)]);
    let first = arguments.first()?;
    match name {
        "malloc" | "_Znwm" | "_Znam" | "_Znwj" | "_Znaj"
            if is_pointer(result) && arguments.len() == 1 && matches!(first[..], [Scalar::Integer(_)]) =>
        {
            Some(MemoryBuiltin::Allocate)
        }
        "free" | "_ZdlPv" | "_ZdaPv" | "_ZdlPvm" | "_ZdaPvm" | "_ZdlPvj" | "_ZdaPvj"
            if result.is_empty() && is_pointer(first) =>
        {
            Some(MemoryBuiltin::Free)
        }
        _ => None,
    }
}

/// The function of its arguments alone that a call means.
fn pure_function(call: &Call) -> Option<Pure> {
    vector::recognise(call)
        .or_else(|| integer::recognise(call))
        .or_else(|| math::recognise(call))
        .or_else(|| conversion::recognise(call))
        .or_else(|| directed::recognise(call))
}
