//! Functions of CUDA and HIP that are left as calls ("CUDA C++ Programming Guide", "Synchronization Functions", "Warp Vote
//! Functions" and the sections behind them), and of the C library, where a thread ends by them.

use super::{
    Action, Barrier, Extent, GpuFunction, Known, Predicate, Scope, SegmentMode, Segments, combine_named, segment,
};
use crate::operations::{Reduction, Stop};

/// A function by its plain name.
pub(super) fn recognise(known: &Known, name: &str) -> Option<GpuFunction> {
    let nothing = known.has_no_result();
    match name {
        "__syncthreads" | "__cuda_syncthreads" => return block_barrier(known, None),
        "__syncthreads_and" => return block_barrier(known, Some(Reduction::And)),
        "__syncthreads_or" => return block_barrier(known, Some(Reduction::Or)),
        "__syncthreads_count" => return block_barrier(known, Some(Reduction::Count)),
        "__syncwarp" => {
            let mask = (known.arity() > 0).then_some(0);
            let fits = nothing && mask.is_none_or(|mask| known.is_integer(mask));
            let barrier = Barrier { partial: true, mask, ..known.barrier(Scope::Subgroup) };
            return fits.then_some(GpuFunction::Barrier(barrier));
        }
        "__threadfence" | "__threadfence_block" | "__threadfence_system" => {
            return nothing.then_some(GpuFunction::Fence);
        }
        "__nanosleep" | "__brkpt" => return nothing.then_some(GpuFunction::Nothing),
        "clock" | "clock64" | "wall_clock64" => return (!nothing && known.arity() == 0).then_some(GpuFunction::Clock),
        "__trap" | "abort" => return Some(GpuFunction::Stop(Stop::Trap)),
        "__assertfail" | "__assert_fail" | "__assert_rtn" => return Some(GpuFunction::Stop(Stop::Assertion)),
        _ => {}
    }
    if name == "__match_all_sync" {
        return Some(GpuFunction::Unsupported("a communication that writes a second result to memory"));
    }
    if let Some(action) = with_mask(known, name) {
        return known.crosslane_with(Scope::Subgroup, true, Some(0), action);
    }
    let shuffle = |mode, partial| {
        let action = segment(mode, 0, segments(known, 2), false);
        known.crosslane_with(Scope::Subgroup, partial, None, action)
    };
    match name {
        "__activemask" => known.crosslane(Action::Ballot(Predicate::Present)),
        "__ballot" => known.crosslane(Action::Ballot(Predicate::NonZero(0))),
        "__any" => known.crosslane(Action::Any(Predicate::NonZero(0))),
        "__all" => known.crosslane(Action::All(Predicate::NonZero(0))),
        "__shfl" => shuffle(SegmentMode::Index, false),
        "__shfl_up" => shuffle(SegmentMode::Up, false),
        "__shfl_down" => shuffle(SegmentMode::Down, false),
        "__shfl_xor" => shuffle(SegmentMode::Butterfly, false),
        _ => None,
    }
}

fn block_barrier(known: &Known, reduction: Option<Reduction>) -> Option<GpuFunction> {
    let fits = match reduction {
        None => known.has_no_result() && known.arity() == 0,
        Some(_) => super::is_integer(known.call.result) && known.is_integer(0),
    };
    let (textual, reduction) = (Some(Scope::Workgroup), reduction.map(|reduction| (reduction, 0)));
    fits.then(|| GpuFunction::Barrier(Barrier { textual, reduction, ..known.barrier(Scope::Workgroup) }))
}

/// The width of segments, where there is such an operand.
fn segments(known: &Known, operand: u8) -> Segments {
    if known.arity() > usize::from(operand) { Segments::Width(operand) } else { Segments::Warp }
}

/// Functions whose first operand is the mask of threads.
fn with_mask(known: &Known, name: &str) -> Option<Action> {
    let shuffle = |mode| segment(mode, 1, segments(known, 3), false);
    Some(match name.strip_suffix("_sync")? {
        "__ballot" => Action::Ballot(Predicate::NonZero(1)),
        "__any" => Action::Any(Predicate::NonZero(1)),
        "__all" => Action::All(Predicate::NonZero(1)),
        "__uni" => Action::Same(Predicate::NonZero(1)),
        "__match_any" => Action::MatchAny(1),
        "__shfl" => shuffle(SegmentMode::Index),
        "__shfl_up" => shuffle(SegmentMode::Up),
        "__shfl_down" => shuffle(SegmentMode::Down),
        "__shfl_xor" => shuffle(SegmentMode::Butterfly),
        other => {
            let operation = other.strip_prefix("__reduce_")?;
            known.folded(1, combine_named(operation, known.name.is_unsigned(1))?, Extent::Reduce)
        }
    })
}
