//! Copies of one place of the source: instances of templates, and what is inlined into several functions.

use reconverge_findings::{Code, Finding};
use reconverge_ir::{DebugLocation, FunctionId, Module};
use rustc_hash::FxHashMap;

use crate::uniformity::lower::{body_of_kernel, kernel_of_body};

/// What tells findings of copies of the code apart: the rule, where the operation and the deciding branch are, and where the function
/// that they were inlined into is called, up to the outermost one.
#[derive(PartialEq, Eq, Hash)]
struct Identity {
    code: Code,
    places: Vec<(String, u32, u32)>,
}

impl Identity {
    /// Nothing for what is not in the source.
    fn of(module: &Module<'_>, finding: &Finding) -> Option<Identity> {
        let operation = module.debug_location(finding.at.location?)?;
        let deciding = finding.chain.first().and_then(|step| module.debug_location(step.at.location?));
        let place = |at: &DebugLocation| (at.file.clone(), at.line, at.column);
        // A copy of its body in a kernel is written where the body is.
        let copied = usize::from(finding.at.function.is_some_and(|id| body_of_kernel(module, id).is_some()));
        let outermost = operation.inlined_at.iter().rev().nth(copied).map(place);
        let places = [place(&operation)].into_iter().chain(outermost).chain(deciding.as_ref().map(place)).collect();
        Some(Identity { code: finding.code, places })
    }
}

/// What is found in several instances of one function of the source is one finding: the first of the worst stays, and lists the functions that the others are
/// in. Of two findings in one function, both stay.
pub(crate) fn merge(module: &Module<'_>, findings: &mut Vec<Finding>) {
    let mut seen: FxHashMap<Identity, usize> = FxHashMap::default();
    let mut kept: Vec<Finding> = Vec::with_capacity(findings.len());
    for finding in findings.drain(..) {
        let identity = finding.code.is_about_threads().then(|| Identity::of(module, &finding)).flatten();
        let known = identity.as_ref().and_then(|identity| seen.get(identity)).copied();
        let known = known.filter(|&first| kept[first].at.function != finding.at.function);
        match (known, identity) {
            (Some(first), _) => {
                let first = &mut kept[first];
                let mut other = finding;
                // The worst of them is told.
                if other.severity > first.severity {
                    other.instances = std::mem::take(&mut first.instances);
                    std::mem::swap(first, &mut other);
                }
                let is_new = |id: &FunctionId| {
                    !first.instances.contains(id)
                        && kernel_of_body(module, *id).is_none_or(|of| first.at.function != Some(of))
                };
                first.instances.extend(other.at.function.filter(is_new));
            }
            (None, identity) => {
                if let Some(identity) = identity {
                    seen.entry(identity).or_insert(kept.len());
                }
                kept.push(finding);
            }
        }
    }
    *findings = kept;
}
