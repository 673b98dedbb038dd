//! Unrolling: what convergent operations allow of a cycle.
//!
//! The *heart* of a loop is a `loop` intrinsic in its header whose token is defined outside of the loop. By the static rules a loop has at most one, it
//! stands before all other uses, and nothing else in the loop uses a token from outside.
//!
//! **No remainder: every token setting is fine.** A full or exact unrolling, and one that keeps all tests, executes iteration `i` in copy
//! `i mod N` of the body, as part `⌊i / N⌋` of the new loop. Let two threads execute a controlled operation in copies `c` and `c'` in parts `m` and `m'`. It
//! is one static instance iff `c = c'`; the heart, executed once in each part, gives converged tokens iff those before the loop were converged and `m = m'`. Together that
//! is the condition of the original loop: equal iterations, converged tokens before it. Where the heart is gone `m` is always 0, and its uses
//! have the token that the heart was on. Anchors are copied; which threads execute one together is up to the implementation anyway.
//!
//! **Static rules.** A closed path of the result that is in one copy, and so not through the header of a part, is one of a loop inside. Its tokens are those of the original path,
//! renamed one to one, so no rule is broken that was not: the heart of a loop inside is copied with it, dominates its copy, and is on the copy of its token; if it was on
//! the heart of the unrolled loop, it still is (or is on that heart's own token, which nothing else in the loop used). A closed path
//! around the loop passes the one heart, which defines what the copies use. A closed path around the loop from outside contained, with the heart, the definition of the
//! heart's token: otherwise the heart would dominate it all and it would lie in the loop.
//!
//! **With a remainder.** Threads in one iteration are in the main loop or in the remainder, so in different static instances. That changes the communicating threads of every
//! operation whose token comes from outside, directly or through the heart; and of uncontrolled operations. It is right only where all tokens used in the loop stem from anchors in it.
//!
//! **Cycles with several entries.** Of a cycle with several entries each may be taken for the header. If the header of a loop inside is, a thread that goes round the loop begins an iteration
//! of both, so the loop's copies would count other iterations than the original did; uncontrolled operations anywhere in the function may depend on them.
//!
//! **Leaving.** Copies leave the loop at several edges. Behind it a token of the heart would be the same for threads that left in different iterations of one part; and tokens do not
//! go through a phi. So tokens are used behind the loop only if one copy alone leaves it.

use reconverge_analysis::flow::OperationKind;
use reconverge_graph::{Cycle, Node};
use reconverge_ir::function::Inst;

use super::{Legality, Location, Verdict, block, node, section};

/// A way to unroll a cycle.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Unrolling {
    /// By a factor that need not divide the number of iterations, so that some are left for a copy behind.
    Remainder,
    /// By a factor that divides the number of iterations.
    Multiple,
    /// Completely, so that no cycle is left.
    Full,
}

/// What a cycle has of convergence.
#[derive(Debug, Clone, Default)]
pub(crate) struct Convergence {
    /// The heart and the definition of its token.
    pub(crate) heart: Option<(Inst, Inst)>,
    /// Why there may be no remainder.
    pub(crate) no_remainder: Option<Obstacle>,
    /// A use behind the cycle of a token that is defined in it, which more than one place to leave from rules out.
    pub(crate) used_behind: Option<Obstacle>,
    /// Whether there is any convergent operation.
    has_operations: bool,
}

/// Something in the way.
#[derive(Debug, Clone)]
pub(crate) struct Obstacle {
    section: &'static str,
    /// The rule, in a sentence without a full stop.
    rule: &'static str,
    /// What breaks it.
    inst: Inst,
    what: &'static str,
    /// What that is at odds with.
    other: Option<(Inst, &'static str)>,
}

const BEHIND: &str =
    "a token of the loop is used after it, where threads that left from different copies would count as converged";
const IRREDUCIBLE: &str = "the loop is inside a cycle with several entries, which may be taken to have the same header, and an uncontrolled convergent operation counts the iterations of both";
const FROM_OUTSIDE: &str = "a token from outside of the loop is used in it: a remainder would let threads of one iteration execute different static instances";
const UNCONTROLLED: &str = "an uncontrolled convergent operation is in the loop: a remainder would let threads of one iteration execute different static instances";

impl Legality<'_> {
    /// Whether a cycle may be unrolled; in the other ways than with a remainder only if it is left from one copy, or no token of it is used behind it.
    pub fn may_unroll(&self, cycle: Cycle, kind: Unrolling) -> Verdict {
        if let Some(verdict) = self.general() {
            return verdict;
        }
        let convergence = self.convergence(cycle);
        if convergence.as_ref().is_ok_and(|convergence| !convergence.has_operations) {
            return Verdict::yes("there is no convergent operation in the cycle");
        }
        if !self.forest.is_reducible(cycle) {
            let header = block(self.forest.cycles[cycle].header);
            let what = format!("one of several entries, {}", self.block_name(header));
            let span = self.function.instructions[self.function.blocks[header].first].span;
            let rule = "only a natural loop has iterations to speak of";
            return Verdict::no(section::UNROLLING, rule, vec![Location { span, what }]);
        }
        let convergence = match convergence {
            Ok(convergence) => convergence,
            Err(obstacle) => return self.forbids(&obstacle),
        };
        let remainder = kind == Unrolling::Remainder;
        let behind = convergence.used_behind.filter(|_| remainder || self.exits(cycle) != 1);
        if let Some(obstacle) = behind.or(convergence.no_remainder.filter(|_| remainder)) {
            return self.forbids(&obstacle);
        }
        Verdict::yes(match kind {
            Unrolling::Remainder => "all operations refer back to an anchor inside of the cycle",
            _ => "threads execute each copy in the same iterations, and the heart is not duplicated",
        })
    }

