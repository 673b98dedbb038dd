//! The tables of targets: every row is read, names are found, files that are wrong say where, and LLVM still says what
//! the generated tables say it does.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use reconverge_analysis::target::{
    CallFacts, Degree, Dependence, LoadFacts, MemoryKind, Operation, Scope, Target, TargetError,
};
use reconverge_ir::{BodyEnds, Module};
use reconverge_testing::probe::{self, Verdict};
use reconverge_testing::{corpus, llvm};

const SCOPES: [Scope; 3] = [Scope::Subgroup, Scope::Workgroup, Scope::Grid];

fn named(name: &str) -> &'static Target {
    Target::named(name).expect("a built-in target")
}

fn call(target: &str, name: &str) -> CallFacts {
    *named(target).call(name.as_bytes()).unwrap_or_else(|| panic!("{target} does not know {name}"))
}

/// The widest set of threads in which a result is uniform when its operands are.
fn widest(facts: CallFacts) -> Option<Scope> {
    let is_uniform = |&scope: &Scope| !matches!(facts.result.dependence(scope), Dependence::Thread(_));
    SCOPES.into_iter().rev().find(is_uniform)
}

/// The target that a text describes.
fn parse(text: &str) -> Result<Target, TargetError> {
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), text).unwrap();
    Target::load(file.path())
}

#[test]
fn every_file_is_read() {
    let names: Vec<&str> = Target::names().collect();
    assert_eq!(names, ["amdgpu", "nvptx", "spirv", "dxil", "generic"]);
    for folder in ["", "calls", "generated"] {
        for entry in std::fs::read_dir(corpus::workspace().join("targets").join(folder)).unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_some_and(|extension| extension == "toml") {
                let target = Target::load(&path).unwrap_or_else(|error| panic!("{error}"));
                let rows: Vec<(String, CallFacts)> = target.calls().collect();
                assert!(!rows.is_empty(), "{} is empty", path.display());
                for (name, facts) in rows {
                    let is_operation = folder == "calls" && reconverge_operations::find(&name).is_some();
                    assert!(!is_operation, "{name} is in the table of operations, and in {}", path.display());
                    let example = name.replace('*', "x");
                    assert_eq!(target.call(example.as_bytes()), Some(&facts), "{name} in {}", path.display());
                }
            }
        }
    }
}

/// The tables that the program has are what the files say.
#[test]
fn built_in_targets_are_their_files() {
    for name in Target::names() {
        let path = corpus::workspace().join("targets").join(name).with_extension("toml");
        let read = Target::load(&path).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(format!("{read:?}"), format!("{:?}", named(name)), "{name}");
    }
}

#[test]
fn the_target_of_a_triple() {
    let targets = [
        ("amdgcn-amd-amdhsa", "amdgpu"),
        ("amdgcn-mesa-mesa3d", "amdgpu"),
        ("r600--", "amdgpu"),
        ("nvptx64-nvidia-cuda", "nvptx"),
        ("spirv64", "spirv"),
        ("spirv-unknown-vulkan1.3-compute", "spirv"),
        ("spir64-unknown-unknown", "spirv"),
        ("dxil-pc-shadermodel6.3-compute", "dxil"),
        ("x86_64-pc-linux-gnu", "generic"),
        ("", "generic"),
    ];
    for (triple, name) in targets {
        assert_eq!(Target::for_triple(triple.as_bytes()).name(), name, "{triple}");
    }
    assert!(Target::named("amdgcn").is_none());
    assert_eq!(named("nvptx").subgroup_size(), Some(32));
    assert_eq!(named("amdgpu").subgroup_size(), None);
}

