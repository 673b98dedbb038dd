//! Intrinsics of NVIDIA GPUs, `llvm.nvvm.*`, today's and older ones ("PTX ISA", "Special Registers", "Parallel
//! Synchronization and Communication Instructions").

use super::{Axis, Barrier, GpuFunction, Item, Known, Phase, Scope};
use crate::operations::Stop;

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
        ("mapa", "memory of another workgroup of the cluster"),
        ("getctarank", "which workgroup of the cluster memory is of"),
    ];
    if let Some(&(_, reason)) = unsupported.iter().find(|(prefix, _)| name.starts_with(prefix)) {
        return Some(GpuFunction::Unsupported(reason));
    }
    barrier(known, name.strip_prefix("barrier.cluster.")?)
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
            "clusterid" => Some(Item::GroupId),
            "nclusterid" => Some(Item::GroupCount),
            "cluster.ctaid" => Some(Item::Constant(0)),
            "cluster.nctaid" => Some(Item::Constant(1)),
            _ => None,
        };
        if let (Some(axis), Some(item)) = (axis, item) {
            let fits = known.arity() == 0;
            return fits.then(|| known.query_about(item, Axis::Fixed(axis))).flatten();
        }
    }
    known.query(match name {
        "cluster.nctarank" | "nsmid" => Item::Constant(1),
        "cluster.ctarank" | "smid" | "gridid" => Item::Constant(0),
        "dynamic_smem_size" => Item::DynamicLocalMemory,
        "total_smem_size" | "aggr_smem_size" => Item::LocalMemory,
        "clock" | "clock64" | "clock_hi" | "globaltimer" | "globaltimer.lo" => return Some(GpuFunction::Clock),
        _ if name.starts_with("envreg") || name.starts_with("pm") => Item::Constant(0),
        _ => return None,
    })
}

/// The barrier of a cluster, by what is behind that in its name: `arrive.relaxed.aligned`, ….
fn barrier(known: &Known, name: &str) -> Option<GpuFunction> {
    let phase = match name.split('.').next()? {
        "arrive" => Phase::Arrive,
        "wait" => Phase::Wait,
        _ => return None,
    };
    // Aligned: all threads of a warp are at the same instruction.
    let textual = name.ends_with(".aligned").then_some(Scope::Subgroup);
    let orders_memory = !name.contains(".relaxed");
    let barrier = Barrier { phase, textual, orders_memory, cluster: true, ..known.barrier(Scope::Workgroup) };
    (known.arity() == 0 && known.has_no_result()).then_some(GpuFunction::Barrier(barrier))
}
