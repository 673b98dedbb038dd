//! Operations with a mask of the lanes that take part (RC0211).
//!
//! **Definition.** A mask is followed where it is a constant, or what an earlier call *made*: `activemask`, which names the threads that execute it together, or a ballot,
//! which names those of them whose value is true. What a constant names is compared with who executes the operation in made-up launches. What a call made is
//! wrong
//!
//! - of `activemask`, where a branch parts the threads that execute it together before they execute the operation, and not all come together again before it;
//! - of a ballot, where the launches show that others execute the operation, as far as they are exact.
//!
//! Two calls of `activemask` are *taken to agree* where one makes the mask of an operation, another operand is computed from what the other one made, and a branch
//! parts threads on the way from that one to the first, with no operation on the mask in between that has them wait for each other. That is always a warning:
//! the threads may be together again, and nothing promises it.

use cranelift_entity::EntityRef;
use reconverge_findings::control::{Hazard, HazardBreach};
use reconverge_findings::{Code, Finding, Kind, Severity};
use reconverge_graph::{Digraph, Node};
use reconverge_ir::ReadError;
use reconverge_ir::function::{Extra, Inst, Value};
use reconverge_ir::types::TypeData;
use reconverge_operations::{Does, Role};
use rustc_hash::FxHashSet;

use super::described::chain;
use super::{Finder, branch_of, control};
use crate::certainty::{self, Mask, Named, Place, Question, Verdict};
use crate::integers;
use crate::target::{Degree, Scope};
use crate::uniformity::Element;
use crate::uniformity::control::Parted;
use crate::uniformity::lower::Known;
use crate::uniformity::report::Analysis;

/// An operation with a mask.
struct Masked {
    inst: Inst,
    operand: u8,
    named: Named,
    /// What parts threads between the call that made the mask and the operation; of constants, and ballots, nothing.
    parting: Vec<Parted>,
}

impl Masked {
    fn made_by(&self) -> Option<Inst> {
        match self.named {
            Named::By { call, .. } => Some(call),
            Named::These(_) => None,
        }
    }
}

impl Finder<'_, '_> {
    /// Operations whose mask names other threads of the subgroup than those that execute them, or may.
    pub(super) fn masks(&self) -> Result<Vec<Finding>, ReadError> {
        let mut masked: Vec<Masked> = self.function.instructions.keys().filter_map(|inst| self.masked(inst)).collect();
        let is_kernel = self.facts.is_body_of_kernel(self.module, self.id);
        masked.retain(|one| is_kernel || one.made_by().is_some());
        let mut findings = Vec::new();
        if masked.is_empty() {
            return Ok(findings);
        }
        let made: Vec<Inst> = masked.iter().filter_map(Masked::made_by).collect();
        let [sure, maybe] = match made.is_empty() {
            true => [None, None],
            false => [Some(self.analyze(Scope::Subgroup, true)?), Some(self.analyze(Scope::Subgroup, false)?)],
        };
        let graph = self.function.control_flow_graph();
        if let Some(maybe) = &maybe {
            findings.extend(self.taken_to_agree(&masked, &graph, maybe));
            for one in &mut masked {
                if let Named::By { call, where_true: None } = one.named {
                    one.parting = self.parting_between(&graph, maybe, call, one.inst);
                }
            }
            masked.retain(|one| !matches!(one.named, Named::By { where_true: None, .. }) || !one.parting.is_empty());
        }
        let question = |one: &Masked| {
            let same = |other: &&Masked| match (other.named, one.named) {
                (Named::These(lanes), Named::These(others)) => other.inst != one.inst && lanes == others,
                _ => false,
            };
            let mask = Some(Mask { named: one.named, is_elsewhere: masked.iter().any(|other| same(&other)) });
            let block_of = |&parted: &Parted| Some(maybe.as_ref()?.lowered.block_of(branch_of(parted))?.0);
            let compared = one.parting.first().zip(maybe.as_ref());
            let compared = compared.map(|(&parted, maybe)| self.compared(maybe, branch_of(parted))).unwrap_or_default();
            let deciding = one.parting.iter().filter_map(block_of).collect();
            Question { inst: one.inst, argument: None, mask, inside: None, deciding, compared }
        };
        let questions: Vec<Question> = masked.iter().map(question).collect();
        let Finder { module, facts, id, function, codes, .. } = *self;
        let differs = |value: Value| match &maybe {
            Some(maybe) => {
                maybe.lowered.index_of(value).is_some_and(|index| maybe.uniformity.values[index as usize].is_some())
            }
            None => true,
        };
        let place = Place { module, facts, id, function, codes };
        let verdicts = certainty::ask(place, Scope::Subgroup, &questions, &differs);
        for (one, verdict) in masked.iter().zip(verdicts) {
            findings.extend(self.judge_mask(one, verdict, &graph, sure.as_ref().zip(maybe.as_ref())));
        }
        Ok(findings)
    }

