//! From a command line to a launch.

use std::time::Instant;

use reconverge_analysis::target::{Operation, Scope, Target};
use reconverge_analysis::uniformity::lower::ModuleFacts;
use reconverge_exec::launch::{Launch, Limits, MaskReading, Model, OperationProfile};
use reconverge_exec::{KernelInfo, Program};
use reconverge_ir::Module;

use super::Asked;
use super::report::Shape;
use crate::arguments::{Format, Masks, Run as Arguments, RunModel};
use crate::input::Content;
use crate::launch;
use crate::launch::bind;
use crate::launch::extent::Extent;
use crate::launch::refusal::Refusal;
use crate::session::Session;

/// A launch has no more threads than this, and a workgroup many times what GPUs have.
const MOST_THREADS: u128 = (1 << 40) - 1;
const MOST_IN_WORKGROUP: u128 = 1 << 20;
/// How many events are kept where JSON is asked for, and where models are compared.
const JSON_EVENTS: usize = 1000;
const COMPARED_EVENTS: usize = 10_000;

/// All that is known before anything runs.
pub(super) struct Prepared<'s> {
    pub(super) program: Program<'s>,
    pub(super) target: &'s Target,
    pub(super) launch: Launch,
    /// The models to run under, with their names.
    pub(super) models: Vec<(&'static str, Model)>,
    /// The buffers to print, and how many of their elements.
    pub(super) prints: Vec<(String, usize)>,
}

impl Prepared<'_> {
    pub(super) fn shape(&self) -> Shape {
        Shape { grid: self.launch.grid, block: self.launch.block, subgroup: self.launch.subgroup }
    }

    pub(super) fn workgroups(&self) -> u64 {
        self.launch.grid.iter().map(|&number| u64::from(number)).product()
    }

    pub(super) fn threads_in_workgroup(&self) -> u64 {
        self.launch.block.iter().map(|&number| u64::from(number)).product()
    }

    /// How many events are kept where models are compared.
    pub(super) fn compared_events(&self) -> usize {
        self.launch.max_events.max(COMPARED_EVENTS)
    }

    /// How many threads could execute an operation together.
    pub(super) fn possible(&self, operation: &OperationProfile) -> u64 {
        let block = self.threads_in_workgroup();
        match self.target.call(operation.operation.as_bytes()).map(|facts| facts.operation) {
            Some(Operation::Crosslane(Scope::Subgroup) | Operation::Barrier(Scope::Subgroup)) => {
                block.min(self.launch.subgroup.into())
            }
            Some(Operation::QuadCrosslane) => block.min(4),
            _ => block,
        }
    }
}

/// Reads the module and makes a launch of what the command line says.
pub(super) fn prepare<'s>(
    session: &Session<'_>,
    asked: Option<&'s Target>,
    arguments: &Arguments,
    path: &str,
    content: &'s Content,
    asked_model: Asked,
) -> Result<Prepared<'s>, Refusal> {
    let start = Instant::now();
    let text = &content.ir[..];
    let program = Program::prepare(text, path, asked).map_err(|error| error.to_string())?;
    let module = program.module();
    session.note_unknown_triple(path, module);
    let target = program.target();
    let kernel = &choose(arguments.kernel.as_deref(), &program)?;
    session.detail(|| format!("{path}: read and prepared in {:.1} ms", start.elapsed().as_secs_f64() * 1e3));

    let block = arguments.block.unwrap_or(Extent(kernel.required_block.unwrap_or([1; 3])));
    let threads = count_threads(arguments.grid, block)?;
    let memory = session.global.max_memory;
    let bound = bind::bind(module, kernel, &arguments.arg, memory, threads)?;
    let prints = bind::prints(kernel, &bound, &arguments.print)?;
    let models = models_of(arguments, kernel, asked_model, content)?;
    let most_events = session.limits.events;
    let max_events = match (arguments.events, arguments.format) {
        (Some(events), _) if events > most_events => {
            return Err(Refusal::new(format!(
                "--events {events}: at most {most_events} executions are kept (--limit events=N raises this)"
            )));
        }
        (Some(events), _) => events,
        (None, Format::Json) => JSON_EVENTS.min(most_events),
        (None, Format::Text) => 0,
    };
    let launch = Launch {
        kernel: kernel.name.clone(),
        grid: arguments.grid.0,
        block: block.0,
        subgroup: arguments.subgroup.unwrap_or_else(|| subgroup_of(module, target, &kernel.name)),
        arguments: bound,
        model: models[0].1,
        schedule: arguments.schedule,
        anchors: arguments.anchor,
        masks: match arguments.masks {
            Masks::Partition => MaskReading::Partition,
            Masks::Concurrent => MaskReading::Concurrent,
        },
        limits: Limits {
            instructions: arguments.max_instructions,
            stack: arguments.max_stack,
            memory,
            ..session.limits.run
        },
        threads: session.global.threads.map_or(0, usize::from),
        max_events,
        races: !arguments.no_races,
    };
    Ok(Prepared { program, target, launch, models, prints })
}

