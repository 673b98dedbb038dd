//! An access as the race detector remembers it, and as a number of 64 bits.

use crate::memory::fault::{Site, Touch};

/// An access to a cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Record {
    /// The stamp of the thread.
    pub(super) stamp: u32,
    pub(super) thread: u32,
    pub(super) site: Site,
    pub(super) touch: Touch,
}

impl Record {
    /// Whether the touches can race.
    pub(super) fn conflicts(self, other: Record) -> bool {
        let reads = |touch| matches!(touch, Touch::Read | Touch::AtomicRead);
        let (one, other) = (self.touch, other.touch);
        !(reads(one) && reads(other) || is_atomic(one) && is_atomic(other))
    }

    /// Whether it is an atomic access.
    pub(super) fn is_atomic(self) -> bool {
        is_atomic(self.touch)
    }

    /// Whether all that conflicts with the other's touch conflicts with this one's.
    pub(super) fn covers(self, other: Record) -> bool {
        covers(self.touch, other.touch)
    }
}

const fn is_atomic(touch: Touch) -> bool {
    matches!(touch, Touch::AtomicRead | Touch::AtomicWrite)
}

/// Whether all that conflicts with the other conflicts with the one: each covers itself and atomic reads, a write everything.
const fn covers(one: Touch, other: Touch) -> bool {
    one as u8 == other as u8 || matches!(one, Touch::Write) || matches!(other, Touch::AtomicRead)
}

/// A record in 64 bits: from the top, a zero, the stamp, two marks, the touch, the thread and the site. So that a record of an earlier
/// stamp is a lesser number, and that of the next thread differs by a constant. All zero is a record of long ago.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub(super) struct Packed(pub(super) u64);

const STAMP_SHIFT: u32 = 40;
const TOUCH_SHIFT: u32 = 36;
const TOUCH: u64 = 3 << TOUCH_SHIFT;
const IDENTITY: u64 = (1 << TOUCH_SHIFT) - 1;

/// The greatest stamp.
pub(super) const MAX_STAMP: u32 = (1 << (63 - STAMP_SHIFT)) - 1;

/// The mark of a first access on a frontier that there is a second one.
pub(super) const SECOND: u64 = 1 << 38;
/// The mark of a first access on a frontier that there are more than two.
pub(super) const MORE: u64 = 1 << 39;

const TOUCHES: [Touch; 4] = [Touch::Read, Touch::Write, Touch::AtomicRead, Touch::AtomicWrite];

/// For each touch in its bits, those that it covers: bit *i* is touch *i*.
const COVERED: [u8; 4] = {
    let mut covered = [0; 4];
    let mut pair = 0;
    while pair < 16 {
        let (one, other) = (pair / 4, pair % 4);
        covered[one] |= (covers(TOUCHES[one], TOUCHES[other]) as u8) << other;
        pair += 1;
    }
    covered
};

impl Packed {
    /// The least record with this stamp.
    pub(super) fn of_stamp(stamp: u32) -> Packed {
        Packed(u64::from(stamp) << STAMP_SHIFT)
    }

    /// Whether there are these marks.
    pub(super) fn has(self, marks: u64) -> bool {
        self.0 & marks != 0
    }

    /// Whether the touches are the same.
    pub(super) fn touches_like(self, other: Packed) -> bool {
        (self.0 ^ other.0) & TOUCH == 0
    }

    /// Whether it is an atomic access.
    pub(super) fn is_atomic(self) -> bool {
        is_atomic(TOUCHES[(self.0 >> TOUCH_SHIFT & 3) as usize])
    }

    /// Whether the touch covers the other's.
    pub(super) fn covers(self, other: Packed) -> bool {
        COVERED[(self.0 >> TOUCH_SHIFT & 3) as usize] >> (other.0 >> TOUCH_SHIFT & 3) & 1 != 0
    }
}

/// How threads and sites share the lower bits.
#[derive(Debug, Clone, Copy)]
pub(super) struct Packing {
    site_bits: u32,
}

impl Packing {
    /// For so many threads, at most 2²⁴.
    pub(super) fn new(threads: u32) -> Packing {
        let thread_bits = threads.saturating_sub(1).checked_ilog2().map_or(0, |log| log + 1);
        Packing { site_bits: (TOUCH_SHIFT - thread_bits.min(24)).min(32) }
    }

    /// A site for which there are not enough bits becomes the last number that there are.
    pub(super) fn pack(self, record: Record) -> Packed {
        let site = u64::from(record.site).min((1 << self.site_bits) - 1);
        let touch = TOUCHES.iter().position(|&touch| touch == record.touch).unwrap_or_default() as u64;
        let identity = u64::from(record.thread) << self.site_bits | site;
        let packed = Packed(u64::from(record.stamp) << STAMP_SHIFT | touch << TOUCH_SHIFT | identity);
        debug_assert_eq!(self.unpack(packed), Record { site: site as u32, ..record }, "packing loses nothing");
        packed
    }

    pub(super) fn unpack(self, packed: Packed) -> Record {
        Record {
            stamp: (packed.0 >> STAMP_SHIFT) as u32,
            thread: ((packed.0 & IDENTITY) >> self.site_bits) as u32,
            site: (packed.0 & ((1 << self.site_bits) - 1)) as u32,
            touch: TOUCHES[(packed.0 >> TOUCH_SHIFT & 3) as usize],
        }
    }

    /// The record of the same access by the thread that comes so many later.
    pub(super) fn later(self, packed: Packed, threads: usize) -> Packed {
        Packed(packed.0 + ((threads as u64) << self.site_bits))
    }

    pub(super) fn same_thread(self, one: Packed, other: Packed) -> bool {
        (one.0 ^ other.0) & IDENTITY & (u64::MAX << self.site_bits) == 0
    }

    /// Puts a new access in the place of the first one on a frontier, or leaves that if it covers the new one. Answers whether that is
    /// all there is to do: if the first one is less than `old`, which is of long ago; or of the same thread and stamp.
    #[inline]
    pub(super) fn replace(self, first: &mut Packed, record: Packed, old: Packed) -> bool {
        if *first < old {
            *first = record;
            return true;
        }
        if self.same_stamp_and_thread(*first, record) {
            let is_alone = !first.has(SECOND | MORE);
            // What else is there may be behind the thread's earlier atomic access, and race with this one.
            if first.covers(record) && (is_alone || !record.is_atomic()) {
                return true;
            }
            if is_alone && record.covers(*first) {
                *first = record;
                return true;
            }
        }
        false
    }

    fn same_stamp_and_thread(self, one: Packed, other: Packed) -> bool {
        (one.0 ^ other.0) & (IDENTITY | u64::MAX << STAMP_SHIFT) & (u64::MAX << self.site_bits) == 0
    }
}
