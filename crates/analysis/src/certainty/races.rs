//! Threads that exchange something in the memory of their workgroup, with nothing that orders what they do.
//!
//! **Definition.** In a launch, a read and a write *race* when one thread reads an address that another one writes, the first does not write it itself, and
//! neither executes something in between that may order the two ([`Order`]): as often as one executed an operation before its access, so often did the
//! other, and in all they do so equally often. Threads of one subgroup are compared by all operations, others by those of the workgroup.
//!
//! A pair of instructions races when it does so in every launch that is looked at, is exact, and in which both are executed; but for those in which each thread executes
//! both at most once, where it takes another iteration.
//!
//! **What is not said.** Writes that race with each other, as they may write the same; what is behind an address that is not known; kernels that read
//! the numbers of threads in several dimensions, where nothing says how large a workgroup is in these; anything in launches
//! in which a branch depends on something that is not known, or in which there is something of which nobody knows what it orders between subgroups.

use std::ops::Range;

use reconverge_ir::function::{Inst, Value};
use reconverge_ir::{FunctionId, Symbol};
use rustc_hash::{FxHashMap, FxHashSet};

use super::Place;
use super::code::{Order, address_of};
use super::launches::{self, Launch, Limits};
use super::questions::Questions;
use super::threads::Threads;

/// So many instructions are executed for one kernel, all launches together.
const MOST_STEPS: usize = 600_000;

/// So many launches have to show a race, in so many rounds.
const FEWEST: usize = 5;
const FEWEST_ROUNDS: usize = 3;

/// With so many that say something, no others are looked at, and with so many of which none shows a race.
const ENOUGH: usize = 28;
const ENOUGH_OF_NOTHING: usize = 10;

/// Of launches that are full, one of so many is looked at: shapes and what is made up change from one to the next.
const APART: usize = 3;

/// A variable in the memory of a workgroup.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Shared {
    pub(crate) symbol: Symbol,
    /// How many bytes it has; of one whose size the launch says, more than it can have.
    pub(crate) size: u64,
}

/// An instruction, wherever it is.
type At = (FunctionId, Inst);

/// A read and a write that race.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Race {
    pub(crate) variable: Symbol,
    pub(crate) read: At,
    pub(crate) write: At,
    /// Whether threads of one subgroup do, of which two are named then; else only threads of several.
    pub(crate) is_in_subgroup: bool,
    /// Whether threads of several do.
    pub(crate) is_across: bool,
    /// The shape of a workgroup, the thread that reads, and the one that writes.
    pub(crate) extents: [u32; 3],
    pub(crate) threads: [[u32; 3]; 2],
}

/// How often a thread executed something that orders accesses: for those of its subgroup, and for those of its workgroup.
type Epoch = [u32; 2];

/// What writes of one address have in common that race with the same reads of other subgroups: the instruction, the subgroup, and how often its thread reaches what
/// orders accesses of the workgroup.
type Alike = (At, usize, u32);

/// An access of a thread.
#[derive(Debug, Clone, Copy)]
struct Access {
    thread: usize,
    at: At,
    address: u64,
    writes: bool,
    epoch: Epoch,
}

/// What the threads of a launch do to the memory of the workgroup.
#[derive(Debug)]
pub(super) struct Accesses {
    /// Where variables are, and which.
    places: Vec<(Range<u64>, Symbol)>,
    found: Vec<Access>,
    /// Each thread, and its epoch so far.
    epochs: Vec<(usize, Epoch)>,
    /// Whether something happened of which nobody knows what it orders.
    is_unclear: bool,
}

impl Accesses {
    fn new(shared: &[Shared]) -> Accesses {
        let place = |shared: &Shared| {
            let start = address_of(shared.symbol);
            (start..start.saturating_add(shared.size), shared.symbol)
        };
        Accesses {
            places: shared.iter().map(place).collect(),
            found: Vec::new(),
            epochs: Vec::new(),
            is_unclear: false,
        }
    }

