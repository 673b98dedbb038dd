//! OpenCL kernels under an implementation that is not ours, as something to compare with.
//!
//! A case is a file with kernels and the launches to make of them, see [`case`]. One host program,
//! `crates/trials/reference/host.c`, runs them under any installed implementation: Oclgrind, a simulator that interprets the IR of
//! its own LLVM, or PoCL, which compiles for the processor. Both know OpenCL C 1.2; what is beyond that has a scalar version that they can run.
//!
//! Products and sums are not contracted on either side: [`PROLOGUE`] says so in front of every source.

pub mod case;
pub mod compile;
pub mod data;

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use anyhow::{Context, Result, bail, ensure};
use tempfile::TempDir;

use case::{Case, Value};
use reconverge_testing::llvm::{self, Tools};

/// What is put in front of a source, on its first line, so that the lines keep their numbers.
pub const PROLOGUE: &str = "#pragma OPENCL FP_CONTRACT OFF\n#line 1\n";

/// How the reference is asked to compile.
const OPTIONS: &str = "-cl-std=CL1.2 -cl-kernel-arg-info";

/// The exit status of the host program when a source does not build.
const CANNOT_BUILD: i32 = 3;

/// An OpenCL implementation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Implementation {
    /// The simulator.
    Oclgrind,
    /// Portable Computing Language.
    Pocl,
}

impl Implementation {
    /// All, the faster first.
    pub const ALL: [Implementation; 2] = [Implementation::Oclgrind, Implementation::Pocl];

    /// Its name, as in `// ONLY: oclgrind`.
    pub fn name(self) -> &'static str {
        match self {
            Implementation::Oclgrind => "oclgrind",
            Implementation::Pocl => "pocl",
        }
    }
}

/// The host program, and the implementations that it can run under.
#[derive(Debug)]
pub struct Host {
    /// What is installed.
    pub implementations: Vec<Implementation>,
    folder: TempDir,
}

/// The bytes of each buffer after a launch, by the name of the argument.
pub type Buffers = Vec<(String, Vec<u8>)>;

/// The host program, built once per process; `None` with a line on standard error when something is missing.
///
/// # Panics
///
/// When something is missing and `RECONVERGE_REQUIRE_LLVM` is `1`.
pub fn host(tools: &Tools) -> Option<&'static Host> {
    static HOST: OnceLock<Result<Host, String>> = OnceLock::new();
    match HOST.get_or_init(|| Host::build(tools).map_err(|error| format!("{error:#}"))) {
        Ok(host) => Some(host),
        Err(reason) => {
            let required = std::env::var(llvm::REQUIRE).is_ok_and(|value| value == "1");
            assert!(!required, "no OpenCL implementation, and {}=1: {reason}", llvm::REQUIRE);
            eprintln!("skipped: no OpenCL implementation ({reason})");
            None
        }
    }
}

impl Host {
    /// Compiles the host program and looks for implementations.
    ///
    /// # Errors
    ///
    /// When the headers or the loader of OpenCL are missing, or there is no implementation.
    pub fn build(tools: &Tools) -> Result<Host> {
        let folder = TempDir::new()?;
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("reference/host.c");
        let mut clang = Command::new(&tools.clang);
        clang.args(["-std=c11", "-O1", "-w"]).arg(source).arg("-o").arg(folder.path().join("host")).arg("-lOpenCL");
        let output = clang.output().context("running clang")?;
        ensure!(output.status.success(), "host.c does not compile: {}", String::from_utf8_lossy(&output.stderr));
        let mut host = Host { implementations: Vec::new(), folder };
        fs::write(host.folder.path().join("nothing"), "")?;
        for implementation in Implementation::ALL {
            let works = host.command(implementation, "nothing").output().is_ok_and(|output| output.status.success());
            if works {
                host.implementations.push(implementation);
            }
        }
        ensure!(!host.implementations.is_empty(), "neither oclgrind nor pocl works");
        Ok(host)
    }

    /// Runs all launches of a case; what their buffers hold afterwards, launch by launch.
    ///
    /// # Errors
    ///
    /// When the source does not build there, or a launch fails, with what the implementation says.
    pub fn run(&self, implementation: Implementation, case: &Case) -> Result<Vec<Buffers>> {
        let folder = tempfile::tempdir_in(self.folder.path())?;
        let at = |name: &str| folder.path().join(name);
        fs::write(at("source.cl"), format!("{PROLOGUE}{}", case.scalar_version.as_ref().unwrap_or(&case.source)))?;
        let mut script = format!("source {} {OPTIONS}\n", at("source.cl").display());
        let mut outputs: Vec<Vec<(String, PathBuf)>> = Vec::new();
        for (number, launch) in case.launches.iter().enumerate() {
            let ([gx, gy, gz], [bx, by, bz]) = (launch.grid, launch.block);
            writeln!(script, "kernel {} {gx} {gy} {gz} {bx} {by} {bz}", launch.plain_name())?;
            let mut files = Vec::new();
            for (position, (name, value)) in launch.arguments.iter().enumerate() {
                match value {
                    Value::Number(number) => writeln!(script, "scalar {name} {number}")?,
                    Value::Buffer { bytes, .. } => {
                        let [input, output] = ["in", "out"].map(|kind| at(&format!("{kind}.{number}.{position}")));
                        fs::write(&input, bytes)?;
                        writeln!(script, "buffer {name} {} {}", input.display(), output.display())?;
                        files.push((name.clone(), output));
                    }
                }
            }
            writeln!(script, "run")?;
            outputs.push(files);
        }
        fs::write(at("script"), script)?;
        let result = self.command(implementation, &at("script").display().to_string()).output()?;
        let said = [result.stdout, result.stderr].map(|text| String::from_utf8_lossy(&text).into_owned()).concat();
        if !result.status.success() {
            let what =
                if result.status.code() == Some(CANNOT_BUILD) { "the source does not build" } else { "it fails" };
            bail!("{}: {what}:\n{said}", implementation.name());
        }
        // Oclgrind goes on after an access out of bounds or where barriers diverge, and says so.
        ensure!(!said.contains("\nInvalid ") && !said.contains("ERROR"), "{}: {said}", implementation.name());
        let read = |files: Vec<(String, PathBuf)>| -> Result<Buffers> {
            // There is no output of an argument in local memory.
            let files = files.into_iter().filter(|(_, path)| path.exists());
            files.map(|(name, path)| Ok((name, fs::read(path)?))).collect()
        };
        outputs.into_iter().map(read).collect()
    }

    /// The host program under an implementation, nothing of which outlives this process.
    fn command(&self, implementation: Implementation, script: &str) -> Command {
        let host = self.folder.path().join("host");
        let mut command = match implementation {
            Implementation::Oclgrind => {
                let mut command = Command::new("oclgrind");
                command.args(["--num-threads", "1"]).arg(host);
                command
            }
            Implementation::Pocl => {
                let mut command = Command::new(host);
                command.env("POCL_CACHE_DIR", self.folder.path().join("cache")).env("POCL_MAX_PTHREAD_COUNT", "1");
                command
            }
        };
        command.arg(script).current_dir(self.folder.path());
        command
    }
}
