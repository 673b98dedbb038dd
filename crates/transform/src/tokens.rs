//! Passes that put convergence tokens in and take them out.

mod infer;
mod strip;

pub use infer::infer_tokens;
pub(crate) use infer::infer_tokens_of;
pub use strip::strip_tokens;
pub(crate) use strip::{other_use, without_tokens};

/// The tag of the operand bundle that carries a convergence token, with its quotes.
pub(crate) const TAG: &[u8] = b"\"convergencectrl\"";