#[test]
fn names_with_types_and_mangled_names() {
    let known = [
        ("_Z12get_local_idj", "get_local_id"),
        ("_Z14work_group_anyi", "work_group_any"),
        ("_Z21work_group_reduce_addi", "work_group_reduce_add"),
        ("_Z29__spirv_GroupNonUniformBallotjb", "__spirv_GroupNonUniformBallot"),
        ("_Z22__spirv_ControlBarrierjjj", "__spirv_ControlBarrier"),
        ("_Z25atomic_fetch_add_explicitPVU7_Atomicii12memory_order12memory_scope", "atomic_fetch_add_explicit"),
        ("llvm.amdgcn.readfirstlane.i32", "llvm.amdgcn.readfirstlane"),
        ("llvm.amdgcn.readfirstlane.v4f32", "llvm.amdgcn.readfirstlane"),
        ("llvm.amdgcn.icmp.i64.i32", "llvm.amdgcn.icmp"),
        ("llvm.masked.load.nxv4i32.p1", "llvm.masked.load"),
        ("llvm.amdgcn.readlane.s_node.1s", "llvm.amdgcn.readlane"),
        ("llvm.spv.resource.getpointer.p11.tspirv.Image_f32_5_2_0_0_2_24t", "llvm.spv.resource.getpointer"),
    ];
    for (spelled, plain) in known {
        assert_eq!(call("generic", spelled), call("generic", plain), "{spelled}");
    }
    let unknown = [
        "_Z8get_local_idj",
        "_Z99barrierj",
        "_Z18446744073709551615barrierj",
        "_Z99999999999999999999barrierj",
        "_Z7barrie",
        "_Zbarrier",
        "_ZN3foo7barrierEj",
        "llvm.amdgcn.s.barrier.i32x",
        "llvm.amdgcn.nothing.i32",
        "llvm.",
        "llvm..i32",
        "llvm",
        "f",
        "",
    ];
    for name in unknown {
        assert_eq!(named("generic").call(name.as_bytes()), None, "{name}");
    }
}

