//! What convergence tokens allow.
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
//! **Leaving.** Copies leave the loop at several edges. Behind it a token of the heart would be the same for threads that left in different iterations of one part; and tokens do not
//! go through a phi. So tokens are used behind the loop only if one copy alone leaves it.

use reconverge_analysis::flow::{OperationIndex, OperationKind, TokenSource};
use reconverge_analysis::lower::{Lowered, lower};
use reconverge_analysis::rules;
use reconverge_ir::function::{Block, Inst};
use reconverge_ir::{Function, FunctionId, Module};

use super::shape::{Flow, Loop, Objection};

/// The convergent operations of a function.
pub(super) struct Tokens {
    lowered: Lowered,
    /// The first operation that breaks a rule.
    broken: Option<Inst>,
}

/// What a loop has of convergence.
#[derive(Debug, Clone, Default)]
pub(super) struct Convergence {
    /// The heart and the definition of its token.
    pub(super) heart: Option<(Inst, Inst)>,
    /// Why there may be no remainder.
    pub(super) no_remainder: Option<Objection>,
    /// A use behind the loop of a token that is defined in it.
    pub(super) used_behind: Option<Inst>,
}

impl Tokens {
    pub(super) fn new(module: &Module<'_>, id: FunctionId, function: &Function) -> Tokens {
        let lowered = lower(module, id, function);
        let violation = rules::check(&lowered.flow).into_iter().next();
        let broken = violation.map(|violation| lowered.instructions[violation.operation as usize]);
        Tokens { lowered, broken }
    }

    fn block(&self, operation: OperationIndex, function: &Function) -> Block {
        function.instructions[self.inst(operation)].block
    }

    fn inst(&self, operation: OperationIndex) -> Inst {
        self.lowered.instructions[operation as usize]
    }

    /// The definition of the token that an operation uses.
    fn token(&self, operation: OperationIndex) -> Option<OperationIndex> {
        let bundle = self.lowered.flow.operations[operation as usize].bundles.first()?;
        match bundle.first()? {
            &TokenSource::Operation(definition) => Some(definition),
            TokenSource::Other(_) => None,
        }
    }

    /// What a loop has of convergence.
    ///
    /// # Errors
    /// When it may not be unrolled at all.
    pub(super) fn of_loop(&self, function: &Function, flow: &Flow, found: &Loop) -> Result<Convergence, Objection> {
        let operations = &self.lowered.flow.operations;
        let inside = |operation: OperationIndex| found.contains(self.block(operation, function));
        let mut convergence = Convergence::default();
        if let Some(broken) = self.broken {
            return Err((
                broken,
                "the function breaks rules of convergence control, which `reconverge check` lists".into(),
            ));
        }
        for (operation, index) in operations.iter().zip(0..) {
            let inst = self.inst(index);
            let token = self.token(index);
            if !inside(index) {
                if token.is_some_and(inside) {
                    convergence.used_behind.get_or_insert(inst);
                }
                continue;
            }
            match operation.kind {
                OperationKind::Entry => {
                    return Err((inst, "`entry` stands for the begin of the function, once".into()));
                }
                OperationKind::Loop => {
                    let innermost = flow.forest.innermost(operation.block);
                    if innermost.is_none_or(|cycle| flow.forest.cycles[cycle].header != operation.block) {
                        let rule = "a heart that is not in the header of its loop counts iterations of its own; such a loop is not unrolled";
                        return Err((inst, rule.into()));
                    }
                    if operation.block == super::shape::node(found.header)
                        && let Some(parent) = token.filter(|&parent| !inside(parent))
                    {
                        convergence.heart = Some((inst, self.inst(parent)));
                    }
                }
                OperationKind::Anchor | OperationKind::Call => {}
            }
            if operation.kind == OperationKind::Call && !operation.is_controlled() {
                let rule = "an uncontrolled convergent operation is in the loop: a remainder would let threads of one iteration execute different static instances";
                convergence.no_remainder.get_or_insert((inst, rule.into()));
            } else if token.is_some_and(|token| !inside(token)) {
                let rule = "a token from outside of the loop is used in it: a remainder would let threads of one iteration execute different static instances";
                convergence.no_remainder.get_or_insert((inst, rule.into()));
            }
        }
        Ok(convergence)
    }
}
