//! What a user chooses about a translation.

use std::path::PathBuf;
use std::sync::Arc;

use reconverge_files::{Disk, FileSystem};

pub use reconverge_outline::{Entry, SourceModel};

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
    /// What a file is whose name says that it is CUDA (`.cu`): HIP, if it includes a header of HIP and none of CUDA. HIP's compiler takes that name, too.
    pub fn of_cuda_file(text: &[u8]) -> Dialect {
        let has = |part: &str| memchr::memmem::find(text, part.as_bytes()).is_some();
        // Names of the runtime of HIP, where a header of the project includes that of HIP.
        let has_names =
            || ["hipLaunch", "hipMem", "hipMalloc", "hipDevice", "HIP_DYNAMIC_SHARED"].iter().any(|name| has(name));
        let is_hip = has("<hip/hip_") || has("\"hip/hip_") || has_names() && !has("cudaMem") && !has("cudaDevice");
        if is_hip && !has("<cuda") && !has("\"cuda") { Dialect::Hip } else { Dialect::Cuda }
    }

    /// What a file is whose name says that it is C++ (`.cpp`, `.cc`): HIP or CUDA, if it has a kernel or includes the runtime of HIP. HIP's compiler takes that name, too, and
    /// builds give it to that of CUDA.
    pub fn of_cpp_file(text: &[u8]) -> Dialect {
        let has = |part: &str| memchr::memmem::find(text, part.as_bytes()).is_some();
        let has_runtime = || has("<hip/hip_runtime.h>") || has("\"hip/hip_runtime.h\"");
        if has("__global__") || has_runtime() { Dialect::of_cuda_file(text) } else { Dialect::Cpp }
    }

    /// Whether C++ rules hold: `bool` is a keyword, a struct's tag is a type name, functions can be overloaded.
    pub fn is_cpp(self) -> bool {
        matches!(self, Dialect::Cuda | Dialect::Hip | Dialect::Cpp)
    }

    /// Whether a text is C or C++ that says nowhere what is convergent: that of a host, as it lies beside the kernels of a project.
    pub fn is_of_host(self, text: &[u8]) -> bool {
        matches!(self, Dialect::C | Dialect::Cpp) && memchr::memmem::find(text, b"convergent").is_none()
    }

    /// Whether a file has functions that the host executes beside those of the device.
    pub fn has_host(self) -> bool {
        matches!(self, Dialect::Cuda | Dialect::Hip)
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

/// What is done about text that is not understood.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Reading {
    /// It is an error: the file is to be executed or written as something else.
    #[default]
    Whole,
    /// It costs the function that it is in, or that needs it; a header that is not found is passed over. OpenCL C is read whole, and where all that is wrong is what its host may
    /// give when it builds the program, [with that](Reading::WithHost).
    Kernels,
    /// As [`Reading::Kernels`]; of OpenCL C that is no program there are the errors, and the functions that they leave alone.
    Parts,
    /// As [`Reading::Kernels`], also of OpenCL C; in that, a name that is written as macros are and that nothing declares is a constant of which nothing is known.
    WithHost,
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
    /// Whether that is what the build defines, and all of it. Else a file without kernels is read with the names defined that its conditionals ask for before they have some
    /// ([`preprocess`](crate::preprocess)).
    pub defines_are_known: bool,
    /// Files that are included before the text (`-include` of compilers).
    pub include_first: Vec<PathBuf>,
    /// Of CUDA: the processor that is compiled for, `80` for `sm_80`; it decides `__CUDA_ARCH__`.
    pub cuda_arch: u32,
    /// What the environment defines of threads that come into the program; where it is not said, `main` of C and C++ has each thread alone, and
    /// kernels have the threads of a workgroup together.
    pub entry: Option<Entry>,
    /// What is done about text that is not understood.
    pub reading: Reading,
    /// Whether C and C++ in which no word says what is convergent, headers included, is [passed over](crate::translate::Translation::is_passed_over).
    pub passes_over_host: bool,
    /// Where a translation stops growing.
    pub limits: Limits,
    /// Where included files are.
    pub files: Arc<dyn FileSystem>,
}

/// The processor that CUDA is compiled for where nobody says one: `sm_70`, the oldest with threads that are scheduled independently.
pub const CUDA_ARCH: u32 = 70;

