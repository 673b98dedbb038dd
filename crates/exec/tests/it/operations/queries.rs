//! What threads ask about themselves, against the loops of a launch.

use reconverge_testing::rounds::seeds;

use reconverge_exec::operations::{
    ConstantData, GpuFunction, LaunchShape, Query, Wave, dispatch_packet, implicit_arguments, recognise_variable,
};
use reconverge_exec::value::{Scalar, Slot, WIDTH};

use super::world::{Random, recognised};

/// A thread, as three nested loops over its workgroup meet it.
#[derive(Clone, Copy)]
pub(crate) struct Thread<'s> {
    shape: &'s LaunchShape,
    group: [u64; 3],
    local: [u64; 3],
    /// How many threads of the workgroup were met before it.
    number: u64,
}

impl Thread<'_> {
    fn block(&self, axis: usize) -> u64 {
        self.shape.block[axis].into()
    }

    fn grid(&self, axis: usize) -> u64 {
        self.shape.grid[axis].into()
    }

    fn global(&self, axis: usize) -> u64 {
        self.group[axis] * self.block(axis) + self.local[axis]
    }

    fn size(&self, axis: usize) -> u64 {
        self.grid(axis) * self.block(axis)
    }

    fn lane(&self) -> u64 {
        self.number % u64::from(self.shape.subgroup)
    }

    fn threads(&self) -> u64 {
        (0..3).map(|axis| self.block(axis)).product()
    }

    /// The threads of the subgroup for whose number something holds.
    fn mask(&self, holds: impl Fn(u64, u64) -> bool) -> u64 {
        (0..u64::from(self.shape.subgroup)).filter(|&other| holds(other, self.lane())).map(|other| 1 << other).sum()
    }
}

type Answer = fn(&Thread, usize) -> u64;

/// The answers, for an axis where there is one.
const GLOBAL_ID: Answer = |thread, axis| thread.global(axis) + thread.shape.offset[axis];
const LOCAL_ID: Answer = |thread, axis| thread.local[axis];
const GROUP_ID: Answer = |thread, axis| thread.group[axis];
const GLOBAL_SIZE: Answer = |thread, axis| thread.size(axis);
const LOCAL_SIZE: Answer = |thread, axis| thread.block(axis);
const GROUPS: Answer = |thread, axis| thread.grid(axis);
const OFFSET: Answer = |thread, axis| thread.shape.offset[axis];
const GLOBAL_LINEAR: Answer =
    |thread, _| (thread.global(2) * thread.size(1) + thread.global(1)) * thread.size(0) + thread.global(0);
const LOCAL_LINEAR: Answer = |thread, _| thread.number;
const DIMENSIONS: Answer = |thread, _| match [1, 2].map(|axis| thread.size(axis)) {
    [1, 1] => 1,
    [_, 1] => 2,
    _ => 3,
};
const LANE: Answer = |thread, _| thread.lane();
const SUBGROUP: Answer = |thread, _| thread.number / u64::from(thread.shape.subgroup);
const SUBGROUPS: Answer = |thread, _| thread.threads().div_ceil(u64::from(thread.shape.subgroup));
const MAX_SIZE: Answer = |thread, _| u64::from(thread.shape.subgroup);
const SIZE: Answer = |thread, _| {
    let of_same = |&other: &u64| other / MAX_SIZE(thread, 0) == SUBGROUP(thread, 0);
    (0..thread.threads()).filter(of_same).count() as u64
};
const EQUAL: Answer = |thread, word| thread.mask(|other, own| other == own) >> (32 * word);
const GREATER_EQUAL: Answer = |thread, word| thread.mask(|other, own| other >= own) >> (32 * word);
const GREATER: Answer = |thread, word| thread.mask(|other, own| other > own) >> (32 * word);
const LESS_EQUAL: Answer = |thread, word| thread.mask(|other, own| other <= own) >> (32 * word);
const LESS: Answer = |thread, word| thread.mask(|other, own| other < own) >> (32 * word);
const ZERO: Answer = |_, _| 0;
const ONE: Answer = |_, _| 1;
const STATIC_MEMORY: Answer = |thread, _| thread.shape.static_local_memory.into();
const DYNAMIC_MEMORY: Answer = |thread, _| thread.shape.dynamic_local_memory.into();
const MEMORY: Answer = |thread, _| STATIC_MEMORY(thread, 0) + DYNAMIC_MEMORY(thread, 0);

