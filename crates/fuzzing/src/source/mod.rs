//! C-family source: texts as trees of tokens, and changes of them.

mod mutate;
mod tree;

pub use mutate::mutate;
pub use tree::{Node, Tree};
