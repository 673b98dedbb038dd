//! Runs kernels on launches that nobody has to give: made up, one after the other, until one shows threads that are not where they have to be; that launch is made small.
//!
//! Invariant: what is shown is what [`run`](crate::run()) says of the launch that is printed with it. That a program ever starts its kernel with such numbers is not known: so only what concerns threads that have to be together,
//! wait for each other or order their accesses ends the search. What numbers that fit no program cause by themselves (an access out of bounds, a division by zero, a run without an end, a race where buffers, workgroups or numbers have another size than the kernel takes for granted) is counted, with the first launch that does it.
//! Launches through which nothing is found prove nothing.

use reconverge_exec::launch::{Argument, Launch};
use reconverge_exec::{KernelInfo, Linked, ParameterInfo, Program};
use reconverge_findings::run::{Trouble, What};
use reconverge_findings::{Code, Finding, Kind};
use reconverge_validate::{MadeUp, launch_limits};
use serde::Serialize;

use crate::launch::command::run_command;
use crate::launch::{asked_as, refuse};
use crate::run::{default_model, entry_of, reads_program};
use crate::{
    Error, FindingReport, Module, Prepared, Progress, Run, RunOptions, Severity, StatedBlock, ValidateOptions,
};

/// How many instructions a launch may take, of all threads.
const INSTRUCTIONS: u64 = 4_000_000;

/// What is found of threads that have to be together, wait for each other, or order what they read and write.
pub(crate) const ABOUT_TOGETHER: [Code; 7] =
    [Code::RC0501, Code::RC0502, Code::RC0503, Code::RC0504, Code::RC0507, Code::RC0510, Code::RC0511];

/// The launches to try.
#[derive(Debug, Clone)]
pub struct TryOptions {
    /// How many for each kernel.
    pub launches: u64,
    /// What they are made up from.
    pub seed: u64,
    /// What is given of them. Where no kernel is, all are tried. How many instructions a launch may take is not looked at.
    pub given: RunOptions,
}

impl Default for TryOptions {
    fn default() -> TryOptions {
        TryOptions { launches: 100, seed: 1, given: RunOptions::default() }
    }
}

/// What came of the launches of one kernel.
#[derive(Debug, Clone, Serialize)]
#[non_exhaustive]
pub struct Tried {
    /// The kernel, with the sigil of IR.
    pub kernel: String,
    /// How many launches were run: all, or those up to the one that shows something.
    pub launches: u64,
    /// The block that they have because the file launches the kernel in it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stated_block: Option<StatedBlock>,
    /// The launch that does, made small.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shown: Option<Shown>,
    /// What else launches ended with.
    pub others: Vec<OtherEnd>,
    /// Why it cannot be run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub refused: Option<String>,
}

/// A launch that shows something.
#[derive(Debug, Clone, Serialize)]
#[non_exhaustive]
pub struct Shown {
    /// The number of the launch that it was made from, from 1.
    pub number: u64,
    /// The command that runs it.
    pub command: String,
    /// What happens.
    pub run: Run,
}

/// Launches that ended with something that their numbers may have caused alone.
#[derive(Debug, Clone, Serialize)]
#[non_exhaustive]
pub struct OtherEnd {
    /// The code of the finding.
    pub code: &'static str,
    /// How many there were.
    pub launches: u64,
    /// What the first of them ended with.
    pub first: FindingReport,
}

