//! Compiles cases for our side: to LLVM IR by the installed clang, without contraction, with names and lines.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, ensure};

use super::case::Case;
use crate::llvm::Tools;

/// How far clang optimises.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Level {
    /// Not at all.
    O0,
    /// As far as most do.
    O2,
}

impl Level {
    /// Both.
    pub const ALL: [Level; 2] = [Level::O0, Level::O2];

    /// The flag.
    pub fn flag(self) -> &'static str {
        match self {
            Level::O0 => "-O0",
            Level::O2 => "-O2",
        }
    }
}

const OPENCL: &str = "-x cl -cl-std=CL2.0 -Xclang -finclude-default-header -target spir64";
const CUDA: &str =
    "-x cuda --cuda-device-only -nocudainc -nocudalib --cuda-gpu-arch=sm_70 -Xclang -target-feature -Xclang +ptx70";
const COMMON: &str = "-ffp-contract=off -fno-discard-value-names -g -w -emit-llvm -S -o -";

/// The IR of a case as text. Its language is told by the extension.
///
/// # Errors
///
/// When clang rejects it, with what it says.
pub fn compile(tools: &Tools, case: &Case, level: Level) -> Result<String> {
    let language = if case.path.extension().is_some_and(|extension| extension == "cu") { CUDA } else { OPENCL };
    let mut clang = Command::new(&tools.clang);
    clang.args(language.split(' ')).args(COMMON.split(' ')).arg(level.flag()).args(&case.flags);
    clang.arg(case.path.file_name().context("no name")?).current_dir(case.path.parent().unwrap_or(Path::new(".")));
    let output = clang.output().context("running clang")?;
    ensure!(output.status.success(), "clang: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).context("clang printed text that is not UTF-8")
}
