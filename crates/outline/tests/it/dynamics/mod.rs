//! The dynamic semantics of the source against the rules of the texts.
//!
//! `RECONVERGE_ROUNDS` multiplies the number of random cases; `RECONVERGE_SEED` sets the first seed, which a failure prints.

mod large;
mod names;
mod oracle;
mod positions;
mod properties;
mod random;
mod tables;
mod tangles;
