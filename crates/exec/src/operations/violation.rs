//! What is wrong with an execution of an operation by a set of threads.

use crate::value::Mask;

/// Something that an operation leaves undefined.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Violation {
    /// The lanes of the set that it is about.
    pub lanes: Mask,
    /// What it is.
    pub kind: ViolationKind,
}

/// What is undefined. Lanes are those of the wave, operands are counted from 0.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ViolationKind {
    /// The lanes ask for a value of this lane, which is not in the set. They get poison.
    Outside {
        /// The lane that is asked.
        source: usize,
    },
    /// The lanes ask for a value of a thread that the group does not have. They get poison.
    OutOfRange {
        /// The number of the thread in the group, as it was computed.
        index: u64,
    },
    /// An operand that must be the same in all threads of the set is not: these lanes have another value than the first.
    NotUniform {
        /// The operand.
        argument: usize,
    },
    /// The mask that the lanes pass does not name them.
    MaskWithoutSelf {
        /// The mask, with one bit for each thread of the subgroup.
        mask: u64,
    },
    /// The mask names threads that are not in the set.
    MaskNamesOthers {
        /// The lanes that are named and not there.
        missing: Mask,
    },
    /// The lanes get a value of others, or that others decide, and it is poison or `undef`.
    Indeterminate {
        /// The operand.
        argument: usize,
        /// The lanes that have it.
        sources: Mask,
        /// Whether it is poison, and so is what the lanes get.
        is_poison: bool,
    },
    /// An operand has a value that means nothing.
    Meaningless {
        /// The operand.
        argument: usize,
        /// The value.
        value: u64,
        /// What it has to be, in words that continue "must be ".
        expected: &'static str,
    },
}