/// The kernel to run: the one that is asked for, which may be any function with a body; else the only one.
fn choose(asked: Option<&str>, program: &Program<'_>) -> Result<KernelInfo, Refusal> {
    let mut kernels = program.kernels();
    let Some(asked) = asked else {
        return match (kernels.pop(), kernels.is_empty()) {
            (Some(kernel), true) => Ok(kernel),
            (None, _) => Err(Refusal::new("there is no kernel here; --kernel runs any function with a body as one")),
            (Some(last), false) => {
                kernels.push(last);
                Err(Refusal::new(format!(
                    "there are several kernels, choose one with --kernel: {}",
                    launch::list(&kernels)
                )))
            }
        };
    };
    launch::kernel_named(program, asked)
}

/// The threads of a launch, and of a workgroup.
fn count_threads(grid: Extent, block: Extent) -> Result<(u64, u64), Refusal> {
    if block.count() > MOST_IN_WORKGROUP {
        return Err(Refusal::new(format!(
            "--block {block}: a workgroup of {} threads, expected at most {MOST_IN_WORKGROUP}",
            block.count()
        )));
    }
    let threads = grid.count().saturating_mul(block.count());
    if threads > MOST_THREADS {
        return Err(Refusal::new(format!(
            "--grid {grid} with --block {block}: {threads} threads, expected at most {MOST_THREADS}"
        )));
    }
    Ok((threads as u64, block.count() as u64))
}

/// The models to run under, never none.
fn models_of(
    arguments: &Arguments,
    kernel: &KernelInfo,
    asked: Asked,
    content: &Content,
) -> Result<Vec<(&'static str, Model)>, Refusal> {
    let has_hierarchy = arguments.hierarchy > 1;
    let maximal = ("maximal", Model::Maximal { hierarchy: arguments.hierarchy as usize - 1 });
    let controlled = ("controlled", Model::Controlled);
    let ipdom = ("ipdom", Model::ImmediatePostDominator);
    let asked = match asked {
        Asked::Source(name) if content.origin.as_ref().is_some_and(|origin| origin.has_tokens) => {
            if has_hierarchy {
                return Err(Refusal::new("--hierarchy is for --model maximal: the source says which iterations count"));
            }
            return Ok(vec![(name, Model::Controlled)]);
        }
        // Clang's IR says nothing of the source's model.
        Asked::Source(name) if arguments.model.is_some_and(|model| model != RunModel::All) => {
            return Err(Refusal::new(format!(
                "--model {name} needs the tokens of the built-in front end, and this was read by clang; \
                 expected --model maximal or ipdom"
            )));
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
        None if kernel.has_tokens && !has_hierarchy => vec![controlled],
        None => vec![maximal],
    };
    if has_hierarchy && !models.contains(&maximal) {
        return Err(Refusal::new("--hierarchy is for --model maximal: no other model asks for a cycle hierarchy"));
    }
    Ok(models)
}

/// How many threads a subgroup of a kernel has where the command line does not say.
fn subgroup_of(module: &Module<'_>, target: &Target, kernel: &str) -> u32 {
    const USUAL: u32 = 32;
    let function = module.symbol_named(kernel.as_bytes()).and_then(|symbol| module.function_of(symbol));
    let facts = ModuleFacts::new(module, target);
    let default = if target.name() == "amdgpu" { 64 } else { USUAL };
    function.and_then(|function| facts.launch(module, function).subgroup).unwrap_or(default).clamp(1, 64)
}
