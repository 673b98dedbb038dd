//! One launch of both programs, and what comes of comparing them.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use reconverge_exec::launch::{AnchorPolicy, Argument, Launch, Limits, Model, Outcome, Schedule};
use reconverge_exec::{Control, Linked, Need, NeedKind, Recording};
use reconverge_findings::Code;
use reconverge_findings::change::Difference;
use reconverge_findings::run::{Limit, Trouble, What as Cause};
use reconverge_findings::{Finding, Kind, Severity};

use crate::anchors::{self, Division};
use crate::events::{Changed, Events, Operation, Operations};
use crate::matching::{Matching, Mismatch, What};
use crate::memory;
use crate::report::{InHierarchy, Reordered};

/// The most cycle hierarchies that are looked at.
const HIERARCHIES: usize = 8;
/// The program after may take so many times the instructions of the one before, and these more.
const PATIENCE: (u64, u64) = (8, 100_000);
/// Other orders in which threads may run.
const SCHEDULES: [Schedule; 4] = [Schedule::Fair, Schedule::Random(1), Schedule::Random(2), Schedule::Random(3)];
/// Differences of programs that do not end are looked for up to so many instructions first.
const NEAR: u64 = 100_000;
/// How many communications are kept behind a difference of programs that do not end.
const TOLD: usize = 64;
const ON_SCHEDULE: &str = "what it does depends on the order in which threads run";
const ON_FREEZE: &str = "it freezes a value that is not determined, and each value would be right";

/// A kernel of both programs.
pub(crate) struct Pair<'p> {
    pub(crate) before: &'p Linked<'p>,
    pub(crate) after: &'p Linked<'p>,
    pub(crate) operations: Operations,
    /// What each argument is called in either program.
    names: [Vec<String>; 2],
    hierarchies: [usize; 2],
    /// The only cycle hierarchy to look at.
    hierarchy: Option<usize>,
    /// Whether operations that are under anchors now were in functions that are not convergent: then launches in which each thread is
    /// alone at anchors divide threads that nothing divided before.
    opens: bool,
    /// The steps of all runs so far.
    steps: Arc<AtomicU64>,
}

/// A choice that an implementation has in a launch.
#[derive(Clone)]
struct Chosen {
    launch: Launch,
    /// The number of the hierarchies of functions without tokens, where others have tokens.
    hierarchy: usize,
}

/// A run of one of them.
pub(crate) struct Run {
    pub(crate) outcome: Outcome,
    pub(crate) recording: Recording,
    /// Whether the limit of instructions ended it.
    pub(crate) cut: bool,
}

/// What a launch says.
pub(crate) enum Answer {
    /// Nothing differs, but for the order of what has none.
    Same(Option<Reordered>),
    /// The program before does not end, and nothing differs up to there.
    SameSoFar,
    /// It says nothing, because the program before has no defined behaviour there, or does not end and nothing can be compared up to there.
    Skipped(Skip),
    Different(Box<Found>),
}

/// Why a launch says nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Skip {
    pub(crate) reason: String,
    /// Whether larger buffers might help.
    pub(crate) out_of_bounds: bool,
}

impl Skip {
    fn new(reason: impl Into<String>) -> Skip {
        Skip { reason: reason.into(), out_of_bounds: false }
    }
}

/// A difference, with the runs that have it.
pub(crate) struct Found {
    pub(crate) launch: Launch,
    pub(crate) before: Run,
    pub(crate) after: Run,
    pub(crate) difference: Difference,
    pub(crate) mismatch: Option<Mismatch>,
    pub(crate) hierarchy: Option<InHierarchy>,
}

/// What a comparison ends with that says something.
enum Ended {
    Same(Option<Reordered>),
    Found(Box<Found>),
}

/// How two runs differ.
enum Verdict {
    Same(Option<Reordered>),
    /// Anchors divide threads otherwise, as they may.
    Incomparable,
    Different(Box<(Difference, Option<Mismatch>)>),
}

impl Verdict {
    fn different(difference: Difference, mismatch: Option<Mismatch>) -> Verdict {
        Verdict::Different(Box::new((difference, mismatch)))
    }
}