/// Functions of no operand.
pub(crate) fn plain() -> Vec<(&'static str, &'static str, Answer)> {
    let mut queries = vec![
        ("_Z20get_global_linear_idv", "i64 ()", GLOBAL_LINEAR),
        ("_Z19get_local_linear_idv", "i64 ()", LOCAL_LINEAR),
        ("_Z12get_work_dimv", "i32 ()", DIMENSIONS),
        ("_Z18get_sub_group_sizev", "i32 ()", SIZE),
        ("_Z22get_max_sub_group_sizev", "i32 ()", MAX_SIZE),
        ("_Z18get_num_sub_groupsv", "i32 ()", SUBGROUPS),
        ("_Z27get_enqueued_num_sub_groupsv", "i32 ()", SUBGROUPS),
        ("_Z16get_sub_group_idv", "i32 ()", SUBGROUP),
        ("_Z22get_sub_group_local_idv", "i32 ()", LANE),
        ("_Z21get_sub_group_eq_maskv", "<4 x i32> ()", EQUAL),
        ("_Z21get_sub_group_ge_maskv", "<4 x i32> ()", GREATER_EQUAL),
        ("_Z21get_sub_group_gt_maskv", "<4 x i32> ()", GREATER),
        ("_Z21get_sub_group_le_maskv", "<4 x i32> ()", LESS_EQUAL),
        ("_Z21get_sub_group_lt_maskv", "<4 x i32> ()", LESS),
        ("__ockl_lane_u32", "i32 ()", LANE),
        ("__ockl_get_local_linear_id", "i64 ()", LOCAL_LINEAR),
        ("_Z28__spirv_GlobalInvocationId_xv", "i64 ()", GLOBAL_ID),
        ("__spirv_BuiltInGlobalLinearId", "i64 ()", GLOBAL_LINEAR),
        ("__spirv_BuiltInLocalInvocationIndex", "i64 ()", LOCAL_LINEAR),
        ("__spirv_BuiltInWorkDim", "i32 ()", DIMENSIONS),
        ("__spirv_BuiltInSubgroupSize", "i32 ()", SIZE),
        ("__spirv_BuiltInSubgroupMaxSize", "i32 ()", MAX_SIZE),
        ("__spirv_BuiltInNumSubgroups", "i32 ()", SUBGROUPS),
        ("__spirv_BuiltInNumEnqueuedSubgroups", "i32 ()", SUBGROUPS),
        ("__spirv_BuiltInSubgroupId", "i32 ()", SUBGROUP),
        ("__spirv_BuiltInSubgroupLocalInvocationId", "i32 ()", LANE),
        ("__spirv_BuiltInSubgroupEqMask", "<4 x i32> ()", EQUAL),
        ("__spirv_BuiltInSubgroupGeMaskKHR", "<4 x i32> ()", GREATER_EQUAL),
        ("__spirv_BuiltInSubgroupGtMask", "<4 x i32> ()", GREATER),
        ("__spirv_BuiltInSubgroupLeMask", "<4 x i32> ()", LESS_EQUAL),
        ("__spirv_BuiltInSubgroupLtMask", "<4 x i32> ()", LESS),
        ("llvm.spv.flattened.thread.id.in.group", "i32 ()", LOCAL_LINEAR),
        ("llvm.spv.subgroup.size", "i32 ()", SIZE),
        ("llvm.spv.subgroup.max.size", "i32 ()", MAX_SIZE),
        ("llvm.spv.wave.get.lane.count", "i32 ()", MAX_SIZE),
        ("llvm.dx.wave.get.lane.count", "i32 ()", MAX_SIZE),
        ("llvm.spv.wave.getlaneindex", "i32 ()", LANE),
        ("llvm.spv.num.subgroups", "i32 ()", SUBGROUPS),
        ("llvm.spv.subgroup.id", "i32 ()", SUBGROUP),
        ("llvm.spv.subgroup.local.invocation.id", "i32 ()", LANE),
        ("llvm.dx.wave.getlaneindex", "i32 ()", LANE),
        ("llvm.dx.flattened.thread.id.in.group", "i32 ()", LOCAL_LINEAR),
        ("getSubgroupLocalInvocationId", "i32 ()", LANE),
        ("getSubgroupInvocationId", "i32 ()", LANE),
        ("getSubgroupSize", "i32 ()", SIZE),
        ("getSubgroupId", "i32 ()", SUBGROUP),
        ("getSubgroupID", "i32 ()", SUBGROUP),
        ("getNumSubgroups", "i32 ()", SUBGROUPS),
        ("getLocalInvocationIndex", "i32 ()", LOCAL_LINEAR),
        ("__hlsl_wave_get_lane_index", "i32 ()", LANE),
        ("llvm.amdgcn.wavefrontsize", "i32 ()", MAX_SIZE),
        ("llvm.amdgcn.wave.id", "i32 ()", SUBGROUP),
        ("llvm.amdgcn.groupstaticsize", "i32 ()", STATIC_MEMORY),
        ("llvm.amdgcn.cluster.workgroup.flat.id", "i32 ()", ZERO),
        ("llvm.amdgcn.cluster.workgroup.max.flat.id", "i32 ()", ZERO),
        ("llvm.amdgcn.dispatch.id", "i64 ()", ZERO),
        ("llvm.amdgcn.lds.kernel.id", "i32 ()", ZERO),
        ("llvm.amdgcn.live.mask", "i1 ()", ONE),
        ("llvm.amdgcn.ps.live", "i1 ()", ONE),
        ("llvm.nvvm.is_explicit_cluster", "i1 ()", ZERO),
    ];
    queries.extend([
        ("llvm.nvvm.read.ptx.sreg.laneid", "i32 ()", LANE),
        ("llvm.nvvm.read.ptx.sreg.lanemask.eq", "i32 ()", EQUAL),
        ("llvm.nvvm.read.ptx.sreg.lanemask.ge", "i32 ()", GREATER_EQUAL),
        ("llvm.nvvm.read.ptx.sreg.lanemask.gt", "i32 ()", GREATER),
        ("llvm.nvvm.read.ptx.sreg.lanemask.le", "i32 ()", LESS_EQUAL),
        ("llvm.nvvm.read.ptx.sreg.lanemask.lt", "i32 ()", LESS),
        ("llvm.nvvm.read.ptx.sreg.warpid", "i32 ()", SUBGROUP),
        ("llvm.nvvm.read.ptx.sreg.nwarpid", "i32 ()", SUBGROUPS),
        ("llvm.nvvm.read.ptx.sreg.warpsize", "i32 ()", MAX_SIZE),
        ("llvm.nvvm.read.ptx.sreg.tid.w", "i32 ()", ZERO),
        ("llvm.nvvm.read.ptx.sreg.ntid.w", "i32 ()", ONE),
        ("llvm.nvvm.read.ptx.sreg.ctaid.w", "i32 ()", ZERO),
        ("llvm.nvvm.read.ptx.sreg.nctaid.w", "i32 ()", ONE),
        ("llvm.nvvm.read.ptx.sreg.cluster.ctarank", "i32 ()", ZERO),
        ("llvm.nvvm.read.ptx.sreg.cluster.nctarank", "i32 ()", ONE),
        ("llvm.nvvm.read.ptx.sreg.smid", "i32 ()", ZERO),
        ("llvm.nvvm.read.ptx.sreg.nsmid", "i32 ()", ONE),
        ("llvm.nvvm.read.ptx.sreg.gridid", "i32 ()", ZERO),
        ("llvm.nvvm.read.ptx.sreg.envreg3", "i32 ()", ZERO),
        ("llvm.nvvm.read.ptx.sreg.pm0", "i32 ()", ZERO),
        ("llvm.nvvm.read.ptx.sreg.dynamic_smem_size", "i32 ()", DYNAMIC_MEMORY),
        ("llvm.nvvm.read.ptx.sreg.total_smem_size", "i32 ()", MEMORY),
        ("llvm.nvvm.read.ptx.sreg.aggr_smem_size", "i32 ()", MEMORY),
    ]);
    queries
}

