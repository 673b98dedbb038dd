//! Running commands and measuring them.
//!
//! Machines are noisy and shared, so commands that are compared take turns, and the figure of each is
//! its fastest run: what disturbs a run only ever makes it slower.

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use wait4::Wait4;

/// A command to measure, and the name it goes by.
pub(crate) struct Contender {
    pub(crate) name: String,
    pub(crate) command: Vec<String>,
    /// The exit statuses that count as having done the work.
    pub(crate) accepted: &'static [i32],
}

/// The fastest of several runs.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Measured {
    pub(crate) time: Duration,
    /// The most memory that any run had, in bytes.
    pub(crate) peak_memory: u64,
}

/// Runs every contender `runs` times, in turns.
pub(crate) fn measure(contenders: &[Contender], runs: usize) -> Result<Vec<Measured>> {
    let mut measured = vec![Measured { time: Duration::MAX, peak_memory: 0 }; contenders.len()];
    for _ in 0..runs {
        for (contender, best) in contenders.iter().zip(&mut measured) {
            let run = run_once(contender)?;
            best.time = best.time.min(run.time);
            best.peak_memory = best.peak_memory.max(run.peak_memory);
        }
    }
    Ok(measured)
}

fn run_once(contender: &Contender) -> Result<Measured> {
    let [program, arguments @ ..] = contender.command.as_slice() else { anyhow::bail!("no command to measure") };
    let start = Instant::now();
    let mut child = Command::new(program)
        .args(arguments)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .with_context(|| format!("cannot run {program}"))?;
    let used = child.wait4().with_context(|| format!("cannot wait for {program}"))?;
    let time = start.elapsed();
    let status = used.status.code().unwrap_or(-1);
    ensure!(contender.accepted.contains(&status), "{}: exit status {status}", contender.command.join(" "));
    Ok(Measured { time, peak_memory: used.rusage.maxrss })
}
