//! Machine IR as an input: what `uniformity` and `cycles` say of it, and what other commands say.

use expect_test::expect;

use crate::common::{reconverge, root};

const LOOP: &str = "tests/conformance/machine-loop.mir";

/// A function that is understood between two that are not.
const BROKEN: &str = "---
name: twice
body: |
  bb.0:
    %0:vgpr_32 = IMPLICIT_DEF
    %0:vgpr_32 = IMPLICIT_DEF
...
---
name: good
body: |
  bb.0:
    liveins: $vgpr0
    %0:vgpr_32 = COPY $vgpr0
...
---
name: unclosed
body: |
  bb.0:
    S_NOP (0
...
";

#[test]
fn uniformity_has_the_shape_that_it_has_for_ir() {
    let run = reconverge(&["uniformity", "--format", "json", LOOP], b"");
    let found: serde_json::Value = serde_json::from_str(&run.stdout).unwrap();
    let function = &found["files"][0]["functions"][0];
    assert_eq!((function["name"].as_str(), function["target"].as_str()), (Some("@count"), Some("amdgpu")));
    assert_eq!(function["values"], serde_json::json!({ "total": 9, "divergent": ["%0", "%8"] }));
    assert_eq!(function["terminators"], serde_json::json!({ "total": 3, "branches": 1, "divergent": ["bb.1"] }));
    assert_eq!(function["cycles"], serde_json::json!({ "assumed_divergent": [], "divergent_exit": ["bb.1"] }));
    assert_eq!(run.status, 0);
}

#[test]
fn cycles_are_those_of_the_blocks() {
    let run = reconverge(&["cycles", LOOP], b"");
    expect![[r#"
        @count (tests/conformance/machine-loop.mir:4)
          cycle bb.1 (depth 1, reducible): bb.1

    "#]]
    .assert_eq(&run.stdout);
}

/// The content decides, also of standard input; a triple in the IR is the target.
#[test]
fn content_and_triple_decide() {
    let text = "--- |\n  target triple = \"nvptx64-nvidia-cuda\"\n...\n---\nname: f\nbody: |\n  bb.0:\n    successors: %bb.0\n...\n";
    let run = reconverge(&["uniformity", "-"], text.as_bytes());
    expect![[r#"
        reconverge: <stdin>: nothing is known of the machine registers of target `nvptx`; --target amdgpu analyses the code as that of an AMD GPU
    "#]]
    .assert_eq(&run.stderr);
    assert_eq!(run.status, 2);
    let run = reconverge(&["cycles", "-"], text.as_bytes());
    assert_eq!(run.status, 0);
    assert!(run.stdout.contains("cycle bb.0 (depth 1, reducible): bb.0"));
    assert_eq!(reconverge(&["uniformity", "-", "--target", "amdgpu"], text.as_bytes()).status, 0);
}

#[test]
fn a_function_that_is_not_understood_costs_no_other() {
    let run = reconverge(&["uniformity", "-"], BROKEN.as_bytes());
    assert!(run.stdout.starts_with("@good (<stdin>:9): 1 of 1 value"));
    expect![[r#"
        reconverge: <stdin>:6:5: %0 is defined a second time; uniformity is for functions in SSA form
        reconverge: <stdin>:19:11: this is not closed in its line
        1 of 1 value and 0 of 0 branches divergent in 1 function
    "#]]
    .assert_eq(&run.stderr);
    assert_eq!(run.status, 2);
    let run = reconverge(&["uniformity", "-", "--function", "good"], BROKEN.as_bytes());
    assert_eq!(run.status, 0);
    let run = reconverge(&["uniformity", "-", "--function", "goof"], BROKEN.as_bytes());
    assert_eq!(run.stderr, "reconverge: -: no function @goof has a body here; did you mean @good?\n");
}

#[test]
fn what_is_about_ir_is_refused() {
    for (arguments, expected) in [
        (&["uniformity", LOOP, "--scope", "workgroup"][..], "expected --scope subgroup"),
        (&["uniformity", LOOP, "--explain", "%8"], "--explain is not supported for machine IR"),
        (&["check", LOOP], "which `uniformity` and `cycles` read and other commands do not"),
        (&["regions", LOOP], "which `uniformity` and `cycles` read and other commands do not"),
        (&["run", LOOP, "--kernel", "count"], "which `uniformity` and `cycles` read and other commands do not"),
    ] {
        let run = reconverge(arguments, b"");
        let said = run.stderr;
        assert!(said.contains(expected) && said.lines().count() == 1, "{arguments:?}: {said}");
        assert_eq!(run.status, 2);
    }
}

/// A folder stands for no machine IR.
#[test]
fn folders_are_searched_for_other_files() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::copy(root().join(LOOP), folder.path().join("a.mir")).unwrap();
    std::fs::write(folder.path().join("a.ll"), "define void @f() {\n  ret void\n}\n").unwrap();
    let run = reconverge(&["check", folder.path().to_str().unwrap()], b"");
    assert_eq!((run.status, run.stderr.as_str()), (0, "no findings in 1 function\n"));
}
