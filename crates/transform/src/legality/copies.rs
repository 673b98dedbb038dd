//! Several copies of an operation: duplication and unrolling.

use reconverge_analysis::flow::OperationKind;
use reconverge_graph::Cycle;
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

    /// Whether a cycle may be unrolled.
    ///
    /// Copies of an operation in the body take the token of the one heart, and the *n*-th execution of the heart stands for as many iterations as there are copies: the same
    /// threads in each copy, as long as they leave the cycle from the last copy only, or nothing outside uses the token. A remainder is another static operation,
    /// which threads with different numbers of iterations come to in place of a copy in the cycle.
    pub fn may_unroll(&self, cycle: Cycle, kind: Unrolling) -> Verdict {
        if let Some(verdict) = self.general() {
            return verdict;
        }
        let inside = |inst: Inst| self.forest.contains(cycle, node(self.layout.block_of(inst)));
        let operations: Vec<(Inst, OperationKind)> = self.operations().filter(|&(inst, _)| inside(inst)).collect();
        if operations.is_empty() {
            return Verdict::yes("there is no convergent operation in the cycle");
        }
        let header = block(self.forest.cycles[cycle].header);
        let at = |inst: Inst, what: &str| vec![self.at(inst, what)];
        if !self.forest.is_reducible(cycle) {
            let rule = "only a natural loop has iterations to speak of";
            let entries = format!("one of several entries, {}", self.block_name(header));
            let first = self.function.blocks[header].first;
            return Verdict::no(section::UNROLLING, rule, vec![Location { what: entries, ..at(first, "")[0].clone() }]);
        }
        if let Some(&(inst, _)) = operations.iter().find(|&&(inst, _)| self.operation(inst).no_duplicate) {
            return Verdict::no(
                section::EXAMPLES,
                "the call forbids copies by an attribute of its own",
                at(inst, "noduplicate"),
            );
        }
        let outside_use = |inst: Inst| self.layout.uses(inst).iter().map(|one| one.user).find(|&user| !inside(user));
        let tokens = operations.iter().filter(|(_, kind)| kind.defines_token());
        if let Some((inst, user)) = tokens.clone().find_map(|&(inst, _)| Some((inst, outside_use(inst)?))) {
            let rule = "threads that leave from different copies would be together at an operation outside that uses a token of the cycle";
            let mut locations = at(user, "the use outside of the cycle");
            locations.extend(at(inst, "the token is defined here"));
            return Verdict::no(section::UNROLLING, rule, locations);
        }
        let heart = operations.iter().find(|&&(inst, _)| self.token_of(inst).is_some_and(|token| !inside(token)));
        if let Some(&(inst, _)) = heart
            && self.layout.block_of(inst) != header
        {
            return Verdict::no(section::UNROLLING, "the heart is not in the header", at(inst, "the heart"));
        }
        if kind != Unrolling::Remainder {
            return Verdict::yes("threads execute each copy in the same iterations, and the heart is not duplicated");
        }
        if let Some(&(inst, _)) = heart {
            let rule = "with a remainder, threads would be in different copies of an operation in one iteration";
            return Verdict::no(section::UNROLLING, rule, at(inst, "the heart, whose token comes from outside"));
        }
        let is_uncontrolled =
            |&&(inst, kind): &&(Inst, OperationKind)| kind == OperationKind::Call && self.token_of(inst).is_none();
        if let Some(&(inst, _)) = operations.iter().find(is_uncontrolled) {
            let rule = "with a remainder, threads would be in different copies of an uncontrolled convergent operation in one iteration";
            return Verdict::no(section::UNROLLING, rule, at(inst, "an uncontrolled convergent operation"));
        }
        Verdict::yes("all operations refer back to an anchor inside of the cycle")
    }
}
