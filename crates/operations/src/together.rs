//! Who takes part in an operation, what its operands are, and what follows for analyses.

use crate::facts::{CallFacts, Degree, Meeting, MotionFacts, OperandSet, Operation, ResultFacts, Scope};

/// What an operand is for the operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Role {
    /// What a thread gives: a number, a predicate, a mask that a function is of.
    Value,
    /// The threads that take part, a bit for each.
    Mask,
    /// Which thread is read: its number, how far away it is, in which bits it differs.
    Lane,
    /// How many neighbours are combined.
    Cluster,
    /// The limits of the segments of `shfl` as PTX packs them; one segment where it is 31.
    Clamp,
    /// How many threads a segment of `shfl` has; one segment where it is 32. It may be left out.
    Width,
    /// The number of a barrier.
    Id,
    /// How many threads wait.
    Count,
    /// Which memory a barrier orders.
    Flags,
    /// Which dimension is asked about.
    Dimension,
    /// Something else that is there.
    Other,
}

/// Which threads of a group take part.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Threads {
    /// All: they have to be there.
    All,
    /// Those that are there.
    Active,
    /// Those that the operand [`Role::Mask`] names: they have to be there.
    Named,
    /// Each on its own: it is no operation of several threads.
    Own,
}

/// In what threads of the group get the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Result {
    /// They may get different results.
    Differs,
    /// They do.
    DiffersCertainly,
    /// They get the same.
    Same,
    /// They get the same, and threads of another group get something else.
    SameHereOnly,
    /// They get the same, and so do all threads of a launch if their operands are the same.
    SameAsOperands,
    /// They get the same if operands with these roles are, and segments are no smaller than the group.
    SameIf(&'static [Role]),
    /// They get the same if all operands are.
    SameIfOperandsAre,
}

/// Who takes part in an operation, what they get, and what a move does to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Together {
    /// The group.
    pub scope: Scope,
    /// Who of it.
    pub threads: Threads,
    /// What they get.
    pub result: Result,
    /// Where else it may be executed.
    pub motion: MotionFacts,
}

impl Together {
    const fn new(scope: Scope, threads: Threads) -> Together {
        let motion = MotionFacts { result_only: false, hoist: false, sink: false, speculate: false };
        Together { scope, threads, result: Result::Differs, motion }
    }

    /// Of all threads of a group.
    pub const fn all(scope: Scope) -> Together {
        Together::new(scope, Threads::All)
    }

    /// Of the threads of a subgroup that are there.
    pub const fn active() -> Together {
        Together::new(Scope::Subgroup, Threads::Active)
    }

    /// Of the threads of a subgroup that a mask names.
    pub const fn named() -> Together {
        Together::new(Scope::Subgroup, Threads::Named)
    }

    /// Of each thread on its own; what is said of results is said of a group.
    pub const fn own(scope: Scope) -> Together {
        Together::new(scope, Threads::Own)
    }

    /// With this in common of what they get.
    pub const fn gives(self, result: Result) -> Together {
        Together { result, ..self }
    }

    /// All that it does is give its result.
    pub const fn result_only(self) -> Together {
        Together { motion: MotionFacts { result_only: true, ..self.motion }, ..self }
    }

    /// What a thread gets stays the same when more threads take part.
    pub const fn hoist(self) -> Together {
        Together { motion: MotionFacts { hoist: true, ..self.motion }, ..self }
    }

    /// What a thread gets stays the same when fewer threads take part.
    pub const fn sink(self) -> Together {
        Together { motion: MotionFacts { sink: true, ..self.motion }, ..self }
    }

    /// A thread that would not have executed it may.
    pub const fn speculate(self) -> Together {
        Together { motion: MotionFacts { speculate: true, ..self.motion }, ..self }
    }

    /// A name of such an operation, with its operands.
    pub const fn name(self, name: &'static str, operands: &'static [Role]) -> Spelling {
        Spelling { name, operands, together: self, signature: None }
    }

    /// The name of a function of OpenCL C, with its operands and how it is declared, in the words of the front end's
    /// tables of signatures: the set of types that `g` stands for, `none` where it touches no memory, and result and parameters.
    pub const fn opencl(self, name: &'static str, operands: &'static [Role], signature: &'static str) -> Spelling {
        Spelling { name, operands, together: self, signature: Some(signature) }
    }
}

/// A name of an operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Spelling {
    /// The name: of an intrinsic without types, of a function without its mangling.
    pub name: &'static str,
    /// What its operands are.
    pub operands: &'static [Role],
    /// Who takes part.
    pub together: Together,
    /// How OpenCL C declares it: a set of types, and the signature.
    pub signature: Option<&'static str>,
}

impl Spelling {
    /// The first operand with a role.
    pub fn operand(&self, role: Role) -> Option<u8> {
        self.operands.iter().position(|&one| one == role).map(|index| index as u8)
    }

    /// What analyses know of a call; `waits`: the operation is a barrier.
    pub fn facts(&self, waits: bool) -> CallFacts {
        let Together { scope, threads, result, motion } = self.together;
        let mut facts = ResultFacts::default();
        let limits = [(Role::Clamp, 31), (Role::Width, 32)];
        match result {
            Result::Differs => {}
            Result::DiffersCertainly => facts.degree = Degree::Certain,
            Result::Same => facts.uniform = Some(scope),
            Result::SameHereOnly => (facts.uniform, facts.degree) = (Some(scope), Degree::Certain),
            Result::SameAsOperands => (facts.uniform, facts.operands) = (Some(scope), Some(Scope::Grid)),
            Result::SameIfOperandsAre => facts.operands = Some(scope),
            Result::SameIf(roles) => {
                let on = self.operands_with(roles).unwrap_or(OperandSet(0));
                let only_if = limits.into_iter().find_map(|(role, whole)| Some((self.operand(role)?, whole)));
                facts = ResultFacts { operands: Some(scope), on, only_if, ..facts };
            }
        }
        CallFacts {
            result: facts,
            operation: match threads {
                Threads::Own => Operation::None,
                _ if waits => Operation::Barrier(scope),
                _ => Operation::Crosslane(scope),
            },
            partial: matches!(threads, Threads::Active | Threads::Named),
            mask_operand: if threads == Threads::Named { self.operand(Role::Mask) } else { None },
            scope_operand: None,
            motion,
            agree: None,
            meeting: Meeting::OneCall,
        }
    }

    /// The operands with these roles, if there are any.
    pub(crate) fn operands_with(&self, roles: &[Role]) -> Option<OperandSet> {
        let has_role = |&operand: &u8| roles.contains(&self.operands[usize::from(operand)]);
        let mut operands = (0..self.operands.len() as u8).filter(has_role).peekable();
        operands.peek().is_some().then(|| operands.collect())
    }
}
