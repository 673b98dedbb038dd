//! Runs against an OpenCL implementation, against what analyses say, and before and after our own passes.

mod exceptions;
mod execution;
mod own_passes;
mod run_tables;
mod soundness;
mod source_groups;
mod source_masks;
mod source_models;
mod transform_corpora;
mod transform_reduce;