/// Functions whose only operand is the dimension, and what they say of none.
pub(crate) const BY_OPERAND: [(&str, &str, Answer, u64); 29] = [
    ("_Z13get_global_idj", "i64 (i32)", GLOBAL_ID, 0),
    ("_Z12get_local_idj", "i64 (i32)", LOCAL_ID, 0),
    ("_Z12get_group_idj", "i64 (i32)", GROUP_ID, 0),
    ("_Z15get_global_sizej", "i64 (i32)", GLOBAL_SIZE, 1),
    ("_Z14get_local_sizej", "i64 (i32)", LOCAL_SIZE, 1),
    ("_Z23get_enqueued_local_sizej", "i64 (i32)", LOCAL_SIZE, 1),
    ("_Z14get_num_groupsj", "i64 (i32)", GROUPS, 1),
    ("_Z17get_global_offsetj", "i64 (i32)", OFFSET, 0),
    ("get_global_id", "i32 (i32)", GLOBAL_ID, 0),
    ("__ockl_get_global_id", "i64 (i32)", GLOBAL_ID, 0),
    ("__ockl_get_local_size", "i64 (i32)", LOCAL_SIZE, 1),
    ("_Z33__spirv_BuiltInGlobalInvocationIdi", "i64 (i32)", GLOBAL_ID, 0),
    ("_Z32__spirv_BuiltInLocalInvocationIdi", "i64 (i32)", LOCAL_ID, 0),
    ("_Z26__spirv_BuiltInWorkgroupIdi", "i64 (i32)", GROUP_ID, 0),
    ("_Z25__spirv_BuiltInGlobalSizei", "i64 (i32)", GLOBAL_SIZE, 1),
    ("_Z28__spirv_BuiltInWorkgroupSizei", "i64 (i32)", LOCAL_SIZE, 1),
    ("_Z36__spirv_BuiltInEnqueuedWorkgroupSizei", "i64 (i32)", LOCAL_SIZE, 1),
    ("_Z28__spirv_BuiltInNumWorkgroupsi", "i64 (i32)", GROUPS, 1),
    ("_Z27__spirv_BuiltInGlobalOffseti", "i64 (i32)", OFFSET, 0),
    ("llvm.spv.thread.id.i32", "i32 (i32)", GLOBAL_ID, 0),
    ("llvm.spv.thread.id.in.group.i64", "i64 (i32)", LOCAL_ID, 0),
    ("llvm.spv.group.id.i32", "i32 (i32)", GROUP_ID, 0),
    ("llvm.dx.thread.id", "i32 (i32)", GLOBAL_ID, 0),
    ("llvm.dx.thread.id.in.group", "i32 (i32)", LOCAL_ID, 0),
    ("llvm.dx.group.id", "i32 (i32)", GROUP_ID, 0),
    ("llvm.spv.workgroup.size.i32", "i32 (i32)", LOCAL_SIZE, 1),
    ("llvm.spv.num.workgroups.i32", "i32 (i32)", GROUPS, 1),
    ("llvm.spv.global.size.i32", "i32 (i32)", GLOBAL_SIZE, 1),
    ("llvm.spv.global.offset.i32", "i32 (i32)", OFFSET, 0),
];

