//! Barriers, by what threads have to do at them, and what they compute.

use reconverge_exec::operations::{Barrier, GpuFunction, Part, Phase, Reduction, Scope, Stop, Wave};
use reconverge_exec::value::Slot;

use super::world::recognised;

/// A barrier in words, in which what is usual is left out.
fn words(barrier: &Barrier) -> String {
    let scope = |scope: Scope| if scope == Scope::Workgroup { "workgroup" } else { "subgroup" };
    let mut words = vec![scope(barrier.scope).to_owned()];
    words.extend(barrier.textual.map(|group| format!("textual {}", scope(group))));
    words.extend(barrier.partial.then(|| "partial".to_owned()));
    words.extend(barrier.cluster.then(|| "cluster".to_owned()));
    match barrier.phase {
        Phase::Full => {}
        Phase::Arrive => words.push("arrive".to_owned()),
        Phase::Wait => words.push("wait".to_owned()),
    }
    words.extend(barrier.id.map(|operand| format!("id {operand}")));
    words.extend(barrier.count.map(|operand| format!("count {operand}")));
    words.extend(barrier.mask.map(|operand| format!("mask {operand}")));
    words.extend(barrier.reduction.map(|(reduction, operand)| format!("{reduction:?} {operand}").to_lowercase()));
    words.extend((!barrier.orders_memory).then(|| "no memory".to_owned()));
    words.join(", ")
}

