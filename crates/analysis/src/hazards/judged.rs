//! What is broken, judged: whether threads are missing in every launch, in some, or in none ([`certainty`](crate::certainty)), and on what it depends.

use reconverge_findings::control::{Assumption, Measure};
use reconverge_graph::Node;
use reconverge_ir::ReadError;
use reconverge_ir::function::{Definition, Value};
use reconverge_ir::opcode::Opcode;

use super::exits::Exits;
use super::{Breach, Broken, Finder, Need, What, branch_of};
use crate::certainty::{self, Place, Question, Verdict};
use crate::target::Scope;
use crate::uniformity::control::Parted;
use crate::uniformity::lower::LoweringOptions;
use crate::uniformity::report::Analysis;

/// The branches that part threads, but for the first.
pub(super) fn others(parting: &[Parted]) -> impl Iterator<Item = Node> + '_ {
    let branch = |at: usize| branch_of(parting[at]);
    (1..parting.len()).filter(move |&at| (0..at).all(|known| branch(known) != branch(at))).map(branch)
}

impl Finder<'_, '_> {
    /// How certain it is that needs are not met; those are left out that are met in all launches.
    pub(super) fn judge<'n>(
        &self,
        broken: &[(&'n Need, Breach)],
        needs: &[&Need],
        scope: Scope,
        maybe: &Analysis<'_, '_>,
    ) -> Result<Vec<Broken<'n>>, ReadError> {
        let all: Vec<&Need> = broken.iter().map(|&(need, _)| need).collect();
        let certain = self.breaches(&all, scope, true)?;
        let question = |(need, breach): (&&Need, &Breach)| Question {
            inst: need.inst,
            inside: match &need.what {
                What::Call(requirement) => requirement.at.function.zip(requirement.at.inst),
                What::Operation(_) | What::Operand(..) => None,
            },
            mask: None,
            argument: match *breach {
                Breach::Argument(index) => Some(index),
                Breach::Parted(_) => None,
            },
            deciding: breach
                .parting()
                .iter()
                .filter_map(|&parted| Some(maybe.lowered.block_of(branch_of(parted))?.0))
                .collect(),
            compared: breach
                .parting()
                .first()
                .map(|&parted| self.compared(maybe, branch_of(parted)))
                .unwrap_or_default(),
        };
        let deciding = broken.iter().zip(&certain).map(|((_, possible), certain)| certain.as_ref().unwrap_or(possible));
        let questions: Vec<Question> = all.iter().zip(deciding).map(question).collect();
        let Finder { module, facts, id, function, codes, .. } = *self;
        let place = Place { module, facts, id, function, codes };
        let differs = |value| {
            maybe.lowered.index_of(value).is_some_and(|index| maybe.uniformity.values[index as usize].is_some())
        };
        let verdicts = certainty::ask(place, scope, &questions, &differs);
        let verdicts = self.with_whole_rows(&all, scope, verdicts)?;
        let exits = Exits::new(self, needs, all.iter().map(|need| need.inst), &maybe.lowered);
        let mut judged = Vec::new();
        for (((need, possible), certain), verdict) in broken.iter().zip(certain).zip(verdicts) {
            let (is_certain, example, assumptions) = match verdict {
                Verdict::Never => continue,
                Verdict::Certain(example) if certain.is_some() => (true, Some(example), Vec::new()),
                Verdict::Depends(assumptions) => (false, None, assumptions),
                // Of a grid all are open: no launches show what its workgroups do.
                Verdict::Open | Verdict::Certain(_) => (false, None, Vec::new()),
            };
            let assumptions = self.complete(assumptions, need, possible, certain.as_ref(), maybe);
            let by_sure = certain.is_some();
            let mut parting = certain.as_ref().map(|breach| breach.parting().to_vec()).unwrap_or_default();
            for &parted in possible.parting() {
                if !parting.iter().any(|&known| branch_of(known) == branch_of(parted)) {
                    parting.push(parted);
                }
            }
            let after_exit = scope == Scope::Workgroup && !parting.is_empty() && exits.are_all_that_parts(&parting);
            let breach = certain.unwrap_or_else(|| possible.clone());
            judged.push(Broken { need, breach, parting, is_certain, by_sure, example, assumptions, after_exit });
        }
        Ok(judged)
    }