/// What the specifications of the languages say of each function: how widely its result is uniform, and what it does.
#[test]
fn facts_that_the_specifications_state() {
    use Operation::{Barrier, Crosslane, None as Nothing, QuadCrosslane};
    use Scope::{Grid, Subgroup, Workgroup};
    let facts = [
        ("_Z12get_group_idj", Some(Workgroup), Nothing),
        ("_Z13get_global_idj", None, Nothing),
        ("_Z16get_sub_group_idv", Some(Subgroup), Nothing),
        ("_Z15get_global_sizej", Some(Grid), Nothing),
        ("_Z14get_num_groupsj", Some(Grid), Nothing),
        ("_Z12get_work_dimv", Some(Grid), Nothing),
        ("_Z7barrierj", None, Barrier(Workgroup)),
        ("_Z17sub_group_barrierj", None, Barrier(Subgroup)),
        ("_Z21work_group_reduce_addi", Some(Workgroup), Crosslane(Workgroup)),
        ("_Z29work_group_scan_inclusive_addi", None, Crosslane(Workgroup)),
        ("_Z19sub_group_broadcastij", Some(Subgroup), Crosslane(Subgroup)),
        ("_Z28sub_group_scan_inclusive_addi", None, Crosslane(Subgroup)),
        ("_Z3sinf", Some(Grid), Nothing),
        ("_Z10atomic_addPU3AS1Vii", None, Nothing),
        ("__syncthreads", None, Barrier(Workgroup)),
        ("__syncthreads_or", Some(Workgroup), Barrier(Workgroup)),
        ("__ballot_sync", Some(Subgroup), Crosslane(Subgroup)),
        ("__nv_sinf", Some(Grid), Nothing),
        ("__ockl_get_group_id", Some(Workgroup), Nothing),
        ("__ocml_sqrt_f32", Some(Grid), Nothing),
        ("__spirv_GroupNonUniformElect", None, Crosslane(Subgroup)),
        ("llvm.amdgcn.workitem.id.x", None, Nothing),
        ("llvm.amdgcn.workgroup.id.y", Some(Workgroup), Nothing),
        ("llvm.amdgcn.dispatch.ptr", Some(Grid), Nothing),
        ("llvm.amdgcn.ballot.i64", Some(Subgroup), Crosslane(Subgroup)),
        ("llvm.amdgcn.readfirstlane.i32", Some(Grid), Crosslane(Subgroup)),
        ("llvm.amdgcn.s.barrier", None, Barrier(Workgroup)),
        ("llvm.amdgcn.image.sample.2d.v4f32.f32", Some(Subgroup), QuadCrosslane),
        ("llvm.amdgcn.image.sample.lz.2d.v4f32.f32", Some(Grid), Nothing),
        ("llvm.nvvm.read.ptx.sreg.tid.x", None, Nothing),
        ("llvm.nvvm.read.ptx.sreg.ctaid.x", Some(Workgroup), Nothing),
        ("llvm.nvvm.read.ptx.sreg.ntid.x", Some(Grid), Nothing),
        ("llvm.nvvm.read.ptx.sreg.warpid", Some(Subgroup), Nothing),
        ("llvm.nvvm.barrier0.popc", Some(Workgroup), Barrier(Workgroup)),
        ("llvm.nvvm.barrier.cta.red.or.aligned.all", Some(Workgroup), Barrier(Workgroup)),
        ("llvm.nvvm.barrier.cta.sync.aligned.all", None, Barrier(Workgroup)),
        ("llvm.nvvm.sqrt.rn.f", Some(Grid), Nothing),
        ("llvm.nvvm.mma.m16n8k8.row.col.f32.tf32", None, Crosslane(Subgroup)),
        ("llvm.spv.thread.id.i32", None, Nothing),
        ("llvm.spv.group.id.i32", Some(Workgroup), Nothing),
        ("llvm.spv.wave.reduce.sum.i32", Some(Subgroup), Crosslane(Subgroup)),
        ("llvm.spv.ddx.coarse.f32", Some(Grid), QuadCrosslane),
        ("llvm.dx.thread.id.in.group", None, Nothing),
        ("llvm.dx.group.memory.barrier.with.group.sync", None, Barrier(Workgroup)),
        ("llvm.sqrt.f32", Some(Grid), Nothing),
        ("llvm.threadlocal.address.p0", None, Nothing),
    ];
    for (name, scope, operation) in facts {
        let found = call("generic", name);
        assert_eq!((widest(found), found.operation), (scope, operation), "{name}");
    }
    let ids =
        ["_Z12get_local_idj", "_Z13get_global_idj", "_Z22get_sub_group_local_idv", "llvm.nvvm.read.ptx.sreg.laneid"];
    for id in ids {
        assert_eq!(call("generic", id).result.dependence(Scope::Subgroup), Dependence::Thread(Degree::Certain), "{id}");
    }
    let load = call("generic", "_Z10atomic_addPU3AS1Vii").result;
    assert_eq!(load.dependence(Scope::Subgroup), Dependence::Thread(Degree::Possible));
}

#[test]
fn facts_that_depend_on_operands() {
    let shuffle = call("nvptx", "llvm.nvvm.shfl.sync.idx.i32").result;
    assert_eq!([0, 1, 2, 3].map(|operand| shuffle.on.contains(operand)), [true, false, true, false]);
    assert_eq!(shuffle.only_if, Some((3, 31)));
    assert!((0..100).all(|operand| call("nvptx", "llvm.nvvm.prmt").result.on.contains(operand)));
    let barrier = call("spirv", "_Z22__spirv_ControlBarrierjjj");
    assert_eq!(barrier.scope_operand, Some(0));
    assert_eq!(barrier.in_scope(3).operation, Operation::Barrier(Scope::Subgroup));
    assert_eq!(barrier.in_scope(2).operation, Operation::Barrier(Scope::Workgroup));
    assert_eq!(barrier.in_scope(77), barrier);
    let any = call("spirv", "__spirv_GroupAny");
    assert_eq!(any.in_scope(2).result.uniform, Some(Scope::Workgroup));
    assert_eq!(barrier.in_scope(2).result.uniform, None);
    let add = call("spirv", "__spirv_GroupIAdd");
    let of = |constants: &'static [i64]| {
        add.of_call(|operand| constants.get(usize::from(operand)).copied()).result.dependence(Scope::Workgroup)
    };
    assert_eq!(of(&[2, 0]), Dependence::Operands);
    for others in [&[2, 1][..], &[3, 0], &[2], &[]] {
        assert_eq!(of(others), Dependence::Thread(Degree::Possible), "{others:?}");
    }
}

