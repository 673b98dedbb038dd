//! Private memory: the stacks of the threads of a wave.
//!
//! Memory of the threads is interleaved: a *row* is one word of each of them, so that what all load from one address lies side by
//! side. Rows come in pages, which are made when something is stored there.
//!
//! An *allocation* is what one execution of an `alloca` makes: a range of bytes in the threads of a set. Each thread has a stack
//! pointer; allocations of a thread are below it. Two allocations may share addresses if they share no thread. For each row,
//! `owners` remembers the latest allocation that covers it, and is right for most accesses; a search finds the others.
//!
//! Invariant: a byte of a lane that is marked in `known` has no bit that is `undef` and is not poison; of any other, `exceptions` tells
//! what it is, and one that is not there either was never stored to. Making an allocation clears both.

use rustc_hash::FxHashMap;

use super::address::{Address, FUNCTION_START, PRIVATE_START};
use super::chunk::{Chunk, bits_of_flags, flags};
use super::fault::Site;
use super::object::pieces;
use crate::value::{Lanes, Mask, WIDTH, lanes_of, low_bits};

/// How many rows share a page.
const PAGE: usize = 16;

pub(super) struct PrivateMemory {
    pages: Vec<Option<Box<Page>>>,
    exceptions: FxHashMap<usize, Box<Exception>>,
    allocations: Vec<Allocation>,
    owners: Vec<u32>,
    /// For each lane, the first byte that is free.
    tops: [u32; WIDTH],
    /// Where stacks end.
    limit: u32,
}

/// Stacks as they were.
#[derive(Debug)]
pub struct PrivateState {
    pages: Vec<Option<Box<Page>>>,
    exceptions: FxHashMap<usize, Box<Exception>>,
    allocations: Vec<Allocation>,
    tops: [u32; WIDTH],
}

/// Larger states are not kept.
const MOST_PAGES: usize = 1 << 10;

#[derive(Debug, Clone, PartialEq)]
pub(super) struct Allocation {
    pub(super) start: u32,
    pub(super) bytes: u32,
    lanes: Mask,
    pub(super) site: Site,
}

impl Allocation {
    fn contains(&self, low: u32) -> bool {
        self.holds(low, 1)
    }

    /// Whether a range is wholly inside.
    pub(super) fn holds(&self, low: u32, bytes: u64) -> bool {
        low >= self.start && u64::from(low - self.start) + bytes <= u64::from(self.bytes)
    }

    /// Whether an address is inside, or so near that it was probably meant to be.
    pub(super) fn is_near(&self, low: u32) -> bool {
        let distance = i64::from(low) - i64::from(self.start);
        let reach = i64::from(self.bytes).max(256);
        (-reach..=i64::from(self.bytes) + reach).contains(&distance)
    }
}

#[derive(Debug, Clone, PartialEq)]
struct Page {
    words: [[u32; WIDTH]; PAGE],
    /// For each byte of a row, the lanes of which all is known.
    known: [[Mask; 4]; PAGE],
}

/// What is known of a row with bytes that are not wholly known.
#[derive(Debug, Clone, PartialEq)]
struct Exception {
    undefined: [u32; WIDTH],
    /// The lanes of which each byte is poison.
    poison: [Mask; 4],
    /// The lanes in which something was stored to each byte.
    written: [Mask; 4],
}

impl PrivateMemory {
    /// Empty stacks of at most so many bytes.
    pub(super) fn new(limit: u64) -> PrivateMemory {
        let room = u64::from(FUNCTION_START - PRIVATE_START);
        PrivateMemory {
            pages: Vec::new(),
            exceptions: FxHashMap::default(),
            allocations: Vec::new(),
            owners: Vec::new(),
            tops: [PRIVATE_START; WIDTH],
            limit: PRIVATE_START + limit.min(room) as u32,
        }
    }

