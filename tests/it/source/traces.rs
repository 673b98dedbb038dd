//! Traces of source files, by the lines and the evaluations that their threads go through.

use expect_test::expect;
use serde_json::Value;

use super::json;
use crate::common::{Run, reconverge};

/// The JSON of a trace of a case: for each thread its cells, `name:key`.
fn trace(file: &str, function: &str, model: &str, threads: &[&str], more: &[&str]) -> Run {
    let path = format!("tests/cases/source/{file}");
    let mut arguments = vec!["trace", &path, "--function", function, "--model", model];
    threads.iter().for_each(|thread| arguments.extend(["--thread", thread]));
    arguments.extend(more);
    reconverge(&arguments, b"")
}

#[test]
fn traces_by_evaluations() {
    let threads = ["one,one,two,last", "one,two,one,two,last"];
    let run = trace("ambiguous-continue.cl", "loop_continue", "clang-2025-04", &threads, &[]);
    assert_eq!(run.status, 0, "{run:?}");
    expect![[r#"
        @loop_continue (tests/cases/source/ambiguous-continue.cl:9), clang-2025-04 (thread convergence, April 2025)

                 | 1    | 2    | 3    | 4    | 5
        thread 1 | one1 |      | one3 | two1 | last1
        thread 2 | one2 | two2 | one4 | two3 | last2

    "#]]
    .assert_eq(&run.stdout);
    let run = trace("ambiguous-nest.cl", "loop_nest", "clang-2025-04", &threads, &[]);
    expect![[r#"
        @loop_nest (tests/cases/source/ambiguous-nest.cl:8), clang-2025-04 (thread convergence, April 2025)

                 | 1    | 2    | 3    | 4    | 5    | 6
        thread 1 | one1 | one3 | two1 |      |      | last1
        thread 2 | one2 |      | two2 | one4 | two3 | last2

    "#]]
    .assert_eq(&run.stdout);
    let run = trace(
        "goto-backward.cl",
        "goto_backward",
        "clang-2025-04",
        &["start,jump,two,ask,leave,outside"; 2],
        &["--anchor", "solo"],
    );
    expect![[r#"
        @goto_backward (tests/cases/source/goto-backward.cl:21), clang-2025-04 (thread convergence, April 2025)

                 | 1      | 2     | 3    | 4    | 5      | 6    | 7    | 8      | 9
        thread 1 | start1 | jump1 | two1 | ask1 | leave1 |      |      |        | outside1
        thread 2 | start2 | jump2 |      |      |        | two2 | ask2 | leave2 | outside2

        where the implementation has a choice, no threads are converged:
          tests/cases/source/goto-backward.cl:29: which threads execute two together is up to the implementation: it is in a cycle made by a backward goto
          tests/cases/source/goto-backward.cl:30: which threads execute ask together is up to the implementation: it is in a cycle made by a backward goto
          tests/cases/source/goto-backward.cl:31: which threads execute leave together is up to the implementation: it is in a cycle made by a backward goto

    "#]].assert_eq(&run.stdout);
}

/// By each text, who evaluates an operand does so without those who do not come to it, and a condition leads where its value allows.
#[test]
fn traces_by_operands() {
    let threads = ["first,left,both,enough,rare,last", "first,right,both,last", "first,left,both,enough,last"];
    let run = trace("operands.cl", "operands", "all", &threads, &["--format", "json"]);
    let report: Value = serde_json::from_str(&run.stdout).expect("JSON");
    let models = report["models"].as_array().expect("three texts");
    let columns = |thread: &Value| -> Vec<String> {
        let cells = thread["instances"].as_array().expect("a list");
        cells.iter().map(|cell| format!("{}:{}", cell["block"].as_str().expect("a name"), cell["column"])).collect()
    };
    for model in models {
        let rows: Vec<String> =
            model["threads"].as_array().expect("a list").iter().map(|row| columns(row).join(" ")).collect();
        let expected = [
            "first:1 left:2 both:4 enough:5 rare:6 last:7",
            "first:1 right:3 both:4 last:7",
            "first:1 left:2 both:4 enough:5 last:7",
        ];
        assert_eq!(rows, expected, "{}", model["model"]);
    }
    let run = trace("operands.cl", "operands", "all", &["first,left,both,rare,last"], &[]);
    assert_eq!(
        run.stderr,
        "reconverge: @operands: thread 1: step 4: rare cannot follow both; what can is enough, last\n"
    );
}

#[test]
fn traces_as_json() {
    let threads = ["one,one,two,last", "one,two,one,two,last"];
    let run = trace("ambiguous-nest.cl", "loop_nest", "clang-2025-04", &threads, &["--format", "json"]);
    let report = json(&run);
    assert_eq!(
        (&report["function"], &report["model"], &report["line"]),
        (&"@loop_nest".into(), &"clang-2025-04".into(), &8.into())
    );
    let rows: Vec<Vec<(&str, u64)>> = report["threads"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|thread| thread["instances"].as_array().expect("a list"))
        .map(|row| row.iter().map(|one| (one["block"].as_str().expect("a name"), one["key"].as_u64().expect("a key"))))
        .map(Iterator::collect)
        .collect();
    assert_eq!(rows[0].iter().map(|&(name, _)| name).collect::<Vec<_>>(), ["one", "one", "two", "last"]);
    let together = |one: usize, other: usize| rows[0][one].1 == rows[1][other].1;
    assert!(together(0, 0), "the first `one`");
    assert!(!together(1, 2), "the second `one` of each is in another iteration");
    assert!(together(2, 1), "the first `two`");
    assert!(together(3, 4), "`last`");
    assert!(report["threads"][0]["instances"][0]["defined"].as_bool().expect("a truth"));
    assert_eq!(report["threads"][0]["instances"][2]["line"], 15);

    let run = trace("ambiguous-nest.cl", "loop_nest", "all", &threads, &["--format", "json"]);
    let report = json(&run);
    let models: Vec<&Value> = report["models"].as_array().expect("a list").iter().map(|one| &one["model"]).collect();
    assert_eq!(models, ["clang-2025-04", "tangles-2024-10", "clang-2025-08"]);
}

#[test]
fn traces_of_lowered_source_are_by_blocks() {
    let path = "tests/cases/source/branch.cl";
    let lowered = reconverge(&["lower", path, "-o", "-"], b"");
    assert_eq!(lowered.status, 0, "{lowered:?}");
    let function =
        lowered.stdout.lines().find_map(|line| line.strip_prefix("define spir_kernel void @")?.split('(').next());
    let function = function.expect("a kernel").to_owned();
    let trace = |model: &str| {
        let arguments = ["trace", path, "--function", &function, "--model", model, "--partial", "--thread", "entry"];
        reconverge(&arguments, b"")
    };
    for model in ["maximal", "controlled", "ipdom"] {
        let run = trace(model);
        assert_eq!(run.status, 0, "{run:?}");
        assert!(run.stdout.contains("entry"), "{run:?}");
    }
    assert!(trace("controlled").stdout.contains("operations:"), "it has tokens");
    assert!(!trace("maximal").stdout.contains("operations:"), "it has none");
}

#[test]
fn paths_that_no_thread_can_take() {
    let error = |threads: &[&str], more: &[&str]| {
        let run = trace("ambiguous-nest.cl", "loop_nest", "clang-2025-04", threads, more);
        assert_eq!((run.status, &*run.stdout), (2, ""), "{run:?}");
        run.stderr
    };
    expect![[r#"
        reconverge: @loop_nest: thread 1: step 2: last cannot follow one; what can is one, two
    "#]]
    .assert_eq(&error(&["one,last"], &[]));
    expect![[r#"
        reconverge: @loop_nest: thread 2: no evaluation is called tow; did you mean two?
    "#]]
    .assert_eq(&error(&["one,two,last", "one,tow,last"], &[]));
    expect![[r#"
        reconverge: @loop_nest: thread 1: no evaluation is called nonsense; there are one, two, last
    "#]]
    .assert_eq(&error(&["one,nonsense"], &[]));
    expect![[r#"
        reconverge: @loop_nest: thread 1: ends early, after two: what comes next is one or last (--partial lets a path end anywhere)
    "#]].assert_eq(&error(&["one,two"], &[]));
    expect![[r#"
        reconverge: @loop_nest: thread 1: expected the name of an evaluation
    "#]]
    .assert_eq(&error(&[""], &[]));
    expect![[r#"
        reconverge: --hierarchy and --all-hierarchies are about the cycles of IR; expected --model maximal or controlled with them
    "#]].assert_eq(&error(&["one,two,last"], &["--hierarchy", "1"]));
    let run = trace("ambiguous-nest.cl", "loop_nest", "clang-2025-04", &["one,two"], &["--partial"]);
    assert_eq!(run.status, 0, "{run:?}");
    let run = trace("ambiguous-nest.cl", "loop_nets", "clang-2025-04", &["one"], &[]);
    assert_eq!(run.status, 2);
    expect![[r#"
        reconverge: tests/cases/source/ambiguous-nest.cl: no function `loop_nets` has a body here; did you mean `loop_nest`?
    "#]]
    .assert_eq(&run.stderr);
    let run = reconverge(
        &["trace", "examples/exit-phi.ll", "--function", "f", "--model", "clang-2025-04", "--thread", "a"],
        b"",
    );
    assert_eq!(run.status, 2);
    assert!(run.stderr.contains("this is IR; expected --model controlled, maximal, ipdom or all"), "{run:?}");
}