/// Which threads have to reach a call together. The constants are the first operands; `-2` stands for a value that is none.
#[test]
fn threads_that_have_to_be_there() {
    use Scope::{Subgroup, Workgroup};
    let calls: &[(&str, &[i64], Option<Scope>)] = &[
        ("llvm.nvvm.barrier0", &[], Some(Workgroup)),
        ("llvm.nvvm.barrier.cta.sync.aligned.all", &[0], Some(Workgroup)),
        ("llvm.nvvm.barrier0.or", &[], Some(Workgroup)),
        ("llvm.nvvm.barrier.cta.sync.aligned.count", &[1, 64], Some(Subgroup)),
        ("llvm.nvvm.bar.warp.sync", &[-1], Some(Subgroup)),
        ("llvm.nvvm.bar.warp.sync", &[0xffff], None),
        ("llvm.nvvm.bar.warp.sync", &[-2], None),
        ("llvm.nvvm.shfl.sync.down.i32", &[-1, -2, 16, 31], Some(Subgroup)),
        ("llvm.nvvm.shfl.sync.idx.f32p", &[-2, -2, 0, 31], None),
        ("llvm.nvvm.redux.sync.add", &[-1, 1], None),
        ("llvm.nvvm.redux.sync.add", &[1, -1], Some(Subgroup)),
        ("llvm.nvvm.vote.ballot.sync", &[-1, 1], Some(Subgroup)),
        ("llvm.nvvm.vote.ballot", &[-1], None),
        ("llvm.nvvm.activemask", &[], None),
        ("llvm.nvvm.shfl.down.i32", &[-2, 16, 31], Some(Subgroup)),
        ("llvm.nvvm.wmma.m16n16k16.load.a.row.f16.p0", &[], Some(Subgroup)),
        ("__syncwarp", &[-1], Some(Subgroup)),
        ("__syncwarp", &[1], None),
        ("__shfl_sync", &[-1, -2, 0, 32], Some(Subgroup)),
        ("__syncthreads_count", &[1], Some(Workgroup)),
        ("_Z7barrierj", &[1], Some(Workgroup)),
        ("_Z18work_group_barrierj", &[1], Some(Workgroup)),
        ("_Z21work_group_reduce_addi", &[1], Some(Workgroup)),
        ("_Z17sub_group_barrierj", &[1], Some(Subgroup)),
        ("_Z20sub_group_reduce_addi", &[1], Some(Subgroup)),
        ("_Z31sub_group_non_uniform_broadcastij", &[1, 0], None),
        ("_Z17sub_group_shuffleij", &[1, 0], None),
        ("_Z22__spirv_ControlBarrierjjj", &[2, 2, 264], Some(Workgroup)),
        ("_Z22__spirv_ControlBarrierjjj", &[3, 3, 264], Some(Subgroup)),
        ("_Z22__spirv_ControlBarrierjjj", &[-2, 2, 264], Some(Workgroup)),
        ("_Z16__spirv_GroupAnyjb", &[2, 1], Some(Workgroup)),
        ("_Z16__spirv_GroupAnyjb", &[3, 1], Some(Subgroup)),
        ("_Z26__spirv_GroupNonUniformAlljb", &[3, 1], None),
        ("llvm.amdgcn.s.barrier", &[], Some(Workgroup)),
        ("llvm.amdgcn.wave.barrier", &[], None),
        ("llvm.amdgcn.readfirstlane", &[1], None),
        ("llvm.amdgcn.ballot", &[1], None),
        ("llvm.amdgcn.ds.bpermute", &[0, 1], Some(Subgroup)),
        ("llvm.dx.wave.all", &[1], None),
        ("llvm.dx.group.memory.barrier.with.group.sync", &[], Some(Workgroup)),
        ("llvm.dx.ddx.coarse", &[1], None),
        ("get_local_id", &[0], None),
        ("sin", &[0], None),
    ];
    for &(name, constants, expected) in calls {
        let constant_of = |operand: u8| constants.get(usize::from(operand)).copied().filter(|&constant| constant != -2);
        assert_eq!(call("generic", name).needs_all(constant_of), expected, "{name} {constants:?}");
    }
}

