//! Findings on source speak the words of the program: no names of IR, none that a compiler has mangled, and none of the words that
//! are not to be used. Documents, pages and the texts of `--help` have none of those words either.

use serde_json::Value;

use crate::common::{read, reconverge, root};

/// Not to be used.
pub(crate) const NOT: [&str; 17] = [
    "come to",
    "comes to",
    "come there",
    "different ways",
    "behind",
    "parted",
    "parts",
    "not there",
    "everybody",
    "nobody",
    "who is together",
    "what is not there",
    "says nothing",
    "for all that is known",
    "outside of the subset",
    "a find",
    "say nothing",
];

/// All that findings say: what a person reads, without names of files and codes.
fn sentences(report: &Value) -> Vec<String> {
    let text = |value: &Value| value.as_str().map(str::to_owned);
    let mut all = Vec::new();
    for file in report["files"].as_array().expect("files") {
        for finding in file["diagnostics"].as_array().expect("a list") {
            all.extend(["message", "label", "help"].into_iter().filter_map(|name| text(&finding[name])));
            all.extend(finding["notes"].as_array().into_iter().flatten().filter_map(text));
            for list in ["related", "also"] {
                let places = finding[list].as_array().into_iter().flatten();
                all.extend(places.filter_map(|place| text(&place["message"])));
            }
        }
    }
    all
}

/// Whether a text has some words in a row.
pub(crate) fn is_word(text: &str, word: &str) -> bool {
    let ends = |letter: Option<char>| !letter.is_some_and(char::is_alphanumeric);
    let mut places = text.match_indices(word);
    places.any(|(at, _)| ends(text[..at].chars().next_back()) && ends(text[at + word.len()..].chars().next()))
}

/// What stands outside of backticks.
pub(crate) fn prose(sentence: &str) -> String {
    sentence.split('`').step_by(2).collect()
}

