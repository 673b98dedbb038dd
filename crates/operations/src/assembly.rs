//! Inline assembly, in source and in IR: a [template] is read, and becomes a [program] whose steps are [instructions]
//! of the tables.

pub mod instructions;
pub mod program;
mod ptx;
pub mod template;

pub use program::{Constraints, Destination, Program, Source, Step, Unknown};
pub use template::{Language, Notation};
