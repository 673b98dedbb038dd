//! The contract of the command line: statuses, inputs, formats.

use std::path::Path;
use std::process::{Command, Stdio};

use crate::common::{examples, read, reconverge, root};
use expect_test::expect;
use serde_json::Value;
use tempfile::TempDir;

const BROKEN: &str = "examples/broken-use-in-loop.ll";
const VALID: &str = "examples/valid-loop-heart.ll";
const WARNS: &str = "declare void @op() convergent
define void @f() {
  call void @op()
  ret void
}
";

fn json(arguments: &[&str], input: &[u8]) -> Value {
    let run = reconverge(arguments, input);
    serde_json::from_str(&run.stdout).unwrap_or_else(|error| panic!("{error}: {run:?}"))
}

fn strings(value: &Value) -> Vec<&str> {
    value.as_array().expect("a list").iter().map(|item| item.as_str().expect("a string")).collect()
}

#[test]
fn statuses() {
    let status = |arguments: &[&str], input: &str| reconverge(arguments, input.as_bytes()).status;
    assert_eq!(status(&["check", VALID], ""), 0);
    assert_eq!(status(&["check", BROKEN], ""), 1);
    assert_eq!(status(&["check", VALID, BROKEN], ""), 1);
    assert_eq!(status(&["check", BROKEN, "missing.ll"], ""), 2);
    assert_eq!(status(&["check", "-"], WARNS), 0);
    assert_eq!(status(&["check", "-", "--strict"], WARNS), 1);
    assert_eq!(status(&["--strict", "check", "-"], WARNS), 1);
    assert_eq!(status(&["check", "-"], ""), 0, "an empty module is a module");
    assert_eq!(status(&["check", "-"], "define"), 2);
    assert_eq!(status(&["check"], ""), 2);
    assert_eq!(status(&["check", VALID, "--nonsense"], ""), 2);
    assert_eq!(status(&["check", VALID, "-j", "0"], ""), 2);
    assert_eq!(status(&["check", VALID, "-j", "3"], ""), 0);
    assert_eq!(status(&["cycles", VALID, "--format", "sarif"], ""), 2);
    assert_eq!(status(&["cycles", BROKEN], ""), 0);
    assert_eq!(status(&["regions", BROKEN], ""), 0);
    assert_eq!(status(&["cycles", VALID, "--function", "missing"], ""), 2);
    assert_eq!(status(&["regions", VALID, "--function", "missing"], ""), 2);
    assert_eq!(status(&["uniformity", BROKEN], ""), 0);
    assert_eq!(status(&["uniformity", BROKEN, "missing.ll"], ""), 2);
    assert_eq!(status(&["uniformity", "-"], ""), 0, "an empty module is a module");
    assert_eq!(status(&["uniformity", "-", "--explain", "%x"], ""), 2);
    assert_eq!(status(&["uniformity", VALID, "--scope", "planet"], ""), 2);
    assert_eq!(status(&["explain", "rc0113"], ""), 0);
    assert_eq!(status(&["explain", "RC9999"], ""), 2);
}

