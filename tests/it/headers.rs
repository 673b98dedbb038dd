//! Findings in headers that several inputs include: each is told once, in every format.

use expect_test::expect;
use serde_json::Value;

use crate::common::{Folder, Run};

/// A kernel and a template that half of a warp executes.
const HEADER: &str = "#pragma once
__global__ void shared_kernel(int *out) {
  if (threadIdx.x < 16)
    out[0] = __shfl_sync(0xffffffff, out[1], 0);
}
template <typename T> __device__ T first(T x) {
  if (threadIdx.x < 3)
    x += __shfl_sync(0xffffffff, x, 0);
  return x;
}
";

const OWN: &str = "__global__ void own(int *out) {
  if (threadIdx.x < 7)
    out[0] = __shfl_sync(0xffffffff, out[1], 0);
}
";

/// Ten files that include one header from different folders; the last one has a finding of its own.
fn folder() -> Folder {
    let folder = Folder::with(&[("include/shared.cuh", HEADER)]);
    for number in 0..10 {
        let up = if number % 2 == 0 { ".." } else { "../other/.." };
        let of = if number < 5 { "int" } else { "float" };
        let own = if number == 9 { OWN } else { "" };
        let text = format!(
            "#include \"{up}/include/shared.cuh\"\n__global__ void k{number}({of} *p) {{ p[0] = first(p[1]); }}\n{own}"
        );
        folder.write(&format!("src/k{number}.cu"), &text);
    }
    folder.write("other/nothing.txt", "");
    folder
}

fn check(folder: &Folder, inputs: &[&str], options: &[&str]) -> Run {
    folder.run(&[&["check", "--frontend", "builtin"], inputs, options].concat())
}