    /// An operation with a mask that is followed. That all lanes are named is asked for elsewhere.
    fn masked(&self, inst: Inst) -> Option<Masked> {
        let Extra::Call(call) = self.function.instructions[inst].extra else { return None };
        let facts = self.operations.facts.get(&self.function.calls[call].callee.expand()?)?;
        let operand = facts.mask_operand.filter(|_| facts.partial)?;
        let mask = *self.function.operands(inst).get(usize::from(operand))?;
        let named = match self.number(mask) {
            Some(-1) => return None,
            Some(lanes) => match self.module.types[self.function.values[mask].ty] {
                TypeData::Integer(bits @ 1..=64) => Named::These(lanes as u64 & integers::mask(bits)),
                _ => return None,
            },
            None => match self.known().of(mask)? {
                Known::Result(call) => self.named_by(call)?,
                Known::Number(_) | Known::Parameter(_) => return None,
            },
        };
        Some(Masked { inst, operand, named, parting: Vec::new() })
    }

    /// The lanes that the result of a call names.
    fn named_by(&self, call: Inst) -> Option<Named> {
        let Extra::Call(data) = self.function.instructions[call].extra else { return None };
        let name = self.module.symbol_name(self.function.calls[data].callee.expand()?);
        let known = reconverge_operations::find(std::str::from_utf8(&name).ok()?)?;
        let where_true = match known.does {
            Does::ActiveMask => None,
            Does::Ballot => {
                let place = known.spelling.operand(Role::Value)?;
                let value = *self.function.operands(call).get(usize::from(place))?;
                // AMD's `__activemask` is the ballot of all.
                Some(value).filter(|&value| self.number(value).is_none_or(|number| number & 1 == 0))
            }
            _ => return None,
        };
        Some(Named::By { call, where_true })
    }

    /// What parts threads that execute a call together before they execute an operation.
    fn parting_between(
        &self,
        graph: &Digraph,
        analysis: &Analysis<'_, '_>,
        call: Inst,
        operation: Inst,
    ) -> Vec<Parted> {
        let Analysis { lowered, uniformity, .. } = analysis;
        let mut parting =
            control(self.function, lowered, uniformity).parting(lowered.node_of(self.function, operation));
        let [call, operation] = self.blocks([call, operation]);
        parting.retain(|&parted| match lowered.block_of(branch_of(parted)) {
            Some((block, _)) => leads_to(graph, Node::new(block.index()), operation, call),
            None => false,
        });
        parting
    }

    /// The nodes of instructions in the graph of the function.
    fn blocks<const N: usize>(&self, insts: [Inst; N]) -> [Node; N] {
        insts.map(|inst| Node::new(self.function.instructions[inst].block.index()))
    }

    fn judge_mask(
        &self,
        one: &Masked,
        verdict: Verdict,
        graph: &Digraph,
        analyses: Option<(&Analysis<'_, '_>, &Analysis<'_, '_>)>,
    ) -> Option<Finding> {
        let (mut example, assumptions) = match verdict {
            Verdict::Never => return None,
            Verdict::Certain(example) => (Some(example), Vec::new()),
            Verdict::Depends(assumptions) if !assumptions.is_empty() => (None, assumptions),
            Verdict::Depends(_) | Verdict::Open if one.parting.is_empty() => return None,
            Verdict::Depends(_) | Verdict::Open => (None, Vec::new()),
        };
        let (mut parting, mut steps) = (one.parting.clone(), Vec::new());
        let mut breach = match one.named {
            Named::These(lanes) => HazardBreach::Mask(lanes),
            Named::By { call, .. } => HazardBreach::MaskOf(self.anchor(call)),
        };
        if let (Some((sure, maybe)), Some(call)) = (analyses, one.made_by()) {
            // Which executions in a loop were one, the launches do not say.
            let [at] = self.blocks([call]);
            example = example.filter(|_| !leads_to(graph, at, at, Node::new(graph.node_count())));
            let certain = self.parting_between(graph, sure, call, one.inst);
            if let Some(&first) = certain.first().or(parting.first()) {
                let analysis = if certain.is_empty() { maybe } else { sure };
                steps = chain(analysis, sure, Element::Branch(branch_of(first)));
                example = example.filter(|_| !certain.is_empty());
                parting.retain(|&parted| branch_of(parted) != branch_of(first));
            }
            breach = HazardBreach::MaskOf(self.anchor(call));
        }
        let is_certain = example.is_some();
        let block_of = |&parted: &Parted| Some(analyses?.1.lowered.block_of(branch_of(parted))?.0);
        let others = parting.iter().filter_map(block_of);
        let hazard = Hazard {
            scope: Scope::Subgroup,
            requirement: None,
            breach,
            is_sure: is_certain,
            example,
            assumptions,
            others: others.map(|block| (block, self.anchor(self.function.terminator(block)))).collect(),
            after_exit: None,
        };
        Some(Finding {
            severity: if is_certain { Severity::Error } else { Severity::Warning },
            certainty: if is_certain { Degree::Certain } else { Degree::Possible },
            chain: steps,
            ..Finding::new(Code::RC0211, self.anchor(one.inst), Kind::Hazard(hazard))
        })
    }