#[test]
fn a_table_knows_every_convergent_intrinsic() {
    let table = std::fs::read_to_string(corpus::workspace().join("crates/operations/src/llvm/convergent.txt")).unwrap();
    let unknown = |name: &&str| named("generic").call(name.trim_end_matches(".*").as_bytes()).is_none();
    let names = table.lines().filter(|name| ["amdgcn", "nvvm", "spv", "dx"].contains(&name.split('.').nth(1).unwrap()));
    assert_eq!(names.filter(unknown).collect::<Vec<_>>(), [""; 0]);
}

#[test]
fn memory() {
    use Scope::{Grid, Subgroup, Workgroup};
    let facts = |kind, uniform, atomic| LoadFacts { kind, uniform, atomic };
    let global = facts(MemoryKind::Global, Some(Grid), Some(Subgroup));
    let shared = facts(MemoryKind::Shared, Some(Workgroup), Some(Subgroup));
    let constant = facts(MemoryKind::Constant, Some(Grid), Some(Grid));
    let (private, flat) = (facts(MemoryKind::Private, None, None), facts(MemoryKind::Flat, None, None));
    let spaces = [
        ("amdgpu", 0, flat),
        ("amdgpu", 1, global),
        ("amdgpu", 3, shared),
        ("amdgpu", 4, constant),
        ("amdgpu", 5, private),
        ("amdgpu", 7, global),
        ("amdgpu", 128, global),
        ("nvptx", 0, flat),
        ("nvptx", 1, global),
        ("nvptx", 3, shared),
        ("nvptx", 5, private),
        ("nvptx", 101, constant),
        ("spirv", 0, private),
        ("spirv", 4, flat),
        ("spirv", 11, global),
        ("spirv", 7, facts(MemoryKind::Unknown, None, None)),
        ("dxil", 3, shared),
        ("generic", 1, facts(MemoryKind::Unknown, None, None)),
    ];
    for (target, space, expected) in spaces {
        assert_eq!(named(target).load_from(space), expected, "{target} {space}");
    }
}

#[test]
fn parameters() {
    let amdgpu = named("amdgpu");
    assert_eq!(amdgpu.parameter(true, b"noundef"), Some(Scope::Grid));
    assert_eq!(amdgpu.parameter(false, b"inreg noundef"), Some(Scope::Subgroup));
    assert_eq!(amdgpu.parameter(false, b"byval(i32) align 4"), Some(Scope::Subgroup));
    assert_eq!(amdgpu.parameter(false, b"noundef"), None);
    assert_eq!(named("nvptx").parameter(true, b""), Some(Scope::Grid));
    assert_eq!(named("nvptx").parameter(false, b"inreg"), None);
}

#[test]
fn kernels_by_convention_attribute_and_metadata() {
    let text = br#"
define amdgpu_kernel void @a() { ret void }
define dso_local ptx_kernel void @b() { ret void }
define spir_kernel void @c() { ret void }
define void @d() #0 { ret void }
define void @e() { ret void }
define spir_func void @f() #1 { ret void }
declare spir_kernel void @g()
define void @"h h"() { ret void }
attributes #0 = { convergent "hlsl.numthreads"="8,1,1" "hlsl.shader"="compute" }
attributes #1 = { convergent "hlsl.export" }
!nvvm.annotations = !{!0, !1, !2}
!0 = !{ptr @"h h", !"kernel", i32 1}
!1 = !{ptr @f, !"maxntidx", i32 8}
!2 = !{null, !"kernel", i32 1}
"#;
    let module = Module::read(text, BodyEnds::ByBrackets).unwrap();
    for target in Target::names() {
        let kernels = named(target).kernels(&module);
        let mut names: Vec<String> = kernels.iter().map(|&function| module.function_name(function)).collect();
        names.sort();
        assert_eq!(names, ["@\"h h\"", "@a", "@b", "@c", "@d", "@g"], "{target}");
    }
}

