//! The reader of machine IR and what is said of it, by what is written here and by an installed LLVM.

mod llvm;
mod lowering;
mod reader;
