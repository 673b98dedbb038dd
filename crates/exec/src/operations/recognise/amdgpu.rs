//! Intrinsics of AMD GPUs, `llvm.amdgcn.*` ("User Guide for AMDGPU Backend", "LLVM IR Intrinsics"), and functions of AMD's
//! device library, `__ockl_*`.

use super::{Action, Axis, Barrier, Extent, GpuFunction, Item, Known, Phase, Predicate, Scope, Source, combine_named};
use reconverge_operations::Does;

use crate::operations::{ConstantData, Stop};

/// An intrinsic by what is behind the name of its target.
pub(super) fn recognise(known: &Known, name: &str) -> Option<GpuFunction> {
    query(known, name)
        .or_else(|| effect(known, name))
        .or_else(|| unsupported(name))
        .or_else(|| known.crosslane(action(name)?))
}

/// The axis that a name ends in.
fn axis_of(name: &str) -> Option<(&str, Axis)> {
    let (name, axis) = name.rsplit_once('.')?;
    let axis = ["x", "y", "z"].iter().position(|&one| one == axis)?;
    Some((name, Axis::Fixed(axis as u8)))
}

fn query(known: &Known, name: &str) -> Option<GpuFunction> {
    if let Some((name, axis)) = axis_of(name) {
        let item = match name {
            "cluster.id" => Item::GroupId,
            "cluster.workgroup.id" | "cluster.workgroup.max.id" => Item::Constant(0),
            _ => return None,
        };
        return (known.arity() == 0).then(|| known.query_about(item, axis)).flatten();
    }
    let counts = known.arity() == 2 && known.is_integer(0) && known.is_integer(1);
    let pointer = |data| (known.arity() == 0).then_some(GpuFunction::Pointer(data));
    match name {
        "wave.id" => known.query(Item::SubgroupId),
        "mbcnt.lo" if counts => known.query_about(Item::MaskedCount { from: 0 }, Axis::None),
        "mbcnt.hi" if counts => known.query_about(Item::MaskedCount { from: 32 }, Axis::None),
        "groupstaticsize" => known.query(Item::StaticLocalMemory),
        "cluster.workgroup.flat.id" | "cluster.workgroup.max.flat.id" | "dispatch.id" | "lds.kernel.id" => {
            known.query(Item::Constant(0))
        }
        // There are no threads that only help others.
        "live.mask" | "ps.live" => known.query(Item::Constant(1)),
        "dispatch.ptr" => pointer(ConstantData::DispatchPacket),
        "implicitarg.ptr" => pointer(ConstantData::ImplicitArguments),
        "kernarg.segment.ptr" => pointer(ConstantData::KernelArguments),
        "queue.ptr" => pointer(ConstantData::Queue),
        _ => None,
    }
}

/// What has no result that other threads decide.
fn effect(known: &Known, name: &str) -> Option<GpuFunction> {
    let nothing = known.has_no_result();
    match name {
        "s.memtime" | "s.memrealtime" => return Some(GpuFunction::Clock),
        "endpgm" => return Some(GpuFunction::Stop(Stop::Exit)),
        "s.barrier.signal" => return barrier(known, Phase::Arrive),
        "s.barrier.wait" => return barrier(known, Phase::Wait),
        "s.cluster.barrier" => {
            let barrier = Barrier { cluster: true, ..known.barrier(Scope::Workgroup) };
            return (nothing && known.arity() == 0).then_some(GpuFunction::Barrier(barrier));
        }
        _ => {}
    }
    let hints = [
        "sched.barrier",
        "sched.group.barrier",
        "iglp.opt",
        "s.sleep",
        "s.sleep.var",
        "s.nop",
        "s.setprio",
        "s.incperflevel",
        "s.decperflevel",
        "s.ttracedata",
        "s.ttracedata.imm",
        "s.prefetch.data",
        "s.prefetch.inst",
        "s.monitor.sleep",
        "s.sethalt",
        "s.wait.event.export.ready",
    ];
    let fences =
        ["buffer.wbinvl1", "buffer.wbinvl1.sc", "buffer.wbinvl1.vol", "s.dcache.inv", "s.dcache.wb", "s.waitcnt"];
    let is_counter = name.starts_with("s.wait.") || name.starts_with("s.dcache.");
    if nothing && hints.contains(&name) {
        return Some(GpuFunction::Nothing);
    }
    (nothing && (fences.contains(&name) || is_counter)).then_some(GpuFunction::Fence)
}

