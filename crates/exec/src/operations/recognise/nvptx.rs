//! Intrinsics of NVIDIA GPUs, `llvm.nvvm.*`, today's and older ones ("PTX ISA", "Special Registers", "Parallel
//! Synchronization and Communication Instructions").

use super::{
    Action, Axis, Barrier, Combine, Extent, GpuFunction, Item, Known, Phase, Predicate, Scope, SegmentMode, Segments,
    Source, combine_named, segment,
};
use crate::operations::{Comparison, FloatOrder, Reduction, Stop};

/// An intrinsic by what is behind the name of its target.
pub(super) fn recognise(known: &Known, name: &str) -> Option<GpuFunction> {
    if let Some(register) = name.strip_prefix("read.ptx.sreg.") {
        return special_register(known, register);
    }
    let nothing = known.has_no_result();
    match name {
        "is_explicit_cluster" => return known.query(Item::Constant(0)),
        "nanosleep" | "pm.event.mask" => return nothing.then_some(GpuFunction::Nothing),
        "exit" => return Some(GpuFunction::Stop(Stop::Exit)),
        "bar.warp.sync" => {
            let barrier = Barrier { partial: true, mask: Some(0), ..known.barrier(Scope::Subgroup) };
            return (nothing && known.is_integer(0)).then_some(GpuFunction::Barrier(barrier));
        }
        "activemask" => return known.crosslane(Action::Ballot(Predicate::Present)),
        "elect.sync" => return known.crosslane_with(Scope::Subgroup, true, Some(0), Action::Elect),
        _ => {}
    }
    if name.starts_with("membar.") || name.starts_with("fence.") {
        return nothing.then_some(GpuFunction::Fence);
    }
    if name.starts_with("setmaxnreg.") {
        return nothing.then_some(GpuFunction::Nothing);
    }
    let unsupported = [
        ("mma.", "arithmetic of matrices that are spread over a warp"),
        ("wmma.", "arithmetic of matrices that are spread over a warp"),
        ("wgmma.", "arithmetic of matrices that are spread over several warps"),
        ("tcgen05.", "arithmetic of matrices that are spread over several warps"),
        ("ldmatrix.", "an access to memory that a warp does as a whole"),
        ("stmatrix.", "an access to memory that a warp does as a whole"),
        ("movmatrix.", "a matrix that is spread over a warp"),
        ("mbarrier.", "a barrier in memory"),
        ("cp.async.", "a copy in the background"),
    ];
    if let Some(&(_, reason)) = unsupported.iter().find(|(prefix, _)| name.starts_with(prefix)) {
        return Some(GpuFunction::Unsupported(reason));
    }
    if let Some(rest) = name.strip_prefix("barrier").or(name.strip_prefix("bar.sync").map(|_| name)) {
        return barrier(known, rest);
    }
    if let Some(rest) = name.strip_prefix("shfl.") {
        return shuffle(known, rest);
    }
    if let Some(rest) = name.strip_prefix("vote.") {
        let (rest, mask) = rest.strip_suffix(".sync").map_or((rest, None), |rest| (rest, Some(0)));
        let predicate = Predicate::NonZero(mask.map_or(0, |_| 1));
        let action = match rest {
            "all" => Action::All(predicate),
            "any" => Action::Any(predicate),
            "uni" => Action::Same(predicate),
            "ballot" => Action::Ballot(predicate),
            _ => return None,
        };
        return known.crosslane_with(Scope::Subgroup, true, mask, action);
    }
    let action = match name {
        "match.any.sync" => Action::MatchAny(1),
        "match.all.sync.i32p" | "match.all.sync.i64p" => Action::MatchAll(1),
        _ => {
            let action = known.folded(0, redux(name.strip_prefix("redux.sync.")?)?, Extent::Reduce);
            return known.crosslane_with(Scope::Subgroup, true, Some(1), action);
        }
    };
    known.crosslane_with(Scope::Subgroup, true, Some(0), action)
}

/// `min`, `umin`, `fmin.abs.NaN`, ….
fn redux(name: &str) -> Option<Combine> {
    let mut parts = name.split('.');
    let operation = parts.next()?;
    let mut order = FloatOrder { absolute: false, nan: false };
    for part in parts {
        match part {
            "abs" => order.absolute = true,
            "NaN" => order.nan = true,
            _ => return None,
        }
    }
    Some(match operation {
        "fmin" => Combine::FloatMinimum(order),
        "fmax" => Combine::FloatMaximum(order),
        "umin" | "umax" => combine_named(&operation[1..], true)?,
        "add" | "min" | "max" | "and" | "or" | "xor" => combine_named(operation, false)?,
        _ => return None,
    })
}