impl<'p> Pair<'p> {
    /// Two programs, for launches that give these needs, in this order.
    pub(crate) fn new(
        needs: &[&Need],
        before: &'p Linked<'p>,
        after: &'p Linked<'p>,
        hierarchy: Option<usize>,
    ) -> Pair<'p> {
        let operations = Operations::new(before, after);
        let names = [before, after].map(|linked| names(needs, linked));
        let hierarchies = [before, after].map(|linked| linked.hierarchies(HIERARCHIES + 1));
        let opens = before.has_open_functions() && after.has_anchors();
        Pair { before, after, operations, names, hierarchies, hierarchy, opens, steps: Arc::default() }
    }

    /// The same, of which no run was made yet.
    pub(crate) fn anew(&self) -> Pair<'p> {
        let (operations, names) = (self.operations.clone(), self.names.clone());
        Pair { operations, names, steps: Arc::default(), ..*self }
    }

    /// The [steps](reconverge_exec::launch::Outcome::steps) of all runs so far.
    pub(crate) fn steps(&self) -> u64 {
        self.steps.load(Ordering::Relaxed)
    }

    /// Compares the programs on a launch.
    pub(crate) fn compare(&self, launch: &Launch) -> Answer {
        // What is told of a difference names the hierarchy.
        let is_open = self.is_open(0, launch.model) && self.is_open(1, launch.model);
        let model = if is_open { self.model(1, launch) } else { launch.model };
        let launch = &Launch { model, ..launch.clone() };
        // Before the change, anchors are left as they are: whether they could have divided threads in the same way is asked.
        let first = match launch.anchors {
            AnchorPolicy::Split(_) => Launch { anchors: AnchorPolicy::Maximal, ..launch.clone() },
            _ => launch.clone(),
        };
        let before = match self.run_before(&first) {
            Ok(run) if run.cut => return self.compare_so_far(launch, run).unwrap_or_else(Answer::Skipped),
            Ok(run) => run,
            Err(skip) => return Answer::Skipped(skip),
        };
        // Who is together in functions without tokens is open then, and no hierarchy but the first was looked at.
        let mut is_open = self.leaves_open(0, launch);
        let found = match launch.model {
            Model::Controlled if self.divides(launch.anchors) => self.divided(launch, before),
            _ if self.has_choices(launch) => {
                // The first step of inferring tokens makes cycles reducible and gives tokens to their functions: that no hierarchy is left after it does not say that there was one before.
                is_open &= !self.leaves_open(1, launch);
                self.any_choice(launch, before)
            }
            _ => self.compare_with(launch, before),
        };
        match found {
            Err(skip) => Answer::Skipped(skip),
            Ok(Ended::Same(reordered)) => Answer::Same(reordered),
            Ok(Ended::Found(_)) if is_open => Answer::Skipped(Skip::new(
                "which threads are converged in a function with several cycle hierarchies is up to the implementation",
            )),
            Ok(Ended::Found(found)) if found.before.outcome.chose => Answer::Skipped(Skip::new(ON_FREEZE)),
            Ok(Ended::Found(found)) => match self.depends_on_schedule(&found) {
                true => Answer::Skipped(Skip::new(ON_SCHEDULE)),
                false => Answer::Different(found),
            },
        }
    }

    /// Whether anchors of the program after divide threads that those of the one before do not.
    fn divides(&self, anchors: AnchorPolicy) -> bool {
        matches!(anchors, AnchorPolicy::Split(_)) || self.opens && anchors == AnchorPolicy::Solo
    }

    /// The program before, to its end or to the limit.
    fn run_before(&self, launch: &Launch) -> Result<Run, Skip> {
        self.run_before_in(launch, 0)
    }

    fn run_before_in(&self, launch: &Launch, hierarchy: usize) -> Result<Run, Skip> {
        let launch = Launch { arguments: self.arguments(0, launch), model: self.model(0, launch), ..launch.clone() };
        let run = self.before.run_recorded_in(&launch, hierarchy, &Control::default());
        let (outcome, recording) = run.map_err(|error| Skip::new(error.to_string()))?;
        self.steps.fetch_add(outcome.steps, Ordering::Relaxed);
        let cut = !outcome.completed;
        if let Some(finding) = trouble(&outcome) {
            let out_of_bounds = finding.code.name() == "RC0505";
            return Err(Skip { reason: format!("{} ({})", finding.code.title(), finding.code.name()), out_of_bounds });
        }
        Ok(Run { outcome, recording, cut })
    }

    /// The program after, with names of its own and time for what a compiler adds.
    fn run_after(&self, launch: &Launch, instructions: u64) -> Result<Run, Skip> {
        self.run_after_in(launch, 0, patience(instructions))
    }

    fn run_after_in(&self, launch: &Launch, hierarchy: usize, instructions: u64) -> Result<Run, Skip> {
        let arguments = self.arguments(1, launch);
        let limits = Limits { instructions, ..launch.limits };
        let launch = Launch { arguments, limits, model: self.model(1, launch), ..launch.clone() };
        let run = self.after.run_recorded_in(&launch, hierarchy, &Control::default());
        let (outcome, recording) = run.map_err(|error| Skip::new(format!("after the change: {error}")))?;
        self.steps.fetch_add(outcome.steps, Ordering::Relaxed);
        let cut = !outcome.completed;
        Ok(Run { outcome, recording, cut })
    }

    /// Compares what the programs did up to the limit, where the one before does not end: first up to a near one, where most differences are seen.
    fn compare_so_far(&self, launch: &Launch, before: Run) -> Result<Answer, Skip> {
        let near = Launch { limits: Limits { instructions: NEAR, ..launch.limits }, ..launch.clone() };
        if launch.limits.instructions > NEAR
            && let found @ Ok(Answer::Different(_)) = self.compare_cut(&near, self.run_before(&near)?)
        {
            return found;
        }
        self.compare_cut(launch, before)
    }

    /// Compares two runs that a limit cuts. What is found has to be there still when the program before had time for much more.
    fn compare_cut(&self, launch: &Launch, before: Run) -> Result<Answer, Skip> {
        let is_divided = launch.model == Model::Controlled && (self.before.has_anchors() || self.after.has_anchors());
        let is_silent = before.recording.communications.is_empty();
        if is_silent || is_divided || self.has_choices(launch) || self.before.leaves_hierarchies_open(launch.model) {
            return Err(does_not_end(launch));
        }
        let mut after = self.run_after_in(launch, 0, launch.limits.instructions)?;
        if self.difference_so_far(launch, &before, &after).is_none() {
            return Ok(Answer::SameSoFar);
        }
        if before.outcome.chose {
            return Err(Skip::new(ON_FREEZE));
        }
        let instructions = patience(launch.limits.instructions);
        let longer = Launch { limits: Limits { instructions, ..launch.limits }, ..launch.clone() };
        let mut before = self.run_before(&longer)?;
        let Some((difference, mismatch)) = self.difference_so_far(launch, &before, &after) else {
            return Ok(Answer::SameSoFar);
        };
        let own = self.own();
        let is_same = |schedule| {
            let run = own.run_before(&Launch { schedule, ..longer.clone() });
            run.is_ok_and(|run| own.difference_so_far(&longer, &before, &run).is_none())
        };
        if !SCHEDULES.into_iter().all(is_same) {
            return Err(Skip::new(ON_SCHEDULE));
        }
        // What comes long after it says nothing about it.
        let shorten = |run: &mut Run, at: Option<u32>| {
            run.recording.communications.truncate(at.map_or(0, |at| at as usize + 1) + TOLD);
        };
        shorten(&mut before, mismatch.as_ref().and_then(|mismatch| mismatch.before));
        shorten(&mut after, mismatch.as_ref().and_then(|mismatch| mismatch.after));
        let launch = launch.clone();
        Ok(Answer::Different(Box::new(Found { launch, before, after, difference, mismatch, hierarchy: None })))
    }

    /// What differs in what both programs came to.
    fn difference_so_far(&self, launch: &Launch, before: &Run, after: &Run) -> Option<(Difference, Option<Mismatch>)> {
        if let Some(finding) = self.trouble_after(&after.outcome).filter(|finding| !is_limit(finding)) {
            return Some((Difference::Trouble(Box::new(finding.clone())), None));
        }
        let threads = launch.threads();
        let one = Events::new(0, &self.operations, self.before, &before.recording, threads);
        let other = Events::new(1, &self.operations, self.after, &after.recording, threads);
        let matching = Matching { operations: &self.operations, before: &one, after: &other };
        let mismatch = matching.difference_so_far()?;
        Some((self.difference(&one, &other, &mismatch), Some(mismatch)))
    }

    /// The program before, as a change of itself.
    fn own(&self) -> Pair<'p> {
        let names = [&self.names[0], &self.names[0]].map(Clone::clone);
        let (operations, hierarchies) = (Operations::new(self.before, self.before), [self.hierarchies[0]; 2]);
        let opens = self.before.has_open_functions() && self.before.has_anchors();
        let (before, hierarchy) = (self.before, self.hierarchy);
        let steps = Arc::clone(&self.steps);
        Pair { before, after: before, operations, names, hierarchies, hierarchy, opens, steps }
    }

    /// The model of a launch, for one of the programs: in the only hierarchy to look at, or the last one that it has.
    fn model(&self, program: usize, launch: &Launch) -> Model {
        match self.hierarchy {
            Some(number) if self.is_open(program, launch.model) => {
                Model::Maximal { hierarchy: number.min(self.hierarchies[program].saturating_sub(1)) }
            }
            _ => launch.model,
        }
    }

    /// The arguments of a launch, as one of the programs calls them.
    fn arguments(&self, program: usize, launch: &Launch) -> Vec<(String, Argument)> {
        let given = launch.arguments.iter().zip(&self.names[program]);
        given.map(|((_, argument), name)| (name.clone(), argument.clone())).collect()
    }

    /// Why a launch says nothing of the program before.
    pub(crate) fn skips(&self, launch: &Launch) -> Option<Skip> {
        match self.run_before(launch) {
            Ok(run) => run.cut.then(|| does_not_end(launch)),
            Err(skip) => Some(skip),
        }
    }

    fn compare_with(&self, launch: &Launch, before: Run) -> Result<Ended, Skip> {
        let after = self.run_after(launch, before.outcome.instructions)?;
        Ok(match self.verdict(launch, &before, &after) {
            Verdict::Same(reordered) => Ended::Same(reordered),
            Verdict::Incomparable => Ended::Same(None),
            Verdict::Different(what) => {
                let (difference, mismatch) = *what;
                let launch = launch.clone();
                Ended::Found(Box::new(Found { launch, before, after, difference, mismatch, hierarchy: None }))
            }
        })
    }

    /// Lets the anchors of the program after divide threads, and looks whether those of the one before could have done so. Only where
    /// threads go the same ways as without: those that depend on who is together are ways of their own.
    fn divided(&self, launch: &Launch, before: Run) -> Result<Ended, Skip> {
        let whole = Launch { anchors: AnchorPolicy::Maximal, ..launch.clone() };
        let undivided = self.run_after(&whole, before.outcome.instructions)?;
        let after = self.run_after(launch, before.outcome.instructions)?;
        let threads = launch.threads();
        let events = |program: usize, linked: &'p Linked<'p>, run: &Run| -> Vec<usize> {
            let events = Events::new(program, &self.operations, linked, &run.recording, threads);
            let operations = 0..self.operations.facts.len() as u32;
            operations
                .flat_map(|operation| (0..threads).map(move |thread| (operation, thread)))
                .map(|(operation, thread)| events.of(operation, thread).len())
                .collect()
        };
        if events(1, self.after, &undivided) != events(1, self.after, &after) {
            return Ok(Ended::Same(None));
        }
        let one = Events::new(0, &self.operations, self.before, &before.recording, threads);
        let other = Events::new(1, &self.operations, self.after, &after.recording, threads);
        let matching = Matching { operations: &self.operations, before: &one, after: &other };
        let Division::Forbidden(mismatch) = anchors::division(&matching) else { return Ok(Ended::Same(None)) };
        let difference = self.difference(&one, &other, &mismatch);
        let (launch, mismatch) = (launch.clone(), Some(mismatch));
        let found = Found { launch, before, after, difference, mismatch, hierarchy: None };
        Ok(Ended::Found(Box::new(found)))
    }

    /// Where there are several choices: what the program after does under each of its own, the one before does under some.
    fn any_choice(&self, launch: &Launch, first: Run) -> Result<Ended, Skip> {
        let mut runs = vec![first];
        for mine in self.choices(0, launch).iter().skip(1) {
            // Where it is not defined under one of them, it is not defined.
            match self.run_before_in(&mine.launch, mine.hierarchy)? {
                run if run.cut => return Err(does_not_end(&mine.launch)),
                run => runs.push(run),
            }
        }
        let choices = self.choices(1, launch);
        let (mut found, mut equal_in) = (None, Vec::new());
        for (number, theirs) in (1..).zip(&choices) {
            // Where the one before has a choice, it may choose otherwise at each place: to be alone everywhere is one of many answers.
            let is_alone = matches!(launch.model, Model::Statements(_)) && theirs.launch.anchors == AnchorPolicy::Solo;
            if is_alone && !matches!(self.verdict(launch, &runs[0], &runs[1]), Verdict::Same(_)) {
                continue;
            }
            let instructions = patience(runs[0].outcome.instructions);
            let after = match self.run_after_in(&theirs.launch, theirs.hierarchy, instructions) {
                Err(skip) if found.is_none() => return Err(skip),
                Err(_) => continue,
                Ok(after) => after,
            };
            let mut first = None;
            let is_one = runs.iter().any(|before| match self.verdict(launch, before, &after) {
                Verdict::Different(what) => {
                    first.get_or_insert(*what);
                    false
                }
                _ => true,
            });
            match first {
                Some(what) if !is_one => {
                    found.get_or_insert((number, after, what));
                }
                _ => equal_in.push(number),
            }
        }
        let Some((number, after, (difference, mismatch))) = found else { return Ok(Ended::Same(None)) };
        if self.hierarchies[0] > HIERARCHIES {
            return Err(Skip::new("the program before has too many cycle hierarchies to look at all of them"));
        }
        let is_hierarchy = choices.len() > 1 && !matches!(launch.model, Model::Statements(_));
        let hierarchy = is_hierarchy.then_some(InHierarchy {
            number,
            of: choices.len(),
            equal_in,
            is_told: launch.model != Model::Controlled || !self.leaves_open(1, launch),
        });
        let chose = runs.iter().any(|run| run.outcome.chose);
        let (launch, mut before) = (launch.clone(), runs.swap_remove(0));
        before.outcome.chose = chose;
        Ok(Ended::Found(Box::new(Found { launch, before, after, difference, mismatch, hierarchy })))
    }

    /// A launch of one of the programs under each choice that an implementation has: of a cycle hierarchy, where no tokens say more; where statements say who is together, nobody or as many as the cycles allow.
    fn choices(&self, program: usize, launch: &Launch) -> Vec<Chosen> {
        let with = |launch| Chosen { launch, hierarchy: 0 };
        if let Model::Statements(_) = launch.model {
            let policies = [AnchorPolicy::Maximal, AnchorPolicy::Solo];
            return policies.map(|anchors| with(Launch { anchors, ..launch.clone() })).to_vec();
        }
        let count = self.hierarchies[program].min(HIERARCHIES);
        if self.hierarchy.is_some() || count < 2 {
            return vec![with(launch.clone())];
        }
        if self.leaves_open(program, launch) {
            return (0..count).map(|hierarchy| Chosen { launch: launch.clone(), hierarchy }).collect();
        }
        if !self.is_open(program, launch.model) {
            return vec![with(launch.clone())];
        }
        (0..count).map(|hierarchy| with(Launch { model: Model::Maximal { hierarchy }, ..launch.clone() })).collect()
    }

    /// Whether tokens say who is together in some functions of a program, and hierarchies in others.
    fn leaves_open(&self, program: usize, launch: &Launch) -> bool {
        [self.before, self.after][program].leaves_hierarchies_open(launch.model)
    }

    /// Whether an implementation has a choice in one of the programs.
    fn has_choices(&self, launch: &Launch) -> bool {
        self.choices(0, launch).len() + self.choices(1, launch).len() > 2
    }

    /// Whether a model is about cycle hierarchies in one of the programs.
    fn is_open(&self, program: usize, model: Model) -> bool {
        match model {
            Model::Maximal { .. } => true,
            Model::Controlled => ![self.before, self.after][program].has_tokens(),
            Model::ImmediatePostDominator | Model::Statements(_) => false,
        }
    }

    fn verdict(&self, launch: &Launch, before: &Run, after: &Run) -> Verdict {
        let threads = launch.threads();
        let one = Events::new(0, &self.operations, self.before, &before.recording, threads);
        let other = Events::new(1, &self.operations, self.after, &after.recording, threads);
        let matching = Matching { operations: &self.operations, before: &one, after: &other };
        let anchored = launch.model == Model::Controlled && (self.before.has_anchors() || self.after.has_anchors());
        // Whether sets at anchors are sets of several threads.
        let parts = anchored && launch.anchors != AnchorPolicy::Solo;
        let are_divided = || parts && matches!(anchors::division(&matching), Division::Allowed);
        if let Some(finding) = self.trouble_after(&after.outcome) {
            return match are_divided() {
                true => Verdict::Incomparable,
                false => Verdict::different(Difference::Trouble(Box::new(finding.clone())), None),
            };
        }
        if anchored && !parts && anchors::lost_anchors(&matching) {
            // What stems from no anchor does not follow what is said of anchors here.
            return Verdict::Incomparable;
        }
        let mut swapped = None;
        let differences = matching.differences(&mut swapped);
        let mut first = differences.first().cloned();
        if parts && !differences.is_empty() {
            let is_under = |mismatch: &Mismatch| mismatch.before.is_some_and(|index| anchors::is_anchored(&one, index));
            match anchors::division(&matching) {
                Division::Forbidden(mismatch) => first = Some(mismatch),
                Division::Kept if !differences.iter().any(is_under) => {}
                Division::Allowed | Division::Kept => return Verdict::Incomparable,
            }
        }
        if let Some(mismatch) = first.or_else(|| matching.reordered(true).filter(|_| !parts)) {
            return Verdict::different(self.difference(&one, &other, &mismatch), Some(mismatch));
        }
        let sides =
            [(self.before, before), (self.after, after)].map(|(linked, run)| (linked, &run.outcome, &run.recording));
        match memory::difference(sides[0], sides[1]) {
            // Each set at anchors was there before, but not in this order: so the results came in another one, too.
            Some(_) if are_divided() => Verdict::Incomparable,
            Some(difference) => Verdict::different(difference, None),
            None => {
                let reordered = swapped.or_else(|| matching.reordered(false));
                Verdict::Same(reordered.map(|mismatch| self.exchange(&mismatch)))
            }
        }
    }

    /// What is wrong with a run of the program after. A thread that would not have executed an operation which may be
    /// speculated gets nothing that is defined, and that is all right.
    fn trouble_after<'o>(&self, outcome: &'o Outcome) -> Option<&'o Finding> {
        let speculated = |finding: &Finding| {
            let mut sites = self.after.sites().values();
            let site = sites.find(|site| self.after.place(site).0.start == finding.at.span.start as usize);
            let motion =
                site.and_then(|site| self.after.target().call(site.operation.as_bytes())).map(|call| call.motion);
            finding.code == Code::RC0503 && motion.is_some_and(|motion| motion.speculate)
        };
        outcome.findings.iter().find(|finding| finding.severity == Severity::Error && !speculated(finding))
    }

    /// A mismatch as it is told.
    fn difference(&self, before: &Events<'_>, after: &Events<'_>, mismatch: &Mismatch) -> Difference {
        let operation = self.operations.facts[mismatch.operation as usize].name.clone();
        let thread = mismatch.thread;
        let changed = match mismatch.what {
            What::Threads => {
                let set =
                    |events: &Events<'_>, index: Option<u32>| index.map_or_else(Vec::new, |index| events.set(index));
                let (before, after) = (set(before, mismatch.before), set(after, mismatch.after));
                return Difference::Threads { operation, thread, before, after };
            }
            What::Order(_) => {
                let Reordered { thread, before, after } = self.exchange(mismatch);
                return Difference::Order { thread, before, after };
            }
            What::Value(changed) => changed,
        };
        let show = |events: &Events<'_>, index: Option<u32>| {
            let communication = events.at(index?);
            let participant = communication.participant(thread)?;
            let site = events.linked.site(participant.site)?;
            Some(match changed {
                Changed::Operand(operand) => {
                    events.linked.show_operands(site, communication.operands(participant)).swap_remove(operand as usize)
                }
                Changed::Result => events.linked.show_results(site, communication.results(participant)),
            })
        };
        let operand = if let Changed::Operand(operand) = changed { Some(operand) } else { None };
        let (before, after) = (show(before, mismatch.before), show(after, mismatch.after));
        Difference::Value {
            operation,
            thread,
            operand,
            before: before.unwrap_or_default(),
            after: after.unwrap_or_default(),
        }
    }

    /// Which operation is executed where another one was.
    fn exchange(&self, mismatch: &Mismatch) -> Reordered {
        let name = |operation: Operation| self.operations.facts[operation as usize].name.clone();
        let was = if let What::Order(was) = mismatch.what { was } else { mismatch.operation };
        Reordered { thread: mismatch.thread, before: name(was), after: name(mismatch.operation) }
    }

    /// Whether the program before differs from itself when its threads run in another order.
    fn depends_on_schedule(&self, found: &Found) -> bool {
        let own = self.own();
        SCHEDULES.into_iter().any(|schedule| {
            let anchors = match found.launch.anchors {
                AnchorPolicy::Split(_) => AnchorPolicy::Maximal,
                other => other,
            };
            let launch = Launch { schedule, anchors, ..found.launch.clone() };
            match own.run_before(&launch) {
                Ok(run) => run.cut || matches!(own.verdict(&launch, &found.before, &run), Verdict::Different(..)),
                Err(_) => true,
            }
        })
    }
}

