//! The table of dynamic instances of threads that take given paths: who is converged with whom.
//!
//! `names` is what blocks, operations and their executions are called, `paths` reads paths, `report` and `hierarchies` have the answers about the graph of IR, and
//! `source` those about the statements of source.

mod hierarchies;
mod names;
mod paths;
mod report;
mod source;

use reconverge_analysis::lints::is_cpu;
use reconverge_analysis::lower::lower;
use reconverge_analysis::skeleton::skeleton;
use reconverge_exec::Control as ExecControl;
use reconverge_findings::Scene;
use reconverge_graph::{CycleForest, Node, PostDominators};
use reconverge_ir::{Function, FunctionId};
use reconverge_lang::options::{Entry, SourceModel};
use reconverge_semantics::{self as semantics, AnchorPolicy, Skeleton, StaticInstance, Trace};
use reconverge_valid::read_functions;
use rustc_hash::FxHashSet;
use serde::Serialize;

use crate::lines::Lines;
use crate::module::is_asked_for;
use crate::run::prepare_with;
use crate::source::{LineFinder, SourceLines};
use crate::{Error, ErrorKind, Module, RunOptions};
use hierarchies::Hierarchies;
pub use hierarchies::{HierarchyReport, PairInstance, PairReport, PairThread, PairsReport, TraceHeaders};
use names::{InstanceNames, Names};
pub use report::{ModelReport, TraceInstance, TraceOperation, TraceThread};
pub use source::{SourceInstance, SourceReport, SourceThread};

/// Paths of threads, and by what they are to be compared.
#[derive(Debug, Clone)]
pub struct TraceOptions {
    /// The function.
    pub function: String,
    /// For each thread the blocks that it executes, with commas between: from the entry to the end. Of source: the evaluations with convergent
    /// operations that it passes, each by the function that it calls, or by its line as `L12`.
    pub paths: Vec<String>,
    /// Paths may begin and end anywhere; of source: end.
    pub partial: bool,
    /// Which instances are converged; where it is not said, April 2025 for source, what tokens say for a function with tokens, else the maximal relation.
    pub model: Option<TraceModel>,
    /// The cycle hierarchy, by its number from 1 among [all of them](crate::CyclesOptions::all_hierarchies); where it is not said, the one that LLVM finds.
    pub hierarchy: Option<u32>,
    /// List all pairs of instances, and in which hierarchies they are converged.
    pub all_hierarchies: bool,
    /// The most hierarchies to look at.
    pub max_hierarchies: usize,
    /// Whether threads execute anchors alone; of source: what the implementation does where it has a choice.
    pub anchors_solo: bool,
    /// What the environment defines of threads that come into the program; where it is not said, nobody is together in `main` of a program in C or C++, or for a CPU, and threads are in kernels.
    /// Of IR, any function is taken for one that threads come into.
    pub entry: Option<Entry>,
}

impl Default for TraceOptions {
    fn default() -> TraceOptions {
        TraceOptions {
            function: String::new(),
            paths: Vec::new(),
            partial: false,
            model: None,
            hierarchy: None,
            all_hierarchies: false,
            max_hierarchies: 64,
            anchors_solo: false,
            entry: None,
        }
    }
}

/// A model of convergence.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum TraceModel {
    /// Threads meet wherever they can, counted by cycle headers; tokens do not count.
    Maximal,
    /// What the tokens say; maximal where they say nothing.
    Controlled,
    /// Threads that part at a branch meet at its immediate post-dominator.
    Ipdom,
    /// Of source: what a text says.
    Source(SourceModel),
    /// All of them, one after the other; of source: the three texts.
    All,
}

/// The answer to [`trace`].
#[derive(Debug, Clone, Serialize)]
#[non_exhaustive]
pub struct Traced {
    /// The function, with its sigil.
    pub function: String,
    /// Its line.
    pub line: usize,
    /// Of IR that is told in the words of its source ([`of_ir`](crate::SourceSettings::of_ir)): where the blocks of the paths are in that.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub blocks: Vec<BlockInSource>,
    /// What was asked.
    #[serde(flatten)]
    pub answer: TraceAnswer,
}

