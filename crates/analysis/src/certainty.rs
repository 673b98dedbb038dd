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
//! A barrier at which the target counts who comes, at whichever call, lets threads on that execute it differently often, if all of them come equally often to barriers of
//! its kind: see [`Meeting`].
//!
//! Where the operation is [inside](Question::inside) a function that is called, it is its executions in the calls from there that count.
//!
//! **What the launches are.** Shapes ([`shapes`]) keep to what the header of the kernel says, and else have 256 or 1024 threads; only dimensions that the
//! kernel reads are larger than 1. Subgroups are aligned intervals of linear thread ids. Values ([`values`]) are small numbers, multiples of sizes
//! and their neighbours, constants of the function and their neighbours, and random ones. A value that may differ between threads in a way that is
//! not known is *open*: it is taken to be the same in all of them. Where a branch that decides depends on it, nothing is certain, and that it differs is one of
//! the assumptions; where any branch does, "never" is not said.
//!
//! Launches do not have to tell the assumption that a row of the workgroup is no multiple of a subgroup: where nothing else was found for the threads of a
//! subgroup, uniformity is analysed once more with rows that are whole subgroups, and if nothing is wrong then, that is the assumption (`hazards`).
//!
//! **What is not said.** A launch in which a thread needs too many steps, divides by zero, stops (`unreachable`), or does what is not understood
//! says nothing. With too few launches that say something, the verdict is [`Verdict::Open`]: what was found stays possible. "Never" is evidence of
//! many launches, no proof.

mod assumptions;
mod code;
mod launches;
mod questions;
mod races;
mod relevance;
mod threads;

use std::sync::Arc;

use reconverge_findings::control::{Assumption, Example};
use reconverge_ir::function::{Block, Inst, Value};
use reconverge_ir::{Function, FunctionId, Module};
use reconverge_operations::Meeting;
use rustc_hash::FxHashSet;

use crate::target::Scope;
use crate::uniformity::lower::ModuleFacts;
pub(crate) use code::Codes;
use code::{Asked, Code};
use launches::{Launch, Limits, Shape};
use questions::Questions;
pub(crate) use races::{Race, Shared, Tile, races};
use threads::{Round, Threads, Visits};

/// So many instructions are executed for one function and set of threads, all launches together.
const MOST_STEPS: usize = 2_500_000;

/// So many launches have to say something before anything follows from all of them.
const FEWEST: usize = 8;

/// In so many rounds, which differ in how values are made up: a function that takes many steps is followed in few.
const FEWEST_ROUNDS: usize = 3;

/// So many where nobody is to diverge ever.
const FEWEST_FOR_NEVER: usize = 24;

/// With so many launches that say something about each question, no others are looked at.
const ENOUGH: usize = 72;

/// The same where what decides is open.
const ENOUGH_OPEN: usize = 32;

/// So many open values are named.
const MOST_OPEN: usize = 2;

/// Something to ask about an operation.
#[derive(Debug, Clone)]
pub(crate) struct Question {
    /// The operation.
    pub(crate) inst: Inst,
    /// The argument that threads have to agree on; none where they have to execute it together.
    pub(crate) argument: Option<u32>,
    /// The lanes that take part, where the operation names them: what is asked is whether these are the threads of a subgroup that execute it.
    pub(crate) mask: Option<Mask>,
    /// The operation in a function that is called at `inst`, where that is what threads have to execute together.
    pub(crate) inside: Option<(FunctionId, Inst)>,
    /// The blocks whose branches decide.
    pub(crate) deciding: Vec<Block>,
    /// What the deciding branches compare with: values that are the same in all threads.
    pub(crate) compared: Vec<Value>,
}

/// The lanes that an operation names.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Mask {
    pub(crate) named: Named,
    /// Whether lanes that are named may execute the operation at another place of the function.
    pub(crate) is_elsewhere: bool,
}

