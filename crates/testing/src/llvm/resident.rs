//! LLVM's reader and verifier in processes that stay. They say what `llvm-as` says; to start that takes ten times as long
//! as to read a small module.

use std::io::{Read, Write};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::{Mutex, PoisonError};

use anyhow::{Context, Result, ensure};
use tempfile::TempDir;

use super::{Tools, VERSION, head, run};

/// Processes that read modules, as many as threads asked at the same time.
#[derive(Debug)]
pub struct Assemblers {
    program: PathBuf,
    idle: Mutex<Vec<Assembler>>,
    _folder: TempDir,
}

impl Assemblers {
    /// Makes the program.
    ///
    /// # Errors
    ///
    /// When the installed clang cannot make it: without LLVM's library, for one.
    pub fn new(tools: &Tools) -> Result<Assemblers> {
        let folder = TempDir::new().context("a folder for a program that calls LLVM")?;
        let (source, program) = (folder.path().join("resident.c"), folder.path().join("resident"));
        std::fs::write(&source, include_str!("resident.c"))?;
        let library = format!("-lLLVM-{VERSION}");
        let output = run(&tools.clang, [source.as_os_str(), "-o".as_ref(), program.as_os_str(), library.as_ref()])?;
        ensure!(output.status.success(), "clang says: {}", head(&String::from_utf8_lossy(&output.stderr)));
        Ok(Assemblers { program, idle: Mutex::default(), _folder: folder })
    }

    /// Reads and verifies a module. `Ok(Err(message))` when LLVM refuses it.
    ///
    /// # Errors
    ///
    /// When the program ends, which it does not do because of a module.
    pub fn assemble(&self, module: &str) -> Result<Result<(), String>> {
        let idle = || self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        let waiting = idle().pop();
        let mut assembler = waiting.map_or_else(|| Assembler::start(&self.program), Ok)?;
        let message = assembler.ask(module.as_bytes()).context("a program that calls LLVM ended")?;
        idle().push(assembler);
        Ok(if message.is_empty() { Ok(()) } else { Err(String::from_utf8_lossy(&message).into_owned()) })
    }
}

#[derive(Debug)]
struct Assembler(Child);

impl Assembler {
    fn start(program: &PathBuf) -> Result<Assembler> {
        let child = Command::new(program).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
        Ok(Assembler(child.context("starting a program that calls LLVM")?))
    }

    /// What is wrong with a module; nothing where it is accepted.
    fn ask(&mut self, module: &[u8]) -> Result<Vec<u8>> {
        let (input, output) = self.0.stdin.as_mut().zip(self.0.stdout.as_mut()).context("its streams are piped")?;
        input.write_all(&u32::try_from(module.len())?.to_ne_bytes())?;
        input.write_all(module)?;
        input.flush()?;
        let mut length = [0; 4];
        output.read_exact(&mut length)?;
        let mut message = vec![0; u32::from_ne_bytes(length) as usize];
        output.read_exact(&mut message)?;
        Ok(message)
    }
}

impl Drop for Assembler {
    fn drop(&mut self) {
        // Its input is closed first, which ends it.
        let _ended = self.0.wait();
    }
}

#[cfg(test)]
mod tests {
    use crate::llvm;

    #[test]
    fn it_says_what_llvm_as_says() {
        let (Some(tools), Some(assemblers)) = (llvm::tools(), llvm::assemblers()) else { return };
        let texts = [
            "define void @f() {\n  ret void\n}\n",
            "",
            "define nonsense",
            "define i32 @f() {\n  ret i64 0\n}\n",
            "define i32 @f(i1 %c) {\n  br i1 %c, label %a, label %b\na:\n  %x = add i32 1, 2\n  br label %b\nb:\n  ret i32 %x\n}\n",
        ];
        for text in texts {
            let (resident, once) = (assemblers.assemble(text).unwrap(), tools.assemble(text).unwrap());
            assert_eq!(resident.is_ok(), once.is_ok(), "{text}");
            if let (Err(resident), Err(once)) = (resident, once) {
                let first = resident.lines().next().and_then(|line| line.rsplit(": ").next());
                assert!(first.is_some_and(|first| !first.is_empty() && once.contains(first)), "{resident}\n{once}");
            }
        }
    }
}
