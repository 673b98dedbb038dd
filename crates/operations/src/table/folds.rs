//! Reductions and scans: the values of several threads become one.

use crate::Combine::*;
use crate::Does::{ClusteredFold, Fold};
use crate::Extent::*;
use crate::Role::{Cluster, Mask, Other, Value};
use crate::together::Result::{DiffersCertainly, Same, SameIf};
use crate::{FloatOrder, Row, Scope, Together};

use super::row;

/// Who a reduction is of, and what its threads get: the same.
const GROUP: Together = Together::all(Scope::Workgroup).gives(Same).result_only();
const OF_ALL: Together = Together::all(Scope::Subgroup).gives(Same).result_only();
const OF_ACTIVE: Together = Together::active().gives(Same).result_only().speculate();
/// Converged threads may name different masks, so the result is as uniform as the mask. The named threads wait for each other.
const OF_NAMED: Together = Together::named().gives(SameIf(&[Mask])).hoist();
/// The size has to be the same in all threads that are there; a cluster is of those that are there.
const CLUSTERED: Together = Together::active().result_only();

/// A scan gives each thread something else.
const GROUP_SCAN: Together = Together::all(Scope::Workgroup).result_only();
const SCAN_OF_ALL: Together = Together::all(Scope::Subgroup).result_only();
const SCAN_OF_ACTIVE: Together = Together::active().result_only().speculate();
const PREFIX: Together = SCAN_OF_ACTIVE.gives(DiffersCertainly);

