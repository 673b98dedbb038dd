//! Threads that exchange something in the memory of their workgroup, with nothing that orders what they do.
//!
//! **Definition.** In a launch, a read and a write *race* when one thread reads an address that another one writes, the first does not write it itself, and
//! neither executes something in between that may order the two ([`Order`](super::code::Order)): as often as one executed an operation before its access, so often did the
//! other, and in all they do so equally often. An atomic operation reads and writes, and races with what is not atomic. Threads of one subgroup are compared by all operations, others by those of the workgroup.
//!
//! A pair of instructions races when it does so in every launch that is looked at and in which both are executed; but for those in which it takes another
//! iteration: all threads execute the one in one epoch, and the other one in another epoch.
//!
//! **Tiles.** A kernel that reads the numbers of threads in two dimensions is written for one shape, as in others what it takes for the rows of a tile overlaps. Where nothing says which, it is
//! that in which the program launches it, or that of a [`Tile`], a variable of several rows, iff the kernel fills it: some write of each launch that has one has thread (x, y) write the element \[y\]\[x\] or \[x\]\[y\], and no two threads write
//! one element between two barriers. The last column may be left out, as it is there for the banks of memory only.
//!
//! **Shapes.** Where nothing says how large a workgroup is, a launch says nothing of an array in which threads of several subgroups write one element between two barriers, or behind whose end one reads or writes: it is written for a smaller one.
//!
//! **Distances.** A launch says nothing of threads of several subgroups that no longer race in it when one parameter of the kernel is made large: it may be how far apart the parts are that
//! subgroups have of an array, and the host chooses it so that they do not overlap.
//!
//! **Built-in headers.** What a function of one accesses is accessed by the call of it.
//!
//! **Data.** Where the place of an atomic operation depends on something that is not known, it is made up, the same in all threads: as it is atomic, threads may come to one place.
//!
//! **What is not said.** Writes that race with each other, as they may write the same; what else is behind an address that is not known; kernels that read
//! the numbers of threads in several dimensions, where neither something else nor a tile says how large a workgroup is in these; what a thread does after
//! a branch that depends on something that is not known; threads of several subgroups in launches in which there is something of which nobody knows what it orders.

mod accesses;

use std::collections::BTreeSet;
use std::sync::Arc;

use reconverge_findings::control::Update;
use reconverge_ir::function::{Inst, Value};
use reconverge_ir::{FunctionId, Symbol};
use rustc_hash::{FxHashMap, FxHashSet};

use super::Place;
use super::code::{Access as Kind, Asked, Code};
use super::launches::{self, Launch, Limits, MOST_THREADS};
use super::questions::Questions;
use super::threads::Threads;
pub(super) use accesses::Accesses;
use accesses::{Access, Epoch};

/// So many instructions are executed for one kernel, all launches together; more for those over few tiles, most of which are short.
const MOST_STEPS: usize = 600_000;
const MOST_STEPS_OF_TILES: usize = 2_200_000;
const MOST_STEPS_OF_ROWS: usize = 4_000_000;

/// So many launches have to show a race, in so many rounds.
const FEWEST: usize = 5;
const FEWEST_ROUNDS: usize = 3;

/// So many instructions are executed for one launch with a large parameter, and so many parameters are made large.
const MOST_STEPS_OF_LARGE: usize = 400_000;
const MOST_LARGE: usize = 24;

/// With so many that say something, no others are looked at, and with so many of which none shows a race.
const ENOUGH: usize = 28;
const ENOUGH_OF_NOTHING: usize = 10;
const ENOUGH_OF_TILES: usize = 6;

/// So many are looked at again.
const MOST_AGAIN: usize = 16;
const MOST_STEPS_AGAIN: usize = 6_000_000;

/// Of launches that are full, one of so many is looked at: shapes and what is made up change from one to the next.
const APART: usize = 3;

/// So many shapes of tiles are tried, and so many launches of each.
const TILES: usize = 4;

/// A variable in the memory of a workgroup.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Shared {
    pub(crate) symbol: Symbol,
    /// How many bytes it has; of one whose size the launch says, more than it can have.
    pub(crate) size: u64,
    /// Of an array of numbers or structures, which is one row, or of arrays of these.
    pub(crate) tile: Option<Tile>,
}

/// The rows of a variable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Tile {
    pub(crate) rows: u32,
    pub(crate) columns: u32,
    /// The bytes of an element.
    pub(crate) element: u64,
}

