//! Data races between the threads of a workgroup.
//!
//! Two accesses *conflict* if they touch one byte, are of different threads, not both reads and not both atomic. Two that conflict are a
//! *race* unless one comes before the other ([`clocks`]). Global and local memory are kept apart: a barrier may order the one and not
//! the other.
//!
//! For each cell (a word, or a byte in pages of which parts of words are accessed) the *frontier* is kept: accesses such that
//! whatever races with any access so far races with one of them. An access *covers* another if all that conflicts with that conflicts with it,
//! but for whose they are. A new access
//! 1. races with what is on the frontier, conflicts with it and does not come before it;
//! 2. displaces what comes before it and is covered by it, and what it has raced with;
//! 3. is added, unless it is redundant. An access *e* is redundant if there are two others on the frontier that cover it and are of different
//!    subgroups, or of different threads of its own subgroup and have its stamp. For then, whatever is done by whichever thread later, one
//!    of the two is as far from coming before it as *e* is, provided that subgroups are divided by no barrier.
//!
//! So a frontier has seldom more than two accesses. What is reported is always a race. What is reported for a byte is not all races: the first
//! one always is, if threads synchronise by barriers of workgroups and of whole subgroups, and usually otherwise.

mod clocks;

use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

use super::access::Place;
use super::address::Segment;
use super::fault::{Faults, ObjectPlace, Race, Site, Touch};
use super::waves::Offsets;
use super::{Access, Layout, Memory, Ordered, Synchronisation, Workgroup};
use crate::value::{Mask, WIDTH, lanes_of};
use clocks::{Clocks, Location};

/// The races of a workgroup.
pub(super) struct Races {
    global: Detector,
    local: Detector,
    /// The pairs of instructions that were reported, the lesser number first.
    reported: FxHashSet<(Site, Site)>,
    waves: Vec<Mask>,
    wave: u32,
}

/// How many words share a page.
const PAGE: usize = 256;

struct Detector {
    clocks: Clocks,
    /// For each object, the number of each of its pages, from 1; 0: none yet.
    directory: Vec<Vec<u32>>,
    /// Those entries of the directory that are not 0.
    used: Vec<(u32, u32)>,
    pages: Vec<Page>,
    /// Of each cell that is so marked, the frontier but for its first two.
    more: FxHashMap<(u32, u32), SmallVec<[Record; 4]>>,
    subgroup: u32,
}

#[derive(Default)]
struct Page {
    /// The first access on the frontier of each cell: one cell for each word, or for each byte.
    first: Vec<Record>,
    /// The second one, where the first is so marked. Empty if none ever was.
    second: Vec<Record>,
}

/// An access on a frontier. All zero, as pages start, it is one of long ago.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct Record {
    stamp: u32,
    site: Site,
    /// The thread, times 256; the touch, and marks.
    who: u32,
}

const TOUCH: u32 = 3;
/// Of the first access: there is a second one.
const SECOND: u32 = 4;
/// Of the first access: there are more than two.
const MORE: u32 = 8;

const TOUCHES: [Touch; 4] = [Touch::Read, Touch::Write, Touch::AtomicRead, Touch::AtomicWrite];

impl Record {
    fn thread(self) -> u32 {
        self.who >> 8
    }

    fn touch(self) -> Touch {
        TOUCHES[(self.who & TOUCH) as usize]
    }

    fn unmarked(self) -> Record {
        Record { who: self.who & !(SECOND | MORE), ..self }
    }

    /// Whether the touches can race.
    fn conflicts(self, other: Record) -> bool {
        let atomic = |touch| matches!(touch, Touch::AtomicRead | Touch::AtomicWrite);
        let reads = |touch| matches!(touch, Touch::Read | Touch::AtomicRead);
        let (one, other) = (self.touch(), other.touch());
        !(reads(one) && reads(other) || atomic(one) && atomic(other))
    }

    /// Whether all that conflicts with the other's touch conflicts with this one's.
    fn covers(self, other: Record) -> bool {
        let (one, other) = (self.touch(), other.touch());
        one == other || one == Touch::Write || other == Touch::AtomicRead
    }
}

