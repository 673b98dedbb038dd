//! What happens when this program is wrong: a panic costs one input, in one line, and never looks like a finding or a success.

use std::panic::{self, AssertUnwindSafe, PanicHookInfo};

use crate::output;

/// From now on a panic is one line on standard error; with `RUST_BACKTRACE`, what Rust says of it follows.
pub(crate) fn report_panics() {
    let usual = panic::take_hook();
    panic::set_hook(Box::new(move |panic| {
        output::complain(&describe(panic));
        if std::env::var_os("RUST_BACKTRACE").is_some() {
            usual(panic);
        }
    }));
}

fn describe(panic: &PanicHookInfo<'_>) -> String {
    let place = panic.location().map(|location| format!(" in {}:{}", location.file(), location.line()));
    let payload = panic.payload();
    let message = payload.downcast_ref::<&str>().copied().or(payload.downcast_ref::<String>().map(String::as_str));
    let message = message.unwrap_or("no reason is known");
    format!(
        "internal error{}: {message}; this is a bug of reconverge {}, please report it with the input",
        place.unwrap_or_default(),
        env!("CARGO_PKG_VERSION")
    )
}

/// Runs something that may panic; nothing where it did, which has been said by then.
pub(crate) fn contained<R>(work: impl FnOnce() -> R) -> Option<R> {
    // What was touched is dropped with the input; output is flushed in whole pieces.
    panic::catch_unwind(AssertUnwindSafe(work)).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_contained() {
        assert_eq!(contained(|| 7), Some(7));
        let none: Option<u32> = contained(|| panic!("on purpose"));
        assert_eq!(none, None);
    }
}