#[test]
fn inline_assembly() {
    let uniform = |target: &str, constraints: &str, output| {
        named(target).inline_assembly(constraints.as_bytes(), output).uniform == Some(Scope::Subgroup)
    };
    assert!(uniform("amdgpu", "=s,v", None));
    assert!(uniform("amdgpu", "=&s,=*m,={vcc},~{memory}", None));
    assert!(uniform("amdgpu", "={s[0:1]}", None));
    assert!(!uniform("amdgpu", "=v", None));
    assert!(!uniform("amdgpu", "=s,=v", None));
    assert!(uniform("amdgpu", "=s,=v", Some(0)));
    assert!(!uniform("amdgpu", "=s,=v", Some(1)));
    assert!(!uniform("amdgpu", "=s,=v", Some(2)));
    assert!(!uniform("nvptx", "=r,r", None));
}

#[test]
fn inline_assembly_as_llvm_says() {
    let Some(tools) = llvm::tools() else { return };
    let constraints = ["=s", "=&s", "=v", "=a", "={s[0:1]}", "={v1}", "={vcc}", "={exec}", "={m0}", "={ttmp4}", "=r"];
    let calls = constraints.map(|one| format!("i64 asm \"\", \"{one}\"()"));
    let calls = calls.each_ref().map(String::as_str);
    let verdicts = probe::verdicts(tools, "amdgcn-amd-amdhsa", "amdgpu_kernel", &calls).unwrap();
    for (one, verdict) in constraints.into_iter().zip(verdicts) {
        let is_uniform = named("amdgpu").inline_assembly(one.as_bytes(), None).uniform.is_some();
        assert_eq!(verdict, Some(if is_uniform { Verdict::Uniform } else { Verdict::Source }), "{one}");
    }
}

/// Files that are wrong: the text, the line, the key, a part of the message.
#[test]
fn files_that_are_wrong_say_where() {
    let cases = [
        ("extends = \"amd\"", 1, "extends", "there is no target `amd`, only amdgpu, nvptx"),
        ("tables = [\n  \"opencl\",\n  \"metal\",\n]", 3, "tables", "there is no table `metal`"),
        ("\n[[call]]\nnames = [\"f\"]\nuniform = \"wave\"\n", 4, "call.uniform", "unknown variant `wave`"),
        ("[[call]]\nnames = [\n\n  \"f\",\n  7,\n]\n", 5, "call.names", "invalid type: integer `7`"),
        ("[[call]]\nnames = [\"f\"]\nunifrom = \"grid\"\n", 3, "call.unifrom", "unknown field `unifrom`"),
        ("[[call]]\nuniform = \"grid\"\n", 1, "call", "missing field `names`"),
        ("[[call]]\nnames = []\n", 2, "call.names", "there is no name"),
        ("[[call]]\nnames = [\"a\", \"a\"]\n", 2, "call.names", "`a` is listed twice"),
        ("[[call]]\nnames = [\"a*b\"]\n", 2, "call.names", "`a*b` is no name"),
        ("[[call]]\nnames = [\"*\"]\n", 2, "call.names", "`*` is no name"),
        ("[[call]]\nnames = [\"f\"]\nbarrier = \"grid\"\ncrosslane = \"grid\"\n", 4, "call.crosslane", "one of them"),
        ("[[call]]\nnames = [\"f\"]\npure = true\nquad = true\n", 3, "call.pure", "is not pure"),
        ("[[call]]\nnames = [\"f\"]\npartial = true\n", 3, "call.partial", "only operations"),
        (
            "[[call]]\nnames = [\"f\"]\ncrosslane = \"grid\"\nmask_operand = 0\n",
            4,
            "call.mask_operand",
            "only a partial",
        ),
        ("[[call]]\nnames = [\"f\"]\non = [1]\n", 3, "call.on", "limits `operands`"),
        ("[[memory]]\nspaces = [1, 1]\nkind = \"flat\"\n", 2, "memory.spaces", "listed twice"),
        ("[[memory]]\nspaces = [1]\nkind = \"l1\"\n", 3, "memory.kind", "unknown variant `l1`"),
        ("[parameters]\nkernel = 1\n", 2, "parameters.kernel", "wanted string"),
        ("subgroup_size = 33\n", 1, "subgroup_size", "a power of two"),
        ("name = \"\"\n", 1, "name", "a target has a name"),
        ("name = \"a\"\nname = \"b\"\n", 2, "name", "duplicate key"),
        ("name = \"a\n", 1, "name", "invalid basic string"),
        ("kernel_conventions = \"k\"\n", 1, "kernel_conventions", "expected a sequence"),
    ];
    for (text, expected_line, expected_key, part) in cases {
        match parse(text) {
            Err(TargetError::Malformed { line, key, message, .. }) => {
                assert_eq!((line, key.as_str()), (expected_line, expected_key), "{text}: {message}");
                assert!(message.contains(part), "{text}: {message}");
            }
            other => panic!("{text}: {other:?}"),
        }
    }
    let missing = Target::load(Path::new("no/such/file.toml"));
    assert!(matches!(missing, Err(TargetError::Unreadable { .. })), "{missing:?}");
    let message = parse("extends = 3").unwrap_err().to_string();
    assert!(message.contains(":1:11: `extends`: "), "{message}");
}

