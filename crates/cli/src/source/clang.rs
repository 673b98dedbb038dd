//! Source through an installed clang: IR before any optimisation, with debug information.

use std::collections::HashMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, PoisonError};

use reconverge::SourceSettings;
use reconverge_files::{Kind, NamedBy};
use reconverge_lang::options::{Dialect, LowerTarget};

use super::commands::Arch;
use crate::input::Problem;
use crate::tool::{self, Bounds, Failure};

/// A source file.
pub(super) struct SourceFile<'a> {
    /// As the command line names it.
    pub(super) path: &'a Path,
    /// What it is.
    pub(super) dialect: Dialect,
    /// What it holds.
    pub(super) text: Vec<u8>,
    /// Where its headers are, and its macros.
    pub(super) source: &'a SourceSettings,
    /// What it is compiled for, where that is said.
    pub(super) arch: Option<&'a Arch>,
    /// Where CUDA is, where that is said.
    pub(super) cuda_path: Option<&'a Path>,
    /// The flags behind `--`.
    pub(super) clang_flags: &'a [String],
}

impl SourceFile<'_> {
    /// Where CUDA is, by an option or a flag.
    fn cuda(&self) -> Option<PathBuf> {
        let of_flags = self.clang_flags.iter().find_map(|flag| flag.strip_prefix("--cuda-path=").map(PathBuf::from));
        self.cuda_path.map(Path::to_owned).or(of_flags)
    }

    /// What the headers of CUDA and HIP bring into every file, where clang finds none of them; a text that says where it is from.
    fn prelude(&self) -> String {
        if self.cuda().is_some() || self.clang_flags.iter().any(|flag| has_own_headers(flag)) {
            return String::new();
        }
        let (name, header, own) = match self.dialect {
            Dialect::Cuda => ("CUDA", "cuda_runtime.h", include_str!("prelude/cuda.h")),
            Dialect::Hip => ("HIP", "hip/hip_runtime.h", include_str!("prelude/hip.h")),
            Dialect::OpenCl | Dialect::C | Dialect::Cpp => return String::new(),
        };
        let common = include_str!("prelude/device.h");
        let may_have_own = memchr::memmem::find(&self.text, b"include").is_some();
        let is_needed = if may_have_own { format!("!__has_include(<{header}>)") } else { "1".to_owned() };
        format!("# 1 \"<headers of {name}>\" 3\n#if {is_needed}\n{common}{own}#endif\n")
    }
}

/// A clang that runs.
#[derive(Debug)]
pub(crate) struct Clang {
    pub(crate) path: PathBuf,
    /// What it says of its version.
    pub(crate) version: String,
    bounds: Bounds,
    /// Which headers it finds from anywhere, by language and folders of headers: asked once for all files of a tree.
    headers: Mutex<HashMap<Asked, bool>>,
}

/// A language, the folders that are searched, and the name of a header.
type Asked = (Dialect, Vec<PathBuf>, String);

/// Why clang has no IR.
pub(super) enum Trouble {
    /// It does not understand the file.
    Text(Problem),
    /// It could not be run to its end.
    Tool(Problem),
}

impl Trouble {
    pub(super) fn problem(self) -> Problem {
        let (Trouble::Text(problem) | Trouble::Tool(problem)) = self;
        problem
    }
}

/// The clang that is asked for, else that on the path.
///
/// # Errors
/// When there is none that runs, with what is missing.
pub(crate) fn find(asked: Option<&Path>, bounds: Bounds) -> Result<Clang, String> {
    let candidates = match asked {
        Some(path) => vec![path.to_owned()],
        None => ["clang-22", "clang"].map(PathBuf::from).to_vec(),
    };
    for path in candidates {
        match tool::version(&path, bounds) {
            Ok(Some(version)) => return Ok(Clang { path, version, bounds, headers: Mutex::default() }),
            Err(failure @ Failure::Time(_)) => return Err(format!("{} --version {failure}", path.display())),
            Ok(None) | Err(_) => {}
        }
    }
    Err(match asked {
        Some(path) => format!("{} is no clang that can be run", path.display()),
        None => "there is no clang on the path".to_owned(),
    })
}

impl Clang {
    /// The IR of a file, as the front end of clang makes it: nothing is marked as not to be optimised, and no pass runs, but for those that take coroutines apart.
    /// Until then they are no functions that anybody could execute.
    ///
    /// # Errors
    /// When clang does not understand the file, or does not come to its end.
    pub(super) fn translate(&self, file: &SourceFile<'_>, target: LowerTarget) -> Result<Vec<u8>, Trouble> {
        let ir = self.compile(file, target, &["-Xclang", "-disable-llvm-passes"])?;
        match memchr::memmem::find(&ir, b"@llvm.coro.") {
            Some(_) => self.compile(file, target, &[]),
            None => Ok(ir),
        }
    }

