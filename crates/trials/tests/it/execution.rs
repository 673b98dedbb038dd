//! Kernels with data, run by us and by another implementation of OpenCL.
//!
//! The references are compared with each other, too: with `RECONVERGE_ROUNDS` above 1 on all cases, else on some; and without it, only a fourth of the kernels is run. Below 2, each is compiled by clang at one level of optimisation. Those optimised most also
//! run under fair and random schedules (`RECONVERGE_ROUNDS` of them, from `RECONVERGE_SEED`), under which race-free ones compute the same.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::time::Instant;

use rayon::prelude::*;
use reconverge_exec::launch::{Launch, Model, Schedule};
use reconverge_exec::{Control, Program};
use reconverge_testing::corpus;
use reconverge_testing::llvm::{self, Tools};
use reconverge_testing::rounds::{first_seed, is_thorough, part, seeds};
use reconverge_trials::launches;
use reconverge_trials::reference::case::{self, Case, Value};
use reconverge_trials::reference::compile::{Compiler, OutsideOfTheSubset, compile};
use reconverge_trials::reference::{Buffers, Host, Implementation, data, host};

/// The environment variable with a part of the path of the cases to look at; all without it.
const CASE: &str = "RECONVERGE_CASE";

/// The files with kernels and launches.
fn all_cases() -> Vec<Case> {
    let folders = [("run", "cl"), ("opencl", "cl"), ("cuda", "cu")];
    let files =
        folders.iter().flat_map(|(kind, extension)| corpus::cases(kind, extension).expect("the cases are there"));
    let cases = files.filter_map(|path| Case::read(&path).unwrap_or_else(|error| panic!("{error:#}")));
    let wanted = std::env::var(CASE).unwrap_or_default();
    cases.filter(|case| case.path.to_string_lossy().contains(&wanted)).collect()
}

/// The schedules that a kernel runs under.
fn schedules(compiler: Compiler) -> Vec<Schedule> {
    let random = seeds(1).map(Schedule::Random);
    match compiler {
        Compiler::ClangO0 | Compiler::ClangO1 | Compiler::Ours | Compiler::OursWithoutTokens => {
            vec![Schedule::Lockstep]
        }
        Compiler::ClangO2 => [Schedule::Lockstep, Schedule::Fair].into_iter().chain(random).collect(),
    }
}

/// Where the buffers of a launch are not what they should be, in words.
fn differences(case: &Case, launch: &case::Launch, expected: &Buffers, found: &Buffers) -> Vec<String> {
    let mut differences = Vec::new();
    for (name, expected) in expected {
        let element = launch.element(name).expect("what is compared is a buffer");
        let difference = match found.iter().find(|(known, _)| known == name) {
            Some((_, found)) => data::difference(element, case.tolerance(name), expected, found),
            None => Some(" is missing".to_owned()),
        };
        differences.extend(difference.map(|words| format!("{}:{}: {name}{words}", case.path.display(), launch.line)));
    }
    differences
}

/// Whether a launch leaves every buffer as it was.
fn changes_nothing(launch: &case::Launch, after: &Buffers) -> bool {
    after.iter().all(|(name, after)| {
        let mut arguments = launch.arguments.iter();
        arguments.any(|(known, value)| known == name && matches!(value, Value::Buffer { bytes, .. } if bytes == after))
    })
}

/// What is wrong with the results of one reference, on their own and compared with those of another.
fn problems_of(case: &Case, results: &[Buffers], others: &[Buffers]) -> Vec<String> {
    let mut problems = Vec::new();
    for ((launch, found), other) in case.launches.iter().zip(results).zip(others) {
        problems.extend(differences(case, launch, &launch.expected, found));
        problems.extend(differences(case, launch, other, found));
        if changes_nothing(launch, found) {
            problems.push(format!("{}:{}: the launch changes nothing", case.path.display(), launch.line));
        }
    }
    problems
}

