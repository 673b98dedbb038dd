//! Being ended from outside: nothing outlives the program, and no temporary file is left.
//!
//! Children run in process groups of their own, so that what they have started can be ended with them; Ctrl-C in a terminal then does not reach them,
//! and who ends us has to end them. What must not outlive us is in one list. A signal takes the lock of that list and never gives it back, so that
//! nothing can be added between the end of its children and our own.
//!
//! A file that is mapped and made smaller is a signal (SIGBUS) to whoever looks at what is gone. That one looks again and again, and each time asks the thread that
//! waits for signals to end the program. The handler is not chained to that of Rust's runtime, which ends the program without a word.
//!
//! A signal that was ignored when we were started, as `nohup` and shells do for what runs in the background, stays ignored.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus};
#[cfg(unix)]
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use tempfile::NamedTempFile;

use crate::exit::Status;

/// What must not outlive us.
struct Held {
    /// The numbers of children; each is that of its group, too.
    children: Vec<u32>,
    files: Vec<PathBuf>,
}

static HELD: Mutex<Held> = Mutex::new(Held { children: Vec::new(), files: Vec::new() });

fn held() -> MutexGuard<'static, Held> {
    HELD.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What Ctrl-C does in place of ending us; whether it did.
type OnInterrupt = Box<dyn Fn() -> bool + Send>;

static ON_INTERRUPT: Mutex<Option<OnInterrupt>> = Mutex::new(None);

/// Ctrl-C asks `handler` from now on: where that says no, it ends the program with status 130.
pub(crate) fn on_interrupt(handler: impl Fn() -> bool + Send + 'static) {
    *ON_INTERRUPT.lock().unwrap_or_else(PoisonError::into_inner) = Some(Box::new(handler));
}

/// Whether a file that is mapped was made smaller.
#[cfg(unix)]
static IS_SMALLER: AtomicBool = AtomicBool::new(false);

#[cfg(unix)]
extern "C" fn on_bus_error(_: libc::c_int) {
    use rustix::process::{Signal, getpid, kill_process};
    IS_SMALLER.store(true, Ordering::Relaxed);
    let _ = kill_process(getpid(), Signal::USR1);
}

#[cfg(unix)]
const MADE_SMALLER: &[u8] = b"reconverge: an input was made smaller while it was read\n";

/// From now on signals end children first. Where there can be no handler, they do what they always do.
#[cfg(unix)]
pub(crate) fn watch_signals() {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM, SIGUSR1};
    use signal_hook::iterator::Signals;

    let ignored = ignored_signals();
    let is_ignored = |signal: &i32| ignored >> (signal - 1) & 1 == 1;
    let wanted = [SIGINT, SIGTERM, SIGHUP].into_iter().filter(|signal| !is_ignored(signal)).chain([SIGUSR1]);
    let Ok(mut signals) = Signals::new(wanted) else { return };
    // SAFETY: what the handler does, a store to an atomic and a system call, may be done in one.
    #[expect(unsafe_code, reason = "a handler that is not chained")]
    unsafe {
        libc::signal(libc::SIGBUS, on_bus_error as *const () as libc::sighandler_t)
    };
    let watch = move || {
        for signal in signals.forever() {
            let handler = ON_INTERRUPT.lock().unwrap_or_else(PoisonError::into_inner);
            match (signal, &*handler) {
                (SIGINT, Some(handler)) if handler() => continue,
                (SIGINT, Some(_)) => {
                    let _last = end_everything();
                    std::process::exit(130);
                }
                (SIGUSR1, _) if IS_SMALLER.load(Ordering::Relaxed) => {
                    let _last = end_everything();
                    // Whoever is stopped may hold the lock of `std::io::stderr`.
                    let _ = rustix::io::write(rustix::stdio::stderr(), MADE_SMALLER);
                    std::process::exit(2);
                }
                _ => {}
            }
            let _last = end_everything();
            // Whoever waits for us sees which signal it was.
            let _ = signal_hook::low_level::emulate_default_handler(signal);
            std::process::exit(128 + signal);
        }
    };
    let _ = std::thread::Builder::new().name("signals".to_owned()).spawn(watch);
}

#[cfg(not(unix))]
pub(crate) fn watch_signals() {}