/// Name, signature, constant operands, and what it is.
pub(crate) const BARRIERS: [(&str, &str, &str, &str); 67] = [
    ("_Z7barrierj", "void (i32)", "1", "workgroup, textual workgroup"),
    ("_Z7barrierj", "void (i32)", "0", "workgroup, textual workgroup, no memory"),
    ("_Z18work_group_barrierj", "void (i32)", "3", "workgroup, textual workgroup"),
    ("_Z18work_group_barrierj12memory_scope", "void (i32, i32)", "1 1", "workgroup, textual workgroup"),
    ("_Z17sub_group_barrierj", "void (i32)", "1", "subgroup, textual subgroup"),
    ("_Z22__spirv_ControlBarrierjjj", "void (i32, i32, i32)", "2 2 264", "workgroup, textual workgroup"),
    ("_Z22__spirv_ControlBarrieriii", "void (i32, i32, i32)", "3 3 0", "subgroup, textual subgroup, no memory"),
    ("llvm.spv.group.memory.barrier.with.group.sync", "void ()", "", "workgroup, textual workgroup"),
    ("llvm.spv.all.memory.barrier.with.group.sync", "void ()", "", "workgroup, textual workgroup"),
    ("llvm.dx.device.memory.barrier.with.group.sync", "void ()", "", "workgroup, textual workgroup"),
    ("llvm.dx.group.memory.barrier.with.group.sync", "void ()", "", "workgroup, textual workgroup"),
    ("llvm.spv.device.memory.barrier.with.group.sync", "void ()", "", "workgroup, textual workgroup"),
    ("llvm.dx.all.memory.barrier.with.group.sync", "void ()", "", "workgroup, textual workgroup"),
    ("dx.op.barrier", "void (i32, i32)", "80 9", "workgroup, textual workgroup"),
    ("subgroupControlBarrier", "void ()", "", "subgroup, textual subgroup, partial"),
    ("subgroupBarrier", "void ()", "", "subgroup, textual subgroup, partial"),
    ("workgroupControlBarrier", "void ()", "", "workgroup, textual workgroup"),
    ("workgroupBarrier", "void ()", "", "workgroup, textual workgroup"),
    ("_Z13__syncthreadsv", "void ()", "", "workgroup, textual workgroup"),
    ("__cuda_syncthreads", "void ()", "", "workgroup, textual workgroup"),
    ("_Z17__syncthreads_andi", "i32 (i32)", "r", "workgroup, textual workgroup, and 0"),
    ("_Z16__syncthreads_ori", "i32 (i32)", "r", "workgroup, textual workgroup, or 0"),
    ("_Z19__syncthreads_counti", "i32 (i32)", "r", "workgroup, textual workgroup, count 0"),
    ("_Z10__syncwarpj", "void (i32)", "r", "subgroup, partial, mask 0"),
    ("__syncwarp", "void ()", "", "subgroup, partial"),
    ("llvm.nvvm.barrier0", "void ()", "", "workgroup, textual subgroup"),
    ("llvm.nvvm.barrier0.and", "i32 (i32)", "r", "workgroup, textual subgroup, and 0"),
    ("llvm.nvvm.barrier0.or", "i32 (i32)", "r", "workgroup, textual subgroup, or 0"),
    ("llvm.nvvm.barrier0.popc", "i32 (i32)", "r", "workgroup, textual subgroup, count 0"),
    ("llvm.nvvm.barrier.n", "void (i32)", "1", "workgroup, textual subgroup, id 0"),
    ("llvm.nvvm.bar.sync", "void (i32)", "1", "workgroup, textual subgroup, id 0"),
    ("llvm.nvvm.barrier", "void (i32, i32)", "1 64", "workgroup, textual subgroup, id 0, count 1"),
    ("llvm.nvvm.barrier.sync", "void (i32)", "1", "workgroup, id 0"),
    ("llvm.nvvm.barrier.sync.cnt", "void (i32, i32)", "1 64", "workgroup, id 0, count 1"),
    ("llvm.nvvm.barrier.cta.sync.aligned.all", "void (i32)", "0", "workgroup, textual subgroup, id 0"),
    ("llvm.nvvm.barrier.cta.sync.all", "void (i32)", "0", "workgroup, id 0"),
    (
        "llvm.nvvm.barrier.cta.sync.aligned.count",
        "void (i32, i32)",
        "0 64",
        "workgroup, textual subgroup, id 0, count 1",
    ),
    ("llvm.nvvm.barrier.cta.sync.count", "void (i32, i32)", "0 64", "workgroup, id 0, count 1"),
    (
        "llvm.nvvm.barrier.cta.arrive.aligned.count",
        "void (i32, i32)",
        "0 64",
        "workgroup, textual subgroup, arrive, id 0, count 1",
    ),
    ("llvm.nvvm.barrier.cta.arrive.count", "void (i32, i32)", "0 64", "workgroup, arrive, id 0, count 1"),
    ("llvm.nvvm.barrier.cta.red.and.aligned.all", "i1 (i32, i1)", "0 r", "workgroup, textual subgroup, id 0, and 1"),
    ("llvm.nvvm.barrier.cta.red.and.all", "i1 (i32, i1)", "0 r", "workgroup, id 0, and 1"),
    (
        "llvm.nvvm.barrier.cta.red.or.aligned.count",
        "i1 (i32, i32, i1)",
        "0 64 r",
        "workgroup, textual subgroup, id 0, count 1, or 2",
    ),
    ("llvm.nvvm.barrier.cta.red.or.count", "i1 (i32, i32, i1)", "0 64 r", "workgroup, id 0, count 1, or 2"),
    ("llvm.nvvm.barrier.cta.red.popc.all", "i32 (i32, i1)", "0 r", "workgroup, id 0, count 1"),
    ("llvm.nvvm.barrier.cta.red.popc.count", "i32 (i32, i32, i1)", "0 64 r", "workgroup, id 0, count 1, count 2"),
    (
        "llvm.nvvm.barrier.cta.red.and.aligned.count",
        "i1 (i32, i32, i1)",
        "0 64 r",
        "workgroup, textual subgroup, id 0, count 1, and 2",
    ),
    ("llvm.nvvm.barrier.cta.red.and.count", "i1 (i32, i32, i1)", "0 64 r", "workgroup, id 0, count 1, and 2"),
    ("llvm.nvvm.barrier.cta.red.or.aligned.all", "i1 (i32, i1)", "0 r", "workgroup, textual subgroup, id 0, or 1"),
    ("llvm.nvvm.barrier.cta.red.or.all", "i1 (i32, i1)", "0 r", "workgroup, id 0, or 1"),
    (
        "llvm.nvvm.barrier.cta.red.popc.aligned.all",
        "i32 (i32, i1)",
        "0 r",
        "workgroup, textual subgroup, id 0, count 1",
    ),
    (
        "llvm.nvvm.barrier.cta.red.popc.aligned.count",
        "i32 (i32, i32, i1)",
        "0 64 r",
        "workgroup, textual subgroup, id 0, count 1, count 2",
    ),
    ("llvm.nvvm.barrier.cluster.arrive", "void ()", "", "workgroup, cluster, arrive"),
    ("llvm.nvvm.barrier.cluster.arrive.aligned", "void ()", "", "workgroup, textual subgroup, cluster, arrive"),
    ("llvm.nvvm.barrier.cluster.arrive.relaxed", "void ()", "", "workgroup, cluster, arrive, no memory"),
    (
        "llvm.nvvm.barrier.cluster.arrive.relaxed.aligned",
        "void ()",
        "",
        "workgroup, textual subgroup, cluster, arrive, no memory",
    ),
    ("llvm.nvvm.barrier.cluster.wait", "void ()", "", "workgroup, cluster, wait"),
    ("llvm.nvvm.barrier.cluster.wait.aligned", "void ()", "", "workgroup, textual subgroup, cluster, wait"),
    ("llvm.nvvm.bar.warp.sync", "void (i32)", "r", "subgroup, partial, mask 0"),
    ("llvm.amdgcn.s.barrier", "void ()", "", "workgroup, textual subgroup"),
    ("llvm.amdgcn.s.barrier.signal", "void (i32)", "-1", "workgroup, arrive"),
    ("llvm.amdgcn.s.barrier.wait", "void (i16)", "65535", "workgroup, wait"),
    ("llvm.amdgcn.s.barrier.signal", "void (i32)", "4294967293", "workgroup, cluster, arrive"),
    ("llvm.amdgcn.s.barrier.wait", "void (i16)", "65533", "workgroup, cluster, wait"),
    ("llvm.amdgcn.s.cluster.barrier", "void ()", "", "workgroup, cluster"),
    ("llvm.amdgcn.wave.barrier", "void ()", "", "subgroup, partial, no memory"),
    ("llvm.r600.group.barrier", "void ()", "", "workgroup, textual subgroup"),
];

