//! What is run: functions decoded, linked with what they need, and seen under a model of convergence.

mod assembly;
mod calls;
pub(crate) mod code;
mod decode;
pub(crate) mod exceptions;
pub(crate) mod flow;
mod link;
mod names;
mod noundef;
pub(crate) mod resources;

pub(crate) use decode::Unsupported;
pub(crate) use link::{Executable, LOCAL_SPACE, link};
