//! What must hold of every sequence of bytes: a file for each target of `cargo fuzz`, which tests run, too.
//!
//! Each has a function `survives`, which panics when something does not hold, and gives whether the bytes mean anything.

pub mod decoder;
pub mod front_end;
pub mod launch_grammar;
pub mod reader;
pub mod transforms;

/// Whether the bytes mean anything; panics where something does not hold.
pub type Survives = fn(&[u8]) -> bool;

/// Each target: its name, which is that of its file in `fuzz/fuzz_targets`, and its function.
pub const ALL: [(&str, Survives); 5] = [
    ("read_ll", reader::survives),
    ("front_end", front_end::survives),
    ("decoder", decoder::survives),
    ("transforms", transforms::survives),
    ("launch_grammar", launch_grammar::survives),
];