/// Where a block is in the source.
#[derive(Debug, Clone, Serialize)]
#[non_exhaustive]
pub struct BlockInSource {
    /// Its name in the IR, without sigil.
    pub block: String,
    /// The file.
    pub file: String,
    /// The lines from its first to its last instruction.
    #[serde(flatten)]
    pub lines: SourceLines,
}

/// What is converged with what.
#[derive(Debug, Clone, Serialize)]
#[serde(untagged)]
#[non_exhaustive]
pub enum TraceAnswer {
    /// Under one model.
    One(ModelReport),
    /// Under several.
    All(AllModels<ModelReport>),
    /// In which hierarchies pairs of instances are.
    Pairs(PairsReport),
    /// By one text about source.
    Source(SourceReport),
    /// By several.
    AllOfSource(AllModels<SourceReport>),
}

/// Answers under several models.
#[derive(Debug, Clone, Serialize)]
#[non_exhaustive]
pub struct AllModels<R> {
    /// `all`
    pub model: &'static str,
    /// One for each.
    pub models: Vec<R>,
}

impl Traced {
    /// Whether the keys have an order: not where the function breaks a rule about tokens.
    pub fn is_sound(&self) -> bool {
        let is_sound = |report: &ModelReport| report.contradiction.is_none();
        match &self.answer {
            TraceAnswer::One(report) => is_sound(report),
            TraceAnswer::All(all) => all.models.iter().all(is_sound),
            _ => true,
        }
    }
}

/// What is asked about.
struct Subject<'a> {
    names: Names<'a>,
    skeleton: &'a Skeleton,
    paths: &'a [Vec<Node>],
    instance_names: InstanceNames,
    /// Whether no thread begins together with another one.
    is_apart: bool,
}

impl Subject<'_> {
    fn trace(&self, model: semantics::Model<'_>) -> Trace {
        let trace = Trace::compute(self.skeleton, model, self.paths);
        if self.is_apart { trace.apart() } else { trace }
    }
}

/// Something that cannot be asked, or a path that no thread can take.
type Refusal = (ErrorKind, String);

/// The table of what threads execute on given paths. Of a module from source that keeps its [statements](crate::SourceSettings::statements), under a model of source, the
/// paths are those of its statements.
///
/// # Errors
/// When the module is not LLVM IR, has no such function (kind [`Name`](ErrorKind::Name)), no thread can take a path (kind [`Path`](ErrorKind::Path)), or the options do not go together.
///
/// ```
/// use reconverge::{Input, Settings, TraceAnswer, TraceOptions, trace};
/// let text = "define void @f(i1 %c) {
/// entry:
///   br i1 %c, label %then, label %done
/// then:
///   br label %done
/// done:
///   ret void
/// }
/// ";
/// let module = reconverge::open(Input::new("f.ll", text, None)?, &Settings::default())?;
/// let paths = ["entry, done", "entry, then, done"].map(str::to_owned).to_vec();
/// let traced = trace(&module, &TraceOptions { function: "f".to_owned(), paths, ..TraceOptions::default() })?;
/// let TraceAnswer::One(report) = traced.answer else { panic!("one model") };
/// let last = |thread: usize| report.threads[thread].instances.last().unwrap().key;
/// assert_eq!(last(0), last(1), "they are converged at the end");
/// # Ok::<(), reconverge::Error>(())
/// ```
pub fn trace(module: &Module, options: &TraceOptions) -> Result<Traced, Error> {
    let refused = |(kind, message): Refusal| Error::new(kind, "", message);
    let missing = || {
        let message = module.functions_near(&options.function).instead_of_function(&options.function);
        Error::new(ErrorKind::Name, module.name(), message)
    };
    if let (Some(texts), Some(statements)) =
        (texts(options, module)?, module.source().and_then(|source| source.statements.as_ref()))
    {
        return source::trace(options, statements, &texts).map_err(refused)?.ok_or_else(missing);
    }
    let (index, functions) = read_functions(module.ir(), |index, id, function| {
        is_asked_for(Some(&options.function), index, id).then(|| (id, function.clone()))
    })
    .map_err(|error| module.not_ir(&error))?;
    let lines = Lines::new(module.ir());
    let (id, function) = functions.into_iter().flatten().next().ok_or_else(missing)?;
    let traced = answer(options, &lines, &index, id, &function).map_err(refused)?;
    let scene = Scene { module: &index, id, function: &function };
    let words = module.words().filter(|words| words.is_of_ir() && words.knows(&scene));
    let blocks = words.map_or_else(Vec::new, |words| in_source(options, LineFinder { words, scene }));
    module.unless_cancelled(Traced { blocks, ..traced })
}

