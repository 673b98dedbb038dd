//! The one table of operations of GPUs, of threads together and of what a thread can ask: what an operation does, who takes
//! part, and under which names it is called. It knows nothing of IR.
//!
//! # Adding an operation
//!
//! A row is an operation, with all of its names. A name says what each operand is, and who takes part:
//!
//! ```text
//! row(Fold(Add, Reduce), &[
//!     OF_ALL.opencl("sub_group_reduce_add", &[Value], "scalars | g(g)"),
//!     OF_ACTIVE.name("llvm.amdgcn.wave.reduce.add", &[Value, Other]),
//!     OF_NAMED.name("llvm.nvvm.redux.sync.add", &[Value, Mask]),
//! ])
//! ```
//!
//! Add the name to the row of what it does, in the file of [`table`] for its family; that is all. The analyses take their
//! [`CallFacts`] from it, the executor runs it, the front end knows that threads communicate in it, and calls it in OpenCL C
//! where it has a signature. An operation that does something new needs a [`Does`], and the executor an arm for it.
//!
//! # Invariants
//!
//! A name is in the table once. [`Spelling::facts`] of a name is all that an analysis knows of it: what the tables in
//! `targets` say of other names is of another kind (memory, purity), and no name is in both.

pub mod assembly;
pub mod facts;
pub mod llvm;
pub mod names;
pub mod recipe;
pub mod signature;
pub mod table;
mod together;

use std::sync::LazyLock;

use rustc_hash::FxHashMap;

pub use facts::{CallFacts, Meeting, Scope};
pub use together::{Result, Role, Spelling, Threads, Together};

/// What an operation does for the threads that execute it together, its *set*. Threads of a subgroup are numbered from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Does {
    /// Combines the values of threads in the order of their numbers.
    Fold(Combine, Extent),
    /// Combines the values of neighbours, as many as the operand [`Role::Cluster`] says.
    ClusteredFold(Combine),
    /// The threads for which the value is not zero, as a mask.
    Ballot,
    /// The threads for which a comparison of two values holds, as a mask; [`Role::Other`] says which comparison.
    BallotOfComparison,
    /// The threads of the set, as a mask.
    ActiveMask,
    /// For how many threads the value is not zero.
    Count,
    /// For how many of those before this thread.
    CountBefore,
    /// Whether the value is not zero in all threads.
    All,
    /// Whether it is not zero in one.
    Any,
    /// Whether it is zero in all threads or in none.
    Uniform,
    /// Whether all threads have an equal value.
    AllEqual,
    /// Which threads have the same bits, as a mask.
    MatchAny,
    /// All threads, as a mask, and whether they have the same bits; no thread if they have not.
    MatchAll,
    /// Whether the thread is the first one.
    IsFirst,
    /// The number of the first thread, and whether it is this one.
    Elect,
    /// Whether the thread's bit is set in a mask, which has to be the same in all threads where this is `true`.
    InverseBallot(bool),
    /// A number about a mask.
    OfMask(MaskFunction),
    /// The value of the first thread.
    First,
    /// The value of the thread with a number, which has to be the same in all threads.
    Broadcast,
    /// The same, where a number above the size of the subgroup is taken modulo the size.
    ReadLane,
    /// The value of the thread whose numbers in the workgroup the operands [`Role::Lane`] are.
    BroadcastOfThread,
    /// The value of the thread with the number that each thread says.
    FromLane,
    /// The value of the thread whose number differs in some bits.
    Xor,
    /// The value of the thread that is this much before. With an operand [`Role::Other`], that is the value of the threads before the first.
    Up,
    /// The value of the thread that is this much behind. With an operand [`Role::Other`], that is the value of the threads behind the last.
    Down,
    /// The same, going round.
    Rotate,
    /// `shfl`: the value of a thread of the same segment, and with `true` whether there is one.
    Shuffle(SegmentMode, bool),
    /// Waits.
    Barrier(Barrier),
    /// Something about the thread, its groups or the launch.
    Query(Item, Axis),
}

/// What a query is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Item {
    /// The thread in the launch, with the offset.
    GlobalId,
    /// The thread in its workgroup.
    LocalId,
    /// The workgroup.
    GroupId,
    /// The threads of the launch.
    GlobalSize,
    /// The threads of a workgroup; all workgroups of a launch are as large.
    LocalSize,
    /// The workgroups of the launch.
    GroupCount,
    /// What is added to global ids.
    GlobalOffset,
    /// The thread in the launch, as one number; offsets do not count.
    GlobalLinearId,
    /// The thread in its workgroup, as one number.
    LocalLinearId,
    /// The workgroup, as one number.
    GroupLinearId,
    /// How many dimensions the launch has.
    Dimensions,
    /// The thread in its subgroup.
    Lane,
    /// The subgroup in its workgroup.
    SubgroupId,
    /// The threads of this subgroup.
    SubgroupSize,
    /// The threads of a subgroup that is not the last one.
    SubgroupMaxSize,
    /// The subgroups of a workgroup.
    SubgroupCount,
    /// The threads of the subgroup whose number compares so with this thread's, as bits.
    LaneMask(Comparison),
    /// How many of the 32 threads from this one on are below this thread and in the mask of the first operand; the second
    /// operand is added.
    MaskedCount {
        /// 0 or 32.
        from: u8,
    },
    /// Bytes of the kernel's own local memory.
    StaticLocalMemory,
    /// Bytes of local memory that the launch adds.
    DynamicLocalMemory,
    /// Both.
    LocalMemory,
    /// The same number in every launch: there is one processor, and each cluster is one workgroup.
    Constant(u64),
}

