//! `reconverge bisect`, through the binary. Most tests need an installed opt of LLVM 22; they are skipped without one, unless
//! `RECONVERGE_REQUIRE_LLVM=1`.

use std::path::Path;

use crate::common::{Run, installed, read, reconverge, root};
use serde_json::Value;

const NESTED: &str = "examples/bisect-nested-loops.ll";

/// Runs `bisect` with the modules kept in a folder.
fn bisect(folder: &Path, arguments: &[&str], input: &[u8]) -> Run {
    let keep = folder.display().to_string();
    reconverge(&[&["bisect", "--keep", &keep], arguments].concat(), input)
}

fn folder() -> tempfile::TempDir {
    tempfile::tempdir().expect("there is room")
}

fn json(run: &Run) -> Value {
    serde_json::from_str(&run.stdout).unwrap_or_else(|error| panic!("{error}: {run:?}"))
}

/// SimplifyCFG makes one loop of two whose headers it merges: the threads of one iteration of both are others then.
#[test]
fn a_pass_that_merges_loops_is_found() {
    if !installed("opt-22") {
        return;
    }
    let folder = folder();
    let run = bisect(folder.path(), &[NESTED, "--passes", "default<O2>", "--format", "json"], b"");
    assert_eq!(run.status, 1, "{run:?}");
    let report = json(&run);
    assert_eq!((&report["pass"], &report["name"]), (&"SimplifyCFGPass".into(), &"simplifycfg".into()));
    assert_eq!((&report["function"], &report["kernel"]), (&"@bits".into(), &"@bits".into()));
    assert_eq!((&report["kind"], &report["diagnostics"][0]["code"]), (&"communication".into(), &"RC0601".into()));
    assert_eq!(report["index"], report["steps"]);
    assert_eq!(report["witness"]["difference"]["kind"], "threads");
    // The modules are kept, and comparing them shows it.
    let kept = ["before", "after"].map(|side| report[side].as_str().expect("a path").to_owned());
    let [before, after] = &kept;
    let run = reconverge(&["validate", before, after, "--kernel", "bits", "-q"], b"");
    assert!(run.status == 1 && run.stdout.contains("RC0601"), "{run:?}");
    // One pass fewer is not enough.
    let limit = report["opt_bisect_limit"].as_u64().expect("a number");
    for (limit, status) in [(limit - 1, 0), (limit, 1)] {
        let limit = format!("-opt-bisect-limit={limit}");
        let output = std::process::Command::new("opt-22")
            .args(["-passes=default<O2>", &limit, "-S"])
            .arg(root().join(NESTED))
            .output()
            .expect("opt runs");
        let run = reconverge(&["validate", NESTED, "-"], &output.stdout);
        assert_eq!(run.status, status, "{limit}: {run:?}");
    }
}

#[test]
fn no_pass_is_no_pipeline() {
    let folder = folder();
    for passes in ["", " "] {
        let run = bisect(folder.path(), &[NESTED, "--passes", passes], b"");
        assert_eq!(run.status, 2, "{run:?}");
        assert!(run.stderr.contains("expected at least one pass, as in `gvn,simplifycfg`"), "{run:?}");
    }
}

#[test]
fn a_find_is_told_in_words() {
    if !installed("opt-22") {
        return;
    }
    let folder = folder();
    let run = bisect(folder.path(), &[NESTED, "--passes", "simplifycfg<no-keep-loops>"], b"");
    assert_eq!((run.status, run.stderr.as_str()), (1, ""));
    assert!(run.stdout.starts_with("step 1: SimplifyCFGPass on bits changes who communicates\n"), "{}", run.stdout);
    for expected in
        ["error[RC0601]", "→ ", "before: ", "kept: ", "to compare them: reconverge validate ", "-opt-bisect-limit=1 "]
    {
        assert!(run.stdout.contains(expected), "{expected}: {}", run.stdout);
    }
    // What the guide shows is what is printed, but for the folder.
    let shown = run.stdout.replace(&folder.path().display().to_string(), "reconverge-bisect");
    let rows = |text: &str| text.lines().filter(|line| line.contains("@llvm.")).map(str::to_owned).collect::<Vec<_>>();
    let guide = read("docs/using.md");
    for row in rows(&shown).iter().filter(|row| row.starts_with("error") || row.contains("ballot")) {
        let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>().join(" ");
        let alike = guide.lines().any(|line| words(line) == words(row));
        assert!(alike, "docs/using.md does not show: {row}");
    }
}

