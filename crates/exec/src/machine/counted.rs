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

/// Threads that came to a barrier and went on.
#[derive(Debug, Clone, Copy)]
pub(super) struct Arrival {
    mask: Mask,
    since: u64,
}

/// What comes to a barrier.
enum Coming {
    Arrival(usize),
    Waiting(Member),
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
        self.arrivals.entry(number).or_default().push(Arrival { mask: fragment.mask, since });
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
        let (mut counted, mut come) = (Vec::new(), 0);
        for &member in members {
            come += self.count_waiting(member, &mut counted);
        }
        let arrivals = self.arrivals.get(&number).into_iter().flatten();
        come + arrivals.map(|arrival| self.threads_of_subgroups(arrival.mask)).sum::<u64>()
    }

    /// Of the threads that wait at a barrier that `wanted` threads complete those that go on now; nobody, where too few have come. What is taken of the arrivals is gone.
    pub(super) fn completing(&mut self, members: &[Member], number: u64, wanted: u64) -> Vec<Member> {
        loop {
            let arrivals = self.arrivals.get(&number).map_or(&[][..], Vec::as_slice);
            let mut all: Vec<(u64, bool, Coming)> = Vec::new();
            all.extend(arrivals.iter().enumerate().map(|(at, one)| (one.since, false, Coming::Arrival(at))));
            all.extend(members.iter().map(|&member| {
                let waits = self.waves[member.wave].fragments[member.fragment].waits;
                (waits.map_or(0, |waits| waits.since), true, Coming::Waiting(member))
            }));
            all.sort_by_key(|&(since, waits, _)| (since, waits));
            let (mut counted, mut come, mut taken) = (Vec::new(), 0, 0);
            let mut going = Vec::new();
            for (_, _, coming) in &all {
                if come >= wanted {
                    break;
                }
                match *coming {
                    Coming::Arrival(at) => {
                        come += self.threads_of_subgroups(arrivals[at].mask);
                        taken = at + 1;
                    }
                    Coming::Waiting(member) => {
                        come += self.count_waiting(member, &mut counted);
                        going.push(member);
                    }
                }
            }
            if come < wanted {
                return Vec::new();
            }
            if let Some(arrivals) = self.arrivals.get_mut(&number) {
                arrivals.drain(..taken);
            }
            if taken == 0 || !going.is_empty() {
                // The other threads of subgroups that are counted go with them.
                let is_counted = |member: &Member| {
                    let mask = self.waves[member.wave].fragments[member.fragment].mask;
                    self.subgroups(mask).all(|group| counted.contains(&(member.wave, group)))
                };
                return members.iter().copied().filter(|member| is_counted(member)).collect();
            }
            // It was completed with nobody who waits.
        }
    }

    /// How many threads count where some of a wave come.
    fn threads_of_subgroups(&self, mask: Mask) -> u64 {
        self.subgroups(mask).count() as u64 * u64::from(self.bound.shape.subgroup)
    }

    /// How many threads count where a fragment waits, beside those of subgroups that count already.
    fn count_waiting(&self, member: Member, counted: &mut Vec<(usize, Mask)>) -> u64 {
        let mask = self.waves[member.wave].fragments[member.fragment].mask;
        let new: Vec<(usize, Mask)> =
            self.subgroups(mask).map(|group| (member.wave, group)).filter(|group| !counted.contains(group)).collect();
        counted.extend(&new);
        new.len() as u64 * u64::from(self.bound.shape.subgroup)
    }
}
