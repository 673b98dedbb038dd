//! Inputs are worked on several at a time, and what is said and printed of them is in their order.
//!
//! **Invariant.** What a worker says is held back until all inputs before its own are over, so nothing that is written depends on how many threads there are. No more than [`AHEAD`]
//! inputs for each thread wait for their turn, and none is begun while [`MOST_WAITING`] bytes wait.

use std::collections::BTreeMap;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

use reconverge::Module;

use crate::arguments::Inputs;
use crate::input::{Candidate, Problem};
use crate::output;
use crate::session::Session;
use crate::source::Wanted;

/// How many inputs for each thread are begun before the first of them is over: one file may take as long as a hundred others.
const AHEAD: usize = 100;

/// How many bytes of IR may wait for their turn before no other input is begun.
const MOST_WAITING: usize = 64 << 20;

/// What came of an input: its module and what `work` made of it, or why there is none.
pub(crate) type Worked<R> = Result<(Module, R), Problem>;

/// Reads each candidate as `wanted` and runs `work` on it, on as many threads as there are; `then` gets what came of it and its number, one after the other.
///
/// # Errors
/// The first of `then`, after which no other input is begun.
pub(crate) fn each<R: Send>(
    session: &Session<'_>,
    inputs: &Inputs,
    wanted: Wanted,
    work: impl Fn(&Candidate, &Module) -> Result<R, Problem> + Sync,
    mut then: impl FnMut(usize, &Candidate, Worked<R>) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let candidates = session.candidates(inputs);
    let work = |candidate: &Candidate| session.with_module(candidate, inputs, wanted, |module| work(candidate, module));
    let threads = rayon::current_num_threads();
    // A few inputs are better off with all threads for each.
    if threads == 1 || candidates.len() <= threads {
        return candidates
            .iter()
            .enumerate()
            .try_for_each(|(index, candidate)| then(index, candidate, work(candidate)));
    }
    let line =
        Line { state: Mutex::default(), changed: Condvar::new(), count: candidates.len(), room: AHEAD * threads };
    thread::scope(|scope| {
        let _end = EndOfLine(&line);
        for _ in 0..threads {
            scope.spawn(|| {
                // What an analysis does in parallel, it does on this thread.
                let _pool = rayon::ThreadPoolBuilder::new().num_threads(1).use_current_thread().build();
                while let Some(index) = line.begin() {
                    let done = output::holding(|| work(&candidates[index]));
                    let bytes = done.0.as_ref().map_or(0, |(module, _)| module.ir().len());
                    line.end(index, bytes, done);
                }
            });
        }
        candidates.iter().enumerate().try_for_each(|(index, candidate)| {
            let (result, said) = line.take(index);
            session.say_held(said);
            then(index, candidate, result)
        })
    })
}

/// Where inputs wait for their turn.
struct Line<R> {
    state: Mutex<State<R>>,
    changed: Condvar,
    count: usize,
    /// So many may have begun that are not over.
    room: usize,
}

struct State<R> {
    begun: usize,
    over: usize,
    /// What is ready, with how many bytes of IR that is.
    ready: BTreeMap<usize, (usize, R)>,
    bytes: usize,
    is_stopped: bool,
}

impl<R> Default for State<R> {
    fn default() -> State<R> {
        State { begun: 0, over: 0, ready: BTreeMap::new(), bytes: 0, is_stopped: false }
    }
}

impl<R> Line<R> {
    fn state(&self) -> MutexGuard<'_, State<R>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for a change while something is so.
    fn wait_while(&self, condition: impl Fn(&State<R>) -> bool) -> MutexGuard<'_, State<R>> {
        self.changed.wait_while(self.state(), |state| condition(state)).unwrap_or_else(PoisonError::into_inner)
    }

    /// The next input that nobody has begun, as soon as there is room; none after the last.
    fn begin(&self) -> Option<usize> {
        let is_full = |state: &State<R>| {
            let waits = state.begun < self.count && state.begun > state.over;
            waits && (state.begun >= state.over + self.room || state.bytes >= MOST_WAITING)
        };
        let mut state = self.wait_while(|state| !state.is_stopped && is_full(state));
        if state.is_stopped || state.begun == self.count {
            return None;
        }
        state.begun += 1;
        Some(state.begun - 1)
    }

    /// An input is ready, with so many bytes.
    fn end(&self, index: usize, bytes: usize, result: R) {
        let mut state = self.state();
        state.bytes += bytes;
        state.ready.insert(index, (bytes, result));
        drop(state);
        self.changed.notify_all();
    }

    /// What came of an input, whose turn it is.
    fn take(&self, index: usize) -> R {
        let mut state = self.wait_while(|state| !state.ready.contains_key(&index));
        let (bytes, result) = state.ready.remove(&index).expect("it was waited for");
        state.over = index + 1;
        state.bytes -= bytes;
        self.changed.notify_all();
        result
    }
}

/// Nothing more is begun when this is gone, also where that is for an error or a panic.
struct EndOfLine<'l, R>(&'l Line<R>);

impl<R> Drop for EndOfLine<'_, R> {
    fn drop(&mut self) {
        self.0.state().is_stopped = true;
        self.0.changed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whatever the order in which workers are done, turns are in order, and no more wait than there is room for.
    #[test]
    fn turns_are_in_order() {
        let line = Line { state: Mutex::default(), changed: Condvar::new(), count: 100, room: 3 };
        thread::scope(|scope| {
            let _end = EndOfLine(&line);
            for worker in 0..3u64 {
                let line = &line;
                scope.spawn(move || {
                    while let Some(index) = line.begin() {
                        thread::sleep(std::time::Duration::from_micros(index as u64 * 37 % 11 * 50 + worker));
                        line.end(index, 1 << 20, index);
                    }
                });
            }
            for index in 0..60 {
                assert_eq!(line.take(index), index);
                assert!(line.state().ready.len() <= 3);
            }
        });
        assert!(line.state().begun <= 63);
    }
}