/// The beginnings of names that end in the dimension.
pub(crate) const BY_NAME: [(&str, &str, Answer); 23] = [
    ("llvm.amdgcn.workitem.id.", "i32 ()", LOCAL_ID),
    ("llvm.amdgcn.workgroup.id.", "i32 ()", GROUP_ID),
    ("llvm.amdgcn.cluster.id.", "i32 ()", GROUP_ID),
    ("llvm.amdgcn.cluster.workgroup.id.", "i32 ()", ZERO),
    ("llvm.amdgcn.cluster.workgroup.max.id.", "i32 ()", ZERO),
    ("llvm.r600.read.tidig.", "i32 ()", LOCAL_ID),
    ("llvm.r600.read.tgid.", "i32 ()", GROUP_ID),
    ("llvm.r600.read.global.size.", "i32 ()", GLOBAL_SIZE),
    ("llvm.r600.read.local.size.", "i32 ()", LOCAL_SIZE),
    ("llvm.r600.read.ngroups.", "i32 ()", GROUPS),
    ("llvm.nvvm.read.ptx.sreg.tid.", "i32 ()", LOCAL_ID),
    ("llvm.nvvm.read.ptx.sreg.ntid.", "i32 ()", LOCAL_SIZE),
    ("llvm.nvvm.read.ptx.sreg.ctaid.", "i32 ()", GROUP_ID),
    ("llvm.nvvm.read.ptx.sreg.nctaid.", "i32 ()", GROUPS),
    ("llvm.nvvm.read.ptx.sreg.clusterid.", "i32 ()", GROUP_ID),
    ("llvm.nvvm.read.ptx.sreg.nclusterid.", "i32 ()", GROUPS),
    ("llvm.nvvm.read.ptx.sreg.cluster.ctaid.", "i32 ()", ZERO),
    ("llvm.nvvm.read.ptx.sreg.cluster.nctaid.", "i32 ()", ONE),
    ("__spirv_LocalInvocationId_", "i64 ()", LOCAL_ID),
    ("__spirv_WorkgroupId_", "i64 ()", GROUP_ID),
    ("__spirv_WorkgroupSize_", "i64 ()", LOCAL_SIZE),
    ("__spirv_NumWorkgroups_", "i64 ()", GROUPS),
    ("__spirv_GlobalSize_", "i64 ()", GLOBAL_SIZE),
];

