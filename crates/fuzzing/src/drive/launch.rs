//! The grammar of launches.

use reconverge_testing::random::SplitMix64;

use super::Outcome;

pub(super) fn launch(rng: &mut SplitMix64) -> Outcome {
    let _ = rng;
    Outcome { past_reader: true, ..Outcome::default() }
}