#[test]
fn a_finding_in_a_header_is_told_once() {
    let folder = folder();
    let run = check(&folder, &["DIR/src"], &["--short"]);
    assert_eq!(run.status, 1);
    expect![[r#"
        src/k9.cu:5:14: error[RC0203]: `__shfl_sync` in divergent control flow: threads of a warp do not all reach it
        src/../include/shared.cuh:4:14: error[RC0203]: `__shfl_sync` in divergent control flow: threads of a warp do not all reach it (in 10 files)
        src/../include/shared.cuh:8:10: error[RC0203]: `__shfl_sync` in divergent control flow: threads of a warp do not all reach it (in 10 files)
    "#]].assert_eq(&run.stdout);
    expect![[r#"
        3 × error[RC0203]: subgroup operation in divergent control flow
        3 errors in 31 functions of 10 files
    "#]]
    .assert_eq(&run.stderr);
    let text = check(&folder, &["DIR/src"], &[]).stdout;
    assert_eq!(text.matches("error[RC0203]").count(), 3, "{text}");
    let inputs = "the same is found in 9 more files that include this one: src/k1.cu, src/k2.cu, src/k3.cu, src/k4.cu, src/k5.cu, …";
    assert_eq!(text.matches(inputs).count(), 2, "{text}");
    let one = check(&folder, &["DIR/src/k0.cu"], &[]);
    assert!(!one.stdout.contains("include this one"), "{one:?}");
    assert_eq!((one.status, one.stdout.matches("error[RC0203]").count()), (1, 2));
}

/// The number of findings, and of those that name other inputs.
#[test]
fn all_formats_agree() {
    let folder = folder();
    let json = |run: Run| -> Value { serde_json::from_str(&run.stdout).expect("JSON") };
    let report = json(check(&folder, &["DIR/src"], &["--format", "json"]));
    let files = report["files"].as_array().expect("files");
    assert_eq!(files.len(), 10);
    let counts: Vec<usize> = files.iter().map(|file| file["diagnostics"].as_array().map_or(0, Vec::len)).collect();
    assert_eq!(counts, [2, 0, 0, 0, 0, 0, 0, 0, 0, 1], "each is with the first input that has it");
    for found in files[0]["diagnostics"].as_array().expect("findings") {
        assert!(found["path"].as_str().is_some_and(|path| path.ends_with("include/shared.cuh")), "{found}");
        assert_eq!(found["inputs"].as_array().map(Vec::len), Some(9));
    }
    assert_eq!(report["summary"]["findings"][0]["count"], 3);

    let log = json(check(&folder, &["DIR/src"], &["--format", "sarif"]));
    let results = log["runs"][0]["results"].as_array().expect("results");
    let named = results.iter().filter(|result| result["properties"]["inputs"].as_array().map(Vec::len) == Some(9));
    assert_eq!((results.len(), named.count()), (3, 2));

    let junit = check(&folder, &["DIR/src"], &["--format", "junit"]).stdout;
    assert_eq!((junit.matches("<failure").count(), junit.matches("9 more files").count()), (3, 2), "{junit}");
    let quality = json(check(&folder, &["DIR/src"], &["--format", "gitlab"]));
    assert_eq!(quality.as_array().map(Vec::len), Some(3));
    let listed = check(&folder, &["DIR/src"], &["--format", "json", "--max-findings", "2"]);
    let listed = json(listed);
    assert_eq!(listed["files"][0]["diagnostics"].as_array().map(Vec::len), Some(1), "{listed}");
    assert_eq!((&listed["summary"]["not_listed"], &listed["summary"]["findings"][0]["count"]), (&1.into(), &3.into()));
}

/// A baseline knows a finding in each input by itself.
#[test]
fn a_baseline_of_all_holds_for_one() {
    let folder = folder();
    let written = check(&folder, &["DIR/src"], &["--write-baseline", "DIR/known.json"]);
    assert_eq!((written.status, written.stdout.as_str()), (0, ""), "{written:?}");
    for input in ["DIR/src", "DIR/src/k3.cu", "DIR/src/k8.cu"] {
        let run = check(&folder, &[input], &["--baseline", "DIR/known.json"]);
        assert_eq!((run.status, run.stdout.as_str()), (0, ""), "{input}: {run:?}");
    }
    let all = check(&folder, &["DIR/src"], &["--baseline", "DIR/known.json"]);
    assert!(all.last_line().ends_with("suppressed: 3 by the baseline"), "{all:?}");
}

/// Whichever comes first: the header itself, or a file that includes it.
#[test]
fn a_header_that_is_an_input_too() {
    let folder = folder();
    for inputs in [["DIR/include/shared.cuh", "DIR/src/k0.cu"], ["DIR/src/k0.cu", "DIR/include/shared.cuh"]] {
        let run = check(&folder, &[&inputs[..], &["--input-format", "cuda"]].concat(), &["--short"]);
        assert_eq!((run.status, run.stdout.lines().count()), (1, 2), "{run:?}");
        assert!(!run.stdout.contains("files)"), "a file is none that includes it: {run:?}");
    }
}

#[test]
fn a_comment_in_a_header_allows_for_all() {
    let folder = folder();
    let allowed = HEADER.replace(" 0);", " 0); // reconverge: allow(RC0203) only whole warps come here");
    folder.write("include/shared.cuh", &allowed);
    let run = check(&folder, &["DIR/src"], &["--short"]);
    assert_eq!((run.status, run.stdout.lines().count()), (1, 1), "{run:?}");
    assert_eq!(run.last_line(), "1 error in 31 functions of 10 files; suppressed: 2 by comments");
}

/// What is not understood in a header is said once, too.
#[test]
fn a_function_of_a_header_is_left_out_once() {
    let jump = "static void f(int x) { if (x) goto in; [[clang::noconvergent]] { in: x = 1; } }\n";
    let kernel = "#include \"f.h\"\nkernel void k(void) {}\n";
    let folder = Folder::with(&[("f.h", jump), ("a.cl", kernel), ("b.cl", kernel)]);
    let run = folder.run(&["uniformity", "DIR/a.cl", "DIR/b.cl", "--frontend", "builtin"]);
    assert_eq!(run.stderr.matches("f.h:1:31: this `goto`").count(), 1, "{run:?}");
    let check = folder.run(&["check", "DIR/a.cl", "DIR/b.cl", "--frontend", "builtin", "--short"]);
    assert_eq!((check.status, check.stdout.matches("RC0307").count()), (1, 1), "{check:?}");
}

#[test]
fn a_header_that_is_named_is_read() {
    let folder = Folder::with(&[
        ("shared.cuh", HEADER),
        ("device.hpp", "__device__ void half() { if (threadIdx.x < 3) __syncthreads(); }\n"),
        ("host.h", "int of_host(void);\n"),
    ]);
    let run = check(&folder, &["DIR/shared.cuh", "DIR/device.hpp", "DIR/host.h"], &["--short"]);
    assert_eq!(run.status, 1, "{run:?}");
    expect![[r#"
        shared.cuh:4:14: error[RC0203]: `__shfl_sync` in divergent control flow: threads of a warp do not all reach it
        device.hpp:1:47: error[RC0201]: `__syncthreads` in divergent control flow: threads of a thread block do not all reach it
    "#]].assert_eq(&run.stdout);
}