/// Where the blocks that the paths name are in the source, in the order of the text.
fn in_source(options: &TraceOptions, finder: LineFinder<'_, '_>) -> Vec<BlockInSource> {
    let named: FxHashSet<&str> = options.paths.iter().flat_map(|path| path.split(',').map(str::trim)).collect();
    let Some(file) = finder.function().map(|function| function.file) else { return Vec::new() };
    let blocks = finder.scene.function.blocks.keys().map(|block| (block, finder.scene.block_name(block)));
    let blocks = blocks.filter(|(_, name)| named.contains(name.trim_start_matches('%')));
    let in_source =
        |(block, name)| Some(BlockInSource { block: name, file: file.clone(), lines: finder.of_blocks([block])? });
    blocks.filter_map(in_source).collect()
}

/// The table of what these threads of a launch execute, from a run of it. The module is one of source that has [markers](crate::SourceSettings::markers) and keeps its [statements](crate::SourceSettings::statements);
/// threads are numbered through the launch, and may not be many more than a table has room for.
///
/// # Errors
/// As [`run`](crate::run()), and where the module is another one, the launch has no such threads, or the run does more than is kept of it.
///
/// ```
/// use reconverge::{Input, RunOptions, Settings, TraceAnswer, trace_run};
/// let kernel = "void both(void); void some(void);
/// kernel void k() { if (get_local_id(0) == 1) some(); both(); }";
/// let mut settings = Settings::default();
/// (settings.source.markers, settings.source.statements) = (true, true);
/// let module = reconverge::open(Input::new("k.cl", kernel, None)?, &settings)?;
/// let traced = trace_run(&module, &RunOptions { block: Some([2, 1, 1]), ..RunOptions::default() }, &[0, 1])?;
/// let TraceAnswer::Source(report) = traced.answer else { panic!("of source") };
/// assert_eq!(report.threads[1].instances[0].block, "some");
/// assert_eq!(report.threads[0].instances[0].key, report.threads[1].instances[1].key);
/// # Ok::<(), reconverge::Error>(())
/// ```
pub fn trace_run(module: &Module, options: &RunOptions, threads: &[u64]) -> Result<Traced, Error> {
    let refuse = |message: &str| Error::new(ErrorKind::Unsupported, module.name(), message);
    let source = module.source().filter(|source| source.has_tokens || source.is_run_by_statements());
    let statements = source.and_then(|source| Some((source.model, source.statements.as_ref()?)));
    let Some((model, statements)) = statements else {
        return Err(refuse("a table of a run needs source that the built-in front end reads, under a model of source"));
    };
    let prepared = prepare_with(module, &RunOptions { events: usize::MAX, ..options.clone() }, true)?;
    let refused = |error: reconverge_exec::LaunchError| refuse(&error.to_string());
    let linked = prepared.program().link(&prepared.launch().kernel).map_err(refused)?;
    let control = ExecControl { cancel: module.control.flag(), ..ExecControl::default() };
    let (_, recording) = linked.run_recorded(prepared.launch(), &control).map_err(refused)?;
    let run = source::Recorded { linked: &linked, recording: &recording, launch: prepared.launch() };
    let traced = source::of_run(statements, model, &run, threads);
    traced.map_err(|(kind, message)| Error::new(kind, module.name(), message))
}

/// The texts to ask about an input; none where the graph of its IR is to be asked.
fn texts(options: &TraceOptions, module: &Module) -> Result<Option<Vec<SourceModel>>, Error> {
    match (module.source(), options.model) {
        (Some(_), model) => Ok(source::texts(model)),
        (None, Some(TraceModel::Source(_))) => {
            let message = "this is IR; expected --model controlled, maximal, ipdom or all";
            Err(Error::new(ErrorKind::Unsupported, module.name(), message))
        }
        (None, _) => Ok(None),
    }
}

