//! Runs an installed opt.

//! It reads modules from its standard input: no name of a file can then be an option, and what is compared is what was read.

use std::io::{BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::Command;

use super::dumps::Dumps;
use crate::tool::{self, Bounds, Failure, Streaming};

/// An opt that runs.
#[derive(Debug)]
pub(crate) struct Opt {
    pub(crate) path: PathBuf,
    /// What it says of its version.
    pub(crate) version: String,
    bounds: Bounds,
}

/// The oldest LLVM whose text is read, and whose opt knows all of the flags.
const OLDEST: u32 = 15;

/// The opt that is asked for, else that on the path.
///
/// # Errors
/// When there is none, or none that is new enough: what to do about it.
pub(crate) fn find(asked: Option<&Path>, bounds: Bounds) -> Result<Opt, String> {
    let candidates = match asked {
        Some(path) => vec![path.to_owned()],
        None => ["opt-22", "opt"].map(PathBuf::from).to_vec(),
    };
    let mut too_old = None;
    for path in candidates {
        match tool::version(&path, bounds) {
            Ok(Some(version)) => match major(&version) {
                Some(OLDEST..) => return Ok(Opt { path, version, bounds }),
                Some(major) => too_old = Some((path, major)),
                None => {}
            },
            Err(failure @ Failure::Time(_)) => return Err(format!("{} --version {failure}", path.display())),
            Ok(None) | Err(_) => {}
        }
    }
    Err(match (asked, too_old) {
        (_, Some((path, version))) => {
            format!("{} is of LLVM {version}; the opt of LLVM {OLDEST} to 22 is needed", path.display())
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
fn major(version: &str) -> Option<u32> {
    let (_, number) = version.split_once("LLVM version ")?;
    number.split(|c: char| !c.is_ascii_digit()).next()?.parse().ok()
}

/// A run of opt that goes on.
pub(super) struct Running {
    child: Streaming,
    pub(super) dumps: Dumps<BufReader<Box<dyn Read + Send>>>,
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
    pub(super) fn initial(&self, module: &[u8]) -> Result<Vec<u8>, String> {
        let mut command = Command::new(&self.path);
        command.args(["-passes=verify", "-S", "-o", "-", "-"]);
        let output =
            tool::run(command, Some(module.to_owned()), self.bounds).map_err(|failure| self.failed(&failure))?;
        if output.status.success() {
            return Ok(output.stdout);
        }
        let message = String::from_utf8_lossy(&output.stderr).into_owned();
        Err(self.reason(message.lines()))
    }

    /// What passes that print have to say of a module, which they do on standard error.
    ///
    /// # Errors
    /// When opt rejects the module, with what it says.
    pub(crate) fn print(&self, passes: &str, module: Vec<u8>) -> Result<String, String> {
        let mut command = Command::new(&self.path);
        command.arg(format!("-passes={passes}")).args(["-disable-output", "-"]);
        let output = tool::run(command, Some(module), self.bounds).map_err(|failure| self.failed(&failure))?;
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        if output.status.success() { Ok(said) } else { Err(self.reason(said.lines())) }
    }

    /// Starts a pipeline; each pass is followed by the verifier.
    ///
    /// # Errors
    /// When opt cannot be run.
    pub(super) fn start(&self, module: Vec<u8>, passes: &str) -> Result<Running, String> {
        let mut command = Command::new(&self.path);
        command
            .args([
                "-print-after-all",
                "-print-module-scope",
                "-verify-each",
                "-opt-bisect-limit=-1",
                "-disable-output",
            ])
            .arg(format!("-passes={passes}"))
            .arg("-");
        let (child, output) = tool::stream(command, module, self.bounds).map_err(|failure| self.failed(&failure))?;
        let output: Box<dyn Read + Send> = Box::new(output);
        let dumps = Dumps::new(BufReader::with_capacity(1 << 18, output), self.bounds.bytes);
        Ok(Running { child, dumps })
    }

    fn failed(&self, failure: &Failure) -> String {
        format!("{} {failure}", self.path.display())
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
        let is_success = match running.child.end() {
            Ok(is_success) => is_success,
            Err(failure) => return End::Failed(self.failed(&failure)),
        };
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
