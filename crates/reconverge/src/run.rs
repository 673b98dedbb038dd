//! Kernels with data and threads, executed.

mod report;

use reconverge_analysis::check as analysis;
use reconverge_analysis::lints::is_cpu;
use reconverge_analysis::target::Scope;
use reconverge_analysis::uniformity::lower::ModuleFacts;
use reconverge_exec::launch::{AnchorPolicy, Entry, Launch, Limits, MaskReading, Model, Outcome, Schedule};
use reconverge_exec::launch_grammar::extent::Extent;
use reconverge_exec::statements::{SourceFunction, Statements};
use reconverge_exec::{Control as ExecControl, KernelInfo, Program};
use reconverge_findings::control::Hazard;
use reconverge_findings::run::{Progress as Going, Spinning, Trouble, What};
use reconverge_findings::{Anchor, Code, Finding, IrVoice, Kind, Severity, Voice};
use reconverge_lang::lower::{has_marker, marker_number};
use reconverge_lang::options::SourceModel;

use crate::findings::{FindingReport, Speaker, Told};
use crate::launch::{bind, choose, refuse};
use crate::lines::Lines;
use crate::source::Source;
use crate::{Error, Module, Progress};

/// A launch has no more threads than this, and a workgroup many times what GPUs have.
const MOST_THREADS: u128 = (1 << 40) - 1;
const MOST_IN_WORKGROUP: u128 = 1 << 20;

/// From this processor of NVIDIA's on, the threads of a warp are scheduled independently.
const INDEPENDENT: u32 = 70;

/// A launch, as it is asked for.
#[derive(Debug, Clone)]
pub struct RunOptions {
    /// The kernel, or any function with a body; may be left out where there is one kernel only.
    pub kernel: Option<String>,
    /// How many workgroups there are, in x, y and z; where it is not said, one.
    pub grid: Option<[u32; 3]>,
    /// How many threads a workgroup has; where it is not said, what the kernel requires, else 1.
    pub block: Option<[u32; 3]>,
    /// How many threads a subgroup has, 1 to 64; where it is not said, by kernel and target, else 32.
    pub subgroup: Option<u32>,
    /// What parameters get, as `NAME=VALUE`, where a name may be a position: a number (`n=2000`), a buffer of zeroes (`out=u32[1024]`), a filled one
    /// (`in=u32[4]{1,2,3,4}`, `{iota}`, `{random:SEED}`, `{uninit}`), or a file (`in=f32@data.bin`).
    pub arguments: Vec<String>,
    /// Which threads count as converged; where it is not said, what tokens say, in a kernel without any the maximal relation.
    pub model: Option<Model>,
    /// In which order threads run.
    pub schedule: Schedule,
    /// Which threads execute an anchor together.
    pub anchors: AnchorPolicy,
    /// What the environment defines of the threads that start the kernel; where it is not said, they are together, but each is alone in `main` of a program in C or C++, or for a CPU.
    pub entry: Option<Entry>,
    /// What the mask of an operation such as `__shfl_sync` means.
    pub masks: MaskReading,
    /// Whether to look for data races inside workgroups.
    pub races: bool,
    /// Where the run ends though the kernel has not, in place of what the settings say.
    pub limits: Option<Limits>,
    /// How many executions of operations of several threads to keep, at most [`Limits::events`](crate::Limits::events).
    pub events: usize,
}

impl Default for RunOptions {
    fn default() -> RunOptions {
        RunOptions {
            kernel: None,
            grid: None,
            block: None,
            subgroup: None,
            arguments: Vec::new(),
            model: None,
            schedule: Schedule::Lockstep,
            anchors: AnchorPolicy::Maximal,
            entry: None,
            masks: MaskReading::Partition,
            races: true,
            limits: None,
            events: 0,
        }
    }
}

/// A kernel that can be run: all that is known before anything runs.
#[derive(Debug)]
pub struct Prepared<'m> {
    module: &'m Module,
    program: Program<'m>,
    kernel: KernelInfo,
    launch: Launch,
}

/// What a run did.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Run {
    /// The module.
    pub path: String,
    /// The model that the kernel ran under: `controlled`, `maximal`, `ipdom`, or that of its source.
    pub model: &'static str,
    /// How many workgroups there are, in x, y and z.
    pub grid: [u32; 3],
    /// How many threads a workgroup has.
    pub block: [u32; 3],
    /// How many threads a subgroup has.
    pub subgroup: u32,
    /// Whether the input is source: lines are lines of that.
    pub is_source: bool,
    /// What happened.
    pub outcome: Outcome,
    /// The findings in words.
    pub told: Vec<Told>,
    /// The same as they are printed as JSON.
    pub diagnostics: Vec<FindingReport>,
}

