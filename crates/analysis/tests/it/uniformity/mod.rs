//! Uniformity against its definition, on random functions.
//!
//! `RECONVERGE_ROUNDS` multiplies the number of functions; `RECONVERGE_SEED` sets the first seed, which a failure prints.

mod against_llvm;
mod draft;
mod instances;
mod joins;
mod keys;
mod m_converged;
mod pairs;
mod random;

pub(crate) fn environment(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().map_or(default, |value| value.parse().expect("a number"))
}
