//! Trees of projects as they lie on a disk: which files are read as what, and where their headers are.

use expect_test::expect;

use crate::common::{Folder, Run, installed, reconverge};

fn check(folder: &Folder, inputs: &[&str]) -> Run {
    folder.run(&[&["check", "--frontend", "builtin", "--short"], inputs].concat())
}

const BARRIER: &str = "#pragma once
#define SYNC __syncthreads()
#define KERNEL extern \"C\" __global__ void
";

const KERNEL: &str = "#include \"core/sync.h\"
KERNEL k(int *out) {
  if (threadIdx.x < 7)
    SYNC;
  out[threadIdx.x] = 1;
}
";

/// A header is where its project keeps headers, without `-I`.
#[test]
fn headers_of_a_project_are_found() {
    for place in ["include/core/sync.h", "src/core/sync.h", "core/sync.h", "libraries/one/api/core/sync.h"] {
        let folder = Folder::with(&[(place, BARRIER), ("src/gpu/k.cu", KERNEL)]);
        let run = check(&folder, &["DIR"]);
        assert_eq!(run.stdout.matches("[RC0201]").count(), 1, "{place}: {run:?}");
        assert!(run.stdout.starts_with("src/gpu/k.cu:4:5: "), "{place}: {run:?}");
        assert!(!run.stderr.contains("not found"), "{place}: {run:?}");
    }
}

/// So it is for a file of the folder that a user works in, however it is named.
#[test]
fn headers_are_found_from_where_a_user_works() {
    let folder = Folder::with(&[("include/core/sync.h", BARRIER), ("k.cu", KERNEL)]);
    for name in ["k.cu", "./k.cu", "."] {
        let run = folder.run_here(&["check", "--frontend", "builtin", "--short", name]);
        assert_eq!(run.stdout.matches("k.cu:4:5: error[RC0201]").count(), 1, "{name}: {run:?}");
    }
}

/// Of two headers that may be meant, none is, and none that lies outside of the project.
#[test]
fn what_may_be_another_header_is_not_taken() {
    let two = Folder::with(&[("one/api/core/sync.h", BARRIER), ("two/api/core/sync.h", BARRIER), ("k.cu", KERNEL)]);
    let outside = Folder::with(&[("include/core/sync.h", BARRIER), ("project/k.cu", KERNEL)]);
    for (folder, input) in [(&two, "DIR"), (&outside, "DIR/project")] {
        let run = check(folder, &[input]);
        assert_eq!(run.stdout, "", "{input}: {run:?}");
        assert!(run.stderr.contains("1 header was not found"), "{input}: {run:?}");
    }
    // A repository is a project, whatever of it is checked.
    outside.write(".git/HEAD", "ref: refs/heads/main\n");
    assert_eq!(check(&outside, &["DIR/project/k.cu"]).stdout.matches("[RC0201]").count(), 1);
}

/// Headers that systems have are not those of a project that have their names.
#[test]
fn a_header_of_the_system_is_none_of_the_project() {
    let wrong = "#define SYNC\n";
    let text = "#include <string.h>\n#include <algorithm>\n#include <math.h>
#ifndef SYNC
#define SYNC __syncthreads()
#endif
__global__ void k(int *out) {
  if (threadIdx.x < 7)
    SYNC;
}
";
    let names = ["src/string.h", "src/algorithm", "src/math.h"];
    let mut files = names.map(|name| (name, wrong)).to_vec();
    files.push(("src/k/k.cu", text));
    let run = check(&Folder::with(&files), &["DIR"]);
    assert_eq!(run.stdout.matches("[RC0209]").count(), 1, "{run:?}");
}

