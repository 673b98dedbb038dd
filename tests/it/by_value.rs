//! Arguments that a kernel is given by value: what is in them is the same for all threads, unless one writes there, by whatever way it got the address.

use crate::common::reconverge;

const TYPES: &str = "
struct View { int n; int m; float *data; __device__ int size() const { return n; } };
struct Part { View *of; float *data; __device__ Part() {} __device__ Part(View *v, float *d) : of(v), data(d) {} __device__ float &at(int i) { return data[i * of->m]; } };
struct Box { Part part; int *numbers[2]; };
__device__ Part part(View &v, int i) { return Part(&v, v.data + i); }
__device__ int *number(View &v) { return &v.m - 1; }
__device__ View *kept;
extern \"C\" __device__ void elsewhere(View *);
";

/// Whether a barrier in a loop that ends at `in.size()` is warned of, after some statements.
fn is_warned_of(statements: &str) -> bool {
    let text = format!(
        "{TYPES}__global__ void k(View in, int x) {{ {statements}
          for (int i = 0; i < in.size(); i++) __syncthreads(); }}"
    );
    let run =
        reconverge(&["check", "-", "--input-format", "cuda", "--frontend", "builtin", "--short"], text.as_bytes());
    assert!(!run.stderr.contains("unknown"), "{statements}: {run:?}");
    run.stdout.contains("[RC0")
}

#[test]
fn an_address_that_is_only_read_through_changes_nothing() {
    for statements in [
        "",
        "Part p(&in, in.data); p.at(x) = 1;",
        "part(in, 3).at(threadIdx.x) += 2;",
        "Part p = part(in, x), q = p; q.data[threadIdx.x] = q.of->m; p = q; p.data++; *p.data = 1;",
        "Box b = {part(in, 1), {&x, &x}}; b.part.data[x] = 1; *b.numbers[1] = 3;",
        "Box b = {part(in, 1), {&x, &x}}; Box c; memcpy(&c, &b, sizeof(b)); c.part.data[x] = *c.numbers[0];",
        "View copy = in; View *to = &copy; to->n = threadIdx.x; x = copy.size();",
        "int sum = *number(in); in.data[0] = sum;",
        "const View &r = in; const int *p = x ? &r.n : &r.m; in.data[*p] = 1;",
    ] {
        assert!(!is_warned_of(statements), "{statements}");
    }
}

#[test]
fn what_may_write_there_is_found_wherever_the_address_went() {
    for statements in [
        "in.n = threadIdx.x;",
        "Part p(&in, in.data); p.of->n = threadIdx.x;",
        "part(in, 3).of->n = threadIdx.x;",
        "Part p = part(in, x), q(0, 0); q = p; q.of->n = threadIdx.x;",
        "*number(in) = threadIdx.x;",
        "int *p = x ? &in.n : &x; *p = threadIdx.x;",
        "Box b = {part(in, 1), {&in.n, &in.m}}; *b.numbers[x] = threadIdx.x;",
        "Box b = {part(in, 1), {&x, &x}}; Box c; memcpy(&c, &b, sizeof(b)); c.part.of->n = threadIdx.x;",
        "kept = &in; __syncthreads(); kept->n = threadIdx.x;",
        "elsewhere(&in);",
        "long at = (long)&in; ((View *)at)->n = threadIdx.x;",
        "View **p = (View **)in.data; *p = &in; (*p)->n = threadIdx.x;",
        "int *p = &in.m; for (int i = 0; i < x; i++) p--; *p = threadIdx.x;",
        "atomicAdd(&part(in, 0).of->n, (int)threadIdx.x);",
        "View copy = {(int)threadIdx.x, 0, 0}; memcpy(part(in, 0).of, &copy, sizeof(copy));",
    ] {
        assert!(is_warned_of(statements), "{statements}");
    }
}

/// Accessors of PyTorch are such arguments: their sizes are the same for all threads, and `run` finds the elements.
#[test]
fn accessors_of_pytorch() {
    let text = "#include <torch/extension.h>
        __global__ void k(torch::PackedTensorAccessor32<int, 2, torch::RestrictPtrTraits> t, at::PackedTensorAccessor64<int, 1> u, int *out) {
          for (int i = 0; i < t.size(0); i++) { __syncthreads(); t[i][threadIdx.x] += 1; }
          CUDA_KERNEL_LOOP(i, u.size(0)) { out[i] = u[i] * 10 + t[1][i] + WARP_SHFL_XOR((int)threadIdx.x, 1); }
        }";
    let check = |text: &str| {
        let run =
            reconverge(&["check", "-", "--input-format", "cuda", "--frontend", "builtin", "--short"], text.as_bytes());
        assert!(!run.stderr.contains("unknown"), "{run:?}");
        run.stdout
    };
    assert!(!check(text).contains("__syncthreads"), "{}", check(text));
    let written = check(&text.replace("__syncthreads();", "if (i == 0) t.sizes_[0] = threadIdx.x; __syncthreads();"));
    assert!(written.contains("__syncthreads"), "{written}");
    let run = reconverge(
        &["run", "-", "--input-format", "cuda", "--block", "2", "--arg", "data=i32[4]{1,2,3,4}", "--arg", "out=i32[2]"],
        "#include <torch/extension.h>
        __global__ void k(int *data, int *out) {
          at::PackedTensorAccessor32<int, 2> t = {data, {2, 2}, {2, 1}}; int i = threadIdx.x;
          out[i] = t[i][0] * 100 + t[1][i] * 10 + t.size(1) + t[i].size(0); }"
            .as_bytes(),
    );
    assert!(run.stdout.contains("out = i32[2]{134, 344}"), "{run:?}");
}
