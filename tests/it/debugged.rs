//! IR with debug information is told in the words of the source that it names.

use std::collections::BTreeSet;
use std::process::Command;

use expect_test::expect;
use serde_json::Value;

use crate::common::{Folder, installed, read, root};

/// The kernel, and what a compiler makes of it in `/build`.
fn kernel() -> (String, String) {
    (read("tests/data/debugged/k.cl"), read("tests/data/debugged/k.ll"))
}

/// A folder with the IR, and what stands in `k.cl` beside it.
fn folder(source: Option<&str>) -> Folder {
    let folder = Folder::with(&[("k.ll", &kernel().1)]);
    if let Some(source) = source {
        folder.write("k.cl", source);
    }
    folder
}

fn json(folder: &Folder, arguments: &[&str]) -> Value {
    serde_json::from_str(&folder.run_here(arguments).stdout).expect("JSON")
}

#[test]
fn findings_are_in_the_source_beside_it() {
    let folder = folder(Some(&kernel().0));
    let run = folder.run_here(&["check", "k.ll"]);
    expect![[r#"
        warning[RC0202]: `barrier` in divergent control flow if `n` is less than `get_local_size(0)`: work-items of a work-group do not all reach it
         --> k.cl:4:5
          |
        2 |   int i = get_local_id(0);
          |           --------------- `get_local_id(0)`: differs between the work-items of a work-group
        3 |   if (i < n)
          |       ----- `i < n`: is computed from `get_local_id(0)`
        4 |     barrier(CLK_LOCAL_MEM_FENCE);
          |     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^ needs all work-items of the work-group
          |
          = note: in the IR: k.ll:12:3
          = help: move `barrier` to where all work-items of a work-group reach it, and leave in the branch only what some of them do
          = help: in `k`, block 6; `reconverge explain RC0202` says more

    "#]].assert_eq(&run.stdout);
}

#[test]
fn names_of_the_ir_are_for_whoever_wants_more() {
    let folder = folder(Some(&kernel().0));
    let run = folder.run_here(&["check", "-v", "k.ll"]);
    assert!(run.stdout.contains("--> k.ll:12:3") && run.stdout.contains("%5: is computed from %4"), "{}", run.stdout);
    assert!(run.stdout.contains("in the source: /build/k.cl:4:5"), "{}", run.stdout);
}

#[test]
fn json_has_both_places() {
    let folder = folder(Some(&kernel().0));
    let report = json(&folder, &["check", "--format", "json", "k.ll"]);
    let found = &report["files"][0]["diagnostics"][0];
    assert_eq!((&found["path"], &found["line"], &found["column"]), (&"k.cl".into(), &4.into(), &5.into()));
    assert_eq!(found["ir"], serde_json::json!({ "line": 12, "column": 3 }));
    assert_eq!((&found["function"], &found["block"]), (&"@k".into(), &"6".into()));
}

/// Where the file is not there, a value has the name of its variable beside that of the IR, which is shown.
#[test]
fn variables_have_names_where_their_file_is_missing() {
    let run = folder(None).run_here(&["check", "k.ll"]);
    expect![[r#"
        warning[RC0202]: @_Z7barrierj in divergent control flow if `n` (%1) is less than the extent of the workgroup in x: threads of a workgroup do not all reach it
          --> k.ll:12:3
           |
         5 |   %3 = call spir_func i64 @_Z12get_local_idj(i32 0) #0, !dbg !9
           |   ------------------------------------------------------------- %3: @_Z12get_local_idj differs between the threads of a workgroup (target spirv) (/build/k.cl:2:11)
         6 |   %4 = trunc i64 %3 to i32, !dbg !9
           |   --------------------------------- `i` (%4): is computed from %3 (/build/k.cl:2:11)
         7 |     #dbg_value(i32 %4, !7, !DIExpression(), !8)
         8 |   %5 = icmp sgt i32 %1, %4, !dbg !10
           |   ---------------------------------- %5: is computed from `i` (%4) (/build/k.cl:3:9)
         9 |   br i1 %5, label %6, label %7, !dbg !10
           |   -------------------------------------- the branch of 2: depends on %5 (/build/k.cl:3:9)
        ...
        12 |   call spir_func void @_Z7barrierj(i32 1) #0, !dbg !11
           |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ needs all threads of the workgroup
           |
           = note: in the source: /build/k.cl:4:5
           = help: move @_Z7barrierj to where all threads of a workgroup reach it, and leave in the branch only what some of them do
           = help: in @k, block 6; `reconverge explain RC0202` says more

    "#]].assert_eq(&run.stdout);
}

/// What stands in the lines of another version, or of another program, says nothing.
#[test]
fn a_file_that_does_not_fit_says_nothing() {
    let missing = folder(None).run_here(&["check", "k.ll"]).stdout;
    let (source, _) = kernel();
    let moved = format!("// one line more\n{source}");
    let renamed = source.replace("void k(", "void other(");
    for other in [moved.as_str(), &renamed, "", "kernel void k(global int *a, int n) {", "\u{0}\u{1}k\n"] {
        assert_eq!(folder(Some(other)).run_here(&["check", "k.ll"]).stdout, missing, "{other}");
    }
}

/// What debug information names is a regular file that is no larger than an input may be, or nothing.
#[test]
#[cfg(unix)]
fn nothing_but_a_regular_file_is_read() {
    let (source, ir) = kernel();
    let missing = folder(None).run_here(&["check", "k.ll"]).stdout;
    let folder = folder(None);
    std::fs::create_dir(folder.path("k.cl")).expect("it can be made");
    assert_eq!(folder.run_here(&["check", "k.ll"]).stdout, missing, "a folder");
    std::fs::remove_dir(folder.path("k.cl")).expect("it can be removed");
    assert!(Command::new("mkfifo").arg(folder.path("k.cl")).status().expect("it runs").success());
    assert_eq!(folder.run_here(&["check", "k.ll"]).stdout, missing, "a pipe");
    let folder = Folder::with(&[("in/k.ll", &ir), ("k.cl", &source)]);
    for name in ["../k.cl", "/dev/zero", "/proc/self/mem", "x/../../k.cl"] {
        let named =
            ir.replace("filename: \"k.cl\", directory: \"/build\"", &format!("filename: \"{name}\", directory: \"\""));
        folder.write("in/k.ll", &named);
        let run = folder.run_here(&["check", "in/k.ll"]);
        assert!(run.stdout.contains("--> in/k.ll:12:3"), "{name}: {}", run.stdout);
    }
}

#[test]
fn comments_of_both_texts_allow() {
    let (source, ir) = kernel();
    let of_source = source.replace("FENCE);", "FENCE); // reconverge: allow(RC0202) there are n work-items");
    let of_ir = ir.replace("!dbg !11\n  br", "!dbg !11 ; reconverge: allow(RC0202) there are n work-items\n  br");
    for (source, ir) in [(&of_source, &ir), (&source, &of_ir)] {
        let folder = Folder::with(&[("k.ll", ir), ("k.cl", source)]);
        let run = folder.run_here(&["check", "--short", "k.ll"]);
        assert_eq!(run.stdout, "", "{}", run.stderr);
    }
}

#[test]
fn questions_are_about_variables_and_lines() {
    let folder = folder(Some(&kernel().0));
    let run = folder.run_here(&["uniformity", "k.ll", "--explain", "i"]);
    expect![[r#"
        `get_local_id(0)` in `k` is divergent: it may differ between the threads of a sub-group
          k.cl:2:11: int i = get_local_id(0);
            source: `get_local_id(0)`: differs between the work-items of a sub-group

    "#]]
    .assert_eq(&run.stdout);
    let of_ir = folder.run_here(&["uniformity", "k.ll", "--explain", "%5"]);
    assert!(of_ir.stdout.contains("`i < n` in `k` is divergent"), "{}", of_ir.stdout);
    let line = folder.run_here(&["uniformity", "k.ll", "--explain", "k.cl:3"]);
    assert!(line.stdout.contains("the condition `i < n` in `k` is divergent"), "{}", line.stdout);
    let more = folder.run_here(&["uniformity", "-v", "k.ll", "--explain", "%4"]);
    assert!(more.stdout.contains("%4 in @k is divergent"), "{}", more.stdout);
}

#[test]
fn what_runs_show_is_in_the_source() {
    let folder = folder(Some(&kernel().0));
    let arguments = ["run", "k.ll", "--block", "4", "--arg", "0=u32[4]", "--arg", "1=2"];
    let run = folder.run_here(&arguments);
    assert!(run.stdout.contains("--> k.cl:4:5"), "{}", run.stdout);
}

/// Clang makes two functions of a kernel: in IR and in its source, one is listed, and has the name of the kernel in source.
#[test]
fn kernels_of_opencl_are_there_once() {
    if !installed("clang-22") {
        return;
    }
    let text = "kernel void k(global int *a, int n) {
  for (int i = 0; i < n; i++)
    if (get_local_id(0) < i)
      a[i] = sub_group_reduce_add(n);
}
kernel void twice(global int *a) { k(a, 3); }
";
    let folder = Folder::with(&[("k.cl", text)]);
    for level in ["-O0", "-O1"] {
        let mut clang = Command::new("clang-22");
        clang.args([
            "--target=spir64",
            "-cl-std=CL3.0",
            "-Xclang",
            "-finclude-default-header",
            "-Xclang",
            "-cl-ext=+all",
        ]);
        clang.args(["-g", level, "-S", "-emit-llvm", "-o"]);
        assert!(
            clang
                .args([folder.path(&format!("k{level}.ll")), folder.path("k.cl")])
                .status()
                .expect("it runs")
                .success()
        );
        for input in [&*format!("k{level}.ll"), "k.cl"] {
            let run = |verb: &str| folder.run_here(&[verb, "--frontend", "clang", "--format", "json", input]).stdout;
            for verb in ["uniformity", "cycles", "regions", "cfg"] {
                let report: Value = serde_json::from_str(&run(verb)).expect("JSON");
                let of_file = report["files"].get(0).unwrap_or(&report);
                let functions = of_file["functions"].as_array().unwrap_or_else(|| panic!("{verb}: {report}"));
                assert_eq!(functions.len(), 2, "{verb} {input} {level}: {report}");
            }
            let report: Value = serde_json::from_str(&run("check")).expect("JSON");
            assert_eq!(report["files"][0]["functions"], 2, "{input} {level}");
            let said = folder.run_here(&["check", "--frontend", "clang", input]).stdout;
            assert!(said.contains("in `k`") && !said.contains("_imp_"), "{input} {level}: {said}");
        }
    }
    let both = folder.run_here(&["check", "k-O0.ll", "k-O1.ll"]).stdout;
    assert!(both.contains("made from this file: k-O1.ll") && !both.contains("the same happens in"), "{both}");
}

/// Of what clang makes of kernels with verdicts, no finding is lost, and those of OpenCL have no name of the IR.
#[test]
fn no_finding_is_lost() {
    if !installed("clang-22") {
        return;
    }
    let mut findings = 0;
    for (name, level) in [("early-exits.cl", "-O0"), ("operands.cl", "-O1"), ("pipes.cl", "-O2"), ("races.cl", "-O2")] {
        let source = root().join("tests/judged").join(name);
        let folder = Folder::with(&[]);
        let mut clang = Command::new("clang-22");
        clang.args(["--target=spir64", "-cl-std=CL3.0", "-g", level, "-S", "-emit-llvm", "-o"]);
        assert!(clang.arg(folder.path("k.ll")).arg(source).status().expect("it runs").success(), "{name}");
        let places = |arguments: &[&str]| {
            let report = json(&folder, &[&["check", "--format", "json", "k.ll"], arguments].concat());
            let place = |found: &Value| {
                let at = found.get("ir").unwrap_or(found);
                [
                    &found["code"],
                    &found["severity"],
                    &found["function"],
                    &found["block"],
                    &at["line"],
                    &found["fingerprint"],
                ]
                .map(Value::to_string)
            };
            let found = report["files"][0]["diagnostics"].as_array().expect("a list");
            (found.len(), found.iter().map(place).collect::<BTreeSet<_>>())
        };
        assert_eq!(places(&[]), places(&["-v"]), "{name}");
        findings += places(&[]).0;
        let said = folder.run_here(&["check", "k.ll"]).stdout;
        let of_ir = said.lines().find(|line| line.contains('%') || line.contains('@') || line.contains("_Z"));
        assert_eq!(of_ir, None, "{name}");
    }
    assert!(findings >= 14, "{findings} findings");
}

/// Blocks have their names in a table, as they were given, and their lines below it.
#[test]
fn blocks_of_paths_are_found_in_the_source() {
    let folder = folder(Some(&kernel().0));
    let run = folder.run_here(&["trace", "k.ll", "--function", "k", "--thread", "2, 6, 7", "--thread", "2, 7"]);
    expect![[r#"
        @k (k.ll:3), maximal convergence

                 | 1 | 2 | 3
        thread 1 | 2 | 6 | 7
        thread 2 | 2 |   | 7

        the blocks in /build/k.cl:

        - 2: lines 2 to 3: int i = get_local_id(0);
        - 6: line 4: barrier(CLK_LOCAL_MEM_FENCE);
        - 7: lines 5 to 6: a[i] = n;

    "#]]
    .assert_eq(&run.stdout);
}