/// The number of a barrier is -1 for that of the workgroup and -3 for that of the cluster.
fn barrier(known: &Known, phase: Phase) -> Option<GpuFunction> {
    if !(known.has_no_result() && known.arity() == 1 && known.is_integer(0)) {
        return None;
    }
    let cluster = match known.constant(0).map(|number| number as i16) {
        Some(-1) => false,
        Some(-3) => true,
        _ => return Some(GpuFunction::Unsupported("a barrier that some waves join")),
    };
    Some(GpuFunction::Barrier(Barrier { phase, cluster, ..known.barrier(Scope::Workgroup) }))
}

fn unsupported(name: &str) -> Option<GpuFunction> {
    let starts = [
        ("mfma", "arithmetic of matrices that are spread over a wave"),
        ("smfmac", "arithmetic of matrices that are spread over a wave"),
        ("wmma", "arithmetic of matrices that are spread over a wave"),
        ("swmmac", "arithmetic of matrices that are spread over a wave"),
        ("global.load.tr", "an access to memory that a wave does as a whole"),
        ("ds.load.tr", "an access to memory that a wave does as a whole"),
        ("ds.read.tr", "an access to memory that a wave does as a whole"),
        ("tensor.", "an access to memory that a wave does as a whole"),
        ("image.", "an access to a texture"),
        ("ds.append", "an access to memory that a wave does as a whole"),
        ("ds.consume", "an access to memory that a wave does as a whole"),
        ("ds.gws.", "a barrier of several workgroups"),
        ("s.barrier.signal.isfirst", "the order in which waves get to a barrier"),
        ("s.barrier.", "a barrier that some waves join"),
        ("s.get.barrier.state", "how many waves are at a barrier"),
        ("s.get.named.barrier.state", "how many waves are at a barrier"),
        ("s.wakeup.barrier", "a barrier that some waves join"),
        ("permlane.bcast", "a lane of a group by a selector, which LLVM does not define"),
        ("permlane.up", "a lane of a group by a selector, which LLVM does not define"),
        ("permlane.down", "a lane of a group by a selector, which LLVM does not define"),
        ("permlane.xor", "a lane of a group by a selector, which LLVM does not define"),
        ("permlane.idx.gen", "a lane of a group by a selector, which LLVM does not define"),
        ("init.whole.wave", "a function that inactive lanes execute"),
        ("init.exec", "a function that inactive lanes execute"),
        ("call.whole.wave", "a function that inactive lanes execute"),
        ("cs.chain", "a jump to another shader"),
    ];
    starts.iter().find(|(prefix, _)| name.starts_with(prefix)).map(|&(_, reason)| GpuFunction::Unsupported(reason))
}

fn action(name: &str) -> Option<Action> {
    let fetch = |source| Some(Action::Fetch(source));
    let sixteen = |own: bool, crossed| {
        let inactive = if own { 3 } else { 4 };
        fetch(Source::Sixteen { old: 0, value: 1, selectors: 2, own, crossed, inactive })
    };
    match name {
        "wqm.vote" => Some(Action::QuadAny(Predicate::NonZero(0))),
        "writelane" => Some(Action::Write { value: 0, lane: 1, old: 2 }),
        "ds.bpermute" => fetch(Source::Address { value: 1, address: 0, inactive: false }),
        "ds.bpermute.fi.b32" => fetch(Source::Address { value: 1, address: 0, inactive: true }),
        "ds.permute" => Some(Action::Push { address: 0, value: 1 }),
        "ds.swizzle" => fetch(Source::Swizzle { value: 0, pattern: 1 }),
        "mov.dpp" => fetch(Source::DataParallel { old: None, value: 0, control: 1 }),
        "update.dpp" => fetch(Source::DataParallel { old: Some(0), value: 1, control: 2 }),
        "mov.dpp8" => fetch(Source::Eight { value: 0, selectors: 1 }),
        "permlane16" => sixteen(false, false),
        "permlanex16" => sixteen(false, true),
        "permlane16.var" => sixteen(true, false),
        "permlanex16.var" => sixteen(true, true),
        "permlane64" => fetch(Source::OtherHalf { value: 0 }),
        "permlane16.swap" => Some(Action::Swap { rows: 16 }),
        "permlane32.swap" => Some(Action::Swap { rows: 32 }),
        "wqm" | "softwqm" | "wwm" | "strict.wwm" | "strict.wqm" | "set.inactive" | "set.inactive.chain.arg" => {
            Some(Action::Pass(0))
        }
        _ => None,
    }
}

