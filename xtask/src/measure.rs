//! Running commands and measuring them.
//!
//! Machines are noisy and shared, so commands that are compared take turns, and the figure of each is
//! its fastest run: what disturbs a run only ever makes it slower. A command that takes long gets fewer turns.

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use wait4::Wait4;

/// A command that has run for so long, all its runs together, is not run again.
const ENOUGH: Duration = Duration::from_secs(30);
/// The longest that a command may run, in seconds.
const LIMIT: &str = "120";
/// The exit status of `timeout` when the command ran longer.
const TIMED_OUT: i32 = 124;

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
    /// The least time that processors worked for a run.
    pub(crate) processor_time: Duration,
    /// Whether that is only how long the command was allowed to run.
    pub(crate) is_cut_off: bool,
    /// The most memory that any run had, in bytes.
    pub(crate) peak_memory: u64,
}

/// Runs every contender `runs` times, in turns.
pub(crate) fn measure(contenders: &[Contender], runs: usize) -> Result<Vec<Measured>> {
    let nothing = Measured { time: Duration::MAX, processor_time: Duration::MAX, is_cut_off: false, peak_memory: 0 };
    let mut measured = vec![nothing; contenders.len()];
    let mut spent = vec![Duration::ZERO; contenders.len()];
    for _ in 0..runs {
        for ((contender, best), spent) in contenders.iter().zip(&mut measured).zip(&mut spent) {
            if *spent >= ENOUGH {
                continue;
            }
            let run = run_once(contender)?;
            *spent += run.time;
            best.time = best.time.min(run.time);
            best.processor_time = best.processor_time.min(run.processor_time);
            best.is_cut_off = run.is_cut_off;
            best.peak_memory = best.peak_memory.max(run.peak_memory);
        }
    }
    Ok(measured)
}

fn run_once(contender: &Contender) -> Result<Measured> {
    let start = Instant::now();
    let mut child = Command::new("timeout")
        .arg(LIMIT)
        .args(&contender.command)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .context("cannot run timeout")?;
    // Of a command that waits for another one, this is the larger of the two.
    let used = child.wait4().context("cannot wait for timeout")?;
    let time = start.elapsed();
    let status = used.status.code().unwrap_or(-1);
    let is_cut_off = status == TIMED_OUT;
    let is_fine = is_cut_off || contender.accepted.contains(&status);
    ensure!(is_fine, "{}: exit status {status}", contender.command.join(" "));
    let processor_time = used.rusage.utime + used.rusage.stime;
    Ok(Measured { time, processor_time, is_cut_off, peak_memory: used.rusage.maxrss })
}
