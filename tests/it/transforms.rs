//! The transforms that the documents argue about, as programs before and after (`tests/cases/transforms`): `validate` says of each pair
//! what the document says, and the pass that does the transform does it or refuses it. And the options of passes.

use std::path::{Path, PathBuf};

use crate::common::{Run, reconverge};
use serde_json::Value;
use tempfile::TempDir;

/// A transform, as `expect.toml` says it.
#[derive(Debug, serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    /// The section of the document.
    section: String,
    /// `equal`, `different`, or `invalid`: the program after breaks static rules.
    verdict: String,
    /// The finding.
    code: Option<String>,
    /// The pass that would do it.
    pass: Option<String>,
    /// `accepted` or `refused`.
    pass_says: Option<String>,
    arguments: Vec<String>,
    block: u32,
    subgroup: u32,
}

fn cases() -> Vec<(PathBuf, Case)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/cases/transforms");
    let mut folders: Vec<PathBuf> = std::fs::read_dir(root)
        .expect("the cases are there")
        .map(|entry| entry.expect("it is readable").path())
        .collect();
    folders.sort();
    let case = |folder: PathBuf| {
        let text = std::fs::read_to_string(folder.join("expect.toml")).expect("each case has one");
        let case = toml::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
        (folder, case)
    };
    folders.into_iter().map(case).collect()
}

/// Compares two programs on launches of a case.
fn validate(case: &Case, before: &Path, after: &Path) -> (Run, Value) {
    let (block, subgroup) = (case.block.to_string(), case.subgroup.to_string());
    let (before, after) = (before.to_str().expect("a name"), after.to_str().expect("a name"));
    let mut arguments = vec!["validate", before, after, "--format", "json", "--runs", "20"];
    arguments.extend(["--block", &block, "--subgroup", &subgroup]);
    arguments.extend(case.arguments.iter().flat_map(|argument| ["--arg", argument]));
    let run = reconverge(&arguments, b"");
    let report = serde_json::from_str(&run.stdout).unwrap_or_else(|error| panic!("{before}: {error}: {run:?}"));
    (run, report)
}

fn is_equal(report: &Value) -> bool {
    let verdict = report["verdict"].as_str().expect("a verdict");
    verdict.starts_with("equal-in-") || verdict == "proved"
}

#[test]
fn each_verdict_is_that_of_the_document() {
    let cases = cases();
    assert!(cases.len() >= 24, "{}", cases.len());
    for (folder, case) in &cases {
        let (run, report) = validate(case, &folder.join("before.ll"), &folder.join("after.ll"));
        let codes: Vec<&str> = report["diagnostics"]
            .as_array()
            .expect("a list")
            .iter()
            .map(|found| found["code"].as_str().expect("a code"))
            .collect();
        let at = format!("{} ({}): {report:#}", folder.display(), case.section);
        match case.verdict.as_str() {
            "equal" => assert!(run.status == 0 && is_equal(&report), "{at}"),
            "different" => {
                assert!(run.status == 1 && report["verdict"] == "different", "{at}");
                assert!(report["witness"].is_object(), "{at}");
            }
            "invalid" => assert!(run.status == 1 && report["verdict"] == "not-compared", "{at}"),
            other => panic!("{}: an unknown verdict {other}", folder.display()),
        }
        assert!(case.code.iter().all(|code| codes.contains(&code.as_str())), "{at}");
    }
}

#[test]
fn each_pass_does_what_the_document_allows() {
    let folder = TempDir::new().expect("a folder");
    let output = folder.path().join("out.ll");
    let mut counts = [0, 0];
    for (case_folder, case) in cases() {
        let (Some(pass), Some(says)) = (&case.pass, &case.pass_says) else { continue };
        let before = case_folder.join("before.ll");
        let (input, to) = (before.to_str().expect("a name"), output.to_str().expect("a name"));
        let run = reconverge(&["transform", pass, input, "-o", to], b"");
        let read = |path: &Path| std::fs::read_to_string(path).expect("it is there");
        let is_changed = read(&before) != read(&output);
        match says.as_str() {
            "accepted" => assert!(run.status == 0 && is_changed, "{input}: {run:?}"),
            "refused" => assert!(run.status == 1 || !is_changed, "{input}: {run:?}"),
            other => panic!("{input}: a pass says {other}"),
        }
        counts[usize::from(is_changed)] += 1;
        let (_, report) = validate(&case, &before, &output);
        assert!(is_equal(&report), "{pass} of {input}: {report:#}");
    }
    assert!(counts.iter().all(|&count| count >= 7), "{counts:?}");
}

/// Three functions, of which two can be inlined, and two loops, of which one has four iterations.
const CALLS_AND_LOOPS: &str = r#"target triple = "spirv64-unknown-unknown"

