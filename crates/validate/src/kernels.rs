//! Comparing a kernel, or all of them.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use rayon::prelude::*;
use reconverge_exec::launch::{AnchorPolicy, Launch, Model as Relation};
use reconverge_exec::{KernelInfo, Linked, Program};
use reconverge_findings::change::{Change, Difference};
use reconverge_findings::{Anchor, Code, Finding, Kind};
use reconverge_ir::Span;

use crate::equivalence;
use crate::launches::{Inputs, SCALES};
use crate::minimise::minimise_difference;
use crate::report::{Comparison, Correspondence, Model, Options, Reordered, Verdict, Witness};
use crate::rules;
use crate::runs::{Answer, Found, Pair, Skip};
use crate::sides;
use crate::uniform::correspondence;

/// The most launches that are compared before it is looked whether one of them showed a difference. The first ones are fewer.
const BATCH: usize = 64;

/// Compares one kernel; any function with a body can be one. `progress` is told after each launch how many are done.
pub fn compare(
    before: &Program<'_>,
    after: &Program<'_>,
    kernel: &str,
    options: &Options,
    progress: &(dyn Fn(u64) + Sync),
) -> Comparison {
    match equivalence::proof(before, after, kernel) {
        Some(by) => proved(kernel, by),
        None => compare_by_running(before, after, kernel, options, progress),
    }
}

/// [`compare`] on launches that were chosen before.
pub fn compare_on(
    launches: &Launches,
    before: &Program<'_>,
    after: &Program<'_>,
    kernel: &str,
    options: &Options,
) -> Comparison {
    if let Some(by) = equivalence::proof(before, after, kernel) {
        return proved(kernel, by);
    }
    match Comparing::new(before, after, kernel) {
        Ok(comparing) => comparing.compare_on(launches, options, &|_| ()),
        Err(reason) => not_compared(kernel, reason, Vec::new(), [before, after]),
    }
}

/// [`compare`], but for the look at whether the programs are the same: launches run even then.
pub fn compare_by_running(
    before: &Program<'_>,
    after: &Program<'_>,
    kernel: &str,
    options: &Options,
    progress: &(dyn Fn(u64) + Sync),
) -> Comparison {
    match Comparing::new(before, after, kernel) {
        Ok(comparing) => comparing.compare(options, progress),
        Err(reason) => not_compared(kernel, reason, Vec::new(), [before, after]),
    }
}

/// Compares the kernels of both programs, paired by name. Of one that only one of them has, and one whose parameters
/// changed, it is said that it cannot be compared.
pub fn compare_all(
    before: &Program<'_>,
    after: &Program<'_>,
    options: &Options,
    progress: &(dyn Fn(u64) + Sync),
) -> Vec<Comparison> {
    let (ours, theirs) = (before.kernels(), after.kernels());
    let mut comparisons: Vec<Comparison> =
        ours.iter().map(|kernel| compare(before, after, &kernel.name, options, progress)).collect();
    let is_new = |kernel: &&KernelInfo| ours.iter().all(|other| other.name != kernel.name);
    for kernel in theirs.iter().filter(is_new) {
        comparisons.push(compare(before, after, &kernel.name, options, progress));
    }
    comparisons
}

fn proved(kernel: &str, by: String) -> Comparison {
    let (kernel, verdict) = (kernel.to_owned(), Verdict::Proved { by });
    let (skipped, findings) = (Vec::new(), Vec::new());
    Comparison { kernel, verdict, runs: 0, unended: 0, skipped, reordered: None, correspondence: None, findings }
}

