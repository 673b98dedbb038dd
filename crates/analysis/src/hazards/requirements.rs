//! What a function asks of its callers: that all threads enter it together, or that a parameter is uniform.

use reconverge_findings::{Anchor, Requirement, RequirementKind};
use reconverge_ir::ReadError;

use super::{Finder, Need, What, breaches};
use crate::target::Scope;
use crate::uniformity::lower::{Lowered, Lowerer};
use crate::uniformity::{Options, Rule, analyze};

impl Finder<'_, '_> {
    /// What the function requires so that needs are met with which nothing is wrong so far: by the rules of uniformity, or as what is wrong by them happens in no launch. Of the latter
    /// a parameter is asked for if something is wrong where nothing else differs between threads.
    pub(super) fn require(
        &self,
        met: &[&Need],
        met_by_launches: &[&Need],
        scope: Scope,
        required: &mut Vec<Requirement>,
    ) -> Result<(), ReadError> {
        if met.is_empty() && met_by_launches.is_empty() {
            return Ok(());
        }
        if let Some(first) = met.iter().chain(met_by_launches).find(|need| need.what.is_entry()) {
            required.push(Requirement { scope, kind: RequirementKind::Entry, ..self.reason(first) });
        }
        let options = self.options(scope, false);
        let subject = self.subject(scope, false)?;
        let mut lowered = subject.lower(&mut Lowerer::default(), &options);
        let parameters = (0..).zip(&self.function.parameters);
        let parameters: Vec<(u32, u32)> =
            parameters.filter_map(|(index, &parameter)| Some((index, lowered.index_of(parameter)?))).collect();
        let mut deciding = self.deciding(&parameters, met, &mut lowered);
        if !met_by_launches.is_empty() {
            let others = lowered.problem.values.iter_mut().filter(|value| value.rule == Rule::Source);
            others.for_each(|value| value.rule = Rule::Uniform);
            deciding.extend(self.deciding(&parameters, met_by_launches, &mut lowered));
            deciding.sort_by_key(|&(index, _)| index);
            deciding.dedup_by_key(|&mut (index, _)| index);
        }
        for (index, need) in deciding {
            let kind = RequirementKind::Parameter(index);
            required.push(Requirement { scope, kind, ..self.reason(need) });
        }
        Ok(())
    }

    /// What the function requires where a parameter, the mask of operations, names all lanes. What is wrong with those by themselves then is not said.
    pub(super) fn require_for_masks(&self, needs: &[Need], required: &mut Vec<Requirement>) -> Result<(), ReadError> {
        let mut masks: Vec<(Scope, u32)> =
            needs.iter().filter_map(|need| Some((need.scope, need.full_mask?))).collect();
        masks.sort_unstable();
        masks.dedup();
        for (scope, mask) in masks {
            let needs: Vec<&Need> =
                needs.iter().filter(|need| (need.scope, need.full_mask) == (scope, Some(mask))).collect();
            let breaches = self.breaches(&needs, scope, false)?;
            let met: Vec<&Need> =
                needs.iter().zip(breaches).filter(|(_, breach)| breach.is_none()).map(|(&need, _)| need).collect();
            self.require(&met, &[], scope, required)?;
        }
        Ok(())
    }

    /// The parameters that by themselves are enough for something to be wrong if threads have different ones, each with the first need that is not met then; those
    /// of a list of places and values. Nothing is wrong if one of them differs where nothing is if all do.
    fn deciding<'n>(
        &self,
        parameters: &[(u32, u32)],
        needs: &[&'n Need],
        lowered: &mut Lowered,
    ) -> Vec<(u32, &'n Need)> {
        if parameters.is_empty() {
            return Vec::new();
        }
        let rules: Vec<Rule> = parameters
            .iter()
            .map(|&(_, value)| std::mem::replace(&mut lowered.problem.values[value as usize].rule, Rule::Source))
            .collect();
        let uniformity = analyze(&lowered.problem, &Options::default());
        let found = breaches(self.function, lowered, &uniformity, needs);
        for (&(_, value), rule) in parameters.iter().zip(rules) {
            lowered.problem.values[value as usize].rule = rule;
        }
        let broken: Vec<&Need> =
            needs.iter().zip(found).filter(|(_, breach)| breach.is_some()).map(|(&need, _)| need).collect();
        match (parameters, &broken[..]) {
            (_, []) => Vec::new(),
            (&[(index, _)], &[first, ..]) => vec![(index, first)],
            _ => {
                let (some, others) = parameters.split_at(parameters.len() / 2);
                let mut all = self.deciding(some, &broken, lowered);
                all.extend(self.deciding(others, &broken, lowered));
                all
            }
        }
    }

    /// What the operation that is behind a need asks for.
    fn reason(&self, need: &Need) -> Requirement {
        if let What::Call(requirement) = &need.what {
            return Requirement { full_mask: need.full_mask, ..requirement.clone() };
        }
        let Need { inst, scope, ref callee, tolerates_missing, full_mask, .. } = *need;
        let at = Anchor::inst(self.id, self.function, inst);
        Requirement { scope, kind: RequirementKind::Entry, full_mask, operation: callee.clone(), at, tolerates_missing }
    }
}
