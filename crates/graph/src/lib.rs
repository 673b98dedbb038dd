//! Control-flow algorithms over a plain CSR digraph: orders, dominators, cycles and every cycle
//! hierarchy, closed paths.
//!
//! Everything takes a [`Digraph`] and returns a plain table; nothing recurses, so depth is bounded by memory only.

mod cycles;
mod depth_first;
mod digraph;
mod dominators;

pub use cycles::{Cycle, CycleData, CycleForest};
pub use depth_first::{DepthFirst, SuccessorOrder};
pub use digraph::{Digraph, Node};
pub use dominators::{Dominators, PostDominators};
