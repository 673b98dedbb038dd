//! What the definitions of thread convergence say of given paths: dynamic instances, *converged-with*,
//! *convergence-before*, and the tables in which the LLVM documents show them.
//!
//! A [`Skeleton`] is what matters of a program: a graph, and the operations with their tokens. A thread is the list of
//! the nodes it executes ([`check_path`] says whether it can). [`Trace`] gives each dynamic instance a key under a
//! [`Model`]; those with equal keys are converged. [`ConvergenceOrder`] is *convergence-before* on them, and a [`Table`]
//! shows both.
//!
//! ```
//! use cranelift_entity::EntityRef;
//! use reconverge_graph::{CycleForest, Digraph, Node, SuccessorOrder};
//! use reconverge_semantics::{ConvergenceOrder, Model, Skeleton, Trace};
//!
//! let path = |nodes: &[usize]| nodes.iter().map(|&node| Node::new(node)).collect::<Vec<_>>();
//! // A loop: n0 -> n1, n1 -> n1, n1 -> n2.
//! let edges = [(0, 1), (1, 1), (1, 2)].map(|(from, to)| (Node::new(from), Node::new(to)));
//! let skeleton = Skeleton::of_graph(Digraph::from_edges(3, Node::new(0), &edges));
//! let forest = CycleForest::compute(&skeleton.graph, SuccessorOrder::Forward);
//! let trace = Trace::compute(&skeleton, Model::Maximal(&forest), &[path(&[0, 1, 2]), path(&[0, 1, 1, 2])]);
//! let [one, other] = &trace.threads[..] else { unreachable!() };
//! assert_eq!(one[1].key, other[1].key); // The first iteration of both.
//! assert_eq!(one[2].key, other[3].key); // They meet behind the loop.
//! assert!(ConvergenceOrder::new(&trace.keys()).is_ok());
//! ```

mod blocks;
mod entry;
mod keys;
mod order;
mod path;
mod skeleton;
mod table;
mod trace;

pub use blocks::{BlockOrder, Counts, Step};
pub use entry::Entry;
pub use keys::{AnchorPolicy, Key, Keys, Model, Thread};
pub use order::{Contradiction, ConvergenceOrder, Place};
pub use path::{Extent, PathError, PathProblem, check_path, check_paths};
pub use skeleton::{Operation, OperationIndex, OperationKind, Regions, Skeleton, StaticInstance};
pub use table::{Table, markdown_grid, occurrence_numbers, text_grid};
pub use trace::{DynamicInstance, Trace};
