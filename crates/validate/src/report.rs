//! What is asked of a comparison, and what it answers: plain data, for the command line and for tests.

use reconverge_exec::launch::SourceModel;
use reconverge_exec::launch::{Argument, Launch, Limits};
use reconverge_findings::change::Difference;
use reconverge_findings::{Anchor, Finding};
use reconverge_ir::DebugLocation;

/// Under which relation of converged instances programs run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Model {
    /// What tokens say; maximal where they say nothing.
    Controlled,
    /// Maximal. Where cycles are irreducible, what the program does afterwards under some hierarchy has to be what it did before under some
    /// hierarchy.
    Maximal,
    /// A stack of immediate post-dominators.
    ImmediatePostDominator,
    /// What this text says of the statements that the programs were made from. Where it leaves a choice, what the program does afterwards has to be what it did before under some choice.
    Statements(SourceModel),
}

/// What is asked for.
#[derive(Debug, Clone)]
pub struct Options {
    /// The models to compare under, each on its own.
    pub models: Vec<Model>,
    /// How many launches for each model.
    pub runs: u64,
    /// What random launches begin with.
    pub seed: u64,
    /// What parameters get in every launch, by name or position; the others get values that are made up.
    pub arguments: Vec<(String, Argument)>,
    /// The number of workgroups in x, y and z; made up where it is not given.
    pub grid: Option<[u32; 3]>,
    /// The size of workgroups; what the kernel requires, or made up, where it is not given.
    pub block: Option<[u32; 3]>,
    /// Threads of a subgroup; what the kernel requires or the target has, or made up, where it is not given.
    pub subgroup: Option<u32>,
    /// Where a launch ends though the program has not: it is compared up to there.
    pub limits: Limits,
    /// The only cycle hierarchy to look at in both programs, from 0; a program that has fewer is looked at in its last one. Where it is not given: in each that the program after has, it does what the one before does in some.
    pub hierarchy: Option<usize>,
    /// Whether a difference is made small before it is reported.
    pub minimise: bool,
}

/// What a launch may take that is one of many: few calls in one another and little memory, since launches run side by side.
pub fn launch_limits(instructions: u64) -> Limits {
    Limits { instructions, memory: 1 << 28, calls: 100, ..Limits::default() }
}

/// What came of comparing one kernel.
#[derive(Debug, Clone)]
pub struct Comparison {
    /// The kernel, without sigil.
    pub kernel: String,
    /// The answer.
    pub verdict: Verdict,
    /// Launches that both programs ran to their end, over all models.
    pub runs: u64,
    /// Launches in which the program before does not end, and which are the same up to there.
    pub unended: u64,
    /// Launches that say nothing, because the program before has no defined behaviour there, or does not end and cannot be compared up to there; the most frequent reason first.
    pub skipped: Vec<(String, u64)>,
    /// Operations that changed places in some thread though they need not keep them; what was seen first.
    pub reordered: Option<Reordered>,
    /// What corresponds in both programs, of what is known to be uniform; none where nothing was compared.
    pub correspondence: Option<Correspondence>,
    /// Findings `RC06xx`, in the program after the change.
    pub findings: Vec<Finding>,
}

/// Values and uses that are in both programs ("Preservation of Uniformity at Use").
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Correspondence {
    /// Values that correspond: results of instructions with the same name, opcode and type.
    pub values: Counted,
    /// Uses that correspond: operands of convergent operations, stores, branches and returns that there is one of in the function.
    pub uses: Counted,
}

/// How many of some kind there are.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counted {
    /// All.
    pub all: u64,
    /// Those that were uniform in a subgroup before the change.
    pub uniform: u64,
    /// Those of them that are so after it.
    pub kept: u64,
}

/// That a thread executes one operation where it executed another one before the change. Neither touches memory, so that nothing orders them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reordered {
    /// The thread, through the launch.
    pub thread: u64,
    /// What it executed there before, without sigil.
    pub before: String,
    /// What it executes there now, without sigil.
    pub after: String,
}

/// Whether a change kept convergence.
#[derive(Debug, Clone)]
pub enum Verdict {
    /// It cannot matter; `by` is the argument, in a sentence without a full stop.
    Proved {
        /// Why.
        by: String,
    },
    /// No launch showed a difference.
    Equal,
    /// A launch did.
    Different(Box<Witness>),
    /// Nothing could be compared; the reason, in a sentence without a full stop.
    NotCompared(String),
}

/// A launch in which the programs differ.
#[derive(Debug, Clone)]
pub struct Witness {
    /// The launch.
    pub launch: Launch,
    /// The model.
    pub model: Model,
    /// What is different, by what is looked at first: RC0601 to RC0604.
    pub difference: Difference,
    /// The cycle hierarchy of the program after the change, where it has several.
    pub hierarchy: Option<InHierarchy>,
    /// Whether the program before does not end: both are shown up to the limit of the launch.
    pub cut: bool,
    /// What the program before the change did.
    pub before: Side,
    /// What the program after the change did.
    pub after: Side,
}

/// In which cycle hierarchy of the program after a change it differs from the one before in each of its own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InHierarchy {
    /// Its number, from 1, as `run --hierarchy` has it.
    pub number: usize,
    /// How many there are.
    pub of: usize,
    /// Those in which there is no difference.
    pub equal_in: Vec<usize>,
    /// Whether `run --hierarchy` takes the number: not where functions with tokens are called, too.
    pub is_told: bool,
}

/// The communications of one program in the launch of a witness, in an order that both programs' tables share as far as they
/// agree.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Side {
    /// The rows of the table.
    pub steps: Vec<Step>,
    /// The first row that differs; one past the last where the difference is behind all of them.
    pub first_different: usize,
}

/// One execution of a convergent operation by the threads that communicate in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    /// What was called, without sigil.
    pub operation: String,
    /// The function that it is in, without sigil.
    pub function: String,
    /// The block, without sigil.
    pub block: String,
    /// The instruction.
    pub at: Anchor,
    /// The line of the `.ll` text, from 1.
    pub line: u32,
    /// The place in the source, where the IR says it.
    pub source: Option<DebugLocation>,
    /// The workgroup, in the order of the launch.
    pub workgroup: u64,
    /// The threads, ascending.
    pub threads: Vec<u64>,
    /// For each thread what it passed, operands by comma.
    pub operands: Vec<String>,
    /// For each thread what it got; empty where there is no result.
    pub results: Vec<String>,
}