    /// Compiles a file with these flags besides those for any.
    ///
    /// No argument is made of an input but its [path](tool::path_argument). What the user writes behind `--` is as it is, but for files of arguments: a folder can
    /// have files named `--` and `@x`, and a shell makes that of `check *`.
    fn compile(&self, file: &SourceFile<'_>, target: LowerTarget, flags: &[&str]) -> Result<Vec<u8>, Trouble> {
        let path = file.path.display().to_string();
        let mut command = self.command(file, target)?;
        command.args([
            "-S",
            "-emit-llvm",
            "-g",
            "-O0",
            "-Xclang",
            "-disable-O0-optnone",
            // Arguments of kernels are given by their names.
            "-fno-discard-value-names",
            // Names of files are those that are given.
            "-fdebug-compilation-dir=.",
            "-o",
            "-",
        ]);
        command.args(flags);
        let prelude = file.prelude();
        let input = match Given::new(file.path) {
            Given::Path if prelude.is_empty() => {
                command.arg(tool::path_argument(file.path));
                None
            }
            Given::Text => {
                command.arg("-");
                Some([prelude.as_bytes(), line_marker(Path::new("<stdin>")).as_bytes(), &file.text].concat())
            }
            Given::Path | Given::TextWithName => {
                let folder = file.path.parent().filter(|folder| !folder.as_os_str().is_empty());
                command.arg(folder_argument("-iquote", folder.unwrap_or(Path::new(".")))).arg("-");
                Some([prelude.as_bytes(), line_marker(file.path).as_bytes(), &file.text].concat())
            }
        };
        let output = tool::run(command, input, self.bounds).map_err(|failure| {
            Trouble::Tool(Problem::new(path.clone(), format!("{} {failure}", self.path.display())))
        })?;
        if output.status.success() {
            return Ok(output.stdout);
        }
        Err(Trouble::Text(first_error(&path, &self.path, &String::from_utf8_lossy(&output.stderr))))
    }

    /// Whether a header that does not lie beside the file is found. What clang cannot say counts as found: it is asked about the file then.
    pub(super) fn finds_header(&self, header: &str, file: &SourceFile<'_>, target: LowerTarget) -> bool {
        if header.contains(|c: char| c.is_control() || matches!(c, '<' | '>' | '\\')) {
            return true;
        }
        let lock = || self.headers.lock().unwrap_or_else(PoisonError::into_inner);
        let key = (file.dialect, file.source.include.clone(), header.to_owned());
        if let Some(&is_found) = lock().get(&key) {
            return is_found;
        }
        let question = format!("#if !__has_include(<{header}>)\n#error it is not\n#endif\n");
        let is_found = self.command(file, target).ok().is_none_or(|mut command| {
            command.args(["-E", "-o", "-", "-"]);
            tool::run(command, Some(question.into_bytes()), self.bounds).is_ok_and(|output| output.status.success())
        });
        lock().insert(key, is_found);
        is_found
    }

    /// Clang with all that says how a file is to be read, but the file.
    fn command(&self, file: &SourceFile<'_>, target: LowerTarget) -> Result<Command, Trouble> {
        let path = || file.path.display().to_string();
        let mut command = Command::new(&self.path);
        command.arg("-fno-color-diagnostics").args(flags(file.dialect, target)).args(flags_for(
            file.dialect,
            target,
            file.arch,
        ));
        if file.dialect == Dialect::Cuda {
            command.args(file.cuda_path.map(|folder| folder_argument("--cuda-path=", folder)));
            match file.cuda() {
                // Without libraries clang does not look for the version, which decides what a launch calls.
                Some(folder) => {
                    if let Some(version) = cuda_version(&folder) {
                        command.args(["-Xclang", &format!("-target-sdk-version={version}")]);
                    }
                }
                None => drop(command.arg("-nocudainc")),
            }
        }
        if let Some(flag) = file.clang_flags.iter().find(|flag| has_file_of_arguments(flag)) {
            let message = format!("{flag}: files of flags are not taken; expected the flags themselves after --");
            return Err(Trouble::Tool(Problem::new(path(), message)));
        }
        let current = std::env::current_dir().ok().filter(|_| Given::new(file.path) == Given::Text);
        command.args(file.source.include.iter().chain(&current).map(|folder| folder_argument("-I", folder)));
        for first in &file.source.include_first {
            command.arg("-include").arg(first);
        }
        for definition in &file.source.define {
            if !definition.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') {
                let message = format!("-D {definition}: expected NAME, NAME=VALUE or NAME(X)=VALUE");
                return Err(Trouble::Text(Problem::new(path(), message)));
            }
            command.arg(format!("-D{definition}"));
        }
        command.args(file.clang_flags);
        Ok(command)
    }
}

