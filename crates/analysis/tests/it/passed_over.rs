//! Bodies that are passed over: nothing but RC0001 to RC0006 is lost, whatever a text looks like.
//!
//! Texts are the cases, examples and corpora, whole and damaged.

use std::fs;

use reconverge_analysis::check::{CheckOptions, check};
use reconverge_findings::Finding;
use reconverge_testing::corpus::{self, Corpus};
use reconverge_testing::damage::damage;
use reconverge_testing::llvm;
use reconverge_testing::random::SplitMix64;
use reconverge_testing::rounds::seeds;

/// Compares the two ways to check a text; how many bodies were passed over, of how many.
fn compare(name: &str, text: &[u8]) -> (usize, usize) {
    let whole = check(text, &CheckOptions::default());
    let quick = check(text, &CheckOptions { whole_up_to: Some(0), ..CheckOptions::default() });
    let (whole, quick) = match (whole, quick) {
        (Ok(whole), Ok(quick)) => (whole, quick),
        (Err(_), Err(_)) => return (0, 0),
        // What does not read was passed over.
        (Err(error), Ok(quick)) => {
            assert!(quick.passed_over > 0, "{name}: {error}");
            return (0, 0);
        }
        (Ok(_), Err(error)) => panic!("{name}: {error}, where a body is passed over only"),
    };
    let is_validity = |finding: &&Finding| {
        matches!(finding.code.name(), "RC0001" | "RC0002" | "RC0003" | "RC0004" | "RC0005" | "RC0006")
    };
    let invalid = whole.findings.iter().filter(is_validity).count();
    let lost = whole.findings.iter().filter(|found| !quick.findings.contains(found));
    if invalid == 0 {
        assert_eq!(whole.findings, quick.findings, "{name}");
        assert_eq!((whole.functions, whole.instructions), (quick.functions, quick.instructions), "{name}");
    } else {
        assert_eq!(lost.filter(|found| !is_validity(found)).count(), 0, "{name}");
    }
    (quick.passed_over, quick.functions)
}

fn texts() -> Vec<(String, Vec<u8>)> {
    let mut files = corpus::cases("ir", "ll").unwrap();
    files.extend(corpus::examples().unwrap());
    if let Some(tools) = llvm::tools() {
        files.extend(corpus::ensure_corpus(tools, Corpus::Small).unwrap());
    }
    files.into_iter().map(|path| (path.display().to_string(), fs::read(path).unwrap())).collect()
}

#[test]
fn nothing_of_convergence_is_passed_over() {
    let texts = texts();
    let add = |(passed, all): (usize, usize), (more, of): (usize, usize)| (passed + more, all + of);
    let (passed, all) = texts.iter().map(|(name, text)| compare(name, text)).fold((0, 0), add);
    println!("{passed} of {all} functions of {} texts are passed over", texts.len());
    assert!(passed > 0);
    for seed in seeds(60) {
        let mut random = SplitMix64::new(seed);
        let (name, text) = &texts[random.below(texts.len())];
        // Long texts are damaged as often as short ones, but where they are damaged matters less.
        if text.len() < 200_000 {
            let damaged = damage(text, &mut random);
            compare(&format!("seed {seed}: {name} with {}", damaged.what), &damaged.text);
        }
    }
}
