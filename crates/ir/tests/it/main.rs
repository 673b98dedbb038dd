//! The reader and the printer.

mod attributes;
mod errors;
mod reading;