/// Functions by the names that the source gives them; a name that there is not, with the one that may be meant.
#[test]
fn names_of_functions() {
    let ir = b"define void @first() {\n  ret void\n}\ndefine void @second() {\n  ret void\n}\n";
    let cuda = b"template <typename T> __device__ T same(T x) { return x; }\n__global__ void kernel_of_mine(int *p) { p[0] = same(1); }\n";
    for verb in ["uniformity", "cycles", "regions"] {
        let run = reconverge(&[verb, "-", "--function", "frist"], ir);
        let expected = "reconverge: -: no function @frist has a body here; did you mean @first?\n";
        assert_eq!((run.status, run.stderr.as_str()), (2, expected), "{verb}");
        let source = |name| reconverge(&[verb, "-", "--input-format", "cuda", "--function", name], cuda);
        assert_eq!(source("kernel_of_mine").status, 0, "{verb}");
        assert_eq!(source("same").status, 0, "{verb}");
        let run = source("kernel_of_me");
        assert!(run.stderr.ends_with("has a body here; did you mean `kernel_of_mine`?\n"), "{run:?}");
    }
    let trace = reconverge(&["trace", "-", "--function", "secnd", "--thread", "0"], ir);
    assert_eq!(trace.status, 2);
    assert!(trace.stderr.ends_with("no function @secnd has a body here; did you mean @second?\n"), "{trace:?}");
    let inline = |name| {
        let arguments = ["transform", "inline", "-", "--input-format", "cuda", "-o", "-", "--function", name];
        reconverge(&arguments, cuda)
    };
    let (written, same) = (reconverge(&["lower", "-", "--input-format", "cuda", "-o", "-"], cuda), inline("same"));
    let calls = |text: &str| text.matches("call i32 @_Z4same").count();
    assert_eq!((same.status, calls(&written.stdout), calls(&same.stdout)), (0, 1, 0), "{same:?}");
    let run = inline("sane");
    assert_eq!((run.status, run.stdout.as_str()), (2, ""), "{run:?}");
    let kernel = |name| {
        let run = ["run", "-", "--input-format", "cuda", "--arg", "p=u32[1]", "--kernel", name];
        reconverge(&run, cuda)
    };
    assert_eq!(kernel("kernel_of_mine").status, 0);
    let run = kernel("kernel_of_mind");
    assert_eq!(run.status, 2);
    assert!(run.stderr.contains("did you mean `kernel_of_mine`? The kernels are `kernel_of_mine`"), "{run:?}");
}

#[test]
fn every_verb_shows_an_example() {
    for verb in ["check", "uniformity", "cycles", "regions", "run", "explain", "doctor", "completions", "man"] {
        let run = reconverge(&[verb, "--help"], b"");
        assert_eq!(run.status, 0);
        let last = run.stdout.trim_end().lines().last().expect("some help");
        assert!(last.contains(verb) && last.contains("reconverge "), "{verb}: {last}");
    }
}

