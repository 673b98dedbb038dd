//! Findings in words.

use super::{Finding, Reason};
use crate::Location;

impl Finding {
    /// Why the implementation has a choice, as words that go on after a colon.
    pub fn why(&self) -> &'static str {
        match self.cause.reason {
            Reason::GotoCycle => "it is in a cycle made by a backward goto",
            Reason::EnteredIteration => "it is in a loop that is jumped into",
            Reason::EnteredStatement => "it is in a statement that is jumped into",
            Reason::Noconvergent => "it is in a statement marked noconvergent",
            Reason::UnrelatedTangles => "unrelated tangles of threads reach it",
            Reason::DifferentRounds => "threads reach it that left the cycle of a goto in different rounds",
            Reason::NonconvergentCall => "a call of its function is not convergent",
            Reason::Environment => "the environment does not say which threads are converged where its function starts",
        }
    }

    /// Other places that matter, with what is there.
    pub fn places(&self) -> Vec<(Location, &'static str)> {
        let start = match self.cause.reason {
            Reason::GotoCycle => "the cycle begins here",
            Reason::EnteredIteration => "the loop",
            Reason::EnteredStatement => "the statement",
            Reason::Noconvergent => "the statement",
            Reason::UnrelatedTangles => "they come here",
            Reason::DifferentRounds => "the label of the goto",
            Reason::NonconvergentCall | Reason::Environment => "the function",
        };
        let jump = self.jump.into_iter().flat_map(|(from, to)| [(from, "the jump"), (to, "where it leads")]);
        let mut places: Vec<(Location, &'static str)> = Vec::new();
        for (location, words) in std::iter::once((self.at, start)).chain(jump) {
            // The label is often where the cycle begins.
            if places.iter().all(|&(known, _)| known != location) {
                places.push((location, words));
            }
        }
        places
    }
}