/// An intrinsic of older GPUs by what is behind the name of its target.
pub(super) fn recognise_r600(known: &Known, name: &str) -> Option<GpuFunction> {
    if matches!(name, "ddx" | "ddy" | "tex" | "texc" | "txb" | "txbc") {
        return Some(GpuFunction::Unsupported("an access to a texture"));
    }
    let (name, axis) = axis_of(name)?;
    let item = match name {
        "read.tidig" => Item::LocalId,
        "read.tgid" => Item::GroupId,
        "read.global.size" => Item::GlobalSize,
        "read.local.size" => Item::LocalSize,
        "read.ngroups" => Item::GroupCount,
        _ => return None,
    };
    known.query_about(item, axis)
}

/// A function of the device library by what is behind `__ockl_` in its name.
pub(super) fn recognise_library(known: &Known, name: &str) -> Option<GpuFunction> {
    match name {
        "lane_u32" => return known.query(Item::Lane),
        "activelane_u32" => return known.crosslane(Action::CountBefore(Predicate::Present)),
        "wfany_i32" => return known.crosslane(Action::Any(Predicate::NonZero(0))),
        "wfall_i32" => return known.crosslane(Action::All(Predicate::NonZero(0))),
        "wfsame_i32" => return known.crosslane(Action::Same(Predicate::NonZero(0))),
        "gws_barrier" => return Some(GpuFunction::Unsupported("a barrier of several workgroups")),
        "grid_sync" => return Some(GpuFunction::Unsupported("a barrier of the whole grid")),
        _ => {}
    }
    if name.starts_with("memtime_") || name.starts_with("steadyctr_") || name.starts_with("cyclectr_") {
        return Some(GpuFunction::Clock);
    }
    if name.starts_with("readuplane_") {
        return Some(GpuFunction::Unsupported("a shuffle that is made for waves of 64 threads"));
    }
    if name.starts_with("wfbcast_") {
        return known.crosslane(Action::Fetch(Source::Lane { value: 0, lane: 1, uniform: true, wraps: true }));
    }
    // `add_i32`: the operation and the type.
    let combine = |name: &str| {
        let (operation, kind) = name.split_once('_')?;
        combine_named(operation, kind.starts_with('u'))
    };
    if let Some(name) = name.strip_prefix("wfred_") {
        return known.crosslane(known.folded(0, combine(name)?, Extent::Reduce));
    }
    if let Some(name) = name.strip_prefix("wfscan_") {
        let extent = if known.constant(1)? != 0 { Extent::Inclusive } else { Extent::Exclusive };
        return known.crosslane(known.folded(0, combine(name)?, extent));
    }
    if let Some(name) = name.strip_prefix("wgred_") {
        let action = known.folded(0, combine(name)?, Extent::Reduce);
        return known.crosslane_with(Scope::Workgroup, false, None, action);
    }
    // Those of OpenCL C have the same names behind it.
    let Does::Query(item, _) = reconverge_operations::find(name)?.does else { return None };
    match known.arity() {
        0 => known.query(item),
        1 => known.query_about(item, Axis::Operand(0)),
        _ => None,
    }
}