impl Item {
    /// The widest group whose threads get the same answer; nothing where threads of a subgroup get different ones.
    pub fn uniform_in(self) -> Option<Scope> {
        match self {
            Item::GlobalId | Item::LocalId | Item::GlobalLinearId | Item::LocalLinearId => None,
            Item::Lane | Item::LaneMask(_) | Item::MaskedCount { .. } => None,
            Item::SubgroupId | Item::SubgroupSize => Some(Scope::Subgroup),
            Item::GroupId | Item::GroupLinearId => Some(Scope::Workgroup),
            _ => Some(Scope::Grid),
        }
    }

    /// Whether there is an answer for each dimension.
    pub fn has_dimensions(self) -> bool {
        use Item::{GlobalId, GlobalOffset, GlobalSize, GroupCount, GroupId, LocalId, LocalSize};
        matches!(self, GlobalId | LocalId | GroupId | GlobalSize | LocalSize | GroupCount | GlobalOffset)
    }

    /// What is said of a dimension that is not there.
    pub fn beyond(self) -> u64 {
        u64::from(matches!(self, Item::GlobalSize | Item::LocalSize | Item::GroupCount))
    }
}

/// How numbers of lanes compare with that of the lane that asks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Comparison {
    /// The lane itself.
    Equal,
    /// It and those above.
    GreaterOrEqual,
    /// Those above.
    Greater,
    /// It and those below.
    LessOrEqual,
    /// Those below.
    Less,
}

/// Which of the three dimensions a query is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Axis {
    /// It has none.
    None,
    /// This one.
    Fixed(u8),
    /// What the operand [`Role::Dimension`] says.
    Operand,
}

/// How two values become one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Combine {
    /// The sum, of integers or floating-point numbers.
    Add,
    /// The negated sum.
    Subtract,
    /// The product.
    Multiply,
    /// The lesser; integers have a sign, unless a mangled name says that they have none. A NaN loses against a number.
    Minimum,
    /// The greater; likewise.
    Maximum,
    /// The lesser of integers without a sign.
    UnsignedMinimum,
    /// The greater of integers without a sign.
    UnsignedMaximum,
    /// The lesser of floating-point numbers.
    FloatMinimum(FloatOrder),
    /// The greater of floating-point numbers.
    FloatMaximum(FloatOrder),
    /// Bit by bit.
    And,
    /// Bit by bit.
    Or,
    /// Bit by bit.
    Xor,
    /// Whether both are not zero: 1 or 0.
    LogicalAnd,
    /// Whether one is not zero: 1 or 0.
    LogicalOr,
    /// Whether exactly one is not zero: 1 or 0.
    LogicalXor,
}

/// How floating-point numbers compare in `redux.sync`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct FloatOrder {
    /// By their absolute values, which are what is combined.
    pub absolute: bool,
    /// A NaN wins against a number.
    pub nan: bool,
}

/// Of which threads a thread gets the values.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Extent {
    /// All.
    Reduce,
    /// Those up to it.
    Inclusive,
    /// Those before it; the neutral element where there are none.
    Exclusive,
}

/// How `shfl` finds the thread that is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SegmentMode {
    /// The number in the segment.
    Index,
    /// This much below.
    Up,
    /// This much above.
    Down,
    /// The number differs in these bits.
    Butterfly,
}

/// A number about a mask.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum MaskFunction {
    /// Whether the bit that the operand [`Role::Lane`] says is set.
    Bit,
    /// How many bits are set.
    Count,
    /// How many up to this thread.
    CountUpTo,
    /// How many before this thread.
    CountBefore,
    /// The lowest bit that is set.
    Lowest,
    /// The highest bit that is set.
    Highest,
}

/// A point at which threads wait for each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Barrier {
    /// The threads of which group must be at the same call; any barrier with the same number will do where there is none.
    pub textual: Option<Scope>,
    /// Whether it is all of a barrier, or half of one.
    pub phase: Phase,
    /// What is computed of the value of all threads that wait.
    pub reduction: Option<Reduction>,
    /// Whether what a thread wrote before it is seen by the others behind it. Where flags ([`Role::Flags`]) are the constant 0, it is not.
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

/// How the values of the threads at a barrier become one number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Reduction {
    /// 1 if all are true, else 0.
    And,
    /// 1 if one is true, else 0.
    Or,
    /// How many are true.
    Count,
}

