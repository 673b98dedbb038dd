//! Runs a kernel with many threads, and says which of them communicated.
//!
//! The set of threads at a convergent operation is the set of those whose dynamic instances of it are converged, never
//! "whoever is here" ("Dynamic Instances and Convergence Tokens").

pub mod arithmetic;
pub mod builtins;
pub mod constants;
mod elements;
pub mod launch;
pub mod launch_grammar;
pub mod layout;
mod linked;
pub mod literal;
mod machine;
pub mod memory;
mod module;
pub mod operations;
mod parameters;
mod print;
mod program;
pub mod statements;
pub mod value;

pub use linked::{Linked, Need, NeedKind};
pub use machine::observer::{Definition, Execution, Marked, Observer, Reached, determinate_lanes, equal_lanes};
pub use machine::recorder::{Communication, Component, Participant, Recording, Root, Site};
pub use module::{Control, KernelInfo, LaunchError, ParameterInfo, PrepareError, Program, Watcher, run, run_observed};
pub use parameters::{Member, Members};
pub use program::resources::Binding;