/// How a touch is kept in a record.
fn code(touch: Touch) -> u32 {
    TOUCHES.iter().position(|&one| one == touch).unwrap_or_default() as u32
}

impl Races {
    pub(super) fn new(workgroup: &Workgroup) -> Races {
        let (threads, wave) = (workgroup.threads, workgroup.wave.max(1));
        let detector = || Detector {
            clocks: Clocks::new(threads as usize, wave as usize),
            directory: Vec::new(),
            used: Vec::new(),
            pages: Vec::new(),
            more: FxHashMap::default(),
            subgroup: workgroup.subgroup.max(1),
        };
        let full = |wave_index: u32| {
            let count = (threads - wave_index * wave).min(wave);
            crate::value::low_bits(count)
        };
        Races {
            global: detector(),
            local: detector(),
            reported: FxHashSet::default(),
            waves: (0..threads.div_ceil(wave)).map(full).collect(),
            wave,
        }
    }

    pub(super) fn restart(&mut self) {
        self.reported.clear();
        for detector in [&mut self.global, &mut self.local] {
            detector.all();
            detector.recycle();
        }
    }

    pub(super) fn barrier(&mut self, threads: &[Mask], ordered: Ordered) {
        let all = threads == self.waves;
        for (detector, wanted) in [(&mut self.global, ordered.global), (&mut self.local, ordered.local)] {
            match (wanted, all) {
                (true, true) => detector.all(),
                (true, false) => detector.clocks.some(threads),
                _ => {}
            }
        }
    }

    pub(super) fn fence(&mut self, wave: usize, mask: Mask, synchronisation: Synchronisation) {
        for lane in lanes_of(mask) {
            let thread = self.thread(wave, lane);
            self.global.clocks.fence(thread, synchronisation);
            self.local.clocks.fence(thread, synchronisation);
        }
    }

    fn thread(&self, wave: usize, lane: usize) -> u32 {
        wave as u32 * self.wave + lane as u32
    }

    /// Both detectors, with the location that a place is to them: what is acquired at it orders accesses to either memory.
    fn both(&mut self, place: Place) -> impl Iterator<Item = (&mut Detector, Location)> {
        let location = match place {
            Place::Global { object, offset } => Some((Segment::Global, object, offset)),
            Place::Local { object, offset } => Some((Segment::Local, object, offset)),
            Place::Private { .. } => None,
        };
        [&mut self.global, &mut self.local].into_iter().filter_map(move |detector| Some((detector, location?)))
    }

    fn detector(&mut self, place: Place) -> Option<(&mut Detector, usize, u64)> {
        match place {
            Place::Global { object, offset } => Some((&mut self.global, object, offset)),
            Place::Local { object, offset } => Some((&mut self.local, object, offset)),
            Place::Private { .. } => None,
        }
    }
}

impl Detector {
    /// All threads meet.
    fn all(&mut self) {
        if self.clocks.all() {
            // Stamps of the past would look new.
            for page in &mut self.pages {
                page.first.fill(Record::default());
            }
        }
        self.more.clear();
    }

    /// Takes all pages out of use. What is on them is of long ago and does no harm.
    fn recycle(&mut self) {
        for (object, page) in self.used.drain(..) {
            self.directory[object as usize][page as usize] = 0;
        }
    }

    /// The page of a word.
    fn page(&mut self, object: usize, word: usize) -> usize {
        if self.directory.len() <= object {
            self.directory.resize_with(object + 1, Vec::new);
        }
        let pages = &mut self.directory[object];
        if pages.len() <= word / PAGE {
            pages.resize(word / PAGE + 1, 0);
        }
        let entry = &mut pages[word / PAGE];
        if *entry == 0 {
            self.used.push((object as u32, (word / PAGE) as u32));
            *entry = self.used.len() as u32;
            match self.pages.get_mut(self.used.len() - 1) {
                Some(page) => {
                    page.first.truncate(PAGE);
                    page.second.truncate(PAGE);
                }
                None => self.pages.push(Page { first: vec![Record::default(); PAGE], second: Vec::new() }),
            }
        }
        *entry as usize - 1
    }

