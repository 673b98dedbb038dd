//! Passes that put convergence tokens in and take them out.

mod infer;
mod strip;

pub use infer::infer_tokens;
pub(crate) use infer::infer_tokens_of;
pub use strip::strip_tokens;
pub(crate) use strip::{other_use, without_tokens};
