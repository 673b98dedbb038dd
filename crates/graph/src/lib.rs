//! Control-flow algorithms over a plain CSR digraph: orders, dominators, cycles and every cycle
//! hierarchy, closed paths.
//!
//! Everything takes a [`Digraph`] and returns a plain table; nothing recurses, so depth is bounded by memory only.

mod closed_paths;
mod cycles;
mod depth_first;
mod digraph;
mod dominators;
mod strongly_connected;

pub use closed_paths::{Search, closed_path_through, closed_paths, shortest_closed_path};
pub use cycles::{Cycle, CycleData, CycleForest};
pub use depth_first::{DepthFirst, SuccessorOrder};
pub use digraph::{Digraph, Node};
pub use dominators::{Dominators, PostDominators};
pub use strongly_connected::strongly_connected_component;
