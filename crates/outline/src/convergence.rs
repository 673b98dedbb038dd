//! Which threads are together at each statement: what the three texts define, and what they leave to the implementation.
//!
//! Everything is said relative to an *origin*: threads that are converged at the origin of a node are converged at the node if they both reach it.
//! Origins form a chain, from the iteration of a loop to the origin of that loop, and so on. A chain that ends at the body is
//! *defined*; one that ends at the execution of a statement is *implementation-defined*, since whether two threads are converged there is.
//!
//! Who is converged at the body is decided outside of it, by its [`Start`] ("Function body" of all three texts):
//!
//! - a function is called from outside of the program: by the environment ([`Entry`]). So in C and C++ a thread in `main` is with nobody. (2025-08 does not speak of this; it is read as the others.)
//! - a convergent call: those who are converged at the call are at the body.
//! - another call: "implementation-defined" (2024-10; 2025-08 of `noconvergent` calls), and as nothing else says that two threads are converged, also in 2025-04. All that is defined relative to
//!   the body is then open.

mod findings;
mod maximal;
mod plan;
mod said;
mod statements;
mod structure;
mod tangles;
mod wording;

use cranelift_entity::packed_option::PackedOption;
use cranelift_entity::{PrimaryMap, SecondaryMap, entity_impl};

use crate::{Entry, Node, Outline, SourceModel, TokenPlan};
pub use findings::{Finding, findings};
pub use maximal::joining_labels;
pub use said::{Unsaid, unsaid};
use structure::Structure;

/// What a text says of each node of an outline.
#[derive(Debug, Clone)]
pub struct Analysis {
    /// The text.
    pub model: SourceModel,
    /// Who is together where the body starts.
    pub start: Start,
    /// For each node.
    pub places: SecondaryMap<Node, Place>,
    /// Why the implementation has a choice at some nodes; [`Analysis::cause`] says why at a given one.
    causes: PrimaryMap<CauseId, Cause>,
    /// The cycles in the sense of the 2025-04 text, in the order of their first nodes.
    pub cycles: PrimaryMap<Cycle, CycleData>,
    /// For each iteration statement that is *not* reducible, a jump into it from outside.
    pub entered: SecondaryMap<Node, Option<Jump>>,
    /// Tangles only: for each label that is the origin of rounds, the place of its first round.
    pub rounds: SecondaryMap<Node, Option<Place>>,
}

/// Who is together where the execution of a body starts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Start {
    /// Who was at the call, or at the launch.
    #[default]
    Converged,
    /// Nobody.
    Alone,
    /// Whom the implementation chooses: the call is not convergent.
    NonconvergentCall,
    /// Whom the implementation chooses: the environment says no more.
    Environment,
}

impl From<Entry> for Start {
    fn from(entry: Entry) -> Start {
        match entry {
            Entry::Converged => Start::Converged,
            Entry::Alone => Start::Alone,
            Entry::Implementation => Start::Environment,
        }
    }
}

/// Who is together at a node. 12 bytes: there is one for each node of a program.
#[derive(Debug, Clone, Copy, Default)]
pub struct Place {
    /// What determines who is converged here, given who was converged there.
    pub origin: Origin,
    /// Why the implementation has a choice; none where convergence is defined all the way from the body.
    cause: PackedOption<CauseId>,
}

const _: () = assert!(size_of::<Place>() <= 12);

/// What determines who is converged at a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Origin {
    /// The execution of the function's body.
    #[default]
    Body,
    /// An iteration of that reducible iteration statement, which starts before the condition of `while` and `for`, and before the body of
    /// `do`. Who is together in iteration *n* follows from who is at the iteration statement, whose place says by what.
    Iteration(Node),
    /// The execution of that statement or full expression, which contains the node or is it, or (tangles) comes before it in the same statement; who is together
    /// there is up to the implementation.
    Execution(Node),
    /// Tangles only: how often the threads came to that label by its one backward `goto`; whoever is together in round *n* follows from who is in
    /// the first round, whose place is in [`Analysis::rounds`].
    Round(Node),
}

/// A cause of an analysis.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct CauseId(u32);
entity_impl!(CauseId, "cause");

/// Why an implementation has a choice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cause {
    /// Why.
    pub reason: Reason,
    /// The jump that brings it about, if one does.
    pub jump: Option<Jump>,
    /// The cycle, if it is about one.
    pub cycle: Option<Cycle>,
    /// The statement where it starts: the iteration statement, the label, or the `noconvergent` statement.
    pub at: Node,
}

/// A `goto` or `switch` with one of its labels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Jump {
    /// A node of kind Goto or Switch.
    pub from: Node,
    /// A node of kind Label or Case.
    pub to: Node,
}

