//! `reconverge run`: a kernel with data and threads, executed.
//!
//! `prepare` makes a launch of what the command line says, `describe` and `compare` say what happened; `tried` is about launches that are made up.

mod compare;
pub(crate) mod describe;
mod interrupt;
mod prepare;
mod prints;
mod timeline;
mod tried;

use std::collections::BTreeMap;
use std::ops::Deref;
use std::sync::atomic::Ordering;
use std::time::Instant;

use reconverge::{Module, Run, Timeline, Told, Traced, compare_timelines, timeline_of_run, trace_run};
use reconverge_exec::launch::{Launch, Limits, OperationProfile, Outcome};
use reconverge_findings::run::{Limit, RunLimit, Trouble, What};
use reconverge_findings::{Kind, Severity};
use reconverge_lang::builtins::mangle::as_written;
use serde::Serialize;

use crate::arguments::{Format, Run as Arguments, RunModel, SourceModel, TableFormat};
use crate::exit::Status;
use crate::input::{Candidate, Problem};
use crate::lines::Lines;
use crate::output::printable;
use crate::render::Renderer;
use crate::session::{Session, counted};
use crate::source::{self, Wanted};
use crate::validate::style;
use compare::{By, Column, Comparison};
use prepare::{Prepared, options, prepare};

pub(crate) fn run(session: &Session<'_>, arguments: &Arguments) -> anyhow::Result<Status> {
    if arguments.input.is_dir() {
        let message = "expected one file, not a folder".to_owned();
        session.complain(&Problem::new(arguments.input.display().to_string(), message));
        return Ok(Status::Unusable);
    }
    let candidate = Candidate::named(&arguments.input, arguments.input_format);
    let contents = match contents(session, arguments, &candidate) {
        Ok(contents) => contents,
        Err(problem) => {
            session.complain(&problem);
            return Ok(Status::Unusable);
        }
    };
    let name = candidate.name();
    if let Some(launches) = arguments.launches {
        return tried::run(session, arguments, launches, &name, &contents);
    }
    let mut prepared = Vec::new();
    for (content, model) in &contents {
        match prepare(session, arguments, &name, content, *model) {
            Ok(one) => prepared.push(one),
            Err(problem) => {
                session.complain(&problem);
                return Ok(Status::Unusable);
            }
        }
    }
    let control = &session.settings.control;
    interrupt::install(control);
    let mut runs = Vec::new();
    let mut budget = Budget::new(&prepared);
    for (of, one) in prepared.iter().enumerate() {
        for &(model_name, model) in &one.models {
            if control.is_cancelled() {
                break;
            }
            let max_events =
                if arguments.model == Some(RunModel::All) { one.compared_events() } else { one.launch().max_events };
            let limits = budget.share(one.launch().limits);
            let launch = Launch { model, max_events, limits, ..one.launch().clone() };
            match execute(session, one, &launch, model_name) {
                Ok(mut run) => {
                    budget.spend(&mut run.outcome);
                    if budget.models > 1 {
                        one.kernel.tell(&mut run);
                    }
                    runs.push(Ran { run, of });
                }
                Err(problem) => {
                    session.complain(&problem);
                    return Ok(Status::Unusable);
                }
            }
        }
    }
    let traced = match &arguments.trace {
        Some(threads) => match traced(session, arguments, &candidate, &threads.0) {
            Ok(traced) => Some(traced),
            Err(problem) => {
                session.complain(&problem);
                return Ok(Status::Unusable);
            }
        },
        None => None,
    };
    let timelines = match arguments.timeline {
        true => match timelines(arguments, &prepared) {
            Ok(timelines) => timelines,
            Err(problem) => {
                session.complain(&problem);
                return Ok(Status::Unusable);
            }
        },
        false => Vec::new(),
    };
    let interrupted = control.is_cancelled();
    let input = |content| Input { path: &name, content, lines: Lines::new(content.ir()) };
    let inputs: Vec<Input<'_>> = contents.iter().map(|(content, _)| input(content)).collect();
    match arguments.format {
        Format::Text => {
            print_text(session, arguments, &inputs, &prepared[0], &runs, (traced.as_ref(), &timelines), interrupted)?
        }
        Format::Json => print_json(session, &inputs, &prepared[0], &runs, (traced.as_ref(), &timelines))?,
    }
    let severities = runs.iter().flat_map(|run| &run.outcome.findings).map(|finding| finding.severity);
    Ok(if interrupted { Status::Interrupted } else { Status::of(severities, session.global.strict) })
}

