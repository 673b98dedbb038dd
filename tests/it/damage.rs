//! Files with something wrong in them: it costs the smallest piece, and what stands beside it is analysed.

use serde_json::Value;

use crate::common::{Folder, Run};

/// A kernel with a defect.
const KERNEL: &str = "__global__ void before(int *out) {
  if (threadIdx.x < 7)
    __syncthreads();
  out[threadIdx.x] = 1;
}
";

fn check(folder: &Folder, more: &[&str]) -> Run {
    folder.run(&[&["check", "--frontend", "builtin", "DIR"], more].concat())
}

/// What cannot be read as tokens or directives is lost with what it is a part of.
#[test]
fn what_is_not_read_by_the_preprocessor_costs_only_itself() {
    for (what, damage) in [
        ("a conditional that does not end", "#if 1\n__global__ void k() {}\n"),
        ("an end without a beginning", "#endif\n"),
        ("another branch without a beginning", "#else\n__global__ void k() {}\n"),
        ("no directive", "#inclde <x.h>\n"),
        ("an operator that makes no token", "#define JOIN(a, b) a##b\nint x = JOIN(+, /);\n"),
        ("a literal that does not end", "__global__ void k(char *out) {\n  out[0] = \"a;\n}\n"),
        ("a comment that does not end", "/* more\n"),
        ("a character of another language", "__global__ void k(int *out) {\n  out[0] = 1 \\ 2;\n}\n"),
        ("arguments of a macro that do not end", "#define CALL(x) x\nint main() { CALL(f(1); }\n"),
        ("too few arguments of a macro", "#define ADD(a, b) a + b\n__global__ void k(int *p) { *p = ADD(1); }\n"),
    ] {
        let text = format!("{KERNEL}{damage}");
        let run = check(&Folder::with(&[("k.cu", &text)]), &["--short"]);
        assert_eq!(run.status, 1, "{what}: {run:?}");
        assert!(run.stdout.starts_with("k.cu:3:5: error[RC0201]"), "{what}: {run:?}");
    }
    // Bytes that are no text are damage like any other.
    let folder = Folder::with(&[]);
    let text = [KERNEL.as_bytes(), b"__global__ void k(int *out) {\n  \x96 out[0] = 1;\n}\n"].concat();
    std::fs::write(folder.path("k.cu"), text).expect("a file");
    assert!(check(&folder, &["--short"]).stdout.starts_with("k.cu:3:5: error[RC0201]"));
}

/// The functions after an invocation that does not end are there.
#[test]
fn a_parenthesis_that_is_missing_costs_a_block() {
    let text = format!("#define CALL(x) x\nint main() {{\n  CALL(f(1, {{2}});\n  return 0;\n}}\n{KERNEL}");
    let run = check(&Folder::with(&[("k.cu", &text)]), &["--short"]);
    assert!(run.stdout.starts_with("k.cu:8:5: error[RC0201]"), "{run:?}");
}

const OPENCL: &str = "kernel void one(global int *out) {
  if (get_local_id(0) < 3)
    barrier(CLK_LOCAL_MEM_FENCE);
  out[0] = 1;
}
kernel void two(global int *out) {
  out[0] = ;
}
";

/// An OpenCL file that is no program cannot be used as a whole, but its errors leave other kernels alone.
#[test]
fn kernels_beside_an_error_are_checked() {
    let folder = Folder::with(&[("k.cl", OPENCL)]);
    let run = check(&folder, &["--short"]);
    assert_eq!(run.status, 2, "{run:?}");
    assert!(run.stdout.starts_with("k.cl:3:5: error[RC0201]"), "{run:?}");
    assert!(run.stderr.contains("k.cl:7:12: expected an expression, found `;`"), "{run:?}");

    let json: Value = serde_json::from_str(&check(&folder, &["--format", "json"]).stdout).expect("JSON");
    let file = &json["files"][0];
    assert_eq!((&file["error"]["line"], &file["diagnostics"][0]["code"]), (&7.into(), &"RC0201".into()));
    let sarif: Value = serde_json::from_str(&check(&folder, &["--format", "sarif"]).stdout).expect("JSON");
    let run = &sarif["runs"][0];
    assert_eq!(run["results"].as_array().map(Vec::len), Some(1));
    assert_eq!(run["invocations"][0]["executionSuccessful"], false);

    for verb in ["uniformity", "cycles", "regions"] {
        let run = folder.run(&[verb, "--frontend", "builtin", "DIR", "--format", "json"]);
        let json: Value = serde_json::from_str(&run.stdout).expect("JSON");
        assert_eq!((run.status, &json["files"][0]["error"]["line"]), (2, &7.into()), "{verb}: {run:?}");
        assert_eq!(json["files"][0]["functions"].as_array().map(Vec::len), Some(2), "{verb}: {run:?}");
    }
}

