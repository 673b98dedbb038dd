//! Broadcasts and shuffles: a thread gets the value of another one.

use crate::Does::*;
use crate::Role::{Clamp, Cluster, Lane, Mask, Other, Value, Width};
use crate::together::Result::{Same, SameAsOperands, SameIf, SameIfOperandsAre};
use crate::{Row, Scope, SegmentMode, Together};

use super::row;

/// Everybody gets the value of one thread.
const GROUP: Together = Together::all(Scope::Workgroup).gives(Same).result_only();
const BROADCAST: Together = Together::all(Scope::Subgroup).gives(Same).result_only();
/// Which thread that is has to be the same in all threads that are there.
const BROADCAST_OF_ACTIVE: Together = Together::active().gives(Same).result_only();
const FIRST: Together = Together::active().gives(SameAsOperands).result_only().speculate();

/// Each thread says which one it reads: what it reads of one that is not there is an undefined value.
const FROM_LANE: Together = FIXED.gives(SameIf(&[Lane]));
/// Between fixed threads.
const FIXED: Together = Together::active().result_only().hoist().speculate();
/// The distance has to be the same in all threads that are there.
const ROTATE: Together = Together::active().result_only();

/// From one thread: uniform where mask and lane are, when the segment is the whole warp.
const SEGMENT_LANE: Together = SEGMENT.gives(SameIf(&[Mask, Lane]));
const SEGMENT: Together = Together::named().gives(SameIfOperandsAre).hoist();
/// The predicate says whether the thread that is read is in range, which it is for some.
const SEGMENT_AND_FLAG: Together = Together::named().hoist();
/// Without a mask, what a thread reads of one that is not there is undefined.
const ANY_SEGMENT_LANE: Together = ANY_SEGMENT.gives(SameIf(&[Lane]));
const ANY_SEGMENT: Together = Together::all(Scope::Subgroup).result_only().hoist().speculate();

