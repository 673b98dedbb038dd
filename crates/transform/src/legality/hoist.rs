//! Moves up: to the end of a block that dominates the operations.

use reconverge_analysis::flow::OperationKind;
use reconverge_ir::function::{Block, Definition, Inst};
use reconverge_ir::opcode::Opcode;
use rustc_hash::FxHashSet;

use super::{Legality, NOT_MOVABLE, Operation, Verdict, node, scope_name, section};
use crate::identical::is_identical;

impl Legality<'_> {
    /// Whether an operation may be executed at the end of the block `to`, which dominates it. Where not all threads that are at `to`
    /// come to the operation, that is speculation.
    pub fn may_hoist(&self, operation: Inst, to: Block) -> Verdict {
        self.may_merge(&[operation], to)
    }

    /// Whether an operation may be executed at the end of the block `to` by threads that would not have executed it.
    /// The same question as [`Legality::may_hoist`].
    pub fn may_speculate(&self, operation: Inst, to: Block) -> Verdict {
        self.may_merge(&[operation], to)
    }

    /// Whether identical operations on different ways from the block `to` may become one at its end.
    pub fn may_merge(&self, operations: &[Inst], to: Block) -> Verdict {
        self.general().or_else(|| self.merge(operations, to)).unwrap_or_else(|| self.why_merge(operations, to))
    }

    /// Does what [`Legality::may_merge`] allows: later answers are about the function as it is then.
    pub(crate) fn take_merge(&mut self, operations: &[Inst], to: Block) {
        self.layout.hoist(operations, to);
    }

    /// What forbids it.
    fn merge(&self, operations: &[Inst], to: Block) -> Option<Verdict> {
        let &first = operations.first()?;
        let lower: Vec<Block> = operations.iter().map(|&inst| self.layout.block_of(inst)).collect();
        if let Some(verdict) = self.shape(operations, &lower, to) {
            return Some(verdict);
        }
        let facts = self.operation(first);
        let mut between: FxHashSet<Block> = FxHashSet::default();
        for (&inst, &from) in operations.iter().zip(&lower) {
            let part = self.between(to, from);
            if let Err(verdict) = self.same_cycles(to, from, &part, facts.is_anchor()) {
                return Some(verdict);
            }
            if let Some((&other, _)) = operations.iter().zip(&lower).find(|&(_, &block)| part.blocks.contains(&block)) {
                let rule = "a thread may execute both of the operations, and would execute one";
                return Some(Verdict::no(section::MOTION, rule, vec![self.at(other, "the one that comes first")]));
            }
            let mut crossed: Vec<Inst> =
                part.blocks.iter().flat_map(|&block| self.layout.body(block)).copied().collect();
            crossed.extend(&self.layout.body(from)[..self.layout.position(inst)]);
            crossed.sort_unstable();
            if let Some(verdict) = self.obstacle(&facts, crossed.into_iter(), operations) {
                return Some(verdict);
            }
            between.extend(part.blocks);
        }
        if let Some(verdict) = self.operands_missing(operations, to) {
            return Some(verdict);
        }
        if !facts.is_anchor()
            && let Some(verdict) = self.changed_set(operations, &lower, to, &between, &facts)
        {
            return Some(verdict);
        }
        let mut after = self.layout.clone();
        after.hoist(operations, to);
        self.breach(&after)
    }

    /// What does not depend on paths.
    fn shape(&self, operations: &[Inst], lower: &[Block], to: Block) -> Option<Verdict> {
        let first = operations[0];
        let no =
            |rule: &str, inst: Inst, what: &str| Some(Verdict::no(section::MOTION, rule, vec![self.at(inst, what)]));
        for (&inst, &from) in operations.iter().zip(lower) {
            if !self.operation(inst).is_movable {
                return no(NOT_MOVABLE, inst, "this cannot stand anywhere else");
            }
            let dominates = self.dominators.is_reachable(node(from)) && self.dominators.dominates(node(to), node(from));
            if !dominates || to == from {
                return no("the new place has to be on every way to the old one", inst, "the operation");
            }
            if let Some(verdict) = self.fixed(inst) {
                return Some(verdict);
            }
            if inst != first && !is_identical(self.module, self.function, &self.layout, first, inst) {
                return no("only identical operations can become one", inst, "this one is different");
            }
        }
        let blocks: FxHashSet<Block> = lower.iter().copied().collect();
        if blocks.len() < lower.len() {
            return no(
                "a thread may execute both of the operations, and would execute one",
                first,
                "the first of them",
            );
        }
        let end = self.function.terminator(to);
        if !matches!(self.function.instructions[end].opcode, Opcode::Br | Opcode::Switch | Opcode::IndirectBr) {
            return no("nothing can be put after what happens at the end of the block", end, "the end of the block");
        }
        None
    }

    /// Whether an operation's place is fixed by what it is.
    pub(super) fn fixed(&self, inst: Inst) -> Option<Verdict> {
        let rule = match self.kind_of(inst)? {
            OperationKind::Entry => "an entry is in the entry block, before all other convergent operations",
            OperationKind::Loop => "a loop is in the header of its cycle, before all other convergent operations",
            OperationKind::Anchor | OperationKind::Call => return None,
        };
        Some(Verdict::no(section::INTRINSICS, rule, vec![self.at(inst, "its place is fixed")]))
    }

    fn operands_missing(&self, operations: &[Inst], to: Block) -> Option<Verdict> {
        let definitions = operations.iter().flat_map(|&inst| self.function.operands(inst)).filter_map(|&operand| {
            match self.function.values[operand].definition {
                Definition::Instruction(_) => self.layout.definition(self.function, operand),
                _ => None,
            }
        });
        let end = self.function.terminator(to);
        let is_there = |&inst: &Inst| {
            let block = self.layout.block_of(inst);
            inst != end && self.dominators.dominates(node(block), node(to))
        };
        let missing = definitions.into_iter().find(|inst| !is_there(inst))?;
        let is_token = self.kind_of(missing).is_some_and(OperationKind::defines_token);
        let (rule, what) = match is_token {
            true => ("the definition of a token dominates its uses", "the token is defined here"),
            false => ("an operand of the operation is not computed yet", "the operand is computed here"),
        };
        Some(Verdict::no(section::STATIC, rule, vec![self.at(missing, what)]))
    }

    /// Whether other threads would take part, or the operation would be executed more often.
    fn changed_set(
        &self,
        operations: &[Inst],
        lower: &[Block],
        to: Block,
        between: &FxHashSet<Block>,
        facts: &Operation,
    ) -> Option<Verdict> {
        let all_come = self.all_paths_meet(to, lower);
        let harmless =
            facts.motion.result_only && (facts.motion.speculate || facts.speculatable) && !facts.wants_defined;
        let deciding = self.deciding_branches(to, lower, between);
        let end = self.function.terminator(to);
        if facts.kind.is_some()
            && let Err(divergent) = self.is_uniform_over(&deciding, facts.scope)
        {
            if facts.motion.hoist && (all_come || harmless) {
                return None;
            }
            if facts.motion.hoist {
                let rule = "threads that would not have executed the operation have no operands for it, and it is not known to be harmless then";
                return Some(Verdict::no(section::MOTION, rule, divergent));
            }
            if facts.speculatable && !all_come {
                let rule =
                    "speculatable does not say which threads execute a convergent operation, and more of them would";
                return Some(Verdict::no(section::INTERACTIONS, rule, divergent));
            }
            let rule = match operations {
                [_] => "more threads would take part in the operation",
                _ => "threads that take different paths take part in different operations, and would take part in one",
            };
            return Some(Verdict::no(section::MOTION, rule, divergent));
        }
        if !all_come && !harmless {
            let rule = "the operation would be executed where it was not, and is not known to be harmless";
            return Some(Verdict::no(section::MOTION, rule, vec![self.at(end, "not every way from here leads to it")]));
        }
        None
    }

    fn why_merge(&self, operations: &[Inst], to: Block) -> Verdict {
        let Some(&first) = operations.first() else { return Verdict::yes("there is nothing to move") };
        let facts = self.operation(first);
        let several = operations.len() > 1;
        if facts.is_anchor() {
            return Verdict::yes(match several {
                true => "each use is on one side, and communicates with threads that came there only",
                false => {
                    "which threads execute an anchor together is up to the implementation, and each use takes those that reach it"
                }
            });
        }
        if facts.kind.is_none() {
            return Verdict::yes("it is no convergent operation");
        }
        let lower: Vec<Block> = operations.iter().map(|&inst| self.layout.block_of(inst)).collect();
        let between = lower.iter().flat_map(|&from| self.between(to, from).blocks).collect();
        let deciding = self.deciding_branches(to, &lower, &between);
        match self.is_uniform_over(&deciding, facts.scope) {
            Ok(()) if deciding.is_empty() => Verdict::yes("all threads that reach the one place reach the other"),
            Ok(()) => Verdict::yes(format!("all threads of {} take the same path in between", scope_name(facts.scope))),
            Err(_) if self.all_paths_meet(to, &lower) => {
                Verdict::yes("its result for a thread stays the same when more threads take part (target: hoist)")
            }
            Err(_) => Verdict::yes(
                "its result for a thread stays the same when more threads take part, and it does not harm them (target: hoist, speculate)",
            ),
        }
    }
}
