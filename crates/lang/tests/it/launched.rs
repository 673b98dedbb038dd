//! The sizes of blocks in which a file launches its own kernels.

use std::path::Path;

use reconverge_lang::options::{Dialect, Options, SourceModel};
use reconverge_lang::translate::translate;

/// What is said of the kernel `k` in a file.
fn block(text: &str) -> Option<[u32; 3]> {
    let text = format!("template <class T> __global__ void k(T *a) {{}} __global__ void other() {{}}\n{text}");
    let translated = translate(Path::new("input"), text.into(), &Options::new(Dialect::Hip), SourceModel::default());
    let stated = translated.stated_blocks;
    stated.iter().find(|stated| stated.kernel == "k").map(|stated| stated.block)
}

/// The same of the body of a function.
fn in_function(body: &str) -> Option<[u32; 3]> {
    block(&format!("#define SIZE 128\nconst int N = 32;\nint global = 8;\nvoid go(int n, int *a) {{ {body} }}"))
}

#[test]
fn sizes_that_are_constant() {
    for (body, expected) in [
        ("k<<<n, 256>>>(a);", [256, 1, 1]),
        ("k<int><<<(n + 255) / 256, 256, 0, 0>>>(a);", [256, 1, 1]),
        ("k<<<n, SIZE>>>(a);", [128, 1, 1]),
        ("k<<<n, N>>>(a);", [32, 1, 1]),
        ("k<<<n, N * 2>>>(a);", [64, 1, 1]),
        ("k<<<dim3(n, n), dim3(16, 16)>>>(a);", [16, 16, 1]),
        ("dim3 block(N, 4, 2); dim3 grid(n); k<<<grid, block>>>(a);", [32, 4, 2]),
        ("dim3 block = dim3(8, 8); k<<<n, block>>>(a);", [8, 8, 1]),
        ("dim3 block{8, 8}; k<<<n, block>>>(a);", [8, 8, 1]),
        (
            "int threads = 256; int blocks = (n + threads - 1) / threads; printf(\"%d\", threads); k<<<blocks, threads>>>(a);",
            [256, 1, 1],
        ),
        ("const unsigned x = 0x10u; constexpr auto both = dim3(x, x); if (n) { k<<<n, both>>>(a); }", [16, 16, 1]),
        ("hipLaunchKernelGGL(k, dim3(n), dim3(64), 0, 0, a);", [64, 1, 1]),
        ("hipLaunchKernelGGL(HIP_KERNEL_NAME(k<int>), dim3(n), dim3(64, 2), 0, 0, a);", [64, 2, 1]),
        ("k<<<n, 64>>>(a); k<<<n + 1, dim3(64)>>>(a); other<<<1, 32>>>();", [64, 1, 1]),
        ("cudaFuncSetAttribute(k<int>, 8, 1000); k<<<n, 64>>>(a);", [64, 1, 1]),
    ] {
        assert_eq!(in_function(body), Some(expected), "{body}");
    }
}

#[test]
fn sizes_that_are_not() {
    for body in [
        "k<<<n, n>>>(a);",
        "k<<<n, 64>>>(a); k<<<n, 128>>>(a);",
        "k<<<n, 64>>>(a); k<<<n, n>>>(a);",
        "k<<<n, global>>>(a);",
        "k<<<n, n > 3 ? 64 : 32>>>(a);",
        "k<<<n, 2048>>>(a);",
        "k<<<n, 0>>>(a);",
        "int threads = 256; if (n < 9) threads = 32; k<<<n, threads>>>(a);",
        "int threads = 256; pick(threads); k<<<n, threads>>>(a);",
        "int threads = 256; occupancy(&threads); k<<<n, threads>>>(a);",
        "int threads = 256; threads /= 2; k<<<n, threads>>>(a);",
        "dim3 block(8); block.y = n; k<<<n, block>>>(a);",
        "dim3 block(8); { dim3 block(16); k<<<n, block>>>(a); }",
        "int threads; k<<<n, threads>>>(a);",
        "for (int threads = 32; threads < 99; threads *= 2) k<<<n, threads>>>(a);",
        "int N = n; k<<<n, N>>>(a);",
        "k<<<n, 64>>>(a); hipLaunchKernel(k<int>, n, 32, 0, 0);",
        "k<<<n, 64>>>(a); auto f = k<int>; f<<<n, 32>>>(a);",
        "k<<<n>>>(a);",
    ] {
        assert_eq!(in_function(body), None, "{body}");
    }
    // What a parameter is called, a constant outside does not say.
    assert_eq!(block("const int N = 32; void go(int N, int *a) { k<<<1, N>>>(a); }"), None);
    assert_eq!(block("void one(int *a) { k<<<1, 32>>>(a); } auto two(int *a) -> void { k<<<1, 64>>>(a); }"), None);
}

/// Whatever is missing or too much.
#[test]
fn damaged_texts() {
    let text = "void go(int n) { const int N = 2; dim3 b(N, 4); k<int><<<n, b>>>(a); hipLaunchKernelGGL(k, 1, dim3(2), 0, 0); }";
    for at in 0..text.len() {
        block(&text[..at]);
        block(&text[at..]);
        block(&format!("{}{}", &text[..at], &text[at + 1..]));
    }
}
