//! The statements that a program was made from, for runs by the rules of a text about statements ([`Model::Statements`](crate::launch::Model::Statements)).
//!
//! The program has a *marker* where the execution of a statement or an evaluation starts: a call of [`MARKER`] with the number of the function's outline and of the node. A thread that passes it makes
//! the steps from the last one up to this node, and its position after that ([`Positions`](reconverge_outline::dynamics::Positions)) says with whom it is converged until the next one: at operations, and where it calls a function. What
//! has no markers converges as under maximal convergence.

use reconverge_outline::convergence::Analysis;
use reconverge_outline::{Node, Outline};
use rustc_hash::FxHashMap;

pub use reconverge_outline::MARKER;

/// The statements of a program.
#[derive(Debug)]
pub struct Statements<'s> {
    /// The functions, by their numbers in markers.
    pub functions: FxHashMap<u32, SourceFunction<'s>>,
    /// Whether a node has a marker.
    pub has_marker: fn(&Outline, Node) -> bool,
    /// Whether markers count as operations of the program, which are in its events.
    pub shows_markers: bool,
}

/// A function of the source.
#[derive(Debug)]
pub struct SourceFunction<'s> {
    /// Its body.
    pub outline: &'s Outline,
    /// What a text says of it.
    pub analysis: &'s Analysis,
    /// Whether calls of it are convergent that do not say it: then who is together at the call is so at its start.
    pub is_convergent: bool,
}
