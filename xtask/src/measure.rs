//! Running commands and measuring them.
//!
//! Machines are noisy and shared, so commands that are compared take turns, and the figure of each is
//! its fastest run: what disturbs a run only ever makes it slower. A command that takes long gets fewer turns.
//! A [`Condition`] says what the machine did just before a run, as pages that were just given back cost less.

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

/// What happens before a run that counts.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Condition {
    /// Nothing but the runs of the others.
    AsItComes,
    /// A run of the same command, that does not count.
    Warm,
    /// Five seconds of nothing.
    Cold,
}

const IDLE: Duration = Duration::from_secs(5);

/// The fastest of several runs.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Measured {
    pub(crate) time: Duration,
    /// How long processors worked for that run, in the command and in the kernel.
    pub(crate) user_time: Duration,
    pub(crate) system_time: Duration,
    /// The least time that processors worked for a run.
    pub(crate) processor_time: Duration,
    /// Whether that is only how long the command was allowed to run.
    pub(crate) is_cut_off: bool,
    /// The most memory that any run had, in bytes.
    pub(crate) peak_memory: u64,
}

/// Runs every contender `runs` times, in turns.
pub(crate) fn measure(contenders: &[Contender], runs: usize, condition: Condition) -> Result<Vec<Measured>> {
    let nothing = Measured {
        time: Duration::MAX,
        user_time: Duration::ZERO,
        system_time: Duration::ZERO,
        processor_time: Duration::MAX,
        is_cut_off: false,
        peak_memory: 0,
    };
    let mut measured = vec![nothing; contenders.len()];
    let mut spent = vec![Duration::ZERO; contenders.len()];
    for _ in 0..runs {
        for ((contender, best), spent) in contenders.iter().zip(&mut measured).zip(&mut spent) {
            if *spent >= ENOUGH {
                continue;
            }
            match condition {
                Condition::AsItComes => {}
                Condition::Warm => *spent += run_once(contender)?.time,
                Condition::Cold => std::thread::sleep(IDLE),
            }
            let run = run_once(contender)?;
            *spent += run.time;
            let others = (best.processor_time.min(run.processor_time), best.peak_memory.max(run.peak_memory));
            if run.time < best.time {
                *best = run;
            }
            (best.processor_time, best.peak_memory) = others;
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
    let (user_time, system_time) = (used.rusage.utime, used.rusage.stime);
    let processor_time = user_time + system_time;
    Ok(Measured { time, user_time, system_time, processor_time, is_cut_off, peak_memory: used.rusage.maxrss })
}
