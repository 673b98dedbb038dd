//! What the threads of a launch do to the memory of their workgroup: the [definition](super) of a race in one launch.

use std::ops::Range;

use reconverge_ir::Symbol;
use rustc_hash::{FxHashMap, FxHashSet};

use super::{At, Pair, Shared, Tile};
use crate::certainty::code::{Access as Kind, Order, PIECE, address_of};
use crate::certainty::launches::Shape;

/// So many bytes behind a variable are taken for what is behind its end: variables are much farther from each other.
const BEHIND: u64 = 1 << 20;

/// How often a thread executed something that orders accesses: for those of its subgroup, and for those of its workgroup.
pub(super) type Epoch = [u32; 2];

/// What writes of one address have in common that race with the same reads of other subgroups: the instruction, the subgroup, and how often its thread reaches what
/// orders accesses of the workgroup.
type Alike = (At, usize, u32);

/// An instruction that writes, and a thread that executes it.
type Writer = (At, usize);

/// An access of a thread.
#[derive(Debug, Clone, Copy)]
pub(super) struct Access {
    pub(super) thread: usize,
    pub(super) at: At,
    pub(super) address: u64,
    /// Whether it is the address of the instruction, not one of another piece.
    is_first: bool,
    pub(super) kind: Kind,
    pub(super) epoch: Epoch,
    /// The number of the element that it is of.
    element: u32,
}

/// What is done with an address between two barriers of the workgroup.
#[derive(Debug)]
struct Element {
    address: u64,
    /// The first thread that accesses it, and whether others do.
    first: usize,
    is_of_several: bool,
    /// The first thread that writes it, whether others do, and some of other subgroups.
    writer: Option<usize>,
    has_several_writers: bool,
    is_written_across: bool,
    is_updated: bool,
}

/// What the threads of a launch do to the memory of the workgroup.
#[derive(Debug)]
pub(in crate::certainty) struct Accesses {
    /// Where variables are, and which.
    pub(super) places: Vec<(Range<u64>, Symbol)>,
    pub(super) found: Vec<Access>,
    elements: Vec<Element>,
    /// Their places in the list, by address and barriers before.
    numbers: FxHashMap<(u64, u32), u32>,
    /// The variables, by their places in the list, behind whose end something is.
    left: Vec<usize>,
    /// The instructions that access something else.
    pub(super) elsewhere: Vec<At>,
    /// Each thread, and its epoch so far.
    epochs: Vec<(usize, Epoch)>,
    /// Whether something happened of which nobody knows what it orders.
    is_unclear: bool,
}

impl Accesses {
    pub(super) fn new(shared: &[Shared]) -> Accesses {
        let place = |shared: &Shared| {
            let start = address_of(shared.symbol);
            (start..start.saturating_add(shared.size), shared.symbol)
        };
        Accesses {
            places: shared.iter().map(place).collect(),
            found: Vec::new(),
            elements: Vec::new(),
            numbers: FxHashMap::default(),
            left: Vec::new(),
            elsewhere: Vec::new(),
            epochs: Vec::new(),
            is_unclear: false,
        }
    }

    /// Starts a launch, of which these threads are followed.
    pub(in crate::certainty) fn begin(&mut self, threads: &[usize]) {
        self.found.clear();
        self.left.clear();
        self.elsewhere.clear();
        self.epochs.clear();
        self.epochs.extend(threads.iter().map(|&thread| (thread, [0; 2])));
        self.is_unclear = false;
    }

    /// One of the threads, by its place among them, accesses so many [pieces](PIECE) from an address on.
    pub(in crate::certainty) fn access(&mut self, thread: usize, at: At, address: u64, kind: Kind, pieces: u32) {
        let (thread, epoch) = self.epochs[thread];
        for piece in 0..pieces {
            let (address, is_first) = (address.wrapping_add(u64::from(piece) * PIECE), piece == 0);
            let near = |place: &Range<u64>| place.start <= address && address < place.end.saturating_add(BEHIND);
            match self.places.iter().position(|(place, _)| near(place)) {
                Some(variable) if address >= self.places[variable].0.end => self.left.push(variable),
                Some(_) => self.found.push(Access { thread, at, address, is_first, kind, epoch, element: 0 }),
                // Many threads do the same one after the other.
                None if self.elsewhere.last() == Some(&at) => {}
                None => self.elsewhere.push(at),
            }
        }
    }