    /// Assumptions with the conditions of branches that may part threads as well, and that the launches took to be the same in all of them. That threads do different things in what is
    /// called is none, nor that the argument differs: it is what is asked.
    fn complete(
        &self,
        mut assumptions: Vec<Assumption>,
        need: &Need,
        possible: &Breach,
        certain: Option<&Breach>,
        maybe: &Analysis<'_, '_>,
    ) -> Vec<Assumption> {
        const MOST: usize = 3;
        let result = self.function.instructions[need.inst].result.expand();
        let argument = match *possible {
            Breach::Argument(index) => self.function.operands(need.inst).get(index as usize).copied(),
            Breach::Parted(_) => None,
        };
        assumptions.retain(|one| !matches!(*one, Assumption::Differs { value } if Some(value) == result));
        if let [Assumption::Differs { value }] = assumptions[..]
            && Some(value) == argument
        {
            assumptions.clear();
        }
        let Some(certain) = certain.filter(|_| !assumptions.is_empty()) else { return assumptions };
        let is_looked_at = |branch: Node| certain.parting().iter().any(|&known| branch_of(known) == branch);
        let others = possible.parting().iter().map(|&parted| branch_of(parted)).filter(|&branch| !is_looked_at(branch));
        for branch in others {
            let Some((block, _)) = maybe.lowered.block_of(branch) else { continue };
            let Some(&value) = self.function.operands(self.function.terminator(block)).first() else { continue };
            let differs = Assumption::Differs { value };
            if assumptions.len() < MOST && !assumptions.contains(&differs) {
                assumptions.push(differs);
            }
        }
        assumptions
    }

    /// Verdicts that name no assumption, with the one that a row of the workgroup is no multiple of a subgroup where nothing is wrong otherwise.
    fn with_whole_rows(
        &self,
        needs: &[&Need],
        scope: Scope,
        mut verdicts: Vec<Verdict>,
    ) -> Result<Vec<Verdict>, ReadError> {
        let is_bare = |verdict: &Verdict| match verdict {
            Verdict::Depends(assumptions) => assumptions.is_empty(),
            Verdict::Open => true,
            Verdict::Certain(_) | Verdict::Never => false,
        };
        let bare: Vec<usize> = (0..needs.len()).filter(|&index| is_bare(&verdicts[index])).collect();
        let launch = self.facts.launch(self.module, self.id);
        let Some(size) = launch.subgroup.filter(|_| scope == Scope::Subgroup && launch.extents[0].is_none()) else {
            return Ok(verdicts);
        };
        if bare.is_empty() {
            return Ok(verdicts);
        }
        let asked: Vec<&Need> = bare.iter().map(|&index| needs[index]).collect();
        let options = LoweringOptions { whole_rows: true, ..self.options(scope, false) };
        let found = self.breaches_with(&asked, scope, &options)?;
        for (index, _) in bare.into_iter().zip(found).filter(|(_, breach)| breach.is_none()) {
            let assumption = Assumption::NoMultiple { value: None, extent: 0, of: Measure::Number(size) };
            verdicts[index] = Verdict::Depends(vec![assumption]);
        }
        Ok(verdicts)
    }

    /// What the condition of a branch compares with: operands of comparisons that are the same in all threads.
    pub(super) fn compared(&self, maybe: &Analysis<'_, '_>, branch: Node) -> Vec<Value> {
        const MOST: usize = 4;
        let Some((block, _)) = maybe.lowered.block_of(branch) else { return Vec::new() };
        let mut found = Vec::new();
        let mut stack: Vec<Value> =
            self.function.operands(self.function.terminator(block)).iter().take(1).copied().collect();
        while let Some(value) = stack.pop() {
            let Definition::Instruction(inst) = self.function.values[value].definition else { continue };
            match self.function.instructions[inst].opcode {
                Opcode::And | Opcode::Or | Opcode::Xor | Opcode::Select | Opcode::ZExt | Opcode::Freeze
                    if stack.len() < MOST =>
                {
                    stack.extend(self.function.operands(inst));
                }
                Opcode::ICmp => {
                    let is_uniform = |value: &Value| {
                        let index = maybe.lowered.index_of(*value);
                        index.is_some_and(|index| maybe.uniformity.values[index as usize].is_none())
                            && !matches!(self.function.values[*value].definition, Definition::Constant(_))
                    };
                    found.extend(self.function.operands(inst).iter().copied().filter(is_uniform));
                }
                _ => {}
            }
        }
        found.truncate(MOST);
        found
    }
}
