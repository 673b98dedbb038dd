//! Built-in functions against exact references, and against the names that Clang gives them.
//!
//! `RECONVERGE_ROUNDS` multiplies the random inputs; `RECONVERGE_SEED` sets the first seed, which a failure prints.

mod common;
mod conversions;
mod header;
mod integers;
mod math;
mod memory;
mod names;
mod vectors;
