//! How much tests with random inputs do, and where they start: nothing else reads these two variables.
//!
//! `RECONVERGE_SEED` is the first seed of a test. `RECONVERGE_ROUNDS` says how many times as much is done as a test is written to do; 0 is the first seed
//! alone, to look at a failure. Without it a fourth is done: it is for who changes a line and wants to know soon. The gate sets 1.

use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// A number that the environment gives, or else the default.
///
/// # Panics
///
/// When it is not a number.
pub fn environment(name: &str, default: u64) -> u64 {
    std::env::var(name).map_or(default, |value| value.parse().expect("a number"))
}

/// How many fourths of what it is written to do a test does; 0 for as little as there is.
fn fourths() -> u64 {
    std::env::var("RECONVERGE_ROUNDS").map_or(1, |rounds| 4 * rounds.parse::<u64>().expect("a number"))
}

/// Where a test begins.
pub fn first_seed() -> u64 {
    environment("RECONVERGE_SEED", 1)
}

/// How often a test does what it is written to do so many times: once at least.
pub fn times(count: u64) -> u64 {
    (count * fourths() / 4).max(1)
}

/// The seeds of a test that is written to do so many.
pub fn seeds(count: u64) -> Range<u64> {
    first_seed()..first_seed() + times(count)
}

/// One of how many is looked at where a test is written to look at one of so many.
pub fn stride(one_of: u64) -> usize {
    (one_of * 4 / fourths().max(1)).max(1) as usize
}

/// The same, where all are looked at when more is done than a test is written to do.
pub fn part(one_of: u64) -> usize {
    if is_thorough() { 1 } else { stride(one_of) }
}

/// Whether a test has its first seed alone, of which nothing is true that is true of many.
pub fn is_one_seed() -> bool {
    fourths() == 0
}

/// Whether less is done than a test is written to do, and what is true of many need not be true of these.
pub fn is_part() -> bool {
    fourths() < 4
}

/// Whether tests do more than they are written to do: all of what they otherwise take a part of.
pub fn is_thorough() -> bool {
    fourths() > 4
}

/// Whether tests do what takes long.
pub fn is_long() -> bool {
    fourths() >= 40
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
