//! Static rules of convergence control, convergence regions and lints.
//!
//! Layers, each plain data: [`flow`] is what the rules need to know about a function, [`lower`](mod@lower) gets it from IR,
//! [`rules`] checks it, [`regions`] computes convergence regions, [`skeleton`](mod@skeleton) makes of both what dynamic instances depend on.
//! [`check`](mod@check) puts them together for a module. What is found is a [`Finding`](reconverge_findings::Finding).

mod addresses;
pub mod between;
mod certainty;
pub mod check;
pub mod flow;
pub mod hazards;
mod integers;
mod leaves;
pub mod lints;
pub mod lower;
pub mod regions;
pub mod rules;
pub mod skeleton;
pub mod target;
pub mod uniformity;
mod validity;
