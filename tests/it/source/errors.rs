//! What is said of texts that are no programs.

use expect_test::{Expect, expect};

use super::{json, run_on, write};

/// What is wrong with a text that is no program: on standard error, with the place and a caret, and nothing else.
fn wrong(text: impl AsRef<[u8]>, expected: Expect) {
    let file = write("k.cl", text);
    let check = run_on(&file, "check", &["--frontend", "builtin"]);
    assert_eq!((check.status, &*check.stdout), (2, ""), "{check:?}");
    expected.assert_eq(&check.stderr);
    for verb in ["cycles", "uniformity"] {
        let run = run_on(&file, verb, &["--frontend", "builtin"]);
        assert_eq!((run.status, &*run.stdout, run.stderr), (2, "", check.stderr.clone()), "{verb}");
    }
    let run = run_on(&file, "check", &["--frontend", "builtin", "--format", "json"]);
    assert_eq!(run.status, 2);
    let error = &json(&run)["files"][0]["error"];
    assert!(error.is_string() || error.is_object(), "{}", run.stdout);
}

#[test]
fn bad_input() {
    wrong(
        "kernel void k() {\n  if (1) {\n",
        expect![[r#"
        reconverge: k.cl:2:10: this `{` is not closed
            2 |   if (1) {
              |          ^
    "#]],
    );
    wrong(
        "kernel void k();\n\n}\n",
        expect![[r#"
        reconverge: k.cl:3:1: this `}` closes nothing
            3 | }
              | ^
    "#]],
    );
    wrong(
        "#include \"k.cl\"\nkernel void k() {}\n",
        expect![[r#"
        reconverge: k.cl:1:10: files include each other more than 200 deep: the rest is not read (--limit include-depth=N raises this)
            1 | #include "k.cl"
              |          ^
          k.cl:1:10: `k.cl` is included here
    "#]],
    );
    wrong(
        "#define F(x) F(x) + G(x)\n#define G(x) F(x)\nkernel void k(global int *p) {\n  *p = F(1);\n}\n",
        expect![[r#"
            reconverge: k.cl:4:8: the function `F` is not declared
                4 |   *p = F(1);
                  |        ^
        "#]],
    );
    wrong(
        b"kernel void k() {\n  int caf\xe9 = 1;\n}\n",
        expect![[r#"
        reconverge: k.cl:2:10: what is not UTF-8 cannot stand here
            2 |   int caf� = 1;
              |          ^
    "#]],
    );
    wrong(
        "kernel void k() {\n  a: ;\n  a: ;\n}\n",
        expect![[r#"
        reconverge: k.cl:3:3: the label `a` stands twice in this function
            3 |   a: ;
              |   ^
          k.cl:2:3: it stands here before
    "#]],
    );
    wrong(
        "kernel void k() {\n  goto nowhere;\n}\n",
        expect![[r#"
        reconverge: k.cl:2:3: there is no label `nowhere` in this function
            2 |   goto nowhere;
              |   ^
    "#]],
    );
    wrong(
        "kernel void k() {\n  case 1: ;\n}\n",
        expect![[r#"
        reconverge: k.cl:2:3: `case` outside of a `switch`
            2 |   case 1: ;
              |   ^
    "#]],
    );
    wrong(
        "kernel void k() {\n  break;\n}\n",
        expect![[r#"
        reconverge: k.cl:2:3: `break` outside of a loop or `switch`
            2 |   break;
              |   ^
    "#]],
    );
    wrong(
        "kernel void k() {\n  continue;\n}\n",
        expect![[r#"
        reconverge: k.cl:2:3: `continue` outside of a loop
            2 |   continue;
              |   ^
    "#]],
    );
    wrong(
        "kernel void k() {\n  usnigned x;\n}\n",
        expect![[r#"
        reconverge: k.cl:2:3: `usnigned` is not a type
            2 |   usnigned x;
              |   ^
    "#]],
    );
}

#[test]
fn comments_in_other_encodings() {
    let text = b"// caf\xe9\n__global__ void k(int n) { if (threadIdx.x < 7) __syncthreads(); __syncthreads(); }\n";
    for verb in ["check", "uniformity"] {
        let run = run_on(&write("k.cu", text), verb, &["--frontend", "builtin"]);
        assert_eq!(run.status, i32::from(verb == "check"), "{run:?}");
        assert!(run.stderr.starts_with("k.cu:1:7: warning: the file is not UTF-8 from this byte on"), "{run:?}");
    }
}

#[test]
fn many_errors_are_cut_and_long_lines_too() {
    let text: String = (0..30).map(|number| format!("kernel void k{number}() {{ break; }}\n")).collect();
    let run = run_on(&write("k.cl", text), "check", &["--frontend", "builtin"]);
    assert_eq!(run.status, 2);
    assert_eq!(run.stderr.matches("`break` outside").count(), 20, "{}", run.stderr);
    assert!(run.stderr.contains("10 more errors are not shown"), "{}", run.stderr);

    let text = format!("kernel void k() {{ {}break; }}", "; ".repeat(500_000));
    let run = run_on(&write("k.cl", text), "check", &["--frontend", "builtin"]);
    assert_eq!(run.status, 2);
    assert!(run.stderr.len() < 1000, "{}", run.stderr.len());
    assert!(run.stderr.contains("k.cl:1:1000019: "), "{}", run.stderr);
}
