//! Functions of OpenCL C about a work-item on its own ("OpenCL C Specification", "Work-Item Functions", "Memory Fence
//! Functions"), and those of extensions that are not supported (`cl_intel_subgroups`).

use super::{Axis, GpuFunction, Item, Known};
use crate::operations::Comparison;

/// A function by its plain name.
pub(super) fn recognise(known: &Known, name: &str) -> Option<GpuFunction> {
    if let Some(item) = work_item(name) {
        return match known.arity() {
            0 => known.query(item),
            1 => known.query_about(item, Axis::Operand(0)),
            _ => None,
        };
    }
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

/// What the work-item functions are about; `__ockl` has some of them, too.
pub(super) fn work_item(name: &str) -> Option<Item> {
    Some(match name {
        "get_global_id" => Item::GlobalId,
        "get_local_id" => Item::LocalId,
        "get_group_id" => Item::GroupId,
        "get_global_size" => Item::GlobalSize,
        "get_local_size" | "get_enqueued_local_size" => Item::LocalSize,
        "get_num_groups" => Item::GroupCount,
        "get_global_offset" => Item::GlobalOffset,
        "get_global_linear_id" => Item::GlobalLinearId,
        "get_local_linear_id" => Item::LocalLinearId,
        "get_work_dim" => Item::Dimensions,
        "get_sub_group_size" => Item::SubgroupSize,
        "get_max_sub_group_size" => Item::SubgroupMaxSize,
        "get_num_sub_groups" | "get_enqueued_num_sub_groups" => Item::SubgroupCount,
        "get_sub_group_id" => Item::SubgroupId,
        "get_sub_group_local_id" => Item::Lane,
        "get_sub_group_eq_mask" => Item::LaneMask(Comparison::Equal),
        "get_sub_group_ge_mask" => Item::LaneMask(Comparison::GreaterOrEqual),
        "get_sub_group_gt_mask" => Item::LaneMask(Comparison::Greater),
        "get_sub_group_le_mask" => Item::LaneMask(Comparison::LessOrEqual),
        "get_sub_group_lt_mask" => Item::LaneMask(Comparison::Less),
        _ => return None,
    })
}
