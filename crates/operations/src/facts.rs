//! What is known of a call, and of loads: plain data, the same for every target.
//!
//! A fact says up to which set of threads a value is the same: *uniform in a set* means that the threads of the set whose
//! executions are converged get the same value. What is uniform in a set is uniform in each smaller one, so one [`Scope`]
//! says it all, and no scope says that the threads of a subgroup already differ.

#[cfg(feature = "serde")]
use serde::Deserialize;

/// A set of threads, ordered by inclusion.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(Deserialize), serde(rename_all = "lowercase"))]
pub enum Scope {
    /// The threads that can communicate through registers: a wave, a warp.
    Subgroup,
    /// The threads that share local memory: a work-group, a thread block.
    Workgroup,
    /// All threads of a launch.
    Grid,
}

/// How sure it is that threads differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
#[cfg_attr(feature = "serde", derive(Deserialize), serde(rename_all = "lowercase"))]
pub enum Degree {
    /// They may: a load, a call of an unknown function.
    #[default]
    Possible,
    /// They do: a thread id.
    Certain,
}

/// How the result of a call depends on the thread.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct ResultFacts {
    /// The widest set whose threads get the same result, whatever the operands are.
    pub uniform: Option<Scope>,
    /// The widest set whose threads get the same result when their operands are the same.
    pub operands: Option<Scope>,
    /// Which operands `operands` means: a shuffle from one lane is uniform when the lane is, whatever the value.
    pub on: OperandSet,
    /// `operands` holds only where the operand with this index is this constant (the width of a shuffle).
    pub only_if: Option<(u8, i64)>,
    /// A function of its operands and of nothing else: not of memory, not of which threads are there.
    pub pure: bool,
    /// It reads memory through its pointer operands, so it is not more uniform than what a target says says of
    /// their address spaces.
    pub loads: bool,
    /// In sets where neither holds: whether threads do differ.
    pub degree: Degree,
}

/// Some operands of a call, by index.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct OperandSet(
    /// A bit for each; the last one is for all from the sixteenth on.
    pub u16,
);

impl OperandSet {
    /// All operands.
    pub const ALL: OperandSet = OperandSet(u16::MAX);

    /// Whether an operand is in the set. Those from the sixteenth on are in all sets or none.
    pub fn contains(self, operand: usize) -> bool {
        self.0 >> operand.min(15) & 1 == 1
    }
}

impl Default for OperandSet {
    fn default() -> OperandSet {
        OperandSet::ALL
    }
}

impl FromIterator<u8> for OperandSet {
    fn from_iter<I: IntoIterator<Item = u8>>(operands: I) -> OperandSet {
        OperandSet(operands.into_iter().fold(0, |set, operand| set | 1 << operand.min(15)))
    }
}

/// What a result depends on in one set of threads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Dependence {
    /// Nothing: it is uniform.
    Uniform,
    /// A function of its operands and of nothing else.
    Pure,
    /// Uniform when its operands are (those in [`ResultFacts::on`]), but another execution may give another result.
    Operands,
    /// The thread.
    Thread(Degree),
}

impl ResultFacts {
    /// What the result depends on, for threads of a set.
    pub fn dependence(self, scope: Scope) -> Dependence {
        if self.uniform >= Some(scope) {
            Dependence::Uniform
        } else if self.pure {
            Dependence::Pure
        } else if self.operands >= Some(scope) {
            Dependence::Operands
        } else {
            Dependence::Thread(self.degree)
        }
    }

    /// The facts of a call with some constant operands: `operands` does not hold where an operand is another constant than
    /// [`only_if`](ResultFacts::only_if) wants, or none.
    pub fn of_call(self, constant_of: impl Fn(u8) -> Option<i64>) -> ResultFacts {
        match self.only_if {
            Some((operand, wanted)) if constant_of(operand) != Some(wanted) => ResultFacts { operands: None, ..self },
            _ => self,
        }
    }
}

/// What several threads do together in a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Operation {
    /// Nothing.
    #[default]
    None,
    /// Waits until all threads of the set are there.
    Barrier(Scope),
    /// Gives threads what others of the set have, or how many or which of them are there.
    Crosslane(Scope),
    /// Compares with the neighbours in the quad: a derivative, a texture sample that needs one, a quad swap.
    QuadCrosslane,
}

/// At which calls of barriers threads have to be that go on together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Meeting {
    /// All at the same one.
    #[default]
    OneCall,
    /// Those of a subgroup at the same one: those of others may be at other calls.
    OneCallBySubgroup,
    /// Each at any one.
    AnyCall,
}