#[test]
fn findings_as_text() {
    let run = reconverge(&["check", "-"], WARNS.as_bytes());
    expect![[r#"
        warning[RC0401]: @f is not convergent but contains an uncontrolled convergent operation
         --> <stdin>:3:3
          |
        2 | define void @f() {
          | ---------------- lacks the convergent attribute
        3 |   call void @op()
          |   ^^^^^^^^^^^^^^^ depends on the threads that entered the function
          |
          = help: add `convergent` to the function
          = help: in @f, block 0; `reconverge explain RC0401` says more

    "#]]
    .assert_eq(&run.stdout);
    assert_eq!(run.stderr, "1 warning in 1 function\n");
    let quiet = reconverge(&["check", "-", "-q"], WARNS.as_bytes());
    assert_eq!((quiet.stdout, quiet.stderr), (run.stdout, String::new()));
    let colored = reconverge(&["check", "-", "--color", "always"], WARNS.as_bytes());
    assert!(colored.stdout.contains('\u{1b}'));
}

#[test]
fn places_far_apart_are_shown_apart() {
    let blocks: String = (0..1000).map(|number| format!("b{number}:\n  br label %b{}\n", number + 1)).collect();
    let text = format!(
        "declare void @op() convergent\ndefine void @f() {{\n  br label %b0\n{blocks}b1000:\n  call void @op()\n  ret void\n}}\n"
    );
    let run = reconverge(&["check", "-"], text.as_bytes());
    assert!(run.stdout.contains("--> <stdin>:2005:3") && run.stdout.contains("::: <stdin>:2:1"), "{}", run.stdout);
    assert!(run.stdout.lines().count() < 20);
}

#[test]
fn findings_as_json() {
    let report = json(&["check", "--format", "json", VALID, BROKEN, "missing.ll"], b"");
    let files = report["files"].as_array().expect("a list");
    assert_eq!(files.len(), 3);
    assert_eq!(files[0]["path"], VALID);
    assert_eq!(files[0]["diagnostics"].as_array().map(Vec::len), Some(0));
    let diagnostic = &files[1]["diagnostics"][0];
    assert_eq!(diagnostic["code"], "RC0113");
    assert_eq!(diagnostic["severity"], "error");
    assert_eq!(diagnostic["function"], "@missing_heart");
    assert_eq!(diagnostic["block"], "iteration");
    assert_eq!(diagnostic["line"], 11);
    assert!(diagnostic["column"].is_u64() && diagnostic["message"].is_string());
    let related = &diagnostic["related"][0];
    assert_eq!(related["line"], 7);
    assert!(related["column"].is_u64() && related["message"].is_string());
    assert!(files[2]["error"]["message"].as_str().is_some_and(|message| message.contains("cannot be read")));
    assert_eq!(files[2]["diagnostics"].as_array().map(Vec::len), Some(0));
    let report = json(&["check", "--format", "json", "-"], b"define void @f() {\n  nonsense\n}\n");
    assert_eq!((&report["files"][0]["error"]["line"], &report["files"][0]["error"]["column"]), (&2.into(), &3.into()));
}

/// What findings of a text have as fingerprints, in order.
fn fingerprints(arguments: &[&str], text: &str) -> Vec<String> {
    let report = json(&[&["check", "--format", "json"], arguments, &["-"]].concat(), text.as_bytes());
    let found = report["files"][0]["diagnostics"].as_array().expect("a list");
    found.iter().map(|one| one["fingerprint"].as_str().expect("a text").to_owned()).collect()
}

#[test]
fn fingerprints_stay_when_lines_move() {
    let ir = "declare void @op() convergent\n\ndefine void @f() {\n  call void @op()\n  ret void\n}\n\n\
              define void @g() {\n  call void @op()\n  ret void\n}\n";
    let cuda = "__global__ void k(int *p) {\n  if (threadIdx.x < 3)\n    __syncthreads();\n  p[0] = 1;\n  if (threadIdx.x < 5)\n    __syncthreads();\n  __syncthreads();\n}\n";
    for (text, options, count) in [(ir, &[][..], 2), (cuda, &["--input-format", "cuda"], 2)] {
        let before = fingerprints(options, text);
        assert_eq!(before.len(), count, "{before:?}");
        assert!(before.iter().all(|one| one.len() == 16) && before[0] != before[1], "{before:?}");
        let moved = text.replace("\n", "\n\n");
        assert_eq!(fingerprints(options, &moved), before);
        // Numbers of values and names of blocks are not in them.
        let renumbered = text.replace("  call void @op()", "  %1 = add i32 1, 2\n  br label %b\nb:\n  call void @op()");
        assert_eq!(fingerprints(options, &renumbered), before);
        // Another finding before it leaves that of a function alone.
        let other = "define void @e() {\n  call void @op()\n  ret void\n}\n";
        if options.is_empty() {
            assert_eq!(fingerprints(options, &format!("{other}{text}"))[1..], before);
        }
    }
}

#[test]
fn findings_as_sarif_that_validates() {
    // As published the schema has a stray bracket, which makes this no regular expression in Unicode mode.
    let schema = read("tests/data/sarif-schema-2.1.0.json").replace("-[a-zA-Z]{2}]?$", "-[a-zA-Z]{2}?$");
    let schema: Value = serde_json::from_str(&schema).expect("a schema");
    let validator = jsonschema::validator_for(&schema).expect("a valid schema");
    let mut arguments: Vec<String> =
        ["check", "--hints", "--format", "sarif", "missing file.ll", "-"].map(String::from).to_vec();
    arguments.extend(examples().iter().map(|path| path.display().to_string()));
    for input in [WARNS, "define", ""] {
        let run = reconverge(&arguments, input.as_bytes());
        let log: Value = serde_json::from_str(&run.stdout).expect("JSON");
        let errors: Vec<String> =
            validator.iter_errors(&log).map(|error| format!("{}: {error}", error.instance_path())).collect();
        assert_eq!(errors, Vec::<String>::new());
        let run = &log["runs"][0];
        assert_eq!(run["invocations"][0]["executionSuccessful"], false);
        let rules = run["tool"]["driver"]["rules"].as_array().expect("rules");
        for rule in rules {
            assert!(rule["fullDescription"]["text"].as_str().is_some_and(|text| text.len() > 20), "{rule}");
            let name = rule["name"].as_str().expect("a name");
            assert!(name.len() > 5 && name.chars().all(|character| character.is_ascii_alphanumeric()), "{rule}");
        }
        for result in run["results"].as_array().expect("results") {
            let index = result["ruleIndex"].as_u64().expect("an index") as usize;
            assert_eq!(rules[index]["id"], result["ruleId"]);
        }
    }
    assert!(!validator.is_valid(&serde_json::json!({ "version": "2.1.0" })), "the schema is in force");
}

/// From the cause to the finding, as viewers step through it.
#[test]
fn sarif_has_the_chain_of_a_finding() {
    let kernel = "kernel void k(void) {
  int me = get_local_id(0);
  int pair = me / 2;
  if (pair < 4)
    barrier(CLK_LOCAL_MEM_FENCE);
  barrier(CLK_LOCAL_MEM_FENCE);
}
";
    let log = json(&["check", "-", "--input-format", "cl", "--format", "sarif"], kernel.as_bytes());
    let result = &log["runs"][0]["results"][0];
    let steps = result["codeFlows"][0]["threadFlows"][0]["locations"].as_array().expect("a list");
    let line = |step: &Value| step["location"]["physicalLocation"]["region"]["startLine"].as_u64().expect("a line");
    assert_eq!(steps.iter().map(line).collect::<Vec<_>>(), [2, 3, 3, 4, 4, 5]);
    let rules = log["runs"][0]["tool"]["driver"]["rules"].as_array().expect("rules");
    let properties = |code: &str| &rules.iter().find(|rule| rule["id"] == code).expect("a rule")["properties"];
    let of = |code: &str| {
        let properties = properties(code);
        (strings(&properties["tags"])[2], &properties["precision"], &properties["problem.severity"])
    };
    assert_eq!(of("RC0201"), ("divergent-control-flow", &"very-high".into(), &"error".into()));
    assert_eq!(of("RC0202"), ("divergent-control-flow", &"medium".into(), &"warning".into()));
    assert_eq!(of("RC0402"), ("attributes", &"very-high".into(), &"recommendation".into()));
    let flat = json(&["check", "-", "--format", "sarif"], WARNS.as_bytes());
    assert_eq!(flat["runs"][0]["results"][0]["codeFlows"], serde_json::json!([]), "there is no chain");
}

#[test]
fn sarif_names_functions_as_they_are_written() {
    let kernel = "namespace n {
template <class T> __global__ void k(T *a) { if (threadIdx.x < 3) __syncthreads(); a[0] = 1; __syncthreads(); }
}
template __global__ void n::k<int>(int *a);
";
    let log = json(&["check", "-", "--input-format", "cuda", "--format", "sarif"], kernel.as_bytes());
    let function = &log["runs"][0]["results"][0]["locations"][0]["logicalLocations"][0];
    let name = |key: &str| function[key].as_str().expect("a name");
    assert_eq!((name("name"), name("fullyQualifiedName")), ("k<int>", "n::k<int>"));
    assert!(name("decoratedName").starts_with("_ZN1n1kIiEEvP"), "{function}");
    let log = json(&["check", "-", "--format", "sarif"], WARNS.as_bytes());
    let function = &log["runs"][0]["results"][0]["locations"][0]["logicalLocations"][0];
    assert!(function["decoratedName"].is_null() && function["name"] == function["fullyQualifiedName"], "{function}");
}

const NEST: &str = "define void @f(i1 %c) {
entry:
  br label %outer
outer:
  br label %inner
inner:
  br i1 %c, label %inner, label %latch
latch:
  br i1 %c, label %outer, label %left
left:
  br i1 %c, label %\"to the right\", label %done
\"to the right\":
  br label %left
done:
  ret void
}
define void @straight() {
  ret void
}
define void @two_entries(i1 %c) {
  br i1 %c, label %a, label %b
a:
  br label %b
b:
  br label %a
}
";

