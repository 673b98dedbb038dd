//! What tells the launches in which threads diverge from those in which they do not.

use reconverge_findings::control::{Assumption, Measure};
use reconverge_ir::function::Value;

use super::launches::Limits;
use super::{Question, Sample};
use crate::target::Scope;

/// So many launches with a property have to be there.
const FEWEST: usize = 6;

/// Properties such that threads diverge in no launch that has all of them, as the assumptions that one does not hold: one of the shape, one of a
/// compared value, or one of each; or the sizes in one dimension or two that the function takes for granted; or else, that the workgroup is larger than a
/// constant, where threads diverge in all such launches.
pub(super) fn find(question: &Question, samples: &[Sample], scope: Scope, limits: &Limits) -> Vec<Assumption> {
    let (shapes, values) = (of_shapes(scope, limits, samples), of_values(question, samples, scope, limits));
    let explains = |assumptions: &[&Candidate]| {
        let mut without = samples.iter().filter(|sample| assumptions.iter().all(|one| one.holds_not(sample)));
        without.clone().count() >= FEWEST && without.all(|sample| sample.diverges.is_none())
    };
    let is_exact = |one: &Candidate| {
        explains(&[one]) && samples.iter().all(|sample| one.holds_not(sample) == sample.diverges.is_none())
    };
    let above = extents_above(limits);
    let single = || shapes.iter().chain(&values).find(|one| explains(&[one])).map(|one| vec![one]);
    let pair = || {
        let mut pairs = shapes.iter().flat_map(|shape| values.iter().map(move |value| vec![shape, value]));
        pairs.find(|pair| explains(pair))
    };
    let large = || above.iter().find(|one| is_exact(one)).map(|one| vec![one]);
    let sizes = extents_multiplied(limits);
    let sizes = || {
        let single = sizes.iter().map(|one| vec![one]);
        let pairs =
            sizes.iter().enumerate().flat_map(|(at, one)| sizes[at + 1..].iter().map(move |other| vec![one, other]));
        single.chain(pairs).find(|sizes| explains(sizes))
    };
    let found = large().or_else(single).or_else(sizes).or_else(pair).unwrap_or_default();
    found.into_iter().map(|candidate| candidate.assumption).collect()
}

/// An assumption, and where the compared value is among those of the question.
struct Candidate {
    assumption: Assumption,
    compared: usize,
}

impl Candidate {
    /// Whether threads are said not to diverge in the launch: what is assumed does not hold.
    fn holds_not(&self, sample: &Sample) -> bool {
        let measure = |of: Measure| match of {
            Measure::Number(number) => i64::from(number),
            Measure::Extent(dimension) => i64::from(sample.shape.extents[usize::from(dimension)]),
            Measure::Workgroup => sample.shape.threads() as i64,
        };
        let value = |_: Value| sample.compared.get(self.compared).copied().flatten();
        match self.assumption {
            Assumption::NoMultiple { value: None, of, extent } => {
                i64::from(sample.shape.extents[usize::from(extent)]) % measure(of) == 0
            }
            Assumption::NoMultiple { value: Some(compared), of, .. } => {
                value(compared).is_some_and(|value| value > 0 && value % measure(of) == 0)
            }
            Assumption::ExtentIsNot { extent, number } => sample.shape.extents[usize::from(extent)] == number,
            Assumption::Differs { .. } | Assumption::SeveralSubgroups => false,
            Assumption::ExtentAbove { extent, number } => sample.shape.extents[usize::from(extent)] <= number,
            Assumption::Below { value: compared, of } => value(compared).is_some_and(|value| value >= measure(of)),
        }
    }
}

/// That an extent is no multiple of the size of a subgroup, or of a few.
fn of_shapes(scope: Scope, limits: &Limits, samples: &[Sample]) -> Vec<Candidate> {
    let Some(size) = subgroup_size(samples).filter(|_| scope == Scope::Subgroup) else { return Vec::new() };
    let multiples = [1, 2, 4].map(|count| Measure::Number(count * size));
    let of_extent = |extent| multiples.into_iter().map(move |of| Assumption::NoMultiple { value: None, of, extent });
    let assumptions = limits.dimensions().flat_map(of_extent);
    assumptions.map(|assumption| Candidate { assumption, compared: 0 }).collect()
}

/// That an extent is greater than a constant of the function.
fn extents_above(limits: &Limits) -> Vec<Candidate> {
    // Of those that no launch tells apart it is the largest: `threadIdx.x < 256`.
    let constants = limits.constants.iter().rev().filter_map(|&constant| u32::try_from(constant).ok());
    let numbers = constants.flat_map(|constant| [constant, constant - 1]);
    let numbers: Vec<u32> = numbers.filter(|&number| number > 0 && number < 1024).collect();
    let of_extent = |extent| numbers.iter().map(move |&number| Assumption::ExtentAbove { extent, number });
    limits.dimensions().flat_map(of_extent).map(|assumption| Candidate { assumption, compared: 0 }).collect()
}

/// That an extent is not what the function multiplies with, as one does with the size of a row.
fn extents_multiplied(limits: &Limits) -> Vec<Candidate> {
    let of_extent = |extent| limits.factors.iter().map(move |&number| Assumption::ExtentIsNot { extent, number });
    let assumptions = limits.dimensions().take(2).flat_map(of_extent);
    assumptions.map(|assumption| Candidate { assumption, compared: 0 }).collect()
}

/// The number of threads of a subgroup, if it is one in all launches.
fn subgroup_size(samples: &[Sample]) -> Option<u32> {
    let mut sizes = samples.iter().map(|sample| sample.shape.subgroup as u32);
    let first = sizes.next()?;
    sizes.all(|size| size == first).then_some(first)
}

/// That a compared value is less than something, or no multiple of it.
fn of_values(question: &Question, samples: &[Sample], scope: Scope, limits: &Limits) -> Vec<Candidate> {
    let subgroup = subgroup_size(samples).filter(|_| scope == Scope::Subgroup).map(Measure::Number);
    let sizes: Vec<Measure> = limits.dimensions().map(Measure::Extent).chain([Measure::Workgroup]).collect();
    let mut found = Vec::new();
    for (compared, &value) in question.compared.iter().enumerate() {
        let below = sizes.iter().map(|&of| Assumption::Below { value, of });
        let multiples =
            subgroup.iter().chain(&sizes).map(|&of| Assumption::NoMultiple { value: Some(value), of, extent: 0 });
        found.extend(below.chain(multiples).map(|assumption| Candidate { assumption, compared }));
    }
    found
}
