//! What lowering says of each value of small functions, and what follows: one line for each value that is computed, with its rule,
//! its operands, the verdict, and the refinement that made the rule what it is.

mod calls;
mod common;
mod memory;
mod private;
mod regions;
mod thread_ids_by_execution;
mod threads;
mod values;
