//! Runs an installed opt.

use std::io::BufReader;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStderr, Command, Stdio};

use super::dumps::Dumps;

/// An opt that runs.
#[derive(Debug)]
pub(super) struct Opt {
    pub(super) path: PathBuf,
}

/// The oldest LLVM whose text is read, and whose opt knows all of the flags.
const OLDEST: u32 = 15;

/// The opt that is asked for, else that on the path.
///
/// # Errors
/// When there is none, or none that is new enough: what to do about it.
pub(super) fn find(asked: Option<&Path>) -> Result<Opt, String> {
    let candidates = match asked {
        Some(path) => vec![path.to_owned()],
        None => ["opt-22", "opt"].map(PathBuf::from).to_vec(),
    };
    let mut too_old = None;
    for path in candidates {
        match version(&path) {
            Some(version) if version >= OLDEST => return Ok(Opt { path }),
            Some(version) => too_old = Some((path, version)),
            None => {}
        }
    }
    Err(match (asked, too_old) {
        (_, Some((path, version))) => {
            format!("{} is of LLVM {version}; bisect needs the opt of LLVM {OLDEST} to 22 (--opt PATH)", path.display())
        }
        (Some(path), None) => format!("{} is no opt that can be run", path.display()),
        (None, None) => {
            "there is no opt-22 or opt on the path; install LLVM 22 (the package llvm-22 of Debian and Ubuntu, llvm of Homebrew), \
             or say where an opt is with --opt PATH"
                .to_owned()
        }
    })
}

/// The major version that an opt says it is of.
fn version(path: &Path) -> Option<u32> {
    let output = Command::new(path).arg("--version").stdin(Stdio::null()).output().ok()?;
    let text = String::from_utf8_lossy(&output.stdout);
    let (_, version) = text.split_once("LLVM version ")?;
    version.split(|c: char| !c.is_ascii_digit()).next()?.parse().ok()
}

/// A run of opt that goes on.
pub(super) struct Running {
    child: Child,
    pub(super) dumps: Dumps<BufReader<ChildStderr>>,
}

/// How a run of opt ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum End {
    /// All passes ran.
    Complete,
    /// A pass has made something that the verifier rejects, with what that says.
    Rejected(Vec<String>),
    /// Something else went wrong.
    Failed(String),
}

impl Opt {
    /// The module before any pass, as opt prints it.
    ///
    /// # Errors
    /// When opt rejects it, with what it says.
    pub(super) fn initial(&self, input: &Path) -> Result<Vec<u8>, String> {
        let output =
            Command::new(&self.path).args(["-passes=verify", "-S", "-o", "-"]).arg(input).stdin(Stdio::null()).output();
        let output = output.map_err(|error| format!("{} cannot be run: {error}", self.path.display()))?;
        if output.status.success() {
            return Ok(output.stdout);
        }
        let message = String::from_utf8_lossy(&output.stderr).into_owned();
        Err(self.reason(message.lines()))
    }

    /// Starts a pipeline; each pass is followed by the verifier.
    ///
    /// # Errors
    /// When opt cannot be run.
    pub(super) fn start(&self, input: &Path, passes: &str) -> Result<Running, String> {
        let mut child = Command::new(&self.path)
            .args([
                "-print-after-all",
                "-print-module-scope",
                "-verify-each",
                "-opt-bisect-limit=-1",
                "-disable-output",
            ])
            .arg(format!("-passes={passes}"))
            .arg(input)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(|error| format!("{} cannot be run: {error}", self.path.display()))?;
        let Some(stderr) = child.stderr.take() else { return Err("opt has no standard error".to_owned()) };
        Ok(Running { child, dumps: Dumps::new(BufReader::with_capacity(1 << 18, stderr)) })
    }

    /// What opt says first.
    fn reason<'m>(&self, messages: impl Iterator<Item = &'m str>) -> String {
        let name = self.path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let mut messages = messages.filter(|line| !line.starts_with("warning: "));
        let first = messages.next().unwrap_or("it gave no reason");
        let first = first.strip_prefix(&format!("{name}: ")).unwrap_or(first);
        format!("{}: {first}", self.path.display())
    }

    /// Waits for the end of a run, of which all dumps were read.
    pub(super) fn end(&self, running: &mut Running) -> End {
        let is_success = running.child.wait().is_ok_and(|status| status.success());
        let messages = running.dumps.messages();
        if is_success {
            return End::Complete;
        }
        let is_error = |line: &&String| line.starts_with("LLVM ERROR: ");
        match messages.iter().position(|line| line.starts_with("LLVM ERROR: Broken ")) {
            Some(end) => End::Rejected(messages[..end].iter().filter(|line| !is_chatter(line)).cloned().collect()),
            None => {
                let first = messages.iter().find(is_error).or(messages.iter().find(|line| !is_chatter(line)));
                End::Failed(self.reason(first.map(String::as_str).into_iter()))
            }
        }
    }
}

/// What opt says that is no reason for anything.
fn is_chatter(line: &str) -> bool {
    ["warning: ", "remark: "].iter().any(|start| line.contains(start))
}

impl Drop for Running {
    /// Nobody reads what comes.
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A module that is in no file, as one that opt can read.
///
/// # Errors
/// When it cannot be written.
pub(super) fn as_file(text: &[u8]) -> std::io::Result<tempfile::NamedTempFile> {
    let mut file = tempfile::Builder::new().prefix("reconverge-").suffix(".ll").tempfile()?;
    std::io::Write::write_all(&mut file, text)?;
    Ok(file)
}