impl Tile {
    /// Workgroups that may fill it.
    fn extents(self) -> impl Iterator<Item = [u32; 3]> {
        let sides = [(self.columns, self.rows), (self.columns.saturating_sub(1), self.rows)];
        let all = sides.into_iter().flat_map(|(x, y)| [[x, y, 1], [y, x, 1]]);
        let is_row = self.rows == 1;
        let fits = move |[x, y, _]: &[u32; 3]| if is_row { *x == self.columns } else { *x > 1 && *y > 1 };
        all.filter(move |extents| fits(extents) && extents[0].saturating_mul(extents[1]) <= MOST_THREADS)
    }
}

/// An instruction, wherever it is.
type At = (FunctionId, Inst);

/// A read and a write, of threads of one subgroup; or of any threads.
type Pair = (At, At, bool);

/// A read and a write that race.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Race {
    pub(crate) variable: Symbol,
    pub(crate) read: At,
    pub(crate) write: At,
    /// Which of the two is an atomic operation.
    pub(crate) update: Option<Update>,
    /// Whether threads of one subgroup do, of which two are named then; else only threads of several.
    pub(crate) is_in_subgroup: bool,
    /// Whether threads of several do.
    pub(crate) is_across: bool,
    /// The shape of a workgroup, the thread that reads, and the one that writes.
    pub(crate) extents: [u32; 3],
    pub(crate) threads: [[u32; 3]; 2],
}

/// A variable whose rows a workgroup is to fill.
type Filled<'s> = (&'s Shared, Tile);

/// When threads execute an instruction in a launch.
#[derive(Debug, Clone, Copy)]
struct Times {
    first: Epoch,
    /// Whether all do in the first epoch: as operations of the subgroup count, and as those of the workgroup do.
    is_of_one: [bool; 2],
}

impl Times {
    fn new(first: Epoch) -> Times {
        Times { first, is_of_one: [true; 2] }
    }

    fn add(&mut self, access: &Access) {
        for scope in 0..2 {
            self.is_of_one[scope] &= access.epoch[scope] == self.first[scope];
        }
    }

    /// Whether nothing shows in a launch what another iteration does, for those of a subgroup or of the workgroup.
    fn is_one_iteration(&self, other: &Times, scope: usize) -> bool {
        self.is_of_one[scope] && other.is_of_one[scope] && self.first[scope] != other.first[scope]
    }
}

/// What is known of a pair of instructions.
struct Seen {
    first: [Access; 2],
    /// The launches in which they race, as places among those that are looked at.
    launches: Vec<usize>,
}

/// What launches show.
struct Looked<'l, 'a, 't> {
    threads: Threads<'a, 't>,
    /// What has to be filled.
    tile: Option<Filled<'l>>,
    /// Whether nothing says which shape the kernel is written for.
    is_any_shape: bool,
    seen: FxHashMap<Pair, Seen>,
    /// The launches in which a thread reads by one instruction what another thread writes by the other one, of those in which few are followed.
    met: FxHashMap<Pair, Vec<usize>>,
    /// By instruction, by the places of launches among those that are looked at.
    executed: FxHashMap<At, FxHashMap<usize, Times>>,
    /// Instructions that access other memory.
    elsewhere: FxHashSet<At>,
    launches: Vec<Launch<'l>>,
    /// The threads of these that were followed.
    followed: Vec<Vec<usize>>,
}

