//! Which runs of a program are shown: of each kernel one launch, under several models.
//!
//! What is not said of the launch is made up. The launch is, of the first made-up ones, one in which threads are found not to be together where `check` has found something, else where they are found so at all,
//! else one that runs well and in which threads diverge, and of those the one with the fewest threads, from four on.

use std::ops::Range;

use rayon::prelude::*;
use reconverge_exec::launch::{AnchorPolicy, Launch, Model};
use reconverge_exec::{KernelInfo, Linked, Program};
use reconverge_ir::function::{Block, BlockData};
use reconverge_valid::read_functions;
use reconverge_validate::MadeUp;
use rustc_hash::FxHashMap;
use serde::Serialize;

use super::record::{Watched, linked};
use super::{Timeline, compare_timelines, first_difference, timeline_of_run};
use crate::lines::Lines;
use crate::run::{SOURCE_MODELS, default_model, reads_program, source_model_name};
use crate::tried::{ABOUT_TOGETHER, launches_of};
use crate::{Error, FindingReport, Module, Prepared, ReportOptions, RunOptions, Severity, ValidateOptions, trace};
use crate::{TraceModel, TraceOptions, timelines_of_trace};

/// The most kernels that are shown.
const MOST_KERNELS: usize = 4;
/// The most cycle hierarchies of each.
const MOST_HIERARCHIES: usize = 3;
/// How many made-up launches there are to choose from.
const CANDIDATES: u64 = 8;
/// How many instructions such a launch may take, of all threads.
const INSTRUCTIONS: u64 = 1_000_000;
/// How many instructions the launches may take together that are tried before one is chosen.
const INSTRUCTIONS_TO_CHOOSE: u64 = 2 * INSTRUCTIONS;
/// How many bytes all timelines may have as JSON.
const MOST_BYTES: usize = 900_000;

/// Runs of a program, and paths through it.
#[derive(Debug, Clone, Default, Serialize)]
#[non_exhaustive]
pub struct Timelines {
    /// For each kernel its models, those of one kernel one after the other.
    pub all: Vec<Timeline>,
    /// Kernels, or models of them, that are not shown, and why: a sentence each.
    pub left_out: Vec<String>,
}

impl Timelines {
    /// Adds those of one launch, as long as there is room.
    fn add(&mut self, mut timelines: Vec<Timeline>) {
        compare_timelines(&mut timelines);
        let size = |timeline: &Timeline| serde_json::to_string(timeline).map_or(usize::MAX, |text| text.len());
        let mut used: usize = self.all.iter().map(size).sum();
        for timeline in timelines {
            used = used.saturating_add(size(&timeline));
            if used <= MOST_BYTES {
                self.all.push(timeline);
            } else {
                let Timeline { function, model, .. } = timeline;
                self.left_out.push(format!("`{function}` under {model} is left out: the page would be too large."));
            }
        }
    }

    fn leave_out(&mut self, kernel: &str, error: &Error) {
        self.left_out.push(format!("`{kernel}` is not run: {}.", error.message.trim_end_matches('.')));
    }
}

/// Runs of the kernels of a module, each on one launch. `options` say what is given of it, and which kernel is to be shown; `found` is what [`check`](crate::check()) has found, which a launch should show if one can.
///
/// # Errors
/// When the module is not LLVM IR, has no such kernel, or an argument fits none.
pub fn timelines(module: &Module, options: &ReportOptions<'_>, found: &[FindingReport]) -> Result<Timelines, Error> {
    let in_file = |error: Error| error.in_file(module.name());
    let asked = &options.launch;
    let program = match module.program() {
        Ok(program) => program,
        // What is wrong with it, others say.
        Err(error) if asked.kernel.is_none() => {
            let left_out = vec![format!("Nothing is run: {}.", error.to_string().trim_end_matches('.'))];
            return Ok(Timelines { all: Vec::new(), left_out });
        }
        Err(error) => return Err(error.into()),
    };
    let mut shown = Timelines::default();
    if !options.launches.is_empty() {
        for launch in &options.launches {
            match of_launch(module, launch, &asked.arguments) {
                Ok(timeline) => shown.add(vec![timeline]),
                Err(error) => shown.leave_out(&launch.kernel, &error),
            }
            module.unless_cancelled(())?;
        }
        return Ok(shown);
    }
    let names = asked.kernels(&program, &program, &*module.files).map_err(in_file)?.names;
    let first = &names[..names.len().min(MOST_KERNELS)];
    let of_each: Vec<_> = first.par_iter().map(|name| of_kernel(module, name, options, found)).collect();
    for (name, of_kernel) in first.iter().zip(of_each) {
        match of_kernel {
            Ok((timelines, left_out)) => {
                shown.left_out.extend(left_out);
                shown.add(timelines);
            }
            // What was asked for has to be shown.
            Err(error) if asked.kernel.is_some() => return Err(in_file(error)),
            Err(error) => shown.leave_out(name, &error),
        }
        module.unless_cancelled(())?;
    }
    if names.len() > MOST_KERNELS {
        shown.left_out.push(format!("{MOST_KERNELS} of {} kernels are run; --kernel chooses one.", names.len()));
    }
    Ok(shown)
}