#[test]
fn a_users_file_extends_a_target() {
    let text = "name = \"mine\"\nextends = \"amdgpu\"\nsubgroup_size = 64\n\
                [[memory]]\nspaces = [9]\nkind = \"shared\"\nload = \"workgroup\"\n\
                [[call]]\nnames = [\"llvm.amdgcn.*\", \"my_broadcast\"]\nuniform = \"workgroup\"\n\
                [[call]]\nnames = [\"llvm.amdgcn.ballot\"]\n";
    let target = parse(text).unwrap();
    assert_eq!((target.name(), target.subgroup_size()), ("mine", Some(64)));
    assert_eq!(target.load_from(9).uniform, Some(Scope::Workgroup));
    assert_eq!(target.load_from(5), named("amdgpu").load_from(5));
    let uniform = |name: &str| target.call(name.as_bytes()).unwrap().result.uniform;
    assert_eq!(uniform("_Z12my_broadcasti"), Some(Scope::Workgroup));
    // Rows for many names replace those for one that other files have, and not those beside them.
    assert_eq!(uniform("llvm.amdgcn.workitem.id.x"), Some(Scope::Workgroup));
    assert_eq!(uniform("llvm.amdgcn.ballot.i32"), None);
    assert_eq!(target.call(b"_Z7barrierj"), named("amdgpu").call(b"_Z7barrierj"));
    assert_eq!(parse("").unwrap().calls().count(), 0);
}

/// Every truncation and many changes of a byte of a file give a target or an error with a place in the file.
#[test]
fn damaged_files() {
    let text = "name = \"é\" # c\nextends = \"nvptx\"\n[[memory]]\nspaces = [1]\nkind = \"flat\"\n[[call]]\nnames = [\"f*\"]\n";
    let check = |text: &str| {
        if let Err(error) = parse(text) {
            let TargetError::Malformed { line, column, .. } = error else { panic!("{error}") };
            let lines: Vec<&str> = text.split('\n').collect();
            assert!(line <= lines.len() && column <= lines[line - 1].len() + 1, "{line}:{column} of\n{text}");
        }
    };
    for end in (0..text.len()).filter(|&end| text.is_char_boundary(end)) {
        check(&text[..end]);
    }
    for at in 0..text.len() {
        for byte in *b"\n\"[]=*x0 \\" {
            let mut bytes = text.as_bytes().to_vec();
            bytes[at] = byte;
            if let Ok(changed) = String::from_utf8(bytes) {
                check(&changed);
            }
        }
    }
}

/// The calls that were asked when a table was generated.
fn asked(table: &str) -> String {
    std::fs::read_to_string(generated(&format!("{table}.calls"))).unwrap()
}

