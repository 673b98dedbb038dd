//! Control-flow algorithms over a plain CSR digraph: orders, dominators, cycles and every cycle
//! hierarchy, closed paths.

mod digraph;

pub use digraph::{Digraph, Node};
