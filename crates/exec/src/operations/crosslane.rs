//! Operations in which threads communicate.
//!
//! [`Crosslane::perform`] computes results for a set of threads of one subgroup. Threads of a subgroup are numbered by their lane,
//! from the first lane of the subgroup; those numbers, and masks of them, are what operands and results hold.

use super::fetch::{self, Source};
use super::fold::{self, Combine, Extent};
use super::votes;
use super::{LaunchShape, Scope, Violation, ViolationKind, Wave};
use crate::value::{Mask, Shape, Slot, WIDTH, lanes_of, low_bits};

/// An operation of the threads of a set.
#[derive(Debug, Clone, PartialEq)]
pub struct Crosslane {
    /// The group that the threads of a set are of, in which they have numbers.
    pub scope: Scope,
    /// Whether it is defined when only some threads of the group are there. Otherwise all of them have to be.
    pub partial: bool,
    /// The operand that names the threads that take part.
    pub mask: Option<u8>,
    /// What it does.
    pub action: Action,
    /// The types of the operands.
    pub arguments: Vec<Shape>,
    /// The type of the result; empty for none.
    pub result: Shape,
}

/// What an operation does. Numbers are those of operands.
#[derive(Debug, Clone, PartialEq)]
pub enum Action {
    /// The threads for which a predicate holds, as a mask: one integer, or a vector of 32-bit words.
    Ballot(Predicate),
    /// How many they are.
    Count(Predicate),
    /// How many of those before this thread.
    CountBefore(Predicate),
    /// Whether it holds for all.
    All(Predicate),
    /// Whether it holds for one.
    Any(Predicate),
    /// Whether it is the same for all.
    Same(Predicate),
    /// Whether all have an equal value. With as many results as the value has elements, each is about one of these. Floating-point
    /// numbers are equal as numbers.
    AllEqual(u8),
    /// Which threads have the same bits, as a mask.
    MatchAny(u8),
    /// All threads, as a mask, and whether they have the same bits; no thread if they have not.
    MatchAll(u8),
    /// Whether the thread is the first one of the set.
    IsFirst,
    /// The number of the first thread of the set, and whether it is this one.
    Elect,
    /// Gets a value from another thread.
    Fetch(Source),
    /// Gives a value to the thread that the thread names, as a byte address of 32-bit words; zero for threads that
    /// nobody names. The highest of several wins.
    Push {
        /// The address.
        address: u8,
        /// What it gives.
        value: u8,
    },
    /// The value in one thread, the old value in the others.
    Write {
        /// The value.
        value: u8,
        /// The number of the thread.
        lane: u8,
        /// The old value.
        old: u8,
    },
    /// Two values, of which half of the lanes of the first and the other half of the second change places. The results
    /// are both, afterwards.
    Swap {
        /// How many neighbours change places together: 16 or 32.
        rows: u8,
    },
    /// Combines the values of the threads.
    Fold {
        /// The value.
        value: u8,
        /// How two become one.
        combine: Combine,
        /// The values of which threads.
        extent: Extent,
        /// The operand with the number of neighbours that are combined, where these are not all: a power of two.
        cluster: Option<u8>,
    },
    /// Whether the thread's bit in a mask is set. The mask has to be the same in all threads where this is `true`.
    InverseBallot(u8, bool),
    /// A number about a mask, which is a vector of words.
    OfMask(u8, MaskFunction),
    /// How much a value changes between the threads of a quad, which has 4 threads: two rows of two.
    Derivative {
        /// The value.
        value: u8,
        /// Between which.
        direction: Direction,
        /// Whether each row, or column, has its own.
        fine: bool,
    },
    /// Whether a predicate holds in one thread of the quad.
    QuadAny(Predicate),
    /// Whether it holds in all threads of the quad that are there.
    QuadAll(Predicate),
    /// The operand, as it is: a mark that has a meaning for the whole wave, such as `llvm.amdgcn.wwm`.
    Pass(u8),
}

/// A number about a mask.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum MaskFunction {
    /// Whether the bit that the second operand says is set.
    Bit(u8),
    /// How many bits are set.
    Count,
    /// How many up to this thread.
    CountUpTo,
    /// How many before this thread.
    CountBefore,
    /// The lowest bit that is set.
    Lowest,
    /// The highest bit that is set.
    Highest,
}

/// How a quad is gone through.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Direction {
    /// From the left to the right.
    X,
    /// From the top to the bottom.
    Y,
    /// The sum of the absolute values of both.
    Both,
}

/// What is true or false of a thread.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Predicate {
    /// It is there.
    Present,
    /// An operand is not zero.
    NonZero(u8),
    /// How the first two operands compare, by the number of the predicate in LLVM that the third one is.
    Compare,
}

/// The threads of one wave in an operation of a workgroup.
#[derive(Debug)]
pub struct Part<'p> {
    /// The wave.
    pub wave: Wave,
    /// Its threads.
    pub set: Mask,
    /// The components of each operand.
    pub arguments: &'p [&'p [Slot]],
    /// The components of the result.
    pub out: &'p mut [Slot],
}

