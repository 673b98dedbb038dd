//! The kernels of `tests/cases`: accepted by the verifier and by our rules in all variants, and run like what clang makes of them.
//!
//! `RECONVERGE_CASE` is a part of the path of the cases to look at. With `RECONVERGE_ROUNDS` above 1 all are, in all variants.

use reconverge_testing::rounds::{is_thorough, part};

use std::path::{Path, PathBuf};

use rayon::prelude::*;
use reconverge_exec::{Control, Program};
use reconverge_lang::diagnostic::Severity;
use reconverge_lang::lower::LowerOptions;
use reconverge_lang::options::{Dialect, LowerTarget, Options, SourceModel};
use reconverge_lang::translate::{Translation, translate};
use reconverge_testing::{corpus, llvm};
use reconverge_trials::launches;
use reconverge_trials::reference::Buffers;
use reconverge_trials::reference::case::{self, Case};
use reconverge_trials::reference::compile::{Compiler, compile};

use crate::lower::findings;

fn files() -> Vec<PathBuf> {
    let folders = [("run", "cl"), ("opencl", "cl"), ("cuda", "cu")];
    let wanted = std::env::var("RECONVERGE_CASE").unwrap_or_default();
    let files = folders.iter().flat_map(|(kind, extension)| corpus::cases(kind, extension).expect("the cases"));
    files.filter(|path| path.to_string_lossy().contains(&wanted)).collect()
}

fn dialect(path: &Path) -> Dialect {
    if path.extension().is_some_and(|extension| extension == "cu") { Dialect::Cuda } else { Dialect::OpenCl }
}

/// The targets for which a file is lowered. CUDA's names are those of one.
fn targets(dialect: Dialect) -> &'static [LowerTarget] {
    match dialect {
        Dialect::Cuda => &[LowerTarget::Nvptx],
        _ => &[LowerTarget::Spirv, LowerTarget::Amdgpu],
    }
}

/// All variants with `RECONVERGE_ROUNDS` above 1, else one, which differs from file to file.
fn variants<T: Copy>(all: &[T], index: usize) -> Vec<T> {
    if is_thorough() { all.to_vec() } else { vec![all[index % all.len()]] }
}

const ALL: [LowerOptions; 4] = [
    LowerOptions { tokens: true, markers: false, debug: false, origins: false, nsw: false },
    LowerOptions { tokens: true, markers: true, debug: true, origins: false, nsw: false },
    LowerOptions { tokens: false, markers: false, debug: true, origins: false, nsw: false },
    LowerOptions { tokens: false, markers: true, debug: false, origins: false, nsw: false },
];

/// A file that is understood but for some functions.
fn understood(path: &Path, target: LowerTarget) -> Result<Translation, String> {
    let text = std::fs::read(path).expect("the case");
    let options = Options { target, ..Options::new(dialect(path)) };
    let translation = translate(path, text, &options, SourceModel::default());
    let errors = translation.diagnostics.iter().filter(|found| found.severity == Severity::Error);
    let words: Vec<&str> = errors.map(|found| found.message.as_str()).collect();
    if words.is_empty() { Ok(translation) } else { Err(format!("{}: {}", path.display(), words.join("; "))) }
}

fn text_of(translation: &Translation, options: LowerOptions) -> String {
    String::from_utf8(translation.lower(&options).expect("a program").text).expect("UTF-8")
}

