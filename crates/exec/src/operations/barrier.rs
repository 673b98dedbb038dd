//! Barriers.

use super::Scope;

/// A point at which threads wait for each other.
#[derive(Debug, Clone, PartialEq)]
pub struct Barrier {
    /// Which threads are to get there: all those of the group, unless the rest says otherwise.
    pub scope: Scope,
    /// All threads must be at the same call: OpenCL's `barrier`, `__syncthreads`, what PTX calls *aligned*. Otherwise
    /// they may be at any barrier with the same number.
    pub textual: bool,
    /// Only the threads that are there together wait for each other, nobody else is missed: `llvm.amdgcn.wave.barrier`.
    pub partial: bool,
    /// Whether it is all of a barrier, or half of one.
    pub phase: Phase,
    /// The operand with the number of the barrier: 0 where there is none. Those with different numbers have nothing to do
    /// with each other.
    pub id: Option<u8>,
    /// The operand with the number of threads that complete it, where these are not all of the group.
    pub count: Option<u8>,
    /// The operand that names the threads of the subgroup that wait.
    pub mask: Option<u8>,
    /// What is computed of a predicate of all threads that wait; no result otherwise.
    pub reduction: Option<(Reduction, u8)>,
    /// Whether what a thread wrote before it is seen by the others behind it.
    pub orders_memory: bool,
}

/// What a thread does at a barrier.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Phase {
    /// It says that it is there, and waits.
    Full,
    /// It says that it is there, and goes on.
    Arrive,
    /// It waits, having said before that it is there.
    Wait,
}

/// How the predicates of the threads at a barrier become one number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Reduction {
    /// 1 if all are true, else 0.
    And,
    /// 1 if one is true, else 0.
    Or,
    /// How many are true.
    Count,
}
