//! One finding: which rule, where, what is wrong, and why.

use reconverge_ir::function::{Block, Inst, MetadataNumber};
use reconverge_ir::{ConvergenceIntrinsic, Function, FunctionId, Span, Symbol};
use reconverge_operations::Scope;
use reconverge_operations::facts::Degree;

use crate::change::Change;
use crate::codes::Code;
use crate::control::{Hazard, Hierarchies, Step};
use crate::diagnostic::Severity;
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
    /// Why something is divergent: from what the finding is about back to a source.
    pub chain: Vec<Step>,
    /// The other functions in which the same was found at the same place of the source: instances of one template, or copies of one helper.
    pub instances: Vec<FunctionId>,
}

/// A place in a module.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Anchor {
    /// The function; none for what is outside of all.
    pub function: Option<FunctionId>,
    /// The instruction; none for a function as a whole, or a parameter.
    pub inst: Option<Inst>,
    /// The bytes of the module's text.
    pub span: Span,
    /// The place in the source, where the IR says it: a `DILocation`.
    pub location: Option<MetadataNumber>,
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
    /// An operation needs threads that may not be there (RC0201 to RC0208).
    Hazard(Hazard),
    /// Which threads are converged depends on the cycle hierarchy (RC0301).
    Hierarchies(Hierarchies),
    /// The text of the source leaves to the implementation which threads execute an operation together (RC0302 to RC0305).
    Statement(Statement),
    /// The `convergent` attribute is missing, or can go (RC0401 to RC0404).
    Attribute(AttributeBreach),
    /// Something happened in a run (RC0501 to RC0512).
    Run(Trouble),
    /// A change did not keep convergence (RC0601 to RC0606).
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
}

/// What a function needs from its callers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Requirement {
    /// The set of threads.
    pub scope: Scope,
    /// What they have to agree on.
    pub kind: RequirementKind,
    /// What is called there.
    pub operation: Symbol,
    /// Where the operation is that needs it.
    pub at: Anchor,
}

/// What threads have to agree on at a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum RequirementKind {
    /// All of them make the call together.
    Entry,
    /// They pass the same value for the parameter with this index.
    Parameter(u32),
}

impl Anchor {
    /// An instruction of a function.
    pub fn inst(id: FunctionId, function: &Function, inst: Inst) -> Anchor {
        let data = &function.instructions[inst];
        Anchor { function: Some(id), inst: Some(inst), span: data.span, location: data.debug_location.expand() }
    }

    /// A part of a function that is no instruction.
    pub fn part(id: FunctionId, span: Span) -> Anchor {
        Anchor { function: Some(id), inst: None, span, location: None }
    }

    /// A part of a module, or of a source file, that is in no function of the module.
    pub fn outside(span: Span) -> Anchor {
        Anchor { function: None, inst: None, span, location: None }
    }
}

impl Finding {
    /// A finding of the severity that its code has, without a chain.
    pub fn new(code: Code, at: Anchor, kind: Kind) -> Finding {
        let (severity, certainty) = (code.severity(), Degree::Certain);
        Finding { code, severity, certainty, at, kind, chain: Vec::new(), instances: Vec::new() }
    }
}
