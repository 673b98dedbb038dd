//! Views for people who write passes: `uniformity --annotate`, `--diff` and `--against`, and scripts for `llvm-reduce`.

use std::path::Path;
use std::process::Command;

use serde_json::Value;

use crate::common::{Folder, examples, installed, read, reconverge, root};

/// The answers about a text, without the lines of functions.
fn answers(text: &str) -> Value {
    let run = reconverge(&["uniformity", "-", "--format", "json", "--input-format", "ll"], text.as_bytes());
    assert_eq!(run.status, 0, "{run:?}");
    serde_json::from_str(&run.stdout).expect("JSON")
}

/// Only comments are added: each line begins as it was, and all answers are the same. LLVM takes it, where it takes the module.
#[test]
fn an_annotated_module_is_the_same_module() {
    let is_taken = |text: &str| {
        let folder = Folder::with(&[("f.ll", text)]);
        let path = folder.path("f.ll");
        Command::new("opt-22")
            .args(["-passes=verify", "-disable-output"])
            .arg(path)
            .output()
            .map(|o| o.status.success())
    };
    let mut comments = 0;
    for path in examples().into_iter().filter(|path| path.extension().is_some_and(|end| end == "ll")) {
        let text = read(&path);
        let run = reconverge(&[Path::new("uniformity"), &path, Path::new("--annotate")], b"");
        if run.status == 2 {
            // It is no valid IR.
            assert_eq!(reconverge(&[Path::new("uniformity"), &path], b"").status, 2, "{}", path.display());
            continue;
        }
        let pairs = text.lines().zip(run.stdout.lines());
        for (line, annotated) in pairs {
            assert!(annotated.starts_with(line), "{}: {annotated}", path.display());
            comments += usize::from(annotated != line);
        }
        assert_eq!(text.lines().count(), run.stdout.lines().count());
        assert_eq!(answers(&text), answers(&run.stdout), "{}", path.display());
        if installed("opt-22") {
            let [before, after] = [&text, &run.stdout].map(|text| is_taken(text).expect("opt runs"));
            assert_eq!(before, after, "{}", path.display());
        }
    }
    assert!(comments > 100, "{comments} comments");
}

#[test]
fn what_is_annotated() {
    let run = reconverge(&["uniformity", "examples/scopes.ll", "--annotate"], b"");
    for (line, verdict) in [
        (
            "%tid = call",
            "; divergent: source: @llvm.amdgcn.workitem.id.x differs between the threads of a subgroup (target amdgpu)",
        ),
        ("%group = call", "; uniform in a workgroup"),
        ("%first = call", "; uniform in a subgroup"),
        ("%in_grid = add", "; uniform in the grid"),
        ("define amdgpu_kernel", "; %out: uniform in the grid; %n: uniform in the grid"),
    ] {
        let found = run.stdout.lines().find(|text| text.trim_start().starts_with(line)).expect(line);
        assert!(found.ends_with(verdict), "{found}");
    }
    for (arguments, expected) in [
        (&["examples/scopes.ll", "examples/refined.ll", "--annotate"][..], "--annotate takes 1 input, and there are 2"),
        (
            &["examples/scopes.ll", "--annotate", "--function", "scope"],
            "no function @scope has a body here; did you mean @scopes?",
        ),
        (&["examples/scopes.ll", "--annotate", "--format", "json"], "--annotate writes LLVM IR"),
        (&["examples/scopes.ll", "--annotate", "-o", "examples/scopes.ll"], "examples/scopes.ll"),
    ] {
        let run = reconverge(&[&["uniformity"], arguments].concat(), b"");
        assert!(run.status == 2 && run.stderr.contains(expected), "{run:?}");
    }
}

const BEFORE: &str = "target triple = \"nvptx64-nvidia-cuda\"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
define ptx_kernel void @k(ptr %out, i32 %n) {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %a = add i32 %n, 1
  %b = add i32 %tid, 2
  %1 = mul i32 %a, 3
  %2 = mul i32 %b, 5
  store i32 %1, ptr %out
  store i32 %2, ptr %out
  ret void
}
define void @gone() {
  ret void
}
";

