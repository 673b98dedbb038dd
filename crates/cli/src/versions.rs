//! Two versions of a program in a page: what `report BEFORE AFTER`, `validate --report` and `bisect --report` write.
//!
//! What the page shows is the JSON of [`reconverge::Report`] of each version, and that of `validate` and `bisect`; both versions run on the launch on which they differ.

use std::path::{Path, PathBuf};

use reconverge::launches::{AnchorPolicy, Launch, file, run_command};
use reconverge::{Module, Report, ReportOptions, ValidateOptions, launch_to_show, report};
use reconverge_lang::builtins::mangle::as_written;
use reconverge_validate::{Comparison, Verdict, Witness};
use serde::Serialize;

use crate::arguments::{self, Compared, Format, Hierarchy};
use crate::comparing::{self, words};
use crate::exit::Status;
use crate::input::Problem;
use crate::output;
use crate::session::Session;
use crate::validate::command::models;
use crate::validate::report::Report as ValidateReport;
use crate::validate::{Asked, Pair, Version, compare_contents, display, read};

/// The version of the schema; it changes where a field goes or means something else.
const SCHEMA: u32 = 1;
/// The most kernels that are run.
const MOST_KERNELS: usize = 4;

/// What the page shows. `docs/report.md` says what the fields mean.
#[derive(Serialize)]
struct Versions {
    schema: u32,
    command: String,
    before: Report,
    after: Report,
    #[serde(skip_serializing_if = "Option::is_none")]
    validate: Option<ValidateReport>,
    #[serde(skip_serializing_if = "Option::is_none")]
    bisect: Option<serde_json::Value>,
    runs: Vec<Runs>,
}

/// A kernel that both versions run on one launch.
#[derive(Serialize)]
struct Runs {
    kernel: String,
    /// What compares the versions again, on the launch on which they differ if there is one.
    command: String,
    /// The timelines, by their numbers in `time` of each version.
    before: Option<usize>,
    after: Option<usize>,
}

