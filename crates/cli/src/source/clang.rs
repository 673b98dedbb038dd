//! Source through an installed clang: IR before any optimisation, with debug information.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use reconverge_lang::options::{Dialect, LowerTarget};

use super::SourceFile;
use crate::arguments::SourceOptions;
use crate::input::Problem;

/// A clang that runs.
pub(super) struct Clang {
    pub(super) path: PathBuf,
}

/// The clang that is asked for, else that on the path.
pub(super) fn find(asked: Option<&Path>) -> Option<Clang> {
    let runs = |path: &Path| {
        let status = Command::new(path).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
        status.is_ok_and(|status| status.success())
    };
    let candidates = match asked {
        Some(path) => vec![path.to_owned()],
        None => ["clang-22", "clang"].map(PathBuf::from).to_vec(),
    };
    candidates.into_iter().find(|path| runs(path)).map(|path| Clang { path })
}

impl Clang {
    /// The IR of a file. Nothing is optimised, but nothing is marked as not to be optimised either.
    pub(super) fn translate(
        &self,
        file: &SourceFile<'_>,
        target: LowerTarget,
        options: &SourceOptions,
    ) -> Result<Vec<u8>, Problem> {
        let path = file.path.display().to_string();
        let problem = |message: String| Problem::new(path.clone(), message);
        let mut command = Command::new(&self.path);
        command.args(["-S", "-emit-llvm", "-g", "-O1", "-Xclang", "-disable-llvm-passes", "-fno-color-diagnostics"]);
        command.args(flags(file.dialect, target));
        if !file.clang_flags.iter().any(|flag| has_own_headers(flag)) {
            command.args(prelude(file.dialect));
        }
        for folder in &options.include {
            command.arg("-I").arg(folder);
        }
        if let (true, Ok(folder)) = (file.path.as_os_str() == "-", std::env::current_dir()) {
            command.arg("-I").arg(folder);
        }
        command.args(options.define.iter().map(|definition| format!("-D{definition}")));
        command.args(file.clang_flags).args(["-o", "-"]).arg(file.path);
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(|error| problem(format!("{} cannot be run: {error}", self.path.display())))?;
        let stdin = child.stdin.take();
        let output = std::thread::scope(|scope| {
            if file.path.as_os_str() == "-" {
                let text = &file.text;
                // Clang may end without having read all of it.
                scope.spawn(move || stdin.map(|mut stdin| stdin.write_all(text)));
            } else {
                drop(stdin);
            }
            child.wait_with_output()
        });
        let output = output.map_err(|error| problem(format!("{}: {error}", self.path.display())))?;
        if output.status.success() {
            return Ok(output.stdout);
        }
        Err(first_error(&path, &self.path, &String::from_utf8_lossy(&output.stderr)))
    }
}

/// The flags that make clang read a language for a target without any library of that target.
fn flags(dialect: Dialect, target: LowerTarget) -> Vec<&'static str> {
    let triple = match target {
        LowerTarget::Amdgpu => "--target=amdgcn-amd-amdhsa",
        LowerTarget::Nvptx => "--target=nvptx64-nvidia-cuda",
        LowerTarget::Spirv | LowerTarget::Generic => "--target=spirv64",
    };
    match dialect {
        Dialect::OpenCl => {
            let mut flags = vec![
                "-x",
                "cl",
                "-cl-std=CL3.0",
                "-Xclang",
                "-finclude-default-header",
                "-Xclang",
                "-cl-ext=+all",
                triple,
            ];
            if target == LowerTarget::Amdgpu {
                flags.extend(["-mcpu=gfx900", "-nogpulib"]);
            }
            flags
        }
        Dialect::Cuda => {
            let mut flags =
                vec!["-x", "cuda", "--cuda-device-only", "-nocudainc", "-nocudalib", "--cuda-gpu-arch=sm_70"];
            flags.extend(["-Xclang", "-target-feature", "-Xclang", "+ptx70"]);
            flags
        }
        Dialect::Hip => {
            vec!["-x", "hip", "--cuda-device-only", "-nogpuinc", "-nogpulib", "--offload-arch=gfx900"]
        }
        Dialect::C | Dialect::Cpp => {
            let language = if dialect == Dialect::C { "c" } else { "c++" };
            let mut flags = vec!["-x", language];
            if target != LowerTarget::Generic {
                flags.push(triple);
            }
            flags
        }
    }
}

/// Whether a flag says where the headers of CUDA or HIP are.
fn has_own_headers(flag: &str) -> bool {
    ["--cuda-path", "--rocm-path", "--hip-path", "-include"].iter().any(|start| flag.starts_with(start))
}

/// The words of CUDA and HIP that their headers define, for an installation that has none of them.
fn prelude(dialect: Dialect) -> Vec<&'static str> {
    let mut flags = match dialect {
        Dialect::Cuda => vec!["-include", "__clang_cuda_builtin_vars.h", "-D__syncthreads()=__nvvm_bar_sync(0)"],
        Dialect::Hip => vec!["-D__syncthreads()=__builtin_amdgcn_s_barrier()"],
        Dialect::OpenCl | Dialect::C | Dialect::Cpp => return Vec::new(),
    };
    flags.extend([
        "-D__global__=__attribute__((global))",
        "-D__device__=__attribute__((device))",
        "-D__host__=__attribute__((host))",
        "-D__shared__=__attribute__((shared))",
        "-D__constant__=__attribute__((constant))",
        "-D__launch_bounds__(...)=__attribute__((launch_bounds(__VA_ARGS__)))",
        "-D__forceinline__=inline __attribute__((always_inline))",
    ]);
    flags
}

/// What clang says first.
fn first_error(path: &str, clang: &Path, stderr: &str) -> Problem {
    let mut lines = stderr.lines();
    let line = lines.find(|line| line.contains(": error: ") || line.contains(": fatal error: "));
    let message = line.or(stderr.lines().next()).unwrap_or("it gave no reason");
    if let Some((place, message)) = message.split_once(": error: ").or_else(|| message.split_once(": fatal error: ")) {
        let mut parts = place.rsplitn(3, ':');
        if let (Some(Ok(column)), Some(Ok(line)), Some(file)) =
            (parts.next().map(str::parse), parts.next().map(str::parse), parts.next())
        {
            return Problem { position: Some((line, column)), ..Problem::new(file, message) };
        }
    }
    Problem::new(path, format!("{}: {message}", clang.display()))
}
