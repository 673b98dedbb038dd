//! Whether threads certainly diverge before an operation, and what it takes where that is not certain.
//!
//! Uniformity analysis says what *may* differ between threads. An error has to say more. So a function in which something was found is
//! followed, thread by thread, in made-up *launches*: a shape of the workgroup, and a value for everything that threads of a workgroup get from
//! outside (arguments, numbers of workgroups, what is loaded or comes out of a call). Thread ids and sizes, and what is computed from them with
//! integers, are exact; calls of functions with a body are followed.
//!
//! **Definition.** In a launch, threads of a set *diverge before* an operation when one of them executes it more often than another, or passes it
//! another argument where the argument is what they have to agree on. They do so [*certainly*](Verdict::Certain) when they do in every launch that
//! is looked at, whose workgroup is [full](Shape::is_full), and in which somebody executes the operation; the first of these launches is the
//! [`Example`] that the finding shows. Where they do in some of them only, an [`Assumption`] is looked for: a property of the shape, of a value that
//! the deciding branch compares with, or one of each, such that threads diverge in no launch with it. Where they do in none, although everything
//! that decides was exact, they [*never*](Verdict::Never) do.
//!
//! **What the launches are.** Shapes ([`shapes`]) keep to what the header of the kernel says, and else have 256 or 1024 threads; only dimensions that the
//! kernel reads are larger than 1. Subgroups are aligned intervals of linear thread ids. Values ([`values`]) are small numbers, multiples of sizes
//! and their neighbours, constants of the function and their neighbours, and random ones. A value that may differ between threads in a way that is
//! not known is *open*: it is taken to be the same in all of them. Where a branch that decides depends on it, nothing is certain and no assumption
//! is named; where any branch does, "never" is not said.
//!
//! **What is not said.** A launch in which a thread needs too many steps, divides by zero, stops (`unreachable`), or does what is not understood
//! says nothing. With too few launches that say something, the verdict is [`Verdict::Open`]: what was found stays possible. "Never" is evidence of
//! many launches, no proof.

mod arithmetic;
mod assumptions;
mod code;
mod launches;
mod threads;

use reconverge_findings::control::{Assumption, Example};
use reconverge_ir::function::{Block, Inst, Value};
use reconverge_ir::{Function, FunctionId, Module};

use crate::target::Scope;
use crate::uniformity::lower::ModuleFacts;
pub(crate) use code::Codes;
use launches::{Launch, Limits, Shape};
use threads::{Questions, Threads, Visits};

/// So many instructions are executed for one function and set of threads, all launches together.
const MOST_STEPS: usize = 2_500_000;

/// So many launches have to say something before anything follows from all of them.
const FEWEST: usize = 8;

/// So many where nobody is to diverge ever.
const FEWEST_FOR_NEVER: usize = 24;

/// With so many launches that say something about each question, no others are looked at.
const ENOUGH: usize = 72;

/// Something to ask about an operation.
#[derive(Debug, Clone)]
pub(crate) struct Question {
    /// The operation.
    pub(crate) inst: Inst,
    /// The argument that threads have to agree on; none where they have to execute it together.
    pub(crate) argument: Option<u32>,
    /// The blocks whose branches decide.
    pub(crate) deciding: Vec<Block>,
    /// What the deciding branches compare with: values that are the same in all threads.
    pub(crate) compared: Vec<Value>,
}

/// The answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// In every launch.
    Certain(Example),
    /// In some launches: in none, if one of these holds not. Empty where nothing was found that tells them apart.
    Depends(Vec<Assumption>),
    /// In no launch.
    Never,
    /// Nothing is known.
    Open,
}

/// What one launch says about one question.
#[derive(Debug, Clone)]
struct Sample {
    shape: Shape,
    diverges: Option<[Executions; 2]>,
    /// Whether all branches are exact that threads came to, and those that decide.
    is_exact: bool,
    decides_exactly: bool,
    /// By value of [`Question::compared`].
    compared: Vec<Option<i64>>,
}

/// A thread, and how often it executes the operation.
#[derive(Debug, Clone, Copy)]
struct Executions {
    thread: usize,
    times: u32,
}

