//! Damaged kernels through the whole pipeline: no panic, every message has a place, and what is lowered is accepted.
//!
//! `RECONVERGE_ROUNDS` above 1 takes all beginnings of every 37th byte and that many times the other damages.

use std::sync::atomic::{AtomicUsize, Ordering};

use rayon::prelude::*;
use reconverge_lang::options::Dialect;
use reconverge_testing::damage::{Damaged, damage};
use reconverge_testing::llvm;
use reconverge_testing::random::SplitMix64;
use reconverge_testing::rounds::{environment, part, seeds};

use crate::translate::support::{PLAIN, TOKENS, broken_rules, kernels, lowered, objections};

/// What became of damaged texts.
#[derive(Default)]
struct Counts {
    texts: AtomicUsize,
    lowered: AtomicUsize,
    verified: AtomicUsize,
}

impl Counts {
    fn print(&self) {
        let [texts, lowered, verified] =
            [&self.texts, &self.lowered, &self.verified].map(|count| count.load(Ordering::Relaxed));
        println!("{texts} texts, {lowered} of them lowered, {verified} of those verified by LLVM");
    }
}

/// Translates and lowers a text; what is wrong with what comes out, in words.
fn survive(name: &str, dialect: Dialect, path: &std::path::Path, text: Vec<u8>, counts: &Counts) -> Option<String> {
    let shown = String::from_utf8_lossy(&text).into_owned();
    let options = reconverge_lang::options::Options::new(dialect);
    let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        let translation = reconverge_lang::translate::translate(path, text, &options, Default::default());
        for diagnostic in &translation.diagnostics {
            assert!(!diagnostic.message.is_empty() && !diagnostic.message.contains('\n'), "{diagnostic:?}");
            assert!(translation.sources.position(diagnostic.location).is_some(), "{diagnostic:?}");
        }
        assert!(translation.program.is_some() != translation.has_errors());
        translation.program.as_ref()?;
        Some([TOKENS, PLAIN].map(|options| lowered(&translation, options)))
    }));
    let count = counts.texts.fetch_add(1, Ordering::Relaxed);
    let texts = match result {
        Err(_) => return Some(format!("{}, {name}: panic\n{shown}", path.display())),
        Ok(None) => return None,
        Ok(Some(texts)) => texts,
    };
    counts.lowered.fetch_add(1, Ordering::Relaxed);
    let mut found = Vec::new();
    let tools = llvm::tools().filter(|_| count.is_multiple_of(environment("RECONVERGE_VERIFY", 20) as usize));
    for ir in texts {
        counts.verified.fetch_add(usize::from(tools.is_some()), Ordering::Relaxed);
        found.extend(if tools.is_some() { objections(&ir, tools) } else { broken_rules(&ir) });
    }
    (!found.is_empty()).then(|| format!("{}, {name}: {}\n{shown}", path.display(), found.join("\n")))
}

fn nothing_wrong(mut problems: Vec<String>, counts: &Counts) {
    counts.print();
    problems.sort_by_key(String::len);
    assert!(problems.is_empty(), "{} problems; the shortest:\n{}", problems.len(), problems[0]);
}

#[test]
fn beginnings() {
    let counts = Counts::default();
    let step = 37 * part(16);
    let all = kernels();
    let problems = all.par_iter().enumerate().flat_map_iter(|(index, (path, dialect))| {
        let text = std::fs::read(path).expect("the case");
        let lengths = (index % step.min(text.len().max(1))..text.len()).step_by(step);
        let check = |length: usize| survive("a beginning", *dialect, path, text[..length].to_vec(), &counts);
        lengths.filter_map(check).collect::<Vec<_>>()
    });
    nothing_wrong(problems.collect(), &counts);
}

#[test]
fn flipped_swapped_lost() {
    let seeds = seeds(600);
    println!("seeds {seeds:?}");
    let counts = Counts::default();
    let all: Vec<_> =
        kernels().into_iter().map(|(path, dialect)| (std::fs::read(&path).expect("the case"), path, dialect)).collect();
    let problems = seeds.into_par_iter().filter_map(|seed| {
        let mut random = SplitMix64::new(seed);
        let (text, path, dialect) = &all[random.below(all.len())];
        let mut damaged = damage(text, &mut random);
        while random.percent(30) && !damaged.text.is_empty() {
            damaged = damage(&damaged.text, &mut random);
        }
        let Damaged { what, text, .. } = damaged;
        let dialects = [Dialect::OpenCl, Dialect::Cuda, Dialect::Hip, Dialect::C, Dialect::Cpp];
        let dialect = if random.percent(80) { *dialect } else { dialects[random.below(dialects.len())] };
        survive(&format!("seed {seed}, {what}, as {dialect:?}"), dialect, path, text, &counts)
    });
    nothing_wrong(problems.collect(), &counts);
}
