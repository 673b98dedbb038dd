//! The dynamic semantics of the source against the rules of the texts.

mod large;
mod names;
mod oracle;
mod positions;
mod properties;
mod random;
mod tables;
mod tangles;
