//! End to end, through the binary.

mod assembly;
mod bad_input;
mod bisect;
mod classes;
mod command_line;
mod common;
mod config;
mod conformance;
mod documents;
mod house;
mod installing;
mod judged;
mod library;
mod limits;
mod output_files;
mod run;
mod run_limits;
mod security;
mod source;
mod summary;
mod trace;
mod transforms;
mod triage;
mod uniformity;
mod validate;
mod validity;