/// Operations of DXIL, whose first operand is their number.
pub(crate) const DXIL: [(&str, &str, Answer); 6] = [
    ("dx.op.threadId.i32", "i32 (i32, i32)", GLOBAL_ID),
    ("dx.op.threadIdInGroup.i32", "i32 (i32, i32)", LOCAL_ID),
    ("dx.op.groupId.i32", "i32 (i32, i32)", GROUP_ID),
    ("dx.op.flattenedThreadIdInGroup.i32", "i32 (i32)", LOCAL_LINEAR),
    ("dx.op.waveGetLaneIndex", "i32 (i32)", LANE),
    ("dx.op.waveGetLaneCount", "i32 (i32)", MAX_SIZE),
];

fn query(name: &str, signature: &str) -> Query {
    match recognised(name, signature, "") {
        Some(GpuFunction::Query(query)) => query,
        other => panic!("{name} is {other:?}"),
    }
}

/// Asks for all threads of some random workgroups.
fn check(name: &str, query: &Query, arguments: &[Vec<Slot>], answer: impl Fn(&Thread, usize, usize) -> u64) {
    for seed in seeds(5) {
        let mut random = Random(seed);
        let sizes = |random: &mut Random, most: usize| [0; 3].map(|_: u32| 1 + random.below(most) as u32);
        let grid = [sizes(&mut random, 4), [5, 1, 1]][random.below(2)];
        let block = [sizes(&mut random, 7), [70, 1, 1], [3, 5, 1]][random.below(3)];
        let subgroup = [1, 4, 16, 20, 32, 64][random.below(6)];
        let mut shape = LaunchShape::new(grid, block, subgroup);
        shape.offset = sizes(&mut random, 100).map(|offset| u64::from(offset) - 1);
        (shape.static_local_memory, shape.dynamic_local_memory) =
            (random.below(1 << 16) as u32, random.below(1 << 10) as u32);
        let group = [0, 1, 2].map(|axis| random.below(grid[axis] as usize) as u32);
        let mut threads = Vec::new();
        for z in 0..block[2] {
            for y in 0..block[1] {
                for x in 0..block[0] {
                    let local = [x, y, z].map(u64::from);
                    threads.push(Thread {
                        shape: &shape,
                        group: group.map(u64::from),
                        local,
                        number: threads.len() as u64,
                    });
                }
            }
        }
        let width = WIDTH as u32 / subgroup * subgroup;
        for (wave, threads) in threads.chunks(width as usize).enumerate() {
            let place = Wave { group, first: wave as u32 * width };
            let operands: Vec<&[Slot]> = arguments.iter().map(Vec::as_slice).collect();
            let mut out = vec![Slot::splat(u64::MAX); query.result.len()];
            query.evaluate(&shape, &place, &operands, &mut out);
            for (lane, thread) in threads.iter().enumerate() {
                for (part, (slot, scalar)) in out.iter().zip(&query.result).enumerate() {
                    let keep = reconverge_exec::value::low_bits(scalar.bits());
                    let expected = answer(thread, part, lane) & keep;
                    assert_eq!(
                        slot.bits[lane], expected,
                        "{name}, seed {seed}: lane {lane} of wave {wave}, part {part}, {shape:?}"
                    );
                }
            }
            assert!(out.iter().all(|slot| slot.poison == 0 && slot.undefined.is_none()), "{name}");
        }
    }
}

#[test]
fn queries_without_operands() {
    for (name, signature, answer) in plain() {
        let words = signature.starts_with('<');
        check(name, &query(name, signature), &[], |thread, part, _| {
            // A shift by all bits of the mask is none.
            if words && part > 1 { 0 } else { answer(thread, part) }
        });
    }
    for (name, signature, answer) in BY_NAME {
        for (axis, letter) in ["x", "y", "z"].into_iter().enumerate() {
            let name = format!("{name}{letter}");
            check(&name, &query(&name, signature), &[], |thread, _, _| answer(thread, axis));
        }
    }
}