/// The signals that are ignored, a bit each, where the system says so.
#[cfg(unix)]
fn ignored_signals() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0)
}

/// Ends the program when all is done. What an allocator does when a program is left would take longer than the work on a small input.
pub(crate) fn exit(status: Status) -> ! {
    // Who reads what is printed may have gone.
    let _ = io::stdout().flush();
    #[cfg(unix)]
    signal_hook::low_level::exit(status.code());
    #[cfg(not(unix))]
    std::process::exit(status.code());
}

/// Ends children, and lets others be started.
pub(crate) fn end_children() {
    held().children.iter().for_each(|&child| kill_group(child));
}

/// Ends children and removes files. Nothing is started or made as long as the result lives.
pub(crate) fn end_everything() -> impl Sized {
    let held = held();
    held.children.iter().for_each(|&child| kill_group(child));
    held.files.iter().for_each(|file| drop(std::fs::remove_file(file)));
    held
}

/// Ends all of a process group. It may be gone already.
#[cfg(unix)]
fn kill_group(leader: u32) {
    use rustix::process::{Pid, Signal, kill_process_group};
    if let Some(leader) = i32::try_from(leader).ok().and_then(Pid::from_raw) {
        let _ = kill_process_group(leader, Signal::KILL);
    }
}

#[cfg(not(unix))]
fn kill_group(_: u32) {}

/// A child that ends when this does, with all that it has started and not made independent.
#[derive(Debug)]
pub(crate) struct OwnChild {
    child: Child,
    is_over: bool,
}

impl OwnChild {
    /// Starts a child.
    ///
    /// # Errors
    /// When it cannot be started.
    pub(crate) fn spawn(command: &mut Command) -> io::Result<OwnChild> {
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(command, 0);
        let mut held = held();
        let child = command.spawn()?;
        held.children.push(child.id());
        Ok(OwnChild { child, is_over: false })
    }

    /// The child, for its pipes.
    pub(crate) fn child(&mut self) -> &mut Child {
        &mut self.child
    }

    /// How it ended, if it has; what it has left running ends then.
    ///
    /// # Errors
    /// When the system cannot say.
    pub(crate) fn try_wait(&mut self) -> io::Result<Option<ExitStatus>> {
        // Its number is nobody else's before the list no longer has it.
        let mut held = held();
        let status = self.child.try_wait()?;
        if status.is_some() && !self.is_over {
            self.is_over = true;
            kill_group(self.child.id());
            held.children.retain(|&child| child != self.child.id());
        }
        Ok(status)
    }

    /// Ends it.
    pub(crate) fn kill(&mut self) {
        let mut held = held();
        if !self.is_over {
            self.is_over = true;
            kill_group(self.child.id());
            let _ = self.child.kill();
            let _ = self.child.wait();
            held.children.retain(|&child| child != self.child.id());
        }
    }
}

impl Drop for OwnChild {
    fn drop(&mut self) {
        self.kill();
    }
}

/// A temporary file that is there as long as this, or takes the place of another.
#[derive(Debug)]
pub(crate) struct Temporary {
    file: Option<NamedTempFile>,
}

impl Temporary {
    /// Makes one.
    ///
    /// # Errors
    /// When it cannot be made.
    pub(crate) fn create(make: impl FnOnce() -> io::Result<NamedTempFile>) -> io::Result<Temporary> {
        let mut held = held();
        let file = make()?;
        held.files.push(file.path().to_owned());
        Ok(Temporary { file: Some(file) })
    }

    /// The file, open for writing.
    pub(crate) fn as_file(&self) -> &std::fs::File {
        self.file.as_ref().expect("it is there until this is taken").as_file()
    }

    /// Puts it in the place of another.
    ///
    /// # Errors
    /// When it cannot be moved there; it is gone then.
    pub(crate) fn persist(mut self, path: &Path) -> io::Result<()> {
        let mut held = held();
        let Some(file) = self.file.take() else { return Ok(()) };
        held.files.retain(|held| held != file.path());
        file.persist(path).map(drop).map_err(|error| error.error)
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        let Some(file) = self.file.take() else { return };
        let mut held = held();
        held.files.retain(|held| held != file.path());
    }
}
