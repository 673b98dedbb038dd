//! A mask divides the set of threads that a text has at an operation: those with equal masks are together, and no others.
//!
//! The random kernels of [`source_models`](crate::source_models) in CUDA, their operations votes with masks, in the kernel and in a function that it calls, run by the rules of each of the three texts:
//!
//! - where threads run in lock-step (the *partition* reading), by any masks: two threads are together in a vote iff they passed the mark in front of it together, with the same mask;
//! - where they are concurrent, by masks that name who asked for it together: each vote is executed by the threads that its mask names, and no mask is found to be wrong.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

use rayon::prelude::*;
use reconverge_exec::launch::{AnchorPolicy, Launch, MaskReading, Model, Schedule};
use reconverge_exec::{Control, Linked, Program, Recording};
use reconverge_findings::Code;
use reconverge_lang::lower::LowerOptions;
use reconverge_lang::options::{Dialect, Options, SourceModel};
use reconverge_lang::translate::translate_here;
use reconverge_testing::random::source::SourceKernel;
use reconverge_testing::rounds;

use crate::source_groups::launch;
use crate::source_models::{TEXTS, statements};

const KERNELS: u64 = 25;
/// What divides threads that are together in three ways: those whose numbers are odd, all, and each by itself, with the thread that executes it in each.
const ANY_MASK: &str = "((1u << threadIdx.x) | (x & 64u ? 0xaau : x & 128u ? ~0u : 0u))";
/// Whoever asks for it together.
const OWN_MASK: &str = "__activemask()";

/// What was compared.
#[derive(Default)]
struct Counts {
    kernels: AtomicUsize,
    launches: AtomicUsize,
    votes: AtomicUsize,
    /// Votes by several threads.
    shared: AtomicUsize,
    /// Sets at marks that masks divided.
    divided: AtomicUsize,
}

/// The same kernel in CUDA, with votes under such a mask as operations.
fn with_masks(text: &str, mask: &str) -> String {
    let changes = [("kernel void", "__global__ void"), ("global ", ""), ("uint", "unsigned")];
    let text = changes.iter().fold(text.to_owned(), |text, (from, to)| text.replace(from, to));
    let text = text.replace("get_local_id(0)", "threadIdx.x");
    let text = text.replacen(
        "unsigned op(unsigned);\n",
        "__device__ unsigned vote(unsigned mask, unsigned n) { return __ballot_sync(mask, n & 1u); }\n",
        1,
    );
    let mut pieces = text.split("op(");
    let mut changed = pieces.next().unwrap_or_default().to_owned();
    for (piece, number) in pieces.zip(0..) {
        let name = if number % 3 == 2 { "vote" } else { "__ballot_sync" };
        changed.push_str(&format!("{name}({mask}, {piece}"));
    }
    changed
}

// conformance: clang-2025-04/10, 11, 11a, 12, 12a, 12b
#[test]
fn masks_divide_the_sets_of_a_text() {
    let seeds = rounds::seeds(KERNELS);
    let is_single = seeds.end - seeds.start == 1;
    println!("text             masks       kernels  launches    votes   shared  divided");
    for (text, name) in TEXTS {
        for reading in [MaskReading::Partition, MaskReading::Concurrent] {
            let counts = Counts::default();
            let problems: Vec<String> =
                seeds.clone().into_par_iter().filter_map(|seed| compare(seed, text, reading, &counts).err()).collect();
            let [kernels, launches, votes, shared, divided] =
                [&counts.kernels, &counts.launches, &counts.votes, &counts.shared, &counts.divided]
                    .map(|count| count.load(Ordering::Relaxed));
            let masks = if reading == MaskReading::Partition { "partition" } else { "concurrent" };
            println!("{name:<15}  {masks:<10}  {kernels:>7}  {launches:>8}  {votes:>7}  {shared:>7}  {divided:>7}");
            let shown: Vec<&str> = problems.iter().take(3).map(String::as_str).collect();
            assert!(problems.is_empty(), "{name}: {} kernels differ:\n{}", problems.len(), shown.join("\n"));
            assert!(is_single || shared * 20 > votes, "{shared} of {votes} shared");
            assert!(is_single || reading == MaskReading::Concurrent || divided * 20 > votes, "{divided} divided");
        }
    }
}

