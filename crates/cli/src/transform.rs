//! `reconverge transform`: a change of IR that keeps its convergence.

use std::path::PathBuf;

use reconverge_transform::{
    Candidate, InlineOptions, Refusal, Transformed, UnrollOptions, Verdict, hoist_anchors, hoist_operations,
    infer_noconvergent, infer_tokens, inline, reduce_cycles, sink_anchors, sink_operations, strip_tokens, unroll,
};

use crate::arguments::{Pass, Transform};
use crate::exit::Status;
use crate::input::Problem;
use crate::lines::Lines;
use crate::output;
use crate::session::{Session, counted};
use crate::source::Wanted;

pub(crate) fn run(session: &mut Session<'_>, arguments: &Transform) -> anyhow::Result<Status> {
    let mut status = Status::Clean;
    let candidates = session.candidates(&arguments.inputs);
    if let ([_, _, ..], Some(_)) = (&candidates[..], &arguments.output) {
        anyhow::bail!("--output takes one file, and the inputs are {}", candidates.len());
    }
    let unrolls = matches!(arguments.pass, Pass::Unroll { .. });
    if !arguments.functions.is_empty() && !unrolls && arguments.pass != Pass::Inline {
        anyhow::bail!("--function goes with inline and unroll");
    }
    if !arguments.loops.is_empty() && !unrolls {
        anyhow::bail!("--loop goes with unroll");
    }
    for candidate in candidates {
        if let Some(path) = &arguments.output {
            output::refuse_input(path, [candidate.path()])?;
        }
        let name = candidate.name();
        let target = session.target.as_deref();
        let result = session.with_content(&candidate, &arguments.inputs, Wanted::default(), |content| {
            let text = &content.ir[..];
            let transformed = match arguments.pass {
                Pass::InferTokens => infer_tokens(text),
                Pass::StripTokens => strip_tokens(text),
                Pass::ReduceCycles => reduce_cycles(text),
                Pass::HoistAnchors => hoist_anchors(text, target),
                Pass::SinkAnchors => sink_anchors(text, target),
                Pass::HoistOperations => hoist_operations(text, target),
                Pass::SinkOperations => sink_operations(text, target),
                Pass::InferNoconvergent => infer_noconvergent(text),
                Pass::Inline => {
                    inline(text, &InlineOptions { functions: arguments.functions.clone(), ..Default::default() })
                }
                Pass::Unroll { factor, keep_tests } => {
                    let (functions, loops) = (arguments.functions.clone(), arguments.loops.clone());
                    unroll(text, &UnrollOptions { target, factor, keep_tests, functions, loops, ..Default::default() })
                        .map(|unrolled| unrolled.transformed)
                }
            };
            let transformed = transformed.map_err(|error| Problem::not_ir(&name, text, &error))?;
            let verdicts =
                if arguments.dry_run { verdicts(&name, text, &transformed.candidates) } else { String::new() };
            let refused = transformed.refusals.len();
            Ok((
                refusals(&name, arguments, text, &transformed),
                refused,
                verdicts,
                transformed.functions,
                transformed.edits.apply(text),
                content.origin.iter().flat_map(|origin| origin.files.paths()).collect::<Vec<PathBuf>>(),
            ))
        });
        let Ok((refusals, refused, verdicts, functions, text, included)) = result else {
            status = Status::Unusable;
            continue;
        };
        session.print(&verdicts)?;
        for refusal in &refusals {
            session.complain(refusal);
        }
        if refused > 0 {
            status = status.max(Status::Findings);
        }
        match &arguments.output {
            Some(path) if path.as_os_str() != "-" => {
                output::refuse_input(path, included.iter().map(PathBuf::as_path))?;
                output::write_whole(path, &text)?;
            }
            Some(_) => session.print_as_it_is(&text)?,
            None => {}
        }
        let refused = if refused == 0 { String::new() } else { format!(", {refused} refused") };
        let would = if arguments.dry_run { "would change" } else { "changed" };
        session.note(&format!("{name}: {would} {}{refused}", counted(functions, "function")));
    }
    Ok(status)
}

/// What was refused, with its places; not what verdicts say better.
fn refusals(name: &str, arguments: &Transform, text: &[u8], transformed: &Transformed) -> Vec<Problem> {
    if transformed.refusals.is_empty() {
        return Vec::new();
    }
    let lines = Lines::new(text);
    let is_verdict = |refusal: &&Refusal| {
        let is_same = |one: &Candidate| matches!(&one.verdict, Verdict::No { rule, .. } if *rule == refusal.rule);
        arguments.dry_run && transformed.candidates.iter().any(is_same)
    };
    // A call or operation that stays does not keep others from being inlined or moved.
    let is_whole = matches!(arguments.pass, Pass::Unroll { .. }) || transformed.candidates.is_empty();
    let stays = if is_whole && arguments.pass != Pass::Inline { " stays as it is" } else { "" };
    let problem = |refusal: &Refusal| {
        let position = lines.position(refusal.span.range().start);
        let message = format!("{}{stays}: {}", refusal.function, refusal.rule);
        Problem { position: Some((position.line, position.column)), ..Problem::new(name, message) }
    };
    transformed.refusals.iter().filter(|refusal| !is_verdict(refusal)).map(problem).collect()
}

/// What could be moved or unrolled, one line each, with the verdict; below a no, what is in the way.
fn verdicts(name: &str, text: &[u8], candidates: &[Candidate]) -> String {
    let lines = Lines::new(text);
    let mut shown = String::new();
    for Candidate { function, what, span, verdict } in candidates {
        let mut line = |span: reconverge_ir::Span, message: String| {
            let position = lines.position(span.range().start);
            shown.push_str(&format!("{name}:{}:{}: {message}\n", position.line, position.column));
        };
        match verdict {
            Verdict::Yes { why } => line(*span, format!("yes: {function}: {what}: {why}")),
            Verdict::No { rule, section, locations } => {
                let section = if section.is_empty() { String::new() } else { format!(" ({section})") };
                line(*span, format!("no: {function}: {what}: {rule}{section}"));
                locations.iter().for_each(|location| line(location.span, format!("note: {}", location.what)));
            }
        }
    }
    shown
}
