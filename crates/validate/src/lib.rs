//! Did a change of a program keep who communicates with whom?
//!
//! A change is correct when the sets of threads that communicate were possible in the program before it ("Examples for the
//! Correctness of Program Transforms"). Both programs run on the same launches; communications are matched by thread, operation
//! and order, and their sets of threads, operands and results are compared, then memory. What is found is minimised to a
//! [`Witness`].

mod anchors;
mod canonical;
mod equivalence;
mod events;
mod kernels;
mod launches;
mod matching;
mod memory;
mod minimise;
pub mod report;
mod rules;
mod runs;
mod sides;
mod uniform;

pub use kernels::{Launches, compare, compare_all, compare_by_running, compare_on};
pub use launches::MadeUp;
pub use reconverge_findings::change::Difference;
pub use report::{
    Comparison, Correspondence, Counted, InHierarchy, Model, Options, Reordered, Side, Step, Verdict, Witness,
    launch_limits,
};