/// Why an implementation has a choice.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Reason {
    /// In the span of a backward `goto`.
    GotoCycle,
    /// In an iteration statement that is jumped into.
    EnteredIteration,
    /// In a statement marked `noconvergent`.
    Noconvergent,
    /// 2025-08: after a label in a statement that is jumped into.
    EnteredStatement,
    /// Tangles: several unrelated tangles come to this node, or to a label or `case` before it.
    UnrelatedTangles,
    /// Tangles: threads come here that left the cycle of a backward `goto` in different rounds.
    DifferentRounds,
    /// In a function whose body starts by a call that is not convergent.
    NonconvergentCall,
    /// In a function that is called from outside of the program, where the environment leaves who is together to the implementation.
    Environment,
}

/// A cycle of the source.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cycle(u32);
entity_impl!(Cycle, "c");

/// A cycle of the source: an iteration statement, or the span of a backward `goto`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CycleData {
    /// The iteration statement, or the label.
    pub first: Node,
    /// The last node that is in the cycle: the last part of the iteration statement, or the `goto`.
    pub last: Node,
    /// The backward jump; none for an iteration statement, which itself is not in its cycle, nor is the initialisation of a `for`.
    pub jump: Option<Jump>,
}

/// What a text says of each node. O(n log n).
pub fn analyze(outline: &Outline, model: SourceModel) -> Analysis {
    Analyzer::default().analyze(outline, model)
}

/// The tokens that say what the default text (2025-04) says. O(n log n).
pub fn plan(outline: &Outline) -> TokenPlan {
    Analyzer::default().plan(outline)
}

/// Analyses many outlines in the same room.
#[derive(Debug, Default)]
pub struct Analyzer {
    structure: Structure,
}

impl Analyzer {
    /// [`analyze`]
    pub fn analyze(&mut self, outline: &Outline, model: SourceModel) -> Analysis {
        self.structure.replace(outline);
        let structure = &self.structure;
        let mut causes = Causes::default();
        let (places, rounds) = match model {
            SourceModel::Clang2025_04 => (statements::by_cycles(outline, structure, &mut causes), SecondaryMap::new()),
            SourceModel::Clang2025_08 => {
                (statements::by_enclosing_statement(outline, structure, &mut causes), SecondaryMap::new())
            }
            SourceModel::Tangles2024_10 => tangles::places(outline, structure, &mut causes),
        };
        let mut entered = SecondaryMap::new();
        for (iteration, jump) in structure.entered_iterations(outline) {
            entered[iteration] = Some(jump);
        }
        let start = Start::Converged;
        Analysis { model, start, places, causes: causes.0, cycles: structure.cycles.clone(), entered, rounds }
    }

    /// [`plan`]
    pub fn plan(&mut self, outline: &Outline) -> TokenPlan {
        plan::plan(outline, &self.analyze(outline, SourceModel::Clang2025_04))
    }

    /// An analysis by any text, and the [`plan`], which is by the default one: that is not analysed twice.
    pub fn analyze_and_plan(&mut self, outline: &Outline, model: SourceModel) -> (Analysis, TokenPlan) {
        let analysis = self.analyze(outline, model);
        let plan = match model {
            SourceModel::Clang2025_04 => plan::plan(outline, &analysis),
            SourceModel::Tangles2024_10 | SourceModel::Clang2025_08 => self.plan(outline),
        };
        (analysis, plan)
    }
}

impl Analysis {
    /// The same of a body that starts so: what is defined relative to the body is open where its start is. O(nodes).
    pub fn starting(mut self, outline: &Outline, start: Start) -> Analysis {
        self.start = start;
        let reason = match start {
            Start::Converged | Start::Alone => return self,
            Start::NonconvergentCall => Reason::NonconvergentCall,
            Start::Environment => Reason::Environment,
        };
        let cause = self.causes.push(Cause { reason, jump: None, cycle: None, at: outline.body() });
        for place in self.places.values_mut().filter(|place| place.cause.is_none()) {
            place.cause = cause.into();
        }
        self
    }

    /// Whether it is defined who is converged at a node, given who is converged at the call.
    pub fn is_defined(&self, node: Node) -> bool {
        self.places[node].cause.is_none()
    }

    /// Why the implementation has a choice at a node; none where convergence is defined all the way from the body.
    pub fn cause(&self, node: Node) -> Option<&Cause> {
        self.places[node].cause.expand().map(|cause| &self.causes[cause])
    }
}

/// The causes found so far.
#[derive(Debug, Default)]
struct Causes(PrimaryMap<CauseId, Cause>);

impl Causes {
    /// A place where the implementation has a choice. Neighbours often have the same cause: it is kept once.
    fn place(&mut self, origin: Origin, cause: Cause) -> Place {
        let id = match self.0.last() {
            Some((last, known)) if *known == cause => last,
            _ => self.0.push(cause),
        };
        Place { origin, cause: id.into() }
    }
}
