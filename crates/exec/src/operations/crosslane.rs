//! Operations in which threads communicate.
//!
//! Results are computed for a set of threads of one subgroup. Threads of a subgroup are numbered by their lane,
//! from the first lane of the subgroup; those numbers, and masks of them, are what operands and results hold.

use super::fetch::Source;
use super::fold::{Combine, Extent};
use super::{Scope, Wave};
use crate::value::{Mask, Shape, Slot, lanes_of};

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
    /// Two values, of which half of the lanes of the first and the other half of the second change places.
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
