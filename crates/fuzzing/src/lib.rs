//! For tests and chores only: a fuzzer for every verb.
//!
//! An [`Input`] is a verb, a text or two, and a number that decides everything else that is asked for. [`mod@generate`] makes one of a seed: a module or a
//! source that is well formed, changed [as a tree](ir), so that most inputs get past the reader. [`mod@drive`] does with it what the verb does, through the
//! libraries, and panics where something does not hold that has to hold of every input; for the command line it starts the binary.
//!
//! - [`seeds`]: the texts that inputs are made of: `fuzz/corpus`, `examples`, `tests/cases`, and random programs.
//! - [`ir`], [`source`]: texts as trees, and changes of them.
//! - [`mod@drive`]: a file for each group of verbs.
//! - [`targets`]: what must hold of any bytes, shared with `cargo fuzz`.
//! - [`worker`]: a process that runs inputs under limits; [`campaign`] starts some and watches them.
//! - [`minimise`]: a failing input, made small.
//!
//! An input is a function of its verb, its seed and the files of the corpus: `cargo xtask fuzz run --seed 77 --inputs 1` is the same each time.

#![forbid(unsafe_code)]

pub mod campaign;
pub mod drive;
pub mod failure;
pub mod generate;
pub mod input;
pub mod ir;
pub mod minimise;
pub mod seeds;
pub mod source;
pub mod summary;
pub mod targets;
pub mod worker;

pub use drive::{Outcome, drive};
pub use generate::generate;
pub use input::{Input, Verb};
pub use seeds::Seeds;
