//! Corpora of real GPU IR, built once and kept in a folder.
//!
//! What goes in, as `KIND/NAME.ll`:
//!
//! | folder | made from | by |
//! |---|---|---|
//! | `hlsl` | `tests/cases/hlsl/*.hlsl`, with convergence tokens | clang for SPIR-V, unoptimised, `-O1`, `-O3` |
//! | `opencl` | `tests/cases/opencl/*.cl` | clang for AMDGPU, SPIR-V and NVPTX, `-O0`, `-O1`, `-O3` |
//! | `cuda` | `tests/cases/cuda/*.cu` | clang for NVPTX, `-O0`, `-O1`, `-O3` |
//! | `libclc` | the installed OpenCL libraries that differ in code | `llvm-dis` |
//! | `broken/opencl`, `broken/cuda` | `tests/cases/broken`, with the lines of the source | clang as above, `-O0`, `-O1` |
//!
//! The kernels are right: where all threads of a group have to take part in an operation, all of them do. The exceptions are
//! in [`INTENTIONALLY_WRONG`]. The files in `tests/cases/broken` are twins of some of them, each with a mistake at a line that it
//! marks, see [`crate::expectations`].
//!
//! The folder is `RECONVERGE_CORPUS` when that is set, else `target/corpora` in the workspace. A file is built when
//! it is missing or older than its source or the headers beside that, under a temporary name first, so concurrent test processes can share the
//! folder. After a change of the flags below, remove the folder. A source file can ask for more flags in a line `// FLAGS: -g`.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use anyhow::{Context, Result, bail};
use tempfile::NamedTempFile;

use crate::llvm::{self, Tools};

/// The environment variable that names the folder.
pub const FOLDER: &str = "RECONVERGE_CORPUS";

/// Where the Debian package `libclc-22` puts the libraries; `RECONVERGE_LIBCLC` names another folder.
pub const LIBCLC: &str = "/usr/lib/clc";

/// Libraries that are another one but for the name of the processor: `barts` and `cayman` stand for them.
const SAME_CODE: [&str; 2] = ["cedar-r600--", "cypress-r600--"];

/// The kernels that are not right, as `FOLDER/NAME`, and why: they are there for their control flow.
pub const INTENTIONALLY_WRONG: [(&str, &str); 13] = [
    ("cuda/early-exit", "a barrier after some threads have returned, and one of the warp in a loop that they leave"),
    ("cuda/function-pointers", "threads that differ in how often they call a function with a vote of the whole warp"),
    ("cuda/goto-state-machine", "a vote of the whole warp in a loop that threads enter at two places"),
    ("cuda/switch-interpreter", "barriers and shuffles in a switch whose value differs"),
    ("opencl/barrier-in-branch", "a barrier in a branch on the thread id"),
    ("opencl/barrier-in-divergent-loop", "a barrier in a loop whose count depends on the thread id"),
    ("opencl/early-exit", "a reduction of the sub-group after some work-items have returned"),
    ("opencl/goto-into-loop", "operations of the sub-group in a loop that work-items enter at two places"),
    ("opencl/goto-retry", "a barrier after some work-items have returned"),
    ("opencl/helper-functions", "votes of the sub-group in both arms of a branch on loaded data"),
    ("opencl/nested-breaks", "a vote of the sub-group in loops that work-items leave one by one"),
    ("opencl/subgroup-ops", "a reduction of the sub-group in a branch on the place in it"),
    ("opencl/switch-dispatch", "a reduction of the sub-group in a switch at a place that differs"),
];

/// Whether a source of kernels, or what was built from it, is one that is right.
pub fn is_right(path: &Path) -> bool {
    let folder = parent(path).file_name().expect("a folder").to_string_lossy();
    let name = path.file_name().expect("a file").to_string_lossy();
    let kernel = format!("{folder}/{}", name.split('.').next().expect("a name"));
    let is_broken = path.components().any(|component| component.as_os_str() == "broken");
    !is_broken && INTENTIONALLY_WRONG.iter().all(|&(wrong, _)| wrong != kernel)
}

/// How much to build.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Corpus {
    /// The kernels: hundreds of files, a few megabytes, under a minute to build.
    Small,
    /// The kernels and the OpenCL libraries, the largest of 50 megabytes; a few hundred megabytes in all.
    Full,
}

/// The root of the workspace.
pub fn workspace() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.ancestors().nth(2).expect("this crate is at crates/testing").to_owned()
}