declare token @llvm.experimental.convergence.entry() convergent
declare token @llvm.experimental.convergence.loop() convergent
declare i32 @_Z20sub_group_reduce_addi(i32) convergent

define i32 @sum(i32 %data) convergent {
  %all = call token @llvm.experimental.convergence.entry()
  %sum = call i32 @_Z20sub_group_reduce_addi(i32 %data) [ "convergencectrl"(token %all) ]
  ret i32 %sum
}

define i32 @twice(i32 %data) convergent {
  %all = call token @llvm.experimental.convergence.entry()
  %sum = call i32 @sum(i32 %data) [ "convergencectrl"(token %all) ]
  %both = add i32 %sum, %sum
  ret i32 %both
}

define spir_kernel void @rows(ptr %out, i32 %n) convergent {
start:
  %all = call token @llvm.experimental.convergence.entry()
  br label %four

four:
  %i = phi i32 [ 0, %start ], [ %next, %four ]
  %turn = call token @llvm.experimental.convergence.loop() [ "convergencectrl"(token %all) ]
  %s = call i32 @twice(i32 %i) [ "convergencectrl"(token %turn) ]
  store i32 %s, ptr %out
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, 4
  br i1 %more, label %four, label %many

many:
  %j = phi i32 [ 0, %four ], [ %after, %many ]
  %after = add i32 %j, 1
  %again = icmp ult i32 %after, %n
  br i1 %again, label %many, label %end

end:
  ret void
}
"#;

/// The result of `transform` with these arguments.
fn transformed(arguments: &[&str]) -> Run {
    reconverge(&[&["transform"], arguments, &["-", "-o", "-", "--quiet"]].concat(), CALLS_AND_LOOPS.as_bytes())
}

#[test]
fn passes_can_be_about_one_function_or_loop() {
    let count = |arguments: &[&str], what: &str| {
        let run = transformed(arguments);
        assert_eq!(run.status, 0, "{run:?}");
        run.stdout.matches(what).count()
    };
    let stores = "store i32";
    assert_eq!(count(&["unroll=4", "--loop", "four"], stores), 4);
    assert_eq!(count(&["unroll=4", "--loop", "many"], stores), 1);
    assert_eq!(count(&["unroll=4", "--loop", "many"], "add i32 %j"), 2);
    assert_eq!(count(&["unroll=4", "--function", "rows", "--loop", "%four"], stores), 4);
    assert_eq!(count(&["unroll=4", "--function", "@sum"], stores), 1);
    let (sum, twice) = ("call i32 @sum(", "call i32 @twice(");
    assert_eq!(
        (count(&["inline", "--function", "twice"], sum), count(&["inline", "--function", "twice"], twice)),
        (2, 0)
    );
    assert_eq!((count(&["inline", "--function", "sum"], sum), count(&["inline", "--function", "sum"], twice)), (0, 1));
    assert_eq!((count(&["inline"], sum), count(&["inline"], twice)), (0, 0));
}

#[test]
fn what_is_asked_for_and_not_there_is_named() {
    for (arguments, status, message) in [
        (
            &["unroll=2", "--loop", "nowhere"][..],
            1,
            "the loop at %nowhere stays as it is: no loop has this block as its header",
        ),
        (&["unroll=2", "--function", "nothing"], 2, "no function @nothing has a body here"),
        (&["inline", "--function", "twise"], 2, "no function @twise has a body here; did you mean @twice?"),
        (&["strip-tokens", "--function", "rows"], 2, "--function goes with inline and unroll"),
        (&["inline", "--loop", "four"], 2, "--loop goes with unroll"),
        (&["unrol=4"], 2, "there is no pass `unrol=4`; did you mean `unroll`?"),
        (&["unroll"], 2, "unroll: a number of iterations from 2 to 1024 is wanted, such as unroll=4"),
        (&["nothing"], 2, "there is no pass `nothing`; there are infer-tokens, strip-tokens, "),
        (&["inline=4"], 2, "there is no pass `inline=4`; did you mean `inline`?"),
        (&["unroll=1"], 2, "a number of iterations from 2 to 1024 is wanted"),
    ] {
        let run = transformed(arguments);
        assert!(run.status == status && run.stderr.contains(message), "{arguments:?}: {run:?}");
    }
}

