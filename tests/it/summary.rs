//! Much output of `check`: one line for each finding, the first ones only, and what there is in numbers.

use std::fs::File;
use std::process::Command;

use crate::common::{Run, reconverge, root};
use expect_test::expect;
use serde_json::Value;

/// A warning, and an error twice.
const KERNELS: &str = "kernel void shrunk(int n) {
  if (get_local_id(0) < n)
    barrier(CLK_LOCAL_MEM_FENCE);
  barrier(CLK_LOCAL_MEM_FENCE);
}
kernel void half_of_them(void) {
  if (get_local_id(0) < 16)
    barrier(CLK_LOCAL_MEM_FENCE);
  barrier(CLK_LOCAL_MEM_FENCE);
}
kernel void grown(int n) {
  if (get_local_id(0) > n)
    barrier(CLK_LOCAL_MEM_FENCE);
  barrier(CLK_LOCAL_MEM_FENCE);
}
";

fn check(arguments: &[&str]) -> Run {
    reconverge(&[&["check", "-", "--input-format", "cl"], arguments].concat(), KERNELS.as_bytes())
}

#[test]
fn a_line_for_each_finding() {
    let run = check(&["--short"]);
    expect![[r#"
        <stdin>:3:5: warning[RC0202]: `barrier` in divergent control flow if `n` is less than `get_local_size(0)`: work-items of a work-group do not all reach it
        <stdin>:8:5: error[RC0201]: `barrier` in divergent control flow: work-items of a work-group do not all reach it
        <stdin>:13:5: error[RC0201]: `barrier` in divergent control flow: work-items of a work-group do not all reach it
    "#]]
    .assert_eq(&run.stdout);
    assert_eq!((run.status, run.stdout.lines().count()), (1, 3));
    let refused = check(&["--short", "--format", "json"]);
    assert_eq!(refused.status, 2);
    assert_eq!(refused.stderr, "reconverge: --short is a form of text: expected no other --format\n");
}

#[test]
fn the_places_of_one_cause_are_counted_in_a_line() {
    let kernel = "__global__ void k(int *p) {\n  if (threadIdx.x < 3)\n    return;\n  __syncthreads();\n  p[0] = 1;\n  __syncthreads();\n}\n";
    let run = reconverge(&["check", "-", "--input-format", "cuda", "--short"], kernel.as_bytes());
    assert!(run.stdout.ends_with(" (and 1 more place)\n"), "{}", run.stdout);
}

#[test]
fn all_findings_count_also_those_that_are_not_listed() {
    let run = check(&["--short", "--max-findings", "1"]);
    assert_eq!((run.status, run.stdout.lines().count()), (1, 1), "{run:?}");
    expect![[r#"
        2 × error[RC0201]: barrier in divergent control flow
        1 × warning[RC0202]: barrier in possibly divergent control flow
        2 findings are not listed (--max-findings)
        2 errors, 1 warning in 3 functions
    "#]]
    .assert_eq(&run.stderr);
    let none = check(&["--max-findings", "0"]);
    assert_eq!((none.status, &none.stdout[..]), (1, ""));
    let json = check(&["--format", "json", "--max-findings", "2"]);
    let report: Value = serde_json::from_str(&json.stdout).expect("JSON");
    assert_eq!(report["files"][0]["diagnostics"].as_array().map(Vec::len), Some(2));
    expect![[r#"
        {
          "files": 1,
          "findings": [
            {
              "code": "RC0201",
              "count": 2,
              "severity": "error"
            },
            {
              "code": "RC0202",
              "count": 1,
              "severity": "warning"
            }
          ],
          "functions": 3,
          "not_listed": 1,
          "suppressed": {
            "baseline": 0,
            "comments": 0,
            "settings": 0
          }
        }"#]]
    .assert_eq(&serde_json::to_string_pretty(&report["summary"]).expect("JSON"));
    let sarif = check(&["--format", "sarif", "--max-findings", "2"]);
    let log: Value = serde_json::from_str(&sarif.stdout).expect("JSON");
    let (run, invocation) = (&log["runs"][0], &log["runs"][0]["invocations"][0]);
    assert_eq!((run["results"].as_array().map(Vec::len), &invocation["executionSuccessful"]), (Some(2), &true.into()));
    let said = &invocation["toolExecutionNotifications"][0];
    assert_eq!(
        (&said["level"], &said["message"]["text"]),
        (&"note".into(), &"1 finding is not listed (--max-findings)".into())
    );
}

/// Also where standard output and standard error are one file.
#[test]
fn the_summary_comes_last() {
    let folder = tempfile::tempdir().expect("a folder");
    let kernels = folder.path().join("kernels.cl");
    std::fs::write(&kernels, KERNELS).expect("it can be written");
    let path = folder.path().join("output");
    let output = File::create(&path).expect("it can be written");
    let status = Command::new(env!("CARGO_BIN_EXE_reconverge"))
        .args(["check", "--strict"])
        .arg(kernels)
        .current_dir(root())
        .stdout(output.try_clone().expect("a file"))
        .stderr(output)
        .status()
        .expect("the binary runs");
    assert_eq!(status.code(), Some(1));
    let text = std::fs::read_to_string(&path).expect("text");
    let (findings, summary) = text.rsplit_once("\n\n").expect("findings, then the summary");
    assert_eq!(findings.matches("[RC020").count(), 3, "{text}");
    assert_eq!(summary.lines().last(), Some("2 errors, 1 warning in 3 functions"));
}
