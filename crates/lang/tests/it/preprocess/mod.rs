//! The preprocessor: every directive and every message, and clang as an oracle.

mod clang;
mod directives;
mod errors;
mod lexing;
mod limits;
mod macros;
mod predefined;
mod random;
mod robust;
mod support;
mod unread;
