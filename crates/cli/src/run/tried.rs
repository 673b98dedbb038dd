//! `run --launches N`: launches that are made up, until one shows something.

use std::sync::atomic::Ordering;

use reconverge::{FindingReport, Module, RunOptions, StatedBlock, Tried, TryOptions, try_launches};
use reconverge_exec::launch::Model;
use reconverge_exec::launch_grammar::extent::Extent;
use reconverge_findings::Severity;
use reconverge_lang::builtins::mangle::as_written;
use serde::Serialize;

use super::prepare::{needs_built_in_front_end, options};
use super::{Asked, interrupt};
use crate::arguments::{Format, Run as Arguments, RunModel};
use crate::exit::Status;
use crate::input::Problem;
use crate::lines::Lines;
use crate::output::printable;
use crate::render::Renderer;
use crate::session::{Session, counted};

/// What is printed as JSON.
#[derive(Serialize)]
struct Report<'t> {
    path: &'t str,
    seed: u64,
    kernels: &'t [Tried],
}

/// Tries launches of the kernels of a module, and says what came of them.
pub(super) fn run(
    session: &Session<'_>,
    arguments: &Arguments,
    launches: u64,
    path: &str,
    contents: &[(Module, Asked)],
) -> anyhow::Result<Status> {
    let tried = of_contents(session, arguments, launches, path, contents);
    let (module, tried) = match tried {
        Ok(tried) => tried,
        Err(problem) => {
            session.complain(&problem);
            return Ok(Status::Unusable);
        }
    };
    match arguments.format {
        Format::Json => session.print_json(&Report { path, seed: arguments.seed, kernels: &tried })?,
        Format::Text => print_text(session, path, launches, module, &tried)?,
    }
    if tried.iter().all(|one| one.refused.is_some()) {
        session.complain(&Problem::new(path, "no kernel can be run on launches that are made up"));
        return Ok(Status::Unusable);
    }
    let severities = shown(&tried).flat_map(|run| &run.outcome.findings).map(|finding| finding.severity);
    Ok(Status::of(severities, session.global.strict))
}

fn of_contents<'c>(
    session: &Session<'_>,
    arguments: &Arguments,
    launches: u64,
    path: &str,
    contents: &'c [(Module, Asked)],
) -> Result<(&'c Module, Vec<Tried>), Problem> {
    let [(module, asked)] = contents else {
        return Err(Problem::new(path, "launches are made up for one model; expected --model without `all`"));
    };
    let is_known = module.source().is_some_and(|source| source.has_tokens || source.is_run_by_statements());
    let model = match (arguments.model, asked) {
        (Some(RunModel::All), _) => {
            return Err(Problem::new(path, "launches are made up for one model; expected --model without `all`"));
        }
        (Some(RunModel::Maximal), _) => Some(Model::Maximal { hierarchy: 0 }),
        (Some(RunModel::Ipdom), _) => Some(Model::ImmediatePostDominator),
        (Some(_), Asked::Source(name)) if !is_known => return Err(Problem::new(path, needs_built_in_front_end(name))),
        (Some(RunModel::Controlled), Asked::Ir(_)) => Some(Model::Controlled),
        _ => None,
    };
    session.note_unknown_triple(path, module.unknown_triple());
    let given = RunOptions { model, ..options(session, arguments, 0) };
    let asked = TryOptions { launches, seed: arguments.seed, given };
    interrupt::install(&session.settings.control);
    let sample = || (session.done.launches.load(Ordering::Relaxed), String::new());
    let tried = session.progress.watch(0, "launches", sample, || try_launches(module, &asked))?;
    Ok((module, tried))
}

fn shown(tried: &[Tried]) -> impl Iterator<Item = &reconverge::Run> {
    tried.iter().filter_map(|one| one.shown.as_ref()).map(|shown| &shown.run)
}

fn print_text(
    session: &Session<'_>,
    path: &str,
    launches: u64,
    module: &Module,
    tried: &[Tried],
) -> anyhow::Result<()> {
    let renderer = Renderer::new(session.has_color());
    let lines = Lines::new(module.ir());
    let mut output = String::new();
    for one in tried {
        if !session.global.quiet {
            output.push_str(&describe(one, path, launches, module.source().is_some()));
        }
        let Some(shown) = &one.shown else { continue };
        shown.run.told.iter().for_each(|told| renderer.told(told, path, &lines, &mut output));
    }
    session.print(&output)?;
    session.flush()?;
    let count = |severity| {
        let findings = shown(tried).flat_map(|run| &run.outcome.findings);
        findings.filter(|finding| finding.severity == severity).count()
    };
    let found = [(count(Severity::Error), "error"), (count(Severity::Warning), "warning")];
    let found = found.into_iter().filter(|&(count, _)| count > 0).map(|(count, what)| counted(count, what));
    let found = found.collect::<Vec<_>>().join(", ");
    let is_open = tried.iter().any(|one| !one.others.is_empty());
    let found = match found.is_empty() {
        true if is_open => "nothing that is certain was found".to_owned(),
        true => "no findings".to_owned(),
        false => found,
    };
    let run: u64 = tried.iter().map(|one| one.launches).sum();
    session.note(&format!("{found}; {} of {}", counted(run as usize, "launch"), counted(tried.len(), "kernel")));
    Ok(())
}

/// What came of one kernel: all but the findings.
fn describe(one: &Tried, file: &str, launches: u64, of_source: bool) -> String {
    let kernel = printable(&one.kernel);
    let kernel = match of_source {
        true => format!("`{}`", as_written(kernel.trim_start_matches('@'))),
        false => kernel.into_owned(),
    };
    let mut output = match (&one.refused, &one.shown) {
        (Some(refused), _) => format!("{kernel} is not run: {}\n", refused.trim_end_matches('.')),
        (None, Some(shown)) => {
            let number = shown.number;
            let command = &shown.command;
            format!("{kernel}, launch {number} of {launches}, made small:\n  {command}\n")
        }
        (None, None) if one.others.is_empty() => format!("{kernel}: nothing was found in {launches} launches\n"),
        (None, None) => format!("{kernel}: {launches} launches, of which\n"),
    };
    if let Some(StatedBlock { block, path, line, .. }) = &one.stated_block {
        let place = if path == file { format!("line {line}") } else { format!("{path}:{line}") };
        output.push_str(&format!("  with --block {}, as {place} launches it\n", Extent(*block)));
    }
    for other in &one.others {
        let FindingReport { code, path, line, message, .. } = &other.first;
        let ended = counted(other.launches as usize, "launch");
        let made_up = match one.stated_block {
            Some(_) => "arguments that the program never passes: repeat with those that it passes (--arg)",
            None => "sizes that the program never uses: repeat with those that it uses (--block, --arg)",
        };
        output.push_str(&format!(
            "  {ended} ended with {code}, which can come of {made_up}\n    {}:{line}: {message}\n",
            path.as_deref().unwrap_or(file)
        ));
    }
    output.push('\n');
    output
}