/// The program of docs/llvm-differences.md that `indvars` breaks.
#[test]
fn a_pass_that_breaks_the_static_rules_is_found() {
    if !installed("opt-22") {
        return;
    }
    let page = read("docs/llvm-differences.md");
    let program = page.split("```llvm\n").find(|part| part.starts_with("; broken by: indvars\n")).expect("it is there");
    let program = program.split("```").next().expect("a program");
    let folder = folder();
    for passes in ["indvars", "default<O1>"] {
        let run = bisect(folder.path(), &["-", "--passes", passes, "--format", "json"], program.as_bytes());
        assert_eq!(run.status, 1, "{run:?}");
        let report = json(&run);
        assert_eq!((&report["kind"], &report["pass"]), (&"rules".into(), &"IndVarSimplifyPass".into()));
        assert_eq!((&report["function"], &report["witness"]), (&"@f".into(), &Value::Null));
        assert_eq!(report["diagnostics"][0]["code"], "RC0102");
    }
    let run = bisect(folder.path(), &["-", "--passes", "indvars"], program.as_bytes());
    assert!(run.stdout.contains("IndVarSimplifyPass on loop %loop in function f breaks the rules"), "{}", run.stdout);
}

/// The programs of docs/llvm-differences.md that a pass makes others of.
#[test]
fn documented_passes_change_who_communicates() {
    if !installed("opt-22") {
        return;
    }
    let page = read("docs/llvm-differences.md");
    let programs: Vec<&str> = page
        .split("```llvm\n")
        .filter(|part| part.starts_with("; changed by: "))
        .filter_map(|part| part.split("```").next())
        .collect();
    assert!(programs.len() >= 3);
    let folder = folder();
    for program in programs {
        let stated = |key: &str| program.lines().find_map(|line| line.strip_prefix(key)).expect("both are stated");
        let (passes, model) = (stated("; changed by: "), stated("; model: "));
        let arguments = ["-", "--passes", passes, "--model", model, "--format", "json"];
        let report = json(&bisect(folder.path(), &arguments, program.as_bytes()));
        assert_eq!(report["kind"], "communication", "{passes}");
        let code = program.lines().find_map(|line| line.strip_prefix("; finding: ")).unwrap_or("RC0601");
        assert_eq!(report["diagnostics"][0]["code"], code, "{passes}");
        if model != "maximal" {
            let arguments = ["-", "--passes", passes, "--model", "maximal"];
            assert_eq!(bisect(folder.path(), &arguments, program.as_bytes()).status, 0, "{passes}");
        }
    }
}

#[test]
fn pipelines_that_change_nothing_of_it() {
    if !installed("opt-22") {
        return;
    }
    let folder = folder();
    for passes in ["sroa", "sroa,instcombine", "function(sroa,loop-simplify)", "loop-simplify,loop(loop-rotate)"] {
        let run = bisect(folder.path(), &[NESTED, "--passes", passes], b"");
        assert_eq!(run.status, 0, "{passes}: {run:?}");
        assert!(run.stdout.starts_with("no step of "), "{}", run.stdout);
    }
    let report = json(&bisect(folder.path(), &[NESTED, "--passes", "loop-simplify,instcombine", "--format=json"], b""));
    let nothing = [&report["pass"], &report["index"], &report["function"], &report["witness"]];
    assert!(nothing.iter().all(|field| field.is_null()), "{report}");
    assert!(std::fs::read_dir(folder.path()).expect("it is there").next().is_none(), "nothing is kept");
}

/// Source, bitcode and standard input; and the answer does not depend on how many threads look for it.
#[test]
fn inputs_of_every_kind() {
    if !installed("opt-22") {
        return;
    }
    let folder = folder();
    let passes = ["--passes", "simplifycfg<no-keep-loops>", "--format", "json"];
    let answer = |arguments: &[&str], input: &[u8]| {
        let run = bisect(folder.path(), &[arguments, &passes].concat(), input);
        assert_eq!(run.status, 1, "{run:?}");
        run.stdout
    };
    let of_file = answer(&[NESTED, "-j", "1"], b"");
    assert_eq!(of_file, answer(&[NESTED, "-j", "4"], b""));
    let of_input: Value = serde_json::from_str(&answer(&["-"], read(NESTED).as_bytes())).expect("JSON");
    assert_eq!(of_input["pass"], "SimplifyCFGPass");
    let bitcode = folder.path().join("kernel.bc");
    let path = root().join(NESTED);
    let made = std::process::Command::new("opt-22").arg("-passes=verify").arg(path).arg("-o").arg(&bitcode).status();
    assert!(made.is_ok_and(|status| status.success()));
    answer(&[&bitcode.display().to_string()], b"");
    let run = bisect(
        folder.path(),
        &["tests/cases/run/sub-group-functions.cl", "-D", "TYPE=int", "--passes", "function(sroa)", "--runs", "5"],
        b"",
    );
    assert_eq!(run.status, 0, "{run:?}");
}

