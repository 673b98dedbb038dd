//! Uniformity against its definition, on random functions.

mod against_llvm;
mod draft;
mod instances;
mod joins;
mod keys;
mod m_converged;
mod pairs;
mod random;
