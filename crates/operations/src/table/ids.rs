//! Numbers of threads and groups, and sizes: what a thread can ask about itself and the launch.

use crate::Axis::*;
use crate::Does::Query;
use crate::Item::*;
use crate::Role::Dimension;
use crate::together::Result::{DiffersCertainly, Same, SameHereOnly};
use crate::{Comparison, Row, Scope, Together};

use super::row;

/// Who gets the same number.
const OWN: Together = Together::own(Scope::Subgroup).gives(DiffersCertainly);
const SUBGROUP: Together = Together::own(Scope::Subgroup).gives(Same);
const WORKGROUP: Together = Together::own(Scope::Workgroup).gives(Same);
const LAUNCH: Together = Together::own(Scope::Grid).gives(Same);

#[rustfmt::skip]
pub(super) const ROWS: &[Row] = &[
    row(Query(LocalId, Fixed(0)), &[
        OWN.name("llvm.nvvm.read.ptx.sreg.tid.x", &[]),
        OWN.name("llvm.amdgcn.workitem.id.x", &[]),
    ]),
    row(Query(GroupId, Fixed(0)), &[
        WORKGROUP.name("llvm.nvvm.read.ptx.sreg.ctaid.x", &[]),
        WORKGROUP.name("llvm.amdgcn.workgroup.id.x", &[]),
    ]),
    row(Query(LocalSize, Fixed(0)), &[
        LAUNCH.name("llvm.nvvm.read.ptx.sreg.ntid.x", &[]),
    ]),
    row(Query(GroupCount, Fixed(0)), &[
        LAUNCH.name("llvm.nvvm.read.ptx.sreg.nctaid.x", &[]),
    ]),
    row(Query(LocalId, Fixed(1)), &[
        OWN.name("llvm.nvvm.read.ptx.sreg.tid.y", &[]),
        OWN.name("llvm.amdgcn.workitem.id.y", &[]),
    ]),
    row(Query(GroupId, Fixed(1)), &[
        WORKGROUP.name("llvm.nvvm.read.ptx.sreg.ctaid.y", &[]),
        WORKGROUP.name("llvm.amdgcn.workgroup.id.y", &[]),
    ]),
    row(Query(LocalSize, Fixed(1)), &[
        LAUNCH.name("llvm.nvvm.read.ptx.sreg.ntid.y", &[]),
    ]),
    row(Query(GroupCount, Fixed(1)), &[
        LAUNCH.name("llvm.nvvm.read.ptx.sreg.nctaid.y", &[]),
    ]),
    row(Query(LocalId, Fixed(2)), &[
        OWN.name("llvm.nvvm.read.ptx.sreg.tid.z", &[]),
        OWN.name("llvm.amdgcn.workitem.id.z", &[]),
    ]),
    row(Query(GroupId, Fixed(2)), &[
        WORKGROUP.name("llvm.nvvm.read.ptx.sreg.ctaid.z", &[]),
        WORKGROUP.name("llvm.amdgcn.workgroup.id.z", &[]),
    ]),
    row(Query(LocalSize, Fixed(2)), &[
        LAUNCH.name("llvm.nvvm.read.ptx.sreg.ntid.z", &[]),
    ]),
    row(Query(GroupCount, Fixed(2)), &[
        LAUNCH.name("llvm.nvvm.read.ptx.sreg.nctaid.z", &[]),
    ]),
    row(Query(LocalId, Fixed(3)), &[
        OWN.name("llvm.nvvm.read.ptx.sreg.tid.w", &[]),
    ]),
    row(Query(GroupId, Fixed(3)), &[
        WORKGROUP.name("llvm.nvvm.read.ptx.sreg.ctaid.w", &[]),
    ]),
    row(Query(LocalSize, Fixed(3)), &[
        LAUNCH.name("llvm.nvvm.read.ptx.sreg.ntid.w", &[]),
    ]),
    row(Query(GroupCount, Fixed(3)), &[
        LAUNCH.name("llvm.nvvm.read.ptx.sreg.nctaid.w", &[]),
    ]),
    row(Query(GlobalId, Operand), &[
        OWN.opencl("get_global_id", &[Dimension], "once | none | ulong(uint)"),
        OWN.name("llvm.spv.thread.id", &[Dimension]),
        OWN.name("llvm.dx.thread.id", &[Dimension]),
    ]),
    row(Query(LocalId, Operand), &[
        OWN.opencl("get_local_id", &[Dimension], "once | none | ulong(uint)"),
        OWN.name("llvm.spv.thread.id.in.group", &[Dimension]),
        OWN.name("llvm.dx.thread.id.in.group", &[Dimension]),
    ]),
    row(Query(GroupId, Operand), &[
        WORKGROUP.opencl("get_group_id", &[Dimension], "once | none | ulong(uint)"),
        WORKGROUP.name("llvm.spv.group.id", &[Dimension]),
        WORKGROUP.name("llvm.dx.group.id", &[Dimension]),
    ]),
    row(Query(GlobalSize, Operand), &[
        LAUNCH.opencl("get_global_size", &[Dimension], "once | none | ulong(uint)"),
        LAUNCH.name("llvm.spv.global.size", &[Dimension]),
    ]),
    // The last workgroups of a launch of OpenCL can be smaller than the others.
    row(Query(LocalSize, Operand), &[
        WORKGROUP.opencl("get_local_size", &[Dimension], "once | none | ulong(uint)"),
        LAUNCH.opencl("get_enqueued_local_size", &[Dimension], "once | ulong(uint)"),
        WORKGROUP.name("llvm.spv.workgroup.size", &[Dimension]),
    ]),
    row(Query(GroupCount, Operand), &[
        LAUNCH.opencl("get_num_groups", &[Dimension], "once | none | ulong(uint)"),
        LAUNCH.name("llvm.spv.num.workgroups", &[Dimension]),
    ]),
    row(Query(GlobalOffset, Operand), &[
        LAUNCH.opencl("get_global_offset", &[Dimension], "once | none | ulong(uint)"),
        LAUNCH.name("llvm.spv.global.offset", &[Dimension]),
    ]),
    row(Query(GlobalLinearId, None), &[
        OWN.opencl("get_global_linear_id", &[], "once | ulong()"),
    ]),
    row(Query(LocalLinearId, None), &[
        OWN.opencl("get_local_linear_id", &[], "once | ulong()"),
        OWN.name("llvm.spv.flattened.thread.id.in.group", &[]),
        OWN.name("llvm.dx.flattened.thread.id.in.group", &[]),
    ]),
    row(Query(Dimensions, None), &[
        LAUNCH.opencl("get_work_dim", &[], "once | none | uint()"),
    ]),
    row(Query(Lane, None), &[
        OWN.opencl("get_sub_group_local_id", &[], "once | uint()"),
        OWN.name("llvm.nvvm.read.ptx.sreg.laneid", &[]),
        OWN.name("llvm.spv.subgroup.local.invocation.id", &[]),
        OWN.name("llvm.spv.wave.getlaneindex", &[]),
        OWN.name("llvm.dx.wave.getlaneindex", &[]),
    ]),
    row(Query(LaneMask(Comparison::Equal), None), &[
        OWN.opencl("get_sub_group_eq_mask", &[], "once | none | uint4()"),
        OWN.name("llvm.nvvm.read.ptx.sreg.lanemask.eq", &[]),
    ]),
    row(Query(LaneMask(Comparison::GreaterOrEqual), None), &[
        OWN.opencl("get_sub_group_ge_mask", &[], "once | none | uint4()"),
        OWN.name("llvm.nvvm.read.ptx.sreg.lanemask.ge", &[]),
    ]),
    row(Query(LaneMask(Comparison::Greater), None), &[
        OWN.opencl("get_sub_group_gt_mask", &[], "once | none | uint4()"),
        OWN.name("llvm.nvvm.read.ptx.sreg.lanemask.gt", &[]),
    ]),
    row(Query(LaneMask(Comparison::LessOrEqual), None), &[
        OWN.opencl("get_sub_group_le_mask", &[], "once | none | uint4()"),
        OWN.name("llvm.nvvm.read.ptx.sreg.lanemask.le", &[]),
    ]),
    row(Query(LaneMask(Comparison::Less), None), &[
        OWN.opencl("get_sub_group_lt_mask", &[], "once | none | uint4()"),
        OWN.name("llvm.nvvm.read.ptx.sreg.lanemask.lt", &[]),
    ]),
    // A warp can move to another processor, so a block need not agree on where it is.
    row(Query(SubgroupId, None), &[
        SUBGROUP.gives(SameHereOnly).opencl("get_sub_group_id", &[], "once | uint()"),
        SUBGROUP.name("llvm.nvvm.read.ptx.sreg.warpid", &[]),
        SUBGROUP.name("llvm.spv.subgroup.id", &[]),
    ]),
    row(Query(SubgroupSize, None), &[
        SUBGROUP.opencl("get_sub_group_size", &[], "once | uint()"),
        SUBGROUP.name("llvm.spv.subgroup.size", &[]),
    ]),
    row(Query(SubgroupMaxSize, None), &[
        LAUNCH.opencl("get_max_sub_group_size", &[], "once | uint()"),
        LAUNCH.name("llvm.nvvm.read.ptx.sreg.warpsize", &[]),
        LAUNCH.name("llvm.amdgcn.wavefrontsize", &[]),
        LAUNCH.name("llvm.spv.subgroup.max.size", &[]),
        LAUNCH.name("llvm.spv.wave.get.lane.count", &[]),
        LAUNCH.name("llvm.dx.wave.get.lane.count", &[]),
    ]),
    row(Query(SubgroupCount, None), &[
        WORKGROUP.opencl("get_num_sub_groups", &[], "once | uint()"),
        LAUNCH.opencl("get_enqueued_num_sub_groups", &[], "once | uint()"),
        LAUNCH.name("llvm.nvvm.read.ptx.sreg.nwarpid", &[]),
        WORKGROUP.name("llvm.spv.num.subgroups", &[]),
    ]),
];
