//! Arguments that a kernel is given by value: what is in them is the same for all threads, unless one writes there, by whatever way it got the address.

use crate::common::reconverge;

const TYPES: &str = "
struct View { int n; int m; float *data; __device__ int size() const { return n; } };
struct Part { View *of; float *data; __device__ Part() {} __device__ Part(View *v, float *d) : of(v), data(d) {} __device__ float &at(int i) { return data[i * of->m]; } };
struct Box { Part part; int *numbers[2]; };
__device__ Part part(View &v, int i) { return Part(&v, v.data + i); }
__device__ int *number(View &v) { return &v.m - 1; }
__device__ View *kept;
__device__ void fill(View &v, const int &n) { v.n = n; v.m = 2; }
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

/// Whether a barrier is warned of in loops that end at what a pointer in `in` points to, after some statements.
fn is_pointer_warned_of(statements: &str) -> bool {
    let text = format!(
        "{TYPES}
        __device__ int first(const View &v) {{ return v.data[0]; }}
        __device__ int second(const View &v) {{ return v.data[1]; }}
        __device__ void wait(const View &v) {{ for (int i = 0; i < v.data[0]; i++) __syncthreads(); }}
        __device__ void pause(const View &v) {{ }}
        __device__ void put(View &v, float *p) {{ v.data = p; }}
        __global__ void k(View in, int x) {{ float mine[2] = {{(float)threadIdx.x, 0}}; {statements}
          for (int i = 0; i < first(in); i++) __syncthreads();
          wait(in); }}"
    );
    let run =
        reconverge(&["check", "-", "--input-format", "cuda", "--frontend", "builtin", "--short"], text.as_bytes());
    assert!(!run.stderr.contains("unknown"), "{statements}: {run:?}");
    run.stdout.contains("[RC0")
}

#[test]
fn a_pointer_is_no_address_of_a_thread_where_none_was_put() {
    for statements in [
        "",
        "auto f = [&](int i) { return in.data[i]; }; x = f(1);",
        "View o = {1, 2, mine}; x = second(o);",
        "const View o = {1, 2, mine}; auto f = [&] { return o.data[0] + in.data[1]; }; x = f();",
        "Box b = {part(in, 1), {&x, &x}}; b.part.data[x] = mine[0]; *b.numbers[1] = 2;",
        "View o = {1, 2, mine}; void (*f)(View &, float *) = x ? put : 0; f(o, mine);",
    ] {
        assert!(!is_pointer_warned_of(statements), "{statements}");
    }
}

#[test]
fn an_address_of_a_thread_is_found_wherever_it_was_put() {
    for statements in [
        "in.data = mine;",
        "put(in, mine);",
        "auto f = [&] { in.data = mine; }; f();",
        "Box b = {part(in, 1), {&x, &x}}; b.part.of->data = mine;",
        "View o = {1, 2, mine}; memcpy(&in, &o, sizeof(o));",
        "View o = {1, 2, mine}; char *to = (char *)&in; for (int i = 0; i < (int)sizeof(o); i++) to[i] = ((char *)&o)[i];",
        "float **q = x ? &in.data : 0; *q = mine;",
        "void (*f)(View &, float *) = x ? put : 0; f(in, mine);",
        "View o = {1, 2, mine}; void (*f)(const View &) = x ? wait : pause; f(o);",
    ] {
        assert!(is_pointer_warned_of(statements), "{statements}");
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

/// What objects in a thread's own memory hold is followed however many of them a function has, as far as the limit says.
#[test]
fn many_objects_in_one_function_are_followed() {
    let objects = |changed: &str| {
        let object = |at: usize| format!("View v{at}; fill(v{at}, x + {at}); x += v{at}.size();");
        let objects: String = (0..200).map(object).collect();
        format!("{objects} View last; fill(last, {changed}); int n = last.size(); if (n > 3) __syncthreads();")
    };
    assert!(!is_warned_of(&objects("x")));
    assert!(is_warned_of(&objects("threadIdx.x")));
}

/// Functions that return a part of what they are given are told apart by their calls: that another object is given to one changes nothing.
#[test]
fn parts_are_of_what_a_call_is_given() {
    let types = "struct Array { int data[4]; __device__ int &operator[](int i) { return data[i]; } __device__ const int &operator[](int i) const { return data[i]; } };
struct Shape { Array sizes, strides; __device__ const int &size(int i) const { return sizes[i]; } __device__ const int &last() const { return size(3); } };
__device__ const int &first_or_last(const Array &a, const Array &b, int x) { const int *p = &a[0]; if (x) p = &b[3]; return *p; }\n";
    let is_warned_of = |limit: &str| {
        let text = format!(
            "{types}__global__ void k(const Shape in, int x) {{ Array own; for (int i = 0; i < 4; i++) own[i] = threadIdx.x / in.strides[i];
               const Array &mine = own; x += mine[2] * 0; for (int i = 0; i < {limit}; i++) __syncthreads(); }}"
        );
        let arguments = ["check", "-", "--input-format", "cuda", "--frontend", "builtin", "--short"];
        let run = reconverge(&arguments, text.as_bytes());
        assert!(!run.stderr.contains("unknown"), "{limit}: {run:?}");
        run.stdout.contains("[RC0")
    };
    for limit in ["in.last()", "in.sizes[1]", "in.size(2)"] {
        assert!(!is_warned_of(limit), "{limit}");
    }
    for limit in ["mine[2]", "own[1]", "first_or_last(in.sizes, own, x)", "first_or_last(own, in.sizes, x)"] {
        assert!(is_warned_of(limit), "{limit}");
    }
}

/// In IR, a call may pass less than the function takes of which it returns a part.
#[test]
fn calls_that_pass_too_little() {
    let ir = "target triple = \"nvptx64-nvidia-cuda\"
define ptr @part(i32 %i, ptr %p) {
  %q = getelementptr i32, ptr %p, i64 1
  ret ptr %q
}
define ptr @outer(ptr %p) {
  %q = call ptr @part(i32 1)
  ret ptr %q
}
define ptx_kernel void @k(ptr byval([4 x i32]) %given) {
  %q = call ptr @part(i32 0)
  %r = call ptr @outer(ptr %given)
  %v = load i32, ptr %q
  %w = load i32, ptr %r
  ret void
}
";
    let run = reconverge(&["uniformity", "-", "--input-format", "ll"], ir.as_bytes());
    assert_eq!(run.status, 0, "{run:?}");
    assert!(run.stdout.contains("what @part returns may differ"), "{run:?}");
}
