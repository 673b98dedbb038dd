//! One finding: which rule, where, what is wrong, and why.

use reconverge_ir::function::{Block, Inst};
use reconverge_ir::{ConvergenceIntrinsic, FunctionId, Span};
use reconverge_operations::facts::Degree;

use crate::anchor::Anchor;
use crate::change::Change;
use crate::codes::{Code, Severity};
use crate::control::{Hazard, Hierarchies, Step};
use crate::run::Trouble;

/// One finding.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// The rule, with its page of documentation.
    pub code: Code,
    /// How much it matters.
    pub severity: Severity,
    /// Whether it happens, or only may.
    pub certainty: Degree,
    /// Where.
    pub at: Anchor,
    /// What is wrong.
    pub kind: Kind,
    /// The other places with the same cause.
    pub also: Vec<Anchor>,
    /// Why something is divergent: from what the finding is about back to a source.
    pub chain: Vec<Step>,
    /// The other functions in which the same was found at the same place of the source: instances of one template, or copies of one helper.
    pub instances: Vec<FunctionId>,
}

/// What is wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Kind {
    /// The module is not valid IR (RC0001 to RC0006).
    Invalid {
        /// What makes it so, as whoever looked says it: in one line without a full stop.
        what: String,
        /// The definition of the value that this is about.
        definition: Option<Inst>,
    },
    /// A static rule of convergence control (RC0101 to RC0117, but RC0110).
    Tokens(TokenBreach),
    /// The address of a convergence control intrinsic is taken (RC0110).
    AddressTaken(ConvergenceIntrinsic),
    /// An operation needs threads that may not be there (RC0201 to RC0213).
    Hazard(Hazard),
    /// Which threads are converged depends on the cycle hierarchy (RC0301).
    Hierarchies(Hierarchies),
    /// The text of the source leaves to the implementation which threads execute an operation together (RC0302 to RC0306).
    Statement(Statement),
    /// The source breaks a rule of the text (RC0307).
    Breach(Breach),
    /// The `convergent` attribute is missing, or can go (RC0401 to RC0406).
    Attribute(AttributeBreach),
    /// Something happened in a run (RC0501 to RC0512).
    Run(Trouble),
    /// A change did not keep convergence (RC0601 to RC0607).
    Change(Change),
}

/// A breach of a static rule about tokens; the rule is the finding's code.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct TokenBreach {
    /// The definition of the token in question. For RC0109, the operation whose result is no token.
    pub definition: Option<Inst>,
    /// The other operation that matters: the first `entry` (RC0103), the preceding operation (RC0104, RC0105), a controlled operation (RC0112),
    /// the other use (RC0114, RC0115), the definition of the innermost region that the use breaks out of (RC0117).
    pub other: Option<Inst>,
    /// Blocks that show it: a closed path, its first block not repeated, or for RC0117 a path on which the region is live.
    pub path: Vec<Block>,
    /// The `convergencectrl` bundle that is wrong, or names the token.
    pub bundle: Option<u32>,
    /// The operand of that bundle that is wrong (RC0109).
    pub operand: Option<u32>,
}

/// Why the source leaves threads to the implementation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Statement {
    /// The operation, as the source writes it.
    pub operation: String,
    /// The name of its function in the IR, without sigil.
    pub function: String,
    /// Why, as words that go on after a colon.
    pub why: &'static str,
    /// Other places of the file that matter: bytes of its text, and what is there.
    pub places: Vec<(Span, &'static str)>,
}

/// A rule on convergence that the source breaks; the function is not analysed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Breach {
    /// The name of the function, as the source writes it.
    pub function: Option<String>,
    /// What is wrong: a sentence without a full stop.
    pub what: String,
    /// Other places of the file that matter: bytes of its text, and what is there.
    pub places: Vec<(Span, String)>,
}

/// What is wrong about a `convergent` attribute.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AttributeBreach {
    /// A function lacks it; `more` uncontrolled convergent operations follow the one that the finding points at (RC0401).
    Missing {
        /// How many.
        more: usize,
    },
    /// A function need not have it, as nothing in it depends on the threads that enter (RC0402).
    Droppable,
    /// A call need not have it, as the callee is not convergent (RC0403).
    DroppableFromCall,
    /// A function need not have it, as it runs on a CPU (RC0404).
    OnCpu,
    /// A function is `speculatable`, too, and is not speculated all the same (RC0405).
    Speculatable,
    /// A call of inline assembly in which threads communicate lacks it (RC0406).
    MissingOnAssembly,
}

impl Finding {
    /// A finding of the severity that its code has, without a chain.
    pub fn new(code: Code, at: Anchor, kind: Kind) -> Finding {
        let (severity, certainty) = (code.severity(), Degree::Certain);
        Finding { code, severity, certainty, at, kind, also: Vec::new(), chain: Vec::new(), instances: Vec::new() }
    }
}
