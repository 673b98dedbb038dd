//! The reader, the printer and the analyses against an installed LLVM.

mod against_llvm;
mod cases;
mod hazards;
mod mem2reg;
mod uniformity;
mod validity;