/// Runs kernels on made-up launches, each until something is shown.
///
/// # Errors
/// When the module is not LLVM IR, has no such kernel or none at all, an argument fits none, or the kernel that is asked for cannot be run.
pub fn try_launches(module: &Module, options: &TryOptions) -> Result<Vec<Tried>, Error> {
    let in_file = |error: Error| error.in_file(module.name());
    let program = module.program()?;
    let given = &options.given;
    let made_up = ValidateOptions {
        kernel: given.kernel.clone(),
        seed: options.seed,
        runs: options.launches,
        arguments: given.arguments.clone(),
        grid: given.grid,
        block: given.block,
        subgroup: given.subgroup,
        limits: launch_limits(INSTRUCTIONS),
        ..ValidateOptions::default()
    };
    let kernels = made_up.kernels(&program, &program, &*module.files).map_err(in_file)?;
    if kernels.are_functions {
        let message = "there is no kernel here; --kernel runs any function with a body as one";
        return Err(refuse(message).in_file(module.name()));
    }
    let mut tried = Vec::new();
    for name in &kernels.names {
        match of_kernel(module, name, options, &made_up) {
            Ok(one) => tried.push(one),
            Err(error) if given.kernel.is_some() => return Err(in_file(error)),
            Err(error) => {
                let (kernel, refused) = (format!("@{name}"), Some(error.message));
                tried.push(Tried { kernel, launches: 0, stated_block: None, shown: None, others: Vec::new(), refused });
            }
        }
        module.unless_cancelled(())?;
    }
    Ok(tried)
}

fn of_kernel(module: &Module, name: &str, options: &TryOptions, made_up: &ValidateOptions) -> Result<Tried, Error> {
    let given = RunOptions { kernel: Some(name.to_owned()), ..options.given.clone() };
    let (program, kernel) = reads_program(module, &given, false)?;
    let model = given.model.unwrap_or_else(|| default_model(module, &program, &kernel));
    let linked = program.link(&kernel.name).map_err(|error| refuse(error.to_string()))?;
    let stated_block =
        module.stated_block(&kernel.name).filter(|_| given.block.is_none() && kernel.required_block.is_none());
    let stated_block = stated_block.cloned();
    let block = given.block.or(stated_block.as_ref().map(|stated| stated.block));
    let made_up = ValidateOptions { block, ..made_up.clone() };
    let made_up = launches_of(module, &program, &kernel, &linked, &made_up)?.usual(&linked);
    let entry = given.entry.unwrap_or_else(|| entry_of(module, &program, &kernel.name));
    let launch = |number, scale| Launch {
        schedule: given.schedule,
        anchors: given.anchors,
        masks: given.masks,
        races: given.races,
        entry,
        ..made_up.launch(number, scale, model)
    };
    let kernel_name = format!("@{}", kernel.name);
    let knows_block = block.is_some() || kernel.required_block.is_some();
    let is_number = |name: &str| {
        let is_integer = |info: &ParameterInfo| info.name == name && info.ty.starts_with('i');
        kernel.parameters.iter().any(is_integer) && !is_given(&given.arguments, name)
    };
    let numbers: Vec<String> =
        kernel.parameters.iter().map(|info| info.name.clone()).filter(|name| is_number(name)).collect();
    let knows_sizes = |launch: &Launch| knows_block && is_large(launch, &numbers);
    let prepared = Prepared::with_launch(module, program, kernel, launch(0, 0));
    let model_name = prepared.model_name();
    let command = |launch: &Launch| {
        let launch = Launch { kernel: asked_as(prepared.program(), &launch.kernel), ..launch.clone() };
        run_command(module.name(), &launch, &given.arguments).join(" ")
    };
    let mut tried =
        Tried { kernel: kernel_name, launches: 0, stated_block, shown: None, others: Vec::new(), refused: None };
    let mut best: Option<(u64, Launch, Run)> = None;
    for number in 0..options.launches {
        module.unless_cancelled(())?;
        let (launch, run) = run_in_bounds(&prepared, |scale| launch(number, scale))?;
        tried.launches += 1;
        module.control.tell(Progress::Launch);
        match End::of(&run, knows_sizes(&launch)) {
            End::Well => {}
            End::Shows(Severity::Error, _) => {
                best = Some((number, launch, run));
                break;
            }
            // An error would say more.
            End::Shows(..) => drop(best.get_or_insert((number, launch, run))),
            End::Other(finding) => match tried.others.iter_mut().find(|other| other.code == finding.code) {
                Some(other) => other.launches += 1,
                None => tried.others.push(OtherEnd { code: finding.code, launches: 1, first: finding.clone() }),
            },
        }
    }
    if let Some((number, launch, mut run)) = best {
        let launch = made_up.minimise(launch, &mut |smaller| match prepared.run(model_name, smaller) {
            Ok(other) if End::of(&other, knows_sizes(smaller)).is_like(&End::of(&run, true)) => {
                run = other;
                true
            }
            _ => false,
        });
        tried.shown = Some(Shown { number: number + 1, command: command(&launch), run });
    }
    Ok(tried)
}

