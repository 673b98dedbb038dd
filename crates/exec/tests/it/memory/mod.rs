//! Memory against models of it that are slow and obvious.
//!
//! `RECONVERGE_ROUNDS` multiplies the number of random runs; `RECONVERGE_SEED` sets the first seed, which a failure prints.

mod addresses;
mod atomics;
mod bytes;
mod model;
mod parallel;
mod races;
mod random;
