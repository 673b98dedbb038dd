//! Compiles cases for our side: to LLVM IR by the installed clang, without contraction, with names and lines; and by our own front end.
//!
//! Clang compiles OpenCL for SPIR, and at `-O1` for AMDGPU, where private memory has an address space of its own; CUDA for NVPTX. Ours does
//! the same, for AMDGPU without tokens.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail, ensure};
use reconverge_lang::diagnostic::Severity;
use reconverge_lang::lower::LowerOptions;
use reconverge_lang::options::{Dialect, LowerTarget, Options, SourceModel};
use reconverge_lang::translate::translate;

use super::case::Case;
use reconverge_testing::llvm::{self, Tools};

/// What makes IR of a case.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Compiler {
    /// Clang that does not optimise at all.
    ClangO0,
    /// Clang that optimises a little.
    ClangO1,
    /// Clang that optimises as far as most do.
    ClangO2,
    /// Our own front end, with convergence tokens.
    Ours,
    /// Our own front end, without.
    OursWithoutTokens,
}

impl Compiler {
    /// All.
    pub const ALL: [Compiler; 5] =
        [Compiler::ClangO0, Compiler::ClangO1, Compiler::ClangO2, Compiler::Ours, Compiler::OursWithoutTokens];

    /// In a word.
    pub fn name(self) -> &'static str {
        match self {
            Compiler::ClangO0 => "-O0",
            Compiler::ClangO1 => "-O1",
            Compiler::ClangO2 => "-O2",
            Compiler::Ours => "ours",
            Compiler::OursWithoutTokens => "ours without tokens",
        }
    }
}

const OPENCL: &str = "-x cl -cl-std=CL2.0 -Xclang -finclude-default-header";
const SPIR: &str = "-target spir64";
const AMDGPU: &str = "-target amdgcn-amd-amdhsa -mcpu=gfx900 -nogpulib";
const CUDA: &str =
    "-x cuda --cuda-device-only -nocudainc -nocudalib --cuda-gpu-arch=sm_70 -Xclang -target-feature -Xclang +ptx70";
const COMMON: &str = "-ffp-contract=off -fno-discard-value-names -g -w -emit-llvm -S -o -";

/// Why our own front end leaves a case out.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct OutsideOfTheSubset(pub String);

/// The IR of a case as text. Its language is told by the extension.
///
/// # Errors
///
/// When the compiler rejects it, with what it says.
pub fn compile(tools: &Tools, case: &Case, compiler: Compiler) -> Result<String> {
    let is_cuda = case.path.extension().is_some_and(|extension| extension == "cu");
    let (level, language) = match compiler {
        Compiler::ClangO0 => ("-O0", SPIR),
        Compiler::ClangO1 => ("-O1", AMDGPU),
        Compiler::ClangO2 => ("-O2", SPIR),
        Compiler::Ours => return ours(case, is_cuda, LowerTarget::Spirv, true),
        Compiler::OursWithoutTokens => return ours(case, is_cuda, LowerTarget::Amdgpu, false),
    };
    let language = if is_cuda { CUDA.to_owned() } else { format!("{OPENCL} {language}") };
    let mut clang = Command::new(&tools.clang);
    clang.args(language.split(' ')).args(COMMON.split(' ')).arg(level).args(&case.flags);
    clang.arg(case.path.file_name().context("no name")?).current_dir(case.path.parent().unwrap_or(Path::new(".")));
    let output = llvm::output(&clang).context("running clang")?;
    ensure!(output.status.success(), "clang: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).context("clang printed text that is not UTF-8")
}

/// The same by our own front end: all of the file, or an error.
fn ours(case: &Case, is_cuda: bool, target: LowerTarget, tokens: bool) -> Result<String> {
    let define = case.flags.iter().filter_map(|flag| flag.strip_prefix("-D")).map(str::to_owned).collect();
    let options = match is_cuda {
        true => Options { define, ..Options::new(Dialect::Cuda) },
        false => Options { define, target, ..Options::new(Dialect::OpenCl) },
    };
    let text = std::fs::read(&case.path)?;
    let translation = translate(&case.path, text, &options, SourceModel::default());
    if let Some(problem) = translation.diagnostics.iter().find(|found| found.severity != Severity::Warning) {
        let line = translation.sources.position(problem.location).map_or(0, |position| position.line);
        let message = format!("our front end, line {line}: {}", problem.message);
        ensure!(problem.severity != Severity::Unsupported, OutsideOfTheSubset(message));
        bail!(message);
    }
    let lowered = translation
        .lower(&LowerOptions { tokens, markers: false, debug: true, origins: false, nsw: false })
        .context("no program")?;
    String::from_utf8(lowered.text).context("the lowered text is not UTF-8")
}