/// What a set of threads of a subgroup executes, and what is wrong with it.
pub(super) struct Execution<'e> {
    pub(super) set: Mask,
    /// The lane with which the subgroup begins.
    pub(super) base: usize,
    /// How many lanes the subgroup has.
    pub(super) size: usize,
    pub(super) arguments: &'e [&'e [Slot]],
    pub(super) shapes: &'e [Shape],
    pub(super) result: &'e Shape,
    /// The lanes whose result is poison, as a value that is not known decided it.
    pub(super) poison: Mask,
    pub(super) violations: Vec<Violation>,
}

impl Crosslane {
    /// Computes the result for the lanes of `set`, which is not empty, has lanes of one subgroup only, and is exactly the threads
    /// that communicate. Other lanes of `out` mean nothing.
    ///
    /// `subgroup` is the size of a subgroup: lane *i* is in subgroup `i / subgroup` of the wave. `arguments` has the
    /// components of each operand, `out` those of the result.
    pub fn perform(&self, set: Mask, subgroup: u32, arguments: &[&[Slot]], out: &mut [Slot]) -> Vec<Violation> {
        let size = subgroup as usize;
        let base = set.trailing_zeros() as usize / size * size;
        for slot in out.iter_mut() {
            (slot.poison, slot.undefined) = (0, None);
        }
        let (shapes, result) = (self.arguments.as_slice(), &self.result);
        let mut execution = Execution { set, base, size, arguments, shapes, result, poison: 0, violations: Vec::new() };
        if let Some(mask) = self.mask {
            execution.check_mask(mask);
        }
        match &self.action {
            Action::Fetch(source) => fetch::fetch(&mut execution, source, out),
            Action::Push { address, value } => fetch::push(&mut execution, *address, *value, out),
            Action::Write { value, lane, old } => fetch::write(&mut execution, *value, *lane, *old, out),
            Action::Swap { rows } => fetch::swap(&mut execution, usize::from(*rows), out),
            Action::Fold { value, combine, extent, cluster } => {
                fold::fold(&mut execution, *value, *combine, *extent, *cluster, out);
            }
            action => votes::perform(&mut execution, action, out),
        }
        for slot in out.iter_mut() {
            slot.poison |= execution.poison;
        }
        execution.violations
    }

    /// The same for an operation of a workgroup ([`Crosslane::scope`]), with the threads of each of its waves, by
    /// ascending numbers. A violation is about the lanes of the wave that it comes with, by index in `parts`.
    pub fn perform_workgroup(&self, shape: &LaunchShape, parts: &mut [Part]) -> Vec<(usize, Violation)> {
        match self.action {
            Action::Fold { value, combine, extent, .. } => {
                fold::fold_workgroup(&self.arguments[usize::from(value)], value, combine, extent, parts)
            }
            Action::Fetch(ref source) => fetch::broadcast_workgroup(source, shape, parts),
            ref action => votes::perform_workgroup(action, parts),
        }
    }

    /// The lanes that get the value of one thread, and whose; a later pair counts for more. None where values of several threads come together in what a lane gets. As for [`Crosslane::perform`].
    pub fn sources(&self, set: Mask, subgroup: u32, arguments: &[&[Slot]]) -> Vec<(usize, usize)> {
        let size = subgroup as usize;
        let base = set.trailing_zeros() as usize / size * size;
        let (shapes, result) = (self.arguments.as_slice(), &self.result);
        let mut execution = Execution { set, base, size, arguments, shapes, result, poison: 0, violations: Vec::new() };
        match &self.action {
            Action::Fetch(source) => fetch::sources(&mut execution, source),
            Action::Push { address, .. } => fetch::pushed(&execution, *address),
            _ => Vec::new(),
        }
    }

    /// Whether an operation of a workgroup is one that [`Crosslane::perform_workgroup`] can do.
    pub(super) fn has_workgroup_form(action: &Action) -> bool {
        match action {
            Action::Fold { cluster, .. } => cluster.is_none(),
            Action::Fetch(source) => matches!(source, Source::Thread { .. }),
            Action::All(_) | Action::Any(_) => true,
            _ => false,
        }
    }
}

/// Divides a set of converged threads by the mask that each passes: the *partition* reading of explicit masks. Ascending by
/// first lane; a thread whose mask is not known is on its own.
pub fn mask_partition(mask: &Slot, set: Mask) -> Vec<Mask> {
    let unknown = mask.indeterminate_lanes();
    let mut parts: Vec<(usize, Mask)> = Vec::new();
    for lane in lanes_of(set) {
        let same = |&&mut (first, _): &&mut (usize, Mask)| {
            (unknown >> lane | unknown >> first) & 1 == 0 && mask.bits[first] == mask.bits[lane]
        };
        match parts.iter_mut().find(same) {
            Some((_, part)) => *part |= 1 << lane,
            None => parts.push((lane, 1 << lane)),
        }
    }
    parts.into_iter().map(|(_, part)| part).collect()
}

/// The lanes of a wave that a mask names, which is that of the thread in a lane: bit *i* is thread *i* of its subgroup.
/// Under the *concurrent* reading of explicit masks, these are the threads that meet.
pub fn named_lanes(mask: u64, lane: usize, subgroup: u32) -> Mask {
    let base = lane / subgroup as usize * subgroup as usize;
    (mask & low_bits(subgroup)) << base
}