/// The folder of the corpora.
pub fn folder() -> PathBuf {
    std::env::var_os(FOLDER).map_or_else(|| workspace().join("target/corpora"), PathBuf::from)
}

/// The input files of a kind under `tests/cases` with this extension, sorted: `cases("ir", "ll")`.
///
/// # Errors
///
/// When the folder cannot be read.
pub fn cases(kind: &str, extension: &str) -> Result<Vec<PathBuf>> {
    files(&workspace().join("tests/cases").join(kind), extension)
}

/// The programs in `examples`, sorted.
///
/// # Errors
///
/// When the folder cannot be read.
pub fn examples() -> Result<Vec<PathBuf>> {
    files(&workspace().join("examples"), "ll")
}

/// Builds what is missing or out of date, on all cores, and gives the files, sorted.
///
/// # Errors
///
/// When a source does not compile, naming it; or when the folder cannot be written.
pub fn ensure_corpus(tools: &Tools, corpus: Corpus) -> Result<Vec<PathBuf>> {
    let target = folder();
    let mut jobs = Vec::new();
    hlsl(&target, &mut jobs)?;
    opencl(&target, "opencl", &["-O0", "-O1", "-O3"], &mut jobs)?;
    cuda(&target, "cuda", &["-O0", "-O1", "-O3"], &mut jobs)?;
    if corpus == Corpus::Full {
        jobs.extend(libclc(&target)?);
    }
    build_all(tools, &jobs)?;
    let mut paths: Vec<PathBuf> = jobs.into_iter().map(|job| job.output).collect();
    paths.sort();
    Ok(paths)
}

/// Builds the broken twins, as [`ensure_corpus`] does the others; each source with what was built from it.
///
/// # Errors
///
/// As [`ensure_corpus`].
pub fn ensure_broken(tools: &Tools) -> Result<Vec<(PathBuf, PathBuf)>> {
    let mut jobs = Vec::new();
    opencl(&folder(), "broken/opencl", &["-O0 -gline-tables-only", "-O1 -gline-tables-only"], &mut jobs)?;
    cuda(&folder(), "broken/cuda", &["-O0 -gline-tables-only", "-O1 -gline-tables-only"], &mut jobs)?;
    build_all(tools, &jobs)?;
    Ok(jobs.into_iter().map(|job| (job.source, job.output)).collect())
}

/// One file to build.
#[derive(Debug)]
struct Job {
    source: PathBuf,
    /// What the source may include.
    headers: Vec<PathBuf>,
    output: PathBuf,
    how: How,
}

#[derive(Debug)]
enum How {
    /// Clang with these arguments before the input.
    Clang(Vec<String>),
    Disassemble,
}

fn hlsl(target: &Path, jobs: &mut Vec<Job>) -> Result<()> {
    for source in cases("hlsl", "hlsl")? {
        for (level, flag) in [("raw", "-disable-llvm-passes"), ("O1", "-O1"), ("O3", "-O3")] {
            let mut arguments = words("-cc1 -triple spirv-unknown-vulkan1.3-compute -x hlsl -emit-llvm");
            arguments.push(flag.to_owned());
            jobs.push(clang(target, "hlsl", &source, level, arguments)?);
        }
    }
    Ok(())
}

fn opencl(target: &Path, kind: &str, levels: &[&str], jobs: &mut Vec<Job>) -> Result<()> {
    let targets = [
        ("amdgpu", "-target amdgcn-amd-amdhsa -mcpu=gfx900 -nogpulib"),
        ("spirv", "-target spirv64"),
        ("nvptx", "-target nvptx64-nvidia-cuda"),
    ];
    for source in cases(kind, "cl")? {
        for (name, flags) in targets {
            for level in levels {
                let mut arguments =
                    words("-x cl -cl-std=CL3.0 -Xclang -finclude-default-header -Xclang -cl-ext=+all -S -emit-llvm");
                arguments.extend(words(flags));
                arguments.extend(words(level));
                jobs.push(clang(target, kind, &source, &format!("{name}.{}", &level[1..3]), arguments)?);
            }
        }
    }
    Ok(())
}

