//! The random and differential tests, with more rounds than the everyday suite takes.

use std::process::Command;

use anyhow::{Context, Result, ensure};
use clap::Args;

#[derive(Debug, Args)]
pub(crate) struct Soak {
    /// How many times the rounds of the everyday suite; 50 gives 100 000 random programs against LLVM, and a million runs of
    /// random kernels that contradict no claim of uniformity
    #[arg(long, default_value_t = 50)]
    rounds: u32,
    /// The seed to start from
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// The test with the claims of uniformity takes more rounds than the others.
const CLAIMS: &str = "what_differs_between_converged_threads_is_called_divergent";
const MORE_CLAIMS: u32 = 4;

impl Soak {
    pub(crate) fn run(&self) -> Result<()> {
        self.test(self.rounds, &["--workspace", "--", "--nocapture", "--skip", CLAIMS])?;
        let rounds = self.rounds.saturating_mul(MORE_CLAIMS);
        self.test(rounds, &["--package", "reconverge-testing", "--test", "soundness", "--", "--nocapture", CLAIMS])
    }

    fn test(&self, rounds: u32, arguments: &[&str]) -> Result<()> {
        let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_string());
        let status = Command::new(cargo)
            .args(["test", "--release"])
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
