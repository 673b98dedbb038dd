//! Control-flow algorithms over a plain CSR digraph: orders, dominators, cycles and every cycle
//! hierarchy, closed paths.
//!
//! Everything takes a [`Digraph`] and returns a plain table; no recursion is as deep as a
//! graph can be.

mod closed_paths;
mod cycles;
mod depth_first;
mod digraph;
mod dominators;
mod hierarchies;
mod strongly_connected;

pub use closed_paths::{Search, closed_path_through, closed_paths, shortest_closed_path};
pub use cycles::{Cycle, CycleData, CycleForest};
pub use depth_first::{DepthFirst, SuccessorOrder};
pub use digraph::{Digraph, Node};
pub use dominators::{Dominators, PostDominators};
pub use hierarchies::{Hierarchies, hierarchies};
pub use strongly_connected::strongly_connected_component;