/// What is in a function that is not convergent, passes may move as they like.
#[test]
fn functions_that_lack_the_attribute_are_told() {
    if !installed("opt-22") {
        return;
    }
    let ir = |attribute: &str| {
        format!(
            "target triple = \"amdgcn-amd-amdhsa\"
declare void @llvm.amdgcn.s.barrier() convergent
define void @f() {attribute} {{
  call void @llvm.amdgcn.s.barrier()
  ret void
}}
define amdgpu_kernel void @k() convergent {{
  call void @f()
  ret void
}}
"
        )
    };
    let told = |attribute: &str| bisect(folder().path(), &["-", "--passes", "sroa"], ir(attribute).as_bytes()).stderr;
    assert!(told("").contains("1 function lacks `convergent` (RC0401), so passes may change"), "{}", told(""));
    assert!(!told("convergent").contains("RC0401"), "{}", told("convergent"));
}

#[test]
fn what_cannot_be_used() {
    let folder = folder();
    let refusal = |arguments: &[&str], input: &str| {
        let run = bisect(folder.path(), arguments, input.as_bytes());
        assert_eq!((run.status, run.stdout.as_str()), (2, ""), "{arguments:?}: {run:?}");
        run.stderr
    };
    assert!(
        refusal(&[NESTED, "--passes", "sroa", "--opt", "nowhere"], "").contains("nowhere is no opt that can be run")
    );
    assert!(refusal(&[NESTED], "").contains("--passes"));
    if !installed("opt-22") {
        return;
    }
    assert!(refusal(&[NESTED, "--passes", "nonsense"], "").contains("unknown pass name 'nonsense'"));
    assert!(refusal(&[NESTED, "--passes", "sroa("], "").contains("invalid pipeline"));
    assert!(refusal(&["nowhere.ll", "--passes", "sroa"], "").contains("nowhere.ll: cannot be read"));
    assert!(refusal(&["examples", "--passes", "sroa"], "").contains("expected one file, not a folder"));
    assert!(refusal(&["-", "--passes", "sroa"], "define foo\n").contains("opt does not take it"));
    assert!(refusal(&[NESTED, "--passes", "sroa", "--kernel", "bit"], "").contains("did you mean @bits?"));
    assert!(refusal(&[NESTED, "--passes", "sroa", "--arg", "n=1"], "").contains("has no parameter n"));
}

/// Scripts that stand for opt: what ends early, and what the verifier rejects.
#[cfg(unix)]
mod stand_ins {
    use super::*;
    use crate::common::write_program;

    const FIRST: &str = "define void @f() {\\n  ret void\\n}\\n";
    const CHANGED: &str = "; *** IR Dump After TestPass on f ***\\ndefine void @f() {\\nentry:\\n  ret void\\n}\\n";

    /// An opt of a version that prints a module, then what is asked for.
    fn stand_in(folder: &Path, version: u32, stderr: &str, status: i32) -> String {
        let path = folder.join("opt");
        let text = format!(
            "if [ \"$1\" = --version ]; then echo 'LLVM version {version}.1.0'; exit 0; fi\n\
             case \"$*\" in\n*-passes=verify*) printf '{FIRST}';;\n*) printf '{stderr}' >&2; exit {status};;\nesac"
        );
        write_program(&path, &text);
        path.display().to_string()
    }

    fn run_with(folder: &Path, opt: &str) -> Run {
        bisect(
            folder,
            &["-", "--passes", "x", "--opt", opt, "--format", "json"],
            b"define void @f() {\n  ret void\n}\n",
        )
    }

    #[test]
    fn a_module_that_the_verifier_rejects_is_a_find() {
        let folder = folder();
        let says = format!(
            "{CHANGED}PHI node has no entry\\n  %%p = phi\\nLLVM ERROR: Broken function found after pass, aborted!\\n"
        );
        let run = run_with(folder.path(), &stand_in(folder.path(), 22, &says, 134));
        assert_eq!(run.status, 1, "{run:?}");
        let report = json(&run);
        assert_eq!((&report["kind"], &report["pass"]), (&"verifier".into(), &"TestPass".into()));
        assert_eq!(report["messages"][0], "PHI node has no entry");
    }

    #[test]
    fn an_opt_that_ends_early_is_no_answer() {
        let folder = folder();
        let says = format!("{CHANGED}LLVM ERROR: out of memory\\n");
        let run = run_with(folder.path(), &stand_in(folder.path(), 22, &says, 134));
        assert_eq!((run.status, run.stdout.as_str()), (2, ""), "{run:?}");
        assert!(
            run.stderr.contains("ended after TestPass on f") && run.stderr.contains("out of memory"),
            "{}",
            run.stderr
        );
        let run = run_with(folder.path(), &stand_in(folder.path(), 14, "", 0));
        assert!(run.status == 2 && run.stderr.contains("is of LLVM 14"), "{run:?}");
        let run = run_with(folder.path(), &stand_in(folder.path(), 17, "", 0));
        assert!(run.status == 0, "{run:?}");
    }
}