    /// Operations on the mask of one `activemask` with an operand that is computed from another one.
    fn taken_to_agree(&self, masked: &[Masked], graph: &Digraph, maybe: &Analysis<'_, '_>) -> Vec<Finding> {
        let makes = |inst: &Inst| matches!(self.named_by(*inst), Some(Named::By { where_true: None, .. }));
        let makers: FxHashSet<Inst> = self.function.instructions.keys().filter(makes).collect();
        let finding = |one: &Masked| {
            let made_by = one.made_by().filter(|call| makers.contains(call))?;
            let others: FxHashSet<Inst> = makers.iter().copied().filter(|&other| other != made_by).collect();
            let operands = self.function.operands(one.inst).iter().enumerate();
            let mut operands = operands.filter(|&(index, _)| index != usize::from(one.operand));
            let other = operands.find_map(|(_, &operand)| self.known().computed_from(operand, &others))?;
            let waits = self.function.block_instructions(self.function.instructions[made_by].block);
            let mut waits = waits.take_while(|&inst| inst != made_by);
            if waits.any(|inst| self.masked(inst).is_some() || self.waits_for_all(inst)) {
                return None;
            }
            let [from, to] = self.blocks([other, made_by]);
            let parts = |node: Node| {
                let (block, _) = maybe.lowered.block_of(node)?;
                let at = Node::new(block.index());
                (leads_to(graph, from, at, from) || at == from)
                    .then(|| leads_to(graph, at, to, from).then_some(node))
                    .flatten()
            };
            let branches = maybe.uniformity.branches.iter().enumerate().filter(|(_, cause)| cause.is_some());
            let branch = branches.map(|(index, _)| Node::new(index)).find_map(parts)?;
            let hazard = Hazard {
                scope: Scope::Subgroup,
                requirement: None,
                breach: HazardBreach::OtherMask { of_mask: self.anchor(made_by), of_operand: self.anchor(other) },
                is_sure: false,
                example: None,
                assumptions: Vec::new(),
                others: Vec::new(),
                after_exit: None,
            };
            Some(Finding {
                severity: Severity::Warning,
                certainty: Degree::Possible,
                chain: chain(maybe, maybe, Element::Branch(branch)),
                ..Finding::new(Code::RC0211, self.anchor(one.inst), Kind::Hazard(hazard))
            })
        };
        masked.iter().filter_map(finding).collect()
    }

    /// Whether threads wait there for all of their subgroup, or of a larger set.
    fn waits_for_all(&self, inst: Inst) -> bool {
        let Extra::Call(call) = self.function.instructions[inst].extra else { return false };
        let callee = self.function.calls[call].callee.expand();
        let facts = callee.and_then(|callee| self.operations.facts.get(&callee));
        let constant = |index: u8| self.number(*self.function.operands(inst).get(usize::from(index))?);
        facts.is_some_and(|facts| facts.needs_all(constant).is_some())
    }
}

/// Whether a path leads from a node, past one of its successors, to another one, with a third nowhere behind its start. O(edges).
fn leads_to(graph: &Digraph, from: Node, to: Node, avoiding: Node) -> bool {
    let mut seen = FxHashSet::default();
    let mut stack = graph.successors(from).to_vec();
    while let Some(node) = stack.pop() {
        if node == to && node != avoiding {
            return true;
        }
        if node != avoiding && seen.insert(node) {
            stack.extend_from_slice(graph.successors(node));
        }
    }
    false
}
