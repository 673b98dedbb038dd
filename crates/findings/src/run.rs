//! What goes wrong in a run, as data. Threads are numbered through the launch.

use reconverge_operations::Scope;

use crate::anchor::Anchor;
use crate::codes::Severity;
use crate::control::Between;

/// Something that happened to threads at an instruction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Trouble {
    /// What happened.
    pub what: What,
    /// The threads that it happened to, ascending.
    pub threads: Vec<u64>,
    /// Where other threads are that matter, and what they do there.
    pub others: Vec<Standing>,
    /// The calls that lead from the kernel to the place, the last one first; some of them where there are many.
    pub calls: Vec<Anchor>,
    /// Where all threads were that ran, where that is told.
    pub everywhere: Option<Everywhere>,
    /// How many workgroups have it.
    pub workgroups: u64,
    /// The first of them.
    pub first: u64,
}

/// Threads at one place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Standing {
    /// The threads, ascending.
    pub threads: Vec<u64>,
    /// The instruction.
    pub at: Anchor,
    /// What they do there.
    pub doing: Doing,
}

/// What threads do at a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Doing {
    /// They are there.
    Here,
    /// They wait.
    Waiting,
    /// They wait at another barrier.
    WaitingAtBarrier,
    /// They go round while nothing changes, too.
    Spinning,
    /// They stand until others have left the cycle.
    StandingStill,
    /// They access memory.
    Touching(Touch),
}

/// The first places at which threads are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Everywhere {
    /// At most sixteen of them.
    pub groups: Vec<(Vec<u64>, Anchor)>,
    /// How many more there are.
    pub more: usize,
}

/// What is `noundef`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Noundef {
    /// An argument, counted from 0.
    Argument(u32),
    /// What a function returns, where it returns.
    Returned,
    /// What a call returns, where the call says so.
    Result,
}

/// What happened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum What {
    /// A branch on a value that is not known.
    UnknownBranch,
    /// An access, or a call, through an address that is not known.
    UnknownAddress,
    /// Something `noundef` that is not known.
    Noundef(Noundef),
    /// An indirect call of something that is no function, or one with other parameters.
    NoFunction,
    /// An `indirectbr` to an address that is none of its blocks.
    NoBlock,
    /// An exception that nobody catches.
    Uncaught,
    /// An `unreachable`.
    Unreachable,
    /// An assertion that fails.
    Assertion,
    /// A trap.
    Trap,
    /// Division by zero and the like.
    Arithmetic,
    /// A false `llvm.assume`.
    Assumption,
    /// A limit.
    Limit(Limit),
    /// An access that is wrong.
    Fault {
        /// In which way.
        kind: FaultKind,
        /// How many bytes.
        bytes: u64,
        /// Where; none where no object is.
        object: Option<Object>,
    },
    /// Two accesses that nothing orders.
    Race {
        /// Who makes the later one, and how.
        one: (u64, Touch),
        /// Who made the earlier one, and how.
        other: (u64, Touch),
        /// The byte.
        object: Object,
        /// The smallest set that has both threads.
        scope: Scope,
        /// What is between the two.
        between: Between,
    },
    /// What an operation of several threads leaves undefined.
    Operation(OperationBreach),
    /// A call of `printf` that does not fit its format.
    Print {
        /// What is wrong.
        message: Sentence,
        /// The format, where it could be read.
        format: Option<String>,
        /// What to do.
        advice: &'static str,
        /// What else is wrong, in calls of other threads or arguments.
        also: Vec<Sentence>,
    },
    /// An operation of a whole group, without these threads.
    NotAllThere(Vec<u64>),
    /// A barrier to which threads of its group do not come.
    Barrier {
        /// The group.
        scope: Scope,
        /// Those that do not.
        missing: Vec<u64>,
        /// Those of them that reached the end of the kernel.
        ended: Vec<u64>,
    },
    /// A barrier to which fewer threads come than it says.
    TooFew {
        /// Its number.
        number: u64,
        /// How many threads complete it.
        wanted: u64,
        /// How many have come.
        come: u64,
    },
    /// Threads wait for each other at different barriers.
    OtherBarriers {
        /// The group.
        scope: Scope,
        /// Those that reached the end of the kernel.
        ended: Vec<u64>,
    },
    /// Threads wait for each other for ever: of each pair, the first could still execute the operation of the second.
    Deadlock {
        /// The pairs, sixteen at most.
        able: Vec<(Vec<u64>, Vec<u64>)>,
        /// How masks are read, where some of them wait at an operation that has one.
        masks: Option<MaskReading>,
    },
    /// Threads go round for ever.
    Spinning {
        /// Why nothing ends it.
        because: Spinning,
        /// Whether workgroups share memory, and run one after the other for it.
        one_after_the_other: bool,
        /// What is known of the hardware.
        progress: Progress,
    },
}

/// A limit that was reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Limit {
    /// Calls in one another.
    Calls(usize),
    /// Bytes of private memory of a thread.
    Stack(u64),
    /// Bytes of local memory of a workgroup, with what its threads have asked for.
    Heap(u64),
    /// Steps of one thread's operation.
    Steps(usize),
    /// Bytes of calls in one another.
    CallBytes(usize),
    /// Executions that other threads may still join.
    Records(usize),
    /// Of the whole run.
    Run {
        /// Which.
        of: RunLimit,
        /// Whether several runs under different models share it.
        shared: bool,
        /// How many workgroups ran to the end.
        finished: u64,
        /// Of how many.
        workgroups: u64,
        /// The first that did not.
        number: u64,
    },
}

