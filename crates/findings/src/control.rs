//! Divergence, as data: what threads need to agree on and do not, and the chain that says why.

use std::borrow::Cow;

use reconverge_ir::function::{Block, Inst, Value};
use reconverge_ir::opcode::Opcode;
use reconverge_ir::{Module, Symbol};
use reconverge_operations::Scope;
use reconverge_operations::facts::Degree;

use crate::anchor::Anchor;
use crate::codes::Severity;

/// An operation that needs all threads of a set, or a call that has to be given the same by all.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hazard {
    /// The set of threads.
    pub scope: Scope,
    /// What the function that is called requires; none where it is an operation itself.
    pub requirement: Option<Requirement>,
    /// What is wrong.
    pub breach: HazardBreach,
    /// Whether what differs between threads, an argument or where they go, certainly does.
    pub is_sure: bool,
    /// A launch in which threads diverge, where they certainly do.
    pub example: Option<Example>,
    /// What it takes: one of these has to hold. Empty where nothing is known of it.
    pub assumptions: Vec<Assumption>,
    /// The branches at which threads are parted, too: their blocks, and their terminators.
    pub others: Vec<(Block, Anchor)>,
    /// Where the threads that are missing have ended, or will without executing such an operation: how much that matters if it is certain.
    pub after_exit: Option<Severity>,
}

/// How much it matters that threads end before a barrier for which the others wait, by the name of the barrier in the IR or in PTX:
/// CUDA's programming model lets the other threads go on, OpenCL, SPIR-V and HIP do not say so.
pub fn barrier_after_exit(operation: &[u8]) -> Severity {
    let is_cuda = [&b"llvm.nvvm."[..], b"__", b"bar.", b"barrier."].iter().any(|&start| operation.starts_with(start));
    if is_cuda { Severity::Warning } else { Severity::Error }
}

/// What a function needs from its callers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Requirement {
    /// Whether the operation is defined without some of the threads: what it reads of these is an undefined value.
    pub tolerates_missing: bool,
    /// The set of threads.
    pub scope: Scope,
    /// What they have to agree on.
    pub kind: RequirementKind,
    /// The parameter that is the mask of the operation's lanes: it is required only where that names all of them.
    pub full_mask: Option<u32>,
    /// What is called there.
    pub operation: Called,
    /// Where the operation is that needs it.
    pub at: Anchor,
}

/// What is called.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Called {
    /// A function.
    Function(Symbol),
    /// An instruction of inline assembly.
    Instruction(String),
}

impl Called {
    /// Its name, as it is written in the IR.
    pub fn name<'a>(&'a self, module: &'a Module<'_>) -> Cow<'a, [u8]> {
        match self {
            Called::Function(symbol) => module.symbol_name(*symbol),
            Called::Instruction(name) => Cow::Borrowed(name.as_bytes()),
        }
    }
}

/// What threads have to agree on at a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum RequirementKind {
    /// All of them make the call together.
    Entry,
    /// They pass the same value for the parameter with this index.
    Parameter(u32),
}

/// A launch that shows something: two threads of one set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Example {
    /// The size of the workgroup in each dimension.
    pub extents: [u32; 3],
    /// The thread that executes the operation, or does so more often.
    pub with: [u32; 3],
    /// The thread that does not, or less often.
    pub without: [u32; 3],
    /// How often they do.
    pub times: [u32; 2],
}

/// What has to be so for threads to diverge.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Assumption {
    /// A value, or the extent of the workgroup in a dimension where there is none, is no multiple of something.
    NoMultiple {
        /// The value.
        value: Option<Value>,
        /// The dimension; 0 where there is a value.
        extent: u8,
        /// Of what it is no multiple.
        of: Measure,
    },
    /// The workgroup is larger than this in a dimension.
    ExtentAbove {
        /// The dimension.
        extent: u8,
        /// The number.
        number: u32,
    },
    /// The workgroup has another size than this in a dimension.
    ExtentIsNot {
        /// The dimension.
        extent: u8,
        /// The size.
        number: u32,
    },
    /// A value that nothing is known of is not the same in all threads of the set.
    Differs {
        /// The value.
        value: Value,
    },
    /// The workgroup has more threads than a subgroup.
    SeveralSubgroups,
    /// A value is less than something.
    Below {
        /// The value.
        value: Value,
        /// Less than what.
        of: Measure,
    },
}

