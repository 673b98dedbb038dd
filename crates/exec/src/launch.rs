//! What is asked of a run, and what it answers: plain data, for the command line and for tests.
//!
//! Threads are numbered through a launch: workgroup by workgroup (x fastest), inside a workgroup by local id (x fastest).

use std::ops::Range;

use reconverge_findings::Finding;
use reconverge_ir::DebugLocation;

pub use reconverge_findings::run::MaskReading;
pub use reconverge_outline::SourceModel;
pub use reconverge_semantics::Entry;

use crate::literal::{self, Number};
use crate::value::WIDTH;

/// A kernel with data and threads.
#[derive(Debug, Clone)]
pub struct Launch {
    /// The kernel, without sigil.
    pub kernel: String,
    /// How many workgroups, in x, y and z.
    pub grid: [u32; 3],
    /// How many threads a workgroup has, in x, y and z.
    pub block: [u32; 3],
    /// How many threads a subgroup has: 1 to 64. The last one of a workgroup may have fewer.
    pub subgroup: u32,
    /// What parameters get, by name or position.
    pub arguments: Vec<(String, Argument)>,
    /// Which threads count as converged.
    pub model: Model,
    /// In which order threads run.
    pub schedule: Schedule,
    /// Which threads execute an `anchor` together.
    pub anchors: AnchorPolicy,
    /// Which threads start the kernel together. What the implementation chooses is as at an `anchor`.
    pub entry: Entry,
    /// What the mask of a CUDA operation such as `__shfl_sync` means.
    pub masks: MaskReading,
    /// Where a run ends though the program has not.
    pub limits: Limits,
    /// How many workgroups may run at the same time; 0: as many as there are cores. Those of kernels in which workgroups can
    /// see each other run one after the other all the same: what a run does never depends on this number.
    pub threads: usize,
    /// How many events to keep; what exceeds is counted in the profile only.
    pub max_events: usize,
    /// Whether to look for data races inside workgroups.
    pub races: bool,
}

impl Launch {
    /// How many workgroups there are.
    pub fn workgroups(&self) -> u64 {
        count(&self.grid)
    }

    /// How many threads a workgroup has.
    pub fn threads_in_workgroup(&self) -> u64 {
        count(&self.block)
    }

    /// How many threads there are; `u64::MAX` where that is too small.
    pub fn threads(&self) -> u64 {
        self.workgroups().saturating_mul(self.threads_in_workgroup())
    }

    /// Looks whether there can be so many threads, before room is made for them.
    ///
    /// # Errors
    /// Which size is none, or too large.
    pub fn check_shape(&self) -> Result<(), String> {
        let (block, threads) = (self.threads_in_workgroup(), self.threads());
        if threads == 0 {
            return Err("a launch of no threads: every extent of --grid and --block has to be at least 1".to_owned());
        }
        if block > MOST_IN_WORKGROUP {
            return Err(format!("a workgroup of {block} threads is larger than {MOST_IN_WORKGROUP}"));
        }
        if threads >= 1 << 40 {
            return Err(format!("a launch of {threads} threads; there may be fewer than 2^40"));
        }
        if !(1..=WIDTH as u32).contains(&self.subgroup) {
            return Err(format!("a subgroup has 1 to {WIDTH} threads, not {}", self.subgroup));
        }
        Ok(())
    }
}

/// The most threads a workgroup may have: far more than any device allows.
pub const MOST_IN_WORKGROUP: u64 = 1 << 20;

/// How many there are in x, y and z together; `u64::MAX` where that is too small.
pub fn count(extents: &[u32; 3]) -> u64 {
    extents.iter().fold(1, |all: u64, &extent| all.saturating_mul(extent.into()))
}

/// What a parameter gets.
#[derive(Debug, Clone, PartialEq)]
pub enum Argument {
    /// A number, as written: it is read as the type of the parameter says.
    Scalar(String),
    /// A buffer. Where the parameter points to local memory, only its size counts, and each workgroup has its own.
    Buffer {
        /// The type of the elements.
        element: Element,
        /// How many.
        length: u64,
        /// What is in it.
        contents: Contents,
    },
}

/// What a buffer holds at first.
#[derive(Debug, Clone, PartialEq)]
pub enum Contents {
    /// Zeroes.
    Zero,
    /// Nothing that may be read before it is written.
    Uninitialised,
    /// These elements, as written; as many as the buffer is long.
    Elements(Vec<String>),
    /// 0, 1, 2, …
    Iota,
    /// Random: any integer; floating-point numbers in [0, 1).
    Random {
        /// What determines them.
        seed: u64,
    },
    /// These bytes, as many as the buffer has.
    Bytes(Vec<u8>),
}

/// The type of the elements of a buffer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the names are those of the command line")]
pub enum Element {
    U8,
    I8,
    U16,
    I16,
    U32,
    I32,
    U64,
    I64,
    F16,
    BF16,
    F32,
    F64,
}

