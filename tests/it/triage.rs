//! Findings that do not count: comments that allow them, severities, and what was known before.

use crate::common::{Folder, Run};
use expect_test::expect;
use serde_json::Value;

/// A barrier that half of a workgroup reaches.
const HALF: &str = "kernel void k(void) {
  if (get_local_id(0) < 16)
    barrier(CLK_LOCAL_MEM_FENCE);
  barrier(CLK_LOCAL_MEM_FENCE);
}
";

fn check(folder: &Folder, arguments: &[&str]) -> Run {
    folder.run(&[&["check"], arguments].concat())
}

fn check_text(name: &str, text: &str) -> Run {
    check(&Folder::with(&[(name, text)]), &["--short", &format!("DIR/{name}")])
}

/// `HALF` with a line before that of the barrier, and something behind it.
fn with_comment(before: &str, behind: &str) -> String {
    HALF.replacen("    barrier(CLK_LOCAL_MEM_FENCE);", &format!("{before}    barrier(CLK_LOCAL_MEM_FENCE);{behind}"), 1)
}

#[test]
fn a_comment_allows_the_finding_of_its_line_or_of_the_next_with_code() {
    let without = check_text("k.cl", HALF);
    assert_eq!((without.status, without.stdout.matches("RC0201").count()), (1, 1), "{without:?}");
    let allow = "reconverge: allow(RC0201) one subgroup runs it";
    for (before, behind) in [
        (format!("// {allow}\n"), String::new()),
        (format!("/* {allow} */ "), String::new()),
        (format!("  // {allow}\n\n  // at all\n"), String::new()),
        (String::new(), format!(" // {allow}")),
        (String::new(), format!(" /// {}", allow.replace("RC0201", "RC0209, rc0201").replace("RC0209, ", ""))),
        (String::new(), " // reconverge:allow( RC0201 ): one subgroup".to_owned()),
    ] {
        let run = check_text("k.cl", &with_comment(&before, &behind));
        assert_eq!((run.status, run.stdout.as_str()), (0, ""), "{before:?} {behind:?}: {run:?}");
        assert_eq!(run.last_line(), "no findings in 1 function; suppressed: 1 by comments");
    }
}

#[test]
fn a_comment_for_another_line_or_code_allows_nothing_and_is_told() {
    let allow = "// reconverge: allow(RC0201) one subgroup runs it";
    for text in [
        with_comment("", &format!("\n{allow}")),
        format!("{allow}\n{HALF}"),
        format!("{HALF}{allow}\n"),
        with_comment(&format!("{}\n", allow.replace("RC0201", "RC0202")), ""),
    ] {
        let run = check_text("k.cl", &text);
        assert_eq!(run.status, 1, "{text}");
        assert!(run.stdout.contains("error[RC0201]") && run.stdout.contains("warning[RC0701]"), "{text}{run:?}");
    }
    let run = check_text("k.cl", &format!("{}{allow}", HALF.replace("    barrier", "    ; // barrier")));
    assert_eq!(run.stdout, "k.cl:6:22: warning[RC0701]: this comment allows RC0201, and no code follows it\n");
    assert_eq!(run.status, 0);
}

#[test]
fn what_is_no_comment_allows_nothing() {
    for text in [
        with_comment("  {\n    (void)\"// reconverge: allow(RC0201) reason\";\n", "\n  }"),
        with_comment("", "char c = '\"'; (void)\"// reconverge: allow(RC0201) reason\";"),
        with_comment("// reconverge: threads meet here\n", ""),
    ] {
        let run = check_text("k.cl", &text);
        assert_eq!((run.status, run.stdout.lines().count()), (1, 1), "{text}{run:?}");
    }
}

