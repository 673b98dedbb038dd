//! `reconverge uniformity`: listings, explanations, targets, and functions that are unlike what compilers make of kernels.

mod explanations;
mod names;

use crate::common::{Run, examples, read, reconverge};
use expect_test::{Expect, expect};
use serde_json::Value;

/// Runs `uniformity` on a text.
pub(crate) fn uniformity(arguments: &[&str], text: &str) -> Run {
    let arguments: Vec<&str> = ["uniformity", "-"].iter().chain(arguments).copied().collect();
    reconverge(&arguments, text.as_bytes())
}

pub(crate) fn json(arguments: &[&str], text: &str) -> Value {
    let run = uniformity(&[&["--format", "json"], arguments].concat(), text);
    assert_eq!(run.status, 0, "{run:?}");
    serde_json::from_str(&run.stdout).unwrap_or_else(|error| panic!("{error}: {run:?}"))
}

pub(crate) fn strings(value: &Value) -> Vec<&str> {
    value.as_array().expect("a list").iter().map(|item| item.as_str().expect("a string")).collect()
}

pub(crate) const KERNEL: &str = "target triple = \"nvptx64-nvidia-cuda\"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
define ptx_kernel void @kernel(i32 %n) {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %block = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %next = add i32 %i, %n
  %more = icmp ult i32 %next, %tid
  br i1 %more, label %loop, label %\"all done\"
\"all done\":
  %last = mul i32 %i, %block
  ret void
}
define i32 @helper(i32 %0) {
  %2 = add i32 %0, 1
  ret i32 %2
}
";

/// What `--explain` prints, without the title.
pub(crate) fn explained(arguments: &[&str], text: &str, expected: Expect) {
    let run = uniformity(arguments, text);
    assert_eq!((run.status, run.stderr.as_str()), (0, ""), "{}", run.stdout);
    expected.assert_eq(&run.stdout);
}

