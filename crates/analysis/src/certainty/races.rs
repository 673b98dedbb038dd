//! Threads that exchange something in the memory of their workgroup, with nothing that orders what they do.
//!
//! **Definition.** In a launch, a read and a write *race* when one thread reads an address that another one writes, the first does not write it itself, and
//! neither executes something in between that may order the two ([`Order`]): as often as one executed an operation before its access, so often did the
//! other, and in all they do so equally often. Threads of one subgroup are compared by all operations, others by those of the workgroup.
//!
//! A pair of instructions races when it does so in every launch that is looked at, is exact, and in which both are executed; but for those in which it takes another
//! iteration: each thread executes both at most once, or all threads execute each of them in one epoch, and the other one in another epoch.
//!
//! **Tiles.** A kernel that reads the numbers of threads in two dimensions is written for one shape, as in others what it takes for the rows of a tile overlaps. Where nothing says which, it is
//! that in which the program launches it, or that of a [`Tile`], a variable of several rows, iff the kernel fills it: some write of each launch that has one has thread (x, y) write the element \[y\]\[x\] or \[x\]\[y\], and no two threads write
//! one element between two barriers. The last column may be left out, as it is there for the banks of memory only.
//!
//! **What is not said.** Writes that race with each other, as they may write the same; what is behind an address that is not known; kernels that read
//! the numbers of threads in several dimensions, where neither something else nor a tile says how large a workgroup is in these; anything in launches
//! in which a branch depends on something that is not known, or in which there is something of which nobody knows what it orders between subgroups.

use std::ops::Range;

use reconverge_ir::function::{Inst, Value};
use reconverge_ir::{FunctionId, Symbol};
use rustc_hash::{FxHashMap, FxHashSet};

use super::Place;
use super::code::{Order, address_of};
use super::launches::{self, Launch, Limits, Shape};
use super::questions::Questions;
use super::threads::Threads;

/// So many instructions are executed for one kernel, all launches together.
const MOST_STEPS: usize = 600_000;
const MOST_STEPS_OF_TILES: usize = 1_000_000;

/// So many launches have to show a race, in so many rounds.
const FEWEST: usize = 5;
const FEWEST_ROUNDS: usize = 3;

/// With so many that say something, no others are looked at, and with so many of which none shows a race.
const ENOUGH: usize = 28;
const ENOUGH_OF_NOTHING: usize = 10;
const ENOUGH_OF_TILES: usize = 6;

/// Of launches that are full, one of so many is looked at: shapes and what is made up change from one to the next.
const APART: usize = 3;

/// The most threads of a workgroup.
const MOST_THREADS: u32 = 1024;

/// So many shapes of tiles are tried, and so many launches of each.
const TILES: usize = 4;