impl<'l> Looked<'l, '_, '_> {
    /// Looks at launches with some of their threads, until they say enough. Returns whether some of them were not followed to their ends, or not looked at, or of a shape that does not fit; nothing where the tile is
    /// none.
    fn at(&mut self, launches: impl Iterator<Item = (Vec<usize>, Launch<'l>)>, mut steps: usize) -> Option<bool> {
        let enough_of_nothing = if self.tile.is_some() { ENOUGH_OF_TILES } else { ENOUGH_OF_NOTHING };
        let mut is_cut = false;
        for (ids, launch) in launches {
            let is_followed = self.threads.follow(&launch, &ids, &mut steps).is_some();
            is_cut |= !is_followed;
            if let Some(accesses) = self.threads.accesses.as_mut().filter(|_| is_followed) {
                is_cut |= self.is_any_shape && accesses.forget_misfits();
                match self.tile.map(|(variable, tile)| accesses.fills(variable, tile, launch.shape)) {
                    Some(Some(false)) => return None,
                    Some(None) => continue,
                    None | Some(Some(true)) => {}
                }
                self.elsewhere.extend(&accesses.elsewhere);
                let number = self.launches.len();
                for together in accesses.found.chunk_by(|one, next| one.at == next.at) {
                    let first = &together[0];
                    let of_launch = self.executed.entry(first.at).or_default().entry(number);
                    let times = of_launch.or_insert_with(|| Times::new(first.epoch));
                    together.iter().for_each(|access| times.add(access));
                }
                if launch.has_few_threads() {
                    for pair in accesses.meet(launch.shape.subgroup) {
                        self.met.entry(pair).or_default().push(number);
                    }
                }
                for (pair, first) in accesses.races(launch.shape.subgroup) {
                    let seen = self.seen.entry(pair).or_insert_with(|| Seen { first, launches: Vec::new() });
                    seen.launches.push(number);
                }
                self.launches.push(launch);
                self.followed.push(ids);
            }
            let shows_nothing = self.launches.len() >= enough_of_nothing && self.seen.is_empty();
            is_cut |= steps == 0;
            if steps == 0 || shows_nothing || self.launches.len() >= ENOUGH {
                break;
            }
        }
        Some(is_cut)
    }
}

impl Looked<'_, '_, '_> {
    /// The launches that speak against a race.
    fn silent<'s>(&'s self, pair: &'s Pair, seen: &'s Seen) -> impl Iterator<Item = usize> + 's {
        let (read, write, is_in_subgroup) = *pair;
        let met = self.met.get(pair);
        // Where few threads are followed, those that one needs may not be among them.
        let is_for_few = move |launch: usize| {
            self.launches[launch].has_few_threads() && !met.is_some_and(|met| met.contains(&launch))
        };
        let speaks = move |launch: usize| {
            let times = |at: At| self.executed.get(&at).and_then(|of| of.get(&launch));
            let both = times(read).zip(times(write));
            let is_against =
                both.is_some_and(|(read, write)| !read.is_one_iteration(write, usize::from(!is_in_subgroup)));
            is_against && !is_for_few(launch)
        };
        (0..self.launches.len()).filter(move |&launch| !seen.launches.contains(&launch) && speaks(launch))
    }

    fn is_shown_often(&self, seen: &Seen) -> bool {
        let rounds: FxHashSet<u64> = seen.launches.iter().map(|&launch| self.launches[launch].round()).collect();
        seen.launches.len() >= FEWEST && rounds.len() >= FEWEST_ROUNDS
    }

    fn races(&self, pair: &Pair, seen: &Seen) -> bool {
        self.is_shown_often(seen) && self.silent(pair, seen).next().is_none()
    }

    /// Whether launches show each access to shared variables, and in several iterations where there may be some with something between them that orders accesses.
    fn saw_all(&self) -> bool {
        let of = |code: &Code| {
            code.accesses.iter().all(|&(inst, is_repeated)| {
                let at = (code.id, inst);
                let mut launches = self.executed.get(&at).into_iter().flatten();
                launches.any(|(_, times)| !is_repeated || !times.is_of_one[1])
                    || self.elsewhere.contains(&at) && !self.executed.contains_key(&at)
            })
        };
        // Those of built-in headers are noted as calls.
        self.threads.codes().filter(|code| !code.is_built_in).all(of)
    }

    /// What races, sorted.
    fn into_races(self) -> Vec<Race> {
        let is_race: FxHashSet<Pair> =
            self.seen.iter().filter(|&(pair, seen)| self.races(pair, seen)).map(|(&pair, _)| pair).collect();
        let Looked { threads, mut seen, launches: looked_at, .. } = self;
        let accesses = threads.accesses.as_ref();
        seen.retain(|pair, _| is_race.contains(pair));
        let across: FxHashSet<(At, At)> =
            seen.keys().filter(|pair| !pair.2).map(|&(read, write, _)| (read, write)).collect();
        let race = |((read, write, is_in_subgroup), seen): (Pair, Seen)| {
            let places = &accesses?.places;
            let variable = places.iter().find(|(place, _)| place.contains(&seen.first[0].address))?.1;
            let shape = looked_at[*seen.launches.first()?].shape;
            let threads = seen.first.map(|access| shape.id_of(access.thread));
            let is_across = across.contains(&(read, write));
            let update = match seen.first.map(|access| access.kind) {
                [Kind::Update, _] => Some(Update::Here),
                [_, Kind::Update] => Some(Update::There),
                _ => None,
            };
            Some(Race { variable, read, write, update, is_in_subgroup, is_across, extents: shape.extents, threads })
        };
        let mut found: Vec<Race> = seen.into_iter().filter_map(race).collect();
        found.sort_by_key(|race| (race.read, race.write, !race.is_in_subgroup));
        found.dedup_by_key(|race| (race.read, race.write));
        found
    }

    /// Looks at launches with all of their threads that speak against what others show: the two that race may not have been among those that were followed.
    fn look_again(&mut self) {
        let against = |(pair, seen): (&Pair, &Seen)| {
            let some: Vec<usize> = self.silent(pair, seen).take(MOST_AGAIN + 1).collect();
            if self.is_shown_often(seen) && some.len() <= MOST_AGAIN { some } else { Vec::new() }
        };
        let again: BTreeSet<usize> = self.seen.iter().flat_map(against).collect();
        let mut steps = MOST_STEPS_AGAIN;
        for number in again.into_iter().take(MOST_AGAIN) {
            let launch = self.launches[number].clone();
            let ids: Vec<usize> = (0..launch.shape.threads()).collect();
            let is_followed = self.threads.follow(&launch, &ids, &mut steps).is_some();
            let Some(accesses) = self.threads.accesses.as_mut().filter(|_| is_followed) else { continue };
            if self.is_any_shape {
                accesses.forget_misfits();
            }
            for pair in accesses.races(launch.shape.subgroup).into_keys() {
                if let Some(seen) = self.seen.get_mut(&pair).filter(|seen| !seen.launches.contains(&number)) {
                    seen.launches.push(number);
                }
            }
        }
    }
}

