//! `reconverge bisect`: the first pass of a pipeline that does not keep who communicates with whom.
//!
//! `opt` runs the pipeline once, `dumps` takes what it prints apart into modules, `changes` says which kernels a pass may have changed, and
//! `search` compares those before and after it.

mod changes;
mod dumps;
mod opt;
mod report;
mod search;

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Instant;

use anyhow::Context;
use reconverge::{Code, Input, ValidateOptions};
use reconverge_analysis::check::{CheckOptions, check};
use reconverge_exec::Program;
use reconverge_validate::Verdict;

use crate::arguments::{Bisect, ComparedModel, Format};
use crate::comparing;
use crate::exit::Status;
use crate::input::{Candidate, Problem};
use crate::interestingness::{self, Sought};
use crate::output::{self, printable};
use crate::render::Renderer;
use crate::session::{Session, counted};
use crate::source::{self, Wanted};
use crate::validate::{Pair, Version, describe, display as shown, style};
use crate::versions::{self, Shown};
use dumps::PassRun;
use opt::{End, Opt};
use reconverge::launches::{file, quoted};

pub(crate) use opt::find as find_opt;

use report::Report;
use search::{Found, Search, Seen, Step, Why, lock};

/// Where the modules before and after the pass are.
struct Kept {
    before: String,
    after: String,
}

pub(crate) fn run(session: &Session<'_>, arguments: &Bisect) -> anyhow::Result<Status> {
    let kept = ["bisect-before.ll", "bisect-after.ll"].map(|name| arguments.keep.join(name));
    for path in kept.iter().chain(&arguments.report) {
        output::refuse_input(path, [arguments.input.as_path()])?;
    }
    let opt = opt::find(arguments.opt.as_deref(), session.tool_bounds()).map_err(anyhow::Error::msg)?;
    let (module, of_source) = match input(session, arguments) {
        Ok(input) => input,
        Err(problem) => {
            session.complain(&problem);
            return Ok(Status::Unusable);
        }
    };
    let name = shown(&arguments.input);
    let initial: Arc<[u8]> = match opt.initial(&module) {
        Ok(text) => text.into(),
        Err(message) => {
            let message = message.replace("<stdin>", &name);
            session.complain(&Problem::new(name, format!("opt does not take it: {message}")));
            return Ok(Status::Unusable);
        }
    };
    let options = comparing::options(session, &arguments.compared, arguments.runs);
    if let Err(problem) = check_options(session, &options, &name, &initial) {
        session.complain(&problem);
        return Ok(Status::Unusable);
    }
    if !of_source {
        note_not_convergent(session, &name, &initial);
    }
    let start = Instant::now();
    let mut running = opt.start(module, &arguments.passes).map_err(anyhow::Error::msg)?;
    let search = Search::default();
    let wanted = search::Wanted {
        options: &options,
        target: session.settings.target.as_deref(),
        files: &*session.settings.files,
    };
    let sample = || {
        let last = lock(&search.last).as_ref().map(PassRun::describe).unwrap_or_default();
        (search.done.load(Ordering::Relaxed) as u64, printable(&last).into_owned())
    };
    let watched = session.progress.watch(0, "steps", sample, || search.run(&mut running, initial, wanted));
    watched.with_context(|| format!("{name}: what {} prints cannot be read", opt.path.display()))?;
    let found = match search.found() {
        Some(found) => Some(found),
        None => match opt.end(&mut running) {
            End::Complete => None,
            End::Rejected(messages) => match search.last_step() {
                Some(step) => Some(Found { step, why: Why::Verifier(messages) }),
                None => anyhow::bail!("{name}: opt's verifier rejects it: {}", messages.join(" ")),
            },
            End::Failed(message) => anyhow::bail!("{}", failure(&name, &search, &message)),
        },
    };
    drop(running);
    let seen = search.seen(found.as_ref().map(|found| found.step.index));
    session
        .detail(|| format!("{name}: {} in {:.1} s", counted(seen.runs as usize, "run"), start.elapsed().as_secs_f64()));
    match found {
        None => say_clean(session, arguments, &name, &seen),
        Some(found) => say_found(session, arguments, of_source, &opt, &seen, &found),
    }
}

