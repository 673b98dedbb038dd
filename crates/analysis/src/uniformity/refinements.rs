//! The refinements over LLVM's analysis, by name, each of which can be turned off.
//!
//! Without any of them the analysis is that of *Static Uniformity Analysis* in one cycle hierarchy, with what a target says of
//! single instructions: what LLVM computes, where LLVM follows that text.

use super::Options;
use super::lower::Refinements;

/// A refinement, of the lowering or of the engine.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum RefinementKind {
    /// [`Options::edge_joins`]
    EdgeJoins,
    /// [`Options::divergent_exits_only`]
    DivergentExits,
    /// [`Refinements::regions`]
    Regions,
    /// [`Options::cycle_invariants`]
    CycleInvariants,
    /// [`Options::most_hierarchies`]
    Hierarchies,
    /// [`Refinements::value_facts`]
    ValueFacts,
    /// [`Refinements::one_dimensional`]
    OneDimensional,
    /// [`Refinements::interprocedural`]
    Interprocedural,
    /// [`Refinements::provenance`]
    Provenance,
    /// [`Refinements::promotable_allocas`]
    PromotableAllocas,
}

impl RefinementKind {
    /// All of them.
    pub const ALL: [RefinementKind; 10] = [
        RefinementKind::EdgeJoins,
        RefinementKind::DivergentExits,
        RefinementKind::Regions,
        RefinementKind::CycleInvariants,
        RefinementKind::Hierarchies,
        RefinementKind::ValueFacts,
        RefinementKind::OneDimensional,
        RefinementKind::Interprocedural,
        RefinementKind::Provenance,
        RefinementKind::PromotableAllocas,
    ];

    /// A name to count by.
    pub fn name(self) -> &'static str {
        match self {
            RefinementKind::EdgeJoins => "edge-joins",
            RefinementKind::DivergentExits => "divergent-exits",
            RefinementKind::Regions => "convergence-regions",
            RefinementKind::CycleInvariants => "cycle-invariants",
            RefinementKind::Hierarchies => "all-hierarchies",
            RefinementKind::ValueFacts => "value-facts",
            RefinementKind::OneDimensional => "one-dimensional",
            RefinementKind::Interprocedural => "interprocedural",
            RefinementKind::Provenance => "provenance",
            RefinementKind::PromotableAllocas => "promotable-allocas",
        }
    }

    /// What it is, in half a sentence.
    pub fn description(self) -> &'static str {
        match self {
            RefinementKind::EdgeJoins => "the edges that diverged threads arrive over at a join carry the same value",
            RefinementKind::DivergentExits => "threads leave the cycle together over the exits that lead to the use",
            RefinementKind::Regions => "in a convergence region only threads of the same iteration are converged",
            RefinementKind::CycleInvariants => {
                "a value that is the same in all iterations of a cycle does not depend on when it is left"
            }
            RefinementKind::Hierarchies => "the threads of an irreducible cycle agree on it in every cycle hierarchy",
            RefinementKind::ValueFacts => "the sizes of workgroup and subgroup, or arithmetic, leave no difference",
            RefinementKind::OneDimensional => {
                "workgroups have one dimension, as the module reads thread ids of one only"
            }
            RefinementKind::Interprocedural => "all calls of the local functions involved are known",
            RefinementKind::Provenance => "the pointer does not point to memory of a single thread",
            RefinementKind::PromotableAllocas => "a local variable holds what was stored in it last",
        }
    }
}

/// Which refinements to use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Settings {
    /// Those of the lowering.
    pub lowering: Refinements,
    /// Those of the engine.
    pub analysis: Options,
}

impl Settings {
    /// All of them.
    pub fn refined() -> Settings {
        Settings { lowering: Refinements::ALL, analysis: Options::default() }
    }

    /// None of them.
    pub fn unrefined() -> Settings {
        RefinementKind::ALL.into_iter().fold(Settings::refined(), |settings, kind| settings.with(kind, false))
    }

    /// The same with one refinement turned on or off.
    #[must_use]
    pub fn with(mut self, kind: RefinementKind, on: bool) -> Settings {
        let Settings { lowering, analysis } = &mut self;
        match kind {
            RefinementKind::EdgeJoins => analysis.edge_joins = on,
            RefinementKind::DivergentExits => analysis.divergent_exits_only = on,
            RefinementKind::Regions => lowering.regions = on,
            RefinementKind::CycleInvariants => analysis.cycle_invariants = on,
            RefinementKind::Hierarchies => {
                analysis.most_hierarchies = if on { Options::default().most_hierarchies } else { 0 };
            }
            RefinementKind::ValueFacts => lowering.value_facts = on,
            RefinementKind::OneDimensional => lowering.one_dimensional = on,
            RefinementKind::Interprocedural => lowering.interprocedural = on,
            RefinementKind::Provenance => lowering.provenance = on,
            RefinementKind::PromotableAllocas => lowering.promotable_allocas = on,
        }
        self
    }
}

impl Default for Settings {
    fn default() -> Settings {
        Settings::refined()
    }
}