impl Element {
    /// Every one, with its name.
    pub const ALL: [(Element, &'static str); 12] = [
        (Element::U8, "u8"),
        (Element::I8, "i8"),
        (Element::U16, "u16"),
        (Element::I16, "i16"),
        (Element::U32, "u32"),
        (Element::I32, "i32"),
        (Element::U64, "u64"),
        (Element::I64, "i64"),
        (Element::F16, "f16"),
        (Element::BF16, "bf16"),
        (Element::F32, "f32"),
        (Element::F64, "f64"),
    ];

    /// Its name, as arguments are written.
    pub fn name(self) -> &'static str {
        Element::ALL[self as usize].1
    }

    /// Whether it is a floating-point number.
    pub fn is_float(self) -> bool {
        matches!(self, Element::F16 | Element::BF16 | Element::F32 | Element::F64)
    }

    /// How many bytes one takes.
    pub fn size(self) -> u64 {
        match self {
            Element::U8 | Element::I8 => 1,
            Element::U16 | Element::I16 | Element::F16 | Element::BF16 => 2,
            Element::U32 | Element::I32 | Element::F32 => 4,
            Element::U64 | Element::I64 | Element::F64 => 8,
        }
    }
}

/// Which dynamic instances are converged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Model {
    /// *Maximal converged-with* for a cycle hierarchy of the kernel and of each function that it calls; tokens are not looked at.
    Maximal {
        /// The number of that choice: first come those of the kernel, in the order of `graph::hierarchies`, with the first one of the others.
        hierarchy: usize,
    },
    /// *Controlled maximal*: tokens where there are any, and maximal for everything else.
    Controlled,
    /// A stack of immediate post-dominators.
    ImmediatePostDominator,
    /// What this text says of the [statements](crate::statements) that the program was made from; tokens are not looked at.
    Statements(SourceModel),
}

/// In which order threads run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Schedule {
    /// Those that are furthest behind run first, as far as they come.
    Lockstep,
    /// Every order that the model allows, by a seed.
    Random(u64),
    /// All that can run do so in turn.
    Fair,
}

/// Which threads execute converged instances of an `anchor`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum AnchorPolicy {
    /// As if it were an uncontrolled operation.
    Maximal,
    /// Each on its own.
    Solo,
    /// Those that happen to get there at the same time under the schedule.
    Active,
    /// Two parts of those that `Maximal` lets meet, other ones at each execution. By a seed.
    Split(u64),
}

/// Where a run ends though the program has not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Instructions, counted once for each thread.
    pub instructions: u64,
    /// What the run costs, in *steps*: 1 for each instruction that threads execute together, [more](STEPS) for what takes longer. A step takes
    /// about as long whatever is executed.
    pub steps: usize,
    /// Bytes of private memory of one thread.
    pub stack: u64,
    /// Bytes of everything else that is allocated for the kernel.
    pub memory: u64,
    /// How deep calls nest.
    pub calls: usize,
    /// Bytes of registers of the calls that threads of a workgroup are in.
    pub call_bytes: usize,
    /// Executions of operations at which nobody waits, in a workgroup: each is remembered, since more threads may join it.
    pub records: usize,
    /// Bytes of a format of `printf`, and of each text that it is to print.
    pub printf_bytes: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            instructions: 100_000_000_000,
            steps: 2_000_000_000,
            stack: 1 << 20,
            memory: 8 << 30,
            calls: 10_000,
            call_bytes: 1 << 30,
            records: 10_000_000,
            printf_bytes: 1 << 20,
        }
    }
}

/// What costs more than a step. These follow what was measured (`cargo xtask bench exec`): a step is some 30 ns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Steps {
    /// To begin a workgroup, for each subgroup-sized set of its threads.
    pub wave: u64,
    /// To choose who runs next where threads are at different places, for each of these places.
    pub choice: u64,
    /// To look for those who execute an operation together, for each place at which threads are.
    pub meeting: u64,
    /// An operation of several threads.
    pub communication: u64,
    /// To get a token, for each thread.
    pub token: u64,
    /// How many bytes a copy moves in a step.
    pub bytes: u64,
}

/// What costs how much.
pub const STEPS: Steps = Steps { wave: 40, choice: 4, meeting: 4, communication: 64, token: 1, bytes: 64 };

/// What a run did.
#[derive(Debug, Clone)]
pub struct Outcome {
    /// The kernel, without sigil.
    pub kernel: String,
    /// Instructions, counted once for each thread that executed them.
    pub instructions: u64,
    /// What it cost, in [steps](Limits::steps).
    pub steps: u64,
    /// Whether every thread came to its end.
    pub completed: bool,
    /// How many workgroups the launch has.
    pub workgroups: u64,
    /// How many of them ran until all of their threads had come to their end.
    pub finished: u64,
    /// Whether a `freeze` made a value of one that is not determined: it was 0 in this run, and any other would be as right.
    pub chose: bool,
    /// The buffers that were passed, in the order of the parameters.
    pub buffers: Vec<Buffer>,
    /// The first executions of convergent operations, by workgroup, then in the order in which they happened.
    pub events: Vec<Event>,
    /// Where events are kept: when threads came to their end, by workgroup, then in the order in which they did.
    pub ends: Vec<Ended>,
    /// Where events are kept: who waited when the run was over, by workgroup.
    pub waiting: Vec<Waiting>,
    /// How often each convergent operation ran, and with how many threads, in the order of the text.
    pub profile: Vec<OperationProfile>,
    /// What was found.
    pub findings: Vec<Finding>,
}

