//! The random and differential tests, with more rounds than the everyday suite takes.

use std::process::Command;

use anyhow::{Context, Result, ensure};
use clap::Args;

#[derive(Debug, Args)]
pub(crate) struct Soak {
    /// How many times the rounds of the everyday suite; 50 gives 100 000 random programs against LLVM, a million runs of
    /// random kernels that contradict no claim of uniformity, 100 000 random programs that our own passes change, and 100 000
    /// random source programs under each text
    #[arg(long, default_value_t = 50)]
    rounds: u32,
    /// The seed to start from
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

// Tests that take more rounds than the others: the claims of uniformity, our own passes on random programs, and random source under three texts.
const CLAIMS: &str = "what_differs_between_converged_threads_is_called_divergent";
const MORE_CLAIMS: u32 = 8;
const OWN_PASSES: &str = "own_passes_keep_convergence";
const MORE_PASSES: u32 = 10;
const SOURCE_MODELS: &str = "has_its_sets";
const MORE_KERNELS: u32 = 20;

/// All tests but these.
fn skipping(names: &[&'static str]) -> Vec<&'static str> {
    let skipped = names.iter().flat_map(|&name| ["--skip", name]);
    ["--workspace", "--", "--nocapture"].into_iter().chain(skipped).collect()
}

impl Soak {
    pub(crate) fn run(&self) -> Result<()> {
        self.test(self.rounds, &skipping(&[CLAIMS, OWN_PASSES, SOURCE_MODELS]))?;
        for (name, more) in [(CLAIMS, MORE_CLAIMS), (OWN_PASSES, MORE_PASSES), (SOURCE_MODELS, MORE_KERNELS)] {
            let rounds = self.rounds.saturating_mul(more);
            self.test(rounds, &["--package", "reconverge-trials", "--test", "it", "--", "--nocapture", name])?;
        }
        Ok(())
    }

    fn test(&self, rounds: u32, arguments: &[&str]) -> Result<()> {
        let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_string());
        let status = Command::new(cargo)
            .args(["test", "--profile", "quick"])
            .args(arguments)
            .env("RECONVERGE_ROUNDS", rounds.to_string())
            .env("RECONVERGE_SEED", self.seed.to_string())
            .env("RECONVERGE_REQUIRE_LLVM", "1")
            .status()
            .context("cannot run cargo")?;
        ensure!(status.success(), "a test failed");
        Ok(())
    }
}
