//! What a function is lowered for: the set of threads, the refinements, and what is taken to be uniform.

use crate::target::Scope;

/// A refinement over what LLVM does, among those that lowering is concerned with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Refinement {
    /// Known sizes of workgroups and subgroups, and operations whose result does not depend on their operands.
    ValueFacts,
    /// Arguments and results of functions of the module.
    Interprocedural,
    /// Where generic pointers come from.
    Provenance,
    /// Allocas as the SSA values that they would become.
    PromotableAllocas,
}

/// Which refinements to use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Refinements {
    /// Convergence regions that leave a cycle.
    pub regions: bool,
    /// [`Refinement::ValueFacts`]
    pub value_facts: bool,
    /// That workgroups are one-dimensional where the module reads thread ids of the first dimension alone and nothing says how
    /// large the others are. It is an assumption: in a larger workgroup, all threads with one `x` would do the same.
    pub one_dimensional: bool,
    /// [`Refinement::Interprocedural`]
    pub interprocedural: bool,
    /// [`Refinement::Provenance`]
    pub provenance: bool,
    /// [`Refinement::PromotableAllocas`]
    pub promotable_allocas: bool,
}

impl Refinements {
    /// All of them.
    pub const ALL: Refinements = Refinements {
        regions: true,
        value_facts: true,
        one_dimensional: true,
        interprocedural: true,
        provenance: true,
        promotable_allocas: true,
    };
    /// None of them.
    pub const NONE: Refinements = Refinements {
        regions: false,
        value_facts: false,
        one_dimensional: false,
        interprocedural: false,
        provenance: false,
        promotable_allocas: false,
    };
}

/// What a function is lowered for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LoweringOptions {
    /// The set of threads.
    pub scope: Scope,
    /// The refinements.
    pub refinements: Refinements,
    /// Whether only what certainly differs between threads counts: sources of
    /// [`Degree::Certain`](crate::target::Degree::Certain), and functions of them. What is read from memory or comes out of a call is then taken to be uniform.
    pub certain_only: bool,
    /// Whether parameters are taken to be uniform, to find what depends on nothing else.
    pub uniform_parameters: bool,
    /// Whether the threads are taken to have one copy of what parameters point to, to find what depends on that.
    pub shared_pointees: bool,
    /// Whether functions that other modules may call are taken to be called by what is seen only: what others pass is as good.
    pub sees_all_calls: bool,
    /// Whether rows of workgroups (`x`) are taken to be subgroups as a whole, to find what depends on that.
    pub whole_rows: bool,
}

impl LoweringOptions {
    /// All refinements, and all that may differ.
    pub fn new(scope: Scope) -> LoweringOptions {
        LoweringOptions {
            scope,
            refinements: Refinements::ALL,
            certain_only: false,
            uniform_parameters: false,
            shared_pointees: false,
            sees_all_calls: false,
            whole_rows: false,
        }
    }
}
