//! A progress bar for work that takes more than a second, when somebody is watching.

use std::io::{IsTerminal, stderr};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// The bar; invisible during the first second, and always where standard error is no terminal.
pub(crate) struct Progress {
    bar: ProgressBar,
    /// Dropping it tells the thread that would show the bar that there is no need.
    _running: Option<Sender<()>>,
}

impl Progress {
    /// Starts the clock.
    pub(crate) fn start() -> Progress {
        let bar = ProgressBar::with_draw_target(Some(0), ProgressDrawTarget::hidden());
        if !stderr().is_terminal() {
            return Progress { bar, _running: None };
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
        Progress { bar, _running: Some(running) }
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

    /// Runs `write` with the bar out of the way.
    pub(crate) fn aside<R>(&self, write: impl FnOnce() -> R) -> R {
        self.bar.suspend(write)
    }

    /// Takes the bar away.
    pub(crate) fn finish(&self) {
        self.bar.finish_and_clear();
    }
}
