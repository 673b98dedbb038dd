//! What is asked for by name: values and functions, also ones that are not there, and targets.

use serde_json::Value;
use tempfile::TempDir;

use super::{KERNEL, json, strings, uniformity};
use crate::common::{Run, reconverge};

#[test]
fn what_is_not_there() {
    let complaint = |arguments: &[&str]| {
        let run = uniformity(arguments, KERNEL);
        assert_eq!((run.status, run.stdout.as_str()), (2, ""), "{run:?}");
        run.stderr
    };
    assert_eq!(complaint(&["--function", "other"]), "reconverge: -: no function @other has a body here\n");
    assert_eq!(
        complaint(&["--explain", "%lasr"]),
        "reconverge: -: there is no value or block %lasr in any function here; near names: %last\n"
    );
    assert_eq!(
        complaint(&["--function", "helper", "--explain", "%3"]),
        "reconverge: -: there is no value or block %3 in @helper; near names: %0, %2, %1\n"
    );
    assert_eq!(
        complaint(&["--explain", ":14"]),
        "reconverge: -: `:14`: line 14 has no value and no branch in any function here\n"
    );
    assert!(complaint(&["--explain", ":99999"]).contains("line 99999 has no value"));
    assert!(complaint(&["--explain", "other.cl:3"]).contains("line 3 has no value"));
    // One question that has an answer does not hide one that has none.
    let run = uniformity(&["--explain", "%tid", "--explain", "%nowhere"], KERNEL);
    assert_eq!(run.status, 2);
    assert!(run.stdout.starts_with("%tid in @kernel") && run.stderr.contains("%nowhere"), "{run:?}");
}

#[test]
fn names_that_many_functions_have() {
    let text: String =
        (0..30).map(|n| format!("define i32 @f{n}(i32 %x) {{\n  %y = add i32 %x, 1\n  ret i32 %y\n}}\n")).collect();
    let run = uniformity(&["--explain", "%y"], &text);
    assert_eq!(run.status, 0);
    assert_eq!(run.stdout.lines().filter(|line| line.starts_with("%y in @f")).count(), 10);
    assert_eq!(run.stderr, "<stdin>: %y is in 20 more functions: choose one with --function\n");
    let one = uniformity(&["--explain", "y", "--function", "f29"], &text);
    assert!(one.stdout.starts_with("%y in @f29 is divergent"), "{}", one.stdout);
}

#[test]
fn targets() {
    let text = KERNEL.replace("target triple = \"nvptx64-nvidia-cuda\"\n", "");
    let target = |run: &Run| {
        let report: Value = serde_json::from_str(&run.stdout).expect("JSON");
        report["files"][0]["functions"][0]["target"].as_str().expect("a name").to_owned()
    };
    let run = uniformity(&["--format", "json"], &text);
    assert_eq!((target(&run).as_str(), run.stderr.as_str()), ("generic", ""));
    let run = uniformity(&["--format", "json", "--target", "amdgpu"], KERNEL);
    assert_eq!((target(&run).as_str(), run.stderr.as_str()), ("amdgpu", ""));
    for (wrong, expected) in [
        ("nvptxx", "reconverge: there is no target `nvptxx`; did you mean `nvptx`?\n"),
        ("cpu", "reconverge: there is no target `cpu`; expected amdgpu, nvptx, spirv, dxil, generic or a .toml file\n"),
    ] {
        let run = uniformity(&["--format", "json", "--target", wrong], KERNEL);
        assert_eq!((run.status, run.stdout.as_str(), run.stderr.as_str()), (2, "", expected));
    }
    let other = format!("target triple = \"x86_64-unknown-linux-gnu\"\n{text}");
    let run = uniformity(&["--format", "json"], &other);
    assert_eq!(target(&run), "generic");
    let warning = "warning: <stdin>: nothing is known of target `x86_64-unknown-linux-gnu`; going on as `generic` (see --target)\n";
    assert_eq!(run.stderr, warning);
    assert_eq!(uniformity(&["-q"], &other).stderr, "");
    assert_eq!(uniformity(&["--format", "json", "--target", "generic"], &other).stderr, "");
}

#[test]
fn target_files() {
    let folder = TempDir::new().expect("a folder");
    let file = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).expect("it can be written");
        path.to_str().expect("a plain name").to_owned()
    };
    let good = file(
        "mine.toml",
        "name = \"mine\"\nextends = \"nvptx\"\n[[call]]\nnames = [\"llvm.nvvm.read.ptx.sreg.tid.x\"]\nuniform = \"grid\"\n",
    );
    let report = json(&["--target", &good, "--function", "kernel"], KERNEL);
    assert_eq!(report["files"][0]["functions"][0]["target"], "mine");
    assert!(strings(&report["files"][0]["functions"][0]["values"]["divergent"]).is_empty());
    let bad = file("bad.toml", "name = \"bad\"\n[[call]]\nnames = [\"f\"]\nuniform = \"planet\"\n");
    for verb in ["uniformity", "check"] {
        let run = reconverge(&[verb, "-", "--target", &bad], KERNEL.as_bytes());
        assert_eq!((run.status, run.stdout.as_str()), (2, ""), "{run:?}");
        assert!(run.stderr.starts_with(&format!("reconverge: {bad}:4:")), "{}", run.stderr);
        assert!(run.stderr.contains("`call.uniform`") && run.stderr.lines().count() == 1, "{}", run.stderr);
    }
    let run = uniformity(&["--target", "nowhere.toml"], KERNEL);
    assert_eq!(run.status, 2);
    assert!(run.stderr.starts_with("reconverge: cannot read the target file nowhere.toml"), "{}", run.stderr);
}
