//! The whole way from a text to IR: texts that are wrong, large, damaged, or partly outside of the subset; random and real ones.

mod damage;
mod host_of_opencl;
mod large;
mod limits;
mod origins;
mod projects;
mod random;
mod real;
mod support;
mod templates;
mod unsupported;
mod wrong;
