//! Source files through the binary: what is wrong with them, which front end reads them, what a lowering of them shows.

mod errors;
mod launches;
mod models;
mod traces;

use std::path::{Path, PathBuf};

use crate::common::{Run, installed, reconverge, root};
use expect_test::expect;
use serde_json::Value;
use tempfile::TempDir;

/// The other front end.
const CLANG: &str = "clang-22";

/// A file in a folder of its own.
struct Written {
    _folder: TempDir,
    path: PathBuf,
}

fn write(name: &str, text: impl AsRef<[u8]>) -> Written {
    let folder = TempDir::new().expect("a folder");
    let path = folder.path().join(name);
    std::fs::write(&path, text).expect("it can be written");
    Written { _folder: folder, path }
}

/// Runs a verb on a file; what is printed has its name without a folder.
fn run_on(file: &Written, verb: &str, arguments: &[&str]) -> Run {
    let path = file.path.to_str().expect("a plain name");
    let mut run = reconverge(&[&[verb, path], arguments].concat(), b"");
    let folder = format!("{}/", file.path.parent().expect("it is in a folder").display());
    run.stdout = run.stdout.replace(&folder, "");
    run.stderr = run.stderr.replace(&folder, "").replace(folder.trim_end_matches('/'), ".");
    run
}

fn json(run: &Run) -> Value {
    serde_json::from_str(&run.stdout).unwrap_or_else(|error| panic!("{error}: {run:?}"))
}

const OFFSET: &str = "__global__ void with_offset(int *p) {
  struct pair { int a, b; }; int f = __builtin_offsetof(pair, b);
  *p = f;
}
__global__ void with_barrier(int *p) {
  if (threadIdx.x == 0)
    __syncthreads();
  __syncthreads();
}
";

const CLASS_TEMPLATE: &str = "template <typename T> struct Pair { T one, two; };
__global__ void with_pair(int *p) {
  Pair<int> pair;
  *p = pair.one;
}
__global__ void with_barrier(int *p) {
  if (threadIdx.x == 0)
    __syncthreads();
  __syncthreads();
}
";