impl Looked<'_, '_, '_> {
    /// Looks at launches in which threads of several subgroups race, with one parameter made large: where they do not race then, that is how far apart their parts of the memory are, and the host
    /// chooses it so that they do not overlap.
    fn forget_what_a_parameter_keeps_apart(&mut self) {
        let of_kernel = self.threads.codes().next().into_iter().flat_map(|code| &code.parameters);
        let parameters: Vec<usize> = of_kernel.map(|&(index, ..)| index).take(MOST_LARGE).collect();
        for parameter in parameters {
            let racing = self.seen.iter().filter(|(pair, seen)| !pair.2 && self.races(pair, seen));
            let shown: BTreeSet<usize> = racing.filter_map(|(_, seen)| seen.launches.first().copied()).collect();
            for number in shown {
                let (launch, mut steps) = (self.launches[number].with_large(parameter), MOST_STEPS_OF_LARGE);
                let is_followed = self.threads.follow(&launch, &self.followed[number], &mut steps).is_some();
                let Some(accesses) = self.threads.accesses.as_mut().filter(|_| is_followed) else { continue };
                let races = accesses.races(launch.shape.subgroup);
                let executed: FxHashSet<At> = accesses.found.iter().map(|access| access.at).collect();
                self.seen.retain(|pair, seen| {
                    let shows = !pair.2 && seen.launches.contains(&number);
                    !shows || races.contains_key(pair) || !executed.contains(&pair.0) || !executed.contains(&pair.1)
                });
            }
        }
    }
}

