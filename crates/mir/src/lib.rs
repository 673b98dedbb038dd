//! LLVM's machine IR as text (`.mir`): what back ends work on between instruction selection and the assembler.
//!
//! **Definition.** A `.mir` file is a sequence of YAML documents: at most one with LLVM IR, and one for each machine function, whose body is a
//! block of text with basic blocks, instructions, virtual registers (`%0`) and physical ones (`$sgpr0`).
//!
//! [`File::read`] takes a text apart, [`Document::read`] reads a function. [`Function::graph`] is its control flow. [`lower()`] makes the same [`Problem`](reconverge_analysis::uniformity::Problem)
//! of it that is made of LLVM IR, so cycles, joins and temporal divergence are found by the same code; what is particular to machine code is which registers differ
//! between threads by themselves, which is data ([`Machine`], from `targets/machine/*.toml`).
//!
//! **Invariant.** What is not understood is an error with its place, and costs the function that it is in; nothing recurses, and all is linear in the text.

mod body;
mod cursor;
mod error;
mod flow;
mod frame;
mod function;
mod instruction;
mod lower;
mod machine;

pub use error::ReadError;
pub use flow::Graph;
pub use frame::{Document, File};
pub use function::{Block, BlockIndex, Function, Instruction, MemoryOperand, Operand, Register, RegisterIndex, What};
pub use lower::{Definition, Lowered, lower};
pub use machine::Machine;
