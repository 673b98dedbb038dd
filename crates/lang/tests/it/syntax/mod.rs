//! The parser: what each construct becomes, and what is said about each mistake.
//!
//! `RECONVERGE_ROUNDS` multiplies the number of damaged files; `RECONVERGE_SEED` sets the first seed, which a failure prints.

mod cases;
mod constructs;
mod errors;
mod limits;
mod robustness;
mod support;
