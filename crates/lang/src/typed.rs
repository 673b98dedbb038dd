//! What a file means: names resolved, every conversion explicit, templates instantiated, functions of the device (`barrier`,
//! `threadIdx.x`, `__shfl_sync`) resolved for the target to declared functions or atomic operations.
//!
//! **Invariants.** Types are interned: equal types are equal numbers. An expression is either an *lvalue* (it stands for a place; its `of` is the type
//! of what is there) or a value; only [`ExpressionKind::Load`] makes one of the other. Operands of arithmetic have the type of the
//! result, those of comparisons one type. Functions of a program stand for one instance each: templates are gone.

use cranelift_entity::{PrimaryMap, entity_impl};
use rustc_hash::FxHashMap;

use crate::builtins::overload::Chosen;
use crate::diagnostic::{Diagnostic, LeftOut};
use crate::options::{Dialect, LowerTarget};
use crate::source::Location;
use crate::token::Symbols;
pub use crate::tree::AddressSpace;
use crate::tree::{Extents, Scopes};

mod build;
mod entities;
mod expression;
pub(crate) mod float;
mod layout;
mod print;
mod statement;
mod types;
mod unknown;

pub use build::*;
pub use entities::*;
pub use expression::*;
pub use layout::Layout;
pub use print::*;
pub use statement::*;
pub use types::*;
pub use unknown::*;

/// A translated file.
#[derive(Debug)]
pub struct Program {
    /// The language.
    pub dialect: Dialect,
    /// What it is for.
    pub target: LowerTarget,
    /// The types.
    pub types: Types,
    /// Variables outside of functions, and those inside with a life of the program or the workgroup (`static`, `local`, `__shared__`), and strings.
    pub globals: PrimaryMap<Global, GlobalData>,
    /// The functions that are defined, and those that are called. In order of first mention.
    pub functions: PrimaryMap<Function, FunctionData>,
    /// The functions of the device that are declared, by their names in IR ([`Builder::declare`] adds them).
    pub declared: FxHashMap<String, Function>,
    /// From where to where its expressions are written; empty for a program that nobody wrote.
    pub extents: Extents,
    /// The names in `extents`.
    pub scopes: Scopes,
    /// Their spellings.
    pub symbols: Symbols,
    /// Which overloads of the dialect's functions were chosen before, so that it is not done again for each call.
    pub chosen: Chosen,
}

impl Program {
    /// Nothing defined or declared.
    pub fn new(dialect: Dialect, target: LowerTarget) -> Program {
        Program {
            dialect,
            target,
            types: Types::default(),
            globals: PrimaryMap::new(),
            functions: PrimaryMap::new(),
            declared: FxHashMap::default(),
            extents: Extents::default(),
            scopes: Scopes::default(),
            symbols: Symbols::default(),
            chosen: Chosen::default(),
        }
    }
}

/// A variable that is not on a thread's stack.
#[derive(Debug)]
pub struct GlobalData {
    /// The name in IR, unique in the program (`f.tmp` for a variable in a function).
    pub name: String,
    /// The name as written; empty for what nobody named.
    pub written: String,
    /// The type of what is there.
    pub of: Type,
    /// Where it lies.
    pub space: AddressSpace,
    /// Whether it is never written.
    pub is_constant: bool,
    /// Whether it is defined elsewhere (`extern`). `extern __shared__ T x[]` is not: it is an array of length 0 in local memory.
    pub is_external: bool,
    /// Whether other modules cannot see it.
    pub is_internal: bool,
    /// What it starts with; none: zeros, and undefined in local memory.
    pub initializer: Option<Constant>,
    /// Its alignment in bytes, if it is more than that of the type.
    pub alignment: Option<u32>,
    /// Where it is declared.
    pub location: Location,
}