#[test]
fn a_listing() {
    let run = uniformity(&[], KERNEL);
    assert_eq!(run.status, 0);
    expect![[r#"
        @kernel (<stdin>:4): 3 of 6 values and 1 of 1 branch divergent
          cycles that threads leave in different iterations: loop
          entry
            %tid         source: @llvm.nvvm.read.ptx.sreg.tid.x differs between the threads of a subgroup (target nvptx)
          loop
            %more        operand: %tid
            branch       operand: %more
          "all done"
            %last        temporal: %i from the cycle at loop

        @helper (<stdin>:18): 1 of 1 value and 0 of 0 branches divergent
          parameters
            %0           source: a parameter: callers may pass different values to the threads of a subgroup
          1
            %2           operand: %0

    "#]]
    .assert_eq(&run.stdout);
    assert_eq!(run.stderr, "4 of 7 values and 1 of 1 branch divergent in 2 functions\n");
    let one = uniformity(&["--function", "@helper", "-j", "1"], KERNEL);
    assert!(run.stdout.ends_with(&one.stdout) && one.stdout.starts_with("@helper"), "{}", one.stdout);
    let quiet = uniformity(&["-q"], KERNEL);
    assert_eq!(quiet.stdout, "<stdin>: 4 of 7 values and 1 of 1 branch divergent in 2 functions\n");
    assert_eq!(quiet.stderr, "");
    let colored = uniformity(&["--color", "always"], KERNEL);
    assert!(colored.stdout.contains("\u{1b}[1;33msource"));
    assert_eq!(uniformity(&["-j", "1"], KERNEL).stdout, run.stdout);
}

#[test]
fn a_listing_as_json() {
    let report = json(&[], KERNEL);
    let functions = report["files"][0]["functions"].as_array().expect("a list");
    assert_eq!(functions.len(), 2);
    let kernel = &functions[0];
    assert_eq!(kernel["name"], "@kernel");
    assert_eq!((&kernel["target"], &kernel["scope"]), (&"nvptx".into(), &"subgroup".into()));
    assert_eq!(kernel["line"], 4);
    assert_eq!(kernel["values"]["total"], 6);
    assert_eq!(strings(&kernel["values"]["divergent"]), ["%tid", "%more", "%last"]);
    assert_eq!(kernel["parameters"]["total"], 1);
    assert!(strings(&kernel["parameters"]["divergent"]).is_empty());
    assert_eq!((&kernel["terminators"]["total"], &kernel["terminators"]["branches"]), (&3.into(), &1.into()));
    assert_eq!(strings(&kernel["terminators"]["divergent"]), ["loop"]);
    assert!(strings(&kernel["cycles"]["assumed_divergent"]).is_empty());
    assert_eq!(strings(&kernel["cycles"]["divergent_exit"]), ["loop"]);
    assert_eq!(strings(&functions[1]["parameters"]["divergent"]), ["%0"]);
    assert_eq!(strings(&functions[1]["values"]["divergent"]), ["%2"]);
}

#[test]
fn scopes() {
    let divergent = |scope: &str| {
        let report = json(&["--scope", scope, "--function", "kernel"], KERNEL);
        strings(&report["files"][0]["functions"][0]["values"]["divergent"]).join(" ")
    };
    assert_eq!(divergent("subgroup"), "%tid %more %last");
    assert_eq!(divergent("workgroup"), "%tid %more %last");
    assert_eq!(divergent("grid"), "%tid %block %more %last");
    explained(
        &["--explain", "%block", "--scope", "grid"],
        KERNEL,
        expect![[r#"
        %block in @kernel is divergent: it may differ between the threads of the grid, but not of a workgroup
          <stdin>:7:3: %block = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
            source: @llvm.nvvm.read.ptx.sreg.ctaid.x may differ between the threads of the grid (target nvptx)

    "#]],
    );
    explained(
        &["--explain", "%block"],
        KERNEL,
        expect![[r#"
        %block in @kernel is uniform in a workgroup
          <stdin>:7:3: %block = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()

    "#]],
    );
}

/// What examples say to try works, and says something about divergence.
#[test]
fn examples_can_be_asked_about() {
    let mut commands = 0;
    for path in examples() {
        for line in read(&path).lines() {
            let Some((_, command)) = line.split_once(": reconverge uniformity ") else { continue };
            assert!(command.starts_with(path.to_str().expect("a plain name")), "{line}");
            let arguments: Vec<&str> = ["uniformity"].into_iter().chain(command.split_whitespace()).collect();
            let run = reconverge(&arguments, b"");
            assert_eq!(run.status, 0, "{run:?}");
            assert!(run.stdout.contains("source: "), "{}", run.stdout);
            commands += 1;
        }
    }
    assert!(commands >= 6);
}

/// Every construct is analysed or taken to be divergent, at every scope, and can be asked about.
#[test]
fn unusual_functions() {
    for (divergent, text) in [
        ("", "define void @f() {\n  ret void\ngone:\n  %x = call i32 @g()\n  br label %gone\n}\ndeclare i32 @g()\n"),
        ("%x", "define void @f() {\n  br label %a\na:\n  %x = call i32 @g()\n  br label %a\n}\ndeclare i32 @g()\n"),
        ("%n", "define void @f(i1 %n) {\n  br i1 %n, label %a, label %b\na:\n  br label %b\nb:\n  br label %a\n}\n"),
        (
            "%to %x",
            "define void @f(ptr %to) {\n  indirectbr ptr %to, [label %a, label %b]\na:\n  br label %b\nb:\n  %x = phi i32 [ 1, %0 ], [ 2, %a ]\n  ret void\n}\n",
        ),
        (
            "%x",
            "define void @f() {\n  callbr void asm sideeffect \"\", \"!i\"() to label %a [label %b]\na:\n  br label %b\nb:\n  %x = phi i32 [ 1, %0 ], [ 2, %a ]\n  ret void\n}\n",
        ),
        (
            "%x %y",
            "declare i32 @g()\ndeclare i32 @p(...)\ndefine void @f() personality ptr @p {\n  %x = invoke i32 @g() to label %a unwind label %b\na:\n  ret void\nb:\n  %y = landingpad { ptr, i32 } cleanup\n  resume { ptr, i32 } %y\n}\n",
        ),
        (
            "%s %c",
            "declare void @g()\ndeclare i32 @p(...)\ndefine void @f() personality ptr @p {\n  invoke void @g() to label %a unwind label %d\na:\n  ret void\nd:\n  %s = catchswitch within none [label %h] unwind to caller\nh:\n  %c = catchpad within %s [ptr null]\n  catchret from %c to label %a\n}\n",
        ),
        (
            "%c",
            "declare void @g()\ndeclare i32 @p(...)\ndefine void @f() personality ptr @p {\n  invoke void @g() to label %a unwind label %d\na:\n  unreachable\nd:\n  %c = cleanuppad within none []\n  cleanupret from %c unwind to caller\n}\n",
        ),
        (
            "%n %m",
            "define void @f(i32 %n) {\n  switch i32 %n, label %a [ i32 1, label %a\n i32 2, label %b ]\na:\n  %m = add i32 %n, 1\n  ret void\nb:\n  ret void\n}\n",
        ),
    ] {
        let report = json(&["--function", "f"], text);
        let function = &report["files"][0]["functions"][0];
        let found = [strings(&function["parameters"]["divergent"]), strings(&function["values"]["divergent"])].concat();
        assert_eq!(found.join(" "), divergent, "{text}");
        let lines: Vec<String> = (1..=text.lines().count()).map(|line| format!("--explain=:{line}")).collect();
        for scope in ["subgroup", "workgroup", "grid"] {
            assert_eq!(uniformity(&["--scope", scope], text).status, 0);
            let mut arguments = vec!["--scope", scope];
            arguments.extend(lines.iter().map(String::as_str));
            let run = uniformity(&arguments, text);
            assert!(run.stdout.contains(" in @f is "), "{run:?}");
        }
    }
    let unreachable = "define void @f() {\n  ret void\ngone:\n  %x = call i32 @g()\n  ret void\n}\ndeclare i32 @g()\n";
    explained(
        &["--explain", "%x"],
        unreachable,
        expect![[r#"
        %x in @f is uniform in the grid
          <stdin>:4:3: %x = call i32 @g()
            no path leads here from the function's entry

    "#]],
    );
}