/// Runs a kernel.
///
/// # Errors
/// When the module is not LLVM IR, has no such kernel or one that cannot be run, or the launch does not fit it. What goes wrong in the run is a
/// finding.
///
/// ```
/// use reconverge::{Input, RunOptions, Settings, run};
/// let kernel = "__kernel void twice(__global uint *data) { data[get_global_id(0)] *= 2; }";
/// let module = reconverge::open(Input::new("twice.cl", kernel, None)?, &Settings::default())?;
/// let arguments = vec!["data=u32[4]{1,2,3,4}".to_owned()];
/// let run = run(&module, &RunOptions { block: Some([4, 1, 1]), arguments, ..RunOptions::default() })?;
/// let data: Vec<String> = run.outcome.buffers[0].elements().map(|number| number.to_string()).collect();
/// assert_eq!(data, ["2", "4", "6", "8"]);
/// # Ok::<(), reconverge::Error>(())
/// ```
pub fn run(module: &Module, options: &RunOptions) -> Result<Run, Error> {
    let prepared = prepare(module, options)?;
    prepared.run(prepared.model_name(), prepared.launch())
}

/// Reads a module and makes a launch of what is asked.
///
/// # Errors
/// As [`run`], but for what is found when the kernel is linked.
pub fn prepare<'m>(module: &'m Module, options: &RunOptions) -> Result<Prepared<'m>, Error> {
    prepare_with(module, options, false)
}

/// As [`prepare`]; where the program runs by the rules of its statements, `shows_markers` says whether markers are among the operations that are shown.
pub(crate) fn prepare_with<'m>(
    module: &'m Module,
    options: &RunOptions,
    shows_markers: bool,
) -> Result<Prepared<'m>, Error> {
    let in_file = |error: Error| error.in_file(module.name());
    let (program, kernel) = reads_program(module, options, shows_markers)?;
    let block = options.block.unwrap_or(kernel.required_block.unwrap_or([1; 3]));
    let grid = options.grid.unwrap_or([1; 3]);
    let threads = count_threads(Extent(grid), Extent(block)).map_err(in_file)?;
    let limits = options.limits.unwrap_or(module.limits.run);
    let files = &*module.files;
    let arguments =
        bind::bind(&program, &kernel, &options.arguments, limits.memory, threads, files).map_err(in_file)?;
    let model = options.model.unwrap_or_else(|| default_model(module, &program, &kernel));
    let launch = Launch {
        kernel: kernel.name.clone(),
        grid,
        block,
        subgroup: options.subgroup.unwrap_or_else(|| subgroup_of(&program, &kernel.name)),
        arguments,
        model,
        schedule: options.schedule,
        anchors: options.anchors,
        entry: options.entry.unwrap_or_else(|| entry_of(module, &program, &kernel.name)),
        masks: options.masks,
        limits,
        threads: module.threads,
        max_events: options.events.min(module.limits.events),
        races: options.races,
    };
    Ok(Prepared { module, program, kernel, launch })
}

/// Reads the program, with its statements where it runs by these, and the kernel that is asked for.
pub(crate) fn reads_program<'m>(
    module: &'m Module,
    options: &RunOptions,
    shows_markers: bool,
) -> Result<(Program<'m>, KernelInfo), Error> {
    let in_file = |error: Error| error.in_file(module.name());
    let mut program = module.program()?;
    let by_statements = module.source().filter(|source| options.model.is_none() && source.is_run_by_statements());
    if let Some(source) = by_statements {
        program = program.with_statements(statements(source, shows_markers).map_err(in_file)?);
    }
    let kernel = choose(options.kernel.as_deref(), &program).map_err(in_file)?;
    match module.unknown_in(&kernel.name) {
        Some(unknown) => Err(unknown),
        None => Ok((program, kernel)),
    }
}

/// The model that a kernel runs under where none is asked for.
pub(crate) fn default_model(module: &Module, program: &Program<'_>, kernel: &KernelInfo) -> Model {
    match (program.has_statements(), kernel.has_tokens) {
        (true, _) => Model::Statements(module.source().map_or(SourceModel::default(), |source| source.model)),
        (false, true) => Model::Controlled,
        (false, false) => Model::Maximal { hierarchy: 0 },
    }
}