/// A constant of any type, as an initialiser.
#[derive(Debug, Clone, PartialEq)]
pub enum Constant {
    /// All bytes zero.
    Zero,
    /// An integer or bool: the bits.
    Integer(u128),
    /// A float of any width, as a double.
    Float(f64),
    /// Vectors, arrays, structs: one for each part.
    Aggregate(Vec<Constant>),
    /// The bytes of an array of 8-bit integers.
    Bytes(Vec<u8>),
    /// The address of a global, plus bytes.
    Address(Global, i64),
    /// A function.
    Function(Function),
    /// The address of a label in a function.
    Label(Function, Label),
}

impl Constant {
    /// Whether all its bytes are zero, as far as that shows at once.
    pub fn is_zero(&self) -> bool {
        match *self {
            Constant::Zero | Constant::Integer(0) => true,
            Constant::Float(value) => value.to_bits() == 0,
            _ => false,
        }
    }
}

/// What a kernel's attributes say of the launches that it allows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LaunchBounds {
    /// How many threads a block has in each dimension (`reqd_work_group_size`).
    pub block: Option<[u32; 3]>,
    /// The largest number of threads in a block (`__launch_bounds__`, `amdgpu_flat_work_group_size`).
    pub threads: Option<u32>,
    /// How many blocks a cluster has in each dimension (`__cluster_dims__`).
    pub cluster: Option<[u32; 3]>,
}

impl LaunchBounds {
    /// What is said here, and what only another declaration says.
    pub fn or(self, other: LaunchBounds) -> LaunchBounds {
        LaunchBounds {
            block: self.block.or(other.block),
            threads: self.threads.or(other.threads),
            cluster: self.cluster.or(other.cluster),
        }
    }
}

/// A function.
#[derive(Debug)]
pub struct FunctionData {
    /// The name as written, with template arguments (`sum<int>`).
    pub name: String,
    /// The name in IR: that of a kernel in OpenCL C and `extern "C"` is the name as written; C++ functions are mangled (Itanium); device
    /// functions and intrinsics as the target has them (`_Z7barrierj`, `llvm.nvvm.shfl.sync.idx.i32`).
    pub linkage_name: String,
    /// The type of the function, a [`TypeKind::Function`].
    pub of: Type,
    /// Whether a launch starts it.
    pub is_kernel: bool,
    /// Whether other modules cannot see it.
    pub is_internal: bool,
    /// Whether calls of it are convergent operations. Dialects for GPUs make every defined or declared function convergent that is not `noconvergent`
    /// or known not to communicate; C and C++ make those convergent that say so.
    pub is_convergent: bool,
    /// What is known of a declared function's use of memory.
    pub memory: MemoryEffects,
    /// What its attributes say of launches.
    pub bounds: LaunchBounds,
    /// `__attribute__((noinline))`.
    pub is_noinline: bool,
    /// Whether it is written out where it is called. No body: nobody calls it, and it is no part of the program.
    pub is_expanded: bool,
    /// What it does; none for declared functions.
    pub body: Option<Body>,
    /// What in its type and body is not known, in the order in which it was found.
    pub unknown: Vec<Unknown>,
    /// What the parameters of its template stand for, where nothing says it: it is analysed for all of that.
    pub open: Vec<Unknown>,
    /// Where its name stands.
    pub location: Location,
}

pub use reconverge_operations::signature::MemoryEffects;

/// What a check of a file finds: the program as far as it is one.
#[derive(Debug)]
pub struct Checked {
    /// The functions that are understood.
    pub program: Program,
    /// What is wrong; a function with an [`Unsupported`](crate::diagnostic::Severity::Unsupported) construct is left out of the program,
    /// or only declared where another one calls it.
    pub diagnostics: Vec<Diagnostic>,
    /// The functions that are left out, in the order of the text.
    pub left_out: Vec<LeftOut>,
    /// What was not understood and passed over ([`Reading::Kernels`](crate::options::Reading::Kernels)).
    pub passed_over: Vec<Diagnostic>,
}
