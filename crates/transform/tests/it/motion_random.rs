//! Passes that move operations on random functions: what comes out breaks no rule, and LLVM accepts it.

use reconverge_analysis::check::{CheckOptions, check};
use reconverge_analysis::target::Target;
use reconverge_ir::ReadError;
use reconverge_testing::llvm;
use reconverge_testing::random::{self, Options};
use reconverge_testing::rounds::{is_part, seeds};
use reconverge_transform::{Transformed, hoist_anchors, infer_noconvergent, sink_anchors};

type Pass = fn(&[u8], Option<&Target>) -> Result<Transformed, ReadError>;

/// Random functions have no candidates for the others; `crates/trials/tests/it/own_passes` draws kernels that have some.
const PASSES: [(&str, Pass); 3] = [
    ("hoist-anchors", hoist_anchors),
    ("sink-anchors", sink_anchors),
    ("infer-noconvergent", |text, _| infer_noconvergent(text, false)),
];

#[test]
fn moves_break_no_rule() {
    let options = Options { broken_percent: 0, ..Options::default() };
    for (name, pass) in PASSES {
        let (mut changed, mut moved, mut refused) = (0, 0, 0);
        for seed in seeds(20) {
            let text = random::module_with(seed, 60, &options);
            let transformed = pass(text.as_bytes(), None).expect("it is IR");
            changed += transformed.functions;
            refused += transformed.refusals.len();
            moved += transformed.candidates.iter().filter(|candidate| candidate.verdict.is_yes()).count();
            let after = transformed.edits.apply(text.as_bytes());
            let after = String::from_utf8(after).expect("it is text");
            let found = check(after.as_bytes(), &CheckOptions::default()).expect("it is IR").findings;
            let rules: Vec<_> = found.iter().filter(|found| found.code.name().starts_with("RC01")).collect();
            assert!(rules.is_empty(), "seed {seed}, {name}: {rules:?}\n{after}");
            if let Some(tools) = llvm::tools() {
                let verdict = tools.verify(&after).unwrap_or_else(|error| panic!("seed {seed}, {name}: {error:#}"));
                assert!(verdict.accepted, "seed {seed}, {name}: {}\n{after}", verdict.output);
            }
        }
        println!("{name}: {changed} functions changed, {moved} moves made and {refused} refused");
        match name {
            "hoist-anchors" | "sink-anchors" => assert!(is_part() || moved > 50 && refused > 20, "{name}"),
            "infer-noconvergent" => assert!(is_part() || changed > 50, "{name}"),
            _ => unreachable!("there is no other pass"),
        }
    }
}

/// Functions that break rules stay as they are: nothing can be said of them. Those that are no valid IR are refused as a whole, so
/// each function is a module of its own.
#[test]
fn functions_that_break_rules_stay() {
    let options = Options { broken_percent: 100, ..Options::default() };
    for (name, pass) in &PASSES[..2] {
        let mut kept = 0;
        let texts = seeds(5).flat_map(|seed| {
            let functions = random::functions(seed, 40, &options);
            functions.into_iter().map(move |function| (seed, random::module_of(&[function])))
        });
        for (seed, text) in texts {
            let transformed = match pass(text.as_bytes(), None) {
                Ok(transformed) => transformed,
                Err(error) => {
                    assert!(error.message.starts_with("not valid LLVM IR"), "seed {seed}, {name}: {error}");
                    continue;
                }
            };
            let broken = "the function breaks a static rule as it is";
            kept += transformed.refusals.iter().filter(|refusal| refusal.rule.contains(broken)).count();
            let after = transformed.edits.apply(text.as_bytes());
            let count = |text: &[u8]| {
                let found = check(text, &CheckOptions::default()).expect("it is IR").findings;
                found.iter().filter(|found| found.code.name().starts_with("RC01")).count()
            };
            assert_eq!(count(text.as_bytes()), count(&after), "seed {seed}, {name}");
        }
        println!("{name}: {kept} candidates in functions that break rules");
        assert!(is_part() || kept > 5, "{name}");
    }
}
