//! Which accesses of other threads come before what a thread does.
//!
//! Each access gets the *stamp* that its thread has. A synchronisation gives stamps that were not given before, so the stamp of a thread
//! says which of its synchronisations an access is between. An access of thread *t* with stamp *s* comes before what thread *u* does now
//! iff *t* = *u*, or *s* < `floor`, the stamp of the last barrier of all threads, or *s* < `known[u][t]`.
//!
//! - A barrier of some threads joins what they know, and adds that each knows all that the others did.
//! - A thread that arrives at a barrier and goes on leaves there what it knows, and all that it did; those that the barrier lets go on join it.
//! - A release leaves what the thread knows, and all that it did, with a location or, as a fence, for the stores that follow it; an
//!   acquire joins what was left with the location that it reads, or, as a fence, with those that the thread has read.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::memory::{Segment, Synchronisation};
use crate::value::{Mask, lanes_of};

/// For each thread, the stamp below which all its accesses are known.
type Knowledge = Arc<Vec<u32>>;

/// A place that atomic accesses synchronise at: an object of a segment, and an offset.
pub(super) type Location = (Segment, usize, u64);

pub(super) struct Clocks {
    /// The last stamp that was given.
    pub(super) last: u32,
    pub(super) floor: u32,
    /// The stamp of each thread.
    pub(super) now: Vec<u32>,
    known: Vec<Option<Knowledge>>,
    /// Whether any thread has another stamp than `floor`.
    pub(super) mixed: bool,
    /// What was left with locations.
    left: FxHashMap<Location, Knowledge>,
    /// What was left at barriers, by their numbers.
    arrived: FxHashMap<u64, Knowledge>,
    /// What the last release fence of a thread lets its stores leave.
    fenced: FxHashMap<u32, Knowledge>,
    /// What a thread has read and not yet acquired.
    pending: FxHashMap<u32, Knowledge>,
    /// How many threads a wave has.
    wave: usize,
}

impl Clocks {
    pub(super) fn new(threads: usize, wave: usize) -> Clocks {
        Clocks {
            last: 1,
            floor: 1,
            now: vec![1; threads],
            known: vec![None; threads],
            mixed: false,
            left: FxHashMap::default(),
            arrived: FxHashMap::default(),
            fenced: FxHashMap::default(),
            pending: FxHashMap::default(),
            wave,
        }
    }

    /// Whether an access comes before what a thread does now.
    pub(super) fn before(&self, thread: u32, stamp: u32, later: u32) -> bool {
        thread == later
            || stamp < self.floor
            || self.known[later as usize].as_ref().is_some_and(|known| stamp < known[thread as usize])
    }

    /// Stamps start from the beginning. Those that were given are to be forgotten.
    pub(super) fn restart(&mut self) {
        self.last = 0;
    }

    /// A barrier of all threads.
    pub(super) fn all(&mut self) {
        self.last += 1;
        self.floor = self.last;
        self.now.fill(self.floor);
        if self.mixed {
            self.known.fill(None);
            self.left.clear();
            self.arrived.clear();
            self.fenced.clear();
            self.pending.clear();
            self.mixed = false;
        }
    }

    fn threads(&self, waves: &[Mask]) -> Vec<u32> {
        let lanes = waves.iter().enumerate().flat_map(|(wave, &mask)| lanes_of(mask).map(move |lane| (wave, lane)));
        lanes.map(|(wave, lane)| (wave * self.wave + lane) as u32).collect()
    }

    /// Threads come together at what orders no memory by itself: what fences before it release is for the fences behind it.
    pub(super) fn meet(&mut self, waves: &[Mask]) {
        let threads = self.threads(waves);
        let mut released: Option<Knowledge> = None;
        for given in threads.iter().filter_map(|thread| self.fenced.get(thread)) {
            match &mut released {
                Some(released) => learn(released, given),
                none => *none = Some(given.clone()),
            }
        }
        let Some(released) = released else { return };
        for thread in threads {
            match self.pending.get_mut(&thread) {
                Some(pending) => learn(pending, &released),
                None => drop(self.pending.insert(thread, released.clone())),
            }
        }
    }

