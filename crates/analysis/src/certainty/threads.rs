//! Threads of a launch, followed from the start of a function to its end.
//!
//! `run` follows some of them together, step by step, which takes a fraction of the time of one after the other; `frame` has their values.

mod frame;
mod run;

use std::sync::Arc;

use reconverge_ir::FunctionId;
use reconverge_ir::function::Inst;
use reconverge_operations::Meeting;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use frame::{Frame, Lanes};
use run::Run;

use super::Place;
use super::Question;
use super::code::Code;
use super::launches::Launch;
use super::questions::Questions;
use super::races::Accesses;
use crate::integers::mask;

/// So many instructions are executed by one thread; fewer where accesses to memory are followed, so that there are many launches in which loops are short: so many that two tiles of 32 x 32 are
/// multiplied where they are to be few, and two of 256 added.
const MOST_STEPS: usize = 4000;
const MOST_STEPS_OF_ACCESSES: usize = 1200;
const MOST_STEPS_OF_TILES: usize = 4000;
const MOST_STEPS_OF_ROWS: usize = 160_000;

/// So many threads are followed together.
const TOGETHER: usize = 64;

/// Calls are followed so deep.
const DEPTH: usize = 8;

/// How often an operation was executed, and with which arguments.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Visits {
    pub(super) count: u32,
    arguments: u64,
    /// Something open that a deciding branch, or the argument, depends on.
    open: Option<Inst>,
}

impl Visits {
    /// What threads that do the same agree on.
    pub(super) fn executed(self) -> (u32, u64) {
        (self.count, self.arguments)
    }

    pub(super) fn open(self) -> Option<Inst> {
        self.open
    }
}

/// What a thread did after it executed a call that names lanes, before it executed that again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Round {
    /// Whether the call named it.
    pub(super) is_named: bool,
    /// How often it executed the operation.
    pub(super) times: u32,
}

/// What the threads of a launch did, one after the other.
#[derive(Default)]
pub(super) struct Followed {
    /// By thread, by question.
    visits: Vec<Visits>,
    /// The same, of questions about lanes that a call names: what was done after each execution of that.
    rounds: Vec<Vec<Round>>,
    /// By thread, by value that questions compare with: the first one.
    compared: Vec<Option<i64>>,
    /// By thread: how often it came to a barrier at which threads wait for those at other calls, too.
    arrivals: Vec<u32>,
    /// Of the threads that are followed together, by deciding block: something open that it depended on.
    opened: Vec<Option<Inst>>,
    /// Whether all that decided where threads go is known, or the same in all threads.
    pub(super) is_exact: bool,
}

/// A function that was called.
struct Linked {
    code: Arc<Code>,
    /// The registers at the start, in this launch.
    frame: Vec<u64>,
    /// Where its sites are among all.
    first_site: usize,
}

/// Follows threads of one function.
pub(super) struct Threads<'a, 't> {
    place: Place<'a, 't>,
    questions: &'a Questions<'a>,
    /// The first is the function itself.
    linked: Vec<Linked>,
    of: FxHashMap<FunctionId, Option<usize>>,
    /// How many sites all of them have.
    sites: usize,
    /// By site, by thread of those that are followed together: how often something was made up there.
    occurrences: Vec<u32>,
    /// How many these are.
    together: usize,
    /// Frames that are free.
    free: Vec<Frame>,
    pub(super) followed: Followed,
    /// Accesses to memory, if they are followed.
    pub(super) accesses: Option<Accesses>,
}

impl<'a, 't> Threads<'a, 't> {
    /// `code` is the function's, made for the questions.
    pub(super) fn new(
        place: Place<'a, 't>,
        questions: &'a Questions<'a>,
        code: Arc<Code>,
        accesses: Option<Accesses>,
    ) -> Threads<'a, 't> {
        let mut threads = Threads {
            place,
            questions,
            linked: Vec::new(),
            of: FxHashMap::default(),
            sites: 0,
            occurrences: Vec::new(),
            together: 0,
            free: Vec::new(),
            followed: Followed::default(),
            accesses,
        };
        threads.link(code);
        threads
    }

    fn link(&mut self, code: Arc<Code>) -> usize {
        let first_site = self.sites;
        self.sites += code.sites.len();
        self.occurrences.resize(self.sites * self.together, 0);
        let frame = code.frame.clone();
        self.linked.push(Linked { code, frame, first_site });
        self.linked.len() - 1
    }

