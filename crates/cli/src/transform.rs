//! `reconverge transform`: a change of IR that keeps its convergence.

use reconverge_transform::{Transformed, UnrollOptions, infer_tokens, strip_tokens, unroll};

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
    for candidate in candidates {
        let name = candidate.name();
        let result = session.with_content(&candidate, &arguments.inputs, Wanted::default(), |content| {
            let text = &content.ir[..];
            let transformed = match arguments.pass {
                Pass::InferTokens => infer_tokens(text),
                Pass::StripTokens => strip_tokens(text),
                Pass::Unroll { factor, keep_tests } => {
                    let (functions, loops) = (arguments.functions.clone(), arguments.loops.clone());
                    unroll(text, &UnrollOptions { factor, keep_tests, functions, loops })
                        .map(|unrolled| unrolled.transformed)
                }
            };
            let transformed = transformed.map_err(|error| Problem::not_ir(&name, text, &error))?;
            Ok((refusals(&name, text, &transformed), transformed.functions, transformed.edits.apply(text)))
        });
        let Ok((refusals, functions, text)) = result else {
            status = Status::Unusable;
            continue;
        };
        for refusal in &refusals {
            session.complain(refusal);
            status = status.max(Status::Findings);
        }
        match &arguments.output {
            Some(path) if path.as_os_str() != "-" => output::write_whole(path, &text)?,
            Some(_) => session.print(&String::from_utf8_lossy(&text))?,
            None => {}
        }
        let refused = if refusals.is_empty() { String::new() } else { format!(", {} refused", refusals.len()) };
        let would = if arguments.dry_run { "would change" } else { "changed" };
        session.note(&format!("{name}: {would} {}{refused}", counted(functions, "function")));
    }
    Ok(status)
}

/// What was refused, with its places.
fn refusals(name: &str, text: &[u8], transformed: &Transformed) -> Vec<Problem> {
    if transformed.refusals.is_empty() {
        return Vec::new();
    }
    let lines = Lines::new(text);
    let problem = |refusal: &reconverge_transform::Refusal| {
        let position = lines.position(refusal.span.range().start);
        let message = format!("{} stays as it is: {}", refusal.function, refusal.rule);
        Problem { position: Some((position.line, position.column)), ..Problem::new(name, message) }
    };
    transformed.refusals.iter().map(problem).collect()
}