/// Which lanes a mask names.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Named {
    /// A bit for each.
    These(u64),
    /// Those whose threads executed this call together the last time before, as far as the value was true in them.
    By { call: Inst, where_true: Option<Value> },
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
    round: u64,
    diverges: Option<[Executions; 2]>,
    /// Whether all branches are exact that threads came to.
    is_exact: bool,
    /// Something open that decides.
    open: Option<Inst>,
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
    let mut limits = Limits::new(place);
    for question in questions {
        if let Some(Mask { named: Named::These(lanes), .. }) = question.mask {
            limits.add_named(lanes);
        }
    }
    // Which workgroups of a grid there are, nothing is known of.
    if scope == Scope::Grid || questions.is_empty() {
        return vec![Verdict::Open; questions.len()];
    }
    let asked = Questions::new(questions);
    let code = Code::new(place, Some(&Asked { questions: &asked, differs }), false);
    let mut threads = Threads::new(place, &asked, Arc::new(code), None);
    let mut samples: Vec<Vec<Sample>> = vec![Vec::new(); questions.len()];
    let mut steps = MOST_STEPS;
    for launch in launches::all(&limits) {
        let ids = launch.chosen_threads(&limits);
        if threads.follow(&launch, &ids, &mut steps).is_some() {
            for (index, (question, samples)) in questions.iter().zip(&mut samples).enumerate() {
                samples.extend(match question.mask {
                    Some(Mask { named: Named::These(lanes), is_elsewhere }) => {
                        sample_of_mask(index, lanes, is_elsewhere, &launch, &ids, &threads)
                    }
                    // Who is named is not known where a value that is not decides it.
                    Some(Mask { named: Named::By { where_true: Some(_), .. }, .. }) if !threads.followed.is_exact => {
                        None
                    }
                    Some(_) => sample_of_rounds(index, &launch, &ids, &threads),
                    None => sample(index, question, &launch, scope, &ids, &threads),
                });
            }
        }
        if steps == 0 || samples.iter().all(|samples| is_enough(samples)) {
            break;
        }
    }
    let verdict = |(question, samples): (&Question, &Vec<Sample>)| verdict(place, question, samples, scope, &limits);
    questions.iter().zip(&samples).map(verdict).collect()
}

/// Whether other launches need not be looked at.
fn is_enough(samples: &[Sample]) -> bool {
    samples.len() >= ENOUGH || samples.len() >= ENOUGH_OPEN && samples.iter().any(|sample| sample.open.is_some())
}

/// What a launch says; nothing where nobody executes the operation.
fn sample(
    index: usize,
    question: &Question,
    launch: &Launch,
    scope: Scope,
    ids: &[usize],
    threads: &Threads<'_, '_>,
) -> Option<Sample> {
    let first = threads.visits(index).position(|visits| visits.count > 0)?;
    // An argument is passed by those that execute the operation.
    let is_argument = question.argument.is_some() && question.inside.is_none();
    let counts = |&(_, visits): &(usize, Visits)| !is_argument || visits.count > 0;
    let differing = |scope: Scope| {
        // The first thread of the set: those of a set are neighbours.
        let mut of_set: Option<(usize, usize, Visits)> = None;
        threads.visits(index).enumerate().filter(counts).find_map(|(thread, visits)| {
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
        })
    };
    // Those that are at other calls may be who is waited for.
    let meet_elsewhere = || {
        !is_argument
            && threads.arrived_equally()
            && threads.meeting(question).is_some_and(|meeting| match meeting {
                Meeting::OneCall => false,
                Meeting::OneCallBySubgroup => differing(Scope::Subgroup).is_none(),
                Meeting::AnyCall => true,
            })
    };
    let diverges = differing(scope).filter(|_| !meet_elsewhere());
    let by_executions = |pair: [(usize, Visits); 2]| {
        let mut pair = pair.map(|(at, visits)| Executions { thread: ids[at], times: visits.count });
        pair.sort_by_key(|one| std::cmp::Reverse(one.times));
        pair
    };
    Some(Sample {
        shape: launch.shape,
        round: launch.round(),
        diverges: diverges.map(by_executions),
        is_exact: threads.followed.is_exact,
        open: threads.visits(index).find_map(Visits::open),
        compared: threads.compared(index, first),
    })
}