#[rustfmt::skip]
pub(super) const ROWS: &[Row] = &[
    row(First, &[
        FIRST.name("llvm.amdgcn.readfirstlane", &[Value]),
        BROADCAST_OF_ACTIVE.speculate().opencl("sub_group_broadcast_first", &[Value], "scalars | g(g)"),
    ]),
    row(ReadLane, &[
        FIRST.name("llvm.amdgcn.readlane", &[Value, Lane]),
    ]),
    row(Broadcast, &[
        BROADCAST.opencl("sub_group_broadcast", &[Value, Lane], "all | g(g, uint)"),
        BROADCAST_OF_ACTIVE.opencl("sub_group_non_uniform_broadcast", &[Value, Lane], "all | g(g, uint)"),
    ]),
    row(BroadcastOfThread, &[
        GROUP.opencl("work_group_broadcast", &[Value, Lane], "arithmetic | g(g, ulong) g(g, ulong, ulong) g(g, ulong, ulong, ulong)"),
    ]),
    row(FromLane, &[
        FROM_LANE.opencl("sub_group_shuffle", &[Value, Lane], "scalars | g(g, uint)"),
        FROM_LANE.name("intel_sub_group_shuffle", &[Value, Lane]),
        FROM_LANE.name("llvm.spv.wave.readlane", &[Value, Lane]),
        FROM_LANE.name("llvm.dx.wave.readlane", &[Value, Lane]),
        Together::active().gives(SameIf(&[Lane])).result_only().name("llvm.amdgcn.wave.shuffle", &[Value, Lane]),
    ]),
    row(Xor, &[
        FIXED.opencl("sub_group_shuffle_xor", &[Value, Lane], "scalars | g(g, uint)"),
        FIXED.name("intel_sub_group_shuffle_xor", &[Value, Lane]),
    ]),
    row(Up, &[
        FIXED.opencl("sub_group_shuffle_up", &[Value, Lane], "scalars | g(g, uint)"),
        FIXED.name("intel_sub_group_shuffle_up", &[Other, Value, Lane]),
    ]),
    row(Down, &[
        FIXED.opencl("sub_group_shuffle_down", &[Value, Lane], "scalars | g(g, uint)"),
        FIXED.name("intel_sub_group_shuffle_down", &[Value, Other, Lane]),
    ]),
    row(Rotate, &[
        ROTATE.opencl("sub_group_rotate", &[Value, Lane], "scalars | g(g, int)"),
        ROTATE.opencl("sub_group_clustered_rotate", &[Value, Lane, Cluster], "scalars | g(g, int, uint)"),
    ]),
    row(Shuffle(SegmentMode::Index, false), &[
        SEGMENT_LANE.name("llvm.nvvm.shfl.sync.idx.i32", &[Mask, Value, Lane, Clamp]),
        SEGMENT_LANE.name("llvm.nvvm.shfl.sync.idx.f32", &[Mask, Value, Lane, Clamp]),
        SEGMENT_LANE.name("__shfl_sync", &[Mask, Value, Lane, Width]),
        ANY_SEGMENT_LANE.name("llvm.nvvm.shfl.idx.i32", &[Value, Lane, Clamp]),
        ANY_SEGMENT_LANE.name("llvm.nvvm.shfl.idx.f32", &[Value, Lane, Clamp]),
        ANY_SEGMENT.name("__shfl", &[Value, Lane, Width]),
    ]),
    row(Shuffle(SegmentMode::Index, true), &[
        SEGMENT_LANE.name("llvm.nvvm.shfl.sync.idx.i32p", &[Mask, Value, Lane, Clamp]),
        SEGMENT_LANE.name("llvm.nvvm.shfl.sync.idx.f32p", &[Mask, Value, Lane, Clamp]),
        ANY_SEGMENT_LANE.name("llvm.nvvm.shfl.idx.i32p", &[Value, Lane, Clamp]),
        ANY_SEGMENT_LANE.name("llvm.nvvm.shfl.idx.f32p", &[Value, Lane, Clamp]),
    ]),
    row(Shuffle(SegmentMode::Up, false), &[
        SEGMENT.name("llvm.nvvm.shfl.sync.up.i32", &[Mask, Value, Lane, Clamp]),
        SEGMENT.name("llvm.nvvm.shfl.sync.up.f32", &[Mask, Value, Lane, Clamp]),
        SEGMENT.name("__shfl_up_sync", &[Mask, Value, Lane, Width]),
        ANY_SEGMENT.name("llvm.nvvm.shfl.up.i32", &[Value, Lane, Clamp]),
        ANY_SEGMENT.name("llvm.nvvm.shfl.up.f32", &[Value, Lane, Clamp]),
        ANY_SEGMENT.name("__shfl_up", &[Value, Lane, Width]),
    ]),
    row(Shuffle(SegmentMode::Up, true), &[
        SEGMENT_AND_FLAG.name("llvm.nvvm.shfl.sync.up.i32p", &[Mask, Value, Lane, Clamp]),
        SEGMENT_AND_FLAG.name("llvm.nvvm.shfl.sync.up.f32p", &[Mask, Value, Lane, Clamp]),
        ANY_SEGMENT.name("llvm.nvvm.shfl.up.i32p", &[Value, Lane, Clamp]),
        ANY_SEGMENT.name("llvm.nvvm.shfl.up.f32p", &[Value, Lane, Clamp]),
    ]),
    row(Shuffle(SegmentMode::Down, false), &[
        SEGMENT.name("llvm.nvvm.shfl.sync.down.i32", &[Mask, Value, Lane, Clamp]),
        SEGMENT.name("llvm.nvvm.shfl.sync.down.f32", &[Mask, Value, Lane, Clamp]),
        SEGMENT.name("__shfl_down_sync", &[Mask, Value, Lane, Width]),
        ANY_SEGMENT.name("llvm.nvvm.shfl.down.i32", &[Value, Lane, Clamp]),
        ANY_SEGMENT.name("llvm.nvvm.shfl.down.f32", &[Value, Lane, Clamp]),
        ANY_SEGMENT.name("__shfl_down", &[Value, Lane, Width]),
    ]),
    row(Shuffle(SegmentMode::Down, true), &[
        SEGMENT_AND_FLAG.name("llvm.nvvm.shfl.sync.down.i32p", &[Mask, Value, Lane, Clamp]),
        SEGMENT_AND_FLAG.name("llvm.nvvm.shfl.sync.down.f32p", &[Mask, Value, Lane, Clamp]),
        ANY_SEGMENT.name("llvm.nvvm.shfl.down.i32p", &[Value, Lane, Clamp]),
        ANY_SEGMENT.name("llvm.nvvm.shfl.down.f32p", &[Value, Lane, Clamp]),
    ]),
    row(Shuffle(SegmentMode::Butterfly, false), &[
        SEGMENT.name("llvm.nvvm.shfl.sync.bfly.i32", &[Mask, Value, Lane, Clamp]),
        SEGMENT.name("llvm.nvvm.shfl.sync.bfly.f32", &[Mask, Value, Lane, Clamp]),
        SEGMENT.name("__shfl_xor_sync", &[Mask, Value, Lane, Width]),
        ANY_SEGMENT.name("llvm.nvvm.shfl.bfly.i32", &[Value, Lane, Clamp]),
        ANY_SEGMENT.name("llvm.nvvm.shfl.bfly.f32", &[Value, Lane, Clamp]),
        ANY_SEGMENT.name("__shfl_xor", &[Value, Lane, Width]),
    ]),
    row(Shuffle(SegmentMode::Butterfly, true), &[
        SEGMENT_AND_FLAG.name("llvm.nvvm.shfl.sync.bfly.i32p", &[Mask, Value, Lane, Clamp]),
        SEGMENT_AND_FLAG.name("llvm.nvvm.shfl.sync.bfly.f32p", &[Mask, Value, Lane, Clamp]),
        ANY_SEGMENT.name("llvm.nvvm.shfl.bfly.i32p", &[Value, Lane, Clamp]),
        ANY_SEGMENT.name("llvm.nvvm.shfl.bfly.f32p", &[Value, Lane, Clamp]),
    ]),
];
