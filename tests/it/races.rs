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

/// What a lock protects is ordered by the fences around it, as an atomic operation of CUDA orders nothing else.
#[test]
fn a_lock_takes_fences() {
    let source = "__global__ void add(int *out, const int *in) {
  __shared__ int lock, sum;
  if (threadIdx.x == 0) { lock = 0; sum = 0; }
  __syncthreads();
  for (bool done = false; !done;) {
    if (atomicCAS(&lock, 0, 1) == 0) {
      FENCE
      sum += in[threadIdx.x];
      FENCE
      atomicExch(&lock, 0);
      done = true;
    }
  }
  __syncthreads();
  if (threadIdx.x == 0) out[0] = sum;
}
";
    let arguments =
        ["run", "-", "--input-format", "cuda", "--block", "64", "--arg", "out=i32[1]", "--arg", "in=i32[64]{iota}"];
    let without = reconverge(&arguments, source.replace("FENCE", "").as_bytes());
    assert!(without.status == 1 && without.stdout.contains("error[RC0507]"), "{without:?}");
    let help =
        "; if a lock or a flag is to order the two: `__threadfence_block()` before it is set, and after it is seen\n";
    assert!(without.stdout.contains(help), "{without:?}");
    let with = reconverge(&arguments, source.replace("FENCE", "__threadfence_block();").as_bytes());
    assert!(with.status == 0 && with.stdout.contains("out = i32[1]{2016}"), "{with:?}");
}

/// The last of those that count themselves may read the count, and set it back, as atomic operations on a place are in an order.
#[test]
fn the_last_to_come_owns_the_count() {
    let source = "__global__ void k(int *out) {
  __shared__ unsigned count;
  if (threadIdx.x == 0) count = 0;
  __syncthreads();
  if (atomicAdd(&count, 1) == blockDim.x - 1) { out[0] = count; count = 0; }
  AGAIN
}
";
    let arguments = ["run", "-", "--input-format", "cuda", "--block", "64", "--arg", "out=i32[1]"];
    let once = reconverge(&arguments, source.replace("AGAIN", "").as_bytes());
    assert!(once.status == 0 && once.stdout.contains("out = i32[1]{64}"), "{once:?}");
    let twice = reconverge(&arguments, source.replace("AGAIN", "out[0] = count;").as_bytes());
    assert!(twice.status == 1 && twice.stdout.contains("error[RC0507]"), "{twice:?}");
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

/// How far apart the parts of warps are may be a parameter of the kernel: the host chooses it so that they do not overlap. What a matrix is loaded from is read at the call that the user wrote.
#[test]
fn parts_of_warps_that_the_host_keeps_apart() {
    let source = "#include <mma.h>
extern __shared__ half tiles[];
__global__ void k(const half *a, half *b, int rows, int each, int stride) {
  half *mine = tiles + threadIdx.x / 32 * APART;
  for (int i = 0; i < rows; i++)
    for (int j = threadIdx.x % 32; j < stride; j += 32) mine[i * stride + j] = a[i * stride + j];
  __syncwarp();
  for (int i = 0; i < rows; i += 16) {
    nvcuda::wmma::fragment<nvcuda::wmma::matrix_a, 16, 16, 16, half, nvcuda::wmma::row_major> tile;
    nvcuda::wmma::load_matrix_sync(tile, mine + i * stride, stride);
    b[i * 32 + threadIdx.x] = tile.x[0];
  }
}
";
    let said = |apart: &str| {
        let text = source.replace("APART", apart);
        let arguments = ["check", "-", "--input-format", "cuda", "--frontend", "builtin", "--short"];
        reconverge(&arguments, text.as_bytes()).stdout
    };
    assert_eq!(said("each"), "");
    let found = said("16");
    let wanted =
        "<stdin>:10:5: warning[RC0212]: `tiles` is read here and written by another thread of the thread block";
    assert!(found.starts_with(wanted) && found.lines().count() == 1, "{found}");
}