#[test]
fn cycles_as_text() {
    let run = reconverge(&["cycles", "-"], NEST.as_bytes());
    expect![[r#"
        @f (<stdin>:1)
          cycle outer (depth 1, reducible): outer latch + 1 in inner cycles
            cycle inner (depth 2, reducible): inner
          cycle left (depth 1, reducible): left "to the right"

        @two_entries (<stdin>:20)
          cycle b (depth 1, irreducible, entries b a): a b
            not m-converged (diverged-outside): threads that diverge in 0 enter the cycle at different entries

    "#]]
    .assert_eq(&run.stdout);
    assert_eq!(run.stderr, "4 cycles (1 irreducible, greatest depth 2) in 2 of 3 functions\n");
}

#[test]
fn cycles_as_json() {
    let report = json(&["cycles", "-", "--format", "json"], NEST.as_bytes());
    let functions = report["files"][0]["functions"].as_array().expect("a list");
    let names: Vec<&Value> = functions.iter().map(|function| &function["name"]).collect();
    assert_eq!(names, ["@f", "@straight", "@two_entries"]);
    let cycles = functions[0]["cycles"].as_array().expect("a list");
    let inner = cycles.iter().find(|cycle| cycle["header"] == "inner").expect("it is there");
    assert_eq!(strings(&inner["blocks"]), ["inner"]);
    assert_eq!((&inner["depth"], &inner["reducible"]), (&2.into(), &true.into()));
    let parent = &cycles[inner["parent"].as_u64().expect("a place") as usize];
    assert_eq!(parent["header"], "outer");
    assert_eq!(strings(&parent["blocks"]), ["outer", "inner", "latch"]);
    assert_eq!((&parent["parent"], &parent["depth"]), (&Value::Null, &1.into()));
    let irreducible = &functions[2]["cycles"][0];
    assert_eq!(irreducible["reducible"], false);
    assert_eq!(irreducible["entries"].as_array().map(Vec::len), Some(2));
}

#[test]
fn every_hierarchy() {
    let arguments = ["cycles", "-", "--all-hierarchies", "--function", "@two_entries", "--format", "json"];
    let report = json(&arguments, NEST.as_bytes());
    let function = &report["files"][0]["functions"][0];
    let headers: Vec<&Value> =
        function["hierarchies"].as_array().expect("a list").iter().map(|cycles| &cycles[0]["header"]).collect();
    assert_eq!(headers, ["b", "a"]);
    let report =
        |hierarchy: &str| json(&["cycles", "-", "--hierarchy", hierarchy, "--format", "json"], NEST.as_bytes());
    let only = |hierarchy: &str| report(hierarchy)["files"][0]["functions"].as_array().map(Vec::len);
    // Functions with one hierarchy have no second one.
    assert_eq!((only("1") > Some(1), only("2")), (true, Some(1)));
    assert_eq!(report("2")["files"][0]["functions"][0]["cycles"][0]["header"], "a");
    assert_eq!(function["complete"], true);
    assert_eq!(function["cycles"], Value::Null);
    let cut = reconverge(&["cycles", "-", "--all-hierarchies", "--max-hierarchies", "1"], NEST.as_bytes());
    assert!(cut.stdout.contains("cut off after 1"), "{}", cut.stdout);
}

#[test]
fn regions_as_text() {
    let run = reconverge(&["regions", "examples/valid-nested-loops.ll"], b"");
    assert!(run.stdout.starts_with("@nested (examples/valid-nested-loops.ll:"), "{}", run.stdout);
    assert!(run.stdout.contains("\n    %") && run.stdout.contains("live in "), "{}", run.stdout);
}

#[test]
fn regions_as_json() {
    let report = json(&["regions", VALID, "--format", "json"], b"");
    let function = &report["files"][0]["functions"][0];
    let regions = function["regions"].as_array().expect("a list");
    let kinds: Vec<&str> = regions.iter().map(|region| region["kind"].as_str().expect("a kind")).collect();
    assert_eq!(kinds, ["entry", "loop"]);
    assert_eq!((&regions[0]["parent"], &regions[1]["parent"]), (&Value::Null, &0.into()));
    assert!(regions[1]["uses"][0]["line"].is_u64());
    assert_eq!(regions[0]["blocks"][0]["block"], "entry");
}

#[test]
fn functions_are_named_with_or_without_sigil_and_quotes() {
    let text = b"define void @\"a b\"() {\n  ret void\n}\n";
    for name in ["a b", "@a b", "\"a b\"", "@\"a b\""] {
        let run = reconverge(&["cycles", "-", "--function", name], text);
        assert_eq!((run.status, run.stdout.as_str()), (0, "@\"a b\" (<stdin>:1)\n  no cycles\n\n"), "{name}");
    }
}

/// Words are found where words begin, in titles first; and by what they have in common with others.
#[test]
fn explain_finds_by_word() {
    let codes = |words: &[&str]| -> Vec<String> {
        let run = reconverge(&[&["explain"], words].concat(), b"");
        assert_eq!(run.status, 0, "{run:?}");
        run.stdout
            .lines()
            .filter_map(|line| line.get(..6).filter(|code| code.starts_with("RC")).map(str::to_owned))
            .collect()
    };
    let hang = codes(&["hang"]);
    assert!(hang.contains(&"RC0201".to_owned()) && hang.contains(&"RC0501".to_owned()), "{hang:?}");
    assert!(!hang.contains(&"RC0601".to_owned()), "a change is no hang: {hang:?}");
    assert!(codes(&["syncthreads"]).contains(&"RC0201".to_owned()));
    assert!(codes(&["barrier", "divergence"]).contains(&"RC0201".to_owned()));
    for words in [["syncwarp"], ["activemask"]] {
        assert_eq!(reconverge(&["explain", words[0]], b"").status, 0, "{words:?}");
    }
    assert_eq!(reconverge(&["explain", "sandwich"], b"").status, 2);
}

#[test]
fn explain_suggests() {
    let run = reconverge(&["explain", "RC0123"], b"");
    assert_eq!(run.status, 2);
    assert!(run.stderr.contains("did you mean") && run.stderr.contains("RC0113"), "{}", run.stderr);
    assert_eq!(run.stderr.lines().count(), 1);
}

#[test]
fn folders() {
    let folder = TempDir::new().expect("a folder");
    let write = |name: &str, content: &[u8]| {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().expect("it is in a folder")).expect("it can be made");
        std::fs::write(path, content).expect("it can be written");
    };
    for (name, content) in [
        ("b.ll", WARNS),
        ("a/z.ll", ""),
        ("a/b/c.ll", ""),
        ("k.cl", "kernel void k() {}"),
        ("m.bc", ""),
        ("notes.txt", "?"),
    ] {
        write(name, content.as_bytes());
    }
    let path = folder.path().to_str().expect("a plain name");
    let run = reconverge(&["check", path, "--format", "json"], b"");
    let report: Value = serde_json::from_str(&run.stdout).expect("JSON");
    let names: Vec<&str> = report["files"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|file| file["path"].as_str().expect("a path").strip_prefix(path).expect("inside"))
        .collect();
    assert_eq!(names, ["/a/b/c.ll", "/a/z.ll", "/b.ll", "/k.cl"]);
    assert_eq!((run.status, run.stderr), (0, format!("note: {path}: 1 file is not read yet (.bc)\n")));
    assert_eq!(reconverge(&["check", path, "-q", "--format", "json"], b"").stderr, "");

    let empty = TempDir::new().expect("a folder");
    let run = reconverge(&["check", empty.path().to_str().expect("a plain name")], b"");
    assert_eq!(run.status, 2);
    assert!(
        run.stderr.trim_end().ends_with("this folder has no .ll, .cl, .cu, .hip, .c or .cpp files"),
        "{}",
        run.stderr
    );
}

#[test]
fn kinds_that_are_not_read_yet() {
    let folder = TempDir::new().expect("a folder");
    let try_file = |name: &str, content: &[u8]| {
        let path = folder.path().join(name);
        std::fs::write(&path, content).expect("it can be written");
        let run = reconverge(&[Path::new("check"), &path], b"");
        assert!(run.stderr.lines().count() == 1, "{}", run.stderr);
        (run.status, run.stderr)
    };
    for (name, content) in
        [("k.bc", &b"BC\xc0\xde\x35\x14"[..]), ("k.ll", b"BC\xc0\xde"), ("w.bc", b"\xde\xc0\x17\x0b\0\0\0\0")]
    {
        let (status, message) = try_file(name, content);
        assert_eq!(status, 2);
        assert!(message.contains("bitcode is not read yet") && message.contains("llvm-dis "), "{message}");
    }
    assert_eq!(try_file("text.bc", b"define void @f() {\n  ret void\n}\n").0, 0, "content comes first");
    let run = reconverge(&["check", "-"], b"BC\xc0\xde");
    assert_eq!(run.status, 2);
    assert!(run.stderr.contains("llvm-dis"), "{}", run.stderr);
    let run = reconverge(&["check", VALID, "--input-format", "cuda", "--frontend", "builtin"], b"");
    assert_eq!(run.status, 2, "it is not CUDA: {}", run.stderr);
}

#[test]
fn files_that_cannot_be_read() {
    let folder = TempDir::new().expect("a folder");
    let link = folder.path().join("nowhere.ll");
    #[cfg(unix)]
    std::os::unix::fs::symlink("does-not-exist", &link).expect("a link");
    let run = reconverge(&[Path::new("check"), &link, Path::new(BROKEN)], b"");
    assert_eq!(run.status, 2);
    assert!(run.stderr.contains("nowhere.ll: cannot be read: "), "{}", run.stderr);
    assert!(run.stdout.contains("RC0113"), "the others are checked all the same");

    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let path = folder.path().join("locked.ll");
        std::fs::write(&path, "").expect("it can be written");
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o000)).expect("it can be locked");
        // Root reads everything.
        if std::fs::read(&path).is_err() {
            assert_eq!(reconverge(&[Path::new("check"), &path], b"").status, 2);
        }
    }
}

