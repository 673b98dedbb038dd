//! Functions of OpenCL C ("OpenCL C Specification", "Work-Item Functions", "Synchronization Functions", "Work-group
//! Collective Functions"; "OpenCL Extension Specification", the extensions about subgroups; `cl_intel_subgroups`).

use super::{Action, Axis, Extent, GpuFunction, Item, Known, MaskFunction, Predicate, Scope, Source, combine_named};
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
        "barrier" | "work_group_barrier" => return barrier(known, Scope::Workgroup),
        "sub_group_barrier" => return barrier(known, Scope::Subgroup),
        "mem_fence" | "read_mem_fence" | "write_mem_fence" | "atomic_work_item_fence" => {
            return known.has_no_result().then_some(GpuFunction::Fence);
        }
        _ => {}
    }
    if let Some(rest) = name.strip_prefix("work_group_") {
        return work_group(known, rest);
    }
    if let Some(rest) = name.strip_prefix("intel_sub_group_") {
        return intel(known, rest);
    }
    sub_group(known, name.strip_prefix("sub_group_")?)
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

/// The flags say which memory is ordered: none, if they are 0.
fn barrier(known: &Known, scope: Scope) -> Option<GpuFunction> {
    let fits = known.has_no_result() && (1..=2).contains(&known.arity()) && known.is_integer(0);
    let orders_memory = known.constant(0) != Some(0);
    let textual = Some(scope);
    fits.then(|| GpuFunction::Barrier(super::Barrier { textual, orders_memory, ..known.barrier(scope) }))
}

fn work_group(known: &Known, name: &str) -> Option<GpuFunction> {
    let action = match name {
        "all" => Action::All(Predicate::NonZero(0)),
        "any" => Action::Any(Predicate::NonZero(0)),
        "broadcast" => {
            let id = (1..known.arity().min(4) as u8).map(|operand| (operand, 0)).collect();
            Action::Fetch(Source::Thread { value: 0, id })
        }
        _ => fold(known, name)?,
    };
    known.crosslane_with(Scope::Workgroup, false, None, action)
}

/// `reduce_add`, `scan_inclusive_max`, ….
fn fold(known: &Known, name: &str) -> Option<Action> {
    let (extent, operation) = if let Some(operation) = name.strip_prefix("reduce_") {
        (Extent::Reduce, operation)
    } else if let Some(operation) = name.strip_prefix("scan_inclusive_") {
        (Extent::Inclusive, operation)
    } else {
        (Extent::Exclusive, name.strip_prefix("scan_exclusive_")?)
    };
    Some(known.folded(0, combine_named(operation, known.name.is_unsigned(0))?, extent))
}

fn sub_group(known: &Known, name: &str) -> Option<GpuFunction> {
    if let Some(name) = name.strip_prefix("non_uniform_") {
        return known.crosslane(match name {
            "all" => Action::All(Predicate::NonZero(0)),
            "any" => Action::Any(Predicate::NonZero(0)),
            "all_equal" => Action::AllEqual(0),
            "broadcast" => known.lane(0, 1, true),
            _ => fold(known, name)?,
        });
    }
    if let Some(operation) = name.strip_prefix("clustered_reduce_") {
        let combine = combine_named(operation, known.name.is_unsigned(0))?;
        return known.crosslane(Action::Fold { value: 0, combine, extent: Extent::Reduce, cluster: Some(1) });
    }
    // Those that need all of the subgroup.
    let complete = match name {
        "all" => Some(Action::All(Predicate::NonZero(0))),
        "any" => Some(Action::Any(Predicate::NonZero(0))),
        "broadcast" => Some(known.lane(0, 1, true)),
        _ => fold(known, name),
    };
    if let Some(action) = complete {
        return known.crosslane_with(Scope::Subgroup, false, None, action);
    }
    known.crosslane(match name {
        "elect" => Action::IsFirst,
        "broadcast_first" => Action::Fetch(Source::First { value: 0 }),
        "ballot" => Action::Ballot(Predicate::NonZero(0)),
        "inverse_ballot" => Action::InverseBallot(0, false),
        "ballot_bit_extract" => Action::OfMask(0, MaskFunction::Bit(1)),
        "ballot_bit_count" => Action::OfMask(0, MaskFunction::Count),
        "ballot_inclusive_scan" => Action::OfMask(0, MaskFunction::CountUpTo),
        "ballot_exclusive_scan" => Action::OfMask(0, MaskFunction::CountBefore),
        "ballot_find_lsb" => Action::OfMask(0, MaskFunction::Lowest),
        "ballot_find_msb" => Action::OfMask(0, MaskFunction::Highest),
        "shuffle" => known.lane(0, 1, false),
        "shuffle_xor" => Action::Fetch(Source::Xor { value: 0, mask: 1 }),
        "shuffle_up" => Action::Fetch(Source::Up { value: 0, delta: 1, before: None }),
        "shuffle_down" => Action::Fetch(Source::Down { value: 0, delta: 1, behind: None }),
        "rotate" => Action::Fetch(Source::Rotate { value: 0, delta: 1, cluster: None }),
        "clustered_rotate" => Action::Fetch(Source::Rotate { value: 0, delta: 1, cluster: Some(2) }),
        _ => return None,
    })
}

fn intel(known: &Known, name: &str) -> Option<GpuFunction> {
    known.crosslane(match name {
        "shuffle" => known.lane(0, 1, false),
        "shuffle_xor" => Action::Fetch(Source::Xor { value: 0, mask: 1 }),
        "shuffle_up" => Action::Fetch(Source::Up { value: 1, delta: 2, before: Some(0) }),
        "shuffle_down" => Action::Fetch(Source::Down { value: 0, delta: 2, behind: Some(1) }),
        _ if name.starts_with("block_") => {
            return Some(GpuFunction::Unsupported("an access to memory that a subgroup does as a whole"));
        }
        _ => return None,
    })
}