#[test]
fn findings_on_source_have_no_names_of_ir_and_none_of_the_words_that_are_not_used() {
    let run =
        reconverge(&["check", "--frontend", "builtin", "--format", "json", "tests/judged", "tests/findings"], b"");
    let report: Value = serde_json::from_str(&run.stdout).expect("JSON");
    let all = sentences(&report);
    assert!(all.len() >= 100, "{} sentences", all.len());
    let mut wrong: Vec<&String> = all
        .iter()
        .filter(|sentence| {
            let prose = prose(sentence);
            let is_of_ir = prose.contains(['@', '%']) || sentence.contains("_Z");
            is_of_ir || NOT.iter().any(|word| is_word(&prose, word))
        })
        .collect();
    wrong.sort();
    wrong.dedup();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn calls_of_functions_of_source_are_named_as_they_are_written() {
    let kernel = "__device__ int both(int *p) {\n  __syncthreads();\n  return p[0];\n}\n__global__ void k(int *p) {\n  if (threadIdx.x < 5)\n    p[1] = both(p);\n  __syncthreads();\n}\n";
    let run = reconverge(&["check", "-", "--input-format", "cuda", "--short"], kernel.as_bytes());
    assert_eq!(
        run.stdout,
        "<stdin>:7:12: error[RC0207]: `both` called in divergent control flow: threads of a thread block do not all reach `__syncthreads` in `both` (<stdin>:2:3)\n"
    );
}

#[test]
fn a_file_that_is_missing_is_named_in_plain_words() {
    let run = reconverge(&["check", "missing.cu"], b"");
    assert_eq!(
        (run.status, run.stderr.as_str()),
        (2, "reconverge: missing.cu: cannot be read: No such file or directory\n")
    );
}

/// The sentences of a document: without programs, and what stands in backticks.
fn paragraphs(text: &str) -> Vec<String> {
    let parts = text.split("\n```").step_by(2);
    parts.flat_map(str::lines).map(|line| prose(line).to_lowercase()).collect()
}

fn wrong_words(name: &str, lines: impl IntoIterator<Item = String>) -> Vec<String> {
    let found = |line: String| {
        // Of threads it is a verb, and is not used; documents have parts of many things.
        let word = NOT.iter().find(|&&word| word != "parts" && is_word(&line, word))?;
        Some(format!("{name}: {word}: {line}"))
    };
    lines.into_iter().filter_map(found).collect()
}

#[test]
fn documents_and_pages_have_none_of_the_words_that_are_not_used() {
    let others = ["README.md", "ARCHITECTURE.md", "CHANGELOG.md", "editors/vscode/README.md", "fuzz/README.md"];
    let mut names = others.map(str::to_owned).to_vec();
    for folder in ["docs", "docs/codes"] {
        let entries = std::fs::read_dir(root().join(folder)).expect("the folder");
        let files =
            entries.map(|entry| entry.expect("it can be listed").file_name().into_string().expect("a plain name"));
        names.extend(files.filter(|name| name.ends_with(".md")).map(|name| format!("{folder}/{name}")));
    }
    // It quotes the documents of Clang and LLVM.
    names.retain(|name| name != "docs/conformance.md");
    assert!(names.len() > 60, "{} documents", names.len());
    let wrong: Vec<String> = names.iter().flat_map(|name| wrong_words(name, paragraphs(&read(name)))).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn helps_have_none_of_the_words_that_are_not_used() {
    let verbs = reconverge(&["--help"], b"").stdout;
    let (_, verbs) = verbs.split_once("Commands:\n").expect("a list of commands");
    let verbs: Vec<&str> = verbs.lines().map_while(|line| line.strip_prefix("  ")?.split(' ').next()).collect();
    assert!(verbs.len() > 12 && verbs.contains(&"uniformity"), "{verbs:?}");
    let mut wrong = Vec::new();
    for verb in verbs.into_iter().filter(|verb| *verb != "help") {
        let help = reconverge(&[verb, "--help"], b"").stdout;
        wrong.extend(wrong_words(verb, help.lines().map(str::to_lowercase)));
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// The literals of a line of Rust that are sentences, without what is put into them.
fn literals(line: &str) -> Vec<String> {
    let is_plain = !line.trim_start().starts_with("//") && !line.contains("'\"'") && !line.contains("\\\"");
    let pieces = line.split('"').skip(1).step_by(2).filter(|piece| is_plain && piece.contains(' '));
    let said = |piece: &str| -> String {
        piece.split('{').map(|part| part.split_once('}').map_or(part, |(_, said)| said)).collect()
    };
    pieces.map(|piece| prose(&said(piece)).to_lowercase()).collect()
}

/// Whatever a user can be told: also what no test happens to make it print. What is made for tests is not looked at.
#[test]
fn texts_in_the_code_have_none_of_the_words_that_are_not_used() {
    let mut folders: Vec<_> = std::fs::read_dir(root().join("crates"))
        .expect("the folder")
        .map(|entry| entry.expect("it can be listed").path())
        .filter(|path| !["fuzzing", "testing", "trials"].iter().any(|name| path.ends_with(name)))
        .map(|path| path.join("src"))
        .collect();
    let (mut texts, mut wrong) = (0, Vec::new());
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("the folder") {
            let path = entry.expect("it can be listed").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let text = std::fs::read_to_string(&path).expect("text");
                let said: Vec<String> = text.lines().flat_map(literals).collect();
                texts += said.len();
                wrong.extend(wrong_words(&path.display().to_string(), said));
            }
        }
    }
    assert!(texts > 3000 && wrong.is_empty(), "{texts} texts: {wrong:#?}");
}

/// The reasons of what is found in a report: for each finding of one code or another, the messages of its places.
fn reasons(report: &Value, codes: &[&str]) -> Vec<(String, Vec<String>)> {
    let text = |value: &Value| value.as_str().expect("a text").to_owned();
    let files = report["files"].as_array().expect("files");
    let all = files.iter().flat_map(|file| file["diagnostics"].as_array().expect("a list"));
    let of_codes = all.filter(|one| codes.iter().any(|code| one["code"] == *code));
    let places =
        |one: &Value| one["related"].as_array().expect("a list").iter().map(|at| text(&at["message"])).collect();
    of_codes.map(|one| (format!("{}:{}", one["code"], one["line"]), places(one))).collect()
}

#[test]
fn every_finding_of_divergence_has_a_reason() {
    const DIVERGENCE: [&str; 8] = ["RC0201", "RC0202", "RC0203", "RC0204", "RC0207", "RC0208", "RC0209", "RC0210"];
    let folders = ["tests/judged", "tests/findings", "tests/cases", "examples"];
    let run = reconverge(&[&["check", "--frontend", "builtin", "--format", "json"], &folders[..]].concat(), b"");
    let report: Value = serde_json::from_str(&run.stdout).expect("JSON");
    let all = reasons(&report, &DIVERGENCE);
    assert!(all.len() >= 200, "{} findings", all.len());
    let without: Vec<_> = all.iter().filter(|(_, reasons)| reasons.is_empty()).collect();
    assert!(without.is_empty(), "{without:?}");
}

/// A reason is the same, however often an object that has no part in it is written.
#[test]
fn objects_that_are_written_before_do_not_change_the_reason_of_a_finding() {
    let object = "struct Pair {\n  int a, b;\n  __device__ Pair(int a, int b) : a(a), b(b) {}\n  __device__ void add(int n) { a += n; b -= n; }\n};\n";
    for writes in 0..8 {
        let kernel = format!(
            "{object}__global__ void k(int *out) {{\n  Pair sum(0, 0);\n  {}\n  int end = *(out + threadIdx.x);\n  for (int i = 0; i < end; i++) {{\n    out[threadIdx.x] = threadIdx.x + 1;\n    out[threadIdx.x] += threadIdx.x * 2;\n    __syncthreads();\n  }}\n  out[threadIdx.x] = sum.a;\n}}\n",
            "sum.add(7); ".repeat(writes)
        );
        let run = reconverge(&["check", "-", "--input-format", "cuda", "--format", "json"], kernel.as_bytes());
        let report: Value = serde_json::from_str(&run.stdout).expect("JSON");
        let reasons = reasons(&report, &["RC0202"]);
        let [(_, reasons)] = &reasons[..] else { panic!("{writes} writes: {reasons:?}") };
        assert_eq!(
            reasons[..],
            [
                "`i < end`: is computed from `end`",
                "`end`: was assigned `*(out + threadIdx.x)`",
                "`*(out + threadIdx.x)`: loads from `out + threadIdx.x`",
            ],
            "{writes} writes"
        );
    }
}
