//! Running clang and opt.
//!
//! What they are given comes from inputs, so: a path is an argument that is nothing but a path ([`path_argument`]), they have a time and a size
//! ([`Bounds`]), and they end with us ([`ending`](crate::ending)). What they do with a file is theirs: they are the user's own programs.

use std::ffi::OsString;
use std::fmt;
use std::io::{self, Read, Write};
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use reconverge_files::{Refusal, read_stream};

use crate::ending::OwnChild;

/// What a tool may use up.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Bounds {
    /// How long it may run; one that is read as it prints, how long until it prints more.
    pub(crate) time: Duration,
    /// How many bytes it may print.
    pub(crate) bytes: u64,
}

/// Why a tool has no answer.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The system says so.
    System(io::Error),
    /// It took too long.
    Time(Duration),
    /// It printed too much.
    Size(u64),
}

impl fmt::Display for Failure {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::System(error) => write!(formatter, "cannot be run: {error}"),
            Failure::Time(limit) => {
                let seconds = limit.as_secs();
                write!(
                    formatter,
                    "was ended after {seconds} s without an answer; --tool-timeout SECONDS gives it longer"
                )
            }
            Failure::Size(limit) => {
                write!(formatter, "was ended after printing {limit} bytes; --max-memory SIZE lets it print more")
            }
        }
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Failure {
        Failure::System(error)
    }
}

/// A path as an argument that is nothing else: a name that begins with `-` would be an option, with `@` a file of more arguments.
pub(crate) fn path_argument(path: &Path) -> OsString {
    match path.as_os_str().as_encoded_bytes() {
        [b'-' | b'@', ..] => Path::new(".").join(path).into_os_string(),
        _ => path.as_os_str().to_owned(),
    }
}

/// What a command says of its version, in one line; none where it does not end well.
///
/// # Errors
/// As [`run`].
pub(crate) fn version(path: &Path, bounds: Bounds) -> Result<Option<String>, Failure> {
    let mut command = Command::new(path);
    command.arg("--version");
    let output = run(command, None, bounds)?;
    let said = String::from_utf8_lossy(&output.stdout);
    let line = said.lines().map(str::trim).find(|line| line.contains("version")).unwrap_or_default();
    Ok(output.status.success().then(|| line.to_owned()))
}

/// Runs a command to its end, with `input` as its standard input. It has `bounds.time` from now on.
///
/// # Errors
/// When it cannot be started, takes too long or prints too much; it is over then.
pub(crate) fn run(mut command: Command, input: Option<Vec<u8>>, bounds: Bounds) -> Result<Output, Failure> {
    let deadline = Instant::now().checked_add(bounds.time);
    let left = || deadline.map_or(bounds.time, |deadline| deadline.saturating_duration_since(Instant::now()));
    let stdin = if input.is_some() { Stdio::piped() } else { Stdio::null() };
    let mut child = OwnChild::spawn(command.stdin(stdin).stdout(Stdio::piped()).stderr(Stdio::piped()))?;
    // If we are killed, it still ends some day.
    bound(child.child().id(), bounds, Some(bounds.time));
    feed(&mut child, input);
    // Threads of their own: whoever has got hold of a pipe may keep it open for ever.
    let stdout = child.child().stdout.take().map(|pipe| collect(pipe, bounds.bytes));
    let stderr = child.child().stderr.take().map(|pipe| collect(pipe, bounds.bytes));
    let mut text = |pipe: Option<Receiver<Result<Vec<u8>, Refusal>>>| match pipe {
        None => Ok(Vec::new()),
        Some(pipe) => loop {
            // Now and then it is asked whether the child is over: what it has left behind ends with it, and lets go of the pipe.
            match pipe.recv_timeout(left().min(TICK)) {
                Ok(Ok(bytes)) => return Ok(bytes),
                Ok(Err(Refusal::System(error))) => return Err(Failure::System(error)),
                Ok(Err(_)) => return Err(Failure::Size(bounds.bytes)),
                Err(RecvTimeoutError::Disconnected) => return Ok(Vec::new()),
                Err(RecvTimeoutError::Timeout) if left().is_zero() => return Err(Failure::Time(bounds.time)),
                Err(RecvTimeoutError::Timeout) => drop(child.try_wait()?),
            }
        },
    };
    let (stdout, stderr) = (text(stdout)?, text(stderr)?);
    let mut pause = Duration::from_micros(100);
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Output { status, stdout, stderr });
        }
        if left().is_zero() {
            return Err(Failure::Time(bounds.time));
        }
        thread::sleep(pause.min(left()));
        pause = (pause * 2).min(TICK);
    }
}

