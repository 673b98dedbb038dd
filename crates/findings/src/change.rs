//! How a changed program differs from what it was, as data. Threads are numbered through the launch.

use reconverge_ir::function::Inst;

use crate::finding::Finding;

/// What is different between two runs of one launch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Difference {
    /// Threads execute an operation together with others than before (RC0601).
    Threads {
        /// The operation, without sigil.
        operation: String,
        /// A thread that sees it.
        thread: u64,
        /// Those that communicated with it before; empty where it did not execute the operation.
        before: Vec<u64>,
        /// Those that do now; empty where it does not.
        after: Vec<u64>,
    },
    /// A thread passes another operand to an operation, or gets another result from it (RC0602).
    Value {
        /// The operation, without sigil.
        operation: String,
        /// The thread.
        thread: u64,
        /// The number of the operand; none for the result.
        operand: Option<u32>,
        /// What it was.
        before: String,
        /// What it is.
        after: String,
    },
    /// An element of a buffer, or what a function returned to a thread, is another one (RC0603).
    Memory {
        /// The name of the buffer.
        buffer: String,
        /// The element.
        element: u64,
        /// What it was.
        before: String,
        /// What it is.
        after: String,
    },
    /// A thread executes operations in another order than before, of which it executes as many of each (RC0607).
    Order {
        /** The thread. */
        thread: u64,
        /** What it executed there before, without sigil. */
        before: String,
        /** What it executes there now, without sigil. */
        after: String,
    },
    /// The program before ends properly, and this is found in the one after (RC0604).
    Trouble(Box<Finding>),
}

/// Something that a change did to a kernel.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Change {
    /// A launch shows it (RC0601 to RC0604, RC0607).
    Difference(Difference),
    /// The result of an instruction was uniform in a subgroup (RC0605).
    NoLongerUniform(Inst),
    /// A kernel cannot be compared (RC0606).
    NotCompared {
        /// The kernel, without sigil.
        kernel: String,
        /// Whether the program before the change has it alone: the finding is at its place there.
        is_only_before: bool,
        /// The reason, in a sentence without a full stop.
        reason: String,
    },
}