/// What a launch says of the lanes that a constant names; nothing where it is not exact.
fn sample_of_mask(
    question: usize,
    lanes: u64,
    is_elsewhere: bool,
    launch: &Launch,
    ids: &[usize],
    threads: &Threads<'_, '_>,
) -> Option<Sample> {
    let size = launch.shape.subgroup;
    let visits = || threads.visits(question).map(|visits| visits.count).zip(ids);
    let is_named = |thread: usize| lanes >> (thread % size) & 1 == 1;
    visits().find(|&(count, _)| count > 0).filter(|_| threads.followed.is_exact)?;
    let unnamed = visits().find(|&(count, &thread)| count > 0 && !is_named(thread));
    let pair = |(times, &thread): (u32, &usize)| {
        let of_set = |&(_, &other): &(u32, &usize)| other / size == thread / size;
        let missing = visits().filter(of_set).find(|&(count, &other)| is_named(other) && count < times)?;
        Some([Executions { thread, times }, Executions { thread: *missing.1, times: missing.0 }])
    };
    let missing = || visits().filter(|&(count, _)| count > 0).find_map(pair).filter(|_| !is_elsewhere);
    let alone = |(times, &thread): (u32, &usize)| [Executions { thread, times }; 2];
    Some(Sample {
        shape: launch.shape,
        round: launch.round(),
        diverges: unnamed.map(alone).or_else(missing),
        is_exact: true,
        open: None,
        compared: Vec::new(),
    })
}

/// What a launch says of the lanes that an earlier call found: between two executions of that, those whose lanes are named have to execute the operation
/// equally often, and no others. Threads are compared that executed the call equally often: of others nobody knows which executions were one.
fn sample_of_rounds(question: usize, launch: &Launch, ids: &[usize], threads: &Threads<'_, '_>) -> Option<Sample> {
    threads.visits(question).find(|visits| visits.count > 0)?;
    let rounds: Vec<(usize, &[Round])> = ids.iter().copied().zip(threads.rounds(question)).collect();
    let of_subgroups = rounds.chunk_by(|one, other| one.0 / launch.shape.subgroup == other.0 / launch.shape.subgroup);
    let differs = |subgroup: &[(usize, &[Round])]| {
        let most = subgroup.iter().map(|(_, rounds)| rounds.len()).max()?;
        (0..most).find_map(|at| {
            let all = || {
                subgroup.iter().filter(|(_, rounds)| rounds.len() == most).map(|(thread, rounds)| (*thread, rounds[at]))
            };
            let executions = |(thread, round): (usize, Round)| Executions { thread, times: round.times };
            if let Some(unnamed) = all().find(|(_, round)| !round.is_named && round.times > 0) {
                return Some([executions(unnamed); 2]);
            }
            let named = || all().filter(|(_, round)| round.is_named);
            let [with, without] = [
                named().max_by_key(|(thread, round)| (round.times, std::cmp::Reverse(*thread)))?,
                named().min_by_key(|(thread, round)| (round.times, *thread))?,
            ];
            (with.1.times > without.1.times).then_some([executions(with), executions(without)])
        })
    };
    Some(Sample {
        shape: launch.shape,
        round: launch.round(),
        diverges: of_subgroups.into_iter().find_map(differs),
        is_exact: threads.followed.is_exact,
        open: threads.visits(question).find_map(Visits::open),
        compared: threads.compared(question, 0),
    })
}

fn verdict(place: Place<'_, '_>, question: &Question, samples: &[Sample], scope: Scope, limits: &Limits) -> Verdict {
    let mut open: Vec<Assumption> = Vec::new();
    for inst in samples.iter().filter_map(|sample| sample.open) {
        let differs = place.function.instructions[inst].result.expand().map(|value| Assumption::Differs { value });
        open.extend(differs.filter(|differs| open.len() < MOST_OPEN && !open.contains(differs)));
    }
    let is_open = samples.iter().any(|sample| sample.open.is_some());
    let mut full = samples.iter().filter(|sample| sample.shape.is_full).peekable();
    let first = samples.iter().find_map(|sample| Some((sample.shape, sample.diverges?)));
    let Some((shape, [with, without])) = first else {
        let is_exact = samples.iter().all(|sample| sample.is_exact);
        return match samples.len() >= FEWEST_FOR_NEVER {
            true if is_exact => Verdict::Never,
            true if is_open => Verdict::Depends(open),
            _ => Verdict::Open,
        };
    };
    let rounds: FxHashSet<u64> = full.clone().map(|sample| sample.round).collect();
    let are_many = full.clone().count() >= FEWEST && rounds.len() >= FEWEST_ROUNDS;
    if are_many && full.all(|sample| sample.diverges.is_some() && sample.open.is_none()) {
        let times = [with.times, without.times];
        let [with, without] = [with, without].map(|one| shape.id_of(one.thread));
        return Verdict::Certain(Example { extents: shape.extents, with, without, times });
    }
    let mut assumptions = assumptions::find(question, samples, scope, limits);
    if !assumptions.is_empty() {
        assumptions.append(&mut open);
    }
    Verdict::Depends(assumptions)
}
