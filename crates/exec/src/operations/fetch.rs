//! Operations that give a thread the value of another one.
//!
//! A [`Source`] says for each thread which one that is. What a thread gets when that one is not in the set depends on the
//! operation: where it is undefined, the thread gets poison, and there is a violation; elsewhere it is zero, or a value of its own.

/// Where a thread gets a value from. Numbers are those of operands; threads are numbered in their subgroup.
#[derive(Debug, Clone, PartialEq)]
pub enum Source {
    /// The first thread of the set has it.
    First {
        /// The value.
        value: u8,
    },
    /// The thread with a number.
    Lane {
        /// The value.
        value: u8,
        /// The number.
        lane: u8,
        /// Whether all threads have to name the same one.
        uniform: bool,
        /// Whether what exceeds the size of the subgroup is cut off, so that each number is one of a thread.
        wraps: bool,
    },
    /// The thread whose place in 32-bit words the operand is, in bytes, as `ds.bpermute` has it. Zero from a thread that is not
    /// there, unless `inactive`.
    Address {
        /// The value.
        value: u8,
        /// The address.
        address: u8,
        /// Whether threads that are not there are read, too.
        inactive: bool,
    },
    /// The thread of a workgroup with this local id.
    Thread {
        /// The value.
        value: u8,
        /// The local id in x, y and z, as many as there are.
        id: Vec<u8>,
    },
    /// The thread whose number differs in the bits of a mask.
    Xor {
        /// The value.
        value: u8,
        /// The mask.
        mask: u8,
    },
    /// The thread this much below.
    Up {
        /// The value.
        value: u8,
        /// How much.
        delta: u8,
        /// What is there in place of threads before the first: this value of those at the end of the subgroup.
        before: Option<u8>,
    },
    /// The thread this much above.
    Down {
        /// The value.
        value: u8,
        /// How much.
        delta: u8,
        /// What is there in place of threads behind the last: this value of those at the start of the subgroup.
        behind: Option<u8>,
    },
    /// The thread this much above, going round.
    Rotate {
        /// The value.
        value: u8,
        /// How much.
        delta: u8,
        /// How many neighbours go round; all of the subgroup where there is none.
        cluster: Option<u8>,
    },
    /// PTX `shfl`: within segments, and the thread's own value if that would leave them. The last component of the result
    /// says whether it did not, where `flag` is set.
    Segment {
        /// How the thread is found.
        mode: SegmentMode,
        /// The value.
        value: u8,
        /// The number of a thread, or a distance.
        lane: u8,
        /// The limits of segments.
        segments: Segments,
        /// Whether there is a second result.
        flag: bool,
    },
    /// The neighbour in the quad: across x (1), y (2) or both (3).
    QuadAcross {
        /// The value.
        value: u8,
        /// In which direction.
        xor: u8,
    },
    /// The thread of the quad with a number, 0 to 3.
    QuadLane {
        /// The value.
        value: u8,
        /// The number.
        lane: u8,
    },
    /// Data-parallel primitives of AMD GPUs.
    DataParallel {
        /// The value that there is where no other thread's is; none for `mov.dpp`.
        old: Option<u8>,
        /// The value.
        value: u8,
        /// The control word, followed by the masks of rows and banks, and the control of bounds.
        control: u8,
    },
    /// Any of eight neighbours, by three bits of an operand for each.
    Eight {
        /// The value.
        value: u8,
        /// The bits.
        selectors: u8,
    },
    /// `ds.swizzle`.
    Swizzle {
        /// The value.
        value: u8,
        /// The pattern.
        pattern: u8,
    },
    /// Any of sixteen neighbours, or of the sixteen next to them.
    Sixteen {
        /// The value that there is where no other thread's is.
        old: u8,
        /// The value.
        value: u8,
        /// Who of them: 4 bits for each of them, in two operands from this one on, or the low bits of this one.
        selectors: u8,
        /// Whether the operand says it for the thread itself.
        own: bool,
        /// Whether it is one of the neighbours' neighbours.
        crossed: bool,
        /// Whether threads that are not there are read, followed by the control of bounds.
        inactive: u8,
    },
    /// The thread in the other half of 64.
    OtherHalf {
        /// The value.
        value: u8,
    },
}

/// How `shfl` finds a thread.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SegmentMode {
    /// By its number in the segment.
    Index,
    /// So much below.
    Up,
    /// So much above.
    Down,
    /// By the bits in which its number differs.
    Butterfly,
}

/// What limits the segments of a `shfl`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Segments {
    /// An operand as in PTX: the last thread in the low five bits, and from the ninth on the bits of a number that
    /// say which segment it is in.
    Packed(u8),
    /// How many threads a segment has.
    Width(u8),
    /// The warp is one.
    Warp,
}
