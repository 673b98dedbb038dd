//! Runs inputs of a campaign; `cargo xtask fuzz` starts it.

#![forbid(unsafe_code)]

use anyhow::Context;
use reconverge_fuzzing::worker::{Task, work};

fn main() -> anyhow::Result<()> {
    let task = std::env::args().nth(1).context("a task, as JSON; cargo xtask fuzz gives it")?;
    let task: Task = serde_json::from_str(&task)?;
    work(&task)
}