/// How many bytes of memory a token is good for, at most: what it is parsed and checked to, the IR that it becomes, and what the analyses make
/// of that. Programs as people write them need a third of it; sums of a million terms need all.
pub const BYTES_PER_TOKEN: u64 = 600;

/// Where a translation stops growing: what a small text could otherwise make large. A limit that is passed is an error with its place,
/// which names the limit as `--limit` takes it: the field's name, with `-` for `_`.
///
/// What is not limited here takes time and memory in proportion to the text.
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
    /// Bytes of memory that a translation may need, by the number of its tokens (see [`BYTES_PER_TOKEN`]).
    pub memory: u64,
    /// Operators and parentheses of an `#if` within each other.
    pub condition_nesting: usize,
    /// Expressions, declarators and types within each other; at most [`Limits::MOST_NESTING`].
    pub nesting: usize,
    /// Statements within each other; at most [`Limits::MOST_STATEMENT_NESTING`]. Labels and the links of a chain of `else if` do not count
    /// for the parser, but all that is followed by recursion does for what comes after it.
    pub statement_nesting: usize,
    /// Namespaces and types around a name, written before it or open around it.
    pub qualifiers: usize,
    /// Bytes of a name, with the namespaces and types around it.
    pub name_length: usize,
    /// Dimensions of an array.
    pub array_dimensions: usize,
    /// Elements of all arrays and structs that are constants, with those that the text leaves zero.
    pub constant_elements: usize,
    /// Expressions and statements of functions that are executed for constants.
    pub constant_steps: usize,
    /// Instances of templates.
    pub instances: usize,
    /// Instances that need instances that need instances…
    pub instance_depth: usize,
    /// Expressions in the bodies of all instances together.
    pub instance_expressions: usize,
    /// Functions that are compared with the arguments of calls, where several have the name.
    pub overloads: usize,
    /// Elements that packs are repeated for.
    pub pack_elements: usize,
    /// Errors of each step, after which nothing more is looked at.
    pub errors: usize,
    /// Warnings of the preprocessor, after which no more are kept.
    pub warnings: usize,
}

impl Limits {
    /// What [`Limits::nesting`] may be: the stack of a translation holds no more. That of WebAssembly is small.
    pub const MOST_NESTING: usize = if cfg!(target_family = "wasm") { 100 } else { 10_000 };
    /// What [`Limits::statement_nesting`] may be: the stack of a translation holds no more. That of WebAssembly is small.
    pub const MOST_STATEMENT_NESTING: usize = if cfg!(target_family = "wasm") { 200 } else { 100_000 };
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            macro_tokens: 20_000_000,
            macro_nesting: 500,
            macro_arguments: 8_000_000,
            include_depth: 200,
            includes: 100_000,
            repeated_bytes: 256 << 20,
            file_bytes: 1 << 32,
            memory: 8 << 30,
            condition_nesting: 500,
            nesting: Limits::MOST_NESTING,
            statement_nesting: Limits::MOST_STATEMENT_NESTING,
            qualifiers: 100,
            name_length: 2_000,
            array_dimensions: 256,
            constant_elements: 1_000_000,
            constant_steps: 10_000_000,
            instances: 20_000,
            instance_depth: 500,
            instance_expressions: 2_000_000,
            overloads: 2_000_000,
            pack_elements: 1_000_000,
            errors: 100,
            warnings: 1_000,
        }
    }
}

impl Options {
    /// Nothing chosen but the language. Files are those of the machine.
    pub fn new(dialect: Dialect) -> Options {
        Options {
            dialect,
            target: LowerTarget::for_dialect(dialect),
            include: Vec::new(),
            define: Vec::new(),
            defines_are_known: false,
            include_first: Vec::new(),
            cuda_arch: CUDA_ARCH,
            entry: None,
            reading: Reading::default(),
            passes_over_host: false,
            limits: Limits::default(),
            files: Arc::new(Disk),
        }
    }

    /// Whether a program is read again if it lacks nothing but what its host may define.
    pub fn host_may_define(&self) -> bool {
        matches!(self.reading, Reading::Kernels | Reading::Parts) && self.dialect == Dialect::OpenCl
    }

    /// Whether text that is not understood costs only what needs it.
    pub fn is_tolerant(&self) -> bool {
        match self.reading {
            Reading::Whole => false,
            Reading::Kernels | Reading::Parts => self.dialect != Dialect::OpenCl,
            Reading::WithHost => true,
        }
    }
}
