//! The reader, the printer, and what front ends write.

mod attributes;
mod emit;
mod errors;
mod origins;
mod reading;
