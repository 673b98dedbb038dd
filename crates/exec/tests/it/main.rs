//! Arithmetic, constants, memory, operations and runs: each against a model or an installed LLVM.

mod arithmetic;
mod builtins;
mod constants;
mod launch_grammar;
mod literals;
mod memory;
mod operations;
mod running;
