//! Random kernels in CUDA, run and compared with what the analysis says of them.

use std::ops::Range;
use std::path::Path;

use reconverge_analysis::uniformity::refinements::Settings;
use reconverge_exec::launch::{Argument, Launch, Limits, Model};
use reconverge_exec::{Control, Program, run_observed};
use reconverge_lang::lower::LowerOptions;
use reconverge_lang::options::{Dialect, Options, SourceModel};
use reconverge_lang::translate::translate_here;
use reconverge_testing::random::SplitMix64;
use reconverge_testing::rounds::for_each;
use reconverge_trials::launches::plain;

use crate::soundness::claims::{Claims, Watcher, claims};

/// Kernels, each a function of its seed, and how they are launched.
#[derive(Clone, Copy)]
pub(crate) struct Trial {
    pub(crate) source: fn(u64) -> String,
    /// The name of the kernel in IR.
    pub(crate) kernel: &'static str,
    pub(crate) arguments: fn(&mut SplitMix64) -> Vec<(&'static str, Argument)>,
    pub(crate) blocks: u32,
    /// How many threads a block has, and a warp.
    pub(crate) block: u32,
    pub(crate) warp: u32,
}

/// What the test saw.
#[derive(Debug, Default, Clone, Copy)]
struct Counts {
    runs: u64,
    definitions: u64,
    claimed: u64,
    compared: u64,
}

impl Trial {
    /// Runs the kernels of all seeds.
    ///
    /// # Panics
    /// When the analysis is contradicted, or a kernel cannot be run; with the shortest kernel of those. When it says too little to be wrong.
    pub(crate) fn of_all(self, seeds: Range<u64>) {
        let work = |seed| {
            let mut counts = Counts::default();
            let failures: Vec<String> = self.check(seed, &mut counts).into_iter().collect();
            (counts, failures)
        };
        let nothing = || (Counts::default(), Vec::new());
        let (counts, failures) = for_each(seeds, work, nothing, |(counts, mut failures), (more, others)| {
            failures.extend(others);
            let counts = Counts {
                runs: counts.runs + more.runs,
                definitions: counts.definitions + more.definitions,
                claimed: counts.claimed + more.claimed,
                compared: counts.compared + more.compared,
            };
            (counts, failures)
        });
        println!("{counts:?}");
        if let Some(shortest) = failures.iter().min_by_key(|failure| failure.len()) {
            panic!("{} kernels fail, the shortest of them:\n{shortest}", failures.len());
        }
        assert!(counts.claimed * 4 > counts.definitions, "too little is called uniform to be wrong: {counts:?}");
    }

    /// A launch in a cycle hierarchy.
    fn launch(self, rng: &mut SplitMix64, hierarchy: usize) -> Launch {
        let arguments = (self.arguments)(rng).into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
        let launch = plain(self.kernel, [self.blocks, 1, 1], [self.block, 1, 1], self.warp, arguments);
        let limits = Limits { instructions: 1 << 20, ..launch.limits };
        Launch { model: Model::Maximal { hierarchy }, limits, max_events: 0, races: false, ..launch }
    }

    /// Runs a kernel some times; what there is to report.
    fn check(self, seed: u64, counts: &mut Counts) -> Option<String> {
        let source = (self.source)(seed);
        let fail = |problem: String| Some(format!("seed {seed}: {problem}\n{source}"));
        let options = Options::new(Dialect::Cuda);
        let translation =
            translate_here(Path::new("k.cu"), source.clone().into_bytes(), &options, SourceModel::Clang2025_04);
        let lowered = translation.lower(&LowerOptions {
            tokens: false,
            markers: false,
            debug: false,
            origins: false,
            nsw: false,
        });
        let Some(lowered) = lowered.filter(|_| translation.diagnostics.is_empty()) else {
            return fail(format!("{:?}", translation.diagnostics));
        };
        let text = String::from_utf8_lossy(&lowered.text).into_owned();
        let claims: Claims = claims(&text, &[Settings::refined()]);
        let program = match Program::prepare(text.as_bytes(), "k.ll", None) {
            Ok(program) => program,
            Err(error) => return fail(error.to_string()),
        };
        let mut rng = SplitMix64::new(seed);
        for _ in 0..4 {
            for hierarchy in 0..2 {
                let launch = self.launch(&mut rng, hierarchy);
                let mut watcher = Watcher::new(&claims, u64::from(self.block), u64::from(self.warp));
                let outcome = match run_observed(&program, &launch, &Control::default(), &mut watcher) {
                    Ok(outcome) => outcome,
                    Err(_) if hierarchy > 0 => break,
                    Err(error) => return fail(error.to_string()),
                };
                if !outcome.findings.is_empty() {
                    return fail(format!("{:?}", outcome.findings));
                }
                counts.runs += 1;
                counts.definitions += watcher.definitions[0];
                counts.claimed += watcher.definitions[1];
                counts.compared += watcher.compared;
                if let Some(violation) = watcher.violations.first() {
                    return fail(format!("{violation:?}\n{text}"));
                }
            }
        }
        None
    }
}
