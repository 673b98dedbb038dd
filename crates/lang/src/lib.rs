//! C-family kernels: OpenCL C, CUDA, HIP, plain C and C++ with `convergent` functions.
//!
//! The way of a text, each step a folder, each arrow plain data:
//!
//! ```text
//! text --preprocess--> tokens --syntax--> tree --check--> typed program --lower--> .ll with tokens
//!                                                              |            ^
//!                                                              +-- outline -+-- reconverge_outline::convergence: which threads are together, where
//! ```
//!
//! - [`source`]: files and places in them. [`diagnostic`]: what is wrong, and where.
//! - [`preprocess`]: macros, conditionals, included files.
//! - [`token`]: what the preprocessor makes and the parser reads.
//! - [`tree`]: what was written, names not looked up, no types.
//! - [`typed`]: what it means: names resolved, every conversion explicit, templates instantiated.
//! - [`outline`]: what matters of a body for convergence; what follows from that is in `reconverge-outline`.
//! - [`lower`]: IR, with tokens, lines, and what its instructions are in the source.

pub mod builtins;
pub mod check;
pub mod diagnostic;
pub mod launched;
pub mod lower;
mod near;
pub mod options;
pub mod outline;
pub mod preprocess;
pub mod source;
pub mod stack;
pub mod start;
pub mod syntax;
pub mod token;
pub mod translate;
pub mod tree;
pub mod typed;