/// What is to be shown.
pub(crate) struct Shown<'s, 'v> {
    /// The versions, read.
    pub(crate) modules: [&'s Module; 2],
    pub(crate) pair: &'s Pair<'v>,
    /// What came of comparing them; nothing where they were not.
    pub(crate) comparisons: Option<&'s [Comparison]>,
    /// How they were compared.
    pub(crate) compared: &'s Compared,
    pub(crate) options: &'s ValidateOptions,
    /// The command that says the same.
    pub(crate) command: String,
    /// What `bisect` has found, as JSON.
    pub(crate) bisect: Option<serde_json::Value>,
}

/// `reconverge report BEFORE AFTER`.
pub(crate) fn run(session: &Session<'_>, arguments: &arguments::Report, after: &Path) -> anyhow::Result<Status> {
    let paths = [arguments.input.as_path(), after];
    if paths.iter().all(|path| path.as_os_str() == "-") {
        anyhow::bail!("only one of the two programs can be standard input");
    }
    output::refuse_input(&arguments.output, paths)?;
    let default = ValidateOptions::default();
    let compared = Compared {
        kernel: arguments.kernel.clone(),
        seed: arguments.seed,
        arg: arguments.arg.clone(),
        grid: arguments.grid,
        block: arguments.block,
        subgroup: arguments.subgroup,
        model: None,
        hierarchy: Hierarchy::All,
        max_instructions: default.limits.instructions,
        no_minimise: false,
        format: Format::Text,
    };
    let asked = Asked {
        compared: &compared,
        runs: default.runs,
        input_format: arguments.input_format,
        clang_flags: &arguments.clang_flags,
        of_ir: false,
    };
    let Some([before, after]) = read(session, &asked, paths) else { return Ok(Status::Unusable) };
    let names = paths.map(display);
    let comparisons = match compare_contents(session, &asked, [&names[0], &names[1]], [&before, &after]) {
        Ok(comparisons) => comparisons,
        Err(problem) => {
            session.complain(&problem);
            return Ok(Status::Unusable);
        }
    };
    let pair = Pair {
        before: Version::new(&names[0], &before),
        after: Version::new(&names[1], &after),
        given: &compared.arg,
        of_source: [&before, &after].iter().all(|module| module.source().is_some()),
    };
    let shown = Shown {
        modules: [&before, &after],
        pair: &pair,
        comparisons: Some(&comparisons),
        compared: &compared,
        options: &comparing::options(session, &compared, default.runs),
        command: command_of(&pair, &compared),
        bisect: None,
    };
    if let Err(problem) = write(session, &arguments.output, &shown)? {
        session.complain(&problem);
        return Ok(Status::Unusable);
    }
    let statuses = [before, after].map(|module| Status::of_coverage(&module, session.global.strict));
    Ok(statuses.into_iter().max().unwrap_or(Status::Clean))
}

/// Writes the page. The inner error says why there is none.
pub(crate) fn write(session: &Session<'_>, path: &Path, shown: &Shown<'_, '_>) -> anyhow::Result<Result<(), Problem>> {
    let versions = match versions(shown) {
        Ok(versions) => versions,
        Err(error) => return Ok(Err(error.into())),
    };
    let page = reconverge_page::of_versions(&versions)?;
    if path.as_os_str() == "-" {
        session.print_as_it_is(page.as_bytes())?;
    } else {
        let included = |module: &&Module| module.source().map_or_else(Vec::new, |source| source.words.files.paths());
        let included: Vec<PathBuf> = shown.modules.iter().flat_map(included).collect();
        output::refuse_input(path, included.iter().map(PathBuf::as_path))?;
        output::write_whole(path, page.as_bytes())?;
    }
    Ok(Ok(()))
}

/// `reconverge validate BEFORE AFTER`, with what was given.
pub(crate) fn command_of(pair: &Pair<'_>, compared: &Compared) -> String {
    [validate(pair), words(compared)].concat().join(" ")
}

fn validate(pair: &Pair<'_>) -> Vec<String> {
    vec!["reconverge".to_owned(), "validate".to_owned(), file(pair.before.name), file(pair.after.name)]
}

fn versions(shown: &Shown<'_, '_>) -> Result<Versions, reconverge::Error> {
    let comparisons = shown.comparisons.unwrap_or_default();
    let compared = &comparisons[..comparisons.len().min(MOST_KERNELS)];
    let [before, after] = [0, 1].map(|side: usize| {
        let launches = compared.iter().filter_map(|comparison| Some(launches(shown, comparison)?[side].clone()));
        let options =
            ReportOptions { launch: shown.options.clone(), launches: launches.collect(), ..ReportOptions::default() };
        report(shown.modules[side], &options)
    });
    let (before, after) = (before?, after?);
    let run_of = |side: usize, kernel: &str| {
        let written = match shown.modules[side].source() {
            Some(_) => as_written(kernel).into_owned(),
            None => format!("@{kernel}"),
        };
        [&before, &after][side].time.all.iter().position(|timeline| timeline.function == written)
    };
    let runs = comparisons.iter().map(|comparison| Runs {
        kernel: format!("@{}", comparison.kernel),
        command: command_again(shown, comparison),
        before: run_of(0, &comparison.kernel),
        after: run_of(1, &comparison.kernel),
    });
    let runs = runs.collect();
    Ok(Versions {
        schema: SCHEMA,
        command: shown.command.clone(),
        validate: shown.comparisons.map(|comparisons| ValidateReport::new(shown.pair, comparisons)),
        bisect: shown.bisect.clone(),
        before,
        after,
        runs,
    })
}

/// The launch on which the versions of a kernel differ, under the model of each; else one that shows the version before.
fn launches(shown: &Shown<'_, '_>, comparison: &Comparison) -> Option<[Launch; 2]> {
    match &comparison.verdict {
        Verdict::Different(witness) => Some(models(witness).map(|model| Launch { model, ..witness.launch.clone() })),
        _ => {
            let launch = launch_to_show(shown.modules[0], &comparison.kernel, shown.options, &[]).ok().flatten()?;
            Some([launch.clone(), launch])
        }
    }
}

/// What compares one kernel again: where it is different, on the launch that shows it.
fn command_again(shown: &Shown<'_, '_>, comparison: &Comparison) -> String {
    let mut command = validate(shown.pair);
    match &comparison.verdict {
        Verdict::Different(witness) => command.extend(words_of_launch(shown, witness)),
        _ => {
            let compared = Compared { kernel: Some(comparison.kernel.clone()), ..shown.compared.clone() };
            command.extend(words(&compared));
        }
    }
    command.join(" ")
}

fn words_of_launch(shown: &Shown<'_, '_>, witness: &Witness) -> Vec<String> {
    // What anchors do is made up for each launch, and no option says it.
    let is_told = witness.launch.anchors == AnchorPolicy::Maximal;
    let launch = Launch {
        anchors: AnchorPolicy::Maximal,
        model: match witness.launch.model {
            reconverge::launches::Model::Maximal { .. } => reconverge::launches::Model::Maximal { hierarchy: 0 },
            model => model,
        },
        ..witness.launch.clone()
    };
    let command = run_command(shown.pair.before.name, &launch, shown.pair.given);
    let mut words: Vec<String> = command.into_iter().skip(3).collect();
    if let Hierarchy::Number(number) = shown.compared.hierarchy {
        words.extend(["--hierarchy".to_owned(), number.to_string()]);
    }
    if is_told {
        words.extend(["--runs".to_owned(), "1".to_owned()]);
    }
    words
}