/// An operation with its names.
#[derive(Debug, Clone, Copy)]
pub struct Row {
    /// What it does.
    pub does: Does,
    /// Its names.
    pub spellings: &'static [Spelling],
}

/// What a called function is.
#[derive(Debug, Clone, Copy)]
pub struct Known {
    /// What it does.
    pub does: Does,
    /// Its name, as the table has it, with operands and who takes part.
    pub spelling: &'static Spelling,
}

impl Known {
    /// Whether threads communicate in it, or wait: it is convergent. A function of a mask that a thread has is computed by the
    /// thread alone, unless all have to have the same one.
    pub fn communicates(&self) -> bool {
        !matches!(self.does, Does::OfMask(_) | Does::InverseBallot(false) | Does::Query(..))
    }

    /// What analyses know of a call.
    pub fn facts(&self) -> CallFacts {
        let facts = self.spelling.facts(matches!(self.does, Does::Barrier(_)));
        CallFacts { agree: self.agree(), meeting: self.meeting(), ..facts }
    }

    /// At which calls threads that wait for each other may be.
    fn meeting(&self) -> Meeting {
        match self.does {
            Does::Barrier(Barrier { textual: None, phase: Phase::Full, .. }) => Meeting::AnyCall,
            Does::Barrier(Barrier { textual: Some(scope), phase: Phase::Full, .. })
                if scope < self.spelling.together.scope =>
            {
                Meeting::OneCallBySubgroup
            }
            _ => Meeting::OneCall,
        }
    }

    /// What the threads that do it together have to agree on.
    fn agree(&self) -> Option<(Scope, facts::OperandSet)> {
        let scope = self.spelling.together.scope;
        let (scope, roles): (Scope, &[Role]) = match self.does {
            Does::Broadcast | Does::ReadLane | Does::BroadcastOfThread | Does::Rotate => (scope, &[Role::Lane]),
            // Each subgroup as a whole waits at one barrier, and others at others.
            Does::Barrier(_) => (Scope::Subgroup, &[Role::Id, Role::Count]),
            _ => return None,
        };
        Some((scope, self.spelling.operands_with(roles)?))
    }
}

/// All rows.
pub fn rows() -> impl Iterator<Item = &'static Row> {
    table::FAMILIES.into_iter().flatten()
}

/// All names, with what is known of them.
pub fn spellings() -> impl Iterator<Item = Known> {
    rows().flat_map(|row| row.spellings.iter().map(|spelling| Known { does: row.does, spelling }))
}

/// What a called function is, by its name: an intrinsic with or without the types at its end, or a function, mangled or
/// not. O(length of the name); the first call makes an index of the table.
pub fn find(name: &str) -> Option<Known> {
    static INDEX: LazyLock<FxHashMap<&'static str, Known>> =
        LazyLock::new(|| spellings().map(|known| (known.spelling.name, known)).collect());
    names::candidates(name.as_bytes()).find_map(|name| INDEX.get(std::str::from_utf8(name).ok()?).copied())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_is_found_and_is_there_once() {
        let mut seen = rustc_hash::FxHashSet::default();
        for known in spellings() {
            let name = known.spelling.name;
            assert!(seen.insert(name), "{name} is there twice");
            let found = find(name).expect("it is in the table");
            assert_eq!((found.does, found.spelling.name), (known.does, name));
            assert_eq!(together_operation(&known), known.facts().operation != facts::Operation::None, "{name}");
            if !name.starts_with("llvm.") {
                let mangled = find(&format!("_Z{}{name}ij", name.len())).expect("it is known mangled");
                assert_eq!(mangled.spelling.name, name);
            }
        }
        assert_eq!(find("llvm.amdgcn.ballot.i64").map(|known| known.does), Some(Does::Ballot));
        for name in ["llvm.amdgcn.ballots", "llvm.amdgcn.ballot.x", "_Z7ballot", "sub_group", ""] {
            assert!(find(name).is_none(), "{name}");
        }
    }

    fn together_operation(known: &Known) -> bool {
        !matches!(known.does, Does::Query(..))
    }

    /// What facts are about is among the operands.
    #[test]
    fn operands_are_there() {
        for Known { does, spelling } in spellings() {
            let Spelling { name, together, .. } = spelling;
            let has = |role| spelling.operand(role).is_some();
            assert_eq!(together.threads == Threads::Named, has(Role::Mask), "{name}");
            if let Result::SameIf(roles) = together.result {
                assert!(roles.iter().all(|&role| has(role)), "{name}");
            }
            if let Does::Query(item, axis) = does {
                assert_eq!(axis == Axis::Operand, has(Role::Dimension), "{name}");
                assert!(spelling.facts(false).result.uniform <= item.uniform_in(), "{name}");
            }
            if let Does::Barrier(barrier) = does {
                assert_eq!(barrier.reduction.is_some(), has(Role::Value), "{name}");
            }
        }
    }
}