fn special_register(known: &Known, name: &str) -> Option<GpuFunction> {
    if let Some((register, axis)) = name.rsplit_once('.') {
        let axis = match axis {
            "x" => Some(0),
            "y" => Some(1),
            "z" => Some(2),
            "w" => Some(3),
            _ => None,
        };
        let item = match register {
            "tid" => Some(Item::LocalId),
            "ntid" => Some(Item::LocalSize),
            "ctaid" | "clusterid" => Some(Item::GroupId),
            "nctaid" | "nclusterid" => Some(Item::GroupCount),
            "cluster.ctaid" => Some(Item::Constant(0)),
            "cluster.nctaid" => Some(Item::Constant(1)),
            _ => None,
        };
        if let (Some(axis), Some(item)) = (axis, item) {
            let fits = known.arity() == 0;
            return fits.then(|| known.query_about(item, Axis::Fixed(axis))).flatten();
        }
    }
    let comparison = match name.strip_prefix("lanemask.") {
        Some("eq") => Some(Comparison::Equal),
        Some("ge") => Some(Comparison::GreaterOrEqual),
        Some("gt") => Some(Comparison::Greater),
        Some("le") => Some(Comparison::LessOrEqual),
        Some("lt") => Some(Comparison::Less),
        _ => None,
    };
    known.query(match name {
        _ if comparison.is_some() => Item::LaneMask(comparison?),
        "laneid" => Item::Lane,
        "warpid" => Item::SubgroupId,
        "nwarpid" => Item::SubgroupCount,
        "warpsize" => Item::SubgroupMaxSize,
        "cluster.nctarank" | "nsmid" => Item::Constant(1),
        "cluster.ctarank" | "smid" | "gridid" => Item::Constant(0),
        "dynamic_smem_size" => Item::DynamicLocalMemory,
        "total_smem_size" | "aggr_smem_size" => Item::LocalMemory,
        "clock" | "clock64" | "clock_hi" | "globaltimer" | "globaltimer.lo" => return Some(GpuFunction::Clock),
        _ if name.starts_with("envreg") || name.starts_with("pm") => Item::Constant(0),
        _ => return None,
    })
}

/// What is behind `barrier` in the name: `0`, `.cta.sync.aligned.all`, …; or all of `bar.sync`.
fn barrier(known: &Known, name: &str) -> Option<GpuFunction> {
    let full = known.barrier(Scope::Workgroup);
    // Aligned: all threads of a warp are at the same instruction.
    let aligned = Barrier { textual: Some(Scope::Subgroup), ..full.clone() };
    let (barrier, arity, result) = match name {
        "0" => (aligned, 0, 0),
        "0.and" => (Barrier { reduction: Some((Reduction::And, 0)), ..aligned }, 1, 1),
        "0.or" => (Barrier { reduction: Some((Reduction::Or, 0)), ..aligned }, 1, 1),
        "0.popc" => (Barrier { reduction: Some((Reduction::Count, 0)), ..aligned }, 1, 1),
        ".n" | "bar.sync" => (Barrier { id: Some(0), ..aligned }, 1, 0),
        "" => (Barrier { id: Some(0), count: Some(1), ..aligned }, 2, 0),
        ".sync" => (Barrier { id: Some(0), ..full }, 1, 0),
        ".sync.cnt" => (Barrier { id: Some(0), count: Some(1), ..full }, 2, 0),
        _ => match (name.strip_prefix(".cta."), name.strip_prefix(".cluster.")) {
            (Some(rest), _) => return block_barrier(known, rest),
            (_, Some(rest)) => {
                let phase = match rest.split('.').next()? {
                    "arrive" => Phase::Arrive,
                    "wait" => Phase::Wait,
                    _ => return None,
                };
                let orders_memory = !rest.contains(".relaxed");
                let barrier = if rest.ends_with(".aligned") { aligned } else { full };
                (Barrier { phase, cluster: true, orders_memory, ..barrier }, 0, 0)
            }
            _ => return None,
        },
    };
    finish(known, barrier, arity, result)
}

/// `sync`, `arrive` or `red` with an operation, then `aligned` or not, then `all` or `count`. Operands are the number of
/// the barrier, the number of threads, and what is reduced, as far as there are such.
fn block_barrier(known: &Known, name: &str) -> Option<GpuFunction> {
    let mut barrier = Barrier { id: Some(0), ..known.barrier(Scope::Workgroup) };
    let (name, has_count) = match name.strip_suffix(".count") {
        Some(name) => (name, true),
        None => (name.strip_suffix(".all")?, false),
    };
    barrier.count = has_count.then_some(1);
    let name = match name.strip_suffix(".aligned") {
        Some(name) => {
            barrier.textual = Some(Scope::Subgroup);
            name
        }
        None => name,
    };
    let operands = 1 + u8::from(has_count);
    barrier.reduction = match name {
        "sync" => None,
        "arrive" => {
            barrier.phase = Phase::Arrive;
            None
        }
        "red.and" => Some((Reduction::And, operands)),
        "red.or" => Some((Reduction::Or, operands)),
        "red.popc" => Some((Reduction::Count, operands)),
        _ => return None,
    };
    let reduces = barrier.reduction.is_some();
    finish(known, barrier, usize::from(operands) + usize::from(reduces), usize::from(reduces))
}

fn finish(known: &Known, barrier: Barrier, arity: usize, results: usize) -> Option<GpuFunction> {
    let result = known.call.result;
    let fits = known.arity() == arity && result.len() == results && (results == 0 || super::is_integer(result));
    (fits && (0..arity as u8).all(|operand| known.is_integer(operand))).then_some(GpuFunction::Barrier(barrier))
}

/// `idx.i32`, `sync.up.f32p`, …. The last operand has the limits of segments.
fn shuffle(known: &Known, name: &str) -> Option<GpuFunction> {
    let (name, mask) = name.strip_prefix("sync.").map_or((name, None), |name| (name, Some(0)));
    // The types are behind it, with a `p` where there is a second result.
    let (name, flag) = match name.strip_suffix(".i32p").or(name.strip_suffix(".f32p")) {
        Some(name) => (name, true),
        None => (name, false),
    };
    let mode = match name {
        "idx" => SegmentMode::Index,
        "up" => SegmentMode::Up,
        "down" => SegmentMode::Down,
        "bfly" => SegmentMode::Butterfly,
        _ => return None,
    };
    let value = mask.map_or(0, |_| 1);
    let action = segment(mode, value, Segments::Packed(value + 2), flag);
    debug_assert!(matches!(action, Action::Fetch(Source::Segment { .. })), "`shfl` fetches");
    known.crosslane_with(Scope::Subgroup, mask.is_some(), mask, action)
}
