//! What explicit masks promise under the *partition* reading.
//!
//! Threads that are converged communicate with those of them that pass the same mask. A mask that names others, too, is no breach by itself: they may execute the operation elsewhere, as in the
//! two branches of an `if`. **Definition.** A promise is an operation, be it at several places of the text, a mask, and a subgroup. It is kept when at the end all threads that the mask names have
//! executed the operation with that mask equally often. Those that have executed it less often than others, and have ended, were named in vain.
//!
//! Executions by all that are named change no difference, so only the others are counted, and a promise is forgotten as long as all counts are equal.

use reconverge_findings::Code as Rule;
use reconverge_findings::run::{Limit, MaskReading, OperationBreach, What};
use rustc_hash::FxHashMap;

use super::frame::Fragment;
use super::workgroup::Workgroup;
use crate::operations::named_lanes;
use crate::program::code::{CodeId, Op};
use crate::value::{Mask, WIDTH, lanes_of};

/// The promises that are not kept yet, by wave and the lanes that are named.
pub(super) type Promises<'r> = FxHashMap<(usize, Mask), Vec<Promise<'r>>>;

/// Some of the threads that a mask names have executed the operation more often than others.
pub(super) struct Promise<'r> {
    op: &'r Op,
    /// By lane.
    executions: Box<[u64; WIDTH]>,
    /// Where threads first were without others that they name, and which threads.
    first: (CodeId, u32, Mask),
}

impl<'r> Workgroup<'r> {
    /// Notes that a set executed an operation with a mask, where one of its fragments was.
    pub(super) fn note_mask(&mut self, wave: usize, set: Mask, mask: u64, fragment: &Fragment) {
        if self.promises.len() > self.bound.limits.records {
            self.report(wave, fragment, set, Limit::Records(self.bound.limits.records));
            self.halt = true;
        }
        let (code, op) = (self.waves[wave].frames[fragment.frame as usize].code, fragment.op);
        // A full mask in a workgroup that does not fill its last subgroup names nobody who is not there.
        let there = self.bound.lanes_of_wave(self.waves[wave].first);
        let named = named_lanes(mask, set.trailing_zeros() as usize, self.bound.shape.subgroup) & there;
        if named & !set == 0 {
            return;
        }
        let operation: &'r Op = &self.program.codes[code].ops[op as usize];
        let promises = self.promises.entry((wave, named)).or_default();
        let known = promises.iter().position(|promise| promise.op.is_same_operation(operation));
        let at = known.unwrap_or_else(|| {
            promises.push(Promise { op: operation, executions: Box::new([0; WIDTH]), first: (code, op, set) });
            promises.len() - 1
        });
        let executions = &mut promises[at].executions;
        lanes_of(set).for_each(|lane| executions[lane] += 1);
        let mut counts = lanes_of(named).map(|lane| executions[lane]);
        let first = counts.next();
        if counts.all(|count| Some(count) == first) {
            promises.swap_remove(at);
            if promises.is_empty() {
                self.promises.remove(&(wave, named));
            }
        }
    }

    /// Reports the promises that are not kept by threads that have ended.
    pub(super) fn report_promises(&mut self) {
        let mut promises: Vec<_> = std::mem::take(&mut self.promises).into_iter().collect();
        promises.sort_unstable_by_key(|&(whose, _)| whose);
        for ((wave, named), promises) in promises {
            for Promise { executions, first: (code, op, set), .. } in promises {
                let most = lanes_of(named).map(|lane| executions[lane]).max().unwrap_or(0);
                let ended = named & !self.waves[wave].lanes;
                let missing =
                    lanes_of(ended).filter(|&lane| executions[lane] < most).fold(0, |all, lane| all | 1 << lane);
                if missing == 0 {
                    continue;
                }
                let missing = self.threads(wave, missing);
                let breach = OperationBreach::MaskNamesOthers { missing, reading: MaskReading::Partition };
                let trouble = self.trouble(What::Operation(breach), self.threads(wave, set));
                self.add(Rule::RC0510.severity(), (code, op), trouble);
            }
        }
    }
}
