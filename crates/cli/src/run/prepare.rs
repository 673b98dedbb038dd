//! From a command line to a launch.

use std::time::Instant;

use reconverge::{ErrorKind, Module, RunOptions, Source};
use reconverge_analysis::target::{Operation, Scope};
use reconverge_exec::launch::{Launch, Limits, MaskReading, Model, OperationProfile};

use super::Asked;
use super::prints::prints;
use crate::arguments::{Format, Masks, Run as Arguments, RunModel};
use crate::input::Problem;
use crate::session::Session;

/// How many events are kept where JSON is asked for, and where models are compared.
const JSON_EVENTS: usize = 1000;
const COMPARED_EVENTS: usize = 10_000;

/// All that is known before anything runs.
pub(super) struct Prepared<'s> {
    pub(super) kernel: reconverge::Prepared<'s>,
    /// The models to run under, with their names.
    pub(super) models: Vec<(&'static str, Model)>,
    /// The buffers to print, and how many of their elements.
    pub(super) prints: Vec<(String, usize)>,
}

impl Prepared<'_> {
    pub(super) fn launch(&self) -> &Launch {
        self.kernel.launch()
    }

    pub(super) fn workgroups(&self) -> u64 {
        self.launch().workgroups()
    }

    pub(super) fn threads_in_workgroup(&self) -> u64 {
        self.launch().threads_in_workgroup()
    }

    /// How many events are kept where models are compared.
    pub(super) fn compared_events(&self) -> usize {
        self.launch().max_events.max(COMPARED_EVENTS)
    }

    /// How many threads could execute an operation together.
    pub(super) fn possible(&self, operation: &OperationProfile) -> u64 {
        let block = self.threads_in_workgroup();
        match self.kernel.program().target().call(operation.operation.as_bytes()).map(|facts| facts.operation) {
            Some(Operation::Crosslane(Scope::Subgroup) | Operation::Barrier(Scope::Subgroup)) => {
                block.min(self.launch().subgroup.into())
            }
            Some(Operation::QuadCrosslane) => block.min(4),
            _ => block,
        }
    }
}

/// Reads the module and makes a launch of what the command line says.
pub(super) fn prepare<'s>(
    session: &Session<'_>,
    arguments: &Arguments,
    path: &str,
    content: &'s Module,
    asked_model: Asked,
) -> Result<Prepared<'s>, Problem> {
    let start = Instant::now();
    let most_events = session.settings.limits.events;
    let events = match (arguments.events, arguments.format) {
        (Some(events), _) => events,
        (None, Format::Json) => JSON_EVENTS,
        (None, Format::Text) => 0,
    };
    let kernel = reconverge::prepare(content, &options(session, arguments, events));
    // Of what is no module, nothing else is said.
    if !kernel.as_ref().is_err_and(|error| error.kind == ErrorKind::Ir) {
        session.note_unknown_triple(path, content.unknown_triple());
    }
    let kernel = kernel?;
    session.detail(|| format!("{path}: read and prepared in {:.1} ms", start.elapsed().as_secs_f64() * 1e3));
    let prints = prints(kernel.kernel(), &kernel.launch().arguments, &arguments.print, path)?;
    let has_tokens = kernel.kernel().has_tokens;
    let models = models_of(arguments, has_tokens, kernel.launch().model, asked_model, content)
        .map_err(|message| Problem::new(path, message))?;
    if let Some(events) = arguments.events.filter(|&events| events > most_events) {
        let message =
            format!("--events {events}: at most {most_events} executions are kept (--limit events=N raises this)");
        return Err(Problem::new(path, message));
    }
    Ok(Prepared { kernel, models, prints })
}

/// What the command line says of a launch.
pub(super) fn options(session: &Session<'_>, arguments: &Arguments, events: usize) -> RunOptions {
    RunOptions {
        kernel: arguments.kernel.clone(),
        grid: arguments.grid.map(|grid| grid.0),
        block: arguments.block.map(|block| block.0),
        subgroup: arguments.subgroup,
        arguments: arguments.arg.clone(),
        model: None,
        schedule: arguments.schedule,
        anchors: arguments.anchor,
        entry: arguments.entry.map(Into::into),
        masks: match arguments.masks {
            Masks::Partition => MaskReading::Partition,
            Masks::Concurrent => MaskReading::Concurrent,
        },
        races: !arguments.no_races,
        limits: Some(Limits {
            instructions: arguments.max_instructions,
            stack: arguments.max_stack,
            memory: session.global.max_memory,
            ..session.settings.limits.run
        }),
        events,
    }
}

/// That a model of source is not to be had.
pub(super) fn needs_built_in_front_end(model: &str) -> String {
    format!(
        "--model {model} needs what the built-in front end knows, and this was read by clang; \
         expected --model maximal or ipdom"
    )
}

/// The models to run under, never none.
fn models_of(
    arguments: &Arguments,
    has_tokens: bool,
    default: Model,
    asked: Asked,
    content: &Module,
) -> Result<Vec<(&'static str, Model)>, String> {
    let has_hierarchy = arguments.hierarchy > 1;
    let maximal = ("maximal", Model::Maximal { hierarchy: arguments.hierarchy as usize - 1 });
    let controlled = ("controlled", Model::Controlled);
    let ipdom = ("ipdom", Model::ImmediatePostDominator);
    let asked = match asked {
        Asked::Source(name) if content.source().is_some_and(Source::is_run_by_statements) && !has_hierarchy => {
            return Ok(vec![(name, default)]);
        }
        Asked::Source(name)
            if content.source().is_some_and(|source| source.has_tokens || source.is_run_by_statements()) =>
        {
            if has_hierarchy {
                return Err("--hierarchy is for --model maximal: the source says which iterations count".to_owned());
            }
            return Ok(vec![(name, Model::Controlled)]);
        }
        // Clang's IR says nothing of the source's model.
        Asked::Source(name) if arguments.model.is_some_and(|model| model != RunModel::All) => {
            return Err(needs_built_in_front_end(name));
        }
        Asked::Source(_) => None,
        Asked::Ir(model) => model,
    };
    let models = match asked {
        Some(RunModel::All) => vec![controlled, maximal, ipdom],
        Some(RunModel::Maximal) => vec![maximal],
        Some(RunModel::Controlled) => vec![controlled],
        Some(RunModel::Ipdom) => vec![ipdom],
        Some(RunModel::Clang2025_04 | RunModel::Tangles2024_10 | RunModel::Clang2025_08) => {
            unreachable!("IR is not asked for models of the source")
        }
        None if has_tokens && !has_hierarchy => vec![controlled],
        None => vec![maximal],
    };
    if has_hierarchy && !models.contains(&maximal) {
        return Err("--hierarchy is for --model maximal: no other model asks for a cycle hierarchy".to_owned());
    }
    Ok(models)
}