/// What is executed or written anew is a program.
#[test]
fn a_file_with_an_error_is_not_executed() {
    let folder = Folder::with(&[("k.cl", OPENCL)]);
    for arguments in [&["run", "DIR/k.cl", "--kernel", "one"][..], &["lower", "DIR/k.cl", "-o", "-"]] {
        let run = folder.run(&[arguments, &["--frontend", "builtin"]].concat());
        assert_eq!((run.status, &*run.stdout), (2, ""), "{arguments:?}: {run:?}");
        assert!(run.stderr.contains("expected an expression"), "{arguments:?}: {run:?}");
    }
}

/// C++ includes OpenCL C as the text of a literal; `.opencl` and `.ocl` are names of it.
#[test]
fn opencl_in_a_literal_of_cpp() {
    let text = format!("// Included by the host.\nR\"(\n{OPENCL})\"\n").replace("= ;", "= 2;");
    let delimited = text.replace("R\"(", "R\"%%(").replace(")\"", ")%%\"");
    assert_ne!(text, delimited);
    let files = [("one.opencl", &*text), ("two.ocl", &text), ("three.cl", &delimited)];
    let run = check(&Folder::with(&files), &["--short"]);
    assert_eq!(run.status, 1, "{run:?}");
    assert_eq!(run.stdout.matches(":5:5: error[RC0201]").count(), 3, "{run:?}");
}

/// A text of another language is not a program without kernels.
#[test]
fn what_is_not_understood_at_all_cannot_be_used() {
    let text = "def kernel(out):\n  for i in range(10):\n    out[i] = 1\n";
    let run = check(&Folder::with(&[("k.cu", text)]), &[]);
    assert_eq!(run.status, 2, "{run:?}");
    assert!(run.stderr.starts_with("reconverge: k.cu:1:16: nothing in this file is understood: "), "{run:?}");
    // A header that is not there may say what it means, and the host's part of a program has no kernels.
    for text in ["#include \"cases.h\"\nDECLARE_CASE(64);\n", "int main() { return 0; }\nstruct S { ~~~ };\n"] {
        let run = check(&Folder::with(&[("k.cu", text)]), &[]);
        assert_eq!(run.status, 0, "{text}: {run:?}");
    }
}

/// Two classes that are made of each other are not made for ever.
#[test]
fn classes_that_are_made_of_each_other() {
    let text = "class H;\nclass R { public: __device__ R(const H &h); };\nclass H { public: __device__ H(const R &u) : x(u.x) {} };
__device__ R p(const R &u, const R &v) { return u - ((u ^ v) * v); }
__global__ void k(R *r) {\n  r[0] = p(r[1], r[2]);\n  if (threadIdx.x < 7)\n    __syncthreads();\n}\n";
    let run = check(&Folder::with(&[("k.cu", text)]), &["--short"]);
    // What the operators of `R` do is not known.
    assert_eq!(run.status, 0, "{run:?}");
    assert!(run.stdout.starts_with("k.cu:8:5: warning["), "{run:?}");
    let host = text
        .replace("__device__ ", "")
        .replace("__global__ ", "")
        .replace("  if (threadIdx.x < 7)\n    __syncthreads();\n", "");
    let run = check(&Folder::with(&[("k.cpp", &host)]), &["--short"]);
    assert_eq!(run.status, 0, "{run:?}");
}

#[test]
fn a_list_that_is_returned_where_nothing_is() {
    let text = "__global__ void k(int *p) { return {}; }\n__global__ void m(int *p) { auto f = [] -> void { return {1}; }; f(); }\n";
    let run = check(&Folder::with(&[("k.cu", text)]), &["--short"]);
    assert_eq!((run.status, &*run.stdout), (0, ""), "{run:?}");
    assert!(run.stderr.contains("2 of 2 kernels analysed with unknowns"), "{run:?}");
}

/// A function of another part of a program of OpenCL C is given values; a macro may do anything with a variable.
#[test]
fn what_functions_of_other_parts_may_change() {
    let text = "kernel void k(global real *a, local real *tile, const int n) {
  int at = 0;
  for (; at < n; at += 8) {
    load_tile(a, tile, at);
    barrier(CLK_LOCAL_MEM_FENCE);
    a[at + get_local_id(0)] = tile[get_local_id(0)];
  }
}
";
    let run = check(&Folder::with(&[("k.cl", text)]), &["--short"]);
    assert_eq!((run.status, &*run.stdout), (0, ""), "{run:?}");
    let run = check(&Folder::with(&[("k.cl", &text.replace("load_tile", "LOAD_TILE"))]), &["--short"]);
    assert!(run.stdout.starts_with("k.cl:5:5: warning["), "{run:?}");
    let run = check(&Folder::with(&[("k.cl", &text.replace(", at)", ", &at)"))]), &["--short"]);
    assert!(run.stdout.starts_with("k.cl:5:5: warning["), "{run:?}");
}
