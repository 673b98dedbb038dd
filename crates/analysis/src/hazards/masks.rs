//! Operations with a constant mask of the lanes that take part (RC0211).

use reconverge_findings::control::{Hazard, HazardBreach};
use reconverge_findings::{Code, Finding, Kind, Severity};
use reconverge_ir::function::{Extra, Inst};

use super::Finder;
use crate::certainty::{self, Mask, Place, Question, Verdict};
use crate::target::{Degree, Scope};

impl Finder<'_, '_> {
    /// Operations whose mask is a constant, and names other lanes of the subgroup than those that execute them.
    pub(super) fn masks(&self) -> Vec<Finding> {
        let mask_of = |inst: Inst| {
            let Extra::Call(call) = self.function.instructions[inst].extra else { return None };
            let facts = self.operations.facts.get(&self.function.calls[call].callee.expand()?)?;
            let operand = self.function.operands(inst).get(usize::from(facts.mask_operand?))?;
            let lanes = self.number(*operand)?;
            // That all are named is asked for elsewhere.
            (facts.partial && lanes != -1 && lanes != 0).then_some(lanes as u64 & u64::from(u32::MAX))
        };
        let named: Vec<(Inst, u64)> =
            self.function.instructions.keys().filter_map(|inst| Some((inst, mask_of(inst)?))).collect();
        if named.is_empty() || !self.facts.is_body_of_kernel(self.module, self.id) {
            return Vec::new();
        }
        let question = |&(inst, lanes): &(Inst, u64)| {
            let is_elsewhere = named.iter().any(|&(other, of_other)| other != inst && of_other == lanes);
            let mask = Some(Mask { lanes, is_elsewhere });
            Question { inst, argument: None, mask, inside: None, deciding: Vec::new(), compared: Vec::new() }
        };
        let questions: Vec<Question> = named.iter().map(question).collect();
        let Finder { module, facts, id, function, codes, .. } = *self;
        let verdicts =
            certainty::ask(Place { module, facts, id, function, codes }, Scope::Subgroup, &questions, &|_| true);
        let finding = |(&(inst, lanes), verdict): (&(Inst, u64), Verdict)| {
            let (example, assumptions) = match verdict {
                Verdict::Certain(example) => (Some(example), Vec::new()),
                Verdict::Depends(assumptions) if !assumptions.is_empty() => (None, assumptions),
                _ => return None,
            };
            let is_certain = example.is_some();
            let breach = HazardBreach::Mask(lanes);
            let scope = Scope::Subgroup;
            let hazard =
                Hazard { scope, requirement: None, breach, example, assumptions, others: Vec::new(), after_exit: None };
            Some(Finding {
                severity: if is_certain { Severity::Error } else { Severity::Warning },
                certainty: if is_certain { Degree::Certain } else { Degree::Possible },
                ..Finding::new(Code::RC0211, self.anchor(inst), Kind::Hazard(hazard))
            })
        };
        named.iter().zip(verdicts).filter_map(finding).collect()
    }
}
