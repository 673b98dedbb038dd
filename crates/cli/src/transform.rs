//! `reconverge transform`: a change of IR that keeps its convergence.

use std::path::PathBuf;

use reconverge::{Candidate, Pass, Position, Refused, Transformed, Verdict, transform};

use crate::arguments::{Pass as Argument, Transform};
use crate::exit::Status;
use crate::input::Problem;
use crate::output;
use crate::session::{Session, counted};
use crate::source::Wanted;

pub(crate) fn run(session: &Session<'_>, arguments: &Transform) -> anyhow::Result<Status> {
    let mut status = Status::Clean;
    let candidates = session.candidates(&arguments.inputs);
    if let ([_, _, ..], Some(_)) = (&candidates[..], &arguments.output) {
        anyhow::bail!("--output takes one file, and the inputs are {}", candidates.len());
    }
    let unrolls = matches!(arguments.pass, Argument::Unroll { .. });
    if !arguments.functions.is_empty() && !unrolls && arguments.pass != Argument::Inline {
        anyhow::bail!("--function goes with inline and unroll");
    }
    if !arguments.loops.is_empty() && !unrolls {
        anyhow::bail!("--loop goes with unroll");
    }
    if arguments.threads_never_diverge && arguments.pass != Argument::InferNoconvergent {
        anyhow::bail!("--threads-never-diverge goes with infer-noconvergent");
    }
    for candidate in candidates {
        if let Some(path) = &arguments.output {
            output::refuse_input(path, [candidate.path()])?;
        }
        let name = candidate.name();
        let result = session.with_content(&candidate, &arguments.inputs, Wanted::default(), |content| {
            let transformed = transform(content, &pass(arguments))?;
            let included = content.source().into_iter().flat_map(|source| source.words.files.paths());
            Ok((transformed, included.collect::<Vec<PathBuf>>()))
        });
        let Ok((transformed, included)) = result else {
            status = Status::Unusable;
            continue;
        };
        let refused = transformed.refused.len();
        if arguments.dry_run {
            session.print(&verdicts(&name, &transformed.candidates))?;
        }
        for refusal in &refusals(&name, arguments, &transformed) {
            session.complain(refusal);
        }
        if refused > 0 {
            status = status.max(Status::Findings);
        }
        match &arguments.output {
            _ if arguments.dry_run => {}
            Some(path) if path.as_os_str() != "-" => {
                output::refuse_input(path, included.iter().map(PathBuf::as_path))?;
                output::write_whole(path, &transformed.ir)?;
            }
            Some(_) => session.print_as_it_is(&transformed.ir)?,
            None => {}
        }
        let refused = if refused == 0 { String::new() } else { format!(", {refused} refused") };
        let would = if arguments.dry_run { "would change" } else { "changed" };
        let is_nothing = transformed.functions == 0 && transformed.refused.is_empty();
        let why = match is_nothing && transformed.candidates.is_empty() {
            true => format!(": {}", pass(arguments).finds_nothing()),
            false => String::new(),
        };
        session.note(&format!("{name}: {would} {}{refused}{why}", counted(transformed.functions, "function")));
    }
    Ok(status)
}

/// What is asked for.
fn pass(arguments: &Transform) -> Pass {
    let functions = arguments.functions.clone();
    match arguments.pass {
        Argument::InferTokens => Pass::InferTokens,
        Argument::StripTokens => Pass::StripTokens,
        Argument::ReduceCycles => Pass::ReduceCycles,
        Argument::HoistAnchors => Pass::HoistAnchors,
        Argument::SinkAnchors => Pass::SinkAnchors,
        Argument::HoistOperations => Pass::HoistOperations,
        Argument::SinkOperations => Pass::SinkOperations,
        Argument::InferNoconvergent => Pass::InferNoconvergent { never_diverge: arguments.threads_never_diverge },
        Argument::Inline => Pass::Inline { functions },
        Argument::Unroll { factor, keep_tests } => {
            Pass::Unroll { factor, keep_tests, functions, loops: arguments.loops.clone() }
        }
    }
}

/// What was refused, with its places; not what verdicts say better.
fn refusals(name: &str, arguments: &Transform, transformed: &Transformed) -> Vec<Problem> {
    let is_verdict = |refusal: &&Refused| {
        let is_same = |one: &Candidate| matches!(&one.verdict, Verdict::No { rule, .. } if *rule == refusal.rule);
        arguments.dry_run && transformed.candidates.iter().any(is_same)
    };
    // A call or operation that stays does not keep others from being inlined or moved.
    let moves = !matches!(arguments.pass, Argument::Unroll { .. } | Argument::InferTokens);
    let is_whole = !moves || transformed.candidates.is_empty();
    let stays = if is_whole && arguments.pass != Argument::Inline { " stays as it is" } else { "" };
    let problem = |refusal: &Refused| {
        let message = format!("{}{stays}: {}", refusal.function, refusal.rule);
        let position = Some((refusal.position.line, refusal.position.column));
        Problem { position, ..Problem::new(name, message) }
    };
    transformed.refused.iter().filter(|refusal| !is_verdict(refusal)).map(problem).collect()
}

/// What could be moved or unrolled, one line each, with the verdict; below a no, what is in the way.
fn verdicts(name: &str, candidates: &[Candidate]) -> String {
    let mut shown = String::new();
    for Candidate { function, what, position, verdict, .. } in candidates {
        let mut line = |position: &Position, message: String| {
            shown.push_str(&format!("{name}:{}:{}: {message}\n", position.line, position.column));
        };
        match verdict {
            Verdict::Yes { why, .. } => line(position, format!("yes: {function}: {what}: {why}")),
            Verdict::No { rule, section, because, .. } => {
                let section = if section.is_empty() { String::new() } else { format!(" ({section})") };
                line(position, format!("no: {function}: {what}: {rule}{section}"));
                because.iter().for_each(|(position, what)| line(position, format!("note: {what}")));
            }
            _ => {}
        }
    }
    shown
}
