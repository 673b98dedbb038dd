//! Work that goes on: how far it is, and ending it early.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Ends work early, and is told how far it is. Clones act on the same work.
///
/// ```
/// use reconverge::{Control, ErrorKind, Input, Settings, cycles};
/// let control = Control::new();
/// control.cancel();
/// let settings = Settings { control, ..Settings::default() };
/// let module = reconverge::open(Input::new("f.ll", "define void @f() {\n  ret void\n}\n", None)?, &settings)?;
/// assert_eq!(cycles(&module, &Default::default()).unwrap_err().kind, ErrorKind::Cancelled);
/// # Ok::<(), reconverge::Error>(())
/// ```
#[derive(Clone, Default)]
pub struct Control {
    cancel: Arc<AtomicBool>,
    watcher: Option<Arc<dyn Fn(Progress) + Send + Sync>>,
}

/// How far work is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Progress {
    /// One more function is done.
    Function,
    /// A run has come so far.
    #[non_exhaustive]
    Run {
        /// Workgroups that have come to their end.
        workgroups: u64,
        /// Instructions, counted once for each thread that executed them.
        instructions: u64,
    },
    /// One more launch of a comparison is over.
    Launch,
}

impl Control {
    /// Of work that nobody watches.
    pub fn new() -> Control {
        Control::default()
    }

    /// Of work that tells `watcher` how far it is: often, and from any of its threads.
    pub fn watched(watcher: impl Fn(Progress) + Send + Sync + 'static) -> Control {
        Control { watcher: Some(Arc::new(watcher)), ..Control::default() }
    }

    /// Ends the work soon. Analyses answer with an error of kind [`Cancelled`](crate::ErrorKind::Cancelled): cycles, regions and uniformity after the functions that
    /// are being looked at, checks, traces and transforms when they are done. A run answers with what it has done so far. A comparison goes on: it has a
    /// number of launches, each of which is bounded.
    pub fn cancel(&self) {
        self.cancel.store(true, Ordering::Relaxed);
    }

    /// Whether it is to end.
    pub fn is_cancelled(&self) -> bool {
        self.cancel.load(Ordering::Relaxed)
    }

    /// Whether cancelling one cancels the other.
    pub fn is_same(&self, other: &Control) -> bool {
        Arc::ptr_eq(&self.cancel, &other.cancel)
    }

    pub(crate) fn flag(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.cancel)
    }

    pub(crate) fn tell(&self, progress: Progress) {
        if let Some(watcher) = &self.watcher {
            watcher(progress);
        }
    }

    pub(crate) fn is_watched(&self) -> bool {
        self.watcher.is_some()
    }
}

impl fmt::Debug for Control {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Control").field("is_cancelled", &self.is_cancelled()).finish_non_exhaustive()
    }
}
