//! The random and differential tests, with more rounds than the everyday suite takes.

use std::process::Command;

use anyhow::{Context, Result, ensure};
use clap::Args;

#[derive(Debug, Args)]
pub(crate) struct Soak {
    /// How many times the rounds of the everyday suite; 50 gives 100 000 random programs against LLVM
    #[arg(long, default_value_t = 50)]
    rounds: u32,
    /// The seed to start from
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

impl Soak {
    pub(crate) fn run(&self) -> Result<()> {
        let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_string());
        let arguments = ["test", "--release", "--workspace", "--", "--nocapture"];
        let status = Command::new(cargo)
            .args(arguments)
            .env("RECONVERGE_ROUNDS", self.rounds.to_string())
            .env("RECONVERGE_SEED", self.seed.to_string())
            .env("RECONVERGE_REQUIRE_LLVM", "1")
            .status()
            .context("cannot run cargo")?;
        ensure!(status.success(), "a test failed");
        Ok(())
    }
}
