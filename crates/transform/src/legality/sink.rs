//! Moves down: to the start of a block that the operations dominate.

use reconverge_analysis::flow::OperationKind;
use reconverge_ir::function::{Block, Inst};
use reconverge_ir::opcode::Opcode;
use rustc_hash::FxHashSet;

use super::{Legality, NOT_MOVABLE, Verdict, node, scope_name, section};

impl Legality<'_> {
    /// Whether an operation may be executed at the start of the block `to`, which it dominates. For an anchor: without any of the operations on its token.
    pub fn may_sink(&self, operation: Inst, to: Block) -> Verdict {
        self.may_sink_together(&[operation], to)
    }

    /// Whether operations, in the order of the text, may be executed at the start of the block `to` instead. An anchor among them makes right
    /// what would be wrong without it.
    pub fn may_sink_together(&self, operations: &[Inst], to: Block) -> Verdict {
        self.general().or_else(|| self.sink(operations, to)).unwrap_or_else(|| self.why_sink(operations, to))
    }

    /// Does what [`Legality::may_sink_together`] allows: later answers are about the function as it is then.
    pub(crate) fn take_sink(&mut self, operations: &[Inst], to: Block) {
        let at = self.start_of(to);
        self.layout.sink(operations, to, at);
    }

    fn start_of(&self, to: Block) -> usize {
        self.layout.start_of(self.function, to, |inst| self.kind_of(inst) == Some(OperationKind::Loop))
    }

    fn sink(&self, operations: &[Inst], to: Block) -> Option<Verdict> {
        if let Some(verdict) = self.is_pad(to) {
            return Some(verdict);
        }
        for &inst in operations {
            if let Some(verdict) = self.sink_one(inst, operations, to) {
                return Some(verdict);
            }
        }
        let mut after = self.layout.clone();
        after.sink(operations, to, self.start_of(to));
        self.breach(&after)
    }

    fn sink_one(&self, inst: Inst, operations: &[Inst], to: Block) -> Option<Verdict> {
        let no =
            |rule: &str, inst: Inst, what: &str| Some(Verdict::no(section::MOTION, rule, vec![self.at(inst, what)]));
        let facts = self.operation(inst);
        if !facts.is_movable {
            return no(NOT_MOVABLE, inst, "this cannot stand anywhere else");
        }
        let from = self.layout.block_of(inst);
        let is_reachable = self.dominators.is_reachable(node(to));
        if from == to || !is_reachable || !self.dominators.dominates(node(from), node(to)) {
            return no("the old place has to be on every way to the new one", inst, "the operation");
        }
        if let Some(verdict) = self.fixed(inst) {
            return Some(verdict);
        }
        let between = self.between(from, to);
        if let Err(verdict) = self.same_cycles(from, to, &between, facts.is_anchor()) {
            return Some(verdict);
        }
        if let Some(verdict) = self.used_elsewhere(inst, operations, to) {
            return Some(verdict);
        }
        let body = self.layout.body(from);
        let mut crossed: Vec<Inst> = body[(self.layout.position(inst) + 1).min(body.len())..].to_vec();
        crossed.extend(between.blocks.iter().flat_map(|&block| self.layout.body(block)));
        crossed.extend(&self.layout.body(to)[..self.start_of(to)]);
        crossed.sort_unstable();
        if let Some(verdict) = self.obstacle(&facts, crossed.into_iter(), operations) {
            return Some(verdict);
        }
        if facts.is_anchor() {
            return None;
        }
        if !self.all_paths_meet(from, &[to]) && !facts.motion.result_only {
            let rule =
                "not all threads that executed the operation still would, and it may do more than give its result";
            return no(rule, self.function.terminator(from), "not every way from here leads to the new place");
        }
        let is_together = self
            .token_of(inst)
            .is_some_and(|token| operations.contains(&token) && self.kind_of(token) == Some(OperationKind::Anchor));
        let may_be_fewer = is_together || facts.motion.sink;
        if facts.kind.is_none() || may_be_fewer && !facts.needs_all {
            return None;
        }
        let deciding = self.deciding_branches(from, &[to], &between.blocks);
        let mut divergent = self.is_uniform_over(&deciding, facts.scope).err()?;
        if may_be_fewer {
            let rule =
                format!("the operation needs all threads of {}, and fewer would reach it", scope_name(facts.scope));
            divergent.insert(0, self.at(inst, "the operation"));
            return Some(Verdict::no(section::MOTION, rule, divergent));
        }
        let mut rule = "fewer threads would take part in the operation";
        if let Some(token) = self.token_of(inst).filter(|&token| self.operation(token).is_anchor()) {
            divergent.push(self.at(token, "the anchor that its token is from"));
            rule = "fewer threads would take part in the operation than in others on the same anchor: it is sunk with its anchor and all of them, or not at all";
        }
        Some(Verdict::no(section::MOTION, rule, divergent))
    }

    /// A use of the result that is not below the new place.
    fn used_elsewhere(&self, inst: Inst, operations: &[Inst], to: Block) -> Option<Verdict> {
        let uses = self.layout.uses(inst).iter().filter(|one| !operations.contains(&one.user));
        let mut uses = uses.filter(|one| !self.layout.is_merged(one.user));
        let elsewhere = uses.find(|one| {
            let place = one.edge.unwrap_or_else(|| self.layout.block_of(one.user));
            !self.dominators.dominates(node(to), node(place))
        })?;
        let is_operation = self.kind_of(inst).is_some_and(OperationKind::defines_token);
        let rule = match is_operation {
            true => "all operations on the token have to be below the new place, or go there together with the anchor",
            false => "the result is used where the operation would not have been executed",
        };
        Some(Verdict::no(section::MOTION, rule, vec![self.at(elsewhere.user, "a use that is not below the new place")]))
    }

    fn is_pad(&self, to: Block) -> Option<Verdict> {
        let is_pad = |inst: &&Inst| {
            use Opcode::{CatchPad, CatchSwitch, CleanupPad, LandingPad};
            matches!(self.function.instructions[**inst].opcode, CatchPad | CatchSwitch | CleanupPad | LandingPad)
        };
        let pad = *self.layout.body(to).iter().find(is_pad)?;
        let rule = "nothing can stand before what handles an exception";
        Some(Verdict::no(section::MOTION, rule, vec![self.at(pad, "handles an exception")]))
    }

    fn why_sink(&self, operations: &[Inst], to: Block) -> Verdict {
        let Some(&first) = operations.first() else { return Verdict::yes("there is nothing to move") };
        let facts = self.operation(first);
        if facts.is_anchor() {
            return Verdict::yes(match operations {
                [_] => "which threads execute an anchor together is up to the implementation, and all uses are below",
                _ => {
                    "which threads execute an anchor together is up to the implementation, and all operations on its token stay together"
                }
            });
        }
        if facts.kind.is_none() {
            return Verdict::yes("it is no convergent operation, and does no more than give its result");
        }
        let from = self.layout.block_of(first);
        let deciding = self.deciding_branches(from, &[to], &self.between(from, to).blocks);
        match self.is_uniform_over(&deciding, facts.scope) {
            Ok(()) if deciding.is_empty() => Verdict::yes("all threads that reach the one place reach the other"),
            Ok(()) => Verdict::yes(format!("all threads of {} take the same path in between", scope_name(facts.scope))),
            Err(_) => {
                Verdict::yes("its result for a thread stays the same when fewer threads take part (target: sink)")
            }
        }
    }

    /// The operations on the token of an anchor that a block does not dominate: those that have to be sunk with it.
    pub(crate) fn above(&self, anchor: Inst, to: Block) -> Vec<Inst> {
        let uses = self.layout.uses(anchor).iter().filter(|one| !self.layout.is_merged(one.user));
        let is_above = |inst: &Inst| !self.dominators.dominates(node(to), node(self.layout.block_of(*inst)));
        let above: FxHashSet<Inst> = uses.map(|one| one.user).filter(is_above).collect();
        let mut above: Vec<Inst> = above.into_iter().collect();
        above.sort_unstable();
        above
    }
}