    pub(super) fn clear(&mut self) {
        self.found.clear();
        self.epochs.clear();
        self.is_unclear = false;
    }

    pub(super) fn begin(&mut self, thread: usize) {
        self.epochs.push((thread, [0; 2]));
    }

    pub(super) fn access(&mut self, at: At, address: u64, writes: bool) {
        let Some(&(thread, epoch)) = self.epochs.last() else { return };
        if self.places.iter().any(|(place, _)| place.contains(&address)) {
            self.found.push(Access { thread, at, address, writes, epoch });
        }
    }

    pub(super) fn order(&mut self, order: Order) {
        let Some((_, [of_subgroup, of_workgroup])) = self.epochs.last_mut() else { return };
        *of_subgroup += 1;
        match order {
            Order::Subgroup => {}
            Order::Workgroup => *of_workgroup += 1,
            Order::Some => {
                *of_workgroup += 1;
                self.is_unclear = true;
            }
        }
    }

    /// The pairs of accesses that race, each with two threads that do: within subgroups of a size, and across them. Of what cannot be told apart one is enough, so it is linear in accesses, and
    /// quadratic in the instructions that access one address between two barriers only.
    fn races(&self, subgroup: usize) -> FxHashMap<(At, At, bool), [Access; 2]> {
        let ends: FxHashMap<usize, Epoch> = self.epochs.iter().copied().collect();
        let of_subgroup = |access: &Access| access.thread / subgroup;
        // Each access once: what a thread does again before anything orders it.
        let mut known: FxHashSet<(usize, At, u64, Epoch)> = FxHashSet::default();
        let is_new = |access: &&Access| known.insert((access.thread, access.at, access.address, access.epoch));
        let accesses: Vec<&Access> = self.found.iter().filter(is_new).collect();
        let mut own: FxHashSet<(u64, usize, u32)> = FxHashSet::default();
        let mut within: FxHashMap<(u64, Epoch, usize), Vec<&Access>> = FxHashMap::default();
        let mut across: FxHashMap<(u64, u32), FxHashMap<Alike, &Access>> = FxHashMap::default();
        for &write in accesses.iter().filter(|access| access.writes) {
            let (address, epoch) = (write.address, write.epoch);
            own.insert((address, write.thread, epoch[1]));
            within.entry((address, epoch, of_subgroup(write))).or_default().push(write);
            let alike = (write.at, of_subgroup(write), ends[&write.thread][1]);
            across.entry((address, epoch[1])).or_default().entry(alike).or_insert(write);
        }
        let mut found = FxHashMap::default();
        let mut asked: FxHashSet<(At, u64, Epoch, usize, Epoch)> = FxHashSet::default();
        for &read in accesses.iter().filter(|access| !access.writes) {
            let (address, epoch, end) = (read.address, read.epoch, ends[&read.thread]);
            if own.contains(&(address, read.thread, epoch[1]))
                || !asked.insert((read.at, address, epoch, of_subgroup(read), end))
            {
                continue;
            }
            let within = within.get(&(address, epoch, of_subgroup(read))).into_iter().flatten();
            for &write in within.filter(|write| ends[&write.thread] == end) {
                found.entry((read.at, write.at, true)).or_insert([*read, *write]);
            }
            let across = across.get(&(address, epoch[1])).filter(|_| !self.is_unclear).into_iter().flatten();
            for (_, &write) in across.filter(|&(&(_, other, last), _)| other != of_subgroup(read) && last == end[1]) {
                found.entry((read.at, write.at, false)).or_insert([*read, *write]);
            }
        }
        found
    }
}

/// How often threads execute an instruction in a launch.
#[derive(Debug, Clone, Copy, Default)]
struct Times {
    last: Option<usize>,
    /// Whether one does more than once.
    is_repeated: bool,
}

/// What is known of a pair of instructions.
struct Seen {
    first: [Access; 2],
    /// The launches in which they race, as places among those that are looked at.
    launches: Vec<usize>,
}

