//! Compiles cases for our side: to LLVM IR by the installed clang, without contraction, with names and lines.
//!
//! OpenCL is compiled for SPIR, and at `-O1` for AMDGPU, where private memory has an address space of its own; CUDA for NVPTX.

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
    /// A little.
    O1,
    /// As far as most do.
    O2,
}

impl Level {
    /// All.
    pub const ALL: [Level; 3] = [Level::O0, Level::O1, Level::O2];

    /// The flag.
    pub fn flag(self) -> &'static str {
        match self {
            Level::O0 => "-O0",
            Level::O1 => "-O1",
            Level::O2 => "-O2",
        }
    }
}

const OPENCL: &str = "-x cl -cl-std=CL2.0 -Xclang -finclude-default-header";
const SPIR: &str = "-target spir64";
const AMDGPU: &str = "-target amdgcn-amd-amdhsa -mcpu=gfx900 -nogpulib";
const CUDA: &str =
    "-x cuda --cuda-device-only -nocudainc -nocudalib --cuda-gpu-arch=sm_70 -Xclang -target-feature -Xclang +ptx70";
const COMMON: &str = "-ffp-contract=off -fno-discard-value-names -g -w -emit-llvm -S -o -";

/// The IR of a case as text. Its language is told by the extension.
///
/// # Errors
///
/// When clang rejects it, with what it says.
pub fn compile(tools: &Tools, case: &Case, level: Level) -> Result<String> {
    let is_cuda = case.path.extension().is_some_and(|extension| extension == "cu");
    let language = match level {
        _ if is_cuda => CUDA.to_owned(),
        Level::O1 => format!("{OPENCL} {AMDGPU}"),
        Level::O0 | Level::O2 => format!("{OPENCL} {SPIR}"),
    };
    let mut clang = Command::new(&tools.clang);
    clang.args(language.split(' ')).args(COMMON.split(' ')).arg(level.flag()).args(&case.flags);
    clang.arg(case.path.file_name().context("no name")?).current_dir(case.path.parent().unwrap_or(Path::new(".")));
    let output = clang.output().context("running clang")?;
    ensure!(output.status.success(), "clang: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).context("clang printed text that is not UTF-8")
}
