//! Nothing is recognised that no test looks at, and nothing that the targets know is left out without a reason.

use std::collections::BTreeSet;

use reconverge_analysis::target::{Operation, Target};
use reconverge_exec::operations::{Call, GpuFunction, recognise};
use reconverge_exec::value::{Scalar, Shape};
use reconverge_testing::llvm;

use super::world::{recognised, signature};
use super::{barriers, cases, queries, workgroup};

/// Functions that are known and that nobody runs: names, signatures, constants.
const UNSUPPORTED: [(&str, &str, &str); 51] = [
    ("_Z22__spirv_ControlBarrieriii", "void (i32, i32, i32)", "1 1 0"),
    ("__spirv_GroupIAdd", "i32 (i32, i32, i32)", "1 0 r"),
    ("__spirv_GroupNonUniformIAdd", "i32 (i32, i32, i32)", "2 0 r"),
    ("__spirv_GroupAsyncCopy", "ptr (i32, ptr, ptr, i64, i64, ptr)", ""),
    ("__spirv_GroupWaitEvents", "void (i32, i32, ptr)", ""),
    ("__spirv_SubgroupBlockReadINTEL", "i32 (ptr)", ""),
    ("_Z29intel_sub_group_block_read_uiPU3AS1Kj", "i32 (ptr)", ""),
    ("__match_all_sync", "i32 (i32, i32, ptr)", ""),
    ("cudaCGSynchronizeGrid", "i32 (i64, i32)", ""),
    ("llvm.spv.resource.sample.v4f32", "<4 x float> (ptr, ptr)", ""),
    ("llvm.dx.resource.calculate.lod", "float (ptr, ptr)", ""),
    ("dx.op.sample.f32", "float (i32)", ""),
    ("dx.op.sampleBias.f32", "float (i32)", ""),
    ("dx.op.sampleCmp.f32", "float (i32)", ""),
    ("dx.op.calculateLOD.f32", "float (i32)", ""),
    ("llvm.nvvm.mma.m8n8k4", "i32 (i32)", ""),
    ("llvm.nvvm.wmma.m16n16k16", "i32 (i32)", ""),
    ("llvm.nvvm.wgmma.fence.sync.aligned", "void ()", ""),
    ("llvm.nvvm.tcgen05.ld", "i32 (i32)", ""),
    ("llvm.nvvm.ldmatrix.sync", "i32 (ptr)", ""),
    ("llvm.nvvm.stmatrix.sync", "void (ptr, i32)", ""),
    ("llvm.nvvm.movmatrix.sync", "i32 (i32)", ""),
    ("llvm.nvvm.mbarrier.init", "void (ptr, i32)", ""),
    ("llvm.nvvm.cp.async.wait.all", "void ()", ""),
    ("llvm.nvvm.mapa", "ptr (ptr, i32)", ""),
    ("llvm.nvvm.getctarank", "i32 (ptr)", ""),
    ("llvm.amdgcn.mfma.f32", "float (float)", ""),
    ("llvm.amdgcn.smfmac.f32", "float (float)", ""),
    ("llvm.amdgcn.wmma.f32", "float (float)", ""),
    ("llvm.amdgcn.swmmac.f32", "float (float)", ""),
    ("llvm.amdgcn.global.load.tr.b64", "i64 (ptr)", ""),
    ("llvm.amdgcn.ds.load.tr4.b64", "i64 (ptr)", ""),
    ("llvm.amdgcn.ds.read.tr4.b64", "i64 (ptr)", ""),
    ("llvm.amdgcn.tensor.load.to.lds", "void (i32)", ""),
    ("llvm.amdgcn.image.getlod.2d", "float (float)", ""),
    ("llvm.amdgcn.ds.append.p3", "i32 (ptr, i1)", ""),
    ("llvm.amdgcn.ds.consume.p3", "i32 (ptr, i1)", ""),
    ("llvm.amdgcn.ds.gws.barrier", "void (i32, i32)", ""),
    ("llvm.amdgcn.s.barrier.signal", "void (i32)", "3"),
    ("llvm.amdgcn.s.barrier.signal.isfirst", "i1 (i32)", "-1"),
    ("llvm.amdgcn.s.barrier.init", "void (ptr, i32)", ""),
    ("llvm.amdgcn.s.get.barrier.state", "i32 (i32)", ""),
    ("llvm.amdgcn.s.get.named.barrier.state", "i32 (ptr)", ""),
    ("llvm.amdgcn.s.wakeup.barrier", "void (ptr)", ""),
    ("llvm.amdgcn.init.whole.wave", "i1 ()", ""),
    ("llvm.amdgcn.init.exec", "void (i64)", ""),
    ("llvm.amdgcn.call.whole.wave", "i32 (ptr)", ""),
    ("llvm.amdgcn.cs.chain", "void (ptr)", ""),
    ("__spirv_ImageSampleImplicitLod", "<4 x float> (ptr, <2 x float>)", ""),
    ("llvm.r600.ddx", "<4 x float> (<4 x float>)", ""),
    ("__ockl_grid_sync", "void ()", ""),
];