/// What a program calls what these needs are.
fn names(needs: &[&Need], linked: &Linked<'_>) -> Vec<String> {
    let own = linked.needs();
    let name = |(index, need): (usize, &&Need)| {
        let same = match need.kind {
            NeedKind::Resource { binding: wanted, .. } => {
                let is_it = |one: &&Need| matches!(one.kind, NeedKind::Resource { binding, .. } if binding == wanted);
                // A program need not use what is bound.
                return own.iter().find(is_it).map_or_else(|| wanted.to_string(), |one| one.name.clone());
            }
            _ => own.iter().find(|one| one.name == need.name),
        };
        same.or_else(|| own.get(index)).unwrap_or(need).name.clone()
    };
    needs.iter().enumerate().map(name).collect()
}

/// What a program may take that does the same as one which takes so many instructions.
fn patience(instructions: u64) -> u64 {
    instructions.saturating_mul(PATIENCE.0).saturating_add(PATIENCE.1)
}

/// That a launch says nothing because a limit ended it.
fn does_not_end(launch: &Launch) -> Skip {
    Skip::new(format!("it did not end within {} instructions", launch.limits.instructions))
}

/// Whether a finding is the limit of a run, which says nothing about what the run did.
fn is_limit(finding: &Finding) -> bool {
    matches!(&finding.kind, Kind::Run(Trouble { what: Cause::Limit(Limit::Run { .. }), .. }))
}

/// The first finding that says that a run is not to be taken for more than that.
fn trouble(outcome: &Outcome) -> Option<&Finding> {
    outcome.findings.iter().find(|finding| finding.severity == Severity::Error && !is_limit(finding))
}
