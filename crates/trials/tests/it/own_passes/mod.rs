//! Our own passes on random programs: what comes out breaks no static rule that was not broken before, LLVM's verifier accepts it, and
//! comparing it with what it was finds nothing.
//!
//! A seed chooses a pass and draws programs until the pass changes one. Of some of those runs are also compared by an oracle of its own ([`runs`]). The last line of a
//! failure says what to look at it with. 100,000 programs: `RECONVERGE_ROUNDS=250 cargo test --profile quick -p reconverge-trials --test it own_passes -- --nocapture`, which
//! `cargo xtask soak` also does.

mod joined;
mod passes;
mod programs;
mod runs;

use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use reconverge_analysis::check::{CheckOptions, check};
use reconverge_exec::Program;
use reconverge_testing::random::SplitMix64;
use reconverge_testing::{llvm, rounds};
use reconverge_transform::Kind;
use reconverge_validate::{Verdict, compare_by_running};

use passes::Pass;

/// How many programs are changed by default.
const PROGRAMS: u64 = 200;
/// How many of them are verified in one go, and are the work of one core.
const BATCH: u64 = 125;
/// How many programs are drawn until a pass changes one.
const TRIES: usize = 40;
/// How many programs of a hundred the oracle looks at.
const ORACLE: u32 = 25;
/// How many findings are told in full.
const TOLD: usize = 5;

/// What was done with one pass.
#[derive(Debug, Default, Clone)]
struct Counts {
    drawn: u64,
    /// Of those that the pass did not change: how many it refused something in, and in how many there was nothing for it to do.
    refused: u64,
    unchanged: u64,
    changed: u64,
    checked: u64,
    verified: u64,
    /// How many launches were compared, and how many say nothing.
    launches: u64,
    skipped: u64,
    oracle: u64,
    found: u64,
    kinds: BTreeMap<Kind, u64>,
}

impl Counts {
    fn numbers(&self) -> [u64; 10] {
        let Counts { drawn, refused, unchanged, changed, checked, verified, launches, skipped, oracle, found, .. } =
            *self;
        [drawn, refused, unchanged, changed, checked, verified, launches, skipped, oracle, found]
    }

    fn add(&mut self, other: &Counts) {
        let [drawn, refused, unchanged, changed, checked, verified, launches, skipped, oracle, found] = other.numbers();
        self.drawn += drawn;
        self.refused += refused;
        self.unchanged += unchanged;
        self.changed += changed;
        self.checked += checked;
        self.verified += verified;
        self.launches += launches;
        self.skipped += skipped;
        self.oracle += oracle;
        self.found += found;
        other.kinds.iter().for_each(|(&kind, count)| *self.kinds.entry(kind).or_default() += count);
    }
}

/// What came of all.
#[derive(Debug, Default)]
struct Results {
    counts: BTreeMap<Pass, Counts>,
    findings: Vec<String>,
}

impl Results {
    fn of(&mut self, pass: Pass) -> &mut Counts {
        self.counts.entry(pass).or_default()
    }

    fn found(&mut self, change: &Change, what: &str) {
        let Change { seed, pass, before, after } = change;
        self.of(*pass).found += 1;
        let place = format!("seed {seed}, {}", pass.name());
        eprintln!("{place}: {}", what.lines().next().unwrap_or_default().chars().take(200).collect::<String>());
        let again = "RECONVERGE_ROUNDS=0 RECONVERGE_SEED=";
        self.findings.push(format!("{place}: {what}\n{before}\n; -------- after\n{after}\nagain: {again}{seed}"));
    }

    fn add(mut self, other: Results) -> Results {
        other.counts.iter().for_each(|(&pass, counts)| self.of(pass).add(counts));
        self.findings.extend(other.findings);
        self
    }

    fn total(&self) -> Counts {
        let mut total = Counts::default();
        self.counts.values().for_each(|counts| total.add(counts));
        total
    }

    fn table(&self) -> String {
        let mut table = String::new();
        let heads = [
            "drawn",
            "refused",
            "unchanged",
            "changed",
            "checked",
            "verified",
            "launches",
            "skipped",
            "oracle",
            "found",
        ];
        let _ = write!(table, "{:20}", "pass");
        heads.iter().for_each(|head| write!(table, "{head:>10}").expect("a string takes all"));
        let total = self.total();
        let rows = self.counts.iter().map(|(pass, counts)| (pass.name(), counts));
        for (name, counts) in rows.chain([("all", &total)]) {
            let _ = write!(table, "\n{name:20}");
            counts.numbers().iter().for_each(|number| write!(table, "{number:>10}").expect("a string takes all"));
        }
        let _ = write!(table, "\nloops unrolled: {:?}", total.kinds);
        table
    }
}

/// A program that a pass changed.
struct Change {
    seed: u64,
    pass: Pass,
    before: String,
    after: String,
}

/// How often each static rule is broken.
fn broken(text: &[u8]) -> Result<BTreeMap<&'static str, usize>, String> {
    let mut counts = BTreeMap::new();
    for found in check(text, &CheckOptions::default()).map_err(|error| error.to_string())?.findings {
        let code = found.code.name();
        if code.starts_with("RC01") {
            *counts.entry(code).or_default() += 1;
        }
    }
    Ok(counts)
}

/// Says which seed it was, if something panics.
struct Seed(u64, Pass);

impl Drop for Seed {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("seed {}, {}", self.0, self.1.name());
        }
    }
}

