//! What files mean, and what is wrong with them.

mod cases;
mod errors;
mod programs;
mod support;