fn not_compared(
    kernel: &str,
    reason: String,
    skipped: Vec<(String, u64)>,
    [before, after]: [&Program<'_>; 2],
) -> Comparison {
    let is_only_before = after.function(kernel).is_none() && before.function(kernel).is_some();
    let at = whole(kernel, if is_only_before { before } else { after });
    let change = Change::NotCompared { kernel: kernel.to_owned(), is_only_before, reason: reason.clone() };
    let finding = Finding::new(Code::RC0606, at, Kind::Change(change));
    Comparison {
        kernel: kernel.to_owned(),
        verdict: Verdict::NotCompared(reason),
        runs: 0,
        unended: 0,
        skipped,
        reordered: None,
        correspondence: None,
        findings: vec![finding],
    }
}

/// The header of a kernel, if the program has it.
fn whole(kernel: &str, program: &Program<'_>) -> Anchor {
    let module = program.module();
    let id = module.symbol_named(kernel.as_bytes()).and_then(|symbol| module.function_of(symbol));
    id.map_or_else(|| Anchor::outside(Span::default()), |id| Anchor::part(id, module.functions[id].header))
}

/// A kernel in both programs.
struct Comparing<'c, 't> {
    programs: [&'c Program<'t>; 2],
    info: KernelInfo,
    linked: [Linked<'c>; 2],
}

impl<'c, 't> Comparing<'c, 't> {
    fn new(before: &'c Program<'t>, after: &'c Program<'t>, kernel: &str) -> Result<Comparing<'c, 't>, String> {
        let info = |program: &Program<'_>, side: &str| {
            program
                .function(kernel)
                .ok_or_else(|| format!("the program {side} the change has no such function with a body"))
        };
        let (mine, theirs) = (info(before, "before")?, info(after, "after")?);
        let types = |info: &KernelInfo| {
            let parameters = info.parameters.iter().filter(|one| !one.is_resource);
            parameters.map(|one| one.ty.clone()).collect::<Vec<_>>()
        };
        if types(&mine) != types(&theirs) {
            let list = |info: &KernelInfo| types(info).join(", ");
            return Err(format!("its parameters changed, from ({}) to ({})", list(&mine), list(&theirs)));
        }
        let link = |program: &'c Program<'t>| program.link(kernel).map_err(|error| error.to_string());
        Ok(Comparing { programs: [before, after], info: mine, linked: [link(before)?, link(after)?] })
    }

    fn compare(&self, options: &Options, progress: &(dyn Fn(u64) + Sync)) -> Comparison {
        match Launches::all(self.programs, [&self.linked[0], &self.linked[1]], &self.info, options) {
            Ok(launches) => self.compare_on(&launches, options, progress),
            Err(reason) => not_compared(&self.info.name, reason, Vec::new(), self.programs),
        }
    }

    fn compare_on(&self, launches: &Launches, options: &Options, progress: &(dyn Fn(u64) + Sync)) -> Comparison {
        let [before, after] = &self.linked;
        let [program, changed] = self.programs;
        let kernel = &self.info.name;
        let inputs = &launches.inputs;
        if let Some(number) = options.hierarchy.map(|number| number + 1).filter(|&number| number > 1) {
            let count = self.linked.each_ref().map(|linked| linked.hierarchies(number)).into_iter().max().unwrap_or(0);
            if count < number {
                let reason = format!("there is no cycle hierarchy {number}; the program has {count}");
                return not_compared(kernel, reason, Vec::new(), self.programs);
            }
        }
        let pair = Pair::new(&inputs.needs(), before, after, options.hierarchy);
        let done = AtomicU64::new(0);
        let mut total = Tally { skipped: launches.skipped.clone(), ..Tally::default() };
        for (model, numbers) in &launches.chosen {
            let model = *model;
            let tally = run_all(&pair, inputs, model, numbers, &|| progress(done.fetch_add(1, Relaxed) + 1));
            total.add(tally);
            if let Some(found) = total.found.take() {
                let found = if options.minimise { minimise_difference(&pair, inputs, found) } else { found };
                let modules = self.programs.map(Program::module);
                let witness = sides::witness(&pair, modules, model, *found);
                let mut findings = vec![self.explain(&witness)];
                let (correspondence, no_longer_uniform) = self.uniformity();
                findings.extend(no_longer_uniform);
                let verdict = Verdict::Different(Box::new(witness));
                return Comparison {
                    kernel: kernel.clone(),
                    verdict,
                    runs: total.runs,
                    unended: total.unended,
                    skipped: total.skipped(),
                    reordered: None,
                    correspondence,
                    findings,
                };
            }
        }
        if total.runs + total.unended == 0 {
            let skipped = total.skipped();
            let findings = rules::broken(program, changed, &self.linked[1].functions());
            if !findings.is_empty() {
                let reason = "the program after the change breaks static rules, so its tokens mean nothing".to_owned();
                let (kernel, verdict) = (kernel.clone(), Verdict::NotCompared(reason));
                let (reordered, correspondence) = (None, None);
                return Comparison {
                    kernel,
                    verdict,
                    runs: 0,
                    unended: 0,
                    skipped,
                    reordered,
                    correspondence,
                    findings,
                };
            }
            let reason = match skipped.first() {
                Some((reason, count)) => {
                    format!("all launches were inconclusive, {count} of them because of this: {reason}")
                }
                None => "no launch was asked for".to_owned(),
            };
            return not_compared(kernel, reason, skipped, self.programs);
        }
        let (runs, unended, skipped) = (total.runs, total.unended, total.skipped());
        let (kernel, reordered) = (kernel.clone(), total.reordered);
        let (correspondence, findings) = self.uniformity();
        let verdict = Verdict::Equal;
        Comparison { kernel, verdict, runs, unended, skipped, reordered, correspondence, findings }
    }

    /// What corresponds, and what of it was uniform.
    fn uniformity(&self) -> (Option<Correspondence>, Vec<Finding>) {
        correspondence(self.programs[0], self.programs[1], &self.linked[1].functions())
    }

    /// A witness as a finding.
    fn explain(&self, witness: &Witness) -> Finding {
        let step = witness.after.steps.get(witness.after.first_different);
        let whole = || whole(&self.info.name, self.programs[1]);
        let of_step = || step.map_or_else(whole, |step| step.at);
        let (code, at) = match &witness.difference {
            Difference::Threads { .. } => (Code::RC0601, of_step()),
            Difference::Value { .. } => (Code::RC0602, of_step()),
            Difference::Memory { .. } => (Code::RC0603, whole()),
            Difference::Trouble(trouble) => (Code::RC0604, trouble.at),
            Difference::Order { .. } => (Code::RC0607, of_step()),
        };
        Finding::new(code, at, Kind::Change(Change::Difference(witness.difference.clone())))
    }
}

/// The number of a launch, and the scales that come into question.
type Numbered = (u64, Range<u32>);

/// Launches of a kernel, made up for one program.
#[derive(Debug)]
pub struct Launches {
    inputs: Inputs,
    /// Under each model, the numbers of launches, with the sizes of buffers that come into question.
    chosen: Vec<(Model, Vec<Numbered>)>,
    /// Why others were not chosen.
    skipped: BTreeMap<String, u64>,
}

impl Launches {
    /// All that are asked for.
    fn all(
        programs: [&Program<'_>; 2],
        linked: [&Linked<'_>; 2],
        info: &KernelInfo,
        options: &Options,
    ) -> Result<Launches, String> {
        let inputs = Inputs::new(programs, linked, info, options)?;
        let numbers: Vec<_> = (0..options.runs).map(|number| (number, 0..SCALES)).collect();
        let chosen = options.models.iter().map(|&model| (model, numbers.clone())).collect();
        Ok(Launches { inputs, chosen, skipped: BTreeMap::new() })
    }

    /// Those that say something of a program: it ends there, and all that it does is defined. So it is for whatever correct passes make
    /// of it, one after the other; of what they do elsewhere, nothing can be said.
    ///
    /// Runs them one after the other: a caller may hold others back meanwhile.
    ///
    /// # Errors
    /// Why the kernel cannot run.
    pub fn choose(program: &Program<'_>, kernel: &str, options: &Options) -> Result<Launches, String> {
        let info = program.function(kernel).ok_or("there is no such function with a body")?;
        let linked = program.link(kernel).map_err(|error| error.to_string())?;
        let mut launches = Launches::all([program; 2], [&linked; 2], &info, options)?;
        let pair = Pair::new(&launches.inputs.needs(), &linked, &linked, options.hierarchy);
        let scale_of = |model: Model, number: u64, scales: &Range<u32>| {
            let mut last = None;
            for scale in scales.clone() {
                let launch = launches.inputs.launch(number, scale, relation(model), AnchorPolicy::Maximal);
                match pair.skips(&launch) {
                    None => return Ok(scale),
                    Some(skip) => {
                        let may_help = skip.out_of_bounds;
                        last = Some(skip);
                        if !may_help {
                            break;
                        }
                    }
                }
            }
            Err(last.map_or_else(String::new, |skip| skip.reason))
        };
        let mut skipped: BTreeMap<String, u64> = BTreeMap::new();
        let mut chosen = Vec::new();
        for (model, numbers) in &launches.chosen {
            let mut kept = Vec::new();
            for (number, scales) in numbers {
                match scale_of(*model, *number, scales) {
                    Ok(scale) => kept.push((*number, scale..scale + 1)),
                    Err(reason) => *skipped.entry(reason).or_default() += 1,
                }
            }
            chosen.push((*model, kept));
        }
        (launches.chosen, launches.skipped) = (chosen, skipped);
        Ok(launches)
    }
}

/// What came of launches.
#[derive(Default)]
struct Tally {
    runs: u64,
    unended: u64,
    skipped: BTreeMap<String, u64>,
    reordered: Option<Reordered>,
    found: Option<Box<Found>>,
}

impl Tally {
    fn add(&mut self, other: Tally) {
        self.runs += other.runs;
        self.unended += other.unended;
        for (reason, count) in other.skipped {
            *self.skipped.entry(reason).or_default() += count;
        }
        self.reordered = self.reordered.take().or(other.reordered);
        self.found = self.found.take().or(other.found);
    }

    /// The most frequent reason first.
    fn skipped(&self) -> Vec<(String, u64)> {
        let mut all: Vec<(String, u64)> = self.skipped.clone().into_iter().collect();
        all.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
        all
    }
}

/// Compares on launches until one shows a difference: that with the lowest number, so that the answer does not depend on how
/// many cores there are.
fn run_all(pair: &Pair<'_>, inputs: &Inputs, model: Model, numbers: &[Numbered], done: &(dyn Fn() + Sync)) -> Tally {
    let mut tally = Tally::default();
    let mut start = 0;
    while start < numbers.len() && tally.found.is_none() {
        let end = (start + start.clamp(4, BATCH)).min(numbers.len());
        let answers: Vec<Answer> = numbers[start..end]
            .par_iter()
            .map(|(number, scales)| {
                let answer = launch(pair, inputs, model, *number, scales.clone());
                done();
                answer
            })
            .collect();
        for answer in answers {
            match answer {
                Answer::Same(reordered) => {
                    tally.runs += 1;
                    tally.reordered = tally.reordered.take().or(reordered);
                }
                Answer::SameSoFar => tally.unended += 1,
                Answer::Skipped(Skip { reason, .. }) => *tally.skipped.entry(reason).or_default() += 1,
                Answer::Different(found) => {
                    tally.runs += 1;
                    tally.found = Some(found);
                    break;
                }
            }
        }
        start = end;
    }
    tally
}

/// Compares on the launch with a number, with buffers as large as it needs them.
fn launch(pair: &Pair<'_>, inputs: &Inputs, model: Model, number: u64, scales: Range<u32>) -> Answer {
    let mut answer = Answer::Same(None);
    for scale in scales {
        answer = with_anchors(pair, model, number, |relation, anchors| inputs.launch(number, scale, relation, anchors));
        if !matches!(&answer, Answer::Skipped(Skip { out_of_bounds: true, .. })) {
            break;
        }
    }
    answer
}

fn relation(model: Model) -> Relation {
    match model {
        Model::Controlled => Relation::Controlled,
        Model::Maximal => Relation::Maximal { hierarchy: 0 },
        Model::ImmediatePostDominator => Relation::ImmediatePostDominator,
        Model::Statements(text) => Relation::Statements(text),
    }
}

/// Compares under a model: with anchors, for threads on their own first, then for anchors that divide them, then for those that do not.
fn with_anchors(pair: &Pair<'_>, model: Model, seed: u64, launch: impl Fn(Relation, AnchorPolicy) -> Launch) -> Answer {
    let relation = relation(model);
    let mut policies = vec![AnchorPolicy::Maximal];
    if model == Model::Controlled && (pair.before.has_anchors() || pair.after.has_anchors()) {
        policies.insert(0, AnchorPolicy::Solo);
        if pair.after.has_anchors() {
            policies.insert(1, AnchorPolicy::Split(seed));
        }
    }
    let mut last = Answer::Same(None);
    for anchors in policies {
        last = pair.compare(&launch(relation, anchors));
        if matches!(last, Answer::Different(_)) {
            break;
        }
    }
    last
}