#[test]
fn kernels_are_accepted() {
    let tools = llvm::tools();
    let check = |(index, path): (usize, &PathBuf)| {
        let mut problems = Vec::new();
        for target in variants(targets(dialect(path)), index / 4) {
            let translation = match understood(path, target) {
                Ok(translation) => translation,
                Err(error) => {
                    problems.push(error);
                    continue;
                }
            };
            for options in variants(&ALL, index) {
                let ir = text_of(&translation, options);
                // Kernels may be wrong on purpose: what counts is whether the tokens are.
                let rules = findings(&ir).into_iter().filter(|found| !found.starts_with("RC02"));
                problems.extend(rules.map(|found| format!("{}: {target:?}, {options:?}: {found}", path.display())));
                let Some(tools) = tools else { continue };
                let verdict = tools.verify(&ir).expect("opt runs");
                if !verdict.accepted {
                    problems.push(format!("{}: {target:?}, {options:?}: {}", path.display(), verdict.output));
                }
            }
        }
        problems
    };
    let problems: Vec<String> = files().par_iter().enumerate().flat_map_iter(check).collect();
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

/// Every launch leaves in its buffers what it leaves with the IR of clang.
#[test]
fn kernels_compute_what_clang_makes_of_them() {
    let Some(tools) = llvm::tools() else { return };
    let cases = files().into_iter().filter_map(|path| Case::read(&path).unwrap_or_else(|error| panic!("{error:#}")));
    let cases: Vec<Case> = cases.collect();
    // A sixth of them, but all with more rounds.
    let every = if std::env::var_os("RECONVERGE_CASE").is_some() { 1 } else { part(6) };
    let compared: Vec<&Case> = cases.iter().step_by(every).collect();
    let check = |(index, case): (usize, &&Case)| {
        differences(case, tools, &|all| variants(all, index), &|all| variants(all, index / 2))
    };
    let problems: Vec<String> = compared.par_iter().enumerate().flat_map_iter(check).collect();
    println!("{} of {} files", compared.len(), cases.len());
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

/// Where a case computes something else than with the IR of clang for any target, with or without tokens, in words.
pub(crate) fn all_differences(case: &Case, tools: &llvm::Tools) -> Vec<String> {
    differences(case, tools, &<[LowerTarget]>::to_vec, &<[bool]>::to_vec)
}

/// The same for some targets, with or without tokens.
fn differences(
    case: &Case,
    tools: &llvm::Tools,
    some_targets: &dyn Fn(&[LowerTarget]) -> Vec<LowerTarget>,
    some: &dyn Fn(&[bool]) -> Vec<bool>,
) -> Vec<String> {
    let mut problems = Vec::new();
    let expected = match compile(tools, case, Compiler::ClangO0) {
        Ok(text) => text,
        Err(error) => return vec![format!("{}: {error:#}", case.path.display())],
    };
    let expected: Vec<Result<Buffers, String>> = case.launches.iter().map(|launch| run(&expected, launch)).collect();
    for target in some_targets(targets(dialect(&case.path))) {
        let translation = match understood(&case.path, target) {
            Ok(translation) => translation,
            Err(error) => return vec![error],
        };
        for tokens in some(&[true, false]) {
            let text =
                text_of(&translation, LowerOptions { tokens, markers: false, debug: true, origins: false, nsw: false });
            for (launch, expected) in case.launches.iter().zip(&expected) {
                let found = run(&text, launch);
                if *expected != found || expected.is_err() {
                    let place = format!("{}:{}, {target:?}, tokens: {tokens}", case.path.display(), launch.line);
                    problems.push(format!("{place}: {}", difference(expected, &found)));
                }
            }
        }
    }
    problems
}

/// How two runs differ, in words.
fn difference(expected: &Result<Buffers, String>, found: &Result<Buffers, String>) -> String {
    match (expected, found) {
        (Err(error), _) => format!("clang's: {error}"),
        (_, Err(error)) => error.clone(),
        (Ok(expected), Ok(found)) => {
            let different = expected.iter().filter(|buffer| !found.contains(buffer));
            let names: Vec<&str> = different.map(|(name, _)| name.as_str()).collect();
            format!("other contents of {}", names.join(", "))
        }
    }
}

/// Runs a launch; the buffers afterwards, or what was found.
fn run(text: &str, launch: &case::Launch) -> Result<Buffers, String> {
    let program = Program::prepare(text.as_bytes(), "kernel.ll", None).map_err(|error| error.to_string())?;
    let outcome = reconverge_exec::run(&program, &launches::of_case(launch), &Control::default())
        .map_err(|error| error.to_string())?;
    if !outcome.completed || !outcome.findings.is_empty() {
        let words: Vec<&str> = outcome.findings.iter().map(|found| found.code.title()).collect();
        return Err(format!("completed: {}, found: {}", outcome.completed, words.join("; ")));
    }
    Ok(outcome.buffers.into_iter().map(|buffer| (buffer.name, buffer.bytes)).collect())
}
