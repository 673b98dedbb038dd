//! The executor against definitions, and the analysis against the executor, on random kernels.
//!
//! A kernel is a function of its seed: `cargo run -p reconverge-testing --example random -- kernel SEED` prints one.

mod butterflies;
mod claims;
mod converged;
mod objects;
mod pointers;
mod schedules;
mod sources;
mod strides;
mod uniform;

use reconverge_exec::launch::{AnchorPolicy, Launch, Limits, Model, Outcome, Schedule};
use reconverge_testing::random::SplitMix64;
use reconverge_testing::random::kernels::Kernel;
use reconverge_trials::launches;

/// A launch of a random kernel with random data.
fn launch(kernel: &Kernel, rng: &mut SplitMix64, model: Model, schedule: Schedule) -> Launch {
    let launch = launches::of_kernel(kernel, rng);
    let threads: u32 = launch.grid.iter().chain(&launch.block).product();
    let limits = Limits { instructions: 1_000 + 150 * u64::from(threads), ..launch.limits };
    let anchors = [AnchorPolicy::Maximal, AnchorPolicy::Solo][rng.below(2)];
    Launch { model, schedule, anchors, limits, max_events: 0, ..launch }
}

/// The codes of what a run found.
fn codes(outcome: &Outcome) -> Vec<&'static str> {
    outcome.findings.iter().map(|diagnostic| diagnostic.code.name()).collect()
}
