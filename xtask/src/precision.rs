//! How often what is called divergent differs: the uniformity analysis against executions.
//!
//! **Definition.** The kernels of a tree run in launches that are made up, as those of `validate` are. A value, or what decides a branch, is *seen* if two threads of a subgroup computed it in converged
//! instances in some run, and *differs* if two of them did not get the same. Of what the analysis calls divergent and that was seen, the *excess* never differed. It is an upper bound of what a better
//! analysis could call uniform: other launches may show a difference. What was called divergent and never seen is counted apart.
//!
//! The excess is listed by cause: the first rule on the shortest chain that is more than an operand, and the source at its end.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::Arc;

use anyhow::{Result, ensure};
use clap::Args;
use reconverge::Scope;
use reconverge_analysis::uniformity::explanation::{Point, element};
use reconverge_analysis::uniformity::refinements::Settings;
use reconverge_analysis::uniformity::report::{Analysis, ReportOptions, analyze_functions};
use reconverge_analysis::uniformity::story::tell;
use reconverge_exec::launch::Model;
use reconverge_exec::value::lanes_of;
use reconverge_exec::{Control, Definition, Observer, Program, determinate_lanes, run_observed};
use reconverge_files::Projects;
use reconverge_findings::control::{Relation, Source, Step, Why};
use reconverge_ir::function::Inst;
use reconverge_ir::types::Type;
use reconverge_ir::{Function, FunctionId, Module};
use reconverge_validate::{MadeUp, Options, launch_limits};

use crate::tree::sources;

/// How many instructions a run has at most.
const INSTRUCTIONS: u64 = 200_000;

#[derive(Debug, Args)]
pub(crate) struct Precision {
    /// The tree: a folder
    #[arg(value_name = "FOLDER")]
    folder: PathBuf,
    /// In how many launches each kernel runs
    #[arg(long, default_value_t = 60, value_name = "N")]
    launches: u64,
    /// The seed of the launches
    #[arg(long, default_value_t = 1, value_name = "S")]
    seed: u64,
    /// How many causes are listed
    #[arg(long, default_value_t = 25, value_name = "N")]
    most: usize,
    /// List each value and branch of the excess, with its place
    #[arg(long)]
    list: bool,
}

/// What became of something that is called divergent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
enum Seen {
    /// No two threads of a subgroup computed it together.
    #[default]
    Never,
    /// They always got the same.
    Equal,
    /// They did not.
    Different,
}

/// Something that is called divergent.
#[derive(Debug)]
struct Claim {
    cause: String,
    is_branch: bool,
    line: String,
}

/// By function and instruction; a terminator stands for what it branches on.
type Claims = BTreeMap<(FunctionId, Inst), Claim>;

#[derive(Debug, Default)]
struct Tally {
    kernels: usize,
    /// Kernels of which no launch could be made up or executed.
    not_run: usize,
    runs: u64,
    /// Values, and branches: by what was seen of them.
    counts: [[usize; 3]; 2],
    /// The excess by cause, with an example.
    causes: BTreeMap<String, (usize, String)>,
}

impl Precision {
    pub(crate) fn run(&self) -> Result<()> {
        let projects = Arc::new(Projects::new([&*self.folder]));
        let mut tally = Tally::default();
        for source in sources(&self.folder)? {
            let source = source?;
            let path = source.path.display().to_string();
            let read = source.read(Arc::clone(&projects));
            if let Some(text) = read.ir() {
                self.file(&path, text, &mut tally)?;
            }
        }
        ensure!(tally.kernels > tally.not_run, "{}: no kernel could be executed", self.folder.display());
        tally.print(self.most);
        Ok(())
    }

    fn file(&self, path: &str, text: &[u8], tally: &mut Tally) -> Result<()> {
        let Ok(program) = Program::prepare(text, path, None) else { return Ok(()) };
        let claims = claims(text)?;
        let mut watcher = Watcher::new(&claims);
        for kernel in program.kernels() {
            tally.kernels += 1;
            let model = if kernel.has_tokens { Model::Controlled } else { Model::Maximal { hierarchy: 0 } };
            let options = Options {
                models: Vec::new(),
                runs: self.launches,
                seed: self.seed,
                arguments: Vec::new(),
                grid: None,
                block: None,
                subgroup: None,
                limits: launch_limits(INSTRUCTIONS),
                hierarchy: None,
                minimise: false,
            };
            let linked = program.link(&kernel.name).ok();
            let made_up = linked.as_ref().and_then(|linked| MadeUp::new(&program, linked, &kernel, &options).ok());
            let Some(made_up) = made_up else {
                tally.not_run += 1;
                continue;
            };
            for number in 0..self.launches {
                let launch = made_up.launch(number, (number % u64::from(MadeUp::SCALES)) as u32, model);
                let [x, y, z] = launch.block.map(u64::from);
                watcher.begin(x * y * z, launch.subgroup.into());
                if run_observed(&program, &launch, &Control::default(), &mut watcher).is_ok() {
                    tally.runs += 1;
                }
            }
        }
        let reached = &watcher.seen;
        let functions: BTreeSet<FunctionId> = reached.keys().map(|&(function, _)| function).collect();
        for (at, claim) in claims.iter().filter(|((function, _), _)| functions.contains(function)) {
            let seen = reached.get(at).copied().unwrap_or_default();
            tally.counts[usize::from(claim.is_branch)][seen as usize] += 1;
            if seen == Seen::Equal {
                let (count, _) =
                    tally.causes.entry(claim.cause.clone()).or_insert_with(|| (0, format!("{path}: {}", claim.line)));
                *count += 1;
                if self.list {
                    println!("{path}: {}: {}", claim.cause, claim.line);
                }
            }
        }
        Ok(())
    }
}