/// The version of CUDA that a folder has, as its header says it.
fn cuda_version(folder: &Path) -> Option<String> {
    const LARGEST: u64 = 8 << 20;
    const NAME: &str = "#define CUDA_VERSION ";
    let header = folder.join("include/cuda.h");
    let text = reconverge_files::read(&header, NamedBy::Input, LARGEST).ok()?;
    let text = String::from_utf8_lossy(&text);
    let number = &text[text.find(NAME)? + NAME.len()..];
    let number: u32 = number[..number.find(|c: char| !c.is_ascii_digit())?].parse().ok()?;
    Some(format!("{}.{}", number / 1000, number % 1000 / 10))
}

/// How clang gets a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Given {
    /// By its path.
    Path,
    /// By its text: it can be read once only, and was read by us.
    Text,
    /// By its text, which begins with its name. Clang gives the name without the folder to the compiler that it runs, where `@x.cu` would be a file
    /// of arguments.
    TextWithName,
}

impl Given {
    fn new(path: &Path) -> Given {
        if path.as_os_str() == "-" || !matches!(Kind::of(path), Ok(Kind::File)) {
            return Given::Text;
        }
        let is_harmless = path.file_name().is_some_and(|name| !name.as_encoded_bytes().starts_with(b"@"));
        if is_harmless { Given::Path } else { Given::TextWithName }
    }
}

/// The line that says that a file begins; without its name where that does not fit in a line.
fn line_marker(path: &Path) -> String {
    let name = path.to_str().filter(|path| !path.contains(char::is_control)).unwrap_or("<stdin>");
    format!("# 1 \"{}\"\n", name.replace('\\', "\\\\").replace('"', "\\\""))
}

/// An option with a folder, as one argument: the folder alone could be a file of arguments.
fn folder_argument(option: &str, folder: &Path) -> OsString {
    let mut argument = OsString::from(option);
    argument.push(tool::path_argument(folder));
    argument
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
                flags.push("-nogpulib");
            }
            flags
        }
        Dialect::Cuda => vec!["-x", "cuda", "--cuda-device-only", "-nocudalib"],
        Dialect::Hip => vec!["-x", "hip", "--cuda-device-only", "-nogpuinc", "-nogpulib"],
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

/// The flags for a processor: the one that is said, where it is one of the language's.
fn flags_for(dialect: Dialect, target: LowerTarget, arch: Option<&Arch>) -> Vec<String> {
    let amd = match arch {
        Some(Arch::Amd(name)) => name,
        _ => "gfx900",
    };
    match dialect {
        Dialect::Cuda => {
            let (number, suffix) = match arch {
                Some(Arch::Nvidia(number, suffix)) => (*number, suffix.as_str()),
                _ => (70, ""),
            };
            // The oldest PTX that has the processor, and what the headers of all have.
            let ptx = match number {
                ..=80 => 70,
                81..=86 => 71,
                87 => 74,
                88..=90 if suffix.is_empty() => 78,
                88..=90 => 80,
                _ => 86,
            };
            let feature = ["-Xclang", "-target-feature", "-Xclang"].map(str::to_owned);
            [vec![format!("--cuda-gpu-arch=sm_{number}{suffix}")], feature.to_vec(), vec![format!("+ptx{ptx}")]]
                .concat()
        }
        Dialect::Hip => vec![format!("--offload-arch={amd}")],
        Dialect::OpenCl if target == LowerTarget::Amdgpu => vec![format!("-mcpu={amd}")],
        Dialect::OpenCl | Dialect::C | Dialect::Cpp => Vec::new(),
    }
}

/// Whether a flag, or its value, begins with `@`: clang and the compiler that it runs take that for a file of arguments.
fn has_file_of_arguments(flag: &str) -> bool {
    let Some((option, _)) = flag.split_once('@') else { return false };
    let option = option.strip_suffix('=').unwrap_or(option);
    option.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '+'))
}

/// Whether a flag says where the headers of CUDA or HIP are.
fn has_own_headers(flag: &str) -> bool {
    ["--cuda-path", "--rocm-path", "--hip-path", "-include"].iter().any(|start| flag.starts_with(start))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flags_with_files_of_arguments() {
        for flag in ["@x", "-D@x", "-I@x", "--include=@x", "-include@x", "-DX=@x"] {
            assert!(has_file_of_arguments(flag), "{flag}");
        }
        for flag in ["-I/opt/llvm@18/include", "-Iinclude", "-DX=a@b", "-O2", "", "./@x"] {
            assert!(!has_file_of_arguments(flag), "{flag}");
        }
    }
}