/// A limit of a whole run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RunLimit {
    /// Instructions.
    Instructions(u64),
    /// Steps.
    Steps(usize),
}

/// Why threads go round for ever.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Spinning {
    /// Others of their group stand until they leave the cycle.
    HoldsOthers,
    /// Others of their group wait for them.
    IsWaitedFor,
    /// Nobody of their group is left.
    Alone,
}

/// How the threads of a subgroup go on on the hardware that a program is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Progress {
    /// Nothing is known.
    Unsaid,
    /// As those of a warp before sm_70: together, so that those which have left a loop wait for the others.
    Together,
    /// As those of a warp from sm_70 on: each of them at some time, wherever the others are.
    Independent,
}

/// What the mask operand of a CUDA operation means.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum MaskReading {
    /// Converged threads divide by the mask that they pass: only converged threads communicate.
    Partition,
    /// Threads are independent: those that the mask names meet, converged or not, at whichever place of the text each of them executes the operation.
    Concurrent,
}

/// What an operation of several threads leaves undefined. Operands are counted from 0.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OperationBreach {
    /// A value is taken from this thread, which does not execute the operation with them.
    Outside {
        /// The thread that is asked.
        source: u64,
    },
    /// A value is taken from a thread that the group does not have.
    OutOfRange {
        /// The number in the group, as it was computed.
        index: i64,
        /// The group.
        group: Scope,
    },
    /// An operand that must be the same in all threads of the set is not.
    NotUniform {
        /// The operand.
        argument: usize,
    },
    /// The mask does not name the threads that pass it.
    MaskWithoutSelf {
        /// The mask.
        mask: u64,
        /// How it is read.
        reading: MaskReading,
    },
    /// The mask names threads that do not execute the operation.
    MaskNamesOthers {
        /// They.
        missing: Vec<u64>,
        /// How it is read.
        reading: MaskReading,
    },
    /// Threads get a value of others, or that others decide, and it is poison or `undef`.
    Indeterminate {
        /// The operand.
        argument: usize,
        /// The threads that have it.
        sources: Vec<u64>,
    },
    /// An operand has a value that means nothing.
    Meaningless {
        /// The operand.
        argument: usize,
        /// The value.
        value: u64,
        /// What it has to be, in words that continue "must be ".
        expected: &'static str,
    },
}

/// A place in an object of memory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Object {
    /// The name of a global object; empty where it has none.
    pub name: String,
    /// The `alloca` that made a private object.
    pub variable: Option<Anchor>,
    /// Whether each workgroup has its own.
    pub is_local: bool,
    /// How many bytes the object has.
    pub bytes: u64,
    /// The distance of the place from its start, negative before it.
    pub offset: i64,
}

/// How an access is wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FaultKind {
    /// Through a null pointer, or one a few bytes from null.
    Null,
    /// Not wholly inside the object that the address is in or next to.
    OutOfBounds,
    /// To a place where no object is, or none any more.
    Unallocated,
    /// To code, or through a number that is no address.
    NotMemory,
    /// To memory that a thread of another workgroup has asked for. It may be there; a run does not say.
    OfAnotherWorkgroup,
    /// What is freed was never allocated, or was freed before.
    NotAllocated,
    /// A store to an object that is constant.
    Constant,
    /// The address is not a multiple of what the instruction says. The access happens.
    Misaligned,
    /// A load of bytes to which nothing was ever stored. The access happens.
    Uninitialised,
}

impl FaultKind {
    /// Whether the access does not happen: nothing is stored, what is loaded is 0.
    pub fn prevents(self) -> bool {
        !matches!(self, FaultKind::Misaligned | FaultKind::Uninitialised)
    }
}

/// How a thread accesses memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Touch {
    /// A load.
    Read,
    /// A store.
    Write,
    /// An atomic load.
    AtomicRead,
    /// An atomic operation that stores.
    AtomicWrite,
}

/// Words about a format of `printf`, with objects of memory in them.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Sentence(pub Vec<Piece>);

/// A piece of a [`Sentence`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Piece {
    /// Words.
    Text(String),
    /// That a value is poison or undef.
    Undefined,
    /// A place in memory; "memory where no object is" where there is none.
    Object(Option<Object>),
}

impl<T: Into<String>> From<T> for Sentence {
    fn from(text: T) -> Sentence {
        Sentence(vec![Piece::Text(text.into())])
    }
}

impl Sentence {
    /// With an object at the end.
    #[must_use]
    pub fn object(mut self, object: Option<Object>) -> Sentence {
        self.0.push(Piece::Object(object));
        self
    }
}

impl Limit {
    /// A limit of the whole run becomes a part of one that several runs share.
    pub fn share(&mut self, whole: impl Fn(RunLimit) -> RunLimit) {
        if let Limit::Run { of, shared, .. } = self {
            (*of, *shared) = (whole(*of), true);
        }
    }
}

impl What {
    /// How much it matters, where that is not what its rule says.
    pub fn severity(&self) -> Option<Severity> {
        match self {
            What::Fault { kind: FaultKind::Uninitialised, .. } => Some(Severity::Warning),
            _ => None,
        }
    }
}
