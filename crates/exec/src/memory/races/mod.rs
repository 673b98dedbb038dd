//! Data races between the threads of a workgroup.
//!
//! Two accesses *conflict* if they touch one byte, are of different threads, not both reads and not both atomic. Two that conflict are a
//! *race* unless one comes before the other ([`clocks`]). Global and local memory are kept apart: a barrier may order the one and not
//! the other.
//!
//! Atomic accesses to one byte are in an order, whatever else they order. What comes after the last of those that it conflicts with comes
//! after all of them. So the last thread of those that count themselves in may read the count, and set it back.
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
mod detector;
mod record;

use rustc_hash::FxHashSet;

use super::access::Place;
use super::address::Segment;
use super::fault::{Faults, ObjectPlace, Race, Site, Touch};
use super::waves::Offsets;
use super::{Access, Layout, Memory, Ordered, Synchronisation, Workgroup};
use crate::value::{Mask, lanes_of, low_bits};
use clocks::Location;
use detector::{Collisions, Detector};

/// The races of a workgroup.
pub(super) struct Races {
    global: Detector,
    local: Detector,
    /// The pairs of instructions that were reported, the lesser number first.
    reported: FxHashSet<(Site, Site)>,
    waves: Vec<Mask>,
    wave: u32,
}

impl Races {
    pub(super) fn new(workgroup: &Workgroup) -> Races {
        let (threads, wave) = (workgroup.threads, workgroup.wave.max(1));
        let detector = || Detector::new(threads, wave, workgroup.subgroup.max(1));
        let full = |wave_index: u32| low_bits((threads - wave_index * wave).min(wave));
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
                (true, false) => {
                    detector.clocks.some(threads);
                    detector.settle();
                }
                _ => {}
            }
        }
    }

    /// The detectors of the memory that a barrier orders.
    fn ordered(&mut self, ordered: Ordered) -> impl Iterator<Item = &mut Detector> {
        let both = [(&mut self.global, ordered.global), (&mut self.local, ordered.local)];
        both.into_iter().filter_map(|(detector, is_ordered)| is_ordered.then_some(detector))
    }

    pub(super) fn arrive(&mut self, number: u64, wave: usize, mask: Mask, ordered: Ordered) {
        let threads: Vec<u32> = lanes_of(mask).map(|lane| self.thread(wave, lane)).collect();
        for detector in self.ordered(ordered) {
            threads.iter().for_each(|&thread| detector.clocks.arrive(thread, number));
            detector.settle();
        }
    }

    pub(super) fn learn_of_arrivals(&mut self, number: u64, threads: &[Mask], ordered: Ordered) {
        self.ordered(ordered).for_each(|detector| detector.clocks.learn_of_arrivals(threads, number));
    }

    pub(super) fn meet(&mut self, threads: &[Mask]) {
        for detector in [&mut self.global, &mut self.local] {
            detector.clocks.meet(threads);
        }
    }

    pub(super) fn fence(&mut self, wave: usize, mask: Mask, synchronisation: Synchronisation) {
        for lane in lanes_of(mask) {
            let thread = self.thread(wave, lane);
            for detector in [&mut self.global, &mut self.local] {
                detector.clocks.fence(thread, synchronisation);
                detector.settle();
            }
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
        let record = detector.record(thread, access.site, touch);
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
        offsets: &Offsets<'_>,
        mask: Mask,
        layout: &Layout,
        touch: Touch,
        access: Access,
        faults: &mut Faults,
    ) {
        let Some(races) = &mut self.races else { return };
        let thread = races.thread(wave, 0);
        let Some((detector, index, _)) = races.detector(object) else { return };
        let record = detector.record(thread, access.site, touch);
        let mut collisions = Collisions::new();
        for &span in layout.spans() {
            detector.note_lanes(index, offsets, mask, span, record, &mut collisions);
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
                    thread: record.thread,
                    touch: record.touch,
                    other_thread: other.thread,
                    other_site: other.site,
                    other_touch: other.touch,
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
            detector.0.settle();
        }
    }
}
