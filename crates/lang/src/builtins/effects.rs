//! What is known of functions that only have a name: whether threads communicate in them, and what they do to memory.
//! For intrinsics, it is what LLVM defines; for operations of several threads, what the table of operations says.

use reconverge_operations::llvm;

use crate::typed::MemoryEffects;

/// Functions of the vendors' libraries in which threads communicate, by how their names begin.
const CONVERGENT: [&str; 5] =
    ["__ockl_wf", "__ockl_wg", "__ockl_activelane", "__ockl_grid_sync", "cudaCGSynchronizeGrid"];

/// Functions of libraries that touch no memory, unless they are given a pointer.
const NO_MEMORY: [&str; 6] = ["__nv_", "__ocml_", "__ockl_get_", "__ockl_lane", "__ockl_mul", "__ockl_sad"];

/// Whether threads communicate in a declared function, and what it does to memory. `has_pointers`: a function of a library of mathematics that is given
/// a pointer writes there.
pub fn effects(name: &str, has_pointers: bool) -> (bool, MemoryEffects) {
    let begins = |list: &[&str]| list.iter().any(|start| name.starts_with(start));
    let (is_convergent, no_memory) = if name.starts_with("llvm.") {
        (llvm::is_convergent(name.as_bytes()), llvm::touches_no_memory(name.as_bytes()))
    } else {
        let operation = reconverge_operations::find(name);
        let communicates = operation.is_some_and(|operation| operation.communicates());
        (communicates || begins(&CONVERGENT), begins(&NO_MEMORY) && !has_pointers)
    };
    (is_convergent, if no_memory { MemoryEffects::None } else { MemoryEffects::Unknown })
}
