//! Random kernels that run.
//!
//! A module has a kernel and up to two local functions that it may call. Each function starts as a random graph, tokens are put
//! where the static rules allow them, as in [`super`], and then blocks are filled in reverse post-order, so that what
//! an instruction uses is there. Threads share memory only to read it (a buffer; local memory that all of them filled before a
//! barrier), so no two race. Threads that are there together communicate.
//!
//! A kernel that is [bounded](Kernel::bounded) ends: each branch in a cycle counts how often it was executed, or the header of
//! the loop was, and in the end takes the shortest way out. In one of [uniform control](Kernel::uniform_control) all threads of a
//! workgroup go the same way, so that barriers are allowed anywhere.

mod body;
mod dialect;
mod motion;

use std::fmt::Write;

pub use dialect::{Dialect, Shape};

use super::SplitMix64;

/// A module with a kernel `@k` that runs, and what a launch of it has to be like.
///
/// Its parameters are `in` (a buffer of [`Kernel::INPUTS`] numbers), `out` (one with room for [`Kernel::OUTPUTS`] numbers of each
/// thread), `a`, `b` (any numbers), `n` (the number of threads of a workgroup) and `nx` (the same along x).
#[derive(Debug, Clone)]
pub struct Kernel {
    /// The module.
    pub text: String,
    /// The target.
    pub dialect: Dialect,
    /// Sizes of a launch.
    pub shape: Shape,
    /// Whether convergence is controlled by tokens.
    pub tokens: bool,
    /// Whether it ends whatever the data are.
    pub bounded: bool,
    /// Whether an operation or call gets a token that stems from an `anchor`, and a result that others use. What the result
    /// is then depends on the threads that an implementation lets execute the anchor together.
    pub anchored: bool,
    /// Whether all threads of a workgroup take the same way through the kernel (though not through functions it calls).
    pub uniform_control: bool,
}

/// What a kernel may have in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Wishes {
    /// Convergence tokens.
    pub tokens: bool,
    /// An end.
    pub bounded: bool,
    /// The same way for all threads of a workgroup.
    pub uniform_control: bool,
    /// Variables that are filled and copied, and whose addresses functions are passed.
    pub references: bool,
}

impl Kernel {
    /// How many numbers the buffer `in` has.
    pub const INPUTS: u64 = 16;
    /// How many numbers each thread has in the buffer `out`.
    pub const OUTPUTS: u64 = 4;

    /// The kernel of a seed: tokens in one of three, an end in three of four, references in three of ten.
    pub fn random(seed: u64) -> Kernel {
        let mut rng = SplitMix64::new(seed ^ 0x6b65_726e_656c);
        let tokens = rng.percent(33);
        let (bounded, uniform_control) = (rng.percent(75), !tokens && rng.percent(12));
        let wishes = Wishes { tokens, bounded, uniform_control, references: rng.percent(30) };
        Kernel::with(wishes, seed)
    }

    /// A kernel of the kind that is wished for.
    pub fn with(wishes: Wishes, seed: u64) -> Kernel {
        let mut rng = SplitMix64::new(seed);
        let dialect = Dialect::ALL[rng.below(3)];
        let two_dimensional = rng.percent(20);
        let shape = Shape::random(&mut rng, dialect, two_dimensional);
        let module = Module {
            dialect,
            wishes,
            two_dimensional,
            generic: dialect != Dialect::Spir && rng.percent(30),
            // What `freeze` makes of poison is not determined.
            freezes: rng.percent(30),
        };
        let mut text = format!("target triple = \"{}\"\n\n", dialect.triple());
        text.push_str("@lds = internal addrspace(3) global [256 x i32] poison\n\n");
        let mut functions = Vec::new();
        let mut bodies = String::new();
        for index in 0..rng.below(3) {
            let function = body::function(&mut rng, &module, index, &functions);
            bodies.push_str(&function.text);
            functions.push(function);
        }
        let (kernel, anchored) = body::kernel(&mut rng, &module, &shape, &functions);
        bodies.push_str(&kernel);
        let anchored = anchored || functions.iter().any(|function| function.anchored);
        text.push_str(dialect.declarations());
        text.push_str(DECLARATIONS);
        text.push_str(&bodies);
        if shape.promised && dialect != Dialect::Nvptx {
            let [x, y] = shape.block;
            let _ = writeln!(text, "!0 = !{{i32 {x}, i32 {y}, i32 1}}");
        }
        let Wishes { tokens, bounded, uniform_control, .. } = wishes;
        Kernel { text, dialect, shape, tokens, bounded, anchored, uniform_control }
    }
}

/// What all functions of a module have in common.
struct Module {
    dialect: Dialect,
    wishes: Wishes,
    two_dimensional: bool,
    /// Whether buffers are passed as generic pointers.
    generic: bool,
    freezes: bool,
}

impl Module {
    fn buffer(&self) -> &'static str {
        if self.generic { "ptr" } else { "ptr addrspace(1)" }
    }
}

/// A local function that can be called.
struct Callee {
    index: usize,
    text: String,
    convergent: bool,
    anchored: bool,
}

const DECLARATIONS: &str = "\
declare token @llvm.experimental.convergence.entry() convergent
declare token @llvm.experimental.convergence.anchor() convergent
declare token @llvm.experimental.convergence.loop() convergent
declare void @op(i32) convergent
declare i32 @value(i32) convergent
declare i32 @llvm.smax.i32(i32, i32)
declare i32 @llvm.umin.i32(i32, i32)
declare i32 @llvm.ctpop.i32(i32)
declare i32 @llvm.cttz.i32(i32, i1 immarg)
declare i32 @llvm.fshl.i32(i32, i32, i32)
declare { i32, i1 } @llvm.uadd.with.overflow.i32(i32, i32)

";

#[cfg(test)]
mod tests {
    use super::*;
    use crate::llvm;

    #[test]
    fn llvm_accepts_random_kernels() {
        let Some(tools) = llvm::tools() else { return };
        for seed in crate::rounds::seeds(100) {
            let kernel = Kernel::random(seed);
            let verdict = tools.verify(&kernel.text).unwrap();
            assert!(verdict.accepted, "seed {seed}: {verdict:?}\n{}", kernel.text);
        }
    }
}