fn compare(seed: u64, text: SourceModel, reading: MaskReading, counts: &Counts) -> Result<(), String> {
    let kernel = SourceKernel::random(seed);
    let mask = if reading == MaskReading::Partition { ANY_MASK } else { OWN_MASK };
    let source = with_masks(&kernel.text, mask);
    let fail = |what: String| format!("seed {seed}: {what}\n{source}");
    let translation =
        translate_here(Path::new("k.cu"), source.clone().into_bytes(), &Options::new(Dialect::Cuda), text);
    let ir = translation
        .lower(&LowerOptions { tokens: false, markers: true, debug: false, origins: false, nsw: false })
        .filter(|_| translation.diagnostics.is_empty())
        .ok_or_else(|| fail(format!("{:?}", translation.diagnostics)))?
        .text;
    let program = Program::prepare(&ir, "k.ll", None).map_err(|error| fail(error.to_string()))?;
    let program = program.with_statements(statements(&translation));
    let functions = program.kernels();
    let name = functions.first().ok_or_else(|| fail("there is no kernel".to_owned()))?.name.clone();
    let linked = program.link(&name).map_err(|error| fail(error.to_string()))?;
    counts.kernels.fetch_add(1, Ordering::Relaxed);
    let schedules = [Schedule::Lockstep, Schedule::Fair, Schedule::Random(seed)];
    for (anchors, schedule) in
        [AnchorPolicy::Solo, AnchorPolicy::Maximal].into_iter().zip(schedules.iter().skip(seed as usize % 2))
    {
        let plain = launch(&kernel, kernel.data(seed), anchors);
        let model = Model::Statements(text);
        let launch = Launch { kernel: name.clone(), model, schedule: *schedule, masks: reading, ..plain };
        let (outcome, recording) =
            linked.run_recorded(&launch, &Control::default()).map_err(|error| fail(error.to_string()))?;
        // Any masks name threads that are elsewhere.
        let is_expected = |code: Code| reading == MaskReading::Partition && code == Code::RC0510;
        let wrong: Vec<&str> =
            outcome.findings.iter().filter(|found| !is_expected(found.code)).map(|found| found.code.title()).collect();
        if !outcome.completed || !wrong.is_empty() {
            return Err(fail(format!("{anchors:?}, {schedule:?}: {}", wrong.join("; "))));
        }
        counts.launches.fetch_add(1, Ordering::Relaxed);
        votes(&linked, &recording, reading, counts)
            .map_err(|what| fail(format!("{anchors:?}, {schedule:?}: {what}")))?;
    }
    Ok(())
}

/// Compares the votes of a run with the marks in front of them and their masks.
fn votes(linked: &Linked<'_>, recording: &Recording, reading: MaskReading, counts: &Counts) -> Result<(), String> {
    let communications = &recording.communications;
    // What each thread passed: when, and which communication.
    let mut marks: BTreeMap<u64, Vec<(u32, usize)>> = BTreeMap::new();
    for (event, communication) in communications.iter().enumerate() {
        for one in communication.threads.iter().filter(|one| linked.marker(one.site).is_some()) {
            marks.entry(one.thread).or_default().push((one.order, event));
        }
    }
    marks.values_mut().for_each(|marks| marks.sort_unstable());
    let mark_before = |thread: u64, order: u32| {
        let marks = marks.get(&thread)?;
        let at = marks.partition_point(|&(mark, _)| mark < order);
        marks.get(at.checked_sub(1)?).map(|&(_, event)| event)
    };
    let mut sets: BTreeMap<(usize, u64), usize> = BTreeMap::new();
    let mut masks_at: BTreeMap<usize, BTreeSet<u64>> = BTreeMap::new();
    for (event, communication) in communications.iter().enumerate() {
        let is_vote = |site| linked.site(site).is_some_and(|site| site.operation.contains("ballot"));
        let Some(first) = communication.threads.first().filter(|one| is_vote(one.site)) else { continue };
        let mask_of = |one| communication.operands(one).first().map_or(0, |mask| mask.bits);
        let threads: u64 = communication.threads.iter().map(|one| 1 << one.thread).sum();
        let mask = mask_of(first);
        counts.votes.fetch_add(1, Ordering::Relaxed);
        counts.shared.fetch_add(usize::from(communication.threads.len() > 1), Ordering::Relaxed);
        if communication.threads.iter().any(|one| mask_of(one) != mask) {
            return Err(format!("threads {threads:#b} are together with different masks"));
        }
        if reading == MaskReading::Concurrent {
            if threads != mask {
                return Err(format!("threads {threads:#b} execute a vote for {mask:#b}"));
            }
            continue;
        }
        for one in &communication.threads {
            let mark = mark_before(one.thread, one.order).ok_or("there is no mark in front of a vote")?;
            if *sets.entry((mark, mask)).or_insert(event) != event {
                return Err(format!(
                    "thread {} is apart from those that it came with, with mask {mask:#b}",
                    one.thread
                ));
            }
            let came_with = mark_before(first.thread, first.order);
            if came_with != Some(mark) {
                return Err(format!("threads {} and {} did not come together", first.thread, one.thread));
            }
            masks_at.entry(mark).or_default().insert(mask);
        }
    }
    counts.divided.fetch_add(masks_at.values().filter(|masks| masks.len() > 1).count(), Ordering::Relaxed);
    Ok(())
}