fn cuda(target: &Path, kind: &str, levels: &[&str], jobs: &mut Vec<Job>) -> Result<()> {
    let headers = cases("cuda", "h")?;
    for source in cases(kind, "cu")? {
        for level in levels {
            let mut arguments = words(
                "-x cuda --cuda-device-only -nocudainc -nocudalib --cuda-gpu-arch=sm_70 \
                 -Xclang -target-feature -Xclang +ptx70 -S -emit-llvm",
            );
            arguments.extend(words(level));
            let job = clang(target, kind, &source, &format!("nvptx.{}", &level[1..3]), arguments)?;
            jobs.push(Job { headers: headers.clone(), ..job });
        }
    }
    Ok(())
}

fn clang(target: &Path, kind: &str, source: &Path, variant: &str, mut arguments: Vec<String>) -> Result<Job> {
    let text = fs::read_to_string(source).with_context(|| format!("reading {}", source.display()))?;
    for flags in text.lines().filter_map(|line| line.strip_prefix("// FLAGS: ")) {
        arguments.extend(words(flags));
    }
    let output = target.join(kind).join(format!("{}.{variant}.ll", stem(source)));
    Ok(Job { source: source.to_owned(), headers: Vec::new(), output, how: How::Clang(arguments) })
}

/// The OpenCL libraries that differ in code: the many links and [`SAME_CODE`] are left out.
///
/// # Errors
///
/// When the libraries are not installed.
fn libclc(target: &Path) -> Result<Vec<Job>> {
    let installed = std::env::var_os("RECONVERGE_LIBCLC").map_or_else(|| PathBuf::from(LIBCLC), PathBuf::from);
    let mut jobs = Vec::new();
    let libraries =
        files(&installed, "bc").with_context(|| format!("the OpenCL libraries of libclc-{}", llvm::VERSION))?;
    for source in libraries {
        let real = fs::canonicalize(&source).with_context(|| format!("following {}", source.display()))?;
        let is_link = real.file_name() != source.file_name();
        if is_link || SAME_CODE.contains(&stem(&source).as_str()) {
            continue;
        }
        let output = target.join("libclc").join(format!("{}.ll", stem(&source)));
        jobs.push(Job { source, headers: Vec::new(), output, how: How::Disassemble });
    }
    if jobs.is_empty() {
        bail!("no OpenCL library in {}", installed.display());
    }
    Ok(jobs)
}

/// Builds the jobs whose output is not up to date, the largest sources first. When several tests ask for the same, one builds and the others wait.
fn build_all(tools: &Tools, jobs: &[Job]) -> Result<()> {
    static BUILDING: Mutex<()> = Mutex::new(());
    let _building = BUILDING.lock().unwrap_or_else(PoisonError::into_inner);
    let mut pending: Vec<&Job> = jobs.iter().filter(|job| !up_to_date(job)).collect();
    pending.sort_by_key(|job| std::cmp::Reverse(fs::metadata(&job.source).map_or(0, |metadata| metadata.len())));
    for job in &pending {
        fs::create_dir_all(parent(&job.output)).with_context(|| format!("making {}", parent(&job.output).display()))?;
    }
    let next = AtomicUsize::new(0);
    let failures = Mutex::new(Vec::new());
    let workers = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                while let Some(job) = pending.get(next.fetch_add(1, Ordering::Relaxed)) {
                    if let Err(error) = build(tools, job) {
                        failures.lock().expect("no worker panics with the lock").push(error);
                    }
                }
            });
        }
    });
    match failures.into_inner().expect("no worker panics with the lock").into_iter().next() {
        Some(error) => Err(error),
        None => Ok(()),
    }
}

fn up_to_date(job: &Job) -> bool {
    let modified = |path: &Path| fs::metadata(path).and_then(|metadata| metadata.modified());
    let Ok(output) = modified(&job.output) else { return false };
    let mut inputs = std::iter::once(&job.source).chain(&job.headers);
    inputs.all(|input| modified(input).is_ok_and(|input| input <= output))
}

fn build(tools: &Tools, job: &Job) -> Result<()> {
    let temporary = NamedTempFile::new_in(parent(&job.output))?;
    // The source is named without its folder, so that the text is the same on every machine.
    let (input, folder) = (job.source.file_name().expect("a file"), parent(&job.source));
    let (tool, arguments) = match &job.how {
        How::Clang(arguments) => (&tools.clang, arguments.clone()),
        How::Disassemble => (&tools.llvm_dis, Vec::new()),
    };
    let output = std::process::Command::new(tool)
        .args(arguments)
        .arg(input)
        .arg("-o")
        .arg(temporary.path())
        .current_dir(folder)
        .output()
        .with_context(|| format!("running {}", tool.display()))?;
    if !output.status.success() {
        let message = String::from_utf8_lossy(&output.stderr);
        bail!("{} fails on {}:\n{message}", tool.display(), job.source.display());
    }
    temporary.persist(&job.output).with_context(|| format!("writing {}", job.output.display()))?;
    Ok(())
}

