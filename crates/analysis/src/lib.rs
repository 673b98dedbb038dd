//! Static rules of convergence control, convergence regions and lints.
//!
//! Layers, each plain data: [`flow`] is what the rules need to know about a function, [`rules`] checks
//! it, [`regions`] computes convergence regions, [`diagnostic`] is what a user is told.

pub mod codes;
pub mod diagnostic;
pub mod flow;
pub mod regions;
pub mod rules;
