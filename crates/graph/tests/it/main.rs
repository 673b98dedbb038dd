//! Each algorithm against its definition, on all small graphs and many random ones.

mod closed_paths;
mod common;
mod cycles;
mod depth_first;
mod disjoint_paths;
mod dominators;
mod hierarchies;
mod large;