/// What is called divergent in a module, with its cause.
fn claims(text: &[u8]) -> Result<Claims> {
    let options = ReportOptions { target: None, scopes: &[Scope::Subgroup] };
    let visit = |subject: &reconverge_analysis::uniformity::report::Subject<'_, '_>, lowerer: &mut _| {
        let analysis = subject.analyze(lowerer, Scope::Subgroup, &Settings::refined());
        claims_of_function(&analysis, subject.module, subject.id, subject.function)
    };
    let (_, found) = analyze_functions(text, &options, |_, _| true, visit)?;
    Ok(found.into_iter().flatten().flatten().collect())
}

fn claims_of_function(
    analysis: &Analysis<'_, '_>,
    module: &Module<'_>,
    id: FunctionId,
    function: &Function,
) -> Vec<((FunctionId, Inst), Claim)> {
    let mut claims = Vec::new();
    for (inst, data) in &function.instructions {
        let point = match data.result.expand() {
            Some(result) if data.ty != Type::TOKEN && analysis.is_divergent(result) => Point::Value(result),
            None if inst == function.terminator(data.block) && analysis.has_divergent_branch(data.block) => {
                Point::Terminator(data.block)
            }
            _ => continue,
        };
        let chain = element(analysis, point).map(|element| tell(analysis, element)).unwrap_or_default();
        let line = module.position(data.span.start as usize).line;
        let text = module.text.get(data.span.start as usize..data.span.end as usize).unwrap_or_default();
        let text = String::from_utf8_lossy(text);
        let text = text.split(", !dbg").next().unwrap_or_default();
        let claim = Claim {
            cause: cause(&chain, module),
            is_branch: matches!(point, Point::Terminator(_)),
            line: format!("IR line {line}, {text}"),
        };
        claims.push(((id, inst), claim));
    }
    claims
}

/// The first rule of a chain that is more than an operand, and its source.
fn cause(chain: &[Step], module: &Module<'_>) -> String {
    let rule = chain.iter().find_map(|step| match &step.why {
        Why::Operand(Relation::Load, _) => Some("a load from "),
        Why::Join { .. } => Some("a join by "),
        Why::Temporal { .. } => Some("a loop left in different iterations by "),
        Why::AssumedDivergent { .. } => Some("an irreducible cycle by "),
        Why::Operand(..) | Why::Source(_) => None,
    });
    let source = match chain.last().map(|step| &step.why) {
        Some(Why::Source(Source::Operation { symbol, .. })) => {
            String::from_utf8_lossy(&module.symbol_name(*symbol)).into_owned()
        }
        Some(Why::Source(Source::Returned(_))) => "what a function returns".to_owned(),
        Some(Why::Source(source)) => format!("{source:?}"),
        _ => "something else".to_owned(),
    };
    format!("{}{source}", rule.unwrap_or(""))
}

/// Compares what the threads of a subgroup compute together.
struct Watcher<'c> {
    claims: &'c Claims,
    seen: BTreeMap<(FunctionId, Inst), Seen>,
    threads_per_group: u64,
    subgroup: u64,
}

impl<'c> Watcher<'c> {
    fn new(claims: &'c Claims) -> Watcher<'c> {
        Watcher { claims, seen: BTreeMap::new(), threads_per_group: 1, subgroup: 1 }
    }

    /// A run of such workgroups begins.
    fn begin(&mut self, threads_per_group: u64, subgroup: u64) {
        (self.threads_per_group, self.subgroup) = (threads_per_group, subgroup.max(1));
    }

    fn look(&mut self, definition: &Definition<'_>) {
        let at = (definition.function, definition.inst);
        if !self.claims.contains_key(&at) {
            return;
        }
        let seen = self.seen.entry(at).or_default();
        if *seen == Seen::Different {
            return;
        }
        // The lanes of a definition are converged.
        let mut first: Option<(u64, Vec<u64>)> = None;
        for lane in lanes_of(determinate_lanes(definition.slots, definition.lanes)) {
            let thread = (definition.first_thread + lane as u64) % self.threads_per_group;
            let value: Vec<u64> = definition.slots.iter().map(|slot| slot.bits[lane]).collect();
            match &first {
                Some((subgroup, known)) if *subgroup == thread / self.subgroup => {
                    *seen = if *known == value { (*seen).max(Seen::Equal) } else { Seen::Different };
                }
                _ => first = Some((thread / self.subgroup, value)),
            }
        }
    }
}

impl Observer for Watcher<'_> {
    fn defined(&mut self, value: Definition<'_>) {
        self.look(&value);
    }

    fn branched(&mut self, condition: Definition<'_>) {
        self.look(&condition);
    }
}

impl Tally {
    fn print(&self, most: usize) {
        let share = |part: usize, whole: usize| 100.0 * part as f64 / whole.max(1) as f64;
        println!("{} kernels, {} of them could not be executed; {} runs", self.kernels, self.not_run, self.runs);
        for (name, [never, equal, different]) in ["values", "branches"].iter().zip(self.counts) {
            println!(
                "{name}: {} called divergent in a subgroup and seen, {equal} of them never differed ({:.1} %); {never} never seen",
                equal + different,
                share(equal, equal + different)
            );
        }
        let all: usize = self.causes.values().map(|(count, _)| count).sum();
        println!("\nWhat never differed, by cause");
        let mut causes: Vec<_> = self.causes.iter().collect();
        causes.sort_by_key(|(_, (count, _))| std::cmp::Reverse(*count));
        for (cause, (count, example)) in causes.into_iter().take(most) {
            println!("{count:6} {:5.1} %  {cause}\n                 such as: {example}", share(*count, all));
        }
    }
}
