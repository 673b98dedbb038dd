//! A progress bar for work that takes more than a second, when somebody is watching.

use std::io::{IsTerminal, stderr};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// The bar; invisible during the first second, and always where standard error is no terminal.
pub(crate) struct Progress {
    bar: ProgressBar,
    /// Dropping it tells the thread that would show the bar that there is no need.
    running: Option<Sender<()>>,
}

impl Progress {
    /// Starts the clock.
    pub(crate) fn start() -> Progress {
        let bar = ProgressBar::with_draw_target(Some(0), ProgressDrawTarget::hidden());
        if !stderr().is_terminal() {
            return Progress { bar, running: None };
        }
        if let Ok(style) = ProgressStyle::with_template("{spinner} {pos}/{len} files {wide_msg} {elapsed}") {
            bar.set_style(style);
        }
        let (running, stopped) = channel::<()>();
        let shown = bar.clone();
        std::thread::spawn(move || {
            if stopped.recv_timeout(Duration::from_secs(1)) == Err(RecvTimeoutError::Timeout) && !shown.is_finished() {
                shown.set_draw_target(ProgressDrawTarget::stderr());
                shown.enable_steady_tick(Duration::from_millis(100));
            }
        });
        Progress { bar, running: Some(running) }
    }

    /// There are `count` more things to do.
    pub(crate) fn expect(&self, count: usize) {
        self.bar.inc_length(count as u64);
    }

    /// Work on `name` begins.
    pub(crate) fn begin(&self, name: &str) {
        self.bar.set_message(name.to_owned());
    }

    /// One thing is done.
    pub(crate) fn advance(&self) {
        self.bar.inc(1);
    }

    /// Runs `work`, which consists of `total` steps, or of a number that is not known where that is 0; `sample` says now and then how many are done, and what else there is to
    /// say. `steps` is what they are called.
    pub(crate) fn watch<R>(
        &self,
        total: u64,
        steps: &str,
        sample: impl Fn() -> (u64, String) + Send,
        work: impl FnOnce() -> R,
    ) -> R {
        const PAUSE: Duration = Duration::from_millis(200);
        if self.running.is_none() {
            return work();
        }
        let of = if total > 0 { "/{len}" } else { "" };
        let template = format!("{{spinner}} {{pos}}{of} {steps} {{wide_msg}} {{elapsed}}");
        if let Ok(style) = ProgressStyle::with_template(&template) {
            self.bar.set_style(style);
        }
        self.bar.set_length(total);
        let (working, stopped) = channel::<()>();
        std::thread::scope(|scope| {
            scope.spawn(move || {
                while stopped.recv_timeout(PAUSE) == Err(RecvTimeoutError::Timeout) {
                    let (done, message) = sample();
                    self.bar.set_position(done);
                    self.bar.set_message(message);
                }
            });
            let result = work();
            drop(working);
            result
        })
    }

    /// Runs `write` with the bar out of the way.
    pub(crate) fn aside<R>(&self, write: impl FnOnce() -> R) -> R {
        self.bar.suspend(write)
    }

    /// Takes the bar away.
    pub(crate) fn finish(&self) {
        self.bar.finish_and_clear();
    }
}
