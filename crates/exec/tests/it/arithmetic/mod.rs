//! What instructions and intrinsics compute, against other arithmetic.

mod binary;
mod bits;
mod cast;
mod compare;
mod float;
mod harness;
mod intrinsics;
mod opcodes;
mod undefined;
