//! Frontiers: what the race detector remembers of each cell.

use std::ops::Range;

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::clocks::Clocks;
use super::record::{MAX_STAMP, MORE, Packed, Packing, Record, SECOND};
use crate::memory::fault::{Site, Touch};
use crate::memory::waves::Offsets;
use crate::value::{Mask, WIDTH, lanes_of};

/// How many words share a page.
const PAGE: usize = 256;

/// The races in one memory.
pub(super) struct Detector {
    pub(super) clocks: Clocks,
    packing: Packing,
    /// For each object, the number of each of its pages, from 1; 0: none yet.
    directory: Vec<Vec<u32>>,
    /// Those entries of the directory that are not 0.
    used: Vec<(u32, u32)>,
    pages: Vec<Page>,
    /// Of each cell that is so marked, the frontier but for its first two. By page and byte.
    more: FxHashMap<(u32, u32), SmallVec<[Record; 4]>>,
    subgroup: u32,
}

struct Page {
    /// The first access on the frontier of each cell: one cell for each word, or for each byte.
    first: Vec<Packed>,
    /// The second one, where the first is so marked. Empty if none ever was.
    second: Vec<Packed>,
    /// The last atomic accesses to each cell. Empty if there never were any.
    atomic: Vec<LastAtomic>,
}

/// The last atomic accesses to a cell.
#[derive(Debug, Clone, Copy, Default)]
struct LastAtomic {
    any: Packed,
    write: Packed,
}

/// Races: the earlier access, the later one, and the byte.
pub(super) type Collisions = SmallVec<[(Record, Record, u64); 2]>;

impl Detector {
    pub(super) fn new(threads: u32, wave: u32, subgroup: u32) -> Detector {
        Detector {
            clocks: Clocks::new(threads as usize, wave as usize),
            packing: Packing::new(threads),
            directory: Vec::new(),
            used: Vec::new(),
            pages: Vec::new(),
            more: FxHashMap::default(),
            subgroup,
        }
    }

    /// All threads meet.
    pub(super) fn all(&mut self) {
        if self.clocks.last > MAX_STAMP / 2 {
            // Stamps start from the beginning, and those of the past would look new.
            for page in &mut self.pages {
                page.first.fill(Packed::default());
                page.atomic.fill(LastAtomic::default());
            }
            self.clocks.restart();
        }
        self.clocks.all();
        self.more.clear();
    }

    /// To be called after what uses up stamps. When few are left all that was done counts as ordered.
    pub(super) fn settle(&mut self) {
        if self.clocks.last > MAX_STAMP / 2 {
            self.all();
        }
    }

    /// Takes all pages out of use. What is on them is of long ago and does no harm.
    pub(super) fn recycle(&mut self) {
        for (object, page) in self.used.drain(..) {
            self.directory[object as usize][page as usize] = 0;
        }
    }

    /// The page of a word.
    #[inline]
    fn page(&mut self, object: usize, word: usize) -> usize {
        match self.directory.get(object).and_then(|pages| pages.get(word / PAGE)) {
            Some(&page) if page != 0 => page as usize - 1,
            _ => self.new_page(object, word),
        }
    }

    #[cold]
    fn new_page(&mut self, object: usize, word: usize) -> usize {
        if self.directory.len() <= object {
            self.directory.resize_with(object + 1, Vec::new);
        }
        let pages = &mut self.directory[object];
        if pages.len() <= word / PAGE {
            pages.resize(word / PAGE + 1, 0);
        }
        self.used.push((object as u32, (word / PAGE) as u32));
        pages[word / PAGE] = self.used.len() as u32;
        let page = self.used.len() - 1;
        match self.pages.get_mut(page) {
            Some(page) => {
                page.first.truncate(PAGE);
                page.second.truncate(PAGE);
                page.atomic.truncate(PAGE);
            }
            None => {
                self.pages.push(Page { first: vec![Packed::default(); PAGE], second: Vec::new(), atomic: Vec::new() })
            }
        }
        page
    }

    /// The cells of a page become those of its bytes.
    fn split(&mut self, page: usize) {
        fn fourfold<T: Copy>(cells: &[T]) -> Vec<T> {
            cells.iter().flat_map(|&cell| [cell; 4]).collect()
        }
        let cells = &mut self.pages[page];
        cells.first = fourfold(&cells.first);
        cells.second = fourfold(&cells.second);
        cells.atomic = fourfold(&cells.atomic);
        for word in (0..cells.first.len() as u32).step_by(4) {
            if let Some(more) = self.more.get(&(page as u32, word)).cloned() {
                (1..4).for_each(|byte| drop(self.more.insert((page as u32, word + byte), more.clone())));
            }
        }
    }