/// What is wrong with the masks that the threads of a set pass, as [`Crosslane::perform`] says it of its own. `argument` is
/// the operand.
pub(super) fn check_mask(argument: u8, set: Mask, subgroup: u32, arguments: &[&[Slot]]) -> Vec<Violation> {
    let (size, result) = (subgroup as usize, Shape::new());
    let base = set.trailing_zeros() as usize / size * size;
    let mut execution =
        Execution { set, base, size, arguments, shapes: &[], result: &result, poison: 0, violations: Vec::new() };
    execution.check_mask(argument);
    execution.violations
}

impl Execution<'_> {
    /// The first thread of the set.
    pub(super) fn first(&self) -> usize {
        self.set.trailing_zeros() as usize
    }

    /// Whether a lane is of the set.
    pub(super) fn has(&self, lane: usize) -> bool {
        lane < WIDTH && self.set >> lane & 1 == 1
    }

    /// What is wrong with asking a lane that the set does not have.
    pub(super) fn absence(&self, lane: usize) -> ViolationKind {
        if lane < self.base + self.size {
            ViolationKind::Outside { source: lane }
        } else {
            ViolationKind::OutOfRange { index: (lane - self.base) as u64 }
        }
    }

    /// A component of an operand in a lane.
    pub(super) fn bits(&self, argument: u8, lane: usize) -> u64 {
        self.arguments[usize::from(argument)][0].bits[lane]
    }

    /// The lanes of the set in which some component of an operand is not known.
    pub(super) fn unknown(&self, argument: u8) -> Mask {
        let components = self.arguments[usize::from(argument)];
        components.iter().fold(0, |mask, slot| mask | slot.indeterminate_lanes()) & self.set
    }

    /// An operand that is to be the same in all lanes: that of the first; a violation where it is not.
    pub(super) fn uniform(&mut self, argument: u8) -> u64 {
        let value = self.bits(argument, self.first());
        let differing = lanes_of(self.set).filter(|&lane| self.bits(argument, lane) != value);
        let differing = differing.fold(0, |mask, lane| mask | 1 << lane);
        self.violation(differing, ViolationKind::NotUniform { argument: usize::from(argument) });
        let unknown = self.unknown(argument);
        self.decided_by(argument, unknown, self.set);
        value
    }

    /// Records a violation about some lanes, if there are any.
    pub(super) fn violation(&mut self, lanes: Mask, kind: ViolationKind) {
        if lanes == 0 {
            return;
        }
        match self.violations.iter_mut().find(|violation| violation.kind == kind) {
            Some(violation) => violation.lanes |= lanes,
            None => self.violations.push(Violation { lanes, kind }),
        }
    }

    /// Records that an operand that is not known in `sources` decides what some lanes get: their result is poison.
    pub(super) fn decided_by(&mut self, argument: u8, sources: Mask, lanes: Mask) {
        if sources != 0 {
            self.poison |= lanes;
            self.received(argument, sources, lanes);
        }
    }

    /// Records that some lanes get a value that is not known in `sources`. A lane's own does not count.
    pub(super) fn received(&mut self, argument: u8, sources: Mask, lanes: Mask) {
        let lanes = lanes_of(lanes).filter(|&lane| sources & !(1 << lane) != 0);
        let lanes = lanes.fold(0, |lanes, lane| lanes | 1 << lane);
        let components = self.arguments[usize::from(argument)];
        let poison = components.iter().fold(0, |mask, slot| mask | slot.poison);
        let is_poison = sources & !poison == 0;
        self.violation(lanes, ViolationKind::Indeterminate { argument: usize::from(argument), sources, is_poison });
    }

    fn check_mask(&mut self, argument: u8) {
        let unknown = self.unknown(argument);
        let argument_number = usize::from(argument);
        let kind = ViolationKind::Indeterminate { argument: argument_number, sources: unknown, is_poison: false };
        self.violation(unknown, kind);
        let all = low_bits(self.size as u32);
        let mask = self.uniform(argument) & all;
        let named = mask << self.base;
        self.violation(self.set & !named & !unknown, ViolationKind::MaskWithoutSelf { mask });
        let missing = named & !self.set;
        if missing != 0 {
            self.violation(self.set & !unknown, ViolationKind::MaskNamesOthers { missing });
        }
    }
}

/// Copies a lane of a slot to another one, with what is not known of it.
pub(super) fn copy_lane(to: &mut Slot, lane: usize, from: &Slot, source: usize) {
    to.bits[lane] = from.bits[source];
    to.poison = to.poison & !(1 << lane) | (from.poison >> source & 1) << lane;
    set_undefined(to, lane, from.undefined_bits(source));
}

/// Says which bits of a lane are `undef`.
pub(super) fn set_undefined(slot: &mut Slot, lane: usize, bits: u64) {
    if bits != 0 || slot.undefined.is_some() {
        slot.undefined.get_or_insert_with(|| Box::new([0; WIDTH]))[lane] = bits;
    }
}
