//! Built-in functions against exact references, and against the names that Clang gives them.

mod common;
mod conversions;
mod header;
mod integers;
mod math;
mod memory;
mod names;
mod vectors;
