//! What `run` says of source, in the words of the source.

use crate::common::{Run, reconverge};

fn run(language: &str, text: &str, more: &[&str]) -> Run {
    let arguments = ["run", "-", "--input-format", language, "--frontend", "builtin"];
    reconverge(&[&arguments, more].concat(), text.as_bytes())
}

const LOCK: &str = "__global__ void k(int *lock, int *count) {
  while (atomicCAS(lock, 0, 1) != 0) { }
  *count += 1;
  atomicExch(lock, 0);
}
";

/// Threads of a warp go on independently from sm_70 on.
#[test]
fn a_lock_among_threads_of_a_warp() {
    let arguments = ["--block", "2", "--arg", "lock=i32[1]", "--arg", "count=i32[1]"];
    let since = "from sm_70 on, all threads make progress as under --schedule fair";
    let newer = run("cuda", LOCK, &arguments);
    assert!(newer.stdout.contains("warning[RC0502]") && newer.stdout.contains(since), "{newer:?}");
    assert_eq!(newer.status, 0, "{newer:?}");
    let older = run("cuda", LOCK, &[&arguments[..], &["--arch", "sm_60"]].concat());
    assert!(older.stdout.contains("error[RC0502]") && older.stdout.contains("before sm_70 this hangs"), "{older:?}");
    assert_eq!(older.status, 1, "{older:?}");
    let amd = run("hip", LOCK, &arguments);
    assert!(amd.stdout.contains("error[RC0502]") && !amd.stdout.contains("sm_70"), "{amd:?}");
    // Of IR, the processor that it is compiled for.
    let ir = std::fs::read_to_string(crate::common::root().join("examples/run-spin-lock.ll")).expect("it is there");
    let of_ir = |ir: &str| {
        reconverge(
            &[&["run", "-"], &["--block", "2", "--arg", "lock=u32[1]", "--arg", "count=u32[1]"][..]].concat(),
            ir.as_bytes(),
        )
    };
    assert!(of_ir(&ir).stdout.contains("warning[RC0502]"));
    let older = ir.replacen(") {", ") \"target-cpu\"=\"sm_61\" {", 1);
    assert!(of_ir(&older).stdout.contains("error[RC0502]"));
}

#[test]
fn calls_that_lead_to_a_finding() {
    let text = "__device__ void wait(int n) { if (threadIdx.x < n) __syncthreads(); }
__device__ void outer(int n) {
  wait(n);
}
__global__ void k() {
  outer(3);
}
";
    let found = run("cuda", text, &["--block", "8"]);
    for said in ["------- `wait` is called here", "-------- `outer` is called here"] {
        assert!(found.stdout.contains(said), "{said}: {found:?}");
    }
}

#[test]
fn words_of_the_source() {
    let text = "#include <cooperative_groups.h>
namespace cg = cooperative_groups;
extern __shared__ int sh[];
__global__ void undefined(int *a) { int x; if (x > 3) a[0] = 1; }
__global__ void grid(int *a) { cg::this_grid().sync(); }
__global__ void shared(int *a) { a[0] = sh[threadIdx.x]; }
__global__ void lambda(int *a) { auto f = [&](int i) { a[i] = 1; __syncthreads(); }; if (threadIdx.x < 3) f(0); }
__global__ void second(int *a) { if (blockIdx.x == 1 && threadIdx.x < 3) __syncthreads(); }
";
    let said = |kernel: &str| {
        let run = run("cuda", text, &["--kernel", kernel, "--grid", "2", "--block", "8", "--arg", "a=i32[8]"]);
        format!("{}{}", run.stdout, run.stderr)
    };
    let shown = [
        (
            "undefined",
            "error[RC0506]: a branch depends on a value that is undefined: a variable that was not initialised",
        ),
        ("grid", "this call is not supported: a barrier of the whole grid"),
        ("shared", "the size of `sh` is up to the launch: give it with --arg sh=u32[N]"),
        ("lambda", "= help: in a lambda; "),
        ("second", "[RC0501]: threads 11-15 of thread block 1 never reach this barrier"),
    ];
    for (kernel, expected) in shown {
        let said = said(kernel);
        assert!(said.contains(expected), "{kernel}: {said}");
        for word in ["poison", "lambda.", "cudaCG", "local memory"] {
            assert!(!said.contains(word), "{kernel} says {word}: {said}");
        }
    }
}