/// The input as IR or bitcode, and whether it was written as source.
fn input(session: &Session<'_>, arguments: &Bisect) -> Result<(Vec<u8>, bool), Problem> {
    let path = &arguments.input;
    if path.as_os_str() != "-" && path.is_dir() {
        return Err(Problem::new(shown(path), "expected one file, not a folder"));
    }
    let candidate = Candidate::named(path, arguments.input_format);
    let input = candidate.input(session)?;
    if input.dialect().is_none() {
        return Ok((input.into_bytes(), false));
    }
    if let Some(ComparedModel::Tangles2024_10 | ComparedModel::Clang2025_08) = arguments.compared.model {
        let message = "passes change IR, in which nothing says what these texts say; expected --model controlled, maximal, ipdom or all";
        return Err(Problem::new(shown(path), message));
    }
    let without_tokens = matches!(arguments.compared.model, Some(ComparedModel::Maximal | ComparedModel::Ipdom));
    let wanted = Wanted { without_tokens, ..Wanted::default() };
    let content = source::open(session, input, candidate.path(), &arguments.clang_flags, wanted)?;
    Ok((content.into_ir(), true))
}

/// Whether the command line fits the program, before anything runs.
fn check_options(session: &Session<'_>, options: &ValidateOptions, name: &str, text: &[u8]) -> Result<(), Problem> {
    let program = Program::prepare(text, name, session.settings.target.as_deref()).map_err(reconverge::Error::from)?;
    let triple = program.module().target_triple();
    let is_unknown = session.settings.target.is_none() && !triple.is_empty() && program.target().name() == "generic";
    session.note_unknown_triple(name, is_unknown.then(|| reconverge_ir::text::display(&triple)).as_deref());
    let in_file = |error: reconverge::Error| Problem::from(error.in_file(name));
    let files = &*session.settings.files;
    let kernels = options.kernels(&program, &program, files).map_err(in_file)?;
    if kernels.names.is_empty() {
        return Err(Problem::new(name, "there is no function with a body here"));
    }
    if kernels.are_functions {
        session.note("note: there are no kernels here, so every function is compared as if it were one");
    }
    let of_kernel = |kernel: &String| options.of_kernel(&program, &program, kernel, files).map(drop);
    kernels.names.iter().try_for_each(of_kernel).map_err(in_file)
}

/// Says that functions lack `convergent` (RC0401): passes may then change who reaches what is in them, and none is to blame.
fn note_not_convergent(session: &Session<'_>, name: &str, text: &[u8]) {
    let options = CheckOptions { target: session.settings.target.as_deref(), ..CheckOptions::default() };
    let Ok(report) = check(text, &options) else { return };
    let lacking = report.findings.iter().filter(|found| found.code == Code::RC0401).count();
    if lacking > 0 {
        let (functions, lack) = (counted(lacking, "function"), if lacking == 1 { "lacks" } else { "lack" });
        session.note(&format!(
            "note: {name}: {functions} {lack} `convergent` (RC0401), so passes may change which threads execute the operations there together: see `reconverge check`"
        ));
    }
}

/// Opt ended early, and not because of what its verifier says.
fn failure(name: &str, search: &Search, message: &str) -> String {
    match lock(&search.last).as_ref() {
        None => format!("{name}: {message}"),
        Some(pass) => {
            format!(
                "{name}: opt ended after {}, and no pass up to there is an offending one: {message}",
                pass.describe()
            )
        }
    }
}

