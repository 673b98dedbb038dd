//! LLVM's tools in processes that stay: what a tool does is what it does when it is started, and it is not loaded each time.
//!
//! The tool is started once with `resident.c` loaded, which divides the process for each call: one call does not see another.
//! Where clang cannot make that, each call starts the tool.

use std::collections::HashMap;
use std::ffi::OsString;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{self, Read, Write};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Output, Stdio};
use std::sync::{Mutex, OnceLock, PoisonError};

use anyhow::{Context, Result, ensure};
use tempfile::NamedTempFile;

use super::head;
use crate::corpus;

/// What is loaded into a tool.
const SOURCE: &str = include_str!("resident.c");

/// Runs a command to its end, both streams captured, as [`Command::output`] does. The command says program, arguments and
/// folder; its input is empty, and its environment that of the first call.
///
/// # Errors
///
/// When the program cannot be run.
pub fn output(command: &Command) -> io::Result<Output> {
    static IDLE: Mutex<Option<HashMap<OsString, Vec<Resident>>>> = Mutex::new(None);
    static LIBRARY: OnceLock<Result<PathBuf>> = OnceLock::new();
    let Ok(library) = LIBRARY.get_or_init(library) else { return once(command) };
    let with_idle = |work: &mut dyn FnMut(&mut Vec<Resident>)| {
        let mut idle = IDLE.lock().unwrap_or_else(PoisonError::into_inner);
        work(idle.get_or_insert_default().entry(command.get_program().to_owned()).or_default());
    };
    let mut resident = None;
    with_idle(&mut |idle| resident = idle.pop());
    let mut resident = match resident {
        Some(resident) => resident,
        None => Resident::start(command.get_program().as_ref(), library)?,
    };
    let output = resident.ask(command)?;
    let mut resident = Some(resident);
    with_idle(&mut |idle| idle.extend(resident.take()));
    Ok(output)
}

/// The same by a process that is started for it.
fn once(command: &Command) -> io::Result<Output> {
    let mut again = Command::new(command.get_program());
    again.args(command.get_args());
    command.get_current_dir().map(|folder| again.current_dir(folder));
    again.output()
}

/// The library to load, made by clang where it is not there yet.
fn library() -> Result<PathBuf> {
    let mut hash = DefaultHasher::new();
    SOURCE.hash(&mut hash);
    let path = corpus::folder().join(format!("resident-{:016x}.so", hash.finish()));
    if path.exists() {
        return Ok(path);
    }
    std::fs::create_dir_all(corpus::folder())?;
    let temporary = NamedTempFile::new_in(corpus::folder())?;
    let source = super::Input::new(SOURCE.as_bytes())?;
    let mut command = Command::new(super::find("clang")?);
    command.args(["-O1", "-shared", "-fPIC", "-x", "c"]).arg(&source.path).arg("-o").arg(temporary.path());
    let output = command.output()?;
    ensure!(output.status.success(), "clang says: {}", head(&String::from_utf8_lossy(&output.stderr)));
    temporary.persist(&path).context("a library that is loaded into tools")?;
    Ok(path)
}

#[derive(Debug)]
struct Resident(Child);

impl Resident {
    fn start(program: &Path, library: &Path) -> io::Result<Resident> {
        let mut command = Command::new(program);
        command.env("LD_PRELOAD", library).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        command.spawn().map(Resident)
    }

    fn ask(&mut self, command: &Command) -> io::Result<Output> {
        let folder = command.get_current_dir().unwrap_or(Path::new(".")).as_os_str();
        let mut texts = Vec::new();
        for text in [folder, command.get_program()].into_iter().chain(command.get_args()) {
            texts.extend_from_slice(text.as_bytes());
            texts.push(0);
        }
        let input = self.0.stdin.as_mut().ok_or(io::ErrorKind::BrokenPipe)?;
        input.write_all(&(texts.len() as u32).to_ne_bytes())?;
        input.write_all(&texts)?;
        input.flush()?;
        let status = ExitStatus::from_raw(self.number()? as i32);
        let stdout = self.content()?;
        Ok(Output { status, stdout, stderr: self.content()? })
    }

    fn number(&mut self) -> io::Result<u32> {
        let mut number = [0; 4];
        self.0.stdout.as_mut().ok_or(io::ErrorKind::BrokenPipe)?.read_exact(&mut number)?;
        Ok(u32::from_ne_bytes(number))
    }

    fn content(&mut self) -> io::Result<Vec<u8>> {
        let mut content = vec![0; self.number()? as usize];
        self.0.stdout.as_mut().ok_or(io::ErrorKind::BrokenPipe)?.read_exact(&mut content)?;
        Ok(content)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::llvm::{Tools, tools};

    /// What a tool says of texts, files and folders that are there and that are not.
    fn calls(tools: &Tools, folder: &Path) -> Vec<Command> {
        let text = |text: &str| {
            let path = folder.join(format!("{}.ll", text.len()));
            std::fs::write(&path, text).unwrap();
            path
        };
        let right = text("define void @f() {\n  ret void\n}\n");
        let wrong = text("define i32 @f() {\n  ret i64 0\n}\n");
        let mut calls = Vec::new();
        for (tool, arguments) in [
            (&tools.llvm_as, &["-o", "-"][..]),
            (&tools.opt, &["-S", "-passes=verify"]),
            (&tools.opt, &["-passes=print<cycles>", "-disable-output"]),
            (&tools.opt, &["-passes=no-such-pass"]),
            (&tools.clang, &["-x", "ir", "-S", "-o", "-"]),
        ] {
            for input in [right.as_path(), &wrong, Path::new("34.ll"), Path::new("no-such-file.ll")] {
                let mut command = Command::new(tool);
                command.args(arguments).arg(input).current_dir(folder);
                calls.push(command);
            }
        }
        let mut reads = Command::new(&tools.opt);
        reads.args(["-S", "-"]);
        calls.push(reads);
        calls
    }

    #[test]
    fn a_tool_that_stays_does_what_one_does_that_is_started() {
        let Some(tools) = tools() else { return };
        let folder = tempfile::tempdir().unwrap();
        for command in (0..2).flat_map(|_| calls(tools, folder.path())) {
            let (stays, started) = (output(&command).unwrap(), once(&command).unwrap());
            assert_eq!(stays, started, "{command:?}");
        }
    }
}
