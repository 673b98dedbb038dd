//! For tests and chores only: what the crates of Reconverge are tested against.
//!
//! - [`llvm`]: an installed LLVM, run on a module's text: its verifier, assembler, disassembler, differ and cycle printer.
//! - [`machine`]: LLVM's verdict on machine code, and the machine code that it makes of LLVM IR.
//! - [`verdicts`]: LLVM's verdict on each function of a module of thousands, in one run.
//! - [`probe`]: what its uniformity analysis says of a call of an intrinsic.
//! - [`random`]: seeded random programs with convergence control, valid and not, large shapes for stress, and
//!   [kernels that run](random::kernels).
//! - [`corpus`]: real GPU IR, built from the sources in `tests/cases` and from the installed OpenCL libraries.
//! - [`expectations`]: what the broken kernels in `tests/cases/broken` say is wrong with them.
//! - [`damage`]: texts with something wrong in them.
//! - [`mod@rounds`]: how much a test with random inputs does.
//! - [`uniformity`]: LLVM's verdict on the uniformity of each value and branch, and the comparison with another.
//!
//! Nothing here depends on what it tests, so that tests of one crate are not built anew when another changes; what needs our own crates
//! to make kernels ready is in `crates/trials`.
//!
//! A plain `cargo test` needs no LLVM: a test asks [`llvm::tools`] and returns early when there is none.

#![forbid(unsafe_code)]

pub mod corpus;
pub mod damage;
pub mod expectations;
pub mod llvm;
pub mod machine;
pub mod probe;
pub mod random;
pub mod rounds;
pub mod uniformity;
pub mod verdicts;