fn generated(file: &str) -> PathBuf {
    corpus::workspace().join("targets/generated").join(file)
}

/// What LLVM gets wrong for AMD GPUs: the rows in `targets/calls` say why.
const LLVM_IS_WRONG: [&str; 11] = [
    "llvm.amdgcn.ds.atomic.barrier.arrive.rtn.b64",
    "llvm.amdgcn.ds.permute",
    "llvm.amdgcn.permlane64",
    "llvm.amdgcn.raw.buffer.atomic.sub.clamp.u32",
    "llvm.amdgcn.raw.ptr.buffer.atomic.sub.clamp.u32",
    "llvm.amdgcn.set.inactive",
    "llvm.amdgcn.set.inactive.chain.arg",
    "llvm.amdgcn.struct.buffer.atomic.sub.clamp.u32",
    "llvm.amdgcn.struct.ptr.buffer.atomic.sub.clamp.u32",
    "llvm.thread.pointer",
    "llvm.threadlocal.address",
];

#[test]
fn llvm_says_what_the_generated_tables_say() {
    let Some(tools) = llvm::tools() else { return };
    let mut less_precise: BTreeMap<String, Verdict> = BTreeMap::new();
    for table in ["llvm", "amdgcn"] {
        let file = Target::load(&generated(&format!("{table}.toml"))).unwrap();
        let asked = asked(table);
        let calls: Vec<&str> = asked.lines().collect();
        let verdicts = probe::verdicts(tools, "amdgcn-amd-amdhsa", "amdgpu_kernel", &calls).unwrap();
        for (call, verdict) in calls.into_iter().zip(verdicts) {
            let name = call.split(['@', '(']).find(|part| part.starts_with("llvm.")).unwrap();
            let verdict = verdict.unwrap_or_else(|| panic!("LLVM rejects {call}"));
            let dependence = |target: &Target| target.call(name.as_bytes()).unwrap().result.dependence(Scope::Subgroup);
            let expected = match dependence(&file) {
                Dependence::Uniform => Verdict::Uniform,
                Dependence::Pure | Dependence::Operands => Verdict::Operands,
                Dependence::Thread(_) => Verdict::Source,
            };
            assert_eq!(verdict, expected, "{call}");
            let ours = match dependence(named("amdgpu")) {
                Dependence::Uniform => Verdict::Uniform,
                Dependence::Pure | Dependence::Operands => Verdict::Operands,
                Dependence::Thread(_) => Verdict::Source,
            };
            if ours > verdict {
                less_precise.insert(name.to_owned(), verdict);
            }
        }
    }
    let names: Vec<&str> = less_precise.keys().map(String::as_str).collect();
    assert_eq!(names, LLVM_IS_WRONG);
}

/// What the tables for NVIDIA's GPUs and for SPIR-V rest on: LLVM 22 takes every call for a source there, or none.
#[test]
fn llvm_on_other_targets() {
    let Some(tools) = llvm::tools() else { return };
    let calls = ["i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()", "float @llvm.sqrt.f32(float)"];
    let verdicts = probe::verdicts(tools, "nvptx64-nvidia-cuda", "ptx_kernel", &calls).unwrap();
    assert_eq!(verdicts, [Some(Verdict::Source); 2]);
    let calls = ["i32 @llvm.spv.thread.id.i32(i32)", "float @llvm.sqrt.f32(float)"];
    let verdicts = probe::verdicts(tools, "spirv64-unknown-unknown", "spir_kernel", &calls).unwrap();
    assert_eq!(verdicts, [Some(Verdict::Uniform); 2]);
}

#[test]
fn the_example_of_the_documentation() {
    let page = std::fs::read_to_string(corpus::workspace().join("docs/targets.md")).unwrap();
    let example = page.split("```toml\n").nth(1).and_then(|rest| rest.split("```").next()).unwrap();
    let target = parse(example).unwrap();
    assert_eq!(target.name(), "acme");
    let facts = target.call(b"_Z12acme_sum_i32i").unwrap();
    assert_eq!((facts.result.uniform, facts.partial), (Some(Scope::Subgroup), true));
}
