//! LLVM IR: modules as trees, and changes of them.

mod attributes;
mod control;
pub mod module;
pub mod mutate;
mod splice;
mod values;

pub use module::Tree;
pub use mutate::{mutate, mutate_times};
