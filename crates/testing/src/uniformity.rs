//! LLVM's verdict on the uniformity of each value and branch.