impl<'m> Prepared<'m> {
    /// A kernel with a launch that was made for it.
    pub(crate) fn with_launch(
        module: &'m Module,
        program: Program<'m>,
        kernel: KernelInfo,
        launch: Launch,
    ) -> Prepared<'m> {
        Prepared { module, program, kernel, launch }
    }

    /// The kernel.
    pub fn kernel(&self) -> &KernelInfo {
        &self.kernel
    }

    /// The module, read.
    pub fn program(&self) -> &Program<'m> {
        &self.program
    }

    /// The module.
    pub(crate) fn module(&self) -> &'m Module {
        self.module
    }

    /// The launch.
    pub fn launch(&self) -> &Launch {
        &self.launch
    }

    /// Whether the kernel is written in source: it and its operations have names there.
    pub fn of_source(&self) -> bool {
        self.module.source().is_some()
    }

    /// What one thread is called, and the group that shares memory, in the words of the kernel's language.
    pub fn thread_and_workgroup(&self) -> (&'static str, &'static str) {
        let voice = self.module.source().map(Source::voice);
        let voice = voice.as_ref().map_or(&IrVoice as &dyn Voice, |voice| voice);
        (voice.thread(), voice.group(Scope::Workgroup))
    }

    /// What the model of the launch is called.
    pub fn model_name(&self) -> &'static str {
        match (self.launch.model, self.module.source()) {
            (Model::Controlled, Some(source)) if source.has_tokens => source_model_name(source.model),
            (Model::Statements(text), _) => source_model_name(text),
            (Model::Controlled, _) => "controlled",
            (Model::Maximal { .. }, _) => "maximal",
            (Model::ImmediatePostDominator, _) => "ipdom",
        }
    }

    /// Runs the kernel with a launch that is this one but for its model, its limits or how much is kept of it; `model` is what the model is called.
    ///
    /// # Errors
    /// When the kernel or what it calls has something that cannot be run, or the launch needs more memory than there may be.
    pub fn run(&self, model: &'static str, launch: &Launch) -> Result<Run, Error> {
        let control = &self.module.control;
        let watcher = control.is_watched().then(|| {
            let control = control.clone();
            let watcher = move |run: &ExecControl| {
                let read = |number: &std::sync::atomic::AtomicU64| number.load(std::sync::atomic::Ordering::Relaxed);
                let (workgroups, instructions) = (read(&run.workgroups_done), read(&run.instructions));
                control.tell(Progress::Run { workgroups, instructions });
            };
            Box::new(watcher) as Box<dyn Fn(&ExecControl) + Send + Sync>
        });
        let control = ExecControl { cancel: control.flag(), watcher, ..ExecControl::default() };
        let outcome = reconverge_exec::run(&self.program, launch, &control)
            .map_err(|error| refuse(error.to_string()).in_file(self.module.name()))?;
        Ok(self.worded(model, launch, outcome))
    }

    /// What came of a launch, with its findings in words.
    pub(crate) fn worded(&self, model: &'static str, launch: &Launch, mut outcome: Outcome) -> Run {
        let Launch { grid, block, subgroup, .. } = *launch;
        let (path, is_source) = (self.module.name().to_owned(), self.module.source().is_some());
        let (told, diagnostics) = (Vec::new(), Vec::new());
        self.agree_with_check(&mut outcome.findings);
        self.agree_with_target(&launch.kernel, &mut outcome.findings);
        let mut run = Run { path, model, grid, block, subgroup, is_source, outcome, told, diagnostics };
        self.tell(&mut run);
        run
    }

    /// Of a barrier that the others have missed because they ended, a run does not see whether they left early or went on where they should have waited:
    /// `check` does.
    fn agree_with_check(&self, findings: &mut [Finding]) {
        let is_in_doubt = |finding: &Finding| finding.code == Code::RC0501 && finding.severity == Severity::Warning;
        if !findings.iter().any(is_in_doubt) {
            return;
        }
        let asked = analysis::CheckOptions { target: Some(self.module.target()), ..analysis::CheckOptions::default() };
        let Ok(checked) = analysis::check(self.module.ir(), &asked) else { return };
        let mut missed: Vec<Anchor> = Vec::new();
        for found in &checked.findings {
            let Kind::Hazard(Hazard { requirement, after_exit: None, .. }) = &found.kind else { continue };
            missed.extend(found.also.iter().copied().chain([found.at]));
            missed.extend(requirement.as_ref().map(|requirement| requirement.at));
        }
        for finding in findings.iter_mut().filter(|finding| is_in_doubt(finding)) {
            if missed.iter().any(|at| (at.function, at.inst) == (finding.at.function, finding.at.inst)) {
                finding.severity = Severity::Error;
            }
        }
    }

    /// A run in lock-step proves that threads wait for each other where the hardware keeps them together. NVIDIA's does so before sm_70: on what has come since, nothing of the
    /// sort is proved. Where nobody says the processor, it is one of these.
    fn agree_with_target(&self, kernel: &str, findings: &mut [Finding]) {
        let is_spin = |finding: &Finding| matches!(&finding.kind, Kind::Run(trouble) if matches!(trouble.what, What::Spinning { .. }));
        if self.module.target().name() != "nvptx" || !findings.iter().any(is_spin) {
            return;
        }
        let is_before = match self.module.source().and_then(|source| source.cuda_arch) {
            Some(arch) => arch < INDEPENDENT,
            None => self.arch_of(kernel).is_some_and(|arch| arch < INDEPENDENT),
        };
        for finding in findings {
            let Kind::Run(Trouble { what: What::Spinning { because, progress, .. }, .. }) = &mut finding.kind else {
                continue;
            };
            *progress = if is_before { Going::Together } else { Going::Independent };
            if *because == Spinning::HoldsOthers && !is_before {
                finding.severity = Severity::Warning;
            }
        }
    }

    /// The processor that a function is compiled for, `80` for `sm_80`.
    fn arch_of(&self, function: &str) -> Option<u32> {
        let module = self.program.module();
        let id = module.function_of(module.symbol_named(function.as_bytes())?)?;
        let name = module.attribute(module.functions[id].suffix, b"target-cpu")?;
        let digits = name.strip_prefix(b"sm_")?;
        let end = digits.iter().take_while(|byte| byte.is_ascii_digit()).count();
        std::str::from_utf8(&digits[..end]).ok()?.parse().ok()
    }

    /// Words the findings of a run.
    pub fn tell(&self, run: &mut Run) {
        if !run.outcome.findings.is_empty() {
            let speaker = Speaker::new(self.program.module(), self.module);
            let lines = Lines::new(self.module.ir());
            run.told = speaker.tell_all(&run.outcome.findings);
            run.diagnostics = run.told.iter().map(|told| told.report(&lines)).collect();
        }
    }
}