    /// The stacks as they are, unless they are large.
    pub(super) fn state(&self) -> Option<PrivateState> {
        let pages = &self.pages[..self.pages_in_use()];
        (pages.len() <= MOST_PAGES).then(|| PrivateState {
            pages: pages.to_vec(),
            exceptions: self.exceptions.clone(),
            allocations: self.allocations.clone(),
            tops: self.tops,
        })
    }

    /// Whether the stacks are as they were. What is above them does not count; a no may be wrong.
    pub(super) fn is(&self, state: &PrivateState) -> bool {
        self.tops == state.tops
            && self.allocations == state.allocations
            && self.pages[..self.pages_in_use()] == state.pages
            && self.exceptions == state.exceptions
    }

    fn pages_in_use(&self) -> usize {
        let top = self.tops.iter().copied().max().unwrap_or(PRIVATE_START);
        (row_of(top) + 1).div_ceil(PAGE).min(self.pages.len())
    }

    /// Empties the stacks.
    pub(super) fn clear(&mut self) {
        self.allocations.clear();
        self.exceptions.clear();
        self.tops = [PRIVATE_START; WIDTH];
    }

    pub(super) fn stack_pointers(&self) -> Lanes {
        self.tops.map(|top| Address::private(top).0)
    }

    /// Makes an allocation in the lanes of a set. Its address is the same for all of them. An error names the lanes whose stack
    /// has no room.
    pub(super) fn allocate(&mut self, lanes: Mask, bytes: u64, alignment: u64, site: Site) -> Result<Address, Mask> {
        let top = lanes_of(lanes).map(|lane| self.tops[lane]).max().unwrap_or(PRIVATE_START);
        let start = u64::from(top).checked_next_multiple_of(alignment.max(4)).unwrap_or(u64::MAX);
        let gap = if bytes <= 16 { 8 } else { (bytes / 4).next_multiple_of(16).min(256) };
        let end = start.saturating_add(bytes).saturating_add(gap).checked_next_multiple_of(4).unwrap_or(u64::MAX);
        if start.saturating_add(bytes) > u64::from(self.limit) {
            return Err(lanes);
        }
        let (start, bytes) = (start as u32, bytes as u32);
        lanes_of(lanes).for_each(|lane| self.tops[lane] = end as u32);
        let (first, end) = (row_of(start), row_of(start) + bytes.div_ceil(4) as usize);
        if self.owners.len() < end {
            self.owners.resize(end, u32::MAX);
        }
        self.owners[first..end].fill(self.allocations.len() as u32);
        self.allocations.push(Allocation { start, bytes, lanes, site });
        self.forget_rows(lanes, first, end);
        Ok(Address::private(start))
    }

    fn forget_rows(&mut self, lanes: Mask, first: usize, end: usize) {
        for row in first..end.min(self.pages.len() * PAGE) {
            if let Some(page) = &mut self.pages[row / PAGE] {
                page.known[row % PAGE].iter_mut().for_each(|known| *known &= !lanes);
            }
        }
        if !self.exceptions.is_empty() {
            self.exceptions.retain(|row, exception| {
                if (first..end).contains(row) {
                    exception.written.iter_mut().for_each(|written| *written &= !lanes);
                }
                exception.written != [0; 4]
            });
        }
    }

    /// Gives back what lanes allocated since their stack pointers were these.
    pub(super) fn release(&mut self, lanes: Mask, stack_pointers: &Lanes) {
        let mut lowest = u32::MAX;
        for lane in lanes_of(lanes) {
            let top = (stack_pointers[lane] as u32).clamp(PRIVATE_START, self.tops[lane]);
            self.tops[lane] = top;
            lowest = lowest.min(top);
        }
        for allocation in self.allocations.iter_mut().rev() {
            if allocation.start >= lowest {
                let released = lanes_of(allocation.lanes & lanes).filter(|&lane| allocation.start >= self.tops[lane]);
                allocation.lanes &= !released.fold(0, |mask, lane| mask | 1 << lane);
            }
        }
        while self.allocations.last().is_some_and(|allocation| allocation.lanes == 0) {
            self.allocations.pop();
        }
    }

