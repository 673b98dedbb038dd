//! What needs several crates at once: comparisons with an installed LLVM, runs of random kernels, passes on random programs.

mod against_llvm;
mod cases;
mod execution;
mod hazards;
mod mem2reg;
mod own_passes;
mod robustness;
mod soundness;
mod source_groups;
mod transform_corpora;
mod transform_reduce;
mod uniformity;
mod validity;