/// Kernels are where the names of files say C++, too.
#[test]
fn kernels_in_files_of_cpp_are_read() {
    let kernel = "__global__ void k(int *out) {\n  if (threadIdx.x < 7)\n    __syncthreads();\n}\n";
    let hip = format!("#include <hip/hip_runtime.h>\n{kernel}");
    let in_header = "#include <hip/hip_runtime.h>\n#include \"k.hpp\"\nint main() { hipLaunchKernelGGL(k, 1, 64, 0, 0, nullptr); }\n";
    let host = "#include <vector>\nint main() { std::vector<int> all; return all.size(); }\n";
    let folder = Folder::with(&[
        ("a.hip.cpp", &hip),
        ("b.cc", kernel),
        ("c.cpp", host),
        ("d/d.cpp", in_header),
        ("d/k.hpp", kernel),
    ]);
    let run = check(&folder, &["DIR"]);
    let places: Vec<&str> =
        run.stdout.lines().filter_map(|line| line.split_once(": ")).map(|(place, _)| place).collect();
    expect![[r#"
        [
            "a.hip.cpp:4:5",
            "b.cc:3:5",
            "d/k.hpp:3:5",
        ]
    "#]]
    .assert_debug_eq(&places);
    assert_eq!(run.status, 1, "{run:?}");
}

/// What is not understood in the arguments of an attribute costs these.
#[test]
fn bounds_that_are_not_understood_leave_the_kernel() {
    let text = "template <class T> __global__ static __launch_bounds__(decltype(size(T{}))::value) void k(T *p) {
  if (threadIdx.x < 3)
    __syncthreads();
}
";
    let run = check(&Folder::with(&[("k.cu", text)]), &["DIR"]);
    assert!(run.stdout.starts_with("k.cu:3:5: "), "{run:?}");
}

/// A project with the commands that its files are compiled with: what is in them is used, and nothing in them is run.
#[test]
fn commands_of_a_project_say_how_files_are_read() {
    let kernel = "#include <conf.h>\n#ifndef EXTRA\n#error no EXTRA\n#endif\n__global__ void k(int *p) {\n  if (threadIdx.x < LIMIT)\n    __syncthreads();\n  p[0] = EXTRA + __CUDA_ARCH__;\n}\n";
    let commands = r#"[
        {"directory": ".", "file": "../src/a.cu", "command": "nvcc --options-file inc.rsp \"-DEXTRA=3\" -arch=sm_80 -fplugin=./no.so -Xclang -load -include first.h -c ../src/a.cu"},
        {"directory": ".", "file": "../src/a.cu", "arguments": ["nvcc", "-DEXTRA=4"]}
    ]"#;
    let folder = Folder::with(&[
        ("src/a.cu", kernel),
        ("inc/conf.h", "#define LIMIT SEVEN\n"),
        ("build/first.h", "#define SEVEN 7\n"),
        ("build/compile_commands.json", commands),
        ("build/inc.rsp", "-I../inc -I 'no such folder'"),
        ("broken/compile_commands.json", "[{\"directory\": 3}]"),
        ("quotes/compile_commands.json", "[{\"directory\": \".\", \"file\": \"a.cu\", \"command\": \"nvcc 'a\"}]"),
    ]);
    let path = |name: &str| folder.path(name).display().to_string();
    let run = |arguments: &[&str]| reconverge(arguments, b"");
    let (file, build) = (path("src/a.cu"), path("build"));
    let known = run(&["run", &file, "-p", &build, "--frontend", "builtin", "--arg", "p=i32[1]"]);
    assert!(known.stdout.starts_with("p = i32[1]{803}"), "{known:?}");
    let newer = run(&["run", &file, "-p", &build, "--arch", "sm_90", "--frontend", "builtin", "--arg", "p=i32[1]"]);
    assert!(newer.stdout.starts_with("p = i32[1]{903}"), "{newer:?}");
    // By clang the finding is the same, with the same severity.
    for frontend in ["builtin", "clang"].into_iter().take(1 + usize::from(installed("clang-22"))) {
        let found = run(&["check", &file, "-p", &build, "--frontend", frontend, "--short"]);
        assert_eq!(found.status, 1, "{found:?}");
        assert!(found.stdout.contains("a.cu:7:5: error[RC0201]"), "{found:?}");
    }
    for (folder, reason) in
        [("nowhere", "cannot be read"), ("broken", ":1:16: is no list of commands: invalid type: integer `3`")]
    {
        let refused = run(&["check", &file, "-p", &path(folder)]);
        assert_eq!(refused.status, 2, "{refused:?}");
        assert!(refused.stderr.contains(reason), "{refused:?}");
    }
    // One command that is none costs the flags of its file.
    let alone = run(&["check", &file, "-p", &path("quotes"), "--frontend", "builtin", "--short"]);
    assert_eq!((alone.status, alone.stdout.contains("warning[RC0202]")), (0, true), "{alone:?}");
    assert!(alone.stderr.contains("command 1 cannot be read: expected `arguments`"), "{alone:?}");
    let refused = run(&["check", &file, "--arch", "sm_8000"]);
    assert_eq!(
        (refused.status, refused.stderr.contains("expected a processor such as sm_80")),
        (2, true),
        "{refused:?}"
    );
}