    /// What one launch does with all of these threads; nothing where that is not clear. `steps` is what may be executed, and becomes less.
    pub(super) fn follow(&mut self, launch: &Launch<'_>, threads: &[usize], steps: &mut usize) -> Option<&Followed> {
        let Followed { visits, rounds, compared, arrivals, is_exact, .. } = &mut self.followed;
        visits.clear();
        visits.resize(threads.len() * self.questions.all.len(), Visits::default());
        rounds.clear();
        rounds.resize(threads.len() * self.questions.round_count, Vec::new());
        compared.clear();
        compared.resize(threads.len() * self.questions.compared.items.len(), None);
        arrivals.clear();
        arrivals.resize(threads.len(), 0);
        *is_exact = true;
        self.accesses.iter_mut().for_each(|accesses| accesses.begin(threads));
        self.linked.iter_mut().for_each(|linked| linked.begin(launch));
        // What a kernel is given is the same in all threads.
        let Linked { code, frame, .. } = &mut self.linked[0];
        for &(index, register, width) in &code.parameters {
            frame[register as usize] = launch.parameter(index) & mask(width);
        }
        // A launch that says nothing mostly says so by its first or its last thread.
        let last = threads.len().saturating_sub(1).max(1);
        let (alone, others) = ([0..threads.len().min(1), last..threads.len()], 1..last);
        let batches = others.clone().step_by(TOGETHER).map(|start| start..others.end.min(start + TOGETHER));
        for batch in alone.into_iter().chain(batches).filter(|batch| !batch.is_empty()) {
            if !self.follow_together(launch, &threads[batch.clone()], batch.start, steps) {
                return None;
            }
        }
        self.accesses.iter_mut().for_each(|accesses| accesses.end(launch.shape.subgroup));
        Some(&self.followed)
    }

    /// The code of the functions that threads came to.
    pub(super) fn codes(&self) -> impl Iterator<Item = &Code> {
        self.linked.iter().map(|linked| &*linked.code)
    }

    /// Follows threads, of which the first one is this one of the launch. Returns whether it is clear what they do.
    fn follow_together(&mut self, launch: &Launch<'_>, numbers: &[usize], first: usize, steps: &mut usize) -> bool {
        let questions = self.questions;
        let deciding = questions.deciding.items.len();
        self.followed.opened.clear();
        self.followed.opened.resize(numbers.len() * deciding, None);
        self.together = numbers.len();
        self.occurrences.clear();
        self.occurrences.resize(self.sites * self.together, 0);
        let most = match self.accesses {
            None => MOST_STEPS,
            Some(_) if !launch.has_few_threads() => MOST_STEPS_OF_ACCESSES,
            Some(_) if launch.shape.is_one_row() => MOST_STEPS_OF_ROWS,
            Some(_) => MOST_STEPS_OF_TILES,
        };
        let mut run = Run {
            launch,
            numbers,
            ids: numbers.iter().map(|&thread| launch.shape.id_of(thread)).collect(),
            left: vec![most as i32; numbers.len()],
            left_together: *steps,
            first,
            active: SmallVec::new(),
            outer: None,
            built_in: None,
            stopped: vec![false; numbers.len()],
            are_some_stopped: false,
            threads: self,
        };
        let ended = run.call(0, Lanes::First(numbers.len()), (&Frame::default(), &[]), 0);
        *steps = run.left_together;
        let Followed { visits, opened, .. } = &mut self.followed;
        let all = visits[first * questions.all.len()..].chunks_mut(questions.all.len().max(1));
        for (visits, opened) in all.zip(opened.chunks(deciding.max(1))) {
            for (visits, deciding) in visits.iter_mut().zip(&questions.deciding_of) {
                visits.open = visits.open.or_else(|| deciding.iter().find_map(|&block| opened[block as usize]));
            }
        }
        let returned = ended.ok();
        let is_clear = returned.is_some();
        self.free.extend(returned);
        is_clear
    }

    /// What each thread did with a question's operation.
    pub(super) fn visits(&self, question: usize) -> impl Iterator<Item = Visits> + Clone {
        self.followed.visits.iter().skip(question).step_by(self.questions.all.len()).copied()
    }

    /// Where threads meet in a question's operation; nothing where all of them have to be there.
    pub(super) fn meeting(&self, question: &Question) -> Option<Meeting> {
        let (id, inst) = question.inside.unwrap_or((self.place.id, question.inst));
        let of_function = self.linked.iter().find(|linked| linked.code.id == id)?;
        of_function.code.arrivals.iter().find(|(known, _)| *known == inst).map(|&(_, meeting)| meeting)
    }

    /// Whether all threads came equally often to a barrier at which they wait for those at other calls, too.
    pub(super) fn arrived_equally(&self) -> bool {
        self.followed.arrivals.windows(2).all(|pair| pair[0] == pair[1])
    }

    /// What each thread did with a question's operation after each execution of the call that names lanes.
    pub(super) fn rounds(&self, question: usize) -> impl Iterator<Item = &[Round]> {
        let count = self.questions.round_count;
        let first = self.questions.round_of[question].unwrap_or(count);
        self.followed.rounds.iter().skip(first).step_by(count.max(1)).map(Vec::as_slice)
    }

    /// What a question compares with, in a thread.
    pub(super) fn compared(&self, question: usize, thread: usize) -> Vec<Option<i64>> {
        let of_thread = &self.followed.compared[thread * self.questions.compared.items.len()..];
        self.questions.compared_of[question].iter().map(|&place| of_thread[place as usize]).collect()
    }
}

impl Linked {
    /// Makes up the constants that are not known.
    fn begin(&mut self, launch: &Launch<'_>) {
        for &(register, value, width) in &self.code.made_up {
            self.frame[register as usize] = launch.value_of((1u8, self.code.id, value)) & mask(width);
        }
    }
}
