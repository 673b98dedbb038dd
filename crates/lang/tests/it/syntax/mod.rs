//! The parser: what each construct becomes, and what is said about each mistake.

mod cases;
mod constructs;
mod errors;
mod limits;
mod robustness;
mod support;