fn answer(
    options: &TraceOptions,
    lines: &Lines<'_>,
    module: &reconverge_ir::Module<'_>,
    id: FunctionId,
    function: &Function,
) -> Result<Traced, Refusal> {
    let lowered = lower(module, id, function);
    let skeleton = skeleton(&lowered.flow);
    let names = Names::new(lines, module, function, &lowered);
    let threads = paths::parse(&options.paths, &names, &skeleton.graph, options.partial)
        .map_err(|message| (ErrorKind::Path, format!("@{}: {message}", options.function.trim_start_matches('@'))))?;
    let instance_names = InstanceNames::new(&names, &skeleton, &threads);
    let entry = options.entry.unwrap_or(match module.function_name(id) == "@main" && is_cpu(&module.target_triple()) {
        true => Entry::Alone,
        false => Entry::Converged,
    });
    let is_apart = entry == Entry::Alone || entry == Entry::Implementation && options.anchors_solo;
    let subject = Subject { names, skeleton: &skeleton, paths: &threads, instance_names, is_apart };

    let line = lines.position(module.functions[id].header.range().start).line;
    let function = module.function_name(id);
    let default = if skeleton.has_tokens() { TraceModel::Controlled } else { TraceModel::Maximal };
    let model = options.model.unwrap_or(default);
    let hierarchies = Hierarchies::find(&skeleton.graph, options.max_hierarchies);
    let refuse = |message: &str| (ErrorKind::Options, message.to_owned());
    if options.all_hierarchies {
        let report = PairsReport::new(&subject, &hierarchies, |forest| match model {
            TraceModel::Maximal => Ok(semantics::Model::Maximal(forest)),
            TraceModel::Controlled => Ok(semantics::Model::Controlled(forest, policy(options))),
            _ => Err(refuse("--all-hierarchies takes --model maximal or controlled")),
        })?;
        return Ok(Traced { function, line, blocks: Vec::new(), answer: TraceAnswer::Pairs(report) });
    }
    if model == TraceModel::Ipdom && options.hierarchy.is_some() {
        return Err(refuse("--model ipdom does not depend on cycle hierarchies, and so not on --hierarchy"));
    }
    let chosen = hierarchies.choose(options.hierarchy)?;
    let models = match model {
        TraceModel::All => vec![TraceModel::Maximal, TraceModel::Controlled, TraceModel::Ipdom],
        one => vec![one],
    };
    let mut reports: Vec<ModelReport> =
        models.into_iter().map(|model| report(&subject, options, model, &hierarchies, chosen)).collect();
    let answer = match model {
        TraceModel::All => TraceAnswer::All(AllModels { model: "all", models: reports }),
        _ => TraceAnswer::One(reports.remove(0)),
    };
    Ok(Traced { function, line, blocks: Vec::new(), answer })
}

fn report(
    subject: &Subject<'_>,
    options: &TraceOptions,
    model: TraceModel,
    hierarchies: &Hierarchies,
    chosen: hierarchies::Chosen<'_>,
) -> ModelReport {
    let forest: &CycleForest = chosen.forest;
    let hierarchy = HierarchyReport::new(&subject.names, hierarchies, chosen);
    match model {
        TraceModel::Ipdom => {
            let post_dominators = PostDominators::compute(&subject.skeleton.graph);
            let model = semantics::Model::ImmediatePostDominator(&post_dominators);
            ModelReport::new(subject, "ipdom", "reconvergence at immediate post-dominators", model, None)
        }
        TraceModel::Controlled => {
            let title = match options.anchors_solo {
                false => "controlled convergence",
                true => "controlled convergence, anchors solo",
            };
            let model = semantics::Model::Controlled(forest, policy(options));
            ModelReport::new(subject, "controlled", title, model, Some(hierarchy))
        }
        _ => {
            let model = semantics::Model::Maximal(forest);
            ModelReport::new(subject, "maximal", "maximal convergence", model, Some(hierarchy))
        }
    }
}

fn policy(options: &TraceOptions) -> AnchorPolicy {
    if options.anchors_solo { AnchorPolicy::Solo } else { AnchorPolicy::Maximal }
}

/// Whether it is shown: a block, or an operation that has to do with tokens. What holds for other operations holds for their block.
fn is_shown(skeleton: &Skeleton, instance: StaticInstance) -> bool {
    skeleton
        .operation(instance)
        .is_none_or(|operation| skeleton.operations[operation as usize].kind != semantics::OperationKind::Plain)
}
