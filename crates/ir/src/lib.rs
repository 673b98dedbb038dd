//! LLVM IR as plain tables: the `.ll` reader and the printer.
//!
//! A [`Module`] is the index of a text; a [`Function`] is one body, read. Nothing else holds state, and
//! whatever this crate does not model (metadata, most attributes) is a [`Span`] of the text.

pub mod assembly;
pub mod attributes;
pub mod constant;
pub mod debug;
pub mod emit;
pub mod function;
pub mod layout;
pub mod literal;
pub mod module;
pub mod opcode;
pub mod origin;
mod printer;
mod reader;
pub mod spelling;
pub mod text;
pub mod types;
pub mod variable;

pub use debug::DebugLocation;
pub use function::Function;
pub use module::{ConvergenceIntrinsic, FunctionId, Module, Symbol, SymbolKind};
pub use printer::{Naming, print_function, print_instruction, print_module, print_operand, print_value};
pub use reader::{
    BodyEnds, FunctionReader, Glance, ReadError, read_functions, read_functions_unless, read_functions_with,
};
pub use text::{Position, Span};
