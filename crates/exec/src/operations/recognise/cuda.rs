//! Functions of CUDA and HIP that are left as calls ("CUDA C++ Programming Guide", "Memory Fence Functions", "Time Function"),
//! and of the C library, where a thread ends by them.

use super::{GpuFunction, Known};
use crate::operations::Stop;

/// A function by its plain name.
pub(super) fn recognise(known: &Known, name: &str) -> Option<GpuFunction> {
    let nothing = known.has_no_result();
    match name {
        "__threadfence" | "__threadfence_block" | "__threadfence_system" => {
            return nothing.then_some(GpuFunction::Fence);
        }
        "__nanosleep" | "__brkpt" => return nothing.then_some(GpuFunction::Nothing),
        "clock" | "clock64" | "wall_clock64" => return (!nothing && known.arity() == 0).then_some(GpuFunction::Clock),
        "__trap" | "abort" => return Some(GpuFunction::Stop(Stop::Trap)),
        "__assertfail" | "__assert_fail" | "__assert_rtn" => return Some(GpuFunction::Stop(Stop::Assertion)),
        "cudaCGSynchronizeGrid" => return Some(GpuFunction::Unsupported("a barrier of the whole grid")),
        _ => {}
    }
    if name == "__match_all_sync" {
        return Some(GpuFunction::Unsupported("a communication that writes a second result to memory"));
    }
    None
}