/// More of those, whose signatures matter as little: the beginning of a name, and how it goes on.
const UNSUPPORTED_ENDINGS: [(&str, &[&str]); 6] = [
    ("__", &["read_pipe_2", "write_pipe_4", "get_pipe_num_packets_ro"]),
    ("work_group_", &["reserve_read_pipe", "reserve_write_pipe", "commit_read_pipe", "commit_write_pipe"]),
    ("", &["sub_group_reserve_read_pipe", "is_valid_reserve_id"]),
    ("llvm.amdgcn.permlane.", &["bcast", "up", "down", "xor", "idx.gen"]),
    ("llvm.r600.", &["ddy", "tex", "texc", "txb", "txbc"]),
    ("__ockl_", &["gws_barrier", "readuplane_i32"]),
];

/// The names of all functions that a test looks at, with their signatures.
fn tested() -> Vec<(String, &'static str)> {
    let mut tested: Vec<(String, &'static str)> = Vec::new();
    tested.extend(cases::all().into_iter().map(|case| (case.name, case.signature)));
    tested.extend(queries::plain().into_iter().map(|(name, signature, _)| (name.to_owned(), signature)));
    tested.extend(queries::BY_OPERAND.map(|(name, signature, ..)| (name.to_owned(), signature)));
    tested.extend(queries::DXIL.map(|(name, signature, _)| (name.to_owned(), signature)));
    for (name, signature, _) in queries::BY_NAME {
        tested.extend(["x", "y", "z"].map(|axis| (format!("{name}{axis}"), signature)));
    }
    tested.extend(barriers::BARRIERS.map(|(name, signature, ..)| (name.to_owned(), signature)));
    tested.extend(barriers::others().into_iter().map(|(name, signature, ..)| (name.to_owned(), signature)));
    tested.extend(workgroup::folds().into_iter().map(|(name, .., signature)| (name, signature)));
    for (name, signature) in [
        ("_Z20work_group_broadcastjm", "i32 (i32, i64)"),
        ("_Z14work_group_alli", "i32 (i32)"),
        ("_Z14work_group_anyi", "i32 (i32)"),
        ("llvm.amdgcn.ds.swizzle", "i32 (i32, i32)"),
        ("llvm.amdgcn.mbcnt.lo", "i32 (i32, i32)"),
        ("llvm.amdgcn.mbcnt.hi", "i32 (i32, i32)"),
        ("llvm.amdgcn.dispatch.ptr", "ptr ()"),
        ("llvm.amdgcn.implicitarg.ptr", "ptr ()"),
        ("llvm.amdgcn.kernarg.segment.ptr", "ptr ()"),
        ("llvm.amdgcn.queue.ptr", "ptr ()"),
    ] {
        tested.push((name.to_owned(), signature));
    }
    tested
}

fn unsupported() -> Vec<String> {
    let named = UNSUPPORTED.iter().map(|(name, ..)| (*name).to_owned());
    let endings = UNSUPPORTED_ENDINGS.iter();
    named.chain(endings.flat_map(|(start, ends)| ends.iter().map(move |end| format!("{start}{end}")))).collect()
}

#[test]
fn unsupported_functions_say_why() {
    let more = UNSUPPORTED_ENDINGS.iter();
    let more = more.flat_map(|(start, ends)| ends.iter().map(move |end| (format!("{start}{end}"), "i32 (i32)", "")));
    let named = UNSUPPORTED.iter().map(|&(name, signature, operands)| (name.to_owned(), signature, operands));
    for (name, signature, operands) in named.chain(more) {
        match recognised(&name, signature, &operands.replace("-1", "4294967295")) {
            Some(GpuFunction::Unsupported(reason)) => assert!(reason.len() > 10, "{name}"),
            other => panic!("{name} is {other:?}"),
        }
    }
}

/// Every name, or part of one, that is written in the tables of functions is in the name of a function that a test looks at.
#[test]
fn nothing_is_recognised_that_no_test_looks_at() {
    let sources = [
        include_str!("../../../src/operations/recognise.rs"),
        include_str!("../../../src/operations/recognise/amdgpu.rs"),
        include_str!("../../../src/operations/recognise/cuda.rs"),
        include_str!("../../../src/operations/recognise/nvptx.rs"),
        include_str!("../../../src/operations/recognise/opencl.rs"),
        include_str!("../../../src/operations/recognise/shader.rs"),
        include_str!("../../../src/operations/recognise/spirv.rs"),
        include_str!("../../../src/operations/recognise/subgroup.rs"),
    ];
    let mut names: Vec<String> = tested().into_iter().map(|(name, _)| name).chain(unsupported()).collect();
    // What subgroups have in common with CUDA is written small there.
    names.extend(names.clone().into_iter().map(|name| name.to_ascii_lowercase()));
    let mut missing = BTreeSet::new();
    for source in sources {
        for line in source.lines().filter(|line| !line.trim_start().starts_with("//")) {
            for word in line.split('"').skip(1).step_by(2) {
                let is_name = !word.is_empty() && !word.contains([' ', '{']);
                if is_name && !names.iter().any(|name| name.contains(word)) {
                    missing.insert(word);
                }
            }
        }
    }
    assert!(missing.is_empty(), "no test has a function with these in its name: {missing:?}");
}

/// Every name in the table of operations is that of a function that a test looks at.
#[test]
fn every_operation_of_the_table_is_tested() {
    let tested: BTreeSet<String> = tested()
        .into_iter()
        .filter_map(|(name, _)| reconverge_operations::find(&name))
        .map(|known| known.spelling.name.to_owned())
        .collect();
    let missing: Vec<&str> = reconverge_operations::spellings()
        .map(|known| known.spelling.name)
        .filter(|&name| !tested.contains(name))
        .collect();
    assert!(missing.is_empty(), "no test looks at {missing:?}");
}

/// Barriers and communications of the targets' tables that are not for this module to know: they are run by others, or are
/// no functions of their own.
const ELSEWHERE: [&str; 5] = [
    "async_work_group_copy",
    "async_work_group_strided_copy",
    "async_work_group_copy_2D2D",
    "async_work_group_copy_3D3D",
    "wait_group_events",
];

/// Every function that a target says to be a barrier or a communication is run, or known not to be.
#[test]
fn what_the_targets_know_is_recognised() {
    let tested = tested();
    let is_known = |name: &str| {
        let stem = name.strip_suffix('*').unwrap_or(name);
        // As it is tested, or without the types of its overload; mangled or not.
        let matches = |tested: &str| {
            let plain = plain_name(tested);
            let typed = |rest: &str| rest.is_empty() || rest.starts_with('.') || name.ends_with('*');
            plain.strip_prefix(stem).is_some_and(typed)
        };
        tested.iter().any(|(tested, _)| matches(tested))
            || unsupported().iter().any(|name| matches(name))
            || is_unsupported(name.trim_end_matches('*'))
    };
    let mut missing = BTreeSet::new();
    for target in Target::names().filter_map(Target::named) {
        for (name, facts) in target.calls() {
            let is_operation = !matches!(facts.operation, Operation::None);
            if is_operation && !ELSEWHERE.contains(&name.as_str()) && !is_known(&name) {
                missing.insert(name);
            }
        }
    }
    assert!(missing.is_empty(), "neither recognised by a test nor unsupported: {missing:#?}");
}

/// The name in the source of a mangled name.
fn plain_name(name: &str) -> &str {
    let Some(rest) = name.strip_prefix("_Z") else { return name };
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    let length: usize = rest[..digits].parse().expect("a mangled name begins with its length");
    &rest[digits..digits + length]
}

fn is_unsupported(name: &str) -> bool {
    let shapes: [Shape; 3] = [vec![Scalar::Integer(32)], vec![Scalar::Integer(32)], vec![Scalar::Integer(32)]];
    let call =
        |arguments: &[Shape]| recognise(&Call { name, result: &[Scalar::Integer(32)], arguments, constants: &[] });
    (0..=3).any(|count| matches!(call(&shapes[..count]), Some(GpuFunction::Unsupported(_))))
}

/// What a target's table says of the scope of a function is what is done with it.
#[test]
fn scopes_are_those_of_the_targets() {
    let generic = Target::named("generic").expect("there is a generic target");
    for (name, signature_text) in tested() {
        let Some(function) = recognised(&name, signature_text, "3 0 0 0") else { continue };
        let Some(facts) = generic.call(name.as_bytes()) else { continue };
        let facts = facts.of_call(|operand| [3, 0, 0, 0].get(usize::from(operand)).copied());
        let expected = match facts.operation {
            Operation::None | Operation::QuadCrosslane => continue,
            Operation::Barrier(scope) | Operation::Crosslane(scope) => scope,
        };
        // PTX's barriers with a number of threads are of warps in the tables, as these need not be all.
        if let (GpuFunction::Barrier(barrier), true) = (&function, name.contains("nvvm.barrier")) {
            assert!(barrier.scope >= expected, "{name}");
            continue;
        }
        match function {
            GpuFunction::Barrier(barrier) => assert_eq!(barrier.scope, expected, "{name}"),
            GpuFunction::Crosslane(crosslane) => {
                assert_eq!(crosslane.scope, expected, "{name}");
                assert_eq!(crosslane.mask, facts.mask_operand, "{name}");
            }
            GpuFunction::Nothing | GpuFunction::Unsupported(_) => {}
            other => panic!("{name} is {other:?}, and in the table {:?}", facts.operation),
        }
    }
}

/// The signatures of intrinsics here are those that LLVM knows them by. Needs an installed LLVM.
#[test]
fn signatures_are_those_of_llvm() {
    let Some(tools) = llvm::tools() else { return };
    let mut module = String::new();
    let mut seen = BTreeSet::new();
    for (name, text) in tested().into_iter().filter(|(name, _)| name.starts_with("llvm.")) {
        let (result, rest) = text.split_once(' ').filter(|_| !text.starts_with(['<', '{'])).unwrap_or_else(|| {
            let end = text.find(['>', '}']).expect("a vector or a structure ends") + 1;
            (&text[..end], text[end..].trim_start())
        });
        let pointer = if name.starts_with("llvm.amdgcn") { "ptr addrspace(4)" } else { "ptr" };
        if seen.insert(name.clone()) {
            assert!(signature(text).1.len() < 8);
            module.push_str(&format!("declare {} @{name}{rest}\n", result.replace("ptr", pointer)));
        }
    }
    let verdict = tools.verify(&module).expect("opt runs");
    assert!(verdict.accepted, "LLVM does not accept a signature: {}", verdict.output);
}
