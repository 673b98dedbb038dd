//! What files mean, and what is wrong with them.

mod against_clang;
mod cases;
mod destructors;
mod errors;
mod limits;
mod programs;
pub(crate) mod support;