#[test]
fn what_is_outside_of_the_subset_is_unknown() {
    let run = run_on(&write("k.cu", OFFSET), "check", &["--frontend", "builtin"]);
    assert_eq!(run.status, 1);
    assert!(run.stdout.contains("RC02"), "the rest is checked: {}", run.stdout);
    expect![[r#"
        k.cu: 1 of 2 kernels analysed with unknowns: line 2: `__builtin_offsetof` is not supported by the built-in front end
        1 error in 2 functions
    "#]]
    .assert_eq(&run.stderr);
    let run = run_on(&write("k.cu", CLASS_TEMPLATE), "check", &["--frontend", "builtin"]);
    assert_eq!(run.status, 1);
    assert!(run.stdout.contains("RC02"), "the rest is checked: {}", run.stdout);
    expect![[r#"
        1 error in 2 functions
    "#]]
    .assert_eq(&run.stderr);
}

#[test]
fn headers_that_are_not_there_are_passed_over() {
    let kernel = "__global__ void k(int *p, int n) { if (threadIdx.x < 7) __syncthreads(); __syncthreads(); }\n";
    let file = write(
        "k.cu",
        format!("#include <unknown.h>\n#include \"more.h\"\n#include <unknown.h>\nstatic Thing thing;\n{kernel}"),
    );
    let run = run_on(&file, "check", &["--frontend", "builtin"]);
    assert_eq!(run.status, 1, "{run:?}");
    assert!(run.stdout.contains("error[RC0201]"), "{run:?}");
    let note = "k.cu: 2 headers were not found, and passed over";
    assert_eq!(run.stderr, format!("{note} (-v lists them)\n1 error in 1 function\n"));
    let run = run_on(&file, "check", &["--frontend", "builtin", "-v"]);
    assert!(run.stderr.contains(note), "{run:?}");
    for listed in ["k.cu:1:10: warning: the header `unknown.h` is not found", "k.cu:2:10: warning: the header `more.h`"]
    {
        assert_eq!(run.stderr.matches(listed).count(), 1, "{run:?}");
    }
    for verb in ["uniformity", "cycles", "regions"] {
        assert_eq!(run_on(&file, verb, &["--frontend", "builtin"]).status, 0);
    }
    // Nothing that the kernel needs is unknown.
    let run = run_on(&file, "lower", &["--frontend", "builtin", "-o", "-"]);
    assert_eq!(run.status, 0, "{run:?}");
    // What is told step by step is understood as a whole.
    let run = run_on(&file, "trace", &["--frontend", "builtin", "--function", "k", "--thread", "L5"]);
    assert_eq!(run.status, 2, "{run:?}");
    assert!(run.stderr.contains("there is no file `unknown.h`"), "{run:?}");
}

#[test]
fn kernels_with_unknowns_are_analysed_and_not_run() {
    let good = "extern \"C\" __global__ void good(int *p) { *p = 1; }\n";
    let bad = "extern \"C\" __global__ void bad(int *p) { if (missing(*p)) __syncthreads(); }\n";
    let file = write("k.cu", format!("{good}{bad}"));
    let run = run_on(&file, "check", &["--frontend", "builtin", "--format", "json"]);
    assert_eq!(run.status, 0, "{run:?}");
    let note = "k.cu: 1 of 2 kernels analysed with unknowns: line 2: the function `missing` is not declared";
    assert_eq!(run.stderr.trim_end(), note);
    let expected = serde_json::json!({
        "functions": 2, "kernels": 2, "analysed_kernels": 2, "left_out": [], "kernels_with_unknowns": 1,
        "unknown": [{"function": "bad", "name": "missing", "line": 2}],
    });
    let file_said = &json(&run)["files"][0];
    assert_eq!(file_said["coverage"], expected);
    // It is no error, and says what is not known.
    let found = &file_said["diagnostics"][0];
    assert_eq!((&found["code"], &found["severity"]), (&"RC0209".into(), &"warning".into()), "{run:?}");
    assert!(found.to_string().contains("`missing` is not known here"), "{found}");
    for (kernel, status) in [("good", 0), ("bad", 2)] {
        let run = run_on(&file, "run", &["--frontend", "builtin", "--kernel", kernel, "--arg", "p=u32[1]"]);
        assert_eq!(run.status, status, "{run:?}");
        assert_eq!(run.stderr.contains("k.cu:2:46: the function `missing` is not declared"), status == 2, "{run:?}");
    }
    let run = run_on(&file, "lower", &["--frontend", "builtin", "-o", "-"]);
    assert_eq!((run.status, &*run.stdout), (2, ""), "{run:?}");
}

#[test]
fn the_front_end_is_chosen_and_named() {
    let file = write("k.cu", OFFSET);
    // Without clang on the path.
    let alone = |arguments: &[&str]| {
        let output = std::process::Command::new(env!("CARGO_BIN_EXE_reconverge"))
            .arg("check")
            .arg(&file.path)
            .args(arguments)
            .env("PATH", "/nonexistent")
            .output()
            .expect("the binary runs");
        (output.status.code(), String::from_utf8(output.stderr).expect("UTF-8"))
    };
    let (status, said) = alone(&[]);
    assert_eq!(status, Some(1));
    let line = said.lines().next().expect("a line");
    assert!(
        line.contains("read by the built-in front end, as there is no clang on the path (line 2: `__builtin_offsetof`"),
        "{said}"
    );
    let (status, said) = alone(&["--frontend", "clang"]);
    assert_eq!((status, said.lines().count()), (Some(2), 1), "{said}");
    assert!(said.contains("there is no clang on the path; --clang PATH says where one is"), "{said}");
    let (status, said) = alone(&["--frontend", "clang", "--clang", "/nonexistent/clang"]);
    assert_eq!(status, Some(2));
    assert!(said.contains("/nonexistent/clang is no clang that can be run"), "{said}");

    if !installed(CLANG) {
        return;
    }
    for arguments in [&["--clang", CLANG][..], &["--clang", CLANG, "--frontend", "clang"]] {
        let run = run_on(&file, "check", arguments);
        let line = run.stderr.lines().next().expect("a line");
        assert!(
            line.starts_with(&format!("k.cu: read by {CLANG} (line 2: `__builtin_offsetof` is not supported")),
            "{run:?}"
        );
        assert!(run.stdout.contains("k.cu:7:5"), "{run:?}");
        assert_eq!(run.status, i32::from(run.stdout.contains("error[")), "{run:?}");
    }
    // What clang does not understand either.
    let broken = write("k.cu", OFFSET.replace("*p = f", "*p = g"));
    let run = run_on(&broken, "check", &["--clang", CLANG, "--frontend", "clang"]);
    assert_eq!(run.status, 2);
    assert!(run.stderr.contains("k.cu:3:8: "), "{run:?}");
    // What the built-in front end understands does not go through clang.
    let plain = write("k.cl", "kernel void k() {}\n");
    let run = run_on(&plain, "check", &["-v"]);
    assert!(run.stderr.contains("read by the built-in front end, which understands all of it"), "{run:?}");
    // Flags behind `--`.
    let flagged = write("k.cl", "kernel void k(global int *p) { *p = VALUE; }\n");
    let run = run_on(&flagged, "check", &["--clang", CLANG, "--frontend", "clang", "--", "-DVALUE=3"]);
    assert_eq!(run.status, 0, "{run:?}");
    assert_eq!(run_on(&flagged, "check", &["-D", "VALUE=3"]).status, 0);
    let run = run_on(&flagged, "lower", &["-o", "-", "--frontend", "builtin"]);
    assert!(run.status == 2 && run.stderr.contains("nothing says what `VALUE` is"), "{run:?}");
    assert_eq!(run_on(&flagged, "check", &["--frontend", "builtin"]).status, 0);
}

// conformance: clang-2025-04/52
#[test]
fn a_rule_of_the_text_that_is_broken_is_a_finding() {
    let kernel = "kernel void k(int x) {
  if (x) goto in;
  __attribute__((noconvergent)) {
    in: x = 1;
  }
}
";
    for name in ["k.cl", "k.cu"] {
        let kernel = if name == "k.cl" { kernel } else { &kernel.replace("kernel", "__global__") };
        let file = write(name, kernel);
        let check = run_on(&file, "check", &["--frontend", "builtin"]);
        assert_eq!(check.status, 1, "{check:?}");
        expect![[r#"
            error[RC0307]: this `goto` goes to `in` inside a `noconvergent` statement, and is outside of it
             --> k:2:10
              |
            2 |   if (x) goto in;
              |          ^^^^
            3 |   __attribute__((noconvergent)) {
              |   ------------- the `noconvergent` statement begins here
            4 |     in: x = 1;
              |     -- `in` stands here
              |
              = note: whether threads diverge in `k` was not checked
              = help: in `k`; `reconverge explain RC0307` says more

        "#]]
        .assert_eq(&check.stdout.replace(name, "k"));
        assert_eq!(check.last_line(), "1 error in 0 functions");
        let report = json(&run_on(&file, "check", &["--format", "json"]));
        let (found, coverage) = (&report["files"][0]["diagnostics"][0], &report["files"][0]["coverage"]);
        assert_eq!((&found["code"], &coverage["left_out"][0]["code"]), (&"RC0307".into(), &"RC0307".into()));
        // What needs the kernel cannot have it.
        for verb in ["uniformity", "cycles", "regions", "lower", "run"] {
            let run = run_on(&file, verb, if verb == "lower" { &["-o", "-"] } else { &[] });
            assert_eq!(run.status, 2, "{verb}: {run:?}");
            let said = format!("{name}:2:10: this `goto` goes to `in` inside a `noconvergent` statement");
            assert!(run.stderr.contains(&said), "{verb}: {run:?}");
        }
    }
    // Every breach is said, and the others are checked.
    let file = write(
        "k.cl",
        "kernel void k(int x) {\n  if (x) goto in;\n  if (x > 1) goto in;\n  [[clang::noconvergent]] { in: x = 1; }\n}
kernel void m(int x) {\n  switch (x) [[clang::noconvergent]] { case 1: x = 1; default: ; }\n}
kernel void n(int x) {\n  // reconverge: allow(RC0307) it is tried\n  if (x) goto in;\n  [[clang::noconvergent]] { in: x = 1; }\n}
kernel void o(void) {\n  if (get_local_id(0) < 3) barrier(CLK_LOCAL_MEM_FENCE);\n  barrier(CLK_LOCAL_MEM_FENCE);\n}\n",
    );
    let check = run_on(&file, "check", &["--short"]);
    assert_eq!(check.status, 1, "{check:?}");
    expect![[r#"
        k.cl:2:10: error[RC0307]: this `goto` goes to `in` inside a `noconvergent` statement, and is outside of it
        k.cl:3:14: error[RC0307]: this `goto` goes to `in` inside a `noconvergent` statement, and is outside of it
        k.cl:7:40: error[RC0307]: this `case` is inside a `noconvergent` statement, but its `switch` is outside of it
        k.cl:7:55: error[RC0307]: this `default` is inside a `noconvergent` statement, but its `switch` is outside of it
        k.cl:15:28: error[RC0201]: `barrier` in divergent control flow: work-items of a work-group do not all reach it
    "#]]
    .assert_eq(&check.stdout);
    expect![[r#"
        1 × error[RC0201]: barrier in divergent control flow
        4 × error[RC0307]: jump into a statement marked noconvergent
        5 errors in 1 function; suppressed: 1 by comments
    "#]]
    .assert_eq(&check.stderr);
}

#[test]
fn a_compiler_changes_no_meaning_silently() {
    // A rule that clang does not know is broken: clang is not asked.
    let broken = "kernel void k(global int *x) {
  if (x[0])
    goto inside;
  [[clang::noconvergent]] {
inside:
    x[0] = 1;
  }
}
";
    for verb in ["check", "uniformity", "run"] {
        let run = run_on(&write("k.cl", broken), verb, &[]);
        let message = "this `goto` goes to `inside` inside a `noconvergent` statement";
        let is_said = match verb {
            "check" => run.status == 1 && run.stdout.contains(&format!("error[RC0307]: {message}")),
            _ => run.status == 2 && run.stderr.contains(&format!("k.cl:3:5: {message}")),
        };
        assert!(is_said && !run.stderr.contains("read by"), "{run:?}");
    }
    if !installed(CLANG) {
        return;
    }
    let file = write("k.cu", OFFSET);
    let run = run_on(&file, "check", &["--clang", CLANG]);
    let said = "its IR does not say which threads the statements keep together, so LLVM's rules hold (maximal)";
    assert!(run.stderr.lines().next().is_some_and(|line| line.ends_with(said)), "{run:?}");
    for verb in ["check", "uniformity", "cycles", "regions"] {
        let run = json(&run_on(&file, verb, &["--clang", CLANG, "--format", "json"]));
        let read_by = &run["files"][0]["read_by"];
        assert_eq!((read_by["compiler"].as_str(), read_by["model"].as_str()), (Some(CLANG), Some("maximal")), "{verb}");
        assert!(
            read_by["reason"].as_str().is_some_and(|reason| reason.starts_with("line 2: `__builtin_offsetof`")),
            "{read_by}"
        );
    }
    let plain = json(&run_on(&write("k.cl", "kernel void k() {}\n"), "check", &["--format", "json"]));
    assert_eq!(plain["files"][0]["read_by"], Value::Null);
    // No file of IR without tokens passes for one with them.
    let output = file.path.with_extension("ll");
    let to = output.to_str().expect("a plain name");
    let run = run_on(&file, "lower", &["--clang", CLANG, "-o", to]);
    let text = std::fs::read_to_string(&output).unwrap_or_default();
    assert!(run.status == 0 && text.contains("[ \"convergencectrl\"(token "), "{run:?}{text}");
    // What cannot be matched with statements is said.
    let goto = "__global__ void k(int *p) { again: p[0] = __ballot_sync(~0u, 1); if (p[threadIdx.x]) goto again; }\n";
    let goto = write("goto.cu", goto);
    std::fs::remove_file(&output).expect("it was written");
    let run = run_on(&goto, "lower", &["--frontend", "clang", "--clang", CLANG, "-o", to]);
    assert_eq!(run.status, 2, "{run:?}");
    assert!(run.stderr.contains("goto.cu:1:43: no token is known for __ballot_sync: "), "{run:?}");
    assert!(run.stderr.contains("--no-tokens writes it as it is") && !output.exists(), "{run:?}");
    assert_eq!(run_on(&file, "lower", &["--clang", CLANG, "--no-tokens", "-o", to]).status, 0);
}

#[test]
fn included_files() {
    let file = write("k.cl", "#include \"more/op.h\"\nkernel void k(global int *p) { *p = twice(VALUE); }\n");
    let folder = file.path.parent().expect("it is in a folder").join("elsewhere");
    std::fs::create_dir_all(folder.join("more")).expect("a folder");
    let header = "int twice(int x) {\nbroken: return x + x;\n}\n";
    std::fs::write(folder.join("more/op.h"), header).expect("it can be written");
    let folder_name = folder.to_str().expect("a plain name");
    let run = run_on(&file, "check", &["-I", folder_name, "-D", "VALUE=1"]);
    assert_eq!(run.status, 0, "{run:?}");
    std::fs::write(folder.join("more/op.h"), header.replace("broken:", "break;")).expect("it can be written");
    let run = run_on(&file, "check", &["-I", folder_name, "-D", "VALUE=1", "--frontend", "builtin"]);
    assert_eq!(run.status, 2);
    assert!(run.stderr.contains("elsewhere/more/op.h:2:1: `break` outside"), "{run:?}");
}

#[test]
fn lowering_writes_whole_files_only() {
    let file = write("k.cl", "void op(void);\nkernel void k(int x) {\n  if (x)\n    op();\n}\n");
    let output = file.path.with_extension("ll");
    let to = output.to_str().expect("a plain name");
    let lower = |more: &[&str]| {
        let run = run_on(&file, "lower", &[&["-o", to][..], more].concat());
        assert_eq!((run.status, &*run.stdout), (0, ""), "{run:?}");
        std::fs::read_to_string(&output).expect("it is written")
    };
    let with_tokens = lower(&[]);
    assert!(with_tokens.contains("@llvm.experimental.convergence.entry") && with_tokens.contains("!dbg"));
    let without = lower(&["--no-tokens"]);
    assert!(!without.contains("experimental.convergence") && without.contains("call spir_func void @op"));
    assert!(!lower(&["--no-debug"]).contains("!dbg"));
    assert!(!with_tokens.contains("@reconverge.marker") && lower(&["--markers"]).contains("@reconverge.marker"));
    assert!(lower(&["--target", "amdgpu"]).contains("amdgcn"));
    // IR is checked like any other.
    assert_eq!(reconverge(&[Path::new("check"), &output], b"").status, 0);

    // What is there stays where nothing can be written.
    std::fs::write(&output, "before").expect("it can be written");
    std::fs::write(&file.path, "kernel void k() { break; }").expect("it can be written");
    let run = run_on(&file, "lower", &["-o", to, "--frontend", "builtin"]);
    assert_eq!(run.status, 2);
    assert_eq!(std::fs::read_to_string(&output).expect("it is there"), "before");
    let run = run_on(&file, "lower", &["-o", "/nonexistent/k.ll"]);
    assert_eq!(run.status, 2);
    let run = reconverge(&["lower", "examples/exit-phi.ll", "-o", "-"], b"");
    assert_eq!(run.status, 2);
    assert!(run.stderr.contains("this is LLVM IR already; expected a source file"), "{run:?}");
}

#[test]
fn findings_are_in_the_source() {
    let file = write(
        "k.cl",
        "uint op(uint);\nkernel void k(global uint *out) {\n  uint n = get_local_id(0);\nagain:\n  out[0] = op(n);\n  if (n--)\n    goto again;\n}\n",
    );
    let run = run_on(&file, "check", &["--format", "json"]);
    assert_eq!(run.status, 0, "{run:?}");
    let report = json(&run);
    let found = report["files"][0]["diagnostics"].as_array().expect("a list");
    assert_eq!(found.len(), 1, "{found:?}");
    let found = &found[0];
    assert_eq!(found["code"], "RC0302");
    assert_eq!((&found["function"], &found["line"], &found["column"]), (&"@k".into(), &5.into(), &12.into()));
    let related = found["related"].as_array().expect("a list");
    let lines: Vec<&Value> = related.iter().map(|one| &one["line"]).collect();
    assert_eq!(lines, [&Value::from(4), &Value::from(7)], "the label and the goto");
    assert_eq!(run_on(&file, "check", &["--strict"]).status, 1);
    let run = run_on(&file, "check", &["-q", "--color", "always"]);
    assert!(run.stdout.contains("\u{1b}["), "{run:?}");
    assert_eq!(run.stderr, "");
    let run = run_on(&file, "check", &["-q", "--color", "auto"]);
    assert!(!run.stdout.contains("\u{1b}["), "{run:?}");
}

#[test]
fn standard_input_needs_its_language() {
    let text = b"void op(void);\nkernel void k(int x) { if (x) goto in; while (x) { in: op(); } }\n";
    let run = reconverge(&["check", "-", "--input-format", "cl"], text);
    assert!(run.stdout.contains("RC0303") && run.stdout.contains("<stdin>:2:"), "{run:?}");
    let run = reconverge(&["check", "-"], text);
    assert_eq!(run.status, 2);
}

#[test]
fn every_case_is_read() {
    let folder = root().join("tests/cases/source");
    let mut count = 0;
    for entry in std::fs::read_dir(folder).expect("there are cases") {
        let path = entry.expect("it can be listed").path();
        if path.extension().is_none_or(|extension| extension != "md") {
            let run = reconverge(&[Path::new("check"), &path, Path::new("--frontend"), Path::new("builtin")], b"");
            assert_ne!(run.status, 2, "{}: {run:?}", path.display());
            count += 1;
        }
    }
    assert!(count >= 18);
}

/// A kernel that is a template is looked at for whatever it may stand for, also where a compiler would know more about the rest: it has no code for it.
#[test]
fn a_template_that_nothing_in_the_file_uses() {
    let text = "template <class P> __global__ void k(P p, float *out) {
  p.begin(out);
  if (threadIdx.x < 5) __syncthreads();
}
";
    let run = run_on(&write("t.cu", text), "check", &["--short"]);
    assert!(run.stdout.contains("t.cu:3:24: warning[RC0209]"), "{run:?}");
    if installed(CLANG) {
        let run = run_on(&write("t.cu", text), "check", &["--clang", CLANG]);
        let why = format!("as {CLANG} has no code for `k`, a template that nothing in the file uses");
        assert!(run.stderr.contains(&why), "{run:?}");
        let used = format!("{text}template __global__ void k<int>(int p, float *out);\n").replace("p.begin(out);", "");
        let run = run_on(&write("t.cu", used), "check", &["--clang", CLANG, "--frontend", "clang"]);
        assert!(run.stdout.contains("RC0209"), "{run:?}");
    }
}

/// What is found in two instances of a template is one finding, which has both.
#[test]
fn instances_of_a_template() {
    let text = "template<int N> __device__ void part(int n) { if (threadIdx.x < N) __syncthreads(); }\n\
                __global__ void a() { part<4>(1); }\n__global__ void b() { part<8>(1); part<12>(1); }\n";
    let file = write("t.cu", text);
    let run = run_on(&file, "check", &["--format", "json"]);
    let found = &json(&run)["files"][0]["diagnostics"];
    assert_eq!(found.as_array().map(Vec::len), Some(1), "{run:?}");
    assert_eq!(found[0]["function"], "@_Z4partILi4EEvi");
    assert_eq!(found[0]["instances"], serde_json::json!(["@_Z4partILi8EEvi", "@_Z4partILi12EEvi"]));
    let run = run_on(&file, "check", &[]);
    assert!(run.stdout.contains("note: the same happens in `part<8>`, `part<12>`\n"), "{run:?}");
}

/// The body of a function that anybody may call is what a call of it reaches, unless the linker may choose another one.
#[test]
fn results_of_exact_definitions() {
    let text = "__device__ int twice(int x) { return x * 2; }\n\
                __global__ void k(int *out, int n) { if (twice(n) > 4) __syncthreads(); out[threadIdx.x] = 1; __syncthreads(); }\n";
    let run = run_on(&write("t.cu", text), "check", &[]);
    assert_eq!((run.status, run.stdout.as_str()), (0, ""), "{run:?}");
    let divergent = write("t.cu", text.replace("x * 2", "x * threadIdx.x"));
    let run = run_on(&divergent, "check", &["--format", "json"]);
    assert_eq!(json(&run)["files"][0]["diagnostics"][0]["code"], "RC0201", "{run:?}");
    let lowered = run_on(&write("t.cu", text), "lower", &["-o", "-"]).stdout;
    for (linkage, found) in [("", 0), ("internal", 0), ("weak", 1), ("linkonce_odr", 0)] {
        let with_linkage = lowered.replacen("define i32 @_Z5twicei", &format!("define {linkage} i32 @_Z5twicei"), 1);
        assert_ne!(with_linkage, lowered, "{lowered}");
        let run = run_on(&write("t.ll", with_linkage), "check", &["--format", "json"]);
        let findings = json(&run)["files"][0]["diagnostics"].clone();
        assert_eq!(findings.as_array().map(Vec::len), Some(found), "{linkage}: {run:?}");
        assert!(found == 0 || findings[0]["code"] == "RC0202", "{linkage}: {run:?}");
    }
}

/// Findings in source speak of what is written there: variables, expressions, conditions and calls, each underlined as a whole.
#[test]
fn findings_speak_of_the_source() {
    let kernel = "__global__ void saxpy(int n, float a, const float *x, float *y) {
  __shared__ float tile[64];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    tile[threadIdx.x] = a * x[i];
    __syncthreads();
    y[i] = tile[63 - threadIdx.x];
  }
  for (int k = 0; k < x[i]; k++) {
    __syncthreads();
  }
}
";
    let run = reconverge(&["check", "--input-format", "cuda", "-"], kernel.as_bytes());
    expect![[r#"
        warning[RC0202]: `__syncthreads` in divergent control flow if `n` is no multiple of `blockDim.x`: threads of a thread block do not all reach it
         --> <stdin>:6:5
          |
        3 |   int i = blockIdx.x * blockDim.x + threadIdx.x;
          |           -------------------------------------
          |           |                         |
          |           |                         `threadIdx.x`: differs between the threads of a thread block
          |           `blockIdx.x * blockDim.x + threadIdx.x`: is computed from `threadIdx.x`
        4 |   if (i < n) {
          |       -----
          |       |
          |       `i < n`: is computed from `i`
          |       `i`: was assigned `blockIdx.x * blockDim.x + threadIdx.x`
        5 |     tile[threadIdx.x] = a * x[i];
        6 |     __syncthreads();
          |     ^^^^^^^^^^^^^^^ needs all threads of the thread block
          |
          = help: move `__syncthreads` to where all threads of a thread block reach it, and leave in the branch only what some of them do
          = help: in `saxpy`; `reconverge explain RC0202` says more

        warning[RC0209]: `__syncthreads` in divergent control flow if `k < x[i]` differs between threads: threads of a thread block exit without reaching it
          --> <stdin>:10:5
           |
         9 |   for (int k = 0; k < x[i]; k++) {
           |                   --------
           |                   |   |
           |                   |   `x[i]`: is loaded from an address that is divergent
           |                   `k < x[i]`: is computed from `x[i]`
        10 |     __syncthreads();
           |     ^^^^^^^^^^^^^^^ needs all threads of the thread block
           |
           = note: CUDA's barrier waits for the threads of the block that have not exited; other languages leave this undefined
           = help: let no thread of a thread block end before `__syncthreads`: skip the work in a branch instead, and leave `__syncthreads` outside of it
           = help: in `saxpy`; `reconverge explain RC0209` says more

    "#]]
    .assert_eq(&run.stdout);
}

#[test]
fn accesses_with_hints_are_accesses_of_any_type() {
    let text = "__global__ void k(float4 *a, const float4 *b, long long *out) {
          clock_t before = clock();
          __stcs(a, __ldg(&b[1]));
          __stcg(&out[0], llrintf(__ldcs(&b->y)) + lround(2.5));
          __stwt(out + 1, clock() - before >= 0 ? __ldcg(out) : 0);
        }";
    let arguments = [
        "run",
        "-",
        "--input-format",
        "cuda",
        "--block",
        "1",
        "--arg",
        "a=f32[4]",
        "--arg",
        "b=f32[8]{iota}",
        "--arg",
        "out=i64[2]",
    ];
    let run = reconverge(&arguments, text.as_bytes());
    assert_eq!(run.status, 0, "{}", run.stderr);
    assert!(run.stdout.contains("a = f32[4]{4.0, 5.0, 6.0, 7.0}"), "{}", run.stdout);
    assert!(run.stdout.contains("out = i64[2]{4, 4}"), "{}", run.stdout);
}