/// A number that depends on the launch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Measure {
    /// This one.
    Number(u32),
    /// The extent of the workgroup in this dimension.
    Extent(u8),
    /// The number of threads of the workgroup.
    Workgroup,
}

/// Which of two accesses to memory is an atomic operation, which reads and writes; never both, as these do not race.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Update {
    /// The one that the finding is at.
    Here,
    /// The other one.
    There,
}

/// What is wrong with a need.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HazardBreach {
    /// Threads take different paths before it.
    Paths,
    /// Threads leave a loop in different iterations, at this terminator.
    Iterations(Option<Anchor>),
    /// The argument with this index differs.
    Argument(u32),
    /// The mask of the operation names these lanes, and they are not those that execute it.
    Mask(u64),
    /// The mask of the operation is what a call gave, and the threads that it names are not those that execute the operation.
    MaskOf(Anchor),
    /// A thread reads here what another one writes there, and no barrier is between the two.
    Unordered {
        /// What is read.
        variable: Symbol,
        /// Where it is written.
        write: Anchor,
        /// The threads whose barrier is missing, for this and for what the finding names beside it.
        barrier: Scope,
        /// What is between the two.
        between: Between,
        /// Which of the two is an atomic operation.
        update: Option<Update>,
    },
    /// The mask of the operation is what one call gave, and another operand is computed from what another one gave.
    OtherMask {
        /// The call that gave the mask.
        of_mask: Anchor,
        /// The other one.
        of_operand: Anchor,
    },
}

/// What is between two accesses that race, in the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Between {
    /// A path without a barrier, or one of which nothing is known.
    Path,
    /// Nothing leads from one to the other: they are on different sides of a branch.
    Sides,
    /// In an iteration of a loop a barrier is; from one iteration to the next none is.
    Iterations {
        /// Whether the first of the two is in the next iteration; else the other one is.
        first_is_later: bool,
        /// The barrier.
        barrier: Anchor,
    },
}

/// A convergent operation in a cycle that is not m-converged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hierarchies {
    /// The entries of the cycle.
    pub entries: Vec<Block>,
    /// The divergent branch.
    pub branch: Option<Block>,
    /// Where threads that diverge there in the cycle meet, past an entry of it; none where they enter at different entries.
    pub join: Option<Option<Block>>,
}

/// One step of a chain: why one thing is divergent. Blocks that are none stand for the end of the function.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    /// What is divergent.
    pub subject: Subject,
    /// Why.
    pub why: Why,
    /// The instruction or parameter.
    pub at: Anchor,
    /// The block it is in; nothing for parameters.
    pub block: Option<Block>,
    /// Two paths that threads take apart, ends included.
    pub paths: Option<[Vec<Block>; 2]>,
    /// The set of threads.
    pub threads: Scope,
}

/// Something that threads may see differently.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Subject {
    /// A parameter, or the result of an instruction.
    Value(Value),
    /// What a variable on the stack holds at the start of a block.
    Stored {
        /// The `alloca`.
        variable: Inst,
        /// The block.
        block: Block,
    },
    /// What it holds after something was written to it.
    Written {
        /// The `alloca`.
        variable: Inst,
    },
    /// Which way the branch of a block goes.
    Branch(Option<Block>),
    /// What the function returns.
    Returned,
    /// An argument of a call.
    Argument(Inst),
}

/// Why something is divergent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Why {
    /// By itself.
    Source(Source),
    /// By an operand.
    Operand(Relation, Subject),
    /// A join of a divergent branch.
    Join {
        /// The block that the branch ends.
        branch: Option<Block>,
    },
    /// A divergent exit of a cycle.
    Temporal {
        /// What is used behind the cycle.
        value: Subject,
        /// The header of the cycle.
        header: Option<Block>,
        /// The divergent branch.
        branch: Option<Block>,
        /// The edge that leaves the cycle.
        exit: [Option<Block>; 2],
    },
    /// A cycle that was given up.
    AssumedDivergent {
        /// Its header.
        header: Option<Block>,
        /// Why it was; none where nobody asked.
        because: Option<GivenUp>,
    },
}

