//! Dynamic semantics.

pub mod contexts;
pub mod flow;
pub mod walk;
