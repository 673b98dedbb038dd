//! Ctrl-C ends a run; what was known by then is still printed.

use reconverge::Control;

use crate::ending;

/// From now on Ctrl-C ends what runs, and Ctrl-C once more ends the program.
pub(super) fn install(control: &Control) {
    let control = control.clone();
    ending::on_interrupt(move || {
        let is_first = !control.is_cancelled();
        control.cancel();
        is_first
    });
}