/// The made-up launches of a kernel.
pub(crate) fn launches_of(
    module: &Module,
    program: &Program<'_>,
    kernel: &KernelInfo,
    linked: &Linked<'_>,
    options: &ValidateOptions,
) -> Result<MadeUp, Error> {
    let asked = options.of_kernel(program, program, &kernel.name, &*module.files)?;
    MadeUp::new(program, linked, kernel, &asked).map_err(refuse)
}

/// Runs a launch, with buffers as large as it takes for it not to leave them.
fn run_in_bounds(prepared: &Prepared<'_>, launch: impl Fn(u32) -> Launch) -> Result<(Launch, Run), Error> {
    let mut scale = 0;
    loop {
        let launch = launch(scale);
        let run = prepared.run(prepared.model_name(), &launch)?;
        scale += 1;
        let has_left = run.diagnostics.iter().any(|finding| finding.code == "RC0505");
        if !has_left || scale == MadeUp::SCALES {
            return Ok((launch, run));
        }
    }
}

/// How a run ended.
enum End<'r> {
    Well,
    /// With something about threads that have to be together, and no other error: how bad it is, and its code.
    Shows(Severity, Code),
    /// With another error.
    Other(&'r FindingReport),
}

impl End<'_> {
    /// `knows_sizes`: whether the size of a workgroup is not made up, and no number is that is smaller.
    fn of(run: &Run, knows_sizes: bool) -> End<'_> {
        let found = || run.outcome.findings.iter().zip(&run.diagnostics);
        let errors = || found().filter(|(finding, _)| finding.severity == Severity::Error);
        let is_about_together = |finding: &Finding| is_about_together(finding, knows_sizes);
        // Two of them may come of threads that are not together.
        let is_other =
            |finding: &Finding| !is_about_together(finding) && ![Code::RC0506, Code::RC0507].contains(&finding.code);
        if let Some((_, other)) = errors().find(|(finding, _)| is_other(finding)) {
            return End::Other(other);
        }
        let shown = [Severity::Error, Severity::Warning].into_iter().find_map(|severity| {
            let is_it = |finding: &Finding| finding.severity == severity && is_about_together(finding);
            let (first, _) = found().find(|(finding, _)| is_it(finding))?;
            Some(End::Shows(severity, first.code))
        });
        shown.or_else(|| errors().next().map(|(_, other)| End::Other(other))).unwrap_or(End::Well)
    }

    /// Whether two runs show the same.
    fn is_like(&self, other: &End<'_>) -> bool {
        matches!((self, other), (End::Shows(one, code), End::Shows(other, as_code)) if (one, code) == (other, as_code))
    }
}

/// Whether an argument is for the parameter with a name.
fn is_given(arguments: &[String], name: &str) -> bool {
    arguments.iter().any(|argument| argument.trim_start_matches('%').split('=').next() == Some(name))
}

/// Whether these numbers, which are made up, are no smaller than the workgroup is long in some dimension: one that says how long something is in memory that threads share would let them meet there.
fn is_large(launch: &Launch, numbers: &[String]) -> bool {
    let longest = launch.block.iter().copied().max().unwrap_or(1);
    launch.arguments.iter().filter(|(name, _)| numbers.contains(name)).all(|(_, argument)| match argument {
        Argument::Scalar(number) => number.parse::<u64>().is_ok_and(|number| number >= u64::from(longest)),
        Argument::Buffer { .. } => true,
    })
}

/// Whether it is about threads that have to be together, and not about sizes that do not fit each other: these let threads meet in memory, in shared memory where the kernel takes a certain size of the workgroup for granted, or
/// numbers that are no smaller.
fn is_about_together(finding: &Finding, knows_sizes: bool) -> bool {
    match &finding.kind {
        Kind::Run(Trouble { what: What::Race { object, .. }, .. }) => object.is_local && knows_sizes,
        _ => ABOUT_TOGETHER.contains(&finding.code),
    }
}
