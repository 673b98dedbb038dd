//! What must hold of every sequence of bytes: a file for each target of `cargo fuzz`, which tests run, too.

pub mod reader;
