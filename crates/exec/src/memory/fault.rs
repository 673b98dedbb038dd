//! What can be wrong with an access.

pub use reconverge_findings::run::{FaultKind, Touch};

use super::address::{Address, Segment};
use crate::value::Mask;

/// The instruction that makes an access: any number that names it.
pub type Site = u32;

/// A place as the program knows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ObjectPlace {
    /// The segment of the object.
    pub segment: Segment,
    /// Its name; empty where it has none.
    pub name: String,
    /// The `alloca` that made it, for private objects.
    pub site: Option<Site>,
    /// How many bytes it has.
    pub bytes: u64,
    /// The distance of the place from its start, negative before it.
    pub offset: i64,
}

/// Accesses of one instruction that are wrong in the same way.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// What is wrong.
    pub kind: FaultKind,
    /// The lanes that it is wrong for.
    pub lanes: Mask,
    /// The address that the lowest of them has.
    pub address: Address,
    /// How many bytes that lane wants there.
    pub bytes: u64,
    /// Where that is, if it is in an object or next to one.
    pub place: Option<ObjectPlace>,
}

/// Two accesses to one byte that nothing orders, by different threads, not both reads and not both atomic.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Race {
    /// The thread that makes the access, as its number in the workgroup.
    pub thread: u32,
    /// How it does.
    pub touch: Touch,
    /// The thread that made one before.
    pub other_thread: u32,
    /// Where.
    pub other_site: Site,
    /// How.
    pub other_touch: Touch,
    /// The byte; where both touch several, one of them.
    pub place: ObjectPlace,
}

/// What was wrong with the accesses of one instruction.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Faults {
    /// By kind and object.
    pub faults: Vec<Fault>,
    /// Races with earlier accesses, each pair of instructions once in a workgroup.
    pub races: Vec<Race>,
}

impl Faults {
    /// Whether nothing was wrong.
    pub fn is_empty(&self) -> bool {
        self.faults.is_empty() && self.races.is_empty()
    }

    /// The lanes whose access did not happen.
    pub fn prevented(&self) -> Mask {
        self.faults.iter().filter(|fault| fault.kind.prevents()).fold(0, |lanes, fault| lanes | fault.lanes)
    }

    /// The lanes that loaded bytes to which nothing was ever stored.
    pub fn uninitialised(&self) -> Mask {
        let uninitialised = self.faults.iter().filter(|fault| fault.kind == FaultKind::Uninitialised);
        uninitialised.fold(0, |lanes, fault| lanes | fault.lanes)
    }

    /// Notes a fault of a lane. Lanes are to come in ascending order.
    pub(super) fn add(&mut self, lane: usize, kind: FaultKind, address: u64, bytes: u64, place: Option<ObjectPlace>) {
        let same = |fault: &&mut Fault| {
            fault.kind == kind
                && match (&fault.place, &place) {
                    (Some(one), Some(other)) => {
                        (one.segment, &one.name, one.site) == (other.segment, &other.name, other.site)
                    }
                    (one, other) => one.is_none() && other.is_none(),
                }
        };
        match self.faults.iter_mut().find(same) {
            Some(fault) => fault.lanes |= 1 << lane,
            None => self.faults.push(Fault { kind, lanes: 1 << lane, address: Address(address), bytes, place }),
        }
    }
}

/// More memory is wanted than there may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("{wanted} bytes of memory are wanted, and the limit is {limit} (--max-memory raises this)")]
pub struct OutOfMemory {
    /// How many bytes there would be in all.
    pub wanted: u64,
    /// How many there may be.
    pub limit: u64,
}