fn say_clean(session: &Session<'_>, arguments: &Bisect, name: &str, seen: &Seen) -> anyhow::Result<Status> {
    if let Some(page) = &arguments.report {
        session.note(&format!("{} is not written: there is no pass to show", page.display()));
    }
    /// No more reasons than this are listed, the most frequent first.
    const REASONS: usize = 4;
    for (reason, steps) in seen.failures.iter().take(REASONS) {
        session.note(&format!("note: not compared in {}: {reason}", counted(*steps, "step")));
    }
    if let Some(more) = seen.failures.len().checked_sub(REASONS).filter(|&more| more > 0) {
        session.note(&format!("note: and for {}", counted(more, "other reason")));
    }
    let nothing = seen.compared == 0 && !seen.failures.is_empty();
    match arguments.compared.format {
        Format::Json => session.print_json(&Report::clean(seen))?,
        Format::Text if nothing => {
            session.complain(&Problem::new(name, "no step could be compared"));
        }
        Format::Text if !session.global.quiet => {
            let steps = counted(seen.steps, "step");
            let failed = match seen.failed {
                0 => String::new(),
                failed => format!(", as far as can be told; in {failed} of them a kernel could not be compared"),
            };
            let (compared, runs) = (seen.compared, counted(seen.runs as usize, "run"));
            session.print(&format!(
                "no step of {} changed who communicates{failed} ({steps} changed the module, {compared} a kernel; {runs} of each)\n",
                seen.steps
            ))?;
        }
        Format::Text => {}
    }
    Ok(match seen.failed {
        _ if nothing => Status::Unusable,
        // As RC0606, a warning.
        1.. if session.global.strict => Status::Findings,
        _ => Status::Clean,
    })
}

fn say_found(
    session: &Session<'_>,
    arguments: &Bisect,
    of_source: bool,
    opt: &Opt,
    seen: &Seen,
    found: &Found,
) -> anyhow::Result<Status> {
    let Found { step, why } = found;
    let kept = keep(&arguments.keep, step)?;
    // A page shows the IR.
    let wanted = Wanted { of_ir: arguments.report.is_none(), ..Wanted::kernels() };
    let settings = source::settings(session, &arguments.input, wanted);
    let read =
        |name: &str, text: &[u8]| reconverge::open(Input::new(name, text, Some(reconverge::Format::Ll))?, &settings);
    let (before, after) = (read(&kept.before, &step.before)?, read(&kept.after, &step.after)?);
    let pair = Pair {
        before: Version::new(&kept.before, &before),
        after: Version::new(&kept.after, &after),
        given: &arguments.compared.arg,
        of_source,
    };
    if let Some(path) = &arguments.interestingness {
        write_script(session, arguments, opt, path, found)?;
    }
    if let Some(page) = &arguments.report {
        write_page(
            session,
            arguments,
            opt,
            page,
            &Report::found(seen, step.index, &step.pass, why, &kept, &pair),
            (&pair, found),
        )?;
    }
    if arguments.compared.format == Format::Json {
        session.print_json(&Report::found(seen, step.index, &step.pass, why, &kept, &pair))?;
        return Ok(Status::Findings);
    }
    let color = session.has_color();
    let mut output = String::new();
    let what = match why {
        Why::Different(_) => "changes who communicates",
        Why::Rules(_) => "breaks the rules of convergence control",
        Why::Verifier(_) => "makes what opt's verifier rejects",
    };
    if !session.global.quiet {
        output.push_str(&printable(&format!("step {}: {} {what}", step.index, step.pass.describe())));
        output.push_str("\n\n");
    }
    match why {
        Why::Different(comparison) => {
            describe::findings(&pair, comparison, color, &mut output);
            if let (Verdict::Different(witness), false) = (&comparison.verdict, session.global.quiet) {
                describe::witness(&pair, witness, style(color, of_source), &mut output);
                output.push('\n');
            }
        }
        Why::Rules(broken) => {
            let renderer = Renderer::new(color);
            for told in pair.after.tell(broken) {
                renderer.told(&told, pair.after.name, &pair.after.lines, &mut output);
            }
        }
        Why::Verifier(messages) => {
            messages.iter().for_each(|line| output.push_str(&format!("{}\n", printable(line))));
            output.push('\n');
        }
    }
    if !session.global.quiet {
        output.push_str(&again(arguments, opt, &kept, step, why));
    }
    session.print(&output)?;
    session.flush()?;
    Ok(Status::Findings)
}