#[test]
fn barriers() {
    for (name, signature, operands, expected) in BARRIERS {
        // A negative number is one of 32 bits.
        let operands = operands.replace("-1", "4294967295");
        match recognised(name, signature, &operands) {
            Some(GpuFunction::Barrier(barrier)) => assert_eq!(words(&barrier), expected, "{name}"),
            other => panic!("{name} is {other:?}"),
        }
    }
}

/// Name, signature, constant operands, and what each thread does on its own.
pub(crate) fn others() -> Vec<(&'static str, &'static str, &'static str, GpuFunction)> {
    let fence = |name| (name, "void ()", "", GpuFunction::Fence);
    let nothing = |name, signature| (name, signature, "1", GpuFunction::Nothing);
    let clock = |name| (name, "i64 ()", "", GpuFunction::Clock);
    let trap = |name, signature| (name, signature, "1", GpuFunction::Stop(Stop::Trap));
    let mut others = vec![
        ("_Z9mem_fencej", "void (i32)", "1", GpuFunction::Fence),
        ("_Z14read_mem_fencej", "void (i32)", "1", GpuFunction::Fence),
        ("_Z15write_mem_fencej", "void (i32)", "1", GpuFunction::Fence),
        (
            "_Z22atomic_work_item_fencej12memory_order12memory_scope",
            "void (i32, i32, i32)",
            "1 1 1",
            GpuFunction::Fence,
        ),
        ("_Z21__spirv_MemoryBarrieriii", "void (i32, i32)", "1 1", GpuFunction::Fence),
        ("dx.op.barrier", "void (i32, i32)", "80 8", GpuFunction::Fence),
        ("llvm.nvvm.exit", "void ()", "", GpuFunction::Stop(Stop::Exit)),
        ("llvm.amdgcn.endpgm", "void ()", "", GpuFunction::Stop(Stop::Exit)),
        ("__assert_fail", "void (ptr, ptr, i32, ptr)", "r r 1 r", GpuFunction::Stop(Stop::Assertion)),
        ("__assert_rtn", "void (ptr, ptr, i32, ptr)", "r r 1 r", GpuFunction::Stop(Stop::Assertion)),
        ("__assertfail", "void (ptr, ptr, i32, ptr, i64)", "r r 1 r 1", GpuFunction::Stop(Stop::Assertion)),
    ];
    let fences = [
        "llvm.spv.group.memory.barrier",
        "llvm.spv.device.memory.barrier",
        "llvm.dx.all.memory.barrier",
        "subgroupMemoryBarrier",
        "_Z13__threadfencev",
        "__threadfence_block",
        "__threadfence_system",
        "llvm.nvvm.membar.cta",
        "llvm.nvvm.membar.gl",
        "llvm.nvvm.fence.sc.cluster",
        "llvm.amdgcn.buffer.wbinvl1",
        "llvm.amdgcn.buffer.wbinvl1.sc",
        "llvm.amdgcn.buffer.wbinvl1.vol",
        "llvm.amdgcn.s.dcache.inv",
        "llvm.amdgcn.s.dcache.wb",
    ];
    others.extend(fences.map(fence));
    let waits = ["llvm.amdgcn.s.waitcnt", "llvm.amdgcn.s.wait.asynccnt"];
    others.extend(waits.map(|name| (name, "void (i32)", "0", GpuFunction::Fence)));
    let hints = [
        "llvm.nvvm.nanosleep",
        "llvm.nvvm.pm.event.mask",
        "llvm.nvvm.setmaxnreg.inc.sync.aligned.u32",
        "__nanosleep",
        "llvm.amdgcn.sched.barrier",
        "llvm.amdgcn.iglp.opt",
        "llvm.amdgcn.s.sleep",
        "llvm.amdgcn.s.sleep.var",
        "llvm.amdgcn.s.nop",
        "llvm.amdgcn.s.setprio",
        "llvm.amdgcn.s.incperflevel",
        "llvm.amdgcn.s.decperflevel",
        "llvm.amdgcn.s.ttracedata",
        "llvm.amdgcn.s.ttracedata.imm",
        "llvm.amdgcn.s.monitor.sleep",
        "llvm.amdgcn.s.sethalt",
    ];
    others.extend(hints.map(|name| nothing(name, "void (i32)")));
    others.extend([
        nothing("llvm.amdgcn.sched.group.barrier", "void (i32, i32, i32)"),
        nothing("llvm.amdgcn.s.prefetch.data", "void (ptr, i32)"),
        nothing("llvm.amdgcn.s.prefetch.inst", "void (ptr, i32)"),
        nothing("llvm.amdgcn.s.wait.event.export.ready", "void ()"),
        nothing("__brkpt", "void ()"),
        nothing("llvm.debugtrap", "void ()"),
        trap("llvm.trap", "void ()"),
        trap("llvm.ubsantrap", "void (i8)"),
        trap("llvm.spv.abort", "void (i32)"),
        trap("__trap", "void ()"),
        trap("abort", "void ()"),
    ]);
    let clocks = [
        "llvm.readcyclecounter",
        "llvm.readsteadycounter",
        "llvm.nvvm.read.ptx.sreg.clock",
        "llvm.nvvm.read.ptx.sreg.clock64",
        "llvm.nvvm.read.ptx.sreg.clock_hi",
        "llvm.nvvm.read.ptx.sreg.globaltimer",
        "llvm.nvvm.read.ptx.sreg.globaltimer.lo",
        "llvm.amdgcn.s.memtime",
        "llvm.amdgcn.s.memrealtime",
        "clock",
        "_Z7clock64v",
        "wall_clock64",
        "__ockl_memtime_u64",
        "__ockl_steadyctr_u64",
        "__ockl_cyclectr_u64",
    ];
    others.extend(clocks.map(clock));
    others
}

