//! Functions of OpenCL C about a work-item on its own ("OpenCL C Specification", "Work-Item Functions", "Memory Fence
//! Functions"), and those of extensions that are not supported (`cl_intel_subgroups`).

use super::{GpuFunction, Known};

/// A function by its plain name.
pub(super) fn recognise(known: &Known, name: &str) -> Option<GpuFunction> {
    match name {
        "mem_fence" | "read_mem_fence" | "write_mem_fence" | "atomic_work_item_fence" => {
            known.has_no_result().then_some(GpuFunction::Fence)
        }
        _ if name.starts_with("intel_sub_group_block_") => {
            Some(GpuFunction::Unsupported("an access to memory that a subgroup does as a whole"))
        }
        _ => None,
    }
}
