//! The executor against definitions, and the analysis against the executor, on random kernels.
//!
//! `RECONVERGE_ROUNDS` multiplies the number of runs; `RECONVERGE_SEED` sets the first seed, which a failure prints. A kernel
//! is a function of its seed: `cargo run -p reconverge-testing --example random -- kernel SEED` prints one.

mod claims;
mod converged;
mod schedules;
mod uniform;

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use reconverge_exec::launch::{
    AnchorPolicy, Argument, Contents, Element, Launch, Limits, MaskReading, Model, Outcome, Schedule,
};
use reconverge_testing::random::SplitMix64;
use reconverge_testing::random::kernels::Kernel;

fn environment(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().map_or(default, |value| value.parse().expect("a number"))
}

/// The seeds of a test that does so many by default; for no rounds the first alone, to look at a failure.
fn seeds(count: u64) -> std::ops::Range<u64> {
    let first = environment("RECONVERGE_SEED", 1);
    match environment("RECONVERGE_ROUNDS", 1) {
        0 => first..first + 1,
        rounds => first..first + count * rounds,
    }
}

/// Does something for each seed, on all cores. Reading a module is parallel in itself, and a thread that waits for another in
/// the same pool would begin with the next seed in the middle of this one: so each core has a pool of its own.
fn for_each_seed<R: Send>(
    seeds: std::ops::Range<u64>,
    work: impl Fn(u64) -> R + Sync,
    identity: impl Fn() -> R + Sync,
    add: impl Fn(R, R) -> R + Sync,
) -> R {
    let next = AtomicU64::new(seeds.start);
    let one_core = || {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("threads can be started");
        pool.install(|| {
            let seeds = std::iter::from_fn(|| Some(next.fetch_add(1, Relaxed)).filter(|&seed| seed < seeds.end));
            seeds.map(&work).fold(identity(), &add)
        })
    };
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..cores).map(|_| scope.spawn(one_core)).collect();
        threads.into_iter().map(|thread| thread.join().expect("no seed fails")).fold(identity(), &add)
    })
}

/// A launch of a random kernel with random data.
fn launch(kernel: &Kernel, rng: &mut SplitMix64, model: Model, schedule: Schedule) -> Launch {
    let [x, y] = kernel.shape.block;
    let groups = 1 + rng.below(3) as u32;
    let threads = u64::from(x * y);
    let buffer = |length: u64, contents: Contents| Argument::Buffer { element: Element::U32, length, contents };
    // Often few different numbers, so that different threads can load the same.
    let most = [2, 5, 1 << 20][rng.below(3)];
    let inputs = (0..Kernel::INPUTS).flat_map(|_| (rng.below(most) as u32).to_le_bytes()).collect();
    let scalar = |value: usize| Argument::Scalar(value.to_string());
    let arguments = [
        ("in", buffer(Kernel::INPUTS, Contents::Bytes(inputs))),
        ("out", buffer(Kernel::OUTPUTS * threads * u64::from(groups), Contents::Zero)),
        ("a", scalar(rng.below(9))),
        ("b", scalar(rng.below(1 << 16))),
        ("n", scalar(threads as usize)),
        ("nx", scalar(x as usize)),
    ];
    Launch {
        kernel: "k".to_owned(),
        grid: [groups, 1, 1],
        block: [x, y, 1],
        subgroup: kernel.shape.subgroup,
        arguments: arguments.into_iter().map(|(name, argument)| (name.to_owned(), argument)).collect(),
        model,
        schedule,
        anchors: [AnchorPolicy::Maximal, AnchorPolicy::Solo][rng.below(2)],
        masks: MaskReading::Partition,
        limits: Limits {
            instructions: 1_000 + 150 * threads * u64::from(groups),
            stack: 1 << 12,
            memory: 1 << 20,
            calls: 8,
        },
        threads: 1,
        max_events: 0,
        races: true,
    }
}

/// The codes of what a run found.
fn codes(outcome: &Outcome) -> Vec<&'static str> {
    outcome.diagnostics.iter().map(|diagnostic| diagnostic.code.name()).collect()
}