/// What a kernel did under one model.
struct Ran {
    run: Run,
    /// Which of the texts ran: its number.
    of: usize,
}

impl Deref for Ran {
    type Target = Run;

    fn deref(&self) -> &Run {
        &self.run
    }
}

/// What several models may spend together: each an equal part of what those before it have left.
struct Budget {
    limits: Limits,
    models: u64,
    left: Limits,
    /// How many are still to come.
    rest: u64,
}

impl Budget {
    fn new(prepared: &[Prepared<'_>]) -> Budget {
        let limits = prepared.first().map(|one| one.launch().limits).unwrap_or_default();
        let models = prepared.iter().map(|one| one.models.len() as u64).sum();
        Budget { limits, models, left: limits, rest: models }
    }

    /// What the next model may spend.
    fn share(&self, limits: Limits) -> Limits {
        let rest = self.rest.max(1);
        Limits { instructions: self.left.instructions / rest, steps: self.left.steps / rest as usize, ..limits }
    }

    /// Takes off what a model has spent, and says of its limit that it is a part.
    fn spend(&mut self, outcome: &mut Outcome) {
        self.rest = self.rest.saturating_sub(1);
        self.left.instructions = self.left.instructions.saturating_sub(outcome.instructions);
        self.left.steps = self.left.steps.saturating_sub(outcome.steps as usize);
        if self.models > 1 {
            let Limits { instructions, steps, .. } = self.limits;
            for found in &mut outcome.findings {
                if let Kind::Run(Trouble { what: What::Limit(limit @ Limit::Run { .. }), .. }) = &mut found.kind {
                    limit.share(|limit| match limit {
                        RunLimit::Instructions(_) => RunLimit::Instructions(instructions),
                        RunLimit::Steps(_) => RunLimit::Steps(steps),
                    });
                }
            }
        }
    }
}

/// The IR to run, and what was asked of it. Source is translated with tokens for the models that it defines, and without any for those
/// that ask the graph; `--model all` takes both.
fn contents(
    session: &Session<'_>,
    arguments: &Arguments,
    candidate: &Candidate,
) -> Result<Vec<(Module, Asked)>, Problem> {
    let input = candidate.input(session)?;
    if input.dialect().is_none() {
        let model = match arguments.model {
            Some(RunModel::Clang2025_04 | RunModel::Tangles2024_10 | RunModel::Clang2025_08) => {
                let message = "this is IR; expected --model controlled, maximal, ipdom or all";
                return Err(Problem::new(candidate.name(), message));
            }
            model => Asked::Ir(model),
        };
        let wanted = Wanted { of_ir: true, ..Wanted::kernels() };
        return Ok(vec![(source::open(session, input, candidate.path(), &[], wanted)?, model)]);
    }
    let translate = |model: SourceModel, without_tokens: bool| {
        let wanted = Wanted { model, without_tokens, origins: true, ..Wanted::kernels() };
        let wanted = if without_tokens { wanted } else { wanted.to_run() };
        source::open(session, input.clone(), candidate.path(), &arguments.clang_flags, wanted)
    };
    let of_source = |model, name| Ok::<_, Problem>((translate(model, false)?, Asked::Source(name)));
    let of_graph = |model| Ok::<_, Problem>((translate(SourceModel::default(), true)?, Asked::Ir(Some(model))));
    Ok(match arguments.model {
        None | Some(RunModel::Clang2025_04 | RunModel::Controlled) => {
            vec![of_source(SourceModel::Clang2025_04, "clang-2025-04")?]
        }
        Some(RunModel::Tangles2024_10) => vec![of_source(SourceModel::Tangles2024_10, "tangles-2024-10")?],
        Some(RunModel::Clang2025_08) => vec![of_source(SourceModel::Clang2025_08, "clang-2025-08")?],
        Some(model @ (RunModel::Maximal | RunModel::Ipdom)) => vec![of_graph(model)?],
        Some(RunModel::All) => vec![
            of_source(SourceModel::Clang2025_04, "clang-2025-04")?,
            of_graph(RunModel::Maximal)?,
            of_graph(RunModel::Ipdom)?,
        ],
    })
}

/// Who is together under each model, step by step.
fn timelines(arguments: &Arguments, prepared: &[Prepared<'_>]) -> Result<Vec<Timeline>, Problem> {
    let mut timelines = Vec::new();
    for one in prepared {
        for &(name, model) in &one.models {
            let launch = Launch { model, ..one.launch().clone() };
            let title = match arguments.hierarchy {
                1 => name.to_owned(),
                number => format!("{name}, hierarchy {number}"),
            };
            timelines.push(timeline_of_run(&one.kernel, &title, &launch, &arguments.arg)?);
        }
    }
    compare_timelines(&mut timelines);
    Ok(timelines)
}

/// The table of a run of source with markers, which say in which statements threads are.
fn traced(
    session: &Session<'_>,
    arguments: &Arguments,
    candidate: &Candidate,
    threads: &[u64],
) -> Result<Traced, Problem> {
    let model = match arguments.model {
        None | Some(RunModel::Clang2025_04 | RunModel::Controlled) => SourceModel::Clang2025_04,
        Some(RunModel::Tangles2024_10) => SourceModel::Tangles2024_10,
        Some(RunModel::Clang2025_08) => SourceModel::Clang2025_08,
        Some(RunModel::Maximal | RunModel::Ipdom | RunModel::All) => {
            let message = "--trace is for one of the models of source: clang-2025-04, tangles-2024-10, clang-2025-08";
            return Err(Problem::new(candidate.name(), message));
        }
    };
    let wanted =
        Wanted { model, markers: true, translation: true, entry: arguments.entry, ..Wanted::kernels() }.to_run();
    let module = source::open(session, candidate.input(session)?, candidate.path(), &arguments.clang_flags, wanted)?;
    Ok(trace_run(&module, &options(session, arguments, 0), threads)?)
}

/// Under which models a text is to be run.
#[derive(Debug, Clone, Copy)]
enum Asked {
    /// What the command line says; where it says nothing, by whether there are tokens.
    Ir(Option<RunModel>),
    /// What the tokens say, which come from a model of the source.
    Source(&'static str),
}

/// What is read.
struct Input<'i> {
    path: &'i str,
    content: &'i Module,
    lines: Lines<'i>,
}

impl Input<'_> {
    fn by(&self) -> By<'_> {
        self.content.source().map_or(By::Line, By::Source)
    }
}

