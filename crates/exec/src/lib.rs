//! Runs a kernel with many threads, and says which of them communicated.
//!
//! The set of threads at a convergent operation is the set of those whose dynamic instances of it are converged, never
//! "whoever is here" ("Dynamic Instances and Convergence Tokens").

pub mod arithmetic;
pub mod builtins;
pub mod launch;
pub mod value;
