//! Several copies of an operation.

use reconverge_analysis::flow::OperationKind;
use reconverge_ir::function::Inst;

use super::{Legality, Verdict, section};

impl Legality<'_> {
    /// Whether different threads may execute different copies of an operation, as in jump threading or tail duplication.
    pub fn may_duplicate(&self, operation: Inst) -> Verdict {
        let facts = self.operation(operation);
        if facts.no_duplicate {
            let at = self.at(operation, "noduplicate");
            return Verdict::no(section::EXAMPLES, "the call forbids it by an attribute of its own", vec![at]);
        }
        if let Some(verdict) = self.general().or_else(|| self.fixed(operation)) {
            return verdict;
        }
        match facts.kind {
            None => Verdict::yes("it is no convergent operation"),
            Some(OperationKind::Anchor) => Verdict::yes(
                "which threads execute an anchor together is up to the implementation; the operations on its token go with it",
            ),
            Some(_) if facts.motion.sink => {
                Verdict::yes("its result for a thread stays the same when fewer threads take part (target: sink)")
            }
            Some(_) => {
                let rule = "threads that execute different copies do not execute converged instances, so fewer of them take part in each";
                let mut locations = vec![self.at(operation, "the operation")];
                locations.extend(self.token_of(operation).map(|token| self.at(token, "its token is defined here")));
                Verdict::no(section::INSTANCES, rule, locations)
            }
        }
    }
}