#[test]
fn comments_that_are_not_understood_are_told() {
    let said = |comment: &str| {
        let run = check_text("k.cl", &with_comment(&format!("// {comment}\n"), ""));
        assert_eq!((run.status, run.stdout.lines().count()), (1, 2), "{run:?}");
        run.stdout.lines().next().expect("a line").to_owned()
    };
    let said: Vec<String> = [
        "reconverge: allow(RC0201)",
        "reconverge: allow(RC0291) a reason",
        "reconverge: allow(barriers) a reason",
        "reconverge: alow(RC0201) a reason",
        "reconverge: allow RC0201 a reason",
        "reconverge: allow() a reason",
        "reconverge: allow(RC0507) a reason",
        "reconverge: allow(RC0701) a reason",
    ]
    .map(said)
    .to_vec();
    expect![[r#"
        k.cl:3:4: warning[RC0702]: this comment allows nothing: it gives no reason; expected `reconverge: allow(RC0201) reason`
        k.cl:3:22: warning[RC0702]: this comment allows nothing: there is no diagnostic RC0291; did you mean RC0201?
        k.cl:3:22: warning[RC0702]: this comment allows nothing: there is no diagnostic barriers
        k.cl:3:4: warning[RC0702]: this comment allows nothing: expected `reconverge: allow(RC0201) reason`
        k.cl:3:4: warning[RC0702]: this comment allows nothing: expected `reconverge: allow(RC0201) reason`
        k.cl:3:4: warning[RC0702]: this comment allows nothing: expected `reconverge: allow(RC0201) reason`
        k.cl:3:22: warning[RC0702]: this comment allows nothing: `reconverge check` finds no RC0507 in programs
        k.cl:3:22: warning[RC0702]: this comment allows nothing: `reconverge check` finds no RC0701 in programs"#]].assert_eq(&said.join("\n"));
}

#[test]
fn comments_that_are_nearly_of_the_form_are_told() {
    for comment in [
        "reconverge allow(RC0201) a reason",
        "Reconverge: allow(RC0201) a reason",
        "RECONVERGE: ALLOW(RC0201) a reason",
        "reconverge allow RC0201 a reason",
        "reconverge-disable: RC0201",
        "reconverge: ignore RC0201 a reason",
    ] {
        let run = check_text("k.cl", &with_comment(&format!("// {comment}\n"), ""));
        let told =
            "k.cl:3:4: warning[RC0702]: this comment allows nothing: expected `reconverge: allow(RC0201) reason`";
        assert_eq!((run.status, run.stdout.lines().next()), (1, Some(told)), "{comment}: {run:?}");
    }
    for prose in
        ["Reconverge here", "reconverge allows no more", "reconverge all threads", "Reconvergence: allow(RC0201)"]
    {
        let run = check_text("k.cl", &with_comment(&format!("// {prose}\n"), ""));
        assert_eq!(run.stdout.lines().count(), 1, "{prose}: {run:?}");
    }
    let ir = check_text("f.ll", "; Reconverge: allow(RC0402) later\ndeclare void @f()\n");
    assert!(ir.stdout.starts_with("f.ll:1:3: warning[RC0702]"), "{ir:?}");
}

#[test]
fn unneeded_comments_are_judged_only_where_the_finding_was_looked_for() {
    for comment in ["allow(RC0402) later", "allow(RC0305) either way is right"] {
        let run = check_text("k.cl", &format!("// reconverge: {comment}\nkernel void k(void) {{}}\n"));
        assert_eq!(run.stdout, "", "{comment}");
    }
    let conditional = "#if N > 3\n// reconverge: allow(RC0201) full workgroups\n#endif\nkernel void k(void) {}\n";
    assert_eq!(check_text("k.cl", conditional).stdout, "");
    let hint = Folder::with(&[("f.ll", "; reconverge: allow(RC0402) later\ndeclare void @f()\n")]);
    assert_eq!(check(&hint, &["DIR/f.ll", "--short"]).stdout, "");
    assert!(check(&hint, &["DIR/f.ll", "--short", "--hints"]).stdout.contains("RC0701"));
}

/// A finding with several places is at the first.
#[test]
fn places_with_one_cause() {
    let allow = " // reconverge: allow(RC0209) one thread may leave";
    let check = |first: &str, second: &str| {
        let kernel = format!(
            "__global__ void k(int *p) {{\n  if (threadIdx.x < 3)\n    return;\n  __syncthreads();{first}\n  p[0] = 1;\n  \
             __syncthreads();{second}\n}}\n"
        );
        check_text("k.cu", &kernel)
    };
    assert!(check("", "").stdout.ends_with("(and 1 more place)\n"));
    let second = check("", allow);
    assert!(
        second.stdout.starts_with("k.cu:4:3: warning[RC0209]") && !second.stdout.contains("more place"),
        "{second:?}"
    );
    assert_eq!(second.stdout.lines().count(), 1, "the comment is needed: {second:?}");
    for second in ["", allow] {
        assert_eq!(check(allow, second).stdout, "");
    }
}

const IR: &str = "declare void @op() convergent

define void @f(ptr %p) {
  store [4 x i8] c\"; \\22r\", ptr %p
  call void @op() ; reconverge: allow(RC0401) callers do not diverge
  ret void
}
";

#[test]
fn comments_of_ir() {
    let run = check_text("f.ll", IR);
    assert_eq!((run.stdout.as_str(), run.last_line()), ("", "no findings in 1 function; suppressed: 1 by comments"));
    let run = check_text("f.ll", &IR.replace("; reconverge", ";; not reconverge"));
    assert!(run.stdout.contains("RC0401"), "{run:?}");
}

#[test]
fn suppressed_findings_are_marked() {
    let text = with_comment("// reconverge: allow(RC0201) one subgroup runs it\n", "");
    let folder = Folder::with(&[("k.cl", &text), ("half.cl", HALF)]);
    let json = check(&folder, &["DIR/k.cl", "DIR/half.cl", "--format", "json"]);
    let report: Value = serde_json::from_str(&json.stdout).expect("JSON");
    let diagnostic = |file: usize| &report["files"][file]["diagnostics"][0];
    let expected = serde_json::json!([{ "kind": "inSource", "justification": "one subgroup runs it" }]);
    assert_eq!((&diagnostic(0)["suppressions"], &diagnostic(1)["suppressions"]), (&expected, &Value::Null));
    assert_eq!(report["summary"]["suppressed"]["comments"], 1);
    let sarif = check(&folder, &["DIR/k.cl", "DIR/half.cl", "--format", "sarif"]);
    let log: Value = serde_json::from_str(&sarif.stdout).expect("JSON");
    let results = &log["runs"][0]["results"];
    assert_eq!((&results[0]["suppressions"], &results[1]["suppressions"]), (&expected, &serde_json::json!([])));
}

#[test]
fn severities() {
    let folder = Folder::with(&[("k.cl", HALF)]);
    let run = |severity: &str| check(&folder, &["--short", "DIR/k.cl", "--severity", severity]);
    let warning = run("RC0201=warning");
    assert_eq!(warning.status, 0);
    assert!(warning.stdout.contains("warning[RC0201]"), "{warning:?}");
    let off = run("rc0201=off");
    assert_eq!((off.status, off.last_line()), (0, "no findings in 1 function; suppressed: 1 by settings"));
    for (wrong, expected) in [
        ("RC0291=off", "there is no diagnostic `RC0291`; did you mean `RC0201`"),
        ("RC0201=of", "there is no level `of`; did you mean `off`?"),
        ("RC0201=severe", "there is no level `severe`; expected off, hint, warning, error"),
        ("RC0201", "expected CODE=LEVEL, such as RC0202=error"),
    ] {
        let run = run(wrong);
        assert_eq!(run.status, 2);
        assert!(run.stderr.contains(expected), "{wrong}: {}", run.stderr);
    }
}

#[test]
fn a_baseline_leaves_only_what_is_new() {
    let folder = Folder::with(&[("src/k.cl", HALF), ("src/other.cl", &HALF.replace("void k", "void other"))]);
    let written = check(&folder, &["DIR/src", "--write-baseline", "DIR/known.json"]);
    assert_eq!((written.status, written.stdout.as_str()), (0, ""), "{written:?}");
    assert_eq!(
        written.stderr,
        "2 findings written to known.json\nno findings in 2 functions of 2 files; suppressed: 2 by the baseline\n"
    );
    let text = folder.read("known.json");
    expect![[r#"
        {
          "version": 1,
          "findings": [
            {
              "path": "src/k.cl",
              "code": "RC0201",
              "function": "@k",
              "fingerprint": "a6a3f53cb9e86c1b",
              "places": 1
            },
            {
              "path": "src/other.cl",
              "code": "RC0201",
              "function": "@other",
              "fingerprint": "5faac48e93c55038",
              "places": 1
            }
          ]
        }
    "#]]
    .assert_eq(&text);

    let again = check(&folder, &["DIR/src/../src/k.cl", "--baseline", "DIR/known.json"]);
    assert_eq!((again.status, again.stdout.as_str()), (0, ""), "{again:?}");

    // Lines move, something else changes, and a second finding comes.
    let moved = HALF.replace("kernel", "// a comment\n\nvoid f(int *p) { *p = 1; }\n\nkernel");
    let second = "  if (get_local_id(0) == 2)\n    barrier(CLK_LOCAL_MEM_FENCE);\n  barrier(CLK_LOCAL_MEM_FENCE);\n}\n";
    let grown = format!("{}{second}", moved.strip_suffix("}\n").expect("the end"));
    folder.write("src/k.cl", &grown);
    let new = check(&folder, &["--short", "DIR/src", "--baseline", "DIR/known.json"]);
    assert_eq!((new.status, new.stdout.lines().count()), (1, 1), "{new:?}");
    assert!(new.stdout.starts_with("src/k.cl:10:5: error[RC0201]"), "{new:?}");
    assert!(new.last_line().ends_with("suppressed: 2 by the baseline"), "{new:?}");

    // The same finding in another file is new.
    folder.write("src/copy.cl", HALF);
    let copy = check(&folder, &["--short", "DIR/src/copy.cl", "--baseline", "DIR/known.json"]);
    assert_eq!((copy.status, copy.stdout.lines().count()), (1, 1), "{copy:?}");
}

/// Barriers in one branch are one finding with several places.
#[test]
fn a_new_place_of_a_finding_is_no_part_of_a_baseline() {
    let kernel = |barriers: usize| {
        let barrier = "    __syncthreads();\n".repeat(barriers);
        format!("__global__ void k() {{\n  if (threadIdx.x < 5) {{\n{barrier}  }}\n}}\n")
    };
    let folder = Folder::with(&[("k.cu", &kernel(2))]);
    check(&folder, &["DIR/k.cu", "--write-baseline", "DIR/known.json"]);
    let known = |barriers: usize| {
        folder.write("k.cu", &kernel(barriers));
        check(&folder, &["DIR/k.cu", "--baseline", "DIR/known.json"])
    };
    for fewer in [2, 1] {
        assert_eq!(known(fewer).stdout, "", "{fewer}");
    }
    let more = known(3);
    assert!(more.stdout.contains("= note: the baseline has this at 2 places; now it is at 3"), "{more:?}");
    assert_eq!(more.last_line(), "1 warning in 1 function");
    // Baselines of before have no numbers.
    let text = std::fs::read_to_string(folder.path("known.json")).expect("it was written");
    let before = text.replace(",\n      \"places\": 2", "");
    assert!(before.len() < text.len(), "{text}");
    folder.write("known.json", &before);
    assert_eq!(known(3).stdout, "");
}

#[test]
fn findings_that_a_baseline_has_and_a_program_has_not() {
    let folder = Folder::with(&[("a.cl", HALF), ("b.cl", HALF), ("c.cl", HALF)]);
    check(&folder, &["DIR", "--write-baseline", "DIR/known.json"]);
    let known = |inputs: &[&str]| check(&folder, &[inputs, &["--baseline", "DIR/known.json"]].concat());
    let none = known(&["DIR"]);
    assert!(!none.stderr.contains("gone"), "{none:?}");
    folder.write("a.cl", "kernel void k(void) {}\n");
    std::fs::remove_file(folder.path("b.cl")).expect("it is there");
    let gone = known(&["DIR"]);
    let line = "2 findings of the baseline are gone: --write-baseline known.json updates it";
    assert!(gone.stderr.lines().any(|said| said == line), "{gone:?}");
    assert!(gone.last_line().starts_with("no findings in 2 functions"), "{gone:?}");
    // What is not checked may be there.
    folder.write("b.cl", HALF);
    let one = known(&["DIR/c.cl"]);
    assert!(!one.stderr.contains("gone"), "{one:?}");
    let json = known(&["DIR", "--format", "json"]);
    let found: Value = serde_json::from_str(&json.stdout).expect("JSON");
    assert_eq!(found["summary"]["gone_from_baseline"], 1);
}

#[test]
fn baselines_that_cannot_be_used() {
    let files =
        [("k.cl", HALF), ("other.json", "{\"findings\": 3}"), ("later.json", "{\"version\": 9, \"findings\": []}")];
    let folder = Folder::with(&files);
    let said = |name: &str| {
        let run = check(&folder, &["DIR/k.cl", "--baseline", name]);
        assert_eq!((run.status, run.stdout.as_str()), (2, ""));
        run.stderr
    };
    expect![[r#"
        reconverge: none.json: cannot be read: No such file or directory
        reconverge: other.json: this is no baseline: invalid type: integer `3`, expected a sequence at line 1 column 14
        reconverge: later.json: this is a baseline of version 9; expected 1
    "#]]
    .assert_eq(&["DIR/none.json", "DIR/other.json", "DIR/later.json"].map(said).concat());
    let run = check(&folder, &["DIR/k.cl", "DIR/none.cl", "--write-baseline", "DIR/known.json"]);
    assert_eq!(run.status, 2);
    assert!(run.stderr.contains("known.json is not written: an input could not be used"), "{run:?}");
    assert!(!folder.path("known.json").exists());
    let run = check(&folder, &["DIR/k.cl", "--write-baseline", "DIR/k.cl"]);
    assert_eq!((run.status, folder.read("k.cl").as_str()), (2, HALF));
}