/// A variable in the memory of a workgroup.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Shared {
    pub(crate) symbol: Symbol,
    /// How many bytes it has; of one whose size the launch says, more than it can have.
    pub(crate) size: u64,
    /// Of an array of arrays of scalars.
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
        all.filter(|[x, y, _]| *x > 1 && *y > 1 && x.saturating_mul(*y) <= MOST_THREADS)
    }
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

    /// Whether threads of this shape fill a tile; nothing where nobody writes to it.
    fn fills(&self, shared: &Shared, tile: Tile, shape: Shape) -> Option<bool> {
        let start = address_of(shared.symbol);
        let place = start..start.saturating_add(shared.size);
        let mut writers: FxHashMap<(u64, u32), usize> = FxHashMap::default();
        let mut fit: FxHashMap<At, [bool; 2]> = FxHashMap::default();
        for write in self.found.iter().filter(|access| access.writes && place.contains(&access.address)) {
            if *writers.entry((write.address, write.epoch[1])).or_insert(write.thread) != write.thread {
                return Some(false);
            }
            let [x, y, _] = shape.id_of(write.thread).map(u64::from);
            let element = |row: u64, column: u64| start + (row * u64::from(tile.columns) + column) * tile.element;
            let fits = fit.entry(write.at).or_insert([true; 2]);
            fits[0] &= write.address == element(y, x);
            fits[1] &= write.address == element(x, y);
        }
        (!fit.is_empty()).then(|| fit.values().any(|[straight, transposed]| *straight || *transposed))
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

/// How often, and when, threads execute an instruction in a launch.
#[derive(Debug, Clone, Copy)]
struct Times {
    last: Option<usize>,
    /// Whether one does more than once.
    is_repeated: bool,
    first: Epoch,
    /// Whether all do in the first epoch: as operations of the subgroup count, and as those of the workgroup do.
    is_of_one: [bool; 2],
}

impl Times {
    fn new(first: Epoch) -> Times {
        Times { last: None, is_repeated: false, first, is_of_one: [true; 2] }
    }

    fn add(&mut self, access: &Access) {
        // Those of a thread follow each other.
        self.is_repeated |= self.last == Some(access.thread);
        self.last = Some(access.thread);
        for scope in 0..2 {
            self.is_of_one[scope] &= access.epoch[scope] == self.first[scope];
        }
    }

    /// Whether nothing shows in a launch what another iteration does, for those of a subgroup or of the workgroup.
    fn is_one_iteration(&self, other: &Times, scope: usize) -> bool {
        let is_ordered = self.is_of_one[scope] && other.is_of_one[scope] && self.first[scope] != other.first[scope];
        is_ordered || !self.is_repeated && !other.is_repeated
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
    tile: Option<(&'l Shared, Tile)>,
    seen: FxHashMap<(At, At, bool), Seen>,
    /// By instruction, by the places of launches among those that are looked at.
    executed: FxHashMap<At, FxHashMap<usize, Times>>,
    launches: Vec<Launch<'l>>,
}

impl<'l> Looked<'l, '_, '_> {
    /// Looks at launches with some of their threads, until they say enough. Returns whether some of them were not followed to their ends; nothing where the tile is
    /// none.
    fn at(&mut self, launches: impl Iterator<Item = (Vec<usize>, Launch<'l>)>, mut steps: usize) -> Option<bool> {
        let enough_of_nothing = if self.tile.is_some() { ENOUGH_OF_TILES } else { ENOUGH_OF_NOTHING };
        let mut is_cut = false;
        for (ids, launch) in launches {
            let followed = self.threads.follow(&launch, &ids, &mut steps);
            is_cut |= followed.is_none();
            let is_exact = followed.is_some_and(|followed| followed.is_exact);
            if let Some(accesses) = self.threads.accesses.as_ref().filter(|_| is_exact) {
                match self.tile.map(|(variable, tile)| accesses.fills(variable, tile, launch.shape)) {
                    Some(Some(false)) => return None,
                    Some(None) => continue,
                    None | Some(Some(true)) => {}
                }
                let number = self.launches.len();
                for access in &accesses.found {
                    let of_launch = self.executed.entry(access.at).or_default().entry(number);
                    of_launch.or_insert_with(|| Times::new(access.epoch)).add(access);
                }
                for (pair, first) in accesses.races(launch.shape.subgroup) {
                    let seen = self.seen.entry(pair).or_insert_with(|| Seen { first, launches: Vec::new() });
                    seen.launches.push(number);
                }
                self.launches.push(launch);
            }
            let shows_nothing = self.launches.len() >= enough_of_nothing && self.seen.is_empty();
            if steps == 0 || shows_nothing || self.launches.len() >= ENOUGH {
                break;
            }
        }
        Some(is_cut)
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
    if limits.dimensions().count() > 1
        && let Some(block) = place.facts.launched_block(place.id).filter(|_| !is_said)
    {
        limits.extents = block.map(Some);
    }
    let is_known = limits.dimensions().all(|dimension| limits.extents[usize::from(dimension)].is_some());
    if limits.dimensions().count() == 1 || is_known {
        return races_in(place, shared, in_lock_step, differs, &limits, None).unwrap_or_default();
    }
    if limits.read[2] || is_said {
        return Vec::new();
    }
    let tiles = shared.iter().filter_map(|shared| Some((shared, shared.tile?)));
    let mut shapes: Vec<([u32; 3], &Shared, Tile)> = Vec::new();
    for (variable, tile) in tiles {
        for extents in tile.extents() {
            if shapes.len() < TILES && !shapes.iter().any(|(known, ..)| *known == extents) {
                shapes.push((extents, variable, tile));
            }
        }
    }
    let of_shape = |(extents, variable, tile): ([u32; 3], _, _)| {
        limits.extents = extents.map(Some);
        races_in(place, shared, in_lock_step, differs, &limits, Some((variable, tile)))
    };
    shapes.into_iter().find_map(of_shape).unwrap_or_default()
}

/// The same for some shapes; where it is one for a tile, in launches that fill it, if there are any.
fn races_in(
    place: Place<'_, '_>,
    shared: &[Shared],
    in_lock_step: bool,
    differs: &dyn Fn(Value) -> bool,
    limits: &Limits,
    tile: Option<(&Shared, Tile)>,
) -> Option<Vec<Race>> {
    let asked = Questions::new(&[]);
    let threads = Threads::new(place, &asked, differs, Some(Accesses::new(shared)));
    let mut looked =
        Looked { threads, tile, seen: FxHashMap::default(), executed: FxHashMap::default(), launches: Vec::new() };
    let usual = || {
        let full = launches::all(limits).filter(|launch| launch.shape.is_full).step_by(APART);
        full.map(|launch| (launch.some_threads(limits), launch))
    };
    let over_few_tiles = || {
        let full = launches::over_few_tiles(limits).filter(|launch| launch.shape.is_full);
        full.map(|launch| (launch.few_threads(), launch))
    };
    if limits.dimensions().count() > 1 {
        looked.at(over_few_tiles().chain(usual()), MOST_STEPS_OF_TILES)?;
    } else {
        let is_cut = looked.at(usual(), MOST_STEPS)?;
        // Loops over a tile that is one row are long: they are worth the time where others are not followed to their ends.
        if is_cut && looked.seen.is_empty() {
            looked.at(over_few_tiles(), MOST_STEPS_OF_TILES)?;
        }
    }
    if tile.is_some() && looked.launches.is_empty() {
        return None;
    }
    let Looked { threads, mut seen, executed, launches: looked_at, .. } = looked;
    let races = |(read, write, is_in_subgroup): &(At, At, bool), seen: &Seen| {
        let rounds: FxHashSet<u64> = seen.launches.iter().map(|&launch| looked_at[launch].round()).collect();
        let both =
            executed[read].iter().filter_map(|(launch, read)| Some((launch, read, executed[write].get(launch)?)));
        // Where few threads are followed, the one that races may not be among them.
        let mut silent =
            both.filter(|&(launch, ..)| !looked_at[*launch].is_over_few_tiles() && !seen.launches.contains(launch));
        silent.all(|(_, read, write)| read.is_one_iteration(write, usize::from(!is_in_subgroup)))
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
    Some(found)
}
