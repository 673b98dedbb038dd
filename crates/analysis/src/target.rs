//! Targets: which intrinsics, calls, parameters and memory differ between threads, and which operations communicate.