fn execute(
    session: &Session<'_>,
    prepared: &Prepared<'_>,
    launch: &Launch,
    model: &'static str,
) -> Result<Run, Problem> {
    let start = Instant::now();
    let done = &session.done;
    [&done.workgroups, &done.instructions].into_iter().for_each(|number| number.store(0, Ordering::Relaxed));
    let speed = |instructions: u64| instructions as f64 / 1e6 / start.elapsed().as_secs_f64().max(1e-9);
    let sample = || {
        let speed = speed(done.instructions.load(Ordering::Relaxed));
        (done.workgroups.load(Ordering::Relaxed), format!("{speed:.0} M instructions/s"))
    };
    let workgroups = prepared.workgroups();
    let run = session.progress.watch(workgroups, "workgroups", sample, || prepared.kernel.run(model, launch))?;
    session.detail(|| {
        let (speed, seconds) = (speed(run.outcome.instructions), start.elapsed().as_secs_f64());
        format!("{}: model {model}: run in {seconds:.3} s ({speed:.0} M instructions/s)", run.path)
    });
    Ok(run)
}

fn print_text(
    session: &Session<'_>,
    arguments: &Arguments,
    inputs: &[Input<'_>],
    prepared: &Prepared<'_>,
    runs: &[Ran],
    (traced, timelines): (Option<&Traced>, &[Timeline]),
    interrupted: bool,
) -> anyhow::Result<()> {
    if interrupted {
        session.note("interrupted: this is what was known by then");
    }
    let mut output = String::new();
    if !session.global.quiet {
        match runs {
            [run] => describe_run(arguments, &inputs[run.of], prepared, &run.outcome, &mut output),
            _ => describe_all(arguments, &inputs[0], prepared, runs, &mut output),
        }
        if !output.is_empty() {
            output.push('\n');
        }
        let style = style(session.has_color(), false);
        timelines.iter().for_each(|timeline| output.push_str(&timeline::describe(timeline, style)));
        if let Some(traced) = traced {
            output.push_str(&crate::trace::describe(traced, inputs[0].path, TableFormat::Text));
        }
    }
    let renderer = Renderer::new(session.has_color());
    for Shared { told, of, models } in findings(runs) {
        let mut told = told.clone();
        if runs.len() > 1 {
            told.diagnostic.notes.push(format!("under {}", models.join(", ")));
        }
        renderer.told(&told, inputs[of].path, &inputs[of].lines, &mut output);
    }
    session.print(&output)?;
    session.flush()?;
    if !runs.is_empty() {
        session.note(&summary(prepared, runs));
        let communicates = runs.iter().any(|run| !run.outcome.profile.is_empty());
        if arguments.block.is_none() && prepared.threads_in_workgroup() == 1 && communicates {
            session.note(
                "one thread only, so none can be missing: --block 64 runs more, --launches 100 makes launches up",
            );
        }
    }
    Ok(())
}

/// One run: its buffers, its first events, its profile.
fn describe_run(
    arguments: &Arguments,
    input: &Input<'_>,
    prepared: &Prepared<'_>,
    outcome: &Outcome,
    output: &mut String,
) {
    describe_buffers(prepared, outcome, output);
    if arguments.events.is_some() {
        output.push_str("executions, first ones first:\n");
        for event in &outcome.events {
            output.push_str(&format!("  {}\n", describe::event(input.path, event, input.by())));
        }
    }
    let possible = |operation: &OperationProfile| prepared.possible(operation);
    output.push_str(&describe::profile(input.path, &outcome.profile, input.by(), possible));
}

/// Several runs, side by side.
fn describe_all(arguments: &Arguments, input: &Input<'_>, prepared: &Prepared<'_>, runs: &[Ran], output: &mut String) {
    let columns = Column::of(runs);
    let comparison = Comparison::new(&columns, input.by());
    if comparison.same_results() {
        runs.iter().take(1).for_each(|run| describe_buffers(prepared, &run.outcome, output));
    } else {
        for run in runs {
            output.push_str(&format!("under {}:\n", run.model));
            describe_buffers(prepared, &run.outcome, output);
        }
    }
    output.push_str(&comparison.describe(input.path));
    output.push_str(&comparison.summary());
    if let Some(most) = arguments.events {
        for run in runs {
            output.push_str(&format!("executions under {}, first ones first:\n", run.model));
            for event in run.outcome.events.iter().take(most) {
                output.push_str(&format!("  {}\n", describe::event(input.path, event, input.by())));
            }
        }
    }
}

/// The buffers that are asked for; all of them, in short, where none is.
fn describe_buffers(prepared: &Prepared<'_>, outcome: &Outcome, output: &mut String) {
    for buffer in &outcome.buffers {
        let asked = prepared.prints.iter().find(|(name, _)| *name == buffer.name);
        match asked {
            Some(&(_, most)) => output.push_str(&describe::buffer(buffer, most)),
            None if prepared.prints.is_empty() => output.push_str(&describe::buffer(buffer, describe::SHOWN)),
            None => {}
        }
    }
}

/// A finding, and the models under which it was.
struct Shared<'r> {
    told: &'r Told,
    /// The text that the first of them ran.
    of: usize,
    models: Vec<&'static str>,
}

