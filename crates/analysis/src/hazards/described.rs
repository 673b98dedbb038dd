//! Breaches as findings: one for each cause, with the chain that leads to it.

use cranelift_entity::EntityRef;
use reconverge_findings::control::{Hazard, HazardBreach, Step, barrier_after_exit};
use reconverge_findings::{Code, Finding, Kind, Severity};
use rustc_hash::FxHashMap;

use super::{Breach, Broken, Finder, What, branch_of, judged};
use crate::target::Degree;
use crate::uniformity::Element;
use crate::uniformity::control::Parted;
use crate::uniformity::lower::Origin;
use crate::uniformity::report::Analysis;
use crate::uniformity::story::tell;

impl Finder<'_, '_> {
    /// A finding for each cause: see the opening of [`hazards`](super).
    pub(super) fn describe_all(
        &self,
        broken: &[Broken<'_>],
        sure: &Analysis<'_, '_>,
        maybe: &Analysis<'_, '_>,
    ) -> Vec<Finding> {
        let mut causes: Vec<(&Broken<'_>, Finding)> = Vec::new();
        // The same cause has the same of these; a loop with many exits has many causes.
        let mut alike: FxHashMap<_, Vec<usize>> = FxHashMap::default();
        for one in broken {
            let key =
                (one.need.code(one.is_certain), one.after_exit, one.parting.first().map(|&first| branch_of(first)));
            let alike = alike.entry(key).or_default();
            let is_same = |&&index: &&usize| {
                let (other, _) = &causes[index];
                one.breach == other.breach && one.parting == other.parting && one.assumptions == other.assumptions
            };
            let known = alike.iter().find(|index| one.need.what.is_entry() && is_same(index)).copied();
            match known {
                Some(index) => causes[index].1.also.push(self.anchor(one.need.inst)),
                None => {
                    alike.push(causes.len());
                    causes.push((one, self.describe(one, if one.by_sure { sure } else { maybe }, sure)));
                }
            }
        }
        causes.into_iter().map(|(_, finding)| finding).collect()
    }

    /// `analysis` has the branches of the breach; in `sure`, only what is certain counts.
    fn describe(&self, broken: &Broken<'_>, analysis: &Analysis<'_, '_>, sure: &Analysis<'_, '_>) -> Finding {
        let Broken { need, breach, parting, is_certain, by_sure, example, assumptions, after_exit } = broken;
        let (from, what) = match breach {
            Breach::Argument(index) => {
                let argument = self.function.operands(need.inst)[*index as usize];
                (analysis.lowered.index_of(argument).map(Element::Value), HazardBreach::Argument(*index))
            }
            Breach::Parted(parting) => {
                let first = parting.first().copied();
                let what = match first {
                    Some(Parted::Exit(exit, _)) => {
                        let block = analysis.lowered.block_of(exit.edge.0);
                        HazardBreach::Iterations(block.map(|(block, _)| self.anchor(self.function.terminator(block))))
                    }
                    _ => HazardBreach::Paths,
                };
                (first.map(|parted| Element::Branch(branch_of(parted))), what)
            }
        };
        let requirement = match &need.what {
            What::Operation(_) | What::Operand(..) => None,
            What::Call(requirement) => Some(requirement.clone()),
        };
        let others = judged::others(parting).filter_map(|branch| analysis.lowered.block_of(branch));
        let hazard = Hazard {
            scope: need.scope,
            requirement,
            breach: what,
            is_sure: *by_sure,
            example: *example,
            assumptions: assumptions.clone(),
            others: others.map(|(block, _)| (block, self.anchor(self.function.terminator(block)))).collect(),
            after_exit: after_exit.then(|| barrier_after_exit(&need.operation().name(self.module))),
        };
        let (code, severity) = match (hazard.after_exit, is_certain) {
            (Some(severity), true) => (Code::RC0209, severity),
            (Some(_), false) => (Code::RC0209, Severity::Warning),
            (None, true) if !need.tolerates_missing => (need.code(true), Severity::Error),
            (None, _) => (need.code(false), Severity::Warning),
        };
        Finding {
            severity,
            certainty: if *is_certain { Degree::Certain } else { Degree::Possible },
            chain: from.map(|from| chain(analysis, sure, from)).unwrap_or_default(),
            ..Finding::new(code, self.anchor(need.inst), Kind::Hazard(hazard))
        }
    }
}

/// The way from something divergent back to the cause: a source, or what is only because of it not certain, such as a
/// load from an address that does differ between threads.
pub(super) fn chain(analysis: &Analysis<'_, '_>, sure: &Analysis<'_, '_>, from: Element) -> Vec<Step> {
    // The two have other values besides those of the function.
    let is_sure = |element: Element| match element {
        Element::Value(value) => match analysis.lowered.origins[value as usize] {
            Origin::Value(value) => {
                sure.lowered.index_of(value).is_some_and(|index| sure.uniformity.values[index as usize].is_some())
            }
            _ => false,
        },
        Element::Branch(node) => sure.uniformity.branches.get(node.index()).is_some_and(Option::is_some),
    };
    let elements = analysis.uniformity.chain(from);
    let becomes_sure = elements.iter().skip(1).position(|&(element, _)| is_sure(element));
    let last = becomes_sure.filter(|_| !is_sure(from)).unwrap_or(elements.len());
    let mut steps = tell(analysis, from);
    steps.truncate(last + 1);
    steps
}