/// Names are matched by name, numbers by what they compute and are used for: here they change places, and one is new.
#[test]
fn versions_are_compared_by_names_and_uses() {
    let after = BEFORE
        .replace("%a = add i32 %n, 1", "%a = add i32 %tid, 1")
        .replace("%b = add i32 %tid, 2", "%b = add i32 %n, 2")
        .replace(
            "  %1 = mul i32 %a, 3\n  %2 = mul i32 %b, 5\n",
            "  %1 = mul i32 %b, 5\n  %2 = xor i32 %n, 9\n  %3 = mul i32 %a, 3\n",
        )
        .replace(
            "  store i32 %1, ptr %out\n  store i32 %2, ptr %out\n",
            "  store i32 %3, ptr %out\n  store i32 %1, ptr %out\n",
        )
        .replace("@gone", "@new");
    let folder = Folder::with(&[("before.ll", BEFORE), ("after.ll", &after)]);
    let run = folder.run(&["uniformity", "--diff", "DIR/before.ll", "DIR/after.ll"]);
    assert_eq!(run.status, 0, "{run:?}");
    let expected = "@k
  became divergent, because now:
    %a (before.ll:6 -> after.ll:6)
      operand: %tid
    %3 (before.ll:8 -> after.ll:10, was %1)
      operand: %a
  became uniform, was divergent because:
    %b (before.ll:7 -> after.ll:7)
      operand: %tid
    %1 (before.ll:9 -> after.ll:8, was %2)
      operand: %b
\n";
    assert_eq!(run.stdout, expected);
    assert_eq!(
        run.stderr,
        "2 became divergent, 2 uniform, of 7 values and branches that both have, in 1 function; functions of before.ll only: @gone; 1 are in after.ll only; functions of after.ll only: @new\n"
    );
    let run = folder.run(&["uniformity", "--diff", "DIR/before.ll", "DIR/after.ll", "--format", "json"]);
    let report: Value = serde_json::from_str(&run.stdout).expect("JSON");
    assert_eq!(report["functions"][0]["became_divergent"][1]["name_before"], "%1");
    // A version is no other than itself.
    let run = folder.run(&["uniformity", "--diff", "DIR/after.ll", "DIR/after.ll"]);
    assert_eq!((run.stdout.as_str(), run.status), ("", 0));
    assert!(run.stderr.starts_with("0 became divergent, 0 uniform, of 8 values"), "{run:?}");
}

/// Clang makes two functions of a kernel of OpenCL: without passes, one calls the other.
#[test]
fn a_kernel_of_two_functions_is_one_in_both_versions() {
    let before = "target triple = \"spir64\"
declare spir_func i64 @_Z12get_local_idj(i32)
define spir_kernel void @k(ptr addrspace(1) %out) {
  call spir_func void @__clang_ocl_kern_imp_k(ptr addrspace(1) %out)
  ret void
}
define spir_func void @__clang_ocl_kern_imp_k(ptr addrspace(1) %0) {
  %2 = call spir_func i64 @_Z12get_local_idj(i32 0)
  %3 = mul i64 %2, 4
  %4 = getelementptr i8, ptr addrspace(1) %0, i64 %3
  store i64 %3, ptr addrspace(1) %4
  ret void
}
";
    let after = "target triple = \"spir64\"
declare spir_func i64 @_Z12get_local_idj(i32)
define spir_kernel void @k(ptr addrspace(1) %0) {
  %2 = tail call spir_func i64 @_Z12get_local_idj(i32 0)
  %3 = mul i64 %2, 4
  %4 = add i64 %3, 1
  %5 = getelementptr i8, ptr addrspace(1) %0, i64 %3
  store i64 %4, ptr addrspace(1) %5, !tbaa !0
  ret void
}
!0 = !{}
";
    let folder = Folder::with(&[("before.ll", before), ("after.ll", after)]);
    let run = folder.run(&["uniformity", "--diff", "DIR/before.ll", "DIR/after.ll"]);
    assert!(
        run.stderr.contains("of 4 values and branches that both have, in 1 function; 1 are in after.ll only"),
        "{run:?}"
    );
    // What a kernel is given is the same in all threads, in both.
    assert_eq!(run.stdout, "");
}

#[test]
fn source_is_compared_in_its_words() {
    let before = "__global__ void k(int *x, int n) {\n  int i = blockIdx.x;\n  if (i < n)\n    x[i] = 1;\n}\n";
    let after = before.replace("blockIdx.x", "threadIdx.x");
    let folder = Folder::with(&[("before.cu", before), ("after.cu", &after)]);
    let run = folder.run(&["uniformity", "--diff", "DIR/before.cu", "DIR/after.cu"]);
    assert!(run.stdout.starts_with("`k`\n  became divergent, because now:\n"), "{run:?}");
    assert!(run.stdout.contains("the condition `i < n` (before.cu:3 -> after.cu:3)\n"), "{run:?}");
    assert!(!run.stdout.contains(['%', '@']), "{run:?}");
}

