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
        _ if is_of_pipes(name.trim_start_matches('_')) => Some(GpuFunction::Unsupported("what is in a pipe")),
        _ => None,
    }
}

/// Whether a function is one of pipes: clang puts underscores before its name, and the number of arguments after it.
fn is_of_pipes(name: &str) -> bool {
    let name = name.strip_prefix("work_group_").or_else(|| name.strip_prefix("sub_group_")).unwrap_or(name);
    let starts = ["read_pipe", "write_pipe", "get_pipe_"];
    let of_reservations = ["reserve_read_pipe", "reserve_write_pipe", "commit_read_pipe", "commit_write_pipe"];
    starts.iter().any(|start| name.starts_with(start))
        || of_reservations.contains(&name)
        || name == "is_valid_reserve_id"
}