/// Where tokens say more than threads usually do without them, taking them out is told.
#[test]
fn tokens_that_matter_are_missed() {
    let text = |used: &str| {
        format!(
            "declare void @op() convergent
declare token @llvm.experimental.convergence.entry() convergent
declare token @llvm.experimental.convergence.loop() convergent
define void @k(i1 %c) convergent {{
start:
  %entry = call token @llvm.experimental.convergence.entry()
  br label %loop
loop:
  %heart = call token @llvm.experimental.convergence.loop() [ \"convergencectrl\"(token %entry) ]
  call void @op() [ \"convergencectrl\"(token %heart) ]
  br i1 %c, label %loop, label %exit
exit:
  call void @op() [ \"convergencectrl\"(token {used}) ]
  ret void
}}
"
        )
    };
    let run = reconverge(&["transform", "strip-tokens", "-", "-o", "-"], text("%heart").as_bytes());
    let note = "<stdin>:13:3: note: @k: threads that leave the cycle at loop in different iterations may execute this together without its token (`reconverge validate` compares)\n";
    assert_eq!((run.status, run.stderr), (0, format!("{note}<stdin>: changed 1 function\n")));
    let run = reconverge(&["transform", "strip-tokens", "-", "-o", "-"], text("%entry").as_bytes());
    assert_eq!(run.stderr, "<stdin>: changed 1 function\n");
}

/// What a pass looks for, where it finds none of it.
#[test]
fn a_pass_that_changes_nothing_says_why() {
    let text = "define i32 @plain(i32 %n) {\nstart:\n  ret i32 %n\n}\n";
    let passes = [
        ("infer-tokens", "no function has convergent operations without tokens"),
        ("strip-tokens", "no function has tokens"),
        ("reduce-cycles", "no cycle has several entries"),
        ("hoist-anchors", "no anchor is on one side of a branch, or in the header of a cycle"),
        ("sink-anchors", "no anchor has a token that is used on one side of a branch only"),
        ("hoist-operations", "no convergent operation is on each side of a branch"),
        ("sink-operations", "no convergent operation has a result that is used on one side of a branch only"),
        ("infer-noconvergent", "whatever is convergent has to be, or is only declared"),
        ("inline", "no call is of a function that may be inlined"),
        ("unroll=2", "no function has a loop"),
    ];
    for (pass, why) in passes {
        let run = reconverge(&["transform", pass, "-", "--dry-run", "-o", "-"], text.as_bytes());
        assert_eq!((run.status, run.stdout.as_str()), (0, ""), "{pass}: {}", run.stderr);
        assert_eq!(run.stderr, format!("<stdin>: would change 0 functions: {why}\n"), "{pass}");
    }
}

/// An operation that may do more than give its result is refused with the rule, not in silence.
// conformance: operations/6
#[test]
fn a_texture_sample_is_refused_with_the_rule() {
    let sample = "../../tests/conformance/texture.ll";
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(sample).display().to_string();
    let run = reconverge(&["transform", "sink-operations", &path, "--dry-run"], b"");
    assert_eq!(run.status, 1, "{}", run.stderr);
    assert!(run.stdout.contains("no: @shade: sink @textureSample of %start to %then: "), "{}", run.stdout);
    // Used where it is, it is no candidate.
    let text = std::fs::read_to_string(&path).expect("it is there").replace("zeroinitializer", "%color");
    let run = reconverge(&["transform", "sink-operations", "-", "--dry-run"], text.as_bytes());
    assert_eq!((run.status, run.stdout.as_str()), (0, ""), "{}", run.stderr);
}

/// Threads that never diverge need no convergence, whatever the target is.
// conformance: operations/39a
#[test]
fn threads_that_never_diverge_need_no_convergence() {
    let text = "target triple = \"amdgcn-amd-amdhsa\"
declare void @op() convergent
define void @f() convergent {
  call void @op() convergent
  ret void
}
";
    let arguments = ["transform", "infer-noconvergent", "-", "-o", "-"];
    let run = reconverge(&arguments, text.as_bytes());
    assert_eq!(run.stdout, text, "{}", run.stderr);
    let run = reconverge(&[&arguments[..], &["--threads-never-diverge"]].concat(), text.as_bytes());
    assert_eq!(run.stdout, text.replace(" convergent", ""), "{}", run.stderr);
    let run = reconverge(&["transform", "strip-tokens", "-", "-o", "-", "--threads-never-diverge"], text.as_bytes());
    assert_eq!(run.status, 2, "{}", run.stderr);
}

/// A loop in which nothing would use a token gets no heart, and that is said.
// conformance: operations/28a
#[test]
fn a_loop_without_operations_gets_no_heart() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/conformance/idle-loop.ll").display().to_string();
    let run = reconverge(&["transform", "infer-tokens", &path, "--dry-run"], b"");
    let verdicts: Vec<&str> = run.stdout.lines().filter_map(|line| line.split_once(": ")).map(|line| line.1).collect();
    assert_eq!(
        verdicts,
        [
            "no: @kernel: a heart in %idle: no convergent operation is in its cycle, so nothing would use its token (Inferring Tokens)",
            "yes: @kernel: a heart in %busy: a convergent operation is in its cycle",
        ],
        "{}",
        run.stderr
    );
    let run = reconverge(&["transform", "infer-tokens", &path, "-o", "-"], b"");
    assert_eq!(run.stdout.matches("convergence.loop()").count(), 2, "one call and the declaration: {}", run.stdout);
}