/// Writes the page that shows the module before and after the pass.
fn write_page(
    session: &Session<'_>,
    arguments: &Bisect,
    opt: &Opt,
    page: &Path,
    report: &Report,
    (pair, found): (&Pair<'_>, &Found),
) -> anyhow::Result<()> {
    let Found { why, .. } = found;
    let comparisons = match why {
        Why::Different(comparison) => Some(std::slice::from_ref(&**comparison)),
        Why::Rules(_) | Why::Verifier(_) => None,
    };
    let shown = Shown {
        modules: [pair.before.module, pair.after.module],
        pair,
        comparisons,
        compared: &arguments.compared,
        options: &comparing::options(session, &arguments.compared, arguments.runs),
        command: command(arguments, opt),
        bisect: Some(serde_json::to_value(report)?),
    };
    let written = versions::write(session, page, &shown)?;
    if let Err(problem) = written {
        session.note(&format!("{} is not written: {problem}", page.display()));
    }
    Ok(())
}

/// The command that finds the pass.
fn command(arguments: &Bisect, opt: &Opt) -> String {
    let mut words = vec!["reconverge".to_owned(), "bisect".to_owned(), file(&shown(&arguments.input))];
    words.extend(["--passes".to_owned(), quoted(&arguments.passes)]);
    if arguments.opt.is_some() {
        words.extend(["--opt".to_owned(), quoted(&opt.path.display().to_string())]);
    }
    words.extend(comparing::words(&arguments.compared));
    words.join(" ")
}

/// Writes the script by which a smaller module shows the same.
fn write_script(
    session: &Session<'_>,
    arguments: &Bisect,
    opt: &Opt,
    path: &Path,
    found: &Found,
) -> anyhow::Result<()> {
    output::refuse_input(path, [arguments.input.as_path()])?;
    let (kind, findings) = match &found.why {
        Why::Different(comparison) => ("communication", &comparison.findings[..]),
        Why::Rules(broken) => ("rules", &broken[..]),
        Why::Verifier(_) => ("verifier", &[][..]),
    };
    let pass = &found.step.pass.class;
    let sought = Sought {
        what: format!("{pass} is still the first offending pass"),
        expected: vec![format!("\"pass\": \"{pass}\""), format!("\"kind\": \"{kind}\"")],
        findings,
    };
    let options = interestingness::options(&arguments.compared, arguments.runs);
    let command = format!(
        "\"$reconverge\" bisect \"$1\" --passes {} --opt {} --keep \"$folder\" {options}",
        quoted(&arguments.passes),
        quoted(&opt.path.display().to_string())
    );
    interestingness::write(path, &command, &sought)?;
    let (script, input) = (interestingness::script(path), file(&shown(&arguments.input)));
    session.note(&format!("to make it smaller: llvm-reduce --test={script} {input}"));
    Ok(())
}

/// Where the modules are, and what makes and compares them.
fn again(arguments: &Bisect, opt: &Opt, kept: &Kept, step: &Step, why: &Why) -> String {
    let (before, after) = (file(&kept.before), file(&kept.after));
    let mut text = format!("kept: {before}, {after}\n");
    match why {
        Why::Different(comparison) => {
            let kernel = quoted(&comparison.kernel);
            text.push_str(&format!("to compare them: reconverge validate {before} {after} --kernel {kernel}\n"));
        }
        Why::Rules(_) => text.push_str(&format!("to check it: reconverge check {after}\n")),
        Why::Verifier(_) => {}
    }
    if let Some(number) = step.pass.number {
        text.push_str(&format!(
            "to stop after it: {} {} -opt-bisect-limit={number} -S {}\n",
            opt.path.display(),
            quoted(&format!("-passes={}", arguments.passes)),
            file(&shown(&arguments.input))
        ));
    }
    text
}

/// Writes the modules before and after a pass.
fn keep(folder: &Path, step: &Step) -> anyhow::Result<Kept> {
    std::fs::create_dir_all(folder).with_context(|| format!("{} cannot be made", folder.display()))?;
    let write = |name: &str, text: &[u8]| {
        let path = folder.join(name);
        output::write_whole(&path, text).map(|()| path.display().to_string())
    };
    Ok(Kept { before: write("bisect-before.ll", &step.before)?, after: write("bisect-after.ll", &step.after)? })
}
