//! What files mean, and what is wrong with them.

mod cases;
mod programs;
mod support;
