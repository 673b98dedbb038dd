//! Memory against models of it that are slow and obvious.

mod addresses;
mod atomics;
mod bytes;
mod model;
mod parallel;
mod races;
mod random;