/// Draws programs until the pass of a seed changes one, and looks at what comes out; what LLVM is to say of is left.
fn of_seed(seed: u64, results: &mut Results) -> Option<Change> {
    let pass = Pass::ALL[(seed % Pass::ALL.len() as u64) as usize];
    let _seed = Seed(seed, pass);
    let mut rng = SplitMix64::new(seed ^ 0x6f77_6e20_7061_7373);
    for _ in 0..TRIES {
        let Some(program) = programs::Program::random(pass, &mut rng) else { continue };
        let counts = results.of(pass);
        counts.drawn += 1;
        let before = program.text.as_bytes();
        let (transformed, kinds) = pass.run(before, &program.headers, &mut rng).expect("a random program is IR");
        if transformed.edits.is_empty() {
            let what = if transformed.refusals.is_empty() { &mut counts.unchanged } else { &mut counts.refused };
            *what += 1;
            continue;
        }
        counts.changed += 1;
        kinds.into_iter().for_each(|kind| *counts.kinds.entry(kind).or_default() += 1);
        let after = String::from_utf8(transformed.edits.apply(before)).expect("it is text");
        let change = Change { seed, pass, before: program.text.clone(), after };
        if let Err(what) = compare(&program, &change, &mut rng, results) {
            results.found(&change, &what);
        }
        return Some(change);
    }
    None
}

fn compare(
    program: &programs::Program,
    change: &Change,
    rng: &mut SplitMix64,
    results: &mut Results,
) -> Result<(), String> {
    let counts = results.of(change.pass);
    let texts = [&change.before, &change.after].map(String::as_bytes);
    let [was, is] = texts.map(broken);
    let was = was.expect("a random program is IR");
    if let Some((code, _)) = is?.iter().find(|(code, count)| was.get(*code).is_none_or(|known| known < count)) {
        return Err(format!("{code} is new"));
    }
    counts.checked += 1;
    if !was.is_empty() {
        // Its tokens mean nothing.
        return Ok(());
    }
    let [before, after] = [(texts[0], "before.ll"), (texts[1], "after.ll")]
        .map(|(text, path)| Program::prepare(text, path, None).map_err(|error| error.to_string()));
    let (before, after) = (before?, after?);
    let comparison = compare_by_running(&before, &after, program.kernel, &program.options, &|_| {});
    counts.launches += comparison.runs;
    counts.skipped += comparison.skipped.iter().map(|(_, count)| count).sum::<u64>();
    if let Verdict::Different(witness) = &comparison.verdict {
        return Err(format!("{}\n{witness:#?}", comparison.findings[0].code.title()));
    }
    if rng.percent(ORACLE) {
        counts.oracle += u64::from(runs::compare(program, change.pass, &before, &after, rng)?);
    }
    Ok(())
}

/// What LLVM says of changed programs. Those that it rejected before the change do not count.
fn verify(tools: &llvm::Tools, changes: &[Change], results: &mut Results) {
    let texts: Vec<&str> = changes.iter().map(|change| &change.after[..]).collect();
    let rejected = joined::rejected(tools, &texts);
    changes.iter().for_each(|change| results.of(change.pass).verified += 1);
    for (index, complaint) in rejected {
        let change = &changes[index];
        results.of(change.pass).verified -= 1;
        if joined::rejected(tools, &[&change.before]).is_empty() {
            results.found(change, &format!("LLVM rejects it: {complaint}"));
        }
    }
}

#[test]
fn own_passes_keep_convergence() {
    let seeds = rounds::seeds(PROGRAMS);
    let tools = llvm::tools();
    // What there is so far, and when that was last said.
    let progress = Mutex::new((Counts::default(), Instant::now()));
    let batch = |batch: u64| {
        let mut results = Results::default();
        let first = seeds.start + batch * BATCH;
        let mine = first..(first + BATCH).min(seeds.end);
        let changes: Vec<Change> = mine.filter_map(|seed| of_seed(seed, &mut results)).collect();
        if let Some(tools) = tools {
            verify(tools, &changes, &mut results);
        }
        let mut progress = progress.lock().expect("no seed fails");
        let (so_far, said) = &mut *progress;
        so_far.add(&results.total());
        if said.elapsed() > Duration::from_secs(10) {
            eprintln!("{} programs changed, {} launches, {} found", so_far.changed, so_far.launches, so_far.found);
            *said = Instant::now();
        }
        results
    };
    let batches = 0..(seeds.end - seeds.start).div_ceil(BATCH);
    let results = rounds::for_each(batches, batch, Results::default, Results::add);
    println!("{}", results.table());
    let told = results.findings.iter().take(TOLD).cloned().collect::<Vec<_>>().join("\n\n");
    assert!(results.findings.is_empty(), "{} found\n{told}", results.findings.len());
    if !rounds::is_part() {
        for (pass, counts) in &results.counts {
            assert!(counts.changed > 15 && counts.launches > 50 && counts.oracle > 0, "{}: {counts:?}", pass.name());
        }
        assert_eq!((results.counts.len(), results.total().kinds.len()), (Pass::ALL.len(), 4));
    }
}

/// Seeds on which a pass, or the comparison, was wrong once.
const FOUND_ONCE: [u64; 8] = [1_045_034, 1_077_464, 1_091_104, 1_098_317, 4_005_868, 4_008_578, 51_064_233, 51_073_273];

#[test]
fn what_was_found_once_is_right() {
    let mut results = Results::default();
    let changed = FOUND_ONCE.into_iter().filter(|&seed| of_seed(seed, &mut results).is_some()).count();
    assert_eq!((&results.findings[..], changed), (&[][..], FOUND_ONCE.len()));
}
