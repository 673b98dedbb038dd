//! Our check of validity against LLVM's verifier, on broken modules.
//!
//! Valid modules (examples, cases, the pages of codes, random kernels, and one that has every instruction) are broken
//! in one or two steps that keep most of their structure ([`breaking`]). Whatever [`Checked::read`] accepts, LLVM has to accept: that is what executor and
//! transforms rely on. What we refuse and LLVM does not would be a false error. The differences that there are on purpose are in [`differences`], each with its reason;
//! any other fails the test. The table of all of them is printed:
//! `RECONVERGE_ROUNDS=200 cargo test --profile quick -p reconverge-testing --test it validity -- --nocapture` breaks 100 000 modules, in some 4 minutes of one core.

mod breaking;
mod differences;
mod programs;

use std::collections::BTreeMap;
use std::sync::Mutex;

use rayon::prelude::*;
use reconverge_ir::{FunctionReader, ReadError};
use reconverge_testing::llvm;
use reconverge_testing::random::SplitMix64;
use reconverge_testing::rounds::{first_seed, times};
use reconverge_valid::{Checked, Facts, Workspace, check_function};

use differences::Difference;

/// How many modules are broken by default.
const MODULES: u64 = 500;
/// How many unexplained differences are shown in full.
const SHOWN: usize = 12;

/// What came out, by kind of damage.
#[derive(Debug, Default, Clone, Copy)]
struct Counts {
    both_accept: u64,
    both_refuse: u64,
    explained: u64,
    unexplained: u64,
}

#[test]
fn the_programs_that_are_broken_are_valid() {
    let Some(tools) = llvm::tools() else { return };
    for (name, text) in programs::all() {
        let ours = Checked::read(text.as_bytes()).map(drop);
        let theirs = tools.assemble(&text).expect("LLVM runs");
        assert!(theirs.is_err() || ours.is_ok(), "{name}: {ours:?}\n{text}");
    }
}

#[test]
fn whatever_is_accepted_llvm_accepts() {
    let Some(tools) = llvm::tools() else { return };
    let (seed, modules) = (first_seed(), times(MODULES));
    println!("{modules} broken modules, seed {seed}");
    let programs: Vec<(String, String)> = programs::all()
        .into_iter()
        .filter(|(_, text)| Checked::read(text.as_bytes()).is_ok() && matches!(tools.assemble(text), Ok(Ok(_))))
        .collect();
    let counts: Mutex<BTreeMap<&'static str, Counts>> = Mutex::default();
    let table: Mutex<BTreeMap<&'static str, u64>> = Mutex::default();
    let unexplained: Mutex<Vec<String>> = Mutex::default();
    (0..modules).into_par_iter().for_each(|number| {
        let mut rng = SplitMix64::new(seed.wrapping_mul(1 << 32).wrapping_add(number));
        let (name, text) = rng.pick(&programs).expect("there are programs");
        let (kind, broken) = breaking::broken(text, &mut rng);
        if broken == *text {
            return;
        }
        let ours = accepted(broken.as_bytes());
        let theirs = tools.assemble(&broken).expect("LLVM runs").map(drop);
        let mut counts = counts.lock().unwrap();
        let counts = counts.entry(kind).or_default();
        let (who, message) = match (&ours, &theirs) {
            (Ok(()), Ok(())) => return counts.both_accept += 1,
            (Err(_), Err(_)) => return counts.both_refuse += 1,
            (Ok(()), Err(message)) => (Difference::LlvmRefuses, message.clone()),
            (Err(error), Ok(())) => (Difference::WeRefuse, error.message.clone()),
        };
        match differences::reason(who, &message) {
            Some(reason) => {
                counts.explained += 1;
                *table.lock().unwrap().entry(reason).or_default() += 1;
            }
            None => {
                counts.unexplained += 1;
                let diff = differing(text, &broken);
                unexplained
                    .lock()
                    .unwrap()
                    .push(format!("{who:?} ({kind}, module {number}, {name}): {message}\n{diff}"));
            }
        }
    });
    println!("| damage | both accept | both refuse | explained | unexplained |\n|---|---|---|---|---|");
    let mut total = Counts::default();
    for (kind, counts) in counts.lock().unwrap().iter() {
        let Counts { both_accept, both_refuse, explained, unexplained } = counts;
        println!("| {kind} | {both_accept} | {both_refuse} | {explained} | {unexplained} |");
        total.both_accept += both_accept;
        total.both_refuse += both_refuse;
        total.explained += explained;
        total.unexplained += unexplained;
    }
    println!("{total:?}");
    for (reason, count) in table.lock().unwrap().iter() {
        println!("| {count} | {reason} |");
    }
    let mut unexplained = unexplained.into_inner().unwrap();
    unexplained.sort();
    let shown: Vec<&str> = unexplained.iter().map(String::as_str).take(SHOWN * 8).collect();
    assert!(unexplained.is_empty(), "{} differences:\n{}", unexplained.len(), shown.join("\n\n"));
    assert!(total.both_refuse * 4 > modules, "too few modules are broken at all");
}

/// Whether a text is valid, and the uses of its tokens are dominated, which readers leave to the rules of tokens.
fn accepted(text: &[u8]) -> Result<(), ReadError> {
    let module = Checked::read(text)?;
    let facts = Facts::new(&module);
    let mut workspace = Workspace::default();
    let mut reader = FunctionReader::new(&module);
    for id in module.definitions() {
        let function = reader.read(id)?;
        if let Some(breach) = check_function(&facts, &module, id, &function, &mut workspace).first() {
            return Err(breach.to_error());
        }
    }
    Ok(())
}

/// The lines that differ.
fn differing(before: &str, after: &str) -> String {
    let before: std::collections::HashSet<&str> = before.lines().collect();
    let lines: Vec<&str> = after.lines().filter(|line| !before.contains(line)).take(8).collect();
    lines.join("\n")
}
