//! Inline assembly of source and of IR: what it computes, who takes part, and what is said of what is not understood.

use crate::common::{Folder, installed, reconverge};
use serde_json::Value;

const FILE: &str = "tests/cases/source/inline-assembly.cu";
const IR: &str = "tests/cases/assembly/ptx.ll";

#[test]
fn instructions_compute_what_ptx_says() {
    let (a, b, c) = (0x1234_5678u32, 0x9abc_def0u32, 0x0f0f_3c3cu32);
    let numbers = format!("in=u32[3]{{{a},{b},{c}}}");
    let arguments =
        ["run", FILE, "--kernel", "instructions", "--block", "32", "--arg", &numbers, "--arg", "out=u32[7]", "--arg"];
    let run = reconverge(&[&arguments[..], &["sums=f32[32]", "--format", "json"]].concat(), b"");
    assert_eq!(run.status, 0, "{}", run.stderr);
    let found: Value = serde_json::from_str(&run.stdout).expect("JSON");
    let list = |name: &str| -> Vec<f64> {
        let values = found["buffers"][name].as_array().expect("a list");
        values.iter().map(|value| value.as_f64().expect("a number")).collect()
    };
    let sum = a.wrapping_add(b);
    let expected = [
        a >> 8 & 0xfff,
        b & !0xff0 | (a & 0xff) << 4,
        a & b | a & c | b & c,
        // The bytes 0 and 4, the sign of byte 2, and byte 7 of both words.
        0x9a00_f078,
        sum,
        b.wrapping_mul(c).wrapping_add(sum),
        0,
    ];
    assert_eq!(list("out"), expected.map(f64::from));
    let sums: Vec<f64> = (0..32).map(|lane| f64::from(if lane < 16 { 2 * lane + 16 } else { lane })).collect();
    assert_eq!(list("sums"), sums);
}

