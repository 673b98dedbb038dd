//! Dynamic semantics.

pub mod contexts;
pub mod flow;
pub mod keys;
pub mod levels;
mod tangles;
pub mod walk;

pub use keys::{Choice, Keys, Model, Rules, Thread, Unrelated};
pub use walk::{Extent, WalkError, check_walk};