    /// What is remembered of an access that a thread makes now.
    pub(super) fn record(&self, thread: u32, site: Site, touch: Touch) -> Packed {
        self.packing.pack(Record { stamp: self.clocks.now[thread as usize], thread, site, touch })
    }

    /// Notes an access to a range of bytes, and collects what it races with.
    pub(super) fn note(&mut self, object: usize, offset: u64, length: u64, record: Packed, races: &mut Collisions) {
        let end = offset + length;
        let mut at = offset;
        while at < end {
            let word = (at / 4) as usize;
            let page = self.page(object, word);
            let page_start = 4 * (word / PAGE * PAGE) as u64;
            let stop = end.min(page_start + 4 * PAGE as u64);
            if !(at | stop).is_multiple_of(4) && self.pages[page].first.len() == PAGE {
                self.split(page);
            }
            let cell_bytes = if self.pages[page].first.len() == PAGE { 4 } else { 1 };
            for cell in (at - page_start) / cell_bytes..(stop - page_start) / cell_bytes {
                self.touch(page, cell as usize, record, page_start + cell * cell_bytes, races);
                if record.is_atomic() {
                    self.remember_atomic(page, cell as usize, record);
                }
            }
            at = stop;
        }
    }

    /// Notes that an atomic access to a cell is the last so far.
    fn remember_atomic(&mut self, page: usize, cell: usize, record: Packed) {
        let writes = self.packing.unpack(record).touch == Touch::AtomicWrite;
        let cells = &mut self.pages[page];
        cells.atomic.resize(cells.first.len(), LastAtomic::default());
        let last = &mut cells.atomic[cell];
        *last = LastAtomic { any: record, write: if writes { record } else { last.write } };
    }

    /// Notes accesses of lanes to a range of bytes behind their offsets. The record is that of lane 0.
    pub(super) fn note_lanes(
        &mut self,
        object: usize,
        offsets: &Offsets<'_>,
        mask: Mask,
        (start, length): (u64, u64),
        record: Packed,
        races: &mut Collisions,
    ) {
        let packing = self.packing;
        if self.clocks.mixed {
            let Record { thread, site, touch, .. } = packing.unpack(record);
            for lane in lanes_of(mask) {
                let record = self.record(thread + lane as u32, site, touch);
                self.note(object, offsets.of(lane) + start, length, record, races);
            }
            return;
        }
        if offsets.same() {
            // Two of one place make the others redundant, if they are of different subgroups where any two are.
            for lane in [mask.trailing_zeros() as usize, 63 - mask.leading_zeros() as usize] {
                self.note(object, offsets.first + start, length, packing.later(record, lane), races);
            }
            return;
        }
        // Of atomic accesses each is noted, in order, so that the last one is known.
        if !(offsets.words && start.is_multiple_of(4) && length.is_multiple_of(4)) || record.is_atomic() {
            for lane in lanes_of(mask) {
                self.note(object, offsets.of(lane) + start, length, packing.later(record, lane), races);
            }
            return;
        }
        if offsets.consecutive() && length == 4 {
            return self.note_row(object, ((offsets.first + start) / 4) as usize, record, races);
        }
        // Of the lanes that access one place the first and the last do, as above. Places that share an entry of the table are
        // noted more often than they need to be.
        let mut left = mask;
        for highest_first in [false, true] {
            let mut seen = [usize::MAX; WIDTH];
            let mut lanes = mask;
            while lanes != 0 {
                let lane = if highest_first { 63 - lanes.leading_zeros() } else { lanes.trailing_zeros() } as usize;
                lanes &= !(1 << lane);
                let first = ((offsets.of(lane) + start) / 4) as usize;
                if std::mem::replace(&mut seen[first % WIDTH], first) != first && left >> lane & 1 != 0 {
                    left &= !(1 << lane);
                    self.note_words(object, first..first + (length / 4) as usize, packing.later(record, lane), races);
                }
            }
        }
    }

    /// Notes an access to whole words.
    fn note_words(&mut self, object: usize, words: Range<usize>, record: Packed, races: &mut Collisions) {
        let (packing, old) = (self.packing, Packed::of_stamp(self.clocks.floor));
        for word in words {
            let page = self.page(object, word);
            let cells = &mut self.pages[page].first;
            if cells.len() != PAGE || !packing.replace(&mut cells[word % PAGE], record, old) {
                self.note(object, 4 * word as u64, 4, record, races);
            }
        }
    }