    /// One of the threads, by its place among them, executes something that orders accesses.
    pub(in crate::certainty) fn order(&mut self, thread: usize, order: Order) {
        let (_, [of_subgroup, of_workgroup]) = &mut self.epochs[thread];
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

    /// All threads have been followed. Linear in accesses.
    pub(in crate::certainty) fn end(&mut self, subgroup: usize) {
        self.elements.clear();
        self.numbers.clear();
        for access in &mut self.found {
            let &mut Access { thread, address, kind, epoch, .. } = access;
            let new = self.elements.len() as u32;
            access.element = *self.numbers.entry((address, epoch[1])).or_insert(new);
            if access.element == new {
                let (writer, no) = (None, false);
                let element = Element {
                    address,
                    first: thread,
                    is_of_several: no,
                    writer,
                    has_several_writers: no,
                    is_written_across: no,
                    is_updated: no,
                };
                self.elements.push(element);
            }
            let element = &mut self.elements[access.element as usize];
            element.is_of_several |= thread != element.first;
            element.is_updated |= kind == Kind::Update;
            if kind.is_store() {
                let first = *element.writer.get_or_insert(thread);
                element.has_several_writers |= first != thread;
                element.is_written_across |= first / subgroup != thread / subgroup;
            }
        }
    }

    /// Whether threads of this shape fill a tile; nothing where nobody writes to it.
    pub(super) fn fills(&self, shared: &Shared, tile: Tile, shape: Shape) -> Option<bool> {
        let start = address_of(shared.symbol);
        let place = start..start.saturating_add(shared.size);
        let is_in = |element: &&Element| place.contains(&element.address);
        if self.elements.iter().filter(is_in).any(|element| element.has_several_writers) {
            return Some(false);
        }
        let mut fit: FxHashMap<At, [bool; 2]> = FxHashMap::default();
        for write in self
            .found
            .iter()
            .filter(|access| access.kind.is_store() && access.is_first && place.contains(&access.address))
        {
            let [x, y, _] = shape.id_of(write.thread).map(u64::from);
            let element = |row: u64, column: u64| start + (row * u64::from(tile.columns) + column) * tile.element;
            let fits = fit.entry(write.at).or_insert([true; 2]);
            fits[0] &= write.address == element(y, x);
            fits[1] &= write.address == element(x, y);
        }
        (!fit.is_empty()).then(|| fit.values().any(|[straight, transposed]| *straight || *transposed))
    }

    /// Leaves out the arrays that this is no shape for, and says whether there are any: threads of several subgroups write one element between two barriers, or something is behind the end.
    pub(super) fn forget_misfits(&mut self) -> bool {
        /// A variable of no more bytes is one value, which many may write.
        const VALUE: u64 = 16;
        let is_array = |place: &Range<u64>| place.end - place.start > VALUE;
        let mut misfits: Vec<Range<u64>> = self.left.iter().map(|&variable| self.places[variable].0.clone()).collect();
        for element in self.elements.iter().filter(|element| element.is_written_across) {
            let has = |place: &&Range<u64>| place.contains(&element.address);
            if !misfits.iter().any(|place| has(&place)) {
                let places = self.places.iter().map(|(place, _)| place);
                misfits.extend(places.filter(has).filter(|place| is_array(place)).cloned());
            }
        }
        if !misfits.is_empty() {
            self.found.retain(|access| !misfits.iter().any(|place| place.contains(&access.address)));
        }
        !misfits.is_empty()
    }

    /// The pairs of which some thread reads what another one writes, whatever orders them. Linear in accesses, but for the instructions that write one address.
    pub(super) fn meet(&self, subgroup: usize) -> FxHashSet<Pair> {
        // Two are enough: one of them is another thread.
        let mut writers: FxHashMap<(u64, Option<usize>), Vec<Writer>> = FxHashMap::default();
        let mut known: FxHashSet<(At, usize, u64)> = FxHashSet::default();
        for write in self.found.iter().filter(|access| access.kind.writes()) {
            if known.insert((write.at, write.thread, write.address)) {
                for group in [None, Some(write.thread / subgroup)] {
                    let all = writers.entry((write.address, group)).or_default();
                    if all.iter().filter(|(at, _)| *at == write.at).count() < 2 {
                        all.push((write.at, write.thread));
                    }
                }
            }
        }
        let mut found = FxHashSet::default();
        for read in self.found.iter().filter(|access| access.kind.reads()) {
            if known.insert((read.at, read.thread, read.address)) || read.kind == Kind::Update {
                for group in [None, Some(read.thread / subgroup)] {
                    let all = writers.get(&(read.address, group)).into_iter().flatten();
                    let others = all.filter(|(_, thread)| *thread != read.thread);
                    found.extend(others.map(|&(write, _)| (read.at, write, group.is_some())));
                }
            }
        }
        found
    }

    /// The accesses to what several threads access between two barriers of the workgroup, and one of them writes: no others race, and in most launches there are none.
    fn contested(&self) -> impl Iterator<Item = &Access> {
        let is_contested =
            |element: &Element| element.is_of_several && (element.writer.is_some() || element.is_updated);
        self.found.iter().filter(move |access| is_contested(&self.elements[access.element as usize]))
    }

    /// The pairs of accesses that race, each with two threads that do: within subgroups of a size, and across them. Of what cannot be told apart one is enough, so it is linear in accesses, and
    /// quadratic in the instructions that access one address between two barriers only.
    pub(super) fn races(&self, subgroup: usize) -> FxHashMap<Pair, [Access; 2]> {
        let ends: FxHashMap<usize, Epoch> = self.epochs.iter().copied().collect();
        let of_subgroup = |access: &Access| access.thread / subgroup;
        // Each access once: what a thread does again before anything orders it.
        let mut known: FxHashSet<(usize, At, u64, Epoch)> = FxHashSet::default();
        let is_new = |access: &&Access| known.insert((access.thread, access.at, access.address, access.epoch));
        let mut accesses: Vec<&Access> = self.contested().filter(is_new).collect();
        // What a thread does comes before what the next one does: examples are of the first.
        accesses.sort_by_key(|access| access.thread);
        // Who writes an address itself, and who changes it.
        let mut own: FxHashSet<(u64, usize, u32)> = FxHashSet::default();
        let mut changed: FxHashSet<(u64, usize, u32)> = FxHashSet::default();
        let mut within: FxHashMap<(u64, Epoch, usize), Vec<&Access>> = FxHashMap::default();
        let mut across: FxHashMap<(u64, u32), FxHashMap<Alike, &Access>> = FxHashMap::default();
        for &write in accesses.iter().filter(|access| access.kind.writes()) {
            let (address, epoch) = (write.address, write.epoch);
            let of_thread = (address, write.thread, epoch[1]);
            changed.insert(of_thread);
            if write.kind.is_store() {
                own.insert(of_thread);
            }
            within.entry((address, epoch, of_subgroup(write))).or_default().push(write);
            let alike = (write.at, of_subgroup(write), ends[&write.thread][1]);
            across.entry((address, epoch[1])).or_default().entry(alike).or_insert(write);
        }
        let mut found = FxHashMap::default();
        let mut asked: FxHashSet<(At, u64, Epoch, usize, Epoch, Option<usize>)> = FxHashSet::default();
        for &read in accesses.iter().filter(|access| access.kind.reads()) {
            let (address, epoch, end) = (read.address, read.epoch, ends[&read.thread]);
            // Who writes the same as others may read it, but not change it.
            let of_thread = (address, read.thread, epoch[1]);
            // Those that change it themselves are each another one among those that do.
            let itself = changed.contains(&of_thread).then_some(read.thread);
            if read.kind != Kind::Update && own.contains(&of_thread)
                || !asked.insert((read.at, address, epoch, of_subgroup(read), end, itself))
            {
                continue;
            }
            let within = within.get(&(address, epoch, of_subgroup(read))).into_iter().flatten();
            let within = within.filter(|write| ends[&write.thread] == end && write.thread != read.thread);
            for &write in within.filter(|write| !read.kind.goes_with(write.kind)) {
                found.entry((read.at, write.at, true)).or_insert([*read, *write]);
            }
            let across = across.get(&(address, epoch[1])).filter(|_| !self.is_unclear).into_iter().flatten();
            let across = across.filter(|&(&(_, other, last), _)| other != of_subgroup(read) && last == end[1]);
            for (_, &write) in across.filter(|(_, write)| !read.kind.goes_with(write.kind)) {
                found.entry((read.at, write.at, false)).or_insert([*read, *write]);
            }
        }
        found
    }
}
