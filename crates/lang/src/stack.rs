//! The stack that nested texts need: statements and expressions nest as deep as a text says. Whoever starts threads may give them [`SIZE`] and say so
//! ([`is_large`]); what needs it on another thread starts one. WebAssembly has no threads: there the limits of nesting are what the stack of the caller
//! holds ([`Limits::default`](crate::options::Limits)).

use std::cell::Cell;

/// How many bytes that is. They are only touched as far as they are needed.
pub const SIZE: usize = 1 << 30;

thread_local! {
    static IS_LARGE: Cell<bool> = const { Cell::new(false) };
}

/// The calling thread was started with a stack of [`SIZE`].
pub fn is_large() {
    IS_LARGE.set(true);
}

/// Runs something where there is that much stack.
#[cfg(target_family = "wasm")]
pub(crate) fn on_a_large_stack<T>(run: impl FnOnce() -> T) -> T {
    run()
}

/// Runs something where there is that much stack.
///
/// # Panics
/// When a thread is needed and none can be started, and as `run` does.
#[cfg(not(target_family = "wasm"))]
pub(crate) fn on_a_large_stack<T: Send>(run: impl FnOnce() -> T + Send) -> T {
    if IS_LARGE.get() {
        return run();
    }
    std::thread::scope(|scope| {
        std::thread::Builder::new()
            .stack_size(SIZE)
            .spawn_scoped(scope, run)
            .expect("a thread can be started")
            .join()
            .unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}