    /// A barrier of some threads.
    pub(super) fn some(&mut self, waves: &[Mask]) {
        let threads = self.threads(waves);
        let stamp = self.stamp();
        let mut all = vec![0; self.now.len()];
        let mut last: Option<Knowledge> = None;
        for &thread in &threads {
            if let Some(known) = &self.known[thread as usize]
                && !last.as_ref().is_some_and(|last| Arc::ptr_eq(last, known))
            {
                join(&mut all, known);
                last = Some(known.clone());
            }
        }
        for &thread in &threads {
            all[thread as usize] = stamp;
            self.now[thread as usize] = stamp;
        }
        let all = Arc::new(all);
        for thread in threads {
            self.known[thread as usize] = Some(all.clone());
        }
    }

    fn stamp(&mut self) -> u32 {
        self.mixed = true;
        self.last += 1;
        self.last
    }

    /// All that a thread knows and did; what it does from now on is not part of it.
    fn give(&mut self, thread: u32) -> Knowledge {
        let stamp = self.stamp();
        let mut all = match &self.known[thread as usize] {
            Some(known) => known.as_ref().clone(),
            None => vec![0; self.now.len()],
        };
        all[thread as usize] = stamp;
        self.now[thread as usize] = stamp;
        Arc::new(all)
    }

    fn take(&mut self, thread: u32, given: &Knowledge) {
        self.mixed = true;
        match &mut self.known[thread as usize] {
            Some(known) if Arc::ptr_eq(known, given) => {}
            Some(known) => learn(known, given),
            none => *none = Some(given.clone()),
        }
    }

    /// A thread reads what is left with a location, atomically, and acquires it or leaves that to a fence.
    pub(super) fn read(&mut self, thread: u32, location: Location, acquire: bool) {
        let Some(left) = self.left.get(&location).cloned() else { return };
        if acquire {
            self.take(thread, &left);
        } else {
            match self.pending.get_mut(&thread) {
                Some(pending) => learn(pending, &left),
                None => drop(self.pending.insert(thread, left)),
            }
        }
    }

    /// A thread stores to a location, atomically. What was left there before stays if the store is of what it read.
    pub(super) fn write(&mut self, thread: u32, location: Location, release: bool, and_reads: bool) {
        let given = if release { Some(self.give(thread)) } else { self.fenced.get(&thread).cloned() };
        match (given, self.left.get_mut(&location)) {
            (Some(given), Some(left)) if and_reads => learn(left, &given),
            (Some(given), _) => drop(self.left.insert(location, given)),
            (None, Some(_)) if !and_reads => drop(self.left.remove(&location)),
            _ => {}
        }
    }

    /// A thread comes to a barrier, and goes on: it leaves there what it knows, and all that it did.
    pub(super) fn arrive(&mut self, thread: u32, number: u64) {
        let given = self.give(thread);
        match self.arrived.get_mut(&number) {
            Some(arrived) => learn(arrived, &given),
            None => drop(self.arrived.insert(number, given)),
        }
    }

    /// Threads that a barrier lets go on take what was left there. It stays: some of it may be of those who came for the next time.
    pub(super) fn learn_of_arrivals(&mut self, waves: &[Mask], number: u64) {
        let Some(arrived) = self.arrived.get(&number).cloned() else { return };
        self.threads(waves).into_iter().for_each(|thread| self.take(thread, &arrived));
    }

    /// A thread executes a fence.
    pub(super) fn fence(&mut self, thread: u32, synchronisation: Synchronisation) {
        if synchronisation.acquire
            && let Some(pending) = self.pending.remove(&thread)
        {
            self.take(thread, &pending);
        }
        if synchronisation.release {
            let given = self.give(thread);
            self.fenced.insert(thread, given);
        }
    }
}

fn join(into: &mut [u32], from: &[u32]) {
    for (into, &from) in into.iter_mut().zip(from) {
        *into = (*into).max(from);
    }
}

fn learn(into: &mut Knowledge, from: &Knowledge) {
    join(Arc::make_mut(into).as_mut_slice(), from);
}