/// The tables of paths, under all models and the first hierarchies.
///
/// # Errors
/// As [`trace`](crate::trace()).
pub fn timelines_of_paths(module: &Module, options: &TraceOptions) -> Result<Timelines, Error> {
    let mut timelines = Vec::new();
    for hierarchy in 1..=MOST_HIERARCHIES as u32 {
        let asked = match (hierarchy, options.model, module.source().is_some()) {
            (1, None, _) => TraceOptions { model: Some(TraceModel::All), ..options.clone() },
            (1, ..) => options.clone(),
            // Only the maximal model of a graph depends on it.
            (_, None | Some(TraceModel::Maximal), false) if options.hierarchy.is_none() => {
                TraceOptions { model: Some(TraceModel::Maximal), hierarchy: Some(hierarchy), ..options.clone() }
            }
            _ => break,
        };
        match trace(module, &asked) {
            Ok(traced) => {
                let together = timelines_of_trace(module, &asked, &traced);
                if module.source().is_some() && !asked.anchors_solo {
                    timelines.extend(with_alone(module, &asked, together)?);
                } else {
                    timelines.extend(together);
                }
            }
            Err(error) if hierarchy == 1 => return Err(error),
            // There are no more.
            Err(_) => break,
        }
    }
    let mut found = Timelines::default();
    found.add(timelines);
    Ok(found)
}

/// A launch that is given.
fn of_launch(module: &Module, launch: &Launch, given: &[String]) -> Result<Timeline, Error> {
    let prepared = prepared(module, &launch.kernel, |_| Ok(launch.clone()))?;
    let title = match launch.model {
        Model::Maximal { hierarchy: 1.. } => title_of_hierarchy(launch.model),
        _ => prepared.model_name().to_owned(),
    };
    timeline_of_run(&prepared, &title, launch, given)
}

/// A kernel with a launch that is made of what is read.
fn prepared<'m>(
    module: &'m Module,
    kernel: &str,
    launch: impl FnOnce(&(Program<'m>, KernelInfo)) -> Result<Launch, Error>,
) -> Result<Prepared<'m>, Error> {
    let asked = RunOptions { kernel: Some(kernel.to_owned()), ..RunOptions::default() };
    let read = reads_program(module, &asked, false)?;
    let launch = launch(&read)?;
    let (program, kernel) = read;
    Ok(Prepared::with_launch(module, program, kernel, launch))
}

/// A launch that shows a kernel well: as [`timelines`] chooses it. None where no made-up launch ends well.
///
/// # Errors
/// When there is no such kernel, or it cannot be run.
pub fn launch_to_show(
    module: &Module,
    name: &str,
    options: &ValidateOptions,
    found: &[FindingReport],
) -> Result<Option<Launch>, Error> {
    let candidates = Candidates::new(module, name, options)?;
    candidates.choose(&linked(&candidates.prepared)?, found)
}

/// A kernel, and the launches of it to choose from.
struct Candidates<'m> {
    prepared: Prepared<'m>,
    made_up: MadeUp,
    /// How many hierarchies are shown.
    hierarchies: usize,
}