/// How often something is looked at that says nothing by itself.
const TICK: Duration = Duration::from_millis(50);

/// Writes to a child, which may end without having read all of it.
fn feed(child: &mut OwnChild, input: Option<Vec<u8>>) {
    if let (Some(mut stdin), Some(input)) = (child.child().stdin.take(), input) {
        thread::spawn(move || drop(stdin.write_all(&input)));
    }
}

/// Reads a pipe to its end.
fn collect(pipe: impl Read + Send + 'static, limit: u64) -> Receiver<Result<Vec<u8>, Refusal>> {
    let (sender, receiver) = channel();
    thread::spawn(move || drop(sender.send(read_stream(pipe, limit, 0))));
    receiver
}

/// Bounds the memory of a process, and, where `time` is given, that of its processor.
#[cfg(target_os = "linux")]
fn bound(process: u32, bounds: Bounds, time: Option<Duration>) {
    use rustix::process::{Pid, Resource, Rlimit, prlimit};
    /// A compiler needs some.
    const LEAST: u64 = 4 << 30;
    // Without a number these would be our own limits.
    let Some(process) = i32::try_from(process).ok().and_then(Pid::from_raw) else { return };
    let set = |resource, limit| {
        // It may be over, or its limit lower already.
        let _ = prlimit(Some(process), resource, Rlimit { current: Some(limit), maximum: Some(limit) });
    };
    set(Resource::As, bounds.bytes.max(LEAST));
    if let Some(time) = time {
        // Several threads use more than time passes.
        set(Resource::Cpu, time.as_secs().saturating_mul(4).saturating_add(1));
    }
}

#[cfg(not(target_os = "linux"))]
fn bound(_: u32, _: Bounds, _: Option<Duration>) {}

/// A child whose standard error is read as it comes.
#[derive(Debug)]
pub(crate) struct Streaming {
    shared: Arc<Shared>,
    bounds: Bounds,
}

/// What the reader and the watchdog of a child have in common.
#[derive(Debug)]
struct Shared {
    child: Mutex<OwnChild>,
    watch: Mutex<Watch>,
}

#[derive(Debug, Default)]
struct Watch {
    /// Since when somebody waits for more.
    waiting_since: Option<Instant>,
    is_too_late: bool,
    is_over: bool,
}

/// What a child prints; the time of the child runs while somebody waits for it.
#[derive(Debug)]
pub(crate) struct Watched<R> {
    pipe: R,
    shared: Arc<Shared>,
}

fn lock<T>(of: &Mutex<T>) -> MutexGuard<'_, T> {
    of.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Starts a command that prints to standard error; the rest of what it prints is dropped.
///
/// # Errors
/// When it cannot be started.
pub(crate) fn stream(
    mut command: Command,
    input: Vec<u8>,
    bounds: Bounds,
) -> Result<(Streaming, Watched<impl Read + use<>>), Failure> {
    let mut child = OwnChild::spawn(command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::piped()))?;
    bound(child.child().id(), bounds, None);
    feed(&mut child, Some(input));
    let Some(pipe) = child.child().stderr.take() else {
        return Err(Failure::System(io::Error::other("it has no standard error")));
    };
    let shared = Arc::new(Shared { child: Mutex::new(child), watch: Mutex::default() });
    let watched = Arc::clone(&shared);
    thread::spawn(move || {
        loop {
            thread::sleep(TICK);
            let mut watch = lock(&watched.watch);
            if watch.is_over {
                return;
            }
            if watch.waiting_since.is_some_and(|since| since.elapsed() >= bounds.time) {
                watch.is_too_late = true;
                lock(&watched.child).kill();
                return;
            }
        }
    });
    Ok((Streaming { shared: Arc::clone(&shared), bounds }, Watched { pipe, shared }))
}

impl<R: Read> Read for Watched<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        lock(&self.shared.watch).waiting_since = Some(Instant::now());
        let read = self.pipe.read(buffer);
        lock(&self.shared.watch).waiting_since = None;
        read
    }
}

