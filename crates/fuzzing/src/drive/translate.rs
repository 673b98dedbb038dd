//! The verbs that make a text of a text: lower, transform.

use std::path::Path;

use reconverge_analysis::check::{CheckOptions, check};
use reconverge_findings::Severity as Grade;
use reconverge_lang::diagnostic::Severity;
use reconverge_lang::lower::{LowerOptions, Lowered};
use reconverge_lang::options::{LowerTarget, Options, SourceModel};
use reconverge_lang::translate::{Translation, translate};
use reconverge_testing::random::SplitMix64;
use reconverge_transform::{
    InlineOptions, UnrollOptions, hoist_anchors, hoist_operations, infer_noconvergent, infer_tokens, inline,
    reduce_cycles, sink_anchors, sink_operations, strip_tokens, unroll,
};

use super::{Outcome, assert_inside, unread};
use crate::input::{Input, Kind};
use crate::seeds::dialect;
use crate::targets::transforms::{assert_keeps_rules, is_static_rule};

const MODELS: [SourceModel; 3] = [SourceModel::Clang2025_04, SourceModel::Tangles2024_10, SourceModel::Clang2025_08];

/// Translates the source of an input.
fn translated(input: &Input, extension: &str, rng: &mut SplitMix64) -> Translation {
    let dialect = dialect(extension);
    let targets = [LowerTarget::Spirv, LowerTarget::Amdgpu, LowerTarget::Nvptx, LowerTarget::Generic];
    let target = if rng.percent(70) { LowerTarget::for_dialect(dialect) } else { targets[rng.below(4)] };
    let define = if rng.percent(10) { vec!["N=4".to_owned(), "F(x)=x+1".to_owned()] } else { Vec::new() };
    let options = Options { target, define, ..Options::new(dialect) };
    translate(Path::new("fuzz-input"), input.text.clone(), &options, MODELS[rng.below(3)])
}

/// The IR of an input; none where it is source that is no program.
pub(super) fn ir_of(input: &Input, rng: &mut SplitMix64) -> Option<Vec<u8>> {
    let Kind::Source(extension) = input.kind else { return Some(input.text.clone()) };
    let translation = translated(input, extension, rng);
    let options = LowerOptions {
        tokens: rng.percent(60),
        markers: false,
        debug: rng.percent(50),
        origins: false,
        nsw: rng.percent(20),
    };
    Some(translation.lower(&options)?.text)
}

pub(super) fn lower(input: &Input, rng: &mut SplitMix64) -> Outcome {
    let Kind::Source(extension) = input.kind else { return Outcome::default() };
    let mut outcome = Outcome::default();
    let translation = translated(input, extension, rng);
    for diagnostic in &translation.diagnostics {
        assert!(!diagnostic.message.contains('\n'), "a message has several lines: {diagnostic:?}");
        assert!(!diagnostic.message.is_empty(), "an empty message: {diagnostic:?}");
        if let Some((file, offset)) = translation.sources.find(diagnostic.location) {
            assert_inside(translation.sources.files()[file].text.as_bytes(), &(offset..offset), diagnostic);
        }
        outcome.saw(&diagnostic.message);
        outcome.answers(&diagnostic.message);
    }
    assert_eq!(translation.has_errors(), translation.program.is_none(), "a program, or errors");
    outcome.findings = translation.diagnostics.len();
    outcome.refused = translation.diagnostics.iter().any(|diagnostic| diagnostic.severity == Severity::Unsupported);
    let tokens = rng.percent(70);
    let options =
        LowerOptions { tokens, markers: rng.percent(20), debug: rng.percent(50), origins: true, nsw: rng.percent(20) };
    let Some(Lowered { text: ir, origins }) = translation.lower(&options) else { return outcome };
    for origin in origins.offsets().filter_map(|offset| origins.at(offset)) {
        assert!(origin.place.text().is_some_and(|text| !text.is_empty()), "not a part of its file: {origin:?}");
    }
    outcome.past_reader = true;
    outcome.answers(&String::from_utf8_lossy(&ir));
    match check(&ir, &CheckOptions::default()) {
        Err(error) => {
            let position = error.position(&ir);
            let line = String::from_utf8_lossy(&ir).lines().nth(position.line - 1).unwrap_or_default().to_owned();
            panic!("what the front end writes does not read: {error}: {line}")
        }
        Ok(report) => {
            let broken =
                report.findings.iter().find(|found| is_static_rule(found.code) && found.severity == Grade::Error);
            assert!(broken.is_none(), "what the front end writes breaks a rule: {broken:?}");
            report.findings.iter().for_each(|found| outcome.saw(found.code.name()));
        }
    }
    outcome
}

pub(super) fn transform(input: &Input, rng: &mut SplitMix64) -> Outcome {
    let text = &input.text[..];
    let target = super::structure::target(rng);
    let pass = rng.below(11);
    let transformed = match pass {
        0 => infer_tokens(text),
        1 => strip_tokens(text),
        2 => reduce_cycles(text),
        3 => hoist_anchors(text, target),
        4 => sink_anchors(text, target),
        5 => hoist_operations(text, target),
        6 => sink_operations(text, target),
        7 => infer_noconvergent(text, false),
        8 => inline(text, &InlineOptions { function_limit: 2_000, ..InlineOptions::default() }),
        _ => {
            let options = UnrollOptions {
                factor: 2 + rng.below(5) as u32,
                keep_tests: rng.percent(30),
                ..UnrollOptions::default()
            };
            unroll(text, &options).map(|unrolled| unrolled.transformed)
        }
    };
    let transformed = match transformed {
        Ok(transformed) => transformed,
        Err(error) => return unread(text, &error),
    };
    let mut outcome = Outcome { past_reader: true, findings: transformed.functions, ..Outcome::default() };
    transformed.refusals.iter().for_each(|refusal| outcome.refuses(&refusal.rule));
    transformed.candidates.iter().for_each(|candidate| outcome.answers(&format!("{candidate:?}")));
    let after = assert_keeps_rules(pass, text, transformed);
    outcome.answers(&String::from_utf8_lossy(&after));
    outcome
}
