//! LLVM IR as plain tables.
