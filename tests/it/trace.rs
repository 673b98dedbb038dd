//! `reconverge trace`: tables, formats, models, hierarchies, and paths that no thread can take.

use crate::common::{Run, examples, read, reconverge};
use expect_test::{Expect, expect};
use serde_json::Value;

const NATURAL_LOOP: &str = "define void @f(i1 %c) {
Entry:
  br label %H
H:
  br i1 %c, label %B, label %L
B:
  br label %L
L:
  br i1 %c, label %H, label %Exit
Exit:
  ret void
}
define void @other() {
  ret void
}
";

/// A loop that is left by two breaks to one block, and at its end.
const TWO_BREAKS: &str = "declare token @llvm.experimental.convergence.entry()
declare token @llvm.experimental.convergence.loop()
declare void @op() convergent
define void @f(i1 %c) convergent {
entry:
  %start = call token @llvm.experimental.convergence.entry()
  br label %for
for:
  %inner = call token @llvm.experimental.convergence.loop() [ \"convergencectrl\"(token %start) ]
  br i1 %c, label %b, label %e
b:
  br i1 %c, label %c2, label %d
d:
  br i1 %c, label %c2, label %for
c2:
  call void @op() [ \"convergencectrl\"(token %inner) ]
  br label %e
e:
  ret void
}
";

const IRREDUCIBLE: &str = "define void @f(i1 %c) {
Entry:
  br i1 %c, label %P, label %R
P:
  br label %Q
Q:
  br i1 %c, label %R, label %S
R:
  br label %S
S:
  br i1 %c, label %P, label %Exit
Exit:
  ret void
}
";

const LOOP_PATHS: [&str; 2] = ["Entry,H,B,L,H,L,Exit", "Entry,H,L,H,B,L,H,B,L,Exit"];
const BREAK_PATHS: [&str; 3] = ["entry,for,b,c2,e", "entry,for,b,d,c2,e", "entry,for,b,d,for,b,c2,e"];

/// Runs `trace` on @f of a text.
fn trace(text: &str, paths: &[&str], options: &[&str]) -> Run {
    let mut arguments = vec!["trace", "-", "--function", "f"];
    paths.iter().for_each(|path| arguments.extend(["--thread", path]));
    arguments.extend(options);
    reconverge(&arguments, text.as_bytes())
}

fn table(text: &str, paths: &[&str], options: &[&str], expected: Expect) {
    let run = trace(text, paths, options);
    assert_eq!((run.status, run.stderr.as_str()), (0, ""), "{}", run.stdout);
    expected.assert_eq(&run.stdout);
}

fn json(text: &str, paths: &[&str], options: &[&str]) -> Value {
    let run = trace(text, paths, &[&["--format", "json"], options].concat());
    assert_eq!(run.stderr, "");
    serde_json::from_str(&run.stdout).unwrap_or_else(|error| panic!("{error}: {run:?}"))
}

/// One line on standard error, nothing on standard output, status 2.
fn complaint(text: &str, paths: &[&str], options: &[&str], expected: Expect) {
    let run = trace(text, paths, options);
    assert_eq!((run.status, run.stdout.as_str()), (2, ""), "{}", run.stderr);
    assert_eq!(run.stderr.lines().count(), 1, "{}", run.stderr);
    expected.assert_eq(&run.stderr);
}

// conformance: uniformity/3
#[test]
fn the_first_table_of_the_document() {
    table(
        NATURAL_LOOP,
        &LOOP_PATHS,
        &[],
        expect![[r#"
            @f (<stdin>:1), maximal convergence

                     | 1     | 2  | 3  | 4  | 5  | 6  | 7  | 8  | 9  | 10 | 11
            thread 1 | Entry | H1 | B1 | L1 | H3 |    | L3 |    |    |    | Exit
            thread 2 | Entry | H2 |    | L2 | H4 | B2 | L4 | H5 | B3 | L5 | Exit

        "#]],
    );
}

#[test]
fn markdown() {
    table(
        NATURAL_LOOP,
        &["Entry,H,L,Exit", "Entry,H,B,L,Exit"],
        &["--format", "markdown"],
        expect![[r#"
            @f (<stdin>:1), maximal convergence

            |          | 1     | 2  | 3  | 4  | 5    |
            | -------- | ----- | -- | -- | -- | ---- |
            | thread 1 | Entry | H1 |    | L1 | Exit |
            | thread 2 | Entry | H2 | B1 | L2 | Exit |

        "#]],
    );
}

#[test]
fn three_models_side_by_side() {
    table(
        TWO_BREAKS,
        &BREAK_PATHS,
        &["--model", "all"],
        expect![[r#"
        @f (<stdin>:4), maximal convergence

                 | 1     | 2    | 3  | 4  | 5    | 6  | 7  | 8
        thread 1 | entry | for1 | b1 |    |      |    | c2 | e
        thread 2 | entry | for2 | b2 | d1 |      |    | c2 | e
        thread 3 | entry | for3 | b3 | d2 | for4 | b4 | c2 | e

        operations:

                 | 1      | 2       | 3       | 4
        thread 1 | %start | %inner1 |         | @op
        thread 2 | %start | %inner2 |         | @op
        thread 3 | %start | %inner3 | %inner4 | @op

        @f (<stdin>:4), controlled convergence

                 | 1     | 2    | 3  | 4  | 5  | 6    | 7  | 8  | 9
        thread 1 | entry | for1 | b1 |    | c2 |      |    |    | e
        thread 2 | entry | for2 | b2 | d1 | c2 |      |    |    | e
        thread 3 | entry | for3 | b3 | d2 |    | for4 | b4 | c2 | e

        operations:

                 | 1      | 2       | 3   | 4       | 5
        thread 1 | %start | %inner1 | @op |         |
        thread 2 | %start | %inner2 | @op |         |
        thread 3 | %start | %inner3 |     | %inner4 | @op

        @f (<stdin>:4), reconvergence at immediate post-dominators

                 | 1     | 2    | 3  | 4  | 5  | 6  | 7    | 8  | 9  | 10
        thread 1 | entry | for1 | b1 | c2 |    |    |      |    |    | e
        thread 2 | entry | for2 | b2 |    | d1 | c2 |      |    |    | e
        thread 3 | entry | for3 | b3 |    | d2 |    | for4 | b4 | c2 | e

        operations:

                 | 1      | 2       | 3   | 4   | 5       | 6
        thread 1 | %start | %inner1 | @op |     |         |
        thread 2 | %start | %inner2 |     | @op |         |
        thread 3 | %start | %inner3 |     |     | %inner4 | @op

    "#]],
    );
}

#[test]
fn the_default_model_depends_on_tokens() {
    assert_eq!(json(TWO_BREAKS, &BREAK_PATHS, &[])["model"], "controlled");
    assert_eq!(json(NATURAL_LOOP, &LOOP_PATHS, &[])["model"], "maximal");
}

/// The keys of what threads execute of a block.
fn keys(report: &Value, block: &str) -> Vec<Vec<u64>> {
    let of_thread = |thread: &Value| {
        let instances = thread["instances"].as_array().expect("a list").iter();
        let of_block = instances.filter(|instance| instance["block"] == block);
        of_block.map(|instance| instance["key"].as_u64().expect("a number")).collect()
    };
    report["threads"].as_array().expect("a list").iter().map(of_thread).collect()
}

#[test]
fn json_has_equal_keys_for_converged_instances() {
    let report = json(NATURAL_LOOP, &LOOP_PATHS, &[]);
    assert_eq!(report["function"], "@f");
    assert_eq!(report["threads"][0]["instances"].as_array().map(Vec::len), Some(7));
    let h = keys(&report, "H");
    assert_eq!((h[0].len(), h[1].len()), (2, 3));
    assert_eq!(h[0], h[1][..2]);
    let b = keys(&report, "B");
    assert!(!b[1].contains(&b[0][0]));
    assert_eq!(keys(&report, "Exit")[0], keys(&report, "Exit")[1]);
    assert_eq!(report["threads"][1]["instances"][8]["name"], "L5");
    assert_eq!(report["threads"][1]["instances"][8]["column"], 10);
}

#[test]
fn json_of_all_models_tells_sets_apart() {
    let report = json(TWO_BREAKS, &BREAK_PATHS, &["--model", "all"]);
    assert_eq!(report["model"], "all");
    let sets: Vec<(String, [bool; 2])> = report["models"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|model| {
            let of_thread = |thread: usize| {
                let operations = model["threads"][thread]["operations"].as_array().expect("a list");
                let found = operations.iter().find(|operation| operation["operation"] == "@op").expect("it calls @op");
                (found["kind"].clone(), found["key"].clone())
            };
            let [one, other, third] = [0, 1, 2].map(of_thread);
            (model["model"].as_str().expect("a name").to_owned(), [one == other, one == third])
        })
        .collect();
    let expected = [("maximal", [true, true]), ("controlled", [true, false]), ("ipdom", [false, false])];
    assert_eq!(sets, expected.map(|(model, sets)| (model.to_owned(), sets)));
}

// conformance: uniformity/10, 10a
#[test]
fn hierarchies() {
    let paths = ["Entry,P,Q,S,P,Q,R,S,Exit", "Entry,P,Q,R,S,Exit", "Entry,R,S,Exit"];
    table(
        IRREDUCIBLE,
        &paths,
        &["--hierarchy", "1"],
        expect![[r#"
            @f (<stdin>:1), maximal convergence, hierarchy 1 of 2 (headers R, S)

                     | 1     | 2  | 3  | 4  | 5  | 6  | 7  | 8  | 9
            thread 1 | Entry | P1 | Q1 | S1 | P3 | Q3 | R1 | S4 | Exit
            thread 2 | Entry | P2 | Q2 |    |    |    | R2 | S2 | Exit
            thread 3 | Entry |    |    |    |    |    | R3 | S3 | Exit

        "#]],
    );
    table(
        IRREDUCIBLE,
        &paths,
        &["--hierarchy", "2"],
        expect![[r#"
            @f (<stdin>:1), maximal convergence, hierarchy 2 of 2 (header P)

                     | 1     | 2  | 3  | 4  | 5  | 6  | 7  | 8  | 9  | 10 | 11 | 12
            thread 1 | Entry | P1 | Q1 |    | S1 | P3 | Q3 | R1 | S4 |    |    | Exit
            thread 2 | Entry | P2 | Q2 | R2 | S2 |    |    |    |    |    |    | Exit
            thread 3 | Entry |    |    |    |    |    |    |    |    | R3 | S3 | Exit

        "#]],
    );
    let [default, first, second] = [&[][..], &["--hierarchy", "1"], &["--hierarchy", "2"]]
        .map(|options| trace(IRREDUCIBLE, &paths, options).stdout);
    assert!(default == first || default == second);
    assert_ne!(first, second);
}

// conformance: uniformity/8a
#[test]
fn all_hierarchies() {
    let paths = ["Entry,P,Q,S,Exit", "Entry,R,S,P,Q,S,Exit"];
    table(
        IRREDUCIBLE,
        &paths,
        &["--all-hierarchies"],
        expect![[r#"
            @f (<stdin>:1), maximal convergence in 2 hierarchies

            hierarchy  | headers
            1 (LLVM's) | R, S
            2          | P

            thread | instance | thread | instance | converged in
            1      | Entry    | 2      | Entry    | all
            1      | P1       | 2      | P2       | 2
            1      | Q1       | 2      | Q2       | 2
            1      | S1       | 2      | S2       | none
            1      | S1       | 2      | S3       | 2
            1      | Exit     | 2      | Exit     | all

            3 of 6 pairs depend on the hierarchy

        "#]],
    );
    let report = json(IRREDUCIBLE, &paths, &["--all-hierarchies"]);
    assert_eq!(report["complete"], true);
    assert_eq!(report["hierarchies"].as_array().map(Vec::len), Some(2));
    for pair in report["pairs"].as_array().expect("a list") {
        let instance = |end: usize| {
            let thread = pair["threads"][end].as_u64().expect("a number") as usize - 1;
            let position = pair["instances"][end].as_u64().expect("a number") as usize;
            report["threads"][thread]["instances"][position].clone()
        };
        let (one, other) = (instance(0), instance(1));
        assert_eq!(one["block"], other["block"]);
        let same: Vec<usize> =
            (0..2).filter(|&place| one["keys"][place] == other["keys"][place]).map(|place| place + 1).collect();
        assert_eq!(pair["converged_in"], serde_json::json!(same));
    }
    // Cut off, and no choice at all.
    assert_eq!(json(IRREDUCIBLE, &paths, &["--all-hierarchies", "--max-hierarchies", "1"])["complete"], false);
    let run = trace(NATURAL_LOOP, &LOOP_PATHS, &["--all-hierarchies"]);
    assert!(run.stdout.contains("in 1 hierarchy") && run.stdout.contains("0 of "), "{}", run.stdout);
}

#[test]
fn anchors_together_or_alone() {
    let text = "declare token @llvm.experimental.convergence.anchor()
declare void @op() convergent
define void @f() {
  %a = call token @llvm.experimental.convergence.anchor()
  call void @op() [ \"convergencectrl\"(token %a) ]
  call void @op() [ \"convergencectrl\"(token %a) ]
  ret void
}
";
    table(
        text,
        &["0", "%0"],
        &["--anchor", "solo"],
        expect![[r#"
        @f (<stdin>:3), controlled convergence, anchors solo

                 | 1
        thread 1 | 0
        thread 2 | 0

        operations:

                 | 1  | 2     | 3     | 4  | 5     | 6
        thread 1 | %a | @op:5 | @op:6 |    |       |
        thread 2 |    |       |       | %a | @op:5 | @op:6

    "#]],
    );
    let table = trace(text, &["0", "%0"], &[]).stdout;
    assert!(table.ends_with("thread 1 | %a | @op:5 | @op:6\nthread 2 | %a | @op:5 | @op:6\n\n"), "{table}");
}

#[test]
fn names_that_end_with_digits() {
    let text = "define void @f(i1 %c) {
  br label %bb
bb:
  br i1 %c, label %bb, label %bb2
bb2:
  br i1 %c, label %bb, label %\"a, \\22b\\22\"
\"a, \\22b\\22\":
  ret void
}
";
    table(
        text,
        &["0,bb,bb,bb2,%\"a, \\22b\\22\""],
        &[],
        expect![[r#"
        @f (<stdin>:1), maximal convergence

                 | 1 | 2    | 3    | 4     | 5
        thread 1 | 0 | bb#1 | bb#2 | bb2#1 | "a, \22b\22"

    "#]],
    );
}

#[test]
fn parts_of_paths() {
    complaint(
        NATURAL_LOOP,
        &["H,L"],
        &[],
        expect![[r#"
        reconverge: @f: thread 1: begins at H, and the function begins at Entry (--partial lets a path begin anywhere)
    "#]],
    );
    complaint(
        NATURAL_LOOP,
        &["Entry,H,L"],
        &[],
        expect![[r#"
        reconverge: @f: thread 1: ends early, at L: its successors are H, Exit (--partial lets a path end anywhere)
    "#]],
    );
    let run = trace(NATURAL_LOOP, &["H,L", "B,L,H"], &["--partial"]);
    assert_eq!((run.status, run.stderr.as_str()), (0, ""));
    let with_dead_block = NATURAL_LOOP.replacen("Entry:", "Start:\n  br label %Entry\ndead:\n  br label %H\nEntry:", 1);
    complaint(
        &with_dead_block,
        &["dead,H"],
        &["--partial"],
        expect![[r#"
        reconverge: @f: thread 1: begins at dead, which the entry does not lead to
    "#]],
    );
}

#[test]
fn paths_that_no_thread_takes() {
    complaint(
        NATURAL_LOOP,
        &["Entry,H,L,Exit", "Entry,B,L,Exit"],
        &[],
        expect![[r#"
        reconverge: @f: thread 2: step 2: no edge leads from Entry to B; its successor is H
    "#]],
    );
    complaint(
        NATURAL_LOOP,
        &["Entry,H,L,Exit,Entry"],
        &[],
        expect![[r#"
        reconverge: @f: thread 1: step 5: no edge leads from Exit to Entry; it has no successors
    "#]],
    );
    complaint(
        NATURAL_LOOP,
        &["Enrty,H,L,Exit"],
        &[],
        expect![[r#"
        reconverge: @f: thread 1: step 1: no block is called Enrty; did you mean Entry?
    "#]],
    );
    complaint(
        NATURAL_LOOP,
        &["Entry,somewhere,L,Exit"],
        &[],
        expect![[r#"
        reconverge: @f: thread 1: step 2: no block is called somewhere; the blocks are Entry, H, B, L, Exit
    "#]],
    );
    complaint(
        NATURAL_LOOP,
        &[""],
        &[],
        expect![[r#"
        reconverge: @f: thread 1: step 1: expected the name of a block
    "#]],
    );
    complaint(
        NATURAL_LOOP,
        &["Entry,,H"],
        &[],
        expect![[r#"
        reconverge: @f: thread 1: step 2: expected the name of a block
    "#]],
    );
    // Parts are still connected.
    complaint(
        NATURAL_LOOP,
        &["H,Exit"],
        &["--partial"],
        expect![[r#"
        reconverge: @f: thread 1: step 2: no edge leads from H to Exit; its successors are B, L
    "#]],
    );
}

#[test]
fn what_cannot_be_asked() {
    complaint(
        NATURAL_LOOP,
        &LOOP_PATHS,
        &["--hierarchy", "2"],
        expect![[r#"
        reconverge: --hierarchy 2: the function has one cycle hierarchy
    "#]],
    );
    complaint(
        IRREDUCIBLE,
        &["Entry,R,S,Exit"],
        &["--hierarchy", "3"],
        expect![[r#"
        reconverge: --hierarchy 3: the function has 2 cycle hierarchies
    "#]],
    );
    complaint(
        NATURAL_LOOP,
        &LOOP_PATHS,
        &["--hierarchy", "1", "--model", "ipdom"],
        expect![[r#"
        reconverge: --model ipdom does not depend on cycle hierarchies, and so not on --hierarchy
    "#]],
    );
    complaint(
        NATURAL_LOOP,
        &LOOP_PATHS,
        &["--all-hierarchies", "--model", "ipdom"],
        expect![[r#"
        reconverge: --all-hierarchies takes --model maximal or controlled
    "#]],
    );
    complaint(
        "define",
        &["a"],
        &[],
        expect![[r#"
        reconverge: <stdin>:1:7: expected a type, found the end
    "#]],
    );
    let missing = NATURAL_LOOP.replace("@f", "@g");
    complaint(
        &missing,
        &["Entry"],
        &[],
        expect![[r#"
            reconverge: -: no function @f has a body here; did you mean @g?
        "#]],
    );
    let statuses = |arguments: &[&str]| reconverge(arguments, NATURAL_LOOP.as_bytes()).status;
    assert_eq!(statuses(&["trace", "-", "--function", "f"]), 2, "no threads");
    assert_eq!(statuses(&["trace", "-", "--thread", "Entry"]), 2, "no function");
    assert_eq!(statuses(&["trace", "-", "--function", "f", "--thread", "Entry", "--hierarchy", "0"]), 2);
    assert_eq!(statuses(&["trace", "-", "--function", "other", "--thread", "0"]), 0);
}

#[test]
fn a_program_without_order_is_a_finding() {
    let run = reconverge(
        &[
            "trace",
            "examples/broken-use-in-loop.ll",
            "--function",
            "missing_heart",
            "--thread",
            "entry,iteration,iteration,done",
        ],
        b"",
    );
    assert_eq!(run.status, 1);
    expect![[r#"
        @missing_heart (examples/broken-use-in-loop.ll:5), controlled convergence

        no table: @barrier1 and @barrier2 of thread 1 would be converged with each other
        The function breaks a rule about tokens; `reconverge check` says which.

    "#]]
    .assert_eq(&run.stdout);
}

/// A long path takes no longer than its length.
#[test]
fn many_iterations() {
    let path = format!("Entry,{}H,L,Exit", "H,B,L,".repeat(20_000));
    let report = json(NATURAL_LOOP, &[&path, &path], &[]);
    let h = keys(&report, "H");
    assert_eq!(h[0].len(), 20_001);
    assert_eq!(h[0], h[1]);
}

#[test]
fn every_example_says_which_blocks_there_are() {
    for path in examples() {
        let text = read(&path);
        let names = text.lines().filter_map(|line| line.strip_prefix("define ")?.split(['@', '(']).nth(1));
        for name in names {
            let run = reconverge(&["trace", "-", "--function", name, "--thread", "no.such.block"], text.as_bytes());
            assert_eq!((run.status, run.stdout.as_str()), (2, ""), "{}: {name}", path.display());
            let expected = format!("reconverge: @{name}: thread 1: step 1: no block is called no.such.block; ");
            assert!(run.stderr.starts_with(&expected), "{}", run.stderr);
        }
    }
}
