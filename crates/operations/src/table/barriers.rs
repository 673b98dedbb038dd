//! Barriers.

use crate::Role::{Count, Flags, Id, Mask, Other, Value};
use crate::together::Result::{Same, SameIf};
use crate::{Does, Phase, Reduction, Row, Scope, Together};

use super::row;

/// Who has to be there. With a number of threads: some warps of the workgroup, each as a whole.
const WORKGROUP: Together = Together::all(Scope::Workgroup);
const SUBGROUP: Together = Together::all(Scope::Subgroup);
const WARPS: Together = Together::all(Scope::Subgroup);
const WARP: Together = Together::named();
const ACTIVE: Together = Together::active();
/// Something is computed of the values of all that wait.
const VOTE: Together = WORKGROUP.gives(Same);
const VOTE_OF_WARPS: Together = WARPS.gives(SameIf(&[Id, Count]));

/// Threads say that they are there, and wait; at any barrier with the same number.
const WAIT: Does =
    Does::Barrier(crate::Barrier { textual: None, phase: Phase::Full, reduction: None, orders_memory: true });
const ARRIVE: Does =
    Does::Barrier(crate::Barrier { textual: None, phase: Phase::Arrive, reduction: None, orders_memory: true });
/// PTX: all threads of a warp are at the same call.
const WAIT_ALIGNED: Does = WAIT.at_one_call(Scope::Subgroup);
const ARRIVE_ALIGNED: Does = ARRIVE.at_one_call(Scope::Subgroup);
/// All threads of the workgroup are.
const WAIT_AT_ONE_CALL: Does = WAIT.at_one_call(Scope::Workgroup);
const GO_ON: Does =
    Does::Barrier(crate::Barrier { textual: None, phase: Phase::Full, reduction: None, orders_memory: false });