#[rustfmt::skip]
pub(super) const ROWS: &[Row] = &[
    row(Fold(Add, Reduce), &[
        GROUP.opencl("work_group_reduce_add", &[Value], "arithmetic | g(g)"),
        OF_ALL.opencl("sub_group_reduce_add", &[Value], "scalars | g(g)"),
        OF_ACTIVE.opencl("sub_group_non_uniform_reduce_add", &[Value], "scalars | g(g)"),
        OF_ACTIVE.name("llvm.amdgcn.wave.reduce.add", &[Value, Other]),
        OF_ACTIVE.name("llvm.amdgcn.wave.reduce.fadd", &[Value, Other]),
        OF_ACTIVE.name("llvm.spv.wave.reduce.sum", &[Value]),
        OF_ACTIVE.name("llvm.spv.wave.reduce.usum", &[Value]),
        OF_ACTIVE.name("llvm.dx.wave.reduce.sum", &[Value]),
        OF_ACTIVE.name("llvm.dx.wave.reduce.usum", &[Value]),
        OF_NAMED.name("llvm.nvvm.redux.sync.add", &[Value, Mask]),
        OF_NAMED.name("__reduce_add_sync", &[Mask, Value]),
    ]),
    row(Fold(Multiply, Reduce), &[
        GROUP.name("work_group_reduce_mul", &[Value]),
        OF_ALL.name("sub_group_reduce_mul", &[Value]),
        OF_ACTIVE.opencl("sub_group_non_uniform_reduce_mul", &[Value], "scalars | g(g)"),
        OF_ACTIVE.name("llvm.spv.wave.product", &[Value]),
        OF_ACTIVE.name("llvm.spv.wave.uproduct", &[Value]),
        OF_ACTIVE.name("llvm.dx.wave.product", &[Value]),
        OF_ACTIVE.name("llvm.dx.wave.uproduct", &[Value]),
    ]),
    row(Fold(Minimum, Reduce), &[
        GROUP.opencl("work_group_reduce_min", &[Value], "arithmetic | g(g)"),
        OF_ALL.opencl("sub_group_reduce_min", &[Value], "scalars | g(g)"),
        OF_ACTIVE.opencl("sub_group_non_uniform_reduce_min", &[Value], "scalars | g(g)"),
        OF_ACTIVE.name("llvm.amdgcn.wave.reduce.min", &[Value, Other]),
        OF_ACTIVE.name("llvm.amdgcn.wave.reduce.fmin", &[Value, Other]),
        OF_ACTIVE.name("llvm.spv.wave.reduce.min", &[Value]),
        OF_ACTIVE.name("llvm.dx.wave.reduce.min", &[Value]),
        OF_NAMED.name("llvm.nvvm.redux.sync.min", &[Value, Mask]),
        OF_NAMED.name("__reduce_min_sync", &[Mask, Value]),
    ]),
    row(Fold(Maximum, Reduce), &[
        GROUP.opencl("work_group_reduce_max", &[Value], "arithmetic | g(g)"),
        OF_ALL.opencl("sub_group_reduce_max", &[Value], "scalars | g(g)"),
        OF_ACTIVE.opencl("sub_group_non_uniform_reduce_max", &[Value], "scalars | g(g)"),
        OF_ACTIVE.name("llvm.amdgcn.wave.reduce.max", &[Value, Other]),
        OF_ACTIVE.name("llvm.amdgcn.wave.reduce.fmax", &[Value, Other]),
        OF_ACTIVE.name("llvm.spv.wave.reduce.max", &[Value]),
        OF_ACTIVE.name("llvm.dx.wave.reduce.max", &[Value]),
        OF_NAMED.name("llvm.nvvm.redux.sync.max", &[Value, Mask]),
        OF_NAMED.name("__reduce_max_sync", &[Mask, Value]),
    ]),
    row(Fold(And, Reduce), &[
        GROUP.name("work_group_reduce_and", &[Value]),
        OF_ALL.name("sub_group_reduce_and", &[Value]),
        OF_ACTIVE.opencl("sub_group_non_uniform_reduce_and", &[Value], "scalar_ints | g(g)"),
        OF_ACTIVE.name("llvm.amdgcn.wave.reduce.and", &[Value, Other]),
        OF_ACTIVE.name("llvm.spv.wave.reduce.and", &[Value]),
        OF_ACTIVE.name("llvm.dx.wave.reduce.and", &[Value]),
        OF_NAMED.name("llvm.nvvm.redux.sync.and", &[Value, Mask]),
        OF_NAMED.name("__reduce_and_sync", &[Mask, Value]),
    ]),
    row(Fold(Or, Reduce), &[
        GROUP.name("work_group_reduce_or", &[Value]),
        OF_ALL.name("sub_group_reduce_or", &[Value]),
        OF_ACTIVE.opencl("sub_group_non_uniform_reduce_or", &[Value], "scalar_ints | g(g)"),
        OF_ACTIVE.name("llvm.amdgcn.wave.reduce.or", &[Value, Other]),
        OF_ACTIVE.name("llvm.spv.wave.reduce.or", &[Value]),
        OF_ACTIVE.name("llvm.dx.wave.reduce.or", &[Value]),
        OF_NAMED.name("llvm.nvvm.redux.sync.or", &[Value, Mask]),
        OF_NAMED.name("__reduce_or_sync", &[Mask, Value]),
    ]),
    row(Fold(Xor, Reduce), &[
        GROUP.name("work_group_reduce_xor", &[Value]),
        OF_ALL.name("sub_group_reduce_xor", &[Value]),
        OF_ACTIVE.opencl("sub_group_non_uniform_reduce_xor", &[Value], "scalar_ints | g(g)"),
        OF_ACTIVE.name("llvm.amdgcn.wave.reduce.xor", &[Value, Other]),
        OF_ACTIVE.name("llvm.spv.wave.reduce.xor", &[Value]),
        OF_ACTIVE.name("llvm.dx.wave.reduce.xor", &[Value]),
        OF_NAMED.name("llvm.nvvm.redux.sync.xor", &[Value, Mask]),
        OF_NAMED.name("__reduce_xor_sync", &[Mask, Value]),
    ]),
    row(Fold(UnsignedMinimum, Reduce), &[
        OF_ACTIVE.name("llvm.amdgcn.wave.reduce.umin", &[Value, Other]),
        OF_ACTIVE.name("llvm.spv.wave.reduce.umin", &[Value]),
        OF_ACTIVE.name("llvm.dx.wave.reduce.umin", &[Value]),
        OF_NAMED.name("llvm.nvvm.redux.sync.umin", &[Value, Mask]),
    ]),
    row(Fold(UnsignedMaximum, Reduce), &[
        OF_ACTIVE.name("llvm.amdgcn.wave.reduce.umax", &[Value, Other]),
        OF_ACTIVE.name("llvm.spv.wave.reduce.umax", &[Value]),
        OF_ACTIVE.name("llvm.dx.wave.reduce.umax", &[Value]),
        OF_NAMED.name("llvm.nvvm.redux.sync.umax", &[Value, Mask]),
    ]),
    row(Fold(Subtract, Reduce), &[
        OF_ACTIVE.name("llvm.amdgcn.wave.reduce.sub", &[Value, Other]),
        OF_ACTIVE.name("llvm.amdgcn.wave.reduce.fsub", &[Value, Other]),
    ]),
    row(Fold(FloatMinimum(FloatOrder { absolute: false, nan: false }), Reduce), &[
        OF_NAMED.name("llvm.nvvm.redux.sync.fmin", &[Value, Mask]),
    ]),
    row(Fold(FloatMinimum(FloatOrder { absolute: true, nan: false }), Reduce), &[
        OF_NAMED.name("llvm.nvvm.redux.sync.fmin.abs", &[Value, Mask]),
    ]),
    row(Fold(FloatMinimum(FloatOrder { absolute: false, nan: true }), Reduce), &[
        OF_NAMED.name("llvm.nvvm.redux.sync.fmin.NaN", &[Value, Mask]),
    ]),
    row(Fold(FloatMinimum(FloatOrder { absolute: true, nan: true }), Reduce), &[
        OF_NAMED.name("llvm.nvvm.redux.sync.fmin.abs.NaN", &[Value, Mask]),
    ]),
    row(Fold(FloatMaximum(FloatOrder { absolute: false, nan: false }), Reduce), &[
        OF_NAMED.name("llvm.nvvm.redux.sync.fmax", &[Value, Mask]),
    ]),
    row(Fold(FloatMaximum(FloatOrder { absolute: true, nan: false }), Reduce), &[
        OF_NAMED.name("llvm.nvvm.redux.sync.fmax.abs", &[Value, Mask]),
    ]),
    row(Fold(FloatMaximum(FloatOrder { absolute: false, nan: true }), Reduce), &[
        OF_NAMED.name("llvm.nvvm.redux.sync.fmax.NaN", &[Value, Mask]),
    ]),
    row(Fold(FloatMaximum(FloatOrder { absolute: true, nan: true }), Reduce), &[
        OF_NAMED.name("llvm.nvvm.redux.sync.fmax.abs.NaN", &[Value, Mask]),
    ]),
    row(Fold(LogicalAnd, Reduce), &[
        GROUP.name("work_group_reduce_logical_and", &[Value]),
        OF_ALL.name("sub_group_reduce_logical_and", &[Value]),
        OF_ACTIVE.opencl("sub_group_non_uniform_reduce_logical_and", &[Value], "once | int(int)"),
    ]),
    row(Fold(LogicalOr, Reduce), &[
        GROUP.name("work_group_reduce_logical_or", &[Value]),
        OF_ALL.name("sub_group_reduce_logical_or", &[Value]),
        OF_ACTIVE.opencl("sub_group_non_uniform_reduce_logical_or", &[Value], "once | int(int)"),
    ]),
    row(Fold(LogicalXor, Reduce), &[
        GROUP.name("work_group_reduce_logical_xor", &[Value]),
        OF_ALL.name("sub_group_reduce_logical_xor", &[Value]),
        OF_ACTIVE.opencl("sub_group_non_uniform_reduce_logical_xor", &[Value], "once | int(int)"),
    ]),
    row(Fold(Add, Inclusive), &[
        GROUP_SCAN.opencl("work_group_scan_inclusive_add", &[Value], "arithmetic | g(g)"),
        SCAN_OF_ALL.opencl("sub_group_scan_inclusive_add", &[Value], "scalars | g(g)"),
        SCAN_OF_ACTIVE.opencl("sub_group_non_uniform_scan_inclusive_add", &[Value], "scalars | g(g)"),
    ]),
    row(Fold(Multiply, Inclusive), &[
        GROUP_SCAN.name("work_group_scan_inclusive_mul", &[Value]),
        SCAN_OF_ALL.name("sub_group_scan_inclusive_mul", &[Value]),
        SCAN_OF_ACTIVE.opencl("sub_group_non_uniform_scan_inclusive_mul", &[Value], "scalars | g(g)"),
    ]),
    row(Fold(Minimum, Inclusive), &[
        GROUP_SCAN.opencl("work_group_scan_inclusive_min", &[Value], "arithmetic | g(g)"),
        SCAN_OF_ALL.opencl("sub_group_scan_inclusive_min", &[Value], "scalars | g(g)"),
        SCAN_OF_ACTIVE.opencl("sub_group_non_uniform_scan_inclusive_min", &[Value], "scalars | g(g)"),
    ]),
    row(Fold(Maximum, Inclusive), &[
        GROUP_SCAN.opencl("work_group_scan_inclusive_max", &[Value], "arithmetic | g(g)"),
        SCAN_OF_ALL.opencl("sub_group_scan_inclusive_max", &[Value], "scalars | g(g)"),
        SCAN_OF_ACTIVE.opencl("sub_group_non_uniform_scan_inclusive_max", &[Value], "scalars | g(g)"),
    ]),
    row(Fold(And, Inclusive), &[
        GROUP_SCAN.name("work_group_scan_inclusive_and", &[Value]),
        SCAN_OF_ALL.name("sub_group_scan_inclusive_and", &[Value]),
        SCAN_OF_ACTIVE.opencl("sub_group_non_uniform_scan_inclusive_and", &[Value], "scalar_ints | g(g)"),
    ]),
    row(Fold(Or, Inclusive), &[
        GROUP_SCAN.name("work_group_scan_inclusive_or", &[Value]),
        SCAN_OF_ALL.name("sub_group_scan_inclusive_or", &[Value]),
        SCAN_OF_ACTIVE.opencl("sub_group_non_uniform_scan_inclusive_or", &[Value], "scalar_ints | g(g)"),
    ]),
    row(Fold(Xor, Inclusive), &[
        GROUP_SCAN.name("work_group_scan_inclusive_xor", &[Value]),
        SCAN_OF_ALL.name("sub_group_scan_inclusive_xor", &[Value]),
        SCAN_OF_ACTIVE.opencl("sub_group_non_uniform_scan_inclusive_xor", &[Value], "scalar_ints | g(g)"),
    ]),
    row(Fold(LogicalAnd, Inclusive), &[
        GROUP_SCAN.name("work_group_scan_inclusive_logical_and", &[Value]),
        SCAN_OF_ALL.name("sub_group_scan_inclusive_logical_and", &[Value]),
        SCAN_OF_ACTIVE.opencl("sub_group_non_uniform_scan_inclusive_logical_and", &[Value], "once | int(int)"),
    ]),
    row(Fold(LogicalOr, Inclusive), &[
        GROUP_SCAN.name("work_group_scan_inclusive_logical_or", &[Value]),
        SCAN_OF_ALL.name("sub_group_scan_inclusive_logical_or", &[Value]),
        SCAN_OF_ACTIVE.opencl("sub_group_non_uniform_scan_inclusive_logical_or", &[Value], "once | int(int)"),
    ]),
    row(Fold(LogicalXor, Inclusive), &[
        GROUP_SCAN.name("work_group_scan_inclusive_logical_xor", &[Value]),
        SCAN_OF_ALL.name("sub_group_scan_inclusive_logical_xor", &[Value]),
        SCAN_OF_ACTIVE.opencl("sub_group_non_uniform_scan_inclusive_logical_xor", &[Value], "once | int(int)"),
    ]),
    row(Fold(Add, Exclusive), &[
        GROUP_SCAN.opencl("work_group_scan_exclusive_add", &[Value], "arithmetic | g(g)"),
        SCAN_OF_ALL.opencl("sub_group_scan_exclusive_add", &[Value], "scalars | g(g)"),
        SCAN_OF_ACTIVE.opencl("sub_group_non_uniform_scan_exclusive_add", &[Value], "scalars | g(g)"),
        PREFIX.name("llvm.spv.wave.prefix.sum", &[Value]),
        PREFIX.name("llvm.spv.wave.prefix.usum", &[Value]),
        PREFIX.name("llvm.dx.wave.prefix.sum", &[Value]),
        PREFIX.name("llvm.dx.wave.prefix.usum", &[Value]),
    ]),
    row(Fold(Multiply, Exclusive), &[
        GROUP_SCAN.name("work_group_scan_exclusive_mul", &[Value]),
        SCAN_OF_ALL.name("sub_group_scan_exclusive_mul", &[Value]),
        SCAN_OF_ACTIVE.opencl("sub_group_non_uniform_scan_exclusive_mul", &[Value], "scalars | g(g)"),
        PREFIX.name("llvm.spv.wave.prefix.product", &[Value]),
        PREFIX.name("llvm.spv.wave.prefix.uproduct", &[Value]),
        PREFIX.name("llvm.dx.wave.prefix.product", &[Value]),
        PREFIX.name("llvm.dx.wave.prefix.uproduct", &[Value]),
    ]),
    row(Fold(Minimum, Exclusive), &[
        GROUP_SCAN.opencl("work_group_scan_exclusive_min", &[Value], "arithmetic | g(g)"),
        SCAN_OF_ALL.opencl("sub_group_scan_exclusive_min", &[Value], "scalars | g(g)"),
        SCAN_OF_ACTIVE.opencl("sub_group_non_uniform_scan_exclusive_min", &[Value], "scalars | g(g)"),
    ]),
    row(Fold(Maximum, Exclusive), &[
        GROUP_SCAN.opencl("work_group_scan_exclusive_max", &[Value], "arithmetic | g(g)"),
        SCAN_OF_ALL.opencl("sub_group_scan_exclusive_max", &[Value], "scalars | g(g)"),
        SCAN_OF_ACTIVE.opencl("sub_group_non_uniform_scan_exclusive_max", &[Value], "scalars | g(g)"),
    ]),
    row(Fold(And, Exclusive), &[
        GROUP_SCAN.name("work_group_scan_exclusive_and", &[Value]),
        SCAN_OF_ALL.name("sub_group_scan_exclusive_and", &[Value]),
        SCAN_OF_ACTIVE.opencl("sub_group_non_uniform_scan_exclusive_and", &[Value], "scalar_ints | g(g)"),
    ]),
    row(Fold(Or, Exclusive), &[
        GROUP_SCAN.name("work_group_scan_exclusive_or", &[Value]),
        SCAN_OF_ALL.name("sub_group_scan_exclusive_or", &[Value]),
        SCAN_OF_ACTIVE.opencl("sub_group_non_uniform_scan_exclusive_or", &[Value], "scalar_ints | g(g)"),
    ]),
    row(Fold(Xor, Exclusive), &[
        GROUP_SCAN.name("work_group_scan_exclusive_xor", &[Value]),
        SCAN_OF_ALL.name("sub_group_scan_exclusive_xor", &[Value]),
        SCAN_OF_ACTIVE.opencl("sub_group_non_uniform_scan_exclusive_xor", &[Value], "scalar_ints | g(g)"),
    ]),
    row(Fold(LogicalAnd, Exclusive), &[
        GROUP_SCAN.name("work_group_scan_exclusive_logical_and", &[Value]),
        SCAN_OF_ALL.name("sub_group_scan_exclusive_logical_and", &[Value]),
        SCAN_OF_ACTIVE.opencl("sub_group_non_uniform_scan_exclusive_logical_and", &[Value], "once | int(int)"),
    ]),
    row(Fold(LogicalOr, Exclusive), &[
        GROUP_SCAN.name("work_group_scan_exclusive_logical_or", &[Value]),
        SCAN_OF_ALL.name("sub_group_scan_exclusive_logical_or", &[Value]),
        SCAN_OF_ACTIVE.opencl("sub_group_non_uniform_scan_exclusive_logical_or", &[Value], "once | int(int)"),
    ]),
    row(Fold(LogicalXor, Exclusive), &[
        GROUP_SCAN.name("work_group_scan_exclusive_logical_xor", &[Value]),
        SCAN_OF_ALL.name("sub_group_scan_exclusive_logical_xor", &[Value]),
        SCAN_OF_ACTIVE.opencl("sub_group_non_uniform_scan_exclusive_logical_xor", &[Value], "once | int(int)"),
    ]),
    row(ClusteredFold(Add), &[
        CLUSTERED.opencl("sub_group_clustered_reduce_add", &[Value, Cluster], "scalars | g(g, uint)"),
    ]),
    row(ClusteredFold(Multiply), &[
        CLUSTERED.opencl("sub_group_clustered_reduce_mul", &[Value, Cluster], "scalars | g(g, uint)"),
    ]),
    row(ClusteredFold(Minimum), &[
        CLUSTERED.opencl("sub_group_clustered_reduce_min", &[Value, Cluster], "scalars | g(g, uint)"),
    ]),
    row(ClusteredFold(Maximum), &[
        CLUSTERED.opencl("sub_group_clustered_reduce_max", &[Value, Cluster], "scalars | g(g, uint)"),
    ]),
    row(ClusteredFold(And), &[
        CLUSTERED.opencl("sub_group_clustered_reduce_and", &[Value, Cluster], "scalar_ints | g(g, uint)"),
    ]),
    row(ClusteredFold(Or), &[
        CLUSTERED.opencl("sub_group_clustered_reduce_or", &[Value, Cluster], "scalar_ints | g(g, uint)"),
    ]),
    row(ClusteredFold(Xor), &[
        CLUSTERED.opencl("sub_group_clustered_reduce_xor", &[Value, Cluster], "scalar_ints | g(g, uint)"),
    ]),
    row(ClusteredFold(LogicalAnd), &[
        CLUSTERED.opencl("sub_group_clustered_reduce_logical_and", &[Value, Cluster], "once | int(int, uint)"),
    ]),
    row(ClusteredFold(LogicalOr), &[
        CLUSTERED.opencl("sub_group_clustered_reduce_logical_or", &[Value, Cluster], "once | int(int, uint)"),
    ]),
    row(ClusteredFold(LogicalXor), &[
        CLUSTERED.opencl("sub_group_clustered_reduce_logical_xor", &[Value, Cluster], "once | int(int, uint)"),
    ]),
];
