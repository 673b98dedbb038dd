//! Functions of GPUs, by name: what a thread can ask about itself, barriers, and operations that threads do together.
//!
//! [`recognise`] says what a called function is. A [`Query`] has a result that depends on the thread alone. At a
//! [`Barrier`] threads wait. A [`Crosslane`] operation gives a thread what others have, or which of them are there. Who the
//! others are is decided elsewhere: an operation is computed for a *set*, the threads whose dynamic instances of it are
//! converged, and only threads of the set communicate. Nothing here looks at more than the operands of the set.
//!
//! # Explicit thread masks
//!
//! Some operations have an operand that names the threads that take part. "Thread Convergence", section "Explicit Thread
//! Masks", has two readings of it:
//!
//! - *Partition*: where the threads of a subgroup run in lock-step, the mask divides the threads whose instances are
//!   converged. Those that pass the same mask are a set. [`mask_partition`] does that.
//! - *Concurrent*: where threads run independently, those that pass the same mask meet, in whichever
//!   instance of the same operation each of them is, also at another place of the text. The caller gathers those that [`named_lanes`] gives.
//!
//! Under both, a set that is given to [`Crosslane::perform`] has one mask. That the mask names the threads of the set
//! and no others is what the programmer promised; where it is not so, there is a [`Violation`].
//!
//! # Indeterminate values
//!
//! A value that is poison or `undef` is a violation where a thread gets it from another one, or where it decides what
//! others get (a predicate, a number that is reduced, the number of a lane). A thread's own value that only it gets
//! back is none.

mod amd;
mod barrier;
mod crosslane;
mod fetch;
mod fold;
mod names;
mod pick;
mod query;
mod recognise;
mod violation;
mod votes;

pub use reconverge_analysis::target::Scope;

pub use barrier::{Barrier, Phase, Reduction};
pub use crosslane::{Action, Crosslane, Direction, MaskFunction, Part, Predicate, mask_partition, named_lanes};
pub use fetch::{SegmentMode, Segments, Source};
pub use fold::{Combine, Extent, FloatOrder};
pub use query::{Axis, Comparison, ConstantData, Item, LaunchShape, Query, Wave, dispatch_packet, implicit_arguments};
pub use recognise::{recognise, recognise_variable};
pub use violation::{Violation, ViolationKind};

use crate::value::{Scalar, Shape};

/// A call, as far as it says what the called function is.
#[derive(Debug, Clone, Copy)]
pub struct Call<'c> {
    /// The function, without sigil: an intrinsic with the types that an overloaded one has behind it, or a function, mangled
    /// or not.
    pub name: &'c str,
    /// The type of the result; empty for `void`.
    pub result: &'c [Scalar],
    /// The types of the operands.
    pub arguments: &'c [Shape],
    /// The operands that are constant integers of at most 64 bits, zero-extended: some say what is done (a scope, the kind of a
    /// scan). What is left out at the end is not constant.
    pub constants: &'c [Option<u64>],
}

/// What a called function is.
#[derive(Debug, Clone, PartialEq)]
pub enum GpuFunction {
    /// Something about the thread, its groups or the launch.
    Query(Query),
    /// A pointer to what the launch has prepared for kernels to read. Its bytes do not change.
    Pointer(ConstantData),
    /// Threads wait for each other.
    Barrier(Barrier),
    /// Threads communicate.
    Crosslane(Crosslane),
    /// Orders accesses to memory of the thread that executes it, and no other thread's.
    Fence,
    /// No effect and no result: a hint to scheduling, a pause.
    Nothing,
    /// A time. Its unit means nothing; it must not decrease.
    Clock,
    /// The thread ends here.
    Stop(Stop),
    /// It is known, but nobody runs it: what it is, in words that continue "… is not supported: ".
    Unsupported(&'static str),
}

/// Why a thread ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Stop {
    /// It has nothing more to do.
    Exit,
    /// The program says that it must not get here: `llvm.trap`, `abort`.
    Trap,
    /// An assertion failed. The operands are pointers to C strings, where they are pointers.
    Assertion,
}

impl GpuFunction {
    /// Which threads communicate in it or wait for each other; none where each thread is on its own.
    pub fn scope(&self) -> Option<Scope> {
        match self {
            GpuFunction::Barrier(barrier) => Some(barrier.scope),
            GpuFunction::Crosslane(crosslane) => Some(crosslane.scope),
            _ => None,
        }
    }

    /// Whether it is about the set of threads that execute it together.
    pub fn is_communication(&self) -> bool {
        matches!(self, GpuFunction::Barrier(_) | GpuFunction::Crosslane(_))
    }
}