#[test]
fn queries_of_a_dimension() {
    for (name, signature, answer, beyond) in BY_OPERAND {
        for axis in 0..3 {
            let operand = vec![Slot::splat(axis as u64)];
            check(name, &query(name, signature), &[operand], |thread, _, _| answer(thread, axis));
        }
        for outside in [3, 0xffff_ffff] {
            check(name, &query(name, signature), &[vec![Slot::splat(outside)]], |_, _, _| beyond);
        }
        // Each lane its own.
        let operand = Slot { bits: std::array::from_fn(|lane| (lane % 3) as u64), ..Slot::default() };
        check(name, &query(name, signature), &[vec![operand]], |thread, _, lane| answer(thread, lane % 3));
    }
    for (name, signature, answer) in DXIL {
        let operands = [vec![Slot::splat(1)], vec![Slot::splat(2)]];
        check(name, &query(name, signature), &operands, |thread, _, _| answer(thread, 2));
    }
}

#[test]
fn vectors_have_all_dimensions() {
    let name = "__spirv_BuiltInGlobalInvocationId";
    check(name, &query(name, "<3 x i64> ()"), &[], |thread, axis, _| GLOBAL_ID(thread, axis));
    let variable = recognise_variable(name, &[Scalar::Integer(64); 3]).expect("a built-in variable");
    check(name, &variable, &[], |thread, axis, _| GLOBAL_ID(thread, axis));
    let variable = recognise_variable("__spirv_BuiltInSubgroupLocalInvocationId", &[Scalar::Integer(32)]);
    check("a variable", &variable.expect("a built-in variable"), &[], |thread, _, _| LANE(thread, 0));
    assert_eq!(recognise_variable("__spirv_BuiltInNothing", &[Scalar::Integer(32)]), None);
}

#[test]
fn bits_below_a_lane_are_counted() {
    let mask = 0xf0f0_1234u64;
    for (name, shift) in [("llvm.amdgcn.mbcnt.lo", 0), ("llvm.amdgcn.mbcnt.hi", 32)] {
        let operands = [vec![Slot::splat(mask)], vec![Slot::splat(100)]];
        check(name, &query(name, "i32 (i32, i32)"), &operands, |thread, _, _| {
            // The mask stands for 32 threads from this one on.
            let below = (0..thread.lane()).filter(|&other| other >= shift && other < shift + 32);
            100 + below.filter(|&other| mask >> (other - shift) & 1 == 1).count() as u64
        });
    }
}

#[test]
fn a_dimension_that_is_not_known_gives_poison() {
    let mut operand = Slot::splat(0);
    operand.poison = 0b100;
    let mut out = [Slot::default()];
    let shape = LaunchShape::new([1; 3], [8, 1, 1], 8);
    let wave = Wave { group: [0; 3], first: 0 };
    query("_Z13get_global_idj", "i64 (i32)").evaluate(&shape, &wave, &[&[operand]], &mut out);
    assert_eq!(out[0].poison, 0b100);
}

#[test]
fn memory_that_the_runtime_prepares() {
    let pointers = [
        ("llvm.amdgcn.dispatch.ptr", ConstantData::DispatchPacket),
        ("llvm.amdgcn.implicitarg.ptr", ConstantData::ImplicitArguments),
        ("llvm.amdgcn.kernarg.segment.ptr", ConstantData::KernelArguments),
        ("llvm.amdgcn.queue.ptr", ConstantData::Queue),
    ];
    for (name, data) in pointers {
        assert_eq!(recognised(name, "ptr ()", ""), Some(GpuFunction::Pointer(data)), "{name}");
    }
    let mut shape = LaunchShape::new([3, 2, 1], [64, 4, 1], 32);
    shape.offset = [7, 0, 9];
    shape.dynamic_local_memory = 256;
    let packet = dispatch_packet(&shape);
    let half = |bytes: &[u8], at: usize| u16::from_le_bytes([bytes[at], bytes[at + 1]]);
    let word = |bytes: &[u8], at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().expect("four bytes"));
    assert_eq!(packet.len(), 64);
    assert_eq!([2, 4, 6, 8].map(|at| half(&packet, at)), [2, 64, 4, 1]);
    assert_eq!([12, 16, 20, 28].map(|at| word(&packet, at)), [192, 8, 1, 256]);
    let implicit = implicit_arguments(&shape);
    assert_eq!(implicit.len(), 256);
    assert_eq!([0, 4, 8, 40, 56, 120].map(|at| word(&implicit, at)), [3, 2, 1, 7, 9, 256]);
    assert_eq!([12, 14, 16, 18, 64].map(|at| half(&implicit, at)), [64, 4, 1, 0, 2]);
}