/// The reads and writes of shared variables that race in a kernel, by the place of the read in the text; those of one subgroup only where these threads do not run in
/// lock-step. O(launches · steps).
pub(crate) fn races(
    place: Place<'_, '_>,
    shared: &[Shared],
    in_lock_step: bool,
    differs: &dyn Fn(Value) -> bool,
) -> Vec<Race> {
    let limits = Limits::new(place);
    // A kernel is written for one shape then: in others, what it takes for the rows of a tile overlaps.
    let is_of_one_shape = limits.dimensions().count() > 1;
    if is_of_one_shape && limits.dimensions().any(|dimension| limits.extents[usize::from(dimension)].is_none()) {
        return Vec::new();
    }
    let asked = Questions::new(&[]);
    let mut threads = Threads::new(place, &asked, differs, Some(Accesses::new(shared)));
    let mut seen: FxHashMap<(At, At, bool), Seen> = FxHashMap::default();
    let mut executed: FxHashMap<At, FxHashMap<usize, Times>> = FxHashMap::default();
    let mut looked_at: Vec<Launch<'_>> = Vec::new();
    let mut steps = MOST_STEPS;
    for launch in launches::all(&limits).filter(|launch| launch.shape.is_full).step_by(APART) {
        let ids = launch.some_threads(&limits);
        let is_exact = threads.follow(&launch, &ids, &mut steps).is_some_and(|followed| followed.is_exact);
        if let Some(accesses) = threads.accesses.as_ref().filter(|_| is_exact) {
            let number = looked_at.len();
            for access in &accesses.found {
                let times = executed.entry(access.at).or_default().entry(number).or_default();
                // Those of a thread follow each other.
                times.is_repeated |= times.last == Some(access.thread);
                times.last = Some(access.thread);
            }
            for (pair, first) in accesses.races(launch.shape.subgroup) {
                seen.entry(pair).or_insert_with(|| Seen { first, launches: Vec::new() }).launches.push(number);
            }
            looked_at.push(launch);
        }
        let shows_nothing = looked_at.len() >= ENOUGH_OF_NOTHING && seen.is_empty();
        if steps == 0 || shows_nothing || looked_at.len() >= ENOUGH {
            break;
        }
    }
    let races = |(read, write, _): &(At, At, bool), seen: &Seen| {
        let rounds: FxHashSet<u64> = seen.launches.iter().map(|&launch| looked_at[launch].round()).collect();
        let is_repeated = |at: &At, launch: &usize| executed[at].get(launch).is_some_and(|times| times.is_repeated);
        let both = executed[read].keys().filter(|launch| executed[write].contains_key(launch));
        let mut silent = both.filter(|launch| !seen.launches.contains(launch));
        silent.all(|launch| !is_repeated(read, launch) && !is_repeated(write, launch))
            && seen.launches.len() >= FEWEST
            && rounds.len() >= FEWEST_ROUNDS
    };
    let accesses = threads.accesses.as_ref();
    seen.retain(|pair, seen| !(in_lock_step && pair.2) && races(pair, seen));
    let across: FxHashSet<(At, At)> =
        seen.keys().filter(|pair| !pair.2).map(|&(read, write, _)| (read, write)).collect();
    let race = |((read, write, is_in_subgroup), seen): ((At, At, bool), Seen)| {
        let places = &accesses?.places;
        let variable = places.iter().find(|(place, _)| place.contains(&seen.first[0].address))?.1;
        let shape = looked_at[*seen.launches.first()?].shape;
        let threads = seen.first.map(|access| shape.id_of(access.thread));
        let is_across = across.contains(&(read, write));
        Some(Race { variable, read, write, is_in_subgroup, is_across, extents: shape.extents, threads })
    };
    let mut found: Vec<Race> = seen.into_iter().filter_map(race).collect();
    found.sort_by_key(|race| (race.read, race.write, !race.is_in_subgroup));
    found.dedup_by_key(|race| (race.read, race.write));
    found
}