/// A buffer after the run.
#[derive(Debug, Clone, PartialEq)]
pub struct Buffer {
    /// The name of the parameter; its number where it has no name.
    pub name: String,
    /// The type of its elements.
    pub element: Element,
    /// What it holds; 0 where that is not determined.
    pub bytes: Vec<u8>,
    /// The elements, by number, that are not determined, in ascending order.
    pub indeterminate: Vec<(Range<u64>, Indeterminate)>,
}

/// Why an element of a buffer is no number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Indeterminate {
    /// Poison, or a part of it is.
    Poison,
    /// Some of its bits are `undef`: they were stored so, or never written.
    Undefined,
}

impl Buffer {
    /// Its elements.
    pub fn elements(&self) -> impl Iterator<Item = Number> {
        let mut rest = &self.indeterminate[..];
        (0..).zip(literal::show(self.element, &self.bytes)).map(move |(index, number)| {
            while let Some((_, after)) = rest.split_first().filter(|((range, _), _)| range.end <= index) {
                rest = after;
            }
            match rest.first().filter(|(range, _)| range.contains(&index)) {
                Some((_, Indeterminate::Poison)) => Number::Poison,
                Some((_, Indeterminate::Undefined)) => Number::Undefined,
                None => number,
            }
        })
    }

    /// The first element that is another one in the other buffer.
    pub fn first_difference(&self, other: &Buffer) -> Option<usize> {
        let is_known = |number: &Number| !matches!(number, Number::Poison | Number::Undefined);
        let size = self.element.size() as usize;
        let bytes = self.bytes.chunks_exact(size).zip(other.bytes.chunks_exact(size));
        let mut elements = self.elements().zip(other.elements()).zip(bytes);
        // Numbers are compared by their bits.
        elements.position(|((one, two), (bits, others))| match is_known(&one) && is_known(&two) {
            true => bits != others,
            false => one != two,
        })
    }
}

/// One execution of a convergent operation by the threads that communicate in it.
#[derive(Debug, Clone, PartialEq)]
pub struct Event {
    /// What was called, without sigil.
    pub operation: String,
    /// The function that it is in, without sigil.
    pub function: String,
    /// The block, without sigil.
    pub block: String,
    /// The byte of the module's text at which the instruction starts.
    pub offset: usize,
    /// The line of the `.ll` text, from 1.
    pub line: u32,
    /// The place in the source, where the IR says it.
    pub source: Option<DebugLocation>,
    /// The workgroup, in the order of the launch.
    pub workgroup: u64,
    /// Numbers the executions of this operation in this workgroup, from 0; converged instances have one number.
    pub instance: u64,
    /// The threads, ascending.
    pub threads: Vec<u64>,
    /// What each got, as the operation's type prints: one string for each thread, none where there is no result.
    pub results: Vec<String>,
    /// For each thread: after how many executions in its workgroup it came and waited. None where nobody waits.
    pub since: Vec<u64>,
    /// For each thread: the thread whose value it got. Empty where values of several come together, as in a ballot, or none is passed.
    pub from: Vec<Option<u64>>,
}

/// Threads that came to their end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ended {
    /// The workgroup.
    pub workgroup: u64,
    /// After how many executions of convergent operations in the workgroup.
    pub after: u64,
    /// The threads, ascending.
    pub threads: Vec<u64>,
}

/// Threads that waited at an operation when the run was over.
#[derive(Debug, Clone, PartialEq)]
pub struct Waiting {
    /// What was called, without sigil.
    pub operation: String,
    /// The function that it is in, without sigil.
    pub function: String,
    /// The line of the `.ll` text, from 1.
    pub line: u32,
    /// The place in the source, where the IR says it.
    pub source: Option<DebugLocation>,
    /// The workgroup.
    pub workgroup: u64,
    /// After how many executions in the workgroup they came.
    pub since: u64,
    /// The threads, ascending.
    pub threads: Vec<u64>,
}

/// How often a convergent operation ran, and with how many threads.
#[derive(Debug, Clone, PartialEq)]
pub struct OperationProfile {
    /// What is called, without sigil.
    pub operation: String,
    /// The function that it is in, without sigil.
    pub function: String,
    /// The line of the `.ll` text, from 1.
    pub line: u32,
    /// The place in the source, where the IR says it.
    pub source: Option<DebugLocation>,
    /// How many sets of threads executed it.
    pub executions: u64,
    /// How many threads did, over all executions.
    pub threads: u64,
    /// The fewest threads at once.
    pub fewest: u64,
    /// The most threads at once.
    pub most: u64,
}