/// A file whose kernels are all behind a name that the build defines has them, and says so; where that makes it no program, they are left out, and that is said.
#[test]
fn names_that_builds_define_are_taken_to_be_defined() {
    let guarded = |kernel: &str| format!("#include \"core/sync.h\"\n#ifdef USE_CUDA\n{kernel}#endif\n");
    let kernel =
        "KERNEL k(int *out) {\n  if (threadIdx.x < 7)\n    SYNC;\n  out[threadIdx.x] = 1;\n}\n__global__ void j() {}\n";
    let files = [(".git/HEAD", ""), ("include/core/sync.h", BARRIER), ("src/k.cu", &guarded(kernel))];
    let folder = Folder::with(&files);
    let alone = check(&folder, &["DIR/src/k.cu"]);
    assert!(alone.stdout.starts_with("src/k.cu:5:5: error[RC0201]"), "{alone:?}");
    assert!(
        alone.stderr.contains("k.cu: `USE_CUDA` is taken to be defined: without it there are no kernels (line 2)"),
        "{alone:?}"
    );
    folder.write("src/other.cu", &guarded("KERNEL k() { SYNC; }\n").replace("#ifdef USE_CUDA", "#if WITH_GPU"));
    let both = check(&folder, &["DIR"]);
    let said = "`USE_CUDA` and `WITH_GPU` are taken to be defined, in 2 files that would have no kernels";
    assert!(both.stderr.contains(said), "{both:?}");
    let json = folder.run(&["check", "--frontend", "builtin", "--format", "json", "DIR/src/k.cu"]);
    assert!(json.stdout.contains(r#""name": "USE_CUDA""#), "{json:?}");
    // What is taken to be defined is defined for clang, too.
    if installed("clang-22") {
        let flags = ["check", "--frontend", "clang", "--short", "DIR/src/k.cu", "-I", "DIR/include"];
        let found = folder.run(&flags);
        assert!(found.stdout.starts_with("src/k.cu:5:5: error[RC0201]"), "{found:?}");
    }
    let folder =
        Folder::with(&[("k.cl", "#ifdef FAST\nkernel void k() {\n#endif\nint twice(int x) { return 2 * x; }\n")]);
    let run = check(&folder, &["DIR/k.cl"]);
    assert_eq!(run.status, 0, "{run:?}");
    assert!(run.stderr.contains("k.cl: 1 kernel left out by conditionals (-v lists them)"), "{run:?}");
    let listed = folder.run(&["check", "--frontend", "builtin", "-v", "DIR/k.cl"]);
    assert!(
        listed.stderr.contains("k.cl:1:2: warning: 1 kernel left out, as nothing defines `FAST` (-D FAST reads it)"),
        "{listed:?}"
    );
}

/// What a host puts into OpenCL C may be whole statements, and declare what follows them uses.
#[test]
fn macros_of_a_host_may_be_statements() {
    let text = "kernel void k(global float *p, local float *q) {
  uint atom = get_global_id(0);
  LOAD_PARAMETERS
  if (p[atom] > 0) {
    COMPUTE_INTERACTION
  }
  STORE(atom)
  atom += 1;
  MOVE
  atom += 2;
  q[get_local_id(0)] = loaded;
  if (get_local_id(0) < 7)
    barrier(CLK_LOCAL_MEM_FENCE);
  p[atom] = q[0];
}
STATIC const __constant ulong table[2] = {1, 2};
ulong of(uint i, ulong j) { return table[i] + j; }
";
    let folder = Folder::with(&[("k.cl", text)]);
    let run = check(&folder, &["DIR/k.cl"]);
    assert_eq!(run.stdout.matches("[RC020").count(), 1, "{run:?}");
    assert!(run.stdout.starts_with("k.cl:13:5: "), "{run:?}");
    assert!(!run.stderr.contains("reconverge: "), "{run:?}");
    // A `;` that is missing is one.
    let folder = Folder::with(&[("k.cl", "kernel void k(global int *p) {\n  int x = 1;\n  x\n  p[0] = x;\n}\n")]);
    let run = check(&folder, &["DIR/k.cl"]);
    assert!(run.stderr.contains("k.cl:4:3: expected `;` after the expression"), "{run:?}");
}

/// The address of a function may be put where nothing says what is there.
#[test]
fn functions_in_variables_of_unknown_types_are_addresses() {
    for (name, text) in [
        ("f.cpp", "void f(int x) {}\nUnknown *g = &f;\nvoid use() { Unknown *l = &f; }\n"),
        ("f.cu", "__device__ void f(int x) {}\n__device__ Unknown *g = &f;\n__global__ void k(int *p) { g(p); }\n"),
    ] {
        let folder = Folder::with(&[(name, text)]);
        let run = check(&folder, &["DIR"]);
        assert_eq!((run.status, &*run.stdout), (0, ""), "{run:?}");
    }
}
