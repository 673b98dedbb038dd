//! Where a barrier is recommended that orders two accesses.

use crate::common::reconverge;

/// A race is said with where a barrier can stand: all threads have to reach it, and one in a loop may be too few.
#[test]
fn a_barrier_is_recommended_where_it_can_stand() {
    let source = "__global__ void branch(int *out) {
  __shared__ int s[64];
  int t = threadIdx.x;
  if (t < 32) s[t] = t;
  else out[t] = s[t - 32];
}
__global__ void loop(int *out) {
  __shared__ int s[64];
  int t = threadIdx.x;
  for (int i = 0; i < 3; i++) {
    s[t] = i;
    __syncthreads();
    out[t] += s[63 - t];
  }
}
__global__ void warp(int *out) {
  __shared__ int s[64];
  int t = threadIdx.x;
  s[t] = t;
  if (t < 32) out[t] = s[t ^ 1];
}
";
    let help = |kernel: &str| {
        let run = reconverge(
            &["run", "-", "--input-format", "cuda", "--kernel", kernel, "--block", "64", "--arg", "out=i32[64]"],
            source.as_bytes(),
        );
        assert!(run.status == 1 && run.stdout.contains("error[RC0507]"), "{run:?}");
        run.stdout
    };
    let where_to = "where all threads of the thread block reach it";
    for (kernel, said) in [
        (
            "branch",
            format!(
                "help: divide the branch in two, and put `__syncthreads()` between them, {where_to}, or use atomic operations\n"
            ),
        ),
        (
            "loop",
            format!(
                "help: put `__syncthreads()` at the end of the loop body, too, {where_to}, or use atomic operations\n"
            ),
        ),
        ("loop", "--------------- orders the two in one iteration, and not from one to the next\n".to_owned()),
        (
            "warp",
            format!(
                "help: put `__syncthreads()` between the two, {where_to} (`__syncwarp()` is enough where only threads of one warp race), or use atomic operations\n"
            ),
        ),
    ] {
        let shown = help(kernel);
        assert!(shown.contains(&said), "{said}{shown}");
    }
    // A barrier orders the memory that it names.
    let source = "kernel void k(global int *a) { int i = get_local_id(0); a[i] = i; a[i + 64] = a[i ^ 1]; }\n";
    let arguments = ["run", "-", "--input-format", "cl", "--block", "64", "--arg", "a=i32[128]"];
    let run = reconverge(&arguments, source.as_bytes());
    assert!(run.stdout.contains("help: put `barrier(CLK_GLOBAL_MEM_FENCE)` between the two"), "{run:?}");
}

/// A variable of a function is looked at in the kernels that call it.
#[test]
fn what_a_function_shares_is_looked_at() {
    let source = "__device__ int exchange(int v, int with) {
  __shared__ int s[256];
  s[threadIdx.x] = v;
  BARRIER
  return s[threadIdx.x ^ with];
}
__global__ void k(int *a) { a[threadIdx.x] = exchange(a[threadIdx.x], 1); }
";
    let found = |barrier: &str| {
        let text = source.replace("BARRIER", barrier);
        let run = reconverge(&["check", "-", "--input-format", "cuda", "--frontend", "builtin"], text.as_bytes());
        run.stdout.contains("<stdin>:5:10") && run.stdout.contains("warning[RC0212]")
    };
    assert!(found(""));
    assert!(!found("__syncthreads();"));
}
