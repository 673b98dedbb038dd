//! Control-flow algorithms over a plain CSR digraph: orders, dominators, cycles and every cycle
//! hierarchy, closed paths.
//!
//! Everything takes a [`Digraph`] and returns plain tables. Searches keep their own stacks: a graph may be as
//! deep as memory allows.

mod closed_paths;
mod cycles;
mod depth_first;
mod digraph;
mod disjoint_paths;
mod dominators;
mod hierarchies;
mod strongly_connected;

pub use closed_paths::{Search, closed_path_through, closed_paths, shortest_closed_path};
pub use cycles::{Cycle, CycleData, CycleForest};
pub use depth_first::{DepthFirst, SuccessorOrder};
pub use digraph::{Digraph, Node};
pub use disjoint_paths::two_disjoint_paths;
pub use dominators::{Dominators, PostDominators};
pub use hierarchies::{Hierarchies, hierarchies};
pub use strongly_connected::strongly_connected_component;