#[test]
fn a_binary_file_gets_one_clear_line() {
    let run = reconverge(&["check", "-"], b"\x7fELF\x02\x01\x01\0\0\0\0");
    assert_eq!(run.status, 2);
    assert!(run.stderr.starts_with("reconverge: <stdin>:1:1: "), "{}", run.stderr);
    assert!(run.stderr.contains("binary") && run.stderr.lines().count() == 1, "{}", run.stderr);
}

#[test]
fn nobody_reads_the_output() {
    // More than a pipe holds.
    let function = |index: usize| format!("define void @f{index}() {{\n  call void @op()\n  ret void\n}}\n");
    let text: String =
        std::iter::once("declare void @op() convergent\n".to_owned()).chain((0..5000).map(function)).collect();
    let folder = TempDir::new().expect("a folder");
    let path = folder.path().join("many.ll");
    std::fs::write(&path, text).expect("it can be written");
    let mut child = Command::new(env!("CARGO_BIN_EXE_reconverge"))
        .args([Path::new("check"), Path::new("--strict"), &path])
        .current_dir(root())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary runs");
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("the binary ends");
    assert_eq!(output.status.code(), Some(1));
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(said.lines().last(), Some("5000 warnings in 5000 functions"), "{said}");
    assert_eq!(said.lines().count(), 2, "{said}");
}

/// What is missing where nothing says what an input is, and what is listed and is not read.
#[test]
fn inputs_of_which_nothing_says_what_they_are() {
    let source = reconverge(&["check", "-"], b"__global__ void k() {}\n");
    let hint = "found '__global__'; of source, say the language: --input-format cuda, hip, cl or c++";
    assert!(source.status == 2 && source.stderr.contains(hint), "{source:?}");
    let ir = reconverge(&["check", "-"], b"define void @f() {\n  rat void\n}\n");
    assert!(ir.status == 2 && !ir.stderr.contains("--input-format"), "{ir:?}");
    let help = reconverge(&["check", "--help"], b"");
    assert!(!help.stdout.contains("bitcode") && help.stdout.contains("`uniformity` and `cycles` only"), "{help:?}");
    let none = reconverge(&["run", "examples/block-sum.cu", "--launches", "0"], b"");
    assert!(none.status == 2 && none.stderr.contains("expected a number above 0, such as 5000"), "{none:?}");
}
