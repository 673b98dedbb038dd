//! How much tests with random inputs do, and where they start.
//!
//! `RECONVERGE_SEED` is the first seed of a test, `RECONVERGE_ROUNDS` multiplies how many there are; 0 rounds are the first seed
//! alone, to look at a failure.

use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// A number that the environment gives, or else the default.
///
/// # Panics
///
/// When it is not a number.
pub fn environment(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().map_or(default, |value| value.parse().expect("a number"))
}

/// How many times as much as by default a test does; 0 for as little as there is.
pub fn rounds() -> u64 {
    environment("RECONVERGE_ROUNDS", 1)
}

/// The seeds of a test that does so many by default.
pub fn seeds(count: u64) -> Range<u64> {
    let first = environment("RECONVERGE_SEED", 1);
    match rounds() {
        0 => first..first + 1,
        rounds => first..first + count * rounds,
    }
}

/// Does something for each number, on all cores, and adds up what comes of it. Reading a module is parallel in itself, and a thread that waits for another in
/// the same pool would begin with the next number in the middle of this one: so each core has a pool of its own.
pub fn for_each<R: Send>(
    numbers: Range<u64>,
    work: impl Fn(u64) -> R + Sync,
    identity: impl Fn() -> R + Sync,
    add: impl Fn(R, R) -> R + Sync,
) -> R {
    let next = AtomicU64::new(numbers.start);
    let one_core = || {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("threads can be started");
        pool.install(|| {
            let mine = std::iter::from_fn(|| Some(next.fetch_add(1, Relaxed)).filter(|&number| number < numbers.end));
            mine.map(&work).fold(identity(), &add)
        })
    };
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..cores).map(|_| scope.spawn(one_core)).collect();
        threads.into_iter().map(|thread| thread.join().expect("no seed fails")).fold(identity(), &add)
    })
}
