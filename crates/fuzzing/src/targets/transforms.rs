//! Any bytes, read as LLVM IR and changed. The first byte says by which pass.

use reconverge_analysis::check::{CheckOptions, check};
use reconverge_findings::Code;
use reconverge_findings::Severity;
use reconverge_transform::{
    InlineOptions, Transformed, UnrollOptions, hoist_anchors, hoist_operations, infer_noconvergent, infer_tokens,
    inline, reduce_cycles, sink_anchors, sink_operations, strip_tokens, unroll,
};

/// The passes that [`transform`] knows.
pub const PASSES: usize = 11;

/// Changes a text by the pass that the first byte says; gives whether it reads.
///
/// # Panics
/// When what comes out does not read, or breaks a rule that the text keeps.
pub fn survives(bytes: &[u8]) -> bool {
    let Some((&how, text)) = bytes.split_first() else { return false };
    let Some(transformed) = transform(usize::from(how) % PASSES, usize::from(how) / PASSES, text) else { return false };
    assert_keeps_rules(usize::from(how) % PASSES, text, transformed);
    true
}

/// Changes a text by a pass; none if it is not IR. `variant` chooses among the options of the pass.
pub fn transform(pass: usize, variant: usize, text: &[u8]) -> Option<Transformed> {
    let transformed = match pass {
        0 => infer_tokens(text),
        1 => strip_tokens(text),
        2 => reduce_cycles(text),
        3 => hoist_anchors(text, None),
        4 => sink_anchors(text, None),
        5 => hoist_operations(text, None),
        6 => sink_operations(text, None),
        7 => infer_noconvergent(text, false),
        8 => inline(text, &InlineOptions { function_limit: 2_000, ..InlineOptions::default() }),
        _ => {
            let keep_tests = variant.is_multiple_of(3);
            let options = UnrollOptions { factor: 2 + variant as u32 % 5, keep_tests, ..UnrollOptions::default() };
            unroll(text, &options).map(|unrolled| unrolled.transformed)
        }
    };
    transformed.ok()
}

/// What a pass makes of a text reads, and breaks no rule of tokens that the text keeps. Gives the text after the change.
///
/// # Panics
/// When it is not so.
pub fn assert_keeps_rules(pass: usize, text: &[u8], transformed: Transformed) -> Vec<u8> {
    let refusals = transformed.refusals.iter().map(|refusal| refusal.span);
    for span in refusals.chain(transformed.candidates.iter().map(|candidate| candidate.span)) {
        assert!(span.range().end <= text.len(), "a place outside of the text: {span:?}");
    }
    let changed = !transformed.edits.is_empty();
    let after = transformed.edits.apply(text);
    if !changed {
        return after;
    }
    let before = broken(text).unwrap_or_default();
    match broken(&after) {
        Err(error) => {
            let position = error.position(&after);
            let line = String::from_utf8_lossy(&after).lines().nth(position.line - 1).unwrap_or_default().to_owned();
            panic!("what pass {pass} makes does not read: {error}: {line}")
        }
        Ok(found) if before.is_empty() => assert!(found.is_empty(), "what pass {pass} makes breaks a rule: {found:?}"),
        Ok(_) => {}
    }
    after
}

/// The rules of tokens, and of what is valid IR, that a text breaks.
fn broken(text: &[u8]) -> Result<Vec<(&'static str, String)>, reconverge_ir::ReadError> {
    let report = check(text, &CheckOptions::default())?;
    let is_broken = |code: Code, severity| is_static_rule(code) && severity == Severity::Error;
    let found = report.diagnostics().into_iter().filter(|found| is_broken(found.code, found.severity));
    Ok(found.map(|found| (found.code.name(), found.message)).collect())
}

/// Whether a code is one of a static rule of tokens, or of what is no valid IR.
pub fn is_static_rule(code: Code) -> bool {
    code.name().starts_with("RC01") || code.name().starts_with("RC00")
}
