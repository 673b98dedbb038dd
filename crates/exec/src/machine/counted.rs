//! Barriers that a number of threads complete: those of PTX with a count.
//!
//! **Definition.** A barrier with a number is a resource of the workgroup. Threads *come* to it where they wait at it, or only *arrive* and go on. A subgroup that has a thread there counts
//! with all its threads, once for all that wait and once for each arrival. When as many have come as the operation says, the first of them complete it: those that wait go on, what all of
//! them did before is before what these do next, and the barrier begins anew.
//!
//! Who has come since is known by the clock of the workgroup; of those who come at one time, arrivals are first.

use super::findings::Seen;
use super::frame::Fragment;
use super::meeting::Member;
use super::workgroup::{Stopped, Workgroup};
use crate::operations::{Scope, Violation, ViolationKind};
use crate::program::code::Op;
use crate::value::{Mask, lanes_of};

/// So many arrivals at one barrier are remembered: those of a program that means something are taken by who waits.
const MOST_ARRIVALS: usize = 4096;

/// Threads of a subgroup that have come to a barrier.
#[derive(Debug, Clone, Copy)]
pub(super) struct Come {
    wave: usize,
    /// The lanes of the subgroup, and those of them that have come.
    group: Mask,
    mask: Mask,
    /// When the last of them did.
    since: u64,
    waits: bool,
}

impl Workgroup<'_> {
    /// Reports that threads of a subgroup that execute a barrier together give it different numbers or counts, which those of PTX that are *aligned* do not allow.
    pub(super) fn check_numbers(&mut self, wave: usize, fragment: &Fragment) -> Result<(), Stopped> {
        let Op::Barrier { barrier, arguments, .. } = &self.code(wave, fragment.frame).ops[fragment.op as usize] else {
            return Ok(());
        };
        if barrier.textual != Some(Scope::Subgroup) {
            return Ok(());
        }
        for argument in [barrier.id, barrier.count].into_iter().flatten().map(usize::from) {
            let bits = self.operand(wave, fragment.frame, arguments[argument])[0].bits;
            for lanes in self.subgroups(fragment.mask).map(|group| group & fragment.mask) {
                let first = bits[lanes.trailing_zeros() as usize];
                let lanes = lanes_of(lanes).filter(|&lane| bits[lane] != first).fold(0, |mask, lane| mask | 1 << lane);
                if lanes != 0 {
                    let kind = ViolationKind::NotUniform { argument };
                    self.report(wave, fragment, lanes, Seen::Violation(Violation { lanes, kind }));
                    return Err(Stopped);
                }
            }
        }
        Ok(())
    }

    /// Notes that threads come to the barrier that a fragment is at, and go on.
    pub(super) fn arrive(&mut self, wave: usize, fragment: &Fragment) {
        let Op::Barrier { barrier, ordered, .. } = &self.code(wave, fragment.frame).ops[fragment.op as usize] else {
            return;
        };
        if barrier.count.is_none() {
            return;
        }
        let number = self.barrier_number(wave, fragment);
        let since = self.log.happened();
        let groups = self.subgroups(fragment.mask);
        let arrivals = self.arrivals.entry(number).or_default();
        for group in groups {
            let mask = fragment.mask & group;
            // Threads of a subgroup may come one after the other; who comes again does so for the next time.
            let has_room = arrivals.len() < MOST_ARRIVALS;
            match arrivals.iter_mut().rev().find(|come| (come.wave, come.group) == (wave, group)) {
                Some(come) if come.mask & mask == 0 => (come.mask, come.since) = (come.mask | mask, since),
                _ if has_room => {
                    arrivals.push(Come { wave, group, mask, since, waits: false });
                }
                _ => {}
            }
        }
        self.memory.arrive(number, wave, fragment.mask, *ordered);
    }

    /// How many threads complete the barrier that a fragment is at, where it says so.
    pub(super) fn wanted_at(&self, member: Member) -> Option<u64> {
        let fragment = &self.waves[member.wave].fragments[member.fragment];
        let Op::Barrier { barrier, arguments, .. } = &self.code(member.wave, fragment.frame).ops[fragment.op as usize]
        else {
            return None;
        };
        let operand = arguments[usize::from(barrier.count?)];
        let lane = fragment.mask.trailing_zeros() as usize;
        Some(self.operand(member.wave, fragment.frame, operand)[0].bits[lane])
    }

    /// How many threads have come to the barrier that these wait at.
    pub(super) fn come_to(&self, members: &[Member], number: u64) -> u64 {
        let arrivals = self.arrivals.get(&number).map_or(0, Vec::len);
        (arrivals + self.waiting(members).len()) as u64 * u64::from(self.bound.shape.subgroup)
    }

    /// Of the threads that wait at a barrier that `wanted` threads complete those that go on now; nobody, where too few have come. What is taken of the arrivals is gone.
    pub(super) fn completing(&mut self, members: &[Member], number: u64, wanted: u64) -> Vec<Member> {
        loop {
            let arrivals = self.arrivals.get(&number).into_iter().flatten().copied().enumerate();
            let mut all: Vec<(Option<usize>, Come)> = arrivals.map(|(at, come)| (Some(at), come)).collect();
            all.extend(self.waiting(members).into_iter().map(|come| (None, come)));
            all.retain(|(_, come)| self.is_whole(come));
            all.sort_by_key(|(_, come)| (come.since, come.waits));
            let needed = wanted.div_ceil(u64::from(self.bound.shape.subgroup)).max(1);
            if (all.len() as u64) < needed {
                return Vec::new();
            }
            all.truncate(needed as usize);
            let mut places = 0_usize..;
            if let Some(arrivals) = self.arrivals.get_mut(&number) {
                arrivals.retain(|_| {
                    let place = places.next();
                    !all.iter().any(|&(at, _)| at.is_some() && at == place)
                });
            }
            let goes = |member: &Member| {
                let mask = self.waves[member.wave].fragments[member.fragment].mask;
                all.iter().any(|(_, come)| come.waits && come.wave == member.wave && come.group & mask != 0)
            };
            let going: Vec<Member> = members.iter().copied().filter(goes).collect();
            // It may have been completed with nobody who waits.
            if !going.is_empty() {
                return going;
            }
        }
    }

    /// Those who wait, by their subgroups.
    fn waiting(&self, members: &[Member]) -> Vec<Come> {
        let mut found: Vec<Come> = Vec::new();
        for member in members {
            let fragment = &self.waves[member.wave].fragments[member.fragment];
            let since = fragment.waits.map_or(0, |waits| waits.since);
            for group in self.subgroups(fragment.mask) {
                let mask = fragment.mask & group;
                match found.iter_mut().find(|come| (come.wave, come.group) == (member.wave, group)) {
                    Some(come) => (come.mask, come.since) = (come.mask | mask, come.since.max(since)),
                    None => found.push(Come { wave: member.wave, group, mask, since, waits: true }),
                }
            }
        }
        found
    }

    /// Whether no other thread of the subgroup can still come: all others have ended, or wait for more than their subgroup.
    fn is_whole(&self, come: &Come) -> bool {
        let can_come = |fragment: &Fragment| {
            let there = &self.code(come.wave, fragment.frame).ops[fragment.op as usize];
            fragment.mask & come.group & !come.mask != 0
                && (fragment.waits.is_none() || there.scope() == Some(Scope::Subgroup))
        };
        !self.waves[come.wave].fragments.iter().any(can_come)
    }
}
