//! How fast source is read: `cargo run --release -p reconverge-lang --example front_end -- [MEGABYTES [FILE]]`; the
//! text is written to the file.
//!
//! The text is one file of kernels of our own (`tests/cases/{run,opencl}`), each many times under other names, and random kernels with all kinds of
//! statements. Each step is timed on one thread, and then all of them as a command does them, the best of several times; the time is that of the
//! processor, so that what else runs on the machine matters less. Memory is allocated as the binary does it.

use std::fmt::Write;
use std::path::Path;
use std::time::Duration;

use cpu_time::ThreadTime;
use reconverge_lang::check::check;
use reconverge_lang::options::{Dialect, Options, SourceModel};
use reconverge_lang::outline::Outliner;
use reconverge_lang::preprocess::preprocess;
use reconverge_lang::syntax::parse;
use reconverge_lang::token::Symbols;
use reconverge_lang::translate::translate_here;
use reconverge_outline::convergence::Analyzer;
use reconverge_testing::corpus;
use reconverge_testing::random::source::SourceKernel;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

const TIMES: usize = 5;

fn main() {
    let megabytes = std::env::args().nth(1).and_then(|text| text.parse().ok()).unwrap_or(8);
    let text = text(megabytes * 1_000_000);
    if let Some(path) = std::env::args().nth(2) {
        std::fs::write(path, &text).expect("the text can be written");
    }
    let body = move || measure(&text);
    std::thread::Builder::new().stack_size(1 << 30).spawn(body).expect("a thread").join().expect("it ends");
}

/// Kernels, over and over, each time under other names.
fn text(size: usize) -> String {
    let mut pieces: Vec<(Vec<String>, String)> = Vec::new();
    for folder in ["run", "opencl"] {
        for path in corpus::cases(folder, "cl").expect("there are cases") {
            let text = std::fs::read_to_string(&path).expect("it can be read");
            // Names of types and macros could not be given again.
            if ["struct", "typedef", "enum", "#define", "sampler_t"].iter().any(|word| text.contains(word)) {
                continue;
            }
            let translation = translate_here(
                &path,
                text.clone().into_bytes(),
                &Options::new(Dialect::OpenCl),
                SourceModel::default(),
            );
            let Some(program) = translation.program.filter(|_| translation.diagnostics.is_empty()) else { continue };
            let functions = program
                .functions
                .values()
                .filter(|function| function.body.is_some())
                .map(|function| function.name.clone());
            let globals =
                program.globals.values().filter(|global| !global.name.contains('.')).map(|global| global.name.clone());
            pieces.push((functions.chain(globals).collect(), text));
        }
    }
    let mut output = String::new();
    for copy in 0.. {
        for (index, (names, text)) in pieces.iter().enumerate() {
            for name in names {
                let _ = writeln!(output, "#define {name} {name}_{copy}_{index}");
            }
            output.push_str(text);
            for name in names {
                let _ = writeln!(output, "#undef {name}");
            }
        }
        for seed in 0..20 {
            let kernel = SourceKernel::random(copy * 20 + seed).text;
            let (head, rest) = kernel.split_once("kernel void k(").expect("a kernel is named k");
            if copy == 0 && seed == 0 {
                output.push_str(head);
            }
            let _ = write!(output, "kernel void k{copy}_{seed}({rest}");
        }
        if output.len() >= size {
            break;
        }
    }
    output
}

/// The best time of a step.
struct Step {
    name: &'static str,
    best: Duration,
}

impl Step {
    fn run<T>(&mut self, step: impl FnOnce() -> T) -> T {
        let start = ThreadTime::now();
        let result = step();
        self.best = self.best.min(start.elapsed());
        result
    }
}

fn measure(text: &str) {
    let options = Options::new(Dialect::OpenCl);
    let path = Path::new("kernels.cl");
    let names = ["preprocess", "parse", "check types", "outline, plan, analyse", "all, one after the other"];
    let mut steps = names.map(|name| Step { name, best: Duration::MAX });
    let (mut tokens, mut functions, mut statements, mut size) = (0, 0, 0, 0);
    for _ in 0..TIMES {
        let [first, second, third, fourth, all] = &mut steps;
        let mut symbols = Symbols::default();
        let bytes = text.as_bytes().to_vec();
        let preprocessed = first.run(|| preprocess(path, bytes, &options, &mut symbols));
        let parsed = second.run(|| parse(&preprocessed.tokens, &mut symbols, &options));
        let checked = third.run(|| check(&parsed.tree, &symbols, &options));
        let problems = [preprocessed.diagnostics, parsed.diagnostics, checked.diagnostics].concat();
        assert!(problems.is_empty(), "{:?}", problems[0]);
        let bodies = || checked.program.functions.values().filter_map(|function| function.body.as_ref());
        fourth.run(|| {
            let (mut outliner, mut analyzer) = (Outliner::default(), Analyzer::default());
            for body in bodies() {
                let (outline, _) = outliner.of_body(&checked.program, body);
                std::hint::black_box(analyzer.analyze_and_plan(&outline, SourceModel::default()));
            }
        });
        functions = bodies().count();
        statements = bodies().map(|body| body.statements.len()).sum();
        tokens = preprocessed.tokens.len();
        // What the preprocessor leaves: tokens, and a space between any two of a line.
        size = preprocessed.tokens.iter().map(|token| symbols.text(token.symbol).len() + 1).sum();
        drop((preprocessed.tokens, parsed.tree, checked.program));

        // What a command waits for: results are kept, and what led to them is freed.
        let bytes = text.as_bytes().to_vec();
        let translation = all.run(|| translate_here(path, bytes, &options, SourceModel::default()));
        assert!(translation.program.is_some_and(|program| program.functions.len() >= functions));
    }
    let megabytes = size as f64 / 1e6;
    println!(
        "{:.1} MB of text; after preprocessing {megabytes:.1} MB, {tokens} tokens, {functions} functions, {statements} statements",
        text.len() as f64 / 1e6
    );
    for Step { name, best } in steps {
        println!("{name:>24}: {:7.1} ms, {:6.1} MB/s", best.as_secs_f64() * 1e3, megabytes / best.as_secs_f64());
    }
}
