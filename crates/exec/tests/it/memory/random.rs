//! Seeded random numbers.

use reconverge_testing::rounds::seeds;

/// SplitMix64.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.0;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        bits ^ (bits >> 31)
    }

    pub(crate) fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }

    pub(crate) fn percent(&mut self, percent: u64) -> bool {
        self.next() % 100 < percent
    }

    pub(crate) fn pick<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len())]
    }
}

/// Runs a test with so many seeds.
pub(crate) fn rounds(count: u64, test: impl Fn(u64)) {
    for seed in seeds(count) {
        let failed = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| test(seed)));
        if let Err(panic) = failed {
            eprintln!("failed with RECONVERGE_SEED={seed}");
            std::panic::resume_unwind(panic);
        }
    }
}