    /// What a cycle of a function that breaks no static rule has of convergence; all of it means something for reducible cycles only.
    ///
    /// # Errors
    /// When it may not be unrolled at all.
    pub(crate) fn convergence(&self, cycle: Cycle) -> Result<Convergence, Obstacle> {
        let mut convergence = Convergence::default();
        let header = block(self.forest.cycles[cycle].header);
        let inside = |inst: Inst| self.forest.contains(cycle, node(self.layout.block_of(inst)));
        let obstacle = |rule, inst, what| Obstacle { section: section::UNROLLING, rule, inst, what, other: None };
        let is_around = |outer: Cycle| outer != cycle && self.forest.contains_cycle(outer, cycle);
        if self.forest.cycles.keys().any(|outer| is_around(outer) && !self.forest.is_reducible(outer))
            && let Some((inst, _)) = self.operations().find(|&(inst, kind)| self.is_uncontrolled(inst, kind))
        {
            return Err(obstacle(IRREDUCIBLE, inst, "an uncontrolled convergent operation"));
        }
        for (inst, kind) in self.operations() {
            let token = self.token_of(inst);
            if !inside(inst) {
                if let Some(token) = token.filter(|&token| inside(token)) {
                    let other = Some((token, "the token is defined here"));
                    let behind = Obstacle { other, ..obstacle(BEHIND, inst, "the use after the loop") };
                    convergence.used_behind.get_or_insert(behind);
                }
                continue;
            }
            convergence.has_operations = true;
            if self.operation(inst).no_duplicate {
                let rule = "a call that is `noduplicate` may not be copied";
                return Err(Obstacle { section: section::EXAMPLES, ..obstacle(rule, inst, "noduplicate") });
            }
            let from_outside = token.filter(|&token| !inside(token));
            match kind {
                OperationKind::Entry => {
                    return Err(obstacle("`entry` stands for the begin of the function, once", inst, "the entry"));
                }
                OperationKind::Loop => {
                    let at = self.layout.block_of(inst);
                    let innermost = self.forest.innermost(node(at));
                    if innermost.is_none_or(|cycle| self.forest.cycles[cycle].header != node(at)) {
                        let rule = "a heart that is not in the header of its loop counts iterations of its own; such a loop is not unrolled";
                        return Err(obstacle(rule, inst, "the heart"));
                    }
                    if at == header
                        && let Some(parent) = from_outside
                    {
                        convergence.heart = Some((inst, parent));
                    }
                }
                OperationKind::Anchor | OperationKind::Call => {}
            }
            if self.is_uncontrolled(inst, kind) {
                convergence.no_remainder.get_or_insert(obstacle(
                    UNCONTROLLED,
                    inst,
                    "an uncontrolled convergent operation",
                ));
            } else if let Some(token) = from_outside {
                let other = Some((token, "the token is defined here"));
                let remainder = Obstacle { other, ..obstacle(FROM_OUTSIDE, inst, "the use of the token") };
                convergence.no_remainder.get_or_insert(remainder);
            }
        }
        Ok(convergence)
    }

    /// Whether an operation is convergent and has no token.
    fn is_uncontrolled(&self, inst: Inst, kind: OperationKind) -> bool {
        kind == OperationKind::Call && self.token_of(inst).is_none()
    }

    /// The number of edges out of a cycle.
    fn exits(&self, cycle: Cycle) -> usize {
        let graph = &self.lowered.flow.graph;
        let leaves = |to: &&Node| !self.forest.contains(cycle, **to);
        self.forest.nodes(cycle).iter().map(|&from| graph.successors(from).iter().filter(leaves).count()).sum()
    }

    /// An obstacle as a verdict.
    pub(crate) fn forbids(&self, obstacle: &Obstacle) -> Verdict {
        let mut locations = vec![self.at(obstacle.inst, obstacle.what)];
        locations.extend(obstacle.other.map(|(inst, what)| self.at(inst, what)));
        Verdict::no(obstacle.section, obstacle.rule, locations)
    }
}