    /// The allocation that an address is in or just behind or before, for a lane.
    pub(super) fn nearest(&self, low: u32, lane: usize) -> Option<&Allocation> {
        let of_lane = |allocation: &&Allocation| allocation.lanes >> lane & 1 != 0;
        let owner = self.owners.get(low.checked_sub(PRIVATE_START)? as usize / 4);
        let owner = owner.and_then(|&owner| self.allocations.get(owner as usize)).filter(of_lane);
        if let Some(owner) = owner.filter(|owner| owner.contains(low)) {
            return Some(owner);
        }
        let distance = |allocation: &&Allocation| {
            let end = allocation.start + allocation.bytes;
            allocation.start.saturating_sub(low).max(low.saturating_sub(end.max(allocation.start + 1) - 1))
        };
        self.allocations.iter().filter(of_lane).min_by_key(distance)
    }

    /// The lanes, of these, in which a range is wholly inside one allocation that covers its first byte.
    pub(super) fn lanes_inside(&self, low: u32, bytes: u64, lanes: Mask) -> Mask {
        let owner = low.checked_sub(PRIVATE_START).and_then(|distance| self.owners.get(distance as usize / 4));
        match owner.and_then(|&owner| self.allocations.get(owner as usize)) {
            Some(owner) if owner.holds(low, bytes) => owner.lanes & lanes,
            _ => 0,
        }
    }

    /// The allocation of all lanes of a mask that covers an address: where it starts and how many bytes it has.
    pub(super) fn shared_allocation(&self, low: u32, mask: Mask) -> Option<(u32, u64)> {
        let owner = *self.owners.get(low.checked_sub(PRIVATE_START)? as usize / 4)?;
        let allocation = self.allocations.get(owner as usize)?;
        let shared = allocation.contains(low) && allocation.lanes & mask == mask;
        shared.then(|| (allocation.start, allocation.bytes.into()))
    }

    /// A row, if of the lanes of a mask so many bytes are known.
    pub(super) fn known_row(&self, row: usize, from: u32, count: u32, mask: Mask) -> Option<&[u32; WIDTH]> {
        let page = self.pages.get(row / PAGE)?.as_ref()?;
        let known = &page.known[row % PAGE][from as usize..(from + count) as usize];
        known.iter().all(|lanes| lanes & mask == mask).then(|| &page.words[row % PAGE])
    }

    /// A row in which so many bytes of the lanes of a mask are to be known from now on.
    pub(super) fn row_to_be_known(&mut self, row: usize, from: u32, count: u32, mask: Mask) -> &mut [u32; WIDTH] {
        let page = self.page(row);
        page.known[row % PAGE][from as usize..(from + count) as usize].iter_mut().for_each(|lanes| *lanes |= mask);
        &mut page.words[row % PAGE]
    }

    /// The word of a lane, if it is known.
    pub(super) fn known_word(&self, row: usize, lane: usize) -> Option<u32> {
        let page = self.pages.get(row / PAGE)?.as_ref()?;
        let known = page.known[row % PAGE].iter().fold(Mask::MAX, |all, known| all & known);
        (known >> lane & 1 != 0).then(|| page.words[row % PAGE][lane])
    }

    /// Stores a word of a lane.
    pub(super) fn set_word(&mut self, row: usize, lane: usize, word: u32) {
        let page = self.page(row);
        page.words[row % PAGE][lane] = word;
        page.known[row % PAGE].iter_mut().for_each(|known| *known |= 1 << lane);
    }

    /// One to eight bytes of a lane.
    pub(super) fn read(&self, low: u32, lane: usize, bytes: u32) -> Chunk {
        let mut chunk = Chunk::default();
        for (row, from, place, count) in pieces(u64::from(low - PRIVATE_START), bytes) {
            let piece = self.read_row(row, lane, from, count);
            chunk.bits |= piece.bits << (8 * place);
            chunk.undefined |= piece.undefined << (8 * place);
            chunk.poison |= piece.poison << place;
            chunk.unwritten |= piece.unwritten << place;
        }
        chunk
    }

