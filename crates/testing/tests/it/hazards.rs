//! Lints of divergent control on the kernels: none on those that are right, and on each broken twin exactly those that it
//! marks, with a chain that ends where it says.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use reconverge_analysis::check::{CheckOptions, check};
use reconverge_findings::Code;
use reconverge_findings::{Diagnostic, Severity};
use reconverge_testing::corpus::{self, Corpus};
use reconverge_testing::expectations::{self, expectations};
use reconverge_testing::llvm;

/// What the lints say of a file.
fn hazards(path: &Path) -> Vec<Diagnostic> {
    let text = fs::read(path).unwrap();
    let report = check(&text, &CheckOptions::default()).unwrap_or_else(|error| panic!("{}: {error:?}", path.display()));
    let is_hazard = |diagnostic: &Diagnostic| (Code::RC0201..=Code::RC0301).contains(&diagnostic.code);
    report.diagnostics().into_iter().filter(is_hazard).collect()
}

fn describe(diagnostic: &Diagnostic) -> String {
    let chain: Vec<&str> = diagnostic.related.iter().map(|related| related.message.as_str()).collect();
    let source = diagnostic.source.as_ref().map(|source| source.line);
    format!("    {} at {source:?}: {}\n      {}", diagnostic.code.name(), diagnostic.message, chain.join("\n      "))
}

#[test]
fn nothing_is_reported_on_kernels_that_are_right() {
    let Some(tools) = llvm::tools() else { return };
    let mut wrong = Vec::new();
    let mut right = 0;
    for path in corpus::ensure_corpus(tools, Corpus::Small).unwrap() {
        if !corpus::is_right(&path) {
            continue;
        }
        right += 1;
        let found = hazards(&path);
        wrong.extend(found.iter().map(|diagnostic| format!("  {}\n{}", path.display(), describe(diagnostic))));
    }
    println!("{right} files");
    assert!(right > 300, "the corpus is there");
    assert!(wrong.is_empty(), "{} findings:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn broken_twins_get_exactly_what_they_mark() {
    let Some(tools) = llvm::tools() else { return };
    let mut wrong = Vec::new();
    let built = corpus::ensure_broken(tools).unwrap();
    assert!(built.len() >= 80, "the twins are there");
    for (source, output) in built {
        let expected = expectations(&fs::read_to_string(&source).unwrap()).unwrap();
        let found = hazards(&output);
        let wanted: BTreeSet<_> = expected
            .findings
            .iter()
            .map(|finding| {
                let severity = match finding.severity {
                    expectations::Severity::Error => Severity::Error,
                    expectations::Severity::Warning => Severity::Warning,
                };
                (finding.line, finding.code.clone(), severity)
            })
            .collect();
        let got: BTreeSet<_> = found
            .iter()
            .map(|diagnostic| {
                let line = diagnostic.source.as_ref().map_or(0, |source| source.line);
                (line, diagnostic.code.name().to_owned(), diagnostic.severity)
            })
            .collect();
        let ends: Vec<Option<u32>> = found
            .iter()
            .map(|diagnostic| {
                let chain = diagnostic.related.iter().rev().find(|related| !related.message.ends_with(", too"));
                chain.and_then(|related| related.source.as_ref()).map(|source| source.line)
            })
            .collect();
        let is_cause = |line: &Option<u32>| line.is_some_and(|line| expected.causes.contains(&line));
        if wanted != got || !ends.iter().all(is_cause) {
            let told: Vec<String> = found.iter().map(describe).collect();
            wrong.push(format!(
                "{}\n  wanted {wanted:?}\n  got    {got:?}\n  chains end at {ends:?}, causes are {:?}\n{}",
                output.display(),
                expected.causes,
                told.join("\n")
            ));
        }
    }
    assert!(wrong.is_empty(), "{} files:\n{}", wrong.len(), wrong.join("\n"));
}