/// Two independent implementations agree where both can run a case, and with what the case expects.
#[test]
fn references_agree_with_each_other() {
    let Some(tools) = llvm::tools() else { return };
    let Some(host) = host(tools) else { return };
    let (start, every) = (Instant::now(), part(30));
    let cases: Vec<Case> =
        all_cases().into_iter().filter(|case| case.references(&host.implementations).len() > 1).collect();
    let compared: Vec<&Case> = cases.iter().step_by(every).collect();
    let compare = |case: &&Case| {
        let run = |implementation| host.run(implementation, case);
        let results = case.references(&host.implementations).into_iter().map(run).collect::<Result<Vec<_>, _>>();
        match results {
            Ok(results) => results.iter().flat_map(|other| problems_of(case, &results[0], other)).collect(),
            Err(error) => vec![format!("{}: {error:#}", case.path.display())],
        }
    };
    let problems: Vec<String> = compared.par_iter().flat_map_iter(compare).collect();
    println!(
        "{:?} compared on {} of {} cases in {:.1?}",
        host.implementations,
        compared.len(),
        cases.len(),
        start.elapsed()
    );
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

/// What was compared, for the last line of the test.
#[derive(Default)]
struct Counts {
    kernels: AtomicUsize,
    scalar_versions: AtomicUsize,
    without_reference: AtomicUsize,
    /// Files that our own front end leaves out, once for each way to lower them.
    outside: AtomicUsize,
    runs: AtomicUsize,
    bytes: AtomicU64,
    instructions: AtomicU64,
}

/// Every launch leaves in its buffers what the reference leaves, at each level of optimisation, and nothing is found.
#[test]
fn kernels_compute_what_the_reference_computes() {
    let Some(tools) = llvm::tools() else { return };
    let Some(host) = host(tools) else { return };
    let start = Instant::now();
    let (mut cases, counts) = (all_cases(), Counts::default());
    if std::env::var_os(CASE).is_none() {
        cases = cases.into_iter().step_by(part(1)).collect();
    }
    let problems: Vec<String> = cases.par_iter().flat_map_iter(|case| check(tools, host, case, &counts)).collect();
    let count = |counter: &AtomicUsize| counter.load(Ordering::Relaxed);
    println!(
        "{} kernels, {} of them against a scalar version and {} against what is written down; {} runs, {} bytes compared, \
         {:.1} million instructions, in {:.1?}; random schedules from RECONVERGE_SEED={}",
        count(&counts.kernels),
        count(&counts.scalar_versions),
        count(&counts.without_reference),
        count(&counts.runs),
        counts.bytes.load(Ordering::Relaxed),
        counts.instructions.load(Ordering::Relaxed) as f64 / 1e6,
        start.elapsed(),
        first_seed(),
    );
    println!("our own front end leaves out {} files", count(&counts.outside) / 2);
    assert!(count(&counts.outside) == 0, "our own front end leaves out {} files", count(&counts.outside) / 2);
    let compared = count(&counts.kernels) - count(&counts.without_reference);
    assert!(compared * part(1) > 100 || std::env::var_os(CASE).is_some(), "only {compared} kernels have a reference");
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

/// What is wrong with a case.
fn check(tools: &Tools, host: &Host, case: &Case, counts: &Counts) -> Vec<String> {
    let reference: Option<Implementation> = case.references(&host.implementations).first().copied();
    let expected: Vec<Buffers> = match reference.map(|reference| host.run(reference, case)) {
        Some(Ok(buffers)) => buffers,
        Some(Err(error)) => return vec![format!("{}: {error:#}", case.path.display())],
        None => case.launches.iter().map(|launch| launch.expected.clone()).collect(),
    };
    let mut problems = problems_of(case, &expected, &expected);
    let add = |counter: &AtomicUsize, number| counter.fetch_add(number, Ordering::Relaxed);
    let mut kernels: Vec<&str> = case.launches.iter().map(|launch| launch.kernel.as_str()).collect();
    kernels.sort_unstable();
    kernels.dedup();
    add(&counts.kernels, kernels.len());
    add(&counts.scalar_versions, if case.scalar_version.is_some() { kernels.len() } else { 0 });
    add(&counts.without_reference, if reference.is_none() { kernels.len() } else { 0 });
    // By the size of the file: some number that a change of others leaves as it is.
    let level = case.source.len() % 3;
    let clang = [Compiler::ClangO0, Compiler::ClangO1, Compiler::ClangO2];
    let all = Compiler::ALL.into_iter();
    for compiler in all.filter(|one| is_thorough() || !clang.contains(one) || *one == clang[level]) {
        let text = match compile(tools, case, compiler) {
            Ok(text) => text,
            Err(error) if error.is::<OutsideOfTheSubset>() => {
                add(&counts.outside, 1);
                continue;
            }
            Err(error) => {
                problems.push(format!("{}: {error:#}", case.path.display()));
                continue;
            }
        };
        let pairs = case.launches.iter().zip(&expected);
        for ((launch, expected), schedule) in
            pairs.flat_map(|pair| schedules(compiler).into_iter().map(move |one| (pair, one)))
        {
            let how = format!("{}, {schedule:?}", compiler.name());
            match run(&text, compiler, launch, schedule, counts) {
                Ok(found) => {
                    add(&counts.runs, 1);
                    let compared = expected.iter().map(|(_, bytes)| bytes.len() as u64).sum();
                    counts.bytes.fetch_add(compared, Ordering::Relaxed);
                    let wrong = differences(case, launch, expected, &found);
                    problems.extend(wrong.into_iter().map(|words| format!("{words}, {how}")));
                }
                Err(error) => problems.push(format!("{}:{}, {how}: {error}", case.path.display(), launch.line)),
            }
        }
    }
    problems
}

/// Runs a launch; the buffers afterwards, or what was found.
fn run(
    text: &str,
    compiler: Compiler,
    launch: &case::Launch,
    schedule: Schedule,
    counts: &Counts,
) -> Result<Buffers, String> {
    let program = Program::prepare(text.as_bytes(), "kernel.ll", None).map_err(|error| error.to_string())?;
    let outcome = reconverge_exec::run(&program, &our(launch, compiler, schedule), &Control::default())
        .map_err(|error| error.to_string())?;
    counts.instructions.fetch_add(outcome.instructions, Ordering::Relaxed);
    if !outcome.completed || !outcome.findings.is_empty() {
        let words: Vec<&str> = outcome.findings.iter().map(|found| found.code.title()).collect();
        return Err(format!("completed: {}, found: {}", outcome.completed, words.join("; ")));
    }
    Ok(outcome.buffers.into_iter().map(|buffer| (buffer.name, buffer.bytes)).collect())
}

/// A launch as we want it.
fn our(launch: &case::Launch, compiler: Compiler, schedule: Schedule) -> Launch {
    let model = if compiler == Compiler::Ours { Model::Controlled } else { Model::Maximal { hierarchy: 0 } };
    Launch { model, schedule, ..launches::of_case(launch) }
}