impl<'m> Candidates<'m> {
    fn new(module: &'m Module, name: &str, options: &ValidateOptions) -> Result<Candidates<'m>, Error> {
        let mut found = None;
        let prepared = prepared(module, name, |(program, kernel)| {
            let (made_up, hierarchies) = made_up(module, program, kernel, options)?;
            let launch = made_up.launch(0, 0, default_model(module, program, kernel));
            found = Some((made_up, hierarchies));
            Ok(launch)
        })?;
        let Some((made_up, hierarchies)) = found else { return Err(crate::launch::refuse("there is no launch")) };
        Ok(Candidates { prepared, made_up, hierarchies })
    }

    /// The one that shows most.
    fn choose(&self, linked: &Linked<'_>, found: &[FindingReport]) -> Result<Option<Launch>, Error> {
        let (prepared, module) = (&self.prepared, self.prepared.module());
        let model = prepared.launch().model;
        let mut best: Option<(Rank, Launch)> = None;
        let mut last = None;
        let mut taken = 0;
        for number in 0..CANDIDATES {
            // Larger ones would show no more, and of long ones a few are enough.
            if taken >= INSTRUCTIONS_TO_CHOOSE || best.as_ref().is_some_and(|((is_unknown, ..), _)| !is_unknown) {
                break;
            }
            for scale in 0..MadeUp::SCALES {
                let launch = self.made_up.launch(number, scale, model);
                let watched = match Watched::new(prepared, linked, &launch) {
                    Ok(watched) => watched,
                    Err(error) => {
                        last = Some(error);
                        break;
                    }
                };
                taken += watched.run.outcome.instructions;
                // With larger buffers it may not come out of them.
                if watched.run.diagnostics.iter().any(|finding| finding.code == "RC0505") {
                    best.get_or_insert(((true, true, true, true, u64::MAX), launch));
                    continue;
                }
                let rank = rank(&watched, &launch, found);
                module.unless_cancelled(())?;
                if best.as_ref().is_none_or(|(known, _)| rank < *known) {
                    best = Some((rank, launch));
                }
                break;
            }
        }
        best.map_or_else(|| last.map_or(Ok(None), Err), |(_, launch)| Ok(Some(launch)))
    }
}

fn title_of_hierarchy(model: Model) -> String {
    match model {
        Model::Maximal { hierarchy } => format!("maximal, hierarchy {}", hierarchy + 1),
        _ => String::new(),
    }
}

/// Tables of paths by the texts, and behind each the one with nobody together for whom the text leaves it open, where that is another.
fn with_alone(module: &Module, asked: &TraceOptions, together: Vec<Timeline>) -> Result<Vec<Timeline>, Error> {
    let asked = TraceOptions { anchors_solo: true, ..asked.clone() };
    let traced = trace(module, &asked)?;
    let apart = timelines_of_trace(module, &asked, &traced).into_iter();
    let pair = |(one, other): (Timeline, Timeline)| {
        let other = Timeline { model: alone(&other.model), ..other };
        let mut pair = vec![one, other];
        keep_others(&mut pair);
        pair
    };
    Ok(together.into_iter().zip(apart).flat_map(pair).collect())
}

/// The runs of a kernel, and which others are left out.
fn of_kernel(
    module: &Module,
    name: &str,
    options: &ReportOptions<'_>,
    found: &[FindingReport],
) -> Result<(Vec<Timeline>, Vec<String>), Error> {
    let asked = &options.launch;
    let mut left_out = Vec::new();
    let candidates = Candidates::new(module, name, asked)?;
    let linked = linked(&candidates.prepared)?;
    let Some(launch) = candidates.choose(&linked, found)? else { return Ok((Vec::new(), left_out)) };
    let Candidates { prepared, hierarchies, .. } = &candidates;
    let with = |model| Launch { model, ..launch.clone() };
    let shown = |title: &str, launch: &Launch| {
        Watched::new(prepared, &linked, launch)?.timeline(prepared, title, launch, &asked.arguments)
    };
    let mut timelines = of_text(prepared, &linked, &launch, &asked.arguments)?;
    for reading in &options.readings {
        match of_reading(module, reading, &launch, &asked.arguments) {
            Ok(of_reading) => timelines.extend(of_reading),
            Err(error) => {
                let text = reading.source().map_or("another text", |source| source_model_name(source.model));
                let why = error.message.trim_end_matches('.').to_owned();
                left_out.push(format!("`{name}` is not run by the rules of {text}: {why}."));
            }
        }
    }
    let mut models = Vec::new();
    for hierarchy in 0..*hierarchies {
        let model = Model::Maximal { hierarchy };
        models.push((if *hierarchies > 1 { title_of_hierarchy(model) } else { "maximal".to_owned() }, model));
    }
    models.push(("ipdom".to_owned(), Model::ImmediatePostDominator));
    for (title, model) in models.into_iter().filter(|&(_, model)| model != launch.model) {
        timelines.push(shown(&title, &with(model))?);
    }
    if asked.arguments.is_empty() || asked.block.is_none() {
        timelines.iter_mut().for_each(|timeline| timeline.notes.insert(0, "The launch is made up.".to_owned()));
    }
    Ok((timelines, left_out))
}

/// The same launch of the same source, by the rules of another text. Its IR is another one: what is told of are the blocks of the module that are called the same.
fn of_reading(module: &Module, reading: &Module, launch: &Launch, given: &[String]) -> Result<Vec<Timeline>, Error> {
    let prepared = prepared(reading, &launch.kernel, |(program, kernel)| {
        Ok(Launch { model: default_model(reading, program, kernel), ..launch.clone() })
    })?;
    let mut timelines = of_text(&prepared, &linked(&prepared)?, prepared.launch(), given)?;
    let (here, there) = (blocks(module)?, blocks(reading)?);
    let lines: FxHashMap<&BlockName, usize> = here.iter().map(|block| (&block.name, block.lines.start)).collect();
    for column in timelines.iter_mut().flat_map(|timeline| &mut timeline.columns) {
        let is_in = |block: &&BlockLines| column.ir.iter().any(|line| block.lines.contains(line));
        let found = there.iter().filter(is_in).filter_map(|block| lines.get(&block.name).copied());
        column.ir = found.collect();
    }
    Ok(timelines)
}

/// The names of a block and its function.
type BlockName = (String, String);

/// A block of a module.
struct BlockLines {
    name: BlockName,
    /// From the line of its first instruction to behind that of its last one.
    lines: Range<usize>,
}

/// The blocks of the functions of a module, in the order of the text.
fn blocks(module: &Module) -> Result<Vec<BlockLines>, Error> {
    let lines = Lines::new(module.ir());
    let (_, found) = read_functions(module.ir(), |index, id, function| {
        let line = |inst| lines.line_of(function.instructions[inst].span.range().start) + 1;
        let of_block = |(block, data): (Block, &BlockData)| {
            let mut all = function.block_instructions(block);
            let first = line(all.next()?);
            let last = all.last().map_or(first, line);
            Some(BlockLines { name: (index.function_name(id), index.local_name(data.name)), lines: first..last + 1 })
        };
        function.blocks.iter().filter_map(of_block).collect::<Vec<_>>()
    })
    .map_err(|error| module.not_ir(&error))?;
    Ok(found.into_iter().flatten().collect())
}

/// A run with those together for whom the model leaves it open, and, by the rules of a text and where that is something else, one with all of these alone.
fn of_text(
    prepared: &Prepared<'_>,
    linked: &Linked<'_>,
    launch: &Launch,
    given: &[String],
) -> Result<Vec<Timeline>, Error> {
    let title = prepared.model_name();
    let of =
        |title: &str, launch: &Launch| Watched::new(prepared, linked, launch)?.timeline(prepared, title, launch, given);
    let mut timelines = vec![of(title, launch)?];
    if SOURCE_MODELS.into_iter().any(|model| source_model_name(model) == title) {
        timelines.push(of(&alone(title), &Launch { anchors: AnchorPolicy::Solo, ..launch.clone() })?);
    }
    keep_others(&mut timelines);
    Ok(timelines)
}

/// What a model is called where the implementation has nobody together that it need not.
fn alone(model: &str) -> String {
    format!("{model}, solo")
}

/// Keeps the second of two timelines if it is not as the first one.
fn keep_others(timelines: &mut Vec<Timeline>) {
    if let [first, other] = &timelines[..]
        && first_difference(other, first).is_none()
    {
        timelines.pop();
    }
}

/// How well a launch shows a kernel, the best first: not what `check` found, nothing found about threads that have to be together, something else found, no divergence, how many threads.
type Rank = (bool, bool, bool, bool, u64);

fn rank(watched: &Watched, launch: &Launch, found: &[FindingReport]) -> Rank {
    let is_error = |finding: &&FindingReport| finding.severity == crate::severity_name(Severity::Error);
    let is_wanted = |finding: &FindingReport| ABOUT_TOGETHER.iter().any(|code| code.name() == finding.code);
    let (errors, others): (Vec<&FindingReport>, Vec<&FindingReport>) =
        watched.run.diagnostics.iter().filter(is_error).partition(|finding| is_wanted(finding));
    let is_known =
        |error: &&FindingReport| found.iter().any(|known| (&known.path, known.line) == (&error.path, error.line));
    let threads = launch.threads_in_workgroup();
    // Fewer show little.
    let threads = if threads < 4 { u64::MAX - threads } else { threads };
    (!errors.iter().any(is_known), errors.is_empty(), !others.is_empty(), !watched.has_diverged(), threads)
}

/// The launches to choose from, and how many hierarchies are shown.
fn made_up(
    module: &Module,
    program: &Program<'_>,
    kernel: &KernelInfo,
    options: &ValidateOptions,
) -> Result<(MadeUp, usize), Error> {
    let mut options = options.clone();
    options.limits.instructions = options.limits.instructions.min(INSTRUCTIONS);
    let linked = program.link(&kernel.name).map_err(|error| crate::launch::refuse(error.to_string()))?;
    let made_up = launches_of(module, program, kernel, &linked, &options)?;
    Ok((made_up, linked.hierarchies(MOST_HIERARCHIES)))
}