    /// The cells of a page become those of its bytes.
    fn split(&mut self, page: usize) {
        let fourfold = |cells: &Vec<Record>| cells.iter().flat_map(|&cell| [cell; 4]).collect::<Vec<_>>();
        let cells = &mut self.pages[page];
        cells.first = fourfold(&cells.first);
        cells.second = fourfold(&cells.second);
        for word in (0..cells.first.len() as u32).step_by(4) {
            if let Some(more) = self.more.get(&(page as u32, word)).cloned() {
                (1..4).for_each(|byte| drop(self.more.insert((page as u32, word + byte), more.clone())));
            }
        }
    }

    /// Notes an access to a range of bytes, and collects what it races with, with the byte.
    fn note(&mut self, object: usize, offset: u64, length: u64, record: Record, races: &mut Collisions) {
        let end = offset + length;
        let mut at = offset;
        while at < end {
            let word = (at / 4) as usize;
            let page = self.page(object, word);
            let page_end = 4 * ((word / PAGE + 1) * PAGE) as u64;
            let stop = end.min(page_end);
            if !(at | stop).is_multiple_of(4) && self.pages[page].first.len() == PAGE {
                self.split(page);
            }
            let page_start = page_end - 4 * PAGE as u64;
            let cell_bytes = if self.pages[page].first.len() == PAGE { 4 } else { 1 };
            for cell in (at - page_start) / cell_bytes..(stop - page_start) / cell_bytes {
                self.touch(page, cell as usize, record, page_start + cell * cell_bytes, races);
            }
            at = stop;
        }
    }

    /// Notes accesses of lanes to ranges of bytes behind their offsets. `thread` is that of lane 0.
    #[allow(clippy::too_many_arguments, reason = "what is accessed, by whom and how")]
    fn note_lanes(
        &mut self,
        object: usize,
        offsets: &Offsets,
        mask: Mask,
        (start, length): (u64, u64),
        thread: u32,
        site: Site,
        touch: Touch,
        races: &mut Collisions,
    ) {
        let code = code(touch);
        let record = |clocks: &Clocks, lane: usize| {
            let thread = thread + lane as u32;
            Record { stamp: clocks.now[thread as usize], site, who: thread << 8 | code }
        };
        if offsets.same() && !self.clocks.mixed {
            // Two of one place make the others redundant, if they are of different subgroups where any two are.
            for lane in [mask.trailing_zeros() as usize, 63 - mask.leading_zeros() as usize] {
                self.note(object, offsets.first + start, length, record(&self.clocks, lane), races);
            }
            return;
        }
        if offsets.consecutive() && offsets.words && length == 4 && start.is_multiple_of(4) && !self.clocks.mixed {
            return self.note_row(object, ((offsets.first + start) / 4) as usize, record(&self.clocks, 0), races);
        }
        let whole = offsets.words && start.is_multiple_of(4) && length.is_multiple_of(4);
        let mut cached = (usize::MAX, 0);
        for lane in lanes_of(mask) {
            let (record, offset) = (record(&self.clocks, lane), offsets.lanes[lane] + start);
            if !whole {
                self.note(object, offset, length, record, races);
                continue;
            }
            for word in (offset / 4) as usize..((offset + length) / 4) as usize {
                if cached.0 != word / PAGE {
                    cached = (word / PAGE, self.page(object, word));
                }
                let cells = &mut self.pages[cached.1].first;
                if cells.len() != PAGE {
                    self.note(object, 4 * word as u64, 4, record, races);
                } else if cells[word % PAGE].stamp < self.clocks.floor {
                    cells[word % PAGE] = record;
                } else {
                    self.touch(cached.1, word % PAGE, record, 4 * word as u64, races);
                }
            }
        }
    }

    /// Notes accesses of 64 threads to a word each. The record is that of the first one.
    fn note_row(&mut self, object: usize, first: usize, record: Record, races: &mut Collisions) {
        let of_lane = |lane: usize| Record { who: record.who + ((lane as u32) << 8), ..record };
        let mut lane = 0;
        while lane < WIDTH {
            let word = first + lane;
            let (page, start) = (self.page(object, word), word % PAGE);
            let count = (WIDTH - lane).min(PAGE - start);
            let (cells, floor) = (&mut self.pages[page].first, self.clocks.floor);
            if cells.len() != PAGE {
                for index in 0..count {
                    self.note(object, 4 * (word + index) as u64, 4, of_lane(lane + index), races);
                }
            } else if cells[start..start + count].iter().all(|cell| cell.stamp < floor) {
                let cells = cells[start..start + count].iter_mut().enumerate();
                cells.for_each(|(index, cell)| *cell = of_lane(lane + index));
            } else {
                for index in 0..count {
                    self.touch(page, start + index, of_lane(lane + index), 4 * (word + index) as u64, races);
                }
            }
            lane += count;
        }
    }