/// What is known of a function that is called by name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct CallFacts {
    /// Its result.
    pub result: ResultFacts,
    /// What threads do together in it.
    pub operation: Operation,
    /// Whether the operation is defined when only some threads of its set are there (a ballot, a shuffle that
    /// names its threads); a barrier is not. See also [`CallFacts::needs_all`].
    pub partial: bool,
    /// The operand that names the threads of the subgroup that take part, as a mask with a bit for each: those
    /// that it names must all be there.
    pub mask_operand: Option<u8>,
    /// The operand that says which set of threads the call is about, as a SPIR-V scope; see [`CallFacts::in_scope`].
    pub scope_operand: Option<u8>,
    /// Where else the call may be executed.
    pub motion: MotionFacts,
    /// A set of threads, and the operands that the threads of it which execute the call together have to agree on.
    pub agree: Option<(Scope, OperandSet)>,
    /// Of a barrier: at which calls threads meet; where these are several, of barriers with the same number.
    pub meeting: Meeting,
}

/// What happens to a call that is executed at another place, or by other threads. Nothing is taken for granted: without a
/// fact, a move needs another reason.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct MotionFacts {
    /// All that it does is give its result: it touches no memory, orders nothing, waits for no thread that could be anywhere else,
    /// and returns. So it need not be executed where nobody uses the result.
    pub result_only: bool,
    /// What a thread gets stays the same when more threads take part: a shuffle between fixed thread ids.
    pub hoist: bool,
    /// What a thread gets stays the same when fewer threads take part: a function of the operands and the thread's own number.
    pub sink: bool,
    /// A thread that would not have executed it may: whatever the operands are then, at worst the result is undefined.
    pub speculate: bool,
}

impl CallFacts {
    /// The facts of a call with some constant operands, which `constant_of` gives by index: what holds for the
    /// constant in [`scope_operand`](CallFacts::scope_operand) and for [`ResultFacts::only_if`].
    pub fn of_call(self, constant_of: impl Fn(u8) -> Option<i64>) -> CallFacts {
        let facts = match self.scope_operand.and_then(&constant_of) {
            Some(scope) => self.in_scope(scope),
            None => self,
        };
        CallFacts { result: facts.result.of_call(constant_of), ..facts }
    }

    /// The set of threads that must reach a call together, all of them; `constant_of` gives its operands that are
    /// constants, by index. A partial operation needs none but the threads that are there, unless it names all by a
    /// constant mask of ones: with a mask that nobody can read off the call, nothing is needed. An operation of a quad
    /// needs the quad, which is no [`Scope`], and gets no answer here.
    pub fn needs_all(&self, constant_of: impl Fn(u8) -> Option<i64>) -> Option<Scope> {
        let names_all = self.mask_operand.and_then(&constant_of) == Some(-1);
        match self.of_call(constant_of).operation {
            Operation::Barrier(scope) | Operation::Crosslane(scope) if !self.partial || names_all => Some(scope),
            _ => None,
        }
    }

    /// The facts of a call whose [`scope_operand`](CallFacts::scope_operand) is a constant: the operation, and the
    /// result where it is uniform at all, are of the threads of that scope. Other constants than those of a workgroup (2)
    /// and a subgroup (3) leave the facts as they are.
    pub fn in_scope(self, constant: i64) -> CallFacts {
        let scope = match constant {
            2 => Scope::Workgroup,
            3 => Scope::Subgroup,
            _ => return self,
        };
        let agree = self.agree.map(|(_, operands)| (scope, operands));
        let operation = match self.operation {
            Operation::Barrier(_) => Operation::Barrier(scope),
            Operation::Crosslane(_) => Operation::Crosslane(scope),
            other => other,
        };
        let ResultFacts { uniform, operands, .. } = self.result;
        let result = ResultFacts { uniform: uniform.map(|_| scope), operands: operands.map(|_| scope), ..self.result };
        CallFacts { result, operation, agree, ..self }
    }
}

/// A kind of memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(Deserialize), serde(rename_all = "lowercase"))]
pub enum MemoryKind {
    /// Each thread has its own.
    Private,
    /// Each workgroup has its own.
    Shared,
    /// One for all threads.
    Global,
    /// One for all threads, not written while they run.
    Constant,
    /// Pointers to several of the others: *flat*, *generic*.
    Flat,
    /// Nothing is known.
    #[default]
    Unknown,
}

/// What is known of loads from an address space, when the address is the same in all threads of a set.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct LoadFacts {
    /// Which memory it is.
    pub kind: MemoryKind,
    /// The widest set whose threads load the same; nothing for memory that may be each thread's own.
    pub uniform: Option<Scope>,
    /// The same for atomic and volatile loads, which other threads may write in between.
    pub atomic: Option<Scope>,
}