/// The reads and writes of shared variables that race in a kernel, by the place of the read in the text; those of one subgroup only where these threads do not run in
/// lock-step. O(launches · steps).
pub(crate) fn races(
    place: Place<'_, '_>,
    shared: &[Shared],
    in_lock_step: bool,
    differs: &dyn Fn(Value) -> bool,
) -> Vec<Race> {
    let mut limits = Limits::new(place);
    let is_said = limits.extents.iter().any(Option::is_some);
    if let Some(block) = place.facts.launched_block(place.id).filter(|_| !is_said) {
        limits.extents = block.map(Some);
    }
    let questions = Questions::new(&[]);
    let code = Arc::new(Code::new(place, Some(&Asked { questions: &questions, differs }), true));
    let kernel = Kernel { place, questions: &questions, code, shared, in_lock_step };
    let is_known = limits.dimensions().all(|dimension| limits.extents[usize::from(dimension)].is_some());
    let (has_rows, full) = (limits.dimensions().count() > 1, limits.full_extent());
    if has_rows && is_known {
        return kernel.races(&limits, Plan::Tiles(None)).map(|found| found.races).unwrap_or_default();
    }
    if has_rows && (limits.read[2] || is_said) {
        return Vec::new();
    }
    if !has_rows {
        let usual = kernel.races(&limits, Plan::Usual);
        if let Some(found) = usual.filter(|found| !found.races.is_empty() || !found.ran_out || found.saw_nothing) {
            return found.races;
        }
    }
    let mut shapes: Vec<([u32; 3], Option<Filled<'_>>)> = Vec::new();
    let tiles = shared.iter().filter_map(|shared| Some((shared, shared.tile?)));
    for (variable, tile) in tiles.filter(|(_, tile)| (tile.rows > 1) == has_rows) {
        for extents in tile.extents() {
            if shapes.len() < TILES && !shapes.iter().any(|(known, _)| *known == extents) {
                shapes.push((extents, Some((variable, tile))));
            }
        }
    }
    if !has_rows {
        if is_known {
            shapes.clear();
        }
        shapes.push(([full, 1, 1], None));
    }
    let plan = if has_rows { Plan::Tiles } else { Plan::Rows };
    let of_shape = |(extents, tile): ([u32; 3], _)| {
        limits.extents = extents.map(Some);
        kernel.races(&limits, plan(tile))
    };
    shapes.into_iter().find_map(of_shape).map(|found| found.races).unwrap_or_default()
}

/// Which launches are looked at; where a tile is given, those that fill it.
#[derive(Clone, Copy)]
enum Plan<'s> {
    /// Of all kinds.
    Usual,
    /// Those over few tiles, then the usual ones.
    Tiles(Option<Filled<'s>>),
    /// Those over few tiles of one row. Loops over one are long: they are worth the time where others are not followed to their ends.
    Rows(Option<Filled<'s>>),
}

/// What came of it.
struct FoundRaces {
    races: Vec<Race>,
    /// Whether launches were not followed to their ends, there was no time for others, or some were of a shape that does not fit.
    ran_out: bool,
    /// Whether none of them shows a race, although they show each access, and in several iterations where there may be some with a barrier between them.
    saw_nothing: bool,
}

/// A kernel that is looked at.
struct Kernel<'a, 't> {
    place: Place<'a, 't>,
    questions: &'a Questions<'a>,
    code: Arc<Code>,
    shared: &'a [Shared],
    in_lock_step: bool,
}

impl Kernel<'_, '_> {
    /// The same in the launches of a plan; nothing where none fills its tile.
    fn races(&self, limits: &Limits, plan: Plan<'_>) -> Option<FoundRaces> {
        let accesses = Accesses::new(self.shared);
        let threads = Threads::new(self.place, self.questions, Arc::clone(&self.code), Some(accesses));
        let tile = if let Plan::Tiles(tile) | Plan::Rows(tile) = plan { tile } else { None };
        let is_any_shape = matches!(plan, Plan::Usual) && limits.extents.iter().all(Option::is_none);
        let (seen, met) = (FxHashMap::default(), FxHashMap::default());
        let (executed, elsewhere) = (FxHashMap::default(), FxHashSet::default());
        let (launches, followed) = (Vec::new(), Vec::new());
        let mut looked = Looked { threads, tile, is_any_shape, seen, met, executed, elsewhere, launches, followed };
        let usual = || {
            let full = launches::all(limits).filter(|launch| launch.shape.is_full).step_by(APART);
            full.map(|launch| (launch.some_threads(limits), launch))
        };
        let over_few_tiles = || {
            let full = launches::over_few_tiles(limits).filter(|launch| launch.shape.is_full);
            full.map(|launch| (launch.threads_over_tiles(limits), launch))
        };
        let ran_out = match plan {
            Plan::Usual => looked.at(usual(), MOST_STEPS)?,
            Plan::Tiles(_) => looked.at(over_few_tiles().chain(usual()), MOST_STEPS_OF_TILES)?,
            Plan::Rows(_) => looked.at(over_few_tiles(), MOST_STEPS_OF_ROWS)?,
        };
        if tile.is_some() && looked.launches.is_empty() {
            return None;
        }
        let saw_nothing = looked.seen.is_empty() && looked.saw_all();
        looked.seen.retain(|pair, _| !(self.in_lock_step && pair.2));
        looked.look_again();
        looked.forget_what_a_parameter_keeps_apart();
        Some(FoundRaces { races: looked.into_races(), ran_out, saw_nothing })
    }
}