impl Streaming {
    /// Waits for the end of a child of which everything was read. Whether it was a success.
    ///
    /// # Errors
    /// When it took too long.
    pub(crate) fn end(&self) -> Result<bool, Failure> {
        let start = Instant::now();
        loop {
            if lock(&self.shared.watch).is_too_late {
                return Err(Failure::Time(self.bounds.time));
            }
            if let Some(status) = lock(&self.shared.child).try_wait()? {
                return Ok(status.success());
            }
            if start.elapsed() >= self.bounds.time {
                lock(&self.shared.child).kill();
                return Err(Failure::Time(self.bounds.time));
            }
            thread::sleep(Duration::from_millis(1));
        }
    }
}

impl Drop for Streaming {
    /// Nobody reads what comes.
    fn drop(&mut self) {
        lock(&self.shared.watch).is_over = true;
        lock(&self.shared.child).kill();
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    const BOUNDS: Bounds = Bounds { time: Duration::from_secs(60), bytes: 1000 };

    fn shell(script: &str) -> Command {
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        command
    }

    #[test]
    fn paths_are_nothing_but_paths() {
        for (path, argument) in [
            ("a.cu", "a.cu"),
            ("/a/@b", "/a/@b"),
            ("@a.cu", "./@a.cu"),
            ("@src/a.cu", "./@src/a.cu"),
            ("-a.cu", "./-a.cu"),
            ("-", "./-"),
            ("../-a", "../-a"),
        ] {
            assert_eq!(path_argument(Path::new(path)), argument);
        }
    }

    #[test]
    fn what_goes_in_comes_out() {
        let output = run(shell("cat; echo two >&2; exit 3"), Some(b"one".to_vec()), BOUNDS).expect("it ends");
        assert_eq!((output.stdout, output.stderr, output.status.code()), (b"one".to_vec(), b"two\n".to_vec(), Some(3)));
        let output = run(shell("cat"), None, BOUNDS).expect("it ends");
        assert_eq!(output.stdout, b"");
        // It does not read, and that is no error.
        let output = run(shell("exit 0"), Some(vec![0; 1 << 20]), BOUNDS).expect("it ends");
        assert!(output.status.success());
    }

    #[test]
    fn bounds() {
        let late = run(shell("sleep 1000"), None, Bounds { time: Duration::from_millis(200), ..BOUNDS });
        assert!(matches!(late, Err(Failure::Time(_))), "{late:?}");
        // Closing its output does not help.
        let script = "exec >&- 2>&-; sleep 1000";
        let late = run(shell(script), None, Bounds { time: Duration::from_millis(200), ..BOUNDS });
        assert!(matches!(late, Err(Failure::Time(_))), "{late:?}");
        let much = run(shell("yes"), None, BOUNDS);
        assert!(matches!(much, Err(Failure::Size(1000))), "{much:?}");
    }

    /// What a child leaves behind holds the pipe, and ends with the child.
    #[test]
    fn what_is_left_behind_ends() {
        let start = Instant::now();
        let output = run(shell("sleep 1000 & echo $!"), None, BOUNDS).expect("it ends");
        assert!(start.elapsed() < Duration::from_secs(30));
        let left = String::from_utf8(output.stdout).expect("a number");
        // One that is over and not waited for says so with a Z.
        let is_there = || {
            let state = Command::new("ps").args(["-o", "stat=", "-p", left.trim()]).output().expect("there is a ps");
            state.stdout.trim_ascii().first().is_some_and(|&state| state != b'Z')
        };
        for _ in 0..500 {
            if !is_there() {
                return;
            }
            thread::sleep(Duration::from_millis(10));
        }
        panic!("{left} is still there");
    }

    #[test]
    fn streams_are_watched_while_somebody_waits() {
        let bounds = Bounds { time: Duration::from_millis(300), ..BOUNDS };
        let (child, mut watched) = stream(shell("echo one >&2; sleep 1000"), Vec::new(), bounds).expect("it starts");
        thread::sleep(Duration::from_millis(600));
        let mut text = String::new();
        watched.read_to_string(&mut text).expect("it ends");
        assert_eq!(text, "one\n");
        assert!(matches!(child.end(), Err(Failure::Time(_))));
        let (child, mut watched) = stream(shell("cat >&2"), b"two".to_vec(), bounds).expect("it starts");
        watched.read_to_string(&mut text).expect("it ends");
        assert_eq!((text.as_str(), child.end().expect("it ends")), ("one\ntwo", true));
    }
}