    /// Notes an access to a cell.
    #[inline]
    fn touch(&mut self, page: usize, cell: usize, record: Record, offset: u64, races: &mut Collisions) {
        let cells = &mut self.pages[page];
        let first = &mut cells.first[cell];
        if first.stamp < self.clocks.floor {
            *first = record;
            return;
        }
        if first.stamp == record.stamp && first.thread() == record.thread() {
            if first.covers(record) {
                return;
            }
            if first.who & (SECOND | MORE) == 0 && record.covers(*first) {
                *first = record;
                return;
            }
        } else if first.touch() == record.touch() && record.touch() != Touch::Write && first.who & MORE == 0 {
            // Both are reads or both are atomic, so they do not race.
            if first.who & SECOND == 0 {
                if first.thread() != record.thread() {
                    first.who |= SECOND;
                    cells.second.resize(cells.first.len(), Record::default());
                    cells.second[cell] = record;
                    return;
                }
            } else {
                let second = cells.second[cell];
                if second.touch() == record.touch() && make_redundant(*first, second, record, self.subgroup) {
                    return;
                }
            }
        }
        self.meet(page, cell, record, offset, races);
    }

    /// Notes an access to a cell whose frontier it may change.
    #[cold]
    fn meet(&mut self, page: usize, cell: usize, record: Record, offset: u64, races: &mut Collisions) {
        let key = match self.pages[page].first.len() {
            PAGE => (page as u32, 4 * cell as u32),
            _ => (page as u32, cell as u32),
        };
        let cells = &mut self.pages[page];
        let first = cells.first[cell];
        let mut frontier: SmallVec<[Record; 8]> = SmallVec::new();
        frontier.push(first.unmarked());
        if first.who & SECOND != 0 {
            frontier.push(cells.second[cell]);
        }
        if first.who & MORE != 0 {
            frontier.extend(self.more.remove(&key).into_iter().flatten());
        }

        let clocks = &self.clocks;
        let mut known = false;
        frontier.retain(|other| {
            let before = clocks.before(other.thread(), other.stamp, record.thread());
            let race = !before && other.conflicts(record);
            if race {
                races.push((*other, record, offset));
            }
            let same = other.thread() == record.thread() && other.stamp == record.stamp && other.covers(record);
            known |= same;
            same || !((before || race) && record.covers(*other))
        });
        if !known && !is_redundant(&frontier, record, self.subgroup) {
            frontier.push(record);
            let mut index = 0;
            while index < frontier.len() {
                let one = frontier.swap_remove(index);
                if !is_redundant(&frontier, one, self.subgroup) {
                    frontier.push(one);
                    let last = frontier.len() - 1;
                    frontier.swap(index, last);
                    index += 1;
                }
            }
        }

        let cells = &mut self.pages[page];
        let mut first = frontier[0];
        if let Some(&second) = frontier.get(1) {
            first.who |= SECOND;
            cells.second.resize(cells.first.len(), Record::default());
            cells.second[cell] = second;
        }
        if frontier.len() > 2 {
            first.who |= MORE;
            self.more.insert(key, frontier[2..].into());
        }
        cells.first[cell] = first;
    }
}

/// Whether two accesses of which each covers a third make that redundant.
fn make_redundant(one: Record, two: Record, third: Record, subgroup: u32) -> bool {
    let group = |record: Record| record.thread() / subgroup;
    group(one) != group(two)
        || group(one) == group(third)
            && one.thread() != two.thread()
            && one.stamp == third.stamp
            && two.stamp == third.stamp
}

/// Whether accesses on a frontier make another one redundant.
fn is_redundant(frontier: &[Record], record: Record, subgroup: u32) -> bool {
    frontier.iter().enumerate().any(|(index, &one)| {
        one.covers(record)
            && frontier[..index].iter().any(|&two| two.covers(record) && make_redundant(one, two, record, subgroup))
    })
}