    fn read_row(&self, row: usize, lane: usize, from: u32, count: u32) -> Chunk {
        let Some(Some(page)) = self.pages.get(row / PAGE) else { return Chunk::unwritten(count) };
        let bits = u64::from(page.words[row % PAGE][lane]) >> (8 * from) & low_bits(8 * count);
        let flags_of = |masks: &[Mask; 4]| {
            (0..count).fold(0, |flags, byte| flags | ((masks[(from + byte) as usize] >> lane & 1) as u8) << byte)
        };
        let unknown = flags(count) & !flags_of(&page.known[row % PAGE]);
        if unknown == 0 {
            return Chunk::plain(bits);
        }
        let (undefined, poison, written) = match self.exceptions.get(&row) {
            Some(exception) => {
                let undefined = u64::from(exception.undefined[lane]) >> (8 * from);
                (undefined, flags_of(&exception.poison), flags_of(&exception.written))
            }
            None => (0, 0, 0),
        };
        let unwritten = unknown & !written;
        let undefined = undefined & bits_of_flags(unknown & written) | bits_of_flags(unwritten);
        Chunk { bits: bits & !undefined, undefined, poison: poison & unknown & written, unwritten }
    }

    /// Stores one to eight bytes of a lane.
    pub(super) fn write(&mut self, low: u32, lane: usize, bytes: u32, chunk: Chunk) {
        for (row, from, place, count) in pieces(u64::from(low - PRIVATE_START), bytes) {
            let page = self.page(row);
            let undefined = chunk.undefined >> (8 * place) & low_bits(8 * count);
            let poison = chunk.poison >> place & flags(count);
            let bits = chunk.bits >> (8 * place) & low_bits(8 * count) & !undefined & !bits_of_flags(poison);
            let mask = (low_bits(8 * count) as u32) << (8 * from);
            let word = &mut page.words[row % PAGE][lane];
            *word = *word & !mask | (bits as u32) << (8 * from);
            if chunk.is_plain() {
                let known = &mut page.known[row % PAGE][from as usize..(from + count) as usize];
                known.iter_mut().for_each(|lanes| *lanes |= 1 << lane);
                continue;
            }
            let mut unknown = 0;
            for byte in 0..count {
                let plain = undefined >> (8 * byte) & 0xff == 0 && poison >> byte & 1 == 0;
                let known = &mut page.known[row % PAGE][(from + byte) as usize];
                *known = *known & !(1 << lane) | Mask::from(plain) << lane;
                unknown |= u8::from(!plain) << byte;
            }
            if unknown != 0 {
                let exception = self.exceptions.entry(row).or_insert_with(Exception::empty);
                let undefined = (undefined as u32) << (8 * from);
                exception.undefined[lane] = exception.undefined[lane] & !mask | undefined;
                let unwritten = chunk.unwritten >> place;
                for byte in (0..count).filter(|byte| unknown >> byte & 1 != 0) {
                    let set = |mask: &mut Mask, flag: u8| {
                        *mask = *mask & !(1 << lane) | Mask::from(flag >> byte & 1) << lane;
                    };
                    set(&mut exception.poison[(from + byte) as usize], poison);
                    set(&mut exception.written[(from + byte) as usize], !unwritten);
                }
            }
        }
    }

    /// The page of a row.
    fn page(&mut self, row: usize) -> &mut Page {
        if self.pages.len() <= row / PAGE {
            self.pages.resize_with(row / PAGE + 1, || None);
        }
        self.pages[row / PAGE]
            .get_or_insert_with(|| Box::new(Page { words: [[0; WIDTH]; PAGE], known: [[0; 4]; PAGE] }))
    }
}

impl Exception {
    fn empty() -> Box<Exception> {
        Box::new(Exception { undefined: [0; WIDTH], poison: [0; 4], written: [0; 4] })
    }
}

/// The row of a byte.
pub(super) fn row_of(low: u32) -> usize {
    (low - PRIVATE_START) as usize / 4
}
