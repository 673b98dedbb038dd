//! `reconverge transform`: a change of IR that keeps its convergence.

use std::path::PathBuf;

use anyhow::ensure;
use reconverge::{Candidate, Pass, Position, Refused, Transformed, Verdict, transform};

use crate::arguments::Transform;
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
    let pass = pass(arguments)?;
    for candidate in candidates {
        if let Some(path) = &arguments.output {
            output::refuse_input(path, [candidate.path()])?;
        }
        let name = candidate.name();
        let result = session.with_content(&candidate, &arguments.inputs, Wanted::default(), |content| {
            let transformed = transform(content, &pass)?;
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
        for refusal in &refusals(&name, &pass, arguments.dry_run, &transformed) {
            session.complain(refusal);
        }
        for one in &transformed.loosened {
            let Position { line, column, .. } = one.position;
            session.note(&format!(
                "{name}:{line}:{column}: note: {}: {} (`reconverge validate` compares)",
                one.function, one.what
            ));
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
            true => format!(": {}", pass.finds_nothing()),
            false => String::new(),
        };
        session.note(&format!("{name}: {would} {}{refused}{why}", counted(transformed.functions, "function")));
    }
    Ok(status)
}

/// What is asked for, with what the options say of it.
fn pass(arguments: &Transform) -> anyhow::Result<Pass> {
    let mut asked = arguments.pass.clone();
    let (mut of_functions, mut of_loops, mut of_threads) = (false, false, false);
    match &mut asked {
        Pass::Inline { functions } => {
            functions.clone_from(&arguments.functions);
            of_functions = true;
        }
        Pass::Unroll { functions, loops, .. } => {
            functions.clone_from(&arguments.functions);
            loops.clone_from(&arguments.loops);
            (of_functions, of_loops) = (true, true);
        }
        Pass::InferNoconvergent { never_diverge } => {
            *never_diverge = arguments.threads_never_diverge;
            of_threads = true;
        }
        _ => {}
    }
    ensure!(of_functions || arguments.functions.is_empty(), "--function goes with inline and unroll");
    ensure!(of_loops || arguments.loops.is_empty(), "--loop goes with unroll");
    ensure!(of_threads || !arguments.threads_never_diverge, "--threads-never-diverge goes with infer-noconvergent");
    Ok(asked)
}

/// What was refused, with its places; not what verdicts say better.
fn refusals(name: &str, pass: &Pass, dry_run: bool, transformed: &Transformed) -> Vec<Problem> {
    let is_verdict = |refusal: &&Refused| {
        let is_same = |one: &Candidate| matches!(&one.verdict, Verdict::No { rule, .. } if *rule == refusal.rule);
        dry_run && transformed.candidates.iter().any(is_same)
    };
    // A call or operation that stays does not keep others from being inlined or moved.
    let moves = !matches!(pass, Pass::Unroll { .. } | Pass::InferTokens);
    let is_whole = !moves || transformed.candidates.is_empty();
    let stays = if is_whole && !matches!(pass, Pass::Inline { .. }) { " stays as it is" } else { "" };
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
