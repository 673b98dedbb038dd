//! What tells the launches in which threads diverge from those in which they do not.

use reconverge_findings::control::{Assumption, Measure};
use reconverge_ir::function::Value;

use super::launches::Limits;
use super::{Question, Sample};
use crate::target::Scope;

/// So many launches with a property have to be there.
const FEWEST: usize = 3;

/// Properties such that threads diverge in no launch that has all of them, as the assumptions that one does not hold: one of the shape, one of a
/// compared value, or one of each.
pub(super) fn find(question: &Question, samples: &[Sample], scope: Scope, limits: &Limits) -> Vec<Assumption> {
    let shapes = of_shapes(scope, limits, samples);
    let values = of_values(question, samples, limits);
    let explains = |assumptions: &[&Candidate]| {
        let mut without = samples.iter().filter(|sample| assumptions.iter().all(|one| one.holds_not(sample)));
        let count = without.clone().count();
        count >= FEWEST && without.all(|sample| sample.diverges.is_none())
    };
    let single = shapes.iter().chain(&values).find(|one| explains(&[one])).map(|one| vec![one]);
    let pair = || {
        let pairs = shapes.iter().flat_map(|shape| values.iter().map(move |value| vec![shape, value]));
        pairs.into_iter().find(|pair| explains(pair))
    };
    let found = single.or_else(pair).unwrap_or_default();
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
                value(compared).is_some_and(|value| value >= 0 && value % measure(of) == 0)
            }
            Assumption::ExtentAbove { extent, number } => sample.shape.extents[usize::from(extent)] <= number,
            Assumption::Below { value: compared, of } => value(compared).is_some_and(|value| value >= measure(of)),
        }
    }
}

fn of_shapes(scope: Scope, limits: &Limits, samples: &[Sample]) -> Vec<Candidate> {
    let mut found = Vec::new();
    let sizes: Vec<u32> = {
        let mut sizes: Vec<u32> = samples.iter().map(|sample| sample.shape.subgroup as u32).collect();
        sizes.sort_unstable();
        sizes.dedup();
        sizes
    };
    for extent in (0..3u8).filter(|&extent| limits.read[usize::from(extent)] || extent == 0) {
        if scope == Scope::Subgroup
            && let [size] = sizes[..]
        {
            for multiple in [size, 2 * size, 4 * size] {
                found.push(Assumption::NoMultiple { value: None, of: Measure::Number(multiple), extent });
            }
        }
        let constants = limits.constants.iter().filter_map(|&constant| u32::try_from(constant).ok());
        let above = constants.filter(|constant| *constant < 1024);
        found.extend(above.map(|number| Assumption::ExtentAbove { extent, number }));
    }
    found.into_iter().map(|assumption| Candidate { assumption, compared: 0 }).collect()
}

fn of_values(question: &Question, samples: &[Sample], limits: &Limits) -> Vec<Candidate> {
    let sizes = samples.iter().map(|sample| sample.shape.subgroup as u32);
    let subgroup = sizes.max().unwrap_or(32);
    let mut found = Vec::new();
    for (compared, &value) in question.compared.iter().enumerate() {
        let extents = (0..3).filter(|&extent| limits.read[usize::from(extent)]).map(Measure::Extent);
        let below = extents.clone().chain([Measure::Workgroup]).map(|of| Assumption::Below { value, of });
        let multiple = |of| Assumption::NoMultiple { value: Some(value), of, extent: 0 };
        let multiples = extents.chain([Measure::Workgroup, Measure::Number(subgroup)]).map(multiple);
        found.extend(below.chain(multiples).map(|assumption| Candidate { assumption, compared }));
    }
    found
}