/// What was found, each finding once.
fn findings(runs: &[Ran]) -> Vec<Shared<'_>> {
    let mut findings: Vec<Shared<'_>> = Vec::new();
    for run in runs {
        for told in &run.told {
            // Places in different texts of IR have nothing to do with each other.
            let is_same = |known: &&mut Shared<'_>| known.told == told && (known.of == run.of || told.place.is_some());
            match findings.iter_mut().find(is_same) {
                Some(known) => known.models.push(run.model),
                None => findings.push(Shared { told, of: run.of, models: vec![run.model] }),
            }
        }
    }
    findings
}

fn summary(prepared: &Prepared<'_>, runs: &[Ran]) -> String {
    let found = findings(runs);
    let count = |severity: Severity| found.iter().filter(|shared| shared.told.diagnostic.severity == severity).count();
    let counts = [(count(Severity::Error), "error"), (count(Severity::Warning), "warning")];
    let found: Vec<String> =
        counts.into_iter().filter(|&(count, _)| count > 0).map(|(count, what)| counted(count, what)).collect();
    let found = if found.is_empty() { "no findings".to_owned() } else { found.join(", ") };
    let workgroups = prepared.workgroups();
    let workgroup_count = workgroups;
    let (thread, workgroup) = prepared.kernel.thread_and_workgroup();
    let threads = counted((workgroups * prepared.threads_in_workgroup()) as usize, thread);
    let workgroups = counted(workgroups as usize, workgroup);
    let instructions = counted(runs.iter().map(|run| run.outcome.instructions).sum::<u64>() as usize, "instruction");
    let early = match runs.iter().filter(|run| !run.outcome.completed).map(|run| run.outcome.finished).min() {
        None => String::new(),
        Some(finished) if workgroup_count > 1 => format!(", ended early: {finished} of them finished"),
        Some(_) => ", ended early".to_owned(),
    };
    let models: Vec<&str> = runs.iter().map(|run| run.model).collect();
    let kernel = printable(&prepared.launch().kernel);
    let kernel = match prepared.kernel.of_source() {
        true => as_written(&kernel).into_owned(),
        false => format!("@{kernel}"),
    };
    format!("{found}; {kernel}: {threads} in {workgroups}, {instructions}{early} (model {})", models.join(", "))
}