/// Races: the earlier access, the later one, and the byte.
type Collisions = SmallVec<[(Record, Record, u64); 2]>;

impl Memory<'_> {
    /// Notes that a lane has accessed a range of bytes, and reports races.
    #[allow(clippy::too_many_arguments, reason = "what is accessed, by whom and how")]
    pub(super) fn note_bytes(
        &mut self,
        wave: usize,
        lane: usize,
        place: Place,
        length: u64,
        touch: Touch,
        access: Access,
        faults: &mut Faults,
    ) {
        let Some(races) = &mut self.races else { return };
        let thread = races.thread(wave, lane);
        let Some((detector, object, offset)) = races.detector(place) else { return };
        let stamp = detector.clocks.now[thread as usize];
        let record = Record { stamp, site: access.site, who: thread << 8 | code(touch) };
        let mut collisions = Collisions::new();
        detector.note(object, offset, length, record, &mut collisions);
        if !collisions.is_empty() {
            self.report(place, &collisions, faults);
        }
    }

    /// Notes that lanes have accessed an object, and reports races.
    #[allow(clippy::too_many_arguments, reason = "what is accessed, by whom and how")]
    pub(super) fn note_wave(
        &mut self,
        wave: usize,
        object: Place,
        offsets: &Offsets,
        mask: Mask,
        layout: &Layout,
        touch: Touch,
        access: Access,
        faults: &mut Faults,
    ) {
        let Some(races) = &mut self.races else { return };
        let thread = races.thread(wave, 0);
        let Some((detector, index, _)) = races.detector(object) else { return };
        let mut collisions = Collisions::new();
        for &span in layout.spans() {
            detector.note_lanes(index, offsets, mask, span, thread, access.site, touch, &mut collisions);
        }
        if !collisions.is_empty() {
            self.report(object, &collisions, faults);
        }
    }

    #[cold]
    fn report(&mut self, place: Place, collisions: &Collisions, faults: &mut Faults) {
        for &(other, record, offset) in collisions {
            let pair = (record.site.min(other.site), record.site.max(other.site));
            let new = self.races.as_mut().is_some_and(|races| races.reported.insert(pair));
            let (segment, object) = match place {
                Place::Global { object, .. } => (Segment::Global, &self.global.objects[object]),
                Place::Local { object, .. } => (Segment::Local, &self.local.objects[object]),
                Place::Private { .. } => return,
            };
            if new {
                faults.races.push(Race {
                    thread: record.thread(),
                    touch: record.touch(),
                    other_thread: other.thread(),
                    other_site: other.site,
                    other_touch: other.touch(),
                    place: ObjectPlace {
                        segment,
                        name: object.name.clone(),
                        site: None,
                        bytes: object.bytes,
                        offset: offset as i64,
                    },
                });
            }
        }
    }

    /// Whether atomic accesses order anything.
    pub(super) fn orders(&self, order: Option<Synchronisation>) -> bool {
        let orders = order.is_some_and(|order| order.acquire || order.release);
        self.races.as_ref().is_some_and(|races| orders || races.global.clocks.mixed || races.local.clocks.mixed)
    }

    /// An atomic access of a lane is about to read a place.
    pub(super) fn acquire(&mut self, wave: usize, lane: usize, place: Place, order: Option<Synchronisation>) {
        let (Some(races), Some(order)) = (&mut self.races, order) else { return };
        let thread = races.thread(wave, lane);
        for detector in races.both(place) {
            detector.0.clocks.read(thread, detector.1, order.acquire);
        }
    }

    /// An atomic access of a lane has stored to a place; `and_reads`: what it had read there.
    pub(super) fn release(
        &mut self,
        wave: usize,
        lane: usize,
        place: Place,
        order: Option<Synchronisation>,
        and_reads: bool,
    ) {
        let (Some(races), Some(order)) = (&mut self.races, order) else { return };
        let thread = races.thread(wave, lane);
        for detector in races.both(place) {
            detector.0.clocks.write(thread, detector.1, order.release, and_reads);
        }
    }
}
