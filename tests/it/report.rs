//! `report`: the page has what the other verbs say, and nothing of the input gets out of its data.

use serde_json::Value;

use crate::common::{Folder, reconverge, root};

/// The page of some inputs, and the data in it.
fn page_of(inputs: &[&str]) -> (String, Value) {
    let run = reconverge(&[&["report"], inputs, &["-o", "-"]].concat(), b"");
    assert_eq!(run.status, 0, "{}", run.stderr);
    let (_, behind) = run.stdout.split_once(r#"<script type="application/json" id="data">"#).expect("data");
    let (data, _) = behind.split_once("</script>").expect("the end of the data");
    let data = serde_json::from_str(data).expect("JSON");
    (run.stdout, data)
}

fn page(input: &str) -> (String, Value) {
    page_of(&[input])
}

fn said(arguments: &[&str]) -> Value {
    serde_json::from_str(&reconverge(arguments, b"").stdout).expect("JSON")
}

/// Of every line of source and IR: its set is the narrowest that `uniformity --explain` gives for it.
#[test]
fn lines_have_the_sets_that_uniformity_says() {
    const WIDEST_FIRST: [&str; 4] = ["grid", "workgroup", "subgroup", "divergent"];
    for input in ["examples/barrier-in-branch.cu", "examples/divergent-branch.ll"] {
        let (_, data) = page(input);
        let lines = if data["files"][0].is_null() { &data["ir"] } else { &data["files"][0]["lines"] };
        let lines = lines.as_array().expect("lines");
        let text = std::fs::read_to_string(root().join(input)).expect("the input");
        let texts: Vec<&str> = lines.iter().map(|line| line["text"].as_str().expect("text")).collect();
        assert_eq!(texts, text.lines().collect::<Vec<_>>());
        let mut with_sets = 0;
        for (number, line) in (1..).zip(lines) {
            let asked = said(&["uniformity", input, "--format", "json", "--explain", &format!("{input}:{number}")]);
            let answers = asked["files"][0]["explanations"].as_array().cloned().unwrap_or_default();
            let set = |answer: &Value| answer["uniform_in"].as_str().unwrap_or("divergent").to_owned();
            let rank = |set: &String| WIDEST_FIRST.iter().position(|known| known == set);
            let narrowest = answers.iter().map(set).max_by_key(rank);
            assert_eq!(line["uniform_in"].as_str(), narrowest.as_deref(), "{input}:{number}");
            with_sets += usize::from(narrowest.is_some());
        }
        assert!(with_sets > 0, "{input}");
    }
}

#[test]
fn findings_are_those_of_check() {
    let input = "examples/barrier-in-branch.cu";
    let (_, data) = page(input);
    let checked = said(&["check", input, "--format", "json"]);
    let findings = data["check"]["diagnostics"].as_array().expect("findings");
    assert!(!findings.is_empty());
    assert_eq!(&checked["files"][0]["diagnostics"], &data["check"]["diagnostics"]);
    // Lines of IR lead back to their source: the barrier's to the place of the finding.
    let place = serde_json::json!([0, findings[0]["line"]]);
    let linked = data["ir"].as_array().expect("IR").iter().filter(|line| line["source"] == place);
    assert!(linked.into_iter().any(|line| line["text"].as_str().is_some_and(|text| text.contains("barrier"))));
}

#[test]
fn a_page_has_all_in_it_and_text_stays_text() {
    let hostile =
        "// </script><script>alert(1)</script> <!-- <script>\n__global__ void k(int *a) { a[threadIdx.x] = 1; }\n";
    let folder = Folder::with(&[("hostile.cu", hostile)]);
    let (text, data) = page(folder.path("hostile.cu").to_str().expect("UTF-8"));
    assert_eq!(data["files"][0]["lines"][0]["text"], hostile.lines().next().expect("a line"));
    assert_eq!(text.matches("<script").count(), 2);
    assert_eq!(text.matches("</script").count(), 2);
    for outside in ["src=", "http:", "https:", "@import", "import "] {
        assert!(!text.contains(outside), "{outside}");
    }
    assert_eq!(text.matches("url(").count(), text.matches("url(#").count(), "what is referred to is in the page");
}

/// A kernel of some hundred lines, each of which diverges.
#[test]
fn a_page_of_a_long_kernel_is_small() {
    use std::fmt::Write;
    let mut text = "__global__ void k(int *a, int n) {\n  int i = threadIdx.x;\n  int sum = 0;\n".to_owned();
    for line in 0..490 {
        let _ = writeln!(text, "  if (a[i + {line}] < n) sum += a[i * {line}] + i;");
    }
    text.push_str("  a[i] = sum;\n}\n");
    let folder = Folder::with(&[("long.cu", &text)]);
    let run = folder.run(&["report", "DIR/long.cu", "-o", "-"]);
    assert_eq!(run.status, 0, "{}", run.stderr);
    assert!(run.stdout.contains("data-encoding=\"gzip\""));
    assert!(run.stdout.len() < 2_000_000, "{} bytes", run.stdout.len());
}

#[test]
fn nothing_is_written_over_what_is_read() {
    let text = "define void @f() {\n  ret void\n}\n";
    let folder = Folder::with(&[("f.ll", text)]);
    let run = folder.run(&["report", "DIR/f.ll", "-o", "DIR/f.ll"]);
    assert_eq!(run.status, 2);
    assert!(run.stderr.contains("f.ll"), "{}", run.stderr);
    assert_eq!(folder.read("f.ll"), text);
    let run = reconverge(&["report", "no/such.cu", "-o", "-"], b"");
    assert_eq!((run.status, &*run.stdout), (2, ""));
}

/// Of two versions, a page has what `validate` prints, and of each what its own page has, but for the run: both versions run on the launch on which they differ.
#[test]
fn a_page_of_two_versions_has_what_validate_says() {
    let paths = ["examples/change-before.ll", "examples/change-after.ll"];
    let (_, data) = page_of(&paths);
    let validated = said(&[&["validate"][..], &paths, &["--format", "json"]].concat());
    assert_eq!(data["validate"], validated);
    for (side, path) in ["before", "after"].into_iter().zip(paths) {
        let (_, alone) = page(path);
        for field in ["input", "target", "files", "ir", "points", "graphs", "steps", "check", "not_understood"] {
            assert_eq!(data[side][field], alone[field], "{field} of {path}");
        }
        let number = data["runs"][0][side].as_u64().expect("a run") as usize;
        let timeline = &data[side]["time"]["all"][number];
        let launched = validated["witness"][side]["command"].as_str().expect("a command");
        assert_eq!(timeline["command"], format!("{launched} --timeline"));
    }
}

/// The command in the page repeats the launch, also where the arguments of the command line have said something of it.
#[test]
fn the_command_of_a_page_of_two_versions_repeats_the_difference() {
    let folder = Folder::with(&[]);
    let paths = ["examples/change-before.ll", "examples/change-after.ll"];
    let html = folder.path("x.html");
    let html = html.to_str().expect("UTF-8");
    let run =
        reconverge(&[&["validate"][..], &paths, &["--block", "8", "--hierarchy", "1", "--report", html]].concat(), b"");
    assert_eq!(run.status, 1, "{}", run.stderr);
    let text = folder.read("x.html");
    let (_, behind) = text.split_once(r#""runs":[{"kernel":"@votes","command":""#).expect("a command");
    let (command, _) = behind.split_once('"').expect("its end");
    assert!(command.contains("--block 8") && command.contains("--hierarchy 1 --runs 1"), "{command}");
    let words: Vec<&str> = command.split(' ').skip(1).map(|word| word.trim_matches('\'')).collect();
    let again = reconverge(&words, b"");
    assert_eq!(again.status, 1, "{command}: {}", again.stderr);
}

#[test]
fn two_versions_that_cannot_be_shown_are_refused() {
    let folder = Folder::with(&[("f.ll", "define void @f() {\n  ret void\n}\n")]);
    let run = folder.run(&["report", "DIR/f.ll", "DIR/f.ll", "-o", "DIR/f.ll"]);
    assert_eq!(run.status, 2);
    assert!(run.stderr.contains("f.ll"), "{}", run.stderr);
    let run = folder.run(&["report", "DIR/f.ll", "DIR/no.ll", "-o", "-"]);
    assert_eq!((run.status, &*run.stdout), (2, ""));
    let run = folder.run(&["report", "-", "-", "-o", "-"]);
    assert_eq!((run.status, &*run.stdout), (2, ""));
    assert!(run.stderr.contains("only one of the two"), "{}", run.stderr);
    let run = folder.run(&["report", "DIR/f.ll", "DIR/f.ll", "-o", "-", "--function", "f", "--thread", "0"]);
    assert_eq!((run.status, &*run.stdout), (2, ""));
}