/// How something uses an operand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Relation {
    /// A branch on it.
    Condition,
    /// A variable that it was stored to.
    Stored,
    /// A variable that it is part of what is written to, or of where.
    Written,
    /// A phi.
    Phi,
    /// A load from it.
    Load,
    /// Anything else.
    Computed,
}

/// Why a cycle was given up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GivenUp {
    /// The convergence region of a token of an irreducible cycle leaves the cycle.
    Region,
    /// Threads that diverge at a branch meet at a join that is reached past an entry.
    Entry {
        /// The branch.
        branch: Option<Block>,
        /// The join.
        join: Option<Block>,
    },
    /// Threads that diverge at a branch enter the cycle at different blocks.
    Outside {
        /// The branch.
        branch: Option<Block>,
    },
    /// A branch is divergent.
    Branch {
        /// The branch.
        branch: Option<Block>,
    },
}

/// What is divergent by itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Source {
    /// It follows from something that has no name.
    Nothing,
    /// A parameter.
    Parameter {
        /// Of a kernel.
        of_kernel: bool,
    },
    /// An `invoke`: an exception may be thrown.
    Exception,
    /// A `callbr`.
    AssemblyJump,
    /// Another terminator.
    Terminator(Opcode),
    /// An atomic operation.
    Atomic,
    /// The address of private memory.
    PrivateAddress,
    /// A phi that does not fit its block.
    StrayPhi,
    /// Another instruction.
    Instruction(Opcode),
    /// A load.
    Load(LoadSource),
    /// Inline assembly.
    Assembly,
    /// A call through a pointer.
    IndirectCall,
    /// What a function of the module returns.
    Returned(Symbol),
    /// What a function with a body writes to a variable.
    Written(Symbol),
    /// What is copied to a variable from memory.
    Copied,
    /// A function without a body.
    Operation {
        /// The function.
        symbol: Symbol,
        /// Whether threads do differ; none where nothing is known of the function.
        degree: Option<Degree>,
        /// The target that says so.
        target: String,
    },
}

/// A load that is divergent by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LoadSource {
    /// Through something that is no pointer.
    Nowhere,
    /// An atomic load.
    Atomic,
    /// A volatile load.
    Volatile,
    /// From memory of one thread.
    Private,
    /// From memory of one workgroup.
    Shared,
    /// Through a generic pointer.
    Generic,
    /// From an address space of which nothing is known.
    Unknown {
        /// Its number.
        address_space: u32,
    },
}

/// The rule that a step applies; see [`Why`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum StepRule {
    /// Divergent by itself.
    Source,
    /// A divergent operand.
    Operand,
    /// A join of a divergent branch.
    Join,
    /// A divergent exit of a cycle.
    Temporal,
    /// A cycle that was given up.
    AssumedDivergent,
}

impl StepRule {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            StepRule::Source => "source",
            StepRule::Operand => "operand",
            StepRule::Join => "join",
            StepRule::Temporal => "temporal",
            StepRule::AssumedDivergent => "assumed-divergent",
        }
    }
}

impl Why {
    /// The rule.
    pub fn rule(&self) -> StepRule {
        match self {
            Why::Source(_) => StepRule::Source,
            Why::Operand(..) => StepRule::Operand,
            Why::Join { .. } => StepRule::Join,
            Why::Temporal { .. } => StepRule::Temporal,
            Why::AssumedDivergent { .. } => StepRule::AssumedDivergent,
        }
    }

    /// Of a source: whether threads do differ.
    pub fn degree(&self) -> Option<Degree> {
        match self {
            Why::Source(Source::PrivateAddress) => Some(Degree::Certain),
            Why::Source(Source::Operation { degree: Some(degree), .. }) => Some(*degree),
            Why::Source(_) => Some(Degree::Possible),
            _ => None,
        }
    }
}