/// The files of a folder with this extension, sorted.
fn files(folder: &Path, extension: &str) -> Result<Vec<PathBuf>> {
    let mut paths = Vec::new();
    for entry in fs::read_dir(folder).with_context(|| format!("reading {}", folder.display()))? {
        let path = entry?.path();
        if path.extension().is_some_and(|found| found == extension) {
            paths.push(path);
        }
    }
    paths.sort();
    Ok(paths)
}

fn parent(path: &Path) -> &Path {
    path.parent().expect("a file has a folder")
}

fn stem(path: &Path) -> String {
    path.file_stem().expect("a file").to_string_lossy().into_owned()
}

fn words(text: &str) -> Vec<String> {
    text.split_whitespace().map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use std::sync::OnceLock;

    use super::*;

    /// One build for all tests of this process, so that none of them sees another one's.
    fn small(tools: &Tools) -> &'static [PathBuf] {
        static PATHS: OnceLock<Vec<PathBuf>> = OnceLock::new();
        PATHS.get_or_init(|| ensure_corpus(tools, Corpus::Small).unwrap())
    }

    /// Every source of the repository builds, and every file holds a module.
    #[test]
    fn the_small_corpus_builds_once() {
        let Some(tools) = llvm::tools() else { return };
        let paths = small(tools);
        assert_eq!(paths.len(), 20 * 3 + 47 * 9 + 41 * 3);
        for path in paths {
            assert!(fs::read_to_string(path).unwrap().contains("\ntarget triple = "), "{}", path.display());
        }
        let built = |path: &PathBuf| fs::metadata(path).unwrap().modified().unwrap();
        let before: Vec<_> = paths.iter().map(built).collect();
        assert_eq!(ensure_corpus(tools, Corpus::Small).unwrap(), paths);
        assert_eq!(before, paths.iter().map(built).collect::<Vec<_>>());
    }

    /// More than sixty, and the list of those that are not right names files that are there.
    #[test]
    fn most_kernels_are_right() {
        let kernels = [cases("opencl", "cl").unwrap(), cases("cuda", "cu").unwrap()].concat();
        assert_eq!(kernels.iter().filter(|path| !is_right(path)).count(), INTENTIONALLY_WRONG.len());
        assert!(kernels.iter().filter(|path| is_right(path)).count() > 60);
    }

    /// What a broken kernel marks is in the program that it becomes: the call at a line with an expected finding, and
    /// something at the line of the cause.
    #[test]
    fn marked_lines_are_those_of_instructions() {
        let Some(tools) = llvm::tools() else { return };
        let built = ensure_broken(tools).unwrap();
        assert_eq!(built.len(), 13 * 6 + 13 * 2);
        for (source, output) in built {
            let expectations = crate::expectations::expectations(&fs::read_to_string(&source).unwrap()).unwrap();
            let text = fs::read_to_string(&output).unwrap();
            let at = |line: u32| -> Vec<&str> {
                let location = format!("DILocation(line: {line},");
                let nodes = text.lines().filter(|node| node.contains(&location));
                let nodes: Vec<&str> = nodes.filter_map(|node| node.split_once(" = ")).map(|(name, _)| name).collect();
                let has = |text: &str| nodes.iter().any(|node| text.split([' ', ',']).any(|word| word == *node));
                text.lines().filter(|line| line.starts_with("  ") && has(line)).collect()
            };
            for finding in &expectations.findings {
                assert!(
                    at(finding.line).iter().any(|text| text.contains("call ")),
                    "{}: {finding:?}",
                    output.display()
                );
            }
            for &cause in &expectations.causes {
                assert!(!at(cause).is_empty(), "{}: no instruction at line {cause}", output.display());
            }
        }
    }

    #[test]
    fn shaders_have_tokens() {
        let Some(tools) = llvm::tools() else { return };
        let paths = small(tools);
        for path in paths.iter().filter(|path| parent(path).ends_with("hlsl")) {
            let text = fs::read_to_string(path).unwrap();
            assert!(text.contains("call token @llvm.experimental.convergence."), "{}", path.display());
        }
    }
}
