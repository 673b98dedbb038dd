//! What a user chooses about a translation.

use std::path::PathBuf;

/// The language of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Dialect {
    /// OpenCL C 1.2 to 3.0 (`.cl`).
    OpenCl,
    /// CUDA C++ (`.cu`).
    Cuda,
    /// HIP (`.hip`).
    Hip,
    /// C with `__attribute__((convergent))` (`.c`).
    C,
    /// C++ with `[[clang::convergent]]` (`.cpp`, `.cc`).
    Cpp,
}

impl Dialect {
    /// Whether C++ rules hold: `bool` is a keyword, a struct's tag is a type name, functions can be overloaded.
    pub fn is_cpp(self) -> bool {
        matches!(self, Dialect::Cuda | Dialect::Hip | Dialect::Cpp)
    }
}

/// What the IR is for: the triple, the data layout, the address spaces, the names of the functions of the device.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum LowerTarget {
    /// `spirv64-unknown-unknown`.
    Spirv,
    /// `amdgcn-amd-amdhsa`.
    Amdgpu,
    /// `nvptx64-nvidia-cuda`.
    Nvptx,
    /// No triple; the address spaces and function names of SPIR-V.
    Generic,
}

impl LowerTarget {
    /// The target for which a dialect is compiled when nobody says another one.
    pub fn for_dialect(dialect: Dialect) -> LowerTarget {
        match dialect {
            Dialect::OpenCl => LowerTarget::Spirv,
            Dialect::Cuda => LowerTarget::Nvptx,
            Dialect::Hip => LowerTarget::Amdgpu,
            Dialect::C | Dialect::Cpp => LowerTarget::Generic,
        }
    }
}

/// The text that defines convergence at the source.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum SourceModel {
    /// "Thread Convergence", 2025-04.
    #[default]
    Clang2025_04,
    /// "Thread Convergence" with tangles, 2024-10.
    Tangles2024_10,
    /// "Language Specification for Convergence Control", 2025-08.
    Clang2025_08,
}

/// Everything that changes what a file means.
#[derive(Debug, Clone)]
pub struct Options {
    /// The language.
    pub dialect: Dialect,
    /// What the IR is for.
    pub target: LowerTarget,
    /// Folders in which `#include` looks (`-I`), after that of the including file.
    pub include: Vec<PathBuf>,
    /// Macros (`-D`): `NAME`, `NAME=VALUE` or `NAME(X)=VALUE`.
    pub define: Vec<String>,
    /// Where a translation stops growing.
    pub limits: Limits,
}

/// Where a translation stops growing: what a small text could otherwise make large. A limit that is passed is an error with its place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Tokens that come out of macros. Eight bytes of a spelling that a macro makes are one, too.
    pub macro_tokens: usize,
    /// Macros in arguments of macros in arguments…
    pub macro_nesting: usize,
    /// Tokens of all those arguments together.
    pub macro_arguments: usize,
    /// Files that include files.
    pub include_depth: usize,
    /// Included files.
    pub includes: usize,
    /// Bytes of files that were included before.
    pub repeated_bytes: usize,
    /// Bytes of one included file.
    pub file_bytes: u64,
    /// Errors of the preprocessor, after which nothing is read any more.
    pub errors: usize,
    /// Warnings of the preprocessor, after which no more are kept.
    pub warnings: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            macro_tokens: 50_000_000,
            macro_nesting: 500,
            macro_arguments: 8_000_000,
            include_depth: 200,
            includes: 100_000,
            repeated_bytes: 256 << 20,
            file_bytes: 1 << 32,
            errors: 100,
            warnings: 1_000,
        }
    }
}

impl Options {
    /// Nothing chosen but the language.
    pub fn new(dialect: Dialect) -> Options {
        Options {
            dialect,
            target: LowerTarget::for_dialect(dialect),
            include: Vec::new(),
            define: Vec::new(),
            limits: Limits::default(),
        }
    }
}