    /// Notes accesses of 64 threads to a word each. The record is that of the first one.
    fn note_row(&mut self, object: usize, first: usize, record: Packed, races: &mut Collisions) {
        let packing = self.packing;
        let old = Packed::of_stamp(self.clocks.floor);
        let mut lane = 0;
        while lane < WIDTH {
            let word = first + lane;
            let (page, start) = (self.page(object, word), word % PAGE);
            let count = (WIDTH - lane).min(PAGE - start);
            let cells = &mut self.pages[page].first;
            // The difference of two numbers without top bit has one if the first is less.
            let all_old =
                |cells: &[Packed]| cells.iter().fold(u64::MAX, |all, cell| all & cell.0.wrapping_sub(old.0)) >> 63 != 0;
            if cells.len() == PAGE && all_old(&cells[start..start + count]) {
                let mut record = packing.later(record, lane);
                for cell in &mut cells[start..start + count] {
                    *cell = record;
                    record = packing.later(record, 1);
                }
            } else {
                for index in 0..count {
                    let record = packing.later(record, lane + index);
                    let cells = &mut self.pages[page].first;
                    if cells.len() != PAGE || !packing.replace(&mut cells[start + index], record, old) {
                        self.note(object, 4 * (word + index) as u64, 4, record, races);
                    }
                }
            }
            lane += count;
        }
    }

    /// Notes an access to a cell.
    #[inline]
    fn touch(&mut self, page: usize, cell: usize, record: Packed, offset: u64, races: &mut Collisions) {
        let packing = self.packing;
        let cells = &mut self.pages[page];
        let first = &mut cells.first[cell];
        if packing.replace(first, record, Packed::of_stamp(self.clocks.floor)) {
            return;
        }
        if first.touches_like(record) && packing.unpack(record).touch != Touch::Write && !first.has(MORE) {
            // Both are reads or both are atomic, so they do not race.
            if !first.has(SECOND) {
                if !packing.same_thread(*first, record) {
                    first.0 |= SECOND;
                    cells.second.resize(cells.first.len(), Packed::default());
                    cells.second[cell] = record;
                    return;
                }
            } else if cells.second[cell].touches_like(record) {
                let [one, two, record] = [*first, cells.second[cell], record].map(|packed| packing.unpack(packed));
                if make_redundant(one, two, record, self.subgroup) {
                    return;
                }
            }
        }
        self.meet(page, cell, packing.unpack(record), offset, races);
    }

    /// Notes an access to a cell whose frontier it may change.
    #[cold]
    fn meet(&mut self, page: usize, cell: usize, record: Record, offset: u64, races: &mut Collisions) {
        let packing = self.packing;
        let cells = &mut self.pages[page];
        let key = (page as u32, if cells.first.len() == PAGE { 4 * cell as u32 } else { cell as u32 });
        let first = cells.first[cell];
        let mut frontier: SmallVec<[Record; 8]> = SmallVec::new();
        frontier.push(packing.unpack(first));
        if first.has(SECOND) {
            frontier.push(packing.unpack(cells.second[cell]));
        }
        if first.has(MORE) {
            frontier.extend(self.more.remove(&key).into_iter().flatten());
        }

        let clocks = &self.clocks;
        let comes_before = |other: Record| clocks.before(other.thread, other.stamp, record.thread);
        // Of the atomic accesses that conflict with this one, the last.
        let last_atomic = cells.atomic.get(cell).map(|last| match record.touch {
            Touch::Write => packing.unpack(last.any),
            _ => packing.unpack(last.write),
        });
        let mut known = false;
        frontier.retain(|other| {
            let earlier = last_atomic.filter(|_| other.is_atomic() && other.conflicts(record)).unwrap_or(*other);
            let before = comes_before(*other) || comes_before(earlier);
            let race = !before && other.conflicts(record);
            if race {
                races.push((earlier, record, offset));
            }
            let same = other.thread == record.thread && other.stamp == record.stamp && other.covers(record);
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

        let mut first = packing.pack(frontier[0]);
        if let Some(&second) = frontier.get(1) {
            first.0 |= SECOND;
            cells.second.resize(cells.first.len(), Packed::default());
            cells.second[cell] = packing.pack(second);
        }
        if frontier.len() > 2 {
            first.0 |= MORE;
            self.more.insert(key, frontier[2..].into());
        }
        cells.first[cell] = first;
    }
}

/// Whether two accesses of which each covers a third make that redundant.
fn make_redundant(one: Record, two: Record, third: Record, subgroup: u32) -> bool {
    let group = |record: Record| record.thread / subgroup;
    group(one) != group(two)
        || group(one) == group(third)
            && one.thread != two.thread
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
