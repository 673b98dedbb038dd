//! For tests only: kernels that are run.
//!
//! - [`launches`]: launches of random kernels and of cases.
//! - [`mod@reference`]: OpenCL kernels with data, and an installed OpenCL implementation that runs them.
//!
//! The tests of this crate are those that need a run, and several crates at once: our results against those of the implementation, our
//! analyses against what random kernels do, our passes on random programs.

#![forbid(unsafe_code)]

pub mod launches;
pub mod reference;