fn print_json(
    session: &Session<'_>,
    inputs: &[Input<'_>],
    prepared: &Prepared<'_>,
    runs: &[Ran],
    (traced, timelines): (Option<&Traced>, &[Timeline]),
) -> anyhow::Result<()> {
    match runs {
        [ran] => session.print_json(&WithMore { run: &ran.run, trace: traced, timeline: timelines.first() })?,
        _ => {
            let columns = Column::of(runs);
            let comparison = Comparison::new(&columns, inputs[0].by());
            session.print_json(&AllModels {
                path: inputs[0].path,
                kernel: format!("@{}", prepared.launch().kernel),
                models: runs.iter().map(|ran| (ran.run.model, &ran.run)).collect(),
                same_sets: comparison.same_sets(),
                same_results: comparison.same_results(),
                timelines,
            })?;
        }
    }
    Ok(())
}

/// A run, with what `--trace` and `--timeline` ask for.
#[derive(Serialize)]
struct WithMore<'o> {
    #[serde(flatten)]
    run: &'o Run,
    #[serde(skip_serializing_if = "Option::is_none")]
    trace: Option<&'o Traced>,
    #[serde(skip_serializing_if = "Option::is_none")]
    timeline: Option<&'o Timeline>,
}

/// What `--model all` prints as JSON.
#[derive(Serialize)]
struct AllModels<'o> {
    path: &'o str,
    kernel: String,
    models: BTreeMap<&'static str, &'o Run>,
    same_sets: bool,
    same_results: bool,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    timelines: &'o [Timeline],
}
