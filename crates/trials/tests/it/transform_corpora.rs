//! `inline` and `unroll` on code that clang compiled: LLVM takes what comes out, no rule is broken that was not, and kernels compute what they computed.
//!
//! `own_passes` has all passes on random programs.

use std::collections::{BTreeMap, HashSet};
use std::path::{Path, PathBuf};

use rayon::prelude::*;
use reconverge_analysis::check::{CheckOptions, check};
use reconverge_exec::{Control, Program, run};
use reconverge_findings::Severity;
use reconverge_ir::{Function, Module, read_functions};
use reconverge_testing::corpus::{self, Corpus};
use reconverge_testing::{llvm, rounds};
use reconverge_transform::{InlineOptions, Kind, UnrollOptions, inline, unroll};
use reconverge_trials::launches;
use reconverge_trials::reference::Buffers;
use reconverge_trials::reference::case::{self, Case};
use reconverge_trials::reference::compile::{Compiler, compile};

/// The errors that are found in a text.
fn errors(text: &str) -> HashSet<&'static str> {
    let found = check(text.as_bytes(), &CheckOptions::default()).expect("it is IR").findings;
    let is_error = |found: &&reconverge_findings::Finding| found.code.severity() == Severity::Error;
    found.iter().filter(is_error).map(|error| error.code.name()).collect()
}

/// The names of the functions with a body.
fn functions(text: &str) -> Vec<String> {
    let name = |module: &Module<'_>, id, _: &Function| module.function_name(id);
    read_functions(text.as_bytes(), name).expect("it is IR").1
}

/// Inlines the calls of a file; how many functions changed, and how many calls were refused.
fn inlined(tools: &llvm::Tools, path: &Path) -> [usize; 2] {
    let text = std::fs::read_to_string(path).expect("a file is there");
    let mut counts = [0, 0];
    let before = errors(&text);
    let was_accepted = tools.verify(&text).is_ok_and(|verdict| verdict.accepted);
    // By names `noinline` functions are inlined, too.
    for functions in [Vec::new(), functions(&text)] {
        let options = InlineOptions { functions, ..InlineOptions::default() };
        let transformed = inline(text.as_bytes(), &options).expect("it is IR");
        counts[1] += transformed.refusals.len();
        if transformed.functions == 0 {
            continue;
        }
        counts[0] += transformed.functions;
        let after = String::from_utf8(transformed.edits.apply(text.as_bytes())).expect("it is text");
        let new: Vec<_> = errors(&after).difference(&before).copied().collect();
        assert!(new.is_empty(), "{}: {new:?}", path.display());
        if was_accepted {
            let verdict = tools.verify(&after).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
            assert!(verdict.accepted, "{}: {}", path.display(), verdict.output);
        }
    }
    counts
}

/// All files with `RECONVERGE_ROUNDS` above 1, else some.
#[test]
fn llvm_takes_inlined_corpora() {
    let Some(tools) = llvm::tools() else { return };
    let mut files = corpus::ensure_corpus(tools, Corpus::Small).expect("the corpus builds");
    files.extend(corpus::cases("ir", "ll").expect("the cases are there"));
    let every = rounds::part(4);
    let files: Vec<PathBuf> = files.into_iter().step_by(every).collect();
    let counts: Vec<[usize; 2]> = files.par_iter().map(|path| inlined(tools, path)).collect();
    let [changed, refused] = [0, 1].map(|index| counts.iter().map(|counts| counts[index]).sum::<usize>());
    println!("{} files, {changed} functions changed, {refused} refusals", files.len());
    assert!(changed > 0);
}

/// What a run leaves in its buffers, and what is found in it.
fn outcome(program: &Program<'_>, launch: &case::Launch) -> (Buffers, Vec<&'static str>) {
    let outcome = run(program, &launches::of_case(launch), &Control::default()).expect("it runs");
    let buffers = outcome.buffers.into_iter().map(|buffer| (buffer.name, buffer.bytes)).collect();
    (buffers, outcome.findings.iter().map(|found| found.code.name()).collect())
}

/// Unrolls the loops of a case and runs it; how many loops became what.
fn unrolled(tools: &llvm::Tools, path: &Path) -> BTreeMap<Kind, usize> {
    let mut kinds = BTreeMap::new();
    let case = Case::read(path).unwrap_or_else(|error| panic!("{error:#}")).expect("it has launches");
    let text = compile(tools, &case, Compiler::ClangO1).unwrap_or_else(|error| panic!("{}: {error:#}", path.display()));
    let before = Program::prepare(text.as_bytes(), "kernel.ll", None).expect("it can be run");
    let expected: Vec<_> = case.launches.iter().map(|launch| outcome(&before, launch)).collect();
    for factor in [2, 4] {
        let place = format!("{} by {factor}", path.display());
        let options = UnrollOptions { factor, ..UnrollOptions::default() };
        let unrolled = unroll(text.as_bytes(), &options).expect("it is IR");
        unrolled.loops.iter().for_each(|&(.., kind)| *kinds.entry(kind).or_default() += 1);
        let result = String::from_utf8(unrolled.transformed.edits.apply(text.as_bytes())).expect("it is text");
        let verdict = tools.verify(&result).unwrap_or_else(|error| panic!("{place}: {error}\n{result}"));
        assert!(verdict.accepted, "{place}: {}", verdict.output);
        let after = Program::prepare(result.as_bytes(), "kernel.ll", None).expect("it can be run");
        for (launch, expected) in case.launches.iter().zip(&expected) {
            assert!(outcome(&after, launch) == *expected, "{place} differs, launch of line {}", launch.line);
        }
    }
    kinds
}

/// The kernels of `tests/cases/run`; all with `RECONVERGE_ROUNDS` above 1, else some.
#[test]
fn unrolled_real_kernels_compute_what_they_computed() {
    let Some(tools) = llvm::tools() else { return };
    let every = rounds::part(8);
    let paths: Vec<PathBuf> =
        corpus::cases("run", "cl").expect("the cases are there").into_iter().step_by(every).collect();
    let kinds: Vec<BTreeMap<Kind, usize>> = paths.par_iter().map(|path| unrolled(tools, path)).collect();
    let mut sum: BTreeMap<Kind, usize> = BTreeMap::new();
    kinds.into_iter().flatten().for_each(|(kind, count)| *sum.entry(kind).or_default() += count);
    println!("{} files, loops unrolled: {sum:?}", paths.len());
    assert!(rounds::is_part() || sum.values().sum::<usize>() > 10);
}