#[test]
fn what_threads_do_alone() {
    for (name, signature, operands, expected) in others() {
        assert_eq!(recognised(name, signature, operands), Some(expected), "{name}");
    }
}

#[test]
fn a_reduction_at_a_barrier_is_of_all_waves() {
    let predicates = [[1u64, 0, 7, 1], [0, 2, 0, 0]];
    let sets = [0b1111, 0b0011];
    for (name, expected) in
        [("_Z17__syncthreads_andi", 0), ("_Z16__syncthreads_ori", 1), ("_Z19__syncthreads_counti", 4)]
    {
        let Some(GpuFunction::Barrier(barrier)) = recognised(name, "i32 (i32)", "r") else { panic!("{name}") };
        assert!(matches!(barrier.reduction, Some((Reduction::And | Reduction::Or | Reduction::Count, 0))));
        let slots = predicates.map(|bits| {
            let mut slot = Slot::default();
            slot.bits[..4].copy_from_slice(&bits);
            [slot]
        });
        let arguments: Vec<[&[Slot]; 1]> = slots.iter().map(|slot| [slot.as_slice()]).collect();
        let mut outs = [[Slot::splat(99)], [Slot::splat(99)]];
        let mut parts: Vec<Part> = outs
            .iter_mut()
            .enumerate()
            .map(|(wave, out)| Part {
                wave: Wave { group: [0; 3], first: 64 * wave as u32 },
                set: sets[wave],
                arguments: &arguments[wave],
                out,
            })
            .collect();
        assert_eq!(barrier.reduce(&mut parts), []);
        assert_eq!(outs[0][0].bits[..4], [expected; 4], "{name}");
        // Lanes outside of the set keep what they had.
        assert_eq!(outs[1][0].bits[..3], [expected, expected, 99], "{name}");
    }
}