/// CUDA's compiler takes a register with one percent sign, too; halves are converted as other numbers are.
#[test]
fn registers_may_have_one_percent_sign() {
    let text = "#include <cuda_fp16.h>
        __device__ int narrow(half value) { union { half number; short bits; }; number = value; short out; asm(\"cvt.rni.sat.s8.f16 %0, %1;\" : \"=h\"(out) : \"h\"(bits)); return out; }
        __global__ void k(int *out) { unsigned lane; asm volatile(\"mov.u32 %0, %laneid;\" : \"=r\"(lane));
          out[threadIdx.x] = lane * 1000 + narrow(__float2half(threadIdx.x ? -7.5f : 300.f)); }";
    let run =
        reconverge(&["run", "-", "--input-format", "cuda", "--block", "2", "--arg", "out=i32[2]"], text.as_bytes());
    assert!(run.stdout.starts_with("out = i32[2]{127, 992}"), "{run:?}");
}

#[test]
fn a_barrier_in_assembly_is_one() {
    let found = reconverge(&["check", FILE], b"");
    assert_eq!(found.status, 0, "{}", found.stderr);
    assert_eq!(found.stdout.matches("warning[RC02").count(), 1, "{}", found.stdout);
    assert!(
        found.stdout.contains("threadIdx.x < n") && found.stdout.contains("inline-assembly.cu:49"),
        "{}",
        found.stdout
    );
    let whole = reconverge(&["uniformity", FILE, "--quiet"], b"");
    assert!(!whole.stderr.contains("unknown"), "{}", whole.stderr);
}

#[test]
fn an_instruction_has_its_own_name_in_findings_and_events() {
    let file = "tests/conformance/noconvergent-asm.cu";
    let found = reconverge(&["check", file], b"").stdout;
    assert!(found.contains("which threads execute shfl.sync.down.b32 together is up to"), "{found}");
    let barrier = "__global__ void k(int n) { if (n < threadIdx.x) asm(\"bar.sync 0;\"); }";
    let found = reconverge(&["check", "-", "--input-format", "cuda"], barrier.as_bytes()).stdout;
    assert!(found.contains("`bar.sync` in divergent control flow: threads of a thread block"), "{found}");
    let run =
        reconverge(&["run", file, "--block", "4", "--arg", "out=i32[4]", "--arg", "value=1", "--events", "9"], b"");
    assert!(run.stdout.contains("  shfl.sync.down.b32 (noconvergent-asm.cu:5) {0-3}"), "{}", run.stdout);
    assert!(!run.stdout.contains("llvm."), "{}", run.stdout);
}

#[test]
fn what_no_table_has_is_named() {
    let text = "__global__ void k(int *p) { int x; asm(\"mma.sync.sparse %0;\" : \"=r\"(x)); p[0] = x; }";
    let run = reconverge(&["run", "-", "--input-format", "cuda", "--arg", "p=i32[1]"], text.as_bytes());
    assert_eq!(run.status, 2);
    assert!(run.stderr.contains("`mma.sync.sparse` in inline assembly"), "{}", run.stderr);
    assert!(run.stderr.starts_with("reconverge: <stdin>:1:36:"), "{}", run.stderr);
    let in_memory = "__global__ void k(int *p) { asm(\"mov.sparse %0, 1;\" : \"=m\"(p[0])); }";
    let check = reconverge(&["check", "-", "--input-format", "cuda", "-v"], in_memory.as_bytes());
    assert_eq!(check.status, 0, "{}", check.stderr);
    assert!(check.stderr.contains("mov.sparse"), "{}", check.stderr);
}

/// A constraint that is none costs its statement.
#[test]
fn constraints_that_are_none_are_no_ir() {
    let wrong = ["\"\"(p[0])", "\"é\"(p[0])", "\"=\"(p[0])", "\"=r\"(p[0]) : \"{\"(1)", "\"=r\"(p[0]) : : \"a\\\"b\""];
    for operands in wrong {
        let text = format!("__global__ void k(int *p) {{ asm(\"some.thing %0;\" : {operands}); p[1] = 2; }}");
        let check = reconverge(&["check", "-", "--input-format", "cuda", "--frontend", "builtin"], text.as_bytes());
        assert_eq!(check.status, 0, "{operands}: {}", check.stderr);
        assert!(check.stderr.contains("1 of 1 kernel analysed with unknowns"), "{operands}: {}", check.stderr);
    }
}

const MATRICES: &str = r#"
__device__ void multiply(float d[2], unsigned a, unsigned b) {
  asm volatile("mma.sync.aligned.m8n8k16.row.col.f32 {%0, %1}, {%2}, {%3}, {%0, %1};" : "+f"(d[0]), "+f"(d[1]) : "r"(a), "r"(b));
}
__global__ void together(float *p, const unsigned *q) {
  float d[2] = {0, 0};
  for (int i = 0; i < 4; i++) multiply(d, q[threadIdx.x], q[i]);
  p[threadIdx.x] = d[0] + d[1];
}
__global__ void apart(float *p, const unsigned *q) {
  float d[2] = {0, 0};
  if (threadIdx.x % 2 == 0) multiply(d, q[threadIdx.x], q[0]);
  p[threadIdx.x] = d[0];
}
__global__ void others(unsigned *p, const unsigned *q) {
  unsigned place;
  asm("bfind.u32 %[to], %[from];" : [to] "=r"(place) : [from] "r"(q[threadIdx.x]));
  asm volatile("{ .reg .pred p;\n again: mbarrier.test_wait.shared.b64 p, [%0], %1; @p bra done; bra again; done: }" : : "r"(place), "n"(7) : "memory");
  if (place > 3) asm volatile("cp.async.wait_all;" ::: "memory");
  p[threadIdx.x] = place;
}
"#;

/// From source, and in the IR that is made of it, which LLVM takes.
#[test]
fn what_all_threads_of_a_warp_have_to_execute_is_found_in_a_branch() {
    let folder = Folder::with(&[("k.cu", MATRICES)]);
    let found = folder.run_here(&["check", "k.cu", "--short"]);
    assert!(!found.stderr.contains("unknown"), "{}", found.stderr);
    assert_eq!(found.stdout.matches("[RC0").count(), 1, "{}", found.stdout);
    assert!(found.stdout.contains("k.cu:12") && found.stdout.contains("`mma.sync.aligned.m8n8k16"), "{}", found.stdout);
    let lowered = folder.run_here(&["lower", "k.cu", "-o", "k.ll"]);
    assert_eq!(lowered.status, 0, "{}", lowered.stderr);
    let ir = folder.read("k.ll");
    let calls = [
        r#"asm sideeffect "mma.sync.aligned.m8n8k16.row.col.f32 {$0, $1}, {$2}, {$3}, {$0, $1};", "=f,=f,r,r,0,1"(i32"#,
        r#"asm "bfind.u32 $0, $1;", "=r,r"(i32"#,
        r#", "r,n,~{memory}"(i32 %"#,
    ];
    for call in calls {
        assert!(ir.contains(call), "{call}: {ir}");
    }
    let found = folder.run_here(&["check", "k.ll", "--short"]);
    assert_eq!(found.stdout.matches("[RC0").count(), 1, "{}", found.stdout);
    if installed("opt-22") {
        let mut verifier = std::process::Command::new("opt-22");
        let status = verifier.args(["-passes=verify", "-disable-output"]).arg(folder.path("k.ll")).status();
        assert!(status.is_ok_and(|status| status.success()), "{ir}");
    }
    let not_marked = r#"target triple = "nvptx64-nvidia-cuda"
        define ptx_kernel void @k() {
          call void asm sideeffect "wgmma.fence.sync.aligned;", ""()
          call void asm sideeffect "cp.async.wait_all;", ""()
          ret void
        }"#;
    let found = reconverge(&["check", "-", "--short"], not_marked.as_bytes());
    assert_eq!(found.stdout.matches("[RC0").count(), 1, "{}", found.stdout);
    assert!(found.stdout.contains("warning[RC0406]"), "{}", found.stdout);
}

#[test]
fn instructions_in_ir_compute_what_ptx_says() {
    let arguments = ["run", IR, "--kernel", "computes", "--block", "32", "--arg", "a=5", "--arg", "out=u32[32]"];
    let run = reconverge(&[&arguments[..], &["--format", "json"]].concat(), b"");
    assert_eq!(run.status, 0, "{}", run.stderr);
    let found: Value = serde_json::from_str(&run.stdout).expect("JSON");
    let expected: Vec<u64> = (0..32)
        .map(|lane: u64| {
            let sum = |lane: u64| 3 * lane + 5;
            let next = if lane == 31 { sum(31) } else { sum(lane + 1) };
            let large = if lane > 20 { 2 } else { 1 };
            next + 1000 * large + 10_000 * 0xf + 1_000_000 * 4 + 1
        })
        .collect();
    let out: Vec<u64> = found["buffers"]["out"].as_array().expect("a list").iter().filter_map(Value::as_u64).collect();
    assert_eq!(out, expected);
    let operations: Vec<&str> =
        found["events"].as_array().expect("a list").iter().filter_map(|event| event["op"].as_str()).collect();
    let expected =
        ["@llvm.nvvm.shfl.sync.down.i32", "@llvm.nvvm.vote.ballot.sync", "@llvm.nvvm.barrier.cta.sync.aligned.all"];
    assert_eq!(operations, expected);
}

#[test]
fn a_barrier_in_assembly_of_ir_is_one() {
    let found = reconverge(&["check", IR], b"");
    assert_eq!(found.status, 0, "{}", found.stderr);
    let findings: Vec<&str> = found.stdout.lines().filter(|line| line.contains("[RC")).collect();
    assert!(
        matches!(findings[..], [one] if one.starts_with("warning[RC0209]") && one.contains("bar.sync in @waits")),
        "{findings:#?}"
    );
    let direct = std::fs::read_to_string(crate::common::root().join(IR))
        .expect("it is a file")
        .replace("call void @waits()", "call void asm sideeffect \"bar.sync 0;\", \"\"()");
    let found = reconverge(&["check", "-"], direct.as_bytes());
    assert!(
        found.stdout.contains("warning[RC0209]: bar.sync in divergent control flow if %id differs"),
        "{}",
        found.stdout
    );
    assert!(found.stdout.contains("warning[RC0406]: threads communicate in bar.sync"), "{}", found.stdout);
    let run = reconverge(&["run", IR, "--kernel", "half", "--block", "64"], b"");
    assert!(run.stdout.contains("RC0501") && run.stdout.contains("threads 32-63"), "{}", run.stdout);
}

#[test]
fn values_of_assembly_in_ir_are_as_uniform_as_what_they_are_computed_of() {
    let found = reconverge(&["uniformity", IR, "--format", "json"], b"");
    let found: Value = serde_json::from_str(&found.stdout).expect("JSON");
    let functions = found["files"][0]["functions"].as_array().expect("a list");
    let divergent = |name: &str| -> Vec<&str> {
        let function = functions.iter().find(|one| one["name"] == name).expect("it is there");
        let values = function["values"]["divergent"].as_array().expect("a list");
        values.iter().filter_map(Value::as_str).collect()
    };
    let computed = divergent("@computes");
    for name in ["%lane", "%sum", "%large", "%next"] {
        assert!(computed.contains(&name), "{name}: {computed:?}");
    }
    for name in ["%votes", "%mask", "%count", "%bits"] {
        assert!(!computed.contains(&name), "{name}: {computed:?}");
    }
    assert_eq!(divergent("@half"), ["%id", "%low"]);
    assert!(divergent("@whole").is_empty());
}

#[test]
fn validate_sees_a_barrier_in_assembly_that_is_gone() {
    let before = std::fs::read_to_string(crate::common::root().join(IR)).expect("it is a file");
    let after = before.replace("call void asm sideeffect \"bar.sync 0;\", \"\"() convergent", "");
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("after.ll");
    std::fs::write(&path, after).expect("it is written");
    let found = reconverge(&["validate", IR, path.to_str().expect("UTF-8"), "--kernel", "whole", "--runs", "20"], b"");
    assert_eq!(found.status, 1, "{}{}", found.stdout, found.stderr);
    let same = reconverge(&["validate", IR, IR, "--kernel", "computes", "--runs", "20"], b"");
    assert_eq!(same.status, 0, "{}{}", same.stdout, same.stderr);
}

/// A macro of a header that is not there, in a template: what is written may be anything, and what is done with it is found.
#[test]
fn macros_in_templates() {
    let text = "#include \"elsewhere.h\"\n__global__ void k(int *p) {\n  int x;\n  asm(\"{\" LOAD \" %0, [%1];}\" : \"=r\"(x) : \"l\"(p));\n  if (x) __syncthreads();\n  *p = x;\n}\n";
    let folder = Folder::with(&[("k.cu", text)]);
    let run = folder.run_here(&["check", "k.cu", "--frontend", "builtin"]);
    assert_eq!(run.status, 0, "{run:?}");
    assert!(
        run.stdout
            .starts_with("warning[RC0202]: `__syncthreads` in divergent control flow if a value of line 4 differs"),
        "{run:?}"
    );
    assert!(run.stderr.contains("line 4: nothing says what `LOAD` is in inline assembly"), "{run:?}");
    let run = folder.run_here(&["run", "k.cu", "--frontend", "builtin"]);
    assert_eq!(run.status, 2, "{run:?}");
    assert!(run.stderr.contains("k.cu:4:11: nothing says what `LOAD` is"), "{run:?}");
}