/// The statements that a program was made from, for a run by their rules.
pub(crate) fn statements(source: &Source, shows_markers: bool) -> Result<Statements<'_>, Error> {
    let Some(translation) = source.statements.as_ref().filter(|_| source.has_markers) else {
        let model = source_model_name(source.model);
        let message = format!(
            "{model} is no model of tokens; a run by its rules needs `markers` and `statements` in the settings"
        );
        return Err(refuse(message));
    };
    let functions = translation.program.iter().flat_map(|program| program.functions.iter());
    let functions = functions.filter_map(|(id, data)| {
        let (plan, analysis) = (translation.plans[id].as_ref()?, translation.analyses[id].as_ref()?);
        let is_convergent = data.is_convergent;
        Some((marker_number(id), SourceFunction { outline: &plan.outline, analysis, is_convergent }))
    });
    Ok(Statements { functions: functions.collect(), has_marker, shows_markers })
}

/// The texts that define convergence of source, the default one first.
pub const SOURCE_MODELS: [SourceModel; 3] =
    [SourceModel::Clang2025_04, SourceModel::Tangles2024_10, SourceModel::Clang2025_08];

/// What a text that defines convergence is called.
pub fn source_model_name(model: SourceModel) -> &'static str {
    match model {
        SourceModel::Clang2025_04 => "clang-2025-04",
        SourceModel::Tangles2024_10 => "tangles-2024-10",
        SourceModel::Clang2025_08 => "clang-2025-08",
    }
}

/// What the environment defines of the threads that start a function where nobody says it.
pub(crate) fn entry_of(module: &Module, program: &Program<'_>, function: &str) -> Entry {
    let is_alone = match module.source() {
        Some(source) => source.starts_alone.as_deref() == Some(function),
        None => function == "main" && is_cpu(&program.module().target_triple()),
    };
    if is_alone { Entry::Alone } else { Entry::Converged }
}

/// The threads of a launch, and of a workgroup.
fn count_threads(grid: Extent, block: Extent) -> Result<(u64, u64), Error> {
    if block.count() > MOST_IN_WORKGROUP {
        return Err(refuse(format!(
            "--block {block}: a workgroup of {} threads, expected at most {MOST_IN_WORKGROUP}",
            block.count()
        )));
    }
    let threads = grid.count().saturating_mul(block.count());
    if threads > MOST_THREADS {
        return Err(refuse(format!(
            "--grid {grid} with --block {block}: {threads} threads, expected at most {MOST_THREADS}"
        )));
    }
    Ok((threads as u64, block.count() as u64))
}

/// How many threads a subgroup of a kernel has where nobody says it.
fn subgroup_of(program: &Program<'_>, kernel: &str) -> u32 {
    const USUAL: u32 = 32;
    let (module, target) = (program.module(), program.target());
    let function = module.symbol_named(kernel.as_bytes()).and_then(|symbol| module.function_of(symbol));
    let facts = ModuleFacts::new(module, target);
    let default = if target.name() == "amdgpu" { 64 } else { USUAL };
    function.and_then(|function| facts.launch(module, function).subgroup).unwrap_or(default).clamp(1, 64)
}
