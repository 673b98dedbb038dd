//! `reconverge report`: one page that shows a program line by line, or two versions of it ([`crate::versions`]).
//!
//! `reconverge_page` has the shell, the style and the code; what they show is the JSON of [`reconverge::Report`], which is put into the page as data.

use std::path::{Path, PathBuf};

use clap::ValueEnum;
use reconverge::{Input, Module, ReportOptions, TraceOptions, ValidateOptions, report};

use crate::arguments::{Report, SourceModel};
use crate::exit::Status;
use crate::input::Candidate;
use crate::limits::limits_of_launches;
use crate::output;
use crate::session::Session;
use crate::source::{self, Wanted};
use crate::versions;

/// What is shown beside the lines: a run, or paths.
fn options(session: &Session<'_>, arguments: &Report) -> ReportOptions<'static> {
    let paths = arguments.function.clone().map(|function| TraceOptions {
        function,
        paths: arguments.paths.clone(),
        ..TraceOptions::default()
    });
    let default = ValidateOptions::default();
    let launch = ValidateOptions {
        kernel: arguments.kernel.clone(),
        seed: arguments.seed,
        arguments: arguments.arg.clone(),
        grid: arguments.grid.map(|grid| grid.0),
        block: arguments.block.map(|block| block.0),
        subgroup: arguments.subgroup,
        limits: limits_of_launches(default.limits.instructions, &session.global.limit),
        ..default
    };
    ReportOptions { launch, paths, ..ReportOptions::default() }
}

/// The source read by the other texts that define convergence, as far as the built-in front end can.
fn readings(session: &Session<'_>, input: &Input, path: &Path, module: &Module) -> Vec<Module> {
    let Some(source) = module.source() else { return Vec::new() };
    let others =
        SourceModel::value_variants().iter().filter(|&&model| reconverge::SourceModel::from(model) != source.model);
    let read = |&model| {
        let wanted = Wanted { model, origins: true, ..Wanted::kernels() }.to_run();
        reconverge::open(input.clone(), &source::settings(session, path, wanted)).ok()
    };
    others.filter_map(read).collect()
}

pub(crate) fn run(session: &Session<'_>, arguments: &Report) -> anyhow::Result<Status> {
    if let Some(after) = &arguments.after {
        return versions::run(session, arguments, after);
    }
    let candidate = Candidate::named(&arguments.input, arguments.input_format);
    let target = session.global.target.as_ref().map(Path::new);
    output::refuse_input(&arguments.output, target.into_iter().chain([arguments.input.as_path()]))?;
    let wanted = Wanted { origins: true, translation: arguments.function.is_some(), ..Wanted::kernels() };
    let result = candidate.input(session).and_then(|input| {
        let module = source::open(session, input.clone(), candidate.path(), &arguments.clang_flags, wanted)?;
        let readings = readings(session, &input, candidate.path(), &module);
        let readings = readings.iter().collect();
        let report = report(&module, &ReportOptions { readings, ..options(session, arguments) })?;
        Ok((module, report))
    });
    let (module, report) = match result {
        Ok(done) => done,
        Err(problem) => {
            session.complain(&problem);
            return Ok(Status::Unusable);
        }
    };
    session.note_unknown_triple(&candidate.name(), module.unknown_triple());
    let page = reconverge_page::of(&report)?;
    if arguments.output.as_os_str() == "-" {
        session.print_as_it_is(page.as_bytes())?;
    } else {
        let included: Vec<PathBuf> = module.source().map_or_else(Vec::new, |source| source.words.files.paths());
        output::refuse_input(&arguments.output, included.iter().map(PathBuf::as_path))?;
        output::write_whole(&arguments.output, page.as_bytes())?;
    }
    Ok(Status::of_coverage(&module, session.global.strict))
}