/// Where to look.
#[derive(Clone, Copy)]
pub(crate) struct Place<'a, 't> {
    pub(crate) module: &'a Module<'t>,
    pub(crate) facts: &'a ModuleFacts<'a>,
    pub(crate) id: FunctionId,
    pub(crate) function: &'a Function,
    /// What was read of other functions.
    pub(crate) codes: &'a Codes,
}

/// Answers questions about one function, for one set of threads. `differs` says which values of the function may differ between them.
pub(crate) fn ask(
    place: Place<'_, '_>,
    scope: Scope,
    questions: &[Question],
    differs: &dyn Fn(Value) -> bool,
) -> Vec<Verdict> {
    let limits = Limits::new(place);
    // Which workgroups of a grid there are, nothing is known of.
    if scope == Scope::Grid || questions.is_empty() {
        return vec![Verdict::Open; questions.len()];
    }
    let asked = Questions::new(questions);
    let mut threads = Threads::new(place, &asked, differs);
    let mut samples: Vec<Vec<Sample>> = vec![Vec::new(); questions.len()];
    let mut steps = MOST_STEPS;
    for launch in launches::all(&limits) {
        let ids = launch.chosen_threads(&limits);
        if threads.follow(&launch, &ids, &mut steps).is_some() {
            for (question, samples) in samples.iter_mut().enumerate() {
                samples.extend(sample(question, &launch, scope, &ids, &threads));
            }
        }
        let is_enough = samples.iter().all(|samples| samples.len() >= ENOUGH);
        if steps == 0 || is_enough || samples.iter().all(|samples| is_open(samples)) {
            break;
        }
    }
    questions.iter().zip(&samples).map(|(question, samples)| verdict(question, samples, scope, &limits)).collect()
}

/// Whether the verdict is [`Verdict::Open`], whatever other launches say.
fn is_open(samples: &[Sample]) -> bool {
    samples.iter().any(|sample| sample.diverges.is_some())
        && samples.iter().any(|sample| sample.shape.is_full && !sample.decides_exactly)
}

/// What a launch says; nothing where nobody executes the operation.
fn sample(question: usize, launch: &Launch, scope: Scope, ids: &[usize], threads: &Threads<'_, '_>) -> Option<Sample> {
    let first = threads.visits(question).position(|visits| visits.count > 0)?;
    // The first thread of the set: those of a set are neighbours.
    let mut of_set: Option<(usize, usize, Visits)> = None;
    let differs = |(thread, visits): (usize, Visits)| {
        let set = if scope == Scope::Subgroup { ids[thread] / launch.shape.subgroup } else { 0 };
        match of_set {
            Some((known, first, of_first)) if known == set => {
                (of_first.executed() != visits.executed()).then_some([(first, of_first), (thread, visits)])
            }
            _ => {
                of_set = Some((set, thread, visits));
                None
            }
        }
    };
    let diverges = threads.visits(question).enumerate().find_map(differs);
    let by_executions = |pair: [(usize, Visits); 2]| {
        let mut pair = pair.map(|(at, visits)| Executions { thread: ids[at], times: visits.count });
        pair.sort_by_key(|one| std::cmp::Reverse(one.times));
        pair
    };
    Some(Sample {
        shape: launch.shape,
        diverges: diverges.map(by_executions),
        is_exact: threads.followed.is_exact,
        decides_exactly: threads.visits(question).all(Visits::is_exact),
        compared: threads.compared(question, first),
    })
}

fn verdict(question: &Question, samples: &[Sample], scope: Scope, limits: &Limits) -> Verdict {
    let mut full = samples.iter().filter(|sample| sample.shape.is_full).peekable();
    let first = samples.iter().find_map(|sample| Some((sample.shape, sample.diverges?)));
    let Some((shape, [with, without])) = first else {
        let is_exact = samples.iter().all(|sample| sample.is_exact);
        return if is_exact && samples.len() >= FEWEST_FOR_NEVER { Verdict::Never } else { Verdict::Open };
    };
    if full.clone().count() >= FEWEST && full.all(|sample| sample.diverges.is_some() && sample.decides_exactly) {
        let times = [with.times, without.times];
        let [with, without] = [with, without].map(|one| shape.id_of(one.thread));
        return Verdict::Certain(Example { extents: shape.extents, with, without, times });
    }
    if !samples.iter().all(|sample| sample.decides_exactly) {
        return Verdict::Open;
    }
    Verdict::Depends(assumptions::find(question, samples, scope, limits))
}