#[test]
fn llvm_is_compared_with() {
    if !installed("opt-22") {
        return;
    }
    let run = reconverge(&["uniformity", "examples/refined.ll", "--against", "opt-22", "--format", "json"], b"");
    let report: Value = serde_json::from_str(&run.stdout).expect("JSON");
    let file = &report["files"][0];
    assert_eq!((&file["knows_divergence"], &file["compared"]), (&true.into(), &4.into()), "{report:#}");
    let differences = file["functions"][0]["differences"].as_array().expect("a list");
    let names: Vec<&str> = differences.iter().map(|one| one["name"].as_str().expect("a name")).collect();
    assert_eq!(names, ["%limit", "%copy", "%sum"]);
    assert!(differences.iter().all(|one| one["judgement"] == "finer" && one["llvm"] == "divergent"), "{report:#}");
    let run = reconverge(&["uniformity", "examples/refined.ll", "--against", "opt-22"], b"");
    assert!(run.last_line().starts_with("3 of 4 verdicts differ: 3 where LLVM is more cautious"), "{run:?}");
    // Where LLVM knows of no divergence, all would differ.
    let cpu = "target triple = \"x86_64-unknown-linux-gnu\"\ndefine i32 @f(i32 %x) {\n  %y = add i32 %x, 1\n  ret i32 %y\n}\n";
    let run = reconverge(&["uniformity", "-", "--against", "opt-22", "--target", "amdgpu"], cpu.as_bytes());
    assert!(run.stdout.is_empty() && run.stderr.contains("has no divergence analysis for the target"), "{run:?}");
    let run = reconverge(&["uniformity", "-", "--against", "no-such-opt"], cpu.as_bytes());
    assert!(run.status == 2 && run.stderr.contains("no-such-opt"), "{run:?}");
}

#[test]
fn llvm_is_compared_with_in_the_words_of_the_source() {
    if !installed("opt-22") {
        return;
    }
    let run = reconverge(&["uniformity", "examples/barrier-in-branch.cu", "--against", "opt-22"], b"");
    assert!(run.stdout.contains("`n` in `positive_sums` is uniform in the grid\n"), "{run:?}");
    assert!(run.stdout.contains("because of: promotable-allocas") && !run.stdout.contains(['%', '@']), "{run:?}");
}

/// Runs a script as `llvm-reduce` does.
#[cfg(unix)]
fn is_interesting(script: &Path, module: &Path) -> bool {
    let output = Command::new(script).arg(module).output().expect("it runs");
    assert!(output.stderr.is_empty() && output.status.code().is_some_and(|code| code < 2), "{output:?}");
    output.status.success()
}

#[cfg(unix)]
#[test]
fn a_script_finds_the_same_pass_again() {
    if !installed("opt-22") {
        return;
    }
    let folder = Folder::with(&[("harmless.ll", "define void @bits() {\n  ret void\n}\n")]);
    let input = root().join("examples/bisect-nested-loops.ll");
    let arguments = ["bisect", "IN", "--passes", "simplifycfg<no-keep-loops>", "--keep", "DIR/kept"];
    let run = |input: &Path, script: &str| {
        let input = input.display().to_string();
        let arguments = arguments.map(|word| if word == "IN" { input.as_str() } else { word });
        folder.run(&[&arguments[..], &["--interestingness", script]].concat())
    };
    let found = run(&input, "DIR/same.sh");
    assert!(found.status == 1 && found.stderr.contains("to make it smaller: llvm-reduce --test="), "{found:?}");
    let script = folder.path("same.sh");
    assert!(is_interesting(&script, &input));
    assert!(!is_interesting(&script, &folder.path("harmless.ll")));
    // There is nothing to find again.
    assert_eq!(run(&folder.path("harmless.ll"), "DIR/none.sh").status, 0);
    assert!(!folder.path("none.sh").exists());
}

#[cfg(unix)]
#[test]
fn a_script_finds_the_same_difference_again() {
    let change = "sed -e 's/ballot.i64(i1 %odd)/ballot.i64(i1 true)/'";
    let text = read("examples/change-before.ll");
    let after = text.replace("ballot.i64(i1 %odd)", "ballot.i64(i1 true)");
    assert_ne!(text, after);
    let other = text.replace("ballot.i64(i1 %odd)", "ballot.i64(i1 false)");
    let folder = Folder::with(&[("before.ll", &text), ("after.ll", &after), ("other.ll", &other)]);
    let arguments =
        ["validate", "DIR/before.ll", "DIR/after.ll", "--interestingness", "DIR/same.sh", "--change", change];
    let run = folder.run(&arguments);
    assert!(run.status == 1 && run.stderr.contains("to make it smaller"), "{run:?}");
    assert!(is_interesting(&folder.path("same.sh"), &folder.path("before.ll")));
    assert!(!is_interesting(&folder.path("same.sh"), &folder.path("other.ll")));
    let run = reconverge(&["validate", "a.ll", "b.ll", "--interestingness", "same.sh"], b"");
    assert!(run.status == 2 && run.stderr.contains("--change"), "{run:?}");
}
