//! Ctrl-C ends a run; what was known by then is still printed.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use reconverge_exec::Control;

use crate::ending;

/// What Ctrl-C acts on.
#[derive(Clone, Default)]
pub(super) struct Interrupt {
    pressed: Arc<AtomicBool>,
    running: Arc<Mutex<Arc<Control>>>,
}

impl Interrupt {
    /// From now on Ctrl-C ends what runs, and Ctrl-C once more ends the program.
    pub(super) fn install() -> Interrupt {
        let interrupt = Interrupt::default();
        let handler = interrupt.clone();
        ending::on_interrupt(move || {
            let is_first = !handler.pressed.swap(true, Ordering::Relaxed);
            if is_first {
                handler.current().cancel.store(true, Ordering::Relaxed);
            }
            is_first
        });
        interrupt
    }

    /// What the next run is to be watched and ended by.
    pub(super) fn begin(&self) -> Arc<Control> {
        let control = Arc::new(Control::default());
        *self.running.lock().unwrap_or_else(PoisonError::into_inner) = Arc::clone(&control);
        // It may have been pressed between two runs.
        control.cancel.store(self.is_pressed(), Ordering::Relaxed);
        control
    }

    fn current(&self) -> Arc<Control> {
        Arc::clone(&self.running.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Whether Ctrl-C was pressed.
    pub(super) fn is_pressed(&self) -> bool {
        self.pressed.load(Ordering::Relaxed)
    }
}
