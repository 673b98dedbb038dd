//! Barriers.

pub use reconverge_operations::{Phase, Reduction};

use super::{Part, Scope, Violation, ViolationKind, crosslane};
use crate::value::{Mask, Slot, lanes_of};

/// A point at which threads wait for each other.
#[derive(Debug, Clone, PartialEq)]
pub struct Barrier {
    /// Which threads are to get there: all those of the group, unless the rest says otherwise.
    pub scope: Scope,
    /// The threads of which group must be at the same call: those of a workgroup at OpenCL's `barrier`, those of a
    /// subgroup at what PTX calls *aligned*. Otherwise they may be at any barrier with the same number.
    pub textual: Option<Scope>,
    /// Only the threads that are there together wait for each other, nobody else is missed: `llvm.amdgcn.wave.barrier`.
    pub partial: bool,
    /// Whether it is all of a barrier, or half of one.
    pub phase: Phase,
    /// It is the barrier of a cluster of workgroups, which is another one than the workgroup's own. Each cluster is one
    /// workgroup.
    pub cluster: bool,
    /// The operand with the number of the barrier: 0 where there is none. Those with different numbers have nothing to do
    /// with each other.
    pub id: Option<u8>,
    /// The operand with the number of threads that complete it, where these are not all of the group.
    pub count: Option<u8>,
    /// The operand that names the threads of the subgroup that wait.
    pub mask: Option<u8>,
    /// What is computed of a predicate of all threads that wait; no result otherwise.
    pub reduction: Option<(Reduction, u8)>,
    /// The operand with OpenCL C's flags, which say what memory is ordered; all of it where there is none.
    pub flags: Option<u8>,
    /// Whether what a thread wrote before it is seen by the others behind it.
    pub orders_memory: bool,
}

impl Barrier {
    /// What is wrong with the masks that the threads of a set pass, which is not empty, of one subgroup, and all that meet
    /// here. Nothing where there are no masks.
    pub fn check_mask(&self, set: Mask, subgroup: u32, arguments: &[&[Slot]]) -> Vec<Violation> {
        self.mask.map_or_else(Vec::new, |mask| crosslane::check_mask(mask, set, subgroup, arguments))
    }

    /// Computes [`Barrier::reduction`] for the threads of all waves that wait, in each its operands and its result.
    pub fn reduce(&self, parts: &mut [Part]) -> Vec<(usize, Violation)> {
        let Some((reduction, operand)) = self.reduction else { return Vec::new() };
        let argument = usize::from(operand);
        let (mut count, mut threads, mut is_known) = (0, 0, true);
        let unknown_of = |part: &Part| part.arguments[argument][0].indeterminate_lanes() & part.set;
        for part in parts.iter() {
            is_known &= unknown_of(part) == 0;
            threads += u64::from(part.set.count_ones());
            count += lanes_of(part.set).filter(|&lane| part.arguments[argument][0].bits[lane] != 0).count() as u64;
        }
        let result = match reduction {
            Reduction::And => u64::from(count == threads),
            Reduction::Or => u64::from(count != 0),
            Reduction::Count => count,
        };
        let mut violations = Vec::new();
        for (index, part) in parts.iter_mut().enumerate() {
            let sources = unknown_of(part);
            let poison: Mask = if is_known { 0 } else { part.set };
            let out = &mut part.out[0];
            (out.poison, out.undefined) = (poison, None);
            for lane in lanes_of(part.set) {
                out.bits[lane] = result;
            }
            if poison != 0 {
                let kind = ViolationKind::Indeterminate { argument, sources, is_poison: false };
                violations.push((index, Violation { lanes: poison, kind }));
            }
        }
        violations
    }
}
