//! What files mean, and what is wrong with them.

mod against_clang;
mod cases;
mod destructors;
mod errors;
mod inside;
mod lambdas;
mod limits;
mod literals;
mod member_pointers;
mod objects;
mod programs;
pub(crate) mod support;
