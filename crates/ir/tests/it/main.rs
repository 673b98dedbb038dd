//! The reader and the printer.

mod attributes;
mod errors;
mod origins;
mod reading;
