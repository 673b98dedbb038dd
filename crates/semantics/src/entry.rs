//! Who is together where threads come into a program.

/// What the environment defines of threads that execute a function which is called from outside of the program.
///
/// The texts about source leave it to the environment ("Function body", 2025-04 and 2024-10), and so does LLVM's ("Dynamic Instances and Convergence Tokens"): threads that start a kernel are usually those of a
/// workgroup, together; a thread that enters a program in C or C++ is with nobody.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Entry {
    /// The threads of a workgroup are converged.
    #[default]
    Converged,
    /// No thread is converged with another one.
    Alone,
    /// The environment leaves it to the implementation.
    Implementation,
}