#[rustfmt::skip]
pub(super) const ROWS: &[Row] = &[
    // A wave comes to it once, whichever of its threads do.
    row(WAIT.at_one_call(Scope::Subgroup), &[
        WORKGROUP.name("llvm.amdgcn.s.barrier", &[]),
        WORKGROUP.name("llvm.r600.group.barrier", &[]),
    ]),
    // PTX: all threads of a warp are at the same instruction.
    row(WAIT_ALIGNED, &[
        WORKGROUP.name("llvm.nvvm.barrier0", &[]),
        WORKGROUP.name("llvm.nvvm.barrier.n", &[Id]),
        WORKGROUP.name("llvm.nvvm.bar.sync", &[Id]),
        WORKGROUP.name("llvm.nvvm.barrier.cta.sync.aligned.all", &[Id]),
        WARPS.name("llvm.nvvm.barrier", &[Id, Count]),
        WARPS.name("llvm.nvvm.barrier.cta.sync.aligned.count", &[Id, Count]),
    ]),
    row(WAIT, &[
        WORKGROUP.name("llvm.nvvm.barrier.sync", &[Id]),
        WORKGROUP.name("llvm.nvvm.barrier.cta.sync.all", &[Id]),
        WARPS.name("llvm.nvvm.barrier.sync.cnt", &[Id, Count]),
        WARPS.name("llvm.nvvm.barrier.cta.sync.count", &[Id, Count]),
        WARP.name("llvm.nvvm.bar.warp.sync", &[Mask]),
        WARP.name("__syncwarp", &[Mask]),
    ]),
    row(ARRIVE, &[
        WARPS.name("llvm.nvvm.barrier.cta.arrive.count", &[Id, Count]),
    ]),
    row(ARRIVE_ALIGNED, &[
        WARPS.name("llvm.nvvm.barrier.cta.arrive.aligned.count", &[Id, Count]),
    ]),
    row(WAIT_ALIGNED.and_reduce(Reduction::And), &[
        VOTE.name("llvm.nvvm.barrier0.and", &[Value]),
        VOTE.name("llvm.nvvm.barrier.cta.red.and.aligned.all", &[Id, Value]),
        VOTE_OF_WARPS.name("llvm.nvvm.barrier.cta.red.and.aligned.count", &[Id, Count, Value]),
    ]),
    row(WAIT.and_reduce(Reduction::And), &[
        VOTE.name("llvm.nvvm.barrier.cta.red.and.all", &[Id, Value]),
        VOTE_OF_WARPS.name("llvm.nvvm.barrier.cta.red.and.count", &[Id, Count, Value]),
    ]),
    row(WAIT_ALIGNED.and_reduce(Reduction::Or), &[
        VOTE.name("llvm.nvvm.barrier0.or", &[Value]),
        VOTE.name("llvm.nvvm.barrier.cta.red.or.aligned.all", &[Id, Value]),
        VOTE_OF_WARPS.name("llvm.nvvm.barrier.cta.red.or.aligned.count", &[Id, Count, Value]),
    ]),
    row(WAIT.and_reduce(Reduction::Or), &[
        VOTE.name("llvm.nvvm.barrier.cta.red.or.all", &[Id, Value]),
        VOTE_OF_WARPS.name("llvm.nvvm.barrier.cta.red.or.count", &[Id, Count, Value]),
    ]),
    row(WAIT_ALIGNED.and_reduce(Reduction::Count), &[
        VOTE.name("llvm.nvvm.barrier0.popc", &[Value]),
        VOTE.name("llvm.nvvm.barrier.cta.red.popc.aligned.all", &[Id, Value]),
        VOTE_OF_WARPS.name("llvm.nvvm.barrier.cta.red.popc.aligned.count", &[Id, Count, Value]),
    ]),
    row(WAIT.and_reduce(Reduction::Count), &[
        VOTE.name("llvm.nvvm.barrier.cta.red.popc.all", &[Id, Value]),
        VOTE_OF_WARPS.name("llvm.nvvm.barrier.cta.red.popc.count", &[Id, Count, Value]),
    ]),
    row(WAIT_AT_ONE_CALL, &[
        WORKGROUP.name("__syncthreads", &[]),
        WORKGROUP.name("__cuda_syncthreads", &[]),
        WORKGROUP.name("llvm.spv.group.memory.barrier.with.group.sync", &[]),
        WORKGROUP.name("llvm.spv.device.memory.barrier.with.group.sync", &[]),
        WORKGROUP.name("llvm.spv.all.memory.barrier.with.group.sync", &[]),
        WORKGROUP.name("llvm.dx.group.memory.barrier.with.group.sync", &[]),
        WORKGROUP.name("llvm.dx.device.memory.barrier.with.group.sync", &[]),
        WORKGROUP.name("llvm.dx.all.memory.barrier.with.group.sync", &[]),
        WORKGROUP.opencl("barrier", &[Flags], "once | void(uint)"),
        WORKGROUP.opencl("work_group_barrier", &[Flags, Other], "once | void(uint) void(uint, memory_scope)"),
    ]),
    row(WAIT_AT_ONE_CALL.and_reduce(Reduction::And), &[
        VOTE.name("__syncthreads_and", &[Value]),
    ]),
    row(WAIT_AT_ONE_CALL.and_reduce(Reduction::Or), &[
        VOTE.name("__syncthreads_or", &[Value]),
    ]),
    row(WAIT_AT_ONE_CALL.and_reduce(Reduction::Count), &[
        VOTE.name("__syncthreads_count", &[Value]),
    ]),
    row(WAIT.at_one_call(Scope::Subgroup), &[
        SUBGROUP.opencl("sub_group_barrier", &[Flags, Other], "once | void(uint) void(uint, memory_scope)"),
    ]),
    // It keeps the order of memory accesses of a wave, and waits for nobody.
    row(GO_ON, &[
        ACTIVE.name("llvm.amdgcn.wave.barrier", &[]),
    ]),
];

impl Does {
    /// The barrier, of threads that are at the same call as far as they are of one group.
    const fn at_one_call(self, scope: Scope) -> Does {
        match self {
            Does::Barrier(barrier) => Does::Barrier(crate::Barrier { textual: Some(scope), ..barrier }),
            other => other,
        }
    }

    /// The barrier, with something that is computed of the values of the threads.
    const fn and_reduce(self, reduction: Reduction) -> Does {
        match self {
            Does::Barrier(barrier) => Does::Barrier(crate::Barrier { reduction: Some(reduction), ..barrier }),
            other => other,
        }
    }
}
