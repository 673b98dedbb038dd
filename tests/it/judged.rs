//! Kernels with verdicts: what `check` says of each line of `tests/judged`.
//!
//! A line is a kernel. It ends in what has to be reported there, such as `// error RC0201`; a line without that is right in all launches.

use std::collections::BTreeMap;

use crate::common::{reconverge, root};

/// What is said of a kernel: the severity, and the code.
type Verdict = Option<(String, String)>;

/// The verdicts of a text, by line.
fn marks(text: &str) -> Vec<Verdict> {
    let mark = |line: &str| {
        let (_, mark) = line.rsplit_once("// ")?;
        let (severity, code) = mark.split_once(' ')?;
        ["error", "warning"].contains(&severity).then(|| (severity.to_owned(), code.to_owned()))
    };
    text.lines().map(mark).collect()
}

#[test]
fn kernels_get_the_verdicts_that_a_reader_would_give() {
    let folder = root().join("tests/judged");
    let mut confusion: BTreeMap<[String; 2], usize> = BTreeMap::new();
    let (mut wrong, mut kernels) = (Vec::new(), 0);
    let mut paths: Vec<_> =
        std::fs::read_dir(folder).expect("it is there").map(|entry| entry.expect("a file").path()).collect();
    paths.sort();
    for path in paths {
        let name = path.to_str().expect("a name in UTF-8");
        let text = std::fs::read_to_string(&path).expect("it can be read");
        let run = reconverge(&["check", "--frontend", "builtin", "--format", "json", name], b"");
        let report: serde_json::Value = serde_json::from_str(&run.stdout).expect("JSON");
        let mut found: BTreeMap<u64, Vec<(String, String)>> = BTreeMap::new();
        for one in report["files"][0]["diagnostics"].as_array().expect("a list") {
            let text = |key: &str| one[key].as_str().expect("a text").to_owned();
            found.entry(one["line"].as_u64().expect("a number")).or_default().push((text("severity"), text("code")));
        }
        let is_kernel = |line: &str| line.contains("__global__ void") || line.contains("__kernel");
        for ((number, line), expected) in (1..).zip(text.lines()).zip(marks(&text)) {
            let said = found.remove(&number).unwrap_or_default();
            if !is_kernel(line) {
                assert!(said.is_empty(), "{name}:{number}: {said:?}");
                continue;
            }
            kernels += 1;
            let severity =
                |verdict: Option<&(String, String)>| verdict.map_or("nothing".to_owned(), |one| one.0.clone());
            *confusion.entry([severity(expected.as_ref()), severity(said.first())]).or_default() += 1;
            if said != Vec::from_iter(expected.clone()) {
                wrong.push(format!("{name}:{number}: {said:?} and not {expected:?}: {line}"));
            }
        }
    }
    for ([expected, said], count) in &confusion {
        println!("{expected:8} reported as {said:8} {count}");
    }
    assert!(kernels > 120, "{kernels} kernels");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
