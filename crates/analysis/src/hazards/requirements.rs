//! What a function asks of its callers: that all threads enter it together, or that a parameter is uniform.

use reconverge_findings::{Anchor, Requirement, RequirementKind};
use reconverge_ir::ReadError;

use super::{Finder, Met, Need, What, breaches};
use crate::target::Scope;
use crate::uniformity::lower::{Lowered, Lowerer};
use crate::uniformity::{Options, Rule, analyze};

impl Finder<'_, '_> {
    /// What the function requires so that these needs, with which nothing is wrong so far, are met.
    pub(super) fn require(
        &self,
        met: &[Met<'_>],
        scope: Scope,
        required: &mut Vec<Requirement>,
    ) -> Result<(), ReadError> {
        if met.is_empty() {
            return Ok(());
        }
        if let Some(first) = met.iter().find(|met| met.need.what.is_entry()) {
            required.push(Requirement { scope, kind: RequirementKind::Entry, ..self.reason(first.need) });
        }
        let options = self.options(scope, false);
        let subject = self.subject(scope, false)?;
        let mut lowered = subject.lower(&mut Lowerer::default(), &options);
        let parameters = (0..).zip(&self.function.parameters);
        let parameters: Vec<(u32, u32)> =
            parameters.filter_map(|(index, &parameter)| Some((index, lowered.index_of(parameter)?))).collect();
        let met: Vec<&Met<'_>> = met.iter().collect();
        for (index, need) in self.deciding(&parameters, &met, &mut lowered) {
            let kind = RequirementKind::Parameter(index);
            required.push(Requirement { scope, kind, ..self.reason(need) });
        }
        Ok(())
    }

    /// The parameters that by themselves are enough for something to be wrong if threads have different ones, each with the first need that is not met then; those
    /// of a list of places and values. Nothing is wrong if one of them differs where nothing is if all do.
    fn deciding<'n>(&self, parameters: &[(u32, u32)], met: &[&Met<'n>], lowered: &mut Lowered) -> Vec<(u32, &'n Need)> {
        if parameters.is_empty() {
            return Vec::new();
        }
        let rules: Vec<Rule> = parameters
            .iter()
            .map(|&(_, value)| std::mem::replace(&mut lowered.problem.values[value as usize].rule, Rule::Source))
            .collect();
        let uniformity = analyze(&lowered.problem, &Options::default());
        let needs: Vec<&Need> = met.iter().map(|met| met.need).collect();
        let found = breaches(self.function, lowered, &uniformity, &needs);
        for (&(_, value), rule) in parameters.iter().zip(rules) {
            lowered.problem.values[value as usize].rule = rule;
        }
        let broken: Vec<&Met<'n>> = met
            .iter()
            .zip(found)
            .filter(|(met, breach)| breach.as_ref().is_some_and(|breach| met.is_broken_by(breach)))
            .map(|(&met, _)| met)
            .collect();
        match (parameters, &broken[..]) {
            (_, []) => Vec::new(),
            (&[(index, _)], &[first, ..]) => vec![(index, first.need)],
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
            return requirement.clone();
        }
        let Need { inst, scope, ref callee, tolerates_missing, .. } = *need;
        let at = Anchor::inst(self.id, self.function, inst);
        Requirement { scope, kind: RequirementKind::Entry, operation: callee.clone(), at, tolerates_missing }
    }
}
